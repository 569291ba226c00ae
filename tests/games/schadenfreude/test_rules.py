"""The rules of 幸灾乐祸, asked of the kernels: scenarios S-01 to S-41 of the rule sheet, and more.

Cards are text, plays stand in the order of play. The ids are those of the sheet.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import product
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.core.engine import Table
from sim.core.game import SHARE_UNIT
from sim.core.jit import JIT
from sim.core.rng import STREAM, open_stream
from sim.games.schadenfreude import GAME
from sim.games.schadenfreude.cards import NUMBERS, WILD
from sim.games.schadenfreude.view import pile_sum, sample_world
from sim.probe import switches_with
from tests.arena import lineup, random_switches, rounds_of
from tests.games.schadenfreude.positions import SCORELESS, Cards, dealt
from tests.positions import Position, argument, blank

pytestmark = pytest.mark.both_modes

UNLIKELY = 1e-5  # a test of chance fails below; its seeds are fixed


def trick(
    plays: str, pile: list[int] | None = None, **switches: Any
) -> tuple[int | None, str, Any]:
    """Play a trick that seat 0 leads, as the first of two.

    Returns the winner, the cards he takes, sorted, and the numbers in his pile afterwards. Each
    seat has one card more, of a suit that is not led, so that the round goes on.
    """
    cards = plays.split()
    led = next(name[0] for name in cards if name[0] != "W")
    spare = [f"{suit}{n}" for suit in "ABCD" if suit != led for n in range(1, 10)]
    spare = [name for name in spare if name not in cards]
    hands = [f"{card} {extra}" for card, extra in zip(cards, spare, strict=False)]
    game = dealt(*hands, **switches).set_piles(*[pile or []] * len(cards))
    event = game.play(plays).events()[-1]
    assert event["type"] == "trick"
    assert event["piles"] == game.piles()
    winner = event["winner"]
    after = None if winner is None else game.piles()[winner]
    return winner, " ".join(sorted(event["takes"])), after


def takes(text: str) -> str:
    return " ".join(sorted(text.split()))


def rounds(plays: str, *others: str, **switches: Any) -> Cards:
    """Play rounds of one trick each from a first deal; seat 0 leads all of them."""
    game = dealt(*plays.split(), **switches).play(plays)
    for round_ in others:
        game.hold(*round_.split()).play(round_)
    return game


# Trick winner


def test_s01_second_highest_wins() -> None:
    assert trick("A7 A1 A-3") == (1, "A1", [1])


def test_s02_equal_numbers_of_one_trick_cancel() -> None:
    assert trick("A7 A1 A-3 B1") == (1, takes("A1 B1"), [])
    assert trick("A7 A1 A-3 B1", pile=[1]) == (1, takes("A1 B1"), [1])


def test_s03_only_led_card_wins() -> None:
    assert trick("A5 B9 C2") == (0, takes("A5 B9 C2"), [2, 5, 9])
    assert sum([2, 5, 9]) == 16


def test_s04_off_suit_cards_go_to_the_winner() -> None:
    assert trick("A9 B8 A2") == (2, takes("A2 B8"), [2, 8])


def test_s05_first_number_card_after_a_wild_sets_the_suit() -> None:
    assert trick("W1 A4 A9 A6") == (3, "A6", [6])


def test_s06_two_wilds_lead() -> None:
    assert trick("W1 W2 D3") == (2, "D3", [3])
    assert trick("W2 W1 D3") == (2, "D3", [3])


def test_s07_wild_is_not_compared() -> None:
    assert trick("A5 W1 A2") == (2, "A2", [2])
    assert trick("A5 W2 A2") == (2, "A2", [2])


def test_s08_two_wilds_follow() -> None:
    assert trick("A5 W1 W2") == (0, "A5", [5])


def test_s09_negative_off_suit_card_is_taken() -> None:
    assert trick("A9 A8 B-3") == (1, takes("A8 B-3"), [-3, 8])


def test_s10_negative_numbers_in_order() -> None:
    assert trick("A-1 A-3 A-2") == (2, "A-2", [-2])


def test_s11_five_players_two_nines_cancel() -> None:
    assert trick("A4 A-1 B9 C9 A6") == (0, takes("A4 B9 C9"), [4])


def test_s12_wild_lead_then_a_single_led_card() -> None:
    assert trick("W1 B2 A9 A8") == (1, takes("B2 A9 A8"), [2, 8, 9])


def test_s13_four_equal_numbers() -> None:
    assert trick("A3 B3 C3 D3") == (0, takes("A3 B3 C3 D3"), [])
    assert trick("A3 B3 C3 D3", pile=[3]) == (0, takes("A3 B3 C3 D3"), [3])


def test_s14_wild_among_off_suit_cards() -> None:
    winner, taken, pile = trick("A3 B-2 W1 C-2")
    assert (winner, taken, pile) == (0, takes("A3 B-2 C-2"), [3])


# Legal plays


def test_s15_follow_the_led_suit_or_play_a_wild() -> None:
    def after_lead(lead: str, hand: str) -> str:
        size = len(hand.split())
        first = [lead, "D1", "D2", "D3"][:size]
        third = ["B1", "B2", "B3", "B4"][:size]
        return dealt(" ".join(first), hand, " ".join(third)).play(lead).legal()

    assert after_lead("A1", "A3 A8 B9 W1") == "A3 A8 W1"
    assert after_lead("A1", "A3 B9") == "A3"
    assert after_lead("A1", "B9 C1 W1") == "B9 C1 W1"
    assert after_lead("W2", "A3 A8 B9 W1") == "A3 A8 B9 W1"  # the suit is open
    assert dealt("A3 B9 W1", "A4 A5 A6", "B1 B2 B3").legal() == "A3 B9 W1"  # the lead


def test_s16_second_player_is_free_after_a_wild_lead() -> None:
    game = dealt("W1 A1 A2 A3", "A4 B4 C4 D3", "C5 B5 D5 W2").play("W1")
    assert game.legal() == "A4 B4 C4 D3"
    assert game.play("D3").legal() == "D5 W2"


# Cancelling


@pytest.mark.parametrize(
    ("pile", "plays", "after"),
    [
        ([5], "A9 A5 B5", [5]),
        ([5], "A9 A5 B5 C5", []),
        ([], "A9 A5 B5 C5", [5]),  # the seed's example
        ([], "A9 A5 B5", []),
    ],
)
def test_s17_only_the_parity_of_a_number_counts(
    pile: list[int], plays: str, after: list[int]
) -> None:
    assert trick(plays, pile) == (1, takes(plays[3:]), after)


def test_s18_each_number_cancels_for_itself() -> None:
    assert trick("A9 A5 B8", pile=[5, 8]) == (1, takes("A5 B8"), [])
    assert trick("A9 A-3 W1", pile=[-3]) == (1, "A-3", [])


def test_s19_seats_do_not_cancel_each_other() -> None:
    game = dealt("A9 B1", "A7 C1", "B2 D1").set_piles([7], [])
    assert game.play("A9 A7 B2").piles() == [[7], [2, 7], []]


def test_s20_pile_above_the_limit_during_the_round() -> None:
    game = dealt("A9 A5 D7", "B8 B4 D8", "C7 C3 D1", "D6 W1 D2")
    game.play("A9 B8 C7 D6 A5 B4 C3 W1")
    assert game.piles() == [[3, 4, 5, 6, 7, 8, 9], [], [], []]
    assert pile_sum(game.table.rules, game.state.pile[0]) == 42
    assert not game.is_over
    game.play("D7 D8 D1 D2")  # second highest: D7 cancels C7
    assert game.totals() == [35, 0, 0, 0]
    assert not game.is_over


# Round and game end


def test_s21_round_score_is_the_sum_of_the_pile() -> None:
    for rank_set, numbers in NUMBERS.items():
        game = dealt("A1", "B1", "C1", rank_set=rank_set)
        printed = argument(game.table.rules)
        for pile in range(0, 1 << len(numbers), 7):
            expected = sum(number for rank, number in enumerate(numbers) if pile >> rank & 1)
            assert pile_sum(printed, pile) == expected
    game = dealt("W1", "B5", "W2").set_piles([-3, 2, 9], [], [])
    assert game.play("W1 B5 W2").events()[3:4] == [
        {"type": "trick", "winner": 1, "takes": ["B5"], "piles": [[-3, 2, 9], [5], []]}
    ]
    assert list(game.table.last_round[:3]) == [8, 5, 0]


def test_s22_totals_do_not_fall_below_zero() -> None:
    piles = ([-3, -2, -1], [-3], [-3], [])
    game = dealt("W1", "A-1", "A-2", "A1").set_totals(3, 0, 5, 0).set_piles(*piles)
    game.play("W1 A-1 A-2 A1")  # seat 1 takes A-1
    assert game.totals() == [0, 0, 2, 0]
    assert list(game.table.last_round[:4]) == [-6, -4, -3, 0]
    game = dealt("W1", "A-1", "A-2", "A1", floor="none").set_totals(3, 0, 5, 0)
    game.set_piles(*piles).play("W1 A-1 A-2 A1")
    assert game.totals() == [-3, -4, 2, 0]


@pytest.mark.parametrize(("card", "total"), [("A2", 40), ("A3", 41)])
def test_s23_game_ends_above_the_limit(card: str, total: int) -> None:
    game = dealt(card, "W1", "W2").set_totals(38, 12, 7).play(f"{card} W1 W2")
    assert game.totals() == [total, 12, 7]
    assert game.is_over is (total > 40)
    assert game.table.round == (1 if game.is_over else 2)


def test_s24_best_round_busts_at_once() -> None:
    game = dealt("A9", "W1", "W2").set_piles([1, 2, 3, 4, 5, 6, 7, 8]).play("A9 W1 W2")
    assert game.totals() == [45, 0, 0]
    assert game.is_over
    assert game.outcome()["bust"] == [1, 0, 0]
    assert game.winners() == [1, 2]


def ended(*totals: int, last: tuple[int, ...] = (), **switches: Any) -> Cards:
    """A game that has ended with these totals; `last` are piles of one number, already counted."""
    before = [total - score for total, score in zip(totals, last or [0] * 5, strict=False)]
    plays = ["A5", "B9", "C2", "D3", "D4"][: len(totals)]
    game = dealt(*plays, **{**SCORELESS, **switches}).set_totals(*before)
    game.set_piles(*([score] if score else [] for score in last)).play(" ".join(plays))
    assert game.is_over
    assert game.totals() == list(totals)
    return game


def test_s25_examples_of_the_seed() -> None:
    assert ended(39, 35, 41).winners() == [0]
    assert ended(40, 38, 42).winners() == [0]
    assert ended(38, 38, 41).winners() == [0, 1]
    assert ended(41, 43, 45).winners() == []


def test_s26_shared_wins() -> None:
    game = ended(41, 12, 12, 12)
    assert game.winners() == [1, 2, 3]
    third = SHARE_UNIT // 3
    assert game.outcome()["win_share"] == [0, third, third, third]
    assert game.outcome()["shared"] == 1
    game = ended(0, 0, 41)
    assert game.winners() == [0, 1]
    assert game.outcome()["score"] == [0, 0, 41]


def test_s27_all_over_and_limit_mode() -> None:
    assert ended(41, 43, 45).outcome()["nobody"] == 1
    assert ended(41, 43, 45, all_over="lowest_wins").winners() == [0]
    assert ended(43, 41, 41, all_over="lowest_wins").winners() == [1, 2]
    assert ended(40, 38, 42, limit_mode="at_least").winners() == [1]
    both = {"limit_mode": "at_least", "all_over": "lowest_wins"}
    assert ended(42, 41, 40, **both).winners() == [2]
    assert ended(42, 41, 40, **both).outcome()["busts"] == 3


def test_top_tie_goes_to_the_smaller_last_round() -> None:
    lower = {"top_tie": "latest_lower_round"}
    assert ended(38, 38, 41, last=(5, 9, 1), **lower).winners() == [0]
    assert ended(38, 38, 38, 41, last=(5, 5, 9, 1), **lower).winners() == [0, 1]
    assert ended(38, 36, 41, last=(9, 5, 1), **lower).winners() == [0]
    assert ended(38, 38, 41, last=(-3, -1, 1), **lower).winners() == [0]
    assert ended(41, 41, 45, last=(9, 5, 1), all_over="lowest_wins", **lower).winners() == [1]
    assert ended(41, 41, 45, last=(9, 5, 1), all_over="lowest_wins").winners() == [0, 1]


def test_top_tie_looks_at_the_pile_before_the_floor() -> None:
    game = dealt("W1", "W2", "B5", "A9", top_tie="latest_lower_round", **SCORELESS)
    game.set_totals(3, 0, 0, 41).set_piles([-3], [-2], [-3, 3], []).play("W1 W2 B5 A9")
    assert game.totals() == [0, 0, 0, 41]
    assert game.winners() == [0]


# Who starts


def next_starts(
    totals: tuple[int, ...], start: int = 0, deals: int = 5, **switches: Any
) -> Counter[int]:
    """How often each seat starts the next round, over deals that differ only in their chance."""
    plays = ["A5", "B9", "C2", "D3", "D4"][: len(totals)]
    turned = [*plays[-start:], *plays[:-start]] if start else plays
    game = dealt(*turned, **{**SCORELESS, "limit": 100, **switches})
    before, log = bytes(game.state.data), bytes(game.log.data)
    counts: Counter[int] = Counter()
    for deal in range(deals):
        game.state.data[:], game.log.data[:] = before, log
        game.state.dealer.deal = deal
        game.hold(*turned, start=start).set_totals(*totals).play(" ".join(plays))
        assert game.table.round == 2
        assert game.rules.seat_to_act(game.state) == game.table.start == game.table.leader
        counts[game.table.start] += 1
    return counts


def test_s28_lowest_total_starts() -> None:
    assert set(next_starts((12, 7, 20))) == {1}
    two, three = next_starts((7, 7, 20), deals=600), next_starts((5, 5, 5), deals=600)
    assert set(two) == {0, 1}
    assert stats.chisquare(list(two.values())).pvalue > UNLIKELY
    assert set(three) == {0, 1, 2}
    assert stats.chisquare(list(three.values())).pvalue > UNLIKELY


@pytest.mark.parametrize(
    ("totals", "start", "rule", "expected"),
    [
        ((7, 7, 20), 0, "next_clockwise", 1),
        ((7, 7, 20), 1, "next_clockwise", 0),
        ((7, 7, 20), 2, "next_clockwise", 0),
        ((7, 9, 20), 0, "next_clockwise", 0),
        ((9, 7, 20, 7, 9), 3, "next_clockwise", 1),
        ((7, 7, 20), 0, "keep_last_starter", 0),
        ((7, 7, 20), 1, "keep_last_starter", 1),
        ((7, 7, 20), 2, "keep_last_starter", 0),
        ((7, 20, 7, 7), 1, "keep_last_starter", 2),
        ((9, 7, 20), 0, "keep_last_starter", 1),
    ],
)
def test_s28_ties_of_the_lowest(
    totals: tuple[int, ...], start: int, rule: str, expected: int
) -> None:
    assert set(next_starts(totals, start, lowest_tie_start=rule)) == {expected}


def test_s28_other_start_seats() -> None:
    for next_start, expected in [("lowest", 0), ("rotate", 0), ("last_trick_winner", 1)]:
        tie = {"next_start": next_start, "lowest_tie_start": "next_clockwise"}
        game = dealt("B8", "B5", "B3", start=2, **tie).play("B3 B8 B5")
        assert game.totals() == [0, 5, 0]
        assert game.table.start == expected
    assert set(next_starts((7, 7, 20), 1, next_start="last_trick_winner")) == {1}  # discarded


def test_first_start() -> None:
    def starts(**switches: Any) -> Counter[int]:
        game = Position(GAME, 5, **switches)
        return Counter(game.start(deal=deal).table.start for deal in range(1000))

    assert set(starts(first_start="seat0")) == {0}
    counts = starts()
    assert set(counts) == set(range(5))
    assert stats.chisquare(list(counts.values())).pvalue > UNLIKELY


def test_s29_all_at_the_limit_is_not_over() -> None:
    game = dealt("A5", "B9", "C2", **SCORELESS).set_totals(40, 40, 40).play("A5 B9 C2")
    assert not game.is_over
    assert game.table.round == 2
    assert [event["type"] for event in game.events()][-3:] == ["score", "round", "deal"]


def test_s30_round_cap_leaves_the_game_unfinished() -> None:
    capped = {"max_rounds": 2, "first_start": "seat0"}
    game = rounds("A9 B8 C7", "A6 A5 A4", **capped)
    assert game.is_over
    assert game.winners() == []
    outcome = game.outcome()
    assert (outcome["status"], outcome["rounds"], outcome["nobody"]) == (1, 2, 1)
    assert outcome["win_share"] == [0, 0, 0]
    game = rounds("A1 B2 C3", "B9 C8 A7", limit=20, **capped)
    assert game.outcome()["status"] == 0  # passed in the last allowed round: as usual
    assert game.totals() == [30, 0, 0]
    assert game.winners() == [1, 2]


# Deal and constants


def number_cards(deck: str) -> list[str]:
    return [name for name in deck.split() if name[0] != "W"]


def test_s31_deck_and_hands() -> None:
    for players, n_cards, hand, aside in [(3, 38, 12, 2), (4, 50, 12, 2), (5, 50, 10, 0)]:
        game = Cards(players).start()
        assert [bin(game.state.hand[seat]).count("1") for seat in range(players)] == [
            hand
        ] * players
        assert bin(game.state.aside).count("1") == aside
        assert bin(game.table.rules.deck).count("1") == n_cards
        assert game.broken() == ""
    for suit in "ABCD":
        deck = Cards(3).text(Cards(3).table.rules.deck).split()
        numbers = [int(name[1:]) for name in deck if name[0] == suit]
        assert numbers == [-3, 1, 2, 3, 4, 5, 6, 7, 8]


def test_s31_removal_and_hand_size_for_fairness_studies() -> None:
    def size(players: int = 3, **switches: Any) -> tuple[int, int]:
        rules = Cards(players, **switches).table.rules
        return bin(rules.deck).count("1"), rules.hand_size

    assert size(removed_3p=[]) == (50, 12)
    assert size(removed_3p=[], hand_size="most") == (50, 16)
    assert size(hand_size=5) == (38, 5)
    assert size(removed_3p=[1, 2, 3, 4]) == (34, 11)
    assert size(removed_3p=[0]) == size(removed_3p=[])  # 0 is not in the rank set
    assert size(removed_3p=[0], rank_set="minus2_to_9") == (46, 12)
    assert size(4, removed_3p=[1]) == (50, 12)
    assert size(5, hand_size="most") == (50, 10)


def test_a_deal_too_large_is_told() -> None:
    problems = Cards(3).rules.problems
    assert problems(3, GAME.defaults()) == []
    assert problems(3, {**GAME.defaults(), "hand_size": 12}) == []
    (told,) = problems(3, {**GAME.defaults(), "hand_size": 13})
    assert "hand_size=13" in told and "12" in told
    (told,) = problems(5, {**GAME.defaults(), "hand_size": 11})
    assert "hand_size=11" in told and "10" in told
    (told,) = problems(3, {**GAME.defaults(), "removed_3p": list(range(-3, 10))})
    assert "removed_3p" in told and "2 cards" in told


def test_s32_deck_sums() -> None:
    def total(players: int, **switches: Any) -> int:
        game = Cards(players, **switches)
        return sum(int(name[1:]) for name in number_cards(game.text(game.table.rules.deck)))

    assert [total(players) for players in (3, 4, 5)] == [132, 156, 156]
    other = {"rank_set": "minus2_to_9"}
    assert [total(players, **other) for players in (3, 4, 5)] == [144, 168, 168]


def test_s33_trick_winner_leads() -> None:
    game = dealt("A7 B2", "A1 C4", "A-3 D4").play("A7 A1 A-3")
    assert (game.table.seat, game.legal()) == (1, "C4")
    game = dealt("A7 B2", "C4 D5", "D4 D6").play("A7 C4 D4")
    assert (game.table.seat, game.legal()) == (0, "B2")  # the only led card


@pytest.mark.parametrize(
    ("players", "removed", "hand"),
    [
        *product([3, 5], [[-2, -1, 9], [], [1, 2, 3], [-3, -2, -1, 5, 9]], ["auto"]),
        *product([3], [[-3, -2, -1], [7, 8, 9], [2, 3, 4]], ["auto"]),  # of the shipped question
        (3, [], "most"),
    ],
)
def test_deal_is_uniform(players: int, removed: list[int], hand: str) -> None:
    """Each card is equally often in each hand and aside, also after a removal."""
    game = Cards(players, removed_3p=removed, hand_size=hand, first_start="seat0")
    n_deals = 4000 if JIT else 300
    held = np.zeros((players + 1, 50), np.int64)
    bits = np.arange(50)
    for deal in range(n_deals):
        game.start(deal=deal)
        for holder, cards in enumerate([*game.state.hand[:players], game.state.aside]):
            held[holder] += (cards >> bits) & 1
    deck = (game.table.rules.deck >> bits) & 1
    assert (held.sum(axis=0) == n_deals * deck).all()
    counts = held[held.sum(axis=1) > 0][:, deck == 1]
    expected = counts.sum(axis=1, keepdims=True) / deck.sum()
    n_holders, n_cards = counts.shape
    # The cards of one deal exclude each other, which spreads the counts by n / (n - 1).
    statistic = ((counts - expected) ** 2 / expected).sum() * (n_cards - 1) / n_cards
    degrees = (n_holders - 1) * (n_cards - 1)
    assert UNLIKELY < stats.chi2.sf(statistic, degrees) < 1 - UNLIKELY


def test_decks_with_other_removals_share_most_of_every_hand() -> None:
    full, less = Cards(3, removed_3p=[]), Cards(3, removed_3p=[-2, -1, 9])
    shared = 0
    for deal in range(200):
        full.start(deal=deal)
        less.start(deal=deal)
        for seat in range(3):
            shared += bin(full.state.hand[seat] & less.state.hand[seat]).count("1")
    assert shared / (200 * 3) > 7  # of 12; 12 * 12 / 50 = 2.9 by chance, 12 * 38 / 50 = 9.1 at most


# Wild variant


def test_s34_wilds_compared_as_zero_and_ten() -> None:
    def zero_ten(plays: str) -> tuple[int | None, str, Any]:
        return trick(plays, wild_rank="zero_ten")

    assert zero_ten("A7 A1 W10") == (0, "A7", [7])
    assert zero_ten("A7 W0 A-3") == (1, "", [])
    assert zero_ten("A5 W10 W0") == (0, "A5", [5])
    assert zero_ten("A7 W0 B9") == (1, "B9", [9])
    assert zero_ten("W10 A4 A2") == (1, "A4", [4])
    assert zero_ten("W0 W10 A4") == (2, "A4", [4])
    assert zero_ten("A-1 W0 A-2") == (0, "A-1", [-1])  # 0, -1, -2
    assert zero_ten("A1 W0 A-1") == (1, "", [])  # 1, 0, -1
    game = dealt("A7 B2", "W0 C4", "A-3 D4", wild_rank="zero_ten").play("A7 W0 A-3")
    assert game.table.seat == 1  # leads next
    assert list(game.table.tricks[:3]) == [0, 1, 0]


def test_s40_number_card_zero_beats_the_wild_zero() -> None:
    both = {"rank_set": "minus2_to_9", "wild_rank": "zero_ten"}
    assert trick("A0 A5 W0", **both) == (0, "A0", [0])
    assert trick("A0 W0 B7", **both) == (1, "B7", [7])
    assert trick("A-1 W0 A0", **both) == (1, "", [])  # 0, wild 0, -1


def test_s41_single_follower_discarded() -> None:
    assert trick("A5 B9 C2", **SCORELESS) == (None, "", None)
    assert trick("A5 B9 W1", **SCORELESS) == (None, "", None)
    assert trick("A5 B9 W0", wild_rank="zero_ten", **SCORELESS) == (2, "B9", [9])
    game = dealt("A5 B1", "B9 C1", "C2 D1", start=1, **SCORELESS).play("B9 C2 B1")
    assert (game.table.seat, game.piles()[0]) == (0, [1, 2])
    game = dealt("A5 A1", "B9 C1", "C2 D1", start=1, **SCORELESS).play("B9 C2 A5")
    assert game.table.seat == 1  # the leader leads again
    assert game.piles() == [[], [], []]
    assert list(game.table.tricks[:3]) == [0, 0, 0]
    assert game.table.single_follower == 1


# What a seat may know


def worlds(game: Cards, n: int) -> list[Any]:
    """Full states that fit what the seat to act knows."""
    me, rng = game.observe(), blank(STREAM)
    found: list[Any] = []
    open_stream(rng, 7, 0, 0, 0)
    for _ in range(n):
        found.append(blank(game.kernels.state))
        sample_world(*map(argument, (game.table, me, rng, found[-1])))
    return found


def suits_held(game: Cards, n: int, seat: int) -> set[str]:
    """The suits that a seat has in sampled worlds."""
    return {name[0] for world in worlds(game, n) for name in game.text(world.hand[seat]).split()}


def test_s35_off_suit_number_card_proves_a_void() -> None:
    hands = ("A7 B2 B5 D5", "A1 C4 C5 C6", "B4 W1 D1 D2")
    game = dealt(*hands).play("A7 A1 B4")
    assert list(game.table.void[:3]) == [0, 0, 0b0001]
    assert suits_held(game, 40, 0) == set("ABCDW")
    assert suits_held(game, 40, 2) == set("BCDW")
    game = dealt(*hands).play("A7 A1 W1")
    assert list(game.table.void[:3]) == [0, 0, 0]
    assert suits_held(game, 40, 2) == set("ABCDW")


def test_s35_void_ends_with_the_round() -> None:
    game = dealt("A7", "A1", "B4").play("A7 A1 B4")
    assert game.table.round == 2
    assert list(game.table.void[:3]) == [0, 0, 0]


def test_s36_answer_to_an_open_suit_proves_nothing() -> None:
    game = dealt("W1 B2", "A1 C4", "B4 D1").play("W1 A1")
    assert list(game.table.void[:3]) == [0, 0, 0]
    assert list(game.play("B4").table.void[:3]) == [0, 0, 0b0001]  # the suit was set by then


def test_s37_five_players_know_the_set_of_the_other_cards() -> None:
    game, rng = Cards(5).start(seed=37), random.Random(37)
    while game.table.n_tricks < 9:
        game.apply(rng.choice(legal_cards(game)))
    me = game.observe()
    others = [seat for seat in range(5) if seat != me.seat]
    unseen = sum(game.state.hand[seat] for seat in others)
    assert unseen == game.table.rules.deck & ~game.table.played & ~me.hand
    holders: set[tuple[int, ...]] = set()
    for world in worlds(game, 300):
        assert sum(world.hand[seat] for seat in others) == unseen
        holders.add(tuple(world.hand[seat] for seat in others))
    assert len(holders) > 1  # but not who holds which


def test_s38_exchange_of_hidden_cards_is_not_seen() -> None:
    def seen(game: Cards) -> tuple[bytes, bytes]:
        return bytes(game.table.data), bytes(game.observe().data)

    one = dealt("A7 B2", "A1 C4", "A-3 D4", "A2 D5").play("A7")
    other = dealt("A7 B2", "A1 C4", "A-3 D5", "A2 D4").play("A7")
    assert seen(one) == seen(other)  # seats 2 and 3 have exchanged D4 and D5
    other = dealt("A7 B2", "A1 D4", "A-3 C4", "A2 D5").play("A7")
    assert seen(one) != seen(other)  # seat 1, to act, has another card
    aside = dealt("A7 B2", "A1 C4", "A-3 D6", "A2 D5").play("A7")
    assert seen(one) == seen(aside)  # D4 lies aside, face down
    shown = {"hand_limit_3p_4p_leftover": "shown"}
    one = dealt("A7 B2", "A1 C4", "A-3 D4", **shown).play("A7")
    other = dealt("A7 B2", "A1 C4", "A-3 D6", **shown).play("A7")
    assert seen(one) != seen(other)


@pytest.mark.parametrize("players", GAME.players)
def test_s38_the_deal_shows_nothing(players: int) -> None:
    """Before a card is played everybody sees the same, whatever was dealt."""
    game = Cards(players, first_start="seat0")
    tables = {bytes(game.start(deal=deal).table.data) for deal in range(20)}
    assert len(tables) == 1
    shown = Cards(players, first_start="seat0", hand_limit_3p_4p_leftover="shown")
    tables = {bytes(shown.start(deal=deal).table.data) for deal in range(20)}
    assert len(tables) == (20 if players < 5 else 1)  # five leave no cards over


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("wild_rank", ["none", "zero_ten"])
def test_s38_the_same_plays_show_the_same(players: int, wild_rank: str) -> None:
    """Hands are exchanged behind a seat's back; while all play as before, it sees as before."""
    rng, n_same = random.Random(players), 0
    for deal in range(40 if JIT else 8):
        game = Cards(players, wild_rank=wild_rank).start(deal=deal)
        for _ in range(rng.randrange(players * 10)):
            game.apply(rng.choice(legal_cards(game)))
        other = Cards(players, wild_rank=wild_rank)
        other.state.data[:] = worlds(game, 1)[0].data
        while both := sorted({*legal_cards(game)} & {*legal_cards(other)}):
            card = rng.choice(both)
            game.apply(card)
            other.apply(card)
            if game.table.n_history == 0:
                break  # another round, and another deal
            assert bytes(game.table.data) == bytes(other.table.data)
            n_same += 1
    assert n_same > (40 if JIT else 5)


