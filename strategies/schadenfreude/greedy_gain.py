"""Take the card with the best expected gain of its own pile, and stop short of the limit.

For every legal card it estimates the chance to win the trick from the unseen cards of the suit, and
counts what its pile would gain with what lies in the trick now. While its projected total (running
total and pile) is at least `slow` points below the limit it takes the card with the highest
expected gain; from there on the one that brings the total nearest to `stop` points below the limit.

Source: rule sheet, section 8, item 5 (`slow` 10 is a total of 30, `stop` 3 one of 37).
"""

from sim.core.cards import NO_CARD, card_set, count, highest, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import inlined
from sim.games.schadenfreude.view import OPEN_SUIT, pile_of, strategy
from strategies.schadenfreude._odds import seats_behind, win_chance
from strategies.schadenfreude._trick import gain, projected, taken_with, trick_with

NAME_ZH = "贪心收分"
ABOUT_ZH = "出预计能让自己得分牌堆增加最多的牌，累计分接近界限时收手。"
MEANT_TO_BEAT = ("highest", "lowest")
PARAMETERS = (
    Parameter(
        "slow",
        default=10,
        low=0,
        high=100,
        meaning=Words(
            "points below the limit from which it no longer takes all it can",
            "距界限多少分以内不再尽量收分",
        ),
    ),
    Parameter(
        "stop",
        default=3,
        low=0,
        high=100,
        meaning=Words(
            "points below the limit at which it then aims",
            "此后力求停在界限以下多少分",
        ),
    ),
)
SLOW, STOP = 0, 1  # indices into me.parameter


@strategy
def decide(table, me):
    """Return the card with the best expected gain."""
    if count(me.legal) == 1:
        return lowest(me.legal)
    best, best_value = NO_CARD, 0.0
    led_suit, behind = table.led_suit, seats_behind(table, me, table.led_suit)
    left = me.legal
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        trick = trick_with(table, me.seat, card)
        if trick.led_suit != led_suit:
            led_suit, behind = trick.led_suit, seats_behind(table, me, trick.led_suit)
        value = value_of_card(table, me, trick, behind)
        if best == NO_CARD or value > best_value:
            best, best_value = card, value
    return best


@inlined
def value_of_card(table, me, trick, behind):
    """What the card just laid is worth: expected gain, or nearness to the stop."""
    chance, gained = 0.0, 0
    own = trick.followers ^ table.followers
    if trick.led_suit != OPEN_SUIT and own != 0:
        strength = highest(own)
        chance = win_chance(table.rules, trick, behind, strength)
        gained = gain(
            table.rules, pile_of(table, me.seat), taken_with(table.rules, trick, strength)
        )
    room = table.rules.safe - projected(table, me.seat)
    if room >= me.parameter[SLOW]:
        return chance * gained
    away = room - me.parameter[STOP]
    return -chance * abs(away - gained) - (1.0 - chance) * abs(away)
