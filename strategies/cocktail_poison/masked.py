"""Draft by belief, but hide the own glass: early on now and then prefer another's safe drink.

In the first two takes, with a chance of `mask` percent, it takes the safest drink of another glass
in place of an own harmless one, if its risk is at most `slack` percent higher.

Source: rule sheet, section 8, draft policy 5 (`mask` 30). Exactly equal risks are rare there, hence
`slack`: a little less than the risk of a drink of which nothing is known (22.5 percent), so that it
hides behind glasses of which something is known, however little.
"""

from sim.core.cards import count
from sim.core.game import Parameter, Words
from sim.core.jit import kernel
from sim.core.rng import below
from sim.games.cocktail_poison.view import CHOOSING, strategy
from strategies.cocktail_poison._draft import foreign_cards, own_harmless, taken
from strategies.cocktail_poison._parameters import (
    ANTIDOTE_SHARE,
    OTHERS_SHARE,
    OWN_PULL,
    TILE_POLICY,
)
from strategies.cocktail_poison._risk import risks, safest
from strategies.cocktail_poison._tile import chosen_tile

NAME_ZH = "隐藏己杯"
ABOUT_ZH = "按推断拿牌，但隐藏自己的杯子：前期有时改拿别人的安全饮料。"
MEANT_TO_BEAT = ("bayes",)
PARAMETERS = (
    TILE_POLICY,
    ANTIDOTE_SHARE,
    OTHERS_SHARE,
    OWN_PULL,
    Parameter(
        "mask",
        default=30,
        low=0,
        high=100,
        meaning=Words(
            "chance to hide the own glass in an early take, percent",
            "前几次拿牌时隐藏自己杯型的机会，百分比",
        ),
    ),
    Parameter(
        "slack",
        default=20,
        low=0,
        high=100,
        meaning=Words(
            "risk that hiding may cost more, in percentage points",
            "为隐藏最多多冒的风险，百分点",
        ),
    ),
)
MASK, SLACK = 4, 5  # indices into me.parameter
MASKED_TAKES = 2


@strategy
def decide(table, me):
    """Return the card with the least risk, or a safe one that hides the own glass."""
    if table.phase == CHOOSING:
        return chosen_tile(table, me)
    risk = risks(table, me)
    card = safest(table, me, risk, table.row)
    if may_hide(table, me):
        foreign = table.row & foreign_cards(table, me)
        other = safest(table, me, risk, foreign)
        if risk[other] <= risk[card] + me.parameter[SLACK] / 100.0:
            card = other
    return taken(table, me, card, risk[card])


@kernel
def may_hide(table, me):
    """Whether this take is one to hide the own glass, and both kinds of drinks lie in the row."""
    if count(table.display[me.seat]) >= MASKED_TAKES:
        return False
    if table.row & own_harmless(me) == 0 or table.row & foreign_cards(table, me) == 0:
        return False
    return below(me.rng, 100) < me.parameter[MASK]
