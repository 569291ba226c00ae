"""The naive twin of 毒药 against the rule sheet: scenarios, quick checks, and its transcripts."""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from statistics import fmean
from typing import Any

import pytest

from tests.naive.check_poison import check_poison
from tests.naive.poison import (
    DEFAULTS,
    PLAYERS,
    WORDS,
    Game,
    deal_round,
    deal_sizes,
    deck,
    discards,
    play_game,
    round_score,
    total,
)

TIED = {"majority_tie": "all_tied_discard"}
STICKY = {"colour_lock_after_bust": "sticky"}
ALL = {"bust_collects": "all_including_played"}


def rules(**switches: Any) -> dict[str, Any]:
    return {**DEFAULTS, **switches}


def laid(*pots: str, hands: tuple[str, ...], start: int = 0, **switches: Any) -> Game:
    """A round in play with these pots and hands; other cards do not matter."""
    game = Game(len(hands), rules(first_start="seat0", **switches))
    deal_round(game, random.Random(0))
    game.to_move = start
    game.hands = [hand.split() for hand in hands]
    for pot, text in zip(game.pots, (*pots, "", "", ""), strict=False):
        pot.cards = text.split()
    return game


def after(game: Game, *plays: str) -> Game:
    """Do these actions, 'R5>0' each."""
    for play in plays:
        card, pot = play.split(">")
        game.play(card, int(pot))
    return game


def legal(game: Game) -> str:
    return " ".join(f"{card}>{pot}" for card, pot in game.legal())


def test_p01_deck() -> None:
    cards = deck()
    assert (len(cards), total(cards)) == (50, 191)
    assert Counter(card[0] for card in cards) == {"R": 14, "B": 14, "P": 14, "X": 8}
    reds = Counter(int(card[1:]) for card in cards if card[0] == "R")
    assert reds == {1: 3, 2: 3, 4: 2, 5: 3, 7: 3}


@pytest.mark.parametrize(
    ("players", "switches", "sizes"),
    [
        (4, {}, ([13, 13, 12, 12], 0, 0)),  # P-02
        (5, {}, ([10] * 5, 0, 0)),  # P-03
        (6, {}, ([9, 9, 8, 8, 8, 8], 0, 0)),
        (3, {}, ([13, 13, 12], 12, 0)),  # P-04
        (3, {"three_player_deal": "all_cards"}, ([17, 17, 16], 0, 0)),  # P-05
        (3, {"three_player_deal": "equal_aside"}, ([16] * 3, 0, 2)),
        (4, {"deal_mode": "start_only"}, ([13, 12, 12, 12], 0, 1)),  # P-06
        (4, {"deal_mode": "equal_aside"}, ([12] * 4, 0, 2)),
        (6, {"deal_mode": "start_only"}, ([9, 8, 8, 8, 8, 8], 0, 1)),
        (6, {"deal_mode": "equal_aside"}, ([8] * 6, 0, 2)),
        (5, {"deal_mode": "start_only"}, ([10] * 5, 0, 0)),
        (3, {"deal_mode": "equal_aside"}, ([13, 13, 12], 12, 0)),  # ignored
    ],
)
def test_p02_to_p06_sizes(players: int, switches: dict[str, Any], sizes: Any) -> None:
    assert deal_sizes(players, rules(**switches)) == sizes


@pytest.mark.parametrize(
    ("pots", "hand", "mode", "expected"),
    [
        (("", "", ""), "R7", "dynamic", "R7>0"),  # P-07
        (("", "", ""), "R7", "fixed", "R7>0"),
        (("R1", "", ""), "R5", "dynamic", "R5>0"),  # P-08
        (("R1", "", ""), "B2", "dynamic", "B2>1"),
        (("X", "R2", ""), "R5 B5 X", "dynamic", "B5>0 B5>2 R5>1 X>0 X>1 X>2"),  # P-09
        (("R7 R2 R1", "B5 B4", "P7 P5"), "R5 X", "dynamic", "R5>0 X>0 X>1 X>2"),  # P-10, P-11
        (("X", "", ""), "B5", "fixed", "B5>1"),  # P-12
        (("X", "", ""), "B5", "dynamic", "B5>0 B5>1"),
        (("R7", "", ""), "R1 R1 X", "dynamic", "R1>0 X>0 X>1"),  # P-13
    ],
)
def test_p07_to_p13_legal(pots: tuple[str, ...], hand: str, mode: str, expected: str) -> None:
    game = laid(*pots, hands=(hand, "R1", "R1", "R1"), cauldron_colour_mode=mode)
    assert legal(game) == expected


