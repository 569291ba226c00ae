"""The play loop: one text for every game, for runs and for replays.

The functions here are templates. `bind` gives each game its own compiled instance, in which the
names `start`, `observe`, `apply`, `is_over`, `seat_to_act`, `is_legal`, `outcome` and `check` are
the game's own functions and are compiled into the loop (calling them by address instead costs a
third of the speed, see docs/engine.md).
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.jit import compiled, kernel
from sim.core.records import copy_record, n_words, record, word_of
from sim.core.rng import LINEUP, STRATEGY, STREAM, below, open_stream
from sim.core.strategy import EXCEPTION, N_PARAMETERS, call_strategy
from sim.core.tally import add_deal, add_game

# How the loop ended
OVER = 0  # the rules ended the game
PAUSED = 1  # the budget of decisions is used up; call again to go on
ILLEGAL = 2  # a strategy chose an action that is not legal
RAISED = 3  # a strategy raised an exception
WROTE = 4  # a strategy changed what it may not
BROKEN = 5  # an invariant of the rules does not hold
CAP = 6  # more decisions than the game allows

# Words of `progress`, which another thread or process may read at any time
DEAL, ROTATION, SEAT, N_DONE = 0, 1, 2, 3

# Ways to rotate
BY_STRATEGIES, BY_HANDS, BY_NOTHING = 0, 1, 2

NEVER_GUARDED = 1 << 62

JOB = record(
    ("seed", np.int64),
    ("players", np.int64),
    ("rotate", np.int64),  # BY_...
    ("rotations", np.int64),  # games a deal
    ("cap", np.int64),  # decisions a game
    ("check", np.int64),  # 1: the invariants after every action
    ("guard", np.int64),  # every so many games strategies are watched for writing
    ("watch", np.int64),  # 1: watched in this game
    ("decisions", np.int64),  # taken in this game
    ("seat", np.int64),  # that decided last
    ("action", np.int64),  # its answer
    ("detail", np.int64),  # number of the broken invariant
    ("stream", STREAM),  # who sits where
)


if TYPE_CHECKING:  # names that `bind` supplies

    def start(state, log): ...
    def observe(state, me): ...
    def apply(state, action, log): ...
    def is_over(state): ...
    def seat_to_act(state): ...
    def is_legal(state, action): ...
    def outcome(state, result): ...
    def check(state): ...

    N_READ_ONLY = 0  # words of `me` before those that a strategy may write

@kernel
def same_words(one, other, n):
    """Whether the first `n` words of two records are equal."""
    for i in range(n):
        if word_of(one, i) != word_of(other, i):
            return False
    return True


def advance(job, state, seats, address, convention, log, progress, shadow_table, shadow_me, budget):
    """Play on from the decision at hand, for `budget` more decisions or to the end of the game.

    Each turn of the loop is one decision of one seat, whoever's turn it is in the game.
    Returns OVER, PAUSED or what went wrong.
    """
    taken = 0
    while not is_over(state):
        if taken == budget:
            return PAUSED
        if job.decisions == job.cap:
            return CAP
        seat = seat_to_act(state)
        me = seats[seat]
        observe(state, me)
        job.seat = seat
        progress[SEAT] = seat
        if job.watch:
            copy_record(shadow_table[0], state.table)
            copy_record(shadow_me[0], me)
        action = call_strategy(address[seat], convention[seat], state.table, me)
        job.action = action
        if job.watch and not (
            same_words(shadow_table[0], state.table, n_words(state.table))
            and same_words(shadow_me[0], me, N_READ_ONLY)
        ):
            return WROTE
        if not is_legal(state, action):
            return RAISED if action == EXCEPTION else ILLEGAL
        apply(state, action, log)
        taken += 1
        job.decisions += 1
        if job.check:
            job.detail = check(state)
            if job.detail != 0:
                return BROKEN
    return OVER


def begin(job, state, seats, entry, log, deal, rotation):
    """Set up game `rotation` of `deal`: who sits where, everybody's stream and memory, the start.

    `entry` is filled with the position in the line-up that each seat plays.
    """
    players = job.players
    seat_lineup(job, entry, deal, rotation)
    for seat in range(players):
        me = seats[seat]
        me.seat = seat
        open_stream(me.rng, job.seed, deal, STRATEGY + seat, 0)
        for k in range(len(me.memory)):
            me.memory[k] = 0
    state.dealer.seed = job.seed
    state.dealer.deal = deal
    state.dealer.turn = rotation if job.rotate == BY_HANDS else 0
    job.decisions = 0
    start(state, log)


@kernel
def seat_lineup(job, entry, deal, rotation):
    """Who sits where: the line-up in an order shuffled anew for each deal, turned by `rotation`.

    Only where strategies rotate; otherwise each position keeps its seat.
    """
    players = job.players
    for seat in range(players):
        entry[seat] = seat
    if job.rotate != BY_STRATEGIES or job.rotations == 1:
        return
    open_stream(job.stream, job.seed, deal, LINEUP, 0)
    for seat in range(players - 1, 0, -1):
        other = below(job.stream, seat + 1)
        entry[seat], entry[other] = entry[other], entry[seat]
    for _ in range(rotation):
        first = entry[0]
        for seat in range(players - 1):
            entry[seat] = entry[seat + 1]
        entry[players - 1] = first


def play_deals(
    jobs, states, seats, lineup, parameter, logs, progress, shadow_table, shadow_me,
    results, rows, keep_rows, first, last, tally,
):  # fmt: skip
    """Play the deals first..last-1 with all rotations and add them to the tally.

    `lineup` holds (address, convention, seat's address, seat's convention, seat's entry) a
    position; `parameter` the strategies' numbers a position. Returns OVER or what went wrong:
    then `progress` names deal and rotation, `job` the seat.
    """
    (entry_address, entry_convention, address, convention, entry) = lineup
    job, state, log, result = jobs[0], states[0], logs[0], results[0]
    players, row = job.players, 0
    for deal in range(first, last):
        progress[DEAL] = deal
        for rotation in range(job.rotations):
            progress[ROTATION] = rotation
            begin(job, state, seats, entry, log, deal, rotation)
            for seat in range(players):
                position = entry[seat]
                address[seat] = entry_address[position]
                convention[seat] = entry_convention[position]
                for k in range(N_PARAMETERS):
                    seats[seat].parameter[k] = parameter[position, k]
            job.watch = 1 if (deal - first) % job.guard == 0 else 0
            status = advance(
                job, state, seats, address, convention, log, progress,
                shadow_table, shadow_me, NEVER_GUARDED,
            )  # fmt: skip
            if status != OVER:
                return status
            outcome(state, result)
            result.decisions = job.decisions
            result.unfinished = 1 if result.status == 1 else 0
            result.draw = 1 if result.status == 2 else 0
            add_game(tally, result, entry, players)
            if keep_rows:
                copy_record(rows[row].outcome, result)
                rows[row].deal = deal
                rows[row].rotation = rotation
                for seat in range(players):
                    rows[row].entry[seat] = entry[seat]
                row += 1
            progress[N_DONE] += 1
        add_deal(tally, players)
    return OVER


GAME_FUNCTIONS = (
    "start", "observe", "apply", "is_over", "seat_to_act", "is_legal", "outcome", "check",
)  # fmt: skip


class Loop:
    """The compiled instance of the loop for one game: `advance`, `begin` and `play_deals`."""

    def __init__(self, name: str, rules: ModuleType, n_read_only: int) -> None:
        own = {function: getattr(rules, function) for function in GAME_FUNCTIONS}
        names = {**globals(), **own, "N_READ_ONLY": n_read_only}
        sources = (__file__, str(rules.__file__))
        for template in (advance, begin, play_deals):
            names[template.__name__] = _instance(template, name, names, sources)
        self.advance, self.begin = names["advance"], names["begin"]
        self.play_deals = names["play_deals"]


def _instance(
    template: Callable[..., Any], game: str, names: dict[str, Any], sources: tuple[str, ...]
) -> Any:
    """The template as a function of its own, with the game's functions behind its names."""
    function = FunctionType(template.__code__, names, template.__name__)
    function.__qualname__ = f"{game}.{template.__name__}"  # the cache tells games apart by it
    function.__doc__ = template.__doc__
    function.__module__ = __name__
    function.__sources__ = sources  # type: ignore[attr-defined]
    return compiled(function)
