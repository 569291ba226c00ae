"""Random streams that are addressed, not passed on: (seed; deal, purpose, round) names each one.

One block of Philox4x64-10 on that address seeds a xoshiro256++ generator. So a deal can be played
alone, a strategy that draws more never moves a card, and results do not depend on who plays what
when. NumPy makes the same first words, `np.random.Philox(key=seed, counter=c).random_raw(4)` with
``c = (round << 192) | (purpose << 128) | (deal << 64)``.

Sources: Salmon et al., "Parallel random numbers: as easy as 1, 2, 3" (2011); Blackman and Vigna,
"Scrambled linear pseudorandom number generators" (2021); Lemire, "Fast random integer generation
in an interval" (2019); Brackett-Rozinsky and Lemire, "Batched ranged random integer generation"
(2024).
"""

from __future__ import annotations

import numpy as np

from sim.core.bits import multiply_high_low, word64
from sim.core.jit import JIT, inlined, kernel
from sim.core.records import record

CARDS = 0  # purposes of a stream: the order of the cards
CHANCE = 1  # all other chance of the rules
LINEUP = 2  # who sits where
REDRAW = 3  # what a seat has not seen, drawn anew; its number stands in place of the round
STRATEGY = 16  # + seat: the strategy's own draws

STREAM = record(
    ("s0", np.uint64),  # state of xoshiro256++
    ("s1", np.uint64),
    ("s2", np.uint64),
    ("s3", np.uint64),
)

_word = np.uint64 if JIT else int
MULTIPLIER_0 = _word(0xD2E7470EE14C6C93)
MULTIPLIER_1 = _word(0xCA5A826395121157)
WEYL_0 = _word(0x9E3779B97F4A7C15)
WEYL_1 = _word(0xBB67AE8584CAA73B)
ZERO, ONE = _word(0), _word(1)
BATCH_LIMIT = 1 << 48
PHILOX_ROUNDS = 10


@kernel
def open_stream(stream, seed, deal, purpose, round_):
    """Start the stream of this address; numbers from 0, `seed` and the rest below 2**63."""
    # NumPy counts the counter up before its first block: hence the ONE.
    c0, c1, c2, c3 = ONE, word64(deal), word64(purpose), word64(round_)
    k0, k1 = word64(seed), ZERO
    for _ in range(PHILOX_ROUNDS):
        high_0, low_0 = multiply_high_low(MULTIPLIER_0, c0)
        high_1, low_1 = multiply_high_low(MULTIPLIER_1, c2)
        c0, c1, c2, c3 = high_1 ^ c1 ^ k0, low_1, high_0 ^ c3 ^ k1, low_0
        k0 = word64(k0 + WEYL_0)
        k1 = word64(k1 + WEYL_1)
    stream.s0, stream.s1, stream.s2, stream.s3 = c0, c1, c2, c3


@inlined
def rotate_left(word, n):
    """The word turned left by `n` bits."""
    return word64(word << n) | (word >> (64 - n))


@inlined
def next_word(stream):
    """The next 64 random bits (xoshiro256++), without sign."""
    s0, s1, s2, s3 = stream.s0, stream.s1, stream.s2, stream.s3
    result = word64(rotate_left(word64(s0 + s3), 23) + s0)
    shifted = word64(s1 << 17)
    s2 ^= s0
    s3 ^= s1
    s1 ^= s2
    s0 ^= s3
    stream.s0, stream.s1, stream.s2 = s0, s1, s2 ^ shifted
    stream.s3 = rotate_left(s3, 45)
    return result


@inlined
def below(stream, n):
    """A whole number 0..n-1, each with the same probability; draws nothing when n is 1.

    Exact: the few words that would favour small numbers are rejected.
    """
    if n <= 1:
        return 0
    return _bounded(stream, next_word(stream), word64(n))


@inlined
def below_or_one(stream, n):
    """The same as `below`, for an `n` that is often 1 and cannot be foreseen; it must not be 0.

    There is no branch on that, which would be guessed wrong: a word is drawn in any case, and where
    there is no choice the stream stays as it was. Measured on games of a strategy that takes any
    card of a few: 8 % faster.
    """
    s0, s1, s2, s3 = stream.s0, stream.s1, stream.s2, stream.s3
    word = next_word(stream)
    keep = word64(ZERO - word64(1 if n == 1 else 0))  # all bits where there is no choice
    stream.s0 ^= (stream.s0 ^ s0) & keep
    stream.s1 ^= (stream.s1 ^ s1) & keep
    stream.s2 ^= (stream.s2 ^ s2) & keep
    stream.s3 ^= (stream.s3 ^ s3) & keep
    return _bounded(stream, word, word64(n))


@inlined
def _bounded(stream, word, bound):
    """The number below `bound` that a random word gives; another word where that is not exact."""
    high, low = multiply_high_low(word, bound)
    if low < bound:
        threshold = word64(ZERO - bound) % bound
        while low < threshold:
            high, low = multiply_high_low(next_word(stream), bound)
    return np.int64(high)


def _batches(most: int) -> tuple[list[int], list[int]]:
    """For each place below `most`: how far down one random word serves, and the sizes' product."""
    products, ends = [], []
    for place in range(most):
        product, end = 1, place
        while end > 1 and product < BATCH_LIMIT:
            product *= end
            end -= 1
        products.append(product)
        ends.append(end)
    return products, ends


# Listed, since multiplying them out took a third of the time of a shuffle (measured).
MOST_ITEMS = 1024
_lists = _batches(MOST_ITEMS + 1)
PRODUCT, END = map(np.array, _lists, (np.uint64, np.int64)) if JIT else _lists


@inlined
def shuffle(stream, items, n):
    """Shuffle the first `n` of `items` in place, each order with the same probability.

    Fisher-Yates from the last place down (n up to 1,024). One random word serves all the places
    whose sizes have a product below 2**64; it is rejected as a whole, rarely, to stay exact.
    """
    place = n
    while place > 1:
        end = END[place]
        word = _word_for(stream, PRODUCT[place])
        while place > end:
            chosen, word = multiply_high_low(word, word64(place))
            place -= 1
            k = np.int64(chosen)
            items[k], items[place] = items[place], items[k]


@inlined
def _word_for(stream, product):
    """A random word from which dice of this product of sizes can be multiplied out exactly."""
    word = next_word(stream)
    rest = word64(word * product)
    if rest < product:
        threshold = word64(ZERO - product) % product
        while rest < threshold:
            word = next_word(stream)
            rest = word64(word * product)
    return word
