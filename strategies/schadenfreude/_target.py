"""What the own total is worth against the limit and the rivals, and the card that serves it."""

from sim.core.cards import NO_CARD, card_set, count, highest, lowest, without
from sim.core.jit import inlined, kernel
from sim.games.schadenfreude.view import NOBODY, pile_of
from strategies.schadenfreude._odds import seats_behind, win_chance
from strategies.schadenfreude._trick import (
    gain,
    owner_of,
    projected,
    second_strength,
    taken_with,
    trick_with,
)


@kernel
def best_for_total(table, me, cards, limit, floor, close):
    """The card of a set after which the own total is expected to be worth most.

    Parameters
    ----------
    limit : int64
        Total not to pass.
    floor : int64
        Totals below it are worth as much as this one.
    close : int64
        With a rival so many points below the limit of the rules, or beyond it, the rank counts.
    """
    if count(cards) == 1:
        return lowest(cards)
    by_rank = game_may_end(table, me, close)
    now = value_of_total(table, me, NOBODY, 0, limit, floor, by_rank)
    best, best_value = NO_CARD, 0.0
    led_suit, behind = table.led_suit, seats_behind(table, me, table.led_suit)
    while cards:
        card = lowest(cards)
        cards = without(cards, card_set(card))
        trick = trick_with(table, me.seat, card)
        if trick.led_suit != led_suit:
            led_suit, behind = trick.led_suit, seats_behind(table, me, trick.led_suit)
        value = value_of_trick(table, me, trick, behind, now, limit, floor, by_rank)
        if best == NO_CARD or value > best_value:
            best, best_value = card, value
    return best


@kernel
def game_may_end(table, me, close):
    """Whether a rival's projected total is `close` to the limit or beyond it."""
    for seat in range(table.players):
        if seat != me.seat and projected(table, seat) >= table.rules.safe - close:
            return True
    return False


@inlined
def value_of_trick(table, me, trick, behind, now, limit, floor, by_rank):
    """Expected value of the own total after the trick; a winner still to play changes nothing."""
    value = now
    if trick.followers == 0:
        return value
    strength = highest(trick.followers)
    winner, taken = owner_of(trick, strength), taken_with(table.rules, trick, strength)
    if winner == me.seat or by_rank:
        after = value_of_total(table, me, winner, taken, limit, floor, by_rank)
        value += win_chance(table.rules, trick, behind, strength) * (after - now)
    strength = second_strength(trick)
    if strength == NOBODY:
        return value
    winner, taken = owner_of(trick, strength), taken_with(table.rules, trick, strength)
    if winner == me.seat or by_rank:
        after = value_of_total(table, me, winner, taken, limit, floor, by_rank)
        value += win_chance(table.rules, trick, behind, strength) * (after - now)
    return value


@kernel
def value_of_total(table, me, winner, taken, limit, floor, by_rank):
    """Value of the own total, -1 .. 1, after the winner has collected these ranks.

    Its share of the limit, or by rank the share of the rivals that are lower or over; -1 beyond.
    """
    mine = total_after(table, me.seat, winner, taken)
    if mine > limit:
        return -1.0
    if not by_rank:
        return max(mine, floor) / limit
    beaten = 0
    for seat in range(table.players):
        if seat != me.seat:
            total = total_after(table, seat, winner, taken)
            if total > table.rules.safe or total < mine:
                beaten += 2
            elif total == mine:
                beaten += 1
    return beaten / (2 * (table.players - 1))


@inlined
def total_after(table, seat, winner, taken):
    """Projected total of a seat after the winner has collected these ranks."""
    total = projected(table, seat)
    return total + gain(table.rules, pile_of(table, seat), taken) if seat == winner else total
