"""Kernels and naive twin of 毒药 play the same games, decision by decision."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sim.core.engine import Table
from sim.games.poison import GAME, text
from sim.games.poison.cards import FULL_DECK, one
from tests import twins
from tests.arena import lineup, random_switches, strategy_names
from tests.naive import poison as naive
from tests.naive.check_poison import check_poison, in_order
from tests.naive.poison import Game as Twin
from tests.positions import members
from tests.twins import Case, compare_golden, read_golden

GOLDEN = Path(__file__).parent / "games" / "poison" / "golden.jsonl"
MODES: dict[str, dict[str, Any]] = {  # what is held fixed while other switches vary
    "default": {},
    "fixed": {"cauldron_colour_mode": "fixed"},
    "sticky": {"colour_lock_after_bust": "sticky", "bust_collects": "all_including_played"},
    "equal": {"deal_mode": "equal_aside", "three_player_deal": "equal_aside"},
    "all cards": {"deal_mode": "start_only", "three_player_deal": "all_cards"},
}


def random_case(rng: random.Random, players: int = 0, **given: Any) -> Case:
    """A game under random switches; short ones more often than long ones."""
    players = players or rng.choice(GAME.players)
    switches = random_switches(GAME, players, rng) | given
    if "rounds" not in given and rng.random() < 0.8:
        switches["rounds"] = rng.choice([1, 2])
    names = strategy_names(GAME)
    seats = tuple(rng.choice(names) for _ in range(rng.choice([1, players])))
    return Case.random(GAME, rng, players, switches, seats)


ONE = {name: one(kind) for kind, name in enumerate(text.NAMES)}


def heap(cards: list[str]) -> int:
    """The twin's cards as the kernels have them."""
    return sum(map(ONE.__getitem__, cards))


class Pair(twins.Pair):
    """A table of kernels and the twin that follows it."""

    TWIN = Twin
    check = staticmethod(check_poison)
    in_order = staticmethod(in_order)

    def deal(self, deal: dict[str, Any], start: int) -> None:
        self.twin.start_round(deal["hands"], deal["ghost"], deal["aside"], start)

    def choose(self, choice: dict[str, Any], events: list[dict[str, Any]]) -> None:
        self.twin.play(choice["card"], choice["pot"])

    def view_of_twin(self) -> dict[str, Any]:
        return {"legal": self.twin.legal(), "hand": heap(self.twin.hands[self.twin.to_move])}

    def view_of_kernels(self, me: Any) -> dict[str, Any]:
        allowed = [divmod(number, 3) for number in members(me.legal)]
        return {"legal": sorted((text.NAMES[kind], pot) for kind, pot in allowed), "hand": me.hand}

    def compare(self) -> None:
        state: Any = self.table.state
        table, twin, n = state.table, self.twin, self.twin.players
        assert list(table.total[:n]) == twin.totals
        assert list(table.last_round[:n]) == twin.last_round_scores
        assert [seat for seat in range(n) if table.eligible >> seat & 1] == twin.eligible
        if not twin.in_round:
            return
        seat = twin.to_move
        seen = twin.seen_by(seat)
        assert (table.round, table.start, table.seat) == (seen["round"], seen["start"], seat)
        assert FULL_DECK - table.played - table.ghost - state.hand[seat] == heap(seen["unseen"])
        assert list(state.hand[:n]) == [heap(hand) for hand in twin.hands]
        assert list(table.n_hand[:n]) == seen["hand_sizes"]
        colours = [None if c < 0 else "RBP"[c] for c in table.pot_colour]
        pots = [(heap(cards), total, colour) for cards, total, colour in seen["pots"]]
        assert list(zip(table.pot, table.pot_total, colours, strict=True)) == pots
        nothing: list[Any] = [[]] * n
        assert list(table.taken[:n]) == [heap(pile) for pile in seen.get("taken", nothing)]
        assert list(table.n_taken[:n]) == seen.get("n_taken", [0] * n)
        assert list(state.taken[:n]) == [heap(pile) for pile in twin.piles]

    def kinds(self) -> dict[str, Any]:
        return super().kinds() | {"extra rounds": self.twin.rounds > self.twin.n_rounds}


def play_cases(seed: str, n: int, players: int = 0, **given: Any) -> Counter[Any]:
    rng = random.Random(seed)
    return twins.play_cases(Pair, [random_case(rng, players, **given) for _ in range(n)])


@pytest.mark.parametrize("chunk", range(4))
def test_kernels_and_twin_play_the_same_games(chunk: int) -> None:
    seen = play_cases(f"twin {chunk}", 100)
    assert all(seen["players", players] for players in GAME.players)
    assert all(seen["winners", n] for n in (1, 2))
    assert seen["extra rounds", True] > 0
    for switch in GAME.switches:
        values = {value for name, value in seen if name == switch.name}
        assert values >= set(switch.words) - {"players"}
        assert switch.low is None or len(values) > 1


@pytest.mark.both_modes
def test_a_few_games_with_the_twin() -> None:
    assert play_cases("few", 20)


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("mode", MODES)
def test_2_000_games_of_each_mode_with_the_twin(mode: str, players: int, chunk: int) -> None:
    assert play_cases(f"deep {mode} {players} {chunk}", 500, players, **MODES[mode])


# By other than the default rules two rounds are played: rounds are alike, and twins are slow.
test_uniform_games_with_the_twin = twins.uniform_test(
    Pair,
    GAME,
    [
        (mode, players, {**switches, "rounds": 2} if switches else {})
        for mode, switches in MODES.items()
        for players in GAME.players
    ],
)


@pytest.mark.parametrize(
    ("owner", "rule", "wrong"),
    [
        (
            Twin,
            "is_safe",
            lambda twin, card, pot: naive.total(twin.pots[pot].cards) + naive.value(card) < 13,
        ),
        (Twin, "pots_for", lambda twin, card: [0, 1, 2]),
        (naive.Pot, "looks_like", lambda pot, other: False),
        (naive, "discards", lambda piles, rules: [[] for _ in piles]),
        (naive, "lowest", lambda numbers, among: [among[0]]),
    ],
)
def test_a_wrong_rule_is_found(
    owner: Any, rule: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, rule, wrong)
    twins.expect_difference(Pair, GAME, 4)


@pytest.mark.deep
@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("mode", MODES)
def test_10_000_whole_games_of_each_mode_keep_the_invariants(mode: str, players: int) -> None:
    switches = {**GAME.defaults(), **MODES[mode]}
    table = Table(GAME, players, switches, lineup(GAME, players), seed=10)
    played = table.play(0, 10_000, check=True)
    assert (played.fault, played.games) == (None, 10_000)


# Golden transcripts: the first round of a deal

GOLDEN_CASES = [
    Case(GAME, players, GAME.defaults() | {"rounds": 1}, seed=2026, deal=players)
    for players in GAME.players
]


@pytest.mark.both_modes
def test_golden_transcripts() -> None:
    compare_golden(GOLDEN, GOLDEN_CASES)
    for lines in read_golden(GOLDEN):
        check_poison(lines)
