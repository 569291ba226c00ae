"""The one decorator of everything that is compiled, and the switch that turns compiling off.

With ``NUMBA_DISABLE_JIT=1`` a kernel is the plain Python function, slow and with equal results.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numba
from numba import types
from numba.extending import intrinsic

from sim.core.cache import SourceCache

JIT = not numba.config.DISABLE_JIT


def compiled(function: Callable[..., Any], *, inline: bool = False) -> Any:
    """Compile `function` when it is first called, and keep the machine code on disk.

    A bad index in the code of a strategy becomes an IndexError instead of a look at other memory;
    it costs 0-2 % (measured). The rules and the core are ours and tested, and go without.
    """
    if not JIT:
        return function
    is_ours = function.__module__.startswith("sim.")
    # Each option is set, or it would be taken over from whoever calls the function first.
    dispatcher = numba.njit(
        nogil=True,
        forceinline=inline,
        boundscheck=not is_ours,
        error_model="python",
        # Ours allocate nothing, so arrays need no counting of references: 10 % (measured).
        _nrt=not is_ours,
    )(function)
    dispatcher._cache = SourceCache(function)
    return dispatcher


def kernel(function: Callable[..., Any]) -> Any:
    """Mark a function of the rules, of the core or of a strategy's private helpers as compiled."""
    return compiled(function)


def inlined(function: Callable[..., Any]) -> Any:
    """Mark a small kernel of every decision: its code is copied into whoever calls it."""
    return compiled(function, inline=True)


if JIT:

    @intrinsic
    def out_of_line(typingctx: Any) -> Any:
        """Said in a kernel: compile it on its own, never into its caller.

        For what runs once a round or a game. Copied into the loop of decisions its constants take
        registers there, saved and loaded again around every call of a strategy.
        """

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            builder.function.attributes.add("noinline")
            return context.get_dummy_value()

        return types.void(), generate

else:

    def out_of_line() -> None:
        """Said in a kernel: compile it on its own; without the JIT there is nothing to say."""
