"""Hands that are kept while all else is drawn anew: played here, kept by `sim.store.redraws`."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sim import tables
from sim.errors import Failure
from sim.experiment import Experiment, Seating
from sim.replay import blame, blaming
from sim.results import Rows
from sim.workers import Workers

if TYPE_CHECKING:
    from sim.core.engine import Redrawn


@dataclass(frozen=True, eq=False)
class Hands:
    """What came of the games from every hand, and what the hands are made of."""

    values: Rows  # int64 [hands, redraws]
    traits: Rows  # int64 [hands, t]

    @property
    def sha256(self) -> str:
        """Hash of both."""
        parts = (array.astype("<i8").tobytes() for array in (self.values, self.traits))
        return hashlib.sha256(b"".join(parts)).hexdigest()


def redrawn(experiment: Experiment, redraws: int, column: str) -> Hands:
    """Play `redraws` games from the hand of every deal (`Table.redraw`), of the first cell.

    Parameters
    ----------
    column
        What is counted of each game, a column of seats; that of the seat whose hand it is.

    Raises
    ------
    Failure
        A strategy went wrong; the message names the deal.
    """
    seating = experiment.seating(0)
    with Workers(in_processes=experiment.has_foreign) as workers, blaming(experiment, 0):
        found = workers.call(_redraw, seating, experiment.deals, redraws, column)
    if found.fault:
        raise Failure(blame(experiment, 0, found.fault))
    assert found.values is not None and found.traits is not None
    return Hands(found.values, found.traits)


def _redraw(slot: Any, seating: Seating, deals: int, redraws: int, column: str) -> Redrawn:
    """Play from all hands, in any worker."""
    table = tables.lay(seating)
    table.show_in(slot)
    return table.redraw(0, deals, redraws, column)
