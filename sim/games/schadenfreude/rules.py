"""The rules of 幸灾乐祸: deal, play, tricks, scores. Ids S-Rnn are those of the rule sheet.

A trick is won by the second highest card of the led suit; the winner collects his own card and all
cards of other suits; equal numbers in a pile cancel each other; closest to 40 from below wins.
"""

from typing import Any

import numpy as np

from sim.core.cards import card_set, count, has, highest, is_single, without
from sim.core.jit import inlined, kernel, out_of_line
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
from sim.games.schadenfreude import GAME
from sim.games.schadenfreude.cards import (
    ALL_RANKS,
    FULL_DECK,
    N_CARDS,
    N_RANKS,
    NUMBERS,
    WILD,
    WILDS,
    cards_of_rank,
    cards_of_suit,
    is_wild,
    rank_of,
    suit_of,
)
from sim.games.schadenfreude.view import (
    MAX_PLAYERS,
    NOBODY,
    OPEN_SUIT,
    TABLE,
    pile_sum,
    strength_of,
)

STATE = state_record(
    TABLE,
    ("hand", np.int64, MAX_PLAYERS),  # card set each seat holds
    ("aside", np.int64),  # cards left over, face down
    ("pile", np.int64, MAX_PLAYERS),  # ranks in each score pile
    ("legal", np.int64),  # cards the seat to act may play
    ("deck", np.int64, N_CARDS),  # all cards in the order of this round's shuffle
    ("over", np.int64),  # 1 after the last round
)

OUTCOME = outcome_record(GAME)

# Events of the log, with their words
ROUND, DEAL, PLAY, TRICK, SCORE = range(5)

WILD_TEN_STRENGTH = N_RANKS + 1
LOWEST, ROTATE = 0, 1  # values of next_start
RANDOM, NEXT_CLOCKWISE = 0, 1  # values of lowest_tie_start
AUTO_HAND = {3: 12, 4: 12, 5: 10}


# Setting up


def deck_size(players: int, switches: dict[str, Any]) -> int:
    """Number of cards in play, wilds included."""
    return bin(deck_of(players, switches)).count("1")


def deck_of(players: int, switches: dict[str, Any]) -> int:
    """The cards in play, as a set."""
    deck = FULL_DECK
    for rank, number in enumerate(NUMBERS[switches["rank_set"]]):
        if players == 3 and number in switches["removed_3p"]:
            deck &= ~(cards_of_rank(rank))
    return deck


def _hand_size(players: int, switches: dict[str, Any]) -> int:
    """Cards a hand; `auto` is cut to what can be dealt, as the sheet says of other removals."""
    most = deck_size(players, switches) // players
    size = switches["hand_size"]
    if size == "auto":
        return min(AUTO_HAND[players], most)
    return most if size == "most" else int(size)


def problems(players: int, switches: dict[str, Any]) -> list[str]:
    """What does not fit together in these switches, a sentence each."""
    cards, size = deck_size(players, switches), _hand_size(players, switches)
    most = cards // players
    if most == 0:
        removed = ",".join(map(str, switches["removed_3p"]))
        return [f"removed_3p={removed} leaves {cards} cards for {players} players; remove fewer"]
    if size > most:
        return [
            f"hand_size={size} is more than the {cards} cards in play give {players} players; "
            f"allowed: auto, most, or 1 to {most}"
        ]
    return []


