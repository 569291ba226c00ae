"""A search among rules: the verdict on the one in use, all candidates, front and finalists."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import numpy as np

from analysis.balance import Answer
from analysis.counterfactuals import Searched
from analysis.criteria import Criterion
from analysis.fairness import Verdict
from analysis.intervals import Estimate
from analysis.moments import Floats
from analysis.search import NOTHING, Candidate, Comparison, Finalist, Stage, front
from reports import candidates as drawings
from reports.page import Exhibit
from reports.tables import Column, Line, Table, common, csv, signed
from reports.verdicts import (
    LESS,
    MORE,
    MOST_TOLD,
    PERCENTAGE_POINTS,
    VERDICTS,
    file_name,
    noticed,
    rounded,
)
from reports.words import (
    UNKNOWN,
    capital,
    counted,
    decimal,
    say,
    span,
    whole,
    with_unit,
)
from sim.core.game import Words

_VERDICT = {
    Verdict.FAIR: Words(
        "{verdict}: {reference} is beaten by none of {finalists} finalists; each is shown to be "
        "worse in some respect by more than the margin, or better in none by as much.",
        "{verdict}：{finalists} 个入围者都没有胜过{reference}；"
        "已证明每个都在某方面差出界限，或者没有哪方面好到界限。",
    ),
    Verdict.UNFAIR: Words(
        "{verdict}: shown to be better than {reference} in some respect by more than the margin, "
        "and in none worse by as much: {names}.",
        "{verdict}：已证明{names}在某方面比{reference}好出界限，而没有哪方面差到界限。",
    ),
    Verdict.INCONCLUSIVE: Words(
        "{verdict}: of {finalists} finalists these are shown neither to beat {reference} nor not "
        "to: {names}. {more}",
        "{verdict}：{finalists} 个入围者中，{names}既未证明胜过{reference}，也未证明不胜过。{more}",
    ),
}
_MORE = Words(
    "Some {deals} more deals of each, by line-up, would decide.",
    "各再发约 {deals} 次牌（因阵容而异）即可判定。",
)
_ON_MARGIN = Words(
    "More deals would hardly decide: a difference lies on its margin.",
    "再多发牌也难以判定：有差异恰好落在界限上。",
)
_RANKS = Words(
    "Among all {all} on few deals it is {on_front} the Pareto front; {rivals} others may still "
    "beat it by what these deals show, and only the finalists were confirmed.",
    "在少量发牌上的全部 {all} 个候选中，它{on_front}帕累托前沿上；"
    "就这些发牌看，另有 {rivals} 个仍可能胜过它，只有入围者得到了确认。",
)
_ON, _OFF = Words("on", "在"), Words("not on", "不在")
_RANK = Words("{rank} of {of} ({best}–{worst})", "{of} 个中第 {rank}（{best}–{worst}）")
_STRIP = Words("All candidates against the rule in use", "全部候选与现行规则的比较")
_STRIP_LEAD = Words(
    "Screening: every column is a candidate, coloured where its interval and that of {reference} "
    "do not meet, and it is better or worse by more than the margin; grey does not say that it is "
    "as good. Ranks have the range that the intervals allow, all of them together.",
    "初选：每一列是一个候选，其区间与{reference}的区间不重叠、且好或差出界限时着色；"
    "灰色并不表示同样好。名次后为区间所允许的范围（全部同时成立）。",
)
_LARGEST = Words(
    "A value that is the largest of several differences comes out too large on few deals, as "
    "chance adds to it, about as much for all candidates; its interval allows for that.",
    "“最大的差异”在少量发牌上会因运气而偏大，对各候选的影响相近；区间已计入这一点。",
)
_LEVEL = Words("≥ 95 %", "≥95%")
_FRONT = Words("What is gained and what it costs: {x} and {y}", "得与失：{x}，{y}")
_FRONT_LEAD = Words(
    "Every dot is a candidate on the screening deals; the thick line joins those that no other "
    "beats on both, which have names. The finalists and {reference} have intervals of at least "
    "95 % too, which may reach beyond the frame.",
    "每个点是初选发牌上的一个候选；粗折线连接在两项上都未被超过的候选，均标有名称。"
    "入围者与{reference}另有至少 95% 的区间，区间可能超出图框。",
)
_FINALISTS = Words("The finalists on fresh deals", "入围者在新发牌上的结果")
_FINALISTS_LEAD = Words(
    "How much worse each is than {reference} (negative: better), with intervals that hold for all "
    "at once. Finalists: {always}the best on each criterion, and those of the front nearest to the "
    "best of everything. “Worse” or “better” is said where the interval leaves no doubt. The rule "
    "is beaten by one that is better by more than the margin somewhere, and nowhere worse by as "
    "much: what differs by less counts on neither side.",
    "各比{reference}差多少（负数为更好），区间对全部同时成立。"
    "入围者：{always}每项标准的最佳者，以及前沿上最接近全部最佳的候选。"
    "只有区间不留疑问时才说“更差”或“更好”；"
    "某项好出界限、又没有哪项差到界限的，才算胜过现行规则：不足界限的差异，好坏都不计。",
)
_ALWAYS = Words("{names} in any case, ", "必定入围的{names}，")
_WORSE, _BETTER = (
    Words("{count} worse", "{count} 项更差"),
    Words("{count} better", "{count} 项更好"),
)
_MUCH = Words("{text} ({much} by more than the margin)", "{text}（其中 {much} 项超过界限）")
_OPEN = Words("nothing shown", "没有证明任何差别")
_LEAST, _MOST = Words("less is better", "越小越好"), Words("more is better", "越大越好")
_PRICE = Words(
    "To gain on these criteria, {name} is, of the finalists that beat the rule, the smallest "
    "change (numbers put in or taken out: {changes}): {gains}. What it might cost at most: {rest}. "
    "Other prices were not looked for.",
    "若想在这些标准上更好，{name}是胜过现行规则的入围者中的最小改动（增减的数字：{changes} 个）："
    "{gains}。至多可能的代价：{rest}。没有考察其他代价。",
)
_ALSO = Words("So do {names}.", "胜过现行规则的还有{names}。")
_FREE = Words(
    "No finalist is shown to beat {reference}, but {names} is shown to be better in some respect "
    "and worse in none.",
    "没有证明任何入围者胜过{reference}；但已证明{names}在某方面更好，且没有哪方面更差。",
)
_FREE_SEVERAL = Words(
    "No finalist is shown to beat {reference}, but these are shown to be better in some respect "
    "and worse in none: {names}.",
    "没有证明任何入围者胜过{reference}；但已证明以下各个在某方面更好，且没有哪方面更差：{names}。",
)
_FREE_PRICE = Words(
    "{name} (numbers put in or taken out: {changes}): {gains}. What it might cost at most: {rest}.",
    "{name}（增减的数字：{changes} 个）：{gains}；至多可能的代价：{rest}。",
)
_BEYOND, _WITHIN = (
    Words("more than the margin", "超过界限"),
    Words("less than the margin", "不到界限"),
)
_GAIN = Words("{title} {size} {more} ({within})", "{title}{more}{size}（{within}）")
_BETTER_IN = Words("{name}: {gains}", "{name}：{gains}")
_OTHERS = Words("{count} more below", "另有 {count} 个见下文")
_NO_COST = Words("nothing", "无")
_SIZES = {
    0: Words("none", "无"),
    1: Words("single", "单个"),
    2: Words("pairs", "两个"),
    3: Words("triples", "三个"),
}


def sentence(found: Searched, lang: str) -> str:
    """The verdict on the rule in use."""
    confirmation = found.confirmation
    those = {
        Verdict.FAIR: (),
        Verdict.UNFAIR: confirmation.winners,
        Verdict.INCONCLUSIVE: confirmation.undecided,
    }[found.verdict]
    return say(
        _VERDICT[found.verdict],
        lang,
        verdict=VERDICTS["search"][found.verdict].of(lang),
        reference=_quoted(found.search.reference, lang),
        finalists=len(confirmation.finalists),
        names=_list((_quoted(one.candidate.name, lang) for one in those), lang),
        more=_more(confirmation.more_deals, lang),
    )


def _more(deals: Mapping[str, int] | None, lang: str) -> str:
    """How many more deals would decide, the least and the most of all criteria."""
    if deals is None:
        return _ON_MARGIN.of(lang)
    least, most = (whole(rounded(end(deals.values()))) for end in (min, max))
    return say(_MORE, lang, deals=least if least == most else span(least, most, lang))


def exhibits(answer: Answer, found: Searched, lang: str) -> list[Exhibit]:
    """Strip and ranks, front, finalists."""
    shown = [_strip(answer, found, lang)]
    if len(found.search.criteria) > 1:
        shown.append(_front(answer, found, lang))
    return [*shown, _finalists(answer, found, lang)]


def ranks(found: Searched, lang: str) -> str:
    """Where the rule in use stands among all candidates."""
    stage = found.screening
    on_front = bool(stage.on_front[stage.reference])
    return say(
        _RANKS,
        lang,
        all=len(stage.candidates),
        on_front=(_ON if on_front else _OFF).of(lang),
        rivals=int(stage.rivals.sum()),
    )


def in_short(found: Searched, lang: str) -> str:
    """Which finalists beat the rule in use, the smallest changes first, and in what; else ''."""
    stage = found.confirmation.stage
    winners = _by_change(found.confirmation.winners, stage.candidates[stage.reference])
    told = [
        say(
            _BETTER_IN,
            lang,
            name=_quoted(one.candidate.name, lang),
            gains=_list((_gain(each, lang) for each in one.comparisons if each.is_better), lang),
        )
        for one in winners[:MOST_TOLD]
    ]
    if len(winners) > MOST_TOLD:
        told.append(say(_OTHERS, lang, count=len(winners) - MOST_TOLD))
    return Words("; ", "；").of(lang).join(told)


def price(found: Searched, lang: str) -> list[str]:
    """What the smallest change that beats the rule in use would bring, and what was not shown.

    Where none beats it, the smallest that is shown to be better and not to be worse. Beside either
    one those that are finalists in any case, if they are shown to be better and not to be worse.
    """
    confirmation, stage = found.confirmation, found.confirmation.stage
    used = stage.candidates[stage.reference]
    free = [one for one in confirmation.finalists if one.is_free]
    those = _by_change(confirmation.winners or free, used)
    if not those:
        return []
    one, *others = those
    if confirmation.winners:
        told = [_gains(_PRICE, one, used, lang)]
        if others:
            names = _list((_quoted(other.candidate.name, lang) for other in others), lang)
            told.append(say(_ALSO, lang, names=names))
    else:
        names = _list((_quoted(each.candidate.name, lang) for each in (one, *others)), lang)
        words = _FREE_SEVERAL if others else _FREE
        told = [say(words, lang, reference=_quoted(used.name, lang), names=names)]
        told.append(_gains(_FREE_PRICE, one, used, lang))
    asked = [
        each for each in free if each is not one and each.candidate.name in found.search.always
    ]
    told += [_gains(_FREE_PRICE, each, used, lang) for each in asked if not each.is_winner]
    return told


def _by_change(those: Iterable[Finalist], used: Candidate) -> list[Finalist]:
    """The smallest changes of the rule in use first, and of equal ones what gains most."""
    return sorted(those, key=lambda one: (one.candidate.changes(used), -_balance(one)))


def _gains(words: Words, one: Finalist, used: Candidate, lang: str) -> str:
    """What a finalist is shown to gain, and how much the rest may cost."""
    gains = [each for each in one.comparisons if each.high < 0]
    open_ = [each for each in one.comparisons if each.high >= 0]
    return say(
        words,
        lang,
        name=_quoted(one.candidate.name, lang),
        changes=one.candidate.changes(used),
        gains=_list((_change(each, lang) for each in gains), lang),
        rest=_list((_bound(each, lang) for each in open_), lang) or _NO_COST.of(lang),
    )


def _bound(one: Comparison, lang: str) -> str:
    """How much worse a finalist may be on a criterion, as far as the games tell."""
    title, text = one.criterion.title.of(lang), _amount(one.criterion, one.high, lang)
    return f"{title}（{text}）" if lang == "zh" else f"{title} ({text})"


def _balance(one: Finalist) -> float:
    """What a finalist gains, less what it loses, in margins of the criteria."""
    return -sum(each.worse / each.criterion.margin for each in one.comparisons)


def _change(one: Comparison, lang: str) -> str:
    """A gain, and whether it is shown to be larger or smaller than the margin."""
    if not (one.is_better or one.is_not_better):
        return _gain(one, lang)
    return _gain(one, lang, (_BEYOND if one.is_better else _WITHIN).of(lang))


def _gain(one: Comparison, lang: str, *beside: str) -> str:
    """A criterion in which a finalist is shown to be better, and by how much."""
    criterion = one.criterion
    low, high = (_number(criterion, -end, lang) for end in (one.high, one.low))
    return say(
        _GAIN,
        lang,
        title=criterion.title.of(lang),
        size=_amount(criterion, -one.worse, lang),
        more=(LESS if criterion.goal == "least" else MORE).of(lang),
        within=Words("; ", "；").of(lang).join([span(low, high, lang), *beside]),
    )


def _strip(answer: Answer, found: Searched, lang: str) -> Exhibit:
    """All candidates as a strip, and the ranks of the rule in use."""
    stage, key = found.screening, f"candidates-{found.search.name}"
    at, named = stage.reference, {one.candidate.name for one in found.confirmation.finalists}
    low, high = stage.intervals
    worse = _worse(stage)
    groups = []
    # The size of the rule in use first, so that a telephone shows its mark without scrolling.
    sizes = dict.fromkeys([stage.candidates[at].size, *(one.size for one in stage.candidates)])
    for size in sizes:
        title = _SIZES.get(size, Words(f"{size} at a time", f"每次 {size} 个")).of(lang)
        members = [
            drawings.Candidate(
                _name(one.name, lang),
                worse[row].tolist(),
                one.name in named,
                row == at,
                [_hint(stage, row, k, lang) for k in range(len(stage.criteria))],
            )
            for row, one in enumerate(stage.candidates)
            if one.size == size
        ]
        groups.append(drawings.Candidates(title, members))
    criteria = [
        drawings.Criterion(capital(one.title.of(lang)), _amount(one, one.margin, lang, "g"))
        for one in stage.criteria
    ]
    title = _STRIP.of(lang)
    told = [say(_STRIP_LEAD, lang, reference=_quoted(found.search.reference, lang))]
    if any(one.is_distance and len(one.found.estimate) > 1 for one in stage.measured[at]):
        told.append(_LARGEST.of(lang))
    lead = ("" if lang == "zh" else " ").join(told)
    svg = drawings.heat_strip(groups, criteria, lang)
    lines = []
    for k, one in enumerate(stage.criteria):
        value = _amount(one, stage.values[at, k], lang)
        ends = span(_number(one, low[at, k], lang), _number(one, high[at, k], lang), lang)
        own, every = (
            say(_RANK, lang, **vars(stage.reference_rank(k, same_size=same)))
            for same in (True, False)
        )
        goal = (_LEAST if one.goal == "least" else _MOST).of(lang)
        notice = noticed(stage.notice(at, k))
        lines.append(Line((capital(one.title.of(lang)), goal, value, ends, notice, own, every)))
    table = Table(
        (
            Column(Words("criterion", "标准").of(lang), is_number=False),
            Column("", is_number=False),
            Column(_name(found.search.reference, lang)),
            Column(_LEVEL.of(lang), "cautious"),
            common("notice", lang),
            Column(Words("rank among its size", "同数量中的名次").of(lang), "rank"),
            Column(Words("rank among all", "全部中的名次").of(lang), "rank"),
        ),
        tuple(lines),
        _caption(found, stage, lang),
        file_name(answer, key),
        csv(stage.frame()),
    )
    return Exhibit.drawn(key, title, lead, table, svg)


def _worse(stage: Stage) -> Floats:
    """How much worse than the rule in use, in margins; 0 where their intervals meet."""
    at, (low, high) = stage.reference, stage.intervals
    is_apart = (low > high[at]) | (high < low[at])
    margins = [one.margin for one in stage.criteria]
    return np.where(is_apart, (stage.costs - stage.costs[at]) / margins, 0.0)


def _hint(stage: Stage, row: int, k: int, lang: str) -> str:
    """A candidate's value on a criterion with interval and rank, in a line."""
    one, found = stage.criteria[k], stage.ranks[k]
    low, high = (ends[row, k] for ends in stage.intervals)
    rank = say(
        _RANK,
        lang,
        rank=found.rank[row],
        of=len(found.rank),
        best=found.best[row],
        worst=found.worst[row],
    )
    parts = _with_ends(one, stage.values[row, k], low, high, lang), rank
    name = _name(stage.candidates[row].name, lang)
    return (
        Words("{name}: {told}", "{name}：{told}")
        .of(lang)
        .format(name=name, told=Words(", ", "，").of(lang).join(parts))
    )


