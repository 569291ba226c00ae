"""Compiled code on disk: never stale, never without bound, anywhere, also for two at once."""

from __future__ import annotations

import importlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from sim.core import cache

STRATEGY = """
from helper import bonus
from sim.games.schadenfreude.view import strategy


@strategy
def decide(table, me):
    return 100 + bonus(me.hand)
"""
HELPER = """
import deeper
from sim.core.jit import kernel


@kernel
def bonus(hand):
    return 10 + deeper.more(hand)
"""
DEEPER = """
from sim.core.jit import kernel

STEP = 1


@kernel
def more(hand):
    return STEP + hand
"""
ASK = """
import sys
from sim import catalog
from sim.core.records import View, allocate
from sim.games.schadenfreude.view import ME, TABLE

decide = catalog.load(sys.argv[1], "schadenfreude").decide
decide.address()
print(decide(View.of(allocate(TABLE), 0), View.of(allocate(ME), 0)))
"""
COUNT = """
from sim.core.cards import count
print(count(0b1011))
"""
HOUR, NOW = 3600.0, 1_700_000_000.0


class Project:
    """A strategy of a user with two helpers, in a folder of its own, and an empty cache."""

    def __init__(self, folder: Path, root: Path) -> None:
        self.folder, self.root, self.store = folder, root, folder / "cache"
        for name, text in [("mine", STRATEGY), ("helper", HELPER), ("deeper", DEEPER)]:
            self.write(name, text)

    def write(self, name: str, text: str) -> None:
        """Write a file so that only its content tells the version: time and size stay the same."""
        path = self.folder / f"{name}.py"
        path.write_text(text)
        os.utime(path, (1_700_000_000, 1_700_000_000))

    def edit(self, name: str, old: str, new: str) -> None:
        text = (self.folder / f"{name}.py").read_text()
        assert text.count(old) == 1
        self.write(name, text.replace(old, new))

    def begin(self) -> subprocess.Popen[str]:
        return start(ASK, str(self.folder / "mine.py"), root=self.root, FAIRDEAL_CACHE=self.store)

    def ask(self) -> int:
        """The answer of the strategy in a process of its own."""
        return int(answer(self.begin()))

    def compiled(self) -> dict[str, int]:
        """Every file of machine code with the time it was written."""
        return {str(file): file.stat().st_mtime_ns for file in self.store.glob("*/*.nbc")}


def start(script: str, *args: str, root: Path, **environment: Path | str) -> subprocess.Popen[str]:
    """Run a script in a new process that finds the project in `root`."""
    return subprocess.Popen(
        [sys.executable, "-c", script, *args],
        cwd=root,
        env={**os.environ, "PYTHONPATH": str(root), **{k: str(v) for k, v in environment.items()}},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )


def answer(process: subprocess.Popen[str]) -> str:
    out, err = process.communicate(timeout=300)
    assert process.returncode == 0, err
    return out


def test_packages_below_this_environment_are_foreign_and_not_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    below = tmp_path / "lib" / "site-packages"
    package, beside = below / "layered_package", tmp_path / "beside.py"
    package.mkdir(parents=True)
    (package / "__init__.py").write_text("assert False\n")
    (package / "part.py").write_text("assert False\n")
    beside.write_text("assert False\n")
    mine = tmp_path / "mine.py"
    mine.write_text("import layered_package.part\nimport beside\n")
    for folder in (below, tmp_path):
        monkeypatch.syspath_prepend(folder)
    assert cache.source_files(str(mine)) == [str(beside), str(mine)]


@pytest.fixture
def project(tmp_path: Path, root: Path) -> Project:
    return Project(tmp_path, root)


@pytest.mark.slow
def test_code_is_kept_and_never_stale(project: Project) -> None:
    assert project.ask() == 111
    first = project.compiled()
    assert first
    assert project.ask() == 111
    assert project.compiled() == first  # loaded, not compiled again
    project.edit("helper", "10 +", "20 +")
    assert project.ask() == 121
    project.edit("deeper", "STEP = 1", "STEP = 2")
    assert project.ask() == 122
    project.edit("deeper", "STEP + hand", "STEP - hand")
    project.edit("mine", "100 +", "500 +")
    assert project.ask() == 522
    project.edit("mine", "500 +", "100 +")
    project.edit("helper", "20 +", "10 +")
    project.write("deeper", DEEPER)
    before = project.compiled()
    assert project.ask() == 111
    assert project.compiled() == before  # the first version is still there
    assert first.items() <= before.items()


