"""Find games and strategies by name, without a list to keep and without compiling anything.

A game is a folder of `sim/games` with a `GAME`. A strategy is a file of `strategies/<game>`, an
entry point of another distribution, or a .py file of the user. What a strategy says about itself,
its docstring, its PARAMETERS, its Chinese name NAME_ZH and what it does in Chinese, ABOUT_ZH, and
whom it is MEANT_TO_BEAT, is read from the text of its file.
"""

from __future__ import annotations

import ast
import contextlib
import faulthandler
import functools
import hashlib
import importlib
import importlib.util
import re
import sys
import tempfile
import traceback
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any

from sim.core.game import Game, Parameter, Pieces, Words
from sim.core.modules import module_file
from sim.errors import Mistake, nearest, unknown

if TYPE_CHECKING:
    from sim.core.engine import Entrant

# That a file of the user may take.
IMPORT_SECONDS, COMPILE_SECONDS = 30.0, 120.0
ENTRY_POINTS = "fairdeal.strategies"  # entries are called '<game>.<name>'
_GAMES = Path(__file__).parent / "games"
_SPEC = re.compile(r"(?P<name>.*?\.py|[^:]*)(?P<rest>(?::.*)?)", re.DOTALL)


@dataclass(frozen=True)
class StrategyFile:
    """A strategy as it describes itself in its file."""

    name: str  # what the user calls it; an absolute path for a file of his own
    path: Path
    module: str  # dotted name; of the user's own files one that no other file has
    description: str
    parameters: tuple[Parameter, ...]
    name_zh: str = ""  # what Chinese texts call it; empty without one
    about_zh: str = ""  # what they say of it, a sentence; empty without one
    meant_to_beat: tuple[str, ...] = ()  # strategies that it refines or that its source ranks below

    @property
    def is_own_file(self) -> bool:
        """Whether the user gave a path in place of a name."""
        return self.name.endswith(".py")

    @property
    def is_ours(self) -> bool:
        """Whether it is built in: it is known to answer, and plays in any thread."""
        return self.module.startswith("strategies.")


@dataclass(frozen=True)
class Spec:
    """A strategy with the values of its parameters, as in `target40:limit=35:floor=3`."""

    file: StrategyFile
    values: tuple[int, ...]

    @property
    def text(self) -> str:
        """The shortest text that means the same: parameters with other than default values."""
        changed = [
            f":{parameter.name}={value}"
            for parameter, value in zip(self.file.parameters, self.values, strict=True)
            if value != parameter.default
        ]
        return self.file.name + "".join(changed)


@dataclass(frozen=True)
class Team:
    """A team of a game by some rules."""

    number: int
    column: str  # game measure that tells whether it won
    size: int  # players
    seats: tuple[int, ...]  # () where they are drawn anew in every game


def label(spec: str) -> str:
    """What a strategy is called in tables: a user's own file goes without its folder."""
    name, rest = _split(spec)
    return (Path(name).name if name.endswith(".py") else name) + rest


def title(spec: str, game_name: str) -> Words:
    """What a strategy is called in texts: its label, in Chinese its own name if it has one.

    A file that is gone, or cannot be read any more, still has its label.
    """
    file, rest = _file_of(spec, game_name), _split(spec)[1]
    return Words(label(spec), file.name_zh + rest if file and file.name_zh else label(spec))


def description(spec: str, game_name: str) -> Words:
    """The first line of a strategy's own description, in Chinese what it says there if anything.

    Empty if its file is gone.
    """
    file = _file_of(spec, game_name)
    text = file.description.replace("`", "") if file else ""
    return Words(text, (file and file.about_zh) or text)


def explain(spec: str, game_name: str) -> Words:
    """The parameters of a strategy with their values and what these mean.

    Empty without parameters, and if its file is gone.
    """
    try:
        found = parse(spec, game_name)
    except Mistake:
        return Words("", "")
    english, chinese = [], []
    for parameter, value in zip(found.file.parameters, found.values, strict=True):
        en, zh = (parameter.about(lang, value) for lang in ("en", "zh"))
        english.append(f"{parameter.name}={value}" + (f" ({en})" if en else ""))
        chinese.append(f"{parameter.name}={value}" + (f"（{zh}）" if zh else ""))
    return Words("; ".join(english), "；".join(chinese))


