"""Calls that several workers carry out under watch. The only module that knows joblib.

Workers are threads, or processes where a strategy takes part that may hang or bring its process
down: that can only be ended, and outlived, in a process. A worker is sent a function, names and
numbers, and shows on the board where it is. Another way to spread the work needs changes here only.
"""

from __future__ import annotations

import contextlib
import faulthandler
import multiprocessing
import os
import queue
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future, ThreadPoolExecutor, wait
from multiprocessing import resource_tracker
from types import TracebackType
from typing import Any, NoReturn, Self

from sim import board
from sim.board import Board, Stuck, ending
from sim.errors import Failure

HANG_SECONDS = 10.0  # without a decision: the strategy that was asked hangs
GLANCE = 0.1  # seconds between two looks of the head while nothing is finished
IDLE_SECONDS = 300  # after which a process without work ends
OUTSIDE = (-signal.SIGKILL, -signal.SIGTERM)  # exit codes that need not come from a strategy
THREAD = "fairdeal-worker"
# One core a worker, however many there are: sums of floats must not depend on it.
ONE_CORE = {f"{name}_NUM_THREADS": "1" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")}

Call = Callable[..., Any]  # of the worker's slot on the board, and what else it was sent


class Unanswered(Exception):
    """A call that has no answer: a strategy hangs, or its process has ended.

    Attributes
    ----------
    stuck
        Where it was; seat -1 if no strategy was asked.
    code
        Exit code of the process; None where it hangs, as was seen for so many
    seconds.
    numbers
        All calls that were lost with it: those, too, that waited behind it.
    """

    def __init__(
        self, stuck: Stuck, code: int | None, seconds: float = 0.0, numbers: Sequence[int] = ()
    ) -> None:
        super().__init__("no answer" if code is None else ending(code))
        self.stuck, self.code, self.seconds = stuck, code, seconds
        self.numbers = tuple(numbers)

    @property
    def is_own(self) -> bool:
        """Whether it is the call's own doing; a process may also be killed from outside."""
        return self.code not in OUTSIDE


def n_cores() -> int:
    """Cores that this process may use."""
    import joblib

    return int(joblib.cpu_count())


class _Lane:
    """The calls that go one way: all of the threads, or those of one process, which may be lost."""

    def __init__(self, executor: Any) -> None:
        self.executor = executor
        self.calls: dict[int, Future[Any]] = {}  # on their way, by number


_idle: list[Any] = []  # executors of one process each, kept for later calls


_UNSAID = "ignore:resource_tracker:UserWarning"  # what a process that was ended left behind


def _one_process() -> Any:
    from joblib.externals.loky import ProcessPoolExecutor
    from joblib.externals.loky.backend import resource_tracker as tracker

    before = os.environ.get("PYTHONWARNINGS")
    os.environ["PYTHONWARNINGS"] = f"{before},{_UNSAID}" if before else _UNSAID
    try:  # it clears away in a process of its own, which reads this when it starts
        tracker.ensure_running()
    finally:
        del os.environ["PYTHONWARNINGS"]
        if before:
            os.environ["PYTHONWARNINGS"] = before
    return ProcessPoolExecutor(1, timeout=IDLE_SECONDS, env=ONE_CORE)


class Workers:
    """Some workers, and the calls that are on their way; use it in a `with`.

    Parameters
    ----------
    jobs
        How many.
    in_processes
        Each in a process of its own, which is kept for later calls. One that hangs or ends is
        replaced when there is a next call; the others go on.
    hang_seconds
        How long nothing may change on the board while a strategy is asked; by default HANG_SECONDS.
    """

    def __init__(
        self, jobs: int = 1, *, in_processes: bool = True, hang_seconds: float | None = None
    ) -> None:
        self.jobs, self.in_processes = jobs, in_processes
        self.hang_seconds = hang_seconds or HANG_SECONDS
        self.board = Board(is_shared=in_processes)
        self._lanes: list[_Lane] = []
        self._answers: queue.SimpleQueue[tuple[int, Future[Any]]] = queue.SimpleQueue()
        self._processes: dict[int, multiprocessing.process.BaseProcess] = {}  # by id
        self._looked = 0.0

    def __enter__(self) -> Self:
        if not self.in_processes:
            self._lanes = [_Lane(ThreadPoolExecutor(self.jobs, THREAD))]
            return self
        with _deaf_to_ctrl_c():
            # Python's tracker of resources lifts the mask when it starts, so it starts before.
            resource_tracker.ensure_running()
            for _ in range(self.jobs):
                self._lanes.append(_Lane(_idle.pop() if _idle else _one_process()))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for _ in self.stop():
            pass
        self.board.close()
        self._lanes.clear()  # whoever keeps the traceback of an error keeps no processes

    def _calls(self) -> dict[int, _Lane]:
        """Calls on their way, by number, with the lane of each."""
        return {number: lane for lane in self._lanes for number in lane.calls}

    @property
    def is_full(self) -> bool:
        """Whether every worker has a call at hand and one that waits."""
        return len(self._calls()) >= 2 * self.jobs

    @property
    def games(self) -> int:
        """Games that these have finished by now."""
        return self.board.games(self._calls())

    def begin(self, number: int, function: Call, *words: Any) -> None:
        """Have `function(slot, *words)` called, a function that can be imported by its name."""
        lane = min(self._lanes, key=lambda lane: len(lane.calls))
        call = (_answer, os.getpid(), self.board, number, function, words)
        self.board.free(number)
        with _deaf_to_ctrl_c():
            try:
                future = lane.executor.submit(*call)
            except RuntimeError as error:  # a process has ended, just now or while it was idle
                if lane.calls:
                    future = Future()
                    future.set_exception(error)
                else:
                    lane.executor = _one_process()
                    future = lane.executor.submit(*call)
        lane.calls[number] = future
        future.add_done_callback(lambda future: self._answers.put((number, future)))

    def answer(self) -> tuple[int, Any] | None:
        """The next answer with the number of its call, or None if there was none for a moment.

        Raises
        ------
        Unanswered
            There will be none; what was lost can be begun anew.
        Failure
            A process has ended that was not at work for us.
        """
        self._remember()
        if time.monotonic() - self._looked > GLANCE:
            self._looked = time.monotonic()
            calls = self._calls()
            stuck = self.board.find_stuck(calls, self.hang_seconds)
            if stuck:
                raise Unanswered(stuck, None, self.hang_seconds, self._give_up(calls[stuck.number]))
        with contextlib.suppress(queue.Empty):
            number, future = self._answers.get(timeout=GLANCE)
            lane = self._calls().get(number)
            if lane and lane.calls[number] is future:  # and not one that was given up
                return number, self._answer_of(lane, number)
        return None

    def _remember(self) -> None:
        """Keep hold of all processes; joblib forgets one as soon as it has ended."""
        self._processes |= {
            process.pid or 0: process for process in multiprocessing.active_children()
        }

    def call(self, function: Call, *words: Any) -> Any:
        """Call it and wait for the answer, alone; raises as `answer` and the function itself."""
        self.begin(1, function, *words)
        while (found := self.answer()) is None:
            pass
        return found[1]

    def stop(self) -> Iterator[tuple[int, Any]]:
        """Begin nothing more, give a moment to what is at hand, and yield what came of it."""
        futures = [future for lane in self._lanes for future in lane.calls.values()]
        for future in futures:
            future.cancel()
        wait(futures, timeout=1.0)
        for lane in self._lanes:
            for number, future in lane.calls.items():
                if future.done() and not future.cancelled() and future.exception() is None:
                    yield number, future.result()
            still = not all(future.done() for future in lane.calls.values())
            if not self.in_processes:
                lane.executor.shutdown(wait=not still)
            elif still:
                self._give_up(lane)
            else:
                _idle.append(lane.executor)
            lane.calls.clear()
        self._lanes.clear()

    def _give_up(self, lane: _Lane) -> list[int]:
        """End the process of a lane, if it has one, and return the calls that are lost."""
        lost = [*lane.calls]
        if self.in_processes:
            lane.calls.clear()
            lane.executor.shutdown(kill_workers=True)
        return lost

    def _answer_of(self, lane: _Lane, number: int) -> Any:
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        try:
            found = lane.calls[number].result()
        except TerminatedWorkerError:
            self._look_for_ended(lane)
        del lane.calls[number]
        return found

    def _look_for_ended(self, lane: _Lane) -> NoReturn:
        """Find what ended the process of a lane and raise Unanswered."""
        for process, worker in self._processes.items():
            stuck = self.board.find_ended(lane.calls, process)
            if stuck and worker.exitcode is not None:
                raise Unanswered(stuck, worker.exitcode, numbers=self._give_up(lane))
        raise Failure("a worker process was ended from outside, perhaps for lack of memory")


@contextlib.contextmanager
def _deaf_to_ctrl_c() -> Iterator[None]:
    """Processes that are started meanwhile inherit the mask: Ctrl-C is for the head alone."""
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        yield
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


# In a worker

_is_aside = False


def is_aside() -> bool:
    """Whether this process is one that may be lost."""
    return _is_aside


def go_aside() -> None:
    """Say that it is."""
    global _is_aside
    _is_aside = True


def _answer(head: int, its: Board, number: int, function: Call, words: tuple[Any, ...]) -> Any:
    if head != os.getpid():
        go_aside()
        faulthandler.disable()  # the head says in one line what happened
        board.stay_with(head)
    with its.playing(number) as slot:
        return function(slot, *words)
