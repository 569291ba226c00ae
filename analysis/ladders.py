"""The ladders: how the strategies of each game do against each other, written to docs/ladders.

``python -m analysis.ladders`` (`make ladders`) plays every pair of strategies at every number of
players: one against n-1 others, both ways, and line-ups as balanced as the number allows. All
line-ups play the same deals, in all rotations; the deal is the unit of the standard errors.
The files are the same bytes wherever they are made.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from analysis.designs import lineups
from analysis.winshares import deals, estimate, games, positions
from sim import __version__, catalog, runner, workers
from sim.core.game import Game
from sim.experiment import Experiment, Variant
from sim.results import Cell, Memory

DEALS, SEED = 4000, 2026  # deals on which nothing was tuned
FOLDER = Path(__file__).resolve().parents[1] / "docs" / "ladders"


@dataclass(frozen=True)
class Side:
    """One strategy of a line-up of two."""

    strategy: str
    seats: int
    opponent: str
    opponent_seats: int
    win_share: float  # a seat
    se: float
    deals: int
    games: int


def main() -> None:
    """Write the ladders of all games that have at least two strategies."""
    FOLDER.mkdir(parents=True, exist_ok=True)
    for game in map(catalog.game, catalog.game_names()):
        if len(catalog.strategies(game.name)) < 2:
            continue
        page = [heading(game)]
        for players in counts(game):
            print(f"{game.name}, {players} players", file=sys.stderr, flush=True)
            ladder = sides(play(game, players, DEALS, SEED), game)
            table = FOLDER / f"{game.name}-{players}.csv"
            table.write_text(as_csv(ladder), encoding="utf-8")
            page.append(as_markdown(ladder, players))
        (FOLDER / f"{game.name}.md").write_text("\n".join(page), encoding="utf-8")


def counts(game: Game) -> list[int]:
    """Numbers of players that the default rules allow."""
    return [n for n in game.players if not catalog.rules_problems(game, n, game.defaults())]


def play(game: Game, players: int, n_deals: int, seed: int) -> list[Cell]:
    """Play all line-ups of a ladder by the default rules."""
    rules = {switch.name: switch.parse(switch.default) for switch in game.switches}
    frozen = ((name, tuple(v) if isinstance(v, list) else v) for name, v in rules.items())
    experiment = Experiment(
        game=game.name,
        players=players,
        lineups=tuple(lineups("pairwise", [*catalog.strategies(game.name)], players)),
        variants=(Variant("default", tuple(frozen)),),
        deals=n_deals,
        seed=seed,
    )
    return runner.play(experiment, Memory(experiment), jobs=workers.n_cores()).cells


def sides(cells: Sequence[Cell], game: Game) -> list[Side]:
    """Both sides of every line-up, with the win share a seat and its standard error."""
    found = []
    for cell in cells:
        first, second = positions(cell, "strategy")
        for side, other in ((first, second), (second, first)):
            share = estimate(cell, game, "strategy", "win_share", side.members)
            assert share.se is not None, "one deal has no standard error"
            counts = (deals(cell), games(cell))
            seats = (len(side.members), len(other.members))
            found.append(
                Side(side.label, seats[0], other.label, seats[1], share.mean, share.se, *counts)
            )
    return found


def as_csv(ladder: Sequence[Side]) -> str:
    """One row a side, with seed and version."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*Side.__dataclass_fields__, "seed", "version"])
    for side in ladder:
        shares = (f"{side.win_share:.5f}", f"{side.se:.5f}")
        names = (side.strategy, side.seats, side.opponent, side.opponent_seats)
        writer.writerow([*names, *shares, side.deals, side.games, SEED, __version__])
    return text.getvalue()


def heading(game: Game) -> str:
    """How the page came about and how to read it."""
    tables = ", ".join(f"[{n} players]({game.name}-{n}.csv)" for n in counts(game))
    return (
        f"# {game.title.en} ({game.title.zh}): the strategies against each other\n\n"
        f"Made by `make ladders` with fairdeal {__version__}, seed {SEED}; not to be edited.\n"
        "Win shares are percent a seat. All line-ups play the same deals in all rotations, by the\n"
        "default rules; the deal is the unit of the standard errors. Balanced line-ups hold two\n"
        "strategies on as equally many seats as their number allows, of an odd number both ways.\n"
        f"Every line-up with its standard error: {tables}.\n"
    )


def as_markdown(ladder: Sequence[Side], players: int) -> str:
    """Ranking and matrix of a number of players."""
    share = {(s.strategy, s.seats, s.opponent): 100 * s.win_share for s in ladder}
    names = sorted({side.strategy for side in ladder})
    halves = {players // 2, players - players // 2}

    def mean(name: str, seatings: set[int]) -> float:
        rivals = [other for other in names if other != name]
        return fmean(share[name, seats, other] for other in rivals for seats in seatings)

    ranking = sorted(names, key=lambda name: (-mean(name, {1}), name))
    lines = [
        f"## {players} players",
        "",
        f"{ladder[0].deals} deals, {ladder[0].games} games a line-up. Equal players have "
        f"{100 / players:.1f} % each, less what nobody wins.",
        f"Standard errors are at most {100 * max(side.se for side in ladder):.2f} %, also of the "
        "means.",
        "",
        "Means over all other strategies:",
        "",
        "| rank | strategy | one alone | in balanced line-ups |",
        "|---:|---|---:|---:|",
    ]
    for rank, name in enumerate(ranking, start=1):
        lines.append(f"| {rank} | `{name}` | {mean(name, {1}):.1f} | {mean(name, halves):.1f} |")
    lines += [
        "",
        f"The row alone against {players - 1} of the column:",
        "",
        "| | " + " | ".join(f"`{name}`" for name in ranking) + " |",
        "|---|" + "---:|" * len(ranking),
    ]
    for name in ranking:
        row = [f"{share[name, 1, other]:.1f}" if other != name else "–" for other in ranking]
        lines.append(f"| `{name}` | " + " | ".join(row) + " |")
    return "\n".join([*lines, ""])


if __name__ == "__main__":
    main()
