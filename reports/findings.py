"""What a run found, in one sentence and a few numbers, worded from the data."""

from __future__ import annotations

from analysis.intervals import Estimate
from analysis.winshares import (
    Contrast,
    contrast_rows,
    estimate,
    game_estimate,
    games,
    is_game_rate,
    n_seats,
    positions,
)
from reports import names
from reports.page import Key
from reports.words import (
    capital,
    count_word,
    counted,
    ordinal,
    points,
    say,
    shown,
    team_name,
    whole,
)
from sim.core.game import Game, Measure, Words
from sim.results import Cell, Run

_PLAYERS = Words("{count} players", "{count}人局")
_SAME = Words(
    "{players}, {name} in every seat: a seat wins {share} of the games; nobody wins {nobody}.",
    "{players}，所有座位都用“{name}”：每个座位赢得{share}的局，无人获胜占{nobody}。",
)
_AHEAD = Words(
    "{players}: {first} wins most, {share} of the games, {more} points more than {second}; "
    "nobody wins {nobody}.",
    "{players}：“{first}”赢得最多，占{share}，比“{second}”多{more}个百分点；无人获胜占{nobody}。",
)
_LEVEL = Words(
    "{players}: {first} ({share}) and {second} lead and cannot be told apart, the difference is "
    "{more} points; nobody wins {nobody}.",
    "{players}：“{first}”（{share}）与“{second}”领先，二者分不出高下，相差{more}个百分点；"
    "无人获胜占{nobody}。",
)
_TEAMS = Words(
    "{players}, {name} in every seat: {teams}; nobody wins {nobody}.",
    "{players}，所有座位都用“{name}”：{teams}；无人获胜占{nobody}。",
)
_BY_TEAMS = Words("By teams: {teams}.", "按队伍：{teams}。")
_TEAM = Words("{team} wins {share} of the games", "{team}赢得{share}的局")
_NEXT_TEAM = Words("{team} {share}", "{team}{share}")
_SHARED = Words("several teams share the win in {share}", "多队共同获胜占{share}")
_PLACE = Words(
    "The {first} place in the starting order wins {more} points more than the {second}.",
    "先后顺位的{first}比{second}多赢{more}个百分点。",
)
_NO_PLACE = Words(
    "No place in the starting order is seen to gain: the largest difference is {more} points.",
    "看不出先后顺位的影响：最大相差{more}个百分点。",
)
_MANY = Words(
    "{players}, {cells} settings compared: the largest win share is {share}, of {name} in "
    '"{cell}"; nobody wins in {nobody} of the games.',
    "{players}，比较{cells}种设置：获胜份额最高为{share}，是“{cell}”中的“{name}”；"
    "无人获胜占{nobody}。",
)
_MANY_TEAMS = Words(
    "{players}, {cells} settings compared: the largest share of the games is won by {name} in "
    '"{cell}", {share}; nobody wins in {nobody} of the games.',
    "{players}，比较{cells}种设置：获胜最多的是“{cell}”中的{name}，占{share}；无人获胜占{nobody}。",
)
_COUNT = Words("({games}.)", "（共{games}。）")
_GAMES = Words("Games played, on {deals}", "局数，共{deals}")
_TEAM_WINS = Words("Games won by {name}", "{name}获胜的局")
_EVERY_SEAT = Words("Win share of a seat", "每个座位的获胜份额")
_SHARE_OF = Words("Win share of {name}", "“{name}”的获胜份额")
_NOBODY = Words("Games that nobody wins", "无人获胜的局")
_INTERVAL = Words("95 %: {interval}", "95%：{interval}")
_PER_GAME = Words("{measure}, mean of a game", "{measure}，每局平均")


def headline(run: Run, lang: str) -> str:
    """The main finding of a run in a sentence or two, with intervals and the number of games."""
    text = _one_cell(run, lang) if len(run.cells) == 1 else _cells(run, lang)
    total = sum(games(cell) for cell in run.cells)
    count = say(_COUNT, lang, games=counted(total, "game", lang))
    return f"{text}{count}" if lang == "zh" else f"{text} {count}"


