"""Draft by belief, but rather take the poison of who trails than that of the leader.

A drink costs its risk, and on top twice the chance that the leader among the others poisoned it,
weighed by `leader` percent: so many points would he win. With the antidote in hand the leader's
poison is what it looks for: where his drink is suspect enough to lay the antidote on it, it takes
it.

Source: rule sheet, section 8, draft policy 6.
"""

from sim.core.cards import NO_CARD, card_set, has, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import kernel
from sim.games.cocktail_poison.cards import N_CARDS, ON_NEW
from sim.games.cocktail_poison.view import CHOOSING, strategy
from strategies.cocktail_poison._belief import beliefs
from strategies.cocktail_poison._draft import is_worth_antidote, taken
from strategies.cocktail_poison._parameters import (
    ANTIDOTE_SHARE,
    OTHERS_SHARE,
    OWN_PULL,
    TILE_POLICY,
)
from strategies.cocktail_poison._risk import risks_by, safest
from strategies.cocktail_poison._tile import chosen_tile

NAME_ZH = "打压领先"
ABOUT_ZH = "按推断拿牌，但宁可中落后者的毒，也不中领先者的毒。"
MEANT_TO_BEAT = ("bayes",)
PARAMETERS = (
    TILE_POLICY,
    ANTIDOTE_SHARE,
    OTHERS_SHARE,
    OWN_PULL,
    Parameter(
        "leader",
        default=50,
        low=0,
        high=300,
        meaning=Words(
            "weight of the points that the leader would win, percent",
            "领先者会得之分的权重，百分比",
        ),
    ),
)
LEADER = 4  # index into me.parameter
NOBODY = -1


@strategy
def decide(table, me):
    """Return the card that costs least, the leader's gain included."""
    if table.phase == CHOOSING:
        return chosen_tile(table, me)
    poison = beliefs(table, me)
    risk = risks_by(poison, me)
    leader = leader_of(table, me)
    if leader == NOBODY:
        card = safest(table, me, risk, table.row)
        return taken(table, me, card, risk[card])
    if has(me.lays, ON_NEW):
        suspect = most_suspect(table.row, poison[leader])
        if poison[leader, suspect] > 0.0 and is_worth_antidote(table, me, poison[leader, suspect]):
            return taken(table, me, suspect, poison[leader, suspect])
    cost = risks_by(poison, me)
    for card in range(N_CARDS):
        cost[card] += 2.0 * me.parameter[LEADER] / 100.0 * poison[leader, card]
    card = safest(table, me, cost, table.row)
    return taken(table, me, card, risk[card])


@kernel
def leader_of(table, me):
    """The only other seat with the highest total, if it is ahead of us."""
    leader, best = NOBODY, table.total[me.seat]
    for seat in range(table.players):
        if seat != me.seat and table.total[seat] >= best:
            leader = seat if table.total[seat] > best else NOBODY
            best = table.total[seat]
    return leader


@kernel
def most_suspect(cards, chance):
    """The card of the set that is most likely poisoned."""
    best, left = NO_CARD, cards
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        if best == NO_CARD or chance[card] > chance[best]:
            best = card
    return best
