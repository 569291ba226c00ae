"""What every game's state has: the public table, the dealer's random streams, the event log."""

from __future__ import annotations

from typing import Any

import numpy as np

from sim.core.game import SHARE_UNIT, Game
from sim.core.jit import kernel
from sim.core.records import Field, record
from sim.core.rng import CARDS, CHANCE, STREAM, open_stream

DEALER = record(
    ("seed", np.int64),  # of the run
    ("deal", np.int64),  # number of the deal
    ("turn", np.int64),  # places by which the hands are turned (design: hands rotated)
    ("cards", STREAM),  # the order of the cards of this round
    ("chance", STREAM),  # all other chance of the rules in this round
)

LOG_WORDS = 16_384

LOG = record(
    ("on", np.int64),  # 1 in a replay: events are written down
    ("size", np.int64),  # words written
    ("start", np.int64),  # where the last event begins
    ("lost", np.int64),  # words for which there was no room
    ("word", np.int64, LOG_WORDS),  # events: kind, number of words, words
)

# How a game ended. UNFINISHED: a cap of the rules; FORFEIT: lost by a fault of a strategy.
FINISHED, UNFINISHED, DRAW, FORFEIT = 0, 1, 2, 3


def state_record(table: np.dtype[Any], *hidden: Field) -> np.dtype[Any]:
    """Record of a game's whole state: the public `table`, the `dealer`, what is hidden."""
    return record(("table", table), ("dealer", DEALER), *hidden)


@kernel
def new_round(dealer, round_):
    """Open the random streams of this round of the deal."""
    open_stream(dealer.cards, dealer.seed, dealer.deal, CARDS, round_)
    open_stream(dealer.chance, dealer.seed, dealer.deal, CHANCE, round_)


@kernel
def event(log, kind):
    """Begin an event in the log; `word` adds to it. Only to be called when `log.on`."""
    if log.size + 2 > LOG_WORDS:
        log.lost += 2
        return
    log.start = log.size
    log.word[log.size] = kind
    log.word[log.size + 1] = 0
    log.size += 2


@kernel
def word(log, value):
    """Add a word to the event begun last."""
    if log.size + 1 > LOG_WORDS:
        log.lost += 1
        return
    log.word[log.size] = value
    log.size += 1
    log.word[log.start + 1] += 1


def read_log(log: Any) -> list[tuple[int, list[int]]]:
    """Return the events of the log, (kind, words) each, and empty it."""
    if log.lost:
        raise OverflowError(f"more than {LOG_WORDS} words of events between two decisions")
    events, at = [], 0
    words = list(log.word[: log.size])
    while at < len(words):
        kind, n = words[at : at + 2]
        events.append((kind, words[at + 2 : at + 2 + n]))
        at += 2 + n
    log.size = 0
    return events


def outcome_record(game: Game) -> np.dtype[Any]:
    """Record of how a game ended: the columns of the totals by name, a value a seat or a game."""
    seats = max(game.players)
    return record(
        ("status", np.int64),  # FINISHED, UNFINISHED, DRAW or FORFEIT
        ("start", np.int64),  # the seat that is place 0
        *((name, np.int64, seats) for name in game.seat_columns),
        *((name, np.int64) for name in game.game_columns),
    )


@kernel
def share_win(outcome, winners, n):
    """Give each seat of the set `winners` its part of the win; an empty set: nobody wins."""
    k = 0
    for seat in range(n):
        k += (winners >> seat) & 1
    for seat in range(n):
        outcome.won[seat] = (winners >> seat) & 1
        outcome.win_share[seat] = SHARE_UNIT // k if (winners >> seat) & 1 else 0
    outcome.nobody = 1 if k == 0 else 0
    outcome.shared = 1 if k > 1 else 0
