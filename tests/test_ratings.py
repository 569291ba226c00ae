"""Ratings against an independent likelihood, planted strengths, ties, teams, and circles."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import optimize

from analysis.bootstrap import resampled
from analysis.matches import Matches, matches, matches_of, shares_of
from analysis.ratings import POINTS, Ratings, rate
from sim.core.game import SHARE_UNIT
from sim.core.tally import BY_PLACE
from sim.reading import from_file
from sim.runner import play
from sim.store import Folder
from tests.made_matches import made_matches, multisets, pairwise

THETA, GAMMA, SIZES = (0.0, 0.3, -0.4, 0.8), (0.2, 0.0, 0.1, -0.3), {1: 1.0, 2: 0.3, 3: 0.1, 0: 0.2}
SMALL = 99  # resamples, where intervals are not what is tested


def by_another_way(games: Matches, anchor: int) -> dict[str, Any]:
    """The maximum by scipy, of a likelihood written as a sum over single games.

    Strategy `anchor` and place 0 have zero; weights of single wins are one.
    """
    n, k = games.players, len(games.names)
    kinds: dict[tuple[Any, ...], int] = {}
    for seats, won in zip(games.seats.tolist(), games.winners.tolist(), strict=True):
        key = tuple(seats), tuple(p for p in range(n) if won[p])
        kinds[key] = kinds.get(key, 0) + 1
    sizes = sorted({len(won) for _, won in kinds})
    free = [one for one in range(k) if one != anchor]

    def position(*what: Any) -> int:
        return names.index(what)

    names: list[tuple[Any, ...]] = [("s", one) for one in free] + [("p", p) for p in range(1, n)]
    names += [("k", size) for size in sizes if size != 1]

    def row(seats: tuple[int, ...], won: tuple[int, ...]) -> np.ndarray[Any, Any]:
        line = np.zeros(len(names))
        for place in won:
            if seats[place] != anchor:
                line[position("s", seats[place])] += 1 / len(won)
            if place:
                line[position("p", place)] += 1 / len(won)
        if len(won) != 1:
            line[position("k", len(won))] = 1
        return line

    every = [won for size in sizes for won in combinations(range(n), size)]
    terms = [
        (count, row(seats, won), np.array([row(seats, one) for one in every]))
        for (seats, won), count in kinds.items()
    ]

    def loss(at: np.ndarray[Any, Any]) -> tuple[float, np.ndarray[Any, Any]]:
        value, slope = 0.0, np.zeros(len(at))
        for count, seen, others in terms:
            weights = np.exp(others @ at)
            value -= count * (seen @ at - np.log(weights.sum()))
            slope -= count * (seen - weights @ others / weights.sum())
        return value / games.games, slope / games.games

    found = optimize.minimize(
        loss, np.zeros(len(names)), jac=True, method="BFGS", options={"gtol": 1e-10}
    )
    return dict(zip(names, found.x.tolist(), strict=True))


def made(**how: Any) -> Matches:
    full: dict[str, Any] = {"gamma": GAMMA, "sizes": SIZES} | how
    return made_matches(THETA, multisets(4, 4), 60, **full)


def strengths(found: Ratings) -> list[float]:
    return [one.points.mean / POINTS for one in found.ratings if one.points]


def test_the_estimates_are_those_of_an_independent_implementation() -> None:
    games = made()
    found, other = rate(games, "s1", resamples=SMALL), by_another_way(games, 1)
    assert strengths(found) == pytest.approx(
        [other[("s", 0)], 0.0, other[("s", 2)], other[("s", 3)]], abs=1e-6
    )
    worth = np.array([0.0, *(other[("p", p)] for p in (1, 2, 3))])
    seen = [place.mean / POINTS for place in found.places if place]
    assert seen == pytest.approx(worth - worth.mean(), abs=1e-6)
    assert {k: np.log(one.mean) for k, one in found.sizes} == pytest.approx(
        {2: other[("k", 2)], 3: other[("k", 3)]}, abs=1e-6
    )
    assert found.nobody is not None
    assert found.nobody.mean / POINTS == pytest.approx(other[("k", 0)] - worth.mean(), abs=1e-6)


def test_a_resample_is_fitted_as_if_it_had_been_played() -> None:
    games = made()
    times = resampled(np.eye(games.deals), SMALL)[7].astype(int)  # of each deal
    again = np.concatenate([np.flatnonzero(games.deal == d) for d in np.repeat(range(60), times)])
    deal = np.repeat(np.arange(60), games.games // 60)
    played = Matches(games.names, deal, games.seats[again], games.share[again], games.teams[again])
    one = rate(games, "s1", resamples=SMALL).draws[7] / POINTS
    assert one == pytest.approx(strengths(rate(played, "s1", resamples=9)), abs=2e-4)


def test_planted_strengths_are_found_and_nothing_misleads() -> None:
    found = rate(made_matches(THETA, multisets(4, 4), 2_000, gamma=GAMMA, sizes=SIZES), "s0")
    for one, true in zip(found.ratings, THETA, strict=True):
        assert one.points is not None and one.points.low is not None and one.points.high is not None
        assert one.points.low - 3 <= POINTS * true <= one.points.high + 3
    assert found.rating("s3").best == 1.0
    assert found.warning is None and found.check is not None and found.check.p > 0.01
    assert found.check.explained is not None and found.check.explained.mean > 0.99
    alone = found.rating("s3").alone
    assert alone is not None and 0.30 < alone.mean < 0.45


CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) * 0.4


@pytest.mark.parametrize("players", [2, 4])
def test_a_circle_is_flagged(players: int) -> None:
    found = rate(made_matches([0, 0.1, 0], multisets(3, players), 800, prefer=CIRCLE), "s0")
    assert found.check is not None and found.check.triples[0].names == ("s0", "s1", "s2")
    assert found.warning is not None and "s0 beats s1, s1 beats s2" in found.warning.en
    assert found.check.cyclic is not None and found.check.cyclic.mean > 0.8


def test_a_circle_without_exception_is_flagged() -> None:
    found = rate(made_matches([0, 0, 0], multisets(3, 2), 30, prefer=300 * CIRCLE), "s0")
    assert found.check is not None and found.check.triples[0].p < 1e-6
    assert found.warning is not None and "no single number" in found.warning.en


def test_win_shares_far_off_are_flagged_though_nearly_all_is_explained() -> None:
    prefer = np.zeros((3, 3))
    prefer[0, 2], prefer[2, 0] = 0.7, -0.7
    found = rate(made_matches([0, 1.5, 3], multisets(3, 4), 400, prefer=prefer), "s0")
    check = found.check
    assert check is not None and check.explained is not None and check.explained.mean > 0.95
    words = "win shares are off by more than 5 points, as that of s1 in 3 s0, 1 s1"
    assert found.warning is not None and words in found.warning.en
    # One in twenty and fewer are no reason to warn, and line-ups of equals tell nothing.
    assert all("," in one.lineup for one in check.residuals)
    few = [one for one in check.residuals if not one.is_far_off]
    off = next(one for one in check.residuals if one.is_far_off)
    assert replace(check, residuals=(off, *[few[0]] * 19)).warning is None
    assert replace(check, residuals=(off, *[few[0]] * 18)).warning is not None


def test_pairs_that_were_never_met_make_no_circle() -> None:
    gauntlet = [line for line in pairwise(4, 3) if 0 in line]
    found = rate(made_matches(THETA, gauntlet, 400), "s0")
    assert found.check is not None and found.check.cyclic is None and found.warning is None
    assert all(one.points for one in found.ratings)


def test_what_has_no_finite_rating_is_told_in_words() -> None:
    games = made_matches([0, 0.5, -40, 40], pairwise(4, 3), 200)
    found = rate(games, "s0")
    words = [one.reason.en if one.reason else None for one in found.ratings]
    assert words == [
        None,
        None,
        "it never won against the others",
        "the others never won against it",
    ]
    alike = rate(games.where((games.seats < 2).all(axis=1)), "s0")
    assert strengths(found) == pytest.approx(strengths(alike), abs=0.01)


def test_strategies_that_no_game_links_are_told_in_words() -> None:
    apart = made_matches([0, 0, 0, 0], [(0, 0, 1), (2, 2, 3)], 100)
    reasons = [one.reason for one in rate(apart, "s0").ratings]
    assert [reason is None for reason in reasons] == [True, True, False, False]
    assert reasons[2] is not None and "links" in reasons[2].en


def test_few_wins_leave_the_interval_open() -> None:
    games = made_matches([0, 0, -6.0], pairwise(3, 3), 60, seed=4)
    found = rate(games, "s0")
    points = found.rating("s2").points
    assert points is not None and points.low is None and points.high is not None
    assert found.unsettled > 0 and any("resamples" in note.en for note in found.notes)


def test_nobody_ever_wins() -> None:
    games = made_matches([0, 0], pairwise(2, 3), 20, sizes={1: 1e-12, 0: 1.0})
    found = rate(games, "s0")
    assert found.check is None and all(one.points is None and one.reason for one in found.ratings)


def test_everybody_always_shares_the_win() -> None:
    found = rate(made_matches([0, 0], pairwise(2, 3), 20, sizes={3: 1.0}), "s0")
    assert found.check is None and all(one.points is None and one.reason for one in found.ratings)


def test_one_deal_has_values_and_no_intervals() -> None:
    found = rate(made_matches([0, 0.1, 0.2], multisets(3, 4), 1, alike=0.0), "s0", resamples=9)
    points = found.rating("s1").points
    assert points is not None and points.se is points.low is points.high is found.check is None


def test_a_rare_tie_leaves_the_ratings_as_they_are() -> None:
    games = made_matches([0, 0.4], pairwise(2, 3), 300, sizes={1: 1.0, 2: 0.002}, seed=2)
    found = rate(games, "s0")
    (size, weight) = found.sizes[0]
    assert size == 2 and 0 < (games.winners.sum(axis=1) == 2).sum() < 20
    assert weight.low is not None and weight.high is not None
    assert 0 < weight.low < weight.mean < weight.high and found.unsettled == 0


def test_teams_are_found_and_rated_as_teams() -> None:
    random = np.random.default_rng(5)
    theta, deals = np.array([0.0, 1.0]), 600
    seats = np.tile([(0, 1, 0, 1), (1, 0, 1, 0), (0, 0, 0, 1), (1, 0, 0, 0)], (deals, 1))
    start = random.integers(0, 4, len(seats))
    strength = theta[seats].reshape(-1, 2, 2).mean(axis=1)  # seats 0 and 2 against 1 and 3
    first = random.random(len(seats)) < 1 / (1 + np.exp(strength[:, 1] - strength[:, 0]))
    share = np.where(first[:, None] == np.array([1, 0, 1, 0]), SHARE_UNIT // 2, 0)
    games = matches(("a", "b"), np.repeat(np.arange(deals), 4), start, seats, share)
    assert games.has_teams
    assert {tuple(line) for line in games.teams.tolist()} == {(0, 1, 0, 1)}
    found = rate(games, "a")
    points = found.rating("b").points
    assert points is not None and points.low is not None and points.high is not None
    assert points.low < POINTS < points.high
    assert any("team" in note.en for note in found.notes)
    assert found.places == (None,) * 4  # only teams of places have won


def test_a_strategy_without_games_of_its_own_is_refused_as_anchor() -> None:
    with pytest.raises(ValueError, match="no strategy is called x; there are s0"):
        rate(made(), "x")


# Games of a run


GAME = """
game = "schadenfreude"
players = 3
deals = 40
seed = 1
mode = "games"

