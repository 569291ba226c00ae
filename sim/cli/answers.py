"""What `balance` shows: the list of questions, the checks, the verdicts as text and as JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from analysis import question_files
from analysis.balance import MOST_GAMES, Answer, answer, games_planned, headline
from analysis.intervals import Estimate
from analysis.question_files import shipped
from analysis.questions import Question
from analysis.search import Stage
from reports import balance as pages
from reports import index, searched, verdicts
from sim import __version__
from sim.errors import Mistake, reason

__all__ = [
    "answer",
    "as_object",
    "as_text",
    "asked",
    "listing",
    "shipped",
    "write_index",
    "write_page",
]


def listing(lang: str) -> list[str]:
    """A line for each question that ships."""
    return [f"{name}: {question_files.read(name).title.of(lang)}" for name in shipped()]


@dataclass(frozen=True)
class Asked:
    """A question as it was asked for."""

    what: str
    question: Question
    half_width: float | None  # precision as a share
    note: str = ""  # what is not done as asked


def asked(
    names: Sequence[str],
    flags: Mapping[str, str | None],
    precision: str | None,
    force: bool,
    problems: list[str],
    *,
    is_all: bool = False,
) -> list[Asked]:
    """The questions, with the half width that was asked for; or all problems at once.

    Where all are asked, one without a share of the games to be precise about is played as its file
    says, with a note.
    """
    half_width = None
    if precision is not None:
        is_number = re.fullmatch(r"\d*\.?\d+", precision.strip())
        points = float(precision) if is_number else 0.0
        if not (isfinite(points) and 0 < points < 100):
            allowed = "percentage points above 0 and below 100"
            problems.append(f"--precision: {precision!r} is not allowed; allowed: {allowed}")
        half_width = points / 100
    given = {key: value for key, value in flags.items() if value is not None}
    found = []
    for what in names:
        try:
            found.append(Asked(what, question_files.read(what, given), half_width))
        except Mistake as mistake:
            problems += mistake.problems
    if problems:
        raise Mistake(*dict.fromkeys(problems))
    for number, one in enumerate(found):
        if half_width is not None and not headline(one.question):
            why = (
                f"--precision: the first family of {one.what} makes no claim about a share of the "
                "games; "
            )
            if not is_all:
                problems.append(f"{why}give --deals")
                continue
            found[number] = one = Asked(one.what, one.question, None, f"{why}played as it stands")
        planned = games_planned(one.question, one.half_width)
        if planned > MOST_GAMES and not force:
            cause = "so many deals" if one.half_width is None else f"--precision {precision}"
            cause = f"{one.what}: {cause}"
            problems.append(
                f"{cause} would take about {planned:,} games, more than {MOST_GAMES:,}; "
                "give --force to play them"
            )
    if problems:
        raise Mistake(*problems)
    return found


def write_page(found: Answer, lang: str, folder: Path, command: str) -> Path:
    """Write the page into the folder."""
    path = folder / f"balance-{lang}.html"
    try:
        return pages.build(found, lang, path, command)
    except OSError as error:
        raise Mistake(f"{error.filename or path}: cannot be written: {reason(error)}") from None


def write_index(every: Mapping[str, Answer], lang: str, folder: Path, command: str) -> Path:
    """Write the page that leads to those of several answers, by the folder of each."""
    path = folder / f"index-{lang}.html"
    try:
        return index.build(every, lang, path, command)
    except OSError as error:
        raise Mistake(f"{error.filename or path}: cannot be written: {reason(error)}") from None


def as_text(found: Answer, lang: str, page: Path) -> str:
    """The headline and a sentence for each claim."""
    lines = [verdicts.headline(found, lang)]
    for name, family in found.question.families.items():
        lines += ["", family.title.of(lang)]
        colon = "：" if lang == "zh" else ": "
        for one in found.of_family(name):
            lines.append(
                f"  {one.claim.title.of(lang)}{colon}{verdicts.sentence(found, one, lang)}"
            )
        for search in found.searches_of(name):
            text = searched.sentence(search, lang)
            lines.append(f"  {search.search.title.of(lang)}{colon}{text}")
    return "\n".join([*lines, "", str(page)])


def _reference(stage: Stage) -> dict[str, Any]:
    """What the rule in use came to on every criterion; all intervals of a stage hold together."""
    ends = zip(*(end[stage.reference].tolist() for end in stage.intervals), strict=True)
    return {
        criterion.name: {
            "estimate": one.value,
            "low": low if isfinite(low) else None,
            "high": high if isfinite(high) else None,
            "deals": one.deals,
            "games": one.games,
        }
        for criterion, one, (low, high) in zip(
            stage.criteria, stage.measured[stage.reference], ends, strict=True
        )
    }


def as_object(found: Answer, page: Path) -> dict[str, Any]:
    """The answer as the object that `--json` prints; shares are between 0 and 1."""
    question = found.question
    return {
        "question": question.name,
        "game": question.game.name,
        "seed": question.seed,
        "precision": found.precision,
        "games": found.games,
        "version": __version__,
        "page": str(page),
        "claims": [
            {
                "name": one.claim.name,
                "kind": one.claim.kind,
                "family": one.claim.family,
                "estimand": one.claim.estimand,
                "margin": one.claim.margin,
                "value": one.claim.value if one.claim.kind == "value" else None,
                "verdict": str(one.verdict),
                "settings": [
                    {
                        "players": case.setting.players,
                        "variant": case.setting.variant.name,
                        "lineup": case.setting.lineup.name,
                        "against": case.against
                        and {
                            "players": case.against.players,
                            "variant": case.against.variant.name,
                            "lineup": case.against.lineup.name,
                        },
                        "verdict": str(case.finding.verdict),
                        "reason": case.finding.reason.en,
                        "more_deals": case.finding.more_deals,
                        "p_fair": case.finding.p_fair,
                        "p_unfair": case.finding.p_unfair,
                        "deals": case.finding.contrasts.deals,
                        "games": case.games,
                        "differences": [
                            {
                                "first": pair.first,
                                "second": pair.second,
                                "estimate": est.mean,
                                "low": est.low,
                                "high": est.high,
                                "values": [  # what is subtracted, as far as it was measured
                                    {"mean": one.mean, "low": one.low, "high": one.high}
                                    for one in values
                                    if isinstance(one, Estimate)
                                ],
                                "games_to_notice": notice,
                            }
                            for pair, est, values, notice in zip(
                                case.pairs,
                                verdicts.estimates(case),
                                case.values,
                                case.notice,
                                strict=True,
                            )
                        ],
                    }
                    for case in one.cases
                ],
            }
            for one in found.claims
        ],
        "searches": [
            {
                "name": one.search.name,
                "family": one.search.family,
                "verdict": str(one.verdict),
                "standing": str(one.confirmation.verdict),
                "reference": one.search.reference,
                "candidates": len(one.search.candidates),
                "on_front": bool(one.screening.on_front[one.screening.reference]),
                "games": one.games,
                "more_deals": one.confirmation.more_deals,
                "ranks": {
                    criterion.name: vars(one.screening.reference_rank(k))
                    for k, criterion in enumerate(one.screening.criteria)
                },
                "screening": _reference(one.screening),
                "confirmation": _reference(one.confirmation.stage),
                "finalists": [
                    {
                        "name": finalist.candidate.name,
                        "is_winner": finalist.is_winner,
                        "falls_short": finalist.falls_short,
                        "worse_by": {
                            each.criterion.name: [each.worse, each.low, each.high]
                            for each in finalist.comparisons
                        },
                        "games_to_notice": {
                            each.criterion.name: each.notice for each in finalist.comparisons
                        },
                        "deals": {each.criterion.name: each.deals for each in finalist.comparisons},
                    }
                    for finalist in one.confirmation.finalists
                ],
            }
            for one in found.searches
        ],
    }
