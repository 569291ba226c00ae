"""A strategy of one's own: the file to begin with, its test, and a package that brings one."""

from __future__ import annotations

import inspect
import os
import re
import shutil
import subprocess
import sys
import tomllib
from importlib import import_module
from itertools import product
from pathlib import Path

import pytest

from sim import catalog, starter
from sim.cli import run
from sim.compliance import CHECKS
from sim.core.engine import kernels
from sim.errors import Mistake
from sim.probe import Probe, Subject
from tests import own_strategies

GAMES = catalog.game_names()
every_game = pytest.mark.parametrize("game", GAMES)


@every_game
def test_the_strategy_keeps_to_the_form_at_every_table(game: str, tmp_path: Path) -> None:
    own, _ = starter.write(game, "my_idea", tmp_path)
    probe = Probe(Subject(game, str(own)))
    for players in catalog.game(game).players:
        probe.survey(players, 30)
    probe.bounds(20)
    assert probe.seen.faults == {}
    assert probe.seen.bounds == ["percent=0", "percent=100"]
    table = probe.lay(catalog.game(game).players[0], catalog.game(game).defaults()).table
    assert "my_idea" in table.lineup[0].label
    assert hasattr(table.lineup[0].decide, "address")  # compiled


@every_game
def test_every_field_of_the_view_stands_in_the_file_with_its_legend(
    game: str, tmp_path: Path
) -> None:
    own, _ = starter.write(game, "my_idea", tmp_path)
    text = own.read_text(encoding="utf-8")
    found = kernels(catalog.game(game))
    assert found.table.fields is not None
    rules = found.table.fields["rules"][0].names
    names = [f"table.rules.{name}" for name in rules]
    names += [f"table.{name}" for name in found.table.names or () if name != "rules"]
    names += [f"me.{name}" for name in found.me.names or ()]
    for name in names:
        assert re.search(rf"^#     {re.escape(name)}(\[|\s|$)", text, re.MULTILINE), name
    assert "#     me.memory[n_memory]               words that are 0 when a game starts" in text
    assert max(map(len, text.splitlines())) <= 100


@every_game
def test_the_file_says_how_cards_and_actions_are_coded(game: str, tmp_path: Path) -> None:
    own, _ = starter.write(game, "my_idea", tmp_path)
    said = " ".join(own.read_text(encoding="utf-8").replace("#", " ").split())
    for name in (f"{catalog.game(game).package}.cards", "sim.core.cards"):
        module = import_module(name)
        assert " ".join((module.__doc__ or name).split()) in said
        for function in re.findall(r"^def ([a-z]\w*)", inspect.getsource(module), re.MULTILINE):
            assert f" {function}(" in said


@every_game
def test_the_constants_stand_in_the_file_with_their_values(game: str, tmp_path: Path) -> None:
    own, _ = starter.write(game, "my_idea", tmp_path)
    text = own.read_text(encoding="utf-8")
    module = re.search(r"^# What it is called: (.+)$", text, re.MULTILINE)
    assert module
    modules = ("sim.core.cards", f"sim.games.{game}.cards", module[1])
    names = {name: value for one in modules for name, value in vars(import_module(one)).items()}
    lines = re.findall(r"^#     ([A-Z]\w*) = (.+?)(?:  .*)?$", text, re.MULTILINE)
    assert len(lines) > 10
    for name, value in lines:
        assert eval(value, dict(names)) == names[name], name
    for kind, words in enumerate(names.get("DECISIONS", ())):
        line = re.search(rf"^#     ([A-Z]+) = {kind} +{re.escape(words.en)}$", text, re.MULTILINE)
        assert line and names[line[1]] == kind


def test_the_numbers_of_picks_and_the_actions_have_their_words(tmp_path: Path) -> None:
    own, _ = starter.write("cocktail_poison", "my_idea", tmp_path)
    text = own.read_text(encoding="utf-8")
    assert "#     FIRST_TILE = BLIND + 1            tile t is FIRST_TILE + t\n" in text
    assert re.search(r"ANTIDOTE = .*\n", text) and re.search(r"CHOOSING = 0 +which tile", text)
    assert re.search(r"ON_NEW = 1 +on the card just taken\n", text)
    own, _ = starter.write("kanpai", "my_idea", tmp_path / "other")
    text = own.read_text(encoding="utf-8")
    assert re.search(r"toast\(card, target\) +Toast a card to a place\.", text)
    assert "sample_world" not in text and "#\n#     G" not in text


