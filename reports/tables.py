"""Tables of a page: the numbers of a figure, ready to print, and the same as CSV."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from urllib.parse import quote

from analysis.intervals import quantile, wilson
from reports.words import NBSP, UNKNOWN, decimal, percent, span, whole
from sim.core.game import Words

if TYPE_CHECKING:
    import pandas as pd

MOST_ROWS = 12  # of a table of a distribution; more values are put together


@dataclass(frozen=True)
class Column:
    """Head of a column; `term` is the entry of the glossary that explains it."""

    title: str
    term: str = ""
    is_number: bool = True


_COMMON = {
    "strategy": Words("strategy", "策略"),
    "win_share": Words("win share", "获胜份额"),
    "margin": Words("margin", "界限"),
    "notice": Words("games to notice", "能察觉所需局数"),
    **dict.fromkeys(("interval", "together", "valid"), Words("95 %", "95%")),
}


def common(term: str, lang: str) -> Column:
    """A column that many tables have, by the term that explains it."""
    return Column(_COMMON[term].of(lang), term, is_number=term != "strategy")


@dataclass(frozen=True)
class Line:
    """One row. A row with a single cell heads those below it."""

    cells: tuple[str, ...]

    @property
    def is_head(self) -> bool:
        """Whether it heads the rows below."""
        return len(self.cells) == 1


@dataclass(frozen=True)
class Table:
    """Cells as text, and a file for those who want to reckon."""

    columns: tuple[Column, ...]
    lines: tuple[Line, ...]
    caption: str
    csv_name: str = ""
    csv: str = ""

    @property
    def csv_link(self) -> str:
        """The file inside the page; of what is mostly digits, base64 would make a third more."""
        return "data:text/csv;charset=utf-8," + quote(self.csv, safe=",:;/()=+*@$!?")


def csv(frame: pd.DataFrame) -> str:
    """A frame as CSV, the same bytes on every machine; counts keep all their digits."""
    floats = frame.select_dtypes("float")
    counts = [name for name in floats if (floats[name].dropna() % 1 == 0).all()]
    frame = frame.astype(dict.fromkeys(counts, "Int64"))
    return str(frame.to_csv(index=False, float_format="%.6g", lineterminator="\n"))


@dataclass(frozen=True)
class Bin:
    """Values put together in a row of a table, with the games of each position."""

    label: str
    counts: tuple[int, ...]


def bins(frames: Sequence[pd.DataFrame], most: int, lang: str) -> list[Bin]:
    """Put the values of distributions into at most a dozen rows, the same for all.

    Parameters
    ----------
    frames
        Positions of `histogram_frame`: value, count.
    most
        Last value that the measure counts; it stands for all beyond too, and its row says so.
    lang
        Language of the labels.
    """
    values = [value for frame in frames for value in frame.loc[frame["count"] > 0, "value"]]
    if not values:
        return []
    first, last = int(min(values)), int(max(values))
    least = min(int(frame["value"].min()) for frame in frames)
    width = next(w for w in _widths() if last // w - first // w < MOST_ROWS)
    found = []
    for edge in range(first // width * width, last + 1, width):
        start, end = max(edge, least), min(edge + width - 1, most)
        if end == most and last == most:
            label = signed(f"≥{NBSP}{start}")
        else:
            label = signed(start) if start == end else span(signed(start), signed(end), lang)
        found.append(Bin(label, tuple(_count(frame, start, end) for frame in frames)))
    return found


def mark_bins(frames: Sequence[pd.DataFrame], mark: int) -> list[Bin]:
    """Below, on and above a marked value."""
    far = 10**9
    parts = (("<", -far, mark - 1), ("=", mark, mark), (">", mark + 1, far))
    return [
        Bin(signed(f"{sign}{NBSP}{mark}"), tuple(_count(frame, low, high) for frame in frames))
        for sign, low, high in parts
    ]


def bin_line(found: Bin, frames: Sequence[pd.DataFrame], deals: int, lang: str) -> Line:
    """A bin as a row: values and the share of each position; one alone with interval and count."""
    totals = [max(int(frame["count"].sum()), 1) for frame in frames]
    shares = [_share(count, total, lang) for count, total in zip(found.counts, totals, strict=True)]
    if len(frames) > 1:
        return Line((found.label, *shares))
    low, high = wilson(found.counts[0] / totals[0], deals, _width(deals))
    interval = span(decimal(100 * low, 2), decimal(100 * high, 2), lang)
    return Line((found.label, *shares, interval, whole(found.counts[0])))


def widest(found: Sequence[Bin], frames: Sequence[pd.DataFrame], deals: int) -> float:
    """Half width of the widest interval of several bins, as a share."""
    totals = [max(int(frame["count"].sum()), 1) for frame in frames]
    ends = [
        wilson(count / total, deals, _width(deals))
        for one in found
        for count, total in zip(one.counts, totals, strict=True)
    ]
    return max((high - low) / 2 for low, high in ends)


def middle(frame: pd.DataFrame, share: float, lang: str) -> str:
    """The range that holds the middle `share` of the games."""
    total = frame["count"].cumsum()
    if not total.iloc[-1]:
        return UNKNOWN
    low, high = (
        int(frame.loc[total >= part * total.iloc[-1], "value"].iloc[0])
        for part in ((1 - share) / 2, (1 + share) / 2)
    )
    return span(signed(low), signed(high), lang)


def signed(value: int | str) -> str:
    """A whole number with a true minus sign."""
    return str(value).replace("-", "−")


def seen(frame: pd.DataFrame) -> pd.DataFrame:
    """A distribution from the first value that was seen to the last."""
    values = frame.loc[frame["count"] > 0, "value"]
    return frame[frame["value"].between(values.min(), values.max())]


def _count(frame: pd.DataFrame, low: int, high: int) -> int:
    return int(frame.loc[frame["value"].between(low, high), "count"].sum())


def _share(count: int, total: int, lang: str) -> str:
    """A share with two decimals; what was seen at all is never shown as nothing."""
    if not count:
        return percent(0, lang, 0)
    least = "<" if count / total < 0.00005 else ""
    return least + percent(0.0001 if least else count / total, lang, 2)


def _width(deals: int) -> float:
    """Half width of an interval in standard errors; one deal is taken for two."""
    return quantile(max(deals - 1, 1))


def _widths() -> Sequence[int]:
    return [step * 10**power for power in range(9) for step in (1, 2, 5)]
