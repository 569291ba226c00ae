"""What a comparison found, in words: the verdict on two strategies, on many, and single numbers."""

from __future__ import annotations

from dataclasses import replace

from analysis import winshares
from analysis.comparison import Compared
from analysis.headtohead import Alone, Call, Duel, InRole
from analysis.intervals import Estimate
from reports.names import of_comparison, told
from reports.verdicts import MOST_NOTICED, noticed, rounded
from reports.words import (
    NBSP,
    Shown,
    count_word,
    counted,
    percent,
    points,
    say,
    shown,
    whole,
)
from sim.core.game import Words

CALLS = {
    Call.AHEAD: Words("better", "更强"),
    Call.BEHIND: Words("worse", "更弱"),
    Call.RARE: Words("better where alone", "独自一家时更强"),
    Call.COMMON: Words("worse where alone", "独自一家时更弱"),
    Call.SAME: Words("the same", "相同"),
    Call.OPEN: Words("open", "未定"),
}

_AHEAD = Words(
    "{first} beats {second}: {share} against {expected} expected at a table of {players}, "
    "95\u00a0% interval {interval}; a family would notice after {notice}.",
    "{first} 胜过 {second}：{players}人桌独自一家时获胜 {share}，均分为 {expected}，"
    "95% 区间 {interval}；一家人约 {notice}后能察觉。",
)
_AHEAD_BY_OTHER = Words(
    "{first} beats {second}: {second} alone at a table of {players} has {share} against {expected} "
    "expected, 95\u00a0% interval {interval}; a family would notice after {notice}.",
    "{first} 胜过 {second}：{players}人桌上 {second} 独自一家时只获胜 {share}，"
    "均分为 {expected}，95% 区间 {interval}；一家人约 {notice}后能察觉。",
)
_BOTH_WAYS = Words(
    "The other way round it holds too: {second} alone among {first} has {share} ({interval}).",
    "反过来也成立：{second} 独自面对 {first} 时获胜 {share}（{interval}）。",
)
_ONE_WAY = Words(
    "The other way round these games cannot tell: {second} alone among {first} has {share} "
    "({interval}).",
    "反过来则还不能判断：{second} 独自面对 {first} 时获胜 {share}（{interval}）。",
)
_RARE = Words(
    "Neither of {first} and {second} is better: each gains where it is alone, {share} and {other} "
    "against {expected} expected at a table of {players}, 95\u00a0% intervals {interval} and "
    "{other_interval}.",
    "{first} 与 {second} 不分高下：{players}人桌上各自独自一家时都占便宜，获胜 {share} 与 {other}，"
    "均分为 {expected}，95% 区间 {interval} 与 {other_interval}。",
)
_COMMON = Words(
    "Neither of {first} and {second} is better: each loses where it is alone, {share} and {other} "
    "against {expected} expected at a table of {players}, 95\u00a0% intervals {interval} and "
    "{other_interval}.",
    "{first} 与 {second} 不分高下：{players}人桌上各自独自一家时都吃亏，获胜 {share} 与 {other}，"
    "均分为 {expected}，95% 区间 {interval} 与 {other_interval}。",
)
_OPEN = Words(
    "These games cannot tell {first} from {second}: alone {first} has {share} against {expected} "
    "expected at a table of {players}, 95\u00a0% interval {interval}.",
    "这些对局还分不出 {first} 与 {second}：{players}人桌上 {first} 独自一家时获胜 {share}，"
    "均分为 {expected}，95% 区间 {interval}。",
)
_SAME = Words(
    "{first} and {second} decided alike in all {games} against each other: one strategy under two "
    "names, it seems.",
    "{first} 与 {second} 在彼此对阵的全部 {games}中决策都一样：看来是同一策略的两个名字。",
)
_EDGE = {
    Call.AHEAD: Words(
        "{first} beats {second}: where both play it wins {edge} percentage points more a seat, "
        "95\u00a0% interval {interval}; a family would notice after {notice}.",
        "{first} 胜过 {second}：两者同桌时每个座位多获胜 {edge} 个百分点，"
        "95% 区间 {interval}；一家人约 {notice}后能察觉。",
    ),
    Call.OPEN: Words(
        "Where both play, these games cannot tell {first} from {second}: the difference a seat is "
        "{edge} percentage points, 95\u00a0% interval {interval}.",
        "两者同桌时，这些对局还分不出 {first} 与 {second}：每个座位相差 {edge} 个百分点，"
        "95% 区间 {interval}。",
    ),
}
_ALONE = {
    Call.AHEAD: Words(
        "Alone at each other's table it is better too: {numbers}.",
        "独自面对清一色的对方时也更强：{numbers}。",
    ),
    Call.BEHIND: Words(
        "Alone at each other's table it is worse: {numbers}.",
        "独自面对清一色的对方时却更弱：{numbers}。",
    ),
    Call.OPEN: Words(
        "Alone at each other's table it is open: {numbers}.",
        "独自面对清一色的对方时未定：{numbers}。",
    ),
}
_ALONE_UNDECIDED = Words(
    "Alone at each other's table {numbers}; that does not decide between them.",
    "独自面对清一色的对方时，{numbers}；这还不能分出高下。",
)
_NUMBERS = Words(
    "{first} has {share} ({interval}) against {expected} expected, {second} {other} "
    "({other_interval})",
    "{first} 获胜 {share}（{interval}），均分为 {expected}；{second} 获胜 {other}"
    "（{other_interval}）",
)
_BEST = Words(
    "{name} is the best of {n}: over all its tables it wins {share} a seat against {expected} "
    "expected, 95\u00a0% interval {interval}.",
    "{n}个策略中 {name} 最强：在它的全部牌桌上每个座位获胜 {share}，均分为 {expected}，"
    "95% 区间 {interval}。",
)
_FIRST = Words(
    "{name} comes first of {n}, but not for sure: over all its tables it wins {share} a seat "
    "against {expected} expected, 95\u00a0% interval {interval}.",
    "{n}个策略中 {name} 暂列第一，但不能确定：在它的全部牌桌上每个座位获胜 {share}，"
    "均分为 {expected}，95% 区间 {interval}。",
)
_BEATEN = Words(
    "Nobody is the best of {n}{circle}: {name} comes first over all its tables, where it wins "
    "{share} a seat against {expected} expected, 95\u00a0% interval {interval}, but it loses to "
    "{rivals}.",
    "{n}个策略中没有最强者{circle}：{name} 在它的全部牌桌上暂列第一，每个座位获胜 {share}，"
    "均分为 {expected}，95% 区间 {interval}，但不敌 {rivals}。",
)
_CIRCLE = Words(", they go round in circles", "，而是循环相克")
_GAUNTLET = Words(
    "{name} beats {wins} of {n} and loses to {losses}: over all its tables it wins {share} a seat "
    "against {expected} expected, 95\u00a0% interval {interval}.",
    "{name} 对 {n} 个对手胜 {wins} 个、负 {losses} 个：在它的全部牌桌上每个座位获胜 {share}，"
    "均分为 {expected}，95% 区间 {interval}。",
)
_FOREVER = Words("more than {games} games", "{games} 局以上")
_NEXT = Words(
    "Next comes {name}, {behind} percentage points behind ({interval}).",
    "其次是 {name}，落后 {behind} 个百分点（{interval}）。",
)


