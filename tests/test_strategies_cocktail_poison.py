"""The strategies for Cocktail Poison: what each does in a given situation, what they reckon with.

Seat A is about to act, with the Martini, unless said otherwise. That all are legal, repeatable and
write nothing is tested in `test_conformance.py`.
"""

from __future__ import annotations

import itertools
from collections import Counter
from typing import Any

import pytest

from sim import catalog
from sim.core.engine import Table
from sim.core.game import SHARE_UNIT
from sim.core.jit import JIT
from sim.core.rng import open_stream
from sim.games.cocktail_poison import GAME
from sim.games.cocktail_poison.text import CARD_NAMES
from sim.games.cocktail_poison.view import takes_of
from strategies.cocktail_poison._belief import beliefs
from strategies.cocktail_poison._draft import OWN_POISON
from strategies.cocktail_poison._risk import risks
from strategies.cocktail_poison.avoid_count import likely_owner, risk_of, times_avoided
from strategies.cocktail_poison.deny import leader_of
from tests.arena import entrant, lineup, strategy_names
from tests.games.cocktail_poison.positions import Bar, dealt
from tests.positions import argument

both_modes = pytest.mark.both_modes
CAREFUL = ("avoid_count", "bayes", "deny", "masked", "own_first", "tempo")
N = 60 if JIT else 25


def me_of(spec: str, game: Bar, seed: int = 0) -> Any:
    """What the seat to act has, with the parameters of a strategy."""
    me = game.observe()
    for i, value in enumerate(catalog.parse(spec, GAME.name).values):
        me.parameter[i] = value
    open_stream(argument(me.rng), seed, 0, 0, 0)
    return me


def choice(spec: str, game: Bar, seed: int = 0) -> str:
    """What a strategy does here, for the seat to act."""
    decide = entrant(GAME.name, catalog.parse(spec, GAME.name).file.name).decide
    return game.name(decide(argument(game.table), argument(me_of(spec, game, seed))))


def choices(spec: str, game: Bar, n: int = N) -> Counter[str]:
    """How often a strategy does what here, over streams of its own."""
    return Counter(choice(spec, game, seed) for seed in range(n))


def row_of(row: str, tiles: str = "R R R", styles: str = "M F O", **switches: Any) -> Bar:
    """Seat A is to take from this row."""
    game = dealt(styles, row, **{"row_size": len(row.split()), **switches})
    return game.choose(tiles)


# uniform


@both_modes
def test_uniform_is_uniform_over_pairs() -> None:
    assert set(choices("uniform", dealt("M F O"), 4 * N)) == set("RYBGW")
    found = choices("uniform", row_of("M-Y F-Y O-Y", "W R R"), 6 * N)
    assert set(found) == {"M-Y", "F-Y", "O-Y", "M-Y*", "F-Y*", "O-Y*"}
    laid = sum(n for name, n in found.items() if "*" in name)
    assert 0.35 < laid / (6 * N) < 0.65
    any_time = row_of("M-Y F-Y O-Y M-B", "W R R", antidote_window="any_time_in_round")
    any_time.take("M-Y F-Y O-Y")
    assert "M-B/M-Y" in choices("uniform", any_time, 6 * N)


# Tiles


@both_modes
@pytest.mark.parametrize("name", ["random", *CAREFUL])
def test_tile_policies(name: str) -> None:
    first = dealt("M F O")
    assert set(choices(f"{name}:tile=0", first)) == set("RYBG")
    assert set(choices(f"{name}:tile=1", first)) == set("RYBGW")
    assert set(choices(f"{name}:tile=2:antidote=0", first)) == set("RYBG")
    assert set(choices(f"{name}:tile=2:antidote=100", first)) == {"W"}
    assert 0.2 < choices(f"{name}:tile=2:antidote=50", first)["W"] / N < 0.8


def second_round(tile: str, has_struck: bool, totals: tuple[int, ...] = (0, 0, 0)) -> Bar:
    """Seat A chooses its second tile; the first was this one."""
    game = dealt("M F O").set_totals(*totals)
    game.table.round = 2
    game.table.last_tile[0] = "RYBGW".index(tile)
    game.table.last_hit[0] = has_struck
    return game


@both_modes
@pytest.mark.parametrize(
    ("policy", "tile", "has_struck", "expected"),
    [
        (3, "B", True, "B"),  # sticky: a colour that worked
        (3, "B", False, "RYBG"),
        (3, "W", False, "RYBG"),
        (4, "B", True, "RYG"),  # anti_memory: any but the last
        (4, "B", False, "RYG"),
        (4, "W", False, "RYBG"),
        (0, "B", True, "RYBG"),
    ],
)
def test_tile_by_the_last_round(policy: int, tile: str, has_struck: bool, expected: str) -> None:
    found = choices(f"own_first:tile={policy}", second_round(tile, has_struck))
    assert set(found) == set(expected)


