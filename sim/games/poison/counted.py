"""What is counted of a game of 毒药 for the statistics. No rule looks at it, and no strategy."""

import numpy as np

from sim.core.jit import inlined, kernel
from sim.core.records import record
from sim.games.poison.cards import N_COLOURS, n_of_colour, n_poisons, n_potions

SEATS = 6

COUNTED = record(
    ("first_round", np.int64, SEATS),  # penalty points of it
    ("overflows", np.int64, SEATS),
    ("forced", np.int64, SEATS),  # turns without a safe action
    ("taken", np.int64, SEATS),  # cards
    ("discarded", np.int64, SEATS),  # potions
    ("majorities", np.int64, SEATS),  # colours discarded
    ("largest_majority", np.int64, SEATS),  # cards of a colour discarded at once
    ("tied_colours", np.int64),
    ("left_over", np.int64),  # cards left in pots
    ("lead_changes", np.int64),
    ("first_seat", np.int64),  # who played the first poison of the game, or NOBODY
    ("first_pot", np.int64),  # where it lies, or NOWHERE
    ("came_back", np.int64),  # 1 if who played it took it
    ("leaders", np.int64),  # seats with the lowest total after the round before, as a set
)


NOBODY = NOWHERE = -1


@kernel
def clear(counted):
    """Count from nothing."""
    for seat in range(SEATS):
        counted.first_round[seat] = 0
        counted.overflows[seat] = 0
        counted.forced[seat] = 0
        counted.taken[seat] = 0
        counted.discarded[seat] = 0
        counted.majorities[seat] = 0
        counted.largest_majority[seat] = 0
    counted.tied_colours = 0
    counted.left_over = 0
    counted.lead_changes = 0
    counted.leaders = 0
    counted.first_seat = NOBODY
    counted.first_pot = NOWHERE
    counted.came_back = 0


@inlined
def count_poison(counted, seat, pot, is_taken):
    """A poison is played to a pot, after it may have overflowed, or taken with it at once."""
    if counted.first_seat == NOBODY:
        counted.first_seat = seat
        counted.came_back = 1 if is_taken else 0
        counted.first_pot = NOWHERE if is_taken else pot


@inlined
def count_overflow(counted, seat, pot, is_forced):
    """A pot overflows; the seat may have had no other choice."""
    counted.overflows[seat] += 1
    counted.forced[seat] += 1 if is_forced else 0
    if counted.first_pot == pot:
        counted.came_back = 1 if counted.first_seat == seat else 0
        counted.first_pot = NOWHERE


@kernel
def count_pile(counted, seat, pile, colours):
    """A seat's pile at the end of a round, of which it discards these colours (a set)."""
    counted.taken[seat] += n_potions(pile) + n_poisons(pile)
    for colour in range(N_COLOURS):
        if (colours >> colour) & 1:
            n = n_of_colour(pile, colour)
            counted.discarded[seat] += n
            counted.majorities[seat] += 1
            counted.largest_majority[seat] = max(counted.largest_majority[seat], n)


@kernel
def count_leaders(counted, leaders, is_first):
    """The seats with the lowest total after a round."""
    if not is_first and leaders != counted.leaders:
        counted.lead_changes += 1
    counted.leaders = leaders


@kernel
def report(counted, result, players):
    """Fill the measures of an outcome record, which has the same names."""
    result.all_overflows = 0
    result.all_forced = 0
    for seat in range(players):
        result.first_round[seat] = counted.first_round[seat]
        result.overflows[seat] = counted.overflows[seat]
        result.forced[seat] = counted.forced[seat]
        result.taken[seat] = counted.taken[seat]
        result.discarded[seat] = counted.discarded[seat]
        result.majorities[seat] = counted.majorities[seat]
        result.largest_majority[seat] = counted.largest_majority[seat]
        result.all_overflows += counted.overflows[seat]
        result.all_forced += counted.forced[seat]
    result.tied_colours = counted.tied_colours
    result.left_over = counted.left_over
    result.lead_changes = counted.lead_changes
    result.came_back = counted.came_back
