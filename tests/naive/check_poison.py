"""Check transcripts of 毒药 against the rule sheet alone, without the simulator.

From `game`, `round`, `deal` and `play` the naive twin plays the game again; every other line must
be what the twin says.
"""

from __future__ import annotations

from typing import Any

from .check_transcript import (
    STATUSES,
    Line,
    Test,
    check_equal,
    check_kinds,
    fail,
    game_kinds,
    is_count,
    is_number,
    is_text,
    list_of,
    one_of,
)
from .poison import PLAYERS, Game
from .schadenfreude import is_integer


def event_kinds(players: int) -> dict[str, dict[str, Test]]:
    """Return the keys of each event of 毒药 and the kind of each."""
    is_seat, cards, numbers = one_of(*range(players)), list_of(is_text), list_of(is_integer)
    a_seat = list_of(cards, players)
    return {
        "round": {"round": is_count, "start": is_seat},
        "deal": {"hands": a_seat, "ghost": cards, "aside": cards},
        "play": {
            "seat": is_seat,
            "card": is_text,
            "pot": one_of(0, 1, 2),
            "total": is_count,
            "takes": cards,
        },
        "score": {"taken": a_seat, "discarded": a_seat, "round_scores": numbers, "totals": numbers},
        "result": {
            "status": one_of(*STATUSES),
            "winners": list_of(is_seat),
            "win_share": list_of(is_number, players),
            "scores": numbers,
            "rounds": is_count,
        },
    }


def start_game(lines: list[Line]) -> Game:
    """Check the first line and return the twin of its game."""
    if not lines:
        raise AssertionError("the transcript is empty")
    for place, line in enumerate(lines):
        if not isinstance(line, dict) or not isinstance(line.get("type"), str):
            fail(place, f"not an object with a type: {line!r}")
    first = lines[0]
    players = first["players"] if first.get("players") in PLAYERS else 0
    kinds = {**game_kinds(players), "players": one_of(*PLAYERS), "game": one_of("poison")}
    check_kinds(0, first, kinds)
    return Game(players, first["rules"])


def in_order(line: Line) -> Line:
    """The line with its lists of cards, of colours and of winners sorted: their order is free."""
    keys = ("hands", "ghost", "aside", "takes", "taken", "discarded", "winners")
    return {key: _sorted(value) if key in keys else value for key, value in line.items()}


def _sorted(value: Any) -> Any:
    is_nested = bool(value) and isinstance(value[0], list)
    return [sorted(entry) for entry in value] if is_nested else sorted(value)


def check_poison(lines: list[Line]) -> None:
    """Raise AssertionError unless the lines are a transcript of one game played by the rules.

    Parameters
    ----------
    lines : list of dict
        The parsed JSON objects, in order.
    """
    game, place = start_game(lines), 1
    kinds = event_kinds(game.players)

    def expect(kind: str) -> Line:
        """Return the line at this place, checked to be of this kind."""
        if place >= len(lines):
            fail(place, f"the transcript ends where {kind} should stand")
        line = lines[place]
        if line["type"] != kind:
            fail(place, f"{line['type']} stands where {kind} should")
        check_kinds(place, line, kinds[kind])
        return line

    try:
        while not game.over:
            if game.in_round:
                play = expect("play")
                game.play(play["card"], play["pot"])
            else:
                opening = expect("round")
                place += 1
                dealt = expect("deal")
                place -= 1
                hands = dealt["hands"], dealt["ghost"], dealt["aside"]
                game.start_round(*hands, opening["start"])
            for expected in game.events[place - 1 :]:
                check_equal(place, in_order(expect(expected["type"])), in_order(expected))
                place += 1
    except ValueError as error:  # the twin refuses
        fail(place, str(error))
    if place < len(lines):
        fail(place, f"{lines[place]['type']} stands after the result")
