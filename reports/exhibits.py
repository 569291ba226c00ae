"""Exhibits of a cell: for each thing that was counted a figure, its table and a plain sentence."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from analysis.winshares import (
    By,
    contrast_frame,
    contrast_rows,
    deals,
    game_estimate,
    game_frame,
    histogram_frame,
    is_game_rate,
    is_seat_rate,
    n_seats,
    position_frame,
    positions,
    seat_columns,
    seat_measure,
    unit_of,
)
from reports import figures
from reports.figures import Dot, Group, Spread
from reports.page import Exhibit
from reports.subject import MEAN, PERCENT_AXIS, SHARE, Subject, csv_of, rows_of
from reports.tables import Column, Line, Table, bin_line, bins, csv, mark_bins, middle, seen, widest
from reports.words import FORFEITS, capital, forfeited, percent, points
from sim.core.game import Measure, Words

if TYPE_CHECKING:
    import pandas as pd

ORDER: tuple[By, ...] = ("strategy", "place", "seat")
ENDINGS = ("nobody", "shared", "unfinished", "draw")
LEAST_SPAN = 0.02  # of an axis of shares, so that noise does not fill it

DOTS = Words(
    "The dot is the mean and the whisker its 95 % interval, not drawn where the dot covers it.",
    "圆点为平均值，横线为 95% 区间（被圆点盖住时不画）。",
)
_EQUAL = Words(
    "The dashed line is the equal share: the games that somebody won, spread evenly.",
    "虚线为均分：把有赢家的局平均分给各座位。",
)
_TEAMS = Words(
    "In percent of the games. All members of a team win together; what several teams win counts "
    "for each of them.",
    "占对局的百分比。同队成员一同获胜；多队共同获胜的局，各队都计入。",
)
_PAIRS = Words(
    "The first minus the second, on the same deals. A whisker that keeps clear of 0 is more than "
    "chance; the intervals allow for looking at all pairs of a group at once.",
    "前者减去后者，基于同样的发牌。横线不碰到 0 的差异不是偶然；区间已考虑同时比较组内各对。",
)
_ENDINGS = Words(
    "Games without a single winner, and what else is counted as yes or no, in percent of all "
    "games.",
    "没有唯一赢家的局，以及其他是非指标，占全部对局的百分比。",
)
_OF_GAMES = Words("In percent of the games.", "占对局的百分比。")
BRACKETS = Words(
    "Means a game, with 95 % intervals in brackets.", "每局平均值，括号内为 95% 区间。"
)
_TICK = Words("{x}\u00a0%", "{x}%")
_MEAN_IS = Words("mean {mean}", "平均 {mean}")
_SPREAD = Words(
    "Mean {mean} {unit}; nine of ten lie in {range}.", "平均{mean}{unit}；十之九为{range}。"
)
_SPREADS = Words(
    "One panel for each strategy. The table begins with the mean and the range that holds nine of "
    "ten.",
    "每个策略一幅。表格开头是平均值和包含十之九的范围。",
)
_USUAL = Words("nine of ten", "十之九")
_TRIANGLE = Words("The triangle marks the mean.", "三角形标出平均值。")
_UNDRAWN = Words(
    " Rarer values at either end, under 0.05 % of the games, are not drawn.",
    "两端占比不到 0.05% 的少见值未画出。",
)
_WIDEST = Words(
    "{n}; 95 % intervals no wider than ± {width} points", "{n}；95% 区间不宽于 ± {width} 个百分点"
)


def team_wins(subjects: Sequence[Subject], titles: Sequence[str], caption: str) -> list[Exhibit]:
    """Games won by each team, of one cell or of several under their titles; nothing without teams.

    `caption` says on how much the numbers stand.
    """
    first = subjects[0]
    if not first.game.teams:
        return []
    groups, lines, frames = [], [], []
    for subject, title in zip(subjects, titles, strict=True):
        dots = [Dot(*found) for found in subject.of_teams()]
        groups.append(Group(title, dots))
        lines += [Line((title,))] if title else []
        lines += [Line((dot.label, dot.text.mean, dot.text.interval)) for dot in dots]
        frame = game_frame(subject.cell, subject.game).assign(setting=title)
        frames.append(rows_of(frame, subject.game.teams[: len(dots)]))
    svg = figures.dots(groups, first.say(PERCENT_AXIS), scale=100, from_zero=True)
    table = Table(
        (
            Column(first.say(Words("team", "队伍")), is_number=False),
            Column(first.say(SHARE)),
            first.interval_column(),
        ),
        tuple(lines),
        caption,
        first.file("teams"),
        csv_of(frames),
    )
    lead = _joined([first.say(_TEAMS), first.say(DOTS)], first.lang)
    title = first.say(Words("Games won by each team", "各队获胜的局"))
    return [first.exhibit("teams", title, lead, table, svg)]


def win_shares(subject: Subject) -> list[Exhibit]:
    """Win share by strategy if there are several, and by place and seat."""
    won = 1 - game_estimate(subject.cell, subject.game, "nobody").mean
    equal = won / n_seats(subject.cell)
    name = subject.say(
        Words("equal share {share}", "均分 {share}"), share=percent(equal, subject.lang)
    )
    found = []
    if subject.has_several:
        title = Words("Win share of each strategy", "各策略的获胜份额")
        found.append(_win_share(subject, "strategies", title, ("strategy",), (equal, name)))
    title = Words("Win share of each place and seat", "各顺位与座位的获胜份额")
    return [*found, _win_share(subject, "places", title, ("place", "seat"), (equal, name))]


def differences(subject: Subject) -> list[Exhibit]:
    """Differences of win share between strategies, and between places in the starting order."""
    if deals(subject.cell) < 2:
        return []
    of_strategies = Words("Differences between strategies", "策略之间的差异")
    of_places = Words("Differences between places", "顺位之间的差异")
    found = [_differences(subject, of_strategies, "strategy")] if subject.has_several else []
    return [*found, _differences(subject, of_places, "place")]


def endings(subject: Subject) -> Exhibit:
    """Games without a single winner, and the game's own yes-or-no measures."""
    names = [m.name for m in subject.game.measures if m.name not in subject.game.teams]
    own = [name for name in names if is_game_rate(subject.game, name)]
    dots = []
    for column in (*ENDINGS, *own):
        est, text = subject.of_games(column)
        dots.append(Dot(subject.column(column).title, est, text))
    axis = subject.say(PERCENT_AXIS)
    svg = figures.dots([Group("", dots)], axis, scale=100, from_zero=True, least_span=0.01)
    frame = rows_of(game_frame(subject.cell, subject.game), (*ENDINGS, *own))
    table = Table(
        (
            Column(subject.say(Words("games", "对局")), "game", is_number=False),
            Column(subject.say(SHARE)),
            subject.interval_column(),
        ),
        tuple(Line((dot.label, dot.text.mean, dot.text.interval)) for dot in dots),
        subject.caption,
        subject.file("endings"),
        csv(frame),
    )
    title = subject.say(Words("How games end", "对局如何结束"))
    lead = [subject.say(_ENDINGS)]
    if subject.cell.forfeits:
        lead.append(subject.say(FORFEITS, lost=forfeited(subject.cell.forfeits, subject.lang)))
    return subject.exhibit("endings", title, _joined(lead, subject.lang), table, svg)


