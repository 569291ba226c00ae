"""Play the highest number that is legal, and a wild only when nothing else is.

The highest card of the led suit does not win, so this player collects only where nobody else
follows or where a higher card is out; it throws its high cards on the winners of other suits.
Of equal numbers it plays the first suit.

Source: rule sheet, section 8, item 2.
"""

from sim.games.schadenfreude.view import strategy
from strategies.schadenfreude._hand import highest_number

NAME_ZH = "出最大"
ABOUT_ZH = "出可出的最大数字，没有别的可出时才出万能卡牌。"
MEANT_TO_BEAT = ("uniform",)


@strategy
def decide(table, me):
    """Return the highest legal number."""
    return highest_number(me.legal)
