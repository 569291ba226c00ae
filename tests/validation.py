"""The statistics against planted truth: `python -m tests.validation` (`make validation`).

Thousands of studies are simulated whose true answer is known, and each method is held to its word:
how often its intervals cover, how often it errs, how often it finds. Prints a table and writes
out/validation.html. A fast sample of the same checks is in `tests/test_fairness.py`.

The games are rigged: a hand is worth 0 to 4 and stays with its deal while it is turned over the
places; each game adds luck to each place, and some places get a point more with a known chance.
The highest sum wins; ties share; with less than 3 one cannot win, so that now and then nobody
does. The true win shares follow by counting all cases. What a hand explains is tried on hands of
cards of known worth (`Dealt`).
"""

from __future__ import annotations

import json
import os
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import cache
from itertools import product
from math import sqrt
from multiprocessing import get_context
from pathlib import Path
from typing import Any

import numpy as np

from analysis.contrasts import Contrasts, contrasts, paired_contrasts, pairs
from analysis.criteria import Criterion, Goal, Measured, difference, distribution
from analysis.fairness import Verdict, deals_needed, judge, verdict_chances, with_holm
from analysis.intervals import rate_estimate
from analysis.moments import Moments, paired_difference
from analysis.multiplicity import benjamini_hochberg, holm
from analysis.neutrality import Effect, changes, effect_changes, effects, explained
from analysis.power import contrast_variance, games_to_notice
from analysis.search import (
    Candidate,
    Confirmation,
    Stage,
    Standing,
    confirm,
)
from analysis.sequential import Precision, multiplier
from sim.core.game import SHARE_UNIT, Words
from tests.checks import ALPHA, ALWAYS, CHANCE, ERROR, FIXED, LEAST, Check, check, spread
from tests.validation_comparison import PARTS as OF_COMPARISONS
from tests.validation_comparison import calls

Array = np.ndarray[Any, Any]
STUDIES, DEALS, SEED = 10_000, 400, 3
HANDS, REDRAWS = 1000, 6
BATCH = 250  # studies simulated at once
OUT = Path("out")


