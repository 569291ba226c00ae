"""Games a family would need to notice an effect.

Whole games as they are played at home: every game has its own deal, nothing is rotated. Noticing
means a two-sided test of 5 % with a power of 80 %, in the normal approximation.

References
----------
Cohen (1988), Statistical power analysis for the behavioral sciences, chapter 2; Lachin (1981),
Introduction to sample size determination and power analysis for clinical trials.
"""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist

ALPHA, POWER = 0.05, 0.8
_NORMAL = NormalDist()


def games_to_notice(
    effect: float, variance: float, *, power: float = POWER, alpha: float = ALPHA
) -> int | None:
    """Number of independent games after which an effect is noticed.

    Parameters
    ----------
    effect
        True mean a game of what is looked at, such as the difference in win share of two places.
    variance
        Variance of one game of the same; `contrast_variance` for two places. For two ways to play,
        with as many games of each, the sum of both variances, and the result is games of each.

    Returns
    -------
    int or None
        At least 1; None if there is no effect, which no number of games shows.
    """
    if effect == 0:
        return None
    wanted = _NORMAL.inv_cdf(1 - alpha / 2) + _NORMAL.inv_cdf(power)
    return max(1, ceil(variance * (wanted / effect) ** 2))


def power_of(games: float, effect: float, variance: float, *, alpha: float = ALPHA) -> float:
    """Chance that the two-sided test notices an effect in `games` independent games.

    Without variance every game shows the effect, if there is one.
    """
    if variance == 0:
        return float(effect != 0)
    wanted, seen = _NORMAL.inv_cdf(1 - alpha / 2), effect * sqrt(games / variance)
    return _NORMAL.cdf(seen - wanted) + _NORMAL.cdf(-seen - wanted)


def contrast_variance(first: float, second: float) -> float:
    """Variance a game of the difference of two places' win shares, at most.

    Exact where no win is shared. A shared win lowers it, as x² <= x for a share x, so that games to
    notice are rather too many than too few. Sums over rotated deals do not tell more: they keep the
    products of deal totals and not those of single games.

    Parameters
    ----------
    first, second
        Mean win shares a game.
    """
    return first + second - (first - second) ** 2
