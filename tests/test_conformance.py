"""What every game and every strategy must keep; a new one is found and tested by itself.

Also the miniature game of `tests/minigame`, in the form that a large one will take.
"""

from __future__ import annotations

import hashlib
import itertools
import json
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim import catalog
from sim.core import loop
from sim.core.engine import Replayed, Table
from sim.core.game import SHARE_UNIT, Game, measures_of
from sim.core.jit import JIT
from sim.core.rng import STREAM, open_stream
from sim.core.state import read_log
from sim.core.tally import merge
from sim.probe import COURSE_SECONDS, FEW, Probe
from tests import minigame
from tests.arena import Tried, digest, entrant, lineup, random_switches, strategy_names
from tests.positions import Position, argument, blank

GAMES = [*map(catalog.game, catalog.game_names()), minigame.GAME]
TABLES = [(game, players) for game in GAMES for players in game.players]
STRATEGIES = [(game, name) for game in GAMES for name in strategy_names(game)]
TRIED = [(game, name, players) for game, name in STRATEGIES for players in game.players]

UNLIKELY = 1e-6
DEALS = 30 if JIT else 2
MIXTURES, MIXED = 36, 30  # line-ups a game, and decisions, with and without the JIT
DECISIONS = 100  # of each kind, of each strategy at each number of players
both_modes = pytest.mark.both_modes


def named(case: Any) -> str | None:
    """The name of a game in the id of a test."""
    return case.name if isinstance(case, Game) else None


every_table = pytest.mark.parametrize(("game", "players"), TABLES, ids=named)
every_strategy = pytest.mark.parametrize(("game", "name"), STRATEGIES, ids=named)


def table(game: Game, players: int, *names: str, seed: int = 1, **options: Any) -> Table:
    """A table of these strategies, by default uniform ones; options: switches, rotate."""
    switches = options.get("switches") or game.defaults()
    seats = lineup(game, players, *names)
    return Table(game, players, switches, seats, seed, options.get("rotate", "hands"))


def rows_of(arena: Table, first: int, last: int, **options: Any) -> Any:
    played = arena.play(first, last, keep_rows=True, **options)
    assert played.fault is None
    return played.rows


def fields(row: Any) -> dict[str, Any]:
    return {name: row[name].tolist() for name in row.dtype.names}


# Games


@both_modes
@every_table
def test_same_seed_same_result(game: Game, players: int) -> None:
    results = [digest(table(game, players, seed=s).play(0, DEALS).totals) for s in (1, 1, 2)]
    assert results[0] == results[1] != results[2]


