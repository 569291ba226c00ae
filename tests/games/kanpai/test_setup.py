"""The rules of 干杯, asked of the kernels: deal and contradictions.

Areas and cards are text, see `positions`. The ids are those of the rule sheet.
"""

from __future__ import annotations

import itertools
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim import catalog
from sim.core.jit import JIT
from sim.experiment import Experiment
from sim.games.kanpai import GAME
from sim.games.kanpai.cards import N_RECIPES, N_THREE_KINDS, recipe_draws, recipe_glasses
from sim.games.kanpai.text import CARDS
from sim.games.kanpai.view import MAX_HAND
from sim.reading import from_file, from_flags
from sim.replay import replay_command
from sim.results import Memory
from sim.runner import play
from tests.games.kanpai.positions import (
    Cheers,
    as_text,
    hand_sizes,
    started,
    started_with,
)

pytestmark = pytest.mark.both_modes

UNLIKELY = 1e-5  # a test of chance fails below; its seeds are fixed


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
        (4, {"master_area_counts": "yes"}, ["mode=base: no"]),
        (5, {"use_dummy": "no", "turn_structure": "alternate_teams"}, ["use_dummy=no: clockwise"]),
        (4, {"mode": "masquerade", "turn_structure": "alternate_teams"}, ["for mode=base or mas"]),
        (4, {"deck_profile": [[1, 1, 1, 1, 1]] + [[0] * 5] * 4}, ["5 cards", "12 or more"]),
        (4, {"deck_profile": [[3] * 5] * 4}, ["5 rows of 5"]),
    ],
)
def test_switches_that_do_not_fit(players: int, switches: dict[str, Any], told: list[str]) -> None:
    assert catalog.rules_problems(GAME, players, GAME.defaults()) == []
    (problem,) = catalog.rules_problems(GAME, players, GAME.defaults() | switches)
    assert all(part in problem for part in told)
    assert "allowed" in problem
    assert any(name in problem for name in switches)


def test_all_that_does_not_fit_is_told_together() -> None:
    problems, defaults = partial(catalog.rules_problems, GAME), GAME.defaults()
    wrong = {"masquerade_factions": [2, 2], "deck_profile": [[1] * 4] * 5}
    three = {"mode": "three_teams", "team_layout": [0, 1, 0, 1]}
    assert len(problems(4, defaults | wrong | three)) == 4
    assert len(problems(3, defaults | wrong | {"mode": "master"})) == 3


def test_a_profile_of_ones_own_is_played_replayed_and_read_again(tmp_path: Path) -> None:
    """As a row of numbers on the command line, or as rows in a file."""
    rows = [[1] * 5] * 3 + [[0] * 5] * 2
    flat = ",".join(str(number) for row in rows for number in row)
    flags = {"game": "kanpai", "players": 4, "strategies": "uniform", "deals": 3, "seed": 1}
    experiment = from_flags(flags, [f"deck_profile={flat}"])
    file = tmp_path / "own.toml"
    head = "".join(f"{key} = {value!r}\n" for key, value in flags.items())
    file.write_text(f"{head}[rules]\ndeck_profile = {rows}\n", encoding="utf-8")
    assert from_file(file).variants[0].switches["deck_profile"] == rows
    assert from_file(file).cells[0][0].rules == experiment.cells[0][0].rules
    assert Experiment.from_toml(experiment.to_toml()) == experiment
    assert f"deck_profile={flat}" in replay_command(experiment, 0, 0, 0)
    assert play(experiment, Memory(experiment)).cells[0].totals["games"].sum() > 0


def test_rows_of_a_profile_have_five_numbers() -> None:
    ragged = [[1] * 5, [1] * 4, [1] * 5, [1] * 5, [1] * 6]
    with pytest.raises(ValueError, match="in rows of 5 or without rows"):
        GAME.switch("deck_profile").parse(ragged)
