"""Exhibit of a comparison: which strategies last if players take up what does well."""

from __future__ import annotations

from math import isinf

import numpy as np

from analysis.comparison import Compared
from analysis.frames import rank_frame
from analysis.metagame import MetaGame
from reports.compared import names_told
from reports.contest import caption, exhibit, file_name
from reports.heatmap import Tile, heat_map
from reports.page import Exhibit
from reports.tables import Column, Line, Table, common, csv
from reports.words import ordinal, percent, say, shown
from sim.core.game import Words

STEPS = (0.05, 0.25, 0.5, 0.75)  # probabilities at which the colour changes

_TITLE = Words("Which strategies last", "哪些策略能留下来")
_LINEUPS = Words(
    "Players try another strategy in turn and keep it if it wins more in the line-up that it makes "
    "(alpha-rank over all line-ups). Most often the table comes to be: {lasting}.",
    "玩家轮流改用别的策略，若在由此形成的阵容中赢得更多就保留（全部阵容的 alpha-rank）。"
    "最常形成的牌桌：{lasting}。",
)
_POPULATION = Words(
    "A whole population plays one strategy until another one takes over (alpha-rank of one "
    "population). Most of the time it plays {lasting}.",
    "整个群体采用同一策略，直到另一策略取而代之（单一群体的 alpha-rank）。"
    "大部分时间采用的是 {lasting}。",
)
_RANKS = Words(
    "Tiles: the chance of each rank when the deals are drawn anew.",
    "格子：反复重新抽取发牌时各名次的概率。",
)
_GONE = Words(
    "A strategy that does not last is in the end played by nobody: among such there is no order, "
    "and they have no rank.",
    "留不下来的策略最终无人采用：它们之间没有先后，也没有名次。",
)
_LEAVES = Words("does not last", "留不下来")


def exhibits(found: Compared, lang: str) -> list[Exhibit]:
    """Masses and ranks; nothing where they cannot be told."""
    meta = found.metagame
    if not isinstance(meta, MetaGame):
        return []
    names = [names_told(found, name, lang) for name in meta.names]
    places = np.arange(1, len(meta.names) + 1)
    held = meta.ranks.any(axis=0)
    chances, heads = meta.ranks[:, held], [ordinal(int(k), lang) for k in places[held]]
    if meta.gone.any():
        chances, heads = np.column_stack([chances, meta.gone]), [*heads, _LEAVES.of(lang)]
    rank = meta.ranks @ places + meta.gone * len(places)  # on average
    order = sorted(range(len(meta.names)), key=lambda i: (-round(meta.mass[i].mean, 6), rank[i]))
    rows = [(names[i], [_tile(chance, lang) for chance in chances[i].tolist()]) for i in order]
    lines = []
    for i in order:
        mass = shown(meta.mass[i], lang, is_rate=True)
        cells = [percent(chance, lang, 0) for chance in chances[i].tolist()]
        lines.append(Line((names[i], mass.mean, mass.interval, *cells)))
    table = Table(
        (
            common("strategy", lang),
            Column(Words("lasts", "占比").of(lang), "mass"),
            common("interval", lang),
            *(Column(head) for head in heads),
        ),
        tuple(lines),
        caption(found, lang),
        file_name(found, "ranks"),
        csv(rank_frame(found)),
    )
    lasting = names_told(found, meta.states[0][0], lang)
    what = say(_LINEUPS if isinf(meta.alpha) else _POPULATION, lang, lasting=lasting)
    texts = [what, _RANKS.of(lang), *([_GONE.of(lang)] if meta.gone.any() else [])]
    lead = ("" if lang == "zh" else " ").join(texts)
    svg = heat_map(rows, heads, lang)
    return [exhibit(found, lang, "lasting", _TITLE.of(lang), lead, table, svg)]


def reason(found: Compared, lang: str) -> str:
    """Why it cannot be told which strategies last; nothing if it can."""
    return found.metagame.of(lang) if isinstance(found.metagame, Words) else ""


def _tile(chance: float, lang: str) -> Tile:
    return Tile(percent(chance, lang, 0), step=sum(chance >= edge for edge in STEPS))