@pytest.mark.parametrize(
    ("pots", "play", "takes", "inside"),
    [
        (("R7 R1",), "R5>0", "", "R7 R1 R5"),  # P-14
        (("R7",), "R7>0", "R7", "R7"),  # P-15
        (("R1 R2 X R4",), "R5>0", "R1 R2 X R4", "R5"),  # P-16
        (("", "B7 B5"), "X>1", "B7 B5", "X"),  # P-17
        (("", "", "X X X"), "X>2", "X X X", "X"),  # P-19
        (("", "", "X X X"), "P2>2", "X X X", "P2"),  # P-20
        (("", "", "X X X"), "P1>2", "", "X X X P1"),  # P-21
    ],
)
def test_p14_to_p21_plays(pots: tuple[str, ...], play: str, takes: str, inside: str) -> None:
    game = after(laid(*pots, hands=(play[:-2], "B1", "B1", "B1")), play)
    assert game.events[-1]["takes"] == game.piles[0] == takes.split()
    assert game.pots[int(play[-1])].cards == inside.split()


def test_p17_p18_p41_colours_after_an_overflow() -> None:
    hands = ("X", "B2 R2", "B1", "B1")
    assert legal(after(laid("", "B7 B5", "P2", hands=hands), "X>1")) == "B2>0 B2>1 R2>0 R2>1"
    game = laid("", "B7", "P2", hands=("B5", "X", "B2 R2", ""), **STICKY)
    after(game, "B5>1", "X>1")
    assert (game.piles[1], game.pots[1].cards) == (["B7", "B5"], ["X"])
    assert legal(game) == "B2>1 R2>0"
    game = laid("X X X", hands=("P2", "P5 R1", "R1", "R1"), **STICKY, **ALL)
    assert legal(after(game, "P2>0")) == "P5>0 R1>1"
    assert sorted(game.piles[0]) == ["P2", "X", "X", "X"]


def test_p24_p25() -> None:
    game = after(laid(hands=("R1", "", "R2", "")), "R1>0")
    assert game.to_move == 2
    assert not after(game, "R2>0").in_round
    game = after(laid("R7", hands=("R7", "R1", "", ""), **ALL), "R7>0")
    assert (game.piles[0], game.pots[0].cards, game.pots[0].colour) == (["R7", "R7"], [], None)


def pile(text: str) -> list[str]:
    return [
        part[-1] + "1" * (part[-1] != "X") for part in text.split() for _ in range(int(part[:-1]))
    ]


@pytest.mark.parametrize(
    ("piles", "switches", "scores"),
    [
        (["5R 2B", "3R 4B 1X", ""], {}, [2, 5, 0]),  # P-26
        (["4R", "4R", "1R"], {}, [4, 4, 1]),  # P-27
        (["4R", "4R", "1R"], TIED, [0, 0, 1]),
        (["4R", "4R", "3R"], {}, [4, 4, 3]),  # P-28
        (["5X", "", ""], {}, [10, 0, 0]),  # P-29
        (["6R 5B 4P 2X", "", ""], {}, [4, 0, 0]),  # P-30
        (["6R 5B 4P 2X", "", ""], {"majority_limit": "one_colour"}, [13, 0, 0]),
        (["3R", "2B", ""], {}, [0, 0, 0]),  # P-31
        (["1P", "", ""], {"majority_min_cards": 2}, [1, 0, 0]),  # P-32
        (["3R 3B", "2R 3B 1P", "1B 2P", "1X"], {}, [3, 6, 1, 2]),  # P-34
    ],
)
def test_p26_to_p34_scores(piles: list[str], switches: dict[str, Any], scores: list[int]) -> None:
    heaps, setting = [pile(text) for text in piles], rules(**switches)
    colours = discards(heaps, setting)
    found = [round_score(own, gone, setting) for own, gone in zip(heaps, colours, strict=True)]
    assert found == scores


