"""Strategies at one table: what each wins a seat, beside what equal players would win there.

The equal share of a line-up is the mean of all its seats, so that games which nobody wins do not
count against anybody. An advantage is a win share less the equal share of the same games. Values
are means of a deal over its games, and whatever is compared is subtracted deal by deal.

For the design roles the seats of a role are looked at in place of the seats of a strategy, and the
equal share of a role is its mean over all casts: roles need not be worth the same.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import combinations

import numpy as np

from analysis.contrasts import contrasts
from analysis.controls import paired_factor
from analysis.intervals import LEVEL, Estimate
from analysis.moments import Floats, Moments
from analysis.power import games_to_notice
from sim.core.game import SHARE_UNIT
from sim.results import Rows

DIGITS = 12  # decimals of a share; what is beyond comes from rounding, and is no variance


@dataclass(frozen=True, eq=False)
class Seated:
    """The seats of one strategy, or of one role, in a line-up."""

    strategy: int
    members: int  # seats
    share: Floats  # [D] win share a seat
    advantage: Floats  # [D] less the equal share
    spread: float  # variance of the share in one game
    variance: float  # of the advantage in one game
    rotations: int  # games a deal
    within: tuple[float, float]  # the least and the most that an advantage can be
    apart: tuple[Floats, ...] = ()  # [D] variance within a deal of its share less each one's


Line = tuple[Seated, ...]  # the different ones of a line-up


def seated(share: Rows, group: Rows, cast: Sequence[int], cluster: Rows, deals: int) -> Line:
    """Who sits in a line-up, from its games.

    Parameters
    ----------
    share
        [G, n] share of the win in 1/2520.
    group
        [G, n] or [n] whose seat it is: a strategy, or a role.
    cast
        Strategy of each group; groups that do not sit here are left out.
    cluster, deals
        [G] position of the deal, and number of deals; all have equally many games.
    """
    rotations, n = len(share) // deals, share.shape[1]
    equal = share.sum(axis=1) / n
    taken, every = [], []
    for number, strategy in enumerate(cast):
        own = np.broadcast_to(group == number, share.shape)
        members = int(own[0].sum()) if len(own) else 0
        if not members:
            continue
        taken.append((strategy, members))
        every.append((share * own).sum(axis=1) / members / SHARE_UNIT)

    def by_deal(games: Floats) -> Floats:
        return np.asarray(np.bincount(cluster, games, deals) / rotations)

    found = []
    for (strategy, members), mine in zip(taken, every, strict=True):
        ahead = mine - equal / SHARE_UNIT
        apart = tuple(by_deal((mine - one) ** 2) - by_deal(mine - one) ** 2 for one in every)
        found.append(
            Seated(
                strategy,
                members,
                by_deal(mine),
                by_deal(ahead),
                float(mine.var()),
                float(ahead.var()),
                rotations,
                (-1 / n, 1 / members - 1 / n),
                apart,
            )
        )
    return tuple(found)


# What the games tell


class Call(StrEnum):
    """What is found about two strategies."""

    AHEAD = "AHEAD"  # the first beats the second
    BEHIND = "BEHIND"  # the second beats the first
    RARE = "RARE"  # each is better where it is alone
    COMMON = "COMMON"  # each is worse where it is alone
    SAME = "SAME"  # they decided alike in all games
    OPEN = "OPEN"  # these games cannot tell


@dataclass(frozen=True)
class Alone:
    """One strategy alone at a table of another."""

    share: Estimate  # its interval holds together with those of all pairs
    expected: float  # equal share of these games
    advantage: Estimate
    variance: float  # of the advantage in one game

    @property
    def sign(self) -> int:
        """1 if it is shown to gain, -1 to lose, else 0."""
        return sign(self.advantage)

    @property
    def notice(self) -> int | None:
        """Games after which a family would notice the advantage."""
        return games_to_notice(self.advantage.mean, self.variance)


@dataclass(frozen=True)
class InRole:
    """One strategy in one role, over all casts that give it this role."""

    advantage: Estimate
    variance: float  # of the advantage in one game

    @property
    def notice(self) -> int | None:
        """Games after which a family that knows the role's mean would notice the advantage."""
        return games_to_notice(self.advantage.mean, self.variance)


@dataclass(frozen=True)
class Standing:
    """A strategy at all its tables that hold others too."""

    strategy: int
    share: Estimate  # a seat
    expected: float  # equal share of the same games
    advantage: Estimate  # the intervals of all strategies hold together
    behind: Estimate | None  # the first one's advantage less this one's; of all pairs together