[[lineup]]
name = "mixed"
strategies = ["greedy_gain", "lowest", "uniform"]

[[lineup]]
name = "two"
strategies = ["lowest", "uniform", "uniform"]

[[lineup]]
name = "alike"
strategies = ["lowest", "lowest", "lowest"]
"""


def test_the_games_of_a_run_by_place_are_those_of_its_sums(tmp_path: Path) -> None:
    (tmp_path / "run.toml").write_text(GAME, encoding="utf-8")
    with Folder(tmp_path / "out", from_file(tmp_path / "run.toml")) as store:
        run = play(from_file(tmp_path / "run.toml"), store)
    games = matches_of(run)
    assert (games.deals, games.games, games.has_teams) == (40, 40 * (3 + 3 + 1), False)
    for cell in run.cells:
        line = tuple(sorted(games.names.index(name) for name in cell.lineup))
        mine = games.of_lineup(games.lineups.index(line))
        assert mine.share.sum(axis=0).tolist() == cell.totals["sum"][BY_PLACE, 0].tolist()
        for i in {*line}:
            sums = [
                s
                for s, name in zip(cell.totals["sum"][0, 0], cell.lineup, strict=True)
                if name == games.names[i]
            ]
            assert int(mine.share[mine.seats == i].sum()) == sum(sums)


def test_shares_are_those_of_the_rules() -> None:
    won = np.array([[1, 0, 1, 0, 1], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0]], bool)
    of_teams = shares_of(won, np.array([0, 1, 0, 1, 0]))
    assert of_teams[0] == pytest.approx([1 / 3, 0, 1 / 3, 0, 1 / 3])
    assert of_teams[1] == pytest.approx([1 / 6, 1 / 4, 1 / 6, 1 / 4, 1 / 6])
    assert not of_teams[2].any()
