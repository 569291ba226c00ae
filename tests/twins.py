"""Games played twice, by the kernels and by a naive twin: what the tests of all games share.

The kernels deal and their strategies choose; the twin gets what was dealt and chosen, refuses what
the rules do not allow, and must agree with all that follows from it.
"""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

from sim import tables
from sim.core.engine import STATUS_WORDS, Replayed, Table
from sim.core.game import SHARE_UNIT, Game
from sim.core.jit import JIT
from sim.core.loop import N_PROGRESS, OVER, PAUSED, SEAT
from sim.core.state import read_log
from sim.experiment import Experiment, Lineup, Variant
from sim.replay import transcript

Line = dict[str, Any]


@dataclass(frozen=True)
class Case:
    """One game to be played twice; the strategies sit in this order, over and over."""

    game: Game = field(repr=False)
    players: int
    switches: dict[str, Any]
    strategies: tuple[str, ...] = ("uniform",)
    rotate: str = "none"
    seed: int = 1
    deal: int = 0
    rotation: int = 0

    @staticmethod
    def random(
        game: Game,
        rng: random.Random,
        players: int,
        switches: dict[str, Any],
        strategies: tuple[str, ...],
    ) -> Case:
        """A game with a random deal and design."""
        case = Case(
            game,
            players,
            switches,
            strategies,
            rotate=rng.choice(["strategies", "hands", "none"]),
            seed=rng.choice([rng.randrange(100), rng.randrange(2**63)]),
            deal=rng.choice([rng.randrange(100), rng.randrange(2**62)]),
        )
        tried = case.experiment
        return replace(case, rotation=rng.randrange(tried.rotations(tried.lineups[0])))

    @staticmethod
    def usual(game: Game, players: int, deal: int, **switches: Any) -> Case:
        """A game of `uniform` by the usual rules but for these switches, the hands turned."""
        rules, turn = game.defaults() | switches, deal % players
        return Case(game, players, rules, rotate="hands", seed=7, deal=deal, rotation=turn)

    @property
    def experiment(self) -> Experiment:
        """The run of which this game is one."""
        names = tuple(self.strategies[i % len(self.strategies)] for i in range(self.players))
        return Experiment(
            game=self.game.name,
            players=self.players,
            lineups=(Lineup("one", names),),
            variants=(Variant("one", tuple(self.switches.items())),),
            deals=1,
            seed=self.seed,
            rotate=self.rotate,
        )

    def table(self) -> Table:
        """A table of kernels for it."""
        return tables.lay(self.experiment.seating(0))

    def replay(self) -> tuple[Replayed, list[Line]]:
        """The game traced, and its transcript as it comes out of a file."""
        replayed = self.table().replay(self.deal, self.rotation)
        assert replayed.fault is None
        lines = transcript(self.experiment, 0, replayed)
        read: list[Line] = json.loads(json.dumps(lines))
        return replayed, read


def compare_outcome(outcome: dict[str, Any], twin: Any, **expected: Any) -> None:
    """Compare what is kept of a game: what all games have, and what is `expected` besides."""
    players, status = twin.players, twin.events[-1]["status"]
    found = {
        name: value[:players] if isinstance(value, list) else value
        for name, value in outcome.items()
    }
    common = {
        "status": STATUS_WORDS.index(status),
        "start": twin.events[0]["start"],
        "win_share": [int(share * SHARE_UNIT) for share in twin.win_share[:players]],
        "won": [int(seat in twin.winners) for seat in range(players)],
        "nobody": int(not twin.winners),
        "shared": int(len(twin.winners) > 1),
        "unfinished": int(status == "unfinished"),
        "draw": int(status == "draw"),
        "decisions": twin.decisions,
    }
    assert found == common | expected


