"""The same games in plain C (tests/bench/*.c) are the same games, seat by seat."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from tests.bench.c_twin import COMPILER, FOLDER, CTwin, has_compiler, measured_games
from tests.bench.one_core import differing_sums, table

GAMES = {measured.game.name: measured for measured in measured_games()}
LINEUPS = [
    pytest.param(game, lineup, id=f"{game}-{players}-{name}")
    for game, measured in GAMES.items()
    for players in sorted(measured.players)
    for name, lineup in measured.lineups(players).items()
]
FAR = 2**61  # deals far from 0, and a seed near the end of its range
LARGE_SEED = 2**63 - 1
every_lineup = pytest.mark.parametrize(("game", "lineup"), LINEUPS)


@pytest.fixture(scope="module")
def twins(tmp_path_factory: pytest.TempPathFactory) -> dict[str, CTwin]:
    if not has_compiler():
        pytest.skip(f"no {COMPILER} on this machine")
    folder: Path = tmp_path_factory.mktemp("c")
    return {name: CTwin(measured, folder) for name, measured in GAMES.items()}


def test_every_game_in_c_says_how_it_is_measured() -> None:
    assert {file.stem for file in FOLDER.glob("*.c")} == set(GAMES)
    for measured in GAMES.values():
        assert set(measured.at_least) == set(measured.lineups(measured.players[0]))


@pytest.mark.parametrize(("seed", "first"), [(7, 0), (LARGE_SEED, FAR)])
@every_lineup
def test_c_plays_the_same_games(
    twins: dict[str, CTwin], game: str, lineup: list[str], seed: int, first: int
) -> None:
    data, players, last = GAMES[game].game, len(lineup), first + 200
    played = table(data, lineup, seed).play(first, last, keep_rows=True)
    result = twins[game].play(lineup, seed, first, last, keep_rows=True)
    assert played.fault is None and played.rows is not None and result.rows is not None
    assert len(played.rows) == len(result.rows)
    for name in ("deal", "rotation"):
        np.testing.assert_array_equal(played.rows[name], result.rows[name], name)
    np.testing.assert_array_equal(played.rows["entry"], result.rows["entry"][:, :players])
    outcome = played.rows["outcome"]
    for name in ("status", "start", *data.game_columns):
        np.testing.assert_array_equal(outcome[name], result.rows[name], name)
    for name in data.seat_columns:
        ours, theirs = outcome[name][:, :players], result.rows[name][:, :players]
        np.testing.assert_array_equal(ours, theirs, name)


@every_lineup
def test_c_finds_the_same_sums(twins: dict[str, CTwin], game: str, lineup: list[str]) -> None:
    data = GAMES[game].game
    totals = table(data, lineup, 11).play(0, 3000).totals
    assert totals is not None
    assert differing_sums(data, totals, twins[game].play(lineup, 11, 0, 3000)) == []
