"""Drawings that compare variants of a game: distributions overlaid, and gaps of skill.

Numbers and shown texts in, SVG text out. Where there is nothing to draw, the picture says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import isfinite
from typing import TYPE_CHECKING, Any

import numpy as np

from reports.figures import (
    Dot,
    Group,
    Spread,
    axis_range,
    draw_estimate,
    drawn_range,
    shares_between,
)
from reports.paper import (
    LINE,
    axes_at,
    finite,
    new_sheet,
    nothing,
    on_card,
    pixels,
    round_ticks,
    text_width,
    tick_text,
    wrapped,
)
from reports.placing import below
from reports.theme import DAY, SMALL, TEXT, WIDTH, drawing, save
from reports.words import say
from sim.core.game import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLOT = 160  # px of overlaid distributions
BELOW = 90  # px of their difference
ROW = 17  # px from one gap to the next
APART = 14  # px from one variant to the next
_POINTS = Words("{label}, percentage points", "{label}，百分点")
_PERCENT = Words("{x:g}\u00a0%", "{x:g}%")
_DASHED: dict[str, Any] = {"color": DAY["mark"], "linewidth": 1.4, "dashes": (4, 3)}

# Line, width and whether the mark of the mean is filled: told apart without colour too.
_LOOKS: tuple[tuple[str, Any, float, bool], ...] = (
    ("accent", "-", 1.8, True),
    ("second", (0, (5, 2)), 1.8, False),
    ("ink", (0, (1.2, 1.6)), 2.2, True),
)


@dataclass(frozen=True)
class Cumulated:
    """Difference of two cumulated shares at each value from `first` on, in shares of one.

    `low` and `high` hold for all values together; within `margin` of zero it does not matter.
    """

    label: str
    first: int
    mean: Sequence[float]
    low: Sequence[float]
    high: Sequence[float]
    margin: float


def overlay(
    spreads: Sequence[Spread],
    axis: str,
    lang: str,
    *,
    marks: Sequence[tuple[int, str]] = (),
    difference: Cumulated | None = None,
) -> str:
    """Distributions of a whole number as lines over each other.

    Parameters
    ----------
    spreads
        Two or three; `text` tells their n and follows the label, `mean` is marked on the axis.
        Values rarer than one game in 2,000 at either end are left out.
    axis
        Name and unit of the values.
    lang
        "en" or "zh".
    marks
        Values with a line of their own, and its name.
    difference
        Drawn below over the same values, in percentage points, with its band and margin.

    Raises
    ------
    ValueError
        With more than three distributions, which nobody could tell apart.
    """
    if len(spreads) > len(_LOOKS):
        raise ValueError(f"{len(spreads)} distributions; at most {len(_LOOKS)} can be told apart")
    shown = [
        (spread, look) for spread, look in zip(spreads, _LOOKS, strict=False) if any(spread.counts)
    ]
    if not shown:
        return nothing(lang)
    low, high = drawn_range([spread for spread, _ in shown], marks)
    keys = [_key(spread, lang) for spread, _ in shown]
    left, right = 44.0, WIDTH - 12.0
    width = right - left
    # A name starts at its line, or ends at the edge.
    spans = []
    for value, name in marks:
        x = left + width * (value - low + 0.5) / (high - low + 1)
        start = max(2.0, min(x + 4, WIDTH - 4 - text_width(name, SMALL)))
        spans.append((start, start + text_width(name, SMALL) + 6))
    rows = below(spans)
    head = 10 + LINE * sum(map(len, keys)) + 6 + LINE * (1 + max(rows, default=-1))
    label = []
    if difference:
        label = wrapped(say(_POINTS, lang, label=difference.label), width, SMALL)
    under = (34 + LINE * len(label) + BELOW) if difference else 0
    total = head + PLOT + under + 42
    with drawing():
        figure, sheet = new_sheet(total)
        y = 4.0
        for (_, (colour, style, thick, _)), lines in zip(shown, keys, strict=True):
            sheet.plot(
                [left, left + 28],
                [y + 8, y + 8],
                color=DAY[colour],
                linewidth=thick,
                linestyle=style,
            )
            for line in lines:
                y += LINE
                sheet.text(left + 38, y - 3, line, fontsize=SMALL)
        axes = axes_at(figure, left, total - head - PLOT, width, PLOT)
        _draw_shares(axes, shown, low, high, lang)
        for (value, name), (start, _), row in zip(marks, spans, rows, strict=True):
            x = left + width * (value - low + 0.5) / (high - low + 1)
            foot = head - 5 - LINE * row
            sheet.plot([x, x], [foot - 8, head + PLOT], **_DASHED, zorder=0)
            on_card(sheet, start, foot, name, DAY["mark"])
        last = axes
        if difference:
            for number, line in enumerate(label):
                base = head + PLOT + 34 + LINE * number
                sheet.text(left, base + 4, line, fontsize=SMALL)
            last = axes_at(figure, left, 42, width, BELOW)
            _draw_difference(last, difference, low, high)
            for value, _ in marks:
                last.axvline(value, **_DASHED)
        last.set_xlabel(axis, loc="right")
        return save(figure)


def gaps(
    groups: Sequence[Group], axis: str, lang: str, *, scale: float = 1.0, band: float = 0.0
) -> str:
    """Gaps between neighbours of a ladder, a block for each variant.

    Parameters
    ----------
    groups
        Variants, the published one first; each has a dot for each pair of neighbours, whose label
        is the pair. Pairs are numbered, their names stand above. A line joins the dots of a
        variant; thin red ones show the published values in every block.
    axis
        Name and unit of the gaps.
    lang
        "en" or "zh".
    scale
        What the axis counts for 1.
    band
        What lies within this distance of a published value is shaded; none with 0.
    """
    shown = [
        Group(group.title, [kept for dot in group.dots if (kept := _drawable(dot))])
        for group in groups
    ]
    shown = [group for group in shown if group.dots]
    if not shown:
        return nothing(lang)
    names = list(dict.fromkeys(dot.label for group in shown for dot in group.dots))
    keys = [wrapped(name, WIDTH - 40, SMALL) for name in names]
    published = {dot.label: scale * dot.estimate.mean for dot in groups[0].dots if _drawable(dot)}
    texts = [dot.text.mean for group in shown for dot in group.dots]
    left, right = 26.0, WIDTH - max(text_width(text, SMALL) + 14 for text in texts)
    low, high = axis_range(shown, None, scale, False, 2.4 * band)
    a_px = (high - low) / (right - left)
    heads = [wrapped(group.title, WIDTH - 16) if group.title else [] for group in shown]
    key = LINE * sum(map(len, keys)) + 8
    inner = sum(
        LINE * len(head) + ROW * len(group.dots) + APART
        for head, group in zip(heads, shown, strict=True)
    )
    with drawing():
        figure, sheet = new_sheet(key + inner + 42)
        y = 0.0
        for number, lines in enumerate(keys, start=1):
            sheet.text(8, y + LINE, str(number), color=DAY["soft"], fontsize=SMALL)
            for line in lines:
                y += LINE
                sheet.text(left, y, line, color=DAY["soft"], fontsize=SMALL)
        axes = axes_at(figure, left, 42, right - left, inner)
        axes.set_xlim(low, high)
        axes.set_ylim(key + inner, key)  # px from the top, as on the sheet
        axes.grid(axis="x", clip_on=False)
        axes.set_yticks([])
        axes.set_xlabel(axis, loc="right")
        over, y = pixels(figure, 1), key
        for head, group in zip(heads, shown, strict=True):
            for line in head:
                y += LINE
                on_card(over, 6, y, line, DAY["ink"], TEXT)
            means = [scale * dot.estimate.mean for dot in group.dots]
            middles = [y + ROW * (i + 0.5) + 4 for i in range(len(means))]
            axes.plot(means, middles, color=DAY["fill"], linewidth=1.4)
            for dot, middle in zip(group.dots, middles, strict=True):
                if dot.label in published:
                    _draw_published(axes, published[dot.label], middle, scale * band)
                draw_estimate(axes, dot.estimate, middle, scale, a_px)
                place = str(names.index(dot.label) + 1)
                over.text(8, middle + 4, place, color=DAY["soft"], fontsize=SMALL)
                over.text(right + 8, middle + 4, dot.text.mean, fontsize=SMALL)
            y += ROW * len(means) + APART
        return save(figure)


# Distributions


def _key(spread: Spread, lang: str) -> list[str]:
    """Label and n of a distribution, in lines."""
    text = f"{spread.label}{'，' if lang == 'zh' else ', '}{spread.text}" if spread.text else ""
    return wrapped(text or spread.label, WIDTH - 94, SMALL)


def _draw_shares(
    axes: Axes, shown: Sequence[tuple[Spread, Any]], low: int, high: int, lang: str
) -> None:
    """Draw the shares of each value as steps, and each mean as a triangle on the axis."""
    from matplotlib.ticker import FuncFormatter, MaxNLocator

    edges = np.arange(low, high + 2) - 0.5
    parts = [100 * shares_between(spread, low, high) for spread, _ in shown]
    first = shown[0][1]
    for part, (spread, look) in zip(parts, shown, strict=True):
        name, style, thick, is_filled = look
        if look is first:
            axes.stairs(part, edges, fill=True, facecolor=DAY["band"], zorder=1)
        axes.stairs(
            part, edges, baseline=None, edgecolor=DAY[name], linewidth=thick, linestyle=style
        )
        if not low <= spread.mean <= high:
            continue
        axes.plot(
            [spread.mean],
            [0],
            "^",
            color=DAY[name] if is_filled else DAY["card"],
            markeredgecolor=DAY[name],
            markersize=7,
            clip_on=False,
            zorder=5,
        )
    axes.set_xlim(low - 0.5, high + 0.5)
    axes.set_ylim(0, 1.06 * max(float(part.max()) for part in parts))
    axes.xaxis.set_major_locator(MaxNLocator(7, steps=[1, 2, 5, 10], integer=True, min_n_ticks=1))
    axes.yaxis.set_major_locator(MaxNLocator(4, steps=[1, 2, 5, 10]))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda x, _: say(_PERCENT, lang, x=x)))
    axes.tick_params(axis="y", labelcolor=DAY["soft"])
    axes.grid(axis="y", clip_on=False)


def _draw_difference(axes: Axes, difference: Cumulated, low: int, high: int) -> None:
    """Draw a difference of cumulated shares with its band, and shade its margin."""
    values = difference.first + np.arange(len(difference.mean))
    kept = (values >= low) & (values <= high)
    mean, lower, upper = (
        100 * np.asarray(part, dtype=np.float64)[kept]
        for part in (difference.mean, difference.low, difference.high)
    )
    margin = 100 * difference.margin
    axes.axhspan(-margin, margin, color=DAY["line"], linewidth=0, zorder=0)
    axes.axhline(0, color=DAY["soft"], linewidth=1.0)
    axes.fill_between(values[kept], lower, upper, step="mid", color=DAY["fill"], linewidth=0)
    axes.step(values[kept], mean, where="mid", color=DAY["accent"], linewidth=1.6)
    seen = [abs(float(end)) for end in (*lower, *upper) if isfinite(end)]
    most = 1.15 * max([1.2 * margin, *seen, 1e-9])
    axes.set_xlim(low - 0.5, high + 0.5)
    axes.set_ylim(-most, most)
    ticks = round_ticks(-most, most, 4)
    axes.set_yticks(ticks, [tick_text(tick) for tick in ticks])
    axes.tick_params(axis="y", labelcolor=DAY["soft"])


# Gaps


def _draw_published(axes: Axes, value: float, y: float, band: float) -> None:
    """Draw the published value of a pair through its row, with the margin around it."""
    ends = [y - ROW / 2, y + ROW / 2]
    if band:
        axes.fill_betweenx(ends, value - band, value + band, color=DAY["band"], linewidth=0)
    axes.plot([value, value], ends, color=DAY["mark"], linewidth=1.2)


def _drawable(dot: Dot) -> Dot | None:
    estimate = finite(dot.estimate)
    return None if estimate is None else replace(dot, estimate=estimate)
