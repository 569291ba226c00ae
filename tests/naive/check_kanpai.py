"""Check transcripts of 干杯 against the rule sheet alone, without the simulator.

From `game` and `deal`, and from what the seats decide, the naive twin plays the game again; every
other line must be what the twin says. Claims are not written down: one was made if the game ends
with this turn as a win of the team.
"""

from __future__ import annotations

from typing import Any

from .kanpai import Decision, Event, Game, Option

FRAME = ("game", "players", "rules", "seed", "deal", "rotation", "lineup", "parameters", "version")
SORTED = {("return", "cards"), ("draw", "cards"), ("result", "winners")}  # in any order


def check_transcript(lines: list[Event]) -> Game:
    """Raise AssertionError unless the lines are a game played by the rules; return the twin."""
    first = lines[0]
    missing = [key for key in FRAME if key not in first]
    assert not missing and first["type"] == "game", f"line 1: {first['type']} lacks {missing}"
    assert first["format"] == 1 and first["game"] == "kanpai", f"line 1: {first['game']}"
    assert len(first["lineup"]) == len(first["parameters"]) == first["players"], "line 1: lineup"
    game = Game(first["players"], first["rules"])
    decks = [line["deck"] for line in lines if line["type"] == "reshuffle"]
    game.shuffle = lambda cards: decks.pop(0)
    place = 1
    try:
        game.start(lines[1])
        while True:
            for expected in game.events[place - 1 :]:
                assert place < len(lines), f"the transcript ends where {expected['type']} should"
                _check(place, lines[place], expected)
                place += 1
            if game.decision is None:
                break
            game.choose(_option(game, game.decision, lines, place))
    except ValueError as error:  # the twin refuses
        raise AssertionError(f"line {place + 1}: {error}") from error
    assert place == len(lines), f"{lines[place]['type']} stands after the result"
    return game


def _option(game: Game, decision: Decision, lines: list[Event], place: int) -> Option:
    """What the seat has decided, as the next lines say."""
    line = lines[place] if place < len(lines) else {"type": "nothing"}
    kind = line["type"]
    if decision.kind == "claim":
        is_last = all(later["type"] != "turn" for later in lines[place:])
        return ("claim", is_last and decision.seat in lines[-1]["winners"])
    if kind == "toast":
        option: Option = ("toast", line["card"], line["to"])
    elif kind == "send":
        option = ("send", line["glass"], line["to"])
    elif kind == "split":
        option = ("split", *(gift["to"] for gift in line["gives"]))
    elif kind == "overflow":
        option = ("overflow", line["glass"])
    else:
        option = (kind,)
    stands = {"act": ("toast", "send", "return")}.get(decision.kind, (decision.kind,))
    assert kind in stands, f"line {place + 1}: {kind} stands where {stands} should"
    return option


def _check(place: int, line: dict[str, Any], expected: Event) -> None:
    """Check that a line says what the twin says."""
    kind = expected["type"]
    assert line["type"] == kind, f"line {place + 1}: {line['type']} stands where {kind} should"
    for key, right in expected.items():
        found = line[key]
        if key == "win_share":
            is_same = len(found) == len(right) and all(
                abs(one - other) < 1e-9 for one, other in zip(found, right, strict=True)
            )
        elif (kind, key) in SORTED:
            is_same = sorted(found) == sorted(right)
        else:
            is_same = found == right
        assert is_same, f"line {place + 1}: {kind}.{key} is {found!r}, by the rules {right!r}"
