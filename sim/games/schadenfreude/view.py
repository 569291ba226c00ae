"""What a seat of 幸灾乐祸 may know (section 3 of the rule sheet), and worlds that fit it."""

import numpy as np

from sim.core.cards import count, has, kth, lowest, without
from sim.core.jit import inlined, kernel, out_of_line
from sim.core.records import copy_record, record
from sim.core.rng import below
from sim.core.strategy import me_record, strategy_form
from sim.games.schadenfreude.cards import (
    N_CARDS,
    N_RANKS,
    N_SUITS,
    WILDS,
    cards_of_suit,
    is_wild,
    rank_of,
    suit_of,
)

MAX_PLAYERS = 5
MAX_TRICKS = 16
N_MEMORY = 32
OPEN_SUIT = -1  # no suit led yet
NOBODY = -1

RULES = record(
    ("deck", np.int64),  # card set in play
    ("hand_size", np.int64),  # cards a hand, tricks a round
    ("number", np.int64, N_RANKS),  # number printed on each rank
    ("weight", np.int64, 4),  # ranks whose number + 4 has bit 0, 1, 2, 3 set: sums by popcount
    ("zero_rank", np.int64),  # rank that a wild 0 stands just below
    ("wilds_follow", np.int64),  # 1: wild_rank=zero_ten
    ("single_discarded", np.int64),  # 1: single_follower=discarded
    ("floor", np.int64),  # 1: totals below zero become zero
    ("safe", np.int64),  # the highest total that does not lose
    ("lowest_wins", np.int64),  # 1: all_over=lowest_wins
    ("lower_round_wins", np.int64),  # 1: top_tie=latest_lower_round
    ("tie_start", np.int64),  # lowest_tie_start: 0 random, 1 next clockwise, 2 keep
    ("random_first", np.int64),  # 1: first_start=random
    ("next_start", np.int64),  # 0 lowest, 1 rotate, 2 winner of the last trick
    ("max_rounds", np.int64),
    ("open_piles", np.int64),  # 1: pile_visibility=open
    ("shown_aside", np.int64),  # 1: the cards left over are shown
)

TABLE = record(
    ("rules", RULES),
    ("players", np.int64),
    ("round", np.int64),  # 1..
    ("start", np.int64),  # seat that led the first trick of this round
    ("first_start", np.int64),  # of the game
    ("total", np.int64, MAX_PLAYERS),  # running totals
    ("last_round", np.int64, MAX_PLAYERS),  # sums of the piles of the round before
    ("seat", np.int64),  # seat to act
    # this trick
    ("leader", np.int64),
    ("n_laid", np.int64),  # cards laid to it
    ("led_suit", np.int64),  # or OPEN_SUIT
    ("led_cards", np.int64),  # all number cards of the led suit; none while it is open
    ("laid", np.int64, MAX_PLAYERS),  # card of each seat that has laid one
    ("followers", np.int64),  # strengths of the ranked cards, as a set
    ("owners", np.int64),  # four bits a strength: whose card
    ("offered", np.int64),  # ranks that lie an odd number of times off the led suit
    ("n_offered", np.int64),  # cards off the led suit
    # this round
    ("n_tricks", np.int64),  # tricks ended
    ("won_by", np.int64, MAX_TRICKS),  # winner of each, or NOBODY
    ("n_hand", np.int64, MAX_PLAYERS),  # cards in each hand
    ("played", np.int64),  # card set
    ("void", np.int64, MAX_PLAYERS),  # suits (bits) of which a seat has certainly no number card
    ("pile", np.int64, MAX_PLAYERS),  # ranks in each score pile, if they lie open
    ("history", np.int64, N_CARDS),  # plays in order, card + 64 * seat
    ("n_history", np.int64),
    ("aside", np.int64),  # cards left over, if they are shown
    # this game
    ("tricks", np.int64, MAX_PLAYERS),
    ("cancellations", np.int64, MAX_PLAYERS),  # pairs lost from each seat's piles
    ("first_round", np.int64, MAX_PLAYERS),  # sums of the piles of the first round
    ("single_follower", np.int64),  # tricks with one card of the led suit
    ("lead_changes", np.int64),
    ("best", np.int64),  # seats with the best total below the limit after the last round
)

ME = me_record(
    N_MEMORY,
    ("hand", np.int64),  # card set
    ("legal", np.int64),  # cards that may be played now
)

strategy = strategy_form(TABLE, ME)


@inlined
def observe(state, me):
    """Give the seat to act its hand and the cards it may play."""
    me.hand = state.hand[state.table.seat]
    me.legal = state.legal


