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
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor, wait
from multiprocessing import resource_tracker
from types import TracebackType
from typing import Any, Self

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
    """

    def __init__(self, stuck: Stuck, code: int | None, seconds: float = 0.0) -> None:
        super().__init__("no answer" if code is None else ending(code))
        self.stuck, self.code, self.seconds = stuck, code, seconds

    @property
    def is_own(self) -> bool:
        """Whether it is the call's own doing; a process may also be killed from outside."""
        return self.code not in OUTSIDE


def n_cores() -> int:
    """Cores that this process may use."""
    import joblib

    return int(joblib.cpu_count())


class Workers:
    """Some workers, and the calls that are on their way; use it in a `with`.

    Parameters
    ----------
    jobs
        How many.
    in_processes
        Each in a process of its own, which is kept for later calls.
    hang_seconds
        How long nothing may change on the board while a strategy is asked; by default HANG_SECONDS.
    """

    def __init__(
        self, jobs: int = 1, *, in_processes: bool = True, hang_seconds: float | None = None
    ) -> None:
        self.jobs, self.in_processes = jobs, in_processes
        self.hang_seconds = hang_seconds or HANG_SECONDS
        self.board = Board(is_shared=in_processes)
        self._calls: dict[int, Future[Any]] = {}  # on their way, by number
        self._answers: queue.SimpleQueue[tuple[int, Future[Any]]] = queue.SimpleQueue()
        self._processes: dict[int, multiprocessing.process.BaseProcess] = {}  # by id
        self._ended: dict[int, int] = {}  # exit codes of processes that ended before their time
        self._looked = 0.0

    def __enter__(self) -> Self:
        with _deaf_to_ctrl_c():
            self._executor = self._start()
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
        del self._executor  # whoever keeps the traceback of an error keeps no processes

    def _start(self) -> Any:
        if not self.in_processes:
            return ThreadPoolExecutor(self.jobs, THREAD)
        from joblib.externals.loky import get_reusable_executor

        # Python's tracker of resources lifts the mask when it starts, so it starts before.
        resource_tracker.ensure_running()
        return get_reusable_executor(self.jobs, timeout=IDLE_SECONDS, env=ONE_CORE)

    @property
    def is_full(self) -> bool:
        """Whether every worker has a call at hand and one that waits."""
        return len(self._calls) >= 2 * self.jobs

    @property
    def games(self) -> int:
        """Games that these have finished by now."""
        return self.board.games(self._calls)

    def begin(self, number: int, function: Call, *words: Any) -> None:
        """Have `function(slot, *words)` called, a function that can be imported by its name."""
        try:
            with _deaf_to_ctrl_c():
                future: Future[Any] = self._executor.submit(
                    _answer, os.getpid(), self.board, number, function, words
                )
        except RuntimeError as error:  # a process has ended just now
            future = Future()
            future.set_exception(error)
        self._calls[number] = future

        def keep(future: Future[Any]) -> None:
            if not (future.cancelled() or future.exception() is None or self._ended):
                # All other processes live yet: joblib kills them after having told us.
                codes = {one: process.exitcode for one, process in self._processes.items()}
                self._ended = {one: code for one, code in codes.items() if code is not None}
            self._answers.put((number, future))

        future.add_done_callback(keep)

    def answer(self) -> tuple[int, Any] | None:
        """The next answer with the number of its call, or None if there was none for a moment.

        Raises
        ------
        Unanswered
            There will be none.
        Failure
            A process has ended that was not at work for us.
        """
        # Remembered here, since joblib forgets all processes as soon as one has ended; in a new
        # dictionary, since another thread may be reading this one.
        self._processes = self._processes | {
            process.pid or 0: process for process in multiprocessing.active_children()
        }
        if time.monotonic() - self._looked > GLANCE:
            self._looked = time.monotonic()
            stuck = self.board.find_stuck(self._calls, self.hang_seconds)
            if stuck:
                raise Unanswered(stuck, None, self.hang_seconds)
        with contextlib.suppress(queue.Empty):
            number, future = self._answers.get(timeout=GLANCE)
            return number, self._answer_of(number, future)
        return None

    def call(self, function: Call, *words: Any) -> Any:
        """Call it and wait for the answer, alone; raises as `answer` and the function itself."""
        self.begin(1, function, *words)
        while (found := self.answer()) is None:
            pass
        return found[1]

    def stop(self) -> Iterator[tuple[int, Any]]:
        """Begin nothing more, give a moment to what is at hand, and yield what came of it."""
        for future in self._calls.values():
            future.cancel()
        still = wait(self._calls.values(), timeout=1.0).not_done
        if not self.in_processes:
            self._executor.shutdown(wait=not still)
        elif still:
            self._executor.shutdown(kill_workers=True)
        while not self._answers.empty():
            number, future = self._answers.get()
            if not future.cancelled() and future.exception() is None:
                yield number, self._answer_of(number, future)
        self._calls.clear()

    def _answer_of(self, number: int, future: Future[Any]) -> Any:
        from joblib.externals.loky.process_executor import TerminatedWorkerError

        try:
            found = future.result()
        except TerminatedWorkerError:
            self._look_for_ended()
        del self._calls[number]
        return found

    def _look_for_ended(self) -> None:
        """Find what ended its process and raise Unanswered; joblib kills those of the others."""
        for process, code in self._ended.items():
            stuck = self.board.find_ended(self._calls, process)
            if stuck:
                raise Unanswered(stuck, code)
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
