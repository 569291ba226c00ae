"""The meta-game: which strategies last if players take up what does well. Alpha-rank.

One population (`alpha_rank`)
    Everybody plays the same strategy; now and then one takes up another. Tables are drawn from the
    population, and who wins more is imitated (Moran's process with selection alpha). The chance
    that a newcomer takes over follows from the line-ups of the two. How often each strategy is the
    one of all is its mass. Alpha is raised until the masses no longer change.
All line-ups (`over_lineups`)
    A table of players who each try another strategy in turn and keep it if it wins more, in the
    line-up that it makes. Alpha is infinite: what is better is kept, what is equal as often as
    chance has it, what is worse hardly ever. The mass of a strategy is its part of the seats. What
    does not last has none at all, however good it is: such strategies have no rank.

A ranking without circles gives all mass to one strategy; of a rock-paper-scissors set each has a
third. Deals are resampled whole, as for the ratings.

References
----------
Omidshafiei, Papadimitriou, Piliouras, Tuyls et al. (2019), Alpha-rank: multi-agent evaluation by
evolution, Scientific Reports 9. Equal tables of n from one population: Gokhale and Traulsen (2010),
Evolutionary games in the multiverse.
Grassmann, Taksar and Heyman (1985), Regenerative analysis and steady state distributions for Markov
chains: without a subtraction, here in logarithms, so that no rate is too small.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import comb

import numpy as np

from analysis.bootstrap import RESAMPLES, estimates, resampled
from analysis.intervals import LEVEL, Estimate
from analysis.matches import Ints, Matches
from analysis.moments import Floats
from sim.core.game import SHARE_UNIT, Words

POPULATION = 50
MOST_LINEUPS = 2_000
_LEVEL_WITH = 0.01  # two masses whose logarithms differ by less share their ranks
_RARELY = 1e-7  # how often what is worse is kept
_GONE = 1e-4  # mass that such rare mistakes may leave to what does not last
_WORK = 4e9  # steps that the resamples of all line-ups may take


@dataclass(frozen=True, eq=False)
class MetaGame:
    """Which strategies last."""

    names: tuple[str, ...]
    mass: tuple[Estimate, ...]  # of each strategy, together 1
    ranks: Floats  # [S, S] chance that one lasts and has rank 1, 2, ...; equal ones share theirs
    alpha: float  # selection; inf over all line-ups
    states: tuple[tuple[str, float], ...]  # what lasts longest, and its mass: the first ten
    steady: float  # share of the resamples in which the first of these lasts longest
    notes: tuple[Words, ...] = ()

    @property
    def gone(self) -> Floats:
        """Chance that a strategy does not last, and so has no rank [S]; 0 in one population."""
        return np.asarray(np.maximum(1 - self.ranks.sum(axis=1), 0.0).round(9))


def alpha_rank(
    matches: Matches, *, resamples: int = RESAMPLES, level: float = LEVEL
) -> MetaGame | Words:
    """Alpha-rank of one population.

    Tables of two strategies that were not played, such as two against two in a design of one
    against all, are put between those that were, in a straight line.

    Returns
    -------
    MetaGame or Words
        Words say why it cannot be told.
    """
    k, n = len(matches.names), matches.players
    if k < 2:
        return Words("it takes two strategies", "至少需要两个策略")
    counts, sums = _by_pair(matches)
    played = counts.sum(axis=0).reshape(k, k, n + 1)
    for i in range(k):
        for j in range(i):
            if not played[i, j].any():
                a, b = matches.names[j], matches.names[i]
                return Words(
                    f"{a} and {b} never played at a table of these two",
                    f"{a} 与 {b} 没有只由这两种策略组成的对局",
                )
    drawn = np.concatenate([sums.sum(axis=0)[None], resampled(sums, resamples)])
    times = np.concatenate([counts.sum(axis=0)[None], resampled(counts, resamples)])
    shares = _shares(drawn, times, played)
    alpha, before = 1.0, _masses(shares[:1], 1.0)
    while alpha < 1e7:  # until the masses no longer change
        alpha *= 10
        now = _masses(shares[:1], alpha)
        if alpha >= 1e3 and abs(np.exp(now) - np.exp(before)).max() < 1e-4:
            break
        before = now
    logs = np.concatenate([_masses(part, alpha) for part in np.array_split(shares, 8)])
    notes = []
    if (played[~np.eye(k, dtype=np.bool_)][:, 1:n] == 0).any():
        notes.append(
            Words(
                "Tables of two strategies that were not played were put between those that were.",
                "未对局的两策略组合按线性插值估计。",
            )
        )
    mass = np.exp(logs)
    order = np.argsort(-mass[0], kind="stable")[:10]
    return MetaGame(
        matches.names,
        tuple(estimates(mass[0], mass[1:], matches.deals, matches.games, level)),
        _ranks(logs[1:]),
        alpha,
        tuple((matches.names[i], float(mass[0, i])) for i in order),
        _steady(mass[1:], int(order[0])),
        tuple(notes),
    )


def _by_pair(matches: Matches) -> tuple[Floats, Floats]:
    """Seats of strategy j at tables with c of it and n - c of i, and their win shares.

    Both [D, S * S * (n + 1)], i, j and c in this order; i = j and c = n for tables of one strategy.
    """
    k, n, deals = len(matches.names), matches.players, matches.deals
    low, high = matches.seats.min(axis=1), matches.seats.max(axis=1)
    of_two = ((matches.seats == low[:, None]) | (matches.seats == high[:, None])).all(axis=1)
    own = matches.seats[of_two].astype(np.int64)
    other = (low + high)[of_two, None].astype(np.int64) - own
    number = (own[:, :, None] == own[:, None, :]).sum(axis=2)
    code = matches.cluster[of_two, None] * k * k * (n + 1) + (other * k + own) * (n + 1) + number
    return _seats_and_shares(code, matches.share[of_two], deals, k * k * (n + 1))


def _seats_and_shares(code: Ints, share: Ints, deals: int, width: int) -> tuple[Floats, Floats]:
    """Seats of each code, deal * width + kind, and their win shares, both [deals, width]."""
    shape = (deals, width)
    counts = np.bincount(code.ravel(), minlength=deals * width)
    sums = np.asarray(np.bincount(code.ravel(), share.ravel(), deals * width), np.float64)
    return counts.reshape(shape).astype(np.float64), sums.reshape(shape) / SHARE_UNIT


def _shares(sums: Floats, counts: Floats, played: Floats) -> Floats:
    """Win share a seat [b, i, j, c] of j at a table with c = 1 .. n of it and the rest i.

    A table that was not played lies in a straight line between those that were; where all play
    alike, everybody has what a seat at the tables of these two has on average.
    """
    k, _, width = played.shape
    n = width - 1
    shape = (len(sums), k, k, width)
    seats = counts.reshape(shape)
    share = np.divide(sums.reshape(shape), seats, out=np.full(shape, np.nan), where=seats > 0)
    for i in range(k):
        for j in range(k):
            if i == j:
                continue
            table = share[:, i, j]
            alone = share[:, j, j, n]  # all play j
            whole = (sums.reshape(shape)[:, i, j] + sums.reshape(shape)[:, j, i]).sum(axis=1)
            games = (seats[:, i, j] + seats[:, j, i]).sum(axis=1)
            mean = np.divide(whole, games, out=np.full(len(sums), 1 / n), where=games > 0)
            table[:, n] = np.where(np.isnan(alone), mean, alone)
            known = np.flatnonzero(played[i, j, 1:n]) + 1
            for c in range(1, n):
                if played[i, j, c]:
                    continue
                below, above = known[known < c], known[known > c]
                if not below.size:
                    table[:, c] = table[:, above[0]]
                    continue
                left, right = below[-1], (above[0] if above.size else n)
                part = (c - left) / (right - left)
                table[:, c] = (1 - part) * table[:, left] + part * table[:, right]
    return np.asarray(np.where(np.isnan(share), 1 / n, share))


def _masses(shares: Floats, alpha: float) -> Floats:
    """Logarithm of the mass of each strategy [b, S], from shares as in `_shares`."""
    b, k, _, width = shares.shape
    n, m = width - 1, POPULATION
    mine, theirs = np.zeros((m - 1, n + 1)), np.zeros((m - 1, n + 1))
    for p in range(1, m):  # players who have taken up the new strategy
        for others in range(n):  # of them at a table, beside the one who counts
            mine[p - 1, others + 1] = _draw(p - 1, m - p, others, n - 1)
            theirs[p - 1, n - others] = _draw(p, m - p - 1, others, n - 1)
    gain = shares @ mine.T - shares.transpose(0, 2, 1, 3) @ theirs.T  # [b, i, j, m - 1]
    path = np.concatenate([np.zeros((b, k, k, 1)), -alpha * gain.cumsum(axis=3)], axis=3)
    return _stationary(-_log_sum(path))


def _draw(new: int, old: int, taken: int, of: int) -> float:
    """Chance of `taken` new ones among `of` that are drawn from so many new and old."""
    return comb(new, taken) * comb(old, of - taken) / comb(new + old, of)


def _log_sum(values: Floats) -> Floats:
    """Logarithm of the sum of exponentials over the last axis."""
    top = values.max(axis=-1, keepdims=True)
    return np.asarray((top + np.log(np.exp(values - top).sum(axis=-1, keepdims=True)))[..., 0])


def _stationary(rates: Floats) -> Floats:
    """Logarithm of the stationary distribution [b, S] of chains with log-rates [b, S, S]."""
    rate = rates.copy()
    k = rate.shape[1]
    for last in range(k - 1, 0, -1):
        rate[:, :last, last] -= _log_sum(rate[:, last, :last])[:, None]
        through = rate[:, :last, last, None] + rate[:, None, last, :last]
        rate[:, :last, :last] = np.logaddexp(rate[:, :last, :last], through)
    mass = np.zeros(rate.shape[:2])
    for state in range(1, k):
        mass[:, state] = _log_sum(mass[:, :state] + rate[:, :state, state])
    return np.asarray(mass - _log_sum(mass)[:, None])


def _ranks(logs: Floats, gone: float = -np.inf) -> Floats:
    """Share of the resamples [B, S] in which each has each rank [S, S]; none at or below `gone`."""
    apart = logs[:, None, :] - logs[:, :, None]  # [B, mine, other]
    above = (apart >= _LEVEL_WITH).sum(axis=2)
    equal = (abs(apart) < _LEVEL_WITH).sum(axis=2)
    rank = np.arange(logs.shape[1])
    has = (rank >= above[..., None]) & (rank < (above + equal)[..., None])
    has &= (logs > gone)[..., None]
    return np.asarray((has / equal[..., None]).mean(axis=0))


def over_lineups(
    matches: Matches, *, resamples: int = RESAMPLES, level: float = LEVEL
) -> MetaGame | Words:
    """Alpha-rank over all line-ups; with fewer resamples where several of them last.

    Returns
    -------
    MetaGame or Words
        Words say why it cannot be told.
    """
    k, n = len(matches.names), matches.players
    wanted, there = comb(n + k - 1, n), len(matches.lineups)
    if k < 2:
        return Words("it takes two strategies", "至少需要两个策略")
    if there < wanted:
        return Words(
            f"it takes all {wanted} line-ups; {there} were played",
            f"需要全部 {wanted} 种阵容，只对局了 {there} 种",
        )
    if there > MOST_LINEUPS:
        return Words(
            f"{there} line-ups are too many; at most {MOST_LINEUPS}",
            f"{there} 种阵容太多，最多 {MOST_LINEUPS} 种",
        )
    counts, sums = _by_lineup(matches)
    moves = _Moves.of(matches.lineups, k)
    total, seats_of = sums.sum(axis=0), counts.sum(axis=0)
    whole = np.divide(total, seats_of, out=np.zeros_like(total), where=seats_of > 0)
    ends = {*moves.sinks(moves.kept(whole)).tolist()} - {-1}
    few = resamples if len(ends) == 1 else int(min(resamples, max(39, _WORK / there**3)))
    drawn, times = resampled(sums, few), resampled(counts, few)
    share = np.divide(drawn, times, out=np.zeros_like(drawn), where=times > 0)
    mass = np.stack([moves.stationary(one) for one in [whole, *share]])  # [1 + B, line-ups]
    seats = np.array([[line.count(one) / n for one in range(k)] for line in matches.lineups])
    of_strategy = mass @ seats
    order = np.argsort(-mass[0], kind="stable")[:10]
    return MetaGame(
        matches.names,
        tuple(estimates(of_strategy[0], of_strategy[1:], matches.deals, matches.games, level)),
        _ranks(np.log(np.maximum(of_strategy[1:], _GONE)), np.log(_GONE)),
        float("inf"),
        tuple((matches.label(int(i)), float(mass[0, i])) for i in order),
        _steady(mass[1:], int(order[0])),
    )


def _steady(mass: Floats, first: int) -> float:
    """Share of the resamples [B, states] in which this one lasts longest; equal ones share it."""
    is_top = mass > mass.max(axis=1, keepdims=True) - _GONE
    return float((is_top[:, first] / is_top.sum(axis=1)).mean())


def _by_lineup(matches: Matches) -> tuple[Floats, Floats]:
    """Seats of each strategy in each line-up and their win shares, both [D, line-ups * S]."""
    k, deals, lines = len(matches.names), matches.deals, len(matches.lineups)
    code = (matches.cluster * lines + matches.lineup)[:, None] * k + matches.seats
    return _seats_and_shares(code, matches.share, deals, lines * k)


@dataclass(frozen=True, eq=False)
class _Moves:
    """Every change of one player's strategy, from line-up to line-up."""

    start: Ints  # [moves] line-up
    end: Ints
    left: Ints  # [moves] line-up * S + strategy that was given up
    taken: Ints  # the same of the one taken up
    weight: Floats  # how often it is tried
    lineups: int

    @classmethod
    def of(cls, lineups: tuple[tuple[int, ...], ...], k: int) -> _Moves:
        """All that may happen among k strategies."""
        where = {line: number for number, line in enumerate(lineups)}
        rows = []
        for number, line in enumerate(lineups):
            for old in sorted({*line}):
                rest = [*line]
                rest.remove(old)
                for new in range(k):
                    if new != old:
                        end = where[tuple(sorted([*rest, new]))]
                        often = line.count(old) / len(line) / (k - 1)
                        rows.append((number, end, number * k + old, end * k + new, often))
        start, end, left, taken = np.array([row[:4] for row in rows], np.int64).T
        weight = np.array([row[4] for row in rows])
        return cls(start, end, left, taken, weight, len(lineups))

    def kept(self, share: Floats) -> Floats:
        """How often each move is made and kept if what is worse is never kept [moves]."""
        gain = share[self.taken] - share[self.left]
        return self.weight * np.where(gain > 0, 1.0, np.where(gain == 0, 1 / POPULATION, 0.0))

    def sinks(self, kept: Floats) -> Ints:
        """Which set of line-ups, never left once there, each belongs to [line-ups]; -1: none."""
        from scipy import sparse
        from scipy.sparse.csgraph import connected_components

        some = kept > 0
        arcs = sparse.csr_matrix(
            (np.ones(some.sum()), (self.start[some], self.end[some])), (self.lineups,) * 2
        )
        n, group = connected_components(arcs, connection="strong")
        is_left = np.zeros(n, np.bool_)
        is_left[group[self.start[some & (group[self.start] != group[self.end])]]] = True
        return np.where(is_left[group], -1, group)

    def stationary(self, share: Floats) -> Floats:
        """How long each line-up lasts, from win shares [line-ups * S]."""
        kept = self.kept(share)
        sink = self.sinks(kept)
        if len({*sink.tolist()} - {-1}) == 1:  # there is one set in which it ends
            there = np.flatnonzero(sink >= 0)
        else:  # rare mistakes lead from set to set
            there, kept = np.arange(self.lineups), np.maximum(kept, _RARELY * self.weight)
        where = np.full(self.lineups, -1)
        where[there] = np.arange(len(there))
        start, end = where[self.start], where[self.end]
        inside = (start >= 0) & (end >= 0)
        flow = np.zeros((len(there), len(there)))
        np.add.at(flow, (end[inside], start[inside]), kept[inside])
        flow[np.diag_indices(len(there))] = -flow.sum(axis=0)
        flow += 1.0  # of all masses, which add up to 1
        mass = np.zeros(self.lineups)
        mass[there] = np.clip(np.linalg.solve(flow, np.ones(len(there))), 0.0, None)
        return np.asarray(mass / mass.sum())
