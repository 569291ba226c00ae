"""Choose any tile, take any card, lay the antidote or not, each with the same probability.

Each legal pair of a card and a way to lay the antidote is as likely as any other, so with the
antidote in hand half of the takes lay it.

Source: rule sheet, section 8, item 0. The measure of all other strategies.
"""

from sim.core.cards import count, kth
from sim.core.rng import below
from sim.games.cocktail_poison.cards import action_of
from sim.games.cocktail_poison.view import strategy


@strategy
def decide(table, me):
    """Return a random legal action."""
    n_picks = count(me.legal)
    pair = below(me.rng, n_picks * count(me.lays))
    return action_of(kth(me.legal, pair % n_picks), kth(me.lays, pair // n_picks))
