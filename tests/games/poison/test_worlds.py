"""What a seat of 毒药 knows, and `sample_world` against every way in which the cards can lie.

From section 3 of the rule sheet: the unseen cards, told apart, lie in any way that fits the known
sizes, all equally likely. So a world in which cards that are alike lie together is rarer.
"""

from __future__ import annotations

import itertools
import random
from collections import Counter
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from scipy import stats

from sim.core.jit import JIT
from sim.core.rng import STREAM, open_stream
from sim.games.poison import GAME
from sim.games.poison.cards import FULL_DECK, n_cards
from sim.games.poison.text import cards
from sim.games.poison.traits import TRAITS, traits
from tests.games.poison.positions import Pots, heap, laid, text_of
from tests.positions import argument, blank

pytestmark = pytest.mark.both_modes

World = tuple[str, ...]  # hands, ghost hand, cards set aside, piles
UNLIKELY = 1e-6


def drawn(game: Pots, n: int, seed: int = 1) -> Iterator[Any]:
    """States that `sample_world` fills, one after the other in the same memory."""
    me, rng, world = game.observe(), blank(STREAM), blank(game.kernels.state)
    open_stream(argument(rng), seed, 0, 0, 0)
    given = [*map(argument, (game.table, me, rng, world))]
    for _ in range(n):
        game.view.sample_world(*given)
        yield world


def world_of(game: Pots, state: Any) -> World:
    n = game.players
    heaps = (*state.hand[:n], state.ghost, state.aside, *state.taken[:n])
    return tuple(map(text_of, heaps))


def ending(*hands: str, ghost: str = "", piles: tuple[str, ...] = (), **switches: Any) -> Pots:
    """Seat 0 is to act, and these and `ghost` are all cards that are left.

    The others have been played; but for the piles they lie in pot 0, too many for a real pot.
    """
    game = Pots(len(hands), first_start="seat0", **switches).start()
    heaps = tuple(map(heap, piles)) or (0,) * len(hands)
    game.lay(hands=hands, piles=heaps)
    left = heap(ghost) + sum(map(heap, hands))
    game.state.ghost, game.state.aside = heap(ghost), 0
    game.table.ghost = heap(ghost) if game.table.rules.ghost_shown else 0
    game.table.played = FULL_DECK - left
    game.table.pot[0] = FULL_DECK - left - sum(heaps)
    return game


def assignments(pool: str, sizes: list[int]) -> Counter[tuple[str, ...]]:
    """Every way to deal these cards, told apart, to holders of these sizes."""
    found: Counter[tuple[str, ...]] = Counter()
    names = pool.split()
    assert len(names) == sum(sizes)
    cuts = [0, *itertools.accumulate(sizes)]
    for order in itertools.permutations(names):
        held = [sorted(order[a:b]) for a, b in itertools.pairwise(cuts)]
        found[tuple(text_of(heap(" ".join(own))) for own in held)] += 1
    return found


