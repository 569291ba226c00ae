"""Tests of the naive twin of 干杯: the scenarios of the rule sheet, then whole random games.

Areas are big glasses ("RRB"), options the twin's tuples. The ids are those of the sheet.
"""

from __future__ import annotations

import copy
import random
from collections import Counter
from typing import Any

import pytest

from tests.naive.kanpai import (
    DEFAULTS,
    GLASSES,
    WORDS,
    Game,
    Option,
    big,
    deck,
    hand_limit,
    is_recipe,
    play_game,
    random_deal,
    random_recipe,
    recipes_of,
    satisfies,
)

PLAYERS = (3, 4, 5, 6)
RECIPES = ("GRBYY", "RRBBG", "PPYYR")
FILL = "P/g P/g P/g"


def at_table(
    *areas: str,
    hands: tuple[str, ...] = (),
    players: int = 4,
    active: int = 0,
    deck: int = 30,
    recipes: tuple[str, ...] = RECIPES,
    **switches: Any,
) -> Game:
    """A game in which these areas and hands lie, `deck` cards are left, and `active` is on turn."""
    game = Game(players, {**copy.deepcopy(DEFAULTS), **switches})
    game.start(random_deal(players, game.rules, random.Random(1)))
    for place, area in enumerate(areas):
        game.areas[place] = [f"{glass}/p" for glass in area]
    for seat in range(players):
        game.hands[seat] = (hands[seat] if seat < len(hands) else FILL).split()
    game.deck = ["R/g"] * deck
    game.recipes = [list(recipe) for recipe in recipes[: max(game.teams) + 1]]
    game.turn, game.turns, game.start_seat, game.events = 0, [0] * players, active, []
    game._run = game._play()
    game._go_on(None)
    return game


def after(game: Game, *options: Option) -> Game:
    for option in options:
        game.choose(option)
    return game


def areas(game: Game) -> list[str]:
    order = [sorted(map(big, area), key=GLASSES.index) for area in game.areas]
    return ["".join(area) for area in order]


def asked(game: Game) -> tuple[str, int]:
    assert game.decision is not None
    return game.decision.kind, game.decision.seat


def pairs(game: Game) -> set[str]:
    assert game.decision is not None
    return {f"{x}{y}" for _, x, y in game.decision.options}


# Setup


def test_k01_recipes() -> None:
    rng = random.Random(1)
    drawn = Counter("".join(random_recipe(rng)) for _ in range(20_000))
    assert len(drawn) == 50
    assert all(map(is_recipe, drawn))
    three = sum(n for recipe, n in drawn.items() if len(set(recipe)) == 3)
    assert abs(three / 20_000 - 3 / 7) < 0.02
    every = [recipes_of(sorted(kinds)) for kinds in {frozenset(recipe) for recipe in drawn}]
    assert {"".join(recipe) for found in every for recipe in found} == set(drawn)


@pytest.mark.parametrize(
    ("players", "hands", "left"),
    [(3, [3, 4, 3], 50), (4, [3] * 4, 48), (5, [3, 4, 3, 4, 3], 43), (6, [3] * 6, 42)],
)
def test_k02_hands_and_deck(players: int, hands: list[int], left: int) -> None:
    game = Game(players, DEFAULTS)
    game.start(random_deal(players, DEFAULTS, random.Random(2)))
    assert [len(hand) for hand in game.hands[:players]] == hands
    assert len(game.deck) == left


def test_k03_the_deck() -> None:
    cards = Counter(deck(DEFAULTS))
    assert cards.total() == 60
    assert set(cards.values()) == {3}
    assert len(cards) == 20
    assert not any(card[0] == card[2].upper() for card in cards)


# Toast and clink


