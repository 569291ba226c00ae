"""Plackett and Luce's model of who wins, with Davidson's ties: counted, fitted, resampled.

Strategy s at place p has the strength a = exp(theta[s] + gamma[p]). That the set W of k seats wins
has the weight

    delta[k] * (product of a over W) ** (1 / k),

that nobody wins the weight nu, and the chance of an outcome is its weight over the sum of the
weights of all that can happen. Only sizes k that were seen can happen; the smallest has delta = 1.
Where seats win as teams (`analysis.matches`), what can happen is that one team or several win, so
that a team is as strong as the geometric mean of its members.

The log-weights are linear in the parameters theta, gamma, log delta and log nu, so the
log-likelihood is concave, and Newton's steps find its maximum. Deals are resampled whole. One
Newton matrix serves all resamples: its steps are quick, and go on until the gradient vanishes.
What was seen in few deals moves by the logarithm of the ratio of seen and expected instead, and
what a resample has not seen at all counts half a game there, so that its logarithm stays finite.

References
----------
Plackett (1975), The analysis of permutations; Luce (1959), Individual choice behavior.
Davidson (1970), On extending the Bradley-Terry model to accommodate ties; Turner, van Etten, Firth
and Kosmidis (2020), Modelling rankings in R: the PlackettLuce package, whose ties these are. They
rank all; we use who won, as that is what all games tell. Places and 'nobody' are ours.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from analysis.bootstrap import resampled
from analysis.matches import Bools, Ints, Matches, shares_of
from analysis.moments import Floats

FAR = 25.0  # a log-weight beyond runs away
SELDOM = 50  # deals, below which something was seen in few
_STEPS, _CLOSE, _NEAR = 60, 1e-9, 1e-6  # gradient a game: of the fit, of a resample
_BLOCK = 2**22  # numbers worked on at once


@dataclass(frozen=True, eq=False)
class Counted:
    """Games by who sat where, T kinds of tables, and what happened, K outcomes."""

    seats: Ints  # [T, n] strategy at each place
    layout: Ints  # [T] which arrangement of teams
    layouts: Ints  # [L, n] team at each place
    winners: Floats  # [K, n] sets of winners that can be, ascending as bit masks
    possible: Bools  # [T, K]
    share: Floats  # [L, K, n] what a win is worth
    sizes: Ints  # sizes of the sets, but for the smallest
    has_nobody: bool
    strategies: int
    games: Matches  # those that tell something; G below
    table: Ints  # [G] which kind of table
    cluster: Ints  # [G] which deal
    outcome: Ints  # [G] who won
    deals: int

    @classmethod
    def of(cls, matches: Matches, inside: Bools) -> Counted | None:
        """Count; None if no game tells anything.

        Where a strategy that cannot be rated sits, it counts as not there if it is one that never
        wins; a game that such a strategy won tells nothing about the others.
        """
        n, k = matches.players, len(matches.names)
        bits = 1 << np.arange(n)
        games = inside[matches.seats].any(axis=1)
        games &= ~_above(matches, inside)[matches.seats].any(axis=1)
        if not games.any():
            return None
        kept = matches.where(games)
        layouts, layout = _rows(kept.teams)
        codes = (k ** np.arange(n)) @ kept.seats.T.astype(np.int64) * len(layouts) + layout
        _, first, table = np.unique(codes, return_index=True, return_inverse=True)
        seats = kept.seats[first].astype(np.int64)
        happened = kept.winners @ bits
        seen = {int(mask).bit_count() for mask in np.unique(happened)} - {0}
        every = [mask for mask in range(1, 2**n) if mask.bit_count() in seen]
        winners = (np.array(every)[:, None] & bits > 0).astype(np.float64)
        whole = np.stack([is_whole(winners > 0, teams) for teams in layouts])  # [L, K]
        if 0 in happened:
            winners, every = np.vstack([winners, np.zeros(n)]), [*every, 0]
            whole = np.column_stack([whole, np.ones(len(layouts), np.bool_)])
        possible = whole[layout[first]]
        possible &= (inside[seats][:, None, :] | (winners == 0)[None]).all(axis=2)
        where = {mask: number for number, mask in enumerate(every)}
        return cls(
            seats,
            layout[first],
            layouts,
            winners,
            possible,
            np.stack([shares_of(winners > 0, teams) for teams in layouts]),
            np.array(sorted(seen)[1:], np.int64),
            0 in happened,
            k,
            kept,
            table,
            np.searchsorted(matches.deal_numbers, kept.deal),
            np.array([where.get(mask, 0) for mask in range(2**n)])[happened],
            matches.deals,
        )

    @cached_property
    def observed(self) -> Floats:
        """Sums of the features of what happened in each deal [D, p]."""
        p = self.n_parameters
        code = self.table * len(self.winners) + self.outcome
        kinds, code = np.unique(code, return_inverse=True)
        features = np.concatenate(
            [
                self.features(part)[np.arange(len(part)), kinds[at] % len(self.winners)]
                for at in blocks(len(kinds), len(self.winners) * p)
                for part in [kinds[at] // len(self.winners)]
            ]
        )
        sums = np.zeros((self.deals, p))
        for column in range(p):
            weights = features[:, column][code]
            sums[:, column] = np.bincount(self.cluster, weights, self.deals)
        return sums

    @property
    def n_parameters(self) -> int:
        """Strategies, places, sizes, and nobody."""
        return int(self.strategies + self.seats.shape[1] + len(self.sizes) + self.has_nobody)

    @cached_property
    def mean_of(self) -> Floats:
        """Weight of each place in an outcome [K, n]."""
        return np.asarray(self.winners / np.maximum(self.winners.sum(axis=1, keepdims=True), 1))

    @cached_property
    def of_size(self) -> Floats:
        """Features of an outcome that do not depend on who sits where [K, sizes + nobody]."""
        size = self.winners.sum(axis=1, keepdims=True)
        columns = [size == self.sizes[None, :]]
        if self.has_nobody:
            columns.append(size == 0)
        return np.hstack(columns).astype(np.float64)

    def features(self, tables: Ints) -> Floats:
        """What an outcome's log-weight is linear in [tables, K, p]."""
        n, k = self.seats.shape[1], self.strategies
        found = np.zeros((len(tables), len(self.winners), self.n_parameters))
        for place in range(n):
            rows = np.arange(len(tables))
            found[rows, :, self.seats[tables, place]] += self.mean_of[:, place]
            found[:, :, k + place] = self.mean_of[:, place]
        found[:, :, k + n :] = self.of_size
        return found

    @cached_property
    def per_deal(self) -> Ints | None:
        """How often each kind of table was played in every deal [T]; None if that differs."""
        kinds = len(self.seats)
        count = np.bincount(self.table, minlength=kinds)
        if (count % self.deals).any():
            return None
        _, met = np.unique(self.cluster * kinds + self.table, return_counts=True)
        is_even = len(met) == self.deals * kinds
        each = count // self.deals
        if not is_even or not (met.reshape(self.deals, kinds) == each).all():
            return None
        return each

    def by_deal(self, values: Floats) -> Floats:
        """Sums over the games of each deal [D or 1, k] of what each kind of table has [T, k]."""
        if self.per_deal is not None:
            return self.per_deal[None] @ values
        columns = [np.bincount(self.cluster, line[self.table], self.deals) for line in values.T]
        return np.stack(columns, axis=1)

    def tables_of(self, resamples: int) -> Floats:
        """Tables played in each resample [B, T], or [1, T] if all have as many."""
        if self.per_deal is not None:
            return np.asarray(self.per_deal[None] * float(self.deals))
        from scipy import sparse

        shape = (self.deals, len(self.seats))
        ones = np.ones(len(self.table))
        return resampled(sparse.csr_matrix((ones, (self.cluster, self.table)), shape), resamples)

    @cached_property
    def basis(self) -> Floats:
        """Directions [p, r] of the parameters about which the games can tell."""
        spread = np.zeros((self.n_parameters, self.n_parameters))
        for at in blocks(len(self.seats), len(self.winners) * self.n_parameters):
            can = self.possible[at][:, :, None]
            x = self.features(np.arange(len(self.seats))[at])
            apart = (
                x - (x * can).sum(axis=1, keepdims=True) / can.sum(axis=1, keepdims=True)
            ) * can
            flat = apart.reshape(-1, self.n_parameters)
            spread += flat.T @ flat
        values, vectors = np.linalg.eigh(spread)
        return np.asarray(vectors[:, values > 1e-9 * max(float(values[-1]), 1e-9)])

    def tells(self, contrasts: Floats) -> Bools:
        """Whether the games tell about contrasts of the parameters [c, p] -> [c]."""
        known = self.basis
        return np.asarray(abs(contrasts - contrasts @ known @ known.T).max(axis=1) < 1e-6)

    def split(self, values: Floats) -> list[Floats]:
        """Strategies, places, and the rest (sizes, then nobody) of the parameters [p, ...]."""
        return np.split(values, [self.strategies, self.strategies + self.seats.shape[1]])


