"""How the lanterns look."""

from __future__ import annotations

from typing import Any

from sim.core.game import Piece, Pieces, Words


def pieces(players: int, switches: dict[str, Any]) -> list[Pieces]:
    """A lantern of each number that is not removed, two for each player."""
    return [
        Pieces(
            Words("Lanterns of the box", "盒中的牌"),
            tuple(
                Piece(f"L{number}", Words(f"light {number}", f"数字 {number}"), 2 * players)
                for number in range(-3, 10)
                if number not in switches["removed"]
            ),
        )
    ]
