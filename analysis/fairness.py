"""Fair, unfair or not known yet: the verdict on contrasts against a declared margin.

Let D be the largest true contrast, whatever its sign, and m the margin.

FAIR
    'D >= m' is rejected: every contrast passes two one-sided tests (Schuirmann 1987), all of them
    each at `alpha` (intersection-union: Berger 1982, Berger and Hsu 1996). In a picture: all single
    intervals of level 1 - 2 alpha lie within the margin, and the deals are so many that what they
    did not show cannot matter (`contrasts`).
UNFAIR
    'D <= m' is rejected: some contrast is beyond the margin by the largest of the correlated t
    statistics (Hothorn, Bretz and Westfall 2008). In a picture: an interval of those that hold
    together at 1 - alpha lies outside the margin. Different from zero is not enough.
INCONCLUSIVE
    Neither.

If D > m, FAIR is said with a chance of at most alpha; if D < m, UNFAIR is. Both cannot be said at
once. Over a family of claims Holm's method keeps either kind of false verdict at alpha
(`with_holm`). These are fixed-sample tests; with `planned` the same holds at every look of a run
that may stop at any time or be taken up again after an inconclusive verdict.

References
----------
Schuirmann (1987), A comparison of the two one-sided tests procedure and the power approach.
Berger (1982), Multiparameter hypothesis testing and acceptance sampling.
Berger and Hsu (1996), Bioequivalence trials, intersection-union tests and equivalence confidence
sets.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import cached_property
from math import inf, isfinite, sqrt

import numpy as np

from analysis.contrasts import Contrasts, correlation, unseen
from analysis.intervals import LEVEL
from analysis.multiplicity import holm, max_t_quantile
from analysis.sequential import multiplier
from sim.core.game import Words

MARGIN = 0.005  # half a percentage point of win share
POWER = 0.8
MOST_DEALS = 10**9  # beyond which nothing is projected
NARROW = 0.05  # standard error, in margins, up to which an estimate can lie on the margin
N_DRAWS = 16_384  # simulated studies behind a projection, the same each time


class Verdict(StrEnum):
    """What may be said about fairness."""

    FAIR = "FAIR"
    UNFAIR = "UNFAIR"
    INCONCLUSIVE = "INCONCLUSIVE"


REASONS = {
    "fair": Words(
        "every difference is shown to be smaller than the margin", "已证明所有差异都小于界限"
    ),
    "unfair": Words("a difference is shown to be larger than the margin", "已证明有差异大于界限"),
    "one deal": Words(
        "a single deal does not tell how much deals differ", "只有一次发牌，无法判断波动"
    ),
    "no variance": Words(
        "the result was the same in every deal, and too few deals were played to rely on that",
        "每次发牌的结果都相同，但发牌次数太少，还不能下结论",
    ),
    "on the margin": Words(
        "the largest difference lies on the margin, so closely that more deals will not decide",
        "最大的差异恰好落在界限上，再多发牌也难以判定",
    ),
    "too few": Words("there are too few deals to decide", "发牌次数太少，还不能判定"),
}


@dataclass(frozen=True, eq=False)
class Finding:
    """A verdict with what it rests on."""

    verdict: Verdict
    contrasts: Contrasts
    margin: float
    level: float
    planned: int | None  # deals, of an always-valid verdict
    p_fair: float  # against 'some difference is the margin or more'
    p_unfair: float  # against 'all differences are within the margin'
    family: int = 1  # claims that are decided together

    @cached_property
    def alone(self) -> Verdict:
        """What the verdict would be if no other claim were decided together with this one."""
        found, planned = self.contrasts, self.planned
        return _verdict(
            found.p_within(self.margin, planned),
            found.p_beyond(self.margin, planned),
            self.level,
        )

    @cached_property
    def more_deals(self) -> int | None:
        """Deals to add for a decision with 80 % power, should the estimates be the truth.

        Where no deals would do then, but the differences are not known so well as to say that one
        lies on the margin, the truth is taken to be a standard error away from it: so far an
        estimate strays by chance alone. Zero if it is decided; None if it cannot be said (`reason`
        says why).
        """
        if self.verdict != Verdict.INCONCLUSIVE:
            return 0
        if self.contrasts.covariance is None:
            return None
        level = 1 - (1 - self.level) / self.family
        for truth in (self.contrasts, self._off_the_margin):
            needed = deals_needed(truth, self.margin, level, planned=self.planned)
            if needed is not None:
                return max(1, needed - self.contrasts.deals)
        return None

    @property
    def _off_the_margin(self) -> Contrasts:
        """The contrasts, none of them closer to the margin than it is known."""
        se, estimate = self.contrasts.se, self.contrasts.estimate
        assert se is not None, "one deal has no standard error"
        size = abs(estimate)
        off = np.where(size > self.margin, self.margin + se, np.maximum(self.margin - se, 0.0))
        is_vague = (abs(size - self.margin) < se) & (se > NARROW * self.margin)
        moved = np.copysign(np.where(is_vague, off, size), estimate)
        return replace(self.contrasts, estimate=moved)

    @cached_property
    def is_on_margin(self) -> bool:
        """Whether a difference is known to lie so close to the margin that no deals will decide."""
        se, estimate = self.contrasts.se, self.contrasts.estimate
        if se is None or self.more_deals is not None:
            return False
        is_close = abs(abs(estimate) - self.margin) < se
        return bool((is_close & (se <= NARROW * self.margin)).any())

    @cached_property
    def reason(self) -> Words:
        """Why the verdict is what it is, in a clause."""
        if self.verdict != Verdict.INCONCLUSIVE:
            return REASONS[self.verdict.lower()]
        covariance = self.contrasts.covariance
        if covariance is None:
            return REASONS["one deal"]
        if not np.diag(covariance).any():
            return REASONS["no variance"]
        return REASONS["on the margin" if self.is_on_margin else "too few"]


def judge(
    found: Contrasts,
    margin: float = MARGIN,
    level: float = LEVEL,
    *,
    planned: int | None = None,
) -> Finding:
    """Verdict on one claim.

    Parameters
    ----------
    found
        Contrasts that are all zero in a perfectly fair game.
    margin
        Largest difference that does not matter, in the unit of the contrasts.
    level
        One minus the highest chance of either false verdict.
    planned
        None after a fixed number of deals. If one looks before the end, the number of deals that
        was planned (`Precision.planned`).

    Raises
    ------
    ValueError
        If the margin is not above zero.
    """
    if not (margin > 0 and isfinite(margin)):
        raise ValueError(f"the margin must be above zero: {margin}")
    p_fair, p_unfair = found.p_within(margin, planned), found.p_beyond(margin, planned)
    verdict = _verdict(p_fair, p_unfair, level)
    return Finding(verdict, found, margin, level, planned, p_fair, p_unfair)


def with_holm(findings: Sequence[Finding]) -> list[Finding]:
    """The verdicts of a family of claims, with Holm's adjusted p-values.

    The chance that any claim is falsely called FAIR is at most alpha, and so is the chance that any
    is falsely called UNFAIR. Holm is done for each of the two apart: over both at once a false
    direction would not be covered (Shaffer 1980).
    """
    fair = holm([finding.p_fair for finding in findings])
    unfair = holm([finding.p_unfair for finding in findings])
    return [
        replace(
            finding,
            verdict=_verdict(p_fair, p_unfair, finding.level),
            p_fair=float(p_fair),
            p_unfair=float(p_unfair),
            family=len(findings),
        )
        for finding, p_fair, p_unfair in zip(findings, fair, unfair, strict=True)
    ]


def held_margin(findings: Sequence[Finding], others: Sequence[Finding] = ()) -> float:
    """The margin up to which the verdict of a family holds.

    Where all claims are FAIR the least margin with which they would still be; where one is UNFAIR
    the largest with which one still would be. The other claims are decided together with them by
    Holm's method, and keep their margins.

    Parameters
    ----------
    findings
        Claims of the family with one and the same margin, FAIR or with an UNFAIR among them.
    others
        The claims of the family with other margins.

    Raises
    ------
    ValueError
        If the verdict is INCONCLUSIVE: there is nothing to hold.
    """
    margin, level = findings[0].margin, findings[0].level
    is_unfair = any(one.verdict == Verdict.UNFAIR for one in findings)
    if not is_unfair and any(one.verdict == Verdict.INCONCLUSIVE for one in findings):
        raise ValueError("an inconclusive verdict has no margin to hold up to")

    def chance(found: Finding, margin: float) -> float:
        test = found.contrasts.p_beyond if is_unfair else found.contrasts.p_within
        return test(margin, found.planned)

    fixed = [chance(found, found.margin) for found in others]

    def holds(margin: float) -> bool:
        adjusted = holm([*(chance(found, margin) for found in findings), *fixed])
        return bool((adjusted[: len(findings)].min() if is_unfair else adjusted.max()) <= 1 - level)

    # Between the margin, where it holds, and where it cannot: at no margin at all, or beyond all.
    most = max(float(abs(found.contrasts.estimate).max()) for found in findings)
    held, broken = margin, most if is_unfair else 0.0
    while abs(held - broken) > 1e-5 * margin:
        middle = (held + broken) / 2
        held, broken = (middle, broken) if holds(middle) else (held, middle)
    return held


def verdict_chances(
    found: Contrasts,
    deals: int,
    margin: float = MARGIN,
    level: float = LEVEL,
    *,
    planned: int | None = None,
) -> tuple[float, float]:
    """Chances of FAIR and of UNFAIR after `deals` deals, should the estimates be the truth.

    Normal estimates with the covariance at hand are simulated, the same draws each time, with
    a standard error of at most 0.4 %. Student's t is taken as normal, so from some 50 deals on;
    with few deals the true chance goes up and down by 1 % from deal to deal, as win shares are
    fractions with small denominators.

    Raises
    ------
    ValueError
        If the contrasts come from a single deal.
    """
    return _Projection(found, margin, level, planned).chances(deals)


def deals_needed(
    found: Contrasts,
    margin: float = MARGIN,
    level: float = LEVEL,
    *,
    power: float = POWER,
    planned: int | None = None,
) -> int | None:
    """Deals in all for the true verdict with a chance of `power`, should the estimates be true.

    None if `MOST_DEALS` would not do, as when the largest contrast lies on the margin.

    Raises
    ------
    ValueError
        If the contrasts come from a single deal.
    """
    projection = _Projection(found, margin, level, planned)
    is_unfair = bool((abs(found.estimate) > margin).any())

    def is_enough(deals: int) -> bool:
        return projection.chances(deals)[is_unfair] >= power

    high = 2
    while not is_enough(high):
        if high >= MOST_DEALS:
            return None
        high = min(2 * high, MOST_DEALS)
    low = high // 2
    while high - low > max(1, high // 1000):
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return high


class _Projection:
    """Simulated studies of other sizes."""

    def __init__(self, found: Contrasts, margin: float, level: float, planned: int | None) -> None:
        if found.covariance is None:
            raise ValueError("a single deal does not tell how much deals differ")
        self.found, self.margin, self.alpha, self.planned = found, margin, 1 - level, planned
        values, vectors = np.linalg.eigh(found.covariance)
        half = np.random.default_rng(1987).standard_normal((N_DRAWS // 2, len(values)))
        root = vectors * np.sqrt(np.maximum(values, 0.0))
        self.apart = np.vstack([half, -half]) @ root.T  # [draws, c], for one deal
        self.sd = np.sqrt(np.diag(found.covariance))
        self.fixed = (
            max_t_quantile(2 * self.alpha, np.eye(1), inf),
            max_t_quantile(self.alpha, correlation(found.covariance), inf),
        )

    def chances(self, deals: int) -> tuple[float, float]:
        """Chances of FAIR and of UNFAIR."""
        alphas = (self.alpha, self.alpha / len(self.sd))
        widths = self.fixed
        if self.planned is not None:
            widths = (
                multiplier(deals, self.planned, alphas[0]),
                multiplier(deals, self.planned, alphas[1]),
            )
        inner, outer = (width * self.sd / sqrt(deals) for width in widths)
        missed, missed_of_all = (unseen(self.found.reach, deals, alpha) for alpha in alphas)
        varies, is_known = self.sd > 0, self.found.reach > 0
        inner = np.where(varies, np.maximum(inner, np.where(is_known, missed, 0.0)), missed)
        outer = np.where(varies, outer, missed_of_all)
        seen = abs(self.found.estimate + self.apart / sqrt(deals))
        fair = (seen + inner < self.margin).all(axis=1).mean()
        unfair = (seen - outer > self.margin).any(axis=1).mean()
        return float(fair), float(unfair)


def _verdict(p_fair: float, p_unfair: float, level: float) -> Verdict:
    alpha = 1 - level
    if p_fair <= alpha:
        return Verdict.FAIR
    return Verdict.UNFAIR if p_unfair <= alpha else Verdict.INCONCLUSIVE
