"""The rules of Cocktail Poison: glasses, tiles, draft, scores. Ids C-Rnn are those of the sheet.

Everybody has a secret glass and lays a secret tile under it: a colour poisons the one drink of his
glass and that colour, the antidote none. All drinks are then drafted from an open row. Who draws
another's poison loses a point, its owner gains two; 5 points end the game.
"""

import numpy as np

from sim.core.bits import natural
from sim.core.cards import NO_CARD, NO_CARDS, card_set, count, has, is_single, kth, lowest, without
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
from sim.games.cocktail_poison import GAME
from sim.games.cocktail_poison.cards import (
    ALL_TILES,
    ANTIDOTE,
    BLIND,
    FIRST_TILE,
    MARTINI,
    N_ACTIONS,
    N_CARDS,
    N_COLOURS,
    N_STYLES,
    NO_LAY,
    NO_STYLE,
    NO_TILE,
    ON_NEW,
    ON_OLD,
    card_of,
    lay_of,
    pick_of,
)
from sim.games.cocktail_poison.invariants import INVARIANTS, NOT_SCORED, check
from sim.games.cocktail_poison.setup import problems, set_rules
from sim.games.cocktail_poison.view import (
    CHOOSING,
    DRAFTING,
    MAX_PLAYERS,
    TABLE,
    cards_of_styles,
    n_pile,
    next_seat,
    taken_cards,
    taker,
)

STATE = state_record(
    TABLE,
    ("style", np.int64, MAX_PLAYERS),  # of each seat's glass
    ("tile", np.int64, MAX_PLAYERS),  # chosen by each seat, or NO_TILE
    ("cover", np.int64, MAX_PLAYERS),  # card under each seat's antidote, or NO_CARD
    ("legal", np.int64),  # what the seat to act may pick
    ("lays", np.int64),  # how it may lay its antidote
    ("deck", np.int64, N_CARDS),  # the cards of the round in order; the pile from table.n_turned on
    ("over", np.int64),  # 1 after the last round
)

OUTCOME = outcome_record(GAME)

__all__ = ["INVARIANTS", "check", "problems", "set_rules"]  # asked of the rules, from elsewhere

# Events of the log, with their words
ROUND, DEAL, TILE, TAKE, COVER, SCORE = range(6)

SHARED, EXTRA_ROUND, FEWEST_POISONED = range(3)  # values of end_tie
MAX_EXTRA_ROUNDS = 5
NO_LAYS = 1 << NO_LAY


# The play of a game


@kernel
def start(state, log):
    """Begin a game: totals at zero, a start seat, the first round."""
    out_of_line()
    table = state.table
    for seat in range(MAX_PLAYERS):
        state.style[seat] = NO_STYLE
        table.total[seat] = 0
        table.last_style[seat] = NO_STYLE
        table.last_tile[seat] = NO_TILE
        table.last_display[seat] = NO_CARDS
        table.last_cover[seat] = NO_CARD
        table.last_score[seat] = 0
        table.last_hit[seat] = 0
        table.spent[seat] = table.rules.missing
        table.poisoned[seat] = 0
        table.own_drawn[seat] = 0
        table.antidotes[seat] = 0
        table.antidote_points[seat] = 0
        table.first_round[seat] = 0
    table.hits = 0
    table.cured = 0
    table.multiple = 0
    table.extra_rounds = 0
    table.round = 1
    state.over = 0
    new_round(state.dealer, 1)
    table.start = below(state.dealer.chance, table.players) if table.rules.random_first else 0
    table.first_start = table.start
    deal_round(state, log)


@kernel
def deal_round(state, log):
    """C-R01 to C-R03: deal the glasses, shuffle the drinks, let the start seat choose its tile."""
    out_of_line()
    table = state.table
    for seat in range(MAX_PLAYERS):
        state.tile[seat] = NO_TILE
        state.cover[seat] = NO_CARD
        table.cover[seat] = NO_CARD
        table.display[seat] = NO_CARDS
    choose_glasses(state)
    deal_glasses(state)
    shuffle_drinks(state)
    table.row = NO_CARDS
    table.n_turned = 0
    table.n_taken = 0
    table.blind = 0
    table.phase = CHOOSING
    if log.on:
        log_deal(state, log)
    if table.rules.row_first:
        fill_row(state)
    ask_for_tile(state, table.start)


@inlined
def choose_glasses(state):
    """C-R01: the Martini and players - 1 of the other styles."""
    table = state.table
    for k in range(N_STYLES - 1):
        state.deck[k] = MARTINI + 1 + k
    if table.rules.random_glasses:
        shuffle(state.dealer.chance, state.deck, N_STYLES - 1)
    table.styles = 1 << MARTINI
    for k in range(table.players - 1):
        table.styles |= 1 << state.deck[k]


