"""Kernels and naive twin of 干杯 play the same games, decision by decision.

In one half of the games a test chooses among everything that the twin allows, silent claims too;
in the other the strategies choose, and what was played is read from the log. The twin must agree
with the options of each decision and with all that follows from it.
"""

from __future__ import annotations

import functools
import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from sim.core.engine import STATUS_WORDS
from sim.core.game import SHARE_UNIT
from sim.core.jit import JIT
from sim.core.loop import OVER, PAUSED
from sim.core.state import read_log
from sim.games.kanpai import GAME, text
from sim.games.kanpai.cards import recipe_glasses
from sim.games.kanpai.view import team_of
from sim.probe import switches_with
from tests.arena import random_switches, strategy_names
from tests.games.kanpai.positions import Cheers, as_text, number
from tests.naive.check_kanpai import check_transcript
from tests.naive.kanpai import Decision, Option
from tests.naive.kanpai import Game as Twin
from tests.twins import Case, compare_golden, read_golden

GOLDEN = Path(__file__).parent / "games" / "kanpai" / "golden.jsonl"
MODES = ("base", "master", "masquerade", "three_teams")
TABLES = [
    (mode, players)
    for mode in MODES
    for players in GAME.players
    if (mode, players) != ("master", 3)
]


def as_action(option: Option) -> str:
    """An option of the twin as the text of an action."""
    kind, *rest = option
    if kind == "claim":
        return "declare" if rest[0] else "silent"
    return " ".join(["drop" if kind == "overflow" else kind, *map(str, rest)])


def compare(twin: Twin, state: Any, switches: dict[str, Any]) -> None:
    """Everything that lies on the table, in hands and in the deck."""
    table: Any = state.table
    n, ring = twin.players, len(twin.ring)
    counts = [text.counts(area) for area in table.area[:ring]]
    assert counts == [
        [sum(card[0] == glass for card in area) for glass in text.GLASSES] for area in twin.areas
    ]
    for seat in range(n):
        held = state.held[seat * 4 : seat * 4 + table.n_hand[seat]]
        assert sorted(text.CARDS[card] for card in held) == sorted(twin.hands[seat])
        assert table.n_returned[seat] == len(twin.returned[seat])
    n_cards = table.rules.n_cards
    deck = state.deck[n_cards - table.n_deck : n_cards]
    assert [text.CARDS[card] for card in deck] == twin.deck
    assert list(table.turns[:n]) == twin.turns
    assert list(table.returns[:n]) == twin.returns
    assert (table.turn, table.clinks) == (twin.turn, twin.counts["clinks"])
    if not twin.over:
        assert table.passed == sum(1 << seat for seat in twin.passed)
    is_open = switches["overflow_discard_public"] == "yes"
    dropped = [sum(card[0] == g for card in twin.discarded) for g in text.GLASSES]
    assert list(table.dropped) == (dropped if is_open else [0] * 5)
    for place in twin.ring:
        found = {as_text(recipe_glasses(i)) for i in range(50) if table.excluded[place] >> i & 1}
        assert found == {in_order(recipe) for recipe in twin.excluded[place]}


def in_order(recipe: Any) -> str:
    """The glasses of a recipe in the order of the sheet."""
    return "".join(sorted(recipe, key=text.GLASSES.index))


def compare_view(twin: Twin, decision: Decision, me: Any, teams: int) -> None:
    """What the seat to act knows for itself (section 3)."""
    seat = decision.seat
    assert me.seat == seat
    assert me.hand == sum(1 << text.CARDS.index(card) for card in set(twin.hands[seat]))
    assert me.team == team_of(teams, seat) == twin.teams[seat]
    is_open = twin.rules["mode"] != "masquerade"
    allies = twin.mates(seat) if is_open else {seat}
    assert me.allies == sum(1 << place for place in allies)
    recipe = in_order(twin.recipes[twin.teams[seat]])
    assert as_text(me.recipe) == (recipe if twin.knows_recipe(seat) else "")
    shown = {team: in_order(recipe) for team, recipe in twin.shown_to(seat).items()}
    assert [as_text(recipe) for recipe in me.shown] == [shown.get(team, "") for team in range(3)]


