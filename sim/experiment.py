"""What is to be played, as plain data with a text form and a fingerprint.

Every switch has its value and every line-up one strategy a position, so that the text says all
there is to say, whatever the defaults will be later. `sim.reading` makes it from flags and files.
"""

from __future__ import annotations

import hashlib
import json
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from sim import catalog

ROTATE = ("strategies", "hands", "none")
MODES = ("summary", "games")
ON_FAULT = ("stop", "forfeit")  # what a fault of a strategy does
KEYS = ("game", "players", "deals", "seed", "rotate", "mode", "on_fault")  # beside the tables
MAX_DEALS = 2**62
MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class Lineup:
    """One strategy a position; `strategies` are specs with only the parameters that differ."""

    name: str
    strategies: tuple[str, ...]

    @property
    def labels(self) -> tuple[str, ...]:
        """What the strategies are called in tables."""
        return tuple(catalog.label(spec) for spec in self.strategies)

    @property
    def is_uniform(self) -> bool:
        """Whether all positions hold the same strategy."""
        return len(set(self.strategies)) == 1


@dataclass(frozen=True)
class Variant:
    """One set of rules: every switch with its value, lists as tuples."""

    name: str
    rules: tuple[tuple[str, Any], ...]

    @property
    def switches(self) -> dict[str, Any]:
        """Every switch with its value, lists as lists."""
        return {name: thawed(value) for name, value in self.rules}


@dataclass(frozen=True)
class Seating:
    """What it takes to lay the table for one cell, in names and numbers; fit to be sent."""

    game: str
    players: int
    rules: tuple[tuple[str, Any], ...]
    strategies: tuple[str, ...]
    seed: int
    rotate: str
    on_fault: str = "stop"


@dataclass(frozen=True)
class Experiment:
    """What is to be played. Its cells are all variants with all line-ups, in this order."""

    game: str
    players: int
    lineups: tuple[Lineup, ...]
    variants: tuple[Variant, ...]
    deals: int
    seed: int
    rotate: str = "strategies"
    mode: str = "summary"
    on_fault: str = "stop"

    @property
    def cells(self) -> list[tuple[Variant, Lineup]]:
        """Every variant with every line-up."""
        return [(variant, lineup) for variant in self.variants for lineup in self.lineups]

    def seating(self, cell: int) -> Seating:
        """What it takes to lay the table for a cell, given by its number."""
        variant, lineup = self.cells[cell]
        return Seating(
            self.game,
            self.players,
            variant.rules,
            lineup.strategies,
            self.seed,
            self.rotate,
            self.on_fault,
        )

    def rotations(self, lineup: Lineup) -> int:
        """Games a deal: one for each turn of the line-up or of the hands, equal games once."""
        if self.rotate == "none" or (self.rotate == "strategies" and lineup.is_uniform):
            return 1
        return self.players

    @property
    def games(self) -> int:
        """Number of games in all."""
        return self.deals * sum(self.rotations(lineup) for _, lineup in self.cells)

    @property
    def specs(self) -> list[str]:
        """Every strategy that takes part, once."""
        return sorted({spec for lineup in self.lineups for spec in lineup.strategies})

    @property
    def has_foreign(self) -> bool:
        """Whether a strategy takes part that is not built in: it may hang or end its process."""
        return not all(catalog.parse(spec, self.game).file.is_ours for spec in self.specs)

    @cached_property
    def fingerprint(self) -> str:
        """Hash of the resolved form; asked for with every chunk, and long to reckon."""
        return hashlib.sha256(self.to_toml().encode()).hexdigest()

    def to_toml(self) -> str:
        """The resolved form; read back it is an equal experiment."""
        # What is as it always was is not said, so that older runs keep their fingerprint.
        keys = [key for key in KEYS if key != "on_fault" or self.on_fault != ON_FAULT[0]]
        lines = [f"{key} = {toml_value(getattr(self, key))}" for key in keys]
        for lineup in self.lineups:
            lines += ["", "[[lineup]]", f"name = {toml_value(lineup.name)}"]
            lines += [f"strategies = {toml_value(lineup.strategies)}"]
        for variant in self.variants:
            lines += [
                "",
                "[[variant]]",
                f"name = {toml_value(variant.name)}",
                "",
                "[variant.rules]",
            ]
            lines += [f"{name} = {toml_value(value)}" for name, value in variant.rules]
        return "\n".join(lines) + "\n"

    @classmethod
    def from_toml(cls, text: str) -> Experiment:
        """Read a resolved form again as it is, without a look at games or strategies.

        Raises
        ------
        ValueError
            It is not a resolved form.
        """
        try:
            data = tomllib.loads(text)
            lineups = [Lineup(i["name"], tuple(i["strategies"])) for i in data.pop("lineup")]
            variants = [
                Variant(i["name"], tuple((k, frozen(v)) for k, v in i["rules"].items()))
                for i in data.pop("variant")
            ]
            return cls(lineups=tuple(lineups), variants=tuple(variants), **data)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"not a resolved experiment: {error}") from None

    def difference(self, other: Experiment) -> str | None:
        """The first key in which another experiment differs, with both values; None if equal."""
        for key in KEYS:
            if getattr(self, key) != getattr(other, key):
                return f"{key} is {getattr(self, key)} there and {getattr(other, key)} here"
        for kind, here, there in (
            ("strategies", other.lineups, self.lineups),
            ("variant", other.variants, self.variants),
        ):
            if here != there:
                return f"{kind}: {_names(there)} there and {_names(here)} here"
        return None


def _names(items: Sequence[Lineup | Variant]) -> str:
    return " | ".join(
        f"{i.name} ({', '.join(f'{n}={toml_value(v)}' for n, v in i.rules)})"
        if isinstance(i, Variant)
        else ",".join(i.strategies)
        for i in items
    )


def frozen(value: Any) -> Any:
    """The value of a switch with tuples for lists, also for lists of lists: it can be a key."""
    return tuple(map(frozen, value)) if isinstance(value, list) else value


def thawed(value: Any) -> Any:
    """The value of a switch with lists for tuples again."""
    return [*map(thawed, value)] if isinstance(value, tuple) else value


def toml_value(value: Any) -> str:
    """A word, a number or a list of them as TOML."""
    if isinstance(value, list | tuple):
        return f"[{', '.join(toml_value(item) for item in value)}]"
    return json.dumps(value, ensure_ascii=False) if isinstance(value, str) else str(value)
