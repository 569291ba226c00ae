"""Answers to balance questions: play the settings, compare what is claimed, judge by families.

The head hands in `play`, so that this knows nothing of folders and workers. A setting is played in
one block, or, where a precision is asked for, in blocks between the looks of `Precision`; a block
has deals of its own, so the sums of all add up. Settings are independent: their variances add.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, pairwise

import numpy as np

from analysis.contrasts import Contrasts, contrasts
from analysis.fairness import Finding, Verdict, judge, with_holm
from analysis.moments import Floats, Moments
from analysis.power import contrast_variance, games_to_notice
from analysis.questions import Claim, Question, Setting
from analysis.sequential import Precision
from analysis.winshares import (
    GAME_RATES,
    estimate,
    games,
    n_seats,
    positions,
)
from sim.core.game import Game, Measure
from sim.experiment import Experiment
from sim.results import Cell, Run, Totals

MOST_GAMES = 50_000_000  # beyond which one has to insist

Play = Callable[[Experiment], Run]


@dataclass(frozen=True)
class Pair:
    """Two things that are compared: places from 0, strategies, or '' for whole settings."""

    first: str
    second: str


@dataclass(frozen=True, eq=False)
class Case:
    """A claim in one setting, or in one against the first, with its verdict."""

    setting: Setting
    against: Setting | None
    finding: Finding
    pairs: tuple[Pair, ...]
    games: int
    notice: tuple[int | None, ...]  # games a family would need for each pair, rather too many
    values: tuple[tuple[float, float], ...]  # what each pair subtracts

    @property
    def half_width(self) -> Floats | None:
        """Half widths of 95 % intervals that hold together in this case."""
        found = self.finding
        return found.contrasts.half_width(found.level, planned=found.planned)

    @property
    def largest(self) -> int:
        """Number of the pair that differs most."""
        return int(np.argmax(abs(self.finding.contrasts.estimate)))


@dataclass(frozen=True, eq=False)
class Answered:
    """A claim with its cases."""

    claim: Claim
    cases: tuple[Case, ...]

    @property
    def verdict(self) -> Verdict:
        """FAIR if all cases are, UNFAIR if one is."""
        found = {case.finding.verdict for case in self.cases}
        if Verdict.UNFAIR in found:
            return Verdict.UNFAIR
        return Verdict.FAIR if found == {Verdict.FAIR} else Verdict.INCONCLUSIVE

    @property
    def decisive(self) -> Case:
        """The case that carries the verdict: of those with it, the one that differs most."""
        those = [case for case in self.cases if case.finding.verdict == self.verdict]
        return max(those, key=lambda c: abs(c.finding.contrasts.estimate[c.largest]))


@dataclass(frozen=True, eq=False)
class Answer:
    """A question with the verdicts of all its claims."""

    question: Question
    precision: float | None  # as a share; None with a fixed number of deals
    claims: tuple[Answered, ...]
    cells: dict[Setting, Cell]
    hashes: tuple[str, ...]  # of the results of every run

    @property
    def games(self) -> int:
        """Games in all."""
        return sum(games(cell) for cell in self.cells.values())


def games_planned(question: Question, half_width: float | None) -> int:
    """Games that it takes in all, if the guess of the spread is right."""
    if half_width is None:
        return question.games
    total = 0
    for setting in question.settings:
        deals = setting.deals
        for claim in question.claims:
            if claim.is_rate and setting in claim.settings:
                deals = max(deals, _plan(claim, half_width).planned)
        total += question.experiment(setting, deals).games
    return total


def answer(question: Question, play: Play, half_width: float | None = None) -> Answer:
    """Play what a question asks for and judge its claims.

    Parameters
    ----------
    play
        Plays an experiment and returns the finished run.
    half_width
        Play claims about shares of the games until their intervals are within ± this share, by
        looks that are fixed before (`Precision`); else the deals that the question names.
    """
    table = _Table(question, play)
    found = [(claim, _until(claim, table, half_width)) for claim in question.claims]
    judged = {
        id(case): finding
        for family in question.families
        for case, finding in _judged(
            [c for claim, cs in found for c in cs if claim.family == family]
        )
    }
    claims = tuple(
        Answered(claim, tuple(replace(case, finding=judged[id(case)]) for case in cases))
        for claim, cases in found
    )
    return Answer(question, half_width, claims, table.cells, tuple(table.hashes))


class _Table:
    """What has been played of every setting."""

    def __init__(self, question: Question, play: Play) -> None:
        self.question, self.play = question, play
        self.cells: dict[Setting, Cell] = {}
        self.blocks: dict[Setting, int] = {}
        self.hashes: list[str] = []

    def cell(self, setting: Setting, deals: int) -> Cell:
        """The results of a setting on at least so many deals."""
        have = self.cells.get(setting)
        missing = deals - (int(have.totals["deals"][0]) if have else 0)
        if have is None or missing > 0:
            block = self.blocks.get(setting, 0)
            run = self.play(self.question.experiment(setting, missing, block))
            self.hashes.append(str(run.manifest["sha256"]))
            (cell,) = run.cells
            totals = _added(have.totals, cell.totals) if have else cell.totals
            self.cells[setting] = have = replace(cell, totals=totals)
            self.blocks[setting] = block + 1
        return have


def _added(some: Totals, more: Totals) -> Totals:
    return {name: array + more[name] for name, array in some.items()}


def _until(claim: Claim, table: _Table, half_width: float | None) -> list[Case]:
    """The cases of a claim, after its deals or after as many looks as the precision takes.

    A claim that is no share keeps its deals; as it may share a setting with one that is looked at,
    its intervals are always-valid too.
    """
    deals = claim.settings[0].deals
    if half_width is None or not claim.is_rate:
        return _cases(claim, table, deals, None if half_width is None else deals)
    plan, cases = _plan(claim, half_width), []
    for deals in plan.looks():
        cases = _cases(claim, table, deals, plan.planned)
        if all(plan.is_met(case.finding.contrasts) for case in cases):
            break
    return cases


def _plan(claim: Claim, half_width: float) -> Precision:
    """How a precision is reached; all contrasts of a case share the error."""
    first = claim.settings[0]
    n = {"places": first.players * (first.players - 1) // 2, "ladder": first.players - 1}
    return Precision(half_width, n.get(claim.kind, 1))


def _cases(claim: Claim, table: _Table, deals: int, planned: int | None) -> list[Case]:
    game = table.question.game
    if claim.kind == "places":
        return [_places(claim, s, table.cell(s, deals), game, planned) for s in claim.settings]
    first, *others = claim.settings
    base = table.cell(first, deals)
    form = _ladder if claim.kind == "ladder" else _comparison
    return [
        form(claim, (setting, first), (table.cell(setting, deals), base), game, planned)
        for setting in others
    ]


def _places(claim: Claim, setting: Setting, cell: Cell, game: Game, planned: int | None) -> Case:
    """All pairs of places of one setting."""
    moments = Moments.from_cell(cell, game, "place", claim.estimand)
    places = list(combinations(range(n_seats(cell)), 2))
    values = tuple((float(moments.mean[a]), float(moments.mean[b])) for a, b in places)
    variances = [_of_difference(cell, game, claim, *pair) for pair in values]
    return _case(
        claim,
        (setting, None),
        contrasts(moments, span=1.0 if claim.is_rate else None),
        tuple(Pair(str(a), str(b)) for a, b in places),
        games(cell),
        variances,
        values,
        planned,
    )


def _ladder(
    claim: Claim,
    settings: tuple[Setting, Setting],
    cells: tuple[Cell, Cell],
    game: Game,
    planned: int | None,
) -> Case:
    """Gaps between neighbours of the line-up, less those of the first setting."""
    rungs = positions(cells[0], "strategy")
    weights = np.zeros((len(rungs) - 1, n_seats(cells[0])))
    for line, (above, below) in zip(weights, pairwise(rungs), strict=True):
        line[list(above.members)] = 1 / len(above.members)
        line[list(below.members)] = -1 / len(below.members)
    here, there = (
        Moments.from_cell(cell, game, "strategy", claim.estimand).combined(weights)
        for cell in cells
    )
    variances = []
    for above, below in pairwise(rungs):
        both = 0.0
        for cell in cells:
            means = (
                estimate(cell, game, "strategy", claim.estimand, rung.members).mean
                for rung in (above, below)
            )
            both += _of_difference(cell, game, claim, *means)
        variances.append(both)
    return _case(
        claim,
        settings,
        _apart(here, there, 2.0 if claim.is_rate else None),
        tuple(Pair(a.label, b.label) for a, b in pairwise(rungs)),
        sum(map(games, cells)),
        variances,
        tuple(zip(map(float, here.mean), map(float, there.mean), strict=True)),
        planned,
    )


def _comparison(
    claim: Claim,
    settings: tuple[Setting, Setting],
    cells: tuple[Cell, Cell],
    game: Game,
    planned: int | None,
) -> Case:
    """Mean of a column of a seat or a game, less that of the first setting."""
    here, there = (Moments.of_mean(cell, game, claim.estimand) for cell in cells)
    return _case(
        claim,
        settings,
        _apart(here, there, 1.0 if claim.is_rate else None),
        (Pair("", ""),),
        sum(map(games, cells)),
        [sum(_variance(cell, game, claim.estimand) for cell in cells)],
        ((float(here.mean[0]), float(there.mean[0])),),
        planned,
    )


def _apart(here: Moments, there: Moments, span: float | None) -> Contrasts:
    """Differences of the columns of two settings; `span` is the length of their range."""
    columns = np.eye(len(here.mean))
    return contrasts(here, columns, span=span).minus(contrasts(there, columns, span=span))


def _case(
    claim: Claim,
    settings: tuple[Setting, Setting | None],
    found: Contrasts,
    pairs: tuple[Pair, ...],
    played: int,
    variances: Sequence[float],
    values: tuple[tuple[float, float], ...],
    planned: int | None,
) -> Case:
    notice = tuple(
        games_to_notice(float(effect), variance)
        for effect, variance in zip(found.estimate, variances, strict=True)
    )
    finding = judge(found, claim.margin, planned=planned)
    return Case(*settings, finding, pairs, played, notice, values)


def _judged(cases: Sequence[Case]) -> list[tuple[Case, Finding]]:
    """The cases of a family with Holm's verdicts."""
    return list(zip(cases, with_holm([case.finding for case in cases]), strict=True))


def _of_difference(cell: Cell, game: Game, claim: Claim, first: float, second: float) -> float:
    """Variance a game of the difference of two seats.

    For win shares as in `contrast_variance`. Else from the spread of one seat, as if what one
    gains all others lose, which on average over the pairs is an upper bound.
    """
    if claim.estimand in ("win_share", "won"):
        return contrast_variance(first, second)
    n = n_seats(cell)
    return 2 * _variance(cell, game, claim.estimand) * n / (n - 1)


def _variance(cell: Cell, game: Game, column: str) -> float:
    """Variance of a column in one game, of one seat if it is a column of seats; at most."""
    if column in (*GAME_RATES, "win_share", "won"):
        mean = float(Moments.of_mean(cell, game, column).mean[0])
        return mean * (1 - mean)
    counts = np.atleast_2d(cell.totals[f"histogram/{column}"]).sum(axis=0)
    values = np.arange(len(counts))
    share = counts / counts.sum()
    return float((share * values**2).sum() - (share * values).sum() ** 2)


def measure_of(game: Game, column: str) -> Measure | None:
    """What the game says about a column; None for those that all games have."""
    own = [*game.measures, *([game.score] if game.score else [])]
    return next((measure for measure in own if measure.name == column), None)
