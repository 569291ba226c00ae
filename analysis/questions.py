"""Balance questions: what is claimed about a game, what shall be played for it, and how it counts.

A question is a TOML file. Those that ship stand in `sim/games/<game>/questions/` and are found by
listing the folder. `docs/questions.md` tells how to write one. All mistakes of a file are reported
together, with line and key.

    places         does a place in the starting order gain? Contrasts are all pairs of places. With
                   one strategy in all seats the hands of a deal are turned over the places, with
                   several these are turned over the seats
    ladder         do better strategies win by as much? Gaps between neighbours of a line-up under
                   each variant, less those under the first one; strategies turned over the seats
    comparability  does it stay the same game? The mean of a column, less that of the first variant
                   and number of players
    distribution   the same for every cumulated share of a column, so for its whole distribution

A setting is one variant with one line-up and number of players. Settings that are compared play
the same deals: their decks are in the same order, and differences are taken deal by deal.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib import import_module
from math import isfinite
from pathlib import Path
from typing import Any

from analysis.winshares import is_game_rate, is_seat_rate, measure_of, seat_columns
from sim import catalog
from sim.core.game import Game, Words
from sim.errors import Mistake, unknown
from sim.experiment import Experiment, Lineup, Variant
from sim.reading import Place, Reading, read_toml

KINDS = ("places", "ladder", "comparability", "distribution")
KEYS = ("game", "seed", "deals", "title", "text")
TABLES = ("variant", "family", "claim")
CLAIM = (
    "name",
    "kind",
    "family",
    "title",
    "players",
    "variants",
    "lineups",
    "estimand",
    "margin",
    "deals",
)
LANGUAGES = ("en", "zh")
ADVICE = ("fair", "unfair", "inconclusive")
MOST_DEALS = 10**9
MOST_SEED = 2**62  # leaves room for the seeds of settings and blocks


@dataclass(frozen=True)
class Setting:
    """What is played as one: a variant with a line-up."""

    players: int
    variant: Variant
    lineup: Lineup
    rotate: str
    mode: str  # games: what is compared deal by deal
    deals: int


Pairing = tuple[Setting, Setting | None]  # a setting and the one it is compared with


@dataclass(frozen=True)
class Claim:
    """One sub-question, which gets a verdict for each of its settings or comparisons."""

    name: str
    kind: str
    family: str
    title: Words
    estimand: str  # a column of seats, or of games
    margin: float  # in the unit of the column, shares between 0 and 1
    is_rate: bool
    cases: tuple[Pairing, ...]

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What is played for it, what is compared with first."""
        pairs = [(there, here) for here, there in self.cases]
        return tuple(dict.fromkeys(one for pair in pairs for one in pair if one))

    @property
    def lineups(self) -> tuple[str, ...]:
        """Names of its line-ups."""
        return tuple(dict.fromkeys(here.lineup.name for here, _ in self.cases))


@dataclass(frozen=True)
class Family:
    """Claims that are decided together, and what to tell the designer after each verdict."""

    title: Words
    advice: Mapping[str, Words]  # by verdict in small letters; what is missing is not said


@dataclass(frozen=True)
class Question:
    """A question with its claims, in the order of the file."""

    name: str  # game/file
    game: Game
    title: Words
    text: Words
    seed: int
    variants: Mapping[str, Words]  # what they are called
    families: Mapping[str, Family]
    claims: tuple[Claim, ...]

    @property
    def folder(self) -> str:
        """What its folder and files are called."""
        return self.name.replace("/", "-")

    @property
    def settings(self) -> list[Setting]:
        """Everything that is played, once."""
        return list(dict.fromkeys(s for claim in self.claims for s in claim.settings))

    def together(self, claim: Claim) -> list[Setting]:
        """The settings that play the same deals as those of a claim.

        Claims that have a setting in common share their deals, and so on from claim to claim.
        """
        found = list(claim.settings)
        for _ in self.claims:
            for other in self.claims:
                if set(found) & set(other.settings):
                    found += other.settings
            found = list(dict.fromkeys(found))
        return sorted(found, key=self.settings.index)

    def experiment(self, setting: Setting, deals: int | None = None, block: int = 0) -> Experiment:
        """What to play for a setting, in one block of deals or several.

        What is compared has the same seed, and nothing else has.
        """
        claim = next(claim for claim in self.claims if setting in claim.settings)
        group = self.settings.index(self.together(claim)[0])
        seed = self.seed + 1_000 * block + group
        return Experiment(
            self.game.name,
            setting.players,
            (setting.lineup,),
            (setting.variant,),
            deals or setting.deals,
            seed,
            setting.rotate,
            setting.mode,
        )

    @property
    def games(self) -> int:
        """Games in all."""
        return sum(self.experiment(setting).games for setting in self.settings)


def _design(kind: str, lineup: Lineup) -> tuple[str, str]:
    """What is rotated, and whether single games are kept."""
    by_hands = kind != "ladder" and lineup.is_uniform
    return "hands" if by_hands else "strategies", "summary" if kind == "places" else "games"


