"""How far verdicts depend on who plays: the envelope over all line-ups, in units of the margin."""

from __future__ import annotations

import re
from dataclasses import replace

from analysis.balance import Answer, Answered
from analysis.cases import Case
from analysis.fairness import Verdict
from analysis.intervals import Estimate
from reports import figures
from reports.claims import frame
from reports.figures import Dot, Group
from reports.page import Exhibit, Section
from reports.tables import Column, Line, Table, common, csv
from reports.verdicts import (
    amount,
    case_label,
    estimates,
    file_name,
    margin,
    noticed,
    pair_label,
    shown_difference,
    table_label,
    turned,
    word,
)
from reports.words import capital, say, shown
from sim.core.game import Words

ID = "about-envelope"
IN_MARGINS = 2  # decimals of a difference in margins
_TITLE = Words("How far does it depend on who plays?", "结论在多大程度上取决于谁在打？")
_SAME = Words(
    "In {same} of {all} claims not at all: one verdict whoever plays.",
    "{all} 个论点中，{same} 个完全不取决：无论谁打，结论都一样。",
)
_DEPENDS = Words("In {depends} it does: {which}.", "{depends} 个取决于谁在打：{which}。")
_OPEN = Words("In {open} the verdict is open for some line-ups.", "{open} 个对部分阵容尚未可知。")
_WIDEST = Words(
    "The widest range, in margins: {claim}, from {low} ({first}) to {high} ({last}).",
    "以界限衡量，范围最宽的是：{claim}，从{low}（{first}）到{high}（{last}）。",
)
_FIGURE = Words(
    "From the line-up that differs least to the one that differs most, in margins of the claim: "
    "beyond 1 a difference matters. Of gaps between strategies each line-up has its own, and the "
    "largest of each counts. Differences between places have no sign; with a sign + is more than "
    "what it is compared with, − is less.",
    "从差异最小的阵容到差异最大的阵容，以该论点的界限为单位：超过 1 即有影响。"
    "策略之间的差距因阵容而异，各取最大的一个。"
    "顺位之间的差异不带正负号；带号时，+ 表示比对照多，− 表示比对照少。",
)
_EXHIBIT = Words("The envelope of every claim", "每个论点的范围")
_AXIS = Words("margins", "界限的倍数")
_WITHIN = Words("{claim}, margin {margin}", "{claim}，界限 {margin}")


def section(answer: Answer, lang: str) -> Section | None:
    """The claims that were asked of several line-ups; None if there are none."""
    every = _asked(answer)
    if not every:
        return None
    groups, lines = [], []
    for one in every:
        title, ends = capital(one.claim.title.of(lang)), one.ends
        within = say(_WITHIN, lang, claim=title, margin=margin(answer, one.claim, lang))
        groups.append(Group(within, [_dot(answer, one, case, lang) for case in ends]))
        lines.append(Line((f"{within}{Words(': ', '：').of(lang)}{_tally(one, lang)}",)))
        lines += [_line(answer, one, case, lang) for case in ends]
    svg = figures.differences(groups, _AXIS.of(lang), band=1.0)
    table = Table(
        (
            Column(Words("line-up", "阵容").of(lang), is_number=False),
            Column(Words("difference", "差异").of(lang)),
            common("together", lang),
            common("notice", lang),
        ),
        tuple(lines),
        Words(
            "The line-ups that differ least and most; verdicts are counted by settings, which are "
            "all in the CSV",
            "差异最小与最大的阵容；结论按设置计数，全部数据见 CSV",
        ).of(lang),
        file_name(answer, "envelope"),
        csv(frame(every, is_short=True)),
    )
    exhibit = Exhibit.drawn("envelope", _EXHIBIT.of(lang), _FIGURE.of(lang), table, svg)
    return Section(ID, _title(answer, lang), _found(answer, every, lang), (exhibit,))


def in_short(answer: Answer, lang: str) -> tuple[str, str, str] | None:
    """Link, question and answer in a few words; None if no claim was asked of several line-ups."""
    every = _asked(answer)
    return (ID, _title(answer, lang), _found(answer, every, lang)) if every else None


def _asked(answer: Answer) -> list[Answered]:
    return [one for one in answer.claims if len(one.claim.lineups) > 1]


def _title(answer: Answer, lang: str) -> str:
    """Where the titles of all families are numbered, with the number that comes next."""
    numbers = [re.match(r"\d+", one.title.of(lang)) for one in answer.question.families.values()]
    last = max((int(one[0]) for one in numbers if one), default=0)
    return (f"{last + 1}. " if all(numbers) else "") + _TITLE.of(lang)


