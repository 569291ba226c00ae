"""Pages of answered balance questions: their words and tables, and how a browser shows them."""

from __future__ import annotations

import csv
import io
import json
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from analysis.balance import Answer, Play, answer
from analysis.counterfactuals import Searched
from analysis.fairness import Verdict
from analysis.question_files import ADVICE, read
from analysis.search import Candidate, confirm
from reports import balance as pages
from reports import envelope, searched, verdicts
from reports.claims import exhibits
from reports.page import render
from sim.cli.answers import as_object
from sim.core.game import Words
from tests.chromium import chromium
from tests.made_questions import HEAD, SHORT, claim, of_value, written
from tests.test_browser import LEAST_TEXT, OUTSIDE, OVERLAPS, SMALLEST
from tests.test_reports import Reader, missing
from tests.test_search import stage

LANGS = ("en", "zh")


# The first screen


def page_texts(page: Any) -> list[str]:
    return [exhibit.lead for section in page.sections for exhibit in section.exhibits]


@pytest.mark.parametrize("lang", LANGS)
def test_the_page_says_what_the_verdict_is(rigged: Answer, lang: str) -> None:
    page = pages.page(rigged, lang)
    assert page.headline == verdicts.headline(rigged, lang)
    assert verdicts.headline(rigged, lang).startswith(
        {
            "en": "A question Everything UNFAIR (order): ",
            "zh": "问题全部不公平，顺位：",
        }[lang]
    )
    for one in rigged.claims:
        assert verdicts.sentence(rigged, one, lang) in page_texts(page)


def test_what_follows_stands_on_the_first_screen(tmp_path: Path, quietly: Play) -> None:
    told = "".join(f'{key} = {{ en = "It is {key}.", zh = "{key}。" }}\n' for key in ADVICE)
    second = HEAD[HEAD.index("[[family]]") :].replace('"all"', '"other"')
    text = HEAD + told + second + told.replace("It is", "Then it is")
    text += of_value("same", "1", rules="{ max_rounds = 1 }", deals="2000")
    text += of_value("more", "0", rules="{ max_rounds = 1 }", deals="2000", family='"other"')
    page = pages.page(answer(read(written(tmp_path, text)), quietly), "en")
    assert page.short == "It is fair. Then it is unfair."
    assert page.short in render(page)


def test_every_line_of_the_first_screen_has_its_number(tmp_path: Path, quietly: Play) -> None:
    """What differs by how much, whoever plays too; the advice tells it where its author asks."""
    second = HEAD[HEAD.index("[[family]]") :].replace('"all"', '"other"')
    text = HEAD.replace("Everything", "1a. Places") + second.replace("Everything", "1b. Gaps")
    text += 'unfair = { en = "Mind that {found}.", zh = "注意：{found}。" }\n'
    text += claim(lineups='["last_exact", "lowest"]', estimand='"first_round"', deals="2000")
    gaps = 'kind = "ladder"', 'lineups = "last_exact,lowest,uniform"', 'family = "other"'
    asked = claim(margin="0.01", deals="2000", variants='["short", "rule"]', name='"gaps"')
    for line in gaps:
        asked = re.sub(rf"(?m)^{line.split()[0]} = .*$", line, asked)
    page = pages.page(answer(read(written(tmp_path, text + SHORT + asked)), quietly), "en")
    places, gap, who = (told for _, _, told in page.answers)
    number = r"-?[\d.]+ (?:percentage )?points?"
    assert re.search(rf"The \d\w\w place has {number} more than the .* \(.+\) with ", places)
    ends = r"\([\d.]+–[\d.]+\)"
    apart = rf"\w+ is ahead of \w+ by {number} {ends} with \"limit 10\" and by [\d.]+ {ends} with"
    assert re.search(apart + rf" \"the rule\" \(apart by {number}, [\d.]+–[\d.]+\)\.$", gap)
    assert re.search(r"of 1 claims .* to [\d.]+ points \(", who)
    assert [title for _, title, _ in page.answers][-1].startswith("2. How far")
    ((advice,),) = [one.points for one in page.sections if one.id == "advice"]
    assert advice.startswith("Mind that ") and advice[10:].rstrip(".") in gap


def test_a_key_names_what_its_number_belongs_to(rigged: Answer) -> None:
    labels = {lang: pages.page(rigged, lang).keys[0].label for lang in LANGS}
    assert (
        labels["en"]
        == "Everything UNFAIR, largest difference: order; 3rd − 1st; last_exact, 4,000 deals"
    )
    assert labels["zh"].endswith("最大差异：顺位；第 3 位 − 第 1 位；末家精算，4,000 次发牌")
    short = next(one for one in rigged.claims if one.claim.name == "short")
    text = verdicts.named(rigged, short.claim, short.cases[0], "en")
    assert text == 'limit 10; less than with "the rule"'


