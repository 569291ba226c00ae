"""Drawings of all candidates for a rule: how far each is from the published one, and the front.

Numbers and shown texts in, SVG text out; the few words of the drawings themselves stand here in
both languages. Where there is nothing to draw, the picture says so.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import isnan, nan
from typing import TYPE_CHECKING, Any

import numpy as np

from analysis.intervals import Estimate
from reports.figures import DOT
from reports.paper import (
    LINE,
    axes_at,
    ends_of,
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
from reports.placing import Box, Label, along, below, beside, lead
from reports.theme import DAY, SMALL, WIDE, WIDTH, drawing, save, with_hints
from reports.words import say
from sim.core.game import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

SQUARE = 280  # px of a front
FEW = 10  # names that this has room for
CROWD = 10  # px more for each further name
WHISKER = 0.55  # how strong a whisker is beside its point
GROWTH = 60  # px by which it grows where they still do not fit
NAME = 150  # px of a line of a name in a front
STRIP = 24  # px of a row of a heat strip
LONGEST = 200  # px of a name below it
SWATCH = 34  # px of a step of its legend
MOST_COLUMN, LEAST_COLUMN = 14.0, 1.5  # px of a candidate
GAP = 16  # px between groups of candidates
NARROW = 20  # candidates that a figure of usual width has room for
APART = 280  # px from one writing of a criterion's name to the next
STEPS = (1, 2, 4, 8)  # margins at which the colour changes

_IN_MARGINS = Words(
    "How much better or worse than the published one, in margins",
    "比现行规则好或差多少，以界限为单位",
)
_CRITERION = Words("{name} (margin {margin})", "{name}（界限 {margin}）")
_BETTER, _WITHIN, _WORSE = (
    Words("better", "更好"),
    Words("within", "界限内"),
    Words("worse", "更差"),
)
_PUBLISHED, _FINALISTS = Words("published", "现行规则"), Words("finalists", "入围")
_UNKNOWN = Words("blank: not known", "空白：未知")

_SAME = "line"  # the colour within the margin
_OUTLINE: dict[str, Any] = {"fill": False, "edgecolor": DAY["ink"], "linewidth": 1.6}


@dataclass(frozen=True)
class Criterion:
    """What candidates are judged by; `margin` is the unit of the colours as text."""

    name: str
    margin: str


@dataclass(frozen=True)
class Candidate:
    """A column: for each criterion how much worse than the published one, in margins.

    Negative where it is better, NaN where it is not known. `is_named` are the finalists; the
    published one has its name anyway. `hints` are what is told where the pointer rests on a value.
    """

    label: str
    values: Sequence[float]
    is_named: bool = False
    is_published: bool = False
    hints: Sequence[str] = ()


@dataclass(frozen=True)
class Candidates:
    """Columns under one heading, which may be empty."""

    title: str
    members: Sequence[Candidate]


@dataclass(frozen=True)
class Point:
    """A candidate by two criteria; those of the front have names.

    Named ones have whiskers too, and so has the published one.
    """

    label: str
    x: Estimate
    y: Estimate
    is_front: bool = False
    is_named: bool = False
    is_published: bool = False


def heat_strip(
    groups: Sequence[Candidates], criteria: Sequence[Criterion], lang: str, *, title: str = ""
) -> str:
    """All candidates, a thin column each, coloured by how far they are from the published one.

    Parameters
    ----------
    groups
        Candidates with their headings, from the left.
    criteria
        The rows, in the order of the candidates' values.
    lang
        "en" or "zh".
    title
        What the colours tell; by default a difference in margins.
    """
    groups = [group for group in groups if group.members]
    count = sum(len(group.members) for group in groups)
    if not count or not criteria:
        return nothing(lang)
    width: float = WIDTH if count <= NARROW else WIDE
    column = _column(groups, width)
    starts = _starts(groups, column)
    members = [one for group in groups for one in group.members]
    lefts = _lefts(groups, column)
    width = max(width, _right(groups, column))  # where even thin columns are too many
    anchors = _anchors(starts, width)
    most = min([WIDTH - 24.0, *np.diff([*anchors, width]).tolist()]) - 8
    heads = [
        wrapped(say(_CRITERION, lang, name=one.name, margin=one.margin), most, SMALL)
        for one in criteria
    ]
    named = [(x + column / 2, one) for x, one in zip(lefts, members, strict=True) if _has_name(one)]
    rows = below([(x, x + text_width(_cut(one.label), SMALL) + 10) for x, one in named])
    caption = wrapped(title or _IN_MARGINS.of(lang), WIDTH - 24, SMALL)
    legend = 6.0 + LINE * len(caption)
    tops, y = [], legend + 94
    for head in heads:
        tops.append(y + LINE * len(head) + 6)
        y = tops[-1] + STRIP + 14
    with drawing():
        figure, sheet = new_sheet(y + 6 + LINE * (1 + max(rows, default=-1)), width)
        for number, line in enumerate(caption, start=1):
            sheet.text(10, LINE * number, line, fontsize=SMALL)
        _draw_legend(sheet, 10, legend, members, lang)
        for group, start in zip(groups, starts, strict=True):
            sheet.text(start, legend + 86, group.title, color=DAY["soft"], fontsize=SMALL)
        for place, (head, strip) in enumerate(zip(heads, tops, strict=True)):
            for anchor in anchors:
                for number, line in enumerate(reversed(head)):
                    sheet.text(anchor, strip - 8 - LINE * number, line, fontsize=SMALL)
            _draw_strip(sheet, lefts, column, strip, [_value(one, place) for one in members])
        for (x, one), row in zip(named, rows, strict=True):
            base = y + 10 + LINE * row
            colour = DAY["ink" if one.is_published else "soft"]
            for strip in tops:
                if one.is_published:
                    left = x - column / 2 - 1.5
                    _rectangle(sheet, left, strip - 2, column + 3, STRIP + 4, **_OUTLINE)
                else:
                    sheet.plot([x], [strip + STRIP + 5], "^", color=colour, markersize=5)
            sheet.plot([x, x], [tops[-1] + STRIP + 8, base - 4], color=colour, linewidth=0.8)
            on_card(sheet, x + 3, base, _cut(one.label), colour)
        hints = [
            (left, top, column, STRIP, text)
            for left, one in zip(lefts, members, strict=True)
            for top, text in zip(tops, one.hints, strict=False)
        ]
        return with_hints(save(figure), hints)


def front(
    points: Sequence[Point],
    x_axis: str,
    y_axis: str,
    lang: str,
    *,
    scale: tuple[float, float] = (1.0, 1.0),
    is_less_better: bool = True,
) -> str:
    """Candidates by two criteria, with the front that no other candidate is better than on both.

    Parameters
    ----------
    points
        All candidates; those that are neither named nor on the front are faint dots.
    x_axis, y_axis
        Names and units of the axes, and which way is better.
    lang
        "en" or "zh".
    scale
        What the axes count for 1.
    is_less_better
        Whether less is better on the x-axis: the step line turns on the worse side of the front.
    """
    shown = [
        replace(point, x=across, y=down)
        for point in points
        if (across := finite(point.x)) and (down := finite(point.y))
    ]
    if not shown:
        return nothing(lang)
    named = sorted(filter(_is_told, shown), key=lambda point: not point.is_published)
    held = [point for point in named if _has_name(point)]
    spans = [
        _span([getattr(point, side) for point in shown], [getattr(one, side) for one in held], of)
        for side, of in zip("xy", scale, strict=True)
    ]
    texts = [wrapped(point.label, NAME, SMALL) for point in named]
    feet, ticks = round_ticks(*spans[0], 5), round_ticks(*spans[1], 5)
    left = 14 + max(text_width(tick_text(tick), SMALL) for tick in ticks)
    lines = wrapped(y_axis, WIDTH - 16, SMALL)
    head = 14.0 + LINE * len(lines)
    height = SQUARE + CROWD * max(len(named) - FEW, 0.0)
    places = None
    while places is None:
        room = Box(left, head, WIDTH - 12.0, head + height)
        labels, taken, seen = _obstacles(shown, named, texts, spans, scale, room, is_less_better)
        places = beside(labels, Box(left + 2, head + 2, WIDTH - 2, head + height - 2), taken, seen)
        if places is None:
            height += GROWTH
    foot = wrapped(x_axis, WIDTH - 16, SMALL)
    with drawing():
        figure, sheet = new_sheet(head + height + 28 + LINE * len(foot))
        for number, line in enumerate(lines):
            sheet.text(4, 16 + LINE * number, line, color=DAY["soft"], fontsize=SMALL)
        for number, line in enumerate(foot):
            y = head + height + 32 + LINE * number
            sheet.text(WIDTH - 8, y, line, color=DAY["soft"], fontsize=SMALL, ha="right")
        base = 28 + LINE * len(foot)
        axes = axes_at(figure, left, base, room.right - room.left, height)
        axes.set_xlim(*spans[0])
        axes.set_ylim(*spans[1])
        for set_ticks, found in ((axes.set_xticks, feet), (axes.set_yticks, ticks)):
            set_ticks(found, [tick_text(tick) for tick in found])
        axes.grid(clip_on=False)
        _draw_points(axes, shown, scale, is_less_better)
        over = pixels(figure, 1)
        for point, label, place, text in zip(named, labels, places, texts, strict=True):
            colour = DAY["mark" if point.is_published else "ink"]
            end = lead(label, place)
            over.plot([label.x, end[0]], [label.y, end[1]], color=DAY["soft"], linewidth=0.8)
            for number, line in enumerate(text):
                on_card(over, place.left + 2, place.top + LINE * (number + 1) - 3, line, colour)
        return save(figure)


def _has_name(one: Candidate | Point) -> bool:
    return one.is_named or one.is_published


def _is_told(point: Point) -> bool:
    """Whether its name stands in a front."""
    return _has_name(point) or point.is_front


def _value(one: Candidate, place: int) -> float:
    return float(one.values[place]) if place < len(one.values) else nan


def _cut(label: str) -> str:
    """A name that is no longer than a finalist's may be; the table has it whole."""
    lines = wrapped(label, LONGEST, SMALL)
    return lines[0] if len(lines) == 1 else f"{lines[0].rstrip('，,')}…"


