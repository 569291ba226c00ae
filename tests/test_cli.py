"""The command `fairdeal` as its user meets it: flags, tables, JSON, interruptions."""

from __future__ import annotations

import io
import json
import os
import re
import resource
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest
from click import Argument

from sim.cli import run
from sim.cli.commands import fairdeal
from sim.cli.console import Progress, duration, table
from sim.reading import from_flags
from sim.results import Memory
from sim.runner import play
from tests import own_strategies
from tests.naive.check_transcript import check_schadenfreude

SMALL = "run schadenfreude --players 3 --strategies uniform --deals 2000 --seed 1"
LINE_UP = "run schadenfreude --players 3 --strategies uniform,lowest,highest --deals 500 --seed 1"
COMMANDS = sorted(fairdeal.commands)


def words(command: str, **more: Any) -> list[str]:
    return [*shlex.split(command), *(str(part) for item in more.items() for part in item)]


def object_of(capsys: pytest.CaptureFixture[str], command: str) -> dict[str, Any]:
    assert run(words(command + " --json --quiet")) == 0
    (line,) = capsys.readouterr().out.splitlines()
    found = json.loads(line)
    assert isinstance(found, dict)
    return found


def start(root: Path, command: str, program: str = "-m sim", **how: Any) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, *shlex.split(program), *shlex.split(command)],
        env=os.environ | {"PYTHONPATH": str(root)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        **how,
    )


def wait_for_chunks(folder: Path, n: int) -> None:
    deadline = time.monotonic() + 120
    while len(list(folder.glob("parts/*.totals.parquet"))) < n:
        assert time.monotonic() < deadline
        time.sleep(0.01)


# Help


