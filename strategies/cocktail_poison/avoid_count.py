"""Take the drink that its likely owner has avoided least.

The likely owner of a glass is the seat with most drinks of it, at least two, and more than anybody
else. Each time he took something else while a drink of it lay in the row counts against that drink;
of a glass without a likely owner all four are equally suspect. A likely owner who has laid his
antidote poisoned nothing. Of equally safe drinks it takes one of the glass with most to come.

Source: rule sheet, section 8, draft policy 3.
"""

from sim.core.cards import NO_CARD, card_set, count, has, lowest, without
from sim.core.jit import inlined
from sim.games.cocktail_poison.cards import N_COLOURS, cards_of_style, style_of
from sim.games.cocktail_poison.view import CHOOSING, strategy, taken_cards, takes_of
from strategies.cocktail_poison._draft import (
    OWN_POISON,
    base_risk,
    own_poison,
    taken,
)
from strategies.cocktail_poison._parameters import ANTIDOTE_SHARE, OTHERS_SHARE, TILE_POLICY
from strategies.cocktail_poison._tile import chosen_tile

NAME_ZH = "数人回避"
ABOUT_ZH = "拿其可能的主人最少回避的饮料。"
MEANT_TO_BEAT = ("own_first",)
PARAMETERS = (TILE_POLICY, ANTIDOTE_SHARE, OTHERS_SHARE)
NOBODY = -1


@strategy
def decide(table, me):
    """Return the card with the least risk."""
    if table.phase == CHOOSING:
        return chosen_tile(table, me)
    gone = taken_cards(table)
    best, best_risk, best_to_come = NO_CARD, 0.0, 0
    left = table.row
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        risk = risk_of(table, me, gone, card)
        to_come = count(without(cards_of_style(style_of(card)), gone | table.row))
        if best == NO_CARD or risk < best_risk or (risk == best_risk and to_come > best_to_come):
            best, best_risk, best_to_come = card, risk, to_come
    return taken(table, me, best, best_risk)


@inlined
def risk_of(table, me, gone, card):
    """The risk that somebody else has poisoned a card of the row; `gone` are all cards taken."""
    style = style_of(card)
    if style == me.style:
        return OWN_POISON if has(own_poison(me), card) else 0.0
    owner = likely_owner(table, me, style)
    if owner == NOBODY:
        return base_risk(me)
    if table.cover[owner] != NO_CARD:
        return 0.0
    takes = takes_of(table, owner)
    avoided, all_avoided = 0, 0
    left = without(cards_of_style(style), gone)
    while left:
        other = lowest(left)
        left = without(left, card_set(other))
        n = 1 + times_avoided(table, takes, other)
        all_avoided += n
        avoided = n if other == card else avoided
    return N_COLOURS * base_risk(me) * avoided / all_avoided


@inlined
def likely_owner(table, me, style):
    """The seat that holds most drinks of a style, at least two and more than any other."""
    owner, most = NOBODY, 1
    for seat in range(table.players):
        n = count(table.display[seat] & cards_of_style(style))
        if seat != me.seat and n >= most:
            owner = seat if n > most else NOBODY
            most = n
    return owner


@inlined
def times_avoided(table, takes, card):
    """How often in these takes another card was taken while this one lay in the row."""
    if not has(table.row, card):
        return 0
    return count(takes >> table.since[card])
