"""Exhibits of a comparison: how much is skill and how much luck, and how long until it shows."""

from __future__ import annotations

from analysis.comparison import Compared
from analysis.frames import component_frame
from reports import figures
from reports.compared import counted_games
from reports.contest import caption, exhibit, file_name
from reports.figures import Dot, Group
from reports.page import Exhibit
from reports.tables import Column, Line, Table, csv
from reports.words import say, shown
from sim.core.game import Words

_TITLE = Words("What a result is made of", "一局的结果由什么决定")
_LEAD = Words(
    "Of the spread of a seat's result in one game, in percent: the skill of its strategy, the luck "
    "of its place and cards in the deal, whoever plays them, and the rest: what the others do, own "
    "chance, and how a strategy takes to a hand.",
    "单局中一个座位结果的波动由哪些部分组成（%）：策略的水平；该次发牌的座位与手牌的运气"
    "（谁来打都一样）；其余：他人的做法、自身的随机、策略与手牌是否合拍。",
)
_PARTS = {
    "skill": Words("skill: the strategies", "水平：策略"),
    "cards": Words("luck: place and cards", "运气：座位与手牌"),
    "rest": Words("the rest", "其余"),
}
_AHEAD = Words(
    "In a single game {better} gets more of the win than {other} in {ahead}, less in {behind}. "
    "After {games} it leads with a chance of 95 %.",
    "单局中 {better} 所得多于 {other} 的占 {ahead}，少于的占 {behind}。"
    "{games}之后，它以 95% 的概率领先。",
)
_SPAN = Words(" The interval allows {fewest} to {most}.", "按区间为 {fewest} 至 {most}。")


def exhibits(found: Compared, lang: str) -> list[Exhibit]:
    """The parts of a result; nothing where they cannot be told."""
    parts = found.components.estimates() if found.components else None
    if parts is None:
        return []
    dots = [
        Dot(_PARTS[name].of(lang), est, shown(est, lang, is_rate=True))
        for name, est in parts.items()
    ]
    axis = Words("% of the spread", "占波动的 %").of(lang)
    svg = figures.dots([Group("", dots)], axis, scale=100, from_zero=True)
    table = Table(
        (
            Column(Words("part", "部分").of(lang), "spread", is_number=False),
            Column(Words("share", "占比").of(lang)),
            Column(Words("95 %", "95%").of(lang), "interval"),
        ),
        tuple(Line((dot.label, dot.text.mean, dot.text.interval)) for dot in dots),
        caption(found, lang),
        file_name(found, "skill"),
        csv(component_frame(found)),
    )
    lead = _LEAD.of(lang)
    return [exhibit(found, lang, "skill", _TITLE.of(lang), lead, table, svg)]


def sentence(found: Compared, lang: str) -> str:
    """How long the best must play until it leads the next best; nothing where that is not known."""
    one = found.lead
    if one is None:
        return ""
    return say(
        _AHEAD,
        lang,
        better=one.better,
        other=one.other,
        ahead=shown(one.ahead, lang, is_rate=True).both,
        behind=shown(one.behind, lang, is_rate=True).both,
        games=counted_games(one.games, lang),
    ) + say(
        _SPAN,
        lang,
        fewest=counted_games(one.fewest, lang),
        most=counted_games(one.most, lang),
    )
