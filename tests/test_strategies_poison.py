"""The strategies for 毒药: what each plays in a given situation, and what they reckon with.

That all are legal, repeatable and write nothing is tested in `test_conformance.py`.
"""

from __future__ import annotations

import random
from math import comb
from typing import Any

import pytest

from sim import catalog
from sim.core.engine import Table
from sim.core.game import SHARE_UNIT
from sim.core.rng import open_stream
from sim.games.poison import GAME
from sim.games.poison.cards import (
    KINDS_UP_TO,
    N_ACTIONS,
    N_KINDS,
    POISONS,
    VALUE,
    kind_of,
    kinds_in,
    one,
    pot_of,
)
from strategies.poison._after import after, kinds_for, n_among, safe_kinds
from strategies.poison._cost import adjusted_cost, cost, lead
from strategies.poison.counter import chance_of_none
from tests.arena import entrant, random_switches
from tests.games.poison.positions import Pots, action_text, heap, laid, piles_of
from tests.positions import argument

both_modes = pytest.mark.both_modes
DRAWS = 40  # of a strategy that draws


def choices(spec: str, game: Pots) -> str:
    """All actions that a strategy does here, for the seat to act, over many draws."""
    me = game.observe()
    parsed = catalog.parse(spec, GAME.name)
    for i, value in enumerate(parsed.values):
        me.parameter[i] = value
    decide = entrant(GAME.name, parsed.file.name).decide
    found = set()
    table, own = argument(game.table), argument(me)
    for draw in range(DRAWS):
        open_stream(argument(me.rng), 1, draw, 0, 0)
        found.add(decide(table, own))
    return " ".join(map(action_text, sorted(found)))


def about_to_play(hand: str, *pots: str, piles: tuple[str, ...] = (), **switches: Any) -> Pots:
    """Seat 0 of four is to act with this hand; piles as '3R 1X', one a seat."""
    game = laid(*pots, hand=hand, **switches)
    if piles:
        hands = [hand, "B1", "B2", "P1"]
        game.lay(*pots, hands=tuple(hands), piles=tuple(piles_of(*piles)))
    return game


# uniform


@both_modes
def test_uniform_does_everything_that_is_legal() -> None:
    game = about_to_play("R1 R1 X", "R7")
    assert choices("uniform", game) == "R1>0 X>0 X>1" == game.legal()


# lowest_safe, highest_safe


@both_modes
@pytest.mark.parametrize(
    ("hand", "pots", "lowest", "highest"),
    [
        ("R1 R5 B7", ["R7"], "R1>0", "B7>1"),
        ("R1 B1 P1", ["R7", "B7"], "R1>0 B1>1 P1>2", "R1>0 B1>1 P1>2"),  # drawn
        ("R4 X", ["R7"], "R4>0 X>0 X>1", "R4>0 X>0 X>1"),  # poison has value 4
        ("R7 R4", ["R7"], "R4>0", "R4>0"),  # R7 would overflow
        ("B1 X", ["R7 R5", "B7 B5", "P7 P5"], "B1>1", "B1>1"),
        ("B5 X", ["R7 R5 R1", "B7 B5", "P7 P5"], "B5>1", "B5>1"),  # none is safe: cheapest, highest
        ("B1 X", ["R7 R5", "B5 X X", "P7 X"], "X>0", "X>0"),  # pots cost 2, 5, 3
        ("R4 X", ["R7 R5", "B5 X X", "P7 X"], "R4>0", "R4>0"),  # equal values: the first kind
        ("P7 P5 X", ["R7 R5 R1", "B7 B5 B1", "P7 P4"], "P7>2", "P7>2"),
    ],
)
def test_lowest_and_highest_safe(hand: str, pots: list[str], lowest: str, highest: str) -> None:
    game = about_to_play(hand, *pots)
    assert choices("lowest_safe", game) == lowest
    assert choices("highest_safe", game) == highest


# careful_poison


@both_modes
@pytest.mark.parametrize(
    ("hand", "pots", "expected"),
    [
        ("R1 B1 P1 X", ["R7"], "R1>0 B1>1 P1>1"),  # poison behind every potion
        ("R1 B1 X", ["R7"], "X>0 X>1"),  # three cards left: like a 6
        ("R1 B7 X", ["R7"], "B7>1"),  # but behind a 7
        ("R5 B5 X P1", ["R5 R2 R1"], "X>0"),  # eight in three cards: to twelve
        ("R4 B5 X P1", ["R5 R2 R2"], "X>0"),  # nine: to thirteen
        ("R4 B5 X P1", ["R5 R1 R1"], "B5>1"),  # seven
        ("R4 B5 X P1", ["R7 R1"], "B5>1"),  # two cards
        ("R4 B7 X P1", ["R5 R2 R2"], "B7>1"),
        ("X X X X", ["R7"], "X>0 X>1"),  # nothing else
        ("B5 X R7 R7", ["R7 R5 R1", "B7 B5", "P7 P5"], "B5>1"),  # none is safe
    ],
)
def test_careful_poison(hand: str, pots: list[str], expected: str) -> None:
    game = about_to_play(hand, *pots)
    assert choices("careful_poison", game) == expected


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "expected"),
    [
        ("careful_poison:rank=0", "R4 B5 X P1", "B5>1"),
        ("careful_poison:rank=8", "R4 B7 X P1", "X>0"),
        ("careful_poison:full=4", "R4 B5 X P1", "B5>1"),
        ("careful_poison:last=5", "R4 B5 X P1", "X>0 X>1"),
    ],
)
def test_careful_poison_with_other_numbers(spec: str, hand: str, expected: str) -> None:
    assert choices(spec, about_to_play(hand, "R5 R2 R2")) == expected


