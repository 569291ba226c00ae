"""Play the chunks of an experiment with several workers. The only module that knows joblib.

Workers compute and the head writes. A worker is sent names and numbers, finds game and strategies
through the catalog, and keeps its table for the next chunk. Another way to spread the work needs
changes here only.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import queue
import signal
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from multiprocessing import resource_tracker
from typing import TYPE_CHECKING

from sim import catalog
from sim.board import Board, Stuck, ending, stay_with
from sim.errors import Failure
from sim.experiment import Experiment, Seating
from sim.replay import blame, hanging, unanswered
from sim.results import Memory, Run
from sim.schedule import Chunk, Schedule
from sim.store.parquet import rows_file

if TYPE_CHECKING:
    from sim.core.engine import Fault, Played, Table

BACKENDS = {"threads": "threading", "processes": "loky"}  # our word, joblib's word
HANG_SECONDS = 10.0  # without a decision: the strategy that was asked hangs
GLANCE = 0.1  # seconds between two looks of the head while nothing is finished
AIM = {"summary": 0.3, "games": 0.1}  # seconds a chunk; rows of games take memory on their way
TABLES = 16  # a worker keeps
OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)  # exit codes that do not come from a strategy
HEAD = "fairdeal-head"  # thread that waits for the workers

Hang = tuple[int, int, int]  # deal, rotation and decision at which a strategy gave no answer
Watch = Callable[[Memory, int], None]  # told what is finished, and games played beyond it


@dataclass(frozen=True)
class Task:
    """A chunk with all that a worker must know to play it: names, numbers, where to report."""

    number: int  # from 1
    chunk: Chunk
    seating: Seating
    keep_rows: bool
    hangs: tuple[Hang, ...]  # known ones of its cell
    board: Board
    head: int  # process that gave it


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


def n_cores() -> int:
    """Cores that this process may use."""
    import joblib

    return int(joblib.cpu_count())


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
        Results are the same; a strategy that hangs can only be stopped in a process, and one that
        ends its process takes the head along if it plays in a thread.
    watch
        Called some ten times a second.
    hang_seconds
        How long a strategy may think about one decision; by default HANG_SECONDS.

    Raises
    ------
    Mistake
        A strategy cannot be imported or compiled.
    Failure
        A strategy plays against the rules, raises, hangs or ends its process, or the store cannot
        write. The store keeps what is finished. Where faults forfeit the game
        (`experiment.on_fault`) only a strategy that hangs in a thread stops the run, and one that
        writes what it may not.
    """
    if store.is_finished:
        return store.finish()
    for cell in range(len(experiment.cells)):
        # All machine code is on disk before a worker asks for it.
        catalog.lay_table(experiment.seating(cell)).warm()
    hangs: dict[int, list[Hang]] = {}
    while True:
        with Board(is_shared=backend == "processes") as board:
            head = _Head(experiment, store, board, jobs, backend, hangs)
            head.run(watch or (lambda store, games: None), hang_seconds or HANG_SECONDS)
        if head.hung is None:
            return store.finish()
        cell, hang = head.hung  # the processes are gone: go on with new ones that know of it
        hangs.setdefault(cell, []).append(hang)


# Workers

_worker = threading.local()


def _play(task: Task) -> Done:
    """Play a chunk; in any thread, or in any process that can import this module."""
    stay_with(task.head, task.board)
    tables: dict[Seating, Table] = _worker.__dict__.setdefault("tables", {})
    if task.seating not in tables:
        if len(tables) >= TABLES:
            tables.clear()
        tables[task.seating] = catalog.lay_table(task.seating)
    with task.board.playing(task.number) as progress:
        chunk = task.chunk
        played = tables[task.seating].play(
            chunk.first, chunk.last, keep_rows=task.keep_rows, progress=progress, hangs=task.hangs
        )
        ended = time.time()
    if played.fault:
        del tables[task.seating]  # a strategy may have written anywhere
    rows, played.rows = played.rows, None
    return Done(task, played, None if rows is None else rows_file(rows), ended)


# Head


