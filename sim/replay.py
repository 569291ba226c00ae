"""One game again, decision by decision: as a transcript of JSON Lines, or as text for people."""

from __future__ import annotations

import contextlib
import shlex
from collections.abc import Iterator
from importlib import import_module
from typing import TYPE_CHECKING, Any

from sim import __version__, catalog, tables
from sim.board import ending
from sim.core.game import SHARE_UNIT, as_word
from sim.errors import Failure
from sim.experiment import Experiment, Seating, Variant
from sim.workers import Unanswered, Workers

if TYPE_CHECKING:
    from sim.core.engine import Fault, Replayed

FORMAT = 1  # of a transcript
Line = dict[str, Any]


def replay(
    experiment: Experiment,
    first: int,
    last: int,
    rotation: int | None = None,
    hang_seconds: float | None = None,
) -> Iterator[list[Line]]:
    """Play the deals first..last-1 of every cell again.

    Strategies that are not built in play in a process of their own.

    Parameters
    ----------
    rotation
        Only this one; None for all.
    hang_seconds
        How long a strategy may think about one decision; by default HANG_SECONDS of the workers.

    Yields
    ------
    list of dict
        The lines of a transcript, a game each; without the last one if the game was stopped.

    Raises
    ------
    Mistake
        A strategy cannot be imported or compiled.
    Failure
        A strategy plays against the rules, raises, hangs or ends its process; what it played was
        yielded before. A game that is forfeited has a result and stops nothing.
    """
    in_processes = experiment.has_foreign
    with Workers(in_processes=in_processes, hang_seconds=hang_seconds) as workers:
        for cell, (_, lineup) in enumerate(experiment.cells):
            seating = experiment.seating(cell)
            table = tables.lay(seating)
            table.begin(first, 0)
            table.advance(0)  # compile here, not under the eyes of the watch
            turns = range(experiment.rotations(lineup)) if rotation is None else (rotation,)
            for deal in range(first, last):
                for turn in turns:
                    with blaming(experiment, cell):
                        replayed = workers.call(_replay, seating, deal, turn)
                    yield transcript(experiment, cell, replayed)
                    if replayed.fault and not replayed.outcome:
                        raise Failure(blame(experiment, cell, replayed.fault))


def _replay(slot: Any, seating: Seating, deal: int, turn: int) -> Replayed:
    """Play a game again, in any worker."""
    table = tables.kept(seating)
    table.show_in(slot)
    replayed = table.replay(deal, turn)
    if replayed.fault:
        tables.forget(seating)
    return replayed


# A game as lines


def transcript(experiment: Experiment, cell: int, replayed: Replayed) -> list[Line]:
    """The lines of one game: `game`, what its rules wrote down, `result`."""
    variant, _ = experiment.cells[cell]
    game = catalog.game(experiment.game)
    text = import_module(f"{game.package}.text")
    lines = [_first_line(experiment, cell, replayed)]
    lines += text.events(replayed, experiment.players, variant.switches)
    return [*lines, _last_line(experiment, cell, replayed)] if replayed.outcome else lines


def _first_line(experiment: Experiment, cell: int, replayed: Replayed) -> Line:
    variant, lineup = experiment.cells[cell]
    specs = [catalog.parse(lineup.strategies[i], experiment.game) for i in replayed.entries]
    return {
        "type": "game",
        "format": FORMAT,
        "game": experiment.game,
        "players": experiment.players,
        "rules": variant.switches,
        "seed": experiment.seed,
        "deal": replayed.deal,
        "rotation": replayed.rotation,
        "lineup": [catalog.label(spec.file.name) for spec in specs],
        "parameters": [
            {p.name: value for p, value in zip(spec.file.parameters, spec.values, strict=True)}
            for spec in specs
        ],
        "version": __version__,
    }


def _last_line(experiment: Experiment, cell: int, replayed: Replayed) -> Line:
    from sim.core.engine import STATUS_WORDS

    outcome, seats = replayed.outcome, range(experiment.players)
    variant, lineup = experiment.cells[cell]
    dummies = _n_dummies(experiment, variant.switches)
    has_score = catalog.game(experiment.game).score is not None
    fault = replayed.fault
    why = (
        fault and f"{lineup.labels[fault.entry]} (seat {fault.seat}): {fault.kind}: {fault.detail}"
    )
    return {
        "type": "result",
        "status": STATUS_WORDS[outcome["status"]],
        "winners": [seat for seat in seats if outcome["won"][seat]],
        "win_share": [_share(outcome["win_share"][seat]) for seat in seats] + [0] * dummies,
        "scores": [outcome["score"][seat] for seat in seats] if has_score else None,
        "rounds": outcome["rounds"],
        **({"fault": why} if why else {}),
    }


def _n_dummies(experiment: Experiment, switches: dict[str, Any]) -> int:
    """Places without a player behind the seats; a game that has such says so in its text."""
    text = import_module(f"{catalog.game(experiment.game).package}.text")
    count = getattr(text, "n_dummies", None)
    return int(count(experiment.players, switches)) if count else 0


def _share(units: int) -> int | float:
    return units // SHARE_UNIT if units % SHARE_UNIT == 0 else units / SHARE_UNIT


