"""Write a strategy to begin with: it plays, it has a test, and it says what a seat can see.

All of it comes from the game's own files: what to do by chance from its baseline, the legends from
its `view.py`, how cards and actions are coded from its `cards.py`.
"""

from __future__ import annotations

import ast
import importlib.util
import io
import keyword
import re
import textwrap
import tokenize
from collections.abc import Iterator
from pathlib import Path

from sim import catalog
from sim.core.game import BASELINE
from sim.errors import Mistake, reason

WIDTH = 100
LEGEND = 40  # column of the legends

Named = dict[str, set[str]]  # names that are imported, by module


def write(game: str, name: str, folder: Path) -> list[Path]:
    """Write `name`.py and test_`name`.py into the folder and return both paths.

    Raises
    ------
    Mistake
        There is no such game, the name is none or is taken, or the folder cannot be written.
    """
    known = catalog.strategies(catalog.game(game).name)
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name) or keyword.iskeyword(name):
        raise Mistake(f"NAME: {name!r} is not allowed; allowed: a-z, 0-9 and _, a letter first")
    if name.startswith("test_"):
        raise Mistake(f"NAME: {name!r} is not allowed: pytest takes it for a test")
    if name in known:
        raise Mistake(f"NAME: {name!r} is a strategy of {game} already; choose another")
    texts = {f"{name}.py": strategy_text(game, name), f"test_{name}.py": test_text(game, name)}
    paths = [folder / file for file in texts]
    for path in paths:
        if path.exists():
            raise Mistake(f"{path}: is there already and is not overwritten; choose another NAME")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path, text in zip(paths, texts.values(), strict=True):
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        raise Mistake(f"{error.filename or folder}: cannot be written: {reason(error)}") from None
    return paths


def strategy_text(game: str, name: str) -> str:
    """A strategy that does anything legal, with one place for an idea."""
    tree, source = _parsed(catalog.strategies(game)[BASELINE].path)
    imported = _imports(tree)
    for module, word in (("game", "Parameter"), ("jit", "kernel"), ("rng", "below")):
        imported.setdefault(f"sim.core.{module}", set()).add(word)
    decide = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == "decide")
    lines = source.splitlines()
    first, last = decide.body[0].lineno, decide.body[-1].end_lineno
    return _STRATEGY.format(
        name=name,
        imports=_import_lines(imported),
        by_chance="\n".join(lines[first - 1 : last]),
        legends="\n".join(legends(game)),
    )


def test_text(game: str, name: str) -> str:
    """Its test."""
    found = catalog.game(game)
    fit = (n for n in found.players if not catalog.rules_problems(found, n, found.defaults()))
    players = next(fit)
    lineup = ",".join([BASELINE] * (players - 1))
    return _TEST.format(game=game, name=name, players=players, others=lineup)


_STRATEGY = '''"""{name}: say here in one line what it does.

So far it does anything legal, each action with the same probability. Your idea goes into `idea`.

Source: own idea.
"""

{imports}

# NAME_ZH = "..." and ABOUT_ZH = "...", a sentence, are what Chinese pages call it and say of it.
PARAMETERS = (  # numbers that can be set from outside: {name}.py:percent=50
    Parameter("percent", default=100, low=0, high=100, meaning="decisions that the idea takes"),
)
PERCENT = 0  # index into me.parameter


@strategy
def decide(table, me):
    """Let the idea take so many percent of the decisions, and chance the rest."""
    if below(me.rng, 100) < me.parameter[PERCENT]:
        return idea(table, me)
    return by_chance(table, me)


@kernel
def idea(table, me):
    """YOUR IDEA GOES HERE: return the number of a legal action."""
    return by_chance(table, me)


@kernel
def by_chance(table, me):
{by_chance}


# What can be seen. All of it may be read; only me.rng and me.memory may be written. `decide` and
# the kernels are compiled: whole numbers, records and arrays, no lists, texts or dictionaries.
# (Without the decorators, as plain Python, everything goes, a hundred times slower.)
#
{legends}
'''

_TEST = '''"""Tests of {name}.py; run `pytest` in this folder."""

from pathlib import Path

from analysis.winshares import estimate
from sim.catalog import game
from sim.compliance import check
from sim.reading import from_flags
from sim.results import Memory
from sim.runner import play

OWN = str(Path(__file__).with_name("{name}.py"))


def test_it_keeps_to_the_form() -> None:
    """Legal, repeatable, no peeking: `fairdeal check-strategy` in short."""
    report = check("{game}", OWN, decisions=200)
    assert not report.failed, report.findings


def test_it_is_not_worse_than_chance() -> None:
    """Alone against chance, on 2,000 deals, every deal from every seat."""
    experiment = from_flags(
        {{
            "game": "{game}",
            "players": {players},
            "strategies": f"{{OWN}},{others}",
            "deals": 2000,
            "seed": 1,
        }}
    )
    (cell,) = play(experiment, Memory(experiment)).cells
    rules = game("{game}")
    own = estimate(cell, rules, "strategy", "win_share", (0,))
    others = estimate(cell, rules, "strategy", "win_share", tuple(range(1, {players})))
    assert own.high >= others.low
'''


