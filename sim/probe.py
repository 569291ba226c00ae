"""Try one strategy and see what it does: the side of the compliance kit that plays.

`python -m sim.probe` plays in a process of its own, since a strategy may hang or bring its process
down; `sim.compliance` starts it and judges. Nothing here knows a game.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import random
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

from sim import catalog, tables
from sim.board import DEAL, DECISION, GAMES, NOBODY, ROTATION, SEAT, WORDS, attach
from sim.core import loop
from sim.core.engine import Table
from sim.core.foreign import seed_foreign
from sim.core.game import BASELINE, Game, Switch, Words
from sim.core.records import argument, blank, offset_of
from sim.core.rng import STREAM, open_stream
from sim.core.state import read_log
from sim.experiment import Experiment, Lineup, Variant, frozen
from sim.kinds import Count
from sim.replay import blame, replay_command
from sim.workers import go_aside

ONE_KIND = (Words("a decision", "决策"),)
SECONDS = 60.0  # for the survey at each number of players
DEALS, MOST_DEALS = 5, 50  # by the same rules in search of rare kinds: at first, and if they come
NEVER = 20_000  # games after which a kind that has not come is not waited for
FEW, EVERY = 50, 20  # decisions of a kind that are asked again: the first, and then one of so many
WORLDS = 3  # that are redrawn for each of these
SIGNED_GAMES = 10  # at each number of players, each with a signature
SIGNED_SECONDS = 3.0
COURSE = tuple(10 * 2**k for k in range(9))  # decisions after which a course is signed
COURSE_SECONDS, COURSE_SEED = 0.5, 8
BOUND_DECISIONS, BOUND_SECONDS = 200, 2.0  # of each kind at a bound of a parameter
TRACED_DEALS = 3
PAIRS, PAIR_SECONDS, PAIR_DEALS = 5, 0.02, 2**14  # of runs whose speed is compared


# Rules at random


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
    for _ in range(100):
        chosen = {switch.name: random_value(switch, rng) for switch in game.switches} | given
        chosen |= {name: game.switch(name).default for name in game.idle(chosen)} | given
        if not catalog.rules_problems(game, players, chosen):
            return chosen
    return None


def usual_rules(game: Game, players: int) -> dict[str, Any]:
    """The default rules; where they do not fit so many players the first random ones that do."""
    usual = game.defaults()
    if not catalog.rules_problems(game, players, usual):
        return usual
    return switches_with(game, players, random.Random(game.name), {}) or usual


# The strategy


class Subject:
    """A strategy that is tried: it takes seats, and says how to see a game of it again.

    Parameters
    ----------
    game
        Name of the game.
    text
        The strategy, as `catalog.parse` reads it.
    """

    def __init__(self, game: str, text: str, values: str = "") -> None:
        self.values = values  # of its parameters, as they were given to it here
        self.game, self.spec = catalog.game(game), catalog.parse(text, game)

    @property
    def kinds(self) -> tuple[Words, ...]:
        """What there is to decide about."""
        view = import_module(f"{self.game.package}.view")
        found: tuple[Words, ...] = getattr(view, "DECISIONS", ONE_KIND)
        return found

    def lay(
        self, players: int, switches: dict[str, Any], seed: int = 0, *, alone: bool = True
    ) -> Table:
        """A table with the strategy in all seats, or in one against the baseline."""
        return tables.lay(self.experiment(players, switches, seed, alone).seating(0))

    def experiment(
        self, players: int, switches: dict[str, Any], seed: int, alone: bool
    ) -> Experiment:
        """The same as an experiment."""
        others = self.spec.text if alone else BASELINE
        lineup = Lineup("", (self.spec.text, *(others for _ in range(players - 1))))
        rules = {key: frozen(value) for key, value in switches.items()}
        return Experiment(
            self.game.name, players, (lineup,), (Variant("", (*rules.items(),)),), 1, seed
        )

    def at_bounds(self) -> Iterator[Subject]:
        """The strategy with each parameter, and with all, at the low and at the high end."""
        parameters = self.spec.file.parameters
        groups = [[parameter] for parameter in parameters]
        for group in [*groups, *([[*parameters]] if len(parameters) > 1 else [])]:
            for end in ("low", "high"):
                values = "".join(f":{one.name}={getattr(one, end)}" for one in group)
                yield Subject(self.game.name, self.spec.file.name + values, values[1:])


@dataclass
class Seen:
    """What was seen of a strategy; `faults` has two languages for each check that failed."""

    decisions: dict[int, list[int]] = field(default_factory=dict)  # by players, of each kind
    rule_sets: int = 0
    asked_again: int = 0
    longest: float = 0.0  # seconds for a decision
    faults: dict[str, tuple[str, str]] = field(default_factory=dict)
    bounds: list[str] = field(default_factory=list)  # values of parameters that were tried
    games: dict[str, str] = field(default_factory=dict)  # signature of each signed game
    courses: dict[str, list[str]] = field(default_factory=dict)  # signatures by players
    traced: int = 0  # games
    speed: dict[str, float] = field(default_factory=dict)  # games a second, and pairs by strategy

    @property
    def plays(self) -> bool:
        """Whether a run of its games comes to its end."""
        return not {"legal", "raises", "unchanged"} & set(self.faults)


class Play:
    """One game of the subject, a decision at a time."""

    def __init__(self, table: Table, experiment: Callable[[], Experiment], slot: Any) -> None:
        self.table, self.experiment, self.slot = table, experiment, slot
        self.view, self.rules = table.kernels.view, table.kernels.rules
        label = table.lineup[0].label
        self.own = [entrant.label == label for entrant in table.lineup]
        self.writable = 8 * offset_of(table.kernels.me, "rng")[0]
        self.deal = self.rotation = 0

    def begin(self, deal: int, rotation: int) -> None:
        """Deal a game, and compile what is not compiled, unwatched by the clock."""
        self.slot[SEAT] = NOBODY
        self.deal, self.rotation = deal, rotation
        self.entries = self.table.begin(deal, rotation)
        self.table.advance(0)
        _ = self.seat
        self.slot[DEAL], self.slot[ROTATION] = deal, rotation

    @property
    def seat(self) -> int:
        """The seat to act."""
        return int(self.rules.seat_to_act(argument(self.table.state)))

    @property
    def kind(self) -> int:
        """What the seat to act decides about, an index of `Subject.kinds`."""
        of = getattr(self.view, "decision_of", None)
        return int(of(self.table.state.table)) if of else 0

    def is_own(self, seat: int) -> bool:
        """Whether the subject sits there."""
        return self.own[self.entries[seat]]

    def step(self, seat: int) -> int:
        """One decision; returns how the loop ended."""
        self.slot[SEAT], self.slot[DECISION] = seat, self.table.job.decisions
        self.slot[GAMES] += 1  # so that each question is another one to whoever watches
        return self.table.advance(1)

    def ask(self, seat: int, seed: int, state: bytes | None = None) -> tuple[int, bytes]:
        """The action, and what the seat has written; then all is as it was before.

        Parameters
        ----------
        seed
            Of all random generators that are not the game's.
        state
            A state in which the seat sees the same; by default the true one.
        """
        table, me = self.table, self.table.seat_view(seat)
        before = bytes(table.state.data), bytes(me.data), table.job.decisions
        table.job.watch = 0
        if state is not None:
            table.state.data[:] = state
        seed_foreign(seed)
        self.step(seat)
        answer = int(table.job.action), bytes(me.data[self.writable :])
        table.state.data[:], me.data[:], table.job.decisions = before
        return answer

    def worlds(self, seat: int) -> Iterator[bytes]:
        """States in which the seat sees the same, all else drawn anew."""
        self.slot[SEAT] = NOBODY  # nobody is asked, and the first time it is compiled
        kernels = self.table.kernels
        me, rng = blank(kernels.me), blank(STREAM)
        me.data[:] = self.table.seat_view(seat).data
        self.view.observe(argument(self.table.state), argument(me))
        open_stream(argument(rng), self.deal, self.table.job.decisions, 0, 0)
        for _ in range(WORLDS):
            world = blank(kernels.state)
            known = argument(self.table.state.table)
            self.view.sample_world(known, argument(me), argument(rng), argument(world))
            yield bytes(world.data)

    def examine(self, seat: int, faults: dict[str, tuple[str, str]]) -> None:
        """Ask once more, with other random generators, and in other worlds."""
        seed = 2 * (1000 * self.deal + self.table.job.decisions)
        first = self.ask(seat, seed)
        if self.ask(seat, seed) != first:
            self.note(faults, "deterministic", "two answers to one question", "同一问题两种回答")
            return
        if self.ask(seat, seed + 1) != first:
            self.note(
                faults,
                "own_stream",
                "another seed of a random generator that is not me.rng changes the answer",
                "改变 me.rng 以外的随机数种子会改变回答",
            )
        for world in self.worlds(seat):
            if self.ask(seat, seed, world) != first:
                self.note(
                    faults,
                    "peeks",
                    "hidden cards drawn anew change the answer",
                    "重新抽取看不见的牌会改变回答",
                )
                return

    def note(self, faults: dict[str, tuple[str, str]], check: str, en: str, zh: str) -> None:
        """Keep the first fault of a check with its place."""
        if check in faults:
            return
        at, again = self.table.job.decisions, self.again
        faults[check] = (
            f"{en} (decision {at} of deal {self.deal}); see the game with: {again}",
            f"{zh}（第 {self.deal} 副牌第 {at} 个决策）；重看这一局：{again}",
        )

    def note_fault(self, faults: dict[str, tuple[str, str]], check: str, status: int) -> None:
        """Keep a fault as the run would report it."""
        if check not in faults:
            line = blame(self.experiment(), 0, self.table.fault(status))
            faults[check] = (line, line)
        self.slot[SEAT] = NOBODY  # not before: the table may keep in the slot whose fault it is

    @property
    def again(self) -> str:
        """The command that shows this game."""
        return replay_command(self.experiment(), 0, self.deal, self.rotation)


class Probe:
    """Tries a strategy in all ways and keeps what it sees.

    Parameters
    ----------
    slot
        int64 words of a `Board`, which show where the strategy is.
    folder
        Where the experiment at hand is written down, for whoever finds the process dead.
    """

    def __init__(self, subject: Subject, slot: Any = None, folder: Path | None = None) -> None:
        self.subject, self.seen, self.folder = subject, Seen(), folder
        self.slot = np.zeros(WORDS, np.int64) if slot is None else slot

    def lay(
        self,
        players: int,
        switches: dict[str, Any],
        seed: int = 0,
        *,
        alone: bool = True,
    ) -> Play:
        """A table of the subject, and a note of where it is."""
        self.slot[SEAT] = NOBODY

        def experiment() -> Experiment:
            return self.subject.experiment(players, switches, seed, alone)

        if self.folder:
            (self.folder / "place.toml").write_text(experiment().to_toml(), encoding="utf-8")
        table = self.subject.lay(players, switches, seed, alone=alone)
        return Play(table, experiment, self.slot)

    def survey(self, players: int, decisions: int, seconds: float = SECONDS) -> None:
        """Play under random rules until so many decisions of each kind were met, or time is up.

        The first games, with so many decisions in all, are played a decision at a time, and what
        the strategy writes to the wrong place is put back. Then kinds that are still missing are
        counted at full speed. A fault that ends a game ends the survey.
        """
        end = time.monotonic() + seconds
        rng = random.Random(f"{self.subject.game.name} {players}")
        careful = np.zeros(len(self.subject.kinds), np.int64)
        is_over = True
        for number in itertools.count():
            if careful.sum() >= decisions or time.monotonic() > end or not is_over:
                break
            play = self._lay_at_random(players, rng, number)
            is_over = self._play_carefully(play, number, number % play.table.rotations, careful)
        counts = careful.copy()
        if is_over:
            self._count(players, decisions, end, counts, careful)
        self.seen.decisions[players] = counts.tolist()

    def _lay_at_random(self, players: int, rng: random.Random, number: int) -> Play:
        """A table with random rules, on which the subject sits alone every other time."""
        game = self.subject.game
        switches = switches_with(game, players, rng, {}) or usual_rules(game, players)
        self.seen.rule_sets += 1
        return self.lay(players, switches, number, alone=number % 2 == 0)

    def _play_carefully(self, play: Play, deal: int, rotation: int, met: Any) -> bool:
        """Play one game, add to what was met of each kind, and ask often of the first ones.

        Returns whether it came to its end.
        """
        faults, table = self.seen.faults, play.table
        play.begin(deal, rotation)
        watch, status = 1, loop.PAUSED
        while status == loop.PAUSED:
            seat = play.seat
            if not play.is_own(seat):
                status = play.step(seat)
                continue
            kind = play.kind
            if met[kind] < FEW or met[kind] % EVERY == 0:
                play.examine(seat, faults)
                self.seen.asked_again += 1
            met[kind] += 1
            before = bytes(table.seat_view(seat).data)
            table.job.watch = watch
            began = time.perf_counter()
            status = play.step(seat)
            self.seen.longest = max(self.seen.longest, time.perf_counter() - began)
            if status == loop.WROTE:
                play.note_fault(faults, "unchanged", status)
                table.seat_view(seat).data[:] = before
                table.job.watch = watch = 0
                status = play.step(seat)
        return self._is_over(play, status)

    def _count(self, players: int, decisions: int, end: float, counts: Any, careful: Any) -> None:
        """Play at full speed until so many decisions of each kind were met, or time is up.

        Rules by which a kind that is still missing comes up are kept for more deals. `counts` and
        `careful` are modified in place.
        """
        rng, games = random.Random(f"{self.subject.game.name} {players} kinds"), 0

        def missing() -> Any:
            return (counts < decisions) & ((counts > 0) | (games < NEVER))

        for number in itertools.count():
            if not missing().any() or time.monotonic() > end:
                return
            play = self._lay_at_random(players, rng, number)
            count = Count(play.table, play.own, counts, self.slot)
            for first in range(0, MOST_DEALS, DEALS):
                before, deals = counts.copy(), range(first, first + DEALS)
                for deal, rotation in itertools.product(deals, range(play.table.rotations)):
                    if not missing().any() or time.monotonic() > end:
                        return
                    if not self._count_game(play, count, deal, rotation, careful):
                        return
                    games += 1
                if not (missing() & (counts > before)).any():
                    break

    def _count_game(self, play: Play, count: Count, deal: int, rotation: int, careful: Any) -> bool:
        """Count what is decided in one game; returns whether play can go on.

        With a kind that was met fewer than FEW times with care it is played again with care.
        """
        before, faults = count.counts.copy(), self.seen.faults
        status = count.play(deal, rotation, watch="unchanged" not in faults)
        if status == loop.WROTE:
            play.note_fault(faults, "unchanged", status)
            return True
        if not self._is_over(play, status):
            return False
        if ((count.counts > before) & (careful < FEW)).any():
            return self._play_carefully(play, deal, rotation, careful)
        return True

    def _is_over(self, play: Play, status: int) -> bool:
        """Whether a game came to its end; if not, why is kept."""
        if status != loop.OVER:
            check = "raises" if status == loop.RAISED else "legal"
            play.note_fault(self.seen.faults, check, status)
        return status == loop.OVER

    def bounds(self, decisions: int = BOUND_DECISIONS) -> None:
        """Play at the ends of all parameters, with the fewest and the most players."""
        for bounded in self.subject.at_bounds():
            values = bounded.values
            other = Probe(bounded, self.slot, self.folder)
            for players in {min(self.subject.game.players), max(self.subject.game.players)}:
                other.survey(players, decisions, BOUND_SECONDS)
            self.seen.bounds.append(values)
            for check in ("legal", "raises"):
                if check in other.seen.faults:
                    self.seen.faults.setdefault("bounds", other.seen.faults[check])

    def sign_games(self, order: Sequence[str] | None = None) -> None:
        """Sign whole games; given the names of games, these in this order."""
        game = self.subject.game
        plays: dict[int, Play] = {}

        def sign(players: int, deal: int) -> None:
            if players not in plays:
                plays[players] = self.lay(players, usual_rules(game, players))
            self.seen.games[f"{players} {deal}"] = self._sign_game(plays[players], deal)

        for name in order or ():
            players, deal = map(int, name.split())
            sign(players, deal)
        for players in () if order else game.players:
            began = time.monotonic()
            for deal in range(SIGNED_GAMES):
                if deal < 2 or time.monotonic() - began < SIGNED_SECONDS:
                    sign(players, deal)

    def _sign_game(self, play: Play, deal: int) -> str:
        play.begin(deal, 0)
        found = hashlib.sha256()
        for _ in self._signed(play, found):
            pass
        return found.hexdigest()[:16]

    def _signed(self, play: Play, found: Any) -> Iterator[int]:
        """Play on and add all that happens; yields after each decision how the loop ended."""
        table, status = play.table, loop.PAUSED
        table.log.on, table.log.size = 1, 0
        while status == loop.PAUSED:
            status = play.step(play.seat)
            found.update(str((status, table.job.action, read_log(table.log))).encode())
            yield status
        # Not the whole state: of what no rule looks at any more an earlier game may be left.
        for seat in range(table.players):
            found.update(table.seat_view(seat).data)
        table.log.on = 0

    def course(self, players: int, seconds: float = COURSE_SECONDS) -> list[str]:
        """Signatures after 10, 20, 40 ... decisions over as many deals as it takes, within time."""
        play = self.lay(players, usual_rules(self.subject.game, players), COURSE_SEED)
        found, signatures, taken, deal, began = hashlib.sha256(), [], 0, 0, time.monotonic()
        while True:
            play.begin(deal, 0)
            for _ in self._signed(play, found):
                taken += 1
                if taken in COURSE:
                    signatures.append(found.hexdigest()[:16])
                if taken == COURSE[-1] or (signatures and time.monotonic() - began > seconds):
                    play.table.log.on = 0
                    return signatures
            deal += 1

    def trace(self) -> None:
        """Play some games and replay them."""
        for players in self.subject.game.players:
            play = self.lay(players, usual_rules(self.subject.game, players), alone=False)
            play.begin(0, 0)
            played = play.table.play(0, TRACED_DEALS, keep_rows=True, progress=self.slot)
            for row in () if played.rows is None else played.rows:
                play.deal, play.rotation = int(row["deal"]), int(row["rotation"])
                self.slot[SEAT] = NOBODY
                replayed = play.table.replay(play.deal, play.rotation)
                names = row["outcome"].dtype.names
                outcome = {name: row["outcome"][name].tolist() for name in names}
                if replayed.fault or replayed.outcome != outcome:
                    en, zh = "its replay ends otherwise", "重放的结局不同"
                    play.note(self.seen.faults, "traced", en, zh)
                self.seen.traced += 1

    def clock(self) -> None:
        """Compare its speed with every other strategy of the game, in pairs, medians of each."""
        game = self.subject.game
        players = min(game.players)
        rules = usual_rules(game, players)
        own = _Pace(self.lay(players, rules).table, self.slot)
        rates = []
        for name in catalog.strategies(game.name):
            other = _Pace(Subject(game.name, name).lay(players, rules), self.slot)
            pairs = [(own.rate(), other.rate()) for _ in range(PAIRS)]
            rates += [mine for mine, _ in pairs]
            self.seen.speed[name] = median(mine / theirs for mine, theirs in pairs)
        self.seen.speed[""] = median(rates)


class _Pace:
    """How many games a second a table plays."""

    def __init__(self, table: Table, slot: Any) -> None:
        self.table, self.slot, self.deals = table, slot, 1
        table.warm()
        while self._play() < PAIR_SECONDS and self.deals < PAIR_DEALS:
            self.deals *= 2

    def _play(self) -> float:
        seconds = self.table.play(0, self.deals, progress=self.slot).seconds
        self.slot[SEAT] = NOBODY
        return seconds

    def rate(self) -> float:
        """Games a second, now."""
        return self.deals * self.table.rotations / self._play()


def main() -> None:
    """Do what the request on the command line says, and leave what was seen in its folder."""
    go_aside()
    request = json.loads(sys.argv[1])
    folder = Path(request["folder"])
    with attach(request["board"]).playing(1) as slot:
        probe = Probe(Subject(request["game"], request["strategy"]), slot, folder)
        seed_foreign(request["seed"])
        _TASKS[request["task"]](probe, request)
        slot[SEAT] = NOBODY
    (folder / "seen.json").write_text(json.dumps(asdict(probe.seen)), encoding="utf-8")


def _all(probe: Probe, request: dict[str, Any]) -> None:
    players = probe.subject.game.players
    probe.sign_games()
    _courses(probe, request)
    for count in players:
        probe.survey(count, request["decisions"])
    if probe.seen.plays:
        probe.bounds()
        probe.trace()
        probe.clock()


def _games(probe: Probe, request: dict[str, Any]) -> None:
    probe.sign_games(request["order"])


def _courses(probe: Probe, request: dict[str, Any]) -> None:
    for players in probe.subject.game.players:
        probe.seen.courses[str(players)] = probe.course(players)


_TASKS = {"all": _all, "games": _games, "courses": _courses}


if __name__ == "__main__":
    main()
