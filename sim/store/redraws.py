"""Hands that were kept while all else was drawn anew, a file for each setting of a folder."""

from __future__ import annotations

from pathlib import Path

from sim import provenance
from sim.errors import Failure
from sim.experiment import Experiment
from sim.redraws import Hands, redrawn
from sim.store import parquet
from sim.store.files import DAMAGE, disk, lock, write


def hands(folder: Path, experiment: Experiment, redraws: int, column: str) -> Hands:
    """Read the hands of an experiment from their file, or play and write it.

    A file that is damaged, or was played with other sources, is played again: it takes seconds.

    Raises
    ------
    Mistake
        The folder is in use by another process, or cannot be written.
    Failure
        As of `redrawn`; or the file cannot be written.
    """
    path = folder / f"{experiment.fingerprint[:16]}-{redraws}-{column}.parquet"
    source = provenance.fingerprint(provenance.sources(experiment))
    with lock(folder):
        try:
            return parquet.read_hands(path, source)
        except DAMAGE:
            found = redrawn(experiment, redraws, column)
        with disk(path, Failure):
            write(path, parquet.hands_file(found, source))
    return found