@dataclass(frozen=True)
class Duel:
    """Two strategies at the tables that hold both, `first` being the one that does better there."""

    first: int
    second: int
    edge: Estimate  # a seat of the first less a seat of the second; of all pairs together
    variance: float  # of the edge in one game, at most
    factor: Estimate | None  # games saved by the common deals (`paired_factor`); None: no variance
    alone: tuple[Alone | None, Alone | None]  # each against n - 1 of the other
    call: Call  # over all these tables
    is_among_others: bool  # whether others sat there too

    def seen_from(self, i: int) -> Duel:
        """The same with the strategy `i` as the first."""
        if i == self.first:
            return self
        return replace(
            self,
            first=self.second,
            second=self.first,
            edge=turned(self.edge),
            alone=self.alone[::-1],
            call=_TURNED.get(self.call, self.call),
        )

    @property
    def notice(self) -> int | None:
        """Games with both after which a family would notice the edge."""
        return games_to_notice(self.edge.mean, self.variance)

    @property
    def alone_call(self) -> Call | None:
        """What the tables where one sits alone among the other tell; None without such tables."""
        mine, theirs = self.alone
        return _CALLS[mine.sign, theirs.sign] if mine and theirs else None


_TURNED = {Call.AHEAD: Call.BEHIND, Call.BEHIND: Call.AHEAD}
# By who is shown to gain (1) or lose (-1) alone, the first and the second.
_CALLS = {
    (1, 1): Call.RARE,
    (-1, -1): Call.COMMON,
    (0, 0): Call.OPEN,
    **dict.fromkeys(((1, 0), (0, -1), (1, -1)), Call.AHEAD),
    **dict.fromkeys(((0, 1), (-1, 0), (-1, 1)), Call.BEHIND),
}


@dataclass(frozen=True)
class Intervals:
    """How intervals are made: for a fixed number of deals, or such that hold at every look."""

    planned: int | None = None

    def of(
        self,
        values: Floats,
        games: Sequence[int],
        together: bool = False,
        among: int = 1,
        within: tuple[float, float] = (0.0, 1.0),
    ) -> list[Estimate]:
        """Means over deals.

        Parameters
        ----------
        values
            [D, k], or [D].
        games
            [k] games a deal that each column is made from.
        together
            Whether the intervals of the columns hold together.
        among
            Number of such sets of intervals that shall hold together (Bonferroni).
        within
            Range in which the values lie: ends of intervals are no farther, and where nothing
            varied all of it may still come.
        """
        moments = Moments.from_values(np.round(values, DIGITS))
        n = moments.deals
        if moments.covariance is None:
            means = zip(moments.mean.tolist(), games, strict=True)
            return [Estimate(mean, None, None, None, n, each) for mean, each in means]
        found = contrasts(moments, np.eye(len(games)), span=within[1] - within[0])
        level = 1 - (1 - LEVEL) / among
        ends = found.interval(level, together=together, planned=self.planned)
        assert ends is not None and found.se is not None
        kept = np.clip(ends, *within)
        columns = np.stack([found.estimate, found.se, *kept], axis=1).tolist()
        return [
            Estimate(mean, se, low, high, n, n * each)
            for (mean, se, low, high), each in zip(columns, games, strict=True)
        ]


def sign(found: Estimate) -> int:
    """1 if the interval lies above zero, -1 if below, else 0."""
    if found.low is None or found.high is None:
        return 0
    return int(found.low > 0) - int(found.high < 0)


def by_role(lines: Sequence[Line]) -> list[Line]:
    """The same casts with what each role wins less its mean over all casts.

    That mean is a number of its own and not the equal share of a game: of an advantage in one game
    nothing varies but the share.
    """
    roles = range(len(lines[0]))
    equal = [np.mean([line[role].share for line in lines], axis=0) for role in roles]
    return [
        tuple(
            replace(
                one,
                advantage=one.share - mean,
                variance=one.spread,
                within=(-1 / one.members, 1 / one.members),
            )
            for one, mean in zip(line, equal, strict=True)
        )
        for line in lines
    ]


