"""Words of 64 bits: one machine instruction each when compiled, plain Python otherwise.

Sets use int64 with bits 0..61, so that the sign never matters; uint64 stays inside the generator.
Source: LLVM language reference (ctpop, cttz, ctlz) and Intel's BMI2 (pdep).
"""

from __future__ import annotations

import platform
from typing import Any

import llvmlite.binding as llvm
from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from sim.core.jit import JIT, inlined

MASK64 = (1 << 64) - 1


def _has_pdep() -> bool:
    """Whether this processor has `pdep` (x86-64 with BMI2)."""
    features = llvm.get_host_cpu_features()
    return platform.machine() in ("x86_64", "AMD64") and bool(features.get("bmi2"))


HAS_PDEP = _has_pdep()


def _one_instruction(name: str, *flags: bool) -> Any:
    """Make an intrinsic int64 -> int64 of the LLVM intrinsic `name`."""

    @intrinsic
    def instruction(typingctx: Any, word: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            i64, i1 = ir.IntType(64), ir.IntType(1)
            kind = ir.FunctionType(i64, [i64] + [i1] * len(flags))
            function = cgutils.get_or_insert_function(builder.module, kind, name)
            return builder.call(function, [args[0], *(ir.Constant(i1, int(f)) for f in flags)])

        return types.int64(types.int64), generate

    return instruction


if JIT:
    popcount = _one_instruction("llvm.ctpop.i64")
    lowest_bit = _one_instruction("llvm.cttz.i64", True)
    _leading_zeros = _one_instruction("llvm.ctlz.i64", True)

    @inlined
    def highest_bit(word):
        """Position of the highest set bit; `word` must not be 0."""
        return 63 - _leading_zeros(word)

    @intrinsic
    def multiply_high_low(typingctx: Any, a: Any, b: Any) -> Any:
        """uint64 × uint64 -> upper and lower word of the product."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            i64, i128 = ir.IntType(64), ir.IntType(128)
            product = builder.mul(builder.zext(args[0], i128), builder.zext(args[1], i128))
            high = builder.trunc(builder.lshr(product, ir.Constant(i128, 64)), i64)
            low = builder.trunc(product, i64)
            return context.make_tuple(builder, signature.return_type, (high, low))

        return types.UniTuple(types.uint64, 2)(types.uint64, types.uint64), generate

    @intrinsic
    def word64(typingctx: Any, value: Any) -> Any:
        """The value as a word of 64 bits without sign."""

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return args[0]

        return types.uint64(types.uint64), generate

    @intrinsic
    def natural(typingctx: Any, number: Any) -> Any:
        """The number, which the caller knows not to be negative.

        A place in an array is then found without asking whether to count from its end: four
        instructions each, of the hundred and thirty that a decision took in a game of short rounds.
        """

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kind = ir.FunctionType(ir.VoidType(), [ir.IntType(1)])
            assume = cgutils.get_or_insert_function(builder.module, kind, "llvm.assume")
            is_known = builder.icmp_signed(">=", args[0], ir.Constant(ir.IntType(64), 0))
            builder.call(assume, [is_known])
            return args[0]

        return types.int64(types.int64), generate

    def _as_vectors(context: Any, builder: Any, kinds: Any, arrays: Any, n: int) -> Any:
        """Where the first `n` items of each array lie, as pointers to a vector of them."""
        pointer = ir.VectorType(ir.IntType(64), n).as_pointer()
        for kind, value in zip(kinds, arrays, strict=True):
            yield builder.bitcast(make_array(kind)(context, builder, value).data, pointer)

    @intrinsic(prefer_literal=True)
    def add_row(typingctx: Any, target: Any, row: Any, n: Any) -> Any:
        """Add the first `n` items of `row` to those of `target`; see `add_products`."""
        if not isinstance(n, types.IntegerLiteral):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds, size = signature.args[:2], n.literal_value
            into, other = _as_vectors(context, builder, kinds, args[:2], size)
            total = builder.add(builder.load(into, align=8), builder.load(other, align=8))
            builder.store(total, into, align=8)
            return context.get_dummy_value()

        return types.void(target, row, n), generate

    @intrinsic(prefer_literal=True)
    def add_products(typingctx: Any, target: Any, first: Any, second: Any, n: Any) -> Any:
        """Add to each of the first `n` items of `target` the product of the two items there.

        All are contiguous int64 arrays of at least `n` items; `n` is a constant. This is done as
        one vector, which the compiler cannot make of a loop, since it cannot know that the arrays
        do not overlap. Measured: a deal is closed in two thirds of the time.
        """
        if not isinstance(n, types.IntegerLiteral):
            return None

        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            kinds, size = signature.args[:3], n.literal_value
            into, *factors = _as_vectors(context, builder, kinds, args[:3], size)
            a, b = (builder.load(factor, align=8) for factor in factors)
            total = builder.add(builder.load(into, align=8), builder.mul(a, b))
            builder.store(total, into, align=8)
            return context.get_dummy_value()

        return types.void(target, first, second, n), generate

    @intrinsic
    def _deposit(typingctx: Any, bits: Any, mask: Any) -> Any:
        def generate(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            i64 = ir.IntType(64)
            kind = ir.FunctionType(i64, [i64, i64])
            function = cgutils.get_or_insert_function(builder.module, kind, "llvm.x86.bmi.pdep.64")
            return builder.call(function, args)

        return types.int64(types.int64, types.int64), generate

else:

    def popcount(word):
        """Number of set bits."""
        return int(word).bit_count()

    def lowest_bit(word):
        """Position of the lowest set bit; `word` must not be 0."""
        word = int(word)
        return (word & -word).bit_length() - 1

    def highest_bit(word):
        """Position of the highest set bit; `word` must not be 0."""
        return int(word).bit_length() - 1

    def multiply_high_low(a, b):
        """Word × word without sign -> upper and lower word of the product."""
        product = int(a) * int(b)
        return product >> 64, product & MASK64

    def word64(value):
        """The value as a word of 64 bits without sign."""
        return int(value) & MASK64

    def natural(number):
        """The number, which the caller knows not to be negative."""
        return number

    def add_row(target, row, n):
        """Add the first `n` items of `row` to those of `target`."""
        for i in range(n):
            target[i] += row[i]

    def add_products(target, first, second, n):
        """Add to each of the first `n` items of `target` the product of the two items there."""
        for i in range(n):
            target[i] += first[i] * second[i]


@inlined
def kth_bit_by_loop(word, k):
    """Position of the set bit of `word` that has `k` set bits below it."""
    for _ in range(k):
        word &= word - 1
    return lowest_bit(word)


if JIT and HAS_PDEP:

    @inlined
    def kth_bit(word, k):
        """Position of the set bit of `word` that has `k` set bits below it."""
        # pdep puts the single bit k of its source at the k-th set bit of the mask: 3 cycles, no
        # loop. Measured on whole games of random play: +53 % (engine-facts.md).
        return lowest_bit(_deposit(1 << k, word))

else:
    kth_bit = kth_bit_by_loop
