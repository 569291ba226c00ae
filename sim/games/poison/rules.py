"""The rules of 毒药: deal, play, overflow, scores. Ids P-Rnn are those of the rule sheet.

Every turn a card goes to one of three pots, whose potions must be of one colour. Who lifts a pot
above 13 takes what lay in it. Who took most of a colour discards it; the rest is penalty points.
"""

import numpy as np

from sim.core.cards import has, is_single
from sim.core.jit import inlined, kernel, out_of_line
from sim.core.rng import below, shuffle
from sim.core.state import FINISHED, event, new_round, outcome_record, share_win, state_record, word
from sim.games.poison import GAME
from sim.games.poison.cards import (
    ALL_COLOURS,
    DECK,
    FULL_DECK,
    N_ACTIONS,
    N_CARDS,
    N_COLOURS,
    N_POTS,
    NO_COLOUR,
    POISON,
    POISONS,
    colour_of,
    kind_of,
    kinds_in,
    kinds_of_colour,
    n_cards,
    n_poisons,
    one,
    pot_of,
    value_of,
)
from sim.games.poison.counted import (
    COUNTED,
    NOWHERE,
    clear,
    count_leaders,
    count_overflow,
    count_pile,
    count_poison,
    report,
)
from sim.games.poison.invariants import INVARIANTS, check
from sim.games.poison.scores import discarded_colours, most_of, points_of, seats_with_most
from sim.games.poison.setup import problems, set_rules
from sim.games.poison.view import (
    MAX_PLAYERS,
    PERFECT,
    SEAT_SHIFT,
    SIZES_ONLY,
    TABLE,
    safe_actions,
    wipe,
)

STATE = state_record(
    TABLE,
    ("hand", np.int64, MAX_PLAYERS),  # heap each seat holds
    ("ghost", np.int64),  # the fourth hand of three players; nobody plays it
    ("aside", np.int64),  # cards not dealt
    ("taken", np.int64, MAX_PLAYERS),  # heap each seat has taken in this round
    ("legal", np.int64),  # what the seat to act may do, as a set of actions
    ("deck", np.int64, N_CARDS),  # room for a shuffle, empty at other times
    ("over", np.int64),  # 1 after the last round
    ("counted", COUNTED),
)

OUTCOME = outcome_record(GAME)

__all__ = ["INVARIANTS", "check", "problems", "set_rules"]  # asked of the rules, from elsewhere

# Events of the log, with their words
ROUND, DEAL, PLAY, SCORE = range(4)

SHARED, EXTRA_ROUND, FEWEST_POISON = range(3)  # values of final_tie
MAX_EXTRA_ROUNDS = 3


# The play of a game


@kernel
def start(state, log):
    """Begin a game: totals at zero, a start seat (P-R02), the first round."""
    out_of_line()
    table = state.table
    for seat in range(MAX_PLAYERS):
        table.total[seat] = 0
        table.last_round[seat] = 0
        table.poisons[seat] = 0
    table.eligible = (1 << table.players) - 1
    table.round = 1
    state.over = 0
    clear(state.counted)
    new_round(state.dealer, 1)
    table.start = below(state.dealer.chance, table.players) if table.rules.random_first else 0
    table.first_start = table.start
    deal_round(state, log)


@kernel
def deal_round(state, log):
    """Shuffle all cards, deal the hands, empty the pots (section 1.2)."""
    out_of_line()
    table = state.table
    deal_hands(state)
    table.n_left = 0
    for seat in range(MAX_PLAYERS):
        state.taken[seat] = 0
        table.taken[seat] = 0
        table.n_taken[seat] = 0
        table.n_hand[seat] = n_cards(state.hand[seat])
        table.n_left += table.n_hand[seat]
    for pot in range(N_POTS):
        table.pot[pot] = 0
        table.pot_total[pot] = 0
        table.pot_colour[pot] = pot if table.rules.fixed_colours else NO_COLOUR
    table.ghost = state.ghost if table.rules.ghost_shown else 0
    table.played = 0
    table.n_history = 0
    let_act(state, table.start)
    if log.on:
        event(log, ROUND)
        word(log, table.round)
        word(log, table.start)
        event(log, DEAL)
        for seat in range(table.players):
            word(log, state.hand[seat])
        word(log, state.ghost)
        word(log, state.aside)


