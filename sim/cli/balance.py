"""The command `balance`: what it shows is in `sim.cli.answers`."""

from __future__ import annotations

import json
import shlex
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import click

from sim.cli import playing
from sim.cli.flags import (
    LANGUAGES,
    as_words,
    check_choice,
    check_jobs,
    examples,
    folder_flag,
    force_flag,
    jobs_flag,
    json_flag,
    language_flag,
    n_workers,
    precision_flag,
    quiet_flag,
)
from sim.errors import Mistake

if TYPE_CHECKING:
    from sim.experiment import Experiment
    from sim.results import Run


@click.command(
    epilog=examples(
        "fairdeal balance",
        "fairdeal balance schadenfreude/removal --deals 200 --out out/removal-in-short",
    )
)
@click.argument("what", metavar="QUESTION|FILE.toml", required=False)
@click.option("--all", "is_all", is_flag=True, help="Answer all that ship, with an index page.")
@precision_flag
@click.option("--deals", metavar="D", help="Number of deals of every setting (as in the file).")
@click.option("--seed", metavar="S", help="Number that all chance comes from (as in the file).")
@jobs_flag
@language_flag
@folder_flag
@force_flag
@json_flag
@quiet_flag
def balance(
    what: str | None,
    is_all: bool,
    precision: str | None,
    jobs: str | None,
    lang: str,
    out: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
    **flags: str | None,
) -> None:
    """Answer a balance question: FAIR, UNFAIR or INCONCLUSIVE, with a page that shows why.

    Without a question: list those that ship.
    """
    from sim.cli import answers

    both = ["--all: give either a question or --all, not both"]
    problems = both if what is not None and is_all else []
    problems += check_jobs(jobs) + check_choice("lang", lang, LANGUAGES)
    if what is None and not is_all:
        if problems:
            raise Mistake(*problems)
        click.echo("\n".join(answers.listing(lang)))
        return
    from sim import store

    names = [*answers.shipped()] if what is None else [what]
    asked = answers.asked(names, flags, precision, force, problems, is_all=is_all)
    for note in filter(None, (one.note for one in asked)):
        click.echo(note, err=True)
    whole = Path(out or (f"out/{asked[0].question.folder}" if what else "out/balance"))
    workers = n_workers(jobs)
    given = {**flags, "precision": precision}

    found, objects = {}, []
    for one in asked:
        folder = whole / one.question.folder if is_all else whole

        def play(experiment: Experiment, folder: Path = folder) -> Run:
            into = folder / "runs" / experiment.fingerprint[:16]
            return playing.play(experiment, str(into), workers, "threads", quiet)

        keep = partial(store.hands, folder / "hands")
        answer = answers.answer(one.question, play, one.half_width, keep)
        own = as_words(flags if one.note else given)  # with a note the precision is left out
        command = shlex.join(["fairdeal", "balance", one.what, *own])
        page = answers.write_page(answer, lang, folder, command)
        click.echo(answers.as_text(answer, lang, page), err=as_json)
        found[one.question.folder] = answer
        objects.append(answers.as_object(answer, page))
    if is_all:
        index = answers.write_index(
            found, lang, whole, shlex.join(["fairdeal", "balance", "--all", *as_words(given)])
        )
        click.echo(f"\n{index}", err=as_json)
    if as_json:
        last = {"index": str(index), "questions": objects} if is_all else objects[0]
        click.echo(json.dumps(last, ensure_ascii=False))
