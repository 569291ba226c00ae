"""Where workers show how far they are, in memory that the head can read at any time.

The play loop writes deal, rotation, the seat that is asked and games finished into a slot; a slot
in which nothing changes any more belongs to a strategy that hangs. Compiled code cannot be asked
in any other way.
"""

from __future__ import annotations

import contextlib
import functools
import mmap
import os
import signal
import tempfile
import threading
import time
from collections.abc import Iterable, Iterator
from types import TracebackType
from typing import Any, NamedTuple, Self

import numpy as np

SLOTS = 4096  # chunks that may be on their way together
WORDS = 8  # of a slot; the play loop writes the first ones
# The loop's own order, read without importing numba.
DEAL, ROTATION, SEAT, GAMES, DECISION = range(5)
NOBODY = -1  # the seat while no strategy is asked
PROCESS, NUMBER = 6, 7  # who plays the chunk, and its number while it is played


class Stuck(NamedTuple):
    """Where a strategy gives no answer, or gave none before its process ended."""

    number: int  # of the chunk
    deal: int
    rotation: int
    seat: int
    decision: int  # decisions taken before in this game


class Clock:
    """Seconds between two looks, at most one: who was stopped himself saw nothing (Ctrl-Z)."""

    def __init__(self) -> None:
        self._last = time.monotonic()

    def tick(self) -> float:
        """Seconds since the last look."""
        last, self._last = self._last, time.monotonic()
        return min(self._last - last, 1.0)


class Board:
    """Slots in memory; a shared board, sent to another process, shows the same slots there."""

    def __init__(self, *, is_shared: bool) -> None:
        self.path: str | None = None
        self._seen: dict[int, tuple[bytes, float]] = {}  # content of a slot, and for how long
        self._clock = Clock()
        if not is_shared:
            self.slots = np.zeros((SLOTS, WORDS), np.int64)
            return
        handle, self.path = tempfile.mkstemp(prefix="fairdeal-board-")
        os.write(handle, bytes(SLOTS * WORDS * 8))
        os.close(handle)
        self.slots = _map(self.path)

    def __reduce__(self) -> tuple[Any, ...]:
        return attach, (self.path,)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give back the file of a shared board."""
        if self.path:
            os.unlink(self.path)

    def free(self, number: int) -> None:
        """Forget what stands in the slot of a chunk that is begun anew: its process was lost."""
        self.slots[number % SLOTS, NUMBER] = 0

    @contextlib.contextmanager
    def playing(self, number: int) -> Iterator[np.ndarray[Any, Any]]:
        """The slot of a chunk while it is played, for the play loop to write into."""
        slot = self.slots[number % SLOTS]
        slot[:] = 0
        slot[SEAT] = NOBODY
        slot[PROCESS] = os.getpid()
        slot[NUMBER] = number
        try:
            yield slot
        finally:
            slot[NUMBER] = 0

    def _running(self, numbers: Iterable[int]) -> Iterator[tuple[int, np.ndarray[Any, Any]]]:
        for number in list(numbers):
            slot = self.slots[number % SLOTS].copy()
            if slot[NUMBER] == number:
                yield number, slot

    def games(self, numbers: Iterable[int]) -> int:
        """Games finished in these chunks as far as they are being played."""
        return sum(int(slot[GAMES]) for _, slot in self._running(numbers))

    def find_stuck(self, numbers: Iterable[int], limit: float) -> Stuck | None:
        """A chunk in which nothing has changed for `limit` seconds, from one look to the next."""
        quiet = self._clock.tick()
        seen: dict[int, tuple[bytes, float]] = {}
        for number, slot in self._running(numbers):
            content = slot.tobytes()
            before, so_far = self._seen.get(number, (b"", 0.0))
            seen[number] = (content, so_far + quiet if before == content else 0.0)
            if seen[number][1] > limit and slot[SEAT] >= 0:
                return _stuck(number, slot)
        self._seen = seen
        return None

    def find_ended(self, numbers: Iterable[int], process: int) -> Stuck | None:
        """Where a process that is gone was, if it went while it played one of these.

        Seat -1 is nobody: it went before a strategy was asked.
        """
        for number, slot in self._running(numbers):
            if slot[PROCESS] == process:
                return _stuck(number, slot)
        return None


def ending(code: int) -> str:
    """How a process ended, by its exit code: `ended by SIGSEGV`, `ended with code 3`."""
    with contextlib.suppress(ValueError):
        return f"ended by {signal.Signals(-code).name}"
    return f"ended with code {code}"


def _stuck(number: int, slot: np.ndarray[Any, Any]) -> Stuck:
    return Stuck(number, *(int(slot[place]) for place in (DEAL, ROTATION, SEAT, DECISION)))


def _map(path: str) -> np.ndarray[Any, Any]:
    with open(path, "r+b") as file:
        memory = mmap.mmap(file.fileno(), SLOTS * WORDS * 8)
    return np.frombuffer(memory, np.int64).reshape(SLOTS, WORDS)


_attached: dict[str, Board] = {}


def attach(path: str) -> Board:
    """The shared board whose memory is this file, made by another process."""
    if path not in _attached:
        board = Board.__new__(Board)
        board.path, board.slots = path, _map(path)
        _attached[path] = board
    return _attached[path]


@functools.cache
def stay_with(head: int) -> None:
    """In a worker process: end as soon as the process of the head is gone, hanging or not."""

    def wait() -> None:
        while os.getppid() == head:
            time.sleep(0.5)
        for path in [*_attached]:
            with contextlib.suppress(OSError):
                os.unlink(path)  # the head had no time to do it
        os._exit(1)

    threading.Thread(target=wait, name="fairdeal-stay", daemon=True).start()