@pytest.mark.parametrize(
    ("area", "card", "clinks", "left"),
    [
        pytest.param("RB", "Y/g", False, "RBY", id="k04"),
        pytest.param("RB", "Y/b", True, "R", id="k05"),
        pytest.param("R", "Y/p", False, "RY", id="k06"),  # the R there has a small P
        pytest.param("", "R/r", False, "R", id="k07-empty"),
        pytest.param("R", "R/r", True, "", id="k07"),
        pytest.param("RBB", "Y/b", True, "RB", id="k08"),
    ],
)
def test_k04_to_k08_toasts(area: str, card: str, clinks: bool, left: str) -> None:
    game = after(at_table("", "", area, hands=(card,)), ("toast", card, 2))
    assert asked(game) == (("split", 2) if clinks else ("act", 1))
    assert areas(game)[2] == left


@pytest.mark.parametrize(
    ("players", "target", "legal", "switches"),
    [
        pytest.param(4, 0, "12 21 13 31 23 32", {}, id="k10"),
        pytest.param(3, 0, "12 21 13 31 23 32", {}, id="k12"),
        pytest.param(3, 3, "01 10 02 20 12 21", {}, id="k12-dummy"),
        pytest.param(3, 1, "02 20", {"use_dummy": "no"}, id="k13"),
        pytest.param(3, 0, "12 21", {"use_dummy": "no"}, id="k13-mate"),
        pytest.param(
            4, 0, "01 10 03 30 12 21 13 31 23 32", {"cheers_target_may_keep": "yes"}, id="k16"
        ),
        pytest.param(4, 0, "12 21 13 31 23 32", {"mode": "masquerade"}, id="k39"),
        pytest.param(4, 0, "13 31", {"cheers_min_opponents": 2}, id="k48"),
        pytest.param(4, 0, "12 21 13 31 23 32", {"cheers_min_opponents": 0}, id="k48-none"),
    ],
)
def test_k10_to_k16_receivers(
    players: int, target: int, legal: str, switches: dict[str, Any]
) -> None:
    lie = ["B" if place == target else "" for place in range(target + 1)]
    game = at_table(*lie, hands=("Y/b",), players=players, **switches)
    assert pairs(after(game, ("toast", "Y/b", target))) == set(legal.split())


@pytest.mark.parametrize(("mode", "n"), [("base", 18), ("three_teams", 20)])
def test_k11_k40_many_receivers(mode: str, n: int) -> None:
    game = after(at_table("B", hands=("Y/b",), players=6, mode=mode), ("toast", "Y/b", 0))
    assert len(pairs(game)) == n
    assert ("24" in pairs(game)) == (mode == "three_teams")


def test_k14_k15_the_active_seat_receives_without_a_clink() -> None:
    game = at_table("BB", "B", hands=("Y/b",))
    assert areas(after(game, ("toast", "Y/b", 1), ("split", 0, 2))) == ["BBY", "", "B", ""]


# Send, Return, refill


def test_k17_k18_send() -> None:
    game = at_table("RRB", "", "R")
    assert ("send", "R", 0) not in game.actions(0)
    assert areas(after(game, ("send", "R", 2))) == ["RB", "", "RR", ""]
    assert not any(option[0] == "send" for option in at_table().actions(0))


@pytest.mark.parametrize(
    ("left", "draw", "hand"),
    [
        pytest.param(10, "limit", 4, id="k19"),
        pytest.param(10, "three", 3, id="k19-three"),
        pytest.param(2, "limit", 2, id="k20"),
        pytest.param(0, "limit", 0, id="k21"),
    ],
)
def test_k19_to_k21_return_of_the_short_team(left: int, draw: str, hand: int) -> None:
    hands = (FILL, "Y/b " * 4)
    game = at_table(hands=hands, players=3, active=1, deck=left, return_draw=draw)
    after(game, ("return",))
    assert (len(game.hands[1]), len(game.returned[1]), len(game.deck)) == (hand, 4, left - hand)


def test_k22_stuck() -> None:
    game = after(at_table(hands=("Y/b", "", "", ""), deck=0), ("return",))
    assert (game.status, game.turn, game.winners) == ("draw", 5, [])


