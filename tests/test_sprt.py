"""The sequential test: its ratio against another way, its looks, its errors, and odd cases."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from analysis.sprt import FIRST_LOOK, OVER, Course, Decision, Sprt, _log_likelihood

Array = np.ndarray[Any, Any]


def shares(random: np.random.Generator, deals: int, chance: float) -> Array:
    """Win share of one strategy, four games a deal that are alike."""
    return random.binomial(4, random.beta(3 * chance, 3 * (1 - chance), deals)) / 4


def held(test: Sprt, advantage: float, seed: int, fair: float = 0.25) -> Course:
    won = shares(np.random.default_rng(seed), test.most, fair + advantage)
    return test.course(won, np.full(len(won), fair))


def test_the_likelihood_is_that_of_the_likeliest_distribution() -> None:
    scores, times = np.array([-0.25, 0.0, 0.25, 0.75]), np.array([40, 30, 20, 10])
    mean = 0.1
    found = optimize.minimize(
        lambda p: -(times * np.log(p)).sum(),
        times / 100,
        bounds=[(1e-6, 1)] * 4,
        constraints=[
            {"type": "eq", "fun": lambda p: p.sum() - 1},
            {"type": "eq", "fun": lambda p: p @ scores - mean},
        ],
        options={"ftol": 1e-14},
    )
    best = -found.fun - (times * np.log(times / 100)).sum()
    assert _log_likelihood(scores, times, mean) == pytest.approx(best, abs=0.02)  # of the ends
    assert _log_likelihood(scores, times, float(scores @ times) / 100) == pytest.approx(0, abs=0.01)
    assert _log_likelihood(scores, times, 0.9) < -100  # beyond all that was seen, but no infinity


def test_looks_are_fixed_and_end_at_the_cap() -> None:
    test = Sprt(0.0, 0.01)
    looks = list(test.looks())
    assert looks[0] == FIRST_LOOK and looks[-1] == test.most == 4 * test.planned
    assert all(a < b for a, b in pairwise(looks))
    assert list(Sprt(0.0, 0.01, cap=50).looks()) == [50]


def test_a_clear_advantage_is_said_early_and_what_that_bends() -> None:
    test = Sprt(0.0, 0.03)
    for advantage, decision in ((0.05, Decision.HIGH), (-0.02, Decision.LOW)):
        found = held(test, advantage, 1)
        last = found.looks[-1]
        assert found.decision == decision and last.deals < test.most and found.next is None
        assert found.bends is not None and "too far from the middle" in found.bends.en
        assert last.low is not None and last.high is not None and last.low < advantage < last.high
    assert held(Sprt(0.0, 0.01, cap=500), 0.005, 2).decision == Decision.CAP


def test_more_deals_go_on_where_fewer_ended() -> None:
    test, random = Sprt(0.0, 0.02), np.random.default_rng(4)
    won = shares(random, test.most, 0.26)
    some = test.course(won[:500], np.full(500, 0.25))
    assert some.decision == Decision.OPEN and some.next is not None and some.next > 500
    whole = test.course(won, np.full(len(won), 0.25))
    assert whole.looks[: len(some.looks)] == some.looks
    assert some.bends is None


def test_after_the_first_look_bounds_lie_nearer_by_what_a_step_oversteps() -> None:
    test = Sprt(0.0, 0.02)
    found = held(test, 0.01, 3)
    first, second = found.looks[:2]
    assert (first.lower, first.upper) == test.bounds
    step = 0.02 / (second.se * second.deals**0.5) * (second.deals - first.deals) ** 0.5
    assert second.upper == pytest.approx(test.bounds[1] - OVER * step)
    assert second.lower == pytest.approx(test.bounds[0] + OVER * step)


def test_errors_are_as_rare_as_promised() -> None:
    test, n = Sprt(0.0, 0.06), 400
    for truth, wrong in ((0.0, Decision.HIGH), (0.06, Decision.LOW)):
        said = [held(test, truth, seed).decision for seed in range(n)]
        assert said.count(wrong) / n <= 0.05 + 3 * np.sqrt(0.05 * 0.95 / n)
        assert said.count(Decision.ODD) == 0


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        (np.zeros(300), np.zeros(300), "nobody ever won"),
        (np.tile([0.25, 0.5], 150), np.tile([0.25, 0.5], 150), "both did the same on every deal"),
        (np.full(300, 0.25), np.full(300, 0.25), "both did the same"),
    ],
)
def test_odd_cases_are_told_in_words(first: Array, second: Array, words: str) -> None:
    found = Sprt(0.0, 0.02).course(first, second)
    assert found.decision == Decision.ODD and found.reason.en.startswith(words)
    assert found.looks[-1].ratio is None and found.looks[-1].low is None
    assert found.next is None


def test_one_that_never_wins_against_others_that_vary_is_tested() -> None:
    others = shares(np.random.default_rng(5), 400, 0.3)
    assert Sprt(0.0, 0.02).course(np.zeros(400), others).decision == Decision.LOW


@pytest.mark.parametrize(
    ("own", "other", "decision"), [(0.0, 0.25, Decision.LOW), (1.0, 1 / 3, Decision.HIGH)]
)
def test_one_that_never_or_always_wins_is_told_without_variance(
    own: float, other: float, decision: Decision
) -> None:
    found = Sprt(0.0, 0.04).course(np.full(300, own), np.full(300, other))
    (look,) = found.looks
    assert found.decision == decision and look.deals == FIRST_LOOK and look.se == 0
    assert look.low is not None and look.high is not None
    assert look.low < own - other < look.high and 0.02 < look.high - look.low < 0.1


def test_never_winning_is_no_answer_before_it_would_be_odd() -> None:
    few = Sprt(0.0, 0.005).course(np.zeros(200), np.full(200, 0.05))  # a win may be that rare
    assert few.decision == Decision.OPEN


@pytest.mark.parametrize("how", [(0.1, 0.1), (0.2, 0.1), (-1, 0), (0, 0.1, 0.0), (0, 0.1, 0.05, 1)])
def test_contradictions_are_refused(how: tuple[float, ...]) -> None:
    with pytest.raises(ValueError, match=r"LOW must be below|error rates"):
        Sprt(*how)
