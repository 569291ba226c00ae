"""Who plays whom: the line-ups of a comparison.

    pairwise  every two strategies against each other: one against n - 1, both ways, and balanced
    all       every line-up of the set, or a balanced part of them
    gauntlet  the first strategy against each of the others, seated as in pairwise
    roles     every strategy in every role of the game: one strategy plays all seats of a role

A line-up is a multiset: its order means nothing where strategies rotate over the seats. Only roles
belong to seats, so there the hands are turned instead.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, product
from math import ceil, comb

import numpy as np
from numpy.typing import NDArray

from sim.catalog import label
from sim.experiment import Lineup

DESIGNS = ("pairwise", "all", "gauntlet", "roles")
MOST_CHOICES = 200_000  # line-ups that a balanced part is chosen from


def n_lineups(design: str, strategies: int, players: int, roles: int = 0) -> int:
    """Number of line-ups of a whole design, reckoned without making them."""
    pairs = {"pairwise": comb(strategies, 2), "gauntlet": strategies - 1}
    if design in pairs:
        return pairs[design] * len(seatings(players))
    if design == "roles":
        return int(strategies**roles)
    return comb(players + strategies - 1, players)


def lineups(
    design: str, strategies: Sequence[str], players: int, roles: Sequence[int] = ()
) -> Iterator[Lineup]:
    """All line-ups of a design.

    Parameters
    ----------
    design
        One of DESIGNS.
    strategies
        Specs, all different; for a gauntlet the first is the one that runs it.
    players
        Number of seats.
    roles
        Role of each seat, counted from 0; only for the design roles.
    """
    if design == "pairwise":
        return of_pairs(combinations(strategies, 2), players)
    if design == "gauntlet":
        return of_pairs(((strategies[0], other) for other in strategies[1:]), players)
    if design == "roles":
        every = product(strategies, repeat=max(roles) + 1)
        return (lineup([cast[role] for role in roles]) for cast in every)
    return map(lineup, combinations_with_replacement(strategies, players))


def of_pairs(pairs: Iterable[tuple[str, str]], players: int) -> Iterator[Lineup]:
    """Every pair of strategies in every seating."""
    for first, second in pairs:
        for seats in seatings(players):
            yield lineup([first] * seats + [second] * (players - seats))


def seatings(players: int) -> list[int]:
    """Seats that the first of two strategies takes: one, all but one, half or about half."""
    return sorted({1, players - 1, players // 2, players - players // 2})


def lineup(strategies: Sequence[str]) -> Lineup:
    """The line-up of these strategies, called after how often each sits there."""
    counts = Counter(map(label, strategies))
    return Lineup(", ".join(f"{n} {name}" for name, n in counts.items()), tuple(strategies))


def fewest(strategies: int, players: int) -> int:
    """Line-ups that it takes at least to connect all strategies."""
    return ceil((strategies - 1) / (players - 1))


def balanced(strategies: Sequence[str], players: int, size: int) -> list[Lineup]:
    """A part of all line-ups in which everybody meets everybody about equally often.

    Strategies that never meet, not even by way of others, cannot be rated together: as long as
    somebody is missing a line-up brings in as many as it can beside one who has played, so the part
    is connected if it is not smaller than `fewest`. Of those line-ups the next one has the fewest
    seats that play the same, then the players who have met and played least.

    Raises
    ------
    ValueError
        There are more than MOST_CHOICES line-ups to choose from.
    """
    n = len(strategies)
    if comb(players + n - 1, players) > MOST_CHOICES:
        raise ValueError(f"more than {MOST_CHOICES:,} line-ups to choose from")
    tables = np.array([*combinations_with_replacement(range(n), players)])
    pairs = [*combinations(range(players), 2)]
    alike = sum((tables[:, i] == tables[:, j]).astype(np.int64) for i, j in pairs)
    used, met = np.zeros(n, np.int64), np.zeros((n, n), np.int64)
    is_left = np.ones(len(tables), np.bool_)
    found: list[int] = []
    while len(found) < size:
        together = sum(met[tables[:, i], tables[:, j]] for i, j in pairs)
        plays = used[tables].sum(axis=1)
        new = _newcomers(tables, used == 0) * int(used.any())
        order = np.lexsort((plays, together, alike, -new, ~is_left))
        at = int(order[0])
        is_left[at] = False
        found.append(at)
        for i, j in pairs:
            a, b = tables[at, i], tables[at, j]
            met[a, b] = met[b, a] = met[a, b] + 1
        np.add.at(used, tables[at], 1)
    return [lineup([strategies[i] for i in tables[at]]) for at in found]


def _newcomers(tables: NDArray[np.int64], is_missing: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many who are missing each line-up brings in beside one who is not; else 0."""
    missing = is_missing[tables]
    first = np.ones_like(missing)
    first[:, 1:] = tables[:, 1:] != tables[:, :-1]  # the tables are sorted
    count = (missing & first).sum(axis=1)
    return np.asarray(np.where(missing.all(axis=1), 0, count))
