"""Cocktail Poison on the command line: what a user gets wrong, and a game to read."""

from __future__ import annotations

import json
import shlex
from typing import Any

import pytest

from sim.cli import run
from sim.games.cocktail_poison.text import card_words
from tests.naive.check_cocktail_poison import check_cocktail_poison

PLAY = "run cocktail_poison --strategies uniform --deals 5 --seed 1 --quiet"
REPLAY = "replay cocktail_poison --players 3 --strategies bayes,uniform,own_first --seed 1"


def output(capsys: pytest.CaptureFixture[str], command: str, code: int = 0) -> list[str]:
    """The lines that a command says, on standard output or, if it fails, as complaints."""
    assert run(shlex.split(command)) == code
    seen = capsys.readouterr()
    return (seen.out if code == 0 else seen.err).splitlines()


@pytest.mark.parametrize(
    ("flags", "complaints"),
    [
        ("--players 2", ["--players: allow_two=off leaves no game for 2 players; allowed: 3 to"]),
        ("--players 7", ["--players: 7 is not allowed; allowed: 2, 3, 4, 5, 6"]),
        (
            "--players 2 --rule cards_left=2",
            [
                "--players: allow_two=off leaves no game for 2 players; allowed: 3 to",
                "--rule cards_left=2: cards_left=2 is a whole lap of 2 players or more; allowed: 0",
            ],
        ),
        (
            "--players 3 --rule antidote_tile=no --rule antidote_window=any_time_in_round",
            [
                "--rule antidote_window=any_time_in_round: antidote_window=any_time_in_round is "
                "for antidote_tile=yes; allowed with antidote_tile=no: on_take"
            ],
        ),
        (
            "--players 3 --rule target=4 --rule target=6",
            ["--rule target=6: target is given twice; allowed: once"],
        ),
        (
            "--players 3 --rule edition=3 --rule row_size=0 --rule end_tie=draw",
            [
                "--rule edition=3: '3' is not allowed; allowed: an integer 1..2",
                "--rule row_size=0: '0' is not allowed; allowed: auto, an integer 1..24",
                "--rule end_tie=draw: 'draw' is not allowed; allowed: shared, extra_round, fewest",
            ],
        ),
    ],
)
def test_mistakes_are_told_together_with_what_is_allowed(
    capsys: pytest.CaptureFixture[str], flags: str, complaints: list[str]
) -> None:
    told = output(capsys, f"{PLAY} {flags}", code=2)
    assert len(told) == len(complaints)
    for line, start in zip(told, complaints, strict=True):
        assert line.startswith(f"fairdeal: {start}")


def test_bounds_of_parameters_are_told(capsys: pytest.CaptureFixture[str]) -> None:
    command = PLAY.replace("uniform", "bayes:tile=6:mask=1") + " --players 3"
    told = output(capsys, command, code=2)
    assert "bayes: tile=6 is out of bounds; allowed: an integer 0..5" in told[0]
    assert "bayes: unknown parameter 'mask'" in told[1]


def test_two_players_where_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    assert "2 players" in output(capsys, f"{PLAY} --players 2 --rule allow_two=on")[0]


def test_replay_as_lines_keeps_the_rules(capsys: pytest.CaptureFixture[str]) -> None:
    lines = output(capsys, f"{REPLAY} --deals 0:3 --format jsonl")
    games: list[list[dict[str, Any]]] = []
    for line in map(json.loads, lines):
        if line["type"] == "game":
            games.append([])
        games[-1].append(line)
    assert len(games) == 9
    for game in games:
        check_cocktail_poison(game)


@pytest.mark.parametrize(
    ("lang", "words"),
    [
        ("en", ["  row: red bowl, blue bowl, blue Martini", "  seat 1 hides the tile: yellow"]),
        ("zh", ["  公开：红色碗形杯、蓝色碗形杯、蓝色马天尼杯", "  座位 1 暗选：黄"]),
    ],
)
def test_replay_as_text(capsys: pytest.CaptureFixture[str], lang: str, words: list[str]) -> None:
    lines = output(capsys, f"{REPLAY} --deals 0:1 --rotation 0 --lang {lang}")
    assert set(words) <= set(lines)


def test_a_latin_letter_stands_apart_in_chinese() -> None:
    assert card_words("T-B", "zh") == "蓝色 T 型杯"
    assert card_words("M-R", "zh") == "红色马天尼杯"
