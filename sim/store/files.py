"""Files that are there whole or not at all, and what to say when the system refuses."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
from collections.abc import Iterator
from pathlib import Path
from typing import IO

from sim.errors import Failure, Mistake, reason

DAMAGE = (OSError, ValueError, KeyError, TypeError, IndexError)  # what a damaged file may raise
_FULL = (errno.ENOSPC, errno.EDQUOT)


@contextlib.contextmanager
def disk(path: Path, kind: type[Mistake] | type[Failure]) -> Iterator[None]:
    """Turn what the system refuses into one line of this kind; a full disk is always a failure."""
    try:
        yield
    except OSError as error:
        place = error.filename or path
        if error.errno in _FULL:
            kept = "what is finished is kept, and the same command goes on from there"
            raise Failure(f"{place}: {reason(error)}; {kept}") from None
        raise kind(f"{place}: cannot be written: {reason(error)}") from None


def lock(folder: Path) -> IO[bytes]:
    """Make the folder if need be and return its lock file; the folder is ours until it is closed.

    Raises
    ------
    Mistake
        Another process has it, or it cannot be written.
    """
    with disk(folder, Mistake):
        folder.mkdir(parents=True, exist_ok=True)
        file = open(folder / "lock", "ab")  # noqa: SIM115  # open as long as the folder is ours
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise Mistake(f"{folder}: is in use by another process") from None
    return file


def is_locked(folder: Path) -> bool:
    """Whether somebody plays into the folder now."""
    try:
        with open(folder / "lock", "rb") as file:
            fcntl.flock(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        return True
    except OSError:
        return False
    return False


def write(path: Path, content: bytes) -> None:
    """Write a file that is there whole or not at all."""
    with whole(path) as file:
        file.write(content)


@contextlib.contextmanager
def whole(path: Path) -> Iterator[IO[bytes]]:
    """Open a file that appears under its name when it has been written to the end."""
    hidden = path.with_name(f".{path.name}.tmp")
    try:
        with open(hidden, "wb") as file:
            yield file
            file.flush()
            os.fsync(file.fileno())
        hidden.replace(path)
    except BaseException:
        with contextlib.suppress(OSError):
            hidden.unlink()
        raise


def damaged(path: Path, error: Exception) -> Mistake:
    """The mistake that names a file which cannot be read."""
    if isinstance(error, FileNotFoundError):
        return Mistake(f"{path}: is missing")
    return Mistake(f"{path}: is damaged: {in_words(error)}")


def in_words(error: Exception) -> str:
    """The message of an error in one line."""
    return " ".join(str(error).split()) or type(error).__name__
