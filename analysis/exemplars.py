"""A game worth reading for a claim, chosen by a rule that is laid down and not by taste.

places
    Of the first deals of the decisive setting in which the hands were turned, the one in which the
    same hand is first alone in all games wherever it sits, or, unless the verdict is FAIR, the same
    place whatever it holds; of several the one with the widest lead. First is who has the most of
    `first_round`, where the game counts that: later rounds start elsewhere, so that a hand of them
    goes to other seats. Else it is who wins.
ladder
    The first deal of the decisive case, with the same cards in both settings, in which the best
    strategy of the line-up wins alone from every seat in one setting and from no seat in the other;
    in the first where its gap is larger.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from analysis.balance import Answer, Answered
from analysis.cases import Case
from analysis.fairness import Verdict
from sim import tables
from sim.experiment import Experiment, Seating
from sim.replay import blaming
from sim.results import Rows
from sim.store import games_of
from sim.workers import Workers

MOST_DEALS = 2_000  # that are looked through
FIRST_ROUND = "first_round"  # a game of several rounds has a measure of seats of this name


@dataclass(frozen=True)
class Exemplar:
    """A game to be read, and what happened in all games of its deal."""

    answered: Answered
    case: Case
    rule: str  # hand, place or gap: which rule of this module chose it
    experiment: Experiment
    deal: int
    firsts: tuple[tuple[int, ...], ...]  # seats that won or were first, of every rotation
    labels: tuple[tuple[str, ...], ...]  # what tells the seats apart: hand or place from 0, or name
    column: str = "won"  # in what they were first
    starts: tuple[int, ...] = ()  # of places: the seat that starts, of every rotation
    values: tuple[tuple[int, ...], ...] = ()  # and what each seat has of the column
    looked: int = 0  # and deals that were looked through
    others: tuple[tuple[str, ...], ...] = ()  # of a ladder: who won in the other setting


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
    last = min(MOST_DEALS, experiment.deals)
    with Workers(in_processes=experiment.has_foreign) as workers, blaming(experiment, 0):
        rows = workers.call(_rows, experiment.seating(0), last)
    assert rows is not None, "what was played once plays again"
    column = FIRST_ROUND if FIRST_ROUND in answer.question.game.seat_columns else "won"
    found = rows["outcome"][column][:, :n].astype(np.int64).reshape(last, n, n)
    start = rows["outcome"]["start"].reshape(last, n)  # of every deal and rotation
    places = (np.arange(n) - start[..., None]) % n
    hands = (places - np.arange(n)[None, :, None]) % n
    rule, labels = ("hand", hands) if one.verdict == Verdict.FAIR else ("place", places)
    ordered = np.sort(found, axis=2)
    lead = (ordered[..., -1] - ordered[..., -2]).min(axis=1)
    first = np.take_along_axis(labels, found.argmax(axis=2)[..., None], axis=2)[..., 0]
    lead[(first != first[:, :1]).any(axis=1)] = 0
    deal = int(lead.argmax())  # the first of several
    if not lead[deal]:
        return None
    values = found[deal]
    return Exemplar(
        one,
        case,
        rule,
        experiment,
        deal,
        _seats(values == values.max(axis=1, keepdims=True)),
        tuple(tuple(map(str, line)) for line in labels[deal].tolist()),
        column,
        tuple(start[deal].tolist()),
        tuple(map(tuple, values.tolist())),
        last,
    )


def _rows(slot: Any, seating: Seating, deals: int) -> Any:
    """The games of the first deals, played in any worker."""
    return tables.kept(seating).play(0, deals, keep_rows=True, progress=slot).rows


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
    labels, there = (
        tuple(tuple(strategies[i] for i in line) for line in each[deal].tolist()) for each in entry
    )
    others = tuple(
        tuple(line[seat] for seat in seats)
        for line, seats in zip(there, _seats(won[1][deal]), strict=True)
    )
    firsts = _seats(won[0][deal])
    return Exemplar(one, case, "gap", played[0].experiment, deal, firsts, labels, others=others)


def _halves(n: int) -> tuple[slice, slice]:
    return slice(0, n), slice(n, 2 * n)


def _seats(won: Rows) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(np.flatnonzero(line).tolist()) for line in won)
