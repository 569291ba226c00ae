"""Kernels and naive twin of 幸灾乐祸 play the same games, decision by decision."""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest

from sim.core.engine import Table
from sim.games.schadenfreude import GAME, text
from tests import twins
from tests.arena import random_switches
from tests.naive import schadenfreude as naive
from tests.naive.check_transcript import ANY_ORDER, check_schadenfreude
from tests.naive.schadenfreude import Game as Twin
from tests.positions import members
from tests.twins import Case

STRATEGIES = (
    ("uniform",),
    ("lowest", "uniform"),
    ("uniform", "lowest", "highest"),
    ("target40", "saboteur", "last_exact"),
)


def random_case(rng: random.Random) -> Case:
    players = rng.choice(GAME.players)
    switches = random_switches(GAME, players, rng)
    return Case.random(GAME, rng, players, switches, rng.choice(STRATEGIES))


class Pair(twins.Pair):
    """A table of kernels and the twin that follows it."""

    TWIN = Twin
    check = staticmethod(check_schadenfreude)

    def __init__(self, case: Case, table: Table | None = None) -> None:
        super().__init__(case, table)
        self.names = text.card_names(case.switches)

    def in_order(self, event: dict[str, Any]) -> dict[str, Any]:
        free = {key: order for (kind, key), order in ANY_ORDER.items() if kind == event["type"]}
        return event | {key: order(event[key]) for key, order in free.items()}

    def cards(self, bits: int) -> set[str]:
        return {self.names[card] for card in members(bits)}

    def ranks(self, numbers: list[int]) -> int:
        """The numbers of a pile as bits, the lowest number of a suit first."""
        order = [int(name[1:]) for name in self.names if name[0] == "A"]
        return sum(1 << order.index(number) for number in numbers)

    def deal(self, deal: dict[str, Any], start: int) -> None:
        self.twin.start_round(deal["hands"], deal["aside"], start)

    def choose(self, choice: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self.twin.play(choice["card"])

    def view_of_twin(self) -> dict[str, Any]:
        return {"legal": self.twin.legal(), "hand": set(self.twin.hands[self.twin.to_move])}

    def view_of_kernels(self, me: Any) -> dict[str, Any]:
        return {"legal": self.cards(me.legal), "hand": self.cards(me.hand)}

    def compare(self) -> None:
        table: Any = self.table.state.table
        twin, n = self.twin, self.twin.players
        assert list(table.total[:n]) == twin.totals
        assert list(table.last_round[:n]) == (twin.last_round_scores or [0] * n)
        assert list(table.tricks[:n]) == twin.tricks
        assert list(table.cancellations[:n]) == twin.cancellations
        assert (table.single_follower, table.lead_changes) == (
            twin.single_follower,
            twin.lead_changes,
        )
        if not twin.in_round:
            return
        assert (table.round, table.n_tricks) == (twin.rounds, len(twin.history))
        assert (table.start, table.leader, table.seat) == (twin.start, twin.lead, twin.to_move)
        assert list(table.n_hand[:n]) == [len(hand) for hand in twin.hands]
        assert twin.voids == {
            (seat, suit)
            for seat in range(n)
            for i, suit in enumerate("ABCD")
            if table.void[seat] >> i & 1
        }
        piles = [self.ranks(pile) for pile in twin.piles]
        assert list(self.table.state.pile[:n]) == piles
        is_open = twin.rules["pile_visibility"] == "open"
        assert list(table.pile[:n]) == (piles if is_open else [0] * n)


def play_cases(seed: str, n: int) -> Counter[Any]:
    rng = random.Random(seed)
    return twins.play_cases(Pair, [random_case(rng) for _ in range(n)])


@pytest.mark.parametrize("chunk", range(8))
def test_kernels_and_twin_play_the_same_games(chunk: int) -> None:
    seen = play_cases(f"twin {chunk}", 260)
    assert all(seen["players", players] for players in GAME.players)
    assert all(seen["status", status] for status in ("finished", "unfinished"))
    assert all(seen["winners", n] for n in (0, 1, 2))
    for switch in GAME.switches:
        values = {value for name, value in seen if name == switch.name}
        assert values >= set(switch.words)
        assert switch.low is None or len(values) > 5


@pytest.mark.both_modes
def test_a_few_games_with_the_twin() -> None:
    assert play_cases("few", 60)


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(100))
def test_100_000_games_with_the_twin(chunk: int) -> None:
    assert play_cases(f"deep {chunk}", 1000)


@pytest.mark.parametrize(
    ("owner", "rule", "wrong"),
    [
        (naive, "trick_winner", lambda plays, rules: naive.ranked(plays, rules)[0][0]),
        (naive, "legal_cards", lambda hand, led: set(hand)),
        (naive, "collect", lambda pile, cards: pile.extend(cards) or []),
        (naive, "lowest_starts", lambda totals, start, rules: [start]),
        (naive, "is_bust", lambda total, rules: total >= 40),
    ],
)
def test_a_wrong_rule_is_found(
    owner: Any, rule: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, rule, wrong)
    twins.expect_difference(Pair, GAME, 4)


test_uniform_games_with_the_twin = twins.uniform_test(
    Pair, GAME, [("usual rules", players, {}) for players in GAME.players]
)
