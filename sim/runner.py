"""Play the chunks of an experiment with several workers.

Workers compute and the head writes. A worker is sent names and numbers, finds game and strategies
through the catalog, and keeps its table for the next chunk.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim import tables
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

Hang = tuple[int, int, int]  # deal, rotation and decision at which a strategy gave no answer
Watch = Callable[[Memory, int], None]  # told what is finished, and games played beyond it


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
    hang_seconds
        How long a strategy may think about one decision; by default HANG_SECONDS of the workers.

    Raises
    ------
    Mistake
        A strategy cannot be imported or compiled.
    Failure
        A strategy plays against the rules, raises, hangs or ends its process, or the store cannot
        write. The store keeps what is finished. Where faults forfeit the game
        (`experiment.on_fault`) only a strategy that writes what it may not stops the run.
    """
    if store.is_finished:
        return store.finish()
    for cell in range(len(experiment.cells)):
        # All machine code is on disk before a worker asks for it.
        tables.lay(experiment.seating(cell)).warm()
    in_processes = backend == "processes" or experiment.has_foreign
    hangs: dict[int, list[Hang]] = {}
    while True:
        with Workers(jobs, in_processes=in_processes, hang_seconds=hang_seconds) as workers:
            head = _Head(experiment, store, workers, hangs)
            head.run(watch or (lambda store, games: None))
        if head.hung is None:
            return store.finish()
        cell, hang = head.hung  # the processes are gone: go on with new ones that know of it
        hangs.setdefault(cell, []).append(hang)


def _play(slot: Any, task: Task) -> Done:
    """Play a chunk; in any thread, or in any process that can import this module."""
    table, chunk = tables.kept(task.seating), task.chunk
    played = table.play(
        chunk.first, chunk.last, keep_rows=task.keep_rows, progress=slot, hangs=task.hangs
    )
    ended = time.time()
    if played.fault:
        tables.forget(task.seating)
    rows, played.rows = played.rows, None
    return Done(task, played, None if rows is None else rows_file(rows), ended)


class _Head:
    """Hands out chunks, keeps what comes back, and says what went wrong."""

    def __init__(
        self,
        experiment: Experiment,
        store: Memory,
        workers: Workers,
        hangs: Mapping[int, Sequence[Hang]],
    ) -> None:
        self.experiment, self.store, self.workers, self.hangs = experiment, store, workers, hangs
        schedule = Schedule(experiment, store.done, jobs=workers.jobs, aim=AIM[experiment.mode])
        self.schedule = schedule
        self.on_the_way: dict[int, Task] = {}
        self.fault: tuple[Task, Fault] | None = None  # the first one in the order of deals
        self.hung: tuple[int, Hang] | None = None  # a game that is to be forfeited
        self.clock = Stopwatch()

    def run(self, watch: Watch) -> None:
        """Play until nothing is missing, or until something goes wrong."""
        tasks, looked = self._tasks(), 0.0
        try:
            while self._hand_out(tasks):
                found = self.workers.answer()
                if found:
                    self._keep(*found)
                if time.monotonic() - looked > GLANCE:
                    looked = time.monotonic()
                    watch(self.store, self.workers.games)
        except Unanswered as lost:
            self._give_up(lost)
        finally:
            for found in self.workers.stop():
                with contextlib.suppress(Failure):  # a full disk was reported before
                    self._keep(*found)
        watch(self.store, 0)
        if self.fault:
            task, fault = self.fault
            raise Failure(blame(self.experiment, task.chunk.cell, fault))

    def _tasks(self) -> Iterator[tuple[int, Task]]:
        experiment = self.experiment
        for number, chunk in enumerate(self.schedule, start=1):
            seating, keep_rows = experiment.seating(chunk.cell), experiment.mode == "games"
            yield number, Task(chunk, seating, keep_rows, (*self.hangs.get(chunk.cell, ()),))

    def _hand_out(self, tasks: Iterator[tuple[int, Task]]) -> bool:
        """Keep the workers busy unless something went wrong; whether anything is on its way."""
        while not (self.fault or self.workers.is_full):
            number, task = next(tasks, (0, None))
            if task is None:
                break
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
        if forfeits and self.workers.in_processes:
            self.hung = chunk.cell, (stuck.deal, stuck.rotation, stuck.decision)
            return
        line = unanswered(self.experiment, chunk.cell, lost)
        raise Failure(f"deals {chunk.first}:{chunk.last} cannot be finished: {line}")


def _place(task: Task, fault: Fault) -> tuple[int, int, int]:
    return task.chunk.cell, fault.deal, fault.rotation
