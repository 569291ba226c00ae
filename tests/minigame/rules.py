"""The rules of skirmish: turns, and a stack of effects that any seat may answer.

The stack lies in the table: an attack at the bottom, on it the blow that falls now, on it a parry
and counters. `settle` takes it as far as it goes without a question; the state then names the
seat that is asked, whoever's turn it is, and can be copied and played on from there.
"""

from typing import Any

import numpy as np

from sim.core.cards import card_set, count, has, kth, without
from sim.core.jit import kernel
from sim.core.rng import below, shuffle
from sim.core.state import (
    FINISHED,
    UNFINISHED,
    event,
    new_round,
    outcome_record,
    share_win,
    state_record,
    word,
)
from tests.minigame import GAME
from tests.minigame.cards import ATTACKS, COUNTERS, DECK, N_CARDS, PARRIES, PASS
from tests.minigame.view import DEPTH, N_SEATS, TABLE

STATE = state_record(
    TABLE,
    ("hand", np.int64, N_SEATS),  # card sets
    ("pile", np.int64),  # card set; chance says which is drawn
    ("legal", np.int64),  # actions of the seat to act
    ("deck", np.int64, N_CARDS),  # for the shuffle
    ("over", np.int64),
)
OUTCOME = outcome_record(GAME)

ATTACK, BLOW, PARRY, COUNTER = range(4)  # effects
DEAL, TURN, DRAW, PLAY, HURT, DEATH = range(6)  # events
HAND_SIZE = 2


def problems(players: int, switches: dict[str, Any]) -> list[str]:
    """No two switches of this game contradict each other."""
    return []


def set_rules(rules: Any, players: int, switches: dict[str, Any]) -> None:
    """Write the switches into a record of RULES."""
    rules.lives = switches["lives"]
    rules.riposte = switches["riposte"] == "on"
    rules.max_turns = switches["max_turns"]


# Turns


@kernel
def start(state, log):
    """Deal two cards each, leave two as the pile, and begin the first turn."""
    table = state.table
    new_round(state.dealer, 1)
    for card in range(N_CARDS):
        state.deck[card] = card
    shuffle(state.dealer.cards, state.deck, N_CARDS)
    table.start = below(state.dealer.chance, table.players)
    for place in range(table.players):
        seat = (table.start + state.dealer.turn + place) % table.players
        state.hand[seat] = card_set(state.deck[2 * place]) | card_set(state.deck[2 * place + 1])
        table.n_hand[seat] = HAND_SIZE
        table.lives[seat] = table.rules.lives
    state.pile = card_set(state.deck[N_CARDS - 2]) | card_set(state.deck[N_CARDS - 1])
    table.n_pile = 2
    table.turn = (table.start + table.players - 1) % table.players
    table.round = 0
    table.peace = 0
    table.discard = 0
    table.n_history = 0
    table.deaths = 0
    table.deaths_within = 0
    table.deepest = 0
    table.depth = 0
    state.over = 0
    if log.on:
        event(log, DEAL)
        for seat in range(table.players):
            word(log, state.hand[seat])
        word(log, state.pile)
    next_turn(state, log)


@kernel
def next_turn(state, log):
    """Go on to the next seat that can attack, or end the game."""
    table = state.table
    while True:
        in_peace = table.n_pile == 0 and table.peace >= n_living(table)
        if in_peace or n_living(table) == 1 or table.round == table.rules.max_turns:
            state.over = 1
            return
        table.round += 1
        table.turn = seat_after(table, table.turn, 1)
        while table.lives[table.turn] == 0:
            table.turn = seat_after(table, table.turn, 1)
        if log.on:
            event(log, TURN)
            word(log, table.turn)
        if table.n_pile > 0:
            draw(state, log)
        table.peace += 1
        if ask(state, table.turn, ATTACKS):
            return


@kernel
def draw(state, log):
    """The seat on turn takes a card of the pile."""
    table = state.table
    card = kth(state.pile, below(state.dealer.chance, table.n_pile))
    state.pile = without(state.pile, card_set(card))
    table.n_pile -= 1
    state.hand[table.turn] |= card_set(card)
    table.n_hand[table.turn] += 1
    if log.on:
        event(log, DRAW)
        word(log, table.turn)
        word(log, card)


@kernel
def seat_after(table, seat, steps):
    """The seat so many places clockwise."""
    return (seat + steps) % table.players


@kernel
def n_living(table):
    """Number of seats with lives left."""
    n = 0
    for seat in range(table.players):
        n += 1 if table.lives[seat] > 0 else 0
    return n


@kernel
def ask(state, seat, cards):
    """Let the seat decide about these cards, if it lives and has one; else it is not asked."""
    cards &= state.hand[seat]
    if cards == 0 or state.table.lives[seat] == 0:
        return False
    state.table.seat = seat
    state.legal = cards | card_set(PASS)
    return True


# Effects


@kernel
def apply(state, action, log):
    """Play a card or pass, for the seat to act, and go on to the next question."""
    table = state.table
    top = table.depth - 1
    if action == PASS:
        if top >= 0:
            table.at[top] += 1
    else:
        play(state, action, log)
        if table.depth == 0:
            table.peace = 0
            push(table, ATTACK, table.seat)
        elif table.effect[top] == BLOW:
            table.at[top] = 1
            push(table, PARRY, table.seat)
        else:
            table.at[top] = table.players  # nobody else is asked about this card
            push(table, COUNTER, table.seat)
    settle(state, log)
    if table.depth == 0 and not state.over:
        next_turn(state, log)