class Pair(ABC):
    """A table of kernels, one game at it, and the twin that follows it.

    A game says how its twin is told what was dealt and chosen, and what the two are to agree on.
    The invariants of the kernels are checked after each action.

    Parameters
    ----------
    table : Table, optional
        One that was laid for the rules and strategies of the case; else it is laid here.
    """

    TWIN: ClassVar[type]

    def __init__(self, case: Case, table: Table | None = None) -> None:
        self.case, self.twin = case, self.TWIN(case.players, case.switches)
        self.table = table or case.table()
        self.views = [self.table.seat_view(seat) for seat in range(case.players)]
        self.table.log.on = self.table.job.check = 1
        self.entries = self.table.begin(case.deal, case.rotation)
        self.progress = np.zeros(N_PROGRESS, np.int64)  # where the kernels are
        self.table.show_in(self.progress)
        self.told: list[Line] = []  # what the kernels have written down
        self.n_agreed = 0  # of that, what the twin is known to say too

    def deal(self, deal: Line, start: int) -> None:
        """Give the twin what the kernels have dealt; of a game in rounds."""
        raise NotImplementedError

    def choose(self, choice: Line, events: list[Line]) -> None:
        """Let the twin do what the strategy chose; `events` followed from it."""
        raise NotImplementedError

    @abstractmethod
    def view_of_twin(self) -> Line:
        """What the seat to move has for itself, and may do."""

    @abstractmethod
    def view_of_kernels(self, me: Any) -> Line:
        """The same by the kernels, as the strategy saw it."""

    @abstractmethod
    def compare(self) -> None:
        """Compare what lies on the table and in hands, before each decision and at the end."""

    @abstractmethod
    def check(self, lines: list[Line]) -> Any:
        """Check a transcript, line by line."""

    def in_order(self, event: Line) -> Line:
        """The event with those lists sorted whose order means nothing."""
        return event

    def kinds(self) -> dict[str, Any]:
        """What kind of game it was."""
        return {
            "players": self.case.players,
            "status": self.twin.events[-1]["status"],
            "winners": min(len(self.twin.winners), 2),
        }

    def measures(self) -> dict[str, Any]:
        """The measures of the game by the twin, at the end."""
        twin = self.twin
        return {"score": twin.totals} | {
            measure.name: getattr(twin, measure.name) for measure in self.case.game.measures
        }

    def new_events(self) -> list[Line]:
        """What the kernels have written down since the last call."""
        events = read_log(self.table.log)
        game = Replayed(self.case.deal, self.case.rotation, self.entries, events, {})
        found = list(self.table.kernels.text.events(game, self.case.players, self.case.switches))
        self.told += found
        return found

    def play(self) -> None:
        """Play to the end; before each decision all must agree, and the seat see the same."""
        status = PAUSED
        self.begin(self.new_events())
        while status == PAUSED:
            self._agree()
            seat = self.seat_to_move()
            status = self.table.advance(1)
            assert status in (PAUSED, OVER), self.table.fault(status)
            me = self.views[seat]
            assert me.seat == seat == self.progress[SEAT]
            seen, expected = self.view_of_kernels(me), self.view_of_twin()
            assert seen == expected, f"{seen}, by the twin {expected}"
            self.follow(self.new_events())
        assert self.twin.over
        self._agree()
        compare_outcome(self.table.conclude(), self.twin, **self.measures())

    def check_transcript(self) -> None:
        """Replay the game at another table: the same events and outcome, by the rules."""
        replayed, lines = self.case.replay()
        compare_outcome(replayed.outcome, self.twin, **self.measures())
        assert lines[1:-1] == self.told
        self.check(lines)

    def seat_to_move(self) -> int:
        """The seat that decides, by the twin."""
        seat: int = self.twin.to_move
        return seat

    def begin(self, events: list[Line]) -> None:
        """Let the twin begin: the last two of the events are a round and its deal."""
        opening, deal = events[-2:]
        self.deal(deal, opening["start"])

    def follow(self, events: list[Line]) -> None:
        """Let the twin decide what the strategy has decided, and begin the round that follows."""
        choice, *after = events
        assert choice["seat"] == self.twin.to_move
        self.choose(choice, after)
        if not self.twin.in_round and not self.twin.over:
            self.begin(after)

    def _agree(self) -> None:
        """Compare the new events, but the twin's result, and all that is seen after them."""
        said = [event for event in self.twin.events[self.n_agreed :] if event["type"] != "result"]
        for line, event in zip(self.told[self.n_agreed :], said, strict=True):
            told, expected = self.in_order(line), self.in_order(event)
            assert {key: told.get(key) for key in expected} == expected, f"{line}, not {event}"
        self.n_agreed = len(self.told)
        self.compare()


