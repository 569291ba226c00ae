"""From a run to its page and its headline."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from analysis.winshares import games
from reports import exhibits, findings, names
from reports.findings import headline
from reports.overview import overview
from reports.page import Exhibit, Page, Section, render
from reports.subject import Subject
from reports.tables import Column, Line, Table
from reports.words import capital, count_word, forfeited, say, whole
from sim import catalog
from sim.core.game import Game, Pieces, Switch, Words
from sim.results import Cell, Run

__all__ = ["build", "headline", "page"]

MOST_CELLS = 6  # shown in full; the overview has them all
MOST_BYTES = 1_400_000  # of all exhibits, so that a page stays below 2 MB

ROTATION = {
    "strategies": Words(
        "strategies: on every deal the line-up is put in a new order and then turned, so that each "
        "strategy plays each seat's cards; a line-up of equal strategies is played once",
        "策略：每次发牌先打乱阵容次序，再依次轮换，使每个策略都打过每个座位的牌；"
        "全部相同的阵容只打一局",
    ),
    "hands": Words(
        "hands: strategies keep their seats, the hands of a deal are turned over the places",
        "手牌：策略座位不变，同一次发牌的手牌在各顺位间轮换",
    ),
    "none": Words("none: every deal is played once", "无：每次发牌只打一局"),
}
FONT = Words(
    "Noto Sans SC (Adobe, Google), SIL Open Font License 1.1, a cut",
    "Noto Sans SC（Adobe、Google），SIL Open Font License 1.1，子集",
)


def build(run: Run, lang: str = "en", out: Path | None = None) -> Path:
    """Write the page of a run and return where it is.

    Parameters
    ----------
    run
        A finished run.
    lang
        'en' or 'zh'.
    out
        File to write; by default `report-en.html` or `report-zh.html` in the run's folder.
    """
    path = out or (run.folder or Path()) / f"report-{lang}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(page(run, lang)), encoding="utf-8", newline="\n")
    return path


def page(run: Run, lang: str) -> Page:
    """What the page of a run shows."""
    if len(run.cells) == 1:
        sections = _topics(_subject(run, run.cells[0], lang, "run"))
    else:
        side_by_side = tuple(overview(run, lang))
        cells = _cells(run, lang, sum(exhibit.size for exhibit in side_by_side))
        sections = [_overview(run, lang, side_by_side, len(cells)), *cells]
    title = say(
        Words("{game}, {count} players", "{game}，{count}人局"),
        lang,
        game=run.game.title.of(lang),
        count=count_word(run.experiment.players, lang),
    )
    return Page(
        lang=lang,
        title=f"{title} | fairdeal",
        kicker=title,
        headline=headline(run, lang),
        keys=tuple(findings.keys(run, lang)),
        sections=tuple(sections),
        facts=tuple(_facts(run, lang)),
        rules=_rules(run, lang),
        pieces=tuple(_pieces(run, lang)),
    )


def _subject(run: Run, cell: Cell, lang: str, key: str) -> Subject:
    rules = {variant.name: variant.switches for variant in run.experiment.variants}
    called = names.of_experiment(run.experiment, lang)
    return Subject(run.game, cell, lang, key, rules[cell.variant], called)


def _cells(run: Run, lang: str, size: int) -> list[Section]:
    """A section for each cell, as many as a page can carry that holds `size` bytes already."""
    sections: list[Section] = []
    for number, cell in enumerate(run.cells[:MOST_CELLS], start=1):
        subject = _subject(run, cell, lang, f"cell{number}")
        every = tuple(exhibit for topic in _topics(subject) for exhibit in topic.exhibits)
        size += sum(exhibit.size for exhibit in every)
        if size > MOST_BYTES:
            break
        title = findings.cell_title(run, cell, lang)
        sections.append(Section(subject.key, title, subject.caption, every))
    return sections


def _topics(subject: Subject) -> list[Section]:
    """The exhibits of a cell, ordered by what they are about."""
    wins = [
        *exhibits.team_wins([subject], [""], subject.caption),
        *exhibits.win_shares(subject),
        *exhibits.differences(subject),
        exhibits.endings(subject),
    ]
    means = [exhibits.seat_means(subject), exhibits.game_means(subject)]
    topics = (
        ("wins", Words("Who wins", "谁会赢"), wins),
        ("seats", Words("What each seat gets", "每个座位的结果"), exhibits.seat_exhibits(subject)),
        ("games", Words("How a game runs", "对局的过程"), exhibits.game_exhibits(subject)),
        ("means", Words("All numbers", "全部数据"), means),
    )
    return [
        Section(f"{subject.key}-about-{key}", title.of(subject.lang), "", tuple(found))
        for key, title, found in topics
        if found
    ]


def _overview(run: Run, lang: str, found: tuple[Exhibit, ...], shown: int) -> Section:
    """All cells side by side; `shown` of them follow in full."""
    title = Words("All settings side by side", "各设置对比").of(lang)
    lead = ""
    if shown < len(run.cells):
        lead = say(
            Words(
                "The first {shown} of {all} settings are shown in full below.",
                "下文详细列出全部{all}种设置中的前{shown}种。",
            ),
            lang,
            shown=shown,
            all=len(run.cells),
        )
    return Section("overview", title, lead, found)


def _facts(run: Run, lang: str) -> list[tuple[str, str]]:
    """How the run was made, enough to make it again."""
    experiment, manifest = run.experiment, run.manifest
    called = names.of_experiment(experiment, lang)
    lineups = "; ".join(dict.fromkeys(called.get(cell.name, cell.name) for cell in run.cells))
    facts: list[tuple[Words, Any]] = [
        (Words("game", "游戏"), run.game.title.of(lang)),
        (Words("players", "人数"), experiment.players),
        (Words("line-ups", "阵容"), lineups),
        (Words("strategies", "策略"), names.key(called, lang)),
        (Words("rotation", "轮换"), ROTATION[experiment.rotate].of(lang)),
        (Words("deals", "发牌次数"), whole(experiment.deals)),
        (Words("games", "局数"), whole(sum(games(cell) for cell in run.cells))),
        (Words("forfeited games", "判负的局"), forfeited(manifest.get("forfeits", {}), lang)),
        (Words("seed", "种子"), experiment.seed),
        (Words("command", "命令"), manifest.get("command")),
        (Words("version", "版本"), manifest.get("version")),
        (Words("sources", "源代码指纹"), manifest.get("source_fingerprint")),
        (Words("results, sha256", "结果的 sha256"), manifest.get("sha256")),
        (
            Words("intervals", "区间"),
            Words(
                "The deal with all its rotations is the unit; Student's interval for means, "
                "Wilson's with the effective number of games for shares, Bonferroni where pairs "
                "are compared.",
                "以发牌（含其全部轮换）为单位；平均值用 Student 区间，"
                "占比用按有效局数计算的 Wilson 区间，成对比较用 Bonferroni 校正。",
            ).of(lang),
        ),
        (Words("font", "字体"), FONT.of(lang)),
    ]
    return [
        (capital(name.of(lang)), str(value)) for name, value in facts if value not in (None, "")
    ]


def _pieces(run: Run, lang: str) -> list[tuple[str, tuple[Pieces, ...]]]:
    """What was played with, under the names of the variants to which it belongs."""
    found: dict[tuple[Pieces, ...], list[str]] = {}
    for variant in run.experiment.variants:
        every = catalog.pieces(run.game, run.experiment.players, variant.switches)
        found.setdefault(tuple(every), []).append(variant.name)
    between = Words(", ", "、").of(lang)
    heads = [between.join(names) if len(found) > 1 else "" for names in found.values()]
    return list(zip(heads, found, strict=True))


def _rules(run: Run, lang: str) -> Table:
    """The rules of every variant of a run."""
    variants = run.experiment.variants
    several = len(variants) > 1
    heads = [variant.name if several else Words("value", "取值").of(lang) for variant in variants]
    return rules_table(run.game, heads, [variant.switches for variant in variants], lang)


def rules_table(
    game: Game, heads: Sequence[str], values: Sequence[dict[str, Any]], lang: str
) -> Table:
    """Every switch with its meaning and its value in each variant, one column a variant."""
    usual = game.defaults()
    lines = []
    for switch in game.switches:
        cells = [_value(switch, rules, usual, lang) for rules in values]
        lines.append(Line((switch.name, capital(switch.meaning.of(lang)), *cells)))
    return Table(
        (
            Column(Words("switch", "开关").of(lang), is_number=False),
            Column(Words("meaning", "含义").of(lang), is_number=False),
            *(Column(head, is_number=False) for head in heads),
        ),
        tuple(lines),
        Words(
            "Values that differ from the usual rules bear a dot.", "与通常规则不同的取值前有圆点。"
        ).of(lang),
    )


def _value(switch: Switch, rules: dict[str, Any], usual: dict[str, Any], lang: str) -> str:
    value = rules.get(switch.name, usual[switch.name])
    nothing = Words("none", "无").of(lang)
    text = ", ".join(map(str, value)) or nothing if isinstance(value, list) else str(value)
    text = text.replace("-", "−") if not isinstance(value, str) else text
    return text if value == switch.parse(usual[switch.name]) else f"• {text}"
