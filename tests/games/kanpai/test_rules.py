"""The rules of 干杯, asked of the kernels: scenarios K-01 to K-49 of the rule sheet, and more.

Areas and cards are text, see `positions`. The ids are those of the sheet.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.core.engine import Table
from sim.core.jit import JIT
from sim.games.kanpai import GAME
from sim.games.kanpai.cards import N_RECIPES, N_THREE_KINDS, recipe_draws, recipe_glasses
from sim.games.kanpai.text import CARDS
from sim.games.kanpai.view import MAX_HAND, UNKNOWN, pair_bit, team_of
from sim.probe import switches_with
from tests.arena import lineup, random_switches
from tests.games.kanpai.positions import DECK, Cheers, as_text, at_table, glasses
from tests.positions import argument

pytestmark = pytest.mark.both_modes

UNLIKELY = 1e-5  # a test of chance fails below; its seeds are fixed
FILL = "P/g P/g P/g"  # a hand that does not matter
MODES = ("base", "master", "masquerade", "three_teams")


def started(players: int, **switches: Any) -> Cheers:
    return Cheers(players, **switches).start()


def hand_sizes(game: Cheers) -> list[int]:
    return list(game.table.n_hand[: game.players])


def pairs(text: str) -> set[tuple[int, int]]:
    """Pairs as text: `01 10 23`."""
    return {(int(pair[0]), int(pair[1])) for pair in text.split()}


# Setup


def test_k01_recipes_and_their_weights() -> None:
    tokens = "GGRRBBYYPP"
    draws = Counter(
        "".join(sorted(draw, key="GRBYP".index))
        for pair in "GRBYP"
        for draw in itertools.combinations([t for t in tokens if t != pair], 5)
    )
    assert draws.total() == 280
    kinds = Counter({len(set(r)): 0 for r in draws})
    for recipe, n in draws.items():
        kinds[len(set(recipe))] += n
    assert kinds == {3: 120, 4: 160}
    known = {as_text(recipe_glasses(i)): recipe_draws(i) for i in range(N_RECIPES)}
    assert known == draws
    assert (len(draws), N_THREE_KINDS) == (50, 30)
    assert {n for recipe, n in draws.items() if len(set(recipe)) == 3} == {4}
    assert {n for recipe, n in draws.items() if len(set(recipe)) == 4} == {8}


@pytest.mark.parametrize(
    ("players", "hands", "deck", "ring"),
    [
        (3, [3, 4, 3], 50, 4),
        (4, [3, 3, 3, 3], 48, 4),
        (5, [3, 4, 3, 4, 3], 43, 6),
        (6, [3, 3, 3, 3, 3, 3], 42, 6),
    ],
)
def test_k02_hands_and_deck(players: int, hands: list[int], deck: int, ring: int) -> None:
    game = started(players)
    assert hand_sizes(game) == hands
    assert game.table.n_deck == deck
    assert game.table.rules.n_ring == ring
    (deal, turn) = game.events()
    assert [len(hand) for hand in deal["hands"]] == hands + [0] * (ring - players)
    assert deal["dummies"] == [*range(players, ring)]
    assert deal["teams"] == [place % 2 for place in range(ring)]
    assert turn == {"type": "turn", "turn": 1, "seat": deal["start"]}


@pytest.mark.parametrize(
    ("profile", "n_cards", "of_a_big", "equal"),
    [
        ("distinct_x3", 60, 12, 0),
        ("all_x2", 50, 10, 2),
        ("all_x3", 75, 15, 3),
        ("distinct_x2", 40, 8, 0),
    ],
)
def test_k03_deck_profiles(profile: str, n_cards: int, of_a_big: int, equal: int) -> None:
    game = started(4, deck_profile=profile)
    deck = Counter(dict(zip(CARDS, game.table.rules.copies, strict=True)))
    assert deck.total() == n_cards
    for big in "GRBYP":
        assert sum(n for card, n in deck.items() if card[0] == big) == of_a_big
        assert deck[f"{big}/{big.lower()}"] == equal
    (deal, _) = game.events()
    dealt = Counter([card for hand in deal["hands"] for card in hand] + deal["deck"])
    assert +dealt == +deck


def test_k03_a_deck_of_ones_own() -> None:
    rows = [[0, 1, 2, 3, 4], [6, 0, 0, 0, 6], [1, 1, 1, 1, 1], [0, 0, 0, 0, 0], [2, 2, 2, 2, 2]]
    game = started(4, deck_profile=rows)
    assert list(game.table.rules.copies) == [*itertools.chain(*rows)]
    assert game.broken() == ""


# Toast and clink: the target is seat 2, on turn is seat 0


@pytest.mark.parametrize(
    ("area", "card", "after"),
    [
        pytest.param("RB", "Y/g", "RBY", id="k04-no-equal-glass"),
        pytest.param("RB", "Y/b", None, id="k05-clink"),
        pytest.param("R", "Y/g", "RY", id="k06-old-small-glass-is-dead"),
        pytest.param("", "R/r", "R", id="k07-equal-glasses-of-one-card"),
    ],
)
def test_k04_to_k07_what_a_toast_does(area: str, card: str, after: str | None) -> None:
    game = at_table("", "", area, hands=(card,), deck_profile="all_x2").act(f"toast {card} 2")
    toasted = game.events()[0]
    assert toasted == {"type": "toast", "seat": 0, "card": card, "to": 2, "clink": after is None}
    if after is not None:
        assert game.areas[2] == as_text(glasses(after))
    assert (game.asked == 2) == (after is None)


@pytest.mark.parametrize(
    ("area", "card", "after"),
    [
        pytest.param("RB", "Y/b", ("R", "Y", "B"), id="k05"),
        pytest.param("R", "R/r", ("", "R", "R"), id="k07-both-leave"),
        pytest.param("RBB", "Y/b", ("RB", "Y", "B"), id="k08-exactly-one-leaves"),
    ],
)
def test_k05_to_k08_a_clink(area: str, card: str, after: tuple[str, str, str]) -> None:
    game = at_table("", "", area, hands=(card,), deck_profile="all_x2")
    game.act(f"toast {card} 2", "split 1 3")
    assert (game.areas[2], game.areas[1], game.areas[3]) == after
    split = game.events()[1]
    matching = card[2].upper()
    gives = [{"glass": card[0], "to": 1}, {"glass": matching, "to": 3}]
    assert split == {"type": "split", "seat": 2, "target": 2, "gives": gives}


def test_k09_the_missing_card_clinks() -> None:
    game = at_table("GRBY", hands=("Y/g Y/p",)).act("toast Y/g 0", "split 1 3")
    assert game.areas[0] == "RBY"
    assert not game.is_over
    game = at_table("GRBY", hands=("Y/g Y/p",)).act("toast Y/p 0")
    assert (game.areas[0], game.winners()) == ("GRBYY", [0, 2])


@pytest.mark.parametrize(
    ("players", "target", "splitter", "legal", "switches"),
    [
        pytest.param(4, 0, 0, "12 21 13 31 23 32", {}, id="k10"),
        pytest.param(3, 0, 0, "12 21 13 31 23 32", {}, id="k12-three"),
        pytest.param(3, 3, 1, "01 10 02 20 12 21", {}, id="k12-dummy"),
        pytest.param(3, 1, 1, "02 20", {"use_dummy": "no"}, id="k13-no-mate"),
        pytest.param(3, 0, 0, "12 21", {"use_dummy": "no"}, id="k13-mate-and-opponent"),
        pytest.param(
            4,
            0,
            0,
            "01 10 03 30 12 21 13 31 23 32",
            {"cheers_target_may_keep": "yes"},
            id="k16-target-may-keep",
        ),
        pytest.param(4, 0, 0, "12 21 13 31 23 32", {"mode": "masquerade"}, id="k39-masquerade"),
        pytest.param(4, 0, 0, "13 31", {"cheers_min_opponents": 2}, id="k48-two-opponents"),
        pytest.param(
            3,
            0,
            0,
            "12 21",
            {"cheers_min_opponents": 2, "use_dummy": "no"},
            id="k48-falls-back",
        ),
        pytest.param(
            4, 0, 0, "12 21 13 31 23 32", {"cheers_min_opponents": 0}, id="k48-no-opponent"
        ),
        pytest.param(
            3, 0, 0, "12 21", {"cheers_dummy_receiver": "no"}, id="dummy-does-not-receive"
        ),
        pytest.param(
            4, 2, 0, "01 10 03 30 13 31", {"cheers_splitter": "active"}, id="active-splits"
        ),
    ],
)
def test_k10_to_k16_receivers(
    players: int, target: int, splitter: int, legal: str, switches: dict[str, Any]
) -> None:
    areas = [""] * target + ["B"]
    game = at_table(*areas, hands=("Y/b",), players=players, **switches)
    game.act(f"toast Y/b {target}")
    assert (game.asked, game.pairs()) == (splitter, pairs(legal))


@pytest.mark.parametrize(
    ("players", "target", "n", "missing", "switches"),
    [
        pytest.param(6, 0, 18, "24 42", {}, id="k11-six"),
        pytest.param(5, 0, 18, "24 42", {}, id="k12-five"),
        pytest.param(5, 1, 18, "35 53", {}, id="k12-five-short-team"),
        pytest.param(5, 5, 18, "13 31", {}, id="k12-five-dummy"),
        pytest.param(6, 0, 20, "", {"mode": "three_teams"}, id="k40-three-teams"),
        pytest.param(6, 0, 20, "", {"cheers_min_opponents": 0}, id="k48-no-opponent"),
    ],
)
def test_k11_k12_k40_many_receivers(
    players: int, target: int, n: int, missing: str, switches: dict[str, Any]
) -> None:
    areas = [""] * target + ["B"]
    game = at_table(*areas, hands=("Y/b",), players=players, **switches).act(f"toast Y/b {target}")
    others = [place for place in range(6) if place != target]
    assert game.pairs() == {*itertools.permutations(others, 2)} - pairs(missing)
    assert len(game.pairs()) == n
    if target == 5:
        assert game.asked == 1  # the dummy's first real teammate clockwise


def test_k14_the_active_seat_may_receive() -> None:
    game = at_table("", "B", hands=("Y/b",)).act("toast Y/b 1", "split 0 2")
    assert game.areas == ["Y", "", "B", ""]


def test_k15_received_cards_do_not_clink() -> None:
    game = at_table("BB", "B", hands=("Y/b",)).act("toast Y/b 1", "split 0 2")
    assert game.areas == ["BBY", "", "B", ""]
    assert game.asked == 1  # the next turn


# Send, Return, refill


def test_k17_send_never_clinks() -> None:
    game = at_table("RRB", "", "R").act("send R 2")
    assert game.areas[:3] == ["RB", "", "RR"]
    assert game.asked == 1


def test_k18_what_cannot_be_sent() -> None:
    assert not any(action.startswith("send") for action in at_table("", "R").legal())
    sends = {action for action in at_table("R").legal() if action.startswith("send")}
    assert sends == {"send R 1", "send R 2", "send R 3"}


@pytest.mark.parametrize(
    ("hand", "deck", "draw", "after", "left"),
    [
        pytest.param("Y/g Y/b Y/b", 10, "limit", 3, 7, id="k19"),
        pytest.param("Y/g Y/b Y/b", 2, "limit", 2, 0, id="k20-deck-of-two"),
        pytest.param("Y/g Y/b Y/b", 0, "limit", 0, 0, id="k21-empty-deck"),
        pytest.param("Y/g Y/g Y/b Y/b", 10, "limit", 4, 6, id="k19-short-team"),
        pytest.param("Y/g Y/g Y/b Y/b", 10, "three", 3, 7, id="k19-short-team-three"),
    ],
)
def test_k19_to_k21_return(hand: str, deck: int, draw: str, after: int, left: int) -> None:
    n, players = len(hand.split()), 3 if len(hand.split()) == 4 else 4
    active = 1 if players == 3 else 0
    hands = ["P/g P/g P/g"] * active + [hand]
    game = at_table(
        hands=hands, players=players, active=active, deck="R/g " * deck, return_draw=draw
    )
    game.act("return")
    assert game.hand(active) == " ".join(["R/g"] * after)
    assert (game.table.n_deck, game.table.n_returned[active]) == (left, n)
    assert game.asked == active + 1
    events = game.events()
    assert events[0] == {"type": "return", "seat": active, "cards": hand.split()}
    assert [event["type"] for event in events[1:]] == ["draw"] * (after > 0) + ["areas", "turn"]


def test_k21_no_refill_from_an_empty_deck() -> None:
    game = at_table(hands=("Y/b Y/g Y/r",), deck="").act("toast Y/b 1")
    assert game.hand(0) == "Y/g Y/r"


def test_k22_stuck_seats_pass_until_all_are() -> None:
    hands = ("Y/b", "", "", "")
    game = at_table(hands=hands, deck="").act("toast Y/b 3")
    assert [event["type"] for event in game.events()] == [
        *("toast", "areas", "turn", "pass", "areas", "turn", "pass", "areas", "turn"),
    ]
    assert game.asked == 3  # has a card in its area
    game.act("send Y 0")
    assert game.asked == 0  # seats 0 to 2 have been passed over or acted again
    assert not game.is_over
    game = at_table(hands=("Y/b Y/b", "", "", ""), deck="").act("return")
    assert game.is_over
    outcome = game.outcome()
    assert (outcome["status"], outcome["passes"], outcome["rounds"]) == (2, 4, 5)
    assert (outcome["draw"], game.winners()) == (0, [])  # `draw` is filled in by the loop


@pytest.mark.parametrize(
    ("hand", "n"),
    [
        pytest.param("Y/b Y/g P/g", 19, id="k23-three-different"),
        pytest.param("Y/b Y/b P/g", 15, id="k23-two-equal"),
    ],
)
def test_k23_legal_actions(hand: str, n: int) -> None:
    assert len(at_table("RRB", hands=(hand,)).legal()) == n


def test_toasts_to_oneself_may_be_forbidden() -> None:
    game = at_table("R", hands=("Y/b",), toast_self="no")
    toasts = {action for action in game.legal() if action.startswith("toast")}
    assert toasts == {"toast Y/b 1", "toast Y/b 2", "toast Y/b 3"}


def test_returns_with_an_empty_deck_may_be_illegal() -> None:
    switches = {"return_with_empty_deck": "illegal"}
    assert "return" not in at_table(hands=("Y/b",), deck="", **switches).legal()
    assert "return" in at_table(hands=("Y/b",), deck="R/g", **switches).legal()
    assert "return" in at_table(hands=("Y/b",), deck="").legal()
    game = at_table(hands=("Y/b", "Y/g"), deck="", reshuffle="when_empty", **switches)
    assert "return" not in game.legal()  # no hand has been returned either
    game = at_table(
        hands=("Y/b Y/b Y/b", "Y/g"), deck="R/g " * 3, reshuffle="when_empty", **switches
    )
    assert "return" in game.act("return").legal()


# Limit 6


def test_k24_sent_to_a_full_area() -> None:
    game = at_table("R", "RRBBGG").act("send R 1")
    assert (game.asked, game.legal()) == (1, {"drop R", "drop B", "drop G"})
    assert game.act("drop B").areas[1] == "GGRRRB"
    assert game.events()[1] == {"type": "overflow", "seat": 1, "by": 1, "glass": "B"}


def test_k25_the_new_card_may_be_discarded() -> None:
    game = at_table("", "RRBBGG", hands=("Y/p",)).act("toast Y/p 1")
    assert "drop Y" in game.legal()
    assert game.act("drop Y").areas[1] == "GGRRBB"
    assert list(game.table.dropped) == [0, 0, 0, 1, 0]


def test_k26_clink_before_the_limit() -> None:
    game = at_table("", "RRBBGG", "PPPPRR", hands=("Y/b",)).act("toast Y/b 1", "split 2 3")
    assert (game.areas[1], game.asked) == ("GGRRB", 2)
    assert game.act("drop Y").areas == ["", "GGRRB", "RRPPPP", "B"]


def test_k27_two_discards_clockwise_from_the_active_seat() -> None:
    full = "RRPPPP"
    game = at_table(full, "B", "", full, hands=("", "", "Y/b"), active=2)
    game.act("toast Y/b 1", "split 0 3")
    assert (game.asked, game.table.target) == (3, 3)
    game.act("drop P")
    assert (game.asked, game.table.target) == (0, 0)
    game.act("drop Y")
    assert game.areas == [full, "", "", "RRBPPP"]


def test_overflow_of_the_active_seat_comes_first() -> None:
    game = at_table("RRPPPP", "B", "RRPPPP", hands=("Y/b",)).act("toast Y/b 1", "split 2 0")
    assert game.asked == 0


@pytest.mark.parametrize(
    ("switches", "chooser"),
    [({}, 1), ({"overflow_chooser": "active"}, 0)],
)
def test_who_chooses_what_is_discarded(switches: dict[str, Any], chooser: int) -> None:
    game = at_table("R", "", "", "RRBBGG", players=3, **switches).act("send R 3")
    assert game.asked == chooser  # seat 1 decides for the dummy


@pytest.mark.parametrize(("cap", "asked"), [("none", 1), (7, 1), (6, 1), (5, 1)])
def test_other_limits(cap: Any, asked: int) -> None:
    game = at_table("R", "PPBBG", area_cap=cap).act("send R 1")
    assert game.table.phase == (2 if cap == 5 else 0)
    assert game.asked == asked


def test_discards_may_be_hidden() -> None:
    game = at_table("R", "RRBBGG", overflow_discard_public="no").act("send R 1", "drop B")
    assert list(game.table.dropped) == [0] * 5
    assert game.table.overflows == 1


# Win: the recipe of team 0 is G R B Y Y


@pytest.mark.parametrize(
    ("area", "sent", "wins"),
    [
        pytest.param("GRBY", "Y", True, id="exact"),
        pytest.param("GRBYB", "Y", True, id="one-more"),
        pytest.param("GRBYP", "Y", False, id="one-unwanted"),
        pytest.param("GRBYB", "B", False, id="one-lacks"),
    ],
)
def test_k28_what_wins(area: str, sent: str, wins: bool) -> None:
    game = at_table(area, sent, active=1).act(f"send {sent} 0")
    assert (game.areas[0], game.is_over) == (as_text(glasses(area + sent)), wins)
    assert game.winners() == ([0, 2] if wins else [])


def test_k29_sending_the_unwanted_card_away() -> None:
    game = at_table("GRBYYP").act("send P 1")
    assert (game.areas[0], game.winners()) == ("GRBYY", [0, 2])
    outcome = game.outcome()
    assert (outcome["won_by_send"], outcome["own_area"]) == (1, [1, 0, 0, 0])
    assert [event["type"] for event in game.events()] == ["send", "areas"]  # no refill


@pytest.mark.parametrize(
    ("area", "sent", "dropped", "after", "wins"),
    [
        pytest.param("GRBYYP", "G", "P", "GGRBYY", True, id="k30"),
        pytest.param("GRBYYP", "G", "G", "GRBYYP", False, id="k30-keeps-the-wrong-one"),
        pytest.param("GRBYPP", "Y", "P", "GRBYYP", False, id="k31"),
    ],
)
def test_k30_k31_discard_before_the_win(
    area: str, sent: str, dropped: str, after: str, wins: bool
) -> None:
    game = at_table(area, sent, active=1).act(f"send {sent} 0", f"drop {dropped}")
    assert (game.areas[0], game.is_over) == (after, wins)


def test_k32_areas_of_teammates_are_not_added() -> None:
    game = at_table("GRB", "", "Y", hands=("", "", "Y/p"), active=2).act("toast Y/p 2")
    assert (game.areas[0], game.areas[2], game.is_over) == ("GRB", "YY", False)


def test_k33_the_recipe_of_the_others_does_not_count_and_is_excluded() -> None:
    game = at_table("", "GRBY", hands=("Y/p",)).act("toast Y/p 1")
    assert (game.areas[1], game.is_over) == ("GRBYY", False)
    excluded = [as_text(recipe_glasses(i)) for i in range(50) if game.table.excluded[1] >> i & 1]
    assert excluded == ["GRBYY"]


def test_k34_seats_win_in_the_turn_of_others() -> None:
    game = at_table("GRBY", hands=("", "Y/p"), active=1).act("toast Y/p 0")
    assert game.winners() == [0, 2]
    assert game.table.turn == 1


@pytest.mark.parametrize(
    ("rule", "winners", "shares"),
    [
        ("clockwise_from_active", [0, 2], [0.5, 0, 0.5, 0]),
        ("active_team_first", [1, 3], [0, 0.5, 0, 0.5]),
        ("shared", [0, 1, 2, 3], [0.25] * 4),
    ],
)
def test_k35_two_seats_complete_at_once(rule: str, winners: list[int], shares: list[float]) -> None:
    # Seat 3 toasts Y/b to seat 2: the Y completes seat 0, the B completes seat 1.
    game = at_table(
        "GRBY", "RRBG", "B", hands=("", "", "", "Y/b"), active=3, simultaneous_win=rule
    ).act("toast Y/b 2", "split 0 1")
    assert (game.winners(), game.shares()) == (winners, shares)
    assert game.outcome()["teams_won"] == (2 if rule == "shared" else 1)


def test_k36_a_clink_takes_the_unwanted_card_away() -> None:
    game = at_table("GRBYYP", hands=("", "R/p"), active=1).act("toast R/p 0", "split 1 3")
    assert (game.areas[0], game.winners()) == ("GRBYY", [0, 2])
    assert game.outcome()["won_by_clink"] == 1


@pytest.mark.parametrize("dummy_can_win", ["yes", "no"])
def test_k37_the_area_of_the_dummy(dummy_can_win: str) -> None:
    game = at_table(
        *("", "", "", "RRBG"), hands=("B/p",), players=3, dummy_can_win=dummy_can_win
    ).act("toast B/p 3")
    if dummy_can_win == "yes":
        assert (game.winners(), game.shares()) == ([1], [0, 1, 0])
        assert game.outcome()["dummy_won"] == 1
    else:
        assert not game.is_over
        assert game.table.excluded[3] == 0  # nothing follows from an area that does not count


# Modes


def test_k38_master_and_apprentices() -> None:
    def play(seat: int, **switches: Any) -> Cheers:
        areas = ["GRBY" if place == seat else "" for place in range(4)]
        hands = ["Y/p" if place == seat else FILL for place in range(4)]
        game = at_table(*areas, hands=hands, active=seat, mode="master", **switches)
        assert list(game.table.master[:2]) == [0, 1]
        assert (game.observe().recipe == 0) == (seat == 2)
        return game.act(f"toast Y/p {seat}")

    assert not play(0).is_over
    assert play(2).winners() == [0, 2]
    assert play(0, master_area_counts="yes").winners() == [0, 2]
    assert play(2, master_area_counts="yes").winners() == [0, 2]


def test_master_of_a_team_with_a_dummy() -> None:
    game = at_table("", "", "", "", "", "RRBG", hands=("B/p",), players=5, mode="master")
    assert game.act("toast B/p 5").winners() == [1, 3]  # the dummy counts as an apprentice
    masters = {
        tuple(started_with(deal, 6, mode="master", master_seat="random").table.master[:2])
        for deal in range(60)
    }
    assert masters == {*itertools.product((0, 2, 4), (1, 3, 5))}


def started_with(deal: int, players: int, **switches: Any) -> Cheers:
    return Cheers(players, **switches).start(deal=deal)


def test_k39_masquerade_shows_only_the_own_faction() -> None:
    game = at_table(mode="masquerade")
    me = game.observe()
    assert [team_of(game.table.teams, seat) for seat in range(4)] == [UNKNOWN] * 4
    assert me.team == team_of(game.state.teams, 0)
    assert me.allies == 1
    assert as_text(me.recipe) == as_text(game.state.recipe[me.team])


def test_masquerade_spreads_the_tokens_evenly() -> None:
    n = 1800 if JIT else 360
    seen: Counter[int] = Counter()
    for deal in range(n):
        game = started_with(deal, 4, mode="masquerade")
        seen[game.state.teams] += 1
    assert len(seen) == 6
    assert stats.chisquare([*seen.values()]).pvalue > UNLIKELY


@pytest.mark.parametrize(
    ("players", "factions", "sizes"),
    [
        (3, "auto", [1, 2]),
        (4, "auto", [2, 2]),
        (5, "auto", [2, 3]),
        (6, "auto", [2, 2, 2]),
        (6, [3, 3], [3, 3]),
        (6, [1, 4, 1], [1, 1, 4]),
    ],
)
def test_masquerade_factions(players: int, factions: Any, sizes: list[int]) -> None:
    game = started(players, mode="masquerade", masquerade_factions=factions)
    teams = Counter(team_of(game.state.teams, seat) for seat in range(players))
    assert sorted(teams.values()) == sizes
    assert game.table.rules.n_ring == players  # no dummy


def test_masquerade_may_enforce_an_opponent() -> None:
    for deal in range(20):
        game = started_with(deal, 5, mode="masquerade", masquerade_cheers="engine_enforced")
        teams = [team_of(game.state.teams, seat) for seat in range(5)]
        areas = ["" if seat else "B" for seat in range(5)]
        game.lay(areas, ("Y/b",), DECK, ("GRBYY", "RRBBG"), 0).act("toast Y/b 0")
        mates = [seat for seat in range(1, 5) if teams[seat] == teams[0]]
        illegal = {*itertools.permutations(mates, 2)}
        assert game.pairs() == {*itertools.permutations(range(1, 5), 2)} - illegal


@pytest.mark.parametrize(
    ("players", "teams"),
    [(3, [0, 1, 2]), (4, [0, 1, 2, 0]), (5, [0, 1, 2, 0, 1]), (6, [0, 1, 2, 0, 1, 2])],
)
def test_k40_three_teams(players: int, teams: list[int]) -> None:
    game = started(players, mode="three_teams", three_teams_uneven="yes")
    assert [team_of(game.table.teams, seat) for seat in range(players)] == teams
    assert game.table.rules.n_ring == players


def acting_seats(game: Cheers, n: int) -> list[int]:
    seats = []
    for _ in range(n):
        seats.append(game.asked)
        game.act("return")
    return seats


def test_k41_alternate_teams() -> None:
    game = at_table(players=3, turn_structure="alternate_teams", deck="R/g " * 60)
    assert acting_seats(game, 9) == [0, 1, 2, 1, 0, 1, 2, 1, 0]
    assert list(game.table.turns[:3]) == [3, 5, 2]
    five = at_table(players=5, turn_structure="alternate_teams", deck="R/g " * 60)
    assert acting_seats(five, 7) == [0, 1, 2, 3, 4, 1, 0]


def test_k41_clockwise_from_the_seat_that_acts() -> None:
    # Seat 1 acts at the dummy's place 3 and completes seats 2 and 3: seat 2 comes first after 1.
    game = at_table(
        *("B", "", "GRBY", "RRBG"),
        hands=(FILL, "Y/b " * 4),
        players=3,
        active=3,
        turn_structure="alternate_teams",
    )
    assert game.asked == 1
    assert game.act("toast Y/b 0", "split 2 3").winners() == [0, 2]


# Limits and information


def test_k42_the_cap() -> None:
    game = at_table(max_turns=10, deck="R/g " * 60)
    assert len(acting_seats(game, 9)) == 9
    assert not game.is_over
    game.act("return")
    assert game.is_over
    assert (game.outcome()["status"], game.outcome()["rounds"]) == (1, 10)
    assert game.winners() == []


def test_k42_a_win_in_the_last_turn_counts() -> None:
    assert at_table("GRBYYP", max_turns=1).act("send P 1").outcome()["status"] == 0
    stuck = at_table(hands=("Y/b", "", "", ""), deck="", max_turns=5).act("return")
    assert stuck.outcome()["status"] == 2  # all stuck comes before the cap


def test_k43_hidden_facts_are_not_observed() -> None:
    game = at_table("RB", "GY", hands=("Y/b", "R/g", "B/g", "P/g"), deck="R/y G/y")
    before = bytes(game.observe().data), bytes(game.table.data)
    state = game.state
    first = [state.held[seat * MAX_HAND] for seat in range(4)]
    state.held[1 * MAX_HAND], state.held[2 * MAX_HAND] = first[2], first[1]
    state.hand[1], state.hand[2] = state.hand[2], state.hand[1]
    top = game.table.rules.n_cards - 2
    state.held[3 * MAX_HAND], state.deck[top] = state.deck[top], first[3]
    state.hand[3] = 1 << state.held[3 * MAX_HAND]
    state.recipe[1] = glasses("PPYYR")
    game.view.share_knowledge(argument(state))
    assert game.broken() == ""
    assert (bytes(game.observe().data), bytes(game.table.data)) == before


# Switches in combination


def test_k45_returned_cards_are_drawn_again() -> None:
    game = at_table(hands=("Y/b Y/g Y/r",), deck="", reshuffle="when_empty").act("return")
    assert (game.hand(0), game.table.n_deck) == ("Y/b Y/g Y/r", 0)
    assert list(game.table.n_returned[:4]) == [0, 0, 0, 0]
    kinds = [event["type"] for event in game.events()]
    assert kinds == ["return", "reshuffle", "draw", "areas", "turn"]


def test_a_refill_goes_on_with_the_new_deck() -> None:
    game = at_table(hands=("Y/b Y/g Y/r", "R/b R/y R/p"), deck="G/r", reshuffle="when_empty")
    game.act("return")  # draws G/r and two of its own three
    assert game.table.n_deck == 1
    events = game.events()
    assert [event["type"] for event in events[1:4]] == ["draw", "reshuffle", "draw"]
    assert [len(events[1]["cards"]), len(events[3]["cards"])] == [1, 2]
    assert sorted(events[2]["deck"]) == ["Y/b", "Y/g", "Y/r"]


def test_a_pass_that_draws_does_not_count() -> None:
    # Four returned cards, three drawn: one is left for seat 2, who has nothing.
    game = at_table(
        hands=(FILL, "Y/g Y/g Y/b Y/b", ""),
        deck="",
        players=3,
        active=1,
        reshuffle="when_empty",
        return_draw="three",
    ).act("return")
    kinds = [event["type"] for event in game.events()]
    assert kinds[4:8] == ["turn", "pass", "draw", "areas"]
    assert (game.table.passed, game.table.passes) == (0, 1)


@pytest.mark.parametrize(
    ("players", "switches", "limits", "ring"),
    [
        (3, {"use_dummy": "no"}, [3, 4, 3], 3),
        (3, {"use_dummy": "no", "short_team_hand": 3}, [3, 3, 3], 3),
        (3, {"mode": "three_teams"}, [3, 3, 3], 3),
        (5, {"mode": "masquerade"}, [3] * 5, 5),
        (4, {"team_layout": [0, 1, 1, 1]}, [4, 3, 3, 3], 5),
        (6, {"team_layout": [1, 1, 1, 1, 0, 0]}, [3, 3, 3, 3, 4, 4], 7),
        (6, {"team_layout": [0, 0, 0, 1, 1, 1]}, [3] * 6, 6),
    ],
)
def test_k46_hand_limits(
    players: int, switches: dict[str, Any], limits: list[int], ring: int
) -> None:
    game = started(players, **switches)
    assert hand_sizes(game) == limits
    assert game.table.rules.n_ring == ring
    if ring > players:
        assert game.table.rules.dummy == players
        assert limits[game.table.rules.decider[players]] == max(limits)
        assert team_of(game.table.teams, players) == team_of(
            game.table.teams, game.table.rules.decider[players]
        )


def test_k47_win_shares() -> None:
    four = at_table("", "RRBG", hands=("", "B/p"), active=1).act("toast B/p 1")
    assert four.shares() == [0, 0.5, 0, 0.5]
    three = at_table("", "RRBG", hands=("", "B/p"), players=3, active=1).act("toast B/p 1")
    assert (three.shares(), three.outcome()["shared"]) == ([0, 1, 0], 0)
    both = at_table(
        *("GRBY", "RRBG", "B"), hands=(FILL, "Y/b"), players=3, active=1, simultaneous_win="shared"
    ).act("toast Y/b 2", "split 0 1")
    assert both.shares() == [0.25, 0.5, 0.25]


def test_k49_the_place_of_the_dummy_is_passed_over() -> None:
    game = at_table(players=3, active=2, deck="R/g " * 60)
    seats = []
    for _ in range(6):
        seats.append(game.asked)
        game.act("return")
        assert hand_sizes(game) == [3, 4, 3]
    assert seats == [2, 0, 1, 2, 0, 1]


# Optional claims


def test_a_completed_recipe_may_be_kept_silent() -> None:
    game = at_table("GRBY", hands=("Y/p",), win_claim="optional").act("toast Y/p 0")
    assert (game.asked, game.legal()) == (0, {"silent", "declare"})
    game.act("silent")
    assert (game.asked, game.is_over, game.table.excluded[0]) == (1, False, 0)
    game.act("return")  # at the end of each turn the owner is asked again
    assert (game.asked, game.table.phase, game.hand(1)) == (0, 3, "")
    assert game.act("declare").winners() == [0, 2]
    assert [event["type"] for event in game.events()][-2:] == ["return", "areas"]


@pytest.mark.parametrize(
    ("rule", "asked"),
    [("clockwise_from_active", [0, 1]), ("active_team_first", [1, 0]), ("shared", [0, 1])],
)
def test_who_is_asked_first(rule: str, asked: list[int]) -> None:
    def position() -> Cheers:
        return at_table(
            *("GRBY", "RRBG", "B"),
            hands=("", "", "", "Y/b"),
            active=3,
            simultaneous_win=rule,
            win_claim="optional",
        ).act("toast Y/b 2", "split 0 1")

    game = position()
    assert game.asked == asked[0]
    assert game.act("silent").asked == asked[1]
    assert not game.act("silent").is_over
    game = position().act("declare")
    assert game.is_over == (rule != "shared")
    if rule == "shared":
        assert game.act("declare").winners() == [0, 1, 2, 3]
        assert position().act("declare", "silent").winners() == [0, 2]


def test_the_master_claims_for_an_apprentice() -> None:
    switches = {"mode": "master", "win_claim": "optional"}
    game = at_table("", "", "GRBY", hands=("Y/p",), **switches).act("toast Y/p 2")
    assert (game.asked, game.table.target) == (0, 2)


# The deal


@pytest.mark.parametrize("players", GAME.players)
def test_deal_is_uniform(players: int) -> None:
    """Each card is equally often in each hand."""
    game = Cheers(players, first_start="seat0")
    n_deals = 3000 if JIT else 200
    held = np.zeros((players, 25), np.int64)
    for deal in range(n_deals):
        game.start(deal=deal)
        for seat in range(players):
            for card in game.state.held[seat * MAX_HAND : (seat + 1) * MAX_HAND]:
                if card >= 0:
                    held[seat, card] += 1
    distinct = [card for card in range(25) if card // 5 != card % 5]
    for seat in range(players):
        limit = game.table.rules.limit[seat]
        assert held[seat].sum() == n_deals * limit
        # Equal cards are dealt without putting back, which narrows the counts a little.
        assert stats.chisquare(held[seat, distinct]).pvalue > UNLIKELY


def test_recipes_are_drawn_with_their_weights() -> None:
    game, seen = Cheers(4), Counter[str]()
    n_deals = 7000 if JIT else 700
    for deal in range(n_deals):
        game.start(deal=deal)
        seen[as_text(game.state.recipe[0])] += 1
    expected = [n_deals * recipe_draws(i) / 280 for i in range(50)]
    found = [seen[as_text(recipe_glasses(i))] for i in range(50)]
    assert stats.chisquare(found, expected).pvalue > UNLIKELY


def test_recipes_may_have_to_differ() -> None:
    equal = 0
    for deal in range(400):
        free = started_with(deal, 6, mode="three_teams").state.recipe
        equal += len(set(free)) < 3
        forced = started_with(deal, 6, mode="three_teams", recipes_distinct="different").state
        assert len(set(forced.recipe)) == 3
    assert equal > 5


def test_recipes_may_have_three_kinds_against_four() -> None:
    for deal in range(60):
        state = started_with(deal, 6, mode="three_teams", recipe_kinds="three_against_four").state
        assert [len(set(as_text(recipe))) for recipe in state.recipe] == [3, 4, 4]


# Switches that contradict each other


@pytest.mark.parametrize(
    ("players", "switches", "told"),
    [
        (3, {"mode": "master"}, ["mode=master", "mode=base, masquerade or three_teams"]),
        (4, {"mode": "master", "team_layout": [0, 1, 1, 1]}, ["two real members"]),
        (5, {"mode": "three_teams"}, ["three_teams_uneven=yes"]),
        (4, {"mode": "masquerade", "masquerade_factions": [3, 2]}, ["add up to 4"]),
        (4, {"masquerade_factions": [2, 2]}, ["allowed with mode=base: auto"]),
        (4, {"team_layout": [0, 1, 0]}, ["4 numbers 0 and 1"]),
        (4, {"team_layout": [0, 0, 0, 0]}, ["both present"]),
        (4, {"mode": "masquerade", "team_layout": [0, 1, 0, 1]}, ["balanced_alternating"]),
        (4, {"deck_profile": [[1, 1, 1, 1, 1]] + [[0] * 5] * 4}, ["5 cards", "12 or more"]),
        (4, {"deck_profile": [[3] * 5] * 4}, ["5 rows of 5"]),
    ],
)
def test_switches_that_do_not_fit(players: int, switches: dict[str, Any], told: list[str]) -> None:
    problems = Cheers(4).rules.problems
    assert problems(players, GAME.defaults()) == []
    (problem,) = problems(players, GAME.defaults() | switches)
    assert all(part in problem for part in told)
    assert "allowed" in problem
    assert any(name in problem for name in switches)


def test_all_that_does_not_fit_is_told_together() -> None:
    problems, defaults = Cheers(4).rules.problems, GAME.defaults()
    wrong = {"masquerade_factions": [2, 2], "deck_profile": [[1] * 4] * 5}
    three = {"mode": "three_teams", "team_layout": [0, 1, 0, 1]}
    assert len(problems(4, defaults | wrong | three)) == 4
    assert len(problems(3, defaults | wrong | {"mode": "master"})) == 3


# Invariants (section 4)


def play_games(players: int, switches: dict[str, Any], n: int, seed: int) -> None:
    table = Table(GAME, players, switches, lineup(GAME, players), seed, "none")
    played = table.play(0, n, check=True)
    assert played.fault is None, (switches, played.fault)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("mode", MODES)
def test_k44_invariants_in_each_mode(players: int, mode: str) -> None:
    rng = random.Random(f"{players} {mode}")
    for n in range(20 if JIT else 2):
        given = {"mode": mode, "max_turns": rng.choice([20, 60, 300])}
        switches = switches_with(GAME, players, rng, given)
        if switches is not None:
            play_games(players, switches, 50 if JIT else 1, n)
    if (mode, players) not in {("master", 3), ("three_teams", 4), ("three_teams", 5)}:
        play_games(players, GAME.defaults() | {"mode": mode}, 1000 if JIT else 1, 44)


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("switch", GAME.switches, ids=lambda switch: switch.name)
def test_k44_invariants_for_each_value_of_a_switch(players: int, switch: Any) -> None:
    rng = random.Random(f"{players} {switch.name}")
    for value in switch.words or (switch.low, switch.low + 1):
        switches = switches_with(GAME, players, rng, {switch.name: value})
        assert switches is not None or value in ("master", "three_teams")
        if switches is not None:
            play_games(players, switches, 40 if JIT else 1, 44)


@pytest.mark.parametrize("players", GAME.players)
def test_k44_invariants_for_random_switches(players: int) -> None:
    rng = random.Random(players)
    for n in range(60 if JIT else 3):
        play_games(players, random_switches(GAME, players, rng), 20 if JIT else 1, n)


@pytest.mark.parametrize(
    ("tamper", "invariant"),
    [
        (lambda game: game.state.held.__setitem__(4, 7), "one place"),
        (lambda game: setattr(game.table, "n_deck", 3), "one place"),
        (lambda game: game.table.area.__setitem__(0, glasses("R")), "areas or were discarded"),
        (lambda game: game.state.hand.__setitem__(1, 1), "hands keep"),
        (lambda game: game.table.n_hand.__setitem__(1, 2), "hands keep"),
        (lambda game: game.table.n_returned.__setitem__(1, 2), "hands keep"),
        (lambda game: setattr(game.table.rules, "cap", 2), "keep their limit"),
        (lambda game: game.state.recipe.__setitem__(0, glasses("GRB")), "five glasses"),
        (lambda game: game.state.recipe.__setitem__(0, glasses("GGGRB")), "five glasses"),
        (lambda game: game.state.recipe.__setitem__(0, glasses("GRBYP")), "five glasses"),
        (lambda game: setattr(game.state, "teams", 0), "as many members"),
        (lambda game: setattr(game.state, "toast_to", 0), "can do something"),
    ],
)
def test_k44_a_broken_invariant_is_found(tamper: Any, invariant: str) -> None:
    game = at_table("RBY", hands=("Y/b",))
    game.state.sends = 0
    assert game.broken() == ""
    tamper(game)
    assert invariant in game.broken()


def test_k44_more_broken_invariants_are_found() -> None:
    game = at_table("", "B", hands=("Y/b",)).act("toast Y/b 1")
    game.state.pairs |= pair_bit(1, 2)  # to the target itself
    assert "two places" in game.broken()
    game = at_table("R", "RRBBGG").act("send R 1")
    game.state.drops = 0
    assert "can do something" in game.broken()
    game = at_table("GRBY", "Y")
    game.table.area[0], game.table.area[1] = glasses("GRBYY"), 0
    assert "satisfies" in game.broken()


# What is counted


def test_measures_of_a_game() -> None:
    game = at_table(
        *("GRB", "", "", ""), hands=("Y/p G/p P/p", "R/g G/r"), deck_profile="all_x2"
    ).act("toast Y/p 0", "toast R/g 0", "split 1 2", "return", "return", "return")
    assert game.table.turn == 6
    assert list(game.table.returns[:4]) == [1, 0, 1, 1]
    assert (game.table.clinks, game.table.self_toasts, game.table.sends) == (1, 1, 0)
    game = at_table("", "RRBG", "", hands=("B/p",), players=3, active=0).act("toast B/p 1")
    outcome = game.outcome()
    assert outcome["team_size"] == [2, 1, 2]
    assert outcome["short_team"] == [0, 1, 0]
    assert outcome["won_short"] == [0, 1, 0]
    assert outcome["three_kinds"] == [0, 1, 0]
    assert outcome["won_three"] == [0, 1, 0]
    assert outcome["own_area"] == [0, 1, 0]
    assert outcome["won_by_toast"] == 1


def test_who_started_is_of_the_game() -> None:
    for deal in range(10):
        game = started_with(deal, 4, max_turns=1)
        start = game.table.start
        game.act(sorted(game.legal())[0])
        while not game.is_over:
            game.act(sorted(game.legal())[0])
        assert game.outcome()["start_team"] == [int(seat % 2 == start % 2) for seat in range(4)]
