"""Games played twice, by the kernels and by a naive twin: what the tests of all games share.

The kernels deal and their strategies choose; the twin gets what was dealt and chosen, refuses what
the rules do not allow, and must agree with all that follows from it.
"""

from __future__ import annotations

import json
import random
from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, ClassVar

from sim import tables
from sim.core.engine import STATUS_WORDS, Replayed, Table
from sim.core.game import SHARE_UNIT, Game
from sim.core.loop import OVER, PAUSED
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
    """A table of kernels and the twin that follows it.

    A game says how its twin is told what was dealt and chosen, and what the two are to agree on.
    """

    CHOICES: ClassVar[tuple[str, ...]] = ()  # events that are alike in a transcript and the twin

    def __init__(self, case: Case, twin: Any) -> None:
        self.case, self.twin = case, twin
        self.table = case.table()
        self.table.log.on = 1
        self.entries = self.table.begin(case.deal, case.rotation)

    @abstractmethod
    def deal(self, deal: Line, start: int) -> None:
        """Give the twin what the kernels have dealt."""

    @abstractmethod
    def choose(self, choice: Line, events: list[Line]) -> None:
        """Let the twin do what the strategy chose; `events` followed from it."""

    @abstractmethod
    def view_of_twin(self) -> Line:
        """What the seat to move has for itself, and may do; asked before it decides."""

    @abstractmethod
    def view_of_kernels(self, me: Any) -> Line:
        """The same by the kernels; asked when it has decided."""

    @abstractmethod
    def compare(self) -> None:
        """Compare what everybody sees, after a decision with all that follows from it."""

    @abstractmethod
    def check(self, lines: list[Line]) -> None:
        """Check a transcript, line by line."""

    def kinds(self) -> dict[str, Any]:
        """What kind of game it was."""
        return {
            "players": self.case.players,
            "status": self.twin.events[-1]["status"],
            "winners": min(len(self.twin.winners), 2),
        }

    def new_events(self) -> list[Line]:
        """What the kernels have written down since the last call."""
        events = read_log(self.table.log)
        game = Replayed(self.case.deal, self.case.rotation, self.entries, events, {})
        found = self.table.kernels.text.events(game, self.case.players, self.case.switches)
        return list(found)

    def play(self) -> None:
        """Play to the end, replay it and check its transcript."""
        twin, status = self.twin, PAUSED
        self._deal(self.new_events())
        while status == PAUSED:
            seat, expected = twin.to_move, self.view_of_twin()
            status = self.table.advance(1)
            me = self.table.seat_view(seat)
            assert me.seat == seat
            assert self.view_of_kernels(me) == expected
            choice, *events = self.new_events()
            assert choice["seat"] == seat
            self.choose(choice, events)
            if not twin.in_round and not twin.over:
                self._deal(events[-2:])
            self.compare()
        assert status == OVER
        assert twin.over
        self._compare_end()

    def _deal(self, events: list[Line]) -> None:
        opening, deal = events
        self.deal(deal, opening["start"])
        assert opening["round"] == self.twin.rounds

    def _compare_end(self) -> None:
        """Compare the outcome, then the game replayed, and its transcript."""
        twin = self.twin
        measures = {"score": twin.totals}
        measures |= {m.name: getattr(twin, m.name) for m in self.case.game.measures}
        compare_outcome(self.table.conclude(), twin, **measures)
        replayed, lines = self.case.replay()
        compare_outcome(replayed.outcome, twin, **measures)
        choices = [line for line in lines if line["type"] in self.CHOICES]
        kept = [event for event in twin.events if event["type"] in self.CHOICES]
        for line, event in zip(choices, kept, strict=True):
            assert {key: line[key] for key in event} == event
        self.check(lines)


def play_cases(pair: Callable[[Case], Pair], cases: Sequence[Case]) -> Counter[Any]:
    """Play games with both; return how often each kind and each value of each switch took part."""
    seen: Counter[Any] = Counter()
    for case in cases:
        try:
            played = pair(case)
            played.play()
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"{case}: {error}") from error
        seen.update(played.kinds().items())
        for name, value in case.switches.items():
            seen[name, tuple(value) if isinstance(value, list) else value] += 1
    return seen


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
