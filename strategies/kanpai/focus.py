"""Like `greedy_team`, but one area counts most: the best one of the team.

The others count `others` percent. An area is worth `ease` percent more for each different card in
hand that would not clink there, so that it is not filled with the small glasses of the hand.

Source: rule sheet, section 8, item 4.
"""

from sim.core.game import Parameter, Words
from sim.games.kanpai.view import strategy
from strategies.kanpai._search import aims_of, answer

NAME_ZH = "专攻一区"
ABOUT_ZH = "同“团队贪心”，但最看重本队最好的一个区域。"
MEANT_TO_BEAT = ("greedy_team",)
PARAMETERS = (
    Parameter(
        "others",
        default=20,
        low=0,
        high=100,
        meaning=Words(
            "weight of all areas but the best one, percent",
            "最佳区域以外各区域的权重，百分比",
        ),
    ),
    Parameter(
        "ease",
        default=5,
        low=0,
        high=100,
        meaning=Words(
            "percent more for each card in hand that would not clink there",
            "手中每有一张不会在此干杯的牌，价值增加的百分比",
        ),
    ),
)
OTHERS, EASE = 0, 1  # indices into me.parameter


@strategy
def decide(table, me):
    """Return the action after which the best area is worth most."""
    return answer(table, me, aims_of(table, me, me.parameter[OTHERS], me.parameter[EASE], 0))
