"""Exhibits of a comparison: who beats whom, standings, differences, scores, places."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from analysis.comparison import Compared
from analysis.frames import (
    duel_frame,
    place_frame,
    role_frame,
    score_frame,
    score_means,
    standing_frame,
)
from analysis.headtohead import Call, Duel
from analysis.intervals import Estimate
from reports import figures
from reports.compared import CALLS, in_percent, name_of, names_told, notice
from reports.exhibits import LEAST_SPAN
from reports.figures import Dot, Group, Spread
from reports.heatmap import Tile, heat_map, step
from reports.page import Exhibit
from reports.subject import MEAN, PERCENT_AXIS
from reports.tables import Column, Line, Table, bin_line, bins, common, csv, seen
from reports.theme import inline
from reports.words import UNKNOWN, capital, counted, ordinal, percent, points, say, shown
from sim.core.game import Words

MOST_PAIRS = 30  # that a figure shows; the table has all
POINTS_AXIS = Words("percentage points", "百分点")

_MATRIX = Words("Who beats whom", "谁胜过谁")
_MATRIX_LEAD = Words(
    "Win share in percent of the row's strategy alone at a table of {others} of the column's; "
    "below it the 95\u00a0% interval, of all pairs together. Warm colours: more than its equal "
    "share; cold: less. The colour changes at 1, 2, 4 and 8 points.",
    "行策略独自一家、其余 {others} 家都用列策略时，行策略的获胜份额（%），"
    "下方为全部对阵共同的 95% 区间。暖色：多于均分；冷色：少于均分。"
    "颜色在 1、2、4、8 个百分点处变化。",
)
_EDGES_LEAD = Words(
    "Percentage points by which a seat of the row's strategy wins more than one of the column's at "
    "the tables where both sit, with the 95 % interval below. Warm colours: more; cold: less. The "
    "colour changes at 1, 2, 4 and 8 points.",
    "两者同桌时，行策略的每个座位比列策略多获胜的百分点，下方为 95% 区间。"
    "暖色：更多；冷色：更少。颜色在 1、2、4、8 个百分点处变化。",
)
_ROLES = Words("In each role", "在各角色中")
_ROLE = Words("seats {seats}", "座位 {seats}")
_ROLES_LEAD = Words(
    "Percentage points a seat by which the strategy wins more in a role than the role does on "
    "average over all casts, and games after which a family that knows this average would notice.",
    "策略担任某角色时，每个座位比该角色在全部分配下的平均多获胜的百分点，"
    "以及知道这一平均的一家人能察觉所需的局数。",
)
_STANDINGS = Words("Each strategy at all its tables", "各策略在全部牌桌上的成绩")
_STANDINGS_LEAD = Words(
    "Win share a seat less the equal share of the same games, in percentage points: the mean over "
    "all line-ups that hold it and others, each counted once.",
    "每个座位的获胜份额减去同样对局的均分，单位百分点：在含有它和其他策略的全部阵容上取平均，"
    "每个阵容算一次。",
)
_CASTS_LEAD = Words(
    "Win share a seat less what its role wins on average over all casts, in percentage points: the "
    "mean over all roles and casts.",
    "每个座位的获胜份额减去该角色在全部分配下的平均，单位百分点：对全部角色和分配取平均。",
)
_DUELS = Words("Differences of two strategies at the same table", "同桌两策略之差")
_DUELS_LEAD = Words(
    "A seat of the first less a seat of the second, at all tables that hold both, deal by deal.",
    "在两者同桌的全部牌桌上，前者每个座位减去后者每个座位，逐次发牌相减。",
)
_CUT = Words(" The figure has the {count} largest.", "图中为最大的 {count} 个。")
_CALL = (Words("the first is", "前者"), Words("the first alone is", "前者独自时"))
_SCORES = Words("What they score", "各策略的得分")
_PLACES = Words("What the places are worth", "各顺位的价值")
_PLACES_LEAD = Words(
    "Win share of each place in the starting order over all line-ups: strategies take turns in all "
    "places, so this is about the place alone.",
    "全部阵容合计的各顺位获胜份额：各策略轮流坐遍所有顺位，因此只反映顺位本身。",
)
_CAPTION = Words("n = {deals} of every line-up, {games} in all", "n = 每个阵容 {deals}，共 {games}")
_MEAN_IS = Words("mean {mean}", "平均 {mean}")
_WIDEST = Words(
    "The interval of a mean is the widest that could be right: as if the line-ups of a deal had "
    "all come out alike.",
    "平均值的区间取可能的最宽者：假定同一次发牌在各阵容中的结果完全同向。",
)


def caption(found: Compared, lang: str) -> str:
    """On how much the numbers stand."""
    return say(
        _CAPTION,
        lang,
        deals=counted(found.deals, "deal", lang),
        games=counted(found.games, "game", lang),
    )


def file_name(found: Compared, name: str) -> str:
    """Name of a file to download."""
    return f"{found.question.game.name}-compared-{name}.csv"


def dots_table(
    found: Compared,
    lang: str,
    heads: tuple[Column, Column],
    dots: Sequence[Dot],
    name: str,
    file: str,
) -> Table:
    """The numbers of a figure of dots: `heads` are those of names and means; `file` is a CSV."""
    return Table(
        (*heads, common("interval", lang)),
        tuple(Line((dot.label, dot.text.mean, dot.text.interval)) for dot in dots),
        caption(found, lang),
        file_name(found, name),
        file,
    )


def exhibit(
    found: Compared, lang: str, key: str, title: str, lead: str, table: Table, svg: str = ""
) -> Exhibit:
    """Put figure and table together."""
    figure = inline(svg, f"{key}-figure", title, lead) if svg else ""
    return Exhibit(key, title, lead, table, figure)


def numbered(found: Compared, lang: str) -> list[tuple[int, str]]:
    """The strategies with their numbers in figures, the best first."""
    ranked = [one.strategy for one in found.standings]
    return [(i, f"{number} {name_of(found, i, lang)}") for number, i in enumerate(ranked, start=1)]


def matrix(found: Compared, lang: str) -> Exhibit:
    """Win shares of each alone against each, or the differences where nobody sat alone."""
    is_alone = any(duel.alone[0] for duel in found.duels)
    order = numbered(found, lang)
    rows, lines = [], []
    for i, name in order:
        tiles, cells = [], []
        for j, _ in order:
            duel = found.duel(i, j)
            tile = _tile(duel.seen_from(i), is_alone, lang) if duel else None
            tiles.append(tile)
            cells.append(f"{tile.text} ({tile.small})" if tile else "")
        rows.append((name, tiles))
        lines.append(Line((name, *cells)))
    heads = [name.split(" ")[0] for _, name in order]
    title = _MATRIX.of(lang)
    lead = say(_MATRIX_LEAD if is_alone else _EDGES_LEAD, lang, others=found.question.players - 1)
    svg = heat_map(rows, heads, lang)
    columns = (
        common("strategy", lang),
        *(Column(head) for head in heads),
    )
    table = Table(
        columns,
        tuple(lines),
        caption(found, lang),
        file_name(found, "matrix"),
        csv(duel_frame(found)),
    )
    return exhibit(found, lang, "matrix", title, lead, table, svg)


def _tile(duel: Duel, is_alone: bool, lang: str) -> Tile | None:
    one = duel.alone[0]
    if is_alone and one is None:
        return None
    if one is None:
        edge = points(duel.edge, lang)
        return Tile(edge.mean, edge.interval, step(duel.edge.mean))
    text = in_percent(one.share, lang)
    return Tile(text.mean, text.interval, step(one.advantage.mean))


def standings(found: Compared, lang: str) -> Exhibit:
    """Every strategy at all its tables."""
    dots, lines = [], []
    for one in found.standings:
        name = name_of(found, one.strategy, lang)
        ahead, share = points(one.advantage, lang), shown(one.share, lang, is_rate=True)
        dots.append(Dot(name, one.advantage, ahead))
        equal = shown(_exact(one.share, one.expected), lang, is_rate=True).mean
        lines.append(Line((name, ahead.mean, ahead.interval, share.mean, equal)))
    title = _STANDINGS.of(lang)
    lead = (_CASTS_LEAD if found.question.roles else _STANDINGS_LEAD).of(lang)
    svg = figures.dots(
        [Group("", dots)],
        POINTS_AXIS.of(lang),
        scale=100,
        reference=(0.0, ""),
        least_span=LEAST_SPAN,
    )
    table = Table(
        (
            common("strategy", lang),
            Column(POINTS_AXIS.of(lang), "points"),
            common("together", lang),
            common("win_share", lang),
            Column(Words("equal share", "均分").of(lang), "equal"),
        ),
        tuple(lines),
        caption(found, lang),
        file_name(found, "standings"),
        csv(standing_frame(found)),
    )
    return exhibit(found, lang, "standings", title, lead, table, svg)


def _exact(like: Estimate, value: float) -> Estimate:
    """A value with as many decimals as an estimate has."""
    return Estimate(value, None, like.low, like.high, like.deals, like.games)


def differences(found: Compared, lang: str) -> Exhibit:
    """Every two strategies at the tables that hold both, with the calls."""
    has_alone = any(duel.alone[0] for duel in found.duels)
    dots, lines = [], []
    for duel in sorted(found.duels, key=lambda one: -one.edge.mean):
        label = " − ".join(name_of(found, i, lang) for i in (duel.first, duel.second))
        text = points(duel.edge, lang)
        dots.append(Dot(label, duel.edge, text))
        call = CALLS[duel.call].of(lang)
        lines.append(Line((label, text.mean, text.interval, call, _notice(duel))))
    title, lead = _DUELS.of(lang), _DUELS_LEAD.of(lang)
    if len(dots) > MOST_PAIRS:
        lead += say(_CUT, lang, count=MOST_PAIRS)
    svg = figures.dots(
        [Group("", dots[:MOST_PAIRS])],
        POINTS_AXIS.of(lang),
        scale=100,
        reference=(0.0, ""),
        least_span=LEAST_SPAN,
    )
    table = Table(
        (
            Column(Words("first − second", "前者 − 后者").of(lang), is_number=False),
            Column(POINTS_AXIS.of(lang), "points"),
            common("together", lang),
            Column(_CALL[has_alone].of(lang), "call", is_number=False),
            common("notice", lang),
        ),
        tuple(lines),
        caption(found, lang),
        file_name(found, "differences"),
        csv(duel_frame(found)),
    )
    return exhibit(found, lang, "differences", title, lead, table, svg)


def wins(found: Compared, lang: str) -> list[Exhibit]:
    """Who beats whom, every strategy at all its tables, and differences at the same table."""
    roles = [in_roles(found, lang)] if found.in_roles else []
    return [*roles, matrix(found, lang), standings(found, lang), differences(found, lang)]


def in_roles(found: Compared, lang: str) -> Exhibit:
    """What each strategy is worth in each role."""
    seats = found.question.roles
    heads = []
    for role in range(found.question.n_roles):
        own = [str(seat + 1) for seat, its in enumerate(seats) if its == role]
        heads.append(say(_ROLE, lang, seats=", ".join(own)))
    rows, lines = [], []
    for i in (one.strategy for one in found.standings):
        texts = [(one, points(one.advantage, lang)) for one in found.in_roles[i]]
        name = name_of(found, i, lang)
        tiles = [Tile(text.mean, text.interval, step(one.advantage.mean)) for one, text in texts]
        rows.append((name, tiles))
        told = (cell for one, text in texts for cell in (text.both, notice(one)))
        lines.append(Line((name, *told)))
    until = common("notice", lang)
    columns = (
        common("strategy", lang),
        *(column for head in heads for column in (Column(head), until)),
    )
    table = Table(
        columns,
        tuple(lines),
        caption(found, lang),
        file_name(found, "roles"),
        csv(role_frame(found)),
    )
    lead, svg = _ROLES_LEAD.of(lang), heat_map(rows, heads, lang)
    return exhibit(found, lang, "roles", _ROLES.of(lang), lead, table, svg)


def tables(found: Compared, lang: str) -> list[Exhibit]:
    """What they score, and what the places are worth."""
    every = scores(found, lang)
    return every if found.question.roles else [*every, places(found, lang)]


def _notice(duel: Duel) -> str:
    """Games until a family notices who is better, from the one that is shown to gain or lose.

    Where nobody sat alone, from the difference at the same table.
    """
    if duel.call not in (Call.AHEAD, Call.BEHIND):
        return UNKNOWN
    shown_ = [one for one in duel.alone if one and one.sign]
    return notice(shown_[0] if shown_ else duel)


def places(found: Compared, lang: str) -> Exhibit:
    """Win share of each place in the starting order."""
    dots = [
        Dot(ordinal(i, lang), one, shown(one, lang, is_rate=True))
        for i, one in enumerate(found.places, start=1)
    ]
    fixed = Words("the same on every deal", "每次发牌都一样").of(lang)
    equal = sum(one.mean for one in found.places) / len(found.places)
    svg = figures.dots(
        [Group("", dots)],
        PERCENT_AXIS.of(lang),
        scale=100,
        reference=(equal, f"{Words('equal share', '均分').of(lang)} {percent(equal, lang)}"),
        least_span=LEAST_SPAN,
    )
    told = [
        dot if dot.estimate.se else replace(dot, text=replace(dot.text, interval=fixed))
        for dot in dots
    ]
    place = Column(Words("place", "顺位").of(lang), "place", is_number=False)
    heads = (place, common("win_share", lang))
    table = dots_table(found, lang, heads, told, "places", csv(place_frame(found)))
    lead = _PLACES_LEAD.of(lang)
    return exhibit(found, lang, "places", _PLACES.of(lang), lead, table, svg)


def scores(found: Compared, lang: str) -> list[Exhibit]:
    """The distribution of the score of each strategy; nothing where a game has no score."""
    score = found.question.game.score
    if score is None:
        return []
    frame, means = score_frame(found), score_means(found)
    names = [found.names[one.strategy] for one in found.standings]
    parts = [frame[frame["position"] == name] for name in names]
    texts = [shown(means[name], lang, is_rate=False) for name in names]
    spreads = [
        Spread(
            names_told(found, name, lang),
            int(part["value"].iloc[0]),
            part["count"].tolist(),
            means[name].mean,
            say(_MEAN_IS, lang, mean=text.mean),
        )
        for name, part, text in zip(names, parts, texts, strict=True)
    ]
    defaults = dict(found.question.variant.switches)
    marks = [
        (int(defaults[switch]), f"{name.of(lang)} {defaults[switch]}")
        for switch, name in found.question.game.marks
    ]
    tick = Words("{x:g}\u00a0%", "{x:g}%").of(lang)
    svg = figures.histograms(spreads, score.unit.of(lang), marks, tick)
    lines = [Line((MEAN.of(lang), *(text.both for text in texts)))]
    lines += [bin_line(one, parts, found.deals, lang) for one in bins(parts, score.high, lang)]
    table = Table(
        (
            Column(score.unit.of(lang), is_number=False),
            *(Column(names_told(found, name, lang)) for name in names),
        ),
        tuple(lines),
        caption(found, lang),
        file_name(found, "scores"),
        csv(seen(frame)),
    )
    title = capital(score.meaning.of(lang))
    return [exhibit(found, lang, "scores", title, _WIDEST.of(lang), table, svg)]
