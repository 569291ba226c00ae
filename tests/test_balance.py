"""Balance questions answered: from the games to verdicts, JSON and the page."""

from __future__ import annotations

import csv
import io
import json
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from scipy.stats import t as student

from analysis import question_files
from analysis.balance import Answer, answer, games_planned
from analysis.cases import Case, Played, places
from analysis.counterfactuals import Searched
from analysis.exemplars import exemplars
from analysis.fairness import Verdict
from analysis.intervals import Estimate
from analysis.moments import Floats, Moments
from analysis.neutrality import explained
from analysis.power import games_to_notice
from analysis.question_files import ADVICE, read
from analysis.questions import Claim, Setting
from analysis.samples import by_deal, cumulated, curve
from analysis.search import Candidate, confirm
from analysis.winshares import GROUPS, estimate, histogram, measure_of
from reports import balance as pages
from reports import envelope, searched, verdicts
from reports.claims import exhibits
from reports.page import render
from sim import catalog
from sim.cli import run
from sim.cli.answers import as_object, asked
from sim.core.game import SHARE_UNIT, Words
from sim.errors import Mistake
from sim.experiment import Experiment, Lineup, Variant
from sim.replay import replay
from sim.results import Cell, Run
from sim.runner import play
from sim.store import Folder, games_of
from tests.chromium import chromium
from tests.made_questions import HEAD, claim, search, written
from tests.made_runs import LANTERNS, totals
from tests.test_browser import LEAST_TEXT, OUTSIDE, OVERLAPS, SMALLEST
from tests.test_reports import Reader, missing
from tests.test_search import stage

LANGS = ("en", "zh")
RIGGED = (
    # With the strategy last_exact the first place scores less in the first round.
    claim(name='"far"', variants='"rule"', estimand='"first_round"', margin="9"),
    claim(
        name='"near"',
        variants='"rule"',
        lineups='"last_exact"',
        estimand='"first_round"',
        margin="0.01",
        deals="4000",
    ),
    claim(margin="0.1", lineups='"uniform"'),
    claim(
        name='"gaps"',
        kind='"ladder"',
        lineups='"target40,uniform,uniform"',
        margin="50",
    ),
    claim(
        name='"totals"',
        kind='"distribution"',
        variants='["rule", "short"]',
        lineups='"uniform"',
        estimand='"score"',
        margin="10",
    ),
    claim(
        name='"short"',
        kind='"comparability"',
        variants='["rule", "short"]',
        lineups='"uniform"',
        estimand='"rounds"',
        margin="0.5",
    ),
)
OTHERS = (
    claim(
        name='"hand"',
        kind='"hands"',
        lineups='"uniform"',
        estimand='"first_round"',
        redraws="4",
        margin="50",
        rules="{ max_rounds = 1 }",
    ),
    search(name='"better"', deals="200", confirm="300", nearest="0", always="[[9], [-1]]")
    + """
[[claim.criteria]]
name = "nobody"
title = { en = "nobody wins", zh = "无人获胜" }
of = "mean"
lineup = "uniform"
estimand = "nobody"
goal = "least"
margin = 1
""",
)
SHORT = """
[[variant]]
name = "short"
title = { en = "limit 10", zh = "上限 10" }
rules = { limit = 10 }
"""


Play = Callable[[Experiment], Run]


@pytest.fixture(scope="module")
def quietly(tmp_path_factory: pytest.TempPathFactory) -> Play:
    def play_all(experiment: Experiment) -> Run:
        with Folder(tmp_path_factory.mktemp("run"), experiment) as store:
            return play(experiment, store)

    return play_all


@pytest.fixture(scope="module")
def file(tmp_path_factory: pytest.TempPathFactory) -> str:
    return written(tmp_path_factory.mktemp("question"), HEAD + SHORT + "".join(RIGGED + OTHERS))


@pytest.fixture(scope="module")
def rigged(file: str, quietly: Play) -> Answer:
    return answer(read(file), quietly)


