"""Which part of the house may know which other part, read from the sources."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
PACKAGES = ("sim", "strategies", "analysis", "reports")
GAMES = sorted(file.parent.name for file in ROOT.glob("sim/games/*/__init__.py"))
STRATEGIES = {file.stem for file in ROOT.glob("strategies/*/[!_]*.py")}

# What one place alone may import, so that all else can do without it.
ONLY_IN = {
    "joblib": "sim.workers",
    "llvmlite": "sim.core",
    "matplotlib": "reports",
    "numba": "sim.core",
    "pyarrow": "sim.store",
}


def part_of(module: str) -> str:
    """Return the part of the house that a module belongs to; the run layer is what is left of sim.

    The parts of one game, and its strategies, carry the game's name after a blank.
    """
    match module.split("."):
        case ["sim", "core", "game", *_]:
            return "forms"
        case ["sim", "core", *_]:
            return "core"
        case ["sim", "games", game, *_]:
            return f"game {game}"
        case ["sim", ("cli" | "__main__") as name, *_]:
            return name
        case ["sim", *_]:
            return "run layer"
        case ["strategies", game, *_]:
            return f"strategies {game}"
        case [package, *_]:
            return package
    return ""


def may_know(part: str) -> set[str]:
    """Return the parts that a part may import, beside itself."""
    kind, _, game = part.partition(" ")
    run = {"forms", "core", "run layer"}
    known: dict[str, set[str]] = {
        "core": {"forms"},
        "game": {"forms", "core"},
        "strategies": {"forms", "core", f"game {game}"},
        "run": run,
        "analysis": {"forms", "run layer"},
        "reports": {"forms", "run layer", "analysis"},
        "cli": {*run, "analysis", "reports", *(f"game {name}" for name in GAMES)},
        "__main__": {"cli"},
    }
    return {part} | known.get(kind, set())


def module_of(path: str) -> str:
    """Return the dotted name of a source file, without the `__init__` of a package."""
    return ".".join(Path(path).with_suffix("").parts).removesuffix(".__init__")


def imports(path: str, source: str) -> Iterator[tuple[int, str]]:
    """Yield line and full dotted name of everything that a source imports."""
    parts = module_of(path).split(".") + (["__init__"] if path.endswith("__init__.py") else [])
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Import():
                yield from ((node.lineno, alias.name) for alias in node.names)
            case ast.ImportFrom():
                base = [*(parts[: -node.level] if node.level else []), *filter(None, [node.module])]
                yield from ((node.lineno, ".".join([*base, alias.name])) for alias in node.names)
            case ast.Call(
                func=ast.Attribute(attr="import_module") | ast.Name(id="import_module"),
                args=[ast.Constant(value=str(name)), *_],
            ):
                yield node.lineno, name


def is_within(name: str, package: str) -> bool:
    return f"{name}.".startswith(f"{package}.")


def import_faults(path: str, source: str) -> list[str]:
    """Return a line for each import that breaks the rules."""
    module = module_of(path)
    known = may_know(part_of(module))
    faults = []
    for line, name in imports(path, source):
        top = name.partition(".")[0]
        is_ours = top in PACKAGES
        if (is_ours and part_of(name) not in known) or (
            top in ONLY_IN and not is_within(module, ONLY_IN[top])
        ):
            faults.append(f"{path}:{line} imports {name}")
    return faults


def name_faults(path: str, source: str) -> list[str]:
    """Return a line for each game named where no game may be known, and the same for strategies."""
    part = part_of(module_of(path))
    faults = []
    if part in ("forms", "core", "run layer", "analysis", "reports"):
        for line, text in enumerate(source.splitlines(), start=1):
            faults += [f"{path}:{line} names {game}" for game in GAMES if re.search(game, text)]
    if part == "run layer":
        for node in ast.walk(ast.parse(source)):
            match node:
                case ast.Constant(value=str(text)) if text.partition(":")[0] in STRATEGIES:
                    faults.append(f"{path}:{node.lineno} names {text}")
    return faults


def sources() -> Iterator[tuple[str, str]]:
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            yield file.relative_to(ROOT).as_posix(), file.read_text(encoding="utf-8")


def test_every_import_keeps_the_rules() -> None:
    assert [fault for path, source in sources() for fault in import_faults(path, source)] == []


def test_no_game_is_named_where_none_may_be_known() -> None:
    assert [fault for path, source in sources() for fault in name_faults(path, source)] == []


def test_there_are_sources_and_games() -> None:
    assert {path.partition("/")[0] for path, _ in sources()} == set(PACKAGES)
    assert GAMES
    assert STRATEGIES


def test_imports_go_round_in_no_circle() -> None:
    # Imports for types alone and those inside of functions count too.
    files = [file.relative_to(ROOT) for part in PACKAGES for file in ROOT.glob(f"{part}/**/*.py")]
    sources = {module_of(str(file)): file for file in files}

    def known(name: str) -> str:
        return name if name in sources or not name else known(name.rpartition(".")[0])

    graph = {
        module: {known(name) for _, name in imports(str(file), (ROOT / file).read_text())}
        - {module}
        for module, file in sources.items()
    }
    TopologicalSorter(graph).prepare()


@pytest.mark.parametrize(
    ("path", "source"),
    [
        ("sim/core/engine.py", "from sim.core import jit, rng\nfrom .game import Game"),
        ("sim/core/jit.py", "import numba\nimport llvmlite.ir"),
        ("sim/games/hearts/rules.py", "from sim.core.bits import card_set\nfrom . import view"),
        ("sim/games/hearts/__init__.py", "from .rules import deal"),
        ("strategies/hearts/low.py", "from sim.games.hearts import strategy\nfrom . import _odds"),
        ("sim/store.py", "import pyarrow.parquet\nfrom sim import __version__, errors"),
        ("sim/workers.py", "import joblib\nfrom sim.core.engine import Table"),
        ("analysis/shares.py", "from sim.core.game import Game\nfrom sim.store import open_run"),
        ("analysis/shares.py", "import numpy as np\nfrom analysis import intervals"),
        ("reports/figures.py", "import matplotlib.pyplot as plt\nfrom analysis import shares"),
        ("sim/cli.py", "def report():\n    from reports.build import write"),
        ("sim/__main__.py", "from sim.cli import main"),
    ],
)
def test_what_the_rules_allow(path: str, source: str) -> None:
    assert import_faults(path, source) == []


@pytest.mark.parametrize(
    ("path", "source", "name"),
    [
        ("sim/core/engine.py", "import sim.games.hearts", "sim.games.hearts"),
        ("sim/core/engine.py", "from ..games import hearts", "sim.games.hearts"),
        ("sim/core/engine.py", "from sim import store", "sim.store"),
        ("sim/core/__init__.py", "from .. import cli", "sim.cli"),
        ("sim/core/game.py", "from sim.core import jit", "sim.core.jit"),
        ("sim/core/rng.py", "import strategies.hearts.low", "strategies.hearts.low"),
        ("sim/core/rng.py", "from analysis import shares", "analysis.shares"),
        ("sim/games/hearts/rules.py", "from sim.games.whist import rules", "sim.games.whist.rules"),
        ("sim/games/hearts/rules.py", "from strategies.hearts import low", "strategies.hearts.low"),
        ("sim/games/hearts/text.py", "import sim.replay", "sim.replay"),
        ("sim/games/hearts/rules.py", "import numba", "numba"),
        ("strategies/hearts/low.py", "from strategies.whist import low", "strategies.whist.low"),
        ("strategies/hearts/low.py", "import sim.games.whist", "sim.games.whist"),
        ("strategies/hearts/low.py", "from sim import runner", "sim.runner"),
        ("sim/runner.py", "from analysis import shares", "analysis.shares"),
        ("sim/runner.py", "import reports", "reports"),
        ("sim/catalog.py", "import importlib\nimportlib.import_module('sim.cli')", "sim.cli"),
        ("sim/replay.py", "def play():\n    from sim.cli import main", "sim.cli.main"),
        ("sim/schedule.py", "import sim.games.hearts.rules", "sim.games.hearts.rules"),
        ("sim/schedule.py", "from joblib import Parallel", "joblib.Parallel"),
        ("analysis/shares.py", "from sim.core.bits import count", "sim.core.bits.count"),
        ("analysis/shares.py", "import matplotlib", "matplotlib"),
        ("analysis/shares.py", "import pyarrow.parquet", "pyarrow.parquet"),
        ("analysis/shares.py", "from reports import theme", "reports.theme"),
        ("reports/build.py", "from sim.core import engine", "sim.core.engine"),
        ("reports/build.py", "import sim.cli", "sim.cli"),
    ],
)
def test_what_the_rules_forbid(path: str, source: str, name: str) -> None:
    (fault,) = import_faults(path, source)
    assert fault.startswith(path)
    assert fault.endswith(f" imports {name}")


def test_a_game_or_strategy_that_is_named_is_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(f"{__name__}.GAMES", ["hearts"])
    monkeypatch.setattr(f"{__name__}.STRATEGIES", {"low"})
    text = '"""Results of hearts."""\nDEFAULT = "low:limit=3"\nif name == "low": pass'
    assert name_faults("sim/store.py", text) == [
        "sim/store.py:1 names hearts",
        "sim/store.py:2 names low:limit=3",
        "sim/store.py:3 names low",
    ]
    assert name_faults("reports/page.py", text) == ["reports/page.py:1 names hearts"]
    assert name_faults("sim/games/hearts/rules.py", text) == []
    assert name_faults("sim/cli.py", text) == []