def set_rules(rules: Any, players: int, switches: dict[str, Any]) -> None:
    """Write the switches, in the form the kernels use, into a record of RULES."""
    numbers = NUMBERS[switches["rank_set"]]
    rules.deck = deck_of(players, switches)
    rules.hand_size = _hand_size(players, switches)
    for bit in range(4):
        rules.weight[bit] = 0
    for rank, number in enumerate(numbers):
        rules.number[rank] = number
        for bit in range(4):
            rules.weight[bit] |= ((number + 4) >> bit & 1) << rank
    rules.zero_rank = sum(number < 0 for number in numbers)
    rules.wilds_follow = switches["wild_rank"] == "zero_ten"
    rules.single_discarded = switches["single_follower"] == "discarded"
    rules.floor = switches["floor"] == "cum_zero_at_round_end"
    rules.safe = switches["limit"] - (switches["limit_mode"] == "at_least")
    rules.lowest_wins = switches["all_over"] == "lowest_wins"
    rules.lower_round_wins = switches["top_tie"] == "latest_lower_round"
    rules.tie_start = GAME.switch("lowest_tie_start").words.index(switches["lowest_tie_start"])
    rules.random_first = switches["first_start"] == "random"
    rules.next_start = GAME.switch("next_start").words.index(switches["next_start"])
    rules.max_rounds = switches["max_rounds"]
    rules.open_piles = switches["pile_visibility"] == "open"
    rules.shown_aside = switches["hand_limit_3p_4p_leftover"] == "shown"


# The play of a game


@kernel
def start(state, log):
    """Begin a game: totals at zero, a start seat, the first round."""
    out_of_line()
    table = state.table
    for seat in range(MAX_PLAYERS):
        table.total[seat] = 0
        table.last_round[seat] = 0
        table.tricks[seat] = 0
        table.cancellations[seat] = 0
        table.first_round[seat] = 0
    table.single_follower = 0
    table.lead_changes = 0
    table.best = 0
    table.round = 1
    state.over = 0
    new_round(state.dealer, 1)
    table.start = below(state.dealer.chance, table.players) if table.rules.random_first else 0
    table.first_start = table.start
    deal_round(state, log)


@kernel
def deal_round(state, log):
    """Shuffle all cards, deal the hands, clear the table (section 1)."""
    out_of_line()
    table = state.table
    deal_hands(state)
    for seat in range(MAX_PLAYERS):
        state.pile[seat] = 0
        table.pile[seat] = 0
        table.void[seat] = 0
        table.n_hand[seat] = table.rules.hand_size
    table.aside = state.aside if table.rules.shown_aside else 0
    table.played = 0
    table.n_history = 0
    table.n_tricks = 0
    lead_trick(state, table.start)
    if log.on:
        event(log, ROUND)
        word(log, table.round)
        word(log, table.start)
        event(log, DEAL)
        for seat in range(table.players):
            word(log, state.hand[seat])
        word(log, state.aside)


@kernel
def deal_hands(state):
    """Shuffle the full deck and deal it by places, a card at a time.

    The place of a removed card is filled by the next kept card from the tail of the deck, so that
    decks with other removals share most of every hand; each hand is still uniform. Hand i goes to
    place i, counted from the start seat and turned by `dealer.turn`.
    """
    table = state.table
    players, size = table.players, table.rules.hand_size
    for card in range(N_CARDS):
        state.deck[card] = card
    shuffle(state.dealer.cards, state.deck, N_CARDS)
    if table.rules.deck != FULL_DECK:
        fill_places(state, players * size)
    state.aside = table.rules.deck
    for seat in range(MAX_PLAYERS):
        state.hand[seat] = 0
    seat = (table.start + state.dealer.turn) % players
    for first in range(players):
        hand = 0
        for k in range(size):
            hand |= card_set(state.deck[first + k * players])
        state.hand[seat] = hand
        state.aside = without(state.aside, hand)
        seat = next_seat(table, seat)


@kernel
def fill_places(state, n):
    """Put kept cards, from the tail of the deck, on those of the first `n` places that lack one."""
    tail = N_CARDS - 1
    for place in range(n):
        while not has(state.table.rules.deck, state.deck[place]):
            state.deck[place] = state.deck[tail]
            tail -= 1


