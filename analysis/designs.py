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

from sim.catalog import label
from sim.experiment import Lineup

DESIGNS = ("pairwise", "all", "gauntlet", "roles")


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
    somebody is missing a line-up begins with one who has played, so the part is connected if it is
    not smaller than `fewest`. The others at a table are those that its members have met least. With
    at least as many strategies as seats nobody sits at a table twice.
    """
    n = len(strategies)
    used, met = [0] * n, [[0] * n for _ in range(n)]
    found = []
    for _ in range(size):
        is_missing = 0 in used and any(used)
        first = [i for i in range(n) if used[i] or not is_missing]
        table = [min(first, key=lambda i: (used[i], i))]
        while len(table) < players:
            table.append(
                min(
                    range(n),
                    key=lambda i: (table.count(i), sum(met[i][j] for j in table), used[i], i),
                )
            )
        for i, j in combinations(table, 2):
            met[i][j] += 1
            met[j][i] += i != j
        for i in table:
            used[i] += 1
        found.append(lineup([strategies[i] for i in sorted(table)]))
    return list(dict.fromkeys(found))
