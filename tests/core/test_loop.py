"""The play loop: deals, rotations, chunks, pauses, copies, and games that cannot be finished."""

from __future__ import annotations

import dataclasses
import itertools
import threading
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.core import loop
from sim.core.engine import ROTATE, Entrant, Table
from sim.core.jit import JIT
from sim.core.rng import below, open_stream
from sim.core.tally import merge
from sim.games.schadenfreude import GAME, rules
from sim.games.schadenfreude.cards import N_CARDS
from tests.arena import digest, entrant
from tests.positions import argument

pytestmark = pytest.mark.both_modes

UNLIKELY = 1e-5
DEALS = 30 if JIT else 4


def seats(players: int, *labels: str) -> list[Entrant]:
    """Uniform players under names of their own."""
    uniform = entrant(GAME.name, "uniform")
    return [Entrant(label, uniform.decide) for label in labels or [f"s{i}" for i in range(players)]]


def table(players: int = 3, rotate: str = "strategies", seed: int = 1, **switches: Any) -> Table:
    settings = {**GAME.defaults(), **switches}
    return Table(GAME, players, settings, seats(players), seed, rotate)


def rows_of(table: Table, first: int, last: int) -> Any:
    played = table.play(first, last, keep_rows=True)
    assert played.fault is None
    assert played.rows is not None
    assert played.games == len(played.rows) == (last - first) * table.rotations
    return played.rows


def outcome_of(rows: Any, i: int) -> dict[str, Any]:
    return {name: rows["outcome"][name][i].tolist() for name in rows["outcome"].dtype.names}


# Chunks and tracing


