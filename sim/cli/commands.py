"""The command `fairdeal`: reads flags, calls the parts, shows what comes back.

Nothing heavy is imported before it is needed, so that `--help` answers at once. A mistake of the
user is one line on standard error and code 2, a failure while playing code 1, Ctrl-C code 130.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import re
import sys
import threading
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

import click

from sim import __version__, heap
from sim.cli import balance, compare, own, playing
from sim.cli.flags import (
    LANGUAGES,
    check_choice,
    check_jobs,
    examples,
    forfeit_flag,
    jobs_flag,
    json_flag,
    n_workers,
    quiet_flag,
)
from sim.errors import Failure, Mistake, reason

if TYPE_CHECKING:
    from sim.core.game import Game
    from sim.experiment import Experiment

MISTAKE, FAILURE, INTERRUPTED = 2, 1, 130
FORMATS = ("text", "jsonl")

_SMALL_RUN = "fairdeal run schadenfreude --players 3 --strategies uniform --deals 10000 --seed 1"


def main() -> None:
    """Run the command and end the process with its code."""
    heap.give_back()
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(encoding="utf-8")  # transcripts and Chinese titles, in any locale
    code = run(sys.argv[1:])
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except BrokenPipeError:
            os.dup2(os.open(os.devnull, os.O_WRONLY), stream.fileno())
    if any(thread.name.startswith("fairdeal-") for thread in threading.enumerate()):
        os._exit(code)  # a strategy hangs in a thread, which cannot be stopped in any other way
    sys.exit(code)


def run(words: Sequence[str]) -> int:
    """Run the command with these words and return the code to end with."""
    try:
        with fairdeal.make_context("fairdeal", list(words), obj=words) as context:
            fairdeal.invoke(context)
        return 0
    except click.exceptions.Exit as end:
        return end.exit_code
    except Mistake as mistake:
        return _complain(MISTAKE, *mistake.problems)
    except click.exceptions.NoArgsIsHelpError as error:
        click.echo(error.format_message())
        return 0
    except click.ClickException as error:
        return _complain(MISTAKE, " ".join(error.format_message().split()))
    except Failure as failure:
        return _complain(FAILURE, str(failure))
    except playing.Interrupted as interruption:
        return _complain(INTERRUPTED, str(interruption))
    except (KeyboardInterrupt, click.Abort):
        return _complain(INTERRUPTED, "interrupted")
    except BrokenPipeError:
        return 0  # the reader has seen enough
    except OSError as error:
        return _complain(FAILURE, f"{error.filename or 'system'}: {reason(error)}")


def _complain(code: int, *lines: str) -> int:
    for line in lines:
        click.echo(f"fairdeal: {line}", err=True)
    return code


@click.group(
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog=examples(_SMALL_RUN),
)
@click.version_option(__version__, prog_name="fairdeal")
def fairdeal() -> None:
    """Play card games by the million and say what is fair, what is luck and what is skill."""


for _command in (balance.balance, compare.compare, own.new_strategy, own.check_strategy):
    fairdeal.add_command(_command)


@fairdeal.command(epilog=examples("fairdeal games"))
@click.option("--json", "as_json", is_flag=True, help="One JSON array on standard output.")
def games(as_json: bool) -> None:
    """List the games with their rule switches."""
    from sim import catalog
    from sim.core.game import as_word

    found = [catalog.game(name) for name in catalog.game_names()]
    if as_json:
        click.echo(json.dumps([_game_object(game) for game in found], ensure_ascii=False))
        return
    for game in found:
        counts = ", ".join(map(str, game.players))
        click.echo(f"{game.name}: {game.title.en} {game.title.zh}, {counts} players")
        for switch in game.switches:
            click.echo(f"  --rule {switch.name}={as_word(switch.default)}")
            click.echo(f"      {switch.meaning.en} ({switch.allowed})")
            for needed, values in switch.needs:
                allowed = " or ".join(map(as_word, values))
                click.echo(f"      only with {needed}={allowed}")


def _game_object(game: Game) -> dict[str, Any]:
    return {
        "name": game.name,
        "title": {"en": game.title.en, "zh": game.title.zh},
        "players": list(game.players),
        "switches": [
            {
                "name": s.name,
                "default": s.default,
                "allowed": s.allowed,
                "meaning": s.meaning.en,
                "needs": {name: list(values) for name, values in s.needs},
            }
            for s in game.switches
        ],
        "measures": [
            {"name": m.name, "per": m.per, "unit": m.unit.en, "meaning": m.meaning.en}
            for m in game.measures
        ],
    }


@fairdeal.command(epilog=examples("fairdeal strategies schadenfreude"))
@click.argument("game", required=False)
@click.option("--json", "as_json", is_flag=True, help="One JSON array on standard output.")
def strategies(game: str | None, as_json: bool) -> None:
    """List the strategies of a game, or of all games, with their parameters."""
    from sim import catalog

    names = [catalog.game(game).name] if game else catalog.game_names()
    found = [(name, file) for name in names for file in catalog.strategies(name).values()]
    if as_json:
        objects = [
            {
                "game": name,
                "name": file.name,
                "name_zh": file.name_zh,
                "description": file.description,
                "parameters": [
                    {
                        **{key: getattr(p, key) for key in ("name", "default", "low", "high")},
                        "meaning": p.about("en"),
                        "meaning_zh": p.about("zh"),
                    }
                    for p in file.parameters
                ],
            }
            for name, file in found
        ]
        click.echo(json.dumps(objects, ensure_ascii=False))
        return
    for name, file in found:
        names = [*([] if game else [name]), file.name, *filter(None, [file.name_zh])]
        click.echo(f"{' '.join(names)}: {file.description}")
        for p in file.parameters:
            about = f", {p.about('en')}" if p.meaning else ""
            click.echo(f"      {p.name}={p.default} ({p.low}..{p.high}{about})")


def _experiment_options(command: Callable[..., Any]) -> Callable[..., Any]:
    """Flags that say what is played; checked all together later, with the file if there is one."""
    for option in reversed(
        (
            click.option("--players", metavar="N", help="Number of players."),
            click.option(
                "--strategies",
                metavar="A[,B,...]",
                help="One for all seats or a line-up; with NAME:parameter=value, or a .py file.",
            ),
            click.option("--seed", metavar="S", help="Number that all chance comes from."),
            click.option(
                "--rotate",
                metavar="strategies|hands|none",
                help="What is turned over the seats on every deal (strategies).",
            ),
            click.option(
                "--rule", "rules", multiple=True, metavar="name=value", help="A rule switch."
            ),
            forfeit_flag,
        )
    ):
        command = option(command)
    return command


@fairdeal.command(
    "run",
    epilog=examples(
        _SMALL_RUN,
        "fairdeal run schadenfreude --players 4 --strategies highest,lowest,uniform,uniform \\\n"
        "    --deals 10000 --seed 1 --rule limit=45 --out out/limit-45",
    ),
)
@click.argument("what", metavar="GAME|EXPERIMENT.toml")
@_experiment_options
@click.option("--deals", metavar="D", help="Number of deals.")
@click.option("--mode", metavar="summary|games", help="Keep sums, or also a row a game (summary).")
@jobs_flag
@click.option(
    "--backend",
    metavar="threads|processes",
    default="threads",
    help="What workers are; strategies not built in always play in processes (threads).",
)
@click.option("--out", metavar="DIR", help="Run folder; the same command goes on with it.")
@json_flag
@quiet_flag
def run_command(
    what: str,
    jobs: str | None,
    backend: str,
    out: str | None,
    as_json: bool,
    quiet: bool,
    rules: tuple[str, ...],
    **flags: str | None,
) -> None:
    """Play many games and print who wins how often.

    One strategy plays in every seat; a line-up is rotated over the seats on every deal.
    """
    from sim.runner import BACKENDS

    problems = check_jobs(jobs) + check_choice("backend", backend, BACKENDS)
    experiment = _experiment(what, flags, rules, problems)
    if experiment.mode == "games" and out is None:
        raise Mistake("--mode games needs a folder for the rows: --out DIR")
    from sim.cli import results

    played = playing.play(experiment, out, n_workers(jobs), backend, quiet)
    click.echo(results.as_text(played), err=as_json)
    if as_json:
        click.echo(json.dumps(results.as_object(played), ensure_ascii=False))


def _experiment(
    what: str, flags: dict[str, str | None], rules: Sequence[str], problems: list[str]
) -> Experiment:
    """The experiment of flags, or of a file and flags, or all problems with it at once."""
    from sim import reading

    given = {key: value for key, value in flags.items() if value is not None}
    try:
        if what.endswith(".toml"):
            experiment = reading.from_file(Path(what), given, rules)
        else:
            experiment = reading.from_flags({"game": what, **given}, rules)
    except Mistake as mistake:
        problems += mistake.problems
    if problems:
        raise Mistake(*problems)
    return experiment


@fairdeal.command(
    epilog=examples(
        "fairdeal replay schadenfreude --players 3 --strategies uniform --seed 1 --deals 0:1",
        "fairdeal replay schadenfreude --players 4 --strategies uniform,uniform,uniform,lowest \\\n"
        "    --seed 1 --deals 5:7 --rotation 0 --format jsonl",
    )
)
@click.argument("what", metavar="GAME|DIR")
@_experiment_options
@click.option("--deals", metavar="A:B", help="Deals A to B-1.")
@click.option("--rotation", metavar="R", help="Only this rotation of the deal (all).")
@click.option("--format", "form", metavar="text|jsonl", default="text", help="(text)")
@click.option("--lang", metavar="en|zh", default="en", help="Language of the text (en).")
@click.option("--out", metavar="FILE", help="Write to this file.")
def replay(
    what: str,
    rules: tuple[str, ...],
    deals: str | None,
    rotation: str | None,
    form: str,
    lang: str,
    out: str | None,
    **flags: str | None,
) -> None:
    """Play games again, decision by decision, as text or as JSON Lines."""
    from sim import catalog, replay

    problems = []
    bounds = re.fullmatch(r"(\d+):(\d+)", deals or "")
    first, last = map(int, bounds.groups()) if bounds else (0, 1)
    if deals is None:
        problems.append("--deals: is missing; allowed: A:B, from deal A to deal B-1")
    elif not bounds or first >= last:
        problems.append(f"--deals: {deals!r} is not allowed; allowed: A:B with A less than B")
    problems += check_choice("format", form, FORMATS) + check_choice("lang", lang, LANGUAGES)
    folder = Path(what)
    if what not in catalog.game_names() and folder.is_dir():
        _check_run_folder(folder)
        what = str(folder / "experiment.toml")
    experiment = _experiment(what, {**flags, "deals": str(last)}, rules, problems)
    most = max(experiment.rotations(lineup) for _, lineup in experiment.cells)
    if rotation is not None and not (rotation.isdecimal() and int(rotation) < most):
        raise Mistake(f"--rotation: {rotation!r} is not allowed; allowed: 0..{most - 1}")
    turn = None if rotation is None else int(rotation)
    with _text_file(out) as file:
        for i, lines in enumerate(replay.replay(experiment, first, last, turn)):
            if form == "jsonl":
                text = "\n".join(json.dumps(line, ensure_ascii=False) for line in lines)
            else:
                text = ("\n" if i else "") + replay.as_text(lines, lang)
            click.echo(text, file=file)


def _text_file(out: str | None) -> contextlib.AbstractContextManager[TextIO]:
    """The file to write to, or standard output."""
    if out is None:
        return contextlib.nullcontext(sys.stdout)
    try:
        return open(out, "w", encoding="utf-8")
    except OSError as error:
        raise Mistake(f"{out}: cannot be written: {reason(error)}") from None


def _check_run_folder(folder: Path) -> None:
    """Say so when the sources have changed since: other games may come of the same numbers."""
    from sim import provenance, store

    run = store.status(folder)
    now = provenance.sources(run.experiment)
    changed = [name for name, value in now.items() if run.manifest["sources"].get(name) != value]
    if changed:
        click.echo(
            f"fairdeal: {folder}: {', '.join(changed)} changed since it was played", err=True
        )


@fairdeal.command(epilog=examples(_SMALL_RUN + " --out out/example", "fairdeal report out/example"))
@click.argument("folder", metavar="DIR")
@click.option("--lang", metavar="en|zh", default="en", help="Language of the page (en).")
@click.option("--out", metavar="FILE", help="Write to this file (report-LANG.html in DIR).")
def report(folder: str, lang: str, out: str | None) -> None:
    """Write a page about a run, one HTML file that opens anywhere."""
    from sim import store

    problems = check_choice("lang", lang, LANGUAGES)
    if problems:
        raise Mistake(*problems)
    run = store.open_run(Path(folder))
    from reports import build

    try:
        path = build.build(run, lang, Path(out) if out else None)
    except OSError as error:
        raise Mistake(f"{error.filename or out}: cannot be written: {reason(error)}") from None
    click.echo(f"{path}\n{build.headline(run, lang)}")


@fairdeal.command(epilog=examples(_SMALL_RUN + " --out out/example", "fairdeal status out/example"))
@click.argument("folder", metavar="DIR")
def status(folder: str) -> None:
    """Say how far a run is."""
    from sim import store
    from sim.cli.console import duration

    found = store.status(Path(folder))
    experiment, manifest = found.experiment, found.manifest
    state = manifest["state"]
    if state == "running" and not found.is_in_use:
        state = "interrupted"
    done = 100 * found.games / experiment.games
    click.echo(f"{state}: {found.games:,} of {experiment.games:,} games ({done:.1f} %)")
    cells = f"{len(experiment.cells)} cells, " if len(experiment.cells) > 1 else ""
    click.echo(f"{experiment.game}, {experiment.players} players, {cells}seed {experiment.seed}")
    if state == "finished":
        click.echo(f"played in {duration(manifest['seconds'])}, sha256 {manifest['sha256']}")
    click.echo(f"command: {manifest['command']}")