def _file_of(spec: str, game_name: str) -> StrategyFile | None:
    name = _split(spec)[0]
    if name.endswith(".py") and Path(name).is_absolute():
        with contextlib.suppress(Mistake):
            return _own_file(Path(name))
    return strategies(game_name).get(name)


# Games


def game_names() -> list[str]:
    """Names of all games, sorted."""
    return sorted(path.parent.name for path in _GAMES.glob("[a-z]*/__init__.py"))


def game(name: str) -> Game:
    """Return the game called `name`.

    Raises
    ------
    Mistake
        There is none.
    """
    if name not in game_names():
        raise Mistake(unknown("game", name, game_names()))
    found = importlib.import_module(f"sim.games.{name}").GAME
    assert isinstance(found, Game)
    return found


def rules_problems(game: Game, players: int, switches: dict[str, Any]) -> list[str]:
    """Contradictions between switches: some mean nothing beside others, or the rules say so."""
    module = importlib.import_module(f"{game.package}.rules")
    return [*game.idle(switches).values(), *module.problems(players, switches)]


def roles(game: Game, players: int, switches: dict[str, Any]) -> tuple[int, ...]:
    """The role or team of each seat, from 0; nothing where they belong to no seats."""
    module = importlib.import_module(f"{game.package}.rules")
    return tuple(module.roles(players, switches)) if hasattr(module, "roles") else ()


def teams(game: Game, players: int, switches: dict[str, Any]) -> tuple[Team, ...]:
    """The teams of a game by these rules; nothing where each seat plays for itself."""
    if not game.teams:
        return ()
    sizes = importlib.import_module(f"{game.package}.rules").team_sizes(players, switches)
    of = roles(game, players, switches)
    return tuple(
        Team(
            number, game.teams[number], size, tuple(s for s, own in enumerate(of) if own == number)
        )
        for number, size in enumerate(sizes)
    )


def pieces(game: Game, players: int, switches: dict[str, Any]) -> list[Pieces]:
    """The cards, tiles and the like that a game by these rules is played with."""
    found: list[Pieces] = importlib.import_module(f"{game.package}.text").pieces(players, switches)
    return found


def traits(game: Game) -> tuple[tuple[str, Words], ...]:
    """What a hand of the game is made of, by name, in the order of `Redrawn.traits`.

    Raises
    ------
    Mistake
        The game does not tell.
    """
    name = f"{game.package}.traits"
    if importlib.util.find_spec(name) is None:
        raise Mistake(f"the game {game.name} has no traits, so nothing is known about its hands")
    return tuple(importlib.import_module(name).TRAITS)


# Strategies


@functools.cache
def strategies(game_name: str) -> dict[str, StrategyFile]:
    """Every strategy of a game by name. An installed one cannot take the name of one of ours."""
    found = {}
    for entry in metadata.entry_points(group=ENTRY_POINTS):
        of, _, name = entry.name.partition(".")
        path = module_file(entry.module) if of == game_name and name else None
        if path is not None:
            found[name] = _read(name, path, entry.module)
    for root in _folders("strategies"):
        for path in (root / game_name).glob("[!_]*.py"):
            found[path.stem] = _read(path.stem, path, f"strategies.{game_name}.{path.stem}")
    return dict(sorted(found.items()))


