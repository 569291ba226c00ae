"""What a game tells the rest of the project about itself, as plain data.

Nothing here compiles or imports numba: games can be listed, and experiments checked, without it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

SHARE_UNIT = 2520
"""Win shares are counted in 1/2520, the least common multiple of 1..10: every 1/k is whole."""
MOST_SEATS = 10
"""Seats of a game at most: more could not share a win."""
BASELINE = "uniform"
"""The strategy that every game has: anything legal, each with the same probability."""


@dataclass(frozen=True)
class Words:
    """A text in the two languages of the reports."""

    en: str
    zh: str

    def of(self, lang: str) -> str:
        """Return the text in `lang`, 'en' or 'zh'."""
        return self.zh if lang == "zh" else self.en


@dataclass(frozen=True)
class Switch:
    """One rule switch: some words, an integer of a range, a list of integers, or words beside them.

    `default` is the value without a word from the user. A switch with `is_list` takes a list of
    integers from `low` to `high`, a set without order; with `lengths` an ordered one of one of
    these lengths, in which a number may stand again; with `columns` too it is a list of rows of so
    many. One with `words` and a range takes either. `needs` names other switches with those of
    their values beside which this one means something.
    """

    name: str
    default: Any
    meaning: Words
    words: tuple[str, ...] = ()
    low: int | None = None
    high: int | None = None
    is_list: bool = False
    lengths: tuple[int, ...] = ()
    columns: int = 0
    needs: tuple[tuple[str, tuple[Any, ...]], ...] = ()

    @property
    def allowed(self) -> str:
        """The values it takes, in words for a message."""
        span = f"{self.low}..{self.high}"
        if self.lengths:
            sizes = " or ".join(map(str, self.lengths))
            number = f"a list of {sizes} integers {span}"
            number += f", in rows of {self.columns} or without rows" if self.columns else ""
        elif self.is_list:
            number = f"a list of integers {span}, or nothing"
        else:
            number = f"an integer {span}"
        return ", ".join(list(self.words) + ([number] if self.low is not None else []))

    def parse(self, value: Any) -> Any:
        """Return the value in its own type, from TOML or from a word of the command line.

        Raises
        ------
        ValueError
            The value is not allowed; the message says what is.
        """
        if value in self.words:
            return value
        return self._integers(value) if self.is_list else self._integer(value)

    def _integers(self, value: Any) -> list[Any]:
        items = value
        if isinstance(value, str):
            plain = value.replace("[", "").replace("]", "")
            items = [part for part in plain.split(",") if part.strip()]
        if not isinstance(items, list | tuple):
            items = [items]
        if self.columns:
            rows = [item for item in items if isinstance(item, list | tuple)]
            if rows and [len(item) for item in rows] != [self.columns] * len(items):
                raise ValueError(f"{value!r} is not allowed; allowed: {self.allowed}")
            items = [item for row in rows for item in row] or items
        numbers = [self._integer(item) for item in items]
        if not self.lengths:
            return sorted(set(numbers))
        if len(numbers) not in self.lengths:
            raise ValueError(f"{value!r} is not allowed; allowed: {self.allowed}")
        if not self.columns:
            return numbers
        return [numbers[i : i + self.columns] for i in range(0, len(numbers), self.columns)]

    def _integer(self, value: Any) -> int:
        try:
            if isinstance(value, bool | float):
                raise ValueError
            number = int(value)
        except (TypeError, ValueError):
            number = None
        if number is None or self.low is None or not self.low <= number <= (self.high or 0):
            raise ValueError(f"{value!r} is not allowed; allowed: {self.allowed}")
        return number


@dataclass(frozen=True)
class Measure:
    """An integer that a game reports for each game or for each seat of it.

    `low` and `high` bound the histogram; values beyond are counted in the last bin. `unit` is what
    is counted, in English as a plural, so that a sentence can go on with it: "0.2 overflows more".
    """

    name: str
    meaning: Words
    unit: Words
    low: int
    high: int
    per: str = "game"  # or "seat"

    @property
    def n_bins(self) -> int:
        """Number of histogram bins, one an integer."""
        return self.high - self.low + 1


@dataclass(frozen=True)
class Piece:
    """A kind of card, tile or the like, as transcripts spell it, and how many there are."""

    code: str
    name: Words
    count: int


@dataclass(frozen=True)
class Pieces:
    """All kinds of pieces of one sort, such as the cards of the deck; `title` heads the list."""

    title: Words
    items: tuple[Piece, ...]


@dataclass(frozen=True)
class Parameter:
    """A bounded whole number of a strategy that the user may set.

    `meaning` may be plain text in one language. `choices` tell what each value from `low` on does,
    where values are policies and no amounts.
    """

    name: str
    default: int
    low: int
    high: int
    meaning: Words | str = ""
    choices: tuple[Words, ...] = ()

    def about(self, lang: str, value: int | None = None) -> str:
        """What it means, with what this value, or each value, does where values are policies."""
        meaning = self.meaning if isinstance(self.meaning, str) else self.meaning.of(lang)
        told = {self.low + k: words.of(lang) for k, words in enumerate(self.choices)}
        if value is not None:
            chosen = told.get(value, "")
        else:
            between = Words("; ", "；").of(lang)
            chosen = between.join(f"{number} {text}" for number, text in told.items())
        return Words(": ", "：").of(lang).join(filter(None, (meaning, chosen))).replace("`", "")


@dataclass(frozen=True)
class Game:
    """A game as data. Its compiled rules stand in `package`.rules, .view and .text."""

    name: str
    title: Words
    package: str
    players: tuple[int, ...]
    switches: tuple[Switch, ...]
    measures: tuple[Measure, ...]
    score: Measure | None
    teams: tuple[str, ...] = ()  # measures by number of a team: 1 if it won; () without teams
    marks: tuple[tuple[str, Words], ...] = ()  # switches whose value is a line on the score axis
    max_decisions: int = 100_000  # a game with more is stopped as broken

    @property
    def seat_columns(self) -> tuple[str, ...]:
        """Names of what is counted for each seat, in the order of the totals."""
        own = tuple(m.name for m in self.measures if m.per == "seat")
        return ("win_share", "won", "score", *own)

    @property
    def game_columns(self) -> tuple[str, ...]:
        """Names of what is counted for each game, in the order of the totals.

        `shared` counts games that several seats won, or in a game with teams several teams.
        """
        own = tuple(m.name for m in self.measures if m.per == "game")
        return ("nobody", "shared", "unfinished", "draw", "decisions", *own)

    def switch(self, name: str) -> Switch:
        """Return the switch called `name`; KeyError if there is none."""
        return {switch.name: switch for switch in self.switches}[name]

    def idle(self, switches: dict[str, Any]) -> dict[str, str]:
        """Switches that would change the game but mean nothing beside the others, and why."""
        found = {}
        for switch in self.switches:
            unmet = [(name, of) for name, of in switch.needs if switches[name] not in of]
            if unmet and switches[switch.name] != switch.default:
                name, of = unmet[0]
                found[switch.name] = (
                    f"{switch.name}={as_word(switches[switch.name])} is for "
                    f"{name}={' or '.join(map(str, of))}; "
                    f"allowed with {name}={as_word(switches[name])}: {switch.default}"
                )
        return found

    def defaults(self) -> dict[str, Any]:
        """Every switch with its default value."""
        return {switch.name: switch.default for switch in self.switches}


def as_word(value: Any) -> str:
    """The value of a switch as one types it."""
    return ",".join(map(as_word, value)) if isinstance(value, list | tuple) else str(value)


def measures_of(game: Game, per: str) -> Sequence[Measure]:
    """The game's own measures for each 'seat' or each 'game'."""
    return [measure for measure in game.measures if measure.per == per]