def end_round(game: Game, *piles: str) -> Game:
    """End the next round with these piles."""
    if not game.in_round:
        deal_round(game, random.Random(1))
    game.hands = [["X"] if seat == game.to_move else [] for seat in range(game.players)]
    game.piles = [pile(text) for text in (*piles, *[""] * game.players)][: game.players]
    game.play("X", 0)
    return game


def ended(*totals: int, poisons: tuple[int, ...] = (), **switches: Any) -> Game:
    game = Game(len(totals), rules(rounds=1, **switches))
    game.totals = list(totals)
    game.poisons = list(poisons) or game.poisons
    return end_round(game)


def test_p37_p39_p42_winners() -> None:
    assert ended(21, 17, 17, 30).winners == [1, 2]
    fewest = ended(21, 17, 17, 30, poisons=(0, 5, 3, 0), final_tie="fewest_poison")
    assert fewest.winners == [2]
    game = end_round(ended(20, 20, 22, final_tie="extra_round"), "1R 2X", "1R 1X")
    assert (game.totals, game.winners) == ([25, 23, 22], [1])
    for last, winners in ((["3X", "1B 2X", "2B"], [1]), ([], [])):
        game = ended(20, 20, 20, 22, final_tie="extra_round")
        end_round(game, "2R 1X", "2R 1X", "1R 2X")
        assert (game.totals, game.eligible) == ([24, 24, 25, 22], [0, 1])
        assert end_round(game, *last).winners == winners
    assert end_round(game).winners == [0, 1]
    assert game.rounds == 4


def test_p23_p36_p38_flow() -> None:
    for players, switches, starts, plays in (
        (4, {}, [0, 1, 2, 3], 200),
        (6, {"rounds": 4}, [0, 1, 2, 3], 200),
        (3, {}, [0, 1, 2], 114),
    ):
        game = Game(players, rules(first_start="seat0", **switches))
        play_game(game, random.Random(36))
        assert [e["start"] for e in game.events if e["type"] == "round"] == starts
        assert game.decisions == plays


def test_rules_refuse_values_the_sheet_does_not_know() -> None:
    for name in DEFAULTS:
        with pytest.raises(ValueError, match=name):
            Game(4, rules(**{name: "perhaps"}))
        with pytest.raises(ValueError, match=name):
            Game(4, {key: value for key, value in DEFAULTS.items() if key != name})
    with pytest.raises(ValueError, match="bust_threshold"):
        Game(4, rules(bust_threshold=6))
    with pytest.raises(ValueError, match="players"):
        Game(7, rules())


# Quick checks of the sheet's section 7: random play, wide bands


@pytest.mark.parametrize(
    ("players", "legal_actions", "overflows", "left", "forced", "score", "tied"),
    [
        (3, 6.3, 11.1, 6.4, 0.058, 7.4, 0.37),
        (4, 6.2, 15.2, 6.3, 0.059, 8.5, 0.37),
        (5, 5.4, 15.2, 6.3, 0.070, 7.1, 0.43),
        (6, 4.8, 15.2, 6.3, 0.079, 6.1, 0.50),
    ],
)
def test_quick_checks_of_random_play(
    players: int,
    legal_actions: float,
    overflows: float,
    left: float,
    forced: float,
    score: float,
    tied: float,
) -> None:
    rng, branching = random.Random(players), []

    def choose(game: Game) -> tuple[str, int]:
        actions = game.legal()
        branching.append(len(actions))
        return rng.choice(actions)

    games = [Game(players, rules(rounds=1)) for _ in range(250)]
    for game in games:
        play_game(game, rng, choose)
    assert fmean(branching) == pytest.approx(legal_actions, abs=0.2)
    assert fmean(sum(game.overflows) for game in games) == pytest.approx(overflows, abs=0.6)
    assert fmean(game.left_over for game in games) == pytest.approx(left, abs=0.5)
    n = sum(game.decisions for game in games)
    assert sum(sum(game.forced) for game in games) / n == pytest.approx(forced, abs=0.015)
    assert fmean(sum(game.totals) / players for game in games) == pytest.approx(score, abs=0.6)
    assert fmean(game.tied_colours for game in games) == pytest.approx(tied, abs=0.12)