def parse(text: str, game_name: str, folder: Path | None = None) -> Spec:
    """Read a strategy with its parameters and check both.

    Parameters
    ----------
    text
        `target40`, `target40:limit=35:floor=3` or `path/to/my.py:limit=35`.
    game_name
        Game that it shall play.
    folder
        Where relative paths begin; by default the current folder.

    Raises
    ------
    Mistake
        With every problem found in `text`.
    """
    name, rest = _split(text)
    if name.endswith(".py"):
        file = _own_file((folder or Path.cwd()) / Path(name).expanduser())
    else:
        known = strategies(game_name)
        if name not in known:
            raise Mistake(unknown("strategy", name, [*known, "a path ending in .py"]))
        file = known[name]
    other = None if file.is_ours else _other_game(file.path, game_name)
    if other:
        raise Mistake(f"{label(name)} is written for the game {other}")
    values = {parameter.name: parameter.default for parameter in file.parameters}
    bounds = {parameter.name: parameter for parameter in file.parameters}
    problems: list[str] = []
    given: set[str] = set()
    for part in rest.split(":")[1:]:
        key, _, value = part.partition("=")
        parameter = bounds.get(key)
        if key in given:
            problems.append(f"{label(name)}: {key} is given twice; allowed: once")
            continue
        given.add(key)
        span = f"an integer {parameter.low}..{parameter.high}" if parameter else ""
        if parameter is None:
            problems.append(f"{label(name)}: {unknown('parameter', key, bounds)}")
        elif not re.fullmatch(r"[+-]?\d+", value):
            problems.append(f"{label(name)}: {key}={value} is not allowed; allowed: {span}")
        elif not parameter.low <= int(value) <= parameter.high:
            problems.append(f"{label(name)}: {key}={value} is out of bounds; allowed: {span}")
        else:
            values[key] = int(value)
    if problems:
        raise Mistake(*problems)
    return Spec(file, tuple(values.values()))


def _other_game(path: Path, game_name: str) -> str | None:
    """The game whose parts a file imports, if it is another one."""
    text = path.read_text(encoding="utf-8", errors="replace")
    words = {*re.findall(r"sim\.games\.(\w+)", text)}
    others = sorted(words & {*game_names()} - {game_name})
    return others[0] if others and game_name not in words else None


def load(text: str, game_name: str) -> Entrant:
    """Import the file of a strategy and return it ready for the engine.

    Raises
    ------
    Mistake
        The file cannot be imported or compiled in time, or has no `decide`; with file, line,
        reason.
    """
    from sim.core.engine import Entrant

    spec = parse(text, game_name)
    module = _import(spec.file)
    decide = getattr(module, "decide", None)
    if not callable(decide):
        raise Mistake(f"{_shown(spec.file.path)}: there is no function 'decide(table, me)'")
    return Entrant(label(spec.text), decide, spec.values)


def source_files(game: Game, specs: list[str]) -> dict[str, Path]:
    """Every project or user file on which the results of these strategies depend, by name."""
    from sim.core import cache

    root = _GAMES.parent.parent
    folders = [_GAMES.parent / "core", *_folders(game.package)]
    paths = {path.resolve() for folder in folders for path in folder.rglob("*.py")}
    for text in specs:
        file = parse(text, game.name).file
        _import(file)
        paths.update(map(Path, cache.source_files(str(file.path))))
    names = {path: path.relative_to(root) if path.is_relative_to(root) else path for path in paths}
    return {name.as_posix(): path for path, name in sorted(names.items())}


def _folders(package: str) -> list[Path]:
    spec = importlib.util.find_spec(package)
    return [Path(folder) for folder in (spec and spec.submodule_search_locations) or []]


def _split(text: str) -> tuple[str, str]:
    match = _SPEC.match(text.strip())
    return (match["name"], match["rest"]) if match else (text, "")


def _own_file(path: Path) -> StrategyFile:
    path = path.resolve()
    if path.is_dir():
        raise Mistake(f"{_shown(path)} is a folder; give a file")
    if not path.is_file():
        siblings = [other.name for other in path.parent.glob("*.py")]
        raise Mistake(f"there is no file {_shown(path)}{nearest(path.name, siblings)}")
    key = hashlib.sha256(str(path).encode()).hexdigest()[:12]
    return _read(str(path), path, f"own_{key}_{re.sub(r'[^A-Za-z0-9_]', '_', path.stem)}")


def _read(name: str, path: Path, module: str) -> StrategyFile:
    """Read what a file says about itself; one with a name is listed even if it cannot be read."""
    plain = StrategyFile(name, path, module, "", ())
    try:
        return _described(plain)
    except Mistake as mistake:
        if plain.is_own_file:
            raise
        return replace(plain, description=f"cannot be read: {mistake}")


