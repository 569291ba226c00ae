"""Records: the state of a game, what a seat sees, a random stream, as fixed memory of int64 words.

Compiled code gets a record as one pointer and reads its fields. Python code (plain strategies, and
everything under ``NUMBA_DISABLE_JIT=1``) gets a `View` of the same memory, with the same names and
with Python integers, so that one text of a rule serves both.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np
from llvmlite import ir
from numba import from_dtype, types
from numba.extending import intrinsic, typeof_impl

from sim.core.jit import JIT

Field = tuple[Any, ...]


def record(*fields: Field) -> np.dtype[Any]:
    """Return the dtype of a record with these fields.

    Each field is (name, type) or (name, type, shape): int64, uint64 or another record.
    A field with a shape, a number or a tuple of them, is an array; of records it is not possible,
    and a `View` shows arrays of one dimension alone.
    """
    return np.dtype(list(fields), align=True)


def fields_of(dtype: np.dtype[Any]) -> Iterator[tuple[str, np.dtype[Any], int]]:
    """Name, type and offset in bytes of each field of a record."""
    for name, field in (dtype.fields or {}).items():
        yield name, field[0], field[1]


def allocate(dtype: np.dtype[Any], n: int = 1) -> np.ndarray[Any, Any]:
    """Return zeroed memory for `n` records."""
    return np.zeros(n, dtype)


def handle(memory: np.ndarray[Any, Any]) -> Any:
    """What a kernel takes for an array of records: the array, or views without the JIT."""
    return memory if JIT else [View.of(memory, i) for i in range(len(memory))]


class View:
    """Python's view of one record in memory: fields are integers, arrays of them, or views.

    `data` is the record's memory; numba takes a view for the record itself, so that a strategy
    in plain Python may call the kernels of the core, `below(me.rng, 6)` for example.
    """

    __slots__ = ("_signed", "_unsigned", "data")

    dtype: np.dtype[Any]
    data: memoryview

    def __init__(self, data: memoryview) -> None:
        self.data = data
        self._signed = data.cast("B").cast("q")
        self._unsigned = data.cast("B").cast("Q")
        for name, kind, offset in fields_of(type(self).dtype):
            if kind.names:
                field: Any = view_class(kind)(data[offset : offset + kind.itemsize])
            elif kind.subdtype:
                words = self._unsigned if kind.subdtype[0] == np.uint64 else self._signed
                field = words[offset // 8 : (offset + kind.itemsize) // 8]
            else:
                continue
            setattr(self, name, field)

    @staticmethod
    def of(memory: np.ndarray[Any, Any], i: int) -> View:
        """View of record `i` of an array."""
        size = memory.dtype.itemsize
        return view_class(memory.dtype)(memory.view(np.uint8).data[i * size : (i + 1) * size])

    def __repr__(self) -> str:
        names = type(self).dtype.names or ()
        return f"View({', '.join(f'{name}={_plain(getattr(self, name))}' for name in names)})"


def blank(dtype: np.dtype[Any]) -> View:
    """A record of zeros."""
    return View.of(allocate(dtype), 0)


def argument(record: View) -> Any:
    """The record as kernels take it fastest: of a view numba finds out the type at each call."""
    return np.frombuffer(record.data, type(record).dtype)[0] if JIT else record


def _plain(value: Any) -> Any:
    return value.tolist() if isinstance(value, memoryview) else value


@cache
def view_class(dtype: np.dtype[Any]) -> type[View]:
    """The class of views of this record; scalar fields are properties on its memory."""
    members: dict[str, Any] = {"dtype": dtype, "__slots__": []}
    for name, kind, offset in fields_of(dtype):
        if kind.names or kind.subdtype:
            members["__slots__"].append(name)
        else:
            members[name] = _scalar(offset // 8, "_unsigned" if kind == np.uint64 else "_signed")
    return type("RecordView", (View,), members)


def _scalar(word: int, memory: str) -> property:
    def get(self: View) -> Any:
        return getattr(self, memory)[word]

    def put(self: View, value: int) -> None:
        getattr(self, memory)[word] = value

    return property(get, put)


@typeof_impl.register(View)
def _typeof_view(value: View, context: Any) -> Any:
    kind = type(value)
    if kind not in _RECORD_TYPES:
        _RECORD_TYPES[kind] = from_dtype(kind.dtype)
    return _RECORD_TYPES[kind]


_RECORD_TYPES: dict[Any, Any] = {}  # numba's type of a view, by the view's class


if JIT:

    @intrinsic
    def copy_record(typingctx: Any, target: Any, source: Any) -> Any:
        """Copy one record over another of the same type."""
        if not isinstance(target, types.Record) or target != source:
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            pointer, size, one = ir.IntType(8).as_pointer(), ir.IntType(64), ir.IntType(1)
            kind = ir.FunctionType(ir.VoidType(), [pointer, pointer, size, one])
            name = "llvm.memmove.p0i8.p0i8.i64"
            move = builder.module.globals.get(name) or ir.Function(builder.module, kind, name)
            ends = [builder.bitcast(arg, pointer) for arg in args]
            builder.call(move, [*ends, ir.Constant(size, target.size), ir.Constant(one, 0)])
            return context.get_dummy_value()

        return types.void(target, source), generate

    @intrinsic
    def word_of(typingctx: Any, rec: Any, index: Any) -> Any:
        """Word `index` of a record's memory, from 0; beyond its end the first word."""
        if not isinstance(rec, types.Record):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            i64 = ir.IntType(64)
            # Strategies can call this too: it must not show what lies behind the record.
            is_inside = builder.icmp_unsigned("<", args[1], ir.Constant(i64, rec.size // 8))
            index = builder.select(is_inside, args[1], ir.Constant(i64, 0))
            return builder.load(builder.gep(builder.bitcast(args[0], i64.as_pointer()), [index]))

        return types.int64(rec, types.int64), generate

    @intrinsic
    def n_words(typingctx: Any, rec: Any) -> Any:
        """Number of 64-bit words of a record."""
        if not isinstance(rec, types.Record):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return context.get_constant(types.int64, rec.size // 8)

        return types.int64(rec), generate

else:

    def copy_record(target: View, source: View) -> None:
        """Copy one record over another of the same type."""
        target.data[:] = source.data

    def word_of(rec: View, index: int) -> int:
        """Word `index` of a record's memory, from 0; beyond its end the first word."""
        return int(rec._signed[index if 0 <= index < len(rec._signed) else 0])

    def n_words(rec: View) -> int:
        """Number of 64-bit words of a record."""
        return len(rec._signed)


def record_of(dtype: np.dtype[Any], name: str) -> np.dtype[Any]:
    """The record that is this field."""
    return next(kind for field, kind, _ in fields_of(dtype) if field == name)


def offset_of(dtype: np.dtype[Any], name: str) -> tuple[int, int]:
    """First and behind-the-last word of a field."""
    kind, offset = next((k, o) for n, k, o in fields_of(dtype) if n == name)
    return offset // 8, (offset + kind.itemsize) // 8