@kernel
def deal_hands(state):
    """P-R01: deal the shuffled deck by places, a card at a time; the start seat is place 0.

    Equal hands are dealt first; hand i goes to place i, turned by `dealer.turn` (a ghost hand stays
    where it is). Cards beyond those stay with their places: by the rules the first places have the
    longer hands, whoever holds which.
    """
    table, deck = state.table, state.deck
    players, n_hands, size = table.players, table.rules.n_hands, table.rules.hand_size
    for place in range(N_CARDS):
        deck[place] = DECK[place]
    shuffle(state.dealer.cards, deck, N_CARDS)
    for seat in range(MAX_PLAYERS):
        state.hand[seat] = 0
    state.ghost = 0
    left = FULL_DECK
    for i in range(n_hands):
        hand = 0
        for k in range(size):
            hand += one(deck[i + k * n_hands])
        left -= hand
        if i < players:
            state.hand[(table.start + state.dealer.turn + i) % players] = hand
        else:
            state.ghost = hand
    for place in range(table.rules.n_longer):
        card = one(deck[n_hands * size + place])
        state.hand[(table.start + place) % players] += card
        left -= card
    state.aside = left
    wipe(deck)


@inlined
def let_act(state, seat):
    """P-R03: the seat must now play one card to one pot."""
    state.table.seat = seat
    open_pots(state.table)
    state.legal = legal_actions(state.table, state.hand[seat])


@inlined
def open_pots(table):
    """P-R04, P-R05, P-R07: find the pots to which each colour, and poison, may go now.

    Two pots without a colour hold nothing but poison, so with equal totals they are alike.
    """
    colour, total = table.pot_colour, table.pot_total
    free, coloured = 0, 0
    for pot in range(N_POTS):
        is_free = colour[pot] == NO_COLOUR
        for lower in range(pot):
            if colour[lower] == NO_COLOUR and total[lower] == total[pot]:
                is_free = False
        if is_free:
            free |= 1 << pot
    for c in range(N_COLOURS):
        table.pots_for[c] = free
    for pot in range(N_POTS):
        if colour[pot] != NO_COLOUR:
            table.pots_for[colour[pot]] = 1 << pot
            coloured |= 1 << pot
    table.pots_for[N_COLOURS] = free | coloured


@inlined
def legal_actions(table, hand):
    """P-R03: every kind in hand with every pot to which it may go."""
    kinds, pots_for = kinds_in(hand), table.pots_for
    legal = (kinds & POISONS) * pots_for[N_COLOURS]
    for colour in range(N_COLOURS):
        legal |= (kinds & kinds_of_colour(colour)) * pots_for[colour]
    return legal


@inlined
def apply(state, action, log):
    """Play a card of the seat to act to a pot; the last card ends the round."""
    table = state.table
    seat, kind, pot = table.seat, kind_of(action), pot_of(action)
    card = one(kind)
    total = table.pot_total[pot] + value_of(kind)
    overflows = total > table.rules.threshold
    takes = 0
    if overflows:
        takes = overflow(state, pot, card, value_of(kind))
    else:
        table.pot[pot] += card
        table.pot_total[pot] = total
    colour_pot(table, pot, kind, overflows)
    if kind == POISON:
        count_poison(state.counted, seat, pot, overflows and table.rules.takes_played)
    state.hand[seat] -= card
    table.n_hand[seat] -= 1
    table.n_left -= 1
    table.played += card
    if table.rules.memory == PERFECT:
        table.history[table.n_history] = action + (seat << SEAT_SHIFT)
        table.n_history += 1
    if log.on:
        event(log, PLAY)
        word(log, seat)
        word(log, kind)
        word(log, pot)
        word(log, total)
        word(log, takes)
    if table.n_left == 0:
        end_round(state, log)
        return
    let_act(state, next_to_play(table, seat))


@inlined
def overflow(state, pot, card, value):
    """P-R08: the seat to act takes the pot; the card just played remains. Returns what it takes."""
    table = state.table
    seat = table.seat
    count_overflow(state.counted, seat, pot, safe_actions(table, state.legal) == 0)
    takes = table.pot[pot]
    if table.rules.takes_played:
        takes += card
        card, value = 0, 0
    table.pot[pot] = card
    table.pot_total[pot] = value
    state.taken[seat] += takes
    if table.rules.memory == PERFECT:
        table.taken[seat] = state.taken[seat]
    if table.rules.memory <= SIZES_ONLY:
        table.n_taken[seat] = n_cards(state.taken[seat])
    return takes


