"""Play any legal card, each with the same probability; the two wilds are two cards.

Source: rule sheet, section 8, item 1. The measure of all other strategies.
"""

from sim.core.cards import count, kth
from sim.core.rng import below
from sim.games.schadenfreude.view import strategy

NAME_ZH = "随机出牌"


@strategy
def decide(table, me):
    """Return a random legal card."""
    return kth(me.legal, below(me.rng, count(me.legal)))
