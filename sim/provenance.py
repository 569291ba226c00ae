"""How a run came about: versions, sources and machine, for its manifest."""

from __future__ import annotations

import hashlib
import os
import platform
from importlib import metadata
from pathlib import Path
from typing import Any

from sim import __version__, catalog
from sim.experiment import Experiment

LIBRARIES = ("numba", "llvmlite", "numpy", "joblib", "pyarrow")  # what results are made with


def sources(experiment: Experiment) -> dict[str, str]:
    """Hash of every file on which the results depend, by name."""
    files = catalog.source_files(catalog.game(experiment.game), experiment.specs)
    return {
        name: hashlib.sha256(path.read_bytes()).hexdigest()[:16] for name, path in files.items()
    }


def fingerprint(files: dict[str, str]) -> str:
    """One hash of all sources."""
    return hashlib.sha256(repr(sorted(files.items())).encode()).hexdigest()


def versions() -> dict[str, str]:
    """Version of fairdeal, of Python and of the libraries that play a part in results."""
    found = {"fairdeal": __version__, "python": platform.python_version()}
    return found | {name: metadata.version(name) for name in LIBRARIES}


def machine() -> dict[str, Any]:
    """Facts of the machine; they matter for speed, never for results."""
    return {
        "system": platform.system(),
        "release": platform.release(),
        "processor": _processor(),
        "cores": os.cpu_count(),
        "jit": os.environ.get("NUMBA_DISABLE_JIT", "0") in ("", "0"),
    }


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines()
    except OSError:
        lines = []
    names = [line.partition(":")[2].strip() for line in lines if line.startswith("model name")]
    return names[0] if names else platform.processor() or platform.machine()
