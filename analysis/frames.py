"""Tidy frames of a comparison: a row for each strategy, pair, rating, place or value."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from analysis.comparison import Compared
from analysis.headtohead import seen_from
from analysis.intervals import Estimate, quantile
from analysis.winshares import estimate, positions

if TYPE_CHECKING:
    import pandas as pd


def standing_frame(found: Compared) -> pd.DataFrame:
    """Every strategy at all its tables, the best first.

    Returns
    -------
    DataFrame
        strategy, share and expected (a seat), and the advantage as mean, se, low, high, deals,
        games; its intervals hold together.
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "strategy": found.names[one.strategy],
                "share": one.share.mean,
                "expected": one.expected,
                **asdict(one.advantage),
            }
            for one in found.standings
        ]
    )


def duel_frame(found: Compared) -> pd.DataFrame:
    """Every two strategies in either order.

    Returns
    -------
    DataFrame
        One row an ordered pair: first, second, call, edge with low and high (a seat of the first
        less one of the second), and of the first alone among others share, low, high, expected,
        advantage, games_to_notice; missing where it did not sit alone.
    """
    import pandas as pd

    rows = []
    for duel in found.duels:
        for at, (i, j) in enumerate(((duel.first, duel.second), (duel.second, duel.first))):
            one, edge = duel.alone[at], seen_from(duel, i)
            rows.append(
                {
                    "first": found.names[i],
                    "second": found.names[j],
                    "call": str(duel.call),
                    "edge": edge.mean,
                    "edge_low": edge.low,
                    "edge_high": edge.high,
                    "share": one and one.share.mean,
                    "share_low": one and one.share.low,
                    "share_high": one and one.share.high,
                    "expected": one and one.expected,
                    "advantage": one and one.advantage.mean,
                    "games_to_notice": one and one.notice,
                    "deals": edge.deals,
                }
            )
    return pd.DataFrame(rows)


def place_frame(found: Compared) -> pd.DataFrame:
    """Win share of each place in the starting order: place, mean, se, low, high, deals, games."""
    import pandas as pd

    return pd.DataFrame([{"place": i, **asdict(one)} for i, one in enumerate(found.places)])


def score_frame(found: Compared) -> pd.DataFrame:
    """How often each strategy had each score, over all line-ups.

    Returns
    -------
    DataFrame
        One row a strategy and value: position (the strategy), value, count. The first and the last
        value stand for everything beyond too. Empty if the game has no score.
    """
    import pandas as pd

    score = found.question.game.score
    counts: dict[str, Any] = {}
    for cell in found.cells if score else ():
        for name, row in zip(cell.lineup, cell.totals["histogram/score"], strict=True):
            counts[name] = counts.get(name, 0) + row
    return pd.DataFrame(
        [
            {"position": name, "value": score.low + i, "count": int(count)}
            for name in found.names
            for i, count in enumerate(counts.get(name, ()))
            if score
        ],
        columns=["position", "value", "count"],
    )


def score_means(found: Compared) -> dict[str, Estimate]:
    """Mean score of each strategy over all its line-ups, with the widest interval there can be.

    The line-ups of a deal hang together in a way that their sums do not tell: the standard error is
    that of line-ups that all come out alike.
    """
    game, every = found.question.game, dict[str, list[tuple[int, Estimate]]]()
    for cell in found.cells:
        for position in positions(cell, "strategy"):
            est = estimate(cell, game, "strategy", "score", position.members)
            weight = est.games * len(position.members)
            every.setdefault(position.label, []).append((weight, est))
    return {name: _widest(every[name]) for name in found.names if name in every}


def _widest(parts: Sequence[tuple[int, Estimate]]) -> Estimate:
    total = sum(weight for weight, _ in parts)
    mean = sum(weight * est.mean for weight, est in parts) / total
    deals, games = parts[0][1].deals, sum(est.games for _, est in parts)
    if any(est.se is None for _, est in parts):
        return Estimate(mean, None, None, None, deals, games)
    se = sum(weight * (est.se or 0.0) for weight, est in parts) / total
    half = quantile(deals - 1) * se
    return Estimate(mean, se, mean - half, mean + half, deals, games)
