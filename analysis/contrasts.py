"""Differences between places, camps or variants, with intervals that hold one by one or together.

A contrast is a weighted sum of means. Its interval is Student's over deals; several together use
the maximum of their correlated t statistics (`multiplicity.max_t_quantile`), or, where a run is
looked at before its end, the always-valid interval (`sequential.multiplier`) with Bonferroni. The
maximum is taken as if all had one estimate of variance; as each has its own, 95 % are 94.1 % with 8
deals, 94.6 % with 20 and 94.9 % with 50. Where single deals are at hand, ends and p-values are made
good for skewness (`analysis.influence`): what few deals tell apart, such as the rare values of a
distribution, is far from normal. Such bands hold rather too often, 95.9 % in `tests.validation`.

What has not been seen may still happen (the rule of three: Hanley and Lippman-Hand 1983, If nothing
goes wrong, is everything all right?): if in n deals nothing departed from the mean, a share
1 - alpha^(1/n) of all deals still may. That is the interval where nothing varied, and the least
doubt in every claim of closeness, so that a game that ended in a draw ten times out of ten is not
called fair. It holds at every look too: the first look at which it would mislead is known before
the first deal.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.influence import Skewness
from analysis.intervals import LEVEL, Estimate
from analysis.moments import Floats, Moments, PairedDifference, paired_difference
from analysis.multiplicity import max_t_quantile, max_t_tail
from analysis.sequential import Precision, always_valid_p, multiplier


@dataclass(frozen=True, eq=False)
class Contrasts:
    """Contrasts of the means over deals."""

    deals: int
    estimate: Floats  # [c], less the target
    covariance: Floats | None  # [c, c] of one deal's contrasts; None with one deal
    reach: Floats  # [c] length of the range of a deal's contrast; zero if it has no known range
    skewness: Skewness | None = None  # [c] if it is known, and to be made good

    @property
    def se(self) -> Floats | None:
        """Standard error of each [c]; None with one deal."""
        if self.covariance is None:
            return None
        return np.asarray(np.sqrt(np.diag(self.covariance) / self.deals))

    @property
    def correlation(self) -> Floats:
        """Correlation of the contrasts [c, c]; zeros for one without variance."""
        assert self.covariance is not None, "one deal has no correlation"
        return correlation(self.covariance)

    def minus(self, other: Contrasts) -> Contrasts:
        """Difference of the same contrasts in two settings, each on deals of its own.

        Counted as if both had been played on as many deals as the one with fewer.
        """
        deals = min(self.deals, other.deals)
        estimate, reach = self.estimate - other.estimate, self.reach + other.reach
        if self.covariance is None or other.covariance is None:
            return Contrasts(deals, estimate, None, reach)
        spread = deals / self.deals * self.covariance + deals / other.deals * other.covariance
        return Contrasts(deals, estimate, spread, reach)

    def half_width(
        self, level: float = LEVEL, *, together: bool = True, planned: int | None = None
    ) -> Floats | None:
        """Half widths of the intervals [c], in the unit of the estimates; None with one deal.

        Parameters
        ----------
        level
            Confidence, of all intervals together or of each one. A contrast that did not vary and
            has no known range has an infinite interval.
        together
            Whether all intervals hold together.
        planned
            None for the interval of a fixed number of deals. Else the planned number of deals of
            an always-valid interval.
        """
        if self.se is None:
            return None
        alpha = 1 - level
        single = alpha / len(self.estimate) if together else alpha
        if planned is not None:
            width = np.full(len(self.estimate), multiplier(self.deals, planned, single))
        else:
            corr = self.correlation if together else np.eye(1)
            width = np.full(len(self.estimate), max_t_quantile(alpha, corr, self.deals - 1))
            if self.skewness is not None:
                width += self.skewness.shortfall(width)
        return np.where(self.se > 0, width * self.se, unseen(self.reach, self.deals, single))

    def interval(
        self, level: float = LEVEL, *, together: bool = True, planned: int | None = None
    ) -> tuple[Floats, Floats] | None:
        """Lower and upper ends [c]; None with one deal. Arguments as in `half_width`."""
        half = self.half_width(level, together=together, planned=planned)
        return None if half is None else (self.estimate - half, self.estimate + half)

    def estimates(self, half: Floats | None, games: int) -> list[Estimate]:
        """Every contrast with its interval.

        Parameters
        ----------
        half
            [c] of `half_width`; where it is infinite or None, nothing can be said.
        games
            Number of games that were played for each.
        """
        found = []
        for i, mean in enumerate(self.estimate.tolist()):
            se = None if self.se is None else float(self.se[i])
            low = high = None
            if half is not None and np.isfinite(half[i]):
                low, high = mean - float(half[i]), mean + float(half[i])
            found.append(Estimate(mean, se, low, high, self.deals, games))
        return found

    def meets(self, plan: Precision) -> bool:
        """Whether to stop at this look; never after one deal."""
        half = self.half_width(plan.level, planned=plan.planned)
        return half is not None and bool((half <= plan.half_width).all())

    def p_within(self, margin: float, planned: int | None = None) -> float:
        """P-value against 'some contrast is `margin` or more away from zero'.

        The largest of the one-sided p-values of all contrasts and both sides: two one-sided tests
        (Schuirmann 1987), and the intersection-union test over the contrasts (Berger 1982), which
        needs no correction for their number; and never less than the chance of having missed, in
        all deals, what would move a mean to the margin.
        """
        if self.se is None:
            return 1.0
        distance = margin - abs(self.estimate)
        p = np.maximum(self._tails(distance, planned), self._missed(distance))
        return float(p.max())

    def p_beyond(self, margin: float, planned: int | None = None) -> float:
        """P-value against 'all contrasts are within `margin` of zero', for all of them together.

        The largest t, measured from the nearer end of the margin. As if all contrasts lay on both
        ends at once, so that a margin of zero gives the usual two-sided test.
        """
        if self.se is None:
            return 1.0
        distance = abs(self.estimate) - margin
        if planned is None and (self.se > 0).all():
            t = float(self._statistics(distance).max())
            return max_t_tail(t, self.correlation, self.deals - 1)
        sides = 2 if planned is None else 1  # the always-valid p has both already
        least = float(self._tails(distance, planned).min())
        return min(1.0, sides * len(distance) * least)  # Bonferroni

    def _tails(self, distance: Floats, planned: int | None) -> Floats:
        """P-value of each contrast [c] that lies `distance` on the good side.

        One-sided in a fixed sample; the always-valid one counts both sides.
        """
        assert self.se is not None
        if planned is None:
            from scipy import special

            p = special.stdtr(self.deals - 1, -self._statistics(distance))
        else:
            t = np.divide(distance, self.se, out=np.zeros_like(distance), where=self.se > 0)
            p = np.array([always_valid_p(float(one), self.deals, planned) for one in t])
        return np.where(self.se > 0, p, self._missed(distance))

    def _statistics(self, distance: Floats) -> Floats:
        """Student's statistics [c], made good for skewness; 0 without variance."""
        assert self.se is not None
        t = np.divide(distance, self.se, out=np.zeros_like(distance), where=self.se > 0)
        return t if self.skewness is None else self.skewness.reduced(t)

    def _missed(self, distance: Floats) -> Floats:
        """Chance [c] of missing in all deals what would move a mean by `distance`."""
        assert self.se is not None
        is_known = self.reach > 0
        share = np.divide(distance, self.reach, out=np.ones_like(distance), where=is_known)
        chance = (1 - np.clip(share, 0.0, 1.0)) ** self.deals
        return np.where(is_known | (self.se > 0), chance, 1.0)


