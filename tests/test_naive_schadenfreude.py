"""Tests of the naive twin of 幸灾乐祸: the scenarios of the rule sheet, then whole random games.

Plays are written as text, from the leader on: "A7 A1 A-3". The ids are those of the sheet.
"""

from __future__ import annotations

import copy
import json
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from tests.naive.check_transcript import check_schadenfreude
from tests.naive.schadenfreude import (
    DEFAULTS,
    RANK_SETS,
    SUITS,
    WORDS,
    Game,
    Plays,
    Rules,
    collect,
    deal_round,
    deck,
    final_winners,
    hand_size,
    is_bust,
    is_wild,
    leaders,
    led_suit,
    legal_cards,
    lowest_starts,
    new_totals,
    number,
    play_game,
    round_score,
    suit,
    trick_takes,
    trick_winner,
)

PLAYERS = (3, 4, 5)


def rules(**switches: Any) -> Rules:
    """Return the default rules with these switches changed."""
    return {**copy.deepcopy(DEFAULTS), **switches}


def plays(text: str) -> Plays:
    """Return the plays of a trick that seat 0 leads."""
    return list(enumerate(text.split()))


def outcome(text: str, **switches: Any) -> tuple[int | None, list[str]]:
    """Return who wins a trick that seat 0 leads, and the sorted cards he takes."""
    trick, changed = plays(text), rules(**switches)
    return trick_winner(trick, changed), sorted(trick_takes(trick, changed))


def takes(text: str) -> list[str]:
    """Return the cards of a text, sorted."""
    return sorted(text.split())


def pile_after(pile: str, collected: str) -> list[int]:
    """Return the sorted numbers of a pile after these cards were collected one by one."""
    cards = pile.split()
    collect(cards, collected.split())
    return sorted(number(card) for card in cards)


def legal(hand: str, led: str | None) -> list[str]:
    """Return the sorted legal cards of a hand."""
    return sorted(legal_cards(hand.split(), led))


def dealt(*hands: str, start: int = 0, **switches: Any) -> Game:
    """Return a game in its first round: these hands of equal size, the other cards aside.

    Nothing is removed from the deck of three.
    """
    held = [hand.split() for hand in hands]
    setting = rules(**{"hand_size": len(held[0]), "removed_3p": [], **switches})
    game = Game(len(hands), setting)
    game.start_round(held, rest(game, held), start)
    return game


def rest(game: Game, hands: list[list[str]]) -> list[str]:
    """Return the cards of the deck that are in no hand."""
    held = [card for hand in hands for card in hand]
    return [card for card in game.deck() if card not in held]


def play(game: Game, text: str) -> Game:
    """Play these cards in order and return the game."""
    for card in text.split():
        game.play(card)
    return game


def one_trick_rounds(*tricks: str, **switches: Any) -> Game:
    """Play rounds of one trick each; a text lists the cards of the seats from seat 0."""
    first, *others = (trick.split() for trick in tricks)
    game = dealt(*first, **switches)
    play(game, " ".join(first))
    for cards in others:
        hands = [[card] for card in cards]
        start = game.next_starts()[0]
        game.start_round(hands, rest(game, hands), start)
        play(game, " ".join(cards[start:] + cards[:start]))
    return game


def winners(totals: list[int], last: list[int] | None = None, **switches: Any) -> list[int]:
    """Return the winners of a game that ended with these totals and last round scores."""
    return final_winners(totals, last or [0] * len(totals), rules(**switches))


# Trick winner: the plays, the winner's seat, the cards he takes


def test_s01_second_highest_wins() -> None:
    assert outcome("A7 A1 A-3") == (1, ["A1"])


def test_s02_equal_numbers_of_one_trick_cancel() -> None:
    assert outcome("A7 A1 A-3 B1") == (1, takes("A1 B1"))
    assert pile_after("", "A1 B1") == []
    assert pile_after("C1", "A1 B1") == [1]


def test_s03_only_led_card_wins() -> None:
    assert outcome("A5 B9 C2") == (0, takes("A5 B9 C2"))
    assert round_score(takes("A5 B9 C2")) == 16


