"""The rules of 干杯: deal, actions, clinks, the end. Ids K-Rnn are those of the rule sheet.

Teams collect a secret recipe of five glasses in one area. A card put into an area whose big glasses
equal its small one clinks: both are given away. The game stops at each decision: what to do on a
turn, whom to give the cards of a clink, what an overfull area discards, and, if claims are
optional, whether to declare a completed recipe.
"""

import numpy as np

from sim.core.bits import popcount
from sim.core.cards import has
from sim.core.game import SHARE_UNIT
from sim.core.jit import inlined, kernel, out_of_line
from sim.core.rng import below, shuffle
from sim.core.state import (
    DRAW,
    FINISHED,
    UNFINISHED,
    event,
    new_round,
    outcome_record,
    share_win,
    state_record,
    word,
)
from sim.games.kanpai import GAME, MAX_PLAYERS, N_GLASSES
from sim.games.kanpai.cards import (
    N_CARDS,
    NO_CARD,
    big_of,
    completed_recipes,
    count_of,
    distance,
    is_complete,
    kinds,
    one,
    size,
    small_of,
)
from sim.games.kanpai.dealing import clear, deal, draw_card, draw_recipes, form_teams
from sim.games.kanpai.invariants import INVARIANTS, check
from sim.games.kanpai.setup import BASE_HAND, problems, roles, set_rules, team_sizes
from sim.games.kanpai.view import (
    ACT,
    CLAIM,
    CLINKED,
    COUNTED,
    DECLARE,
    DROP,
    GIVE,
    MAX_DECK,
    MAX_HAND,
    MAX_TEAMS,
    NOBODY,
    OVERFLOW,
    PASSED,
    PLACES,
    RETURN,
    RETURNED,
    SEND,
    SENT,
    SILENT,
    SPLIT,
    TABLE,
    TOAST,
    TOASTED,
    claim_place,
    copies_in,
    lay_deck,
    n_claim_steps,
    pair_bit,
    put_at,
    put_back,
    share_knowledge,
    split_pairs,
    team_of,
    top_of_deck,
)

STATE = state_record(
    TABLE,
    ("held", np.int64, MAX_PLAYERS * MAX_HAND),  # cards of each seat ascending, then NO_CARD
    ("hand", np.int64, MAX_PLAYERS),  # the different ones as a set
    ("deck", np.int64, MAX_DECK),  # draw pile, from `top_of_deck` on
    ("returned", np.int64, 2 * MAX_PLAYERS),  # discard area by seat, multisets of cards
    ("teams", np.int64),  # two bits a place
    ("recipe", np.int64, MAX_TEAMS),  # multisets of glasses
    ("allies", np.int64, MAX_PLAYERS),  # places that each seat knows to be of its team
    ("known_recipe", np.int64, MAX_PLAYERS),  # its team's, or 0 if it does not know it
    ("claim_step", np.int64),  # how far the win check has come
    # what the seat to act may do
    ("toast_to", np.int64),
    ("sends", np.int64),
    ("send_to", np.int64),
    ("may_return", np.int64),
    ("pairs", np.int64),
    ("drops", np.int64),
    # the end
    ("over", np.int64),
    ("status", np.int64),
    ("winners", np.int64),  # teams, as a set
    ("won_at", np.int64),  # the first place that was declared
    ("counted", COUNTED),
)

OUTCOME = outcome_record(GAME)

# Events of the log
DEAL, TURN, TOASTING, SPLITTING, SENDING, RETURNING, PASSING, DROPPING = range(8)
DRAWING, RESHUFFLING, AREAS = range(8, 11)

__all__ = [
    "INVARIANTS",
    "check",
    "problems",
    "roles",
    "set_rules",
    "team_sizes",
]  # asked of the rules


# The start of a game


@kernel
def start(state, log):
    """Begin a game: teams, recipes, the start seat, hands; areas are empty."""
    out_of_line()
    table = state.table
    rules = table.rules
    clear(state)
    new_round(state.dealer, 1)
    chance = state.dealer.chance
    table.start = below(chance, table.players) if rules.random_first else 0
    form_teams(state)
    draw_recipes(state)
    share_knowledge(state)
    deal(state)
    table.turn = 1
    table.place = table.start
    if log.on:
        log_deal(state, log)
    begin_turn(state, log)


# Turns


