"""`sample_world` of Cocktail Poison against every way in which the hidden facts can lie.

Which worlds there are is found by trying all, from section 3 of the rule sheet: the other glasses
in any order, any tile of who has chosen (the antidote if he was seen to lay it), the pile in any
order. All are equally likely.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from scipy import stats

from sim.core.jit import JIT
from sim.core.rng import STREAM, open_stream
from tests.games.cocktail_poison.positions import Bar, dealt
from tests.positions import argument, blank

World = tuple[tuple[int, ...], ...]  # styles, tiles and covered cards a seat; the pile

UNLIKELY = 1e-6
DRAWS = 120  # a world
HIDDEN = {"antidote_visibility": "hidden"}
SPENT = {"tiles_return": "spent_until_all_used", "target": 100}


def world_of(game: Bar, state: Any) -> World:
    n = game.players
    pile = state.deck[game.table.n_turned : 4 * n]
    return tuple(map(tuple, (state.style[:n], state.tile[:n], state.cover[:n], pile)))


def bits(word: int) -> list[int]:
    return [k for k in range(62) if word >> k & 1]


def all_worlds(game: Bar) -> Iterator[World]:
    """Every world that fits what the seat to act knows."""
    table, n = game.table, game.players
    styles, _, _, pile = world_of(game, game.state)
    me = table.seat

    def secrets(seat: int) -> list[tuple[int, int]]:
        """Tile and covered card of a seat."""
        if seat == me:
            return [(game.state.tile[me], game.state.cover[me])]
        if table.phase == 0 and (seat - table.start) % n > (me - table.start) % n:
            return [(-1, -1)]
        if table.cover[seat] >= 0:
            return [(4, table.cover[seat])]
        tiles = [tile for tile in range(5) if not table.spent[seat] >> tile & 1]
        found = [(tile, -1) for tile in tiles]
        if 4 in tiles and game.switches["antidote_visibility"] == "hidden":
            found += [(4, card) for card in bits(table.display[seat])]
        return found

    for glasses in itertools.permutations(styles):
        if glasses[me] == styles[me]:
            for chosen in itertools.product(*map(secrets, range(n))):
                for order in itertools.permutations(pile):
                    tiles, covers = zip(*chosen, strict=True)
                    yield glasses, tiles, covers, order


def drawn(game: Bar, n: int, seed: int = 1) -> Iterator[Any]:
    """States that `sample_world` fills, one after the other in the same memory."""
    me, rng, world = game.observe(), blank(STREAM), blank(game.kernels.state)
    open_stream(argument(rng), seed, 0, 0, 0)
    given = [*map(argument, (game.table, me, rng, world))]
    for _ in range(n):
        game.view.sample_world(*given)
        yield world


def p_value(game: Bar) -> float:
    """How likely the sampled worlds are, if all that fit are equally likely."""
    worlds = list(all_worlds(game))
    assert world_of(game, game.state) in worlds
    assert len(worlds) == len(set(worlds)) > 0
    draws = DRAWS * len(worlds) if JIT else 200
    counts = Counter(world_of(game, state) for state in drawn(game, draws))
    assert counts.keys() <= set(worlds)
    if len(worlds) == 1 or not JIT:
        return 1.0
    return float(stats.chisquare([counts[world] for world in worlds]).pvalue)


def after(styles: str, tiles: str, takes: str, **switches: Any) -> Bar:
    """A position in the draft, by default without a pile."""
    game = dealt(styles, **{"row_size": 24, **switches}).choose(tiles)
    return game.take(takes)


def second_round(styles: str, tiles: str, **switches: Any) -> Bar:
    """A position in the draft of the second round; in the first all chose these tiles."""
    game = dealt(styles, row_size=24, **switches).choose(tiles)
    while game.table.round == 1:
        game.take(game.legal().split()[0])
    return game.serve(styles).choose("B B B")


AFTER_ROW = {"row_size": 12, "tile_choice_timing": "after_row"}

# How the position comes about, and its number of worlds
POSITIONS: dict[str, tuple[Callable[[], Bar], int]] = {
    "C-32: three players, 50 worlds": (lambda: after("M F O", "R B G", ""), 50),
    "a seat has laid its antidote": (lambda: after("M F O", "R W G", "M-R F-B*"), 10),
    "both others have": (lambda: after("M F O", "R W W", "M-R F-B* O-G*"), 2),
    "the own antidote binds nobody": (lambda: after("M F O", "W B G", "M-R* F-B O-G"), 50),
    "two cards in the pile": (lambda: after("M F O", "R W G", "", row_size=10), 100),
    "two players": (lambda: after("M F", "R B", "M-R"), 5),
    "four players": (lambda: after("M F O H", "R W G W", "M-R F-B* O-G H-R*"), 30),
    "a hidden antidote, no card yet": (lambda: after("M F O", "R B G", "", **HIDDEN), 50),
    "a hidden antidote": (lambda: after("M F O", "R W G", "M-R F-B* O-G", **HIDDEN), 2 * 6 * 6),
    "spent tiles": (lambda: second_round("M F O", "R W G", **SPENT), 2 * 4 * 4),
    "the first to choose": (lambda: dealt("M F O", **AFTER_ROW), 2),
    "the last to choose": (lambda: dealt("M F O", **AFTER_ROW).take("R W"), 2 * 5 * 5),
}


@pytest.mark.both_modes
@pytest.mark.parametrize("name", POSITIONS)
def test_every_world_that_fits_is_equally_likely(name: str) -> None:
    position, n_worlds = POSITIONS[name]
    game = position()
    assert len(list(all_worlds(game))) == n_worlds
    assert p_value(game) > UNLIKELY


def random_ending(rng: random.Random) -> Bar:
    """The end of a round under random switches, with few enough worlds to try all."""
    while True:
        switches = {
            "antidote_visibility": rng.choice(["public", "hidden"]),
            "antidote_window": rng.choice(["on_take", "any_time_in_round"]),
            "blind_draw": rng.choice(["off", "on"]),
            "row_refill": rng.choice(["after_each_take", "when_empty"]),
        }
        game = Bar(3, **switches).start(seed=rng.randrange(1000))
        for _ in range(rng.randrange(1, 15)):
            game.take(rng.choice(game.legal().split()))
        if game.n_pile() <= 3 and sum(1 for _ in all_worlds(game)) <= 600:
            return game


@pytest.mark.parametrize("seed", range(12))
def test_worlds_of_random_endings_are_equally_likely(seed: int) -> None:
    assert p_value(random_ending(random.Random(seed))) > UNLIKELY


@pytest.mark.both_modes
def test_future_chance_is_new() -> None:
    game = Bar(4).start(seed=5)
    seeds = {world.dealer.seed for world in drawn(game, 5)}
    assert len(seeds - {5}) == 5
