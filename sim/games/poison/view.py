"""What a seat of 毒药 may know (section 3 of the rule sheet), and worlds that fit it."""

from math import factorial, prod

import numpy as np

from sim.core.jit import inlined, kernel
from sim.core.records import copy_record, record
from sim.core.rng import below, shuffle
from sim.core.strategy import me_record, strategy_form
from sim.games.poison.cards import (
    COPIES,
    FULL_DECK,
    KINDS_UP_TO,
    N_CARDS,
    N_COLOURS,
    N_KINDS,
    N_POTS,
    count_of,
    one,
)
from sim.games.poison.counted import SEATS, clear

MAX_PLAYERS = SEATS
N_MEMORY = 32
PERFECT, SIZES_ONLY = 0, 1  # values of memory
SEAT_SHIFT = 6  # of a play in the history: action + 64 * seat
HIGHEST_VALUE = len(KINDS_UP_TO) - 1

RULES = record(
    ("threshold", np.int64),  # highest total of a pot that does not overflow
    ("fixed_colours", np.int64),  # 1: pot 0 is red, 1 blue, 2 purple
    ("sticky", np.int64),  # 1: a pot keeps its colour for the round
    ("takes_played", np.int64),  # 1: an overflow takes the card just played too
    ("n_hands", np.int64),  # hands dealt: the seats', and the ghost hand
    ("hand_size", np.int64),  # cards that every hand has
    ("n_longer", np.int64),  # so many hands from the start seat on have one card more
    ("random_first", np.int64),  # 1: first_start=random
    ("random_next", np.int64),  # 1: next_start=random
    ("rounds", np.int64),  # of a game, without extra rounds
    ("all_tied", np.int64),  # 1: majority_tie=all_tied_discard
    ("one_colour", np.int64),  # 1: majority_limit=one_colour
    ("min_cards", np.int64),  # fewest cards of a colour that are discarded, at least 1
    ("potion_points", np.int64),
    ("poison_points", np.int64),
    ("final_tie", np.int64),  # 0 shared, 1 extra_round, 2 fewest_poison
    ("memory", np.int64),  # taken_memory: 0 perfect, 1 sizes_only, 2 none
    ("ghost_shown", np.int64),  # 1: the ghost hand lies open
)

TABLE = record(
    ("rules", RULES),
    ("players", np.int64),
    ("round", np.int64),  # 1..
    ("start", np.int64),  # seat that starts this round
    ("first_start", np.int64),  # of the game
    ("total", np.int64, MAX_PLAYERS),  # running totals
    ("last_round", np.int64, MAX_PLAYERS),  # penalty points of the round before
    ("poisons", np.int64, MAX_PLAYERS),  # taken in the rounds that are over
    ("eligible", np.int64),  # seats that may still win, as a set: all before an extra round
    ("seat", np.int64),  # seat to act
    # the pots
    ("pot", np.int64, N_POTS),  # heaps
    ("pot_total", np.int64, N_POTS),
    ("pot_colour", np.int64, N_POTS),  # colour that binds it, or NO_COLOUR
    ("pots_for", np.int64, N_COLOURS + 1),  # set of pots open to each colour, and to poison
    # this round
    ("played", np.int64),  # heap of all cards played
    ("n_hand", np.int64, MAX_PLAYERS),  # cards in each hand
    ("n_left", np.int64),  # cards in all hands
    ("taken", np.int64, MAX_PLAYERS),  # heaps the seats have taken, if they are remembered
    ("n_taken", np.int64, MAX_PLAYERS),  # their sizes, if at least these are remembered
    ("history", np.int64, N_CARDS),  # plays in order, action + 64 * seat, if piles are remembered
    ("n_history", np.int64),
    ("ghost", np.int64),  # the ghost hand, if it lies open
)

ME = me_record(
    N_MEMORY,
    ("hand", np.int64),  # heap
    ("legal", np.int64),  # set of actions, a bit each
)

strategy = strategy_form(TABLE, ME)


