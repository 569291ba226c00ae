"""The play loop: one text for every game, for runs and for replays.

The functions here are templates. `Loop` gives each game its own compiled instance, in which names
like `observe` and `apply` are the game's own functions, compiled into the loop. (Called one by one
instead they cost an eighth of the speed, see docs/engine.md.)
"""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from sim.core import tally as tallies
from sim.core.bits import natural
from sim.core.game import MOST_SEATS, Game
from sim.core.jit import compiled, inlined, kernel, out_of_line
from sim.core.records import copy_record, n_words, offset_of, record, record_of, word_of
from sim.core.rng import LINEUP, REDRAW, STRATEGY, STREAM, below, open_stream
from sim.core.state import DRAW, FORFEIT, LOG, UNFINISHED, share_win
from sim.core.strategy import EXCEPTION, OURS, call_strategy
from sim.core.tally import FIRST_WORD

# How the loop ended
OVER = 0  # the rules ended the game
PAUSED = 1  # the budget of decisions is used up; call again to go on
ILLEGAL = 2  # a strategy chose an action that is not legal
RAISED = 3  # a strategy raised an exception
WROTE = 4  # a strategy changed what it may not
BROKEN = 5  # an invariant of the rules does not hold
CAP = 6  # more decisions than the game allows

# Words of `progress`, which another thread or process may read at any time
DEAL, ROTATION, SEAT, N_DONE, DECISION = 0, 1, 2, 3, 4
N_PROGRESS = 5

# Ways to rotate
BY_STRATEGIES, BY_HANDS, BY_NOTHING = 0, 1, 2

NO_BUDGET = 1 << 62  # play to the end

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
    ("action", np.int64),  # the last answer of a strategy
    ("forfeits", np.int64),  # 1: a fault of a strategy loses the game for its seat, play goes on
    ("forfeited", np.int64, MOST_SEATS),  # games that each position of the line-up lost so
    ("detail", np.int64),  # number of the broken invariant
    ("convention", np.int64, MOST_SEATS),  # how each position of the line-up is called
    ("entry", np.int64, MOST_SEATS),  # position in the line-up that each seat plays, in this game
    ("stream", STREAM),  # who sits where
)


def work_record(state: Any, table: Any, me: Any, outcome: Any) -> np.dtype[Any]:
    """Record of the memory that one worker has once, of a game with these records."""
    return record(
        ("job", JOB),
        ("state", state),
        ("rules", record_of(table, "rules")),  # the switches, laid out anew for each game
        ("result", outcome),
        ("shown", table),  # the table as it is shown to a strategy that is not ours
        ("old_me", me),  # what the seat had before it was asked
        ("log", LOG),
    )


class Desk(NamedTuple):
    """What one worker plays on: arrays of records and of int64, E positions, n seats.

    Few arrays, since each is seven words of a call (measured: fifteen cost a fifth of the speed).
    """

    work: Any  # [1] WORK, see `work_record`
    seats: Any  # [n] what each seat has for itself
    fresh: Any  # [E] what a seat has at the start: the strategy's parameters, empty memory
    progress: Any  # [N_PROGRESS] DEAL, ROTATION, SEAT, N_DONE, DECISION
    address: Any  # [E] of machine code; without the JIT a list of functions


if TYPE_CHECKING:  # names that `bind` supplies

    def start(state, log):
        """Begin a game on a state whose `table.rules`, `table.players` and `dealer` are set."""

    def is_over(state):
        """Whether the game has ended."""

    def seat_to_act(state):
        """The seat that decides now, whoever's turn it is."""

    def observe(state, me):
        """Fill what the seat to act has for itself."""

    def is_legal(state, action):
        """Whether the seat to act may do this; asked of any int64."""

    def apply(state, action, log):
        """Carry out a legal action and go on to the next decision or to the end."""

    def outcome(state, result):
        """Fill the outcome record of a game that is over."""

    def check(state):
        """Number of a broken invariant, an index of the game's INVARIANTS, or 0."""

    def add_game(tally, outcome, entry, players):
        """See `sim.core.tally`."""

    def add_deal(tally, players):
        """See `sim.core.tally`."""

    def sample_world(table, me, rng, world):
        """Fill a full state that fits what the seat knows; what it held before does not matter."""

    def traits(table, me, out):
        """Count what the hand is made of; only where the game has traits."""

    N_READ_ONLY = 0  # words of `me` before those that a strategy may write
    WIDTH = 0  # words of a seat column of an outcome


