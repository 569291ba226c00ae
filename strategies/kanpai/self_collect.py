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
from strategies.kanpai._search import PERCENT, aims_of, answer, next_place, recipe_to_collect

NAME_ZH = "各自收集"
ABOUT_ZH = "只顾自己：把自己区域缺的牌敬给自己，把不该有的牌送走。"
MEANT_TO_BEAT = ("uniform",)


@strategy
def decide(table, me):
    """Return a toast to the own area, a send of what it should not have, or a return."""
    if table.phase != ACT:
        return answer(table, me, aims_of(table, me, PERCENT, 0, 0))
    recipe, home = recipe_to_collect(table, me), home_of(table, me)
    card = card_to_keep(me, recipe, table.area[home], home)
    if card != NOBODY:
        return toast(card, home)
    other = next_opponent(table, me)
    for glass in range(N_GLASSES):
        if has(me.sends, glass) and count_of(recipe, glass) == 0:
            return send(glass, other)
    if me.may_return:
        return RETURN
    return toast(lowest(me.hand), other) if me.hand else send(lowest(me.sends), other)


@kernel
def home_of(table, me):
    """The own place, or the first place clockwise of the team whose area can win."""
    place, friends = me.seat, me.allies & table.counting
    while friends and not has(friends, place):
        place = next_place(table, place)
    return place


@kernel
def card_to_keep(me, recipe, area, home):
    """The card in hand that the area lacks most and that does not clink there, or NOBODY."""
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
        place = next_place(table, place)
    return place
