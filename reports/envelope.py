"""How far verdicts depend on who plays: the envelope over all line-ups, in units of the margin."""

from __future__ import annotations

from dataclasses import replace

from analysis.balance import Answer, Answered, together
from analysis.cases import Case
from analysis.fairness import Verdict
from analysis.intervals import Estimate
from reports import figures
from reports.claims import frame
from reports.figures import Dot, Group
from reports.names import called
from reports.page import Exhibit, Section
from reports.tables import Column, Line, Table, common, csv
from reports.verdicts import (
    estimates,
    file_name,
    margin,
    noticed,
    players,
    shown_difference,
    turned,
    word,
)
from reports.words import capital, say
from sim.core.game import Words

_TITLE = Words("How far does it depend on who plays?", "结论在多大程度上取决于谁在打？")
_SAME = Words(
    "{all} claims were asked of several line-ups. {same} have one verdict for all of them, {open} "
    "are not known for all, and none is fair for one and unfair for another.",
    "有 {all} 个论点问过多种阵容：{same} 个的结论对每种阵容都一样，{open} 个对部分阵容尚不能判断，"
    "没有一个对某种阵容公平而对另一种不公平。",
)
_DEPENDS = Words(
    "{all} claims were asked of several line-ups. {same} have one verdict for all of them, {open} "
    "are not known for all. It depends on who plays: {which}.",
    "有 {all} 个论点问过多种阵容：{same} 个的结论对每种阵容都一样，{open} 个对部分阵容尚不能判断。"
    "取决于谁在打的有：{which}。",
)
_FIGURE = Words(
    "From the line-up that differs least to the one that differs most, in margins: beyond 1 a "
    "difference matters.",
    "从差异最小的阵容到差异最大的阵容，以界限为单位：超过 1 即有影响。",
)
_EXHIBIT = Words("The envelope of every claim", "每个论点的范围")
_AXIS = Words("margins", "界限的倍数")
_WITHIN = Words("{claim}, margin {margin}", "{claim}，界限 {margin}")


def section(answer: Answer, lang: str) -> Section | None:
    """The claims that were asked of several line-ups; None if there are none."""
    every = [one for one in answer.claims if len(one.claim.lineups) > 1]
    if not every:
        return None
    depends = [one for one in every if {Verdict.FAIR, Verdict.UNFAIR} <= set(_verdicts(one))]
    same = [one for one in every if {*_verdicts(one)} in ({Verdict.FAIR}, {Verdict.UNFAIR})]
    lead = say(
        _DEPENDS if depends else _SAME,
        lang,
        all=len(every),
        same=len(same),
        open=len(every) - len(same) - len(depends),
        which=Words("; ", "；").of(lang).join(one.claim.title.of(lang) for one in depends),
    )
    groups, lines = [], []
    for one in every:
        title = capital(one.claim.title.of(lang))
        ends = one.ends
        groups.append(Group(title, [_dot(answer, one, case, lang) for case in ends]))
        within = say(_WITHIN, lang, claim=title, margin=margin(answer, one.claim, lang))
        lines.append(Line((f"{within}{Words(': ', '：').of(lang)}{_tally(one, lang)}",)))
        lines += [_line(answer, one, case, lang) for case in ends]
    note = _FIGURE.of(lang)
    svg = figures.dots(groups, _AXIS.of(lang), reference=(0.0, ""), band=1.0)
    table = Table(
        (
            Column(Words("line-up", "阵容").of(lang), is_number=False),
            Column(Words("difference", "差异").of(lang)),
            common("together", lang),
            common("notice", lang),
        ),
        tuple(lines),
        Words(
            "The line-ups that differ least and most; all are in the CSV",
            "差异最小与最大的阵容；全部数据见 CSV",
        ).of(lang),
        file_name(answer, "envelope"),
        csv(frame(every)),
    )
    exhibit = Exhibit.drawn("envelope", _EXHIBIT.of(lang), note, table, svg)
    return Section("about-envelope", _TITLE.of(lang), lead, (exhibit,))


def _verdicts(one: Answered) -> list[Verdict]:
    """The verdict of every line-up."""
    return [
        together(case.finding.verdict for case in _cases(one, name)) for name in one.claim.lineups
    ]


def _cases(one: Answered, lineup: str) -> list[Case]:
    return [case for case in one.cases if case.setting.lineup.name == lineup]


def _tally(one: Answered, lang: str) -> str:
    each = [replace(one, cases=tuple(_cases(one, name))) for name in one.claim.lineups]
    every = sorted(each, key=lambda part: list(Verdict).index(part.verdict))
    words = [word(part, lang) for part in every]
    parts = [f"{name} {words.count(name)}" for name in dict.fromkeys(words)]
    return Words(", ", "，").of(lang).join(parts)


def _estimate(one: Answered, case: Case) -> Estimate:
    """The largest difference; without its sign where only the size is claimed."""
    found = estimates(case)[case.largest]
    return turned(found) if found.mean < 0 and not one.claim.is_signed else found


def _name(answer: Answer, one: Answered, case: Case, lang: str) -> str:
    """The line-up, and the variant and the number of players where those compared differ."""
    here, others = case.setting, [each.setting for each in one.cases]
    parts = [called(answer.question, here.lineup.name, lang)]
    if len({each.variant for each in others}) > 1:
        parts.append(answer.question.variants[here.variant.name].of(lang))
    if len({each.players for each in others}) > 1:
        parts.append(players(here.players, lang))
    return Words(", ", "，").of(lang).join(parts)


def _dot(answer: Answer, one: Answered, case: Case, lang: str) -> Dot:
    est = _estimate(one, case)
    unit = one.claim.margin
    scaled = replace(
        est,
        mean=est.mean / unit,
        low=None if est.low is None else est.low / unit,
        high=None if est.high is None else est.high / unit,
    )
    return Dot(_name(answer, one, case, lang), scaled, shown_difference(one.claim, est, lang))


def _line(answer: Answer, one: Answered, case: Case, lang: str) -> Line:
    text = shown_difference(one.claim, _estimate(one, case), lang)
    return Line(
        (
            _name(answer, one, case, lang),
            text.mean,
            text.interval,
            noticed(case.notice[case.largest]),
        )
    )
