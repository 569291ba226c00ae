"""Exhibits of a comparison: ratings with their check, and who would be left in the long run."""

from __future__ import annotations

from dataclasses import replace

from analysis.comparison import Compared
from analysis.frames import played_alone, rating_frame, residual_frame
from analysis.intervals import LEVEL, Estimate
from analysis.moments import ROUNDING
from analysis.ratings import Rating
from reports import figures
from reports.compared import in_percent, names_told
from reports.contest import caption, exhibit, file_name
from reports.figures import Dot, Group
from reports.page import Exhibit
from reports.tables import Column, Line, Table, common, csv
from reports.words import UNKNOWN, Shown, capital, counted, decimal, percent, say, shown, span
from sim.core.game import Words

MOST_RESIDUALS = 10
TELLING = 200  # deals, below which a rating that is off by some points passes unnoticed
RATING_AXIS = Words("rating points", "等级分")

_RATINGS = Words("Ratings", "等级分")
_LEAD = Words(
    "Points above {anchor}, on a scale like Elo's: 400 points are odds of ten to one. Beside it "
    "stands how many of 100 games one would win alone against {others} of {anchor} if the ratings "
    "were right, and how many it did win where this table was played (these intervals hold "
    "together).",
    "以 {anchor} 为 0 的等级分，尺度与 Elo 相同：400 分相当于十比一的胜算。"
    "旁边是独自面对 {others} 家 {anchor} 时，每 100 局按等级分推算应赢的局数，"
    "以及该牌桌实际对局时赢得的局数（这些区间同时成立）。",
)
_WARNING = Words("Beware: {warning}.", "注意：{warning}。")
_SOUND = Words(
    "Nothing speaks against one number a strategy: the line-ups came out as the ratings have it.",
    "没有迹象反对用一个数字评级：各阵容的结果与等级分相符。",
)
_FEW = Words(
    "Whether one number a strategy is right, {deals} are too few to tell.",
    "用一个数字评级是否合适，{deals}太少，还看不出来。",
)
_FAIR = Words(
    "One number a strategy is a fair summary here, but not exact: the next table tells where it is "
    "off.",
    "在这里用一个数字概括还算合适，但并不精确：下表列出不符之处。",
)
_CHECK = Words("Where the ratings are off", "等级分与实际不符之处")
_CHECK_LEAD = Words(
    "Win share a seat as it was and as the ratings have it: first those that are surely off, the "
    "farthest first. {explained}{cyclic}",
    "每个座位的获胜份额：实际值与按等级分推算的值，确有偏差者在前，偏差大的优先。"
    "{explained}{cyclic}",
)
_EXPLAINED = Words(
    "The ratings explain {share} of the differences between line-ups. ",
    "等级分解释了阵容之间差异的 {share}。",
)
_CYCLIC = Words(
    "Of the preferences between pairs {share} go round in circles.",
    "两两优劣中有 {share} 循环相克。",
)


def exhibits(found: Compared, lang: str) -> list[Exhibit]:
    """Ratings, and what speaks against them."""
    shown_ = [_ratings(found, lang)]
    return [*shown_, _residuals(found, lang)] if found.ratings.check else shown_


def warning(found: Compared, lang: str) -> str:
    """What speaks against the ratings, or that nothing does."""
    text = found.ratings.warning
    if text:
        return say(_WARNING, lang, warning=names_told(found, text.of(lang), lang))
    check = found.ratings.check
    if check is None:
        return ""
    if check.p <= 1 - LEVEL:
        return _FAIR.of(lang)
    if found.deals < TELLING:
        return say(_FEW, lang, deals=counted(found.deals, "deal", lang))
    return _SOUND.of(lang)