@inlined
def begin_turn(state, log):
    """Let the seat on turn act; of a dummy's place its decider. It may have nothing to do."""
    table = state.table
    rules = table.rules
    seat = rules.decider[table.place]
    table.active = seat
    table.turns[seat] += 1
    state.claim_step = 0
    ask(state, seat, ACT, NOBODY)
    everybody = (1 << rules.n_ring) - 1
    has_hand = table.n_hand[seat] > 0
    can_draw = table.n_deck > 0 or (rules.reshuffles and n_discarded(table) > 0)
    others = everybody ^ (1 << seat)
    if has_hand:
        state.toast_to = everybody if rules.toast_self else others
    state.sends = kinds(table.area[seat])
    state.send_to = others if state.sends else 0
    state.may_return = 1 if has_hand and (can_draw or rules.empty_return) else 0
    if log.on:
        event(log, TURN)
        word(log, table.turn)
        word(log, seat)
    if has_hand:
        count_winning_card(state, seat)


@kernel
def count_winning_card(state, seat):
    """For the statistics: whether a card in hand would complete an area, and all such clink."""
    table = state.table
    team = team_of(state.teams, seat)
    recipe = state.recipe[team]
    completes = delivers = 0
    for place in range(table.rules.n_ring):
        area = table.area[place]
        if team_of(state.teams, place) != team or distance(recipe, area) > 1:
            continue
        if not has(table.counting, place) or not has(state.toast_to, place):
            continue
        for k in range(table.n_hand[seat]):
            card = state.held[seat * MAX_HAND + k]
            if is_complete(recipe, area + one(big_of(card))):
                completes = 1
                if count_of(area, small_of(card)) == 0:
                    delivers = 1
    state.counted.winning_cards += completes
    state.counted.undelivered += completes - delivers


@inlined
def ask(state, seat, phase, target):
    """Let a seat decide; what it may do is filled in by the caller."""
    table = state.table
    table.seat = seat
    table.phase = phase
    table.target = target
    state.toast_to = 0
    state.sends = 0
    state.send_to = 0
    state.may_return = 0
    state.pairs = 0
    state.drops = 0


@kernel
def n_discarded(table):
    """Cards in the discard area that could be shuffled into a new deck."""
    n = 0
    for seat in range(table.players):
        n += table.n_returned[seat]
    return n


@inlined
def apply(state, action, log):
    """Carry out what the seat to act has decided, and go on to the next decision or the end."""
    table = state.table
    phase = table.phase
    if phase == ACT:
        table.passed = 0
        if action < SEND:
            card = (action - TOAST) // PLACES
            if make_toast(state, card, action - TOAST - card * PLACES, log):
                return
        elif action < RETURN:
            glass = (action - SEND) // PLACES
            send_card(state, glass, action - SEND - glass * PLACES, log)
        else:
            return_hand(state, log)
    elif phase == SPLIT:
        x = (action - GIVE) // PLACES
        split(state, x, action - GIVE - x * PLACES, log)
    elif phase == OVERFLOW:
        drop_card(state, action - DROP, log)
    else:
        if action == DECLARE:
            declare(state, table.target)
        state.claim_step += 1
    resolve(state, log)


@inlined
def make_toast(state, card, target, log):
    """K-R05: put a card of the hand into an area; return whether it clinks."""
    table = state.table
    seat, glass = table.active, small_of(card)
    clinks = count_of(table.area[target], glass) > 0
    take_from_hand(state, seat, card)
    table.played[card] += 1
    table.self_toasts += 1 if target == seat else 0
    table.dummy_toasts += 1 if target == table.rules.dummy else 0
    if log.on:
        event(log, TOASTING)
        word(log, seat)
        word(log, card)
        word(log, target)
        word(log, 1 if clinks else 0)
    if clinks:
        clink(state, card, target)
        return True
    table.kind = TOASTED
    put(table, seat, target, big_of(card))
    return False


@inlined
def take_from_hand(state, seat, card):
    """Take a card out of a hand; the later ones move up."""
    table = state.table
    first = seat * MAX_HAND
    last = first + table.n_hand[seat] - 1
    hand, is_found = 0, 0
    for k in range(first, last):
        is_found |= 1 if state.held[k] == card else 0
        state.held[k] = state.held[k + is_found]
        hand |= 1 << state.held[k]
    state.held[last] = NO_CARD
    state.hand[seat] = hand
    table.n_hand[seat] -= 1