def test_s04_off_suit_cards_go_to_the_winner() -> None:
    assert outcome("A9 B8 A2") == (2, takes("A2 B8"))


def test_s05_first_number_card_after_a_wild_sets_the_suit() -> None:
    assert led_suit(plays("W1 A4 A9 A6")) == "A"
    assert outcome("W1 A4 A9 A6") == (3, ["A6"])


def test_s06_two_wilds_lead() -> None:
    assert led_suit(plays("W1 W2 D3")) == "D"
    assert outcome("W1 W2 D3") == (2, ["D3"])


def test_s07_wild_is_not_compared() -> None:
    assert outcome("A5 W1 A2") == (2, ["A2"])


def test_s08_two_wilds_follow() -> None:
    assert outcome("A5 W1 W2") == (0, ["A5"])


def test_s09_negative_off_suit_card_is_taken() -> None:
    assert outcome("A9 A8 B-3") == (1, takes("A8 B-3"))


def test_s10_negative_numbers_in_order() -> None:
    assert outcome("A-1 A-3 A-2") == (2, ["A-2"])


def test_s11_five_players_two_nines_cancel() -> None:
    assert outcome("A4 A-1 B9 C9 A6") == (0, takes("A4 B9 C9"))
    assert pile_after("", "A4 B9 C9") == [4]


def test_s12_wild_lead_then_a_single_led_card() -> None:
    assert led_suit(plays("W1 B2 A9 A8")) == "B"
    assert outcome("W1 B2 A9 A8") == (1, takes("B2 A9 A8"))


def test_s13_four_equal_numbers() -> None:
    assert outcome("A3 B3 C3 D3") == (0, takes("A3 B3 C3 D3"))
    assert pile_after("", "A3 B3 C3 D3") == []
    assert pile_after("D3", "A3 B3 C3 D3") == [3]


def test_s14_wild_among_off_suit_cards() -> None:
    assert outcome("A3 B-2 W1 C-2") == (0, takes("A3 B-2 C-2"))
    assert pile_after("", "A3 B-2 C-2") == [3]


# Legal plays


def test_s15_follow_the_led_suit_or_play_a_wild() -> None:
    assert legal("A3 A8 B9 W1", "A") == takes("A3 A8 W1")
    assert legal("A3 B9", "A") == ["A3"]
    assert legal("B9 C1 W1", "A") == takes("B9 C1 W1")
    assert legal("A3 A8 B9 W1", None) == takes("A3 A8 B9 W1")
    game = dealt("A3 B9 W1", "A4 A5 A6", "B1 B2 B3")
    assert game.legal() == {"A3", "B9", "W1"}  # the lead


def test_s16_second_player_is_free_after_a_wild_lead() -> None:
    game = dealt("W1 A1 A2 A3", "A4 B4 C4 D3", "D5 W2 C5 B5")
    play(game, "W1")
    assert game.legal() == {"A4", "B4", "C4", "D3"}
    play(game, "D3")
    assert game.legal() == {"D5", "W2"}


# Cancelling


def test_s17_only_the_parity_of_a_number_counts() -> None:
    assert pile_after("A5", "B5 C5") == [5]
    assert pile_after("A5", "B5 C5 D5") == []
    assert pile_after("", "B5 C5 D5") == [5]
    assert pile_after("", "B5 C5") == []


def test_s18_each_number_cancels_for_itself() -> None:
    assert pile_after("B5 C8", "A5 B8") == []
    assert pile_after("A-3", "B-3") == []


def test_s19_seats_do_not_cancel_each_other() -> None:
    game = dealt("A7 C9", "B1 C7", "B2 C8")
    play(game, "A7 B1 B2")  # seat 0 alone in suit
    assert game.piles == [[1, 2, 7], [], []]
    game = dealt("A7 C8 B1", "W1 C7 B3", "W2 C1 B2")
    play(game, "A7 W1 W2 C8 C7 C1")
    assert game.piles == [[7], [7], []]


def test_s20_pile_above_the_limit_during_the_round() -> None:
    game = dealt("A9 A5 D7", "B8 B4 D8", "C7 C3 D1", "D6 W1 D2")
    play(game, "A9 B8 C7 D6 A5 B4 C3 W1")
    assert game.piles == [[3, 4, 5, 6, 7, 8, 9], [], [], []]
    assert sum(game.piles[0]) == 42
    assert not game.over
    play(game, "D7 D8 D1 D2")  # second highest: D7 cancels C7
    assert game.totals == [35, 0, 0, 0]
    assert not game.over