@both_modes
def test_careful_poison_does_not_mind_what_it_will_discard() -> None:
    pots = ["R7 R5 R1", "B7 B5", "P7 P5"]
    assert choices("careful_poison", about_to_play("R1 X", *pots)) == "X>1"
    piles = ("2R", "3R", "", "")
    assert choices("careful_poison", about_to_play("R1 X", *pots, piles=piles)) == "X>0"
    piles = ("2R", "4R", "", "")  # a lead of one is not enough
    assert choices("careful_poison", about_to_play("R1 X", *pots, piles=piles)) == "X>1"


# trap and counter


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "pots", "expected"),
    [
        ("trap", "R2 B2 P2 X", ["R7 R2 R1 R1", "B1"], "R2>0"),  # the full and dear pot
        ("trap:bait=0", "R2 B2 P2 X", ["R7 R2 R1 R1", "B1"], "R2>0"),  # the first of equals
        ("trap", "B2 P2 R1 R1", ["R1", "B7 B2", "P1"], "B2>1"),
        ("trap", "R5 B2 R1 R1", ["R1", "B7 B2", "P1"], "R5>0"),  # a step counts more
        ("trap:bait=10000", "R5 B2 R1 R1", ["R1", "B7 B2", "P1"], "B2>1"),
        ("trap", "B5 X", ["R7 R5 R1", "B7 B5", "P7 P5"], "B5>1"),  # none is safe
        ("counter", "B5 X", ["R7 R5 R1", "B7 B5", "P7 P5"], "B5>1"),
        ("counter", "R5 R1 P1 P1", ["R5 R2", "B7 B5 B1", "P7 P5"], "R5>0"),
        ("counter:bait=0", "R2 P2 R1 R1", ["R5 R2", "B7 B4 B1", "P7 P4"], "R2>0"),
        ("counter", "R2 P2 R1 R1", ["R5 R2", "B7 B4 B1", "P7 P4"], "P2>2"),  # fewer cards are safe
    ],
)
def test_trap_and_counter(spec: str, hand: str, pots: list[str], expected: str) -> None:
    assert choices(spec, about_to_play(hand, *pots)) == expected


# hoarder


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "piles", "expected"),
    [
        ("hoarder", "R5 B1 P1", ("3R", "", "", ""), "R5>0"),  # takes three red
        ("hoarder", "R5 B1 P1", ("2R", "", "", ""), "B1>1 P1>2"),  # not begun: plays safe
        ("hoarder:start=2", "R5 B1 P1", ("2R", "", "", ""), "R5>0"),
        ("hoarder", "R5 B1 P1", ("3R", "4R", "", ""), "R5>0"),  # one behind
        ("hoarder", "R5 B1 P1", ("3R", "5R", "", ""), "B1>1 P1>2"),  # two behind
        ("hoarder:behind=2", "R5 B1 P1", ("3R", "5R", "", ""), "R5>0"),
        ("hoarder:gain=0", "R5 B1 P1", ("3R", "", "", ""), "B1>1 P1>2"),  # nothing to gain
        ("hoarder", "R5 X", ("3R", "", "", ""), "R5>0"),  # of equal gains the highest card
    ],
)
def test_hoarder(spec: str, hand: str, piles: tuple[str, ...], expected: str) -> None:
    game = about_to_play(hand, "R7 R4 R1", "B7 B2", "P7 P2", piles=piles)
    assert choices(spec, game) == expected


@both_modes
def test_hoarder_gives_a_colour_up_when_too_few_cards_can_come() -> None:
    """Red: 13 of 14 are known; it has five, another six."""
    hand = "R7 R7 B1"
    game = laid("R7", "B7", hand=hand, others=("B1", "B2", "P1"))
    taken = (heap("R1 R1 R1 R2 R2"), heap("R2 R4 R4 R5 R5 R5"), 0, 0)
    game.lay("R7", "B7", hands=(hand, "B1", "B2", "P1"), piles=taken)
    assert choices("hoarder", game) == "B1>1"
    taken = (heap("R1 R1 R1 R2 R2"), heap("R4 R4 R5 R5 R5"), 0, 0)
    game.lay("R7", "B7", hands=(hand, "B1", "B2", "P1"), piles=taken)
    assert choices("hoarder", game) == "R7>0"  # level: the R2 unseen or R7 gives the lead


