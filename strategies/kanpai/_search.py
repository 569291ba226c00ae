"""Trying each action on a copy of the areas, and what the areas are worth then.

An area is worth 2^-distance to the recipe: glasses that lack and glasses that are not wanted. The
copy lies in me.memory, where it is written anew for each decision.
"""

from typing import NamedTuple

from sim.core.cards import has, lowest
from sim.core.jit import inlined, kernel
from sim.games.kanpai import N_GLASSES
from sim.games.kanpai.cards import (
    N_RECIPES,
    big_of,
    count_of,
    distance,
    kinds,
    one,
    recipe_glasses,
    size,
    small_of,
)
from sim.games.kanpai.view import (
    ACT,
    DECLARE,
    GIVE,
    MASQUERADE,
    MAX_RING,
    NOBODY,
    OVERFLOW,
    PLACES,
    RETURN,
    SPLIT,
    drop,
    pair_bit,
    send,
    team_of,
    toast,
)
from strategies.kanpai._belief import UNIT, believe, know, likeliest

# Places in me.memory
AREA = 0  # + place: the copy
THREAT = AREA + MAX_RING  # of the rivals, as the areas lie
BELIEF = THREAT + 1  # + N_RECIPES * group + recipe, of one or two groups of rivals
RIVAL = BELIEF + 2 * N_RECIPES  # + 0.. : areas of rivals, side by side

PERCENT = 100
A_LITTLE = UNIT * PERCENT // 1024  # what drawing new cards is worth
NEVER = -(1 << 60)


class Aims(NamedTuple):
    """What a strategy goes for."""

    recipe: int
    friends: int  # places whose areas count for it, as a set
    others: int  # weight in percent of their areas beside the best one
    ease: int  # percent that an area gains for each card in hand that would not clink there
    block: int  # weight in percent of what the rivals threaten
    rivals: int  # their places, as a set
    rivals_2: int  # those of a third team


# What areas are worth


@inlined
def worth(recipe, area):
    """2^-distance to the recipe, in parts of UNIT."""
    return UNIT >> min(distance(recipe, area), 20)


@kernel
def recipe_to_collect(table, me):
    """The own recipe; who does not know it takes what the master seems to want."""
    if me.recipe != 0:
        return me.recipe
    believe(table, me, BELIEF, 1 << table.master[me.team], me.allies)
    return likeliest(me, BELIEF)


@kernel
def aims_of(table, me, others, ease, block):
    """The aims of this seat with these weights."""
    rivals, rivals_2 = 0, 0
    if block:
        everybody = (1 << table.rules.n_ring) - 1
        rivals = everybody & ~me.allies
        if table.rules.n_teams == 3 and table.rules.mode != MASQUERADE:
            for place in range(table.rules.n_ring):
                if team_of(table.teams, place) == (me.team + 2) % 3:
                    rivals_2 |= 1 << place
            rivals &= ~rivals_2
    # The area of a master, or of a dummy, may be one that cannot win.
    friends = me.allies & table.counting
    recipe = recipe_to_collect(table, me)
    return Aims(recipe, friends, others, ease, block, rivals, rivals_2)


@kernel
def set_up(table, me, aims):
    """Copy the areas; weigh what the rivals may collect and how near they are."""
    for place in range(table.rules.n_ring):
        me.memory[AREA + place] = table.area[place]
    if aims.block:
        n_teams = table.rules.n_teams
        first, last = (me.team + 1) % n_teams, (me.team + n_teams - 1) % n_teams
        if aims.rivals_2:
            weigh(table, me, BELIEF, aims.rivals, first, first)
            weigh(table, me, BELIEF + N_RECIPES, aims.rivals_2, last, last)
        else:
            weigh(table, me, BELIEF, aims.rivals, first, last)
        me.memory[THREAT] = threat(table, me, aims)


@kernel
def weigh(table, me, at, rivals, team, other):
    """What these places, of one team or of two, collect: as shown, or as they make one believe."""
    if me.shown[team]:
        know(me, at, me.shown[team], me.shown[other])
    else:
        believe(table, me, at, rivals, rivals)


@kernel
def threat(table, me, aims):
    """How near the rivals are: the mean, over what they may collect, of their best area's worth."""
    return _threat_of(table, me, BELIEF, aims.rivals) + _threat_of(
        table, me, BELIEF + N_RECIPES, aims.rivals_2
    )


@kernel
def _threat_of(table, me, at, places):
    n = 0
    for place in range(table.rules.n_ring):
        if has(places & table.counting, place):
            me.memory[RIVAL + n] = me.memory[AREA + place]
            n += 1
    total = 0
    for index in range(N_RECIPES if n else 0):
        best, recipe = 0, recipe_glasses(index)
        for i in range(n):
            best = max(best, worth(recipe, me.memory[RIVAL + i]))
        total += me.memory[at + index] * best
    return total >> 20


@inlined
def value(table, me, aims, changed):
    """What the copy of the areas is worth, in parts of UNIT / PERCENT.

    `changed` are the places that are not as they lie on the table.
    """
    total, best = 0, 0
    for place in range(table.rules.n_ring):
        if has(aims.friends, place):
            area = me.memory[AREA + place]
            here = worth(aims.recipe, area)
            if aims.ease:
                here += here * aims.ease * n_fitting(me, area) // PERCENT
            total += here
            best = max(best, here)
    found = aims.others * total + (PERCENT - aims.others) * best
    if aims.block:
        is_same = changed & (aims.rivals | aims.rivals_2) == 0
        found -= aims.block * (me.memory[THREAT] if is_same else threat(table, me, aims))
    return found


