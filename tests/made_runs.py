"""Runs of a made-up game with simulated results, whose true means are known."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from sim.core.game import SHARE_UNIT, Game, Measure, Switch, Words
from sim.experiment import Experiment, Lineup, Variant
from sim.results import Cell, Run, results_hash

Array = np.ndarray[Any, Any]

_GAMES = Words("games", "局")

LANTERNS = Game(
    name="lanterns",
    title=Words("Lanterns", "数字牌"),
    package="tests.lanterns",
    players=(3, 4, 5),
    switches=(
        Switch(
            "wind",
            "calm",
            Words("how hard the wind blows", "变化大小"),
            words=("calm", "storm"),
        ),
        Switch(
            "removed",
            [-1, 9],
            Words("numbers taken out", "移除的数字"),
            low=-3,
            high=9,
            is_list=True,
        ),
        Switch(
            "limit", 40, Words("light that must not be passed", "不可超过的数字"), low=1, high=99
        ),
    ),
    measures=(
        Measure("burnt", Words("lantern burnt", "超过上限"), _GAMES, 0, 1, per="seat"),
        Measure(
            "candles", Words("candles lit", "赢得的牌"), Words("candles", "张"), 0, 30, per="seat"
        ),
        Measure("rounds", Words("rounds played", "进行的轮数"), Words("rounds", "轮"), 1, 15),
        Measure(
            "sparks", Words("sparks of all seats", "所有人移除的牌"), Words("sparks", "张"), 0, 60
        ),
        Measure("rain", Words("rain fell", "有无并列"), _GAMES, 0, 1),
    ),
    score=Measure(
        "score", Words("final light", "最终分数"), Words("points", "分"), -10, 60, "seat"
    ),
    marks=(("limit", Words("limit", "上限")),),
)


TEAMED = replace(
    LANTERNS,
    measures=(
        *LANTERNS.measures,
        *(
            Measure(f"team_{k}_won", Words(f"won by team {k}", f"队伍 {k} 获胜"), _GAMES, 0, 1)
            for k in range(2)
        ),
    ),
    teams=("team_0_won", "team_1_won"),
)


class TeamedRun(Run):
    """A run of the same game with teams."""

    @property
    def game(self) -> Game:
        return TEAMED


class MadeRun(Run):
    """A run whose game is in no folder."""

    @property
    def game(self) -> Game:
        return LANTERNS


def totals(
    deals: int,
    players: int,
    rotations: int,
    seed: int,
    *,
    strength: Sequence[float] = (),
    place: Sequence[float] = (),
    nobody: float = 0.04,
    luck: float = 0.6,
) -> dict[str, Array]:
    """Simulate the sums of a cell.

    Each game is won by the largest of strength + place + luck of the hand + noise; a game in ten
    with a near tie is shared. The luck of a hand stays with the deal in all rotations.
    """
    random = np.random.default_rng(seed)
    n, game = players, LANTERNS
    strengths, gains = np.array(strength or [0.0] * n), np.array(place or [0.0] * n)
    hand = luck * random.normal(size=(deals, n))  # of the seats of a deal
    start = random.integers(0, n, deals)
    order = random.permuted(np.tile(np.arange(n), (deals, 1)), axis=1)
    columns = {name: np.zeros((3, deals, n), np.int64) for name in game.seat_columns}
    sums = {name: np.zeros(deals, np.int64) for name in game.game_columns}
    found: dict[str, Array] = {
        f"histogram/{m.name}": np.zeros((n, m.n_bins) if m.per == "seat" else m.n_bins, np.int64)
        for m in (game.score, *game.measures)
        if m is not None
    }
    rows, seats = np.arange(deals)[:, None], np.arange(n)
    for rotation in range(rotations):
        entry = order[rows, (seats + rotation) % n]  # by seat
        places = (seats - start[:, None]) % n
        skill = strengths[entry] + gains[places] + hand + random.normal(size=(deals, n))
        best = skill.max(axis=1, keepdims=True)
        won = (skill == best) | ((skill > best - 0.08) & (random.random((deals, 1)) < 0.1))
        won &= random.random((deals, 1)) >= nobody
        score = np.clip(np.rint(28 + 7 * skill + 2 * random.normal(size=(deals, n))), 0, 55)
        values = {
            "win_share": won * (SHARE_UNIT // np.maximum(won.sum(axis=1, keepdims=True), 1)),
            "won": won,
            "score": score,
            "burnt": score > 40,
            "candles": random.poisson(6 + np.maximum(skill, -2), (deals, n)),
        }
        single = {
            "nobody": ~won.any(axis=1),
            "shared": won.sum(axis=1) > 1,
            "decisions": 90 + random.poisson(20, deals),
            "rounds": 1 + random.poisson(2.2, deals),
            "sparks": random.poisson(14, deals),
            "rain": random.random(deals) < 0.2,
        }
        for name, value in values.items():
            for group, position in enumerate((entry, seats[None, :], places)):
                turned = np.zeros((deals, n), np.int64)
                np.put_along_axis(turned, np.broadcast_to(position, (deals, n)), value, axis=1)
                columns[name][group] += turned
        for name, value in single.items():
            sums[name] += value.astype(np.int64)
        for measure in (game.score, *game.measures):
            assert measure is not None
            histogram = found[f"histogram/{measure.name}"]
            if measure.per == "seat":
                bins = np.clip(values[measure.name], measure.low, measure.high) - measure.low
                np.add.at(histogram, (entry.ravel(), bins.astype(np.int64).ravel()), 1)
            else:
                bins = np.clip(single[measure.name], measure.low, measure.high) - measure.low
                np.add.at(histogram, bins.astype(np.int64), 1)
    stacked = np.stack([columns[name] for name in game.seat_columns], axis=1)  # group, column
    of_games = np.stack([sums[name] for name in game.game_columns])
    return found | {
        "deals": np.array([deals]),
        "games": np.array([deals * rotations]),
        "sum": stacked.sum(axis=2),
        "cross": np.einsum("gcdi,gcdj->gcij", stacked, stacked),
        "game_sum": of_games.sum(axis=1),
        "game_square": (of_games**2).sum(axis=1),
    }


def made_run(
    lineups: Sequence[Sequence[str]],
    *,
    variants: Sequence[tuple[str, dict[str, Any]]] = (("default", {}),),
    deals: int = 5_000,
    rotate: str = "strategies",
    seed: int = 1,
    strengths: dict[str, float] | None = None,
    **truth: Any,
) -> Run:
    """A run of the made-up game; `strengths` by strategy, other known truth as in `totals`."""
    players = len(lineups[0])
    experiment = Experiment(
        "lanterns",
        players,
        tuple(
            Lineup(names[0] if len(set(names)) == 1 else ",".join(names), tuple(names))
            for names in lineups
        ),
        tuple(
            Variant(name, tuple((LANTERNS.defaults() | rules).items())) for name, rules in variants
        ),
        deals,
        seed,
        rotate,
    )
    cells = [
        Cell(
            variant.name,
            lineup.strategies,
            experiment.rotations(lineup),
            totals(
                deals,
                players,
                experiment.rotations(lineup),
                seed + number,
                strength=[(strengths or {}).get(name, 0.0) for name in lineup.strategies],
                **truth,
            ),
            lineup.name,
        )
        for number, (variant, lineup) in enumerate(experiment.cells)
    ]
    manifest = {
        "version": "0.1.0",
        "command": f"fairdeal run lanterns --players {players} --deals {deals} --seed {seed}",
        "sha256": results_hash(cells),
        "source_fingerprint": "0" * 64,
    }
    return MadeRun(None, experiment, manifest, cells)


def teamed_run(run: Run, won: Sequence[float], shared: float = 0.0) -> Run:
    """A run of the made-up game in which each of two teams wins so often, by deals."""
    for cell in run.cells:
        n, columns = int(cell.totals["games"][0]), run.game.game_columns
        wins = np.rint(n * np.array(won)).astype(np.int64)
        for name, times in (("game_sum", 1), ("game_square", cell.rotations)):
            cell.totals[name][columns.index("shared")] = round(n * shared) * times
            cell.totals[name] = np.append(cell.totals[name], wins * times)
        for k, n_won in enumerate(wins):
            cell.totals[f"histogram/team_{k}_won"] = np.array([n - n_won, n_won])
    return TeamedRun(None, run.experiment, run.manifest, run.cells)
