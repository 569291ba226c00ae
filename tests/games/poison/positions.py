"""Positions of 毒药 as text: `laid("R7 R1", "X", hand="R5").legal()` gives `R5>0`."""

from __future__ import annotations

from collections import Counter
from typing import Any, Self

from sim.games.poison import GAME
from sim.games.poison.cards import (
    COLOURS,
    COPIES,
    FULL_DECK,
    N_ACTIONS,
    N_KINDS,
    VALUE,
    kind_of,
    n_cards,
    one,
    pot_of,
)
from sim.games.poison.text import NAMES, cards
from tests.positions import Position

LAST_CARD = "X"  # what is played, to an empty pot, to end a round


def heap(text: str) -> int:
    """The cards of a text as a heap."""
    return sum(one(NAMES.index(name)) for name in text.split())


def text_of(cards_of: int) -> str:
    """The cards of a heap, in the order of the kinds."""
    return " ".join(cards(cards_of))


def action(text: str) -> int:
    """'R5>0' as the number of an action."""
    name, pot = text.split(">")
    return NAMES.index(name) * 3 + int(pot)


def action_text(number: int) -> str:
    return f"{NAMES[kind_of(number)]}>{pot_of(number)}"


def actions(bits: int) -> str:
    """A set of actions as text."""
    return " ".join(action_text(a) for a in range(N_ACTIONS) if bits >> a & 1)


def piles_of(*texts: str) -> list[int]:
    """Heaps that no other has: '5R 2B 1X' are any five red cards, two blue ones and a poison."""
    supply = Counter({name: COPIES[kind] for kind, name in enumerate(NAMES)})
    heaps = []
    for text in texts:
        found: list[str] = []
        for part in text.split():
            n, colour = int(part[:-1]), part[-1]
            own = [name for name in supply.elements() if name[0] == colour][:n]
            assert len(own) == n, "there are not so many"
            supply -= Counter(own)
            found += own
        heaps.append(heap(" ".join(found)))
    return heaps


class Pots(Position):
    """A position of 毒药; cards, pots and piles are text."""

    def __init__(self, players: int, **switches: Any) -> None:
        super().__init__(GAME, players, **switches)

    # What is laid on the table by hand

    def lay(self, *pots: str, hands: tuple[str, ...], piles: tuple[int, ...] = ()) -> Self:
        """Lay these cards in the pots, give hands and piles to the seats, the rest aside."""
        table, left = self.table, FULL_DECK
        table.played = 0
        for pot, text in enumerate((*pots, "", "", "")[:3]):
            table.pot[pot] = heap(text)
            table.pot_total[pot] = sum(VALUE[NAMES.index(name)] for name in text.split())
            colours = [COLOURS.index(name[0]) for name in text.split() if name != "X"]
            if not table.rules.fixed_colours:
                table.pot_colour[pot] = colours[0] if colours else -1
            table.played += table.pot[pot]
        for seat in range(self.players):
            self.state.hand[seat] = heap(hands[seat])
            table.n_hand[seat] = len(hands[seat].split())
            self.state.taken[seat] = piles[seat] if piles else 0
            if table.rules.memory == 0:
                table.taken[seat] = self.state.taken[seat]
            if table.rules.memory <= 1:
                table.n_taken[seat] = n_cards(self.state.taken[seat])
            table.played += self.state.taken[seat]
            left -= self.state.hand[seat]
        table.n_left = sum(len(hand.split()) for hand in hands)
        table.n_history = n_cards(table.played) if table.rules.memory == 0 else 0
        self.state.ghost = table.ghost = 0
        self.state.aside = left - table.played
        return self.to_act(table.seat)

    def to_act(self, seat: int) -> Self:
        """Let this seat act."""
        self.rules.let_act(self._state, seat)
        self.log.size = 0
        return self

    def set_totals(self, *totals: int, poisons: tuple[int, ...] = ()) -> Self:
        for seat, total in enumerate(totals):
            self.table.total[seat] = total
        for seat, n in enumerate(poisons):
            self.table.poisons[seat] = n
        return self

    def finish(self, *piles: str) -> Self:
        """Play the last card of the round, with these piles in front of the seats."""
        seat = self.table.seat
        hands = tuple(LAST_CARD if s == seat else "" for s in range(self.players))
        heaps = tuple(piles_of(*piles)) if piles else ()
        return self.lay(hands=hands, piles=heaps).play(f"{LAST_CARD}>0")

    # Play, and what is seen then

    def play(self, text: str) -> Self:
        """Do these actions in order, each for the seat to act; all must be legal."""
        for part in text.split():
            self.apply(action(part))
        return self

    def legal(self) -> str:
        """What the seat to act may do."""
        legal = self.legal_numbers(-2, 64)
        assert self.observe().legal == sum(1 << number for number in legal)
        assert self.broken() == ""
        return " ".join(map(action_text, legal))

    def pots(self) -> list[str]:
        """Cards and total of each pot, and its colour if that is not told by its cards."""
        found = []
        for pot in range(3):
            inside = text_of(self.table.pot[pot])
            colour = self.table.pot_colour[pot]
            name = "" if colour < 0 else COLOURS[colour]
            told = inside.strip("X ")[:1]
            found.append(f"[{inside}] {self.table.pot_total[pot]}" + (name if name != told else ""))
        return found

    def piles(self) -> list[str]:
        return [text_of(self.state.taken[seat]) for seat in range(self.players)]

    def totals(self) -> list[int]:
        return list(self.table.total[: self.players])

    def hand_sizes(self) -> list[int]:
        sizes = [n_cards(self.state.hand[seat]) for seat in range(self.players)]
        assert sizes == list(self.table.n_hand[: self.players])
        return sizes


def laid(
    *pots: str, hand: str, others: tuple[str, ...] = (), players: int = 4, **switches: Any
) -> Pots:
    """A game in its first round: seat 0 is to act with this hand, each other seat has a card."""
    used = heap(" ".join([*pots, hand, *others]))
    spare = []
    for kind in range(N_KINDS):
        n = COPIES[kind] - cards(used).count(NAMES[kind])
        assert n >= 0, f"there are not so many {NAMES[kind]}"
        spare += [NAMES[kind]] * n
    given = others or tuple(spare[: players - 1])
    game = Pots(players, first_start="seat0", **switches).start()
    return game.lay(*pots, hands=(hand, *given))
