"""Search among many candidates: ranks, the Pareto front, finalists, and their fresh confirmation.

A candidate is a named variant; one, the reference, is the one in use. All candidates are screened
on few deals; finalists are named before or chosen by a stated rule, and judged on fresh deals only,
since the best of many owes part of its lead to luck that does not come again. What is measured, and
how two candidates differ, stands in `analysis.criteria`.

A candidate beats the reference if it is better on some criterion by more than the margin, below
which a difference does not matter, and on no criterion worse by as much as the margin. So what
differs by less than matters neither beats anybody nor keeps a candidate from it.

BEATEN
    One finalist is shown to beat the reference.
ON THE FRONT
    Each finalist is shown not to beat it: to be worse by more than the margin on some criterion, or
    better by more than the margin on none. It holds among all candidates if those that the
    screening did not rule out (`Stage.rivals`) are among the finalists.
INCONCLUSIVE
    Neither.

Both rest on the intervals of all differences (finalists times criteria), which hold together by
Bonferroni: the chance that any of them misleads is at most alpha, and so is that of a false
verdict of either kind. One of both is true, so that enough deals decide, but for a difference that
lies on its margin.

References
----------
Klein, Wright and Wieczorek (2020), A joint confidence region for an overall ranking of populations:
ranks from intervals that hold together.
Hwang and Yoon (1981), Multiple attribute decision making: nearest to the ideal point.
Laumanns, Thiele, Deb and Zitzler (2002), Combining convergence and diversity in evolutionary
multiobjective optimization: fronts up to a difference that does not matter.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property
from itertools import combinations
from math import ceil, inf, isfinite
from statistics import NormalDist
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.criteria import Criterion, Goal, Measured, difference
from analysis.fairness import MOST_DEALS, NARROW, POWER
from analysis.intervals import LEVEL
from analysis.moments import Floats, Moments
from analysis.power import games_to_notice
from sim.core.game import Words

if TYPE_CHECKING:
    import pandas as pd

    from sim.results import Cell

Integers = NDArray[np.int64]
Flags = NDArray[np.bool_]

DIGITS = 12  # of a value that count; more is the noise of rounding, and would part equal ones
NOTHING = "none"  # name of the candidate without values


# Candidates


@dataclass(frozen=True)
class Candidate:
    """A variant that could be used: values of a list switch, and what it is called."""

    name: str
    values: tuple[int, ...]

    @property
    def size(self) -> int:
        """How many values; candidates are ranked among those of their size too."""
        return len(self.values)

    def changes(self, other: Candidate) -> int:
        """How many values one has and the other has not."""
        return len(set(self.values) ^ set(other.values))


def generate(values: Iterable[int], sizes: Iterable[int]) -> tuple[Candidate, ...]:
    """All subsets of the given sizes, size by size, each in the order of `combinations`.

    They are called like '-2,-1,9', the empty one 'none'.
    """
    ordered = sorted(set(values))
    return tuple(
        Candidate(",".join(map(str, chosen)) or NOTHING, chosen)
        for size in sizes
        for chosen in combinations(ordered, size)
    )


# Ranks, front and finalists


@dataclass(frozen=True, eq=False)
class Ranks:
    """Rank of each candidate [n] on one criterion; 1 is the best, equal values share a rank."""

    rank: Integers
    best: Integers  # 1 and those that are shown to be better
    worst: Integers  # all but those that are shown to be worse


def ranks(values: ArrayLike, low: ArrayLike, high: ArrayLike, goal: Goal) -> Ranks:
    """Ranks of estimates, with the ranks that their intervals allow.

    Parameters
    ----------
    values, low, high
        [n]. One is shown to be better than another if their intervals do not meet. If all intervals
        hold together, so do all ranges of ranks (Klein, Wright and Wieczorek 2020), however the
        estimates depend on each other.
    goal
        Whether the least or the most is the best.
    """
    value, lower, upper = (np.asarray(one, np.float64).round(DIGITS) for one in (values, low, high))
    if goal == "most":
        value, lower, upper = -value, -upper, -lower
    return Ranks(
        1 + (value[None, :] < value[:, None]).sum(axis=1),
        1 + (upper[None, :] < lower[:, None]).sum(axis=1),
        len(value) - (lower[None, :] > upper[:, None]).sum(axis=1),
    )


def front(costs: ArrayLike) -> Flags:
    """Whether no other candidate is as good on all criteria and better on one [n].

    Parameters
    ----------
    costs
        [n, k], small ones being good. Equal candidates are on the front together or not at all.
    """
    cost = np.asarray(costs, np.float64).round(DIGITS)
    return np.array(
        [not ((cost <= own).all(axis=1) & (cost < own).any(axis=1)).any() for own in cost], bool
    )


@dataclass(frozen=True)
class Rank:
    """Rank of one candidate among `of`; the intervals allow `best` to `worst`."""

    rank: int
    best: int
    worst: int
    of: int


@dataclass(frozen=True, eq=False)
class Stage:
    """All candidates of a stage, measured on all criteria."""

    name: Literal["screening", "confirmation"]
    criteria: tuple[Criterion, ...]
    candidates: tuple[Candidate, ...]
    reference: int  # number of the candidate that is in use
    measured: tuple[tuple[Measured, ...], ...]  # [candidate][criterion]
    level: float = LEVEL

    @cached_property
    def values(self) -> Floats:
        """Estimates [candidates, criteria]."""
        return np.array([[one.value for one in row] for row in self.measured])

    @cached_property
    def intervals(self) -> tuple[Floats, Floats]:
        """Lower and upper ends [candidates, criteria]; all of them hold together."""
        single = 1 - (1 - self.level) / self.values.size
        both = np.array([[one.interval(single) for one in row] for row in self.measured])
        return both[..., 0], both[..., 1]

    @cached_property
    def costs(self) -> Floats:
        """Estimates [candidates, criteria] with the sign that makes small ones good."""
        return self.values * [criterion.sign for criterion in self.criteria]

    @cached_property
    def on_front(self) -> Flags:
        """Whether a candidate is on the Pareto front of the estimates [candidates]."""
        return front(self.costs)

    @cached_property
    def rivals(self) -> Flags:
        """Whether a candidate may beat the reference, by its intervals here [candidates].

        Among rivals there are, but for alpha, all that beat it: what is no rival needs no
        confirmation.
        """
        low, high = self.intervals
        signs = np.array([criterion.sign for criterion in self.criteria])
        margins = np.array([criterion.margin for criterion in self.criteria])
        best, worst = (np.where(signs > 0, *ends) for ends in ((low, -high), (high, -low)))
        least = best - worst[self.reference]
        is_rival = np.asarray((least < margins).all(axis=1) & (least < -margins).any(axis=1))
        is_rival[self.reference] = False
        return is_rival

    @cached_property
    def ranks(self) -> tuple[Ranks, ...]:
        """Ranks of all candidates on each criterion."""
        return tuple(self._ranks(k, range(len(self.candidates))) for k in range(len(self.criteria)))

    def reference_rank(self, criterion: int, *, same_size: bool = False) -> Rank:
        """Rank of the reference on a criterion, among all or among candidates of its size."""
        size = self.candidates[self.reference].size
        rows = [
            row
            for row, candidate in enumerate(self.candidates)
            if not same_size or candidate.size == size
        ]
        found, at = self._ranks(criterion, rows), rows.index(self.reference)
        return Rank(int(found.rank[at]), int(found.best[at]), int(found.worst[at]), len(rows))

    def notice(self, row: int, criterion: int) -> int | None:
        """Games that a family would need to notice a candidate's value, if that is an effect."""
        one = self.measured[row][criterion]
        is_effect = self.criteria[criterion].is_effect
        return games_to_notice(one.value, one.variance) if is_effect else None

    @cached_property
    def distances(self) -> Floats:
        """Distance of each candidate from the ideal point [candidates].

        The ideal point has the best estimate of each criterion. A criterion is measured in its
        standard deviation over the candidates; one on which all are equal does not count.
        """
        spread = self.costs.std(axis=0)
        steps = np.divide(
            self.costs - self.costs.min(axis=0),
            spread,
            out=np.zeros_like(self.costs),
            where=spread > 0,
        )
        return np.asarray(np.sqrt((steps**2).sum(axis=1)))

    def finalists(self, nearest: int, always: Sequence[str] = ()) -> tuple[Candidate, ...]:
        """The candidates to confirm: the reference first, each one once.

        Then those with the names `always`; the best of each criterion; then those `nearest` of the
        front that lie nearest to the ideal point (`distances`), as far as they are not among them.
        Of equal ones the nearest to the ideal point is taken, then the first.
        """
        by_distance = np.argsort(self.distances, kind="stable")
        best = [min(by_distance, key=lambda row: column[row]) for column in self.costs.T]
        near = [row for row in by_distance if self.on_front[row]][:nearest]
        asked = [row for row, one in enumerate(self.candidates) if one.name in always]
        chosen = dict.fromkeys(int(row) for row in (self.reference, *asked, *best, *near))
        return tuple(self.candidates[row] for row in chosen)

    def frame(self) -> pd.DataFrame:
        """Every candidate on every criterion.

        Returns
        -------
        DataFrame
            One row a candidate and criterion: stage, candidate, size, is_reference, criterion,
            value, low, high (all hold together; missing where nothing can be said), deals, games,
            value_games_to_notice (missing where the value is no effect), rank, rank_best,
            rank_worst, on_front.
        """
        import pandas as pd

        low, high = self.intervals
        frame = pd.DataFrame(
            [
                {
                    "stage": self.name,
                    "candidate": candidate.name,
                    "size": candidate.size,
                    "is_reference": row == self.reference,
                    "criterion": criterion.name,
                    "value": self.values[row, k],
                    "low": low[row, k],
                    "high": high[row, k],
                    "deals": self.measured[row][k].deals,
                    "games": self.measured[row][k].games,
                    "value_games_to_notice": self.notice(row, k),
                    "rank": self.ranks[k].rank[row],
                    "rank_best": self.ranks[k].best[row],
                    "rank_worst": self.ranks[k].worst[row],
                    "on_front": self.on_front[row],
                }
                for row, candidate in enumerate(self.candidates)
                for k, criterion in enumerate(self.criteria)
            ]
        )
        return frame.replace({"low": -inf, "high": inf}, float("nan"))

    def _ranks(self, criterion: int, rows: Sequence[int]) -> Ranks:
        those = list(rows), criterion
        low, high = self.intervals
        return ranks(self.values[those], low[those], high[those], self.criteria[criterion].goal)


