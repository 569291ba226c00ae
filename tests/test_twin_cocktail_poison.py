"""Kernels and naive twin of Cocktail Poison play the same games, decision by decision."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.core.jit import JIT
from sim.games.cocktail_poison import GAME
from sim.games.cocktail_poison.cards import BLIND, FIRST_TILE, ON_NEW, ON_OLD
from sim.games.cocktail_poison.text import CARD_NAMES, STYLES, TILES
from tests import twins
from tests.arena import random_switches
from tests.naive import cocktail_poison as naive
from tests.naive.check_cocktail_poison import check_cocktail_poison
from tests.naive.cocktail_poison import Game as Twin
from tests.positions import members
from tests.twins import Case, compare_golden, read_golden

STRATEGIES = (
    ("uniform",),
    ("own_first:tile=1", "uniform"),
    ("bayes:tile=2", "avoid_count:tile=5", "random:tile=3"),
    ("deny:tile=1", "tempo:tile=4", "masked"),
)
GOLDEN = Path(__file__).parent / "games" / "cocktail_poison" / "golden.jsonl"
BY_SEAT = ("poisoned", "own_drawn", "antidotes", "antidote_points")
OF_ALL = ("hits", "cured", "multiple", "extra_rounds")


def random_case(rng: random.Random, players: tuple[int, ...]) -> Case:
    seats = rng.choice(players)
    switches = random_switches(GAME, seats, rng)
    return Case.random(GAME, rng, seats, switches, rng.choice(STRATEGIES))


class Pair(twins.Pair):
    """A table of kernels and the twin that follows it."""

    TWIN = Twin
    check = staticmethod(check_cocktail_poison)

    def deal(self, deal: dict[str, Any], start: int) -> None:
        self.twin.start_round(deal["styles"], deal["row"], deal["pile"], start)

    def choose(self, choice: dict[str, Any], events: list[dict[str, Any]]) -> None:
        if choice["type"] == "tile":
            self.twin.choose(choice["tile"])
        else:
            self.twin.take(*self.choice_of(choice, events))

    def choice_of(
        self, take: dict[str, Any], events: list[dict[str, Any]]
    ) -> tuple[str, str | None]:
        """What the twin calls this take."""
        covered = [event["card"] for event in events if event["type"] == "antidote"]
        cover = "new" if take["antidote"] else covered[0] if covered else None
        return "?" if take["blind"] else take["card"], cover

    def view_of_twin(self) -> dict[str, Any]:
        twin, seat = self.twin, self.twin.to_move
        seen = {"style": twin.styles[seat], "tile": twin.tiles[seat], "cover": twin.covers[seat]}
        if twin.is_choosing:
            return {**seen, "legal": twin.tiles_to_choose(), "lays": {None}}
        return {**seen, "legal": twin.cards_to_take(), "lays": {None} | twin.cards_to_cover()}

    def view_of_kernels(self, me: Any) -> dict[str, Any]:
        return {
            "style": STYLES[me.style],
            "tile": None if me.tile < 0 else TILES[me.tile],
            "cover": None if me.cover < 0 else CARD_NAMES[me.cover],
            "legal": set(map(pick_name, members(me.legal))),
            "lays": set(map(lay_name, members(me.lays))),
        }

    def compare(self) -> None:
        table: Any = self.table.state.table
        twin, n = self.twin, self.twin.players
        assert list(table.total[:n]) == twin.totals
        for name in BY_SEAT:
            assert list(getattr(table, name)[:n]) == getattr(twin, name), name
        for name in OF_ALL:
            assert getattr(table, name) == getattr(twin, name), name
        if not twin.in_round:
            return
        assert (table.round, table.start, table.seat) == (twin.rounds, twin.start, twin.to_move)
        assert [names(table.display[seat]) for seat in range(n)] == [*map(set, twin.displays)]
        is_row_seen = not twin.is_choosing or twin.rules["tile_choice_timing"] == "after_row"
        assert names(table.row) == ({*twin.open_cards} if is_row_seen else set())
        n_known = len(twin.pile) + (0 if is_row_seen else len(twin.row))
        assert 4 * n - table.n_turned == n_known
        takes = [CARD_NAMES[card] for card in table.taken[: table.n_taken]]
        assert takes == [card for _, card in twin.takes]
        is_public = twin.rules["antidote_visibility"] == "public"
        covers = [None if card < 0 else CARD_NAMES[card] for card in table.cover[:n]]
        assert covers == (twin.covers if is_public else [None] * n)
        spent = [{TILES[tile] for tile in members(word)} for word in table.spent[:n]]
        assert spent == twin.spent


def names(cards: int) -> set[str]:
    """The cards of a set."""
    return {CARD_NAMES[card] for card in members(cards)}


def pick_name(pick: int) -> str:
    """What is picked, as the twin calls it."""
    if pick >= FIRST_TILE:
        return TILES[pick - FIRST_TILE]
    return "?" if pick == BLIND else CARD_NAMES[pick]


def lay_name(lay: int) -> str | None:
    """What the antidote covers, as the twin calls it."""
    if lay >= ON_OLD:
        return CARD_NAMES[lay - ON_OLD]
    return "new" if lay == ON_NEW else None


def play_cases(seed: str, n: int, players: tuple[int, ...] = GAME.players) -> Counter[Any]:
    rng = random.Random(seed)
    return twins.play_cases(Pair, [random_case(rng, players) for _ in range(n)])


@pytest.mark.parametrize("chunk", range(4))
def test_kernels_and_twin_play_the_same_games(chunk: int) -> None:
    seen = play_cases(f"twin {chunk}", 60)
    assert all(seen["players", players] for players in GAME.players)
    assert all(seen["status", status] for status in ("finished", "unfinished"))
    assert all(seen["winners", n] for n in (1, 2))
    for switch in GAME.switches:
        values = {value for name, value in seen if name == switch.name}
        assert values >= set(switch.words)
        assert switch.low is None or len(values) > 1


@pytest.mark.both_modes
def test_a_few_games_with_the_twin() -> None:
    assert play_cases("few", 25)


@pytest.mark.deep
@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("chunk", range(4))
def test_2_000_games_by_random_rules_with_the_twin(chunk: int, players: int) -> None:
    assert play_cases(f"deep {chunk}", 500, (players,))


TABLES = [
    (f"edition {edition}", players, {"edition": edition, **two})
    for edition in (1, 2)
    for players in GAME.players
    for two in [{"allow_two": "on"} if players == 2 else {}]
]
test_uniform_games_with_the_twin = twins.uniform_test(Pair, GAME, TABLES)


@pytest.mark.parametrize(
    ("owner", "rule", "wrong"),
    [
        (Twin, "cards_to_cover", lambda twin: set()),
        (Twin, "tiles_to_choose", lambda twin: set("RYBG")),
        (naive, "order_of_takes", lambda n, start, rules: [*range(n)] * 4),
        (naive, "final_winners", lambda totals, poisoned, rules: naive.leaders(totals)[:1]),
        (naive, "ANTIDOTE", "R"),
    ],
)
def test_a_wrong_rule_is_found(
    owner: Any, rule: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, rule, wrong)
    twins.expect_difference(Pair, GAME, 4)


def play_strategies(players: int, switches: dict[str, Any], deals: range) -> None:
    """Play games of several strategies by these rules with the twin."""
    rng = random.Random(deals.start)
    cases = [Case.usual(GAME, players, deal, **switches) for deal in deals]
    twins.play_cases(Pair, [replace(case, strategies=rng.choice(STRATEGIES)) for case in cases])


@pytest.mark.both_modes
@pytest.mark.parametrize(("_", "players", "switches"), TABLES)
def test_strategies_by_the_rules_of_each_edition(
    _: str, players: int, switches: dict[str, Any]
) -> None:
    play_strategies(players, switches, range(10 if JIT else 1))


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(2))
@pytest.mark.parametrize(("_", "players", "switches"), TABLES)
def test_2_000_games_of_strategies_by_each_edition(
    _: str, players: int, switches: dict[str, Any], chunk: int
) -> None:
    play_strategies(players, switches, range(1000 * chunk, 1000 * (chunk + 1)))


# Golden transcripts: by the default rules, and by rather different ones

OTHER_RULES = {
    "edition": 1,
    "tile_choice_timing": "after_row",
    "row_refill": "when_empty",
    "blind_draw": "on",
    "antidote_window": "any_time_in_round",
    "own_poison_draw": "self_poisoned",
    "round_floor": "none",
    "end_tie": "extra_round",
    "next_start": "clockwise",
    "pick_order": "snake",
    "cards_left": 1,
}
GOLDEN_CASES = [
    Case(GAME, players, GAME.defaults() | changed, rotate="strategies", deal=5)
    for players, changed in ((3, {}), (4, OTHER_RULES), (6, {}))
]


@pytest.mark.both_modes
def test_golden_transcripts() -> None:
    compare_golden(GOLDEN, GOLDEN_CASES)
    for lines in read_golden(GOLDEN):
        check_cocktail_poison(lines)
