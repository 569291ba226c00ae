"""Which way of playing is better, and how sure: a comparison as data, played and reckoned.

The head hands in `play`, so that this knows nothing of folders and workers. All line-ups play the
same deals, each in all rotations; what is compared is subtracted deal by deal. A comparison that
looks before its end is played in blocks between the looks, each with deals of its own.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, reduce
from math import sqrt

import numpy as np

from analysis import designs, winshares
from analysis.contrasts import Contrasts, contrasts
from analysis.controls import (
    FURTHER,
    Controlled,
    controlled,
    differences,
    duplicate_factor,
    hands_of,
)
from analysis.headtohead import (
    Call,
    Duel,
    InRole,
    Intervals,
    Line,
    Standing,
    by_role,
    duels,
    in_roles,
    seated,
    sign,
    standings,
)
from analysis.intervals import Estimate
from analysis.matches import Matches, matches_of
from analysis.metagame import MetaGame, alpha_rank, over_lineups
from analysis.moments import Floats, Moments
from analysis.ratings import Ratings, rate
from analysis.sequential import Precision
from analysis.skill import Components, Lead, components_of, lead
from analysis.sprt import Course, Decision, Sprt
from sim import catalog
from sim.core.game import SHARE_UNIT, Game, Words
from sim.experiment import ON_FAULT, Experiment, Lineup, Variant, toml_value
from sim.results import Cell, Rows, Run, added, forfeits
from sim.store import games_of

DEALS = {"pairwise": 10_000, "all": 1_000, "gauntlet": 10_000, "roles": 10_000}  # by design
MOST_LINEUPS, MOST_GAMES = 1_000, 20_000_000  # beyond which one has to insist
LEAST_WON = 10  # deals with a winner, before two strategies are said to decide alike
MOST_DEALT = 40_000  # deals whose hands are looked at, beyond those that were played
TRIAL = 20  # deals of each strategy, to see how fast they play

_UNTOLD = Words("the game does not tell what its hands are made of", "这个游戏没有说明手牌的组成")

Play = Callable[[Experiment], Run]


@dataclass(frozen=True)
class Seen:
    """What a look shows while more may be played; the intervals hold at every look."""

    deals: int
    advantages: tuple[tuple[str, Estimate], ...]  # by name, of those that it is about
    decision: Decision | None  # of a sequential test; None where a precision is wanted
    is_over: bool


@dataclass(frozen=True)
class Stop:
    """When to stop: after a number of deals, at a precision, or when a test has decided."""

    deals: int | None = None
    half_width: float | None = None  # of the intervals of the verdict, as a share
    sprt: tuple[float, float] | None = None  # advantages to tell apart, as shares


@dataclass(frozen=True)
class Comparison:
    """What is compared: strategies, who plays whom, by which rules, and when it is enough."""

    game: Game
    players: int
    strategies: tuple[str, ...]  # specs
    design: str
    size: int  # line-ups
    roles: tuple[int, ...]  # of the seats, for the design roles
    variant: Variant
    seed: int
    stop: Stop
    anchor: str
    on_fault: str = ON_FAULT[0]

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the strategies are called."""
        return tuple(map(catalog.label, self.strategies))

    @cached_property
    def lineups(self) -> tuple[Lineup, ...]:
        """Who plays whom."""
        whole = designs.n_lineups(self.design, len(self.strategies), self.players, self.n_roles)
        if self.size < whole:
            return tuple(designs.balanced(self.strategies, self.players, self.size))
        return tuple(designs.lineups(self.design, self.strategies, self.players, self.roles))

    @property
    def n_roles(self) -> int:
        """Roles of the game, for the design roles."""
        return max(self.roles, default=-1) + 1

    @property
    def planned(self) -> int:
        """Deals that it takes, if the guess of the spread is right."""
        plan = self.plan
        return plan.planned if plan else self.stop.deals or DEALS[self.design]

    @property
    def plan(self) -> Precision | Sprt | None:
        """How a precision is reached or a test decided; None with a fixed number of deals."""
        if self.stop.half_width is not None:
            # Of a seat that wins 1 game in n, if the n games of a deal had nothing in common.
            sd = sqrt(self.players - 1) / self.players**1.5
            return Precision(self.stop.half_width, len(self.strategies), sd)
        return Sprt(*self.stop.sprt) if self.stop.sprt else None

    @property
    def games(self) -> int:
        """Games in all, about: a line-up of equals is played once a deal."""
        return self.size * self.players * self.planned

    def experiment(self, deals: int, block: int = 0) -> Experiment:
        """What to play, in one block of deals or several."""
        seed = self.seed + 1_000 * block
        rotate = "hands" if self.roles else "strategies"
        return self._experiment(self.lineups, deals, seed, rotate, "games")

    def to_toml(self) -> str:
        """The comparison as a file that asks for the same; see `comparison_files`."""
        whole = designs.n_lineups(self.design, len(self.strategies), self.players, self.n_roles)
        stop = self.stop
        values = {
            "game": self.game.name,
            "players": self.players,
            "strategies": self.strategies,
            "design": self.design,
            "lineups": self.size if self.size < whole else None,
            "anchor": self.anchor,
            "seed": self.seed,
            "deals": stop.deals,
            "precision": stop.half_width and _as_points(stop.half_width),
            "sprt": stop.sprt and [_as_points(end) for end in stop.sprt],
            "on_fault": self.on_fault if self.on_fault != ON_FAULT[0] else None,
        }
        lines = [f"{key} = {toml_value(v)}" for key, v in values.items() if v is not None]
        rules = [f"{name} = {toml_value(value)}" for name, value in self.variant.rules]
        return "\n".join([*lines, "", "[rules]", *rules, ""])

    def trial(self) -> Experiment:
        """Every strategy in all seats for a few deals, to see how fast they play."""
        alone = tuple(designs.lineup([spec] * self.players) for spec in self.strategies)
        return self._experiment(alone, TRIAL, self.seed, "strategies", "summary")

    def _experiment(
        self, lineups: tuple[Lineup, ...], deals: int, seed: int, rotate: str, mode: str
    ) -> Experiment:
        return Experiment(
            self.game.name,
            self.players,
            lineups,
            (self.variant,),
            deals,
            seed,
            rotate,
            mode,
            self.on_fault,
        )


