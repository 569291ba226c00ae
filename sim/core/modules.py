"""Where modules lie, found without running a line of them or of the packages around them."""

from __future__ import annotations

import importlib.util
from importlib.machinery import PathFinder
from pathlib import Path


def module_file(name: str) -> Path | None:
    """File of a module that can be imported; None if there is none of this name."""
    first, *inner = name.split(".")
    try:
        spec = importlib.util.find_spec(first)
    except (ImportError, ValueError):  # such as __main__, which comes from no file
        return None
    for part in inner:
        folders = spec and spec.submodule_search_locations
        spec = PathFinder.find_spec(f"{spec.name}.{part}", folders) if spec and folders else None
    return Path(spec.origin) if spec and spec.origin else None
