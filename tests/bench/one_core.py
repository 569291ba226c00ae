"""Games a second on one core: our engine against plain C and against the naive twin."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np

from sim import catalog
from sim.core.engine import Table
from tests.bench.c_twin import GAME_COLUMNS, SEAT_COLUMNS, STRATEGIES, CTwin, Result
from tests.bench.measure import Measurement, in_turn, median_ratio, medians
from tests.naive import schadenfreude as naive

GAME = catalog.game("schadenfreude")
SEED = 1
PAIRS = 15
GAMES = 60_000  # about 0.15 s, short enough that a busy machine is the same for both of a pair
PLAYERS = (4, 3, 5)
AT_LEAST = {"uniform": 1.3, "highest": 0.85, "lowest": 0.85, "mixed": 0.85}  # four players
NAIVE_GAMES = 40


def lineups(players: int) -> dict[str, list[str]]:
    """The line-ups that are measured: each strategy alone, and all in turn."""
    alone = {name: [name] * players for name in STRATEGIES}
    return alone | {"mixed": list(islice(cycle(STRATEGIES), players))}


def table(lineup: list[str], seed: int) -> Table:
    """Our engine with default rules and this line-up."""
    entrants = [catalog.load(name, GAME.name) for name in lineup]
    return Table(GAME, len(lineup), GAME.defaults(), entrants, seed)


def differing_sums(totals: dict[str, np.ndarray[Any, Any]], other: Result) -> list[str]:
    """Names of the sums in which our totals and those of the C file differ."""
    players = totals["sum"].shape[2]
    found = [] if totals["games"][0] == other.sums["games"] else ["games"]
    for grouping, name in enumerate(("by_strategy", "by_seat")):
        ours, theirs = totals["sum"][grouping], other.sums[name][:, :players]
        differ = (ours != theirs).any(axis=1)
        found += [f"{column} {name}" for column, d in zip(SEAT_COLUMNS, differ, strict=True) if d]
    differ = totals["game_sum"] != other.sums["by_game"]
    return found + [column for column, d in zip(GAME_COLUMNS, differ, strict=True) if d]


def seconds_of(play: Callable[[], Any]) -> tuple[float, Any]:
    """Processor time of this thread: what other programs take meanwhile does not count."""
    began = time.thread_time()
    result = play()
    return time.thread_time() - began, result


def against_c(twin: CTwin, lineup: list[str], games: int = GAMES) -> list[tuple[float, float]]:
    """Games a second of our engine and of C in turn, on the same deals.

    Raises
    ------
    AssertionError
        The results are not the same.
    """
    ours = table(lineup, SEED)
    ours.warm()
    deals = games // ours.rotations
    results: list[Any] = []

    def play_ours(i: int) -> float:
        seconds, played = seconds_of(lambda: ours.play(i * deals, (i + 1) * deals))
        assert played.fault is None, played.fault
        results.append(played.totals)
        return deals * ours.rotations / seconds

    def play_c(i: int) -> float:
        seconds, result = seconds_of(lambda: twin.play(lineup, SEED, i * deals, (i + 1) * deals))
        differing = differing_sums(results.pop(), result)
        assert not differing, f"not the same results as C: {', '.join(differing)}"
        return deals * ours.rotations / seconds

    in_turn(play_ours, play_c, 1)  # the first time all memory and code is cold
    return in_turn(play_ours, play_c, PAIRS)


def measure_c(folder: Path) -> Iterator[Measurement]:
    """The ratio to plain C for each number of players and line-up."""
    twin = CTwin(folder)
    for players in PLAYERS:
        for name, lineup in lineups(players).items():
            pairs = against_c(twin, lineup)
            ours, c = medians(pairs)
            yield Measurement(
                f"ratio to C, {players} players, {name}",
                median_ratio(pairs),
                "",
                at_least=AT_LEAST[name] if players == 4 else None,
                note=f"{ours:,.0f} to {c:,.0f} games/s",
                values=pairs,
            )


def measure_naive() -> Measurement:
    """The ratio to the naive twin, four players, uniform."""
    ours = table(["uniform"] * 4, SEED)
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
