"""The rules of 毒药, asked of the kernels: scenarios P-01 to P-42 of the rule sheet, and more.

`R5>0` plays red 5 to pot 0; the ids are those of the sheet.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim import catalog
from sim.core.engine import Table
from sim.core.game import SHARE_UNIT
from sim.core.jit import JIT
from sim.games.poison import GAME
from sim.games.poison.cards import (
    COPIES,
    DECK,
    FULL_DECK,
    N_ACTIONS,
    N_KINDS,
    POISON,
    VALUE,
    colour_of,
    count_of,
    kind_of,
    kinds_in,
    n_cards,
    n_of_colour,
    n_poisons,
    n_potions,
    one,
    pot_of,
    value_of,
)
from sim.games.poison.text import NAMES, cards
from sim.probe import switches_with
from tests.arena import lineup, random_switches, rounds_of
from tests.games.poison.positions import Pots, action, heap, laid

pytestmark = pytest.mark.both_modes

UNLIKELY = 1e-5  # a test of chance fails below; its seeds are fixed
ALL = "all_including_played"


# Setup and deal


def test_p01_deck() -> None:
    assert len(DECK) == n_cards(FULL_DECK) == 50
    for colour in "RBP":
        own = [name for name in cards(FULL_DECK) if name[0] == colour]
        assert Counter(map(int, (name[1:] for name in own))) == {1: 3, 2: 3, 4: 2, 5: 3, 7: 3}
        assert (len(own), sum(int(name[1:]) for name in own)) == (14, 53)
    assert cards(FULL_DECK).count("X") == 8
    assert VALUE[POISON] == 4
    assert sum(VALUE[kind] for kind in DECK) == 191


def started(players: int, start: int, **switches: Any) -> Pots:
    """A game whose first round this seat starts."""
    for deal in range(1000):
        game = Pots(players, **switches).start(deal=deal)
        if game.table.start == start:
            return game
    raise AssertionError


def play_round(game: Pots, rng: random.Random) -> list[int]:
    """Play to the end of the round at random; return who played."""
    seats, round_ = [], game.table.round
    while game.table.round == round_ and not game.is_over:
        seats.append(game.table.seat)
        game.apply(rng.choice([a for a in range(N_ACTIONS) if game.is_legal(a)]))
        assert game.broken() == ""
    return seats


@pytest.mark.parametrize(
    ("players", "start", "switches", "sizes", "ghost", "aside"),
    [
        pytest.param(4, 2, {}, [12, 12, 13, 13], 0, 0, id="P-02"),
        pytest.param(5, 4, {}, [10] * 5, 0, 0, id="P-03 five"),
        pytest.param(6, 5, {}, [9, 8, 8, 8, 8, 9], 0, 0, id="P-03 six"),
        pytest.param(3, 1, {}, [12, 13, 13], 12, 0, id="P-04"),
        pytest.param(3, 0, {"three_player_deal": "all_cards"}, [17, 17, 16], 0, 0, id="P-05 all"),
        pytest.param(
            3, 0, {"three_player_deal": "equal_aside"}, [16] * 3, 0, 2, id="P-05 equal aside"
        ),
        pytest.param(4, 0, {"deal_mode": "start_only"}, [13, 12, 12, 12], 0, 1, id="P-06 four"),
        pytest.param(4, 0, {"deal_mode": "equal_aside"}, [12] * 4, 0, 2, id="P-06 four, equal"),
        pytest.param(6, 0, {"deal_mode": "start_only"}, [9, *[8] * 5], 0, 1, id="P-06 six"),
        pytest.param(6, 0, {"deal_mode": "equal_aside"}, [8] * 6, 0, 2, id="P-06 six, equal"),
        pytest.param(5, 0, {"deal_mode": "start_only"}, [10] * 5, 0, 0, id="five, start only"),
        pytest.param(5, 0, {"deal_mode": "equal_aside"}, [10] * 5, 0, 0, id="five, equal"),
        pytest.param(3, 2, {"deal_mode": "start_only"}, [13, 12, 13], 12, 0, id="three ignore it"),
        pytest.param(
            4, 2, {"three_player_deal": "equal_aside"}, [12, 12, 13, 13], 0, 0, id="four ignore it"
        ),
    ],
)
def test_p02_to_p06_hands(
    players: int, start: int, switches: dict[str, Any], sizes: list[int], ghost: int, aside: int
) -> None:
    game = started(players, start, **switches)
    assert game.hand_sizes() == sizes
    assert (n_cards(game.state.ghost), n_cards(game.state.aside)) == (ghost, aside)
    assert game.broken() == ""
    unplayed = game.state.ghost, game.state.aside
    seats = play_round(game, random.Random(start))
    assert len(seats) == sum(sizes) == 50 - ghost - aside
    assert seats == [(start + i) % players for i in range(len(seats))]
    play = [event for event in game.events() if event["type"] == "play"][: len(seats)]
    played = Counter(event["card"] for event in play)
    assert played == Counter(cards(FULL_DECK)) - Counter(cards(sum(unplayed)))  # P-04
    again = game.state  # P-04: all 50 cards are dealt again
    dealt = [*again.hand[:players], again.ghost, again.aside]
    assert sum(dealt) == FULL_DECK


def test_deal_turns_hands_and_not_their_sizes() -> None:
    def hands(turn: int) -> list[int]:
        game = Pots(4, first_start="seat0")
        game.state.dealer.turn = turn
        game.start(seed=5)
        assert game.hand_sizes() == [13, 13, 12, 12]
        return list(game.state.hand[:4])

    whole, turned = hands(0), hands(1)
    longer = [n_cards(a) - 12 for a in whole]
    shared = [
        sum(min(count_of(whole[i], k), count_of(turned[(i + 1) % 4], k)) for k in range(N_KINDS))
        for i in range(4)
    ]
    assert longer == [1, 1, 0, 0]
    assert min(shared) >= 12  # all but the odd card have moved on


def test_deal_is_uniform() -> None:
    """Each kind is as often in each hand as its cards and the size of the hand say."""
    n_deals = 4000 if JIT else 300
    for players in GAME.players:
        game = Pots(players, first_start="seat0")
        held = np.zeros((players + 1, N_KINDS))
        for deal in range(n_deals):
            game.start(deal=deal)
            for holder, own in enumerate([*game.state.hand[:players], game.state.ghost]):
                held[holder] += [count_of(own, kind) for kind in range(N_KINDS)]
        held = held[held.sum(axis=1) > 0]
        expected = np.outer(held.sum(axis=1), COPIES) / 50
        # Cards of one deal exclude each other, which spreads the counts by 50 / 49 in the mean.
        statistic = ((held - expected) ** 2 / expected).sum() * 49 / 50
        degrees = (len(held) - 1) * (N_KINDS - 1)
        assert UNLIKELY < stats.chi2.sf(statistic, degrees) < 1 - UNLIKELY


def test_first_and_next_start() -> None:
    starts = Counter(Pots(5).start(deal=deal).table.start for deal in range(1000))
    assert stats.chisquare([starts[seat] for seat in range(5)]).pvalue > UNLIKELY
    assert {Pots(5, first_start="seat0").start(deal=d).table.start for d in range(20)} == {0}
    following: Counter[int] = Counter()
    for deal in range(400 if JIT else 100):
        game = Pots(4, first_start="seat0", next_start="random").start(deal=deal)
        following[game.finish().table.start] += 1
    assert stats.chisquare([following[seat] for seat in range(4)]).pvalue > UNLIKELY


# Legal moves


@pytest.mark.parametrize(
    ("pots", "hand", "mode", "legal"),
    [
        pytest.param(["", "", ""], "R7", "dynamic", "R7>0", id="P-07 dynamic"),
        pytest.param(["", "", ""], "R7", "fixed", "R7>0", id="P-07 fixed"),
        pytest.param(["R1", "", ""], "R5", "dynamic", "R5>0", id="P-08 own pot"),
        pytest.param(["R1", "", ""], "B2", "dynamic", "B2>1", id="P-08 free pot"),
        pytest.param(["X", "R2", ""], "R5", "dynamic", "R5>1", id="P-09 red"),
        pytest.param(["X", "R2", ""], "B5", "dynamic", "B5>0 B5>2", id="P-09 blue"),
        pytest.param(["X", "R2", ""], "X", "dynamic", "X>0 X>1 X>2", id="P-09 poison"),
        pytest.param(["R7 R2 R1", "B5 B4", "P7 P5"], "R5", "dynamic", "R5>0", id="P-10"),
        pytest.param(["R7 R2 R1", "B5 B4", "P7 P5"], "X", "dynamic", "X>0 X>1 X>2", id="P-11"),
        pytest.param(["X", "", ""], "B5", "fixed", "B5>1", id="P-12 fixed"),
        pytest.param(["X", "", ""], "B5", "dynamic", "B5>0 B5>1", id="P-12 dynamic"),
        pytest.param(["R7", "", ""], "R1 R1 X", "dynamic", "R1>0 X>0 X>1", id="P-13"),
        pytest.param(["", "", ""], "X", "fixed", "X>0 X>1 X>2", id="P-07 fixed pots differ"),
        pytest.param(["X", "X", "X X"], "P1", "dynamic", "P1>0 P1>2", id="P-07 poison alike"),
    ],
)
def test_p07_to_p13_legal_moves(pots: list[str], hand: str, mode: str, legal: str) -> None:
    assert laid(*pots, hand=hand, cauldron_colour_mode=mode).legal() == legal


def test_p06_there_is_always_a_legal_move() -> None:
    """P-R06: also for a hand of one colour, whatever lies in the pots."""
    rng = random.Random(6)
    for _ in range(200 if JIT else 40):
        pots = [rng.choice(["", "X", "X X", f"{colour}7"]) for colour in "RBP"]
        rng.shuffle(pots)
        for hand in ("R1", "B1", "P1", "X"):
            assert laid(*pots, hand=hand).legal()


# Plays


@pytest.mark.parametrize(
    ("pots", "play", "total", "takes", "after"),
    [
        pytest.param(["X", "R2", ""], "B5>0", 9, "", "[B5 X] 9", id="P-09"),
        pytest.param(["R7 R2 R1", "B5 B4", "P7 P5"], "R5>0", 15, "R1 R2 R7", "[R5] 5", id="P-10"),
        pytest.param(["R7 R2 R1", "B5 B4", "P7 P5"], "X>0", 14, "R1 R2 R7", "[X] 4", id="P-11 red"),
        pytest.param(["R7 R2 R1", "B5 B4", "P7 P5"], "X>1", 13, "", "[B4 B5 X] 13", id="P-11 safe"),
        pytest.param(["R7 R2 R1", "B5 B4", "P7 P5"], "X>2", 16, "P5 P7", "[X] 4", id="P-11 purple"),
        pytest.param(["R7 R1"], "R5>0", 13, "", "[R1 R5 R7] 13", id="P-14"),
        pytest.param(["R7"], "R7>0", 14, "R7", "[R7] 7", id="P-15"),
        pytest.param(["R1 R2 X R4"], "R5>0", 16, "R1 R2 R4 X", "[R5] 5", id="P-16"),
        pytest.param(["", "B7 B5"], "X>1", 16, "B5 B7", "[X] 4", id="P-17"),
        pytest.param(["", "", "X X X"], "X>2", 16, "X X X", "[X] 4", id="P-19"),
        pytest.param(["", "", "X X X"], "P2>2", 14, "X X X", "[P2] 2", id="P-20"),
        pytest.param(["", "", "X X X"], "P1>2", 13, "", "[P1 X X X] 13", id="P-21"),
    ],
)
def test_p14_to_p21_plays(pots: list[str], play: str, total: int, takes: str, after: str) -> None:
    game = laid(*pots, hand=f"{play[:-2]} P4").play(play)
    (event,) = game.events()
    card, pot = play.split(">")
    assert event == {
        "type": "play", "seat": 0, "card": card, "pot": int(pot), "total": total,
        "takes": takes.split(),
    }  # fmt: skip
    assert game.pots()[int(pot)] == after
    assert game.piles()[0] == takes
    assert game.broken() == ""


def test_p17_sticky_pot_keeps_its_colour() -> None:
    game = laid("", "B7 B5", hand="X X", colour_lock_after_bust="sticky").play("X>1")
    assert game.pots()[1] == "[X] 4B"


@pytest.mark.parametrize(
    ("lock", "pots", "card", "legal"),
    [
        ("contents", ("R1", "B7 B5", "P2"), "B7", "B7>1"),
        ("contents", ("R1", "B7 B5", "P2"), "R2", "R2>0"),
        ("sticky", ("R1", "B7 B5", "P2"), "B7", "B7>1"),
        ("sticky", ("R1", "B7 B5", "P2"), "R2", "R2>0"),
        ("contents", ("", "B7 B5", "P2"), "R2", "R2>0 R2>1"),
        ("sticky", ("", "B7 B5", "P2"), "R2", "R2>0"),
        ("contents", ("", "B7 B5", "P2"), "B2", "B2>0 B2>1"),
        ("sticky", ("", "B7 B5", "P2"), "B2", "B2>1"),
    ],
)
def test_p18_colour_after_an_overflow(
    lock: str, pots: tuple[str, ...], card: str, legal: str
) -> None:
    others = (card, "P4", "P5")
    game = laid(*pots, hand="X X", others=others, colour_lock_after_bust=lock).play("X>1")
    assert (game.table.seat, game.legal()) == (1, legal)


def test_p22_next_seat_after_an_overflow() -> None:
    game = laid("R7", hand="P1", others=("P1", "P1", "R7 P2")).to_act(3).play("R7>0")
    assert game.piles() == ["", "", "", "R7"]
    assert game.table.seat == 0


def test_p23_last_plays_and_pots_that_are_not_empty() -> None:
    game = started(4, 1)
    seats = play_round(game, random.Random(23))
    assert seats[48:] == [1, 2]
    assert game.table.round == 2
    assert game.state.counted.left_over > 0


def test_p24_a_seat_without_a_card_is_skipped() -> None:
    game = laid(hand="R1", others=("", "R2", ""), rounds=1)
    assert game.play("R1>0").table.seat == 2
    assert game.play("R2>0").is_over


def test_p25_overflow_takes_the_card_just_played_too() -> None:
    game = laid("R7", hand="R7 P1", bust_collects=ALL).play("R7>0")
    assert game.events()[0]["takes"] == ["R7", "R7"]
    assert (game.piles()[0], game.pots()[0]) == ("R7 R7", "[] 0")


def test_p41_sticky_and_all_including_played() -> None:
    game = laid(
        "X X X", hand="P2 P4", others=("P5 R1", "P7", "P7"),
        colour_lock_after_bust="sticky", bust_collects=ALL,
    ).play("P2>0")  # fmt: skip
    assert (game.piles()[0], game.pots()[0]) == ("P2 X X X", "[] 0P")
    assert game.legal() == "R1>1 P5>0"  # and R1>2, which is the same


@pytest.mark.parametrize(("threshold", "n"), [(7, 1), (8, 2), (11, 2), (15, 3), (16, 4), (23, 5)])
def test_threshold(threshold: int, n: int) -> None:
    game = Pots(4, bust_threshold=threshold).start().lay(hands=("X X",) * 4)
    game.play("X>0 " * n)
    assert {tuple(event["takes"]) for event in game.events()} == {()}
    game.play("X>0")
    assert game.events()[0]["takes"] == ["X"] * n
    assert game.pots()[0] == "[X] 4"


# Scoring


def scored(*piles: str, players: int = 0, **switches: Any) -> list[int]:
    """Round scores of seats that have taken these piles; others have nothing."""
    n = max(players or len(piles), 3)
    game = Pots(n, rounds=1, **switches).start().finish(*piles, *[""] * (n - len(piles)))
    event = game.events()[1]
    assert (event["type"], event["totals"]) == ("score", event["round_scores"])
    assert event["totals"] == game.outcome()["score"] == game.outcome()["first_round"]
    assert game.broken() == ""
    return list(event["round_scores"][: len(piles)])


TIED = {"majority_tie": "all_tied_discard"}


@pytest.mark.parametrize(
    ("piles", "switches", "scores"),
    [
        pytest.param(["5R 2B", "3R 4B 1X", ""], {}, [2, 5, 0], id="P-26"),
        pytest.param(["4R", "4R", "1R"], {}, [4, 4, 1], id="P-27"),
        pytest.param(["4R", "4R", "1R"], TIED, [0, 0, 1], id="P-27 all tied"),
        pytest.param(["4R", "4R", "3R"], {}, [4, 4, 3], id="P-28"),
        pytest.param(["5X", "", ""], {}, [10, 0, 0], id="P-29"),
        pytest.param(["6R 5B 4P 2X", "", ""], {}, [4, 0, 0], id="P-30"),
        pytest.param(
            ["6R 5B 4P 2X", "", ""], {"majority_limit": "one_colour"}, [13, 0, 0], id="P-30 one"
        ),
        pytest.param(
            ["4R 4B 2P", "1P", ""], {"majority_limit": "one_colour"}, [6, 1, 0], id="one: ties"
        ),
        pytest.param(
            ["2R 4B", "2R 1P", ""], {"majority_limit": "one_colour", **TIED}, [2, 1, 0],
            id="one: tied colours",
        ),
        pytest.param(["3R", "2B", ""], {}, [0, 0, 0], id="P-31"),
        pytest.param(["1P", "", ""], {}, [0, 0, 0], id="P-32"),
        pytest.param(["1P", "", ""], {"majority_min_cards": 2}, [1, 0, 0], id="P-32 of two"),
        pytest.param(["1P", "", ""], {"majority_min_cards": 0}, [0, 0, 0], id="P-32 of none"),
        pytest.param(["3R 3B", "2R 3B 1P", "1B 2P", "1X"], {}, [3, 6, 1, 2], id="P-34"),
        pytest.param(["4R 1X", "2R 1X", ""], {"poison_points": 4}, [4, 6, 0], id="poison 4"),
        pytest.param(["4R 1X", "2R 1X", ""], {"potion_points": 3}, [2, 8, 0], id="potion 3"),
    ],
)  # fmt: skip
def test_p26_to_p34_scores(piles: list[str], switches: dict[str, Any], scores: list[int]) -> None:
    assert scored(*piles, **switches) == scores


def test_p30_one_colour_is_the_lowest_of_equals() -> None:
    one = {"majority_limit": "one_colour"}
    game = Pots(3, **one).start().finish("4R 4B 2P", "", "")
    assert game.events()[1]["discarded"] == [["R"], [], []]
    game = Pots(3, **one).start().finish("3R 4B 4P", "", "")
    assert game.events()[1]["discarded"] == [["B"], [], []]


def test_p31_nobody_took_a_colour() -> None:
    game = Pots(3).start().finish("3R", "2B", "")
    assert game.events()[1]["discarded"] == [["R"], ["B"], []]
    game = Pots(3, **TIED).start().finish("3R", "2B", "")
    assert game.events()[1]["discarded"] == [["R"], ["B"], []]


def test_p33_cards_are_counted_and_not_their_values() -> None:
    game = Pots(3, rounds=1).start()
    hands = tuple("X" if seat == game.table.seat else "" for seat in range(3))
    game.lay(hands=hands, piles=(heap("R7 R7"), heap("R1 R1 R1"), 0)).play("X>0")
    assert game.events()[1]["round_scores"] == [2, 0, 0]


def test_p35_cards_left_in_the_pots_are_scored_by_nobody() -> None:
    game = Pots(4, rounds=1).start(deal=35)
    play_round(game, random.Random(35))
    left = sum(map(n_cards, game.table.pot))
    score = game.events()[-1]
    assert sum(map(len, score["taken"])) == 50 - left
    outcome = game.outcome()
    assert (sum(outcome["taken"]), outcome["left_over"]) == (50 - left, left)
    hands = ("X", "", "", "")
    game = Pots(4, rounds=1, first_start="seat0").start()
    game.lay("R1 R1 R1", "B1 B1 B1 B2", "P1", hands=hands).play("X>2")
    assert game.outcome()["left_over"] == 9
    assert game.totals() == [0, 0, 0, 0]


# Game flow


def test_p36_start_seats() -> None:
    game, seats = started(4, 2), []
    while not game.is_over:
        seats += play_round(game, random.Random(36))
    starts = [event["start"] for event in game.events() if event["type"] == "round"]
    assert starts == [2, 3, 0, 1]
    assert len(seats) == 200


def ended(*totals: int, poisons: tuple[int, ...] = (), **switches: Any) -> Pots:
    """A game after its last regular round, with these totals."""
    game = Pots(len(totals), rounds=1, **switches).start().set_totals(*totals, poisons=poisons)
    return game.finish()


def test_p37_lowest_total_wins_and_ties_share() -> None:
    game = ended(21, 17, 17, 30)
    assert game.winners() == [1, 2]
    assert game.outcome()["win_share"] == [0, SHARE_UNIT // 2, SHARE_UNIT // 2, 0]
    assert game.outcome()["shared"] == 1
    fewest = {"final_tie": "fewest_poison", "poisons": (0, 5, 3, 0)}
    assert ended(21, 17, 17, 30, **fewest).winners() == [2]
    fewest["poisons"] = (0, 3, 3, 0)
    assert ended(21, 17, 17, 30, **fewest).winners() == [1, 2]
    fewest["poisons"] = (0, 5, 3, 0)
    assert ended(21, 16, 17, 30, **fewest).winners() == [1]


def test_p38_rounds_fewer_than_players() -> None:
    game, seats = Pots(6, rounds=4, first_start="seat0").start(), []
    while not game.is_over:
        seats += play_round(game, random.Random(38))
    starts = [event["start"] for event in game.events() if event["type"] == "round"]
    assert (starts, len(seats)) == ([0, 1, 2, 3], 200)


def test_p39_only_the_tied_may_win_an_extra_round() -> None:
    game = ended(20, 20, 22, final_tie="extra_round")
    assert not game.is_over
    assert (game.table.round, game.table.eligible) == (2, 0b011)
    game.finish("1R 2X", "1R 1X", "")
    assert game.totals() == [25, 23, 22]
    assert game.is_over
    assert game.winners() == [1]
    assert ended(20, 21, 22, final_tie="extra_round").is_over


def test_p42_extra_rounds_narrow_the_tied() -> None:
    def after_two() -> Pots:
        game = ended(20, 20, 20, 22, final_tie="extra_round")
        game.finish("2R 1X", "2R 1X", "1R 2X", "")
        assert game.totals() == [24, 24, 25, 22]
        assert (game.is_over, game.table.eligible) == (False, 0b0011)
        return game

    game = after_two().finish("3X", "1B 2X", "2B", "")
    assert game.totals() == [30, 29, 25, 22]
    assert game.is_over
    assert game.winners() == [1]
    game = after_two()
    for extra in (2, 3):
        assert (game.is_over, game.table.round) == (False, extra + 1)
        game.finish()
    assert game.is_over
    assert game.winners() == [0, 1]
    assert game.outcome()["rounds"] == 4


def test_extra_rounds_go_on_as_usual() -> None:
    game = Pots(3, rounds=3, final_tie="extra_round", first_start="seat0").start()
    for _ in range(3):
        game.finish()
    assert (game.table.round, game.table.start) == (4, 0)
    assert game.hand_sizes() == [13, 13, 12]


# What does not fit together


def test_contradictory_switches_are_told_together() -> None:
    problems = Pots(3).rules.problems
    default = GAME.defaults()
    assert problems(3, default) == problems(3, {**default, "ghost_revealed": "yes"}) == []
    no_points = {"potion_points": 0, "poison_points": 0}
    ghost, points = problems(4, {**default, "ghost_revealed": "yes", **no_points})
    assert "ghost_revealed=yes" in ghost and "allowed: no" in ghost
    assert "poison_points=0" in points and "allowed: at least one" in points
    (ghost,) = problems(3, {**default, "ghost_revealed": "yes", "three_player_deal": "all_cards"})
    assert "three_player_deal=all_cards" in ghost


# What is counted


def test_measures_of_overflows() -> None:
    game = laid("R7", "B7", hand="R7 B1 P1").play("R7>0")
    counted = game.state.counted
    assert (counted.overflows[0], counted.forced[0]) == (1, 0)  # B1 was safe
    game = laid("R7", "B7", "P7 P7", hand="R7 B7").play("B7>1")
    counted = game.state.counted
    assert (counted.overflows[0], counted.forced[0]) == (1, 1)


def test_the_first_poison_may_come_back() -> None:
    back = laid("R4 R1", hand="X R7 P7", others=("B1", "B2", "P1")).play("X>0 B1>1 B2>1 P1>2")
    assert back.state.counted.came_back == 0
    assert back.play("R7>0").state.counted.came_back == 1
    taken = laid("R4 R1", hand="X R7 X", others=("R7", "B2", "P1")).play("X>0 R7>0 B2>1 P1>2")
    assert taken.play("R7>0").state.counted.came_back == 0
    at_once = laid("R7 R5", hand="X R1", bust_collects="all_including_played").play("X>0")
    assert at_once.state.counted.came_back == 1


def test_measures_of_majorities() -> None:
    game = Pots(3, first_start="seat0").start()
    game.finish("5R 2B", "3R 4B 1X", "1P").finish("2R", "6B", "6B").finish("", "2P", "1P 3X")
    outcome = game.outcome()
    assert outcome["rounds"] == 3
    assert outcome["discarded"] == [5 + 2, 4 + 2, 1]
    assert outcome["majorities"] == [2, 2, 1]
    assert outcome["largest_majority"] == [5, 4, 1]
    assert outcome["taken"] == [9, 16, 11]
    assert outcome["poisons"] == [0, 1, 3]
    assert outcome["tied_colours"] == 1
    assert outcome["first_round"] == [2, 5, 0]
    assert outcome["score"] == [2, 11, 13]
    assert outcome["lead_changes"] == 1  # seat 2, then seat 0 for good
    assert outcome["left_over"] == 3


# Cards and actions as numbers


def test_numbers_of_kinds_and_actions() -> None:
    for number in range(N_ACTIONS):
        kind, pot = divmod(number, 3)
        assert (kind_of(number), pot_of(number)) == (kind, pot)
        assert value_of(kind) == VALUE[kind]
        assert colour_of(kind) == kind // 5
    assert [NAMES[kind] for kind in (0, 4, 5, 14, 15)] == ["R1", "R7", "B1", "P7", "X"]
    assert action("B2>1") == 6 * 3 + 1


def test_heaps_count_what_is_in_them() -> None:
    rng = random.Random(0)
    for _ in range(300):
        kinds = rng.sample(DECK, rng.randint(0, 50))
        found = sum(map(one, kinds))
        assert [count_of(found, kind) for kind in range(N_KINDS)] == [
            kinds.count(kind) for kind in range(N_KINDS)
        ]
        assert kinds_in(found) == sum(1 << (3 * kind) for kind in set(kinds))
        assert (n_cards(found), n_poisons(found)) == (len(kinds), kinds.count(POISON))
        assert n_potions(found) == len(kinds) - kinds.count(POISON)
        for colour in range(3):
            own = [kind for kind in kinds if kind // 5 == colour]
            assert n_of_colour(found, colour) == len(own)


# Invariants (section 4)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("switch", GAME.switches, ids=lambda switch: switch.name)
def test_p40_invariants_for_each_value_of_a_switch(players: int, switch: Any) -> None:
    rng = random.Random(f"{players} {switch.name}")
    for value in switch.words or (switch.low, switch.low + 1):
        given = {switch.name: value}
        for settings in (GAME.defaults() | given, switches_with(GAME, players, rng, given)):
            if settings and not Pots(players).rules.problems(players, settings):
                table = Table(GAME, players, settings, lineup(GAME, players), seed=40)
                assert rounds_of(table, 1000 if JIT else 1) > 0


def test_sticky_is_nothing_to_fixed_colours() -> None:
    fixed = GAME.defaults() | {"cauldron_colour_mode": "fixed", "bust_collects": ALL, "rounds": 1}
    assert catalog.rules_problems(GAME, 4, fixed | {"colour_lock_after_bust": "sticky"}) == []
    sums = []
    for lock in ("contents", "sticky"):
        settings = fixed | {"colour_lock_after_bust": lock}
        played = Table(GAME, 4, settings, lineup(GAME, 4), seed=41).play(0, 200 if JIT else 3)
        assert played.totals is not None
        sums.append(played.totals["sum"].tolist())
    assert sums[0] == sums[1]


@pytest.mark.parametrize("players", GAME.players)
def test_p40_invariants_for_random_switches(players: int) -> None:
    rng = random.Random(players)
    for n in range(60 if JIT else 3):
        settings = random_switches(GAME, players, rng)
        table = Table(GAME, players, settings, lineup(GAME, players), seed=n)
        assert rounds_of(table, 100 if JIT else 1) > 0


@pytest.mark.parametrize(
    ("tamper", "invariant"),
    [
        (lambda game: game.state.hand.__setitem__(0, heap("P1 P5")), "50 cards"),
        (lambda game: setattr(game.state, "aside", 0), "50 cards"),
        (lambda game: game.state.taken.__setitem__(1, heap("R7")), "50 cards"),
        (lambda game: game.table.n_hand.__setitem__(0, 2), "everybody sees"),
        (lambda game: setattr(game.table, "n_left", 1), "everybody sees"),
        (lambda game: game.table.pot_total.__setitem__(0, 6), "above the threshold"),
        (lambda game: setattr(game.table.rules, "threshold", 6), "above the threshold"),
        (lambda game: game.table.pot_colour.__setitem__(0, -1), "two colours"),
        (lambda game: game.table.pot_colour.__setitem__(1, 0), "two colours"),
        (lambda game: game.table.pot_colour.__setitem__(2, 2), "two colours"),
        (lambda game: setattr(game.table, "played", 0), "the cards played"),
        (lambda game: game.table.last_round.__setitem__(0, 59), "scores"),
        (lambda game: game.table.last_round.__setitem__(0, 1), "scores"),
        (lambda game: setattr(game.state, "legal", 0), "may do"),
        (lambda game: setattr(game.state, "legal", game.state.legal | 1), "may do"),
        (lambda game: game.table.taken.__setitem__(0, 0), "remembered"),
        (lambda game: game.table.n_taken.__setitem__(0, 2), "remembered"),
        (lambda game: setattr(game.table, "n_history", 0), "remembered"),
    ],
)
def test_p40_a_broken_invariant_is_found(tamper: Any, invariant: str) -> None:
    game = laid("R7", hand="R7 P1", others=("B2 B4", "B5", "B5")).play("R7>0")
    assert game.broken() == ""
    tamper(game)
    assert invariant in game.broken()


def test_p40_a_wrong_score_is_found() -> None:
    game = ended(0, 0, 0)
    assert game.broken() == ""
    game.state.taken[0] = heap("X")
    game.state.aside -= heap("X")
    game.table.played += heap("X")
    assert "scores" in game.broken()
