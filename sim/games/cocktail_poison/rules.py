"""The rules of Cocktail Poison: glasses, tiles, draft, scores. Ids C-Rnn are those of the sheet.

Everybody has a secret glass and lays a secret tile under it: a colour poisons the one drink of his
glass and that colour, the antidote none. All drinks are then drafted from an open row. Who draws
another's poison loses a point, its owner gains two; 5 points end the game.
"""

from typing import Any

import numpy as np

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

# Events of the log, with their words
ROUND, DEAL, TILE, TAKE, COVER, SCORE = range(6)

SHARED, EXTRA_ROUND, FEWEST_POISONED = range(3)  # values of end_tie
MAX_EXTRA_ROUNDS = 5
AUTO_ROW = {2: 3, 3: 3, 4: 3, 5: 4, 6: 4}
NO_LAYS = 1 << NO_LAY
NEW_OR_NOT = NO_LAYS | 1 << ON_NEW


# Setting up


def problems(players: int, switches: dict[str, Any]) -> list[str]:
    """What does not fit together in these switches, a sentence each."""
    found = []
    if players == 2 and switches["allow_two"] == "off":
        found.append("allow_two=off leaves no game for 2 players; allowed: 3 to 6, or allow_two=on")
    if switches["cards_left"] >= players:
        found.append(
            f"cards_left={switches['cards_left']} is a whole lap of {players} players or more; "
            f"allowed: 0 to {players - 1}"
        )
    return found


def set_rules(rules: Any, players: int, switches: dict[str, Any]) -> None:
    """Write the switches, in the form the kernels use, into a record of RULES."""
    row = switches["row_size"]
    rules.first_edition = switches["edition"] == 1
    rules.random_glasses = switches["glass_selection"] == "martini_random"
    rules.row_first = switches["tile_choice_timing"] == "after_row"
    rules.tiles_spent = switches["tiles_return"] == "spent_until_all_used"
    rules.row_size = AUTO_ROW[players] if row == "auto" else row
    rules.row_when_empty = switches["row_refill"] == "when_empty"
    rules.blind_draw = switches["blind_draw"] == "on"
    rules.any_time = switches["antidote_window"] == "any_time_in_round"
    rules.hidden_antidote = switches["antidote_visibility"] == "hidden"
    rules.own_is_clean = switches["own_poison_draw"] == "clean"
    rules.own_poisons = switches["own_poison_draw"] == "self_poisoned"
    rules.penalty_once = switches["multi_poison_penalty"] == "once"
    rules.owner_denied = switches["uncancelled_owner"] == "denied"
    rules.cured_is_clean = switches["antidote_success_clean"] == "yes"
    rules.holder_never_clean = switches["clean_for_antidote_holder"] == "no"
    rules.floor = switches["round_floor"] == "net_zero"
    rules.target = switches["target"]
    rules.end_tie = GAME.switch("end_tie").words.index(switches["end_tie"])
    rules.clockwise_start = switches["next_start"] == "clockwise"
    rules.random_first = switches["first_start"] == "random"
    rules.max_rounds = switches["max_rounds"]
    rules.snake = switches["pick_order"] == "snake"
    rules.n_takes = players * N_COLOURS - switches["cards_left"]
    rules.antidote_reward = switches["antidote_reward"]
    rules.owner_loses = switches["cancelled_owner"] == "loses_one"
    rules.poison_reward = switches["poison_reward"]


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
        table.spent[seat] = 0
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
        table.takes[seat] = 0
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


@kernel
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


@kernel
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


@kernel
def shuffle_drinks(state):
    """C-R03: the four drinks of every style in use.

    The order is drawn for the glasses by their rank, so other glasses give the same game.
    """
    table = state.table
    table.deck = cards_of_styles(table.styles)
    left, k = table.deck, 0
    while left:
        state.deck[k] = lowest(left)
        left &= left - 1
        k += 1
    shuffle(state.dealer.cards, state.deck, k)


