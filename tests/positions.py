"""Positions set up by hand: the record of a game's state, played on by the game's own rules."""

from __future__ import annotations

from typing import Any, Self

import numba
import numpy as np

from sim.core.engine import Replayed, kernels
from sim.core.game import Game
from sim.core.records import View, allocate, argument, blank
from sim.core.state import LOG, read_log


def copied(record: View) -> View:
    """A record with the same content in memory of its own."""
    copy = blank(type(record).dtype)
    copy.data[:] = record.data
    return copy


def members(mask: int) -> list[int]:
    """The numbers of the bits that are set."""
    return [i for i in range(mask.bit_length()) if mask >> i & 1]


@numba.njit  # one call for all: of a call from Python the most goes into handing over the record
def _ask(is_legal: Any, state: Any, low: int, found: Any) -> None:
    for i in range(len(found)):
        found[i] = is_legal(state, low + i)


class Position:
    """One game in play, changed by hand or by its rules.

    Parameters
    ----------
    switches
        Those with other than default values.
    """

    def __init__(self, game: Game, players: int, **switches: Any) -> None:
        self.game, self.players = game, players
        self.switches = {**game.defaults(), **switches}
        self.kernels = kernels(game)
        self.rules: Any = self.kernels.rules
        self.view: Any = self.kernels.view
        self.state: Any = blank(self.kernels.state)
        self.log: Any = blank(LOG)
        self.log.on = 1
        self._state, self._log = argument(self.state), argument(self.log)
        self.state.table.players = players
        self.rules.set_rules(self.state.table.rules, players, self.switches)

    @property
    def table(self) -> Any:
        """What everybody sees."""
        return self.state.table

    @property
    def is_over(self) -> bool:
        return bool(self.rules.is_over(self._state))

    def start(self, seed: int = 0, deal: int = 0) -> Self:
        """Start a game as the rules do, from the streams of this deal."""
        self.state.dealer.seed, self.state.dealer.deal = seed, deal
        self.rules.start(self._state, self._log)
        return self

    def is_legal(self, action: int) -> bool:
        return bool(self.rules.is_legal(self._state, action))

    def legal_numbers(self, low: int, high: int) -> list[int]:
        """The legal ones of the actions low..high-1."""
        found = np.zeros(high - low, np.bool_)
        _ask(self.rules.is_legal, self._state, low, found)
        return (low + np.flatnonzero(found)).tolist()

    def apply(self, action: int) -> Self:
        """Play an action, which must be legal, for the seat to act."""
        assert self.is_legal(action), f"action {action} is not legal"
        self.rules.apply(self._state, action, self._log)
        return self

    def observe(self) -> Any:
        """What the seat to act has for itself."""
        me: Any = blank(self.kernels.me)
        me.seat = self.rules.seat_to_act(self._state)
        self.view.observe(self._state, argument(me))
        return me

    def broken(self) -> str:
        """The invariant that does not hold, or nothing."""
        return str(self.rules.INVARIANTS[self.rules.check(self._state)])

    def outcome(self) -> dict[str, Any]:
        """How the game ended; lists by seat are as long as the table."""
        result: Any = allocate(self.kernels.outcome)
        self.rules.outcome(self._state, argument(View.of(result, 0)))
        names = self.kernels.outcome.names or ()
        fields = {name: result[0][name].tolist() for name in names}
        return {
            name: value[: self.players] if isinstance(value, list) else value
            for name, value in fields.items()
        }

    def winners(self) -> list[int]:
        return [seat for seat, won in enumerate(self.outcome()["won"]) if won]

    def events(self) -> list[dict[str, Any]]:
        """The events since the last call, as a transcript has them."""
        replayed = Replayed(0, 0, list(range(self.players)), read_log(self.log), {})
        found: list[dict[str, Any]] = self.kernels.text.events(
            replayed, self.players, self.switches
        )
        return found
