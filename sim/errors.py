"""Mistakes of the user and failures while playing, each one clear line and never a traceback."""

from __future__ import annotations

import errno
from collections.abc import Iterable
from difflib import get_close_matches


class Mistake(Exception):
    """What the user has to put right before anything is played; the command ends with code 2.

    Several problems found together are reported together, one line each.
    """

    def __init__(self, *problems: str) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


class Failure(Exception):
    """What went wrong while playing, in one line; the command ends with code 1."""


def unknown(kind: str, name: object, allowed: Iterable[object]) -> str:
    """Say that there is no such thing, what comes nearest, and what there is."""
    names = [str(item) for item in allowed]
    return (
        f"unknown {kind} {str(name)!r}{nearest(name, names)}; allowed: {', '.join(names) or 'none'}"
    )


def nearest(name: object, names: Iterable[str]) -> str:
    """What the user may have meant, in brackets; nothing if no name is near."""
    near = get_close_matches(str(name), list(names), n=1, cutoff=0.5)
    return f" (did you mean {near[0]!r}?)" if near else ""


def reason(error: OSError) -> str:
    """Why the system refused, in its own words and without paths or numbers."""
    return {errno.ENOSPC: "the disk is full", errno.EDQUOT: "the disk quota is used up"}.get(
        error.errno or 0, (error.strerror or str(error)).lower()
    )