@both_modes
@pytest.mark.parametrize(
    ("totals", "share", "expected"),
    [
        ((4, 4, 0), 0, "W"),  # an opponent may win, and one point is enough for us
        ((4, 3, 3), 0, "RYBG"),  # nobody else is so near
        ((3, 4, 0), 0, "RYBG"),  # one point is not enough
        ((3, 4, 0), 100, "W"),  # but the leader may be denied
        ((4, 4, 0), 100, "W"),
        ((3, 3, 0), 100, "RYBG"),
    ],
)
def test_desperate_antidote(totals: tuple[int, ...], share: int, expected: str) -> None:
    spec = f"own_first:tile=5:antidote={share}"
    assert set(choices(spec, second_round("R", False, totals))) == set(expected)


@both_modes
def test_spent_tiles_are_not_chosen() -> None:
    game = dealt("M F O", tiles_return="spent_until_all_used")
    game.table.spent[0] = 0b01111
    game.rules.ask_for_tile(argument(game.state), 0)
    assert all(set(choices(f"bayes:tile={policy}", game, 5)) == {"W"} for policy in range(6))
    game.table.spent[0] = 0b11010
    game.rules.ask_for_tile(argument(game.state), 0)
    assert set(choices("bayes:tile=2:antidote=100", game)) == {"R", "B"}


# random


@both_modes
def test_random_takes_any_card_and_lays_one_time_in_four() -> None:
    assert set(choices("random", row_of("M-Y F-Y M-R"))) == {"M-Y", "F-Y", "M-R"}
    found = choices("random", row_of("M-Y F-Y O-Y", "W R R"), 5 * N)
    assert 0.1 < sum(n for name, n in found.items() if "*" in name) / (5 * N) < 0.4


# own_first and what all have in common


@both_modes
@pytest.mark.parametrize("name", [name for name in CAREFUL if name != "tempo"])  # it keeps its own
@pytest.mark.parametrize(
    ("row", "tile", "expected"),
    [
        ("M-Y F-R O-R", "R", "M-Y"),  # an own harmless drink
        ("M-R M-B O-R", "R", "M-B"),  # not the own poison
        ("M-R", "R", "M-R"),  # unless there is nothing else
        ("M-R", "W", "M-R"),  # no poison at all with the antidote; too early to lay it
    ],
)
def test_first_take(name: str, row: str, tile: str, expected: str) -> None:
    assert choice(name, row_of(row, f"{tile} R R")) == expected


@both_modes
@pytest.mark.parametrize("name", CAREFUL)
def test_own_poison_is_left_to_others(name: str) -> None:
    assert set(choices(name, row_of("M-R F-R"), 5)) == {"F-R"}


@both_modes
def test_own_first_takes_any_of_the_others() -> None:
    assert set(choices("own_first", row_of("M-R F-R O-R F-B"))) == {"F-R", "O-R", "F-B"}
    assert set(choices("own_first", row_of("M-Y F-R M-B"))) == {"M-Y", "M-B"}


@both_modes
@pytest.mark.parametrize("name", CAREFUL)
def test_antidote_comes_with_the_last_take_at_the_latest(name: str) -> None:
    game = dealt("M F O", row_size=24).choose("W R R")
    game.draft("M-R M-Y M-B | F-R F-Y F-B | O-R O-Y O-B")
    assert choice(name, game) in ("M-G*", "F-G*", "O-G*")
    shorter = dealt("M F O", row_size=24, cards_left=2).choose("W R R")
    shorter.draft("M-R M-Y M-B | F-R F-Y F-B | O-R O-Y O-B")
    assert choice(name, shorter).endswith("*")


# avoid_count


@both_modes
@pytest.mark.parametrize(
    ("displays", "owners"),
    [
        (" | F-R | ", "---"),  # one is too few
        (" | F-R F-Y | ", "-B-"),
        ("M-R M-Y | F-R F-Y | F-B F-G", "---"),  # two seats with two
        (" | F-R O-R | F-Y F-B", "-C-"),
        ("F-R F-Y | F-B | ", "---"),  # seat A is not its own suspect
        (" | O-R O-Y O-B | F-R F-Y", "-CB"),
    ],
)
def test_likely_owner(displays: str, owners: str) -> None:
    game = dealt("M F O").choose("R R R")
    for seat, display in enumerate(displays.split("|")):
        game.table.display[seat] = game.cards(display)
    me = argument(me_of("avoid_count", game))
    found = [likely_owner(argument(game.table), me, style) for style in range(3)]
    assert "".join("-" if owner < 0 else "ABC"[owner] for owner in found) == owners


