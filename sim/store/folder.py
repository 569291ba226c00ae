"""The run folder of an experiment: opened for playing, finished, read again."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from pathlib import Path
from types import TracebackType
from typing import Any

from sim import __version__, provenance
from sim.errors import Failure, Mistake
from sim.experiment import Experiment
from sim.results import Memory, Rows, Run, Totals, results_hash, told_forfeits
from sim.schedule import Chunk
from sim.store import parquet
from sim.store.files import DAMAGE, damaged, disk, in_words, is_locked, lock, whole, write

FORMAT = 1  # of a run folder


class Folder(Memory):
    """A run folder open for playing; nobody else can open it at the same time.

    Raises
    ------
    Mistake
        It is in use, belongs to another experiment or to other sources, cannot be written, or is
        damaged beyond what can be played again.
    """

    folder: Path

    def __init__(self, folder: Path, experiment: Experiment, command: str = "") -> None:
        super().__init__(experiment, command)
        self.folder = folder
        self._sources = provenance.sources(experiment)
        self._lock = lock(folder)
        try:
            with disk(folder, Mistake):
                self._open()
        except BaseException:
            self._lock.close()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let others in."""
        self._lock.close()

    def _open(self) -> None:
        is_run = (self.folder / "manifest.json").exists()
        manifest = _read_manifest(self.folder) if is_run else None
        if manifest and (manifest["state"] == "finished" or self._parts()):
            self._continue(manifest)
        else:
            names = {path.name for path in self.folder.iterdir() if path.name[0] != "."}
            if not manifest and names - {"lock", "experiment.toml"}:
                raise Mistake(f"{self.folder}: is neither empty nor a run folder")
            write(self.folder / "experiment.toml", self.experiment.to_toml().encode())
            self._write_manifest("running")
        if not self.is_finished:
            (self.folder / "parts").mkdir(exist_ok=True)

    def _parts(self) -> list[Path]:
        """Finished chunks of earlier sessions."""
        return sorted((self.folder / "parts").glob("*.totals.parquet"))

    def _continue(self, manifest: dict[str, Any]) -> None:
        difference = _read_experiment(self.folder, manifest).difference(self.experiment)
        if difference:
            raise Mistake(f"{self.folder}: belongs to another experiment: {difference}")
        theirs = manifest["sources"]
        for name in sorted({*theirs, *self._sources}):
            if theirs.get(name) != self._sources.get(name):
                raise Mistake(f"{self.folder}: was played with other sources: {name} has changed")
        if manifest["state"] == "finished":
            self.is_finished, self.seconds = True, manifest["seconds"]
            self.totals = {i: cell.totals for i, cell in enumerate(open_run(self.folder).cells)}
            shutil.rmtree(self.folder / "parts", ignore_errors=True)
        else:
            for path in self._parts():
                self._take(path)

    def _take(self, path: Path) -> None:
        """Count a finished chunk of an earlier session, or set it aside if it is damaged."""
        try:
            chunk, totals, seconds = parquet.read_part(path, self.experiment)
        except DAMAGE as error:
            path.replace(path.with_suffix(".damaged"))
            self.notes.append(f"{path}: is damaged and is played again ({in_words(error)})")
            return
        if any(a < chunk.last and chunk.first < b for a, b in self.done.get(chunk.cell, [])):
            raise Mistake(f"{path}: holds deals that another file of the folder holds too")
        self.count(chunk, totals, seconds)

    def add(self, chunk: Chunk, totals: Totals, rows: bytes | None, seconds: float) -> None:
        """Write a finished chunk; rows first, so that sums never stand without them."""
        name = f"{chunk.cell:04d}-{chunk.first:019d}-{chunk.last:019d}.totals.parquet"
        path = self.folder / "parts" / name
        with disk(path, Failure):
            if rows is not None:
                write(parquet.rows_path(path), rows)
            write(path, parquet.part_file(chunk, totals, seconds, self.experiment, rows))
        self.count(chunk, totals, seconds)

    def finish(self) -> Run:
        """Merge the chunks and return the run; a run that was finished before is left as it is."""
        if self.is_finished:
            return open_run(self.folder)
        cells, rows = self.cells(), None
        with disk(self.folder, Failure):
            if self.experiment.mode == "games":
                with whole(self.folder / "games.parquet") as sink:
                    rows = parquet.merge_rows(self.folder / "parts", self.experiment, sink)
            write(self.folder / "totals.parquet", parquet.totals_file(cells))
            manifest = self._write_manifest("finished", results_hash(cells, rows), rows)
        shutil.rmtree(self.folder / "parts", ignore_errors=True)
        return Run(self.folder, self.experiment, manifest, cells)

    def _write_manifest(
        self, state: str, sha256: str | None = None, rows: str | None = None
    ) -> dict[str, Any]:
        manifest = {
            "format": FORMAT,
            "version": __version__,
            "state": state,
            "command": self.command,
            "experiment": self.experiment.fingerprint,
            "games": self.games,
            "seconds": self.seconds,
            "sha256": sha256,
            "rows_sha256": rows,
            **told_forfeits(self.cells(), self.first_faults),
            "versions": provenance.versions(),
            "machine": provenance.machine(),
            "source_fingerprint": provenance.fingerprint(self._sources),
            "sources": self._sources,
        }
        text = json.dumps(manifest, indent=2, ensure_ascii=False)
        write(self.folder / "manifest.json", (text + "\n").encode())
        return manifest


