"""Games a family would need to notice an effect.

Whole games as they are played at home: every game has its own deal, nothing is rotated. Noticing
means a two-sided test of 5 % with a power of 80 %, in the normal approximation.

    two places, two strategies   what each gets, noted game by game (`difference_variance`)
    means of two kinds of games  so many games of each, all seats being noted; the variance is the
                                 sum of those of the stored games (where none are stored, of a
                                 single seat, `column_variance`, which is too large)
    what a card does             of every game one hand and its result, and a straight line through
                                 them (`analysis.neutrality`)
    distances                    as if it were known where to look: which places, or which value,
                                 differ most, and what the target's games are like

That a hand explains a share of the results is nothing that can be seen at home, where no hand is
dealt twice: it has no such number.

References
----------
Cohen (1988), Statistical power analysis for the behavioral sciences, chapter 2; Lachin (1981),
Introduction to sample size determination and power analysis for clinical trials.
"""

from __future__ import annotations

from math import ceil, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING

import numpy as np

from analysis.winshares import (
    GAME_RATES,
    Position,
    estimate,
    game_estimate,
    histogram,
    n_seats,
)
from sim.core.game import Game

if TYPE_CHECKING:
    from sim.results import Cell

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


def difference_variance(cell: Cell, game: Game, column: str, first: float, second: float) -> float:
    """Variance a game of the difference of two seats' values in a column of seats.

    For win shares as in `contrast_variance`. Else from the spread of one seat, as if what one gains
    all others lose, which on average over the pairs is an upper bound.

    Parameters
    ----------
    first, second
        Means a game.
    """
    if column in ("win_share", "won"):
        return contrast_variance(first, second)
    n = n_seats(cell)
    return 2 * column_variance(cell, game, column) * n / (n - 1)


def gap_variance(cell: Cell, game: Game, column: str, first: Position, second: Position) -> float:
    """`difference_variance` of two strategies."""
    means = (estimate(cell, game, "strategy", column, of.members).mean for of in (first, second))
    return difference_variance(cell, game, column, *means)


def column_variance(cell: Cell, game: Game, column: str) -> float:
    """Variance of a column in one game, of one seat if it is a column of seats; at most."""
    if column in (*GAME_RATES, "win_share", "won"):
        seats = range(n_seats(cell))
        found = (
            game_estimate(cell, game, column)
            if column in GAME_RATES
            else estimate(cell, game, "seat", column, seats)
        )
        return found.mean * (1 - found.mean)
    shares = histogram(cell, column)
    values = np.arange(len(shares))
    return float((shares * values**2).sum() - (shares * values).sum() ** 2)
