"""The ladders: how the strategies of each game do against each other, written to docs/ladders.

``python -m analysis.ladders`` (`make ladders`) plays every pair of strategies at every number of
players: one against n-1 others, both ways, and line-ups as balanced as the number allows. All
line-ups play the same deals, in all rotations; the deal is the unit of the standard errors.
The files are the same bytes wherever they are made. A page is made of the tables beside it, and
ends with the strategies that do not beat those that they are meant to beat.
"""

from __future__ import annotations

import csv
import io
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean

from analysis.designs import lineups
from analysis.winshares import deals, estimate, games, positions
from sim import __version__, catalog, runner, workers
from sim.core.game import Game
from sim.experiment import Experiment, Variant, frozen
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
        for players in counts(game):
            print(f"{game.name}, {players} players", file=sys.stderr, flush=True)
            ladder = sides(play(game, players, DEALS, SEED), game)
            path_of(game, players).write_text(as_csv(ladder), encoding="utf-8")
        (FOLDER / f"{game.name}.md").write_text(page(game), encoding="utf-8")


def path_of(game: Game, players: int) -> Path:
    """Where the table of a number of players stands."""
    return FOLDER / f"{game.name}-{players}.csv"


def page(game: Game) -> str:
    """The page of a game, from its tables."""
    ladders = {n: from_csv(path_of(game, n).read_text(encoding="utf-8")) for n in counts(game)}
    meant = {name: file.meant_to_beat for name, file in catalog.strategies(game.name).items()}
    parts = [as_markdown(ladder, players) for players, ladder in ladders.items()]
    return "\n".join([heading(game), *parts, not_as_expected(ladders, meant)])


def counts(game: Game) -> list[int]:
    """Numbers of players that the default rules allow."""
    return [n for n in game.players if not catalog.rules_problems(game, n, game.defaults())]


def play(game: Game, players: int, n_deals: int, seed: int) -> list[Cell]:
    """Play all line-ups of a ladder by the default rules."""
    rules = {switch.name: switch.parse(switch.default) for switch in game.switches}
    experiment = Experiment(
        game=game.name,
        players=players,
        lineups=tuple(lineups("pairwise", [*catalog.strategies(game.name)], players)),
        variants=(
            Variant("default", tuple((name, frozen(value)) for name, value in rules.items())),
        ),
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


def from_csv(text: str) -> list[Side]:
    """The sides of a table."""
    numbers = {"win_share": float, "se": float, "strategy": str, "opponent": str}
    return [
        Side(**{name: numbers.get(name, int)(row[name]) for name in Side.__dataclass_fields__})
        for row in csv.DictReader(io.StringIO(text))
    ]


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


def not_as_expected(
    ladders: Mapping[int, Sequence[Side]], meant: Mapping[str, Sequence[str]]
) -> str:
    """Where a strategy does not beat those that it is `meant` to, both when rare and when common.

    Parameters
    ----------
    ladders
        Both sides of every line-up, by number of players.
    meant
        Those that each strategy is meant to beat.
    """
    lines = [*_unbeaten(ladders, meant)]
    text = "Each beats all that it is meant to beat.\n"
    if lines:
        head = (
            "| players | strategy | meant to beat | alone among them | around one of them |\n"
            "|---:|---|---|---:|---:|\n"
        )
        text = head + "\n".join([*lines, ""])
    return (
        "## Not as expected\n\n"
        "The file of a strategy names those that it is meant to beat: it refines them, or its\n"
        "source ranks it above them. Listed is where its lead is not above 0 by two standard\n"
        "errors. The lead is the win share of a seat of it less that of a seat of the other, in\n"
        "percentage points, with the standard error; where nobody may win, a bound of it.\n\n"
        + text
    )


def _unbeaten(
    ladders: Mapping[int, Sequence[Side]], meant: Mapping[str, Sequence[str]]
) -> Iterator[str]:
    for players, ladder in ladders.items():
        found = {(side.strategy, side.seats, side.opponent): side for side in ladder}
        for name, rivals in meant.items():
            for rival in rivals:
                leads = []
                for seats in (1, players - 1):
                    own, other = found[name, seats, rival], found[rival, players - seats, name]
                    # What one side wins the other does not: as far as every game has a winner,
                    # the errors of the two add up.
                    leads.append((own.win_share - other.win_share, own.se + other.se))
                if min(lead - 2 * se for lead, se in leads) > 0:
                    continue
                texts = [f"{100 * lead:.2f} ± {100 * se:.2f}" for lead, se in leads]
                cells = [str(players), f"`{name}`", f"`{rival}`", *texts]
                yield f"| {' | '.join(cells).replace('-', '−')} |"


if __name__ == "__main__":
    main()