def pairs(k: int) -> NDArray[np.int64]:
    """Weights [k (k - 1) / 2, k] of all pairs, first minus second, ordered as `combinations`."""
    weights = np.zeros((k * (k - 1) // 2, k), np.int64)
    for line, (first, second) in zip(weights, combinations(range(k), 2), strict=True):
        line[first], line[second] = 1, -1
    return weights


def contrasts(
    moments: Moments,
    weights: ArrayLike | None = None,
    *,
    target: ArrayLike = 0.0,
    span: float | None = 1.0,
) -> Contrasts:
    """Contrasts of means.

    Parameters
    ----------
    moments
        Means of k columns over deals.
    weights
        [c, k]; by default all pairs of columns.
    target
        [c] or one number: what is fair, taken off the estimates. Zero for equal places; for a
        camp, its declared share of the wins.
    span
        Length of the range in which the values lie, 1 for win shares. None if there is none to
        speak of, as for scores: then nothing is said about what has not been seen.

    Raises
    ------
    ValueError
        If there is nothing to compare or a contrast weighs nothing.
    """
    lines = pairs(len(moments.mean)) if weights is None else np.atleast_2d(np.asarray(weights))
    weight = abs(lines).sum(axis=1, dtype=np.float64)
    if not lines.size or not (weight > 0).all():
        raise ValueError("a contrast needs two columns to compare, or weights other than zero")
    found = moments.combined(lines)
    reach = (span or 0.0) * weight
    return Contrasts(found.deals, found.mean - np.asarray(target), found.covariance, reach)


def paired_contrasts(
    first: Floats, second: Floats, span: float | None
) -> tuple[Contrasts, PairedDifference]:
    """Differences of all columns of two settings on common deals, made good for skewness.

    Parameters
    ----------
    first, second
        [deals, c] of each deal; `second` is taken off.
    span
        Length of the range of a difference, None if there is none to speak of.
    """
    paired = paired_difference(Moments.from_values(np.hstack([second, first])))
    found = contrasts(paired.difference, np.eye(first.shape[1]), span=span)
    return replace(found, skewness=Skewness.of(first - second)), paired


def correlation(covariance: Floats) -> Floats:
    """Correlation [c, c] of a covariance; zeros for what has no variance."""
    sd = np.sqrt(np.diag(covariance))
    scale = np.divide(1.0, sd, out=np.zeros_like(sd), where=sd > 0)
    return np.asarray(covariance * np.outer(scale, scale))


def unseen(reach: Floats, deals: float, alpha: float) -> Floats:
    """How far deals of a kind not seen in `deals` deals can move a mean, but for `alpha`."""
    return np.where(reach > 0, reach * (1 - alpha ** (1 / deals)), np.inf)
