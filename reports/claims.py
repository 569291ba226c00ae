"""A claim as an exhibit: its figure, and the table of all its differences."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from analysis.balance import Answer, Answered
from analysis.cases import Case
from analysis.fairness import Verdict
from analysis.questions import Claim
from reports import figures
from reports.figures import Dot, Group
from reports.page import Exhibit
from reports.tables import Column, Line, Table, csv
from reports.theme import inline
from reports.verdicts import (
    VERDICTS,
    amounts,
    base_label,
    estimates,
    file_name,
    label,
    margin,
    noticed,
    pair_label,
    rounded,
    sentence,
    unit,
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


_BASE = Words("Compared with “{base}”.", "与“{base}”相比。")


def exhibit(answer: Answer, found: Answered, lang: str) -> Exhibit:
    """A claim: forest plot and table of all its differences."""
    claim = found.claim
    groups, lines = [], []
    for case in found.cases:
        name = label(answer, claim, case.setting, lang)
        texts, ests = amounts(claim, case, lang), estimates(case)
        verdict = VERDICTS[claim.kind][case.finding.verdict].of(lang)
        is_single = len(case.pairs) == 1
        dots = [
            Dot(name if is_single else pair_label(claim, case, i, lang), est, text)
            for i, (est, text) in enumerate(zip(ests, texts, strict=True))
        ]
        groups.append(Group("" if is_single else f"{name}: {verdict}", dots))
        lines.append(Line((_case_head(name, verdict, case, lang),)))
        for i, amount in enumerate(texts):
            first, second = case.values[i]
            notice = case.notice[i]
            lines.append(
                Line(
                    (
                        pair_label(claim, case, i, lang),
                        amount.mean,
                        amount.interval,
                        _value(claim, first, lang),
                        _value(claim, second, lang),
                        noticed(notice),
                        *((_saved(case.saved[i]),) if case.saved else ()),
                    )
                )
            )
    scale = 100 if claim.is_rate else 1
    axis = (
        Words("percentage points", "百分点").of(lang)
        if claim.is_rate
        else unit(answer, claim, lang)
    )
    svg = figures.dots(groups, axis, scale=scale, reference=(0.0, ""), band=claim.margin)
    title = capital(claim.title.of(lang))
    lead = sentence(answer, found, lang)
    note = _FIGURE.of(lang)
    base = found.cases[0].against
    if base:
        text = say(_BASE, lang, base=base_label(answer, claim, found.cases[0], lang))
        note = f"{note}{'' if lang == 'zh' else ' '}{text}"
    key = f"claim-{claim.name}"
    heads = {
        "places": (Words("first", "前者"), Words("second", "后者")),
        "ladder": (Words("gap here", "此处差距"), Words("gap there", "对照差距")),
        "comparability": (Words("here", "此处"), Words("there", "对照")),
        "distribution": (Words("here", "此处"), Words("there", "对照")),
    }[claim.kind]
    table = Table(
        (
            Column("", is_number=False),
            Column(Words("difference", "差异").of(lang), "points" if claim.is_rate else ""),
            Column(Words("95 %", "95%").of(lang), "together"),
            *(Column(head.of(lang)) for head in heads),
            Column(Words("games to notice", "能察觉所需局数").of(lang), "notice"),
            *((Column(Words("saved", "节省").of(lang), "saved"),) if base else ()),
        ),
        tuple(lines),
        say(
            Words("{unit}; margin {margin}", "单位：{unit}；界限 {margin}"),
            lang,
            unit=capital(axis),
            margin=margin(answer, claim, lang),
        ),
        file_name(answer, claim.name),
        csv(frame((found,))),
    )
    return Exhibit(key, title, lead, table, inline(svg, f"{key}-figure", title, lead), note)


def _case_head(name: str, verdict: str, case: Case, lang: str) -> str:
    n = counted(case.finding.contrasts.deals, "deal", lang)
    text = f"{name}：{verdict}，{n}" if lang == "zh" else f"{name}: {verdict}, {n}"
    if case.finding.verdict != Verdict.INCONCLUSIVE:
        return text
    more = case.finding.more_deals
    why = case.finding.reason.of(lang)
    if more is not None:
        why = say(_MORE_DEALS, lang, more=whole(rounded(more)))
    return f"{text}；{why}" if lang == "zh" else f"{text}; {why}"


def _saved(factor: float | None) -> str:
    return UNKNOWN if factor is None else f"{decimal(factor, 2)} ×"


def _value(claim: Claim, value: float, lang: str) -> str:
    return decimal(100 * value, 2) if claim.is_rate else decimal(value, 2)


def frame(claims: Sequence[Answered]) -> pd.DataFrame:
    """Every difference: claim, setting, pair, estimate, interval, n, verdict and p-values."""
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
        ]
    )
