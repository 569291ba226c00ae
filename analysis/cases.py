"""How a claim becomes cases: what is subtracted from what, with the covariance over deals.

    places         all pairs of places of one setting, from sums over deals
    ladder         gaps between neighbours of a line-up, less those of the setting compared with
    value          mean of a column of one setting, or gaps between neighbours of its line-up, less
                   a given number, from sums over deals
    comparability  mean of a column, less that of the setting compared with
    distribution   cumulated shares of a column at every value, less those of the setting compared
                   with; the largest is the distance of Kolmogorov
    hands          share of the spread that the own hand explains, less that of the setting compared
                   with (`analysis.neutrality`)

What is subtracted is told too, each mean or gap with an interval that holds on its own.

Where two settings are compared, they are subtracted deal by deal: both play the same deals, so that
what the cards do to both falls away (common random numbers).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations, pairwise

import numpy as np

from analysis.contrasts import Contrasts, contrasts, paired_contrasts
from analysis.fairness import Finding, judge
from analysis.influence import Skewness
from analysis.intervals import Estimate
from analysis.moments import Floats, Moments
from analysis.neutrality import changes, explained
from analysis.power import column_variance, difference_variance, games_to_notice, gap_variance
from analysis.questions import Claim, Setting
from analysis.samples import by_deal, by_strategy, cumulated, of_games, overall
from analysis.winshares import (
    games,
    histogram,
    measure_of,
    n_seats,
    positions,
)
from sim.core.game import Game
from sim.results import Cell, Rows, Run


@dataclass(frozen=True)
class Pair:
    """Two things that are compared: places from 0, strategies, or '' for whole settings.

    Of a distribution the first is the value up to which shares are cumulated.
    """

    first: str
    second: str


@dataclass(frozen=True, eq=False)
class Case:
    """A claim in one setting, or in one against another, with its verdict."""

    setting: Setting
    against: Setting | None
    finding: Finding
    pairs: tuple[Pair, ...]
    games: int
    notice: tuple[int | None, ...]  # games a family would need for each pair, rather too many
    values: tuple[tuple[Estimate, Estimate | float], ...]
    """What each pair subtracts, with 95 % intervals of their own; what a value is held against is a
    plain number."""
    saved: tuple[float | None, ...] = ()  # times more deals without common ones, a pair

    @cached_property
    def half_width(self) -> Floats | None:
        """Half widths of 95 % intervals that hold together in this case."""
        found = self.finding
        return found.contrasts.half_width(found.level, planned=found.planned)

    @property
    def largest(self) -> int:
        """Number of the pair that differs most."""
        return int(np.argmax(abs(self.finding.contrasts.estimate)))

    @property
    def signed(self) -> float:
        """The largest difference."""
        return float(self.finding.contrasts.estimate[self.largest])

    @property
    def size(self) -> float:
        """The largest difference without its sign."""
        return abs(self.signed)


@dataclass(frozen=True)
class Played:
    """What came of a setting: the runs of its blocks of deals, and their sums."""

    setting: Setting
    runs: tuple[Run, ...]
    cell: Cell


@dataclass(frozen=True, eq=False)
class Kept:
    """Hands of a setting that were kept while all else was drawn anew."""

    setting: Setting
    values: Rows  # int64 [hands, redraws], what came of every game
    traits: Rows  # int64 [hands, t], what the hands are made of


def hands(claim: Claim, here: Kept, there: Kept) -> Case:
    """What the own hand explains, in a setting against another on the same deals."""
    both = explained(there.values, here.values)
    if both is None:  # the same result whatever the hand: nothing to explain
        both = Moments(len(here.values), np.zeros(2), np.zeros((2, 2)))
    found = changes(both)
    second, first = _alone(contrasts(both, np.eye(2), span=None), here.values.size)
    return Case(
        here.setting,
        there.setting,
        judge(found, claim.margin),
        (Pair("", ""),),
        here.values.size + there.values.size,
        (None,),
        ((first, second),),
    )


def places(claim: Claim, here: Played, game: Game, planned: int | None) -> Case:
    """All pairs of places of one setting."""
    cell = here.cell
    moments = Moments.from_cell(cell, game, "place", claim.estimand)
    pairs = list(combinations(range(n_seats(cell)), 2))
    each = contrasts(moments, np.eye(n_seats(cell)), span=1.0 if claim.is_rate else None)
    means = _alone(
        _with_reach(each, game, claim, 1.0), games(cell), planned, is_share=claim.is_rate
    )
    found = contrasts(moments, span=1.0 if claim.is_rate else None)
    found = _with_reach(found, game, claim, 2.0)
    variances = [
        difference_variance(cell, game, claim.estimand, means[a].mean, means[b].mean)
        for a, b in pairs
    ]
    return Case(
        here.setting,
        None,
        judge(found, claim.margin, planned=planned),
        tuple(Pair(str(a), str(b)) for a, b in pairs),
        games(cell),
        _notice(found, variances),
        tuple((means[a], means[b]) for a, b in pairs),
    )


def value(claim: Claim, here: Played, game: Game, planned: int | None) -> Case:
    """A mean, or at a mixed table gaps between neighbours of the line-up, against a number."""
    cell = here.cell
    if claim.estimand in game.seat_columns and not here.setting.lineup.is_uniform:
        pairs, weights, variances = _gaps(claim, cell, game)
        moments = Moments.from_cell(cell, game, "strategy", claim.estimand)
    else:
        pairs, weights = (Pair("", ""),), np.eye(1)
        moments = Moments.of_mean(cell, game, claim.estimand)
        variances = [column_variance(cell, game, claim.estimand)]
    found = contrasts(moments, weights, target=claim.value, span=1.0 if claim.is_rate else None)
    found = _with_reach(found, game, claim, float(abs(weights).sum(axis=1).max()))
    itself = replace(found, estimate=found.estimate + claim.value)
    is_share = claim.is_rate and not pairs[0].first
    return Case(
        here.setting,
        None,
        judge(found, claim.margin, planned=planned),
        pairs,
        games(cell),
        _notice(found, variances),
        tuple(
            (one, claim.value) for one in _alone(itself, games(cell), planned, is_share=is_share)
        ),
    )


def comparison(claim: Claim, here: Played, there: Played, game: Game, planned: int | None) -> Case:
    """A setting against another on the same deals."""
    form = {"ladder": _ladder, "comparability": _means, "distribution": _distribution}[claim.kind]
    pairs, values, variances = form(claim, here, there, game)
    first, second = values
    # A difference of two shares lies between -1 and 1, one of two gaps between -2 and 2.
    lengths = 4.0 if claim.kind == "ladder" else 2.0
    found, paired = paired_contrasts(first, second, lengths if claim.is_rate else None)
    found = _with_reach(found, game, claim, lengths)
    sides = []
    for played, deals in ((here, first), (there, second)):
        moments, span = Moments.from_values(deals), lengths / 2
        each = contrasts(moments, np.eye(len(pairs)), span=span if claim.is_rate else None)
        each = replace(_with_reach(each, game, claim, span), skewness=Skewness.of(deals))
        is_share = claim.is_rate and claim.kind != "ladder"
        sides.append(_alone(each, games(played.cell), planned, is_share=is_share))
    return Case(
        here.setting,
        there.setting,
        judge(found, claim.margin, planned=planned),
        pairs,
        games(here.cell) + games(there.cell),
        _notice(found, variances),
        tuple(zip(*sides, strict=True)),
        paired.variance_reduction,
    )


def _with_reach(found: Contrasts, game: Game, claim: Claim, lengths: float) -> Contrasts:
    """The same, with the declared range of a column where nothing varied; shares have theirs.

    Scores and counts have no range to speak of, but there it tells how far deals that were not seen
    could move the mean.
    """
    if found.covariance is None or claim.is_rate:
        return found
    measure = measure_of(game, claim.estimand)
    reach = lengths * (measure.high - measure.low) if measure else 0.0
    return replace(found, reach=np.where(np.diag(found.covariance) == 0, reach, 0.0))


def _alone(
    found: Contrasts, games: int, planned: int | None = None, *, is_share: bool = False
) -> list[Estimate]:
    """Means or gaps with 95 % intervals that hold one by one; those of shares end at 0 and 1."""
    each = found.estimates(found.half_width(together=False, planned=planned), games)
    if not is_share:
        return each
    return [
        replace(one, low=one.low and max(one.low, 0.0), high=one.high and min(one.high, 1.0))
        for one in each
    ]


_Form = tuple[tuple[Pair, ...], tuple[Floats, Floats], list[float]]


def _ladder(claim: Claim, here: Played, there: Played, game: Game) -> _Form:
    """Gaps between neighbours of the line-up, which may have more seats in one setting."""
    pairs, ours, variances = _gaps(claim, here.cell, game)
    _, theirs, others = _gaps(claim, there.cell, game)
    first = _deals(here, by_strategy, claim) @ ours.T
    second = _deals(there, by_strategy, claim) @ theirs.T
    return pairs, (first, second), [a + b for a, b in zip(variances, others, strict=True)]


def _gaps(claim: Claim, cell: Cell, game: Game) -> tuple[tuple[Pair, ...], Floats, list[float]]:
    """Neighbours of a line-up, weights [gaps, n] of the seats, and variances a game."""
    rungs = positions(cell, "strategy")
    weights = np.zeros((len(rungs) - 1, n_seats(cell)))
    variances = []
    for line, pair in zip(weights, pairwise(rungs), strict=True):
        for rung, sign in zip(pair, (1, -1), strict=True):
            line[list(rung.members)] = sign / len(rung.members)
        variances.append(gap_variance(cell, game, claim.estimand, *pair))
    return tuple(Pair(a.label, b.label) for a, b in pairwise(rungs)), weights, variances


def _means(claim: Claim, here: Played, there: Played, game: Game) -> _Form:
    """Mean of a column over all seats of a game, or of a game."""
    first, second = (_deals(played, overall, claim) for played in (here, there))
    variance = sum(float(_deals(played, of_games, claim).var()) for played in (here, there))
    return (Pair("", ""),), (first, second), [variance]


def _distribution(claim: Claim, here: Played, there: Played, game: Game) -> _Form:
    """Cumulated shares at every value that was seen, but for the highest, where all are one."""
    shares = [histogram(played.cell, claim.estimand) for played in (here, there)]
    measure = measure_of(game, claim.estimand)
    assert measure is not None, "the reader lets through only columns with a measure"
    seen = np.flatnonzero(shares[0] + shares[1])
    values = [measure.low + int(at) for at in range(seen[0], max(seen[-1], seen[0] + 1))]
    every, variances = [], np.zeros(len(values))
    for played in (here, there):
        blocks = [cumulated(run, claim.estimand, values) for run in played.runs]
        deals = [by_deal(run, block) for run, block in zip(played.runs, blocks, strict=True)]
        every.append(np.concatenate([block.mean(axis=1) for block in deals]))
        variances += np.concatenate(blocks).var(axis=0)
    first, second = every
    return tuple(Pair(str(value), "") for value in values), (first, second), variances.tolist()


def _deals(played: Played, form: Callable[[Run, str], Floats], claim: Claim) -> Floats:
    """Values of all deals of a setting, block after block."""
    return np.concatenate([form(run, claim.estimand) for run in played.runs])


def _notice(found: Contrasts, variances: Sequence[float]) -> tuple[int | None, ...]:
    return tuple(
        games_to_notice(float(effect), variance)
        for effect, variance in zip(found.estimate, variances, strict=True)
    )