def open_run(folder: Path) -> Run:
    """Read a finished run.

    Raises
    ------
    Mistake
        It is no run folder, is not finished, or is damaged; the message names the file.
    """
    manifest = _read_manifest(folder)
    experiment = _read_experiment(folder, manifest)
    if manifest["state"] != "finished":
        raise Mistake(f"{folder}: is not finished; this goes on with it: {manifest['command']}")
    path = folder / "totals.parquet"
    try:
        cells = parquet.read_totals(path)
    except DAMAGE as error:
        raise damaged(path, error) from None
    if results_hash(cells, manifest["rows_sha256"]) != manifest["sha256"]:
        raise Mistake(f"{path}: is damaged: it is not what manifest.json says (sha256)")
    if experiment.mode == "games":
        path = folder / "games.parquet"
        try:
            n_rows = parquet.n_rows(path)
        except DAMAGE as error:
            raise damaged(path, error) from None
        if n_rows != manifest["games"]:
            raise Mistake(f"{path}: is damaged: {n_rows} games and not {manifest['games']}")
    return Run(folder, experiment, manifest, cells)


def games_of(run: Run, names: Sequence[str], cell: int | None = 0) -> dict[str, Rows]:
    """Some columns of every game of a cell of a run that kept them, in the order of deals.

    Parameters
    ----------
    run
        A finished run of mode games, in its folder.
    names
        As in games.parquet: columns of a seat end in its number, such as `score_0`.
    cell
        Number of the cell; None for the games of all cells, one cell behind the other.

    Raises
    ------
    Mistake
        The file is missing or damaged.
    """
    assert run.folder is not None, "the games of this run were not kept"
    path = run.folder / "games.parquet"
    ends = [0, *accumulate(int(one.totals["games"][0]) for one in run.cells)]
    first, last = (0, ends[-1]) if cell is None else ends[cell : cell + 2]
    try:
        return parquet.read_games(path, names, first, last)
    except DAMAGE as error:
        raise damaged(path, error) from None


@dataclass(frozen=True)
class Status:
    """How far a run is."""

    experiment: Experiment
    manifest: dict[str, Any]
    games: int  # played
    is_in_use: bool  # somebody plays it now


def status(folder: Path) -> Status:
    """Look at a run folder, also while it is being played.

    Raises
    ------
    Mistake
        It is no run folder, or is damaged.
    """
    manifest = _read_manifest(folder)
    experiment = _read_experiment(folder, manifest)
    games = manifest["games"]
    if manifest["state"] != "finished":
        cells, games = experiment.cells, 0
        for path in (folder / "parts").glob("*.totals.parquet"):
            if name := re.fullmatch(r"(\d+)-(\d+)-(\d+)\.totals\.parquet", path.name):
                cell, first, last = map(int, name.groups())
                games += (last - first) * experiment.rotations(cells[cell][1])
    return Status(experiment, manifest, games, is_locked(folder))


def _read_manifest(folder: Path) -> dict[str, Any]:
    path = folder / "manifest.json"
    if not path.exists():
        raise Mistake(f"{folder}: is not a run folder (there is no manifest.json)")
    try:
        manifest = json.loads(path.read_text(encoding="utf-8"))
        missing = {"state", "sources", "seconds", "games", "sha256", "rows_sha256"} - {*manifest}
        if missing or manifest["format"] != FORMAT:
            raise ValueError(f"without {', '.join(sorted(missing)) or f'format {FORMAT}'}")
    except DAMAGE as error:
        raise damaged(path, error) from None
    assert isinstance(manifest, dict)
    return manifest


def _read_experiment(folder: Path, manifest: Mapping[str, Any]) -> Experiment:
    path = folder / "experiment.toml"
    try:
        experiment = Experiment.from_toml(path.read_text(encoding="utf-8"))
    except DAMAGE as error:
        raise damaged(path, error) from None
    if experiment.fingerprint != manifest["experiment"]:
        raise Mistake(f"{path}: is damaged: it is not what manifest.json says (experiment)")
    return experiment