@pytest.mark.slow
def test_two_processes_may_fill_an_empty_cache_at_once(project: Project) -> None:
    both = [project.begin(), project.begin()]
    assert [int(answer(process)) for process in both] == [111, 111]
    before = project.compiled()
    assert project.ask() == 111
    assert project.compiled() == before


@pytest.mark.slow
def test_use_keeps_code_young(project: Project) -> None:
    assert project.ask() == 111
    long_ago = time.time() - 100 * HOUR
    (folder,) = project.store.glob("*mine*")
    os.utime(folder, (long_ago, long_ago))
    assert project.ask() == 111
    assert folder.stat().st_mtime > long_ago + 99 * HOUR


# Where it lies


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A checkout in which no cache can be made: even for root a folder in a file is impossible."""
    checkout = tmp_path / "install"
    (checkout / "sim" / "core").mkdir(parents=True)
    (checkout / "pyproject.toml").touch()
    (checkout / ".cache").touch()
    monkeypatch.setattr(cache, "__file__", str(checkout / "sim" / "core" / "cache.py"))
    monkeypatch.delenv(cache.ENVIRONMENT, raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    return checkout


def root_now() -> Path:
    """The folder that a new process would take."""
    return Path(cache.root.__wrapped__())


def test_folder_of_the_users_choice_comes_first(
    install: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.ENVIRONMENT, str(tmp_path / "mine" / "deep"))
    assert root_now() == tmp_path / "mine" / "deep"
    assert root_now().is_dir()


def test_a_checkout_keeps_its_own(install: Path) -> None:
    (install / ".cache").unlink()
    assert root_now() == install / ".cache" / "jit"


def test_a_folder_that_cannot_be_written_is_passed_over(
    install: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(cache.ENVIRONMENT, str(install / "pyproject.toml" / "cache"))
    assert root_now() == tmp_path / "user" / "fairdeal" / "jit"


def test_an_installed_package_uses_the_users_folder(install: Path, tmp_path: Path) -> None:
    (install / ".cache").unlink()
    (install / "pyproject.toml").unlink()
    assert root_now() == tmp_path / "user" / "fairdeal" / "jit"
    assert not (install / ".cache").exists()


def test_without_any_folder_of_the_user_a_temporary_one_does(
    install: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(install / ".cache"))
    monkeypatch.setattr("tempfile.gettempdir", lambda: str(tmp_path / "temporary"))
    assert root_now().parent == tmp_path / "temporary"


@pytest.mark.slow
def test_a_read_only_install_compiles_into_the_users_folder(tmp_path: Path, root: Path) -> None:
    install = tmp_path / "install"
    shutil.copytree(
        root / "sim", install / "sim", ignore=shutil.ignore_patterns("__pycache__", "games")
    )
    (install / "pyproject.toml").touch()
    (install / ".cache").touch()
    environment = {"FAIRDEAL_CACHE": install / ".cache" / "jit", "XDG_CACHE_HOME": tmp_path}
    assert answer(start(COUNT, root=install, **environment)) == "3\n"
    assert list((tmp_path / "fairdeal" / "jit").glob("sim.core.cards-*/*.nbc"))


@pytest.mark.slow
@pytest.mark.parametrize(
    "trouble",
    [
        "import resource; resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",  # a full disk
        "import shutil; from sim.core import cache; shutil.rmtree(cache.root())",
    ],
)
def test_a_disk_that_is_full_or_gone_costs_only_the_cache(
    trouble: str, tmp_path: Path, root: Path
) -> None:
    script = f"import sim.core.cards\n{trouble}\n{COUNT}"
    assert answer(start(script, root=root, FAIRDEAL_CACHE=tmp_path / "cache")) == "3\n"


# How much of it


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Callable[[str, float, int], Path]]:
    """Makes the folder of a version: its source, hours since its last use, bytes."""
    numbers = iter(range(16**8))

    def make(source: str, hours: float, size: int = 10) -> Path:
        folder = tmp_path / f"{source}-{next(numbers):024x}"
        folder.mkdir()
        (folder / "code.nbc").write_bytes(bytes(size))
        used = NOW - hours * HOUR
        os.utime(folder, (used, used))
        return folder

    return make


def left(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_a_few_versions_of_each_source_are_kept(store: Callable[..., Path], tmp_path: Path) -> None:
    rules = [store("sim.rules", hours) for hours in (9, 2, 7, 3, 8, 4, 6)]
    view = [store("sim.view", hours) for hours in (50, 60)]
    cache.prune(str(tmp_path), now=NOW)
    kept = [rules[1], rules[3], rules[5], rules[6], *view]
    assert cache.KEEP_VERSIONS == 4
    assert left(tmp_path) == sorted(folder.name for folder in kept)


def test_what_was_used_lately_is_kept(store: Callable[..., Path], tmp_path: Path) -> None:
    young = [store("sim.rules", 0.9) for _ in range(6)]
    old = [store("sim.rules", 1.1) for _ in range(3)]
    cache.prune(str(tmp_path), now=NOW)
    assert left(tmp_path) == sorted(folder.name for folder in young)
    assert not any(folder.exists() for folder in old)


def test_the_size_of_all_code_is_bounded(
    store: Callable[..., Path], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(cache, "KEEP_BYTES", 100)
    folders = [store(f"sim.m{hours}", hours, 30) for hours in (5, 2, 4, 3, 6)]
    cache.prune(str(tmp_path), now=NOW)
    assert left(tmp_path) == sorted(folders[i].name for i in (1, 2, 3))
    young = store("sim.large", 0.5, 1000)
    cache.prune(str(tmp_path), now=NOW)
    assert left(tmp_path) == [young.name]  # in use, whatever its size


def test_only_compiled_code_is_pruned(store: Callable[..., Path], tmp_path: Path) -> None:
    """A user may point FAIRDEAL_CACHE at a folder that holds other things of his."""
    others = ["letters", "photos", "work", "music", "tax-2024", "tax-2023", "mail", "games"]
    for name in others:
        (tmp_path / name).mkdir()
        (tmp_path / name / "precious.txt").write_text("mine")
        os.utime(tmp_path / name, (0, 0))
    cache.prune(str(tmp_path), now=NOW)
    assert left(tmp_path) == sorted(others)


def test_a_folder_that_is_not_there_is_no_trouble(tmp_path: Path) -> None:
    cache.prune(str(tmp_path / "nowhere"), now=NOW)


# What code depends on


@pytest.fixture
def importable(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.syspath_prepend(str(tmp_path))
    return tmp_path


def test_sources_are_followed_through_every_kind_of_import(importable: Path) -> None:
    files = {
        "cachetest_a.py": "import cachetest_b\nfrom cachetest_pack import c\nimport numpy, json",
        "cachetest_b.py": "def late():\n    from cachetest_pack.d import x",
        "cachetest_pack/__init__.py": "",
        "cachetest_pack/c.py": "from . import e\nfrom .f import y",
        "cachetest_pack/d.py": "x = 1",
        "cachetest_pack/e.py": "import cachetest_a",  # in a circle
        "cachetest_pack/f.py": "y = 1",
    }
    for name, text in {**files, "cachetest_other.py": ""}.items():
        (importable / name).parent.mkdir(exist_ok=True)
        (importable / name).write_text(text)
    importlib.import_module("cachetest_a")
    found = cache.source_files(str(importable / "cachetest_a.py"))
    assert {Path(path).relative_to(importable).as_posix() for path in found} == set(files)


def test_stamp_names_the_content(importable: Path) -> None:
    (importable / "cachetest_one.py").write_text("x = 1")
    (importable / "cachetest_two.py").write_text("x = 2")
    one, two = (cache.source_stamp(str(importable / f"cachetest_{n}.py")) for n in ("one", "two"))
    assert one != two