@pytest.mark.parametrize(("hand", "n"), [("Y/b Y/g P/g", 19), ("Y/b Y/b P/g", 15)])
def test_k23_options(hand: str, n: int) -> None:
    assert len(at_table("RRB", hands=(hand,)).actions(0)) == n


# Limit 6


def test_k24_to_k27_overfull_areas() -> None:
    game = after(at_table("R", "RRBBGG"), ("send", "R", 1))
    assert asked(game) == ("overflow", 1)
    assert areas(after(game, ("overflow", "B")))[1] == "GGRRRB"
    game = after(at_table("", "RRBBGG", hands=("Y/p",)), ("toast", "Y/p", 1))
    assert areas(after(game, ("overflow", "Y")))[1] == "GGRRBB"
    game = at_table("", "RRBBGG", hands=("Y/b",))
    after(game, ("toast", "Y/b", 1), ("split", 2, 3))
    assert asked(game) == ("act", 1)
    game = at_table("RRPPPP", "B", "", "RRPPPP", hands=("", "", "Y/b"), active=2)
    after(game, ("toast", "Y/b", 1), ("split", 0, 3))
    assert asked(game) == ("overflow", 3)
    assert asked(after(game, ("overflow", "P"))) == ("overflow", 0)


# Win


@pytest.mark.parametrize(
    ("area", "wins"),
    [("GRBYY", True), ("GRBYYB", True), ("GRBYYP", False), ("GRBYBB", False), ("GRBY", False)],
)
def test_k28_what_satisfies(area: str, wins: bool) -> None:
    assert satisfies([f"{glass}/p" for glass in area], "GRBYY") == wins


def test_k29_to_k31_send_and_discard_before_the_win() -> None:
    assert after(at_table("GRBYYP"), ("send", "P", 1)).winners == [0, 2]
    for dropped, winners in (("P", [0, 2]), ("G", [])):
        game = after(at_table("GRBYYP", "G", active=1), ("send", "G", 0), ("overflow", dropped))
        assert game.winners == winners
    game = after(at_table("GRBYPP", "Y", active=1), ("send", "Y", 0), ("overflow", "P"))
    assert game.winners == []


def test_k32_k33_what_does_not_win() -> None:
    game = after(at_table("GRB", "", "Y", hands=("Y/p",)), ("toast", "Y/p", 2))
    assert not game.over
    game = after(at_table("", "GRBY", hands=("Y/p",)), ("toast", "Y/p", 1))
    assert not game.over
    assert game.excluded[1] == {tuple(sorted("GRBYY"))}


@pytest.mark.parametrize(
    ("rule", "winners"),
    [
        ("clockwise_from_active", [0, 2]),
        ("active_team_first", [1, 3]),
        ("shared", [0, 1, 2, 3]),
    ],
)
def test_k34_k35_wins_in_the_turn_of_others(rule: str, winners: list[int]) -> None:
    game = at_table(
        *("GRBY", "RRBG", "B"), hands=("", "", "", "Y/b"), active=3, simultaneous_win=rule
    )
    assert after(game, ("toast", "Y/b", 2), ("split", 0, 1)).winners == winners


def test_k36_a_clink_takes_the_unwanted_card_away() -> None:
    game = at_table("GRBYYP", hands=("", "R/p"), active=1)
    assert after(game, ("toast", "R/p", 0), ("split", 1, 3)).winners == [0, 2]


@pytest.mark.parametrize(("can_win", "winners"), [("yes", [1]), ("no", [])])
def test_k37_the_dummy(can_win: str, winners: list[int]) -> None:
    game = at_table("", "", "", "RRBG", hands=("B/p",), players=3, dummy_can_win=can_win)
    assert after(game, ("toast", "B/p", 3)).winners == winners