@inlined
def colour_pot(table, pot, kind, has_overflowed):
    """P-R04: a potion gives its colour to the pot; without potions a pot has none.

    With `sticky` the colour stays for the round, with `fixed` for good.
    """
    rules = table.rules
    if rules.fixed_colours:
        return
    if has_overflowed and not rules.sticky:
        table.pot_colour[pot] = NO_COLOUR
    is_there = not has_overflowed or not rules.takes_played or rules.sticky
    if kind != POISON and is_there:
        table.pot_colour[pot] = colour_of(kind)


@inlined
def next_seat(table, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < table.players else 0


@inlined
def next_to_play(table, seat):
    """P-R09: the next seat clockwise that has a card."""
    seat = next_seat(table, seat)
    while table.n_hand[seat] == 0:
        seat = next_seat(table, seat)
    return seat


# The end of a round, and of the game


@kernel
def end_round(state, log):
    """P-R10 to P-R14: score the piles; end the game or deal the next round."""
    out_of_line()
    table = state.table
    score_round(state, log)
    if is_last_round(table):
        state.over = 1
        state.legal = 0
        return
    table.round += 1
    new_round(state.dealer, table.round)
    if table.rules.random_next:
        table.start = below(state.dealer.chance, table.players)
    else:
        table.start = next_seat(table, table.start)  # P-R13
    deal_round(state, log)


@kernel
def score_round(state, log):
    """P-R11, P-R12: penalty points for what each seat took and does not discard."""
    table, counted = state.table, state.counted
    discards = discarded_colours(table.rules, state.taken, table.players)
    for seat in range(table.players):
        pile = state.taken[seat]
        colours = (discards >> (N_COLOURS * seat)) & ALL_COLOURS
        score = points_of(table.rules, pile, colours)
        table.last_round[seat] = score
        table.total[seat] += score
        table.poisons[seat] += n_poisons(pile)
        count_pile(counted, seat, pile, colours)
        if table.round == 1:
            counted.first_round[seat] = score
    for colour in range(N_COLOURS):
        is_tied = not is_single(seats_with_most(state.taken, table.players, colour))
        if is_tied and most_of(state.taken, table.players, colour) > 0:
            counted.tied_colours += 1
    for pot in range(N_POTS):
        counted.left_over += n_cards(table.pot[pot])
    counted.first_pot = NOWHERE
    count_leaders(counted, lowest_seats(table.total, (1 << table.players) - 1), table.round == 1)
    if log.on:
        event(log, SCORE)
        for seat in range(table.players):
            word(log, state.taken[seat])
        word(log, discards)
        for seat in range(table.players):
            word(log, table.last_round[seat])
        for seat in range(table.players):
            word(log, table.total[seat])


@kernel
def is_last_round(table):
    """P-R14: whether the game is over; with `extra_round` those tied for it play on."""
    rules = table.rules
    if table.round < rules.rounds:
        return False
    if rules.final_tie != EXTRA_ROUND or table.round == rules.rounds + MAX_EXTRA_ROUNDS:
        return True
    tied = lowest_seats(table.total, table.eligible)
    if is_single(tied):
        return True
    table.eligible = tied
    return False


@kernel
def lowest_seats(numbers, among):
    """Those of the seats `among` that have the lowest number, as a set."""
    lowest, seats = NOT_SCORED, 0
    for seat in range(MAX_PLAYERS):
        if has(among, seat) and numbers[seat] < lowest:
            lowest, seats = numbers[seat], 0
        if has(among, seat) and numbers[seat] == lowest:
            seats |= 1 << seat
    return seats


NOT_SCORED = 1 << 40


@kernel
def winning_seats(table):
    """P-R14 with the switch `final_tie`: the seats that share the win."""
    tied = lowest_seats(table.total, table.eligible)
    if table.rules.final_tie == FEWEST_POISON:
        return lowest_seats(table.poisons, tied)
    return tied


# What the play loop asks


@inlined
def is_over(state):
    """Whether the game has ended."""
    return state.over != 0


@inlined
def seat_to_act(state):
    """The seat that decides now."""
    return state.table.seat


@inlined
def is_legal(state, action):
    """Whether the seat to act may do this."""
    return action >= 0 and action < N_ACTIONS and has(state.legal, action)


@kernel
def outcome(state, result):
    """P-R14: who won, and the measures of the game."""
    out_of_line()
    table = state.table
    result.status = FINISHED
    result.start = table.first_start
    share_win(result, winning_seats(table), table.players)
    for seat in range(table.players):
        result.score[seat] = table.total[seat]
        result.poisons[seat] = table.poisons[seat]
    result.rounds = table.round
    report(state.counted, result, table.players)
