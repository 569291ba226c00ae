"""Intervals from influence: Student's where deals are alike, wider where few of them decide."""

from __future__ import annotations

import numpy as np
import pytest

from analysis.contrasts import paired_contrasts
from analysis.influence import Skewness, spreads
from analysis.intervals import quantile


def test_even_values_have_students_interval_and_rare_ones_a_wider() -> None:
    even = np.tile([1.0, -1.0], 50)
    rare = np.arange(100) < 4  # exact for four of Poisson's counts: 1.1 to 10.2
    se, width = spreads(np.column_stack([even, rare, np.zeros(100)]))
    assert se == pytest.approx([0.1, np.sqrt(0.04 * 0.96 / 99), 0], abs=0.001)
    assert width[[0, 2]] == pytest.approx(quantile(99), abs=0.02)
    assert 1.15 < width[1] / quantile(99) < 1.3
    assert 10 < 4 * np.exp(100 / 4 * width[1] * se[1]) < 13  # of the logarithm


def test_a_p_value_reaches_five_percent_where_the_interval_ends() -> None:
    skewness = Skewness.of(np.random.default_rng(1).exponential(size=(30, 3)) ** 2)
    width = np.array([0.0, 1.96, 5.0])
    assert skewness.reduced(-width - skewness.shortfall(width)) == pytest.approx(-width, abs=1e-9)


def test_a_difference_seen_on_one_deal_is_not_called_small_nor_large() -> None:
    first = (np.arange(40) == 7)[:, None] * 1.0
    found, _ = paired_contrasts(first, 0 * first, 2.0)
    low, high = found.interval() or (0, 0)
    assert low < 0 and high > 4 / 40
    assert found.p_within(0.05) > 0.05 < found.p_beyond(0.0)
