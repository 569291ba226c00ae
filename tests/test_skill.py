"""Skill against luck on planted variances, and the walk of who leads against counting."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from analysis.skill import chance_to_lead, components, components_of, games_to_lead, lead
from tests.made_matches import made_matches, multisets, pairwise

Array = np.ndarray[Any, Any]


def duplicate(
    random: np.random.Generator,
    deals: int,
    skill: tuple[float, ...],
    cards: float = 2.0,
    match: float = 1.0,
    rest: float = 3.0,
    rivalry: float = 0.0,
) -> tuple[Array, Array]:
    """Values and strategies [deals, n, n] of a line-up that turned over the places.

    Equal skills are one strategy. Of the rest a share `rivalry` adds up to nothing in every game.
    """
    n = len(skill)
    kinds, which = np.unique(skill, return_inverse=True)
    who = which[(np.arange(n) - np.arange(n)[:, None]) % n]
    luck = random.standard_normal((deals, 1, n)) * np.sqrt(cards)
    weight = np.bincount(which) / n
    taste = random.standard_normal((deals, len(kinds)))
    taste -= (taste @ weight)[:, None]
    taste *= np.sqrt(match / ((1 - weight) @ weight))
    noise = random.standard_normal((deals, n, n))
    level = noise - noise.mean(axis=2, keepdims=True)
    noise = (
        np.sqrt(1 - rivalry) * random.standard_normal((deals, n, n))
        + np.sqrt(rivalry * n / (n - 1)) * level
    )
    values = kinds[who] + luck + taste[:, who] + noise * np.sqrt(rest)
    return values, np.broadcast_to(who, values.shape)


@pytest.mark.parametrize("skill", [(1.0, 0.0, -1.0), (1.0, 0.0, 0.0, -1.0), (2.0, 0.0, 0.0)])
@pytest.mark.parametrize("rivalry", [0.0, 1.0])
def test_planted_components_are_found(skill: tuple[float, ...], rivalry: float) -> None:
    random = np.random.default_rng(1)
    found = [components(*duplicate(random, 12, skill, rivalry=rivalry)) for _ in range(2_000)]
    means = np.array([one.variances.mean for one in found])
    true = [np.var(skill), 2.0, 1.0, 3.0]
    error = means.std(axis=0) / np.sqrt(len(found))
    assert (abs(means.mean(axis=0) - true) <= 4 * error).all()  # without bias with twelve deals
    shares = components(*duplicate(random, 4_000, skill, rivalry=rivalry)).estimates()
    assert shares is not None
    for share, part in zip(shares.values(), true, strict=True):
        assert share.low is not None and share.high is not None
        assert share.low - 0.01 < part / sum(true) < share.high + 0.01 < share.low + 0.08


def test_equal_strategies_have_no_skill_and_constant_results_no_shares() -> None:
    random = np.random.default_rng(2)
    shares = components(
        np.random.default_rng(2).standard_normal((500, 3, 3)), duplicate(random, 500, (1, 2, 3))[1]
    ).estimates()
    assert (
        shares is not None and shares["skill"].low is not None and shares["skill"].high is not None
    )
    assert shares["skill"].low < 0 < shares["skill"].high
    nothing = components(np.ones((5, 3, 3)), duplicate(random, 5, (1, 2, 3))[1])
    assert nothing.estimates() is None
    with pytest.raises(ValueError, match="at each place equally often"):
        components(np.ones((5, 3, 3)), np.broadcast_to(np.arange(3), (5, 3, 3)))
    with pytest.raises(ValueError, match="it takes two deals"):
        components(np.ones((1, 3, 3)), np.zeros((1, 3, 3), int))


def test_what_hangs_on_the_deal_is_luck_of_the_cards() -> None:
    def shares(alike: float) -> list[float]:
        found = components_of(made_matches([0, 1, 2], multisets(3, 3), 600, alike=alike))
        assert found is not None and found.shares is not None
        return found.shares.mean.tolist()

    assert shares(0.0)[1] == pytest.approx(0.0, abs=0.02)
    assert shares(1.0)[1] > 0.25
    assert shares(0.0)[0] == pytest.approx(shares(1.0)[0], abs=0.03)
    assert sum(shares(0.5)) == pytest.approx(1.0)
    assert components_of(made_matches([0, 1], [(0, 0, 0), (1, 1, 1)], 50)) is None


def test_a_strategy_that_nearly_always_wins_shows_skill_and_no_match() -> None:
    found = components_of(made_matches([0, 2, 4], multisets(3, 3), 1_500, alike=0.0))
    assert found is not None
    shares = found.estimates()
    assert shares is not None and shares["skill"].mean > 0.4
    for name in ("cards", "match"):
        assert shares[name].se is not None and abs(shares[name].mean) < 3 * shares[name].se


def test_the_walk_is_that_of_counting() -> None:
    once = np.array([0.3, 0.2, 0.5])  # behind, level, ahead
    walk = once
    for games in range(1, 6):
        assert chance_to_lead(0.5, 0.3, games) == pytest.approx(walk[games + 1 :].sum())
        walk = np.convolve(walk, once)


def test_games_until_the_better_one_leads() -> None:
    assert games_to_lead(1.0, 0.0) == 1
    assert games_to_lead(0.3, 0.3) is games_to_lead(0.2, 0.3) is None
    assert games_to_lead(0.5, 0.5 - 1e-12) is None
    found = games_to_lead(0.55, 0.45)
    assert found is not None
    assert min(chance_to_lead(0.55, 0.45, n) for n in (found, found + 1)) >= 0.95
    assert min(chance_to_lead(0.55, 0.45, n) for n in (found - 1, found)) < 0.95
    near, far = games_to_lead(0.2584, 0.25), games_to_lead(0.2582, 0.25)  # exact, and by normal
    assert near is not None and far is not None and far / near == pytest.approx(1.049, abs=0.003)


def test_a_lead_is_that_of_the_planted_strengths() -> None:
    games = made_matches([0, 0.6, 0.6], pairwise(3, 3), 1_500, seed=4)
    found = lead(games, "s0", "s1")
    assert found is not None and (found.better, found.other) == ("s1", "s0")
    assert found.games is not None and found.fewest is not None and found.most is not None
    assert found.fewest < found.games < found.most
    pair = found.ahead.mean / (found.ahead.mean + found.behind.mean)
    assert pair == pytest.approx(1 / (1 + np.exp(-0.6)), abs=0.02)
    level = lead(games, "s1", "s2")
    assert level is None or level.most is None
    assert lead(games.where(games.seats[:, 0] == 0), "s1", "s2") is None