def advance(desk, budget):
    """Play on from the decision at hand, for `budget` more decisions or to the end of the game.

    Each turn of the loop is one decision of one seat, whoever's turn it is in the game.
    Returns OVER, PAUSED or what went wrong.
    """
    out_of_line()
    work = desk.work[0]
    job, state, log = work.job, work.state, work.log
    decisions = job.decisions
    last = min(decisions + budget, job.cap)
    status, action = OVER, 0
    while not is_over(state):
        if decisions == last:
            status = PAUSED if last < job.cap else CAP
            break
        seat = natural(seat_to_act(state))
        me = desk.seats[seat]
        observe(state, me)
        desk.progress[SEAT] = seat
        desk.progress[DECISION] = decisions
        # Ours are known not to write (conformance tests) and see the table itself; others see a
        # copy, so that nothing they do reaches the game. In watched games all do.
        table = state.table
        position = natural(job.entry[seat])
        convention = job.convention[position]
        if job.watch or convention != OURS:
            copy_record(work.shown, state.table)
            copy_record(work.old_me, me)
            table = work.shown
        action = call_strategy(desk.address[position], convention, table, me)
        if job.watch and has_written(state.table, work.shown, work.old_me, me):
            status = WROTE
            break
        if not is_legal(state, action):
            status = RAISED if action == EXCEPTION else ILLEGAL
            break
        apply(state, action, log)
        decisions += 1
        if job.check:
            job.detail = check(state)
            if job.detail != 0:
                status = BROKEN
                break
    job.decisions = decisions
    job.action = action
    return status


def has_written(table, shown, old_me, me):
    """Whether a strategy wrote to the table, or to those words of `me` that it may only read."""
    out_of_line()
    for i in range(n_words(table)):
        if word_of(table, i) != word_of(shown, i):
            return True
    for i in range(N_READ_ONLY):
        if word_of(old_me, i) != word_of(me, i):
            return True
    return False


def begin(desk, deal, rotation):
    """Set up game `rotation` of `deal`: who sits where, everybody's stream and memory, the start.

    `job.entry` is filled with the position in the line-up that each seat plays.
    """
    out_of_line()
    work = desk.work[0]
    job, state = work.job, work.state
    seat_lineup(job, deal, rotation)
    for seat in range(job.players):
        refresh(desk, deal, seat, 0)
    copy_record(state.table.rules, work.rules)
    state.table.players = job.players
    state.dealer.seed = job.seed
    state.dealer.deal = deal
    state.dealer.turn = rotation if job.rotate == BY_HANDS else 0
    job.decisions = 0
    start(state, work.log)


@inlined
def refresh(desk, deal, seat, draw):
    """Give the seat an empty memory and its stream of this draw: 0 is the game as it is dealt."""
    me, job = desk.seats[seat], desk.work[0].job
    copy_record(me, desk.fresh[job.entry[seat]])
    me.seat = seat
    open_stream(me.rng, job.seed, deal, STRATEGY + seat, draw)


@kernel
def seat_lineup(job, deal, rotation):
    """Who sits where: the line-up in an order shuffled anew for each deal, turned by `rotation`.

    Only where strategies rotate; otherwise each position keeps its seat.
    """
    players, entry = job.players, job.entry
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


def play_deals(desk, tally, rows, keep_rows, first, last, hangs):
    """Play the deals first..last-1 in all rotations and add them to the tally, one record.

    Each game fills one of `rows` if they are to be kept. `hangs` [n, 3] are deal, rotation and
    decision at which a strategy is known to give no answer: it is not asked, the game is forfeited.
    Returns OVER or what went wrong: then `desk.progress` names deal, rotation and seat.
    """
    job, result = desk.work[0].job, desk.work[0].result
    totals = tally[0]
    row = 0
    for deal in range(first, last):
        desk.progress[DEAL] = deal
        for rotation in range(job.rotations):
            desk.progress[ROTATION] = rotation
            begin(desk, deal, rotation)
            job.watch = 1 if deal % job.guard == 0 else 0
            budget = NO_BUDGET
            for i in range(len(hangs)):
                if hangs[i, 0] == deal and hangs[i, 1] == rotation:
                    budget = hangs[i, 2]
            status = advance(desk, budget)
            if status == OVER:
                conclude(desk)
            elif job.forfeits and status in (ILLEGAL, RAISED, PAUSED):
                forfeit(desk)
            else:
                return status
            add_game(totals, result, job.entry, job.players)
            if keep_rows:
                copy_record(rows[row].outcome, result)
                rows[row].deal = deal
                rows[row].rotation = rotation
                for seat in range(job.players):
                    rows[row].entry[seat] = job.entry[seat]
                row += 1
            desk.progress[N_DONE] += 1
        add_deal(totals, job.players)
    return OVER


