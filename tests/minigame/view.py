"""What a seat may know: everything but the other hands and the pile."""

import numpy as np

from sim.core.cards import card_set, count, kth, without
from sim.core.jit import kernel
from sim.core.records import copy_record, record
from sim.core.rng import below
from sim.core.strategy import me_record, strategy_form
from tests.minigame.cards import DECK, N_CARDS

N_SEATS = 5
N_MEMORY = 4
DEPTH = 6  # an attack, a blow, a parry and three counters

RULES = record(
    ("lives", np.int64),
    ("riposte", np.int64),  # 1: a parry that stands costs the attacker a life
    ("max_turns", np.int64),
)

TABLE = record(
    ("rules", RULES),
    ("players", np.int64),
    ("start", np.int64),  # seat of the first turn
    ("round", np.int64),  # turns begun
    ("turn", np.int64),  # seat on turn
    ("peace", np.int64),  # turns in a row without an attack
    ("seat", np.int64),  # seat to act, on turn or not
    ("lives", np.int64, N_SEATS),  # 0: dead
    ("n_hand", np.int64, N_SEATS),
    ("n_pile", np.int64),
    ("discard", np.int64),  # cards played or lost by the dead
    ("history", np.int64, N_CARDS),  # cards played, in order: card + 16 * seat
    ("n_history", np.int64),
    ("deaths", np.int64),
    ("deaths_within", np.int64),
    ("deepest", np.int64),
    # effects pending, the innermost last
    ("depth", np.int64),
    ("effect", np.int64, DEPTH),  # ATTACK, BLOW, PARRY or COUNTER
    ("by", np.int64, DEPTH),  # who attacks, is struck, or has played the card
    ("at", np.int64, DEPTH),  # how far around the table it has come
)

ME = me_record(
    N_MEMORY,
    ("hand", np.int64),  # card set
    ("legal", np.int64),  # actions: cards, and PASS
)

strategy = strategy_form(TABLE, ME)


@kernel
def observe(state, me):
    """Give the seat to act its hand and what it may do."""
    me.hand = state.hand[state.table.seat]
    me.legal = state.legal


@kernel
def sample_world(table, me, rng, world):
    """Fill `world` with a full state that fits what the seat knows; future chance is new.

    Each way to deal the unseen cards has the same probability: nobody has shown what he lacks.
    """
    copy_record(world.table, table)
    world.over = 0
    world.legal = me.legal
    world.dealer.seed = below(rng, 1 << 62)
    world.dealer.deal = 0
    world.dealer.turn = 0
    unseen = without(DECK, table.discard | me.hand)
    for seat in range(table.players):
        world.hand[seat] = me.hand if seat == me.seat else 0
        while count(world.hand[seat]) < table.n_hand[seat]:
            card = card_set(kth(unseen, below(rng, count(unseen))))
            world.hand[seat] |= card
            unseen = without(unseen, card)
    world.pile = unseen