@inlined
def pile_sum(rules, pile):
    """Sum of the numbers of a pile, given as a set of ranks."""
    # Each number + 4 is a word of four bits: five popcounts, no loop and no memory.
    weight = rules.weight
    return (
        count(pile & weight[0])
        + 2 * count(pile & weight[1])
        + 4 * count(pile & weight[2])
        + 8 * count(pile & weight[3])
        - 4 * count(pile)
    )


@inlined
def strength_of(rules, rank):
    """Order of a rank among the led suit: the wild 0 stands below zero_rank, the 10 on top."""
    return rank + (1 if rank >= rules.zero_rank else 0)


@inlined
def pile_of(table, seat):
    """The ranks in a score pile, remembered from the plays of the round where it is not shown."""
    return table.pile[seat] if table.rules.open_piles else _remembered_pile(table, seat)


@kernel
def _remembered_pile(table, seat):
    out_of_line()
    pile, at = 0, 0
    for trick in range(table.n_tricks):
        led, taken = OPEN_SUIT, 0
        for _ in range(table.players):
            card, owner = table.history[at] & 63, table.history[at] >> 6
            at += 1
            if not is_wild(card):
                led = suit_of(card) if led == OPEN_SUIT else led
                if suit_of(card) != led or owner == seat:
                    taken ^= 1 << rank_of(card)
        if table.won_by[trick] == seat:
            pile ^= taken
    return pile


@kernel
def unseen_cards(table, me):
    """Cards that the seat has not seen: in other hands or left over."""
    return without(table.rules.deck, table.played | me.hand | table.aside)


@kernel
def sample_world(table, me, rng, world):
    """Fill `world` with a full state that fits what the seat knows; future chance is new.

    The unseen cards go to the other hands and to the cards left over, so that nobody holds a suit
    that he has shown to lack. Each such distribution has the same probability: drawn outright
    where that succeeds within TRIES, else by a chain of exchanges that favours none of them.
    """
    copy_record(world.table, table)
    world.over = 0
    world.legal = me.legal
    world.dealer.seed = below(rng, 1 << 62)
    world.dealer.deal = 0
    world.dealer.turn = 0
    unseen = unseen_cards(table, me)
    for seat in range(MAX_PLAYERS):
        world.hand[seat] = 0
        world.pile[seat] = pile_of(table, seat) if seat < table.players else 0
    tries = 0
    while tries < TRIES and not _draw_hands(table, me, rng, world, unseen):
        tries += 1
    if tries == TRIES:
        _deal_unseen(table, me, rng, world, unseen)
        _exchange(table, me, rng, world, unseen)
    world.hand[me.seat] = me.hand
    aside = without(table.rules.deck, table.played)
    for seat in range(table.players):
        aside = without(aside, world.hand[seat])
    world.aside = aside


TRIES = 64
FINE = 1 << 53  # steps of a probability


@kernel
def _draw_hands(table, me, rng, world, unseen):
    """Draw the other hands one after the other; return whether the result may stand.

    Exact by rejection. Each hand is uniform among the cards that it may have and that are left,
    which are `n_free` now and could be `most`; kept with probability
    C(n_free, size) / C(most, size), all worlds have the same chance.
    """
    left, n_left, kept = unseen, count(unseen), 1.0
    for constrained in range(1, -1, -1):
        for seat in range(table.players):
            is_next = (1 if table.void[seat] else 0) == constrained
            if seat != me.seat and is_next:
                allowed = _suits_of(table, me, seat)
                free, most = left & allowed, min(count(unseen & allowed), n_left)
                n_free, size = count(free), table.n_hand[seat]
                if n_free < size:
                    return False
                hand = 0
                for k in range(size):
                    kept *= (n_free - k) / (most - k)
                    card = kth(free, below(rng, n_free - k))
                    free = without(free, 1 << card)
                    hand |= 1 << card
                world.hand[seat] = hand
                left = without(left, hand)
                n_left -= size
    return kept >= 1.0 or below(rng, FINE) < kept * FINE


@kernel
def may_hold(table, me, holder, card):
    """Whether the holder, a seat or `players` for the cards left over, can have this card."""
    if holder == table.players or is_wild(card):
        return True
    return holder != me.seat and not has(table.void[holder], suit_of(card))


@kernel
def _room(table, me, world, holder, n_unseen):
    """How many more cards the holder takes."""
    if holder < table.players:
        return 0 if holder == me.seat else table.n_hand[holder] - count(world.hand[holder])
    room = n_unseen
    for seat in range(table.players):
        if seat != me.seat:
            room -= table.n_hand[seat]
    return room - count(world.aside)


