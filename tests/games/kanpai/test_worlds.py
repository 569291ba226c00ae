"""`sample_world` of 干杯 against every way in which hidden facts can be.

Which worlds there are is found by trying all, from section 3 of the rule sheet: unseen cards lie in
other hands, in the deck and in what others returned; recipes have the weights of their draws.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.core.jit import JIT
from sim.core.rng import STREAM, open_stream
from sim.games.kanpai.cards import N_RECIPES, recipe_draws, recipe_glasses
from sim.games.kanpai.text import CARDS
from sim.games.kanpai.traits import traits
from sim.games.kanpai.view import CLAIM, MAX_HAND, copies_in, team_of
from tests.games.kanpai.positions import Cheers, as_text, at_table, glasses
from tests.positions import argument, blank

pytestmark = pytest.mark.both_modes

UNLIKELY = 1e-6
DRAWS = {as_text(recipe_glasses(i)): recipe_draws(i) for i in range(N_RECIPES)}


def drawn(game: Cheers, n: int, seed: int = 1) -> Iterator[Any]:
    """States that `sample_world` fills, one after the other in the same memory."""
    me, rng, world = game.observe(), blank(STREAM), blank(game.kernels.state)
    open_stream(argument(rng), seed, 0, 0, 0)
    given = [*map(argument, (game.table, me, rng, world))]
    for _ in range(n):
        game.view.sample_world(*given)
        assert game.rules.INVARIANTS[game.rules.check(argument(world))] == ""
        yield world


def p_value(found: Counter[Any], weights: dict[Any, float]) -> float:
    """How likely these counts are; without the JIT there are too few of them."""
    weights = {case: weight for case, weight in weights.items() if weight > 0}
    assert found.keys() <= weights.keys()
    if not JIT or len(weights) == 1:
        return 1.0
    scale = found.total() / sum(weights.values())
    cases = list(weights)
    return float(
        stats.chisquare([found[c] for c in cases], [weights[c] * scale for c in cases]).pvalue
    )


def n_draws(cases: int) -> int:
    return 120 * cases if JIT else 30


# Cards


def cards_of(state: Any, players: int) -> tuple[str, ...]:
    """Hands, returned cards of each seat, and the deck in order, as texts."""
    hands = [
        " ".join(sorted(CARDS[c] for c in state.held[s * MAX_HAND : (s + 1) * MAX_HAND] if c >= 0))
        for s in range(players)
    ]
    returned = [
        " ".join(CARDS[c] for c in range(25) for _ in range(copies_in(state.returned, 2 * s, c)))
        for s in range(players)
    ]
    n_cards = state.table.rules.n_cards
    deck = " ".join(CARDS[c] for c in state.deck[n_cards - state.table.n_deck : n_cards])
    return (*hands, *returned, deck)


def every_deal(cards: list[str], sizes: list[int]) -> Counter[tuple[str, ...]]:
    """Every way to deal cards to holders of these sizes and a deck, with its number of ways."""
    found: Counter[tuple[str, ...]] = Counter()
    for order in itertools.permutations(cards):
        left, held = list(order), []
        for size in sizes:
            held.append(" ".join(sorted(left[:size])))
            left = left[size:]
        found[(*held, " ".join(left))] += 1
    return found


@pytest.mark.parametrize(
    ("hands", "deck"),
    [
        (("Y/b", "G/r", "G/p", "P/g"), "R/y B/g"),
        (("Y/b", "G/r G/r", "G/r", ""), "R/y B/g"),  # equal cards
        (("Y/b Y/g", "G/r", "B/r", "R/b"), ""),
    ],
)
def test_every_deal_of_the_unseen_cards_is_equally_likely(
    hands: tuple[str, ...], deck: str
) -> None:
    game = at_table("RB", hands=hands, deck=deck)
    sizes = [len(hand.split()) for hand in hands[1:]]
    unseen = " ".join((*hands[1:], deck)).split()
    expected = every_deal(unseen, sizes)
    worlds = (cards_of(world, 4) for world in drawn(game, n_draws(len(expected))))
    found: Counter[Any] = Counter()
    for own, *others in worlds:
        assert own == " ".join(sorted(hands[0].split()))
        found[*others[:3], others[-1]] += 1
    assert p_value(found, dict(expected)) > UNLIKELY


def test_a_world_is_as_likely_as_it_can_come_about_in_ways() -> None:
    game = at_table("RB", hands=("Y/b", "G/r G/r", "G/r", ""), deck="R/y G/r")
    worlds = {}
    for world in drawn(game, 3000 if JIT else 300):
        facts = (*cards_of(world, 4)[1:4], as_text(world.recipe[1]))
        worlds[facts] = game.view.deals_like(world)
    two_alike, one_alike = ("G/r G/r", "G/r", ""), ("G/r R/y", "G/r", "")
    ratio = {
        worlds[*two_alike, r] / worlds[*one_alike, r]
        for r in DRAWS
        if (*two_alike, r) in worlds and (*one_alike, r) in worlds
    }
    assert ratio == {1 / 2}
    same = {worlds[*two_alike, r] / DRAWS[r] for r in DRAWS if (*two_alike, r) in worlds}
    assert len(same) == 1


def test_a_seat_remembers_what_it_has_returned_and_nobody_else_does() -> None:
    game = at_table(hands=("Y/b Y/g", "G/r", "B/r", "R/p"), deck="P/b P/r P/y", players=4)
    game.act("return", "toast G/r 1", "toast B/r 2", "toast R/p 3")
    # Seat 0 has drawn P/b P/r P/y; nothing is left.
    assert game.asked == 0
    for world in drawn(game, 20):
        assert set(cards_of(world, 4)[4].split()) == {"Y/b", "Y/g"}
    game.act("toast P/b 0")
    assert game.asked == 1  # seat 1 has a card in its area
    found = Counter(frozenset(cards_of(world, 4)[4].split()) for world in drawn(game, n_draws(6)))
    pairs = itertools.combinations(["P/r", "P/y", "Y/b", "Y/g"], 2)
    assert p_value(found, dict.fromkeys(map(frozenset, pairs), 1.0)) > UNLIKELY


# Recipes


def recipes_of(game: Cheers, team: int, n: int) -> Counter[str]:
    return Counter(as_text(world.recipe[team]) for world in drawn(game, n))


def test_the_recipe_of_the_others_has_the_weights_of_its_draws() -> None:
    game = at_table()
    assert p_value(recipes_of(game, 1, n_draws(100)), dict(DRAWS)) > UNLIKELY
    assert recipes_of(game, 0, 10).keys() == {"GRBYY"}


def test_k33_what_an_area_satisfied_is_excluded() -> None:
    game = at_table("", "GRBY", hands=("Y/p",)).act("toast Y/p 1")  # seat 1 is to act
    left = {recipe: n for recipe, n in DRAWS.items() if recipe != "GRBYY"}
    game.act("return")
    assert game.asked == 2
    assert p_value(recipes_of(game, 1, n_draws(100)), left) > UNLIKELY


def test_recipes_that_differ_exclude_each_other() -> None:
    game = at_table(players=3, mode="three_teams", recipes_distinct="different")
    found: Counter[tuple[str, str]] = Counter()
    for world in drawn(game, 2000 if JIT else 30):
        recipes = [as_text(recipe) for recipe in world.recipe[:3]]
        assert len(set(recipes)) == 3
        assert recipes[0] == "GRBYY"
        found[recipes[1], recipes[2]] += 1
    first = Counter[str]()
    for (one, _), n in found.items():
        first[one] += n
    rest = {recipe: n for recipe, n in DRAWS.items() if recipe != "GRBYY"}
    total = sum(rest.values())
    # P(first) is w (S - w): the other one must differ.
    assert p_value(first, {r: w * (total - w) for r, w in rest.items()}) > UNLIKELY


def test_an_apprentice_does_not_know_the_own_recipe() -> None:
    game = at_table(mode="master", active=2)
    assert game.observe().recipe == 0
    assert p_value(recipes_of(game, 0, n_draws(100)), dict(DRAWS)) > UNLIKELY
    for world in drawn(game, 3):
        assert [as_text(world.known_recipe[seat]) for seat in range(4)] == [
            as_text(world.recipe[0]),
            as_text(world.recipe[1]),
            "",
            "",
        ]


@pytest.mark.parametrize(
    ("shown", "active", "seen"),
    [
        ("no", 0, ("GRBYY", "")),
        ("to_team0", 0, ("GRBYY", "GRRBB")),
        ("to_team0", 1, ("", "GRRBB")),
        ("to_all", 1, ("GRBYY", "GRRBB")),
    ],
)
def test_recipes_may_be_shown(shown: str, active: int, seen: tuple[str, str]) -> None:
    game = at_table(active=active, recipes_shown=shown)
    for team, recipe in enumerate(seen):
        found = recipes_of(game, team, 60)
        assert (found.keys() == {recipe}) if recipe else len(found) > 5


def test_recipes_redrawn_have_the_kinds_of_their_team() -> None:
    game = at_table(recipes=("GRRBB", "GRBYY"), recipe_kinds="three_against_four")
    four = {recipe: n for recipe, n in DRAWS.items() if len(set(recipe)) == 4}
    assert p_value(recipes_of(game, 1, n_draws(20)), four) > UNLIKELY


# What a hand is made of


@pytest.mark.parametrize(
    ("hand", "counts"),
    [
        ("G/p G/r B/p", [3, 2, 2]),  # the recipe is G R B Y Y
        ("P/g Y/y P/r", [1, 1, 0]),
        ("P/g", [0, 0, 0]),
    ],
)
def test_traits_hold_the_hand_against_the_recipe(hand: str, counts: list[int]) -> None:
    game = at_table(hands=(hand,))
    found = np.full(3, 7)
    traits(argument(game.table), argument(game.observe()), found)
    assert found.tolist() == counts


# Factions


def teams_of(state: Any, players: int) -> tuple[int, ...]:
    return tuple(team_of(state.teams, seat) for seat in range(players))


def masked(players: int, teams: tuple[int, ...], *areas: str, **switches: Any) -> Cheers:
    """A masquerade in which these are the factions; seat 0 is on turn."""
    game = Cheers(players, mode="masquerade", **switches).start()
    game.state.teams = sum(team << (2 * seat) for seat, team in enumerate(teams))
    return game.lay(areas, ("Y/b",), "R/g " * 12, ("GRBYY", "RRBBG", "PPYYR"), 0)


@pytest.mark.parametrize(
    ("teams", "n"), [((0, 1, 0), 2), ((1, 0, 1, 0), 3), ((0, 1, 0, 1, 0), 6), ((0, 1, 2) * 2, 30)]
)
def test_every_faction_is_equally_likely(teams: tuple[int, ...], n: int) -> None:
    game = masked(len(teams), teams)
    found = Counter(teams_of(world, len(teams)) for world in drawn(game, n_draws(n)))
    assert len(found) == n or not JIT
    assert {team[0] for team in found} == {teams[0]}
    assert p_value(found, dict.fromkeys(found, 1.0)) > UNLIKELY


def test_who_completed_my_recipe_and_did_not_win_is_not_of_my_faction() -> None:
    game = masked(4, (0, 1, 0, 1), "", "GRBY", "Y").act("toast Y/b 0", "return", "send Y 1")
    assert game.areas[1] == "GRBYY"
    game.act("return")
    assert (game.asked, game.is_over) == (0, False)
    found = Counter(teams_of(world, 4) for world in drawn(game, n_draws(4)))
    assert found.keys() == {(0, 1, 0, 1), (0, 1, 1, 0)}
    assert p_value(found, dict.fromkeys(found, 1.0)) > UNLIKELY
    # Seat 1 itself learns only that this is not its recipe.
    excluded = game.table.excluded[1]
    assert [as_text(recipe_glasses(i)) for i in range(50) if excluded >> i & 1] == ["GRBYY"]


def test_an_exclusion_makes_factions_less_likely() -> None:
    """What a seat satisfied is more likely to be excluded for the faction it is not in."""
    game = masked(3, (0, 1, 0))
    for recipe in range(10):
        game.table.excluded[1] |= 1 << recipe
    game.table.excluded[2] = 0
    w = {i: recipe_draws(i) for i in range(50)}
    own = next(i for i in range(50) if as_text(recipe_glasses(i)) == "GRBYY")
    assert own >= 10
    found = Counter(teams_of(world, 3) for world in drawn(game, n_draws(20)))
    # Seat 1 alone in the other faction: its recipe is none of ten; seat 2 alone: any.
    weights = {(0, 1, 0): float(sum(w[i] for i in range(10, 50))), (0, 0, 1): 280.0}
    assert p_value(found, weights) > UNLIKELY


def test_enforced_pairs_tell_the_factions() -> None:
    switches = {"masquerade_cheers": "engine_enforced"}
    game = masked(5, (0, 1, 0, 1, 0), "B", **switches).act("toast Y/b 0")
    assert game.asked == 0
    # The illegal pairs (2, 4), (4, 2) show seat 0 its two mates.
    assert {teams_of(world, 5) for world in drawn(game, 40)} == {(0, 1, 0, 1, 0)}
    game.act("split 1 2")
    assert {teams_of(world, 5)[1:3] for world in drawn(game, 40)} == {(1, 0), (1, 1)}  # of seat 1
    game.act("return", "return", "return", "return")
    assert game.asked == 0  # and it remembers
    assert {teams_of(world, 5) for world in drawn(game, 40)} == {(0, 1, 0, 1, 0)}


def test_a_pair_that_was_given_is_not_of_the_faction_of_the_target() -> None:
    switches = {"masquerade_cheers": "engine_enforced", "masquerade_factions": [3, 1]}
    game = masked(4, (0, 0, 1, 0), "", "B", **switches).act("toast Y/b 1")
    game.act("split 2 3", "return")  # seat 1 shows that 2 and 3 are not both of its faction
    game.act("return")
    assert game.asked == 3  # its faction has all but one: seat 0 would leave 2 and 3 to seat 1
    assert {teams_of(world, 4) for world in drawn(game, 60)} == {(0, 0, 1, 0), (0, 1, 0, 0)}


# Claims


@pytest.mark.parametrize("rule", ["clockwise_from_active", "active_team_first", "shared"])
def test_worlds_of_a_claim_can_be_played_on(rule: str) -> None:
    game = at_table(
        *("GRBY", "RRBG", "B"),
        hands=("", "", "", "Y/b"),
        active=3,
        simultaneous_win=rule,
        win_claim="optional",
    ).act("toast Y/b 2", "split 0 1")
    assert game.table.phase == CLAIM
    for world in drawn(game, 30):
        assert bytes(world.table.data) == bytes(game.table.data)
    if rule == "shared":
        game.act("declare")
        # Seat 1 knows that seat 0 has completed its recipe: G R B Y Y in some amounts.
        assert recipes_of(game, 0, 30).keys() == {"GRBYY"}
        for world in drawn(game, 5):
            assert (world.winners, world.won_at) == (1, 0)


def test_chance_to_come_is_new() -> None:
    game = at_table()
    streams = {bytes(world.dealer.cards.data) for world in drawn(game, 5)}
    assert len(streams) == 5


def test_areas_lie_open() -> None:
    game = at_table("RB", "GG")
    assert {(world.table.area[0], world.table.area[1]) for world in drawn(game, 5)} == {
        (glasses("RB"), glasses("GG"))
    }
