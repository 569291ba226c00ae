"""Play the lowest card that is safe, and take the cheapest pot when none is.

Where several safe actions play the lowest value it draws one of them. Without one it takes the pot
that costs least as it stands, and leaves its highest card there.

Source: rule sheet, section 8, item 2.
"""

from sim.games.poison.view import safe_actions, strategy
from strategies.poison._actions import any_of, of_lowest_value, take_cheapest
from strategies.poison._cost import costs

NAME_ZH = "最小安全牌"
ABOUT_ZH = "出最小的安全牌；没有安全牌时，收代价最小的大锅。"
MEANT_TO_BEAT = ("uniform",)


@strategy
def decide(table, me):
    """Return a safe action of the lowest value, or the cheapest overflow."""
    safe = safe_actions(table, me.legal)
    if safe:
        return any_of(of_lowest_value(safe), me.rng)
    return take_cheapest(me.legal, costs(table))
