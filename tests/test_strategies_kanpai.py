"""The strategies for 干杯: what each does in a given position, and what they reckon with.

Seat 0 is on turn unless a row says otherwise; the recipe of its team is G R B Y Y. That all are
legal, repeatable and write nothing is tested in `test_conformance.py`.
"""

from __future__ import annotations

import random
from collections import Counter
from typing import Any

import pytest
from scipy import stats

from sim import catalog
from sim.core.engine import Table
from sim.core.game import SHARE_UNIT
from sim.core.jit import JIT
from sim.core.rng import open_stream
from sim.games.kanpai import GAME
from sim.games.kanpai.cards import N_RECIPES, recipe_glasses
from sim.games.kanpai.view import put_at
from strategies.kanpai._belief import UNIT, believe, likeliest
from strategies.kanpai._search import worst_glass, worth
from tests.arena import entrant, lineup, strategy_names
from tests.games.kanpai.positions import Cheers, action_text, as_text, at_table, glasses
from tests.positions import argument

both_modes = pytest.mark.both_modes


def choice(spec: str, game: Cheers) -> str:
    """What a strategy does here, for the seat to act."""
    me = game.observe()
    parsed = catalog.parse(spec, GAME.name)
    for i, value in enumerate(parsed.values):
        me.parameter[i] = value
    decide = entrant(GAME.name, parsed.file.name).decide
    return action_text(decide(argument(game.table), argument(me)))


# uniform


@both_modes
@pytest.mark.parametrize(
    ("position", "n"),
    [
        (lambda: at_table("RRB", hands=("Y/b Y/g P/g",)), 19),
        (lambda: at_table("RRB", hands=("Y/b Y/b P/g",)), 15),  # two equal cards count once
        (lambda: at_table("RRB", hands=("",), deck=""), 6),
        (lambda: at_table("", "B", hands=("Y/b",)).act("toast Y/b 1"), 6),
        (lambda: at_table("R", "RRBBGG").act("send R 1"), 3),  # a glass counts once
        (lambda: at_table("GRBY", hands=("Y/p",), win_claim="optional").act("toast Y/p 0"), 1),
    ],
)
def test_uniform_does_anything_with_the_same_probability(position: Any, n: int) -> None:
    game = position()
    me, decide = game.observe(), entrant(GAME.name, "uniform").decide
    open_stream(argument(me.rng), 7, 0, 0, 0)
    table, mine = argument(game.table), argument(me)
    found = Counter(action_text(decide(table, mine)) for _ in range(300 * n if JIT else 30 * n))
    allowed = game.legal() - {"silent"}
    assert found.keys() == allowed
    assert len(allowed) == n
    assert n == 1 or stats.chisquare([*found.values()]).pvalue > 1e-5


# self_collect


@both_modes
@pytest.mark.parametrize(
    ("area", "hand", "action"),
    [
        ("", "P/g Y/b", "toast Y/b 0"),  # keeps what its recipe has
        ("", "B/r Y/b", "toast Y/b 0"),  # what it lacks most
        ("Y", "B/r Y/b", "toast B/r 0"),  # one of each: the first card
        ("B", "P/g Y/b", "return"),  # would clink
        ("B", "P/g Y/r", "toast Y/r 0"),
        ("YY", "Y/b", "return"),  # has enough of them
        ("BP", "P/g Y/b", "send P 1"),  # away to the next opponent
        ("P", "Y/b", "toast Y/b 0"),  # a wanted card comes first
        ("PP", "", "send P 1"),
        ("BY", "", "send B 1"),  # nothing else is left to do
    ],
)
def test_self_collect(area: str, hand: str, action: str) -> None:
    assert choice("self_collect", at_table(area, hands=(hand,))) == action


@both_modes
def test_self_collect_looks_for_a_place_that_can_win() -> None:
    game = at_table(hands=("Y/b",), mode="master")
    assert choice("self_collect", game) == "toast Y/b 2"
    game = at_table(hands=("Y/b",), mode="master", master_area_counts="yes")
    assert choice("self_collect", game) == "toast Y/b 0"