def compare_outcome(outcome: dict[str, Any], twin: Twin, switches: dict[str, Any]) -> None:
    """Compare everything that is kept of a game, but what the loop counts."""
    n, sizes = twin.players, Counter(twin.teams[: twin.players])
    seats = range(n)
    won = [int(seat in twin.winners) for seat in seats]
    of_three = [int(len(set(twin.recipes[twin.teams[seat]])) == 3) for seat in seats]
    short = [
        int(sizes[twin.teams[seat]] == min(sizes.values()) < max(sizes.values())) for seat in seats
    ]
    starts = [int(twin.teams[seat] == twin.teams[twin.start_seat]) for seat in seats]
    last = twin.last_action if twin.winning_teams else ""
    expected = {
        "status": STATUS_WORDS.index(str(twin.status)),
        "start": twin.start_seat,
        "win_share": [int(share * SHARE_UNIT) for share in twin.win_share[:n]],
        "won": won,
        "score": [0] * n,
        "turns": twin.turns,
        "returns": twin.returns,
        "team_size": [sizes[twin.teams[seat]] for seat in seats],
        "short_team": short,
        "won_short": [a & b for a, b in zip(won, short, strict=True)],
        "start_team": starts,
        "won_start": [a & b for a, b in zip(won, starts, strict=True)],
        "three_kinds": of_three,
        "won_three": [a & b for a, b in zip(won, of_three, strict=True)],
        "own_area": [int(twin.won_at == seat) for seat in seats],
        "nobody": int(not twin.winners),
        "shared": int(len(twin.winners) > 1),
        "rounds": twin.turn,
        "sends": twin.counts["sends"],
        "clinks": twin.counts["clinks"],
        "self_toasts": twin.counts["self_toasts"],
        "dummy_toasts": twin.counts["dummy_toasts"],
        "hands_returned": sum(twin.returns),
        "overflows": twin.counts["overflows"],
        "passes": twin.counts["passes"],
        "deck_left": len(twin.deck),
        "won_by_toast": int(last == "toast"),
        "won_by_clink": int(last == "clink"),
        "won_by_send": int(last == "send"),
        "dummy_won": int(twin.won_at in twin.dummies),
        "second_lead": int(1 in twin.winning_teams) - int(bool({0, 2} & {*twin.winning_teams})),
        "teams_won": len(twin.winning_teams),
        "winning_cards": twin.counts["winning_cards"],
        "undelivered": twin.counts["undelivered"],
    }
    found = {
        name: value[:n] if isinstance(value, list) else value
        for name, value in outcome.items()
        if name not in ("unfinished", "draw", "decisions")
    }
    assert found == expected


