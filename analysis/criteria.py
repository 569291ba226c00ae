"""What makes a candidate good: values of variants, from their cells, and how two of them differ.

A candidate is a variant among many (`analysis.search`). A criterion gives every candidate a value,
estimated over deals, and says whether little or much of it is good. A value is either one mean as
it is, or the largest of several means without their signs: a distance. Both are the largest of some
means ('parts'), those of a distance being taken with either sign; from there on they are treated
alike.

References
----------
Bhatia and Davis (2000), A better bound on the variance: what lies between 0 and 1 and has mean m
has a variance of at most m (1 - m).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from itertools import combinations
from math import inf
from typing import TYPE_CHECKING, Literal

import numpy as np

from analysis.contrasts import Contrasts, contrasts, unseen
from analysis.intervals import LEVEL
from analysis.moments import Floats, Moments, paired_difference
from analysis.multiplicity import max_t_quantile
from analysis.power import column_variance, difference_variance
from analysis.winshares import deals, games, is_game_rate, is_seat_rate, n_seats, positions
from sim.core.game import Game, Words

if TYPE_CHECKING:
    from sim.results import Cell

Goal = Literal["least", "most"]


@dataclass(frozen=True, eq=False)
class Measured:
    """A candidate's value on a criterion."""

    found: Contrasts  # one mean, or those of which the largest without sign counts
    is_distance: bool
    deals: int
    games: int
    variance: float  # of one game of the mean that is the value, at most (`analysis.power`)
    limits: tuple[float, float] = (-inf, inf)  # between which the value must lie
    shared: Floats | None = None  # [c] standard errors of what other candidates share: the target

    @property
    def value(self) -> float:
        """The estimate. That of a distance is rather too large, as chance adds to it."""
        parts = self.found.estimate
        return float(abs(parts).max() if self.is_distance else parts[0])

    def interval(self, level: float = LEVEL) -> tuple[float, float]:
        """Lower and upper end; infinite, or at the limits, where nothing can be said.

        A distance lies between the largest lower and the largest upper end of the intervals of its
        means, which hold together (Bonferroni).
        """
        single = 1 - (1 - level) / len(self.found.estimate)
        half = self.found.half_width(single, together=False)
        if half is None:
            return self.limits
        parts = abs(self.found.estimate) if self.is_distance else self.found.estimate
        low, high = float((parts - half).max()), float((parts + half).max())
        return max(low, self.limits[0]), min(high, self.limits[1])


Measure = Callable[[Mapping[str, "Cell"]], Measured]  # from the cells by name of line-up
_NO_UNIT = Words("", "")


@dataclass(frozen=True)
class Criterion:
    """What makes a candidate good."""

    name: str
    title: Words
    goal: Goal
    margin: float  # difference that does not matter, in the unit of the value
    is_rate: bool  # whether the unit is a share of the games
    measure: Measure
    unit: Words = _NO_UNIT  # of a value that is no share

    @property
    def sign(self) -> int:
        """Factor that makes small values the good ones."""
        return 1 if self.goal == "least" else -1


# Kinds of criteria, from cells


def places(cell: Cell, game: Game, column: str = "win_share") -> Measured:
    """Largest difference between two places, of a seat column."""
    moments = Moments.from_cell(cell, game, "place", column)
    found = contrasts(moments, span=_span(game, column))
    pairs = list(combinations(moments.mean.tolist(), 2))
    most = pairs[int(abs(found.estimate).argmax())]
    variance = difference_variance(cell, game, column, *most)
    limits = (0.0, _span(game, column) or inf)
    return Measured(found, True, deals(cell), games(cell), variance, limits)


def gap(cell: Cell, game: Game, column: str = "win_share") -> Measured:
    """Mean of the first strategy of a mixed line-up less that of the last, of a seat column.

    Raises
    ------
    ValueError
        If there is one strategy only.
    """
    groups = positions(cell, "strategy")
    first, last = groups[0], groups[-1]
    weights = np.zeros(n_seats(cell))
    weights[list(first.members)] += 1 / len(first.members)
    weights[list(last.members)] -= 1 / len(last.members)
    moments = Moments.from_cell(cell, game, "strategy", column)
    found = contrasts(moments, weights, span=_span(game, column))
    most = _span(game, column) or inf
    means = (moments.mean[list(rung.members)].mean() for rung in (first, last))
    variance = difference_variance(cell, game, column, *map(float, means))
    return Measured(found, False, deals(cell), games(cell), variance, (-most, most))


def mean(cell: Cell, game: Game, column: str, target: Cell | None = None) -> Measured:
    """Mean of a column over all seats or games, or its distance from that of a target.

    The target is the same for all candidates and was played on deals of its own.
    """
    most = _span(game, column)
    found, variance = _mean(cell, game, column), column_variance(cell, game, column)
    if target is None:
        limits = (-inf if most is None else 0.0, most or inf)
        return Measured(found, False, deals(cell), games(cell), variance, limits)
    there = _mean(target, game, column)
    limits = (0.0, most or inf)
    return Measured(found.minus(there), True, deals(cell), games(cell), variance, limits, there.se)


