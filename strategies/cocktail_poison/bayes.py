"""Take the drink that is least likely poisoned, by what everybody has taken so far.

The chances come from Bayes' rule over all glasses and tiles of the others (`_belief.py`). Own
harmless drinks have no risk. Of equally safe drinks it takes the one that leaves the next seat the
worst choice.

Source: rule sheet, section 8, draft policy 4. `pull` 17 is its e to the power of 1: there is no
exp in a strategy, and between whole points the worth is interpolated.
"""

from sim.games.cocktail_poison.view import CHOOSING, strategy
from strategies.cocktail_poison._draft import taken
from strategies.cocktail_poison._parameters import (
    ANTIDOTE_SHARE,
    OTHERS_SHARE,
    OWN_PULL,
    TILE_POLICY,
)
from strategies.cocktail_poison._risk import risks, safest
from strategies.cocktail_poison._tile import chosen_tile

NAME_ZH = "贝叶斯推断"
ABOUT_ZH = "根据各家至今拿过的牌，拿有毒概率最小的饮料。"
MEANT_TO_BEAT = ("avoid_count",)
PARAMETERS = (TILE_POLICY, ANTIDOTE_SHARE, OTHERS_SHARE, OWN_PULL)


@strategy
def decide(table, me):
    """Return the card with the least risk."""
    if table.phase == CHOOSING:
        return chosen_tile(table, me)
    risk = risks(table, me)
    card = safest(table, me, risk, table.row)
    return taken(table, me, card, risk[card])
