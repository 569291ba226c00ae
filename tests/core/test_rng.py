"""Random streams: equal bit for bit to NumPy's Philox and to plain integers, uniform, independent.

Seeds are fixed, so a test of chance passes always or never; `UNLIKELY` is how often one would fail
if its seed were chosen at random.
"""

from __future__ import annotations

import math
import random
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.core.jit import JIT, kernel
from sim.core.records import record
from sim.core.rng import (
    CARDS,
    CHANCE,
    LINEUP,
    STRATEGY,
    STREAM,
    below,
    below_or_one,
    next_word,
    open_stream,
    shuffle,
)
from tests.positions import argument, blank

pytestmark = pytest.mark.both_modes

UNLIKELY = 1e-5
MASK = (1 << 64) - 1
Address = tuple[int, int, int, int]  # seed, deal, purpose, round
ADDRESSES: list[Address] = [
    (0, 0, 0, 0),
    (1, 0, CARDS, 1),
    (1, 7, CHANCE, 3),
    (2**63 - 1, 2**62, STRATEGY + 9, 100_000),
    (123_456_789, 2**62 - 1, LINEUP, 0),
    (42, 2**40 + 5, STRATEGY, 2**63 - 1),
]


class Reference:
    """The same stream in plain integers: a Philox block of NumPy, then xoshiro256++."""

    def __init__(self, seed: int, deal: int, purpose: int, round_: int) -> None:
        counter = (round_ << 192) | (purpose << 128) | (deal << 64)
        block = np.random.Philox(key=seed, counter=counter).random_raw(4)
        self.state = [int(word) for word in block]

    def word(self) -> int:
        """Blackman and Vigna, xoshiro256++."""

        def rotated(x: int, n: int) -> int:
            return ((x << n) | (x >> (64 - n))) & MASK

        s = self.state
        result = (rotated((s[0] + s[3]) & MASK, 23) + s[0]) & MASK
        shifted = (s[1] << 17) & MASK
        s[2] ^= s[0]
        s[3] ^= s[1]
        s[1] ^= s[2]
        s[0] ^= s[3]
        s[2] ^= shifted
        s[3] = rotated(s[3], 45)
        return result

    def exact_word(self, product: int) -> int:
        """A word whose product is not among the 2**64 % product lowest remainders."""
        while True:
            word = self.word()
            if word * product & MASK >= 2**64 % product:
                return word

    def below(self, n: int) -> int:
        """Lemire's bounded draw."""
        return 0 if n <= 1 else self.exact_word(n) * n >> 64

    def shuffle(self, items: list[int]) -> None:
        """Fisher-Yates from the last place; one word for sizes n, n-1, … up to 2**48 or more."""
        sizes = list(range(len(items), 1, -1))
        while sizes:
            batch = [sizes.pop(0)]
            while sizes and math.prod(batch) < 2**48:
                batch.append(sizes.pop(0))
            word = self.exact_word(math.prod(batch))
            for size in batch:
                k, word = divmod(word * size, 2**64)
                items[k], items[size - 1] = items[size - 1], items[k]


def opened(address: Address) -> Any:
    """The stream at this address, as kernels take it."""
    stream = argument(blank(STREAM))
    open_stream(stream, *address)
    return stream


# Bit for bit


@pytest.mark.parametrize("address", ADDRESSES)
def test_stream_opens_with_a_block_of_philox(address: Address) -> None:
    stream: Any = blank(STREAM)
    open_stream(argument(stream), *address)
    assert [stream.s0, stream.s1, stream.s2, stream.s3] == Reference(*address).state


@pytest.mark.parametrize("address", ADDRESSES)
def test_words_are_those_of_xoshiro(address: Address) -> None:
    stream, reference = opened(address), Reference(*address)
    for _ in range(200):
        assert int(next_word(stream)) == reference.word()


@pytest.mark.parametrize("draw", [below, below_or_one])
@pytest.mark.parametrize("address", ADDRESSES)
def test_bounded_draws_are_those_of_lemire(address: Address, draw: Any) -> None:
    stream, reference = opened(address), Reference(*address)
    numbers = random.Random(1)
    # A quarter of the words is rejected below 3 * 2**61.
    bounds = [1, 2, 3, 6, 52, 2**62, 3 * 2**61, 2**63 - 1]
    bounds += [numbers.randrange(1, 2 ** numbers.randint(1, 63)) for _ in range(200)]
    for n in [*bounds, *[3 * 2**61] * 50]:
        drawn = draw(stream, n)
        assert drawn == reference.below(n)
        assert 0 <= drawn < n


