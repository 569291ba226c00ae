"""Experiments: read from flags and files, resolved, written and read back."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sim.errors import Mistake
from sim.experiment import Experiment
from sim.reading import from_file, from_flags

FLAGS = {
    "game": "schadenfreude",
    "players": "3",
    "strategies": "uniform",
    "deals": "1000",
    "seed": "1",
}

FULL = """
game = "schadenfreude"
players = 4
deals = 1_000
seed = 7
rotate = "hands"
mode = "games"

[rules]
limit = 45
removed_3p = [9, -3]

[[lineup]]
strategies = "uniform"

[[lineup]]
name = "mixed"
strategies = ["highest", "lowest", "uniform", "uniform"]

[[variant]]

[[variant]]
name = "short"
[variant.rules]
limit = 30
wild_rank = "zero_ten"
"""


def flags(**changes: Any) -> Experiment:
    return from_flags(FLAGS | changes)


def written(folder: Path, text: str) -> Path:
    path = folder / "exp.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_one_strategy_sits_in_every_seat_and_equal_games_are_played_once() -> None:
    experiment = flags()
    assert experiment.lineups[0].strategies == ("uniform",) * 3
    assert experiment.lineups[0].name == "uniform"
    assert experiment.rotations(experiment.lineups[0]) == 1
    assert experiment.games == 1000


def test_a_line_up_is_rotated_on_every_deal_by_default() -> None:
    experiment = flags(strategies="uniform,lowest,uniform")
    assert experiment.lineups[0].strategies == ("uniform", "lowest", "uniform")
    assert experiment.rotations(experiment.lineups[0]) == 3
    assert experiment.games == 3000


@pytest.mark.parametrize(
    ("rotate", "games"), [("strategies", 1000), ("hands", 3000), ("none", 1000)]
)
def test_hands_rotate_for_equal_strategies_too(rotate: str, games: int) -> None:
    assert flags(rotate=rotate).games == games


def test_a_line_up_of_equal_names_is_one_name() -> None:
    assert flags(strategies="uniform,uniform,uniform") == flags()


def test_every_switch_has_its_value() -> None:
    (variant,) = from_flags(FLAGS, ["limit=45", "removed_3p=9,-3,-2,9"]).variants
    assert variant.name == "removed_3p=-3,-2,9 limit=45"
    assert variant.switches["limit"] == 45
    assert variant.switches["removed_3p"] == [-3, -2, 9]
    assert variant.switches["wild_rank"] == "none"
    assert len(variant.switches) == 16


def test_an_empty_value_is_an_empty_list() -> None:
    (variant,) = from_flags(FLAGS, ["removed_3p="]).variants
    assert variant.switches["removed_3p"] == []


def test_without_rules_the_variant_is_the_default() -> None:
    assert flags().variants[0].name == "default"
    assert from_flags(FLAGS, ["limit=40"]) == flags()


def test_a_file_says_the_same_as_flags(tmp_path: Path) -> None:
    text = """
    game = "schadenfreude"
    players = 3
    strategies = ["uniform"]
    deals = 1000
    seed = 1
    """
    assert from_file(written(tmp_path, text)) == flags()


def test_a_file_holds_line_ups_and_variants(tmp_path: Path) -> None:
    experiment = from_file(written(tmp_path, FULL))
    assert [lineup.name for lineup in experiment.lineups] == ["uniform", "mixed"]
    assert [v.name for v in experiment.variants] == ["removed_3p=-3,9 limit=45", "short"]
    assert [v.switches["limit"] for v in experiment.variants] == [45, 30]
    assert [v.switches["removed_3p"] for v in experiment.variants] == [[-3, 9], [-3, 9]]
    assert [(v.name, lineup.name) for v, lineup in experiment.cells][1:3] == [
        ("removed_3p=-3,9 limit=45", "mixed"),
        ("short", "uniform"),
    ]
    assert (experiment.rotate, experiment.mode, experiment.games) == ("hands", "games", 16_000)


def test_flags_go_before_the_file(tmp_path: Path) -> None:
    path = written(tmp_path, FULL)
    experiment = from_file(path, {"strategies": "lowest", "deals": "5"}, ["limit=50"])
    assert [lineup.name for lineup in experiment.lineups] == ["lowest"]
    assert experiment.deals == 5
    assert [v.switches["limit"] for v in experiment.variants] == [50, 50]


def test_the_resolved_form_reads_back_equal(tmp_path: Path) -> None:
    experiment = from_file(written(tmp_path, FULL))
    again = written(tmp_path, experiment.to_toml())
    assert from_file(again) == experiment
    assert Experiment.from_toml(experiment.to_toml()) == experiment
    assert from_file(again).fingerprint == experiment.fingerprint


def test_the_fingerprint_tells_experiments_apart() -> None:
    changed = [
        flags(),
        flags(players="4"),
        flags(seed="2"),
        flags(deals="1001"),
        flags(rotate="none"),
        flags(strategies="lowest"),
        from_flags(FLAGS, ["limit=41"]),
    ]
    assert len({experiment.fingerprint for experiment in changed}) == len(changed)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({}, None),
        ({"deals": 5}, "deals is 1000 there and 5 here"),
        ({"seed": 5}, "seed is 1 there and 5 here"),
        ({"mode": "games"}, "mode is summary there and games here"),
    ],
)
def test_the_first_difference_is_named(changes: dict[str, Any], words: str | None) -> None:
    assert flags().difference(replace(flags(), **changes)) == words


def test_a_different_line_up_or_rule_is_named() -> None:
    assert "strategies" in (flags().difference(flags(strategies="lowest")) or "")
    assert "limit=41" in (flags().difference(from_flags(FLAGS, ["limit=41"])) or "")


def test_parameters_at_their_default_are_left_out(tmp_path: Path) -> None:
    path = tmp_path / "own.py"
    path.write_text(
        "from sim.core.game import Parameter\n"
        "PARAMETERS = (Parameter('a', 1, 0, 9), Parameter('b', 2, 0, 9))\n"
        "def decide(table, me): return 0\n"
    )
    experiment = flags(strategies=f"{path}:b=3:a=1")
    assert experiment.lineups[0].strategies[0] == f"{path}:b=3"
    assert experiment.lineups[0].labels == ("own.py:b=3",) * 3
    assert flags(strategies=f"{path}:a=1:b=2") == flags(strategies=str(path))


def test_a_path_in_a_file_begins_at_the_file(tmp_path: Path) -> None:
    (tmp_path / "own.py").write_text("def decide(table, me): return 0\n")
    text = FULL.replace('strategies = "uniform"', 'strategies = "own.py"')
    experiment = from_file(written(tmp_path, text))
    assert experiment.lineups[0].strategies[0] == str(tmp_path / "own.py")


def test_two_own_files_of_one_name_are_refused(tmp_path: Path) -> None:
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        (tmp_path / folder / "own.py").write_text("def decide(table, me): return 0\n")
    with pytest.raises(Mistake, match=r"two files are called own\.py"):
        flags(strategies=f"{tmp_path}/a/own.py,{tmp_path}/b/own.py,uniform")


def test_a_strategy_may_play_against_itself_with_other_parameters() -> None:
    experiment = flags(strategies="target40:limit=35,target40:limit=30,uniform")
    assert experiment.lineups[0].labels == ("target40:limit=35", "target40:limit=30", "uniform")


def test_a_contradiction_is_told_where_it_stands(tmp_path: Path) -> None:
    text = """
game = "kanpai"
players = 6
strategies = "uniform"
deals = 10
seed = 1
[rules]
mode = "base"
master_area_counts = "yes"
[[variant]]
name = "one"
rules = { use_dummy = "no", dummy_can_win = "no" }
[[variant]]
name = "two"
rules = { mode = "three_teams" }
"""
    path = written(tmp_path, text)
    with pytest.raises(Mistake) as told:
        from_file(path, {}, ["masquerade_factions=2,2"])
    assert {problem.partition("; ")[0] for problem in told.value.problems} == {
        f"{path}:9: rules.master_area_counts: master_area_counts=yes is for mode=master",
        f"{path}:12: variant[0].rules.dummy_can_win: dummy_can_win=no is for use_dummy=yes",
        "--rule masquerade_factions=2,2: masquerade_factions=2,2 is for mode=masquerade",
    }


def test_a_rule_or_parameter_is_given_once() -> None:
    twice = {**FLAGS, "strategies": "target40:close=1:close=2"}
    with pytest.raises(Mistake) as told:
        from_flags(twice, ["limit=30", "limit=40"])
    assert told.value.problems == (
        "--rule limit=40: limit is given twice; allowed: once",
        "--strategies: target40: close is given twice; allowed: once",
    )
