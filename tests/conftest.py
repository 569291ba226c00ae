"""What all tests share: the browser, an answer, the deep tests, and repeatable examples."""

from __future__ import annotations

import functools
import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

from analysis.balance import Answer, Play, answer
from analysis.question_files import read
from sim.experiment import Experiment
from sim.results import Run
from sim.runner import play
from sim.store import Folder
from tests.made_questions import HEAD, OTHERS, RIGGED, SHORT, written

BROWSERS = ("chromium", "chromium-browser", "google-chrome")
REQUIRE_BROWSER = "FAIRDEAL_REQUIRE_BROWSER"  # set to 1: a missing browser fails
NO_BROWSER = f"no browser found ({', '.join(BROWSERS)})"


@functools.cache
def find_browser() -> str | None:
    """Path of the first Chromium on the machine, or None."""
    return next(filter(None, map(shutil.which, BROWSERS)), None)


def is_browser_required() -> bool:
    return os.environ.get(REQUIRE_BROWSER) == "1"


@pytest.fixture(scope="session")
def browser() -> str:
    """Path of a Chromium; a test that asks for it needs no marker."""
    path = find_browser()
    assert path is not None, NO_BROWSER
    return path


@pytest.fixture(scope="session")
def root() -> Path:
    """The folder of the project."""
    return Path(__file__).resolve().parents[1]


@pytest.fixture(scope="session")
def quietly(tmp_path_factory: pytest.TempPathFactory) -> Play:
    """Plays an experiment in a folder of its own."""

    def play_all(experiment: Experiment) -> Run:
        with Folder(tmp_path_factory.mktemp("run"), experiment) as store:
            return play(experiment, store)

    return play_all


@pytest.fixture(scope="session")
def rigged_file(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Path of a question whose verdicts are known."""
    return written(tmp_path_factory.mktemp("question"), HEAD + SHORT + "".join(RIGGED + OTHERS))


@pytest.fixture(scope="session")
def rigged(rigged_file: str, quietly: Play) -> Answer:
    """Its answer, played once for all tests."""
    return answer(read(rigged_file), quietly)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--deep", action="store_true", help="run the deep tests too")


def pytest_configure(config: pytest.Config) -> None:
    # The first call of a kernel compiles it, so no deadline; only deep tests look for new examples.
    settings.register_profile("repeatable", deadline=None, derandomize=True)
    settings.register_profile("deep", deadline=None, print_blob=True)
    settings.load_profile("deep" if config.getoption("--deep") else "repeatable")


@pytest.hookimpl(tryfirst=True)  # before `-m browser` chooses
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    for item in items:
        if "browser" in getattr(item, "fixturenames", ()):
            item.add_marker("browser")
    if not config.getoption("--deep"):
        deep = [item for item in items if item.get_closest_marker("deep")]
        config.hook.pytest_deselected(items=deep)
        items[:] = [item for item in items if not item.get_closest_marker("deep")]


def pytest_runtest_setup(item: pytest.Item) -> None:
    if item.get_closest_marker("browser") and find_browser() is None:
        if is_browser_required():
            pytest.fail(NO_BROWSER, pytrace=False)
        pytest.skip(NO_BROWSER)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    left_out = [
        report
        for report in terminalreporter.stats.get("skipped", [])
        if "browser" in report.keywords and NO_BROWSER in str(report.longrepr)
    ]
    if left_out:
        terminalreporter.write_line(f"browser tests left out: {len(left_out)}; {NO_BROWSER}")