@inlined
def deal_glasses(state):
    """C-R01: shuffle the glasses in use and deal them by places, turned by `dealer.turn`."""
    table = state.table
    for k in range(table.players):
        state.deck[k] = kth(table.styles, k)
    shuffle(state.dealer.cards, state.deck, table.players)
    seat = table.start + state.dealer.turn
    seat = seat if seat < table.players else seat - table.players
    for place in range(table.players):
        state.style[seat] = state.deck[place]
        seat = next_seat(table, seat)


@inlined
def shuffle_drinks(state):
    """C-R03: the four drinks of every style in use.

    The order is drawn for the glasses by their rank, so other glasses give the same game.
    """
    table = state.table
    table.deck = cards_of_styles(table.styles)
    for k in range(table.players):
        style = kth(table.styles, k)
        for colour in range(N_COLOURS):
            state.deck[k * N_COLOURS + colour] = card_of(style, colour)
    shuffle(state.dealer.cards, state.deck, table.players * N_COLOURS)


@inlined
def turn_up(state):
    """Turn up the top card of the pile."""
    table = state.table
    card = natural(state.deck[natural(table.n_turned)])
    table.n_turned += 1
    table.since[card] = table.n_taken
    return card


@inlined
def fill_row(state):
    """C-R03: turn up a whole row, or what is left of the pile."""
    table = state.table
    for slot in range(min(table.rules.row_size, n_pile(table))):
        card = turn_up(state)
        table.row |= card_set(card)
        table.slot[card] = slot


@inlined
def apply(state, action, log):
    """Choose a tile or take a card, for the seat to act."""
    if state.table.phase == CHOOSING:
        choose_tile(state, pick_of(action) - FIRST_TILE, log)
    else:
        take(state, pick_of(action), lay_of(action), log)


@inlined
def ask_for_tile(state, seat):
    """C-R02: any tile may be chosen that is not spent."""
    state.table.seat = seat
    state.legal = without(ALL_TILES, state.table.spent[seat]) << FIRST_TILE
    state.lays = NO_LAYS


@inlined
def choose_tile(state, tile, log):
    """C-R02: lay a tile under the glass, unseen; after the last seat the draft begins."""
    table = state.table
    state.tile[table.seat] = tile
    if log.on:
        event(log, TILE)
        word(log, table.seat)
        word(log, tile)
    seat = next_seat(table, table.seat)
    if seat != table.start:
        ask_for_tile(state, seat)
        return
    if not table.rules.row_first:
        fill_row(state)
    table.phase = DRAFTING
    ask_for_card(state, table.start)


@inlined
def ask_for_card(state, seat):
    """C-R04, C-R05: a card of the row; the antidote only if it is the tile and was not laid."""
    table = state.table
    table.seat = seat
    state.legal = table.row
    if table.rules.blind_draw and n_pile(table) > 0:
        state.legal |= 1 << BLIND
    # Without branches: who has the antidote in hand cannot be foreseen.
    seat = natural(seat)
    holds = 1 if state.tile[seat] == ANTIDOTE else 0
    holds &= 1 if state.cover[seat] == NO_CARD else 0
    state.lays = NO_LAYS | holds << ON_NEW
    if table.rules.any_time:
        state.lays |= (holds * table.display[seat]) << ON_OLD


@inlined
def take(state, pick, lay, log):
    """C-R04: take a card and refill the row; after the last take the round is scored."""
    table = state.table
    seat, n = natural(table.seat), natural(table.n_taken)
    table.n_taken = n + 1
    table.offer[n] = table.row
    card = pick
    if pick == BLIND:
        card = turn_up(state)
        table.blind |= 1 << n
    else:
        table.row = without(table.row, card_set(card))
        refill(state)
    table.taken[n] = card
    table.display[seat] |= card_set(card)
    if lay != NO_LAY:
        lay_antidote(state, card if lay == ON_NEW else lay - ON_OLD)
    if log.on:
        log_take(state, lay, log)
    if table.n_taken < table.rules.n_takes:
        ask_for_card(state, next_taker(table))
    else:
        end_round(state, log)


@inlined
def next_taker(table):
    """C-R04: the seat that takes next: clockwise, or in a snake."""
    if table.rules.snake:
        return taker(table, table.n_taken)
    return next_seat(table, table.seat)


@inlined
def refill(state):
    """C-R03: a new card in the slot of the one taken, while the pile lasts."""
    table = state.table
    if table.rules.row_when_empty:
        if table.row == NO_CARDS:
            fill_row(state)
    elif n_pile(table) > 0:
        table.row |= card_set(turn_up(state))


