"""The start of a game of 干杯: an empty table, teams, recipes, hands and the draw pile."""

from sim.core.jit import inlined, kernel
from sim.core.rng import below, shuffle
from sim.core.state import FINISHED
from sim.games.kanpai import MAX_PLAYERS, N_GLASSES
from sim.games.kanpai.cards import N_CARDS, NO_CARD
from sim.games.kanpai.view import (
    MASQUERADE,
    MASTER,
    MAX_DECK,
    MAX_HAND,
    MAX_RING,
    MAX_TEAMS,
    NOBODY,
    draw_recipe,
    hold,
    team_of,
    top_of_deck,
)


@kernel
def clear(state):
    """Empty the table and what is counted."""
    table = state.table
    for place in range(MAX_RING):
        table.area[place] = 0
        table.excluded[place] = 0
        table.paired[place] = 0
        table.splitters[place] = 0
    for seat in range(MAX_PLAYERS):
        table.n_hand[seat] = 0
        table.n_returned[seat] = 0
        table.turns[seat] = 0
        table.returns[seat] = 0
        state.returned[2 * seat] = 0
        state.returned[2 * seat + 1] = 0
    for card in range(N_CARDS):
        table.played[card] = 0
    for i in range(MAX_RING * MAX_RING * N_GLASSES):
        table.put[i] = 0
    for glass in range(N_GLASSES):
        table.dropped[glass] = 0
    table.kind = NOBODY
    table.card = NO_CARD
    table.passed = 0
    table.declared = 0
    table.clinks = 0
    table.sends = 0
    table.self_toasts = 0
    table.dummy_toasts = 0
    table.overflows = 0
    table.passes = 0
    state.over = 0
    state.status = FINISHED
    state.winners = 0
    state.won_at = NOBODY
    state.counted.winning_cards = 0
    state.counted.undelivered = 0


@kernel
def form_teams(state):
    """K-R02: the teams of the layout, or factions by tokens; masters; whose area can win."""
    table = state.table
    rules, chance = table.rules, state.dealer.chance
    state.teams = rules.teams
    table.teams = rules.teams
    if rules.mode == MASQUERADE:
        for seat in range(table.players):
            state.deck[seat] = team_of(rules.teams, seat)
        shuffle(chance, state.deck, table.players)
        state.teams = 0
        for seat in range(table.players):
            state.teams |= state.deck[seat] << (2 * seat)
        table.teams = (1 << (2 * MAX_RING)) - 1
    for team in range(MAX_TEAMS):
        table.master[team] = NOBODY
    table.counting = (1 << rules.n_ring) - 1
    if rules.dummy != NOBODY and not rules.dummy_wins:
        table.counting ^= 1 << rules.dummy
    if rules.mode == MASTER:
        for team in range(rules.n_teams):
            member = below(chance, rules.team_size[team]) if rules.random_master else 0
            table.master[team] = member_of(state, team, member)
            if not rules.master_wins:
                table.counting ^= 1 << table.master[team]


@kernel
def member_of(state, team, k):
    """The real seat of a team that has `k` members before it."""
    seat = 0
    while team_of(state.teams, seat) != team or k > 0:
        k -= 1 if team_of(state.teams, seat) == team else 0
        seat += 1
    return seat


@kernel
def draw_recipes(state):
    """K-R03: a recipe for each team; drawn all anew until they differ, where they must."""
    rules = state.table.rules
    while True:
        differ = True
        for team in range(MAX_TEAMS):
            state.recipe[team] = 0
        for team in range(rules.n_teams):
            state.recipe[team] = draw_recipe(rules.recipes[team], state.dealer.chance)
            for other in range(team):
                if state.recipe[other] == state.recipe[team]:
                    differ = False
        if differ or not rules.recipes_differ:
            return


@kernel
def deal(state):
    """K-R04: shuffle the deck and deal by places, a card at a time; the rest is the draw pile.

    Hand i goes to place i, counted from the start seat and turned by `dealer.turn`.
    """
    table = state.table
    rules = table.rules
    n = 0
    for card in range(N_CARDS):
        for _ in range(rules.copies[card]):
            state.deck[n] = card
            n += 1
    shuffle(state.dealer.cards, state.deck, n)
    for seat in range(MAX_PLAYERS):
        state.hand[seat] = 0
        for k in range(MAX_HAND):
            state.held[seat * MAX_HAND + k] = NO_CARD
    table.n_deck = n
    for k in range(MAX_HAND):
        for place in range(table.players):
            seat = (table.start + state.dealer.turn + place) % table.players
            if k < rules.limit[seat]:
                draw_card(state, seat)
    for i in range(n, MAX_DECK):
        state.deck[i] = 0


@inlined
def draw_card(state, seat):
    """The seat takes the top card of the deck, which must not be empty."""
    table = state.table
    top = top_of_deck(table)
    card = state.deck[top]
    state.deck[top] = 0
    table.n_deck -= 1
    hold(state, seat, table.n_hand[seat], card)
    table.n_hand[seat] += 1
