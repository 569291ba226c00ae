"""What a seat of 干杯 may know (section 3 of the rule sheet), and worlds that fit it.

Places around the table form a ring: the real seats, and behind them the dummy if there is one.
"""

from math import factorial

import numpy as np

from sim.core.cards import has
from sim.core.game import Words
from sim.core.jit import inlined, kernel
from sim.core.records import copy_record, record
from sim.core.rng import below, shuffle
from sim.core.state import new_round
from sim.core.strategy import me_record, strategy_form
from sim.games.kanpai import MAX_PLAYERS, N_GLASSES
from sim.games.kanpai.cards import (
    N_CARDS,
    N_RECIPES,
    NO_CARD,
    RECIPES,
    completed_recipes,
    recipe_draws,
    recipe_glasses,
)

MAX_RING = MAX_PLAYERS + 1
PLACES = 8  # MAX_RING rounded up: numbers of actions and pairs are taken apart by bits
MAX_TEAMS = 3
MAX_HAND = 4
MAX_DECK = 6 * N_CARDS
N_MEMORY = 128
NOBODY = -1
UNKNOWN = 3  # the team of a seat in masquerade

# Kinds of decision
ACT, SPLIT, OVERFLOW, CLAIM = range(4)
DECISIONS = (
    Words("a turn", "行动"),
    Words("who gets the cards of a clink", "干杯后牌给谁"),
    Words("what an overfull area loses", "溢出时弃哪张"),
    Words("whether to claim a win", "是否宣布获胜"),
)

# Actions (K-R13)
TOAST = 0  # + card * PLACES + target
SEND = TOAST + N_CARDS * PLACES  # + glass * PLACES + target
RETURN = SEND + N_GLASSES * PLACES
GIVE = RETURN + 1  # + receiver of the new card * PLACES + receiver of the matching one
DROP = GIVE + MAX_RING * PLACES  # + glass
SILENT = DROP + N_GLASSES
DECLARE = SILENT + 1

# What the action of a turn was
TOASTED, CLINKED, SENT, RETURNED, PASSED = range(5)

# Modes
BASE, MASTER, MASQUERADE, THREE_TEAMS = range(4)

RULES = record(
    ("copies", np.int64, N_CARDS),  # of each card
    ("n_cards", np.int64),  # of the whole deck
    ("mode", np.int64),
    ("n_ring", np.int64),  # real seats and the dummy
    ("dummy", np.int64),  # its seat, or NOBODY
    ("decider", np.int64, MAX_RING),  # who decides for each place: itself, or for the dummy
    ("n_teams", np.int64),
    ("teams", np.int64),  # two bits a place; in masquerade the factions before they are shuffled
    ("team_size", np.int64, MAX_TEAMS),  # real members
    ("limit", np.int64, MAX_PLAYERS),  # hand limits
    ("pairs", np.int64, MAX_RING),  # legal pairs of receivers for each target, see `split_pairs`
    ("min_opponents", np.int64),
    ("may_keep", np.int64),  # 1: cheers_target_may_keep
    ("dummy_receives", np.int64),  # 1: cheers_dummy_receiver
    ("enforced", np.int64),  # 1: masquerade with masquerade_cheers=engine_enforced
    ("active_splits", np.int64),  # 1: cheers_splitter=active
    ("active_drops", np.int64),  # 1: overflow_chooser=active
    ("dummy_wins", np.int64),  # 1: dummy_can_win
    ("master_wins", np.int64),  # 1: master_area_counts
    ("random_master", np.int64),  # 1: master_seat=random
    ("three_drawn", np.int64),  # 1: return_draw=three
    ("dummy_turn", np.int64),  # 1: turn_structure=alternate_teams
    ("toast_self", np.int64),
    ("cap", np.int64),  # the most cards of an area
    ("open_overflow", np.int64),  # 1: overflow_discard_public
    ("active_first", np.int64),  # 1: simultaneous_win=active_team_first
    ("win_shared", np.int64),  # 1: simultaneous_win=shared
    ("optional_claim", np.int64),  # 1: win_claim=optional
    ("reshuffles", np.int64),  # 1: reshuffle=when_empty
    ("empty_return", np.int64),  # 1: return_with_empty_deck=legal
    ("max_turns", np.int64),
    ("random_first", np.int64),  # 1: first_start=random
    ("recipes_differ", np.int64),  # 1: recipes_distinct=different
    ("recipes", np.int64, MAX_TEAMS),  # sets of those that a team may draw, by recipe_kinds
    ("recipes_shown", np.int64),  # 0 no, 1 to_team0, 2 to_all
)

