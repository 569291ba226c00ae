"""The page of a run: what it says, what it needs (nothing), and that every sign has its glyph."""

from __future__ import annotations

import csv
import io
import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pandas as pd
import pytest
from fontTools.ttLib import TTFont

from analysis.intervals import Estimate
from reports import build, figures, page, picture, tables, theme, words
from reports.fonts import FIGURE_FONT, FOLDER, PAGE_FONT, subset
from reports.glossary import GLOSSARY
from reports.page import breakable, together
from sim import catalog
from sim.core.game import Words
from sim.results import Run
from tests.made_runs import LANTERNS, made_run, teamed_run

LANGS = ("en", "zh")
VOID = {"meta", "link", "wbr", "br", "use", "rect"}


def same(**changes: Any) -> Run:
    return made_run([["steady"] * 3], **({"deals": 3_000} | changes))


def mixed(**changes: Any) -> Run:
    names = ["bold:limit=35", "steady", "calm_watcher:floor=3:limit=30", "steady"]
    strengths = {names[0]: 0.4, names[2]: -0.3}
    return made_run([names], strengths=strengths, **({"deals": 2_000} | changes))


def many(**changes: Any) -> Run:
    lineups = [["steady"] * 3, ["bold", "steady", "steady"], ["bold", "calm", "steady"]]
    variants: list[tuple[str, dict[str, Any]]]
    variants = [("default", {}), ("limit=30", {"limit": 30}), ("removed=", {"removed": []})]
    return made_run(lineups, variants=variants, **({"deals": 500} | changes))


RUNS = {"same": same, "mixed": mixed, "many": many}


def html_of(run: Run, lang: str) -> str:
    return page.render(build.page(run, lang))


@pytest.fixture(scope="module")
def pages() -> dict[tuple[str, str], str]:
    """Every kind of run in both languages."""
    return {(name, lang): html_of(run(), lang) for name, run in RUNS.items() for lang in LANGS}


