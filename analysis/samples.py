"""Values of single deals, from runs that kept their games.

What is compared on common deals is subtracted deal by deal, so the deals must be told apart; sums
over deals do not do that. A deal's value is the mean over its games, all rotations counted.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from analysis.moments import Floats
from sim.core.game import SHARE_UNIT
from sim.results import Rows, Run
from sim.store import games_of


def by_strategy(run: Run, column: str) -> Floats:
    """Mean of a seat column for every position of the line-up, in every deal [deals, n]."""
    values, entries = _seats(run, column)
    sorted_ = np.empty_like(values)
    np.put_along_axis(sorted_, entries, values, axis=1)
    unit = SHARE_UNIT if column == "win_share" else 1
    return np.asarray(_by_deal(run, sorted_).mean(axis=1) / unit)


def overall(run: Run, column: str) -> Floats:
    """Mean of a column over seats and games, in every deal [deals, 1]."""
    if column in run.game.seat_columns:
        return np.asarray(by_strategy(run, column).mean(axis=1, keepdims=True))
    values = games_of(run, [column])[column][:, None]
    return np.asarray(_by_deal(run, values).mean(axis=1))


def cumulated(run: Run, column: str, values: Sequence[int]) -> Floats:
    """Share of the seats, or games, with at most each of the values, in every deal [deals, k]."""
    if column in run.game.seat_columns:
        found, _ = _seats(run, column)
    else:
        found = games_of(run, [column])[column][:, None]
    lines = _by_deal(run, found).reshape(run.experiment.deals, -1)
    return np.stack([(lines <= value).mean(axis=1) for value in values], axis=1)


def _seats(run: Run, column: str) -> tuple[Rows, Rows]:
    """A seat column and who sat there, [games, n] each."""
    seats = range(run.experiment.players)
    names = [f"{name}_{seat}" for name in (column, "entry") for seat in seats]
    found = games_of(run, names)
    table = np.stack([found[name] for name in names], axis=1)
    return table[:, : len(seats)], table[:, len(seats) :]


def _by_deal(run: Run, values: Rows) -> Rows:
    """The same rows as [deals, rotations, columns]."""
    deals = run.experiment.deals
    return values.reshape(deals, len(values) // deals, values.shape[1])