def _front(answer: Answer, found: Searched, lang: str) -> Exhibit:
    """The two criteria that tell most candidates apart from the rule in use."""
    stage, key = found.screening, f"front-{found.search.name}"
    at = stage.reference
    apart = (abs(_worse(stage)) > 1).sum(axis=0)
    x, y = sorted(sorted(range(len(apart)), key=lambda k: -apart[k])[:2])
    criteria, values = [stage.criteria[k] for k in (x, y)], stage.values[:, [x, y]]
    low, high = (ends[:, [x, y]] for ends in stage.intervals)
    on_front = front(stage.costs[:, [x, y]])
    named = {one.candidate.name for one in found.confirmation.finalists}

    def estimate(row: int, k: int) -> Estimate:
        one = stage.measured[row][(x, y)[k]]
        ends = float(low[row, k]), float(high[row, k])
        return Estimate(float(values[row, k]), None, *ends, one.deals, one.games)

    points = [
        drawings.Point(
            _name(one.name, lang),
            estimate(row, 0),
            estimate(row, 1),
            bool(on_front[row]),
            one.name in named,
            row == at,
        )
        for row, one in enumerate(stage.candidates)
    ]
    scale = tuple(100.0 if one.is_rate else 1.0 for one in criteria)
    axes = [
        Words(", ", "，")
        .of(lang)
        .join([capital(_with_unit(one, lang)), (_LEAST if one.goal == "least" else _MOST).of(lang)])
        for one in criteria
    ]
    frame = stage.frame()
    frame = frame[frame["criterion"].isin([one.name for one in criteria])]
    frame = frame.assign(on_front=np.repeat(on_front, 2))
    svg = drawings.front(
        points,
        axes[0],
        axes[1],
        lang,
        scale=(scale[0], scale[1]),
        is_less_better=criteria[0].goal == "least",
    )
    titles = [one.title.of(lang) for one in criteria]
    title = say(_FRONT, lang, x=titles[0], y=titles[1])
    lead = say(_FRONT_LEAD, lang, reference=_quoted(found.search.reference, lang))
    lines = [
        Line(
            (
                _name(one.name, lang),
                *(
                    text
                    for k, criterion in enumerate(criteria)
                    for text in (
                        _with_ends(criterion, values[row, k], low[row, k], high[row, k], lang),
                        noticed(stage.notice(row, (x, y)[k])),
                    )
                ),
            )
        )
        for row, one in enumerate(stage.candidates)
        if one.name in named or row == at
    ]
    table = Table(
        (
            Column(Words("candidate", "候选").of(lang), is_number=False),
            *(
                column
                for criterion in criteria
                for column in (
                    Column(capital(_with_unit(criterion, lang)), "cautious"),
                    common("notice", lang),
                )
            ),
        ),
        tuple(lines),
        _caption(found, stage, lang),
        file_name(answer, key),
        csv(frame),
    )
    return Exhibit.drawn(key, title, lead, table, svg)


