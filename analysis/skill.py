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
    within a place of a deal: what the others did, who they were, own chance, how well one plays
    this hand.

Games of one deal have nothing in common but the deal, so the products of results of different games
tell cards and match apart from the rest, whatever the results of one game have to do with each
other (where one wins the others do not). All are unbiased moments with intervals over deals; small
parts may come out a little below zero. Match may come out surely below zero: win shares are bounded
and add up to one, so that a better strategy gains more at a good place than at a bad one. Parts
that add cannot show this, and match is then less than none, the rest as much too large. Several
line-ups on the same deals count alike.

References
----------
Searle, Casella and McCulloch (1992), Variance components, chapters 4 and 5: moments of crossed
models. Koch (1967), A general approach to the estimation of variance components: from products of
pairs that share an effect and nothing else.
Feller (1968), An introduction to probability theory and its applications, volume 1, chapter 14: the
walk of who leads.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
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
    table = np.asarray(values, np.float64)
    deals, games, n = table.shape
    if deals < 2 or games != n or n < 3 or len(np.unique(strategies)) < 2:
        raise ValueError("it takes two deals, two strategies, and three places in as many games")
    parts, influence, used = _influences(table, strategies, np.zeros(deals, np.int64))
    if not used:
        raise ValueError("every strategy must sit at each place equally often, twice in one order")
    return _components(parts, influence, used)


def components_of(matches: Matches) -> Components | None:
    """Variance components of the win share, all line-ups that turned over the seats together.

    None if there is no such line-up of two strategies, with too few deals, or with two players,
    whose games are too few to tell match from rest.
    """
    deals, n = matches.deals, matches.players
    if deals < 2 or n < 3:
        return None
    layout = matches.teams @ n ** np.arange(n)
    order = np.lexsort((matches.cluster, matches.lineup))
    starts = np.flatnonzero(np.diff(matches.lineup[order], prepend=-1))
    found = []
    for first, last in pairwise([*starts.tolist(), matches.games]):
        those = order[first:last]
        is_mixed = len({*matches.lineups[matches.lineup[those[0]]]}) > 1
        if is_mixed and (np.bincount(matches.cluster[those], minlength=deals) == n).all():
            shape = (deals, n, n)
            values = matches.share[those].reshape(shape) / SHARE_UNIT
            teams = layout[those].reshape(deals, n)[:, 0]
            found.append(_influences(values, matches.seats[those].reshape(shape), teams))
    games = sum(each for *_, each in found)
    if not games:
        return None
    parts = sum(mine * each for mine, _, each in found) / games
    influence = sum(moved * each for _, moved, each in found) / games
    return _components(np.asarray(parts), np.asarray(influence), games)


def _influences(values: Floats, strategies: Ints, kind: Ints) -> tuple[Floats, Floats, int]:
    """The parts [4], what each deal moves them, times the deals [D, 4], and the games that count.

    Deals on which the strategies sat in the same order around the table, and places were the same
    teams, are reckoned together, as their games differ by the deal alone. A deal with an order of
    its own does not count.
    """
    deals, _, n = values.shape
    taken, number = np.unique(strategies, return_inverse=True)
    number = number.reshape(values.shape)
    codes = number @ len(taken) ** np.arange(n)
    order = np.argsort(codes, axis=1, kind="stable")
    alike = np.column_stack([np.take_along_axis(codes, order, axis=1), kind])
    _, group = np.unique(alike, axis=0, return_inverse=True)
    group = group.ravel()
    who = np.take_along_axis(number, order[:, :, None], axis=1)
    table = np.take_along_axis(values, order[:, :, None], axis=1)
    parts, influence, used = np.zeros(len(PARTS)), np.zeros((deals, len(PARTS))), 0
    for one in range(int(group.max()) + 1):
        those = np.flatnonzero(group == one)
        if len(those) > 1 and _is_turned(who[those[0]]):
            found = _of_alike(table[those], who[those[0]])
            parts += found.sum(axis=0)
            influence[those] = found - found.mean(axis=0)
            used += len(those)
    return parts / max(used, 1), influence * deals / max(used, 1), used * n


