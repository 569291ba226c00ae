"""Drawings that compare variants: their words, their shapes, and what has no place to go wrong."""

from __future__ import annotations

import itertools
import re
from collections.abc import Callable, Iterator
from dataclasses import replace
from math import inf, nan
from pathlib import Path
from random import Random

import pytest

from analysis.intervals import Estimate
from reports import candidates, comparisons, figures, page, paper, placing, tables, theme, words
from reports.candidates import Candidate, Candidates, Criterion, Point
from reports.comparisons import Cumulated
from reports.figures import Dot, Group, Spread
from sim.core.game import Words
from tests.chromium import Browser, chromium
from tests.test_browser import LEAST_TEXT, OUTSIDE, OVERLAPS, SMALLEST

NUMBERS = [-3, -2, -1, *range(1, 10)]
PUBLISHED = (-2, -1, 9)
FINALISTS = [(-3, -2, 9), (-3, -1, 9), (-2, -1, 8), (-1, 1, 9), (6, 7, 8), (7, 8, 9), (2,)]
PAIRS = [
    "best_chance − target40",
    "target40 − greedy_gain",
    "greedy_gain − lowest",
    "lowest − uniform",
]
VARIANTS = [
    Words("−2, −1, 9 removed (the rule)", "移除 −2、−1、9（规则）"),
    Words("nothing removed, 12 cards a hand", "不移除，每人 12 张"),
    Words("nothing removed, all 16 cards dealt", "不移除，全部发完，每人 16 张"),
    Words("−3, −2, −1 removed", "移除 −3、−2、−1"),
    Words("7, 8, 9 removed", "移除 7、8、9"),
    Words("2, 3, 4 removed", "移除 2、3、4"),
    Words("four players", "四人局"),
]
CRITERIA = [
    (
        Words("win share, 1st place − 3rd", "获胜份额，第 1 位 − 第 3 位"),
        Words("0.5 points", "0.5 个百分点"),
    ),
    (Words("rounds a game", "每局轮数"), Words("1 round", "1 轮")),
    (Words("nobody wins", "无人获胜"), Words("1 point", "1 个百分点")),
    (Words("bust", "爆点"), Words("1 point", "1 个百分点")),
    (Words("gap of the best two strategies", "最强两种策略的差距"), Words("1 point", "1 个百分点")),
    (Words("cancellations a round", "每轮抵消次数"), Words("0.1", "0.1 次")),
]


def est(mean: float, half: float | None = 0.01) -> Estimate:
    low, high = (None, None) if half is None else (mean - half, mean + half)
    return Estimate(mean, None if half is None else half / 2, low, high, 20_000, 60_000)


def bell(centre: float, wide: float, n: int = 200_000) -> tuple[int, list[int]]:
    values = range(-60, 161)
    weights = [2.0 ** -(((value - centre) / wide) ** 2) for value in values]
    return -60, [round(n * weight / sum(weights)) for weight in weights]


def spread(label: str, centre: float, wide: float, lang: str = "en") -> Spread:
    return Spread(label, *bell(centre, wide), centre, f"n = {words.counted(200_000, 'game', lang)}")


def overlay(lang: str, count: int = 2) -> str:
    labels = [Words("three players, the rule", "三人局，规则"), Words("four players", "四人局")]
    labels.append(Words("three players, nothing removed", "三人局，不移除"))
    series = [
        spread(name.of(lang), 34 + 4 * i, 14 + 2 * i, lang) for i, name in enumerate(labels[:count])
    ]
    shares = [
        list(itertools.accumulate(count / sum(one.counts) for count in one.counts))
        for one in series
    ]
    mean = [a - b for a, b in zip(*shares[:2], strict=True)]
    difference = Cumulated(
        Words("share up to each value, three players − four", "累计占比，三人局 − 四人局").of(lang),
        -60,
        mean,
        [value - 0.006 for value in mean],
        [value + 0.006 for value in mean],
        0.02,
    )
    marks = [(40, Words("limit", "爆点线").of(lang))]
    axis = Words("points", "分").of(lang)
    return comparisons.overlay(series, axis, lang, marks=marks, difference=difference)


def dot(label: str, mean: float, half: float | None = 0.008, lang: str = "en") -> Dot:
    return Dot(label, est(mean, half), words.points(est(mean, half), lang))


