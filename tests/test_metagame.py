"""Alpha-rank on planted strategies: a best one, a circle, equal ones; and the chain itself."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from analysis import metagame
from analysis.metagame import MetaGame, alpha_rank, over_lineups
from sim.core.game import Words
from tests.made_matches import made_matches, multisets, pairwise
from tests.test_ratings import CIRCLE


def told(found: MetaGame | Words) -> MetaGame:
    assert isinstance(found, MetaGame), found
    return found


@pytest.mark.parametrize("rank", [alpha_rank, over_lineups])
def test_the_best_strategy_has_all_the_mass(rank: Callable[..., MetaGame | Words]) -> None:
    found = told(rank(made_matches([0, 0.4, 0.9], multisets(3, 3), 600), resamples=99))
    assert [round(one.mean, 2) for one in found.mass] == [0, 0, 1]
    assert found.ranks[2, 0] == 1.0
    if rank is alpha_rank:
        assert found.ranks.sum(axis=0) == pytest.approx(1) == found.ranks.sum(axis=1)
        assert not found.gone.any()
    else:  # what does not last has no rank, and none is shared out among such
        assert not found.ranks[:2].any() and found.gone.tolist() == [1, 1, 0]
    assert found.states[0][0] in ("s2", "3 s2")


@pytest.mark.parametrize("rank", [alpha_rank, over_lineups])
def test_a_circle_shares_the_mass(rank: Callable[..., MetaGame | Words]) -> None:
    found = told(rank(made_matches([0, 0, 0], multisets(3, 3), 2_000, prefer=CIRCLE), resamples=99))
    assert [one.mean for one in found.mass] == pytest.approx([1 / 3] * 3, abs=0.06)
    if rank is alpha_rank:
        assert found.ranks == pytest.approx(1 / 3)
    assert not found.gone.any()


def test_equal_strategies_have_equal_chances() -> None:
    level = metagame._masses(np.full((1, 3, 3, 5), 0.25), 1e6)
    assert np.exp(level) == pytest.approx(1 / 3)
    assert metagame._ranks(level) == pytest.approx(1 / 3)
    found = told(alpha_rank(made_matches([0, 0], multisets(2, 3), 400), resamples=199))
    assert 0.02 < found.ranks[0, 0] < 0.98


def test_rates_however_small_have_the_right_distribution() -> None:
    rate = np.array([[0.5, 0.3, 0.2], [0.1, 0.8, 0.1], [0.25, 0.25, 0.5]])
    mass = np.exp(metagame._stationary(np.log(rate)[None]))[0]
    assert mass @ rate == pytest.approx(mass)
    tiny = np.array([[0.0, -4000.0, -9000.0], [-4001.0, 0.0, -9000.0], [0.0, 0.0, 0.0]])
    assert metagame._stationary(tiny[None])[0, :2] == pytest.approx(
        [-np.log1p(np.e), -np.log1p(1 / np.e)]
    )


def test_payoffs_are_those_of_the_tables_drawn_from_the_population() -> None:
    shares = np.zeros((1, 2, 2, 3))  # two at a table: what one gets against the other
    shares[0, 0, 1, 1], shares[0, 1, 0, 1] = 0.7, 0.3
    shares[0, 0, 0, 2] = shares[0, 1, 1, 2] = shares[0, 0, 1, 2] = shares[0, 1, 0, 2] = 0.5
    m, alpha = metagame.POPULATION, 0.4
    p = np.arange(1, m)
    new = ((p - 1) * 0.5 + (m - p) * 0.7) / (m - 1)
    old = (p * 0.3 + (m - p - 1) * 0.5) / (m - 1)
    there = 1 / (1 + np.exp(-alpha * np.cumsum(new - old)).sum())
    back = 1 / (1 + np.exp(alpha * np.cumsum((new - old)[::-1])).sum())
    mass = np.exp(metagame._masses(shares, alpha))[0]
    assert mass == pytest.approx([back / (there + back), there / (there + back)])


def test_a_table_that_was_not_played_lies_between() -> None:
    lineups = [*pairwise(3, 4), *[(i,) * 4 for i in range(3)]]
    found = told(alpha_rank(made_matches([0, 0.4, 0.9], lineups, 300), resamples=99))
    assert found.mass[2].mean == pytest.approx(1.0)
    assert "between" in found.notes[0].en


def test_what_cannot_be_told_is_said() -> None:
    gauntlet = made_matches([0, 0, 0], [(0, 0, 1), (0, 0, 2)], 20)
    words = alpha_rank(gauntlet)
    assert isinstance(words, Words) and words.en.startswith("s1 and s2 never played")
    words = over_lineups(gauntlet)
    assert isinstance(words, Words) and words.en == "it takes all 10 line-ups; 2 were played"
    assert isinstance(alpha_rank(made_matches([0], [(0, 0)], 5)), Words)
