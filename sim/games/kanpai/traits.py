"""What a hand of 干杯 is made of, against the recipe that its seat knows."""

from sim.core.bits import popcount
from sim.core.game import Words
from sim.core.jit import kernel
from sim.games.kanpai.cards import NO_CARD, big_of, kinds, small_of
from sim.games.kanpai.view import MAX_HAND

TRAITS = (
    ("wanted", Words("cards with a big glass of the recipe", "大杯在酒谱中的牌")),
    ("kinds", Words("different glasses of the recipe", "酒谱中不同的酒杯种数")),
    ("smooth", Words("cards with only the big glass of the recipe", "仅大杯在酒谱中的牌")),
)


@kernel
def traits(table, me, out):
    """Fill `out` [3]; a card whose small glass is not of the recipe never clinks in a good area."""
    wanted, held = kinds(me.recipe), 0
    out[0] = 0
    out[2] = 0
    for k in range(MAX_HAND):
        card = me.held[k]
        if card != NO_CARD and wanted >> big_of(card) & 1:
            held |= 1 << big_of(card)
            out[0] += 1
            out[2] += 1 - (wanted >> small_of(card) & 1)
    out[1] = popcount(held)
