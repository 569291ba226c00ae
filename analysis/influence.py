"""Intervals of statistics that are no means, from how far each deal moves them.

A smooth statistic of many deals is nearly a mean over deals, of its influence: how far each deal
moves it, times the number of deals. Its variance over deals gives the standard error (the
sandwich of Liang and Zeger), and Student's interval follows. Where few deals move much, as where a
thing seldom happens, that interval is short, and by how much is known from the skewness and the
kurtosis of the influence: the interval is made wider by just that.

References
----------
Efron (1982), The jackknife, the bootstrap and other resampling plans, chapter 6: influence.
Liang and Zeger (1986), Longitudinal data analysis using generalized linear models.
Hall (1992), The bootstrap and Edgeworth expansion, section 2.6: the studentised mean.
"""

from __future__ import annotations

from statistics import NormalDist

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

    Notes
    -----
    That Student's statistic of n deals stays within z misses its level by 2 z f(z) / n times
    g^2 (z^4 + 2 z^2 - 3) / 18 - k (z^2 - 3) / 12, g being the skewness, k the excess kurtosis and
    f the normal density (Hall, without what Student's quantile makes good). Moving both ends out
    by that over 2 f(z) takes it off. No interval is made narrower, as g and k are estimates.
    """
    moved = np.asarray(influence, np.float64)
    deals = len(moved)
    apart = moved - moved.mean(axis=0)
    square = (apart**2).sum(axis=0)
    apart /= np.sqrt(np.where(square > 0, square, 1.0))
    skewness = (apart**3).sum(axis=0)  # of one deal, over the root of n
    excess = (apart**4).sum(axis=0) - 3 / deals  # of one deal, over n
    z = NormalDist().inv_cdf((1 + level) / 2)
    wider = z * (skewness**2 * (z**4 + 2 * z**2 - 3) / 18 - excess * (z**2 - 3) / 12)
    se = np.sqrt(square / (deals - 1) / deals)
    return se, quantile(deals - 1, level) + np.maximum(wider, 0.0)
