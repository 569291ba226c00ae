"""Play like `target40`, and keep the wilds for tricks that must not be won.

It chooses among its numbers as `target40` does. A wild goes instead only if the chosen number wins
with a chance of more than `risk` percent and would then push its projected total above the limit,
or cost points, as an equal number lies in its pile.

Source: rule sheet, section 8, item 8; that the chance counts is ours.
"""

from sim.core.cards import highest, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import kernel
from sim.games.schadenfreude.view import pile_of, strategy
from strategies.schadenfreude._hand import number_cards
from strategies.schadenfreude._odds import seats_behind, win_chance
from strategies.schadenfreude._target import best_for_total
from strategies.schadenfreude._trick import gain, projected, taken_with, trick_with

NAME_ZH = "留万能"
ABOUT_ZH = "出牌同“瞄准四十”，但把万能卡牌留给不能赢的墩。"
MEANT_TO_BEAT = ("target40",)
PARAMETERS = (
    Parameter(
        "limit",
        default=40,
        low=1,
        high=1000,
        meaning=Words("total that it tries not to pass", "尽量不超过的累计分数"),
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
    Parameter(
        "risk",
        default=40,
        low=0,
        high=100,
        meaning=Words(
            "chance of a harmful win, in percent, from which it plays a wild",
            "可能有害地赢墩的机会超过多少百分比时改出万能卡牌",
        ),
    ),
)
LIMIT, CLOSE, RISK = 0, 1, 2  # indices into me.parameter
NO_FLOOR = -100  # below any total


@strategy
def decide(table, me):
    """Return the number that serves the total best, or a wild if that number must not win."""
    limit = max(min(me.parameter[LIMIT], table.rules.safe), 1)
    numbers = number_cards(me.legal)
    if numbers == 0:
        return lowest(me.legal)
    card = best_for_total(table, me, numbers, limit, NO_FLOOR, me.parameter[CLOSE])
    wilds = without(me.legal, numbers)
    return lowest(wilds) if wilds and must_not_win(table, me, card, limit) else card


@kernel
def must_not_win(table, me, card, limit):
    """Whether the card may well win the trick and would hurt then."""
    trick = trick_with(table, me.seat, card)
    own = trick.followers ^ table.followers
    if own == 0:
        return False
    strength = highest(own)
    gained = gain(table.rules, pile_of(table, me.seat), taken_with(table.rules, trick, strength))
    if gained >= 0 and projected(table, me.seat) + gained <= limit:
        return False
    behind = seats_behind(table, me, trick.led_suit)
    return 100.0 * win_chance(table.rules, trick, behind, strength) > me.parameter[RISK]