@dataclass(frozen=True)
class Rigged:
    """A game whose win shares are known."""

    bonus: tuple[float, ...]  # chance of a point more, for each place
    luck: int = 3  # each game adds 0 to luck - 1
    hands: int = 5  # a hand is worth 0 to hands - 1
    least: int = 3  # a lower sum cannot win

    def shares(self) -> Array:
        """True win share of each place [n], by counting."""
        scores = [self._scores(bonus) for bonus in self.bonus]
        n, top = len(self.bonus), len(scores[0])
        sums = np.array(list(product(range(top), repeat=n)))
        chance = np.prod([scores[p][sums[:, p]] for p in range(n)], axis=0)
        return np.asarray(chance @ (self._win_shares(sums) / SHARE_UNIT))

    def effect(self) -> float:
        """Largest true difference between two places."""
        return float(np.ptp(self.shares()))

    def play(self, random: np.random.Generator, studies: int, deals: int, turns: int = 0) -> Array:
        """Deal totals [studies, deals, n] in 1/2520, over `turns` games; 0 for all rotations."""
        return self.score(self.draw(random, studies, deals, turns))

    def draw(self, random: np.random.Generator, studies: int, deals: int, turns: int = 0) -> Array:
        """Sums of each game [turns, studies, deals, n]."""
        n = len(self.bonus)
        shape = (studies, deals, n)
        hand = random.integers(0, self.hands, shape, np.int8)
        extra = np.array(self.bonus, np.float32)
        return np.stack(
            [
                np.roll(hand, turn, axis=2)
                + random.integers(0, self.luck, shape, np.int8)
                + (random.random(shape, np.float32) < extra)
                for turn in range(turns or n)
            ]
        )

    def score(self, sums: Array) -> Array:
        """Deal totals of games that were drawn."""
        return np.asarray(sum(self._win_shares(game) for game in sums))

    def _win_shares(self, sums: Array) -> Array:
        valid = np.where(sums >= self.least, sums, -1)
        best = valid.max(axis=-1, keepdims=True)
        won = (valid == best) & (best >= 0)
        return np.asarray(won * (SHARE_UNIT // np.maximum(won.sum(axis=-1, keepdims=True), 1)))

    def _scores(self, bonus: float) -> Array:
        hand, luck = np.full(self.hands, 1 / self.hands), np.full(self.luck, 1 / self.luck)
        return np.convolve(np.convolve(hand, luck), [1 - bonus, bonus])


@cache
def rigged(effect: float, favoured: int = 1, places: int = 3) -> Rigged:
    """A game in which the first `favoured` places are better than the last by `effect`."""
    low, high = 0.0, 1.0
    for _ in range(40):
        middle = (low + high) / 2
        game = Rigged((middle,) * favoured + (0.0,) * (places - favoured))
        low, high = (middle, high) if game.effect() < effect else (low, middle)
    game = Rigged((low,) * favoured + (0.0,) * (places - favoured))
    assert abs(game.effect() - effect) < 1e-6, f"a point more cannot give {effect}"
    return game


def studies_of(
    game: Rigged, random: np.random.Generator, studies: int, deals: int
) -> Iterator[Moments]:
    """Simulated studies, from whole sums as the engine keeps them."""
    n = len(game.bonus)
    for done in range(0, studies, BATCH):
        values = game.play(random, min(BATCH, studies - done), deals).astype(np.float64)
        cross = (np.swapaxes(values, 1, 2) @ values).astype(np.int64)  # exact below 2^53
        totals = values.sum(axis=1).astype(np.int64)
        for total, products in zip(totals, cross, strict=True):
            yield Moments.from_sums(deals, total, products, n * SHARE_UNIT)


def covers(found: Contrasts, truth: Array, **how: Any) -> bool:
    """Whether all intervals hold the truth."""
    half = found.half_width(**how)
    assert half is not None
    return bool((abs(found.estimate - truth) <= half).all())


# Intervals of a fixed number of deals


def fixed_intervals(random: np.random.Generator, n: int) -> Iterator[Check]:
    """One by one, all together, of a share, of a paired difference, and with skewed data."""
    for effect in (0.0, 0.08):
        game = rigged(effect)
        shares, weights = game.shares(), pairs(3)
        truth = weights @ shares
        single, joint, share = [], [], []
        for moments in studies_of(game, random, n, DEALS):
            found = contrasts(moments)
            half = found.half_width(together=False)
            assert half is not None and moments.covariance is not None
            single.append(abs(found.estimate[0] - truth[0]) <= half[0])
            joint.append(covers(found, truth))
            total = round(moments.mean[0] * DEALS * 3 * SHARE_UNIT)
            scatter = moments.covariance[0, 0] * (DEALS - 1) * (3 * SHARE_UNIT) ** 2
            rate = rate_estimate(
                total, round(scatter + total**2 / DEALS), DEALS, 3 * DEALS, SHARE_UNIT
            )
            assert rate.low is not None and rate.high is not None
            share.append(rate.low <= shares[0] <= rate.high)
        name = f"three places, effect {100 * effect:.0f} points"
        yield check(f"{name}: one difference", FIXED, np.array(single))
        yield check(f"{name}: all differences together", FIXED, np.array(joint))
        yield check(f"{name}: a win share", FIXED, np.array(share))
    for places in (4, 5):
        game = rigged(0.06, 2, places)
        truth = pairs(places) @ game.shares()
        joint = [
            covers(contrasts(m), truth) for m in studies_of(game, random, n, DEALS * 3 // places)
        ]
        yield check(f"{places} places: all differences together", FIXED, np.array(joint))
    few = [
        covers(contrasts(Moments.from_values(random.standard_normal((8, 3)) @ MIX)), np.zeros(3))
        for _ in range(n)
    ]
    yield check("normal values, 8 deals: all differences together", FIXED, np.array(few))
    skewed = [
        covers(
            contrasts(Moments.from_values(random.exponential(size=(DEALS, 3)) @ MIX), span=None),
            pairs(3) @ MIX.sum(axis=0),
        )
        for _ in range(n)
    ]
    yield check("exponential values: all differences together", FIXED, np.array(skewed))


MIX = np.array([[1.0, 0.3, 0.0], [0.0, 1.0, 0.5], [0.4, 0.0, 2.0]])  # correlated, unequal spread


def common_deals(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Two variants on the same deals: the interval, and what the common deals save."""
    first = rigged(0.08)
    second = replace(first, least=5)
    truth = pairs(3) @ (second.shares() - first.shares())
    hits, estimates, factors = [], [], []
    for done in range(0, n, BATCH):
        sums = first.draw(random, min(BATCH, n - done), DEALS)
        both = np.concatenate([first.score(sums), second.score(sums)], axis=2) / (3 * SHARE_UNIT)
        for values in both:
            found = paired_difference(Moments.from_values(values), pairs(3))
            hits.append(covers(contrasts(found.difference, np.eye(3), span=2.0), truth))
            estimates.append(found.difference.mean[0])
            factors.append(found.variance_reduction[0])
    yield check("two variants on common deals: all differences together", FIXED, np.array(hits))
    alone = [
        np.array([contrasts(m).estimate[0] for m in studies_of(game, random, n, DEALS)])
        for game in (first, second)
    ]
    ratio = (alone[0].var() + alone[1].var()) / np.var(estimates)
    promised, slack = float(np.mean([f for f in factors if f])), 3 * sqrt(4 / n)
    name = f"variance saved by common deals, promised {promised:.2f} times: seen / promised"
    yield Check(name, CHANCE, float(ratio) / promised, 1 - slack, 1 + slack, n)


# Verdicts


def false_verdicts(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Games exactly on the margin, where a false verdict is likeliest, and elsewhere."""
    margin = 0.08
    for places, favoured in ((2, 1), (3, 1), (3, 2), (4, 2)):
        game = rigged(margin, favoured, places)
        found = [judge(contrasts(m), margin).verdict for m in studies_of(game, random, n, DEALS)]
        name = f"{favoured} of {places} places favoured by just the margin"
        yield check(f"{name}: FAIR", ERROR, np.array(found) == Verdict.FAIR, ALPHA)
        yield check(f"{name}: UNFAIR", ERROR, np.array(found) == Verdict.UNFAIR, ALPHA)
    fair = [judge(contrasts(m), 0.02).verdict for m in studies_of(rigged(0.0), random, n, DEALS)]
    yield check("a fair game: UNFAIR", ERROR, np.array(fair) == Verdict.UNFAIR, ALPHA)
    rare = random.random((n, 1500)) < 0.005  # in one deal of 200 the first place wins, else nobody
    called = [
        judge(contrasts(Moments.from_values(np.stack([won, 0 * won], axis=1))), 0.005).verdict
        for won in rare
    ]
    yield check("all draws but for one in 200: FAIR", ERROR, np.array(called) == "FAIR", ALPHA)


def families(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Several claims at once: two on the margin, one clearly fair, one clearly unfair."""
    margin = 0.08
    games = [rigged(margin), rigged(margin, 2), rigged(0.0), rigged(0.2)]
    truths = np.array([True, True, False, False]), np.array([True, True, True, False])
    hits: tuple[list[bool], list[bool]] = ([], [])
    for claims in zip(*(studies_of(game, random, n, DEALS) for game in games), strict=True):
        family = with_holm([judge(contrasts(moments), margin) for moments in claims])
        said = np.array([finding.verdict for finding in family])
        hits[0].append(bool((truths[0] & (said == Verdict.FAIR)).any() or said[3] == "FAIR"))
        hits[1].append(bool((truths[1] & (said == Verdict.UNFAIR)).any()))
    yield check("four claims with Holm: any false FAIR", ERROR, np.array(hits[0]), ALPHA)
    yield check("four claims with Holm: any false UNFAIR", ERROR, np.array(hits[1]), ALPHA)
    from scipy import special

    null = np.arange(20) < 15
    z = random.standard_normal((n, 20)) + 0.6 * random.standard_normal((n, 1)) + 3.0 * ~null
    p = 2 * special.ndtr(-abs(z) / np.where(null, sqrt(1.36), 1.0))
    false = np.array([(holm(line) <= ALPHA)[null].any() for line in p])
    yield check("15 of 20 correlated questions without effect: Holm errs", ERROR, false, ALPHA)
    chosen = np.array([benjamini_hochberg(line) <= ALPHA for line in p])
    wrong = (chosen & null).sum(axis=1) / np.maximum(chosen.sum(axis=1), 1)
    yield check("the same: share of false ones in a list", ERROR, wrong, ALPHA)


def power(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Verdicts as often as predicted, deals as many as projected, games as many as promised."""
    margin = 0.08
    few = 120
    for effect, favoured, side in ((0.0, 1, 0), (0.02, 1, 0), (0.14, 1, 1), (0.14, 2, 1)):
        game = rigged(effect, favoured)
        truth = planted(game, random)
        chance = verdict_chances(truth, few, margin)[side]
        name = f"effect {100 * effect:.0f}, margin 8 points, {favoured} favoured"
        yield check(f"{name}: {few} deals", CHANCE, says(game, random, n, few, side), chance)
        needed = deals_needed(truth, margin)
        assert needed is not None
        found = says(game, random, n, needed, side)
        yield check(f"{name}: {needed} deals, as projected", CHANCE, found, 0.8)
    game = Rigged((0.9, 0.0, 0.0), hands=40, luck=3, least=0)  # hardly ever a tie
    first, second, _ = game.shares()
    variance = contrast_variance(first, second)
    games = games_to_notice(first - second, variance)
    assert games is not None
    seen = []
    for _ in range(0, n, 50):
        values = game.play(random, 50, games, turns=1) / SHARE_UNIT
        apart = values[:, :, 0] - values[:, :, 1]
        seen += [*(abs(apart.mean(axis=1)) * sqrt(games) > 1.96 * apart.std(axis=1))]
    name = f"noticed at home after {games} games, {100 * (first - second):.1f} points"
    yield Check(name, CHANCE, float(np.mean(seen)), 0.79 - spread(0.8, n), 0.85, len(seen))


def planted(game: Rigged, random: np.random.Generator) -> Contrasts:
    """The true contrasts, with a covariance from 200,000 deals."""
    values = game.play(random, 1, 200_000)[0] / (len(game.bonus) * SHARE_UNIT)
    moments = Moments.from_values(values)
    return contrasts(Moments(moments.deals, game.shares(), moments.covariance))


def says(game: Rigged, random: np.random.Generator, n: int, deals: int, side: int) -> Array:
    """Whether each study comes to the verdict."""
    wanted = (Verdict.FAIR, Verdict.UNFAIR)[side]
    studies = studies_of(game, random, n, deals)
    return np.array([judge(contrasts(m), 0.08).verdict == wanted for m in studies])


# Looking before the end


def sequential(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Stopping on the width and on the verdict, and a look after every deal."""
    half_width = margin = 0.03
    rule = Precision(half_width, comparisons=3, sd=0.4)
    looks = [look for look, _ in zip(rule.looks(), range(6), strict=False)]
    game = rigged(margin)
    truth = pairs(3) @ game.shares()
    every, at_stop, plain, fair, unfair, stops = [], [], [], [], [], []
    for done in range(0, n, 50):
        played = game.play(random, min(50, n - done), looks[-1]) / (3 * SHARE_UNIT)
        for values in played:
            seen = [contrasts(Moments.from_values(values[:look])) for look in looks]
            held = [covers(found, truth, planned=rule.planned) for found in seen]
            met = [found.meets(rule) for found in seen]
            stop = met.index(True) if True in met else len(looks) - 1
            said = {judge(found, margin, planned=rule.planned).verdict for found in seen}
            every.append(all(held))
            at_stop.append(held[stop])
            plain.append(covers(seen[stop], truth))
            fair.append(Verdict.FAIR in said)
            unfair.append(Verdict.UNFAIR in said)
            stops.append(looks[stop])
    name = f"±3 points, planned {rule.planned}, stopped after {np.mean(stops):.0f} deals"
    yield check(f"{name}: all intervals at the stop", ALWAYS, np.array(at_stop))
    yield check("the same: all intervals at all looks", ALWAYS, np.array(every))
    yield check("the same: intervals of a fixed sample at the stop", FIXED, np.array(plain))
    yield check("just on the margin, six looks: ever FAIR", ERROR, np.array(fair), ALPHA)
    yield check("just on the margin, six looks: ever UNFAIR", ERROR, np.array(unfair), ALPHA)
    yield check("a look after every deal, 200 to 4000", ALWAYS, look_always(random, n))


def look_always(random: np.random.Generator, n: int) -> Array:
    """Whether one always-valid interval covers at each deal from the 200th to the 4000th."""
    game, first, last = rigged(0.08), 200, 4000
    shares = game.shares()
    count = np.arange(1, last + 1)
    width = np.array([multiplier(int(t), 1000, ALPHA) for t in count])
    hits: list[bool] = []
    for done in range(0, n, 50):
        values = game.play(random, min(50, n - done), last) / (3 * SHARE_UNIT)
        apart = values[:, :, 0] - values[:, :, 1] - (shares[0] - shares[1])
        mean = apart.cumsum(axis=1) / count
        sd = np.sqrt(np.maximum((apart**2).cumsum(axis=1) / count - mean**2, 0.0))
        hits += [*(abs(mean) <= width * sd / np.sqrt(count))[:, first - 1 :].all(axis=1)]
    return np.array(hits)


# Hands and what they are made of


@dataclass(frozen=True)
class Dealt:
    """Hands of eight cards of four kinds, kept while luck is drawn anew, with known answers.

    A hand is worth the sum of its cards and something of its own; luck is skewed, and larger with
    more cards of the first kind.
    """

    worth: tuple[float, ...]  # of a card of each kind
    own: float = 0.8  # standard deviation of what is no matter of kinds
    copies: tuple[int, ...] = (4, 8, 8, 12)
    size: int = 8

    def spread(self) -> Array:
        """Covariance of the numbers held [kinds, kinds]."""
        n, share = sum(self.copies), np.array(self.copies) / sum(self.copies)
        scale = self.size * (n - self.size) / (n - 1)
        return np.asarray(scale * (np.diag(share) - np.outer(share, share)))

    def explained(self) -> float:
        """True share of the variance that the hand explains."""
        between = float(self.worth @ self.spread() @ self.worth) + self.own**2
        return between / (between + 1 + self.size * self.copies[0] / sum(self.copies))

    def slopes(self) -> Array:
        """True effect of a card more of each kind, in place of an average other one."""
        spread = self.spread()
        return np.asarray(spread @ self.worth / np.diag(spread))


def hands_of(variants: tuple[Dealt, ...], random: np.random.Generator) -> tuple[list[Array], Array]:
    """Values [HANDS, REDRAWS] under each set of rules, on common deals, and the traits."""
    first = variants[0]
    held = random.multivariate_hypergeometric(first.copies, first.size, HANDS)
    own = random.exponential(size=HANDS) - 1
    luck = random.exponential(size=(HANDS, REDRAWS)) - 1
    luck *= np.sqrt(1 + held[:, :1])
    played = [(held @ rules.worth + rules.own * own)[:, None] + luck for rules in variants]
    return played, held


def kept_hands(random: np.random.Generator, n: int) -> Iterator[Check]:
    """What the own hand explains, what each kind of card does, and both under other rules."""
    rules = Dealt((0.5, -0.3, 0.0, 0.2)), Dealt((0.9, -0.3, 0.2, 0.0), own=1.0)
    margin = rules[1].explained() - rules[0].explained()
    slopes = [one.slopes() for one in rules]
    none = (Dealt((0.3,) * 4),)  # whatever the card, it is worth the same
    share, both, effect, change, false, verdicts = [], [], [], [], [], []
    for _ in range(n):
        (first, second), held = hands_of(rules, random)
        found = explained(first, second)
        assert found is not None
        share.append(covers(contrasts(found, [[1, 0]], span=None), rules[0].explained()))
        both.append(covers(changes(found), margin))
        verdicts.append(judge(changes(found), margin).verdict)
        effect.append(holds(effects(first, held)[0], slopes[0][0]))
        changed = effect_changes((first, held), (second, held))
        change.append(holds(changed[0], slopes[1][0] - slopes[0][0]))
        (alike,), held = hands_of(none, random)
        false.append(any(one and one.q <= ALPHA for one in effects(alike, held)))
    name = f"{HANDS} hands, {REDRAWS} redraws"
    yield check(f"{name}: explained share", FIXED, np.array(share))
    yield check("the same: its change on common deals", FIXED, np.array(both))
    yield check("a change of just the margin: FAIR", ERROR, np.array(verdicts) == "FAIR", ALPHA)
    yield check("a change of just the margin: UNFAIR", ERROR, np.array(verdicts) == "UNFAIR", ALPHA)
    yield check(f"{name}: effect of a card more", FIXED, np.array(effect))
    yield check("the same: its change on common deals", FIXED, np.array(change))
    yield check("cards of equal worth: any in the list of effects", ERROR, np.array(false), ALPHA)


def holds(effect: Effect | None, truth: float) -> bool:
    """Whether the interval of an effect holds the truth."""
    assert effect is not None and effect.estimate.low is not None
    assert effect.estimate.high is not None
    return effect.estimate.low <= truth <= effect.estimate.high


# Search among candidates

GOALS: tuple[Goal, ...] = ("least", "most", "least")
STEP = 0.5  # margin of every criterion


@dataclass(frozen=True, eq=False)
class World:
    """Candidates of known values, the first being the reference.

    Of each: three differences, the largest of which shall be small; a mean that shall be large; and
    one that shall be near a target, which is zero and known from a sample.
    """

    truth: Array  # [candidates, 5]
    deals: int = 200

    @property
    def values(self) -> Array:
        """True values [candidates, criteria]."""
        order, skill, likeness = self.truth[:, :3], self.truth[:, 3], self.truth[:, 4]
        return np.stack([abs(order).max(axis=1), skill, abs(likeness)], axis=1)

    def stage(
        self, name: Any, random: np.random.Generator, candidates: tuple[Candidate, ...] = ()
    ) -> Stage:
        """Deals of its own for every candidate: skewed values that depend on each other."""
        those = candidates or tuple(Candidate(str(i), (i,)) for i in range(len(self.truth)))
        luck = random.standard_exponential((len(those) + 1, self.deals, 5)) - 1
        luck[..., :3] += 0.5 * (luck[..., 3:4] + luck[..., 4:])
        target = contrasts(Moments.from_values(luck[-1, :, 4]), [[1]], span=None)
        rows = []
        for candidate, values in zip(those, luck[:-1], strict=True):
            moments = Moments.from_values(values + self.truth[candidate.values[0]])
            order, skill, own = (
                contrasts(moments, np.eye(5)[columns], span=None)
                for columns in (slice(3), slice(3, 4), slice(4, 5))
            )
            n = self.deals
            rows.append(
                (
                    Measured(order, True, n, n, 1.0),
                    Measured(skill, False, n, n, 1.0),
                    Measured(own.minus(target), True, n, n, 1.0, shared=target.covariance / n),
                )
            )
        return Stage(name, CRITERIA, those, [c.values[0] for c in those].index(0), tuple(rows))

    def search(self, random: np.random.Generator) -> Confirmation:
        """Screen, choose, and confirm on fresh deals."""
        finalists = self.stage("screening", random).finalists(3)
        return confirm(self.stage("confirmation", random, finalists))

    def holds(self, found: Confirmation) -> bool:
        """Whether all intervals of a confirmation cover."""
        cost = self.values * [1, -1, 1]
        return all(
            one.low <= true <= one.high
            for finalist in found.finalists
            for one, true in zip(
                finalist.comparisons, cost[finalist.candidate.values[0]] - cost[0], strict=True
            )
        )


def _unused(cells: Any) -> Measured:
    raise AssertionError("a made-up candidate has no cells")


CRITERIA = tuple(
    Criterion(f"c{k}", Words("", ""), goal, STEP, False, _unused) for k, goal in enumerate(GOALS)
)


def world(*others: tuple[float, float, float]) -> World:
    """Candidates by order, skill and likeness; the reference, and six that have one flaw."""
    flaws = [(0.2, -0.5, 0.2), (0.2, 0.8, 2.0), (2.0, 0.8, 0.2)]
    rows = [(0.5, 1.0, 0.5), *others, *2 * flaws]
    return World(np.array([(-o, o, o / 2, s, t) for o, s, t in rows]))


def searches(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Ranks, fronts and verdicts on the reference, whose finalists were chosen by their luck."""
    eight, limit = [(0.0, 1.0 - STEP, 0.0)] * 8, world((0.5, 1.0 + STEP, 0.5))
    for name, planted, standing, is_error in (
        ("eight at just the price that matters", world(*eight), Standing.BEATEN, True),
        ("better by just what matters", limit, Standing.BEATEN, True),
        ("better by just what matters", limit, Standing.ON_THE_FRONT, True),
        ("much better, at no price", world((0.3, 2.5, 0.3)), Standing.BEATEN, False),
        ("worse by less than matters", world((0.7, 0.8, 0.7)), Standing.ON_THE_FRONT, False),
        ("all others have a flaw", world(), Standing.ON_THE_FRONT, False),
    ):
        found = [planted.search(random) for _ in range(n)]
        said = np.array([one.verdict == standing for one in found])
        yield check(f"{name}: {standing}", *((ERROR, said, ALPHA) if is_error else (ALWAYS, said)))
        held = np.array([planted.holds(one) for one in found])
        yield check(f"{name}: all differences together", ALWAYS, held)
    planted = world(*eight[:4], (0.5, 1.0, 0.5), (0.5, 1.6, 0.4))
    cost = planted.values * [1, -1, 1]
    best = 1 + (cost[None] < cost[:, None]).sum(axis=1)
    worst = (cost[None] <= cost[:, None]).sum(axis=1)
    ranked, kept = [], []
    for _ in range(n):
        stage = planted.stage("screening", random)
        ranges = zip(stage.ranks, best.T, worst.T, strict=True)
        ranked.append(all((r.best <= b).all() and (r.worst >= w).all() for r, b, w in ranges))
        apart = cost - cost[0]
        kept.append(stage.rivals[(apart < STEP).all(axis=1) & (apart < -STEP).any(axis=1)].all())
    yield check("ranks of 13 candidates on three criteria together", ALWAYS, np.array(ranked))
    yield check("what beats the reference is not ruled out", ALWAYS, np.array(kept))
    yield from likenesses(random, n)


def likenesses(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Distances of distributions from a target, and how two of them differ.

    Of the two, either is nearer, both lie at the same distance on different sides, or have the
    target's distribution; nine results a deal, in part alike.
    """
    near, far = TAILS[1], (np.roll(TAILS[0], 1) + TAILS[0]) / 2
    for name, chances in (
        ("one near, one far", (near, far)),
        ("on both sides", (near, 2 * TAILS[0] - near)),
        ("no distance", (TAILS[0], TAILS[0])),
    ):
        known = np.array([*chances, TAILS[0]]).cumsum(axis=1)
        true = abs(known[:2] - known[2]).max(axis=1)
        alone, apart = [], []
        for _ in range(n):
            luck = np.where(
                random.random((3, DEALS, 9)) < 0.3,
                random.random((3, DEALS, 1)),
                random.random((3, DEALS, 9)),
            )
            seen = (luck[..., None] < known[:, None, None]).mean(axis=2)
            first, second, target = map(Moments.from_values, seen)
            both = [distribution(one, target, DEALS) for one in (first, second)]
            low, high = both[0].interval()
            alone.append(low <= true[0] <= high)
            found = difference(both[0], both[1])
            apart.append(found.low <= true[0] - true[1] <= found.high)
        yield check(f"distance of distributions, {name}", ALWAYS, np.array(alone))
        yield check("the same: difference of two", ALWAYS, np.array(apart))


# Whole distributions

TAILS = np.array(  # chances of the values 0, 1, ... under two sets of rules; the high ones are rare
    [
        [0.30, 0.25, 0.20, 0.12, 0.06, 0.04, 0.015, 0.008, 0.004, 0.002, 0.001],
        [0.28, 0.25, 0.20, 0.13, 0.07, 0.03, 0.020, 0.010, 0.004, 0.004, 0.002],
    ]
)


def distributions(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Differences of all cumulated shares on common deals, nine results a deal, partly alike."""
    cumulated = TAILS.cumsum(axis=1)[:, :-1]
    truth = cumulated[0] - cumulated[1]
    hits = []
    for _ in range(n):
        luck = np.where(
            random.random((2, DEALS, 9)) < 0.3,
            random.random((2, DEALS, 1)),
            random.random((2, DEALS, 9)),
        )
        luck[1] = np.where(random.random((DEALS, 1)) < 0.5, luck[0], luck[1])  # of common deals
        above = luck[..., None] > cumulated[:, None, None]
        seen = np.flatnonzero(above.any(axis=(0, 1, 2)))
        shares = 1 - above[..., : int(seen[-1]) + 1].mean(axis=2)
        found, _ = paired_contrasts(*shares, 2.0)
        hits.append(covers(found, truth[: len(found.estimate)]))
    yield check("planted distributions with rare tail values: the band", LEAST, np.array(hits))


PARTS: dict[str, Callable[[np.random.Generator, int], Iterator[Check]]] = {
    "Intervals of a fixed number of deals": fixed_intervals,
    "Common deals": common_deals,
    "False verdicts": false_verdicts,
    "Many questions at once": families,
    "Power": power,
    "Looking before the end": sequential,
    "Hands that are kept": kept_hands,
    "Search among candidates": searches,
    **OF_COMPARISONS,
    "Whole distributions": distributions,
    "Who is called better": calls,
}


def validate(studies: int, seed: int = SEED) -> Iterator[tuple[str, list[Check]]]:
    """All checks, part by part; every part has a random stream and a process of its own."""
    os.environ["OMP_NUM_THREADS"] = "1"  # of each process: matrices are small here
    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        runs = {name: pool.submit(_checks, name, studies, seed) for name in reversed(PARTS)}
        for name in PARTS:
            yield name, runs[name].result()


def _checks(name: str, studies: int, seed: int) -> list[Check]:
    random = np.random.default_rng((seed, list(PARTS).index(name)))
    return list(PARTS[name](random, studies))


def page(parts: dict[str, list[Check]]) -> str:
    """The checks as a page like those of a run."""
    from reports.page import Exhibit, Key, Page, Section, render
    from reports.tables import Column, Line, Table

    words = ("check", "promise", "seen, %", "allowed, %", "studies", "")
    columns = tuple(Column(word, is_number=word in words[2:5]) for word in words)

    def table(checks: list[Check]) -> Table:
        lines = tuple(
            Line(
                (
                    c.name,
                    c.kind,
                    f"{100 * c.seen:.2f}",
                    c.allowed,
                    f"{c.studies:,}",
                    "passed" if c.is_passed else "FAILED",
                )
            )
            for c in checks
        )
        return Table(columns, lines, "simulated studies with a known answer")

    every = [c for checks in parts.values() for c in checks]
    passed = sum(c.is_passed for c in every)
    sections = tuple(
        Section(f"part{i}", name, "", (Exhibit(f"checks{i}", name, "", table(checks)),))
        for i, (name, checks) in enumerate(parts.items())
    )
    places = Table(
        (Column("rule", is_number=False), Column("value", is_number=False)),
        tuple(Line((name, str(value))) for name, value in asdict(rigged(0.08)).items()),
        "the rigged game with an effect of 8 points",
    )
    return render(
        Page(
            lang="en",
            title="Validation | fairdeal",
            kicker="The statistics against planted truth",
            headline=f"{passed} of {len(every)} checks passed",
            keys=(Key(f"{every[0].studies:,}", "", "simulated studies a check"),),
            sections=sections,
            facts=(("Command", "python -m tests.validation"), ("Seed", str(SEED))),
            rules=places,
        )
    )


def main() -> None:
    """Print all checks and write the page; an argument is the number of studies."""
    studies = int(sys.argv[1]) if len(sys.argv) > 1 else STUDIES
    start = time.perf_counter()
    parts = {}
    for name, checks in validate(studies):
        parts[name] = checks
        print(f"\n{name}", flush=True)
        for c in checks:
            mark = " " if c.is_passed else "!"
            print(f"{mark} {c.kind:13} {100 * c.seen:6.2f}  ({c.allowed})  {c.name}", flush=True)
    OUT.mkdir(exist_ok=True)
    (OUT / "validation.html").write_text(page(parts), encoding="utf-8", newline="\n")
    rows = [asdict(c) | {"part": name} for name, checks in parts.items() for c in checks]
    (OUT / "validation.json").write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")
    failed = sum(not c.is_passed for checks in parts.values() for c in checks)
    print(f"\n{len(rows) - failed} of {len(rows)} checks passed; out/validation.html", flush=True)
    print(f"{time.perf_counter() - start:.0f} s", file=sys.stderr)
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
