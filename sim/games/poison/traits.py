"""What a hand of 毒药 is made of: cards of each value, poisons, how many of one colour."""

from sim.core.game import Words
from sim.core.jit import kernel
from sim.games.poison.cards import (
    KINDS_OF_VALUE,
    N_COLOURS,
    N_VALUES,
    POTIONS,
    VALUES,
    n_of_colour,
    n_of_kinds,
    n_poisons,
)

TRAITS = (
    *((f"potion {n}", Words(f"potions of value {n}", f"点数 {n} 的药剂")) for n in VALUES),
    ("poison", Words("poisons", "毒药牌")),
    ("longest", Words("cards of the colour it has most of", "手中最多一种颜色的张数")),
)
N_TRAITS = len(TRAITS)
POISON_TRAIT, LONGEST_TRAIT = N_TRAITS - 2, N_TRAITS - 1
POTIONS_OF = tuple(KINDS_OF_VALUE[value] & POTIONS for value in VALUES)


@kernel
def traits(table, me, out):
    """Fill `out` [N_TRAITS] with the numbers of cards in the seat's hand."""
    for i in range(N_VALUES):
        out[i] = n_of_kinds(me.hand, POTIONS_OF[i])
    out[POISON_TRAIT] = n_poisons(me.hand)
    out[LONGEST_TRAIT] = 0
    for colour in range(N_COLOURS):
        out[LONGEST_TRAIT] = max(out[LONGEST_TRAIT], n_of_colour(me.hand, colour))
