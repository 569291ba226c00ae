"""Searches among many candidates: by hand, on cells, and against planted truth."""

from __future__ import annotations

import math
import time
from collections.abc import Mapping, Sequence
from dataclasses import astuple, replace
from typing import Any

import numpy as np
import pytest

from analysis import criteria
from analysis.contrasts import contrasts
from analysis.criteria import Criterion, Difference, Goal, Measured, difference
from analysis.moments import Moments
from analysis.power import games_to_notice
from analysis.search import (
    Candidate,
    Confirmation,
    Rank,
    Stage,
    Standing,
    confirm,
    front,
    generate,
    measure,
    ranks,
)
from analysis.winshares import contrast, estimate, game_estimate
from sim.core.game import Words
from sim.results import Cell
from tests.made_runs import LANTERNS, totals

WORDS = Words("a criterion", "标准")


def cell(
    lineup: Sequence[str] = ("steady",) * 3, seed: int = 5, deals: int = 400, **how: Any
) -> Cell:
    return Cell("x", tuple(lineup), 3, totals(deals, len(lineup), 3, seed, **how))


def cumulated(chance: float, low: int = 0, high: int = 9) -> Sequence[float]:
    """True shares up to 0 ... 9 of what is binomial, moved into low ... high."""
    known = np.cumsum([math.comb(9, k) * chance**k * (1 - chance) ** (9 - k) for k in range(10)])
    return [0.0] * low + [*known[low:high], 1.0] + [1.0] * (9 - high)


def shares(chance: float, deals: int = 400, seed: int = 5, low: int = 0, high: int = 9) -> Moments:
    """The same of nine results a deal, in part alike."""
    random = np.random.default_rng(seed)
    luck = np.where(
        random.random((deals, 9)) < 0.3, random.random((deals, 1)), random.random((deals, 9))
    )
    known = np.array(cumulated(chance, low, high))
    return Moments.from_values((luck[..., None] < known).mean(axis=1))


def criterion(name: str, goal: Goal = "least", margin: float = 0.1) -> Criterion:
    return Criterion(name, WORDS, goal, margin, False, lambda cells: pytest.fail(str(cells)))


def made(value: float, se: float = 0.01, deals: int = 1000) -> Measured:
    """A mean as it is."""
    moments = Moments(deals, np.array([value]), np.array([[deals * se**2]]))
    return Measured(contrasts(moments, [[1]], span=None), False, deals, deals, deals * se**2)


def stage(values: Mapping[str, Sequence[float]], *goals: Goal, se: float = 0.01) -> Stage:
    """A confirmation of candidates with these values; the first one is the reference."""
    asked = tuple(criterion(f"c{k}", goal) for k, goal in enumerate(goals))
    rows = tuple(tuple(made(value, se) for value in row) for row in values.values())
    candidates = tuple(Candidate(name, tuple(range(len(name)))) for name in values)
    return Stage("confirmation", asked, candidates, 0, rows)


# Candidates


def test_all_subsets_have_names_and_an_order() -> None:
    numbers = [*range(1, 10), -1, -2, -3]
    found = generate(numbers, (0, 1, 2, 3))
    assert len(found) == 1 + 12 + 66 + 220 == len({one.name for one in found})
    assert [one.name for one in found[:3]] == ["none", "-3", "-2"]
    assert found[0].values == () and found[-1] == Candidate("7,8,9", (7, 8, 9))
    assert Candidate("-2,-1,9", (-2, -1, 9)) in found
    assert generate(reversed(numbers), (0, 1, 2, 3)) == found
    assert generate([1], [2]) == ()


# Ranks and the front