COUNTED = record(  # what is counted out of sight for the statistics
    ("winning_cards", np.int64),  # turns with a card in hand that would complete an area
    ("undelivered", np.int64),  # of these, turns on which every such card would clink
)

TABLE = record(
    ("rules", RULES),
    ("players", np.int64),  # real seats
    ("start", np.int64),  # seat of the first turn
    ("teams", np.int64),  # two bits a place, UNKNOWN in masquerade
    ("master", np.int64, MAX_TEAMS),  # of each team, or NOBODY
    ("counting", np.int64),  # places whose area can win, as a set
    ("turn", np.int64),  # 1..
    ("place", np.int64),  # place on turn, may be the dummy's
    ("active", np.int64),  # seat that takes this turn
    ("seat", np.int64),  # seat to decide now
    ("phase", np.int64),  # what about: ACT, SPLIT, OVERFLOW or CLAIM
    ("target", np.int64),  # SPLIT: who has clinked; OVERFLOW, CLAIM: whose area it is about
    ("kind", np.int64),  # what the last action of a turn was: TOASTED .. PASSED, first NOBODY
    ("card", np.int64),  # the last new card that clinked; the matching one has big = its small
    ("area", np.int64, MAX_RING),  # multisets of big glasses
    ("n_hand", np.int64, MAX_PLAYERS),
    ("n_deck", np.int64),
    ("n_returned", np.int64, MAX_PLAYERS),  # cards in the discard area by the seat that returned
    # what a person remembers
    ("played", np.int64, N_CARDS),  # copies of each card that were toasted
    (
        "put",
        np.int64,
        MAX_RING * MAX_RING * N_GLASSES,
    ),  # glasses put by a seat on a place, `put_at`
    ("dropped", np.int64, N_GLASSES),  # glasses discarded from overfull areas, if they lie open
    ("excluded", np.int64, MAX_RING),  # recipes that an area satisfied and the game went on
    ("paired", np.int64, MAX_RING),  # pairs of receivers that each target has had, if `enforced`
    ("splitters", np.int64, MAX_RING),  # seats that have split for each target, if `enforced`
    ("passed", np.int64),  # seats that have passed since the last other action
    ("declared", np.int64),  # places whose area has been declared in this turn (optional claims)
    # counted for the measures
    ("turns", np.int64, MAX_PLAYERS),
    ("returns", np.int64, MAX_PLAYERS),
    ("clinks", np.int64),
    ("sends", np.int64),
    ("self_toasts", np.int64),
    ("dummy_toasts", np.int64),
    ("overflows", np.int64),
    ("passes", np.int64),
)

ME = me_record(
    N_MEMORY,
    ("hand", np.int64),  # set of its different cards
    ("held", np.int64, MAX_HAND),  # its cards, then NO_CARD
    ("returned", np.int64, 2),  # its own cards in the discard area, see `copies_in`
    ("team", np.int64),
    ("allies", np.int64),  # places that it knows to be of its team, itself too
    ("recipe", np.int64),  # of its team, a multiset of glasses; 0: it does not know it
    ("shown", np.int64, MAX_TEAMS),  # recipes of other teams that it has been shown, or 0
    ("known_pairs", np.int64, MAX_RING),  # of each target it has split for, if `enforced`
    # what it may do now
    ("toast_to", np.int64),  # places to which it may toast any card of its hand
    ("sends", np.int64),  # glasses that it may send
    ("send_to", np.int64),  # places to which it may send them
    ("may_return", np.int64),
    ("pairs", np.int64),  # SPLIT: legal pairs of receivers, bit x * PLACES + y
    ("drops", np.int64),  # OVERFLOW: glasses that the area can discard
)

strategy = strategy_form(TABLE, ME)


def decision_of(table):
    """What is decided now, an index of DECISIONS."""
    return table.phase


# Actions by number


@inlined
def toast(card, target):
    """Toast a card to a place."""
    return TOAST + card * PLACES + target


@inlined
def send(glass, target):
    """Send a card with this big glass from the own area to a place."""
    return SEND + glass * PLACES + target


@inlined
def give(new_to, matching_to):
    """Give the new card and the matching one away."""
    return GIVE + new_to * PLACES + matching_to


@inlined
def drop(glass):
    """Discard a card with this big glass from an overfull area."""
    return DROP + glass