def standings(lines: Sequence[Line], n: int, intervals: Intervals) -> list[Standing]:
    """Every strategy at all its tables, the best first; each line-up counts once."""
    own = [[one for line in lines for one in line if one.strategy == i] for i in range(n)]
    shares, ahead = (
        np.stack([np.mean([getattr(one, name) for one in ones], axis=0) for ones in own], axis=1)
        for name in ("share", "advantage")
    )
    games = [sum(one.rotations for one in ones) for ones in own]
    rows = list(
        zip(
            intervals.of(shares, games),
            intervals.of(ahead, games, together=True, within=_range(lines)),
            strict=True,
        )
    )
    order = sorted(range(n), key=lambda i: -rows[i][1].mean)
    low, high = _range(lines)
    behind = intervals.of(
        ahead[:, order[:1]] - ahead,
        [games[order[0]] + each for each in games],
        among=max(n * (n - 1) // 2, 1),
        within=(low - high, high - low),
    )
    return [
        Standing(
            i,
            rows[i][0],
            rows[i][0].mean - rows[i][1].mean,
            rows[i][1],
            behind[i] if place else None,
        )
        for place, i in enumerate(order)
    ]


def _range(lines: Sequence[Line]) -> tuple[float, float]:
    """The least and the most that an advantage can be at any of these tables."""
    every = [one.within for line in lines for one in line]
    return min(low for low, _ in every), max(high for _, high in every)


def in_roles(lines: Sequence[Line], n: int, intervals: Intervals) -> list[list[InRole]]:
    """Each strategy in each role, over all casts that give it this role."""
    found = []
    for i in range(n):
        casts = [
            [line[role] for line in lines if line[role].strategy == i]
            for role in range(len(lines[0]))
        ]
        values = [np.mean([one.advantage for one in ones], axis=0) for ones in casts]
        games = [sum(one.rotations for one in ones) for ones in casts]
        ahead = intervals.of(np.stack(values, axis=1), games, within=_range(lines))
        found.append(
            [
                InRole(est, _mixed([(one.advantage, one.variance) for one in ones]))
                for est, ones in zip(ahead, casts, strict=True)
            ]
        )
    return found


def _mixed(tables: Sequence[tuple[Floats, float]]) -> float:
    """Variance of one game that is at each of these tables as often, of values [D] and variance."""
    return float(np.mean([each for _, each in tables]) + np.var([one.mean() for one, _ in tables]))


def duels(
    lines: Sequence[Line], n: int, intervals: Intervals, alike: Collection[frozenset[int]] = ()
) -> list[Duel]:
    """Every two strategies that meet; `alike` are pairs that decided alike in all games."""
    found = []
    pairs = n * (n - 1) // 2
    for i, j in combinations(range(n), 2):
        meetings = [
            (mine, theirs, mine.apart[at])
            for line in lines
            for mine in line
            for at, theirs in enumerate(line)
            if (mine.strategy, theirs.strategy) == (i, j)
        ]
        if not meetings:
            continue
        apart = np.stack([mine.advantage - theirs.advantage for mine, theirs, _ in meetings])
        spreads = [_apart(mine, theirs) for mine, theirs, _ in meetings]
        spread = _mixed([*zip(apart, spreads, strict=True)])
        rotations = [mine.rotations for mine, *_ in meetings]
        within = (  # a seat has at most its part of the win; the means of roles cancel
            -float(np.mean([1 / theirs.members for _, theirs, _ in meetings])),
            float(np.mean([1 / mine.members for mine, *_ in meetings])),
        )
        (edge,) = intervals.of(apart.mean(axis=0), [sum(rotations)], among=pairs, within=within)
        both = alone(lines, i, j, intervals, pairs), alone(lines, j, i, intervals, pairs)
        factor = paired_factor(apart.T, np.stack([one for *_, one in meetings]).T, rotations)
        is_among_others = any(
            len({one.strategy for one in line}) > 2 and {i, j} <= {one.strategy for one in line}
            for line in lines
        )
        duel = Duel(i, j, edge, spread, factor, both, Call.OPEN, is_among_others)
        found.append(_called(duel, frozenset({i, j}) in alike))
    return found


def _apart(one: Seated, other: Seated) -> float:
    """Variance of the difference of two shares in one game, at most: exact if no win is shared.

    As `analysis.power.contrast_variance`, but a share may be one of several seats.
    """
    return one.spread + other.spread + 2 * float(one.share.mean() * other.share.mean())


def alone(
    lines: Sequence[Line], i: int, j: int, intervals: Intervals, pairs: int = 1
) -> Alone | None:
    """Strategy `i` alone at a table of `j`, one of so many pairs; None if nobody sat like that."""
    for line in lines:
        pair = {one.strategy: one for one in line}
        if len(line) == 2 and pair.keys() == {i, j} and pair[i].members == 1:
            one = pair[i]
            (share,) = intervals.of(one.share, [one.rotations], among=pairs)
            games = [one.rotations]
            (ahead,) = intervals.of(one.advantage, games, among=pairs, within=one.within)
            return Alone(share, share.mean - ahead.mean, ahead, one.variance)
    return None


def _called(duel: Duel, is_alike: bool) -> Duel:
    """Put the better one first and say what is found.

    The difference over all tables decides, unless each gains, or each loses, where it is alone.
    Where it leaves the pair open, so does the call: that one is shown to gain alone says nothing
    about the other, and each further interval that could decide would be one more to err.
    """
    if duel.edge.mean < 0:
        duel = duel.seen_from(duel.second)
    alone_call = duel.alone_call
    if is_alike:
        call = Call.SAME
    elif alone_call in (Call.RARE, Call.COMMON):
        call = alone_call
    elif sign(duel.edge):
        call = Call.AHEAD
    else:
        call = Call.OPEN
    return replace(duel, call=call)


def turned(found: Estimate) -> Estimate:
    """The same difference the other way round."""
    low = None if found.high is None else -found.high
    high = None if found.low is None else -found.low
    return replace(found, mean=-found.mean, low=low, high=high)