class _Head:
    """Hands out chunks, keeps what comes back, and watches that all go on playing."""

    def __init__(
        self,
        experiment: Experiment,
        store: Memory,
        board: Board,
        jobs: int,
        backend: str,
        hangs: Mapping[int, Sequence[Hang]],
    ) -> None:
        self.experiment, self.store, self.board = experiment, store, board
        self.jobs, self.backend, self.hangs = jobs, BACKENDS[backend], hangs
        self.schedule = Schedule(experiment, store.done, jobs=jobs, aim=AIM[experiment.mode])
        self.on_the_way: dict[int, Task] = {}
        self.finished: queue.SimpleQueue[Done | BaseException | None] = queue.SimpleQueue()
        self.is_stopping = False
        self.fault: tuple[Task, Fault] | None = None  # the first one in the order of deals
        self.hung: tuple[int, Hang] | None = None  # a game that is to be forfeited
        self.workers: dict[int, multiprocessing.process.BaseProcess] = {}  # by process id
        self.clock = Stopwatch()

    def run(self, watch: Watch, hang_seconds: float) -> None:
        """Play until nothing is missing, or until something goes wrong."""
        # A thread of its own waits for joblib, so that this one can watch, show and be interrupted.
        waiting = threading.Thread(target=self._work, name=HEAD, daemon=True)
        waiting.start()
        looked = 0.0
        try:
            while self.hung is None:
                # Remembered here, since joblib forgets all processes as soon as one has ended.
                self.workers |= {p.pid or 0: p for p in multiprocessing.active_children()}
                with contextlib.suppress(queue.Empty):
                    item = self.finished.get(timeout=GLANCE)
                    if item is None:
                        break
                    if isinstance(item, BaseException):
                        self._look_for_ended(item)
                        break
                    self._keep(item)
                if time.monotonic() - looked > GLANCE:
                    looked = time.monotonic()
                    watch(self.store, self.board.games(self.on_the_way))
                    self._look_for_hanging(hang_seconds)
        finally:
            self._stop(waiting)
        watch(self.store, 0)
        if self.fault:
            task, fault = self.fault
            raise Failure(blame(self.experiment, task.chunk.cell, fault))

    def _stop(self, waiting: threading.Thread) -> None:
        """Hand out nothing more, and keep what is finished by now."""
        self.is_stopping = True
        waiting.join(timeout=1.0)
        if waiting.is_alive() and self.backend == "loky":
            self.board.kill(self.on_the_way)
            waiting.join(timeout=1.0)
        while not self.finished.empty():
            item = self.finished.get()
            if isinstance(item, Done):
                with contextlib.suppress(Failure):  # a full disk was reported before
                    self._keep(item)

    def _work(self) -> None:
        import joblib

        if self.backend == "loky":
            # Processes that this thread starts inherit the mask: Ctrl-C is for the head alone.
            # Python's tracker of resources lifts the mask when it starts, so it starts before.
            resource_tracker.ensure_running()
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
        try:
            parallel = joblib.Parallel(
                self.jobs, backend=self.backend, return_as="generator_unordered", batch_size=1
            )
            for item in parallel(joblib.delayed(_play)(task) for task in self._tasks()):
                self.finished.put(item)
            self.finished.put(None)
        except BaseException as error:
            self.finished.put(error)

    def _tasks(self) -> Iterator[Task]:
        experiment = self.experiment
        for number, chunk in enumerate(self.schedule, start=1):
            while self.finished.qsize() > 4 * self.jobs and not self.is_stopping:
                time.sleep(0.005)  # the disk is slower than the workers
            if self.is_stopping:
                return
            seating, keep_rows = experiment.seating(chunk.cell), experiment.mode == "games"
            hangs = tuple(self.hangs.get(chunk.cell, ()))
            task = Task(number, chunk, seating, keep_rows, hangs, self.board, os.getpid())
            self.on_the_way[number] = task
            yield task

    def _keep(self, done: Done) -> None:
        task, played = done.task, done.played
        del self.on_the_way[task.number]
        if played.totals is None:
            assert played.fault is not None
            self.is_stopping = True
            if self.fault is None or _place(task, played.fault) < _place(*self.fault):
                self.fault = task, played.fault
            return
        seconds = self.clock.add(done.ended - played.seconds, done.ended)
        self.schedule.learn(task.chunk, played.seconds)
        self.store.add(task.chunk, played.totals, done.rows, seconds)

    def _look_for_hanging(self, limit: float) -> None:
        stuck = self.board.find_stuck(self.on_the_way, limit)
        if stuck:
            self._give_up(stuck, hanging(limit))

    def _look_for_ended(self, error: BaseException) -> None:
        """Find the strategy that ended its process; joblib kills the processes of the others."""
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        if not isinstance(error, TerminatedWorkerError):
            raise error
        for process, worker in self.workers.items():
            code = worker.exitcode
            stuck = self.board.find_ended(self.on_the_way, process)
            if stuck and code is not None and code not in OUTSIDE:
                self._give_up(stuck, f"was asked last: its process {ending(code)}")
                return
        raise Failure("a worker process was ended from outside, perhaps for lack of memory")

    def _give_up(self, stuck: Stuck, why: str) -> None:
        """Let a game be forfeited for which there is no answer, or stop."""
        chunk = self.on_the_way[stuck.number].chunk
        forfeits = self.experiment.on_fault == "forfeit"
        if forfeits and self.backend == "loky":
            self.hung = chunk.cell, (stuck.deal, stuck.rotation, stuck.decision)
            return
        place = (stuck.deal, stuck.rotation, stuck.seat)
        line = unanswered(self.experiment, chunk.cell, *place, why)
        hint = "; --backend processes can end it and go on" if forfeits else ""
        raise Failure(f"deals {chunk.first}:{chunk.last} cannot be finished: {line}{hint}")


def _place(task: Task, fault: Fault) -> tuple[int, int, int]:
    return task.chunk.cell, fault.deal, fault.rotation