def gaps(lang: str) -> str:
    groups = [
        Group(
            name.of(lang),
            [
                dot(pair, base + 0.01 * ((i * j) % 4 - 1), lang=lang)
                for j, (pair, base) in enumerate(zip(PAIRS, (0.02, 0.05, 0.11, 0.07), strict=True))
            ],
        )
        for i, name in enumerate(VARIANTS)
    ]
    axis = Words("percentage points of win share", "获胜份额，百分点").of(lang)
    return comparisons.gaps(groups, axis, lang, scale=100, band=0.005)


def named(chosen: tuple[int, ...], lang: str) -> str:
    text = ("、" if lang == "zh" else ", ").join(map(str, chosen)).replace("-", "−")
    text = text or Words("none", "不移除").of(lang)
    return text + (Words(" (the rule)", "（规则）").of(lang) if chosen == PUBLISHED else "")


def strip(lang: str) -> str:
    random = Random(3)
    titles = [
        Words("none", "不移除"),
        Words("one number", "一种数字"),
        Words("two numbers", "两种数字"),
        Words("three numbers", "三种数字"),
    ]
    groups = [
        Candidates(
            title.of(lang),
            [
                Candidate(
                    named(chosen, lang),
                    [0.0] * 6
                    if chosen == PUBLISHED
                    else [random.gauss(sum(chosen) / 5 - 1 + k, 2) for k in range(len(CRITERIA))],
                    is_named=chosen in FINALISTS,
                    is_published=chosen == PUBLISHED,
                )
                for chosen in itertools.combinations(NUMBERS, size)
            ],
        )
        for size, title in enumerate(titles)
    ]
    criteria = [Criterion(name.of(lang), margin.of(lang)) for name, margin in CRITERIA]
    return candidates.heat_strip(groups, criteria, lang)


def front(lang: str) -> str:
    random = Random(5)
    found = []
    for size in range(4):
        for chosen in itertools.combinations(NUMBERS, size):
            a = abs(sum(chosen) - 6) / 8 + random.random() * 2
            b = 4 / (1 + a) + random.random() * 3
            found.append((chosen, a / 100, b))
    edge = {
        chosen
        for chosen, a, b in found
        if not any(c <= a and d <= b and (c, d) != (a, b) for _, c, d in found)
    }
    points = [
        Point(
            named(chosen, lang),
            est(a, 0.002),
            est(b, 0.3),
            is_front=chosen in edge,
            is_named=chosen in FINALISTS,
            is_published=chosen == PUBLISHED,
        )
        for chosen, a, b in found
    ]
    return candidates.front(
        points,
        Words("seat effect, percentage points (← fairer)", "顺位差异，百分点（← 更公平）").of(lang),
        Words(
            "distance from the game of four, points (↓ closer)", "与四人局的距离，分（↓ 更近）"
        ).of(lang),
        lang,
        scale=(100, 1),
    )


DRAWN: dict[str, Callable[[str], str]] = {
    "overlay": overlay,
    "overlay-three": lambda lang: overlay(lang, 3),
    "gaps": gaps,
    "strip": strip,
    "front": front,
}
LANGS = ("en", "zh")


def written(svg: str) -> list[str]:
    """Words of a figure, from the first that is drawn."""
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def in_a_page(kind: str, lang: str, path: Path) -> Path:
    """A page with one figure and a table."""
    figure = theme.inline(DRAWN[kind](lang), kind, kind, "what is to be seen")
    table = tables.Table((tables.Column(""),), (tables.Line(("1",)),), "n")
    exhibit = page.Exhibit(kind, kind, "", table, figure, "note")
    section = page.Section("all", kind, "", (exhibit,))
    path.write_text(page.render(page.Page(lang, "", "", "", (), (section,), (), table)))
    return path


# All of them


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", DRAWN)
def test_the_same_input_gives_the_same_bytes_in_the_colours_of_the_page(
    kind: str, lang: str
) -> None:
    svg = DRAWN[kind](lang)
    assert svg == DRAWN[kind](lang)
    figure = theme.inline(svg, kind, "title", "description")
    assert not re.search(r"#[0-9a-f]{6}\b", figure)
    assert set(re.findall(r"var\(--(\w+)\)", figure)) <= set(theme.DAY)
    assert len(figure) < 120_000


