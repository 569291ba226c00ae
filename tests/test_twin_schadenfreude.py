"""Kernels and naive twin of 幸灾乐祸 play the same games, decision by decision.

The kernels deal and their strategies choose; the twin gets hands, start seats and cards, and must
agree with all that follows from them.
"""

from __future__ import annotations

import json
import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

import pytest

from sim.core.engine import STATUS_WORDS, Replayed, Table
from sim.core.game import SHARE_UNIT
from sim.core.jit import JIT
from sim.core.loop import OVER, PAUSED
from sim.core.state import read_log
from sim.games.schadenfreude import GAME, text
from tests.arena import lineup, random_switches
from tests.naive.check_transcript import check_schadenfreude
from tests.naive.schadenfreude import Game as Twin

STRATEGIES = (
    ("uniform",),
    ("lowest", "uniform"),
    ("uniform", "lowest", "highest"),
    ("target40", "saboteur", "last_exact"),
)


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
    def random(rng: random.Random) -> Case:
        players = rng.choice(GAME.players)
        return Case(
            players=players,
            switches=random_switches(GAME, players, rng),
            strategies=rng.choice(STRATEGIES),
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
        self.names = text.card_names(case.switches)
        self.rotation = case.rotation % self.table.rotations
        self.table.log.on = 1
        self.entries = self.table.begin(case.deal, self.rotation)

    def cards(self, bits: int) -> set[str]:
        return {name for card, name in enumerate(self.names) if bits >> card & 1}

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
            seat, legal, hand = twin.to_move, twin.legal(), set(twin.hands[twin.to_move])
            status = self.table.advance(1)
            me = self.table.seat_view(seat)
            assert me.seat == seat
            assert self.cards(me.legal) == legal
            assert self.cards(me.hand) == hand
            play, *events = self.new_events()
            assert (play["type"], play["seat"]) == ("play", seat)
            twin.play(play["card"])
            if not twin.in_round and not twin.over:
                self.deal(events[-2:])
            self.compare()
        assert status == OVER
        assert twin.over
        return twin

    def deal(self, events: list[dict[str, Any]]) -> None:
        """Give the twin what the kernels have dealt; it refuses what the rules do not allow."""
        opening, deal = events
        self.twin.start_round(deal["hands"], deal["aside"], opening["start"])
        assert opening["round"] == self.twin.rounds

    def compare(self) -> None:
        """What everybody sees, after a card with all that follows from it."""
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

    def ranks(self, numbers: list[int]) -> int:
        """The numbers of a pile as bits, the lowest number of a suit first."""
        order = [int(name[1:]) for name in self.names if name[0] == "A"]
        return sum(1 << order.index(number) for number in numbers)


def compare_outcome(outcome: dict[str, Any], twin: Twin) -> None:
    """Compare everything that is kept of a game."""
    found = {
        name: value[: twin.players] if isinstance(value, list) else value
        for name, value in outcome.items()
    }
    first = twin.events[0]
    assert found == {
        "status": STATUS_WORDS.index(str(twin.status)),
        "start": first["start"],
        "win_share": [int(share * SHARE_UNIT) for share in twin.win_share],
        "won": [int(seat in twin.winners) for seat in range(twin.players)],
        "score": twin.totals,
        "bust": twin.bust,
        "tricks": twin.tricks,
        "cancellations": twin.cancellations,
        "first_round": twin.first_round,
        "nobody": int(not twin.winners),
        "shared": int(len(twin.winners) > 1),
        "unfinished": int(twin.status == "unfinished"),
        "draw": 0,
        "decisions": twin.decisions,
        "rounds": twin.rounds,
        "busts": twin.busts,
        "cancelled": twin.cancelled,
        "single_follower": twin.single_follower,
        "lead_changes": twin.lead_changes,
    }


def transcript(case: Case, replayed: Replayed) -> list[dict[str, Any]]:
    """The lines of a game as they come out of a file."""
    players, outcome = case.players, replayed.outcome
    names = [case.strategies[entry % len(case.strategies)] for entry in replayed.entries]
    first = {
        "type": "game",
        "format": 1,
        "game": GAME.name,
        "players": players,
        "rules": case.switches,
        "seed": case.seed,
        "deal": replayed.deal,
        "rotation": replayed.rotation,
        "lineup": names,
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
    lines = transcript(case, replayed)
    plays = [event for event in twin.events if event["type"] == "play"]
    assert [line for line in lines if line["type"] == "play"] == plays
    check_schadenfreude(lines)
    return twin


def play_cases(seed: str, n: int) -> Counter[tuple[str, Any]]:
    """Play `n` random games; return how often each value of each switch took part."""
    rng = random.Random(seed)
    seen: Counter[tuple[str, Any]] = Counter()
    for _ in range(n):
        case = Case.random(rng)
        try:
            twin = play_case(case)
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"{case}: {error}") from error
        seen["players", case.players] += 1
        seen["status", twin.status] += 1
        seen["winners", min(len(twin.winners), 2)] += 1
        seen["rotate", case.rotate] += 1
        for name, value in case.switches.items():
            seen[name, tuple(value) if isinstance(value, list) else value] += 1
    return seen


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


@pytest.mark.both_modes
@pytest.mark.parametrize("players", GAME.players)
def test_default_games_with_the_twin(players: int) -> None:
    for deal in range(20 if JIT else 3):
        play_case(Case(players, GAME.defaults(), ("uniform",), "hands", 7, deal, deal % players))