# Words of the table


@inlined
def team_of(teams, seat):
    """The team of a place, or UNKNOWN."""
    return (teams >> (2 * seat)) & 3


@inlined
def put_at(seat, place, glass):
    """Where `table.put` counts the cards with this glass that a seat has put on a place."""
    return (seat * MAX_RING + place) * N_GLASSES + glass


CARDS_A_WORD, COPY_BITS = 13, 4


@inlined
def copies_in(words, first, card):
    """Copies of a card in a multiset of cards: two words from `first` on, four bits a card."""
    i = card // CARDS_A_WORD
    return (words[first + i] >> (COPY_BITS * (card - CARDS_A_WORD * i))) & 15


@inlined
def pair_bit(x, y):
    """The bit of the ordered pair of receivers x (new card) and y (matching card)."""
    return 1 << (x * PLACES + y)


@kernel
def split_pairs(rules, teams, target):
    """K-R06: the pairs of different places that may receive the cards of a clink of the target.

    At least `min_opponents` of them are of another team, or as many as there can be.
    """
    least = rules.min_opponents
    while True:
        pairs = 0
        for x in range(rules.n_ring):
            for y in range(rules.n_ring):
                opponents = 1 if team_of(teams, x) != team_of(teams, target) else 0
                opponents += 1 if team_of(teams, y) != team_of(teams, target) else 0
                may_receive = _may_receive(rules, x, target) and _may_receive(rules, y, target)
                if x != y and may_receive and opponents >= least:
                    pairs |= pair_bit(x, y)
        if pairs != 0 or least == 0:
            return pairs
        least -= 1


@kernel
def _may_receive(rules, place, target):
    if place == rules.dummy and not rules.dummy_receives:
        return False
    return place != target or rules.may_keep != 0


@inlined
def observe(state, me):
    """Give the seat to act what it knows for itself, and what it may do."""
    table = state.table
    rules = table.rules
    seat = table.seat
    me.hand = state.hand[seat]
    for k in range(MAX_HAND):
        me.held[k] = state.held[seat * MAX_HAND + k]
    me.returned[0] = state.returned[2 * seat]
    me.returned[1] = state.returned[2 * seat + 1]
    me.team = team_of(state.teams, seat)
    me.allies = state.allies[seat]
    me.recipe = state.known_recipe[seat]
    if rules.recipes_shown:
        for team in range(MAX_TEAMS):
            me.shown[team] = state.recipe[team] if is_shown(state, seat, team) else 0
    if rules.enforced:
        for target in range(table.players):
            has_split = has(table.splitters[target], seat)
            me.known_pairs[target] = split_pairs(rules, state.teams, target) if has_split else 0
    me.toast_to = state.toast_to
    me.sends = state.sends
    me.send_to = state.send_to
    me.may_return = state.may_return
    me.pairs = state.pairs
    me.drops = state.drops


@kernel
def is_shown(state, seat, team):
    """Switch `recipes_shown`: whether the seat knows the recipe of this other team."""
    own = team_of(state.teams, seat)
    is_seer = state.table.rules.recipes_shown == 2 or own == 0
    return team != own and is_seer and state.known_recipe[seat] != 0


# Worlds


@kernel
def sample_world(table, me, rng, world):
    """Fill `world` with a full state that fits what the seat knows; future chance is new.

    Unseen cards are split over the other hands, the deck and what others have returned, each way
    with the same probability. Unknown factions and recipes have the probabilities of the draws of
    tokens, given all that is certain: whose area satisfied which recipe while the game went on.
    """
    copy_record(world.table, table)
    world.over = 0
    world.status = 0
    world.winners = 0
    world.won_at = NOBODY
    world.counted.winning_cards = 0
    world.counted.undelivered = 0
    world.dealer.seed = below(rng, 1 << 62)
    world.dealer.deal = 0
    world.dealer.turn = 0
    new_round(world.dealer, 1)
    _draw_teams(table, me, rng, world)
    _deal_unseen(table, me, rng, world)
    _know(table, me, world)
    world.toast_to = me.toast_to
    world.sends = me.sends
    world.send_to = me.send_to
    world.may_return = me.may_return
    world.pairs = me.pairs
    world.drops = me.drops


