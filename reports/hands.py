"""What each kind of card does for a hand, under each variant: an exploratory list."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from analysis.balance import Answer, Answered
from analysis.multiplicity import benjamini_hochberg
from analysis.neutrality import Effect, effect_changes, effects
from analysis.questions import Setting
from analysis.winshares import unit_of
from reports import figures
from reports.figures import Dot, Group
from reports.names import called
from reports.page import Exhibit
from reports.tables import Column, Line, Table, csv
from reports.verdicts import file_name, noticed, table_label
from reports.words import UNKNOWN, Shown, capital, common_digits, counted, say, shown
from sim import catalog
from sim.core.game import Words

if TYPE_CHECKING:
    import pandas as pd

FALSE_SHARE = 0.05  # of those that are marked, on average at most

_TITLE = Words("What one more card of a kind does ({lineup})", "多一张某类牌的作用（{lineup}）")
_LEAD = Words(
    "EXPLORATORY: a list to look for explanations in, no claim. One more card of this kind in "
    "place of an average other card changes the result of the hand by so much. Of {all} changes "
    "against “{base}” {marked} are marked with *: on average at most one in twenty of these is "
    "false (Benjamini–Hochberg).",
    "探索性列表：用来寻找解释，不是论点。用一张这类牌替换一张普通的其他牌，结果平均改变这么多。"
    "与“{base}”相比的 {all} 个变化中，{marked} 个标有 *：平均至多二十分之一是假的"
    "（Benjamini–Hochberg）。",
)
_BLOCKS = (
    Words("Change of the result", "结果的改变"),
    Words("Games a family would need to notice it", "一家人要察觉它所需的局数"),
    Words(
        "Games of each kind to notice the change against “{base}”",
        "要察觉与“{base}”相比的变化，两种玩法各需的局数",
    ),
)
_NOTE = Words(
    "The dot is the mean change of the result of the 1st place, the whisker its 95 % interval. "
    "Drawn are {drawn} of {all} variants; the table has all.",
    "圆点为第 1 位的结果的平均改变，横线为 95% 区间。"
    "图中为 {all} 种变体中的 {drawn} 种，表格有全部变体。",
)
DRAWN = 2  # variants in the figure


def exhibits(answer: Answer, found: Answered, lang: str) -> list[Exhibit]:
    """For each line-up of a claim the effects of all kinds of cards."""
    return [_exhibit(answer, found, name, lang) for name in found.claim.lineups]


def _exhibit(answer: Answer, found: Answered, lineup: str, lang: str) -> Exhibit:
    cases = [case for case in found.cases if case.setting.lineup.name == lineup]
    base = cases[0].against
    assert base is not None
    settings = [base, *(case.setting for case in cases)]
    kinds = [capital(words.of(lang)) for _, words in catalog.traits(answer.question.game)]
    each = [effects(*_hands(answer, setting)) for setting in settings]
    changed = [
        effect_changes(_hands(answer, base), _hands(answer, setting)) for setting in settings[1:]
    ]
    every = [one for change in changed for one in change if one]
    # One list: what is promised of the marked ones is promised of all columns together.
    together = iter(benjamini_hochberg([one.p for one in every]))
    changed = [
        [one and replace(one, q=float(next(together))) for one in change] for change in changed
    ]
    names = [table_label(answer, found.claim, one, lang) for one in settings]
    known = [i for i in range(len(kinds)) if any(column[i] for column in each)]
    of_kind = list(zip(*each, strict=True))
    digits = common_digits(one.estimate for column in each for one in column if one)
    lines = [Line((_BLOCKS[0].of(lang),))]
    for i in known:
        marks = ["", *(_mark(change[i]) for change in changed)]
        texts = [one and _shown(one, lang, digits) for one in of_kind[i]]
        both = zip(texts, marks, strict=True)
        cells = [replace(t, mean=t.mean + mark).both if t else UNKNOWN for t, mark in both]
        lines.append(Line((kinds[i], *cells)))
    lines.append(Line((_BLOCKS[1].of(lang),)))
    lines += [Line((kinds[i], *(_notice(column[i]) for column in each))) for i in known]
    lines.append(Line((say(_BLOCKS[2], lang, base=names[0]),)))
    lines += [Line((kinds[i], UNKNOWN, *(_notice(column[i]) for column in changed))) for i in known]
    groups = [
        Group(
            name,
            [
                Dot(kinds[i], one.estimate, _shown(one, lang, digits))
                for i in known
                if (one := column[i])
            ],
        )
        for name, column in zip(names[:DRAWN], each[:DRAWN], strict=True)
    ]
    marked = sum(one.q <= FALSE_SHARE for change in changed for one in change if one)
    lead = say(_LEAD, lang, base=names[0], all=len(every), marked=marked)
    hands = len(answer.kept[base].values)
    caption = say(
        Words(
            "{deals} a variant, {redraws} games from each hand",
            "每种变体{deals}，每手牌 {redraws} 局",
        ),
        lang,
        deals=counted(hands, "deal", lang),
        redraws=base.redraws,
    )
    title = say(_TITLE, lang, lineup=called(answer.question, lineup, lang))
    key = f"effects-{found.claim.name}-{found.claim.lineups.index(lineup)}"
    axis = unit_of(answer.question.game, found.claim.estimand).of(lang)
    svg = figures.differences(groups, axis)
    heads = (
        Column(Words("kind of card", "牌的种类").of(lang), is_number=False),
        *map(Column, names),
    )
    note = say(_NOTE, lang, drawn=min(DRAWN, len(names)), all=len(names))
    frame = _frame(answer, settings, each, changed)
    table = Table(heads, tuple(lines), caption, file_name(answer, key), csv(frame))
    return Exhibit.drawn(key, title, lead, table, svg, note)


def _hands(answer: Answer, setting: Setting) -> tuple[np.ndarray, np.ndarray]:
    kept = answer.kept[setting]
    return kept.values, kept.traits


def _shown(one: Effect, lang: str, digits: int) -> Shown:
    return shown(one.estimate, lang, is_rate=False, digits=digits)


def _notice(one: Effect | None) -> str:
    return noticed(one.notice if one else None)


def _mark(one: Effect | None) -> str:
    return " *" if one and one.q <= FALSE_SHARE else ""


def _frame(
    answer: Answer,
    settings: list[Setting],
    each: list[list[Effect | None]],
    changed: list[list[Effect | None]],
) -> pd.DataFrame:
    """Every effect, and its change against the first variant with p and q."""
    import pandas as pd

    kinds = [name for name, _ in catalog.traits(answer.question.game)]
    rows = []
    for number, (setting, column) in enumerate(zip(settings, each, strict=True)):
        for i, (kind, one) in enumerate(zip(kinds, column, strict=True)):
            change = changed[number - 1][i] if number else None
            rows.append(
                {
                    "players": setting.players,
                    "variant": setting.variant.name,
                    "lineup": setting.lineup.name,
                    "kind": kind,
                    "effect": one and one.estimate.mean,
                    "low": one and one.estimate.low,
                    "high": one and one.estimate.high,
                    "hands": one and one.estimate.deals,
                    "games": one and one.estimate.games,
                    "games_to_notice": one and one.notice,
                    "change": change and change.estimate.mean,
                    "change_low": change and change.estimate.low,
                    "change_high": change and change.estimate.high,
                    "change_games_to_notice": change and change.notice,
                    "p": change and change.p,
                    "q": change and change.q,
                }
            )
    return pd.DataFrame(rows)
