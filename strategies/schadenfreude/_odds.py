"""Who will win the trick in play: chances from the cards that a seat has not seen.

The seats still to play are taken for players who follow with any card of the suit and, without one,
offer any card; wilds in their hands are left out of account.
"""

from typing import NamedTuple

from sim.core.cards import count, has, highest, is_single
from sim.core.jit import inlined, kernel
from sim.games.schadenfreude.cards import cards_of_suit
from sim.games.schadenfreude.view import NOBODY, OPEN_SUIT, unseen_cards
from strategies.schadenfreude._hand import ranks_of
from strategies.schadenfreude._trick import ranks_above, second_strength


class Behind(NamedTuple):
    """The seats still to play after this one."""

    able: int  # those that may hold the led suit
    void: int  # those that have shown to lack it
    lacks: float  # chance that one of the able lacks it; 1 if there is none
    unseen: int  # ranks of the led suit that are in other hands or left over


class Odds(NamedTuple):
    """Chances of how the trick ends, and the cards that the seats behind will then have offered."""

    alone: float  # the only ranked card wins, as nobody follows
    top: float  # the highest ranked card wins: one seat behind goes above it
    second: float  # the second highest wins: nobody goes above it
    behind: float  # one of the able seats behind wins
    gifts_top: float
    gifts_second: float


@kernel
def seats_behind(table, me, led_suit):
    """The seats that play after the seat to act, seen by it, if this suit is led."""
    n_behind = table.players - table.n_laid - 1
    if led_suit == OPEN_SUIT:
        return Behind(n_behind, 0, 0.0, 0)
    able, held, seat = 0, 0, me.seat
    for _ in range(n_behind):
        seat = seat + 1 if seat + 1 < table.players else 0
        if not has(table.void[seat], led_suit):
            able += 1
            held = table.n_hand[seat]
    if able == 0:  # nobody is left who could follow: the cards that are out do not matter
        return Behind(0, n_behind, 1.0, 0)
    unseen = unseen_cards(table, me)
    ranks = ranks_of(unseen & cards_of_suit(led_suit))
    n, lacks = count(unseen), 1.0
    for k in range(count(ranks)):  # none of these is among his cards: hypergeometric
        lacks *= max(n - held - k, 0) / (n - k)
    return Behind(able, n_behind - able, lacks, ranks)


@inlined
def odds_of(rules, trick, behind):
    """How the trick ends after the cards in it; all chances are 0 while no suit is led."""
    if trick.led_suit == OPEN_SUIT:
        return Odds(0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    able, void, lacks = behind.able, behind.void, behind.lacks
    alone = power(lacks, able) if is_single(trick.followers) else 0.0
    above = above_chance(rules, highest(trick.followers), behind)
    top = top_chance(behind, above)
    gifts_top = void + gifts_below(able - 1, lacks, above)
    second, gifts_second = 0.0, 0.0
    strength = second_strength(trick)
    if strength != NOBODY:
        above = above_chance(rules, strength, behind)
        second = power(1.0 - above, able)
        gifts_second = void + gifts_below(able, lacks, above)
    rest = max(1.0 - alone - top - second, 0.0) if able else 0.0
    if rules.single_discarded:
        alone = 0.0
    return Odds(alone, top, second, rest, gifts_top, gifts_second)


@inlined
def alone_chance(rules, trick, behind):
    """Chance that the only ranked card wins, as nobody follows."""
    if rules.single_discarded or not is_single(trick.followers):
        return 0.0
    return power(behind.lacks, behind.able)


@inlined
def top_chance(behind, above):
    """Chance that exactly one seat behind goes above a card, if each able one does so as said."""
    return behind.able * above * power(1.0 - above, behind.able - 1)


@inlined
def above_chance(rules, strength, behind):
    """Chance that an able seat behind follows with a card above this strength."""
    if behind.unseen == 0:
        return 0.0
    share = count(behind.unseen & ranks_above(rules, strength)) / count(behind.unseen)
    return (1.0 - behind.lacks) * share


@inlined
def gifts_below(seats, lacks, above):
    """Cards that so many seats offer, as is to be expected if none of them goes above."""
    return max(seats, 0) * lacks / (1.0 - above) if above < 1.0 else 0.0


@kernel
def gifts_behind(behind):
    """Cards that are offered with a win of one of the able seats behind, and his own."""
    return behind.void + 1.0 + max(behind.able - 1, 0) * behind.lacks


@inlined
def power(base, n):
    """The product of `n` equal factors; 1 for none."""
    result = 1.0
    for _ in range(n):
        result *= base
    return result


@inlined
def win_chance(rules, trick, behind, strength):
    """Chance that the ranked card of this strength wins the trick; 0 while no suit is led."""
    if trick.led_suit == OPEN_SUIT:
        return 0.0
    above = above_chance(rules, strength, behind)
    if strength == highest(trick.followers):
        return alone_chance(rules, trick, behind) + top_chance(behind, above)
    return power(1.0 - above, behind.able) if strength == second_strength(trick) else 0.0
