"""When to play poison: welcome in a pot that it all but fills, and at the end of a hand.

Source: rule sheet, section 8, item 4.
"""

from sim.core.cards import has
from sim.core.jit import kernel
from sim.games.poison.cards import N_POTS, POISON, VALUE, kind_of, n_cards, value_of
from strategies.poison._actions import HIGHEST, POISON_ACTIONS, of_value, to_pot

RANK, FULL, LAST = 6, 3, 4  # of the sheet: rank of welcome poison, cards of a pot, cards in hand
MAX_ROOM = 1  # with poison a full pot takes so much more: 12 or 13 under the threshold of 13


@kernel
def welcome_poisons(table, me, actions, full, last):
    """Those that play poison to a pot of `full` cards which it fills, or with few cards left."""
    poisons = actions & POISON_ACTIONS
    if poisons == 0 or table.n_hand[me.seat] < last:
        return poisons
    welcome = 0
    for pot in range(N_POTS):
        room = table.rules.threshold - table.pot_total[pot] - VALUE[POISON]
        if room <= MAX_ROOM and n_cards(table.pot[pot]) >= full:
            welcome |= to_pot(poisons, pot)
    return welcome


@kernel
def rank_of(action, welcome):
    """The value of a potion; of poison 6 where it is welcome, else 0."""
    if kind_of(action) != POISON:
        return value_of(kind_of(action))
    return RANK if has(welcome, action) else 0


@kernel
def best_safe(safe, welcome, rank):
    """The safe actions of the highest value; welcome poison counts as `rank`, other as nothing."""
    potions = safe & ~POISON_ACTIONS
    for value in range(HIGHEST, 0, -1):
        if welcome and value < rank:
            return welcome
        if of_value(potions, value):
            return of_value(potions, value)
    return safe
