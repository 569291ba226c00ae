"""Does a rating tell the truth? What was seen against what it promises, and circles.

A rating promises that the odds of two strategies are the same at every table. That is held against
the win shares line-up by line-up, and against the preferences between pairs: with A better than B,
B better than C and C better than A no rating can be right.

References
----------
Liang and Zeger (1986), Longitudinal data analysis using generalized linear models: sums of scores
over deals, behind every z.
Jiang, Lim, Yao and Ye (2011), Statistical ranking and combinatorial Hodge theory: the part of the
log-odds of pairs that is no difference of potentials. We weigh all pairs alike, and take off what
chance alone would make it.
Berger (1982), Multiparameter hypothesis testing: a circle is three differences at once.
"""

from __future__ import annotations

from dataclasses import dataclass
from itertools import combinations

import numpy as np

from analysis.bootstrap import estimates, resampled
from analysis.intervals import LEVEL, Estimate
from analysis.matches import Bools
from analysis.moments import ROUNDING, Floats
from analysis.multiplicity import holm
from analysis.plackett import Fit, blocks
from sim.core.game import SHARE_UNIT, Words

CYCLIC = 0.1  # share of the preferences that may go round in circles before a rating misleads
EXPLAINED = 0.9  # share of the differences between line-ups that a rating should explain
FAR_OFF = 0.05  # of the games, by which a rating may miss a win share before it misleads


@dataclass(frozen=True)
class Residual:
    """Win share a seat of a strategy in a line-up, as seen and as the ratings have it."""

    lineup: str
    strategy: str
    observed: float
    fitted: float
    z: float | None  # None where it did not vary
    p: float | None  # adjusted by Holm for all residuals

    @property
    def is_far_off(self) -> bool:
        """Whether the ratings are surely wrong here, and by so much that it misleads."""
        return self.is_sure and abs(self.apart) > FAR_OFF

    @property
    def is_sure(self) -> bool:
        """Whether chance alone hardly makes as much."""
        return self.p is not None and self.p <= 1 - LEVEL

    @property
    def apart(self) -> float:
        """By how much the ratings miss what was seen."""
        return self.observed - self.fitted


@dataclass(frozen=True)
class Triple:
    """Three strategies of which each is preferred to the next, and the last to the first."""

    names: tuple[str, str, str]
    p: float  # the largest of three two-sided p-values, adjusted by Holm for all triples


@dataclass(frozen=True, eq=False)
class Check:
    """Whether one number a strategy tells the truth."""

    residuals: tuple[Residual, ...]  # those surely off first, by how much
    statistic: float  # sum of z² of all residuals
    p: float  # chance of as much if the ratings were right, from resampled deals
    explained: Estimate | None  # share of the differences between line-ups; None if there are none
    cyclic: Estimate | None  # share of the preferences between pairs; None without three who met
    cyclic_p: float | None  # against 'nothing goes round in circles'
    triples: tuple[Triple, ...]  # seen to go round in circles, the surest first

    @property
    def warning(self) -> Words | None:
        """Why the ratings mislead; None if nothing speaks against them."""
        alpha = 1 - LEVEL
        if self.triples and self.triples[0].p <= alpha:
            a, b, c = self.triples[0].names
            return Words(
                f"the ratings mislead: {a} beats {b}, {b} beats {c} and {c} beats {a}; "
                "no single number can rank them",
                f"等级分会误导：{a} 胜 {b}，{b} 胜 {c}，{c} 又胜 {a}，无法用一个数字排名",
            )
        if self.cyclic and self.cyclic_p is not None and self.cyclic_p <= alpha:
            percent = f"{100 * self.cyclic.mean:.0f} %"
            if self.cyclic.mean >= CYCLIC:
                return Words(
                    f"the ratings mislead: {percent} of the preferences between pairs go round "
                    "in circles",
                    f"等级分会误导：两两之间的优劣有 {percent} 是循环相克",
                )
        if self.explained and self.p <= alpha and self.explained.mean < EXPLAINED:
            percent = f"{100 * self.explained.mean:.0f} %"
            return Words(
                f"the ratings mislead: they explain only {percent} of the differences between "
                "line-ups; who wins depends on who else sits at the table",
                f"等级分会误导：只能解释阵容之间差异的 {percent}，胜负取决于同桌还有谁",
            )
        off = [one for one in self.residuals if one.is_far_off]
        if off:
            worst = off[0]
            was, fitted = (f"{100 * share:.0f} %" for share in (worst.observed, worst.fitted))
            points = f"{100 * FAR_OFF:.0f}"
            return Words(
                f"the ratings mislead: a seat of {worst.strategy} in {worst.lineup} won {was} "
                f"where they have {fitted}; they are off by more than {points} points in "
                f"{len(off)} of {len(self.residuals)} win shares",
                f"等级分会误导：{worst.lineup} 中 {worst.strategy} 每个座位实际获胜 {was}，"
                f"按等级分却是 {fitted}；{len(self.residuals)} 个获胜份额中有 {len(off)} 个"
                f"偏差超过 {points} 个百分点",
            )
        return None


