"""The twelve cards: attacks, parries, counters; and the answer to do nothing."""

ATTACKS = 0b000000011111
PARRIES = 0b000111100000
COUNTERS = 0b111000000000
N_CARDS = 12
DECK = (1 << N_CARDS) - 1
PASS = N_CARDS  # an action beside the cards
