"""Skill against luck: of what a result's variance is made, and how long until the better one leads.

In the duplicate design a line-up sits on the same cards in every rotation, so that each place of a
deal has been played by all of it. The variance of a single result is the sum of four:

skill
    between the strategies of the line-up: the spread of their means.
cards
    between the places of the deals, whoever plays there: the hand, the order of play, the chance
    of the rules, which all come from the deal.
match
    between the strategies on one deal, beyond their skill: what a deal is good for, wherever one
    sits.
rest
    within a place of a deal: what the others did, own chance, how well one plays this hand.

Games of one deal have nothing in common but the deal, so the products of results of different games
tell cards and match apart from the rest, whatever the results of one game have to do with each
other (where one wins the others do not). All are unbiased moments with intervals over deals; small
parts may come out a little below zero. Several line-ups on the same deals count alike.

References
----------
Searle, Casella and McCulloch (1992), Variance components, chapters 4 and 5: moments of crossed
models. Koch (1967), A general approach to the estimation of variance components: from products of
pairs that share an effect and nothing else.
Feller (1968), An introduction to probability theory and its applications, volume 1, chapter 14: the
walk of who leads.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from math import ceil, sqrt
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike

from analysis.intervals import LEVEL, Estimate, quantile
from analysis.matches import Ints, Matches
from analysis.moments import Floats, Moments
from sim.core.game import SHARE_UNIT

PARTS = ("skill", "cards", "match", "rest")
MOST_GAMES = 10**9  # beyond which nobody will see who is better
_EXACT = 20_000  # games, up to which the walk is reckoned exactly


@dataclass(frozen=True, eq=False)
class Components:
    """Variance of a single result, by `PARTS`."""

    variances: Moments  # [4], in the square of the unit of the values
    shares: Moments | None  # [4], of their sum; None if nothing varies
    games: int

    def estimates(self, level: float = LEVEL) -> dict[str, Estimate] | None:
        """Share of each part, with an interval over deals; None if nothing varies."""
        if self.shares is None:
            return None
        return dict(zip(PARTS, _estimates(self.shares, self.games, level), strict=True))


def components(values: ArrayLike, strategies: Ints) -> Components:
    """Variance components of one line-up.

    Parameters
    ----------
    values
        [D, n, n] result of every place in each game of a deal; three places or more.
    strategies
        [D, n, n] who sat there; every strategy at each place equally often on every deal.

    Raises
    ------
    ValueError
        With fewer deals, places or strategies than it takes, or seats that were not turned.
    """
    return _combined([_influences(np.asarray(values, np.float64), strategies)], np.size(values))


def components_of(matches: Matches) -> Components | None:
    """Variance components of the win share, all line-ups that turned over the seats together.

    None without a line-up of two strategies in as many games a deal as places, with one deal, or
    with two players, whose games are too few to tell match from rest.
    """
    if matches.deals < 2 or matches.players < 3:
        return None
    found, n = [], matches.players
    order = np.lexsort((matches.cluster, matches.lineup))
    ends = np.searchsorted(matches.lineup[order], np.arange(len(matches.lineups) + 1))
    for line, (first, last) in zip(matches.lineups, pairwise(ends.tolist()), strict=True):
        if len({*line}) > 1 and last - first == matches.deals * n:
            those = order[first:last]
            shape = (matches.deals, n, n)
            values = matches.share[those].reshape(shape) / SHARE_UNIT
            found.append(_influences(values, matches.seats[those].reshape(shape)))
    return _combined(found, len(found) * matches.deals * n) if found else None


def _influences(values: Floats, strategies: Ints) -> tuple[Floats, Floats]:
    """The parts [4] and what each deal moves them, times the deals [D, 4]."""
    deals, games, n = values.shape
    who, number = np.unique(strategies, return_inverse=True)
    number, k = number.reshape(values.shape), len(who)
    if deals < 2 or games != n or n < 3 or k < 2:
        raise ValueError("it takes two deals, two strategies, and three places in as many games")
    taken = np.stack([number == one for one in range(k)])  # [k, D, n, n]
    seats = taken[:, 0].sum(axis=(1, 2))
    weight = seats / seats.sum()
    mine = ((values * taken).sum(axis=(2, 3)) / seats[:, None]).T  # of each strategy [D, k]
    mean, covariance = mine.mean(axis=0), np.cov(mine.T)
    whole = float(weight @ mean)
    apart = values - mean[number]
    place = _products(apart).mean(axis=1)  # of two games at the same place [D]
    deal = _products(apart.mean(axis=2, keepdims=True))[:, 0]  # of the means of two games
    own = np.zeros(deals)  # of the same strategy in two games at different places
    for one in range(k):
        mine_only = np.where(taken[one], apart, 0.0)
        by_place = mine_only.sum(axis=1)
        pairs = by_place[:, :, None] * by_place[:, None, :]
        pairs -= mine_only.transpose(0, 2, 1) @ mine_only  # in one game
        at = taken[one, 0].astype(np.int64)
        count = np.outer(at.sum(axis=0), at.sum(axis=0)) - at.T @ at
        np.fill_diagonal(count, 1)
        if not count.all():
            raise ValueError("every strategy must sit at each place in another game")
        pairs[:, np.arange(n), np.arange(n)] = 0.0
        own += weight[one] * (pairs / count).sum(axis=(1, 2)) / (n * (n - 1))
    # The means of the strategies are those of these deals: what they have taken with them.
    of_two = (n * weight @ covariance @ weight - weight @ np.diag(covariance)) / (n - 1)
    place += of_two / deals
    own += weight @ np.diag(covariance) / deals
    deal += weight @ covariance @ weight / deals
    # At one place two others sit, whose match adds up to nothing: place = cards - match / (n - 1).
    # At two places a strategy has other cards: own = match + (n * deal - cards) / (n - 1).
    other = own - n * deal / (n - 1)
    scale = 1 - 1 / (n - 1) ** 2
    cards = (place + other / (n - 1)) / scale
    match = (other + place / (n - 1)) / scale
    moved = mine - mean
    spread = mean - whole
    skill = float(spread**2 @ weight) - weight @ np.diag(covariance) / deals
    skill += weight @ covariance @ weight / deals
    skills = skill + 2 * (moved - (moved @ weight)[:, None]) @ (weight * spread)
    every = ((values - whole) ** 2).mean(axis=(1, 2)) + weight @ covariance @ weight / deals
    by_deal = np.stack([skills, cards, match, every - skills - cards - match], axis=1)
    parts = by_deal.mean(axis=0)
    return parts, by_deal - parts


def _products(values: Floats) -> Floats:
    """Mean product of two different games [D, c], of values [D, R, c]."""
    games = values.shape[1]
    total = values.sum(axis=1) ** 2 - (values**2).sum(axis=1)
    return np.asarray(total / (games * (games - 1)))


def _combined(found: list[tuple[Floats, Floats]], games: int) -> Components:
    parts = np.mean([one for one, _ in found], axis=0)
    influence = np.mean([moved for _, moved in found], axis=0)
    whole = float(parts.sum())
    shares = None
    if whole > 0:
        slope = (np.eye(len(PARTS)) - parts[:, None] / whole) / whole
        shares = Moments.from_influence(parts / whole, influence @ slope.T)
    return Components(Moments.from_influence(parts, influence), shares, games)


def _estimates(moments: Moments, games: int, level: float) -> list[Estimate]:
    width = quantile(moments.deals - 1, level)
    assert moments.se is not None
    return [
        Estimate(mean, se, mean - width * se, mean + width * se, moments.deals, games)
        for mean, se in zip(moments.mean.tolist(), moments.se.tolist(), strict=True)
    ]


@dataclass(frozen=True)
class Lead:
    """How long the better of two strategies must play until it leads."""

    better: str
    other: str
    ahead: Estimate  # share of the games in which it gets more of the win than the other
    behind: Estimate
    games: int | None  # until it leads with the wanted chance; None: beyond `MOST_GAMES`
    fewest: int | None  # the same at the ends of the interval of `ahead` less `behind`
    most: int | None  # None if the other one may be as good


def lead(
    matches: Matches, first: str, second: str, *, chance: float = LEVEL, level: float = LEVEL
) -> Lead | None:
    """How many games, each with a deal of its own, until the better one leads.

    A seat of one and a seat of the other are compared in every game in which both sit. None if
    they never meet, do as well as each other, or met on one deal.

    Parameters
    ----------
    chance
        Of having got more of the wins so far.
    """
    pair = [matches.names.index(name) for name in (first, second)]
    one, other = (matches.seats == strategy for strategy in pair)
    met = one.any(axis=1) & other.any(axis=1)
    deals = np.unique(matches.cluster[met])
    if len(deals) < 2:
        return None
    values, games = np.zeros((len(deals), 3)), 0
    at = np.minimum(np.searchsorted(deals, matches.cluster), len(deals) - 1)
    for a in range(matches.players):
        for b in range(matches.players):
            those = one[:, a] & other[:, b]
            apart = matches.share[those, a] - matches.share[those, b]
            for column, is_so in enumerate((apart > 0, apart < 0, np.ones(len(apart)))):
                values[:, column] += np.bincount(at[those], is_so, len(deals))
            games += int(those.sum())
    rates = Moments.from_values(values[:, :2] / values[:, 2:])
    if rates.mean[0] == rates.mean[1]:
        return None
    order = [0, 1] if rates.mean[0] > rates.mean[1] else [1, 0]
    ahead, behind = (_estimates(rates, games, level)[i] for i in order)
    sign = 1 if order[0] == 0 else -1
    (margin,) = _estimates(rates.combined([[sign, -sign]]), games, level)
    decided = ahead.mean + behind.mean
    assert margin.low is not None and margin.high is not None

    def until(difference: float) -> int | None:
        difference = min(difference, decided)
        return games_to_lead((decided + difference) / 2, (decided - difference) / 2, chance)

    return Lead(
        (first, second)[order[0]],
        (first, second)[order[1]],
        ahead,
        behind,
        until(margin.mean),
        until(margin.high),
        until(margin.low),
    )


def games_to_lead(ahead: float, behind: float, chance: float = LEVEL) -> int | None:
    """Games after which the one who is ahead in more of them leads with this chance, from then on.

    Parameters
    ----------
    ahead, behind
        Chances of a game in which one gets more than the other, and less.

    Returns
    -------
    int or None
        Exact up to 20,000 games; beyond from the normal distribution with half a game for
        continuity. None if it takes more than `MOST_GAMES`, or forever.
    """
    apart = ahead - behind
    if apart <= 0:
        return None
    z = NormalDist().inv_cdf(chance)
    spread = sqrt(max(ahead + behind - apart**2, 0.0))
    root = (z * spread + sqrt((z * spread) ** 2 + 2 * apart)) / (2 * apart)
    rough = max(1, ceil(root**2))
    if rough > MOST_GAMES:
        return None
    if rough > _EXACT:
        return rough

    def holds(n: int) -> bool:
        """Whether the chance is there with n games and with one more: draws come and go."""
        return min(chance_to_lead(ahead, behind, n), chance_to_lead(ahead, behind, n + 1)) >= chance

    low, high = 0, 2 * rough + 8
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if holds(middle) else (middle, high)
    return high


def chance_to_lead(ahead: float, behind: float, games: int) -> float:
    """Chance that more games went well than ill, of so many independent ones."""
    size = 2 * games + 1
    step = np.zeros(size)
    step[[0, 1, -1]] = 1 - ahead - behind, ahead, behind  # a step back is one around the circle
    walk = np.fft.irfft(np.fft.rfft(step) ** games, size)
    return float(np.clip(walk[1 : games + 1].sum(), 0.0, 1.0))
