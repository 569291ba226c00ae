"""Play like `careful_poison`, and among near equals leave the dearest pot to overflow.

After a safe action its pot is a trap for the seats that follow: the share of unseen cards that may
go there and would make it overflow, times what the pot costs, divided among the other seats. A step
of the rank in `careful_poison` (the value of a potion, 6 or 0 of poison) counts 100, a point of the
trap `bait`. Without a safe action it plays as `careful_poison` does.

Source: rule sheet, section 8, item 5: the trap on top of item 4, its weight tuned. The pure form of
the sheet, which also chooses to overflow, is weaker than item 3 by the sheet's own account.
"""

from sim.core.cards import card_set, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import kernel
from sim.games.poison.view import kinds_that_fit, safe_actions, strategy, unseen_cards
from strategies.poison._actions import NO_ACTION, take_cheapest
from strategies.poison._after import ALL_KINDS, after, kinds_for, n_among
from strategies.poison._careful import FULL, LAST, rank_of, welcome_poisons
from strategies.poison._cost import adjusted_costs, cost

NAME_ZH = "设陷阱"
ABOUT_ZH = "出牌同“慎用毒药”；几种选择相差不大时，让代价最高的大锅快要溢出。"
MEANT_TO_BEAT = ("careful_poison",)
PARAMETERS = (
    Parameter(
        "bait",
        default=30,
        low=0,
        high=10_000,
        meaning=Words(
            "weight of a point that the pot left behind may cost others; a step in rank is 100",
            "留下的锅可能让别人多拿的每一分的权重；牌的等级每级为 100",
        ),
    ),
)
BAIT = 0  # index into me.parameter
STEP = 100.0  # worth of a step of the rank


@strategy
def decide(table, me):
    """Return the safe action with the best rank and trap, or the cheapest overflow."""
    safe = safe_actions(table, me.legal)
    if safe == 0:
        return take_cheapest(me.legal, adjusted_costs(table, me.seat))
    welcome, unseen = welcome_poisons(table, me, safe, FULL, LAST), unseen_cards(table, me)
    best, best_value = NO_ACTION, 0.0
    while safe:
        action = lowest(safe)
        safe = without(safe, card_set(action))
        value = STEP * rank_of(action, welcome) + me.parameter[BAIT] * trap(table, unseen, action)
        if best == NO_ACTION or value > best_value:
            best, best_value = action, value
    return best


@kernel
def trap(table, unseen, action):
    """Expected points that the pot costs each other seat, as an unseen card overflows it."""
    pot = after(table, action)
    too_high = kinds_for(table, pot) & ~kinds_that_fit(pot.room)
    share = n_among(unseen, too_high) / max(n_among(unseen, ALL_KINDS), 1)
    return share * cost(table.rules, pot.heap) / (table.players - 1)
