"""What a seat of Cocktail Poison may know (section 3 of the rule sheet), and worlds that fit it."""

import numpy as np

from sim.core.cards import NO_CARD, NO_CARDS, card_set, count, first_cards, has, kth, without
from sim.core.game import Words
from sim.core.jit import inlined, kernel
from sim.core.records import copy_record, record
from sim.core.rng import below
from sim.core.strategy import me_record, strategy_form
from sim.games.cocktail_poison.cards import (
    ALL_TILES,
    ANTIDOTE,
    N_CARDS,
    N_COLOURS,
    N_STYLES,
    NO_TILE,
    POISONS,
    cards_of_style,
)

MAX_PLAYERS = 6
N_MEMORY = 32

# Kinds of decision, which are the phases of a round
CHOOSING, DRAFTING = range(2)
DECISIONS = (
    Words("which tile to lay face down", "扣下哪块毒片"),
    Words("which glass to take", "拿哪个杯子"),
)

RULES = record(
    ("first_edition", np.int64),  # 1: edition=1
    ("random_glasses", np.int64),  # 1: glass_selection=martini_random
    ("row_first", np.int64),  # 1: tile_choice_timing=after_row
    ("tiles_spent", np.int64),  # 1: tiles_return=spent_until_all_used
    ("row_size", np.int64),
    ("row_when_empty", np.int64),  # 1: row_refill=when_empty
    ("blind_draw", np.int64),  # 1: blind_draw=on
    ("any_time", np.int64),  # 1: antidote_window=any_time_in_round
    ("hidden_antidote", np.int64),  # 1: antidote_visibility=hidden
    ("own_is_clean", np.int64),  # 1: own_poison_draw=clean
    ("own_poisons", np.int64),  # 1: own_poison_draw=self_poisoned
    ("penalty_once", np.int64),  # 1: multi_poison_penalty=once
    ("owner_denied", np.int64),  # 1: uncancelled_owner=denied
    ("cured_is_clean", np.int64),  # 1: antidote_success_clean=yes
    ("holder_never_clean", np.int64),  # 1: clean_for_antidote_holder=no
    ("floor", np.int64),  # 1: round_floor=net_zero
    ("target", np.int64),
    ("end_tie", np.int64),  # 0 shared, 1 extra round, 2 fewest poisoned
    ("clockwise_start", np.int64),  # 1: next_start=clockwise
    ("random_first", np.int64),  # 1: first_start=random
    ("max_rounds", np.int64),
    ("snake", np.int64),  # 1: pick_order=snake
    ("n_takes", np.int64),  # takes of a round
    ("even_laps", np.int64),  # the first take of laps 0, 2, ..., as a set of their numbers
    ("odd_laps", np.int64),  # of laps 1, 3, ...
    ("antidote_reward", np.int64),
    ("owner_loses", np.int64),  # 1: cancelled_owner=loses_one
    ("poison_reward", np.int64),
    ("missing", np.int64),  # tiles that no seat has, as a set: the antidote with antidote_tile=no
)

TABLE = record(
    ("rules", RULES),
    ("players", np.int64),
    ("round", np.int64),  # 1..
    ("start", np.int64),  # seat that takes first in this round
    ("first_start", np.int64),  # of the game
    ("total", np.int64, MAX_PLAYERS),  # running totals
    ("phase", np.int64),  # CHOOSING tiles, or DRAFTING
    ("seat", np.int64),  # seat to act
    # this round
    ("styles", np.int64),  # styles in use, as a set
    ("deck", np.int64),  # all cards of the round
    ("row", np.int64),  # the face-up cards
    ("since", np.int64, N_CARDS),  # takes before each card was turned up
    ("slot", np.int64, N_CARDS),  # place in the row of a card that came with a whole row
    ("display", np.int64, MAX_PLAYERS),  # card set before each seat
    ("cover", np.int64, MAX_PLAYERS),  # card under each seat's antidote, if it is seen, or NO_CARD
    ("n_taken", np.int64),  # takes so far
    ("taken", np.int64, N_CARDS),  # the card of each take
    ("offer", np.int64, N_CARDS),  # the row before each take
    ("blind", np.int64),  # takes from the top of the pile, as a set of their numbers
    ("n_turned", np.int64),  # cards of the deck that have been turned up
    # the round before, revealed
    ("last_style", np.int64, MAX_PLAYERS),
    ("last_tile", np.int64, MAX_PLAYERS),  # NO_TILE in the first round
    ("last_display", np.int64, MAX_PLAYERS),
    ("last_cover", np.int64, MAX_PLAYERS),
    ("last_score", np.int64, MAX_PLAYERS),  # before the floor
    ("last_hit", np.int64, MAX_PLAYERS),  # 1: the seat's poison struck somebody else
    # this game
    ("spent", np.int64, MAX_PLAYERS),  # tiles that are out, as a set, the missing ones too
    ("poisoned", np.int64, MAX_PLAYERS),  # uncovered poisons of others drawn
    ("own_drawn", np.int64, MAX_PLAYERS),
    ("antidotes", np.int64, MAX_PLAYERS),  # rounds with the antidote as tile
    ("antidote_points", np.int64, MAX_PLAYERS),
    ("first_round", np.int64, MAX_PLAYERS),  # scores of the first round
    ("hits", np.int64),  # poisons that struck, of all seats
    ("cured", np.int64),  # poisons that were cancelled
    ("multiple", np.int64),  # times that a seat drew two or more poisons in a round
    ("extra_rounds", np.int64),  # played after a total had reached the target
)

