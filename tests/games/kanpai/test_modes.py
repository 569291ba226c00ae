"""The rules of 干杯, asked of the kernels: modes, knowledge, switches.

Areas and cards are text, see `positions`. The ids are those of the rule sheet.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest
from scipy import stats

from sim.core.jit import JIT
from sim.games.kanpai.view import MAX_HAND, UNKNOWN, team_of
from tests.games.kanpai.positions import (
    DECK,
    Cheers,
    as_text,
    at_table,
    glasses,
    hand_sizes,
    started,
    started_with,
)
from tests.positions import argument

pytestmark = pytest.mark.both_modes

UNLIKELY = 1e-5  # a test of chance fails below; its seeds are fixed
FILL = "P/g P/g P/g"  # a hand that does not matter


# Modes


def test_k38_master_and_apprentices() -> None:
    def play(seat: int, **switches: Any) -> Cheers:
        areas = ["GRBY" if place == seat else "" for place in range(4)]
        hands = ["Y/p" if place == seat else FILL for place in range(4)]
        game = at_table(*areas, hands=hands, active=seat, mode="master", **switches)
        assert list(game.table.master[:2]) == [0, 1]
        assert (game.observe().recipe == 0) == (seat == 2)
        return game.act(f"toast Y/p {seat}")

    assert not play(0).is_over
    assert play(2).winners() == [0, 2]
    assert play(0, master_area_counts="yes").winners() == [0, 2]
    assert play(2, master_area_counts="yes").winners() == [0, 2]


def test_master_of_a_team_with_a_dummy() -> None:
    game = at_table("", "", "", "", "", "RRBG", hands=("B/p",), players=5, mode="master")
    assert game.act("toast B/p 5").winners() == [1, 3]  # the dummy counts as an apprentice
    masters = {
        tuple(started_with(deal, 6, mode="master", master_seat="random").table.master[:2])
        for deal in range(60)
    }
    assert masters == {*itertools.product((0, 2, 4), (1, 3, 5))}


def test_k39_masquerade_shows_only_the_own_faction() -> None:
    game = at_table(mode="masquerade")
    me = game.observe()
    assert [team_of(game.table.teams, seat) for seat in range(4)] == [UNKNOWN] * 4
    assert me.team == team_of(game.state.teams, 0)
    assert me.allies == 1
    assert as_text(me.recipe) == as_text(game.state.recipe[me.team])


def test_masquerade_spreads_the_tokens_evenly() -> None:
    n = 1800 if JIT else 360
    seen: Counter[int] = Counter()
    for deal in range(n):
        game = started_with(deal, 4, mode="masquerade")
        seen[game.state.teams] += 1
    assert len(seen) == 6
    assert stats.chisquare([*seen.values()]).pvalue > UNLIKELY


@pytest.mark.parametrize(
    ("players", "factions", "sizes"),
    [
        (3, "auto", [1, 2]),
        (4, "auto", [2, 2]),
        (5, "auto", [2, 3]),
        (6, "auto", [2, 2, 2]),
        (6, [3, 3], [3, 3]),
        (6, [1, 4, 1], [1, 1, 4]),
    ],
)
def test_masquerade_factions(players: int, factions: Any, sizes: list[int]) -> None:
    game = started(players, mode="masquerade", masquerade_factions=factions)
    teams = Counter(team_of(game.state.teams, seat) for seat in range(players))
    assert sorted(teams.values()) == sizes
    assert game.table.rules.n_ring == players  # no dummy


def test_masquerade_may_enforce_an_opponent() -> None:
    for deal in range(20):
        game = started_with(deal, 5, mode="masquerade", masquerade_cheers="engine_enforced")
        teams = [team_of(game.state.teams, seat) for seat in range(5)]
        areas = ["" if seat else "B" for seat in range(5)]
        game.lay(areas, ("Y/b",), DECK, ("GRBYY", "RRBBG"), 0).act("toast Y/b 0")
        mates = [seat for seat in range(1, 5) if teams[seat] == teams[0]]
        illegal = {*itertools.permutations(mates, 2)}
        assert game.pairs() == {*itertools.permutations(range(1, 5), 2)} - illegal


@pytest.mark.parametrize(
    ("players", "teams"),
    [(3, [0, 1, 2]), (4, [0, 1, 2, 0]), (5, [0, 1, 2, 0, 1]), (6, [0, 1, 2, 0, 1, 2])],
)
def test_k40_three_teams(players: int, teams: list[int]) -> None:
    game = started(players, mode="three_teams", three_teams_uneven="yes")
    assert [team_of(game.table.teams, seat) for seat in range(players)] == teams
    assert game.table.rules.n_ring == players


def acting_seats(game: Cheers, n: int) -> list[int]:
    seats = []
    for _ in range(n):
        seats.append(game.asked)
        game.act("return")
    return seats


def test_k41_alternate_teams() -> None:
    game = at_table(players=3, turn_structure="alternate_teams", deck="R/g " * 60)
    assert acting_seats(game, 9) == [0, 1, 2, 1, 0, 1, 2, 1, 0]
    assert list(game.table.turns[:3]) == [3, 5, 2]
    five = at_table(players=5, turn_structure="alternate_teams", deck="R/g " * 60)
    assert acting_seats(five, 7) == [0, 1, 2, 3, 4, 1, 0]


def test_k41_clockwise_from_the_seat_that_acts() -> None:
    # Seat 1 acts at the dummy's place 3 and completes seats 2 and 3: seat 2 comes first after 1.
    game = at_table(
        *("B", "", "GRBY", "RRBG"),
        hands=(FILL, "Y/b " * 4),
        players=3,
        active=3,
        turn_structure="alternate_teams",
    )
    assert game.asked == 1
    assert game.act("toast Y/b 0", "split 2 3").winners() == [0, 2]


# Limits and information


def test_k42_the_cap() -> None:
    game = at_table(max_turns=10, deck="R/g " * 60)
    assert len(acting_seats(game, 9)) == 9
    assert not game.is_over
    game.act("return")
    assert game.is_over
    assert (game.outcome()["status"], game.outcome()["rounds"]) == (1, 10)
    assert game.winners() == []


def test_k42_a_win_in_the_last_turn_counts() -> None:
    assert at_table("GRBYYP", max_turns=1).act("send P 1").outcome()["status"] == 0
    stuck = at_table(hands=("Y/b", "", "", ""), deck="", max_turns=5).act("return")
    assert stuck.outcome()["status"] == 2  # all stuck comes before the cap


def test_k43_hidden_facts_are_not_observed() -> None:
    game = at_table("RB", "GY", hands=("Y/b", "R/g", "B/g", "P/g"), deck="R/y G/y")
    before = bytes(game.observe().data), bytes(game.table.data)
    state = game.state
    first = [state.held[seat * MAX_HAND] for seat in range(4)]
    state.held[1 * MAX_HAND], state.held[2 * MAX_HAND] = first[2], first[1]
    state.hand[1], state.hand[2] = state.hand[2], state.hand[1]
    top = game.table.rules.n_cards - 2
    state.held[3 * MAX_HAND], state.deck[top] = state.deck[top], first[3]
    state.hand[3] = 1 << state.held[3 * MAX_HAND]
    state.recipe[1] = glasses("PPYYR")
    game.view.share_knowledge(argument(state))
    assert game.broken() == ""
    assert (bytes(game.observe().data), bytes(game.table.data)) == before


# Switches in combination


def test_k45_returned_cards_are_drawn_again() -> None:
    game = at_table(hands=("Y/b Y/g Y/r",), deck="", reshuffle="when_empty").act("return")
    assert (game.hand(0), game.table.n_deck) == ("Y/b Y/g Y/r", 0)
    assert list(game.table.n_returned[:4]) == [0, 0, 0, 0]
    kinds = [event["type"] for event in game.events()]
    assert kinds == ["return", "reshuffle", "draw", "areas", "turn"]


def test_a_refill_goes_on_with_the_new_deck() -> None:
    game = at_table(hands=("Y/b Y/g Y/r", "R/b R/y R/p"), deck="G/r", reshuffle="when_empty")
    game.act("return")  # draws G/r and two of its own three
    assert game.table.n_deck == 1
    events = game.events()
    assert [event["type"] for event in events[1:4]] == ["draw", "reshuffle", "draw"]
    assert [len(events[1]["cards"]), len(events[3]["cards"])] == [1, 2]
    assert sorted(events[2]["deck"]) == ["Y/b", "Y/g", "Y/r"]


def test_a_pass_that_draws_does_not_count() -> None:
    # Four returned cards, three drawn: one is left for seat 2, who has nothing.
    game = at_table(
        hands=(FILL, "Y/g Y/g Y/b Y/b", ""),
        deck="",
        players=3,
        active=1,
        reshuffle="when_empty",
        return_draw="three",
    ).act("return")
    kinds = [event["type"] for event in game.events()]
    assert kinds[4:8] == ["turn", "pass", "draw", "areas"]
    assert (game.table.passed, game.table.passes) == (0, 1)


@pytest.mark.parametrize(
    ("players", "switches", "limits", "ring"),
    [
        (3, {"use_dummy": "no"}, [3, 4, 3], 3),
        (3, {"use_dummy": "no", "short_team_hand": 3}, [3, 3, 3], 3),
        (3, {"mode": "three_teams"}, [3, 3, 3], 3),
        (5, {"mode": "masquerade"}, [3] * 5, 5),
        (4, {"team_layout": [0, 1, 1, 1]}, [4, 3, 3, 3], 5),
        (6, {"team_layout": [1, 1, 1, 1, 0, 0]}, [3, 3, 3, 3, 4, 4], 7),
        (6, {"team_layout": [0, 0, 0, 1, 1, 1]}, [3] * 6, 6),
    ],
)
def test_k46_hand_limits(
    players: int, switches: dict[str, Any], limits: list[int], ring: int
) -> None:
    game = started(players, **switches)
    assert hand_sizes(game) == limits
    assert game.table.rules.n_ring == ring
    if ring > players:
        assert game.table.rules.dummy == players
        assert limits[game.table.rules.decider[players]] == max(limits)
        assert team_of(game.table.teams, players) == team_of(
            game.table.teams, game.table.rules.decider[players]
        )


def test_k47_win_shares() -> None:
    four = at_table("", "RRBG", hands=("", "B/p"), active=1).act("toast B/p 1")
    assert four.shares() == [0, 0.5, 0, 0.5]
    three = at_table("", "RRBG", hands=("", "B/p"), players=3, active=1).act("toast B/p 1")
    assert (three.shares(), three.outcome()["shared"]) == ([0, 1, 0], 0)
    both = at_table(
        *("GRBY", "RRBG", "B"), hands=(FILL, "Y/b"), players=3, active=1, simultaneous_win="shared"
    ).act("toast Y/b 2", "split 0 1")
    assert both.shares() == [0.25, 0.5, 0.25]


def test_k49_the_place_of_the_dummy_is_passed_over() -> None:
    game = at_table(players=3, active=2, deck="R/g " * 60)
    seats = []
    for _ in range(6):
        seats.append(game.asked)
        game.act("return")
        assert hand_sizes(game) == [3, 4, 3]
    assert seats == [2, 0, 1, 2, 0, 1]
