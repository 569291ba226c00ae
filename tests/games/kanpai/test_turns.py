"""The rules of 干杯, asked of the kernels: a turn.

Areas and cards are text, see `positions`. The ids are those of the rule sheet.
"""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from tests.games.kanpai.positions import as_text, at_table, glasses, pairs

pytestmark = pytest.mark.both_modes


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
        pytest.param(
            6, 0, 20, "", {"mode": "masquerade", "cheers_min_opponents": 2}, id="k48-masquerade"
        ),
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