def test_settings_are_counted_verdict_first_and_explained(rigged: Answer) -> None:
    text = verdicts.counts(rigged.claims, "en")
    assert re.match(r"UNFAIR in 1 of 9 settings, ", text), text
    assert sum(map(int, re.findall(r" in (\d+)", text))) == 9
    assert verdicts.counts(rigged.claims[1:2], "en") == "UNFAIR."
    assert re.match(r"不公平 1 种（共 9 种设置），.*。$", verdicts.counts(rigged.claims, "zh"))
    page = pages.page(rigged, "en")
    told = page.hinted(f"{text} Other settings.")
    assert told.count('<a class="term" href="#word-setting" title="One set of rules') == 1


def test_how_it_was_played_and_ended_is_told(rigged: Answer) -> None:
    facts = dict(pages.page(rigged, "en").facts)
    assert re.fullmatch(r"0 of [\d,]+ games, without .* kept hands", facts["Unfinished games"])
    assert re.search(r"Python 3.*, Numba \d.*, Numpy \d", facts["Made with"])
    assert re.fullmatch("[0-9a-f]{64}", facts["Sources"])


def test_advice_may_tell_the_side(tmp_path: Path, quietly: Play) -> None:
    sides = ("unfair", "above", "below")
    told = "".join(f'{key} = {{ en = "Advice {key}.", zh = "{key}" }}\n' for key in sides)
    texts = []
    for values in (("0", "0"), ("9", "9"), ("0", "9")):
        claims = "".join(of_value(f"c{i}", value) for i, value in enumerate(values))
        found = answer(read(written(tmp_path, HEAD + told + claims)), quietly)
        page = pages.page(found, "en")
        texts += [one.points for one in page.sections if one.id == "advice"]
    assert texts == [("Advice above.",), ("Advice below.",), ("Advice unfair.",)]


# Sentences


@pytest.mark.parametrize(
    ("estimand", "words"),
    [
        ("win_share", r"the \d\w\w place is [\d.]+ percentage points ahead of the \d\w\w \("),
        ("score", r"the \d\w\w place has [\d.]+ points more than the \d\w\w \("),
    ],
)
def test_only_who_wins_more_is_ahead(
    estimand: str, words: str, tmp_path: Path, quietly: Play
) -> None:
    asked = claim(variants='"rule"', lineups='"uniform"', estimand=f'"{estimand}"')
    found = answer(read(written(tmp_path, HEAD + asked)), quietly)
    assert re.search(words, verdicts.sentence(found, found.claims[0], "en"))
    gap = of_value("gap", "0", lineups='"target40,uniform"', estimand=f'"{estimand}"')
    found = answer(read(written(tmp_path, HEAD + gap)), quietly)
    text = verdicts.sentence(found, found.claims[0], "en")
    assert (" ahead of " in text or " behind " in text) == (estimand == "win_share")


def test_what_is_compared_is_called_the_same_or_different(rigged: Answer) -> None:
    gaps, totals, short, _ = (verdicts.sentence(rigged, one, "en") for one in rigged.claims[3:])
    assert gaps.startswith("SAME: every difference is smaller than the margin of 50 percentage")
    most = r"more than with \"the rule\" have at most \d+ points? \([\d.]+–[\d.]+\)\.$"
    assert re.search(most, totals)
    assert re.match(r"DIFFERENT: .* less than with \"the rule\" \([\d.]+–[\d.]+\)\.$", short)


def test_every_number_of_a_sentence_says_what_it_counts(rigged: Answer) -> None:
    for one in rigged.claims:
        text = re.sub(r"\([^)]*\)|\"[^\"]*\"", "", verdicts.sentence(rigged, one, "en"))
        ends = [match.end() for match in re.finditer(r"\b\d+(\.\d+)?\b", text)]
        assert len(ends) >= 2  # margin and size
        for end in ends:
            assert re.match(r" (percentage point|point|round|setting)s?\b", text[end:]), text


