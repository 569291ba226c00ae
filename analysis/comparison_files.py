"""Comparisons from flags or from TOML files, or all mistakes together.

The keys of a file are the names of the flags; a flag that is given too goes before the file.
`docs/comparisons.md` tells what they mean.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path
from typing import Any

from analysis.comparison import DEALS, Compared, Comparison, Stop, compare
from analysis.designs import DESIGNS, MOST_CHOICES, fewest, n_lineups
from analysis.ratings import ANCHOR
from sim import catalog
from sim.core.game import Game
from sim.errors import Mistake
from sim.experiment import MAX_DEALS, ON_FAULT, Experiment, Variant
from sim.reading import Reading, read_toml
from sim.store import open_run

FILE = "comparison.toml"  # in the folder of a comparison: what was asked for
KEYS = ("game", "players", "strategies", "design", "lineups", "anchor", "seed", "on_fault")
STOPS = ("deals", "precision", "sprt")
LEAST_DEALS = 20  # fewer say nothing that a t statistic could be trusted with
MOST_SEED = 2**62  # leaves room for the seeds of blocks
EVERY = "all"  # in place of a strategy: every one of the game


def read(what: str, flags: Mapping[str, Any], rules: Sequence[str] = ()) -> Comparison:
    """Read a comparison of a game, or from a TOML file, with the flags that were given.

    Raises
    ------
    Mistake
        With all problems found, each with its place.
    """
    data: dict[str, Any] = {}
    if what.endswith(".toml"):
        data, lines = read_toml(Path(what))
        reading = _Reading(data, what, Path(what).parent, lines)
    else:
        reading = _Reading(data, "", Path.cwd())
        flags = {"game": what, **flags}
    if any(key in flags for key in STOPS):
        for key in STOPS:  # the flag goes before whatever the file says about stopping
            data.pop(key, None)
    reading.add_flags(flags, rules)
    return reading.comparison()


def open_comparison(folder: Path | str) -> Compared:
    """Read a comparison again from the folder that `fairdeal compare` made.

    Raises
    ------
    Mistake
        It is no such folder, or something in it is missing or damaged.
    """
    question = read(str(Path(folder) / FILE), {})
    return compare(question, lambda experiment: open_run(run_folder(Path(folder), experiment)))


def run_folder(folder: Path, experiment: Experiment) -> Path:
    """Where a block of games stands in the folder of a comparison."""
    return folder / "runs" / experiment.fingerprint[:16]


@dataclass
class _Reading(Reading):
    """Reads one comparison and collects all problems on the way."""

    def comparison(self) -> Comparison:
        self.known_keys((*KEYS, *STOPS, "rules"))
        game = self.game()
        self.data.setdefault("seed", 1)
        seed = self.integer("seed", 0, MOST_SEED)
        design = self.word("design", DESIGNS)
        on_fault = self.word("on_fault", ON_FAULT)
        stop = self.stop(design)
        if game is None:
            raise Mistake(*self.problems)
        players = self.players(game)
        base = self.rules(game, self.data.get("rules", {}), ("rules",))
        variant = self.variant(game, players, base, None, [("rules",)])
        specs = self.strategies(game)
        if self.problems:
            raise Mistake(*self.problems)
        if len(specs) < 2:
            self.problem(("strategies",), f"a comparison needs at least 2; {len(specs)} given")
        if stop.sprt and len(specs) > 2:
            self.problem(
                ("sprt",),
                f"tests one of two strategies against the other; {len(specs)} given",
            )
        if stop.sprt and design == "roles":
            self.problem(("sprt",), "tests one against all others; not with --design roles")
        roles, size = self.size(game, design, specs, players, variant)
        anchor = self.anchor(specs)
        if self.problems:
            raise Mistake(*self.problems)
        return Comparison(
            game, players, specs, design, size, roles, variant, seed, stop, anchor, on_fault
        )

    def strategies(self, game: Game) -> tuple[str, ...]:
        """The specs of all strategies, once each and in the order of their names."""
        path = ("strategies",)
        value = self.data.get("strategies")
        if value is None:
            self.problem(path, "is missing")
            return ()
        items = value.split(",") if isinstance(value, str) else value
        if not isinstance(items, list) or not all(isinstance(item, str) for item in items):
            self.problem(path, f"{value!r} is not allowed; allowed: a list of names, or {EVERY}")
            return ()
        folder = Path.cwd() if path in self.flags else self.folder
        found: list[str] = []
        every = [*catalog.strategies(game.name)]
        for item in items:
            for name in every if item.strip() == EVERY else [item]:
                try:
                    parsed = catalog.parse(name, game.name, folder)
                except Mistake as mistake:
                    for problem in mistake.problems:
                        self.problem(path, problem + _elsewhere(name, game))
                    continue
                spec = parsed.text
                if spec not in found:
                    found.append(spec)
                elif item.strip() != EVERY:
                    self.problem(path, f"{catalog.label(spec)} stands there twice; give it once")
        labels = [catalog.label(spec) for spec in found]
        for name in sorted({name for name in labels if labels.count(name) > 1}):
            self.problem(path, f"two files are called {name}; rename one")
        return tuple(found)

    def stop(self, design: str) -> Stop:
        """When to stop; one way only."""
        given = [key for key in STOPS if key in self.data]
        if len(given) > 1:
            names = ", ".join(f"--{key}" if not self.file else key for key in given)
            self.problem((given[1],), f"give one of {names}; they say different things on stopping")
            return Stop()
        if "precision" in given:
            return Stop(half_width=self.precision())
        if "sprt" in given:
            return Stop(sprt=self.bounds())
        if "deals" in given:
            return Stop(self.integer("deals", LEAST_DEALS, MAX_DEALS))
        return Stop(DEALS.get(design))

    def precision(self) -> float:
        """Half width that is asked for, as a share."""
        points = _number(self.data["precision"])
        if points is None or not 0 < points < 100:
            allowed = "percentage points above 0 and below 100"
            self.problem(
                ("precision",), f"{self.data['precision']!r} is not allowed; allowed: {allowed}"
            )
            return 0.01
        return points / 100

    def bounds(self) -> tuple[float, float]:
        """The two advantages that a sequential test tells apart, as shares."""
        value = self.data["sprt"]
        parts = value.split(":") if isinstance(value, str) else value
        numbers = [_number(part) for part in parts] if isinstance(parts, list) else []
        if len(numbers) == 2:
            low, high = numbers
            if low is not None and high is not None and -100 < low < high < 100:
                return low / 100, high / 100
        allowed = "LOW:HIGH, percentage points above the equal share with LOW less than HIGH"
        self.problem(("sprt",), f"{value!r} is not allowed; allowed: {allowed}")
        return 0.0, 0.01

    def size(
        self, game: Game, design: str, specs: Sequence[str], players: int, variant: Variant
    ) -> tuple[tuple[int, ...], int]:
        """The role of each seat, for the design roles, and the number of line-ups."""
        roles: tuple[int, ...] = ()
        if design == "roles":
            roles = catalog.roles(game, players, variant.switches)
            if not roles:
                self.problem(
                    ("design",),
                    f"{game.name} has no roles or teams that belong to seats by these rules; "
                    f"allowed here: {', '.join(DESIGNS[:-1])}",
                )
        whole = n_lineups(design, len(specs), players, max(roles, default=-1) + 1)
        if "lineups" not in self.data:
            return roles, whole
        if design != "all":
            self.problem(("lineups",), "takes a part of all line-ups; give --design all too")
        elif whole > MOST_CHOICES:
            self.problem(
                ("lineups",), f"chooses among at most {MOST_CHOICES:,} line-ups; {whole:,} here"
            )
        return roles, self.integer("lineups", fewest(len(specs), players), whole)

    def anchor(self, specs: Sequence[str]) -> str:
        """The strategy that the ratings start from: by name, or the usual one if it takes part."""
        given = self.data.get("anchor")
        labels = [catalog.label(spec) for spec in specs]
        if given is None:
            return ANCHOR if ANCHOR in labels else labels[0] if labels else ""
        if given not in labels:
            self.problem(("anchor",), f"{given!r} does not take part; allowed: {', '.join(labels)}")
        return str(given)


def _elsewhere(name: str, game: Game) -> str:
    """The other games that have a strategy of this name, in brackets."""
    bare = name.strip().partition(":")[0]
    games = [one for one in catalog.game_names() if bare in catalog.strategies(one)]
    others = [one for one in games if one != game.name]
    return f" ({bare} is a strategy of {', '.join(others)})" if others and others == games else ""


def _number(value: Any) -> float | None:
    """A number from a file or a text; None if it is none."""
    try:
        found = float(value) if not isinstance(value, bool) else None
    except (TypeError, ValueError):
        return None
    return found if found is not None and isfinite(found) else None
