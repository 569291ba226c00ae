"""Ratings: how strong each strategy is, on one scale, whoever sits at the table.

The model is that of `analysis.plackett`: who wins, with shared wins, places, and 'nobody wins'.
A win that is shared counts as a tie of those who share it, unless the same seats share all their
wins: these are a team. Intervals are Student's over deals with a correction for skewness
(`analysis.influence`), taken where a quantity has no bounds: of points, of the logarithm of a
weight, of the log-odds of a win share. An end is open where too many resampled deals have no win
at all. A strategy without any win, or with nothing but wins, has no finite rating: words are said
instead (`Rating.reason`). It is counted as not there where it never wins, and games that such a one
always wins are left out, as they tell nothing about the others. Whether a rating tells the truth,
`analysis.rating_check` says.

References
----------
Hunter (2004), MM algorithms for generalized Bradley-Terry models: when the maximum exists.
Elo (1978), The rating of chessplayers, past and present: 400 points are odds of ten to one.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import inf, isfinite, log, nan

import numpy as np

from analysis.bootstrap import RESAMPLES, percentiles
from analysis.influence import spreads
from analysis.intervals import LEVEL, Estimate
from analysis.matches import Bools, Matches
from analysis.moments import Floats
from analysis.plackett import FAR, Counted, Fit, is_whole
from analysis.rating_check import Check, check
from sim.core.game import Words

POINTS = 400 / log(10)  # Elo-like points of a unit of log-strength
_STEP = 1e-4  # of a parameter, to see how a quantity follows it
ANCHOR = "uniform"


@dataclass(frozen=True)
class Rating:
    """One strategy on the scale of the anchor; None, with a reason, where it has no place on it."""

    name: str
    points: Estimate | None  # Elo-like; the anchor has 0. An end is None where it is open
    alone: Estimate | None  # win share of one against n - 1 of the anchor
    average: Estimate | None  # win share of one at a table of average strength
    best: float | None  # share of the resamples in which it is the strongest
    reason: Words | None = None


@dataclass(frozen=True, eq=False)
class Ratings:
    """All strategies on one scale."""

    anchor: str  # the strategy that has 0 points
    ratings: tuple[Rating, ...]  # in the order of `Matches.names`
    places: tuple[Estimate | None, ...]  # points that each place is worth, 0 on average
    sizes: tuple[tuple[int, Estimate], ...]  # winners k and delta[k]; not the smallest k
    nobody: Estimate | None  # points of 'nobody wins', as if it were a player; None if never seen
    draws: Floats  # [B, S] points in each resample; NaN where there is no rating
    unsettled: int  # resamples in which somebody never, or always, wins: ends of intervals are open
    deals: int
    games: int
    check: Check | None  # None without a rating, or with one deal
    notes: tuple[Words, ...]  # what a reader must know

    @property
    def warning(self) -> Words | None:
        """Why the ratings mislead; None if nothing speaks against them."""
        return self.check.warning if self.check else None

    def rating(self, name: str) -> Rating:
        """The rating of one strategy."""
        return {one.name: one for one in self.ratings}[name]


def rate(
    matches: Matches,
    anchor: str | None = None,
    *,
    level: float = LEVEL,
    resamples: int = RESAMPLES,
) -> Ratings:
    """Rate all strategies of a set of line-ups.

    Parameters
    ----------
    matches
        The games.
    anchor
        The strategy with 0 points; by default `uniform` if it took part, else the first.
    level
        Of the intervals.
    resamples
        Of the deals: how often each is the strongest, and where an interval is open.

    Raises
    ------
    ValueError
        No strategy is called as the anchor.
    """
    names = matches.names
    anchor = anchor or (ANCHOR if ANCHOR in names else names[0])
    if anchor not in names:
        raise ValueError(f"no strategy is called {anchor}; there are {', '.join(names)}")
    zero = names.index(anchor)
    inside, reasons = _who_can_be_rated(matches, zero)
    counted = Counted.of(matches, inside) if inside.sum() > 1 else None
    told = inside & _is_told(counted, zero) if counted else np.zeros_like(inside)
    reasons |= {int(one): _REASONS["together"] for one in np.flatnonzero(inside & ~told)}
    if counted is None or told.sum() < 2:
        reasons[zero] = _REASONS["alone"]
        rows = tuple(
            Rating(name, None, None, None, None, reasons[i]) for i, name in enumerate(names)
        )
        draws, places = np.full((resamples, len(names)), np.nan), (None,) * matches.players
        counts = (matches.deals, matches.games)
        return Ratings(anchor, rows, places, (), None, draws, 0, *counts, None, ())
    return _Told(matches, Fit(counted), zero, told, reasons, level, resamples).ratings()


_REASONS = {
    "never": Words("it never won against the others", "从未战胜过其他策略"),
    "always": Words("the others never won against it", "其他策略从未战胜过它"),
    "apart": Words("no game links it with the anchor", "没有任何一局把它与基准策略联系起来"),
    "together": Words("these games do not tell its strength apart", "这些对局无法单独分辨它的强弱"),
    "alone": Words("there is nothing to compare it with", "没有可以与之比较的策略"),
}


def _who_can_be_rated(matches: Matches, zero: int) -> tuple[Bools, dict[int, Words]]:
    """Which strategies have won and lost, directly or round about, against the anchor.

    Returns
    -------
    inside
        bool [S].
    reasons
        Of those that have not.
    """
    k = len(matches.names)
    beat = np.zeros((k, k), np.bool_)  # or shared a win with
    won, seats = matches.winners, matches.seats
    for a in range(matches.players):
        for b in range(matches.players):
            other = matches.teams[:, a] != matches.teams[:, b]
            games = won[:, a] & other
            beat[seats[games, a], seats[games, b]] = True
    up, down = _reach(beat)[zero], _reach(beat.T)[zero]  # below the anchor, above it
    reasons = {}
    for one in range(k):
        if not (up[one] and down[one]):
            kind = "never" if up[one] else "always" if down[one] else "apart"
            reasons[one] = _REASONS[kind]
    return up & down, reasons


def _reach(step: Bools) -> Bools:
    """Where one gets to along the arcs, from everywhere."""
    reach = step | np.eye(len(step), dtype=np.bool_)
    for _ in range(len(step)):
        reach = (reach.astype(np.int64) @ reach) > 0
    return reach


def _is_told(counted: Counted, zero: int) -> Bools:
    """Whether the games tell each strategy's strength from that of the anchor [S]."""
    apart = np.eye(counted.strategies, counted.n_parameters)
    apart[:, zero] -= 1
    return counted.tells(apart)


