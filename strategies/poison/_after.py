"""A pot after an action that does not make it overflow, and who can still play to it."""

from typing import NamedTuple

from sim.core.jit import kernel
from sim.games.poison.cards import (
    N_POTS,
    NO_COLOUR,
    POISON,
    POISONS,
    POTIONS,
    colour_of,
    kind_of,
    kinds_of_colour,
    n_of_kinds,
    n_poisons,
    one,
    pot_of,
    value_of,
)
from sim.games.poison.view import kinds_that_fit

ALL_KINDS = POTIONS | POISONS


class After(NamedTuple):
    """The pot that a safe action plays to, once the card lies there."""

    pot: int
    heap: int
    room: int  # what it takes before it overflows
    colour: int  # that binds it, or NO_COLOUR


@kernel
def after(table, action):
    """The pot of a safe action afterwards."""
    kind, pot = kind_of(action), pot_of(action)
    colour = table.pot_colour[pot] if kind == POISON else colour_of(kind)
    room = table.rules.threshold - table.pot_total[pot] - value_of(kind)
    return After(pot, table.pot[pot] + one(kind), room, colour)


@kernel
def n_among(heap, kinds):
    """Number of cards of the heap that are of these kinds, poison included."""
    return n_of_kinds(heap, kinds & POTIONS) + (n_poisons(heap) if kinds & POISONS else 0)


@kernel
def kinds_for(table, played):
    """The kinds that may go to the pot afterwards: its colour, or all that have no pot; poison."""
    if played.colour != NO_COLOUR:
        return kinds_of_colour(played.colour) | POISONS
    kinds = ALL_KINDS
    for pot in range(N_POTS):
        if table.pot_colour[pot] != NO_COLOUR:
            kinds &= ~kinds_of_colour(table.pot_colour[pot])
    return kinds


@kernel
def safe_kinds(table, played):
    """The kinds that a seat can play without an overflow afterwards, to whichever pot."""
    threshold, most_free, most_room, bound = table.rules.threshold, -1, played.room, 0
    safe = 0
    for pot in range(N_POTS):
        room = played.room if pot == played.pot else threshold - table.pot_total[pot]
        colour = played.colour if pot == played.pot else table.pot_colour[pot]
        most_room = max(most_room, room)
        if colour == NO_COLOUR:
            most_free = max(most_free, room)
        else:
            bound |= kinds_of_colour(colour)
            safe |= kinds_that_fit(room) & kinds_of_colour(colour)
    safe |= kinds_that_fit(most_room) & POISONS
    if most_free >= 0:
        safe |= kinds_that_fit(most_free) & POTIONS & ~bound
    return safe
