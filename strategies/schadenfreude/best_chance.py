"""Play the card with the best chance to win the game, by a formula for who stands where at the end.

For every legal card it goes through the ways the trick may end (who wins it, what he takes, how
many unknown cards the seats behind will add) and computes for each the chance to win the game:
that somebody passes the limit in this round and nobody stands between its own total and the limit,
or else that the game goes on and it wins later. Rivals' piles are taken to drift at random to the
end of the round, its own total to stay, since it can steer.

To steer it looks after its hand. A card that stays in the hand is worth `hand` percent of what
winning with it would change, times the chance that just one rival has a higher one. A wild is worth
`wild`, and playing the last card of a suit `void` thousandths of a win.

Source: own. The measured numbers of the drift stand in `_race.py`; the parameters were found by
trying a few values of each in 10,000 deals of one against three `uniform`, and are flat around.
"""

from sim.core.cards import NO_CARD, card_set, count, highest, lowest, without
from sim.core.game import Parameter
from sim.core.jit import kernel
from sim.games.schadenfreude.cards import cards_of_suit, is_wild, rank_of, suit_of
from sim.games.schadenfreude.view import OPEN_SUIT, strategy, unseen_cards
from strategies.schadenfreude._hand import ranks_of
from strategies.schadenfreude._odds import odds_of, power, seats_behind
from strategies.schadenfreude._race import chance_after, chance_to_win, drift_of, rivals_now
from strategies.schadenfreude._trick import owner_of, second_strength, taken_with, trick_with

NAME_ZH = "最大胜算"
PARAMETERS = (
    Parameter("hand", 50, low=0, high=300, meaning="weight of later wins, percent"),
    Parameter("wild", 20, low=0, high=1000, meaning="worth of a wild, thousandths of a win"),
    Parameter("void", 10, low=0, high=1000, meaning="worth of a void, thousandths of a win"),
)
HAND, WILD_KEPT, VOID = 0, 1, 2  # indices into me.parameter

CARDS_WITH_A_WIN = 1.5  # unknown cards that come with a later win


@strategy
def decide(table, me):
    """Return the card with the best chance to win the game."""
    if count(me.legal) == 1:
        return lowest(me.legal)
    drift = drift_of(table.rules, table.players, table.rules.hand_size - table.n_tricks - 1)
    rivals = rivals_now(table, me, drift)
    now = chance_to_win(table, me, drift, rivals, 0, 0.0)
    best, best_chance = NO_CARD, 0.0
    led_suit, behind = table.led_suit, seats_behind(table, me, table.led_suit)
    left = me.legal
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        trick = trick_with(table, me.seat, card)
        if trick.led_suit != led_suit:
            led_suit, behind = trick.led_suit, seats_behind(table, me, trick.led_suit)
        chance = chance_by_trick(table, me, drift, rivals, now, trick, behind)
        chance -= worth_in_hand(table, me, drift, rivals, now, card)
        if best == NO_CARD or chance > best_chance:
            best, best_chance = card, chance
    return best


@kernel
def chance_by_trick(table, me, drift, rivals, now, trick, behind):
    """Chance to win the game, over the ways in which the trick may end; `now` without a winner."""
    if trick.led_suit == OPEN_SUIT:
        return now
    rules, odds, chance = table.rules, odds_of(table.rules, trick, behind), now
    top, second = highest(trick.followers), second_strength(trick)
    winner, taken = owner_of(trick, top), taken_with(rules, trick, top)
    if odds.alone > 0.0:
        gifts = float(behind.able + behind.void)
        after = chance_after(table, me, drift, rivals, winner, taken, gifts)
        chance += odds.alone * (after - now)
    if odds.top > 0.0:
        after = chance_after(table, me, drift, rivals, winner, taken, odds.gifts_top)
        chance += odds.top * (after - now)
    if odds.second > 0.0:
        winner, taken = owner_of(trick, second), taken_with(rules, trick, second)
        after = chance_after(table, me, drift, rivals, winner, taken, odds.gifts_second)
        chance += odds.second * (after - now)
    if odds.behind > 0.0:
        seat = me.seat
        for _ in range(behind.able + behind.void):
            seat = seat + 1 if seat + 1 < table.players else 0
            if (table.void[seat] >> trick.led_suit) & 1 == 0:
                cards = odds.gifts_behind
                after = chance_after(table, me, drift, rivals, seat, trick.offered, cards)
                chance += odds.behind / behind.able * (after - now)
    return chance


@kernel
def worth_in_hand(table, me, drift, rivals, now, card):
    """What the card would be worth if it stayed in the hand for a later trick."""
    if is_wild(card):
        return me.parameter[WILD_KEPT] / 1000.0
    if drift.kept == 1.0:
        return 0.0
    suit, rank = cards_of_suit(suit_of(card)), rank_of(card)
    unseen = ranks_of(unseen_cards(table, me) & suit)
    above = count(unseen >> rank) / (count(unseen) + 1)
    n_rivals = table.players - 1
    wins = n_rivals * above * power(1.0 - above, n_rivals - 1)
    won = chance_to_win(table, me, drift, rivals, card_set(rank), CARDS_WITH_A_WIN)
    worth = me.parameter[HAND] / 100.0 * wins * (won - now)
    if me.hand & suit == card_set(card):
        worth -= me.parameter[VOID] / 1000.0
    return worth
