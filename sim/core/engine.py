"""Play and replay: the front door of the engine, from names and numbers to compiled play and back.

Nothing here knows a game; a game's modules are found through the `package` of its data.
"""

from __future__ import annotations

import operator
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from types import ModuleType
from typing import Any

import numpy as np

from sim.core import loop
from sim.core.game import Game
from sim.core.jit import JIT
from sim.core.loop import Loop
from sim.core.records import View, allocate, handle, record
from sim.core.state import read_log
from sim.core.strategy import (
    FOREIGN,
    OURS,
    PYTHON,
    CompileError,
    PythonCall,
    Strategy,
)
from sim.core.tally import Totals, tally_handle, tally_record, totals_of

ROTATE = {
    "strategies": loop.BY_STRATEGIES,
    "hands": loop.BY_HANDS,
    "none": loop.BY_NOTHING,
}
STATUS_WORDS = ("finished", "unfinished", "draw", "forfeit")
GUARD_EVERY = 1024  # deals from one in which strategies are watched for writing to the next

KIND = {
    loop.ILLEGAL: "illegal action",
    loop.RAISED: "exception",
    loop.WROTE: "wrote",
    loop.BROKEN: "broken invariant",
    loop.CAP: "decision cap",
}


@dataclass(frozen=True)
class Fault:
    """Why a game did not end by its rules.

    `entry` is the position in the line-up that is to blame, `seat` its seat; -1 where the rules
    are. `decisions` were taken before.
    """

    kind: str
    deal: int
    rotation: int
    seat: int
    entry: int
    decisions: int
    detail: str


@dataclass(frozen=True)
class Entrant:
    """One position of a line-up: a strategy with its numbers.

    `decide` is a `Strategy` (compiled) or a plain function of (table, me).
    """

    label: str
    decide: Any
    parameters: tuple[int, ...] = ()


@dataclass
class Played:
    """What came of a range of deals; without totals where a fault stopped it."""

    totals: Totals | None
    rows: np.ndarray[Any, Any] | None
    fault: Fault | None
    games: int
    seconds: float


@dataclass
class Redrawn:
    """What came of the hands of one seat, all else drawn anew; without numbers after a fault."""

    values: np.ndarray[Any, Any] | None  # int64 [deals, redraws], in the unit of the column
    traits: np.ndarray[Any, Any] | None  # int64 [deals, n_traits], as the game's TRAITS
    fault: Fault | None


@dataclass
class Replayed:
    """One game again: its events and how it ended.

    `events` are (kind, words) as the game's rules wrote them, `outcome` the fields of its record,
    `entries` the position in the line-up that each seat played. After a `fault` there is an outcome
    only where the game was forfeited.
    """

    deal: int
    rotation: int
    entries: list[int]
    events: list[tuple[int, list[int]]]
    outcome: dict[str, Any]
    fault: Fault | None = None


class Kernels:
    """A game's compiled side: its records, its rules and its instance of the play loop."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.rules = import_module(f"{game.package}.rules")
        self.view = import_module(f"{game.package}.view")
        self.text = import_module(f"{game.package}.text")
        self.traits = self._traits()
        self.state: np.dtype[Any] = self.rules.STATE
        self.table: np.dtype[Any] = self.view.TABLE
        self.me: np.dtype[Any] = self.view.ME
        self.outcome: np.dtype[Any] = self.rules.OUTCOME
        self.tally = tally_record(game)
        self.work = loop.work_record(self.state, self.table, self.me, self.outcome)
        self.loop = Loop(game, self.rules, self.view, self.traits)

    def _traits(self) -> ModuleType | None:
        """What a hand is made of, where the game tells it."""
        name = f"{self.game.package}.traits"
        return import_module(name) if find_spec(name) else None


_KERNELS: dict[str, Kernels] = {}


def kernels(game: Game) -> Kernels:
    """The game's kernels; imported once, compiled when first used."""
    if game.package not in _KERNELS:
        _KERNELS[game.package] = Kernels(game)
    return _KERNELS[game.package]


