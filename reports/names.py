"""What strategies and line-ups are called in a page: in Chinese by their own names, if any.

Tables for the machine (CSV, JSON) and commands keep the names that one types.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import cache

from analysis.comparison import Comparison
from analysis.questions import Question
from sim import catalog
from sim.core.game import Words
from sim.experiment import Experiment, Lineup

Terms = dict[str, tuple[Words, Words]]  # by key: the term, and what it means

_BOTH = Words("{name} ({typed})", "{name}（{typed}）")


def of_question(question: Question, lang: str) -> Mapping[str, str]:
    """By label of a strategy, and by name of a line-up that is called after its strategies."""
    return _names(question.game.name, _lineups(question), lang)


def of_experiment(experiment: Experiment, lang: str) -> Mapping[str, str]:
    """The same for the line-ups of an experiment."""
    return _names(experiment.game, experiment.lineups, lang)


def of_comparison(comparison: Comparison, lang: str) -> Mapping[str, str]:
    """The same for a comparison; where two have one name, what one types stands beside it."""
    found = _names(comparison.game.name, comparison.lineups, lang)
    names = {label: found.get(label, label) for label in comparison.names}
    every = list(names.values())
    return {
        label: name if every.count(name) == 1 else _BOTH.of(lang).format(name=name, typed=label)
        for label, name in names.items()
    }


def told(text: str, names: Mapping[str, str]) -> str:
    """A text, such as `2 lowest, 1 uniform`, with the strategies in it called by their names."""
    typed = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
    whole = rf"(?<![\w.:=])(?:{typed})(?![\w:=]|\.\w)"
    return re.sub(whole, lambda match: names[match[0]], text)


def players(question: Question, lang: str) -> Terms:
    """Every strategy that plays as a term of a glossary: its name, and what it does."""
    return _terms(question.game.name, _lineups(question), of_question(question, lang))


def compared(comparison: Comparison, lang: str) -> Terms:
    """The same for a comparison."""
    return _terms(comparison.game.name, comparison.lineups, of_comparison(comparison, lang))


def _terms(game: str, lineups: Iterable[Lineup], names: Mapping[str, str]) -> Terms:
    specs = {
        label: spec
        for lineup in lineups
        for label, spec in zip(lineup.labels, lineup.strategies, strict=True)
        if label in names
    }
    told = [(names[label], _about(spec, game)) for label, spec in specs.items()]
    return {
        f"plays-{number}": (Words(name, name), text) for number, (name, text) in enumerate(told)
    }


def _about(spec: str, game: str) -> Words:
    """What a strategy does, with the values of its parameters."""
    what, values = catalog.description(spec, game), catalog.explain(spec, game)
    if not values.en:
        return what
    return Words(f"{what.en} Here {values.en}.", f"{what.zh}此处 {values.zh}。")


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


def listed(names: Mapping[str, str], lang: str) -> str:
    """All strategies; beside those with a name of their own, what one types for them."""
    return (
        Words(", ", "、")
        .of(lang)
        .join(
            name if typed in name else _BOTH.of(lang).format(name=name, typed=typed)
            for typed, name in names.items()
        )
    )


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
        by_label = dict(zip(lineup.labels, names, strict=True))
        found |= by_label
        typed = lineup.name.split(",")  # not always all seats: the last strategy fills the others
        if all(label in by_label for label in typed):
            between = Words(",", "、").of(lang)
            found[lineup.name] = between.join(by_label[label] for label in typed)
    return found
