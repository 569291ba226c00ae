"""Play the chunks of an experiment with several workers.

Workers compute and the head writes. A worker is sent names and numbers, finds game and strategies
through the catalog, and keeps its table for the next chunk.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count, pairwise
from typing import TYPE_CHECKING, Any

from sim import tables
from sim.board import NOBODY, SEAT
from sim.errors import Failure
from sim.experiment import Experiment, Seating
from sim.replay import blame, unanswered
from sim.results import Memory, Run
from sim.schedule import Chunk, Schedule
from sim.store.parquet import rows_file
from sim.workers import GLANCE, Unanswered, Workers

if TYPE_CHECKING:
    from sim.core.engine import Fault, Played

BACKENDS = ("threads", "processes")
AIM = {"summary": 0.3, "games": 0.1}  # seconds a chunk; rows of games take memory on their way
MOST_HUNG, MOST_ENDED = 20, 200  # games of a session that are forfeited for want of an answer
LOOKED_THROUGH = 100  # deals at a time, for the first fault

Hang = tuple[int, int, int]  # deal, rotation and decision at which a strategy gave no answer
Watch = Callable[[Memory, int], None]  # told what is finished, and games played beyond it
Tell = Callable[[str], None]


@dataclass(frozen=True)
class Task:
    """A chunk with all that a worker must know to play it, in names and numbers."""

    chunk: Chunk
    seating: Seating
    keep_rows: bool
    hangs: tuple[Hang, ...]  # known ones of its cell


@dataclass(frozen=True)
class Done:
    """What came of a task; `rows` is the file of its games, packed by the worker."""

    task: Task
    played: Played
    rows: bytes | None
    ended: float  # time.time() when it was played


class Stopwatch:
    """Playing time: how long at least one chunk was being played."""

    def __init__(self) -> None:
        self.spans: list[tuple[float, float]] = []  # disjoint, in order

    def add(self, began: float, ended: float) -> float:
        """Seconds by which a chunk makes the time longer."""
        before, spans = self._total(), sorted([*self.spans, (began, ended)])
        self.spans = spans[:1]
        for start, end in spans[1:]:
            last_start, last_end = self.spans[-1]
            if start <= last_end:
                self.spans[-1] = last_start, max(last_end, end)
            else:
                self.spans.append((start, end))
        return self._total() - before

    def _total(self) -> float:
        return sum(end - start for start, end in self.spans)


def play(
    experiment: Experiment,
    store: Memory,
    *,
    jobs: int = 1,
    backend: str = "threads",
    watch: Watch | None = None,
    tell: Tell | None = None,
    hang_seconds: float | None = None,
) -> Run:
    """Play what is missing in the store and return the finished run.

    Parameters
    ----------
    jobs
        Number of workers.
    backend : {'threads', 'processes'}
        What workers are. Results are the same; strategies that are not built in always play in
        processes, which can be ended where one hangs, and lost.
    watch
        Called some ten times a second.
    tell
        Called with a line when a strategy hangs or ends its process for the first time, and the
        game is forfeited.
    hang_seconds
        How long a strategy may think about one decision; by default HANG_SECONDS of the workers.

    Raises
    ------
    Mistake
        A strategy cannot be imported or compiled.
    Failure
        A strategy plays against the rules, raises, hangs or ends its process, or the store cannot
        write. The store keeps what is finished. Where faults forfeit the game
        (`experiment.on_fault`) only a strategy that writes what it may not stops the run, and
        strategies that give no answer in more games than MOST_HUNG or MOST_ENDED.
    """
    if store.is_finished:
        return store.finish()
    for cell in range(len(experiment.cells)):
        # All machine code is on disk before a worker asks for it.
        tables.lay(experiment.seating(cell)).warm()
    in_processes = backend == "processes" or experiment.has_foreign
    with Workers(jobs, in_processes=in_processes, hang_seconds=hang_seconds) as workers:
        head = _Head(experiment, store, workers, tell or (lambda line: None))
        head.run(watch or (lambda store, games: None))
    if store.lost:
        with Workers(in_processes=in_processes, hang_seconds=hang_seconds) as workers:
            for name, chunk in store.lost.items():
                store.first_faults[name] = head.first_fault(name, chunk, workers)
    return store.finish()


def _play(slot: Any, task: Task) -> Done:
    """Play a chunk; in any thread, or in any process that can import this module."""
    table, chunk = tables.kept(task.seating), task.chunk
    played = table.play(
        chunk.first, chunk.last, keep_rows=task.keep_rows, progress=slot, hangs=task.hangs
    )
    slot[SEAT] = NOBODY  # what takes its time from here on is no strategy's doing
    ended = time.time()
    if played.fault:
        tables.forget(task.seating)
    rows, played.rows = played.rows, None
    return Done(task, played, None if rows is None else rows_file(rows), ended)


def _find_fault(
    slot: Any, seating: Seating, chunk: Chunk, name: str, hangs: Sequence[Hang]
) -> tuple[int, int, Fault | None]:
    """Deal and rotation of the first game of a chunk that a strategy lost, and its fault.

    There is none to see where it is one of the games that hung.
    """
    from sim.core.state import FORFEIT

    table = tables.kept(seating)
    labels = [entrant.label for entrant in table.lineup]
    for first in range(chunk.first, chunk.last, LOOKED_THROUGH):
        last = min(first + LOOKED_THROUGH, chunk.last)
        rows = table.play(first, last, keep_rows=True, progress=slot, hangs=hangs).rows
        assert rows is not None, "what was played once plays again"
        for row in rows[rows["outcome"]["status"] == FORFEIT]:
            loser = int(row["outcome"]["win_share"][: seating.players].argmin())
            place = int(row["deal"]), int(row["rotation"])
            if labels[row["entry"][loser]] == name:
                has_hung = place in {hang[:2] for hang in hangs}
                return *place, None if has_hung else table.replay(*place).fault
    raise AssertionError(f"{name} lost no game of {chunk}")


class _Head:
    """Hands out chunks, keeps what comes back, and says what went wrong."""

    def __init__(self, experiment: Experiment, store: Memory, workers: Workers, tell: Tell) -> None:
        self.experiment, self.store, self.workers, self.tell = experiment, store, workers, tell
        schedule = Schedule(experiment, store.done, jobs=workers.jobs, aim=AIM[experiment.mode])
        self.schedule = schedule
        self.chunks = iter(schedule)
        self.again: list[Chunk] = []  # to be played once more, since their process was lost
        self.numbers = count(1)
        self.on_the_way: dict[int, Task] = {}
        self.fault: tuple[Task, Fault] | None = None  # the first one in the order of deals
        self.hangs: dict[int, list[Hang]] = {}  # games without an answer, of each cell
        self.lines: dict[tuple[int, int, int], str] = {}  # on these, by cell, deal and rotation
        self.lost = {True: 0, False: 0}  # how many of them hung, and how many ended their process
        self.clock = Stopwatch()

    def run(self, watch: Watch) -> None:
        """Play until nothing is missing, or until something goes wrong."""
        looked = 0.0
        try:
            while self._hand_out():
                try:
                    found = self.workers.answer()
                except Unanswered as lost:
                    self._give_up(lost)
                    continue
                if found:
                    self._keep(*found)
                if time.monotonic() - looked > GLANCE:
                    looked = time.monotonic()
                    watch(self.store, self.workers.games)
        finally:
            for found in self.workers.stop():
                with contextlib.suppress(Failure):  # a full disk was reported before
                    self._keep(*found)
        watch(self.store, 0)
        if self.fault:
            task, fault = self.fault
            raise Failure(blame(self.experiment, task.chunk.cell, fault))

    def first_fault(self, name: str, chunk: Chunk, workers: Workers) -> str:
        """How a strategy lost its first game of this chunk, in a line that does not name it."""
        experiment, cell = self.experiment, chunk.cell
        seating, hangs = experiment.seating(cell), self.hangs.setdefault(cell, [])
        while True:
            try:
                deal, turn, fault = workers.call(_find_fault, seating, chunk, name, hangs)
            except Unanswered as lost:  # in a game that an earlier session has forfeited
                self._note(lost, cell)
                continue
            line = blame(experiment, cell, fault) if fault else self.lines[cell, deal, turn]
            return line.removeprefix(f"strategy {name}").removeprefix(":").strip()

    def _hand_out(self) -> bool:
        """Keep the workers busy unless something went wrong; whether anything is on its way."""
        experiment, keep_rows = self.experiment, self.experiment.mode == "games"
        while not (self.fault or self.workers.is_full):
            chunk = self.again.pop(0) if self.again else next(self.chunks, None)
            if chunk is None:
                break
            hangs = (*self.hangs.get(chunk.cell, ()),)
            number = next(self.numbers)
            task = Task(chunk, experiment.seating(chunk.cell), keep_rows, hangs)
            self.on_the_way[number] = task
            self.workers.begin(number, _play, task)
        return bool(self.on_the_way)

    def _keep(self, number: int, done: Done) -> None:
        task, played = self.on_the_way.pop(number), done.played
        if played.totals is None:
            assert played.fault is not None
            if self.fault is None or _place(task, played.fault) < _place(*self.fault):
                self.fault = task, played.fault
            return
        seconds = self.clock.add(done.ended - played.seconds, done.ended)
        self.schedule.learn(task.chunk, played.seconds)
        self.store.add(task.chunk, played.totals, done.rows, seconds)

    def _give_up(self, lost: Unanswered) -> None:
        """Let a game be forfeited for which there is no answer, or stop."""
        stuck = lost.stuck
        chunk = self.on_the_way[stuck.number].chunk
        forfeits = self.experiment.on_fault == "forfeit" and stuck.seat >= 0 and lost.is_own
        if not (forfeits and self.workers.in_processes):
            line = unanswered(self.experiment, chunk.cell, lost)
            raise Failure(f"deals {chunk.first}:{chunk.last} cannot be finished: {line}")
        line, hung = self._note(lost, chunk.cell), lost.code is None
        self.lost[hung] += 1
        most = MOST_HUNG if hung else MOST_ENDED
        if self.lost[hung] > most:
            kept = (
                "is kept, and the same command goes on"
                if self.store.folder
                else "is lost, without --out"
            )
            raise Failure(
                f"stopped after {most:,} games that were lost for want of an answer (what is "
                f"finished {kept}): {line}"
            )
        if self.lost[hung] == 1:
            self.tell(f"{line}; this game is lost for it, as up to {most:,} like this will be")
        for number in lost.numbers:
            again = self.on_the_way.pop(number).chunk
            cuts = [again.first, again.last]
            if number == stuck.number:
                # Its deal goes alone, so that each is kept however many more will hang.
                cuts[1:1] = stuck.deal, stuck.deal + 1
            parts = [replace(again, first=a, last=b) for a, b in pairwise(cuts) if a < b]
            self.again += parts

    def _note(self, lost: Unanswered, cell: int) -> str:
        """Remember a game for which there is no answer; the line on it."""
        stuck = lost.stuck
        line = unanswered(self.experiment, cell, lost)
        self.hangs.setdefault(cell, []).append((stuck.deal, stuck.rotation, stuck.decision))
        self.lines[cell, stuck.deal, stuck.rotation] = line
        return line


def _place(task: Task, fault: Fault) -> tuple[int, int, int]:
    return task.chunk.cell, fault.deal, fault.rotation
