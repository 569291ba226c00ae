"""Records and Python's view of them: one memory, the same names for kernels and for Python."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from sim.core.jit import kernel
from sim.core.records import (
    View,
    allocate,
    copy_record,
    handle,
    n_words,
    offset_of,
    record,
    word_of,
)
from tests.positions import argument, blank, copied

pytestmark = pytest.mark.both_modes

INNER = record(("low", np.int64), ("row", np.int64, 3), ("word", np.uint64))
MIDDLE = record(("inner", INNER), ("mark", np.int64))
OUTER = record(
    ("first", np.int64),
    ("middle", MIDDLE),
    ("list", np.int64, 4),
    ("words", np.uint64, 2),
    ("inner", INNER),
    ("last", np.int64),
)


def numbered(dtype: np.dtype[Any]) -> Any:
    """A record whose words hold 1, 2, 3, …"""
    view = blank(dtype)
    words = view.data.cast("q")
    for i in range(len(words)):
        words[i] = i + 1
    return view


@kernel
def write_all(rec, value):
    """Write to every kind of field."""
    rec.first = value
    rec.middle.inner.low = value + 1
    rec.middle.inner.row[2] = value + 2
    rec.middle.mark = -value
    rec.list[0] += 5
    rec.inner.row[1] = rec.list[3]
    rec.last = len(rec.list) + len(rec.inner.row)


@kernel
def copy(target, source):
    copy_record(target, source)


@kernel
def copy_inner(target, source):
    copy_record(target.inner, source.middle.inner)


@kernel
def sum_of_words(rec):
    total = 0
    for i in range(n_words(rec)):
        total += word_of(rec, i)
    return total


@kernel
def write_each(records, n):
    for i in range(n):
        records[i].low = 10 * i


def test_fields_lie_one_behind_the_other() -> None:
    view = numbered(OUTER)
    assert view.first == 1
    assert view.middle.inner.low == 2
    assert list(view.middle.inner.row) == [3, 4, 5]
    assert view.middle.inner.word == 6
    assert view.middle.mark == 7
    assert list(view.list) == [8, 9, 10, 11]
    assert list(view.words) == [12, 13]
    assert view.inner.low == 14
    assert view.last == 19
    assert OUTER.itemsize == 19 * 8


def test_a_view_writes_into_the_array() -> None:
    memory: Any = allocate(OUTER, 3)
    view: Any = View.of(memory, 1)
    view.first = -5
    view.middle.inner.low = 2**62
    view.middle.inner.row[1] = -(2**63)
    view.middle.inner.word = 2**64 - 1
    view.words[1] = 2**63
    view.list[2] += 7
    assert memory["first"].tolist() == [0, -5, 0]
    assert memory["middle"]["inner"]["low"].tolist() == [0, 2**62, 0]
    assert memory["middle"]["inner"]["row"][1].tolist() == [0, -(2**63), 0]
    assert memory["middle"]["inner"]["word"].tolist() == [0, 2**64 - 1, 0]
    assert memory["words"][1].tolist() == [0, 2**63]
    assert memory["list"][1].tolist() == [0, 0, 7, 0]
    assert not memory[[0, 2]].tobytes().strip(b"\0")


def test_a_view_reads_what_the_array_holds() -> None:
    memory: Any = allocate(OUTER, 2)
    view: Any = View.of(memory, 1)
    memory["list"][1] = [1, -2, 3, -4]
    memory["middle"]["inner"]["word"][1] = 2**64 - 2
    assert list(view.list) == [1, -2, 3, -4]
    assert view.middle.inner.word == 2**64 - 2
    assert type(view.first) is int
    assert type(view.list[0]) is int
    assert len(view.list) == 4
    assert [*view.list[1:3]] == [-2, 3]


def test_a_view_refuses_what_does_not_fit() -> None:
    view: Any = blank(OUTER)
    with pytest.raises(IndexError):
        view.list[4] = 1
    with pytest.raises((ValueError, OverflowError)):
        view.first = 2**63
    with pytest.raises((ValueError, OverflowError)):
        view.words[0] = -1
    with pytest.raises(TypeError):
        view.first = 1.5
    assert not bytes(view.data).strip(b"\0")


def test_a_view_takes_only_fields_that_exist() -> None:
    view: Any = blank(OUTER)
    with pytest.raises(AttributeError):
        _ = view.frist
    with pytest.raises(AttributeError):
        view.frist = 1  # a slip of the pen must not go unnoticed


def test_a_view_shows_its_fields() -> None:
    assert repr(numbered(INNER)) == "View(low=1, row=[2, 3, 4], word=5)"


def test_kernels_take_views() -> None:
    view: Any = blank(OUTER)
    view.list[0], view.list[3] = 1, 9
    write_all(view, 40)
    assert (view.first, view.middle.inner.low, view.middle.inner.row[2]) == (40, 41, 42)
    assert (view.middle.mark, view.list[0], view.inner.row[1], view.last) == (-40, 6, 9, 7)
    inner = view.inner
    assert sum_of_words(inner) == 9


def test_kernels_take_views_and_memory_alike() -> None:
    view, other = blank(OUTER), blank(OUTER)
    write_all(view, 3)
    write_all(argument(other), 3)
    assert bytes(view.data) == bytes(other.data)


def test_kernels_take_arrays_of_records() -> None:
    memory: Any = allocate(INNER, 4)
    write_each(handle(memory), 4)
    assert memory["low"].tolist() == [0, 10, 20, 30]


def test_copy_of_a_record() -> None:
    source, target = numbered(OUTER), blank(OUTER)
    copy(target, source)
    assert bytes(target.data) == bytes(source.data)
    source.first = 100
    assert target.first == 1


def test_copy_of_a_record_within_another() -> None:
    source, target = numbered(OUTER), blank(OUTER)
    copy_inner(target, source)
    assert bytes(target.inner.data) == bytes(source.middle.inner.data)
    assert target.middle.mark == target.last == 0


def test_copy_of_one_record_over_itself() -> None:
    view, before = numbered(OUTER), numbered(OUTER)
    copy(view, view)
    assert bytes(view.data) == bytes(before.data)


def test_words_of_a_record() -> None:
    view = numbered(OUTER)
    assert sum_of_words(view) == sum(range(1, 20))
    assert sum_of_words(view.middle) == 2 + 3 + 4 + 5 + 6 + 7


def test_place_of_a_field() -> None:
    assert offset_of(OUTER, "first") == (0, 1)
    assert offset_of(OUTER, "middle") == (1, 7)
    assert offset_of(OUTER, "list") == (7, 11)
    assert offset_of(OUTER, "last") == (18, 19)


def test_helper_copies_a_view() -> None:
    view = numbered(OUTER)
    copy_of_it: Any = copied(view)
    copy_of_it.first = 7
    assert view.first == 1
