"""Drawings of estimates and distributions. Frames in, SVG text out.

Made for a narrow screen: one narrow column, labels beside or above what they name, no legends.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.intervals import Estimate
from reports.paper import LINE, axes_at, canvas, text_width, wrapped
from reports.theme import DAY, SMALL, WIDTH, drawing, save
from reports.words import Shown

if TYPE_CHECKING:
    from matplotlib.axes import Axes

ROW = 27  # px from one row of dots to the next
DOT = 6.5  # px of a dot
PANEL = 74  # px of a histogram among others; one alone has twice that
BESIDE = 0.36 * WIDTH  # px that a label beside its dot may take
ASCENT, DESCENT = 12, 5  # px of a line of a label above and below where its letters stand
MOST_BARS = 21  # values; more are drawn as an outline
MOST_NUMBERS = 13  # values; fewer have their number each
MOST_TALL = 450  # px of the rows of a drawing that may be parted
REFERENCE = 2.8  # where its line lies: over what hides the grid, under all texts and dots
UNDRAWN = 0.0005  # share of the games at either end that is left out of a drawing


@dataclass(frozen=True)
class Dot:
    """One estimate with its label, as a number and as text."""

    label: str
    estimate: Estimate
    text: Shown


@dataclass(frozen=True)
class Group:
    """Dots under one heading; `title` may be empty."""

    title: str
    dots: Sequence[Dot]


@dataclass(frozen=True)
class Spread:
    """How often each value from `first` on was seen, under a label; `mean` is marked."""

    label: str
    first: int
    counts: Sequence[int]
    mean: float
    text: str


def dots(
    groups: Sequence[Group],
    axis: str,
    *,
    scale: float = 1.0,
    reference: tuple[float, str] | None = None,
    from_zero: bool = False,
    least_span: float = 0.0,
    band: float = 0.0,
    among: Sequence[Group] = (),
) -> str:
    """Estimates as dots with whiskers, one a row.

    Parameters
    ----------
    groups
        What to draw, from the top.
    axis
        Name and unit of the axis.
    scale
        What the axis counts for 1: 100 where shares are drawn in percent.
    reference
        Value and name of a dashed line to compare with; the name may be empty.
    from_zero
        Whether the axis starts at zero.
    least_span
        Least length of the axis, so that noise does not fill the width.
    band
        What lies within this distance of the reference is shaded; none with 0.
    among
        All groups, where those to draw are a part of them: the axis is made for all.
    """
    rows = [row for group in groups for row in _rows(group)]
    every = [row for group in among or groups for row in _rows(group)]
    short = [text_width(line) for row in every if row.estimate for line in row.beside]
    left = max([10.0, *(width + 18 for width in short)])
    right = WIDTH - max(14.0, *(text_width(row.text, SMALL) + 10 for row in every))
    top, bottom = (28 if reference and reference[1] else 6), 42
    inner = sum(row.height for row in rows)
    with drawing():
        figure = canvas(top + inner + bottom)
        axes = axes_at(figure, left, bottom, right - left, inner)
        least = max(least_span, 2.4 * band)
        low, high = axis_range(among or groups, reference, scale, from_zero, least)
        axes.set_xlim(low, high)
        axes.set_ylim(inner, 0)  # px from the top
        axes.grid(axis="x", clip_on=False)
        axes.set_yticks([])
        axes.set_xlabel(axis, loc="right")
        shaded = None
        if reference and band:
            centre, half = scale * reference[0], scale * band
            shaded = centre - half, centre + half
            axes.axvspan(*shaded, color=DAY["band"], linewidth=0, zorder=0)
        if reference:
            _draw_reference(axes, scale * reference[0], reference[1])
        a_px = (high - low) / (right - left)
        y = 0.0
        for row in rows:
            y += row.height
            _draw_row(axes, row, y, left, scale, a_px, shaded)
        return save(figure)


def differences(
    groups: Sequence[Group], axis: str, *, scale: float = 1.0, band: float = 0.0
) -> list[str]:
    """Differences from zero as dots, in one drawing or in several with the same axis.

    Parts are about as tall as each other, and so low that a page of paper has room for one and a
    heading, or the end of a table.
    """
    heights = [sum(row.height for row in _rows(group)) for group in groups]
    share = sum(heights) / max(ceil(sum(heights) / MOST_TALL), 1)
    parts: list[list[Group]] = [[]]
    filled = 0.0
    for group, height in zip(groups, heights, strict=True):
        if filled + height / 2 > share * len(parts):
            parts.append([])
        parts[-1].append(group)
        filled += height
    zero = (0.0, "")
    return [
        dots(part, axis, scale=scale, reference=zero, band=band, among=groups) for part in parts
    ]


def histograms(
    spreads: Sequence[Spread],
    axis: str,
    marks: Sequence[tuple[int, str]] = (),
    share: str = "{x:g}%",
) -> str:
    """Distributions of a whole number, one above the other over a common axis.

    Few values are drawn as bars, many as a filled outline. Values rarer than one game in 2,000 at
    either end are left out; `marks` are lines with a name, `share` is the form of a percentage.
    """
    low, high = drawn_range(spreads, marks)
    panel = PANEL if len(spreads) > 1 else 2 * PANEL
    narrow = WIDTH - 60 - max(text_width(spread.text, SMALL) for spread in spreads)
    is_wide = any(text_width(spread.label, SMALL) > narrow for spread in spreads)
    head = 28 + (LINE if is_wide else 0)
    top, bottom = (24 if marks else 6), 42
    height = top + bottom + len(spreads) * (panel + head)
    parts = [shares_between(spread, low, high) for spread in spreads]
    peak = 100 * max(float(part.max()) for part in parts)
    with drawing():
        figure = canvas(height)
        left, right = 44, WIDTH - 12
        for place, (spread, part) in enumerate(zip(spreads, parts, strict=True)):
            base = bottom + (len(spreads) - 1 - place) * (panel + head)
            axes = axes_at(figure, left, base, right - left, panel)
            _draw_spread(axes, spread, part, low, high, peak, LINE if is_wide else 0)
            axes.yaxis.set_major_formatter(share)
            is_last = place == len(spreads) - 1
            axes.tick_params(labelbottom=is_last)
            for value, name in marks:
                axes.axvline(value, color=DAY["mark"], linewidth=1.4, dashes=(4, 3))
                if place == 0:
                    _over(axes, value, name, head, near_end=value > (low + high) / 2)
            if is_last:
                axes.set_xlabel(axis, loc="right")
        return save(figure)


def drawn_range(
    spreads: Sequence[Spread], marks: Sequence[tuple[int, str]] = ()
) -> tuple[int, int]:
    """First and last value that `histograms` draws."""
    ends = []
    for spread in spreads:
        counts = np.asarray(spread.counts, dtype=np.float64)
        total = max(float(counts.sum()), 1.0)
        below, beyond = counts.cumsum() / total, counts[::-1].cumsum() / total
        first = int(np.argmax(below > UNDRAWN))
        last = len(counts) - 1 - int(np.argmax(beyond > UNDRAWN))
        ends.append((spread.first + first, spread.first + last))
    low, high = min(a for a, _ in ends), max(b for _, b in ends)
    edges = [value for value, _ in marks]
    return min([low, *edges]), max([high, *edges])


@dataclass(frozen=True)
class _Row:
    """A row of `dots`: a heading (no estimate) or a dot."""

    label: str
    estimate: Estimate | None
    text: str

    @property
    def lines(self) -> list[str]:
        """The label in lines that fit into the figure."""
        return wrapped(self.label, WIDTH - 20)

    @property
    def beside(self) -> list[str]:
        """The label in lines that stand beside the dot, a difference in two; [] if too long."""
        first, minus, second = self.label.partition(" − ")
        is_short = text_width(self.label) <= BESIDE
        lines = [self.label] if is_short or not minus else [first + minus.rstrip(), second]
        return lines if max(map(text_width, lines)) <= BESIDE else []

    @property
    def height(self) -> float:
        """Height in px."""
        if self.estimate is None:
            return ROW + 4 + LINE * (len(self.lines) - 1)
        return ROW + LINE * (len(self.beside) - 1 if self.beside else len(self.lines))


def _rows(group: Group) -> list[_Row]:
    head = [_Row(group.title, None, "")] if group.title else []
    return head + [_Row(dot.label, dot.estimate, dot.text.mean) for dot in group.dots]


def _draw_row(
    axes: Axes,
    row: _Row,
    bottom: float,
    left: float,
    scale: float,
    a_px: float,
    shaded: tuple[float, float] | None,
) -> None:
    """Draw a row that ends `bottom` px below the top; `a_px` is a px in units of the axis."""
    lines = [(len(row.lines) - i, line) for i, line in enumerate(row.lines, start=1)]
    if row.estimate is None:
        for number, line in lines:
            y = bottom - 8 - number * LINE
            _clear(axes, line, y, 6 - left, a_px, shaded)
            _write(axes, line, y, 6 - left, color=DAY["soft"], fontsize=SMALL)
        return
    middle = bottom - (row.height if row.beside else ROW) / 2
    if not row.beside:
        for number, line in lines:
            y = middle - 12 - number * LINE
            _clear(axes, line, y, 8 - left, a_px, shaded)
            _write(axes, line, y, 8 - left)
    for number, line in enumerate(row.beside):
        y = middle + 4 + LINE * (number - (len(row.beside) - 1) / 2)
        _write(axes, line, y, -10, ha="right")
    axes.annotate(
        row.text,
        (1, middle + 4),
        (8, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        fontsize=SMALL,
    )
    draw_estimate(axes, row.estimate, middle, scale, a_px)


def draw_estimate(axes: Axes, estimate: Estimate, y: float, scale: float, a_px: float) -> None:
    """Draw a dot with its whisker at the height `y`; `a_px` is a px in units of the axis."""
    colour = DAY["accent"]
    if estimate.low is not None and estimate.high is not None:
        ends = [scale * estimate.low, scale * estimate.high]
        has_caps = ends[1] - ends[0] > 2 * DOT * a_px  # else the dot hides the whisker
        axes.plot(
            ends,
            [y, y],
            marker="|" if has_caps else "",
            color=colour,
            linewidth=2,
            markersize=9,
            markeredgewidth=1.6,
            clip_on=False,
        )
    axes.plot([scale * estimate.mean], [y], "o", color=colour, markersize=DOT, clip_on=False)


def _write(axes: Axes, text: str, y: float, nudge: float, **style: Any) -> None:
    """Write at `y` px from the top and `nudge` px from the axis."""
    axes.annotate(
        text,
        (0, y),
        (nudge, 0),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        **style,
    )


def _clear(
    axes: Axes, line: str, y: float, nudge: float, a_px: float, band: tuple[float, float] | None
) -> None:
    """Take the lines of the grid from under a line of text, but neither band nor reference.

    The lines lie under all texts, so that none cuts the letters of the line above.
    """
    from matplotlib.patches import Rectangle

    low, _ = axes.get_xlim()
    start, end = low + (nudge - 3) * a_px, low + (nudge + text_width(line) + 3) * a_px
    pieces = [(start, end, DAY["card"])]
    if band and max(start, band[0]) < min(end, band[1]):
        pieces.append((max(start, band[0]), min(end, band[1]), DAY["band"]))
    for order, (first, last, colour) in enumerate(pieces):  # over lines (2), under texts (3)
        box = Rectangle((first, y - ASCENT), last - first, ASCENT + DESCENT, color=colour)
        box.set(linewidth=0, zorder=2.5 + order / 10)
        axes.add_patch(box)


def _draw_reference(axes: Axes, value: float, name: str) -> None:
    """Draw a dashed line and write its name above it."""
    axes.axvline(value, color=DAY["soft"], linewidth=1.2, dashes=(4, 3), zorder=REFERENCE)
    low, high = axes.get_xlim()
    is_right = value > (low + high) / 2
    axes.annotate(
        name,
        (value, 1),
        (6 if is_right else -6, 8),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="right" if is_right else "left",
        color=DAY["soft"],
        fontsize=SMALL,
    )


def _draw_spread(
    axes: Axes, spread: Spread, share: Any, low: int, high: int, peak: float, lift: float
) -> None:
    """Draw one distribution from `low` to `high` with its label above, `lift` px higher."""
    from matplotlib.ticker import MaxNLocator, MultipleLocator

    values = np.arange(low, high + 1)
    if len(values) <= MOST_BARS:
        axes.bar(values, 100 * share, width=0.76, color=DAY["fill"])
        axes.set_xlim(low - 0.6, high + 0.6)
    else:
        axes.stairs(
            100 * share,
            np.arange(low, high + 2) - 0.5,
            fill=True,
            facecolor=DAY["fill"],
            edgecolor=DAY["accent"],
            linewidth=1.0,
        )
        axes.set_xlim(low - 0.5, high + 0.5)
    axes.set_ylim(0, 1.04 * peak)
    axes.xaxis.set_major_locator(
        MultipleLocator(1)
        if len(values) <= MOST_NUMBERS
        else MaxNLocator(7, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1)
    )
    axes.yaxis.set_major_locator(MaxNLocator(3, steps=[1, 2, 5, 10]))
    axes.grid(axis="y", clip_on=False)
    axes.tick_params(axis="y", labelcolor=DAY["soft"])
    axes.plot([spread.mean], [0], "^", color=DAY["second"], markersize=8, clip_on=False, zorder=5)
    for text, x, y, side, colour in (
        (spread.label, 0, lift, "left", DAY["ink"]),
        (spread.text, 1, 0, "right", DAY["second"]),
    ):
        axes.annotate(
            text,
            (x, 1),
            (0, 5 + y),
            xycoords="axes fraction",
            textcoords="offset points",
            ha=side,
            color=colour,
            fontsize=SMALL,
        )


def _over(axes: Axes, value: float, name: str, offset: float, *, near_end: bool) -> None:
    """Write the name of a line above it."""
    axes.annotate(
        name,
        (value, 1),
        (0, offset),
        xycoords=("data", "axes fraction"),
        textcoords="offset points",
        ha="right" if near_end else "left",
        color=DAY["mark"],
        fontsize=SMALL,
        annotation_clip=False,
    )


def shares_between(spread: Spread, low: int, high: int) -> Any:
    """Shares of the values `low` to `high`."""
    counts = np.zeros(high - low + 1)
    for value, count in enumerate(spread.counts, start=spread.first):
        if low <= value <= high:
            counts[value - low] = count
    return counts / max(float(np.sum(np.asarray(spread.counts))), 1.0)


def axis_range(
    groups: Sequence[Group],
    reference: tuple[float, str] | None,
    scale: float,
    from_zero: bool,
    least_span: float,
) -> tuple[float, float]:
    """Ends of the axis of `dots`."""
    seen = [scale * reference[0]] if reference else []
    for group in groups:
        for dot in group.dots:
            estimate = dot.estimate
            seen.append(scale * estimate.mean)
            seen += [scale * end for end in (estimate.low, estimate.high) if end is not None]
    low, high = min(seen), max(seen)
    if from_zero:
        low = min(low, 0.0)
    missing = max(scale * least_span - (high - low), 0.0) or (1.0 if high == low else 0.0)
    if not from_zero:
        low -= missing / 2
    high += missing / (1 if from_zero else 2)
    margin = 0.06 * (high - low)
    return (low if from_zero and low == 0 else low - margin), high + margin