def seat_exhibits(subject: Subject) -> list[Exhibit]:
    """The score and every measure of a seat."""
    found = []
    for column in seat_columns(subject.game):
        measure = seat_measure(subject.game, column)
        if measure is None:
            continue
        if is_seat_rate(subject.game, column):
            dots = _seat_dots(subject, column, subject.groupings)
            lead = _joined([subject.say(_OF_GAMES), subject.say(DOTS)], subject.lang)
            title = capital(measure.meaning.of(subject.lang))
            found.append(subject.exhibit(column, title, lead, *dots))
        elif f"histogram/{column}" in subject.cell.totals:
            marks = subject.marks if column == "score" else ()
            found.append(_distribution(subject, measure, marks))
    return found


def game_exhibits(subject: Subject) -> list[Exhibit]:
    """Every measure of a whole game that is more than yes or no."""
    return [
        _distribution(subject, measure)
        for measure in subject.game.measures
        if measure.per == "game"
        and not is_game_rate(subject.game, measure.name)
        and f"histogram/{measure.name}" in subject.cell.totals
    ]


def seat_means(subject: Subject) -> Exhibit:
    """Every mean of seats in one table."""
    columns = seat_columns(subject.game)
    lines, frames = [], []
    for by in ORDER:
        lines.append(Line((subject.group(by),)))
        for position in positions(subject.cell, by):
            texts = [subject.of_seats(by, column, position.members)[1] for column in columns]
            name = subject.position(by, position.label)
            lines.append(Line((name, *(text.both for text in texts))))
        frames.append(position_frame(subject.cell, subject.game, by).assign(by=by))
    table = Table(
        (Column("", is_number=False), *map(subject.column, columns)),
        tuple(lines),
        subject.caption,
        subject.file("seats"),
        csv_of(frames),
    )
    title = subject.say(Words("All means of seats", "各座位的全部平均值"))
    return subject.exhibit("seats", title, subject.say(BRACKETS), table)