def legal_cards(game: Cards) -> list[int]:
    return [card for card in range(50) if game.is_legal(card)]


def test_seat_sees_piles_and_left_over_cards_by_the_switches() -> None:
    plays = "A7 A1 A-3"
    hands = ("A7 B2", "A1 C4", "A-3 D4")
    assert list(dealt(*hands).play(plays).table.pile[:3]) == [0, 1 << 3, 0]
    closed = dealt(*hands, pile_visibility="memory_only").play(plays)
    assert list(closed.table.pile[:3]) == [0, 0, 0]
    assert closed.piles() == [[], [1], []]
    assert all(world.pile[1] == closed.state.pile[1] for world in worlds(closed, 3))
    assert dealt(*hands).table.aside == 0
    shown = dealt(*hands, hand_limit_3p_4p_leftover="shown").play(plays)
    assert shown.table.aside == shown.state.aside != 0
    assert all(world.aside == shown.state.aside for world in worlds(shown, 20))


# Invariants (section 4)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("switch", GAME.switches, ids=lambda switch: switch.name)
def test_s39_invariants_for_each_value_of_a_switch(players: int, switch: Any) -> None:
    rng = random.Random(f"{players} {switch.name}")
    for value in switch.words or (switch.low, switch.low + 1):
        given = {switch.name: [value] if switch.is_list else value}
        for settings in (GAME.defaults() | given, switches_with(GAME, players, rng, given)):
            assert settings is not None
            table = Table(GAME, players, settings, lineup(GAME, players), seed=39)
            assert rounds_of(table, 1000 if JIT else 1) > 0


