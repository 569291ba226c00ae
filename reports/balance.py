"""The page that answers a balance question: the verdict first, then a claim after the other."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from analysis.balance import Answer, Answered
from analysis.cases import Case
from analysis.fairness import Verdict
from analysis.intervals import Estimate
from analysis.questions import Claim, Setting
from analysis.winshares import deals, measure_of
from reports import figures
from reports.build import FONT, rules_table
from reports.figures import Dot, Group
from reports.glossary import BALANCE
from reports.page import Exhibit, Key, Page, Section, render
from reports.tables import Column, Line, Table, csv
from reports.theme import inline
from reports.words import (
    NBSP,
    UNKNOWN,
    Shown,
    capital,
    count_word,
    counted,
    decimal,
    ordinal,
    points,
    say,
    shown,
    whole,
)
from sim import __version__
from sim.core.game import Words

if TYPE_CHECKING:
    import pandas as pd

MOST_NOTICED = 1_000_000  # games; nobody plays more

_FAIRNESS = {
    Verdict.FAIR: Words("FAIR", "公平"),
    Verdict.UNFAIR: Words("UNFAIR", "不公平"),
    Verdict.INCONCLUSIVE: Words("INCONCLUSIVE", "未定"),
}
_SAMENESS = _FAIRNESS | {
    Verdict.FAIR: Words("SAME", "一致"),
    Verdict.UNFAIR: Words("DIFFERENT", "不同"),
}
VERDICTS = {  # by kind
    "places": _FAIRNESS,
    "ladder": _SAMENESS,
    "comparability": _SAMENESS,
    "distribution": _SAMENESS,
}
PERCENTAGE_POINTS = Words("percentage points", "个百分点")

_LARGEST = {
    "places": Words(
        "the {first} place is {size} ahead of the {second}", "{first}比{second}多{size}"
    ),
    "ladder": Words(
        "{first} is ahead of {second} by {size} {more} than with “{base}”",
        "{first}领先{second}的幅度比“{base}”{more}{size}",
    ),
    "comparability": Words("{size} {more} than with “{base}”", "比“{base}”{more}{size}"),
    "distribution": Words(
        "{size} {more} than with “{base}” have at most {first}",
        "不超过 {first} 的占比，比“{base}”{more}{size}",
    ),
}
_MORE, _LESS = Words("more", "多"), Words("less", "少")
_MEANS = {
    Verdict.FAIR: Words(
        "every difference is smaller than the margin of {margin}", "所有差异都小于界限 {margin}"
    ),
    Verdict.UNFAIR: Words(
        "a difference is larger than the margin of {margin}", "有差异大于界限 {margin}"
    ),
    Verdict.INCONCLUSIVE: Words(
        "these games cannot tell whether it is within the margin of {margin}",
        "这些对局还不能判断是否超出界限 {margin}",
    ),
}
_SENTENCE = Words(
    "{verdict}{where}: {means}. The largest: {largest} ({interval}).",
    "{verdict}{where}：{means}。最大的差异：{largest}（{interval}）。",
)
_HEADLINE = Words(
    "{question} {verdict}{where}: {largest} ({interval}), {side}.",
    "{question}{verdict}{where}：{largest}（{interval}），{side}。",
)
_SIDE = {
    Verdict.FAIR: Words(
        "and nothing reaches the margin of {margin}", "所有差异都未达到界限 {margin}"
    ),
    Verdict.UNFAIR: Words("beyond the margin of {margin}", "超出界限 {margin}"),
    Verdict.INCONCLUSIVE: Words(
        "not clearly on either side of the margin of {margin}", "还不能判断是否超出界限 {margin}"
    ),
}
_IN = Words(" with {label}", "（{label}）")
_COUNT = Words("{verdict} in {count}", "{verdict} {count}")
_ALL = Words("Of {all} settings: {counts}.", "共 {all} 种设置：{counts}。")
_KEY = Words("{title} {verdict}, largest difference", "{title}{verdict}，最大差异")
_FIGURE = Words(
    "The dot is the difference and the whisker its 95 % interval; the shaded band is the margin.",
    "圆点为差异，横线为 95% 区间；阴影带为界限之内。",
)
_MORE_DEALS = Words("some {more} more would decide", "约再需 {more} 次发牌才能判定")
_BASE = Words("Compared with “{base}”.", "与“{base}”相比。")
_FAMILY = Words(
    "The {count} verdicts under this heading are decided together (Holm).",
    "本标题下的 {count} 个结论一并判断（Holm）。",
)
_ONE = Words("One verdict.", "一个结论。")


def build(answer: Answer, lang: str, path: Path, command: str = "") -> Path:
    """Write the page of an answer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(page(answer, lang, command)), encoding="utf-8", newline="\n")
    return path


