"""What the results of a run mean: numbers and frames in, numbers and frames out.

It knows no game by name, compiles nothing and draws nothing. The deal with all its rotations is
the unit of every interval. pandas is imported only by the functions that return frames, so that
a small run can print its table without waiting for it.

For notebooks `import analysis` gives what is listed in `__all__`, from run folders to tidy frames;
`reports` draws them. `docs/notebook.ipynb` shows how. Each is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from analysis.comparison_files import open_comparison
    from analysis.frames import (
        component_frame,
        differences,
        distribution,
        duel_frame,
        games,
        look_frame,
        place_frame,
        rank_frame,
        rating_frame,
        residual_frame,
        role_frame,
        saved_frame,
        score_frame,
        seats,
        standing_frame,
    )
    from analysis.matches import matches_of
    from analysis.ratings import rate
    from sim.store import open_run

__all__ = [
    "component_frame",
    "differences",
    "distribution",
    "duel_frame",
    "games",
    "look_frame",
    "matches_of",
    "open_comparison",
    "open_run",
    "place_frame",
    "rank_frame",
    "rate",
    "rating_frame",
    "residual_frame",
    "role_frame",
    "saved_frame",
    "score_frame",
    "seats",
    "standing_frame",
]

_ELSEWHERE = {
    "matches_of": "analysis.matches",
    "open_comparison": "analysis.comparison_files",
    "open_run": "sim.store",
    "rate": "analysis.ratings",
}


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'analysis' has no attribute {name!r}")
    return getattr(import_module(_ELSEWHERE.get(name, "analysis.frames")), name)
