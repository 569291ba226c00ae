"""Balance questions: what is claimed about a game, what shall be played for it, and how it counts.

A question is a TOML file. Those that ship stand in `sim/games/<game>/questions/` and are found by
listing the folder. `docs/questions.md` tells how to write one. All mistakes of a file are reported
together, with line and key.

    places         does a place in the starting order gain? Contrasts are all pairs of places. With
                   one strategy in all seats the hands of a deal are turned over the places, with
                   several these are turned over the seats
    ladder         do better strategies win by as much? Gaps between neighbours of a line-up under
                   each variant and number of players, less those under the first; strategies
                   turned over the seats
    value          is it as much as that? The mean of a column, or with several strategies the gaps
                   between neighbours of the line-up, less a number that the file gives
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
from functools import cached_property

from analysis.criteria import Goal
from analysis.search import Candidate
from sim.core.game import Game, Words
from sim.experiment import Experiment, Lineup, Variant

KINDS = ("places", "ladder", "value", "comparability", "distribution", "hands", "search")


def turned(lineup: Lineup) -> str:
    """What is turned over the places: hands where all seats play alike, else strategies."""
    return "hands" if lineup.is_uniform else "strategies"


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
    value: float = 0.0  # of kind value: what is subtracted, in the unit of the margin

    @property
    def settings(self) -> tuple[Setting, ...]:
        """What is played for it, what is compared with first."""
        pairs = [(there, here) for here, there in self.cases]
        return tuple(dict.fromkeys(one for pair in pairs for one in pair if one))

    @property
    def is_signed(self) -> bool:
        """Whether more is something else than less, and not only the same pair turned round."""
        return self.kind in ("comparability", "value")

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

    @property
    def is_mean(self) -> bool:
        """Whether its value is a mean over deals as it is, and no distance."""
        return self.of == "gap" or (self.of == "mean" and self.target is None)


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
    deals: tuple[int, ...]  # of the screening, for every candidate with each line-up
    confirm: tuple[int, ...]  # fresh deals for every finalist with each line-up
    nearest: int  # finalists beside the best on each criterion
    always: tuple[str, ...] = ()  # names of candidates that are finalists in any case

    @property
    def targets(self) -> list[tuple[int, int]]:
        """Players of the games that candidates should be like, and numbers of the line-ups."""
        names = [lineup.name for lineup in self.lineups[self.players]]
        asked = {(one.target, names.index(one.lineup)) for one in self.criteria if one.target}
        return sorted((players, number) for players, number in asked if players)

    def turns(self, number: int) -> str:
        """What is rotated with this line-up.

        One strategy in all seats needs the hands turned for a comparison of places only. Other
        means and distributions learn more from as many games with cards of their own.
        """
        lineup = self.lineups[self.players][number]
        of_places = (one.of == "places" for one in self.criteria if one.lineup == lineup.name)
        return turned(lineup) if any(of_places) else "strategies"

    def keeps_games(self, number: int, stage: int) -> bool:
        """Whether the deals with this line-up must be told apart.

        So it is for a whole distribution, and where means of finalists are subtracted by deals.
        """
        name = self.lineups[self.players][number].name
        those = [one for one in self.criteria if one.lineup == name]
        return any(one.of == "distribution" or (stage == 1 and one.is_mean) for one in those)


@dataclass(frozen=True)
class Family:
    """Claims that are decided together, and what to tell the designer after each verdict."""

    title: Words
    advice: Mapping[str, Words]  # by verdict in small letters; what is missing is not said
    is_key: bool = False  # whether its number carries the answer


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

    @cached_property
    def settings(self) -> list[Setting]:
        """Everything that is played, once."""
        return list(dict.fromkeys(s for claim in self.claims for s in claim.settings))

    @cached_property
    def _together(self) -> dict[Setting, list[Setting]]:
        """For every setting those that play the same deals, in the order of the file."""
        found: dict[Setting, list[Setting]] = {}
        for claim in self.claims:
            joined = {one for setting in claim.settings for one in found.get(setting, [setting])}
            ordered = sorted(joined, key=self.settings.index)
            found |= dict.fromkeys(ordered, ordered)
        return found

    def together(self, claim: Claim) -> list[Setting]:
        """The settings that play the same deals as those of a claim.

        Claims that have a setting in common share their deals, and so on from claim to claim.
        """
        return self._together[claim.settings[0]]

    def experiment(self, setting: Setting, deals: int | None = None, block: int = 0) -> Experiment:
        """What to play for a setting, in one block of deals or several.

        What is compared has the same seed, and nothing else has.
        """
        group = self.settings.index(self._together[setting][0])
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

    def trial(
        self, search: Search, number: int, stage: int, names: Sequence[str], players: int
    ) -> Experiment:
        """What to play of a search with one line-up.

        Parameters
        ----------
        number
            Of the line-up.
        stage
            0 for the screening, 1 for the confirmation on fresh deals.
        names
            Candidates; none for the rule in use with other `players`, a target.
        """
        values = {one.name: one.values for one in search.candidates}
        rules = dict(search.variant.rules)
        variants = tuple(
            Variant(name, tuple((rules | {search.switch: values[name]}).items())) for name in names
        )
        lineup = search.lineups[players][number]
        place = 2 * self.searches.index(search) + stage
        return Experiment(
            self.game.name,
            players,
            (lineup,),
            variants or (search.variant,),
            (search.deals, search.confirm)[stage][number],
            self.seed + 10**9 + 1_000 * place + 10 * number + players,  # deals of its own
            search.turns(number),
            "games" if search.keeps_games(number, stage) else "summary",
        )

    @property
    def games(self) -> int:
        """Games in all."""
        played = sum(
            setting.deals * setting.redraws or self.experiment(setting).games
            for setting in self.settings
        )
        return played + sum(self.games_of(search) for search in self.searches)

    def games_of(self, search: Search) -> int:
        """Games of a search, if all finalists are different ones."""
        names = [one.name for one in search.candidates]
        finalists = names[: 1 + len(search.always) + len(search.criteria) + search.nearest]
        return sum(
            self.trial(search, number, stage, chosen, search.players).games
            for stage, chosen in enumerate((names, finalists))
            for number in range(len(search.deals))
        ) + sum(
            self.trial(search, number, stage, [], players).games
            for stage in (0, 1)
            for players, number in search.targets
        )
