"""A search played: all candidates screened, the best of them confirmed on fresh deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from analysis.criteria import Criterion, Measured, distribution, gap, mean, places
from analysis.fairness import Verdict
from analysis.moments import Floats, Moments
from analysis.questions import Measurement, Question, Search
from analysis.samples import by_strategy, curve, overall
from analysis.search import Candidate, Confirmation, Stage, Standing, confirm, measure
from analysis.winshares import games, positions, unit_of
from sim.experiment import Experiment
from sim.results import Cell, Run

Play = Callable[[Experiment], Run]


@dataclass(frozen=True, eq=False)
class Searched:
    """A search with its two stages and the verdict on the rule in use."""

    search: Search
    screening: Stage
    confirmation: Confirmation
    games: int
    hashes: tuple[str, ...]  # of the results of every run

    @property
    def verdict(self) -> Verdict:
        """FAIR if the rule in use is on the front, UNFAIR if it is beaten."""
        return {
            Standing.ON_THE_FRONT: Verdict.FAIR,
            Standing.BEATEN: Verdict.UNFAIR,
            Standing.INCONCLUSIVE: Verdict.INCONCLUSIVE,
        }[self.confirmation.verdict]


def searched(question: Question, search: Search, play: Play) -> Searched:
    """Play a search.

    All candidates get the same deals. Means are subtracted deal by deal; intervals of distances do
    as if each candidate had deals of its own, and are rather too wide.
    """
    lineups = [lineup.name for lineup in search.lineups[search.players]]
    runs: list[Run] = []

    def played(number: int, stage: int, names: Sequence[str], players: int) -> Run:
        runs.append(play(question.trial(search, number, stage, names, players)))
        return runs[-1]

    def measured(stage: Literal[0, 1], chosen: Sequence[Candidate]) -> tuple[Stage, list[Run]]:
        names = [one.name for one in chosen]
        targets: dict[tuple[int | None, str], Run] = {
            (players, lineups[number]): played(number, stage, [], players)
            for players, number in search.targets
        }
        every = [played(number, stage, names, search.players) for number in range(len(lineups))]
        by_name = dict(zip(lineups, every, strict=True))
        cells: dict[str, dict[str, Cell]] = {name: {} for name in names}
        for lineup, run in by_name.items():
            for cell in run.cells:
                cells[cell.variant][lineup] = cell
        criteria = [
            _criterion(question, one, by_name[one.lineup], targets.get((one.target, one.lineup)))
            for one in search.criteria
        ]
        kind: Literal["screening", "confirmation"] = "confirmation" if stage else "screening"
        return measure(kind, criteria, chosen, search.reference, cells), every

    screening, _ = measured(0, search.candidates)
    finalists = screening.finalists(search.nearest, search.always)
    stage, every = measured(1, finalists)
    paired: dict[tuple[str, str], Moments] = {}
    for one in search.criteria:
        if one.is_mean:
            values = _values(one, every[lineups.index(one.lineup)])
            at = stage.reference
            for row, finalist in enumerate(finalists):
                both = np.column_stack([values[at], values[row]])
                if row != at:
                    paired[finalist.name, one.name] = Moments.from_values(both)
    return Searched(
        search,
        screening,
        confirm(stage, paired),
        sum(games(cell) for run in runs for cell in run.cells),
        tuple(str(run.manifest["sha256"]) for run in runs),
    )


def _criterion(question: Question, one: Measurement, run: Run, target: Run | None) -> Criterion:
    """How a criterion is measured in the cells of a stage.

    Where it is about a whole distribution, `run` and `target` have kept their games.
    """
    game, whole = question.game, dict[str, Measured]()
    if one.of == "distribution":
        assert target is not None
        theirs = curve(target, one.estimand)
        for at, cell in enumerate(run.cells):  # one by one: a curve takes a megabyte
            own = curve(run, one.estimand, at)
            whole[cell.variant] = distribution(own, theirs, games(cell))

    def measured(cells: Mapping[str, Cell]) -> Measured:
        cell = cells[one.lineup]
        if one.of == "places":
            return places(cell, game, one.estimand)
        if one.of == "gap":
            return gap(cell, game, one.estimand)
        if one.of == "mean":
            return mean(cell, game, one.estimand, target.cells[0] if target else None)
        return whole[cell.variant]

    unit = unit_of(game, one.estimand)
    is_effect = one.of != "mean" or one.target is not None
    return Criterion(
        one.name, one.title, one.goal, one.margin, one.is_rate, measured, unit, is_effect
    )


def _values(one: Measurement, run: Run) -> list[Floats]:
    """What a criterion measures in every deal [deals], for each candidate of the run."""
    if one.of == "mean":
        return [overall(run, one.estimand, at)[:, 0] for at in range(len(run.cells))]
    found = []
    for at, cell in enumerate(run.cells):
        rungs, values = positions(cell, "strategy"), by_strategy(run, one.estimand, at)
        best, last = (values[:, list(rung.members)].mean(axis=1) for rung in (rungs[0], rungs[-1]))
        found.append(np.asarray(best - last))
    return found
