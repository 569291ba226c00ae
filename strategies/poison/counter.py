"""Play like `careful_poison`, and leave the next two seats without a safe card.

For the position after a safe action it reckons, for each of the next two seats, the chance that
none of its cards would be safe in any pot: its hand is drawn from the unseen cards. Such a seat
takes the cheapest pot. The mean of the two, divided among the other seats, counts `bait` a point on
top of the rank in `careful_poison`, of which a step counts 100. Without a safe action it plays as
`careful_poison` does.

Source: rule sheet, section 8, item 7; that the cheapest pot is taken is ours.
"""

from sim.core.cards import card_set, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import kernel
from sim.games.poison.cards import N_POTS
from sim.games.poison.view import safe_actions, strategy, unseen_cards
from strategies.poison._actions import NO_ACTION, take_cheapest
from strategies.poison._after import ALL_KINDS, after, n_among, safe_kinds
from strategies.poison._careful import FULL, LAST, rank_of, welcome_poisons
from strategies.poison._cost import adjusted_costs, cost

NAME_ZH = "封堵下家"
ABOUT_ZH = "出牌同“慎用毒药”，并设法让接下来两家没有安全牌可出。"
MEANT_TO_BEAT = ("careful_poison", "trap")
PARAMETERS = (
    Parameter(
        "bait",
        default=30,
        low=0,
        high=10_000,
        meaning=Words(
            "weight of a point that the next two seats are expected to take; a step in rank is 100",
            "后两家预计被迫收取的每一分的权重；牌的等级每级为 100",
        ),
    ),
)
BAIT = 0  # index into me.parameter
STEP = 100.0  # worth of a step of the rank


@strategy
def decide(table, me):
    """Return the safe action with the best rank and threat, or the cheapest overflow."""
    safe = safe_actions(table, me.legal)
    if safe == 0:
        return take_cheapest(me.legal, adjusted_costs(table, me.seat))
    welcome, unseen = welcome_poisons(table, me, safe, FULL, LAST), unseen_cards(table, me)
    best, best_value = NO_ACTION, 0.0
    while safe:
        action = lowest(safe)
        safe = without(safe, card_set(action))
        threat = threat_of(table, me.seat, unseen, action)
        value = STEP * rank_of(action, welcome) + me.parameter[BAIT] * threat
        if best == NO_ACTION or value > best_value:
            best, best_value = action, value
    return best


@kernel
def threat_of(table, seat, unseen, action):
    """Expected points that the next two seats must take after this action, in the mean."""
    played = after(table, action)
    n_unseen = n_among(unseen, ALL_KINDS)
    n_safe = n_among(unseen, safe_kinds(table, played))
    cheapest = cost(table.rules, played.heap)
    for pot in range(N_POTS):
        if pot != played.pot:
            cheapest = min(cheapest, cost(table.rules, table.pot[pot]))
    chances = 0.0
    for step in range(1, 3):
        size = table.n_hand[(seat + step) % table.players]
        chances += chance_of_none(n_unseen, n_safe, size)
    return chances / 2 * cheapest / (table.players - 1)


@kernel
def chance_of_none(n, n_safe, size):
    """The chance that `size` cards drawn from `n` are none of these `n_safe`; 0 without a card."""
    if size == 0 or size > n - n_safe:
        return 0.0
    chance = 1.0
    for k in range(size):
        chance *= (n - n_safe - k) / (n - k)
    return chance
