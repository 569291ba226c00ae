"""Do anything legal, each action with the same probability.

Cards of a kind are one card here, and of pots that are alike only the first counts (P-R07).

Source: rule sheet, section 8, item 1. The measure of all other strategies.
"""

from sim.core.cards import count, kth
from sim.core.rng import below
from sim.games.poison.view import strategy

NAME_ZH = "随机出牌"
ABOUT_ZH = "在合法的出法里随机选择，每种机会相同。"


@strategy
def decide(table, me):
    """Return a random legal action."""
    return kth(me.legal, below(me.rng, count(me.legal)))
