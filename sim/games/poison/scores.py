"""The scores of a round of 毒药: which colours each seat discards, what the rest costs."""

from sim.core.cards import has, is_single
from sim.core.jit import inlined, kernel
from sim.games.poison.cards import ALL_COLOURS, N_COLOURS, n_of_colour, n_poisons, n_potions


@kernel
def most_of(taken, players, colour):
    """The largest number of potions of this colour that a seat has taken."""
    most = 0
    for seat in range(players):
        most = max(most, n_of_colour(taken[seat], colour))
    return most


@kernel
def seats_with_most(taken, players, colour):
    """The seats with this largest number, as a set."""
    most, seats = most_of(taken, players, colour), 0
    for seat in range(players):
        if n_of_colour(taken[seat], colour) == most:
            seats |= 1 << seat
    return seats


@kernel
def discarded_colours(rules, taken, players):
    """P-R11: the colours that each seat discards: bit N_COLOURS * seat + colour."""
    discards = 0
    for colour in range(N_COLOURS):
        seats = seats_with_most(taken, players, colour)
        is_enough = most_of(taken, players, colour) >= rules.min_cards
        if is_enough and (rules.all_tied or is_single(seats)):
            for seat in range(players):
                if has(seats, seat):
                    discards |= 1 << (N_COLOURS * seat + colour)
    if rules.one_colour:
        for seat in range(players):
            own = (discards >> (N_COLOURS * seat)) & ALL_COLOURS
            given_up = own & ~largest_of(taken[seat], own)
            discards &= ~(given_up << (N_COLOURS * seat))
    return discards


@kernel
def largest_of(pile, colours):
    """The one of these colours (a set) of which the pile has most cards, as a set."""
    best, most = 0, 0
    for colour in range(N_COLOURS):
        n = n_of_colour(pile, colour)
        if has(colours, colour) and n > most:
            best, most = 1 << colour, n
    return best


@inlined
def points_of(rules, pile, colours):
    """P-R12: points for the potions that are not of the discarded `colours`, and for poisons."""
    potions = n_potions(pile)
    for colour in range(N_COLOURS):
        if has(colours, colour):
            potions -= n_of_colour(pile, colour)
    return rules.potion_points * potions + rules.poison_points * n_poisons(pile)