def game_means(subject: Subject) -> Exhibit:
    """Every mean of whole games in one table."""
    lines = []
    absent = subject.game.teams[len(subject.of_teams()) :]
    for column in subject.game.game_columns:
        if column in absent:
            continue
        text = subject.of_games(column)[1]
        is_rate = is_game_rate(subject.game, column)
        of = "" if is_rate else unit_of(subject.game, column).of(subject.lang)
        lines.append(Line((subject.column(column).title, text.mean, text.interval, of)))
    table = Table(
        (
            Column(subject.say(Words("of a game", "每局")), "game", is_number=False),
            Column(subject.say(MEAN)),
            subject.interval_column(),
            Column(subject.say(Words("unit", "单位")), is_number=False),
        ),
        tuple(lines),
        subject.caption,
        subject.file("games"),
        csv(game_frame(subject.cell, subject.game)),
    )
    title = subject.say(Words("All means of games", "每局的全部平均值"))
    lead = subject.say(Words("Shares are in percent of the games.", "占比为全部对局的百分比。"))
    return subject.exhibit("games", title, lead, table)


def _win_share(
    subject: Subject,
    key: str,
    title: Words,
    groupings: Sequence[By],
    reference: tuple[float, str],
) -> Exhibit:
    dots = _seat_dots(subject, "win_share", groupings, reference)
    lead = _joined([subject.say(DOTS), subject.say(_EQUAL)], subject.lang)
    return subject.exhibit(f"win-share-{key}", subject.say(title), lead, *dots)


def _seat_dots(
    subject: Subject,
    column: str,
    groupings: Sequence[By],
    reference: tuple[float, str] | None = None,
) -> tuple[Table, str]:
    """Table and figure of a share of the games, by strategy, place or seat."""
    groups, lines, frames = [], [], []
    for by in groupings:
        dots = []
        for position in positions(subject.cell, by):
            est, text = subject.of_seats(by, column, position.members)
            dots.append(Dot(subject.position(by, position.label), est, text))
        title = subject.group(by) if len(groupings) > 1 else ""
        groups.append(Group(title, dots))
        lines += [Line((title,))] if title else []
        lines += [Line((dot.label, dot.text.mean, dot.text.interval)) for dot in dots]
        frame = position_frame(subject.cell, subject.game, by).assign(by=by)
        frames.append(rows_of(frame, [column]))
    axis = subject.say(PERCENT_AXIS)
    svg = figures.dots(groups, axis, scale=100, reference=reference, least_span=LEAST_SPAN)
    head = subject.column(column)
    table = Table(
        (
            Column("", is_number=False),
            head if head.term else Column(subject.say(SHARE)),
            subject.interval_column(),
        ),
        tuple(lines),
        subject.caption,
        subject.file(f"{column}-{groupings[0]}"),
        csv_of(frames),
    )
    return table, svg


