"""The 24 drink cards of Cocktail Poison, the tiles, and the numbers of actions.

card = style * N_COLOURS + colour; style 0 is the Martini (M F O H K T), colours are R Y B G.
An action is what is picked, a card, the top of the pile or a tile, and how the antidote is laid.
"""

from sim.core.cards import suit_set
from sim.core.jit import inlined

N_STYLES, N_COLOURS = 6, 4
N_CARDS = N_STYLES * N_COLOURS
MARTINI = 0

N_TILES = N_COLOURS + 1  # the four poisons, by colour, and the antidote
ANTIDOTE = N_COLOURS
NO_TILE = -1
NO_STYLE = -1
POISONS = (1 << N_COLOURS) - 1  # the tiles of the four colours, as a set
ALL_TILES = (1 << N_TILES) - 1

# What is picked
BLIND = N_CARDS  # the top of the pile
FIRST_TILE = BLIND + 1  # tile t is FIRST_TILE + t
N_PICKS = 32  # action = pick + N_PICKS * lay
PICK_BITS = 5

# How the antidote is laid
NO_LAY, ON_NEW = 0, 1  # not at all; on the card just taken
ON_OLD = 2  # + card: on a card that lies in the display already
N_LAYS = ON_OLD + N_CARDS
N_ACTIONS = N_PICKS * N_LAYS


@inlined
def style_of(card):
    """The style of a drink card, 0..5."""
    return card >> 2  # // N_COLOURS


@inlined
def colour_of(card):
    """The colour of a drink card, 0..3."""
    return card & 3  # % N_COLOURS


@inlined
def card_of(style, colour):
    """The drink card of this style and colour."""
    return (style << 2) + colour


@inlined
def cards_of_style(style):
    """The four cards of a style."""
    return suit_set(style, N_COLOURS)


@inlined
def pick_of(action):
    """What an action picks."""
    return action & (N_PICKS - 1)


@inlined
def lay_of(action):
    """How an action lays the antidote."""
    return action >> PICK_BITS


@inlined
def action_of(pick, lay):
    """The action that picks this and lays the antidote so."""
    return pick + (lay << PICK_BITS)
