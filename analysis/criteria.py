"""What makes a candidate good: values of variants, from their cells, and how two of them differ.

A candidate is a variant among many (`analysis.search`). A criterion gives every candidate a value,
estimated over deals, and says whether little or much of it is good. A value is either one mean as
it is, or the largest of several means without their signs: a distance. Both are the largest of some
means ('parts'), those of a distance being taken with either sign; from there on they are treated
alike.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf, sqrt
from typing import TYPE_CHECKING, Literal

import numpy as np

from analysis.contrasts import Contrasts, contrasts, unseen
from analysis.intervals import LEVEL
from analysis.moments import Floats, Moments, paired_difference
from analysis.multiplicity import max_t_quantile
from analysis.power import column_variance, difference_variance
from analysis.winshares import deals, games, is_game_rate, is_seat_rate, n_seats, positions
from sim.core.game import Game, Words

if TYPE_CHECKING:
    from sim.results import Cell

Goal = Literal["least", "most"]


@dataclass(frozen=True, eq=False)
class Measured:
    """A candidate's value on a criterion."""

    found: Contrasts  # one mean, or those of which the largest without sign counts
    is_distance: bool
    deals: int
    games: int
    variance: float  # of one game of the mean that is the value, at most (`analysis.power`)
    limits: tuple[float, float] = (-inf, inf)  # between which the value must lie
    shared: Floats | None = None  # [c, c] covariance of what other candidates share: the target

    @property
    def value(self) -> float:
        """The estimate. That of a distance is rather too large, as chance adds to it."""
        parts = self.found.estimate
        return float(abs(parts).max() if self.is_distance else parts[0])

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Lower and upper end; infinite, or at the limits, where nothing can be said.

        A distance is no less than any of its means, and is one of them. So it lies above all lower
        ends, which hold together (Bonferroni); and below the largest upper end, of which that of
        one mean must hold, though it is not known which. Either end has half of the error.
        """
        c = len(self.found.estimate)
        lower = 1 - (1 - level) / (2 * c) if c > 1 else level
        below, above = (self.found.half_width(one, together=False) for one in (lower, level))
        if below is None or above is None:
            return self.limits
        parts = abs(self.found.estimate) if self.is_distance else self.found.estimate
        low, high = float((parts - below).max()), float((parts + above).max())
        return max(low, self.limits[0]), min(high, self.limits[1])


Measure = Callable[[Mapping[str, "Cell"]], Measured]  # from the cells by name of line-up
_NO_UNIT = Words("", "")


@dataclass(frozen=True)
class Criterion:
    """What makes a candidate good."""

    name: str
    title: Words
    goal: Goal
    margin: float  # difference that does not matter, in the unit of the value
    is_rate: bool  # whether the unit is a share of the games
    measure: Measure
    unit: Words = _NO_UNIT  # of a value that is no share
    is_effect: bool = True  # whether a value is a difference or a distance, and no plain mean

    @property
    def sign(self) -> int:
        """Factor that makes small values the good ones."""
        return 1 if self.goal == "least" else -1


# Kinds of criteria, from cells


def places(cell: Cell, game: Game, column: str = "win_share") -> Measured:
    """Largest difference between two places, of a seat column."""
    moments = Moments.from_cell(cell, game, "place", column)
    found = contrasts(moments, span=_span(game, column))
    pairs = list(combinations(moments.mean.tolist(), 2))
    most = pairs[int(abs(found.estimate).argmax())]
    variance = difference_variance(cell, game, column, *most)
    limits = (0.0, _span(game, column) or inf)
    return Measured(found, True, deals(cell), games(cell), variance, limits)


def gap(cell: Cell, game: Game, column: str = "win_share") -> Measured:
    """Mean of the first strategy of a mixed line-up less that of the last, of a seat column.

    Raises
    ------
    ValueError
        If there is one strategy only.
    """
    groups = positions(cell, "strategy")
    first, last = groups[0], groups[-1]
    weights = np.zeros(n_seats(cell))
    weights[list(first.members)] += 1 / len(first.members)
    weights[list(last.members)] -= 1 / len(last.members)
    moments = Moments.from_cell(cell, game, "strategy", column)
    found = contrasts(moments, weights, span=_span(game, column))
    most = _span(game, column) or inf
    means = (moments.mean[list(rung.members)].mean() for rung in (first, last))
    variance = difference_variance(cell, game, column, *map(float, means))
    return Measured(found, False, deals(cell), games(cell), variance, (-most, most))


def mean(cell: Cell, game: Game, column: str, target: Cell | None = None) -> Measured:
    """Mean of a column over all seats or games, or its distance from that of a target.

    The target is the same for all candidates and was played on deals of its own.
    """
    most = _span(game, column)
    found = _mean(cell, game, column)
    variance = _of_game(found, 0, games(cell), column_variance(cell, game, column))
    if target is None:
        limits = (-inf if most is None else 0.0, most or inf)
        return Measured(found, False, deals(cell), games(cell), variance, limits)
    there = _mean(target, game, column)
    limits = (0.0, most or inf)
    shared = None if there.covariance is None else there.covariance / there.deals
    return Measured(found.minus(there), True, deals(cell), games(cell), variance, limits, shared)


def distribution(here: Moments, there: Moments, games: int) -> Measured:
    """Kolmogorov's distance of a distribution from that of a target.

    Parameters
    ----------
    here, there
        Shares of the results up to each value (`analysis.samples.curve`). The target, `there`, is
        the same for all candidates and was played on deals of its own.
    games
        Of the candidate.
    """
    # Where the target has seen nothing yet, or everything, the curves are farthest apart at the
    # value next to what it saw. So all candidates have the same values.
    seen = np.flatnonzero((there.mean > 0) & (there.mean < 1))
    first, last = (seen[0], seen[-1]) if len(seen) else (int((there.mean == 0).sum()), -1)
    kept = slice(max(first - 1, 0), max(last, first) + 2)
    ours, theirs = (
        Contrasts(
            one.deals,
            one.mean[kept],
            None if one.covariance is None else one.covariance[kept, kept].copy(),
            np.ones_like(one.mean[kept]),
        )
        for one in (here, there)
    )
    found = ours.minus(theirs)
    at = int(abs(found.estimate).argmax())
    most = float(ours.estimate[at])
    variance = _of_game(ours, at, games, most * (1 - most))
    shared = None if theirs.covariance is None else theirs.covariance / theirs.deals
    return Measured(found, True, here.deals, games, variance, (0.0, 1.0), shared)


# Differences


@dataclass(frozen=True)
class Difference:
    """Difference of two values; with one deal nothing is known, and all but the mean infinite."""

    mean: float
    low: float
    high: float
    se: float  # that of the two parts that are the values


def difference(
    first: Measured, second: Measured, level: float = LEVEL, paired: Moments | None = None
) -> Difference:
    """Value of `first` less that of `second`.

    Parameters
    ----------
    first, second
        Of one criterion, on deals of their own; a target is the same for both.
    paired
        Moments of the deals' values of `second` and `first`, in this order, on common deals.

    Notes
    -----
    A value is the largest of its parts, so the value of `first` is no less than any of its parts,
    and that of `second` is one of its own, w. The difference is then no less than any part of
    `first`, less w. Of these the lower ends hold together (Bonferroni over the parts of `first`);
    the largest of them is the lower end. As w is not known, the part that makes it least is taken.
    The upper end is found likewise, from both turned round. Only one of the two sides is looked
    for, not all pairs; hence this is narrower than intervals of all pairs that hold together.

    Raises
    ------
    ValueError
        If a distance is given as paired: the largest of means is no mean over deals.
    """
    if paired is not None:
        if first.is_distance:
            raise ValueError("a distance has no value a deal that could be paired")
        of_deals = paired_difference(paired).difference
        reach = first.found.reach + second.found.reach
        found = Contrasts(of_deals.deals, of_deals.mean, of_deals.covariance, reach)
        low, high = replace(first, found=found, limits=(-inf, inf)).interval(level)
        se = inf if found.se is None else float(found.se[0])
        return Difference(float(found.estimate[0]), low, high, se)
    estimate = first.value - second.value
    mine, other = _parts(first), _parts(second)
    if mine is None or other is None:
        return Difference(estimate, -inf, inf, inf)
    apart = mine.mean[:, None] - other.mean
    variance = mine.variance[:, None] + other.variance
    if first.shared is not None:  # what both have less of the target's error
        error = np.diag(mine.shared)
        variance = variance + np.maximum(error[:, None] + error - 2 * mine.shared, 0.0)
    n = min(first.found.deals, second.found.deals)
    reach = mine.reach[:, None] + other.reach

    def half(parts: int) -> Floats:
        alpha = (1 - level) / parts
        width = max_t_quantile(alpha, np.eye(1), n - 1)
        return np.where(variance > 0, width * np.sqrt(variance), unseen(reach, n, alpha))

    low = (apart - half(len(mine.mean))).max(axis=0).min()
    high = (apart + half(len(other.mean))).min(axis=1).max()
    se = sqrt(variance[mine.mean.argmax(), other.mean.argmax()])
    return Difference(estimate, float(low), float(high), se)


def _of_game(found: Contrasts, at: int, games: int, at_most: float) -> float:
    """Variance of a mean in one game: known where every deal is one, else that of a single seat."""
    if found.covariance is None or found.deals != games:
        return at_most
    return float(found.covariance[at, at])


def _span(game: Game, column: str) -> float | None:
    """Length of the range of a column, if it is a share of the games."""
    return 1.0 if is_seat_rate(game, column) or is_game_rate(game, column) else None


def _mean(cell: Cell, game: Game, column: str) -> Contrasts:
    return contrasts(Moments.of_mean(cell, game, column), [[1]], span=_span(game, column))


@dataclass(frozen=True, eq=False)
class _Parts:
    """Means of which the largest is a value."""

    mean: Floats
    variance: Floats  # of the estimates, without the target
    shared: Floats  # covariance of the target's part of them, with their signs
    reach: Floats


def _parts(one: Measured) -> _Parts | None:
    """The means of a value, those of a distance with both signs; None with one deal."""
    found = one.found
    if found.se is None:
        return None
    c = len(found.estimate)
    shared = np.zeros((c, c)) if one.shared is None else one.shared
    variance = np.maximum(found.se**2 - np.diag(shared), 0.0)
    if not one.is_distance:
        return _Parts(found.estimate, variance, shared, found.reach)
    return _Parts(
        np.concatenate([found.estimate, -found.estimate]),
        np.tile(variance, 2),
        np.block([[shared, -shared], [-shared, shared]]),
        np.tile(found.reach, 2),
    )
