"""The 50 cards of 幸灾乐祸: four suits of twelve numbers and two wilds.

card = suit * N_RANKS + rank; rank 0..11 counts the numbers of a suit from the lowest.
"""

from sim.core.cards import suit_set
from sim.core.jit import inlined

N_SUITS, N_RANKS = 4, 12
WILD = N_SUITS * N_RANKS  # the first wild (0 under wild_rank=zero_ten); the second follows (10)
N_CARDS = WILD + 2

WILDS = 3 << WILD
FULL_DECK = (1 << N_CARDS) - 1
ALL_RANKS = (1 << N_RANKS) - 1
ONE_OF_EACH_SUIT = sum(1 << (suit * N_RANKS) for suit in range(N_SUITS))

NUMBERS = {
    "minus3_no_zero": (-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9),
    "minus2_to_9": (-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9),
}


@inlined
def suit_of(card):
    """The suit of a number card, 0..3."""
    # card // 12 for 0 <= card < 64, in one multiplication: // must also serve negative numbers.
    return (card * 5462) >> 16


@inlined
def rank_of(card):
    """The rank of a number card in its suit, 0..11."""
    return card - N_RANKS * suit_of(card)


@inlined
def is_wild(card):
    """Whether the card is one of the two wilds."""
    return card >= WILD


@inlined
def cards_of_suit(suit):
    """All number cards of a suit."""
    return suit_set(suit, N_RANKS)


@inlined
def cards_of_rank(rank):
    """The four cards of one number."""
    return ONE_OF_EACH_SUIT << rank
