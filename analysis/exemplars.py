"""A game worth reading for a claim, chosen by a rule that is laid down and not by taste.

places
    The first deal of the decisive setting in which the hands were turned and all games have one
    winner alone: if the verdict is FAIR, the same hand wherever it sits; else the same place
    whatever it holds.
ladder
    The first deal of the decisive case, with the same cards in both settings, in which the best
    strategy of the line-up wins alone from every seat in one setting and from no seat in the other;
    in the first where its gap is larger.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from analysis.balance import Answer, Answered
from analysis.cases import Case
from analysis.fairness import Verdict
from sim import catalog
from sim.experiment import Experiment
from sim.results import Rows, Run
from sim.store import games_of

MOST_DEALS = 2_000  # that are looked through


@dataclass(frozen=True)
class Exemplar:
    """A game to be read, and what happened in all games of its deal."""

    answered: Answered
    case: Case
    rule: str  # hand, place or gap: which rule of this module chose it
    experiment: Experiment
    deal: int
    winners: tuple[tuple[int, ...], ...]  # seats that won, of every rotation
    labels: tuple[tuple[str, ...], ...]  # what tells the seats apart: hand or place from 0, or name


def exemplars(answer: Answer) -> list[Exemplar]:
    """A game for the first claim of either kind, where the rule finds one."""
    found = []
    for kind, form in (("places", _of_places), ("ladder", _of_ladder)):
        claims = [one for one in answer.claims if one.claim.kind == kind]
        game = form(answer, claims[0]) if claims else None
        if game:
            found.append(game)
    return found


def _of_places(answer: Answer, one: Answered) -> Exemplar | None:
    cases = [case for case in one.cases if case.setting.rotate == "hands"]
    if not cases:
        return None
    case = one.decisive if one.decisive in cases else max(cases, key=lambda case: case.size)
    experiment = answer.question.experiment(case.setting)
    n = experiment.players
    table = catalog.lay_table(experiment.seating(0))
    last = min(MOST_DEALS, experiment.deals)
    rows = table.play(0, last, keep_rows=True).rows
    assert rows is not None, "what was played once plays again"
    won = rows["outcome"]["won"][:, :n].reshape(last, n, n)  # deal, rotation, seat
    start = rows["outcome"]["start"].reshape(last, n, 1)
    places = (np.arange(n) - start) % n
    hands = (places - np.arange(n)[None, :, None]) % n
    rule, labels = ("hand", hands) if one.verdict == Verdict.FAIR else ("place", places)
    alone = (won.sum(axis=2) == 1).all(axis=1)
    winner = (labels * won).sum(axis=2)
    at = np.flatnonzero(alone & (winner == winner[:, :1]).all(axis=1))
    if not at.size:
        return None
    words = tuple(tuple(map(str, line)) for line in labels[at[0]].tolist())
    return Exemplar(one, case, rule, experiment, int(at[0]), _seats(won[at[0]]), words)


def _of_ladder(answer: Answer, one: Answered) -> Exemplar | None:
    case = one.decisive
    assert case.against is not None
    settings = [case.setting, case.against]
    if case.finding.contrasts.estimate[0] < 0:
        settings.reverse()
    here, there = (answer.played[setting].runs[0] for setting in settings)
    (won, entry), (won_there, entry_there) = _winners(here), _winners(there)
    is_alone = (won * (entry == 0)).any(axis=2) & (won.sum(axis=2) == 1)
    is_best_there = (won_there * (entry_there == 0)).any(axis=2)
    at = np.flatnonzero(is_alone.all(axis=1) & ~is_best_there.any(axis=1))
    if not at.size:
        return None
    deal = int(at[0])
    strategies = here.experiment.lineups[0].labels
    labels = tuple(tuple(strategies[i] for i in line) for line in entry[deal].tolist())
    return Exemplar(one, case, "gap", here.experiment, deal, _seats(won[deal]), labels)


def _winners(run: Run) -> tuple[Rows, Rows]:
    """Whether each seat won, and its entry in the line-up, each [deals, rotations, seats]."""
    n = run.experiment.players
    columns = games_of(run, [f"{name}_{seat}" for name in ("won", "entry") for seat in range(n)])
    table = np.stack(list(columns.values()), axis=1)
    return table[:, :n].reshape(-1, n, n), table[:, n:].reshape(-1, n, n)


def _seats(won: Rows) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(np.flatnonzero(line).tolist()) for line in won)
