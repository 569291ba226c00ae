"""A game worth reading: why this one, who won each game of its deal, and the game as text."""

from __future__ import annotations

from collections.abc import Sequence

from analysis.balance import Answer
from analysis.exemplars import FIRST_ROUND, Exemplar
from analysis.questions import Setting
from analysis.winshares import measure_of
from reports.names import called
from reports.page import Exhibit
from reports.tables import Column, Line, Table
from reports.verdicts import label
from reports.words import NBSP, count_word, ordinal, say, whole
from sim import replay
from sim.core.game import Words

_TITLE = Words("A game worth reading: {claim}", "值得一读的一局：{claim}")
_RULES = {
    "hand": Words(
        "Chosen by a rule, not by taste: the first deal in which the same hand wins alone in all "
        "{n} games, whichever place it is given ({setting}, deal {deal}). There the cards decide, "
        "not the place.",
        "按规则选出，不凭喜好：同一手牌无论放在哪个顺位，都在全部{n}局中独自获胜的第一次发牌"
        "（{setting}，第 {deal} 次发牌）。这时决定胜负的是牌，不是顺位。",
    ),
    "place": Words(
        "Chosen by a rule, not by taste: the first deal in which the same place wins alone in all "
        "{n} games, whichever hand it is given ({setting}, deal {deal}). There the place decides, "
        "not the cards.",
        "按规则选出，不凭喜好：同一顺位无论拿到哪手牌，都在全部{n}局中独自获胜的第一次发牌"
        "（{setting}，第 {deal} 次发牌）。这时决定胜负的是顺位，不是牌。",
    ),
    "gap": Words(
        "Chosen by a rule, not by taste: the first deal in which {best} wins alone from every seat "
        "under “{here}” and, with the same deck, from no seat under “{there}” (deal {deal}).",
        "按规则选出，不凭喜好：同一副牌，“{best}”在“{here}”下从每个座位都独自获胜，"
        "在“{there}”下从哪个座位都没有获胜的第一次发牌（第 {deal} 次发牌）。",
    ),
}
_OF_FIRST_ROUND = {
    "hand": Words(
        "Chosen by a rule, not by taste, and by the first round, as each later one deals other "
        "cards: of {looked} deals the one in which the same hand has the most in all {n} games, "
        "whichever place it is given, by the widest lead ({meaning}; {setting}, deal {deal}). "
        "There the cards decide the round, not the place.",
        "按规则选出，不凭喜好；只看第一轮，因为之后各轮另行发牌：在 {looked} 次发牌中，"
        "同一手牌无论放在哪个顺位，在全部{n}局中都最高，且领先最多的一次"
        "（{meaning}；{setting}，第 {deal} 次发牌）。这时决定这一轮的是牌，不是顺位。",
    ),
    "place": Words(
        "Chosen by a rule, not by taste, and by the first round, as each later one starts from "
        "another seat: of {looked} deals the one in which the same place has the most in all {n} "
        "games, whichever hand it is given, by the widest lead ({meaning}; {setting}, deal "
        "{deal}). There the place decides the round, not the cards.",
        "按规则选出，不凭喜好；只看第一轮，因为之后各轮起始座位不同：在 {looked} 次发牌中，"
        "同一顺位无论拿到哪手牌，在全部{n}局中都最高，且领先最多的一次"
        "（{meaning}；{setting}，第 {deal} 次发牌）。这时决定这一轮的是顺位，不是牌。",
    ),
}
_WON_BY = Words("won by, with “{variant}”", "“{variant}”时的获胜者")
_NOBODY = Words("nobody", "无人")
_NUMBER = Words("game {n}", "第 {n} 局")
_HAND = Words("hand {n}", "第 {n} 手牌")
_SEAT = Words("seat {seat}", "座位 {seat}")
_GAME = Words("Read the first of these games", "阅读其中的第一局")
_ROUND = Words("Read the first round of the first of these games", "阅读其中第一局的第一轮")
_AGAIN = Words("The same with: {command}", "同样的命令：{command}")


