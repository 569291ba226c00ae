"""What a user waits for and what memory it takes: the program `fairdeal` as a process."""

from __future__ import annotations

import contextlib
import json
import math
import os
import re
import statistics
import subprocess
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

import psutil  # type: ignore[import-untyped]  # it has no types of its own

from sim import catalog
from tests.bench.measure import Measurement, in_turn, median_ratio, medians

ROOT = Path(__file__).resolve().parents[2]
FAIRDEAL = (sys.executable, "-m", "sim")
KIBIBYTE, MEGABYTE = (1 if sys.platform == "darwin" else 1024), 10**6  # unit of ru_maxrss
PLAYERS = 4
PROGRESS = re.compile(r"([\d,]+) of [\d,]+ games")
SECONDS_ALONE = 6  # that one worker plays for one measurement of two workers
N_LINES_OF_AN_END = 3  # intervals of progress that count as the beginning and as the end


@dataclass
class Ended:
    """A process that has ended: what it took, and what it said on its way."""

    seconds: float
    processor_seconds: float
    peak_bytes: int
    output: str
    progress: list[tuple[float, int]]  # processor seconds, games finished by then


def execute(*words: str, environment: Mapping[str, str] | None = None) -> Ended:
    """Run a command to its end.

    Raises
    ------
    RuntimeError
        It does not end with 0; with the end of what it said.
    """
    began = time.monotonic()
    process = subprocess.Popen(
        words, cwd=ROOT, env={**os.environ, **(environment or {})}, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE,
    )  # fmt: skip
    assert process.stdout and process.stderr
    errors: list[str] = []
    progress: list[tuple[float, int]] = []

    def read_errors(stream: Iterator[str]) -> None:
        for line in stream:
            errors.append(line)
            if match := PROGRESS.search(line):
                with contextlib.suppress(psutil.Error):  # it may have ended meanwhile
                    used = sum(psutil.Process(process.pid).cpu_times()[:2])
                    progress.append((used, int(match[1].replace(",", ""))))

    reader = threading.Thread(target=read_errors, args=(process.stderr,))
    reader.start()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)  # what `wait` does, with the memory it took
    seconds = time.monotonic() - began
    process.returncode = os.waitstatus_to_exitcode(status)
    reader.join()
    process.stdout.close()
    process.stderr.close()
    if process.returncode != 0:
        raise RuntimeError(f"{' '.join(words)}: code {process.returncode}\n" + "".join(errors[-5:]))
    processor_seconds = usage.ru_utime + usage.ru_stime
    return Ended(seconds, processor_seconds, usage.ru_maxrss * KIBIBYTE, output, progress)


def run(*words: str, deals: int, game: str = "schadenfreude") -> Ended:
    """Execute `fairdeal run` with these and more words: four `uniform`."""
    return execute(
        *FAIRDEAL, "run", game, "--players", str(PLAYERS), "--strategies", "uniform",
        "--deals", str(deals), "--seed", "1", *words,
    )  # fmt: skip


def measure_two_cores(game: str) -> Measurement:
    """Games a second with two workers, divided by those with one; by the clock on the wall.

    Where other programs are at work, two workers cannot have two cores: the note tells the
    processor time a game takes with two, divided by that with one.
    """
    used: dict[int, list[float]] = {1: [], 2: []}

    def rate(jobs: int, deals: int) -> float:
        ended = run("--json", "--quiet", "--jobs", str(jobs), deals=deals, game=game)
        used[jobs].append(ended.processor_seconds / deals)
        result = json.loads(ended.output.splitlines()[-1])
        return float(result["games"] / result["seconds"])

    run(deals=10, game=game)  # compiled once
    deals = int(SECONDS_ALONE * rate(1, 100_000))
    used[1].clear()
    pairs = in_turn(lambda _: rate(2, deals), lambda _: rate(1, deals), 5)
    two, one = medians(pairs)
    dearer = statistics.median(used[2]) / statistics.median(used[1])
    return Measurement(
        f"{game}, two workers to one",
        median_ratio(pairs),
        "",
        at_least=1.85,
        note=f"{two:,.0f} to {one:,.0f} games/s; processor time a game x {dearer:.2f}",
        values=pairs,
    )


def measure_endurance(folder: Path, games: int) -> Iterator[Measurement]:
    """Memory of one long run, and its rate at the end divided by that at the beginning.

    The rates are games in a second of processor time, so that the neighbours do not count.
    """
    power = f"10^{round(math.log10(games))}"
    run(deals=10)  # compiling takes memory too, once
    ended = run("--out", str(folder / "endurance"), deals=games)
    yield Measurement(
        f"peak memory of {power} games",
        ended.peak_bytes / MEGABYTE,
        "MB",
        below=400,
        note=f"{ended.seconds:.1f} s in all",
    )
    steps = list(zip(ended.progress, ended.progress[1:], strict=False))
    rates = [(done - before) / (now - then) for (then, before), (now, done) in steps]
    if len(rates) >= 2:
        n = min(N_LINES_OF_AN_END, len(rates) // 2)
        first, last = statistics.mean(rates[:n]), statistics.mean(rates[-n:])
        yield Measurement(
            f"rate at the end of {power} games to the beginning",
            last / first,
            "",
            note=f"{last:,.0f} to {first:,.0f} games a processor second",
            values=rates,
        )


def measure_waiting(folder: Path) -> Iterator[Measurement]:
    """Start-up: help; of every game a small run, and a run with everything to compile."""
    helps = [execute(*FAIRDEAL, "--help").seconds for _ in range(9)]
    yield Measurement("fairdeal --help", statistics.median(helps), "s", below=0.3, values=helps)
    for game in catalog.game_names():
        run(deals=10, game=game)
        runs = [run(deals=10_000, game=game).seconds for _ in range(5)]
        name = f"{game}, warm run of 10,000 games"
        yield Measurement(name, statistics.median(runs), "s", below=2, values=runs)
        names = list(catalog.strategies(game))
        cold = {"FAIRDEAL_CACHE": str(folder / f"cold-{game}")}
        ended = run_each(game, names, folder, cold)
        name = f"{game}, cold compile, {len(names)} strategies"
        note = f"{ended.processor_seconds:.1f} s of processor time"
        yield Measurement(name, ended.seconds, "s", below=60, note=note)


def run_each(
    game: str, names: list[str], folder: Path, environment: Mapping[str, str] | None = None
) -> Ended:
    """Execute `fairdeal run` with an experiment of one deal for each of these strategies."""
    experiment = folder / f"{game}.toml"
    experiment.write_text(every_strategy(game, names), encoding="utf-8")
    return execute(*FAIRDEAL, "run", str(experiment), environment=environment)


def every_strategy(game: str, names: list[str]) -> str:
    """An experiment of one deal for each strategy."""
    head = f'game = "{game}"\nplayers = {PLAYERS}\ndeals = 1\nseed = 1\n'
    return head + "".join(f'\n[[lineup]]\nstrategies = ["{name}"]\n' for name in names)


def measure_report(folder: Path) -> Measurement:
    """`make report` with nothing compiled before, in an environment that is there.

    The limit is that of a fresh clone, which makes its environment first.
    """
    cold = {"FAIRDEAL_CACHE": str(folder / "cold-report")}
    page = f"PAGE={folder / 'page'}"
    seconds = execute("make", "-s", "report", page, environment=cold).seconds
    return Measurement("make report, empty cache", seconds, "s", below=480)
