"""Tests of the naive twin of Cocktail Poison: the scenarios of the rule sheet, then whole games.

Displays are text, seats parted by bars: "F-B M-Y | M-R* F-R"; a star is the antidote.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from tests.naive.check_cocktail_poison import check_cocktail_poison
from tests.naive.cocktail_poison import (
    DEFAULTS,
    STYLES,
    WORDS,
    Game,
    Rules,
    deal_round,
    drinks,
    final_winners,
    order_of_takes,
    play_game,
    round_scores,
    row_size,
    uniform,
)

PLAYERS = (3, 4, 5, 6)
EASY = {"row_size": 24, "first_start": "seat0"}  # all cards lie in the row


def rules(**switches: Any) -> Rules:
    """Return the default rules with these switches changed."""
    return {**copy.deepcopy(DEFAULTS), **switches}


def scores(tiles: str, displays: str, what: str = "raw", **switches: Any) -> list[int]:
    """Return the scores of a round before the floor; seats have the glasses M, F, O, H."""
    held = [display.split() for display in displays.split("|")]
    covers = [next((card[:-1] for card in cards if "*" in card), None) for cards in held]
    shown = [[card.rstrip("*") for card in cards] for cards in held]
    seats = list(STYLES[: len(held)])
    return round_scores(seats, tiles.split(), shown, covers, rules(**switches))[what]


def floored(tiles: str, displays: str, **switches: Any) -> list[int]:
    """Return the scores of a round as they are added to the totals."""
    return [max(0, score) for score in scores(tiles, displays, **switches)]


def dealt(players: int = 3, **switches: Any) -> Game:
    """Return a game in its first round, in the order of the cards' names."""
    game = Game(players, rules(first_start="seat0", **switches))
    begin(game)
    return game


def begin(game: Game) -> None:
    """Deal the next round in the order of the cards' names."""
    styles = list(STYLES[: game.players])
    n = row_size(game.players, game.rules)
    deck = drinks(styles)
    game.start_round(styles, deck[:n], deck[n:], game.next_starts()[0])


def choose(game: Game, tiles: str) -> Game:
    """Let the seats choose these tiles, in the order of the seats."""
    for _ in range(game.players):
        game.choose(tiles.split()[game.to_move])
    return game


def play_round(game: Game, tiles: str, displays: str) -> Game:
    """Play a round to these displays; all cards lie in the row."""
    choose(game, tiles)
    left = [display.split() for display in displays.split("|")]
    while game.in_round:
        card = left[game.to_move].pop(0)
        game.take(card.rstrip("*"), "new" if "*" in card else None)
    return game


def choices_per_take(players: int, **switches: Any) -> list[int]:
    """Return how many cards each take of a round has to choose from."""
    game, found = choose(dealt(players, **switches), " ".join("R" * players)), []
    while game.in_round:
        found.append(len(game.cards_to_take()))
        game.take(sorted(game.cards_to_take())[0])
    return found


# Setup and draft


def test_c01_deck_row_and_pile() -> None:
    for players, deck, row, pile in [(3, 12, 3, 9), (4, 16, 3, 13), (5, 20, 4, 16), (6, 24, 4, 20)]:
        game = Game(players, rules())
        deal_round(game, random.Random(1))
        assert len(drinks(game.styles)) == deck
        assert (len(game.row), len(game.pile)) == (row, pile)


def test_c02_the_martini_is_always_in_use() -> None:
    counts = Counter[str]()
    for seed in range(3000):
        game = Game(3, rules())
        deal_round(game, random.Random(seed))
        counts.update(game.styles)
    assert counts.pop("M") == 3000
    assert all(abs(count - 1200) < 150 for count in counts.values())


def test_c03_order_of_takes() -> None:
    assert order_of_takes(3, 1, rules()) == [1, 2, 0] * 4
    assert order_of_takes(3, 1, rules(pick_order="snake")) == [1, 2, 0, 0, 2, 1] * 2
    assert order_of_takes(3, 1, rules(cards_left=2)) == [1, 2, 0, 1, 2, 0, 1, 2, 0, 1]


def test_c04_c05_c06_choices_per_take() -> None:
    assert choices_per_take(3) == [3] * 10 + [2, 1]
    assert choices_per_take(6) == [4] * 21 + [3, 2, 1]
    assert choices_per_take(5) == [4] * 17 + [3, 2, 1]
    assert choices_per_take(4) == [3] * 14 + [2, 1]
    assert choices_per_take(3, row_refill="when_empty") == [3, 2, 1] * 4
    assert choices_per_take(3, row_size=24) == [*range(12, 0, -1)]