@kernel
def n_fitting(me, area):
    """Different cards in hand that would not clink in this area."""
    n, left = 0, me.hand
    while left:
        card = lowest(left)
        left &= left - 1
        n += 1 if count_of(area, small_of(card)) == 0 else 0
    return n


# Changes on the copy


@inlined
def add(table, me, aims, place, glass):
    """Put a glass on the copy of an area; an own one that is overfull discards the worst."""
    area = me.memory[AREA + place] + one(glass)
    if size(area) > table.rules.cap and has(aims.friends, place):
        area -= one(worst_glass(aims.recipe, area))
    me.memory[AREA + place] = area


@kernel
def worst_glass(recipe, area):
    """What an area should discard: unwanted glasses first, then the most redundant."""
    worst, least = NOBODY, 0
    for glass in range(N_GLASSES):
        has_it, wanted = count_of(area, glass), count_of(recipe, glass)
        need = wanted - has_it if wanted else -PERCENT
        if has_it and (worst == NOBODY or need < least):
            worst, least = glass, need
    return worst


@kernel
def best_pair(table, me, aims, pairs, card, changed, sign):
    """The pair of receivers with the highest value (`sign` 1) or the lowest (-1), and it."""
    big, small = big_of(card), small_of(card)
    chosen, best = 0, NEVER
    while pairs:
        pair = lowest(pairs)
        pairs &= pairs - 1
        x = pair // PLACES
        y = pair - x * PLACES
        before_x, before_y = me.memory[AREA + x], me.memory[AREA + y]
        add(table, me, aims, x, big)
        add(table, me, aims, y, small)
        found = sign * value(table, me, aims, changed | (1 << x) | (1 << y))
        me.memory[AREA + x], me.memory[AREA + y] = before_x, before_y
        if found > best:
            chosen, best = pair, found
    return chosen, sign * best


@kernel
def pairs_to_come(table, target):
    """Legal pairs of a clink to come; in an enforced masquerade as if nobody had mates."""
    rules = table.rules
    if not rules.enforced:
        return rules.pairs[target]
    pairs = 0
    for x in range(rules.n_ring):
        for y in range(rules.n_ring):
            if x != y and (rules.may_keep or target not in (x, y)):
                pairs |= pair_bit(x, y)
    return pairs


@inlined
def value_of_toast(table, me, aims, card, target):
    """Value after a toast; of a clink after the split that its splitter should choose."""
    before = me.memory[AREA + target]
    if count_of(before, small_of(card)) == 0:
        add(table, me, aims, target, big_of(card))
        found = value(table, me, aims, 1 << target)
    else:
        me.memory[AREA + target] = before - one(small_of(card))
        splitter = me.seat if table.rules.active_splits else target
        sign = 1 if has(me.allies, splitter) else -1
        pairs = pairs_to_come(table, target)
        _, found = best_pair(table, me, aims, pairs, card, 1 << target, sign)
    me.memory[AREA + target] = before
    return found


@inlined
def value_of_send(table, me, aims, glass, target):
    """Value after a send from the own area."""
    own, before = me.memory[AREA + me.seat], me.memory[AREA + target]
    me.memory[AREA + me.seat] = own - one(glass)
    add(table, me, aims, target, glass)
    found = value(table, me, aims, (1 << me.seat) | (1 << target))
    me.memory[AREA + me.seat], me.memory[AREA + target] = own, before
    return found


# Decisions


@inlined
def next_place(table, place):
    """The next place clockwise."""
    return place + 1 if place + 1 < table.rules.n_ring else 0


@kernel
def best_action(table, me, aims):
    """The action with the highest value and this value; places in turn from the own one on.

    A return is chosen where nothing is better than drawing new cards.
    """
    chosen, best = NOBODY, NEVER
    if me.may_return:
        chosen, best = RETURN, value(table, me, aims, 0) + A_LITTLE
    target = me.seat
    for _ in range(table.rules.n_ring):
        if has(me.toast_to, target):
            cards = me.hand
            while cards:
                card = lowest(cards)
                cards &= cards - 1
                found = value_of_toast(table, me, aims, card, target)
                if found > best:
                    chosen, best = toast(card, target), found
        if has(me.send_to, target):
            glasses = me.sends
            while glasses:
                glass = lowest(glasses)
                glasses &= glasses - 1
                found = value_of_send(table, me, aims, glass, target)
                if found > best:
                    chosen, best = send(glass, target), found
        target = next_place(table, target)
    return chosen, best


@kernel
def answer(table, me, aims):
    """The best action, or the best answer to what the seat is asked."""
    set_up(table, me, aims)
    if table.phase == ACT:
        chosen, _ = best_action(table, me, aims)
        return chosen
    return reaction(table, me, aims)


@kernel
def reaction(table, me, aims):
    """The best split or discard; a completed recipe is declared."""
    if table.phase == SPLIT:
        pair, _ = best_pair(table, me, aims, me.pairs, table.card, 0, 1)
        return GIVE + pair
    if table.phase == OVERFLOW:
        area = table.area[table.target]
        if has(aims.friends, table.target):
            return drop(worst_glass(aims.recipe, area))
        return drop(scarcest_glass(area))
    return DECLARE


@kernel
def scarcest_glass(area):
    """The glass of which the fewest lie in an area, the first of equal ones."""
    scarcest = lowest(kinds(area))
    for glass in range(N_GLASSES):
        n = count_of(area, glass)
        if n and n < count_of(area, scarcest):
            scarcest = glass
    return scarcest