def _ratings(found: Compared, lang: str) -> Exhibit:
    ranked = sorted(
        found.ratings.ratings, key=lambda one: -one.points.mean if one.points else float("inf")
    )
    dots, lines = [], []
    for one in ranked:
        if one.points:
            name = names_told(found, one.name, lang)
            dots.append(Dot(name, one.points, _points(one.points, lang)))
        lines.append(_line(found, one, lang))
    svg = ""
    if dots:
        svg = figures.dots(
            [Group("", dots)], RATING_AXIS.of(lang), reference=(0.0, ""), least_span=20
        )
    table = Table(
        (
            common("strategy", lang),
            Column(RATING_AXIS.of(lang), "rating"),
            common("interval", lang),
            Column(Words("wins of 100, by the ratings", "每百局胜，按等级分").of(lang), "alone"),
            common("interval", lang),
            Column(Words("as played", "实际").of(lang), "win_share"),
            common("interval", lang),
            Column(Words("strongest", "最强的概率").of(lang), "strongest"),
        ),
        tuple(lines),
        caption(found, lang),
        file_name(found, "ratings"),
        csv(rating_frame(found)),
    )
    lead = say(
        _LEAD,
        lang,
        anchor=names_told(found, found.ratings.anchor, lang),
        others=found.question.players - 1,
    )
    notes = [capital(names_told(found, note.of(lang), lang)) for note in found.ratings.notes]
    texts = [lead, warning(found, lang), *notes]
    lead = ("" if lang == "zh" else " ").join(text for text in texts if text)
    return exhibit(found, lang, "ratings", _RATINGS.of(lang), lead, table, svg)


def _line(found: Compared, one: Rating, lang: str) -> Line:
    name, share = names_told(found, one.name, lang), played_alone(found, one.name)
    was = in_percent(share, lang) if share else None
    played = (was.mean, was.interval) if was else (UNKNOWN, "")
    if one.points is None or one.alone is None:
        reason = one.reason.of(lang) if one.reason else UNKNOWN
        return Line((name, reason, "", "", "", *played, ""))
    rating, alone = _points(_fixed(one.points), lang), in_percent(_fixed(one.alone), lang)
    best = UNKNOWN if one.best is None else percent(one.best, lang, 0)
    ends = rating.interval, alone.interval
    return Line((name, rating.mean, ends[0], alone.mean, ends[1], *played, best))


def _fixed(est: Estimate) -> Estimate:
    """Without its interval if this has no width: so it is by the scale, whatever was played."""
    if est.low is None or est.high is None or est.high - est.low > ROUNDING:
        return est
    return replace(est, low=None, high=None)


def _points(est: Estimate, lang: str) -> Shown:
    """Rating points, whole; an end that is open has no number."""
    low, high = ("" if end is None else decimal(end, 0) for end in (est.low, est.high))
    ends = span(low, high, lang) if low and high else f"≥ {low}" if low else f"≤ {high}"
    return Shown(decimal(est.mean, 0), ends if low or high else UNKNOWN, lang)


def _residuals(found: Compared, lang: str) -> Exhibit:
    check = found.ratings.check
    assert check is not None
    lines = [
        Line(
            (
                names_told(found, one.lineup, lang),
                names_told(found, one.strategy, lang),
                percent(one.observed, lang),
                percent(one.fitted, lang),
                UNKNOWN if one.z is None else decimal(one.z, 1),
                UNKNOWN if one.p is None else _chance(one.p),
            )
        )
        for one in check.residuals[:MOST_RESIDUALS]
    ]
    table = Table(
        (
            Column(Words("line-up", "阵容").of(lang), "lineup", is_number=False),
            common("strategy", lang),
            Column(Words("was", "实际").of(lang), "win_share"),
            Column(Words("by the ratings", "按等级分").of(lang)),
            Column(Words("in standard errors", "相差标准误").of(lang)),
            Column(Words("chance", "偶然的概率").of(lang), "chance"),
        ),
        tuple(lines),
        caption(found, lang),
        file_name(found, "residuals"),
        csv(residual_frame(found)),
    )
    parts = {
        "explained": _part(_EXPLAINED, check.explained, lang),
        "cyclic": _part(_CYCLIC, check.cyclic, lang),
    }
    return exhibit(
        found, lang, "residuals", _CHECK.of(lang), say(_CHECK_LEAD, lang, **parts), table
    )


def _part(words: Words, est: Estimate | None, lang: str) -> str:
    return say(words, lang, share=shown(est, lang, is_rate=True).both) if est else ""


def _chance(p: float) -> str:
    """A p-value: three decimals, or that it is less."""
    return "< 0.001" if p < 0.001 else decimal(p, 3)