def page(answer: Answer, lang: str, command: str = "") -> Page:
    """What the page of an answer shows."""
    question = answer.question
    title = question.title.of(lang)
    return Page(
        lang=lang,
        title=f"{title} | fairdeal",
        kicker=f"{question.game.title.of(lang)} · {title}",
        headline=headline(answer, lang),
        keys=tuple(_keys(answer, lang)),
        sections=(_verdicts(answer, lang), *_families(answer, lang)),
        facts=tuple(_facts(answer, lang, command)),
        rules=_rules(answer, lang),
        terms=BALANCE,
    )


def headline(answer: Answer, lang: str) -> str:
    """The verdict on the first family of claims, and what carries it, in a sentence."""
    family, title = next(iter(answer.question.families.items()))
    claims = [found for found in answer.claims if found.claim.family == family]
    worst = _worst(claims)
    text = say(
        _HEADLINE,
        lang,
        question=title.of(lang),
        verdict=VERDICTS[worst.claim.kind][worst.verdict].of(lang),
        **_spoken(answer, worst, worst.decisive, lang),
        interval=_interval(worst.claim, worst.decisive, lang),
        side=say(_SIDE[worst.verdict], lang, margin=_margin(answer, worst.claim, lang)),
    )
    if sum(len(found.cases) for found in claims) == 1:
        return text
    return f"{text}{'' if lang == 'zh' else ' '}{_counts(claims, lang)}"


def sentence(answer: Answer, found: Answered, lang: str) -> str:
    """What is found about a claim, in a sentence or two."""
    case = found.decisive
    text = say(
        _SENTENCE,
        lang,
        verdict=VERDICTS[found.claim.kind][found.verdict].of(lang),
        means=say(_MEANS[found.verdict], lang, margin=_margin(answer, found.claim, lang)),
        **_spoken(answer, found, case, lang),
        interval=_interval(found.claim, case, lang),
    )
    if len(found.cases) == 1:
        return text
    return f"{text}{'' if lang == 'zh' else ' '}{_counts([found], lang)}"


def label(answer: Answer, claim: Claim, setting: Setting, lang: str) -> str:
    """What tells a setting from the others of its claim."""
    parts = []
    every = claim.settings
    if len({other.variant for other in every}) > 1:
        parts.append(answer.question.variants[setting.variant.name].of(lang))
    if len({other.players for other in every}) > 1:
        parts.append(_players(setting.players, lang))
    if len({other.lineup.name for other in every}) > 1 or not parts:
        parts.append(setting.lineup.name)
    return ("，" if lang == "zh" else ", ").join(parts)


def pair_label(claim: Claim, case: Case, number: int, lang: str) -> str:
    """What a difference subtracts."""
    pair = case.pairs[number]
    if claim.kind == "places":
        first, second = (ordinal(int(place) + 1, lang) for place in (pair.first, pair.second))
        return f"{first} − {second}"
    if claim.kind == "ladder":
        return f"{pair.first} − {pair.second}"
    if claim.kind == "distribution":
        return f"≤ {pair.first}"
    return Words("difference", "差异").of(lang)


def amounts(claim: Claim, case: Case, lang: str) -> list[Shown]:
    """Every difference with its interval as text, without a unit."""
    return [_shown(claim, est, lang) for est in estimates(case)]


def estimates(case: Case) -> list[Estimate]:
    """Every difference with the interval that holds together with the others."""
    found, half, se = case.finding.contrasts, case.half_width, case.finding.contrasts.se
    return [
        Estimate(
            float(mean),
            None if se is None else float(se[i]),
            None if half is None else float(mean - half[i]),
            None if half is None else float(mean + half[i]),
            found.deals,
            case.games,
        )
        for i, mean in enumerate(found.estimate)
    ]


# Words


def _worst(claims: Sequence[Answered]) -> Answered:
    """The claim that is furthest from fair, and of those the one nearest to its margin."""
    order = [Verdict.FAIR, Verdict.INCONCLUSIVE, Verdict.UNFAIR]

    def distance(found: Answered) -> tuple[int, float]:
        largest = abs(found.decisive.finding.contrasts.estimate).max()
        return order.index(found.verdict), float(largest) / found.claim.margin

    return max(claims, key=distance)