def _as_points(share: float) -> float:
    """A share in percentage points, as it was typed: 7 and not 7.000000000000001."""
    return round(100 * share, 12)


@dataclass(frozen=True)
class Saved:
    """How many times more games it would take without the design, in one line-up."""

    lineup: str
    duplicate: Estimate | None  # if every game had a deal of its own; None if nothing varies
    controlled: Controlled | Words  # with what the dealt hands foretell taken off; or why not


@dataclass(frozen=True, eq=False)
class Compared:
    """A comparison with all that was found."""

    question: Comparison
    matches: Matches
    cells: tuple[Cell, ...]  # sums of every line-up
    lines: tuple[Line, ...]  # who sat in every line-up
    alike: frozenset[frozenset[int]]  # pairs of strategies that decided alike in all games
    standings: tuple[Standing, ...]  # the best first
    duels: tuple[Duel, ...]
    in_roles: tuple[tuple[InRole, ...], ...]  # by strategy and role; without roles ()
    places: tuple[Estimate, ...]  # win share of each place in the starting order, over all tables
    ratings: Ratings
    metagame: MetaGame | Words  # or why it cannot be told which strategies last
    components: Components | None  # skill and luck; None where strategies keep their seats
    pair: tuple[int, int]  # whom the verdict is about, and beside whom; see `pair_of_verdict`
    saved: Saved | Words  # what the design and the hands save, of this pair; or why it is not told
    course: Course | None  # of a sequential test
    lead: Lead | None  # how long the better one of the pair must play until it leads
    hashes: tuple[str, ...]  # of the results of every run

    @property
    def names(self) -> tuple[str, ...]:
        """What the strategies are called."""
        return self.question.names

    @property
    def best(self) -> int:
        """The strategy with the best standing."""
        return self.standings[0].strategy

    @property
    def is_first_sure(self) -> bool:
        """Whether the one with the best standing is surely ahead of all others over all tables."""
        others = [one.behind for one in self.standings[1:]]
        return all(one is not None and sign(one) > 0 for one in others)

    def beaten_by(self, i: int) -> list[int]:
        """Who beats a strategy, the best of them first."""
        return beaten_by(self.standings, self.duels, i)

    def duel(self, i: int, j: int) -> Duel | None:
        """What is found about two strategies; None if they never met."""
        return next((one for one in self.duels if {one.first, one.second} == {i, j}), None)

    @property
    def digest(self) -> str:
        """Hash of the results of all runs."""
        return hashlib.sha256("".join(self.hashes).encode()).hexdigest()

    @property
    def games(self) -> int:
        """Games in all."""
        return sum(winshares.games(cell) for cell in self.cells)

    @property
    def forfeits(self) -> dict[str, int]:
        """Games that each strategy lost by a fault; nothing where faults stop the comparison."""
        return forfeits(self.cells)

    @property
    def deals(self) -> int:
        """Deals, the same for all line-ups."""
        return self.matches.deals


