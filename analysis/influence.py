"""Intervals of statistics that are no means, from how far each deal moves them.

A smooth statistic of many deals is nearly a mean over deals, of its influence: how far each deal
moves it, times the number of deals. Its variance over deals gives the standard error (the
sandwich of Liang and Zeger), and Student's interval follows. Where few deals move much, as where a
thing seldom happens, that interval is short, and by how much is known from the skewness and the
kurtosis of the influence: the interval is made wider by as much.

References
----------
Efron (1982), The jackknife, the bootstrap and other resampling plans, chapter 6: influence.
Liang and Zeger (1986), Longitudinal data analysis using generalized linear models.
Hall (1992), The bootstrap and Edgeworth expansion, section 2.6: the studentised mean.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import NormalDist
from typing import Self

import numpy as np
from numpy.typing import ArrayLike

from analysis.intervals import LEVEL, quantile
from analysis.moments import Floats


def spreads(influence: ArrayLike, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Standard errors [k], and half widths of intervals in standard errors [k].

    Parameters
    ----------
    influence
        [deals, k] as of `Moments.from_influence`, two deals or more. For a mean its values.
    """
    moved = np.asarray(influence, np.float64)
    deals = len(moved)
    se = moved.std(axis=0, ddof=1) / np.sqrt(deals)
    z = NormalDist().inv_cdf((1 + level) / 2)
    return se, quantile(deals - 1, level) + Skewness.of(moved).shortfall(np.asarray(z))


@dataclass(frozen=True, eq=False)
class Skewness:
    """How far means over deals are from normal [k]."""

    skewness: Floats  # of one deal, over the root of the number of deals
    excess: Floats  # excess kurtosis of one deal, over the number of deals

    @classmethod
    def of(cls, values: ArrayLike) -> Self:
        """Of the means of the columns of [deals, k]."""
        apart = np.asarray(values, np.float64)
        apart = apart - apart.mean(axis=0)
        square = (apart**2).sum(axis=0)
        apart /= np.sqrt(np.where(square > 0, square, 1.0))
        squares = apart * apart  # numpy's third and fourth powers are ten times slower
        third, fourth = (squares * apart).sum(axis=0), (squares * squares).sum(axis=0)
        return cls(third, fourth - 3 / len(apart))

    def shortfall(self, width: Floats) -> Floats:
        """How much wider than `width` standard errors an interval must be [k], at least 0.

        That Student's statistic of n deals stays within z misses its level by 2 z f(z) / n times
        g^2 (z^4 + 2 z^2 - 3) / 18 - k (z^2 - 3) / 12, g being the skewness, k the excess kurtosis
        and f the normal density (Hall, without what Student's quantile makes good). Moving both
        ends out by that over 2 f(z), z times a, takes it off. As g and k are estimates, and too
        large just where too little was seen, a is never below 0, and a / (1 + a) is taken, which is
        the same where many deals count: with few, as of Poisson's counts, a goes too far.
        """
        square = width**2
        part = self.skewness**2 * (square**2 + 2 * square - 3) / 18
        part = np.maximum(part - self.excess * (square - 3) / 12, 0.0)
        return np.asarray(width * part / (1 + part))

    def reduced(self, t: Floats) -> Floats:
        """The statistics [k] that mean as much in a normal sample, for p-values."""
        low, high = np.zeros_like(t), abs(t)
        for _ in range(50):
            middle = (low + high) / 2
            is_low = middle + self.shortfall(middle) < abs(t)
            low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
        return np.sign(t) * high
