"""Like `greedy_team`, but it also keeps the opponents from their recipe.

What the opponents collect is guessed from what they put where, unless the rules show it. The mean
worth of their best area, over all recipes that they may have, counts `block` percent against the
worth of the own areas. So it gives to an advanced area what most recipes that fit it do not have,
and splits clinks likewise. In masquerade all others are taken for one team.

Source: rule sheet, section 8, item 5.
"""

from sim.core.game import Parameter, Words
from sim.games.kanpai.view import strategy
from strategies.kanpai._search import PERCENT, aims_of, answer

NAME_ZH = "阻挡对手"
ABOUT_ZH = "同“团队贪心”，并且阻止对手凑成酒谱。"
MEANT_TO_BEAT = ("greedy_team",)
PARAMETERS = (
    Parameter(
        "block",
        default=200,
        low=0,
        high=400,
        meaning=Words(
            "weight of the opponents' threat, in percent of the own worth",
            "对手威胁的权重，占己方价值的百分比",
        ),
    ),
)
BLOCK = 0  # index into me.parameter


@strategy
def decide(table, me):
    """Return the action after which the team is best placed against its opponents."""
    return answer(table, me, aims_of(table, me, PERCENT, 0, me.parameter[BLOCK]))