def test_a_new_card_takes_the_slot_of_the_one_taken() -> None:
    game = choose(dealt(), "R R R")
    assert game.row == ["M-R", "M-Y", "M-B"]
    game.take("M-Y")
    assert game.row == ["M-R", "M-G", "M-B"]


def test_c07_five_tiles() -> None:
    game = dealt()
    for tile in "RWG":
        assert game.tiles_to_choose() == {*"RYBGW"}
        game.choose(tile)
    assert not game.is_choosing


def test_c08_c09_c36_the_antidote() -> None:
    game = choose(dealt(), "R W G")
    assert game.cards_to_cover() == set()
    game.take("M-R")
    assert game.cards_to_cover() == {"new"}
    with pytest.raises(ValueError, match="no antidote"):
        game.take("M-Y", "M-B")
    game.take("M-Y", "new")
    game.take("M-B")
    game.take("M-G")
    assert game.cards_to_cover() == set()
    game = choose(dealt(antidote_window="any_time_in_round"), "W B G")
    for card in ("M-R", "M-Y", "M-B"):
        game.take(card)
    assert game.cards_to_cover() == {"new", "M-R"}
    game.take("M-G", "M-R")
    assert game.covers[0] == "M-R"
    game = choose(dealt(blind_draw="on"), "W B G")
    row = list(game.row)
    assert game.cards_to_take() == {"M-R", "M-Y", "M-B", "?"}
    game.take("?", "new")
    assert (game.row, game.covers[0], game.displays[0]) == (row, "M-G", ["M-G"])


# Scoring

C10 = "F-B M-Y M-B M-G | M-R F-R F-Y F-G | O-R O-Y O-B O-G"
C13 = "F-R M-Y M-B M-G | M-R* F-Y F-B F-G | O-R O-Y O-B O-G"
C14 = "F-R M-Y M-B M-G | M-R* O-G F-Y F-B | O-R O-Y O-B F-G"
C15 = "F-R M-Y M-B M-G | M-R O-G F-Y* F-B | O-R O-Y O-B F-G"
C16 = "O-G M-Y M-B M-G | F-R F-Y F-B F-G | O-R O-Y O-B M-R"
C19 = "M-Y M-B M-G F-R | F-B F-G O-R O-Y | O-G H-R H-Y H-B | M-R F-Y O-B H-G"
C20 = "M-Y M-B M-G H-G | F-B F-G O-R O-Y | O-G H-R H-Y H-B | M-R F-Y O-B F-R"


def test_c10_own_poison() -> None:
    assert floored("R B G", C10) == [1, 1, 0]
    assert floored("R B G", C10, own_poison_draw="clean") == [1, 1, 1]
    assert scores("R B G", C10, own_poison_draw="self_poisoned") == [1, 1, -1]


def test_c11_c12_two_poisons() -> None:
    displays = "M-Y M-B M-G O-G | F-R F-Y F-G O-R | M-R F-B O-Y O-B"
    assert floored("R B G", displays) == [1, 3, 0]
    assert floored("R B G", displays, multi_poison_penalty="once") == [1, 3, 1]


def test_c13_to_c16_antidote() -> None:
    for edition in (1, 2):
        assert floored("R W G", C13, edition=edition) == [1, 1, 0]
    assert floored("R W G", C13, antidote_success_clean="yes") == [1, 2, 0]
    assert floored("R W G", C14, edition=1) == [1, 0, 3]
    assert floored("R W G", C14) == [1, 1, 3]
    assert floored("R W G", C14, uncancelled_owner="denied") == [1, 1, 1]
    assert scores("R W G", C15) == [3, -2, 3]
    assert floored("R W G", C15.replace("*", "")) == [3, 0, 3]
    assert floored("R W G", C16) == [1, 1, 1]
    assert floored("R W G", C16.replace("F-R", "F-R*")) == [1, 1, 1]
    assert floored("R W G", C16, clean_for_antidote_holder="no") == [1, 0, 1]


def test_c17_c18_useless_antidotes() -> None:
    assert floored("W W W", C10.replace("F-B", "F-B*")) == [1, 1, 1]
    assert scores("R W G", C16.replace("F-B", "F-B*"), "a") == [0, 0, 0]


def test_c19_to_c21_four_players() -> None:
    once = {"multi_poison_penalty": "once"}
    assert scores("R Y B G", C19) == [3, 3, 3, -3]
    assert scores("R Y B G", C19, **once) == [3, 3, 3, -1]
    assert floored("R Y B G", C20) == [1, 3, 3, 0]
    assert floored("R Y B G", C20, **once) == [1, 3, 3, 1]
    covered = C20.replace("O-B", "O-B*")
    assert floored("R Y B W", covered) == [3, 3, 1, 1]
    assert floored("R Y B W", covered, edition=1) == [3, 3, 1, 0]