def in_any_order(events: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """The events with the cards of returned hands sorted: their order means nothing."""
    return [
        {**event, "cards": sorted(event["cards"])} if event["type"] == "return" else event
        for event in events
    ]


# Games in which a test chooses


def eager(twin: Twin, decision: Decision, rng: random.Random) -> Option:
    """An option that a player who wants to win might choose, or any."""
    options = sorted(decision.options)
    wanted = twin.recipes[twin.teams[decision.seat]]
    mates = twin.mates(decision.seat)

    def worth(option: Option) -> int:
        glass, to = str(option[1])[0], option[-1]
        if option[0] == "toast":
            return 2 if to == decision.seat and glass in wanted else 0
        if option[0] == "send":
            return 2 if to not in mates and glass not in wanted else -1
        return 2 if option[0] == "overflow" and glass not in wanted else 0

    if decision.kind == "act":
        if rng.random() < 0.3:
            return rng.choice(options)
        best = max(map(worth, filter(lambda option: len(option) > 1, options)), default=0)
        return rng.choice([o for o in options if len(o) == 1 or worth(o) == best])
    return rng.choice(options)


def play_chosen(players: int, switches: dict[str, Any], rng: random.Random) -> Twin:
    """Play a game with random and with eager choices on a position and on the twin."""
    game = Cheers(players, **switches)
    game.state.dealer.turn = rng.randrange(players)
    game.start(seed=rng.randrange(2**62), deal=rng.randrange(2**62))
    twin, is_eager = Twin(players, switches), rng.random() < 0.7
    deal, *events = game.events()
    twin.start(deal)
    told = [deal, *events]
    while True:
        decision = twin.decision
        if decision is None:
            break
        assert in_any_order(twin.events) == in_any_order(told)
        compare(twin, game.state, switches)
        assert game.broken() == ""
        if rng.random() < 0.2:
            assert game.legal() == set(map(as_action, decision.options))
        compare_view(twin, decision, game.observe(), game.state.teams)
        option = eager(twin, decision, rng) if is_eager else rng.choice(sorted(decision.options))
        game.apply(number(as_action(option)))
        events = game.events()
        decks = [event["deck"] for event in events if event["type"] == "reshuffle"]
        twin.shuffle = functools.partial(_next_deck, decks)
        twin.choose(option)
        told += events
    assert game.is_over and twin.over
    assert in_any_order(twin.events[:-1]) == in_any_order(told)
    compare(twin, game.state, switches)
    compare_outcome(game.outcome(), twin, switches)
    return twin


def _next_deck(decks: list[list[str]], cards: list[str]) -> list[str]:
    return decks.pop(0)


def list_that_fits(players: int, mode: str, rng: random.Random) -> dict[str, Any]:
    """Now and then the list of a switch, of which few of all that could be written fit."""
    if rng.random() < 0.7:
        return {}
    if mode == "masquerade":
        cuts = sorted(rng.sample(range(1, players), rng.choice([1, 2])))
        ends = zip([0, *cuts], [*cuts, players], strict=True)
        return {"mode": mode, "masquerade_factions": [last - first for first, last in ends]}
    if mode == "base":
        teams = [0, 1, *(rng.randint(0, 1) for _ in range(players - 2))]
        return {"mode": mode, "team_layout": rng.sample(teams, players)}
    return {}


def play_many(seed: str, n: int, given: dict[str, Any], players: int = 0) -> Counter[Any]:
    """Play `n` games; return how often each value of each switch took part."""
    rng = random.Random(seed)
    seen: Counter[Any] = Counter()
    for _ in range(n):
        seats = players or rng.choice(GAME.players)
        lists = list_that_fits(seats, given.get("mode", rng.choice(MODES)), rng)
        switches = switches_with(GAME, seats, rng, given | lists)
        assert switches is not None
        try:
            twin = play_chosen(seats, switches, rng)
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"{seats} {switches}: {error}") from error
        seen["players", seats] += 1
        seen["status", twin.status] += 1
        seen["teams won", len(twin.winning_teams)] += 1
        for kind in ("overflow", "split", "reshuffle", "pass", "return", "send"):
            seen["event", kind] += any(event["type"] == kind for event in twin.events)
        for name, value in switches.items():
            seen[name, str(value)] += 1
            seen[name, "list"] += isinstance(value, list)
    return seen


def test_kernels_and_twin_play_the_same_games() -> None:
    seen = play_many("twin", 170 if JIT else 6, {})
    if JIT:
        assert all(seen["players", players] for players in GAME.players)
        assert all(seen["status", status] for status in ("finished", "unfinished"))
        assert all(seen["teams won", n] for n in (0, 1))
        assert all(seen["event", kind] for kind in ("overflow", "split", "pass", "return", "send"))
        for switch in GAME.switches:
            assert all(seen[switch.name, word] for word in switch.words)
            assert seen[switch.name, "list"] or not switch.is_list


@pytest.mark.both_modes
def test_a_few_games_with_the_twin() -> None:
    assert play_many("few", 8, {})


@pytest.mark.parametrize(("mode", "players"), TABLES)
def test_each_mode_with_the_twin(mode: str, players: int) -> None:
    uneven = {"three_teams_uneven": "yes"} if mode == "three_teams" else {}
    assert play_many(f"{mode} {players}", 6 if JIT else 1, {"mode": mode, **uneven}, players)


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(20))
@pytest.mark.parametrize(("mode", "players"), TABLES)
def test_10_000_games_of_each_mode_with_the_twin(mode: str, players: int, chunk: int) -> None:
    uneven = {"three_teams_uneven": "yes"} if mode == "three_teams" else {}
    assert play_many(f"deep {mode} {players} {chunk}", 500, {"mode": mode, **uneven}, players)


# Games in which strategies choose, and their transcripts


