"""Exhibits of a comparison: how much is skill and how much luck, and how long until it shows."""

from __future__ import annotations

from dataclasses import replace

from analysis.comparison import Compared
from analysis.controls import Controlled
from analysis.frames import component_frame, saved_frame
from reports import figures
from reports.compared import counted_games, names_told
from reports.contest import dots_table, exhibit
from reports.figures import Dot, Group
from reports.page import Exhibit
from reports.tables import Column, csv
from reports.words import say, shown
from sim.core.game import Words

_TITLE = Words("What a result is made of", "一局的结果由什么决定")
_LEAD = Words(
    "Of the spread of a seat's result in one game, in percent: the skill of its strategy, the luck "
    "of its place and cards in the deal, whoever plays them, how a strategy takes to these cards, "
    "and the rest: who sits where else, and chance.",
    "单局中一个座位结果的波动由哪些部分组成（%）：策略的水平；该次发牌的座位与手牌的运气"
    "（谁来打都一样）；策略与这副牌是否契合；其余：其他座位上是谁，以及偶然。",
)
_BELOW = Words(
    " Parts are estimated without bias: one below zero stands for none.",
    "各部分为无偏估计：低于零的即表示没有。",
)
_PARTS = {
    "skill": Words("skill: the strategies", "水平：策略"),
    "cards": Words("luck: place and cards", "运气：座位与手牌"),
    "match": Words("match: strategy and cards", "契合：策略与牌"),
    "rest": Words("the rest", "其余"),
}
WORTH = 1.1  # times as many games, from which it is called a saving
_SAVED = Words("Games saved", "省下的局数")
_SAVED_LEAD = Words(
    "How many times as many games it would take to be as sure of the difference in {lineup} if "
    "every game had a deal of its own, and without looking at the hands. 1: nothing is saved. ",
    "在 {lineup} 中，若每局各用新牌，或不看手牌，要同样有把握需要多少倍的局数。1 表示没有节省。",
)
_WORTH = Words("Here it pays.", "在这里值得。")
_WORTHLESS = Words(
    "Here next to nothing is saved: different strategies make different games of the same cards.",
    "在这里几乎没有节省：策略不同，同样的牌也打成不同的对局。",
)
_DUPLICATE = Words("the same deal in all rotations", "同一次发牌轮换座位")
_HANDS = Words("what the hands foretell taken off", "扣除手牌可预见的部分")
_UNTOLD = Words(
    " What the hands foretell is not taken off: {reason}.", "未能扣除手牌可预见的部分：{reason}。"
)
_AHEAD = Words(
    "In a single game {better} gets more of the win than {other} in {ahead}, less in {behind}. "
    "After {games} it leads with a chance of 95 %.",
    "单局中 {better} 所得多于 {other} 的占 {ahead}，少于的占 {behind}。"
    "{games}之后，它以 95% 的概率领先。",
)
_SPAN = Words(" The interval allows {fewest} to {most}.", "按区间为{fewest}至{most}。")
_OPEN = Words(
    " The interval allows {fewest}, and also that it never leads for sure.",
    "按区间可少至{fewest}，也可能永远无法稳定领先。",
)


def exhibits(found: Compared, lang: str) -> list[Exhibit]:
    """The parts of a result, and the games saved, as far as they can be told."""
    return [*_parts(found, lang), *_saved(found, lang)]


def reason(found: Compared, lang: str) -> str:
    """Why it cannot be told how many games are saved; nothing if it can."""
    return found.saved.of(lang) if isinstance(found.saved, Words) else ""


def _parts(found: Compared, lang: str) -> list[Exhibit]:
    parts = found.components.estimates() if found.components else None
    if parts is None:
        return []
    dots = [
        Dot(_PARTS[name].of(lang), est, shown(est, lang, is_rate=True))
        for name, est in parts.items()
    ]
    axis = Words("% of the spread", "占波动的 %").of(lang)
    svg = figures.dots([Group("", dots)], axis, scale=100, from_zero=True)
    heads = (
        Column(Words("part", "部分").of(lang), "spread", is_number=False),
        Column(Words("share", "占比").of(lang)),
    )
    table = dots_table(found, lang, heads, dots, "skill", csv(component_frame(found)))
    lead = _LEAD.of(lang)
    if min(est.mean for est in parts.values()) < 0:
        lead += _BELOW.of(lang)
    return [exhibit(found, lang, "skill", _TITLE.of(lang), lead, table, svg)]


def _saved(found: Compared, lang: str) -> list[Exhibit]:
    """What the duplicate design and the hands save."""
    saved = found.saved
    if isinstance(saved, Words):
        return []
    hands, lineup = saved.controlled, names_told(found, saved.lineup, lang)
    parts = (
        (_DUPLICATE, saved.duplicate),
        (_HANDS, hands.factor if isinstance(hands, Controlled) else None),
    )
    dots = [
        Dot(words.of(lang), est, shown(est, lang, is_rate=False)) for words, est in parts if est
    ]
    axis = Words("times as many games", "局数的倍数").of(lang)
    svg = figures.dots([Group("", dots)], axis, reference=(1.0, ""), from_zero=True) if dots else ""
    heads = (
        Column(Words("what saves", "方法").of(lang), "saved", is_number=False),
        Column(Words("times", "倍数").of(lang)),
    )
    table = dots_table(found, lang, heads, dots, "saved", csv(saved_frame(found)))
    table = replace(table, caption=lineup)  # of that one alone
    lead = say(_SAVED_LEAD, lang, lineup=lineup)
    if dots:
        best = max(dot.estimate.mean for dot in dots)
        lead += (_WORTH if best >= WORTH else _WORTHLESS).of(lang)
    if isinstance(hands, Words):
        lead += say(_UNTOLD, lang, reason=hands.of(lang))
    return [exhibit(found, lang, "saved", _SAVED.of(lang), lead, table, svg)]


def sentence(found: Compared, lang: str) -> str:
    """How long the best must play until it leads the next best; nothing where that is not known."""
    one = found.lead
    if one is None:
        return ""
    return say(
        _AHEAD,
        lang,
        better=names_told(found, one.better, lang),
        other=names_told(found, one.other, lang),
        ahead=shown(one.ahead, lang, is_rate=True).both,
        behind=shown(one.behind, lang, is_rate=True).both,
        games=counted_games(one.games, lang),
    ) + say(
        _OPEN if one.most is None else _SPAN,
        lang,
        fewest=counted_games(one.fewest, lang),
        most=counted_games(one.most, lang),
    )