@both_modes
def test_self_collect_when_it_may_not_return() -> None:
    switches = {"deck": "", "return_with_empty_deck": "illegal"}
    assert choice("self_collect", at_table(hands=("P/g",), **switches)) == "toast P/g 1"


# greedy_team


@both_modes
@pytest.mark.parametrize(
    ("areas", "hand", "action"),
    [
        (("GRBY", ""), "Y/p P/g", "toast Y/p 0"),  # wins
        (("", "", "GRBY"), "Y/p P/g", "toast Y/p 2"),  # by its teammate
        (("GRBYYP", ""), "P/g", "send P 1"),  # wins without the unwanted card
        (("GRB", "", "GR"), "Y/p", "toast Y/p 0"),  # the more advanced area
        (("GR", "", "GRB"), "Y/p", "toast Y/p 2"),
        (("GRB",), "P/y", "return"),  # nothing gains
        (("GRBY",), "Y/g", "toast Y/g 2"),  # would clink at home: a beginning for the teammate
        (("GRB", "", "Y"), "P/y", "toast P/y 2"),  # the teammate would give it the Y
        (("GRB", "Y"), "P/y", "return"),  # an opponent would give it the P
    ],
)
def test_greedy_team(areas: tuple[str, ...], hand: str, action: str) -> None:
    assert choice("greedy_team", at_table(*areas, hands=(hand,))) == action


@both_modes
@pytest.mark.parametrize(
    ("area", "hand", "pair"),
    [
        ("B", "Y/b", "split 2 1"),  # the Y to the teammate who has G R B
        ("Y", "P/y", "split 1 2"),  # the Y to the teammate, the P away
        ("P", "R/p", "split 1 3"),  # neither helps: both away
    ],
)
def test_greedy_team_splits_for_its_team(area: str, hand: str, pair: str) -> None:
    game = at_table(area, "", "GRB", hands=("", hand), active=1, recipes=("GRBYY", "RRBBG")).act(
        f"toast {hand} 0"
    )
    assert choice("greedy_team", game) == pair


@both_modes
@pytest.mark.parametrize(
    ("area", "glass"),
    [("GRBYYP", "P"), ("GRBBYY", "B"), ("GGRBYY", "G"), ("GGGRBY", "G"), ("PPGGRB", "P")],
)
def test_discards_are_unwanted_or_redundant(area: str, glass: str) -> None:
    for full in (area, area[::-1]):
        assert worst_glass(glasses("GRBYY"), glasses(full)) == "GRBYP".index(glass)
    game = at_table("RRBBGG", "P", active=1).act("send P 0")
    assert choice("greedy_team", game) == "drop P"


@both_modes
def test_greedy_team_declares_what_is_complete() -> None:
    game = at_table("GRBY", hands=("Y/p",), win_claim="optional").act("toast Y/p 0")
    for name in strategy_names(GAME):
        assert choice(name, game) == "declare"


@both_modes
def test_an_apprentice_follows_the_master() -> None:
    # Seat 0 is the master; it has put R and B on seat 2, and P away.
    game = at_table("", "", "RRBB", hands=("", "", "P/g G/p"), active=2, mode="master")
    for glass, place, n in (("R", 2, 2), ("B", 2, 2), ("P", 1, 2)):
        game.table.put[put_at(0, place, "GRBYP".index(glass))] = n
    assert game.observe().recipe == 0
    assert choice("greedy_team", game) == "toast G/p 2"
    me = game.observe()
    believe(argument(game.table), argument(me), 0, 1, 0b101)
    assert as_text(likeliest(argument(me), 0)) == "GRBYY"


# focus