def test_ranks_by_hand() -> None:
    values = np.array([3.0, 1.0, 2.0, 2.0, 9.0])
    found = ranks(values, values - [0.1, 0.1, 0.1, 1.5, 0.1], values + 0.6, "least")
    assert found.rank.tolist() == [4, 1, 2, 2, 5]
    assert found.best.tolist() == [4, 1, 2, 1, 5]  # the fourth may be as low as 0.5
    assert found.worst.tolist() == [4, 2, 3, 3, 5]
    most = ranks(-values, -values - 0.6, -values + [0.1, 0.1, 0.1, 1.5, 0.1], "most")
    assert [most.rank.tolist(), most.best.tolist(), most.worst.tolist()] == [
        found.rank.tolist(),
        found.best.tolist(),
        found.worst.tolist(),
    ]


def test_the_front_by_hand() -> None:
    costs = [[1, 5], [2, 2], [2, 2], [2, 3], [5, 1], [5, 2], [1, 6]]
    assert front(costs).tolist() == [True, True, True, False, True, False, False]


def test_the_front_is_what_its_definition_says() -> None:
    costs = np.random.default_rng(1).integers(0, 5, (60, 3))
    beaten = [any((other <= own).all() and (other < own).any() for other in costs) for own in costs]
    assert front(costs).tolist() == [not one for one in beaten]


def test_the_reference_is_ranked_among_all_and_among_its_size() -> None:
    found = stage({"ab": [2.0], "cd": [1.0], "x": [0.5], "y": [2.005]}, "least")
    assert found.reference_rank(0) == Rank(3, 3, 4, 4)
    assert found.reference_rank(0, same_size=True) == Rank(2, 2, 2, 2)
    assert [int(one) for one in found.ranks[0].rank] == [3, 2, 1, 4]


# Finalists


def test_finalists_by_the_rule() -> None:
    values = {
        "reference": [5.0, 5.0],
        "left": [0.0, 1.0],
        "far left": [0.0, 9.0],
        "right": [9.0, 9.5],
        "middle": [2.0, 8.0],
        "beaten": [2.5, 7.5],
    }
    found = stage(values, "least", "most")
    assert found.on_front.tolist() == [False, False, True, True, False, False]
    names = [[one.name for one in found.finalists(k)] for k in (0, 1, 2, 3)]
    assert names[0] == ["reference", "far left", "right"]  # of equal ones that near the ideal
    assert names[1:] == [names[0]] * 3
    chosen = [one.name for one in found.finalists(1, ["beaten", "right"])]
    assert chosen == ["reference", "right", "beaten", "far left"]
    wide = stage(values | {"near": [0.5, 9.2], "twin": [0.5, 9.2]}, "least", "most")
    names = [[one.name for one in wide.finalists(k)] for k in (1, 2, 3)]
    assert names[0] == ["reference", "far left", "right"]
    assert names[1] == [*names[0], "near"]  # the first of two equal ones
    assert names[2] == [*names[1], "twin"]


def test_units_do_not_matter_and_equal_criteria_do_not_count() -> None:
    values = np.random.default_rng(2).normal(size=(30, 2))
    rows = {f"c{i}": [a, b, 3.0] for i, (a, b) in enumerate(values)}
    scaled = {name: [1000 * a, b / 50, 3.0] for name, (a, b, _) in rows.items()}
    here, there = (stage(one, "least", "most", "least") for one in (rows, scaled))
    assert here.distances == pytest.approx(there.distances)
    assert here.finalists(4) == there.finalists(4)
    assert len(here.finalists(4)) <= 1 + 3 + 4


# Kinds of criteria


def test_places_are_the_largest_of_all_pairs() -> None:
    one = cell(place=(0.3, 0.0, 0.1))
    found = criteria.places(one, LANTERNS)
    lower, upper = (
        [
            contrast(one, LANTERNS, "place", "win_share", (a,), (b,), level)
            for a, b in ((0, 1), (0, 2), (1, 2))
        ]
        for level in (1 - 0.05 / 6, 0.95)
    )
    assert found.value == pytest.approx(max(abs(pair.mean) for pair in upper))
    low, high = found.interval()
    least = [abs(p.mean) - ((p.high or 0) - p.mean) for p in lower]
    assert low == pytest.approx(max(0, *least), rel=1e-3)
    assert high == pytest.approx(max(abs(p.mean) + (p.high or 0) - p.mean for p in upper), rel=1e-3)
    assert (found.deals, found.games) == (400, 1200)
    assert criteria.places(cell(), LANTERNS).interval()[0] == 0.0


