"""Paper to draw on, measured in px, and the room that texts take on it."""

from __future__ import annotations

import re
import unicodedata
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.intervals import Estimate
from reports.theme import DAY, SMALL, TEXT, WIDTH, drawing, save
from sim.core.game import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

LINE = 15  # px from one line of a label to the next
HUGE = 1e15  # no axis goes as far
NOTHING = Words("Nothing to draw here", "此处没有可画的数据")

# A line may end after these signs, but not within 10,000; or between two Chinese characters.
_BREAKS = r"(?<=[ :/，、：；])|(?<=,)(?!\d)|(?<=[\u3400-\u9fff）])(?=[\u3400-\u9fff])"


def canvas(height: float, width: float = WIDTH) -> Figure:
    """An empty figure of a size in px."""
    from matplotlib.backends.backend_svg import FigureCanvasSVG
    from matplotlib.figure import Figure

    figure = Figure(figsize=(width / 72, height / 72), frameon=False)
    FigureCanvasSVG(figure)
    return figure


def axes_at(figure: Figure, left: float, bottom: float, width: float, height: float) -> Axes:
    """Axes at a place in px."""
    across, total = figure.get_figwidth() * 72, figure.get_figheight() * 72
    axes = figure.add_axes((left / across, bottom / total, width / across, height / total))
    axes.patch.set_visible(False)
    return axes


def wrapped(text: str, most: float, size: float = TEXT) -> list[str]:
    """Break a text into lines of at most `most` px: between words, or within one that is longer."""
    longest = max(int(most / size), 1)  # signs of a piece of such a word, none wider than a square
    lines = [""]
    for word in re.split(_BREAKS, text):
        if text_width(word.rstrip(), size) <= most:
            parts = [word]
        else:
            parts = [
                part[i : i + longest]
                for part in re.split("(?<=_)", word)
                for i in range(0, len(part), longest)
            ]
        for part in parts:
            if lines[-1] and text_width(lines[-1] + part.rstrip(), size) > most:
                lines.append("")
            lines[-1] += part
    return [line.strip() for line in lines]


def text_width(text: str, size: float = TEXT) -> float:
    """About how many px a text takes: Chinese signs and % are square, Latin ones a good half."""
    is_square = [char == "%" or unicodedata.east_asian_width(char) in "WF" for char in text]
    return sum(1.0 if square else 0.56 for square in is_square) * size


def new_sheet(height: float, width: float = WIDTH) -> tuple[Figure, Axes]:
    """A figure and, behind its axes, all of it in px from the top left."""
    figure = canvas(height, width)
    return figure, pixels(figure, -1)


def pixels(figure: Figure, layer: float) -> Axes:
    """All of a figure in px from the top left, on a layer of its own; axes are on layer 0."""
    width, height = figure.get_figwidth() * 72, figure.get_figheight() * 72
    sheet = axes_at(figure, 0, 0, width, height)
    sheet.set_xlim(0, width)
    sheet.set_ylim(height, 0)
    sheet.axis("off")
    sheet.set_zorder(layer)
    return sheet


def on_card(sheet: Axes, x: float, y: float, text: str, colour: str, size: float = SMALL) -> None:
    """Write over lines, so that they do not run through the letters."""
    box = {"boxstyle": "square,pad=0.1", "color": DAY["card"]}
    sheet.text(x, y, text, color=colour, fontsize=size, bbox=box)


def nothing(lang: str) -> str:
    """A picture that says that it is empty."""
    with drawing():
        figure, sheet = new_sheet(60)
        sheet.text(WIDTH / 2, 34, NOTHING.of(lang), color=DAY["soft"], ha="center")
        return save(figure)


def finite(estimate: Estimate) -> Estimate | None:
    """The estimate without an interval that cannot be drawn; None if it cannot be drawn itself."""
    if not abs(estimate.mean) < HUGE:
        return None
    if all(end is not None and abs(end) < HUGE for end in (estimate.low, estimate.high)):
        return estimate
    return replace(estimate, low=None, high=None)


def ends_of(estimate: Estimate) -> list[float]:
    """Both ends of its interval, or none."""
    return [end for end in (estimate.low, estimate.high) if end is not None]


def round_ticks(low: float, high: float, most: int) -> list[float]:
    """Round numbers between two ends."""
    from matplotlib.ticker import MaxNLocator

    found = MaxNLocator(most, steps=[1, 2, 5, 10]).tick_values(low, high)
    return [float(tick) for tick in found if low <= tick <= high]


def tick_text(value: float) -> str:
    """A tick with a true minus sign."""
    return f"{round(value, 12):g}".replace("-", "−")
