"""幸灾乐祸 in plain C (schadenfreude.c), compiled with gcc and called through ctypes."""

from __future__ import annotations

import ctypes
import shutil
import subprocess
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

SOURCE = Path(__file__).with_name("schadenfreude.c")
COMPILER = "gcc"
OPTIONS = ("-std=gnu11", "-O3", "-march=native", "-Wall", "-Wextra", "-Werror", "-shared", "-fPIC")
STRATEGIES = ("uniform", "highest", "lowest")  # STRATEGY of the C file

SEATS = 5
SEAT_COLUMNS = (
    "win_share", "won", "score", "bust", "tricks", "cancellations", "first_round",
)  # fmt: skip
GAME_COLUMNS = (
    "nobody", "shared", "unfinished", "draw", "decisions", "rounds", "busts", "cancelled",
    "single_follower", "lead_changes",
)  # fmt: skip

ROW = np.dtype(
    [
        ("deal", np.int64),
        ("rotation", np.int64),
        ("entry", np.int64, SEATS),
        ("status", np.int64),
        ("start", np.int64),
        *((name, np.int64, SEATS) for name in SEAT_COLUMNS),
        *((name, np.int64) for name in GAME_COLUMNS),
    ]
)
SUMS = np.dtype(
    [
        ("games", np.int64),
        ("by_strategy", np.int64, (len(SEAT_COLUMNS), SEATS)),
        ("by_seat", np.int64, (len(SEAT_COLUMNS), SEATS)),
        ("by_game", np.int64, len(GAME_COLUMNS)),
    ]
)


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
    """The compiled C file; the library is made in `folder`.

    Raises
    ------
    subprocess.CalledProcessError
        gcc does not compile it.
    """

    def __init__(self, folder: Path) -> None:
        library = folder / "schadenfreude.so"
        subprocess.run([COMPILER, *OPTIONS, str(SOURCE), "-o", str(library)], check=True)
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
        numbers = np.array([STRATEGIES.index(name) for name in lineup], np.intc)
        sums = np.zeros(1, SUMS)
        rows = np.zeros((last - first) * rotations, ROW) if keep_rows else None
        began = time.perf_counter()
        self._play(
            players, numbers.ctypes.data, rotations, seed, first, last, sums.ctypes.data,
            None if rows is None else rows.ctypes.data,
        )  # fmt: skip
        return Result(sums[0], rows, time.perf_counter() - began)