@kernel
def _draw_teams(table, me, rng, world):
    """Draw the teams where they are hidden, and the recipes that the seat does not know."""
    rules = table.rules
    while True:
        world.teams = table.teams
        if rules.mode == MASQUERADE:
            world.teams = _draw_factions(table, me, rng)
        for team in range(MAX_TEAMS):
            world.recipe[team] = 0
        differ = True
        for team in range(rules.n_teams):
            if team == me.team and me.recipe != 0:
                world.recipe[team] = me.recipe
            elif me.shown[team] != 0:
                world.recipe[team] = me.shown[team]
            else:
                world.recipe[team] = draw_recipe(
                    _possible_recipes(table, me, world.teams, team), rng
                )
            for other in range(team):
                if world.recipe[other] == world.recipe[team]:
                    differ = False
        # Recipes drawn all anew until they differ: no set of different ones is favoured.
        if differ or not rules.recipes_differ:
            return


@kernel
def _possible_recipes(table, me, teams, team):
    """Recipes that nothing certain excludes for a team, as a set, if these are the teams."""
    if team == me.team and me.recipe != 0:
        possible = _recipe_set(me.recipe)
    elif me.shown[team] != 0:
        possible = _recipe_set(me.shown[team])
    else:
        possible = table.rules.recipes[team]
        if table.rules.recipes_differ and me.recipe != 0:
            possible &= ~_recipe_set(me.recipe)
    for place in range(table.rules.n_ring):
        if team_of(teams, place) == team:
            possible &= ~table.excluded[place]
            if has(table.declared, place):
                possible &= completed_recipes(table.area[place])
    return possible


@kernel
def _recipe_set(recipe):
    """The set of this one recipe, given as a multiset of glasses."""
    found = 0
    for index in range(N_RECIPES):
        if recipe_glasses(index) == recipe:
            found = 1 << index
    return found


@kernel
def _draws_of(recipes):
    """How many of the 280 draws of tokens give one of these recipes."""
    draws = 0
    for index in range(N_RECIPES):
        if has(recipes, index):
            draws += recipe_draws(index)
    return draws


@kernel
def draw_recipe(recipes, rng):
    """One of these recipes, with the probabilities of the draws of tokens."""
    left = below(rng, _draws_of(recipes))
    for index in range(N_RECIPES):
        if has(recipes, index):
            left -= recipe_draws(index)
            if left < 0:
                return recipe_glasses(index)
    return 0


@kernel
def _draw_factions(table, me, rng):
    """One of the ways to spread the faction tokens, with the probability of what is known."""
    total = 0
    for code in range(table.rules.n_teams**table.players):
        total += _draws_of_factions(table, me, _factions(table, code))
    left = below(rng, total)
    code = -1
    while left >= 0:
        code += 1
        left -= _draws_of_factions(table, me, _factions(table, code))
    return _factions(table, code)


@kernel
def _factions(table, code):
    """The teams that a number stands for, read as digits to the base of the factions."""
    teams = 0
    for seat in range(table.players):
        teams |= (code % table.rules.n_teams) << (2 * seat)
        code //= table.rules.n_teams
    return teams


@kernel
def _draws_of_factions(table, me, teams):
    """How many draws of the recipes go with these factions; 0 where something certain forbids."""
    rules = table.rules
    if team_of(teams, me.seat) != me.team:
        return 0
    for team in range(rules.n_teams):
        n = 0
        for seat in range(table.players):
            n += 1 if team_of(teams, seat) == team else 0
        if n != rules.team_size[team]:
            return 0
    for seat in range(table.players):  # who is asked is not of a team that has declared
        if has(table.declared, seat) and team_of(teams, seat) == me.team:
            return 0
    if rules.enforced:
        for target in range(table.players):
            pairs = split_pairs(rules, teams, target)
            if table.paired[target] & ~pairs != 0:
                return 0
            if me.known_pairs[target] != 0 and me.known_pairs[target] != pairs:
                return 0
    draws = 1
    for team in range(rules.n_teams):
        possible = _possible_recipes(table, me, teams, team)
        if team == me.team or me.shown[team] != 0:
            draws *= 1 if possible != 0 else 0
        else:
            draws *= _draws_of(possible)
    return draws


