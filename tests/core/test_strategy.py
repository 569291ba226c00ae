"""Strategies, compiled and in plain Python: what they may do, and what is told if they do more."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.engine import Entrant, Fault, Table
from sim.core.jit import JIT, kernel
from sim.core.rng import below
from sim.core.strategy import CompileError
from sim.games.schadenfreude import GAME
from sim.games.schadenfreude.view import strategy
from tests.arena import digest, entrant

PLAYERS = 3
compiled_only = pytest.mark.skipif(not JIT, reason="nothing is compiled")


def lowest_card(table: Any, me: Any) -> Any:
    """The lowest legal card, in plain Python and fit to be compiled."""
    card = 0
    while (me.legal >> card) & 1 == 0:
        card += 1
    return card


def seat_at(decide: Any, *parameters: int, seed: int = 1, others: Any = None) -> Table:
    """A table at which this strategy sits on seat 1 among uniform ones."""
    them = entrant(GAME.name, "uniform") if others is None else Entrant("others", others)
    lineup = [them, Entrant("mine", decide, parameters), them]
    return Table(GAME, PLAYERS, GAME.defaults(), lineup, seed, rotate="none")


def fault_of(decide: Any, deals: int = 3) -> Fault:
    """Why play stopped; checked to be the same in a replay, and to blame seat 1."""
    played = seat_at(decide).play(0, deals)
    assert played.totals is None and played.rows is None
    fault = played.fault
    assert fault is not None
    assert (fault.seat, fault.entry, fault.rotation) == (1, 1, 0)
    assert seat_at(decide).replay(fault.deal, fault.rotation).fault == fault
    return fault


# Strategies that play


@kernel
def lowest_card_of(me):
    card = 0
    while (me.legal >> card) & 1 == 0:
        card += 1
    return card


@strategy
def compiled_lowest(table, me):
    return lowest_card_of(me)


@strategy
def by_memory(table, me):
    """Play now the lowest, now the highest card, by a count in memory, chance and a parameter."""
    me.memory[0] += 1
    if (me.memory[0] + below(me.rng, 3) + me.parameter[1]) % 3 == 0:
        return lowest_card_of(me)
    card = 49
    while (me.legal >> card) & 1 == 0:
        card -= 1
    return card


@pytest.mark.both_modes
def test_plain_python_plays_the_same_games() -> None:
    deals = 40 if JIT else 3
    compiled = seat_at(compiled_lowest).play(0, deals)
    plain = seat_at(lowest_card).play(0, deals)
    assert digest(compiled.totals) == digest(plain.totals)
    by_its_function = seat_at(by_memory.decide, 0, 2).play(0, deals)
    assert digest(seat_at(by_memory, 0, 2).play(0, deals).totals) == digest(by_its_function.totals)


@pytest.mark.both_modes
def test_plain_python_may_sit_on_every_seat() -> None:
    plain = seat_at(lowest_card, others=by_memory.decide).play(0, 3)
    assert digest(seat_at(compiled_lowest, others=by_memory).play(0, 3).totals) == digest(
        plain.totals
    )


@pytest.mark.both_modes
def test_plain_python_sees_numbers_and_lists() -> None:
    seen: set[tuple[type, ...]] = set()

    def look(table: Any, me: Any) -> int:
        seen.add((type(table.round), type(table.total[0]), type(me.hand), type(me.legal)))
        assert len(table.total) == 5 and me.seat == 1 and me.legal & ~me.hand == 0
        assert table.rules.hand_size == 12
        return int(lowest_card(table, me))

    assert seat_at(look).play(0, 1).fault is None
    assert seen == {(int, int, int, int)}


@pytest.mark.both_modes
def test_plain_python_may_use_kernels() -> None:
    def roll(table: Any, me: Any) -> int:
        below(me.rng, 6)
        me.memory[3] = 7
        return int(lowest_card(table, me))

    assert seat_at(roll).play(0, 1).fault is None


@pytest.mark.both_modes
@pytest.mark.parametrize("whole", [np.int64, np.int8, np.uint64, int])
def test_any_whole_number_is_an_answer(whole: Any) -> None:
    def answer(table: Any, me: Any) -> Any:
        return whole(lowest_card(table, me))

    assert seat_at(answer).play(0, 1).fault is None


# What a strategy has of its own


@strategy
def show_parameters(table, me):
    """Raise an exception unless the parameters are 7, -3, then zeros."""
    rest = 0
    for k in range(2, len(me.parameter)):
        rest |= me.parameter[k]
    if me.parameter[0] != 7 or me.parameter[1] != -3 or rest != 0:
        raise ValueError("wrong parameters")
    return lowest_card_of(me)


@strategy
def expect_own_memory(table, me):
    """Raise an exception unless memory is empty at the first card and kept from then on."""
    count = me.memory[0]
    is_first = table.round == 1 and table.n_tricks == 0
    if is_first != (count == 0):
        raise ValueError("memory of another game")
    for k in range(len(me.memory)):
        if me.memory[k] != (0 if is_first else count + k):
            raise ValueError("memory has changed")
        me.memory[k] = count + 1 + k
    return lowest_card_of(me)


@pytest.mark.both_modes
def test_parameters_reach_their_strategy() -> None:
    assert seat_at(show_parameters, 7, -3).play(0, 2).fault is None
    assert seat_at(show_parameters, 7, 3).play(0, 2).fault is not None
    assert seat_at(show_parameters.decide, 7, -3).play(0, 1).fault is None


@pytest.mark.both_modes
def test_memory_lasts_for_a_game() -> None:
    assert seat_at(expect_own_memory).play(0, 30 if JIT else 3).fault is None


@pytest.mark.both_modes
def test_equal_strategies_have_streams_of_their_own() -> None:
    drawn: dict[int, list[int]] = {}

    def draw(table: Any, me: Any) -> int:
        drawn.setdefault(me.seat, []).append(int(below(me.rng, 2**40)))
        return int(lowest_card(table, me))

    seat_at(draw, others=draw).play(0, 2)
    numbers = [number for seat in drawn.values() for number in seat]
    assert set(drawn) == {0, 1, 2}
    assert len(set(numbers)) == len(numbers)


# Answers that are not legal


@strategy
def wrong_card(table, me):
    """A card that is not legal once eight are played, among them numbers that are no card."""
    if table.n_history < 8:
        return lowest_card_of(me)
    return me.parameter[0]


@pytest.mark.both_modes
@pytest.mark.parametrize("answer", [-1, 50, 63, 64, 2**62, -(2**63), 2**63 - 1])
def test_a_number_that_is_no_card(answer: int) -> None:
    for decide in (wrong_card, wrong_card.decide):
        played = seat_at(decide, answer).play(0, 2)
        fault = played.fault
        assert fault is not None
        assert fault.kind == "illegal action"
        assert str(answer) in fault.detail
        assert (fault.deal, fault.seat, fault.entry) == (0, 1, 1)
        assert 8 <= fault.decisions < 12
        assert played.games == 0


@strategy
def other_hand(table, me):
    """The lowest card that is not legal."""
    card = 0
    while (me.legal >> card) & 1 == 1:
        card += 1
    return card


@pytest.mark.both_modes
def test_a_card_that_must_not_be_played() -> None:
    fault = fault_of(other_hand)
    assert (fault.kind, fault.deal) == ("illegal action", 0)
    assert "(sword" in fault.detail


# Exceptions


@strategy
def raises(table, me):
    if table.round == 2:
        raise ValueError("out of luck")
    return lowest_card_of(me)


@strategy
def bad_index(table, me):
    return me.memory[1000 + table.round]


@strategy
def bad_index_in_a_helper(table, me):
    return far(me.memory, table.round + 10**6)


@kernel
def far(words, i):
    return words[i]


@strategy
def divides_by_zero(table, me):
    return lowest_card_of(me) // (table.round - 1)


def raises_two_lines(table: Any, me: Any) -> int:
    raise RuntimeError("first line\n  second line")


def no_answer(table: Any, me: Any) -> None:
    return None


def half_a_card(table: Any, me: Any) -> float:
    return float(lowest_card(table, me))


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("decide", "detail"),
    [
        (raises, "ValueError: out of luck"),
        (raises.decide, "ValueError: out of luck"),
        (bad_index, "IndexError: "),
        (bad_index_in_a_helper, "IndexError: "),
        (divides_by_zero, "ZeroDivisionError: "),
        (divides_by_zero.decide, "ZeroDivisionError: "),
        (raises_two_lines, "RuntimeError: first line second line"),
        (no_answer, "TypeError: 'NoneType' object cannot be interpreted as an integer"),
        (half_a_card, "TypeError: 'float' object cannot be interpreted as an integer"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_an_exception_is_told_with_type_and_message(decide: Any, detail: str) -> None:
    fault = fault_of(decide)
    assert fault.kind == "exception"
    assert fault.detail.startswith(detail)
    assert "\n" not in fault.detail


@pytest.mark.both_modes
def test_an_exception_that_hangs_on_chance_is_told_too() -> None:
    fault = fault_of(unlucky)
    assert fault.kind == "exception"
    assert fault.detail.startswith("ValueError: one of eight")


@strategy
def unlucky(table, me):
    if below(me.rng, 8) == 0:
        raise ValueError("one of eight")
    return lowest_card_of(me)


# Writing


@strategy
def writes_total(table, me):
    table.total[0] += 1
    return lowest_card_of(me)


@strategy
def writes_hand(table, me):
    me.hand |= 1
    me.hand ^= 1 << 49
    return lowest_card_of(me)


@strategy
def writes_rules(table, me):
    table.rules.safe = 1000
    return lowest_card_of(me)


@strategy
def writes_parameter(table, me):
    me.parameter[15] = 1
    return lowest_card_of(me)


@strategy
def writes_history(table, me):
    table.history[49] = 5
    return lowest_card_of(me)


@strategy
def writes_what_it_may(table, me):
    me.memory[0] = table.round
    me.memory[len(me.memory) - 1] = -1
    me.rng.s0 ^= me.rng.s3
    return lowest_card_of(me)


@pytest.mark.both_modes
@pytest.mark.parametrize(
    ("decide", "field"),
    [
        (writes_total, "table.total"),
        (writes_hand, "me.hand"),
        (writes_rules, "table.rules"),
        (writes_parameter, "me.parameter"),
        (writes_history, "table.history"),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_writing_is_found_and_the_field_named(decide: Any, field: str) -> None:
    for form in (decide, decide.decide):
        fault = fault_of(form)
        assert (fault.kind, fault.detail) == ("wrote", f"changed {field}")


@pytest.mark.both_modes
def test_what_a_strategy_writes_reaches_no_game() -> None:
    """It is watched in few games only, but plays on a copy of the table in all."""
    asked = []

    def writes_once(table: Any, me: Any) -> int:
        asked.append(table.round)
        if len(asked) == 100:
            table.rules.safe = 20
            table.total[2] = 39
        return int(lowest_card(table, me))

    honest = seat_at(lowest_card).play(0, 8, keep_rows=True).rows
    played = seat_at(writes_once).play(0, 8, keep_rows=True).rows
    assert honest is not None and played is not None
    assert len(asked) > 100
    assert honest.tobytes() == played.tobytes()


@pytest.mark.both_modes
def test_writing_to_memory_and_stream_is_allowed() -> None:
    assert seat_at(writes_what_it_may).play(0, 2).fault is None


# Compiling


@strategy
def returns_half(table, me):
    return lowest_card_of(me) / 1


@strategy
def returns_truth(table, me):
    return me.hand > 0


@strategy
def misspelt_field(table, me):
    return me.leagl


@strategy
def misspelt_name(table, me):
    return lowest_card_off(me)  # noqa: F821 (that it does not exist is the point)


@strategy
def no_python_objects(table, me):
    return len({"a": [1, "b"]}[me])


@strategy
def hidden_hands(table, me):
    return table.hand[0]  # of the state, not of the table


@compiled_only
@pytest.mark.parametrize(
    ("decide", "reasons"),
    [
        (returns_half, ["float64", "whole number"]),
        (returns_truth, ["bool", "whole number"]),
        (misspelt_field, ["leagl"]),
        (misspelt_name, ["lowest_card_off"]),
        (no_python_objects, []),
        (hidden_hands, ["hand"]),
    ],
    ids=lambda value: getattr(value, "__name__", None),
)
def test_what_cannot_be_compiled_is_told_in_a_line(decide: Any, reasons: list[str]) -> None:
    with pytest.raises(CompileError) as told:
        seat_at(decide)
    message = str(told.value)
    assert message.startswith("strategy mine: ")
    assert "\n" not in message
    assert all(reason in message for reason in reasons)
    assert "\x1b" not in message


@compiled_only
@pytest.mark.parametrize("decide", [misspelt_field, misspelt_name, no_python_objects, hidden_hands])
def test_the_place_of_what_cannot_be_compiled_is_told(decide: Any) -> None:
    with pytest.raises(CompileError) as told:
        seat_at(decide)
    code = decide.decide.__code__
    lines = range(code.co_firstlineno, code.co_firstlineno + 4)
    assert "test_strategy.py" in str(told.value)
    assert any(f"line {line}" in str(told.value) for line in lines)


@pytest.mark.both_modes
def test_a_strategy_can_be_asked_alone() -> None:
    table = seat_at(compiled_lowest, others=compiled_lowest)
    table.begin(0, 0)
    table.advance(1)
    me = table.seat_view(table.state.table.start)
    assert compiled_lowest(table.state.table, me) == lowest_card(table.state.table, me)
    assert by_memory.__doc__ == by_memory.decide.__doc__
    with pytest.raises(IndexError):
        bad_index(table.state.table, me)