@inlined
def put(table, seat, place, glass):
    """Add a card with this big glass to an area, by the seat's will."""
    table.area[place] += one(glass)
    table.put[put_at(seat, place, glass)] += 1


@inlined
def clink(state, card, target):
    """K-R06: a matching card leaves with the new one; the target, or its decider, says whither."""
    table = state.table
    rules = table.rules
    table.kind = CLINKED
    table.clinks += 1
    table.card = card
    table.area[target] -= one(small_of(card))
    splitter = table.active if rules.active_splits else rules.decider[target]
    ask(state, splitter, SPLIT, target)
    state.pairs = rules.pairs[target]
    if rules.enforced:
        state.pairs = split_pairs(rules, state.teams, target)
        table.splitters[target] |= 1 << splitter


@inlined
def split(state, x, y, log):
    """K-R06: the new card goes to x, the matching one to y; they do not clink again."""
    table = state.table
    big, small = big_of(table.card), small_of(table.card)
    put(table, table.seat, x, big)
    put(table, table.seat, y, small)
    if table.rules.enforced:
        table.paired[table.target] |= pair_bit(x, y)
    if log.on:
        event(log, SPLITTING)
        word(log, table.seat)
        word(log, table.target)
        word(log, big)
        word(log, x)
        word(log, small)
        word(log, y)


@inlined
def send_card(state, glass, target, log):
    """K-R07: move a card from the own area to another; it never clinks."""
    table = state.table
    table.kind = SENT
    table.sends += 1
    table.area[table.active] -= one(glass)
    put(table, table.active, target, glass)
    if log.on:
        event(log, SENDING)
        word(log, table.active)
        word(log, glass)
        word(log, target)


@inlined
def return_hand(state, log):
    """K-R08: discard the whole hand face down; the new one is drawn at the end of the turn."""
    table = state.table
    seat = table.active
    table.kind = RETURNED
    table.returns[seat] += 1
    if log.on:
        event(log, RETURNING)
        word(log, seat)
        for k in range(table.n_hand[seat]):
            word(log, state.held[seat * MAX_HAND + k])
    for k in range(table.n_hand[seat]):
        put_back(state, seat, state.held[seat * MAX_HAND + k])
        state.held[seat * MAX_HAND + k] = NO_CARD
    table.n_returned[seat] += table.n_hand[seat]
    table.n_hand[seat] = 0
    state.hand[seat] = 0


@inlined
def resolve(state, log):
    """After an action: overfull areas, win check, refill, next turns up to one that can act."""
    while not asks(state):
        end_turn(state, log)
        if state.over:
            return
        begin_turn(state, log)
        if state.toast_to | state.sends:
            return
        pass_turn(state, log)


@inlined
def asks(state):
    """K-R09, K-R10: whether an overfull area or a completed recipe asks for a decision."""
    table = state.table
    largest = largest_area(table)
    if largest > table.rules.cap and asks_about_overflow(state):
        return True
    return largest >= N_GLASSES and asks_about_claim(state)


@inlined
def largest_area(table):
    """Cards in the largest area."""
    largest = 0
    for place in range(table.rules.n_ring):
        largest = max(largest, size(table.area[place]))
    return largest


@kernel
def asks_about_overflow(state):
    """K-R09: whether an area has too many cards; its owner is asked which one it discards.

    Clockwise from the active seat, so that its own area comes first.
    """
    table = state.table
    rules = table.rules
    place = table.active
    for _ in range(rules.n_ring):
        if size(table.area[place]) > rules.cap:
            chooser = table.active if rules.active_drops else rules.decider[place]
            ask(state, chooser, OVERFLOW, place)
            state.drops = kinds(table.area[place])
            return True
        place = place + 1 if place + 1 < rules.n_ring else 0
    return False


@kernel
def drop_card(state, glass, log):
    """K-R09: discard a card with this big glass from the overfull area."""
    out_of_line()
    table = state.table
    table.area[table.target] -= one(glass)
    table.overflows += 1
    if table.rules.open_overflow:
        table.dropped[glass] += 1
    if log.on:
        event(log, DROPPING)
        word(log, table.target)
        word(log, table.seat)
        word(log, glass)


