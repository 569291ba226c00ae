"""Hide a tile by the policy, then take any card; lay the antidote on one take in four.

Source: rule sheet, section 8, draft policy 1.
"""

from sim.core.cards import has
from sim.core.game import Parameter
from sim.core.rng import below
from sim.games.cocktail_poison.cards import NO_LAY, ON_NEW, action_of
from sim.games.cocktail_poison.view import CHOOSING, strategy
from strategies.cocktail_poison._tile import any_of, chosen_tile

NAME_ZH = "随意拿牌"
ABOUT_ZH = "按规则藏毒片，然后随意拿牌；四次里有一次放下解药。"
MEANT_TO_BEAT = ("uniform",)
PARAMETERS = (
    Parameter("tile", 0, low=0, high=5, meaning="policy of the tile, see _tile.py"),
    Parameter("antidote", 20, low=0, high=100, meaning="its share in policies 2 and 5, percent"),
)
ONE_IN = 4  # takes with the antidote in hand


@strategy
def decide(table, me):
    """Return any card of the row."""
    if table.phase == CHOOSING:
        return chosen_tile(table, me)
    lays = has(me.lays, ON_NEW) and below(me.rng, ONE_IN) == 0
    return action_of(any_of(me, table.row), ON_NEW if lays else NO_LAY)