@pytest.mark.parametrize("rotate", ROTATE)
def test_chunks_change_nothing(rotate: str) -> None:
    whole = table(rotate=rotate).play(0, DEALS, keep_rows=True)
    cuts = [0, 1, 2, DEALS // 2, DEALS]
    parts = [table(rotate=rotate).play(a, b, keep_rows=True) for a, b in itertools.pairwise(cuts)]
    assert np.concatenate([part.rows for part in parts]).tobytes() == whole.rows.tobytes()
    totals = None
    for part in reversed(parts):
        totals = merge(totals, part.totals)
    assert digest(totals) == digest(whole.totals)
    one = table(rotate=rotate)
    for a, b in reversed(list(itertools.pairwise(cuts))):
        one.play(a, b)  # what a table has played before does not count either
    assert digest(one.play(0, DEALS).totals) == digest(whole.totals)


@pytest.mark.parametrize("rotate", ROTATE)
def test_tracing_changes_nothing(rotate: str) -> None:
    arena = table(rotate=rotate)
    rows = rows_of(arena, 0, 3)
    for i, row in enumerate(rows):
        replayed = arena.replay(int(row["deal"]), int(row["rotation"]))
        assert replayed.fault is None
        assert replayed.entries == row["entry"].tolist()
        assert replayed.outcome == outcome_of(rows, i)
    assert rows_of(arena, 0, 3).tobytes() == rows.tobytes()


def test_rows_name_deal_and_rotation() -> None:
    rows = rows_of(table(), 5, 8)
    named = [(int(row["deal"]), int(row["rotation"])) for row in rows]
    assert named == [(deal, rotation) for deal in (5, 6, 7) for rotation in range(3)]


def test_chunks_do_not_decide_who_is_watched() -> None:
    """Strategies are watched in few games; whether a cheat is found must not hang on chunks."""

    def faults(cuts: list[int]) -> list[Any]:
        def cheats_in_deal_2(public: Any, me: Any) -> int:
            if arena.state.dealer.deal == 2:
                public.total[0] = -1
            return int(me.legal & -me.legal).bit_length() - 1

        arena = Table(GAME, 3, GAME.defaults(), [Entrant("cheat", cheats_in_deal_2)] * 3, 1)
        found = [arena.play(a, b).fault for a, b in itertools.pairwise(cuts)]
        return [fault for fault in found if fault]

    assert faults([0, 4]) == faults([0, 1, 2, 3, 4]) == faults([0, 2, 4])


def test_the_largest_numbers_can_be_played() -> None:
    last = 2**62
    arena = table(seed=2**63 - 1)
    rows = rows_of(arena, last - 2, last)
    assert set(rows["deal"].tolist()) == {last - 2, last - 1}
    others = rows_of(arena, last - 4, last - 2)
    assert rows["outcome"].tobytes() != others["outcome"].tobytes()


def test_checking_changes_nothing() -> None:
    arena = table()
    assert digest(arena.play(0, 5).totals) == digest(arena.play(0, 5, check=True).totals)


def test_seeds_and_deals_differ() -> None:
    one, other = (rows_of(table(rotate="none", seed=seed), 0, 10) for seed in (1, 2))
    games = {row["outcome"].tobytes() for row in (*one, *other)}
    assert len(games) == 20


# Rotations


def test_strategies_rotation_seats_each_once_everywhere() -> None:
    rows = rows_of(table(4), 0, DEALS)
    for deal in range(DEALS):
        entries = rows["entry"][rows["deal"] == deal]
        for column in (*entries, *entries.T):  # each game, and each seat over the rotations
            assert sorted(column.tolist()) == [0, 1, 2, 3]
        for rotation in range(4):
            assert entries[rotation].tolist() == np.roll(entries[0], -rotation).tolist()


@pytest.mark.parametrize("players", [3, 4])
def test_strategies_rotation_visits_all_orders(players: int) -> None:
    n = 2400 if JIT else 240
    arena = table(players, hand_size=1, max_rounds=1)
    rows = rows_of(arena, 0, n)
    first = rows["entry"][rows["rotation"] == 0]
    orders = Counter(map(tuple, first.tolist()))
    assert len(orders) == len(list(itertools.permutations(range(players))))
    assert stats.chisquare(list(orders.values())).pvalue > UNLIKELY


def test_one_strategy_alone_has_one_rotation() -> None:
    same = Table(GAME, 3, GAME.defaults(), seats(3, "a", "a", "a"), 1, "strategies")
    assert same.rotations == 1
    assert rows_of(same, 0, 3)["entry"].tolist() == [[0, 1, 2]] * 3
    hands = Table(GAME, 3, GAME.defaults(), seats(3, "a", "a", "a"), 1, "hands")
    assert hands.rotations == 3


def test_two_labels_of_one_strategy_rotate() -> None:
    mixed = Table(GAME, 3, GAME.defaults(), seats(3, "a", "a", "b"), 1, "strategies")
    assert mixed.rotations == 3


def first_deals(arena: Table, deal: int) -> list[tuple[int, list[int], int]]:
    """Start seat, hands and cards left over of the first round in each rotation."""
    found = []
    for rotation in range(arena.rotations):
        opening, dealt = arena.replay(deal, rotation).events[:2]
        assert (opening[0], dealt[0]) == (rules.ROUND, rules.DEAL)
        *hands, aside = dealt[1]
        found.append((opening[1][1], hands, aside))
    return found


@pytest.mark.parametrize("players", GAME.players)
def test_hands_rotation_gives_each_place_each_hand(players: int) -> None:
    arena = table(players, "hands")
    assert arena.rotations == players
    for deal in range(5):
        starts, hands, aside = zip(*first_deals(arena, deal), strict=True)
        assert len(set(starts)) == 1
        assert len(set(aside)) == 1
        places = [[*row[start:], *row[:start]] for start, row in zip(starts, hands, strict=True)]
        for column in (*places, *zip(*places, strict=True)):  # each game, each place
            assert sorted(column) == sorted(places[0])
    assert (rows_of(arena, 0, 3)["entry"] == np.arange(players)).all()


def test_strategies_rotation_keeps_the_hands() -> None:
    (start, hands, aside), *others = first_deals(table(4), 3)
    assert others == [(start, hands, aside)] * 3


def test_no_rotation_plays_each_deal_once() -> None:
    arena = table(4, "none")
    assert arena.rotations == 1
    rows = rows_of(arena, 0, 5)
    assert rows["deal"].tolist() == [0, 1, 2, 3, 4]
    assert (rows["entry"] == np.arange(4)).all()
    assert first_deals(arena, 2)[0] == first_deals(table(4, "hands"), 2)[0]


def test_a_strategy_that_draws_more_moves_no_card() -> None:
    def spender(arena: Any, me: Any) -> int:
        for _ in range(me.seat + 3):
            below(me.rng, 1000)
        return int(me.legal & -me.legal).bit_length() - 1

    honest = table(3, "none")
    spending = Table(GAME, 3, GAME.defaults(), [Entrant("x", spender)] * 3, 1, "none")
    for deal in range(4):
        assert first_deals(honest, deal) == first_deals(spending, deal)


# A decision at a time


def test_a_game_can_be_paused_anywhere() -> None:
    arena = table(rotate="none")
    whole = arena.replay(0).outcome
    for step in (1, 2, 7, 1000):
        arena.begin(0, 0)
        taken = 0
        while (status := arena.advance(step)) == loop.PAUSED:
            taken += step
            assert arena.job.decisions == taken
        assert status == loop.OVER
        assert arena.conclude() == whole


def test_a_budget_of_nothing_decides_nothing() -> None:
    arena = table(rotate="none")
    arena.begin(0, 0)
    before = bytes(arena.state.data)
    assert arena.advance(0) == loop.PAUSED
    assert bytes(arena.state.data) == before


def copy_of(arena: Table) -> list[bytes]:
    """State, count of decisions and what each seat has for itself."""
    views = [arena.state, arena.job, *map(arena.seat_view, range(arena.players))]
    return [bytes(view.data) for view in views]


def put_back(arena: Table, copy: list[bytes]) -> None:
    views = [arena.state, arena.job, *map(arena.seat_view, range(arena.players))]
    for view, data in zip(views, copy, strict=True):
        view.data[:] = data


def test_a_copied_state_can_be_finished_twice() -> None:
    arena, other = table(4, "none"), table(4, "none")
    whole = arena.replay(5).outcome
    arena.begin(5, 0)
    decision = 0
    while arena.advance(1) == loop.PAUSED:
        decision += 1
        if decision % (11 if JIT else 60) == 0:
            copy = copy_of(arena)
            other.begin(9, 0)  # another game, from which nothing may be left
            other.advance(13)
            put_back(other, copy)
            assert other.advance(10**6) == loop.OVER
            assert other.conclude() == whole
    assert arena.conclude() == whole


def test_a_copied_state_may_go_another_way() -> None:
    arena = table(4, "none")
    arena.begin(5, 0)
    arena.advance(20)
    copy, futures = copy_of(arena), set()
    for seed in range(6):
        put_back(arena, copy)
        for seat in range(4):
            open_stream(argument(arena.seat_view(seat).rng), seed, 0, seat, 0)
        assert arena.advance(10**6) == loop.OVER
        futures.add(tuple(arena.conclude()["score"]))
    assert len(futures) > 1


# What another thread sees


def test_progress_names_the_game_in_play() -> None:
    progress = np.zeros(loop.N_PROGRESS, np.int64)
    played = table().play(10, 14, progress=progress)
    assert progress[loop.DEAL] == 13
    assert progress[loop.ROTATION] == 2
    assert progress[loop.SEAT] in range(3)
    assert progress[loop.N_DONE] == played.games == 12


@pytest.mark.skipif(not JIT, reason="plain Python holds the lock")
def test_other_threads_run_meanwhile() -> None:
    arena = table(4)
    arena.warm()
    progress = np.zeros(loop.N_PROGRESS, np.int64)
    player = threading.Thread(target=arena.play, args=(0, 20_000), kwargs={"progress": progress})
    player.start()
    seen = set()
    while player.is_alive():
        seen.add(int(progress[loop.N_DONE]))
    assert len(seen) > 10


@pytest.mark.skipif(not JIT, reason="plain Python holds the lock")
def test_tables_of_two_threads_do_not_meet() -> None:
    expected = [digest(table(seed=seed).play(0, 2000).totals) for seed in (1, 2)]
    arenas = [table(seed=seed) for seed in (1, 2)]
    found: dict[int, str] = {}

    def work(i: int) -> None:
        found[i] = digest(arenas[i].play(0, 2000).totals)

    threads = [threading.Thread(target=work, args=(i,)) for i in (0, 1)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[0], found[1]] == expected


# Games that cannot be finished


def test_decision_cap() -> None:
    arena = table(rotate="none")
    n = arena.replay(0).outcome["decisions"]
    for cap, is_enough in ((n, True), (n - 1, False)):
        game = dataclasses.replace(GAME, max_decisions=cap)
        played = Table(game, 3, game.defaults(), seats(3), 1, "none").play(0, 1)
        assert (played.fault is None) is is_enough
        if played.fault:
            assert played.fault.kind == "decision cap"
            assert (played.fault.seat, played.fault.entry, played.fault.deal) == (-1, -1, 0)
            assert played.fault.decisions == cap
            assert str(cap) in played.fault.detail
            assert played.totals is None


@pytest.mark.skipif(not JIT, reason="takes thousands of decisions")
def test_the_cap_of_the_rules_comes_before_that_of_the_loop() -> None:
    """A game that its switches allow ends by its rules, if only after `max_rounds`."""
    stuck = {"removed_3p": [1, 2, 3, 4, 5, 6, 7, 8, 9], "hand_size": "most"}  # no total can rise
    longest = GAME.switch("max_rounds").high
    assert longest is not None and longest * N_CARDS <= GAME.max_decisions
    played = table(rotate="none", max_rounds=longest, **stuck).play(0, 1, keep_rows=True)
    assert played.fault is None
    assert played.rows is not None
    assert played.rows["outcome"]["unfinished"].tolist() == [1]
    assert played.rows["outcome"]["rounds"].tolist() == [longest]


@pytest.mark.parametrize("decisions", [10, 11])
def test_a_broken_invariant_is_found_when_a_state_is_changed(decisions: int) -> None:
    for check in (True, False):
        arena = table(rotate="none")
        arena.job.check = int(check)
        arena.begin(0, 0)
        assert arena.advance(decisions) == loop.PAUSED
        seat = (arena.state.table.seat + 1) % 3
        hand = arena.state.hand[seat]
        arena.state.hand[seat] = hand & (hand - 1)  # a card is gone
        status = arena.advance(1)
        assert status == (loop.BROKEN if check else loop.PAUSED)
        assert not check or "one place" in rules.INVARIANTS[arena.job.detail]


def test_a_broken_invariant_stops_play_and_blames_nobody() -> None:
    """A strategy that has got hold of the state itself."""
    arena: Table

    def cheat(table: Any, me: Any) -> int:
        if table.round == 2:
            arena.state.hand[(me.seat + 1) % 3] |= me.hand
        return int(me.legal & -me.legal).bit_length() - 1

    arena = Table(GAME, 3, GAME.defaults(), [Entrant("cheat", cheat)] * 3, 1, "none")
    fault = arena.play(0, 2, check=True).fault
    assert fault is not None
    assert (fault.kind, fault.seat, fault.entry, fault.deal) == ("broken invariant", -1, -1, 0)
    assert fault.detail in rules.INVARIANTS
    assert fault.decisions == 37
    replayed = arena.replay(0)
    assert replayed.fault == fault
    assert replayed.outcome == {}
    assert len([kind for kind, _ in replayed.events if kind == rules.PLAY]) == 37


def test_a_fault_names_deal_rotation_and_position() -> None:
    def bad_in_second_round(table: Any, me: Any) -> int:
        return -1 if table.round == 2 else int(me.legal & -me.legal).bit_length() - 1

    line = [*seats(3, "a", "b"), Entrant("bad", bad_in_second_round)]
    arena = Table(GAME, 3, {**GAME.defaults(), "limit": 25}, line, 1, "strategies")
    progress = np.zeros(loop.N_PROGRESS, np.int64)
    played = arena.play(4, 9, progress=progress)
    fault = played.fault
    assert fault is not None
    assert (fault.kind, fault.entry) == ("illegal action", 2)
    entries = arena.begin(fault.deal, fault.rotation)
    assert entries[fault.seat] == 2
    assert played.games == (fault.deal - 4) * 3 + fault.rotation == progress[loop.N_DONE]
    assert (progress[loop.DEAL], progress[loop.ROTATION]) == (fault.deal, fault.rotation)
