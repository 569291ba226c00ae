"""The one decorator of everything that is compiled, and the switch that turns compiling off.

With ``NUMBA_DISABLE_JIT=1`` a kernel is the plain Python function, slow and with equal results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba

from sim.core.cache import SourceCache

JIT = not numba.config.DISABLE_JIT


def compiled(function: Callable[..., Any], **options: Any) -> Any:
    """Compile `function` when it is first called, and keep the machine code on disk."""
    if not JIT:
        return function
    dispatcher = numba.njit(nogil=True, **options)(function)
    dispatcher._cache = SourceCache(function)
    return dispatcher


def kernel(function: Callable[..., Any]) -> Any:
    """Mark a function of the rules, of the core or of a strategy's private helpers as compiled."""
    return compiled(function)
