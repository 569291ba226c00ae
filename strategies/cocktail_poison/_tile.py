"""Which tile to hide: the policies of the rule sheet's section 8, one of which a parameter names.

Every strategy of this game has `tile` as its first and `antidote` as its second parameter, so any
policy goes with any way to draft.
"""

from sim.core.cards import count, has, kth, without
from sim.core.jit import kernel
from sim.core.rng import below, below_or_one
from sim.games.cocktail_poison.cards import ANTIDOTE, FIRST_TILE, NO_TILE, POISONS

TILE, SHARE = 0, 1  # indices into me.parameter

UNIFORM4 = 0  # any colour
UNIFORM5 = 1  # any tile
SOMETIMES = 2  # the antidote in `antidote` percent of the rounds, else any colour
STICKY = 3  # the colour of the last round if it struck, else any colour
ANTI_MEMORY = 4  # any colour but that of the last round
DESPERATE = 5  # the antidote where one point wins; `antidote` percent against a leader


@kernel
def chosen_tile(table, me):
    """The action that hides a tile, by the policy and from what is not spent."""
    policy = me.parameter[TILE]
    tiles = me.legal >> FIRST_TILE
    if policy == UNIFORM5:
        return FIRST_TILE + any_of(me, tiles)
    if has(tiles, ANTIDOTE) and wants_antidote(table, me, policy):
        return FIRST_TILE + ANTIDOTE
    colours = tiles & POISONS
    if colours == 0:
        return FIRST_TILE + ANTIDOTE
    last = table.last_tile[me.seat]
    if last != NO_TILE and has(colours, last):
        if policy == STICKY and table.last_hit[me.seat]:
            return FIRST_TILE + last
        if policy == ANTI_MEMORY and count(colours) > 1:
            colours = without(colours, 1 << last)
    return FIRST_TILE + any_of(me, colours)


@kernel
def any_of(me, items):
    """One of a set, each with the same probability."""
    return kth(items, below_or_one(me.rng, count(items)))


@kernel
def wants_antidote(table, me, policy):
    """Whether the policy takes the antidote in this round."""
    if policy == SOMETIMES:
        return below(me.rng, 100) < me.parameter[SHARE]
    if policy != DESPERATE:
        return False
    leader = 0
    for seat in range(table.players):
        if seat != me.seat:
            leader = max(leader, table.total[seat])
    if leader < table.rules.target - 1:
        return False
    own = table.total[me.seat]
    # One point reaches the target; or the leader is ahead, and only his poison can be denied.
    return own >= table.rules.target - 1 or (
        leader > own and below(me.rng, 100) < me.parameter[SHARE]
    )