@pytest.mark.parametrize("players", GAME.players)
def test_s39_invariants_for_random_switches(players: int) -> None:
    rng = random.Random(players)
    for n in range(60 if JIT else 4):
        settings = random_switches(GAME, players, rng)
        table = Table(GAME, players, settings, lineup(GAME, players), seed=n)
        assert rounds_of(table, 100 if JIT else 5) > 0


@pytest.mark.parametrize(
    ("tamper", "invariant"),
    [
        (lambda game: game.state.hand.__setitem__(0, game.cards("C4")), "one place"),
        (lambda game: game.state.hand.__setitem__(0, 0), "one place"),
        (lambda game: setattr(game.state, "aside", 0), "one place"),
        (lambda game: setattr(game.table, "played", 1), "one place"),
        (lambda game: setattr(game.table, "n_laid", 3), "one card a seat"),
        (lambda game: game.set_piles([1]), "parity"),
        (lambda game: game.set_piles([], []), "parity"),
        (lambda game: game.set_totals(-1, 0, 0), "below zero"),
        (lambda game: game.set_totals(41, 0, 0), "passes the limit"),
        (lambda game: setattr(game.state, "legal", 0), "legal card"),
        (lambda game: setattr(game.state, "legal", game.state.hand[0]), "legal card"),
        (lambda game: game.table.won_by.__setitem__(0, 2), "parity"),
        (lambda game: setattr(game.table, "n_tricks", 0), "at most one winner"),
        (lambda game: (game.set_piles([], []), game.table.won_by.__setitem__(0, -1)), "tricks won"),
    ],
)
def test_s39_a_broken_invariant_is_found(tamper: Any, invariant: str) -> None:
    game = dealt("A7 B2", "A1 C4", "A-3 D4").play("A7 A1 A-3")
    assert game.broken() == ""
    tamper(game)
    assert invariant in game.broken()


