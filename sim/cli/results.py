"""The results of a run as the tables of a terminal and as one JSON object."""

from __future__ import annotations

from typing import Any

from analysis import winshares
from analysis.intervals import Estimate
from analysis.winshares import By, estimate, game_estimate, is_game_rate, is_seat_rate, positions
from sim import __version__, catalog
from sim.cli.console import duration, table
from sim.results import Cell, Memory, Run, forfeit_lines, told_forfeits

OUTCOMES = {
    "nobody": "nobody wins",
    "shared": "shared win",
    "unfinished": "unfinished",
    "draw": "draw",
    "decisions": "decisions",
}  # what is counted in every game


def headline(store: Memory) -> str:
    """The largest win share so far, with its interval; of several settings which one is played."""
    cells, settings = store.cells(), len(store.experiment.cells)
    if not cells:
        return ""
    if settings > 1:
        return f"setting {len(cells)} of {settings}"
    game, cell = catalog.game(store.experiment.game), cells[0]
    teams = Run(None, store.experiment, {}, cells).teams(cell)
    if teams and len(set(cell.lineup)) == 1:
        wins = {team: game_estimate(cell, game, team.column) for team in teams}
        first = max(wins, key=lambda team: wins[team].mean)
        mean, interval = _shown(wins[first], is_rate=True)
        return f"team {first.number} wins {mean} {interval}"
    by: By = "place" if len(set(cell.lineup)) == 1 else "strategy"
    found = {p.label: estimate(cell, game, by, "win_share", p.members) for p in positions(cell, by)}
    name, best = max(found.items(), key=lambda item: item[1].mean)
    mean, interval = _shown(best, is_rate=True)
    return f"{f'place {name}' if by == 'place' else name} wins {mean} {interval}"


def as_text(run: Run) -> str:
    """Win shares, scores and lengths of every cell, with 95 % intervals."""
    experiment, seconds = run.experiment, run.manifest["seconds"]
    games = sum(winshares.games(cell) for cell in run.cells)
    took = duration(seconds) if seconds >= 10 else f"{seconds:.2f} s"
    head = (
        f"{run.game.title.en} {run.game.title.zh}, {experiment.players} players, "
        f"seed {experiment.seed}: {games:,} games on {experiment.deals:,} deals in {took} "
        f"({games / max(seconds, 1e-9):,.0f} games/s)"
    )
    parts = [head, *(_cell_text(run, cell) for cell in run.cells)]
    lost = forfeit_lines([run], "en")
    parts += ["\n".join(lost)] if lost else []
    kept = f"kept in {run.folder}\n" if run.folder else ""
    return "\n\n".join([*parts, f"{kept}sha256 {run.manifest['sha256']}"])


def _cell_text(run: Run, cell: Cell) -> str:
    game = run.game
    heads = ["", "win share", "95 %"] + (["score", "95 %"] if game.score else [])
    rows = [heads]
    groups: tuple[tuple[By, str], ...] = (("strategy", ""), ("seat", "seat "), ("place", "place "))
    for by, word in groups:
        for position in positions(cell, by):
            row = [word + position.label]
            for column in ("win_share", "score") if game.score else ("win_share",):
                found = estimate(cell, game, by, column, position.members)
                row += _shown(found, is_seat_rate(game, column))
            rows.append(row)
    teams = [["", "games won", "95 %"]]
    for team in run.teams(cell):
        won = _shown(game_estimate(cell, game, team.column), is_rate=True)
        players = "1 player" if team.size == 1 else f"{team.size} players"
        teams.append([f"team {team.number} ({players})", *won])
    body = [["in a game", "mean", "95 %"]]
    for column in game.game_columns:
        if column in game.teams:
            continue
        found = game_estimate(cell, game, column)
        words = OUTCOMES.get(column, column.replace("_", " "))
        body.append([words, *_shown(found, is_game_rate(game, column))])
    title = [f"{cell.name}, {cell.variant}"] if len(run.cells) > 1 else []
    of_teams = [table(teams), ""] if game.teams else []
    return "\n".join([*title, *of_teams, table(rows), "", table(body)])


def _shown(found: Estimate, is_rate: bool) -> tuple[str, str]:
    """Mean and interval, shares in percent."""

    def number(value: float) -> str:
        return f"{100 * value:.1f}" if is_rate else f"{value:.2f}"

    mean = number(found.mean) + (" %" if is_rate else "")
    if found.low is None or found.high is None:
        return mean, "-"
    return mean, f"{number(found.low)} to {number(found.high)}"


def as_object(run: Run) -> dict[str, Any]:
    """The run as the object that `--json` prints.

    `cells` holds one entry a variant, line-up and seat, `strategies` one a position of the
    line-up, `games_of` one a variant and line-up with what is counted in every game. A standard
    error has the deal as its unit and is null where there is one deal only.
    """
    experiment = run.experiment
    return {
        "game": experiment.game,
        "players": experiment.players,
        "deals": experiment.deals,
        "games": sum(winshares.games(cell) for cell in run.cells),
        "seconds": run.manifest["seconds"],
        "sha256": run.manifest["sha256"],
        "seed": experiment.seed,
        "rotate": experiment.rotate,
        "version": __version__,
        **told_forfeits(run.cells, run.manifest.get("first_faults", {})),
        "cells": [entry for cell in run.cells for entry in _entries(run, cell, "seat")],
        "strategies": [entry for cell in run.cells for entry in _entries(run, cell, "strategy")],
    }


def _entries(run: Run, cell: Cell, by: By) -> list[dict[str, Any]]:
    game, is_uniform = run.game, len(set(cell.lineup)) == 1
    of_game = {name: _object(game_estimate(cell, game, name)) for name in game.game_columns}
    entries = []
    for i, strategy in enumerate(cell.lineup):
        own = {
            name: _object(estimate(cell, game, by, name, (i,)))
            for name in winshares.seat_columns(game)
        }
        is_known = by == "strategy" or is_uniform or run.experiment.rotate != "strategies"
        entries.append(
            {
                "variant": cell.variant,
                "lineup": list(cell.lineup),
                "position" if by == "strategy" else "seat": i,
                "strategy": strategy if is_known else None,
                "games": winshares.games(cell),
                "win_share": own.pop("win_share"),
                "score": own.pop("score", None),
                "measures": own | of_game,
            }
        )
    return entries


def _object(found: Estimate) -> dict[str, float | None]:
    return {"mean": found.mean, "se": found.se}
