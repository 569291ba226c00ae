"""Do what brings the own team's areas nearest to the recipe.

Every action is tried. An area is worth 2^-distance, the distance being the glasses that it lacks
and those that it should not have; the areas of the team are added up. A clink is taken to be split
for the team if a teammate splits and against it if an opponent does. Where nothing gains more than
0.001 the hand is returned. Of equal actions the first, places in turn from the own one on. Who does
not know the recipe takes the one that the master's play makes most likely.

Source: rule sheet, section 8, item 3.
"""

from sim.games.kanpai.view import strategy
from strategies.kanpai._search import PERCENT, aims_of, answer

NAME_ZH = "团队贪心"
ABOUT_ZH = "选择让本队各区域离酒谱最近的行动。"
MEANT_TO_BEAT = ("self_collect",)


@strategy
def decide(table, me):
    """Return the action after which the team's areas are worth most."""
    return answer(table, me, aims_of(table, me, PERCENT, 0, 0))
