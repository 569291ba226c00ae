"""Words of 64 bits: compiled, in plain Python, and as Python's own integers do it."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as some

from sim.core import bits
from sim.core.jit import JIT, kernel

pytestmark = pytest.mark.both_modes

WORDS = some.integers(0, 2**62 - 1)
LARGE = some.integers(0, 2**64 - 1)
UNSIGNED = np.uint64 if JIT else int


@kernel
def n_bits(word):
    return bits.popcount(word)


@kernel
def lowest(word):
    return bits.lowest_bit(word)


@kernel
def highest(word):
    return bits.highest_bit(word)


@kernel
def product(a, b):
    return bits.multiply_high_low(a, b)


@kernel
def as_word(value):
    return bits.word64(value)


def positions(word: int) -> list[int]:
    """The set bits of a word, by looking at each."""
    return [place for place in range(64) if word >> place & 1]


@given(WORDS)
@example(0)
@example(2**62 - 1)
def test_number_of_set_bits(word: int) -> None:
    assert n_bits(word) == word.bit_count() == len(positions(word))


@given(WORDS.filter(bool))
@example(1)
@example(2**61)
def test_lowest_and_highest_set_bit(word: int) -> None:
    assert lowest(word) == positions(word)[0]
    assert highest(word) == positions(word)[-1]


@given(WORDS.filter(bool))
@example(1)
@example(2**61)
@example(2**62 - 1)
def test_kth_set_bit_by_instruction_and_by_loop(word: int) -> None:
    expected = positions(word)
    found = [bits.kth_bit(word, k) for k in range(len(expected))]
    looped = [bits.kth_bit_by_loop(word, k) for k in range(len(expected))]
    assert found == looped == expected


def test_kth_bit_uses_the_instruction_where_there_is_one() -> None:
    assert (bits.kth_bit is bits.kth_bit_by_loop) != (JIT and bits.HAS_PDEP)


@given(WORDS.filter(bool))
def test_numbers_of_numpy_are_as_good_as_pythons(word: int) -> None:
    """Draws are np.int64 without the JIT, and so is all that is made of them."""
    number = np.int64(word)
    assert n_bits(number) == word.bit_count()
    assert lowest(number) == positions(word)[0]
    assert highest(number) == positions(word)[-1]
    assert bits.kth_bit(number, np.int64(0)) == positions(word)[0]


@given(LARGE, LARGE)
@example(2**64 - 1, 2**64 - 1)
@example(0, 2**64 - 1)
def test_product_of_two_words(a: int, b: int) -> None:
    high, low = product(UNSIGNED(a), UNSIGNED(b))
    assert (int(high) << 64) + int(low) == a * b


@given(LARGE)
def test_word_has_64_bits(value: int) -> None:
    assert int(as_word(UNSIGNED(value))) == value
    assert int(as_word(value & (2**63 - 1))) == value & (2**63 - 1)


def test_difference_of_words_wraps_around() -> None:
    @kernel
    def difference(a, b):
        return bits.word64(a - b)

    assert int(difference(UNSIGNED(0), UNSIGNED(5))) == 2**64 - 5


ROW = 5


@kernel
def place_of(items, k):
    return items[bits.natural(k)]


@kernel
def add_to(target, first, second):
    bits.add_row(target, first, ROW)
    bits.add_products(target, first, second, ROW)


def test_places_by_natural_numbers() -> None:
    assert [place_of(np.arange(7, 12), k) for k in range(5)] == [7, 8, 9, 10, 11]


def test_rows_are_added_and_what_lies_behind_stays() -> None:
    target, first, second = np.arange(8), np.arange(8) * 10**9 - 3, np.arange(8) - 2
    expected = target + first * (1 + second)
    add_to(target, first, second)
    assert target.tolist() == [*expected[:ROW].tolist(), *range(ROW, 8)]
