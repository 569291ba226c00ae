"""Kernels and naive twin of 毒药 play the same games, decision by decision.

The kernels deal and their strategies choose; the twin gets hands, start seats and plays, and must
agree with all that follows from them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from sim.core.engine import STATUS_WORDS, Replayed, Table
from sim.core.game import SHARE_UNIT
from sim.core.jit import JIT
from sim.core.loop import OVER, PAUSED
from sim.core.state import read_log
from sim.games.poison import GAME, text
from sim.games.poison.cards import FULL_DECK
from tests.arena import lineup, random_switches, strategy_names
from tests.naive.check_poison import check_poison
from tests.naive.poison import Game as Twin

GOLDEN = Path(__file__).parent / "games" / "poison" / "golden"
MODES: dict[str, dict[str, Any]] = {  # what is held fixed while other switches vary
    "default": {},
    "fixed": {"cauldron_colour_mode": "fixed"},
    "sticky": {"colour_lock_after_bust": "sticky", "bust_collects": "all_including_played"},
    "equal": {"deal_mode": "equal_aside", "three_player_deal": "equal_aside"},
    "all cards": {"deal_mode": "start_only", "three_player_deal": "all_cards"},
}


@dataclass(frozen=True)
class Case:
    """One game to be played twice."""

    players: int
    switches: dict[str, Any]
    strategies: tuple[str, ...]
    rotate: str
    seed: int
    deal: int
    rotation: int

    @staticmethod
    def random(rng: random.Random, players: int = 0, **given: Any) -> Case:
        """A game under random switches; short ones more often than long ones."""
        players = players or rng.choice(GAME.players)
        switches = random_switches(GAME, players, rng) | given
        if "rounds" not in given and rng.random() < 0.8:
            switches["rounds"] = rng.choice([1, 2])
        names = strategy_names(GAME)
        return Case(
            players=players,
            switches=switches,
            strategies=tuple(rng.choice(names) for _ in range(rng.choice([1, players]))),
            rotate=rng.choice(["strategies", "hands", "none"]),
            seed=rng.choice([rng.randrange(100), rng.randrange(2**63)]),
            deal=rng.choice([rng.randrange(100), rng.randrange(2**62)]),
            rotation=rng.randrange(players),
        )

    def table(self) -> Table:
        seats = lineup(GAME, self.players, *self.strategies)
        return Table(GAME, self.players, self.switches, seats, self.seed, self.rotate)


class Pair:
    """A table of kernels and the twin that follows it."""

    def __init__(self, case: Case) -> None:
        self.case = case
        self.table, self.twin = case.table(), Twin(case.players, case.switches)
        self.rotation = case.rotation % self.table.rotations
        self.table.log.on = 1
        self.entries = self.table.begin(case.deal, self.rotation)

    def new_events(self) -> list[dict[str, Any]]:
        """What the kernels have written down since the last call."""
        events = read_log(self.table.log)
        game = Replayed(self.case.deal, self.rotation, self.entries, events, {})
        return text.events(game, self.case.players, self.case.switches)

    def play(self) -> Twin:
        """Play to the end; return the twin."""
        twin, status = self.twin, PAUSED
        self.deal(self.new_events())
        while status == PAUSED:
            seat, legal, seen = twin.to_move, twin.legal(), twin.seen_by(twin.to_move)
            table: Any = self.table.state.table
            known = table.played + table.ghost
            status = self.table.advance(1)
            me = self.table.seat_view(seat)
            assert me.seat == seat
            allowed = [divmod(number, 3) for number in range(48) if me.legal >> number & 1]
            assert sorted((text.NAMES[kind], pot) for kind, pot in allowed) == legal
            assert sorted(text.cards(me.hand)) == seen["hand"]
            assert sorted(text.cards(FULL_DECK - known - me.hand)) == seen["unseen"]
            play, *events = self.new_events()
            assert (play["type"], play["seat"]) == ("play", seat)
            twin.play(play["card"], play["pot"])
            if not twin.in_round and not twin.over:
                self.deal(events[-2:])
            self.compare()
        assert status == OVER
        assert twin.over
        return twin

    def deal(self, events: list[dict[str, Any]]) -> None:
        """Give the twin what the kernels have dealt; it refuses what the rules do not allow."""
        opening, deal = events
        self.twin.start_round(deal["hands"], deal["ghost"], deal["aside"], opening["start"])
        assert opening["round"] == self.twin.rounds

    def compare(self) -> None:
        """What everybody sees, after a card with all that follows from it."""
        table: Any = self.table.state.table
        twin, n = self.twin, self.twin.players
        assert list(table.total[:n]) == twin.totals
        assert list(table.last_round[:n]) == twin.last_round_scores
        assert [seat for seat in range(n) if table.eligible >> seat & 1] == twin.eligible
        if not twin.in_round:
            return
        seen = twin.seen_by(twin.to_move)
        assert (table.round, table.start, table.seat) == (
            seen["round"],
            seen["start"],
            twin.to_move,
        )
        assert list(table.n_hand[:n]) == seen["hand_sizes"]
        colours = [None if c < 0 else "RBP"[c] for c in table.pot_colour]
        pots = zip(map(text.cards, table.pot), table.pot_total, colours, strict=True)
        assert [(sorted(cards), total, colour) for cards, total, colour in pots] == seen["pots"]
        nothing: list[Any] = [[]] * n
        taken = [sorted(text.cards(pile)) for pile in table.taken[:n]]
        assert taken == seen.get("taken", nothing)
        assert list(table.n_taken[:n]) == seen.get("n_taken", [0] * n)
        piles = self.table.state.taken[:n]
        assert [sorted(text.cards(pile)) for pile in piles] == [sorted(p) for p in twin.piles]


def compare_outcome(outcome: dict[str, Any], twin: Twin) -> None:
    """Compare everything that is kept of a game."""
    found = {
        name: value[: twin.players] if isinstance(value, list) else value
        for name, value in outcome.items()
    }
    assert found == {
        "status": 0,
        "start": twin.events[0]["start"],
        "win_share": [int(share * SHARE_UNIT) for share in twin.win_share],
        "won": [int(seat in twin.winners) for seat in range(twin.players)],
        "score": twin.totals,
        "first_round": twin.first_round,
        "overflows": twin.overflows,
        "forced": twin.forced,
        "taken": twin.taken,
        "poisons": twin.poisons,
        "discarded": twin.discarded,
        "majorities": twin.majorities,
        "largest_majority": twin.largest_majority,
        "nobody": 0,
        "shared": int(len(twin.winners) > 1),
        "unfinished": 0,
        "draw": 0,
        "decisions": twin.decisions,
        "rounds": twin.rounds,
        "all_overflows": sum(twin.overflows),
        "all_forced": sum(twin.forced),
        "tied_colours": twin.tied_colours,
        "left_over": twin.left_over,
        "lead_changes": twin.lead_changes,
        "came_back": twin.came_back,
    }


def transcript(case: Case, replayed: Replayed) -> list[dict[str, Any]]:
    """The lines of a game as they come out of a file."""
    players, outcome = case.players, replayed.outcome
    first = {
        "type": "game",
        "format": 1,
        "game": GAME.name,
        "players": players,
        "rules": case.switches,
        "seed": case.seed,
        "deal": replayed.deal,
        "rotation": replayed.rotation,
        "lineup": [case.strategies[entry % len(case.strategies)] for entry in replayed.entries],
        "parameters": [{}] * players,
        "version": "test",
    }
    last = {
        "type": "result",
        "status": STATUS_WORDS[outcome["status"]],
        "winners": [seat for seat in range(players) if outcome["won"][seat]],
        "win_share": [share / SHARE_UNIT for share in outcome["win_share"][:players]],
        "scores": outcome["score"][:players],
        "rounds": outcome["rounds"],
    }
    lines = [first, *text.events(replayed, players, case.switches), last]
    read: list[dict[str, Any]] = json.loads("[" + ",".join(map(json.dumps, lines)) + "]")
    return read


def play_case(case: Case) -> Twin:
    """Play a game with kernels and twin, replay it, and check its transcript."""
    pair = Pair(case)
    twin = pair.play()
    compare_outcome(pair.table.conclude(), twin)
    replayed = pair.table.replay(case.deal, pair.rotation)
    assert replayed.fault is None
    compare_outcome(replayed.outcome, twin)
    check_poison(transcript(case, replayed))
    return twin


def play_cases(seed: str, n: int, players: int = 0, **given: Any) -> Counter[tuple[str, Any]]:
    """Play `n` random games; return how often each value of each switch took part."""
    rng = random.Random(seed)
    seen: Counter[tuple[str, Any]] = Counter()
    for _ in range(n):
        case = Case.random(rng, players, **given)
        try:
            twin = play_case(case)
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"{case}: {error}") from error
        seen["players", case.players] += 1
        seen["winners", min(len(twin.winners), 2)] += 1
        seen["rotate", case.rotate] += 1
        seen["extra rounds", twin.rounds > twin.n_rounds] += 1
        for name, value in case.switches.items():
            seen[name, value] += 1
    return seen


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


@pytest.mark.both_modes
@pytest.mark.parametrize("players", GAME.players)
def test_default_games_with_the_twin(players: int) -> None:
    for deal in range(6 if JIT else 1):
        play_case(Case(players, GAME.defaults(), ("uniform",), "hands", 7, deal, deal % players))


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(20))
@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("mode", MODES)
def test_10_000_games_of_each_mode_with_the_twin(mode: str, players: int, chunk: int) -> None:
    assert play_cases(f"deep {mode} {players} {chunk}", 500, players, **MODES[mode])


@pytest.mark.deep
@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("mode", MODES)
def test_10_000_uniform_games_of_each_mode_keep_the_invariants(mode: str, players: int) -> None:
    switches = {**GAME.defaults(), **MODES[mode]}
    table = Table(GAME, players, switches, lineup(GAME, players), seed=10)
    played = table.play(0, 10_000, check=True)
    assert (played.fault, played.games) == (None, 10_000)


# Golden transcripts: `python -m tests.test_twin_poison` writes them anew; read the difference


def golden(players: int) -> str:
    """The first round of a deal as a transcript, a line an event."""
    switches = {**GAME.defaults(), "rounds": 1}
    case = Case(players, switches, ("uniform",), "none", 2026, players, 0)
    replayed = case.table().replay(case.deal)
    return "".join(json.dumps(line) + "\n" for line in transcript(case, replayed))


@pytest.mark.both_modes
@pytest.mark.parametrize("players", GAME.players)
def test_golden_transcripts(players: int) -> None:
    kept = (GOLDEN / f"{players}.jsonl").read_text(encoding="utf-8")
    assert golden(players) == kept
    check_poison([json.loads(line) for line in kept.splitlines()])


if __name__ == "__main__":
    GOLDEN.mkdir(exist_ok=True)
    for n in GAME.players:
        (GOLDEN / f"{n}.jsonl").write_text(golden(n), encoding="utf-8")