def test_a_gap_is_the_first_strategy_less_the_last() -> None:
    one = cell(("best", "good", "plain", "plain"), strength=(1, 0.5, 0, 0))
    known = contrast(one, LANTERNS, "strategy", "win_share", (0,), (2, 3))
    found = criteria.gap(one, LANTERNS)
    assert found.value == pytest.approx(known.mean)
    assert found.interval() == pytest.approx((known.low, known.high), rel=1e-3)
    with pytest.raises(ValueError, match="contrast"):
        criteria.gap(cell(), LANTERNS)


def test_a_mean_and_its_distance_from_a_target() -> None:
    here, there = cell(nobody=0.1), cell(("steady",) * 4, 6, 900)
    known = [game_estimate(one, LANTERNS, "nobody") for one in (here, there)]
    plain = criteria.mean(here, LANTERNS, "nobody")
    assert plain.value == pytest.approx(known[0].mean)
    away = criteria.mean(here, LANTERNS, "nobody", there)
    assert away.value == pytest.approx(abs(known[0].mean - known[1].mean))
    assert away.found.se == pytest.approx(math.hypot(*(one.se or 0 for one in known)))
    assert away.shared == pytest.approx(np.array([[(known[1].se or 0) ** 2]]))
    score = criteria.mean(here, LANTERNS, "score")
    assert score.value == pytest.approx(estimate(here, LANTERNS, "seat", "score", range(3)).mean)


def test_a_distribution_is_held_against_a_target() -> None:
    here, there = shares(0.5), shares(0.4, deals=900, seed=6)
    found = criteria.distribution(here, there, 1200)
    apart = abs(here.mean - there.mean)
    assert found.value == pytest.approx(apart.max())
    low, high = found.interval()
    assert here.se is not None and there.se is not None
    half = np.hypot(here.se, there.se)
    assert low == pytest.approx((apart - 3.03 * half).max(), rel=0.01)  # one in 20 x 20
    assert high == pytest.approx((apart + 1.966 * half).max(), rel=0.01)  # one in 20
    assert (found.deals, found.games) == (400, 1200)
    same = criteria.distribution(here, here, 1200)
    assert same.value == 0.0 and same.interval()[0] == 0.0 < same.interval()[1]


def test_results_that_never_vary_leave_doubt() -> None:
    still = Moments.from_values(np.tile([0.0, 0.0, 1.0, 1.0], (100, 1)))
    found = criteria.distribution(still, still, 300)
    assert found.value == 0.0 and 0.0 < found.interval()[1] <= 1.0


def test_all_candidates_are_held_against_the_target_at_the_same_values() -> None:
    """Also where one is seen lower or higher; the curves are farthest apart within."""
    there = shares(0.5, low=3, high=6)
    wide, narrow = (
        criteria.distribution(shares(0.5, low=low, high=high), there, 1)
        for low, high in ((0, 9), (4, 5))
    )
    assert len(wide.found.estimate) == len(narrow.found.estimate)
    apart = shares(0.5, low=0, high=9).mean - there.mean
    assert wide.value == pytest.approx(abs(apart).max())


def test_two_distances_differ_by_as_much_as_their_deals_tell() -> None:
    """The error of the target, which is large here, counts only as far as it differs."""
    there = shares(0.5, deals=60, seed=9)
    here = [shares(chance, deals=4000, seed=seed) for seed, chance in ((1, 0.75), (2, 0.8))]
    both = [criteria.distribution(one, there, 1) for one in here]
    value, low, high, _ = astuple(difference(both[1], both[0]))
    assert value == pytest.approx(both[1].value - both[0].value)
    assert high - low < 0.5 * sum(top - bottom for bottom, top in (one.interval() for one in both))
    true = [max(abs(np.subtract(cumulated(one), cumulated(0.5)))) for one in (0.75, 0.8)]
    assert low <= true[1] - true[0] <= high


