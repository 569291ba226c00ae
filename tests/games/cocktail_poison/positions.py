"""Positions of Cocktail Poison as text: `dealt("M F O").choose("R B G").take("M-R F-B* O-G")`.

A star lays the antidote on the card just taken, `M-R/F-B` on another card, here F-B; `?` is the top
of the pile.
"""

from __future__ import annotations

from typing import Any, Self

from sim.games.cocktail_poison import GAME
from sim.games.cocktail_poison.cards import (
    BLIND,
    FIRST_TILE,
    N_ACTIONS,
    NO_LAY,
    ON_NEW,
    ON_OLD,
    action_of,
    lay_of,
    pick_of,
)
from sim.games.cocktail_poison.text import CARD_NAMES, STYLES, TILES
from tests.positions import Position

ALL_IN_THE_ROW = {"row_size": 24}


class Bar(Position):
    """A position of Cocktail Poison; styles, tiles and cards are text."""

    def __init__(self, players: int, **switches: Any) -> None:
        super().__init__(GAME, players, **switches)

    # Text to numbers and back

    def card(self, name: str) -> int:
        return BLIND if name == "?" else CARD_NAMES.index(name)

    def cards(self, text: str) -> int:
        """The cards of a text as a set of bits."""
        return sum(1 << self.card(name) for name in text.split())

    def text(self, cards: int) -> str:
        """The cards of a set, in the order of their numbers."""
        return " ".join(name for card, name in enumerate(CARD_NAMES) if cards >> card & 1)

    def action(self, name: str) -> int:
        """An action: 'R', 'M-R', 'M-R*', 'M-R/F-B', '?'."""
        if name in TILES:
            return FIRST_TILE + TILES.index(name)
        card, _, covered = name.partition("/")
        if covered:
            return action_of(self.card(card), ON_OLD + self.card(covered))
        return action_of(self.card(card.rstrip("*")), ON_NEW if "*" in card else NO_LAY)

    def name(self, action: int) -> str:
        """The text of an action."""
        pick, lay = pick_of(action), lay_of(action)
        if pick >= FIRST_TILE:
            return TILES[pick - FIRST_TILE]
        card = "?" if pick == BLIND else CARD_NAMES[pick]
        if lay >= ON_OLD:
            return f"{card}/{CARD_NAMES[lay - ON_OLD]}"
        return f"{card}*" if lay == ON_NEW else card

    # What is laid on the table by hand

    def serve(self, styles: str, deck: str = "", start: int = 0) -> Self:
        """Begin the round anew with these glasses and this deck; drinks not named follow."""
        table = self.table
        given = [STYLES.index(style) for style in styles.split()]
        for seat, style in enumerate(given):
            self.state.style[seat] = style
        table.styles = sum(1 << style for style in given)
        table.deck = sum(0xF << 4 * style for style in given)
        order = [self.card(name) for name in deck.split()]
        order += [card for card in range(24) if table.deck >> card & 1 and card not in order]
        for k, card in enumerate(order):
            self.state.deck[k] = card
        table.start, table.row, table.n_turned = start, 0, 0
        if table.rules.row_first:
            self.rules.fill_row(self._state)
        self.rules.ask_for_tile(self._state, start)
        self.log.size = 0
        return self

    def set_totals(self, *totals: int) -> Self:
        for seat, total in enumerate(totals):
            self.table.total[seat] = total
        return self

    # Play, and what is seen then

    def choose(self, tiles: str) -> Self:
        """Let every seat choose its tile; they stand in the order of the seats."""
        chosen = tiles.split()
        for _ in chosen:
            self.apply(self.action(chosen[self.table.seat]))
        return self

    def take(self, text: str) -> Self:
        """Take these cards in order, each for the seat to act; all must be legal."""
        for name in text.split():
            self.apply(self.action(name))
        return self

    def draft(self, displays: str) -> Self:
        """Let the seats take these cards, seats parted by bars, each seat in its order."""
        left = [display.split() for display in displays.split("|")]
        while any(left):
            self.take(left[self.table.seat].pop(0))
        return self

    def legal(self) -> str:
        """The legal actions of the seat to act."""
        legal = self.legal_numbers(-9, N_ACTIONS + 9)
        me = self.observe()
        assert {pick_of(action) for action in legal} == {
            pick for pick in range(32) if me.legal >> pick & 1
        }
        assert len(legal) == me.legal.bit_count() * me.lays.bit_count()
        return " ".join(map(self.name, legal))

    def n_legal(self) -> int:
        return len(self.legal().split())

    def n_pile(self) -> int:
        return 4 * self.players - int(self.table.n_turned)

    def row(self) -> str:
        return self.text(self.table.row)

    def display(self, seat: int) -> str:
        return self.text(self.table.display[seat])

    def totals(self) -> list[int]:
        return list(self.table.total[: self.players])

    def last_event(self, kind: str) -> dict[str, Any]:
        """The last event of this kind since the events were last read."""
        return [event for event in self.events() if event["type"] == kind][-1]


def dealt(styles: str, deck: str = "", start: int = 0, **switches: Any) -> Bar:
    """A game in its first round, these glasses dealt, about to choose tiles."""
    game = Bar(len(styles.split()), **{"allow_two": "on", **switches})
    return game.start().serve(styles, deck, start)


def played(
    tiles: str, displays: str, totals: tuple[int, ...] = (), start: int = 0, **switches: Any
) -> Bar:
    """A game in which one round was played; seats A, B, … have the glasses M, F, O, …"""
    players = len(tiles.split())
    game = dealt(" ".join(STYLES[:players]), start=start, **{**ALL_IN_THE_ROW, **switches})
    return game.set_totals(*totals).choose(tiles).draft(displays)


def scores(tiles: str, displays: str, **switches: Any) -> list[int]:
    """The round scores of a round."""
    found: list[int] = played(tiles, displays, **switches).last_event("score")["round_scores"]
    return found
