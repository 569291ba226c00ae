"""Bring the own total close to 40 and not beyond; near the end of the game look at the rivals too.

For every legal card it estimates who will win the trick, as `greedy_gain` does, and what its own
projected total is then worth: x / 40 up to the limit, -1 beyond, and never less than `floor` / 40
below it. When a rival stands within `close`
points of the limit or above it, so that the game may end with this round, what counts is the rank
instead: the share of the rivals who are lower or beyond the limit, and -1 if it is itself beyond.
Of equal cards it takes the first in suit and number, so that wilds are kept.

Source: rule sheet, section 8, item 6, with the rank made precise as above. `limit` is the total
that it tries not to pass; where the rules set a lower one, that.
"""

from sim.core.game import Parameter, Words
from sim.games.schadenfreude.view import strategy
from strategies.schadenfreude._target import best_for_total

NAME_ZH = "瞄准四十"
ABOUT_ZH = "让自己的累计分尽量接近 40 而不超过；游戏快结束时也看对手的分数。"
MEANT_TO_BEAT = ("greedy_gain",)
PARAMETERS = (
    Parameter(
        "limit",
        default=40,
        low=1,
        high=1000,
        meaning=Words("total that it tries not to pass", "尽量不超过的累计分数"),
    ),
    Parameter(
        "floor",
        default=-100,
        low=-100,
        high=100,
        meaning=Words("total below which all are worth the same", "低于此累计分数都视为同样好坏"),
    ),
    Parameter(
        "close",
        default=10,
        low=0,
        high=100,
        meaning=Words(
            "points below the limit from which a rival may end the game",
            "对手距界限多少分以内就可能结束游戏",
        ),
    ),
)
LIMIT, FLOOR, CLOSE = 0, 1, 2  # indices into me.parameter


@strategy
def decide(table, me):
    """Return the card after which the own total is expected to be worth most."""
    limit = max(min(me.parameter[LIMIT], table.rules.safe), 1)
    floor, close = me.parameter[FLOOR], me.parameter[CLOSE]
    return best_for_total(table, me, me.legal, limit, floor, close)
