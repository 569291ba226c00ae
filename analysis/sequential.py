"""Looking before the end: intervals that hold at every look, and a rule that stops on them.

The asymptotic confidence sequence of Waudby-Smith et al. covers the true mean at all numbers of
deals at once, so a run may stop when its interval is narrow enough, when the verdict is clear, or
when someone is tired of it, and may be taken up again: coverage stays. The price is a wider
interval: at the planned number of deals about 1.5 times that of a fixed sample, which is 2.4 times
the deals. We pay it, because deals are cheap here, and because a group-sequential boundary (Pocock,
O'Brien and Fleming) must know its last look, while ours may be followed by more deals.

References
----------
Waudby-Smith, Arbour, Sinha, Kennedy and Ramdas (2024), Time-uniform central limit theory and
asymptotic confidence sequences, Annals of Statistics 52(6), theorem 2.2 (arXiv:2103.06476).
Robbins (1970), Statistical methods related to the law of the iterated logarithm: the mixture.
Howard, Ramdas, McAuliffe and Sekhon (2021), Time-uniform, nonparametric, nonasymptotic confidence
sequences, section 3.5: where to make it narrowest.

We depart from them in two points: looks begin at `FIRST_LOOK` deals, before which the normal
approximation is not to be trusted, and several intervals at once share the error by Bonferroni.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil, exp, log, sqrt

from analysis.intervals import LEVEL

FIRST_LOOK = 1000  # deals
GROWTH = 1.25  # from look to look
# Where (x + 1) / x * (log(x + 1) - 2 log 0.05) is least. One for all levels, so that p-values and
# intervals agree; at alpha = 0.005 it costs 0.5 % of the width.
BEST_SCALE = 8.21


def multiplier(deals: int, planned: int, alpha: float) -> float:
    """Half width of the always-valid interval after `deals` deals, in standard errors.

    Parameters
    ----------
    deals
        Number of deals so far.
    planned
        Number of deals at which the interval shall be narrowest; fixed before the first deal.
    alpha
        Chance that the sequence of intervals ever misses the true mean.
    """
    scale = _scale(deals, planned)
    return sqrt((scale + 1) / scale * (log(scale + 1) - 2 * log(alpha)))


def always_valid_p(statistic: float, deals: int, planned: int) -> float:
    """The smallest `alpha` at which the interval lies `statistic` standard errors wide or less.

    Under the null hypothesis the chance that it ever falls to p or below is at most p.
    """
    if statistic <= 0:
        return 1.0
    scale = _scale(deals, planned)
    return min(1.0, sqrt(scale + 1) * exp(-(min(statistic, 1e6) ** 2) / 2 * scale / (scale + 1)))


def deals_for_precision(half_width: float, sd: float, alpha: float) -> int:
    """Deals after which the always-valid interval, made narrowest there, is within ±half_width.

    Parameters
    ----------
    half_width, sd
        In the unit of the values; `sd` is the standard deviation of a deal's value.
    alpha
        One minus the level of the interval.
    """
    return max(2, ceil((multiplier(1, 1, alpha) * sd / half_width) ** 2))


@dataclass(frozen=True)
class Precision:
    """Play until every interval of the headline is within ±`half_width`.

    Everything is fixed before the first deal: the looks and where the intervals are narrowest. A
    wrong guess of `sd` costs deals and no coverage.
    """

    half_width: float  # in the unit of the values: 0.005 is half a percentage point of win share
    comparisons: int = 1  # intervals that shall hold together
    sd: float = 0.5  # guess for a deal's value
    level: float = LEVEL

    def __post_init__(self) -> None:
        if not 0 < self.half_width < float("inf"):
            raise ValueError(f"a precision must be above zero: {self.half_width}")

    @property
    def planned(self) -> int:
        """Deals that it takes if the guess is right."""
        return deals_for_precision(self.half_width, self.sd, (1 - self.level) / self.comparisons)

    def looks(self) -> Iterator[int]:
        """Numbers of deals at which to look, without end: from an eighth of the plan, by quarters.

        The first look is after at least `FIRST_LOOK` deals.
        """
        look = max(FIRST_LOOK, ceil(self.planned / 8))
        while True:
            yield look
            look = ceil(look * GROWTH)


def _scale(deals: int, planned: int) -> float:
    """`deals` times rho squared of the paper, with the rho that is best at `planned` deals."""
    return BEST_SCALE * deals / planned
