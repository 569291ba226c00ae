"""Exact integer statistics of the games played, with the deal as the unit.

For each deal the values of its games are added up, by strategy, by seat and by place; of these
deal totals the sums and cross products are kept. They merge by adding, in any order, to the same
bits. Layout of the results: `empty_totals`.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from sim.core.game import Game, Measure
from sim.core.jit import kernel
from sim.core.records import n_words, word_of

BY_STRATEGY, BY_SEAT, BY_PLACE = 0, 1, 2  # groupings of what is counted for each seat
N_GROUPINGS = 3
FIRST_WORD = 2  # of an outcome record: behind `status` and `start`

Totals = dict[str, np.ndarray[Any, Any]]


class Tally(NamedTuple):
    """Memory of the kernels below: all int64; C seat columns, K game columns, n seats."""

    deal: np.ndarray[Any, Any]  # [3, C, n] totals of the deal in play
    deal_game: np.ndarray[Any, Any]  # [K] the same for the game columns
    count: np.ndarray[Any, Any]  # [2] deals, games
    sum: np.ndarray[Any, Any]  # [3, C, n]
    cross: np.ndarray[Any, Any]  # [3, C, n, n]
    game_sum: np.ndarray[Any, Any]  # [K]
    game_square: np.ndarray[Any, Any]  # [K]
    histogram: np.ndarray[Any, Any]  # all histograms, one behind the other
    bins: np.ndarray[Any, Any]  # [C + K, 3] first bin, lowest value, number of bins (0: none)


def _declared(game: Game) -> dict[str, Measure]:
    score = {"score": game.score} if game.score else {}
    return score | {measure.name: measure for measure in game.measures}


def new_tally(game: Game, players: int) -> Tally:
    """Empty memory for the games of `players` seats."""
    n_seat, n_game = len(game.seat_columns), len(game.game_columns)
    bins = np.zeros((n_seat + n_game, 3), np.int64)
    first = 0
    for i, name in enumerate(game.seat_columns + game.game_columns):
        measure = _declared(game).get(name)
        if measure:
            bins[i] = (first, measure.low, measure.n_bins)
            first += measure.n_bins * (players if i < n_seat else 1)
    return Tally(
        deal=np.zeros((N_GROUPINGS, n_seat, players), np.int64),
        deal_game=np.zeros(n_game, np.int64),
        count=np.zeros(2, np.int64),
        sum=np.zeros((N_GROUPINGS, n_seat, players), np.int64),
        cross=np.zeros((N_GROUPINGS, n_seat, players, players), np.int64),
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
    totals = {
        "deals": tally.count[:1],
        "games": tally.count[1:],
        "sum": tally.sum,
        "cross": tally.cross,
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


@kernel
def add_game(tally, outcome, entry, players):
    """Add one finished game to the deal in play and to the histograms."""
    n_seat, n_game = tally.deal.shape[1], tally.deal_game.shape[0]
    width = (n_words(outcome) - FIRST_WORD - n_game) // n_seat  # words a seat column
    for column in range(n_seat):
        at = FIRST_WORD + column * width
        low, n_bins = tally.bins[column, 1], tally.bins[column, 2]
        for seat in range(players):
            value = word_of(outcome, at + seat)
            place = seat - outcome.start
            if place < 0:
                place += players
            tally.deal[BY_STRATEGY, column, entry[seat]] += value
            tally.deal[BY_SEAT, column, seat] += value
            tally.deal[BY_PLACE, column, place] += value
            if n_bins > 0:
                first = tally.bins[column, 0] + entry[seat] * n_bins
                tally.histogram[first + _clamped(value - low, n_bins)] += 1
    at = FIRST_WORD + n_seat * width
    for column in range(n_game):
        value = word_of(outcome, at + column)
        tally.deal_game[column] += value
        n_bins = tally.bins[n_seat + column, 2]
        if n_bins > 0:
            at_bin = _clamped(value - tally.bins[n_seat + column, 1], n_bins)
            tally.histogram[tally.bins[n_seat + column, 0] + at_bin] += 1
    tally.count[1] += 1


@kernel
def _clamped(index, n):
    """The index of a bin, the outermost ones taking what lies beyond."""
    return min(max(index, 0), n - 1)


@kernel
def add_deal(tally, players):
    """Close the deal in play: its totals become one cluster of the statistics."""
    for grouping in range(N_GROUPINGS):
        for column in range(tally.deal.shape[1]):
            for i in range(players):
                value = tally.deal[grouping, column, i]
                tally.sum[grouping, column, i] += value
                for j in range(players):
                    tally.cross[grouping, column, i, j] += (
                        value * tally.deal[grouping, column, j]
                    )
    tally.deal[:] = 0
    for column in range(tally.deal_game.shape[0]):
        value = tally.deal_game[column]
        tally.game_sum[column] += value
        tally.game_square[column] += value * value
    tally.deal_game[:] = 0
    tally.count[0] += 1


def merge(into: Totals | None, other: Totals) -> Totals:
    """Add the totals of another chunk; exact and in any order the same."""
    if into is None:
        return {name: array.copy() for name, array in other.items()}
    for name, array in other.items():
        into[name] += array
    return into