def measure(
    name: Literal["screening", "confirmation"],
    criteria: Sequence[Criterion],
    candidates: Sequence[Candidate],
    reference: str,
    cells: Mapping[str, Mapping[str, Cell]],
    level: float = LEVEL,
) -> Stage:
    """Measure all candidates on all criteria.

    Parameters
    ----------
    reference
        Name of the candidate that is in use.
    cells
        Results by name of candidate and name of line-up.

    Raises
    ------
    ValueError
        If the reference is not among the candidates.
    """
    names = [candidate.name for candidate in candidates]
    if reference not in names:
        raise ValueError(f"the reference {reference!r} is not among the candidates")
    measured = tuple(
        tuple(criterion.measure(cells[candidate]) for criterion in criteria) for candidate in names
    )
    at = names.index(reference)
    return Stage(name, tuple(criteria), tuple(candidates), at, measured, level)


# Confirmation


class Standing(StrEnum):
    """What may be said about the reference."""

    ON_THE_FRONT = "ON THE FRONT"
    BEATEN = "BEATEN"
    INCONCLUSIVE = "INCONCLUSIVE"


REASONS = {
    Standing.ON_THE_FRONT: Words(
        "each finalist is shown to be worse in some respect by what matters, or better in none",
        "已证明每个入围者都在某方面差出界限，或者没有哪方面好出界限",
    ),
    Standing.BEATEN: Words(
        "a finalist is shown to be better in some respect and worse in none by what matters",
        "已证明有入围者在某方面好出界限，且没有哪方面差到界限",
    ),
    Standing.INCONCLUSIVE: Words(
        "a finalist is shown neither to beat the rule in use nor not to",
        "有入围者既未证明胜过现行规则，也未证明不胜过",
    ),
}


