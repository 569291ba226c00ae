"""Do anything that is legal, each canonical action with the same probability; claim at once.

A toast is counted once for each different card and target, a send for each glass and target.

Source: rule sheet, section 8, item 1. The measure of all other strategies.
"""

from sim.core.cards import count, kth
from sim.core.rng import below
from sim.games.kanpai.view import (
    ACT,
    DECLARE,
    GIVE,
    OVERFLOW,
    RETURN,
    SPLIT,
    drop,
    send,
    strategy,
    toast,
)

NAME_ZH = "随机行动"
ABOUT_ZH = "在合法行动里随机选择，每种机会相同；能宣布胜利就立刻宣布。"


@strategy
def decide(table, me):
    """Return a random legal action."""
    if table.phase == ACT:
        n_targets = count(me.toast_to)
        n_toasts = count(me.hand) * n_targets
        n_to = count(me.send_to)
        n_sends = count(me.sends) * n_to
        k = below(me.rng, n_toasts + n_sends + me.may_return)
        if k < n_toasts:
            return toast(kth(me.hand, k // n_targets), kth(me.toast_to, k % n_targets))
        k -= n_toasts
        if k < n_sends:
            return send(kth(me.sends, k // n_to), kth(me.send_to, k % n_to))
        return RETURN
    if table.phase == SPLIT:
        return GIVE + kth(me.pairs, below(me.rng, count(me.pairs)))
    if table.phase == OVERFLOW:
        return drop(kth(me.drops, below(me.rng, count(me.drops))))
    return DECLARE
