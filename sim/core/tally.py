"""Exact integer statistics of the games played, with the deal as the unit.

For each deal the values of its games are added up, by strategy, by seat and by place; of these
deal totals the sums and cross products are kept. They merge by adding, in any order, to the same
bits. Layout of the results: `empty_totals`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.core.bits import add_products, add_row
from sim.core.game import Game, Measure
from sim.core.jit import inlined, out_of_line
from sim.core.records import word_of

BY_STRATEGY, BY_SEAT, BY_PLACE = 0, 1, 2  # groupings of what is counted for each seat
N_GROUPINGS = 3
FIRST_WORD = 2  # of an outcome record: behind `status` and `start`

Totals = dict[str, np.ndarray[Any, Any]]


class Tally(NamedTuple):
    """Memory of the kernels below: all int64; C seat columns, K game columns, W seats at most."""

    deal: np.ndarray[Any, Any]  # [3, W, C] totals of the deal in play
    deal_game: np.ndarray[Any, Any]  # [K] the same for the game columns
    n: np.ndarray[Any, Any]  # [2] deals, games
    sum: np.ndarray[Any, Any]  # [3, W, C]
    cross: np.ndarray[Any, Any]  # [3, W, W, C]; of each pair of positions only i <= j
    game_sum: np.ndarray[Any, Any]  # [K]
    game_square: np.ndarray[Any, Any]  # [K]
    histogram: np.ndarray[Any, Any]  # all histograms, one behind the other
    bins: np.ndarray[Any, Any]  # [C + K, 3] first bin, lowest value, number of bins (0: none)


def _declared(game: Game) -> dict[str, Measure]:
    score = {"score": game.score} if game.score else {}
    return score | {measure.name: measure for measure in game.measures}


def new_tally(game: Game, players: int) -> Tally:
    """Empty memory for the games of `players` seats."""
    n_seat, n_game, width = len(game.seat_columns), len(game.game_columns), max(game.players)
    bins = np.zeros((n_seat + n_game, 3), np.int64)
    first = 0
    for i, name in enumerate(game.seat_columns + game.game_columns):
        measure = _declared(game).get(name)
        if measure:
            bins[i] = (first, measure.low, measure.n_bins)
            first += measure.n_bins * (players if i < n_seat else 1)
    return Tally(
        deal=np.zeros((N_GROUPINGS, width, n_seat), np.int64),
        deal_game=np.zeros(n_game, np.int64),
        n=np.zeros(2, np.int64),
        sum=np.zeros((N_GROUPINGS, width, n_seat), np.int64),
        cross=np.zeros((N_GROUPINGS, width, width, n_seat), np.int64),
        game_sum=np.zeros(n_game, np.int64),
        game_square=np.zeros(n_game, np.int64),
        histogram=np.zeros(max(first, 1), np.int64),
        bins=bins,
    )


def totals_of(game: Game, players: int, tally: Tally) -> Totals:
    """The results of a tally under their names.

    Returns
    -------
    dict of int64 arrays
        'deals' [1], 'games' [1]; 'sum' [3, C, n] and 'cross' [3, C, n, n] of deal totals, by
        strategy, seat and place, columns as `Game.seat_columns`, win shares in 1/2520;
        'game_sum' and 'game_square' [K], columns as `Game.game_columns`;
        'histogram/<column>' [n, bins] by strategy, or [bins] of a game column: games a value.
    """
    half = tally.cross[:, :players, :players]
    on_diagonal = np.eye(players, dtype=np.int64)[None, :, :, None]
    cross = half + half.transpose(0, 2, 1, 3) - half * on_diagonal
    totals = {
        "deals": tally.n[:1],
        "games": tally.n[1:],
        "sum": np.ascontiguousarray(tally.sum[:, :players].transpose(0, 2, 1)),
        "cross": np.ascontiguousarray(cross.transpose(0, 3, 1, 2)),
        "game_sum": tally.game_sum,
        "game_square": tally.game_square,
    }
    for i, name in enumerate(game.seat_columns + game.game_columns):
        first, _, n = tally.bins[i].tolist()
        if n:
            rows = players if i < len(game.seat_columns) else 1
            flat = tally.histogram[first : first + rows * n]
            shape = (rows, n) if i < len(game.seat_columns) else (n,)
            totals[f"histogram/{name}"] = flat.reshape(shape)
    return totals


if TYPE_CHECKING:  # constants of a game, supplied by `sim.core.loop.Loop`
    N_SEAT_COLUMNS = N_GAME_COLUMNS = WIDTH = 0


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
            count_value(tally, column, position, value)
    first = FIRST_WORD + N_SEAT_COLUMNS * WIDTH
    for column in range(N_GAME_COLUMNS):
        value = word_of(outcome, first + column)
        tally.deal_game[column] += value
        count_value(tally, N_SEAT_COLUMNS + column, 0, value)
    tally.n[1] += 1


@inlined
def count_value(tally, column, row, value):
    """Count the value in row `row` of a column's histogram; the end bins take what lies beyond."""
    n = tally.bins[column, 2]
    if n > 0:
        at_bin = min(max(value - tally.bins[column, 1], 0), n - 1)
        tally.histogram[tally.bins[column, 0] + row * n + at_bin] += 1


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