@dataclass(frozen=True)
class Comparison:
    """How much worse a finalist is than the reference, in the unit of the criterion."""

    criterion: Criterion
    worse: float  # negative if it is better
    low: float
    high: float  # all intervals of a confirmation hold together
    notice: int | None  # games of each that a family would need; None without a difference
    se: float  # standard error of `worse`; infinite where nothing can be said
    deals: int  # of the finalist

    @property
    def is_worse(self) -> bool:
        """Whether it is shown to be worse by more than the margin."""
        return self.low > self.criterion.margin

    @property
    def is_not_worse(self) -> bool:
        """Whether it is shown to be worse by less than the margin, if at all."""
        return self.high < self.criterion.margin

    @property
    def is_better(self) -> bool:
        """Whether it is shown to be better by more than the margin."""
        return self.high < -self.criterion.margin

    @property
    def is_not_better(self) -> bool:
        """Whether it is shown to be better by less than the margin, if at all."""
        return self.low > -self.criterion.margin

    def times(self, limit: float, of: int) -> float:
        """How many times as many deals would show on which side of `limit` the difference is.

        With 80 % power for `of` such differences together, should the estimate be the truth; where
        it lies closer to the limit than its standard error, this is taken for the distance
        (`analysis.fairness`). Infinite where it is known to lie on the limit.
        """
        if not isfinite(self.se):
            return inf
        distance = abs(self.worse - limit)
        if distance < self.se:
            distance = self.se if self.se > NARROW * self.criterion.margin else 0.0
        half = self.high - self.worse if self.worse < limit else self.worse - self.low
        reach = half + NormalDist().inv_cdf(1 - (1 - POWER) / of) * self.se
        return (reach / distance) ** 2 if distance > 0 else inf


