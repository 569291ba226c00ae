"""Intervals and win shares against planted truth, exact arithmetic and slow twins."""

from __future__ import annotations

import math
import subprocess
import sys
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from analysis import intervals, winshares
from analysis.intervals import Estimate, mean_estimate, quantile, rate_estimate
from analysis.winshares import By, contrast_rows, estimate, game_estimate, positions
from sim.core.game import SHARE_UNIT
from sim.results import Cell
from tests.made_runs import LANTERNS, Array, totals

BYS: tuple[By, ...] = ("strategy", "seat", "place")
NAMES = ("bold", "calm", "calm", "steady")


def cell_of(found: dict[str, Array], *names: str) -> Cell:
    n = found["sum"].shape[2]
    return Cell(
        "default", names or ("steady",) * n, int(found["games"][0] // found["deals"][0]), found
    )


def made_cell(*names: str, deals: int = 400, seed: int = 3, **truth: Any) -> Cell:
    rotations = len(names) if len(set(names)) > 1 else 1
    return cell_of(totals(deals, len(names), rotations, seed, **truth), *names)


# Student's quantile


@pytest.mark.parametrize("level", [0.5, 0.9, 0.95, 0.99])
@pytest.mark.parametrize("degrees", [1, 2, 3, 4, 7, 20, 100, 10_000, 10**9])
def test_the_quantile_is_students(degrees: int, level: float) -> None:
    exact = stats.t.ppf((1 + level) / 2, degrees)
    assert quantile(degrees, level) == pytest.approx(exact, rel=0.02 if degrees < 4 else 0.004)


# Exactness


def test_mean_and_error_are_those_of_the_per_deal_means() -> None:
    random = np.random.default_rng(1)
    per_deal = random.integers(-20, 60, 50)  # totals of three games each
    square = int((per_deal**2).sum())
    found = mean_estimate(int(per_deal.sum()), square, 50, 150)
    means = per_deal / 3
    assert found.mean == pytest.approx(means.mean(), rel=1e-14)
    assert found.se == pytest.approx(means.std(ddof=1) / math.sqrt(50), rel=1e-14)


def test_no_digit_is_lost_to_the_difference_of_large_numbers() -> None:
    # 10^8 deals of 4 games with totals near 10^4: the squares alone fill the bits of a float.
    deals, base = 10**8, 10_000
    total = deals * base + deals // 2  # half of the deals one above the base
    square = (deals // 2) * (base**2 + (base + 1) ** 2)
    se = intervals.standard_error(total, square, deals, 4 * deals)
    variance = Fraction(deals * square - total**2, deals * (deals - 1))
    assert se == pytest.approx(math.sqrt(variance / deals) / 4, rel=1e-15)
    assert se == pytest.approx(0.5 / math.sqrt(deals) / 4, rel=1e-7)


@pytest.mark.parametrize("by", BYS)
def test_merged_halves_say_the_same_as_the_whole(by: By) -> None:
    halves = [totals(300, 4, 4, seed) for seed in (5, 6)]
    whole = cell_of({name: halves[0][name] + halves[1][name] for name in halves[0]}, *NAMES)
    back = cell_of({name: halves[1][name] + halves[0][name] for name in halves[0]}, *NAMES)
    assert winshares.position_rows(whole, LANTERNS, by) == winshares.position_rows(
        back, LANTERNS, by
    )
    assert winshares.deals(whole) == 600
    parts = [cell_of(half, *NAMES) for half in halves]
    for position in positions(whole, by):
        both = estimate(whole, LANTERNS, by, "score", position.members).mean
        each = [estimate(part, LANTERNS, by, "score", position.members).mean for part in parts]
        assert both == pytest.approx(sum(each) / 2, rel=1e-14)


def test_equal_strategies_are_one_position() -> None:
    cell = made_cell(*NAMES)
    assert positions(cell, "strategy") == [
        winshares.Position("bold", (0,)),
        winshares.Position("calm", (1, 2)),
        winshares.Position("steady", (3,)),
    ]
    shares = [
        estimate(cell, LANTERNS, "strategy", "win_share", position.members).mean * seats
        for position, seats in zip(positions(cell, "strategy"), (1, 2, 1), strict=True)
    ]
    assert sum(shares) == pytest.approx(1 - game_estimate(cell, LANTERNS, "nobody").mean)


def test_a_contrast_is_the_difference_of_its_means_and_knows_their_dependence() -> None:
    cell = made_cell(*NAMES)
    first, second = (1, 2), (3,)
    found = winshares.contrast(cell, LANTERNS, "strategy", "win_share", first, second)
    a = estimate(cell, LANTERNS, "strategy", "win_share", first)
    b = estimate(cell, LANTERNS, "strategy", "win_share", second)
    assert found.mean == pytest.approx(a.mean - b.mean)
    assert a.se is not None
    assert b.se is not None
    assert found.se is not None
    assert found.se > math.hypot(a.se, b.se)  # who takes a share takes it from the other


def test_a_contrast_agrees_with_the_slow_way() -> None:
    random = np.random.default_rng(2)
    values = random.integers(0, 3 * SHARE_UNIT, (40, 3))  # totals of a deal a position
    found = totals(40, 3, 3, 1)
    found["sum"][0, 0] = values.sum(axis=0)
    found["cross"][0, 0] = values.T @ values
    cell = cell_of(found, "a", "b", "c")
    each = (values[:, 0] - values[:, 2]) / 3 / SHARE_UNIT
    got = winshares.contrast(cell, LANTERNS, "strategy", "win_share", (0,), (2,))
    half = stats.t.ppf(0.975, 39) * each.std(ddof=1) / math.sqrt(40)
    assert got.mean == pytest.approx(each.mean())
    assert got.low == pytest.approx(each.mean() - half, rel=1e-4)


# Degenerate cases


def no_gaps(found: Estimate) -> bool:
    numbers = (found.mean, found.se, found.low, found.high)
    return all(number is not None and math.isfinite(number) for number in numbers)


def test_one_deal_tells_a_mean_and_nothing_of_its_spread() -> None:
    found = mean_estimate(12, 144, 1, 4)
    assert found == Estimate(3.0, None, None, None, 1, 4)


@pytest.mark.parametrize("total", [0, 1, 4])
def test_one_deal_gives_a_rate_a_wide_interval(total: int) -> None:
    found = rate_estimate(total, total**2, 1, 4)
    assert found.se is None
    assert found.low is not None
    assert found.high is not None
    assert 0 <= found.low <= total / 4 <= found.high <= 1
    assert found.high - found.low > 0.9


def test_what_was_never_seen_may_still_happen() -> None:
    found = rate_estimate(0, 0, 1000, 3000)
    assert (found.mean, found.se, found.low) == (0.0, 0.0, 0.0)
    assert found.high == pytest.approx(3.85 / 1003.85, rel=0.01)
    always = rate_estimate(3000, 9000, 1000, 3000)
    assert always.high == 1.0
    assert always.low == pytest.approx(1 - 3.85 / 1003.85, rel=0.0001)


def test_a_share_that_is_the_same_in_every_deal_is_exact() -> None:
    found = rate_estimate(100, 100, 100, 300)  # one of three in every deal
    assert (found.low, found.mean, found.high) == (1 / 3, 1 / 3, 1 / 3)


@pytest.mark.parametrize("deals", [2, 3, 10])
def test_a_few_deals_give_numbers_everywhere(deals: int) -> None:
    cell = made_cell("bold", "calm", "steady", deals=deals)
    for by in BYS:
        assert all(no_gaps(row.estimate) for row in winshares.position_rows(cell, LANTERNS, by))
        assert all(no_gaps(row.estimate) for row in contrast_rows(cell, LANTERNS, by))
    assert all(no_gaps(found) for _, found in winshares.game_rows(cell, LANTERNS))


def test_rates_stay_between_nothing_and_all() -> None:
    random = np.random.default_rng(4)
    for _ in range(300):
        deals = int(random.integers(1, 30))
        values = random.binomial(3, random.choice([0.01, 0.3, 0.99]), deals)
        found = rate_estimate(int(values.sum()), int((values**2).sum()), deals, 3 * deals)
        assert found.low is not None
        assert found.high is not None
        assert 0 <= found.low <= found.mean <= found.high <= 1


# Planted truth


def planted(random: np.random.Generator, deals: int) -> Cell:
    """Three seats that win 40, 30 and 26 %; in 4 % of the games nobody wins.

    Half of the deals come out alike in all three rotations.
    """
    chance = [0.40, 0.30, 0.26, 0.04]
    winner = random.choice(4, (deals, 3), p=chance)
    alike = random.random(deals) < 0.5
    winner[alike] = winner[alike, :1]
    counts = np.stack([(winner == seat).sum(axis=1) for seat in range(4)], axis=1)
    found = totals(2, 3, 3, 1) | {"deals": np.array([deals]), "games": np.array([3 * deals])}
    shares = SHARE_UNIT * counts[:, :3]
    for group in range(3):
        found["sum"][group, 0] = shares.sum(axis=0)
        found["cross"][group, 0] = shares.T @ shares
    found["game_sum"][0] = counts[:, 3].sum()
    found["game_square"][0] = (counts[:, 3] ** 2).sum()
    return cell_of(found, "a", "b", "c")


def holds(found: Estimate, truth: float) -> bool:
    assert found.low is not None
    assert found.high is not None
    return found.low <= truth <= found.high


def test_intervals_hold_the_truth_as_often_as_they_say() -> None:
    random, studies = np.random.default_rng(7), 2_000
    hits = {"share": 0, "nobody": 0, "all pairs": 0}
    truth = {("a", "b"): 0.10, ("a", "c"): 0.14, ("b", "c"): 0.04}
    for _ in range(studies):
        cell = planted(random, 150)
        hits["share"] += holds(estimate(cell, LANTERNS, "place", "win_share", (0,)), 0.40)
        hits["nobody"] += holds(game_estimate(cell, LANTERNS, "nobody"), 0.04)
        pairs = contrast_rows(cell, LANTERNS, "strategy")
        hits["all pairs"] += all(holds(p.estimate, truth[p.first, p.second]) for p in pairs)
    noise = 3 * math.sqrt(0.95 * 0.05 / studies)
    assert abs(hits["share"] / studies - 0.95) < noise + 0.01
    assert abs(hits["nobody"] / studies - 0.95) < noise + 0.01
    assert hits["all pairs"] / studies > 0.95 - noise


def test_ignoring_that_games_of_a_deal_are_related_would_be_too_sure() -> None:
    cell = planted(np.random.default_rng(8), 20_000)
    found = estimate(cell, LANTERNS, "place", "win_share", (0,))
    assert found.se is not None
    naive = math.sqrt(0.4 * 0.6 / 60_000)
    assert found.se / naive == pytest.approx(math.sqrt(2), rel=0.03)  # 1 + (3 - 1) / 2


def test_a_planted_gain_of_a_place_is_found_and_none_is_not() -> None:
    fair = made_cell("s", "s", "s", deals=20_000)
    rigged = made_cell("s", "s", "s", deals=20_000, place=[0.1, 0, 0])
    pair = contrast_rows(rigged, LANTERNS, "place")[0].estimate
    assert pair.low is not None
    assert pair.low > 0
    assert all(holds(found.estimate, 0.0) for found in contrast_rows(fair, LANTERNS, "place"))


# Frames


def test_frames_are_tidy() -> None:
    cell = made_cell(*NAMES)
    frame = winshares.position_frame(cell, LANTERNS, "strategy")
    columns = winshares.seat_columns(LANTERNS)
    assert list(frame.columns) == [
        *("position", "seats", "column", "mean", "se", "low", "high", "deals", "games")
    ]
    assert len(frame) == 3 * len(columns)
    assert not frame.duplicated(["position", "column"]).any()
    assert not frame.isna().any().any()
    assert (frame["low"] <= frame["mean"]).all()
    games = winshares.game_frame(cell, LANTERNS)
    assert list(games["column"]) == list(LANTERNS.game_columns)
    pairs = winshares.contrast_frame(cell, LANTERNS, "place", "score")
    assert len(pairs) == 6
    assert set(pairs["column"]) == {"score"}


def test_a_histogram_counts_every_game_and_has_the_mean_of_its_column() -> None:
    cell = made_cell(*NAMES)
    games = winshares.games(cell)
    for column in ("score", "candles"):
        frame = winshares.histogram_frame(cell, LANTERNS, column)
        for position in positions(cell, "strategy"):
            part = frame[frame["position"] == position.label]
            assert part["count"].sum() == games * len(position.members)
            mean = estimate(cell, LANTERNS, "strategy", column, position.members).mean
            assert (part["value"] * part["share"]).sum() == pytest.approx(mean)
            assert ((part["low"] <= part["share"]) & (part["share"] <= part["high"])).all()
    rounds = winshares.histogram_frame(cell, LANTERNS, "rounds")
    assert rounds["count"].sum() == games
    assert set(rounds["position"]) == {""}
    assert isinstance(rounds, pd.DataFrame)


def test_the_numbers_need_no_pandas() -> None:
    code = (
        "import sys; import analysis.winshares; "
        "sys.exit(any(name in sys.modules for name in ('pandas', 'numba', 'scipy', 'matplotlib')))"
    )
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0