class Table:
    """One game with its players, switches and line-up, ready to play deals.

    A table owns its memory and is for one thread; make one for each worker.

    Parameters
    ----------
    players : int
        Number of seats; must be one of `game.players`.
    switches : dict
        Every switch of the game with its value.
    lineup : sequence of Entrant
        One a seat; they rotate as `rotate` says.
    seed : int
        0 .. 2**63 - 1.
    rotate : {'strategies', 'hands', 'none'}
        What is turned over the seats for each deal. A line-up of equal entrants has one rotation
        of strategies: equal games are played once.
    on_fault : {'stop', 'forfeit'}
        With 'forfeit' a game in which a strategy acts illegally or raises an exception is lost for
        its seat, all others share the win (`sim.core.loop.forfeit`), and play goes on.

    Raises
    ------
    CompileError
        A strategy cannot be compiled; the message names it.
    """

    def __init__(
        self,
        game: Game,
        players: int,
        switches: dict[str, Any],
        lineup: Sequence[Entrant],
        seed: int,
        rotate: str = "strategies",
        on_fault: str = "stop",
    ) -> None:
        self.game, self.players, self.lineup, self.seed = game, players, tuple(lineup), seed
        self.switches, self.kernels = switches, kernels(game)
        self.rotate = ROTATE[rotate]
        same = len({entrant.label for entrant in lineup}) == 1
        alone = rotate == "none" or (rotate == "strategies" and same)
        self.rotations = 1 if alone else players
        self.forfeits = on_fault == "forfeit"
        self._python: list[PythonCall | None] = []
        self._work = allocate(self.kernels.work)
        self._seats = allocate(self.kernels.me, players)
        work: Any = View.of(self._work, 0)
        self.job, self.state, self.log = work.job, work.state, work.log
        self.kernels.rules.set_rules(work.rules, players, switches)
        self._set_up()
        self.desk = self._lay_out()  # what the compiled parts of the loop play on

    def _set_up(self) -> None:
        self.job.seed = self.seed
        self.job.players = self.players
        self.job.rotate = self.rotate
        self.job.rotations = self.rotations
        self.job.cap = self.game.max_decisions
        self.job.guard = GUARD_EVERY
        self.job.forfeits = int(self.forfeits)

    def _lay_out(self) -> loop.Desk:
        """Put together what the loop works on; find each entrant's code, compiled or Python."""
        n = len(self.lineup)
        fresh = allocate(self.kernels.me, n)
        for i, entrant in enumerate(self.lineup):
            fresh["parameter"][i, : len(entrant.parameters)] = entrant.parameters
        calls = [self._call(entrant) for entrant in self.lineup]
        addresses = [address for address, _ in calls]
        for i, (_, convention) in enumerate(calls):
            self.job.convention[i] = convention
        return loop.Desk(
            work=handle(self._work),
            seats=handle(self._seats),
            fresh=handle(fresh),
            progress=np.zeros(loop.N_PROGRESS, np.int64),
            address=np.array(addresses, np.int64) if JIT else addresses,
        )

    def _call(self, entrant: Entrant) -> tuple[Any, int]:
        """Address of an entrant's code and how to call it; without the JIT the function itself."""
        decide, python = entrant.decide, None
        convention = OURS if isinstance(decide, Strategy) and decide.is_ours else FOREIGN
        if not JIT:
            call = decide.decide if isinstance(decide, Strategy) else decide, convention
        elif isinstance(decide, Strategy):
            try:
                call = decide.address(), convention
            except CompileError as error:
                raise CompileError(f"strategy {entrant.label}: {error}") from None
        else:
            python = PythonCall(decide, self.kernels.table, self.kernels.me)
            call = python.address, PYTHON
        self._python.append(python)
        return call

    def play(
        self,
        first: int,
        last: int,
        *,
        keep_rows: bool = False,
        progress: np.ndarray[Any, Any] | None = None,
        check: bool = False,
        hangs: Sequence[tuple[int, int, int]] = (),
    ) -> Played:
        """Play the deals first .. last - 1 in all rotations; other threads run meanwhile.

        Parameters
        ----------
        keep_rows : bool
            Return one row a game as well.
        progress : int64[5] or longer, optional
            Modified in place while playing: deal, rotation, seat that is asked, games finished,
            decisions taken in this game.
        check : bool
            Test the invariants of the rules after every action.
        hangs : sequence of (deal, rotation, decision)
            Where a strategy is known to give no answer: these games are forfeited without asking.

        Returns
        -------
        Played
            With `on_fault='forfeit'` the totals have one more array, 'forfeits' [n]: games that
            each position of the line-up lost by a fault.
        """
        tally = allocate(self.kernels.tally)
        progress = np.zeros(loop.N_PROGRESS, np.int64) if progress is None else progress
        if len(progress) < loop.N_PROGRESS:
            raise ValueError(f"progress needs {loop.N_PROGRESS} words, not {len(progress)}")
        rows = allocate(self.row_type(), (last - first) * self.rotations if keep_rows else 1)
        self.job.check, self.log.on = int(check), 0
        forfeited = self._work["job"]["forfeited"][0]
        forfeited[:] = 0
        known = np.array(hangs, np.int64).reshape(-1, 3)
        desk = self.desk._replace(progress=progress)
        began, games = time.perf_counter(), int(progress[loop.N_DONE])
        status = self.kernels.loop.play_deals(
            desk, tally_handle(tally), handle(rows), keep_rows, first, last, known
        )
        seconds = time.perf_counter() - began
        done = int(progress[loop.N_DONE]) - games
        if status != loop.OVER:
            return Played(None, None, self._fault(status, progress), done, seconds)
        totals = totals_of(self.game, self.players, tally[0])
        if self.forfeits:
            totals["forfeits"] = forfeited[: self.players].copy()
        return Played(totals, rows if keep_rows else None, None, done, seconds)

    def redraw(self, first: int, last: int, redraws: int, column: str) -> Redrawn:
        """Play on from one hand of each deal again and again, all that its seat cannot see redrawn.

        The hand is that of the seat that is asked first: in a card game it leads the first trick
        and is place 0 of the outcome. Before each of the `redraws` games the game's `sample_world`
        draws the rest from what this seat knows before anything is decided. Strategies sit as in
        rotation 0 and begin every game with an empty memory and streams of its own. Everything
        comes from seed, deal and number of the redraw, so that ranges and tables do not matter.

        Parameters
        ----------
        first, last : int
            Deals first .. last - 1.
        redraws : int
            Games a deal.
        column : str
            One of `game.seat_columns`; win shares are counted in 1/2520. A round alone is a matter
            of the rules, where the game has a switch for that.

        Raises
        ------
        LookupError
            The game has no `traits`, or no such column.
        """
        if self.kernels.traits is None:
            raise LookupError(f"the game {self.game.name} has no traits")
        if column not in self.game.seat_columns:
            raise LookupError(f"{column} is no seat column of the game {self.game.name}")
        self.job.check, self.log.on = 0, 0
        status, values, traits = self._play_redrawn(first, last, redraws, column)
        if status == loop.OVER:
            return Redrawn(values, traits, None)

        def again() -> None:
            guard, self.job.guard = self.job.guard, 1
            deal = int(self.desk.progress[loop.DEAL])
            self._play_redrawn(deal, deal + 1, redraws, column)
            self.job.guard = guard

        number = int(self.desk.progress[loop.N_DONE]) % redraws
        fault = self._fault(status, self.desk.progress, again)
        return Redrawn(None, None, replace(fault, detail=f"{fault.detail}, in redraw {number}"))

    def hands(self, first: int, last: int) -> np.ndarray[Any, Any]:
        """What the hands of the deals first .. last - 1 are made of; nothing is played.

        Returns
        -------
        int64[deals, places, traits]
            As the game's TRAITS. Every hand in its turn lies at place 0, whose seat is asked first,
            and is counted as that seat sees it; what differs by place counts as at place 0.

        Raises
        ------
        LookupError
            The game has no `traits`.
        """
        if self.kernels.traits is None:
            raise LookupError(f"the game {self.game.name} has no traits")
        found = np.zeros((last - first, self.players, len(self.kernels.traits.TRAITS)), np.int64)
        views = [View.of(self._seats, seat) for seat in range(self.players)]
        rotate, self.job.rotate = self.job.rotate, loop.BY_HANDS
        for deal in range(first, last):
            for turn in range(self.players):
                self.begin(deal, turn)
                seat = self.kernels.rules.seat_to_act(self.state)
                self.kernels.view.observe(self.state, views[seat])
                line = found[deal - first, -turn % self.players]
                self.kernels.traits.traits(self.state.table, views[seat], line)
        self.job.rotate = rotate
        return found

    def _play_redrawn(
        self, first: int, last: int, redraws: int, column: str
    ) -> tuple[int, np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """How it ended, the values and the traits; see `redraw`."""
        assert self.kernels.traits is not None
        values = np.zeros((last - first, redraws), np.int64)
        traits = np.zeros((last - first, len(self.kernels.traits.TRAITS)), np.int64)
        known, knower = allocate(self.kernels.table), allocate(self.kernels.me)
        self.desk.progress[loop.N_DONE] = 0
        status = self.kernels.loop.play_redrawn(
            self.desk,
            handle(known),
            handle(knower),
            values,
            traits,
            first,
            last,
            self.game.seat_columns.index(column),
        )
        return int(status), values, traits

    def row_type(self) -> np.dtype[Any]:
        """Record of one game in `Played.rows`: deal, rotation, position a seat, outcome."""
        return record(
            ("deal", np.int64),
            ("rotation", np.int64),
            ("entry", np.int64, self.players),
            ("outcome", self.kernels.outcome),
        )

    def warm(self) -> None:
        """Compile or load all that play needs."""
        self.play(0, 0)

    def begin(self, deal: int, rotation: int) -> list[int]:
        """Deal one game and stop at its first decision; return the entry of each seat."""
        self.desk.progress[: loop.SEAT] = deal, rotation
        self.kernels.loop.begin(self.desk, deal, rotation)
        return [int(position) for position in self.job.entry[: self.players]]

    def advance(self, decisions: int) -> int:
        """Play on for so many decisions; return OVER, PAUSED or what went wrong (`sim.core.loop`).

        The state, `self.state`, can be read, copied and changed between two calls.
        """
        return int(self.kernels.loop.advance(self.desk, decisions))

    def conclude(self, *, forfeit: bool = False) -> dict[str, Any]:
        """The outcome of a game that is over or forfeited, by the names of its record."""
        end = self.kernels.loop.forfeit if forfeit else self.kernels.loop.conclude
        end(self.desk)
        row = self._work[0]["result"]
        return {name: row[name].tolist() for name in self.kernels.outcome.names or ()}

    def show_in(self, progress: np.ndarray[Any, Any]) -> None:
        """Show from now on in these words, int64[5] or more, where play is; see `play`."""
        self.desk = self.desk._replace(progress=progress)

    def seat_view(self, seat: int) -> Any:
        """What the seat has for itself, as its strategy saw it last."""
        return View.of(self._seats, seat)

    def replay(self, deal: int, rotation: int = 0, *, check: bool = True) -> Replayed:
        """Play one game again, traced: the same loop, a decision at a time."""
        self.log.on, self.log.size = 1, 0
        self.job.check, self.job.watch = int(check), 1
        entries = self.begin(deal, rotation)
        events = read_log(self.log)
        while (status := self.advance(1)) == loop.PAUSED:
            events += read_log(self.log)
        events += read_log(self.log)
        self.log.on = 0
        fault = None if status == loop.OVER else self._fault(status, self.desk.progress)
        is_forfeit = self.forfeits and status in (loop.ILLEGAL, loop.RAISED)
        outcome = {} if fault and not is_forfeit else self.conclude(forfeit=is_forfeit)
        return Replayed(deal, rotation, entries, events, outcome, fault)

    def fault(self, status: int) -> Fault:
        """What went wrong in the game at hand, of which `advance` returned this."""
        return self._fault(status, self.desk.progress)

    def _fault(self, status: int, progress: Any, again: Callable[[], None] | None = None) -> Fault:
        """Say what went wrong; `again` plays up to there once more, watched."""
        deal, rotation, seat = (int(n) for n in progress[: loop.N_DONE])
        decisions = self.job.decisions
        kind = KIND[status]
        entry = int(self.job.entry[seat])
        if status == loop.ILLEGAL:
            detail = self.kernels.text.action(self.job.action, self.switches, "en")
        elif status == loop.RAISED:
            detail = self._exception(seat, entry, again or partial(self._again, deal, rotation))
        elif status == loop.WROTE:
            detail = self._what_changed(seat)
        elif status == loop.BROKEN:
            detail = self.kernels.rules.INVARIANTS[self.job.detail]
            seat = entry = -1
        else:
            detail = f"more than {self.game.max_decisions} decisions"
            seat = entry = -1
        return Fault(kind, deal, rotation, seat, entry, decisions, detail)

    def _again(self, deal: int, rotation: int) -> None:
        """Play a game again, watched, up to the question that did not end well."""
        self.job.watch = 1
        self.begin(deal, rotation)
        self.advance(loop.NO_BUDGET)

    def _exception(self, seat: int, entry: int, again: Callable[[], None]) -> str:
        """What the strategy raised: kept, or found by asking it once more with the same view."""
        python = self._python[entry]
        error = python.error if python else None
        if error is None:
            again()  # so that its stream and memory are as they were
            self._seats[seat] = self._work[0]["old_me"]
            decide = self.lineup[entry].decide
            try:
                decide = decide if JIT or not isinstance(decide, Strategy) else decide.decide
                operator.index(decide(self.state.table, self.seat_view(seat)))
                return "an exception that does not come again with the same view"
            except Exception as raised:
                error = raised
        return f"{type(error).__name__}: {' '.join(str(error).split())}"

    def _what_changed(self, seat: int) -> str:
        work = self._work[0]
        pairs = (
            ("table", work["state"]["table"], work["shown"]),
            ("me", work["old_me"], self._seats[seat]),
        )
        for name, before, now in pairs:
            for field in before.dtype.names or ():
                is_own = name == "me" and field in ("rng", "memory")
                if not is_own and np.asarray(before[field]).tobytes() != now[field].tobytes():
                    return f"changed {name}.{field}"
        return "changed what it may not"
