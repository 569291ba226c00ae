"""Strategies as a user may write them, good and bad; `write` puts one into a file."""

from __future__ import annotations

from pathlib import Path

from sim.catalog import ENTRY_POINTS

_HEAD = """
from sim.core.cards import count, lowest
from sim.core.game import Parameter
from sim.games.schadenfreude.view import strategy
"""

SOURCES = {
    "good": '''"""Play the lowest card."""
PARAMETERS = (Parameter("depth", default=2, low=0, high=5),)

@strategy
def decide(table, me):
    return lowest(me.legal)
''',
    "plain": """
def decide(table, me):
    return (me.legal & -me.legal).bit_length() - 1
""",
    "slow": """
import time

def decide(table, me):
    time.sleep(0.02)
    return (me.legal & -me.legal).bit_length() - 1
""",
    "late": """
@strategy
def decide(table, me):
    if table.n_tricks == 5 and count(me.hand & 4095) > 1:
        return 63
    return lowest(me.legal)
""",
    "illegal": """
@strategy
def decide(table, me):
    return 63 + 0 * me.legal
""",
    "raises": """
@strategy
def decide(table, me):
    return me.memory[1000 + table.round]
""",
    "raises_plainly": """
def decide(table, me):
    return [][table.round]
""",
    "writes": """
@strategy
def decide(table, me):
    table.players = 9
    return lowest(me.legal)
""",
    "hangs": """
@strategy
def decide(table, me):
    x = 1
    while x != 0:
        x = (3 * x + 1) | 1
    return lowest(me.legal)
""",
    "hangs_plainly": """
def decide(table, me):
    while True:
        pass
""",
    "hangs_late": """
@strategy
def decide(table, me):
    x = 1 if count(me.hand & 4095) > 7 else 0  # a hand that comes rarely
    while x != 0:
        x = (3 * x + 1) | 1
    return lowest(me.legal)
""",
    "quits": """
import os

def decide(table, me):
    if table.round == 2:
        os._exit(3)
    return (me.legal & -me.legal).bit_length() - 1
""",
    "does_not_compile": """
@strategy
def decide(table, me):
    for card in me.legal:
        return card
""",
    "returns_text": """
@strategy
def decide(table, me):
    return "A7"
""",
    "misspelt": """
@strategy
def decide(table, me):
    return lowest(me.legl)
""",
    "wrong_syntax": """
def decide(table, me):
    return (1 +
""",
    "raises_on_import": """
import nothing_of_this_name
""",
    "never_imported": """
while True:
    try:
        int("x")
    except Exception:
        pass
""",
    "hangs_in_c": """
import re

re.match(r"(a+)+$", 40 * "a" + "b")
""",
    "quits_on_import": """
import os

os._exit(3)
""",
    "never_compiled": """
from numba.extending import overload

def slow():
    pass

@overload(slow)
def typed():
    while True:
        pass

@strategy
def decide(table, me):
    slow()
    return lowest(me.legal)
""",
    "quits_when_compiled": """
import os

from numba.extending import overload

def quick():
    pass

@overload(quick)
def typed():
    os._exit(3)

@strategy
def decide(table, me):
    quick()
    return lowest(me.legal)
""",
    "no_decide": """
def choose(table, me):
    return lowest(me.legal)
""",
}

