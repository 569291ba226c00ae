"""`make bench`: print what the project promises about speed and memory, and what it keeps.

Ratios are medians over pairs measured in turn in this run; `--long` plays 10^8 games at a stretch.
"""

from __future__ import annotations

import argparse
import json
import os
import platform
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

from sim import catalog
from tests.bench import one_core, processes
from tests.bench.c_twin import COMPILER, has_compiler
from tests.bench.measure import Measurement

BUSY = 0.5  # mean load of the last minute before we start
PARTS = ("c", "naive", "cores", "endurance", "waiting", "report")


def measurements(parts: list[str], games: int, folder: Path) -> Iterator[Measurement]:
    """Every measurement of these parts, as it is made."""
    if "c" in parts:
        if has_compiler():
            yield from one_core.measure_c(folder)
        else:
            print(f"no {COMPILER} on this machine: the ratios to C are left out")
    if "naive" in parts:
        yield one_core.measure_naive()
    if "cores" in parts:
        for game in catalog.game_names():
            yield processes.measure_two_cores(game)
    if "endurance" in parts:
        yield from processes.measure_endurance(folder, games)
    if "waiting" in parts:
        yield from processes.measure_waiting(folder)
    if "report" in parts:
        yield processes.measure_report(folder)


def main() -> int:
    """Measure; return 1 if a limit is missed."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench", description=__doc__)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)} (all)")
    parser.add_argument("--long", action="store_true", help="10^8 games in one run, not 10^7")
    parser.add_argument("--out", type=Path, default=Path("out/bench.json"))
    arguments = parser.parse_args()
    parts = arguments.parts or list(PARTS)
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part called {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    load = os.getloadavg()[0]
    if load > BUSY:
        print(f"other programs keep {load:.1f} cores busy: seconds and two cores will look worse\n")
    found = []
    with tempfile.TemporaryDirectory(prefix="fairdeal-bench-") as folder:
        games = 10**8 if arguments.long else 10**7
        for measurement in measurements(parts, games, Path(folder)):
            found.append(measurement)
            print(measurement.as_text(), flush=True)
    machine = {
        "processor": platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "load_before": load,
        "python": platform.python_version(),
    }
    arguments.out.parent.mkdir(parents=True, exist_ok=True)
    result = {"machine": machine, "measurements": [m.as_object() for m in found]}
    arguments.out.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    missed = [measurement.name for measurement in found if measurement.verdict == "MISSED"]
    print(f"\nwritten to {arguments.out}; " + (f"missed: {'; '.join(missed)}" if missed else "ok"))
    return 1 if missed else 0


if __name__ == "__main__":
    sys.exit(main())
