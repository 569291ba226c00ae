"""Positions of 干杯 as text: `at_table("RB", hands=("Y/b",)).act("toast Y/b 0", "split 1 2")`.

Areas are big glasses (`RRB`), cards `Y/b`, recipes five glasses. Actions: `toast Y/b 0`,
`send R 2`, `return`, `split 1 2` (new card to 1, matching one to 2), `drop Y`, `silent`, `declare`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Self

from sim.games.kanpai import GAME
from sim.games.kanpai.cards import BYTE
from sim.games.kanpai.text import CARDS, GLASSES, counts
from sim.games.kanpai.view import (
    CLAIM,
    DECLARE,
    DROP,
    GIVE,
    MAX_HAND,
    PLACES,
    RETURN,
    SEND,
    SILENT,
    drop,
    give,
    send,
    toast,
)
from tests.positions import Position, members

RECIPES = ("GRBYY", "RRBBG", "PPYYR")  # of the teams, unless a test says others
FILLER, DECK = "P/g", "R/g " * 12  # hands and deck that do not matter


def glasses(text: str) -> int:
    """A multiset of glasses."""
    return sum(1 << (BYTE * GLASSES.index(glass)) for glass in text)


def as_text(area: int) -> str:
    """The glasses of a multiset in the order G R B Y P."""
    return "".join(glass * n for glass, n in zip(GLASSES, counts(area), strict=True))


def number(action: str) -> int:
    """An action as strategies give it."""
    word, *rest = action.split()
    if word == "toast":
        return toast(CARDS.index(rest[0]), int(rest[1]))
    if word == "send":
        return send(GLASSES.index(rest[0]), int(rest[1]))
    if word == "split":
        return give(int(rest[0]), int(rest[1]))
    if word == "drop":
        return drop(GLASSES.index(rest[0]))
    return {"return": RETURN, "silent": SILENT, "declare": DECLARE}[word]


def action_text(action: int) -> str:
    """The action as text again."""
    if action < SEND:
        return f"toast {CARDS[action // PLACES]} {action % PLACES}"
    if action < RETURN:
        return f"send {GLASSES[(action - SEND) // PLACES]} {(action - SEND) % PLACES}"
    if GIVE <= action < DROP:
        return f"split {(action - GIVE) // PLACES} {(action - GIVE) % PLACES}"
    if DROP <= action < SILENT:
        return f"drop {GLASSES[action - DROP]}"
    return {RETURN: "return", SILENT: "silent", DECLARE: "declare"}[action]


def actions(me: Any, phase: int) -> list[int]:
    """All that a seat may do in a decision of this kind, as its view has it."""
    targets, receivers = members(me.toast_to), members(me.send_to)
    found = [toast(card, to) for card in members(me.hand) for to in targets]
    found += [send(glass, to) for glass in members(me.sends) for to in receivers]
    found += [RETURN] if me.may_return else []
    found += [GIVE + i for i in members(me.pairs)]
    found += [drop(glass) for glass in members(me.drops)]
    return found + ([SILENT, DECLARE] if phase == CLAIM else [])


class Cheers(Position):
    """A position of 干杯; areas, cards and actions are text."""

    def __init__(self, players: int, **switches: Any) -> None:
        super().__init__(GAME, players, **switches)

    def lay(
        self,
        areas: Iterable[str],
        hands: Iterable[str],
        deck: str,
        recipes: Iterable[str],
        active: int,
    ) -> Self:
        """Put this on the table and let `active` begin a turn; the deck profile is what lies there.

        A card in an area has the small glass that follows its big one.
        """
        state, table = self.state, self.table
        table.rules.n_cards = 0
        for card in range(len(CARDS)):
            table.played[card] = table.rules.copies[card] = 0
        for place, area in enumerate(areas):
            table.area[place] = glasses(area)
            for glass in area:
                i = GLASSES.index(glass)
                self._add(i * 5 + (i + 1) % 5, table.played)
        given = dict(enumerate(hands))
        for seat in range(self.players):
            limit = table.rules.limit[seat]
            hand = given.get(seat, f"{FILLER} " * limit)
            cards = sorted(map(CARDS.index, hand.split()))
            table.n_hand[seat] = len(cards)
            state.hand[seat] = sum(1 << card for card in set(cards))
            for k in range(MAX_HAND):
                state.held[seat * MAX_HAND + k] = cards[k] if k < len(cards) else -1
            for card in cards:
                self._add(card)
        cards = [CARDS.index(card) for card in deck.split()]
        table.n_deck = len(cards)
        for card in cards:
            self._add(card)
        for i, card in enumerate(cards):
            state.deck[table.rules.n_cards - len(cards) + i] = card
        for team, recipe in zip(range(table.rules.n_teams), recipes, strict=False):
            state.recipe[team] = glasses(recipe)
        self.view.share_knowledge(self._state)
        table.turn, table.place = 1, active
        for seat in range(self.players):
            table.turns[seat] = 0
        self.rules.begin_turn(self._state, self._log)
        self.log.size = 0
        return self

    def _add(self, card: int, counted: Any = None) -> None:
        self.table.rules.copies[card] += 1
        self.table.rules.n_cards += 1
        if counted is not None:
            counted[card] += 1

    # Play, and what is seen then

    def act(self, *actions: str) -> Self:
        """Do these things in order, each for the seat to act; all must be legal."""
        for action in actions:
            self.apply(number(action))
            assert self.broken() == ""
        return self

    @property
    def areas(self) -> list[str]:
        return [as_text(area) for area in self.table.area[: self.table.rules.n_ring]]

    @property
    def asked(self) -> int:
        """The seat to act."""
        return int(self.table.seat)

    def hand(self, seat: int) -> str:
        held = self.state.held[seat * MAX_HAND : seat * MAX_HAND + self.table.n_hand[seat]]
        return " ".join(sorted(CARDS[card] for card in held))

    def legal(self) -> set[str]:
        """All actions of the seat to act, as its view has them."""
        found = actions(self.observe(), self.table.phase)
        assert sorted(found) == self.legal_numbers(-3, DECLARE + 3)
        return set(map(action_text, found))

    def pairs(self) -> set[tuple[int, int]]:
        """The legal pairs of receivers, when a split is asked for."""
        splits = [action.split() for action in self.legal()]
        assert all(word == "split" for word, *_ in splits)
        return {(int(x), int(y)) for _, x, y in splits}

    def shares(self) -> list[float]:
        return [share / 2520 for share in self.outcome()["win_share"]]


def at_table(
    *areas: str,
    hands: Iterable[str] = (),
    players: int = 4,
    active: int = 0,
    deck: str = DECK,
    recipes: Iterable[str] = RECIPES,
    **switches: Any,
) -> Cheers:
    """A game in which these areas and hands lie, and `active` is on turn."""
    return Cheers(players, **switches).start().lay(areas, hands, deck, recipes, active)


def started(players: int, **switches: Any) -> Cheers:
    """A game that has been dealt."""
    return Cheers(players, **switches).start()


def started_with(deal: int, players: int, **switches: Any) -> Cheers:
    """The game of a deal, dealt."""
    return Cheers(players, **switches).start(deal=deal)


def hand_sizes(game: Cheers) -> list[int]:
    """Cards in hand, a number a seat."""
    return list(game.table.n_hand[: game.players])


def pairs(text: str) -> set[tuple[int, int]]:
    """Pairs as text: `01 10 23`."""
    return {(int(pair[0]), int(pair[1])) for pair in text.split()}