def shipped() -> dict[str, Path]:
    """Files of the questions that come with the games, by name `game/file`."""
    found = {}
    for name in catalog.game_names():
        module = import_module(catalog.game(name).package)
        for path in sorted((Path(module.__file__ or "").parent / "questions").glob("*.toml")):
            found[f"{name}/{path.stem}"] = path
    return found


def find(what: str) -> tuple[str, Path]:
    """Name and file of a shipped question, or of a user's file.

    Raises
    ------
    Mistake
        There is no question of this name.
    """
    if what.endswith(".toml"):
        return Path(what).stem, Path(what)
    files = shipped()
    if what not in files:
        raise Mistake(unknown("question", what, files))
    return what, files[what]


def read(what: str, flags: Mapping[str, Any] | None = None) -> Question:
    """Read a question by name or from a file; `deals` and `seed` may be given as flags.

    Raises
    ------
    Mistake
        With all problems found, each with line and key.
    """
    name, path = find(what)
    data, lines = read_toml(path)
    reading = _Question(data, str(path), path.parent, lines)
    reading.add_flags(flags or {}, ())
    if ("deals",) in reading.flags:
        for _, claim in reading.tables("claim", CLAIM):
            claim.pop("deals", None)
        reading.problems.clear()  # they are found again
    return reading.question(name)


