"""The chance to win the game from here, as a formula: how the totals may stand when the round ends.

A pile forgets what is in it: each card that its seat collects removes the equal number or adds it,
so with r numbers in play the sum moves by 2 / r of the way to half the sum of all numbers, and
flips of single numbers spread it. The rivals' totals are taken to drift and spread like this until
the round ends, each for itself; the own total to stay about where it is, as its seat can steer.
Bell curves are replaced by the biweight curve, which needs no exponential.
"""

from math import sqrt
from typing import NamedTuple

import numpy as np

from sim.core.cards import has
from sim.core.jit import inlined, kernel
from sim.games.schadenfreude.cards import N_RANKS
from sim.games.schadenfreude.view import pile_of, pile_sum
from strategies.schadenfreude._odds import power

# Measured in 6,000 games of three, four and five `uniform`.
CARDS_A_TRICK = 1.5  # cards that the winner of a trick collects
UNEVEN = 1.1  # variance over that of independent flips, as cards come in bunches

BIWEIGHT = 7.0  # squared half width over variance
STEERED = 2.0  # half width of the own total, in points, before unknown cards
STEP = 4.0  # points of the own total between two that are looked at

# How good a total is when another round follows, as a multiple of that of 0: rises to the crest and
# falls to the limit. Near the maximum likelihood (winners against the totals between rounds of
# 40,000 games of four `uniform`, softmax); of six such lines the best over 3, 4 and 5 players.
CREST = 0.625  # share of the limit at which a total is best
MERIT_AT_CREST, MERIT_AT_LIMIT = 2.0, 0.5


class Drift(NamedTuple):
    """How the piles of this table move until the round ends."""

    middle: float  # half the sum of the numbers of a suit
    spread: float  # variance of a pile in which each number lies or not with the same chance
    forgotten: float  # share that one more card takes off the distance to the middle
    kept: float  # share of the distance that is left at the end of the round


class Rival(NamedTuple):
    """Where a rival's total may stand at the end of the round."""

    mean: float
    narrow: float  # one over the half width
    safe: float  # chance not to pass the limit
    merit: float  # of his mean total when the game goes on


class Rivals(NamedTuple):
    """The rivals in order of play after the own seat; places of smaller tables hold nobody."""

    first: Rival
    second: Rival
    third: Rival
    fourth: Rival


class Own(NamedTuple):
    """Where the own total may stand at the end of the round."""

    mean: float
    half: float  # half width


class Race(NamedTuple):
    """Who stands where, and the chance to win the game as it is."""

    drift: Drift
    rivals: Rivals
    own: Own
    now: float


@kernel
def drift_of(rules, players, tricks_left):
    """How piles move in so many more tricks."""
    total, squares, n_numbers = 0, 0, 0
    for rank in range(N_RANKS):
        if has(rules.deck, rank):
            total += rules.number[rank]
            squares += rules.number[rank] * rules.number[rank]
            n_numbers += 1
    forgotten = 2.0 / max(n_numbers, 2)
    kept = power(1.0 - CARDS_A_TRICK * forgotten / players, tricks_left)
    return Drift(total / 2, squares / 4, forgotten, kept)


@inlined
def cards_kept(drift, cards):
    """Share of a pile's distance from the middle that so many unknown cards leave."""
    kept = 1.0
    while cards >= 1.0:
        kept *= 1.0 - drift.forgotten
        cards -= 1.0
    return kept * (1.0 - drift.forgotten * cards)


@inlined
def mean_total(table, drift, seat, taken, kept):
    """Expected total of a seat that collects these ranks and then keeps this share."""
    pile = pile_sum(table.rules, pile_of(table, seat) ^ taken)
    return table.total[seat] + drift.middle + (pile - drift.middle) * kept


@inlined
def half_width(drift, kept):
    """Half width of the curve of a total whose pile keeps this share."""
    return sqrt(BIWEIGHT * UNEVEN * drift.spread * max(1.0 - kept * kept, 0.0)) + 0.01


@inlined
def rival_of(table, drift, seat, taken, cards):
    """The rival at this seat after he has collected these ranks and so many unknown cards."""
    kept = drift.kept * cards_kept(drift, cards)
    mean = mean_total(table, drift, seat, taken, kept)
    narrow = 1.0 / half_width(drift, kept)
    safe = below_curve((table.rules.safe + 0.5 - mean) * narrow)
    return Rival(mean, narrow, safe, merit(table.rules.safe, mean))


@kernel
def rival_after(table, me, drift, k):
    """The rival `k` places after the own seat as he stands; nobody, far below, beyond the table."""
    if k >= table.players:
        return Rival(-1e9, 1.0, 1.0, 0.0)
    return rival_of(table, drift, (me.seat + k) % table.players, 0, 0.0)