@pytest.mark.parametrize("kind", ["places", "gap", "mean", "target", "distribution"])
def test_one_deal_says_nothing(kind: str) -> None:
    one, target = cell(("best", "plain", "plain"), deals=1), cell(deals=50)
    found = {
        "places": lambda: criteria.places(one, LANTERNS, "score"),
        "gap": lambda: criteria.gap(one, LANTERNS, "score"),
        "mean": lambda: criteria.mean(one, LANTERNS, "score"),
        "target": lambda: criteria.mean(one, LANTERNS, "score", target),
        "distribution": lambda: criteria.distribution(shares(0.5, deals=1), shares(0.5), 1),
    }[kind]()
    assert math.isfinite(found.value)
    low, high = found.interval()
    assert low in (-math.inf, 0.0) and high in (math.inf, 1.0)
    assert difference(found, found) == Difference(0.0, -math.inf, math.inf, math.inf)
    both = Stage("screening", (criterion("c"),), generate([1, 2], [1]), 0, ((found,), (found,)))
    assert both.reference_rank(0) == Rank(1, 1, 2, 2)
    assert both.frame()[["low", "high"]].isin([math.inf, -math.inf]).sum().sum() == 0


# Differences


def test_means_differ_with_the_variance_of_both() -> None:
    found = difference(made(2.0, 0.03), made(1.5, 0.04))
    known = (0.5, 0.5 - 1.962 * 0.05, 0.5 + 1.962 * 0.05, 0.05)
    assert astuple(found) == pytest.approx(known, rel=1e-3)
    assert difference(made(1.5, 0.04), made(2.0, 0.03)).low == pytest.approx(-found.high)


def test_a_clear_distance_differs_like_its_largest_mean() -> None:
    def distance(*values: float, se: float = 0.01) -> Measured:
        moments = Moments(1000, np.array(values), 1000 * se**2 * np.eye(len(values)))
        return Measured(contrasts(moments, np.eye(len(values))), True, 1000, 1000, 1.0)

    found = difference(distance(0.1, -0.9, 0.2), distance(0.4, 0.0, 0.1))
    value, low, high, se = astuple(found)
    assert se == pytest.approx(0.01 * math.sqrt(2))
    half = 2.64 * 0.01 * math.sqrt(2)  # one in 20 x 6
    assert value == pytest.approx(0.5)
    assert (value - low, high - value) == pytest.approx((half, half), rel=0.01)
    both = [one.interval(0.975) for one in (distance(0.1, -0.9, 0.2), distance(0.4, 0.0, 0.1))]
    assert high - low < both[0][1] - both[0][0] + both[1][1] - both[1][0]
    same = difference(distance(0.3, -0.3), distance(0.3, -0.3))
    assert same.mean == 0.0 and same.low == pytest.approx(-same.high)


def test_a_common_target_does_not_count_where_it_cancels() -> None:
    target = cell(("steady",) * 4, 6, 30)  # few deals: its error is large
    here, there = (
        criteria.mean(cell(seed=seed, deals=4000, strength=(s,) * 3), LANTERNS, "score", target)
        for seed, s in ((1, 2.0), (2, 2.5))
    )
    found = difference(here, there)
    assert found.high - found.low < 0.5 * (here.interval()[1] - here.interval()[0])