# What they reckon with


@both_modes
def test_costs_and_leads() -> None:
    game = about_to_play("R1", "R7 R5 X", "X X", piles=("3R 1X", "2R 4B", "1R", ""))
    table = argument(game.table)
    rules = argument(game.table.rules)
    assert [cost(rules, pot) for pot in game.table.pot] == [4, 4, 0]
    assert [lead(table, seat, 0) for seat in range(4)] == [1, -1, -2, -3]
    assert [adjusted_cost(table, seat, 0) for seat in range(4)] == [2, 4, 4, 4]
    assert adjusted_cost(table, 0, 1) == 4
    game = about_to_play("R1", "R7 R5 X", poison_points=4, potion_points=3)
    assert cost(argument(game.table.rules), game.table.pot[0]) == 10


@both_modes
def test_forgotten_piles_count_as_empty() -> None:
    game = about_to_play("R1", "R7 R5", piles=("3R", "2R", "", ""), taken_memory="sizes_only")
    assert [lead(argument(game.table), seat, 0) for seat in range(4)] == [0] * 4


def is_safe(game: Pots, number: int) -> bool:
    total = game.table.pot_total[pot_of(number)] + VALUE[kind_of(number)]
    return bool(total <= game.table.rules.threshold)


def legal(game: Pots) -> list[int]:
    return [number for number in range(N_ACTIONS) if game.is_legal(number)]


@both_modes
def test_a_pot_after_an_action_and_the_kinds_that_are_safe_then() -> None:
    """Held against the rules: the next seat gets every kind alone in its hand."""
    rng, n_tested = random.Random("safe"), 0
    for deal in range(40):
        switches = random_switches(GAME, 4, rng) | {"bust_threshold": rng.choice([13, 15])}
        game = Pots(4, **switches).start(deal=deal)
        for _ in range(rng.randrange(8, 30)):
            game.apply(rng.choice(legal(game)))
        safe = [number for number in legal(game) if is_safe(game, number)]
        if not safe:
            continue
        n_tested += 1
        number, table = rng.choice(safe), argument(game.table)
        pot, played = pot_of(number), after(table, number)
        found, own = safe_kinds(table, played), kinds_for(table, played)
        game.apply(number)
        assert (played.heap, played.colour) == (game.table.pot[pot], game.table.pot_colour[pot])
        assert played.room == game.table.rules.threshold - game.table.pot_total[pot]
        for kind in range(N_KINDS):
            game.state.hand[game.table.seat] = one(kind)
            actions = legal(game.to_act(game.table.seat))
            assert bool(found & one(kind)) == any(is_safe(game, n) for n in actions)
            reached = {
                (game.table.pot[pot_of(n)], game.table.pot_colour[pot_of(n)]) for n in actions
            }
            assert bool(own & one(kind)) == ((played.heap, played.colour) in reached)
    assert n_tested > 20


@both_modes
def test_cards_among_kinds() -> None:
    cards = heap("R1 R1 R7 B5 X X X")
    assert n_among(cards, POISONS) == 3
    assert n_among(cards, KINDS_UP_TO[4]) == 5
    assert n_among(cards, kinds_in(heap("R1 B5"))) == 3


@both_modes
@pytest.mark.parametrize(("n", "n_safe", "size"), [(37, 9, 12), (10, 0, 3), (10, 8, 3), (5, 2, 0)])
def test_chance_of_no_safe_card_is_hypergeometric(n: int, n_safe: int, size: int) -> None:
    expected = comb(n - n_safe, size) / comb(n, size) if size else 0.0
    assert chance_of_none(n, n_safe, size) == pytest.approx(expected)


# How strong they are: one alone against equal others, on deals of this test


@pytest.mark.parametrize(
    ("name", "other", "least"),
    [
        ("lowest_safe", "uniform", 0.8),
        ("highest_safe", "uniform", 0.9),
        ("careful_poison", "highest_safe", 0.37),
        ("hoarder", "highest_safe", 0.27),
        ("trap", "highest_safe", 0.35),
        ("counter", "highest_safe", 0.37),
    ],
)
def test_strength_with_four_players(name: str, other: str, least: float) -> None:
    seats = [entrant(GAME.name, name), *[entrant(GAME.name, other)] * 3]
    totals = Table(GAME, 4, GAME.defaults(), seats, seed=44).play(0, 1500).totals
    assert totals is not None
    column = GAME.seat_columns.index("win_share")
    share = totals["sum"][0][column][0] / SHARE_UNIT / totals["games"][0]
    assert share > least
