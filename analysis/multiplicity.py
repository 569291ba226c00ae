"""Many questions at once: Holm for claims, Benjamini-Hochberg for lists, the largest of several t.

References
----------
Holm (1979), A simple sequentially rejective multiple test procedure.
Benjamini and Hochberg (1995), Controlling the false discovery rate.
Hothorn, Bretz and Westfall (2008), Simultaneous inference in general parametric models: the
maximum of correlated t statistics, with the estimated correlation put in for the true one.
Deák (1980), Three digit accurate multiple normal probabilities; Genz and Bretz (2009), Computation
of multivariate normal and t probabilities, section 4.1: a random vector is a direction and a
length, and given the direction the length is known in closed form.
"""

from __future__ import annotations

from functools import cache
from math import inf, pi

import numpy as np
from numpy.typing import ArrayLike, NDArray

Floats = NDArray[np.float64]
N_ANGLES = 720  # directions in the plane, evenly spread over half a turn
N_DIRECTIONS = 4096  # in more dimensions, drawn once and for ever


def holm(p: ArrayLike) -> Floats:
    """Adjusted p-values of a family of declared claims [m].

    Rejecting those <= alpha makes the chance of any false rejection at most alpha, however the
    claims depend on each other.
    """
    raw = np.asarray(p, np.float64)
    order = np.argsort(raw, kind="stable")
    steps = np.maximum.accumulate(raw[order] * (len(raw) - np.arange(len(raw))))
    adjusted = np.empty_like(raw)
    adjusted[order] = np.minimum(steps, 1.0)
    return adjusted


def benjamini_hochberg(p: ArrayLike) -> Floats:
    """Adjusted p-values of an exploratory list [m].

    Of those <= q a share of at most q is false on average, if the questions are independent or
    depend on each other positively. No basis for a claim: label such lists as exploratory.
    """
    from scipy import stats

    raw = np.asarray(p, np.float64)
    return np.asarray(stats.false_discovery_control(raw)) if raw.size else raw


def max_t_tail(statistic: float, correlation: Floats, degrees: float) -> float:
    """Chance that the largest |t| of several reaches `statistic` if all true values are zero.

    Parameters
    ----------
    statistic
        In standard errors.
    correlation
        [c, c] of the t statistics, of any rank; a row of zeros stands for one without variance.
    degrees
        Degrees of freedom of the common estimate of variance, or inf.

    Notes
    -----
    In two dimensions (three places) good to six digits; in more to about 2 % of the tail, with
    directions that are the same each time. Where Hothorn et al. integrate by quasi-random boxes,
    we average over directions, which needs no bounds and takes a singular correlation as it is.
    """
    if statistic <= 0:
        return 1.0
    reach, rank = _reach(correlation)
    return _tail(statistic, reach, rank, degrees) if rank else 0.0


def max_t_quantile(alpha: float, correlation: Floats, degrees: float) -> float:
    """Half width, in standard errors, of intervals that all hold together but for `alpha`.

    Lies between Student's quantile for one interval and Bonferroni's for all.
    """
    from scipy import special

    reach, rank = _reach(correlation)
    if not rank:
        return 0.0
    count = int((np.diag(correlation) > 0).sum())
    quantile = special.ndtri if degrees == inf else lambda p: special.stdtrit(degrees, p)
    low, high = float(-quantile(alpha / 2)), float(-quantile(alpha / 2 / count))
    if count == 1:
        return low

    def excess(q: float) -> float:
        return float(np.log(_tail(q, reach, rank, degrees) / alpha))

    above, below = excess(low), excess(high)
    middle = low
    for _ in range(8):  # secant steps on a nearly straight line
        if abs(above - below) < 1e-12:
            break
        middle = min(max(low + (high - low) * above / (above - below), low / 2), 2 * high)
        value = excess(middle)
        if abs(value) < 1e-6:
            break
        low, above, high, below = high, below, middle, value
    return middle


def _reach(correlation: Floats) -> tuple[Floats, int]:
    """How far each direction goes towards its nearest bound, and the rank of the correlation."""
    values, vectors = np.linalg.eigh(correlation)
    kept = values > 1e-9 * max(float(values[-1]), 1e-300)
    root = vectors[:, kept] * np.sqrt(values[kept])
    rank = int(kept.sum()) if float(values[-1]) > 0 else 0
    if rank == 0:
        return np.zeros(1), 0
    return np.asarray(abs(root @ _directions(rank)).max(axis=0)), rank


@cache
def _directions(rank: int) -> Floats:
    """Unit vectors [rank, n], evenly spread; a vector and its opposite count as one."""
    if rank == 1:
        return np.ones((1, 1))
    if rank == 2:
        angle = (np.arange(N_ANGLES) + 0.5) * pi / N_ANGLES
        return np.array([np.cos(angle), np.sin(angle)])
    vectors = np.random.default_rng(1980).standard_normal((rank, N_DIRECTIONS))
    return np.asarray(vectors / np.linalg.norm(vectors, axis=0))


def _tail(statistic: float, reach: Floats, rank: int, degrees: float) -> float:
    """Mean over the directions of the chance that the length goes beyond the bound."""
    from scipy import special

    square = (statistic / reach) ** 2
    if degrees == inf:
        return float(special.chdtrc(rank, square).mean())
    return float(special.fdtrc(rank, degrees, square / rank).mean())