class _Told:
    """What a fit says about the strategies."""

    def __init__(
        self,
        matches: Matches,
        fit: Fit,
        zero: int,
        told: Bools,
        reasons: dict[int, Words],
        level: float,
        resamples: int,
    ) -> None:
        self.matches, self.fit, self.counted = matches, fit, fit.counted
        self.zero, self.told, self.reasons = zero, told, reasons
        self.level, self.resamples = level, resamples

    def ratings(self) -> Ratings:
        """Everything about the strategies."""
        m, c, n = self.matches, self.counted, self.matches.players
        draws, gone = self.fit.draws(self.resamples)
        drawn = slice(1, 1 + self.resamples)
        near = self.fit.values[:, None] + _STEP * np.eye(c.n_parameters)
        off = self.fit.values[:, None] - _STEP * np.eye(c.n_parameters)
        # Every quantity has a column for the fit, each resample, and each parameter up and down.
        theta, gamma, rest = c.split(np.column_stack([self.fit.values, draws, near, off]))
        theta[:, drawn][gone] = -2 * FAR
        unsettled = int((abs(theta[:, drawn]) > FAR).any(axis=0).sum())
        rest[len(c.sizes) :] -= theta[self.zero] + gamma.mean(axis=0)  # 'nobody' on the same scale
        theta, gamma = theta - theta[self.zero], gamma - gamma.mean(axis=0)
        mean = theta[self.told].mean(axis=0)
        rows = []
        top = np.where(self.told[:, None], theta, -np.inf)[:, drawn].argmax(axis=0)
        for one, name in enumerate(m.names):
            if not self.told[one]:
                rows.append(Rating(name, None, None, None, None, self.reasons[one]))
                continue
            alone, average = (
                self._share(theta[one], others, gamma, rest) for others in (0 * mean, mean)
            )
            rows.append(
                Rating(
                    name,
                    self._points(theta[one]),
                    self._of_odds(alone),
                    self._of_odds(average),
                    float((top == one).mean()),
                )
            )
        known = self._places_told()
        return Ratings(
            m.names[self.zero],
            tuple(rows),
            tuple(self._points(gamma[place]) if known[place] else None for place in range(n)),
            tuple((int(size), self._of_log(rest[k])) for k, size in enumerate(c.sizes)),
            self._points(rest[-1]) if c.has_nobody else None,
            np.where(self.told[:, None], POINTS * theta, np.nan)[:, drawn].T,
            unsettled,
            m.deals,
            m.games,
            check(self.fit, self.told, self.resamples, self.level) if m.deals > 1 else None,
            self._notes(known, unsettled),
        )

    def _points(self, logs: Floats) -> Estimate:
        """Points of a logarithm [columns]."""
        mean, se, low, high = (POINTS * x for x in self._interval(logs))
        return self._estimate(mean, se, low, high)

    def _of_log(self, logs: Floats) -> Estimate:
        """A weight of which the logarithm is given [columns]."""
        log_, se, low, high = self._interval(logs)
        mean, low, high = np.exp([log_, low, high]).tolist()
        return self._estimate(mean, mean * se, low, high)

    def _of_odds(self, share: Floats) -> Estimate:
        """A share [columns], with an interval of its log-odds."""
        inside = np.clip(share, 1e-15, 1 - 1e-15)
        _, se, low, high = self._interval(np.log(inside / (1 - inside)))
        mean = float(share[0])
        low, high = (1 / (1 + np.exp([-low, -high]))).tolist()
        return self._estimate(mean, mean * (1 - mean) * se, low, high)

    def _interval(self, every: Floats) -> tuple[float, float, float, float]:
        """Value, standard error and ends of what has no bounds; NaN where one deal cannot tell.

        An end is infinite if that of the resamples runs away, and the error if any of them does.
        """
        value = float(every[0])
        if self.matches.deals < 2:
            return value, nan, nan, nan
        draws, nearby = np.split(every[1:], [self.resamples])
        up, down = np.split(nearby, 2)
        moved = self.fit.influence @ (up - down)[:, None] / (2 * _STEP)
        (se,), (width,) = spreads(moved, self.level)
        low, high = percentiles(draws, self.level)
        return (
            value,
            float(se) if abs(draws).max() < FAR / 2 else inf,
            value - float(width * se) if low > -FAR / 2 else -inf,
            value + float(width * se) if high < FAR / 2 else inf,
        )

    def _estimate(self, mean: float, *rest: float) -> Estimate:
        """What cannot be told, or has no end, is None."""
        se, low, high = (x if isfinite(x) else None for x in rest)
        return Estimate(mean, se, low, high, self.matches.deals, self.matches.games)

    def _share(self, theta: Floats, others: Floats, gamma: Floats, rest: Floats) -> Floats:
        """Win share [b] of one among n - 1 alike, over all places and arrangements of teams."""
        c, n = self.counted, self.matches.players
        played = np.bincount(c.layout, self.fit.tables, len(c.layouts)) / self.fit.tables.sum()
        found = np.zeros(theta.shape)
        for weight, teams, share in zip(played, c.layouts, c.share, strict=True):
            possible = is_whole(c.winners > 0, teams)
            base = c.mean_of @ (others + gamma) + c.of_size @ rest  # [K, b]
            for place in range(n):
                logs = base + c.mean_of[:, place, None] * (theta - others)
                logs[~possible] = -np.inf
                chance = np.exp(logs - logs.max(axis=0))
                found += weight / n * (share[:, place] @ chance) / chance.sum(axis=0)
        return found

    def _places_told(self) -> Bools:
        """Whether the games tell what each place is worth [n]."""
        c, n = self.counted, self.matches.players
        apart = np.zeros((n, c.n_parameters))
        apart[:, c.strategies : c.strategies + n] = np.eye(n) - 1 / n
        return c.tells(apart)

    def _notes(self, known: Bools, unsettled: int) -> tuple[Words, ...]:
        notes = []
        if self.matches.has_teams:
            notes.append(
                Words(
                    "Seats that always won together are rated as a team: it is as strong as the "
                    "geometric mean of its members.",
                    "总是一起获胜的座位按队伍计算：队伍的强度是成员强度的几何平均。",
                )
            )
        elif len(self.counted.sizes) or (self.counted.winners.sum(axis=1) > 1).any():
            notes.append(
                Words(
                    "A shared win counts as a tie of those who share it.",
                    "共享胜利按获胜者之间的平局计算。",
                )
            )
        if not known.all():
            notes.append(
                Words(
                    "These line-ups do not tell what single places are worth.",
                    "这些阵容无法分辨各个顺位单独的影响。",
                )
            )
        if unsettled:
            share = f"{unsettled} / {self.resamples}"
            notes.append(
                Words(
                    f"In {share} resamples of the deals somebody never, or always, won: "
                    "more deals are needed for closed intervals.",
                    f"在 {share} 次重抽样中有策略从未获胜或总是获胜："
                    "需要更多发牌才能得到有限区间。",
                )
            )
        return tuple(notes)