def _finalists(answer: Answer, found: Searched, lang: str) -> Exhibit:
    """The finalists held against the rule in use on fresh deals."""
    stage, key = found.confirmation.stage, f"finalists-{found.search.name}"
    lines = []
    for one in found.confirmation.finalists:
        head = [_name(one.candidate.name, lang), _price(one, lang) or _OPEN.of(lang)]
        lines.append(Line((Words(": ", "：").of(lang).join(head),)))
        lines += [Line(_compared(each, lang)) for each in one.comparisons]
    table = Table(
        (
            Column(Words("finalist", "入围者").of(lang), is_number=False),
            Column(Words("worse by (≥ 95 %)", "差多少（≥95%）").of(lang), "cautious"),
            common("margin", lang),
            common("notice", lang),
        ),
        tuple(lines),
        _caption(found, stage, lang),
        file_name(answer, key),
        csv(found.confirmation.frame()),
    )
    reference, asked = _quoted(found.search.reference, lang), found.search.always
    names = Words(", ", "、").of(lang).join(_quoted(name, lang) for name in asked)
    always = say(_ALWAYS, lang, names=names) if asked else ""
    lead = say(_FINALISTS_LEAD, lang, reference=reference, always=always)
    return Exhibit(key, _FINALISTS.of(lang), lead, table)


