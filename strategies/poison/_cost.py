"""What it costs to take a pot, as it stands and for a seat that may discard a colour.

Source: rule sheet, section 8, `cost`, `lead` and `adj`.
"""

from sim.core.jit import kernel
from sim.games.poison.cards import n_of_colour, n_poisons, n_potions

SAFE_LEAD, SAFE_CARDS = 2, 4  # a colour held so counts as one that will be discarded


@kernel
def cost(rules, heap):
    """Penalty points of these cards, if none is discarded."""
    return rules.potion_points * n_potions(heap) + rules.poison_points * n_poisons(heap)


@kernel
def costs(table):
    """The cost of each pot."""
    return (
        cost(table.rules, table.pot[0]),
        cost(table.rules, table.pot[1]),
        cost(table.rules, table.pot[2]),
    )


@kernel
def n_taken_of(table, seat, colour):
    """Cards of the colour that the seat has taken, as far as they are remembered."""
    return n_of_colour(table.taken[seat], colour)


@kernel
def most_of_others(table, seat, colour):
    """The largest number of cards of the colour that another seat has taken."""
    most = 0
    for other in range(table.players):
        if other != seat:
            most = max(most, n_taken_of(table, other, colour))
    return most


@kernel
def lead(table, seat, colour):
    """Cards of the colour that the seat has taken more than any other."""
    return n_taken_of(table, seat, colour) - most_of_others(table, seat, colour)


@kernel
def adjusted_cost(table, seat, pot):
    """The cost of a pot, but nothing for potions that the seat would have clearly most of."""
    heap = table.pot[pot]
    n = n_potions(heap)
    if n > 0:
        colour = table.pot_colour[pot]
        own = n_taken_of(table, seat, colour) + n
        if own >= SAFE_CARDS and own - most_of_others(table, seat, colour) >= SAFE_LEAD:
            return table.rules.poison_points * n_poisons(heap)
    return cost(table.rules, heap)


@kernel
def adjusted_costs(table, seat):
    """The adjusted cost of each pot."""
    return (
        adjusted_cost(table, seat, 0),
        adjusted_cost(table, seat, 1),
        adjusted_cost(table, seat, 2),
    )
