"""The command line: imports all the rest, imported by none."""

from sim.cli.commands import main, run

__all__ = ["main", "run"]