# Transcripts


def random_transcript(players: int, seed: int, **switches: Any) -> list[dict[str, Any]]:
    """The lines of a game played at random, as they come out of a file."""
    game = Game(players, rules(rounds=2, **switches))
    play_game(game, random.Random(seed))
    first = {
        "type": "game", "format": 1, "game": "poison", "players": players, "rules": game.rules,
        "seed": 7, "deal": 0, "rotation": 0, "lineup": ["uniform"] * players,
        "parameters": [{} for _ in range(players)], "version": "test",
    }  # fmt: skip
    lines: list[dict[str, Any]] = json.loads(json.dumps([first, *game.events]))
    return lines


def first_of(kind: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
    return next(line for line in lines if line["type"] == kind)


@pytest.mark.parametrize("players", PLAYERS)
def test_transcript_of_the_twin_is_accepted(players: int) -> None:
    rng = random.Random(players)
    for seed in range(10):
        chosen = {name: rng.choice(words) for name, words in WORDS.items() if name != "rounds"}
        lines = random_transcript(players, seed, **chosen)
        for line in lines:
            line["remark"] = "more"
            for cards in [*line.get("hands", []), line.get("takes", []), *line.get("taken", [])]:
                rng.shuffle(cards)  # their order is free
        check_poison(lines)


@pytest.mark.parametrize("kind", ["game", "round", "deal", "play", "score", "result"])
def test_transcript_without_a_key_is_rejected(kind: str) -> None:
    lines = random_transcript(3, 1)
    for key in first_of(kind, lines):
        broken = copy.deepcopy(lines)
        del first_of(kind, broken)[key]
        with pytest.raises(AssertionError):
            check_poison(broken)


@pytest.mark.parametrize(
    ("kind", "key", "value", "message"),
    [
        ("game", "game", "cocktail", "game"),
        ("game", "players", 7, "players"),
        ("round", "round", 2, "round"),
        ("round", "start", 1, "may not start"),
        ("deal", "aside", ["X"], "dealt"),
        ("deal", "ghost", ["X"], "dealt"),
        ("play", "card", "R3", "may not play"),
        ("play", "pot", 3, "pot"),
        ("play", "pot", 2, "may not play"),
        ("play", "seat", 3, "seat"),
        ("play", "total", 0, "total"),
        ("play", "takes", ["X"], "takes"),
        ("score", "taken", [[], [], [], []], "taken"),
        ("score", "discarded", [["R"]] * 4, "discarded"),
        ("score", "round_scores", [0, 0, 0, 0], "round_scores"),
        ("score", "totals", [0.0, 0.0, 0.0, 0.0], "totals"),
        ("result", "status", "draw", "status"),
        ("result", "winners", [], "winners"),
        ("result", "scores", None, "scores"),
        ("result", "rounds", 99, "rounds"),
    ],
)
def test_transcript_with_a_wrong_value_is_rejected(
    kind: str, key: str, value: object, message: str
) -> None:
    lines = random_transcript(4, 2, first_start="seat0")
    check_poison(lines)
    first_of(kind, lines)[key] = value
    with pytest.raises(AssertionError, match=message):
        check_poison(lines)


def test_transcript_with_lines_out_of_place_is_rejected() -> None:
    lines = random_transcript(3, 8)
    for place in range(0, len(lines), 5):
        for mutant in (
            lines[:place],
            lines[:place] + lines[place + 1 :],
            [*lines[:place], lines[place], *lines[place:]],
            [*lines[:place], {"type": "remark"}, *lines[place:]],
        ):
            with pytest.raises(AssertionError):
                check_poison(mutant)
    with pytest.raises(AssertionError, match="after the result"):
        check_poison([*lines, {"type": "result"}])