@both_modes
def test_avoid_count_reckons_what_the_owner_left() -> None:
    row = "F-G F-R F-Y M-Y O-R O-Y M-B F-B"
    game = row_of(row, "R G R").take("M-Y F-R O-R M-B F-Y O-Y")  # B took past F-G twice
    table, me = argument(game.table), argument(me_of("avoid_count:others=10", game))
    assert times_avoided(table, takes_of(table, 1), game.card("F-G")) == 2
    assert times_avoided(table, takes_of(table, 1), game.card("F-B")) == 2
    gone = game.cards("M-Y F-R O-R M-B F-Y O-Y")
    assert risk_of(table, me, gone, game.card("F-G")) == pytest.approx(0.45)  # 0.9 of 3 in 6
    assert risk_of(table, me, gone, game.card("O-B")) == pytest.approx(0.45)
    assert risk_of(table, me, gone, game.card("M-R")) == OWN_POISON
    assert risk_of(table, me, gone, game.card("M-G")) == 0.0


def with_row(game: Bar, row: str) -> Bar:
    """The same position with this row."""
    game.table.row = game.cards(row)
    game.rules.ask_for_card(argument(game.state), game.table.seat)
    return game


@both_modes
def test_avoid_count_takes_what_is_avoided_least() -> None:
    game = dealt("M F O", "F-G F-R O-R F-Y O-Y O-G F-B").choose("R G R")
    game.take("O-R F-R O-Y O-G F-Y")  # B left F-G twice, and F-B once, which came later
    assert choice("avoid_count", with_row(game, "F-G F-B")) == "F-B"
    assert choice("avoid_count", with_row(game, "F-G F-B M-R")) == "M-R"  # nobody's yet
    assert choice("avoid_count", with_row(game, "F-G F-B O-B")) == "O-B"  # the seat's own


@both_modes
def test_avoid_count_trusts_who_has_laid_his_antidote() -> None:
    game = row_of("F-G F-R F-Y M-Y O-R O-Y M-B O-B", "R W R").take("M-Y F-R* O-R M-B F-Y O-Y")
    assert choice("avoid_count", with_row(game, "M-R O-B F-G")) == "F-G"
    assert choice("avoid_count", with_row(game, "M-G O-B F-G")) == "M-G"  # safe as well
    assert choice("avoid_count", with_row(game, "M-G M-R F-G")) == "F-G"  # a flute is to come


# Beliefs


def plain_beliefs(game: Bar, others: float, pull: float) -> dict[tuple[int, str], float]:
    """The chance of each seat to have poisoned each card, over all worlds one by one."""
    table, n, me = game.table, game.players, int(game.table.seat)
    styles = [CARD_NAMES[4 * style][0] for style in game.state.style[:n]]
    order = [(table.start + take) % n for take in range(table.n_taken)]
    foreign = 1 / (1 + (1 - others) / 4 * (pull - 1))

    def worth(card: str, style: str, tile: str) -> float:
        if card == f"{style}-{tile}":
            return pull**-2
        return pull if card[0] == style else foreign

    total, found = 0.0, Counter[tuple[int, str]]()
    for glasses in itertools.permutations(styles):
        if glasses[me] != styles[me]:
            continue
        for tiles in itertools.product("RYBGW", repeat=n):
            if tiles[me] != "R" or any(
                table.cover[seat] >= 0 and tiles[seat] != "W" for seat in range(n)
            ):
                continue
            weight = 1.0
            for seat in range(n):
                if seat != me:
                    certain = table.cover[seat] >= 0
                    weight *= 1 if certain else others if tiles[seat] == "W" else (1 - others) / 4
            for take, seat in enumerate(order):
                if seat != me:
                    row = game.text(table.offer[take]).split()
                    worths = {card: worth(card, glasses[seat], tiles[seat]) for card in row}
                    weight *= worths[CARD_NAMES[table.taken[take]]] / sum(worths.values())
            total += weight
            for seat in range(n):
                if seat != me and tiles[seat] != "W":
                    found[seat, f"{glasses[seat]}-{tiles[seat]}"] += weight
    return {key: weight / total for key, weight in found.items()}