@both_modes
@every_table
def test_chunk_size_changes_nothing(game: Game, players: int) -> None:
    arena = table(game, players)
    whole = arena.play(0, DEALS, keep_rows=True)
    cuts = sorted({0, 1, DEALS // 3, DEALS})
    parts = [arena.play(a, b, keep_rows=True) for a, b in itertools.pairwise(cuts)]
    assert np.concatenate([part.rows for part in parts]).tobytes() == whole.rows.tobytes()
    totals = None
    for part in reversed(parts):
        totals = merge(totals, part.totals)
    assert digest(totals) == digest(whole.totals)


@both_modes
@every_table
def test_tracing_changes_nothing(game: Game, players: int) -> None:
    arena = table(game, players)
    for row in rows_of(arena, 0, 3 if JIT else 1):
        replayed = arena.replay(int(row["deal"]), int(row["rotation"]))
        assert replayed.fault is None
        assert replayed.entries == row["entry"].tolist()
        assert replayed.outcome == fields(row["outcome"])


@both_modes
@every_table
def test_invariants_hold_after_every_action(game: Game, players: int) -> None:
    rng = random.Random(f"{game.name} {players}")
    for seed in range(25 if JIT else 3):
        switches = random_switches(game, players, rng)
        played = table(game, players, seed=seed, switches=switches).play(0, DEALS, check=True)
        assert played.fault is None, switches


@both_modes
@every_table
def test_every_value_of_every_switch_can_be_played(game: Game, players: int) -> None:
    for switch in game.switches:
        values = [*switch.words, switch.default] + ([] if switch.low is None else [switch.low])
        for value in values:
            given = [value] if switch.is_list and value is switch.low else value
            switches = {**game.defaults(), switch.name: given}
            if not Position(game, players).rules.problems(players, switches):
                arena = table(game, players, switches=switches, rotate="none")
                assert arena.play(0, 1, check=True).fault is None, (switch.name, value)


@both_modes
@every_table
def test_outcomes_are_consistent(game: Game, players: int) -> None:
    rows = rows_of(table(game, players), 0, DEALS)
    for outcome in map(fields, rows["outcome"]):
        won, shares = outcome["won"][:players], outcome["win_share"][:players]
        assert set(won) <= {0, 1}
        assert sum(shares) == (SHARE_UNIT if any(won) else 0)
        assert [share > 0 for share in shares] == [bool(w) for w in won]
        assert outcome["nobody"] == int(not any(won))
        winners = [outcome[name] for name in game.teams] or won
        assert outcome["shared"] == int(sum(winners) > 1)
        assert any(winners) == any(won)
        assert outcome["unfinished"] + outcome["draw"] == int(outcome["status"] > 0)
        assert 0 <= outcome["start"] < players
        assert 0 < outcome["decisions"] <= game.max_decisions
        assert outcome["rounds"] > 0
        for column in game.seat_columns:
            assert outcome[column][players:] == [0] * (max(game.players) - players)


@both_modes
@every_table
def test_measures_are_declared_as_they_come(game: Game, players: int) -> None:
    """Most values lie within the histogram, and each has its words."""
    outcome = rows_of(table(game, players), 0, 200 if JIT else 20)["outcome"]
    scored = [game.score] if game.score else []
    for measure in (*scored, *measures_of(game, "seat"), *measures_of(game, "game")):
        values = outcome[measure.name]
        values = values[:, :players] if values.ndim == 2 else values
        within = (values >= measure.low) & (values <= measure.high)
        assert within.mean() > 0.95, measure.name
        assert measure.meaning.en and measure.meaning.zh
        # "0.2 times more" would say a factor: the unit is what is counted.
        assert measure.unit.en != "times" and measure.unit.zh


@both_modes
@every_table
def test_every_event_and_action_has_words(game: Game, players: int) -> None:
    rng = random.Random(players)
    for deal in range(10 if JIT else 2):
        switches = random_switches(game, players, rng)
        arena = table(game, players, switches=switches)
        replayed = arena.replay(deal)
        text = arena.kernels.text
        for event in text.events(replayed, players, switches):
            words = [text.describe(event, lang) for lang in ("en", "zh")]
            assert all(words) and words[0] != words[1]
            assert is_english(words[0])
    for action in (-1, 0, 5, 63, 2**62):
        assert is_english(text.action(action, switches, "en"))
        assert text.action(action, switches, "zh")


@both_modes
@every_table
def test_every_code_of_a_transcript_is_a_named_piece(game: Game, players: int) -> None:
    """And the deal of a round never shows more of a piece than there are."""
    rng = random.Random(players)
    for deal in range(10 if JIT else 2):
        switches = random_switches(game, players, rng)
        arena = table(game, players, switches=switches)
        text = arena.kernels.text
        listed = [piece for sort in text.pieces(players, switches) for piece in sort.items]
        there = {piece.code: piece.count for piece in listed}
        assert len(there) == len(listed)
        words = {value for value in switches.values() if isinstance(value, str)}
        for event in text.events(arena.replay(deal), players, switches):
            codes = Counter(strings(list(event.values())[1:]))  # without its type
            assert set(codes) - words <= set(there)
            if event["type"] == "deal":
                assert all(codes[code] <= there[code] for code in set(codes) - words)
        for piece in listed:
            assert is_english(piece.name.en) and piece.name.zh != piece.name.en and piece.count > 0


def is_english(text: str) -> bool:
    """Whether no Chinese is left in it; a true minus is no letter."""
    return text.replace("−", "-").isascii()


def strings(value: Any) -> Iterator[str]:
    """Every string in lists of lists and dictionaries."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, list | dict):
        for part in value.values() if isinstance(value, dict) else value:
            yield from strings(part)


@both_modes
@every_table
def test_hands_rotation_turns_the_deal(game: Game, players: int) -> None:
    """Over the rotations of a deal the games differ, but not who starts."""
    arena = table(game, players)
    replays = [arena.replay(4, rotation) for rotation in range(players)]
    assert len({replayed.outcome["start"] for replayed in replays}) == 1
    assert len({str(replayed.events) for replayed in replays}) == players


@both_modes
@every_table
def test_a_copied_state_can_be_finished_twice(game: Game, players: int) -> None:
    arena, other = table(game, players), table(game, players)
    whole = arena.replay(1).outcome
    arena.begin(1, 0)
    for decision in itertools.count():
        status = arena.advance(1)
        if status != loop.PAUSED:
            break
        if decision % (17 if JIT else 101) == 0:
            other.begin(7, 0)
            other.advance(decision % 10)
            other.state.data[:] = arena.state.data
            for seat in range(players):
                other.seat_view(seat).data[:] = arena.seat_view(seat).data
            other.job.decisions = arena.job.decisions
            assert other.advance(game.max_decisions) == loop.OVER
            assert other.conclude() == whole
    assert status == loop.OVER


# Worlds: full states that fit what a seat knows


class Knower(Position):
    """The seat to act in a game, and the worlds it holds possible."""

    def __init__(self, arena: Table, seed: int) -> None:
        super().__init__(arena.game, arena.players)
        self.state.data[:] = arena.state.data
        self.me = self.observe()
        self.rng = blank(STREAM)
        open_stream(argument(self.rng), seed, 0, 0, 0)

    def world(self, filled_with: bytes | None = None) -> Any:
        """A world drawn at random, in memory that held this before; by default the true state."""
        world = blank(self.kernels.state)
        world.data[:] = filled_with or bytes(self.state.data)
        self.view.sample_world(*map(argument, (self.table, self.me, self.rng, world)))
        return world

    def hidden(self, state: Any) -> bytes:
        """All of a state but what everybody sees, the chance to come, and what is only counted."""
        fields = self.kernels.state.fields or {}
        return b"".join(
            bytes(state.data[offset : offset + kind.itemsize])
            for name, (kind, offset, *_) in fields.items()
            if name not in ("table", "dealer", "counted")
        )

    def weight(self, world: Any) -> int:
        """In how many ways the cards can lie like this: 1 unless the game has cards alike."""
        deals_like = getattr(self.view, "deals_like", None)
        return deals_like(world) if deals_like else 1

    def broken_in(self, world: Any) -> str:
        return str(self.rules.INVARIANTS[self.rules.check(argument(world))])


def knowers(game: Game, players: int, deals: int, every: int, **options: Any) -> Iterator[Knower]:
    """Seats about to act, through games under random switches."""
    rng = random.Random(f"{game.name} {players} worlds")
    for deal in range(deals):
        arena = table(game, players, switches=random_switches(game, players, rng), **options)
        arena.begin(deal, deal % players)
        decision = 0
        while True:
            if decision % every == deal % every:
                yield Knower(arena, seed=deal)
            if arena.advance(1) != loop.PAUSED:
                break
            decision += 1


@both_modes
@every_table
def test_redraw_of_hidden_facts_leaves_the_view_as_it_was(game: Game, players: int) -> None:
    differs = 0
    for knower in knowers(game, players, *((15, 5) if JIT else (2, 40))):
        for _ in range(5):
            world = knower.world()
            seen: Any = blank(knower.kernels.me)
            seen.seat = knower.rules.seat_to_act(argument(world))
            knower.view.observe(argument(world), argument(seen))
            assert bytes(seen.data) == bytes(knower.me.data)
            assert bytes(world.table.data) == bytes(knower.table.data)
            assert knower.broken_in(world) == ""
            differs += knower.hidden(world) != knower.hidden(knower.state)
    assert differs > 0


@both_modes
@every_table
def test_worlds_depend_on_nothing_but_view_and_stream(game: Game, players: int) -> None:
    """What the memory of a world held before, the true state for instance, does not matter."""
    arena = table(game, players)
    for knower in knowers(game, players, *((15, 7) if JIT else (2, 60))):
        size, played = len(knower.state.data), []
        stream = bytes(knower.rng.data)
        for before in (bytes(knower.state.data), bytes(size), b"\x2a" * size):
            knower.rng.data[:] = stream
            played.append(play_on(arena, knower.world(before)))
        assert played[0] == played[1] == played[2]


@both_modes
@every_table
def test_traits_are_numbers_of_cards_with_words(game: Game, players: int) -> None:
    module = Position(game, players).kernels.traits
    if module is None:
        pytest.skip("the game has no traits")
    names = [name for name, _ in module.TRAITS]
    assert len(set(names)) == len(names)
    assert all(words.en.strip() and words.zh.strip() for _, words in module.TRAITS)
    for knower in knowers(game, players, *((15, 5) if JIT else (2, 40))):
        counts = np.zeros((2, len(names)), np.int64)
        counts[1] = 7  # what stood there before does not matter
        for line in counts:
            module.traits(argument(knower.table), argument(knower.me), line)
        assert counts.min() >= 0
        assert (counts[0] == counts[1]).all()


def play_on(arena: Table, state: Any) -> list[Any]:
    """Play a state to its end with uniform strategies; return all that happens."""
    arena.begin(3, 0)  # strategies with fresh streams
    arena.state.data[:] = state.data
    arena.log.on, arena.log.size, arena.job.check = 1, 0, 1
    happened: list[Any] = []
    status = loop.PAUSED
    while status == loop.PAUSED:
        status = arena.advance(1)
        happened += read_log(arena.log)
    arena.log.on = 0
    assert status == loop.OVER
    return [*happened, arena.conclude()]


@both_modes
@every_table
def test_worlds_can_be_played_to_the_end(game: Game, players: int) -> None:
    arena = table(game, players)
    for knower in knowers(game, players, *((15, 6) if JIT else (2, 60))):
        assert play_on(arena, knower.world())


def few_worlds(game: Game, players: int) -> Iterator[tuple[Knower, int]]:
    """Positions in which few worlds are possible, each with their number."""
    for knower in knowers(game, players, deals=60, every=1):
        first = {knower.hidden(knower.world()) for _ in range(12)}
        if 2 <= len(first) <= 6:
            found = {knower.hidden(knower.world()) for _ in range(300)}
            if len(found) <= 12:
                yield knower, len(found)


@every_table
def test_the_truth_is_among_the_worlds_and_all_are_equally_likely(game: Game, players: int) -> None:
    """Near the end of a round, where the worlds can be counted."""
    chosen = list(itertools.islice(few_worlds(game, players), 40))
    if not chosen:
        pytest.skip("no position was found in which few worlds are possible")
    for knower, n_worlds in chosen:
        counts: Counter[bytes] = Counter()
        weights: dict[bytes, int] = {}
        for _ in range(60 * n_worlds):
            world = knower.world()
            counts[knower.hidden(world)] += 1
            weights[knower.hidden(world)] = knower.weight(world)
        assert knower.hidden(knower.state) in counts
        assert len(counts) == n_worlds
        share = counts.total() / sum(weights.values())
        expected = [share * weights[hidden] for hidden in counts]
        assert stats.chisquare(list(counts.values()), expected).pvalue > UNLIKELY


# Strategies


@every_strategy
def test_strategy_keeps_to_the_form(game: Game, name: str) -> None:
    """Legal, writing nothing, repeatable, not peeking, by any rules: what the kit looks for."""
    probe = Probe(Tried(game, name))
    for players in game.players:
        probe.survey(players, DECISIONS)
    assert probe.seen.faults == {}
    assert probe.seen.asked_again >= FEW * len(game.players)
    games = [f"{players} {deal}" for players in game.players for deal in range(3)]
    backwards = Probe(Tried(game, name))
    for one, order in ((probe, games), (backwards, games[::-1])):
        one.sign_games(order)
    assert probe.seen.games == backwards.seen.games


@every_strategy
def test_strategy_says_what_it_is(game: Game, name: str) -> None:
    decide = entrant(game.name, name).decide
    assert decide.__doc__
    module = sys.modules[decide.decide.__module__]
    assert module.__doc__ and "Source: " in module.__doc__
    for parameter in getattr(module, "PARAMETERS", ()):
        assert parameter.low <= parameter.default <= parameter.high
        for words in (parameter.meaning, *parameter.choices):
            assert words.en.isascii() and ".py" not in words.en
            assert any(char > "\u3000" for char in words.zh)
        assert len(parameter.choices) in (0, parameter.high - parameter.low + 1)


def mixtures(game: Game) -> Iterator[tuple[int, list[str], dict[str, Any]]]:
    """Players, strategies and switches: line-ups of different strategies by any rules."""
    names = strategy_names(game)
    rng = random.Random(f"{game.name} mixtures")
    for i in range(MIXTURES):
        players = game.players[i % len(game.players)]
        mixed = [names[(2 * i + seat) % len(names)] for seat in range(players)]
        yield players, mixed, random_switches(game, players, rng)


def signature(game: Game, players: int, names: list[str], switches: dict[str, Any]) -> str:
    """What strategies do in their first MIXED decisions, over as many deals as it takes."""
    arena = table(game, players, *names, seed=8, switches=switches, rotate="none")
    arena.log.on = 1
    found, decisions = hashlib.sha256(), MIXED
    for deal in itertools.count():
        arena.begin(deal, 0)
        status = arena.advance(decisions)
        assert status in (loop.OVER, loop.PAUSED), (status, names, switches)
        found.update(str((status, read_log(arena.log))).encode())
        for view in (arena.state, *map(arena.seat_view, range(players))):
            found.update(view.data)
        decisions -= arena.job.decisions
        if decisions == 0:
            return found.hexdigest()[:16]
    raise AssertionError


def courses(seconds: float = COURSE_SECONDS) -> Iterator[list[str]]:
    """Of each strategy the signatures of as many decisions as it takes in this time."""
    for game, name, players in TRIED:
        yield Probe(Tried(game, name)).course(players, seconds)


def signatures() -> list[str]:
    """Of all mixtures."""
    return [signature(game, *mixture) for game in GAMES for mixture in mixtures(game)]


@pytest.mark.slow
def test_strategies_do_the_same_without_the_jit(root: Path) -> None:
    script = (
        "import json; from tests.test_conformance import *; "
        "print(json.dumps([list(courses()), signatures()]))"
    )
    plain = subprocess.run(
        [sys.executable, "-c", script],
        cwd=root,
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert plain.returncode == 0, plain.stderr
    alone, mixed = json.loads(plain.stdout)
    assert mixed == signatures()
    for (game, name, players), there in zip(TRIED, alone, strict=True):
        here = Probe(Tried(game, name)).course(players)
        both = min(len(here), len(there))
        assert both > 0
        assert here[:both] == there[:both], (game.name, players, name)


# The list of what is tested


def test_every_game_is_found(root: Path) -> None:
    folders = {path.parent.name for path in root.glob("sim/games/*/rules.py")}
    assert {game.name for game in GAMES} == folders | {minigame.GAME.name}
    files = {(path.parent.name, path.stem) for path in root.glob("strategies/*/[!_]*.py")}
    assert {(game.name, name) for game, name in STRATEGIES if game is not minigame.GAME} >= files


def test_a_game_has_what_the_others_ask_of_it() -> None:
    for game in GAMES:
        kernels = Position(game, game.players[0]).kernels
        assert list(kernels.text.events(Replayed(0, 0, [], [], {}), 3, game.defaults())) == []
        assert len(kernels.rules.INVARIANTS) > 1
        assert all(kind.en and kind.zh for kind in getattr(kernels.view, "DECISIONS", ()))
        assert all(switch.meaning.en and switch.meaning.zh for switch in game.switches)
        for switch in game.switches:
            assert switch.parse(switch.default) == switch.default
