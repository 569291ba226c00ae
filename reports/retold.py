"""A game worth reading: why this one, who won each game of its deal, and the game as text."""

from __future__ import annotations

from analysis.balance import Answer
from analysis.exemplars import Exemplar
from analysis.questions import Setting
from reports.names import called
from reports.page import Exhibit
from reports.tables import Column, Line, Table
from reports.verdicts import label
from reports.words import NBSP, count_word, ordinal, say
from sim import replay
from sim.core.game import Words

_TITLE = Words("A game worth reading: {claim}", "值得一读的一局：{claim}")
_RULES = {
    "hand": Words(
        "Chosen by a rule, not by taste: the first deal in which the same hand wins alone in all "
        "{n} games, whichever place it is given to ({setting}, deal {deal}). The cards decide it, "
        "not the place.",
        "按规则选出，不凭喜好：同一手牌无论放在哪个顺位，都在全部{n}局中独自获胜的第一次发牌"
        "（{setting}，第 {deal} 次发牌）。决定胜负的是牌，不是顺位。",
    ),
    "place": Words(
        "Chosen by a rule, not by taste: the first deal in which the same place wins alone in all "
        "{n} games, whichever hand it is given ({setting}, deal {deal}). The place decides it, "
        "not the cards.",
        "按规则选出，不凭喜好：同一顺位无论拿到哪手牌，都在全部{n}局中独自获胜的第一次发牌"
        "（{setting}，第 {deal} 次发牌）。决定胜负的是顺位，不是牌。",
    ),
    "gap": Words(
        "Chosen by a rule, not by taste: the first deal in which {best} wins alone from every seat "
        "under “{here}” and, with the same deck, from no seat under “{there}” (deal {deal}).",
        "按规则选出，不凭喜好：同一副牌，“{best}”在“{here}”下从每个座位都独自获胜，"
        "在“{there}”下从哪个座位都没有获胜的第一次发牌（第 {deal} 次发牌）。",
    ),
}
_NUMBER = Words("game {n}", "第 {n} 局")
_GAME = Words("Read the first of these games", "阅读其中的第一局")
_AGAIN = Words("The same with: {command}", "同样的命令：{command}")


def exhibit(answer: Answer, found: Exemplar, lang: str) -> Exhibit:
    """The rule, a table of the games of the deal, and the first of them in full."""
    experiment, claim = found.experiment, found.answered.claim
    (lines,) = replay.replay(experiment, found.deal, found.deal + 1, 0)
    best = called(answer.question, experiment.lineups[0].labels[0], lang)
    lead = say(
        _RULES[found.rule],
        lang,
        n=count_word(experiment.players, lang),
        setting=label(answer, claim, found.case.setting, lang),
        deal=found.deal,
        best=best,
        here=_variant(answer, found, lang),
        there=_variant(answer, found, lang, other=True),
    )
    rows = []
    for turn, winners in enumerate(found.winners):
        names = [_name(answer, found, turn, seat, lang) for seat in winners]
        rows.append(Line((say(_NUMBER, lang, n=turn + 1), ", ".join(names))))
    table = Table(
        (
            Column(Words("game of the deal", "该次发牌的各局").of(lang), is_number=False),
            Column(Words("won by", "获胜者").of(lang), is_number=False),
        ),
        tuple(rows),
        say(_AGAIN, lang, command=replay.replay_command(experiment, 0, found.deal, 0)),
    )
    return Exhibit(
        f"read-{claim.name}",
        say(_TITLE, lang, claim=claim.title.of(lang)),
        lead,
        table,
        text=replay.as_text(lines, lang),
        text_title=_GAME.of(lang),
    )


def _variant(answer: Answer, found: Exemplar, lang: str, *, other: bool = False) -> str:
    """Title of the variant that is read, or of the one that it is set against."""
    case, read = found.case, found.experiment.variants[0]
    settings: list[Setting] = [case.setting, case.against or case.setting]
    if settings[0].variant != read:
        settings.reverse()
    return answer.question.variants[settings[other].variant.name].of(lang)


def _name(answer: Answer, found: Exemplar, turn: int, seat: int, lang: str) -> str:
    """Who won: hand or place counted from one, or the strategy, and the seat."""
    word, seat_word = found.labels[turn][seat], Words("seat {seat}", "座位 {seat}")
    if found.rule == "gap":
        word = called(answer.question, word, lang)
    if found.rule == "hand":
        word = say(Words("hand {n}", "第 {n} 手牌"), lang, n=int(word) + 1)
    elif found.rule == "place":
        word = say(Words("{n} place", "{n}"), lang, n=ordinal(int(word) + 1, lang))
    at = say(seat_word, lang, seat=seat).replace(" ", NBSP)
    return f"{word}（{at}）" if lang == "zh" else f"{word} ({at})"
