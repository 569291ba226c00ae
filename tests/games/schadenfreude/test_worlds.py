"""`sample_world` of 幸灾乐祸 against every way in which the unseen cards can lie.

Which worlds there are is found by trying all, from section 3 of the rule sheet: hand sizes are
known, a seat has no number card of a suit that it has shown to lack, wilds and the cards left over
are free. All are equally likely.
"""

from __future__ import annotations

import functools
import itertools
import math
import random
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.core.jit import JIT
from sim.core.rng import STREAM, open_stream
from tests.games.schadenfreude.positions import Cards
from tests.positions import argument, blank

World = tuple[frozenset[str], ...]  # the cards of each seat, then those left over

UNLIKELY = 1e-6
DRAWS = 150  # a world


def ending(*hands: str, aside: str = "", voids: tuple[str, ...] = ()) -> Cards:
    """A position in which these are the only cards of the deck; seat 0 is to act.

    `voids` are the suits that each seat is known to lack.
    """
    game = Cards(len(hands), removed_3p=[]).start()
    game.hold(*hands)
    game.state.aside = game.cards(aside)
    game.table.rules.deck = game.cards(" ".join([*hands, aside]))
    for seat, suits in enumerate(voids):
        game.table.void[seat] = sum(1 << "ABCD".index(suit) for suit in suits)
        assert not any(suit in hands[seat] for suit in suits)
    return game


def world_of(game: Cards, state: Any) -> World:
    hidden = [*state.hand[: game.players], state.aside]
    return tuple(frozenset(game.text(cards).split()) for cards in hidden)


def all_worlds(game: Cards) -> Iterator[World]:
    """Every world that fits what seat 0 knows."""
    own, *others = world_of(game, game.state)
    suits = [
        {suit for i, suit in enumerate("ABCDW") if not game.table.void[seat] >> i & 1}
        for seat in range(1, game.players)
    ]
    suits.append(set("ABCDW"))  # cards left over

    def deal(cards: list[str], held: list[list[str]]) -> Iterator[World]:
        if not cards:
            yield (own, *map(frozenset, held))
            return
        for holder, place in enumerate(held):
            if len(place) < len(others[holder]) and cards[0][0] in suits[holder]:
                place.append(cards[0])
                yield from deal(cards[1:], held)
                place.pop()

    yield from deal(sorted(frozenset().union(*others)), [[] for _ in others])


def drawn(game: Cards, n: int, seed: int) -> Iterator[Any]:
    """States that `sample_world` fills, one after the other in the same memory."""
    me, rng, world = game.observe(), blank(STREAM), blank(game.kernels.state)
    open_stream(argument(rng), seed, 0, 0, 0)
    given = [*map(argument, (game.table, me, rng, world))]
    for _ in range(n):
        game.view.sample_world(*given)
        yield world


def sampled(game: Cards, n: int, seed: int = 1) -> Counter[World]:
    return Counter(world_of(game, state) for state in drawn(game, n, seed))


def p_value(game: Cards, seed: int = 1) -> float:
    """How likely the sampled worlds are, if all that fit are equally likely."""
    worlds = list(all_worlds(game))
    assert len(worlds) == len(set(worlds)) > 0
    counts = sampled(game, DRAWS * len(worlds) if JIT else 20, seed)
    assert counts.keys() <= set(worlds)
    if len(worlds) == 1 or not JIT:
        return 1.0
    return float(stats.chisquare([counts[world] for world in worlds]).pvalue)


# Hands, cards left over, the suits that each seat is known to lack, number of worlds
ENDINGS: dict[str, tuple[str, str, str, int]] = {
    "three, no voids": ("A1 | A2 B1 | B2 C1", "C2 D1", "", 90),
    "three, one void": ("A1 | A2 A3 | B2 C1", "A4 D1", "- - A", 18),
    "three, wilds": ("A1 | W1 B1 | W2 C1", "C2", "- AC B", 7),
    "what nobody can have is left over": ("A1 | B1 B2 | B3 C1", "D1 D2", "- AD AD", 6),
    "own voids bind nobody": ("A1 | B1 | C1", "D1", "BCD - -", 6),
    "four, only one world": ("A1 | A2 | B2 | C2", "", "- BCD CD D", 1),
    "four, tight": ("A1 | A2 A3 | A4 B2 | B3 C2", "", "- BCD CD AD", 6),
    "five, all but one can have a suit": ("A1 | A2 | B2 B3 | C2 C3 | D2", "", "- D A B C", 35),
    "five, a ring of voids": ("A1 | A2 B2 | B3 C3 | C4 D4 | D5 A5", "", "- CD DA AB BC", 18),
}


@pytest.mark.both_modes
@pytest.mark.parametrize("name", ENDINGS)
def test_every_world_that_fits_is_equally_likely(name: str) -> None:
    hands, aside, voids, n_worlds = ENDINGS[name]
    lacking = tuple(suits.strip("-") for suits in voids.split())
    game = ending(*hands.split(" | "), aside=aside, voids=lacking)
    worlds = list(all_worlds(game))
    assert world_of(game, game.state) in worlds
    assert len(worlds) == n_worlds
    assert p_value(game) > UNLIKELY


