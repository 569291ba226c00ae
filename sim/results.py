"""Results of a run in memory: exact sums a cell, which add up in any order to the same numbers."""

from __future__ import annotations

import hashlib
import json
import sys
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np

from sim import __version__, catalog
from sim.core.game import Game, Words
from sim.experiment import Experiment
from sim.schedule import Chunk, Interval

Totals = dict[str, np.ndarray[Any, Any]]
Rows = np.ndarray[Any, Any]

BEHIND_ALL = Chunk(sys.maxsize, 0, 0)


@dataclass(frozen=True)
class Cell:
    """Results of one variant with one line-up."""

    variant: str
    lineup: tuple[str, ...]  # what the strategy of each position is called
    rotations: int  # games a deal
    totals: Totals
    name: str = ""  # of the line-up

    @property
    def forfeits(self) -> dict[str, int]:
        """Games that each strategy lost by a fault; empty where a fault stops the run."""
        found: dict[str, int] = {}
        for strategy, n in zip(self.lineup, self.totals.get("forfeits", ()), strict=False):
            found[strategy] = found.get(strategy, 0) + int(n)
        return found


@dataclass(frozen=True)
class Run:
    """A run that was played: what, how, and with which results."""

    folder: Path | None  # None if it was not kept
    experiment: Experiment
    manifest: dict[str, Any]
    cells: list[Cell]

    @property
    def game(self) -> Game:
        """The game that was played."""
        return catalog.game(self.experiment.game)

    def teams(self, cell: Cell) -> tuple[catalog.Team, ...]:
        """The teams that played a cell; nothing where each seat plays for itself."""
        rules = {variant.name: variant.switches for variant in self.experiment.variants}
        return catalog.teams(self.game, self.experiment.players, rules[cell.variant])


class Memory:
    """The sums of what has been played so far, kept nowhere else."""

    folder: Path | None = None
    is_finished = False  # before this session

    def __init__(self, experiment: Experiment, command: str = "") -> None:
        self.experiment, self.command = experiment, command
        self.done: dict[int, list[Interval]] = {}  # deals of each cell
        self.totals: dict[int, Totals] = {}  # of each cell
        self.seconds = 0.0  # playing time, all sessions together
        self.notes: list[str] = []  # what the user should hear
        self.lost: dict[str, Chunk] = {}  # the first in which each strategy lost a game by a fault
        self.first_faults: dict[str, str] = {}  # what it was, a line for each strategy

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Nothing to close."""

    def add(self, chunk: Chunk, totals: Totals, rows: bytes | None, seconds: float) -> None:
        """Keep a finished chunk.

        Parameters
        ----------
        rows
            The file of its games, where they are kept.
        seconds
            What the chunk adds to the playing time of the run.
        """
        self.count(chunk, totals, seconds)

    def count(self, chunk: Chunk, totals: Totals, seconds: float) -> None:
        """Add a chunk to the sums."""
        self.done.setdefault(chunk.cell, []).append((chunk.first, chunk.last))
        self.seconds += seconds
        mine = self.totals.get(chunk.cell)
        self.totals[chunk.cell] = added(mine, totals) if mine else totals
        labels = self.experiment.cells[chunk.cell][1].labels
        for name, n in zip(labels, totals.get("forfeits", ()), strict=False):
            if n and chunk < self.lost.get(name, BEHIND_ALL):
                self.lost[name] = chunk

    @property
    def games(self) -> int:
        """Games played so far."""
        return sum(int(totals["games"][0]) for totals in self.totals.values())

    def cells(self) -> list[Cell]:
        """The cells with what has been played so far, in order; those without a game left out."""
        return [
            Cell(
                variant.name,
                lineup.labels,
                self.experiment.rotations(lineup),
                self.totals[i],
                lineup.name,
            )
            for i, (variant, lineup) in enumerate(self.experiment.cells)
            if i in self.totals
        ]

    def finish(self) -> Run:
        """Return the run, every chunk of it being there."""
        cells = self.cells()
        manifest = {
            "version": __version__,
            "command": self.command,
            "seconds": self.seconds,
            "sha256": results_hash(cells),
            **told_forfeits(cells, self.first_faults),
        }
        return Run(None, self.experiment, manifest, cells)


def added(some: Totals, more: Totals) -> Totals:
    """The sums of both; exact and in any order the same."""
    return {name: array + more[name] for name, array in some.items()}


def forfeits(cells: Iterable[Cell]) -> dict[str, int]:
    """Games that each strategy lost by a fault, of all cells; nothing where faults stop a run."""
    found: dict[str, int] = {}
    for cell in cells:
        for strategy, n in cell.forfeits.items():
            found[strategy] = found.get(strategy, 0) + n
    return found


def told_forfeits(cells: Iterable[Cell], first: Mapping[str, str]) -> dict[str, Any]:
    """The same for a manifest, with the first fault of each strategy in words."""
    found = forfeits(cells)
    return {"forfeits": found, "first_faults": {**first}} if found else {}


LOST = Words(
    "{name}: {lost:,} of {games:,} games lost by a fault (its first: {first})",
    "{name}：{games:,} 局中 {lost:,} 局因出错判负（第一次：{first}）",
)


def forfeit_lines(runs: Sequence[Run], lang: str) -> list[str]:
    """A line for each strategy that lost games by a fault: how many of its games, and the first."""
    cells = [cell for run in runs for cell in run.cells]
    games: dict[str, int] = {}
    for cell in cells:
        for name in {*cell.lineup}:
            games[name] = games.get(name, 0) + int(cell.totals["games"][0])
    first: dict[str, str] = {}
    for run in runs:
        first = run.manifest.get("first_faults", {}) | first
    return [
        LOST.of(lang).format(name=name, lost=lost, games=games[name], first=first.get(name, "-"))
        for name, lost in forfeits(cells).items()
        if lost
    ]


def results_hash(cells: Iterable[Cell], rows: str | None = None) -> str:
    """Hash of the results: of all sums, and of the games' rows where they are kept."""
    digest = hashlib.sha256()
    for cell in cells:
        digest.update(json.dumps([cell.variant, cell.lineup, cell.rotations]).encode())
        digest.update(totals_hash(cell.totals).encode())
    digest.update((rows or "").encode())
    return digest.hexdigest()


def totals_hash(totals: Totals) -> str:
    """Hash of all sums of a cell or of a chunk."""
    digest = hashlib.sha256()
    for name, array in sorted(totals.items()):
        digest.update(f"{name}{array.shape}".encode())
        digest.update(array.astype("<i8").tobytes())
    return digest.hexdigest()