@both_modes
@pytest.mark.parametrize(
    ("spec", "areas", "hand", "action"),
    [
        ("focus", ("GRB", "", "GR"), "Y/p", "toast Y/p 0"),
        ("focus:others=0:ease=0", ("GRB", "", ""), "R/p", "return"),  # R does not help the best
        ("focus:others=100:ease=0", ("GRB", "", ""), "R/p", "toast R/p 2"),
        ("focus:ease=0", ("", ""), "G/r R/p", "toast G/r 0"),
        ("focus:ease=50", ("", ""), "G/r R/p", "toast G/r 0"),
    ],
)
def test_focus(spec: str, areas: tuple[str, ...], hand: str, action: str) -> None:
    assert choice(spec, at_table(*areas, hands=(hand,))) == action


@both_modes
def test_focus_keeps_the_small_glasses_of_its_hand_out() -> None:
    # R or B: the G that is still missing has a small red glass.
    game = at_table("Y", hands=("R/p B/p G/r",))
    assert choice("focus:ease=0", game) == "toast G/r 0"
    assert choice("focus:ease=20", at_table("YG", hands=("R/p B/p P/r",))) == "toast B/p 0"
    assert choice("focus:ease=0", at_table("YG", hands=("R/p B/p P/r",))) == "toast R/p 0"


# blocker


@both_modes
@pytest.mark.parametrize(
    ("spec", "action"),
    [
        ("blocker:block=0", "toast G/p 0"),  # as greedy_team
        ("blocker", "toast P/g 1"),  # spoils the area that needs one more card
    ],
)
def test_blocker_spoils_an_advanced_area(spec: str, action: str) -> None:
    game = at_table("", "RRBBY", hands=("P/g G/p",))
    for glass, place in (("R", 1), ("B", 1), ("P", 0)):
        game.table.put[put_at(1, place, "GRBYP".index(glass))] = 2
    assert choice(spec, game) == action


@both_modes
def test_blocker_wins_rather_than_to_block() -> None:
    game = at_table("GRBY", "RRBB", hands=("P/g Y/p",))
    assert choice("blocker", game) == "toast Y/p 0"


@both_modes
def test_blocker_uses_what_the_rules_show() -> None:
    """The opponents lack P, or G: the other one spoils their area."""
    given = {"hands": ("P/g G/p",), "recipes_shown": "to_team0"}
    game = at_table("", "RRBBY", recipes=("GRBYY", "RRBBP"), **given)
    assert choice("blocker", game) == "toast G/p 1"
    game = at_table("", "RRBBY", recipes=("GRBYY", "RRBBG"), **given)
    assert choice("blocker", game) == "toast P/g 1"


# clink_thief


@both_modes
@pytest.mark.parametrize(
    ("spec", "hand", "action"),
    [
        ("clink_thief", "P/b P/g", "toast P/b 1"),  # takes a B from the area with R R B B
        ("clink_thief:advanced=5", "P/b P/g", "return"),
        ("clink_thief", "P/y P/g", "return"),  # nothing clinks there
    ],
)
def test_clink_thief(spec: str, hand: str, action: str) -> None:
    game = at_table("", "RRBB", hands=(hand,))
    for glass in "RB":
        game.table.put[put_at(1, 1, "GRBYP".index(glass))] = 2
    assert choice(spec, game) == action


@both_modes
def test_clink_thief_wins_rather_than_to_steal() -> None:
    assert choice("clink_thief", at_table("GRBY", "RRBB", hands=("P/b Y/p",))) == "toast Y/p 0"


# What they reckon with


@both_modes
@pytest.mark.parametrize(
    ("area", "distance"),
    [("", 5), ("GRBYY", 0), ("GRBYYB", 0), ("GRBY", 1), ("GRBYP", 2), ("PPPPPP", 11)],
)
def test_an_area_is_worth_its_distance(area: str, distance: int) -> None:
    assert worth(glasses("GRBYY"), glasses(area)) == UNIT >> distance