def _differences(subject: Subject, title: Words, by: By) -> Exhibit:
    """Differences of win share between every two positions of a grouping."""
    dots = []
    for pair in contrast_rows(subject.cell, subject.game, by):
        label = f"{subject.position(by, pair.first)} − {subject.position(by, pair.second)}"
        dots.append(Dot(label, pair.estimate, points(pair.estimate, subject.lang)))
    axis = subject.say(Words("percentage points", "百分点"))
    svg = figures.dots(
        [Group("", dots)], axis, scale=100, reference=(0.0, ""), least_span=LEAST_SPAN / 2
    )
    table = Table(
        (
            Column(subject.say(Words("first − second", "前者 − 后者")), is_number=False),
            Column(subject.say(Words("points", "百分点")), "points"),
            subject.interval_column("joint"),
        ),
        tuple(Line((dot.label, dot.text.mean, dot.text.interval)) for dot in dots),
        subject.caption,
        subject.file(f"differences-{by}"),
        csv(contrast_frame(subject.cell, subject.game, by)),
    )
    key = f"differences-{by}"
    return subject.exhibit(key, subject.say(title), subject.say(_PAIRS), table, svg)


def _distribution(
    subject: Subject, measure: Measure, marks: Sequence[tuple[int, str]] = ()
) -> Exhibit:
    """How often each value of a measure came up, by strategy if it is a seat's."""
    lang, column = subject.lang, measure.name
    frame = histogram_frame(subject.cell, subject.game, column)
    labels = list(dict.fromkeys(frame["position"]))
    parts = [frame[frame["position"] == label] for label in labels]
    if column in subject.game.game_columns:
        means = [subject.of_games(column)]
    else:
        groups = positions(subject.cell, "strategy")
        means = [subject.of_seats("strategy", column, group.members) for group in groups]
    called = [subject.position("strategy", label) for label in labels]
    spreads = [
        Spread(
            label,
            int(part["value"].iloc[0]),
            part["count"].tolist(),
            mean.mean,
            subject.say(_MEAN_IS, mean=text.mean),
        )
        for label, part, (mean, text) in zip(called, parts, means, strict=True)
    ]
    unit = measure.unit.of(lang)
    svg = figures.histograms(spreads, unit, marks, subject.say(_TICK, x="{x:g}"))
    table = _distribution_table(subject, measure, parts, called, marks, csv(seen(frame)))
    texts, usual = [text.both for _, text in means], [middle(part, 0.9, lang) for part in parts]
    if len(parts) == 1:
        lead = subject.say(_SPREAD, mean=texts[0], unit=unit, range=usual[0])
    else:
        lead = subject.say(_SPREADS)
        first = (Line((subject.say(MEAN), *texts)), Line((subject.say(_USUAL), *usual)))
        table = replace(table, lines=first + table.lines)
    low, high = figures.drawn_range(spreads, marks)
    values = seen(frame)["value"]
    is_cut = int(values.min()) < low or int(values.max()) > high
    note = subject.say(_TRIANGLE) + (subject.say(_UNDRAWN) if is_cut else "")
    title = capital(measure.meaning.of(lang))
    return subject.exhibit(column, title, lead, table, svg, note)


def _distribution_table(
    subject: Subject,
    measure: Measure,
    parts: Sequence[pd.DataFrame],
    labels: Sequence[str],
    marks: Sequence[tuple[int, str]],
    file: str,
) -> Table:
    """Values in a dozen rows; a single distribution also with intervals and counts."""
    lang, n = subject.lang, deals(subject.cell)
    unit = Column(measure.unit.of(lang), is_number=False)
    binned = bins(parts, measure.high, lang)
    lines = [bin_line(found, parts, n, lang) for found in binned]
    for value, name in marks:
        lines.append(Line((capital(name),)))
        lines += [bin_line(found, parts, n, lang) for found in mark_bins(parts, value)]
    if len(parts) == 1:
        is_seat = measure.name not in subject.game.game_columns
        count = Words("seats", "座位次") if is_seat else Words("games", "局")
        heads = [Column(subject.say(SHARE)), subject.interval_column("widest")]
        heads.append(Column(subject.say(count)))
        caption = subject.caption
    else:
        heads = [Column(label) for label in labels]
        width = widest(binned, parts, n)
        caption = subject.say(_WIDEST, n=subject.caption, width=f"{100 * width:.2f}")
    return Table((unit, *heads), tuple(lines), caption, subject.file(measure.name), file)


def _joined(sentences: Sequence[str], lang: str) -> str:
    return ("" if lang == "zh" else " ").join(sentences)
