"""The rules of 干杯, asked of the kernels: the end.

Areas and cards are text, see `positions`. The ids are those of the rule sheet.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim import replay
from sim.games.kanpai.cards import recipe_glasses
from tests.games.kanpai.positions import Cheers, as_text, at_table, glasses, started_with

pytestmark = pytest.mark.both_modes


# Win: the recipe of team 0 is G R B Y Y


@pytest.mark.parametrize(
    ("area", "sent", "wins"),
    [
        pytest.param("GRBY", "Y", True, id="exact"),
        pytest.param("GRBYB", "Y", True, id="one-more"),
        pytest.param("GRBYP", "Y", False, id="one-unwanted"),
        pytest.param("GRBYB", "B", False, id="one-lacks"),
    ],
)
def test_k28_what_wins(area: str, sent: str, wins: bool) -> None:
    game = at_table(area, sent, active=1).act(f"send {sent} 0")
    assert (game.areas[0], game.is_over) == (as_text(glasses(area + sent)), wins)
    assert game.winners() == ([0, 2] if wins else [])


def test_k29_sending_the_unwanted_card_away() -> None:
    game = at_table("GRBYYP").act("send P 1")
    assert (game.areas[0], game.winners()) == ("GRBYY", [0, 2])
    outcome = game.outcome()
    assert (outcome["won_by_send"], outcome["own_area"]) == (1, [1, 0, 0, 0])
    assert [event["type"] for event in game.events()] == ["send", "areas"]  # no refill


@pytest.mark.parametrize(
    ("area", "sent", "dropped", "after", "wins"),
    [
        pytest.param("GRBYYP", "G", "P", "GGRBYY", True, id="k30"),
        pytest.param("GRBYYP", "G", "G", "GRBYYP", False, id="k30-keeps-the-wrong-one"),
        pytest.param("GRBYPP", "Y", "P", "GRBYYP", False, id="k31"),
    ],
)
def test_k30_k31_discard_before_the_win(
    area: str, sent: str, dropped: str, after: str, wins: bool
) -> None:
    game = at_table(area, sent, active=1).act(f"send {sent} 0", f"drop {dropped}")
    assert (game.areas[0], game.is_over) == (after, wins)


def test_k32_areas_of_teammates_are_not_added() -> None:
    game = at_table("GRB", "", "Y", hands=("", "", "Y/p"), active=2).act("toast Y/p 2")
    assert (game.areas[0], game.areas[2], game.is_over) == ("GRB", "YY", False)


def test_k33_the_recipe_of_the_others_does_not_count_and_is_excluded() -> None:
    game = at_table("", "GRBY", hands=("Y/p",)).act("toast Y/p 1")
    assert (game.areas[1], game.is_over) == ("GRBYY", False)
    excluded = [as_text(recipe_glasses(i)) for i in range(50) if game.table.excluded[1] >> i & 1]
    assert excluded == ["GRBYY"]


def test_k34_seats_win_in_the_turn_of_others() -> None:
    game = at_table("GRBY", hands=("", "Y/p"), active=1).act("toast Y/p 0")
    assert game.winners() == [0, 2]
    assert game.table.turn == 1


@pytest.mark.parametrize(
    ("rule", "winners", "shares"),
    [
        ("clockwise_from_active", [0, 2], [0.5, 0, 0.5, 0]),
        ("active_team_first", [1, 3], [0, 0.5, 0, 0.5]),
        ("shared", [0, 1, 2, 3], [0.25] * 4),
    ],
)
def test_k35_two_seats_complete_at_once(rule: str, winners: list[int], shares: list[float]) -> None:
    # Seat 3 toasts Y/b to seat 2: the Y completes seat 0, the B completes seat 1.
    game = at_table(
        "GRBY", "RRBG", "B", hands=("", "", "", "Y/b"), active=3, simultaneous_win=rule
    ).act("toast Y/b 2", "split 0 1")
    assert (game.winners(), game.shares()) == (winners, shares)
    assert game.outcome()["teams_won"] == (2 if rule == "shared" else 1)


def test_a_replay_counts_turns_in_the_words_of_the_game() -> None:
    golden = Path(__file__).with_name("golden.jsonl").read_text(encoding="utf-8").splitlines()
    lines = [json.loads(golden[0]), next(o for o in map(json.loads, golden) if "status" in o)]
    assert f"finished after {lines[1]['rounds']} turns; " in replay.as_text(lines, "en")
    assert f"共 {lines[1]['rounds']} 回合；" in replay.as_text(lines, "zh")


def test_k36_a_clink_takes_the_unwanted_card_away() -> None:
    game = at_table("GRBYYP", hands=("", "R/p"), active=1).act("toast R/p 0", "split 1 3")
    assert (game.areas[0], game.winners()) == ("GRBYY", [0, 2])
    assert game.outcome()["won_by_clink"] == 1


@pytest.mark.parametrize("dummy_can_win", ["yes", "no"])
def test_k37_the_area_of_the_dummy(dummy_can_win: str) -> None:
    game = at_table(
        *("", "", "", "RRBG"), hands=("B/p",), players=3, dummy_can_win=dummy_can_win
    ).act("toast B/p 3")
    if dummy_can_win == "yes":
        assert (game.winners(), game.shares()) == ([1], [0, 1, 0])
        assert game.outcome()["dummy_won"] == 1
    else:
        assert not game.is_over
        assert game.table.excluded[3] == 0  # nothing follows from an area that does not count


# Optional claims


def test_a_completed_recipe_may_be_kept_silent() -> None:
    game = at_table("GRBY", hands=("Y/p",), win_claim="optional").act("toast Y/p 0")
    assert (game.asked, game.legal()) == (0, {"silent", "declare"})
    game.act("silent")
    assert (game.asked, game.is_over, game.table.excluded[0]) == (1, False, 0)
    game.act("return")  # at the end of each turn the owner is asked again
    assert (game.asked, game.table.phase, game.hand(1)) == (0, 3, "")
    assert game.act("declare").winners() == [0, 2]
    assert [event["type"] for event in game.events()][-2:] == ["return", "areas"]


@pytest.mark.parametrize(
    ("rule", "asked"),
    [("clockwise_from_active", [0, 1]), ("active_team_first", [1, 0]), ("shared", [0, 1])],
)
def test_who_is_asked_first(rule: str, asked: list[int]) -> None:
    def position() -> Cheers:
        return at_table(
            *("GRBY", "RRBG", "B"),
            hands=("", "", "", "Y/b"),
            active=3,
            simultaneous_win=rule,
            win_claim="optional",
        ).act("toast Y/b 2", "split 0 1")

    game = position()
    assert game.asked == asked[0]
    assert game.act("silent").asked == asked[1]
    assert not game.act("silent").is_over
    game = position().act("declare")
    assert game.is_over == (rule != "shared")
    if rule == "shared":
        assert game.act("declare").winners() == [0, 1, 2, 3]
        assert position().act("declare", "silent").winners() == [0, 2]


def test_the_master_claims_for_an_apprentice() -> None:
    switches = {"mode": "master", "win_claim": "optional"}
    game = at_table("", "", "GRBY", hands=("Y/p",), **switches).act("toast Y/p 2")
    assert (game.asked, game.table.target) == (0, 2)


# What is counted


def test_measures_of_a_game() -> None:
    game = at_table(
        *("GRB", "", "", ""), hands=("Y/p G/p P/p", "R/g G/r"), deck_profile="all_x2"
    ).act("toast Y/p 0", "toast R/g 0", "split 1 2", "return", "return", "return")
    assert game.table.turn == 6
    assert list(game.table.returns[:4]) == [1, 0, 1, 1]
    assert (game.table.clinks, game.table.self_toasts, game.table.sends) == (1, 1, 0)
    game = at_table("", "RRBG", "", hands=("B/p",), players=3, active=0).act("toast B/p 1")
    outcome = game.outcome()
    assert outcome["team_size"] == [2, 1, 2]
    assert outcome["short_team"] == [0, 1, 0]
    assert outcome["won_short"] == [0, 1, 0]
    assert outcome["three_kinds"] == [0, 1, 0]
    assert outcome["won_three"] == [0, 1, 0]
    assert outcome["own_area"] == [0, 1, 0]
    assert outcome["won_by_toast"] == 1


@pytest.mark.parametrize(
    ("hand", "areas", "winning", "undelivered"),
    [
        ("Y/p Y/b", ("GRBY", "RRBB"), 1, 0),  # one of them clinks, the other does not (K-09)
        ("Y/b Y/g", ("GRBY", "RRBB"), 1, 1),  # both clink with what lies there
        ("P/b G/y", ("GRBY", "RRBB"), 0, 0),
        ("B/p", ("G", "RRBG"), 0, 0),  # another team's
        ("Y/p", ("", "", "GRBY"), 1, 0),  # the mate's
        ("G/y", ("GRBYY",), 1, 1),  # the recipe allows more of its kinds
    ],
)
def test_turns_with_a_winning_card(
    hand: str, areas: tuple[str, ...], winning: int, undelivered: int
) -> None:
    counted = at_table(*areas, hands=(hand,)).state.counted
    assert (counted.winning_cards, counted.undelivered) == (winning, undelivered)


def test_who_started_is_of_the_game() -> None:
    for deal in range(10):
        game = started_with(deal, 4, max_turns=1)
        start = game.table.start
        game.act(sorted(game.legal())[0])
        while not game.is_over:
            game.act(sorted(game.legal())[0])
        assert game.outcome()["start_team"] == [int(seat % 2 == start % 2) for seat in range(4)]