def keys(run: Run, lang: str) -> list[Key]:
    """Numbers for the top of a page."""
    game = run.game
    cell, name, share = _best(run, lang)
    words = _EVERY_SEAT if _is_same(cell) else _SHARE_OF
    label = say(_TEAM_WINS if _is_of_teams(run) else words, lang, name=name)
    found = [_key(label, share, lang, is_rate=True)]
    if len(run.cells) > 1:
        rates = [game_estimate(cell, game, "nobody") for cell in run.cells]
        detail = say(Words("from setting to setting", "因设置而异"), lang)
        found.append(Key(_range(rates, lang), detail, _NOBODY.of(lang)))
    else:
        found.append(
            _key(_NOBODY.of(lang), game_estimate(cell, game, "nobody"), lang, is_rate=True)
        )
        length = first_measure(game)
        if length is not None:
            mean = game_estimate(cell, game, length.name)
            label = say(_PER_GAME, lang, measure=capital(length.meaning.of(lang)))
            found.append(_key(label, mean, lang, is_rate=is_game_rate(game, length.name)))
    total = whole(sum(games(cell) for cell in run.cells))
    detail = say(_GAMES, lang, deals=counted(run.experiment.deals, "deal", lang))
    return [*found, Key(total, "", detail)]


def cell_title(run: Run, cell: Cell, lang: str) -> str:
    """What tells a cell from the others: its line-up, its variant or both."""
    parts = []
    if len({other.name for other in run.cells}) > 1 or len(run.cells) == 1:
        called = names.of_experiment(run.experiment, lang)
        parts.append(called.get(cell.name, cell.name))
    if len({other.variant for other in run.cells}) > 1:
        parts.append(cell.variant)
    return " / ".join(parts)


def first_measure(game: Game) -> Measure | None:
    """The measure a game names first for a whole game: its length, as a rule."""
    return next((measure for measure in game.measures if measure.per == "game"), None)


def _one_cell(run: Run, lang: str) -> str:
    cell, game, called = run.cells[0], run.game, names.of_experiment(run.experiment, lang)
    nobody = shown(game_estimate(cell, game, "nobody"), lang, is_rate=True).both
    players = _players(cell, lang)
    ranked = _ranked(cell, game)
    name, share = ranked[0]
    both = shown(share, lang, is_rate=True).both
    if _is_of_teams(run):
        teams = _of_teams(run, cell, lang)
        return say(_TEAMS, lang, players=players, name=called[name], teams=teams, nobody=nobody)
    if _is_same(cell):
        text = say(_SAME, lang, players=players, name=called[name], share=both, nobody=nobody)
        place = _place(cell, game, lang)
        return f"{text}{place}" if lang == "zh" else f"{text} {place}".rstrip()
    pairs = contrast_rows(cell, game, "strategy")
    pair = next(p for p in pairs if {p.first, p.second} == {name, ranked[1][0]})
    pair = pair if pair.first == name else _turned(pair)
    text = say(
        _AHEAD if _is_clear(pair) else _LEVEL,
        lang,
        players=players,
        first=called[name],
        second=called[pair.second],
        share=both,
        more=points(pair.estimate, lang).both,
        nobody=nobody,
    )
    if not game.teams:
        return text
    of_teams = say(_BY_TEAMS, lang, teams=_of_teams(run, cell, lang))
    return f"{text}{of_teams}" if lang == "zh" else f"{text} {of_teams}"


def _of_teams(run: Run, cell: Cell, lang: str) -> str:
    """How many games each team wins, the best first, and several together if any do."""
    told: list[str] = []
    for name, share in _teams_ranked(run, cell, lang):
        both = shown(share, lang, is_rate=True).both
        told.append(say(_NEXT_TEAM if told else _TEAM, lang, team=name, share=both))
    shared = game_estimate(cell, run.game, "shared")
    if shared.mean > 0:
        told.append(say(_SHARED, lang, share=shown(shared, lang, is_rate=True).both))
    return Words(", ", "，").of(lang).join(told)


