"""Who wins how often: win shares, scores and measures of a cell, with intervals over deals.

A cell is one variant with one line-up. Its totals are whole numbers summed over deals, so cells of
the same kind are merged by adding them, and every number here follows from them exactly.
The `*_rows` functions need NumPy only; the `*_frame` functions give the same as tidy frames.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from analysis.intervals import LEVEL, Estimate, mean_estimate, quantile, rate_estimate, wilson
from sim.core.game import SHARE_UNIT, Game, Measure, Words

if TYPE_CHECKING:
    import pandas as pd

    from sim.results import Cell

By = Literal["strategy", "seat", "place"]
GROUPS: tuple[By, ...] = ("strategy", "seat", "place")
GAME_RATES = ("nobody", "shared", "unfinished", "draw")


@dataclass(frozen=True)
class Position:
    """Seats that are counted together: one seat, one place, or all seats of one strategy."""

    label: str
    members: tuple[int, ...]


@dataclass(frozen=True)
class Row:
    """Mean of one column for one position."""

    position: str
    seats: int  # seats of a game that are counted here
    column: str
    estimate: Estimate


@dataclass(frozen=True)
class Contrast:
    """Mean of `first` minus mean of `second`, of one column; `estimate` is the difference."""

    first: str
    second: str
    column: str
    estimate: Estimate


def n_seats(cell: Cell) -> int:
    """Seats of a game of this cell."""
    return int(cell.totals["sum"].shape[2])


def lineup(cell: Cell) -> tuple[str, ...]:
    """Strategy of each position; a single name is repeated."""
    names = tuple(cell.lineup)
    return names * n_seats(cell) if len(names) == 1 else names


def positions(cell: Cell, by: By) -> list[Position]:
    """Positions of a grouping. Equal strategies are one position: their order means nothing."""
    if by != "strategy":
        return [Position(str(seat), (seat,)) for seat in range(n_seats(cell))]
    names = lineup(cell)
    return [
        Position(name, tuple(i for i, other in enumerate(names) if other == name))
        for name in dict.fromkeys(names)
    ]


def seat_measure(game: Game, column: str) -> Measure | None:
    """What the game says about a seat column; None for win share and win, which all games have."""
    if column == "score":
        return game.score
    return next((m for m in game.measures if m.per == "seat" and m.name == column), None)


def game_measure(game: Game, column: str) -> Measure | None:
    """What the game says about a game column; None for those that all games have."""
    return next((m for m in game.measures if m.per == "game" and m.name == column), None)


def measure_of(game: Game, column: str) -> Measure | None:
    """What the game says about a column; None for those that all games have."""
    form = seat_measure if column in game.seat_columns else game_measure
    return form(game, column)


def unit_of(game: Game, column: str) -> Words:
    """What a column counts, as a plural; of those that all games have, decisions or games."""
    measure = measure_of(game, column)
    if measure is not None:
        return measure.unit
    return Words("decisions", "次") if column == "decisions" else Words("games", "局")


def seat_columns(game: Game) -> tuple[str, ...]:
    """Seat columns that mean something in this game: a game without a score has none."""
    return tuple(c for c in game.seat_columns if c != "score" or game.score is not None)


def is_seat_rate(game: Game, column: str) -> bool:
    """Whether a seat column lies between 0 and 1, so that its mean is a share of the games."""
    return column in ("win_share", "won") or _is_indicator(seat_measure(game, column))


def is_game_rate(game: Game, column: str) -> bool:
    """Whether a game column is 0 or 1, so that its mean is a share of the games."""
    return column in GAME_RATES or _is_indicator(game_measure(game, column))


def estimate(
    cell: Cell, game: Game, by: By, column: str, members: Sequence[int], level: float = LEVEL
) -> Estimate:
    """Mean a seat and game of a seat column over the positions `members`."""
    weights = [int(position in members) for position in range(n_seats(cell))]
    total, square = _weighted(cell, game, by, column, weights)
    unit = len(members) * (SHARE_UNIT if column == "win_share" else 1)
    form = rate_estimate if is_seat_rate(game, column) else mean_estimate
    return form(total, square, deals(cell), games(cell), unit, level)


def contrast(
    cell: Cell,
    game: Game,
    by: By,
    column: str,
    first: Sequence[int],
    second: Sequence[int],
    level: float = LEVEL,
) -> Estimate:
    """Mean over `first` minus mean over `second`; both were played on the same deals."""
    weights = [
        len(second) * (position in first) - len(first) * (position in second)
        for position in range(n_seats(cell))
    ]
    total, square = _weighted(cell, game, by, column, weights)
    unit = len(first) * len(second) * (SHARE_UNIT if column == "win_share" else 1)
    return mean_estimate(total, square, deals(cell), games(cell), unit, level)


def position_rows(cell: Cell, game: Game, by: By, level: float = LEVEL) -> list[Row]:
    """Every seat column of every position, with its interval."""
    return [
        Row(
            position.label,
            len(position.members),
            column,
            estimate(cell, game, by, column, position.members, level),
        )
        for position in positions(cell, by)
        for column in seat_columns(game)
    ]


def contrast_rows(
    cell: Cell, game: Game, by: By, column: str = "win_share", level: float = LEVEL
) -> list[Contrast]:
    """Every pair of positions. `level` holds for all pairs together (Bonferroni)."""
    pairs = list(combinations(positions(cell, by), 2))
    single = 1 - (1 - level) / max(len(pairs), 1)
    return [
        Contrast(
            a.label,
            b.label,
            column,
            contrast(cell, game, by, column, a.members, b.members, single),
        )
        for a, b in pairs
    ]


def game_estimate(cell: Cell, game: Game, column: str, level: float = LEVEL) -> Estimate:
    """Mean a game of a game column."""
    k = game.game_columns.index(column)
    form = rate_estimate if is_game_rate(game, column) else mean_estimate
    return form(
        int(cell.totals["game_sum"][k]),
        int(cell.totals["game_square"][k]),
        deals(cell),
        games(cell),
        level=level,
    )


def game_rows(cell: Cell, game: Game, level: float = LEVEL) -> list[tuple[str, Estimate]]:
    """Every game column with its interval."""
    return [(column, game_estimate(cell, game, column, level)) for column in game.game_columns]


def deals(cell: Cell) -> int:
    """Number of deals, the independent units."""
    return int(cell.totals["deals"][0])


def games(cell: Cell) -> int:
    """Number of games, all rotations counted."""
    return int(cell.totals["games"][0])


def position_frame(cell: Cell, game: Game, by: By, level: float = LEVEL) -> pd.DataFrame:
    """Every seat column of every position.

    Returns
    -------
    DataFrame
        One row a position and column: position, seats, column, mean, se, low, high, deals, games.
        What one deal alone cannot tell is missing.
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "position": row.position,
                "seats": row.seats,
                "column": row.column,
                **asdict(row.estimate),
            }
            for row in position_rows(cell, game, by, level)
        ]
    )


