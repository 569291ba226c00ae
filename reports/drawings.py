"""Drawings for notebooks: a tidy frame in, a picture out, looking as in the pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from analysis.intervals import Estimate
from reports import figures
from reports.figures import Dot, Group, Spread
from reports.heatmap import Tile, heat_map, step
from reports.theme import inline, standalone
from reports.words import points, shown

if TYPE_CHECKING:
    import pandas as pd


class Drawing(str):
    """An SVG text that a notebook shows as a picture; `print(drawing, file=...)` keeps it."""

    def _repr_svg_(self) -> str:
        return str(self)


def draw_estimates(
    frame: pd.DataFrame,
    label: str,
    axis: str = "",
    *,
    percent: bool = False,
    reference: float | None = None,
) -> Drawing:
    """Means as dots with their intervals as whiskers, a row each, from the top.

    Parameters
    ----------
    frame
        With the columns mean, low and high, and the one that is named by `label`.
    label
        Column of the names.
    axis
        Name and unit of the axis.
    percent
        Whether the values are shares, to be shown in percent.
    reference
        Where to draw a dashed line.
    """
    dots = []
    for name, mean, low, high in zip(
        frame[label], frame["mean"], frame["low"], frame["high"], strict=True
    ):
        is_known = low == low
        ends = (float(low), float(high)) if is_known else (None, None)
        est = Estimate(float(mean), None, ends[0], ends[1], 0, 0)
        dots.append(Dot(str(name), est, shown(est, "en", is_rate=percent)))
    line = None if reference is None else (reference, "")
    scale = 100 if percent else 1
    return _drawing(figures.dots([Group("", dots)], axis, scale=scale, reference=line), axis)


def draw_distributions(frame: pd.DataFrame, axis: str = "") -> Drawing:
    """Distributions of a whole number, one above the other, their means marked.

    Parameters
    ----------
    frame
        With the columns position, value and count, as of `distribution` or `score_frame`.
    axis
        Name and unit of the values.
    """
    spreads = []
    for name, part in frame.groupby("position", sort=False):
        mean = float((part["value"] * part["count"]).sum() / max(part["count"].sum(), 1))
        text = f"mean {mean:.1f}".replace("-", "−")
        counts = [int(count) for count in part["count"]]
        spreads.append(Spread(str(name), int(part["value"].iloc[0]), counts, mean, text))
    return _drawing(figures.histograms(spreads, axis), axis)


def draw_matrix(frame: pd.DataFrame) -> Drawing:
    """Who beats whom as a heat map: win shares of the row alone among the column.

    Where nobody sat alone, the percentage points by which the row wins more at the same table.

    Parameters
    ----------
    frame
        As of `duel_frame`.
    """
    is_alone = bool(frame["share"].notna().any())
    names = list(dict.fromkeys([*frame["first"], *frame["second"]]))
    pairs = {(row["first"], row["second"]): row for row in frame.to_dict("records")}
    rows = []
    for number, name in enumerate(names, start=1):
        tiles = [_tile(pairs.get((name, other)), is_alone) for other in names]
        rows.append((f"{number} {name}", tiles))
    heads = [str(number) for number in range(1, len(names) + 1)]
    return _drawing(heat_map(rows, heads, "en"), "who beats whom")


def _tile(row: Mapping[Any, Any] | None, is_alone: bool) -> Tile | None:
    key = "share" if is_alone else "edge"
    if row is None or row[key] != row[key]:
        return None
    est = Estimate(row[key], None, row[f"{key}_low"], row[f"{key}_high"], 0, 0)
    text = points(est, "en")
    return Tile(text.mean, text.interval, step(row["advantage" if is_alone else "edge"]))


def _drawing(svg: str, title: str) -> Drawing:
    """The picture with the colours of the pages, by day and by night."""
    return Drawing(standalone(inline(svg, "drawing", title, title)))
