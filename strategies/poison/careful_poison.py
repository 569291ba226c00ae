"""Play the highest safe potion, and poison only where it is welcome.

A safe poison comes behind every safe potion, but ranks like the value `rank` where it is welcome:
in a pot of at least `full` cards that it fills to the threshold or one below, or when fewer than
`last` cards are left in hand. Of equal actions it draws one. Without a safe action it takes the pot
that costs least, potions of a colour that it will clearly discard not counted, and leaves its
highest card there.

Source: rule sheet, section 8, item 4.
"""

from sim.core.game import Parameter, Words
from sim.games.poison.view import safe_actions, strategy
from strategies.poison._actions import any_of, take_cheapest
from strategies.poison._careful import best_safe, welcome_poisons
from strategies.poison._cost import adjusted_costs

NAME_ZH = "慎用毒药"
ABOUT_ZH = "出最大的安全药水；只在合适的时候才出毒药。"
MEANT_TO_BEAT = ("highest_safe",)
PARAMETERS = (
    Parameter(
        "rank",
        default=6,
        low=0,
        high=8,
        meaning=Words(
            "value of a potion as which a welcome poison ranks",
            "合适的毒药牌相当于点数多大的药剂牌",
        ),
    ),
    Parameter(
        "full",
        default=3,
        low=0,
        high=50,
        meaning=Words(
            "cards that a pot must have for poison to be welcome",
            "锅中至少有多少张牌才适合下毒",
        ),
    ),
    Parameter(
        "last",
        default=4,
        low=0,
        high=18,
        meaning=Words(
            "with fewer cards in hand poison is welcome anywhere",
            "手牌少于多少张时随处都适合下毒",
        ),
    ),
)
RANK, FULL, LAST = 0, 1, 2  # indices into me.parameter


@strategy
def decide(table, me):
    """Return the highest safe potion or a welcome poison, or the cheapest overflow."""
    safe = safe_actions(table, me.legal)
    if safe == 0:
        return take_cheapest(me.legal, adjusted_costs(table, me.seat))
    welcome = welcome_poisons(table, me, safe, me.parameter[FULL], me.parameter[LAST])
    return any_of(best_safe(safe, welcome, me.parameter[RANK]), me.rng)
