"""A game that a strategy loses by a fault: who gets what, how it is counted and shown."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from reports import build
from sim import catalog, store, tables
from sim.cli import run
from sim.core.engine import Entrant, Table
from sim.core.game import SHARE_UNIT, Game
from sim.core.jit import JIT
from sim.core.state import FORFEIT
from sim.errors import Failure
from sim.experiment import Seating
from sim.reading import from_flags
from sim.replay import as_text, replay
from sim.results import Memory, Run
from sim.runner import play
from sim.workers import Unanswered, Workers
from tests import own_strategies
from tests.arena import entrant, lineup
from tests.test_conformance import every_table

GAME = "schadenfreude"
HANGS = """
def decide(table, me):
    while table.n_tricks == 2 and table.round == 1 and (me.hand >> 20) & 7 == 6:
        pass
    return (me.legal & -me.legal).bit_length() - 1
"""
both_modes = pytest.mark.both_modes


def giving_up(game: Game, after: int) -> Entrant:
    """A strategy that plays uniformly for so many decisions and then breaks the rules."""
    uniform = entrant(game.name, "uniform").decide

    def decide(table: Any, me: Any) -> int:
        me.memory[0] += 1
        return -7 if me.memory[0] > after else int(uniform(table, me))

    return Entrant("bad", decide)


def experiment(path: Path, **more: Any) -> Any:
    flags = {"game": GAME, "players": 3, "strategies": f"{path},lowest,lowest", "deals": 200}
    return from_flags({**flags, "seed": 1, "on_fault": "forfeit", **more})


def rows_of(what: Any, into: Path) -> Run:
    with store.Folder(into, replace(what, mode="games")) as folder:
        return play(folder.experiment, folder)


def _games(slot: Any, seating: Seating, deal: int) -> int:
    return tables.kept(seating).play(deal, deal + 4, progress=slot).games


@both_modes
@every_table
@pytest.mark.parametrize("after", [0, 4])
def test_all_but_the_one_at_fault_share_the_win(game: Game, players: int, after: int) -> None:
    seats = [giving_up(game, after), *lineup(game, players)[1:]]
    table = Table(game, players, game.defaults(), seats, 1, on_fault="forfeit")
    played = table.play(0, 5 if JIT else 1, keep_rows=True)
    assert played.fault is None
    assert played.rows is not None and played.totals is not None
    lost = [row for row in played.rows if row["outcome"]["status"] == FORFEIT]
    assert lost or after  # a game may end before the bad one is asked
    for row in lost:
        seat = row["entry"].tolist().index(0)
        outcome = row["outcome"]
        shares = [SHARE_UNIT // (players - 1)] * players
        shares[seat] = 0
        assert outcome["win_share"][:players].tolist() == shares
        assert outcome["won"][:players].tolist() == [int(share > 0) for share in shares]
        assert (outcome["nobody"], outcome["unfinished"], outcome["draw"]) == (0, 0, 0)
        assert 0 <= outcome["start"] < players
        replayed = table.replay(int(row["deal"]), int(row["rotation"]))
        assert replayed.fault is not None and replayed.fault.kind == "illegal action"
        names = outcome.dtype.names or ()
        assert replayed.outcome == {name: outcome[name].tolist() for name in names}
    assert played.totals["forfeits"].tolist() == [len(lost), *[0] * (players - 1)]


@both_modes
def test_without_a_fault_forfeiting_changes_nothing() -> None:
    game = catalog.game(GAME)
    seats = [entrant(GAME, name) for name in ("lowest", "uniform", "highest")]
    stop, forfeit = (
        Table(game, 3, game.defaults(), seats, 1, on_fault=how).play(0, 30 if JIT else 2)
        for how in ("stop", "forfeit")
    )
    assert stop.totals is not None and forfeit.totals is not None
    assert forfeit.totals.pop("forfeits").tolist() == [0, 0, 0]
    assert stop.totals.keys() == forfeit.totals.keys()
    assert all(np.array_equal(a, forfeit.totals[name]) for name, a in stop.totals.items())


def test_exceptions_forfeit_too_and_writing_stops(tmp_path: Path) -> None:
    for name in ("raises", "raises_plainly"):
        bad = experiment(own_strategies.write(tmp_path, name))
        assert play(bad, Memory(bad)).manifest["forfeits"] == {f"{name}.py": 600, "lowest": 0}
    bad = experiment(own_strategies.write(tmp_path, "writes"))
    with pytest.raises(Failure, match=r"writes\.py: wrote: changed table\.players"):
        play(bad, Memory(bad))


def test_results_are_the_same_for_any_workers_and_are_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = own_strategies.write(tmp_path, "late")
    late = experiment(path)
    runs: list[Run] = []
    for jobs in (1, 2):
        with store.Folder(tmp_path / str(jobs), late) as folder:
            runs.append(play(late, folder, jobs=jobs))
    one, two = runs
    assert one.manifest["sha256"] == two.manifest["sha256"]
    lost = one.manifest["forfeits"]
    assert 0 < lost["late.py"] < 600 and lost["lowest"] == 0
    assert store.open_run(tmp_path / "1").cells[0].forfeits == lost
    page = build.build(one, "en").read_text(encoding="utf-8")
    assert f"late.py: {lost['late.py']}, lowest: 0" in page
    assert "判负" in build.build(one, "zh").read_text(encoding="utf-8")
    command = f"run {GAME} --players 3 --strategies {path},lowest,lowest --deals 200 --seed 1"
    assert run([*command.split(), "--forfeit", "--json", "--quiet"]) == 0
    out, told = capsys.readouterr()
    assert json.loads(out)["forfeits"] == lost
    first = r"illegal action: 63, which is no card \(deal \d+, .+\); replay it with: fairdeal .+"
    line = rf"late\.py: {lost['late.py']} of 600 games lost by a fault \(its first: {first}\)"
    assert re.search(line, told)
    for one in runs:
        assert (
            one.manifest["first_faults"] == store.open_run(tmp_path / "1").manifest["first_faults"]
        )
    place = re.search(r"--deals (\d+):\d+ --rotation (\d)", told)
    assert place
    games = store.games_of(rows_of(late, tmp_path / "rows"), ["deal", "rotation", "status"])
    at = (games["status"] == FORFEIT).argmax()
    assert (int(place[1]), int(place[2])) == (games["deal"][at], games["rotation"][at])
    assert run([*command.split(), "--quiet"]) == 1  # as it always was


def test_a_forfeited_game_is_replayed_with_its_fault(tmp_path: Path) -> None:
    late = experiment(own_strategies.write(tmp_path, "late"), deals=20)
    ends = [lines[-1] for lines in replay(late, 0, 20)]
    lost = [line for line in ends if line["status"] == "forfeit"]
    assert lost and len(lost) < len(ends)
    assert re.match(r"late\.py \(seat \d\): illegal action: 63", lost[0]["fault"])
    lines = next(lines for lines in replay(late, 0, 20) if lines[-1]["status"] == "forfeit")
    for lang, word in (("en", "forfeited"), ("zh", "判负")):
        assert word in as_text(lines, lang)
        assert as_text(lines, lang).endswith(lost[0]["fault"])


def test_the_resolved_form_says_so_only_where_it_is(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "plain")
    forfeits, stops = experiment(path), experiment(path, on_fault="stop")
    assert 'on_fault = "forfeit"' in forfeits.to_toml()
    assert "on_fault" not in stops.to_toml()
    assert type(forfeits).from_toml(forfeits.to_toml()) == forfeits
    assert stops.difference(forfeits) == "on_fault is stop there and forfeit here"


@pytest.mark.slow
def test_what_hangs_forfeits_its_game_and_is_told_once(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "hangs", HANGS)
    hung, told = experiment(path, deals=30), []
    runs = [
        play(hung, Memory(hung), jobs=jobs, hang_seconds=2, tell=told.append) for jobs in (1, 2)
    ]
    assert runs[0].manifest["sha256"] == runs[1].manifest["sha256"]
    assert runs[0].manifest["forfeits"] == {"hangs.py": 3, "lowest": 0}
    assert len(told) == 2 and all("hangs.py hangs: no answer for 2 s (deal " in one for one in told)
    first = runs[0].manifest["first_faults"]
    assert first == runs[1].manifest["first_faults"]
    assert re.match(r"hangs: no answer for 2 s \(deal \d+, rotation", first["hangs.py"])


@pytest.mark.slow
def test_only_so_many_hangs_are_waited_for_and_nothing_is_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.runner.MOST_HUNG", 1)
    hung = experiment(own_strategies.write(tmp_path, "hangs", HANGS), deals=30)
    for n in (1, 2):  # each session forfeits one more
        with store.Folder(tmp_path / "run", hung) as folder:
            with pytest.raises(Failure, match=r"^stopped after 1 games that were lost .* is kept"):
                play(hung, folder, hang_seconds=2)
            assert folder.cells()[0].forfeits["hangs.py"] == n
    with store.Folder(tmp_path / "run", hung) as folder:
        found = play(hung, folder, hang_seconds=2).manifest
    assert found["forfeits"] == {"hangs.py": 3, "lowest": 0}
    assert found["first_faults"]["hangs.py"].startswith("hangs: no answer for 2 s")


@pytest.mark.slow
def test_only_the_process_that_hangs_is_replaced(tmp_path: Path) -> None:
    slow = experiment(own_strategies.write(tmp_path, "slow"), deals=4).seating(0)
    hangs = experiment(own_strategies.write(tmp_path, "hangs")).seating(0)
    with Workers(2, hang_seconds=2) as workers:
        workers.begin(1, _games, slow, 0)
        while not workers.games:  # the other is at play
            workers.answer()
        workers.begin(2, _games, hangs, 1)
        workers.begin(3, _games, slow, 1)
        answers, lost = {}, ()
        while len(answers) < 2:
            try:
                if found := workers.answer():
                    answers |= [found]
            except Unanswered as unanswered:
                lost = unanswered.numbers
                for number in {*lost} - {2}:
                    workers.begin(number, _games, slow, 1)
    assert 2 in lost and 1 not in lost and answers.keys() == {1, 3}


@pytest.mark.slow
def test_an_installed_strategy_that_hangs_forfeits_too(tmp_path: Path, root: Path) -> None:
    own_strategies.install(tmp_path, f"{GAME}.guest", "guest_strategy")
    own_strategies.write(tmp_path, "guest_strategy", HANGS)
    command = f"compare {GAME} --players 3 --strategies guest,lowest --deals 20 --forfeit"
    short = "import sim.workers; sim.workers.HANG_SECONDS = 2.0; from sim.cli import main; main()"
    found = subprocess.run(
        [sys.executable, "-c", short, *command.split(), "--out", str(tmp_path / "out")],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(root), str(tmp_path)])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stderr
    assert re.search(r"guest: \d+ of 120 games lost by a fault \(its first: hangs: ", found.stdout)
    assert found.stderr.count("guest hangs: no answer for 2 s (deal") == 1
    assert "--backend" not in found.stderr
    games = re.findall(r"^([\d,]+) of 120 games", found.stderr, re.MULTILINE)
    assert games == sorted(games, key=int)


@pytest.mark.slow
def test_what_ends_its_process_forfeits_its_game(tmp_path: Path) -> None:
    quits = HANGS.replace("pass", "__import__('os')._exit(3)")
    ended = experiment(own_strategies.write(tmp_path, "quits", quits), deals=30)
    played = play(ended, Memory(ended))
    assert played.manifest["forfeits"] == {"quits.py": 3, "lowest": 0}