def _compared(one: Comparison, lang: str) -> tuple[str, ...]:
    """A criterion with how much worse a finalist is."""
    criterion = one.criterion
    return (
        capital(_with_unit(criterion, lang)),
        _with_ends(criterion, one.worse, one.low, one.high, lang),
        f"{100 * criterion.margin if criterion.is_rate else criterion.margin:g}",
        noticed(one.notice),
    )


def _price(one: Finalist, lang: str) -> str:
    """In how many respects a finalist is shown to be better, and worse."""
    better = sum(each.high < 0 for each in one.comparisons)
    worse = sum(each.low > 0 for each in one.comparisons)
    much_better = sum(each.is_better for each in one.comparisons)
    much_worse = sum(each.is_worse for each in one.comparisons)
    told = []
    for words, count, much in ((_BETTER, better, much_better), (_WORSE, worse, much_worse)):
        text = say(words, lang, count=count)
        told += [say(_MUCH, lang, text=text, much=much) if much else text] if count else []
    return Words(", ", "，").of(lang).join(told)


def _list(names: Iterable[str], lang: str) -> str:
    return Words(", ", "、").of(lang).join(names)


def _number(one: Criterion, value: float, lang: str) -> str:
    """A value without its unit."""
    if abs(value) == float("inf"):
        return UNKNOWN
    return decimal(100 * value, 2) if one.is_rate else decimal(value, 2)


