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
SHORT = """
[[variant]]
name = "short"
title = { en = "limit 10", zh = "上限 10" }
rules = { limit = 10 }
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


def of_value(name: str, value: str, **changes: str) -> str:
    """A claim that holds a mean against a value."""
    changes = {"lineups": '"uniform"', "estimand": '"rounds"', "margin": "0.5"} | changes
    return claim(name=f'"{name}"', kind='"value"', variants='"rule"', value=value, **changes)


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


# A question whose verdicts are known: claims about games; beside them one about hands, a search.
RIGGED = (
    # With the strategy last_exact the first place scores less in the first round.
    claim(name='"far"', variants='"rule"', estimand='"first_round"', margin="9"),
    claim(
        name='"near"',
        variants='"rule"',
        lineups='"last_exact"',
        estimand='"first_round"',
        margin="0.01",
        deals="4000",
    ),
    claim(margin="0.1", lineups='"uniform"'),
    claim(
        name='"gaps"',
        kind='"ladder"',
        lineups='"target40,uniform,uniform"',
        margin="50",
    ),
    claim(
        name='"totals"',
        kind='"distribution"',
        variants='["rule", "short"]',
        lineups='"uniform"',
        estimand='"score"',
        margin="10",
    ),
    claim(
        name='"short"',
        kind='"comparability"',
        variants='["rule", "short"]',
        lineups='"uniform"',
        estimand='"rounds"',
        margin="0.5",
    ),
)
OTHERS = (
    claim(
        name='"hand"',
        kind='"hands"',
        lineups='"uniform"',
        estimand='"first_round"',
        redraws="4",
        margin="50",
        rules="{ max_rounds = 1 }",
    ),
    search(name='"better"', deals="200", confirm="300", nearest="0", always="[[9], [-1]]")
    + """
[[claim.criteria]]
name = "nobody"
title = { en = "nobody wins", zh = "无人获胜" }
of = "mean"
lineup = "uniform"
estimand = "nobody"
goal = "least"
margin = 1
""",
)