@dataclass
class _Question(Reading):
    """Reads one question and collects all problems on the way."""

    known: dict[str, tuple[Place, dict[str, Any]]] = field(default_factory=dict)  # variants

    def question(self, name: str) -> Question:
        self.known_keys(KEYS + TABLES)
        game = self.game()
        seed = self.integer("seed", 0, MOST_SEED)
        title, text = self.words(("title",)), self.words(("text",))
        tables = {
            "variant": self.tables("variant", ("name", "title", "rules")),
            "family": self.tables("family", ("name", "title", *ADVICE)),
            "claim": self.tables("claim", CLAIM),
        }
        names = {key: self.names(key, found) for key, found in tables.items()}
        if not self.data.get("claim"):
            self.problem(("claim",), "is missing; a question needs a claim")
        if game is None:
            raise Mistake(*self.problems)
        for at, table in tables["variant"]:
            rules = self.rules(game, table.get("rules", {}), (*at, "rules"))
            self.known.setdefault(str(table.get("name")), (at, rules))
        claims = [self.claim(game, at, names["family"]) for at, _ in tables["claim"]]
        advice = [self.advice(at) for at, _ in tables["family"]]
        used = [table.get("family") for _, table in tables["claim"]]
        for at, table in tables["family"]:
            if not self.problems and table.get("name") not in used:
                self.problem((*at, "name"), f"{table.get('name')!r} has no claim")
        if self.problems:
            raise Mistake(*dict.fromkeys(self.problems))
        return Question(
            name,
            game,
            title,
            text,
            seed,
            names["variant"],
            {
                name: Family(title, told)
                for (name, title), told in zip(names["family"].items(), advice, strict=True)
            },
            tuple(claim for claim in claims if claim),
        )

    def names(self, key: str, tables: list[tuple[Place, dict[str, Any]]]) -> dict[str, Words]:
        """Names of some tables with their titles."""
        found: dict[str, Words] = {}
        for at, table in tables:
            name = table.get("name")
            if not isinstance(name, str) or not name:
                self.problem((*at, "name"), "is missing; give it a name")
                continue
            found[name] = self.words((*at, "title"))
        self.unique(key, [str(table.get("name")) for _, table in tables])
        return found

    def advice(self, at: Place) -> dict[str, Words]:
        """What a family advises after each verdict."""
        return {key: self.words((*at, key)) for key in ADVICE if key in self.table(at)}

    def words(self, at: Place) -> Words:
        """A text in both languages."""
        value = self.table(at[:-1]).get(str(at[-1]))
        if not isinstance(value, dict):
            self.problem(at, "is missing; give a text as en and zh")
            return Words("", "")
        for key in (*value, *LANGUAGES):
            if key not in LANGUAGES:
                self.problem((*at, key), unknown("language", key, LANGUAGES))
            elif not isinstance(value.get(key), str) or not value[key].strip():
                self.problem((*at, key), "is missing; give a text")
        return Words(*(" ".join(str(value.get(lang, "")).split()) for lang in LANGUAGES))

    def claim(self, game: Game, at: Place, families: Mapping[str, Words]) -> Claim | None:
        before = len(self.problems)
        table = self.table(at)
        kind = self.one_of(at, "kind", dict.fromkeys(KINDS))
        family = self.one_of(at, "family", families)
        estimand, is_rate = self.estimand(game, at, kind)
        margin = self.margin(at, is_rate)
        counts = self.counts(game, at)
        variants = self.list_of(at, "variants")
        for name in variants:
            if name not in self.known:
                self.problem((*at, "variants"), unknown("variant", name, self.known))
        names = self.list_of(at, "lineups")
        deals = self.deals(at, len(names))
        rows = [
            [
                Setting(
                    players, self.setting(game, players, name), lineup, *_design(kind, lineup), n
                )
                for lineup, n in zip(
                    self.claimed_lineups(game, players, names, len(counts) > 1, at),
                    deals,
                    strict=True,
                )
            ]
            for players in counts
            for name in variants
            if name in self.known
        ]
        if len(self.problems) > before:
            return None
        cases = self.cases(kind, rows, at)
        title = self.words((*at, "title"))
        return Claim(
            str(table.get("name")), kind, family, title, estimand, margin, is_rate, tuple(cases)
        )

    def cases(self, kind: str, rows: list[list[Setting]], at: Place) -> list[Pairing]:
        """What is compared with what: rows of line-ups, a row a number of players and variant.

        A line-up is compared with itself in the first row; with one row, with the first line-up.
        """
        first, *others = rows
        if kind == "places":
            return [(setting, None) for row in rows for setting in row]
        for setting in first if kind == "ladder" else ():
            if setting.lineup.is_uniform:
                problem = f"{setting.lineup.name}: kind ladder needs line-ups, best first"
                self.problem((*at, "lineups"), problem)
        if others:
            return [pair for row in others for pair in zip(row, first, strict=True)]
        if kind == "ladder" or len(first) < 2:
            problem = f"kind {kind} needs two settings or more; the first is compared with"
            self.problem((*at, "variants"), problem)
        return [(setting, first[0]) for setting in first[1:]]

    def one_of(self, at: Place, key: str, allowed: Mapping[str, Any]) -> str:
        value = self.table(at).get(key)
        if value is None:
            self.problem((*at, key), f"is missing; allowed: {', '.join(allowed) or 'none'}")
        elif not isinstance(value, str) or value not in allowed:
            self.problem((*at, key), unknown(key, value, allowed))
        return str(value)

    def estimand(self, game: Game, at: Place, kind: str) -> tuple[str, bool]:
        """The column that a claim is about, and whether it is a share of the games."""
        seats = seat_columns(game)
        of_games = [name for name in game.game_columns if name != "decisions"]
        allowed = [*seats, *(of_games if kind in ("comparability", "distribution") else ())]
        if kind == "distribution":
            allowed = [name for name in allowed if measure_of(game, name)]
        column = self.one_of(at, "estimand", dict.fromkeys(allowed))
        if column not in allowed or kind == "distribution":
            return column, True
        form = is_seat_rate if column in seats else is_game_rate
        return column, form(game, column)

    def margin(self, at: Place, is_rate: bool) -> float:
        value = self.table(at).get("margin")
        unit = "percentage points" if is_rate else "the unit of the estimand"
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is None:
            self.problem((*at, "margin"), f"is missing; give a number above 0, in {unit}")
        elif not is_number or not (value > 0 and isfinite(value)) or (is_rate and value >= 100):
            problem = f"{value!r} is not allowed; allowed: a number above 0, in {unit}"
            self.problem((*at, "margin"), problem)
        else:
            return float(value) / (100 if is_rate else 1)
        return 0.0

    def counts(self, game: Game, at: Place) -> list[int]:
        """Numbers of players of a claim."""
        value = self.table(at).get("players")
        found = value if isinstance(value, list) and value else [value]
        for count in found:
            if count is None or count not in game.players or isinstance(count, bool):
                allowed = ", ".join(map(str, game.players))
                what = "is missing" if count is None else f"{count!r} is not allowed"
                self.problem((*at, "players"), f"{what}; allowed: {allowed}")
        return [count for count in found if count in game.players]

    def deals(self, at: Place, n: int) -> list[int]:
        """Deals for each of `n` line-ups of a claim; one number holds for all."""
        found = self.table(at).get("deals")
        if not isinstance(found, list):
            return [self.integer("deals", 2, MOST_DEALS, () if found is None else at)] * n
        if len(found) != n:
            problem = f"{len(found)} numbers for {n} line-ups; allowed: one, or one for each"
            self.problem((*at, "deals"), problem)
        numbers = [self.whole(value, (*at, "deals"), 2, MOST_DEALS) for value in found]
        return (numbers + [2] * n)[:n]

    def list_of(self, at: Place, key: str) -> list[str]:
        """A list of texts; one alone may stand without brackets."""
        value = self.table(at).get(key)
        items = [value] if isinstance(value, str) else value
        if not isinstance(items, list) or not items or not all(isinstance(i, str) for i in items):
            what = "is missing" if value is None else f"{value!r} is not allowed"
            self.problem((*at, key), f"{what}; allowed: a list of names")
            return []
        return items

    def claimed_lineups(
        self, game: Game, players: int, names: list[str], is_repeated: bool, at: Place
    ) -> list[Lineup]:
        """The line-ups of a claim; for several numbers of players they repeat to fill the seats."""
        found = []
        for text in names:
            items = text.split(",")
            if is_repeated and len(items) > 1:
                items = (items * players)[:players]
            found.append(self.lineup(game, players, {"strategies": items}, (*at, "lineups")))
        return found

    def setting(self, game: Game, players: int, name: str) -> Variant:
        """A variant under its name, checked for so many players."""
        at, changed = self.known[name]
        return self.variant(game, players, changed, name, at)
