"""Verdicts in words: headline, sentence and numbers of a claim, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from analysis.balance import Answer, Answered, together
from analysis.cases import Case
from analysis.fairness import Verdict
from analysis.intervals import Estimate
from analysis.questions import Claim, Setting
from analysis.winshares import unit_of
from reports.names import called
from reports.words import (
    NBSP,
    UNKNOWN,
    Shown,
    capital,
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
_MORE, _LESS = Words("more", "多"), Words("less", "少")
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
    "{verdict}{where}: {means}. The largest: {largest} ({interval}).",
    "{verdict}{where}：{means}。最大的差异：{largest}（{interval}）。",
)


_HEADLINE = Words(
    "{question} {family} {verdict}{where}: {largest} ({interval}), {side}.",
    "{question}{family}{verdict}{where}：{largest}（{interval}），{side}。",
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


_OTHER_MARGIN = {
    Verdict.FAIR: Words(
        "A margin below {size}: no difference was seen, within its interval, to go further.",
        "界限若小于 {size}：目前所有差异连同区间都没有超过这个数。",
    ),
    Verdict.UNFAIR: Words(
        "A margin above {size}: the difference is shown to be no smaller than that.",
        "界限若大于 {size}：已证明差异不小于这个数。",
    ),
}
_ON_MARGIN = Words(
    "Another margin: the largest difference lies so close to {margin} that more deals will not "
    "decide.",
    "换一个界限：最大的差异就在{margin}附近，再多发牌也难以判定。",
)
_MORE_DEALS = Words("Some {more} more deals would decide.", "约再需 {more} 次发牌才能判定。")
_IN = Words(" with {label}", "（{label}）")


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
        family=re.sub(r"^\d+\.\s*", "", family.title.of(lang)),
        verdict=word(found, lang),
        **spoken(answer, found, found.decisive, lang),
        interval=interval(found.claim, found.decisive, lang),
        side=say(_SIDE[found.verdict], lang, margin=margin(answer, found.claim, lang)),
    )
    if sum(len(one.cases) for one in claims) == 1:
        return text
    return f"{text}{'' if lang == 'zh' else ' '}{counts(claims, lang)}"


def change(answer: Answer, lang: str) -> str:
    """What would change the headline."""
    first = next(iter(answer.question.families))
    found = worst(answer.of_family(first))
    case = found.decisive
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
        ends = [
            abs(end)
            for one in answer.of_family(first)
            for case in one.cases
            for est in estimates(case)
            for end in (est.low, est.high)
            if end is not None and one.claim.margin == found.claim.margin
        ]
        least = max(ends, default=found.claim.margin)
        if found.verdict == Verdict.UNFAIR:
            least = upright(case)[0].low or 0.0
        shown_ = f"{least * (100 if found.claim.is_rate else 1):.2g}"
        size = amount(answer, found.claim, shown_, lang)
        text = say(_OTHER_MARGIN[found.verdict], lang, size=size)
    return text


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
        interval=interval(found.claim, case, lang),
    )
    if len(found.cases) == 1:
        return text
    return f"{text}{'' if lang == 'zh' else ' '}{counts([found], lang)}"


def label(answer: Answer, claim: Claim, setting: Setting, lang: str) -> str:
    """What tells a setting from the others of its claim."""
    parts = [table_label(answer, claim, setting, lang)]
    if len({other.lineup.name for other in claim.settings}) > 1 or not parts[0]:
        parts.append(called(answer.question, setting.lineup.name, lang))
    return Words(", ", "，").of(lang).join(filter(None, parts))


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
        more, base = _LESS if is_turned else _MORE, base_label(answer, claim, case, lang)
        than = say(_THAN, lang, more=more.of(lang), base=base)
    return Words("; ", "；").of(lang).join(filter(None, (text, where, than)))


def amounts(claim: Claim, case: Case, lang: str) -> list[Shown]:
    """Every difference with its interval as text, without a unit."""
    return [shown_difference(claim, est, lang) for est in estimates(case)]


def estimates(case: Case) -> list[Estimate]:
    """Every difference with the interval that holds together with the others."""
    found, half, se = case.finding.contrasts, case.half_width, case.finding.contrasts.se
    # Where nothing varied and no range is known, nothing can be said.
    is_told = [half is not None and bool(np.isfinite(half[i])) for i in range(len(case.pairs))]
    return [
        Estimate(
            float(mean),
            None if se is None else float(se[i]),
            float(mean - half[i]) if half is not None and is_told[i] else None,
            float(mean + half[i]) if half is not None and is_told[i] else None,
            found.deals,
            case.games,
        )
        for i, mean in enumerate(found.estimate)
    ]


def worst(claims: Sequence[Answered]) -> Answered:
    """The claim that is furthest from fair, and of those the one nearest to its margin."""
    order = [Verdict.FAIR, Verdict.INCONCLUSIVE, Verdict.UNFAIR]

    def distance(found: Answered) -> tuple[int, float]:
        largest = abs(found.decisive.finding.contrasts.estimate).max()
        return order.index(found.verdict), float(largest) / found.claim.margin

    return max(claims, key=distance)


def spoken(answer: Answer, found: Answered, case: Case, lang: str) -> dict[str, str]:
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


def shown_difference(claim: Claim, est: Estimate, lang: str) -> Shown:
    """A difference as text; its place beside the margin needs a decimal more."""
    if claim.is_rate:
        half = 0.0 if est.low is None else est.mean - est.low
        return points(est, lang, more=int(half >= 0.001))
    return shown(est, lang, is_rate=False)


def turned(est: Estimate) -> Estimate:
    """The same difference the other way round."""
    low = None if est.high is None else -est.high
    high = None if est.low is None else -est.low
    return Estimate(-est.mean, est.se, low, high, est.deals, est.games)


def upright(case: Case) -> tuple[Estimate, bool]:
    """The largest difference as a positive number, and whether it had to be turned."""
    est = estimates(case)[case.largest]
    return (turned(est), True) if est.mean < 0 else (est, False)


def interval(claim: Claim, case: Case, lang: str) -> str:
    """The interval of the largest difference of a case, as text."""
    return shown_difference(claim, upright(case)[0], lang).interval


def _largest(answer: Answer, claim: Claim, case: Case, lang: str) -> str:
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
    size = amount(answer, claim, shown_difference(claim, est, lang).mean, lang)
    more = (_LESS if is_turned else _MORE).of(lang)
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


def itself(answer: Answer, claim: Claim, case: Case, lang: str) -> tuple[Shown, str]:
    """What was found where a case of kind value is furthest from its number, and the unit."""
    est = estimates(case)[case.largest]
    low, high = (None if end is None else end + claim.value for end in (est.low, est.high))
    est = replace(est, mean=est.mean + claim.value, low=low, high=high)
    if claim.is_rate and not case.pairs[0].first:
        return shown(est, lang, is_rate=True), ""
    return shown_difference(claim, est, lang), unit(answer, claim, lang)


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