@both_modes
@pytest.mark.parametrize(
    ("styles", "tiles", "takes"),
    [
        ("M F O", "R R R", ""),
        ("M F O", "R B G", "M-Y F-Y O-Y M-B F-G O-R"),
        ("M F O", "R B G", "F-B M-R M-Y O-Y O-R F-Y"),
        ("M F O", "R W G", "M-Y F-Y* O-Y M-R O-B F-B"),
        ("M F O H", "R Y B G", "O-R F-R M-R H-R F-Y M-Y O-Y H-Y"),
        ("M F O H", "R W B W", "M-Y F-R* O-R H-R* O-G H-Y O-Y F-Y"),
    ],
)
def test_beliefs_are_those_of_all_worlds(styles: str, tiles: str, takes: str) -> None:
    game = dealt(styles, row_size=24).choose(tiles).take(takes)
    assert game.table.seat == 0
    poison = beliefs(argument(game.table), argument(me_of("bayes:others=20:pull=17", game)))
    expected = plain_beliefs(game, 0.2, 2.7)
    for seat, card in itertools.product(range(game.players), range(24)):
        right = expected.get((seat, CARD_NAMES[card]), 0.0)
        assert poison[seat, card] == pytest.approx(right, abs=1e-12)


@both_modes
def test_risks_without_a_clue() -> None:
    game = row_of("M-Y F-R O-R")
    risk = risks(argument(game.table), argument(me_of("bayes:others=20", game)))
    assert [risk[game.card(name)] for name in ("M-R", "M-Y")] == [OWN_POISON, 0.0]
    assert [risk[game.card(name)] for name in ("F-R", "O-G")] == pytest.approx([0.2, 0.2])
    assert risk[game.card("H-R")] == 0.0  # a glass that is not in use


@both_modes
def test_two_players_know_the_glass() -> None:
    game = row_of("M-Y F-R F-Y", "R B", "M F")
    risk = risks(argument(game.table), argument(me_of("bayes:others=20", game)))
    assert risk[game.card("F-B")] == pytest.approx(0.2)


# bayes and those that build on it


@both_modes
def test_bayes_takes_the_drink_that_its_owner_took_first() -> None:
    """Who takes flutes has the flute, and what he leaves of them is suspect."""
    deck = "F-R F-Y F-G O-R O-Y M-Y M-R O-B M-B M-G O-G F-B"
    game = dealt("M F O", deck, row_size=5).choose("R G B").take("O-R F-R O-Y M-Y F-Y")
    while game.table.seat != 0:
        game.take("M-R")
    risk = risks(argument(game.table), argument(me_of("bayes", game)))
    assert risk[game.card("F-G")] > 2 * risk[game.card("F-B")]
    assert risk[game.card("F-G")] > 0.4


@both_modes
def test_bayes_leaves_the_next_seat_the_worse_choice() -> None:
    """The flutes of who laid his antidote are as safe as our own, and everybody knows it."""
    two = row_of("M-Y F-R M-B F-Y", "R W", "M F").take("M-Y F-R*")
    assert choice("bayes", with_row(two, "M-B F-Y")) == "F-Y"
    assert choice("bayes", with_row(two, "M-B M-G")) == "M-B"
    assert choice("bayes", with_row(two, "M-B M-R F-Y F-B")) == "M-B"  # leaves a safe one anyway


@both_modes
@pytest.mark.parametrize(
    ("spec", "row", "expected"),
    [
        ("masked:mask=0", "M-Y F-R O-R", {"M-Y"}),
        ("masked:mask=100", "M-Y F-R O-R", {"M-Y"}),  # the others are not as safe
        ("masked:mask=100:slack=25", "M-Y F-R M-B", {"F-R"}),
        ("masked:mask=50:slack=25", "M-Y F-R M-B", {"M-Y", "F-R"}),
        ("masked:mask=100:slack=25", "M-Y M-B M-G", {"M-Y"}),  # nothing to hide behind
        ("masked:mask=100:slack=25", "M-R F-R M-B", {"F-R"}),
    ],
)
def test_masked(spec: str, row: str, expected: set[str]) -> None:
    assert set(choices(spec, row_of(row))) == expected


@both_modes
def test_masked_hides_by_default() -> None:
    """O-R was left twice and is suspect: O-G is safer than a drink of which nothing is known."""
    deck = "F-B O-Y F-G O-R M-Y M-B O-G O-B M-R M-G F-R F-Y"
    game = dealt("M F O", deck, row_size=4).choose("R G B").take("O-Y M-Y F-G")
    assert set(choices("masked", game)) == {"O-G", "M-B"}
    assert set(choices("masked:mask=0", game)) == {"M-B"}


