"""A cell as the subject of a page: how its positions, columns and files are called there."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from analysis.intervals import Estimate
from analysis.winshares import (
    By,
    deals,
    estimate,
    game_estimate,
    game_measure,
    games,
    is_game_rate,
    is_seat_rate,
    n_seats,
    positions,
    seat_measure,
)
from reports.page import Exhibit
from reports.tables import Column, Table, csv
from reports.words import COLUMNS, Shown, capital, counted, ordinal, say, shown, team_name
from sim import catalog
from sim.core.game import Game, Words
from sim.results import Cell

if TYPE_CHECKING:
    import pandas as pd

GROUPS: dict[By, Words] = {
    "strategy": Words("by strategy", "按策略"),
    "place": Words("by place in the starting order", "按先后顺位"),
    "seat": Words("by seat", "按座位"),
}
TERMS = ("win_share", "nobody", "unfinished", "draw")  # columns that the glossary explains
SHARE = Words("share", "占比")
MEAN = Words("mean", "平均")
PERCENT_AXIS = Words("% of games", "占对局的 %")

_SEAT = Words("seat {number}", "座位{number}")
_CAPTION = Words("n = {deals}, {games}", "n = {deals}，{games}")
_INTERVAL = Words("95 % interval", "95% 区间")


@dataclass(frozen=True)
class Subject:
    """A cell to be shown in a language; `key` begins the ids of its exhibits."""

    game: Game
    cell: Cell
    lang: str
    key: str
    rules: Mapping[str, Any] = field(default_factory=dict)  # every switch with its value
    names: Mapping[str, str] = field(default_factory=dict)  # what strategies are called

    def say(self, words: Words, **parts: object) -> str:
        """A text in the language of the page."""
        return say(words, self.lang, **parts)

    @property
    def caption(self) -> str:
        """On how much the numbers stand."""
        return self.say(
            _CAPTION,
            deals=counted(deals(self.cell), "deal", self.lang),
            games=counted(games(self.cell), "game", self.lang),
        )

    @property
    def has_several(self) -> bool:
        """Whether different strategies sit at the table."""
        return len(positions(self.cell, "strategy")) > 1

    @property
    def groupings(self) -> list[By]:
        """Groupings that say something: strategies only where there are several."""
        return ["strategy", "place", "seat"] if self.has_several else ["place", "seat"]

    def group(self, by: By) -> str:
        """Heading of a grouping."""
        return capital(self.say(GROUPS[by]))

    def position(self, by: By, label: str) -> str:
        """What a position is called."""
        if by == "strategy":
            return self.names.get(label, label)
        if by == "place":
            return ordinal(int(label) + 1, self.lang)
        return self.say(_SEAT, number=label)

    def column(self, name: str) -> Column:
        """Head of a column of numbers: what is counted, and where it is explained."""
        measure = seat_measure(self.game, name) or game_measure(self.game, name)
        words = measure.meaning if measure is not None else COLUMNS[name]
        return Column(capital(words.of(self.lang)), name if name in TERMS else "")

    def interval_column(self, term: str = "interval") -> Column:
        """Head of a column of intervals."""
        return Column(self.say(_INTERVAL), term)

    def of_seats(self, by: By, column: str, members: Sequence[int]) -> tuple[Estimate, Shown]:
        """Mean of a seat column over some positions, as number and as text."""
        est = estimate(self.cell, self.game, by, column, members)
        return est, shown(est, self.lang, is_rate=is_seat_rate(self.game, column))

    def of_games(self, column: str) -> tuple[Estimate, Shown]:
        """Mean of a game column, as number and as text."""
        est = game_estimate(self.cell, self.game, column)
        return est, shown(est, self.lang, is_rate=is_game_rate(self.game, column))

    def exhibit(
        self, name: str, title: str, lead: str, table: Table, svg: str = "", note: str = ""
    ) -> Exhibit:
        """Put figure and table together."""
        key = f"{self.key}-{name.replace('_', '-')}"
        return Exhibit.drawn(key, title, lead, table, svg, note)

    def of_teams(self) -> list[tuple[str, Estimate, Shown]]:
        """Each team with the share of the games that it won; nothing without teams."""
        teams = catalog.teams(self.game, n_seats(self.cell), dict(self.rules))
        return [(team_name(team, self.lang), *self.of_games(team.column)) for team in teams]

    @property
    def marks(self) -> list[tuple[int, str]]:
        """Lines to draw on the axis of the score, with their names."""
        values = self.game.defaults() | dict(self.rules)
        return [
            (int(values[switch]), f"{name.of(self.lang)} {values[switch]}")
            for switch, name in self.game.marks
        ]

    def file(self, name: str) -> str:
        """Name of a file to download."""
        return f"{self.game.name}-{self.key}-{name.replace('_', '-')}.csv"


def rows_of(frame: pd.DataFrame, columns: Iterable[str]) -> pd.DataFrame:
    """The rows of a tidy frame that are about some columns."""
    return frame[frame["column"].isin(list(columns))]


def csv_of(frames: Sequence[pd.DataFrame]) -> str:
    """Several frames as one CSV."""
    import pandas as pd

    return csv(pd.concat(frames, ignore_index=True))