def test_c35_switches_together() -> None:
    never = {"antidote_success_clean": "yes", "clean_for_antidote_holder": "no"}
    assert floored("R W G", C13, **never) == [1, 1, 0]
    assert floored("R W G", C14, uncancelled_owner="denied", edition=1) == [1, 0, 1]


def test_our_own_switches() -> None:
    assert floored("R W G", C13, antidote_reward=2) == [1, 2, 0]
    assert floored("R W G", C13, cancelled_owner="loses_one") == [0, 1, 0]
    left = "F-B M-Y M-B M-G | M-R F-R F-Y F-G | O-R O-Y O-B"  # nobody has O-G
    assert scores("R B G", left, cards_left=1) == [1, 1, 1]
    assert scores("R B G", left, cards_left=1, poison_reward=3) == [2, 2, 1]


# Game flow

NOTHING = ("R B G", "M-R M-Y M-B M-G | F-R F-Y F-B F-G | O-R O-Y O-B O-G")  # 0, 0, 0
ONE_AND_THREE = ("R B G", "F-B M-Y M-B M-G | M-R O-G F-R F-Y | F-G O-R O-Y O-B")  # 1, 0, 3


def after(totals: list[int], *rounds: tuple[str, str], **switches: Any) -> Game:
    """Return a game that had these totals and went on with these rounds."""
    game = Game(len(totals), rules(**{**EASY, **switches}))
    game.totals = list(totals)
    for round_ in rounds:
        begin(game)
        play_round(game, *round_)
    return game


def test_c22_who_starts_next() -> None:
    for next_start, seat in [("martini", 2), ("clockwise", 1)]:
        game = Game(3, rules(**EASY, next_start=next_start))
        game.start_round(["F", "O", "M"], drinks(["M", "F", "O"]), [], 0)
        choose(game, "W W W")
        while game.in_round:
            game.take(game.open_cards[0])
        assert game.next_starts() == [seat]


def test_c23_c24_c25_the_end() -> None:
    assert after([4, 4, 1], ONE_AND_THREE).winners == [0]
    assert after([4, 5, 2], ONE_AND_THREE).winners == [0, 1, 2]
    assert after([4, 5, 2], ONE_AND_THREE).win_share == [Fraction(1, 3)] * 3
    assert after([3, 5, 4], ONE_AND_THREE).winners == [2]  # also seat 1 has reached 5
    assert not after([4, 4, 4], NOTHING).over
    assert after([4, 4, 4], NOTHING).totals == [4, 4, 4]


def test_c27_spent_tiles() -> None:
    game = Game(3, rules(**EASY, target=100, tiles_return="spent_until_all_used"))
    left = []
    for tile in "RYBGWR":
        begin(game)
        left.append(len(game.tiles_to_choose()))
        choose(game, f"{tile} {tile} {tile}")
        while game.in_round:
            game.take(game.open_cards[0])
    assert left == [5, 4, 3, 2, 1, 5]


def test_c28_c34_extra_rounds() -> None:
    extra = {"end_tie": "extra_round"}
    game = after([5, 5, 2], NOTHING, ONE_AND_THREE, **extra)
    assert (game.totals, game.winners, game.status) == ([6, 5, 5], [0], "finished")
    assert not after([5, 5, 2], *[NOTHING] * 5, **extra).over
    game = after([5, 5, 2], *[NOTHING] * 6, **extra)
    assert (game.winners, game.status) == ([0, 1], "finished")
    game = after([5, 5, 2], NOTHING, max_rounds=1, **extra)
    assert (game.winners, game.status) == ([0, 1], "finished")
    game = after([4, 4, 2], NOTHING, max_rounds=1, **extra)
    assert (game.winners, game.status) == ([0, 1], "unfinished")


def test_c29_the_cap() -> None:
    game = after([2, 1, 0], NOTHING, max_rounds=1)
    assert (game.winners, game.status) == ([0], "unfinished")


def test_fewest_poisoned() -> None:
    fewest = rules(end_tie="fewest_poisoned")
    assert final_winners([5, 5, 4], [2, 1, 0], fewest) == [1]
    assert final_winners([5, 5, 5], [1, 1, 2], fewest) == [0, 1]
    assert final_winners([5, 5, 4], [2, 1, 0], rules()) == [0, 1]
    assert after([3, 4, 1], ONE_AND_THREE, target=4, end_tie="fewest_poisoned").winners == [2]


