"""The runner: equal results whatever plays them, and no strategy can stop it for ever."""

from __future__ import annotations

import itertools
import os
import re
import threading
import time
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from sim import runner, tables
from sim.board import Board
from sim.errors import Failure, Mistake
from sim.experiment import Experiment
from sim.reading import from_flags
from sim.replay import replay
from sim.results import Memory, Run
from sim.store import Folder
from tests import own_strategies

BACKENDS = pytest.mark.parametrize("backend", ["threads", "processes"])


def experiment(strategies: str | Path, deals: int = 3000, **changes: Any) -> Experiment:
    flags = {
        "game": "schadenfreude",
        "players": 3,
        "strategies": str(strategies),
        "deals": deals,
        "seed": 1,
    }
    return from_flags(flags | changes)


def play(what: Experiment, **how: Any) -> Run:
    return runner.play(what, Memory(what), **how)


def same(one: Run, other: Run) -> bool:
    return one.manifest["sha256"] == other.manifest["sha256"]


@pytest.mark.both_modes
def test_workers_change_nothing() -> None:
    what = experiment("uniform,lowest,highest", deals=300, seed=3)
    one = play(what)
    assert same(one, play(what, jobs=2))
    table = tables.lay(what.seating(0))
    played = table.play(0, 300)
    assert played.totals is not None
    for name, array in played.totals.items():
        np.testing.assert_array_equal(array, one.cells[0].totals[name])


@pytest.mark.slow
def test_processes_change_nothing() -> None:
    what = experiment("uniform,lowest,highest", deals=30_000)
    one = play(what)
    for backend, jobs in itertools.product(runner.BACKENDS, (1, 2)):
        assert same(one, play(what, jobs=jobs, backend=backend))


@pytest.mark.parametrize(
    "strategies", ["uniform", "uniform,lowest,uniform", "uniform," * 2 + "uniform"]
)
@pytest.mark.parametrize("rotate", ["strategies", "hands", "none"])
def test_schedule_and_engine_agree_on_rotations(strategies: str, rotate: str) -> None:
    what = experiment(strategies, rotate=rotate)
    assert tables.lay(what.seating(0)).rotations == what.rotations(what.lineups[0])


def test_every_cell_is_played() -> None:
    what = experiment("uniform")
    rules = dict(what.variants[0].rules)
    short = replace(what.variants[0], name="short", rules=tuple((rules | {"limit": 20}).items()))
    lowest = experiment("lowest").lineups[0]
    both = replace(what, variants=(what.variants[0], short), lineups=(what.lineups[0], lowest))
    run = play(both, jobs=2)
    assert [(cell.variant, cell.name) for cell in run.cells] == [
        ("default", "uniform"), ("default", "lowest"), ("short", "uniform"), ("short", "lowest"),
    ]  # fmt: skip
    rounds = run.game.game_columns.index("rounds")
    means = [cell.totals["game_sum"][rounds] / 3000 for cell in run.cells]
    assert means[2] < means[0]
    assert means[3] < means[1]


def test_seconds_are_those_of_playing() -> None:
    what = experiment("uniform", deals=20_000)
    began = time.perf_counter()
    run = play(what)
    assert 0.001 < run.manifest["seconds"] < time.perf_counter() - began


def test_the_watch_is_told_how_far_it_is(tmp_path: Path) -> None:
    seen: list[int] = []
    what = experiment(own_strategies.write(tmp_path, "plain"), deals=6000)
    play(what, watch=lambda store, under_way: seen.append(store.games + under_way))
    assert len(seen) >= 2
    assert seen[-1] == 6000
    assert 0 < seen[len(seen) // 2] <= 6000


@BACKENDS
@pytest.mark.slow
def test_own_files_with_helpers_play_everywhere(backend: str, tmp_path: Path) -> None:
    helper = f"helper_of_{backend}"  # a process knows one module of a name
    (tmp_path / f"{helper}.py").write_text(
        "from sim.core.cards import lowest\nfrom sim.core.jit import kernel\n"
        "@kernel\ndef pick(cards):\n    return lowest(cards)\n"
    )
    source = (
        f"from {helper} import pick\n@strategy\ndef decide(t, me):\n    return pick(me.legal)\n"
    )
    path = own_strategies.write(tmp_path, "helped", source)
    plain = own_strategies.write(tmp_path, "plain")
    runs = [play(experiment(name, deals=1000), jobs=2, backend=backend) for name in (path, plain)]
    for name, array in runs[0].cells[0].totals.items():
        np.testing.assert_array_equal(array, runs[1].cells[0].totals[name])


@BACKENDS
@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("illegal", "strategy illegal.py: illegal action: 63, which is no card (deal 0, rotation"),
        ("raises", "strategy raises.py: exception: IndexError"),
        ("raises_plainly", "strategy raises_plainly.py: exception: IndexError: list index out of"),
        ("writes", "strategy writes.py: wrote: changed table.players (deal 0, rotation 0, seat"),
    ],
)
@pytest.mark.slow
def test_a_strategy_that_plays_wrong_is_named(
    name: str, words: str, backend: str, tmp_path: Path
) -> None:
    path = own_strategies.write(tmp_path, name)
    what = experiment(f"uniform,{path},uniform")
    with pytest.raises(Failure) as failure:
        play(what, jobs=2, backend=backend)
    assert words in str(failure.value)
    assert "\n" not in str(failure.value)
    assert str(failure.value).endswith(
        "replay it with: fairdeal replay schadenfreude --players 3 --strategies "
        f"uniform,{path},uniform --seed 1 --deals 0:1 --rotation 0"
    )


