"""Who won against whom: the games of all line-ups in one form, from which every comparison starts.

All line-ups of a run play the same deals, so the number of the deal tells which games belong
together, across line-ups too: it is the cluster of everything that is reckoned from `Matches`.

Seats that won together in all games are a team. Nothing else declares one, and nothing else needs
to: where factions are dealt anew in every game, the members of the faction that won share the win
like any others. Seats that win together by chance in all of `LEAST_WINS` games and more are not to
be expected.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from analysis.moments import Floats
from sim import catalog
from sim.results import Rows
from sim.store import games_of

if TYPE_CHECKING:
    from sim.results import Run

Bools = NDArray[np.bool_]
Ints = NDArray[np.int64]
LEAST_WINS = 30  # of a seat, before its wins are held against those of another


@dataclass(frozen=True, eq=False)
class Matches:
    """What was won by whom in every game; G games of n places, counted from the start seat."""

    names: tuple[str, ...]  # of the strategies
    deal: Ints  # [G] number of the deal, from 0: the cluster
    seats: NDArray[Any]  # [G, n] strategy at each place, index into `names`
    share: NDArray[Any]  # [G, n] share of the win in 1/2520; a row of zeros: nobody won
    teams: NDArray[Any]  # [G, n] team at each place; 0 .. n - 1 where everybody plays alone

    @property
    def players(self) -> int:
        """Places of a game."""
        return int(self.seats.shape[1])

    @property
    def games(self) -> int:
        """Number of games."""
        return len(self.deal)

    @cached_property
    def deals(self) -> int:
        """Number of deals."""
        return len(self.deal_numbers)

    @cached_property
    def deal_numbers(self) -> Ints:
        """The deals that were played, ascending [D]."""
        return np.unique(self.deal)

    @cached_property
    def cluster(self) -> Ints:
        """Position of each game's deal among those that were played [G]."""
        return np.searchsorted(self.deal_numbers, self.deal)

    @cached_property
    def winners(self) -> Bools:
        """Who won, or shared the win [G, n]."""
        return np.asarray(self.share > 0)

    @property
    def has_teams(self) -> bool:
        """Whether some places win and lose together."""
        return bool((self.teams != np.arange(self.players)).any())

    @cached_property
    def lineups(self) -> tuple[tuple[int, ...], ...]:
        """The line-ups, as sorted strategies, in ascending order."""
        return tuple(tuple(line) for line in self._lineups[0].tolist())

    @property
    def lineup(self) -> Ints:
        """Number of the line-up of each game [G], whatever the order of the seats."""
        return self._lineups[1]

    @cached_property
    def _lineups(self) -> tuple[Rows, Ints]:
        base = len(self.names)
        power = base ** np.arange(self.players - 1, -1, -1)
        codes, which = np.unique(np.sort(self.seats, axis=1) @ power, return_inverse=True)
        return codes[:, None] // power % base, which

    def label(self, lineup: int) -> str:
        """A line-up in words, as `2 lowest, 1 uniform`."""
        return self.label_of(self.lineups[lineup])

    def label_of(self, line: tuple[int, ...]) -> str:
        """Sorted strategies in words."""
        return ", ".join(f"{line.count(one)} {self.names[one]}" for one in dict.fromkeys(line))

    def of_lineup(self, lineup: int) -> Matches:
        """The games of one line-up."""
        return self.where(self.lineup == lineup)

    def where(self, those: Bools) -> Matches:
        """Some of the games."""
        columns = (self.deal, self.seats, self.share, self.teams)
        return Matches(self.names, *(column[those] for column in columns))


def matches_of(run: Run, variant: str | None = None) -> Matches:
    """The games of all line-ups of a finished run of mode games.

    Parameters
    ----------
    run
        In its folder.
    variant
        Name of the set of rules; by default the first.

    Raises
    ------
    Mistake
        The file of the games is missing or damaged.
    """
    n = run.experiment.players
    columns = ("win_share", "entry")
    names = [f"{name}_{seat}" for name in columns for seat in range(n)]
    rows = games_of(run, ["deal", "start", *names], None)
    share, entry = (
        np.stack([rows[f"{column}_{seat}"] for seat in range(n)], axis=1) for column in columns
    )
    wanted = variant or run.experiment.variants[0].name
    cells = run.experiment.cells
    specs = list(dict.fromkeys(spec for _, lineup in cells for spec in lineup.strategies))
    seats, kept, done = np.zeros_like(entry), np.zeros(len(entry), np.bool_), 0
    for (rules, lineup), cell in zip(cells, run.cells, strict=True):
        part = slice(done, done := done + int(cell.totals["games"][0]))
        seats[part] = np.array([specs.index(spec) for spec in lineup.strategies])[entry[part]]
        kept[part] = rules.name == wanted
    labels = [catalog.label(spec) for spec in specs]
    called = labels if len(set(labels)) == len(specs) else specs
    return matches(called, rows["deal"][kept], rows["start"][kept], seats[kept], share[kept])


def matches(names: Sequence[str], deal: Rows, start: Rows, seats: Rows, share: Rows) -> Matches:
    """Games by seat, turned to places; teams are found by looking at who wins together.

    Parameters
    ----------
    names
        Of the strategies.
    deal, start
        [G] number of the deal and the seat that is place 0.
    seats, share
        [G, n] strategy, as index into `names`, and share of the win in 1/2520, by seat.
    """
    n = seats.shape[1]
    team = teams_of(share > 0)
    turned = (start[:, None] + np.arange(n)) % n
    at_place = np.take_along_axis(np.broadcast_to(team, seats.shape), turned, axis=1)
    return Matches(
        tuple(names),
        np.asarray(deal, np.int64),
        np.take_along_axis(seats, turned, axis=1).astype(np.int16),
        np.take_along_axis(share, turned, axis=1).astype(np.int16),
        _numbered(at_place) if len(set(team.tolist())) < n else np.broadcast_to(team, seats.shape),
    )


def teams_of(won: Bools) -> Ints:
    """Team of each seat [n]: the first seat that won in the same games, at least `LEAST_WINS`."""
    n = won.shape[1]
    team = np.arange(n)
    for later in range(n):
        for seat in range(later):
            wins = int(won[:, seat].sum())
            if wins >= LEAST_WINS and (won[:, seat] == won[:, later]).all():
                team[later] = seat
                break
    return team


def shares_of(winners: Bools, teams: Rows) -> Floats:
    """Share of the win of each place [..., n]: every team of the winners an equal part."""
    n = winners.shape[-1]
    members = (teams[..., :, None] == teams[..., None, :]).sum(axis=-1)
    weight = winners / members  # adds up to the number of teams that won
    total = weight.sum(axis=-1, keepdims=True)
    return np.asarray(
        np.divide(weight, total, out=np.zeros((*weight.shape[:-1], n)), where=total > 0)
    )


def _numbered(teams: Rows) -> Rows:
    """Teams by the first place that belongs to them [G, n]."""
    same = teams[:, :, None] == teams[:, None, :]
    return np.asarray(same.argmax(axis=2))
