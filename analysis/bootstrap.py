"""Resampled deals: the same for every statistic, so that draws of several belong together.

References
----------
Davison and Hinkley (1997), Bootstrap methods and their application, section 2.4 (with (R + 1) alpha
/ 2 whole, percentiles are order statistics) and 3.8 (clusters are drawn whole).
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from analysis.intervals import LEVEL, Estimate
from analysis.moments import Floats

RESAMPLES = 599
_SEED = 1979
_BLOCK = 2**22  # weights made at once


def resampled(values: Any, resamples: int = RESAMPLES) -> Floats:
    """Sums over resampled deals [resamples, k].

    Parameters
    ----------
    values
        [D, k] of each deal, an array or a sparse one. Every deal is drawn a multinomial number of
        times, D in all; the draws depend on D alone.
    """
    deals = values.shape[0]
    if deals * resamples <= _BLOCK:
        return np.asarray(_weights(deals, resamples) @ values, np.float64)
    random = np.random.default_rng((_SEED, deals))
    step = max(1, _BLOCK // deals)
    return np.concatenate(
        [
            np.asarray(_drawn(random, deals, min(step, resamples - done)) @ values, np.float64)
            for done in range(0, resamples, step)
        ]
    )


@lru_cache(maxsize=2)
def _weights(deals: int, resamples: int) -> Floats:
    """All weights [resamples, deals], kept: to draw them takes longer than to use them."""
    return _drawn(np.random.default_rng((_SEED, deals)), deals, resamples)


def _drawn(random: np.random.Generator, deals: int, resamples: int) -> Floats:
    return random.multinomial(deals, np.full(deals, 1 / deals), resamples).astype(np.float64)


def percentiles(draws: Floats, level: float = LEVEL) -> tuple[Floats, Floats]:
    """Lower and upper ends [...] of the interval that holds `level` of the draws [B, ...]."""
    in_order = np.sort(draws, axis=0)
    low = max(1, int((len(draws) + 1) * (1 - level) / 2 + 1e-9))
    return in_order[low - 1], in_order[-low]


def estimates(
    values: Floats, draws: Floats, deals: int, games: int, level: float = LEVEL
) -> list[Estimate]:
    """Each value [k] with the percentile interval of its draws [B, k]; with one deal without."""
    if deals < 2:
        return [Estimate(value, None, None, None, deals, games) for value in values.tolist()]
    low, high = percentiles(draws, level)
    se = draws.std(axis=0, ddof=1)
    rows = zip(values.tolist(), se.tolist(), low.tolist(), high.tolist(), strict=True)
    return [Estimate(*row, deals, games) for row in rows]
