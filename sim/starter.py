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
import sys
import textwrap
import tokenize
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

from sim import catalog
from sim.core.game import BASELINE
from sim.errors import Mistake, reason

WIDTH = 100
LEGEND = 40  # column of the legends
KINDS = "DECISIONS"  # in a game's view.py the words for its kinds of decision
WORLDS = "sample_world"  # what comes from there on is about worlds
ASIDE = ("decision_of",)  # not compiled

Named = dict[str, set[str]]  # names that are imported, by module


def write(game: str, name: str, folder: Path) -> list[Path]:
    """Write `name`.py and test_`name`.py into the folder and return both paths.

    Raises
    ------
    Mistake
        There is no such game, the name is none or is taken, or the folder cannot be written.
    """
    known = catalog.strategies(catalog.game(game).name)
    if keyword.iskeyword(name):
        raise Mistake(f"NAME: {name!r} is not allowed: it is a word of Python (a keyword)")
    if not re.fullmatch(r"[a-z][a-z0-9_]*", name):
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
    told = f"alone it wins {{own.mean:.1%}} of the games, each of the others {{others.mean:.1%}}"
    assert own.high >= others.low, told
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

    Then how it is coded: the words of the modules for cards, constants with the kinds of decision,
    and functions.
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
    yield "#"
    yield f"# What it is called: {package}.view"
    yield from _names(view)
    for module in (f"{package}.cards", "sim.core.cards"):
        if origin := _origin(module):
            yield "#"
            yield f"# How it is coded: {module}"
            yield from _words(Path(origin))
            yield from _names(Path(origin))


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


def _words(path: Path) -> Iterator[str]:
    """The docstring of a module."""
    for paragraph in (ast.get_docstring(_parsed(path)[0]) or "").split("\n\n"):
        # Chinese characters are twice as wide as they are counted.
        yield from (f"#   {line}" for line in textwrap.wrap(paragraph, WIDTH - 10))


def _names(path: Path) -> Iterator[str]:
    """Constants of a module, and functions with what they say first, as far as a strategy asks.

    What is about a whole state is not for it, nor what comes after `sample_world`.
    """
    tree, source = _parsed(path)
    comments, lines = _comments(source), source.splitlines()
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    end = next((one.lineno for one in functions if one.name == WORLDS), sys.maxsize)
    for node, following in pairwise([*tree.body, ast.Pass()]):
        named = [*_constants(node)]
        if not named or node.lineno > end:
            continue
        head: list[str] = []
        while lines[node.lineno - 2 - len(head)].startswith("#"):
            head.insert(0, comments[node.lineno - 1 - len(head)])
        title = " ".join(head).rstrip(".:") + ":" if head else ""
        yield from (f"#   {line}" for line in textwrap.wrap(title, WIDTH - 10))
        inside = range(node.lineno, (node.end_lineno or node.lineno) + 1)
        said = " ".join(comments[n] for n in inside if n in comments)
        each = _kinds(following) or said.split("; ")
        legends = each if len(each) == len(named) else [said] * len(named)
        for name, legend in zip(named, legends, strict=True):
            yield from _legend(name, legend)
    for one in functions:
        arguments = [argument.arg for argument in one.args.args]
        is_asked = not one.name.startswith("_") and one.name not in ASIDE
        if is_asked and one.lineno < end and "state" not in arguments:
            said = (ast.get_docstring(one) or "").partition("\n")[0]
            yield from _legend(f"{one.name}({ast.unparse(one.args)})", said)


def _constants(node: ast.stmt) -> Iterator[str]:
    """The names in capitals that an assignment sets, each with its value if that is short."""
    match node:
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=elements)):
            values = [ast.unparse(one) for one in elements]
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Call(func=ast.Name(id="range"))):
            values = [str(n) for n in range(len(names))]
        case ast.Assign(targets=[name], value=value) if not _is_record(value):
            names, values = [name], [ast.unparse(value)]
        case _:
            return
    for said, number in zip(map(ast.unparse, names), values, strict=True):
        is_told = len(number) <= LEGEND and not re.search(
            r"\b_", number
        )  # private names say nothing
        if said.isupper() and said[0] != "_" and said != KINDS:
            yield f"{said} = {number}" if is_told else said


def _is_record(value: ast.expr) -> bool:
    return isinstance(value, ast.Call) and ast.unparse(value.func) in ("record", "me_record")


def _kinds(node: ast.stmt) -> list[str]:
    """The words for the kinds of decision, if this is where they are set."""
    match node:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.Tuple(elts=kinds)) if name == KINDS:
            return [ast.literal_eval(kind.args[0]) for kind in kinds if isinstance(kind, ast.Call)]
    return []


def _legend(name: str, words: str) -> Iterator[str]:
    lines = textwrap.wrap(words, WIDTH - LEGEND)
    head = f"#     {name}"
    if len(head) > LEGEND - 2 or not lines:
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
