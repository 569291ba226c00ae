"""The teams of the made-up game, where it has any: the last seat against all others."""

from typing import Any


def team_sizes(players: int, switches: dict[str, Any]) -> list[int]:
    """Players of each team."""
    return [players - 1, 1]


def roles(players: int, switches: dict[str, Any]) -> list[int]:
    """The team of each seat; none in a storm, where they are drawn anew in every game."""
    return [] if switches["wind"] == "storm" else [0] * (players - 1) + [1]
