"""The trick in play after one more card: who would win it, what he would take, what it is worth."""

from typing import NamedTuple

from sim.core.cards import highest, is_single, without
from sim.core.jit import inlined
from sim.games.schadenfreude.cards import ALL_RANKS, N_RANKS, WILD, is_wild, rank_of, suit_of
from sim.games.schadenfreude.view import NOBODY, OPEN_SUIT, pile_of, pile_sum, strength_of

WILD_TEN_STRENGTH = N_RANKS + 1


class Trick(NamedTuple):
    """What lies in a trick, in the form that the table has."""

    led_suit: int
    followers: int  # strengths of the ranked cards, as a set
    owners: int  # four bits a strength: whose card
    offered: int  # ranks that lie an odd number of times off the led suit


@inlined
def trick_with(table, seat, card):
    """The trick in play after the seat has laid this card too."""
    led, offered = table.led_suit, table.offered
    if is_wild(card):
        if not table.rules.wilds_follow:
            return Trick(led, table.followers, table.owners, offered)
        strength = table.rules.zero_rank if card == WILD else WILD_TEN_STRENGTH
    else:
        led = suit_of(card) if led == OPEN_SUIT else led
        if suit_of(card) != led:
            return Trick(led, table.followers, table.owners, offered ^ (1 << rank_of(card)))
        strength = strength_of(table.rules, rank_of(card))
    followers = table.followers | (1 << strength)
    return Trick(led, followers, table.owners | (seat << (4 * strength)), offered)


@inlined
def owner_of(trick, strength):
    """The seat that laid the ranked card of this strength."""
    return (trick.owners >> (4 * strength)) & 15


@inlined
def second_strength(trick):
    """Strength of the second highest ranked card, or NOBODY if there are not two."""
    rest = without(trick.followers, 1 << highest(trick.followers)) if trick.followers else 0
    return highest(rest) if rest else NOBODY


@inlined
def winning_strength(rules, trick):
    """Strength of the card that wins if the trick ends like this, or NOBODY if none collects."""
    if trick.followers and is_single(trick.followers) and not rules.single_discarded:
        return highest(trick.followers)
    return second_strength(trick)


@inlined
def ranks_above(rules, strength):
    """The ranks that go above a ranked card of this strength, as a set."""
    # A wild 0 stands just below zero_rank and takes that strength; ranks above it move up by one.
    first = strength + 1 if strength < rules.zero_rank else strength
    return (ALL_RANKS >> first) << first


@inlined
def taken_with(rules, trick, strength):
    """What the owner of this ranked card collects if it wins: his own number and all offered ones.

    Returns
    -------
    int64
        The ranks of which he gets an odd number of copies: those that change in his pile.
    """
    if strength == rules.zero_rank or strength == WILD_TEN_STRENGTH:
        return trick.offered
    return trick.offered ^ (1 << (strength - 1 if strength > rules.zero_rank else strength))


@inlined
def gain(rules, pile, taken):
    """Points by which a pile grows when these ranks are collected: equal numbers cancel."""
    return pile_sum(rules, pile ^ taken) - pile_sum(rules, pile)


@inlined
def projected(table, seat):
    """The total of a seat if the round ended now, without the floor."""
    return table.total[seat] + pile_sum(table.rules, pile_of(table, seat))


@inlined
def worth(rules, total):
    """How good a total is: its points up to the limit; beyond, as bad as the limit is good."""
    return total if total <= rules.safe else -rules.safe


@inlined
def worth_gained(table, seat, taken):
    """Change of the worth of a seat's projected total when it collects these ranks."""
    total = projected(table, seat)
    after = total + gain(table.rules, pile_of(table, seat), taken)
    return worth(table.rules, after) - worth(table.rules, total)