def name_of(found: Compared, strategy: int, lang: str) -> str:
    """What a strategy is called."""
    return names_told(found, found.names[strategy], lang)


def names_told(found: Compared, text: str, lang: str) -> str:
    """A text with the strategies in it called by their names."""
    if lang == "zh":
        text = text.replace(", ", "、")  # between the strategies of a line-up
    return told(text, of_comparison(found.question, lang))


def headline(found: Compared, lang: str) -> str:
    """The verdict: on the two strategies, on the one that runs a gauntlet, or on the best."""
    if len(found.names) == 2:
        (duel,) = found.duels
        return duel_sentence(found, duel, lang)
    first, second = found.pair
    one = next(one for one in found.standings if one.strategy == first)
    share = shown(one.share, lang, is_rate=True)
    parts = {
        "name": name_of(found, first, lang),
        "share": share.mean,
        "expected": percent(one.expected, lang),
        "interval": share.interval,
    }
    if found.question.design == "gauntlet":
        calls = [duel.seen_from(0).call for duel in found.duels]
        wins, losses = calls.count(Call.AHEAD), calls.count(Call.BEHIND)
        return say(_GAUNTLET, lang, wins=wins, losses=losses, n=len(calls), **parts)
    parts["n"] = count_word(len(found.names), lang)
    beaters, rival = found.beaten_by(first), found.duel(first, second)
    if beaters:
        # Somebody who beats the first is beaten by somebody whom the first beats.
        is_circle = any(first in found.beaten_by(i) for j in beaters for i in found.beaten_by(j))
        names = Words(", ", "、").of(lang).join(name_of(found, i, lang) for i in beaters)
        circle = _CIRCLE.of(lang) if is_circle else ""
        texts = [say(_BEATEN, lang, circle=circle, rivals=names, **parts)]
    else:
        next_ = found.standings[1]
        texts = [say(_BEST if found.is_first_sure else _FIRST, lang, **parts)]
        if next_.behind:
            behind = points(next_.behind, lang)
            name = name_of(found, next_.strategy, lang)
            parts = {"behind": behind.mean, "interval": behind.interval}
            texts.append(say(_NEXT, lang, name=name, **parts))
    if rival:
        texts.append(duel_sentence(found, rival, lang))
    return ("" if lang == "zh" else " ").join(texts)


