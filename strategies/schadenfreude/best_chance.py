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

from sim.core.cards import NO_CARD, card_set, count, has, highest, lowest, without
from sim.core.game import Parameter, Words
from sim.core.jit import inlined, kernel
from sim.games.schadenfreude.cards import cards_of_suit, is_wild, rank_of, suit_of
from sim.games.schadenfreude.view import OPEN_SUIT, strategy, unseen_cards
from strategies.schadenfreude._hand import ranks_of
from strategies.schadenfreude._odds import gifts_behind, odds_of, power, seats_behind
from strategies.schadenfreude._race import chance_after, race_of
from strategies.schadenfreude._trick import owner_of, second_strength, taken_with, trick_with

NAME_ZH = "最大胜算"
ABOUT_ZH = "对每张可出的牌，按公式估算这墩和本轮的走势，出胜算最大的一张。"
MEANT_TO_BEAT = ("target40",)
PARAMETERS = (
    Parameter(
        "hand",
        default=50,
        low=0,
        high=300,
        meaning=Words(
            "weight of what the cards left in hand may win later, percent",
            "剩余手牌以后可能赢得之分的权重，百分比",
        ),
    ),
    Parameter(
        "wild",
        default=20,
        low=0,
        high=1000,
        meaning=Words(
            "worth of a wild kept in hand, in thousandths of a win",
            "手中每张万能卡牌的价值，以一次胜利的千分之一计",
        ),
    ),
    Parameter(
        "void",
        default=10,
        low=0,
        high=1000,
        meaning=Words(
            "worth of playing the last card of a suit, in thousandths of a win",
            "打完某花色最后一张的价值，以一次胜利的千分之一计",
        ),
    ),
)
HAND, WILD_KEPT, VOID = 0, 1, 2  # indices into me.parameter

CARDS_WITH_A_WIN = 1.5  # unknown cards that come with a later win


@strategy
def decide(table, me):
    """Return the card with the best chance to win the game."""
    if count(me.legal) == 1:
        return lowest(me.legal)
    race = race_of(table, me, table.rules.hand_size - table.n_tricks - 1)
    best, best_chance = NO_CARD, 0.0
    led_suit, offered = table.led_suit, table.offered
    behind = seats_behind(table, me, led_suit)
    later = chances_behind(table, me, race, led_suit, offered, behind)
    left = me.legal
    while left:
        card = lowest(left)
        left = without(left, card_set(card))
        trick = trick_with(table, me.seat, card)
        if trick.led_suit != led_suit or trick.offered != offered:
            if trick.led_suit != led_suit:
                behind = seats_behind(table, me, trick.led_suit)
            led_suit, offered = trick.led_suit, trick.offered
            later = chances_behind(table, me, race, led_suit, offered, behind)
        chance = chance_by_trick(table, me, race, trick, behind, later)
        chance -= worth_in_hand(table, me, race, card)
        if best == NO_CARD or chance > best_chance:
            best, best_chance = card, chance
    return best


@kernel
def chances_behind(table, me, race, led_suit, offered, behind):
    """Chance to win the game after a win of the seat one, two, three, four places behind."""
    now = race.now
    if led_suit == OPEN_SUIT or behind.able == 0:
        return now, now, now, now
    return (
        chance_behind(table, me, race, led_suit, offered, behind, 1),
        chance_behind(table, me, race, led_suit, offered, behind, 2),
        chance_behind(table, me, race, led_suit, offered, behind, 3),
        chance_behind(table, me, race, led_suit, offered, behind, 4),
    )


@kernel
def chance_behind(table, me, race, led_suit, offered, behind, places):
    """Chance to win the game after a win of a seat so many places behind; `now` if it cannot."""
    if places > behind.able + behind.void:
        return race.now
    seat = (me.seat + places) % table.players
    if has(table.void[seat], led_suit):
        return race.now
    return chance_after(table, me, race, seat, offered, gifts_behind(behind))


@inlined
def chance_by_trick(table, me, race, trick, behind, later):
    """Chance to win the game, over the ways in which the trick may end; `now` without a winner."""
    now = race.now
    if trick.led_suit == OPEN_SUIT:
        return now
    rules, odds, chance = table.rules, odds_of(table.rules, trick, behind), now
    top, second = highest(trick.followers), second_strength(trick)
    winner, taken = owner_of(trick, top), taken_with(rules, trick, top)
    if odds.alone > 0.0:
        gifts = float(behind.able + behind.void)
        after = chance_after(table, me, race, winner, taken, gifts)
        chance += odds.alone * (after - now)
    if odds.top > 0.0:
        after = chance_after(table, me, race, winner, taken, odds.gifts_top)
        chance += odds.top * (after - now)
    if odds.second > 0.0:
        winner, taken = owner_of(trick, second), taken_with(rules, trick, second)
        after = chance_after(table, me, race, winner, taken, odds.gifts_second)
        chance += odds.second * (after - now)
    if odds.behind > 0.0:
        each = odds.behind / behind.able
        chance += each * (later[0] - now)
        chance += each * (later[1] - now)
        chance += each * (later[2] - now)
        chance += each * (later[3] - now)
    return chance


@inlined
def worth_in_hand(table, me, race, card):
    """What the card would be worth if it stayed in the hand for a later trick."""
    if is_wild(card):
        return me.parameter[WILD_KEPT] / 1000.0
    if race.drift.kept == 1.0:
        return 0.0
    suit, rank = cards_of_suit(suit_of(card)), rank_of(card)
    unseen = ranks_of(unseen_cards(table, me) & suit)
    above = count(unseen >> rank) / (count(unseen) + 1)
    n_rivals = table.players - 1
    wins = n_rivals * above * power(1.0 - above, n_rivals - 1)
    won = chance_after(table, me, race, me.seat, card_set(rank), CARDS_WITH_A_WIN)
    worth = me.parameter[HAND] / 100.0 * wins * (won - race.now)
    if me.hand & suit == card_set(card):
        worth -= me.parameter[VOID] / 1000.0
    return worth
