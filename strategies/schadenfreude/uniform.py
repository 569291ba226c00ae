"""Play any legal card, each with the same probability; the two wilds are two cards.

Source: rule sheet, section 8, item 1. The measure of all other strategies.
"""

from sim.core.cards import count, kth
from sim.core.rng import below
from sim.games.schadenfreude.view import strategy

NAME_ZH = "随机出牌"
ABOUT_ZH = "在可出的牌里随机出一张，每张机会相同。"


@strategy
def decide(table, me):
    """Return a random legal card."""
    return kth(me.legal, below(me.rng, count(me.legal)))