def random_case(rng: random.Random) -> Case:
    """A game of strategies under random switches."""
    players, names = rng.choice(GAME.players), strategy_names(GAME)
    switches = random_switches(GAME, players, rng)
    seats = tuple(rng.choice(names) for _ in range(rng.randint(1, players)))
    return Case.random(GAME, rng, players, switches, seats)


def play_case(case: Case) -> Twin:
    """Play a game twice, with and without a trace, and check its transcript with the twin."""
    table = case.table()
    table.begin(case.deal, case.rotation)
    table.log.on, status = 1, PAUSED
    while status == PAUSED:
        status = table.advance(1)
        read_log(table.log)
    assert status == OVER
    outcome = table.conclude()
    replayed, lines = case.replay()
    assert replayed.outcome == outcome
    twin = check_transcript(lines)
    compare_outcome(outcome, twin, case.switches)
    if case.switches["win_claim"] == "automatic":
        assert twin.decisions == outcome["decisions"]
    return twin


@pytest.mark.parametrize("chunk", range(2))
def test_the_twin_agrees_with_every_transcript(chunk: int) -> None:
    rng = random.Random(f"transcripts {chunk}")
    for _ in range(40 if JIT else 4):
        case = random_case(rng)
        try:
            play_case(case)
        except (AssertionError, ValueError) as error:
            raise AssertionError(f"{case}: {error}") from error


@pytest.mark.both_modes
@pytest.mark.parametrize("players", GAME.players)
def test_default_games_with_the_twin(players: int) -> None:
    for deal in range(10 if JIT else 1):
        play_case(Case.usual(GAME, players, deal))


@pytest.mark.parametrize(
    ("tamper", "complaint"),
    [
        (lambda lines: lines[1]["recipes"][0].append("G"), "recipes"),
        (lambda lines: lines[1]["deck"].pop(), "deck"),
        (lambda lines: lines[1]["teams"].reverse(), "teams"),
        (lambda lines: lines[2].update(seat=(lines[2]["seat"] + 1) % 4), "turn"),
        (lambda lines: lines.pop(3), "stands where"),
        (lambda lines: lines[-1].update(win_share=[1, 0, 0, 0]), "win_share"),
        (lambda lines: lines[-2]["areas"][0].append(0), "areas"),
        (lambda lines: lines.append(lines[-1]), "after the result"),
    ],
)
def test_a_wrong_transcript_is_found(tamper: Any, complaint: str) -> None:
    lines = Case(GAME, 4, GAME.defaults(), seed=7, deal=3).replay()[1]
    assert check_transcript(lines).over
    tamper(lines)
    with pytest.raises(AssertionError, match=complaint):
        check_transcript(lines)


# Golden transcripts: by the default rules, and by rather different ones

GAMES_TO_READ: tuple[tuple[int, tuple[str, ...], dict[str, Any]], ...] = (
    (3, ("greedy_team",), {}),
    (4, ("uniform",), {"deck_profile": [[1] * 5] * 3 + [[0] * 5] * 2, "max_turns": 60}),
    (4, ("blocker", "clink_thief"), {"mode": "master", "deck_profile": "all_x2"}),
    (5, ("focus", "self_collect", "uniform"), {"mode": "masquerade", "area_cap": 5}),
    (6, ("greedy_team", "uniform"), {"mode": "three_teams", "cheers_target_may_keep": "yes"}),
    (
        5,
        ("uniform", "greedy_team"),
        {"turn_structure": "alternate_teams", "return_draw": "three", "win_claim": "optional"},
    ),
    (
        3,
        ("uniform",),
        {"deck_profile": [[1] * 5] * 5, "reshuffle": "when_empty", "max_turns": 60},
    ),
)
GOLDEN_CASES = [
    Case(GAME, players, GAME.defaults() | changed, strategies, "hands", 1, 6, 1)
    for players, strategies, changed in GAMES_TO_READ
]


@pytest.mark.both_modes
def test_games_are_those_of_the_golden_transcripts() -> None:
    compare_golden(GOLDEN, GOLDEN_CASES)


def test_golden_transcripts_keep_the_rules() -> None:
    games = read_golden(GOLDEN)
    assert all(check_transcript(game).over for game in games)
    kinds = {line["type"] for game in games for line in game}
    assert kinds >= {"split", "send", "return", "overflow", "reshuffle", "pass"}
