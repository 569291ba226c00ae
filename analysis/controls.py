"""How many games a design saves: the same deals for all, and control variates from the hands.

Duplicate
    A line-up that turns over the seats of a deal against as many games with a deal each: the ratio
    of the variances of their means.
Control variates
    What is known before a game is played, the hands, foretells a part of its result. That part is
    taken off, less its mean, which is known from many more deals that are dealt and not played. The
    weights come from the other half of the deals, so that nothing is fitted to its own result and
    the estimate stays unbiased.

References
----------
Law (2015), Simulation modeling and analysis, sections 11.2 (common random numbers) and 11.4
(control variates). Avramidis and Wilson (1993), A splitting scheme for control variates: weights
from other runs. Schmeiser, Taaffe and Wang (2001), Biased control-variate estimation: means of the
controls that are themselves estimated.
White, M. and Bowling (2009), Learning a value analysis tool for agent evaluation: the same for
poker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from analysis.intervals import LEVEL, Estimate, quantile
from analysis.matches import Matches
from analysis.moments import ROUNDING, Floats, Moments
from sim import tables
from sim.core.game import SHARE_UNIT, Words

if TYPE_CHECKING:
    from sim.experiment import Experiment

FURTHER = 20  # deals dealt for the mean of the controls, for each that was played
FEWEST = 10  # deals of half the sample for each control
_CONSTANT = Words("the hands or the results do not vary", "手牌或结果没有变化")


@dataclass(frozen=True)
class Controlled:
    """A mean with and without control variates."""

    plain: Estimate
    controlled: Estimate
    factor: Estimate  # variance of the plain mean over that of the controlled one
    controls: int  # that vary


def differences(matches: Matches, first: str, second: str, lineup: int) -> Floats:
    """Win share a seat of one strategy less that of another, in every game of a line-up [D, R].

    Raises
    ------
    ValueError
        A strategy is not in the line-up, or not every deal has as many games.
    """
    mine = matches.of_lineup(lineup)
    means = []
    for name in (first, second):
        taken = mine.seats == matches.names.index(name)
        if not taken.any(axis=1).all():
            raise ValueError(f"{name} does not play in {matches.label(lineup)}")
        means.append((mine.share * taken).sum(axis=1) / taken.sum(axis=1) / SHARE_UNIT)
    order = np.argsort(mine.cluster, kind="stable")
    if mine.games % mine.deals or np.ptp(np.bincount(mine.cluster)):
        raise ValueError("every deal must have as many games")
    return np.asarray((means[0] - means[1])[order].reshape(mine.deals, -1))


def duplicate_factor(values: ArrayLike, level: float = LEVEL) -> Estimate | None:
    """How many times more games it would take if every game had a deal of its own.

    Parameters
    ----------
    values
        [D, R] of each game of each deal, such as `differences`.

    Returns
    -------
    Estimate or None
        Of the ratio; below 1 the games of a deal are alike, and a deal each would have been better.
        None with one deal or game a deal, or if the means of the deals do not vary.
    """
    table = np.asarray(values, np.float64)
    deals, games = table.shape
    if deals < 2 or games < 2:
        return None
    mean = table.mean(axis=1)
    apart = (mean - mean.mean()) ** 2 * deals / (deals - 1)
    # Squares around the mean of the sample, made good for what that mean has taken with it.
    single = ((table - table.mean()) ** 2).mean(axis=1) + apart.mean() / deals
    if apart.mean() <= ROUNDING:
        return None
    return _ratio(single / games, apart, deals * games, level)


def controlled(
    values: ArrayLike, controls: ArrayLike, further: ArrayLike, level: float = LEVEL
) -> Controlled | Words:
    """A mean over deals with control variates.

    Parameters
    ----------
    values
        [D] of each deal.
    controls, further
        [D, q] what was known of each deal before it was played, and [M, q] the same of deals that
        were not played.

    Returns
    -------
    Controlled or Words
        Words say why it cannot be told: too few deals for the controls (`FEWEST`), or nothing
        varies.
    """
    y, x = np.asarray(values, np.float64), np.asarray(controls, np.float64)
    more = np.asarray(further, np.float64)
    deals = len(y)
    varies = (x.std(axis=0) > ROUNDING) & (more.std(axis=0) > ROUNDING)
    x, more = x[:, varies], more[:, varies]
    if not varies.any() or y.std() <= ROUNDING:
        return _CONSTANT
    needed = 2 * FEWEST * int(varies.sum())
    if deals < needed:
        return Words(
            f"it takes {needed} deals, and {deals} were played",
            f"需要 {needed} 次发牌，只打了 {deals} 次",
        )
    expected, scale = more.mean(axis=0), more.std(axis=0)
    x, more = (x - expected) / scale, (more - expected) / scale
    halves = np.arange(deals) % 2
    left = y.copy()
    weights = []
    for half in (0, 1):
        own, other = halves == half, halves != half
        around = x[other] - x[other].mean(axis=0)
        weight, *_ = np.linalg.lstsq(around, y[other] - y[other].mean(), rcond=1e-8)
        left[own] -= x[own] @ weight
        weights.append(weight * own.mean())
    spread = (more @ np.sum(weights, axis=0)).var(ddof=1) / len(more) * deals  # of the mean taken
    found = Moments.from_values(np.column_stack([y, left]))
    assert found.covariance is not None
    plain, better = (
        _estimate(float(found.mean[i]), float(found.covariance[i, i]) + extra, deals, level)
        for i, extra in ((0, 0.0), (1, spread))
    )
    squares = [(part - part.mean()) ** 2 * deals / (deals - 1) for part in (y, left)]
    factor = _ratio(squares[0], squares[1] + spread, deals, level)
    return Controlled(plain, better, factor, int(varies.sum()))


def hands_of(experiment: Experiment, further: int = FURTHER) -> tuple[Floats, Floats] | None:
    """What the hands of an experiment's deals are made of, and those of further deals.

    The controls of a deal are how much of each kind the places hold, and how unevenly it is spread
    over them; who holds it cancels where the line-up turns over the seats. None if the game does
    not tell what its hands are made of.

    Parameters
    ----------
    further
        Deals to deal for each that was played; takes some 50 microseconds each.
    """
    table = tables.lay(experiment.seating(0))
    try:
        held = table.hands(0, experiment.deals * (1 + further))
    except LookupError:
        return None
    flat = np.hstack([held.mean(axis=1), held.var(axis=1)])
    return flat[: experiment.deals], flat[experiment.deals :]


def _ratio(above: Floats, below: Floats, games: int, level: float) -> Estimate:
    """Ratio of two means over deals; the interval is that of its logarithm, by the delta method."""
    deals, ratio = len(above), float(above.mean() / below.mean())
    moved = above / above.mean() - below / below.mean()
    logs = _estimate(0.0, float(moved.var(ddof=1)), deals, level, games)
    assert logs.se is not None and logs.low is not None and logs.high is not None
    low, high = (ratio * float(np.exp(end)) for end in (logs.low, logs.high))
    return Estimate(ratio, ratio * logs.se, low, high, deals, logs.games)


def _estimate(
    mean: float, variance: float, deals: int, level: float, games: int | None = None
) -> Estimate:
    se = float(np.sqrt(variance / deals))
    half = quantile(deals - 1, level) * se
    return Estimate(mean, se, mean - half, mean + half, deals, games or deals)