@kernel
def lay_antidote(state, card):
    """C-R05: lay the antidote of the seat to act on a card of its display, for all to see."""
    table = state.table
    state.cover[table.seat] = card
    if not table.rules.hidden_antidote:
        table.cover[table.seat] = card


# Scores


# Written without branches, since nothing of what was laid and drawn can be foreseen (measured: a
# wrong guess takes as long as the scores of two seats).


@inlined
def poison_of(state, seat):
    """C-R02: the card that the seat has poisoned, as a set; empty for the antidote."""
    tile = state.tile[seat]
    is_poison = 1 if tile != ANTIDOTE else 0
    return is_poison << card_of(state.style[seat], tile)


@inlined
def covered_card(state, seat):
    """The card under the antidote of the seat, as a set; empty for NO_CARD, which is -1."""
    return card_set(state.cover[seat] + 1) >> 1


@inlined
def denied_poisons(state, poisons, covered):
    """Poisons that count for nobody: the further ones of who cancelled one, by the switch."""
    cards = NO_CARDS
    if state.table.rules.owner_denied:
        for seat in range(state.table.players):
            if covered & poisons & state.table.display[seat]:
                cards |= state.table.display[seat]
    return cards


@inlined
def score_round(state):
    """C-R06, C-R07: reveal all and score the round; fills `last_score` with it before the floor."""
    table = state.table
    rules = table.rules
    poisons, covered = NO_CARDS, NO_CARDS  # cards poisoned, and those on which an antidote lies
    for seat in range(table.players):
        poisons |= poison_of(state, seat)
        covered |= covered_card(state, seat)
    denied = denied_poisons(state, poisons, covered)
    taken = taken_cards(table)
    for seat in range(table.players):
        own, display = poison_of(state, seat), table.display[seat]
        foreign = poisons & display & ~own
        cured = count(foreign & covered)  # a_i of the sheet: 1 or 0, the seat's only antidote
        poisoned = count(foreign & ~covered)  # k_i
        own_drawn = count(own & display)  # o_i: 1 or 0, the seat's only poison, and so with P_i
        drawn_by_others = own & taken & ~display
        hit = count(drawn_by_others & ~covered & ~denied)  # P_i
        score = rules.poison_reward * hit + rules.antidote_reward * cured
        score -= rules.owner_loses * count(drawn_by_others & covered)
        score -= (rules.first_edition | (1 - cured)) * penalty(rules, poisoned, own_drawn)
        is_holder = 1 if state.tile[seat] == ANTIDOTE else 0
        score += is_clean(rules, poisoned, cured, own_drawn, is_holder)
        table.last_score[seat] = score
        table.last_hit[seat] = hit
        table.hits += hit
        table.poisoned[seat] += poisoned
        table.multiple += 1 if poisoned >= 2 else 0
        table.own_drawn[seat] += own_drawn
        table.cured += cured


@inlined
def penalty(rules, poisoned, own_drawn):
    """C-R07: points lost for the poisons drawn."""
    n = poisoned + own_drawn * rules.own_poisons
    return min(n, 1) if rules.penalty_once else n


@inlined
def is_clean(rules, poisoned, cured, own_drawn, is_holder):
    """C-R07: 1 if the seat gets the bonus for no poisoned card drawn, else 0."""
    stains = poisoned + cured * (1 - rules.cured_is_clean)
    stains += own_drawn * (1 - rules.own_is_clean) + is_holder * rules.holder_never_clean
    return 1 if stains == 0 else 0


@kernel
def end_round(state, log):
    """C-R06 to C-R10: score; end the game or deal the next round."""
    out_of_line()
    table = state.table
    rules = table.rules
    score_round(state)
    best, martini = NOT_SCORED, 0
    for seat in range(table.players):
        raw = table.last_score[seat]
        score = max(raw, 0) if rules.floor else raw
        table.total[seat] += score
        best = max(best, table.total[seat])
        if table.round == 1:
            table.first_round[seat] = score
        is_holder = 1 if state.tile[seat] == ANTIDOTE else 0
        table.antidotes[seat] += is_holder
        table.antidote_points[seat] += is_holder * score
        if state.style[seat] == MARTINI:
            martini = seat
    reveal(state)
    if log.on:
        log_score(state, log)
    if is_last_round(table, best):
        state.over = 1
        return
    table.round += 1
    new_round(state.dealer, table.round)
    table.start = next_seat(table, table.start) if rules.clockwise_start else martini  # C-R09
    deal_round(state, log)


@inlined
def reveal(state):
    """C-R06, C-R09: show all glasses and tiles, and let the tiles return to their owners."""
    table = state.table
    for seat in range(MAX_PLAYERS):  # a constant, so that this is a few moves
        table.last_style[seat] = state.style[seat]
        table.last_tile[seat] = state.tile[seat]
        table.last_display[seat] = table.display[seat]
        table.last_cover[seat] = state.cover[seat]
    if table.rules.tiles_spent:
        for seat in range(table.players):
            spent = table.spent[seat] | 1 << state.tile[seat]
            table.spent[seat] = table.rules.missing if spent == ALL_TILES else spent


