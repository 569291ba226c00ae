"""Tidy frames, from run folders and from comparisons: a row for each thing that was measured."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from analysis import winshares
from analysis.comparison import Compared, Saved
from analysis.controls import Controlled
from analysis.intervals import Estimate, quantile
from analysis.metagame import MetaGame
from analysis.winshares import By, estimate, positions
from sim.results import Cell, Run

if TYPE_CHECKING:
    import pandas as pd


# Of a run


def seats(run: Run, by: By = "strategy") -> pd.DataFrame:
    """Every seat column of every cell of a run.

    Parameters
    ----------
    run
        A finished run, as `open_run` returns it.
    by
        What seats are counted by: strategy, seat or place in the starting order.

    Returns
    -------
    DataFrame
        variant, lineup, position, seats, column, mean, se, low, high, deals, games.
    """
    return _of_cells(run, lambda cell: winshares.position_frame(cell, run.game, by))


def games(run: Run) -> pd.DataFrame:
    """Every game column of every cell: variant, lineup, column, mean, se, low, high and counts."""
    return _of_cells(run, lambda cell: winshares.game_frame(cell, run.game))


def differences(run: Run, by: By = "strategy") -> pd.DataFrame:
    """Differences of win share of all pairs: variant, lineup, first, second, mean, low, high."""
    return _of_cells(run, lambda cell: winshares.contrast_frame(cell, run.game, by))


def distribution(run: Run, column: str) -> pd.DataFrame:
    """How often each value of a column was seen: variant, lineup, position, value, count, share.

    Raises
    ------
    LookupError
        Nothing is counted by value under this name.
    """
    known = [name[10:] for name in run.cells[0].totals if name.startswith("histogram/")]
    if column not in known:
        raise LookupError(f"no distribution is called {column}; there are {', '.join(known)}")
    return _of_cells(run, lambda cell: winshares.histogram_frame(cell, run.game, column))


def _of_cells(run: Run, frame: Callable[[Cell], pd.DataFrame]) -> pd.DataFrame:
    """The frames of all cells, each with its variant and line-up in front."""
    import pandas as pd

    found = []
    for cell in run.cells:
        one = frame(cell)
        one.insert(0, "lineup", cell.name)
        one.insert(0, "variant", cell.variant)
        found.append(one)
    return pd.concat(found, ignore_index=True)


# Of a comparison


def standing_frame(found: Compared) -> pd.DataFrame:
    """Every strategy at all its tables, the best first.

    Returns
    -------
    DataFrame
        strategy, share and expected (a seat), the advantage as mean, se, low, high, deals, games
        (the intervals of all strategies hold together), and how far it is behind the first one,
        with behind_low and behind_high (the intervals of all pairs hold together).
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "strategy": found.names[one.strategy],
                "share": one.share.mean,
                "expected": one.expected,
                **asdict(one.advantage),
                "behind": one.behind and one.behind.mean,
                "behind_low": one.behind and one.behind.low,
                "behind_high": one.behind and one.behind.high,
            }
            for one in found.standings
        ]
    )


def duel_frame(found: Compared) -> pd.DataFrame:
    """Every two strategies in either order.

    Returns
    -------
    DataFrame
        One row an ordered pair: first, second, call (over all their tables), alone (the call of
        those where one sits alone), edge with low and high (a seat of the first less one of the
        second), factor with low and high (times as many games without the common deals), and of
        the first alone among others share, low, high, expected, advantage, games_to_notice;
        missing where it did not sit alone, but for games_to_notice, which is then that of the edge.
    """
    import pandas as pd

    rows = []
    for duel in found.duels:
        for side in (duel, duel.seen_from(duel.second)):
            one, edge = side.alone[0], side.edge
            rows.append(
                {
                    "first": found.names[side.first],
                    "second": found.names[side.second],
                    "call": str(side.call),
                    "alone": side.alone_call and str(side.alone_call),
                    "edge": edge.mean,
                    "edge_low": edge.low,
                    "edge_high": edge.high,
                    "factor": side.factor and side.factor.mean,
                    "factor_low": side.factor and side.factor.low,
                    "factor_high": side.factor and side.factor.high,
                    "share": one and one.share.mean,
                    "share_low": one and one.share.low,
                    "share_high": one and one.share.high,
                    "expected": one and one.expected,
                    "advantage": one and one.advantage.mean,
                    "games_to_notice": one.notice if one else side.notice,
                    "deals": edge.deals,
                }
            )
    return pd.DataFrame(rows)


def role_frame(found: Compared) -> pd.DataFrame:
    """Advantage in each role.

    Returns
    -------
    DataFrame
        One row a strategy and role (from 0): mean, se, low, high, deals, games, games_to_notice.
    """
    import pandas as pd

    return pd.DataFrame(
        [
            {
                "strategy": name,
                "role": role,
                **asdict(one.advantage),
                "games_to_notice": one.notice,
            }
            for name, every in zip(found.names, found.in_roles, strict=False)
            for role, one in enumerate(every)
        ]
    )


