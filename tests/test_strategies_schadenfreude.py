"""The strategies for 幸灾乐祸: what each plays in a given situation, and what they reckon with.

That all are legal, repeatable and write nothing is tested in `test_conformance.py`.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Iterator
from math import comb
from typing import Any

import pytest

from sim import catalog
from sim.core.engine import Table
from sim.core.game import SHARE_UNIT
from sim.games.schadenfreude import GAME
from sim.games.schadenfreude.view import NOBODY, OPEN_SUIT
from strategies.schadenfreude._hand import middle_number, ranks_held_most, ranks_of
from strategies.schadenfreude._odds import gifts_behind, odds_of, seats_behind, win_chance
from strategies.schadenfreude._race import (
    MOST_POINTS,
    STEERED,
    STEP,
    below_curve,
    drift_of,
    half_width,
    race_of,
)
from strategies.schadenfreude._trick import (
    gain,
    owner_of,
    pile_of,
    second_strength,
    taken_with,
    trick_with,
    winning_strength,
)
from tests.arena import entrant, lineup, random_switches
from tests.games.schadenfreude.positions import Cards, dealt
from tests.positions import argument

both_modes = pytest.mark.both_modes


def choice(spec: str, game: Cards) -> str:
    """The card that a strategy plays here, for the seat to act."""
    me = game.observe()
    parsed = catalog.parse(spec, GAME.name)
    for i, value in enumerate(parsed.values):
        me.parameter[i] = value
    decide = entrant(GAME.name, parsed.file.name).decide
    return game.names[decide(argument(game.table), argument(me))]


def about_to_play(hand: str, laid: str = "", players: int = 3, **switches: Any) -> Cards:
    """The seat with this hand is to act after these cards; seat 0 led and nothing was played yet.

    The others hold as many cards: the one they have laid and some that do not matter.
    """
    cards, size = laid.split(), len(hand.split())
    spare = [f"{suit}{n}" for suit in "ABCD" for n in range(1, 10)]
    spare = [name for name in spare if name not in cards and name not in hand.split()]
    hands = []
    for seat in range(players):
        if seat == len(cards):
            hands.append(hand)
            continue
        own = cards[seat : seat + 1]
        while len(own) < size:
            own.append(spare.pop())
        hands.append(" ".join(own))
    return dealt(*hands, **switches).play(laid)


# highest


@both_modes
@pytest.mark.parametrize(
    ("hand", "laid", "card"),
    [
        ("A7 B9 W1", "", "B9"),  # leads its highest number
        ("D9 B9 C1", "", "B9"),  # of equal numbers the first suit
        ("A3 A8 B9 W1", "A5", "A8"),  # follows high
        ("A-3 A-1 B9", "A5", "A-1"),
        ("B1 C9 W1", "A5", "C9"),  # cannot follow
        ("W2", "A5", "W2"),  # a wild only if forced
        ("W1 W2", "", "W1"),
    ],
)
def test_highest(hand: str, laid: str, card: str) -> None:
    assert choice("highest", about_to_play(hand, laid)) == card


# lowest


@both_modes
@pytest.mark.parametrize(
    ("hand", "laid", "card"),
    [
        ("A7 B-2 W1", "", "B-2"),  # leads its lowest number
        ("A5 B5 C-1", "", "C-1"),  # copies do not count when it leads
        ("A3 A8 B-3 W1", "A5", "A3"),  # follows low
        ("B5 C5 D-1", "A5", "B5"),  # cannot follow: the number held most
        ("B5 C5 D1 B1", "A5", "B1"),  # of those the lowest
        ("B5 C5 D5 B1 C1", "A5", "B5"),
        ("B9 C2 D3", "A5", "C2"),  # one copy of each: the lowest
        ("B9 W1", "A5", "B9"),
        ("W2", "A5", "W2"),
        ("B5 C5 D1 W1", "W2", "D1"),  # no suit led yet
    ],
)
def test_lowest(hand: str, laid: str, card: str) -> None:
    assert choice("lowest", about_to_play(hand, laid)) == card


# last_exact


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "laid", "card"),
    [
        ("last_exact", "A2 A5 A7 B9", "", "A2"),  # leads a 2 of three cards
        ("last_exact", "A2 A5 A7 B2 B3 B4 B9", "", "B2"),  # of the longest suit
        ("last_exact", "A3 A4 B2 B5", "", "A3"),  # no such suit: the middle
        ("last_exact:length=2", "A3 A4 B2 B5", "", "B2"),
        ("last_exact:lead=4:length=2", "A3 A4 B2 B5", "", "A4"),
        ("last_exact", "A2 A5 A7 W1", "A9", "A5"),  # second to play: the middle
        ("last_exact", "W1", "A9", "W1"),
        ("last_exact", "A4 A8", "A7 A1", "A4"),  # last: wins 4, where A8 gives seat 0 a 7
        ("last_exact", "A5 A8", "A7 B9", "A5"),  # wins the 9 too
        ("last_exact", "B9 C-3", "A7 A3", "C-3"),  # makes nothing of the 3 that seat 1 wins
        ("last_exact", "A4 W1", "A7 A1", "A4"),
    ],
)
def test_last_exact(spec: str, hand: str, laid: str, card: str) -> None:
    assert choice(spec, about_to_play(hand, laid)) == card


@both_modes
def test_last_exact_does_not_pass_the_limit() -> None:
    game = about_to_play("A4 A8", "A7 A1").set_totals(0, 0, 38)
    assert choice("last_exact", game) == "A8"


@both_modes
def test_last_exact_sends_others_over_the_limit() -> None:
    game = about_to_play("B9 C-3", "A7 A3").set_totals(0, 30, 0)
    assert choice("last_exact", game) == "B9"


@both_modes
def test_last_exact_cancels_what_others_have() -> None:
    game = about_to_play("B9 C-3", "A7 A3").set_piles([], [9], [])
    assert choice("last_exact", game) == "B9"


@both_modes
def test_last_exact_lets_nobody_collect_if_that_is_the_rule() -> None:
    plain = about_to_play("A9 W1", "B-3 W2", players=4, hand_size=2)
    assert choice("last_exact", plain) in ("A9", "W1")
    last = about_to_play("A9 W1", "B8 W2")  # seat 0 alone follows: he collects 8, and 17 with A9
    assert choice("last_exact", last) == "W1"
    discarded = about_to_play("A9 W1", "B8 W2", single_follower="discarded")
    assert choice("last_exact", discarded) == "A9"  # all the same: the first card


# greedy_gain


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "laid", "total", "pile", "card"),
    [
        ("greedy_gain", "A4 A8", "A7 A1", 0, [], "A4"),  # wins 4
        ("greedy_gain", "A5 A8", "A7 B9", 0, [], "A5"),  # wins 5 and 9
        ("greedy_gain", "A5 A8", "A7 B9", 0, [5, 9], "A8"),  # both would cancel
        ("greedy_gain", "A-2 A8", "A7 B1", 0, [], "A8"),  # would win 1 - 2
        ("greedy_gain", "A-2 A8", "A7 B1", 0, [-2, 3], "A-2"),  # loses the -2 of its pile
        ("greedy_gain", "A4 A8", "A7 A1", 37, [], "A8"),  # 37 is where it stops
        ("greedy_gain", "A4 A8", "A7 A1", 28, [5], "A4"),  # 33 + 4 is just that
        ("greedy_gain:stop=8", "A4 A8", "A7 A1", 28, [5], "A8"),
        ("greedy_gain", "B9 W1", "A7 A1", 0, [], "B9"),  # cannot win: the first card
    ],
)
def test_greedy_gain(
    spec: str, hand: str, laid: str, total: int, pile: list[int], card: str
) -> None:
    game = about_to_play(hand, laid).set_totals(0, 0, total).set_piles([], [], pile)
    assert choice(spec, game) == card


@both_modes
def test_greedy_gain_knows_when_nobody_can_follow() -> None:
    suit = "A-3 A-2 A-1 A1 A2 A3 A4 A5 A6 A7 A8 A9"
    assert choice("greedy_gain", about_to_play(suit)) == "A9"


# target40


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "totals", "card"),
    [
        ("target40", "A5 A8", (0, 0, 20), "A5"),  # 20 + 5 + 9
        ("target40", "A5 A8", (0, 0, 30), "A8"),  # 44 would be over
        ("target40", "A5 A8", (0, 0, 26), "A5"),  # 40 is not
        ("target40:limit=35", "A5 A8", (0, 0, 26), "A8"),
        ("target40:limit=1000", "A5 A8", (0, 0, 30), "A8"),  # the rules' limit stays
    ],
)
def test_target40(spec: str, hand: str, totals: tuple[int, ...], card: str) -> None:
    assert choice(spec, about_to_play(hand, "A7 B9").set_totals(*totals)) == card


@both_modes
@pytest.mark.parametrize(
    ("spec", "card"),
    [
        ("target40:close=0", "A2"),  # 37 is more than 35
        ("target40", "A8"),  # 35 is best when seat 0 has gone over with his 7
    ],
)
def test_target40_looks_at_the_rank_near_the_end(spec: str, card: str) -> None:
    game = about_to_play("A2 A8", "A7 A1").set_totals(38, 0, 35)
    assert choice(spec, game) == card


@both_modes
def test_target40_knows_other_limits() -> None:
    game = about_to_play("A5 A8", "A7 B9", limit=60).set_totals(0, 0, 44)
    assert choice("target40:limit=60", game) == "A5"
    strict = about_to_play("A5 A8", "A7 B9", limit_mode="at_least").set_totals(0, 0, 26)
    assert choice("target40", strict) == "A8"


# saboteur


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "laid", "totals", "pile", "card"),
    [
        ("saboteur", "B9 C-3", "A7 A3", (0, 0, 0), [], "C-3"),  # takes 3 from seat 1
        ("saboteur", "B9 C-3", "A7 A3", (0, 30, 0), [], "B9"),  # 42 is over
        ("saboteur", "B9 C-3", "A7 A3", (0, 0, 0), [9], "B9"),  # cancels his 9
        ("saboteur", "C-3 W1", "A7 A3", (0, 38, 0), [], "W1"),  # 41 without the -3
        ("saboteur", "A5 A8", "A7 A3", (36, 0, 0), [], "A8"),  # makes seat 0 second: 43
        ("saboteur", "A5 A8", "A7 A3", (0, 0, 0), [], "A5"),  # wins itself, rather
        ("saboteur:own=0", "A5 A8", "A7 A3", (0, 0, 36), [], "A5"),  # at any cost
        ("saboteur", "A5 A8", "A7 A3", (0, 0, 36), [], "A8"),
    ],
)
def test_saboteur(
    spec: str, hand: str, laid: str, totals: tuple[int, ...], pile: list[int], card: str
) -> None:
    game = about_to_play(hand, laid).set_totals(*totals).set_piles([], pile, [])
    assert choice(spec, game) == card


# wild_keeper


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "laid", "total", "pile", "card"),
    [
        ("wild_keeper", "A4 W1", "A7 A1", 10, [], "A4"),  # keeps it
        ("wild_keeper", "A4 W1", "A7 A1", 38, [], "W1"),  # 42 would be over
        ("wild_keeper", "A4 W1", "A7 A1", 10, [4], "W1"),  # would lose the 4 of its pile
        ("wild_keeper", "A4 A8 W1", "A7 A1", 38, [], "A8"),  # another number will do
        ("wild_keeper", "B4 W1", "A7 A1", 38, [], "B4"),  # cannot win
        ("wild_keeper:risk=100", "A4 W1", "A7 A1", 38, [], "A4"),
        ("wild_keeper", "W1 W2", "A7 A1", 38, [], "W1"),
        ("wild_keeper", "A5 A8", "A7 B9", 20, [], "A5"),  # like target40
        ("wild_keeper", "A5 A8", "A7 B9", 30, [], "A8"),
    ],
)
def test_wild_keeper(
    spec: str, hand: str, laid: str, total: int, pile: list[int], card: str
) -> None:
    game = about_to_play(hand, laid).set_totals(0, 0, total).set_piles([], [], pile)
    assert choice(spec, game) == card


# best_chance


@both_modes
@pytest.mark.parametrize(
    ("hand", "laid", "totals", "card"),
    [
        ("A5 A8", "A7 B9", (5, 5, 5), "A5"),  # 19 is well placed
        ("A5 A8", "A7 B9", (20, 20, 20), "A8"),  # 34 is too near the limit for another round
        ("A5 A8", "A7 B9", (20, 20, 38), "A8"),  # 52 loses
        ("A2 A8", "A7 A1", (38, 0, 35), "A8"),  # seat 0 goes over with his 7
        ("B9 C-3", "A7 A3", (0, 35, 30), "B9"),  # seat 1 goes over
        ("B1 C-3", "A7 A3", (0, 38, 30), "B1"),
        ("A4 W1", "A7 A1", (20, 20, 38), "W1"),
        ("A3", "A7 A1", (20, 20, 38), "A3"),  # forced
    ],
)
def test_best_chance(hand: str, laid: str, totals: tuple[int, ...], card: str) -> None:
    assert choice("best_chance", about_to_play(hand, laid).set_totals(*totals)) == card


@both_modes
@pytest.mark.parametrize(
    ("own", "rivals", "chance"),
    [
        (39, (35, 41), 1.0),  # best below a seat that is over
        (38, (39, 41), 0.0),
        (38, (38, 41), 0.5),
        (41, (35, 30), 0.0),
        (40, (44, 52), 1.0),
        (0, (41, 41), 1.0),
        (20, (20, 20), 1 / 3),  # the game goes on
    ],
)
def test_chances_are_exact_when_the_round_is_over(
    own: int, rivals: tuple[int, int], chance: float
) -> None:
    game = dealt("A1", "B1", "C1").set_totals(own, *rivals)
    table, me = argument(game.table), argument(game.observe())
    assert race_of(table, me, 0).now == pytest.approx(chance, abs=1e-6)


@both_modes
def test_a_pile_drifts_to_half_the_sum_of_its_numbers() -> None:
    for switches, middle in [({}, 16.5), ({"removed_3p": []}, 19.5)]:
        rules = Cards(3, **switches).table.rules
        assert drift_of(rules, 3, 0).kept == 1.0
        assert drift_of(rules, 3, 11).middle == middle
        assert drift_of(rules, 3, 11).kept < drift_of(rules, 3, 5).kept < 1.0


@both_modes
def test_there_are_points_enough_for_the_widest_spread() -> None:
    for rank_set in ("minus3_no_zero", "minus2_to_9"):
        rules = Cards(5, rank_set=rank_set).table.rules
        widest = half_width(drift_of(rules, 5, 15), 0.0) + STEERED
        assert 2 * widest / STEP + 1 < MOST_POINTS


@both_modes
def test_the_curve_has_the_variance_it_is_used_for() -> None:
    n = 4000
    edges = [2 * i / n - 1 for i in range(n + 1)]
    shares = [below_curve(b) - below_curve(a) for a, b in itertools.pairwise(edges)]
    assert min(shares) >= 0
    assert sum(shares) == pytest.approx(1)
    variance = sum(s * (a + 1 / n) ** 2 for s, a in zip(shares, edges, strict=False))
    assert variance == pytest.approx(1 / 7, abs=1e-5)


def test_the_strongest_wins_twice_its_share() -> None:
    """At a table of four with three `uniform`: 52 % (standard error 0.5 here)."""
    table = Table(
        GAME, 4, GAME.defaults(), lineup(GAME, 4, "best_chance", *["uniform"] * 3), 5, "strategies"
    )
    totals = table.play(0, 2000).totals
    assert totals is not None
    assert totals["sum"][0, 0, 0] / SHARE_UNIT / totals["games"][0] > 0.49


# What all of them reckon with


def random_games(n: int, seed: str) -> Iterator[Cards]:
    """Every position of games with random rules and legal cards."""
    rng = random.Random(seed)
    for deal in range(n):
        players = rng.choice(GAME.players)
        game = Cards(players, **random_switches(GAME, players, rng)).start(1, deal)
        for _ in range(60):
            if game.is_over:
                break
            yield game
            legal = game.observe().legal
            game.apply(rng.choice([card for card in range(50) if legal >> card & 1]))


@both_modes
def test_a_trick_with_a_card_is_what_the_rules_make_of_it() -> None:
    for game in random_games(30, "tricks"):
        table, me = game.table, game.observe()
        card = me.legal.bit_length() - 1
        trick = trick_with(argument(table), me.seat, card)
        strength = winning_strength(table.rules, trick)
        before, n_tricks, round_ = list(game.state.pile), table.n_tricks, table.round
        if table.n_laid + 1 < table.players:
            copy = Cards(game.players, **game.switches)
            copy.state.data[:] = game.state.data
            copy.apply(card)
            after = copy.table
            assert trick.led_suit == after.led_suit
            assert trick.followers == after.followers
            assert trick.offered == after.offered
            for s in range(14):
                if trick.followers >> s & 1:
                    assert owner_of(trick, s) == after.owners >> 4 * s & 15
        elif n_tricks + 1 < table.rules.hand_size:
            copy = Cards(game.players, **game.switches)
            copy.state.data[:] = game.state.data
            copy.apply(card)
            winner = owner_of(trick, strength) if strength != NOBODY else NOBODY
            assert copy.table.round == round_
            assert copy.table.won_by[n_tricks] == winner
            if winner != NOBODY:
                before[winner] ^= taken_with(table.rules, trick, strength)
            assert list(copy.state.pile) == before


@both_modes
def test_piles_are_remembered_where_they_are_not_shown() -> None:
    shown = set()
    for game in random_games(30, "piles"):
        shown.add(game.table.rules.open_piles)
        for seat in range(game.players):
            assert pile_of(argument(game.table), seat) == game.state.pile[seat]
    assert shown == {0, 1}


@both_modes
def test_chances_of_a_trick_add_up() -> None:
    for game in random_games(30, "odds"):
        table, me = argument(game.table), game.observe()
        card = me.legal.bit_length() - 1
        trick = trick_with(table, me.seat, card)
        behind = seats_behind(table, argument(me), trick.led_suit)
        odds = odds_of(game.table.rules, trick, behind)
        chances = (odds.alone, odds.top, odds.second, odds.behind)
        assert all(-1e-12 <= chance <= 1 + 1e-12 for chance in chances)
        gifts = (odds.gifts_top, odds.gifts_second, gifts_behind(behind))
        assert all(0 <= cards <= game.players for cards in gifts)
        for strength, chance in (
            (trick.followers.bit_length() - 1, odds.alone + odds.top),
            (second_strength(trick), odds.second),
        ):
            if strength >= 0:
                assert win_chance(game.table.rules, trick, behind, strength) == chance
        if trick.led_suit == OPEN_SUIT:
            assert sum(chances) == 0
        elif not game.table.rules.single_discarded:
            assert sum(chances) == pytest.approx(1)


@both_modes
def test_chance_to_lack_a_suit_is_hypergeometric() -> None:
    game = dealt("A5 A9 B1", "A8 B7 B8", "B2 B3 B4").play("A5")
    me = argument(game.observe())
    behind = seats_behind(argument(game.table), me, 0)
    # 46 of 50 cards are unseen, 10 of them of suit A; seat 2 holds three.
    assert (behind.able, behind.void, behind.unseen.bit_count()) == (1, 0, 10)
    assert behind.lacks == pytest.approx(comb(36, 3) / comb(46, 3))


@both_modes
def test_a_seat_that_has_shown_to_lack_the_suit_does_not_follow() -> None:
    game = dealt("A5 A9", "A8 A7", "B2 B3").play("A5 A8 B2")
    assert game.table.leader == 0
    behind = seats_behind(argument(game.table), argument(game.observe()), 0)
    assert (behind.able, behind.void) == (1, 1)


@both_modes
@pytest.mark.parametrize(
    ("pile", "taken", "points"),
    [([], [5], 5), ([5], [5], -5), ([5, 8], [5, 9], 4), ([-3], [-3], 3), ([], [-3, 2], -1)],
)
def test_gain_of_a_pile(pile: list[int], taken: list[int], points: int) -> None:
    game = Cards(4)
    assert gain(game.table.rules, game.ranks(pile), game.ranks(taken)) == points


@both_modes
@pytest.mark.parametrize(
    ("hand", "held_most", "middle"),
    [
        ("A1 B1 C1 D1 A2", [1], "C1"),
        ("A1 B1 C1 A2 B2 C2 D3", [1, 2], "A2"),
        ("A1 B1 C2 D2 A9", [1, 2], "C2"),
        ("A-3 B9", [-3, 9], "A-3"),
        ("W1", [], "W1"),
    ],
)
def test_numbers_of_a_hand(hand: str, held_most: list[int], middle: str) -> None:
    game = Cards(4)
    cards = game.cards(hand)
    assert ranks_held_most(cards) == game.ranks(held_most)
    assert game.names[middle_number(cards)] == middle
    numbers = {int(name[1:]) for name in hand.split() if name[0] != "W"}
    assert ranks_of(cards) == game.ranks(sorted(numbers))