def object_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(["balance", *words, "--quiet", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


def means(case: Case) -> tuple[float, ...]:
    """The two values that the first difference of a case subtracts."""
    return tuple(one.mean if isinstance(one, Estimate) else one for one in case.values[0])


# Verdicts


def test_what_is_known_to_be_so_is_found(rigged: Answer) -> None:
    assert {one.claim.name: one.verdict for one in rigged.claims} == {
        "far": Verdict.FAIR,
        "near": Verdict.UNFAIR,
        "order": Verdict.INCONCLUSIVE,
        "gaps": Verdict.FAIR,
        "totals": Verdict.UNFAIR,
        "short": Verdict.UNFAIR,
        "hand": Verdict.FAIR,
    }
    (found,) = rigged.searches
    assert found.screening.candidates[found.screening.reference].name == "none"
    assert {one.candidate.name for one in found.confirmation.finalists} == {"-1", "9"}


def test_differences_are_those_of_the_means(rigged: Answer) -> None:
    for one in rigged.claims:
        for case in one.cases:
            for (first, second), found in zip(
                case.values, case.finding.contrasts.estimate, strict=True
            ):
                assert isinstance(second, Estimate)
                assert found == pytest.approx(first.mean - second.mean)


def test_what_is_compared_is_subtracted_deal_by_deal(rigged: Answer) -> None:
    one = rigged.claims[-2]
    (case,) = one.cases
    there, here = (rigged.played[s] for s in one.claim.settings)
    rounds = [
        np.reshape(games_of(played.runs[0], ["rounds"])["rounds"], (300, 3)).mean(axis=1)
        for played in (here, there)
    ]
    assert case.finding.contrasts.se is not None
    (se,) = case.finding.contrasts.se
    assert se == pytest.approx((rounds[0] - rounds[1]).std(ddof=1) / 300**0.5)
    (saved,) = case.saved
    assert saved == pytest.approx(sum(r.var() for r in rounds) / (rounds[0] - rounds[1]).var())
    assert means(case) == pytest.approx([found.mean() for found in rounds])
    assert means(case)[0] < means(case)[1]  # the first is compared with
    assert case.notice[0] is not None and case.notice[0] < 20


def test_what_is_subtracted_has_intervals_of_its_own(rigged: Answer) -> None:
    """Recomputed from the stored games: Student's over deals, at most a little wider (skewness)."""
    every = {one.claim.name: one.cases[0] for one in rigged.claims}

    def column(setting: Setting, name: str) -> Floats:  # [games, seats]
        names = [f"{name}_{seat}" for seat in range(setting.players)]
        return np.stack(
            [*games_of(rigged.played[setting].runs[0], names).values()], axis=1, dtype=float
        )

    def of_games(name: str, setting: Setting) -> Floats:
        if name == "short":
            found = games_of(rigged.played[setting].runs[0], ["rounds"])["rounds"]
            return np.asarray(found, float)
        if name == "totals":
            most = int(every[name].pairs[5].first)
            return np.asarray((column(setting, "score") <= most).mean(axis=1))
        shares, is_ours = column(setting, "win_share") / SHARE_UNIT, column(setting, "entry") == 0
        theirs = np.where(is_ours, 0, shares).sum(axis=1) / (setting.players - 1)
        return np.asarray(np.where(is_ours, shares, 0).sum(axis=1) - theirs)

    for name, pair in (("short", 0), ("totals", 5), ("gaps", 0)):
        case = every[name]
        assert case.against is not None
        for value, setting in zip(case.values[pair], (case.setting, case.against), strict=True):
            assert isinstance(value, Estimate) and value.low is not None and value.high is not None
            deals = of_games(name, setting).reshape(300, -1).mean(axis=1)
            half = student.ppf(0.975, 299) * deals.std(ddof=1) / 300**0.5
            assert value.mean == pytest.approx(deals.mean()) and half > 0
            for reach in (value.mean - value.low, value.high - value.mean):
                assert 0.999 * half < reach < 1.1 * half
    case = every["order"]
    cell = rigged.cells[case.setting]
    spread, first = Moments.from_cell(cell, rigged.question.game).se, case.values[0][0]
    assert spread is not None
    se = spread[0]
    assert first.se == pytest.approx(se) and first.games == first.deals * 3 == 900
    assert first.low == pytest.approx(first.mean - student.ppf(0.975, 299) * se, rel=1e-3)


def test_a_distribution_is_compared_at_every_value(rigged: Answer) -> None:
    (case,) = rigged.claims[-3].cases
    game, column = rigged.question.game, "score"
    there, here = (histogram(rigged.cells[s], column) for s in rigged.claims[-3].claim.settings)
    measure = measure_of(game, column)
    assert measure is not None
    first = int(case.pairs[0].first) - measure.low
    apart = (np.cumsum(here) - np.cumsum(there))[first : first + len(case.pairs)]
    assert case.finding.contrasts.estimate == pytest.approx(apart)
    assert abs(apart).max() > 0.5  # nobody has 11 points or more with a limit of 10 ... but losers


def test_all_seats_of_a_game_are_noted(rigged: Answer) -> None:
    """Seats of one game are relatives: the variance a game is that of their mean, as it is."""
    one = next(one for one in rigged.claims if one.claim.name == "totals")
    (case,) = one.cases
    shares = []
    for setting in one.claim.settings:
        names = [f"score_{seat}" for seat in range(setting.players)]
        table = games_of(rigged.played[setting].runs[0], names)
        shares.append(np.stack([table[name] for name in names], axis=1) <= int(case.pairs[5].first))
    variance = sum(share.mean(axis=1).var() for share in shares)
    apart = shares[1].mean() - shares[0].mean()
    assert case.notice[5] == games_to_notice(apart, variance)


def test_a_family_is_decided_together(file: str, rigged: Answer) -> None:
    assert {case.finding.family for one in rigged.claims for case in one.cases} == {9}


def test_equal_strategies_of_a_ladder_are_one_rung(rigged: Answer) -> None:
    (case,) = rigged.claims[3].cases
    assert [(pair.first, pair.second) for pair in case.pairs] == [("target40", "uniform")]


def test_a_precision_is_reached_in_blocks(tmp_path: Path, quietly: Play) -> None:
    question = read(written(tmp_path, HEAD + claim(variants='"rule"', lineups='"uniform"')))
    played: list[Experiment] = []

    def watched(experiment: Experiment) -> Run:
        played.append(experiment)
        return quietly(experiment)

    found = answer(question, watched, 0.05)
    (case,) = found.claims[0].cases
    assert case.half_width is not None and (case.half_width <= 0.05).all()
    assert case.finding.planned is not None
    assert case.finding.contrasts.deals == sum(experiment.deals for experiment in played)
    assert len({experiment.seed for experiment in played}) == len(played)


def test_a_hand_explains_what_it_does_with_one_seed(rigged: Answer) -> None:
    (case,) = rigged.claims[-1].cases
    assert case.against is not None
    kept = rigged.kept[case.setting], rigged.kept[case.against]
    assert [one.values.shape for one in kept] == [(300, 4), (300, 4)]
    assert not (kept[0].values == kept[1].values).all()
    again = explained(kept[1].values, kept[0].values)
    assert again is not None
    assert means(case) == pytest.approx((again.mean[1], again.mean[0]))


def of_value(name: str, value: str, **changes: str) -> str:
    changes = {"lineups": '"uniform"', "estimand": '"rounds"', "margin": "0.5"} | changes
    return claim(name=f'"{name}"', kind='"value"', variants='"rule"', value=value, **changes)


def test_a_mean_is_held_against_a_number(tmp_path: Path, quietly: Play) -> None:
    one = {"rules": "{ max_rounds = 1 }", "deals": "2000"}
    gap = {"lineups": '"target40,uniform"', "estimand": '"win_share"', "margin": "2"}
    text = "".join(
        (
            of_value("same", "1", **one),
            of_value("more", "0", **one),
            of_value("less", "2.5", **one),
            of_value("ahead", "0", **gap),
            of_value("behind", "90", **gap),
            of_value("last", "0", **gap | {"lineups": '"uniform,target40"'}),
        )
    )
    found = answer(read(written(tmp_path, HEAD + text)), quietly)
    assert [verdicts.word(each, "en") for each in found.claims] == [
        "SAME",
        "ABOVE",
        "BELOW",
        "ABOVE",
        "BELOW",
        "BELOW",
    ]
    assert [each.side for each in found.claims] == [0, 1, -1, 1, -1, -1] and found.side("all") == 0
    lead, case = found.claims[3].cases[0], found.claims[4].cases[0]
    assert [(pair.first, pair.second) for pair in lead.pairs] == [("target40", "uniform")]
    assert means(lead) == pytest.approx((lead.signed, 0))
    assert case.signed == pytest.approx(lead.signed - 0.9)
    texts = [verdicts.sentence(found, each, "en") for each in found.claims]
    assert "The largest: 1.50 rounds below 2.5 rounds (" in texts[2]
    assert "target40 is " in texts[3] and " ahead of uniform (" in texts[3]
    assert "the lead of target40 over uniform is " in texts[4]
    keys = [verdicts.named(found, each.claim, each.cases[0], "en") for each in found.claims[3:]]
    assert [key.split(";")[0] for key in keys] == ["target40 − uniform"] * 3  # all sizes positive
    for each in found.claims[3:]:
        told = verdicts.sentence(found, each, "zh")
        assert catalog.title("uniform", "schadenfreude").zh in told and "uniform" not in told
    assert as_object(found, tmp_path)["claims"][4]["value"] == 0.9
    assert len(render(pages.page(found, "zh"))) > 10_000


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


def test_gaps_are_compared_between_numbers_of_players(tmp_path: Path, quietly: Play) -> None:
    lead = claim(kind='"ladder"', players="[3, 4]", variants='"rule"', lineups='"target40,uniform"')
    found = answer(read(written(tmp_path, HEAD + lead)), quietly)
    (case,) = found.claims[0].cases
    assert case.against is not None and (case.setting.players, case.against.players) == (4, 3)
    gaps = []
    for setting in (case.setting, case.against):
        n = setting.players
        (target, uniform) = (
            estimate(
                found.cells[setting], found.question.game, "strategy", "win_share", members
            ).mean
            for members in ((0,), range(1, n))
        )
        gaps.append(target - uniform)
    assert means(case) == pytest.approx(gaps)
    assert 'than with "three players" (' in verdicts.sentence(found, found.claims[0], "en")
    assert len(render(pages.page(found, "zh"))) > 10_000


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


@pytest.mark.parametrize("lang", LANGS)
def test_no_word_of_a_page_is_left_to_fill_in(rigged: Answer, lang: str) -> None:
    html = render(pages.page(rigged, lang, "fairdeal balance question.toml"))
    text = re.sub(r"<style>.*?</style>|<[^>]*>", " ", html, flags=re.DOTALL)
    assert re.findall(r"\{\w*\}", text) == []


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


def test_what_follows_stands_on_the_first_screen(tmp_path: Path, quietly: Play) -> None:
    told = "".join(f'{key} = {{ en = "It is {key}.", zh = "{key}。" }}\n' for key in ADVICE)
    second = HEAD[HEAD.index("[[family]]") :].replace('"all"', '"other"')
    text = HEAD + told + second + told.replace("It is", "Then it is")
    text += of_value("same", "1", rules="{ max_rounds = 1 }", deals="2000")
    text += of_value("more", "0", rules="{ max_rounds = 1 }", deals="2000", family='"other"')
    page = pages.page(answer(read(written(tmp_path, text)), quietly), "en")
    assert page.short == "It is fair. Then it is unfair."
    assert page.short in render(page)


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


def test_the_envelope_names_the_variant_of_an_end(tmp_path: Path, quietly: Play) -> None:
    found = answer(read(written(tmp_path, HEAD + claim(deals="50"))), quietly)
    section = envelope.section(found, "en")
    assert section is not None
    names = [line.cells[0] for line in section.exhibits[0].table.lines if not line.is_head]
    assert all(re.search(r", (the rule|nothing removed)$", name) for name in names)


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


def test_a_chinese_page_calls_strategies_by_their_names(rigged: Answer) -> None:
    page = pages.page(rigged, "zh")
    every = [one for section in page.sections for one in section.exhibits]
    cells = {cell for one in every for line in one.table.lines for cell in line.cells}
    assert "瞄准四十 − 随机出牌" in cells
    assert not any("uniform" in cell for cell in cells)
    assert not any("uniform" in text for one in every for text in (one.title, one.lead, one.figure))
    assert "瞄准四十（target40）" in dict(page.facts)["策略"]
    assert "Strategies" not in dict(pages.page(rigged, "en").facts)


def test_what_never_varies_is_the_same_after_enough_deals(tmp_path: Path, quietly: Play) -> None:
    same = claim(
        kind='"comparability"',
        lineups='"uniform"',
        estimand='"rounds"',
        rules="{ max_rounds = 1 }",
        deals="20",
    )
    more = same.replace('"order"', '"more"').replace("deals = 20", "deals = 2000")
    few, many = answer(read(written(tmp_path, HEAD + same + more)), quietly).claims
    assert [one.verdict for one in (few, many)] == [Verdict.INCONCLUSIVE, Verdict.FAIR]
    found = verdicts.estimates(many.cases[0])[0]
    assert found.mean == 0 and found.high is not None and 0 < found.high < 0.5


def test_places_that_always_score_alike_are_fair_after_enough_deals() -> None:
    claim = Claim("c", "places", "f", Words("c", "c"), "candles", 0.25, False, ())
    setting = Setting(3, Variant("rule", ()), Lineup("steady", ("steady",) * 3), "", "games", 0)

    def verdict(deals: int) -> Verdict:
        found = totals(deals, 3, 3, seed=1)
        at = GROUPS.index("place"), LANTERNS.seat_columns.index("candles")
        found["sum"][at] = 3 * 6 * deals  # six candles for every place of every deal
        found["cross"][at] = (3 * 6) ** 2 * deals
        played = Played(setting, (), Cell("rule", ("steady",) * 3, 3, found))
        return places(claim, played, LANTERNS, None).finding.verdict

    assert [verdict(20), verdict(2000)] == [Verdict.INCONCLUSIVE, Verdict.FAIR]


def test_what_cannot_be_told_is_told_in_words(tmp_path: Path, quietly: Play) -> None:
    still = claim(lineups='"uniform"', estimand='"tricks"', variants='"rule"', margin="1")
    rules = 'rules = { max_rounds = 1, hand_size = 1, next_start = "rotate" }\n'
    found = answer(read(written(tmp_path, HEAD + still + rules)), quietly)
    assert "Infinity" not in json.dumps(as_object(found, tmp_path))
    assert len(render(pages.page(found, "en"))) > 10_000


def test_a_search_is_confirmed_on_deals_that_chose_nothing(rigged: Answer) -> None:
    (found,) = rigged.searches
    stages = found.screening, found.confirmation.stage
    assert [stage.measured[0][0].deals for stage in stages] == [200, 300]
    (finalist, *_) = found.confirmation.finalists
    row = [one.name for one in stages[1].candidates].index(finalist.candidate.name)
    apart = stages[1].values[row] - stages[1].values[stages[1].reference]
    assert [one.goal for one in found.search.criteria] == ["most", "least"]
    worse = [one.worse for one in finalist.comparisons]
    assert worse == pytest.approx([-apart[0], apart[1]])


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


@pytest.mark.parametrize("column", ["score", "rounds"])
def test_curves_are_those_of_the_single_deals(rigged: Answer, column: str) -> None:
    (claimed,) = (one for one in rigged.claims if one.claim.name == "totals")
    (run,) = rigged.played[claimed.cases[0].setting].runs
    measure = measure_of(run.game, column)
    assert measure is not None
    every = range(measure.low, measure.high + 1)
    deals = by_deal(run, cumulated(run, column, every)).mean(axis=1)
    here, there = curve(run, column), Moments.from_values(deals)
    assert here.deals == there.deals
    assert here.mean == pytest.approx(there.mean)
    assert here.covariance == pytest.approx(there.covariance, abs=1e-12)


def test_a_search_holds_distributions_against_a_target(quietly: Play, tmp_path: Path) -> None:
    likeness = {"of": '"distribution"', "estimand": '"score"', "goal": '"least"', "target": "4"}
    likeness |= {"lineup": '"uniform"'}
    text = search(likeness, lineups='["uniform"]', deals="30", confirm="40", nearest="0")
    text = HEAD + claim(name='"seats"', lineups='"uniform"', deals="30") + text
    (found,) = answer(read(written(tmp_path, text)), quietly).searches
    for played, deals in ((found.screening, 30), (found.confirmation.stage, 40)):
        (rule,) = played.measured[played.reference]
        assert (rule.deals, rule.games) == (deals, deals)
        assert rule.interval()[0] <= rule.value < rule.interval()[1] <= 1


def test_how_it_was_played_and_ended_is_told(rigged: Answer) -> None:
    facts = dict(pages.page(rigged, "en").facts)
    assert re.fullmatch(r"0 of [\d,]+ games, without .* kept hands", facts["Unfinished games"])
    assert re.search(r"Python 3.*, Numba \d.*, Numpy \d", facts["Made with"])
    assert re.fullmatch("[0-9a-f]{64}", facts["Sources"])


def test_a_table_has_one_number_of_decimals(rigged: Answer) -> None:
    page = {one.id: one for part in pages.page(rigged, "en").sections for one in part.exhibits}
    for one in rigged.claims:
        lines = page[f"claim-{one.claim.name}"].table.lines
        cells = [cell for line in lines if not line.is_head for cell in line.cells[1:5]]
        numbers = [n for cell in cells for n in re.findall(r"\d+\.?\d*", cell)]
        assert {len(number.partition(".")[2]) for number in numbers} == {verdicts.digits(one)}
    text = verdicts.sentence(rigged, rigged.claims[1], "zh")
    assert "）（" not in text


def test_games_worth_reading_follow_their_rule(rigged: Answer) -> None:
    found = {one.rule: one for one in exemplars(rigged)}
    game = found["hand"]
    ((hand,),) = {
        tuple(
            {
                labels[seat]
                for labels, seats in zip(game.labels, game.firsts, strict=True)
                for seat in seats
            }
        )
    }
    # What is told is true of the games themselves: the cards, and what they were worth.
    dealt, scores = [], []
    for lines in replay(game.experiment, game.deal, game.deal + 1):
        start = next(line["start"] for line in lines if line["type"] == "round")
        hands = next(line["hands"] for line in lines if line["type"] == "deal")
        scored = next(line["round_scores"] for line in lines if line["type"] == "score")
        seat = (start + len(dealt) + int(hand)) % 3  # a hand goes one place on from game to game
        dealt.append(hands[seat])
        scores.append(tuple(scored))
        assert scored[seat] == max(scored) and scored.count(max(scored)) == 1
    assert len(dealt) == 3 and dealt[0] == dealt[1] == dealt[2]
    assert game.values == tuple(scores)
    shown = next(
        one
        for part in pages.page(rigged, "en").sections
        for one in part.exhibits
        if one.id.startswith("read-")
    )
    assert "by the first round" in shown.lead and "Result" not in shown.text
    assert all(len(line.cells) == 5 for line in shown.table.lines)
    if "gap" in found:
        game = found["gap"]
        best = game.experiment.lineups[0].labels[0]
        assert {game.labels[t][s] for t, seats in enumerate(game.firsts) for s in seats} == {best}
        assert len(game.others) == 3 and best not in {name for won in game.others for name in won}


def test_a_precision_is_one_of_the_headline(tmp_path: Path, quietly: Play) -> None:
    second = HEAD + HEAD[HEAD.index("[[family]]") :].replace('"all"', '"other"')
    text = (
        second
        + claim(variants='"rule"', lineups='"uniform"')
        + claim(name='"round"', variants='"rule"', lineups='"uniform"', estimand='"first_round"')
        + claim(name='"else"', family='"other"', variants='"kept"', lineups='"uniform"')
    )
    found = answer(read(written(tmp_path, text)), quietly, 0.05)
    deals = [one.cases[0].finding.contrasts.deals for one in found.claims]
    assert deals[0] == deals[1] >= 1000 and deals[2] == 300
    planned = [one.cases[0].finding.planned for one in found.claims]
    assert planned[0] is not None and planned[1:] == [300, None]


def test_games_are_planned_before(tmp_path: Path, file: str) -> None:
    question = read(file)
    assert games_planned(question, None) == question.games
    assert games_planned(question, 0.01) > 10 * games_planned(question, 0.1)
    (line,) = mistakes(tmp_path, claim(variants='"rule"', estimand='"first_round"'))
    assert "the first family of" in line and line.endswith("give --deals")


def test_a_precision_for_all_leaves_alone_what_has_no_share(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + claim(variants='"rule"', estimand='"first_round"'))
    (one,) = asked([path], {}, "1", False, [], is_all=True)
    assert one.half_width is None and one.note.endswith("games; played as it stands")


def mistakes(folder: Path, text: str) -> list[str]:
    path = written(folder, HEAD + text)
    with pytest.raises(Mistake) as caught:
        asked([path], {}, "1", False, [])
    return list(caught.value.problems)


# The command


def test_the_list_has_a_line_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["balance"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "schadenfreude/removal: Is the card removal for three players fair?" in lines


def test_the_same_bytes_for_any_jobs(
    capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path
) -> None:
    found = [
        object_of(capsys, file, "--deals", "100", "--jobs", jobs, "--out", str(tmp_path / jobs))
        for jobs in ("1", "3")
    ]
    bytes_of = [Path(one.pop("page")).read_bytes() for one in found]
    assert found[0] == found[1]
    assert bytes_of[0] == bytes_of[1]


def test_the_object_says_all_and_a_second_time_nothing_is_played(
    capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path, rigged: Answer
) -> None:
    found = object_of(capsys, file, "--out", str(tmp_path))
    assert [(one["name"], one["verdict"]) for one in found["claims"]] == [
        (one.claim.name, str(one.verdict)) for one in rigged.claims
    ]
    assert found["games"] == rigged.games
    difference = found["claims"][0]["settings"][0]["differences"][0]
    assert difference["low"] < difference["estimate"] < difference["high"]
    first, second = (value["mean"] for value in difference["values"])
    assert first - second == pytest.approx(difference["estimate"])
    assert all(value["low"] < value["mean"] < value["high"] for value in difference["values"])
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    assert {path.relative_to(tmp_path).parts[0] for path in files} == {"runs", "hands"}
    assert object_of(capsys, file, "--out", str(tmp_path)) == found
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == files


def test_all_that_ship_are_answered_with_an_index(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    browser: str,
) -> None:
    folder = tmp_path / "questions"
    folder.mkdir()
    text = HEAD + claim(variants='"rule"', lineups='"uniform"', deals="50")
    for name in ("one", "two"):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    files = {f"schadenfreude/{path.stem}": path for path in sorted(folder.iterdir())}
    monkeypatch.setattr(question_files, "shipped", lambda: files)
    monkeypatch.setattr("sim.cli.answers.shipped", lambda: files)
    found = object_of(capsys, "--all", "--out", str(tmp_path / "out"))
    assert [one["question"] for one in found["questions"]] == [*files]
    index = Path(found["index"])
    links = re.findall(r'<h3><a href="([^"]+)"', index.read_text(encoding="utf-8"))
    assert [(index.parent / link).exists() for link in links] == [True, True]
    with chromium(browser, tmp_path / "profile") as window:
        for width in (375, 1280):
            window.open(index, width, dark=width == 375)
            assert window.complaints == []
            assert not window.is_too_wide


def test_the_text_begins_with_the_verdict(
    capsys: pytest.CaptureFixture[str], file: str, tmp_path: Path
) -> None:
    words = ["balance", file, "--deals", "50", "--out", str(tmp_path), "--quiet", "--lang", "zh"]
    assert run(words) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.match("问题全部(公平|不公平|一致|不同|未定)", lines[0])
    assert lines[-1] == str(tmp_path / "balance-zh.html")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("schadenfreude/remove", "unknown question 'schadenfreude/remove' (did you mean 'schade"),
        ("no.toml", "no.toml: cannot be read: no such file or directory"),
        ("schadenfreude/removal --precision 0", "--precision: '0' is not allowed; allowed: perc"),
        ("schadenfreude/removal --precision much", "--precision: 'much' is not allowed"),
        ("schadenfreude/removal --deals 1", "--deals: '1' is not allowed; allowed: an integer 20"),
        ("schadenfreude/removal --seed -1", "--seed: '-1' is not allowed; allowed: an integer 0"),
        ("schadenfreude/removal --jobs 0", "--jobs: '0' is not allowed; allowed: an integer fro"),
        ("schadenfreude/removal --lang de", "--lang: unknown value 'de'"),
        (
            "schadenfreude/removal --precision 0.01",
            "schadenfreude/removal: --precision 0.01 would take",
        ),
        ("schadenfreude/removal --deals 9000000", "more than 100,000,000; give --force to play"),
    ],
)
def test_a_mistake_is_one_line(
    capsys: pytest.CaptureFixture[str], words: str, problem: str
) -> None:
    assert run(["balance", *words.split()]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    (line,) = seen.err.splitlines()
    assert problem in line


def test_all_mistakes_are_told_together(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + claim(margin="0", estimand='"win"'))
    with pytest.raises(Mistake) as caught:
        read(path, {"seed": "x"})
    assert len(caught.value.problems) == 3


# The page


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


def page_texts(page: Any) -> list[str]:
    return [exhibit.lead for section in page.sections for exhibit in section.exhibits]


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
