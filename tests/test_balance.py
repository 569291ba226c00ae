"""Balance questions answered: what is found in the games, and how sure it is."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from scipy.stats import t as student

from analysis.balance import Answer, Play, answer
from analysis.cases import Case, Played, places
from analysis.exemplars import exemplars
from analysis.fairness import Verdict
from analysis.intervals import Estimate
from analysis.moments import Floats, Moments
from analysis.neutrality import explained
from analysis.power import games_to_notice
from analysis.question_files import read
from analysis.questions import Claim, Setting
from analysis.samples import by_deal, cumulated, curve
from analysis.winshares import GROUPS, estimate, histogram, measure_of
from reports import balance as pages
from reports import verdicts
from reports.page import render
from sim import catalog
from sim.cli.answers import as_object
from sim.core.game import SHARE_UNIT, Words
from sim.experiment import Experiment, Lineup, Variant
from sim.replay import replay
from sim.results import Cell, Run
from sim.store import games_of
from tests.made_questions import HEAD, claim, of_value, search, written
from tests.made_runs import LANTERNS, totals


def means(case: Case) -> tuple[float, ...]:
    """The two values that the first difference of a case subtracts."""
    return tuple(one.mean if isinstance(one, Estimate) else one for one in case.values[0])


# Claims


def test_what_is_known_to_be_so_is_found(rigged: Answer) -> None:
    assert {one.claim.name: one.verdict for one in rigged.claims} == {
        "far": Verdict.FAIR,
        "near": Verdict.UNFAIR,
        "order": Verdict.INCONCLUSIVE,
        "gaps": Verdict.FAIR,
        "totals": Verdict.UNFAIR,
        "short": Verdict.UNFAIR,
        "hand": Verdict.FAIR,
    }
    (found,) = rigged.searches
    assert found.screening.candidates[found.screening.reference].name == "none"
    assert {one.candidate.name for one in found.confirmation.finalists} == {"-1", "9"}


def test_differences_are_those_of_the_means(rigged: Answer) -> None:
    for one in rigged.claims:
        for case in one.cases:
            for (first, second), found in zip(
                case.values, case.finding.contrasts.estimate, strict=True
            ):
                assert isinstance(second, Estimate)
                assert found == pytest.approx(first.mean - second.mean)


def test_what_is_compared_is_subtracted_deal_by_deal(rigged: Answer) -> None:
    one = rigged.claims[-2]
    (case,) = one.cases
    there, here = (rigged.played[s] for s in one.claim.settings)
    rounds = [
        np.reshape(games_of(played.runs[0], ["rounds"])["rounds"], (300, 3)).mean(axis=1)
        for played in (here, there)
    ]
    assert case.finding.contrasts.se is not None
    (se,) = case.finding.contrasts.se
    assert se == pytest.approx((rounds[0] - rounds[1]).std(ddof=1) / 300**0.5)
    (saved,) = case.saved
    assert saved == pytest.approx(sum(r.var() for r in rounds) / (rounds[0] - rounds[1]).var())
    assert means(case) == pytest.approx([found.mean() for found in rounds])
    assert means(case)[0] < means(case)[1]  # the first is compared with
    assert case.notice[0] is not None and case.notice[0] < 20


def test_what_is_subtracted_has_intervals_of_its_own(rigged: Answer) -> None:
    """Recomputed from the stored games: Student's over deals, at most a little wider (skewness)."""
    every = {one.claim.name: one.cases[0] for one in rigged.claims}

    def column(setting: Setting, name: str) -> Floats:  # [games, seats]
        names = [f"{name}_{seat}" for seat in range(setting.players)]
        return np.stack(
            [*games_of(rigged.played[setting].runs[0], names).values()], axis=1, dtype=float
        )

    def of_games(name: str, setting: Setting) -> Floats:
        if name == "short":
            found = games_of(rigged.played[setting].runs[0], ["rounds"])["rounds"]
            return np.asarray(found, float)
        if name == "totals":
            most = int(every[name].pairs[5].first)
            return np.asarray((column(setting, "score") <= most).mean(axis=1))
        shares, is_ours = column(setting, "win_share") / SHARE_UNIT, column(setting, "entry") == 0
        theirs = np.where(is_ours, 0, shares).sum(axis=1) / (setting.players - 1)
        return np.asarray(np.where(is_ours, shares, 0).sum(axis=1) - theirs)

    for name, pair in (("short", 0), ("totals", 5), ("gaps", 0)):
        case = every[name]
        assert case.against is not None
        for value, setting in zip(case.values[pair], (case.setting, case.against), strict=True):
            assert isinstance(value, Estimate) and value.low is not None and value.high is not None
            deals = of_games(name, setting).reshape(300, -1).mean(axis=1)
            half = student.ppf(0.975, 299) * deals.std(ddof=1) / 300**0.5
            assert value.mean == pytest.approx(deals.mean()) and half > 0
            for reach in (value.mean - value.low, value.high - value.mean):
                assert 0.999 * half < reach < 1.1 * half
    case = every["order"]
    cell = rigged.cells[case.setting]
    spread, first = Moments.from_cell(cell, rigged.question.game).se, case.values[0][0]
    assert spread is not None
    se = spread[0]
    assert first.se == pytest.approx(se) and first.games == first.deals * 3 == 900
    assert first.low == pytest.approx(first.mean - student.ppf(0.975, 299) * se, rel=1e-3)


