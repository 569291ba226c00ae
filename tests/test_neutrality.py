"""What a hand explains and what its cards do: slow formulas, hands that say nothing, verdicts."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis.fairness import Verdict, judge
from analysis.moments import paired_difference
from analysis.multiplicity import benjamini_hochberg
from analysis.neutrality import changes, effect_changes, effects, estimates, explained
from tests.made_runs import Array
from tests.validation import Dealt, hands_of

HELD = np.array([[0, 2, 1], [1, 1, 1], [2, 0, 1], [1, 2, 1], [0, 1, 1], [2, 2, 1], [1, 0, 1]])
VALUES = np.array([[3, 5], [4, 4], [9, 6], [1, 8], [2, 0], [7, 7], [5, 3]])
OTHERS = VALUES[::-1] + HELD[:, :1]


def share(values: Array) -> float:
    """By the table of an analysis of variance (Donner 1986)."""
    n, m = values.shape
    means = values.mean(axis=1)
    between = m * ((means - values.mean()) ** 2).sum() / (n - 1)
    within = ((values - means[:, None]) ** 2).sum() / (n * (m - 1))
    return float((between - within) / (between + (m - 1) * within))


def left_out(values: Array) -> Array:
    return np.array([share(np.delete(values, hand, axis=0)) for hand in range(len(values))])


def test_the_share_is_that_of_the_analysis_of_variance_and_its_error_the_jackknife() -> None:
    found = explained(VALUES, OTHERS)
    assert found is not None and found.se is not None
    assert found.mean == pytest.approx([share(VALUES), share(OTHERS)])
    n = len(VALUES)
    for values, se in zip((VALUES, OTHERS), found.se, strict=True):
        assert se == pytest.approx(np.sqrt(n - 1) * left_out(values).std())
    change = changes(found)
    assert change.estimate == pytest.approx([share(OTHERS) - share(VALUES)])
    apart = left_out(OTHERS) - left_out(VALUES)
    assert change.se == pytest.approx([np.sqrt(n - 1) * apart.std()])
    assert paired_difference(found).difference.se == pytest.approx(change.se)


def test_effects_are_slopes_with_hc3() -> None:
    for found, held in zip(effects(VALUES, HELD), HELD.T[:2], strict=False):
        assert found is not None
        x = np.column_stack([np.ones(7), held])
        y = VALUES.mean(axis=1)
        inverse = np.linalg.inv(x.T @ x)
        slope = inverse @ x.T @ y
        rest = (y - x @ slope) / (1 - np.diag(x @ inverse @ x.T))
        hc3 = inverse @ (x.T * rest**2) @ x @ inverse
        estimate = found.estimate
        assert estimate.mean == pytest.approx(slope[1])
        assert estimate.se == pytest.approx(np.sqrt(hc3[1, 1] * 7 / 6))
        assert (estimate.deals, estimate.games) == (7, 14)
        assert estimate.low is not None and estimate.se is not None
        half = stats.t.ppf(0.975, 6) * estimate.se
        assert estimate.mean - estimate.low == pytest.approx(half, rel=1e-3)
        assert found.p == pytest.approx(2 * stats.t.sf(abs(slope[1] / estimate.se), 6))


def test_the_list_is_adjusted_for_the_traits_that_tell_something() -> None:
    one, other, never = effects(VALUES, HELD)
    assert never is None
    assert one is not None and other is not None
    assert [one.q, other.q] == pytest.approx(benjamini_hochberg([one.p, other.p]))


def test_a_change_of_effects_is_of_the_difference_hand_by_hand() -> None:
    """With equal hands on both sides it is the effect on the difference of the results."""
    found = effect_changes((VALUES, HELD), (OTHERS, HELD))
    plain = effects(OTHERS.mean(axis=1)[:, None] - VALUES.mean(axis=1)[:, None], HELD)
    for change, effect in zip(found[:2], plain[:2], strict=True):
        assert change is not None and effect is not None
        assert change.estimate.mean == pytest.approx(effect.estimate.mean)
        assert change.estimate.se == pytest.approx(effect.estimate.se)
        assert (change.p, change.q) == pytest.approx((effect.p, effect.q))
        assert change.estimate.games == 28
    assert found[2] is None


def test_a_card_is_noticed_after_the_games_that_are_told() -> None:
    """Hands played once, as at home; luck is skewed, and larger with more of the first kind."""
    random = np.random.default_rng(7)
    rules = Dealt((0.6, 0.0, 0.0, 0.2)), Dealt((0.1, 0.0, 0.0, 0.2))
    both, held = [], []
    for _ in range(20):
        values, traits = hands_of(rules, random)
        both.append(values)
        held.append(traits)
    first, second = (np.concatenate([one[i] for one in both]) for i in (0, 1))
    traits = np.concatenate(held)
    effect = effects(first, traits)[0]
    change = effect_changes((first, traits), (second, traits))[0]
    assert effect is not None and change is not None
    for found, played in ((effect, (first,)), (change, (second, first))):
        games = found.notice
        assert games is not None and 20 < games < 5000
        seen = [noticed(played, traits, games, random) for _ in range(400)]
        assert 0.72 < np.mean(seen) < 0.88


def noticed(played: tuple[Array, ...], traits: Array, games: int, random: Any) -> bool:
    """Whether a two-sided test at home sees the slope, or how much the first exceeds the second."""
    slopes, squares = [], []
    for values in played:
        at = random.integers(len(values), size=games)
        x = traits[at, 0] - traits[at, 0].mean()
        y = values[at, random.integers(values.shape[1], size=games)]
        slope = x @ (y - y.mean()) / (x @ x)
        slopes.append(slope)
        squares.append((x**2 * (y - y.mean() - slope * x) ** 2).sum() / (x @ x) ** 2)
    apart = slopes[0] - slopes[1] if len(slopes) > 1 else slopes[0]
    return bool(abs(apart) > 1.96 * np.sqrt(sum(squares)))


def test_a_trait_that_only_one_variant_has_has_no_change() -> None:
    without = HELD * [1, 0, 1]
    one, gone, never = effect_changes((VALUES, HELD), (OTHERS, without))
    assert one is not None
    assert gone is None and never is None


@pytest.mark.parametrize("held", [np.zeros(7), np.ones(7), np.eye(7)[2], 1 - np.eye(7)[2]])
def test_a_trait_that_is_the_same_in_all_hands_but_one_tells_nothing(held: Array) -> None:
    assert effects(VALUES, held[:, None]) == [None]


def test_a_result_that_never_varies_tells_nothing() -> None:
    same = np.full((7, 3), 0.1)
    assert effects(same, HELD) == [None] * 3
    assert explained(same) is None
    assert explained(VALUES, same) is None
    alone = same.copy()
    alone[3] = 5  # without this hand nothing varies
    assert explained(alone) is None
    assert effects(VALUES[:2], HELD[:2]) == [None] * 3  # a line through two points has no error


def test_hands_that_decide_everything_and_nothing() -> None:
    everything = np.repeat(np.arange(50.0)[:, None], 4, axis=1)
    found = explained(everything)
    assert found is not None
    assert found.mean == pytest.approx([1.0])
    nothing = explained(np.random.default_rng(1).standard_normal((4000, 8)))
    assert nothing is not None
    (estimate,) = estimates(nothing, games=32_000)
    assert estimate.low is not None and estimate.high is not None
    assert estimate.low < 0 < estimate.high < 0.02
    assert (estimate.deals, estimate.games) == (4000, 32_000)


def test_equal_rules_are_never_called_different() -> None:
    found = explained(VALUES, VALUES)
    assert found is not None
    assert judge(changes(found), 0.1).verdict == Verdict.INCONCLUSIVE  # no spread, no claim
    assert effect_changes((VALUES, HELD), (VALUES, HELD)) == [None] * 3


def test_a_verdict_on_the_change() -> None:
    same, more = Dealt((0.5, -0.3, 0.0, 0.2)), Dealt((0.9, -0.3, 0.2, 0.0), own=1.0)
    random = np.random.default_rng(5)
    said = []
    for other in (same, more):
        (first, second), _ = hands_of((same, other), random)
        (_, apart), _ = hands_of((same, other), random)  # on other deals, so not the very same
        found = explained(first, apart if other is same else second)
        assert found is not None
        said.append(judge(changes(found), 0.08 if other is same else 0.02).verdict)
    assert said == [Verdict.FAIR, Verdict.UNFAIR]


def test_what_is_no_table_of_hands() -> None:
    with pytest.raises(ValueError, match="three hands and two redraws"):
        explained(VALUES[:, :1])
    with pytest.raises(ValueError, match="three hands and two redraws"):
        explained(VALUES[:2])
    with pytest.raises(ValueError, match="same hands"):
        explained(VALUES, VALUES[:5])
    with pytest.raises(ValueError, match="same hands"):
        explained()
    with pytest.raises(ValueError, match="not empty"):
        explained(VALUES[:0])
    with pytest.raises(ValueError, match="no finite"):
        explained(np.where(VALUES == 9, np.nan, VALUES))
    with pytest.raises(ValueError, match="7 hands, and traits of 5"):
        effects(VALUES, HELD[:5])
    with pytest.raises(ValueError, match="same hands and traits"):
        effect_changes((VALUES, HELD), (VALUES, HELD[:, :2]))
