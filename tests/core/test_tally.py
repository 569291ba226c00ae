"""Exact statistics: equal to what NumPy makes of the rows of all games, merged in any order."""

from __future__ import annotations

import itertools
import random
from typing import Any

import numpy as np
import pytest

from sim.core.engine import Entrant, Table
from sim.core.game import SHARE_UNIT, measures_of
from sim.core.jit import JIT
from sim.core.tally import Totals, merge
from sim.games.schadenfreude import GAME
from tests.arena import digest, entrant

pytestmark = pytest.mark.both_modes

DEALS = 120 if JIT else 12
BY_STRATEGY, BY_SEAT, BY_PLACE = 0, 1, 2


def table(players: int, rotate: str, **switches: Any) -> Table:
    names = ["uniform", "lowest", "highest"]
    line = [
        Entrant(f"{i}", entrant(GAME.name, names[i % len(names)]).decide) for i in range(players)
    ]
    return Table(GAME, players, {**GAME.defaults(), **switches}, line, 3, rotate)


def clamped_counts(values: Any, measure: Any) -> Any:
    """A histogram whose first and last bin take what lies beyond."""
    bins = np.clip(values - measure.low, 0, measure.high - measure.low)
    return np.bincount(bins, minlength=measure.high - measure.low + 1)


def totals_of_rows(rows: Any, players: int) -> Totals:
    """The statistics of these games, by another way."""
    outcome, n = rows["outcome"], players
    values = np.stack([outcome[name][:, :n] for name in GAME.seat_columns], axis=1)  # [G, C, n]
    seat = np.broadcast_to(np.arange(n), (len(rows), n))
    position = np.stack([rows["entry"], seat, (seat - outcome["start"][:, None]) % n])  # [3, G, n]
    deals, deal = np.unique(rows["deal"], return_inverse=True)
    clusters = np.zeros((3, len(deals), len(GAME.seat_columns), n), np.int64)
    for grouping in range(3):
        for i in range(n):
            chosen = (position[grouping] == i)[:, None, :]
            np.add.at(clusters[grouping], (deal, slice(None), i), (values * chosen).sum(axis=2))
    games = np.stack([outcome[name] for name in GAME.game_columns], axis=1)
    game_clusters = np.zeros((len(deals), len(GAME.game_columns)), np.int64)
    np.add.at(game_clusters, deal, games)
    totals = {
        "deals": np.array([len(deals)]),
        "games": np.array([len(rows)]),
        "sum": clusters.sum(axis=1),
        "cross": np.einsum("gdci,gdcj->gcij", clusters, clusters),
        "game_sum": game_clusters.sum(axis=0),
        "game_square": (game_clusters**2).sum(axis=0),
    }
    assert GAME.score is not None
    for measure in (GAME.score, *measures_of(GAME, "seat")):
        by_entry = outcome[measure.name][:, :n]
        totals[f"histogram/{measure.name}"] = np.stack(
            [clamped_counts(by_entry[rows["entry"] == i], measure) for i in range(n)]
        )
    for measure in measures_of(GAME, "game"):
        totals[f"histogram/{measure.name}"] = clamped_counts(outcome[measure.name], measure)
    return totals


SETTINGS: list[dict[str, Any]] = [
    {},
    {"limit": 150, "floor": "none"},  # totals beyond the histogram of the score
    {"max_rounds": 2, "all_over": "lowest_wins", "wild_rank": "zero_ten"},
]


@pytest.mark.parametrize("settings", SETTINGS, ids=["default", "long", "short"])
@pytest.mark.parametrize("rotate", ["strategies", "hands", "none"])
@pytest.mark.parametrize("players", GAME.players)
def test_totals_are_those_of_the_rows(players: int, rotate: str, settings: dict[str, Any]) -> None:
    played = table(players, rotate, **settings).play(7, 7 + DEALS, keep_rows=True)
    assert played.totals is not None
    expected = totals_of_rows(played.rows, players)
    assert played.totals.keys() == expected.keys()
    for name, array in expected.items():
        assert played.totals[name].dtype == np.int64, name
        np.testing.assert_array_equal(played.totals[name], array, err_msg=name)


def test_values_beyond_a_histogram_are_in_its_last_bin() -> None:
    played = table(3, "none", limit=400).play(0, 10, keep_rows=True)
    assert played.totals is not None and GAME.score is not None
    score = played.rows["outcome"]["score"][:, :3]
    assert (score > GAME.score.high).any()
    last = played.totals["histogram/score"][:, -1]
    assert last.sum() == (score >= GAME.score.high).sum()


def test_shares_of_each_game_sum_to_one_or_nothing() -> None:
    played = table(4, "strategies").play(0, DEALS, keep_rows=True)
    assert played.totals is not None
    outcome = played.rows["outcome"]
    shares = outcome["win_share"].sum(axis=1)
    assert set(shares.tolist()) <= {0, SHARE_UNIT}
    assert ((shares == 0) == (outcome["nobody"] == 1)).all()
    winners = outcome["won"].sum(axis=1)
    assert ((winners > 1) == (outcome["shared"] == 1)).all()
    column = GAME.seat_columns.index("win_share")
    for grouping in (BY_STRATEGY, BY_SEAT, BY_PLACE):
        assert played.totals["sum"][grouping, column].sum() == shares.sum()


def chunks(arena: Table, cuts: list[int]) -> list[Totals]:
    found = []
    for first, last in itertools.pairwise(cuts):
        totals = arena.play(first, last).totals
        assert totals is not None
        found.append(totals)
    return found


@pytest.mark.parametrize("seed", range(5))
def test_chunks_merge_in_any_order(seed: int) -> None:
    rng = random.Random(seed)
    arena = table(3, "strategies")
    whole = digest(arena.play(0, DEALS).totals)
    cuts = sorted({0, DEALS, *rng.sample(range(1, DEALS), 8)})
    parts = chunks(arena, cuts)
    rng.shuffle(parts)
    while len(parts) > 1:  # like a tree, any two at a time
        one, other = parts.pop(rng.randrange(len(parts))), parts.pop(rng.randrange(len(parts)))
        parts.append(merge(merge(None, one), other))
    assert digest(parts[0]) == whole


def test_merging_leaves_the_other_as_it_was() -> None:
    arena = table(3, "none")
    one, other = chunks(arena, [0, 5, 10])
    before = digest(one), digest(other)
    total = merge(None, one)
    assert digest(total) == before[0]
    merge(total, other)
    assert (digest(one), digest(other)) == before
    assert digest(total) == digest(arena.play(0, 10).totals)


def test_an_empty_range_counts_nothing() -> None:
    played = table(3, "strategies").play(5, 5, keep_rows=True)
    assert played.totals is not None
    assert not any(array.any() for array in played.totals.values())
    assert len(played.rows) == 0