@pytest.mark.parametrize(("draw", "n"), [(below, 0), (below, 1), (below_or_one, 1)])
def test_nothing_is_drawn_where_there_is_no_choice(draw: Any, n: int) -> None:
    stream, reference = opened((1, 2, 3, 4)), Reference(1, 2, 3, 4)
    assert draw(stream, n) == 0
    assert int(next_word(stream)) == reference.word()


@pytest.mark.parametrize("n", [0, 1, 2, 3, 12, 13, 14, 20, 21, 22, 50, 52, 108, 160, 1023, 1024])
def test_shuffle_is_that_of_the_reference(n: int) -> None:
    for address in ADDRESSES:
        stream, reference = opened(address), Reference(*address)
        for _ in range(3):
            items, expected = np.arange(n + 2), list(range(n))
            shuffle(stream, items, n)
            reference.shuffle(expected)
            assert items.tolist() == [*expected, n, n + 1]


def test_shuffle_rejects_words_as_the_reference_does() -> None:
    n, n_rejected = 777, 0  # sizes of the first batch of nearly the largest product there is
    product = math.prod(range(n, n - 6, -1))
    for deal in range(300):
        address = (9, deal, CARDS, 1)
        if Reference(*address).word() * product & MASK < 2**64 % product:
            items, expected = np.arange(n), list(range(n))
            shuffle(opened(address), items, n)
            Reference(*address).shuffle(expected)
            assert items.tolist() == expected
            n_rejected += 1
    assert n_rejected > 0


@kernel
def shuffle_field(stream, row):
    for i in range(20):
        row.items[i] = i
    shuffle(stream, row.items, 20)


def test_shuffle_works_on_a_field_of_a_record() -> None:
    row: Any = blank(record(("items", np.int64, 20)))
    expected = list(range(20))
    shuffle_field(opened((3, 3, 3, 3)), argument(row))
    Reference(3, 3, 3, 3).shuffle(expected)
    assert list(row.items) == expected


# Uniform


