"""Several cells side by side: line-ups, variants of the rules, or both."""

from __future__ import annotations

from analysis.winshares import game_frame, games, position_frame, positions
from reports import figures, names
from reports.exhibits import BRACKETS, DOTS, team_wins
from reports.figures import Dot, Group
from reports.findings import cell_title
from reports.page import Exhibit
from reports.subject import PERCENT_AXIS, Subject, csv_of, rows_of
from reports.tables import Column, Line, Table, common
from reports.words import counted
from sim.core.game import Words
from sim.results import Run

LEFT_OUT = ("decisions",)  # of no interest from cell to cell; the CSV has it


def overview(run: Run, lang: str) -> list[Exhibit]:
    """Win shares of every cell in one figure, and the means of whole games in one table."""
    called = names.of_experiment(run.experiment, lang)
    rules = {variant.name: variant.switches for variant in run.experiment.variants}
    subjects = [
        Subject(run.game, cell, lang, "overview", rules[cell.variant], called) for cell in run.cells
    ]
    titles = [cell_title(run, cell, lang) for cell in run.cells]
    return [
        *team_wins(subjects, titles, _counts(subjects)),
        _win_shares(subjects, titles),
        _courses(subjects, titles),
    ]


def _win_shares(subjects: list[Subject], titles: list[str]) -> Exhibit:
    groups, lines, frames = [], [], []
    for subject, title in zip(subjects, titles, strict=True):
        dots = []
        for position in positions(subject.cell, "strategy"):
            est, text = subject.of_seats("strategy", "win_share", position.members)
            dots.append(Dot(subject.position("strategy", position.label), est, text))
        groups.append(Group(title, dots))
        lines.append(Line((title,)))
        lines += [Line((dot.label, dot.text.mean, dot.text.interval)) for dot in dots]
        frame = position_frame(subject.cell, subject.game, "strategy").assign(setting=title)
        frames.append(rows_of(frame, ["win_share"]))
    first = subjects[0]
    svg = figures.dots(groups, first.say(PERCENT_AXIS), scale=100, least_span=0.02)
    table = Table(
        (
            common("strategy", first.lang),
            first.column("win_share"),
            first.interval_column(),
        ),
        tuple(lines),
        _counts(subjects),
        first.file("win-shares"),
        csv_of(frames),
    )
    title = first.say(Words("Win share of every strategy", "各策略的获胜份额"))
    lead = first.say(DOTS)
    return first.exhibit("win-shares", title, lead, table, svg)


def _courses(subjects: list[Subject], titles: list[str]) -> Exhibit:
    first = subjects[0]
    names = [name for name in first.game.game_columns if name not in (*LEFT_OUT, *first.game.teams)]
    lines = [
        Line((title, *(subject.of_games(name)[1].both for name in names)))
        for subject, title in zip(subjects, titles, strict=True)
    ]
    table = Table(
        (
            Column(first.say(Words("setting", "设置")), is_number=False),
            *map(first.column, names),
        ),
        tuple(lines),
        _counts(subjects),
        first.file("games"),
        csv_of(
            [
                game_frame(subject.cell, subject.game).assign(setting=title)
                for subject, title in zip(subjects, titles, strict=True)
            ]
        ),
    )
    title = first.say(Words("The games of every setting", "各设置的对局"))
    lead = first.say(BRACKETS)
    return first.exhibit("courses", title, lead, table)


def _counts(subjects: list[Subject]) -> str:
    """On how much each cell stands: the deals are the same for all, the games need not be."""
    captions = {games(subject.cell): subject.caption for subject in subjects}
    least, most = min(captions), max(captions)
    if least == most:
        return captions[most]
    words = Words("{least} to {most}, each setting", "每种设置 {least} 至 {most}")
    return subjects[0].say(
        words, least=captions[least], most=counted(most, "game", subjects[0].lang)
    )