def _column(groups: Sequence[Candidates], room: float) -> float:
    """The widest column with which all groups and names fit."""
    for column in np.arange(MOST_COLUMN, LEAST_COLUMN, -0.25):
        if _right(groups, column) <= room:
            return float(column)
    return LEAST_COLUMN


def _right(groups: Sequence[Candidates], column: float) -> float:
    """How far the columns, their headings and the names below them reach."""
    heads = [
        start + text_width(group.title, SMALL)
        for group, start in zip(groups, _starts(groups, column), strict=True)
    ]
    members = [one for group in groups for one in group.members]
    names = [
        left + column + text_width(_cut(one.label), SMALL) if _has_name(one) else left + column
        for one, left in zip(members, _lefts(groups, column), strict=True)
    ]
    return max(*heads, *names) + 10


def _lefts(groups: Sequence[Candidates], column: float) -> list[float]:
    """Where each candidate's column starts."""
    return [
        start + column * i
        for group, start in zip(groups, _starts(groups, column), strict=True)
        for i in range(len(group.members))
    ]


def _starts(groups: Sequence[Candidates], column: float) -> list[float]:
    """Where each group starts; its heading has room too."""
    found = [10.0]
    for group in groups[:-1]:
        wide = max(len(group.members) * column, text_width(group.title, SMALL))
        found.append(found[-1] + wide + GAP)
    return found


