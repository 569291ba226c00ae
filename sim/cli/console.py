"""What a terminal shows of a run: the line that moves while it is played, and plain tables."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import TextIO
from unicodedata import east_asian_width

from sim.results import Memory

EVERY = (0.25, 5.0)  # seconds between two lines: on a terminal, in a file
PATIENCE = 3.0  # seconds until a silence at the start is explained


def table(rows: Sequence[Sequence[str]]) -> str:
    """Rows as text, the first one being the heads; the first column left, all others right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]

    def line(row: Sequence[str]) -> str:
        first, *others = zip(row, widths, strict=True)
        return "   ".join(["  " + first[0].ljust(first[1]), *(c.rjust(w) for c, w in others)])

    return "\n".join(map(line, rows))


def wide_table(rows: Sequence[Sequence[str]]) -> str:
    """Rows of text, all columns left; a Chinese character takes two places."""
    widths = [max(map(width, column)) for column in zip(*rows, strict=True)]
    widths[-1] = 0  # nothing follows the last column
    return "\n".join(
        "   ".join(
            cell + " " * (wide - width(cell)) for cell, wide in zip(row, widths, strict=True)
        )
        for row in rows
    )


def width(text: str) -> int:
    """Places that a text takes in a terminal."""
    return sum(2 if east_asian_width(sign) in "WF" else 1 for sign in text)


def duration(seconds: float) -> str:
    """A time for people: 8 s, 3 min 20 s, 2 h 5 min."""
    whole = round(seconds)
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} min {whole % 60} s"
    return f"{whole // 3600} h {whole % 3600 // 60} min"


class Progress:
    """Shows how far a run is: one line that moves on a terminal, a line now and then elsewhere.

    `headline` gives the main result so far; it is asked only when a line is shown.
    """

    def __init__(
        self, games: int, headline: Callable[[Memory], str], stream: TextIO | None = None
    ) -> None:
        self.games, self.headline, self.stream = games, headline, stream or sys.stderr
        self.is_terminal = self.stream.isatty()
        self._began: tuple[float, int] | None = None  # time and games when play began
        self._shown = time.monotonic()
        self._seen = 0  # games
        self._width = 0
        self._compiling = threading.Timer(PATIENCE, self._explain)
        self._compiling.daemon = True
        self._compiling.start()

    def _explain(self) -> None:
        self._show("compiling, which takes up to a minute the first time")

    def __call__(self, store: Memory, under_way: int) -> None:
        """Show the state of a run; `under_way` games are played but not yet kept."""
        self._compiling.cancel()
        # Games of a process that was lost are played once more: what was shown is not taken back.
        now, done = time.monotonic(), max(store.games + under_way, self._seen)
        self._seen = done
        if self._began is None or done <= self._began[1]:
            self._began = (now, done)
        if now - self._shown >= EVERY[not self.is_terminal]:
            self._shown = now
            self._show(self._line(store, done, now))

    def _line(self, store: Memory, done: int, now: float) -> str:
        assert self._began is not None
        began, before = self._began
        rate = (done - before) / (now - began) if now > began else 0.0
        parts = [f"{done:,} of {self.games:,} games ({100 * done / self.games:.0f} %)"]
        if rate > 0:
            parts += [f"{rate:,.0f} games/s", f"{duration((self.games - done) / rate)} left"]
        headline = self.headline(store)
        return ", ".join(parts) + (f" | {headline}" if headline else "")

    def _show(self, line: str) -> None:
        if not self.is_terminal:
            print(line, file=self.stream, flush=True)
            return
        self.stream.write("\r" + line.ljust(self._width))
        self.stream.flush()
        self._width = len(line)

    def close(self) -> None:
        """Take the moving line away."""
        self._compiling.cancel()
        if self._width:
            self.stream.write("\r" + " " * self._width + "\r")
            self.stream.flush()
            self._width = 0
