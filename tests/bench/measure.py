"""What a measurement is: a name, a number, and the limit it must keep."""

from __future__ import annotations

import statistics
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Pair = tuple[float, float]


@dataclass
class Measurement:
    """One line of the table; `values` are all the single measurements behind the number."""

    name: str
    value: float
    unit: str
    at_least: float | None = None
    below: float | None = None
    note: str = ""
    values: list[Any] = field(default_factory=list)

    @property
    def verdict(self) -> str:
        """'ok', 'MISSED', or nothing where there is no limit."""
        if self.at_least is None and self.below is None:
            return ""
        is_high_enough = self.at_least is None or self.value >= self.at_least
        is_low_enough = self.below is None or self.value < self.below
        return "ok" if is_high_enough and is_low_enough else "MISSED"

    @property
    def limit(self) -> str:
        """The limit as text."""
        if self.at_least is not None:
            return f">= {self.at_least:g}"
        return f"< {self.below:g}" if self.below is not None else ""

    def as_text(self) -> str:
        """One line of the table."""
        value = f"{self.value:,.0f}" if self.value >= 1000 else f"{self.value:.4g}"
        parts = f"{self.name:<44} {value:>11} {self.unit:<8} {self.limit:>8} {self.verdict:<6}"
        return f"{parts}  {self.note}".rstrip()

    def as_object(self) -> dict[str, Any]:
        """The measurement for JSON."""
        return asdict(self) | {"verdict": self.verdict}


def in_turn(ours: Callable[[int], float], other: Callable[[int], float], pairs: int) -> list[Pair]:
    """Measure two things alternately, A B A B ..., so that both see the same machine."""
    return [(ours(i), other(i)) for i in range(pairs)]


def median_ratio(pairs: Sequence[Pair]) -> float:
    """Median of the ratios first / second of each pair."""
    return statistics.median(first / second for first, second in pairs)


def medians(pairs: Sequence[Pair]) -> Pair:
    """Median of the first and of the second numbers."""
    first, second = zip(*pairs, strict=True)
    return statistics.median(first), statistics.median(second)
