"""How many games a design saves: the same deals for all, and control variates from the hands.

Duplicate
    A line-up that turns over the seats of a deal against as many games with a deal each: the ratio
    of the variances of their means.
Control variates
    What is known before a game is played, the hands, foretells a part of its result. That part is
    taken off, less its mean, which is known from many more deals that are dealt and not played. The
    weights come from all other deals, so that nothing is fitted to its own result.

References
----------
Law (2015), Simulation modeling and analysis, sections 11.2 (common random numbers) and 11.4
(control variates). Avramidis and Wilson (1993), A splitting scheme for control variates: weights
from other runs, here from all other deals. Schmeiser, Taaffe and Wang (2001), Biased
control-variate estimation: means of the controls that are themselves estimated.
Miller (1968), Jackknifing variances: the logarithm of their ratio, leaving out deals in turn.
White, M. and Bowling (2009), Learning a value analysis tool for agent evaluation: the same for
poker.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import ArrayLike

from analysis.influence import spreads
from analysis.intervals import LEVEL, Estimate
from analysis.matches import Matches
from analysis.moments import ROUNDING, Floats
from sim import tables
from sim.core.game import SHARE_UNIT, Words

if TYPE_CHECKING:
    from sim.experiment import Experiment

FURTHER = 20  # deals dealt for the mean of the controls, for each that was played
FEWEST = 20  # deals for each control
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
        None with two deals, one game a deal, or if the means of all deals but one do not vary.
    """
    table = np.asarray(values, np.float64)
    deals, games = table.shape
    if deals < 3 or games < 2:
        return None
    within = table.var(axis=1)
    inside = np.append((within.sum() - within) / (deals - 1), within.mean())
    between = _variances(table.mean(axis=1))
    if between.min() <= ROUNDING:
        return None
    return _jackknife((inside + between) / games / between, deals * games, level)


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
    if not varies.any():
        return _CONSTANT
    needed = FEWEST * int(varies.sum())
    if deals < needed:
        return Words(
            f"it takes {needed} deals, and {deals} were played",
            f"需要 {needed} 次发牌，只打了 {deals} 次",
        )
    if _variances(y).min() <= ROUNDING:  # but for one deal
        return _CONSTANT
    expected, scale = more.mean(axis=0), more.std(axis=0)
    x, more = (x - expected) / scale, (more - expected) / scale
    around, apart = x - x.mean(axis=0), y - y.mean()
    solve = np.linalg.pinv(around, rcond=1e-8)  # [q, D]
    weights = solve @ apart
    leverage = (solve.T * around).sum(axis=1) + 1 / deals
    residual = (apart - around @ weights) / np.maximum(1 - leverage, 1e-6)  # from all other deals
    left = y - x @ weights + (solve.T * x).sum(axis=1) * residual
    moved = left - x.sum(axis=0) @ solve * residual  # a deal moves the weights of the others too
    spread = (more @ weights).var(ddof=1) / len(more) * deals  # of the mean that was taken
    variances = _variances(np.column_stack([y, moved])) + np.array([0.0, spread])
    ses, (_, widths) = np.sqrt(variances[-1] / deals), spreads(np.column_stack([y, moved]), level)
    plain, better = (
        Estimate(mean, se, mean - width * se, mean + width * se, deals, deals)
        for mean, se, width in np.column_stack([[y.mean(), left.mean()], ses, widths]).tolist()
    )
    factor = _jackknife(variances[:, 0] / variances[:, 1], deals, level)
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


def _variances(values: Floats) -> Floats:
    """Variances over deals of the columns [D, ...], without each deal in turn, and of all last."""
    deals = len(values)
    whole = values.var(axis=0, ddof=1)
    apart = (values - values.mean(axis=0)) ** 2 * deals / (deals - 1)
    return np.concatenate([(whole * (deals - 1) - apart) / (deals - 2), [whole]])


def _jackknife(ratios: Floats, games: int, level: float) -> Estimate:
    """A ratio, given without each deal in turn and of all last [D + 1]; by its logarithm."""
    deals, ratio = len(ratios) - 1, float(ratios[-1])
    moved = (deals - 1) * (np.log(ratio) - np.log(ratios[:-1]))
    (se,), (width,) = spreads(moved[:, None], level)
    low, high = (ratio * np.exp([-width * se, width * se])).tolist()
    return Estimate(ratio, ratio * float(se), low, high, deals, games)