@pytest.mark.parametrize("command", ["", *COMMANDS])
def test_every_example_works_when_pasted(
    command: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    assert run([*filter(None, [command]), "--help"]) == 0
    text = capsys.readouterr().out
    assert "Example" in text
    examples = text.partition("Example")[2].partition("\n")[2].replace("\\\n", " ").splitlines()
    examples = [line.strip() for line in examples if line.strip()]
    assert examples
    for example in examples:
        name, *rest = shlex.split(example)
        assert name == "fairdeal"
        assert run(rest) == 0, example


def test_help_answers_at_once(root: Path) -> None:
    times = []
    for _ in range(5):
        began = time.perf_counter()
        assert start(root, "--help").wait() == 0
        times.append(time.perf_counter() - began)
    assert min(times) < 0.3


@pytest.mark.parametrize(
    ("flag", "value", "complaint"),
    [
        ("--jobs", "0", "--jobs: '0' is not allowed; allowed: an integer from 1"),
        ("--lang", "fr", "--lang: unknown value 'fr'; allowed: en, zh"),
    ],
)
def test_a_flag_is_checked_alike_in_all_commands(
    flag: str, value: str, complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    games = ["schadenfreude", "lowest"]
    for name, command in fairdeal.commands.items():
        if any(flag in option.opts for option in command.params):
            places = sum(isinstance(each, Argument) for each in command.params)
            for given in {places, 0 if name == "balance" else places}:
                assert run([name, *games[:given], flag, value]) == 2
                assert f"fairdeal: {complaint}\n" in capsys.readouterr().err, (name, given)


def test_python_m_sim_is_the_same_program(root: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    assert start(root, "games").communicate()[0] == capsys.readouterr().out


# Lists


def test_games_are_listed_with_their_switches(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["games"]) == 0
    text = capsys.readouterr().out
    assert "schadenfreude: Schadenfreude 幸灾乐祸, 3, 4, 5 players" in text
    assert "--rule removed_3p=-2,-1,9" in text
    assert run(["games", "--json"]) == 0
    games = json.loads(capsys.readouterr().out)
    (game,) = [game for game in games if game["name"] == "schadenfreude"]
    assert game["players"] == [3, 4, 5]
    assert {"name", "default", "allowed", "meaning", "needs"} == set(game["switches"][0])
    assert text.count("      only with ") == sum(
        len(switch["needs"]) for one in games for switch in one["switches"]
    )


def test_strategies_are_listed_with_their_parameters(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["strategies"]) == 0
    assert "schadenfreude uniform 随机出牌: Play any legal card" in capsys.readouterr().out
    assert run(["strategies", "schadenfreude", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {"uniform", "lowest"} <= {entry["name"] for entry in found}
    assert {entry["game"] for entry in found} == {"schadenfreude"}
    for entry in found:
        for parameter in entry["parameters"]:
            assert parameter["low"] <= parameter["default"] <= parameter["high"]


# Runs


@pytest.mark.both_modes
def test_the_object_holds_the_contract(capsys: pytest.CaptureFixture[str]) -> None:
    found = object_of(capsys, SMALL.replace("2000", "40"))
    assert (found["game"], found["players"], found["deals"], found["games"]) == (
        "schadenfreude", 3, 40, 40,
    )  # fmt: skip
    assert found["seconds"] > 0
    assert re.fullmatch("[0-9a-f]{64}", found["sha256"])
    assert [cell["seat"] for cell in found["cells"]] == [0, 1, 2]
    for cell in found["cells"]:
        assert cell["variant"] == "default"
        assert cell["lineup"] == ["uniform"] * 3
        assert cell["strategy"] == "uniform"
        assert cell["games"] == 40
        assert set(cell["win_share"]) == set(cell["score"]) == {"mean", "se"}
        assert {"bust", "rounds", "tricks", "nobody", "unfinished"} <= set(cell["measures"])


def test_the_numbers_are_those_of_the_games(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import pandas as pd

    found = object_of(capsys, f"{LINE_UP} --mode games --out {tmp_path}/run")
    rows = pd.read_parquet(tmp_path / "run" / "games.parquet")
    deals = rows.groupby("deal")
    for seat, cell in enumerate(found["cells"]):
        assert cell["strategy"] is None  # another one in every rotation
        share = deals[f"win_share_{seat}"].mean() / 2520
        score = deals[f"score_{seat}"].mean()
        assert cell["win_share"]["mean"] == pytest.approx(share.mean())
        assert cell["win_share"]["se"] == pytest.approx(share.sem())
        assert cell["score"]["mean"] == pytest.approx(score.mean())
        assert cell["score"]["se"] == pytest.approx(score.sem())
        assert cell["measures"]["rounds"]["mean"] == pytest.approx(rows["rounds"].mean())
    for position, entry in enumerate(found["strategies"]):
        own = sum(
            rows[f"win_share_{seat}"].where(rows[f"entry_{seat}"] == position, 0)
            for seat in range(3)
        )
        share = (own / 2520).groupby(rows["deal"]).mean()
        assert entry["strategy"] == ["uniform", "lowest", "highest"][position]
        assert entry["win_share"]["mean"] == pytest.approx(share.mean())
        assert entry["win_share"]["se"] == pytest.approx(share.sem())


def test_hands_that_rotate_leave_strategies_in_their_seats(
    capsys: pytest.CaptureFixture[str],
) -> None:
    found = object_of(capsys, LINE_UP + " --rotate hands")
    assert [cell["strategy"] for cell in found["cells"]] == ["uniform", "lowest", "highest"]
    assert found["games"] == 1500


def test_with_json_all_else_goes_to_standard_error(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(SMALL + " --json")) == 0
    seen = capsys.readouterr()
    assert json.loads(seen.out)["games"] == 2000
    assert "win share" in seen.err


def test_the_table_holds_what_people_ask(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(LINE_UP)) == 0
    text = capsys.readouterr().out
    assert "Schadenfreude 幸灾乐祸, 3 players, seed 1: 1,500 games on 500 deals in" in text
    for line in ("uniform", "lowest", "highest", "seat 0", "seat 2", "place 1"):
        assert re.search(rf"^  {line} +\d+\.\d % +\d+\.\d to \d+\.\d +\d+\.\d\d ", text, re.M)
    for line in ("nobody wins", "shared win", "unfinished", "decisions", "rounds"):
        assert re.search(rf"^  {line} +\d", text, re.M)
    assert re.search("^sha256 [0-9a-f]{64}$", text, re.M)


def test_a_rule_that_is_a_table_is_played() -> None:
    game = ["kanpai", "--players", "3", "--strategies", "uniform", "--seed", "1"]
    profile = ["--rule", f"deck_profile={','.join(5 * ['[1, 4, 5, 2, 3]'])}"]
    assert run(["run", *game, "--deals", "3", "--json", *profile]) == 0
    assert run(["replay", *game, "--deals", "0:1", *profile]) == 0


def test_an_experiment_file_plays_all_its_cells(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = tmp_path / "exp.toml"
    path.write_text(
        'game = "schadenfreude"\nplayers = 4\ndeals = 100\nseed = 3\n'
        '[[lineup]]\nstrategies = ["uniform"]\n'
        '[[lineup]]\nname = "mixed"\nstrategies = ["uniform", "lowest", "uniform", "highest"]\n'
        '[[variant]]\nname = "short"\n[variant.rules]\nlimit = 20\n[[variant]]\n'
    )
    found = object_of(capsys, f"run {path}")
    assert found["games"] == 2 * (100 + 400)
    assert [(cell["variant"], cell["seat"]) for cell in found["cells"][::4]] == [
        ("short", 0), ("short", 0), ("default", 0), ("default", 0),
    ]  # fmt: skip
    assert run(words(f"run {path}")) == 0
    assert "\nmixed, short\n" in capsys.readouterr().out


def test_a_finished_folder_is_reported_again(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    first = object_of(capsys, f"{SMALL} --out {tmp_path}/run")
    assert object_of(capsys, f"{SMALL} --out {tmp_path}/run") == first
    assert run(["status", f"{tmp_path}/run"]) == 0
    text = capsys.readouterr().out
    assert text.startswith("finished: 2,000 of 2,000 games (100.0 %)\n")
    assert first["sha256"] in text


def test_own_parameters_are_told_apart(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "good")
    command = f"run schadenfreude --players 3 --deals 50 --seed 1 --strategies {path}:depth=3"
    found = object_of(capsys, f"{command},uniform,{path}")
    assert found["cells"][0]["lineup"] == ["good.py:depth=3", "uniform", "good.py"]


def test_a_warm_run_of_ten_thousand_games_is_quick(root: Path) -> None:
    command = SMALL.replace("2000", "10000")
    times = []
    for _ in range(3):  # the first may have to compile
        before = resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime
        assert start(root, command).wait() == 0
        times.append(resource.getrusage(resource.RUSAGE_CHILDREN).ru_utime - before)
    assert min(times[1:]) < 2.0


# Interruptions


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.slow
def test_after_ctrl_c_the_same_command_goes_on(root: Path, backend: str, tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "plain")
    base = f"run schadenfreude --players 3 --strategies {path} --deals 8000 --seed 1 --json --quiet"
    command = f"{base} --jobs 2 --backend {backend} --out {tmp_path}/left"
    process = start(root, command)
    wait_for_chunks(tmp_path / "left", 3)
    os.killpg(process.pid, signal.SIGINT)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 130
    assert out == ""
    assert re.fullmatch(
        r"fairdeal: interrupted; [\d,]+ finished games are kept in "
        r"\S+/left, the same command goes on\n",
        err,
    )
    kept = len(list((tmp_path / "left").glob("parts/*.totals.parquet")))
    assert kept >= 3
    status = start(root, f"status {tmp_path}/left").communicate()[0]
    assert status.startswith("interrupted: ")
    resumed = json.loads(start(root, command).communicate()[0])
    whole = json.loads(start(root, f"{base} --out {tmp_path}/whole").communicate()[0])
    assert resumed["sha256"] == whole["sha256"]
    assert (tmp_path / "left" / "totals.parquet").read_bytes() == (
        tmp_path / "whole" / "totals.parquet"
    ).read_bytes()


@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.slow
def test_after_kill_9_the_same_command_goes_on(root: Path, backend: str, tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "plain")
    base = f"run schadenfreude --players 3 --strategies {path} --deals 8000 --seed 1 --json"
    command = f"{base} --mode games --jobs 2 --backend {backend} --out {tmp_path}/left"
    for chunks in (2, 5):
        process = start(root, command)
        wait_for_chunks(tmp_path / "left", chunks)
        process.kill()
        process.communicate(timeout=60)
    assert not (tmp_path / "left" / "totals.parquet").exists()
    resumed = json.loads(start(root, command).communicate()[0])
    whole = start(root, f"{base} --mode games --jobs 1 --out {tmp_path}/whole").communicate()[0]
    assert resumed["sha256"] == json.loads(whole)["sha256"]
    for name in ("totals.parquet", "games.parquet"):
        left, whole_one = (tmp_path / folder / name for folder in ("left", "whole"))
        assert left.read_bytes() == whole_one.read_bytes()


@pytest.mark.slow
def test_workers_end_with_their_head(root: Path, tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "hangs_plainly")
    command = f"run schadenfreude --players 3 --strategies {path} --deals 12000 --seed 1 --jobs 2"
    process = start(root, command + " --backend processes")
    deadline = time.monotonic() + 60
    while len(children(process.pid)) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    time.sleep(2.0)  # they are at play now
    workers = children(process.pid)
    process.kill()
    process.wait()
    while any(Path(f"/proc/{worker}").exists() for worker in workers):
        assert time.monotonic() < deadline
        time.sleep(0.05)


def children(pid: int) -> list[int]:
    """Worker processes, the tracker of resources left out."""
    found = []
    for path in Path("/proc").glob("[0-9]*"):
        try:
            parent = path.joinpath("stat").read_text().rpartition(")")[2].split()[1]
            line = path.joinpath("cmdline").read_bytes()
        except OSError:
            continue
        if int(parent) == pid and b"tracker" not in line:
            found.append(int(path.name))
    return found


@pytest.mark.parametrize("name", ["hangs", "hangs_plainly"])
@pytest.mark.parametrize("backend", ["threads", "processes"])
@pytest.mark.slow
def test_a_strategy_that_hangs_ends_the_run(
    root: Path, name: str, backend: str, tmp_path: Path
) -> None:
    path = own_strategies.write(tmp_path, name)
    program = shlex.join(
        ["-c", "from sim import cli, workers; workers.HANG_SECONDS = 1.0; cli.main()"]
    )
    command = f"run schadenfreude --players 3 --strategies uniform,{path},uniform --deals 9000"
    process = start(root, f"{command} --seed 1 --quiet --jobs 2 --backend {backend}", program)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert out == ""
    (line,) = err.splitlines()
    assert re.fullmatch(
        rf"fairdeal: deals \d+:\d+ cannot be finished: strategy {name}\.py hangs: no answer for "
        r"1 s \(deal \d+, rotation \d, seat \d\); replay it with: fairdeal replay .*",
        line,
    )
    again = shlex.split(line.partition("replay it with: ")[2])[1:]
    process = start(root, shlex.join(again), program)
    out, err = process.communicate(timeout=60)
    assert process.returncode == 1
    assert f"strategy {name}.py hangs" in err


@pytest.mark.slow
def test_ctrl_c_ends_a_replay_that_hangs(root: Path, tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "hangs")
    command = f"replay schadenfreude --players 3 --strategies {path} --seed 1 --deals 0:1"
    process = start(root, command)
    time.sleep(6.0)
    os.killpg(process.pid, signal.SIGINT)
    assert process.communicate(timeout=60)[1] == "fairdeal: interrupted\n"
    assert process.returncode == 130


@pytest.mark.slow
def test_a_run_that_was_stopped_for_a_while_goes_on(root: Path, tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "plain")
    command = f"run schadenfreude --players 3 --strategies {path} --deals 8000 --seed 1 --jobs 2"
    program = shlex.join(
        ["-c", "from sim import cli, workers; workers.HANG_SECONDS = 1.5; cli.main()"]
    )
    process = start(root, f"{command} --out {tmp_path}/run --quiet", program)
    wait_for_chunks(tmp_path / "run", 2)
    os.killpg(process.pid, signal.SIGSTOP)  # Ctrl-Z
    time.sleep(3.0)
    os.killpg(process.pid, signal.SIGCONT)
    assert process.communicate(timeout=60)[1] == ""
    assert process.returncode == 0


@pytest.mark.parametrize("command", ["", "--version", "-h"])
def test_without_a_command_there_is_help(command: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(words(command)) == 0
    seen = capsys.readouterr()
    assert "fairdeal" in seen.out
    assert seen.err == ""


def test_a_locale_without_chinese_is_no_error(root: Path) -> None:
    environment = os.environ | {"PYTHONPATH": str(root), "PYTHONIOENCODING": "ascii"}
    words = [sys.executable, "-m", "sim", "games"]
    shown = subprocess.run(words, env=environment, capture_output=True, check=True).stdout
    assert "幸灾乐祸" in shown.decode("utf-8")


def test_a_reader_that_has_seen_enough_is_no_error(root: Path) -> None:
    command = "replay schadenfreude --players 3 --strategies uniform --seed 1 --deals 0:200"
    process = start(root, command)
    assert process.stdout is not None
    assert process.stderr is not None
    process.stdout.readline()
    process.stdout.close()
    assert process.stderr.read() == ""
    assert process.wait(timeout=60) == 0


# Replays


def test_a_replay_is_a_transcript(capsys: pytest.CaptureFixture[str]) -> None:
    command = "replay schadenfreude --players 3 --strategies uniform,lowest,uniform --seed 1"
    assert run(words(command + " --deals 5:7 --format jsonl")) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    games = [line for line in lines if line["type"] == "game"]
    assert [(game["deal"], game["rotation"]) for game in games] == [
        (deal, rotation) for deal in (5, 6) for rotation in range(3)
    ]
    assert sorted(games[0]["lineup"]) == ["lowest", "uniform", "uniform"]
    results = [line for line in lines if line["type"] == "result"]
    assert len(results) == 6
    for result in results:
        assert sum(result["win_share"]) == pytest.approx(1 if result["winners"] else 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    "what",
    [
        "--players 3 --strategies uniform --deals 0:400",
        "--players 4 --strategies highest,lowest,uniform,uniform --deals 0:75 --rule limit=30",
        "--players 5 --strategies lowest --deals 0:60 --rotate hands --rule wild_rank=zero_ten",
    ],
)
def test_a_thousand_replays_follow_the_rules(what: str, tmp_path: Path) -> None:
    command = f"replay schadenfreude {what} --seed 1 --format jsonl --out {tmp_path}/games"
    assert run(words(command)) == 0
    games: list[list[dict[str, Any]]] = []
    for text in (tmp_path / "games").read_text(encoding="utf-8").splitlines():
        line = json.loads(text)
        if line["type"] == "game":
            games.append([])
        games[-1].append(line)
    assert len(games) in (400, 300)
    for lines in games:
        check_schadenfreude(lines)


def test_a_replay_is_the_game_of_the_run(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    import pandas as pd

    object_of(capsys, f"{LINE_UP} --mode games --rule limit=30 --out {tmp_path}/run")
    rows = pd.read_parquet(tmp_path / "run" / "games.parquet").set_index(["deal", "rotation"])
    assert run(words(f"replay {tmp_path}/run --deals 10:40 --format jsonl")) == 0
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    heads = [line for line in lines if line["type"] == "game"]
    results = [line for line in lines if line["type"] == "result"]
    assert len(results) == 90
    for head, result in zip(heads, results, strict=True):
        row = rows.loc[(head["deal"], head["rotation"])]
        assert head["rules"]["limit"] == 30
        assert result["scores"] == [row[f"score_{seat}"] for seat in range(3)]
        assert result["rounds"] == row["rounds"]
        assert head["lineup"] == [
            ["uniform", "lowest", "highest"][row[f"entry_{seat}"]] for seat in range(3)
        ]
        for seat in range(3):
            assert result["win_share"][seat] == pytest.approx(row[f"win_share_{seat}"] / 2520)


@pytest.mark.parametrize(
    ("lang", "word", "name"),
    [("en", "Result: finished after", "uniform"), ("zh", "结果：正常结束", "随机出牌")],
)
def test_a_replay_reads_as_text(
    lang: str, word: str, name: str, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    command = "replay schadenfreude --players 3 --strategies uniform --seed 1 --deals 0:2"
    assert run(words(f"{command} --rotation 0 --lang {lang} --out {tmp_path}/text")) == 0
    assert capsys.readouterr().out == ""
    text = (tmp_path / "text").read_text(encoding="utf-8")
    assert text.count(word) == 2 and text.count(f": {name}" if lang == "en" else name) == 6
    assert re.search(r"−\d", text) and not re.search(r"(?<!\d)-\d", text)


def test_a_game_that_went_wrong_is_shown_up_to_there(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    path = own_strategies.write(tmp_path, "illegal")
    command = f"replay schadenfreude --players 3 --strategies {path} --seed 1 --deals 0:2"
    assert run(words(command)) == 1
    seen = capsys.readouterr()
    assert "Round 1" in seen.out
    assert "Result" not in seen.out
    assert seen.err.startswith("fairdeal: strategy illegal.py: illegal action: 63")
    assert len(seen.err.splitlines()) == 1


# Reports


@pytest.mark.slow
def test_a_report_says_where_it_is(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    object_of(capsys, f"{SMALL} --out {tmp_path}/run")
    assert run(["report", f"{tmp_path}/run", "--lang", "zh", "--out", f"{tmp_path}/page.html"]) == 0
    where, headline = capsys.readouterr().out.splitlines()
    assert where == f"{tmp_path}/page.html"
    assert "随机出牌" in headline
    assert (tmp_path / "page.html").read_text(encoding="utf-8").startswith("<!")


# Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("kind", [io.StringIO, Terminal])
def test_progress_tells_games_speed_time_and_result(
    kind: type[io.StringIO], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.cli.console.EVERY", (0.01, 0.01))
    path = own_strategies.write(tmp_path, "plain")
    flags = {"game": "schadenfreude", "players": 3, "strategies": path, "deals": 5000, "seed": 1}
    experiment = from_flags(flags | {"strategies": str(path)})
    stream = kind()
    progress = Progress(experiment.games, lambda store: "place 0 wins 30 %", stream)
    play(experiment, Memory(experiment), watch=progress)
    progress.close()
    form = r"[\d,]+ of 5,000 games \(\d+ %\), [\d,]+ games/s, \d+ s left \| place 0 wins 30 %"
    assert re.search(form, stream.getvalue())
    if kind is Terminal:
        assert "\n" not in stream.getvalue()
        assert re.search(r"\r +\r$", stream.getvalue())
    else:
        assert "\r" not in stream.getvalue()


def test_a_long_wait_at_the_start_is_explained(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sim.cli.console.PATIENCE", 0.01)
    stream = io.StringIO()
    progress = Progress(100, lambda store: "", stream)
    time.sleep(0.2)
    progress.close()
    assert stream.getvalue() == "compiling, which takes up to a minute the first time\n"


@pytest.mark.parametrize(
    ("seconds", "words"), [(8.2, "8 s"), (200.0, "3 min 20 s"), (7500.0, "2 h 5 min")]
)
def test_durations_are_for_people(seconds: float, words: str) -> None:
    assert duration(seconds) == words


def test_tables_are_aligned() -> None:
    rows = [["", "mean"], ["a", "1.0"], ["longer", "10.25"]]
    assert table(rows) == "            mean\n  a          1.0\n  longer   10.25"