class Reader(HTMLParser):
    """Collects texts, ids, links and the nesting of a page."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.texts: list[str] = []
        self.counts: dict[str, int] = {}
        self.files: dict[str, str] = {}
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        found = dict(attrs)
        self.counts[tag] = self.counts.get(tag, 0) + 1
        if tag not in VOID:
            self.open.append(tag)
        if found.get("id"):
            self.ids.append(str(found["id"]))
        if found.get("href"):
            self.links.append(str(found["href"]))
        if found.get("download"):
            content = str(found["href"]).partition(",")[2]
            self.files[str(found["download"])] = unquote(content, errors="strict")
        self.texts += [str(found[name]) for name in ("title", "aria-label") if found.get(name)]

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.texts.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.texts).split())


# The page as a file


def test_the_page_needs_nothing_else(pages: dict[tuple[str, str], str]) -> None:
    for html in pages.values():
        html = re.sub(r"base64,[^\")]+", "", html)
        assert not re.search(r"https?:|//[a-z]|@import|<script|<img|<iframe|\ssrc=", html)
        targets = re.findall(r'(?:href="|url\("?)([^")]*)', html)
        assert all(target.startswith(("#", "data:")) for target in targets)


def test_the_page_is_well_formed(pages: dict[tuple[str, str], str]) -> None:
    for html in pages.values():
        reader = Reader(html)
        assert len(set(reader.ids)) == len(reader.ids)
        inner = {link[1:] for link in reader.links if link.startswith("#")}
        assert inner <= set(reader.ids)
        assert reader.counts["h1"] == 1


@pytest.mark.parametrize(("lang", "name"), [("en", "light 8 数字 8"), ("zh", "数字 8 light 8")])
def test_pieces_are_named_by_code_in_both_languages_with_their_number(
    lang: str, name: str, pages: dict[tuple[str, str], str]
) -> None:
    text = Reader(pages["same", lang]).text
    assert f"L8 {name} × 6" in text
    assert "L9" not in text  # removed


def test_variants_with_other_pieces_have_their_own_list(
    pages: dict[tuple[str, str], str],
) -> None:
    text = Reader(pages["many", "en"]).text
    first, second = text.index("default, limit=30 Lanterns of"), text.index("removed= Lanterns of")
    assert "L9" not in text[first:second] and "L9 light 9" in text[second:]


def test_the_language_is_declared(pages: dict[tuple[str, str], str]) -> None:
    assert '<html lang="en">' in pages["same", "en"]
    assert '<html lang="zh-Hans">' in pages["same", "zh"]


def test_every_figure_has_a_table_beside_it_and_words_for_the_blind(
    pages: dict[tuple[str, str], str],
) -> None:
    for html in pages.values():
        for article in re.findall(r"<article.*?</article>", html, flags=re.DOTALL):
            assert article.count("<table>") == 1
            assert article.count('role="img"') == article.count("<title") <= 1
            if 'role="img"' in article:
                assert re.search(r"<title[^>]*>[^<]+</title><desc[^>]*>[^<]+</desc>", article)


def test_the_numbers_in_a_figure_stand_in_its_table(pages: dict[tuple[str, str], str]) -> None:
    for (_, lang), html in pages.items():
        sign = "%" if lang == "zh" else "\u00a0%"
        for article in re.findall(r"<article.*?</article>", html, flags=re.DOTALL):
            if 'id="run-win-share' not in article:
                continue
            svg, table = article.partition("<table>")[::2]
            written = re.findall(rf"<text[^>]*>([\d.]+{sign})</text>", svg)
            assert written
            assert all(f">{number}</td>" in table for number in written)


def test_colours_are_variables_so_that_dark_mode_works(pages: dict[tuple[str, str], str]) -> None:
    for html in pages.values():
        body = html.partition("</style>")[2]
        assert not re.search(r"#[0-9a-f]{6}\b", body)
        assert set(re.findall(r"var\(--(\w+)\)", html)) <= set(theme.DAY)
    assert set(theme.DAY) == set(theme.NIGHT)
    assert len(set(theme.DAY.values())) == len(theme.DAY)  # else one would turn into another


def test_the_same_run_gives_the_same_bytes(tmp_path: Path) -> None:
    first = build.build(mixed(deals=300), "zh", tmp_path / "a.html").read_bytes()
    code = (
        "from pathlib import Path; from tests.test_reports import mixed; from reports import build;"
        f"build.build(mixed(deals=300), 'zh', Path({str(tmp_path / 'b.html')!r}))"
    )
    environment = {"PYTHONHASHSEED": "7", "PYTHONPATH": str(subset.ROOT), "TZ": "Asia/Shanghai"}
    subprocess.run([sys.executable, "-c", code], check=True, env=environment, cwd=subset.ROOT)
    assert (tmp_path / "b.html").read_bytes() == first


def test_the_largest_page_is_below_two_megabytes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    names = [f"a_strategy_with_a_long_name:limit=3{i}:floor=1{i}" for i in range(5)]
    lineups = [[*names[i:], *names[:i]] for i in range(4)]
    variants = [("default", {}), ("storm", {"wind": "storm"})]
    run = made_run(lineups, variants=variants, deals=200)
    assert build.build(run, "zh", tmp_path / "page.html").stat().st_size < 2_000_000
    monkeypatch.setattr(build, "MOST_BYTES", 500_000)
    shown = build.page(run, "en")
    assert 1 < len(shown.sections) < build.MOST_CELLS
    assert f"The first {len(shown.sections) - 1} of 8 settings" in shown.sections[0].lead


def test_the_page_stands_in_the_folder_of_the_run(tmp_path: Path) -> None:
    run = same(deals=50)
    object.__setattr__(run, "folder", tmp_path)
    assert build.build(run) == tmp_path / "report-en.html"
    assert build.build(run, "zh") == tmp_path / "report-zh.html"
    assert build.build(run, "en", tmp_path / "new" / "x.html").exists()


# What it says


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_shows_all_that_the_game_declares(
    pages: dict[tuple[str, str], str], lang: str
) -> None:
    text = Reader(pages["same", lang]).text
    said = [
        LANTERNS.title,
        *(s.meaning for s in LANTERNS.switches),
        *(m for _, m in LANTERNS.marks),
    ]
    said += [measure.meaning for measure in LANTERNS.measures]
    said += [term for pair in GLOSSARY.values() for term in pair]
    for item in said:
        assert item.of(lang).lower() in text.lower()
    for switch in LANTERNS.switches:
        assert switch.name in text
    run = same()
    for fact in ("sha256", "command", "version", "source_fingerprint"):
        assert run.manifest[fact] in text
    assert "3,000" in text


def test_the_headline_says_share_nobody_and_number_of_games() -> None:
    text = build.headline(same(), "en")
    assert text.startswith("Three players, steady in every seat: a seat wins 3")
    assert re.search(r"nobody wins \d\.\d\u00a0% \(\d\.\d–\d\.\d\)", text)
    assert text.endswith("(3,000 games.)")
    assert build.headline(same(), "zh").startswith("三人局，所有座位都用“steady”：")


def test_a_game_that_nobody_wins_is_lost_once_whether_a_draw_or_unfinished() -> None:
    run = same(nobody=0.4)
    for ending in ("draw", "unfinished"):
        columns = run.game.game_columns
        drawn, nobody = columns.index(ending), columns.index("nobody")
        for sums in ("game_sum", "game_square"):
            run.cells[0].totals[sums][drawn] = run.cells[0].totals[sums][nobody] // 2
    text = Reader(html_of(run, "en")).text
    (share,) = re.findall(r"equal share ([\d.]+)", text)
    assert abs(float(share) - 20) < 1  # 60 % of the games, spread over three seats


def test_settings_side_by_side_tell_draws_from_unfinished_games() -> None:
    table = build.page(many(), "en").sections[0].exhibits[1].table
    names = {line.cells[0] for line in table.lines} | {column.title for column in table.columns}
    assert {"Nobody wins", "Unfinished", "Draw"} <= names


def test_the_headline_finds_a_planted_gain_of_a_place_and_invents_none() -> None:
    gain = {"en": "The 2nd place in the starting order wins", "zh": "先后顺位的第 2 位比"}
    none = {"en": "No place in the starting order is seen to gain", "zh": "看不出先后顺位的影响"}
    for lang in LANGS:
        assert gain[lang] in build.headline(same(place=[0, 0.3, 0]), lang)
        assert none[lang] in build.headline(same(), lang)


def test_the_headline_of_a_game_with_teams_is_about_teams() -> None:
    run = teamed_run(same(deals=1_000), (0.86, 0.13), shared=0.02)
    told = build.headline(run, "en")
    assert re.search(r"team 0 \(2 players: seats 0, 1\) wins 86\.0\u00a0% \(83\.7–88\.0\)", told)
    assert re.search(
        r"team 1 \(1 player: seat 2\) 13\.0\u00a0% .*share the win in 2\.0\u00a0%", told
    )
    assert "a seat wins" not in told and "place" not in told
    assert "队伍 0（2 人：座位 0、1）赢得 86.0%" in build.headline(run, "zh")
    variants: list[tuple[str, dict[str, Any]]] = [("calm", {}), ("storm", {"wind": "storm"})]
    drawn = teamed_run(same(variants=variants), (0.3, 0.6))
    assert "is won by team 1 (1 player: seat 2) in" in build.headline(drawn, "en")
    text = Reader(html_of(drawn, "en")).text
    assert "team 1 (1 player: seat 2)" in text and "team 1 (1 player) 60" in text


def test_the_headline_of_strategies_in_teams_says_both() -> None:
    run = teamed_run(mixed(), (0.7, 0.2))
    told = build.headline(run, "en")
    assert "bold:limit=35 wins most" in told
    assert "By teams: team 0 (3 players: seats 0, 1, 2) wins 70.0" in told


def test_the_headline_names_the_best_strategy_or_says_that_two_are_level() -> None:
    assert "Four players: bold:limit=35 wins most" in build.headline(mixed(), "en")
    level = made_run([["a", "a", "b", "b"]], deals=100)
    assert "cannot be told apart" in build.headline(level, "en")
    assert "分不出高下" in build.headline(level, "zh")


def test_the_headline_of_many_settings_names_the_one_that_stands_out() -> None:
    text = build.headline(many(strengths={"bold": 1.0}), "en")
    assert "9 settings compared" in text
    assert "of bold in " in text


def test_one_deal_makes_a_page_without_gaps() -> None:
    for lang in LANGS:
        run = same(deals=1)
        text = Reader(html_of(run, lang)).text
        assert not re.search(r"\b(nan|inf|None)\b", text)
        assert words.UNKNOWN in text
        assert not re.search("nan|None", build.headline(run, lang))
    assert build.headline(same(deals=1), "en").endswith("(1 game.)")


def test_a_mark_moves_with_the_switch_that_sets_it(pages: dict[tuple[str, str], str]) -> None:
    text = Reader(pages["many", "en"]).text
    assert "limit 40" in text
    assert "limit 30" in text
    assert "limit 30" not in Reader(pages["same", "en"]).text


def test_rules_that_differ_from_the_usual_bear_a_dot() -> None:
    rules = build.page(many(), "en").rules
    values = {line.cells[0]: line.cells[2:] for line in rules.lines}
    assert values["limit"] == ("40", "• 30", "40")
    assert values["removed"] == ("−1, 9", "−1, 9", "• none")


def test_too_many_settings_are_shown_side_by_side_only() -> None:
    shown = build.page(many(), "en")
    assert len(shown.sections) == 1 + build.MOST_CELLS
    assert f"The first {build.MOST_CELLS} of 9" in shown.sections[0].lead
    assert len([line for line in shown.sections[0].exhibits[0].table.lines if line.is_head]) == 9


def test_tables_can_be_taken_along_as_csv(pages: dict[tuple[str, str], str]) -> None:
    files = Reader(pages["mixed", "en"]).files
    assert len(files) > 8
    rows = list(csv.DictReader(io.StringIO(files["lanterns-run-win-share-place.csv"])))
    assert len(rows) == 8  # four places, four seats
    total = sum(float(row["mean"]) for row in rows if row["by"] == "place")
    frame = pd.read_csv(io.StringIO(files["lanterns-run-games.csv"])).set_index("column")
    assert total == pytest.approx(1 - frame["mean"].loc["nobody"], abs=1e-5)


# Glyphs


def glyphs(path: Path) -> set[int]:
    return set(TTFont(path).getBestCmap())


def missing(text: str) -> list[str]:
    have = glyphs(PAGE_FONT)
    return sorted({char for char in text if not char.isspace() and ord(char) not in have})


def test_no_glyph_is_missing_for_any_text_of_a_page(pages: dict[tuple[str, str], str]) -> None:
    for html in pages.values():
        assert missing(Reader(html).text) == []


@pytest.mark.parametrize("name", catalog.game_names())
def test_no_glyph_is_missing_for_any_game_and_strategy(name: str) -> None:
    def texts(value: Any) -> str:
        if isinstance(value, Words):
            return value.en + value.zh
        if isinstance(value, tuple):
            return "".join(map(texts, value))
        if hasattr(value, "__dataclass_fields__"):
            return "".join(texts(getattr(value, field)) for field in value.__dataclass_fields__)
        return str(value)

    game = catalog.game(name)
    said = texts(game)
    said += texts(tuple(catalog.pieces(game, max(game.players), game.defaults())))
    said += "".join(file.name + file.description for file in catalog.strategies(name).values())
    assert missing(said) == []


def test_both_files_hold_every_character_of_our_sources() -> None:
    wanted = set(map(ord, subset.characters()))
    assert wanted <= glyphs(PAGE_FONT), "run python -m reports.fonts.subset again"
    assert glyphs(PAGE_FONT) == glyphs(FIGURE_FONT)


def test_the_font_is_small_and_comes_with_its_licence() -> None:
    assert PAGE_FONT.stat().st_size < 300_000
    licence = (FOLDER / "OFL.txt").read_text(encoding="utf-8")
    assert "SIL OPEN FONT LICENSE Version 1.1" in licence
    assert licence.startswith("Copyright © 2014-2021 Adobe")


def test_the_font_can_be_cut_again(tmp_path: Path) -> None:
    """The script cuts any font that has the glyphs: here its own result, down to four."""
    font = subset.cut(subset.open_face(FIGURE_FONT), "一二三A")
    font.save(tmp_path / "cut.otf")
    assert glyphs(tmp_path / "cut.otf") == set(map(ord, "一二三A"))


@pytest.mark.skipif(not subset.SOURCE.exists(), reason="the source font is not installed")
def test_the_shipped_cut_is_what_the_script_makes(tmp_path: Path) -> None:
    subset.cut(subset.open_face(subset.SOURCE), subset.characters()).save(tmp_path / "cut.otf")
    assert glyphs(tmp_path / "cut.otf") <= glyphs(FIGURE_FONT)


# Numbers as text


@pytest.mark.parametrize(
    ("estimate", "lang", "text"),
    [
        (Estimate(0.321, 0.001, 0.319, 0.323, 9, 9), "en", "32.1\u00a0% (31.9–32.3)"),
        (Estimate(0.321, 0.001, 0.319, 0.323, 9, 9), "zh", "32.1%（31.9–32.3）"),
        (Estimate(0.0, 0.0, 0.0, 0.0004, 9, 9), "en", "0\u00a0% (0–0.04)"),
        (Estimate(0.32117, 1e-5, 0.32115, 0.32119, 9, 9), "en", "32.117\u00a0% (32.115–32.119)"),
        (Estimate(0.5, None, None, None, 1, 1), "en", "50.0\u00a0% (—)"),
    ],
)
def test_rates_show_as_many_digits_as_they_have(estimate: Estimate, lang: str, text: str) -> None:
    assert words.shown(estimate, lang, is_rate=True).both == text


def test_ranges_with_minus_signs_are_spelled_out() -> None:
    found = Estimate(-0.02, 0.1, -0.22, 0.18, 9, 9)
    assert words.shown(found, "en", is_rate=False).both == "0.0 (−0.2 to 0.2)"
    assert words.shown(found, "zh", is_rate=False).both == "0.0（−0.2 至 0.2）"
    assert words.points(found, "en").mean == "−2.0"


def test_places_are_counted_as_people_do() -> None:
    names = [words.ordinal(number, "en") for number in (1, 2, 3, 4, 11, 12, 21, 22)]
    assert names == ["1st", "2nd", "3rd", "4th", "11th", "12th", "21st", "22nd"]
    assert words.ordinal(2, "zh") == "第 2 位"


def test_chinese_and_latin_are_set_apart() -> None:
    assert words.say(Words("", "平均{mean}{unit}"), "zh", mean="3.2", unit="轮") == "平均 3.2 轮"
    assert words.say(Words("{a}{b}", ""), "en", a="轮", b="3") == "轮3"


# Tables of distributions


def counts(**found: int) -> pd.DataFrame:
    values = {int(name[1:].replace("m", "-")): count for name, count in found.items()}
    return pd.DataFrame({"value": list(values), "count": list(values.values())})


def test_counts_keep_all_their_digits_in_a_file() -> None:
    frame = pd.DataFrame(
        {"n": [16_222_333, None], "x": [0.12345678, float("inf")], "none": [None, None]}
    )
    assert tables.csv(frame) == "n,x,none\n16222333,0.123457,\n,inf,\n"


def test_ranges_numbers_in_quotes_and_short_names_stay_on_a_line() -> None:
    kept = '<span class="together">{}</span>'.format
    assert together("better (0.1 to 0.2) and “−2、−1、9”") == (
        f"better {kept('(0.1 to 0.2)')} and {kept('“−2、−1、9”')}"
    )
    assert breakable("贪心收分 − 出最小") == f"{kept('贪心收分 −')} {kept('出最小')}"
    assert breakable("留万能、出最大") == f"{kept('留万能、')}{kept('出最大')}"
    assert breakable("best_chance,lowest") == "best_<wbr>chance,<wbr>lowest"
    assert breakable("<b>") == "&lt;b&gt;"
    assert "span" not in breakable("a" * 30 + " − b")
    assert breakable("移除 5、6、7") == f"移除 {kept('5、6、7')}"
    assert together("−3, −2, 9 removed (2.5–3.8, x)") == (
        f"{kept('−3, −2, 9')} removed ({kept('2.5–3.8')}, x)"
    )
    assert "span" not in together("1,200,000 games, 2 seats")


def test_few_values_have_a_row_each_and_many_are_put_together() -> None:
    few = counts(v0=1, v1=2, v2=0, v3=4)
    assert [(b.label, b.counts) for b in tables.bins([few], 15, "en")] == [
        ("0", (1,)),
        ("1", (2,)),
        ("2", (0,)),
        ("3", (4,)),
    ]
    wide = pd.DataFrame({"value": range(-20, 91), "count": 1})
    found = tables.bins([wide], 90, "en")
    assert [b.label for b in found[:3]] == ["−20 to −11", "−10 to −1", "0–9"]
    assert found[-1].label == "≥\u00a090"
    assert len(found) <= tables.MOST_ROWS
    assert sum(b.counts[0] for b in found) == 111
    assert tables.bins([counts(v1=0)], 5, "en") == []


def test_a_mark_parts_what_is_below_on_and_above() -> None:
    found = tables.mark_bins([counts(v39=5, v40=2, v41=3)], 40)
    assert [(b.label, b.counts) for b in found] == [
        ("<\u00a040", (5,)),
        ("=\u00a040", (2,)),
        (">\u00a040", (3,)),
    ]


def test_what_was_seen_is_never_shown_as_nothing() -> None:
    frame = counts(v0=10**6, v1=1, v2=0)
    rows = [
        tables.bin_line(found, [frame], 10**6, "en").cells
        for found in tables.bins([frame], 9, "en")
    ]
    assert rows[1][1] == "<0.01\u00a0%"
    assert tables.bin_line(tables.Bin("2", (0,)), [frame], 10**6, "en").cells[1] == "0\u00a0%"


def test_the_middle_holds_its_share() -> None:
    frame = pd.DataFrame({"value": range(100), "count": 1})
    assert tables.middle(frame, 0.9, "en") == "4–94"
    assert tables.middle(counts(v0=0), 0.9, "en") == words.UNKNOWN


# Shown


def test_values_hardly_ever_seen_are_not_drawn() -> None:
    spread = figures.Spread("", 0, [1, 5000, 9000, 0, 1], 1.5, "")
    assert figures.drawn_range([spread]) == (1, 2)
    assert figures.drawn_range([spread], [(7, "mark")]) == (1, 7)


def test_long_names_are_wrapped() -> None:
    label = "a_strategy_with_a_long_name:limit=35 − another_strategy_with_a_long_name:limit=30"
    dot = figures.Dot(
        label,
        Estimate(0.1, 0.01, 0.08, 0.12, 9, 9),
        words.shown(Estimate(0.1, 0.01, 0.08, 0.12, 9, 9), "en", is_rate=True),
    )
    svg = figures.dots([figures.Group("", [dot])], "%", scale=100)
    written = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
    assert label not in written
    assert label.replace(" ", "") in "".join(written).replace(" ", "")


def test_a_figure_can_stand_alone_as_a_picture() -> None:
    svg = picture.picture(same(deals=200))
    assert svg.startswith('<svg class="figure"')
    assert 'xmlns="http://www.w3.org/2000/svg"' in svg
    assert "<text" not in svg  # letters are shapes: a picture carries no font
    assert "prefers-color-scheme: dark" in svg
    assert theme.SETTINGS["svg.fonttype"] == "none"
    with pytest.raises(SystemExit, match="run-score"):
        picture.picture(same(deals=200), "nothing")