@inlined
def turn_up(state):
    """Turn up the top card of the pile."""
    table = state.table
    card = state.deck[table.n_turned]
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


@kernel
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
    state.lays = NO_LAYS
    if state.tile[seat] == ANTIDOTE and state.cover[seat] == NO_CARD:
        state.lays = NEW_OR_NOT
        if table.rules.any_time:
            state.lays |= table.display[seat] << ON_OLD


@inlined
def take(state, pick, lay, log):
    """C-R04: take a card and refill the row; after the last take the round is scored."""
    table = state.table
    seat, n = table.seat, table.n_taken
    table.n_taken = n + 1
    table.takes[seat] |= 1 << n
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


@inlined
def poison_of(state, seat):
    """C-R02: the card that the seat has poisoned, as a set; empty for the antidote."""
    if state.tile[seat] == ANTIDOTE:
        return NO_CARDS
    return card_set(card_of(state.style[seat], state.tile[seat]))


@kernel
def all_poisons(state):
    """The cards poisoned by all seats."""
    cards = NO_CARDS
    for seat in range(state.table.players):
        cards |= poison_of(state, seat)
    return cards


@kernel
def covered_cards(state):
    """The cards on which an antidote lies."""
    cards = NO_CARDS
    for seat in range(state.table.players):
        if state.cover[seat] != NO_CARD:
            cards |= card_set(state.cover[seat])
    return cards


@kernel
def denied_poisons(state, poisons, covered):
    """Poisons that count for nobody: the further ones of who cancelled one, by the switch."""
    cards = NO_CARDS
    if state.table.rules.owner_denied:
        for seat in range(state.table.players):
            if covered & poisons & state.table.display[seat]:
                cards |= state.table.display[seat]
    return cards


@kernel
def score_round(state):
    """C-R06, C-R07: reveal all and score the round; fills `last_score` with it before the floor."""
    table = state.table
    rules = table.rules
    poisons, covered = all_poisons(state), covered_cards(state)
    denied = denied_poisons(state, poisons, covered)
    taken = taken_cards(table)
    for seat in range(table.players):
        own, display = poison_of(state, seat), table.display[seat]
        foreign = poisons & display & ~own
        cured = 1 if foreign & covered else 0  # a_i of the sheet
        poisoned = count(foreign & ~covered)  # k_i
        own_drawn = 1 if own & display else 0  # o_i
        drawn_by_others = own & taken & ~display
        hit = 1 if drawn_by_others & ~covered & ~denied else 0  # P_i
        is_holder = 1 if state.tile[seat] == ANTIDOTE else 0
        score = rules.poison_reward * hit + rules.antidote_reward * cured
        if rules.owner_loses and drawn_by_others & covered:
            score -= 1
        if rules.first_edition or not cured:
            score -= penalty(rules, poisoned, own_drawn)
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
    # Without branches: what was drawn cannot be foreseen.
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
        if state.tile[seat] == ANTIDOTE:
            table.antidotes[seat] += 1
            table.antidote_points[seat] += score
        if state.style[seat] == MARTINI:
            martini = seat
        reveal(state, seat)
    if log.on:
        log_score(state, log)
    if is_last_round(table, best):
        state.over = 1
        return
    table.round += 1
    new_round(state.dealer, table.round)
    table.start = next_seat(table, table.start) if rules.clockwise_start else martini  # C-R09
    deal_round(state, log)


NOT_SCORED = -(1 << 40)


@inlined
def reveal(state, seat):
    """C-R06, C-R09: show glass and tile, and let the tile return to its owner."""
    table = state.table
    table.last_style[seat] = state.style[seat]
    table.last_tile[seat] = state.tile[seat]
    table.last_display[seat] = table.display[seat]
    table.last_cover[seat] = state.cover[seat]
    if table.rules.tiles_spent:
        spent = table.spent[seat] | 1 << state.tile[seat]
        table.spent[seat] = 0 if spent == ALL_TILES else spent


@kernel
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


@kernel
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


# Invariants (section 4) and the log

