"""How results look: figures, tables and one self-contained page, in English and Chinese.

The only part that knows matplotlib. It names no game: what a game wants to say stands in its data.
For notebooks `import reports` gives what is listed in `__all__`: drawings of the frames that
`analysis` makes, and the pages. Each is imported when it is first asked for.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from reports.drawings import (
        Drawing,
        draw_distributions,
        draw_estimates,
        draw_matrix,
    )

__all__ = ["Drawing", "draw_distributions", "draw_estimates", "draw_matrix"]


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'reports' has no attribute {name!r}")
    return getattr(import_module("reports.drawings"), name)
