"""A table as a picture: every cell coloured by its value, with the value in it.

Shown texts in, SVG text out. Rows have their names, columns the numbers of the rows, so that long
names need room once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reports.paper import LINE, new_sheet, nothing, text_width, wrapped
from reports.theme import DAY, SMALL, TEXT, WIDE, WIDTH, drawing, save

if TYPE_CHECKING:
    from matplotlib.axes import Axes

CELL = 38.0  # px of the height of a cell
NAME = 150.0  # px of the names, at most
WIDEST = 118.0  # px of a cell
DARK = ("less4", "less3", "more3", "more4")  # colours on which the writing is light
STEPS = 4  # colours on either side


@dataclass(frozen=True)
class Tile:
    """A cell: its text, a smaller line below, and a step from -4 (less) to 4 (more)."""

    text: str
    small: str = ""
    step: int = 0


def heat_map(
    rows: Sequence[tuple[str, Sequence[Tile | None]]],
    columns: Sequence[str],
    lang: str,
) -> str:
    """Rows of tiles with their names, below the heads of the columns.

    Parameters
    ----------
    rows
        Name and tiles of each row; None leaves a cell empty.
    columns
        Short heads, one for each tile of a row.
    lang
        "en" or "zh".
    """
    if not rows or not columns:
        return nothing(lang)
    names = [wrapped(name, NAME, SMALL) for name, _ in rows]
    left = 16 + max(text_width(line, SMALL) for name in names for line in name)
    tiles = [tile for _, line in rows for tile in line if tile]
    needed = 10 + max(
        [
            *(text_width(head, SMALL) for head in columns),
            *(text_width(tile.text, TEXT) for tile in tiles),
            *(text_width(tile.small, SMALL) for tile in tiles),
        ]
    )
    fits = left + needed * len(columns) + 8 <= WIDTH
    width = WIDTH if fits else max(WIDE, left + needed * len(columns) + 8)
    across = min((width - left - 8) / len(columns), WIDEST)
    heights = [max(CELL, LINE * len(name) + 6) for name in names]
    top = 30.0
    with drawing():
        figure, sheet = new_sheet(top + sum(heights) + 8, width)
        for number, head in enumerate(columns):
            middle = left + across * (number + 0.5)
            sheet.text(middle, top - 7, head, color=DAY["soft"], fontsize=SMALL, ha="center")
        y = top
        for (_, tiles_of_row), name, height in zip(rows, names, heights, strict=True):
            first = y + height / 2 + 4 - LINE * (len(name) - 1) / 2
            for number, part in enumerate(name):
                sheet.text(8, first + LINE * number, part, fontsize=SMALL)
            for number, tile in enumerate(tiles_of_row):
                if tile:
                    _draw(sheet, tile, left + across * number, y, across, height)
            y += height
        return save(figure)


def step(share: float) -> int:
    """Step of a difference in win share: the colour changes at 1, 2, 4 and 8 points."""
    size = sum(abs(share) > edge for edge in (0.01, 0.02, 0.04, 0.08))
    return size if share > 0 else -size


def _draw(sheet: Axes, tile: Tile, x: float, y: float, width: float, height: float) -> None:
    from matplotlib.patches import Rectangle

    name = "band" if not tile.step else f"{'more' if tile.step > 0 else 'less'}{abs(tile.step)}"
    colour = DAY["card" if name in DARK else "ink"]
    sheet.add_patch(Rectangle((x + 1, y + 1), width - 2, height - 2, color=DAY[name], linewidth=0))
    middle = y + height / 2
    base = middle + (0 if tile.small else 4)
    sheet.text(x + width / 2, base, tile.text, color=colour, ha="center")
    if tile.small:
        sheet.text(x + width / 2, base + 13, tile.small, color=colour, fontsize=SMALL, ha="center")
