"""What a user can get wrong: one clear line for each mistake, the right code, and nothing lost."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from sim.cli import run
from tests import own_strategies

GOOD = "run schadenfreude --players 3 --strategies uniform --deals 20 --seed 1 --quiet"


def complaints(capsys: pytest.CaptureFixture[str], command: str, code: int = 2) -> list[str]:
    """Run the command, which must end with this code and say nothing on standard output."""
    assert run(shlex.split(command)) == code
    seen = capsys.readouterr()
    assert seen.out == ""
    lines = seen.err.splitlines()
    assert all(line.startswith("fairdeal: ") for line in lines), seen.err
    return [line.removeprefix("fairdeal: ") for line in lines]


def changed(**flags: str) -> str:
    command = GOOD
    for flag, value in flags.items():
        if f"--{flag}" in command:
            command = re.sub(rf"--{flag} \S+", f"--{flag} {value}", command)
        else:
            command += f" --{flag} {value}"
    return command


def test_the_good_command_is_good(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shlex.split(GOOD)) == 0
    capsys.readouterr()


@pytest.mark.parametrize(
    ("command", "words"),
    [
        (
            GOOD.replace("schadenfreude", "schadenfroh"),
            "GAME: unknown game 'schadenfroh' (did you mean 'schadenfreude'?); allowed: ",
        ),
        (
            changed(strategies="unifrom"),
            "--strategies: unknown strategy 'unifrom' (did you mean 'uniform'?); allowed: ",
        ),
        (changed(strategies="uniform,,lowest"), "--strategies: unknown strategy ''"),
        (
            changed(rule="limt=45"),
            "--rule limt=45: unknown switch 'limt' (did you mean 'limit'?); allowed: rank_set, ",
        ),
        (
            changed(rule="wild_rank=zero_tem"),
            "--rule wild_rank=zero_tem: 'zero_tem' is not allowed (did you mean 'zero_ten'?); "
            "allowed: none, zero_ten",
        ),
        (
            changed(rule="limit=0"),
            "--rule limit=0: '0' is not allowed; allowed: an integer 1..200",
        ),
        (
            changed(rule="removed_3p=1,two"),
            "--rule removed_3p=1,two: 'two' is not allowed; allowed: a list of integers -3..9",
        ),
        (changed(rule="limit"), "--rule limit: must be name=value"),
        (
            changed(rotate="hand"),
            "--rotate: unknown value 'hand' (did you mean 'hands'?); allowed: strategies, ",
        ),
        (changed(mode="game"), "--mode: unknown value 'game' (did you mean 'games'?)"),
        (changed(mode="games"), "--mode games needs a folder for the rows: --out DIR"),
        (changed(backend="process"), "--backend: unknown value 'process' (did you mean 'process"),
        (changed(jobs="0"), "--jobs: '0' is not allowed; allowed: an integer from 1"),
        (changed(players="2"), "--players: 2 is not allowed; allowed: 3, 4, 5"),
        (changed(players="six"), "--players: 'six' is not allowed; allowed: an integer"),
        (changed(deals="0"), "--deals: '0' is not allowed; allowed: an integer 1.."),
        (changed(deals="1e6"), "--deals: '1e6' is not allowed"),
        (changed(seed="-1"), "--seed: '-1' is not allowed; allowed: an integer 0.."),
        (changed(seed=str(2**63)), f"--seed: '{2**63}' is not allowed"),
        (
            changed(strategies="uniform,lowest"),
            "--strategies: 2 strategies for 3 players; allowed: 1 or 3",
        ),
        (
            changed(rule="removed_3p=-3,-2,-1,1,2,3,4,5,6,7,8,9"),
            "removed_3p=-3,-2,-1,1,2,3,4,5,6,7,8,9 leaves 2 cards for 3 players; remove fewer",
        ),
        (
            changed(rule="hand_size=16"),
            "--rule hand_size=16: hand_size=16 is more than the 38 cards in play give 3 players",
        ),
        (
            changed(strategies="no_such_file.py"),
            "--strategies: there is no file no_such_file.py",
        ),
        (
            GOOD.replace("--seed 1", "--sed 1"),
            "No such option",
        ),
        ("run", "Missing argument"),
        ("rum schadenfreude", "No such command"),
        ("status no/such/folder", "no/such/folder: is not a run folder"),
        ("report no/such/folder", "no/such/folder: is not a run folder"),
        ("strategies schadenfroh", "unknown game 'schadenfroh' (did you mean 'schadenfreude'?)"),
        ("run no/such.toml", "no/such.toml: cannot be read: no such file or directory"),
        (
            "replay schadenfreude --players 3 --strategies uniform --seed 1",
            "--deals: is missing; allowed: A:B",
        ),
        (
            "replay schadenfreude --players 3 --strategies uniform --seed 1 --deals 5:5",
            "--deals: '5:5' is not allowed",
        ),
        (
            "replay schadenfreude --players 3 --strategies uniform --seed 1 --deals 0:1 "
            "--rotation 1",
            "--rotation: '1' is not allowed; allowed: 0..0",
        ),
        (
            "replay schadenfreude --players 3 --strategies uniform --seed 1 --deals 0:1 --lang ch",
            "--lang: unknown value 'ch' (did you mean 'zh'?)",
        ),
    ],
)
def test_a_mistake_is_one_line(
    command: str, words: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (line,) = complaints(capsys, command)
    assert words in line


def test_mistakes_are_reported_together(capsys: pytest.CaptureFixture[str]) -> None:
    command = "run schadenfreude --players 6 --strategies unifrom --deals x --rule limt=3 --jobs 0"
    lines = complaints(capsys, command)
    assert len(lines) == 6
    for word in ("--players", "unifrom", "--deals", "limt", "--jobs", "--seed: is missing"):
        assert any(word in line for line in lines)


# Files


def test_malformed_toml_is_one_line_with_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "exp.toml"
    path.write_text('game = "schadenfreude"\nplayers = = 3\n')
    (line,) = complaints(capsys, f"run {path}")
    assert line == f"{path}:2: is not TOML: Invalid value"
    path.write_text('game = "schadenfreude\n')
    assert f"{path}:1: is not TOML: " in complaints(capsys, f"run {path}")[0]
    path.write_bytes(b'game = "\xff"\n')
    assert f"{path}: is not UTF-8: " in complaints(capsys, f"run {path}")[0]


def test_all_mistakes_of_a_file_stand_with_line_and_key(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "exp.toml"
    path.write_text(
        """\