def play_redrawn(desk, known, knower, values, held, first, last, column):
    """Play each of the deals first..last-1 again and again from what one seat knows at its start.

    The seat is the one asked first; in a card game it leads the first trick, so it is place 0.
    Each time a world that fits its view is drawn and played to the end by the line-up as rotation
    0 seats it. `values` [deals, redraws] is filled with the seat's number in `column`, one of the
    game's seat columns, and `held` [deals, traits] with what its hand is made of.
    `known` is memory for a table and `knower` for what a seat has, one record each.
    Returns OVER or what went wrong: then `desk.progress` names deal and seat, and N_DONE counts the
    games before.
    """
    job, state, result = desk.work[0].job, desk.work[0].state, desk.work[0].result
    table, me = known[0], knower[0]
    for deal in range(first, last):
        desk.progress[DEAL] = deal
        begin(desk, deal, 0)
        job.watch = 1 if deal % job.guard == 0 else 0
        seat = seat_to_act(state)
        copy_record(table, state.table)
        copy_record(me, desk.seats[seat])
        observe(state, me)
        traits(table, me, held[deal - first])
        for redraw in range(values.shape[1]):
            open_stream(me.rng, job.seed, deal, REDRAW, redraw)
            sample_world(table, me, me.rng, state)
            for player in range(job.players):
                refresh(desk, deal, player, redraw + 1)
            job.decisions = 0
            status = advance(desk, NO_BUDGET)
            if status != OVER:
                return status
            conclude(desk)
            values[deal - first, redraw] = word_of(result, FIRST_WORD + column * WIDTH + seat)
            desk.progress[N_DONE] += 1
    return OVER


def conclude(desk):
    """Fill the outcome of the game that is over: the rules' part and the loop's own."""
    out_of_line()
    work = desk.work[0]
    job, result = work.job, work.result
    outcome(work.state, result)
    result.decisions = job.decisions
    result.unfinished = 1 if result.status == UNFINISHED else 0
    result.draw = 1 if result.status == DRAW else 0


def forfeit(desk):
    """Fill the outcome of a game that the seat to act has lost by a fault of its strategy.

    All other seats share the win equally, a partner of that seat too, since what teams there are is
    for the rules to say. All else is counted as it stood when the game was stopped.
    """
    out_of_line()
    job, state, result = desk.work[0].job, desk.work[0].state, desk.work[0].result
    conclude(desk)
    seat = seat_to_act(state)
    share_win(result, ((1 << job.players) - 1) ^ (1 << seat), job.players)
    result.status = FORFEIT
    result.unfinished = 0
    result.draw = 0
    job.forfeited[job.entry[seat]] += 1


OF_THE_RULES = ("start", "apply", "is_over", "seat_to_act", "is_legal", "outcome", "check")


TEMPLATES = (
    tallies.add_game, tallies.add_deal, has_written, advance, begin, conclude, forfeit,
    play_deals, play_redrawn,
)  # fmt: skip


class Loop:
    """The compiled instance of the loop for one game; each part is compiled when first called."""

    def __init__(
        self, game: Game, rules: ModuleType, view: ModuleType, traits: ModuleType | None
    ) -> None:
        scope = {name: getattr(rules, name) for name in OF_THE_RULES}
        scope |= {
            "observe": view.observe,
            "sample_world": view.sample_world,
            "traits": traits and traits.traits,
            "N_READ_ONLY": offset_of(view.ME, "rng")[0],
            "N_SEAT_COLUMNS": len(game.seat_columns),
            "N_GAME_COLUMNS": len(game.game_columns),
            "WIDTH": max(game.players),
            "BINS": np.array(tallies.bins_of(game), np.int64),
        }
        sources = tuple(str(module.__file__) for module in (rules, traits) if module)
        for template in TEMPLATES:
            scope[template.__name__] = instance_of(template, game.name, scope, sources)
        self.begin, self.advance = scope["begin"], scope["advance"]
        self.conclude, self.forfeit = scope["conclude"], scope["forfeit"]
        self.play_deals, self.play_redrawn = scope["play_deals"], scope["play_redrawn"]


def instance_of(
    template: Callable[..., Any], game: str, scope: dict[str, Any], sources: tuple[str, ...]
) -> Any:
    """The template as a function of its own, with the game's functions behind its names."""
    names = {**template.__globals__, **scope}
    function = FunctionType(template.__code__, names, template.__name__)
    function.__qualname__ = f"{game}.{template.__name__}"  # the cache tells games apart by it
    function.__doc__ = template.__doc__
    function.__module__ = template.__module__
    function.__dict__["__sources__"] = (template.__code__.co_filename, *sources)
    return compiled(function)
