"""What the ways to draft have in common: own drinks, takes to come, when to lay the antidote."""

from sim.core.cards import NO_CARDS, card_set, count, has, without
from sim.core.jit import kernel
from sim.games.cocktail_poison.cards import (
    ANTIDOTE,
    N_COLOURS,
    ON_NEW,
    action_of,
    card_of,
    cards_of_style,
)
from sim.games.cocktail_poison.view import taker

OTHERS = 2  # index into me.parameter: percent of the others' tiles that are taken for antidotes
OWN_POISON = 3.0  # the risk of the own poison: it loses the bonus and the two points it would win


@kernel
def own_poison(me):
    """The card that the seat has poisoned, as a set; empty with the antidote."""
    if me.tile == ANTIDOTE:
        return NO_CARDS
    return card_set(card_of(me.style, me.tile))


@kernel
def own_harmless(me):
    """The cards of the own style that are certainly harmless."""
    return without(cards_of_style(me.style), own_poison(me))


@kernel
def foreign_cards(table, me):
    """The cards of the other styles."""
    return without(table.deck, cards_of_style(me.style))


@kernel
def base_risk(me):
    """The risk of a drink of which nothing is known."""
    return (100 - me.parameter[OTHERS]) / (100.0 * N_COLOURS)


@kernel
def takes_after_this(table, me):
    """How many takes the seat to act has left behind the one at hand."""
    n = 0
    for take in range(table.n_taken + 1, table.rules.n_takes):
        n += 1 if taker(table, take) == me.seat else 0
    return n


@kernel
def is_worth_antidote(table, me, risk):
    """Whether the antidote is laid on a card of this risk: the later, the sooner."""
    if takes_after_this(table, me) == 0:
        return True
    n = count(table.display[me.seat])
    return risk >= (0.5 if n == 0 else 0.4 if n == 1 else 0.3)


@kernel
def taken(table, me, card, risk):
    """The action that takes this card, with the antidote on it if the risk is worth it."""
    if has(me.lays, ON_NEW) and is_worth_antidote(table, me, risk):
        return action_of(card, ON_NEW)
    return card