@pytest.mark.parametrize(
    ("seat", "counts", "wins"), [(0, "no", False), (2, "no", True), (0, "yes", True)]
)
def test_k38_master(seat: int, counts: str, wins: bool) -> None:
    lie = ["GRBY" if place == seat else "" for place in range(4)]
    game = at_table(*lie, hands=("Y/p",), mode="master", master_area_counts=counts)
    assert after(game, ("toast", "Y/p", seat)).over == wins
    assert not game.knows_recipe(2)


# Limits and switches


def acting_seats(game: Game, n: int) -> list[int]:
    seats = []
    for _ in range(n):
        seats.append(asked(game)[1])
        after(game, ("return",))
    return seats


def test_k41_k49_turns() -> None:
    game = at_table(players=3, turn_structure="alternate_teams", deck=60)
    assert acting_seats(game, 8) == [0, 1, 2, 1, 0, 1, 2, 1]
    assert acting_seats(at_table(players=3, active=2, deck=60), 5) == [2, 0, 1, 2, 0]


def test_k42_the_cap() -> None:
    game = at_table(max_turns=10, deck=60)
    acting_seats(game, 10)
    assert (game.status, game.turn) == ("unfinished", 10)


def test_k45_returned_cards_are_drawn_again() -> None:
    game = at_table(hands=("Y/b Y/g Y/r",), deck=0, reshuffle="when_empty")
    after(game, ("return",))
    assert (sorted(game.hands[0]), game.deck, game.returned[0]) == (["Y/b", "Y/g", "Y/r"], [], [])


@pytest.mark.parametrize(
    ("players", "switches", "limits"),
    [
        (3, {"use_dummy": "no"}, [3, 4, 3]),
        (3, {"short_team_hand": 3}, [3, 3, 3]),
        (3, {"mode": "three_teams"}, [3, 3, 3]),
        (5, {"mode": "masquerade"}, [3] * 5),
        (4, {"team_layout": [0, 1, 1, 1]}, [4, 3, 3, 3]),
    ],
)
def test_k46_hand_limits(players: int, switches: dict[str, Any], limits: list[int]) -> None:
    rules = {**DEFAULTS, **switches}
    assert [hand_limit(seat, players, rules) for seat in range(players)] == limits


def test_k47_win_shares() -> None:
    game = after(at_table("", "RRBG", hands=("B/p",), players=3), ("toast", "B/p", 1))
    assert [float(share) for share in game.win_share] == [0, 1, 0, 0]
    both = at_table(
        *("GRBY", "RRBG", "B"), hands=(FILL, "Y/b"), players=3, active=1, simultaneous_win="shared"
    )
    after(both, ("toast", "Y/b", 2), ("split", 0, 1))
    assert [float(share) for share in both.win_share] == [0.25, 0.5, 0.25, 0]


def test_what_the_twin_refuses() -> None:
    with pytest.raises(ValueError, match="mode cannot be"):
        Game(4, {**DEFAULTS, "mode": "basic"})
    with pytest.raises(ValueError, match="players"):
        Game(7, DEFAULTS)
    with pytest.raises(ValueError, match="not among"):
        at_table().choose(("send", "R", 1))
    deal = random_deal(4, DEFAULTS, random.Random(1))
    for key, wrong in (("teams", [0, 0, 1, 1]), ("deck", []), ("recipes", ["GGGRB"] * 2)):
        with pytest.raises(ValueError, match=r"teams|deck|recipes"):
            Game(4, DEFAULTS).start({**deal, key: wrong})


@pytest.mark.parametrize("players", PLAYERS)
def test_random_games_end_and_keep_every_card(players: int) -> None:
    rng = random.Random(players)
    for _ in range(6):
        words = {name: rng.choice(values) for name, values in WORDS.items()}
        mode = rng.choice(["base", "masquerade"] if players in (4, 5) else ["base", "three_teams"])
        game = Game(players, {**DEFAULTS, **words, "mode": mode, "max_turns": 120})
        play_game(game, rng)
        assert game.over
        places = [*game.hands, *game.areas, game.deck, *game.returned, game.discarded]
        assert sorted(card for cards in places for card in cards) == sorted(deck(game.rules))
