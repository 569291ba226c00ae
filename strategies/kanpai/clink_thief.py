"""Like `greedy_team`, but it clinks away what an advanced area of the opponents needs.

Among the toasts that clink in an opponent's area of at least `advanced` cards it looks for the one
after whose split, the worst for its own team, most is won: worth of the own areas, and `block`
percent of the threat taken from the opponents, guessed as `blocker` does. It steals where that is
more than the best other action gains. One of the two cards must come to an opponent of the target.

Source: rule sheet, section 8, item 6; when to steal is made precise as above.
"""

from sim.core.cards import lowest
from sim.core.game import Parameter, Words
from sim.core.jit import kernel
from sim.games.kanpai.cards import count_of, size, small_of
from sim.games.kanpai.view import ACT, strategy, toast
from strategies.kanpai._search import (
    PERCENT,
    aims_of,
    best_action,
    reaction,
    set_up,
    value,
    value_of_toast,
)

NAME_ZH = "干杯偷牌"
ABOUT_ZH = "同“团队贪心”，并且用干杯拿走对手领先区域所需的牌。"
MEANT_TO_BEAT = ("greedy_team",)
PARAMETERS = (
    Parameter(
        "advanced",
        default=3,
        low=1,
        high=6,
        meaning=Words(
            "cards that an opponent's area must have for a theft",
            "对手区域至少有多少张牌才值得拆",
        ),
    ),
    Parameter(
        "block",
        default=200,
        low=1,
        high=400,
        meaning=Words(
            "weight of the opponents' threat, in percent of the own worth",
            "对手威胁的权重，占己方价值的百分比",
        ),
    ),
)
ADVANCED, BLOCK = 0, 1  # indices into me.parameter


@strategy
def decide(table, me):
    """Return the best theft, or the best action for the own areas if that gains more."""
    thief = aims_of(table, me, PERCENT, 0, me.parameter[BLOCK])
    plain = aims_of(table, me, PERCENT, 0, 0)
    set_up(table, me, thief)
    if table.phase != ACT:
        return reaction(table, me, plain)
    chosen, found = best_action(table, me, plain)
    return best_theft(table, me, thief, chosen, found - value(table, me, plain, 0))


@kernel
def best_theft(table, me, thief, chosen, gain):
    """The toast that steals best, if it gains more than `gain`; else the action chosen before."""
    now = value(table, me, thief, 0)
    rivals = (thief.rivals | thief.rivals_2) & me.toast_to
    while rivals:
        target = lowest(rivals)
        rivals &= rivals - 1
        cards = me.hand if size(table.area[target]) >= me.parameter[ADVANCED] else 0
        while cards:
            card = lowest(cards)
            cards &= cards - 1
            if count_of(table.area[target], small_of(card)) > 0:
                stolen = value_of_toast(table, me, thief, card, target) - now
                if stolen > gain:
                    chosen, gain = toast(card, target), stolen
    return chosen