@pytest.fixture(scope="module")
def window(browser: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(browser, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("kind", DRAWN)
def test_a_browser_shows_all_words_apart(
    window: Browser, tmp_path: Path, kind: str, lang: str, width: int
) -> None:
    window.open(in_a_page(kind, lang, tmp_path / "page.html"), width)
    assert window.run(OVERLAPS) == []
    assert window.run(OUTSIDE) == []
    assert window.run(SMALLEST) >= LEAST_TEXT
    assert not window.is_too_wide  # the page; a wide figure scrolls in its own box
    box = "(document.querySelector('figure .scroll') ?? document.querySelector('figure'))"
    scrolls = window.run(f"{box}.scrollWidth > {box}.clientWidth")
    assert scrolls == (kind == "strip" and width == 375)


@pytest.mark.parametrize("lang", LANGS)
def test_where_nothing_is_to_be_drawn_the_picture_says_so(lang: str) -> None:
    lost = Point("a", est(nan), est(1.0))
    empty = [
        comparisons.overlay([], "points", lang),
        comparisons.overlay([Spread("a", 0, [0, 0], 0.0, "n = 0")], "points", lang),
        comparisons.gaps([], "points", lang),
        comparisons.gaps(
            [Group("a", []), Group("b", [Dot("x", est(nan), words.Shown("?", "?", "en"))])],
            "points",
            lang,
        ),
        candidates.heat_strip([], [Criterion("a", "1")], lang),
        candidates.heat_strip([Candidates("a", [Candidate("b", [])])], [], lang),
        candidates.front([], "x", "y", lang),
        candidates.front([lost], "x", "y", lang),
    ]
    assert [written(svg) for svg in empty] == [[paper.NOTHING.of(lang)]] * len(empty)


# Distributions


def test_distributions_are_told_apart_by_their_lines_and_named_with_their_n() -> None:
    svg = overlay("en", 3)
    text = " ".join(written(svg))
    assert text.count("n = 200,000 games") == 3
    assert "limit" in text and "percentage points" in text
    dashes = set(re.findall(r"stroke-dasharray: ([^;\"]*)", svg))
    assert len(dashes) == 3  # two of the lines, and the limit
    with pytest.raises(ValueError, match="at most 3"):
        comparisons.overlay([spread("a", 0, 9)] * 4, "points", "en")


def test_odd_distributions_are_drawn() -> None:
    one = Spread("always seven", 7, [12], 7.0, "n = 12 games")
    far = Spread("far", 0, [10**15, 0, 1], nan, "")
    band = Cumulated("difference", 7, [0.0], [nan], [inf], 0.0)
    marks = [(7, "limit"), (7, "the same"), (8, "beyond them all, with a long name")]
    assert "the same" in written(comparisons.overlay([one, far], "", "en", marks=marks))
    assert "n = 12 games" in " ".join(
        written(comparisons.overlay([one, one], "points", "en", difference=band))
    )
    nobody = Cumulated("difference", 0, [], [], [], 0.01)
    assert written(comparisons.overlay([one], "points", "zh", difference=nobody))


# Gaps


def test_every_variant_and_pair_of_a_ladder_is_named() -> None:
    text = written(gaps("en"))
    assert {name.en for name in VARIANTS} | set(PAIRS) <= set(text)
    for number in "1234":
        assert text.count(number) >= 1 + len(VARIANTS)


def test_the_published_gaps_stand_in_every_block() -> None:
    def lines(groups: list[Group]) -> int:
        return comparisons.gaps(groups, "points", "en").count(f"stroke: {theme.DAY['mark']}")

    first = Group("rule", [dot("a − b", 0.1), dot("b − c", 0.2)])
    other = Group("other", [dot("b − c", 0.1), dot("c − d", 0.3)])
    assert lines([first]) == 2
    assert lines([first, other, other]) == 4  # nothing is published about c − d
    assert lines([Group("rule", []), other]) == 0


@pytest.mark.parametrize("means", [[0.0, 0.0], [5e9, -5e9], [1e-12, 2e-12], [inf, 0.1]])
def test_odd_gaps_are_drawn(means: list[float]) -> None:
    dots = [Dot(f"{mean}", est(mean, None), words.Shown("?", "?", "en")) for mean in means]
    assert "rule" in written(comparisons.gaps([Group("rule", dots)], "points", "en", band=0.0))
    assert (
        "rule" in written(comparisons.gaps([Group("rule", dots[:1])] * 2, "", "en")) or inf in means
    )


# All candidates


@pytest.mark.parametrize("lang", LANGS)
def test_a_strip_names_groups_criteria_the_published_one_and_the_finalists(lang: str) -> None:
    text = written(strip(lang))
    assert {named(chosen, lang) for chosen in (PUBLISHED, *FINALISTS)} <= set(text)
    for name, margin in CRITERIA:
        found = [line for line in text if name.of(lang) in line]
        assert len(found) == 2  # again where the triples start, for who has scrolled
        assert all(margin.of(lang) in line for line in found)


def test_a_colour_tells_the_size_of_a_difference_in_margins() -> None:
    def colours(*values: float) -> set[str]:
        group = Candidates("", [Candidate("", [value]) for value in values])
        svg = candidates.heat_strip([group], [Criterion("a", "1")], "en")
        # Each colour stands once in the legend; grey also lies below all columns.
        return {name for name, colour in theme.DAY.items() if svg.count(f"fill: {colour}") > 1} - {
            "soft",
            "ink",
            "card",
        }

    assert colours(0.0, 1.0, -1.0) == {"line"}
    assert colours(1.01, 3.0, 8.0, inf) == {"line", "more1", "more2", "more3", "more4"}
    assert colours(-1.01) == {"line", "less1"}
    assert colours(nan) == set()


def test_the_cells_of_a_strip_say_what_they_are() -> None:
    groups = [
        Candidates("", [Candidate(name, [0.0, 1.0], hints=[f"{name}: 1 <2>", f"{name}: 3"])])
        for name in "ab"
    ]
    svg = candidates.heat_strip(groups, [Criterion("c", "1"), Criterion("d", "1")], "en")
    told = re.findall(r"<title>([^<]*)</title>", svg)
    assert told == ["a: 1 &lt;2&gt;", "a: 3", "b: 1 &lt;2&gt;", "b: 3"]
    assert "<title>b: 3</title>" in theme.inline(svg, "strip", "a strip", "what is to be seen")


def test_all_of_the_front_have_names_and_finalists_have_whiskers() -> None:
    points = [Point(name, est(x), est(y), True) for name, x, y in (("a", 1, 3), ("b", 3, 1))]
    points.append(Point("c", est(4), est(4)))
    svg = candidates.front(points, "x", "y", "en")
    assert {"a", "b"} <= set(written(svg)) and "c" not in written(svg)
    named = candidates.front([replace(points[0], is_named=True), *points[1:]], "x", "y", "en")
    assert named.count("stroke-opacity") > svg.count("stroke-opacity")


def test_odd_strips_are_drawn() -> None:
    rule = Candidate("the rule", [0.0, nan], is_published=True)
    criteria = [Criterion("a", "1"), Criterion("b", "2")]
    text = written(candidates.heat_strip([Candidates("one", [rule])], criteria, "en"))
    assert {"the rule", "one", "blank: not known"} <= set(text)
    many = [Candidate(f"candidate {i}", [9e99, -1.0], is_named=i < 30) for i in range(1_500)]
    svg = candidates.heat_strip(
        [Candidates("", []), Candidates("a long heading " * 9, many)], criteria, "en"
    )
    assert "candidate 29" in written(svg)


# The front


def test_a_front_names_its_axes_and_the_chosen_points() -> None:
    for lang in LANGS:
        text = " ".join(written(front(lang)))
        assert all(named(chosen, lang) in text for chosen in (PUBLISHED, *FINALISTS))
        assert Words("fairer", "更公平").of(lang) in text
        assert named((1, 2, 3), lang) not in text


def test_the_line_of_a_front_turns_on_its_worse_side() -> None:
    points = [Point("", est(x), est(y), is_front=True) for x, y in ((3, 1), (1, 3), (2, 2))]
    assert candidates._steps(points, True) == [(1, 3), (2, 3), (2, 2), (3, 2), (3, 1)]
    assert candidates._steps(points, False) == [(1, 3), (1, 2), (2, 2), (2, 1), (3, 1)]
    assert candidates._steps([], True) == []


@pytest.mark.parametrize(
    "places",
    [
        [(0.0, 0.0)],
        [(1.0, 2.0)] * 9,
        [(1e9, -1e9), (-1e9, 1e-9)],
        [(i / 40, (i * 7 % 40) / 40) for i in range(40)],
        [(nan, 1.0), (1.0, 1.0), (1e300, 2.0)],
    ],
    ids=["one", "equal", "far", "crowd", "lost"],
)
def test_odd_fronts_are_drawn(places: list[tuple[float, float]]) -> None:
    points = [
        Point(f"name {i}", est(x), est(y, None), is_named=True, is_published=i == 1)
        for i, (x, y) in enumerate(places)
    ]
    text = written(candidates.front(points, "x", "y", "en"))
    kept = [f"name {i}" for i, (x, y) in enumerate(places) if max(abs(x), abs(y)) < paper.HUGE]
    assert set(kept) <= set(text)
    nameless = [Point("", est(x), est(y)) for x, y in places]
    assert "x" in written(candidates.front(nameless, "x", "y", "en"))
    long = Point("one_long_name_without_a_space" * 9, est(0.0), est(0.0), is_named=True)
    assert written(candidates.front([long], "x", "y", "en"))


# Places of labels


def boxes_apart(boxes: list[placing.Box]) -> bool:
    return not any(
        min(a.right, b.right) > max(a.left, b.left) and min(a.bottom, b.bottom) > max(a.top, b.top)
        for a, b in itertools.combinations(boxes, 2)
    )


def test_labels_never_lie_on_each_other_nor_on_what_is_taken() -> None:
    random = Random(1)
    room = placing.Box(0, 0, 340, 300)
    for _ in range(20):
        labels = [
            placing.Label(
                random.uniform(0, 340), random.uniform(0, 300), random.uniform(10, 90), 17
            )
            for _ in range(12)
        ]
        taken = [placing.Box(one.x - 5, one.y - 5, one.x + 5, one.y + 5) for one in labels]
        found = placing.beside(labels, room, taken)
        assert found is not None
        assert boxes_apart(found)
        assert all(boxes_apart([box, other]) for box in found for other in taken)
        assert all(box.left >= 0 and box.right <= 340 for box in found)
        assert all(box.top >= 0 and box.bottom <= 300 for box in found)


def test_a_label_stands_beside_its_point_where_it_can_and_nowhere_where_it_cannot() -> None:
    label = placing.Label(100, 100, 40, 16)
    room = placing.Box(0, 0, 200, 200)
    (free,) = placing.beside([label], room) or []
    assert free == (100 + placing.NEAR, 92, 140 + placing.NEAR, 108)
    assert placing.lead(label, free) == (100 + placing.NEAR, 100)
    (moved,) = placing.beside([label], room, [placing.Box(60, 60, 180, 140)]) or []
    assert moved != free
    assert placing.beside([label], placing.Box(0, 0, 30, 200)) is None


def test_a_label_keeps_away_from_the_points_of_others() -> None:
    """Beside two points side by side it goes to the side where only its own is near."""
    own, other = placing.Label(100, 100, 30, 16), placing.Label(124, 100, 30, 16)
    signs = [placing.Box(one.x - 5, one.y - 5, one.x + 5, one.y + 5) for one in (own, other)]
    room = placing.Box(0, 0, 200, 200)
    first, _ = placing.beside([own, other], room, signs) or []
    assert first.right <= 100 - placing.NEAR


def test_labels_below_keep_clear_of_each_other_and_of_the_lines_to_them() -> None:
    assert placing.below([]) == []
    assert placing.below([(0, 5), (10, 15)]) == [0, 0]
    assert placing.below([(0, 12), (10, 15)]) == [1, 0]
    random = Random(2)
    for _ in range(50):
        spans = [(x, x + random.uniform(1, 30)) for x in random.sample(range(200), 15)]
        rows = placing.below(spans)
        for (start, end), row in zip(spans, rows, strict=True):
            for (other, _), depth in zip(spans, rows, strict=True):
                assert not (start < other <= end and depth >= row)


def test_no_line_of_a_label_hides_another_nor_the_band() -> None:
    """Boxes that keep the grid from texts lie under all texts, and have the band's colour in it."""
    long = "20 different cards, 2 each (40), greedy_team,self_collect,greedy_team,self_collect"
    groups = [Group("", [dot(long, 0.1), dot(long, -0.1)])]
    svg = figures.dots(groups, "points", reference=(0.0, ""), band=1.0)
    boxes, texts = svg.rindex('<g id="patch_'), svg.index(">20 different")
    assert boxes < texts
    assert svg.count(theme.DAY["band"]) == 1 + 4  # the band, and a piece for every line


def test_many_differences_are_drawn_in_parts_with_the_same_axis() -> None:
    groups = [
        Group(f"setting {i}", [dot("a" * (1 + i), 0.1 * i), dot("b", -0.2)]) for i in range(12)
    ]
    parts = figures.differences(groups, "points", scale=100, band=0.05)
    assert len(parts) == 3 and len(figures.differences(groups[:3], "points")) == 1
    heights = [float(re.findall(r'height="([\d.]+)pt"', part)[0]) for part in parts]
    assert max(heights) < 1.4 * min(heights)
    ticks = [re.findall(r'middle; [^>]* x="([\d.]+)"[^>]*>([^<]+)<', part) for part in parts]
    assert len(ticks[0]) > 2 and ticks[0] == ticks[1] == ticks[2]
    shown = page.Exhibit.drawn("x", "", "", tables.Table((), (), ""), parts).figure
    ids = re.findall(r' id="([^"]+)"', shown)
    assert len(ids) == len(set(ids)) and shown.count("<svg") == 3