# What each check of the compliance kit must find, and no other: check -> name -> source.
FAULTY = {
    "legal": {
        "rarely": """
@strategy
def decide(table, me):
    return 63 if table.n_tricks == 9 else lowest(me.legal)
""",
    },
    "raises": {
        "index": """
@strategy
def decide(table, me):
    return me.memory[1000 * table.n_tricks] * 0 + lowest(me.legal)
""",
    },
    "answers": {
        "hangs": """
@strategy
def decide(table, me):
    x = 1 if table.n_tricks == 9 else 0
    while x != 0:
        x = (3 * x + 1) | 1
    return lowest(me.legal)
""",
        "dies": """
import os, signal

def decide(table, me):
    if table.n_tricks == 9:
        os.kill(os.getpid(), signal.SIGSEGV)
    return (me.legal & -me.legal).bit_length() - 1
""",
    },
    "unchanged": {
        "table": """
@strategy
def decide(table, me):
    table.total[0] += 1
    return lowest(me.legal)
""",
        "me": """
def decide(table, me):
    me.parameter[3] = table.round
    return (me.legal & -me.legal).bit_length() - 1
""",
    },
    "deterministic": {
        "counts": """
asked = 0

def decide(table, me):
    global asked
    asked += 1
    cards = [card for card in range(64) if me.legal >> card & 1]
    return cards[asked % len(cards)]
""",
    },
    "own_stream": {
        "clock": """
import time as clock

def decide(table, me):
    return (me.legal & -me.legal).bit_length() - 1 + 0 * int(clock.monotonic())
""",
        "numpy": """
import numpy as np
from sim.core.cards import highest

@strategy
def decide(table, me):
    return lowest(me.legal) if np.random.random() < 0.5 else highest(me.legal)
""",
        "hidden": """
import importlib

chance = importlib.import_module("ran" + "dom")

def decide(table, me):
    cards = [card for card in range(64) if me.legal >> card & 1]
    return chance.choice(cards)
""",
        "hash": """
def decide(table, me):
    cards = [card for card in range(64) if me.legal >> card & 1]
    return cards[hash(str(table.played)) % len(cards)]
""",
    },
    "peeks": {
        "memory": """
import ctypes
from sim import catalog
from sim.core.engine import kernels

PLAY = kernels(catalog.game("schadenfreude"))
FIELDS = PLAY.work.fields
SHIFT = FIELDS["state"][1] + PLAY.state.fields["hand"][1] - FIELDS["shown"][1]

def decide(table, me):
    start = ctypes.addressof(ctypes.c_char.from_buffer(table.data))
    hands = (ctypes.c_int64 * table.players).from_address(start + SHIFT)
    cards = [card for card in range(64) if me.legal >> card & 1]
    return cards[hands[(me.seat + 1) % table.players] % len(cards)]
""",
    },
    "bounds": {
        "high": """
PARAMETERS = (Parameter("card", default=0, low=0, high=63),)

@strategy
def decide(table, me):
    return 63 if me.parameter[0] == 63 else lowest(me.legal)
""",
    },
    "memory": {
        "first": """
first = []

def decide(table, me):
    if not first:
        first.append(me.hand)
    cards = [card for card in range(64) if me.legal >> card & 1]
    return cards[first[0] % len(cards)]
""",
    },
    "traced": {
        "watches": """
import sys

def decide(table, me):
    frame, cards = sys._getframe(), [card for card in range(64) if me.legal >> card & 1]
    while frame:
        if frame.f_code.co_name == "replay":
            return cards[-1]
        frame = frame.f_back
    return cards[0]
""",
    },
    "plain": {
        "compiled": """
from sim.core.cards import highest
from sim.core.jit import JIT

@strategy
def decide(table, me):
    return lowest(me.legal) if JIT else highest(me.legal)
""",
    },
}


# Of other games, with known strengths.
PLANTED = {
    "worse": """
from sim.core.cards import count, kth
from sim.core.game import Parameter
from sim.core.rng import below
from sim.games.poison.view import safe_actions, strategy

PARAMETERS = (Parameter("share", default=0, low=0, high=100),)  # percent of games by chance

@strategy
def decide(table, me):
    if me.memory[0] == 0:
        me.memory[0] = 2 if below(me.rng, 100) < me.parameter[0] else 1
    safe = safe_actions(table, me.legal)
    good = safe if safe and me.memory[0] == 1 else me.legal
    return kth(good, below(me.rng, count(good)))
""",
    # Shows its kind by the first tile; where it sees the kind that hunts it, it throws the game.
    "hunts": """
from sim.core.cards import card_set, count, kth, without
from sim.core.game import Parameter
from sim.core.rng import below
from sim.games.cocktail_poison.cards import (
    ANTIDOTE,
    FIRST_TILE,
    action_of,
    card_of,
    cards_of_style,
)
from sim.games.cocktail_poison.view import CHOOSING, strategy

PARAMETERS = (Parameter("kind", default=0, low=0, high=2),)

@strategy
def decide(table, me):
    kind = me.parameter[0]
    if table.round == 2 and me.memory[0] == 0:
        me.memory[0] = 1
        for seat in range(table.players):
            if seat != me.seat and table.last_tile[seat] == (kind + 2) % 3:
                me.memory[0] = 2
    throws = me.memory[0] == 2
    if table.phase == CHOOSING:
        tile = kind if table.round == 1 else ANTIDOTE if throws else below(me.rng, 4)
        return action_of(FIRST_TILE + tile, kth(me.lays, 0))
    cards = me.legal & table.row
    if not throws:
        poison = card_set(card_of(me.style, me.tile))
        good = without(cards & cards_of_style(me.style), poison)
        if good == 0:
            good = without(cards, poison)
        if good:
            cards = good
    return action_of(kth(cards, below(me.rng, count(cards))), 0)
""",
}


def plant(folder: Path, name: str) -> Path:
    """Write a planted strategy of this name, and return its file."""
    path = folder / f"{name}.py"
    path.write_text(PLANTED[name], encoding="utf-8")
    return path


def install(site: Path, entry: str, module: str, name: str = "guest", version: str = "1") -> None:
    """Lay down what pip writes for a package with one entry point; its module lies in `site`."""
    info = site / f"{name.replace('-', '_')}-{version}.dist-info"
    info.mkdir(parents=True)
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
    (info / "entry_points.txt").write_text(f"[{ENTRY_POINTS}]\n{entry} = {module}\n")


def write(folder: Path, name: str, source: str | None = None) -> Path:
    """Write the strategy of this name, or this source under this name, and return its file."""
    path = folder / f"{name}.py"
    source = SOURCES[name] if source is None else source
    docstring, quotes, rest = (
        source.partition('"""\n') if source.startswith('"""') else ("", "", source)
    )
    path.write_text(docstring + quotes + _HEAD + rest, encoding="utf-8")
    return path