def check(fit: Fit, told: Bools, resamples: int, level: float) -> Check:
    """Hold a fit against the games from which it was made.

    Parameters
    ----------
    told
        [S], which strategies have a rating.
    resamples, level
        Of intervals and p-values.
    """
    return _Checked(fit, told, resamples, level).check()


class _Checked:
    def __init__(self, fit: Fit, told: Bools, resamples: int, level: float) -> None:
        self.fit, self.counted, self.told = fit, fit.counted, told
        self.deals, self.resamples, self.level = fit.counted.deals, resamples, level

    def check(self) -> Check:
        """All of it."""
        from scipy import special

        rows = self._residuals()
        residual, se = rows.observed - rows.fitted, rows.se
        told = se > ROUNDING
        z = np.divide(residual, se, out=np.zeros_like(residual), where=told)
        adjusted = holm(2 * special.stdtr(max(self.deals - 1, 1), -abs(z)))
        moved = rows.draws[:, told]
        statistic = float((z**2).sum())
        found = [
            Residual(
                *names, *map(float, seen), *((float(at), float(p)) if is_told else (None, None))
            )
            for names, *seen, at, p, is_told in zip(
                rows.names, rows.observed, rows.fitted, z, adjusted, told, strict=True
            )
        ]
        whole = float(((rows.observed - rows.observed.mean()) ** 2).sum() - rows.noise)
        explained = None
        if whole > 0:
            chance = float((se**2).sum())
            rest = np.array([(residual**2).sum() - chance])
            again = ((residual[told] + moved) ** 2).sum(axis=1) - 2 * chance
            again += float((residual[~told] ** 2).sum())
            explained = self._share(1 - rest / whole, 1 - again / whole)
        return Check(
            tuple(sorted(found, key=lambda one: (not one.is_sure, -abs(one.apart)))),
            statistic,
            _tail(statistic, moved, rows.spreads[:, told]),
            explained,
            *self._circles(),
        )

    def _residuals(self) -> _Rows:
        """Win share a seat, as seen and as fitted, of every strategy in every line-up."""
        c, f = self.counted, self.fit
        games, n, k, deals = c.games, c.seats.shape[1], c.strategies, self.deals
        lineups, lineup = np.unique(np.sort(c.seats, axis=1), axis=0, return_inverse=True)
        kinds, row = np.unique(lineup.reshape(-1, 1) * k + c.seats, return_inverse=True)
        row = row.reshape(c.seats.shape)
        share, slope = self._fitted_shares()
        count = np.bincount(row.ravel(), np.repeat(f.tables, n))  # seats of each row
        observed = np.bincount(row[c.table].ravel(), games.share.ravel() / SHARE_UNIT) / count
        fitted = np.bincount(row.ravel(), (share * f.tables[:, None]).ravel()) / count
        by_row = np.zeros((len(kinds), c.n_parameters))
        np.add.at(by_row, row, slope * f.tables[:, None, None])
        by_row /= count[:, None]
        se, noise, draws, spreads = np.zeros(len(kinds)), 0.0, [], []
        apart = games.share / SHARE_UNIT - share[c.table]
        for at in blocks(len(kinds), deals):
            first, width = at.start, at.stop - at.start
            those = (row[c.table] >= at.start) & (row[c.table] < at.stop)
            code = (c.cluster[:, None] * width + row[c.table] - first)[those]
            size = deals * width
            moved = np.bincount(code, apart[those], size).reshape(deals, width)
            raw = np.bincount(code, games.share[those] / SHARE_UNIT, size).reshape(deals, width)
            scale = deals / count[at]
            noise += float((raw * scale).var(axis=0, ddof=1).sum()) / deals
            moves = moved * scale - f.influence @ by_row[at].T
            moves -= moves.mean(axis=0)
            se[at] = moves.std(axis=0, ddof=1) / np.sqrt(deals)
            drawn = resampled(np.hstack([moves, moves**2]), self.resamples) / deals
            draws.append(drawn[:, :width])
            spreads.append(_se(drawn[:, :width], drawn[:, width:], deals))
        names = [
            (games.label_of(tuple(lineups[kind // k].tolist())), games.names[kind % k])
            for kind in kinds.tolist()
        ]
        return _Rows(names, observed, fitted, se, noise, np.hstack(draws), np.hstack(spreads))

    def _fitted_shares(self) -> tuple[Floats, Floats]:
        """Of each kind of table the win share of the places [T, n] and its slopes [T, n, p]."""
        c, f = self.counted, self.fit
        share, slope = [], []
        for at in blocks(len(c.seats), len(c.winners) * c.n_parameters):
            chance = f.chances(f.values[:, None], at)[0]  # [t, K, 1]
            x = c.features(np.arange(len(c.seats))[at])
            worth = c.share[c.layout[at]] * chance  # [t, K, n]
            share.append(worth.sum(axis=1))
            slope.append(worth.transpose(0, 2, 1) @ (x - f.features[at, None, :]))
        return np.concatenate(share), np.concatenate(slope)

    def _circles(self) -> tuple[Estimate | None, float | None, tuple[Triple, ...]]:
        """Share of the preferences between pairs that is cyclic, its p-value, and the triples."""
        from scipy import special

        k, deals = self.counted.strategies, self.deals
        wins = self._wins()
        total = wins.sum(axis=0)
        edges = [
            (i, j)
            for i, j in combinations(np.flatnonzero(self.told).tolist(), 2)
            if total[i * k + j] + total[j * k + i] > 0
        ]
        way = np.zeros((len(edges), k))
        for line, (i, j) in zip(way, edges, strict=True):
            line[i], line[j] = 1, -1
        if len(edges) == np.linalg.matrix_rank(way):
            return None, None, ()
        there, back = (np.array([pair[::s] for pair in edges]) @ [k, 1] for s in (1, -1))
        total = np.maximum(total, 0.5)  # who never won has half a win, and a finite logarithm
        log_odds = np.log(total[there] / total[back])
        moved = deals * (wins[:, there] / total[there] - wins[:, back] / total[back])
        round_ = np.eye(len(edges)) - way @ np.linalg.pinv(way)
        se = moved.std(axis=0, ddof=1) / np.sqrt(deals)
        in_circles, turned = round_ @ log_odds, moved @ round_
        noise = float(turned.var(axis=0, ddof=1).sum() / deals)
        moved -= moved.mean(axis=0)
        turned -= turned.mean(axis=0)
        values = np.hstack([moved, turned, turned**2])
        draws, rounds, squares = np.split(resampled(values, self.resamples) / deals, 3, axis=1)
        each = turned.std(axis=0, ddof=1) / np.sqrt(deals)
        z = np.divide(in_circles, each, out=np.zeros_like(each), where=each > ROUNDING)
        p = _tail(float((z**2).sum()), rounds, _se(rounds, squares, deals))
        whole = float((log_odds**2).sum() - (se**2).sum())
        share = None
        if whole > 0:
            again = log_odds + draws
            rest = ((again @ round_) ** 2).sum(axis=1) - 2 * noise
            of = np.maximum((again**2).sum(axis=1) - 2 * (se**2).sum(), rest)
            value = np.array([((in_circles**2).sum() - noise) / whole])
            share = self._share(value, np.divide(rest, of, out=np.ones_like(rest), where=of > 0))
        z = np.divide(log_odds, se, out=np.zeros_like(se), where=se > 0)
        always = min(1.0, 2 * 0.5**deals)  # the same one ahead on all deals: a test of signs
        tails = np.where(se > 0, 2 * special.stdtr(max(deals - 1, 1), -abs(z)), always)
        return share, p, self._triples(edges, np.sign(log_odds), tails)

    def _wins(self) -> Floats:
        """How often a seat of one strategy won and one of another did not, in each deal [D, S²]."""
        c, games, k = self.counted, self.counted.games, self.counted.strategies
        found = np.zeros(self.deals * k * k)
        for a in range(games.players):
            for b in range(games.players):
                beat = (games.share[:, a] > 0) & (games.share[:, b] == 0)
                beat &= games.teams[:, a] != games.teams[:, b]
                pair = games.seats[beat, a].astype(np.int64) * k + games.seats[beat, b]
                code = c.cluster[beat] * k * k + pair
                found += np.bincount(code, games.share[beat, a] / SHARE_UNIT, len(found))
        return found.reshape(self.deals, k * k)

    def _triples(
        self, edges: list[tuple[int, int]], sign: Floats, tails: Floats
    ) -> tuple[Triple, ...]:
        names = self.counted.games.names
        where = {edge: number for number, edge in enumerate(edges)}
        found: list[tuple[int, int, int]] = []
        every: list[float] = []
        for a, b, c in combinations(range(len(names)), 3):
            lines = [where.get(edge) for edge in ((a, b), (b, c), (a, c))]
            if any(line is None for line in lines):
                continue
            ab, bc, ac = (sign[line] for line in lines)
            is_round = ab == bc == -ac != 0
            every.append(float(max(tails[line] for line in lines)) if is_round else 1.0)
            found.append((a, b, c) if ab > 0 else (a, c, b))
        triples = [
            Triple((names[a], names[b], names[c]), float(p))
            for (a, b, c), p, raw in zip(found, holm(every), every, strict=True)
            if raw < 1
        ]
        return tuple(sorted(triples, key=lambda triple: triple.p))

    def _share(self, value: Floats, draws: Floats) -> Estimate:
        deals, games = self.deals, self.counted.games.games
        drawn = np.clip(draws, 0.0, 1.0)[:, None]
        return estimates(np.clip(value, 0.0, 1.0), drawn, deals, games, self.level)[0]


@dataclass(frozen=True, eq=False)
class _Rows:
    """Residuals of every strategy in every line-up, R in all."""

    names: list[tuple[str, str]]
    observed: Floats  # [R]
    fitted: Floats  # [R]
    se: Floats  # [R] of the residual
    noise: float  # sum of the squared standard errors of what was seen
    draws: Floats  # [B, R] what the residual would be by chance alone
    spreads: Floats  # [B, R] and its standard error


def _se(mean: Floats, square: Floats, deals: int) -> Floats:
    """Standard errors of means over deals, from the means of values and of their squares."""
    return np.sqrt(np.maximum(square - mean**2, 0.0) / (deals - 1))


def _tail(statistic: float, draws: Floats, spreads: Floats) -> float:
    """Chance of as large a sum of squared z; each resample has standard errors of its own."""
    z = np.divide(draws, spreads, out=np.zeros_like(draws), where=spreads > ROUNDING)
    return float((1 + ((z**2).sum(axis=1) >= statistic).sum()) / (1 + len(draws)))
