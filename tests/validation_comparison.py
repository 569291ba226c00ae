"""Planted truth for comparisons of strategies: ratings, skill, stopping, and what designs save.

Coverage is held to the promised level within three standard errors of the studies, and errors to at
most three above.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

import numpy as np

from analysis.controls import Controlled, controlled, duplicate_factor
from analysis.headtohead import Call, Duel, Intervals, duels
from analysis.metagame import MetaGame, alpha_rank
from analysis.ratings import POINTS, rate
from analysis.skill import PARTS as COMPONENTS
from analysis.skill import components, games_to_lead
from analysis.sprt import Decision, Sprt
from tests.checks import ALPHA, ALWAYS, CHANCE, ERROR, EXACT, Array, Check, check
from tests.made_matches import chances, lines_of, made_matches, multisets, outcomes, pairwise

DEALS, RESAMPLES = 400, 199
THETA, GAMMA, SIZES = (0.0, 0.3, 0.6), (0.1, 0.0, -0.1), {1: 1.0, 2: 0.2, 0: 0.1}
RARE = np.array([[0.0, 0.15], [0.15, 0.0]])
CIRCLE = np.array([[0, 1, -1], [-1, 0, 1], [1, -1, 0]]) * 0.3


class Interval(Protocol):
    """An estimate, or a look at a run that goes on."""

    @property
    def low(self) -> float | None: ...
    @property
    def high(self) -> float | None: ...


def holds(estimate: Interval | None, truth: float) -> bool:
    """Whether an interval holds the truth; an open end reaches everywhere."""
    assert estimate is not None
    return (estimate.low is None or estimate.low <= truth) and (
        estimate.high is None or truth <= estimate.high
    )


def share_against_two() -> float:
    """True win share of the best strategy against two of the worst, over all places."""
    chance = chances(2 * np.eye(3, dtype=np.int64), np.array(THETA), np.array(GAMMA), SIZES)
    worth = [
        [(place in won) / max(len(won), 1) for won in outcomes(3, [*SIZES])] for place in range(3)
    ]
    return float((chance * worth).sum() / 3)


def ratings(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Points, places, ties and 'nobody'; whether the check cries wolf, and whether it sees."""
    lineups = multisets(3, 3)
    share = share_against_two()
    points, alone, places, shared, nobody, misfit, cyclic, warned = ([] for _ in range(8))
    for _ in range(n):
        found = rate(
            made_matches(THETA, lineups, DEALS, gamma=GAMMA, sizes=SIZES, seed=random),
            "s0",
            resamples=RESAMPLES,
        )
        points.append(holds(found.rating("s2").points, POINTS * THETA[2]))
        alone.append(holds(found.rating("s2").alone, share))
        places.append(holds(found.places[0], POINTS * GAMMA[0]))
        shared.append(holds(found.sizes[0][1], SIZES[2]))
        nobody.append(holds(found.nobody, POINTS * np.log(SIZES[0])))
        assert found.check is not None and found.check.cyclic_p is not None
        misfit.append(found.check.p <= ALPHA)
        cyclic.append(found.check.cyclic_p <= ALPHA)
        warned.append(found.warning is not None)
    name = f"three strategies, ten line-ups, {DEALS} deals"
    yield check(f"{name}: points of a rating", EXACT, np.array(points))
    yield check("the same: win share against the anchor", EXACT, np.array(alone))
    yield check("the same: points of a place", EXACT, np.array(places))
    yield check("the same: weight of a shared win", EXACT, np.array(shared))
    yield check("the same: points of 'nobody wins'", EXACT, np.array(nobody))
    yield check("the same: the line-ups do not fit the ratings", ERROR, np.array(misfit), ALPHA)
    yield check("the same: something goes round in circles", ERROR, np.array(cyclic), ALPHA)
    yield check("the same: the ratings mislead", ERROR, np.array(warned), ALPHA)
    flagged = [
        rate(
            made_matches((0, 0, 0), lineups, DEALS, prefer=CIRCLE, seed=random),
            "s0",
            resamples=RESAMPLES,
        ).warning
        is not None
        for _ in range(max(n // 10, 40))
    ]
    yield check("a circle of three: the ratings mislead", ALWAYS, np.array(flagged))


def is_wrong(duel: Duel, strength: Sequence[float]) -> bool:
    """Whether one is called better that is not."""
    better = {Call.AHEAD: duel.first, Call.BEHIND: duel.second}.get(duel.call)
    return better is not None and strength[better] <= min(
        strength[i] for i in (duel.first, duel.second)
    )


def calls(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Pairs of strategies that are called better or worse, all pairs of a table together."""
    for name, strength, lineups, prefer in (
        ("two equal ones at tables of four", (0, 0), [*pairwise(2, 4), (0, 0, 1, 1)], None),
        ("three equal ones, one against the rest", (0, 0, 0), pairwise(3, 3), None),
        ("three equal ones, all line-ups", (0, 0, 0), multisets(3, 3), None),
        ("two that gain where they are rare", (0, 0), pairwise(2, 3), RARE),
        ("two equal ones and a better one", (0, 0, 0.1), multisets(3, 3), None),
        ("a slightly better one", (0, 0.05), pairwise(2, 3), None),
    ):
        wrong = [
            any(
                is_wrong(duel, strength)
                for duel in duels(
                    lines_of(
                        made_matches(
                            strength,
                            lineups,
                            DEALS // 2,
                            gamma=(*GAMMA, 0.0)[: len(lineups[0])],
                            sizes=SIZES,
                            prefer=prefer,
                            seed=random,
                        )
                    ),
                    len(strength),
                    Intervals(),
                )
            )
            for _ in range(n)
        ]
        yield check(f"{name}: any called wrongly", ERROR, np.array(wrong), ALPHA)
    yield noticed(random, n)


def noticed(random: np.random.Generator, n: int) -> Check:
    """How often a family notices who is better after the games that are promised."""
    strength, lineups, deals = (0.0, 0.6), pairwise(2, 3), 100_000
    (duel,) = duels(lines_of(made_matches(strength, lineups, deals, seed=random)), 2, Intervals())
    assert duel.call == Call.AHEAD and duel.notice
    seats = np.array([np.roll(line, turn) for line in lineups for turn in range(3)])
    chance = chances(seats, np.array(strength), np.zeros(3), {1: 1.0}) / len(seats)
    own = seats == duel.first
    apart = np.where(own, 1 / own.sum(axis=1)[:, None], -1 / (~own).sum(axis=1)[:, None]).ravel()
    games = random.multinomial(duel.notice, chance.ravel(), n)  # one at a table, on its own deal
    mean, square = games @ apart / duel.notice, games @ apart**2 / duel.notice
    seen = abs(mean) * np.sqrt(duel.notice) > 1.96 * np.sqrt(square - mean**2)
    return check(f"who is better is noticed after {duel.notice} games", CHANCE, seen, 0.8)


def meta(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Who is first by alpha-rank."""
    best, mean = [], []
    for _ in range(n):
        found = alpha_rank(
            made_matches(THETA, multisets(3, 3), DEALS, seed=random), resamples=RESAMPLES
        )
        level = alpha_rank(
            made_matches((0, 0), multisets(2, 3), DEALS // 2, seed=random), resamples=RESAMPLES
        )
        assert isinstance(found, MetaGame) and isinstance(level, MetaGame)
        best.append(found.mass[2].mean > 0.99)
        mean.append(level.ranks[0, 0] >= 1 - ALPHA)
    yield check("the best of three has all the mass", ALWAYS, np.array(best))
    yield check("of two equal ones the first is first for 95 %", ERROR, np.array(mean), ALPHA)


def uneven(random: np.random.Generator, *shape: int) -> Array:
    """Skewed values in a range, as win shares are, of mean 0 and variance 1."""
    return (random.beta(1, 3, shape) - 1 / 4) / np.sqrt(3 / 80)


def crossed(random: np.random.Generator, deals: int) -> tuple[Array, Array]:
    """A line-up of two strategies on four places; skill 3/4, cards 2, match 1, rest 3."""
    who = np.array([0, 1, 1, 1])[(np.arange(4) - np.arange(4)[:, None]) % 4]
    skill, taste = np.array([1.5, -0.5]), uneven(random, deals, 1)
    rest = random.standard_normal((deals, 4, 4))
    rest -= rest.mean(axis=2, keepdims=True)  # what one gains the others lose
    values = skill[who] + np.sqrt(2) * uneven(random, deals, 1, 4)
    values = values + (np.array([3.0, -1.0]) / np.sqrt(3) * taste)[:, who]
    return values + 2 * rest, np.broadcast_to(who, values.shape)


def skill(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Variance components, and games until the better one leads."""
    true = dict(zip(COMPONENTS, np.array([0.75, 2.0, 1.0, 3.0]) / 6.75, strict=True))
    held: dict[str, list[bool]] = {name: [] for name in COMPONENTS}
    for _ in range(n):
        shares = components(*crossed(random, DEALS)).estimates()
        assert shares is not None
        for name, share in shares.items():
            held[name].append(holds(share, true[name]))
    for name, hits in held.items():
        yield check(f"share of the variance: {name}", EXACT, np.array(hits))
    for ahead, behind in ((0.5, 0.3), (0.3, 0.25)):
        games = games_to_lead(ahead, behind)
        assert games is not None
        won, lost, _ = random.multinomial(games, (ahead, behind, 1 - ahead - behind), n).T
        name = f"ahead in {100 * ahead:.0f} % and behind in {100 * behind:.0f} %"
        yield check(f"{name}: leads after {games} games", CHANCE, won > lost)


def stopping(random: np.random.Generator, n: int) -> Iterator[Check]:
    """Errors of the sequential test at both hypotheses, and its intervals at every look.

    They are what is promised, but rarer where many runs end at the first look.
    """
    for fair, low, high, kind in (
        (0.25, 0.0, 0.02, EXACT),
        (0.25, 0.0, 0.04, ERROR),
        (0.03, -0.005, 0.015, ERROR),
    ):
        test = Sprt(low, high, sd=1.6 * fair + 0.05)
        for truth, wrong in ((low, Decision.HIGH), (high, Decision.LOW)):
            erred, held, deals = [], [], []
            chance = fair + truth
            for _ in range(n):
                luck = random.beta(3 * chance, 3 * (1 - chance), test.most)
                course = test.course(random.binomial(4, luck) / 4, np.full(test.most, fair))
                erred.append(course.decision == wrong)
                held.append(all(holds(look, truth) for look in course.looks))
                deals.append(course.looks[-1].deals)
            name = f"{100 * truth:.1f} points above {100 * fair:.0f} %, {np.mean(deals):.0f} deals"
            yield check(f"{name}: {wrong}", kind, np.array(erred), ALPHA)
            yield check("the same: interval at all looks", ALWAYS, np.array(held))


def savings(random: np.random.Generator, n: int) -> Iterator[Check]:
    """What common deals and control variates save, and whether the mean stays what it is."""
    duplicate, kept, saved, errors = [], [], [], []
    for _ in range(n):
        hand = uneven(random, DEALS, 1)
        games = hand * np.array([1.0, -1.0]) + random.standard_normal((DEALS, 2))
        duplicate.append(holds(duplicate_factor(games), 2.0))
        controls = random.exponential(size=(11 * DEALS, 3)) - 1
        values = 0.3 * controls[:DEALS, 0] ** 2 + controls[:DEALS, 0] + random.normal(size=DEALS)
        found = controlled(values, controls[:DEALS], controls[DEALS:])
        assert isinstance(found, Controlled)
        kept.append(holds(found.controlled, 0.3))
        saved.append(found.factor.mean)
        errors.append((found.plain.mean - 0.3, found.controlled.mean - 0.3))
    yield check("duplicate design, twice the games without it", EXACT, np.array(duplicate))
    yield check("control variates: the mean", EXACT, np.array(kept))
    spread = np.var(errors, axis=0)
    ratio, slack = float(spread[0] / spread[1] / np.mean(saved)), 3 * np.sqrt(4 / n)
    name = f"variance saved by controls, promised {np.mean(saved):.2f} times: seen / promised"
    yield Check(name, CHANCE, ratio, 1 - slack, 1 + slack, n)


PARTS: dict[str, Callable[[np.random.Generator, int], Iterator[Check]]] = {
    "Ratings": ratings,
    "The meta-game": meta,
    "Skill against luck": skill,
    "Stopping when the answer is clear": stopping,
    "What designs save": savings,
}