def test_common_deals_narrow_a_difference() -> None:
    random = np.random.default_rng(4)
    both = random.normal(size=(1000, 1)) + 0.1 * random.normal(size=(1000, 2)) + [0.0, 0.05]
    alone = [
        Measured(contrasts(Moments.from_values(v), [[1]], span=None), False, 1000, 1000, 1.0)
        for v in both.T
    ]
    paired = difference(alone[1], alone[0], paired=Moments.from_values(both))
    apart = difference(alone[1], alone[0])
    assert paired.mean == pytest.approx(apart.mean)
    assert paired.high - paired.low < 0.2 * (apart.high - apart.low)
    assert paired.low > 0 and paired.se < 0.2 * apart.se
    limited = [replace(one, limits=(0.0, 1.0)) for one in alone]  # a difference has other limits
    turned = difference(*limited, paired=Moments.from_values(both[:, ::-1]))
    assert (turned.mean, turned.low) == pytest.approx((-paired.mean, -paired.high))
    found = stage({"reference": [0.0], "other": [0.0]}, "most")
    known = confirm(found, {("other", "c0"): Moments.from_values(both)})
    assert known.finalists[0].comparisons[0].worse == pytest.approx(-paired.mean)
    with pytest.raises(ValueError, match="paired"):
        difference(
            *[replace(one, is_distance=True) for one in alone], paired=Moments.from_values(both)
        )


# Verdicts


def verdict(se: float = 0.01, **others: Sequence[float]) -> Confirmation:
    return confirm(stage({"reference": [1.0, 1.0], **others}, "least", "most", se=se))


def test_verdicts_by_hand() -> None:
    worse = {"a": [0.0, 0.5], "b": [2.0, 3.0]}
    assert verdict(**worse).verdict == Standing.ON_THE_FRONT
    found = verdict(**worse, c=[0.5, 1.0])
    assert found.verdict == Standing.BEATEN
    assert [one.candidate.name for one in found.winners] == ["c"]
    assert found.undecided == ()
    open_ = verdict(**worse, c=[0.9, 1.0])  # better by just the margin
    assert open_.verdict == Standing.INCONCLUSIVE
    assert [one.candidate.name for one in open_.undecided] == ["c"]
    assert all(one.reason.en and one.reason.zh for one in (found, open_))


def test_a_price_that_does_not_matter_is_no_price() -> None:
    found = verdict(0.001, a=[1.02, 2.0])  # worse by a fifth of the margin, and surely
    assert found.finalists[0].comparisons[0].low > 0
    assert found.verdict == Standing.BEATEN


@pytest.mark.parametrize("value", [0.95, 1.0, 1.05])
def test_a_difference_that_does_not_matter_beats_nobody(value: float) -> None:
    found = verdict(0.001, a=[value, 1.05])
    assert found.verdict == Standing.ON_THE_FRONT and found.finalists[0].falls_short
    assert found.finalists[0].is_free == (value < 1.05)


def test_a_finalist_that_may_be_better_by_what_matters_does_not_fall_short() -> None:
    """However surely it is worse by less."""
    found = verdict(0.001, a=[1.05, 1.1])
    assert found.verdict == Standing.INCONCLUSIVE and found.undecided == found.finalists


@pytest.mark.parametrize(
    ("value", "standing"),
    [
        ((0.86, 0.97), Standing.BEATEN),  # better by more than the margin, worse by less
        ((0.94, 1.02), Standing.ON_THE_FRONT),  # nowhere better by the margin
        ((0.5, 0.86), Standing.ON_THE_FRONT),  # worse by more than the margin
    ],
)
def test_as_many_more_deals_decide_as_is_said(
    value: tuple[float, float], standing: Standing
) -> None:
    se, random = 0.015, np.random.default_rng(5)
    more = verdict(se, a=value).more_deals
    assert more is not None and more["c0"] == more["c1"] > 0
    se *= math.sqrt(1000 / (1000 + more["c0"]))
    right = 0
    for noise in se * random.normal(size=(400, 2, 2)):
        rows = {"reference": noise[0] + 1.0, "a": noise[1] + value}
        right += confirm(stage(rows, "least", "most", se=se)).verdict == standing
    assert 0.75 <= right / 400 <= 0.97