@dataclass(frozen=True)
class Finalist:
    """A finalist, held against the reference on every criterion."""

    candidate: Candidate
    comparisons: tuple[Comparison, ...]

    @property
    def is_winner(self) -> bool:
        """Whether it is shown to beat the reference."""
        return all(one.is_not_worse for one in self.comparisons) and any(
            one.is_better for one in self.comparisons
        )

    @property
    def falls_short(self) -> bool:
        """Whether it is shown not to beat the reference."""
        return any(one.is_worse for one in self.comparisons) or all(
            one.is_not_better for one in self.comparisons
        )

    @property
    def is_free(self) -> bool:
        """Whether it is shown to be better on some criterion and worse on none, by however little.

        The interval of the latter may reach further than the margin.
        """
        return any(one.high < 0 for one in self.comparisons) and not any(
            one.low > 0 for one in self.comparisons
        )

    @property
    def seems_winner(self) -> bool:
        """Whether it would beat the reference if the estimates were the truth."""
        return all(one.worse < one.criterion.margin for one in self.comparisons) and any(
            one.worse < -one.criterion.margin for one in self.comparisons
        )

    @property
    def times(self) -> float:
        """How many times as many deals would decide it, should the estimates be the truth.

        With 80 % power; infinite where a difference lies on its margin.
        """
        every, k = self.comparisons, len(self.comparisons)
        if self.seems_winner:
            better = min(
                one.times(-one.criterion.margin, k + 1)
                for one in every
                if one.worse < -one.criterion.margin
            )
            return max(better, *(one.times(one.criterion.margin, k + 1) for one in every))
        ways = [
            one.times(one.criterion.margin, 1) for one in every if one.worse > one.criterion.margin
        ]
        if all(one.worse > -one.criterion.margin for one in every):
            ways.append(max(one.times(-one.criterion.margin, k) for one in every))
        return min(ways, default=inf)


