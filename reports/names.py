"""What strategies and line-ups are called in a page: in Chinese by their own names, if any.

Tables for the machine (CSV, JSON) and commands keep the names that one types.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import cache

from analysis.questions import Question
from sim import catalog
from sim.core.game import Words
from sim.experiment import Experiment, Lineup

_BOTH = Words("{name} ({typed})", "{name}（{typed}）")


def of_question(question: Question, lang: str) -> Mapping[str, str]:
    """By label of a strategy, and by name of a line-up that is called after its strategies."""
    return _names(question.game.name, _lineups(question), lang)


def of_experiment(experiment: Experiment, lang: str) -> Mapping[str, str]:
    """The same for the line-ups of an experiment."""
    return _names(experiment.game, experiment.lineups, lang)


def players(question: Question, lang: str) -> list[tuple[str, str]]:
    """Every strategy that plays: its name, and what it does or, in Chinese, what one types."""
    told = {
        label: catalog.description(spec, question.game.name)
        for lineup in _lineups(question)
        for label, spec in zip(lineup.labels, lineup.strategies, strict=True)
    }
    names = of_question(question, lang)
    return [(names[label], text if lang == "en" else label) for label, text in told.items()]


def called(question: Question, name: str, lang: str) -> str:
    """What a strategy or a line-up of a question is called; any other name stays as it is."""
    return of_question(question, lang).get(name, name)


def key(names: Mapping[str, str], lang: str) -> str:
    """Every strategy with a name of its own, and what one types for it; '' if there is none."""
    pairs = [
        _BOTH.of(lang).format(name=name, typed=typed)
        for typed, name in names.items()
        if name != typed and "," not in typed
    ]
    return Words(", ", "、").of(lang).join(pairs)


def _lineups(question: Question) -> list[Lineup]:
    searched = [one for search in question.searches for one in search.lineups.values()]
    every = [setting.lineup for setting in question.settings]
    return [*every, *(one for some in searched for one in some)]


def _names(game: str, lineups: Iterable[Lineup], lang: str) -> Mapping[str, str]:
    return _cached(game, tuple(dict.fromkeys(lineups)), lang)


@cache
def _cached(game: str, lineups: tuple[Lineup, ...], lang: str) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for lineup in lineups:
        names = [catalog.title(spec, game).of(lang) for spec in lineup.strategies]
        found |= zip(lineup.labels, names, strict=True)
        if lineup.name == ",".join(lineup.labels):
            found[lineup.name] = Words(",", "、").of(lang).join(names)
    return found
