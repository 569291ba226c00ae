"""The command `compare`: what it shows is in `sim.cli.comparisons`."""

from __future__ import annotations

import json
import shlex
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
    forfeit_flag,
    jobs_flag,
    json_flag,
    language_flag,
    n_workers,
    precision_flag,
    quiet_flag,
)

if TYPE_CHECKING:
    from sim.experiment import Experiment
    from sim.results import Run


@click.command(
    epilog=examples(
        "fairdeal compare schadenfreude --players 4 --strategies target40,lowest --deals 500",
        "fairdeal compare schadenfreude --players 3 --strategies all --design all \\\n"
        "    --lineups 12 --deals 50 --lang zh",
    )
)
@click.argument("what", metavar="GAME|FILE.toml")
@click.option("--players", metavar="N", help="Number of players.")
@click.option("--strategies", metavar="A,B[,...]|all", help="Names, .py files, or all of the game.")
@click.option("--design", metavar="pairwise|all|gauntlet|roles", help="Who plays whom (pairwise).")
@click.option("--lineups", metavar="K", help="With --design all: a balanced part of so many.")
@click.option("--anchor", metavar="NAME", help="Strategy with 0 rating points (uniform).")
@click.option("--rule", "rules", multiple=True, metavar="name=value", help="A rule switch.")
@click.option("--deals", metavar="D", help="Deals of every line-up (10000; 1000 with all).")
@precision_flag
@click.option(
    "--sprt", metavar="LOW:HIGH", help="Test until the first is LOW or HIGH points ahead."
)
@forfeit_flag
@click.option("--seed", metavar="S", help="Number that all chance comes from (1).")
@jobs_flag
@language_flag
@folder_flag
@force_flag
@json_flag
@quiet_flag
def compare(
    what: str,
    rules: tuple[str, ...],
    jobs: str | None,
    lang: str,
    out: str | None,
    force: bool,
    as_json: bool,
    quiet: bool,
    **flags: str | None,
) -> None:
    """Say which strategy is better, against whom and by how much, with a page that shows why."""
    from sim.cli import comparisons

    problems = check_jobs(jobs) + check_choice("lang", lang, LANGUAGES)
    question = comparisons.asked(what, flags, rules, problems)
    workers = n_workers(jobs)
    whole = Path(out) if out else comparisons.folder(question)

    runs: list[Run] = []

    def play(experiment: Experiment) -> Run:
        into = comparisons.run_folder(whole, experiment)
        is_kept = experiment.mode == "games"
        folder = str(into) if is_kept else None
        runs.append(playing.play(experiment, folder, workers, "threads", quiet))
        return runs[-1]

    if not force:
        comparisons.check_size(question, play)
    for note in comparisons.begin(question, whole):
        click.echo(f"fairdeal: {note}", err=True)

    def watch(seen: comparisons.Seen) -> None:
        if not quiet:
            click.echo(comparisons.look_line(question, seen, lang), err=True)

    found = comparisons.compare(question, play, watch)
    given = [*as_words(flags), *(word for rule in rules for word in ("--rule", rule))]
    command = shlex.join(["fairdeal", "compare", what, *given])
    page = comparisons.write_page(found, lang, whole, command)
    click.echo(comparisons.as_text(found, runs, lang, page), err=as_json)
    if as_json:
        click.echo(json.dumps(comparisons.as_object(found, page), ensure_ascii=False))
