"""What holds after every action of 毒药 (section 4 of the rule sheet)."""

from sim.core.cards import has
from sim.core.jit import kernel, out_of_line
from sim.games.poison.cards import (
    COPIES,
    N_ACTIONS,
    N_CARDS,
    N_COLOURS,
    N_KINDS,
    N_POTS,
    NO_COLOUR,
    POISON,
    colour_of,
    count_of,
    kind_of,
    n_cards,
    n_of_colour,
    n_poisons,
    n_potions,
    pot_of,
    value_of,
)
from sim.games.poison.scores import discarded_colours
from sim.games.poison.view import PERFECT, SIZES_ONLY

INVARIANTS = (
    "",
    "hands, ghost hand, cards set aside, pots and piles are the 50 cards",
    "a hand has as many cards as everybody sees",
    "no pot is above the threshold, and its total is that of its cards",
    "no pot has two colours, no colour two pots, and a pot the colour of its potions",
    "cards taken and cards in pots are the cards played",
    "round scores count what was taken and not discarded, and nothing else",
    "the seat to act may do what the rules allow its own hand, and nothing else",
    "the piles are shown as far as they are remembered",
)


@kernel
def check(state):
    """Number of the first broken invariant, or 0."""
    out_of_line()
    table = state.table
    if not is_whole_deck(state):
        return 1
    n_left = 0
    for seat in range(table.players):
        n_left += table.n_hand[seat]
        if n_cards(state.hand[seat]) != table.n_hand[seat]:
            return 2
    if n_left != table.n_left:
        return 2
    if not totals_are_right(table):
        return 3
    if not colours_are_right(table):
        return 4
    played = table.pot[0] + table.pot[1] + table.pot[2]
    for seat in range(table.players):
        played += state.taken[seat]
    if played != table.played:
        return 5
    if not scores_are_right(state):
        return 6
    if not state.over and not actions_are_right(state):
        return 7
    return 0 if piles_are_shown(state) else 8


@kernel
def is_whole_deck(state):
    """Whether each kind has all its cards, and no heap more than there are."""
    table = state.table
    for kind in range(N_KINDS):
        n = count_of(state.ghost, kind) + count_of(state.aside, kind)
        for pot in range(N_POTS):
            n += count_of(table.pot[pot], kind)
        for seat in range(table.players):
            n += count_of(state.hand[seat], kind) + count_of(state.taken[seat], kind)
        if n != COPIES[kind]:
            return False
    return True


@kernel
def totals_are_right(table):
    """Whether the pots add up, below the threshold."""
    for pot in range(N_POTS):
        total = 0
        for kind in range(N_KINDS):
            total += value_of(kind) * count_of(table.pot[pot], kind)
        if total != table.pot_total[pot] or total > table.rules.threshold:
            return False
    return True


@kernel
def colours_are_right(table):
    """Whether potions and colours of the pots agree."""
    rules = table.rules
    for pot in range(N_POTS):
        colour = table.pot_colour[pot]
        if rules.fixed_colours and colour != pot:
            return False
        for other in range(pot):
            if colour != NO_COLOUR and colour == table.pot_colour[other]:
                return False
        own = 0 if colour == NO_COLOUR else n_of_colour(table.pot[pot], colour)
        if own != n_potions(table.pot[pot]):
            return False
        is_bare = own == 0 and colour != NO_COLOUR
        if is_bare and not rules.fixed_colours and not rules.sticky:
            return False
    return True


@kernel
def scores_are_right(state):
    """Whether the totals can be: exact when the last piles still lie there, else by their bounds.

    Exact: all points are those of the potions taken, less those discarded, and of the poisons.
    """
    table, rules = state.table, state.table.rules
    n_poison = COPIES[POISON]
    most = rules.potion_points * (N_CARDS - n_poison) + rules.poison_points * n_poison
    points = 0
    for seat in range(table.players):
        points += table.last_round[seat]
        if table.last_round[seat] < 0 or table.total[seat] < table.last_round[seat]:
            return False
    if not state.over:
        return points <= most
    expected = 0
    for seat in range(table.players):
        pile = state.taken[seat]
        expected += rules.potion_points * n_potions(pile)
        expected += rules.poison_points * n_poisons(pile)
    for colour in range(N_COLOURS):
        seats = 0
        for seat in range(table.players):
            discards = discarded_colours(rules, state.taken, table.players)
            if has(discards, N_COLOURS * seat + colour):
                expected -= rules.potion_points * n_of_colour(state.taken[seat], colour)
                seats += 1
        if seats > 1 and not rules.all_tied:
            return False
    return points == expected <= most


@kernel
def actions_are_right(state):
    """Whether the actions are those of P-R03 to P-R07, a kind and a pot at a time."""
    table = state.table
    if state.legal <= 0 or table.n_hand[table.seat] == 0:
        return False
    for action in range(N_ACTIONS):
        kind, pot = kind_of(action), pot_of(action)
        colour = table.pot_colour[pot]
        expected = count_of(state.hand[table.seat], kind) > 0
        if kind != POISON:
            is_placed = False
            for other in range(N_POTS):
                if table.pot_colour[other] == colour_of(kind):
                    is_placed = True
            wanted = colour_of(kind) if is_placed else NO_COLOUR
            expected = expected and colour == wanted
        for lower in range(pot):
            is_alike = table.pot[lower] == table.pot[pot] and table.pot_colour[lower] == colour
            expected = expected and not is_alike
        if expected != has(state.legal, action):
            return False
    return True


@kernel
def piles_are_shown(state):
    """Whether the table has of the piles what the switch `taken_memory` lets be known."""
    table = state.table
    memory, n_played = table.rules.memory, n_cards(table.played)
    if table.n_history != (n_played if memory == PERFECT else 0):
        return False
    for seat in range(table.players):
        pile = state.taken[seat]
        if table.taken[seat] != (pile if memory == PERFECT else 0):
            return False
        if table.n_taken[seat] != (n_cards(pile) if memory <= SIZES_ONLY else 0):
            return False
    return True
