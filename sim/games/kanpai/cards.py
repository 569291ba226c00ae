"""Cards, glasses and recipes of 干杯.

card = big * N_GLASSES + small. Areas and recipes are multisets of glasses: the count of glass g is
byte g of an int64 (at most 127 each), so that comparing five counts takes one subtraction.
"""

import itertools

import numpy as np

from sim.core.jit import inlined
from sim.games.kanpai import N_GLASSES

N_CARDS = N_GLASSES * N_GLASSES
BYTE = 8
ONES = 0x0101010101  # one of each glass
TOPS = 0x80 * ONES  # the top bit of each byte
BELOW_TOPS = 0x7F * ONES
TO_BITS = sum(1 << (32 - 7 * g) for g in range(N_GLASSES))  # brings bit 8g to bit 32 + g
ALL_GLASSES = (1 << N_GLASSES) - 1
NO_CARD = -1


@inlined
def big_of(card):
    """The big glass of a card."""
    return (card * 13) >> 6  # card // 5 for 0 <= card < 25, without a care for negative numbers


@inlined
def small_of(card):
    """The small glass of a card."""
    return card - N_GLASSES * big_of(card)


# Multisets of glasses


@inlined
def one(glass):
    """The multiset of this one glass; add or subtract it."""
    return 1 << (BYTE * glass)


@inlined
def count_of(glasses, glass):
    """How often a glass is in a multiset."""
    return (glasses >> (BYTE * glass)) & 255


@inlined
def size(glasses):
    """Number of glasses in a multiset."""
    return ((glasses * ONES) >> 32) & 255  # the fifth byte of the product is the sum of all five


@inlined
def present(glasses):
    """One of each glass that is in the multiset."""
    return ((glasses + BELOW_TOPS) & TOPS) >> 7


@inlined
def kinds(glasses):
    """The glasses in a multiset as a set: bit g for glass g."""
    return ((present(glasses) * TO_BITS) >> 32) & ALL_GLASSES


@inlined
def distance(recipe, area):
    """Glasses that the area lacks to the amounts of the recipe, and those of unwanted types."""
    difference = (recipe | TOPS) - area  # top bit of a byte: the recipe asks for at least as many
    missing = difference & (((difference & TOPS) >> 7) * 127)
    unwanted = area & ~(present(recipe) * 255)
    return size(missing + unwanted)  # no glass is both


@inlined
def is_complete(recipe, area):
    """K-R10: at least the amounts of the recipe, and no type that it does not have."""
    has_all = ((area | TOPS) - recipe) & TOPS == TOPS
    return has_all and area & ~(present(recipe) * 255) == 0


# Recipes (K-R03): two of each type, a pair removed, five of the other eight drawn


def _multiset(counts: tuple[int, ...]) -> int:
    return sum(n << (BYTE * glass) for glass, n in enumerate(counts))


def _kinds(counts: tuple[int, ...]) -> int:
    return sum(1 << glass for glass, n in enumerate(counts) if n)


_COUNTS = sorted(
    (counts for counts in itertools.product(range(3), repeat=N_GLASSES) if sum(counts) == 5),
    key=lambda counts: (_kinds(counts).bit_count(), _kinds(counts), counts),
)
_RECIPES = [counts for counts in _COUNTS if counts.count(0) in (1, 2)]
N_RECIPES = len(_RECIPES)
ALL_RECIPES = (1 << N_RECIPES) - 1
N_DRAWS = 280  # equally likely: five removed pairs, C(8, 5) = 56 each

RECIPES = np.array([_multiset(counts) for counts in _RECIPES], np.int64)
N_THREE_KINDS = sum(counts.count(0) == 2 for counts in _RECIPES)  # these come first
RECIPES_OF_THREE = (1 << N_THREE_KINDS) - 1
# Three kinds 2+2+1: two pairs could be the removed one, and two ways to leave out a token of the
# single type: 4 of 280 draws. Four kinds 2+1+1+1: one pair, and 2 * 2 * 2 = 8.
DRAWS_OF_THREE_KINDS, DRAWS_OF_FOUR_KINDS = 4, 8

# The recipes of one set of kinds stand together: from FIRST[kinds] on, one for each kind.
FIRST = np.array(
    [
        next((i for i, counts in enumerate(_RECIPES) if _kinds(counts) == of), N_RECIPES)
        for of in range(ALL_GLASSES + 1)
    ],
    np.int64,
)


@inlined
def recipe_glasses(index):
    """The recipe with this number, as a multiset."""
    return int(RECIPES[index])


@inlined
def recipe_draws(index):
    """How many of the 280 draws give the recipe with this number."""
    return DRAWS_OF_THREE_KINDS if index < N_THREE_KINDS else DRAWS_OF_FOUR_KINDS


@inlined
def completed_recipes(area):
    """All recipes that an area satisfies, as a set of their numbers."""
    found, of = 0, kinds(area)
    first = int(FIRST[of])
    if first < N_RECIPES:
        last = first + 3 if first < N_THREE_KINDS else first + 4
        for index in range(first, last):
            if is_complete(recipe_glasses(index), area):
                found |= 1 << index
    return found
