"""What holds after every action of Cocktail Poison (section 4 of the rule sheet)."""

from sim.core.cards import NO_CARD, NO_CARDS, card_set, count, has, without
from sim.core.jit import kernel, out_of_line
from sim.games.cocktail_poison.cards import (
    ALL_TILES,
    ANTIDOTE,
    BLIND,
    FIRST_TILE,
    MARTINI,
    N_COLOURS,
    NO_TILE,
)
from sim.games.cocktail_poison.view import CHOOSING, DRAFTING, taker, takes_of

NOT_SCORED = -(1 << 40)  # below any total

INVARIANTS = (
    "",
    "row, pile and displays together are the deck, every card once",
    "each seat has as many cards as it has taken",
    "the glasses are dealt, one a seat, the Martini among them",
    "every seat has chosen a tile, that was not spent, before the draft",
    "an antidote lies on a card of its owner, whose tile it is",
    "every poison is drawn by another seat, cancelled, or drawn by its owner",
    "each poison that is drawn strikes once: hits and poisoned cards are equally many",
    "totals do not fall, and none reaches the target before the end",
    "the seat to act has something to do, a card of the row or a tile",
)


@kernel
def check(state):
    """Number of the first broken invariant, or 0."""
    out_of_line()
    table = state.table
    places, n_placed, glasses = table.row, count(table.row), 0
    for seat in range(table.players):
        places |= table.display[seat]
        n_placed += count(table.display[seat])
        glasses |= 1 << state.style[seat]
    for k in range(table.n_turned, table.players * N_COLOURS):
        places |= card_set(state.deck[k])
        n_placed += 1
    if places != table.deck or n_placed != table.players * N_COLOURS:
        return 1
    if not displays_are_as_taken(table):
        return 2
    if glasses != table.styles or not has(glasses, MARTINI) or count(glasses) != table.players:
        return 3
    if not tiles_fit(state):
        return 4
    if not antidotes_fit(state):
        return 5
    return check_scores(state)


@kernel
def displays_are_as_taken(table):
    """Whether each display holds what its seat took, by the order of the takes."""
    for seat in range(table.players):
        cards = NO_CARDS
        for n in range(table.n_taken):
            if taker(table, n) == seat:
                cards |= card_set(table.taken[n])
            if has(takes_of(table, seat), n) != (taker(table, n) == seat):
                return False
        if cards != table.display[seat]:
            return False
    return True


@kernel
def tiles_fit(state):
    """Whether each seat that has chosen has a tile it could choose."""
    table = state.table
    for seat in range(table.players):
        tile = state.tile[seat]
        if tile == NO_TILE:
            if table.phase == DRAFTING:
                return False
        elif state.over == 0 and has(table.spent[seat], tile):
            return False
    return True


@kernel
def antidotes_fit(state):
    """Whether each antidote that is laid may lie where it lies, and is seen if it may be."""
    table = state.table
    for seat in range(table.players):
        card = state.cover[seat]
        if table.cover[seat] != (NO_CARD if table.rules.hidden_antidote else card):
            return False
        is_own_card = card == NO_CARD or has(table.display[seat], card)
        if not is_own_card or (card != NO_CARD and state.tile[seat] != ANTIDOTE):
            return False
    return True


@kernel
def check_scores(state):
    """The invariants of scores and choices: number of the first broken one, or 0."""
    table = state.table
    rules = table.rules
    n_own, n_poisoned, n_tiles = 0, 0, 0
    best, lowest_total = NOT_SCORED, -NOT_SCORED
    for seat in range(table.players):
        n_own += table.own_drawn[seat]
        n_poisoned += table.poisoned[seat]
        n_tiles -= table.antidotes[seat]
        best = max(best, table.total[seat])
        lowest_total = min(lowest_total, table.total[seat])
    ended = table.round if state.over else table.round - 1
    n_tiles += ended * table.players
    # All cards are distributed; poisons struck are those drawn by others and not cancelled.
    n_drawn = n_poisoned + table.cured + n_own
    if rules.n_takes == table.players * N_COLOURS and n_drawn != n_tiles:
        return 6
    if table.hits > n_poisoned or (table.hits < n_poisoned and not rules.owner_denied):
        return 7
    if rules.floor and lowest_total < 0:
        return 8
    if not state.over and table.extra_rounds == 0 and best >= rules.target:
        return 8
    allowed = table.row | 1 << BLIND
    if table.phase == CHOOSING:
        allowed = ALL_TILES << FIRST_TILE
    if not state.over and (state.legal == 0 or without(state.legal, allowed) != 0):
        return 9
    return 0