@kernel
def _cards_of(table, world, holder):
    return world.aside if holder == table.players else world.hand[holder]


@kernel
def _give(table, world, holder, card):
    """Add the card to the holder, or take it from him if he has it."""
    if holder == table.players:
        world.aside ^= 1 << card
    else:
        world.hand[holder] ^= 1 << card


@kernel
def _deal_unseen(table, me, rng, world, unseen):
    """Deal the unseen cards in random order, each to a random free place that may have it.

    Where none is free the cards dealt before move over along the shortest chain of holders.
    """
    world.aside = 0
    for seat in range(MAX_PLAYERS):
        world.hand[seat] = 0
    n_unseen = count(unseen)
    left = unseen
    while left:
        card = kth(left, below(rng, count(left)))
        left = without(left, 1 << card)
        free = 0
        for holder in range(table.players + 1):
            if may_hold(table, me, holder, card):
                free += _room(table, me, world, holder, n_unseen)
        if free:
            place = below(rng, free)
            holder = -1
            while place >= 0:
                holder += 1
                if may_hold(table, me, holder, card):
                    place -= _room(table, me, world, holder, n_unseen)
            _give(table, world, holder, card)
        else:
            _push(table, me, world, card, n_unseen)


@kernel
def _push(table, me, world, card, n_unseen):
    """Give the card to a full holder that may have it, after others have moved over.

    Breadth-first from the holders with room back to one that may have the card; `towards` packs,
    four bits a holder, to whom each would hand a card on.
    """
    reached, towards, end = 0, 0, -1
    for holder in range(table.players + 1):
        if _room(table, me, world, holder, n_unseen) > 0:
            reached |= 1 << holder
    grown = True
    while end < 0 and grown:
        grown = False
        for giver in range(table.players + 1):
            if not has(reached, giver) and giver != me.seat and end < 0:
                for taker in range(table.players + 1):
                    movable = _movable(table, me, world, giver, taker)
                    if has(reached, taker) and movable and not has(reached, giver):
                        reached |= 1 << giver
                        towards |= taker << (4 * giver)
                        grown = True
                        if may_hold(table, me, giver, card):
                            end = giver
    holder, moving = end, card
    while True:
        had_room = _room(table, me, world, holder, n_unseen) > 0
        _give(table, world, holder, moving)
        if had_room:
            return
        taker = (towards >> (4 * holder)) & 15
        others = without(_cards_of(table, world, holder), 1 << moving)
        passed_on = lowest(others & _suits_of(table, me, taker))
        _give(table, world, holder, passed_on)
        holder, moving = taker, passed_on


@kernel
def _suits_of(table, me, holder):
    """All cards that the holder can have."""
    cards = WILDS
    for suit in range(N_SUITS):
        if holder == table.players or not has(table.void[holder], suit):
            cards |= cards_of_suit(suit)
    return cards


@kernel
def _movable(table, me, world, giver, taker):
    """Whether the giver has a card that the taker can have."""
    if taker == me.seat or taker == giver:
        return False
    return _cards_of(table, world, giver) & _suits_of(table, me, taker) != 0


EXCHANGES = 40  # a card; the chain forgets where it began (test against all distributions)
LONGEST_CIRCLE = N_SUITS + 1  # a suit each, and a wild: enough to reach every distribution
CARD_BITS = 6


@kernel
def _exchange(table, me, rng, world, unseen):
    """Let random cards move round in circles, from holder to holder, wherever all may move."""
    n = count(unseen)
    for _ in range(EXCHANGES * n):
        size = 2 + below(rng, LONGEST_CIRCLE - 1)
        circle, holders, seen = 0, 0, 0  # cards and holders, packed
        for i in range(size):
            card = kth(unseen, below(rng, n))
            holder = _holder_of(table, me, world, card)
            circle |= card << (CARD_BITS * i)
            holders |= holder << (4 * i)
            seen |= 1 << holder
        can_move = count(seen) == size
        for i in range(size):
            to = (holders >> (4 * ((i + 1) % size))) & 15
            card = (circle >> (CARD_BITS * i)) & 63
            can_move = can_move and may_hold(table, me, to, card)
        if can_move:
            for i in range(size):
                card = (circle >> (CARD_BITS * i)) & 63
                _give(table, world, (holders >> (4 * i)) & 15, card)
                _give(table, world, (holders >> (4 * ((i + 1) % size))) & 15, card)


@kernel
def _holder_of(table, me, world, card):
    """Who has the card: a seat, or `players` for the cards left over."""
    for seat in range(table.players):
        if seat != me.seat and has(world.hand[seat], card):
            return seat
    return table.players