# What is counted


def test_cancellations_are_pairs_a_seat() -> None:
    game = dealt("A3 B1", "B3 D9", "C3 D8", "D3 D7").play("A3 B3 C3 D3")
    assert list(game.table.cancellations[:4]) == [2, 0, 0, 0]
    game = dealt("A9 B1", "A3 D9", "B3 D8", "C3 D7").set_piles([], [3]).play("A9 A3 B3 C3")
    assert list(game.table.cancellations[:4]) == [0, 2, 0, 0]  # the 3 that lay there, and one pair


def test_lead_changes_when_other_seats_are_in_the_lead() -> None:
    start = {"first_start": "seat0", "next_start": "last_trick_winner"}
    assert rounds("A1 B2 C3", **start).table.lead_changes == 0
    game = rounds("A1 B2 C3", "A6 A7 B-1", **start)  # 6, then seat 0 takes 6 and -1
    assert (game.totals(), game.table.lead_changes) == ([11, 0, 0], 0)
    game = rounds("A1 B2 C3", "A7 A6 B1", **start)
    assert (game.totals(), game.table.lead_changes) == ([6, 7, 0], 1)


def test_first_round_and_tricks_are_of_the_game() -> None:
    game = rounds("A1 B2 C3", "A7 A6 B1", "W1 A5 A4", max_rounds=3)
    assert game.is_over
    outcome = game.outcome()
    assert outcome["score"] == [6, 7, 4]
    assert outcome["first_round"] == [6, 0, 0]
    assert outcome["tricks"] == [1, 1, 1]


def test_wilds_are_the_last_two_cards() -> None:
    assert Cards(3).names[WILD:] == ["W1", "W2"]
    assert Cards(3, wild_rank="zero_ten").names[WILD:] == ["W0", "W10"]