# Round and game end


def test_s21_round_score_is_the_sum_of_the_pile() -> None:
    assert round_score(takes("A-3 B2 C9")) == 8
    assert round_score([]) == 0


def test_s22_totals_do_not_fall_below_zero() -> None:
    assert new_totals([3, 0, 5], [-6, -3, -3], rules()) == [0, 0, 2]
    assert new_totals([3, 0, 5], [-6, -3, -3], rules(floor="none")) == [-3, -3, 2]


def test_s23_exactly_the_limit_is_safe() -> None:
    assert new_totals([38, 38], [2, 3], rules()) == [40, 41]
    assert not is_bust(40, rules())
    assert is_bust(41, rules())


@pytest.mark.parametrize(("card", "total"), [("A2", 40), ("A3", 41)])
def test_s23_game_ends_above_the_limit(card: str, total: int) -> None:
    rounds = ["A9 B8 C7 D6 C5", "A3 B1 C-1 W1 W2", f"{card} B1 C1 W1 W2"]
    game = one_trick_rounds(*rounds, next_start="last_trick_winner")
    assert game.totals == [total, 0, 0, 0, 0]
    assert game.over is (total > 40)
    assert game.winners == ([1, 2, 3, 4] if game.over else [])


def test_s24_best_round_busts_at_once() -> None:
    best = [f"A{value}" for value in range(1, 10)]
    totals = new_totals([0, 0, 0, 0], [round_score(best), 0, 0, 0], rules())
    assert totals == [45, 0, 0, 0]
    assert is_bust(totals[0], rules())


def test_s25_examples_of_the_seed() -> None:
    assert winners([39, 35, 41]) == [0]
    assert winners([40, 38, 42]) == [0]
    assert winners([38, 38, 41]) == [0, 1]
    assert winners([41, 43, 45]) == []


def test_s26_shared_wins() -> None:
    assert winners([41, 12, 12, 12]) == [1, 2, 3]
    assert winners([0, 0, 41]) == [0, 1]


def test_s27_all_over_and_limit_mode() -> None:
    assert winners([41, 43, 45], all_over="lowest_wins") == [0]
    assert winners([40, 38, 42], limit_mode="at_least") == [1]
    assert winners([40, 41, 42], limit_mode="at_least", all_over="lowest_wins") == [0]


def test_top_tie_goes_to_the_smaller_last_round() -> None:
    assert winners([38, 38, 41], [5, 9, 20], top_tie="latest_lower_round") == [0]
    assert winners([38, 38, 38, 41], [5, 5, 9, 20], top_tie="latest_lower_round") == [0, 1]
    assert winners([38, 36, 41], [9, 5, 20], top_tie="latest_lower_round") == [0]
    low = {"all_over": "lowest_wins", "top_tie": "latest_lower_round"}
    assert winners([41, 41, 45], [20, 10, 5], **low) == [1]


def test_s28_lowest_total_starts() -> None:
    assert lowest_starts([12, 7, 20], 0, rules()) == [1]
    assert lowest_starts([7, 7, 20], 0, rules()) == [0, 1]
    assert lowest_starts([5, 5, 5], 0, rules()) == [0, 1, 2]
    clockwise = rules(lowest_tie_start="next_clockwise")
    assert lowest_starts([7, 7, 20], 0, clockwise) == [1]
    assert lowest_starts([7, 7, 20], 1, clockwise) == [0]
    assert lowest_starts([7, 7, 20], 2, clockwise) == [0]
    assert lowest_starts([7, 9, 20], 0, clockwise) == [0]
    keep = rules(lowest_tie_start="keep_last_starter")
    assert lowest_starts([7, 7, 20], 0, keep) == [0]
    assert lowest_starts([7, 7, 20], 2, keep) == [0]
    assert lowest_starts([7, 20, 7, 7], 1, keep) == [2]