def test_a_strategy_that_does_not_compile_is_a_mistake(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "does_not_compile")
    with pytest.raises(Mistake, match=r"does_not_compile\.py") as mistake:
        play(experiment(path))
    assert "\n" not in str(mistake.value)


@pytest.mark.parametrize("name", ["hangs", "hangs_plainly"])
@pytest.mark.slow
def test_a_strategy_that_hangs_is_named(name: str, tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, name)
    began = time.monotonic()
    with pytest.raises(Failure) as failure:
        play(experiment(f"{path},uniform,uniform"), jobs=2, backend="processes", hang_seconds=1.0)
    assert time.monotonic() - began < 30
    assert re.match(
        rf"deals \d+:\d+ cannot be finished: strategy {name}\.py hangs: no answer for 1 s "
        r"\(deal \d+, rotation \d, seat \d\); replay it with: fairdeal replay schadenfreude ",
        str(failure.value),
    )


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("end", "words"),
    [
        ("os._exit(3)", "ended with code 3"),
        ("os._exit(0)", "ended with code 0"),
        ("os.kill(os.getpid(), 11)", "ended by SIGSEGV"),
        ("os.kill(os.getpid(), 9)", "was ended by SIGKILL, by itself or from outside"),
    ],
)
@pytest.mark.slow
def test_a_strategy_that_ends_its_process_is_named(
    jobs: int, end: str, words: str, tmp_path: Path
) -> None:
    source = own_strategies.SOURCES["quits"].replace("os._exit(3)", end)
    path = own_strategies.write(tmp_path, "quits", source)
    what = experiment(f"uniform,{path},uniform")
    with pytest.raises(Failure) as failure:
        play(what, jobs=jobs)
    found = re.fullmatch(
        r"deals \d+:\d+ cannot be finished: (strategy quits\.py was asked last: its process "
        rf"{words} \(deal (\d+), rotation (\d), seat \d\); replay it with: fairdeal replay "
        r"schadenfreude --players 3 --strategies uniform,\S+,uniform --seed 1 --deals (\d+):\d+ "
        r"--rotation (\d))",
        str(failure.value),
    )
    assert found
    line, *place = found.groups()
    assert place[:2] == place[2:]
    with pytest.raises(Failure) as failure:
        list(replay(what, int(place[0]), int(place[0]) + 1, int(place[1])))
    assert str(failure.value) == line


@pytest.mark.slow
def test_what_was_finished_before_a_strategy_hung_is_kept(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "hangs_late")
    what = experiment(f"{path},uniform,uniform", deals=100_000)
    with (
        Folder(tmp_path / "run", what) as folder,
        pytest.raises(Failure, match=r"strategy hangs_late\.py hangs"),
    ):
        runner.play(what, folder, jobs=2, backend="processes", hang_seconds=1.0)
    with Folder(tmp_path / "run", what) as folder:
        assert folder.games > 0


def test_a_slow_strategy_does_not_hang(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "slow")
    run = play(experiment(path, deals=2), hang_seconds=0.5)
    assert run.manifest["seconds"] > 2


@pytest.mark.slow
def test_what_follows_the_games_accuses_nobody(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the first import of pyarrow in a worker on a busy machine."""
    packed = runner.rows_file

    def slowly(rows: Any) -> Any:
        time.sleep(2)
        return packed(rows)

    monkeypatch.setattr(runner, "rows_file", slowly)
    what = experiment("lowest,uniform,uniform", deals=5, mode="games")
    with Folder(tmp_path / "run", what) as folder:
        run = runner.play(what, folder, jobs=1, hang_seconds=0.5)
    assert run.manifest["seconds"] < 2


def test_a_board_finds_what_does_not_move() -> None:
    with Board(is_shared=False) as board, board.playing(1) as still, board.playing(2) as moving:
        still[:4] = (5, 1, 2, 100)
        moving[:4] = (7, 0, 1, 50)
        assert board.games([1, 2, 3]) == 150
        found, looks = None, 0
        while found is None and looks < 1000:
            moving[3] += 1
            looks += 1
            time.sleep(0.01)
            found = board.find_stuck([1, 2], limit=0.2)
        assert found == (1, 5, 1, 2, 0)
    assert board.games([1, 2]) == 0


def test_a_shared_board_is_the_same_memory() -> None:
    with Board(is_shared=True) as board:
        path = board.path
        assert path is not None
        attach, words = board.__reduce__()
        other = attach(*words)
        with other.playing(9) as slot:
            slot[3] = 44
            assert board.games([9]) == 44
            assert int(board.slots[9][6]) == os.getpid()
    assert not os.path.exists(path)


def test_no_thread_is_left_behind() -> None:
    play(experiment("uniform"), jobs=2)
    assert not [one for one in threading.enumerate() if one.name.startswith("fairdeal-")]


@pytest.mark.deep
def test_results_of_a_large_run_do_not_depend_on_workers() -> None:
    what = experiment("uniform", deals=1_000_000)
    runs = [play(what, jobs=jobs, backend=b) for b in runner.BACKENDS for jobs in (1, 2)]
    assert all(same(runs[0], run) for run in runs)


def test_playing_time_is_counted_once_and_without_the_gaps() -> None:
    clock = runner.Stopwatch()
    assert clock.add(10.0, 12.0) == 2.0
    assert clock.add(11.0, 13.0) == 1.0  # two chunks at once
    assert clock.add(20.0, 21.0) == 1.0  # nobody played from 13 to 20
    assert clock.add(9.0, 21.0) == 8.0
