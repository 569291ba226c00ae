"""Play the highest safe potion, and poison only where it is welcome.

A safe poison comes behind every safe potion, but before the values 5 and less where it is welcome:
in a pot of at least three cards that it fills to the threshold or one below, or when fewer than
four cards are left in hand. Of equal actions it draws one. Without a safe action it takes the pot
that costs least, potions of a colour that it will clearly discard not counted, and leaves its
highest card there.

Source: rule sheet, section 8, item 4.
"""

from sim.games.poison.view import safe_actions, strategy
from strategies.poison._actions import any_of, take_cheapest
from strategies.poison._careful import best_safe
from strategies.poison._cost import adjusted_costs


@strategy
def decide(table, me):
    """Return the highest safe potion or a welcome poison, or the cheapest overflow."""
    safe = safe_actions(table, me.legal)
    if safe:
        return any_of(best_safe(table, me, safe), me.rng)
    return take_cheapest(me.legal, adjusted_costs(table, me.seat))
