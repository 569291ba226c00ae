"""Play the lowest number that is legal; off the led suit, of the numbers held in most copies.

A low card is rarely the second highest of its suit, so this player collects little, and it throws
away first what would cancel in its own pile. A wild is played only when nothing else is legal. Of
equal numbers it plays the first suit.

Source: rule sheet, section 8, item 3.
"""

from sim.core.cards import lowest
from sim.games.schadenfreude.cards import cards_of_rank, cards_of_suit
from sim.games.schadenfreude.view import OPEN_SUIT, strategy
from strategies.schadenfreude._hand import lowest_number, number_cards, ranks_held_most

NAME_ZH = "出最小"
ABOUT_ZH = "出可出的最小数字；无法跟花色时，先垫手里张数最多的数字。"
MEANT_TO_BEAT = ("uniform",)


@strategy
def decide(table, me):
    """Return the lowest legal number, off the led suit the lowest of those held most."""
    numbers = number_cards(me.legal)
    follows = table.led_suit == OPEN_SUIT or numbers & cards_of_suit(table.led_suit) != 0
    if follows or numbers == 0:
        return lowest_number(me.legal)
    return lowest(numbers & cards_of_rank(lowest(ranks_held_most(numbers))))