@kernel
def _deal_unseen(table, me, rng, world):
    """Deal the cards that the seat has not seen to the hands, the discards and the deck."""
    rules = table.rules
    n = 0
    for card in range(N_CARDS):
        unseen = rules.copies[card] - table.played[card] - copies_in(me.returned, 0, card)
        for k in range(MAX_HAND):
            unseen -= 1 if me.held[k] == card else 0
        for _ in range(unseen):
            world.deck[n] = card
            n += 1
    shuffle(rng, world.deck, n)
    for seat in range(MAX_PLAYERS):
        world.hand[seat] = 0
        world.returned[2 * seat] = 0
        world.returned[2 * seat + 1] = 0
        for k in range(MAX_HAND):
            world.held[seat * MAX_HAND + k] = me.held[k] if seat == me.seat else NO_CARD
        if seat == me.seat:
            world.hand[seat] = me.hand
            world.returned[2 * seat] = me.returned[0]
            world.returned[2 * seat + 1] = me.returned[1]
        elif seat < table.players:
            for k in range(table.n_hand[seat]):
                n -= 1
                hold(world, seat, k, world.deck[n])
            for _ in range(table.n_returned[seat]):
                n -= 1
                put_back(world, seat, world.deck[n])
    lay_deck(world, n)


@inlined
def hold(state, seat, n, card):
    """Put a card into a hand of `n`, which stay in ascending order."""
    first = seat * MAX_HAND
    k = first + n
    while k > first and state.held[k - 1] > card:
        state.held[k] = state.held[k - 1]
        k -= 1
    state.held[k] = card
    state.hand[seat] |= 1 << card


@inlined
def top_of_deck(table):
    """Where the top card of the draw pile lies: the bottom one is always at the same place."""
    return table.rules.n_cards - table.n_deck


@kernel
def lay_deck(state, n):
    """Make a draw pile of the first `n` cards of the deck, in this order."""
    top = state.table.rules.n_cards - n
    for i in range(n - 1, -1, -1):
        state.deck[top + i] = state.deck[i]
    for i in range(MAX_DECK):
        if i < top or i >= top + n:
            state.deck[i] = 0


@kernel
def put_back(state, seat, card):
    """Note a card that the seat has returned."""
    i = card // CARDS_A_WORD
    state.returned[2 * seat + i] += 1 << (COPY_BITS * (card - CARDS_A_WORD * i))


@kernel
def _know(table, me, world):
    """Give each seat of the world what it knows there, and find where a claim is asked for."""
    share_knowledge(world)
    world.claim_step = 0
    while table.phase == CLAIM and claim_place(world) != table.target:
        place = claim_place(world)
        if place != NOBODY and has(table.declared, place):
            world.won_at = place if world.winners == 0 else world.won_at
            world.winners |= 1 << team_of(world.teams, place)
        world.claim_step += 1


@kernel
def share_knowledge(state):
    """Tell each seat who its known allies are and what its recipe is (section 3)."""
    table = state.table
    for seat in range(MAX_PLAYERS):
        state.allies[seat] = 0
        state.known_recipe[seat] = 0
    for seat in range(table.players):
        team = team_of(state.teams, seat)
        state.allies[seat] = 1 << seat
        for place in range(table.rules.n_ring):
            if team_of(table.teams, place) == team:
                state.allies[seat] |= 1 << place
        if table.rules.mode != MASTER or table.master[team] == seat:
            state.known_recipe[seat] = state.recipe[team]


def deals_like(state):
    """In how many ways the hidden facts can come about, equal cards and tokens told apart."""
    ways = 1
    for team in range(state.table.rules.n_teams):
        index = [*map(int, RECIPES)].index(state.recipe[team])
        ways *= recipe_draws(index)
    for card in range(N_CARDS):
        hands = [0] * MAX_PLAYERS
        for i in range(MAX_PLAYERS * MAX_HAND):
            hands[i // MAX_HAND] += state.held[i] == card
        returned = [copies_in(state.returned, 2 * seat, card) for seat in range(MAX_PLAYERS)]
        ways *= factorial(state.table.rules.copies[card])
        for n in hands + returned:
            ways //= factorial(n)
    return ways


@inlined
def n_claim_steps(rules):
    """Steps of the win check: around the table, twice where one team comes first."""
    return 2 * rules.n_ring if rules.active_first else rules.n_ring


@inlined
def claim_place(state):
    """The place whose area is looked at in this step of the win check, or NOBODY.

    Clockwise from the active seat; with `active_team_first` the areas of its team come before.
    """
    table = state.table
    n, step = table.rules.n_ring, state.claim_step
    place = table.active + (step if step < n else step - n)
    place = place if place < n else place - n
    if table.rules.active_first:
        is_of_team = team_of(state.teams, place) == team_of(state.teams, table.active)
        return place if is_of_team == (step < n) else NOBODY
    return place
