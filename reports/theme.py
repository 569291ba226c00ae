"""Colours and type, the same in figures and pages, by day and by night.

matplotlib draws with the colours of the day; each is unique, so that `inline` can turn it into the
variable of the same name, which the page sets for light and dark. Text stays text.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from html import escape
from io import StringIO
from typing import TYPE_CHECKING, Any
from warnings import catch_warnings, filterwarnings

from reports.fonts import FAMILY, FIGURE_FONT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DAY = {
    "paper": "#fbfaf8",
    "card": "#ffffff",
    "ink": "#23272e",
    "soft": "#5d646e",
    "line": "#dedad2",
    "band": "#f1eee8",
    "accent": "#1d6a87",
    "fill": "#a9cbd8",
    "second": "#b06f1c",
    "mark": "#b03a48",
    "less1": "#bcd9ec",  # four steps of less and of more, told apart by lightness as well
    "less2": "#79b1d8",
    "less3": "#3a7fb3",
    "less4": "#0d4a7a",
    "more1": "#f7d5a9",
    "more2": "#e3a055",
    "more3": "#bf6716",
    "more4": "#7f3c02",
}
NIGHT = {
    "paper": "#16191e",
    "card": "#1d2127",
    "ink": "#e6e4df",
    "soft": "#a2a8b1",
    "line": "#383d45",
    "band": "#252a31",
    "accent": "#7cc0d8",
    "fill": "#35596a",
    "second": "#e0ad64",
    "mark": "#ef8e97",
    "less1": "#274a63",
    "less2": "#33749f",
    "less3": "#5da6d8",
    "less4": "#b0daf8",
    "more1": "#5f4425",
    "more2": "#9c6628",
    "more3": "#db933f",
    "more4": "#fbd39b",
}

WIDTH = 360  # px of a figure; the page lets it shrink to a telephone and grow a little
TEXT = 12.5  # px of the words in a figure
SMALL = 11.5
WIDE = 1030  # px of a figure that a telephone scrolls sideways, in a box of its own

SETTINGS: dict[str, Any] = {
    "axes.edgecolor": DAY["line"],
    "axes.labelcolor": DAY["soft"],
    "axes.labelsize": SMALL,
    "axes.linewidth": 1.0,
    "axes.spines.left": False,
    "axes.spines.right": False,
    "axes.spines.top": False,
    "axes.unicode_minus": True,
    "axes.axisbelow": True,
    "figure.dpi": 72,
    "font.family": [FAMILY, "DejaVu Sans"],
    "font.size": TEXT,
    "grid.color": DAY["line"],
    "grid.linewidth": 1.0,
    "lines.solid_capstyle": "butt",
    "svg.fonttype": "none",
    "svg.hashsalt": "fairdeal",
    "text.color": DAY["ink"],
    "xtick.color": DAY["line"],
    "xtick.labelcolor": DAY["soft"],
    "xtick.labelsize": SMALL,
    "xtick.major.size": 4,
    "ytick.color": DAY["line"],
    "ytick.labelcolor": DAY["ink"],
    "ytick.labelsize": SMALL,
    "ytick.major.size": 0,
}


_VIEW = re.compile(r'viewBox="0 0 ([\d.]+) ([\d.]+)"')


def variables(colours: dict[str, str]) -> str:
    """The colours as CSS declarations."""
    return " ".join(f"--{name}: {value};" for name, value in colours.items())


@contextmanager
def drawing(**changes: Any) -> Iterator[None]:
    """Draw with our settings and nobody else's."""
    import matplotlib
    from matplotlib.font_manager import fontManager

    if all(font.name != FAMILY for font in fontManager.ttflist):
        fontManager.addfont(FIGURE_FONT)
    with matplotlib.rc_context(), catch_warnings():
        # Text stays text: a sign that our font lacks is shown in a font of the reader.
        filterwarnings("ignore", message="Glyph .* missing")
        matplotlib.rcdefaults()
        parameters: Any = matplotlib.rcParams  # its names are typed one by one
        parameters.update(SETTINGS | changes)
        yield


def save(figure: Figure) -> str:
    """The figure as SVG without date or maker, the same bytes every time."""
    text = StringIO()
    nobody = dict.fromkeys(("Creator", "Date", "Format", "Type"))
    figure.savefig(text, format="svg", metadata=nobody, transparent=True)
    return text.getvalue()


