"""What was seen in simulated studies, held against what was promised."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np

from analysis.intervals import LEVEL

Array = np.ndarray[Any, Any]
ALPHA = 1 - LEVEL
FIXED, ERROR, CHANCE, ALWAYS = "covers", "errs", "finds", "always covers"
EXACT, LEAST = "covers exactly", "covers at least"


@dataclass(frozen=True)
class Check:
    """How often something happened, and how often it may."""

    name: str
    kind: str
    seen: float
    low: float
    high: float
    studies: int

    @property
    def is_passed(self) -> bool:
        """Whether it happened as often as it may."""
        return self.low <= self.seen <= self.high

    @property
    def allowed(self) -> str:
        """What it may be, in percent."""
        if self.kind == ERROR:
            return f"at most {100 * self.high:.2f}"
        if self.kind in (ALWAYS, LEAST):
            return f"at least {100 * self.low:.2f}"
        return f"{100 * self.low:.2f} to {100 * self.high:.2f}"


def spread(rate: float, studies: int) -> float:
    """Three standard errors of the simulation."""
    return 3 * sqrt(rate * (1 - rate) / studies)


def check(name: str, kind: str, hits: Array, nominal: float = LEVEL) -> Check:
    """Hold what was seen against what was promised.

    Fixed intervals within one percentage point, in small samples within three standard errors of
    the simulation; exact ones within three standard errors in samples of any size, and cautious
    ones not below that; always-valid ones at least as promised; errors at most three standard
    errors above their rate; what was predicted within a point and three standard errors.
    """
    n, seen = len(hits), float(np.mean(hits))
    slack = spread(nominal, n)
    low, high = {
        FIXED: (nominal - max(0.01, slack), nominal + max(0.01, slack)),
        EXACT: (nominal - slack, nominal + slack),
        LEAST: (nominal - slack, 1.0),
        ERROR: (0.0, nominal + slack),
        CHANCE: (nominal - 0.01 - slack, nominal + 0.01 + slack),
        ALWAYS: (nominal, 1.0),
    }[kind]
    return Check(name, kind, seen, low, high, n)