def test_a_distribution_is_compared_at_every_value(rigged: Answer) -> None:
    (case,) = rigged.claims[-3].cases
    game, column = rigged.question.game, "score"
    there, here = (histogram(rigged.cells[s], column) for s in rigged.claims[-3].claim.settings)
    measure = measure_of(game, column)
    assert measure is not None
    first = int(case.pairs[0].first) - measure.low
    apart = (np.cumsum(here) - np.cumsum(there))[first : first + len(case.pairs)]
    assert case.finding.contrasts.estimate == pytest.approx(apart)
    assert abs(apart).max() > 0.5  # nobody has 11 points or more with a limit of 10 ... but losers


@pytest.mark.parametrize("column", ["score", "rounds"])
def test_curves_are_those_of_the_single_deals(rigged: Answer, column: str) -> None:
    (claimed,) = (one for one in rigged.claims if one.claim.name == "totals")
    (run,) = rigged.played[claimed.cases[0].setting].runs
    measure = measure_of(run.game, column)
    assert measure is not None
    every = range(measure.low, measure.high + 1)
    deals = by_deal(run, cumulated(run, column, every)).mean(axis=1)
    here, there = curve(run, column), Moments.from_values(deals)
    assert here.deals == there.deals
    assert here.mean == pytest.approx(there.mean)
    assert here.covariance == pytest.approx(there.covariance, abs=1e-12)


def test_all_seats_of_a_game_are_noted(rigged: Answer) -> None:
    """Seats of one game are relatives: the variance a game is that of their mean, as it is."""
    one = next(one for one in rigged.claims if one.claim.name == "totals")
    (case,) = one.cases
    shares = []
    for setting in one.claim.settings:
        names = [f"score_{seat}" for seat in range(setting.players)]
        table = games_of(rigged.played[setting].runs[0], names)
        shares.append(np.stack([table[name] for name in names], axis=1) <= int(case.pairs[5].first))
    variance = sum(share.mean(axis=1).var() for share in shares)
    apart = shares[1].mean() - shares[0].mean()
    assert case.notice[5] == games_to_notice(apart, variance)


def test_a_family_is_decided_together(rigged: Answer) -> None:
    assert {case.finding.family for one in rigged.claims for case in one.cases} == {9}


def test_equal_strategies_of_a_ladder_are_one_rung(rigged: Answer) -> None:
    (case,) = rigged.claims[3].cases
    assert [(pair.first, pair.second) for pair in case.pairs] == [("target40", "uniform")]


def test_gaps_are_compared_between_numbers_of_players(tmp_path: Path, quietly: Play) -> None:
    lead = claim(kind='"ladder"', players="[3, 4]", variants='"rule"', lineups='"target40,uniform"')
    found = answer(read(written(tmp_path, HEAD + lead)), quietly)
    (case,) = found.claims[0].cases
    assert case.against is not None and (case.setting.players, case.against.players) == (4, 3)
    gaps = []
    for setting in (case.setting, case.against):
        n = setting.players
        (target, uniform) = (
            estimate(
                found.cells[setting], found.question.game, "strategy", "win_share", members
            ).mean
            for members in ((0,), range(1, n))
        )
        gaps.append(target - uniform)
    assert means(case) == pytest.approx(gaps)
    assert 'than with "three players" (' in verdicts.sentence(found, found.claims[0], "en")
    assert len(render(pages.page(found, "zh"))) > 10_000