def with_hints(svg: str, hints: Iterable[tuple[float, float, float, float, str]]) -> str:
    """A figure with texts that show where the pointer rests: left, top, width, height in px."""
    cells = "".join(
        f'<path d="M{left:.6g} {top:.6g}h{width:.4g}v{height:.4g}h{-width:.4g}z">'
        f"<title>{escape(text)}</title></path>\n"
        for left, top, width, height, text in hints
    )
    end = svg.rindex("</svg>")
    return f'{svg[:end]}<g fill="transparent">{cells}</g>\n{svg[end:]}' if cells else svg


def inline(svg: str, name: str, title: str, description: str) -> str:
    """Make an SVG part of a page.

    Its colours become the page's variables, its ids start with `name`, its width is the page's to
    choose, and readers who cannot see it get `title` and `description`.
    """
    body = svg[svg.index("<svg") :]
    width, height = _VIEW.findall(body)[0]
    body = _thin(body[body.index(">") + 1 : body.rindex("</svg>")])
    for number, own in enumerate(dict.fromkeys(re.findall(r'(?:href="|url\()#([^")]+)', body))):
        body = re.sub(rf'(id="|#){own}\b', rf"\g<1>{name}-{number}", body)
    body = re.sub(rf' id="(?!{name}-\d)[^"]*"', "", body).replace("xlink:href", "href")
    for key, colour in DAY.items():
        body = body.replace(colour, f"var(--{key})")
    wide = f' wide" style="min-width: {float(width):g}px' if float(width) > WIDTH else ""
    return (
        f'<svg class="figure{wide}" viewBox="0 0 {width} {height}" role="img" '
        f'aria-labelledby="{name}-title {name}-text">'
        f'<title id="{name}-title">{escape(title)}</title>'
        f'<desc id="{name}-text">{escape(description)}</desc>{_ungrouped(body)}</svg>'
    )


def standalone(figure: str) -> str:
    """Make the figure of a page a picture of its own; it too follows light and dark mode."""
    width, height = map(float, _VIEW.findall(figure)[0])
    style = (
        f"svg {{ {variables(DAY)} }} "
        f"@media (prefers-color-scheme: dark) {{ svg {{ {variables(NIGHT)} }} }}"
    )
    start, end = figure.split(">", 1)
    return (
        f'{start} xmlns="http://www.w3.org/2000/svg" width="{2 * width:g}" height="{2 * height:g}">'
        f"<style>{style}</style>"
        f'<rect width="{width:g}" height="{height:g}" rx="8" style="fill: var(--card)"/>{end}\n'
    )


@contextmanager
def outlines() -> Iterator[None]:
    """Draw letters as shapes, for pictures that do not carry our font."""
    SETTINGS["svg.fonttype"] = "path"
    try:
        yield
    finally:
        SETTINGS["svg.fonttype"] = "none"


def _thin(body: str) -> str:
    """Leave out what only matplotlib needs: comments, its style sheet, fonts, tiny decimals."""
    body = re.sub(r"<!--.*?-->|<metadata>.*?</metadata>", "", body, flags=re.DOTALL)
    body = re.sub(r"<defs>\s*<style[^>]*>.*?</style>\s*</defs>", "", body, flags=re.DOTALL)
    body = re.sub(r" font-family: [^;\"]+;", "", body)  # the page's own
    body = re.sub(r' transform="rotate\(-0 [^"]*"', "", body)
    body = re.sub(
        r' (?:d|x|y|transform)="[^"]*"',
        lambda match: match[0] if "scale" in match[0] else re.sub(r"(\.\d\d)\d+", r"\1", match[0]),
        body,
    )
    return re.sub(r"\s*\n\s*", "\n", body)


def _ungrouped(body: str) -> str:
    """Leave out groups that carry nothing."""
    parts: list[str] = []
    stack: list[bool] = []  # of the open groups: whether they carry something
    for part in re.split(r"(<g\b[^>]*>|</g>)\n?", body):
        if part == "</g>":
            if stack.pop():
                parts.append(part)
        elif part.startswith("<g") and not part.endswith("/>"):
            stack.append(part != "<g>")
            if stack[-1]:
                parts.append(part)
        elif part != "<g/>":
            parts.append(part)
    return "".join(parts)
