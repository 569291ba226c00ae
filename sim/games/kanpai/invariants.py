"""What must hold after each action in 干杯 (section 4 of the rule sheet), as a debug check."""

from sim.core.bits import popcount
from sim.core.cards import has
from sim.core.jit import kernel, out_of_line
from sim.games.kanpai import N_GLASSES
from sim.games.kanpai.cards import (
    N_CARDS,
    NO_CARD,
    big_of,
    count_of,
    is_complete,
    kinds,
    size,
    small_of,
)
from sim.games.kanpai.view import (
    ACT,
    MAX_HAND,
    OVERFLOW,
    PLACES,
    SPLIT,
    copies_in,
    team_of,
    top_of_deck,
)

INVARIANTS = (
    "",
    "every copy of every card has exactly one place",
    "the cards toasted lie in areas or were discarded from them",
    "hands keep their limits and are what everybody sees of them",
    "areas keep their limit from turn to turn",
    "no area satisfies its recipe from turn to turn",
    "a recipe has five glasses, of three or four kinds, two of each at most",
    "teams have as many members as they should",
    "a clink gives two cards to two places, not to the target",
    "the seat to act can do something",
)


@kernel
def check(state):
    """Number of the first broken invariant, or 0."""
    out_of_line()
    table = state.table
    rules = table.rules
    if not cards_have_places(state):
        return 1
    if not areas_hold_what_was_toasted(state):
        return 2
    if not hands_are_right(state):
        return 3
    for place in range(rules.n_ring):
        area = table.area[place]
        if table.phase == ACT and not state.over and size(area) > rules.cap:
            return 4
        for glass in range(N_GLASSES):
            if count_of(area, glass) > rules.n_cards:  # a count below zero
                return 4
        if table.phase == ACT and not state.over and not rules.optional_claim:
            recipe = state.recipe[team_of(state.teams, place)]
            if has(table.counting, place) and is_complete(recipe, area):
                return 5
    for team in range(rules.n_teams):
        if not is_recipe(state.recipe[team]):
            return 6
        members = 0
        for seat in range(table.players):
            members += 1 if team_of(state.teams, seat) == team else 0
        if members != rules.team_size[team]:
            return 7
    if state.over:
        return 0
    if table.phase == SPLIT and not pairs_are_right(state):
        return 8
    can_act = state.toast_to & ((1 << rules.n_ring) - 1) if state.hand[table.seat] else 0
    if table.phase == ACT and can_act == 0 and state.sends & kinds(table.area[table.seat]) == 0:
        return 9
    if table.phase == OVERFLOW and state.drops != kinds(table.area[table.target]):
        return 9
    return 0


@kernel
def is_recipe(glasses):
    """K-R03: five glasses of three or four kinds, two of each at most."""
    for glass in range(N_GLASSES):
        if count_of(glasses, glass) > 2:
            return False
    return size(glasses) == N_GLASSES and popcount(kinds(glasses)) in (3, 4)


@kernel
def cards_have_places(state):
    """Deck, hands, discard area and what was toasted hold each card as often as the deck has it."""
    table = state.table
    for card in range(N_CARDS):
        n = table.played[card]
        for i in range(top_of_deck(table), table.rules.n_cards):
            n += 1 if state.deck[i] == card else 0
        for seat in range(table.players):
            n += copies_in(state.returned, 2 * seat, card)
            for k in range(MAX_HAND):
                n += 1 if state.held[seat * MAX_HAND + k] == card else 0
        if n != table.rules.copies[card]:
            return False
    return True


@kernel
def areas_hold_what_was_toasted(state):
    """Per big glass where discards lie open, else in all; two cards of a clink are in the air."""
    table = state.table
    total = table.overflows
    for glass in range(N_GLASSES):
        n = table.dropped[glass]
        for place in range(table.rules.n_ring):
            n += count_of(table.area[place], glass)
        if table.phase == SPLIT and not state.over:
            n += 1 if big_of(table.card) == glass else 0
            n += 1 if small_of(table.card) == glass else 0
        for small in range(N_GLASSES):
            n -= table.played[glass * N_GLASSES + small]
        if table.rules.open_overflow and n != 0:
            return False
        total += n - table.dropped[glass]
    return total == 0


@kernel
def hands_are_right(state):
    """Hands and discards have the sizes that everybody sees, within the limits."""
    table = state.table
    for seat in range(table.players):
        n, hand, n_returned = 0, 0, 0
        for k in range(MAX_HAND):
            card = state.held[seat * MAX_HAND + k]
            if card != NO_CARD:
                n += 1
                hand |= 1 << card
        for card in range(N_CARDS):
            n_returned += copies_in(state.returned, 2 * seat, card)
        if n != table.n_hand[seat] or n > table.rules.limit[seat] or hand != state.hand[seat]:
            return False
        if n_returned != table.n_returned[seat]:
            return False
    return True


@kernel
def pairs_are_right(state):
    """Each pair of receivers is of two places of the ring, without the target."""
    table = state.table
    n_pairs = 0
    for x in range(table.rules.n_ring):
        for y in range(table.rules.n_ring):
            is_other = x != y and (table.rules.may_keep or table.target not in (x, y))
            n_pairs += 1 if is_other and has(state.pairs, x * PLACES + y) else 0
    return n_pairs > 0 and n_pairs == popcount(state.pairs)
