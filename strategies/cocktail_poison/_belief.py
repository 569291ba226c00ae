"""What the others' takes say about their glasses and tiles: Bayes' rule, exact over all glasses.

For each other seat, each glass it may have and each tile, a weight: how likely the seat's takes of
this round are for who has that glass and tile. A seat is taken to pick from a row with chances that
grow with what a card is worth to it: an own harmless drink 1, its own poison -2, another's drink
minus its risk. The glasses are one each, so the chance that a seat has a glass counts all ways to
give the other glasses to the others.
"""

import numpy as np

from sim.core.cards import count, has, kth, lowest, without
from sim.core.jit import kernel
from sim.games.cocktail_poison.cards import (
    ANTIDOTE,
    N_COLOURS,
    N_TILES,
    card_of,
    cards_of_style,
)
from sim.games.cocktail_poison.view import MAX_PLAYERS, possible_tiles, takes_of
from strategies.cocktail_poison._draft import OTHERS, base_risk

PULL = 3  # index into me.parameter: tenths by which an own harmless drink is likelier than nothing
N_OTHERS = MAX_PLAYERS - 1
N_SUBSETS = 1 << N_OTHERS


@kernel
def beliefs(table, me):
    """Chance of each seat to have poisoned each card.

    Returns
    -------
    float64[seats, cards]
        0 for the seat itself; that of a card summed over the seats is its risk.
    """
    poison = np.zeros((MAX_PLAYERS, MAX_PLAYERS * N_COLOURS))
    n = table.players - 1
    styles = without(table.styles, 1 << me.style)
    weight = weights(table, me, styles)
    glass = np.zeros((N_OTHERS, N_OTHERS))  # weight of each seat to have each glass
    for other in range(n):
        for k in range(n):
            for tile in range(N_TILES):
                glass[other, k] += weight[other, k, tile]
    chance = chances_of_glasses(glass, n)
    for other in range(n):
        seat = seat_of(me, other)
        for k in range(n):
            if glass[other, k] > 0.0:
                for colour in range(N_COLOURS):
                    share = weight[other, k, colour] / glass[other, k]
                    poison[seat, card_of(kth(styles, k), colour)] = chance[other, k] * share
    return poison


@kernel
def weights(table, me, styles):
    """The weight of each glass and tile for each other seat.

    Returns
    -------
    float64[others, glasses, tiles]
        Others in the order of their seats, glasses in the order of their styles.
    """
    weight = np.zeros((N_OTHERS, N_OTHERS, N_TILES))
    n = table.players - 1
    for other in range(n):
        seat = seat_of(me, other)
        tiles = possible_tiles(table, seat)
        for tile in range(N_TILES):
            if has(tiles, tile):
                prior = prior_of(me, tile, tiles)
                for k in range(n):
                    weight[other, k, tile] = prior
    pull = 1.0 + me.parameter[PULL] / 10.0
    foreign = 1.0 / (1.0 + base_risk(me) * (pull - 1.0))
    for other in range(n):
        left = without(takes_of(table, seat_of(me, other)), table.blind)
        while left:
            take = lowest(left)
            left &= left - 1
            for k in range(n):
                see_take(table, take, weight[other, k], kth(styles, k), pull, foreign)
    return weight


@kernel
def seat_of(me, other):
    """The seat that is number `other` of the others."""
    return other if other < me.seat else other + 1


@kernel
def prior_of(me, tile, tiles):
    """The chance of a tile before anything was taken, of those the seat can have."""
    if tile == ANTIDOTE:
        return me.parameter[OTHERS] / 100.0
    return (100 - me.parameter[OTHERS]) / (100.0 * count(without(tiles, 1 << ANTIDOTE)))


@kernel
def see_take(table, take, weight, style, pull, foreign):
    """Multiply a seat's weights for one glass by the likelihood of a take; `weight` is changed."""
    row, card = table.offer[take], table.taken[take]
    n_own = count(row & cards_of_style(style))
    n_foreign = count(row) - n_own
    own_poison = 1.0 / (pull * pull)
    for tile in range(N_TILES):
        total, worth = n_own * pull + n_foreign * foreign, foreign
        if has(cards_of_style(style), card):
            worth = pull
        if tile != ANTIDOTE:
            poisoned = card_of(style, tile)
            if has(row, poisoned):
                total += own_poison - pull
            if card == poisoned:
                worth = own_poison
        weight[tile] *= worth / total


@kernel
def chances_of_glasses(glass, n):
    """The chance of each seat to have each glass, one glass a seat, from the weights of pairs.

    The way to count all n! orders without going through them: `before` sums over the ways in which
    the first seats share a set of glasses, `behind` over those of the others to share the rest.
    """
    before, behind = np.zeros(N_SUBSETS), np.zeros(N_SUBSETS)
    full = (1 << n) - 1
    before[0], behind[full] = 1.0, 1.0
    for given in range(1, full + 1):
        seat = count(given) - 1
        for k in range(n):
            if has(given, k):
                before[given] += before[without(given, 1 << k)] * glass[seat, k]
    for given in range(full - 1, -1, -1):
        seat = count(given)
        for k in range(n):
            if not has(given, k):
                behind[given] += behind[given | 1 << k] * glass[seat, k]
    chance = np.zeros((N_OTHERS, N_OTHERS))
    if before[full] > 0.0:
        for given in range(full):
            seat = count(given)
            for k in range(n):
                if not has(given, k):
                    ways = before[given] * glass[seat, k] * behind[given | 1 << k]
                    chance[seat, k] += ways / before[full]
    return chance
