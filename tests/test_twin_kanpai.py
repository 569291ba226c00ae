"""Kernels and naive twin of 干杯 play the same games, decision by decision.

In one half of the games a test chooses among everything that the twin allows, silent claims too;
in the other the strategies choose. The twin must agree with the options of each decision and with
all that follows from it.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pytest

from sim.core.jit import JIT
from sim.games.kanpai import GAME, text
from sim.games.kanpai.cards import N_RECIPES, recipe_glasses
from sim.games.kanpai.view import DECLARE, GIVE, MAX_HAND, RETURN, team_of
from sim.probe import switches_with
from tests import twins
from tests.arena import random_switches, strategy_names
from tests.games.kanpai.positions import Cheers, action_text, actions, glasses, number
from tests.naive import kanpai as naive
from tests.naive.check_kanpai import check_transcript
from tests.naive.kanpai import Decision, Option
from tests.naive.kanpai import Game as Twin
from tests.positions import members
from tests.twins import Case, compare_golden, compare_outcome, read_golden

GOLDEN = Path(__file__).parent / "games" / "kanpai" / "golden.jsonl"
MODES = ("base", "master", "masquerade", "three_teams")
TABLES = [
    (mode, players)
    for mode in MODES
    for players in GAME.players
    if (mode, players) != ("master", 3)
]
UNEVEN = {"three_teams": {"three_teams_uneven": "yes"}}


KINDS = ("act", "split", "overflow", "claim")  # of decisions
ONE = {name: glasses(name[0]) for name in [*text.CARDS, *text.GLASSES]}  # a multiset of one
CARD = {name: card for card, name in enumerate(text.CARDS)}
RECIPES = [recipe_glasses(i) for i in range(N_RECIPES)]


def as_option(action: int) -> Option:
    """An action as the twin calls it."""
    kind, *rest = action_text(action).split()
    if kind in ("declare", "silent"):
        return ("claim", kind == "declare")
    about = (int(word) if word.isdigit() else word for word in rest)
    return ("overflow" if kind == "drop" else kind, *about)


ACTIONS = [*range(RETURN + 1), *range(GIVE, DECLARE + 1)]
OPTIONS = {action: as_option(action) for action in ACTIONS}
NUMBERS = {option: action for action, option in OPTIONS.items()}


def multiset(cards: Iterable[str]) -> int:
    """Cards, or glasses, as the kernels have a multiset of their big glasses."""
    return sum(map(ONE.__getitem__, cards))


def compare(twin: Twin, state: Any, switches: dict[str, Any]) -> None:
    """Everything that lies on the table, in hands and in the deck, and what is asked of whom."""
    table: Any = state.table
    n, ring, decision = twin.players, len(twin.ring), twin.decision
    assert list(table.area[:ring]) == [multiset(area) for area in twin.areas]
    for seat in range(n):
        held = state.held[seat * MAX_HAND : seat * MAX_HAND + table.n_hand[seat]]
        assert sorted(held) == sorted(CARD[card] for card in twin.hands[seat])
        assert table.n_returned[seat] == len(twin.returned[seat])
    n_cards = table.rules.n_cards
    deck = state.deck[n_cards - table.n_deck : n_cards]
    assert [text.CARDS[card] for card in deck] == twin.deck
    assert [team_of(state.teams, place) for place in range(n)] == twin.teams[:n]
    assert list(table.turns[:n]) == twin.turns
    assert list(table.returns[:n]) == twin.returns
    assert (table.turn, table.clinks) == (twin.turn, twin.counts["clinks"])
    if decision is not None:
        assert (table.seat, table.phase) == (decision.seat, KINDS.index(decision.kind))
        assert members(table.passed) == sorted(twin.passed)
    is_open = switches["overflow_discard_public"] == "yes"
    assert list(table.dropped) == text.counts(multiset(twin.discarded if is_open else []))
    for place in twin.ring:
        found = {RECIPES[i] for i in members(table.excluded[place])}
        assert found == {multiset(recipe) for recipe in twin.excluded[place]}


def seen_by_twin(twin: Twin, decision: Decision) -> dict[str, Any]:
    """What the seat to act knows for itself (section 3), and its options."""
    seat, shown = decision.seat, twin.shown_to(decision.seat)
    is_open = twin.rules["mode"] != "masquerade"
    return {
        "seat": seat,
        "hand": {CARD[card] for card in twin.hands[seat]},
        "team": twin.teams[seat],
        "allies": twin.mates(seat) if is_open else {seat},
        "recipe": multiset(twin.recipes[twin.teams[seat]]) if twin.knows_recipe(seat) else 0,
        "shown": [multiset(shown.get(team, [])) for team in range(3)],
        "options": decision.options,
    }


def seen_by_kernels(me: Any, phase: int) -> dict[str, Any]:
    """The same by the kernels."""
    return {
        "seat": me.seat,
        "hand": set(members(me.hand)),
        "team": me.team,
        "allies": set(members(me.allies)),
        "recipe": me.recipe,
        "shown": list(me.shown),
        "options": {OPTIONS[action] for action in actions(me, phase)},
    }


def measures(twin: Twin) -> dict[str, Any]:
    """The measures of a game that is over, by the twin."""
    n, sizes = twin.players, Counter(twin.teams[: twin.players])
    seats = range(n)
    won = [int(seat in twin.winners) for seat in seats]
    of_three = [int(len(set(twin.recipes[twin.teams[seat]])) == 3) for seat in seats]
    short = [
        int(sizes[twin.teams[seat]] == min(sizes.values()) < max(sizes.values())) for seat in seats
    ]
    starts = [int(twin.teams[seat] == twin.teams[twin.start_seat]) for seat in seats]
    last = twin.last_action if twin.winning_teams else ""
    return {
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
        **{f"team_{team}_won": int(team in twin.winning_teams) for team in range(3)},
        "shared": int(len(twin.winning_teams) > 1),
        "winning_cards": twin.counts["winning_cards"],
        "undelivered": twin.counts["undelivered"],
    }


def in_order(event: dict[str, Any]) -> dict[str, Any]:
    """The event with the cards of a returned hand sorted: their order means nothing."""
    return {**event, "cards": sorted(event["cards"])} if event["type"] == "return" else event


def hand_over(twin: Twin, option: Option, events: Iterable[dict[str, Any]]) -> None:
    """Let the twin choose, and shuffle as the kernels did in the events that followed."""
    decks = [event["deck"] for event in events if event["type"] == "reshuffle"]
    twin.shuffle = lambda cards: decks.pop(0)
    twin.choose(option)


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
    told, n_agreed = game.events(), 0
    twin.start(told[0])
    while True:
        decision = twin.decision
        if decision is None:
            break
        assert list(map(in_order, twin.events[n_agreed:])) == list(map(in_order, told[n_agreed:]))
        n_agreed = len(told)
        compare(twin, game.state, switches)
        assert game.broken() == ""
        if rng.random() < 0.2:
            assert set(map(number, game.legal())) == {NUMBERS[o] for o in decision.options}
        seen = seen_by_kernels(game.observe(), game.table.phase)
        assert seen == seen_by_twin(twin, decision)
        option = eager(twin, decision, rng) if is_eager else rng.choice(sorted(decision.options))
        game.apply(NUMBERS[option])
        events = game.events()
        hand_over(twin, option, events)
        told += events
    assert game.is_over and twin.over
    assert list(map(in_order, twin.events[:-1])) == list(map(in_order, told))
    compare(twin, game.state, switches)
    by_loop = {"decisions": twin.decisions}
    by_loop |= {word: int(twin.status == word) for word in ("unfinished", "draw")}
    compare_outcome(game.outcome() | by_loop, twin, **measures(twin))
    return twin


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
    given = {"mode": mode, **UNEVEN.get(mode, {})}
    assert play_many(f"{mode} {players}", 6 if JIT else 1, given, players)


@pytest.mark.deep
@pytest.mark.parametrize("chunk", range(4))
@pytest.mark.parametrize(("mode", "players"), TABLES)
def test_2_000_games_of_each_mode_with_the_twin(mode: str, players: int, chunk: int) -> None:
    given = {"mode": mode, **UNEVEN.get(mode, {})}
    assert play_many(f"deep {mode} {players} {chunk}", 500, given, players)


# Games in which strategies choose, and their transcripts


class Pair(twins.Pair):
    """A table of kernels and the twin that follows it."""

    TWIN = Twin
    check = staticmethod(check_transcript)
    in_order = staticmethod(in_order)

    def seat_to_move(self) -> int:
        seat: int = self.twin.decision.seat
        return seat

    def begin(self, events: list[dict[str, Any]]) -> None:
        self.twin.start(events[0])

    def follow(self, events: list[dict[str, Any]]) -> None:
        hand_over(self.twin, OPTIONS[self.table.job.action], events)

    def view_of_twin(self) -> dict[str, Any]:
        return seen_by_twin(self.twin, self.twin.decision)

    def view_of_kernels(self, me: Any) -> dict[str, Any]:
        return seen_by_kernels(me, KINDS.index(self.twin.decision.kind))

    def compare(self) -> None:
        compare(self.twin, self.table.state, self.case.switches)

    def measures(self) -> dict[str, Any]:
        return measures(self.twin)


def random_case(rng: random.Random) -> Case:
    """A game of strategies under random switches."""
    players, names = rng.choice(GAME.players), strategy_names(GAME)
    switches = random_switches(GAME, players, rng)
    seats = tuple(rng.choice(names) for _ in range(rng.randint(1, players)))
    return Case.random(GAME, rng, players, switches, seats)


@pytest.mark.parametrize("chunk", range(2))
def test_strategies_and_twin_play_the_same_games(chunk: int) -> None:
    rng = random.Random(f"transcripts {chunk}")
    assert twins.play_cases(Pair, [random_case(rng) for _ in range(40 if JIT else 4)])


test_uniform_games_with_the_twin = twins.uniform_test(
    Pair,
    GAME,
    [(mode, players, {"mode": mode, **UNEVEN.get(mode, {})}) for mode, players in TABLES],
)


@pytest.mark.parametrize(
    ("owner", "rule", "wrong"),
    [
        (naive, "satisfies", lambda area, recipe: {card[0] for card in area} >= set(recipe)),
        (naive, "small", naive.big),
        (Twin, "receivers", lambda twin, target: [(0, 1)]),
        (Twin, "decider", lambda twin, place: min(place, 3)),
        (Twin, "can_win", lambda twin, place: place not in twin.dummies),
        (Twin, "limit", lambda twin, seat: 3),
    ],
)
def test_a_wrong_rule_is_found(
    owner: Any, rule: str, wrong: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(owner, rule, wrong)
    twins.expect_difference(Pair, GAME, 5)


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