ME = me_record(
    N_MEMORY,
    ("style", np.int64),  # of the own glass
    ("tile", np.int64),  # chosen in this round, or NO_TILE
    ("cover", np.int64),  # card under the own antidote, or NO_CARD
    ("legal", np.int64),  # what may be picked: cards, the top of the pile, tiles
    ("lays", np.int64),  # how the antidote may be laid, as a set
)

strategy = strategy_form(TABLE, ME)


def decision_of(table):
    """What is decided now, an index of DECISIONS."""
    return table.phase


@inlined
def observe(state, me):
    """Give the seat to act its glass, its tile, its antidote, and what it may do."""
    seat = state.table.seat
    me.style = state.style[seat]
    me.tile = state.tile[seat]
    me.cover = state.cover[seat]
    me.legal = state.legal
    me.lays = state.lays


@inlined
def next_seat(table, seat):
    """The next seat clockwise."""
    return seat + 1 if seat + 1 < table.players else 0


@inlined
def place_of(table, seat):
    """The place of a seat in this round, from 0 at its start seat."""
    place = seat - table.start
    return place if place >= 0 else place + table.players


@inlined
def taker(table, take):
    """C-R04: the seat whose take number `take`, from 0, is: clockwise, or in a snake."""
    lap = take // table.players
    place = take - lap * table.players
    if table.rules.snake and lap & 1:
        place = table.players - 1 - place
    seat = table.start + place
    return seat if seat < table.players else seat - table.players


@inlined
def takes_of(table, seat):
    """C-R04: the takes of a seat so far, one a lap, as a set of their numbers."""
    place = place_of(table, seat)
    back = table.players - 1 - place if table.rules.snake else place
    takes = table.rules.even_laps << place | table.rules.odd_laps << back
    return takes & first_cards(table.n_taken)


@inlined
def n_pile(table):
    """Cards left in the face-down pile."""
    return table.players * N_COLOURS - table.n_turned


@inlined
def taken_cards(table):
    """All cards that lie in displays."""
    cards = NO_CARDS
    for seat in range(table.players):
        cards |= table.display[seat]
    return cards


@inlined
def cards_of_styles(styles):
    """All drink cards of a set of styles."""
    cards = NO_CARDS
    for style in range(N_STYLES):
        if has(styles, style):
            cards |= cards_of_style(style)
    return cards


@kernel
def sample_world(table, me, rng, world):
    """Fill `world` with a full state that fits what the seat knows; future chance is new.

    The other styles go to the other seats in any order. Each seat that has chosen has any tile it
    can have: the antidote if it was seen to lay it; a hidden antidote lies on none or on one of the
    seat's cards. The pile has any order. Each such world has the same probability.
    """
    copy_record(world.table, table)
    world.over = 0
    world.legal = me.legal
    world.lays = me.lays
    world.dealer.seed = below(rng, 1 << 62)
    world.dealer.deal = 0
    world.dealer.turn = 0
    free = without(table.styles, 1 << me.style)
    for seat in range(table.players):
        if seat == me.seat:
            world.style[seat] = me.style
            world.tile[seat] = me.tile
            world.cover[seat] = me.cover
        else:
            world.style[seat] = kth(free, below(rng, count(free)))
            free = without(free, 1 << world.style[seat])
            _draw_tile(table, me, rng, world, seat)
    _draw_pile(table, rng, world)


@kernel
def has_chosen(table, me, seat):
    """Whether another seat has chosen its tile for this round."""
    return table.phase == DRAFTING or place_of(table, seat) < place_of(table, me.seat)


@kernel
def possible_tiles(table, seat):
    """C-R05: the tiles that a seat may have, by what everybody has seen."""
    if table.cover[seat] != NO_CARD:
        return card_set(ANTIDOTE)
    return without(ALL_TILES, table.spent[seat])


@kernel
def _draw_tile(table, me, rng, world, seat):
    """Draw the tile of another seat, and the card under its antidote if that is not seen."""
    world.tile[seat] = NO_TILE
    world.cover[seat] = table.cover[seat]
    if not has_chosen(table, me, seat):
        return
    tiles = possible_tiles(table, seat)
    poisons = count(tiles & POISONS)
    ways = count(tiles)  # of a tile, and of a place of the antidote where it is hidden
    if table.rules.hidden_antidote and has(tiles, ANTIDOTE):
        ways += count(table.display[seat])
    way = below(rng, ways)
    if way < poisons:
        world.tile[seat] = kth(tiles, way)
        return
    world.tile[seat] = ANTIDOTE
    if way > poisons:
        world.cover[seat] = kth(table.display[seat], way - poisons - 1)


@kernel
def _draw_pile(table, rng, world):
    """Put the cards that nobody has seen in any order."""
    unseen = without(table.deck, table.row | taken_cards(table))
    for k in range(table.n_turned, table.players * N_COLOURS):
        world.deck[k] = kth(unseen, below(rng, count(unseen)))
        unseen = without(unseen, card_set(world.deck[k]))
