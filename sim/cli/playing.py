"""Play an experiment before the eyes of the user."""

from __future__ import annotations

import shlex
from contextlib import closing, nullcontext
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from sim.experiment import Experiment
    from sim.results import Run


class Interrupted(Exception):
    """Ctrl-C during a run, with what is kept of it."""


def play(experiment: Experiment, out: str | None, jobs: int, backend: str, quiet: bool) -> Run:
    """Play what is missing in the run folder, or in memory without one, and show how far it is.

    Raises
    ------
    Interrupted
        Ctrl-C.
    """
    from sim import catalog, runner
    from sim.cli.console import Progress
    from sim.cli.results import headline
    from sim.results import Memory

    command = shlex.join(["fairdeal", *click.get_current_context().obj])
    shown = nullcontext() if quiet else closing(Progress(experiment.games, headline))
    with shown as progress:

        def tell(line: str) -> None:
            if progress:
                progress.close()
            click.echo(f"fairdeal: {line}", err=True)

        for spec in experiment.specs:
            catalog.load(spec, experiment.game)  # what cannot be imported leaves nothing behind
        if out is None:
            store = Memory(experiment, command)
        else:
            from sim.store import Folder

            store = Folder(Path(out), experiment, command)
        with store:
            for note in store.notes:
                tell(note)
            try:
                return runner.play(
                    experiment, store, jobs=jobs, backend=backend, watch=progress, tell=tell
                )
            except KeyboardInterrupt:
                kept = f"kept in {out}, the same command goes on" if out else "lost (no --out)"
                games = f"{store.games:,} finished games are {kept}"
                raise Interrupted(f"interrupted; {games}") from None