def test_the_coding_of_poison_is_as_it_says(tmp_path: Path) -> None:
    own, _ = starter.write("poison", "my_idea", tmp_path)
    text = own.read_text(encoding="utf-8")
    assert "kind = colour * 5 + i" in text and "action = kind * 3 + pot" in text
    cards = import_module("sim.games.poison.cards")
    for colour, (i, value), pot in product(range(3), enumerate((1, 2, 4, 5, 7)), range(3)):
        kind = colour * 5 + i
        action = kind * 3 + pot
        assert (cards.colour_of(kind), cards.value_of(kind)) == (colour, value)
        assert (cards.kind_of(action), cards.pot_of(action)) == (kind, pot)
        assert cards.one(kind) == 1 << 3 * kind
    assert cards.POISON == 15


@every_game
def test_the_files_are_laid_out_as_the_house_does(game: str, tmp_path: Path, root: Path) -> None:
    starter.write(game, "my_idea", tmp_path)
    ruff = [sys.executable, "-m", "ruff"]
    config = ["--config", str(root / "pyproject.toml"), "--no-cache", str(tmp_path)]
    for words in (["check"], ["format", "--check"]):
        subprocess.run([*ruff, *words, *config], check=True, capture_output=True)


@pytest.mark.slow
def test_its_test_passes_with_plain_pytest(tmp_path: Path, root: Path) -> None:
    starter.write(GAMES[-1], "my_idea", tmp_path)
    ended = subprocess.run(
        [sys.executable, "-m", "pytest", "-q"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(root)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert "2 passed" in ended.stdout, ended.stdout


def test_nothing_is_overwritten(tmp_path: Path) -> None:
    starter.write(GAMES[0], "my_idea", tmp_path)
    own = tmp_path / "my_idea.py"
    own.unlink()
    with pytest.raises(Mistake, match=r"test_my_idea\.py: is there already"):
        starter.write(GAMES[0], "my_idea", tmp_path)
    assert not own.exists()


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (["chess", "my_idea"], "unknown game 'chess'; allowed: "),
        (["poison", "My-Idea"], "NAME: 'My-Idea' is not allowed; allowed: a-z, 0-9 and _"),
        (["poison", "../idea"], "NAME: '../idea' is not allowed"),
        (["poison", "class"], "NAME: 'class' is not allowed: it is a word of Python (a keyword)"),
        (["poison", "test_it"], "NAME: 'test_it' is not allowed: pytest takes it for a test"),
        (["poison", "uniform"], "NAME: 'uniform' is a strategy of poison already"),
        (["poison", "my_idea", "--out", "file"], "file/my_idea.py: cannot be written: "),
    ],
)
def test_a_mistake_is_one_line(
    words: list[str],
    complaint: str,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").touch()
    assert run(["new-strategy", *words]) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"fairdeal: {complaint}") or "file: cannot be written" in line
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def snippet(root: Path) -> str:
    """The pyproject.toml of the guide."""
    guide = (root / "docs/own-strategy.md").read_text(encoding="utf-8")
    found = re.search(r"```toml\n(.*?)```", guide, re.DOTALL)
    assert found
    return found[1]


def test_the_guide_shows_every_check_and_is_found(root: Path) -> None:
    guide = (root / "docs/own-strategy.md").read_text(encoding="utf-8")
    table = guide.partition("what was seen\n")[2].partition("```")[0].splitlines()
    assert [line[:29].strip() for line in table] == [words.en for words in CHECKS.values()]
    for other in ("README.md", "CONTRIBUTING.md"):
        assert "(docs/own-strategy.md)" in (root / other).read_text(encoding="utf-8")


def test_the_package_of_the_guide_brings_its_strategy(tmp_path: Path, root: Path) -> None:
    """Laid down as pip does it: the modules, and the entry points in the metadata."""
    project = tomllib.loads(snippet(root))["project"]
    (entry, module), *_ = project["entry-points"][catalog.ENTRY_POINTS].items()
    game, _, name = entry.partition(".")
    own, _ = starter.write(game, "my_idea", tmp_path / "made")
    site = tmp_path / "site"
    own_strategies.install(site, entry, module, project["name"], project["version"])
    shutil.copy(own, site / f"{module}.py")

    def fairdeal(*words: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join([str(root), str(site)])
        return subprocess.run(
            [sys.executable, "-m", "sim", *words],
            env={**os.environ, "PYTHONPATH": path},
            capture_output=True,
            text=True,
            check=False,
        )

    assert f"\n{name}: " in fairdeal("strategies", game).stdout
    players = str(catalog.game(game).players[0])
    words = ["run", game, "--players", players, "--strategies", name, "--deals", "20"]
    played = fairdeal(*words, "--seed", "1", "--quiet")
    assert played.returncode == 0, played.stderr