def _described(plain: StrategyFile) -> StrategyFile:
    """The same with its docstring, PARAMETERS and Chinese name."""
    path = plain.path
    try:
        tree = ast.parse(path.read_bytes(), str(path))
    except (OSError, SyntaxError, ValueError) as error:
        raise Mistake(_located(error, path)) from None
    lines = (ast.get_docstring(tree) or "").splitlines() or [""]
    plain = replace(plain, description=lines[0])
    return replace(
        plain,
        parameters=_parameters(tree, plain),
        name_zh=_constant(tree, path, "NAME_ZH", str, "a text in quotes") or "",
        about_zh=_constant(tree, path, "ABOUT_ZH", str, "a text in quotes") or "",
        meant_to_beat=_constant(tree, path, "MEANT_TO_BEAT", tuple, "a tuple of names") or (),
    )


def _assigned(tree: ast.Module, name: str) -> ast.Assign | ast.AnnAssign | None:
    """Where a file gives a constant its value."""
    for node in tree.body:
        if isinstance(node, ast.Assign | ast.AnnAssign):
            targets = node.targets if isinstance(node, ast.Assign) else [node.target]
            if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                return node
    return None


def _parameters(tree: ast.Module, file: StrategyFile) -> tuple[Parameter, ...]:
    """PARAMETERS of a file, from its text if it is plain, else by importing the file."""
    node = _assigned(tree, "PARAMETERS")
    if node is None:
        return ()
    calls = getattr(node.value, "elts", None)
    try:
        found = tuple(_parameter(call, tree) for call in calls or [node.value])
    except (ValueError, TypeError):
        found = _import(file).PARAMETERS
    if not all(isinstance(parameter, Parameter) for parameter in found):
        raise Mistake(
            f"{_shown(file.path)}:{node.lineno}: PARAMETERS must be a tuple of Parameter(...)"
        )
    return tuple(found)


def _constant(tree: ast.Module, path: Path, name: str, kind: type, allowed: str) -> Any:
    """A constant of a file from its text; None without one."""
    node = _assigned(tree, name)
    if node is None:
        return None
    try:
        value = ast.literal_eval(node.value) if node.value else None
    except ValueError:
        value = None
    if not isinstance(value, kind):
        raise Mistake(f"{_shown(path)}:{node.lineno}: {name} must be {allowed}")
    return value


def _parameter(call: ast.expr, tree: ast.Module) -> Parameter:
    """A parameter written in full, or imported by its name from a module of the project."""
    if isinstance(call, ast.Name):
        for node in tree.body:
            if not isinstance(node, ast.ImportFrom) or not node.module:
                continue
            is_named = call.id in [name.name for name in node.names]
            if is_named and node.module.startswith("strategies."):
                found: Parameter = getattr(importlib.import_module(node.module), call.id)
                return found
    if not (isinstance(call, ast.Call) and ast.unparse(call.func).endswith("Parameter")):
        raise ValueError("not the plain form")
    return Parameter(
        *map(_plain, call.args),
        **{word.arg: _plain(word.value) for word in call.keywords if word.arg},
    )


def _plain(node: ast.expr) -> Any:
    """A value written in full: a literal, Words(...), or a tuple of these."""
    if isinstance(node, ast.Tuple):
        return tuple(map(_plain, node.elts))
    if isinstance(node, ast.Call) and ast.unparse(node.func) == "Words":
        return Words(*map(ast.literal_eval, node.args))
    return ast.literal_eval(node)


@functools.cache
def _import(file: StrategyFile) -> ModuleType:
    """Import the file of a strategy, its folder being importable for helpers beside it.

    One that is not built in is imported, and compiled, in a worker process before, since it may
    hang or end its process: what it has been shown to do there it will do here.
    """
    if not file.is_ours:
        _try_aside(file)
    try:
        if not file.is_own_file:
            return importlib.import_module(file.module)
        with _importable(file.path):
            module = ModuleType(file.module)
            module.__file__ = str(file.path)
            sys.modules[file.module] = module
            # Compiled from its text: a stale .pyc may survive two edits within one second.
            exec(compile(file.path.read_bytes(), str(file.path), "exec"), module.__dict__)
            return module
    except Mistake:
        raise
    except (Exception, SystemExit) as error:
        sys.modules.pop(file.module, None)
        raise Mistake(_located(error, file.path)) from None


