"""Intervals for means over clusters, from exact integer sums.

The cluster is the deal with all its rotations: deals are independent, the games of one deal are
not. Everything here works on whole numbers as long as it can, so that 10^8 games lose no digit
to the difference of two large numbers.

References
----------
Wilson (1927), Probable inference, the law of succession, and statistical inference.
Dean and Pagano (2015), Evaluating confidence interval methods for binomial proportions in
clustered surveys: Wilson's interval with the effective number of observations.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import cos, inf, pi, sin, sqrt
from statistics import NormalDist

LEVEL = 0.95


@dataclass(frozen=True)
class Estimate:
    """A mean with its uncertainty; what one deal alone cannot tell is None."""

    mean: float
    se: float | None
    low: float | None
    high: float | None
    deals: int
    games: int


def quantile(degrees: int, level: float = LEVEL) -> float:
    """Half width, in standard errors, of the two-sided Student interval.

    Exact for one and two degrees of freedom; else the expansion of Abramowitz and Stegun 26.7.5,
    good to 0.2 % at three degrees and much better above.
    """
    if degrees == 1:
        return cos((1 - level) * pi / 2) / sin((1 - level) * pi / 2)
    if degrees == 2:
        return level * sqrt(2 / (1 - level * level))
    x = NormalDist().inv_cdf((1 + level) / 2)
    terms = (
        (x**3 + x) / 4,
        (5 * x**5 + 16 * x**3 + 3 * x) / 96,
        (3 * x**7 + 19 * x**5 + 17 * x**3 - 15 * x) / 384,
        (79 * x**9 + 776 * x**7 + 1482 * x**5 - 1920 * x**3 - 945 * x) / 92160,
    )
    return x + sum(term / float(degrees) ** power for power, term in enumerate(terms, start=1))


def standard_error(total: int, square: int, deals: int, games: int, unit: int = 1) -> float | None:
    """Standard error of `total` / `games` / `unit`, the deals being independent.

    Parameters
    ----------
    total, square
        Sum and sum of squares of the deals' totals, whole numbers of any size.
    deals, games
        Number of clusters and of games in them; every deal has the same number of games.
    unit
        Number of counted units that make one, 2520 for win shares.

    Returns
    -------
    float or None
        None with a single deal, which says nothing about the spread.
    """
    if deals < 2:
        return None
    scatter = square * deals - total * total  # deals * (sum of squared deviations), exact
    return sqrt(scatter / (deals - 1)) / (games * unit)


def mean_estimate(
    total: int, square: int, deals: int, games: int, unit: int = 1, level: float = LEVEL
) -> Estimate:
    """Mean a game of any quantity, with Student's interval over deals."""
    mean = total / (games * unit)
    se = standard_error(total, square, deals, games, unit)
    if se is None:
        return Estimate(mean, None, None, None, deals, games)
    half = quantile(deals - 1, level) * se
    return Estimate(mean, se, mean - half, mean + half, deals, games)


def rate_estimate(
    total: int, square: int, deals: int, games: int, unit: int = 1, level: float = LEVEL
) -> Estimate:
    """Mean a game of a quantity between 0 and 1, with an interval that stays between 0 and 1.

    Wilson's interval with the effective number of games: the one at which independent games would
    have this standard error. At 0 or 1, and with one deal, the effective number is the number of
    deals, so that nothing seen in 100 deals reads '0 % (0 to 3.7 %)' and not '0 % for certain'.
    A share between 0 and 1 that is the same in every deal is exact.
    """
    mean = total / (games * unit)
    se = standard_error(total, square, deals, games, unit)
    width = quantile(deals - 1, level) if deals > 1 else quantile(1, level)
    if se is not None and se > 0:
        effective = mean * (1 - mean) / se**2
    elif se == 0 and 0 < mean < 1:
        effective = inf
    else:
        effective = float(deals)
    low, high = wilson(mean, effective, width)
    return Estimate(mean, se, low, high, deals, games)


def wilson(rate: float, n: float, width: float) -> tuple[float, float]:
    """Wilson's interval of a rate seen in `n` independent games, `width` standard errors wide."""
    slack = width * width / n
    centre = (rate + slack / 2) / (1 + slack)
    half = width * sqrt(rate * (1 - rate) / n + slack / (4 * n)) / (1 + slack)
    low = 0.0 if rate <= 0 else max(0.0, centre - half)
    high = 1.0 if rate >= 1 else min(1.0, centre + half)
    return min(low, rate), max(high, rate)