@inlined
def observe(state, me):
    """Give the seat to act its hand and what it may do."""
    me.hand = state.hand[state.table.seat]
    me.legal = state.legal


@inlined
def kinds_that_fit(room):
    """The kinds that add at most `room` to a pot, as a set."""
    return KINDS_UP_TO[min(room, HIGHEST_VALUE)]


@inlined
def safe_actions(table, legal):
    """Those of the legal actions that make no pot overflow."""
    threshold, total = table.rules.threshold, table.pot_total
    safe = kinds_that_fit(threshold - total[0])
    safe |= kinds_that_fit(threshold - total[1]) << 1
    safe |= kinds_that_fit(threshold - total[2]) << 2
    return legal & safe


@inlined
def unseen_cards(table, me):
    """The heap of cards that the seat has not seen: in other hands, the ghost hand or set aside."""
    return FULL_DECK - table.played - me.hand - table.ghost


# Worlds


@kernel
def sample_world(table, me, rng, world):
    """Fill `world` with a full state that fits what the seat knows; future chance is new.

    The unseen cards are shuffled and cut into the other hands, the ghost hand and those set aside:
    a play proves nothing about the rest of a hand, so each such deal of the cards is equally likely
    (`deals_like`). Of the piles nothing counts as known but what the switch lets be remembered.
    """
    copy_record(world.table, table)
    clear(world.counted)
    world.over = 0
    world.legal = me.legal
    world.dealer.seed = below(rng, 1 << 62)
    world.dealer.deal = 0
    world.dealer.turn = 0
    n = lay_out(unseen_cards(table, me), world.deck)
    shuffle(rng, world.deck, n)
    at = 0
    for seat in range(MAX_PLAYERS):
        world.hand[seat] = 0
        if seat == me.seat:
            world.hand[seat] = me.hand
        elif seat < table.players:
            world.hand[seat] = gather(world.deck, at, at + table.n_hand[seat])
            at += table.n_hand[seat]
    world.ghost, world.aside = table.ghost, 0
    if table.rules.n_hands == table.players:
        world.aside = gather(world.deck, at, n)
    elif not table.rules.ghost_shown:
        world.ghost = gather(world.deck, at, n)
    draw_piles(table, rng, world)
    wipe(world.deck)


@kernel
def draw_piles(table, rng, world):
    """Fill the piles of a world: as remembered, of the sizes remembered, or of any size."""
    for seat in range(MAX_PLAYERS):
        world.taken[seat] = table.taken[seat]
    if table.rules.memory == PERFECT:
        return
    n = lay_out(table.played - table.pot[0] - table.pot[1] - table.pot[2], world.deck)
    if table.rules.memory == SIZES_ONLY:
        shuffle(rng, world.deck, n)
        at = 0
        for seat in range(table.players):
            world.taken[seat] = gather(world.deck, at, at + table.n_taken[seat])
            at += table.n_taken[seat]
        return
    for place in range(n):
        world.taken[below(rng, table.players)] += one(world.deck[place])


@kernel
def lay_out(heap, deck):
    """Lay the cards of a heap on the first places of `deck`, as kinds; return their number."""
    n = 0
    for kind in range(N_KINDS):
        for _ in range(count_of(heap, kind)):
            deck[n] = kind
            n += 1
    return n


@kernel
def gather(deck, first, last):
    """The heap of the cards that lie on the places first..last-1."""
    heap = 0
    for place in range(first, last):
        heap += one(deck[place])
    return heap


@kernel
def wipe(deck):
    """Leave nothing of the order of a shuffle behind."""
    for place in range(N_CARDS):
        deck[place] = 0


def deals_like(state):
    """In how many ways the 50 cards, told apart, lie as in this state: the weight of a world.

    Up to a factor that all worlds of a view share. In plain Python; the tests of all games ask it.
    """
    heaps = [*state.hand, state.ghost, state.aside, *state.taken]
    counts = [count_of(heap, kind) for heap in heaps for kind in range(N_KINDS)]
    return factorial(max(COPIES)) ** N_KINDS // prod(map(factorial, counts))
