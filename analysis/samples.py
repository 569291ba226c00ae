"""Values of single deals, from runs that kept their games.

What is compared on common deals is subtracted deal by deal, so the deals must be told apart; sums
over deals do not do that. A deal's value is the mean over its games, all rotations counted.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.moments import Floats, Moments
from analysis.winshares import measure_of
from sim.core.game import SHARE_UNIT
from sim.results import Rows, Run
from sim.store import games_of


def by_strategy(run: Run, column: str, cell: int = 0) -> Floats:
    """Mean of a seat column for every position of a cell's line-up, in every deal [deals, n]."""
    values, entries = _seats(run, column, cell)
    sorted_ = np.empty_like(values)
    np.put_along_axis(sorted_, entries, values, axis=1)
    unit = SHARE_UNIT if column == "win_share" else 1
    return np.asarray(by_deal(run, sorted_).mean(axis=1) / unit)


def overall(run: Run, column: str, cell: int = 0) -> Floats:
    """Mean of a column over seats and games of a cell, in every deal [deals, 1]."""
    if column in run.game.seat_columns:
        return np.asarray(by_strategy(run, column, cell).mean(axis=1, keepdims=True))
    values = _games(run, [column], cell)
    return np.asarray(by_deal(run, values).mean(axis=1))


def of_games(run: Run, column: str, cell: int = 0) -> Floats:
    """Mean of a column over the seats of every single game [games]."""
    values = _lines(run, column, cell).mean(axis=1)
    return np.asarray(values / (SHARE_UNIT if column == "win_share" else 1))


def cumulated(run: Run, column: str, values: Sequence[int]) -> Floats:
    """Share of the seats of a game with at most each of some rising values [games, k]."""
    lines = _lines(run, column, 0)
    (games, n), k = lines.shape, len(values)
    at = np.searchsorted(values, lines) + (k + 1) * np.arange(games)[:, None]  # k: above them all
    counts = np.bincount(at.ravel(), minlength=games * (k + 1)).reshape(games, k + 1)
    return np.asarray(counts[:, :k].cumsum(axis=1) / n)


def curve(run: Run, column: str, cell: int = 0) -> Moments:
    """Share of the results up to each value that a column counts, as moments of the deals' shares.

    The end values stand for everything beyond. How many results of a deal are at most v, times how
    many are at most w, is the number of pairs of its results within both; so the products of all
    deals are counted in a table of pairs, with no table of deals by values.
    """
    measure = measure_of(run.game, column)
    assert measure is not None, "the reader lets through only columns with a measure"
    lines = np.clip(_results(run, column, cell), measure.low, measure.high).T
    low, high = int(lines.min()), int(lines.max())
    lines, n = lines - low, high - low + 1
    counts = sum(np.bincount(line, minlength=n) for line in lines)
    pairs = np.zeros(n * n, np.int64)
    for at, line in enumerate(lines):
        pairs += np.bincount(line * n + line, minlength=n * n)
        for other in lines[:at]:
            both = np.bincount(line * n + other, minlength=n * n)
            pairs += both + both.reshape(n, n).T.ravel()
    products = pairs.reshape(n, n).cumsum(axis=0).cumsum(axis=1)
    seen = Moments.from_sums(lines.shape[1], np.cumsum(counts), products, len(lines))
    before, after = low - measure.low, measure.high - high
    mean = np.concatenate([np.zeros(before), seen.mean, np.ones(after)])
    spread = None if seen.covariance is None else np.pad(seen.covariance, (before, after))
    return Moments(seen.deals, mean, spread)


def _results(run: Run, column: str, cell: int) -> Rows:
    """A column of all games and seats of every deal [deals, results]."""
    return by_deal(run, _lines(run, column, cell)).reshape(run.experiment.deals, -1)


def _lines(run: Run, column: str, cell: int) -> Rows:
    """A column of every game [games, n], with one value a seat or one of the game."""
    is_of_seats = column in run.game.seat_columns
    seats = range(run.experiment.players)
    return _games(run, [f"{column}_{seat}" for seat in seats] if is_of_seats else [column], cell)


def _seats(run: Run, column: str, cell: int) -> tuple[Rows, Rows]:
    """A seat column and who sat there, [games, n] each."""
    n = run.experiment.players
    names = [f"{name}_{seat}" for name in (column, "entry") for seat in range(n)]
    table = _games(run, names, cell)
    return table[:, :n], table[:, n:]


def _games(run: Run, names: Sequence[str], cell: int) -> Rows:
    """Some columns of the games of a cell [games, columns]."""
    found = games_of(run, names, cell)
    return np.stack([found[name] for name in names], axis=1)


def by_deal(run: Run, values: NDArray[Any]) -> NDArray[Any]:
    """Rows of games [games, columns] as [deals, rotations, columns]."""
    deals = run.experiment.deals
    return values.reshape(deals, len(values) // deals, values.shape[1])