def _found(answer: Answer, every: list[Answered], lang: str) -> str:
    """How many verdicts hold for all line-ups, which do not, and the widest range."""
    depends = [one for one in every if _depends(one)]
    same = [one for one in every if _is_same(one)]
    n_open = len(every) - len(same) - len(depends)
    titles = Words("; ", "；").of(lang).join(one.claim.title.of(lang) for one in depends)
    texts = [say(_SAME, lang, all=len(every), same=len(same))]
    texts += [say(_DEPENDS, lang, depends=len(depends), which=titles)] if depends else []
    texts += [say(_OPEN, lang, open=n_open)] if n_open else []
    widest = max(every, key=lambda one: _width(one) / one.claim.margin)
    sides = [shown_difference(widest, _estimate(widest, case), lang).mean for case in widest.ends]
    low, high = (_signed(widest, case, side) for case, side in zip(widest.ends, sides, strict=True))
    first, last = (_label(answer, widest, case, lang) for case in widest.ends)
    range_ = say(
        _WIDEST,
        lang,
        claim=widest.claim.title.of(lang),
        low=low,
        high=amount(answer, widest.claim, high, lang),
        first=first,
        last=last,
    )
    return ("" if lang == "zh" else " ").join([*texts, range_])


def _width(one: Answered) -> float:
    """How far the ends of a claim lie apart."""
    low, high = (_estimate(one, case).mean for case in one.ends)
    return abs(high - low)


def _verdicts(one: Answered) -> list[set[Verdict]]:
    """The verdicts of all line-ups, for each variant and number of players of its own.

    Taken together over the variants, one line-up's odd variant would hide behind another's.
    """
    found: dict[tuple[str, int], set[Verdict]] = {}
    for case in one.cases:
        where = case.setting.variant.name, case.setting.players
        found.setdefault(where, set()).add(case.finding.verdict)
    return [*found.values()]


def _depends(one: Answered) -> bool:
    """Whether somewhere one line-up's verdict is the opposite of another's."""
    return any({Verdict.FAIR, Verdict.UNFAIR} <= each for each in _verdicts(one))


def _is_same(one: Answered) -> bool:
    """Whether everywhere all line-ups have the same verdict."""
    return all(each in ({Verdict.FAIR}, {Verdict.UNFAIR}) for each in _verdicts(one))


def _label(answer: Answer, one: Answered, case: Case, lang: str) -> str:
    """Whose difference it is: of a ladder, whose line-ups have gaps of their own, which gap."""
    if one.claim.kind != "ladder":
        return case_label(answer, one, case, lang)
    gap = pair_label(answer, one.claim, case, case.largest, lang)
    where = table_label(answer, one.claim, case.setting, lang)
    return Words("; ", "；").of(lang).join(filter(None, (gap, where)))


def _tally(one: Answered, lang: str) -> str:
    each = [replace(one, cases=(case,)) for case in one.cases]
    every = sorted(each, key=lambda part: list(Verdict).index(part.verdict))
    words = [word(part, lang) for part in every]
    parts = [f"{name} {words.count(name)}" for name in dict.fromkeys(words)]
    return Words(", ", "，").of(lang).join(parts)


def _estimate(one: Answered, case: Case) -> Estimate:
    """The largest difference; without its sign between places, whose order says nothing."""
    found = estimates(case)[case.largest]
    return turned(found) if found.mean < 0 and one.claim.kind == "places" else found


def _signed(one: Answered, case: Case, text: str) -> str:
    """A number with + where a sign says something and it is more."""
    return f"+{text}" if one.claim.kind != "places" and case.signed > 0 else text


def _dot(answer: Answer, one: Answered, case: Case, lang: str) -> Dot:
    est = _estimate(one, case)
    unit = one.claim.margin
    scaled = replace(
        est,
        mean=est.mean / unit,
        low=None if est.low is None else est.low / unit,
        high=None if est.high is None else est.high / unit,
    )
    text = shown(scaled, lang, is_rate=False, digits=IN_MARGINS)
    text = replace(text, mean=_signed(one, case, text.mean))
    return Dot(_label(answer, one, case, lang), scaled, text)


def _line(answer: Answer, one: Answered, case: Case, lang: str) -> Line:
    text = shown_difference(one, _estimate(one, case), lang)
    return Line(
        (
            _label(answer, one, case, lang),
            _signed(one, case, text.mean),
            text.interval,
            noticed(case.notice[case.largest]),
        )
    )
