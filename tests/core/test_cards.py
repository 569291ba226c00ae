"""Sets of cards as bits, against Python's own sets."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from sim.core import cards

pytestmark = pytest.mark.both_modes

CARDS = some.sets(some.integers(0, 61))
CARD = some.integers(0, 61)


def as_bits(held: set[int]) -> int:
    return sum(1 << card for card in held)


def as_set(held: int) -> set[int]:
    return {card for card in range(62) if held >> card & 1}


@given(CARD)
def test_set_of_one_card(card: int) -> None:
    assert as_set(cards.card_set(card)) == {card}
    assert cards.is_single(cards.card_set(card))


@given(CARD)
def test_first_cards(n: int) -> None:
    assert as_set(cards.first_cards(n)) == set(range(n))


@given(CARDS, CARD)
def test_whether_a_card_is_in_a_set(held: set[int], card: int) -> None:
    assert bool(cards.has(as_bits(held), card)) is (card in held)


@given(CARDS, CARDS)
def test_cards_without_others(held: set[int], others: set[int]) -> None:
    assert as_set(cards.without(as_bits(held), as_bits(others))) == held - others


@given(CARDS)
def test_number_of_cards(held: set[int]) -> None:
    assert cards.count(as_bits(held)) == len(held)
    assert bool(cards.is_single(as_bits(held))) is (len(held) == 1)


@given(CARDS.filter(bool))
def test_lowest_highest_and_kth_card(held: set[int]) -> None:
    bits = as_bits(held)
    assert cards.lowest(bits) == min(held)
    assert cards.highest(bits) == max(held)
    assert [cards.kth(bits, k) for k in range(len(held))] == sorted(held)


@given(CARDS, some.integers(1, 15), some.data())
def test_suits(held: set[int], n_ranks: int, data: some.DataObject) -> None:
    suit = data.draw(some.integers(0, 61 // n_ranks - 1) if n_ranks < 31 else some.just(0))
    in_suit = {suit * n_ranks + rank for rank in range(n_ranks)}
    assert as_set(cards.suit_set(suit, n_ranks)) == in_suit
    ranks = {card - suit * n_ranks for card in held & in_suit}
    assert as_set(cards.ranks_in_suit(as_bits(held), suit, n_ranks)) == ranks


def test_no_cards() -> None:
    assert as_set(cards.NO_CARDS) == set()
    assert cards.NO_CARD not in range(62)
    assert not cards.is_single(cards.NO_CARDS)
