"""Question files as text, put together from claims and searches."""

from __future__ import annotations

from pathlib import Path

HEAD = """
game = "schadenfreude"
seed = 5
deals = 300

[title]
en = "A question"
zh = "问题"

[text]
en = "What it is about."
zh = "说明。"

[[variant]]
name = "rule"
title = { en = "the rule", zh = "规则" }

[[variant]]
name = "kept"
title = { en = "nothing removed", zh = "不移除" }
rules = { removed_3p = [] }

[[family]]
name = "all"
title = { en = "Everything", zh = "全部" }
"""
CLAIM = {
    "name": '"order"',
    "kind": '"places"',
    "family": '"all"',
    "title": '{ en = "order", zh = "顺位" }',
    "players": "3",
    "variants": '["rule", "kept"]',
    "lineups": '["uniform", "lowest"]',
    "estimand": '"win_share"',
    "margin": "0.5",
}
SEARCH = {
    "kind": '"search"',
    "variants": '"kept"',
    "lineups": '["lowest,uniform,highest", "uniform"]',
    "estimand": "",
    "margin": "",
    "switch": '"removed_3p"',
    "among": "[-1, 9]",
    "sizes": "[0, 1]",
    "nearest": "1",
}
CRITERION = {
    "name": '"skill"',
    "title": '{ en = "skill", zh = "差距" }',
    "of": '"gap"',
    "lineup": '"lowest,uniform,highest"',
    "estimand": '"win_share"',
    "goal": '"most"',
    "margin": "2",
}


def claim(**changes: str) -> str:
    """A claim of a file; a key whose value is empty is left out."""
    values = {key: value for key, value in (CLAIM | changes).items() if value}
    return "\n[[claim]]\n" + "".join(f"{key} = {value}\n" for key, value in values.items())


def search(criterion: dict[str, str] | None = None, **changes: str) -> str:
    """A search of a file, by one criterion."""
    values = {key: value for key, value in (CRITERION | (criterion or {})).items() if value}
    lines = "".join(f"{key} = {value}\n" for key, value in values.items())
    return claim(**(SEARCH | changes)) + "\n[[claim.criteria]]\n" + lines


def written(folder: Path, text: str) -> str:
    """Path of a file with the text."""
    path = folder / "question.toml"
    path.write_text(text, encoding="utf-8")
    return str(path)
