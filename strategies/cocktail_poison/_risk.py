"""The risk of each drink by the belief, and the safest of a row."""

import numpy as np

from sim.core.cards import NO_CARD, card_set, has, lowest, without
from sim.core.jit import kernel
from sim.games.cocktail_poison.cards import N_CARDS, N_COLOURS, card_of
from sim.games.cocktail_poison.view import MAX_PLAYERS
from strategies.cocktail_poison._belief import beliefs
from strategies.cocktail_poison._draft import OWN_POISON, base_risk, own_poison

CLOSE = 1e-9  # risks that differ by less are equal


@kernel
def risks(table, me):
    """The chance of each card to be poisoned by somebody else; OWN_POISON for the own poison."""
    return risks_by(beliefs(table, me), me)


@kernel
def risks_by(poison, me):
    """The same from the chances of each seat."""
    risk = np.zeros(N_CARDS)
    for card in range(N_CARDS):
        for seat in range(MAX_PLAYERS):
            risk[card] += poison[seat, card]
        if has(own_poison(me), card):
            risk[card] = OWN_POISON
    return risk


@kernel
def least_risk(cards, risk):
    """The least risk among the cards of a set; that of the own poison if it is empty."""
    least, left = risk[lowest(cards)] if cards else OWN_POISON, cards
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        least = min(least, risk[card])
    return least


@kernel
def safest(table, me, risk, cards):
    """The card of the set with the least risk; of equal ones what leaves the next seat the worst.

    The next seat does not know the own glass: drinks of it are to him as any other.
    """
    to_others = risk.copy()
    for colour in range(N_COLOURS):
        to_others[card_of(me.style, colour)] = base_risk(me)
    best, best_left, left = NO_CARD, 0.0, cards
    least = least_risk(cards, risk)
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        if risk[card] <= least + CLOSE:
            left_over = least_risk(without(table.row, card_set(card)), to_others)
            if best == NO_CARD or left_over > best_left + CLOSE:
                best, best_left = card, left_over
    return best
