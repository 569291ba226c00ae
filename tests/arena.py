"""What tests of games have in common: every strategy, random switches, a number for results."""

from __future__ import annotations

import functools
import hashlib
import importlib
import random
from typing import Any

import numpy as np

from sim import catalog
from sim.core.engine import Entrant, Table
from sim.core.game import Game
from sim.core.tally import Totals
from sim.experiment import Experiment
from sim.probe import Subject, switches_with
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


class Tried(Subject):
    """A strategy of any game, the miniature one too, for the probe of the compliance kit."""

    def __init__(self, game: Game, name: str) -> None:
        self.game, self.name, self.values = game, name, ""

    def lay(
        self, players: int, switches: dict[str, Any], seed: int = 0, *, alone: bool = True
    ) -> Table:
        names = (self.name,) if alone else (self.name, "uniform")
        return Table(self.game, players, switches, lineup(self.game, players, *names), seed)

    def experiment(
        self, players: int, switches: dict[str, Any], seed: int, alone: bool
    ) -> Experiment:
        return Subject(self.game.name, self.name).experiment(players, switches, seed, alone)


def random_switches(game: Game, players: int, rng: random.Random) -> dict[str, Any]:
    """A random value for every switch, fitting together."""
    chosen = switches_with(game, players, rng, {})
    assert chosen is not None
    return chosen


def rounds_of(table: Table, n_rounds: int) -> int:
    """Play whole deals until so many rounds have passed, checked after each action."""
    rounds, deal = 0, 0
    while rounds < n_rounds:
        played = table.play(deal, deal + 1, keep_rows=True, check=True)
        assert played.fault is None, played.fault
        assert played.rows is not None
        rounds += int(played.rows["outcome"]["rounds"].sum())
        deal += 1
    return rounds


def digest(totals: Totals | None) -> str:
    """A short text that is equal for equal results."""
    assert totals is not None
    words = hashlib.sha256()
    for name, array in sorted(totals.items()):
        words.update(f"{name} {array.shape} ".encode() + np.ascontiguousarray(array).tobytes())
    return words.hexdigest()[:16]