def test_a_margin_that_would_change_it_is_that_of_the_test(tmp_path: Path, quietly: Play) -> None:
    """And where the joint interval reaches past the margin of a FAIR verdict, the page says why."""

    def found(margin: float) -> Answer:
        asked = claim(
            variants='"rule"', lineups='"uniform"', estimand='"first_round"', margin=f"{margin}"
        )
        return answer(read(written(tmp_path, HEAD + asked)), quietly)

    wide = found(9)
    held = float(re.findall(r"A margin below ([\d.]+) points", verdicts.change(wide, "en"))[0])
    assert held < 9 and "reaches past" not in verdicts.headline(wide, "en")
    near, beyond = found(held), found(held - 0.1)
    ends = [(est.low, est.high) for est in verdicts.estimates(near.claims[0].cases[0])]
    assert max(abs(end or 0) for both in ends for end in both) > held
    assert [one.claims[0].verdict for one in (near, beyond)] == ["FAIR", "INCONCLUSIVE"]
    assert "reaches past it, and the test needs less." in verdicts.headline(near, "en")
    assert "reaches past it" in verdicts.sentence(near, near.claims[0], "en")
    again = float(re.findall(r"below ([\d.]+)", verdicts.change(near, "en"))[0])
    assert held - 0.1 < again < held


def test_what_only_the_others_leave_open_is_said_to_be_so(rigged: Answer) -> None:
    one = next(one for one in rigged.claims if one.verdict == Verdict.UNFAIR)
    (case,) = one.cases
    assert case.finding.alone == Verdict.UNFAIR and verdicts.beside(case, "en") == ""
    undecided = replace(case, finding=replace(case.finding, verdict=Verdict.INCONCLUSIVE))
    text = verdicts.beside(undecided, "en")
    assert text == "beyond the margin on its own, but not together with the other 8 verdicts (Holm)"
    found = verdicts.sentence(rigged, replace(one, cases=(undecided,)), "en")
    assert text in found


def test_what_cannot_be_told_is_told_in_words(tmp_path: Path, quietly: Play) -> None:
    still = claim(lineups='"uniform"', estimand='"tricks"', variants='"rule"', margin="1")
    rules = 'rules = { max_rounds = 1, hand_size = 1, next_start = "rotate" }\n'
    found = answer(read(written(tmp_path, HEAD + still + rules)), quietly)
    assert "Infinity" not in json.dumps(as_object(found, tmp_path))
    assert len(render(pages.page(found, "en"))) > 10_000


def test_a_chinese_page_calls_strategies_by_their_names(rigged: Answer) -> None:
    page = pages.page(rigged, "zh")
    every = [one for section in page.sections for one in section.exhibits]
    cells = {cell for one in every for line in one.table.lines for cell in line.cells}
    assert "瞄准四十 − 随机出牌" in cells
    assert not any("uniform" in cell for cell in cells)
    assert not any("uniform" in text for one in every for text in (one.title, one.lead, one.figure))
    assert "瞄准四十（target40）" in dict(page.facts)["策略"]
    assert "Strategies" not in dict(pages.page(rigged, "en").facts)


def test_who_plays_and_what_a_search_says_is_explained(rigged: Answer) -> None:
    en, zh = (pages.page(rigged, lang) for lang in LANGS)
    words = {term: text for _, term, text in en.glossary}
    assert words["last_exact"].startswith("As the last to play count what each card would do")
    assert {"BEATEN", "ON THE FRONT", "finalist", "screening", "uniform"} <= set(words)
    (told,) = [text for _, term, text in zh.glossary if term == "末家精算"]
    assert told.startswith("最后一个出牌时") and told.endswith("。")
    html = render(en)
    assert re.search(r'<dt>.* title="As the last to play[^"]*">last_exact</a>', html)
    assert "title=" not in en.hinted("the lowest uniform")  # words of the language in a sentence
    alone = replace(en, hints={}, names={})
    assert alone.hinted("settings") == "settings"


# Tables


def test_every_effect_has_its_games_to_notice(rigged: Answer) -> None:
    page = {one.id: one for part in pages.page(rigged, "en").sections for one in part.exhibits}
    for name in ("finalists-better", "claim-near", "gaps-gaps-0", "claim-totals"):
        at = [column.term for column in page[name].table.columns].index("notice")
        cells = [line.cells[at] for line in page[name].table.lines if not line.is_head]
        assert all(re.match(r"(>\s)?[\d,]+$|—$", cell) for cell in cells)
        assert any(cell[:1].isdigit() for cell in cells)
    effects = page["effects-hand-0"].table.lines
    assert [line.cells[0][:5] for line in effects if line.is_head] == ["Chang", "Games", "Games"]
    assert "games_to_notice" in page["effects-hand-0"].table.csv
    for name in ("claim-near", "claim-totals", "claim-hand"):
        head, first, *_ = page[name].table.csv.splitlines()
        cells = dict(zip(head.split(","), first.split(","), strict=True))
        for value in ("first", "second"):
            low, mean, high = (float(cells[f"{value}_{end}"]) for end in ("low", "mean", "high"))
            assert low < mean < high or mean in (0, 1)
        at = [column.term for column in page[name].table.columns].index("interval")
        line = next(line.cells for line in page[name].table.lines if not line.is_head)
        assert re.fullmatch(r"[−\d.]+ \([−\d.]+(–| to )[−\d.]+\)", line[at])
    (found,) = rigged.searches
    for one in found.confirmation.finalists[0].comparisons:
        assert one.notice is None or one.notice > 10


