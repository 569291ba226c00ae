"""One hand of each deal played on again and again: what is kept and what is drawn anew."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest

from sim import catalog
from sim.core.cards import lowest
from sim.core.engine import Entrant, Redrawn, Table
from sim.core.jit import JIT
from sim.core.rng import REDRAW, STRATEGY, STREAM, below, open_stream
from sim.errors import Mistake
from sim.games.schadenfreude import GAME, rules
from sim.games.schadenfreude.cards import WILDS
from sim.games.schadenfreude.rules import seat_to_act
from sim.games.schadenfreude.traits import LOWEST, NEGATIVE_TRAIT, TRAITS, WILD_TRAIT
from sim.games.schadenfreude.view import strategy
from tests import minigame
from tests.arena import digest, lineup
from tests.positions import Position, argument, blank

pytestmark = pytest.mark.both_modes

DEALS, REDRAWS = (40, 5) if JIT else (3, 2)
ROUND = {"max_rounds": 1}


def table(
    players: int = 3, *names: str, rotate: str = "none", seed: int = 1, **given: Any
) -> Table:
    switches = {**GAME.defaults(), **given}
    return Table(GAME, players, switches, lineup(GAME, players, *names), seed, rotate)


def redrawn(arena: Table, first: int = 0, last: int = DEALS, column: str = "score") -> Redrawn:
    found = arena.redraw(first, last, REDRAWS, column)
    assert found.fault is None
    assert found.values is not None and found.traits is not None
    assert found.values.shape == (last - first, REDRAWS)
    assert found.traits.shape == (last - first, len(TRAITS))
    return found


def words(found: Redrawn) -> bytes:
    assert found.values is not None and found.traits is not None
    return found.values.tobytes() + found.traits.tobytes()


def by_hand(arena: Table, deal: int, redraw: int, column: str) -> int:
    """The same a step at a time, through the front door."""
    arena.begin(deal, 0)
    position = Position(arena.game, arena.players)
    position.state.data[:] = arena.state.data
    me, rng = position.observe(), blank(STREAM)
    open_stream(argument(rng), arena.seed, deal, REDRAW, redraw)
    world = blank(position.kernels.state)
    position.view.sample_world(*map(argument, (position.table, me, rng, world)))
    for seat in range(arena.players):
        stream = argument(arena.seat_view(seat).rng)
        open_stream(stream, arena.seed, deal, STRATEGY + seat, redraw + 1)
    arena.state.data[:] = world.data
    arena.advance(arena.game.max_decisions)
    return int(arena.conclude()[column][me.seat])


@pytest.mark.parametrize("column", ["first_round", "win_share"])
def test_a_redraw_is_a_world_of_the_first_seat_played_to_the_end(column: str) -> None:
    arena = table(4, "uniform", "lowest", rotate="strategies")
    found = redrawn(arena, 5, 8, column)
    assert found.values is not None
    expected = [[by_hand(arena, deal, k, column) for k in range(REDRAWS)] for deal in (5, 6, 7)]
    assert found.values.tolist() == expected


def test_ranges_tables_and_what_was_played_before_change_nothing() -> None:
    whole = redrawn(table())
    assert whole.values is not None
    cuts = [0, 1, DEALS // 2, DEALS]
    parts = [redrawn(table(), a, b) for a, b in itertools.pairwise(cuts)]
    assert b"".join(p.values.tobytes() for p in parts if p.values is not None) == (
        whole.values.tobytes()
    )
    arena = table()
    arena.play(3, 5)
    assert words(redrawn(arena)) == words(redrawn(arena)) == words(whole)
    assert words(redrawn(table(seed=2))) != words(whole)
    fewer = arena.redraw(0, DEALS, REDRAWS - 1, "score")
    assert fewer.values is not None
    assert fewer.values.tolist() == whole.values[:, :-1].tolist()


def test_play_is_the_same_before_and_after() -> None:
    arena = table(rotate="hands")
    before = digest(arena.play(0, 3).totals)
    redrawn(arena)
    assert (
        digest(arena.play(0, 3).totals) == before == digest(table(rotate="hands").play(0, 3).totals)
    )


@pytest.mark.parametrize("rank_set", GAME.switch("rank_set").words)
def test_traits_are_the_cards_of_the_hand_at_place_0(rank_set: str) -> None:
    arena = table(4, rank_set=rank_set)
    found = redrawn(arena)
    assert found.traits is not None
    numbers = rules.NUMBERS[rank_set]
    for deal, held in enumerate(found.traits.tolist()):
        opening, dealt = arena.replay(deal).events[:2]
        hand = dealt[1][opening[1][1]]
        cards = [numbers[card % 12] for card in range(48) if hand >> card & 1]
        assert [cards.count(number) for number in range(LOWEST, 10)] == held[:WILD_TRAIT]
        assert held[WILD_TRAIT] == (hand >> 48).bit_count()
        assert held[NEGATIVE_TRAIT] == sum(number < 0 for number in cards)


@pytest.mark.skipif(not JIT, reason="takes thousands of games")
def test_the_redrawn_are_as_the_dealt_on_average() -> None:
    """Each hand with each rest that fits it: together that is a deal."""
    n = 20_000
    arena = table(3, "greedy_gain", **ROUND)
    values = arena.redraw(0, n, 2, "first_round").values
    rows = arena.play(n, 2 * n, keep_rows=True).rows
    assert values is not None and rows is not None
    outcome = rows["outcome"]
    dealt = outcome["first_round"][np.arange(n), outcome["start"]]
    for moment in (1, 2):
        here, there = (values.astype(float) ** moment).mean(axis=1), dealt.astype(float) ** moment
        assert abs(here.mean() - there.mean()) < 4.5 * np.sqrt((here.var() + there.var()) / n)


def test_the_rest_is_drawn_anew_each_time_and_the_hand_is_not() -> None:
    seen: list[tuple[int, int, int]] = []

    def watcher(public: Any, me: Any) -> int:
        if public.n_history < 3:
            seen.append((arena.state.dealer.deal, int(me.seat), int(me.hand)))
        assert me.memory[0] == public.n_tricks  # empty at the start of each game
        me.memory[0] += 1
        return int(me.legal & -me.legal).bit_length() - 1

    arena = Table(
        GAME, 3, {**GAME.defaults(), **ROUND}, [Entrant("watcher", watcher)] * 3, 1, "none"
    )
    redrawn(arena, 0, 1)
    games = [seen[i : i + 3] for i in range(0, len(seen), 3)]
    assert len(games) == REDRAWS
    assert len({game[0] for game in games}) == 1
    assert len({game[1] for game in games}) == len({game[2] for game in games}) == REDRAWS


# What does not go well


def test_a_fault_names_deal_and_redraw() -> None:
    def wrong(public: Any, me: Any) -> int:
        return -1 if public.n_tricks == 2 else int(me.legal & -me.legal).bit_length() - 1

    line = [*lineup(GAME, 2), Entrant("wrong", wrong)]
    found = Table(GAME, 3, GAME.defaults(), line, 1, "none").redraw(7, 9, 3, "score")
    assert found.values is None and found.traits is None
    assert found.fault is not None
    fault = found.fault
    assert (fault.kind, fault.deal, fault.entry) == ("illegal action", 7, 2)
    assert fault.detail.endswith(", in redraw 0")


@strategy
def fails_now_and_then(public: Any, me: Any) -> Any:
    return lowest(me.legal) // int(min(below(me.rng, 60), 1))


@pytest.mark.parametrize("is_ours", [False, True])
def test_an_exception_is_found_again_in_its_redraw(
    is_ours: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of ours nothing is kept in a game that is not watched, so the deal is played once more."""
    monkeypatch.setattr(fails_now_and_then, "is_ours", is_ours)
    line = [Entrant("fails", fails_now_and_then)] * 3
    arena = Table(GAME, 3, {**GAME.defaults(), **ROUND}, line, 5, "none")
    fault = arena.redraw(1, 5, 20, "score").fault
    assert fault is not None
    assert fault.kind == "exception"
    assert fault.detail.startswith("ZeroDivisionError")
    assert not fault.detail.endswith("redraw 0")
    assert arena.redraw(1, 5, 20, "score").fault == fault


