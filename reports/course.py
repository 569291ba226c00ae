"""The course of a sequential test: what was seen at every look, and where it stopped."""

from __future__ import annotations

from typing import TYPE_CHECKING

from analysis.comparison import Compared, Comparison, Seen
from analysis.frames import look_frame
from analysis.intervals import Estimate
from analysis.sequential import Precision
from analysis.sprt import Decision, Look, Sprt
from reports.compared import name_of
from reports.contest import POINTS_AXIS, exhibit, file_name
from reports.names import of_comparison, told
from reports.page import Exhibit
from reports.paper import axes_at, canvas
from reports.tables import Column, Line, Table, common, csv
from reports.theme import DAY, SMALL, WIDTH, drawing, save
from reports.words import UNKNOWN, capital, counted, decimal, percent, points, say, whole
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
        "The test of {low} against {high} points says {high} after {deals}: {first} alone is more "
        "than {low} percentage points ahead of the equal share (wrong in at most {error} of such "
        "tests). So far it is {mean} ahead; the always-valid interval, wider than the test needs, "
        "is {interval}.",
        "{low} 与 {high} 个百分点之间的检验在 {deals}后判为 {high}：{first} 独自一家时"
        "超出均分不止 {low} 个百分点（这类检验至多有 {error} 出错）。"
        "目前超出 {mean} 个百分点；随时有效的区间比检验所需更宽，为 {interval}。",
    ),
    Decision.LOW: Words(
        "The test of {low} against {high} points says {low} after {deals}: {first} alone is less "
        "than {high} percentage points ahead of the equal share (wrong in at most {error} of such "
        "tests). So far it is {mean} ahead; the always-valid interval, wider than the test needs, "
        "is {interval}.",
        "{low} 与 {high} 个百分点之间的检验在 {deals}后判为 {low}：{first} 独自一家时"
        "超出均分不到 {high} 个百分点（这类检验至多有 {error} 出错）。"
        "目前超出 {mean} 个百分点；随时有效的区间比检验所需更宽，为 {interval}。",
    ),
}
_ENDS = Words(
    "The test of {low} against {high} points ends without an answer after {deals}: {reason}.",
    "{low} 与 {high} 个百分点之间的检验在 {deals}后没有结论：{reason}。",
)
_LOOK = Words("{deals}: {advantages}; {state}", "{deals}：{advantages}；{state}")
_AHEAD = Words(
    "{name} {mean} points ahead ({interval})", "{name} 超出均分 {mean} 个百分点（{interval}）"
)
_STATES = {
    Decision.HIGH: Words("the test says {high}", "检验判为 {high}"),
    Decision.LOW: Words("the test says {low}", "检验判为 {low}"),
    Decision.OPEN: Words("the test goes on", "检验继续"),
    Decision.CAP: Words("the test ends without an answer", "检验结束，没有结论"),
    Decision.ODD: Words("the test ends without an answer", "检验结束，没有结论"),
}
_WITHIN = Words("within ±{half}, wanted ±{wanted}", "在 ±{half} 以内，目标 ±{wanted}")


def sentence(found: Compared, lang: str) -> str:
    """What the test says; nothing if there was none."""
    course, test = found.course, found.question.plan
    if course is None or not isinstance(test, Sprt):
        return ""
    look = course.looks[-1]
    text = points(_estimate(look), lang)
    return say(
        _SAYS.get(course.decision, _ENDS),
        lang,
        **_bounds(test),
        reason=course.reason.of(lang),
        deals=counted(look.deals, "deal", lang),
        first=name_of(found, 0, lang),
        error=percent(test.alpha if course.decision == Decision.HIGH else test.beta, lang, 0),
        mean=text.mean,
        interval=text.interval,
    )


def is_decided(found: Compared) -> bool:
    """Whether a test has said which advantage it is."""
    return found.course is not None and found.course.decision in _SAYS


def look_line(question: Comparison, seen: Seen, lang: str) -> str:
    """What a look shows, in a line; of a precision the one that is farthest ahead."""
    plan = question.plan
    name, est = max(seen.advantages, key=lambda one: one[1].mean)
    text = points(est, lang)
    called = told(name, of_comparison(question, lang))
    ahead = say(_AHEAD, lang, name=called, mean=text.mean, interval=text.interval)
    if isinstance(plan, Sprt) and seen.decision:
        state = say(_STATES[seen.decision], lang, **_bounds(plan))
    else:
        assert isinstance(plan, Precision), "only what looks before its end has looks"
        half = max(((e.high or 0.0) - (e.low or 0.0)) / 2 for _, e in seen.advantages)
        numbers = {"half": f"{100 * half:.2g}", "wanted": f"{100 * plan.half_width:.2g}"}
        state = say(_WITHIN, lang, **numbers)
    deals = counted(seen.deals, "deal", lang)
    return say(_LOOK, lang, deals=deals, advantages=ahead, state=state)


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
    error = percent(max(test.alpha, test.beta), lang, 0)
    lead = say(_LEAD, lang, first=name_of(found, 0, lang), error=error, **_bounds(test))
    title = _TITLE.of(lang)
    return [exhibit(found, lang, "looks", title, lead, table, _draw(course.looks, test, lang))]


def _bounds(test: Sprt) -> dict[str, str]:
    return {
        name: f"{100 * end:g}".replace("-", "−")
        for name, end in (("low", test.low), ("high", test.high))
    }


def _line(look: Look, found: Compared, lang: str) -> Line:
    text = points(_estimate(look), lang)
    ratio = UNKNOWN if look.ratio is None else decimal(look.ratio, 2)
    return Line((whole(look.deals), text.mean, text.interval, ratio))


def _estimate(look: Look) -> Estimate:
    """The advantage with its always-valid interval."""
    return Estimate(look.mean, look.se, look.low, look.high, look.deals, look.deals)


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
        for side, name in _bounds(test).items():
            ends = [look.lower if side == "low" else look.upper for look in seen]
            upper.plot(deals, ends, color=DAY["mark"], linewidth=1.2, dashes=(4, 3))
            _name(upper, ends[-1], name)
        held = [[100 * (getattr(look, side) or 0.0) for look in seen] for side in ("low", "high")]
        lower.fill_between(deals, held[0], held[1], color=DAY["fill"], linewidth=0)
        lower.plot(deals, [100 * look.mean for look in seen], color=DAY["accent"], marker=".")
        for end in (test.low, test.high):
            lower.axhline(100 * end, color=DAY["mark"], linewidth=1.2, dashes=(4, 3))
        for axes, title in ((upper, _EVIDENCE), (lower, POINTS_AXIS)):
            axes.set_xlim(0, 1.04 * deals[-1])
            axes.grid(axis="y", clip_on=False)
            axes.tick_params(axis="y", labelcolor=DAY["soft"])
            axes.set_title(title.of(lang), loc="left", fontsize=SMALL, color=DAY["soft"])
        upper.tick_params(labelbottom=False)
        lower.set_xlabel(_DEALS.of(lang), loc="right")
        return save(figure)


def _name(axes: Axes, value: float, name: str) -> None:
    """Write the name of a bound at its right end."""
    axes.annotate(
        name,
        (1, value),
        (3, -4),
        xycoords=("axes fraction", "data"),
        textcoords="offset points",
        color=DAY["mark"],
        fontsize=SMALL,
    )
