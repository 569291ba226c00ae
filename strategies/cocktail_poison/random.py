"""Hide a tile by the policy, then take any card; lay the antidote on one take in four.

Source: rule sheet, section 8, draft policy 1.
"""

from sim.core.cards import has
from sim.core.rng import below
from sim.games.cocktail_poison.cards import NO_LAY, ON_NEW, action_of
from sim.games.cocktail_poison.view import CHOOSING, strategy
from strategies.cocktail_poison._parameters import ANTIDOTE_SHARE, TILE_POLICY
from strategies.cocktail_poison._tile import any_of, chosen_tile

NAME_ZH = "随意拿牌"
ABOUT_ZH = "按规则藏毒片，然后随意拿牌；四次里有一次放下解药。"
MEANT_TO_BEAT = ("uniform",)
PARAMETERS = (TILE_POLICY, ANTIDOTE_SHARE)
ONE_IN = 4  # takes with the antidote in hand


@strategy
def decide(table, me):
    """Return any card of the row."""
    if table.phase == CHOOSING:
        return chosen_tile(table, me)
    lays = has(me.lays, ON_NEW) and below(me.rng, ONE_IN) == 0
    return action_of(any_of(me, table.row), ON_NEW if lays else NO_LAY)
