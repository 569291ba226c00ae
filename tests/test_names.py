"""What line-ups are called in Chinese pages."""

from __future__ import annotations

from analysis.question_files import read
from reports import names


def test_a_line_up_that_is_filled_up_has_a_chinese_name() -> None:
    """Its name has two strategies; with three players and more the last one fills the seats."""
    called = names.of_question(read("cocktail_poison/antidote"), "zh")
    lineup = "own_first:tile=2:antidote=100,own_first"
    assert called[lineup] == "先拿己杯:tile=2:antidote=100、先拿己杯"