def test_s28_other_start_seats() -> None:
    assert Game(4, rules()).next_starts() == [0, 1, 2, 3]
    assert Game(4, rules(first_start="seat0")).next_starts() == [0]
    for next_start, starts in [("lowest", [0, 2]), ("rotate", [0]), ("last_trick_winner", [1])]:
        game = play(dealt("B8", "B5", "B3", start=2, next_start=next_start), "B3 B8 B5")
        assert game.totals == [0, 5, 0]
        assert game.next_starts() == starts
    discarded = {"single_follower": "discarded", "next_start": "last_trick_winner"}
    game = play(dealt("A5", "B9", "C2", start=1, **discarded), "B9 C2 A5")
    assert game.next_starts() == [1]  # the leader of the discarded trick


def test_s29_all_at_the_limit_is_not_over() -> None:
    assert not any(is_bust(total, rules()) for total in [40, 40, 40])
    game = play(dealt("A9", "B8", "W1", limit=17), "A9 B8 W1")
    assert game.totals == [17, 0, 0]
    assert not game.over
    game = play(dealt("A9", "B8", "W1", limit=17, limit_mode="at_least"), "A9 B8 W1")
    assert game.over
    assert game.bust == [1, 0, 0]
    assert game.winners == [1, 2]
    assert game.win_share == [0, Fraction(1, 2), Fraction(1, 2)]


def test_s30_round_cap_leaves_the_game_unfinished() -> None:
    capped = {"max_rounds": 2, "first_start": "seat0"}
    game = one_trick_rounds("A9 B8 C7", "A6 A5 A4", **capped)
    assert game.over
    assert game.status == "unfinished"
    assert game.rounds == 2
    assert game.winners == []
    assert game.win_share == [0, 0, 0]
    game = one_trick_rounds("A1 B2 C3", "A9 B8 C7", limit=20, **capped)
    assert game.status == "finished"
    assert game.rounds == 2
    assert game.totals == [6, 24, 0]
    assert game.winners == [0]
    assert game.first_round == [6, 0, 0]


# Deal and constants


def test_s31_deck_and_hands() -> None:
    three = deck(3, rules())
    assert len(three) == 38
    for letter in SUITS:
        numbers = sorted(number(card) for card in three if suit(card) == letter)
        assert numbers == [-3, 1, 2, 3, 4, 5, 6, 7, 8]
    assert len(deck(4, rules())) == len(deck(5, rules())) == 50
    sizes = [hand_size(players, rules()) for players in PLAYERS]
    assert sizes == [12, 12, 10]
    assert [
        len(deck(players, rules())) - players * size
        for players, size in zip(PLAYERS, sizes, strict=True)
    ] == [2, 2, 0]


def test_s31_removal_and_hand_size_for_fairness_studies() -> None:
    whole = rules(removed_3p=[])
    assert len(deck(3, whole)) == 50
    assert hand_size(3, whole) == 12
    assert hand_size(3, rules(removed_3p=[], hand_size="most")) == 16
    assert hand_size(3, rules(hand_size=5)) == 5
    assert hand_size(3, rules(hand_size=99)) == 12
    assert hand_size(3, rules(removed_3p=[1, 2, 3, 4])) == 34 // 3
    assert deck(3, rules(removed_3p=[0, 77])) == deck(3, whole)  # not in the rank set
    assert deck(4, rules(removed_3p=[1])) == deck(4, rules())


def test_s32_deck_sums() -> None:
    def sums(**switches: Any) -> list[int]:
        decks = [deck(players, rules(**switches)) for players in PLAYERS]
        return [round_score(card for card in cards if not is_wild(card)) for cards in decks]

    assert sums() == [132, 156, 156]
    assert sums(rank_set="minus2_to_9") == [144, 168, 168]


def test_s33_trick_winner_leads() -> None:
    game = dealt("A7 B2", "A1 C4", "A-3 D4")
    assert play(game, "A7 A1 A-3").to_move == 1
    game = dealt("A7 B2", "C4 D5", "D4 D6", start=0)
    assert play(game, "A7 C4 D4").to_move == 0  # the only led card


# Wild variant and information