def _teams_ranked(run: Run, cell: Cell, lang: str) -> list[tuple[str, Estimate]]:
    """Teams with the share of the games that each wins, best first."""
    found = [
        (team_name(team, lang), game_estimate(cell, run.game, team.column))
        for team in run.teams(cell)
    ]
    return sorted(found, key=lambda pair: -pair[1].mean)


def _is_of_teams(run: Run) -> bool:
    """Whether teams are all that can be told apart: with one strategy in all seats."""
    return bool(run.game.teams) and all(map(_is_same, run.cells))


def _place(cell: Cell, game: Game, lang: str) -> str:
    """Whether a place in the starting order gains; '' where a single deal cannot tell."""
    pairs = [pair for pair in contrast_rows(cell, game, "place") if pair.estimate.se is not None]
    if not pairs:
        return ""
    pair = max(pairs, key=lambda p: (_is_clear(p), abs(p.estimate.mean)))
    pair = pair if pair.estimate.mean >= 0 else _turned(pair)
    return say(
        _PLACE if _is_clear(pair) else _NO_PLACE,
        lang,
        first=ordinal(int(pair.first) + 1, lang),
        second=ordinal(int(pair.second) + 1, lang),
        more=points(pair.estimate, lang).both,
    )


def _cells(run: Run, lang: str) -> str:
    cell, name, share = _best(run, lang)
    rates = [game_estimate(cell, run.game, "nobody") for cell in run.cells]
    return say(
        _MANY_TEAMS if _is_of_teams(run) else _MANY,
        lang,
        players=_players(cell, lang),
        cells=whole(len(run.cells)),
        share=shown(share, lang, is_rate=True).both,
        name=name,
        cell=cell_title(run, cell, lang),
        nobody=_range(rates, lang),
    )


def _players(cell: Cell, lang: str) -> str:
    return capital(say(_PLAYERS, lang, count=count_word(n_seats(cell), lang)))


def _best(run: Run, lang: str) -> tuple[Cell, str, Estimate]:
    """The cell with the largest share of a strategy, or team; what that is called; its share."""
    called = names.of_experiment(run.experiment, lang)
    ranked = []
    for cell in run.cells:
        if _is_of_teams(run):
            name, share = _teams_ranked(run, cell, lang)[0]
        else:
            label, share = _ranked(cell, run.game)[0]
            name = called[label]
        ranked.append((cell, name, share))
    return max(ranked, key=lambda found: found[2].mean)


def _ranked(cell: Cell, game: Game) -> list[tuple[str, Estimate]]:
    """Strategies with their win shares, best first."""
    found = [
        (position.label, estimate(cell, game, "strategy", "win_share", position.members))
        for position in positions(cell, "strategy")
    ]
    return sorted(found, key=lambda pair: -pair[1].mean)


def _range(rates: list[Estimate], lang: str) -> str:
    """The least and the largest of several rates."""
    low = shown(min(rates, key=lambda rate: rate.mean), lang, is_rate=True).mean
    high = shown(max(rates, key=lambda rate: rate.mean), lang, is_rate=True).mean
    if low == high:
        return low
    return say(Words("{low} to {high}", "{low} 至 {high}"), lang, low=low, high=high)


def _is_same(cell: Cell) -> bool:
    return len(positions(cell, "strategy")) == 1


def _is_clear(pair: Contrast) -> bool:
    """Whether the interval of a difference leaves 0 out."""
    low, high = pair.estimate.low, pair.estimate.high
    return low is not None and high is not None and (low > 0 or high < 0)


def _turned(pair: Contrast) -> Contrast:
    """The same difference seen from the other side."""
    est = pair.estimate
    low = None if est.high is None else -est.high
    high = None if est.low is None else -est.low
    turned = Estimate(-est.mean, est.se, low, high, est.deals, est.games)
    return Contrast(pair.second, pair.first, pair.column, turned)


def _key(label: str, estimate: Estimate, lang: str, *, is_rate: bool) -> Key:
    figures = shown(estimate, lang, is_rate=is_rate)
    return Key(figures.mean, say(_INTERVAL, lang, interval=figures.interval), label)
