"""Question files: what they say, what ships, and every mistake with its line."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest

from analysis import question_files
from analysis.question_files import read
from analysis.questions import KINDS, Question
from sim.errors import Mistake
from tests.made_questions import HEAD, claim, search, written

SPARE = '\nname = "spare"\ntitle = { en = "spare", zh = "无" }\n\n'


def question(folder: Path, *claims: str, head: str = HEAD, **flags: Any) -> Question:
    return read(written(folder, head + "".join(claims or (claim(),))), flags)


def problems(folder: Path, *claims: str, head: str = HEAD) -> list[str]:
    with pytest.raises(Mistake) as caught:
        question(folder, *claims, head=head)
    found = [problem.removeprefix(f"{folder}/question.toml:") for problem in caught.value.problems]
    assert all(re.match(r"\d+: ", problem) for problem in found)
    return found


# What a file says


def test_every_combination_is_a_setting(tmp_path: Path) -> None:
    (found,) = question(tmp_path, claim(players="[3, 4]")).claims
    assert [(s.players, s.variant.name, s.lineup.name) for s in found.settings] == [
        (players, variant, lineup)
        for players in (3, 4)
        for variant in ("rule", "kept")
        for lineup in ("uniform", "lowest")
    ]
    assert {s.rotate for s in found.settings} == {"hands"}
    assert {s.deals for s in found.settings} == {300}
    assert found.settings[2].variant.switches["removed_3p"] == []


def test_a_margin_of_a_share_is_in_percentage_points(tmp_path: Path) -> None:
    shares, scores = question(
        tmp_path, claim(), claim(name='"round"', estimand='"first_round"')
    ).claims
    assert (shares.margin, shares.is_rate) == (0.005, True)
    assert (scores.margin, scores.is_rate) == (0.5, False)


def test_the_usual_margin_is_half_a_point_of_win_share(tmp_path: Path) -> None:
    (found,) = question(tmp_path, claim(margin="")).claims
    assert (found.margin, found.is_rate) == (0.005, True)


def test_every_setting_is_played_once_and_what_is_compared_on_the_same_deals(
    tmp_path: Path,
) -> None:
    gaps = {"kind": '"ladder"', "lineups": '"lowest,uniform,highest"'}
    found = question(
        tmp_path,
        claim(),
        claim(name='"round"', estimand='"first_round"'),
        claim(name='"gaps"', **gaps),
        claim(name='"more"', variants='["kept", "rule"]', **gaps),
    )
    order, round_, gap, more = found.claims
    assert len(found.settings) == 6
    assert order.settings == round_.settings
    seeds = [
        {found.experiment(s, block=block).seed for s in one.settings}
        for block in (0, 1)
        for one in (order, gap)
    ]
    assert len(set.union(*seeds)) == 4 and all(len(seed) == 1 for seed in seeds)
    assert found.together(gap) == found.together(more)
    assert [found.experiment(s).mode for s in gap.settings] == ["games", "games"]
    assert found.games == 6 * 300 * 3


def test_a_line_up_is_compared_with_itself(tmp_path: Path) -> None:
    (found,) = question(
        tmp_path,
        claim(
            kind='"comparability"',
            players="[4, 3]",
            variants='"rule"',
            lineups='["lowest", "uniform,highest"]',
        ),
    ).claims
    assert [
        [(setting.players, setting.lineup.name) for setting in case if setting is not None]
        for case in found.cases
    ] == [
        [(3, "lowest"), (4, "lowest")],
        [(3, "uniform,highest,uniform"), (4, "uniform,highest,uniform,highest")],
    ]
    assert [here.rotate for here, _ in found.cases] == ["hands", "strategies"]


@pytest.mark.parametrize("kind", ["ladder", "value"])
def test_the_last_strategy_of_a_ladder_fills_the_seats(tmp_path: Path, kind: str) -> None:
    (found,) = question(
        tmp_path,
        claim(
            kind=f'"{kind}"',
            players="[4, 3]",
            lineups='["lowest, uniform"]',
            value="-5" if kind == "value" else "",
        ),
    ).claims
    assert [(s.lineup.name, s.lineup.strategies) for s in found.settings[::2]] == [
        ("lowest,uniform", ("lowest", *["uniform"] * 3)),
        ("lowest,uniform", ("lowest", *["uniform"] * 2)),
    ]
    assert found.lineups == ("lowest,uniform",)
    assert found.value == (-0.05 if kind == "value" else 0)
    assert len(found.cases) == (4 if kind == "value" else 3)


def test_flags_go_before_the_file(tmp_path: Path) -> None:
    found = question(tmp_path, claim(deals="500"), deals="20", seed="9")
    assert {s.deals for s in found.settings} == {20}
    assert found.seed == 9
    assert {s.deals for s in question(tmp_path, claim(deals="500")).settings} == {500}


def test_every_line_up_may_have_its_number_of_deals(tmp_path: Path) -> None:
    (found,) = question(tmp_path, claim(deals="[40, 50]")).claims
    assert [(s.lineup.name, s.deals) for s in found.settings[:2]] == [
        ("uniform", 40),
        ("lowest", 50),
    ]
    (problem,) = problems(tmp_path, claim(deals="[40, 50, 60]"))
    assert problem.endswith("deals: 3 numbers for 2 line-ups; allowed: one, or one for each")
    (problem,) = problems(tmp_path, claim(deals="[40, 1]"))
    assert problem.endswith("deals: 1 is not allowed; allowed: an integer 20..1000000000")


def test_texts_are_one_line(tmp_path: Path) -> None:
    head = HEAD.replace('"What it is about."', '"""\nWhat it\nis about.\n"""')
    assert question(tmp_path, head=head).text.en == "What it is about."


# What ships


@pytest.mark.parametrize("name", question_files.shipped())
def test_a_shipped_question_has_no_mistake(name: str) -> None:
    found = read(name)
    assert found.name == name
    assert {one.family for one in (*found.claims, *found.searches)} == set(found.families)
    assert {s.variant.name for s in found.settings} == set(found.variants)
    for name, family in found.families.items():
        assert family.title.en.endswith("?"), family.title  # the verdict answers it
        assert family.title.zh.endswith("？"), family.title
        kinds = {one.kind for one in found.claims if one.family == name}
        if kinds and family.advice:  # a search says by itself what to do
            assert set(question_files.ADVICE) <= set(family.advice), name


def test_a_draw_and_a_cap_are_asked_for_apart() -> None:
    asked = [(claim.estimand, claim.family) for claim in read("kanpai/unfinished").claims]
    for estimand in ("unfinished", "draw"):
        assert {column for column, family in asked if family == estimand} == {estimand}


@pytest.mark.parametrize("name", question_files.shipped())
def test_what_does_not_matter_does_not_matter_in_a_search_either(name: str) -> None:
    found = read(name)
    kinds = {"places": "places", "gap": "ladder", "mean": "comparability"}
    margins = {(one.kind, one.estimand): one.margin for one in found.claims}
    for one in (one for each in found.searches for one in each.criteria):
        key = kinds.get(one.of, one.of), one.estimand
        assert one.margin == margins.get(key, one.margin), one.name


@pytest.mark.parametrize("name", question_files.shipped())
def test_advice_speaks_of_no_strategy_that_was_not_tried(name: str) -> None:
    told = [text for family in read(name).families.values() for text in family.advice.values()]
    assert not [text for text in told if "whoever plays" in text.en or "无论谁来打" in text.zh]


def test_questions_ship_with_the_package(root: Path) -> None:
    package = tomllib.loads((root / "pyproject.toml").read_text())["tool"]["setuptools"]
    assert package["packages"]["find"]["namespaces"]  # a folder without sources is a package too
    assert {path.suffix for path in question_files.shipped().values()} == {".toml"}
    assert "*.toml" in package["package-data"]["*"]


def test_the_examples_of_the_guide_are_good(root: Path, tmp_path: Path) -> None:
    parts = re.findall(r"```toml\n(.*?)```", (root / "docs/questions.md").read_text(), re.DOTALL)
    found = read(written(tmp_path, "\n".join(parts)))
    assert {one.kind for one in found.claims} | {"search"} == set(KINDS)
    assert found.searches


# Mistakes


@pytest.mark.parametrize(
    ("changes", "problem"),
    [
        ({"kind": '"place"'}, "claim[0].kind: unknown kind 'place' (did you mean 'places'?)"),
        ({"kind": ""}, "claim[0].kind: is missing; allowed: places, ladder, value, "),
        ({"estimand": '"win_shar"'}, "estimand 'win_shar' (did you mean 'win_share'?); allowed: "),
        ({"estimand": '"nobody"'}, "unknown estimand 'nobody'"),  # of no place
        ({"margin": "100"}, "margin: 100 is not allowed; allowed: a number above 0 and below 100"),
        (
            {"margin": "0"},
            "margin: 0 is not allowed; allowed: a number above 0 and below 100, in per",
        ),
        ({"margin": "-0.5"}, "margin: -0.5 is not allowed"),
        ({"margin": "inf"}, "margin: inf is not allowed"),
        ({"margin": '"0.5"'}, "margin: '0.5' is not allowed"),
        (
            {"margin": "", "estimand": '"first_round"'},
            "margin: is missing; give a number above 0, in",
        ),
        ({"players": "6"}, "players: 6 is not allowed; allowed: 3, 4, 5"),
        ({"players": "[]"}, "players: [] is not allowed"),
        ({"players": "[3, true]"}, "players: True is not allowed"),
        ({"variants": '"rul"'}, "unknown variant 'rul' (did you mean 'rule'?); allowed: rule, k"),
        ({"variants": "[]"}, "variants: [] is not allowed; allowed: a list of names"),
        ({"lineups": '"unifrom"'}, "unknown strategy 'unifrom' (did you mean 'uniform'?)"),
        ({"lineups": '"uniform,lowest"'}, "2 strategies for 3 players; allowed: 1 or 3"),
        ({"kind": '"ladder"', "lineups": '"lowest"'}, "lowest: kind ladder needs line-ups, best"),
        (
            {"kind": '"ladder"', "variants": '"rule"', "lineups": '"lowest,uniform,highest"'},
            "kind ladder needs two settings or more; the first is compared with",
        ),
        (
            {
                "kind": '"ladder"',
                "players": "[3, 4]",
                "lineups": '"lowest,uniform,highest,target40"',
            },
            "claim[0].lineups: 4 strategies for 3 players; allowed: so many, or fewer, the last",
        ),
        ({"kind": '"value"'}, "claim[0].value: is missing; give a number above -100 and bel"),
        (
            {"kind": '"value"', "value": "100"},
            "value: 100 is not allowed; allowed: a number above -100",
        ),
        ({"value": "1"}, "claim[0].value: is only for claims of kind value"),
        ({"kind": '"comparability"', "variants": '"rule"', "lineups": '"uniform"'}, "two settings"),
        ({"family": '"al"'}, "claim[0].family: unknown family 'al' (did you mean 'all'?)"),
        ({"deals": "1"}, "claim[0].deals: 1 is not allowed; allowed: an integer 20..1000000000"),
        ({"title": '{ en = "order" }'}, "claim[0].title.zh: is missing; give a text"),
        ({"kind": "[]"}, "unknown kind '[]'"),
        ({"name": ""}, "claim[0].name: is missing; give it a name"),
        ({"extra": "1"}, "claim[0].extra: unknown key 'extra'"),
    ],
)
def test_a_mistake_of_a_claim_is_one_line(
    tmp_path: Path, changes: dict[str, str], problem: str
) -> None:
    (found,) = problems(tmp_path, claim(**changes))
    assert problem in found


HANDS = {
    "kind": '"hands"',
    "lineups": '"uniform"',
    "estimand": '"first_round"',
    "redraws": "4",
}


def test_a_search_has_all_subsets_as_candidates(tmp_path: Path) -> None:
    found = question(tmp_path, claim(), search(name='"better"'))
    (one,) = found.searches
    assert [c.name for c in one.candidates] == ["none", "-1", "9"]
    assert (one.reference, one.deals, one.confirm) == ("none", (300, 300), (300, 300))
    screened = found.trial(one, 0, 0, ["none", "-1", "9"], 3)
    assert [v.switches["removed_3p"] for v in screened.variants] == [[], [-1], [9]]
    fresh = found.trial(one, 0, 1, ["9"], 3)
    assert fresh.seed not in (screened.seed, found.experiment(found.settings[0]).seed)
    assert fresh.mode == "games"
    assert found.games == 4 * 900 + found.games_of(one) == 4 * 900 + 2 * 3 * 300 * (3 + 1)
    asked = question(tmp_path, claim(), search(name='"better"', always="[[], [9]]"))
    assert asked.searches[0].always == ("none", "9")


def test_hands_are_turned_where_places_are_compared(tmp_path: Path) -> None:
    places = {"of": '"places"', "lineup": '"uniform"', "goal": '"least"', "margin": ""}
    for criterion, rotate, games in ((None, "strategies", 1), (places, "hands", 3)):
        (one,) = (found := question(tmp_path, claim(), search(criterion, name='"better"'))).searches
        every = [found.trial(one, i, stage, ["9"], 3) for i in (0, 1) for stage in (0, 1)]
        assert [run.rotate for run in every] == ["strategies"] * 2 + [rotate] * 2
        assert [run.games for run in every] == [900] * 2 + [300 * games] * 2


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            claim(**HANDS, margin="0"),
            "margin: 0 is not allowed; allowed: a number above 0 and below 100",
        ),
        (claim(**(HANDS | {"redraws": ""})), "claim[1].redraws: is missing"),
        (claim(redraws="4"), "claim[1].redraws: is only for claims of kind hands"),
        (claim(rules="{ max_rounds = 0 }"), "claim[1].rules.max_rounds: 0 is not allowed; allow"),
        (search(switch='"limit"'), "unknown switch 'limit'; allowed: removed_3p"),
        (search(sizes="[1]"), "claim[1].sizes: the rule in use, [], is not among these"),
        (search(among='"all"'), "among: 'all' is not allowed; allowed: a list of whole numbers"),
        (
            search(among="[-1, 99]"),
            "claim[1].among: 99 is not allowed; allowed: a list",
        ),
        (search(variants='["rule", "kept"]'), "kind search needs one number of players and one"),
        (search(always="[9]"), "always: [9] is not allowed; allowed: lists of whole numbers"),
        (search(always="[[], [9, -1]]"), "always[1]: [9, -1] is no candidate; allowed: what"),
        (search(always="[[9, 9]]"), "claim[1].always[0]: [9, 9] is no candidate"),
        (search(always="[['x']]"), "always[0]: 'x' is not allowed; allowed: an integer"),
        (claim(always="[[]]"), "claim[1].always: is only for claims of kind search"),
        (search(margin="1"), "claim[1].margin: is not for kind search; criteria have their own"),
        (
            search({"of": '"mode"'}),
            "criteria[0].of: unknown of 'mode' (did you mean 'mean'?)",
        ),
        (
            search({"lineup": '"uniform"'}),
            "a gap needs a line-up of several strategies, best f",
        ),
        (search({"lineup": '"lowest"'}), "unknown lineup 'lowest'"),
        (search({"goal": '"best"'}), "goal: unknown goal 'best' (did you mean 'least'?)"),
        (
            search({"of": '"distribution"', "estimand": '"score"'}),
            "target: is missing; give",
        ),
        (search({"of": '"mean"', "target": "9"}), "target: 9 is not allowed; allowed: 3, 4, 5"),
        (search({"target": "4"}), "target: is only for a mean or a distribution"),
        (search({"margin": "-1"}), "criteria[0].margin: -1 is not allowed"),
        (search({"extra": "1"}), "criteria[0].extra: unknown key 'extra'"),
    ],
)
def test_a_mistake_of_hands_or_a_search_is_one_line(
    tmp_path: Path, text: str, problem: str
) -> None:
    found = problems(tmp_path, claim(), text.replace('"order"', '"other"'))
    assert len(found) == 1 and problem in found[0], found


def test_what_beats_the_rule_is_named_only_if_something_does(tmp_path: Path) -> None:
    family = HEAD[HEAD.index("[[family]]") :].replace('"all"', '"other"')
    said = '{key} = {{ en = "So: {{found}}.", zh = "即：{{found}}。" }}\n'
    text = HEAD + family + "".join(said.format(key=key) for key in ("fair", "unfair"))
    (found,) = problems(tmp_path, claim(), search(name='"better"', family='"other"'), head=text)
    assert "family[1].fair: {found} is what beats the rule in use: say it under unfair" in found


def test_a_headline_needs_a_claim(tmp_path: Path) -> None:
    (found,) = problems(tmp_path, search())
    assert "family: 'all', the first, needs a claim that is no search" in found


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        (
            'title = { en = "Everything", zh = "全部" }',
            'title = { en = "Everything", zh = "全部" }\nabove = { en = "more", zh = "多" }',
            "family[0].above: is only for a family of claims of kind value",
        ),
        ('"schadenfreude"', '"schadenfroh"', "game: unknown game 'schadenfroh' (did you mean "),
        ("seed = 5", "seed = -5", "seed: -5 is not allowed"),
        (
            "removed_3p = []",
            "hand_size = 16",
            "hand_size=16 is more than the 38 cards in play give 3",
        ),
        ("[]", "[-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9]", "leaves 2 cards for 3 players; remove f"),
        ("removed_3p = []", 'hand_size = "mots"', "'mots' is not allowed (did you mean 'most'?)"),
        ("removed_3p = []", "removed = []", "variant[1].rules.removed: unknown switch 'removed'"),
        ('name = "kept"', 'name = "rule"', "'rule' stands here twice"),
        ('zh = "问题"', "", "title.zh: is missing; give a text"),
        ("deals = 300", "", "deals: is missing"),
        ("[[family]]", f"[[family]]{SPARE}[[family]]", "family[0].name: 'spare' has no claim"),
        ("deals = 300", "deals = 300\ndeal = 3", "deal: unknown key 'deal' (did you mean 'deals'"),
    ],
)
def test_a_mistake_of_the_head_is_told(tmp_path: Path, old: str, new: str, problem: str) -> None:
    assert old in HEAD
    found = problems(tmp_path, claim(), head=HEAD.replace(old, new))
    assert any(problem in line for line in found), found


def test_all_mistakes_are_told_together_with_their_lines(tmp_path: Path) -> None:
    text = HEAD.replace("seed = 5", "seed = 5.5") + claim(kind='"odd"', margin="0")
    found = problems(
        tmp_path, claim(kind='"odd"', margin="0"), head=HEAD.replace("= 5\n", "= 5.5\n")
    )
    lines = text.splitlines()
    assert [lines[int(line.partition(":")[0]) - 1].partition(" ")[0] for line in found] == [
        "seed",
        "kind",
        "margin",
    ]


def test_a_wrong_number_of_players_hides_no_other_mistake(tmp_path: Path) -> None:
    wrong = {"players": "7", "variants": '"ruel"', "rules": "{ limt = 3 }"}
    for text in (claim(**wrong, lineups='"unifrom"'), claim() + search(**wrong)):
        found = "\n".join(problems(tmp_path, text))
        for told in ("7 is not allowed; allowed: 3, 4, 5", "variant 'ruel'", "switch 'limt'"):
            assert told in found


def test_an_unknown_game_hides_no_other_mistake(tmp_path: Path) -> None:
    head = HEAD.replace('"schadenfreude"', '"shadenfreude"')
    wrong = claim(kind='"place"', family='"al"', variants='"ruel"', margin="0", deals="3")
    found = problems(tmp_path, wrong, head=head)
    for key in ("game", "kind", "family", "variants", "margin", "deals"):
        assert sum(f" {key}" in one.replace(".", " ") for one in found) == 1, (key, found)
    assert len(problems(tmp_path, claim(), head=head)) == 1


def test_a_question_without_claims_asks_nothing(tmp_path: Path) -> None:
    path = written(tmp_path, HEAD)
    with pytest.raises(Mistake, match="claim: is missing"):
        read(path)


def test_an_unknown_question_has_a_nearest_name() -> None:
    with pytest.raises(Mistake, match=r"unknown question .*did you mean 'schadenfreude/removal'"):
        read("schadenfreude/removals")