@kernel
def play(state, card, log):
    """Lay a card from the hand of the seat to act."""
    table = state.table
    discard(state, table.seat, card_set(card))
    table.history[table.n_history] = card + (table.seat << 4)
    table.n_history += 1
    if log.on:
        event(log, PLAY)
        word(log, table.seat)
        word(log, card)


@kernel
def discard(state, seat, cards):
    """Move cards of a hand to the discard pile."""
    state.hand[seat] = without(state.hand[seat], cards)
    state.table.n_hand[seat] -= count(cards)
    state.table.discard |= cards


@kernel
def push(table, effect, seat):
    """Put an effect on the stack; the first it comes to is the next seat (a blow: its victim)."""
    table.effect[table.depth] = effect
    table.by[table.depth] = seat
    table.at[table.depth] = 0 if effect == BLOW else 1
    table.depth += 1
    table.deepest = max(table.deepest, table.depth)


@kernel
def settle(state, log):
    """Resolve the stack from the top, to the next question or to its bottom."""
    table = state.table
    while table.depth > 0 and not state.over:
        top = table.depth - 1
        effect, by, at = table.effect[top], table.by[top], table.at[top]
        if effect == ATTACK:
            if at == table.players:
                table.depth = 0
            else:
                table.at[top] += 1
                if table.lives[seat_after(table, by, at)] > 0:
                    push(table, BLOW, seat_after(table, by, at))
        elif effect == BLOW:
            if at == 0 and ask(state, by, PARRIES):
                return
            table.depth = top
            hurt(state, by, log)
        elif at < table.players:
            if ask(state, seat_after(table, by, at), COUNTERS):
                return
            table.at[top] += 1
        else:
            table.depth = top - 1  # it stands, and takes off what it answers
            if effect == PARRY and table.rules.riposte and table.lives[table.by[0]] > 0:
                hurt(state, table.by[0], log)


@kernel
def hurt(state, seat, log):
    """Take a life; who has none left dies, and the game ends when one seat is left."""
    table = state.table
    table.lives[seat] -= 1
    if log.on:
        event(log, HURT)
        word(log, seat)
        word(log, table.lives[seat])
    if table.lives[seat] > 0:
        return
    if log.on:
        event(log, DEATH)
        word(log, seat)
        word(log, state.hand[seat])
    discard(state, seat, state.hand[seat])
    table.deaths += 1
    if n_living(table) == 1:
        state.over = 1
    elif table.at[0] < table.players:
        table.deaths_within += 1


# What the play loop asks


@kernel
def is_over(state):
    """Whether the game has ended."""
    return state.over != 0


@kernel
def seat_to_act(state):
    """The seat that decides now, on turn or not."""
    return state.table.seat


@kernel
def is_legal(state, action):
    """Whether the seat to act may do this."""
    return action >= 0 and action <= PASS and has(state.legal, action)


@kernel
def outcome(state, result):
    """The last living seat wins; else those with the most lives, unless the turns ran out."""
    table = state.table
    in_peace = table.n_pile == 0 and table.peace >= n_living(table)
    is_decided = n_living(table) == 1 or in_peace
    most, winners = 0, 0
    for seat in range(table.players):
        most = max(most, table.lives[seat])
    for seat in range(table.players):
        if table.lives[seat] == most and is_decided:
            winners |= 1 << seat
    result.status = FINISHED if is_decided else UNFINISHED
    result.start = table.start
    share_win(result, winners, table.players)
    for seat in range(table.players):
        result.score[seat] = table.lives[seat]
        result.struck[seat] = table.rules.lives - table.lives[seat]
    result.rounds = table.round
    result.deaths = table.deaths
    result.deaths_within = table.deaths_within
    result.deepest = table.deepest


INVARIANTS = (
    "",
    "every card has exactly one place",
    "the dead hold no cards, the living have lives",
    "on an attack lies a blow, on a blow a parry, on it counters",
    "the seat to act lives and has what it may play",
)


@kernel
def check(state):
    """Number of the first broken invariant, or 0."""
    table = state.table
    places, n = table.discard | state.pile, count(table.discard) + count(state.pile)
    for seat in range(table.players):
        places |= state.hand[seat]
        n += count(state.hand[seat])
        if count(state.hand[seat]) != table.n_hand[seat]:
            return 1
    if places != DECK or n != N_CARDS or count(state.pile) != table.n_pile:
        return 1
    for seat in range(table.players):
        lives = table.lives[seat]
        if lives < 0 or lives > table.rules.lives or (lives == 0 and table.n_hand[seat] > 0):
            return 2
    for i in range(table.depth):
        if table.effect[i] != min(i, COUNTER) or i >= DEPTH:
            return 3
    if state.over == 0:
        cards = without(state.legal, card_set(PASS))
        is_held = cards != 0 and without(cards, state.hand[table.seat]) == 0
        if not is_held or table.lives[table.seat] == 0:
            return 4
    return 0
