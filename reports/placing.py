"""Where labels go, so that none lies on another. Boxes in px from the top left, no drawing."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np

NEAR = 9.0  # px from a point to the label beside it
STEP = 4.0  # px from one place that is tried to the next
LENGTH = 8.0  # px of a line that are as well worth seeing as a point
COVERS = 2.5  # cost in px of covering something that is better seen
CROSSES = 60.0  # and of leading a line through another label
STRANGE = 25.0  # and of lying so that another point is nearer to the label than its own


class Box(NamedTuple):
    """A rectangle; y grows downwards."""

    left: float
    top: float
    right: float
    bottom: float


class Label(NamedTuple):
    """The point that is named, and the size of its name."""

    x: float
    y: float
    width: float
    height: float


def beside(
    labels: Sequence[Label], room: Box, taken: Sequence[Box] = (), seen: Sequence[Box] = ()
) -> list[Box] | None:
    """Place each label as near to its point as it can be.

    Parameters
    ----------
    labels
        Points and sizes; the first has the first choice.
    room
        Where labels may lie.
    taken
        What no label may cover, as it may cover no other label.
    seen
        What is better not covered, like the points without a name.

    Returns
    -------
    list of Box or None
        The place of each label, or None where the room is too small for all of them.
    """
    hard = [np.asarray(box, dtype=np.float64) for box in taken]
    soft = np.asarray(seen, dtype=np.float64).reshape(-1, 4)
    found: list[Box] = []
    for number, label in enumerate(labels):
        strangers = [*labels[:number], *labels[number + 1 :]]
        places = _places(label, room)
        others = np.asarray(hard, dtype=np.float64).reshape(-1, 4)
        away = _distance(label, places)
        free = (away >= NEAR) & ~_overlaps(places, others).any(axis=1)
        places, away = places[free], away[free]
        if not len(places):
            return None
        ends = _nearest(label, places)
        cost = away + COVERS * _overlaps(places, soft).sum(axis=1)
        cost += CROSSES * _crossed(label, ends, np.asarray(found).reshape(-1, 4))
        for other in strangers:
            cost += STRANGE * (_distance(other, places) < away + NEAR)
        best = places[int(np.argmin(cost.round(6)))]
        found.append(Box(*map(float, best)))
        hard.append(best)
    return found


def lead(label: Label, box: Box) -> tuple[float, float]:
    """End of the line from a point to its label; without one, a neighbour could seem meant."""
    x, y = map(float, _nearest(label, np.asarray([box]))[0])
    return x, y


def along(x: float, y: float, x_end: float, y_end: float) -> list[Box]:
    """A line across or down as boxes, so that covering more of it costs more."""
    left, right, top, bottom = min(x, x_end), max(x, x_end), min(y, y_end), max(y, y_end)
    count = max(1, round(max(right - left, bottom - top) / LENGTH))
    xs, ys = np.linspace(left, right, count + 1), np.linspace(top, bottom, count + 1)
    return [
        Box(float(xs[i]) - 1, float(ys[i]) - 1, float(xs[i + 1]) + 1, float(ys[i + 1]) + 1)
        for i in range(count)
    ]


def below(spans: Sequence[tuple[float, float]]) -> list[int]:
    """Rows for labels that start under their points, from the first row down.

    A line that goes straight down from the start of a label to it meets no other label.

    Parameters
    ----------
    spans
        Start and end of each label, any unit.
    """
    rows = [0] * len(spans)
    starts: list[float] = []  # of each row: where the leftmost label in it, or further down, starts
    for number in sorted(range(len(spans)), key=lambda i: (-spans[i][0], i)):
        start, end = spans[number]
        row = next((i for i, taken in enumerate(starts) if end < taken), len(starts))
        rows[number] = row
        starts = [min(start, taken) for taken in starts[: row + 1]] + starts[row + 1 :]
        if row == len(starts):
            starts.append(start)
    return rows


def _places(label: Label, room: Box) -> Any:
    """Boxes that a label could have: first to the right, left, above and below, then all over."""
    x, y, width, height = label
    corners = [
        (x + NEAR, y - height / 2),
        (x - NEAR - width, y - height / 2),
        (x - width / 2, y - NEAR - height),
        (x - width / 2, y + NEAR),
    ]
    grid = np.meshgrid(
        np.arange(room.left, room.right - width, STEP), np.arange(room.top, room.bottom, STEP)
    )
    starts = np.vstack([corners, np.stack(grid, axis=-1).reshape(-1, 2)])
    boxes = np.hstack([starts, starts + np.array((width, height))])
    inside = (boxes[:, :2] >= room[:2]).all(axis=1) & (boxes[:, 2:] <= room[2:]).all(axis=1)
    return boxes[inside]


def _overlaps(places: Any, boxes: Any) -> Any:
    """Whether each place covers a part of each box."""
    # One comparison a side: a last axis of two is ten times slower.
    (left, top, right, bottom), others = places.T[:, :, None], boxes.T[:, None]
    across = (left < others[2]) & (others[0] < right)
    return across & (top < others[3]) & (others[1] < bottom)


def _nearest(label: Label, places: Any) -> Any:
    """The point of each place that is nearest to the label's own."""
    return np.clip((label.x, label.y), places[:, :2], places[:, 2:])


def _distance(label: Label, places: Any) -> Any:
    """How far each place is from the label's point."""
    return np.hypot(*(_nearest(label, places) - (label.x, label.y)).T)


def _crossed(label: Label, ends: Any, boxes: Any) -> Any:
    """How many boxes lie between the label's point and each end."""
    steps = np.linspace(0, 1, 12)[:, None, None]
    ways = (label.x, label.y) + steps * (ends - (label.x, label.y))
    x, y = ways[..., 0, None], ways[..., 1, None]
    left, top, right, bottom = boxes.T
    inside = (x > left) & (x < right) & (y > top) & (y < bottom)
    return inside.any(axis=0).sum(axis=1)