_WORDS = {
    "en": {
        "game": "{title}, {players} players, seed {seed}, deal {deal}, rotation {rotation}",
        "seat": "  seat {seat}: {name}",
        "result": "Result: {status} after {rounds} {unit}; {winners}",
        "scores": "; final totals {scores}",
        "winners": "winning seats: {seats}",
        "nobody": "nobody wins",
        "finished": "finished",
        "unfinished": "unfinished",
        "draw": "draw",
        "forfeit": "forfeited",
        "between": ", ",
    },
    "zh": {
        "game": "{title}，{players} 人，种子 {seed}，第 {deal} 副牌，第 {rotation} 次轮换",
        "seat": "  座位 {seat}：{name}",
        "result": "结果：{status}，共 {rounds} {unit}；{winners}",
        "scores": "；最终分数 {scores}",
        "winners": "获胜座位：{seats}",
        "nobody": "无人获胜",
        "finished": "正常结束",
        "unfinished": "未完成",
        "draw": "平局",
        "forfeit": "判负",
        "between": "、",
    },
}


def as_text(lines: list[Line], lang: str) -> str:
    """The lines of one game for a person, in English ('en') or Chinese ('zh')."""
    words = _WORDS[lang]
    game = catalog.game(lines[0]["game"])
    describe = import_module(f"{game.package}.text").describe
    unit = next(m.unit for m in game.measures if m.name == "rounds").of(lang)
    written = [words["game"].format(**lines[0], title=game.title.of(lang))]
    for seat, typed in enumerate(lines[0]["lineup"]):
        name = catalog.title(typed, game.name).of(lang)
        numbers = "".join(f":{key}={n}" for key, n in lines[0]["parameters"][seat].items())
        written.append(words["seat"].format(seat=seat, name=name + numbers))
    for line in lines[1:]:
        if line["type"] != "result":
            written.append(describe(line, lang))
            continue
        seats = words["between"].join(map(str, line["winners"]))
        winners = words["winners"].format(seats=seats) if seats else words["nobody"]
        result = words["result"].format(
            status=words[line["status"]], rounds=line["rounds"], unit=unit, winners=winners
        )
        if line["scores"] is not None:
            scores = words["between"].join(map(str, line["scores"])).replace("-", "−")
            result += words["scores"].format(scores=scores)
        result += f"\n  {line['fault']}" if "fault" in line else ""
        written.append(result)
    return "\n".join(written)


# What went wrong, and how to see it again


def blame(experiment: Experiment, cell: int, fault: Fault) -> str:
    """One line on a game that did not end by its rules: who, what, where, how to replay it."""
    labels = experiment.cells[cell][1].labels
    who = f"strategy {labels[fault.entry]}" if fault.entry >= 0 else f"rules of {experiment.game}"
    place = f"deal {fault.deal}, rotation {fault.rotation}"
    place += f", seat {fault.seat}" if fault.seat >= 0 else ""
    again = replay_command(experiment, cell, fault.deal, fault.rotation)
    return (
        f"{who}: {fault.kind}: {fault.detail} ({place}, after {fault.decisions} decisions); "
        f"replay it with: {again}"
    )


def unanswered(experiment: Experiment, cell: int, lost: Unanswered) -> str:
    """One line on a call that has no answer: which strategy, what, where, how to replay it."""
    _, deal, turn, seat, _ = lost.stuck
    code = lost.code
    if code is not None and seat < 0:
        return f"a worker process {ending(code)} before a strategy was asked"
    if code is None:
        why = f"hangs: no answer for {lost.seconds:g} s"
    elif lost.is_own:
        why = f"was asked last: its process {ending(code)}"
    else:
        why = f"was asked last: its process was {ending(code)}, by itself or from outside"
    entries = tables.lay(experiment.seating(cell)).begin(deal, turn)
    return (
        f"strategy {experiment.cells[cell][1].labels[entries[seat]]} {why} "
        f"(deal {deal}, rotation {turn}, seat {seat}); replay it with: "
        + replay_command(experiment, cell, deal, turn)
    )


@contextlib.contextmanager
def blaming(experiment: Experiment, cell: int) -> Iterator[None]:
    """Turn a call for a cell that has no answer into a Failure."""
    try:
        yield
    except Unanswered as lost:
        raise Failure(unanswered(experiment, cell, lost)) from None


def replay_command(experiment: Experiment, cell: int, deal: int, turn: int) -> str:
    """The command that plays one game of a cell again."""
    variant, lineup = experiment.cells[cell]
    strategies = lineup.strategies[:1] if lineup.is_uniform else lineup.strategies
    words = ["fairdeal", "replay", experiment.game, "--players", str(experiment.players)]
    words += ["--strategies", ",".join(strategies), "--seed", str(experiment.seed)]
    words += ["--deals", f"{deal}:{deal + 1}", "--rotation", str(turn)]
    if experiment.rotate != "strategies":
        words += ["--rotate", experiment.rotate]
    if experiment.on_fault != "stop":
        words += ["--forfeit"]
    for rule in _changed(experiment, variant):
        words += ["--rule", rule]
    return shlex.join(words)


def _changed(experiment: Experiment, variant: Variant) -> list[str]:
    """Rules with other than default values, as `--rule` takes them."""
    game, switches = catalog.game(experiment.game), variant.switches
    return [
        f"{switch.name}={as_word(value)}"
        for switch in game.switches
        if (value := switches.get(switch.name)) != switch.parse(switch.default)
    ]
