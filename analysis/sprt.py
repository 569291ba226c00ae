"""Stopping when the answer is clear: a sequential test of an advantage, LOW against HIGH.

The advantage is the mean over deals of a difference of win shares, such as that of a strategy and
its fair part. The test says HIGH where the data speak for HIGH and against LOW by more than a
bound, LOW the other way round, and goes on in between, up to a cap. A true advantage of LOW or less
is called HIGH with a chance of at most alpha, one of HIGH or more LOW with at most beta.

The test is the generalised one on the scores of deals, a deal with all its games being one
observation: the likelihood of a hypothesis is that of the distribution on the scores seen whose
mean is the hypothesis and which makes them likeliest (empirical likelihood). With few skewed scores
this errs as often as promised where the normal ratio, which takes the variance around the mean
seen, errs twice as often: one who wins 2 % of the games and gains a point was tried. Looks are
fixed before the first deal and begin at `FIRST_LOOK`. From one look to the next the ratio steps
over a bound, on average by 0.58 standard deviations of a step; so after the first look the bounds
lie so much nearer, or errors would be rarer than promised and runs longer. Where most runs end at
the first look they still are rarer. The interval at every look is always-valid
(`analysis.sequential`), so one may watch, and stop by hand.

References
----------
Siegmund (1985), Sequential analysis, chapter 10: the step over a bound.
Wald (1945), Sequential tests of statistical hypotheses: the bounds, and the number of deals.
Van den Bergh, A practical introduction to the GSPRT (2019), and fishtest, the testing framework of
Stockfish: the likeliest distributions under the hypotheses, on the scores of pairs of games. Our
deals take the place of pairs, and any scores that of five. Like fishtest we add a little of the
best and the worst score, a thousandth of a deal, so that no hypothesis is impossible; so a strategy
that never won is tested too, with the interval of `analysis.contrasts.unseen`. Only where both did
the same on every deal, as where nobody won, nothing can be said.
Owen (2001), Empirical likelihood, chapter 2: one root of a falling function gives the likelihood.
Whitehead (1986), On the bias of maximum likelihood estimation following a sequential test.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, log, sqrt

import numpy as np
from numpy.typing import ArrayLike

from analysis.contrasts import unseen
from analysis.intervals import LEVEL
from analysis.matches import Ints
from analysis.moments import ROUNDING, Floats, Moments
from analysis.sequential import multiplier
from sim.core.game import Words

FIRST_LOOK = 200  # deals, before which the variance is not to be trusted
GROWTH = 1.1  # from look to look
OVER = 0.5826  # standard deviations of a step by which a bound is overstepped on average
_SOME = 1e-3  # deals with the best and with the worst score that are added
LONG = 4  # times the deals expected in the middle between LOW and HIGH: the cap


class Decision(StrEnum):
    """What the test says."""

    HIGH = "HIGH"
    LOW = "LOW"
    CAP = "CAP"  # neither, after all deals that were allowed
    ODD = "ODD"  # it cannot say
    OPEN = "OPEN"  # not yet


@dataclass(frozen=True)
class Look:
    """What was seen after so many deals."""

    deals: int
    mean: float  # advantage
    se: float
    ratio: float | None  # log-likelihood ratio; None where no deal told the two apart
    low: float | None  # always-valid interval; None where no deal told the two apart
    high: float | None
    lower: float  # ratio from which down the answer is LOW
    upper: float  # and from which up it is HIGH


@dataclass(frozen=True)
class Course:
    """All looks so far, and what they say."""

    looks: tuple[Look, ...]
    decision: Decision
    reason: Words
    next: int | None  # deals at the next look; None if it is over

    @property
    def bends(self) -> Words | None:
        """Which numbers of a report early stopping bends; None if nothing stopped early."""
        if self.decision not in (Decision.HIGH, Decision.LOW):
            return None
        return Words(
            "The run stopped when the answer was clear, so chance has helped: win shares, "
            "differences, ratings and all that follows from them lie too far from the middle "
            "between the two hypotheses, and their own intervals are too narrow. The answer of "
            "the test and the always-valid interval of the advantage hold.",
            "一旦结论明确就停止，结果因此偏离两个假设的中点：获胜份额、差异、等级分及由此得出的"
            "数字都偏离过远，它们各自的区间也偏窄。检验结论和优势的随时有效区间仍然成立。",
        )


@dataclass(frozen=True)
class Sprt:
    """The test, fixed before the first deal.

    Raises
    ------
    ValueError
        LOW is not below HIGH, or an error rate is not between 0 and 0.5.
    """

    low: float  # advantage in win share: 0.01 is one percentage point
    high: float
    alpha: float = 0.05  # chance of HIGH where LOW is true
    beta: float = 0.05  # chance of LOW where HIGH is true
    sd: float = (
        0.4  # guess for a deal's difference: fixes the cap and where intervals are narrowest
    )
    level: float = LEVEL
    cap: int | None = None  # deals at most; by default from `sd`

    def __post_init__(self) -> None:
        if not -1 < self.low < self.high < 1:
            raise ValueError(f"LOW must be below HIGH, both in -1 to 1: {self.low}:{self.high}")
        if not (0 < self.alpha < 0.5 and 0 < self.beta < 0.5):
            raise ValueError(f"error rates lie between 0 and 0.5: {self.alpha}, {self.beta}")
        if self.cap is not None and self.cap < 2:
            raise ValueError(f"a cap must be two deals or more: {self.cap}")

    @property
    def bounds(self) -> tuple[float, float]:
        """Log-likelihood ratios at which the test would say LOW and HIGH if it always looked."""
        return log(self.beta / (1 - self.alpha)), log((1 - self.beta) / self.alpha)

    @property
    def planned(self) -> int:
        """Deals expected (Wald) if the truth lies in the middle, where it takes longest."""
        below, above = self.bounds
        return max(2, ceil(-below * above * (self.sd / (self.high - self.low)) ** 2))

    @property
    def most(self) -> int:
        """The cap."""
        return self.cap or max(FIRST_LOOK, LONG * self.planned)

    def looks(self) -> Iterator[int]:
        """Numbers of deals at which to look; the cap is the last."""
        look = min(FIRST_LOOK, self.most)
        while look < self.most:
            yield look
            look = ceil(look * GROWTH)
        yield self.most

    def course(self, first: ArrayLike, second: ArrayLike) -> Course:
        """All looks that the deals so far allow, up to the one that decides.

        Parameters
        ----------
        first, second
            [D] win share a seat of the strategy, and of what it is held against (another strategy,
            or its fair part, one over the number of players), in every deal.

        Raises
        ------
        ValueError
            If a value is no finite number.
        """
        one, other = np.asarray(first, np.float64), np.asarray(second, np.float64)
        apart = one - other
        seen: list[Look] = []
        for deals in self.looks():
            if deals > len(apart):
                return Course(tuple(seen), Decision.OPEN, _REASONS["open"], deals)
            seen.append(self._look(apart[:deals], seen[-1].deals if seen else None))
            decision = self._decision(seen[-1])
            if decision != Decision.OPEN:
                why: str = decision
                if decision == Decision.ODD:
                    why = "equal" if one[:deals].any() else "never"
                return Course(tuple(seen), decision, _REASONS[why], None)
        raise AssertionError("the last look is the cap, and decides")

    def _look(self, apart: Floats, before: int | None) -> Look:
        found = Moments.from_values(apart)
        deals, mean = found.deals, float(found.mean[0])
        assert found.se is not None
        se = float(found.se[0])
        varies = se > ROUNDING
        if not varies and abs(mean) <= ROUNDING:
            return Look(deals, mean, 0.0, None, None, None, *self.bounds)
        scores, times = np.unique(apart, return_counts=True)
        ratio = _log_likelihood(scores, times, self.high) - _log_likelihood(scores, times, self.low)
        alpha = 1 - self.level
        if varies:
            half = multiplier(deals, self.planned, alpha) * se
        else:
            half = float(unseen(np.array(2.0), deals, alpha))  # a difference lies in -1 to 1
        low, high = max(mean - half, -1.0), min(mean + half, 1.0)
        bounds = self._bounds(deals, before, se) if varies else self.bounds
        return Look(deals, mean, se if varies else 0.0, ratio, low, high, *bounds)

    def _bounds(self, deals: int, before: int | None, se: float) -> tuple[float, float]:
        """The bounds at a look, nearer by what a step from the look before oversteps."""
        below, above = self.bounds
        if before is None:
            return below, above
        step = (self.high - self.low) / (se * sqrt(deals)) * sqrt(deals - before)
        return min(below + OVER * step, below / 2), max(above - OVER * step, above / 2)

    def _decision(self, look: Look) -> Decision:
        if look.ratio is None:
            return Decision.ODD
        if look.ratio >= look.upper:
            return Decision.HIGH
        if look.ratio <= look.lower:
            return Decision.LOW
        return Decision.CAP if look.deals >= self.most else Decision.OPEN


def _log_likelihood(scores: Floats, times: Ints, mean: float) -> float:
    """Of the scores seen, under the distribution of this mean that makes them likeliest."""
    apart = np.concatenate([scores, [-1.0, 1.0]]) - mean
    weight = np.concatenate([times, [_SOME, _SOME]])
    low, high = -1 / apart.max(), -1 / apart.min()  # the multiplier that holds the mean
    for _ in range(60):
        middle = (low + high) / 2
        if (weight * apart / (1 + middle * apart)).sum() > 0:
            low = middle
        else:
            high = middle
    return -float((weight * np.log1p((low + high) / 2 * apart)).sum())


_REASONS = {
    "HIGH": Words("the data speak for the higher advantage", "数据支持较高的优势"),
    "LOW": Words("the data speak for the lower advantage", "数据支持较低的优势"),
    "CAP": Words("neither is clear after all deals that were allowed", "达到发牌上限仍无法判定"),
    "open": Words("neither is clear yet", "尚未明确"),
    "never": Words("nobody ever won, so there is nothing to be tested", "从未有人获胜，无从检验"),
    "equal": Words(
        "both did the same on every deal, as one strategy under two names would",
        "双方在每次发牌中结果完全相同，如同同一策略的两个名字",
    ),
}