@kernel
def asks_about_claim(state):
    """K-R10: check the areas for completed recipes; return whether somebody may claim one.

    Claims are automatic unless `win_claim=optional`: then the owner of the area is asked, for a
    dummy its decider, for an apprentice the master.
    """
    table = state.table
    rules = table.rules
    while state.claim_step < n_claim_steps(rules):
        place = claim_place(state)
        if place != NOBODY and can_declare(state, place):
            if rules.optional_claim:
                master = table.master[team_of(state.teams, place)]
                ask(state, rules.decider[place] if master == NOBODY else master, CLAIM, place)
                return True
            declare(state, place)
        state.claim_step += 1
    return False


@inlined
def can_declare(state, place):
    """Whether the area can win and satisfies its recipe, and none has won before it."""
    table = state.table
    if size(table.area[place]) < N_GLASSES or not has(table.counting, place):
        return False
    team = team_of(state.teams, place)
    if state.winners != 0 and (not table.rules.win_shared or has(state.winners, team)):
        return False
    return is_complete(state.recipe[team], table.area[place])


@kernel
def declare(state, place):
    """K-R10: the team of this area wins."""
    out_of_line()
    table = state.table
    table.declared |= 1 << place
    if state.winners == 0:
        state.won_at = place
    state.winners |= 1 << team_of(state.teams, place)


@inlined
def end_turn(state, log):
    """K-R10, K-R11, K-R13, K-R14: the game is won, or the hand is refilled and it may be a draw."""
    table = state.table
    if state.winners:
        end(state, FINISHED)
    else:
        n_drawn = refill(state, log)
        if table.kind == PASSED and n_drawn == 0:
            table.passed |= 1 << table.active
        if not table.rules.optional_claim and largest_area(table) >= N_GLASSES:
            exclude_recipes(table)
        if table.passed == (1 << table.players) - 1:
            end(state, DRAW)
        elif table.turn == table.rules.max_turns:
            end(state, UNFINISHED)
    if log.on:
        event(log, AREAS)
        for place in range(table.rules.n_ring):
            word(log, table.area[place])
    if not state.over:
        table.turn += 1
        table.place = next_place(table)


@kernel
def end(state, status):
    """The game is over."""
    state.over = 1
    state.status = status


@inlined
def next_place(table):
    """The next place on turn: clockwise; a dummy's only under `alternate_teams`."""
    n = table.rules.n_ring if table.rules.dummy_turn else table.players
    return table.place + 1 if table.place + 1 < n else 0


@inlined
def refill(state, log):
    """K-R08, K-R11: draw up to the hand limit; return how many cards."""
    table = state.table
    seat = table.active
    goal, first = table.rules.limit[seat], table.n_hand[seat]
    if table.kind == RETURNED and table.rules.three_drawn:
        goal = BASE_HAND
    while table.n_hand[seat] < goal:
        if table.n_deck == 0:
            if not table.rules.reshuffles or n_discarded(table) == 0:
                break
            reshuffle(state, log)
        n = min(goal - table.n_hand[seat], table.n_deck)
        if log.on:
            log_draw(state, seat, n, log)
        for _ in range(n):
            draw_card(state, seat)
    return table.n_hand[seat] - first


@kernel
def reshuffle(state, log):
    """Switch `reshuffle=when_empty`: the returned hands become the new deck."""
    out_of_line()
    table = state.table
    n = 0
    for card in range(N_CARDS):
        for seat in range(table.players):
            for _ in range(copies_in(state.returned, 2 * seat, card)):
                state.deck[n] = card
                n += 1
    for seat in range(table.players):
        state.returned[2 * seat] = 0
        state.returned[2 * seat + 1] = 0
        table.n_returned[seat] = 0
    shuffle(state.dealer.cards, state.deck, n)
    lay_deck(state, n)
    table.n_deck = n
    if log.on:
        event(log, RESHUFFLING)
        for i in range(top_of_deck(table), table.rules.n_cards):
            word(log, state.deck[i])


@kernel
def exclude_recipes(table):
    """Section 3: what an area satisfied while the game goes on is not the recipe of its team."""
    for place in range(table.rules.n_ring):
        if size(table.area[place]) >= N_GLASSES and has(table.counting, place):
            table.excluded[place] |= completed_recipes(table.area[place])


