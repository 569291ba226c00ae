"""What a team probably collects: the draws of recipes, weighed by what its seats put where.

For each card that a seat puts on a place of its own team recipes with that glass count 3/2 times,
for each that it puts elsewhere recipes without it count twice; of a glass at most EVIDENCE times.
What the team's areas have satisfied while the game went on is excluded. Recipes that are shown
(`recipes_shown`) need no belief.
"""

from sim.core.cards import has
from sim.core.jit import kernel
from sim.games.kanpai import N_GLASSES
from sim.games.kanpai.cards import N_RECIPES, count_of, recipe_draws, recipe_glasses
from sim.games.kanpai.view import put_at

UNIT = 1 << 20  # probability 1; and what a complete area is worth
EVIDENCE = 4
BITS = 12  # of a factor in a word of five


@kernel
def believe(table, me, at, sources, members):
    """Write the probability of each recipe, in parts of UNIT, into me.memory from `at` on.

    `sources` are the seats whose choices tell, `members` the places of the team, as sets.
    """
    # Scaled to whole numbers: 3^kept for a recipe with the glass, 2^kept * 2^away for one without.
    with_it, without_it = 0, 0
    for glass in range(N_GLASSES):
        kept, away = 0, 0
        for seat in range(table.players):
            if has(sources, seat):
                for place in range(table.rules.n_ring):
                    n = table.put[put_at(seat, place, glass)]
                    kept += n if has(members, place) else 0
                    away += 0 if has(members, place) else n
        kept, away = min(kept, EVIDENCE), min(away, EVIDENCE)
        factor = 1
        for _ in range(kept):
            factor *= 3
        with_it |= factor << (BITS * glass)
        without_it |= (1 << (kept + away)) << (BITS * glass)
    excluded = 0
    for place in range(table.rules.n_ring):
        if has(members, place):
            excluded |= table.excluded[place]
    total = 0
    for index in range(N_RECIPES):
        weight = 0 if has(excluded, index) else recipe_draws(index)
        recipe = recipe_glasses(index)
        for glass in range(N_GLASSES):
            factors = with_it if count_of(recipe, glass) else without_it
            weight *= (factors >> (BITS * glass)) & ((1 << BITS) - 1)
        me.memory[at + index] = weight
        total += weight
    for index in range(N_RECIPES):
        share = me.memory[at + index] * 1.0 * UNIT / total if total else 1.0 * UNIT / N_RECIPES
        me.memory[at + index] = int(share)


@kernel
def know(me, at, recipe, other):
    """Write down that it is this recipe, or as likely the other, where they have been shown."""
    share = UNIT if recipe == other else UNIT // 2
    for index in range(N_RECIPES):
        is_it = recipe_glasses(index) == recipe or recipe_glasses(index) == other
        me.memory[at + index] = share if is_it else 0


@kernel
def likeliest(me, at):
    """The most probable recipe of those weighed from `at` on, the first of equal ones."""
    best = 0
    for index in range(N_RECIPES):
        if me.memory[at + index] > me.memory[at + best]:
            best = index
    return recipe_glasses(best)
