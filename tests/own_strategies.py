"""Strategies as a user may write them, good and bad; `write` puts one into a file."""

from __future__ import annotations

from pathlib import Path

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
    "no_decide": """
def choose(table, me):
    return lowest(me.legal)
""",
}


def write(folder: Path, name: str, source: str | None = None) -> Path:
    """Write the strategy of this name, or this source under this name, and return its file."""
    path = folder / f"{name}.py"
    source = SOURCES[name] if source is None else source
    docstring, quotes, rest = (
        source.partition('"""\n') if source.startswith('"""') else ("", "", source)
    )
    path.write_text(docstring + quotes + _HEAD + rest, encoding="utf-8")
    return path
