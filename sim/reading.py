"""Read an experiment from flags or from a TOML file, and report all its mistakes together."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sim import catalog
from sim.core.game import Game, as_word
from sim.errors import Mistake, nearest, reason, unknown
from sim.experiment import (
    MAX_DEALS,
    MAX_SEED,
    MODES,
    ON_FAULT,
    ROTATE,
    Experiment,
    Lineup,
    Variant,
    frozen,
)

KEYS = ("game", "players", "strategies", "deals", "seed", "rotate", "mode", "on_fault")
TABLES = ("rules", "lineup", "variant")

Place = tuple[str | int, ...]  # where a value stands: ('variant', 0, 'rules', 'limit')


def from_flags(flags: Mapping[str, Any], rules: Sequence[str] = ()) -> Experiment:
    """Make an experiment of the command line.

    Parameters
    ----------
    flags
        Values of the flags that were given, by key of the TOML file; texts or numbers.
    rules
        Every `--rule`, as `name=value`.

    Raises
    ------
    Mistake
        With all problems found.
    """
    reading = Reading({}, "", Path.cwd())
    reading.add_flags(flags, rules)
    return reading.experiment()


def from_file(
    path: Path, flags: Mapping[str, Any] | None = None, rules: Sequence[str] = ()
) -> Experiment:
    """Read an experiment from a TOML file; flags that are given too go before the file.

    Raises
    ------
    Mistake
        With all problems found, each with line and key.
    """
    data, lines = read_toml(path)
    reading = Reading(data, str(path), path.parent, lines)
    reading.add_flags(flags or {}, rules)
    return reading.experiment()


def read_toml(path: Path) -> tuple[dict[str, Any], dict[Place, int]]:
    """Read a TOML file: what it holds, and the line of every table and key.

    Raises
    ------
    Mistake
        It cannot be read or is not TOML.
    """
    try:
        text = path.read_text(encoding="utf-8")
        return tomllib.loads(text), _lines(text)
    except OSError as error:
        raise Mistake(f"{path}: cannot be read: {reason(error)}") from None
    except UnicodeDecodeError as error:
        raise Mistake(f"{path}: is not UTF-8: {error.reason}") from None
    except tomllib.TOMLDecodeError as error:
        place = re.search(r"\(at line (\d+), column (\d+)\)", str(error))
        line = int(place[1]) if place else len(text.splitlines()) or 1
        raise Mistake(f"{path}:{line}: is not TOML: {str(error).split(' (at ')[0]}") from None


@dataclass
class Reading:
    """Reads one experiment and collects all problems on the way; also the base of other files."""

    data: dict[str, Any]
    file: str  # '' without one
    folder: Path  # where relative paths of strategies in the file begin
    lines: dict[Place, int] = field(default_factory=dict)
    flags: dict[Place, str] = field(default_factory=dict)  # what came from the command line
    problems: list[str] = field(default_factory=list)

    def add_flags(self, flags: Mapping[str, Any], rules: Sequence[str]) -> None:
        """Put the flags that were given before what the file says."""
        for key, value in flags.items():
            self.data[key] = value
            self.flags[(key,)] = "GAME" if key == "game" else f"--{key}"
        if "strategies" in flags:
            self.data.pop("lineup", None)
        for rule in rules:
            name, equals, value = (part.strip() for part in rule.partition("="))
            if not equals:
                self.problems.append(f"--rule {rule}: must be name=value")
                continue
            if ("rules", name) in self.flags:
                self.problems.append(f"--rule {rule}: {name} is given twice; allowed: once")
                continue
            base = self.data.setdefault("rules", {})
            if isinstance(base, dict):
                base[name] = value
                self.flags[("rules", name)] = f"--rule {rule}"

    def experiment(self) -> Experiment:
        """The experiment, or all problems at once."""
        self.known_keys(KEYS + TABLES)
        game = self.game()
        deals = self.integer("deals", 1, MAX_DEALS)
        seed = self.integer("seed", 0, MAX_SEED)
        rotate = self.word("rotate", ROTATE)
        mode = self.word("mode", MODES)
        on_fault = self.word("on_fault", ON_FAULT)
        if game is None:
            raise Mistake(*self.problems)
        players = self.players(game)
        lineups = self.lineups(game, players)
        variants = self.variants(game, players)
        if self.problems:
            raise Mistake(*self.problems)
        return Experiment(
            game.name, players, tuple(lineups), tuple(variants), deals, seed, rotate, mode, on_fault
        )

    def known_keys(self, allowed: Sequence[str]) -> None:
        """Note every key of the file that means nothing."""
        for key in self.data:
            if key not in allowed:
                self.problem((key,), unknown("key", key, allowed))

    def problem(self, path: Place, message: str) -> None:
        """Note a problem with its place: file, line and key, or the flag."""
        if path in self.flags:
            where = self.flags[path]
        elif self.file:
            near = next((path[:n] for n in range(len(path), 0, -1) if path[:n] in self.lines), ())
            key = ".".join(f"[{part}]" if isinstance(part, int) else part for part in path)
            where = f"{self.file}:{self.lines.get(near, 1)}: {key.replace('.[', '[')}"
        else:
            where = f"--{path[0]}"
        self.problems.append(f"{where}: {message}")

    def game(self) -> Game | None:
        """The game; None if it is missing or unknown."""
        name = self.data.get("game")
        if name is None:
            self.problem(("game",), "is missing")
            return None
        try:
            return catalog.game(str(name))
        except Mistake as mistake:
            self.problem(("game",), str(mistake))
            return None

    def integer(self, key: str, low: int, high: int, at: Place = ()) -> int:
        """A whole number of the file, or of the table that stands `at` a place."""
        return self.whole(self.table(at).get(key), (*at, key), low, high)

    def whole(self, value: Any, path: Place, low: int, high: int) -> int:
        """A value that should be a whole number; the lowest allowed one if it is not."""
        if value is None:
            self.problem(path, "is missing")
            return low
        is_text = isinstance(value, str) and re.fullmatch(r"[+-]?\d+(_\d+)*", value.strip())
        is_number = isinstance(value, int) and not isinstance(value, bool)
        if not (is_text or is_number) or not low <= int(value) <= high:
            problem = f"{value!r} is not allowed; allowed: an integer {low}..{high}"
            self.problem(path, problem)
            return low
        return int(value)

    def word(self, key: str, allowed: Sequence[str], at: Place = ()) -> str:
        """One of some words, by default the first."""
        value = self.table(at).get(key, allowed[0])
        if value not in allowed:
            self.problem((*at, key), unknown("value", value, allowed))
        return str(value)

    def table(self, at: Place) -> Mapping[str, Any]:
        """The table that stands at a place of the file."""
        found: Any = self.data
        for part in at:
            found = found[part]
        assert isinstance(found, dict)
        return found

    def players(self, game: Game) -> int:
        """Number of players; 0 if it is not allowed."""
        known = len(self.problems)
        players = self.integer("players", 1, MAX_SEED)
        if players not in game.players:
            if len(self.problems) == known:
                counts = ", ".join(map(str, game.players))
                self.problem(("players",), f"{players} is not allowed; allowed: {counts}")
            return 0
        return players

    def lineups(self, game: Game, players: int) -> list[Lineup]:
        """All line-ups of an experiment."""
        tables = self.tables("lineup", ("name", "strategies"))
        if "strategies" in self.data and tables:
            self.problem(("strategies",), "give either strategies or [[lineup]] tables, not both")
        if "strategies" in self.data:
            found = [self.lineup(game, players, self.data, ("strategies",))]
        elif tables:
            found = [
                self.lineup(game, players, table, (*path, "strategies")) for path, table in tables
            ]
        else:
            self.problem(("strategies",), "is missing")
            return []
        self.unique("lineup", [lineup.name for lineup in found if lineup.strategies])
        files: dict[str, str] = {}
        for spec in sorted({spec for lineup in found for spec in lineup.strategies}):
            name, _, parameters = catalog.label(spec).partition(":")
            own = spec.removesuffix(f":{parameters}")
            if files.setdefault(name, own) != own:
                self.problem(("strategies",), f"two files are called {name}; rename one")
        return found

    def lineup(self, game: Game, players: int, table: Mapping[str, Any], path: Place) -> Lineup:
        """The line-up that a table's `strategies` name; without strategies if it is wrong."""
        value = table.get("strategies")
        if value is None:
            self.problem(path, "is missing")
            return Lineup("", ())
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            self.problem(path, f"{value!r} is not allowed; allowed: a list of names")
            return Lineup("", ())
        folder = Path.cwd() if path in self.flags else self.folder
        specs = []
        for item in items:
            try:
                specs.append(catalog.parse(item, game.name, folder).text)
            except Mistake as mistake:
                for problem in mistake.problems:
                    self.problem(path, problem)
        if len(items) not in (1, players) and players:
            self.problem(
                path, f"{len(items)} strategies for {players} players; allowed: 1 or {players}"
            )
        if len(specs) < len(items) or len(items) not in (1, players):
            return Lineup("", ())
        strategies = tuple(specs * (players if len(specs) == 1 else 1))
        labels = [catalog.label(spec) for spec in strategies]
        plain = labels[0] if len(set(strategies)) == 1 else ",".join(labels)
        return Lineup(str(table.get("name", plain)), strategies)

    def variants(self, game: Game, players: int) -> list[Variant]:
        """All variants of an experiment."""
        base = self.rules(game, self.data.get("rules", {}), ("rules",))
        tables = self.tables("variant", ("name", "rules"))
        if not tables:
            return [self.variant(game, players, base, None, [("rules",)])]
        found = []
        given = {name: value for name, value in base.items() if ("rules", name) in self.flags}
        for path, table in tables:
            own = self.rules(game, table.get("rules", {}), (*path, "rules"))
            homes = [(*path, "rules"), ("rules",)]
            found.append(self.variant(game, players, base | own | given, table.get("name"), homes))
        self.unique("variant", [variant.name for variant in found])
        return found

    def variant(
        self,
        game: Game,
        players: int,
        changed: dict[str, Any],
        name: object,
        homes: Sequence[Place],
        seats: Place = ("players",),
    ) -> Variant:
        """A variant from the switches that are changed; notes what does not fit together.

        Parameters
        ----------
        homes
            Tables in which the switches may stand, the one that holds before the others first.
        seats
            Where the number of players stands: the usual rules need not fit every number.
        """
        default = {switch.name: frozen(switch.parse(switch.default)) for switch in game.switches}
        rules = default | {key: frozen(value) for key, value in changed.items()}
        differs = [f"{key}={as_word(rules[key])}" for key in rules if rules[key] != default[key]]
        variant = Variant(str(name) if name else " ".join(differs) or "default", (*rules.items(),))
        if players:
            for problem in catalog.rules_problems(game, players, variant.switches):
                # What a problem names first is what it is about.
                named = re.findall(r"\w+", problem)
                key = next((word for word in named if word in changed), None)
                self.problem(self.home(key, homes) if key else seats, problem)
        return variant

    def home(self, key: str, homes: Sequence[Place]) -> Place:
        """Where a switch stands: the flag, or the first of some tables that has it."""
        if ("rules", key) in self.flags:
            return ("rules", key)
        for home in homes:
            rules = self.table(home[:-1]).get("rules")
            if isinstance(rules, dict) and key in rules:
                return (*home, key)
        return (*homes[-1], key)

    def rules(self, game: Game, table: object, path: Place) -> dict[str, Any]:
        """The switches of a table with their values parsed."""
        if not isinstance(table, dict):
            self.problem(path, f"{table!r} is not allowed; allowed: a table of switches")
            return {}
        found = {}
        for name, value in table.items():
            known = {switch.name: switch for switch in game.switches}
            if name not in known:
                self.problem((*path, name), unknown("switch", name, known))
                continue
            try:
                found[name] = known[name].parse(value)
            except ValueError as error:
                what, _, allowed = str(error).partition("; ")
                hint = nearest(value, known[name].words)
                self.problem((*path, name), f"{what}{hint}; {allowed}")
        return found

    def tables(self, key: str, allowed: Sequence[str]) -> list[tuple[Place, dict[str, Any]]]:
        """The [[key]] tables of the file with the path of each."""
        value = self.data.get(key, [])
        if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
            self.problem((key,), f"must be written as [[{key}]] tables")
            return []
        for i, table in enumerate(value):
            for name in table:
                if name not in allowed:
                    self.problem((key, i, name), unknown("key", name, allowed))
        return [((key, i), table) for i, table in enumerate(value)]

    def unique(self, key: str, names: list[str]) -> None:
        """Note every name that stands twice."""
        for i, name in enumerate(names):
            if name in names[:i]:
                self.problem((key, i), f"{name!r} stands here twice; give each {key} its own name")


_HEADER = re.compile(r"\s*(\[{1,2})\s*([\w.\-\"' ]+?)\s*\]{1,2}\s*(?:#.*)?")
_KEY = re.compile(r"\s*([\w.\-\"']+)\s*=")


def _lines(text: str) -> dict[Place, int]:
    """Line of every table and key; tomllib says what a file holds, but not where."""
    lines: dict[Place, int] = {}
    here: Place = ()
    count: dict[str, int] = {}
    for number, line in enumerate(text.splitlines(), 1):
        header, key = _HEADER.fullmatch(line), _KEY.match(line)
        if header:
            name, *rest = _parts(header[2])
            if header[1] == "[[":
                count[name] = count.get(name, -1) + 1
                lines.setdefault((name,), number)
            here = (name, count[name], *rest) if name in count else (name, *rest)
            lines.setdefault(here, number)
        elif key:
            lines.setdefault((*here, *_parts(key[1])), number)
    return lines


def _parts(key: str) -> list[str]:
    return [part.strip(" \"'") for part in key.split(".")]