def test_a_mean_is_held_against_a_number(tmp_path: Path, quietly: Play) -> None:
    one = {"rules": "{ max_rounds = 1 }", "deals": "2000"}
    gap = {"lineups": '"target40,uniform"', "estimand": '"win_share"', "margin": "2"}
    text = "".join(
        (
            of_value("same", "1", **one),
            of_value("more", "0", **one),
            of_value("less", "2.5", **one),
            of_value("ahead", "0", **gap),
            of_value("behind", "90", **gap),
            of_value("last", "0", **gap | {"lineups": '"uniform,target40"'}),
        )
    )
    found = answer(read(written(tmp_path, HEAD + text)), quietly)
    assert [verdicts.word(each, "en") for each in found.claims] == [
        "SAME",
        "ABOVE",
        "BELOW",
        "ABOVE",
        "BELOW",
        "BELOW",
    ]
    assert [each.side for each in found.claims] == [0, 1, -1, 1, -1, -1] and found.side("all") == 0
    lead, case = found.claims[3].cases[0], found.claims[4].cases[0]
    assert [(pair.first, pair.second) for pair in lead.pairs] == [("target40", "uniform")]
    assert means(lead) == pytest.approx((lead.signed, 0))
    assert case.signed == pytest.approx(lead.signed - 0.9)
    texts = [verdicts.sentence(found, each, "en") for each in found.claims]
    assert "The largest: 1.50 rounds below 2.5 rounds (" in texts[2]
    assert "target40 is " in texts[3] and " ahead of uniform (" in texts[3]
    assert "the lead of target40 over uniform is " in texts[4]
    keys = [verdicts.named(found, each.claim, each.cases[0], "en") for each in found.claims[3:]]
    assert [key.split(";")[0] for key in keys] == ["target40 − uniform"] * 3  # all sizes positive
    for each in found.claims[3:]:
        told = verdicts.sentence(found, each, "zh")
        assert catalog.title("uniform", "schadenfreude").zh in told and "uniform" not in told
    assert as_object(found, tmp_path)["claims"][4]["value"] == 0.9
    assert len(render(pages.page(found, "zh"))) > 10_000


def test_a_hand_explains_what_it_does_with_one_seed(rigged: Answer) -> None:
    (case,) = rigged.claims[-1].cases
    assert case.against is not None
    kept = rigged.kept[case.setting], rigged.kept[case.against]
    assert [one.values.shape for one in kept] == [(300, 4), (300, 4)]
    assert not (kept[0].values == kept[1].values).all()
    again = explained(kept[1].values, kept[0].values)
    assert again is not None
    assert means(case) == pytest.approx((again.mean[1], again.mean[0]))


def test_what_never_varies_is_the_same_after_enough_deals(tmp_path: Path, quietly: Play) -> None:
    same = claim(
        kind='"comparability"',
        lineups='"uniform"',
        estimand='"rounds"',
        rules="{ max_rounds = 1 }",
        deals="20",
    )
    more = same.replace('"order"', '"more"').replace("deals = 20", "deals = 2000")
    few, many = answer(read(written(tmp_path, HEAD + same + more)), quietly).claims
    assert [one.verdict for one in (few, many)] == [Verdict.INCONCLUSIVE, Verdict.FAIR]
    found = verdicts.estimates(many.cases[0])[0]
    assert found.mean == 0 and found.high is not None and 0 < found.high < 0.5


def test_places_that_always_score_alike_are_fair_after_enough_deals() -> None:
    claim = Claim("c", "places", "f", Words("c", "c"), "candles", 0.25, False, ())
    setting = Setting(3, Variant("rule", ()), Lineup("steady", ("steady",) * 3), "", "games", 0)

    def verdict(deals: int) -> Verdict:
        found = totals(deals, 3, 3, seed=1)
        at = GROUPS.index("place"), LANTERNS.seat_columns.index("candles")
        found["sum"][at] = 3 * 6 * deals  # six candles for every place of every deal
        found["cross"][at] = (3 * 6) ** 2 * deals
        played = Played(setting, (), Cell("rule", ("steady",) * 3, 3, found))
        return places(claim, played, LANTERNS, None).finding.verdict

    assert [verdict(20), verdict(2000)] == [Verdict.INCONCLUSIVE, Verdict.FAIR]


# How much is played