def distribution(cell: Cell, game: Game, column: str, target: Cell) -> Measured:
    """Kolmogorov's distance of a column's histogram, all positions together, from a target's.

    The target is the same for all candidates and was played on deals of its own.

    Notes
    -----
    The means are the shares of results up to each value, less those of the target. The totals keep
    no products of single values, so a deal's share has the largest variance that its mean allows
    (Bhatia and Davis), which is that of a deal whose results are all the same. The interval is
    wider than need be, by a factor of up to the root of the number of results a deal.

    Raises
    ------
    KeyError
        If the column has no histogram.
    """
    here, there = (_cumulated(one, column) for one in (cell, target))
    # Before the first value that was seen and after the last the curves lie between their ends.
    seen = (np.maximum(here, there) > 0) & (np.minimum(here, there) < 1)
    first, last = np.flatnonzero(seen)[[0, -1]] if seen.any() else (1, 0)
    kept = slice(max(first - 1, 0), last + 2)
    here, there = here[kept], there[kept]
    own, theirs = here * (1 - here) / deals(cell), there * (1 - there) / deals(target)
    n = min(deals(cell), deals(target))
    spread = np.diag(n * (own + theirs)) if n > 1 else None
    found = Contrasts(n, here - there, spread, np.full(len(here), 2.0))
    most = here[abs(here - there).argmax()]
    variance = float(most * (1 - most))
    return Measured(found, True, deals(cell), games(cell), variance, (0.0, 1.0), np.sqrt(theirs))


# Differences


def difference(
    first: Measured, second: Measured, level: float = LEVEL, paired: Moments | None = None
) -> tuple[float, float, float]:
    """Value of `first` less that of `second`, with the ends of its interval.

    Parameters
    ----------
    first, second
        Of one criterion, on deals of their own; a target is the same for both.
    paired
        Moments of the deals' values of `second` and `first`, in this order, on common deals.

    Notes
    -----
    A value is the largest of its parts. So the difference is the largest, over the parts of
    `first`, of the smallest, over the parts of `second`, of the differences of two parts. Their
    intervals hold together (Bonferroni); put into this formula, their ends give those of the
    difference. This is narrower than what follows from the intervals of both values.

    Raises
    ------
    ValueError
        If a distance is given as paired: the largest of means is no mean over deals.
    """
    if paired is not None:
        if first.is_distance:
            raise ValueError("a distance has no value a deal that could be paired")
        of_deals = paired_difference(paired).difference
        reach = first.found.reach + second.found.reach
        found = Contrasts(of_deals.deals, of_deals.mean, of_deals.covariance, reach)
        low, high = replace(first, found=found, limits=(-inf, inf)).interval(level)
        return float(found.estimate[0]), low, high
    estimate = first.value - second.value
    mine, other = _parts(first), _parts(second)
    if mine is None or other is None:
        return estimate, -inf, inf
    apart = mine.mean[:, None] - other.mean
    if len(first.found.estimate) == len(second.found.estimate) == 1:  # the target's error is one
        common = (mine.shared[:, None] - other.shared) ** 2
    else:  # at most
        common = (abs(mine.shared)[:, None] + abs(other.shared)) ** 2
    variance = mine.variance[:, None] + other.variance + common
    # Two parts and the same two with the other sign have one interval.
    alpha = (1 - level) / (apart.size // (1 + first.is_distance))
    n = min(first.found.deals, second.found.deals)
    half = np.where(
        variance > 0,
        max_t_quantile(alpha, np.eye(1), n - 1) * np.sqrt(variance),
        unseen(mine.reach[:, None] + other.reach, n, alpha),
    )
    low, high = ((apart + side * half).min(axis=1).max() for side in (-1, 1))
    return estimate, float(low), float(high)


def _span(game: Game, column: str) -> float | None:
    """Length of the range of a column, if it is a share of the games."""
    return 1.0 if is_seat_rate(game, column) or is_game_rate(game, column) else None


def _mean(cell: Cell, game: Game, column: str) -> Contrasts:
    return contrasts(Moments.of_mean(cell, game, column), [[1]], span=_span(game, column))


def _cumulated(cell: Cell, column: str) -> Floats:
    """Share of the results up to each value; that of the last is 1 without a rounding error."""
    counts = np.atleast_2d(cell.totals[f"histogram/{column}"]).sum(axis=0).cumsum()
    return np.asarray(counts / counts[-1], np.float64)


@dataclass(frozen=True, eq=False)
class _Parts:
    """Means of which the largest is a value."""

    mean: Floats
    variance: Floats  # of the estimates, without the target
    shared: Floats  # standard error of the target, with the sign of the part
    reach: Floats


def _parts(one: Measured) -> _Parts | None:
    """The means of a value, those of a distance with both signs; None with one deal."""
    found = one.found
    if found.se is None:
        return None
    shared = np.zeros_like(found.se) if one.shared is None else one.shared
    variance = np.maximum(found.se**2 - shared**2, 0.0)
    if not one.is_distance:
        return _Parts(found.estimate, variance, shared, found.reach)
    return _Parts(
        np.concatenate([found.estimate, -found.estimate]),
        np.tile(variance, 2),
        np.concatenate([shared, -shared]),
        np.tile(found.reach, 2),
    )