def _anchors(starts: Sequence[float], width: float) -> list[float]:
    """Where the criteria are named: at the left and, for who has scrolled, where there is room."""
    found = [starts[0]]
    for start in starts:
        if start - found[-1] >= APART and width - start >= APART:
            found.append(start)
    return found


def _step(value: float) -> str | None:
    """Name of the colour of a difference in margins, None where it is not known."""
    if isnan(value):
        return None
    step = sum(abs(value) > edge for edge in STEPS)
    return f"{'less' if value < 0 else 'more'}{step}" if step else _SAME


def _draw_strip(
    sheet: Axes, lefts: Sequence[float], column: float, top: float, values: Sequence[float]
) -> None:
    """Draw a row of columns; those of a colour are one shape, neighbours one piece of it."""
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    # Grey lies below all colours, lest the paper shine through between two columns.
    pieces: dict[str, list[list[float]]] = {}
    for left, value in zip(lefts, values, strict=True):
        colour = _step(value)
        for name in dict.fromkeys((_SAME, colour)) if colour else ():
            own = pieces.setdefault(name, [])
            if own and abs(own[-1][1] - left) < 0.01:
                own[-1][1] = left + column
            else:
                own.append([left, left + column])
    codes = [Path.MOVETO, Path.LINETO, Path.LINETO, Path.LINETO, Path.CLOSEPOLY]
    for name, own in pieces.items():
        corners = [
            corner
            for a, b in own
            for corner in ((a, top), (b, top), (b, top + STRIP), (a, top + STRIP), (a, top))
        ]
        shape = Path(np.asarray(corners), np.asarray(codes * len(own)))
        sheet.add_patch(PathPatch(shape, facecolor=DAY[name], linewidth=0))