def exhibit(answer: Answer, found: Exemplar, lang: str) -> Exhibit:
    """The rule, a table of the games of the deal, and the first of them in full."""
    experiment, claim = found.experiment, found.answered.claim
    (lines,) = replay.replay(experiment, found.deal, found.deal + 1, 0)
    best = called(answer.question, experiment.lineups[0].labels[0], lang)
    is_round = found.column == FIRST_ROUND
    measure = measure_of(answer.question.game, found.column)
    lead = say(
        (_OF_FIRST_ROUND if is_round else _RULES)[found.rule],
        lang,
        n=count_word(experiment.players, lang),
        setting=label(answer, claim, found.case.setting, lang),
        deal=found.deal,
        looked=whole(found.looked),
        meaning=measure.meaning.of(lang) if measure else "",
        best=best,
        here=_variant(answer, found, lang),
        there=_variant(answer, found, lang, other=True),
    )
    again = replay.replay_command(experiment, 0, found.deal, 0)
    table = Table(
        tuple(Column(text, is_number=False) for text in _heads(answer, found, lang)),
        tuple(Line(_cells(answer, found, turn, lang)) for turn in range(len(found.firsts))),
        say(_AGAIN, lang, command=again),
    )
    return Exhibit(
        f"read-{claim.name}",
        say(_TITLE, lang, claim=claim.title.of(lang)),
        lead,
        table,
        text=replay.as_text(_first_round(lines) if is_round else lines, lang),
        text_title=(_ROUND if is_round else _GAME).of(lang),
    )


def _first_round(lines: Sequence[replay.Line]) -> list[replay.Line]:
    """The lines of a transcript before its second round."""
    starts = [i for i, line in enumerate(lines) if line["type"] == "round"]
    return list(lines[: starts[1]] if len(starts) > 1 else lines)


def _heads(answer: Answer, found: Exemplar, lang: str) -> list[str]:
    """Titles of the columns: every place, or who won in either setting."""
    game = Words("game of the deal", "该次发牌的各局").of(lang)
    if found.rule == "gap":
        variants = [_variant(answer, found, lang, other=other) for other in (False, True)]
        return [game, *(say(_WON_BY, lang, variant=variant) for variant in variants)]
    place = Words("{n} place", "{n}")
    n = found.experiment.players
    starts = Words("starts, in the text", "文中的起始座位").of(lang)
    return [game, *(say(place, lang, n=ordinal(i + 1, lang)) for i in range(n)), starts]


def _cells(answer: Answer, found: Exemplar, turn: int, lang: str) -> tuple[str, ...]:
    """One game of the deal: what every place holds and makes of it, or who won."""
    game = say(_NUMBER, lang, n=turn + 1)
    if found.rule == "gap":
        here = [_winner(answer, found, turn, seat, lang) for seat in found.firsts[turn]]
        there = [called(answer.question, name, lang) for name in found.others[turn]]
        between = Words(", ", "、").of(lang)
        return game, *(between.join(names) or _NOBODY.of(lang) for names in (here, there))
    n, start = found.experiment.players, found.starts[turn]
    cells = []
    for place in range(n):
        seat = (start + place) % n
        # Hands are turned over the places: a hand is called after its place in the first game.
        hand = say(_HAND, lang, n=(place - turn) % n + 1).replace(" ", NBSP)
        is_won = found.column != FIRST_ROUND
        won = Words("wins", "获胜").of(lang) if found.values[turn][seat] else ""
        what = won if is_won else str(found.values[turn][seat]).replace("-", "−")
        colon = Words(": ", "：").of(lang)
        cells.append(f"{hand}{colon}{what}" if what else hand)
    return game, *cells, say(_SEAT, lang, seat=start)


def _variant(answer: Answer, found: Exemplar, lang: str, *, other: bool = False) -> str:
    """Title of the variant that is read, or of the one that it is set against."""
    case, read = found.case, found.experiment.variants[0]
    settings: list[Setting] = [case.setting, case.against or case.setting]
    if settings[0].variant != read:
        settings.reverse()
    return answer.question.variants[settings[other].variant.name].of(lang)


def _winner(answer: Answer, found: Exemplar, turn: int, seat: int, lang: str) -> str:
    """The strategy that won, and its seat in the text."""
    name = called(answer.question, found.labels[turn][seat], lang)
    at = say(_SEAT, lang, seat=seat).replace(" ", NBSP)
    return f"{name}（{at}）" if lang == "zh" else f"{name} ({at})"
