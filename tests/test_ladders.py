"""The ladders: pages made of their tables, and strategies that are weaker than they should be."""

from __future__ import annotations

import pytest

from analysis import ladders
from analysis.ladders import Side, as_csv, from_csv, not_as_expected
from sim import catalog
from sim.core.game import Game

GAMES = [*map(catalog.game, catalog.game_names())]


def table(strong: float, weak: float, se: float) -> list[Side]:
    """Three players: `new` alone among two `old` wins `strong`, `old` among two `new` `weak`."""
    sides = []
    for name, other, share in (("new", "old", strong), ("old", "new", weak)):
        sides.append(Side(name, 1, other, 2, share, se, 100, 300))
        sides.append(Side(other, 2, name, 1, (1 - share) / 2, se / 2, 100, 300))
    return sides


@pytest.mark.parametrize("game", GAMES, ids=lambda game: str(game.name))
def test_a_page_is_what_its_tables_and_strategies_say(game: Game) -> None:
    page = ladders.FOLDER / f"{game.name}.md"
    assert page.read_text(encoding="utf-8") == ladders.page(game)
    every = catalog.strategies(game.name)
    assert all(set(file.meant_to_beat) < set(every) for file in every.values())


def test_a_table_can_be_read_again() -> None:
    ladder = table(0.4, 0.3, 0.01)
    assert from_csv(as_csv(ladder)) == ladder


def test_who_does_not_beat_those_it_is_meant_to_is_listed_with_both_leads() -> None:
    meant = {"new": ("old",), "old": ()}
    assert "Each beats all" in not_as_expected({3: table(0.4, 0.25, 0.01)}, meant)
    # 0.4 - 0.3 = 0.1 alone; 0.32 - 0.36 = -0.04 around one
    listed = not_as_expected({3: table(0.4, 0.36, 0.01)}, meant)
    assert "| 3 | `new` | `old` | 10.00 ± 1.50 | −4.00 ± 1.50 |" in listed
    # The same lead as above is none with a larger error.
    listed = not_as_expected({3: table(0.4, 0.25, 0.04)}, meant)
    assert "| 10.00 ± 6.00 | 12.50 ± 6.00 |" in listed
    assert "Each beats all" in not_as_expected({3: table(0.4, 0.25, 0.04)}, {"new": ()})
