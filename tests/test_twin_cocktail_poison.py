"""Kernels and naive twin of Cocktail Poison play the same games, decision by decision.

The kernels deal and their strategies choose; the twin gets glasses, cards, tiles and takes, and
must agree with all that follows from them. Golden transcripts are of games that were read.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sim import catalog
from sim.core.engine import STATUS_WORDS, Replayed, Table
from sim.core.game import SHARE_UNIT
from sim.core.jit import JIT
from sim.core.loop import OVER, PAUSED
from sim.core.state import read_log
from sim.experiment import Experiment, Lineup, Variant
from sim.games.cocktail_poison import GAME, text
from sim.games.cocktail_poison.cards import BLIND, FIRST_TILE, ON_NEW, ON_OLD
from sim.games.cocktail_poison.text import CARD_NAMES, STYLES, TILES
from sim.replay import replay
from tests.arena import random_switches
from tests.naive.check_cocktail_poison import check_cocktail_poison
from tests.naive.cocktail_poison import Game as Twin

STRATEGIES = (
    ("uniform",),
    ("own_first:tile=1", "uniform"),
    ("bayes:tile=2", "avoid_count:tile=5", "random:tile=3"),
    ("deny:tile=1", "tempo:tile=4", "masked"),
)
GOLDEN = Path(__file__).parent / "games" / "cocktail_poison" / "golden.jsonl"
BY_SEAT = ("poisoned", "own_drawn", "antidotes", "antidote_points")
OF_ALL = ("hits", "cured", "multiple", "extra_rounds")


def experiment(rng: random.Random, players: int, switches: dict[str, Any]) -> Experiment:
    """One line-up at one table, with a random seed and design."""
    chosen = rng.choice(STRATEGIES)
    lineup = tuple(chosen[seat % len(chosen)] for seat in range(players))
    return Experiment(
        game=GAME.name,
        players=players,
        lineups=(Lineup("one", lineup),),
        variants=(Variant("one", tuple(switches.items())),),
        deals=1,
        seed=rng.choice([rng.randrange(100), rng.randrange(2**63)]),
        rotate=rng.choice(["strategies", "hands", "none"]),
    )


class Pair:
    """A table of kernels and the twin that follows it."""

    def __init__(self, table: Table, deal: int, rotation: int) -> None:
        self.table, self.twin = table, Twin(table.players, table.switches)
        self.deal_number, self.rotation = deal, rotation
        table.log.on = 1
        self.entries = table.begin(deal, rotation)

    def new_events(self) -> list[dict[str, Any]]:
        """What the kernels have written down since the last call."""
        events = read_log(self.table.log)
        game = Replayed(self.deal_number, self.rotation, self.entries, events, {})
        return text.events(game, self.table.players, self.table.switches)

    def play(self) -> Twin:
        """Play to the end; return the twin."""
        twin, status = self.twin, PAUSED
        self.deal(self.new_events())
        while status == PAUSED:
            seat = twin.to_move
            expected = self.view_of_twin()
            status = self.table.advance(1)
            me = self.table.seat_view(seat)
            assert {"seat": me.seat, **self.view_of_kernels(me)} == {"seat": seat, **expected}
            choice, *events = self.new_events()
            assert choice["seat"] == seat
            if choice["type"] == "tile":
                twin.choose(choice["tile"])
            else:
                twin.take(*self.choice_of(choice, events))
            if not twin.in_round and not twin.over:
                self.deal(events[-2:])
            self.compare()
        assert status == OVER
        assert twin.over
        return twin

    def deal(self, events: list[dict[str, Any]]) -> None:
        """Give the twin what the kernels have dealt; it refuses what the rules do not allow."""
        opening, deal = events
        self.twin.start_round(deal["styles"], deal["row"], deal["pile"], opening["start"])
        assert opening["round"] == self.twin.rounds

    def choice_of(
        self, take: dict[str, Any], events: list[dict[str, Any]]
    ) -> tuple[str, str | None]:
        """What the twin calls this take."""
        covered = [event["card"] for event in events if event["type"] == "antidote"]
        cover = "new" if take["antidote"] else covered[0] if covered else None
        return "?" if take["blind"] else take["card"], cover

    def view_of_twin(self) -> dict[str, Any]:
        """What the seat to move has for itself, and may do."""
        twin, seat = self.twin, self.twin.to_move
        seen = {"style": twin.styles[seat], "tile": twin.tiles[seat], "cover": twin.covers[seat]}
        if twin.is_choosing:
            return {**seen, "legal": twin.tiles_to_choose(), "lays": {None}}
        return {**seen, "legal": twin.cards_to_take(), "lays": {None} | twin.cards_to_cover()}

    def view_of_kernels(self, me: Any) -> dict[str, Any]:
        """The same by the kernels."""
        lays = {lay_name(lay) for lay in range(62) if me.lays >> lay & 1}
        return {
            "style": STYLES[me.style],
            "tile": None if me.tile < 0 else TILES[me.tile],
            "cover": None if me.cover < 0 else CARD_NAMES[me.cover],
            "legal": {pick_name(pick) for pick in range(62) if me.legal >> pick & 1},
            "lays": lays,
        }

    def compare(self) -> None:
        """What everybody sees, after a decision with all that follows from it."""
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
        spent = [{TILES[tile] for tile in range(5) if word >> tile & 1} for word in table.spent[:n]]
        assert spent == twin.spent


def names(cards: int) -> set[str]:
    """The cards of a set."""
    return {name for card, name in enumerate(CARD_NAMES) if cards >> card & 1}


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


def compare_outcome(outcome: dict[str, Any], twin: Twin) -> None:
    """Compare everything that is kept of a game."""
    found = {
        name: value[: twin.players] if isinstance(value, list) else value
        for name, value in outcome.items()
    }
    assert found == {
        "status": STATUS_WORDS.index(str(twin.status)),
        "start": twin.events[0]["start"],
        "win_share": [int(share * SHARE_UNIT) for share in twin.win_share],
        "won": [int(seat in twin.winners) for seat in range(twin.players)],
        "score": twin.totals,
        "hits": twin.hits,
        "poisoned": twin.poisoned,
        "own_drawn": twin.own_drawn,
        "antidotes": twin.antidotes,
        "cured": twin.cured,
        "antidote_points": twin.antidote_points,
        "first_round": twin.first_round,
        "nobody": 0,
        "shared": int(len(twin.winners) > 1),
        "unfinished": int(twin.status == "unfinished"),
        "draw": 0,
        "decisions": twin.decisions,
        "rounds": twin.rounds,
        "multiple": twin.multiple,
        "margin": twin.margin(),
    }


def play_case(tried: Experiment, deal: int, rotation: int) -> Twin:
    """Play a game with kernels and twin, replay it, and check its transcript."""
    table = catalog.lay_table(tried.seating(0))
    rotation %= table.rotations
    twin = Pair(table, deal, rotation).play()
    compare_outcome(table.conclude(), twin)
    lines = transcript(tried, deal, rotation)
    choices = [line for line in lines if line["type"] in ("tile", "take", "antidote")]
    kept = [event for event in twin.events if event["type"] in ("tile", "take", "antidote")]
    assert [
        {key: line[key] for key in event} for line, event in zip(choices, kept, strict=True)
    ] == kept
    check_cocktail_poison(lines)
    return twin


def transcript(tried: Experiment, deal: int, rotation: int) -> list[dict[str, Any]]:
    """The lines of a game as they come out of a file."""
    (lines,) = replay(tried, deal, deal + 1, rotation)
    read: list[dict[str, Any]] = json.loads(json.dumps(lines))
    return read


def play_cases(seed: str, n: int, players: tuple[int, ...] = GAME.players) -> Counter[Any]:
    """Play `n` random games; return how often each value of each switch took part."""
    rng = random.Random(seed)
    seen: Counter[Any] = Counter()
    for _ in range(n):
        seats = rng.choice(players)
        tried = experiment(rng, seats, random_switches(GAME, seats, rng))
        deal = rng.choice([rng.randrange(100), rng.randrange(2**62)])
        rotation = rng.randrange(seats)
        try:
            twin = play_case(tried, deal, rotation)
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"deal {deal}, rotation {rotation} of {tried}: {error}") from error
        seen["players", seats] += 1
        seen["status", twin.status] += 1
        seen["winners", min(len(twin.winners), 2)] += 1
        for name, value in tried.variants[0].rules:
            seen[name, value] += 1
    return seen


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
@pytest.mark.parametrize("chunk", range(10))
def test_10_000_games_by_random_rules_with_the_twin(chunk: int, players: int) -> None:
    assert play_cases(f"deep {chunk}", 1000, (players,))


def play_editions(edition: int, players: int, deals: range) -> None:
    """Play games by the default rules of an edition with the twin."""
    rng = random.Random(edition)
    two = {"allow_two": "on"} if players == 2 else {}
    switches = {**GAME.defaults(), "edition": edition, **two}
    for deal in deals:
        play_case(experiment(rng, players, switches), deal, deal % players)


@pytest.mark.both_modes
@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("players", GAME.players)
def test_default_games_with_the_twin(players: int, edition: int) -> None:
    play_editions(edition, players, range(10 if JIT else 2))


@pytest.mark.deep
@pytest.mark.parametrize("edition", [1, 2])
@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("chunk", range(10))
def test_10_000_games_of_each_edition_with_the_twin(chunk: int, players: int, edition: int) -> None:
    play_editions(edition, players, range(1000 * chunk, 1000 * (chunk + 1)))


# Golden transcripts


def golden_games() -> list[list[dict[str, Any]]]:
    """The games kept in the golden file, by the default rules and by rather different ones."""
    other = {
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
    games = []
    for players, changed in ((3, {}), (4, other), (6, {})):
        rules = tuple({**GAME.defaults(), **changed}.items())
        lineup = Lineup("uniform", ("uniform",) * players)
        tried = Experiment(GAME.name, players, (lineup,), (Variant("golden", rules),), 1, seed=1)
        games.append(transcript(tried, 5, 0))
    return games


def write_golden() -> None:
    """Write the golden file anew; read the difference before it is committed."""
    lines = [json.dumps(line, ensure_ascii=False) for game in golden_games() for line in game]
    GOLDEN.write_text("\n".join(lines) + "\n", encoding="utf-8")


@pytest.mark.both_modes
def test_games_are_those_of_the_golden_transcripts() -> None:
    kept = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]
    played = [line for game in golden_games() for line in game]
    for line in (*kept, *played):
        line.pop("version", None)
    assert played == kept


@pytest.mark.both_modes
def test_golden_transcripts_keep_the_rules() -> None:
    games: list[list[dict[str, Any]]] = []
    for line in map(json.loads, GOLDEN.read_text(encoding="utf-8").splitlines()):
        if line["type"] == "game":
            games.append([])
        games[-1].append(line)
    assert [game[0]["players"] for game in games] == [3, 4, 6]
    for game in games:
        check_cocktail_poison(game)