@kernel
def pass_turn(state, log):
    """K-R13: a seat without a card in hand and area passes."""
    out_of_line()
    table = state.table
    table.kind = PASSED
    table.passes += 1
    if log.on:
        event(log, PASSING)
        word(log, table.active)


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
def is_legal(state, action):
    """Whether the seat to act may do this."""
    if action < TOAST or action > DECLARE:
        return False
    phase = state.table.phase
    if phase == SPLIT:
        return action >= GIVE and action < DROP and has(state.pairs, action - GIVE)
    if phase == OVERFLOW:
        return action >= DROP and action < SILENT and has(state.drops, action - DROP)
    if phase == CLAIM:
        return action >= SILENT
    if action >= RETURN:
        return action == RETURN and state.may_return != 0
    number = action if action < SEND else action - SEND
    what = number // PLACES
    target = number - what * PLACES
    if action < SEND:
        return has(state.hand[state.table.seat], what) and has(state.toast_to, target)
    return has(state.sends, what) and has(state.send_to, target)


@kernel
def outcome(state, result):
    """Who won, and the measures of the game; teams that win together get equal parts."""
    out_of_line()
    table = state.table
    rules = table.rules
    n, n_teams = table.players, popcount(state.winners)
    winners, smallest = 0, n
    for team in range(rules.n_teams):
        smallest = min(smallest, rules.team_size[team])
    for seat in range(n):
        winners |= ((state.winners >> team_of(state.teams, seat)) & 1) << seat
    result.status = state.status
    result.start = table.start
    share_win(result, winners, n)
    result.shared = 1 if n_teams > 1 else 0
    for seat in range(n):
        team = team_of(state.teams, seat)
        won, members = result.won[seat], rules.team_size[team]
        if won:
            result.win_share[seat] = SHARE_UNIT // n_teams // members
        is_short = 1 if members == smallest and n > rules.n_teams * smallest else 0
        starts = 1 if team == team_of(state.teams, table.start) else 0
        of_three = 1 if popcount(kinds(state.recipe[team])) == 3 else 0
        result.score[seat] = 0
        result.turns[seat] = table.turns[seat]
        result.returns[seat] = table.returns[seat]
        result.team_size[seat] = members
        result.short_team[seat] = is_short
        result.won_short[seat] = is_short & won
        result.start_team[seat] = starts
        result.won_start[seat] = starts & won
        result.three_kinds[seat] = of_three
        result.won_three[seat] = of_three & won
        result.own_area[seat] = 1 if state.won_at == seat else 0
    result.rounds = table.turn
    result.clinks = table.clinks
    result.sends = table.sends
    result.self_toasts = table.self_toasts
    result.dummy_toasts = table.dummy_toasts
    result.hands_returned = 0
    for seat in range(n):
        result.hands_returned += table.returns[seat]
    result.overflows = table.overflows
    result.passes = table.passes
    result.deck_left = table.n_deck
    is_won = n_teams > 0
    result.won_by_toast = 1 if is_won and table.kind == TOASTED else 0
    result.won_by_clink = 1 if is_won and table.kind == CLINKED else 0
    result.won_by_send = 1 if is_won and table.kind == SENT else 0
    result.dummy_won = 1 if is_won and state.won_at == rules.dummy else 0
    second_wins = (state.winners >> 1) & 1
    result.second_lead = second_wins - (1 if state.winners & ~2 else 0)
    result.teams_won = n_teams
    result.team_0_won = state.winners & 1
    result.team_1_won = second_wins
    result.team_2_won = (state.winners >> 2) & 1
    result.winning_cards = state.counted.winning_cards
    result.undelivered = state.counted.undelivered


# The log


@kernel
def log_deal(state, log):
    """Write down teams, masters, recipes, hands, the deck and who starts."""
    out_of_line()
    table = state.table
    event(log, DEAL)
    word(log, table.start)
    word(log, state.teams)
    word(log, table.rules.n_ring)
    word(log, table.rules.n_teams)
    for team in range(table.rules.n_teams):
        word(log, table.master[team])
        word(log, state.recipe[team])
    for seat in range(table.players):
        for k in range(MAX_HAND):
            word(log, state.held[seat * MAX_HAND + k])
    for i in range(top_of_deck(table), table.rules.n_cards):
        word(log, state.deck[i])


@kernel
def log_draw(state, seat, n, log):
    """Write down the cards that a seat is about to draw."""
    out_of_line()
    event(log, DRAWING)
    word(log, seat)
    for i in range(n):
        word(log, state.deck[top_of_deck(state.table) + i])
