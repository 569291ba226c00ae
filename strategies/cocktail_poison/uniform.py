"""Choose any tile, take any card, lay the antidote or not, each with the same probability.

Each legal pair of a card and a way to lay the antidote is as likely as any other, so with the
antidote in hand half of the takes lay it.

Source: rule sheet, section 8, item 0. The measure of all other strategies.
"""

from sim.core.cards import count, kth
from sim.core.rng import below
from sim.games.cocktail_poison.cards import action_of
from sim.games.cocktail_poison.view import strategy

NAME_ZH = "全随机"
ABOUT_ZH = "毒片、拿牌和是否放解药都随机选择，每种机会相同。"


@strategy
def decide(table, me):
    """Return a random legal action."""
    pick = kth(me.legal, below(me.rng, count(me.legal)))
    return action_of(pick, kth(me.lays, below(me.rng, count(me.lays))))
