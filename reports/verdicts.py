"""Verdicts in words: headline, sentence and numbers of a claim, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from math import ceil, floor

from analysis.balance import Answer, Answered, together
from analysis.cases import Case
from analysis.fairness import Finding, Verdict, held_margin
from analysis.intervals import Estimate
from analysis.questions import Claim, Setting
from analysis.winshares import unit_of
from reports.names import called
from reports.words import (
    NBSP,
    UNKNOWN,
    Shown,
    capital,
    common_digits,
    count_word,
    ordinal,
    points,
    say,
    shown,
    whole,
    with_unit,
)
from sim.core.game import Words

MOST_NOTICED = 1_000_000  # games; nobody plays more
MOST_DECIMALS = 6  # of a margin that a verdict holds up to


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
    "value": _SAMENESS,
    "comparability": _SAMENESS,
    "distribution": _SAMENESS,
    "hands": _SAMENESS,
    "search": {
        Verdict.FAIR: Words("ON THE FRONT", "在前沿上"),
        Verdict.UNFAIR: Words("BEATEN", "被超过"),
        Verdict.INCONCLUSIVE: Words("INCONCLUSIVE", "未定"),
    },
}


SIDES = {1: Words("ABOVE", "高于"), -1: Words("BELOW", "低于")}  # of a value, where UNFAIR


PERCENTAGE_POINTS = Words("percentage points", "个百分点")


_LARGEST = {
    "places": Words(
        "the {first} place is {size} ahead of the {second}", "{first}比{second}多{size}"
    ),
    "ladder": Words(
        "{first} is ahead of {second} by {size} {more} than with “{base}”",
        "“{first}”领先“{second}”的幅度比“{base}”{more}{size}",
    ),
    "value": Words("{size} {side} {base}", "比{base}{side}{size}"),
    "comparability": Words("{size} {more} than with “{base}”", "比“{base}”{more}{size}"),
    "hands": Words("{size} {more} than with “{base}”", "比“{base}”{more}{size}"),
    "distribution": Words(
        "{size} {more} than with “{base}” have at most {first}",
        "不超过{first}的占比，比“{base}”{more}{size}",
    ),
}


# More points, times or cards may be worse: only who wins more is ahead.
_MORE_OF = {
    "places": Words(
        "the {first} place has {size} more than the {second}", "{first}比{second}多{size}"
    ),
    "ladder": Words(
        "what {first} has more than {second} is {size} {more} than with “{base}”",
        "“{first}”比“{second}”多出的量比“{base}”{more}{size}",
    ),
}
_GAP_FROM_VALUE = Words(
    "the lead of {first} over {second} is {size} {side} {base}",
    "{first}对{second}的领先比{base}{side}{size}",
)
_AHEAD = Words("{first} is {size} ahead of {second}", "{first}比{second}领先{size}")
_BEHIND = Words("{first} is {size} behind {second}", "{first}比{second}落后{size}")
_MORE_FROM_VALUE = Words(
    "what {first} has more than {second} is {size} {side} {base}",
    "{first}比{second}多出的量比{base}{side}{size}",
)
_HAS_MORE = Words("{first} has {size} {more} than {second}", "{first}比{second}{more}{size}")
MORE, LESS = Words("more", "多"), Words("less", "少")
_THAN = Words("{more} than with “{base}”", "比“{base}”{more}")
_ABOVE, _BELOW = Words("above", "高"), Words("below", "低")


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
    "{verdict}{where}: {means}. The largest: {largest} ({interval}){beside}.",
    "{verdict}{where}：{means}。最大的差异：{largest}（{interval}）{beside}。",
)


_HEADLINE = Words(
    "{question} {family} {verdict}{of}{where}: {largest} ({interval}), {side}{beside}.",
    "{question}{family}{verdict}{of}{where}：{largest}（{interval}），{side}{beside}。",
)
_OF_CLAIM = Words(" ({title})", "，{title}")  # where a family has several


_SIDE = {
    Verdict.FAIR: Words(
        "and every difference is shown to be smaller than the margin of {margin}",
        "已证明所有差异都小于界限 {margin}",
    ),
    Verdict.UNFAIR: Words("beyond the margin of {margin}", "超出界限 {margin}"),
    Verdict.INCONCLUSIVE: Words(
        "not clearly on either side of the margin of {margin}", "还不能判断是否超出界限 {margin}"
    ),
}


_OTHER_MARGIN = {
    Verdict.FAIR: Words(
        "A margin below {size}: down to there every difference is shown to be smaller.",
        "界限若小于 {size}：在此之上，都已证明所有差异小于界限。",
    ),
    Verdict.UNFAIR: Words(
        "A margin above {size}: up to there a difference is shown to be larger.",
        "界限若大于 {size}：在此之下，都已证明有差异大于界限。",
    ),
}
_REACHES = Words(
    "the interval, which holds for all differences together, reaches past it, and the test needs "
    "less",
    "区间对全部差异同时成立，因而略过界限，检验所需的更窄",
)
_ALONE = {  # of a verdict that is INCONCLUSIVE for the others' sake
    Verdict.FAIR: Words(
        "within the margin on its own, but not together with the other {others} verdicts (Holm)",
        "单独看在界限之内，但与其余 {others} 个结论一并判断时尚不能确定（Holm）",
    ),
    Verdict.UNFAIR: Words(
        "beyond the margin on its own, but not together with the other {others} verdicts (Holm)",
        "单独看已超出界限，但与其余 {others} 个结论一并判断时尚不能确定（Holm）",
    ),
}
_ON_MARGIN = Words(
    "Another margin: the largest difference lies so close to {margin} that more deals will not "
    "decide.",
    "换一个界限：最大的差异就在{margin}附近，再多发牌也难以判定。",
)
_MORE_DEALS = Words("Some {more} more deals would decide.", "约再需 {more} 次发牌才能判定。")
_IN = Words(" with {label}", "（{label}）")
_HERE = Words("{text} with {label}", "“{label}”时{text}")


MOST_TOLD = 3  # claims, or finalists, of a family that stand in a line
_GAP = Words(
    "{first} is ahead of {second} by {there} with “{base}” and by {here} with “{label}” (apart by "
    "{size}, {interval})",
    "“{first}”领先“{second}”的幅度，“{base}”时为{there}，“{label}”时为{here}（相差{size}，{interval}）",
)
_GAP_OF_MORE = Words(
    "{first} has {there} more than {second} with “{base}” and {here} with “{label}” (apart by "
    "{size}, {interval})",
    "“{first}”比“{second}”多出的量，“{base}”时为{there}，“{label}”时为{here}（相差{size}，{interval}）",
)
_MEAN = Words("{size} {more} than with “{base}” ({within})", "比“{base}”{more}{size}（{within}）")
_APART = Words("{size} apart from “{base}” ({within})", "与“{base}”相差{size}（{within}）")
_OTHERS = Words("{count} more below", "另有 {count} 项见下文")
_FIRST = Words("{verdict} in {count} of {all} settings", "{verdict} {count} 种（共 {all} 种设置）")
_COUNT = Words("{verdict} in {count}", "{verdict} {count} 种")
_EVERY = Words("{verdict} in all {all} settings.", "全部 {all} 种设置：{verdict}。")


def headline(answer: Answer, lang: str) -> str:
    """The verdict on the first family of claims, and what carries it, in a sentence."""
    name, family = next(iter(answer.question.families.items()))
    claims = answer.of_family(name)
    found = worst(claims)
    text = say(
        _HEADLINE,
        lang,
        question=answer.question.title.of(lang),
        family=re.sub(r"^\d+[a-z]?\.\s*", "", family.title.of(lang)),
        verdict=word(found, lang),
        of=say(_OF_CLAIM, lang, title=found.claim.title.of(lang)) if len(claims) > 1 else "",
        **spoken(answer, found, found.decisive, lang),
        interval=interval(found, found.decisive, lang),
        beside=_after(beside(found.decisive, lang), lang),
        side=say(_SIDE[found.verdict], lang, margin=margin(answer, found.claim, lang)),
    )
    if sum(len(one.cases) for one in claims) == 1:
        return text
    return f"{text}{'' if lang == 'zh' else ' '}{counts(claims, lang)}"


def change(answer: Answer, lang: str) -> str:
    """What would change the headline."""
    first = next(iter(answer.question.families))
    found = worst(answer.of_family(first))
    if found.verdict == Verdict.INCONCLUSIVE:
        still = [one.finding for one in found.cases if one.finding.more_deals != 0]
        unknown = [one for one in still if one.more_deals is None]
        if any(one.is_on_margin for one in still):
            text = say(_ON_MARGIN, lang, margin=margin(answer, found.claim, lang))
        elif unknown:
            text = capital(unknown[0].reason.of(lang)) + Words(".", "。").of(lang)
        else:
            more = max(one.more_deals or 0 for one in still)
            text = say(_MORE_DEALS, lang, more=whole(rounded(more)))
    else:
        text = say(_OTHER_MARGIN[found.verdict], lang, size=_held(answer, found, lang))
    return text


def _held(answer: Answer, found: Answered, lang: str) -> str:
    """The margin up to which the verdict of the first family holds, by the test itself.

    With as many decimals as it takes to tell it from the margin of the file, and never beyond.
    """
    claim, margin = found.claim, found.claim.margin
    those: dict[bool, list[Finding]] = {True: [], False: []}
    for one in answer.of_family(claim.family):
        is_like = (one.claim.margin, one.claim.is_rate) == (margin, claim.is_rate)
        those[is_like] += [case.finding for case in one.cases]
    scale = 100 if claim.is_rate else 1
    held, margin = scale * held_margin(those[True], those[False]), scale * margin
    outward = floor if held > margin else ceil  # on the safe side
    for decimals in range(digits(found), MOST_DECIMALS):
        text = f"{outward(held * 10**decimals) / 10**decimals:.{decimals}f}"
        if float(text) != margin:
            break
    return amount(answer, claim, text, lang)


def beside(case: Case, lang: str) -> str:
    """A clause where a verdict and its intervals seem to disagree: why they need not; else ''."""
    finding = case.finding
    if finding.verdict == Verdict.INCONCLUSIVE and finding.alone != Verdict.INCONCLUSIVE:
        return say(_ALONE[finding.alone], lang, others=finding.family - 1)
    ends = [end for est in estimates(case) for end in (est.low, est.high) if end is not None]
    is_past = max(map(abs, ends), default=0.0) > finding.margin
    return _REACHES.of(lang) if finding.verdict == Verdict.FAIR and is_past else ""


def _after(clause: str, lang: str) -> str:
    """A clause at the end of a sentence."""
    return f"{'；' if lang == 'zh' else '; '}{clause}" if clause else ""


def word(found: Answered, lang: str) -> str:
    """The verdict of a claim in a word."""
    return SIDES.get(found.side, VERDICTS[found.claim.kind][found.verdict]).of(lang)


def case_word(claim: Claim, case: Case, lang: str) -> str:
    """The verdict of a case in a word."""
    return word(Answered(claim, (case,)), lang)


def sentence(answer: Answer, found: Answered, lang: str) -> str:
    """What is found about a claim, in a sentence or two."""
    case = found.decisive
    text = say(
        _SENTENCE,
        lang,
        verdict=word(found, lang),
        means=say(_MEANS[found.verdict], lang, margin=margin(answer, found.claim, lang)),
        **spoken(answer, found, case, lang),
        interval=interval(found, case, lang),
        beside=_after(beside(case, lang), lang),
    )
    if len(found.cases) == 1:
        return text
    return f"{text}{'' if lang == 'zh' else ' '}{counts([found], lang)}"


def summary(answer: Answer, claims: Sequence[Answered], lang: str) -> str:
    """What differs most in a family, in a clause or a few, without a full stop.

    Of each claim with the verdict of the family the largest difference, those first that are most
    margins apart, and three at most. Where nothing differs by as much as matters one is enough.
    """
    verdict = together(one.verdict for one in claims)
    those = [one for one in claims if one.verdict == verdict]
    those.sort(key=lambda one: one.decisive.size / one.claim.margin, reverse=True)
    told = those[: MOST_TOLD if verdict == Verdict.UNFAIR else 1]
    clauses = []
    for one in told:
        clause, title = _clause(answer, one, lang), one.claim.title.of(lang)
        is_clear = len(claims) == 1 and one.claim.kind in ("places", "ladder")
        clauses.append(clause if is_clear else f"{title}{Words(': ', '：').of(lang)}{clause}")
    if verdict == Verdict.UNFAIR and len(those) > len(told):
        clauses.append(say(_OTHERS, lang, count=len(those) - len(told)))
    return Words("; ", "；").of(lang).join(clauses)


def _clause(answer: Answer, found: Answered, lang: str) -> str:
    """The largest difference of a claim, for somebody who sees nothing but its title."""
    claim, case = found.claim, found.decisive
    est, is_turned = upright(case)
    text = shown_difference(found, est, lang)
    name = case_label(answer, found, case, lang)
    if claim.kind in ("places", "value"):
        largest = Shown(_largest(answer, found, case, lang), text.interval, lang).both
        return say(_HERE, lang, label=name, text=largest) if name else largest
    base = base_label(answer, claim, case, lang)
    size = amount(answer, claim, text.mean, lang)
    if claim.kind == "ladder":
        pair = case.pairs[case.largest]
        gaps = [measured(found, gap, lang) for gap in case.values[case.largest]]
        gaps[1] = replace(gaps[1], mean=amount(answer, claim, gaps[1].mean, lang))
        first, second = (called(answer.question, one, lang) for one in (pair.first, pair.second))
        return say(
            _GAP if claim.estimand in ("win_share", "won") else _GAP_OF_MORE,
            lang,
            first=first,
            second=second,
            here=gaps[0].both,
            there=gaps[1].both,
            label=table_label(answer, claim, case.setting, lang),
            base=base,
            size=size,
            interval=text.interval,
        )
    return say(
        _APART if claim.kind == "distribution" else _MEAN,
        lang,
        size=size,
        more=(LESS if is_turned else MORE).of(lang),
        within=Words("; ", "；").of(lang).join(filter(None, (text.interval, name))),
        base=base,
    )


def label(answer: Answer, claim: Claim, setting: Setting, lang: str) -> str:
    """What tells a setting from the others of its claim."""
    parts = [table_label(answer, claim, setting, lang)]
    if len({other.lineup.name for other in claim.settings}) > 1 or not parts[0]:
        parts.append(called(answer.question, setting.lineup.name, lang))
    return Words(", ", "，").of(lang).join(filter(None, parts))


def case_label(answer: Answer, found: Answered, case: Case, lang: str) -> str:
    """What tells a case from the others of its claim; '' if there is no other."""
    here, others = case.setting, [each.setting for each in found.cases]
    parts = []
    if len({each.lineup.name for each in others}) > 1:
        parts.append(called(answer.question, here.lineup.name, lang))
    if len({each.variant for each in others}) > 1:
        parts.append(answer.question.variants[here.variant.name].of(lang))
    if len({each.players for each in others}) > 1:
        parts.append(players(here.players, lang))
    has_comma = any(comma in part for part in parts for comma in ",，、")
    return (Words("; ", "；") if has_comma else Words(", ", "，")).of(lang).join(parts)


def table_label(answer: Answer, claim: Claim, setting: Setting, lang: str) -> str:
    """The variant and the number of players of a setting, where those of its claim differ."""
    parts = []
    if len({other.variant for other in claim.settings}) > 1:
        parts.append(answer.question.variants[setting.variant.name].of(lang))
    if len({other.players for other in claim.settings}) > 1:
        parts.append(players(setting.players, lang))
    return Words(", ", "，").of(lang).join(parts)


def base_label(answer: Answer, claim: Claim, case: Case, lang: str) -> str:
    """What a case is compared with: where that differs from the case."""
    here, there = case.setting, case.against
    assert there is not None
    parts = []
    if here.variant != there.variant:
        parts.append(answer.question.variants[there.variant.name].of(lang))
    if here.players != there.players:
        parts.append(players(there.players, lang))
    if here.lineup.name != there.lineup.name and len(here.lineup.strategies) == len(
        there.lineup.strategies
    ):
        parts.append(called(answer.question, there.lineup.name, lang))
    return Words(", ", "，").of(lang).join(parts)


def pair_label(answer: Answer, claim: Claim, case: Case, number: int, lang: str) -> str:
    """What a difference subtracts."""
    pair = case.pairs[number]
    if claim.kind == "places":
        first, second = (ordinal(int(place) + 1, lang) for place in (pair.first, pair.second))
        return f"{first} − {second}"
    if claim.kind in ("ladder", "value") and pair.first:
        first, second = (called(answer.question, one, lang) for one in (pair.first, pair.second))
        return f"{first} − {second}"
    if claim.kind == "distribution":
        return f"≤ {pair.first}".replace("-", "−")
    return Words("difference", "差异").of(lang)


def named(answer: Answer, claim: Claim, case: Case, lang: str) -> str:
    """What the largest difference of a case subtracts, and where it was found."""
    pair, is_turned = case.pairs[case.largest], upright(case)[1]
    is_held_against_none = claim.kind == "value" and bool(pair.first) and not claim.value
    if is_turned and (claim.kind == "places" or is_held_against_none):
        case = replace(case, pairs=(replace(pair, first=pair.second, second=pair.first),))
        text = pair_label(answer, claim, case, 0, lang)
    elif claim.kind in ("comparability", "hands") or not pair.first:
        text = ""  # a mean
    else:
        text = pair_label(answer, claim, case, case.largest, lang)
    where = label(answer, claim, case.setting, lang)
    than = ""
    if case.against:
        more, base = LESS if is_turned else MORE, base_label(answer, claim, case, lang)
        than = say(_THAN, lang, more=more.of(lang), base=base)
    return Words("; ", "；").of(lang).join(filter(None, (text, where, than)))


def amounts(found: Answered, case: Case, lang: str) -> list[Shown]:
    """Every difference of a case with its interval as text, without a unit."""
    decimals = digits(found)
    return [_as_text(found, est, lang, decimals) for est in estimates(case)]


def estimates(case: Case) -> list[Estimate]:
    """Every difference with the interval that holds together with the others."""
    return case.finding.contrasts.estimates(case.half_width, case.games)


def worst(claims: Sequence[Answered]) -> Answered:
    """The claim that is furthest from fair, and of those the one nearest to its margin."""
    order = [Verdict.FAIR, Verdict.INCONCLUSIVE, Verdict.UNFAIR]

    def distance(found: Answered) -> tuple[int, float]:
        largest = abs(found.decisive.finding.contrasts.estimate).max()
        return order.index(found.verdict), float(largest) / found.claim.margin

    return max(claims, key=distance)


def spoken(answer: Answer, found: Answered, case: Case, lang: str) -> dict[str, str]:
    """The largest difference, and where: a verdict of FAIR holds in all settings."""
    largest = _largest(answer, found, case, lang)
    if len(found.cases) == 1:
        return {"where": "", "largest": largest}
    name = label(answer, found.claim, case.setting, lang)
    if found.verdict == Verdict.FAIR:
        return {"where": "", "largest": say(_HERE, lang, label=name, text=largest)}
    return {"where": say(_IN, lang, label=name), "largest": largest}


def players(count: int, lang: str) -> str:
    """A number of players in words."""
    return say(Words("{count} players", "{count}人局"), lang, count=count_word(count, lang))


def unit(answer: Answer, claim: Claim, lang: str) -> str:
    """What a difference is measured in."""
    if claim.is_rate:
        return PERCENTAGE_POINTS.of(lang)
    return unit_of(answer.question.game, claim.estimand).of(lang)


def axis(answer: Answer, claim: Claim, lang: str) -> str:
    """The unit as it stands alone, at an axis or at the head of a column."""
    if claim.is_rate:
        return Words("percentage points", "百分点").of(lang)
    return unit(answer, claim, lang)


def amount(answer: Answer, claim: Claim, text: str, lang: str) -> str:
    """A difference with its unit."""
    return with_unit(text, unit(answer, claim, lang))


def margin(answer: Answer, claim: Claim, lang: str) -> str:
    """The margin of a claim with its unit."""
    text = f"{claim.margin * (100 if claim.is_rate else 1):g}"
    return amount(answer, claim, text, lang)


def shown_difference(found: Answered, est: Estimate, lang: str) -> Shown:
    """A difference as text, with as many decimals as all of its claim."""
    return _as_text(found, est, lang, digits(found))


def digits(found: Answered) -> int:
    """Decimals of all differences of a claim; shares need two beside a margin below one point."""
    every = [est for case in found.cases for est in estimates(case)]
    scale = 100 if found.claim.is_rate else 1
    is_fine = found.claim.is_rate and scale * found.claim.margin < 1
    return common_digits(every, scale, 2 if is_fine else 1)


def _as_text(found: Answered, est: Estimate, lang: str, digits: int) -> Shown:
    if found.claim.is_rate:
        return points(est, lang, digits)
    return shown(est, lang, is_rate=False, digits=digits)


def measured(found: Answered, value: Estimate | float, lang: str) -> Shown:
    """What a difference subtracts, with as many decimals; a plain number has no interval."""
    if not isinstance(value, Estimate):
        value = Estimate(value, None, None, None, 0, 0)
    return shown_difference(found, value, lang)


def turned(est: Estimate) -> Estimate:
    """The same difference the other way round."""
    low = None if est.high is None else -est.high
    high = None if est.low is None else -est.low
    return Estimate(-est.mean, est.se, low, high, est.deals, est.games)


def upright(case: Case) -> tuple[Estimate, bool]:
    """The largest difference as a positive number, and whether it had to be turned."""
    est = estimates(case)[case.largest]
    return (turned(est), True) if est.mean < 0 else (est, False)


def interval(found: Answered, case: Case, lang: str) -> str:
    """The interval of the largest difference of a case, as text."""
    return shown_difference(found, upright(case)[0], lang).interval


def _largest(answer: Answer, found: Answered, case: Case, lang: str) -> str:
    claim = found.claim
    est, is_turned = upright(case)
    pair, base = case.pairs[case.largest], ""
    first, second = pair.first, pair.second
    if claim.kind == "places":
        first, second = (ordinal(int(place) + 1, lang) for place in (first, second))
        first, second = (second, first) if is_turned else (first, second)
    if claim.kind in ("ladder", "value"):
        first, second = (called(answer.question, one, lang) for one in (first, second))
    if claim.kind == "distribution":
        first = with_unit(first, unit_of(answer.question.game, claim.estimand).of(lang))
    if case.against:
        base = base_label(answer, claim, case, lang)
    size = amount(answer, claim, shown_difference(found, est, lang).mean, lang)
    more = (LESS if is_turned else MORE).of(lang)
    is_of_wins = claim.estimand in ("win_share", "won")
    text = (_LARGEST if is_of_wins else _LARGEST | _MORE_OF)[claim.kind]
    if claim.kind == "value":
        base = held_against(answer, claim, case, lang)
        if first and is_of_wins:
            text = _GAP_FROM_VALUE if claim.value else _BEHIND if is_turned else _AHEAD
        elif first:
            text = _MORE_FROM_VALUE if claim.value else _HAS_MORE
    side = (_BELOW if is_turned else _ABOVE).of(lang)
    return say(text, lang, first=first, second=second, size=size, more=more, side=side, base=base)


def held_against(answer: Answer, claim: Claim, case: Case, lang: str) -> str:
    """The number that a case of kind value is held against, with its unit."""
    text = f"{claim.value * (100 if claim.is_rate else 1):.4g}".replace("-", "−")
    if claim.is_rate and not case.pairs[0].first:
        return f"{text}%" if lang == "zh" else f"{text}{NBSP}%"  # a share, and no gap of two
    return amount(answer, claim, text, lang)


def itself(answer: Answer, found: Answered, case: Case, lang: str) -> tuple[Shown, str]:
    """What was found where a case of kind value is furthest from its number, and the unit."""
    claim = found.claim
    est = estimates(case)[case.largest]
    low, high = (None if end is None else end + claim.value for end in (est.low, est.high))
    est = replace(est, mean=est.mean + claim.value, low=low, high=high)
    if claim.is_rate and not case.pairs[0].first:
        return shown(est, lang, is_rate=True), ""
    return shown_difference(found, est, lang), unit(answer, claim, lang)


def noticed(notice: int | None) -> str:
    """Games that a family would need, or that nobody plays so many."""
    if notice is None:
        return UNKNOWN
    return whole(notice) if notice <= MOST_NOTICED else f">{NBSP}{whole(MOST_NOTICED)}"


def counts(claims: Sequence[Answered], lang: str) -> str:
    """How many settings have which verdict, first that of all of them together."""
    every = [(found.claim, case) for found in claims for case in found.cases]
    first = together(case.finding.verdict for _, case in every)
    order = sorted(Verdict, key=lambda verdict: verdict != first)
    found: dict[str, int] = {}
    for verdict in order:
        for claim, case in every:
            if case.finding.verdict == verdict:
                name = case_word(claim, case, lang)
                found[name] = found.get(name, 0) + 1
    if len(found) == 1 < len(every):
        return say(_EVERY, lang, all=len(every), verdict=next(iter(found)))
    if len(every) == 1:
        return f"{next(iter(found))}{Words('.', '。').of(lang)}"
    texts = [
        say(_COUNT if number else _FIRST, lang, verdict=name, count=count, all=len(every))
        for number, (name, count) in enumerate(found.items())
    ]
    return Words(", ", "，").of(lang).join(texts) + Words(".", "。").of(lang)


def tally(found: Answered, lang: str) -> str:
    """The verdict of a claim; the numbers of each where its settings differ."""
    every = [case_word(found.claim, case, lang) for case in found.cases]
    if len(set(every)) == 1:
        return every[0]
    names = [*VERDICTS[found.claim.kind].values(), *SIDES.values()]
    return ("，" if lang == "zh" else ", ").join(
        f"{every.count(name)} {name}" for name in (one.of(lang) for one in names) if name in every
    )


def file_name(answer: Answer, name: str) -> str:
    """Name of a file of numbers."""
    return f"{answer.question.folder}-{name}.csv"


def rounded(number: int) -> int:
    """A number of two figures, not less than it is."""
    step = int("1" + "0" * max(0, len(str(number)) - 2))
    return -(-number // step) * step
