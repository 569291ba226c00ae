"""Tables of the engine with everybody seated, laid from names and numbers."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from sim import catalog
from sim.errors import Mistake
from sim.experiment import Seating, thawed

if TYPE_CHECKING:
    from sim.core.engine import Table

KEPT = 16  # tables that a worker keeps

_worker = threading.local()


def lay(seating: Seating) -> Table:
    """Return a table ready to play.

    Raises
    ------
    Mistake
        A strategy cannot be imported or compiled.
    """
    from sim.core.engine import Table
    from sim.core.strategy import CompileError

    switches = {name: thawed(value) for name, value in seating.rules}
    entrants = [catalog.load(spec, seating.game) for spec in seating.strategies]
    try:
        return Table(
            catalog.game(seating.game),
            seating.players,
            switches,
            entrants,
            seating.seed,
            seating.rotate,
            seating.on_fault,
        )
    except CompileError as error:
        raise Mistake(str(error)) from None


def kept(seating: Seating) -> Table:
    """The table that this thread keeps for the next call, laid when first asked for."""
    tables = _tables()
    if seating not in tables:
        if len(tables) >= KEPT:
            tables.clear()
        tables[seating] = lay(seating)
        tables[seating].warm()  # so that only games are counted as playing time
    return tables[seating]


def forget(seating: Seating) -> None:
    """Lay the table anew next time: a strategy may have written anywhere."""
    _tables().pop(seating, None)


def _tables() -> dict[Seating, Table]:
    found: dict[Seating, Table] = _worker.__dict__.setdefault("tables", {})
    return found