def test_no_deals_are_asked_for_that_would_not_help() -> None:
    assert verdict(c=[0.5, 1.0]).more_deals == {"c0": 0, "c1": 0}
    assert verdict(0.0001, a=[0.9, 1.0]).more_deals is None  # on the margin
    vague = verdict(0.05, a=[0.9, 1.0]).more_deals  # it may be beside it
    assert vague is not None and vague["c0"] > 0


def test_games_to_notice_come_of_both_variances() -> None:
    (found,) = verdict(a=[0.5, 1.0]).finalists
    better, equal = found.comparisons
    assert better.notice == games_to_notice(-0.5, 2 * 1000 * 0.01**2)  # made() plays 1000 games
    assert equal.notice is None
    frame = verdict(a=[0.5, 1.0]).frame().set_index(["candidate", "criterion"])
    assert frame.loc[("a", "c0"), ["worse", "games_to_notice"]].tolist() == [-0.5, better.notice]
    assert frame.loc["reference", "worse"].isna().all()


def test_a_value_that_is_an_effect_has_its_games_to_notice_too() -> None:
    one = stage({"reference": [1.0], "a": [0.5]}, "least")
    plain = replace(one, criteria=tuple(replace(c, is_effect=False) for c in one.criteria))
    variance = one.measured[0][0].variance
    assert one.notice(0, 0) == games_to_notice(1.0, variance) and plain.notice(0, 0) is None
    assert one.frame()["value_games_to_notice"].iloc[0] == one.notice(0, 0)


@pytest.mark.parametrize("column", ["win_share", "score"])
def test_the_variance_is_that_of_one_game_at_most(column: str) -> None:
    sums = totals(4000, 3, 1, 3, strength=(1.0, 0.4, 0.0), place=(0.6, 0.0, 0.0))
    one = Cell("x", ("best", "plain", "least"), 1, sums)  # a deal is a game
    far = cell(("steady",) * 4, 9, 500)
    places, rungs = (Moments.from_cell(one, LANTERNS, by, column) for by in ("place", "strategy"))
    assert places.covariance is not None and rungs.covariance is not None
    for found, spread, (i, j) in (
        (criteria.places(one, LANTERNS, column), places.covariance, (0, 2)),
        (criteria.gap(one, LANTERNS, column), rungs.covariance, (0, 2)),
    ):
        true = spread[i, i] + spread[j, j] - 2 * spread[i, j]
        assert 0.95 * true <= found.variance <= 2 * true
    near = criteria.mean(one, LANTERNS, column).variance  # all seats of a game are noted
    assert near == pytest.approx(rungs.covariance.mean())
    assert criteria.mean(one, LANTERNS, column, far).variance == near
    turned = Cell("x", one.lineup, 3, totals(4000, 3, 3, 3, strength=(1.0, 0.4, 0.0)))
    most = criteria.mean(turned, LANTERNS, column).variance  # three games a deal: that of one seat
    assert 0.9 * np.diag(rungs.covariance).mean() <= most <= 1.3 * np.diag(places.covariance).max()
    assert 0.15 < criteria.distribution(shares(0.6), shares(0.4), 1).variance <= 0.25


def test_too_few_deals_decide_nothing() -> None:
    found = verdict(1.0, a=[0.0, 0.5], c=[0.5, 1.0])
    assert found.verdict == Standing.INCONCLUSIVE and len(found.undecided) == 2


def test_more_finalists_make_more_careful() -> None:
    few = verdict(a=[0.0, 0.5]).finalists[0].comparisons[0]
    many = verdict(a=[0.0, 0.5], b=[0.0, 0.5], c=[0.0, 0.5]).finalists[0].comparisons[0]
    assert many.low < few.low < few.worse


def test_finalists_are_not_judged_on_the_deals_that_chose_them() -> None:
    with pytest.raises(ValueError, match="fresh"):
        confirm(replace(stage({"reference": [1.0]}, "least"), name="screening"))


# The whole way