def _try_aside(file: StrategyFile) -> None:
    """Import a file and compile its strategy in a worker process, if this is none.

    Raises
    ------
    Mistake
        It cannot be imported, takes longer than IMPORT_SECONDS, or COMPILE_SECONDS, or ends the
        process.
    """
    from sim.board import ending
    from sim.workers import Unanswered, Workers, is_aside

    if is_aside():
        return
    stages = (("imported", _import, IMPORT_SECONDS), ("compiled", _compile, COMPILE_SECONDS))
    for done, function, seconds in stages:
        with tempfile.NamedTemporaryFile(prefix="fairdeal-import-") as stack:
            try:
                with Workers(hang_seconds=seconds + 5.0) as aside:
                    aside.call(_try, function, file, sys.path, seconds, stack.name)
            except Unanswered as lost:
                text = stack.read().decode(errors="replace")
                places = re.findall(r'File "(.+)", line (\d+)', text)  # the innermost first
                near = [place for place in places if Path(place[0]).parent == file.path.parent]
                where = f"{_shown(Path(near[0][0]))}:{near[0][1]}" if near else _shown(file.path)
                why = f"not {done} after {seconds:g} s"
                if lost.code is not None and not text:
                    why = f"its process {ending(lost.code)} while it was {done}"
                raise Mistake(f"{where}: {why}") from None


def _try(
    slot: Any,
    function: Callable[[StrategyFile], Any],
    file: StrategyFile,
    paths: list[str],
    seconds: float,
    stack: str,
) -> None:
    """In a worker process: do it, or write down in the file `stack` where it hangs, and end."""
    importlib.import_module("sim.core.engine")  # what takes long is not the file's fault
    from sim.board import SEAT

    sys.path += [path for path in paths if path not in sys.path]
    with open(stack, "w") as sink:
        slot[SEAT] = 0  # it is asked now
        # This rings in C code too, where no signal is heard.
        faulthandler.dump_traceback_later(seconds, exit=True, file=sink)
        try:
            function(file)
        finally:
            faulthandler.cancel_dump_traceback_later()


def _compile(file: StrategyFile) -> None:
    """Leave the machine code of a strategy on disk, if it is to be compiled and can be."""
    from sim.core.jit import JIT
    from sim.core.strategy import CompileError, Strategy

    decide = getattr(_import(file), "decide", None)
    if JIT and isinstance(decide, Strategy):
        with contextlib.suppress(CompileError):  # to be said where the table is laid
            decide.address()


@contextlib.contextmanager
def _importable(path: Path) -> Iterator[None]:
    folder = str(path.parent)
    if folder not in sys.path:
        sys.path.append(folder)  # at the end: a helper called random.py hides nothing of Python's
    for name, line in _imports(path):
        beside = [path.with_name(f"{name}.py"), path.parent / name / "__init__.py"]
        spec = importlib.util.find_spec(name) if any(p.exists() for p in beside) else None
        if spec and spec.origin and Path(spec.origin).resolve() not in beside:
            raise Mistake(
                f"{_shown(path)}:{line}: the helper {name!r} has the name of another module "
                f"({spec.origin}); rename it"
            )
    before, sys.dont_write_bytecode = sys.dont_write_bytecode, True
    try:
        yield
    finally:
        sys.dont_write_bytecode = before


def _imports(path: Path) -> Iterator[tuple[str, int]]:
    for node in ast.walk(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0], node.lineno


def _located(error: BaseException, path: Path) -> str:
    """File, line and reason of what stopped an import, in one line."""
    if isinstance(error, SyntaxError):
        place = Path(error.filename) if error.filename else path
        return f"{_shown(place)}:{error.lineno or 1}: {type(error).__name__}: {error.msg}"
    frames = traceback.extract_tb(error.__traceback__)
    near = [frame for frame in frames if Path(frame.filename).parent == path.parent]
    place, line = (Path(near[-1].filename), near[-1].lineno) if near else (path, 1)
    words = " ".join(str(error).split())
    return f"{_shown(place)}:{line}: {type(error).__name__}: {words}"


def _shown(path: Path) -> str:
    """A path as short as it can be shown from the current folder."""
    here = Path.cwd()
    return str(path.relative_to(here) if path.is_relative_to(here) else path)
