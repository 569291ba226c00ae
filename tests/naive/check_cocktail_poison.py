"""Check transcripts of Cocktail Poison against the rule sheet alone, without the simulator.

From `game`, `round`, `deal`, `tile` and `take` the naive twin plays the game again; every other
line must be what the twin says.
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
    is_integer,
    is_number,
    list_of,
    one_of,
)
from .cocktail_poison import ANTIDOTE, COLOURS, STYLES, Game, drinks

CARDS = one_of(*drinks(list(STYLES)))
PLAYERS = one_of(2, 3, 4, 5, 6)


def event_kinds(players: int) -> dict[str, dict[str, Test]]:
    """Return the keys of each event of Cocktail Poison and the kind of each."""
    is_seat, numbers = one_of(*range(players)), list_of(is_integer, players)
    return {
        "round": {"round": is_count, "start": is_seat},
        "deal": {
            "styles": list_of(one_of(*STYLES), players),
            "row": list_of(CARDS),
            "pile": list_of(CARDS),
        },
        "tile": {"seat": is_seat, "tile": one_of(*COLOURS, ANTIDOTE)},
        "take": {
            "seat": is_seat,
            "card": CARDS,
            "antidote": one_of(True, False),
            "row": list_of(CARDS),
        },
        "antidote": {"seat": is_seat, "card": CARDS},
        "score": {"raw": numbers, "round_scores": numbers, "totals": numbers},
        "result": {
            "status": one_of(*STATUSES),
            "winners": list_of(is_seat),
            "win_share": list_of(is_number, players),
            "scores": numbers,
            "rounds": is_count,
        },
    }


def twin_of(lines: list[Line]) -> Game:
    """Check the first line and return the twin of its game."""
    first: dict[str, Any] = lines[0] if lines else {}
    if first.get("type") != "game" or first.get("game") != "cocktail_poison":
        fail(0, f"a transcript of Cocktail Poison does not begin with {first}")
    players = int(first["players"]) if PLAYERS(first.get("players")) else 0
    check_kinds(0, first, {**game_kinds(players), "players": PLAYERS})
    return Game(players, first["rules"])


def check_cocktail_poison(lines: list[Line]) -> None:
    """Raise AssertionError unless the lines are a transcript of one game played by the rules.

    Parameters
    ----------
    lines : list of dict
        The parsed JSON objects, in order.
    """
    place = 0

    def expect(kind: str) -> Line:
        """Return the line at this place, checked to be of this kind."""
        if place >= len(lines) or lines[place].get("type") != kind:
            found = lines[place].get("type") if place < len(lines) else "the end"
            fail(place, f"{found} stands where {kind} should")
        check_kinds(place, lines[place], kinds[kind])
        return lines[place]

    try:
        game = twin_of(lines)
        kinds = event_kinds(game.players)
        place = 1
        while not game.over:
            opening = expect("round")
            place += 1
            dealt = expect("deal")
            game.start_round(dealt["styles"], dealt["row"], dealt["pile"], opening["start"])
            check_equal(place - 1, opening, game.events[-2])
            place += 1
            while game.in_round:
                line = expect("tile" if game.is_choosing else "take")
                if line["seat"] != game.to_move:
                    fail(place, f"seat {line['seat']} acts, by the rules seat {game.to_move}")
                if game.is_choosing:
                    game.choose(line["tile"])
                else:
                    game.take(*_choice(game, lines[place : place + 2]))
                for expected in game.events[place - 1 :]:  # and what follows from it
                    check_equal(place, expect(expected["type"]), expected)
                    place += 1
    except ValueError as error:  # the twin refuses
        fail(place, str(error))
    if place < len(lines):
        fail(place, f"{lines[place]['type']} stands after the result")


def _choice(game: Game, lines: list[Line]) -> tuple[str, str | None]:
    """What a take picks and covers; the line after it may lay the antidote on an earlier card."""
    take = lines[0]
    card = take["card"] if take["card"] in game.open_cards else "?"
    if take["antidote"]:
        return card, "new"
    if len(lines) > 1 and lines[1].get("type") == "antidote":
        return card, lines[1].get("card")
    return card, None
