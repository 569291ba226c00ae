"""Take harmless drinks of the own glass while there are any, else any drink of another glass.

The own poison is taken only if nothing else lies in the row. The antidote comes with the last take,
since nothing is known of the others' drinks.

Source: rule sheet, section 8, draft policy 2: the careful play of its section 7.
"""

from sim.core.cards import without
from sim.games.cocktail_poison.view import CHOOSING, strategy
from strategies.cocktail_poison._draft import own_harmless, own_poison, taken
from strategies.cocktail_poison._parameters import ANTIDOTE_SHARE, TILE_POLICY
from strategies.cocktail_poison._tile import any_of, chosen_tile

NAME_ZH = "先拿己杯"
ABOUT_ZH = "先拿自己杯子的无毒饮料；拿完后再随意拿别的杯子的饮料。"
MEANT_TO_BEAT = ("random",)
PARAMETERS = (TILE_POLICY, ANTIDOTE_SHARE)
NO_CLUE = 0.0  # a drink of which nothing is known is never suspect enough for the antidote


@strategy
def decide(table, me):
    """Return an own harmless card, or else any other."""
    if table.phase == CHOOSING:
        return chosen_tile(table, me)
    own = table.row & own_harmless(me)
    foreign = without(table.row, own_poison(me))
    cards = own if own else foreign if foreign else table.row
    return taken(table, me, any_of(me, cards), NO_CLUE)
