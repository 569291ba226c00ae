"""The same game in plain C (tests/bench/schadenfreude.c) gives the same games, seat by seat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.bench.c_twin import COMPILER, GAME_COLUMNS, SEAT_COLUMNS, CTwin, has_compiler
from tests.bench.one_core import PLAYERS, differing_sums, lineups, table

LINEUPS = [
    pytest.param(lineup, id=f"{players}-{name}")
    for players in sorted(PLAYERS)
    for name, lineup in lineups(players).items()
]
FAR = 2**61  # deals far from 0, and a seed near the end of its range
LARGE_SEED = 2**63 - 1


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> CTwin:
    if not has_compiler():
        pytest.skip(f"no {COMPILER} on this machine")
    folder: Path = tmp_path_factory.mktemp("c")
    return CTwin(folder)


@pytest.mark.parametrize(("seed", "first"), [(7, 0), (LARGE_SEED, FAR)])
@pytest.mark.parametrize("lineup", LINEUPS)
def test_c_plays_the_same_games(twin: CTwin, lineup: list[str], seed: int, first: int) -> None:
    players, last = len(lineup), first + 200
    played = table(lineup, seed).play(first, last, keep_rows=True)
    result = twin.play(lineup, seed, first, last, keep_rows=True)
    assert played.fault is None and played.rows is not None and result.rows is not None
    assert len(played.rows) == len(result.rows)
    for name in ("deal", "rotation"):
        np.testing.assert_array_equal(played.rows[name], result.rows[name], name)
    np.testing.assert_array_equal(played.rows["entry"], result.rows["entry"][:, :players])
    outcome = played.rows["outcome"]
    for name in ("status", "start", *GAME_COLUMNS):
        np.testing.assert_array_equal(outcome[name], result.rows[name], name)
    for name in SEAT_COLUMNS:
        ours, theirs = outcome[name][:, :players], result.rows[name][:, :players]
        np.testing.assert_array_equal(ours, theirs, name)


@pytest.mark.parametrize("lineup", LINEUPS)
def test_c_finds_the_same_sums(twin: CTwin, lineup: list[str]) -> None:
    totals = table(lineup, 11).play(0, 3000).totals
    assert totals is not None
    assert differing_sums(totals, twin.play(lineup, 11, 0, 3000)) == []