def study(candidates: Sequence[Candidate], deals: int) -> dict[str, dict[str, Cell]]:
    """Cells of three line-ups; the more values, the more a place gains."""
    lineups = {"same": ("steady",) * 3, "plain": ("plain",) * 3, "mixed": ("best", "good", "plain")}
    return {
        one.name: {
            name: cell(names, seed, deals, place=(0.1 * one.size, 0, 0), strength=(0.5, 0.2, 0))
            for seed, (name, names) in enumerate(lineups.items(), start=10 * row)
        }
        for row, one in enumerate(candidates)
    }


def wanted(target: Cell) -> tuple[Criterion, ...]:
    return (
        Criterion(
            "places", WORDS, "least", 0.005, True, lambda c: criteria.places(c["same"], LANTERNS)
        ),
        Criterion("skill", WORDS, "most", 0.02, True, lambda c: criteria.gap(c["mixed"], LANTERNS)),
        Criterion(
            "nobody",
            WORDS,
            "least",
            0.01,
            True,
            lambda c: criteria.mean(c["same"], LANTERNS, "nobody"),
        ),
        Criterion(
            "rounds",
            WORDS,
            "least",
            0.5,
            False,
            lambda c: criteria.mean(c["plain"], LANTERNS, "rounds", target),
        ),
        Criterion(
            "scores",
            WORDS,
            "least",
            0.05,
            True,
            lambda c: criteria.distribution(shares(0.5), shares(0.4, seed=6), 1),
        ),
    )


def test_from_cells_to_the_table() -> None:
    candidates = generate([1, 2, 3], (0, 1, 3))
    asked = wanted(cell(("steady",) * 4, 99, 500))
    found = measure("screening", asked, candidates, "2", study(candidates, 300))
    frame = found.frame()
    assert list(frame.columns)[:9] == [
        *("stage", "candidate", "size", "is_reference", "criterion"),
        *("value", "low", "high", "deals"),
    ]
    assert len(frame) == len(candidates) * len(asked)
    assert ((frame.low <= frame.value) & (frame.value <= frame.high)).all()
    assert ((frame.rank_best <= frame["rank"]) & (frame["rank"] <= frame.rank_worst)).all()
    assert frame[frame.is_reference].candidate.unique().tolist() == ["2"]
    assert (frame[frame.criterion == "places"].set_index("candidate")["rank"].idxmax()) == "1,2,3"
    chosen = found.finalists(2)
    fresh = measure("confirmation", asked, chosen, "2", study(chosen, 200))
    confirmed = confirm(fresh)
    assert len(confirmed.finalists) == len(chosen) - 1
    assert set(fresh.frame().stage) == {"confirmation"}
    with pytest.raises(ValueError, match="reference"):
        measure("screening", asked, candidates, "9", {})


def test_intervals_hold_together() -> None:
    low, high = stage({"a": [1.0, 1.0], "b": [2.0, 2.0]}, "least", "most").intervals
    assert (low[0, 0], high[0, 0]) == pytest.approx(made(1.0).interval(1 - 0.05 / 4))


def test_a_rival_may_beat_the_rule_in_use() -> None:
    rows = {"reference": [1.0, 1.0], "a": [0.0, 0.8], "b": [0.0, 0.95], "c": [0.98, 1.0]}
    assert stage(rows, "least", "most").rivals.tolist() == [False, False, True, False]


def test_a_screening_is_analysed_in_two_seconds() -> None:
    candidates = generate([*range(-3, 0), *range(1, 10)], (0, 1, 2, 3))
    few = study(generate([1, 2], (0, 1)), 100)
    cells = {one.name: [*few.values()][row % 3] for row, one in enumerate(candidates)}
    asked = wanted(cell(("steady",) * 4, 99, 500))
    start = time.process_time()
    found = measure("screening", asked, candidates, "-2,-1,9", cells)
    assert len(found.finalists(8)) >= 1 and len(found.frame()) == 5 * 299
    assert [found.reference_rank(k, same_size=True).of for k in range(5)] == [220] * 5
    assert time.process_time() - start < 2.0