def test_the_hands_of_all_places_are_those_that_are_dealt() -> None:
    arena = table(rotate="strategies")
    found = arena.hands(2, DEALS)
    assert found.shape == (DEALS - 2, 3, len(TRAITS))
    traits = redrawn(arena, 2).traits
    assert traits is not None and (found[:, 0] == traits).all()
    arena.begin(2, 0)
    start = seat_to_act(arena.state)
    for place in range(3):
        hand = arena.state.hand[(start + place) % 3]
        assert found[0, place, WILD_TRAIT] == (hand & WILDS).bit_count()
        assert found[0, place, :WILD_TRAIT].sum() + found[0, place, WILD_TRAIT] == hand.bit_count()


def test_a_column_or_traits_that_are_not_there() -> None:
    with pytest.raises(LookupError, match="rounds is no seat column"):
        table().redraw(0, 1, 1, "rounds")
    small = minigame.GAME
    arena = Table(small, 5, small.defaults(), lineup(small, 5), 1, "none")
    with pytest.raises(LookupError, match="skirmish has no traits"):
        arena.redraw(0, 1, 1, "score")
    with pytest.raises(LookupError, match="skirmish has no traits"):
        arena.hands(0, 1)
    with pytest.raises(Mistake, match="skirmish has no traits"):
        catalog.traits(small)
    assert catalog.traits(GAME) == TRAITS
