"""Where compiled code is kept on disk, and how it is never stale.

numba stamps a cached function with the hash of its own file, so an edited helper in another file
keeps the old machine code. Here the stamp covers every project file that the function's file
imports, transitively, and names the folder: other sources, other folder. Two processes that
compile the same sources write the same files (atomically, numba does that); two that compile
different sources never meet.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import hashlib
import os
import re
import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
from numba.core.caching import CompileResultCacheImpl, FunctionCache, _CacheLocator

from sim.core.modules import module_file

ENVIRONMENT = "FAIRDEAL_CACHE"  # a folder of the user's choice for compiled code
OWN = ("sim", "strategies", "analysis", "reports")
_STANDARD = tuple(os.path.realpath(sysconfig.get_paths()[key]) for key in ("stdlib", "platstdlib"))
_PACKAGES = {"site-packages", "dist-packages"}  # of this environment, or of one below it
KEEP_VERSIONS = 4  # of the code compiled from one source file
KEEP_BYTES = 512 * 2**20
STAMP_DIGITS = 24  # of a stamp in the name of a folder
_OUR_FOLDER = re.compile(rf".+-[0-9a-f]{{{STAMP_DIGITS}}}")
GRACE_SECONDS = 3600.0  # what was used so lately may belong to a running process


@functools.cache
def root() -> str:
    """Folder of all compiled code: the first of these that can be written.

    `FAIRDEAL_CACHE`, `.cache/jit` of a checkout, the user's cache folder, a temporary folder.
    """
    checkout = Path(__file__).resolve().parents[2]
    user = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    candidates = [
        os.environ.get(ENVIRONMENT),
        str(checkout / ".cache" / "jit") if (checkout / "pyproject.toml").exists() else None,
        os.path.join(user, "fairdeal", "jit"),
        os.path.join(tempfile.gettempdir(), f"fairdeal-jit-{os.getuid()}"),
    ]
    for folder in filter(None, candidates):
        with contextlib.suppress(OSError):
            os.makedirs(folder, exist_ok=True)
            tempfile.TemporaryFile(dir=folder).close()
            return folder
    return tempfile.mkdtemp(prefix="fairdeal-jit-")


def source_files(path: str) -> list[str]:
    """`path` and every project file that it imports, transitively; real paths, sorted."""
    waiting, seen = [os.path.realpath(path)], set()
    while waiting:
        file = waiting.pop()
        if file not in seen:
            seen.add(file)
            waiting.extend(_imported_files(file))
    return sorted(seen)


def source_stamp(*paths: str) -> str:
    """Hash of everything the machine code of these files depends on, beside the processor."""
    digest = hashlib.sha256(
        f"{numba.__version__} {numba.config.OPT} {numba.config.BOUNDSCHECK}".encode()
    )
    for file in sorted({file for path in paths for file in source_files(path)}):
        digest.update(f"\0{os.path.basename(file)}\0".encode() + _content(file))
    return digest.hexdigest()


@functools.cache
def _content(path: str) -> bytes:
    # Read once a process: what was imported is what is compiled, whatever is edited later.
    return Path(path).read_bytes()


@functools.cache
def _imported_files(path: str) -> frozenset[str]:
    tree = ast.parse(_content(path))
    is_relative = any(isinstance(node, ast.ImportFrom) and node.level for node in ast.walk(tree))
    names = _imported_names(tree, _package_of(path) if is_relative else "")
    return frozenset(filter(None, (_project_file(name) for name in names)))


def _imported_names(tree: ast.AST, package: str) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            parts = package.split(".") if node.level else []
            parts = parts[: len(parts) - node.level + 1] if node.level else parts
            base = ".".join([*parts, *filter(None, [node.module])])
            yield base
            yield from (f"{base}.{alias.name}" for alias in node.names)


@functools.cache
def _project_file(name: str) -> str | None:
    module = sys.modules.get(name)
    file = str(module_file(name) if module is None and name else getattr(module, "__file__", None))
    if not file.endswith(".py"):
        return None
    file = os.path.realpath(file)
    is_foreign = file.startswith(_STANDARD) or not _PACKAGES.isdisjoint(file.split(os.sep))
    return file if name.split(".")[0] in OWN or not is_foreign else None


def _package_of(path: str) -> str:
    for name, module in list(sys.modules.items()):
        file = getattr(module, "__file__", None)
        if file and name != "__main__" and os.path.realpath(file) == path:
            is_package = os.path.basename(path) == "__init__.py"
            return name if is_package else name.rpartition(".")[0]
    return ""


class _Locator(_CacheLocator):
    """Places the code of a function in a folder named after the sources it is made of."""

    def __init__(self, function: Any) -> None:
        sources = getattr(function, "__sources__", (function.__code__.co_filename,))
        self._stamp = source_stamp(*sources)
        stem = f"{function.__module__}.{function.__qualname__.rpartition('.')[0]}".strip(".")
        self._folder = os.path.join(root(), f"{stem}-{self._stamp[:STAMP_DIGITS]}")
        self._line = function.__code__.co_firstlineno
        if os.path.isdir(self._folder):
            with contextlib.suppress(OSError):
                os.utime(self._folder)
        else:
            prune(root())
            os.makedirs(self._folder, exist_ok=True)

    def get_cache_path(self) -> str:
        return self._folder

    def get_source_stamp(self) -> str:
        return self._stamp

    def get_disambiguator(self) -> str:
        return str(self._line)

    @classmethod
    def from_function(cls, py_func: Any, py_file: str) -> _Locator | None:
        return cls(py_func) if os.path.exists(py_file) else None


class _Implementation(CompileResultCacheImpl):
    _locator_classes = (_Locator,)


class SourceCache(FunctionCache):
    """numba's disk cache of one function under the stamp of all its sources.

    A disk that is full or gone costs the cache, never the game.
    """

    _impl_class = _Implementation

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep the machine code, if there is room for it."""
        with contextlib.suppress(OSError):
            super().save_overload(sig, data)


def prune(folder: str, now: float | None = None) -> None:
    """Delete compiled code that nobody used lately, beyond a few versions of each source file.

    Kept are `KEEP_VERSIONS` of each file, `KEEP_BYTES` in all, and all used within the last hour.
    """
    now = time.time() if now is None else now
    entries = []
    with contextlib.suppress(OSError), os.scandir(folder) as listing:
        for entry in listing:
            with contextlib.suppress(OSError):
                if _OUR_FOLDER.fullmatch(entry.name):  # the rest is not ours to delete
                    entries.append((entry.stat().st_mtime, entry.name, entry.path))
    versions: dict[str, int] = {}
    total = 0
    for used, name, path in sorted(entries, reverse=True):
        source = name.rpartition("-")[0]
        versions[source] = versions.get(source, 0) + 1
        total += _size(path)
        if now - used > GRACE_SECONDS and (versions[source] > KEEP_VERSIONS or total > KEEP_BYTES):
            shutil.rmtree(path, ignore_errors=True)


def _size(folder: str) -> int:
    total = 0
    with contextlib.suppress(OSError), os.scandir(folder) as listing:
        for entry in listing:
            with contextlib.suppress(OSError):
                total += entry.stat().st_size
    return total
