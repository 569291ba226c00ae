"""Games in plain C, compiled with gcc and called through ctypes.

A game that is here has a C file and, for how it is measured, a TOML file of its name.
"""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import time
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from pathlib import Path
from typing import Any

import numpy as np

from sim import catalog
from sim.core.game import Game

FOLDER = Path(__file__).parent
COMPILER = "gcc"
OPTIONS = ("-std=gnu11", "-O3", "-march=native", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")


@dataclass(frozen=True)
class Measured:
    """How a game is measured against its C file; the fields are those of the TOML file."""

    game: Game
    strategies: list[str]
    players: list[int]
    games: int
    at_least: dict[str, float]

    def lineups(self, players: int) -> dict[str, list[str]]:
        """The line-ups that are measured: each strategy alone, and all in turn."""
        alone = {name: [name] * players for name in self.strategies}
        return alone | {"mixed": list(islice(cycle(self.strategies), players))}

    def row(self) -> np.dtype[Any]:
        """One game as the C file keeps it."""
        seats = max(self.game.players)
        return np.dtype(
            [
                ("deal", np.int64),
                ("rotation", np.int64),
                ("entry", np.int64, seats),
                ("status", np.int64),
                ("start", np.int64),
                *((name, np.int64, seats) for name in self.game.seat_columns),
                *((name, np.int64) for name in self.game.game_columns),
            ]
        )

    def sums(self) -> np.dtype[Any]:
        """The sums that the C file adds up."""
        by_seat = (len(self.game.seat_columns), max(self.game.players))
        return np.dtype(
            [
                ("games", np.int64),
                ("by_strategy", np.int64, by_seat),
                ("by_seat", np.int64, by_seat),
                ("by_game", np.int64, len(self.game.game_columns)),
            ]
        )


def measured_games() -> list[Measured]:
    """All games that are here, by name."""
    return [
        Measured(catalog.game(file.stem), **tomllib.loads(file.read_text(encoding="utf-8")))
        for file in sorted(FOLDER.glob("*.toml"))
    ]


def has_compiler() -> bool:
    """Whether gcc is on this machine."""
    return shutil.which(COMPILER) is not None


@dataclass
class Result:
    """What the C file says of a range of deals: its sums, the rows if asked for, the time."""

    sums: np.ndarray[Any, Any]
    rows: np.ndarray[Any, Any] | None
    seconds: float


class CTwin:
    """The compiled C file of a game; the library is made in `folder`.

    Raises
    ------
    subprocess.CalledProcessError
        gcc does not compile it.
    """

    def __init__(self, measured: Measured, folder: Path) -> None:
        self.measured = measured
        source, library = FOLDER / f"{measured.game.name}.c", folder / f"{measured.game.name}.so"
        subprocess.run([COMPILER, *OPTIONS, str(source), "-o", str(library)], check=True)
        self._play = ctypes.CDLL(str(library)).play_deals
        self._play.restype = None
        self._play.argtypes = (
            ctypes.c_int, ctypes.c_void_p, ctypes.c_int, ctypes.c_uint64,
            ctypes.c_int64, ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p,
        )  # fmt: skip

    def play(
        self, lineup: Sequence[str], seed: int, first: int, last: int, *, keep_rows: bool = False
    ) -> Result:
        """Play the deals first .. last - 1 with this line-up, one strategy a seat, rotated."""
        players = len(lineup)
        rotations = players if len(set(lineup)) > 1 else 1
        numbers = np.array([self.measured.strategies.index(name) for name in lineup], np.intc)
        sums = np.zeros(1, self.measured.sums())
        rows = np.zeros((last - first) * rotations, self.measured.row()) if keep_rows else None
        began = time.perf_counter()
        self._play(
            players, numbers.ctypes.data, rotations, seed, first, last, sums.ctypes.data,
            None if rows is None else rows.ctypes.data,
        )  # fmt: skip
        return Result(sums[0], rows, time.perf_counter() - began)
