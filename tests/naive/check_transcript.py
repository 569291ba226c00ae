"""Check transcripts against the rule sheet alone, without the simulator.

A transcript is the list of its parsed lines. From `game`, `round`, `deal` and `play` the naive twin
plays the game again; every other line must be what the twin says.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NoReturn

from .schadenfreude import Game, is_integer

Line = dict[str, Any]
Test = Callable[[object], bool]  # whether a value has the right kind

STATUSES = ("finished", "unfinished", "draw")
FORMAT = 1
TOLERANCE = 1e-9  # of win shares, written as decimal numbers


def is_text(value: object) -> bool:
    """Return whether the value is a string."""
    return isinstance(value, str)


def is_object(value: object) -> bool:
    """Return whether the value is a JSON object."""
    return isinstance(value, dict)


def is_count(value: object) -> bool:
    """Return whether the value is a whole number of at least 0."""
    return is_integer(value) and value >= 0


def is_number(value: object) -> bool:
    """Return whether the value is a number, whole or not."""
    return isinstance(value, float) or is_integer(value)


def list_of(test: Test, length: int | None = None) -> Test:
    """Return the test for a list of such values, of this length if one is given."""

    def is_such_list(value: object) -> bool:
        if not isinstance(value, list) or length not in (None, len(value)):
            return False
        return all(test(entry) for entry in value)

    return is_such_list


def one_of(*values: object) -> Test:
    """Return the test for one of these values."""
    return lambda value: any(type(value) is type(known) and value == known for known in values)


PLAYERS = one_of(3, 4, 5)


def game_kinds(players: int) -> dict[str, Test]:
    """Return the keys of the first line of a transcript and the kind of each."""
    return {
        "type": one_of("game"),
        "format": one_of(FORMAT),
        "game": is_text,
        "players": PLAYERS,
        "rules": is_object,
        "seed": is_count,
        "deal": is_count,
        "rotation": one_of(*range(players)),
        "lineup": list_of(is_text, players),
        "parameters": list_of(is_object, players),
        "version": is_text,
    }


def event_kinds(players: int) -> dict[str, dict[str, Test]]:
    """Return the keys of each event of 幸灾乐祸 and the kind of each."""
    is_seat = one_of(*range(players))
    cards, numbers = list_of(is_text), list_of(is_integer, players)
    return {
        "round": {"round": is_count, "start": is_seat},
        "deal": {"hands": list_of(cards, players), "aside": cards},
        "play": {"seat": is_seat, "card": is_text},
        "trick": {
            "winner": one_of(*range(players), None),
            "takes": cards,
            "piles": list_of(list_of(is_integer), players),
        },
        "score": {"round_scores": numbers, "totals": numbers},
        "result": {
            "status": one_of(*STATUSES),
            "winners": list_of(is_seat),
            "win_share": list_of(is_number, players),
            "scores": numbers,
            "rounds": is_count,
        },
    }


ANY_ORDER: dict[tuple[str, str], Callable[[Any], Any]] = {  # values whose order means nothing
    ("deal", "hands"): lambda hands: [sorted(hand) for hand in hands],
    ("deal", "aside"): sorted,
    ("trick", "takes"): sorted,
    ("result", "winners"): sorted,
}


def fail(place: int, complaint: str) -> NoReturn:
    """Raise AssertionError for the line at this place (from 0)."""
    raise AssertionError(f"line {place + 1}: {complaint}")


def check_kinds(place: int, line: Line, kinds: dict[str, Test]) -> None:
    """Check that a line has all its keys, each of the right kind; further keys are allowed."""
    for key, has_kind in kinds.items():
        if key not in line:
            fail(place, f"{line['type']} has no key {key!r}")
        if not has_kind(line[key]):
            fail(place, f"{line['type']}.{key} cannot be {line[key]!r}")


def check_equal(place: int, line: Line, expected: Line) -> None:
    """Check that a line says what the twin says."""
    kind = expected["type"]
    for key, right in expected.items():
        found = line[key]
        if key == "win_share":
            pairs = zip(found, right, strict=True)
            is_same = all(abs(one - other) <= TOLERANCE for one, other in pairs)
        else:
            in_order = ANY_ORDER.get((kind, key), lambda value: value)
            is_same = in_order(found) == in_order(right)
        if not is_same:
            fail(place, f"{kind}.{key} is {found!r}, by the rules {right!r}")


def start_game(lines: list[Line]) -> Game:
    """Check the first line and return the twin of its game."""
    if not lines:
        raise AssertionError("the transcript is empty")
    for place, line in enumerate(lines):
        if not isinstance(line, dict) or not isinstance(line.get("type"), str):
            fail(place, f"not an object with a type: {line!r}")
    first = lines[0]
    if first["type"] != "game":
        fail(0, f"a transcript begins with game, not {first['type']}")
    players = int(first["players"]) if PLAYERS(first.get("players")) else 0
    check_kinds(0, first, game_kinds(players))
    if first["game"] != "schadenfreude":
        fail(0, f"the game is {first['game']!r}, not 'schadenfreude'")
    return Game(players, first["rules"])


def check_schadenfreude(lines: list[Line]) -> None:
    """Raise AssertionError unless the lines are a transcript of one game played by the rules.

    Parameters
    ----------
    lines : list of dict
        The parsed JSON objects, in order.
    """
    place = 0
    kinds: dict[str, dict[str, Test]] = {}

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
        game = start_game(lines)
        kinds = event_kinds(game.players)
        place = 1
        while not game.over:
            opening = expect("round")
            place += 1
            dealt = expect("deal")
            game.start_round(dealt["hands"], dealt["aside"], opening["start"])
            check_equal(place - 1, opening, game.events[-2])
            check_equal(place, dealt, game.events[-1])
            place += 1
            while game.in_round:
                play = expect("play")
                if play["seat"] != game.to_move:
                    fail(place, f"seat {play['seat']} plays, by the rules seat {game.to_move}")
                game.play(play["card"])
                for expected in game.events[place - 1 :]:  # the play and what follows from it
                    check_equal(place, expect(expected["type"]), expected)
                    place += 1
    except ValueError as error:  # the twin refuses
        fail(place, str(error))
    if place < len(lines):
        fail(place, f"{lines[place]['type']} stands after the result")
