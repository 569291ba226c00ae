"""Does a rule favour a kind of hand? What the own hand explains, and what each kind of card does.

A hand is kept and all that its seat cannot see is drawn anew, several times (`Table.redraw`). What
differs between hands is the hand; what differs between the redraws of one hand is the rest: other
hands, chance to come, luck of the players. Hands are independent, so the hand is the unit of every
interval, and two sets of rules on common deals are compared hand by hand.

References
----------
White (1980), A heteroskedasticity-consistent covariance matrix estimator.
Searle, Casella and McCulloch (1992), Variance components, chapter 3: unbiased moments of the
balanced one-way random model; Donner (1986), A review of inference procedures for the intraclass
correlation coefficient in the one-way random effects model. Their intervals want normal values.
Arvesen and Schmitz (1970), Robust procedures for variance component problems using the jackknife:
ours leave out hand by hand, so that values may have any distribution and luck may be larger with
some hands than with others.
MacKinnon and White (1985), Some heteroskedasticity-consistent covariance matrix estimators with
improved finite sample properties: HC3, nearly a jackknife too; here times hands / (hands - 1).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.contrasts import Contrasts, contrasts
from analysis.intervals import LEVEL, Estimate, quantile
from analysis.moments import ROUNDING, Floats, Moments
from analysis.multiplicity import benjamini_hochberg
from analysis.power import games_to_notice

Hands = tuple[ArrayLike, ArrayLike]  # values [hands, redraws] and traits [hands, t] of one variant

ALONE = 1 - 1e-9  # leverage of a hand without which a slope could not be told


@dataclass(frozen=True)
class Effect:
    """What one more card of a kind does, in place of an average other card."""

    estimate: Estimate  # of the mean result of a hand, or of its change; `deals` counts hands
    p: float  # against 'no effect', two-sided
    q: float  # adjusted for the length of the list (Benjamini-Hochberg): exploratory, no claim
    notice: int | None  # games that a family would need, one hand and its result of each


def explained(*variants: ArrayLike) -> Moments | None:
    """Share of the variance of the result that the own hand explains, under each set of rules.

    Parameters
    ----------
    variants
        Values [hands, redraws] of each, on the same deals in the same order; at least three hands
        and two redraws.

    Returns
    -------
    Moments or None
        A column a variant, with their covariance over hands. None if under some variant all values
        are equal, or but for those of one hand. Shares are between / (between + within), from
        unbiased moments, so that a share of zero is estimated by small numbers around it.

    Raises
    ------
    ValueError
        With fewer hands or redraws, different numbers of hands, or a value that is not finite.
    """
    tables = [_table(values) for values in variants]
    if not tables or len({len(table) for table in tables}) > 1:
        raise ValueError("all variants must have the same hands, and there must be one")
    if any(len(table) < 3 or table.shape[1] < 2 for table in tables):
        raise ValueError("it takes three hands and two redraws to tell hands from luck")
    found = [share for share in map(_share, tables) if share]
    if len(found) < len(tables):
        return None
    return Moments.from_influence(
        [share for share, _ in found], np.column_stack([influence for _, influence in found])
    )


def changes(moments: Moments) -> Contrasts:
    """Each further variant minus the first, for a verdict (`analysis.fairness.judge`)."""
    others = len(moments.mean) - 1
    weights = np.hstack([-np.ones((others, 1)), np.eye(others)])
    return contrasts(moments, weights, span=None)


def estimates(moments: Moments, games: int, level: float = LEVEL) -> list[Estimate]:
    """Each column with an interval of its own; `games` is the number played for each."""
    if moments.se is None:
        return [Estimate(mean, None, None, None, moments.deals, games) for mean in moments.mean]
    width = quantile(moments.deals - 1, level)
    return [
        Estimate(mean, se, mean - width * se, mean + width * se, moments.deals, games)
        for mean, se in zip(moments.mean.tolist(), moments.se.tolist(), strict=True)
    ]


def effects(values: ArrayLike, traits: ArrayLike, level: float = LEVEL) -> list[Effect | None]:
    """Slope of a hand's mean result on the number held, for each kind of card on its own.

    Parameters
    ----------
    values
        [hands, redraws].
    traits
        [hands, t], number of cards of each kind in the hand.

    Returns
    -------
    list
        An effect a trait. None where it cannot be told: the trait, or the result, is the same in
        all hands, or but for a single one.

    Raises
    ------
    ValueError
        If the two do not have the same hands, or a value is not finite.

    Notes
    -----
    Hands being of equal size, what comes with one card more is one card less of all others as they
    are dealt. So kinds may overlap: nothing is held fixed beside.

    Games to notice: at home a hand is played once. A line through n such games has a slope whose
    variance is the mean of (held - mean)² rest², over variance² of held and n (White 1980); luck is
    a part of the rest, and hands with more of a kind may have more of it.
    """
    return _listed(_slopes(values, traits), np.size(values), level)


def effect_changes(first: Hands, second: Hands, level: float = LEVEL) -> list[Effect | None]:
    """Effects under the second set of rules minus those under the first, hand by hand.

    Parameters
    ----------
    first, second
        Values and traits as for `effects`, on the same deals in the same order.

    Returns
    -------
    list
        As of `effects`; None where one of the two is, or where they never differ.

    Raises
    ------
    ValueError
        If the two do not have the same hands and traits.
    """
    here, there = _slopes(*first), _slopes(*second)
    if here.influence.shape != there.influence.shape:
        raise ValueError("the two sets of rules must have the same hands and traits")
    change = _Slopes(
        here.is_known & there.is_known,
        there.slope - here.slope,
        there.influence - here.influence,
        here.variance + there.variance,
    )
    return _listed(change, np.size(first[0]) + np.size(second[0]), level)


def _share(values: Floats) -> tuple[float, Floats] | None:
    """Explained share and influence of each hand [hands] on it, by leaving each out in turn."""
    hands, redraws = values.shape
    values = values - values[0, 0]  # so that equal values have no variance, not even of rounding
    means, luck = values.mean(axis=1), values.var(axis=1, ddof=1)
    square = (means - means.mean()) ** 2
    # The variance of the means and within hands: of all hands, then without each of them.
    of_means = np.append(square.sum(), square.sum() - square * hands / (hands - 1))
    of_means[0] /= hands - 1
    of_means[1:] /= hands - 2
    within = np.append(luck.mean(), (luck.sum() - luck) / (hands - 1))
    between = of_means - within / redraws
    total = between + within
    if total.min() <= ROUNDING * total[0]:
        return None
    share, without = (between / total)[0], (between / total)[1:]
    return float(share), np.asarray((hands - 1) * (without.mean() - without))


@dataclass(frozen=True, eq=False)
class _Slopes:
    """Slopes of t traits; zeros where they cannot be told."""

    is_known: NDArray[np.bool_]  # [t]
    slope: Floats  # [t]
    influence: Floats  # [hands, t]
    variance: Floats  # [t] of a slope through single games of n hands, times n


def _slopes(values: ArrayLike, traits: ArrayLike) -> _Slopes:
    result, held = _table(values), _table(traits)
    if len(result) != len(held):
        raise ValueError(f"values of {len(result)} hands, and traits of {len(held)}")
    mean = result.mean(axis=1)
    more, better = held - held.mean(axis=0), mean - mean.mean()
    square = (more**2).sum(axis=0)
    share = np.divide(more, square, out=np.zeros_like(more), where=square > 0)
    leverage = 1 / len(held) + more * share
    is_known = (np.ptp(held, axis=0) > 0) & (leverage.max(axis=0) < ALONE) & (np.ptp(mean) > 0)
    slope = better @ share
    rest = np.divide(better[:, None] - more * slope, 1 - leverage, where=is_known, out=0 * more)
    luck = result.var(axis=1)[:, None] + (better[:, None] - more * slope) ** 2
    variance = len(held) * (luck * share**2).sum(axis=0)
    return _Slopes(is_known, slope * is_known, len(held) * share * rest, variance)


def _listed(found: _Slopes, games: int, level: float) -> list[Effect | None]:
    from scipy import special

    moments = Moments.from_influence(found.slope, found.influence)
    if moments.se is None:
        return [None] * len(found.slope)
    kept = np.flatnonzero(found.is_known & (moments.se > 0))
    t = abs(moments.mean[kept] / moments.se[kept])
    p = 2 * special.stdtr(moments.deals - 1, -t)
    each = estimates(moments, games, level)
    listed: list[Effect | None] = [None] * len(each)
    for trait, raw, adjusted in zip(kept, p, benjamini_hochberg(p), strict=True):
        notice = games_to_notice(each[trait].mean, float(found.variance[trait]))
        listed[trait] = Effect(each[trait], float(raw), float(adjusted), notice)
    return listed


def _table(values: ArrayLike) -> Floats:
    """Values as a table [hands, columns]."""
    table = np.asarray(values, np.float64)
    if table.ndim != 2 or not table.size:
        raise ValueError(f"a table of hands must be [hands, columns] and not empty: {table.shape}")
    if not np.isfinite(table).all():
        raise ValueError("a value of a hand is no finite number")
    return table
