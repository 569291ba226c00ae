"""Comparisons of strategies: designs, what is found, mistakes, the page, and the same bytes."""

from __future__ import annotations

import json
import re
import shlex
from collections import Counter
from dataclasses import replace
from itertools import combinations
from math import comb
from pathlib import Path

import numpy as np
import pytest

import analysis
from analysis import designs
from analysis.comparison import Compared, Saved, compare, pair_of_verdict
from analysis.comparison_files import open_comparison, read
from analysis.headtohead import (
    Alone,
    Call,
    Intervals,
    by_role,
    duels,
    in_roles,
    seated,
    standings,
    turned,
)
from analysis.intervals import Estimate
from analysis.metagame import MetaGame, alpha_rank, over_lineups
from analysis.rating_check import Triple
from analysis.ratings import rate
from analysis.sequential import FIRST_LOOK, Precision
from analysis.sprt import Decision
from reports import comparison as pages
from reports import lasting, luck, ratings
from reports.compared import duel_sentence
from reports.contest import differences, places
from reports.names import of_comparison, told
from reports.page import render
from reports.words import UNKNOWN
from sim.cli import run
from sim.cli.comparisons import as_object, seconds_a_game
from sim.core.game import SHARE_UNIT, Words
from sim.errors import Mistake
from sim.experiment import Experiment
from sim.results import Cell, Run
from tests import own_strategies
from tests.chromium import chromium
from tests.made_matches import made_matches, multisets
from tests.test_browser import LEAST_TEXT, OUTSIDE, OVERLAPS, SMALLEST
from tests.test_reports import Reader, missing

LANGS = ("en", "zh")
GAME = "compare schadenfreude --players 3 --quiet"
SMALL = f"{GAME} --strategies target40,lowest,uniform --deals 60 --design all"
Array = np.ndarray


def compared(folder: Path, command: str) -> Compared:
    assert run([*shlex.split(command), "--out", str(folder)]) == 0
    return open_comparison(folder)


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    return compared(tmp_path_factory.mktemp("small"), SMALL)