def random_ending(rng: random.Random) -> Cards:
    """A few cards dealt at random, with random ones of the voids that are true."""
    while True:
        players = rng.choice([3, 4, 5])
        deck = [f"{suit}{n}" for suit in "ABCD" for n in range(1, 6)] + ["W1", "W2"]
        sizes = [rng.randint(1, 3) for _ in range(players)] + [rng.randint(0, 2)]
        cards = rng.sample(deck, sum(sizes))
        held = [[cards.pop() for _ in range(size)] for size in sizes]
        voids = [
            "".join(
                suit
                for suit in "ABCD"
                if not any(card[0] == suit for card in held[seat]) and rng.random() < 0.7
            )
            for seat in range(players)
        ]
        *hands, aside = map(" ".join, held)
        game = ending(*hands, aside=aside, voids=tuple(voids))
        if 2 <= sum(1 for _ in all_worlds(game)) <= 150:
            return game


@pytest.mark.parametrize("seed", range(40))
def test_worlds_of_random_endings_are_equally_likely(seed: int) -> None:
    assert p_value(random_ending(random.Random(seed)), seed) > UNLIKELY


# Whole rounds: too many worlds to try all, but their shares can be counted by suits


def splits(n: int, room: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Every way to give `n` equal things to holders with this much room."""
    if not room:
        if n == 0:
            yield ()
        return
    for first in range(min(n, room[0]) + 1):
        for others in splits(n - first, room[1:]):
            yield (first, *others)


def expected_counts(suits: list[tuple[int, list[bool]]], room: tuple[int, ...]) -> Any:
    """Mean number of cards of each suit with each holder, all worlds being equally likely.

    `suits` has the number of unseen cards and who may hold them, `room` what each holder takes.
    """

    def given(i: int, left: tuple[int, ...]) -> Iterator[tuple[tuple[int, ...], int]]:
        """Ways to split suit `i`, each with its number of worlds for this suit."""
        n, may = suits[i]
        for split in splits(n, tuple(r if m else 0 for r, m in zip(left, may, strict=True))):
            yield split, math.factorial(n) // math.prod(map(math.factorial, split))

    def rest(left: tuple[int, ...], split: tuple[int, ...]) -> tuple[int, ...]:
        return tuple(r - c for r, c in zip(left, split, strict=True))

    @functools.cache
    def worlds(i: int, left: tuple[int, ...]) -> int:
        if i == len(suits):
            return 1
        return sum(ways * worlds(i + 1, rest(left, split)) for split, ways in given(i, left))

    mean = np.zeros((len(suits), len(room)))
    reached = {room: 1.0}
    for i in range(len(suits)):
        following: defaultdict[tuple[int, ...], float] = defaultdict(float)
        for left, chance in reached.items():
            for split, ways in given(i, left):
                after = rest(left, split)
                share = chance * ways * worlds(i + 1, after) / worlds(i, left)
                if share > 0:
                    mean[i] += share * np.array(split)
                    following[after] += share
        reached = following
    return mean


SUIT_SETS = [0xFFF << (12 * suit) for suit in range(4)] + [3 << 48]


def counts_by_suit(holders: list[int]) -> Any:
    return np.array([[(cards & suit).bit_count() for cards in holders] for suit in SUIT_SETS])


def test_the_count_by_suits_is_that_of_all_worlds() -> None:
    """The two ways to know what is right agree with each other."""
    suits = [(2, [True, False, True]), (1, [True, True, True]), (2, [True, True, False])]
    room = (2, 2, 1)
    found = []
    for split in itertools.product(range(3), repeat=5):
        counts = np.zeros((3, 3))
        for card, holder in zip((0, 0, 1, 2, 2), split, strict=True):
            counts[card, holder] += 1
        may = np.array([allowed for _, allowed in suits])
        if (counts.sum(axis=0) == room).all() and not counts[~may].any():
            found.append(counts)
    np.testing.assert_allclose(expected_counts(suits, room), np.mean(found, axis=0))


@pytest.mark.parametrize("seed", range(12))
def test_worlds_of_whole_rounds_have_the_right_shares(seed: int) -> None:
    rng = random.Random(f"round {seed}")
    players = 3 + seed % 3
    game = Cards(players).start(seed=seed)
    n_voids = 0
    while n_voids < 2 or game.table.n_laid == 0:  # to the second void of a round
        legal = game.observe().legal
        game.apply(rng.choice([card for card in range(50) if legal >> card & 1]))
        me = game.observe()
        known = [game.table.void[seat] for seat in range(players) if seat != me.seat]
        n_voids = sum(suits.bit_count() for suits in known)
    others = [seat for seat in range(players) if seat != me.seat]
    unseen = game.table.rules.deck & ~game.table.played & ~me.hand
    room = [game.table.n_hand[seat] for seat in others]
    room.append(unseen.bit_count() - sum(room))
    suits = [
        (
            (unseen & cards).bit_count(),
            [*(not game.table.void[seat] >> i & 1 for seat in others), True],
        )
        for i, cards in enumerate(SUIT_SETS)
    ]
    expected = expected_counts(suits, tuple(room))
    n, total, squares = 1500, np.zeros_like(expected), np.zeros_like(expected)
    for world in drawn(game, n, seed):
        counts = counts_by_suit([*(world.hand[seat] for seat in others), world.aside])
        total += counts
        squares += counts**2
    mean = total / n
    spread = np.sqrt(np.maximum(squares / n - mean**2, 1e-12) / n)
    assert (np.abs(mean - expected) < 5 * spread + 1e-9).all()


@pytest.mark.both_modes
def test_future_chance_is_new() -> None:
    game = Cards(4).start(seed=5)
    seeds = {world.dealer.seed for world in drawn(game, 5, seed=1)}
    assert len(seeds - {5}) == 5