def test_a_precision_is_reached_in_blocks(tmp_path: Path, quietly: Play) -> None:
    question = read(written(tmp_path, HEAD + claim(variants='"rule"', lineups='"uniform"')))
    played: list[Experiment] = []

    def watched(experiment: Experiment) -> Run:
        played.append(experiment)
        return quietly(experiment)

    found = answer(question, watched, 0.05)
    (case,) = found.claims[0].cases
    assert case.half_width is not None and (case.half_width <= 0.05).all()
    assert case.finding.planned is not None
    assert case.finding.contrasts.deals == sum(experiment.deals for experiment in played)
    assert len({experiment.seed for experiment in played}) == len(played)


def test_a_precision_is_one_of_the_headline(tmp_path: Path, quietly: Play) -> None:
    second = HEAD + HEAD[HEAD.index("[[family]]") :].replace('"all"', '"other"')
    text = (
        second
        + claim(variants='"rule"', lineups='"uniform"')
        + claim(name='"round"', variants='"rule"', lineups='"uniform"', estimand='"first_round"')
        + claim(name='"else"', family='"other"', variants='"kept"', lineups='"uniform"')
    )
    found = answer(read(written(tmp_path, text)), quietly, 0.05)
    deals = [one.cases[0].finding.contrasts.deals for one in found.claims]
    assert deals[0] == deals[1] >= 1000 and deals[2] == 300
    planned = [one.cases[0].finding.planned for one in found.claims]
    assert planned[0] is not None and planned[1:] == [300, None]


# Searches


def test_a_search_is_confirmed_on_deals_that_chose_nothing(rigged: Answer) -> None:
    (found,) = rigged.searches
    stages = found.screening, found.confirmation.stage
    assert [stage.measured[0][0].deals for stage in stages] == [200, 300]
    (finalist, *_) = found.confirmation.finalists
    row = [one.name for one in stages[1].candidates].index(finalist.candidate.name)
    apart = stages[1].values[row] - stages[1].values[stages[1].reference]
    assert [one.goal for one in found.search.criteria] == ["most", "least"]
    worse = [one.worse for one in finalist.comparisons]
    assert worse == pytest.approx([-apart[0], apart[1]])


def test_a_search_holds_distributions_against_a_target(quietly: Play, tmp_path: Path) -> None:
    likeness = {"of": '"distribution"', "estimand": '"score"', "goal": '"least"', "target": "4"}
    likeness |= {"lineup": '"uniform"'}
    text = search(likeness, lineups='["uniform"]', deals="30", confirm="40", nearest="0")
    text = HEAD + claim(name='"seats"', lineups='"uniform"', deals="30") + text
    (found,) = answer(read(written(tmp_path, text)), quietly).searches
    for played, deals in ((found.screening, 30), (found.confirmation.stage, 40)):
        (rule,) = played.measured[played.reference]
        assert (rule.deals, rule.games) == (deals, deals)
        assert rule.interval()[0] <= rule.value < rule.interval()[1] <= 1


# Samples


def test_games_worth_reading_follow_their_rule(rigged: Answer) -> None:
    found = {one.rule: one for one in exemplars(rigged)}
    game = found["hand"]
    ((hand,),) = {
        tuple(
            {
                labels[seat]
                for labels, seats in zip(game.labels, game.firsts, strict=True)
                for seat in seats
            }
        )
    }
    # What is told is true of the games themselves: the cards, and what they were worth.
    dealt, scores = [], []
    for lines in replay(game.experiment, game.deal, game.deal + 1):
        start = next(line["start"] for line in lines if line["type"] == "round")
        hands = next(line["hands"] for line in lines if line["type"] == "deal")
        scored = next(line["round_scores"] for line in lines if line["type"] == "score")
        seat = (start + len(dealt) + int(hand)) % 3  # a hand goes one place on from game to game
        dealt.append(hands[seat])
        scores.append(tuple(scored))
        assert scored[seat] == max(scored) and scored.count(max(scored)) == 1
    assert len(dealt) == 3 and dealt[0] == dealt[1] == dealt[2]
    assert game.values == tuple(scores)
    shown = next(
        one
        for part in pages.page(rigged, "en").sections
        for one in part.exhibits
        if one.id.startswith("read-")
    )
    assert "by the first round" in shown.lead and "Result" not in shown.text
    assert all(len(line.cells) == 5 for line in shown.table.lines)
    if "gap" in found:
        game = found["gap"]
        best = game.experiment.lineups[0].labels[0]
        assert {game.labels[t][s] for t, seats in enumerate(game.firsts) for s in seats} == {best}
        assert len(game.others) == 3 and best not in {name for won in game.others for name in won}
