"""The course of a sequential test: what was seen at every look, and where it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.comparison import Compared
from analysis.frames import look_frame
from analysis.intervals import Estimate
from analysis.sprt import Decision, Look, Sprt
from reports.compared import name_of
from reports.contest import POINTS_AXIS, exhibit, file_name
from reports.page import Exhibit
from reports.paper import axes_at, canvas
from reports.tables import Column, Line, Table, common, csv
from reports.theme import DAY, SMALL, WIDTH, drawing, save
from reports.words import UNKNOWN, capital, counted, decimal, points, say, whole
from sim.core.game import Words

if TYPE_CHECKING:
    from matplotlib.axes import Axes

PLOT = 120.0  # px of either panel
MOST_LOOKS = 12  # in the table; the file has all

_TITLE = Words("The test from look to look", "检验的过程")
_LEAD = Words(
    "How far {first} alone is ahead of the equal share, {low} or {high} percentage points: the "
    "evidence for the one or the other (log-likelihood ratio) until it crosses a bound, and below "
    "the advantage with its always-valid interval. Wrong in at most {error} of such tests.",
    "{first} 独自一家时超出均分 {low} 还是 {high} 个百分点：上图为支持两者之一的证据"
    "（对数似然比），越过界线即停；下图为优势及其随时有效的区间。这类检验至多有 {error} 出错。",
)
_EVIDENCE = Words("evidence", "证据")
_DEALS = Words("deals", "发牌次数")
_SAYS = {
    Decision.HIGH: Words(
        "The test {low}:{high} says {high}: {reason} after {deals}.",
        "检验 {low}:{high} 的结论是 {high}：{deals}后，{reason}。",
    ),
    Decision.LOW: Words(
        "The test {low}:{high} says {low}: {reason} after {deals}.",
        "检验 {low}:{high} 的结论是 {low}：{deals}后，{reason}。",
    ),
}
_ENDS = Words(
    "The test {low}:{high} ends without an answer after {deals}: {reason}.",
    "检验 {low}:{high} 在 {deals}后没有结论：{reason}。",
)


def sentence(found: Compared, lang: str) -> str:
    """What the test says; nothing if there was none."""
    course, test = found.course, found.question.plan
    if course is None or not isinstance(test, Sprt):
        return ""
    return say(
        _SAYS.get(course.decision, _ENDS),
        lang,
        **_bounds(test),
        reason=course.reason.of(lang),
        deals=counted(course.looks[-1].deals, "deal", lang),
    )


def exhibits(found: Compared, lang: str) -> list[Exhibit]:
    """The looks as a figure and a table."""
    course, test = found.course, found.question.plan
    if course is None or not isinstance(test, Sprt):
        return []
    lines = [_line(look, found, lang) for look in course.looks[-MOST_LOOKS:]]
    table = Table(
        (
            Column(capital(_DEALS.of(lang)), "deal"),
            Column(POINTS_AXIS.of(lang), "points"),
            common("valid", lang),
            Column(_EVIDENCE.of(lang), "evidence"),
        ),
        tuple(lines),
        say(
            Words("the last {n} of {all} looks", "{all} 次查看中的最后 {n} 次"),
            lang,
            n=len(lines),
            all=len(course.looks),
        ),
        file_name(found, "looks"),
        csv(look_frame(found)),
    )
    error = f"{100 * max(test.alpha, test.beta):g} %" if lang == "en" else "5%"
    lead = say(_LEAD, lang, first=name_of(found, 0, lang), error=error, **_bounds(test))
    title = _TITLE.of(lang)
    return [exhibit(found, lang, "looks", title, lead, table, _draw(course.looks, test, lang))]


def _bounds(test: Sprt) -> dict[str, str]:
    return {
        name: f"{100 * end:g}".replace("-", "−")
        for name, end in (("low", test.low), ("high", test.high))
    }


def _line(look: Look, found: Compared, lang: str) -> Line:
    est = Estimate(look.mean, look.se, look.low, look.high, look.deals, look.deals)
    text = points(est, lang)
    ratio = UNKNOWN if look.ratio is None else decimal(look.ratio, 2)
    return Line((whole(look.deals), text.mean, text.interval, ratio))


def _draw(looks: tuple[Look, ...], test: Sprt, lang: str) -> str:
    """Evidence between its bounds, and the advantage with its interval, over the deals."""
    seen = [look for look in looks if look.ratio is not None]
    if not seen:
        return ""
    left, width, bottom = 44.0, WIDTH - 60.0, 42.0
    deals = [look.deals for look in seen]
    with drawing():
        figure = canvas(2 * PLOT + bottom + 62)
        upper = axes_at(figure, left, bottom + PLOT + 34, width, PLOT)
        lower = axes_at(figure, left, bottom, width, PLOT)
        upper.plot(deals, [look.ratio or 0.0 for look in seen], color=DAY["accent"], marker=".")
        for bound, name in zip(test.bounds, _bounds(test).values(), strict=True):
            _mark(upper, bound, name)
        ends = [[100 * (getattr(look, side) or 0.0) for look in seen] for side in ("low", "high")]
        lower.fill_between(deals, ends[0], ends[1], color=DAY["fill"], linewidth=0)
        lower.plot(deals, [100 * look.mean for look in seen], color=DAY["accent"], marker=".")
        for end in (test.low, test.high):
            _mark(lower, 100 * end, "")
        for axes, title in ((upper, _EVIDENCE), (lower, POINTS_AXIS)):
            axes.set_xlim(0, 1.04 * deals[-1])
            axes.grid(axis="y", clip_on=False)
            axes.tick_params(axis="y", labelcolor=DAY["soft"])
            axes.set_title(title.of(lang), loc="left", fontsize=SMALL, color=DAY["soft"])
        upper.tick_params(labelbottom=False)
        lower.set_xlabel(_DEALS.of(lang), loc="right")
        return save(figure)


def _mark(axes: Axes, value: float, name: str) -> None:
    """Draw a bound with its name at its right end."""
    axes.axhline(value, color=DAY["mark"], linewidth=1.2, dashes=(4, 3))
    axes.annotate(
        name,
        (1, value),
        (3, -4),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        color=DAY["mark"],
        fontsize=SMALL,
    )
