"""Collect alone: toast what the own area still lacks to it, send away what it should not have.

It toasts a card that its area lacks, of which most copies are missing, if it does not clink there;
else it sends an unwanted card to the next opponent clockwise; else it returns its hand. Where that
is not allowed it toasts its first card to that opponent, or sends him one. A master, whose area
cannot win, collects in the area of his first apprentice. Splits and discards are those of
`greedy_team`.

Source: rule sheet, section 8, item 2.
"""

from sim.core.cards import has, lowest
from sim.core.jit import kernel
from sim.games.kanpai import N_GLASSES
from sim.games.kanpai.cards import big_of, count_of, small_of
from sim.games.kanpai.view import ACT, NOBODY, RETURN, send, strategy, toast
from strategies.kanpai._search import PERCENT, aims_of, reaction, set_up


@strategy
def decide(table, me):
    """Return a toast to the own area, a send of what it should not have, or a return."""
    aims = aims_of(table, me, PERCENT, 0, 0)
    if table.phase != ACT:
        set_up(table, me, aims)
        return reaction(table, me, aims)
    home = home_of(table, me, aims)
    card = card_to_keep(table, me, aims.recipe, home)
    if card != NOBODY:
        return toast(card, home)
    other = next_opponent(table, me)
    for glass in range(N_GLASSES):
        if has(me.sends, glass) and count_of(aims.recipe, glass) == 0:
            return send(glass, other)
    if me.may_return:
        return RETURN
    return toast(lowest(me.hand), other) if me.hand else send(lowest(me.sends), other)


@kernel
def home_of(table, me, aims):
    """The own place, or the first place clockwise of the team whose area can win."""
    for steps in range(table.rules.n_ring):
        place = (me.seat + steps) % table.rules.n_ring
        if has(aims.friends, place):
            return place
    return me.seat


@kernel
def card_to_keep(table, me, recipe, home):
    """The card in hand that the area lacks most and that does not clink there, or NOBODY."""
    area = table.area[home]
    chosen, most = NOBODY, 0
    cards = me.hand if has(me.toast_to, home) else 0
    while cards:
        card = lowest(cards)
        cards &= cards - 1
        lacks = count_of(recipe, big_of(card)) - count_of(area, big_of(card))
        if lacks > most and count_of(area, small_of(card)) == 0:
            chosen, most = card, lacks
    return chosen


@kernel
def next_opponent(table, me):
    """The next place clockwise that is not known to be of the own team."""
    place = me.seat
    while has(me.allies, place):
        place = (place + 1) % table.rules.n_ring
    return place
