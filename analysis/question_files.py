"""Question files: TOML in, a question out, or all mistakes together with line and key.

Those that ship stand in `sim/games/<game>/questions/` and are found by listing the folder.
`docs/questions.md` tells how to write one.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from importlib import import_module
from math import inf
from pathlib import Path
from typing import Any

from analysis.questions import (
    KINDS,
    Claim,
    Family,
    Measurement,
    Pairing,
    Question,
    Search,
    Setting,
    turned,
)
from analysis.search import Candidate, generate
from analysis.winshares import is_game_rate, is_seat_rate, measure_of, seat_columns
from sim import catalog
from sim.core.game import Game, Switch, Words
from sim.errors import Mistake, unknown
from sim.experiment import Lineup, Variant
from sim.reading import Place, Reading, read_toml

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
    "rules",
)
OF_HANDS = ("redraws",)
OF_VALUE = ("value",)
OF_SEARCH = ("switch", "among", "sizes", "criteria", "confirm", "nearest", "always")
CLAIMS = (*CLAIM, *OF_VALUE, *OF_HANDS, *OF_SEARCH)
CRITERION = ("name", "title", "of", "lineup", "estimand", "goal", "margin", "target")
MEASUREMENTS = ("places", "gap", "mean", "distribution")
LANGUAGES = ("en", "zh")
ADVICE = ("fair", "unfair", "inconclusive")
SIDES = ("above", "below")  # advice in place of unfair where all is more, or less, than a value
MOST_DEALS = 10**9
WIN_SHARE = "win_share"
MARGIN = 0.5  # percentage points of win share, where a file names no margin
FOUND = "{found}"  # in an advice: what differs most, put in when the page is made
LEAST_DEALS = 20  # fewer say nothing that a t statistic could be trusted with
MOST_SEED = 2**62  # leaves room for the seeds of settings and blocks


def _design(kind: str, lineup: Lineup) -> tuple[str, str]:
    """What is rotated, and what is kept beside the sums."""
    if kind == "hands":
        return "none", "redraws"
    by_sums = kind in ("places", "value")
    rotate = "strategies" if kind == "ladder" else turned(lineup)
    return rotate, "summary" if by_sums else "games"


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
        for _, claim in reading.tables("claim", CLAIMS):
            claim.pop("deals", None)
            claim.pop("confirm", None)
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
            "family": self.tables("family", ("name", "title", "key", *ADVICE, *SIDES)),
            "claim": self.tables("claim", CLAIMS),
        }
        names = {key: self.names(key, found) for key, found in tables.items()}
        if not self.data.get("claim"):
            self.problem(("claim",), "is missing; a question needs a claim")
        advice = [self.advice(at) for at, _ in tables["family"]]
        keys = [self.flag(at, "key") for at, _ in tables["family"]]
        if game is None:
            for at, _ in tables["claim"]:
                self.claim_without_game(at, names)
            raise Mistake(*dict.fromkeys(self.problems))
        for at, table in tables["variant"]:
            rules = self.rules(game, table.get("rules", {}), (*at, "rules"))
            self.known.setdefault(str(table.get("name")), (at, rules))
        found = [self.claim(game, at, names["family"]) for at, _ in tables["claim"]]
        claims = tuple(one for one in found if isinstance(one, Claim))
        searches = tuple(one for one in found if isinstance(one, Search))
        first = next(iter(names["family"]), "")
        if first in {one.family for one in searches} - {one.family for one in claims}:
            self.problem(("family",), f"{first!r}, the first, needs a claim that is no search")
        kinds = [(table.get("family"), str(table.get("kind"))) for _, table in tables["claim"]]
        for at, table in tables["family"]:
            found_kinds = {kind for family, kind in kinds if family == table.get("name")}
            if not self.problems and not found_kinds:
                self.problem((*at, "name"), f"{table.get('name')!r} has no claim")
            for key in SIDES if found_kinds != {"value"} else ():
                if key in table:
                    self.problem((*at, key), "is only for a family of claims of kind value")
            for key in ("fair", "inconclusive") if found_kinds == {"search"} else ():
                if FOUND in str(table.get(key)):
                    problem = f"{FOUND} is what beats the rule in use: say it under unfair"
                    self.problem((*at, key), problem)
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
                name: Family(title, told, key)
                for (name, title), told, key in zip(
                    names["family"].items(), advice, keys, strict=True
                )
            },
            claims,
            searches,
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
        return {key: self.words((*at, key)) for key in ADVICE + SIDES if key in self.table(at)}

    def flag(self, at: Place, key: str) -> bool:
        """Whether something is so; false without a word."""
        value = self.table(at).get(key, False)
        if not isinstance(value, bool):
            self.problem((*at, key), f"{value!r} is not allowed; allowed: true, false")
        return value is True

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

    def claim(self, game: Game, at: Place, families: Mapping[str, Words]) -> Claim | Search | None:
        """A claim or a search; None if something is wrong with it."""
        before = len(self.problems)
        table = self.table(at)
        kind = self.one_of(at, "kind", dict.fromkeys(KINDS))
        family = self.one_of(at, "family", families)
        title = self.words((*at, "title"))
        self.only_for(kind, at)
        if kind == "hands":
            try:
                catalog.traits(game)
            except Mistake as mistake:
                self.problem((*at, "kind"), str(mistake))
        if kind == "search":
            return self.search(game, at, family, title)
        estimand, is_rate = self.estimand(game, at, kind)
        is_rate = is_rate or kind == "hands"  # of whatever column, a share is compared
        margin = self.margin(at, estimand if kind != "hands" else "", is_rate)
        counts = self.counts(game, at)
        redraws = self.integer("redraws", 2, MOST_DEALS, at) if kind == "hands" else 0
        value = self.value(at, is_rate) if kind == "value" else 0.0
        names = self.list_of(at, "lineups")
        deals = self.deals(at, len(names))
        fill = "last" if kind in ("ladder", "value") else "all" if len(counts) > 1 else ""
        if not counts:  # look at what else is wrong
            self.claimed_lineups(game, 0, names, fill, at)
            self.changes(game, at)
        rows = [
            [
                Setting(players, variant, lineup, *_design(kind, lineup), n, redraws)
                for lineup, n in zip(
                    self.claimed_lineups(game, players, names, fill, at),
                    deals,
                    strict=True,
                )
            ]
            for players in counts
            for variant in self.claimed_variants(game, players, at)
        ]
        if len(self.problems) > before:
            return None
        cases = self.cases(kind, rows, at)
        return Claim(
            str(table.get("name")),
            kind,
            family,
            title,
            estimand,
            margin,
            is_rate or kind == "hands",
            tuple(cases),
            value,
        )

    def claim_without_game(self, at: Place, names: Mapping[str, Mapping[str, Words]]) -> None:
        """Note what is wrong with a claim whatever the game, when that is unknown."""
        kind = self.one_of(at, "kind", dict.fromkeys(KINDS))
        self.one_of(at, "family", names["family"])
        self.words((*at, "title"))
        self.only_for(kind, at)
        for variant in self.list_of(at, "variants"):
            if variant not in names["variant"]:
                self.problem((*at, "variants"), unknown("variant", variant, names["variant"]))
        self.deals(at, len(self.list_of(at, "lineups")))
        if kind == "hands":
            self.integer("redraws", 2, MOST_DEALS, at)
        if kind != "search" and "margin" in self.table(at):  # its unit is not known, its sign is
            self.margin(at, "", False)

    def only_for(self, kind: str, at: Place) -> None:
        """Note keys that mean nothing for a kind of claim."""
        of_kind = {"value": OF_VALUE, "hands": OF_HANDS, "search": OF_SEARCH}
        for other, keys in of_kind.items():
            for key in keys:
                if key in self.table(at) and kind != other:
                    self.problem((*at, key), f"is only for claims of kind {other}")

    def search(self, game: Game, at: Place, family: str, title: Words) -> Search | None:
        """A claim of kind search."""
        before = len(self.problems)
        table = self.table(at)
        for key in ("estimand", "margin"):
            if key in table:
                self.problem((*at, key), "is not for kind search; criteria have their own")
        counts = self.counts(game, at)
        variants = [one for players in counts for one in self.claimed_variants(game, players, at)]
        if not counts:  # look at what else is wrong
            self.changes(game, at)
        if len(counts) > 1 or len(variants) > 1:
            problem = "kind search needs one number of players and one variant, the rule in use"
            self.problem((*at, "variants"), problem)
        lists = {switch.name: switch for switch in game.switches if switch.is_list}
        switch = self.one_of(at, "switch", lists)
        among = self.numbers(at, "among")
        sizes = self.numbers(at, "sizes")
        names = self.list_of(at, "lineups")
        deals = self.deals(at, len(names))
        confirm = self.deals(at, len(names), "confirm") if "confirm" in table else deals
        nearest = self.integer("nearest", 0, 20, at)
        criteria = self.criteria(game, at, names)
        for value in among if switch in lists else ():
            try:
                lists[switch].parse([value])
            except ValueError as error:
                self.problem((*at, "among"), str(error))
        if len(self.problems) > before:
            return None
        (players,), (variant,) = counts, variants
        candidates = self.candidates(game, players, variant, lists[switch], among, sizes, at)
        used = tuple(sorted(variant.switches[switch]))
        reference = next((one.name for one in candidates if one.values == used), "")
        if candidates and not reference:
            self.problem((*at, "sizes"), f"the rule in use, {list(used)}, is not among these")
        always = self.always(at, candidates)
        tables = {players, *(one.target for one in criteria if one.target)}
        lineups = {
            n: tuple(self.claimed_lineups(game, n, names, "" if n == players else "all", at))
            for n in tables
        }
        if len(self.problems) > before:
            return None
        return Search(
            str(table.get("name")),
            family,
            title,
            players,
            variant,
            switch,
            candidates,
            reference,
            lineups,
            criteria,
            tuple(deals),
            tuple(confirm),
            nearest,
            always,
        )

    def candidates(
        self,
        game: Game,
        players: int,
        variant: Variant,
        switch: Switch,
        among: Sequence[int],
        sizes: Sequence[int],
        at: Place,
    ) -> tuple[Candidate, ...]:
        """All that could stand in the switch; notes those that the rules do not allow."""
        found = []
        for one in generate(among, sizes):
            rules = {**variant.switches, switch.name: switch.parse(list(one.values))}
            wrong = catalog.rules_problems(game, players, rules)
            if wrong:
                self.problem((*at, "sizes"), f"{switch.name}={one.name}: {wrong[0]}")
                return ()
            found.append(one)
        return tuple(found)

    def always(self, at: Place, candidates: Sequence[Candidate]) -> tuple[str, ...]:
        """Names of the candidates that are confirmed in any case."""
        value = self.table(at).get("always", [])
        if not isinstance(value, list) or not all(isinstance(one, list) for one in value):
            problem = f"{value!r} is not allowed; allowed: lists of whole numbers, like [[], [-1]]"
            self.problem((*at, "always"), problem)
            return ()
        names = {frozenset(one.values): one.name for one in candidates}
        found = []
        for i, one in enumerate(value):
            place, before = (*at, "always", i), len(self.problems)
            numbers = frozenset(self.whole(n, place, -MOST_DEALS, MOST_DEALS) for n in one)
            is_known = numbers in names and len(numbers) == len(one)
            if candidates and not is_known and len(self.problems) == before:
                self.problem(
                    place, f"{one} is no candidate; allowed: what `sizes` and `among` make"
                )
            found.append(names.get(numbers, ""))
        return tuple(dict.fromkeys(found))

    def criteria(self, game: Game, at: Place, lineups: Sequence[str]) -> tuple[Measurement, ...]:
        """The criteria of a search."""
        value = self.table(at).get("criteria")
        if not isinstance(value, list) or not value or not all(isinstance(v, dict) for v in value):
            self.problem((*at, "criteria"), "is missing; write [[claim.criteria]] tables")
            return ()
        found = [self.criterion(game, (*at, "criteria", i), lineups) for i in range(len(value))]
        self.unique("criteria", [one.name for one in found])
        return tuple(found)

    def criterion(self, game: Game, at: Place, lineups: Sequence[str]) -> Measurement:
        table = self.table(at)
        for key in table:
            if key not in CRITERION:
                self.problem((*at, key), unknown("key", key, CRITERION))
        of = self.one_of(at, "of", dict.fromkeys(MEASUREMENTS))
        lineup = self.one_of(at, "lineup", dict.fromkeys(lineups))
        if of == "gap" and lineup in lineups and "," not in lineup:
            self.problem((*at, "lineup"), "a gap needs a line-up of several strategies, best first")
        alike = {"places": "places", "gap": "ladder", "distribution": "distribution"}
        column, is_rate = self.estimand(game, at, alike.get(of, "comparability"))
        goal = self.one_of(at, "goal", dict.fromkeys(("least", "most")))
        target = table.get("target")
        if target is not None and (target not in game.players or isinstance(target, bool)):
            allowed = ", ".join(map(str, game.players))
            self.problem((*at, "target"), f"{target!r} is not allowed; allowed: {allowed}")
        if of == "distribution" and target is None:
            self.problem((*at, "target"), "is missing; give the players of the game to be like")
        if target is not None and of in ("places", "gap"):
            self.problem((*at, "target"), "is only for a mean or a distribution")
        return Measurement(
            str(table.get("name")),
            self.words((*at, "title")),
            of,
            ",".join(part.strip() for part in lineup.split(",")),
            column,
            "most" if goal == "most" else "least",
            self.margin(at, column, is_rate),
            is_rate,
            target,
        )

    def numbers(self, at: Place, key: str) -> list[int]:
        """A list of whole numbers."""
        value = self.table(at).get(key)
        if not isinstance(value, list) or not value:
            what = "is missing" if value is None else f"{value!r} is not allowed"
            self.problem((*at, key), f"{what}; allowed: a list of whole numbers")
            return []
        return [self.whole(one, (*at, key), -MOST_DEALS, MOST_DEALS) for one in value]

    def claimed_variants(self, game: Game, players: int, at: Place) -> list[Variant]:
        """The variants of a claim, with the rules that it changes in all of them."""
        found = []
        for name, rules in self.changes(game, at).items():
            homes = [(*at, "rules"), (*self.known[name][0], "rules")]
            found.append(self.variant(game, players, rules, name, homes, (*at, "players")))
        return found

    def changes(self, game: Game, at: Place) -> dict[str, dict[str, Any]]:
        """Switches that each variant of a claim changes, those of the claim itself among them."""
        own = self.rules(game, self.table(at).get("rules", {}), (*at, "rules"))
        names = self.list_of(at, "variants")
        for name in names:
            if name not in self.known:
                self.problem((*at, "variants"), unknown("variant", name, self.known))
        return {name: self.known[name][1] | own for name in names if name in self.known}

    def cases(self, kind: str, rows: list[list[Setting]], at: Place) -> list[Pairing]:
        """What is compared with what: rows of line-ups, a row a number of players and variant.

        A line-up is compared with itself in the first row; with one row, with the first line-up.
        """
        first, *others = rows
        if kind in ("places", "value"):
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
        of_means = ("value", "comparability", "distribution")
        allowed = [*seats, *(of_games if kind in of_means else ())]
        if kind == "distribution":
            allowed = [name for name in allowed if measure_of(game, name)]
        column = self.one_of(at, "estimand", dict.fromkeys(allowed))
        if column not in allowed or kind == "distribution":
            return column, True
        form = is_seat_rate if column in seats else is_game_rate
        return column, form(game, column)

    def margin(self, at: Place, estimand: str, is_rate: bool) -> float:
        """How large a difference may be before it matters; for win shares it has a usual value."""
        if estimand == WIN_SHARE and "margin" not in self.table(at):
            return MARGIN / 100
        return self.measured(at, "margin", is_rate, 0.0)

    def value(self, at: Place, is_rate: bool) -> float:
        """What a mean is held against."""
        return self.measured(at, "value", is_rate, -100.0 if is_rate else -inf)

    def measured(self, at: Place, key: str, is_rate: bool, above: float) -> float:
        """A number above `above` in the unit of the estimand; a share is below 100."""
        value = self.table(at).get(key)
        ends = [f"above {above:g}"] if above > -inf else []
        ends += ["below 100"] if is_rate else []
        unit = "percentage points" if is_rate else "the unit of the estimand"
        what = f"{'a number ' if ends else 'a number'}{' and '.join(ends)}, in {unit}"
        is_number = isinstance(value, int | float) and not isinstance(value, bool)
        if value is None:
            self.problem((*at, key), f"is missing; give {what}")
        elif not is_number or not above < value < (100 if is_rate else inf):
            self.problem((*at, key), f"{value!r} is not allowed; allowed: {what}")
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

    def deals(self, at: Place, n: int, key: str = "deals") -> list[int]:
        """Deals for each of `n` line-ups of a claim; one number holds for all."""
        found = self.table(at).get(key)
        if not isinstance(found, list):
            return [self.integer(key, LEAST_DEALS, MOST_DEALS, () if found is None else at)] * n
        if len(found) != n:
            problem = f"{len(found)} numbers for {n} line-ups; allowed: one, or one for each"
            self.problem((*at, key), problem)
        numbers = [self.whole(value, (*at, key), LEAST_DEALS, MOST_DEALS) for value in found]
        return (numbers + [LEAST_DEALS] * n)[:n]

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
        self, game: Game, players: int, names: list[str], fill: str, at: Place
    ) -> list[Lineup]:
        """The line-ups of a claim.

        Parameters
        ----------
        fill
            What sits on the seats that are left: 'all' strategies anew, as far as there are seats;
            the 'last' one, which the name of the line-up then has only once; '' for nothing.
        """
        found = []
        for text in names:
            items = seats = text.split(",")
            if len(items) > 1 and fill == "all":
                seats = (items * players)[:players] or items
            if len(items) > 1 and fill == "last":
                seats = items + items[-1:] * (players - len(items))
                if players and len(items) > players:
                    problem = f"{len(items)} strategies for {players} players; allowed: so many, or"
                    self.problem((*at, "lineups"), f"{problem} fewer, the last of which fills up")
                    found.append(Lineup("", ()))
                    continue
            lineup = self.lineup(game, players, {"strategies": seats}, (*at, "lineups"))
            if fill == "last" and len(seats) > len(items):
                lineup = replace(lineup, name=",".join(lineup.labels[: len(items)]))
            found.append(lineup)
        return found
