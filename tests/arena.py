"""What tests of games have in common: every strategy, random switches, a number for results."""

from __future__ import annotations

import functools
import hashlib
import importlib
import random
from typing import Any

import numpy as np

from sim import catalog
from sim.core.engine import Entrant
from sim.core.game import Game, Switch
from sim.core.tally import Totals
from tests import minigame


def strategy_names(game: Game) -> list[str]:
    """Names of every strategy of a game."""
    return ["uniform"] if game is minigame.GAME else list(catalog.strategies(game.name))


@functools.cache
def entrant(game: str, strategy: str) -> Entrant:
    """A strategy of a game, by their names."""
    if game == minigame.GAME.name:
        module = importlib.import_module(f"{minigame.GAME.package}.{strategy}")
        return Entrant(strategy, module.decide)
    return catalog.load(strategy, game)


def lineup(game: Game, players: int, *names: str) -> list[Entrant]:
    """These strategies over and over, one a seat; `uniform` where none is named."""
    chosen = names or ("uniform",)
    return [entrant(game.name, chosen[seat % len(chosen)]) for seat in range(players)]


def random_value(switch: Switch, rng: random.Random) -> Any:
    """A value of a switch, a small one where the range is wide; the default half the time."""
    if rng.random() < 0.5:
        return switch.default
    low, high = switch.low, switch.high
    if low is None or high is None or (switch.words and rng.random() < 0.5):
        return rng.choice(switch.words)
    if switch.lengths:
        return switch.parse([rng.randint(low, high) for _ in range(rng.choice(switch.lengths))])
    if switch.is_list:
        numbers = range(low, high + 1)
        return sorted(rng.sample(numbers, rng.randint(0, len(numbers) // 2)))
    return rng.randint(low, min(high, low + 60))


def switches_with(
    game: Game, players: int, rng: random.Random, given: dict[str, Any]
) -> dict[str, Any] | None:
    """Random values of the other switches that fit those given; None if no such are found."""
    from sim.core.engine import kernels

    for _ in range(100):
        chosen = {switch.name: random_value(switch, rng) for switch in game.switches} | given
        if not kernels(game).rules.problems(players, chosen):
            return chosen
    return None


def random_switches(game: Game, players: int, rng: random.Random) -> dict[str, Any]:
    """A random value for every switch, fitting together."""
    chosen = switches_with(game, players, rng, {})
    assert chosen is not None
    return chosen


def digest(totals: Totals | None) -> str:
    """A short text that is equal for equal results."""
    assert totals is not None
    words = hashlib.sha256()
    for name, array in sorted(totals.items()):
        words.update(f"{name} {array.shape} ".encode() + np.ascontiguousarray(array).tobytes())
    return words.hexdigest()[:16]
