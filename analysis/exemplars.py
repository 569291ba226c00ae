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
from sim.results import Rows
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
    """A game for the first claim of either kind, where the rule finds one.

    Of a ladder between numbers of players none: no two games of it have the same cards.
    """
    found = []
    for kind, form in (("places", _of_places), ("ladder", _of_ladder)):
        claims = [
            one
            for one in answer.claims
            if one.claim.kind == kind
            and (kind == "places" or len({each.players for each in one.claim.settings}) == 1)
        ]
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
    played = [answer.played[setting].runs[0] for setting in settings]
    n = played[0].experiment.players
    names = [f"{name}_{seat}" for name in ("won", "entry") for seat in range(n)]
    tables = [np.stack(list(games_of(run, names).values()), axis=1) for run in played]
    won, entry = ([table[:, part].reshape(-1, n, n) for table in tables] for part in _halves(n))
    best = [
        ((w * (e == 0)).sum(axis=2) > 0, (w.sum(axis=2) == 1))
        for w, e in zip(won, entry, strict=True)
    ]
    all_here = (best[0][0] & best[0][1]).all(axis=1)
    at = np.flatnonzero(all_here & ~best[1][0].any(axis=1))
    if not at.size:
        return None
    deal = int(at[0])
    strategies = played[0].experiment.lineups[0].labels
    labels = tuple(tuple(strategies[i] for i in line) for line in entry[0][deal].tolist())
    return Exemplar(one, case, "gap", played[0].experiment, deal, _seats(won[0][deal]), labels)


def _halves(n: int) -> tuple[slice, slice]:
    return slice(0, n), slice(n, 2 * n)


def _seats(won: Rows) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(np.flatnonzero(line).tolist()) for line in won)
