"""A search played: all candidates screened, the best of them confirmed on fresh deals."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from analysis.criteria import Criterion, Measure, distribution, gap, mean, places
from analysis.fairness import Verdict
from analysis.moments import Floats, Moments
from analysis.questions import Measurement, Question, Search
from analysis.samples import by_strategy, overall
from analysis.search import Candidate, Confirmation, Stage, Standing, confirm, measure
from analysis.winshares import games, positions
from sim.experiment import Experiment
from sim.results import Cell, Run

Play = Callable[[Experiment], Run]
Cells = dict[str, Cell]  # by name of line-up


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

    Screening takes the same deals for all candidates, and its intervals do as if each had its own:
    they are rather too wide. Confirmation subtracts means deal by deal.
    """
    players, runs = search.players, list[Run]()

    def cells(experiment: Experiment) -> dict[str, Cells]:
        run = play(experiment)
        runs.append(run)
        found: dict[str, Cells] = {}
        for cell in run.cells:
            found.setdefault(cell.variant, {})[_name(search, cell)] = cell
        return found

    def targets(form: Callable[[int], Experiment]) -> dict[int, Cells]:
        asked = sorted({one.target for one in search.criteria if one.target})
        return {n: cells(form(n))[search.variant.name] for n in asked}

    screening = measure(
        "screening",
        _criteria(
            question, search, targets(lambda n: question.screening(search, n, is_target=True))
        ),
        search.candidates,
        search.reference,
        cells(question.screening(search, players, is_target=False)),
    )
    finalists = screening.finalists(search.nearest)
    of_target = targets(lambda n: question.confirmation(search, n, None))
    fresh: dict[str, Cells] = {}
    kept: dict[str, Run] = {}
    for one in finalists:
        fresh |= cells(question.confirmation(search, players, one.name))
        kept[one.name] = runs[-1]
    stage = measure(
        "confirmation",
        _criteria(question, search, of_target),
        finalists,
        search.reference,
        fresh,
    )
    confirmation = confirm(stage, _paired(search, finalists, kept))
    played = sum(games(cell) for run in runs for cell in run.cells)
    hashes = tuple(str(run.manifest["sha256"]) for run in runs)
    return Searched(search, screening, confirmation, played, hashes)


def _name(search: Search, cell: Cell) -> str:
    """The line-up of a cell as the file names it: with the players of the search."""
    for here, there in zip(
        search.lineups[search.players],
        search.lineups[int(cell.totals["sum"].shape[2])],
        strict=True,
    ):
        if there.name == cell.name:
            return here.name
    raise LookupError(cell.name)


def _criteria(question: Question, search: Search, targets: Mapping[int, Cells]) -> list[Criterion]:
    return [
        Criterion(
            one.name,
            one.title,
            one.goal,
            one.margin,
            one.is_rate,
            _measure(question, one, targets[one.target][one.lineup] if one.target else None),
        )
        for one in search.criteria
    ]


def _measure(question: Question, one: Measurement, target: Cell | None) -> Measure:
    game = question.game

    def measured(cells: Mapping[str, Cell]):  # type: ignore[no-untyped-def]
        cell = cells[one.lineup]
        if one.of == "places":
            return places(cell, game, one.estimand)
        if one.of == "gap":
            return gap(cell, game, one.estimand)
        if one.of == "mean":
            return mean(cell, game, one.estimand, target)
        assert target is not None
        return distribution(cell, game, one.estimand, target)

    return measured


def _paired(
    search: Search, finalists: tuple[Candidate, ...], kept: Mapping[str, Run]
) -> dict[tuple[str, str], Moments]:
    """Values of reference and finalist on common deals, for what is a mean as it is."""
    found = {}
    for one in search.criteria:
        if one.of == "gap" or (one.of == "mean" and one.target is None):
            values = {name: _values(search, one, run) for name, run in kept.items()}
            for finalist in finalists:
                if finalist.name != search.reference:
                    both = np.column_stack([values[search.reference], values[finalist.name]])
                    found[finalist.name, one.name] = Moments.from_values(both)
    return found


def _values(search: Search, one: Measurement, run: Run) -> Floats:
    """What a criterion measures, in every deal [deals]."""
    names = [lineup.name for lineup in search.lineups[search.players]]
    at = names.index(one.lineup)
    if one.of == "mean":
        return overall(run, one.estimand, at)[:, 0]
    rungs, values = positions(run.cells[at], "strategy"), by_strategy(run, one.estimand, at)
    first, last = (values[:, list(rung.members)].mean(axis=1) for rung in (rungs[0], rungs[-1]))
    return np.asarray(first - last)