def _spoken(answer: Answer, found: Answered, case: Case, lang: str) -> dict[str, str]:
    """The largest difference, and where: a verdict of FAIR holds in all settings."""
    where, largest = (
        _where(answer, found, case, lang),
        _largest(answer, found.claim, case, lang),
    )
    if found.verdict == Verdict.FAIR:
        return {"where": "", "largest": largest + where}
    return {"where": where, "largest": largest}


def _where(answer: Answer, found: Answered, case: Case, lang: str) -> str:
    """The setting that is spoken of, where there are several."""
    if len(found.cases) == 1:
        return ""
    return say(_IN, lang, label=label(answer, found.claim, case.setting, lang))


def _players(count: int, lang: str) -> str:
    return say(Words("{count} players", "{count}人局"), lang, count=count_word(count, lang))


def _unit(answer: Answer, claim: Claim, lang: str) -> str:
    if claim.is_rate:
        return PERCENTAGE_POINTS.of(lang)
    measure = measure_of(answer.question.game, claim.estimand)
    return measure.unit.of(lang) if measure else ""


def _amount(answer: Answer, claim: Claim, text: str, lang: str) -> str:
    """A difference with its unit, if that is one of wins or of the score.

    "Three times more" would be misread where times are counted; the claim says what is meant.
    """
    score = answer.question.game.score
    unit = _unit(answer, claim, lang)
    if not claim.is_rate and (score is None or unit != score.unit.of(lang)):
        return text
    return f"{text} {unit.removesuffix('s') if text == '1' else unit}"


def _margin(answer: Answer, claim: Claim, lang: str) -> str:
    text = f"{claim.margin * (100 if claim.is_rate else 1):g}"
    return _amount(answer, claim, text, lang)


def _shown(claim: Claim, est: Estimate, lang: str) -> Shown:
    """A difference as text; its place beside the margin needs a decimal more."""
    if claim.is_rate:
        half = 0.0 if est.low is None else est.mean - est.low
        return points(est, lang, more=int(half >= 0.001))
    return shown(est, lang, is_rate=False)


def _turned(est: Estimate) -> Estimate:
    """The same difference the other way round."""
    low = None if est.high is None else -est.high
    high = None if est.low is None else -est.low
    return Estimate(-est.mean, est.se, low, high, est.deals, est.games)


def _upright(case: Case) -> tuple[Estimate, bool]:
    """The largest difference as a positive number, and whether it had to be turned."""
    est = estimates(case)[case.largest]
    return (_turned(est), True) if est.mean < 0 else (est, False)


def _interval(claim: Claim, case: Case, lang: str) -> str:
    return _shown(claim, _upright(case)[0], lang).interval


def _largest(answer: Answer, claim: Claim, case: Case, lang: str) -> str:
    est, is_turned = _upright(case)
    pair, base = case.pairs[case.largest], ""
    first, second = pair.first, pair.second
    if claim.kind == "places":
        first, second = (ordinal(int(place) + 1, lang) for place in (first, second))
        first, second = (second, first) if is_turned else (first, second)
    if case.against:
        base = label(answer, claim, case.against, lang)
    size = _amount(answer, claim, _shown(claim, est, lang).mean, lang)
    more = (_LESS if is_turned else _MORE).of(lang)
    text = say(
        _LARGEST[claim.kind], lang, first=first, second=second, size=size, more=more, base=base
    )
    return text


def _noticed(notice: int | None) -> str:
    if notice is None:
        return UNKNOWN
    return whole(notice) if notice <= MOST_NOTICED else f">{NBSP}{whole(MOST_NOTICED)}"


def _counts(claims: list[Answered], lang: str) -> str:
    """How many settings have which verdict."""
    every = [
        VERDICTS[found.claim.kind][case.finding.verdict].of(lang)
        for found in claims
        for case in found.cases
    ]
    order = [names[verdict].of(lang) for names in VERDICTS.values() for verdict in Verdict]
    counts = [
        say(_COUNT, lang, verdict=name, count=every.count(name))
        for name in dict.fromkeys(order)
        if name in every
    ]
    joined = ("，" if lang == "zh" else ", ").join(counts)
    return say(_ALL, lang, all=len(every), counts=joined)


# Parts of the page