def duel_sentence(found: Compared, duel: Duel, lang: str) -> str:
    """What is found about two strategies, the one that beats the other first."""
    if duel.call == Call.BEHIND:
        duel = duel.seen_from(duel.second)
    first, second = (name_of(found, i, lang) for i in (duel.first, duel.second))
    names = {"first": first, "second": second}
    if duel.call == Call.SAME:
        pair = {found.names[duel.first], found.names[duel.second]}
        games = sum(winshares.games(cell) for cell in found.cells if {*cell.lineup} == pair)
        return say(_SAME, lang, games=counted(games, "game", lang), **names)
    mine, theirs = duel.alone
    if mine is None or theirs is None:
        return _edge_sentence(duel, names, lang)
    other = shown(theirs.share, lang, is_rate=True)
    both = {**_alone(mine, lang), "other": other.mean, "other_interval": other.interval}
    names["players"] = count_word(found.question.players, lang)
    if duel.call in (Call.RARE, Call.COMMON):
        return say(_RARE if duel.call == Call.RARE else _COMMON, lang, **names, **both)
    if duel.is_among_others or duel.alone_call != duel.call:
        call = duel.alone_call or Call.OPEN
        is_undecided = duel.call == Call.OPEN and call != Call.OPEN
        words = _ALONE_UNDECIDED if is_undecided else _ALONE[call]
        numbers = say(_NUMBERS, lang, **names, **both)
        texts = [_edge_sentence(duel, names, lang), say(words, lang, numbers=numbers)]
        return ("" if lang == "zh" else " ").join(texts)
    if duel.call == Call.OPEN:
        return say(_OPEN, lang, **names, **_alone(mine, lang))
    if not mine.sign:
        return say(_AHEAD_BY_OTHER, lang, **names, **_alone(theirs, lang))
    back = shown(theirs.share, lang, is_rate=True)
    again = say(
        _BOTH_WAYS if theirs.sign < 0 else _ONE_WAY,
        lang,
        **names,
        share=back.mean,
        interval=back.interval,
    )
    text = say(_AHEAD, lang, **names, **_alone(mine, lang))
    return f"{text}{'' if lang == 'zh' else ' '}{again}"


def _edge_sentence(duel: Duel, names: dict[str, str], lang: str) -> str:
    """What the tables tell at which both sit."""
    edge = points(duel.edge, lang)
    words = _EDGE[Call.OPEN if duel.call == Call.OPEN else Call.AHEAD]
    told = {"edge": edge.mean, "interval": edge.interval, "notice": games_noticed(duel, lang)}
    return say(words, lang, **told, **names)


def telling(duel: Duel) -> Alone | None:
    """The one of two strategies that shows alone who is better; None if neither does."""
    if duel.call not in (Call.AHEAD, Call.BEHIND) or duel.alone_call != duel.call:
        return None
    return next((one for one in duel.alone if one and one.sign), None)


def alike(found: Compared, lang: str) -> str:
    """Which strategies decided alike, beyond what the headline says."""
    same = [duel_sentence(found, duel, lang) for duel in found.duels if duel.call == Call.SAME]
    above = headline(found, lang)
    return ("" if lang == "zh" else " ").join(text for text in same if text not in above)


def _alone(one: Alone, lang: str) -> dict[str, str]:
    """The numbers of a strategy alone among others, as text."""
    share = shown(one.share, lang, is_rate=True)
    return {
        "share": share.mean,
        "expected": percent(one.expected, lang),
        "interval": share.interval,
        "notice": games_noticed(one, lang),
    }


def counted_games(games: int | None, lang: str) -> str:
    """A number of games to two figures, or that it takes more than anybody plays."""
    if games is None or games > MOST_NOTICED:
        return say(_FOREVER, lang, games=whole(MOST_NOTICED))
    return counted(rounded(games), "game", lang)


def in_percent(share: Estimate, lang: str) -> Shown:
    """A share in percent without the sign."""
    text = shown(share, lang, is_rate=True)
    return replace(text, mean=text.mean.rstrip("%").rstrip(NBSP))


Noticed = Alone | InRole | Duel  # what a family may notice


def games_noticed(one: Noticed, lang: str) -> str:
    """Games after which a family would notice, with their unit."""
    return counted_games(_notice(one), lang)


def notice(one: Noticed) -> str:
    """Games after which a family would notice, to two figures."""
    games = _notice(one)
    return noticed(rounded(games) if games else None)


def _notice(one: Noticed) -> int | None:
    """At least two: a single game shows no difference, however sure it is."""
    return one.notice and max(one.notice, 2)