def is_likely(game: Pots, expected: Counter[World], n: int) -> bool:
    """Whether sampled worlds are distributed like these counts, and `deals_like` agrees."""
    counts: Counter[World] = Counter()
    weight: dict[World, int] = {}
    for world in drawn(game, n):
        found = world_of(game, world)
        counts[found] += 1
        weight[found] = game.view.deals_like(world)
    assert counts.keys() <= expected.keys()
    assert world_of(game, game.state) in expected
    ratios = {weight[found] * 1000 // expected[found] for found in counts}
    assert len(ratios) == 1
    if not JIT:
        return True
    share = n / expected.total()
    observed = [counts[world] for world in expected]
    wanted = [share * ways for ways in expected.values()]
    return bool(stats.chisquare(observed, wanted).pvalue > UNLIKELY)


N = 6000 if JIT else 60


@pytest.mark.parametrize(
    ("hands", "ghost"),
    [
        ("R1 | R2 | B1 | P1", ""),
        ("R1 | R2 B1 | R2 P4", ""),
        ("R1 | X X | X R7", ""),
        ("R1 X | R5 | X", "X B2 B2"),
        ("X | X X | X | R1 R1", ""),
        ("X | R1 |  | R1 B2", ""),
    ],
)
def test_every_deal_is_equally_likely(hands: str, ghost: str) -> None:
    own, *others = (hand.strip() for hand in hands.split("|"))
    # Without a ghost hand what is left over lies aside, also where the rules leave nothing.
    mode = {"three_player_deal": "ghost_hand" if ghost else "all_cards"}
    game = ending(own, *others, ghost=ghost, **mode)
    sizes = [len(hand.split()) for hand in [*others, ghost]]
    expected: Counter[World] = Counter()
    nothing = ("",) * (1 + len(others))
    for held, ways in assignments(" ".join([*others, ghost]), sizes).items():
        *rest, last = held
        expected[(own, *rest, last, "", *nothing)] += ways
    assert is_likely(game, expected, N)


def test_cards_set_aside_are_drawn_too() -> None:
    game = ending("R1", "R2", "X B1", three_player_deal="equal_aside")
    game.state.aside = heap("P4 P4")
    game.table.played -= heap("P4 P4")
    game.table.pot[0] -= heap("P4 P4")
    expected: Counter[World] = Counter()
    for held, ways in assignments("R2 X B1 P4 P4", [1, 2, 2]).items():
        expected[("R1", *held[:2], "", held[2], "", "", "")] += ways
    assert is_likely(game, expected, N)


def test_a_ghost_hand_that_lies_open_stays() -> None:
    game = ending("R1", "R2", "X B1", ghost="P4 P4", ghost_revealed="yes")
    expected: Counter[World] = Counter()
    for held, ways in assignments("R2 X B1", [1, 2]).items():
        expected[("R1", *held, "P4 P4", "", "", "", "")] += ways
    assert is_likely(game, expected, N)


def test_remembered_piles_stay() -> None:
    game = ending("R1", "R2", "X", piles=("B1", "B1 X", "P2"), three_player_deal="all_cards")
    expected: Counter[World] = Counter()
    for held, ways in assignments("R2 X", [1, 1]).items():
        expected[("R1", *held, "", "", "B1", "B1 X", "P2")] += ways
    assert is_likely(game, expected, N)


@pytest.mark.parametrize("memory", ["sizes_only", "none"])
def test_forgotten_piles_are_drawn_anew(memory: str) -> None:
    rules = {"three_player_deal": "all_cards", "taken_memory": memory}
    game = ending("R1", "R2", "R2", piles=("B1", "B1 X", "P2"), **rules)
    expected: Counter[World] = Counter()
    pool = "B1 B1 X P2"
    if memory == "sizes_only":
        piles = assignments(pool, [1, 2, 1])
    else:
        piles = Counter()
        for seats in itertools.product(range(3), repeat=4):
            names = list(zip(pool.split(), seats, strict=True))
            held = (" ".join(name for name, s in names if s == seat) for seat in range(3))
            piles[tuple(text_of(heap(own)) for own in held)] += 1
    for taken, ways in piles.items():
        expected[("R1", "R2", "R2", "", "", *taken)] += ways
    assert is_likely(game, expected, N)


def played_some(players: int, n: int, seed: int, **switches: Any) -> Pots:
    """A first round after `n` random plays."""
    game, rng = Pots(players, **switches).start(seed=seed), random.Random(seed)
    for _ in range(n):
        game.apply(rng.choice(legal(game)))
    return game


def legal(game: Pots) -> list[int]:
    return [number for number in range(48) if game.is_legal(number)]


@pytest.mark.parametrize("players", GAME.players)
def test_unseen_cards_are_the_deck_less_hand_and_plays(players: int) -> None:
    game = played_some(players, 17, seed=players)
    me = game.observe()
    others = [game.state.hand[seat] for seat in range(players) if seat != me.seat]
    unseen = game.view.unseen_cards(argument(game.table), argument(me))
    assert unseen == sum(others) + game.state.ghost + game.state.aside
    for world in drawn(game, 20):
        assert world.hand[me.seat] == me.hand
        assert [n_cards(world.hand[seat]) for seat in range(players)] == game.hand_sizes()


@pytest.mark.parametrize("players", GAME.players)
@pytest.mark.parametrize("mode", ["ghost_hand", "all_cards"])
def test_mean_hands_of_worlds(players: int, mode: str) -> None:
    """In the middle of a round each other hand has its part of every unseen kind."""
    game = played_some(players, 15, seed=9, three_player_deal=mode)
    me = game.observe()
    unseen = game.view.unseen_cards(argument(game.table), argument(me))
    n, pool = (3000 if JIT else 40), Counter(cards(unseen))
    seat = (me.seat + 1) % players
    held: Counter[str] = Counter()
    for world in drawn(game, n):
        held += Counter(cards(world.hand[seat]))
    size = game.table.n_hand[seat]
    for name, copies in pool.items():
        share = size / pool.total()
        spread = (n * copies * share * (1 - share)) ** 0.5
        assert abs(held[name] - n * copies * share) < 5 * spread


# What is seen


def seen(game: Pots) -> tuple[bytes, bytes]:
    return bytes(game.table.data), bytes(game.observe().data)


def test_exchange_of_hidden_cards_is_not_seen() -> None:
    def after(others: tuple[str, ...], **switches: Any) -> Pots:
        return laid("R1", hand="R5 B1", others=others, **switches).play("R5>0")

    one = after(("X P1", "P2 B4", "P7 B5"))
    assert seen(one) == seen(after(("X P1", "P2 B5", "P7 B4")))  # seats 2 and 3
    assert seen(one) == seen(after(("X P1", "P2 B7", "P7 B5")))  # seat 2 and the cards aside
    assert seen(one) != seen(after(("X P2", "P1 B4", "P7 B5")))  # seat 1 has another hand


def test_forced_turns_are_no_public_fact() -> None:
    """Whether a seat had a safe card tells of its hand; it is counted out of sight."""

    def after(hand: str) -> Pots:
        others = ("X P1", "P2", "P5")
        return laid("R7", "B7", "P7 P5", hand=hand, others=others).play("R7>0")

    one, other = after("R7 B1"), after("R7 B7")
    assert (one.state.counted.forced[0], other.state.counted.forced[0]) == (0, 1)
    assert seen(one) == seen(other)


@pytest.mark.parametrize("players", GAME.players)
def test_the_deal_shows_nothing(players: int) -> None:
    """Before a card is played everybody sees the same, whatever was dealt."""

    def tables(**switches: Any) -> int:
        game = Pots(players, first_start="seat0", **switches)
        return len({bytes(game.start(deal=deal).table.data) for deal in range(20)})

    assert tables() == 1
    if players == 3:
        assert tables(ghost_revealed="yes") == 20


@pytest.mark.parametrize("players", GAME.players)
def test_the_same_plays_show_the_same(players: int) -> None:
    """Hands are exchanged behind a seat's back; while all play as before, it sees as before."""
    rng, n_same = random.Random(players), 0
    for seed in range(40 if JIT else 6):
        game = played_some(players, rng.randrange(36), seed)
        other = Pots(players)
        other.state.data[:] = next(drawn(game, 1)).data
        while both := sorted({*legal(game)} & {*legal(other)}):
            number = rng.choice(both)
            game.apply(number)
            other.apply(number)
            if game.table.n_left == 0 or game.table.round > 1:
                break  # another deal
            assert bytes(game.table.data) == bytes(other.table.data)
            n_same += 1
    assert n_same > (40 if JIT else 5)


def test_piles_are_shown_as_they_are_remembered() -> None:
    def after(memory: str) -> tuple[list[int], list[int], int]:
        game = laid("R7 R1", hand="R7 B1", taken_memory=memory)
        table = game.play("R7>0").table
        assert game.piles()[0] == "R1 R7"
        return list(table.taken[:2]), list(table.n_taken[:2]), table.n_history

    assert after("perfect") == ([heap("R1 R7"), 0], [2, 0], 3)
    assert after("sizes_only") == ([0, 0], [2, 0], 0)
    assert after("none") == ([0, 0], [0, 0], 0)


def test_future_chance_is_new_and_nothing_is_counted() -> None:
    game = played_some(4, 40, seed=5)
    assert sum(game.state.counted.overflows) > 0
    seeds = set()
    for world in drawn(game, 5):
        seeds.add(world.dealer.seed)
        assert sum(world.counted.overflows) == 0
        assert sum(world.deck) == 0
    assert len(seeds - {5}) == 5


# What a hand is made of


@pytest.mark.parametrize(
    ("hand", "counts"),
    [
        ("R1 R1 R7 B4 P5 X X X", [2, 0, 1, 1, 1, 3, 3]),
        ("B2 B5 B7 P2 X", [0, 2, 0, 1, 1, 1, 3]),
        ("X", [0, 0, 0, 0, 0, 1, 0]),
    ],
)
def test_traits_count_the_hand(hand: str, counts: list[int]) -> None:
    game = laid(hand=hand)
    found = np.full(len(TRAITS), 7)
    traits(argument(game.table), argument(game.observe()), found)
    assert found.tolist() == counts
    assert sum(counts[:-1]) == len(hand.split())
