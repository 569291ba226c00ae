"""Sets of cards as the bits of an int64: card c is in the set when bit c is set (c = 0..61)."""

from __future__ import annotations

from sim.core.bits import highest_bit, kth_bit, lowest_bit, popcount
from sim.core.jit import inlined

NO_CARDS = 0
NO_CARD = -1


@inlined
def card_set(card):
    """The set of this one card."""
    return 1 << card


@inlined
def first_cards(n):
    """The set of the cards 0..n-1."""
    return (1 << n) - 1


@inlined
def has(cards, card):
    """Whether `card` is in the set."""
    return (cards >> card) & 1 != 0


@inlined
def without(cards, other):
    """The cards of the first set that are not in the other."""
    return cards & ~other


@inlined
def count(cards):
    """Number of cards."""
    return popcount(cards)


@inlined
def is_single(cards):
    """Whether the set has exactly one card."""
    return cards != 0 and cards & (cards - 1) == 0


@inlined
def lowest(cards):
    """The card with the lowest number; the set must not be empty."""
    return lowest_bit(cards)


@inlined
def highest(cards):
    """The card with the highest number; the set must not be empty."""
    return highest_bit(cards)


@inlined
def kth(cards, k):
    """The card that has `k` cards of the set below it."""
    return kth_bit(cards, k)


@inlined
def suit_set(suit, n_ranks):
    """All cards of one suit, where card = suit * n_ranks + rank."""
    return first_cards(n_ranks) << (suit * n_ranks)


@inlined
def ranks_in_suit(cards, suit, n_ranks):
    """The ranks held in one suit, as a set of ranks."""
    return (cards >> (suit * n_ranks)) & first_cards(n_ranks)
