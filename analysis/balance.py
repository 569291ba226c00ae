"""Answers to balance questions: play the settings, compare what is claimed, judge by families.

The head hands in `play` and `keep`, so that this knows nothing of folders and workers. A setting is
played in one block, or, where a precision is asked for, in blocks between the looks of `Precision`;
a block has deals of its own, so the sums of all add up. Settings that are compared play the same
deals.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from analysis.cases import Case, Kept, Played, comparison, hands, places, value
from analysis.counterfactuals import Searched, searched
from analysis.fairness import Finding, Verdict, with_holm
from analysis.questions import Claim, Question, Setting
from analysis.sequential import Precision
from analysis.winshares import deals as n_deals
from analysis.winshares import games
from sim.experiment import Experiment
from sim.provenance import fingerprint
from sim.redraws import Hands, redrawn
from sim.results import Cell, Run, added

MOST_GAMES = 100_000_000  # beyond which one has to insist

Play = Callable[[Experiment], Run]
Keep = Callable[[Experiment, int, str], Hands]  # redraws of every hand, column that is counted


def together(verdicts: Iterable[Verdict]) -> Verdict:
    """FAIR if all are, UNFAIR if one is."""
    found = set(verdicts)
    if Verdict.UNFAIR in found:
        return Verdict.UNFAIR
    return Verdict.FAIR if found == {Verdict.FAIR} else Verdict.INCONCLUSIVE


@dataclass(frozen=True, eq=False)
class Answered:
    """A claim with its cases."""

    claim: Claim
    cases: tuple[Case, ...]

    @property
    def verdict(self) -> Verdict:
        """FAIR if all cases are, UNFAIR if one is."""
        return together(case.finding.verdict for case in self.cases)

    @property
    def side(self) -> int:
        """Of kind value: 1 if what is beyond the margin is more than the value, -1 if less.

        0 if some is more and some less, or nothing is beyond.
        """
        sides = {
            1 if case.signed > 0 else -1
            for case in self.cases
            if case.finding.verdict == Verdict.UNFAIR and self.claim.kind == "value"
        }
        return sides.pop() if len(sides) == 1 else 0

    @property
    def ends(self) -> tuple[Case, Case]:
        """The cases that differ least and most, of each line-up the one that differs most.

        Differences of means and from a value have a sign, and the least is the lowest.
        """
        most = [
            max(
                (case for case in self.cases if case.setting.lineup.name == name),
                key=lambda case: case.size,
            )
            for name in self.claim.lineups
        ]
        most.sort(key=lambda case: case.signed if self.claim.is_signed else case.size)
        return most[0], most[-1]

    @property
    def decisive(self) -> Case:
        """The case that carries the verdict: of those with it, the one that differs most."""
        those = [case for case in self.cases if case.finding.verdict == self.verdict]
        return max(those, key=lambda case: case.size)


@dataclass(frozen=True)
class Made:
    """How the games of all runs were made, those of searches too, and how they ended."""

    games: int
    unfinished: int  # of these games: stopped by a cap on the length
    sources: str  # fingerprint of all files that the results depend on
    versions: tuple[tuple[str, str], ...]  # of Python and of every library

    @classmethod
    def of(cls, runs: Sequence[Run]) -> Made:
        """What the manifests and the sums of runs say."""
        ended = [
            (cell, run.game.game_columns.index("unfinished")) for run in runs for cell in run.cells
        ]
        manifests = [run.manifest for run in runs]
        sources = dict(pair for one in manifests for pair in one.get("sources", {}).items())
        versions = [pair for one in manifests for pair in one.get("versions", {}).items()]
        return cls(
            sum(games(cell) for cell, _ in ended),
            sum(int(cell.totals["game_sum"][at]) for cell, at in ended),
            fingerprint(sources) if sources else "",
            tuple(dict.fromkeys(versions)),
        )


@dataclass(frozen=True, eq=False)
class Answer:
    """A question with the verdicts of all its claims."""

    question: Question
    precision: float | None  # as a share; None with a fixed number of deals
    claims: tuple[Answered, ...]
    searches: tuple[Searched, ...]
    played: dict[Setting, Played]
    kept: dict[Setting, Kept]
    hashes: tuple[str, ...]  # of the results of every run
    made: Made

    @property
    def cells(self) -> dict[Setting, Cell]:
        """Sums of every setting."""
        return {setting: played.cell for setting, played in self.played.items()}

    def of_family(self, name: str) -> list[Answered]:
        """The claims of a family."""
        return [one for one in self.claims if one.claim.family == name]

    def searches_of(self, name: str) -> list[Searched]:
        """The searches of a family."""
        return [one for one in self.searches if one.search.family == name]

    def verdict(self, name: str) -> Verdict:
        """The verdict of a family."""
        verdicts = [one.verdict for one in self.of_family(name)]
        return together([*verdicts, *(one.verdict for one in self.searches_of(name))])

    def side(self, name: str) -> int:
        """Of a family with claims of kind value: the side of those beyond the margin, 0 if both."""
        sides = {one.side for one in self.of_family(name) if one.verdict == Verdict.UNFAIR}
        return sides.pop() if len(sides) == 1 else 0

    @property
    def games(self) -> int:
        """Games in all."""
        kept = sum(one.values.size for one in self.kept.values())
        searched = sum(one.games for one in self.searches)
        return sum(games(cell) for cell in self.cells.values()) + kept + searched


def headline(question: Question) -> list[Claim]:
    """The claims whose intervals a precision is about: those of the first family, if shares."""
    first = next(iter(question.families))
    return [
        claim
        for claim in question.claims
        if claim.family == first and claim.is_rate and claim.kind != "hands"
    ]


def games_planned(question: Question, half_width: float | None) -> int:
    """Games that it takes in all, if the guess of the spread is right."""
    total = question.games
    if half_width is None:
        return total
    planned = {
        setting: _plan(claim, half_width).planned
        for claim in headline(question)
        for setting in question.together(claim)
    }
    for setting, deals in planned.items():
        total += question.experiment(setting, deals).games - question.experiment(setting).games
    return total


def answer(
    question: Question, play: Play, half_width: float | None = None, keep: Keep = redrawn
) -> Answer:
    """Play what a question asks for and judge its claims.

    Parameters
    ----------
    play
        Plays an experiment and returns the finished run.
    half_width
        Play the claims of the headline until their intervals are within ± this share, by looks that
        are fixed before (`Precision`); all else on the deals that the question names.
    keep
        Plays on from the hands of an experiment.
    """
    runs: list[Run] = []

    def played(experiment: Experiment) -> Run:
        runs.append(play(experiment))
        return runs[-1]

    table = _Table(question, played, keep)
    looked_at = headline(question) if half_width is not None else []
    stopped = {setting for claim in looked_at for setting in question.together(claim)}
    cases = [
        (
            claim,
            _until(claim, table, half_width or 1.0)
            if claim in looked_at
            else _cases(claim, table, not stopped.isdisjoint(claim.settings)),
        )
        for claim in sorted(question.claims, key=lambda claim: claim not in looked_at)
    ]
    cases.sort(key=lambda one: question.claims.index(one[0]))
    judged = {
        id(case): finding
        for family in question.families
        for case, finding in _judged(
            [case for claim, every in cases for case in every if claim.family == family]
        )
    }
    claims = tuple(
        Answered(claim, tuple(replace(case, finding=judged[id(case)]) for case in every))
        for claim, every in cases
    )
    searches = tuple(searched(question, search, played) for search in question.searches)
    hashes = [*table.hashes, *(one for found in searches for one in found.hashes)]
    return Answer(
        question,
        half_width,
        claims,
        searches,
        table.played,
        table.kept,
        tuple(hashes),
        Made.of(runs),
    )


class _Table:
    """What has been played of every setting."""

    def __init__(self, question: Question, play: Play, keep: Keep) -> None:
        self.question, self.play, self.redrawn = question, play, keep
        self.played: dict[Setting, Played] = {}
        self.kept: dict[Setting, Kept] = {}
        self.hashes: list[str] = []

    def keep(self, claim: Claim) -> None:
        """Keep the hands of the settings of a claim and redraw all else; takes seconds."""
        for setting in claim.settings:
            if setting in self.kept:
                continue
            experiment = self.question.experiment(setting)
            found = self.redrawn(experiment, setting.redraws, claim.estimand)
            self.kept[setting] = Kept(setting, found.values, found.traits)
            self.hashes.append(found.sha256)

    def extend(self, claim: Claim, deals: int | None) -> None:
        """Play the settings of a claim on at least so many deals, or on as many as the file says.

        Settings that are compared, by this claim or by another, get the same blocks of deals.
        """
        for setting in self.question.together(claim):
            before = self.played.get(setting)
            missing = (deals or setting.deals) - (n_deals(before.cell) if before else 0)
            if missing <= 0:
                continue
            blocks = before.runs if before else ()
            run = self.play(self.question.experiment(setting, missing, len(blocks)))
            self.hashes.append(str(run.manifest["sha256"]))
            (cell,) = run.cells
            if before:
                cell = replace(cell, totals=added(before.cell.totals, cell.totals))
            self.played[setting] = Played(setting, (*blocks, run), cell)


def _until(claim: Claim, table: _Table, half_width: float) -> list[Case]:
    """The cases of a claim after as many looks as the precision takes."""
    plan, cases = _plan(claim, half_width), []
    for deals in plan.looks():
        table.extend(claim, deals)
        cases = _compared(claim, table, plan.planned)
        if all(case.finding.contrasts.meets(plan) for case in cases):
            break
    return cases


def _plan(claim: Claim, half_width: float) -> Precision:
    """How a precision is reached; all contrasts of a case share the error."""
    first = claim.settings[0]
    gaps = first.players - 1
    n = {"places": first.players * gaps // 2, "ladder": gaps, "value": gaps}
    return Precision(half_width, n.get(claim.kind, 1))


def _cases(claim: Claim, table: _Table, is_stopped: bool) -> list[Case]:
    """The cases of a claim after the deals that the question names.

    Where it shares deals with one that was looked at, their number is a matter of chance: then its
    intervals are always-valid too.
    """
    if claim.kind == "hands":
        table.keep(claim)
        kept = table.kept
        return [hands(claim, kept[here], kept[there]) for here, there in claim.cases if there]
    table.extend(claim, None)
    return _compared(claim, table, claim.settings[0].deals if is_stopped else None)


def _compared(claim: Claim, table: _Table, planned: int | None) -> list[Case]:
    game, played = table.question.game, table.played
    single = value if claim.kind == "value" else places
    return [
        comparison(claim, played[here], played[there], game, planned)
        if there
        else single(claim, played[here], game, planned)
        for here, there in claim.cases
    ]


def _judged(cases: Sequence[Case]) -> list[tuple[Case, Finding]]:
    """The cases of a family with Holm's verdicts."""
    return list(zip(cases, with_holm([case.finding for case in cases]), strict=True))
