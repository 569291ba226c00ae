"""The page that leads to the pages of several balance questions, with the verdict of each."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from analysis.balance import Answer
from reports.build import FONT
from reports.glossary import BALANCE
from reports.page import Exhibit, Page, Section, render
from reports.tables import Column, Line, Table
from reports.verdicts import VERDICTS, counts, headline
from reports.words import capital, counted, say
from sim import __version__
from sim.core.game import Words

_TITLE = Words("Balance questions", "平衡性问题")
_HEADLINE = Words(
    "Balance questions on {names}: {questions}, answered with {games}",
    "关于{names}的 {questions} 个平衡性问题，由{games}回答",
)


def build(every: Mapping[str, Answer], lang: str, path: Path, command: str = "") -> Path:
    """Write the page; `every` has an answer by the folder of its page, beside this one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(page(every, lang, command)), encoding="utf-8", newline="\n")
    return path


def page(every: Mapping[str, Answer], lang: str, command: str = "") -> Page:
    """What the page shows: a section a game, in it the questions."""
    titles = dict.fromkeys(answer.question.game.title for answer in every.values())
    sections = [
        Section(
            f"game-{number}",
            title.of(lang),
            "",
            tuple(
                _exhibit(answer, folder, lang)
                for folder, answer in every.items()
                if answer.question.game.title == title
            ),
        )
        for number, title in enumerate(titles)
    ]
    played = sum(answer.games for answer in every.values())
    facts = (
        (Words("command", "命令"), command),
        (Words("version", "版本"), __version__),
        (Words("font", "字体"), FONT.of(lang)),
    )
    return Page(
        lang=lang,
        title=f"{_TITLE.of(lang)} | fairdeal",
        kicker=_TITLE.of(lang),
        headline=say(
            _HEADLINE,
            lang,
            questions=len(every),
            names=Words(", ", "、").of(lang).join(title.of(lang) for title in titles),
            games=counted(played, "game", lang),
        ),
        keys=(),
        sections=tuple(sections),
        facts=tuple((capital(name.of(lang)), value) for name, value in facts if value),
        terms=BALANCE,
    )


def _exhibit(answer: Answer, folder: str, lang: str) -> Exhibit:
    """A question: its finding, and how many settings of each family have which verdict."""
    question = answer.question
    table = Table(
        (
            Column(Words("what is claimed", "论点").of(lang), is_number=False),
            Column(Words("verdicts", "结论").of(lang), "verdict", is_number=False),
        ),
        tuple(
            Line((family.title.of(lang), _verdicts(answer, name, lang)))
            for name, family in question.families.items()
        ),
        counted(answer.games, "game", lang),
    )
    return Exhibit(
        f"question-{question.folder}",
        question.title.of(lang),
        headline(answer, lang),
        table,
        link=f"{folder}/balance-{lang}.html",
    )


def _verdicts(answer: Answer, family: str, lang: str) -> str:
    claims = answer.of_family(family)
    words = [counts(claims, lang)] if claims else []
    words += [VERDICTS["search"][one.verdict].of(lang) for one in answer.searches_of(family)]
    return " ".join(words)