def test_s34_wilds_compared_as_zero_and_ten() -> None:
    def zero_ten(text: str) -> tuple[int | None, list[str]]:
        return outcome(text, wild_rank="zero_ten")

    assert zero_ten("A7 A1 W10") == (0, ["A7"])
    assert zero_ten("A7 W0 A-3") == (1, [])
    assert zero_ten("A5 W10 W0") == (0, ["A5"])
    assert zero_ten("A7 W0 B9") == (1, ["B9"])
    assert zero_ten("W10 A4 A2") == (1, ["A4"])
    game = dealt("A7 B2", "W0 C4", "A-3 D4", wild_rank="zero_ten")
    assert play(game, "A7 W0 A-3").to_move == 1  # leads next
    assert game.piles == [[], [], []]
    assert game.tricks == [0, 1, 0]


def test_s35_off_suit_number_card_proves_a_void() -> None:
    game = dealt("A7 B2", "A1 C4", "B4 W1")
    assert play(game, "A7 A1 B4").voids == {(2, "A")}
    game = dealt("A7 B2", "A1 C4", "B4 W1")
    assert play(game, "A7 A1 W1").voids == set()


def test_s36_answer_to_an_open_suit_proves_nothing() -> None:
    game = dealt("W1 B2", "A1 C4", "B4 D1")
    assert play(game, "W1 A1").voids == set()
    assert play(game, "B4").voids == {(2, "A")}  # the suit was set by then


def test_s37_five_players_know_the_set_of_the_other_cards() -> None:
    game, rng = Game(5, rules()), random.Random(37)
    deal_round(game, rng)
    while len(game.history) < 9:
        game.play(rng.choice(sorted(game.legal())))
    for seat in range(5):
        seen = game.seen_by(seat)
        played = [card for trick in seen["history"] for _, card in trick]
        unseen = set(game.deck()) - set(seen["hand"]) - set(played)
        others = [game.hands[other] for other in range(5) if other != seat]
        assert unseen == {card for hand in others for card in hand}


def test_s38_exchange_of_hidden_cards_is_not_seen() -> None:
    one = play(dealt("A7 B2", "A1 C4", "A-3 D4"), "A7 A1 A-3")
    other = play(dealt("A7 B2", "A1 D4", "A-3 C4"), "A7 A1 A-3")
    assert one.seen_by(0) == other.seen_by(0)
    assert one.seen_by(1) != other.seen_by(1)


def test_seen_by_follows_the_switches() -> None:
    seen = dealt("A7 B2", "A1 C4", "A-3 D4").seen_by(0)
    assert seen["piles"] == [[], [], []]
    assert "aside" not in seen
    assert seen["n_aside"] == 44
    assert "piles" not in dealt("A7", "A1", "A-3", pile_visibility="memory_only").seen_by(0)
    shown = dealt("A7", "A1", "A-3", hand_limit_3p_4p_leftover="shown")
    assert shown.seen_by(2)["aside"] == sorted(shown.aside)


def test_s40_number_card_zero_beats_the_wild_zero() -> None:
    both = {"rank_set": "minus2_to_9", "wild_rank": "zero_ten"}
    assert outcome("A0 A5 W0", **both) == (0, ["A0"])
    assert outcome("A0 W0 B7", **both) == (1, ["B7"])


def test_s41_single_follower_discarded() -> None:
    assert outcome("A5 B9 C2", single_follower="discarded") == (None, [])
    assert outcome("A5 B9 W1", single_follower="discarded") == (None, [])
    both = {"single_follower": "discarded", "wild_rank": "zero_ten"}
    assert outcome("A5 B9 W0", **both) == (2, ["B9"])
    game = dealt("C1 A5", "C3 B9", "C2 D2", single_follower="discarded", start=1)
    play(game, "C3 C2 C1")
    assert game.to_move == 2
    play(game, "D2 A5 B9")  # nobody else has D
    assert game.events[-2]["winner"] is None
    assert game.events[-2]["takes"] == []
    assert game.totals == [0, 0, 2]
    assert game.tricks == [0, 0, 1]
    assert game.single_follower == 1
    game = play(dealt("A5", "B9", "C2", single_follower="discarded", start=1), "B9 C2 A5")
    assert game.lead == 1  # the leader leads again


# What is counted