def _is_turned(who: Ints) -> bool:
    """Whether every strategy sits at each place equally often [games, n]."""
    each = np.array([(who == one).sum(axis=0) for one in np.unique(who)])
    return bool((each == each[:, :1]).all())


def _of_alike(table: Floats, who: Ints) -> Floats:
    """The parts as means over deals [D, 4], of deals with the same games [D, n, n], who sat [n, n].

    Every product is one of results that are centred over these deals, so that its mean is the
    covariance, with one deal less in the divisor.
    """
    deals, _, n = table.shape
    taken = np.unique(who)
    weight = np.array([(who == one).sum() for one in taken]) / n**2
    mean, scale = table.mean(axis=0), deals / (deals - 1)
    apart = table - mean  # from the same table with the same strategies on other deals
    place = _products(apart).mean(axis=1)  # of two games at the same place [D]
    deal = _products(apart.mean(axis=2, keepdims=True))[:, 0]  # of the means of two games
    own = np.zeros(deals)  # of the same strategy in two games at different places
    for one, share in zip(taken, weight, strict=True):
        mine = np.where(who == one, apart, 0.0)
        by_place = mine.sum(axis=1)
        pairs = by_place[:, :, None] * by_place[:, None, :] - mine.transpose(0, 2, 1) @ mine
        at = (who == one).astype(np.int64)
        count = np.outer(at.sum(axis=0), at.sum(axis=0)) - at.T @ at
        np.fill_diagonal(count, 1)
        pairs[:, np.arange(n), np.arange(n)] = 0.0
        own += share * (pairs / count).sum(axis=(1, 2)) / (n * (n - 1))
    # At one place two others sit, whose match adds up to nothing: place = cards - match / (n - 1).
    # At two places a strategy has other cards: own = match + (n * deal - cards) / (n - 1).
    other, both = own - n * deal / (n - 1), scale / (1 - 1 / (n - 1) ** 2)
    match = (other + place / (n - 1)) * both
    by_place = table.mean(axis=1)
    cards = (place + other / (n - 1)) * both + _spread(by_place, np.full(n, 1 / n))
    by_strategy = [table[:, who == one].mean(axis=1) for one in taken]
    skill = _spread(np.stack(by_strategy, axis=1), weight)
    whole = ((table - mean.mean()) ** 2).mean(axis=(1, 2))
    whole += table.mean(axis=(1, 2)).var(ddof=1) / deals  # what the mean of all has taken with it
    return np.stack([skill, cards, match, whole - skill - cards - match], axis=1)


def _spread(values: Floats, weight: Floats) -> Floats:
    """Variance between the means of columns [D, k], as a mean over deals [D], without bias."""
    deals = len(values)
    mean = values.mean(axis=0)
    apart, moved = mean - weight @ mean, values - mean
    moved = moved - (moved @ weight)[:, None]
    noise = float((moved**2 @ weight).sum()) / (deals - 1) / deals
    return np.asarray(float(apart**2 @ weight) - noise + 2 * moved @ (weight * apart))


def _products(values: Floats) -> Floats:
    """Mean product of two different games [D, c], of values [D, R, c]."""
    games = values.shape[1]
    total = values.sum(axis=1) ** 2 - (values**2).sum(axis=1)
    return np.asarray(total / (games * (games - 1)))


def _components(parts: Floats, influence: Floats, games: int) -> Components:
    whole, shares = float(parts.sum()), None
    if whole > 0:
        slope = (np.eye(len(PARTS)) - parts[:, None] / whole) / whole
        shares = Moments.from_influence(parts / whole, influence @ slope.T)
    return Components(Moments.from_influence(parts, influence), shares, games)


def _within(est: Estimate, low: float, high: float) -> Estimate:
    """The same with ends that can be."""
    assert est.low is not None and est.high is not None, "of more than one deal"
    return replace(est, low=max(est.low, low), high=min(est.high, high))


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
    found = [_within(est, 0.0, 1.0) for est in _estimates(rates, games, level)]
    ahead, behind = (found[i] for i in order)
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
