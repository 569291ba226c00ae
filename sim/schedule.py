"""Cut an experiment into chunks: ranges of deals of one cell that are still to be played."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from math import ceil

from sim.experiment import Experiment

Interval = tuple[int, int]  # deals first..last-1

FIRST_GAMES = 400  # of a chunk while nothing is known of its speed
SHORTEST = 0.02  # seconds that a chunk should take at least, or calling costs more than playing
LONGEST = 3.0


@dataclass(frozen=True, order=True)
class Chunk:
    """The deals first..last-1 of a cell, with all rotations; in the order of cells and deals."""

    cell: int
    first: int
    last: int


class Schedule:
    """Chunks in order, each as long as the speed seen so far makes good.

    Results do not depend on the sizes. `aim` is the seconds a chunk should take; in a run of
    hours chunks become longer, so that their number stays in bounds.
    """

    def __init__(
        self,
        experiment: Experiment,
        done: Mapping[int, Iterable[Interval]] | None = None,
        *,
        jobs: int = 1,
        aim: float = 0.3,
    ) -> None:
        self.rotations = [experiment.rotations(lineup) for _, lineup in experiment.cells]
        done = done or {}
        self.gaps = [gaps(done.get(i, ()), experiment.deals) for i in range(len(self.rotations))]
        self.jobs, self.aim = jobs, aim
        self.played = 0.0  # seconds of all workers
        self._rates: dict[int, float] = {}  # games a second of the cells
        self._alike: dict[int, float] = {}  # of the line-ups, in whatever variant
        self._n_lineups = len(experiment.lineups)

    @property
    def games_left(self) -> int:
        """Games that are not yet handed out."""
        return sum(
            (last - first) * rotations
            for rotations, missing in zip(self.rotations, self.gaps, strict=True)
            for first, last in missing
        )

    def learn(self, chunk: Chunk, seconds: float) -> None:
        """Take note of how long a chunk took."""
        self.played += seconds
        games = (chunk.last - chunk.first) * self.rotations[chunk.cell]
        rate = games / max(seconds, 1e-6)
        self._rates[chunk.cell] = self._alike[chunk.cell % self._n_lineups] = rate

    def __iter__(self) -> Iterator[Chunk]:
        for cell, missing in enumerate(self.gaps):
            while missing:
                first, last = missing[0]
                end = min(last, first + self._deals(cell))
                missing[:1] = [(end, last)] if end < last else []
                yield Chunk(cell, first, end)

    def _deals(self, cell: int) -> int:
        rate = self._rates.get(cell, self._alike.get(cell % self._n_lineups))
        if rate is None:
            return ceil(FIRST_GAMES / self.rotations[cell])
        aim = min(max(self.aim, self.played / self.jobs / 600), LONGEST)
        share = self.games_left / (2 * self.jobs)  # small at the end: all workers end together
        return ceil(max(min(rate * aim, share), rate * SHORTEST) / self.rotations[cell])


def gaps(done: Iterable[Interval], deals: int) -> list[Interval]:
    """Ranges of the deals 0..deals-1 that none of `done` covers, in order."""
    missing, at = [], 0
    for first, last in sorted(done):
        if first > at:
            missing.append((at, first))
        at = max(at, last)
    if at < deals:
        missing.append((at, deals))
    return missing