def test_cancellations_are_pairs_a_seat() -> None:
    game = dealt("A3 B1", "B3 D9", "C3 D8", "D3 D7")
    play(game, "A3 B3 C3 D3")
    assert game.cancellations == [2, 0, 0, 0]
    assert game.cancelled == 2


def test_lead_changes_when_other_seats_are_in_the_lead() -> None:
    assert leaders([41, 12, 12], rules()) == [1, 2]
    start = {"first_start": "seat0", "next_start": "rotate"}
    game = one_trick_rounds("A1 B2 C3", **start)
    assert game.totals == [6, 0, 0]
    assert game.lead_changes == 0
    game = one_trick_rounds("A1 B2 C3", "B1 A2 C3", **start)
    assert game.totals == [6, 6, 0]
    assert game.lead_changes == 1
    game = one_trick_rounds("A1 B2 C3", "B1 A2 C3", "B9 C8 A7", limit=23, **start)
    assert game.totals == [6, 6, 24]
    assert game.lead_changes == 1


@pytest.mark.parametrize(
    ("switch", "value", "message"),
    [
        ("rank_set", "zero_to_11", "rank_set"),
        ("hand_size", 0, "hand_size"),
        ("hand_size", True, "hand_size"),
        ("removed_3p", "none", "removed_3p"),
        ("removed_3p", list(range(-3, 10)), "too few cards"),  # only the wilds are left
        ("limit", "40", "limit"),
        ("max_rounds", 0, "max_rounds"),
        ("colour", "red", "unknown"),
    ],
)
def test_rules_refuse_values_the_sheet_does_not_know(
    switch: str, value: object, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        Game(3, rules(**{switch: value}))


def test_rules_must_be_complete() -> None:
    for name in DEFAULTS:
        with pytest.raises(ValueError, match=name):
            Game(3, {key: value for key, value in DEFAULTS.items() if key != name})


# Whole games


def random_rules(rng: random.Random) -> Rules:
    """Return a random value for every switch."""
    chosen: Rules = {name: rng.choice(words) for name, words in WORDS.items()}
    if rng.random() < 0.3:
        chosen["hand_size"] = rng.randint(1, 17)
    numbers = RANK_SETS[chosen["rank_set"]]
    chosen["removed_3p"] = rng.choice([[-2, -1, 9], rng.sample(numbers, rng.randint(0, 8))])
    chosen["limit"] = rng.choice([40, rng.randint(0, 60)])
    chosen["max_rounds"] = rng.choice([50, rng.randint(1, 6)])
    return chosen


def check_table(game: Game, collected: list[Counter[int]]) -> None:
    """Section 4: every card in one place, parity of the piles, proven voids."""
    trick = [card for _, card in game.trick]
    held = [card for place in [*game.hands, *game.pile] for card in place]
    assert sorted(held + trick + game.discard + game.aside) == sorted(game.deck())
    for seat, pile in enumerate(game.piles):
        assert len(set(pile)) == len(pile)
        assert set(pile) == {value for value, count in collected[seat].items() if count % 2}
    for seat, void in game.voids:
        assert not any(suit(card) == void for card in game.hands[seat])


def play_checked(game: Game, rng: random.Random) -> None:
    """Play a game at random and check the invariants of section 4 after every card."""
    n_collected = 0
    while not game.over:
        before, won_before = list(game.totals), sum(game.tricks)
        deal_round(game, rng)
        collected: list[Counter[int]] = [Counter() for _ in range(game.players)]
        while game.in_round:
            check_table(game, collected)
            n_events = len(game.events)
            assert game.legal()
            game.play(rng.choice(sorted(game.legal())))
            for event in game.events[n_events:]:
                if event["type"] != "trick":
                    continue
                leading = game.history[-1]
                winner, led = event["winner"], led_suit(leading)
                if winner is None:
                    assert game.rules["single_follower"] == "discarded"
                    assert not event["takes"]
                    continue
                own = dict(leading)[winner]
                assert suit(own) == led or game.rules["wild_rank"] == "zero_ten"
                collected[winner].update(number(card) for card in event["takes"])
                n_collected += len(event["takes"])
        score = game.last_round_scores
        odd = [[value for value in seen if seen[value] % 2] for seen in collected]
        assert score == [sum(values) for values in odd]
        raised = [total + gain for total, gain in zip(before, score, strict=True)]
        if game.rules["floor"] == "cum_zero_at_round_end":
            assert min(game.totals) >= 0
            raised = [max(0, total) for total in raised]
        assert game.totals == raised
        if game.rules["single_follower"] == "wins":
            assert sum(game.tricks) - won_before == hand_size(game.players, game.rules)
        assert game.over or not any(game.bust)
    assert 2 * game.cancelled <= n_collected


def check_result(game: Game) -> None:
    """Check the end of a game against section S-R09 in other words."""
    limit = game.rules["limit"] - (game.rules["limit_mode"] == "at_least")
    safe = [total for total in game.totals if total <= limit]
    assert game.bust == [int(total > limit) for total in game.totals]
    assert sum(game.win_share) == (1 if game.winners else 0)
    if game.status == "unfinished":
        assert game.rounds == game.rules["max_rounds"]
        assert not game.busts
        assert not game.winners
    elif safe:
        assert {game.totals[seat] for seat in game.winners} == {max(safe)}
    elif game.rules["all_over"] == "lowest_wins":
        assert {game.totals[seat] for seat in game.winners} == {min(game.totals)}
    else:
        assert not game.winners


@pytest.mark.parametrize("players", PLAYERS)
def test_s39_invariants_of_default_games(players: int) -> None:
    rng = random.Random(players)
    for _ in range(20):
        game = Game(players, rules())
        play_checked(game, rng)
        check_result(game)


@pytest.mark.parametrize("players", PLAYERS)
def test_s39_invariants_for_random_switches(players: int) -> None:
    rng = random.Random(100 + players)
    for _ in range(100):
        game = Game(players, random_rules(rng))
        play_checked(game, rng)
        check_result(game)


# Transcripts


def transcript(game: Game) -> list[dict[str, Any]]:
    """Return the lines of a game that is over, as they come out of a file."""
    first = {
        "type": "game",
        "format": 1,
        "game": "schadenfreude",
        "players": game.players,
        "rules": game.rules,
        "seed": 7,
        "deal": 0,
        "rotation": 0,
        "lineup": ["uniform"] * game.players,
        "parameters": [{} for _ in range(game.players)],
        "version": "test",
    }
    lines: list[dict[str, Any]] = json.loads(json.dumps([first, *game.events]))
    return lines


def random_transcript(players: int, rng: random.Random, **switches: Any) -> list[dict[str, Any]]:
    """Return the lines of a game played at random."""
    game = Game(players, rules(**switches))
    play_game(game, rng)
    return transcript(game)


def first_of(kind: str, lines: list[dict[str, Any]]) -> dict[str, Any]:
    """Return the first line of a type."""
    return next(line for line in lines if line["type"] == kind)


@pytest.mark.parametrize("players", PLAYERS)
def test_transcript_of_the_twin_is_accepted(players: int) -> None:
    rng = random.Random(200 + players)
    for _ in range(30):
        check_schadenfreude(random_transcript(players, rng, **random_rules(rng)))


def test_transcript_may_order_cards_freely_and_say_more() -> None:
    rng = random.Random(5)
    lines = random_transcript(4, rng)
    for line in lines:
        line["remark"] = "more"
        for cards in [*line.get("hands", []), line.get("aside", []), line.get("takes", [])]:
            rng.shuffle(cards)
    check_schadenfreude(lines)


@pytest.mark.parametrize("kind", ["game", "round", "deal", "play", "trick", "score", "result"])
def test_transcript_without_a_key_is_rejected(kind: str) -> None:
    lines = random_transcript(3, random.Random(1))
    for key in first_of(kind, lines):
        broken = copy.deepcopy(lines)
        del first_of(kind, broken)[key]
        with pytest.raises(AssertionError):
            check_schadenfreude(broken)


def test_transcript_without_a_switch_is_rejected() -> None:
    lines = random_transcript(3, random.Random(1))
    for name in DEFAULTS:
        broken = copy.deepcopy(lines)
        del broken[0]["rules"][name]
        with pytest.raises(AssertionError, match=name):
            check_schadenfreude(broken)


@pytest.mark.parametrize(
    ("kind", "key", "value", "message"),
    [
        ("game", "format", 2, "format"),
        ("game", "game", "poison", "poison"),
        ("game", "players", 6, "players"),
        ("game", "seed", -1, "seed"),
        ("game", "rotation", 4, "rotation"),
        ("game", "lineup", ["uniform"], "lineup"),
        ("game", "parameters", [], "parameters"),
        ("round", "round", 2, "round"),
        ("round", "start", 1, "may not start"),
        ("round", "start", False, "start"),
        ("deal", "aside", [], "deck"),
        ("play", "card", "E5", "may not play"),
        ("play", "seat", 3, "plays"),
        ("trick", "takes", [], "takes"),
        ("trick", "takes", ["W1"], "takes"),
        ("trick", "winner", None, "winner"),
        ("trick", "piles", [[], [], [], []], "piles"),
        ("trick", "piles", [[], [], []], "piles"),
        ("score", "round_scores", [0, 0, 0, 0], "round_scores"),
        ("score", "totals", [0.0, 0.0, 0.0, 0.0], "totals"),
        ("result", "status", "unfinished", "status"),
        ("result", "winners", [], "winners"),
        ("result", "win_share", [0, 0, 0, 0], "win_share"),
        ("result", "scores", None, "scores"),
        ("result", "rounds", 99, "rounds"),
    ],
)
def test_transcript_with_a_wrong_value_is_rejected(
    kind: str, key: str, value: object, message: str
) -> None:
    lines = random_transcript(4, random.Random(2), first_start="seat0")
    check_schadenfreude(lines)
    first_of(kind, lines)[key] = value
    with pytest.raises(AssertionError, match=message):
        check_schadenfreude(lines)


@pytest.mark.parametrize(
    ("kind", "key"), [("trick", "winner"), ("score", "totals"), ("result", "scores")]
)
def test_transcript_with_a_shifted_seat_or_score_is_rejected(kind: str, key: str) -> None:
    lines = random_transcript(5, random.Random(3))
    line = first_of(kind, lines)
    found = line[key]
    line[key] = [found[0] + 1, *found[1:]] if isinstance(found, list) else (found + 1) % 5
    with pytest.raises(AssertionError, match=f"{kind}.{key}"):
        check_schadenfreude(lines)


def test_transcript_with_an_illegal_card_is_rejected() -> None:
    game = dealt("A7 B2", "A1 C4", "A-3 D4", limit=0)
    play(game, "A7 A1 A-3 C4 D4 B2")
    lines = transcript(game)
    check_schadenfreude(lines)
    second = [line for line in lines if line["type"] == "play"][1]
    second["card"] = "C4"  # he holds it, but must follow A
    with pytest.raises(AssertionError, match="seat 1 may not play C4, only"):
        check_schadenfreude(lines)


def test_transcript_with_a_start_the_totals_do_not_allow_is_rejected() -> None:
    lines = random_transcript(4, random.Random(4))
    second = [line for line in lines if line["type"] == "round"][1]
    second["start"] = (second["start"] + 1) % 4
    with pytest.raises(AssertionError, match="may not start"):
        check_schadenfreude(lines)


def test_transcript_with_a_wrong_deck_is_rejected() -> None:
    lines = random_transcript(4, random.Random(6))
    hands = first_of("deal", lines)["hands"]
    hands[0][0] = hands[1][0]  # one card twice
    with pytest.raises(AssertionError, match="deck"):
        check_schadenfreude(lines)


def test_transcript_with_lines_out_of_place_is_rejected() -> None:
    lines = random_transcript(3, random.Random(8), hand_size=2, max_rounds=2)
    for place in range(len(lines)):
        broken = [
            lines[:place],
            lines[:place] + lines[place + 1 :],
            [*lines[:place], lines[place], *lines[place:]],
            [*lines[:place], {"type": "remark"}, *lines[place:]],
        ]
        for mutant in broken:
            with pytest.raises(AssertionError):
                check_schadenfreude(mutant)
    with pytest.raises(AssertionError, match="after the result"):
        check_schadenfreude([*lines, {"type": "result"}])
