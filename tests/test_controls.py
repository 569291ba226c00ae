"""What designs save, on planted variances."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.controls import Controlled, controlled, differences, duplicate_factor, hands_of
from sim.core.game import Words
from sim.reading import from_flags
from tests.made_matches import made_matches
from tests.validation_comparison import holds


def test_the_factor_of_the_duplicate_design_is_planted() -> None:
    random = np.random.default_rng(1)
    hand = random.standard_normal((4_000, 1, 1)) * np.array([[[1.0, -1.0]]])  # cancels in a deal
    games = (hand + random.standard_normal((4_000, 1, 2)))[:, 0]
    found = duplicate_factor(games)
    assert found is not None and found.low is not None and found.high is not None
    assert found.low < 2.0 < found.high < found.low + 0.4
    same = duplicate_factor(np.repeat(random.standard_normal((4_000, 1)), 4, axis=1))
    assert same is not None and same.mean == pytest.approx(1 / 4, abs=1e-3)
    alone = duplicate_factor(random.standard_normal((4_000, 3)))
    assert alone is not None and alone.low is not None and alone.high is not None
    assert alone.low < 1 < alone.high
    assert duplicate_factor(np.tile([1.0, -1.0], (9, 1))) is None  # every deal the same
    assert duplicate_factor(np.ones((9, 2)) * np.eye(9)[:, :1]) is None  # every deal but one
    assert duplicate_factor([[1.0, 2.0], [0.0, 0.0]]) is None
    assert duplicate_factor([[1.0], [2.0], [4.0]]) is None


def test_differences_of_a_line_up() -> None:
    games = made_matches([0, 1], [(0, 0, 1), (0, 1, 1)], 200)
    found = differences(games, "s1", "s0", 1)
    assert found.shape == (200, 3)
    assert set(np.unique(found)) <= {-1.0, 0.5}
    assert found.mean() == pytest.approx(-differences(games, "s0", "s1", 1).mean())
    with pytest.raises(ValueError, match="s1 does not play in 3 s0"):
        differences(made_matches([0, 1], [(0, 0, 0), (0, 0, 1)], 5), "s0", "s1", 0)


def planted(random: np.random.Generator, deals: int, weight: float) -> Controlled:
    controls = random.standard_normal((deals * 11, 4))
    values = 0.1 + weight * controls[:deals, 0] + random.standard_normal(deals)
    found = controlled(
        values,
        np.column_stack([controls[:deals], np.ones(deals)]),
        np.column_stack([controls[deals:], np.ones(deals * 10)]),
    )
    assert isinstance(found, Controlled)
    return found


def test_controls_take_off_what_they_foretell_and_leave_the_mean() -> None:
    random = np.random.default_rng(2)
    found = [planted(random, 400, 1.0) for _ in range(300)]
    assert np.mean([one.controlled.mean for one in found]) == pytest.approx(0.1, abs=0.01)
    kept = [holds(one.controlled, 0.1) for one in found]
    assert 0.91 < np.mean(kept) < 0.99
    true = np.var([one.plain.mean for one in found]) / np.var(
        [one.controlled.mean for one in found]
    )
    seen = np.mean([one.factor.mean for one in found])
    assert seen == pytest.approx(2 / 1.1, abs=0.1) and true == pytest.approx(seen, rel=0.35)
    assert found[0].controls == 4  # the constant one tells nothing


def test_controls_that_foretell_nothing_save_nothing() -> None:
    none = planted(np.random.default_rng(3), 2_000, 0.0)
    assert none.factor.mean == pytest.approx(1.0, abs=0.02)
    hands, random = np.arange(99.0)[:, None], np.random.default_rng(4)
    for told, words in (
        (controlled([1.0, 2.0], np.ones((2, 1)), np.ones((9, 1))), "do not vary"),
        (controlled(np.zeros(90), hands[:90], hands), "do not vary"),
        (controlled(np.eye(90)[7], hands[:90], hands), "do not vary"),
        (controlled(random.normal(size=19), hands[:19], hands), "20 deals, and 19 were played"),
    ):
        assert isinstance(told, Words) and words in told.en


def test_hands_come_with_their_deals() -> None:
    flags = {"game": "schadenfreude", "players": "3", "strategies": "lowest", "seed": "1"}
    found = hands_of(from_flags({**flags, "deals": "30"}), 2)
    assert found is not None
    held, further = found
    assert len(held) == 30 and len(further) == 60
    again = hands_of(from_flags({**flags, "deals": "40"}), 0)
    assert again is not None and (held == again[0][:30]).all()
    assert (
        hands_of(
            from_flags({**flags, "game": "cocktail_poison", "strategies": "uniform", "deals": "5"})
        )
        is None
    )