def played_alone(found: Compared, name: str) -> Estimate | None:
    """Win share of a strategy alone among the anchor, as it was; None if nobody sat like that."""
    own, anchor = (found.names.index(one) for one in (name, found.ratings.anchor))
    duel = found.duel(own, anchor)
    alone = duel.seen_from(own).alone[0] if duel else None
    return alone.share if alone else None


def rating_frame(found: Compared) -> pd.DataFrame:
    """Ratings of all strategies.

    Returns
    -------
    DataFrame
        strategy, rating with low and high (points above the anchor), alone with alone_low and
        alone_high (win share against n - 1 of the anchor, by the ratings), played with played_low
        and played_high (the same as it was, missing where this table was not played), strongest
        (share of the resamples), reason; missing where there is no rating.
    """
    import pandas as pd

    played = {name: played_alone(found, name) for name in found.names}
    return pd.DataFrame(
        [
            {
                "strategy": one.name,
                "rating": one.points and one.points.mean,
                "low": one.points and one.points.low,
                "high": one.points and one.points.high,
                "alone": one.alone and one.alone.mean,
                "alone_low": one.alone and one.alone.low,
                "alone_high": one.alone and one.alone.high,
                "played": (was := played[one.name]) and was.mean,
                "played_low": was and was.low,
                "played_high": was and was.high,
                "strongest": one.best,
                "reason": one.reason and one.reason.en,
            }
            for one in found.ratings.ratings
        ]
    )


def residual_frame(found: Compared) -> pd.DataFrame:
    """Win shares as seen and by the ratings: lineup, strategy, observed, fitted, z, p."""
    import pandas as pd

    check = found.ratings.check
    return pd.DataFrame([asdict(one) for one in check.residuals] if check else [])


def component_frame(found: Compared) -> pd.DataFrame:
    """Parts of a result's variance: part, and its share as mean, se, low, high, deals, games."""
    import pandas as pd

    parts = (found.components.estimates() if found.components else None) or {}
    return pd.DataFrame([{"part": name, **asdict(est)} for name, est in parts.items()])


def rank_frame(found: Compared) -> pd.DataFrame:
    """Which strategies last: strategy, mass, low, high, and the chance of rank_1, rank_2 and so on.

    The chance of `gone` is that of not lasting. Empty where it cannot be told.
    """
    import pandas as pd

    meta = found.metagame
    if not isinstance(meta, MetaGame):
        return pd.DataFrame()
    rows = zip(meta.names, meta.mass, meta.ranks.tolist(), meta.gone.tolist(), strict=True)
    return pd.DataFrame(
        [
            {"strategy": name, "mass": mass.mean, "low": mass.low, "high": mass.high}
            | {f"rank_{k}": chance for k, chance in enumerate(ranks, start=1)}
            | {"gone": gone}
            for name, mass, ranks, gone in rows
        ]
    )


def look_frame(found: Compared) -> pd.DataFrame:
    """Looks of a sequential test; empty without one.

    Returns
    -------
    DataFrame
        One row a look: deals, mean, se, ratio, low, high, lower, upper (as in `sprt.Look`).
    """
    import pandas as pd

    return pd.DataFrame([asdict(look) for look in found.course.looks] if found.course else [])


def saved_frame(found: Compared) -> pd.DataFrame:
    """What the design saves: by (duplicate, hands), lineup, and the factor as mean, low, high."""
    import pandas as pd

    rows: list[dict[str, Any]] = []
    saved = found.saved
    if isinstance(saved, Saved):
        hands = saved.controlled.factor if isinstance(saved.controlled, Controlled) else None
        for name, one in (("duplicate", saved.duplicate), ("hands", hands)):
            if one:
                rows.append({"by": name, "lineup": saved.lineup, **asdict(one)})
    return pd.DataFrame(rows)


def place_frame(found: Compared) -> pd.DataFrame:
    """What each place in the starting order is worth, over all line-ups.

    Returns
    -------
    DataFrame
        place (from 0), the win share as mean, se, low, high, deals, games, and what the place adds
        to a rating as points, points_low, points_high (0 on average); missing where these line-ups
        do not tell.
    """
    import pandas as pd

    rows = zip(found.places, found.ratings.places, strict=True)
    return pd.DataFrame(
        [
            {
                "place": place,
                **asdict(share),
                "points": worth and worth.mean,
                "points_low": worth and worth.low,
                "points_high": worth and worth.high,
            }
            for place, (share, worth) in enumerate(rows)
        ]
    )


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