@inlined
def next_seat(table, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < table.players else 0


@inlined
def lead_trick(state, leader):
    """S-R01, S-R07: clear the trick; the leader may play any card."""
    table = state.table
    table.leader = leader
    table.seat = leader
    table.n_laid = 0
    table.led_suit = OPEN_SUIT
    table.led_cards = 0
    table.followers = 0
    table.owners = 0
    table.offered = 0
    table.n_offered = 0
    state.legal = state.hand[leader]


@inlined
def legal_cards(hand, led_cards):
    """S-R02: while a suit is led and held, its number cards and any wild; else any card."""
    # Written without a branch, since it cannot be foreseen: -1 is the set of all cards.
    any_card = -1 if hand & led_cards == 0 else 0
    return hand & (led_cards | WILDS | any_card)


@inlined
def apply(state, card, log):
    """Play the card for the seat to act; the last card of a trick ends it."""
    table = state.table
    seat = table.seat
    lay(table, seat, card)
    state.hand[seat] = without(state.hand[seat], card_set(card))
    if log.on:
        event(log, PLAY)
        word(log, seat)
        word(log, card)
    if table.n_laid < table.players:
        table.seat = next_seat(table, seat)
        state.legal = legal_cards(state.hand[table.seat], table.led_cards)
        return
    end_trick(state, log)
    if table.n_tricks == table.rules.hand_size:
        end_round(state, log)


@inlined
def lay(table, seat, card):
    """Lay a card to the trick: it opens the suit, follows, or is offered to the winner."""
    table.laid[seat] = card
    table.n_laid += 1
    table.n_hand[seat] -= 1
    table.played |= card_set(card)
    table.history[table.n_history] = card + (seat << 6)
    table.n_history += 1
    number_card = 0 if is_wild(card) else 1
    if table.led_suit == OPEN_SUIT and number_card:
        table.led_suit = suit_of(card)
        table.led_cards = cards_of_suit(table.led_suit)
    # Whether a card follows cannot be foreseen, so both cases are written without a branch:
    # each quantity is 0 where it does not apply. Measured: a quarter faster in whole games.
    follows = (table.led_cards >> card) & 1
    offered = number_card - follows
    rank = rank_of(card)
    rank_as_follower(table, seat, strength_of(table.rules, rank), follows)
    table.offered ^= offered << rank
    table.n_offered += offered
    table.void[seat] |= offered << max(table.led_suit, 0)
    if table.rules.wilds_follow and is_wild(card):
        strength = table.rules.zero_rank if card == WILD else WILD_TEN_STRENGTH
        rank_as_follower(table, seat, strength, 1)


@inlined
def rank_as_follower(table, seat, strength, follows):
    """Note the card as one of the led suit, if `follows` is 1 and not 0."""
    table.followers |= follows << strength
    table.owners |= (follows * seat) << (4 * strength)


@inlined
def end_trick(state, log):
    """S-R03 to S-R07: find the winner, let him collect, let him lead."""
    table = state.table
    single = is_single(table.followers)
    table.single_follower += 1 if single else 0
    winner = trick_winner(table)
    if table.rules.single_discarded and single:
        winner = NOBODY
    table.won_by[table.n_tricks] = winner
    table.n_tricks += 1
    if winner != NOBODY:
        collect(state, winner)
    if log.on:
        log_trick(state, winner, log)
    lead_trick(state, winner if winner != NOBODY else table.leader)


@inlined
def trick_winner(table):
    """S-R03: the second highest card of the led suit, or the only one."""
    ranked = table.followers
    below_highest = without(ranked, 1 << highest(ranked))
    strength = highest(below_highest if below_highest else ranked)
    return (table.owners >> (4 * strength)) & 15


@inlined
def collect(state, winner):
    """S-R05, S-R06: his own card and all offered ones enter the pile; equal numbers cancel."""
    table = state.table
    own = table.laid[winner]
    taken, n_taken = table.offered, table.n_offered
    if not is_wild(own):
        taken ^= 1 << rank_of(own)
        n_taken += 1
    before = state.pile[winner]
    after = before ^ taken
    state.pile[winner] = after
    table.pile[winner] = after if table.rules.open_piles else 0
    table.tricks[winner] += 1
    table.cancellations[winner] += (count(before) + n_taken - count(after)) // 2


@kernel
def end_round(state, log):
    """S-R08 to S-R10: score the piles; end the game or deal the next round."""
    out_of_line()
    table = state.table
    rules = table.rules
    highest_total = NOT_SCORED
    for seat in range(table.players):
        score = pile_sum(rules, state.pile[seat])
        total = table.total[seat] + score
        table.total[seat] = max(total, 0) if rules.floor else total
        table.last_round[seat] = score
        if table.round == 1:
            table.first_round[seat] = score
        highest_total = max(highest_total, table.total[seat])
    best = best_seats(table)
    if table.round > 1 and best != table.best:
        table.lead_changes += 1
    table.best = best
    if log.on:
        event(log, SCORE)
        for seat in range(table.players):
            word(log, table.last_round[seat])
        for seat in range(table.players):
            word(log, table.total[seat])
    if highest_total > rules.safe or table.round == rules.max_rounds:
        state.over = 1
        return
    table.round += 1
    new_round(state.dealer, table.round)
    table.start = next_start(state)
    deal_round(state, log)


NOT_SCORED = -(1 << 40)


@kernel
def best_seats(table):
    """The seats with the highest total that does not lose, as a set; empty if all lose."""
    best, seats = NOT_SCORED, 0
    for seat in range(table.players):
        total = table.total[seat]
        if total <= table.rules.safe and total > best:
            best, seats = total, 0
        if total <= table.rules.safe and total == best:
            seats |= 1 << seat
    return seats


@kernel
def lowest_seats(table):
    """The seats with the lowest total, as a set."""
    lowest_total, seats = table.total[0], 0
    for seat in range(1, table.players):
        lowest_total = min(lowest_total, table.total[seat])
    for seat in range(table.players):
        if table.total[seat] == lowest_total:
            seats |= 1 << seat
    return seats


@kernel
def next_start(state):
    """S-R10: the seat that starts the next round; the lowest total, ties as `lowest_tie_start`."""
    table = state.table
    rules = table.rules
    if rules.next_start == ROTATE:
        return next_seat(table, table.start)
    if rules.next_start != LOWEST:
        return table.leader  # who would lead the next trick
    tied = lowest_seats(table)
    if is_single(tied):
        return highest(tied)
    if rules.tie_start == RANDOM:
        return kth_seat(tied, below(state.dealer.chance, count(tied)))
    seat = table.start
    if rules.tie_start == NEXT_CLOCKWISE:
        seat = next_seat(table, seat)
    while not has(tied, seat):
        seat = next_seat(table, seat)
    return seat


@kernel
def kth_seat(seats, k):
    """The seat of the set that has `k` seats of it below."""
    for _ in range(k):
        seats &= seats - 1
    return highest(seats & -seats)


# What the play loop asks


@inlined
def is_over(state):
    """Whether the game has ended."""
    return state.over != 0


@inlined
def seat_to_act(state):
    """The seat that decides now."""
    return state.table.seat


@inlined
def is_legal(state, card):
    """Whether the seat to act may play this card."""
    return card >= 0 and card < N_CARDS and has(state.legal, card)


@kernel
def outcome(state, result):
    """S-R09: who won, and the measures of the game."""
    out_of_line()
    table = state.table
    is_capped = True
    for seat in range(table.players):
        if table.total[seat] > table.rules.safe:
            is_capped = False
    winners = 0 if is_capped else winning_seats(table)
    result.status = UNFINISHED if is_capped else FINISHED
    result.start = table.first_start
    share_win(result, winners, table.players)
    result.busts = 0
    result.cancelled = 0
    for seat in range(table.players):
        bust = 1 if table.total[seat] > table.rules.safe else 0
        result.score[seat] = table.total[seat]
        result.bust[seat] = bust
        result.tricks[seat] = table.tricks[seat]
        result.cancellations[seat] = table.cancellations[seat]
        result.first_round[seat] = table.first_round[seat]
        result.busts += bust
        result.cancelled += table.cancellations[seat]
    result.rounds = table.round
    result.single_follower = table.single_follower
    result.lead_changes = table.lead_changes


@kernel
def winning_seats(table):
    """S-R09 with the switches `all_over` and `top_tie`: the seats that share the win."""
    winners = best_seats(table)
    if winners == 0 and table.rules.lowest_wins:
        winners = lowest_seats(table)
    if not table.rules.lower_round_wins or is_single(winners):
        return winners
    lowest_round = -NOT_SCORED
    for seat in range(table.players):
        if has(winners, seat):
            lowest_round = min(lowest_round, table.last_round[seat])
    for seat in range(table.players):
        if has(winners, seat) and table.last_round[seat] > lowest_round:
            winners = without(winners, 1 << seat)
    return winners


# Invariants (section 4) and the log

INVARIANTS = (
    "",
    "every card has exactly one place",
    "a trick in play has at most one card a seat",
    "a pile's numbers have the parity of the cards collected",
    "every trick has at most one winner, who played a card of the led suit",
    "no total is below zero; none passes the limit before the end",
    "tricks won in a round sum to the tricks played",
    "the seat to act has a legal card of its own hand",
)


@kernel
def check(state):
    """Number of the first broken invariant, or 0."""
    out_of_line()
    table = state.table
    places, n_placed = state.aside | table.played, count(state.aside) + count(table.played)
    for seat in range(table.players):
        places |= state.hand[seat]
        n_placed += count(state.hand[seat])
        if count(state.hand[seat]) != table.n_hand[seat]:
            return 1
    if places != table.rules.deck or n_placed != count(table.rules.deck):
        return 1
    if table.n_laid >= table.players or table.n_history != count(table.played):
        return 2
    if not piles_have_parity(state):
        return 3
    ended = table.n_tricks * table.players
    if table.n_history != ended + table.n_laid:
        return 4
    highest_total, lowest_total = table.total[0], table.total[0]
    for seat in range(1, table.players):
        highest_total = max(highest_total, table.total[seat])
        lowest_total = min(lowest_total, table.total[seat])
    if table.rules.floor and lowest_total < 0:
        return 5
    if not state.over and highest_total > table.rules.safe:
        return 5
    if table.n_tricks > table.rules.hand_size or not tricks_have_winners(table):
        return 6
    if not state.over and (state.legal == 0 or without(state.legal, state.hand[table.seat]) != 0):
        return 7
    return 0


@kernel
def tricks_have_winners(table):
    """Whether each ended trick has one, except where the rules discard tricks."""
    n_won = 0
    for trick in range(table.n_tricks):
        if 0 <= table.won_by[trick] < table.players:
            n_won += 1
    return n_won == table.n_tricks or table.rules.single_discarded != 0


@kernel
def piles_have_parity(state):
    """Whether each pile is what the history of the round says, card by card; winners too."""
    table = state.table
    if state.over or table.n_tricks == 0:
        return True
    at, winners_follow = 0, True
    expected = 0  # 12 bits a seat
    for trick in range(table.n_tricks):
        winner, led = table.won_by[trick], OPEN_SUIT
        for _ in range(table.players):
            card, seat = table.history[at] & 63, table.history[at] >> 6
            at += 1
            if is_wild(card):
                if seat == winner and not table.rules.wilds_follow:
                    winners_follow = False
                continue
            if led == OPEN_SUIT:
                led = suit_of(card)
            if winner != NOBODY and (suit_of(card) != led or seat == winner):
                expected ^= 1 << (rank_of(card) + N_RANKS * winner)
            if seat == winner and suit_of(card) != led:
                winners_follow = False
    for seat in range(table.players):
        if state.pile[seat] != (expected >> (N_RANKS * seat)) & ALL_RANKS:
            return False
    return winners_follow


@kernel
def log_trick(state, winner, log):
    """Write down who collects what, and all piles."""
    out_of_line()
    table = state.table
    takes = 0
    for seat in range(table.players):
        card = table.laid[seat]
        is_taken = seat == winner or suit_of(card) != table.led_suit
        if winner != NOBODY and is_taken and not is_wild(card):
            takes |= card_set(card)
    event(log, TRICK)
    word(log, winner)
    word(log, takes)
    for seat in range(table.players):
        word(log, state.pile[seat])
