"""The compliance kit: good strategies pass, each planted fault fails the check that is its own."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from sim import compliance
from sim.cli import run
from sim.compliance import CHECKS, check, foreign_sources
from tests import own_strategies

GAME = "schadenfreude"
PLANTED = [(name, kind) for name, kinds in own_strategies.FAULTY.items() for kind in kinds]
pytestmark = pytest.mark.slow


@pytest.mark.parametrize("name", ["good", "plain"])
def test_a_good_strategy_passes(tmp_path: Path, name: str) -> None:
    report = check(GAME, str(own_strategies.write(tmp_path, name)), decisions=100)
    assert [one.check for one in report.findings] == list(CHECKS)
    assert all(one.passed for one in report.findings), report.findings
    assert all(one.seen.en.isascii() and one.seen.zh for one in report.findings)
    said = {one.check: one.seen.en for one in report.findings}
    assert said["bounds"] == ("depth=0, depth=5" if name == "good" else "it has no parameters")


@pytest.mark.parametrize(("name", "kind"), PLANTED)
def test_a_planted_fault_fails_its_own_check(tmp_path: Path, name: str, kind: str) -> None:
    path = own_strategies.write(tmp_path, f"planted_{kind}", own_strategies.FAULTY[name][kind])
    report = check(GAME, str(path), decisions=100, hang_seconds=3)
    assert report.failed == [name], report.findings
    (found,) = [one for one in report.findings if one.check == name]
    if name in ("legal", "raises", "answers", "deterministic", "peeks", "bounds", "traced"):
        assert "fairdeal replay schadenfreude" in found.seen.en


def test_what_hangs_is_named_with_its_game(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "hangs", own_strategies.FAULTY["answers"]["hangs"])
    report = check(GAME, str(path), decisions=100, hang_seconds=2)
    said = {one.check: one for one in report.findings}
    assert "no answer for 2 s (deal 0, seat" in said["answers"].seen.en
    assert [one.passed for one in report.findings].count(None) == len(CHECKS) - 1


def test_kinds_that_were_never_met_are_named(monkeypatch: pytest.MonkeyPatch) -> None:
    from sim import probe

    monkeypatch.setattr(compliance._Trial, "_play", lambda *_, **__: probe.Seen())
    trial = compliance._Trial("kanpai", "uniform", 1, 1.0)
    words = trial._decisions(probe.Seen(decisions={3: [5, 2, 0, 0], 4: [1, 0, 0, 0]}, rule_sets=2))
    assert words.en == (
        "8 decisions (a turn: 6, who gets the cards of a clink: 2); at some number of players "
        "fewer than 1: who gets the cards of a clink (0); never met: what an overfull "
        "area loses, whether to claim a win; 3, 4, 5, 6 players, 2 sets of rules"
    )
    assert "从未遇到" in words.zh


def test_the_text_tells_of_other_sources(tmp_path: Path) -> None:
    source = """
import random
import numpy as np
from numpy.random import default_rng
from time import time

TABLE = open("numbers.txt")
GOOD = random.Random(7), np.random.default_rng(7), default_rng(seed=1)
BAD = random.Random(), np.random.random(), default_rng(), time(), random.choice([1])

def decide(table, me):
    return lowest(me.legal)
"""
    path = own_strategies.write(tmp_path, "sources", source)
    first = path.read_text().splitlines().index('TABLE = open("numbers.txt")') + 1
    told = [line.removeprefix("sources.py:") for line in foreign_sources(path)]
    names = "random.Random numpy.random.random numpy.random.default_rng time.time random.choice"
    expected = [f"{first + 2}: {name}" for name in names.split()]
    assert sorted(told) == sorted([f"{first}: open", *expected])


def test_the_command_prints_a_table_and_ends_with_1_after_a_fault(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_strategies.write(tmp_path, "rarely", own_strategies.FAULTY["legal"]["rarely"])
    assert run(["check-strategy", GAME, str(path), "--lang", "zh"]) == 1
    out, complaint = capsys.readouterr()
    assert out.splitlines()[0].split() == ["检查", "结果", "所见"]
    assert out.splitlines()[1].startswith("出牌合法")
    assert len(out.splitlines()) == len(CHECKS) + 1
    assert complaint == "fairdeal: rarely.py fails 1 of its checks: plays legally\n"


def test_the_command_prints_one_object(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    found = compliance.Report(GAME, "x", (compliance.Finding("legal", True, CHECKS["legal"]),))
    monkeypatch.setattr(compliance, "check", lambda game, strategy: found)
    assert run(["check-strategy", GAME, "x", "--json"]) == 0
    assert json.loads(capsys.readouterr().out) == {
        "game": GAME,
        "strategy": "x",
        "findings": [{"check": "legal", "passed": True, "seen": "plays legally"}],
    }


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["schadenfreud", "uniform"], "unknown game 'schadenfreud'"),
        ([GAME, "unifrom"], "unknown strategy 'unifrom'"),
        ([GAME, "nothing.py"], "there is no file nothing.py"),
        ([GAME, "uniform", "--lang", "fr"], "--lang: unknown value 'fr'"),
    ],
)
def test_a_mistake_is_one_line(
    capsys: pytest.CaptureFixture[str], words: list[str], complaint: str
) -> None:
    assert run(["check-strategy", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"fairdeal: {complaint}")


@pytest.mark.parametrize("name", ["no_decide", "does_not_compile", "wrong_syntax", "misspelt"])
def test_a_file_that_is_no_strategy_is_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], name: str
) -> None:
    path = own_strategies.write(tmp_path, name)
    assert run(["check-strategy", GAME, str(path)]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert f"{name}.py" in line
