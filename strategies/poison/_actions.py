"""Choose among actions by the value of the card and by the pot."""

from sim.core.cards import count, kth, lowest
from sim.core.jit import kernel
from sim.core.rng import below
from sim.games.poison.cards import (
    ALL_POTS,
    KINDS_OF_VALUE,
    N_POTS,
    POISONS,
    POTIONS,
    VALUES,
)

NO_ACTION = -1
HIGHEST = max(VALUES)
POISON_ACTIONS = POISONS * ALL_POTS
TO_FIRST_POT = POTIONS | POISONS  # every kind to pot 0


@kernel
def of_value(actions, value):
    """Those that play a card of this value."""
    return actions & (KINDS_OF_VALUE[value] * ALL_POTS)


@kernel
def of_lowest_value(actions):
    """Those that play the lowest value; there must be one."""
    value = 1
    while of_value(actions, value) == 0:
        value += 1
    return of_value(actions, value)


@kernel
def of_highest_value(actions):
    """Those that play the highest value; there must be one."""
    value = HIGHEST
    while of_value(actions, value) == 0:
        value -= 1
    return of_value(actions, value)


@kernel
def to_pot(actions, pot):
    """Those that play to this pot."""
    return actions & (TO_FIRST_POT << pot)


@kernel
def any_of(actions, rng):
    """One of them, each with the same probability."""
    return kth(actions, below(rng, count(actions)))


@kernel
def take_cheapest(actions, costs):
    """The pot with the lowest cost that they reach, and the first of the highest cards to it."""
    best = -1
    for pot in range(N_POTS):
        if to_pot(actions, pot) != 0 and (best < 0 or costs[pot] < costs[best]):
            best = pot
    return lowest(of_highest_value(to_pot(actions, best)))
