"""Rule switches: what they take, from a file or from the command line, and what they refuse."""

from __future__ import annotations

from typing import Any

import pytest

from sim.core.game import Switch, Words

NO_WORDS = Words("", "")
SET = Switch("removed", [1], NO_WORDS, low=-2, high=9, is_list=True)
ORDER = Switch(
    "layout", "even", NO_WORDS, words=("even",), low=0, high=1, is_list=True, lengths=(2, 4)
)
MATRIX = Switch(
    "deck", "all", NO_WORDS, words=("all",), low=0, high=3, is_list=True, lengths=(4,), columns=2
)


@pytest.mark.parametrize(
    ("switch", "value", "parsed"),
    [
        (SET, "9,-2, 9", [-2, 9]),  # a set: sorted, each number once
        (SET, "", []),
        (SET, [3, 1], [1, 3]),
        (ORDER, "even", "even"),
        (ORDER, "1,0,0,1", [1, 0, 0, 1]),  # in this order
        (ORDER, (0, 0), [0, 0]),
        (MATRIX, "all", "all"),
        (MATRIX, "0,1,2,3", [[0, 1], [2, 3]]),
        (MATRIX, "[0, 1],[2, 3]", [[0, 1], [2, 3]]),
        (MATRIX, [[0, 1], [2, 3]], [[0, 1], [2, 3]]),
    ],
)
def test_what_a_list_switch_takes(switch: Switch, value: Any, parsed: Any) -> None:
    assert switch.parse(value) == parsed
    assert switch.parse(parsed) == parsed


@pytest.mark.parametrize(
    ("switch", "value", "allowed"),
    [
        (SET, "10", "a list of integers -2..9, or nothing"),
        (ORDER, "0,1,0", "even, a list of 2 or 4 integers 0..1"),
        (ORDER, "0,2", "even, a list of 2 or 4 integers 0..1"),
        (ORDER, "odd", "even, a list of 2 or 4 integers 0..1"),
        (ORDER, [[0, 1]], "even, a list of 2 or 4 integers 0..1"),
        (MATRIX, "0,1,2", "all, a list of 4 integers 0..3, in rows of 2 or without rows"),
        (
            MATRIX,
            [[0, 1], [2, "x"]],
            "all, a list of 4 integers 0..3, in rows of 2 or without rows",
        ),
        (MATRIX, [[0], [1, 2, 3]], "all, a list of 4 integers 0..3, in rows of 2 or without rows"),
        (MATRIX, [[0, 1], 2, 3], "all, a list of 4 integers 0..3, in rows of 2 or without rows"),
    ],
)
def test_what_a_list_switch_refuses(switch: Switch, value: Any, allowed: str) -> None:
    with pytest.raises(ValueError, match="is not allowed") as told:
        switch.parse(value)
    assert str(told.value).endswith(f"allowed: {allowed}")