@both_modes
def test_masked_only_in_the_first_two_takes() -> None:
    game = row_of("M-Y M-B M-G F-R F-Y O-R O-Y F-B")
    for name in ("M-Y", "F-R", "O-R"):
        game.take(name)
    assert choice("masked:mask=100:slack=100", game).startswith(("F", "O"))
    for name in ("M-B", "F-Y", "O-Y"):
        game.take(name)
    assert choice("masked:mask=100:slack=100", game) == "M-G"


@both_modes
@pytest.mark.parametrize(
    ("totals", "leader"),
    [
        ((0, 0, 0), -1),
        ((1, 3, 0), 1),
        ((3, 3, 1), -1),  # not ahead of us
        ((1, 3, 3), -1),  # two lead
        ((0, 1, 4), 2),
    ],
)
def test_leader(totals: tuple[int, ...], leader: int) -> None:
    game = row_of("M-Y F-R O-R").set_totals(*totals)
    assert leader_of(argument(game.table), argument(me_of("deny", game))) == leader


def known_glasses(totals: tuple[int, ...], tile: str = "R") -> Bar:
    """B has shown the flute and C the bowl; in the row lie F-G and O-G, each left twice."""
    deck = "F-G O-G F-R O-R M-Y F-Y O-Y M-B M-R M-G F-B O-B"
    game = dealt("M F O", deck, row_size=7).choose(f"{tile} G G").set_totals(*totals)
    return game.take("M-Y F-R O-R M-B F-Y O-Y")


@both_modes
@pytest.mark.parametrize(
    ("spec", "totals", "row", "expected"),
    [
        ("deny:leader=100", (0, 3, 0), "F-G O-G", "O-G"),  # rather the poison of who trails
        ("deny:leader=100", (0, 0, 3), "F-G O-G", "F-G"),
        ("deny:leader=100", (0, 3, 0), "F-G O-G M-G", "M-G"),
        ("deny:leader=0", (0, 0, 3), "F-G O-G M-G", "M-G"),
        ("deny:leader=300", (0, 3, 0), "F-G", "F-G"),  # the poison of the leader, and nothing else
    ],
)
def test_deny(spec: str, totals: tuple[int, ...], row: str, expected: str) -> None:
    assert choice(spec, with_row(known_glasses(totals), row)) == expected


@both_modes
def test_deny_cancels_the_poison_of_the_leader() -> None:
    game = with_row(known_glasses((0, 3, 0), tile="W"), "F-G O-G M-G")
    assert choice("deny", game) == "F-G*"
    assert choice("bayes", game) == "M-G"
    game.set_totals(0, 0, 0)
    assert choice("deny", game) == "M-G"


@both_modes
@pytest.mark.parametrize(
    ("spec", "row", "expected"),
    [
        ("tempo:risk=25", "M-Y F-R O-R", "F-R"),  # four takes, three safe drinks: a risk now
        ("tempo:risk=20", "M-Y F-R O-R", "M-Y"),  # 22.5 percent is too much
        ("tempo:risk=25", "M-Y M-B M-G", "M-Y"),
        ("tempo:risk=25:others=60", "M-Y F-R O-R", "F-R"),
    ],
)
def test_tempo(spec: str, row: str, expected: str) -> None:
    assert choice(spec, row_of(row)) == expected


@both_modes
def test_tempo_is_careful_when_it_has_enough() -> None:
    game = row_of("M-Y M-B M-G F-R F-Y O-R O-Y F-B").take("F-R F-Y O-R")
    assert choice("tempo:risk=100", game) == "M-Y"  # three takes, three safe drinks


# Strength


@pytest.mark.parametrize("players", [3, 4, 5, 6])
@pytest.mark.parametrize("name", CAREFUL)
def test_all_that_look_at_the_cards_beat_uniform_clearly(name: str, players: int) -> None:
    seats = lineup(GAME, players, name, *["uniform"] * (players - 1))
    played = Table(GAME, players, GAME.defaults(), seats, seed=3).play(0, 300)
    assert played.totals is not None
    share = played.totals["sum"][0][0, 0] / played.games / SHARE_UNIT
    assert share > 2 / players


def test_belief_beats_careful_play() -> None:
    seats = lineup(GAME, 4, "bayes", *["own_first"] * 3)
    played = Table(GAME, 4, GAME.defaults(), seats, seed=3).play(0, 1000)
    assert played.totals is not None
    assert played.totals["sum"][0][0, 0] / played.games / SHARE_UNIT > 0.4


def test_every_strategy_is_tested_here() -> None:
    assert {*strategy_names(GAME)} == {"uniform", "random", *CAREFUL}
