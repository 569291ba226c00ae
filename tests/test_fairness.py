"""Verdicts, families of claims, stopping and power against exact answers and planted truth."""

from __future__ import annotations

import json
import math
import subprocess
import sys
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from analysis import winshares
from analysis.balance import together
from analysis.contrasts import contrasts, correlation, pairs
from analysis.fairness import (
    Finding,
    Verdict,
    deals_needed,
    held_margin,
    judge,
    verdict_chances,
    with_holm,
)
from analysis.moments import Moments, paired_difference
from analysis.multiplicity import benjamini_hochberg, holm, max_t_quantile, max_t_tail
from analysis.power import contrast_variance, games_to_notice, power_of
from analysis.sequential import (
    BEST_SCALE,
    FIRST_LOOK,
    Precision,
    always_valid_p,
    deals_for_precision,
    multiplier,
)
from sim.core.game import SHARE_UNIT
from sim.results import Cell
from tests import validation
from tests.checks import EXACT, check
from tests.made_runs import LANTERNS, Array, totals

ROOT = Path(__file__).resolve().parents[1]


def shares(deals: int, *chances: float, seed: int | np.random.Generator = 1) -> Array:
    """Deals of one game each; a place wins with its chance, else nobody does."""
    random = np.random.default_rng(seed)
    winner = random.choice(len(chances) + 1, deals, p=[*chances, max(0.0, 1 - sum(chances))])
    return np.eye(len(chances) + 1)[winner][:, :-1]


def judged(values: Array, margin: float = 0.005, **how: Any) -> Finding:
    return judge(contrasts(Moments.from_values(values)), margin, **how)


# Moments


def test_sums_and_values_say_the_same() -> None:
    values = np.random.default_rng(1).integers(0, 3 * SHARE_UNIT, (50, 4))
    unit = 3 * SHARE_UNIT
    summed = Moments.from_sums(50, values.sum(axis=0), values.T @ values, unit)
    plain = Moments.from_values(values / unit)
    assert summed.mean == pytest.approx(plain.mean, rel=1e-14)
    assert summed.covariance == pytest.approx(plain.covariance, rel=1e-12)
    assert plain.covariance == pytest.approx(np.cov(values.T / unit), rel=1e-12)
    assert summed.se == pytest.approx(stats.sem(values / unit))