class Fit:
    """The maximum of the likelihood, and of those of resampled deals."""

    def __init__(self, counted: Counted) -> None:
        self.counted = counted
        self.basis = counted.basis
        total = counted.observed.sum(axis=0)
        self.tables = np.bincount(counted.table, minlength=len(counted.seats)).astype(np.float64)
        self.values = self._newton(np.zeros(len(total)), total, self.tables)  # [p]
        self.inverse = np.linalg.inv(self._curvature(self.values, self.tables))

    def chances(self, values: Floats, at: slice) -> tuple[Floats, Floats]:
        """Chance of each outcome [t, K, b] at some tables, and the log of the sum of weights."""
        c = self.counted
        theta, gamma, rest = c.split(values)
        weight = c.mean_of @ (theta[c.seats[at]] + gamma) + c.of_size @ rest
        weight[~c.possible[at]] = -np.inf
        top = weight.max(axis=1, keepdims=True)
        np.exp(np.subtract(weight, top, out=weight), out=weight)
        total = weight.sum(axis=1, keepdims=True)
        weight /= total
        return weight, (top + np.log(total))[:, 0]

    @cached_property
    def features(self) -> Floats:
        """Expected features of each kind of table [T, p]."""
        c = self.counted
        found = []
        for at in blocks(len(c.seats), len(c.winners) * c.n_parameters):
            x = c.features(np.arange(len(c.seats))[at])
            found.append((self.chances(self.values[:, None], at)[0] * x).sum(axis=1))
        return np.concatenate(found)

    @cached_property
    def influence(self) -> Floats:
        """How far each deal moves the values, times the deals [D, p] (`analysis.influence`)."""
        scores = self.counted.observed - self.counted.by_deal(self.features)
        return np.asarray(scores @ self.basis @ self.inverse @ self.basis.T * self.counted.deals)

    def expected(self, values: Floats, tables: Floats) -> tuple[Floats, Floats]:
        """Expected features [p, b] and logs of the sums of weights [b].

        Parameters
        ----------
        values, tables
            [p, b] parameters, and how often each table was played [T, b or 1].
        """
        c, n, b = self.counted, self.counted.seats.shape[1], values.shape[1]
        found, logs = np.zeros_like(values), np.zeros(b)
        for at in blocks(len(c.seats), len(c.winners) * b):
            chance, log_total = self.chances(values, at)
            logs += (tables[at] * log_total).sum(axis=0)
            chance *= tables[at][:, None, :]
            by_place = c.mean_of.T @ chance  # [t, n, b]
            who = np.equal.outer(np.arange(c.strategies), c.seats[at].ravel()).astype(np.float64)
            found[: c.strategies] += who @ by_place.reshape(-1, b)
            found[c.strategies : c.strategies + n] += by_place.sum(axis=0)
            found[c.strategies + n :] += c.of_size.T @ chance.sum(axis=0)
        return found, logs

    def _curvature(self, values: Floats, tables: Floats) -> Floats:
        """Minus the second derivative of the log-likelihood along the basis [r, r]."""
        p = len(values)
        found = np.zeros((p, p))
        for at in blocks(len(tables), len(self.counted.winners) * p):
            chance = self.chances(values[:, None], at)[0]
            x = self.counted.features(np.arange(len(tables))[at])
            x -= (chance * x).sum(axis=1, keepdims=True)
            weighted = (x * chance * tables[at][:, None, None]).reshape(-1, p)
            found += x.reshape(-1, p).T @ weighted
        return np.asarray(self.basis.T @ found @ self.basis)

    def _newton(self, values: Floats, total: Floats, tables: Floats) -> Floats:
        """The maximum from `values` on; ends early where it runs away (`FAR`)."""

        def height(at: Floats) -> tuple[float, Floats]:
            features, logs = self.expected(at[:, None], tables[:, None])
            return float(total @ at - logs[0]), self.basis.T @ (total - features[:, 0])

        here, slope = height(values)
        for _ in range(_STEPS):
            if abs(slope).max() <= _CLOSE * tables.sum() or abs(values).max() > FAR:
                break
            step = self.basis @ np.linalg.solve(self._curvature(values, tables), slope)
            rise = float(step @ self.basis @ slope)
            assert rise > 0, "the log-likelihood is concave"
            length = 1.0
            while True:
                there, steep = height(values + length * step)
                if there >= here + 1e-4 * length * rise or length < 1e-6:
                    break
                length /= 2
            values, here, slope = values + length * step, there, steep
        return values

    def draws(self, resamples: int) -> tuple[Floats, Bools]:
        """Parameters in each resample [p, B], and which strategies do not win there [S, B]."""
        c = self.counted
        total = resampled(c.observed, resamples).T
        tables = c.tables_of(resamples).T
        is_seldom = (c.observed > 0).sum(axis=0) < SELDOM
        is_seldom[c.strategies : c.strategies + c.seats.shape[1]] = False
        unseen = (total == 0) & (c.observed.sum(axis=0) > 0)[:, None]
        unseen[c.strategies : c.strategies + c.seats.shape[1]] = False
        total[unseen] = 0.5
        found = np.repeat(self.values[:, None], resamples, axis=1)
        going = np.arange(resamples)
        for _ in range(_STEPS):
            some = tables if tables.shape[1] == 1 else tables[:, going]
            wanted, now = total[:, going], self.expected(found[:, going], some)[0]
            slope = self.basis.T @ (wanted - now)
            is_far = abs(slope).max(axis=0) > _NEAR * some.sum(axis=0)
            going = going[is_far]
            if not going.size:
                break
            step = self.basis @ self.inverse @ slope[:, is_far]
            seldom = (wanted[is_seldom] / np.maximum(now[is_seldom], 1e-9))[:, is_far]
            step[is_seldom] = np.log(np.maximum(seldom, 1e-9))
            found[:, going] += step
            if abs(found[:, going]).max() > FAR:
                break
        for one in going:  # few deals, far from the whole: step by step
            mine = tables[:, 0 if tables.shape[1] == 1 else one]
            found[:, one] = self._newton(self.values, total[:, one], mine)
        return found, unseen[: c.strategies]


def _above(matches: Matches, inside: Bools) -> Bools:
    """Strategies outside that won while a rated one sat at the table [S]."""
    won, seats = matches.winners, matches.seats
    with_rated = inside[seats].any(axis=1)[:, None]
    above = np.zeros(len(inside), np.bool_)
    above[seats[won & ~inside[seats] & with_rated]] = True
    return above


def _rows(table: Ints) -> tuple[Ints, Ints]:
    """Different rows of small numbers, and which one each row is."""
    base = table.shape[1]
    power = base ** np.arange(base)
    _, first, which = np.unique(table @ power, return_index=True, return_inverse=True)
    return np.asarray(table[first], np.int64), which


def is_whole(winners: Bools, teams: Ints) -> Bools:
    """Whether a set of winners [K, n] takes every team whole."""
    taken = [
        winners[:, teams == team].all(axis=1) | ~winners[:, teams == team].any(axis=1)
        for team in np.unique(teams)
    ]
    return np.asarray(np.all(taken, axis=0))


def blocks(count: int, each: int) -> Iterator[slice]:
    """Cut `count` things of `each` numbers into parts that fit into memory."""
    step = max(1, _BLOCK // max(each, 1))
    return (slice(at, min(at + step, count)) for at in range(0, count, step))
