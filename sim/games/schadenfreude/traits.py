"""What a hand of 幸灾乐祸 is made of: cards of each number, wilds, and cards below zero."""

from sim.core.cards import count
from sim.core.game import Words
from sim.core.jit import kernel
from sim.games.schadenfreude.cards import N_RANKS, WILDS, cards_of_rank

LOWEST, HIGHEST = -3, 9  # of both rank sets; a number that is not in play is never held


def _number_words(number: int) -> Words:
    sign = "−" if number < 0 else ""
    return Words(f"cards of {sign}{abs(number)}", f"数字 {sign}{abs(number)}")


TRAITS = (
    *((str(number), _number_words(number)) for number in range(LOWEST, HIGHEST + 1)),
    ("wild", Words("wilds", "万能卡牌")),
    ("negatives", Words("cards below zero", "负数牌")),
)
N_TRAITS = len(TRAITS)
WILD_TRAIT, NEGATIVE_TRAIT = N_TRAITS - 2, N_TRAITS - 1


@kernel
def traits(table, me, out):
    """Fill `out` [N_TRAITS] with the number of cards of each kind in the seat's hand."""
    for trait in range(N_TRAITS):
        out[trait] = 0
    for rank in range(N_RANKS):
        number, n = table.rules.number[rank], count(me.hand & cards_of_rank(rank))
        out[number - LOWEST] = n
        if number < 0:
            out[NEGATIVE_TRAIT] += n
    out[WILD_TRAIT] = count(me.hand & WILDS)