game = "schadenfreude"
player = 3        # no such key
players = 4
deals = "many"
rotate = "strategy"

[rules]
limit = 0
limits = 40

[[lineup]]
strategies = ["uniform", "unifrom", "lowest", "lowest"]
[[lineup]]
nam = "pair"
strategies = ["uniform", "lowest"]

[[variant]]
name = "a"
[variant.rules]
wild_rank = "ten"
[[variant]]
name = "a"
"""
    )
    lines = complaints(capsys, f"run {path}")
    expected = [
        "2: player: unknown key 'player' (did you mean 'players'?)",
        "4: deals: 'many' is not allowed; allowed: an integer 1..",
        "1: seed: is missing",
        "5: rotate: unknown value 'strategy' (did you mean 'strategies'?)",
        "14: lineup[1].nam: unknown key 'nam' (did you mean 'name'?)",
        "12: lineup[0].strategies: unknown strategy 'unifrom' (did you mean 'uniform'?)",
        "15: lineup[1].strategies: 2 strategies for 4 players; allowed: 1 or 4",
        "8: rules.limit: 0 is not allowed; allowed: an integer 1..200",
        "9: rules.limits: unknown switch 'limits' (did you mean 'limit'?)",
        "20: variant[0].rules.wild_rank: 'ten' is not allowed",
        "21: variant[1]: 'a' stands here twice",
    ]
    for words in expected:
        assert any(line.startswith(f"{path}:{words}") for line in lines), (words, lines)
    assert len(lines) == len(expected)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("players = 3.0", "players: 3.0 is not allowed"),
        ("players = true", "players: True is not allowed"),
        ("strategies = 5", "strategies: 5 is not allowed; allowed: a list of names"),
        ("rules = 5", "rules: 5 is not allowed; allowed: a table of switches"),
        ("rules = { limit = 4.5 }", "rules.limit: 4.5 is not allowed"),
        ("lineup = 5", "lineup: must be written as [[lineup]] tables"),
        ("[lineup]\nstrategies = 'uniform'", "lineup: must be written as [[lineup]] tables"),
        ("[[lineup]]", "lineup[0].strategies: is missing"),
        (
            "strategies = 'uniform'\n[[lineup]]\nstrategies = 'uniform'",
            "strategies: give either strategies or [[lineup]] tables, not both",
        ),
        (
            "[[lineup]]\nstrategies = 'uniform'\n[[lineup]]\nstrategies = 'uniform'",
            "lineup[1]: 'uniform' stands here twice",
        ),
        (
            "[variant.rules]\nlimit = 3",
            "variant: must be written as [[variant]] tables",
        ),
        (
            "[[variant]]\n[variant.rules]\nhand_size = 16",
            "variant[0].rules.hand_size: hand_size=16 is more than the 38 cards",
        ),
    ],
)
def test_values_of_the_wrong_kind_are_named(
    text: str, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "exp.toml"
    rest = {
        "game": "'schadenfreude'",
        "players": 3,
        "deals": 5,
        "seed": 1,
        "strategies": "'uniform'",
    }
    own = [f"{key} = {value}" for key, value in rest.items() if not text.startswith(f"{key} =")]
    if "[[lineup]]" in text:
        own = [line for line in own if not line.startswith("strategies")]
    path.write_text("\n".join([*own, text]))
    lines = complaints(capsys, f"run {path}")
    assert any(words in line for line in lines), lines


# Strategies of the user


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("wrong_syntax", r"wrong_syntax\.py:\d+: SyntaxError: '\(' was never closed"),
        ("raises_on_import", r"raises_on_import\.py:6: ModuleNotFoundError: No module named 'noth"),
        ("no_decide", r"no_decide\.py: there is no function 'decide\(table, me\)'"),
        ("does_not_compile", r"does_not_compile\.py: Invalid use .*does_not_compile\.py\", line 8"),
        (
            "returns_text",
            r"strategy returns_text\.py: decide returns .*, not a whole number .*line \d+",
        ),
        ("misspelt", r"strategy misspelt\.py: table and me have no field 'legl'"),
        ("good:depth=6", r"good\.py: depth=6 is out of bounds; allowed: an integer 0\.\.5"),
        ("good:depth=x", r"good\.py: depth=x is not allowed; allowed: an integer 0\.\.5"),
        ("good:dept=1", r"good\.py: unknown parameter 'dept' \(did you mean 'depth'\?\)"),
        ("plain:depth=1", r"plain\.py: unknown parameter 'depth'; allowed: none"),
    ],
)
def test_a_strategy_file_that_cannot_play_is_a_mistake(
    name: str, words: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    stem, colon, rest = name.partition(":")
    path = own_strategies.write(tmp_path, stem)
    (line,) = complaints(capsys, changed(strategies=f"{path}{colon}{rest}"))
    assert re.search(words, line), line


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("never_imported", r":\d+: not imported after 0\.5 s"),
        ("hangs_in_c", r":\d+: not imported after 0\.5 s"),
        ("quits_on_import", r": its process ended with code 3 while it was imported"),
        ("never_compiled", r":\d+: not compiled after 5 s"),
        ("quits_when_compiled", r": its process ended with code 3 while it was compiled"),
    ],
)
@pytest.mark.parametrize(
    "command",
    [
        "run {} --strategies {} --players 3 --deals 20 --seed 1 --quiet",
        "compare {} --strategies {},lowest --players 3 --deals 20 --seed 1 --out {}.out --quiet",
        "replay {} --strategies {} --players 3 --deals 0:1 --seed 1",
        "check-strategy {} {}",
    ],
)
def test_a_strategy_file_that_does_not_come_back_from_its_import_is_a_mistake(
    command: str,
    name: str,
    words: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    if "compiled" not in name:
        monkeypatch.setattr("sim.catalog.IMPORT_SECONDS", 0.5)
    monkeypatch.setattr("sim.catalog.COMPILE_SECONDS", 5.0)
    path = own_strategies.write(tmp_path, name)
    (line,) = complaints(capsys, command.format("schadenfreude", path, path))
    assert re.fullmatch(rf"\S*{name}\.py{words}", line), line


def test_parameters_must_be_parameters(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    source = "PARAMETERS = ('depth',)\n" + own_strategies.SOURCES["plain"]
    path = own_strategies.write(tmp_path, "loose", source)
    (line,) = complaints(capsys, changed(strategies=str(path)))
    assert re.search(r"loose\.py:\d+: PARAMETERS must be a tuple of Parameter", line)


@pytest.mark.parametrize("name", ["illegal", "raises", "raises_plainly", "writes"])
def test_a_strategy_that_plays_wrong_is_a_failure(
    name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = own_strategies.write(tmp_path, name)
    out = tmp_path / "run"
    command = changed(strategies=f"{path},uniform,uniform", out=str(out)) + " --quiet"
    (line,) = complaints(capsys, command, code=1)
    assert line.startswith(f"strategy {name}.py: ")
    assert "replay it with: fairdeal replay schadenfreude" in line
    again = line.partition("replay it with: fairdeal ")[2]
    assert run(shlex.split(again)) == 1
    seen = capsys.readouterr()
    assert seen.err.startswith(f"fairdeal: strategy {name}.py: ")
    assert run(["status", str(out)]) == 0
    assert capsys.readouterr().out.startswith("interrupted: 0 of 60 games")


# Run folders


def test_a_folder_of_another_run_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = str(tmp_path / "run")
    assert run(shlex.split(changed(out=out))) == 0
    capsys.readouterr()
    (line,) = complaints(capsys, changed(out=out, deals="21"))
    assert line == f"{out}: belongs to another experiment: deals is 20 there and 21 here"
    (line,) = complaints(capsys, changed(out=out, rule="limit=41"))
    assert "limit=41" in line


def test_a_folder_with_a_damaged_manifest_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    out = tmp_path / "run"
    assert run(shlex.split(changed(out=str(out)))) == 0
    capsys.readouterr()
    manifest = out / "manifest.json"
    manifest.write_bytes(manifest.read_bytes()[:100])
    for command in (changed(out=str(out)), f"report {out}", f"status {out}"):
        (line,) = complaints(capsys, command)
        assert line.startswith(f"{out}/manifest.json: is damaged: ")


def test_an_out_that_is_a_file_is_refused(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    (line,) = complaints(capsys, changed(out=f"{tmp_path}/file"))
    assert line == f"{tmp_path}/file: cannot be written: file exists"
    command = "replay schadenfreude --players 3 --strategies uniform --seed 1 --deals 0:1"
    (line,) = complaints(capsys, f"{command} --out {tmp_path}/file/text")
    assert line == f"{tmp_path}/file/text: cannot be written: not a directory"


def test_an_unfinished_run_is_not_reported(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = own_strategies.write(tmp_path, "illegal")
    assert run(shlex.split(changed(strategies=str(path), out=f"{tmp_path}/run"))) == 1
    capsys.readouterr()
    (line,) = complaints(capsys, f"report {tmp_path}/run")
    assert "is not finished; this goes on with it: fairdeal " in line


@pytest.mark.slow
def test_two_processes_cannot_play_into_one_folder(root: Path, tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "plain")
    command = changed(strategies=str(path), deals="200000", out=f"{tmp_path}/run")
    words = [sys.executable, "-m", "sim", *shlex.split(command), "--quiet"]
    environment = os.environ | {"PYTHONPATH": str(root)}
    first = subprocess.Popen(words, env=environment, stdout=subprocess.DEVNULL)
    deadline = time.monotonic() + 60
    while not list((tmp_path / "run").glob("parts/*.totals.parquet")):
        assert time.monotonic() < deadline
        time.sleep(0.01)
    second = subprocess.run(words, env=environment, capture_output=True, text=True, check=False)
    assert second.returncode == 2
    assert second.stdout == ""
    assert second.stderr == f"fairdeal: {tmp_path}/run: is in use by another process\n"
    assert first.poll() is None
    first.terminate()
    first.wait()
