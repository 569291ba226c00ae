"""Means over deals and their covariance, from which every comparison follows.

The unit is the deal with all its rotations: deals are independent, the games of one deal are not.
The columns of a sample are what is compared: places, strategies, variants. A sample is made from
the values of each deal or from whole sums over deals; both give the same numbers.

References
----------
Liang and Zeger (1986), Longitudinal data analysis using generalized linear models: the covariance
of cluster totals. All our clusters have the same number of games, so the mean over deals is the
mean over games, and deals - 1 in the divisor is all the correction that is needed.
Law (2015), Simulation modeling and analysis, section 11.2: common random numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from analysis.winshares import GROUPS, By, deals, estimate, game_estimate, games, n_seats
from sim.core.game import SHARE_UNIT, Game

if TYPE_CHECKING:
    from sim.results import Cell

Floats = NDArray[np.float64]
ROUNDING = 1e-12  # of a variance that is left when equal things are subtracted


@dataclass(frozen=True, eq=False)
class Moments:
    """Means of k columns over deals, with the covariance of the values of one deal."""

    deals: int
    mean: Floats  # [k]
    covariance: Floats | None  # [k, k], divisor deals - 1; None with one deal

    @classmethod
    def from_values(cls, values: ArrayLike) -> Self:
        """Moments of a table of values.

        Parameters
        ----------
        values
            [deals, k], whole numbers or floats; a deal's value is the mean over its games. One
            column may come as [deals].

        Raises
        ------
        ValueError
            Without deals, or with a value that is no finite number.
        """
        table = np.asarray(values, np.float64)
        table = table[:, None] if table.ndim == 1 else table
        if table.ndim != 2 or not table.size:
            raise ValueError(f"values must be [deals, columns] and not empty: {table.shape}")
        if not np.isfinite(table).all():
            raise ValueError("a value of a deal is no finite number")
        mean = table.mean(axis=0)
        apart = table - mean
        apart[:, np.ptp(table, axis=0) == 0] = 0.0  # no variance, not even one of rounding
        return cls(len(table), mean, apart.T @ apart / (len(table) - 1) if len(table) > 1 else None)

    @classmethod
    def from_sums(cls, deals: int, total: ArrayLike, cross: ArrayLike, unit: int = 1) -> Self:
        """Moments from whole sums over deals, without loss to the difference of large numbers.

        Parameters
        ----------
        deals
            Number of deals.
        total, cross
            int [k] sums of the deals' totals and int [k, k] sums of their products.
        unit
            Counted units that make one: games a deal, times 2520 for win shares.

        Raises
        ------
        ValueError
            Without deals.
        """
        if deals < 1:
            raise ValueError("there are no deals")
        sums, products = np.asarray(total).astype(object), np.asarray(cross).astype(object)
        mean = np.array([int(value) / (deals * unit) for value in sums], np.float64)
        if deals == 1:
            return cls(deals, mean, None)
        scatter = deals * products - np.outer(sums, sums)  # of Python's integers: exact
        return cls(deals, mean, (scatter / (deals * (deals - 1) * unit**2)).astype(np.float64))

    @classmethod
    def from_influence(cls, estimate: ArrayLike, influence: ArrayLike) -> Self:
        """Moments of statistics that are no means but behave like means of many deals.

        Parameters
        ----------
        estimate
            [k] statistics of all deals, such as a slope or a ratio of variances.
        influence
            [deals, k], of sum zero or nearly so: how far each deal moves each statistic, times the
            number of deals (Efron 1982, The jackknife, the bootstrap and other resampling plans).

        Raises
        ------
        ValueError
            Without deals.
        """
        moved = np.asarray(influence, np.float64)
        if not len(moved):
            raise ValueError("there are no deals")
        spread = moved.T @ moved / (len(moved) - 1) if len(moved) > 1 else None
        return cls(len(moved), np.asarray(estimate, np.float64), spread)

    @classmethod
    def from_cell(cls, cell: Cell, game: Game, by: By = "place", column: str = "win_share") -> Self:
        """Moments of a seat column of a cell a game, one column for each position of `by`."""
        group, row = GROUPS.index(by), game.seat_columns.index(column)
        unit = games(cell) // deals(cell) * (SHARE_UNIT if column == "win_share" else 1)
        totals = cell.totals
        return cls.from_sums(
            deals(cell), totals["sum"][group, row], totals["cross"][group, row], unit
        )

    @classmethod
    def of_mean(cls, cell: Cell, game: Game, column: str) -> Self:
        """Mean of a column over all seats, or over games, as moments of one column."""
        if column in game.game_columns:
            est = game_estimate(cell, game, column)
        else:
            est = estimate(cell, game, "seat", column, range(n_seats(cell)))
        spread = None if est.se is None else np.array([[est.deals * est.se**2]])
        return cls(est.deals, np.array([est.mean]), spread)

    @property
    def se(self) -> Floats | None:
        """Standard error of each mean [k]; None with one deal."""
        if self.covariance is None:
            return None
        return np.asarray(np.sqrt(np.diag(self.covariance) / self.deals))

    def combined(self, weights: ArrayLike) -> Moments:
        """Moments of weighted sums of the columns; `weights` is [c, k]."""
        lines = np.atleast_2d(np.asarray(weights, np.float64))
        mean = lines @ self.mean
        if self.covariance is None:
            return Moments(self.deals, mean, None)
        covariance = lines @ self.covariance @ lines.T
        size = abs(lines) @ np.sqrt(np.diag(self.covariance))
        nothing = np.diag(covariance) <= ROUNDING * size**2
        covariance[nothing, :] = covariance[:, nothing] = 0.0
        return Moments(self.deals, mean, covariance)


@dataclass(frozen=True, eq=False)
class PairedDifference:
    """Differences between two variants that were played on the same deals."""

    difference: Moments  # second variant minus first, column by column
    variance_reduction: tuple[float | None, ...]
    """How many times more deals would be needed if each variant had deals of its own. None where
    it cannot be said: one deal, or no variance of the difference."""


def paired_difference(both: Moments, weights: ArrayLike | None = None) -> PairedDifference:
    """Compare two variants on common deals.

    Parameters
    ----------
    both
        Of 2k columns: the k columns of the first variant, then those of the second.
    weights
        [c, k], what to compare of each variant, such as contrasts between places; by default
        every column.

    Notes
    -----
    The factor is (a + b) / (a + b - 2c), a and b being the variances of a deal's value in the two
    variants and c the covariance (Law 2015). Above 1, common deals save work.
    """
    k = len(both.mean) // 2
    lines = np.eye(k) if weights is None else np.atleast_2d(np.asarray(weights, np.float64))
    difference = both.combined(np.hstack([-lines, lines]))
    if difference.covariance is None:
        return PairedDifference(difference, (None,) * len(lines))
    nothing = np.zeros_like(lines)
    first, second = (
        _variances(both.combined(np.hstack(sides)))
        for sides in ((lines, nothing), (nothing, lines))
    )
    paired = _variances(difference)
    return PairedDifference(
        difference,
        tuple(
            float((a + b) / together) if together > 0 else None
            for a, b, together in zip(first, second, paired, strict=True)
        ),
    )


def _variances(moments: Moments) -> NDArray[Any]:
    assert moments.covariance is not None
    return np.diag(moments.covariance)
