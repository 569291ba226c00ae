"""The compliance kit: good strategies pass, each planted fault fails the check that is its own."""

from __future__ import annotations

import itertools
import json
import shlex
from pathlib import Path

import numpy as np
import pytest

from sim import compliance
from sim.board import GAMES
from sim.cli import run
from sim.compliance import CHECKS, check, foreign_sources
from sim.core import loop
from sim.core.jit import JIT
from sim.kinds import Count
from sim.probe import Probe, Subject
from tests import own_strategies

GAME, RARE = "schadenfreude", "kanpai"  # in the second one kind of decision is rare
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


# Kinds that are rare: a claim of a win comes in some of a hundred games, by half of the rules

FAULT_AT_A_CLAIM = {
    "legal": "return -1",
    "raises": "return me.memory[10**6 * table.players]",
    "unchanged": "table.players = 9",
    "answers": "while k != -1:\n            k = (3 * k + 1) | 1",
}


def claims_badly(folder: Path, root: Path, check: str) -> Path:
    """Plays by chance, and has the fault at one claim of 500."""
    source = (root / f"strategies/{RARE}/uniform.py").read_text(encoding="utf-8")
    plays, claim, rest = source.rpartition("    return DECLARE\n")
    fault = f"    k = below(me.rng, 500)\n    if k == 0:\n        {FAULT_AT_A_CLAIM[check]}\n"
    assert claim and not rest
    path = folder / "claims.py"
    path.write_text(plays + fault + claim, encoding="utf-8")
    return path


@pytest.mark.both_modes
def test_every_kind_is_met_as_often_as_asked() -> None:
    asked, probe = 1000 if JIT else 10, Probe(Subject(RARE, "uniform"))
    probe.survey(3, asked, seconds=600.0)  # compiling counts, on a busy machine for minutes
    assert min(probe.seen.decisions[3]) >= asked
    assert probe.seen.faults == {}


@pytest.mark.both_modes
@pytest.mark.parametrize("alone", [True, False])
def test_games_are_counted_at_full_speed_as_with_care(alone: bool) -> None:
    probe = Probe(Subject("cocktail_poison", "tempo"))
    play = probe.lay(3, probe.subject.game.defaults(), alone=alone)
    met, counts = np.zeros(2, np.int64), np.zeros(2, np.int64)
    games = list(itertools.product(range(4 if JIT else 1), range(play.table.rotations)))
    assert all(probe._play_carefully(play, *game, met) for game in games)
    count, done = Count(play.table, play.own, counts, probe.slot), probe.slot[GAMES]
    assert all(count.play(*game, watch=True) == loop.OVER for game in games)
    assert counts.tolist() == met.tolist() and min(met) > 0
    assert probe.slot[GAMES] == done + len(games)  # whoever watches sees that it goes on


@pytest.mark.parametrize("check", ["legal", "raises", "unchanged"])
def test_a_fault_at_one_claim_of_hundreds_is_found(
    tmp_path: Path, root: Path, capsys: pytest.CaptureFixture[str], check: str
) -> None:
    probe = Probe(Subject(RARE, str(claims_badly(tmp_path, root, check))))
    probe.survey(3, 3000, seconds=600.0)
    (found,) = probe.seen.faults
    assert found == check
    claims = probe.seen.decisions[3][-1]
    assert claims >= 3000 if check == "unchanged" else 50 < claims < 3000
    told, again = probe.seen.faults[check][0].split("; replay it with: fairdeal ")
    assert run(shlex.split(again)) == 1
    assert told in capsys.readouterr().err


def test_a_hang_at_one_claim_of_hundreds_is_named(tmp_path: Path, root: Path) -> None:
    report = check(RARE, str(claims_badly(tmp_path, root, "answers")), hang_seconds=3)
    assert report.failed == ["answers"]
    (found,) = [one.seen.en for one in report.findings if one.check == "answers"]
    assert "no answer for 3 s (deal" in found and "--rule" in found


def test_a_kind_that_never_comes_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    kinds = Subject(RARE, "uniform").kinds
    monkeypatch.setattr(Subject, "kinds", (*kinds, kinds[0]))
    monkeypatch.setattr("sim.probe.NEVER", 300)
    probe = Probe(Subject(RARE, "uniform"))
    probe.survey(3, 10)
    *met, never = probe.seen.decisions[3]
    assert min(met) >= 10 and never == 0


def test_a_kind_that_is_too_rare_is_looked_for_until_time_is_up() -> None:
    probe = Probe(Subject(RARE, "uniform"))
    probe.survey(3, 10**9, seconds=1.0)
    assert 0 < min(probe.seen.decisions[3]) < 10**9
    assert probe.seen.faults == {}


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
