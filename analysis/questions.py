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
    hands          does it favour a kind of hand? The share of the spread of a column that the own
                   hand explains, less that under the first variant, all other cards being redrawn
    search         is there a better rule? All subsets of given sizes as values of a switch are held
                   against the rule in use on several criteria, the best of them on fresh deals

A setting is one variant with one line-up and number of players. Settings that are compared play
the same deals: their decks are in the same order, and differences are taken deal by deal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from analysis.criteria import Goal
from analysis.search import Candidate
from sim.core.game import Game, Words
from sim.experiment import Experiment, Lineup, Variant

KINDS = ("places", "ladder", "comparability", "distribution", "hands", "search")


@dataclass(frozen=True)
class Setting:
    """What is played as one: a variant with a line-up."""

    players: int
    variant: Variant
    lineup: Lineup
    rotate: str
    mode: str  # games: what is compared deal by deal; redraws: hands that are kept
    deals: int
    redraws: int = 0  # games from every hand that is kept


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
class Measurement:
    """A criterion of a search, as the file has it."""

    name: str
    title: Words
    of: str  # places, gap, mean or distribution (`analysis.criteria`)
    lineup: str  # name of the line-up it is measured with
    estimand: str
    goal: Goal
    margin: float
    is_rate: bool
    target: int | None  # players of the game that it should be like


@dataclass(frozen=True)
class Search:
    """A sub-question about all rules that could be, and whether one beats the rule in use."""

    name: str
    family: str
    title: Words
    players: int
    variant: Variant  # the rule in use
    switch: str
    candidates: tuple[Candidate, ...]
    reference: str  # name of the candidate that is in use
    lineups: Mapping[int, tuple[Lineup, ...]]  # by number of players
    criteria: tuple[Measurement, ...]
    deals: int  # of the screening, for every candidate and line-up
    confirm: int  # fresh deals for every finalist
    nearest: int  # finalists beside the best on each criterion

    @property
    def games(self) -> int:
        """Games that it takes, if all finalists are different ones."""
        a_deal = sum(self._rotations(lineup) for lineup in self.lineups[self.players])
        finalists = min(1 + len(self.criteria) + self.nearest, len(self.candidates))
        of_target = sum(
            self._rotations(lineup)
            for players in {one.target for one in self.criteria if one.target}
            for lineup in self.lineups[players]
        )
        screening = self.deals * (len(self.candidates) * a_deal + of_target)
        return screening + self.confirm * (finalists * a_deal + of_target)

    @staticmethod
    def _rotations(lineup: Lineup) -> int:
        return 1 if lineup.is_uniform else len(lineup.strategies)


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
    searches: tuple[Search, ...] = ()

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
        return Experiment(
            self.game.name,
            setting.players,
            (setting.lineup,),
            (setting.variant,),
            deals or setting.deals,
            self.seed + 1_000 * block + group,
            setting.rotate,
            "summary" if setting.redraws else setting.mode,
        )

    def screening(self, search: Search, players: int, *, is_target: bool) -> Experiment:
        """What to play for all candidates of a search, or for what they should be like."""
        names = [] if is_target else [one.name for one in search.candidates]
        return self._of_search(search, players, names, 0)

    def confirmation(self, search: Search, players: int, candidate: str | None) -> Experiment:
        """What to play for one finalist, or for what all should be like: fresh deals."""
        return self._of_search(search, players, [candidate] if candidate else [], 1)

    def _of_search(
        self, search: Search, players: int, names: Sequence[str], stage: int
    ) -> Experiment:
        changed = {one.name: one.values for one in search.candidates}
        variants = tuple(
            Variant(
                name, tuple({**dict(search.variant.rules), search.switch: changed[name]}.items())
            )
            for name in names
        )
        number = 2 * self.searches.index(search) + stage
        return Experiment(
            self.game.name,
            players,
            search.lineups[players],
            variants or (search.variant,),
            search.confirm if stage else search.deals,
            self.seed + 10**9 + 100 * number + players,  # the target has deals of its own
            "strategies",
            "games" if stage and names else "summary",
        )

    @property
    def games(self) -> int:
        """Games in all."""
        played = sum(
            setting.deals * setting.redraws or self.experiment(setting).games
            for setting in self.settings
        )
        return played + sum(search.games for search in self.searches)