@pytest.mark.parametrize(
    ("switch", "value", "message"),
    [
        ("edition", 3, "edition"),
        ("row_size", 0, "row_size"),
        ("row_size", "most", "row_size"),
        ("end_tie", "draw", "end_tie"),
        ("max_rounds", 0, "max_rounds"),
        ("cards_left", 3, "cards_left"),
        ("colour", "red", "unknown"),
    ],
)
def test_rules_refuse_values_the_sheet_does_not_know(
    switch: str, value: object, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Game(3, rules(**{switch: value}))


def test_two_players_only_if_allowed() -> None:
    with pytest.raises(ValueError, match="players"):
        Game(2, rules())
    assert choices_per_take(2, allow_two="on") == [3] * 6 + [2, 1]


# Whole games


def random_rules(rng: random.Random, players: int) -> Rules:
    """Return a random value for every switch."""
    chosen = {name: rng.choice(words) for name, words in WORDS.items()}
    return rules(
        **chosen,
        edition=rng.choice([1, 2]),
        row_size=rng.choice(["auto", rng.randint(1, 26)]),
        target=rng.randint(1, 9),
        max_rounds=rng.choice([50, rng.randint(1, 6)]),
        cards_left=rng.choice([0, rng.randrange(players)]),
    )


def games(seed: str, n: int) -> Iterator[Game]:
    """Yield games that were played to their end at random, by random rules."""
    rng = random.Random(seed)
    for _ in range(n):
        players = rng.choice(PLAYERS)
        game = Game(players, random_rules(rng, players))
        play_game(game, rng)
        yield game


def test_c26_no_game_ends_after_one_round() -> None:
    rng = random.Random(26)
    for players in PLAYERS:
        for _ in range(100):
            game = Game(players, rules())
            play_game(game, rng)
            assert game.rounds >= 2
            assert game.decisions == game.rounds * 5 * players


def test_c33_invariants_of_whole_games() -> None:
    for game in games("invariants", 400):
        n_takes = 4 * game.players - game.rules["cards_left"]
        takes = [event for event in game.events if event["type"] == "take"]
        assert len(takes) == game.rounds * n_takes
        if game.rules["cards_left"] == 0:
            drawn = sum(game.poisoned) + game.cured + sum(game.own_drawn)
            assert drawn == game.rounds * game.players - sum(game.antidotes)
        if game.rules["uncancelled_owner"] == "scores":
            assert game.hits == sum(game.poisoned)
        assert game.hits <= sum(game.poisoned)
        assert sum(game.win_share) == 1


def lines_of(game: Game) -> list[dict[str, Any]]:
    """Return the transcript of a game as it comes out of a file."""
    first = {
        "type": "game",
        "format": 1,
        "game": "cocktail_poison",
        "players": game.players,
        "rules": game.rules,
        "seed": 0,
        "deal": 0,
        "rotation": 0,
        "lineup": ["uniform"] * game.players,
        "parameters": [{}] * game.players,
        "version": "test",
    }
    found: list[dict[str, Any]] = json.loads(json.dumps([first, *game.events]))
    return found


def test_transcripts_of_the_twin_pass_the_check() -> None:
    for game in games("transcripts", 60):
        check_cocktail_poison(lines_of(game))


@pytest.mark.parametrize(
    ("kind", "key", "value"),
    [
        ("game", "players", 7),
        ("game", "game", "poison"),
        ("round", "start", 2),
        ("deal", "pile", []),
        ("tile", "tile", "X"),
        ("tile", "seat", 1),
        ("take", "row", ["M-R"]),
        ("take", "antidote", True),
        ("take", "card", "M-R"),
        ("score", "raw", [0, 0, 0]),
        ("score", "totals", [9, 9, 9]),
        ("result", "winners", []),
        ("result", "status", "unfinished"),
    ],
)
def test_a_false_line_is_found(kind: str, key: str, value: Any) -> None:
    game = Game(3, rules(first_start="seat0"))
    rng = random.Random(4)
    deal_round(game, rng)
    choose(game, "R B G")
    while not game.over:
        if not game.in_round:
            deal_round(game, rng)
        pick, cover = uniform(game, rng)
        if game.is_choosing:
            game.choose(pick)
        else:
            game.take(pick, cover)
    lines = lines_of(game)
    check_cocktail_poison(lines)
    line = next(line for line in lines if line["type"] == kind)
    assert line[key] != value
    line[key] = value
    with pytest.raises(AssertionError, match="line"):
        check_cocktail_poison(lines)


def test_a_line_too_few_or_too_many_is_found() -> None:
    (game,) = games("cut", 1)
    lines = lines_of(game)
    for wrong in (lines[:-1], [*lines, lines[-1]], lines[:5] + lines[6:], []):
        with pytest.raises(AssertionError, match="line"):
            check_cocktail_poison(wrong)
