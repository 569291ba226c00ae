"""One self-contained page: what stands on it, as plain data, and the template that shows it.

A page begins with its finding in one sentence, then the few numbers that carry it, then sections
of exhibits (a figure with its table), and ends with definitions and how it was made.
"""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from markupsafe import Markup, escape

from reports.fonts import FAMILY, PAGE_FONT
from reports.glossary import GLOSSARY
from reports.tables import Table
from reports.theme import DAY, NIGHT, inline, variables
from sim.core.game import Pieces, Words

TEMPLATES = Path(__file__).parent / "templates"

LABELS = {
    "change": Words("What would change it", "什么会改变这个结论"),
    "contents": Words("Contents", "目录"),
    "csv": Words("Numbers as CSV", "下载 CSV 数据"),
    "definitions": Words("What the words mean", "名词解释"),
    "pieces": Words(
        "Cards and the like, by their codes in transcripts", "牌与配件，按对局记录中的代号"
    ),
    "made": Words("How this page was made", "本页的由来"),
    "rules": Words("Rules that were played", "所用规则"),
    "scroll": Words("Table, scrolls sideways", "表格，可左右滚动"),
    "scroll_figure": Words("Figure, scrolls sideways", "图，可左右滚动"),
    "sideways": Words("Scroll sideways to see it all.", "左右滚动可看全图。"),
}


MOST_WHOLE = 24  # letters of a name that is kept on one line
MOST_BESIDE = 6  # columns of a table that have room beside a figure
_LIST = r"(?<![\d,])−?\d(?:(?:, |、)−?\d)+(?![\d,])"  # of numbers with one figure
_NUMBERS = re.compile(f"({_LIST})")
_SPAN = r"−?\d[\d.]*–\d[\d.]*"
_RANGE = re.compile(rf"([(（][−0-9.,– to至]+[)）]|[“\"][−0-9、, ]+[”\"]|{_SPAN}|{_LIST})")


@dataclass(frozen=True)
class Key:
    """A number that carries the finding: large, with its interval and its name."""

    value: str
    detail: str
    label: str


@dataclass(frozen=True)
class Exhibit:
    """A figure and its table, under a heading, with a sentence on what is to be seen."""

    id: str
    title: str
    lead: str
    table: Table
    figure: str = ""  # inline SVG
    note: str = ""
    link: str = ""  # where its title leads
    text: str = ""  # a long one, folded under its title
    text_title: str = ""

    @classmethod
    def drawn(
        cls, id: str, title: str, lead: str, table: Table, svg: str | list[str], note: str = ""
    ) -> Exhibit:
        """An exhibit with a figure, given as SVG or in several parts; '' for none."""
        parts = [svg] if isinstance(svg, str) else svg
        names = (f"{id}-figure{f'-part-{n}' if n else ''}" for n in range(len(parts)))
        drawn = zip(parts, names, strict=True)
        figure = "".join(inline(one, name, title, lead) for one, name in drawn if one)
        return cls(id, title, lead, table, figure, note)

    @property
    def is_wide(self) -> bool:
        """Whether figure and table stand one above the other: either is wide."""
        return not self.figure or self.has_wide_figure or len(self.table.columns) > MOST_BESIDE

    @property
    def has_wide_figure(self) -> bool:
        """Whether the figure needs the whole page, and a box that scrolls on a telephone."""
        return self.figure.startswith('<svg class="figure wide"')

    @property
    def size(self) -> int:
        """About how many bytes of a page it takes."""
        cells = sum(len(cell) + 40 for line in self.table.lines for cell in line.cells)
        return len(self.figure) + len(self.table.csv_link) + cells


@dataclass(frozen=True)
class Section:
    """Exhibits that belong together."""

    id: str
    title: str
    lead: str
    exhibits: tuple[Exhibit, ...]
    points: tuple[str, ...] = ()  # one below the other


