"""Choose the card that hurts the others most.

Every card is valued by what the likely winners of the trick lose in worth by collecting, a total
being worth its points up to the limit and minus the limit beyond: a number that cancels a high one
in the pile, a high number that carries a total over the limit, a negative one. That decides what it
throws on a winner when it cannot follow, and whom it makes second highest when it can. What it
would itself gain or lose by winning counts `own` percent. Of equal cards it takes the first in suit
and number, so that wilds are kept.

Source: rule sheet, section 8, item 7; leads are chosen in the same way.
"""

from sim.core.cards import NO_CARD, card_set, count, highest, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import inlined
from sim.games.schadenfreude.view import NOBODY, strategy
from strategies.schadenfreude._odds import seats_behind, win_chance
from strategies.schadenfreude._trick import (
    owner_of,
    second_strength,
    taken_with,
    trick_with,
    worth_gained,
)

NAME_ZH = "专坑别人"
ABOUT_ZH = "出对其他各家伤害最大的牌。"
MEANT_TO_BEAT = ("uniform",)
PARAMETERS = (
    Parameter(
        "own",
        default=100,
        low=0,
        high=1000,
        meaning=Words("weight of what it gains itself, percent", "自己得失的权重，百分比"),
    ),
)
OWN = 0  # index into me.parameter


@strategy
def decide(table, me):
    """Return the card with the highest expected harm to the others."""
    if count(me.legal) == 1:
        return lowest(me.legal)
    best, best_harm = NO_CARD, 0.0
    led_suit, behind = table.led_suit, seats_behind(table, me, table.led_suit)
    left = me.legal
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        trick = trick_with(table, me.seat, card)
        if trick.led_suit != led_suit:
            led_suit, behind = trick.led_suit, seats_behind(table, me, trick.led_suit)
        harm = harm_of_trick(table, me, trick, behind)
        if best == NO_CARD or harm > best_harm:
            best, best_harm = card, harm
    return best


@inlined
def harm_of_trick(table, me, trick, behind):
    """Expected harm done by the trick, with the own gain as far as it counts."""
    if trick.followers == 0:
        return 0.0
    strength = highest(trick.followers)
    harm = win_chance(table.rules, trick, behind, strength)
    harm *= harm_of_win(table, me, trick, strength)
    strength = second_strength(trick)
    if strength != NOBODY:
        chance = win_chance(table.rules, trick, behind, strength)
        harm += chance * harm_of_win(table, me, trick, strength)
    return harm


@inlined
def harm_of_win(table, me, trick, strength):
    """Worth that the owner of this card loses by winning; his own gain if it is the seat itself."""
    winner = owner_of(trick, strength)
    gained = worth_gained(table, winner, taken_with(table.rules, trick, strength))
    return me.parameter[OWN] * gained / 100 if winner == me.seat else float(-gained)