# Imports


def _parsed(path: Path) -> tuple[ast.Module, str]:
    source = path.read_text(encoding="utf-8")
    return ast.parse(source), source


def _imports(tree: ast.Module) -> Named:
    found: Named = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            found.setdefault(node.module, set()).update(alias.name for alias in node.names)
    return found


def _import_lines(imported: Named) -> str:
    lines = []
    for module in sorted(imported):
        # As ruff sorts them: constants, classes, functions.
        names = sorted(imported[module], key=lambda n: (not n.isupper(), n.islower(), n))
        line = f"from {module} import {', '.join(names)}"
        if len(line) > WIDTH:
            line = f"from {module} import (\n" + "".join(f"    {n},\n" for n in names) + ")"
        lines.append(line)
    return "\n".join(lines)


# Legends


def legends(game: str) -> Iterator[str]:
    """What a seat sees, as comment lines: every field with what `view.py` says beside it.

    Then how it is coded: the words of the modules for cards, and their functions.
    """
    package = catalog.game(game).package
    view = Path(str(_origin(f"{package}.view")))
    core = Path(str(_origin("sim.core.strategy")))
    yield "# What all can see"
    yield from _record(view, "TABLE", "table")
    yield "#"
    yield "# What only this seat has"
    yield from _record(view, "ME", "me")
    yield from _record(core, "me_record", "me")
    for module in (f"{package}.cards", "sim.core.cards"):
        if origin := _origin(module):
            yield "#"
            yield f"# How it is coded: {module}"
            yield from _coding(Path(origin))


def _origin(module: str) -> str | None:
    spec = importlib.util.find_spec(module)
    return spec.origin if spec else None


def _record(path: Path, name: str, prefix: str) -> Iterator[str]:
    """The fields of a record, those of a record inside it under their full names."""
    tree, source = _parsed(path)
    call = _call(tree, name)
    comments = _comments(source)
    last = call.lineno
    for field in call.args:
        if not isinstance(field, ast.Tuple):
            continue
        for line in range(last + 1, field.lineno):
            if line in comments:
                yield f"#   {comments[line].rstrip('.:')}:"
        last = field.end_lineno or field.lineno
        label, kind, *length = field.elts
        full = f"{prefix}.{ast.literal_eval(label)}"
        if isinstance(kind, ast.Name) and any(_assigned(tree, kind.id)):
            yield from _record(path, kind.id, full)
            continue
        full += f"[{ast.unparse(length[0])}]" if length else ""
        said = [comments[n] for n in range(field.lineno, last + 1) if n in comments]
        yield from _legend(full, " ".join(said))


def _coding(path: Path) -> Iterator[str]:
    """The docstring of a module, and its functions with what they say first."""
    tree, _ = _parsed(path)
    for paragraph in (ast.get_docstring(tree) or "").split("\n\n"):
        # Chinese characters are twice as wide as they are counted.
        yield from (f"#   {line}" for line in textwrap.wrap(paragraph, WIDTH - 10))
    for node in tree.body:
        if isinstance(node, ast.FunctionDef) and not node.name.startswith("_"):
            said = (ast.get_docstring(node) or "").partition("\n")[0]
            yield from _legend(f"{node.name}({ast.unparse(node.args)})", said)


def _legend(name: str, words: str) -> Iterator[str]:
    lines = textwrap.wrap(words, WIDTH - LEGEND) or [""]
    head = f"#     {name}"
    if len(head) >= LEGEND:
        yield head
        head = "#"
    for line in lines:
        yield (head.ljust(LEGEND) + line).rstrip()
        head = "#"


def _assigned(tree: ast.Module, name: str) -> Iterator[ast.Call]:
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=found)], value=ast.Call() as call):
                if found == name:
                    yield call


def _call(tree: ast.Module, name: str) -> ast.Call:
    """The call that makes a record: assigned to the name, or returned by the function so called."""
    for call in _assigned(tree, name):
        return call
    function = next(n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == name)
    returned = function.body[-1]
    assert isinstance(returned, ast.Return) and isinstance(returned.value, ast.Call)
    return returned.value


def _comments(source: str) -> dict[int, str]:
    tokens = tokenize.generate_tokens(io.StringIO(source).readline)
    return {t.start[0]: t.string.lstrip("# ") for t in tokens if t.type == tokenize.COMMENT}