def beaten_by(ranked: Sequence[Standing], found: Sequence[Duel], i: int) -> list[int]:
    """Who beats a strategy, in the order of the standings."""
    beaters = {
        duel.seen_from(i).second
        for duel in found
        if i in (duel.first, duel.second) and duel.seen_from(i).call == Call.BEHIND
    }
    return [one.strategy for one in ranked if one.strategy in beaters]


def pair_of_verdict(
    design: str, ranked: Sequence[Standing], found: Sequence[Duel]
) -> tuple[int, int]:
    """The strategy that a verdict is about, and the one to hold beside it.

    The first is the best, or the one that runs a gauntlet; the second is the best of those that
    beat it, or else of all others.
    """
    first = 0 if design == "gauntlet" else ranked[0].strategy
    others = [one.strategy for one in ranked if one.strategy != first]
    return first, (beaten_by(ranked, found, first) or others)[0]


def compare(
    question: Comparison, play: Play, watch: Callable[[Seen], object] | None = None
) -> Compared:
    """Play a comparison until it is enough, and reckon.

    Parameters
    ----------
    play
        Plays an experiment of mode games and returns the finished run, in its folder.
    watch
        Is told what every look shows, where a comparison looks before its end.
    """
    blocks: list[_Block] = []
    plan = question.plan
    course = None
    for deals in plan.looks() if plan else iter([question.planned]):
        before = sum(block.matches.deals for block in blocks)
        run = play(question.experiment(deals - before, len(blocks)))
        blocks.append(_Block.of(question, run, before))
        lines = _lines(question, blocks)
        course = _course(plan, lines) if isinstance(plan, Sprt) else None
        seen = _seen(question, lines, course)
        if seen and watch:
            watch(seen)
        if seen and seen.is_over:
            break
    return _reckoned(question, blocks, lines, course)


@dataclass(frozen=True, eq=False)
class _Block:
    """A finished run of some deals."""

    run: Run
    matches: Matches  # deals counted on from the block before
    cell: Rows  # [G] line-up of each game

    @classmethod
    def of(cls, question: Comparison, run: Run, before: int) -> _Block:
        found = matches_of(run)
        order = np.array([question.names.index(name) for name in found.names])
        games = [winshares.games(cell) for cell in run.cells]
        return cls(
            run,
            Matches(
                question.names,
                found.deal + before,
                order[found.seats].astype(np.int16),
                found.share,
                found.teams,
            ),
            np.repeat(np.arange(len(games)), games),
        )


def _joined(blocks: Sequence[_Block]) -> Matches:
    """The games of all blocks."""
    if len(blocks) == 1:
        return blocks[0].matches
    names = ("deal", "seats", "share", "teams")
    every = [[getattr(block.matches, name) for block in blocks] for name in names]
    return Matches(blocks[0].matches.names, *map(np.concatenate, every))


