"""The command `fairdeal balance`: its list, text and object, what it plays, and every mistake."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from analysis import question_files
from analysis.balance import Answer, games_planned
from analysis.question_files import read
from sim.cli import run
from sim.cli.answers import asked
from sim.errors import Mistake
from tests.chromium import chromium
from tests.made_questions import HEAD, claim, written


def object_of(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, Any]:
    assert run(["balance", *words, "--quiet", "--json"]) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


def test_the_list_has_a_line_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["balance"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert "schadenfreude/removal: Is the card removal for three players fair?" in lines


def test_the_text_begins_with_the_verdict(
    capsys: pytest.CaptureFixture[str], rigged_file: str, tmp_path: Path
) -> None:
    words = ["balance", rigged_file, "--deals", "50", "--out", str(tmp_path), "--quiet"]
    assert run([*words, "--lang", "zh"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert re.match("问题全部(公平|不公平|一致|不同|未定)", lines[0])
    assert lines[-1] == str(tmp_path / "balance-zh.html")


def test_the_object_says_all_and_a_second_time_nothing_is_played(
    capsys: pytest.CaptureFixture[str], rigged_file: str, tmp_path: Path, rigged: Answer
) -> None:
    found = object_of(capsys, rigged_file, "--out", str(tmp_path))
    assert [(one["name"], one["verdict"]) for one in found["claims"]] == [
        (one.claim.name, str(one.verdict)) for one in rigged.claims
    ]
    assert found["games"] == rigged.games
    difference = found["claims"][0]["settings"][0]["differences"][0]
    assert difference["low"] < difference["estimate"] < difference["high"]
    first, second = (value["mean"] for value in difference["values"])
    assert first - second == pytest.approx(difference["estimate"])
    assert all(value["low"] < value["mean"] < value["high"] for value in difference["values"])
    files = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")}
    assert {path.relative_to(tmp_path).parts[0] for path in files} == {"runs", "hands"}
    assert object_of(capsys, rigged_file, "--out", str(tmp_path)) == found
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*.parquet")} == files


def test_the_same_bytes_for_any_jobs(
    capsys: pytest.CaptureFixture[str], rigged_file: str, tmp_path: Path
) -> None:
    found = [
        object_of(
            capsys, rigged_file, "--deals", "100", "--jobs", jobs, "--out", str(tmp_path / jobs)
        )
        for jobs in ("1", "3")
    ]
    bytes_of = [Path(one.pop("page")).read_bytes() for one in found]
    assert found[0] == found[1]
    assert bytes_of[0] == bytes_of[1]


def test_all_that_ship_are_answered_with_an_index(
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    browser: str,
) -> None:
    folder = tmp_path / "questions"
    folder.mkdir()
    text = HEAD + claim(variants='"rule"', lineups='"uniform"', deals="50")
    for name in ("one", "two"):
        (folder / f"{name}.toml").write_text(text, encoding="utf-8")
    files = {f"schadenfreude/{path.stem}": path for path in sorted(folder.iterdir())}
    monkeypatch.setattr(question_files, "shipped", lambda: files)
    monkeypatch.setattr("sim.cli.answers.shipped", lambda: files)
    found = object_of(capsys, "--all", "--out", str(tmp_path / "out"))
    assert [one["question"] for one in found["questions"]] == [*files]
    index = Path(found["index"])
    links = re.findall(r'<h3><a href="([^"]+)"', index.read_text(encoding="utf-8"))
    assert [(index.parent / link).exists() for link in links] == [True, True]
    with chromium(browser, tmp_path / "profile") as window:
        for width in (375, 1280):
            window.open(index, width, dark=width == 375)
            assert window.complaints == []
            assert not window.is_too_wide


def mistakes(folder: Path, text: str) -> list[str]:
    path = written(folder, HEAD + text)
    with pytest.raises(Mistake) as caught:
        asked([path], {}, "1", False, [])
    return list(caught.value.problems)


def test_games_are_planned_before(tmp_path: Path, rigged_file: str) -> None:
    question = read(rigged_file)
    assert games_planned(question, None) == question.games
    assert games_planned(question, 0.01) > 10 * games_planned(question, 0.1)
    (line,) = mistakes(tmp_path, claim(variants='"rule"', estimand='"first_round"'))
    assert "the first family of" in line and line.endswith("give --deals")


def test_a_precision_for_all_leaves_alone_what_has_no_share(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + claim(variants='"rule"', estimand='"first_round"'))
    (one,) = asked([path], {}, "1", False, [], is_all=True)
    assert one.half_width is None and one.note.endswith("games; played as it stands")


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        ("schadenfreude/remove", "unknown question 'schadenfreude/remove' (did you mean 'schade"),
        ("no.toml", "no.toml: cannot be read: no such file or directory"),
        ("schadenfreude/removal --precision 0", "--precision: '0' is not allowed; allowed: perc"),
        ("schadenfreude/removal --precision much", "--precision: 'much' is not allowed"),
        ("schadenfreude/removal --deals 1", "--deals: '1' is not allowed; allowed: an integer 20"),
        ("schadenfreude/removal --seed -1", "--seed: '-1' is not allowed; allowed: an integer 0"),
        ("schadenfreude/removal --jobs 0", "--jobs: '0' is not allowed; allowed: an integer fro"),
        ("schadenfreude/removal --lang de", "--lang: unknown value 'de'"),
        (
            "schadenfreude/removal --precision 0.01",
            "schadenfreude/removal: --precision 0.01 would take",
        ),
        ("schadenfreude/removal --deals 9000000", "more than 100,000,000; give --force to play"),
    ],
)
def test_a_mistake_is_one_line(
    capsys: pytest.CaptureFixture[str], words: str, problem: str
) -> None:
    assert run(["balance", *words.split()]) == 2
    seen = capsys.readouterr()
    assert seen.out == ""
    (line,) = seen.err.splitlines()
    assert problem in line


def test_all_mistakes_are_told_together(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD + claim(margin="0", estimand='"win"'))
    with pytest.raises(Mistake) as caught:
        read(path, {"seed": "x"})
    assert len(caught.value.problems) == 3
