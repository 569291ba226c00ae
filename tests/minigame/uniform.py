"""Do any legal thing, each with the same probability.

Source: own, for the tests.
"""

from sim.core.cards import count, kth
from sim.core.rng import below
from tests.minigame.view import strategy


@strategy
def decide(table, me):
    """Return a random legal action."""
    return kth(me.legal, below(me.rng, count(me.legal)))