@inlined
def is_last_round(table, best):
    """C-R10: whether the game ends, the totals having been added up; counts extra rounds."""
    rules = table.rules
    if table.round == rules.max_rounds:
        return True
    if table.extra_rounds == 0 and best < rules.target:
        return False
    is_tied = not is_single(best_seats(table))
    if rules.end_tie == EXTRA_ROUND and is_tied and table.extra_rounds < MAX_EXTRA_ROUNDS:
        table.extra_rounds += 1
        return False
    return True


@inlined
def best_seats(table):
    """The seats with the highest total, as a set."""
    best, seats = NOT_SCORED, 0
    for seat in range(table.players):
        if table.total[seat] > best:
            best, seats = table.total[seat], 0
        if table.total[seat] == best:
            seats |= 1 << seat
    return seats


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
    if action < 0 or action >= N_ACTIONS:
        return False
    return has(state.legal, pick_of(action)) and has(state.lays, lay_of(action))


@kernel
def outcome(state, result):
    """C-R10: who won, and the measures of the game."""
    out_of_line()
    table = state.table
    winners = winning_seats(table)
    best = table.total[lowest(winners)]
    is_capped = table.extra_rounds == 0 and best < table.rules.target
    result.status = UNFINISHED if is_capped else FINISHED
    result.start = table.first_start
    share_win(result, winners, table.players)
    second = NOT_SCORED
    for seat in range(table.players):
        result.score[seat] = table.total[seat]
        result.poisoned[seat] = table.poisoned[seat]
        result.own_drawn[seat] = table.own_drawn[seat]
        result.antidotes[seat] = table.antidotes[seat]
        result.antidote_points[seat] = table.antidote_points[seat]
        result.first_round[seat] = table.first_round[seat]
        if seat != lowest(winners):
            second = max(second, table.total[seat])
    result.rounds = table.round
    result.hits = table.hits
    result.cured = table.cured
    result.multiple = table.multiple
    result.margin = best - second


@kernel
def winning_seats(table):
    """C-R10 with the switch `end_tie`: the seats that share the win."""
    winners = best_seats(table)
    if table.rules.end_tie != FEWEST_POISONED or is_single(winners):
        return winners
    fewest = table.poisoned[lowest(winners)]
    for seat in range(table.players):
        if has(winners, seat):
            fewest = min(fewest, table.poisoned[seat])
    for seat in range(table.players):
        if has(winners, seat) and table.poisoned[seat] > fewest:
            winners = without(winners, 1 << seat)
    return winners


# The log


@kernel
def log_deal(state, log):
    """Write down who has which glass and the order of the drinks, before the row is turned up."""
    out_of_line()
    table = state.table
    event(log, ROUND)
    word(log, table.round)
    word(log, table.start)
    event(log, DEAL)
    word(log, min(table.rules.row_size, table.players * N_COLOURS))
    for seat in range(table.players):
        word(log, state.style[seat])
    for k in range(table.players * N_COLOURS):
        word(log, state.deck[k])


@kernel
def log_take(state, lay, log):
    """Write down the take and the row after it, by slots."""
    out_of_line()
    table = state.table
    n = table.n_taken - 1
    event(log, TAKE)
    word(log, table.seat)
    word(log, table.taken[n])
    word(log, 1 if lay == ON_NEW else 0)
    word(log, has(table.blind, n))
    log_row(table, log)
    if lay >= ON_OLD:
        event(log, COVER)
        word(log, table.seat)
        word(log, lay - ON_OLD)


@kernel
def log_row(table, log):
    """Write the cards of the row in the order of their slots."""
    for slot in range(N_CARDS):
        for card in range(N_CARDS):
            if has(table.row, card) and slot_of(table, card) == slot:
                word(log, card)


@kernel
def slot_of(table, card):
    """The slot of a card: that of the one taken when it was turned up, and so on back."""
    while table.since[card] > 0 and not table.rules.row_when_empty:
        card = table.taken[table.since[card] - 1]
    return table.slot[card]


@kernel
def log_score(state, log):
    """Write down the scores of the round, before the floor and after, and the totals."""
    out_of_line()
    table = state.table
    event(log, SCORE)
    for seat in range(table.players):
        word(log, table.last_score[seat])
    for seat in range(table.players):
        word(log, max(table.last_score[seat], 0) if table.rules.floor else table.last_score[seat])
    for seat in range(table.players):
        word(log, table.total[seat])