@pytest.fixture(scope="module")
def tested(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    command = f"{GAME} --strategies target40,uniform --sprt 0:6"
    return compared(tmp_path_factory.mktemp("tested"), command)


@pytest.fixture(scope="module")
def roles(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    command = "compare kanpai --players 4 --strategies greedy_team,uniform --quiet --deals 40"
    return compared(tmp_path_factory.mktemp("roles"), f"{command} --design roles")


@pytest.fixture(scope="module")
def nobody(tmp_path_factory: pytest.TempPathFactory) -> Compared:
    """Nobody ever wins: the hands are of one card and the round ends the game."""
    command = f"{GAME} --strategies lowest,uniform --deals 20 --rule max_rounds=1"
    return compared(tmp_path_factory.mktemp("nobody"), f"{command} --rule hand_size=1")


# Designs


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_designs_have_as_many_lineups_as_is_reckoned(players: int) -> None:
    names = list("abcde")
    for design in ("pairwise", "all", "gauntlet"):
        made = list(designs.lineups(design, names, players))
        assert len(made) == len(set(made)) == designs.n_lineups(design, 5, players)
        assert all(len(one.strategies) == players for one in made)
    assert designs.n_lineups("all", 5, players) == comb(players + 4, players)


def test_pairs_sit_one_against_the_rest_both_ways_and_balanced() -> None:
    made = [one.name for one in designs.lineups("pairwise", ["a", "b"], 5)]
    assert made == ["1 a, 4 b", "2 a, 3 b", "3 a, 2 b", "4 a, 1 b"]


def test_a_role_is_played_by_one_strategy() -> None:
    made = [one.strategies for one in designs.lineups("roles", ["a", "b"], 3, (0, 1, 0))]
    assert made == [("a", "a", "a"), ("a", "b", "a"), ("b", "a", "b"), ("b", "b", "b")]


@pytest.mark.parametrize("n", [2, 3, 5, 8, 11])
@pytest.mark.parametrize("players", [3, 4, 6])
def test_a_part_of_all_lineups_is_connected_and_balanced(n: int, players: int) -> None:
    names = [chr(97 + i) for i in range(n)]
    least, whole = designs.fewest(n, players), designs.n_lineups("all", n, players)
    for size in {least, min(least + 3, whole), min(3 * n, whole)}:
        made = designs.balanced(names, players, size)
        assert len({one.strategies for one in made}) == size
        groups = [{name} for name in names]
        for one in made:
            touched = [group for group in groups if group & {*one.strategies}]
            groups = [group for group in groups if group not in touched]
            groups.append(set().union(*touched))
        assert len(groups) == 1
    used = Counter(name for one in made for name in one.strategies)
    assert max(used.values()) - min(used.values()) <= players
    met = Counter(pair for one in made for pair in combinations(sorted({*one.strategies}), 2))
    assert max(met.values()) - min(met[pair] for pair in combinations(names, 2)) <= 3


# What is found, on planted truth


def table(chances: list[float], group: list[int], deals: int, seed: int) -> tuple[Array, ...]:
    """Games of a line-up whose seats win with these chances, each place once a deal."""
    random, n = np.random.default_rng(seed), len(group)
    share, seats = [], []
    for turn in range(n):
        order = np.roll(np.arange(n), turn)
        winner = random.choice(n, deals, p=np.array(chances)[order])
        share.append(np.eye(n, dtype=np.int64)[winner] * SHARE_UNIT)
        seats.append(np.broadcast_to(np.array(group)[order], (deals, n)))
    cluster = np.tile(np.arange(deals), n)
    return np.concatenate(share), np.concatenate(seats), cluster


def lines(deals: int = 4_000, first: float = 0.34, second: float = 0.2) -> list:
    """Strategy 0 alone wins `first`, strategy 1 alone `second`; the others share the rest."""
    found = []
    for number, (chance, group) in enumerate(((first, [0, 1, 1, 1]), (second, [1, 0, 0, 0]))):
        games = table([chance, *[(1 - chance) / 3] * 3], group, deals, number)
        share, seats, cluster = games
        found.append(seated(share, seats, range(2), cluster, deals))
    return found


@pytest.mark.parametrize(
    ("first", "second", "call"),
    [
        (0.34, 0.2, Call.AHEAD),
        (0.2, 0.34, Call.BEHIND),
        (0.34, 0.34, Call.RARE),
        (0.2, 0.2, Call.COMMON),
        (0.25, 0.25, Call.OPEN),
    ],
)
def test_calls_are_about_who_gains_alone(first: float, second: float, call: Call) -> None:
    (duel,) = duels(lines(first=first, second=second), 2, Intervals())
    seen = duel.seen_from(0)
    assert seen.call == call
    assert seen.alone[0] is not None and seen.alone[1] is not None
    for one, truth in zip(seen.alone, (first, second), strict=True):
        assert one.share.low < truth < one.share.high
        assert one.expected == pytest.approx(0.25)
        assert one.advantage.mean == pytest.approx(one.share.mean - 0.25)


def among_others(deals: int, gap: float, tables: int = 8) -> list:
    """Two strategies beside two seats of a third; the first wins `gap` more than the second."""
    found = []
    for number in range(tables):
        chances = [0.25 + gap / 2, 0.25 - gap / 2, 0.25, 0.25]
        share, seats, cluster = table(chances, [0, 1, 2, 2], deals, 90 + number)
        found.append(seated(share, seats, range(3), cluster, deals))
    return found


def test_the_call_rests_on_all_tables_where_both_sit() -> None:
    few = lines(20)  # alone nothing is sure on 20 deals
    (duel, *_) = duels([*few, *among_others(20, 0.2)], 3, Intervals())
    seen = duel.seen_from(0)
    assert (seen.call, seen.alone_call, seen.is_among_others) == (Call.AHEAD, Call.OPEN, True)
    # What is sure alone does not make up for a difference that is open.
    (duel, *_) = duels([*lines(4_000), *among_others(4_000, -0.0233)], 3, Intervals())
    assert (duel.call, duel.seen_from(0).alone_call) == (Call.OPEN, Call.AHEAD)
    (duel,) = duels(lines(400, 0.3, 0.27), 2, Intervals())  # nor with nobody else at the tables
    assert (duel.call, duel.seen_from(0).alone_call) == (Call.OPEN, Call.AHEAD)
    rare = lines(4_000, 0.34, 0.34)
    (duel, *_) = duels([*rare, *among_others(4_000, 0.1)], 3, Intervals())
    assert duel.call == Call.RARE and duel.seen_from(0).edge.low > 0


def test_what_is_behind_the_first_is_told_deal_by_deal() -> None:
    best, *others = standings(among_others(400, 0.1), 3, Intervals())
    assert best.strategy == 0 and best.behind is None
    for one in others:
        truth = {1: 0.1, 2: 0.05}[one.strategy]
        assert one.behind.low < truth < one.behind.high
        assert one.behind.mean == pytest.approx(best.advantage.mean - one.advantage.mean)


def test_intervals_end_where_the_values_do() -> None:
    share, seats, cluster = table([1.0, 0.0, 0.0, 0.0], [0, 1, 2, 2], 40, 1)
    share[:3] = np.roll(share[:3], 1, axis=1)  # but for a few games
    every = [seated(share, seats, range(3), cluster, 40)]
    found = {one.strategy: one.advantage for one in standings(every, 3, Intervals())}
    assert found[0].high == 0.75 and found[1].low == found[2].low == -0.25
    assert all(one.edge.high <= 1.0 for one in duels(every, 3, Intervals()))


def test_common_deals_save_what_the_variances_say() -> None:
    random, deals = np.random.default_rng(5), 4_000
    luck = random.random((deals, 1))  # of a deal, in both line-ups
    every = []
    for number in range(2):
        won = (luck + 0.2 * random.random((deals, 2)) > 0.6).astype(np.int64) * SHARE_UNIT
        share = np.stack([won, SHARE_UNIT - won], axis=2).reshape(-1, 2)
        group = np.array([[0, 1], [0, 2]][number])
        every.append(seated(share, group, range(3), np.repeat(np.arange(deals), 2), deals))
    (duel, *_) = duels([every[0]], 3, Intervals())
    assert duel.factor is not None and 0.5 <= duel.factor.mean < 0.6  # a deal each would be better
    values = every[0][0].share - every[0][1].share
    assert duel.factor.low < 4 * 0.25 / 2 / values.var() < duel.factor.high


def test_standings_are_means_of_lineups_less_the_equal_share() -> None:
    every = lines()
    best, other = standings(every, 2, Intervals())
    assert (best.strategy, other.strategy) == (0, 1)
    own = [one.advantage.mean() for line in every for one in line if one.strategy == 0]
    assert best.advantage.mean == pytest.approx(np.mean(own))
    assert best.expected == pytest.approx(0.25)
    assert (best.share.deals, best.share.games) == (4_000, 2 * 4 * 4_000)


def test_games_that_nobody_wins_count_against_nobody() -> None:
    share = np.zeros((40, 4), np.int64)
    share[::4] = [SHARE_UNIT, 0, 0, 0]
    seats = np.tile([0, 1, 1, 1], (40, 1))
    (one, _) = seated(share, seats, range(2), np.repeat(np.arange(10), 4), 10)
    assert one.share.mean() == 0.25
    assert one.advantage.mean() == pytest.approx(0.25 - 0.25 / 4)


def test_a_role_is_held_against_its_mean_over_all_casts() -> None:
    random = np.random.default_rng(1)
    casts = []
    for cast in ((0, 0), (0, 1), (1, 0), (1, 1)):
        # The first role wins four games of five, a third less when strategy 1 plays it.
        chance = 0.8 - 0.3 * (cast[0] == 1)
        won = (random.random(8_000) < chance).astype(np.int64)
        share = np.stack([won, 1 - won], axis=1) * SHARE_UNIT
        casts.append(seated(share, np.array([0, 1]), cast, np.arange(8_000) // 2, 4_000))
    best, other = standings(by_role(casts), 2, Intervals())
    assert best.strategy == 0
    assert best.advantage.mean == pytest.approx(0.075, abs=0.01)
    assert other.advantage.mean == pytest.approx(-best.advantage.mean)
    # Four games of five against 0.65 that are expected: 0.16 (2.80 / 0.15)^2 games. At the same
    # table the lead is 0.3 either way round, with a variance of 1 - 0.36 and of 1.
    first, _ = in_roles(by_role(casts), 2, Intervals())[0]
    assert first.notice == pytest.approx(56, rel=0.2)
    (duel,) = duels(by_role(casts), 2, Intervals())
    assert duel.notice == pytest.approx(72, rel=0.2)


def test_the_better_strategy_is_told(small: Compared) -> None:
    assert small.names[small.best] == "target40"
    assert len(small.question.lineups) == 10
    assert small.games == 60 * (3 * 7 + 3)
    frame = analysis.duel_frame(small)
    assert len(frame) == 6
    assert {*frame["call"]} == {"OPEN"} and {"AHEAD", "BEHIND"} <= {*frame["alone"]}
    meta = small.metagame
    assert isinstance(meta, MetaGame)
    assert meta.mass[small.best].mean > 0.9
    assert sum(one.mean for one in small.places) == pytest.approx(
        1 - np.mean(small.matches.share.sum(axis=1) == 0)
    )


def test_places_factors_and_advantages_are_in_page_and_json(small: Compared) -> None:
    told_ = as_object(small, Path("page"))
    best, *others = told_["standings"]
    assert best["advantage"] > others[0]["advantage"] and best["behind"] is None
    assert others[0]["behind_low"] < others[0]["behind"] < others[0]["behind_high"]
    assert all(duel["factor_low"] < duel["factor"] < duel["factor_high"] for duel in told_["duels"])
    assert sum(place["points"] for place in told_["places"]) == pytest.approx(0, abs=1e-6)
    heads = [column.title for column in places(small, "en").table.columns]
    assert heads == ["place", "win share", "95 %", "rating points", "95 %"]
    assert "games saved" in [column.title for column in differences(small, "en").table.columns]


def test_win_shares_are_those_of_the_engines_sums(small: Compared) -> None:
    from analysis.winshares import estimate, positions

    game = small.question.game
    for cell, line in zip(small.cells, small.lines, strict=True):
        for position, one in zip(positions(cell, "strategy"), line, strict=False):
            name = small.names[one.strategy]
            members = next(p.members for p in positions(cell, "strategy") if p.label == name)
            exact = estimate(cell, game, "strategy", "win_share", members)
            assert one.share.mean() == pytest.approx(exact.mean)
            assert position.label in small.names


def test_a_test_stops_early_and_says_what_that_bends(tested: Compared) -> None:
    assert tested.course is not None
    assert tested.course.decision == Decision.HIGH
    assert tested.course.looks[-1].deals == tested.deals < tested.question.planned * 4
    for lang in LANGS:
        html = render(pages.page(tested, lang))
        assert tested.course.bends is not None
        assert tested.course.bends.of(lang) in Reader(html).text
    (duel,) = tested.duels
    alone = duel.seen_from(0).alone[0]
    last = tested.course.looks[-1]
    assert alone is not None
    assert (alone.advantage.mean, alone.advantage.low) == pytest.approx((last.mean, last.low))


def test_a_precision_is_planned_for_the_spread_of_a_deal() -> None:
    flags = {"players": "4", "strategies": "lowest,uniform", "precision": "1"}
    plan = read("schadenfreude", flags).plan
    assert isinstance(plan, Precision)
    assert next(plan.looks()) == FIRST_LOOK  # not thousands, as for games that are all alike
    assert plan.sd == pytest.approx(np.sqrt(0.25 * 0.75 / 4))


def test_after_a_test_the_verdict_is_that_of_the_test(tested: Compared) -> None:
    (duel,) = tested.duels
    open_ = replace(tested, duels=(replace(duel, call=Call.OPEN),))
    text = pages.verdict(open_, "en")
    assert text.startswith("The test of 0 against 6 points says 6 after ")
    assert "target40 alone is more than 0 percentage points ahead" in text
    assert "cannot tell" not in text and "分不出" not in pages.verdict(open_, "zh")
    told = pages.verdict(tested, "en")
    assert "By numbers that stopping early bends: target40 beats uniform" in told


@pytest.mark.parametrize(
    ("stop", "line"),
    [
        ("--sprt 0:6", r"200 deals: target40 −?\d.*\); the test (goes on|says \d)"),
        ("--precision 5", r"1,000 deals: target40 \d.* points ahead .*; within ±\d.*, wanted ±5"),
    ],
)
def test_every_look_is_a_line(
    stop: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = f"{GAME} --strategies target40,uniform {stop} --out {tmp_path}"
    assert run(shlex.split(flags.replace(" --quiet", ""))) == 0
    seen = capsys.readouterr().err
    assert re.search(line, seen), seen
    assert run(shlex.split(flags)) == 0
    assert capsys.readouterr().err == ""


def test_a_precision_is_reached(tmp_path: Path) -> None:
    found = compared(tmp_path, f"{GAME} --strategies lowest,uniform --precision 4")
    (duel,) = found.duels
    for one in duel.alone:
        assert one is not None and one.advantage.high - one.advantage.low <= 0.08


def test_roles_are_told_apart(roles: Compared) -> None:
    assert roles.question.roles == (0, 1, 0, 1)
    assert [len(every) for every in roles.in_roles] == [2, 2]
    assert all(one.advantage.mean > 0.1 for one in roles.in_roles[0])
    assert roles.duels[0].edge.mean > 0.49 and roles.duels[0].edge.high == 0.5  # half a win a seat
    assert analysis.frames.role_frame(roles)["role"].tolist() == [0, 1, 0, 1]


def in_circles(found: Compared) -> Compared:
    """The same with a planted circle: the first beats the second, it the third, it the first."""
    a, b, c = (one.strategy for one in found.standings)
    met = []
    for i, j in ((a, b), (b, c), (c, a)):
        duel = found.duel(i, j)
        assert duel is not None
        met.append(replace(duel.seen_from(i), call=Call.AHEAD))
    names = found.names[a], found.names[b], found.names[c]
    assert found.ratings.check is not None
    check = replace(found.ratings.check, triples=(Triple(names, 0.0),))
    return replace(
        found,
        duels=tuple(met),
        pair=pair_of_verdict("all", found.standings, met),
        ratings=replace(found.ratings, check=check),
    )


def test_nobody_is_the_best_who_is_beaten(small: Compared) -> None:
    found = in_circles(small)
    first, _, last = (small.names[one.strategy] for one in small.standings)
    assert "comes first of three" in pages.verdict(small, "en")
    for text in (pages.verdict(found, "en"), pages.page(found, "en").headline):
        assert "Nobody is the best of three, they go round in circles" in text
        assert f"but it loses to {last}." in text and f"{last} beats {first}: " in text
        assert "Beware: the ratings mislead" in text
    assert "循环相克" in pages.verdict(found, "zh")
    assert "the ratings mislead" in as_object(found, Path("page"))["warning"]


def test_how_long_it_takes_is_a_key_number_only_where_it_is_sure(tested: Compared) -> None:
    (duel,), lead = tested.duels, tested.lead
    assert duel.call == Call.AHEAD and duel.alone_call == Call.OPEN and lead is not None
    open_ = replace(tested, duels=(replace(duel, call=Call.OPEN),))
    (only,) = pages.page(open_, "en").keys
    assert "over all its tables" in only.label
    ahead = tested.duels
    told = replace(tested, duels=ahead, lead=replace(lead, games=90, fewest=40, most=5_000))
    *_, key = pages.page(told, "en").keys
    assert "until target40 leads uniform" in key.label
    assert (key.value, key.detail) == ("90 games", "(40–5,000)")
    never = replace(told, lead=replace(lead, most=None))
    assert not any("leads" in one.label for one in pages.page(never, "en").keys)
    assert "never leads for sure" in render(pages.page(never, "en"))


def test_a_gauntlet_is_about_who_runs_it(small: Compared) -> None:
    first, last = small.standings[0].strategy, small.standings[-1].strategy
    question = replace(small.question, design="gauntlet")
    duel = small.duel(0, last if last else first)
    assert duel is not None
    met = [replace(duel.seen_from(0), call=Call.AHEAD)]
    assert pair_of_verdict("gauntlet", small.standings, small.duels)[0] == 0
    pair = (0, duel.seen_from(0).second)
    found = replace(small, question=question, duels=tuple(met), pair=pair, lead=None)
    assert pages.page(found, "en").keys[0].label.startswith(small.names[0])


def test_what_saves_is_told_or_why_it_is_not(small: Compared, roles: Compared) -> None:
    saved = small.saved
    assert isinstance(saved, Saved)
    too_few = replace(saved, duplicate=None, controlled=Words("too few deals", "太少"))
    for found in (too_few, replace(too_few, duplicate=saved.duplicate)):
        html = render(pages.page(replace(small, components=None, saved=found), "en"))
        assert "What the hands foretell is not taken off: too few deals." in html
    assert "with roles strategies keep their seats" in render(pages.page(roles, "en"))


def test_small_words(small: Compared, tested: Compared, roles: Compared, nobody: Compared) -> None:
    (duel,) = tested.duels
    sure = Estimate(0.6, 0.0, 0.6, 0.6, 60, 180)
    one, other = Alone(sure, 0.3, sure, 0.01), Alone(sure, 0.3, turned(sure), 0.01)
    surely = replace(tested, duels=(replace(duel, call=Call.AHEAD, alone=(one, other)),))
    assert one.notice == 1
    assert "would notice after 2 games." in pages.verdict(surely, "en")
    assert "一家人约 2 局后能察觉" in pages.verdict(surely, "zh")
    open_ = replace(surely.duels[0], call=Call.OPEN)  # one gains alone and the other loses
    assert "that does not decide between them" in duel_sentence(surely, open_, "en")

    assert "seats 1, 3" in Reader(render(pages.page(roles, "en"))).text
    told = [[c.title for c in differences(one, "en").table.columns] for one in (small, roles)]
    assert all("games to notice" in heads for heads in told)
    assert re.search(
        r"interval [^;]+; a family would notice after \d+ games\.", pages.verdict(roles, "en")
    )
    text = Reader(render(pages.page(nobody, "en"))).text
    assert "the same on every deal" in text and "0.000" not in text
    assert small.ratings.check is not None and small.components is not None
    sound = replace(small.ratings.check, triples=(), cyclic=None, explained=None, p=0.9)
    lucky = replace(small, ratings=replace(small.ratings, check=sound))
    text = Reader(render(pages.page(lucky, "en"))).text
    assert "60 deals are too few to tell" in text and "Nothing speaks against" not in text
    shares = small.components.shares
    assert shares is not None
    for match, words in ((-0.01, ""), (-0.9, "below zero is match: strategy and cards: win ")):
        below = replace(shares, mean=np.array([0.1, 0.3, match, 0.6 - match]))
        odd = replace(small, components=replace(small.components, shares=below))
        (parts, *_) = luck.exhibits(odd, "en")
        assert words in parts.lead and ("below zero" in parts.lead) == bool(words)
        cell = parts.table.lines[2].cells[1]
        assert cell == ("−90.0\u00a0%" if words else "0\u00a0%")


def test_one_population_plays_one_strategy(small: Compared) -> None:
    one = alpha_rank(small.matches)
    assert isinstance(one, MetaGame)
    sure = replace(one, steady=1.0)
    for meta, words in (
        (sure, "Most of the time it is target40."),
        (replace(sure, states=(("target40", 0.4),)), "Nothing lasts for more than half of the "),
        (replace(one, steady=0.6), "is not sure: target40 in 60\u00a0% of the times that"),
    ):
        assert words in render(pages.page(replace(small, metagame=meta), "en"))


def test_what_never_varied_may_still_vary() -> None:
    share = np.full((20, 1), 11 / 18)  # whose mean of twenty is off by a rounding
    (own,), (edge,) = (Intervals().of(share, [12], within=ends) for ends in ((0, 1), (-1, 1)))
    reach = 1 - 0.05 ** (1 / 20)
    assert own.low == pytest.approx(11 / 18 - reach) and own.high == pytest.approx(11 / 18 + reach)
    assert edge.low == pytest.approx(11 / 18 - 2 * reach)


def test_where_nobody_wins_nothing_is_told(nobody: Compared) -> None:
    assert not nobody.matches.share.any()
    (duel,) = nobody.duels
    assert duel.call == Call.OPEN
    assert all(one.points is None and one.reason for one in nobody.ratings.ratings)


def test_beside_what_the_ratings_promise_stands_what_was_played(small: Compared) -> None:
    (exhibit, _) = ratings.exhibits(small, "en")
    duel = small.duel(small.names.index("target40"), small.names.index("uniform"))
    assert duel is not None and duel.alone[0] is not None and small.names[duel.first] == "target40"
    cells = next(line.cells for line in exhibit.table.lines if line.cells[0] == "target40")
    assert cells[5] == f"{100 * duel.alone[0].share.mean:.1f}" != cells[3]
    anchor = next(line.cells for line in exhibit.table.lines if line.cells[0] == "uniform")
    assert anchor[1:3] == ("0", UNKNOWN) and anchor[5] == UNKNOWN  # 0 points by the scale


def test_what_does_not_last_has_no_rank_on_the_page(small: Compared) -> None:
    found = over_lineups(made_matches([0, 0.4, 0.9], multisets(3, 3), 600))
    (exhibit,) = lasting.exhibits(replace(small, metagame=found), "en")
    heads = [column.title for column in exhibit.table.columns]
    assert heads[3:] == ["1st", "does not last"] and "there is no order" in exhibit.lead
    cells = [(line.cells[0], *line.cells[3:]) for line in exhibit.table.lines]
    assert cells[0] == ("s2", "100\u00a0%", "0\u00a0%")
    assert {line[1:] for line in cells[1:]} == {("0\u00a0%", "100\u00a0%")}


def test_one_strategy_under_two_names_is_noticed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    source = own_strategies.write(tmp_path, "good").read_text(encoding="utf-8")
    files = [own_strategies.write(tmp_path, name, source) for name in ("one", "two")]
    other = own_strategies.write(tmp_path, "other", f"{source}\n# the same in other words\n")
    told = compared(tmp_path / "other", f"{GAME} --strategies {files[0]},{other},lowest --deals 20")
    seen = capsys.readouterr()
    words = "one.py and other.py decided alike in all 120 games against each other"
    assert "same file" not in seen.err and words in seen.out
    assert words in render(pages.page(told, "en"))
    command = f"{GAME} --strategies {files[0]},{files[1]},lowest --deals 20"
    found = compared(tmp_path / "out", command)
    seen = capsys.readouterr()
    assert "one.py and two.py are the same file" in seen.err
    assert all(duel.factor is None for duel in found.duels if duel.call == Call.SAME)
    same = [duel for duel in found.duels if duel.call == Call.SAME]
    assert [{found.names[one.first], found.names[one.second]} for one in same] == [
        {"one.py", "two.py"}
    ]


def test_where_all_are_alike_words_stand_for_numbers(tmp_path: Path) -> None:
    source = own_strategies.write(tmp_path, "good").read_text(encoding="utf-8")
    files = [own_strategies.write(tmp_path, name, source) for name in ("one", "two")]
    command = f"{GAME} --strategies {files[0]},{files[1]} --sprt 0:3"
    found = compared(tmp_path / "out", command)
    assert found.ratings.check is not None and found.ratings.check.explained is None
    assert [one.best for one in found.ratings.ratings] == [None, None]
    assert isinstance(found.metagame, Words)
    text = Reader(render(pages.page(found, "en"))).text
    assert "both did the same on every deal" in text and "decided alike in all" in text
    assert "there is nothing that a rating could sum up" in text
    for nothing in (
        "The ratings explain",
        "Most of the time",
        "Where the ratings are off",
        "Surely below zero",
    ):
        assert nothing not in text


# Planted truth, through the kernels

SHARES = (10, 30, 60, 100)  # percent of the games that are played by chance


@pytest.mark.slow
def test_a_strategy_made_worse_by_known_amounts_is_found_as_much_worse(tmp_path: Path) -> None:
    """One who plays by chance in p % of its games loses p % of what he loses with 100 %."""
    file = own_strategies.plant(tmp_path, "worse")
    specs = ",".join([str(file), *(f"{file}:share={share}" for share in SHARES)])
    command = f"compare poison --players 3 --strategies {specs} --design gauntlet --deals 400"
    found = compared(tmp_path / "out", f"{command} --quiet")
    name = {share: f"worse.py:share={share}" for share in SHARES}
    points = {one.name: one.points for one in rate(found.matches, "worse.py").ratings}
    assert [one.mean for one in (points[name[share]] for share in SHARES)] == sorted(
        (one.mean for one in (points[name[share]] for share in SHARES)), reverse=True
    )
    lost = {}
    for share in SHARES:
        duel = found.duel(0, found.names.index(name[share]))
        assert duel is not None and duel.seen_from(0).alone[1] is not None
        lost[share] = duel.seen_from(0).alone[1].advantage
        assert duel.seen_from(0).call == Call.AHEAD or share == 10
    assert lost[100].high < -0.1
    for share in SHARES[:-1]:
        part = share / 100
        se = np.hypot(lost[share].se, part * lost[100].se)
        assert abs(lost[share].mean - part * lost[100].mean) < 3 * se < 0.08


@pytest.mark.slow
def test_a_circle_played_by_the_kernels_is_flagged(tmp_path: Path) -> None:
    file = own_strategies.plant(tmp_path, "hunts")
    specs = ",".join(f"{file}:kind={kind}" for kind in range(3))
    command = f"compare cocktail_poison --players 3 --strategies {specs} --design all --deals 60"
    found = compared(tmp_path / "out", f"{command} --quiet")
    warning = found.ratings.warning
    assert warning is not None and "no single number can rank them" in warning.en
    assert "they go round in circles" in pages.verdict(found, "en")
    for kind in range(3):  # the next one loses to it
        duel = found.duel(kind, (kind + 1) % 3)
        assert duel is not None and duel.seen_from(kind).call == Call.AHEAD
    assert isinstance(found.metagame, MetaGame)
    assert [one.mean for one in found.metagame.mass] == pytest.approx([1 / 3] * 3, abs=0.1)
    assert "Nothing lasts for more than half of the time" in render(pages.page(found, "en"))


# The same bytes, however it was played, and again from the folder


def test_workers_change_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    told = []
    for jobs in ("1", "2"):
        folder = tmp_path / jobs
        assert run([*shlex.split(SMALL), "--out", str(folder), "--jobs", jobs, "--json"]) == 0
        found = json.loads(capsys.readouterr().out)
        told.append({**found, "page": ""})
        told.append((folder / "compare-en.html").read_bytes())
    assert told[0] == told[2]
    assert told[1] == told[3]


def test_a_folder_can_be_read_again_and_belongs_to_one_comparison(
    small: Compared, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = small.question.to_toml()
    path = tmp_path / "again.toml"
    path.write_text(text, encoding="utf-8")
    assert read(str(path), {}) == small.question
    assert run([*shlex.split(SMALL), "--out", str(tmp_path)]) == 0
    capsys.readouterr()
    assert run([*shlex.split(SMALL), "--seed", "2", "--out", str(tmp_path)]) == 2
    assert "belongs to another comparison" in capsys.readouterr().err


@pytest.mark.parametrize("stop", [{"sprt": "0:7"}, {"precision": "0.7"}, {"deals": "50"}])
def test_a_file_asks_for_the_same_with_zeros_too(stop: dict[str, str], tmp_path: Path) -> None:
    flags = {"players": "3", "strategies": "lowest,uniform", "seed": "0", **stop}
    asked = read("schadenfreude", flags)
    path = tmp_path / "again.toml"
    path.write_text(asked.to_toml(), encoding="utf-8")
    assert read(str(path), {}) == asked


def test_flags_go_before_the_file(tmp_path: Path) -> None:
    path = tmp_path / "ask.toml"
    path.write_text(
        'game = "schadenfreude"\nplayers = 3\nstrategies = ["lowest", "uniform"]\ndeals = 50\n'
        "[rules]\nlimit = 30\n",
        encoding="utf-8",
    )
    found = read(str(path), {"sprt": "0:2"}, ["limit=20"])
    assert (found.stop.deals, found.stop.sprt) == (None, (0.0, 0.02))
    assert found.variant.switches["limit"] == 20


# Mistakes


@pytest.mark.parametrize(
    ("flags", "words"),
    [
        ("--strategies lowest", "--strategies: a comparison needs at least 2; 1 given"),
        ("--strategies lowest,lowest", "--strategies: lowest stands there twice; give it once"),
        ("--strategies all --design none", "--design: unknown value 'none'"),
        ("--strategies all --design roles", "schadenfreude has no roles or teams that belong to"),
        ("--strategies all --deals 5", "--deals: '5' is not allowed; allowed: an integer 20.."),
        ("--strategies all --precision 0", "--precision: '0' is not allowed; allowed: percentage"),
        ("--strategies all --precision nan", "--precision: 'nan' is not allowed"),
        ("--strategies lowest,uniform --sprt 2:0", "--sprt: '2:0' is not allowed; allowed: LOW:HI"),
        ("--strategies lowest,uniform --sprt 2", "--sprt: '2' is not allowed; allowed: LOW:HIGH"),
        ("--strategies all --sprt 0:2", "--sprt: tests one of two strategies against the other"),
        ("--strategies all --deals 50 --sprt 0:2", "--sprt: give one of --deals, --sprt;"),
        ("--strategies all --lineups 5", "--lineups: takes a part of all line-ups; give --design"),
        ("--strategies all --design all --lineups 1", "--lineups: '1' is not allowed; allowed: an"),
        ("--strategies all --anchor nobody", "--anchor: 'nobody' does not take part; allowed: "),
        ("--strategies lowest,careful_poison", "(careful_poison is a strategy of poison)"),
        ("--strategies all --jobs 0", "--jobs: '0' is not allowed"),
        ("--strategies all --lang fr", "--lang: unknown value 'fr'"),
        (
            "--strategies all --design all --deals 1000000",
            "165 line-ups on 1,000,000 deals are about 495,000,000 games and take about",
        ),
    ],
)
def test_a_mistake_is_one_line(flags: str, words: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(shlex.split(f"{GAME} {flags}")) == 2
    seen = capsys.readouterr()
    (line,) = seen.err.splitlines()
    assert words in line and seen.out == ""


def test_a_folder_in_place_of_a_file_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "adir.py").mkdir()
    assert run(shlex.split(f"{GAME} --strategies {tmp_path / 'adir.py'},lowest")) == 2
    assert "adir.py is a folder; give a file" in capsys.readouterr().err


def test_a_table_of_another_kind_of_file_is_told_with_its_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "mine.toml"
    text = 'game = "poison"\nplayers = 4\nstrategies = ["lowest_safe", "uniform"]\n\n'
    file.write_text(text + '[[lineup]]\nname = "a"\n', encoding="utf-8")
    assert run(["compare", str(file)]) == 2
    assert f"{file}:5: lineup: unknown key 'lineup'" in capsys.readouterr().err


def test_a_strategy_of_another_game_is_told(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "other.py"
    file.write_text("from sim.games.poison.view import strategy\n", encoding="utf-8")
    for command in (GAME, f"run {GAME.partition(' ')[2]} --deals 9 --seed 1"):
        assert run(shlex.split(f"{command} --strategies {file}")) == 2
        assert "other.py is written for the game poison" in capsys.readouterr().err
    assert run(["check-strategy", "schadenfreude", str(file)]) == 2
    assert capsys.readouterr().err == "fairdeal: other.py is written for the game poison\n"


def test_games_that_a_fault_lost_are_counted_and_shown(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    bad = own_strategies.write(tmp_path, "late")
    flags = f"{GAME} --strategies {bad},lowest --deals 40"
    assert run([*shlex.split(flags), "--out", str(tmp_path / "stops")]) == 1
    found = compared(tmp_path / "goes_on", f"{flags} --forfeit")
    assert 0 < found.forfeits["late.py"] < found.games
    assert found.standings[0].strategy == found.names.index("lowest")
    for lang, colon in (("en", ": "), ("zh", "：")):
        assert f"late.py{colon}{found.forfeits['late.py']}" in render(pages.page(found, lang))
    told = f"late.py: {found.forfeits['late.py']} of {found.games} games lost by a fault (its first"
    assert f"{told}: illegal action: 63" in capsys.readouterr().out
    page = (tmp_path / "goes_on" / "compare-en.html").read_text(encoding="utf-8")
    assert "--deals 40 --forfeit" in page and "on_fault" not in page


def test_a_forecast_counts_only_what_grows_with_the_games() -> None:
    question = read("poison", {"players": 4, "strategies": "lowest_safe,uniform"}, ())
    asked: list[int] = []

    def play(what: Experiment) -> Run:
        asked.append(what.deals)
        seconds = 0.8 + 1e-4 * what.games  # starting up takes longer than playing
        cells = [Cell("", (), 1, {"games": np.array([what.deals])}) for _ in what.cells]
        return Run(None, what, {"seconds": seconds}, cells)

    assert seconds_a_game(question, play) == pytest.approx(1e-4)
    assert asked == sorted(set(asked))


@pytest.mark.slow
def test_a_strategy_that_hangs_ends_the_comparison_with_one_line(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sim.workers.HANG_SECONDS", 1.0)
    file = own_strategies.write(tmp_path, "hangs_plainly")
    out = tmp_path / "out"
    assert run(shlex.split(f"{GAME} --strategies {file},lowest --deals 20 --out {out}")) == 1
    (line,) = capsys.readouterr().err.splitlines()
    assert "hangs_plainly.py hangs" in line


# The page


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", ["small", "tested", "roles", "nobody"])
def test_the_page_is_whole(name: str, lang: str, request: pytest.FixtureRequest) -> None:
    html = render(pages.page(request.getfixturevalue(name), lang))
    reader = Reader(html)
    assert len(html) < 2_000_000
    assert len(set(reader.ids)) == len(reader.ids)
    assert {link[1:] for link in reader.links if link.startswith("#")} <= set(reader.ids)
    assert not re.search(r"https?:|<script|<img", re.sub(r"base64,[^\")]+", "", html))
    assert not re.search(r"\bnan\b|None|inf\b", reader.text)
    assert missing(reader.text) == []
    assert lang == "zh" or not re.search("[至局]", reader.text)
    for article in re.findall(r"<article.*?</article>", html, flags=re.DOTALL):
        assert article.count("<table>") == 1


@pytest.mark.parametrize("name", ["small", "tested", "roles"])
def test_chinese_pages_call_strategies_by_their_names(
    name: str, request: pytest.FixtureRequest
) -> None:
    found = request.getfixturevalue(name)
    names = of_comparison(found.question, "zh")
    assert all(label != called for label, called in names.items())
    html = render(pages.page(found, "zh"))
    *_, how = html.partition('id="made"')
    shown = re.sub(r'href="[^"]*"', "", html.replace(how, ""))
    for label, called in names.items():
        assert label not in shown and called in shown
        assert f"{called}（{label}）" in how
    assert of_comparison(found.question, "en") == {label: label for label in names}


def test_names_in_a_text_are_whole_words() -> None:
    names = {"lowest": "最小", "lowest_safe": "稳", "two.py": "二"}
    text = "1 lowest, 2 lowest_safe; lowest:k=3, two.py beats highest_lowest, or lowest."
    told_ = told(text, names)
    assert told_ == "1 最小, 2 稳; lowest:k=3, 二 beats highest_lowest, or 最小."


@pytest.mark.browser
@pytest.mark.parametrize("lang", LANGS)
def test_the_page_fits_a_telephone(
    small: Compared, lang: str, browser: str, tmp_path: Path
) -> None:
    path = pages.build(small, lang, tmp_path / "page.html")
    with chromium(browser, tmp_path) as window:
        window.open(path, 375)
        assert window.complaints == []
        assert window.run(OUTSIDE) == []
        assert not window.is_too_wide
        assert window.run(OVERLAPS) == []
        assert window.run(SMALLEST) >= LEAST_TEXT


def test_a_comparison_needs_games_that_are_kept(small: Compared, tmp_path: Path) -> None:
    from sim.store import open_run

    with pytest.raises(Mistake, match="is not a run folder"):
        compare(small.question, lambda experiment: open_run(tmp_path / "nothing"))