def _keys(answer: Answer, lang: str) -> list[Key]:
    """For each of the first families the number that carries its verdict."""
    found = []
    for family in list(answer.question.families)[:4]:
        claims = [one for one in answer.claims if one.claim.family == family]
        if not claims:
            continue
        one = _worst(claims)
        est, _ = _upright(one.decisive)
        text = _shown(one.claim, est, lang)
        detail = f"{_unit(answer, one.claim, lang)} ({text.interval})"
        if lang == "zh":
            detail = f"{_unit(answer, one.claim, lang)}（{text.interval}）"
        title = answer.question.families[family].of(lang)
        verdict = VERDICTS[one.claim.kind][one.verdict].of(lang)
        name = say(_KEY, lang, title=title, verdict=verdict)
        found.append(Key(text.mean, detail, name))
    return found


def _verdicts(answer: Answer, lang: str) -> Section:
    """All claims in one table."""
    lines = []
    for family, title in answer.question.families.items():
        lines.append(Line((title.of(lang),)))
        for found in answer.claims:
            if found.claim.family != family:
                continue
            claim, case = found.claim, found.decisive
            text = _shown(claim, _upright(case)[0], lang)
            notice = case.notice[case.largest]
            lines.append(
                Line(
                    (
                        capital(claim.title.of(lang)),
                        _tally(found, lang),
                        _amount(answer, claim, text.mean, lang),
                        text.interval,
                        _margin(answer, claim, lang),
                        _noticed(notice),
                        whole(case.finding.contrasts.deals),
                    )
                )
            )
    table = Table(
        (
            Column(Words("claim", "论点").of(lang), is_number=False),
            Column(Words("verdict", "结论").of(lang), "verdict", is_number=False),
            Column(Words("largest difference", "最大的差异").of(lang)),
            Column(Words("95 %", "95%").of(lang), "together"),
            Column(Words("margin", "界限").of(lang), "margin"),
            Column(Words("games to notice", "能察觉所需局数").of(lang), "notice"),
            Column(Words("deals", "发牌次数").of(lang), "deal"),
        ),
        tuple(lines),
        say(
            Words(
                "{games} in all; where verdicts differ, the number counts settings",
                "共{games}；结论不一时，数字为设置数",
            ),
            lang,
            games=counted(answer.games, "game", lang),
        ),
        _file(answer, "verdicts"),
        csv(_frame(answer.claims)),
    )
    heading = Words("The verdicts", "结论").of(lang)
    lead = answer.question.text.of(lang)
    exhibit = Exhibit("verdicts-all", Words("All claims", "全部论点").of(lang), "", table)
    return Section("verdicts", heading, lead, (exhibit,))


def _tally(found: Answered, lang: str) -> str:
    """The verdict of a claim; the numbers of each where its settings differ."""
    names = VERDICTS[found.claim.kind]
    every = [case.finding.verdict for case in found.cases]
    if len(set(every)) == 1:
        return names[every[0]].of(lang)
    return ("，" if lang == "zh" else ", ").join(
        f"{every.count(verdict)} {names[verdict].of(lang)}"
        for verdict in Verdict
        if verdict in every
    )


def _families(answer: Answer, lang: str) -> list[Section]:
    found = []
    for family, title in answer.question.families.items():
        claims = [one for one in answer.claims if one.claim.family == family]
        if not claims:
            continue
        count = sum(len(one.cases) for one in claims)
        lead = say(_FAMILY if count > 1 else _ONE, lang, count=count)
        exhibits = tuple(_exhibit(answer, one, lang) for one in claims)
        found.append(Section(f"about-{family}", title.of(lang), lead, exhibits))
    return found


def _exhibit(answer: Answer, found: Answered, lang: str) -> Exhibit:
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
                        _noticed(notice),
                    )
                )
            )
    scale = 100 if claim.is_rate else 1
    axis = (
        Words("percentage points", "百分点").of(lang)
        if claim.is_rate
        else _unit(answer, claim, lang)
    )
    svg = figures.dots(groups, axis, scale=scale, reference=(0.0, ""), band=claim.margin)
    title = capital(claim.title.of(lang))
    lead = sentence(answer, found, lang)
    note = _FIGURE.of(lang)
    base = found.cases[0].against
    if base:
        text = say(_BASE, lang, base=label(answer, claim, base, lang))
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
        ),
        tuple(lines),
        say(
            Words("{unit}; margin {margin}", "单位：{unit}；界限 {margin}"),
            lang,
            unit=capital(axis),
            margin=_margin(answer, claim, lang),
        ),
        _file(answer, claim.name),
        csv(_frame((found,))),
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
        why = say(_MORE_DEALS, lang, more=whole(_rounded(more)))
    return f"{text}；{why}" if lang == "zh" else f"{text}; {why}"