INVARIANTS = (
    "",
    "row, pile and displays together are the deck, every card once",
    "each seat has as many cards as it has taken",
    "the glasses are dealt, one a seat, the Martini among them",
    "every seat has chosen a tile, that was not spent, before the draft",
    "an antidote lies on a card of its owner, whose tile it is",
    "every poison is drawn by another seat, cancelled, or drawn by its owner",
    "each poison that is drawn strikes once: hits and poisoned cards are equally many",
    "totals do not fall, and none reaches the target before the end",
    "the seat to act has something to do, a card of the row or a tile",
)


@kernel
def check(state):
    """Number of the first broken invariant, or 0."""
    out_of_line()
    table = state.table
    places, n_placed, glasses = table.row, count(table.row), 0
    for seat in range(table.players):
        places |= table.display[seat]
        n_placed += count(table.display[seat])
        glasses |= 1 << state.style[seat]
    for k in range(table.n_turned, table.players * N_COLOURS):
        places |= card_set(state.deck[k])
        n_placed += 1
    if places != table.deck or n_placed != table.players * N_COLOURS:
        return 1
    if not displays_are_as_taken(table):
        return 2
    if glasses != table.styles or not has(glasses, MARTINI) or count(glasses) != table.players:
        return 3
    if not tiles_fit(state):
        return 4
    if not antidotes_fit(state):
        return 5
    return check_scores(state)


@kernel
def displays_are_as_taken(table):
    """Whether each display holds what its seat took, by the order of the takes."""
    for seat in range(table.players):
        cards, n_takes = NO_CARDS, 0
        for n in range(table.n_taken):
            if taker(table, n) == seat:
                cards |= card_set(table.taken[n])
                n_takes += has(table.takes[seat], n)
        if cards != table.display[seat] or count(table.takes[seat]) != n_takes:
            return False
    return True


@kernel
def tiles_fit(state):
    """Whether each seat that has chosen has a tile it could choose."""
    table = state.table
    for seat in range(table.players):
        tile = state.tile[seat]
        if tile == NO_TILE:
            if table.phase == DRAFTING:
                return False
        elif state.over == 0 and has(table.spent[seat], tile):
            return False
    return True


@kernel
def antidotes_fit(state):
    """Whether each antidote that is laid may lie where it lies, and is seen if it may be."""
    table = state.table
    for seat in range(table.players):
        card = state.cover[seat]
        if table.cover[seat] != (NO_CARD if table.rules.hidden_antidote else card):
            return False
        is_own_card = card == NO_CARD or has(table.display[seat], card)
        if not is_own_card or (card != NO_CARD and state.tile[seat] != ANTIDOTE):
            return False
    return True


@kernel
def check_scores(state):
    """The invariants of scores and choices: number of the first broken one, or 0."""
    table = state.table
    rules = table.rules
    n_own, n_poisoned, n_tiles = 0, 0, 0
    best, lowest_total = NOT_SCORED, -NOT_SCORED
    for seat in range(table.players):
        n_own += table.own_drawn[seat]
        n_poisoned += table.poisoned[seat]
        n_tiles -= table.antidotes[seat]
        best = max(best, table.total[seat])
        lowest_total = min(lowest_total, table.total[seat])
    ended = table.round if state.over else table.round - 1
    n_tiles += ended * table.players
    # All cards are distributed; poisons struck are those drawn by others and not cancelled.
    n_drawn = n_poisoned + table.cured + n_own
    if rules.n_takes == table.players * N_COLOURS and n_drawn != n_tiles:
        return 6
    if table.hits > n_poisoned or (table.hits < n_poisoned and not rules.owner_denied):
        return 7
    if rules.floor and lowest_total < 0:
        return 8
    if not state.over and table.extra_rounds == 0 and best >= rules.target:
        return 8
    allowed = table.row | 1 << BLIND
    if table.phase == CHOOSING:
        allowed = ALL_TILES << FIRST_TILE
    if not state.over and (state.legal == 0 or without(state.legal, allowed) != 0):
        return 9
    return 0


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
