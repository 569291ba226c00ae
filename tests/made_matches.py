"""Games of strategies whose strengths are known: made from the model of `analysis.ratings`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations, combinations_with_replacement
from typing import Any

import numpy as np

from analysis.headtohead import Line, seated
from analysis.matches import Matches, matches
from sim.core.game import SHARE_UNIT

Array = np.ndarray[Any, Any]


def multisets(strategies: int, players: int) -> list[tuple[int, ...]]:
    """Every line-up."""
    return list(combinations_with_replacement(range(strategies), players))


def pairwise(strategies: int, players: int) -> list[tuple[int, ...]]:
    """One against all others, both ways."""
    return [
        (one,) * k + (other,) * (players - k)
        for one, other in combinations(range(strategies), 2)
        for k in sorted({1, players - 1})
    ]


def outcomes(players: int, sizes: Sequence[int]) -> list[tuple[int, ...]]:
    """Sets of winners of some sizes; size 0: nobody."""
    return [one for size in sizes for one in combinations(range(players), size)]


def chances(
    seats: Array, theta: Array, gamma: Array, sizes: dict[int, float], prefer: Array | None = None
) -> Array:
    """Chance of each of `outcomes` [tables, K], for strategies at the places [tables, n].

    A row of `prefer` is what a strategy gains against each other one, as mean over the others.
    """
    n = seats.shape[1]
    strength = theta[seats] + gamma
    if prefer is not None:
        against = prefer[seats[:, :, None], seats[:, None, :]]
        strength = strength + (against.sum(axis=2) - prefer[seats, seats]) / (n - 1)
    columns = [
        sizes[len(one)] * np.exp(strength[:, list(one)].mean(axis=1))
        if one
        else np.full(len(seats), sizes[0])
        for one in outcomes(n, [*sizes])
    ]
    weight = np.stack(columns, axis=1)
    return np.asarray(weight / weight.sum(axis=1, keepdims=True))


def lines_of(games: Matches) -> list[Line]:
    """Who sat in the line-ups that hold several strategies, and what they won."""
    found = []
    for lineup, who in enumerate(games.lineups):
        if len({*who}) > 1:
            one = games.where(games.lineup == lineup)
            n = len(games.names)
            found.append(seated(one.share, one.seats, range(n), one.cluster, one.deals))
    return found


def made_matches(
    theta: Sequence[float],
    lineups: Sequence[Sequence[int]],
    deals: int,
    *,
    gamma: Sequence[float] | None = None,
    sizes: dict[int, float] | None = None,
    prefer: Array | None = None,
    alike: float = 0.3,
    seed: Any = 1,
    names: Sequence[str] = (),
) -> Matches:
    """Games of all line-ups in all rotations on the same deals.

    Parameters
    ----------
    sizes
        Weight of a win shared by k, and of nobody's (k = 0); a single win has 1.
    alike
        Share of the games whose result hangs on the deal alone, given who sits where.
    """
    random = np.random.default_rng(seed)
    n = len(lineups[0])
    weights = sizes or {1: 1.0}
    turned = [
        tuple(np.roll(line, turn))
        for line in lineups
        for turn in range(n if len({*line}) > 1 else 1)
    ]
    seats = np.array(turned)  # by place, of a deal
    cumulated = chances(
        seats, np.array(theta), np.array(gamma or [0.0] * n), weights, prefer
    ).cumsum(axis=1)
    games = len(seats)
    luck = np.where(
        random.random((deals, games)) < alike,
        random.random((deals, 1)),
        random.random((deals, games)),
    )
    which = np.minimum((luck[:, :, None] > cumulated).sum(axis=2), cumulated.shape[1] - 1)
    won = np.array([[place in one for place in range(n)] for one in outcomes(n, [*weights])])
    share = won * (SHARE_UNIT // np.maximum(won.sum(axis=1, keepdims=True), 1))
    deal = np.repeat(np.arange(deals), games)
    return matches(
        names or [f"s{i}" for i in range(len(theta))],
        deal,
        np.zeros(len(deal), np.int64),
        np.tile(seats, (deals, 1)),
        share[which.ravel()],
    )