def _lines(question: Comparison, blocks: Sequence[_Block]) -> list[Line]:
    """Who sat in every line-up and what they won."""
    if question.roles:
        return by_role([_cast(question, blocks, i) for i in range(len(question.lineups))])
    matches, cell = _joined(blocks), np.concatenate([block.cell for block in blocks])
    order = np.argsort(cell, kind="stable")
    found = []
    for games in np.split(order, np.cumsum(np.bincount(cell))[:-1]):
        columns = (matches.share[games], matches.seats[games])
        found.append(
            seated(*columns, range(len(question.names)), matches.cluster[games], matches.deals)
        )
    return found


def _cast(question: Comparison, blocks: Sequence[_Block], number: int) -> Line:
    """The roles of a line-up, whose seats keep their strategies."""
    n, strategies = question.players, question.lineups[number].strategies
    columns = ["deal", *(f"win_share_{seat}" for seat in range(n))]
    games = [games_of(block.run, columns, number) for block in blocks]
    share = np.concatenate([np.stack([one[c] for c in columns[1:]], axis=1) for one in games])
    firsts = [int(block.matches.deal_numbers[0]) for block in blocks]
    deal = np.concatenate([one["deal"] + first for one, first in zip(games, firsts, strict=True)])
    cast = [
        question.strategies.index(strategies[question.roles.index(role)])
        for role in range(question.n_roles)
    ]
    return seated(share, np.array(question.roles), cast, deal, int(deal[-1]) + 1)


def _rated(question: Comparison, lines: Sequence[Line]) -> list[Line]:
    """The line-ups that tell strategies apart: all casts of roles, else those that are mixed."""
    return [*lines] if question.roles else [line for line in lines if len(line) > 1]


def _of_verdict(question: Comparison, lines: Sequence[Line]) -> tuple[list[int], Contrasts]:
    """What a precision is about: of two strategies each alone, else every strategy's standing."""
    who = list(range(len(question.names)))
    if len(who) == 2 and not question.roles:
        alone = [one for line in lines for one in line if one.members == 1]
        who, values = [one.strategy for one in alone], [one.advantage for one in alone]
    else:
        rated = _rated(question, lines)
        values = [
            np.mean([one.advantage for line in rated for one in line if one.strategy == i], axis=0)
            for i in who
        ]
    moments = Moments.from_values(np.stack(values, axis=1))
    return who, contrasts(moments, np.eye(len(values)))


def _seen(question: Comparison, lines: Sequence[Line], course: Course | None) -> Seen | None:
    """What a look shows; None where the number of deals is fixed."""
    plan = question.plan
    if course:
        look = course.looks[-1]
        est = Estimate(look.mean, look.se, look.low, look.high, look.deals, look.deals)
        first = ((question.names[0], est),)
        return Seen(look.deals, first, course.decision, course.next is None)
    if not isinstance(plan, Precision):
        return None
    who, found = _of_verdict(question, lines)
    ends = found.interval(planned=plan.planned)
    assert ends is not None and found.se is not None, "a look has more than one deal"
    rows = zip(who, *(each.tolist() for each in (found.estimate, found.se, *ends)), strict=True)
    told = [
        (question.names[i], Estimate(mean, se, low, high, found.deals, found.deals))
        for i, mean, se, low, high in rows
    ]
    return Seen(found.deals, tuple(told), None, found.meets(plan))


def _course(test: Sprt, lines: Sequence[Line]) -> Course:
    """The looks at the first strategy alone among the other."""
    one = next(s for line in lines for s in line if s.strategy == 0 and s.members == 1)
    return test.course(one.share, one.share - one.advantage)