def _draw_legend(
    sheet: Axes, left: float, top: float, members: Sequence[Candidate], lang: str
) -> None:
    """Draw the steps of the colours with their edges, and what the signs mean."""
    steps = len(STEPS)
    names = [
        *(f"less{i}" for i in range(steps, 0, -1)),
        _SAME,
        *(f"more{i}" for i in range(1, steps + 1)),
    ]
    for number, name in enumerate(names):
        _rectangle(sheet, left + SWATCH * number, top + 14, SWATCH, 12, facecolor=DAY[name])
    middle = left + SWATCH * (steps + 0.5)
    right = left + SWATCH * len(names)
    soft: dict[str, Any] = {"color": DAY["soft"], "fontsize": SMALL}
    sheet.text(left, top + 9, _BETTER.of(lang), **soft)
    sheet.text(middle, top + 9, _WITHIN.of(lang), ha="center", **soft)
    sheet.text(right, top + 9, _WORSE.of(lang), ha="right", **soft)
    edges = [-edge for edge in reversed(STEPS)] + list(STEPS)
    for number, edge in enumerate(edges, start=1):
        text = tick_text(edge)
        sheet.text(left + SWATCH * number, top + 40, text, ha="center", **soft)
    x, base = left, top + 60
    if any(one.is_published for one in members):
        _rectangle(sheet, x + 3, base - 10, 6, 11, **_OUTLINE)
        sheet.text(x + 16, base, _PUBLISHED.of(lang), **soft)
        x += 32 + text_width(_PUBLISHED.of(lang), SMALL)
    if any(one.is_named and not one.is_published for one in members):
        sheet.plot([x + 5], [base - 4], "^", color=DAY["soft"], markersize=6)
        sheet.text(x + 14, base, _FINALISTS.of(lang), **soft)
        x += 30 + text_width(_FINALISTS.of(lang), SMALL)
    if any(isnan(value) for one in members for value in one.values):
        sheet.text(x, base, _UNKNOWN.of(lang), **soft)


def _rectangle(
    sheet: Axes, left: float, top: float, width: float, height: float, **style: Any
) -> None:
    from matplotlib.patches import Rectangle

    sheet.add_patch(Rectangle((left, top), width, height, **({"linewidth": 0} | style)))


# A front


