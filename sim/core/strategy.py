"""The Strategy form: `decide(table, me) -> action`, compiled alone and called by address.

A strategy is compiled once for the two records of its game. The play loop calls the machine code
at its address with numba's own calling convention, so any line-up plays without recompiling. This
is the one file that uses numba's semi-internal `call_conv` and `overloads`; numba is
pinned for its sake. A strategy in plain Python is called through ctypes instead, slowly.
"""

from __future__ import annotations

import ctypes
import operator
from collections.abc import Callable
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.core import cgutils
from numba.core.errors import NumbaError
from numba.extending import intrinsic

from sim.core.jit import JIT, compiled
from sim.core.records import Field, View, record, view_class
from sim.core.rng import STREAM

N_PARAMETERS = 16
OUR_PACKAGE = "strategies"
EXCEPTION = -(2**62)  # what a call gives when the strategy raised an exception
OURS, FOREIGN, PYTHON = 0, 1, 2  # conventions of a call: compiled, ours or not, and plain Python

Decide = Callable[[Any, Any], int]  # a function


class CompileError(Exception):
    """A strategy that numba cannot compile; the message is one line."""


def me_record(n_memory: int, *fields: Field) -> np.dtype[Any]:
    """Record of what only one seat has: `fields` of the game, and what every strategy has.

    `parameter` holds the strategy's numbers in the order of its PARAMETERS, `rng` its own random
    stream, `memory` so many words that are zero at the start of a game and then its own.
    """
    return record(
        ("seat", np.int64),  # where it sits, from 0
        ("parameter", np.int64, N_PARAMETERS),  # its numbers, in the order of PARAMETERS
        *fields,
        # From here on the strategy may write.
        ("rng", STREAM),  # its own random stream: below(me.rng, n) draws 0..n-1
        ("memory", np.int64, n_memory),  # words that are 0 when a game starts, then its own
    )


class Strategy:
    """A compiled strategy for one game's records."""

    def __init__(self, decide: Decide, table: np.dtype[Any], me: np.dtype[Any]) -> None:
        self.decide = decide
        self.table, self.me = table, me
        self.__doc__ = decide.__doc__
        self._compiled = compiled(decide)
        self._address: int | None = None
        self.is_ours = decide.__module__.startswith(f"{OUR_PACKAGE}.")
        code = decide.__code__
        self._place = f'(File "{code.co_filename}", line {code.co_firstlineno})'

    def __call__(self, table: Any, me: Any) -> int:
        """Decide on views, as compiled, so that an exception reaches the caller."""
        return int(self._compiled(table, me))

    def address(self) -> int:
        """Address of the machine code; compiles or loads it once.

        Raises
        ------
        CompileError
            numba cannot compile the function, or it does not return a whole number.
        """
        if self._address is None:  # finding it takes a millisecond, and tables are laid by hundreds
            self._address = self._find_address()
        return self._address

    def _find_address(self) -> int:
        arguments = (from_dtype(self.table), from_dtype(self.me))
        try:
            self._compiled.compile(arguments)
        except KeyError as error:  # what numba says of a field that is not there
            raise CompileError(f"table and me have no field {error} {self._place}") from None
        except (NumbaError, TypeError, ValueError, NotImplementedError) as error:
            raise CompileError(_one_line(error, self._place)) from None
        result = self._compiled.overloads[arguments]
        kind = types.unliteral(result.signature.return_type)
        if kind != types.int64:
            raise CompileError(f"decide returns {kind}, not a whole number (int64) {self._place}")
        return int(result.library.get_pointer_to_function(result.fndesc.llvm_func_name))


def _one_line(error: Exception, default_place: str) -> str:
    """The reason and the place of a numba error, from its many lines."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    places = [line for line in lines if line.startswith('File "')]
    skip = ("Failed in nopython", "During:", "File", "- Resolution", "There are", "def ", "<source")
    reasons = [line for line in lines if not line.startswith(skip)]
    place = f"({places[-1].rstrip(':')})" if places else default_place
    return f"{reasons[0] if reasons else 'cannot be compiled'} {place}".strip()


def strategy_form(table: np.dtype[Any], me: np.dtype[Any]) -> Callable[[Decide], Strategy]:
    """Return the decorator `@strategy` of a game with these two records."""

    def strategy(decide: Decide) -> Strategy:
        return Strategy(decide, table, me)

    return strategy


class PythonCall:
    """A plain Python function that compiled code can call: `address` of a guarded callback.

    An exception is kept in `error`; the loop gets EXCEPTION and stops.
    """

    def __init__(self, decide: Decide, table: np.dtype[Any], me: np.dtype[Any]) -> None:
        self.error: BaseException | None = None
        views: dict[tuple[int, bool], View] = {}

        def view(address: int, dtype: np.dtype[Any], is_me: bool) -> View:
            key = (address, is_me)
            if key not in views:
                memory = (ctypes.c_char * dtype.itemsize).from_address(address)
                views[key] = view_class(dtype)(memoryview(memory).cast("B"))
            return views[key]

        def guarded(table_address: int, me_address: int) -> int:
            try:
                action = decide(view(table_address, table, False), view(me_address, me, True))
                return operator.index(action)
            except BaseException as error:
                self.error = error
                return EXCEPTION

        kind = ctypes.CFUNCTYPE(ctypes.c_int64, ctypes.c_void_p, ctypes.c_void_p)
        self._keep = kind(guarded)
        self.address = ctypes.cast(self._keep, ctypes.c_void_p).value or 0


if JIT:

    @intrinsic
    def call_strategy(typingctx: Any, address: Any, convention: Any, table: Any, me: Any) -> Any:
        """Call the strategy at `address`; EXCEPTION when it raises."""
        if not (isinstance(table, types.Record) and isinstance(me, types.Record)):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            answer = cgutils.alloca_once(builder, ir.IntType(64))
            is_compiled = builder.icmp_signed("!=", args[1], ir.Constant(ir.IntType(64), PYTHON))
            with builder.if_else(is_compiled, likely=True) as (compiled_way, python_way):
                with compiled_way:
                    kind = context.call_conv.get_function_type(types.int64, (table, me))
                    function = builder.inttoptr(args[0], kind.as_pointer())
                    status, result = context.call_conv.call_function(
                        builder, function, types.int64, (table, me), args[2:]
                    )
                    builder.store(result, answer)
                    with builder.if_then(status.is_error, likely=False):
                        builder.store(ir.Constant(ir.IntType(64), EXCEPTION), answer)
                with python_way:
                    pointer = ir.IntType(8).as_pointer()
                    kind = ir.FunctionType(ir.IntType(64), [pointer, pointer])
                    function = builder.inttoptr(args[0], kind.as_pointer())
                    ends = [builder.bitcast(arg, pointer) for arg in args[2:]]
                    builder.store(builder.call(function, ends), answer)
            return builder.load(answer)

        return types.int64(types.int64, types.int64, table, me), generate

else:

    def call_strategy(address, convention, table, me):
        """Call the strategy, here a Python function; EXCEPTION when it raises."""
        try:
            return operator.index(address(table, me))
        except Exception:
            return EXCEPTION
