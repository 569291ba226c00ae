"""Games a second on one core: our engine against plain C and against the naive twin."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np

from sim import catalog
from sim.core.engine import Table
from sim.core.game import Game
from tests.bench.c_twin import CTwin, Measured, Result, measured_games
from tests.bench.measure import Measurement, in_turn, median_ratio, medians
from tests.bench.processes import run_each
from tests.naive import schadenfreude as naive

NAIVE = catalog.game("schadenfreude")
SEED = 1
PAIRS = 15
GAMES, NAIVE_GAMES = 60_000, 40  # against the naive twin


def table(game: Game, lineup: list[str], seed: int) -> Table:
    """Our engine with default rules and this line-up."""
    entrants = [catalog.load(name, game.name) for name in lineup]
    return Table(game, len(lineup), game.defaults(), entrants, seed)


def differing_sums(game: Game, totals: dict[str, np.ndarray[Any, Any]], other: Result) -> list[str]:
    """Names of the sums in which our totals and those of the C file differ."""
    players = totals["sum"].shape[2]
    found = [] if totals["games"][0] == other.sums["games"] else ["games"]
    for grouping, name in enumerate(("by_strategy", "by_seat")):
        ours, theirs = totals["sum"][grouping], other.sums[name][:, :players]
        differ = (ours != theirs).any(axis=1)
        columns = zip(game.seat_columns, differ, strict=True)
        found += [f"{column} {name}" for column, d in columns if d]
    differ = totals["game_sum"] != other.sums["by_game"]
    return found + [column for column, d in zip(game.game_columns, differ, strict=True) if d]


def seconds_of(play: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time of this thread: what other programs take meanwhile does not count."""
    began = time.thread_time()
    result = play()
    return time.thread_time() - began, result


def against_c(twin: CTwin, lineup: list[str]) -> list[tuple[float, float]]:
    """Games a second of our engine and of C in turn, on the same deals.

    Raises
    ------
    AssertionError
        The results are not the same.
    """
    game = twin.measured.game
    ours = table(game, lineup, SEED)
    ours.warm()
    deals = twin.measured.games // ours.rotations
    results: list[Any] = []

    def play_ours(i: int) -> float:
        seconds, played = seconds_of(lambda: ours.play(i * deals, (i + 1) * deals))
        assert played.fault is None, played.fault
        results.append(played.totals)
        return deals * ours.rotations / seconds

    def play_c(i: int) -> float:
        seconds, result = seconds_of(lambda: twin.play(lineup, SEED, i * deals, (i + 1) * deals))
        differing = differing_sums(game, results.pop(), result)
        assert not differing, f"not the same results as C: {', '.join(differing)}"
        return deals * ours.rotations / seconds

    in_turn(play_ours, play_c, 1)  # the first time all memory and code is cold
    return in_turn(play_ours, play_c, PAIRS)


def measure_c(folder: Path) -> Iterator[Measurement]:
    """The ratio to plain C for each game, number of players and line-up."""
    for measured in measured_games():
        yield from measure_game(measured, folder)


def measure_game(measured: Measured, folder: Path) -> Iterator[Measurement]:
    """The ratios of one game.

    Our code is compiled by another process and loaded from the cache, as it is in all runs but the
    first: code of the process that compiled it lies scattered over memory, each function on a page
    of its own (measured in the game of the shortest rounds: 6 % slower).
    """
    run_each(measured.game.name, measured.strategies, folder)
    twin = CTwin(measured, folder)
    for players in measured.players:
        for name, lineup in measured.lineups(players).items():
            pairs = against_c(twin, lineup)
            ours, c = medians(pairs)
            yield Measurement(
                f"{measured.game.name} to C, {players} players, {name}",
                median_ratio(pairs),
                "",
                at_least=measured.at_least[name] if players == measured.players[0] else None,
                note=f"{ours:,.0f} to {c:,.0f} games/s",
                values=pairs,
            )


def measure_naive() -> Measurement:
    """The ratio to the naive twin, four players, uniform."""
    ours = table(NAIVE, ["uniform"] * 4, SEED)
    ours.warm()
    rng = random.Random(SEED)
    rules = dict(naive.DEFAULTS)

    def play_naive_games() -> None:
        for _ in range(NAIVE_GAMES):
            naive.play_game(naive.Game(4, rules), rng)

    def play_ours(i: int) -> float:
        seconds, played = seconds_of(lambda: ours.play(i * GAMES, (i + 1) * GAMES))
        return float(played.games / seconds)

    def play_naive(i: int) -> float:
        seconds, _ = seconds_of(play_naive_games)
        return NAIVE_GAMES / seconds

    pairs = in_turn(play_ours, play_naive, 7)
    fast, slow = medians(pairs)
    note = f"{fast:,.0f} to {slow:,.0f} games/s"
    name = "ratio to the naive twin, 4 players, uniform"
    return Measurement(name, median_ratio(pairs), "", note=note, values=pairs)
