"""The rules of 干杯, asked of the kernels: what must hold.

Areas and cards are text, see `positions`. The ids are those of the rule sheet.
"""

from __future__ import annotations

import random
from typing import Any

import pytest

from sim.core.engine import Table
from sim.core.jit import JIT
from sim.games.kanpai import GAME
from sim.games.kanpai.view import pair_bit
from sim.probe import switches_with
from tests.arena import lineup, random_switches
from tests.games.kanpai.positions import at_table, glasses

pytestmark = pytest.mark.both_modes

MODES = ("base", "master", "masquerade", "three_teams")


def play_games(players: int, switches: dict[str, Any], n: int, seed: int) -> None:
    table = Table(GAME, players, switches, lineup(GAME, players), seed, "none")
    played = table.play(0, n, check=True)
    assert played.fault is None, (switches, played.fault)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("mode", MODES)
def test_k44_invariants_in_each_mode(players: int, mode: str) -> None:
    rng = random.Random(f"{players} {mode}")
    for n in range(20 if JIT else 2):
        given = {"mode": mode, "max_turns": rng.choice([20, 60, 300])}
        switches = switches_with(GAME, players, rng, given)
        if switches is not None:
            play_games(players, switches, 50 if JIT else 1, n)
    if (mode, players) not in {("master", 3), ("three_teams", 4), ("three_teams", 5)}:
        play_games(players, GAME.defaults() | {"mode": mode}, 1000 if JIT else 1, 44)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("switch", GAME.switches, ids=lambda switch: switch.name)
def test_k44_invariants_for_each_value_of_a_switch(players: int, switch: Any) -> None:
    rng = random.Random(f"{players} {switch.name}")
    for value in switch.words or (switch.low, switch.low + 1):
        switches = switches_with(GAME, players, rng, {switch.name: value})
        is_of_masters = value == "master" or switch.name.startswith("master_")  # not for three
        assert switches is not None or is_of_masters or value == "three_teams"
        if switches is not None:
            play_games(players, switches, 40 if JIT else 1, 44)


@pytest.mark.parametrize("players", GAME.players)
def test_k44_invariants_for_random_switches(players: int) -> None:
    rng = random.Random(players)
    for n in range(60 if JIT else 3):
        play_games(players, random_switches(GAME, players, rng), 20 if JIT else 1, n)


@pytest.mark.parametrize(
    ("tamper", "invariant"),
    [
        (lambda game: game.state.held.__setitem__(4, 7), "one place"),
        (lambda game: setattr(game.table, "n_deck", 3), "one place"),
        (lambda game: game.table.area.__setitem__(0, glasses("R")), "areas or were discarded"),
        (lambda game: game.state.hand.__setitem__(1, 1), "hands keep"),
        (lambda game: game.table.n_hand.__setitem__(1, 2), "hands keep"),
        (lambda game: game.table.n_returned.__setitem__(1, 2), "hands keep"),
        (lambda game: setattr(game.table.rules, "cap", 2), "keep their limit"),
        (lambda game: game.state.recipe.__setitem__(0, glasses("GRB")), "five glasses"),
        (lambda game: game.state.recipe.__setitem__(0, glasses("GGGRB")), "five glasses"),
        (lambda game: game.state.recipe.__setitem__(0, glasses("GRBYP")), "five glasses"),
        (lambda game: setattr(game.state, "teams", 0), "as many members"),
        (lambda game: setattr(game.state, "toast_to", 0), "can do something"),
    ],
)
def test_k44_a_broken_invariant_is_found(tamper: Any, invariant: str) -> None:
    game = at_table("RBY", hands=("Y/b",))
    game.state.sends = 0
    assert game.broken() == ""
    tamper(game)
    assert invariant in game.broken()


def test_k44_more_broken_invariants_are_found() -> None:
    game = at_table("", "B", hands=("Y/b",)).act("toast Y/b 1")
    game.state.pairs |= pair_bit(1, 2)  # to the target itself
    assert "two places" in game.broken()
    game = at_table("R", "RRBBGG").act("send R 1")
    game.state.drops = 0
    assert "can do something" in game.broken()
    game = at_table("GRBY", "Y")
    game.table.area[0], game.table.area[1] = glasses("GRBYY"), 0
    assert "satisfies" in game.broken()
