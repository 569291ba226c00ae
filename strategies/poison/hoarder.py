"""Collect the colour of which it already has most, and else play like `highest_safe`.

A colour of which it has taken `start` cards, and at most `behind` fewer than any other seat, is its
target, as long as more cards of it can still come (unseen or in pots) than it lacks for the lead.
A card of the target is worth `gain` percent of a point to it. It takes a pot that is worth more
than it costs rather than play safe. Otherwise it plays the highest safe card; without one it takes
the pot that costs least in this sense, and leaves its highest card there.

Source: rule sheet, section 8, item 6.
"""

from sim.core.cards import without
from sim.core.game import Parameter, Words
from sim.core.jit import kernel
from sim.games.poison.cards import N_COLOURS, N_POTS, NO_COLOUR, n_of_colour, n_potions
from sim.games.poison.view import safe_actions, strategy, unseen_cards
from strategies.poison._actions import any_of, of_highest_value, take_cheapest, to_pot
from strategies.poison._cost import adjusted_cost, cost, lead, n_taken_of

NAME_ZH = "专收一色"
ABOUT_ZH = "专收自己已有最多的一种颜色，其余时候同“最大安全牌”。"
MEANT_TO_BEAT = ("highest_safe",)
PARAMETERS = (
    Parameter(
        "start",
        default=3,
        low=1,
        high=14,
        meaning=Words(
            "cards of a colour that it must have taken before it collects it",
            "收取某色多少张之后才开始囤积",
        ),
    ),
    Parameter(
        "behind",
        default=1,
        low=0,
        high=14,
        meaning=Words(
            "cards that it may have fewer than the seat with most of the colour",
            "最多可比收取该色最多的人少几张",
        ),
    ),
    Parameter(
        "gain",
        default=30,
        low=0,
        high=1000,
        meaning=Words(
            "what a card of that colour is worth to it, in percent of a point",
            "该色每张牌对它的价值，以一分的百分比计",
        ),
    ),
)
START, BEHIND, GAIN = 0, 1, 2  # indices into me.parameter


@strategy
def decide(table, me):
    """Return an overflow that gains, else a safe action of the highest value, else the cheapest."""
    safe, target = safe_actions(table, me.legal), target_of(table, me)
    costs = (
        cost_of(table, me, target, 0),
        cost_of(table, me, target, 1),
        cost_of(table, me, target, 2),
    )
    overflows = without(me.legal, safe)
    gains = 0
    for pot in range(N_POTS):
        if costs[pot] < 0:
            gains |= to_pot(overflows, pot)
    if gains:
        return take_cheapest(gains, costs)
    if safe:
        return any_of(of_highest_value(safe), me.rng)
    return take_cheapest(overflows, costs)


@kernel
def target_of(table, me):
    """The colour that it collects, of several the one with the best lead; or NO_COLOUR."""
    target, best = NO_COLOUR, 0
    unseen = unseen_cards(table, me)
    for colour in range(N_COLOURS):
        ahead = lead(table, me.seat, colour)
        still = n_of_colour(unseen, colour)
        for pot in range(N_POTS):
            still += n_of_colour(table.pot[pot], colour)
        has_begun = n_taken_of(table, me.seat, colour) >= me.parameter[START]
        can_lead = ahead >= -me.parameter[BEHIND] and still >= 1 - ahead
        if has_begun and can_lead and (target == NO_COLOUR or ahead > best):
            target, best = colour, ahead
    return target


@kernel
def cost_of(table, me, target, pot):
    """The cost of a pot in hundredths of a point; cards of the target are a gain."""
    n = n_potions(table.pot[pot])
    if target == NO_COLOUR or n == 0 or table.pot_colour[pot] != target:
        return 100 * adjusted_cost(table, me.seat, pot)
    poisons = cost(table.rules, table.pot[pot]) - table.rules.potion_points * n
    return 100 * poisons - me.parameter[GAIN] * n