def test_no_digit_is_lost_to_the_difference_of_large_sums() -> None:
    deals, base = 10**8, 10_000  # half of the deals one above the base
    total = deals * base + deals // 2
    square = (deals // 2) * (base**2 + (base + 1) ** 2)
    found = Moments.from_sums(deals, np.array([total]), np.array([[square]]))
    exact = Fraction(deals * square - total**2, deals * (deals - 1))
    assert found.covariance is not None
    assert found.covariance[0, 0] == pytest.approx(float(exact), rel=1e-15)


def test_a_cell_gives_the_contrasts_of_the_win_shares() -> None:
    found = totals(400, 3, 3, seed=5, place=(0.3, 0.0, 0.1))
    cell = Cell("default", ("steady",) * 3, 3, found)
    moments = Moments.from_cell(cell, LANTERNS)
    together = contrasts(moments)
    assert together.se is not None
    for i, weights in enumerate(pairs(3)):
        first, second = int(np.argmax(weights)), int(np.argmin(weights))
        known = winshares.contrast(cell, LANTERNS, "place", "win_share", (first,), (second,))
        assert together.estimate[i] == pytest.approx(known.mean)
        assert together.se[i] == pytest.approx(known.se)


def test_values_that_are_no_numbers_are_refused() -> None:
    with pytest.raises(ValueError, match="finite"):
        Moments.from_values([[1.0, math.nan]])
    with pytest.raises(ValueError, match="not empty"):
        Moments.from_values(np.zeros((0, 3)))
    with pytest.raises(ValueError, match="no deals"):
        Moments.from_sums(0, np.zeros(2, int), np.zeros((2, 2), int))


def test_common_deals_save_what_the_covariance_says() -> None:
    random = np.random.default_rng(3)
    hand = random.normal(size=(2000, 1))
    both = np.hstack([hand + random.normal(size=(2000, 1)), hand + random.normal(size=(2000, 1))])
    found = paired_difference(Moments.from_values(both))
    (factor,) = found.variance_reduction
    assert factor == pytest.approx(2.0, rel=0.1)
    assert found.difference.mean[0] == pytest.approx(float((both[:, 1] - both[:, 0]).mean()))
    same = paired_difference(Moments.from_values(np.hstack([hand, hand])))
    assert same.variance_reduction == (None,)
    assert paired_difference(Moments.from_values(both[:1])).variance_reduction == (None,)


# Many at once


def test_holm_by_hand() -> None:
    # 4 * .005, then 3 * .01 and so on; the third of 2 * .03 = .06 lifts the fourth above its .04.
    assert holm([0.01, 0.04, 0.03, 0.005]) == pytest.approx([0.03, 0.06, 0.06, 0.02])
    assert holm([0.6, 0.9]) == pytest.approx([1.0, 1.0])
    assert holm([]).size == 0


def test_benjamini_and_hochberg_by_hand() -> None:
    # .04 * 4 / 4 caps .03 * 4 / 3; .01 * 4 / 2; .005 * 4 / 1 = .02 too.
    found = benjamini_hochberg([0.01, 0.04, 0.03, 0.005])
    assert found == pytest.approx([0.02, 0.04, 0.04, 0.02])
    assert benjamini_hochberg([]).size == 0


@pytest.mark.parametrize("degrees", [10, 200, math.inf])
@pytest.mark.parametrize("places", [2, 3, 4, 5, 8])
def test_equal_places_give_tukeys_range(places: int, degrees: float) -> None:
    weights = pairs(places)
    corr = correlation((weights @ weights.T).astype(float))
    exact = stats.studentized_range.ppf(0.95, places, min(degrees, 10**6)) / math.sqrt(2)
    assert max_t_quantile(0.05, corr, degrees) == pytest.approx(exact, rel=0.004)
    assert max_t_tail(exact, corr, degrees) == pytest.approx(0.05, rel=0.03)


def test_independent_contrasts_give_sidak() -> None:
    exact = stats.norm.isf((1 - 0.95 ** (1 / 2)) / 2)
    assert max_t_quantile(0.05, np.eye(2), math.inf) == pytest.approx(exact, rel=1e-5)


# Verdicts


def test_a_fair_game_is_called_fair_and_a_rigged_one_unfair() -> None:
    assert judged(shares(20_000, 0.32, 0.32, 0.32), 0.03).verdict == Verdict.FAIR
    assert judged(shares(20_000, 0.40, 0.30, 0.26), 0.03).verdict == Verdict.UNFAIR
    assert judged(shares(20_000, 0.34, 0.32, 0.30), 0.005).verdict != Verdict.FAIR


def test_different_from_zero_and_within_the_margin_is_fair() -> None:
    found = judged(shares(200_000, 0.34, 0.32, 0.33), 0.04)
    interval = found.contrasts.interval()
    assert interval is not None
    assert interval[0][0] > 0
    assert found.verdict == Verdict.FAIR


def test_the_verdict_is_the_picture() -> None:
    random = np.random.default_rng(7)
    seen = set()
    for _ in range(300):
        margin = float(random.uniform(0.02, 0.2))
        found = judged(shares(300, *random.dirichlet([30, 30, 30, 2])[:3], seed=random), margin)
        single = found.contrasts.interval(0.90, together=False)
        joint = found.contrasts.interval(0.95)
        assert single is not None and joint is not None
        is_fair = bool((abs(np.stack(single)) < margin).all())
        is_unfair = bool(((joint[0] > margin) | (joint[1] < -margin)).any())
        assert (found.verdict == Verdict.FAIR) == is_fair
        assert (found.verdict == Verdict.UNFAIR) == is_unfair
        seen.add(found.verdict)
    assert seen == set(Verdict)


def test_a_camp_is_held_against_its_target() -> None:
    values = shares(20_000, 0.5, 0.3)
    camp = contrasts(Moments.from_values(values), [[1, 0]], target=0.5)
    assert judge(camp, 0.03).verdict == Verdict.FAIR
    camp = contrasts(Moments.from_values(values), [[1, 0]], target=0.4)
    assert judge(camp, 0.03).verdict == Verdict.UNFAIR


def test_more_deals_decide_with_the_promised_power() -> None:
    found = judged(shares(400, 0.33, 0.33, 0.33), 0.05)
    assert found.verdict == Verdict.INCONCLUSIVE
    assert found.more_deals is not None and found.more_deals > 0
    needed = 400 + found.more_deals
    fair, unfair = verdict_chances(found.contrasts, needed, 0.05)
    assert max(fair, unfair) == pytest.approx(0.8, abs=0.01)
    longer = deals_needed(found.contrasts, 0.05, planned=needed)
    assert longer is not None and 1.2 * needed < longer < 6 * needed


def test_a_single_contrast_needs_the_deals_of_the_formula() -> None:
    sd, margin = 0.8, 0.05
    values = np.tile([[sd, 0.0], [-sd, 0.0]], (50_000, 1))
    needed = deals_needed(contrasts(Moments.from_values(values)), margin)
    exact = (sd * (stats.norm.isf(0.05) + stats.norm.isf(0.1)) / margin) ** 2  # at zero: both sides
    assert needed == pytest.approx(exact, rel=0.03)


def test_what_lies_on_the_margin_will_not_be_decided() -> None:
    values = np.tile([[1.0, 0.0], [0.0, 1.0]], (500, 1))
    values[:500, 0], values[:500, 1] = 1.0, 0.0
    found = judged(values, 0.5)
    assert found.contrasts.estimate[0] == pytest.approx(0.5)
    found = judged(np.tile(values, (3, 1)), 0.5)
    assert found.verdict == Verdict.INCONCLUSIVE
    assert found.more_deals is None
    assert "on the margin" in found.reason.en


def test_what_is_hardly_known_is_not_said_to_lie_on_the_margin() -> None:
    values = np.tile([[1.0, 0.0], [0.0, 1.0]], (500, 1))
    values[:10, 0], values[:10, 1] = 1.0, 0.0
    found = judged(values, 0.01)  # 0.01 is seen, give or take 0.03
    assert found.verdict == Verdict.INCONCLUSIVE
    assert "too few" in found.reason.en
    # As if the truth were 0.04, a standard error off: (1.960 + 0.842)² times as many deals.
    assert found.more_deals == pytest.approx(7850 - 1000, rel=0.03)


def test_a_margin_must_be_above_zero() -> None:
    for margin in (0.0, -0.1, math.nan, math.inf):
        with pytest.raises(ValueError, match="margin"):
            judged(shares(10, 0.5, 0.5), margin)


def test_nothing_to_compare_is_refused() -> None:
    with pytest.raises(ValueError, match="two columns"):
        contrasts(Moments.from_values(np.ones((5, 1))))


def test_holm_makes_a_family_more_careful() -> None:
    alone = [judged(shares(9_000, 0.33, 0.33, 0.33, seed=s), 0.025) for s in range(6)]
    family = with_holm(alone)
    assert all(f.p_fair >= a.p_fair for f, a in zip(family, alone, strict=True))
    said = [sum(f.verdict == Verdict.FAIR for f in found) for found in (family, alone)]
    assert said[0] <= said[1]
    assert {f.family for f in family} == {6}


@pytest.mark.parametrize(
    ("chances", "margin", "verdict"), [(0.33, 0.05, Verdict.FAIR), (0.28, 0.002, Verdict.UNFAIR)]
)
def test_a_verdict_holds_up_to_the_margin_that_is_told(
    chances: float, margin: float, verdict: Verdict
) -> None:
    studies = [shares(9_000, 0.33, 0.33, p, seed=i) for i, p in enumerate((0.33, chances))]
    other = judged(shares(9_000, 0.33, 0.33, 0.33, seed=2), 0.06)

    def family(size: float) -> list[Finding]:
        return with_holm([*(judged(each, size) for each in studies), other])

    found = family(margin)
    held = held_margin(found[:2], found[2:])
    assert (held < margin) == (verdict == Verdict.FAIR)
    inside, beyond = (held * by if held < margin else held / by for by in (1.001, 0.999))
    said = [together(one.verdict for one in family(size)[:2]) for size in (inside, beyond)]
    assert said[0] == verdict != said[1]


def test_an_inconclusive_verdict_holds_up_to_nothing() -> None:
    with pytest.raises(ValueError, match="inconclusive"):
        held_margin([judged(shares(200, 0.33, 0.33, 0.33))])


# Odd cases: words, and numbers where there are any


def is_sound(found: Finding) -> bool:
    interval = found.contrasts.interval() or ()
    numbers = [found.p_fair, found.p_unfair, *np.ravel(interval)]
    return all(map(math.isfinite, numbers)) and bool(found.reason.en) and bool(found.reason.zh)


def test_one_deal_tells_nothing() -> None:
    found = judged(np.array([[1.0, 0.0, 0.0]]))
    assert found.verdict == Verdict.INCONCLUSIVE
    assert found.contrasts.interval() is None
    assert found.more_deals is None
    assert "single deal" in found.reason.en
    assert is_sound(found)
    with pytest.raises(ValueError, match="single deal"):
        deals_needed(found.contrasts)


def test_all_draws_are_fair_only_after_many() -> None:
    few = judged(np.zeros((10, 3)))
    assert few.verdict == Verdict.INCONCLUSIVE
    assert "same in every deal" in few.reason.en
    assert few.more_deals == pytest.approx(math.log(0.05) / math.log(1 - 0.0025) - 10, rel=0.01)
    many = judged(np.zeros((10 + (few.more_deals or 0), 3)))
    assert many.verdict == Verdict.FAIR
    assert is_sound(few) and is_sound(many)


def test_a_place_that_always_wins_is_unfair_and_one_that_never_does_too() -> None:
    always = judged(np.tile([1.0, 0.0, 0.0], (50, 1)))
    assert always.verdict == Verdict.UNFAIR
    never = judged(shares(2000, 0.5, 0.5, 0.0))
    assert never.verdict == Verdict.UNFAIR
    assert is_sound(always) and is_sound(never)


def test_scores_that_never_vary_decide_nothing() -> None:
    found = judge(contrasts(Moments.from_values(np.full((50, 2), 7)), span=None), 1.0)
    assert found.verdict == Verdict.INCONCLUSIVE
    assert found.more_deals is None
    assert "same in every deal" in found.reason.en


@pytest.mark.parametrize("planned", [None, 1000])
@pytest.mark.parametrize("deals", [2, 3, 20])
def test_a_few_deals_give_numbers(deals: int, planned: int | None) -> None:
    for seed in range(20):
        found = judged(shares(deals, 0.3, 0.3, 0.3, seed=seed), planned=planned)
        assert is_sound(found)
        assert found.verdict != Verdict.FAIR


# Looking before the end


def test_the_always_valid_interval_is_that_of_the_paper() -> None:
    # Waudby-Smith et al., theorem 2.2, sigma = 1.
    t, planned, alpha = 5000, 2000, 0.05
    rho2 = BEST_SCALE / planned
    bound = 2 * (t * rho2 + 1) / (t**2 * rho2) * math.log(math.sqrt(t * rho2 + 1) / alpha)
    assert multiplier(t, planned, alpha) / math.sqrt(t) == pytest.approx(math.sqrt(bound))


def test_the_interval_is_narrowest_where_planned() -> None:
    def width(planned: int) -> float:
        return multiplier(2000, planned, 0.05)

    assert width(2000) == pytest.approx(min(map(width, range(1000, 4000, 10))), rel=1e-5)
    assert 1.5 < width(2000) / 1.96 < 1.56


def test_p_and_interval_agree() -> None:
    for alpha in (0.2, 0.05, 0.001):
        z = multiplier(700, 2000, alpha)
        assert always_valid_p(z, 700, 2000) == pytest.approx(alpha)
    assert always_valid_p(-1.0, 700, 2000) == 1.0


def test_the_plan_gives_the_precision() -> None:
    deals = deals_for_precision(0.004, 0.5, 0.05 / 3)
    assert multiplier(deals, deals, 0.05 / 3) * 0.5 / math.sqrt(deals) == pytest.approx(0.004, 1e-4)
    rule = Precision(0.004, comparisons=3)
    assert rule.planned == deals
    looks = [look for look, _ in zip(rule.looks(), range(12), strict=False)]
    assert looks[0] >= FIRST_LOOK and looks[-1] > deals
    assert all(b > a for a, b in pairwise(looks))
    with pytest.raises(ValueError, match="precision"):
        Precision(0.0)


def test_the_rule_stops_when_the_intervals_are_narrow() -> None:
    rule = Precision(0.05, comparisons=3)
    values = shares(50_000, 0.33, 0.33, 0.33)
    met = [contrasts(Moments.from_values(values[:n])).meets(rule) for n in (1, 100, 50_000)]
    assert met == [False, False, True]


# Games at home


def test_games_to_notice_by_hand() -> None:
    # Two places that win 52 and 48 %: variance 1 - 0.04², (1.960 + 0.842)² / 0.04² = 4898 games.
    variance = contrast_variance(0.52, 0.48)
    assert variance == pytest.approx(0.9984)
    games = games_to_notice(0.04, variance)
    assert games == pytest.approx(4898, abs=1)
    assert power_of(games or 0, 0.04, variance) == pytest.approx(0.8, abs=1e-3)


def test_no_effect_is_never_noticed_and_a_certain_one_at_once() -> None:
    assert games_to_notice(0.0, 1.0) is None
    assert games_to_notice(-1.0, 0.0) == 1
    assert power_of(100, 0.0, 1.0) == pytest.approx(0.05)
    assert power_of(1, 1.0, 0.0) == 1.0


def test_scipy_is_imported_when_it_is_needed() -> None:
    names = "contrasts, fairness, moments, multiplicity, power, sequential"
    code = f"import sys; from analysis import {names}; assert 'scipy' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT)


# Planted truth


def test_counting_and_playing_agree() -> None:
    game = replace(validation.rigged(0.1), least=4)
    played = game.play(np.random.default_rng(1), 1, 200_000)[0].mean(axis=0) / (3 * SHARE_UNIT)
    assert played == pytest.approx(game.shares(), abs=0.004)
    assert game.shares().sum() < 0.95  # now and then nobody wins


@pytest.mark.parametrize("part", validation.PARTS)
def test_every_method_keeps_its_word(part: str) -> None:
    random = np.random.default_rng((validation.SEED, len(part)))
    resamples_itself = part in ("Ratings", "The meta-game")  # and takes its time
    found = list(validation.PARTS[part](random, 40 if resamples_itself else 200))
    assert [check for check in found if not check.is_passed] == []


def test_coverage_is_held_to_three_standard_errors_on_both_sides() -> None:
    held = (9_430, 9_440, 9_560, 9_570)
    checks = [check("it", EXACT, np.arange(10_000) < count) for count in held]
    assert [one.is_passed for one in checks] == [False, True, True, False]


def test_the_page_of_the_validation_shows_every_check() -> None:
    checks = [validation.check("one of them", validation.FIXED, np.ones(20))]
    page = validation.page({"A part": checks})
    assert "one of them" in page
    assert "FAILED" in page or "passed" in page
    json.dumps([check.seen for check in checks])
