"""Strategies of the user's own at the command line: a file to begin with, and checks."""

from __future__ import annotations

import json
from pathlib import Path

import click

from sim.cli.flags import LANGUAGES, check_choice, examples
from sim.core.game import Words
from sim.errors import Failure, Mistake

HEADS = (Words("check", "检查"), Words("result", "结果"), Words("what was seen", "所见"))
RESULTS = {True: Words("pass", "通过"), False: Words("FAIL", "未通过"), None: Words("-", "-")}


@click.command(
    "new-strategy",
    epilog=examples("fairdeal new-strategy schadenfreude my_idea --out out/ideas"),
)
@click.argument("game")
@click.argument("name")
@click.option("--out", metavar="DIR", default=".", help="Folder to write into (this one).")
def new_strategy(game: str, name: str, out: str) -> None:
    """Write a strategy that plays already, and its test: NAME.py and test_NAME.py.

    It does anything legal by chance; one place in it waits for the idea.
    """
    from sim import starter

    for path in starter.write(game, name, Path(out)):
        click.echo(path)


@click.command(
    "check-strategy",
    epilog=examples("fairdeal check-strategy schadenfreude lowest"),
)
@click.argument("game")
@click.argument("strategy", metavar="FILE|NAME")
@click.option("--lang", metavar="en|zh", default="en", help="Language of the table (en).")
@click.option("--json", "as_json", is_flag=True, help="One JSON object on standard output.")
def check_strategy(game: str, strategy: str, lang: str, as_json: bool) -> None:
    """Try whether a strategy is legal, repeatable, fair and quick; takes a minute or so.

    On 10,000 decisions of each kind at each number of players, under random rules. The code is 1
    if a check fails.
    """
    from sim import compliance
    from sim.cli.console import wide_table

    problems = check_choice("lang", lang, LANGUAGES)
    if problems:
        raise Mistake(*problems)
    report = compliance.check(game, strategy)
    if as_json:
        findings = [
            {"check": one.check, "passed": one.passed, "seen": one.seen.of(lang)}
            for one in report.findings
        ]
        found = {"game": report.game, "strategy": report.strategy, "findings": findings}
        click.echo(json.dumps(found, ensure_ascii=False))
    else:
        rows = [
            (compliance.CHECKS[one.check].of(lang), RESULTS[one.passed].of(lang), one.seen.of(lang))
            for one in report.findings
        ]
        click.echo(wide_table([tuple(head.of(lang) for head in HEADS), *rows]))
    if report.failed:
        names = ", ".join(compliance.CHECKS[check].en for check in report.failed)
        raise Failure(f"{report.strategy} fails {len(report.failed)} of its checks: {names}")