def _obstacles(
    points: Sequence[Point],
    named: Sequence[Point],
    texts: Sequence[Sequence[str]],
    spans: Sequence[tuple[float, float]],
    scale: tuple[float, float],
    room: Box,
    is_less_better: bool,
) -> tuple[list[Label], list[Box], list[Box]]:
    """In px: the named points with their texts' sizes, their signs, and what else is drawn."""

    def x_of(value: float) -> float:
        low, high = spans[0]
        return room.left + (scale[0] * value - low) / (high - low) * (room.right - room.left)

    def y_of(value: float) -> float:
        low, high = spans[1]
        return room.bottom - (scale[1] * value - low) / (high - low) * (room.bottom - room.top)

    def around(x: float, y: float, half: float) -> Box:
        return Box(x - half, y - half, x + half, y + half)

    labels, taken, seen = [], [], []
    for point, lines in zip(named, texts, strict=True):
        x, y = x_of(point.x.mean), y_of(point.y.mean)
        size = max(text_width(line, SMALL) for line in lines) + 6, LINE * len(lines) + 2
        labels.append(Label(x, y, *size))
        taken.append(around(x, y, DOT - 1))
        if not _has_name(point):
            continue
        if across := ends_of(point.x):
            seen += along(x_of(across[0]), y, x_of(across[1]), y)
        if down := ends_of(point.y):
            seen += along(x, y_of(down[0]), x, y_of(down[1]))
    for point in points:
        if not _is_told(point):
            seen.append(around(x_of(point.x.mean), y_of(point.y.mean), 2))
    for first, second in pairwise(_steps(points, is_less_better)):
        seen += along(*(of(x) for x, of in zip((*first, *second), (x_of, y_of) * 2, strict=True)))
    return labels, taken, seen


def _steps(points: Sequence[Point], is_less_better: bool) -> list[tuple[float, float]]:
    """Corners of the line along the front: on its one side every candidate is beaten."""
    edge = sorted((one.x.mean, one.y.mean) for one in points if one.is_front)
    corners = edge[:1]
    for (x, y), (x_next, y_next) in pairwise(edge):
        corners += [(x_next, y) if is_less_better else (x, y_next), (x_next, y_next)]
    return corners


def _draw_points(
    axes: Axes, points: Sequence[Point], scale: tuple[float, float], is_less_better: bool
) -> None:
    """Draw all candidates, the front, and the named ones with their whiskers."""

    def of(chosen: Sequence[Point]) -> tuple[list[float], list[float]]:
        xs = [scale[0] * point.x.mean for point in chosen]
        return xs, [scale[1] * point.y.mean for point in chosen]

    unnamed = [point for point in points if not _has_name(point)]
    faint = [point for point in unnamed if not point.is_front]
    axes.plot(*of(faint), "o", color=DAY["fill"], markersize=4, markeredgewidth=0)
    corners = _steps(points, is_less_better)
    axes.plot(
        [scale[0] * x for x, _ in corners],
        [scale[1] * y for _, y in corners],
        color=DAY["second"],
        linewidth=2.6,
        zorder=3,  # over the whiskers
    )
    hollow = [point for point in unnamed if point.is_front]
    axes.plot(
        *of(hollow),
        "o",
        color=DAY["card"],
        markeredgecolor=DAY["second"],
        markersize=DOT,
        zorder=3.5,
    )
    for point in filter(_has_name, points):
        colour, sign, layer = DAY["accent"], "o", 4
        if point.is_published:
            colour, sign, layer = DAY["mark"], "D", 5
        x, y = scale[0] * point.x.mean, scale[1] * point.y.mean
        across, down = (
            [of * end for end in ends_of(side)]
            for of, side in zip(scale, (point.x, point.y), strict=True)
        )
        for xs, ys in ((across, [y] * len(across)), ([x] * len(down), down)):
            axes.plot(xs, ys, color=colour, linewidth=1.0, alpha=WHISKER, zorder=2)
        axes.plot([x], [y], sign, color=colour, markersize=DOT, clip_on=False, zorder=layer)


def _span(
    every: Sequence[Estimate], named: Sequence[Estimate], scale: float
) -> tuple[float, float]:
    """Ends of an axis with some room; equal values stand in the middle.

    Whiskers may take a twelfth of it at either end: the dots count.
    """
    low, high = (scale * end([one.mean for one in every]) for end in (min, max))
    room = 0.07 * (high - low) or max(0.1 * abs(low), 0.5)
    ends = [scale * end for one in named for end in ends_of(one)]
    most = (high - low + 2 * room) / 10
    return (
        max(min([low, *ends]), low - most) - room,
        min(max([high, *ends]), high + most) + room,
    )