def _rounded(number: int) -> int:
    """A number of two figures, not less than it is."""
    step = int("1" + "0" * max(0, len(str(number)) - 2))
    return -(-number // step) * step


def _value(claim: Claim, value: float, lang: str) -> str:
    return decimal(100 * value, 2) if claim.is_rate else decimal(value, 2)


def _frame(claims: Sequence[Answered]) -> pd.DataFrame:
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
                "verdict": str(case.finding.verdict),
                "p_fair": case.finding.p_fair,
                "p_unfair": case.finding.p_unfair,
            }
            for found in claims
            for case in found.cases
            for pair, est, notice in zip(case.pairs, estimates(case), case.notice, strict=True)
        ]
    )


def _facts(answer: Answer, lang: str, command: str) -> list[tuple[str, str]]:
    question = answer.question
    digest = hashlib.sha256("".join(answer.hashes).encode()).hexdigest()
    dealt = sum(deals(cell) for cell in answer.cells.values())
    facts = [
        (Words("game", "游戏"), question.game.title.of(lang)),
        (Words("question", "问题"), question.name),
        (Words("settings", "设置"), whole(len(answer.cells))),
        (Words("deals", "发牌次数"), whole(dealt)),
        (Words("games", "局数"), whole(answer.games)),
        (Words("seed", "种子"), str(question.seed)),
        (Words("command", "命令"), command),
        (Words("version", "版本"), __version__),
        (Words("results, sha256", "结果的 sha256"), digest),
        (Words("design", "设计"), _DESIGN.of(lang)),
        (Words("verdicts", "结论的依据"), _METHOD.of(lang)),
        (Words("intervals", "区间"), (_SEQUENTIAL if answer.precision else _FIXED).of(lang)),
        (Words("font", "字体"), FONT.of(lang)),
    ]
    return [(capital(name.of(lang)), value) for name, value in facts if value]


_DESIGN = Words(
    "For places the same strategy sits in all seats and the hands of a deal are turned over the "
    "places; for gaps the strategies are turned over the seats. The deal with all its rotations "
    "is the unit. Every setting has deals of its own, so that settings are independent.",
    "比较顺位时，所有座位用同一策略，同一次发牌的手牌在各顺位间轮换；比较差距时，策略在各座位间轮换。"
    "以发牌（含其全部轮换）为单位。每种设置各有自己的发牌，彼此独立。",
)
_METHOD = Words(
    "FAIR by two one-sided tests on every difference (Schuirmann 1987, Berger 1982); UNFAIR by "
    "the largest of the correlated t statistics, measured from the margin (Hothorn, Bretz and "
    "Westfall 2008); Holm's method over the verdicts under one heading, at 5 %. The one-sided "
    "tests need less room than the two-sided intervals shown, so that one of these may reach a "
    "little beyond the margin where the verdict is FAIR.",
    "公平：每个差异都通过两个单侧检验（Schuirmann 1987，Berger 1982）；"
    "不公平：相关 t 统计量的最大值，从界限算起（Hothorn、Bretz、Westfall 2008）；"
    "同一标题下的结论用 Holm 法，5%。单侧检验比所列的双侧区间窄，"
    "因此结论为公平时，区间也可能略微超出界限。",
)
_FIXED = Words(
    "Student's, 95 % for all differences of a setting together (largest t).",
    "Student 区间，同一设置的全部差异共同 95%（最大 t）。",
)
_SEQUENTIAL = Words(
    "Always valid (Waudby-Smith et al. 2024), 95 % for all differences of a setting together; "
    "played until they were as narrow as asked for, in looks that were fixed before.",
    "任意时刻有效的区间（Waudby-Smith 等 2024），同一设置的全部差异共同 95%；"
    "按事先定好的查看次序，打到达到所要求的宽度为止。",
)


def _rules(answer: Answer, lang: str) -> Table:
    """The switches of every variant that was played."""
    played = {setting.variant.name: setting.variant for setting in answer.question.settings}
    heads = [answer.question.variants[name].of(lang) for name in played]
    rules = [variant.switches for variant in played.values()]
    table = rules_table(answer.question.game, heads, rules, lang)
    changed = tuple(line for line in table.lines if any(c.startswith("•") for c in line.cells))
    caption = Words(
        "Switches that differ from the usual rules in a variant, there with a dot; all others are "
        "as usual.",
        "只列出某一变体与通常规则不同的开关，不同处前有圆点；其余均同通常规则。",
    )
    return replace(table, lines=changed or table.lines, caption=caption.of(lang))


def _file(answer: Answer, name: str) -> str:
    return f"{answer.question.name.replace('/', '-')}-{name}.csv"
