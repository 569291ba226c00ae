"""A claim as an exhibit: its figure, and the table of all its differences."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, replace
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from analysis.balance import Answer, Answered
from analysis.cases import Case
from analysis.fairness import Finding, Verdict
from analysis.intervals import Estimate
from analysis.power import games_to_notice, gap_variance
from analysis.winshares import contrast, games, measure_of, positions
from reports import comparisons, figures, hands
from reports.figures import Dot, Group, Spread
from reports.names import called
from reports.page import Exhibit
from reports.tables import Column, Line, Table, common, csv
from reports.verdicts import (
    amounts,
    axis,
    base_label,
    beside,
    case_word,
    estimates,
    file_name,
    held_against,
    label,
    margin,
    measured,
    noticed,
    pair_label,
    rounded,
    sentence,
    shown_difference,
    table_label,
)
from reports.words import UNKNOWN, capital, counted, decimal, say, whole
from sim.core.game import Words

if TYPE_CHECKING:
    import pandas as pd

_FIGURE = Words(
    "The dot is the difference and the whisker its 95 % interval; the shaded band is the margin.",
    "圆点为差异，横线为 95% 区间；阴影带为界限之内。",
)


_MORE_DEALS = Words("some {more} more would decide", "约再需 {more} 次发牌才能判定")


MOST_DRAWN = 2  # distributions of a claim that are drawn whole
MOST_LINES = 14  # of the table of a distribution; the CSV has all
_SHARES = Words(
    "Share of at most so many, in percentage points; {deals} each",
    "不超过该值的占比，单位为百分点；各{deals}",
)
_SOME_DRAWN = Words(
    "Where the shares of at most so many differ most, with every line-up; the first {n} are drawn "
    "whole below",
    "各阵容下，“不超过该值的占比”相差最大之处；前 {n} 个在下面完整画出",
)
_OVERLAY = Words(
    "Above, how often each value comes; triangles mark the means. Below, the difference of the "
    "cumulated shares with the band that holds for all values at once; the margin is shaded.",
    "上图为各数值出现的占比，三角为平均值。下图为累计占比之差及对全部数值同时成立的区间带；阴影为界限之内。",
)
_GAPS = Words("Gaps in every setting: {lineup}", "各设置下的差距：{lineup}")
_GAPS_LEAD = Words(
    "Each block is a setting, each dot a gap between two strategies of the line-up with its own "
    "95 % interval; the thin lines are the gaps of the first setting, shaded by the margin.",
    "每一块是一种设置，每个点是阵容中两种策略的差距及其 95% 区间；"
    "细线为第一种设置的差距，阴影为界限之内。",
)
_EACH = Words("{deals} each, the same for all", "各{deals}，全部相同")
_ELSEWHERE = Words(
    "other deals than under “{family}”, so that the same gap may come out a little differently",
    "与“{family}”所用的发牌不同，因此同一差距的数值会略有出入",
)
_UNSEEN = Words(
    "There are no games to notice it: at home no hand is dealt twice with other cards around it, "
    "so nobody sees how much it explains. What a card does can be noticed; see below.",
    "没有“能察觉所需局数”：在家里同一手牌不会配着别的牌再发一次，谁也看不出手牌决定了多少。"
    "某类牌的作用则可以察觉，见下文。",
)
_WHOSE = Words(
    "Kept is the hand of the 1st place, which is asked first; hands of the others were not kept.",
    "保留的是最先行动的第 1 位的手牌；其他顺位的手牌没有这样试过。",
)
_WITH_INTERVAL = Words("{title} (95\u00a0%)", "{title}（95%）")
_ONE_BY_ONE = Words("{text}; intervals in brackets hold one by one", "{text}；括号内的区间各自成立")
_BASE = Words("Compared with “{base}”.", "与“{base}”相比。")
_VALUE = Words("Drawn is how far it lies from {value}.", "图中为与{value}的差。")


def exhibits(answer: Answer, found: Answered, lang: str) -> list[Exhibit]:
    """A claim with all its differences, and what shows them best."""
    if found.claim.kind == "distribution":
        every = range(min(len(found.cases), MOST_DRAWN))
        drawn = [_distribution(answer, found, number, lang) for number in every]
        is_whole = len(drawn) == len(found.cases)
        return drawn if is_whole else [_largest(answer, found, lang), *drawn]
    first = _forest(answer, found, lang)
    if found.claim.kind == "ladder":
        return [first, *(_gaps(answer, found, name, lang) for name in found.claim.lineups)]
    if found.claim.kind == "hands":
        return [first, *hands.exhibits(answer, found, lang)]
    return [first]


def _largest(answer: Answer, found: Answered, lang: str) -> Exhibit:
    """Where each of many distributions differs most; the first ones are drawn whole as well."""
    claim, dots, lines = found.claim, [], []
    for case in found.cases:
        name, at = label(answer, claim, case.setting, lang), case.largest
        est, text = estimates(case)[at], amounts(found, case, lang)[at]
        dots.append(Dot(name, est, text))
        lines.append(
            Line(
                (
                    name,
                    Words("; ", "；")
                    .of(lang)
                    .join(
                        filter(None, (case_word(claim, case, lang), _missing(case.finding, lang)))
                    ),
                    pair_label(answer, claim, case, at, lang),
                    text.mean,
                    text.interval,
                    noticed(case.notice[at]),
                    whole(est.deals),
                )
            )
        )
    unit = axis(answer, claim, lang)
    svg = figures.differences([Group("", dots)], unit, scale=100, band=claim.margin)
    table = Table(
        (
            Column(Words("line-up", "阵容").of(lang), is_number=False),
            Column(Words("verdict", "结论").of(lang), "verdict", is_number=False),
            Column(Words("at", "数值").of(lang)),
            Column(Words("difference", "差异").of(lang), "points"),
            common("together", lang),
            common("notice", lang),
            Column(Words("deals", "发牌次数").of(lang), "deal"),
        ),
        tuple(lines),
        say(_SOME_DRAWN, lang, n=MOST_DRAWN),
        file_name(answer, f"{claim.name}-largest"),
        csv(frame((found,), is_short=True)),
    )
    title, lead = capital(claim.title.of(lang)), sentence(answer, found, lang)
    return Exhibit.drawn(f"largest-{claim.name}", title, lead, table, svg, _FIGURE.of(lang))


def _distribution(answer: Answer, found: Answered, number: int, lang: str) -> Exhibit:
    """Two distributions over each other, and the difference of their cumulated shares."""
    claim, case = found.claim, found.cases[number]
    game = answer.question.game
    assert case.against is not None
    measure = measure_of(game, claim.estimand)
    assert measure is not None
    spreads = []
    for setting in (case.against, case.setting):
        cell = answer.cells[setting]
        counts = np.atleast_2d(cell.totals[f"histogram/{claim.estimand}"]).sum(axis=0)
        mean = float((counts * np.arange(len(counts))).sum() / counts.sum()) + measure.low
        spreads.append(
            Spread(
                label(answer, claim, setting, lang),
                measure.low,
                counts.tolist(),
                mean,
                counted(games(cell), "game", lang),
            )
        )
    ests = estimates(case)
    drawn = comparisons.Cumulated(
        f"{spreads[1].label} − {spreads[0].label}",
        int(case.pairs[0].first),
        [est.mean for est in ests],
        [est.mean if est.low is None else est.low for est in ests],
        [est.mean if est.high is None else est.high for est in ests],
        claim.margin,
    )
    marks = []
    if claim.estimand == "score":
        rules = case.setting.variant.switches
        marks = [(int(rules[name]), words.of(lang)) for name, words in game.marks]
    svg = comparisons.overlay(spreads, measure.unit.of(lang), lang, marks=marks, difference=drawn)
    name = label(answer, claim, case.setting, lang)
    title = f"{capital(claim.title.of(lang))}{Words(': ', '：').of(lang)}{name}"
    one = replace(found, cases=(case,))
    missing = capital(_missing(case.finding, lang))
    lead = sentence(answer, one, lang)
    lead = _joined(lead, f"{missing}{Words('.', '。').of(lang)}", lang) if missing else lead
    key = f"claim-{claim.name}" + (f"-{number}" if number else "")
    step = -(-len(ests) // MOST_LINES)
    shown_ = sorted({*range(0, len(ests), step), case.largest})
    texts = amounts(one, case, lang)
    lines = [
        Line(
            (
                pair_label(answer, claim, case, i, lang),
                texts[i].mean,
                texts[i].interval,
                *(_value(one, value, lang) for value in case.values[i]),
                noticed(case.notice[i]),
            )
        )
        for i in shown_
    ]
    table = Table(
        (
            Column(measure.unit.of(lang), is_number=False),
            Column(Words("difference", "差异").of(lang), "points"),
            common("together", lang),
            *(_alone(spread.label, lang) for spread in reversed(spreads)),
            common("notice", lang),
        ),
        tuple(lines),
        _one_by_one(
            say(_SHARES, lang, deals=counted(case.finding.contrasts.deals, "deal", lang)), lang
        ),
        file_name(answer, f"{claim.name}-{number}"),
        csv(_with_values(one)),
    )
    return Exhibit.drawn(key, title, lead, table, svg, _OVERLAY.of(lang))


def _gaps(answer: Answer, found: Answered, lineup: str, lang: str) -> Exhibit:
    """The gaps of a ladder under every variant."""
    claim = found.claim
    game = answer.question.game
    cases = [case for case in found.cases if case.setting.lineup.name == lineup]
    settings = [cases[0].against, *(case.setting for case in cases)]
    groups, lines, rows = [], [], []
    for setting in settings:
        assert setting is not None
        cell = answer.cells[setting]
        name = table_label(answer, claim, setting, lang)
        dots, texts = [], []
        for above, below in pairwise(positions(cell, "strategy")):
            est = contrast(cell, game, "strategy", claim.estimand, above.members, below.members)
            text = shown_difference(found, est, lang)
            first, second = (called(answer.question, one.label, lang) for one in (above, below))
            dots.append(Dot(f"{first} − {second}", est, text))
            variance = gap_variance(cell, game, claim.estimand, above, below)
            notice = games_to_notice(est.mean, variance)
            named = {
                "variant": setting.variant.name,
                "players": setting.players,
                "gap": f"{above.label} − {below.label}",
            }
            rows.append(named | asdict(est) | {"games_to_notice": notice})
            texts.append(Line((dots[-1].label, text.mean, text.interval, noticed(notice))))
        groups.append(Group(name, dots))
        lines += [Line((name,)), *texts]
    number = claim.lineups.index(lineup)
    key = f"gaps-{claim.name}-{number}"
    unit = axis(answer, claim, lang)
    svg = comparisons.gaps(groups, unit, lang, scale=100 if claim.is_rate else 1, band=claim.margin)
    title = say(_GAPS, lang, lineup=called(answer.question, lineup, lang))
    lead = _GAPS_LEAD.of(lang)
    table = Table(
        (
            Column(Words("gap", "差距").of(lang), is_number=False),
            Column(capital(unit)),
            common("interval", lang),
            common("notice", lang),
        ),
        tuple(lines),
        _deals(answer, found, cases, lang),
        file_name(answer, key),
        csv(_table(rows)),
    )
    return Exhibit.drawn(key, title, lead, table, svg)


def _deals(answer: Answer, found: Answered, cases: Sequence[Case], lang: str) -> str:
    """On how many deals gaps stand, and where else the same ones stand on others."""
    claim = found.claim
    text = say(_EACH, lang, deals=counted(cases[0].finding.contrasts.deals, "deal", lang))
    ours = {(one.players, one.variant, one.lineup) for one in claim.settings}
    others = [
        answer.question.families[other.claim.family].title.of(lang)
        for other in answer.claims
        if (other.claim.kind, other.claim.estimand) == (claim.kind, claim.estimand)
        for one in other.claim.settings
        if one not in claim.settings and (one.players, one.variant, one.lineup) in ours
    ]
    if not others:
        return text
    return f"{text}{Words('; ', '；').of(lang)}{say(_ELSEWHERE, lang, family=others[0])}"


def _table(rows: list[dict[str, object]]) -> pd.DataFrame:
    import pandas as pd

    return pd.DataFrame(rows)


def _forest(answer: Answer, found: Answered, lang: str) -> Exhibit:
    """Forest plot and table of all differences."""
    claim = found.claim
    groups, lines = [], []
    for case in found.cases:
        name = label(answer, claim, case.setting, lang)
        texts, ests = amounts(found, case, lang), estimates(case)
        verdict = case_word(claim, case, lang)
        is_single = len(case.pairs) == 1
        dots = [
            Dot(name if is_single else pair_label(answer, claim, case, i, lang), est, text)
            for i, (est, text) in enumerate(zip(ests, texts, strict=True))
        ]
        head = f"{name}{Words(': ', '：').of(lang)}{verdict}"
        groups.append(Group("" if is_single else head, dots))
        lines.append(Line((_case_head(name, verdict, case, lang),)))
        for i, amount in enumerate(texts):
            notice = case.notice[i]
            lines.append(
                Line(
                    (
                        pair_label(answer, claim, case, i, lang),
                        amount.mean,
                        amount.interval,
                        *(_value(found, value, lang) for value in case.values[i]),
                        noticed(notice),
                        *((_saved(case.saved[i]),) if case.saved else ()),
                    )
                )
            )
    scale = 100 if claim.is_rate else 1
    unit = axis(answer, claim, lang)
    svg = figures.differences(groups, unit, scale=scale, band=claim.margin)
    title = capital(claim.title.of(lang))
    lead = sentence(answer, found, lang)
    note = _FIGURE.of(lang)
    if claim.kind == "hands":
        note = _joined(_joined(note, _WHOSE.of(lang), lang), _UNSEEN.of(lang), lang)
    base = found.cases[0].against
    if base:
        text = say(_BASE, lang, base=base_label(answer, claim, found.cases[0], lang))
        note = _joined(note, text, lang)
    if claim.kind == "value":
        against = held_against(answer, claim, found.cases[0], lang)
        note = _joined(note, say(_VALUE, lang, value=against), lang)
    key = f"claim-{claim.name}"
    heads = {
        "places": (Words("first", "前者"), Words("second", "后者")),
        "ladder": (Words("gap here", "此处差距"), Words("gap there", "对照差距")),
        "value": (Words("found", "实测值"), Words("held against", "对照值")),
        "comparability": (Words("here", "此处"), Words("there", "对照")),
        "distribution": (Words("here", "此处"), Words("there", "对照")),
        "hands": (Words("here", "此处"), Words("there", "对照")),
    }[claim.kind]
    table = Table(
        (
            Column("", is_number=False),
            Column(Words("difference", "差异").of(lang), "points" if claim.is_rate else ""),
            common("together", lang),
            _alone(heads[0].of(lang), lang),
            Column(heads[1].of(lang)) if claim.kind == "value" else _alone(heads[1].of(lang), lang),
            common("notice", lang),
            *((Column(Words("saved", "节省").of(lang), "saved"),) if found.cases[0].saved else ()),
        ),
        tuple(lines),
        _one_by_one(
            say(
                Words("{unit}; margin {margin}", "单位：{unit}；界限 {margin}"),
                lang,
                unit=capital(unit),
                margin=margin(answer, claim, lang),
            ),
            lang,
        ),
        file_name(answer, claim.name),
        csv(_with_values(found)),
    )
    return Exhibit.drawn(key, title, lead, table, svg, note)


def _joined(first: str, second: str, lang: str) -> str:
    return f"{first}{'' if lang == 'zh' else ' '}{second}"


def _case_head(name: str, verdict: str, case: Case, lang: str) -> str:
    n, finding = counted(case.finding.contrasts.deals, "deal", lang), case.finding
    texts = [f"{name}：{verdict}，{n}" if lang == "zh" else f"{name}: {verdict}, {n}"]
    texts += [beside(case, lang), _missing(finding, lang)]
    return Words("; ", "；").of(lang).join(filter(None, texts))


def _missing(finding: Finding, lang: str) -> str:
    """What it takes to decide what is open, in a clause; else ''."""
    if finding.more_deals:
        return say(_MORE_DEALS, lang, more=whole(rounded(finding.more_deals)))
    return finding.reason.of(lang) if finding.verdict == Verdict.INCONCLUSIVE else ""


def _saved(factor: float | None) -> str:
    return UNKNOWN if factor is None else f"{decimal(factor, 2)} ×"


def _value(found: Answered, value: Estimate | float, lang: str) -> str:
    """What a difference subtracts; if it was measured, with its own interval."""
    text = measured(found, value, lang)
    return text.both if isinstance(value, Estimate) else text.mean


def _alone(title: str, lang: str) -> Column:
    """Head of a column of values with intervals that hold one by one."""
    return Column(say(_WITH_INTERVAL, lang, title=title), "interval")


def _one_by_one(text: str, lang: str) -> str:
    """A caption, and what the intervals in brackets are."""
    return say(_ONE_BY_ONE, lang, text=text)


def _with_values(found: Answered) -> pd.DataFrame:
    """`frame` of a claim, and the two values of every difference with intervals of their own."""
    import pandas as pd

    every = [values for case in found.cases for values in case.values]
    values = pd.DataFrame(
        [_ends(first, "first") | _ends(second, "second") for first, second in every]
    )
    return pd.concat([frame((found,)), values], axis=1)


def _ends(value: Estimate | float, name: str) -> dict[str, float | None]:
    """A value and its interval as columns; a plain number has no interval."""
    if not isinstance(value, Estimate):
        return {f"{name}_mean": value}
    return {f"{name}_mean": value.mean, f"{name}_low": value.low, f"{name}_high": value.high}


def frame(claims: Sequence[Answered], *, is_short: bool = False) -> pd.DataFrame:
    """Every difference: claim, setting, pair, estimate, interval, n, verdict and p-values.

    In short a distribution, which has a hundred of them, has only the largest one.
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "family": found.claim.family,
                "claim": found.claim.name,
                "estimand": found.claim.estimand,
                "players": case.setting.players,
                "variant": case.setting.variant.name,
                "lineup": case.setting.lineup.name,
                "first": pair.first,
                "second": pair.second,
                "difference": est.mean,
                "se": est.se,
                "low": est.low,
                "high": est.high,
                "margin": found.claim.margin,
                "deals": est.deals,
                "games": est.games,
                "games_to_notice": notice,
                "variance_reduction": case.saved[i] if case.saved else None,
                "verdict": str(case.finding.verdict),
                "p_fair": case.finding.p_fair,
                "p_unfair": case.finding.p_unfair,
            }
            for found in claims
            for case in found.cases
            for i, (pair, est, notice) in enumerate(
                zip(case.pairs, estimates(case), case.notice, strict=True)
            )
            if not (is_short and found.claim.kind == "distribution") or i == case.largest
        ]
    )
