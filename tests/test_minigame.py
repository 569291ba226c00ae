"""Skirmish: nested answers of seats not on turn, deaths in the middle, copies within an answer."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

import pytest

from sim.core import loop
from sim.core.engine import Table
from sim.core.jit import JIT
from sim.core.rng import STREAM, open_stream
from tests.arena import lineup
from tests.minigame import GAME
from tests.minigame.cards import ATTACKS, DECK, PASS
from tests.minigame.rules import ATTACK, BLOW, COUNTER, PARRY
from tests.minigame.view import N_SEATS
from tests.positions import Position, argument, blank

pytestmark = pytest.mark.both_modes

A0, A1, A2, A3, A4, P5, P6, P7, P8, C9, C10, C11 = range(12)


class Skirmish(Position):
    """A position in which these cards are held and the first seat is to attack."""

    def __init__(self, *hands: tuple[int, ...], lives: int = 2, **switches: Any) -> None:
        super().__init__(GAME, N_SEATS, lives=lives, **switches)
        self.start()
        table = self.table
        table.turn = table.seat = table.start = 0
        table.round, table.n_pile, table.peace = 1, 0, 1
        table.discard, self.state.pile = DECK, 0
        for seat, hand in enumerate([*hands, *[()] * (N_SEATS - len(hands))]):
            self.state.hand[seat] = sum(1 << card for card in hand)
            table.n_hand[seat] = len(hand)
            table.discard &= ~self.state.hand[seat]
        self.state.legal = self.state.hand[0] & ATTACKS | 1 << PASS
        self.log.size = 0

    def do(self, *actions: int) -> Skirmish:
        for action in actions:
            self.apply(action)
            assert self.is_over or self.broken() == ""
        return self

    @property
    def lives(self) -> list[int]:
        return list(self.table.lives)

    @property
    def asked(self) -> int:
        """The seat to act."""
        return int(self.table.seat)

    @property
    def stack(self) -> list[int]:
        return list(self.table.effect[: self.table.depth])


def test_attack_strikes_all_others_in_turn() -> None:
    game = Skirmish((A0, A1)).do(A0)
    assert game.lives == [2, 1, 1, 1, 1]
    hurt = [event["seat"] for event in game.events() if event["type"] == "hurt"]
    assert hurt == [1, 2, 3, 4]


def test_who_parries_is_not_hurt_and_hurts_the_attacker() -> None:
    game = Skirmish((A0, A1), (), (P5,)).do(A0)
    assert (game.asked, game.stack) == (2, [ATTACK, BLOW])
    assert game.lives == [2, 1, 2, 2, 2]
    assert game.do(P5).lives == [1, 1, 2, 1, 1]
    game = Skirmish((A0, A1), (), (P5,), riposte="off").do(A0, P5)
    assert game.lives == [2, 1, 2, 1, 1]


def test_who_passes_is_hurt() -> None:
    assert Skirmish((A0, A1), (), (P5,)).do(A0, PASS).lives == [2, 1, 1, 1, 1]


def test_any_seat_may_counter_a_parry() -> None:
    game = Skirmish((A0, A1), (C9,), (P5,), (C10,), ()).do(A0, P5)
    assert (game.asked, game.stack) == (3, [ATTACK, BLOW, PARRY])  # the next after seat 2
    game.do(PASS)
    assert game.asked == 1
    assert game.do(C9).asked == 3  # about the counter
    assert game.stack == [ATTACK, BLOW, PARRY, COUNTER]
    assert game.do(PASS).lives == [2, 1, 1, 1, 1]  # the parry is cancelled, the blow falls


@pytest.mark.parametrize(
    ("counters", "is_parried"),
    [((), True), ((C9,), False), ((C9, C10), True), ((C9, C10, C11), False)],
)
def test_an_even_number_of_counters_lets_the_parry_stand(
    counters: tuple[int, ...], is_parried: bool
) -> None:
    game = Skirmish((A0, C10), (C9, C11), (P5,)).do(A0, P5)
    left = list(counters)
    while game.stack and not game.is_over:
        game.do(left.pop(0) if left and game.is_legal(left[0]) else PASS)
    assert left == []
    assert game.lives[2] == (2 if is_parried else 1)
    assert game.lives[0] == (1 if is_parried else 2)
    assert game.table.deepest == 3 + len(counters)


def test_a_cancelled_counter_opens_no_second_question() -> None:
    game = Skirmish((A0, C10), (C9,), (P5,), (C11,)).do(A0, P5)
    assert game.asked == 3
    game.do(C11)  # on the parry
    assert game.asked == 0
    game.do(C10)  # on that counter; seat 1 is asked about this one only
    assert game.asked == 1
    assert game.do(PASS).lives == [1, 1, 2, 1, 1]


def test_a_seat_that_has_no_answer_is_not_asked() -> None:
    game = Skirmish((A0, A1), (A2,), (P5,), (P6,)).do(A0)
    assert game.asked == 2
    assert game.observe().legal == 1 << P5 | 1 << PASS


def test_death_in_the_middle_of_an_attack() -> None:
    game = Skirmish((A0, A1), (C9,), (P5,), (C10, A2), lives=1).do(A0)
    assert game.lives == [1, 0, 1, 1, 1]
    assert game.table.n_hand[1] == 0
    game.do(P5)  # seat 1 is dead and is not asked for its counter
    assert game.asked == 3
    game.do(PASS)
    assert game.lives[0] == 0  # the attacker dies, and the attack goes on
    assert game.lives == [0, 0, 1, 0, 0]
    assert game.is_over
    assert game.table.deaths_within == 3  # after the last one nobody was left to strike
    events = [(event["type"], event["seat"]) for event in game.events()]
    assert [seat for kind, seat in events if kind == "death"] == [1, 0, 3, 4]
    assert game.outcome()["won"] == [0, 0, 1, 0, 0]


def test_game_stops_at_once_when_one_seat_is_left() -> None:
    game = Skirmish((A0, C9), (), (), (), (P5, A1), lives=1).do(A0)
    assert (game.asked, game.stack) == (4, [ATTACK, BLOW])
    game.do(P5)
    assert game.asked == 0
    game.do(C9)
    assert game.is_over
    assert game.outcome()["won"] == [1, 0, 0, 0, 0]


def test_turn_passes_on_from_a_dead_attacker() -> None:
    game = Skirmish((A0, A1), (P5, A2), (A3, A4), lives=1).do(A0, P5)
    assert game.lives == [0, 1, 0, 0, 0]
    game = Skirmish((A0, A1), (P5, A2), (P6, P7), lives=1).do(A0, P5, P6)
    assert game.lives == [0, 1, 1, 0, 0]
    assert (game.table.turn, game.asked, game.stack) == (1, 1, [])
    assert game.observe().legal == 1 << A2 | 1 << PASS


def test_peace_ends_the_game() -> None:
    game = Skirmish((A0,), (A1,), (), (A2,), ()).do(PASS, PASS, PASS)
    assert game.is_over
    assert game.outcome()["won"] == [1, 1, 1, 1, 1]
    assert game.outcome()["rounds"] == 5


def test_turns_run_out() -> None:
    game = Skirmish((A0,), (A1,), max_turns=1).do(A0)
    assert game.is_over
    assert (game.outcome()["status"], game.winners()) == (1, [])


# On the loop of all games


def table(seed: int = 1) -> Table:
    return Table(GAME, N_SEATS, GAME.defaults(), lineup(GAME, N_SEATS), seed, "none")


def test_seats_not_on_turn_decide_and_answers_nest() -> None:
    asked, depths = Counter[bool](), Counter[int]()
    arena = table()
    for deal in range(200 if JIT else 30):
        arena.begin(deal, 0)
        status = loop.PAUSED
        while status == loop.PAUSED:
            now: Any = arena.state.table
            asked[now.seat == now.turn] += 1
            depths[now.depth] += 1
            status = arena.advance(1)
    assert asked[False] > asked[True] / 4
    assert depths[4] and depths[5]  # questions about a counter, and about a counter on it
    assert depths[6] == 0  # all counters lie on the table: nobody is asked


def copy_of(arena: Table) -> list[bytes]:
    """State, count of decisions and what each seat has for itself."""
    return [bytes(view.data) for view in views_of(arena)]


def put_back(arena: Table, copy: list[bytes]) -> None:
    for view, data in zip(views_of(arena), copy, strict=True):
        view.data[:] = data


def views_of(arena: Table) -> list[Any]:
    return [arena.state, arena.job, *map(arena.seat_view, range(N_SEATS))]


def nested_answers(arena: Table, deal: int) -> Iterator[list[bytes]]:
    """Copies of a game at each decision about a counter."""
    arena.begin(deal, 0)
    status = loop.PAUSED
    while status == loop.PAUSED:
        if arena.state.table.depth >= 4:
            yield copy_of(arena)
        status = arena.advance(1)


def test_resumes_from_a_copy_within_a_nested_answer() -> None:
    arena, other, n = table(), table(2), 0
    for deal in range(100 if JIT else 30):
        whole = arena.replay(deal).outcome
        for copy in nested_answers(arena, deal):
            other.begin(deal + 1, 0)  # another game, of which nothing may be left
            other.advance(3)
            put_back(other, copy)
            assert other.advance(10**6) == loop.OVER
            assert other.conclude() == whole
            n += 1
        assert arena.conclude() == whole
    assert n > 5


def test_a_copy_may_go_another_way() -> None:
    arena = table()
    copy = next(copy for deal in range(100) for copy in nested_answers(arena, deal))
    futures = set()
    for seed in range(20):
        put_back(arena, copy)
        for seat in range(N_SEATS):
            open_stream(argument(arena.seat_view(seat).rng), seed, 0, seat, 0)
        assert arena.advance(10**6) == loop.OVER
        futures.add(str(arena.conclude()))
    assert len(futures) > 1


def test_worlds_of_a_nested_answer_keep_the_stack() -> None:
    game = Skirmish((A0, A1), (C9, A2), (P5, P6), (C10, A3), (C11, A4)).do(A0, P5, C10)
    assert game.stack == [ATTACK, BLOW, PARRY, COUNTER]
    me, rng, world = game.observe(), blank(STREAM), Position(GAME, N_SEATS)
    open_stream(rng, 1, 0, 0, 0)
    hands = set()
    for _ in range(50):
        game.view.sample_world(*map(argument, (game.table, me, rng, world.state)))
        assert world.broken() == ""
        assert list(world.table.effect[:4]) == [ATTACK, BLOW, PARRY, COUNTER]
        assert world.state.hand[me.seat] == me.hand
        hands.add(tuple(world.state.hand))
    assert len(hands) > 20
