"""Exact integer statistics of the games played, with the deal as the unit.

For each deal the values of its games are added up, by strategy, by seat and by place; of these
deal totals the sums and cross products are kept. They merge by adding, in any order, to the same
bits. Layout of the results: `totals_of`.
"""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.bits import add_products, add_row, natural
from sim.core.game import Game
from sim.core.jit import JIT, inlined, out_of_line
from sim.core.records import record, word_of

BY_STRATEGY, BY_SEAT, BY_PLACE = 0, 1, 2  # groupings of what is counted for each seat
N_GROUPINGS = 3
FIRST_WORD = 2  # of an outcome record: behind `status` and `start`

Totals = dict[str, np.ndarray[Any, Any]]


def tally_record(game: Game) -> np.dtype[Any]:
    """Record of the memory of the kernels below: C seat columns, K game columns, W seats at most.

    One record, which goes to them as one pointer; nine arrays were 79 words a call (measured: 4 %
    of the time of a short game).
    """
    n_seat, n_game, width = len(game.seat_columns), len(game.game_columns), max(game.players)
    return record(
        ("deal", np.int64, (N_GROUPINGS, width, n_seat)),  # totals of the deal in play
        ("deal_game", np.int64, n_game),  # the same for the game columns
        ("n", np.int64, 2),  # deals, games
        ("sum", np.int64, (N_GROUPINGS, width, n_seat)),
        ("cross", np.int64, (N_GROUPINGS, width, width, n_seat)),  # of two positions only i <= j
        ("game_sum", np.int64, n_game),
        ("game_square", np.int64, n_game),
        ("histogram", np.int64, max(1, bins_of(game)[-1][0])),  # all, one behind the other
    )


def bins_of(game: Game) -> list[tuple[int, int, int]]:
    """First bin, lowest value and number of bins (0: none) of each column, C + K; and their end.

    A seat column has a row of bins for each of the W positions of a line-up.
    """
    declared = {"score": game.score} if game.score else {}
    declared |= {measure.name: measure for measure in game.measures}
    bins, first = [], 0
    for i, name in enumerate(game.seat_columns + game.game_columns):
        measure = declared.get(name)
        low, n = (measure.low, measure.n_bins) if measure else (0, 0)
        bins.append((first, low, n))
        first += n * (max(game.players) if i < len(game.seat_columns) else 1)
    return [*bins, (first, 0, 0)]


def tally_handle(tally: np.ndarray[Any, Any]) -> Any:
    """What the kernels take for the memory of tallies: the array, or names without the JIT."""
    if JIT:
        return tally
    return [SimpleNamespace(**{name: one[name] for name in tally.dtype.names}) for one in tally]


def totals_of(game: Game, players: int, tally: np.ndarray[Any, Any]) -> Totals:
    """The results of a tally under their names.

    Returns
    -------
    dict of int64 arrays
        'deals' [1], 'games' [1]; 'sum' [3, C, n] and 'cross' [3, C, n, n] of deal totals, by
        strategy, seat and place, columns as `Game.seat_columns`, win shares in 1/2520;
        'game_sum' and 'game_square' [K], columns as `Game.game_columns`;
        'histogram/<column>' [n, bins] by strategy, or [bins] of a game column: games a value.
    """
    half = tally["cross"][:, :players, :players]
    on_diagonal = np.eye(players, dtype=np.int64)[None, :, :, None]
    cross = half + half.transpose(0, 2, 1, 3) - half * on_diagonal
    totals = {
        "deals": tally["n"][:1],
        "games": tally["n"][1:],
        "sum": np.ascontiguousarray(tally["sum"][:, :players].transpose(0, 2, 1)),
        "cross": np.ascontiguousarray(cross.transpose(0, 3, 1, 2)),
        "game_sum": tally["game_sum"],
        "game_square": tally["game_square"],
    }
    bins = bins_of(game)
    for i, name in enumerate(game.seat_columns + game.game_columns):
        first, _, n = bins[i]
        if n:
            rows = players if i < len(game.seat_columns) else 1
            flat = tally["histogram"][first : first + rows * n]
            shape = (rows, n) if i < len(game.seat_columns) else (n,)
            totals[f"histogram/{name}"] = flat.reshape(shape)
    return totals


if TYPE_CHECKING:  # constants of a game, supplied by `sim.core.loop.Loop`
    N_SEAT_COLUMNS = N_GAME_COLUMNS = WIDTH = 0
    BINS = np.zeros((0, 3), np.int64)  # as `bins_of`


def add_game(tally, outcome, entry, players):
    """Add one finished game to the deal in play and to the histograms.

    A template like those of `sim.core.loop`: the numbers of columns are constants of the game,
    so that the loops over them are unrolled (a tenth of the playing time otherwise).
    """
    out_of_line()
    for seat in range(players):
        place = seat - outcome.start
        if place < 0:
            place += players
        position = entry[seat]
        by_strategy = tally.deal[BY_STRATEGY, position]
        by_seat = tally.deal[BY_SEAT, seat]
        by_place = tally.deal[BY_PLACE, place]
        for column in range(N_SEAT_COLUMNS):
            value = word_of(outcome, FIRST_WORD + column * WIDTH + seat)
            by_strategy[column] += value
            by_seat[column] += value
            by_place[column] += value
        for column in range(1, N_SEAT_COLUMNS):
            value = word_of(outcome, FIRST_WORD + column * WIDTH + seat)
            count_value(tally, BINS, column, position, value)
    first = FIRST_WORD + N_SEAT_COLUMNS * WIDTH
    for column in range(N_GAME_COLUMNS):
        value = word_of(outcome, first + column)
        tally.deal_game[column] += value
        count_value(tally, BINS, N_SEAT_COLUMNS + column, 0, value)
    tally.n[1] += 1


@inlined
def count_value(tally, bins, column, row, value):
    """Count the value in row `row` of a column's histogram; the end bins take what lies beyond."""
    first, low, n = bins[column, 0], bins[column, 1], bins[column, 2]
    if n > 0:
        at_bin = min(max(value - low, 0), n - 1)
        tally.histogram[natural(first + row * n + at_bin)] += 1


def add_deal(tally, players):
    """Close the deal in play: its totals become one cluster of the statistics. A template."""
    out_of_line()
    for grouping in range(N_GROUPINGS):
        for i in range(players):
            here, total = tally.deal[grouping, i], tally.sum[grouping, i]
            add_row(total, here, N_SEAT_COLUMNS)
            for j in range(i, players):
                there, product = tally.deal[grouping, j], tally.cross[grouping, i, j]
                add_products(product, here, there, N_SEAT_COLUMNS)
    for grouping in range(N_GROUPINGS):
        for i in range(players):
            here = tally.deal[grouping, i]
            for column in range(N_SEAT_COLUMNS):
                here[column] = 0
    for column in range(N_GAME_COLUMNS):
        value = tally.deal_game[column]
        tally.game_sum[column] += value
        tally.game_square[column] += value * value
        tally.deal_game[column] = 0
    tally.n[0] += 1


def merge(into: Totals | None, other: Totals) -> Totals:
    """Add the totals of another chunk; exact and in any order the same."""
    if into is None:
        return {name: array.copy() for name, array in other.items()}
    for name, array in other.items():
        into[name] += array
    return into
