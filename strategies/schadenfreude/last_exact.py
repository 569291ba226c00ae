"""As the last to play count what each card would do to every pile; else play by rule of thumb.

The last to play knows the outcome. He takes the card for which the change in the worth of his
own total, less the mean change of the others', is best; a total is worth its points up to the limit
and minus the limit beyond. Leading it plays a `lead` (a number 2) from its longest suit that has
one and at least `length` cards; in all other cases a middle card.

Source: rule sheet, section 8, item 4, with the worth of a total made precise as above.
"""

from sim.core.cards import NO_CARD, card_set, count, has, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import inlined, kernel
from sim.games.schadenfreude.cards import N_RANKS, N_SUITS, cards_of_suit
from sim.games.schadenfreude.view import NOBODY, strategy
from strategies.schadenfreude._hand import middle_number
from strategies.schadenfreude._trick import (
    owner_of,
    taken_with,
    trick_with,
    winning_strength,
    worth_gained,
)

NAME_ZH = "末家精算"
ABOUT_ZH = "最后一个出牌时，算清每张牌对各家牌堆的影响；其余时候凭经验出牌。"
MEANT_TO_BEAT = ("highest",)
PARAMETERS = (
    Parameter(
        "lead",
        default=2,
        low=-3,
        high=9,
        meaning=Words("number with which it leads", "领出的数字"),
    ),
    Parameter(
        "length",
        default=3,
        low=1,
        high=12,
        meaning=Words(
            "cards of the suit that it must hold to lead it",
            "领出该花色所需持有的最少张数",
        ),
    ),
)
LEAD, LENGTH = 0, 1  # indices into me.parameter


@strategy
def decide(table, me):
    """Return the best card as the last to play, a low or a middle one before."""
    if count(me.legal) == 1:
        return lowest(me.legal)
    if table.n_laid + 1 == table.players:
        return best_last_card(table, me)
    lead = card_to_lead(table, me) if table.n_laid == 0 else NO_CARD
    return lead if lead != NO_CARD else middle_number(me.legal)


@inlined
def best_last_card(table, me):
    """The card that ends the trick best for this seat against the others."""
    best, best_value = NO_CARD, 0
    left = me.legal
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        value = value_of_end(table, me, trick_with(table, me.seat, card))
        if best == NO_CARD or value > best_value:
            best, best_value = card, value
    return best


@inlined
def value_of_end(table, me, trick):
    """Own gain in worth less the mean gain of the others, times their number."""
    strength = winning_strength(table.rules, trick)
    if strength == NOBODY:
        return 0
    winner = owner_of(trick, strength)
    gained = worth_gained(table, winner, taken_with(table.rules, trick, strength))
    return gained * (table.players - 1) if winner == me.seat else -gained


@kernel
def card_to_lead(table, me):
    """The number to lead from the longest suit that has it, or NO_CARD."""
    found, longest = NO_CARD, me.parameter[LENGTH] - 1
    for rank in range(N_RANKS):
        if table.rules.number[rank] == me.parameter[LEAD]:
            for suit in range(N_SUITS):
                card = suit * N_RANKS + rank
                length = count(me.hand & cards_of_suit(suit))
                if has(me.hand, card) and length > longest:
                    found, longest = card, length
    return found