def test_a_table_has_one_number_of_decimals(rigged: Answer) -> None:
    page = {one.id: one for part in pages.page(rigged, "en").sections for one in part.exhibits}
    for one in rigged.claims:
        lines = page[f"claim-{one.claim.name}"].table.lines
        cells = [cell for line in lines if not line.is_head for cell in line.cells[1:5]]
        numbers = [n for cell in cells for n in re.findall(r"\d+\.?\d*", cell)]
        assert {len(number.partition(".")[2]) for number in numbers} == {verdicts.digits(one)}
    text = verdicts.sentence(rigged, rigged.claims[1], "zh")
    assert "）（" not in text


def test_of_many_distributions_all_have_their_largest_difference(
    tmp_path: Path, quietly: Play
) -> None:
    text = claim(
        kind='"distribution"',
        estimand='"score"',
        lineups='["uniform", "lowest", "highest"]',
        deals="40",
        margin="5",
    )
    found = answer(read(written(tmp_path, HEAD + text)), quietly)
    (one,) = found.claims
    largest, *drawn = exhibits(found, one, "en")
    assert len(drawn) == 2 and len(largest.table.lines) == len(one.cases) == 3
    rows = list(csv.DictReader(io.StringIO(largest.table.csv)))
    for case, row, line in zip(one.cases, rows, largest.table.lines, strict=True):
        assert float(row["difference"]) == pytest.approx(case.signed, rel=1e-5)
        is_open = case.finding.verdict == Verdict.INCONCLUSIVE
        assert line.cells[1].startswith("INCONCLUSIVE; ") == is_open  # and what would decide it


def test_the_envelope_names_the_variant_of_an_end(tmp_path: Path, quietly: Play) -> None:
    found = answer(read(written(tmp_path, HEAD + claim(deals="50"))), quietly)
    section = envelope.section(found, "en")
    assert section is not None
    names = [line.cells[0] for line in section.exhibits[0].table.lines if not line.is_head]
    assert all(re.search(r", (the rule|nothing removed)$", name) for name in names)


# Searches


