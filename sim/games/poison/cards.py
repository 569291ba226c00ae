"""The 50 cards of 毒药: potions of three colours and five values, and eight poisons.

kind = colour * 5 + i, where i = 0..4 counts the values 1, 2, 4, 5, 7 and the colours 0, 1, 2 are
red, blue and purple; the last kind, 15, is poison. Cards of a kind are alike, so hands, cauldrons
and piles are *heaps*: how many there are of each kind, as one number with three bits a kind (the
highest, poison, may use a fourth). Heaps are added and subtracted like numbers; no kind of potion
has more than three cards, so nothing is carried.

A *set of kinds* has the lowest bit of each kind that is in it. An action is a kind and a pot, and
action = kind * 3 + pot with the pots 0, 1, 2: a set of kinds times a set of pots is the set of all
such actions.
"""

from sim.core.bits import popcount
from sim.core.jit import inlined

COLOURS, VALUES = "RBP", (1, 2, 4, 5, 7)
COPIES_OF_VALUE = (3, 3, 2, 3, 3)
N_COLOURS, N_VALUES, N_POTS = len(COLOURS), len(VALUES), 3
POISON = N_COLOURS * N_VALUES  # the kind
N_KINDS = POISON + 1
NO_COLOUR = -1

VALUE = VALUES * N_COLOURS + (4,)  # of each kind
COPIES = COPIES_OF_VALUE * N_COLOURS + (8,)
N_CARDS = sum(COPIES)
DECK = tuple(kind for kind in range(N_KINDS) for _ in range(COPIES[kind]))  # kind of each card

BITS = 3  # a kind in a heap; as many as pots, so that heaps and actions have one layout
N_ACTIONS = N_KINDS * N_POTS
ALL_POTS, ALL_COLOURS = (1 << N_POTS) - 1, (1 << N_COLOURS) - 1
FULL_DECK = sum(COPIES[kind] << (BITS * kind) for kind in range(N_KINDS))
POISONS = 1 << (BITS * POISON)  # poison as a set of kinds, and a heap of one
POTIONS = sum(1 << (BITS * kind) for kind in range(POISON))  # all kinds of potion
RED_KINDS = sum(1 << (BITS * i) for i in range(N_VALUES))
KINDS_OF_VALUE = tuple(
    sum(1 << (BITS * kind) for kind in range(N_KINDS) if VALUE[kind] == value)
    for value in range(max(VALUES) + 1)
)
KINDS_UP_TO = tuple(
    sum(1 << (BITS * kind) for kind in range(N_KINDS) if VALUE[kind] <= value)
    for value in range(max(VALUES) + 1)
)
_PACKED_VALUES = sum(VALUE[kind] << (BITS * kind) for kind in range(N_KINDS))


# Kinds and actions


@inlined
def value_of(kind):
    """The number on a card of this kind."""
    return (_PACKED_VALUES >> (BITS * kind)) & 7


@inlined
def colour_of(kind):
    """The colour of a kind of potion, 0..2; of poison 3."""
    # kind // 5 for 0 <= kind < 16, in one multiplication: // must also serve negative numbers.
    return (kind * 13) >> 6


@inlined
def kind_of(action):
    """The kind of card that is played."""
    return (action * 171) >> 9  # action // 3 for 0 <= action < 48


@inlined
def pot_of(action):
    """The pot to which it is played."""
    return action - N_POTS * kind_of(action)


@inlined
def kinds_of_colour(colour):
    """The five kinds of potion of a colour, as a set."""
    return RED_KINDS << (BITS * N_VALUES * colour)


# Heaps


@inlined
def one(kind):
    """The heap of a single card."""
    return 1 << (BITS * kind)


@inlined
def kinds_in(heap):
    """The kinds of which the heap has a card, as a set."""
    return ((heap | (heap >> 1)) & POTIONS) | (POISONS if heap >= POISONS else 0)


@inlined
def count_of(heap, kind):
    """Number of cards of this kind."""
    return heap >> (BITS * kind) if kind == POISON else (heap >> (BITS * kind)) & 7


@inlined
def n_poisons(heap):
    """Number of poisons."""
    return heap >> (BITS * POISON)


@inlined
def n_of_kinds(heap, potions):
    """Number of cards of these kinds of potion."""
    return popcount(heap & potions) + 2 * popcount((heap >> 1) & potions)


@inlined
def n_potions(heap):
    """Number of potions."""
    return n_of_kinds(heap, POTIONS)


@inlined
def n_of_colour(heap, colour):
    """Number of potions of this colour."""
    return n_of_kinds(heap, kinds_of_colour(colour))


@inlined
def n_cards(heap):
    """Number of cards."""
    return n_potions(heap) + n_poisons(heap)