@kernel
def count_draws(stream, n, draws, counts):
    """How often each sixteenth of the range, or each number of a small one, is drawn."""
    bins = len(counts)
    for _ in range(draws):
        drawn = below(stream, n)
        counts[drawn if n == bins else drawn // (n // bins)] += 1


@kernel
def count_places(stream, items, shuffles, counts):
    """How often each item comes to each place."""
    n = len(items)
    for _ in range(shuffles):
        for i in range(n):
            items[i] = i
        shuffle(stream, items, n)
        for i in range(n):
            counts[items[i], i] += 1


@kernel
def count_places_of_a_bad_shuffle(stream, items, shuffles, counts):
    """The same for the classic mistake: each place exchanged with any other."""
    n = len(items)
    for _ in range(shuffles):
        for i in range(n):
            items[i] = i
        for i in range(n):
            k = below(stream, n)
            items[k], items[i] = items[i], items[k]
        for i in range(n):
            counts[items[i], i] += 1


@kernel
def count_orders(stream, items, shuffles, counts):
    """How often each order of a few items comes up."""
    n = len(items)
    for _ in range(shuffles):
        for i in range(n):
            items[i] = i
        shuffle(stream, items, n)
        code = 0
        for i in range(n):
            rank = 0
            for j in range(i + 1, n):
                rank += 1 if items[j] < items[i] else 0
            code = code * (n - i) + rank
        counts[code] += 1


def is_plausible(statistic: float, degrees: int) -> bool:
    """Whether a chi-square statistic is neither too large nor too small."""
    return bool(UNLIKELY < stats.chi2.sf(statistic, degrees) < 1 - UNLIKELY)


def statistic_of(counts: Any) -> float:
    return float(((counts - counts.mean()) ** 2 / counts.mean()).sum())


@pytest.mark.parametrize("n", [2, 3, 7, 10, 50, 1000])
def test_draws_are_uniform(n: int) -> None:
    counts = np.zeros(n, np.int64)
    count_draws(opened((n, 1, STRATEGY, 0)), n, 200_000 if JIT else 20_000, counts)
    assert is_plausible(statistic_of(counts), n - 1)


@pytest.mark.parametrize("n", [2**40, 3 * 2**61, 2**62])
def test_draws_of_a_wide_range_are_uniform(n: int) -> None:
    counts = np.zeros(16, np.int64)
    count_draws(opened((5, 1, STRATEGY, 0)), n, 200_000 if JIT else 20_000, counts)
    assert is_plausible(statistic_of(counts), 15)


def places_statistic(count: Any, n: int, shuffles: int) -> float:
    counts = np.zeros((n, n), np.int64)
    count(opened((n, 3, CARDS, 1)), np.arange(n), shuffles, counts)
    return statistic_of(counts) * (n - 1) / n  # each row and each column has a fixed sum


@pytest.mark.parametrize("n", [5, 13, 50, 108])
def test_each_card_comes_to_each_place(n: int) -> None:
    shuffles = 4_000_000 // n if JIT else 40_000 // n
    assert is_plausible(places_statistic(count_places, n, shuffles), (n - 1) ** 2)


def test_a_bad_shuffle_would_be_found() -> None:
    shuffles = 80_000 if JIT else 5_000
    assert is_plausible(places_statistic(count_places, 13, shuffles), 12**2)
    bad = places_statistic(count_places_of_a_bad_shuffle, 13, shuffles)
    assert not is_plausible(bad, 12**2)


@pytest.mark.parametrize("n", [3, 4, 5, 6])
def test_each_order_comes_up(n: int) -> None:
    counts = np.zeros(math.factorial(n), np.int64)
    count_orders(opened((n, 4, CARDS, 1)), np.arange(n), 300_000 if JIT else 10_000, counts)
    assert is_plausible(statistic_of(counts), len(counts) - 1)


# Independent

SIDES = 16


@kernel
def count_pairs(one, other, deals, first, second, counts):
    """How often two streams begin with each pair of numbers, over deals two apart."""
    for deal in range(0, 2 * deals, 2):
        open_stream(one, first[0], first[1] + deal, first[2], first[3])
        open_stream(other, second[0], second[1] + deal, second[2], second[3])
        counts[below(one, SIDES), below(other, SIDES)] += 1


NEIGHBOURS: dict[str, tuple[Address, Address]] = {
    "two seats": ((1, 0, STRATEGY, 0), (1, 0, STRATEGY + 1, 0)),
    "first and last seat": ((1, 0, STRATEGY, 0), (1, 0, STRATEGY + 9, 0)),
    "seat and cards": ((1, 0, STRATEGY, 0), (1, 0, CARDS, 0)),
    "cards and chance": ((1, 0, CARDS, 1), (1, 0, CHANCE, 1)),
    "cards and line-up": ((1, 0, CARDS, 0), (1, 0, LINEUP, 0)),
    "two deals": ((1, 0, CARDS, 1), (1, 1, CARDS, 1)),
    "two deals of a seat": ((1, 0, STRATEGY + 2, 0), (1, 1, STRATEGY + 2, 0)),
    "two rounds": ((1, 0, CARDS, 1), (1, 0, CARDS, 2)),
    "two seeds": ((1, 0, CARDS, 1), (2, 0, CARDS, 1)),
    "seed and deal exchanged": ((0, 1, CARDS, 1), (1, 0, CARDS, 1)),
    "far deals": ((1, 0, CARDS, 1), (1, 2**61, CARDS, 1)),
}


@pytest.mark.parametrize("name", NEIGHBOURS)
def test_neighbouring_streams_are_independent(name: str) -> None:
    counts = np.zeros((SIDES, SIDES), np.int64)
    streams = argument(blank(STREAM)), argument(blank(STREAM))
    count_pairs(*streams, 100_000 if JIT else 5_000, *NEIGHBOURS[name], counts)
    assert is_plausible(statistic_of(counts), SIDES**2 - 1)


def test_equal_streams_would_be_found() -> None:
    counts = np.zeros((SIDES, SIDES), np.int64)
    streams = argument(blank(STREAM)), argument(blank(STREAM))
    address = (1, 0, STRATEGY, 0)
    count_pairs(*streams, 5_000, address, address, counts)
    assert not is_plausible(statistic_of(counts), SIDES**2 - 1)


@kernel
def fill(stream, n, numbers):
    for i in range(n):
        numbers[i] = below(stream, 1 << 30)


def test_long_streams_of_a_deal_are_not_correlated() -> None:
    n = 100_000 if JIT else 5_000
    purposes = [CARDS, CHANCE, LINEUP, *range(STRATEGY, STRATEGY + 10)]
    numbers = np.zeros((len(purposes) + 2, n), np.int64)
    for row, purpose in enumerate(purposes):
        fill(opened((11, 5, purpose, 1)), n, numbers[row])
    fill(opened((11, 6, CARDS, 1)), n, numbers[-2])
    fill(opened((11, 5, CARDS, 2)), n, numbers[-1])
    correlation = np.corrcoef(numbers)
    apart = correlation[~np.eye(len(numbers), dtype=bool)]
    assert np.abs(apart).max() * math.sqrt(n) < 5
    lagged = [np.corrcoef(row[:-1], row[1:])[0, 1] for row in numbers]
    assert np.abs(lagged).max() * math.sqrt(n) < 5
