"""Draft by belief, and take the risk early that cannot be avoided late.

It counts the drinks that are known to be safe and not yet taken. While it has more takes left than
that, it takes the safest drink of another glass, if its risk is at most `risk` percent, and keeps
its own harmless ones for the end, when the others' colours are known and choices are few.

Source: rule sheet, section 8, draft policy 7.
"""

from sim.core.cards import card_set, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import kernel
from sim.games.cocktail_poison.view import CHOOSING, strategy, taken_cards
from strategies.cocktail_poison._draft import foreign_cards, taken, takes_after_this
from strategies.cocktail_poison._parameters import (
    ANTIDOTE_SHARE,
    OTHERS_SHARE,
    OWN_PULL,
    TILE_POLICY,
)
from strategies.cocktail_poison._risk import CLOSE, risks, safest
from strategies.cocktail_poison._tile import chosen_tile

NAME_ZH = "趁早冒险"
ABOUT_ZH = "按推断拿牌，后面躲不掉的风险趁早承担。"
MEANT_TO_BEAT = ("bayes",)
PARAMETERS = (
    TILE_POLICY,
    ANTIDOTE_SHARE,
    OTHERS_SHARE,
    OWN_PULL,
    Parameter(
        "risk",
        default=20,
        low=0,
        high=100,
        meaning=Words("highest risk that it takes early, percent", "提早承担的风险的上限，百分比"),
    ),
)
RISK = 4  # index into me.parameter


@strategy
def decide(table, me):
    """Return the card with the least risk, or early on one with a small one."""
    if table.phase == CHOOSING:
        return chosen_tile(table, me)
    risk = risks(table, me)
    card = safest(table, me, risk, table.row)
    foreign = table.row & foreign_cards(table, me)
    if foreign and 1 + takes_after_this(table, me) > n_safe(table, risk):
        other = safest(table, me, risk, foreign)
        if risk[other] <= me.parameter[RISK] / 100.0:
            card = other
    return taken(table, me, card, risk[card])


@kernel
def n_safe(table, risk):
    """The number of drinks not yet taken that have no risk."""
    n, left = 0, without(table.deck, taken_cards(table))
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        n += 1 if risk[card] <= CLOSE else 0
    return n
