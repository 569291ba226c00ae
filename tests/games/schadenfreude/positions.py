"""Positions of 幸灾乐祸 as text: `dealt("A7 B2", "A1 C4", "A-3 D4").play("A7 A1 A-3")`."""

from __future__ import annotations

from typing import Any, Self

from sim.games.schadenfreude import GAME
from sim.games.schadenfreude.cards import NUMBERS
from sim.games.schadenfreude.text import card_names
from tests.positions import Position

SCORELESS = {"single_follower": "discarded"}  # and one card of the led suit: nobody collects


class Cards(Position):
    """A position of 幸灾乐祸; cards and piles are text."""

    def __init__(self, players: int, **switches: Any) -> None:
        super().__init__(GAME, players, **switches)
        self.names = card_names(self.switches)

    # Text to bits and back

    def card(self, name: str) -> int:
        return self.names.index(name)

    def cards(self, text: str) -> int:
        """The cards of a text as a set of bits."""
        return sum(1 << self.card(name) for name in text.split())

    def text(self, cards: int) -> str:
        """The cards of a set, in the order of the deck."""
        return " ".join(name for card, name in enumerate(self.names) if cards >> card & 1)

    def ranks(self, numbers: list[int]) -> int:
        """A score pile as a set of bits."""
        order = NUMBERS[self.switches["rank_set"]]
        return sum(1 << order.index(number) for number in numbers)

    # What is laid on the table by hand

    def hold(self, *hands: str, start: int = 0) -> Self:
        """Give these hands to the seats, the other cards aside, and let `start` lead."""
        self.table.start = start
        left = self.table.rules.deck
        for seat, hand in enumerate(hands):
            self.state.hand[seat] = self.cards(hand)
            self.table.n_hand[seat] = len(hand.split())
            left &= ~self.cards(hand)
        self.state.aside = left
        self.table.aside = left if self.table.rules.shown_aside else 0
        self.rules.lead_trick(self._state, start)
        self.log.size = 0
        return self

    def set_piles(self, *piles: list[int]) -> Self:
        for seat, numbers in enumerate(piles):
            self.state.pile[seat] = self.ranks(numbers)
            self.table.pile[seat] = self.ranks(numbers) if self.table.rules.open_piles else 0
        return self

    def set_totals(self, *totals: int) -> Self:
        for seat, total in enumerate(totals):
            self.table.total[seat] = total
        return self

    # Play, and what is seen then

    def play(self, text: str) -> Self:
        """Play these cards in order, each for the seat to act; all must be legal."""
        for name in text.split():
            self.apply(self.card(name))
        return self

    def legal(self) -> str:
        """The legal cards of the seat to act."""
        legal = self.legal_numbers(-2, 64)
        assert self.observe().legal == sum(1 << card for card in legal)
        return " ".join(self.names[card] for card in legal)

    def piles(self) -> list[list[int]]:
        numbers = NUMBERS[self.switches["rank_set"]]
        return [
            [number for rank, number in enumerate(numbers) if self.state.pile[seat] >> rank & 1]
            for seat in range(self.players)
        ]

    def totals(self) -> list[int]:
        return list(self.table.total[: self.players])


def dealt(*hands: str, start: int = 0, **switches: Any) -> Cards:
    """A game in its first round: these hands of equal size, all other cards aside."""
    settings = {"hand_size": len(hands[0].split()), "removed_3p": [], **switches}
    return Cards(len(hands), **settings).start().hold(*hands, start=start)