def contrast_frame(
    cell: Cell, game: Game, by: By, column: str = "win_share", level: float = LEVEL
) -> pd.DataFrame:
    """Every pair of positions: first, second, column, and the difference as mean, se, low, high."""
    import pandas as pd

    rows = contrast_rows(cell, game, by, column, level)
    names = ["first", "second", "column", "mean", "se", "low", "high", "deals", "games"]
    return pd.DataFrame(
        [
            {
                "first": row.first,
                "second": row.second,
                "column": row.column,
                **asdict(row.estimate),
            }
            for row in rows
        ],
        columns=names,
    )


def game_frame(cell: Cell, game: Game, level: float = LEVEL) -> pd.DataFrame:
    """Every game column: column, mean, se, low, high, deals, games."""
    import pandas as pd

    return pd.DataFrame(
        [{"column": column, **asdict(est)} for column, est in game_rows(cell, game, level)]
    )


def histogram_frame(cell: Cell, game: Game, column: str, level: float = LEVEL) -> pd.DataFrame:
    """How often each value was seen.

    Returns
    -------
    DataFrame
        One row a position (strategy; '' for a column of the whole game) and value: position,
        value, count, share, low, high. The first and the last value of a measure stand for
        everything beyond too.

    Notes
    -----
    The totals keep no cross products of single values, so the interval is the widest one: as if
    all games of a deal had come out alike (Wilson with the number of deals).
    """
    import pandas as pd

    counts = np.asarray(cell.totals[f"histogram/{column}"])
    if column in game.game_columns:
        measure, rows = game_measure(game, column), [("", counts)]
    else:
        measure = seat_measure(game, column)
        rows = [
            (position.label, counts[list(position.members)].sum(axis=0))
            for position in positions(cell, "strategy")
        ]
    first = measure.low if measure is not None else 0
    n = deals(cell)
    width = quantile(n - 1, level) if n > 1 else quantile(1, level)
    parts = []
    for label, row in rows:
        share = row / max(int(row.sum()), 1)
        bounds = [wilson(float(rate), float(n), width) for rate in share]
        parts.append(
            pd.DataFrame(
                {
                    "position": label,
                    "value": np.arange(first, first + len(row)),
                    "count": row,
                    "share": share,
                    "low": [low for low, _ in bounds],
                    "high": [high for _, high in bounds],
                }
            )
        )
    return pd.concat(parts, ignore_index=True)


def histogram(cell: Cell, column: str) -> NDArray[np.float64]:
    """Share of the seats, or games, with every value of a measure, from its lowest on [values]."""
    counts = np.atleast_2d(cell.totals[f"histogram/{column}"]).sum(axis=0)
    return np.asarray(counts / counts.sum(), np.float64)


def _is_indicator(measure: Measure | None) -> bool:
    return measure is not None and measure.low == 0 and measure.high == 1


def _weighted(
    cell: Cell, game: Game, by: By, column: str, weights: Sequence[int]
) -> tuple[int, int]:
    """Total and sum of squared deal totals of a weighted sum of positions, exact."""
    g, c = GROUPS.index(by), game.seat_columns.index(column)
    sums = [int(value) for value in cell.totals["sum"][g, c]]
    cross = [[int(value) for value in line] for line in cell.totals["cross"][g, c]]
    total = sum(w * s for w, s in zip(weights, sums, strict=True))
    square = sum(
        v * w * product
        for v, line in zip(weights, cross, strict=True)
        for w, product in zip(weights, line, strict=True)
    )
    return total, square