def test_the_strip_begins_with_the_size_of_the_rule_in_use(
    rigged: Answer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """So that its mark is seen on a telephone."""
    (found,) = rigged.searches
    sizes = [one.size for one in found.screening.candidates]
    turned = replace(found, screening=replace(found.screening, reference=sizes.index(1)))
    drawn = []
    monkeypatch.setattr(
        searched.drawings, "heat_strip", lambda groups, *_: drawn.append(groups) or "<svg></svg>"
    )
    monkeypatch.setattr(searched.Exhibit, "drawn", lambda *_: None)
    for one, first in ((found, 0), (turned, 1)):
        searched.exhibits(rigged, one, "en")
        at = [any(member.is_published for member in group.members) for group in drawn.pop()]
        assert at == [True, False] and sizes[one.screening.reference] == first


@pytest.mark.parametrize("lang", LANGS)
def test_the_smallest_change_is_the_one_nearest_to_the_rule_in_use(lang: str) -> None:
    """Not the one that removes least; of equal changes the one that gains most.

    One that was asked for is told too, if it is better by less than the margin.
    """
    gains = {(-2, -1, 9): 0.0, (5, 6): 9.0, (-1, 7, 8): 2.0, (5, 6, 9): 3.0, (4,): 0.05}
    made = stage({str(values): [-gain] for values, gain in gains.items()}, "least")
    named = tuple(Candidate(",".join(map(str, values)), values) for values in gains)
    screening = replace(made, candidates=named)
    few, many = (
        " ".join(searched.price(Searched(search, screening, confirm(screening), 0, ()), lang))
        for search in (SimpleNamespace(always=()), SimpleNamespace(always=("4",)))
    )
    assert few.index("5, 6, 9" if lang == "en" else "5、6、9") < 90
    assert re.search("taken out: 4|数字：4 个", few) and many.startswith(few)
    assert re.search('4” .*less than the margin|4”.*不到界限|"4" .*less than', many[len(few) :])
    search: Any = SimpleNamespace(always=())
    found = Searched(search, screening, confirm(screening), 0, ())
    told = searched.in_short(found, lang).split(Words("; ", "；").of(lang))
    by = {"en": "a criterion {:.2f} less ({}–{})", "zh": "标准少 {:.2f}（{}–{}）"}[lang]
    ends = [(f"{gain - 0.04:.2f}", f"{gain + 0.04:.2f}") for gain in (3, 2, 9)]
    assert [one[1:].split("：" if lang == "zh" else ": ")[1] for one in told] == [
        by.format(gain, *pair) for gain, pair in zip((3, 2, 9), ends, strict=True)
    ]  # in the order of the changes, without what is better by less than the margin
    assert " ".join(ends[0]).replace(" ", "–") in few


@pytest.mark.parametrize("lang", LANGS)
def test_what_is_shown_without_a_verdict_is_advice_too(lang: str) -> None:
    """Of those that are better and not worse: the smallest change, and those asked for."""
    values = {"rule": [1.0, 1.0], "near": [0.93, 1.0], "far": [0.93, 1.0], "worse": [0.93, 2.0]}
    made = stage(values, "least", "least")
    sets = ((1, 2), (1, 3), (4, 5, 6), (1, 4))
    named = tuple(Candidate(name, chosen) for name, chosen in zip(values, sets, strict=True))
    screening = replace(made, candidates=named)

    def told(*always: str) -> str:
        search: Any = SimpleNamespace(always=always, reference="rule")
        found = Searched(search, screening, confirm(screening), 0, ())
        sentence = searched.sentence(found, lang)
        assert re.search("Some [0-9,]+ more deals|再发约 [0-9,]+ 次牌", sentence)
        return " ".join(searched.price(found, lang))

    few, many = told(), told("far")
    assert re.search("No finalist is shown to beat|没有证明任何入围者胜过", few)
    assert all(name in few for name in ("near", "far")) and "worse”" not in few
    most = Words("What it might cost at most", "至多可能的代价").of(lang)
    assert (few.count(most), many.count(most)) == (1, 2)


@pytest.mark.parametrize("lang", LANGS)
def test_finalists_that_the_file_names_are_told(rigged: Answer, lang: str) -> None:
    page = {one.id: one for part in pages.page(rigged, lang).sections for one in part.exhibits}
    both = {"en": 'Finalists: "9", "-1" in any case', "zh": "入围者：必定入围的“9”、“-1”"}[lang]
    assert both.replace("-", "−") in page["finalists-better"].lead
    heads = [line.cells[0] for line in page["finalists-better"].table.lines if line.is_head]
    assert {re.split("[:：]", head)[0] for head in heads} == {"−1", "9"}
    named = {line.cells[0] for line in page["front-better"].table.lines}
    assert {"−1", "9"} < named


def test_shares_of_a_search_are_told_in_percentage_points(rigged: Answer) -> None:
    page = pages.page(rigged, "en")
    every = {one.id: one for part in page.sections for one in part.exhibits}
    lines = every["finalists-better"].table.lines + every["candidates-better"].table.lines
    text = " ".join(cell for line in lines for cell in line.cells)
    assert re.search(r"\d percentage points?\b", text) and "Skill, percentage points" in text
    assert not re.search(r"\d points?\b", text + every["candidates-better"].figure)


# The page as a whole


@pytest.mark.parametrize("lang", LANGS)
def test_no_word_of_a_page_is_left_to_fill_in(rigged: Answer, lang: str) -> None:
    html = render(pages.page(rigged, lang, "fairdeal balance question.toml"))
    text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL)
    assert re.findall(r"\{\w*\}", text) == []


@pytest.mark.parametrize("lang", LANGS)
def test_no_glyph_is_missing_and_the_page_is_whole(rigged: Answer, lang: str) -> None:
    html = render(pages.page(rigged, lang, "fairdeal balance question.toml"))
    reader = Reader(html)
    assert missing(reader.text) == []
    assert len(set(reader.ids)) == len(reader.ids)
    assert {link[1:] for link in reader.links if link.startswith("#")} <= set(reader.ids)
    assert len(html.encode()) < 2_000_000
    for one in rigged.claims:
        assert f'id="claim-{one.claim.name}"' in html


def test_the_page_is_readable_in_a_browser(rigged: Answer, browser: str, tmp_path: Path) -> None:
    with chromium(browser, tmp_path / "profile") as window:
        for lang in LANGS:
            path = pages.build(rigged, lang, tmp_path / f"{lang}.html")
            for width in (375, 1280):
                window.open(path, width, dark=width == 375)
                assert window.complaints == []
                assert not window.is_too_wide
                assert window.run(OVERLAPS) == window.run(OUTSIDE) == []
                assert window.run(SMALLEST) >= LEAST_TEXT
            assert window.pdf().startswith(b"%PDF-")