def _reckoned(
    question: Comparison, blocks: Sequence[_Block], lines: list[Line], course: Course | None
) -> Compared:
    matches = _joined(blocks)
    cells = [
        replace(cells[0], totals=reduce(added, (cell.totals for cell in cells)))
        for cells in zip(*(block.run.cells for block in blocks), strict=True)
    ]
    plan, n = question.plan, len(question.names)
    games = sum(map(winshares.games, cells))
    intervals = Intervals(plan.planned if plan else None)
    rated = _rated(question, lines)
    alike = _alike(question, blocks)
    ranked = standings(rated, n, intervals)
    met = duels(rated, n, intervals, alike)
    pair = pair_of_verdict(question.design, ranked, met)
    first, second = (question.names[i] for i in pair)
    return Compared(
        question,
        matches,
        tuple(cells),
        tuple(lines),
        alike,
        tuple(ranked),
        tuple(met),
        tuple(map(tuple, in_roles(rated, n, intervals))) if question.roles else (),
        tuple(intervals.of(_by_place(matches), [games // matches.deals] * matches.players)),
        rate(matches, question.anchor),
        _metagame(question, matches, alike),
        None if question.roles else components_of(matches),
        pair,
        _saved(question, blocks, matches, first, second),
        course,
        lead(matches, first, second),
        tuple(str(block.run.manifest["sha256"]) for block in blocks),
    )


def _metagame(
    question: Comparison, matches: Matches, alike: frozenset[frozenset[int]]
) -> MetaGame | Words:
    """Which strategies last: over all line-ups if they were played, else in one population."""
    n = len(question.names)
    if len(alike) == n * (n - 1) // 2:
        return Words(
            "all strategies decided alike: none drives another out",
            "各策略的决策完全相同，谁也不会取代谁",
        )
    if question.roles:
        return Words(
            "with roles the strategies of a table are no crowd of equals",
            "各座位角色不同，策略之间不是对等的群体",
        )
    found = over_lineups(matches) if question.design == "all" else None
    return found if isinstance(found, MetaGame) else alpha_rank(matches)


def _saved(
    question: Comparison, blocks: Sequence[_Block], matches: Matches, first: str, second: str
) -> Saved | Words:
    """What is saved where a pair plays; or that it had no table to itself.

    Hands foretell a part only where all deals were played in one block.
    """
    if question.roles:
        return Words("with roles strategies keep their seats", "各座位角色不同，策略不轮换座位")
    pair = {matches.names.index(first), matches.names.index(second)}
    tables = [i for i, line in enumerate(matches.lineups) if {*line} == pair]
    if not tables:
        return Words(
            f"{first} and {second} had no table to themselves",
            f"没有只由 {first} 与 {second} 组成的牌桌",
        )
    values = differences(matches, first, second, tables[0])
    found: Controlled | Words
    if len(blocks) == 1:
        further = min(max(MOST_DEALT // matches.deals, 1), FURTHER)
        hands = hands_of(question.experiment(matches.deals), further)
        found = controlled(values.mean(axis=1), *hands) if hands else _UNTOLD
    else:
        found = Words("the deals were played in several blocks", "发牌分成了几批来打")
    return Saved(matches.label(tables[0]), duplicate_factor(values), found)


def _by_place(matches: Matches) -> Floats:
    """Win share of each place in every deal, over all line-ups [D, n]."""
    deals, n = matches.deals, matches.players
    at = (matches.cluster[:, None] * n + np.arange(n)).ravel()
    total = np.bincount(at, matches.share.ravel(), deals * n).reshape(deals, n)
    return np.asarray(total * deals / matches.games / SHARE_UNIT)


def _alike(question: Comparison, blocks: Sequence[_Block]) -> frozenset[frozenset[int]]:
    """Pairs of strategies that decided alike in all games of two-strategy line-ups.

    The seats' random streams belong to the seats: if two strategies decide alike, turning them
    over the seats of a deal changes nothing. Deals without a winner tell nothing.
    """
    if question.roles:
        return frozenset()
    matches, cell = _joined(blocks), np.concatenate([block.cell for block in blocks])
    found: dict[frozenset[int], bool] = {}
    for number, lineup in enumerate(question.lineups):
        pair = frozenset(map(question.strategies.index, lineup.strategies))
        if len(pair) == 2 and found.get(pair, True):
            games = np.flatnonzero(cell == number)
            games = games[np.argsort(matches.cluster[games], kind="stable")]
            shares = matches.share[games].reshape(matches.deals, -1, question.players)
            is_told = shares.any(axis=(1, 2)).sum() >= LEAST_WON
            found[pair] = bool(is_told and (shares == shares[:, :1]).all())
    return frozenset(pair for pair, is_alike in found.items() if is_alike)
