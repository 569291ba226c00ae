"""Run folders: nothing finished is lost, and nothing foreign or damaged is taken for it."""

from __future__ import annotations

import errno
import json
import os
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from sim import store
from sim.core.game import SHARE_UNIT
from sim.errors import Failure, Mistake
from sim.experiment import Experiment
from sim.reading import from_flags
from sim.redraws import redrawn
from sim.results import Memory, Run, Totals
from sim.runner import play
from sim.schedule import Chunk, Schedule, gaps
from tests import own_strategies

FLAGS = {
    "game": "schadenfreude",
    "players": "3",
    "strategies": "uniform,lowest,uniform",
    "deals": "60",
    "seed": "1",
}


@pytest.fixture
def experiment() -> Experiment:
    return from_flags(FLAGS)


@pytest.fixture
def rows_experiment(experiment: Experiment) -> Experiment:
    return replace(experiment, mode="games")


class Chunked(Schedule):
    """Chunks of a size that the test chooses."""

    size = 7

    def _deals(self, cell: int) -> int:
        return self.size


def run(experiment: Experiment, folder: Path, size: int, monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr("sim.runner.Schedule", Chunked)
    monkeypatch.setattr(Chunked, "size", size)
    with store.Folder(folder, experiment, "fairdeal run it") as opened:
        return play(experiment, opened)


class Enough(Exception):
    """Stops a run after some chunks."""


def interrupted(
    experiment: Experiment, folder: Path, size: int, chunks: int, patch: pytest.MonkeyPatch
) -> None:
    """Leave a folder as a kill after so many chunks leaves it."""
    add = store.Folder.add
    left = [chunks]

    def add_some(
        self: store.Folder, chunk: Chunk, totals: Totals, rows: bytes | None, seconds: float
    ) -> None:
        if not left[0]:
            raise Enough
        left[0] -= 1
        add(self, chunk, totals, rows, seconds)

    with patch.context() as patched:
        patched.setattr(store.Folder, "add", add_some)
        with pytest.raises(Enough):
            run(experiment, folder, size, patched)


def content(folder: Path) -> dict[str, bytes]:
    names = ("experiment.toml", "totals.parquet", "games.parquet")
    return {name: (folder / name).read_bytes() for name in names if (folder / name).exists()}


def parts(folder: Path) -> list[Path]:
    return sorted((folder / "parts").glob("*.totals.parquet"))


def test_gaps_are_what_nothing_covers() -> None:
    assert gaps([], 10) == [(0, 10)]
    assert gaps([(7, 9), (0, 3)], 10) == [(3, 7), (9, 10)]
    assert gaps([(0, 10)], 10) == []


def test_chunks_cover_every_deal_once(experiment: Experiment) -> None:
    schedule = Schedule(experiment, {0: [(10, 20)]}, jobs=2)
    covered = []
    for chunk in schedule:
        covered += range(chunk.first, chunk.last)
        schedule.learn(chunk, 0.001)
    assert covered == [*range(10), *range(20, 60)]


def test_chunks_grow_with_the_speed_and_shrink_at_the_end(experiment: Experiment) -> None:
    schedule = Schedule(replace(experiment, deals=10_000_000), jobs=2, aim=0.3)
    sizes = []
    for chunk in schedule:
        sizes.append(chunk.last - chunk.first)
        schedule.learn(chunk, sizes[-1] * 3 / 300_000)  # 300,000 games a second
    assert sizes[0] == 134
    assert sizes[1] == 30_000
    assert max(sizes) <= 300_000
    assert sizes[-1] <= 2_000


def test_bytes_and_hash_do_not_depend_on_the_chunks(
    rows_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs = [run(rows_experiment, tmp_path / f"{n}", n, monkeypatch) for n in (60, 7, 1)]
    assert len({made.manifest["sha256"] for made in runs}) == 1
    assert content(tmp_path / "60") == content(tmp_path / "7") == content(tmp_path / "1")
    assert set(content(tmp_path / "1")) == {"experiment.toml", "totals.parquet", "games.parquet"}


def test_a_run_goes_on_where_it_was_left(
    rows_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(rows_experiment, tmp_path / "whole", 60, monkeypatch)
    interrupted(rows_experiment, tmp_path / "left", 7, 4, monkeypatch)
    assert len(parts(tmp_path / "left")) == 4
    assert store.status(tmp_path / "left").games == 4 * 7 * 3
    with store.Folder(tmp_path / "left", rows_experiment) as opened:
        assert opened.done == {0: [(0, 7), (7, 14), (14, 21), (21, 28)]}
    resumed = run(rows_experiment, tmp_path / "left", 11, monkeypatch)
    assert resumed.manifest["sha256"] == whole.manifest["sha256"]
    assert content(tmp_path / "left") == content(tmp_path / "whole")
    assert not (tmp_path / "left" / "parts").exists()


def test_a_kill_between_merging_and_the_manifest_costs_nothing(
    rows_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(rows_experiment, tmp_path / "whole", 60, monkeypatch)
    with monkeypatch.context() as patched:
        patched.setattr("sim.store.folder.results_hash", lambda *_: 1 / 0)
        with pytest.raises(ZeroDivisionError):
            run(rows_experiment, tmp_path / "left", 7, patched)
    assert (tmp_path / "left" / "totals.parquet").exists()
    resumed = run(rows_experiment, tmp_path / "left", 7, monkeypatch)
    assert resumed.manifest["sha256"] == whole.manifest["sha256"]
    assert content(tmp_path / "left") == content(tmp_path / "whole")


def test_in_memory_and_in_a_folder_the_results_are_the_same(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = run(experiment, tmp_path / "run", 7, monkeypatch)
    monkeypatch.undo()
    lost = play(experiment, Memory(experiment))
    assert lost.manifest["sha256"] == kept.manifest["sha256"]
    for name, array in lost.cells[0].totals.items():
        np.testing.assert_array_equal(array, kept.cells[0].totals[name])


def test_a_finished_run_is_read_again(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run(experiment, tmp_path, 7, monkeypatch)
    read = store.open_run(tmp_path)
    assert read.experiment == experiment
    assert read.manifest == made.manifest
    assert read.game.name == "schadenfreude"
    (cell,) = read.cells
    assert (cell.variant, cell.lineup, cell.rotations) == (
        "default",
        ("uniform", "lowest", "uniform"),
        3,
    )
    assert cell.totals["sum"].shape == (3, len(read.game.seat_columns), 3)
    assert int(cell.totals["games"][0]) == 180


def test_a_finished_run_is_not_played_again(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run(experiment, tmp_path, 7, monkeypatch)
    before = (tmp_path / "manifest.json").read_bytes()
    monkeypatch.setattr("sim.tables.lay", lambda *_: 1 / 0)
    assert run(experiment, tmp_path, 7, monkeypatch).manifest == made.manifest
    assert (tmp_path / "manifest.json").read_bytes() == before


def test_rows_hold_a_game_each_in_the_order_of_deals(
    rows_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = run(rows_experiment, tmp_path, 7, monkeypatch)
    rows = pd.read_parquet(tmp_path / "games.parquet")
    assert len(rows) == 180
    assert rows["deal"].tolist() == [deal for deal in range(60) for _ in range(3)]
    assert rows["rotation"].tolist() == [0, 1, 2] * 60
    assert set(rows["variant"]) == {"default"}
    assert set(rows["lineup"]) == {"uniform,lowest,uniform"}
    shares = rows[[f"win_share_{seat}" for seat in range(3)]].to_numpy()
    assert set(shares.sum(axis=1)) <= {0, SHARE_UNIT}
    entries = rows[[f"entry_{seat}" for seat in range(3)]].to_numpy()
    assert (np.sort(entries, axis=1) == [0, 1, 2]).all()
    assert "score_3" not in rows
    totals, columns = made.cells[0].totals, made.game.seat_columns
    by_seat = totals["sum"][1, columns.index("win_share")]
    np.testing.assert_array_equal(shares.sum(axis=0), by_seat)
    scores = rows[[f"score_{seat}" for seat in range(3)]].to_numpy()
    np.testing.assert_array_equal(scores.sum(axis=0), totals["sum"][1, columns.index("score")])
    assert rows["rounds"].sum() == totals["game_sum"][made.game.game_columns.index("rounds")]


def test_row_groups_do_not_depend_on_chunks(
    rows_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.store.parquet.ROW_GROUP", 50)
    a = run(rows_experiment, tmp_path / "a", 60, monkeypatch)
    b = run(rows_experiment, tmp_path / "b", 3, monkeypatch)
    assert a.manifest["rows_sha256"] == b.manifest["rows_sha256"]
    assert content(tmp_path / "a") == content(tmp_path / "b")


def test_the_manifest_says_how_it_was_made(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    manifest = run(experiment, tmp_path, 7, monkeypatch).manifest
    assert json.loads((tmp_path / "manifest.json").read_text()) == manifest
    assert manifest["state"] == "finished"
    assert manifest["command"] == "fairdeal run it"
    assert manifest["experiment"] == experiment.fingerprint
    assert manifest["games"] == 180
    assert manifest["seconds"] > 0
    assert {"python", "numba", "numpy", "fairdeal"} <= set(manifest["versions"])
    assert {"system", "processor", "cores"} <= set(manifest["machine"])
    assert "strategies/schadenfreude/lowest.py" in manifest["sources"]
    assert len(manifest["source_fingerprint"]) == 64


# What is not taken


def test_a_folder_of_another_experiment_is_refused(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(experiment, tmp_path, 7, monkeypatch)
    with pytest.raises(Mistake, match="belongs to another experiment: seed is 1 there and 2 here"):
        store.Folder(tmp_path, replace(experiment, seed=2))


def test_a_folder_played_with_other_sources_is_refused(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(experiment, tmp_path, 7, 2, monkeypatch)
    path = tmp_path / "manifest.json"
    manifest = json.loads(path.read_text())
    manifest["sources"]["sim/core/loop.py"] = "0"
    path.write_text(json.dumps(manifest))
    with pytest.raises(Mistake, match=r"other sources: sim/core/loop\.py has changed"):
        store.Folder(tmp_path, experiment)


def test_a_folder_in_which_nothing_was_finished_is_free(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(experiment, tmp_path, 7, 0, monkeypatch)
    other = run(replace(experiment, seed=2), tmp_path, 7, monkeypatch)
    assert store.open_run(tmp_path).experiment == other.experiment


def test_a_folder_with_other_things_is_refused(experiment: Experiment, tmp_path: Path) -> None:
    (tmp_path / "thesis.tex").touch()
    with pytest.raises(Mistake, match="is neither empty nor a run folder"):
        store.Folder(tmp_path, experiment)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["lock", "thesis.tex"]


def test_a_folder_in_use_is_refused(experiment: Experiment, tmp_path: Path) -> None:
    with store.Folder(tmp_path, experiment):
        with pytest.raises(Mistake, match="is in use by another process"):
            store.Folder(tmp_path, experiment)
        assert store.status(tmp_path).is_in_use
    assert not store.status(tmp_path).is_in_use
    with store.Folder(tmp_path, experiment):
        pass


def test_a_file_in_the_place_of_the_folder_is_refused(
    experiment: Experiment, tmp_path: Path
) -> None:
    (tmp_path / "file").touch()
    for path in (tmp_path / "file", tmp_path / "file" / "run"):
        with pytest.raises(Mistake, match="cannot be written: "):
            store.Folder(path, experiment)


@pytest.mark.parametrize("damage", [None, "cut", "flipped", "emptied", "gone", "sources"])
def test_hands_are_kept_and_played_again_only_if_they_must_be(
    damage: str | None, experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = store.hands(tmp_path, experiment, 3, "first_round")
    assert first.values.shape == (60, 3)
    (path,) = tmp_path.glob("*.parquet")
    if damage == "sources":
        monkeypatch.setattr("sim.provenance.sources", lambda _: {"rules.py": "edited"})
    elif damage:
        hurt(path, damage)
    played = []
    monkeypatch.setattr("sim.store.redraws.redrawn", lambda *of: played.append(of) or redrawn(*of))
    again = store.hands(tmp_path, experiment, 3, "first_round")
    assert len(played) == (damage is not None)
    assert again.sha256 == first.sha256
    assert (again.traits == first.traits).all() and again.traits.shape == first.traits.shape
    store.hands(tmp_path, experiment, 3, "score")
    assert len(list(tmp_path.glob("*.parquet"))) == 2


def test_a_strategy_that_ends_its_process_while_hands_are_redrawn_is_named(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "quits")
    flags = {**FLAGS, "strategies": f"uniform,{path},uniform"}
    with pytest.raises(
        Failure, match=r"quits\.py was asked last: its process ended with code 3 \("
    ):
        redrawn(from_flags(flags), 3, "score")


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied"])
def test_a_damaged_chunk_is_noticed_and_played_again(
    damage: str, experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(experiment, tmp_path / "whole", 60, monkeypatch)
    interrupted(experiment, tmp_path / "left", 7, 3, monkeypatch)
    hurt(parts(tmp_path / "left")[1], damage)
    assert store.status(tmp_path / "left").games == 3 * 7 * 3
    with store.Folder(tmp_path / "left", experiment) as opened:
        assert opened.done == {0: [(0, 7), (14, 21)]}
        assert "is damaged and is played again" in opened.notes[0]
    resumed = run(experiment, tmp_path / "left", 7, monkeypatch)
    assert resumed.manifest["sha256"] == whole.manifest["sha256"]
    assert content(tmp_path / "left") == content(tmp_path / "whole")


@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "gone"])
def test_damaged_rows_are_noticed_and_played_again(
    damage: str, rows_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(rows_experiment, tmp_path / "whole", 60, monkeypatch)
    interrupted(rows_experiment, tmp_path / "left", 7, 3, monkeypatch)
    hurt(sorted((tmp_path / "left" / "parts").glob("*.games.parquet"))[1], damage)
    resumed = run(rows_experiment, tmp_path / "left", 7, monkeypatch)
    assert resumed.manifest["sha256"] == whole.manifest["sha256"]
    assert content(tmp_path / "left") == content(tmp_path / "whole")


def hurt(path: Path, damage: str) -> None:
    data = bytearray(path.read_bytes())
    if damage == "cut":
        path.write_bytes(data[: len(data) // 2])
    elif damage == "flipped":
        data[::50] = bytes(byte ^ 255 for byte in data[::50])
        path.write_bytes(data)
    elif damage == "emptied":
        path.write_bytes(b"")
    else:
        path.unlink()


def test_no_flipped_bit_changes_the_results(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(experiment, tmp_path, 7, 1, monkeypatch)
    (path,) = parts(tmp_path)
    intact = path.read_bytes()
    with store.Folder(tmp_path, experiment) as opened:
        right = opened.totals[0]
    for at in range(0, len(intact), 97):
        data = bytearray(intact)
        data[at] ^= 255
        path.write_bytes(data)
        with store.Folder(tmp_path, experiment) as opened:
            for name, array in opened.totals.get(0, {}).items():
                np.testing.assert_array_equal(array, right[name])


def test_a_chunk_of_another_run_is_not_counted(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(experiment, tmp_path / "a", 7, 2, monkeypatch)
    interrupted(replace(experiment, seed=2), tmp_path / "b", 7, 3, monkeypatch)
    shutil.copy(parts(tmp_path / "b")[2], tmp_path / "a" / "parts")
    with store.Folder(tmp_path / "a", experiment) as opened:
        assert opened.done == {0: [(0, 7), (7, 14)]}
        assert "it belongs to another experiment" in opened.notes[0]


@pytest.mark.parametrize("name", ["manifest.json", "experiment.toml", "totals.parquet"])
@pytest.mark.parametrize("damage", ["cut", "flipped", "emptied", "gone"])
def test_a_damaged_file_of_a_finished_run_is_named(
    name: str, damage: str, experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(experiment, tmp_path, 7, monkeypatch)
    hurt(tmp_path / name, damage)
    with pytest.raises(Mistake, match=name.replace(".", r"\.")):
        store.open_run(tmp_path)
    if (name, damage) != ("manifest.json", "gone"):
        with pytest.raises(Mistake, match=name.replace(".", r"\.")):
            store.Folder(tmp_path, experiment)


def test_changed_sums_do_not_pass_for_the_results(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    run(experiment, tmp_path / "a", 7, monkeypatch)
    run(replace(experiment, seed=2), tmp_path / "b", 7, monkeypatch)
    shutil.copy(tmp_path / "b" / "totals.parquet", tmp_path / "a")
    with pytest.raises(Mistake, match=r"totals\.parquet: is damaged: it is not what manifest"):
        store.open_run(tmp_path / "a")


def test_an_unfinished_run_is_not_reported(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(experiment, tmp_path, 7, 2, monkeypatch)
    with pytest.raises(Mistake, match="is not finished; this goes on with it: fairdeal run it"):
        store.open_run(tmp_path)


def test_a_full_disk_keeps_what_is_finished(
    experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    whole = run(experiment, tmp_path / "whole", 60, monkeypatch)
    fsync, left = os.fsync, [5]  # experiment, manifest, three chunks

    def full(handle: int) -> None:
        left[0] -= 1
        if left[0] < 0:
            raise OSError(errno.ENOSPC, "No space left on device")
        fsync(handle)

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", full)
        with pytest.raises(Failure, match="the disk is full; what is finished is kept"):
            run(experiment, tmp_path / "left", 7, patched)
    assert len(parts(tmp_path / "left")) == 3
    assert not list((tmp_path / "left" / "parts").glob(".*"))
    resumed = run(experiment, tmp_path / "left", 7, monkeypatch)
    assert resumed.manifest["sha256"] == whole.manifest["sha256"]


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
@pytest.mark.slow
def test_a_disk_that_is_really_full(
    rows_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    experiment = replace(rows_experiment, deals=20_000)
    size = ["mount", "-t", "tmpfs", "-o", "size=640k", "tmpfs", str(tmp_path)]
    if subprocess.run(size, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        with pytest.raises(Failure, match="the disk is full; what is finished is kept"):
            run(experiment, tmp_path / "left", 1000, monkeypatch)
        assert parts(tmp_path / "left")
        larger = ["mount", "-o", "remount,size=64m", str(tmp_path)]
        subprocess.run(larger, check=True)
        resumed = run(experiment, tmp_path / "left", 1000, monkeypatch)
        whole = run(experiment, tmp_path / "whole", 5000, monkeypatch)
        assert resumed.manifest["sha256"] == whole.manifest["sha256"]
        assert content(tmp_path / "left") == content(tmp_path / "whole")
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can mount")
def test_a_disk_that_is_read_only(experiment: Experiment, tmp_path: Path) -> None:
    words = ["mount", "-t", "tmpfs", "-o", "ro", "tmpfs", str(tmp_path)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        pytest.skip("mounting is not allowed here")
    try:
        with pytest.raises(Mistake, match="cannot be written: read-only file system"):
            store.Folder(tmp_path / "run", experiment)
    finally:
        subprocess.run(["umount", str(tmp_path)], check=True)


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_folder_without_permission(experiment: Experiment, tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    with pytest.raises(Mistake, match="cannot be written: permission denied"):
        store.Folder(tmp_path / "run", experiment)


def test_rows_come_first_so_that_sums_never_stand_without_them(
    rows_experiment: Experiment, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    interrupted(rows_experiment, tmp_path, 7, 1, monkeypatch)
    (sums,) = parts(tmp_path)
    sums.unlink()  # a kill between the two files
    with store.Folder(tmp_path, rows_experiment) as opened:
        assert opened.done == {}
    run(rows_experiment, tmp_path, 7, monkeypatch)
    assert len(pd.read_parquet(tmp_path / "games.parquet")) == 180


def test_a_chunk_counts_as_its_deals(experiment: Experiment, tmp_path: Path) -> None:
    with store.Folder(tmp_path, experiment) as opened:
        run = play(replace(experiment, deals=7), Memory(experiment))
        opened.add(Chunk(0, 0, 7), run.cells[0].totals, None, 0.5)
        assert (opened.games, opened.seconds, opened.done) == (21, 0.5, {0: [(0, 7)]})
