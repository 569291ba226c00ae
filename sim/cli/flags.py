"""Flags that several commands share, and how their values are checked."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import click

from sim.errors import unknown

LANGUAGES = ("en", "zh")


def examples(*commands: str) -> str:
    """The end of a help text, whose lines click is not to wrap."""
    heading = "Example:" if len(commands) == 1 else "Examples:"
    return "\n  ".join(["\b\n" + heading, *commands])


precision_flag = click.option(
    "--precision", metavar="P", help="Play until intervals are within ±P points."
)
jobs_flag = click.option("--jobs", metavar="J", help="Number of workers (all cores).")
json_flag = click.option(
    "--json", "as_json", is_flag=True, help="Last line of standard output: one object."
)
quiet_flag = click.option("--quiet", is_flag=True, help="Show no progress.")
language_flag = click.option(
    "--lang", metavar="en|zh", default="en", help="Language of text and page (en)."
)
folder_flag = click.option(
    "--out", metavar="DIR", help="Page and runs; the same command goes on with it."
)
force_flag = click.option("--force", is_flag=True, help="Play, however many games it takes.")
forfeit_flag = click.option(
    "--forfeit",
    "on_fault",
    flag_value="forfeit",
    help="A strategy that fails loses the game; without this the run stops.",
)


def check_choice(flag: str, value: str, allowed: Iterable[str]) -> list[str]:
    """What is wrong with a flag of a few values; nothing if it is one of them."""
    return [] if value in allowed else [f"--{flag}: {unknown('value', value, allowed)}"]


def check_jobs(jobs: str | None) -> list[str]:
    """What is wrong with --jobs."""
    if jobs is None or (jobs.isdecimal() and int(jobs) > 0):
        return []
    return [f"--jobs: {jobs!r} is not allowed; allowed: an integer from 1"]


def n_workers(jobs: str | None) -> int:
    """Workers that a checked --jobs asks for: as many as there are cores without it."""
    from sim.workers import n_cores

    return int(jobs) if jobs else n_cores()


def as_words(flags: Mapping[str, str | None]) -> list[str]:
    """Flags as they are typed, those without a value left out."""
    words = []
    for key, value in flags.items():
        if value:
            words += ["--forfeit"] if key == "on_fault" else [f"--{key}", value]
    return words
