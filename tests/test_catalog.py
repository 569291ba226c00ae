"""The catalog: games and strategies are found, described without compiling, and loaded."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from importlib import metadata
from pathlib import Path

import pytest

from sim import catalog
from sim.core.game import Parameter, Words
from sim.errors import Mistake
from tests import own_strategies

NOTHING = Words("", "")
GAME = "schadenfreude"


def test_every_folder_with_a_game_is_found(root: Path) -> None:
    folders = {path.parent.name for path in root.glob("sim/games/*/__init__.py")}
    assert set(catalog.game_names()) == folders
    assert catalog.game(GAME).name == GAME


def test_every_file_without_an_underscore_is_a_strategy(root: Path) -> None:
    for game in catalog.game_names():
        files = {path.stem for path in root.glob(f"strategies/{game}/[!_]*.py")}
        assert set(catalog.strategies(game)) == files
        for file in catalog.strategies(game).values():
            assert file.description
            assert not file.description.startswith("cannot be read")


def test_listing_compiles_nothing() -> None:
    program = (
        "import sys; from sim import catalog; "
        f"print(len(catalog.strategies('{GAME}')), catalog.game('{GAME}').name); "
        "sys.exit('numba' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 0


def test_parameters_are_read_from_the_text(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "good")
    file = catalog.parse(str(path), GAME).file
    assert file.description == "Play the lowest card."
    assert file.parameters == (Parameter("depth", 2, 0, 5),)


def test_parameters_are_explained_with_their_values() -> None:
    told = catalog.explain("hoarder:behind=2", "poison")
    assert told.en.startswith("start=3 (cards of a colour that it must have taken before it ")
    assert "; behind=2 (" in told.en and "；behind=2（" in told.zh
    tiles = {catalog.explain(f"tempo:tile={tile}", "cocktail_poison").en for tile in (1, 5)}
    assert any("tile=1 (how it chooses the tile: any tile, the antidote too)" in t for t in tiles)
    assert len(tiles) == 2
    assert catalog.explain("uniform", "poison") == catalog.explain("gone", "poison") == NOTHING


def test_parameters_may_be_told_in_both_languages(tmp_path: Path) -> None:
    source = 'PARAMETERS = (Parameter("depth", 2, 0, 5, Words("how deep", "深度")),)\n'
    path = own_strategies.write(tmp_path, "told", source + own_strategies.SOURCES["plain"])
    assert catalog.explain(f"{path}:depth=3", GAME) == Words(
        "depth=3 (how deep)", "depth=3（深度）"
    )
    plain = own_strategies.write(tmp_path, "good")
    assert catalog.explain(str(plain), GAME) == Words("depth=2", "depth=2")


def test_a_strategy_may_have_a_chinese_name(tmp_path: Path) -> None:
    source = 'NAME_ZH = "最小"\nABOUT_ZH = "出最小。"\n'
    source += 'PARAMETERS = (Parameter("depth", 2, 0, 5),)\n'
    path = own_strategies.write(tmp_path, "named", source + own_strategies.SOURCES["plain"])
    assert catalog.title(f"{path}:depth=3", GAME) == Words("named.py:depth=3", "最小:depth=3")
    assert catalog.description(str(path), GAME).zh == "出最小。"
    path.unlink()
    assert catalog.title(str(path), GAME) == Words("named.py", "named.py")
    plain = own_strategies.write(tmp_path, "good")
    assert catalog.title(str(plain), GAME) == Words("good.py", "good.py")
    assert catalog.description(str(plain), GAME) == Words(*["Play the lowest card."] * 2)
    plain.write_text("NAME_ZH = 3\n")
    with pytest.raises(Mistake, match=r"good.py:1: NAME_ZH must be a text in quotes"):
        catalog.parse(str(plain), GAME)
    plain.write_text('MEANT_TO_BEAT = ("lowest")\n')  # a text: the comma is missing
    with pytest.raises(Mistake, match=r"good.py:1: MEANT_TO_BEAT must be a tuple of names"):
        catalog.parse(str(plain), GAME)


def test_ours_have_chinese_names_of_their_own() -> None:
    for game in catalog.game_names():
        names = [file.name_zh for file in catalog.strategies(game).values()]
        assert all(names)
        assert len(set(names)) == len(names)


@pytest.mark.parametrize("game", catalog.game_names())
def test_ours_say_in_chinese_what_they_do(game: str) -> None:
    for name in catalog.strategies(game):
        told = catalog.description(name, game)
        assert re.fullmatch(r"[^`]*[\u4e00-\u9fff][^`]*。", told.zh), f"ABOUT_ZH of {name}"
        assert "`" not in told.en


def test_parameters_that_are_computed_are_imported(tmp_path: Path) -> None:
    source = 'LIMIT = 3\nPARAMETERS = (Parameter("depth", LIMIT, 0, 2 * LIMIT),)\n'
    path = own_strategies.write(tmp_path, "computed", source + own_strategies.SOURCES["plain"])
    assert catalog.parse(f"{path}:depth=6", GAME).values == (6,)


def test_a_spec_is_brought_to_its_shortest_form(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "good")
    assert catalog.parse(f"{path}:depth=2", GAME).text == str(path)
    assert catalog.parse(f"{path}:depth=3", GAME).text == f"{path}:depth=3"
    assert catalog.label(f"{path}:depth=3") == "good.py:depth=3"


def test_an_entrant_has_name_function_and_numbers(tmp_path: Path) -> None:
    path = own_strategies.write(tmp_path, "good")
    entrant = catalog.load(f"{path}:depth=4", GAME)
    assert (entrant.label, entrant.parameters) == ("good.py:depth=4", (4,))
    assert callable(entrant.decide)
    assert catalog.load("uniform", GAME).label == "uniform"


def test_a_helper_beside_an_own_file_is_found(tmp_path: Path) -> None:
    (tmp_path / "my_own_helper.py").write_text("def pick(cards):\n    return cards\n")
    source = "from my_own_helper import pick\ndef decide(table, me):\n    return pick(7)\n"
    path = own_strategies.write(tmp_path, "helped", source)
    assert catalog.load(str(path), GAME).decide(None, None) == 7


def test_a_helper_with_the_name_of_another_module_is_refused(tmp_path: Path) -> None:
    (tmp_path / "colorsys.py").write_text("pick = 7\n")
    path = own_strategies.write(tmp_path, "shadowed", "import colorsys\n")
    with pytest.raises(Mistake, match=r"shadowed\.py:\d+: the helper 'colorsys' has the name of"):
        catalog.load(str(path), GAME)


def test_an_edited_own_file_is_read_anew(tmp_path: Path) -> None:
    program = (
        "import sys; from sim import catalog; "
        f"print(catalog.load(sys.argv[1], '{GAME}').decide(None, None))"
    )
    for answer in (1, 2, 3):  # of one length, within one second: a .pyc would not notice
        path = own_strategies.write(tmp_path, "own", f"def decide(t, m):\n    return {answer}\n")
        words = [sys.executable, "-c", program, str(path)]
        assert subprocess.run(words, capture_output=True, check=True).stdout == b"%d\n" % answer
    assert not (tmp_path / "__pycache__").exists()


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., None]]:
    """Installs this module under the name `guest`."""

    def install(module: str) -> None:
        entry = metadata.EntryPoint(f"{GAME}.guest", module, catalog.ENTRY_POINTS)
        monkeypatch.setattr(metadata, "entry_points", lambda group: [entry])
        catalog.strategies.cache_clear()

    monkeypatch.syspath_prepend(tmp_path)
    yield install
    catalog.strategies.cache_clear()


def test_an_installed_strategy_is_found_by_its_entry_point(
    tmp_path: Path, installed: Callable[..., None]
) -> None:
    own_strategies.write(tmp_path, "good").rename(tmp_path / "guest_strategy.py")
    installed("guest_strategy")
    assert catalog.strategies(GAME)["guest"].description == "Play the lowest card."
    assert catalog.load("guest:depth=3", GAME).label == "guest:depth=3"


def test_an_installed_strategy_that_ends_its_import_is_listed_and_refused(
    tmp_path: Path, installed: Callable[..., None]
) -> None:
    package = tmp_path / "guest_package"
    package.mkdir()
    (package / "__init__.py").write_text("import os\nos._exit(3)\n")
    computed = "LOW = 0\nPARAMETERS = (Parameter('depth', LOW, 0, 1),)\n"
    own_strategies.write(package, "computed", computed + own_strategies.SOURCES["plain"])
    own_strategies.write(package, "good")
    ended = "its process ended with code 3 while it was imported"
    installed("guest_package.computed")
    assert ended in catalog.strategies(GAME)["guest"].description
    installed("guest_package.good")
    assert catalog.strategies(GAME)["guest"].description == "Play the lowest card."
    with pytest.raises(Mistake, match=ended):
        catalog.load("guest", GAME)


def test_the_sources_of_a_strategy_are_its_own_and_the_games(tmp_path: Path) -> None:
    (tmp_path / "their_helper.py").write_text("pick = 7\n")
    path = own_strategies.write(
        tmp_path, "own", "import their_helper\ndef decide(t, m): return 0\n"
    )
    files = catalog.source_files(catalog.game(GAME), ["uniform", str(path)])
    assert {f"strategies/{GAME}/uniform.py", "sim/core/loop.py"} <= set(files)
    assert {str(path), str(tmp_path / "their_helper.py")} <= set(files)
    assert f"strategies/{GAME}/lowest.py" not in files
    assert "sim/store/folder.py" not in files