@dataclass(frozen=True)
class Page:
    """All that a page shows."""

    lang: str
    title: str
    kicker: str  # the line above the finding
    headline: str
    keys: tuple[Key, ...]
    sections: tuple[Section, ...]
    facts: tuple[tuple[str, str], ...]  # how it was made
    rules: Table | None = None
    terms: Mapping[str, tuple[Words, Words]] = field(default_factory=lambda: GLOSSARY)
    pieces: tuple[tuple[str, tuple[Pieces, ...]], ...] = ()  # by the rules that they belong to
    answers: tuple[tuple[str, str, str], ...] = ()  # link, question and answer in a few words
    change: str = ""  # what would change the finding
    short: str = ""  # what follows from it, in a sentence or two
    hints: dict[str, Words] = field(default_factory=dict)  # terms as the answers write them
    names: dict[str, Words] = field(default_factory=dict)  # of strategies, by key of the terms

    def label(self, key: str) -> str:
        """A fixed word of the page in its language."""
        return LABELS[key].of(self.lang)

    @property
    def other(self) -> str:
        """The language that the page is not in."""
        return "en" if self.lang == "zh" else "zh"

    @property
    def glossary(self) -> list[tuple[str, str, str]]:
        """Id, term and definition of every entry."""
        return [
            (key, term.of(self.lang), text.of(self.lang))
            for key, (term, text) in self.terms.items()
        ]

    def hinted(self, text: str, *, names: bool = False) -> Markup:
        """A text with what its terms mean for those who point at them, each once.

        Names of strategies are words of the language too: only labels have them explained.
        """
        hints = self.hints | self.names if names else self.hints
        keys = {str(escape(words.of(self.lang))): key for key, words in hints.items()}
        link = Markup('<a class="term" href="#word-{}" title="{}">{}</a>').format
        seen: set[str] = set()

        def hint(match: re.Match[str]) -> str:
            term = match[0]
            if term in seen:
                return term
            seen.add(term)
            return link(keys[term], self.definition(keys[term]), Markup(term))

        if not keys:
            return together(text)
        terms = "|".join(map(re.escape, sorted(keys, key=len, reverse=True)))
        whole = rf"(?<![A-Za-z_])(?:{terms})(?![A-Za-z_])"
        return Markup(re.sub(whole, hint, together(text)))

    def definition(self, key: str) -> str:
        """What a term means, for those who point at it."""
        return self.terms[key][1].of(self.lang)


def render(page: Page) -> str:
    """The page as one HTML text that needs nothing else; the same page gives the same bytes."""
    from jinja2 import Environment, FileSystemLoader, StrictUndefined

    environment = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
    )
    environment.filters |= {"together": together, "breakable": breakable}
    return environment.get_template("page.html").render(page=page, style=style())


def together(text: str) -> Markup:
    """Keep a range in brackets on one line, and lists of numbers.

    A browser breaks no line beside a Chinese quote: in a list it is told where it may.
    """
    parts = _RANGE.split(text)
    whole = Markup('<span class="together">{}</span>').format
    return Markup("").join(
        Markup("<wbr>" if parts[number - 1].endswith("、") else "") + whole(part)
        if number % 2
        else escape(part)
        for number, part in enumerate(parts)
    )


def breakable(text: str) -> Markup:
    """Let a long name go on in a second line after a colon, comma or the like.

    Of differences, and of several short names in Chinese, it is the names that are kept whole;
    lists of numbers are so in any case.
    """
    numbers = _NUMBERS.split(text)
    whole = Markup('<span class="together">{}</span>').format
    if len(numbers) > 1:
        return Markup("").join(
            whole(part) if number % 2 else breakable(part) for number, part in enumerate(numbers)
        )
    names = re.split("(?<= −) |(?<=、)", text)
    if len(names) > 1 and max(map(len, names)) <= MOST_WHOLE:
        space = " " if " − " in text else ""
        return Markup(space).join(map(whole, names))
    parts = re.split(r"(?<=[:,_/])(?=\S)", text)
    return Markup("<wbr>").join(map(escape, parts))


@cache
def style() -> str:
    """The style sheet with colours and font inside."""
    font = b64encode(PAGE_FONT.read_bytes()).decode()
    parts = {
        "DAY": variables(DAY),
        "NIGHT": variables(NIGHT),
        "FAMILY": FAMILY,
        "FONT": f"data:font/woff2;base64,{font}",
    }
    sheet = (TEMPLATES / "page.css").read_text(encoding="utf-8")
    return re.sub(r"\$([A-Z]+)", lambda match: parts[match[1]], sheet)
