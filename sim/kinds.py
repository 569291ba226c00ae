"""Counting the kinds of decision at full speed, for the compliance kit alone.

The survey of `sim.probe` steps through games in Python, too slowly for kinds that come once in many
games. Here whole games are played by compiled code, each decision watched for writing.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from sim.core.engine import Kernels, Table
from sim.core.jit import kernel
from sim.core.loop import DEAL, N_DONE, OVER, PAUSED, ROTATION, instance_of

if TYPE_CHECKING:  # names that `_counter` supplies

    def begin(desk: Any, deal: int, rotation: int) -> None:
        """See `sim.core.loop`."""

    def advance(desk: Any, budget: int) -> int:
        """See `sim.core.loop`."""

    def seat_to_act(state: Any) -> int:
        """The seat that decides now."""

    def decision_of(table: Any) -> int:
        """What is decided now, an index of the game's DECISIONS."""


def count_kinds(desk: Any, counts: Any, tried: Any, watch: int, deal: int, rotation: int) -> int:
    """Play one game and add to `counts` by kind what the `tried` positions decide; see `Count`."""
    job, state = desk.work[0].job, desk.work[0].state
    desk.progress[DEAL] = deal
    desk.progress[ROTATION] = rotation
    begin(desk, deal, rotation)
    job.watch = watch
    status = advance(desk, 0)
    while status == PAUSED:
        kind = decision_of(state.table)
        position = job.entry[seat_to_act(state)]
        status = advance(desk, 1)
        if status in (OVER, PAUSED):
            counts[kind] += tried[position]
    desk.progress[N_DONE] += 1
    return status


@kernel
def _only_kind(table: Any) -> int:
    """Of games in which everything decided is of one kind."""
    return 0


@cache
def _counter(kernels: Kernels) -> Any:
    """The compiled instance of `count_kinds` for one game."""
    of = getattr(kernels.view, "decision_of", None)
    scope = {
        "begin": kernels.loop.begin,
        "advance": kernels.loop.advance,
        "seat_to_act": kernels.rules.seat_to_act,
        "decision_of": kernel(of) if of else _only_kind,
    }
    return instance_of(count_kinds, kernels.game.name, scope, (str(kernels.rules.__file__),))


class Count:
    """Counts by kind what a strategy decides in whole games.

    Parameters
    ----------
    table
        Where it sits, perhaps among others.
    tried
        [n] for each position of the line-up whether its decisions count.
    counts
        int64[kinds], modified in place; kinds as the game's DECISIONS.
    progress
        int64[5] or longer, modified in place as in `Table.play`; from now on of the table too.
    """

    def __init__(self, table: Table, tried: Sequence[bool], counts: Any, progress: Any) -> None:
        table.show_in(progress)
        self._desk, self.counts = table.desk, counts
        self._tried = np.array(tried, np.int64)
        self._play = _counter(table.kernels)

    def play(self, deal: int, rotation: int, *, watch: bool) -> int:
        """Play one game; returns OVER or what went wrong, of which `Table.fault` tells more.

        With `watch` a strategy that writes where it may not ends the game.
        """
        return int(self._play(self._desk, self.counts, self._tried, int(watch), deal, rotation))