def _amount(one: Criterion, value: float, lang: str, form: str = "") -> str:
    """A value with its unit; `form` g leaves out zeros."""
    text = f"{100 * value if one.is_rate else value:g}" if form else _number(one, value, lang)
    return with_unit(text, (PERCENTAGE_POINTS if one.is_rate else one.unit).of(lang))


def _with_ends(one: Criterion, value: float, low: float, high: float, lang: str) -> str:
    """A value with its interval, under a head with the unit."""
    text = _number(one, value, lang)
    ends = span(_number(one, low, lang), _number(one, high, lang), lang)
    return f"{text}（{ends}）" if lang == "zh" else f"{text} ({ends})"


def _with_unit(one: Criterion, lang: str) -> str:
    """A criterion, and its unit if it has one."""
    unit = (PERCENTAGE_POINTS if one.is_rate else one.unit).of(lang)
    return Words(", ", "，").of(lang).join(filter(None, [one.title.of(lang), unit]))


def _name(name: str, lang: str) -> str:
    """A candidate's name with true minus signs."""
    if name == NOTHING:
        return _SIZES[0].of(lang)
    return signed(name.replace(",", Words(", ", "、").of(lang)))


def _quoted(name: str, lang: str) -> str:
    """A candidate's name in a sentence."""
    return f"“{_name(name, lang)}”"


def _caption(found: Searched, stage: Stage, lang: str) -> str:
    """How many deals every criterion rests on, and all games of the search."""
    each = [
        f"{one.title.of(lang)} {counted(measured.deals, 'deal', lang)}"
        for one, measured in zip(stage.criteria, stage.measured[stage.reference], strict=True)
    ]
    return say(
        Words(
            "A candidate: {each}; {games} of the search in all", "每个候选：{each}；搜索共{games}"
        ),
        lang,
        each=Words(", ", "，").of(lang).join(each),
        games=counted(found.games, "game", lang),
    )