@kernel
def rivals_now(table, me, drift):
    """All rivals as they stand."""
    return Rivals(
        rival_after(table, me, drift, 1),
        rival_after(table, me, drift, 2),
        rival_after(table, me, drift, 3),
        rival_after(table, me, drift, 4),
    )


@inlined
def rivals_with(rivals, k, changed):
    """The same with another standing of the rival `k` places after the own seat."""
    return Rivals(
        changed if k == 1 else rivals.first,
        changed if k == 2 else rivals.second,
        changed if k == 3 else rivals.third,
        changed if k == 4 else rivals.fourth,
    )


@inlined
def own_after(table, me, drift, taken, cards):
    """Where the own total may stand once these ranks and so many unknown cards are collected."""
    kept = cards_kept(drift, cards)
    mean = mean_total(table, drift, me.seat, taken, kept)
    return Own(mean, half_width(drift, kept) + (STEERED if drift.kept < 1.0 else 0.0))


@kernel
def race_of(table, me, tricks_left):
    """The race as it stands, with so many tricks to follow this one."""
    drift = drift_of(table.rules, table.players, tricks_left)
    rivals, own = rivals_now(table, me, drift), own_after(table, me, drift, 0, 0.0)
    return Race(drift, rivals, own, chance_to_win(table, rivals, own))


@inlined
def chance_after(table, me, race, winner, taken, cards):
    """Chance to win the game once the winner has collected these ranks and some unknown cards."""
    if winner == me.seat:
        return chance_to_win(table, race.rivals, own_after(table, me, race.drift, taken, cards))
    k = winner - me.seat + (table.players if winner < me.seat else 0)
    changed = rival_of(table, race.drift, winner, taken, cards)
    return chance_to_win(table, rivals_with(race.rivals, k, changed), race.own)


@kernel
def chance_to_win(table, rivals, own):
    """Chance to win the game against these rivals.

    A mean over the totals that the seat may have at the end of the round. It wins if somebody has
    passed the limit and nobody stands between its total and the limit; if nobody has passed it,
    the game goes on and it wins in proportion to the merits of all totals.
    """
    safe, floor = table.rules.safe, table.rules.floor
    first, second, third, fourth = rivals.first, rivals.second, rivals.third, rivals.fourth
    goes_on = first.safe * second.safe * third.safe * fourth.safe
    merits = first.merit + second.merit + third.merit + fourth.merit
    n_points = int(2.0 * own.half / STEP) + 1
    chance = 0.0
    for i in range(n_points):
        total = own.mean + own.half * POINT[n_points, i]
        if floor and total < 0.0:
            total = 0.0
        if total > safe + 0.5:
            break
        a, b = lower(first, total), lower(second, total)
        unbeaten, all_lower = (1.0 - first.safe + a) * (1.0 - second.safe + b), a * b
        if table.players > 3:
            c = lower(third, total)
            unbeaten, all_lower = unbeaten * (1.0 - third.safe + c), all_lower * c
        if table.players > 4:
            d = lower(fourth, total)
            unbeaten, all_lower = unbeaten * (1.0 - fourth.safe + d), all_lower * d
        mine = merit(safe, total)
        chance += SHARE[n_points, i] * (unbeaten - all_lower + goes_on * mine / (mine + merits))
    return chance


@inlined
def lower(rival, total):
    """Chance that the rival ends below this total, which is not above the limit."""
    return min(below_curve((total - rival.mean) * rival.narrow), rival.safe)


@inlined
def merit(limit, total):
    """How good a total is when the game goes on."""
    place = min(max(total / limit, 0.0), 1.0) if limit > 0 else 0.0
    if place <= CREST:
        return 1.0 + (MERIT_AT_CREST - 1.0) * place / CREST
    fall = (place - CREST) / (1.0 - CREST)
    return MERIT_AT_CREST - (MERIT_AT_CREST - MERIT_AT_LIMIT) * fall


def _below_curve(x):
    """The part of the biweight curve below x, its half width being 1."""
    # Without a jump, since on which side of the ends x lies cannot be foreseen.
    inside = min(max(x, -1.0), 1.0)
    below = 0.5 + 0.9375 * inside * (1.0 - inside * inside * (2.0 / 3.0 - 0.2 * inside * inside))
    return below if x > -1.0 else 0.0


below_curve = kernel(_below_curve)


def _points(most):
    """The middles of n equal parts of the curve, and the share of each [n, part], for all n."""
    middle, share = np.zeros((most + 1, most)), np.zeros((most + 1, most))
    for n in range(1, most + 1):
        below = 0.0
        for i in range(n):
            edge = 2.0 * (i + 1) / n - 1.0
            middle[n, i], share[n, i] = edge - 1.0 / n, _below_curve(edge) - below
            below += share[n, i]
    return middle, share


# Looked up, since a chance to win takes up to a dozen of them and a decision up to forty chances.
MOST_POINTS = 16  # with all numbers of a suit in play it takes 14
POINT, SHARE = _points(MOST_POINTS)