@dataclass(frozen=True, eq=False)
class Confirmation:
    """The verdict on the reference, from fresh deals."""

    stage: Stage
    finalists: tuple[Finalist, ...]  # without the reference

    @property
    def winners(self) -> tuple[Finalist, ...]:
        """Finalists that are shown to beat the reference."""
        return tuple(one for one in self.finalists if one.is_winner)

    @property
    def verdict(self) -> Standing:
        """BEATEN if there is a winner, ON THE FRONT if all fall short."""
        if self.winners:
            return Standing.BEATEN
        if all(one.falls_short for one in self.finalists):
            return Standing.ON_THE_FRONT
        return Standing.INCONCLUSIVE

    @property
    def undecided(self) -> tuple[Finalist, ...]:
        """Finalists that are shown neither to beat the reference nor not to."""
        return tuple(one for one in self.finalists if not (one.falls_short or one.is_winner))

    @property
    def more_deals(self) -> dict[str, int] | None:
        """Deals to add for a verdict, should the estimates be the truth, by name of criterion.

        Of each finalist and the reference, all as many times as they have (`Finalist.times`). One
        that beats the reference is enough; without one all must be known not to. Zero if it is
        decided, None if it cannot be said.
        """
        names = [criterion.name for criterion in self.stage.criteria]
        if self.verdict != Standing.INCONCLUSIVE:
            return dict.fromkeys(names, 0)
        seem = [one.times for one in self.undecided if one.seems_winner]
        times = min(seem) if seem else max(one.times for one in self.undecided)
        most = max(one.deals for one in self.undecided[0].comparisons)
        if not times * most < MOST_DEALS:
            return None
        return {
            one.criterion.name: max(1, ceil((times - 1) * one.deals))
            for one in self.undecided[0].comparisons
        }

    @property
    def reason(self) -> Words:
        """Why the verdict is what it is, in a clause."""
        return REASONS[self.verdict]

    def frame(self) -> pd.DataFrame:
        """`Stage.frame` with how much worse each finalist is than the reference.

        Returns
        -------
        DataFrame
            The columns of the stage and worse, worse_low, worse_high (all hold together; missing
            where nothing can be said), games_to_notice; missing for the reference.
        """
        import pandas as pd

        rows = [
            {
                "candidate": one.candidate.name,
                "criterion": each.criterion.name,
                "worse": each.worse,
                "worse_low": each.low,
                "worse_high": each.high,
                "games_to_notice": each.notice,
            }
            for one in self.finalists
            for each in one.comparisons
        ]
        frame = self.stage.frame().merge(pd.DataFrame(rows), how="left")
        return frame.replace({"worse_low": -inf, "worse_high": inf}, float("nan"))


def confirm(stage: Stage, paired: Mapping[tuple[str, str], Moments] | None = None) -> Confirmation:
    """Hold the finalists against the reference.

    Parameters
    ----------
    stage
        Finalists, reference and target on deals that had no part in choosing them, and each on
        deals of its own, but where `paired` knows better.
    paired
        By name of finalist and name of criterion, for criteria that are means as they are: moments
        of two columns, the values of the reference and of the finalist on common deals.

    Raises
    ------
    ValueError
        If the stage is no confirmation, or a distance is given as paired.
    """
    if stage.name != "confirmation":
        raise ValueError("finalists are judged on fresh deals, not on those that chose them")
    known = paired or {}
    others = [row for row in range(len(stage.candidates)) if row != stage.reference]
    single = 1 - (1 - stage.level) / max(1, len(others) * len(stage.criteria))
    finalists = []
    for row in others:
        candidate, comparisons = stage.candidates[row], []
        for k, criterion in enumerate(stage.criteria):
            here, there = stage.measured[row][k], stage.measured[stage.reference][k]
            found = difference(here, there, single, known.get((candidate.name, criterion.name)))
            ends = found.mean, found.low, found.high
            worse, low, high = ends if criterion.goal == "least" else (-ends[0], -ends[2], -ends[1])
            notice = games_to_notice(worse, here.variance + there.variance)
            comparisons.append(
                Comparison(criterion, worse, low, high, notice, found.se, here.deals)
            )
        finalists.append(Finalist(candidate, tuple(comparisons)))
    return Confirmation(stage, tuple(finalists))