@both_modes
def test_beliefs_are_probabilities() -> None:
    rng = random.Random(3)
    game = at_table()
    for seat in range(4):
        for place in range(4):
            for glass in range(5):
                game.table.put[put_at(seat, place, glass)] = rng.randrange(4)
    me = game.observe()
    believe(argument(game.table), argument(me), 8, 0b1010, 0b1010)
    weights = list(me.memory[8 : 8 + N_RECIPES])
    assert min(weights) >= 0
    assert abs(sum(weights) - UNIT) < N_RECIPES


@both_modes
@pytest.mark.parametrize(
    ("put", "ratio"),
    [
        ([(1, 1, "R", 1)], 1.5),  # kept: recipes with R count 3/2
        ([(1, 3, "R", 2)], 2.25),
        ([(1, 0, "R", 1)], 0.5),  # given away: recipes without R count twice
        ([(0, 1, "R", 3)], 1.0),  # what others do tells nothing
        ([(1, 1, "R", 9)], 1.5**4),  # not without end
    ],
)
def test_beliefs_follow_what_a_team_keeps(put: list[Any], ratio: float) -> None:
    game = at_table()
    for seat, place, glass, n in put:
        game.table.put[put_at(seat, place, "GRBYP".index(glass))] = n
    me = game.observe()
    believe(argument(game.table), argument(me), 8, 0b1010, 0b1010)
    weights = {as_text(recipe_glasses(i)): me.memory[8 + i] for i in range(N_RECIPES)}
    assert weights["GRRBB"] / weights["GGBBY"] == pytest.approx(ratio, rel=1e-3)


@both_modes
def test_beliefs_keep_to_what_is_certain() -> None:
    game = at_table("", "GRBY", hands=("Y/p",)).act("toast Y/p 1")
    me = game.observe()
    believe(argument(game.table), argument(me), 8, 0b1010, 0b1010)
    excluded = [as_text(recipe_glasses(i)) for i in range(N_RECIPES) if me.memory[8 + i] == 0]
    assert excluded == ["GRBYY"]


# How strong they are


def share(players: int, first: str, second: str, deals: int) -> float:
    """Mean win share of the seats of the first strategy, on every second seat from 0 on."""
    names = [first if seat % 2 == 0 else second for seat in range(players)]
    table = Table(GAME, players, GAME.defaults(), lineup(GAME, players, *names), 5, "none")
    totals = table.play(0, deals).totals
    assert totals is not None
    won = totals["sum"][1, 0, :players:2].sum() / SHARE_UNIT
    return float(won / totals["games"][0])


def test_heuristics_beat_uniform_and_blocking_pays() -> None:
    """Team 0 of the first strategy against team 1 of the second at a table of four."""
    assert share(4, "greedy_team", "uniform", 400) > 0.95  # 99 %
    assert share(4, "self_collect", "uniform", 400) > 0.60
    assert share(4, "blocker", "greedy_team", 600) > 0.53  # 60 % (standard error 2)
    assert share(4, "clink_thief", "greedy_team", 1500) > 0.52  # 56 % (standard error 1.3)


@pytest.mark.parametrize(
    ("players", "turns", "single"),
    [(3, 12.3, (0.03, 0.10)), (4, 14.1, None), (5, 12.3, None), (6, 13.4, None)],
)
def test_greedy_games_are_as_long_as_the_sheet_says(
    players: int, turns: float, single: tuple[float, float] | None
) -> None:
    """Section 7: bands of the quick check; three players: the single one hardly wins."""
    table = Table(GAME, players, GAME.defaults(), lineup(GAME, players, "greedy_team"), 3, "none")
    played = table.play(0, 800, keep_rows=True)
    assert played.rows is not None
    outcome = played.rows["outcome"]
    assert abs(outcome["rounds"].mean() - turns) < 1.0
    assert 1.2 < outcome["clinks"].mean() < 2.1
    assert outcome["unfinished"].sum() == 0
    if single:
        assert single[0] < outcome["won"][:, 1].mean() < single[1]
