"""What `compare` shows: the checks, the findings as text and as JSON."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from analysis import comparison_files
from analysis.comparison import MOST_GAMES, MOST_LINEUPS, Compared, Comparison, Seen, compare
from analysis.comparison_files import FILE, run_folder
from analysis.frames import (
    duel_frame,
    look_frame,
    place_frame,
    rank_frame,
    rating_frame,
    saved_frame,
    standing_frame,
)
from reports import comparison as pages
from reports.compared import alike
from reports.course import look_line
from sim import __version__, catalog
from sim.cli.console import duration, table
from sim.errors import Mistake, reason
from sim.experiment import Experiment
from sim.results import Run, forfeit_lines
from sim.store.files import disk, write

if TYPE_CHECKING:
    import pandas as pd

TRIAL_SECONDS = 1.0  # that a trial takes before it is believed

__all__ = [
    "Seen",
    "as_object",
    "as_text",
    "asked",
    "begin",
    "check_size",
    "compare",
    "folder",
    "look_line",
    "run_folder",
    "write_page",
]


def asked(
    what: str, flags: Mapping[str, str | None], rules: Sequence[str], problems: list[str]
) -> Comparison:
    """The comparison that is asked for, or all problems at once."""
    given = {key: value for key, value in flags.items() if value is not None}
    try:
        question = comparison_files.read(what, given, rules)
    except Mistake as mistake:
        problems += mistake.problems
    if problems:
        raise Mistake(*dict.fromkeys(problems))
    return question


def seconds_a_game(question: Comparison, play: Callable[[Experiment], Run]) -> float:
    """How long a game takes, all strategies playing as often, with as many workers.

    Trials become longer until they tell; what does not grow with the games is taken off, as the
    last one is compared with the one before.
    """
    trial, games_before, seconds_before = question.trial(), 0, 0.0
    while True:
        played = play(trial)
        games = sum(int(cell.totals["games"][0]) for cell in played.cells)
        seconds = float(played.manifest["seconds"])
        if seconds > TRIAL_SECONDS:
            return (seconds - seconds_before) / (games - games_before)
        games_before, seconds_before = games, seconds
        trial = replace(trial, deals=4 * trial.deals)


def check_size(question: Comparison, play: Callable[[Experiment], Run]) -> None:
    """Say so if it is more than one may want, and how long it would take; trials tell.

    Raises
    ------
    Mistake
        It is more than the limits.
    """
    if question.size <= MOST_LINEUPS and question.games <= MOST_GAMES:
        return
    seconds = question.games * seconds_a_game(question, play)
    limits = f"{MOST_LINEUPS:,} line-ups and {MOST_GAMES:,} games"
    part = ", --lineups K for a balanced part of them," if question.design == "all" else ""
    stop = question.stop
    fewer = "a wider LOW:HIGH" if stop.sprt else "a larger P" if stop.half_width else "deals"
    raise Mistake(
        f"--design {question.design}: {question.size:,} line-ups on {question.planned:,} deals are "
        f"about {question.games:,} games and take about {duration(seconds)}; "
        f"the limits are {limits}: give fewer strategies or {fewer}{part} or --force to play them"
    )


def begin(question: Comparison, into: Path) -> list[str]:
    """Lay down in the folder what is asked, and say what strikes the eye: equal files.

    Raises
    ------
    Mistake
        The folder belongs to another comparison, or cannot be written.
    """
    path, text = into / FILE, question.to_toml()
    with disk(path, Mistake):
        if path.exists() and path.read_text(encoding="utf-8") != text:
            raise Mistake(f"{into}: belongs to another comparison; see {path}")
        into.mkdir(parents=True, exist_ok=True)
        write(path, text.encode())
    found: dict[str, list[str]] = {}
    for spec, name in zip(question.strategies, question.names, strict=True):
        parsed = catalog.parse(spec, question.game.name)
        content = parsed.file.path.read_bytes() + repr(parsed.values).encode()
        found.setdefault(hashlib.sha256(content).hexdigest(), []).append(name)
    return [
        f"{' and '.join(names)} are the same file: one strategy under several names"
        for names in found.values()
        if len(names) > 1
    ]


def folder(question: Comparison) -> Path:
    """Where a comparison is kept if nothing else is said; another one has another folder."""
    key = hashlib.sha256(question.to_toml().encode()).hexdigest()[:8]
    return Path(f"out/compare-{question.game.name}-{question.players}-{key}")


def write_page(found: Compared, lang: str, into: Path, command: str) -> Path:
    """Write the page into the folder."""
    path = into / f"compare-{lang}.html"
    try:
        return pages.build(found, lang, path, command)
    except OSError as error:
        raise Mistake(f"{error.filename or path}: cannot be written: {reason(error)}") from None


def as_text(found: Compared, runs: Sequence[Run], lang: str, page: Path) -> str:
    """The verdict, who decided alike, every strategy at all its tables, faults, and the page."""
    rows = table(pages.standing_rows(found, lang))
    told = [text for text in (pages.verdict(found, lang), alike(found, lang)) if text]
    lost = forfeit_lines(runs, lang)
    return "\n".join([*told, "", rows, "", *lost, *([""] if lost else []), str(page)])


def as_object(found: Compared, page: Path) -> dict[str, Any]:
    """The findings as the object that `--json` prints; shares are between 0 and 1."""
    question = found.question
    return {
        "game": question.game.name,
        "players": question.players,
        "design": question.design,
        "strategies": list(found.names),
        "seed": question.seed,
        "deals": found.deals,
        "games": found.games,
        "version": __version__,
        "page": str(page),
        "verdict": pages.verdict(found, "en"),
        "warning": found.ratings.warning and found.ratings.warning.en,
        "standings": _records(standing_frame(found).rename(columns={"mean": "advantage"})),
        "duels": _records(duel_frame(found)),
        "ratings": _records(rating_frame(found)),
        "places": _records(place_frame(found)),
        "ranks": _records(rank_frame(found)),
        "forfeits": found.forfeits,
        "looks": _records(look_frame(found)),
        "decision": found.course and str(found.course.decision),
        "saved": _records(saved_frame(found)),
    }


def _records(frame: pd.DataFrame) -> list[dict[str, Any]]:
    """The rows of a frame; what is not known is None."""
    return [
        {str(key): None if value != value else value for key, value in row.items()}
        for row in frame.to_dict("records")
    ]