def play_case(
    pair: type[Pair], case: Case, table: Table | None = None, *, is_replayed: bool = True
) -> Pair:
    """Play a game with both; the transcript of one that is replayed is checked too."""
    try:
        played = pair(case, table)
        played.play()
        if is_replayed:
            played.check_transcript()
    except (AssertionError, ValueError) as error:
        raise AssertionError(f"{case}: {error}") from error
    return played


def play_cases(pair: type[Pair], cases: Iterable[Case]) -> Counter[Any]:
    """Play games with both; return how often each kind and each value of each switch took part."""
    seen: Counter[Any] = Counter()
    for case in cases:
        seen.update(play_case(pair, case).kinds().items())
        for name, value in case.switches.items():
            seen[name, str(value) if isinstance(value, list) else value] += 1
    return seen


# `uniform` at every table: a sample in `make test`, 10,000 games in `make test-deep`

SAMPLE = range(5 if JIT else 1)
THOUSANDS = [range(first, first + 1000) for first in range(0, 10_000, 1000)]
REPLAYED = 50  # of so many deals the transcript of the first is checked


def play_uniform(
    pair: type[Pair], game: Game, players: int, switches: dict[str, Any], deals: range
) -> None:
    """Play these deals with `uniform` in all seats, the hands turned, at one table of kernels."""
    table = Case.usual(game, players, 0, **switches).table()
    for deal in deals:
        case = Case.usual(game, players, deal, **switches)
        play_case(pair, case, table, is_replayed=deal % REPLAYED == 0)


def uniform_test(
    pair: type[Pair], game: Game, tables: Iterable[tuple[str, int, dict[str, Any]]]
) -> Callable[..., None]:
    """A test of `uniform` at these tables: a name, players, and switches that are not as usual.

    All tables play their first thousand deals before any plays its second.
    """
    parts = [("few", SAMPLE, pytest.mark.both_modes)]
    parts += [(f"from{deals.start:04}", deals, pytest.mark.deep) for deals in THOUSANDS]
    tables = list(tables)

    @pytest.mark.parametrize(
        ("players", "switches", "deals"),
        [
            pytest.param(players, switches, deals, marks=mark, id=f"{name}-{players}-{part}")
            for part, deals, mark in parts
            for name, players, switches in tables
        ],
    )
    def test(players: int, switches: dict[str, Any], deals: range) -> None:
        play_uniform(pair, game, players, switches, deals)

    return test


def expect_difference(pair: type[Pair], game: Game, players: int, **switches: Any) -> None:
    """A fault that a test has planted must be found within the deals of a few games."""
    with pytest.raises(AssertionError, match="Case"):
        play_uniform(pair, game, players, switches, range(1, 30))


# Golden transcripts: games that were read


def write_golden(file: Path, cases: Sequence[Case]) -> None:
    """Write these games anew, a line an event; read the difference before it is committed."""
    lines = [json.dumps(line, ensure_ascii=False) for case in cases for line in case.replay()[1]]
    file.write_text("\n".join(lines) + "\n", encoding="utf-8")


def read_golden(file: Path) -> list[list[Line]]:
    """The games of a golden file, each with its lines."""
    games: list[list[Line]] = []
    for line in map(json.loads, file.read_text(encoding="utf-8").splitlines()):
        if line["type"] == "game":
            games.append([])
        games[-1].append(line)
    return games


def compare_golden(file: Path, cases: Sequence[Case]) -> None:
    """Play these games anew: all must be as it was kept but the version that wrote it."""
    for kept, case in zip(read_golden(file), cases, strict=True):
        played = case.replay()[1]
        for first in (kept[0], played[0]):
            first.pop("version")
        assert played == kept
