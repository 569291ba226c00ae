"""Cards of a hand by their number: which are the highest, the lowest, held in most copies."""

from sim.core.cards import count, highest, kth, lowest, without
from sim.core.jit import inlined, kernel
from sim.games.schadenfreude.cards import ALL_RANKS, N_RANKS, WILDS, cards_of_rank


@inlined
def number_cards(cards):
    """The cards without the wilds."""
    return without(cards, WILDS)


@inlined
def ranks_of(cards):
    """The numbers of all number cards, as a set of ranks."""
    two_suits = cards | (cards >> (2 * N_RANKS))
    return (two_suits | (two_suits >> N_RANKS)) & ALL_RANKS


@kernel
def lowest_number(cards):
    """A card with the lowest number, in the first suit with it; a wild if there is no other."""
    numbers = number_cards(cards)
    if numbers == 0:
        return lowest(cards)
    return lowest(numbers & cards_of_rank(lowest(ranks_of(numbers))))


@kernel
def highest_number(cards):
    """A card with the highest number, in the first suit with it; a wild if there is no other."""
    numbers = number_cards(cards)
    if numbers == 0:
        return lowest(cards)
    return lowest(numbers & cards_of_rank(highest(ranks_of(numbers))))


@kernel
def middle_number(cards):
    """The middle card in order of number, the lower of two; a wild if there is no other."""
    numbers = number_cards(cards)
    if numbers == 0:
        return lowest(cards)
    below = (count(numbers) - 1) // 2
    rank = 0
    while below >= count(numbers & cards_of_rank(rank)):
        below -= count(numbers & cards_of_rank(rank))
        rank += 1
    return kth(numbers & cards_of_rank(rank), below)


@kernel
def ranks_held_most(cards):
    """The ranks of which most copies are held, one in each suit; empty without number cards."""
    a, b = cards & ALL_RANKS, (cards >> N_RANKS) & ALL_RANKS
    c, d = (cards >> (2 * N_RANKS)) & ALL_RANKS, (cards >> (3 * N_RANKS)) & ALL_RANKS
    one_ab, two_ab, one_cd, two_cd = a | b, a & b, c | d, c & d
    four = two_ab & two_cd
    three = (two_ab & one_cd) | (one_ab & two_cd)
    two = two_ab | two_cd | (one_ab & one_cd)
    if four:
        return four
    if three:
        return three
    return two if two else one_ab | one_cd
