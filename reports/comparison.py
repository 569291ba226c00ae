"""The page of a comparison: the verdict first, then who beats whom, ratings, skill and luck."""

from __future__ import annotations

from pathlib import Path

from analysis.comparison import Compared
from analysis.headtohead import Call
from reports import contest, course, lasting, luck, names, ratings
from reports.build import FONT, rules_table
from reports.compared import (
    alike,
    counted_games,
    games_noticed,
    headline,
    name_of,
    names_told,
    telling,
)
from reports.glossary import COMPARISON
from reports.page import Key, Page, Section, render
from reports.verdicts import noticed, rounded
from reports.words import FORFEITS, capital, count_word, forfeited, points, say, shown, span, whole
from sim import __version__
from sim.core.game import Words

MOST_NAMES = 4  # that a title has room for
_STRATEGIES = Words("{count} strategies", "{count}个策略")
_TITLE = Words("{game}, {count} players: {names}", "{game}，{count}人局：{names}")
_AHEAD = Words(
    "{name} over all its tables, points above the equal share",
    "{name} 在全部牌桌上超出均分的百分点",
)
_NOTICE = Words(
    "until a family would notice that {first} beats {second}", "一家人能察觉 {first} 胜过 {second}"
)
_LEADS = Words(
    "until {better} leads {other} with a chance of 95 %", "{better} 以 95% 的概率领先 {other} 所需"
)
_DESIGNS = {
    "pairwise": Words(
        "Every two strategies against each other: one against all others, both ways, and balanced. "
        "All line-ups play the same deals, turned over the seats; the deal is the unit.",
        "每两个策略对阵：一家对其余各家，双向，以及人数相当。"
        "全部阵容用同样的发牌，策略在各座位间轮换；以发牌为单位。",
    ),
    "all": Words(
        "Every line-up of the strategies, or a balanced part of them. All play the same deals, "
        "turned over the seats; the deal is the unit.",
        "这些策略的每一种阵容，或其中均衡的一部分。"
        "全部阵容用同样的发牌，策略在各座位间轮换；以发牌为单位。",
    ),
    "gauntlet": Words(
        "The first strategy against each of the others: one against all others, both ways, and "
        "balanced. All line-ups play the same deals, turned over the seats; the deal is the unit.",
        "第一个策略与其余各策略逐一对阵：一家对其余各家，双向，以及人数相当。"
        "全部阵容用同样的发牌，策略在各座位间轮换；以发牌为单位。",
    ),
    "roles": Words(
        "Every strategy in every role: one strategy plays all seats of a role. Strategies keep "
        "their seats, the hands of a deal are turned over the places; what a role wins is held "
        "against its mean over all casts. The deal is the unit.",
        "每个策略轮流担任每种角色：同一角色的座位都用同一策略。策略座位不变，手牌在各顺位间轮换；"
        "角色的获胜份额与它在全部分配下的平均相比。以发牌为单位。",
    ),
}
_FIXED = Words(
    "Student's over deals, 95 %; of the standings together (largest t), of all pairs together "
    "(Bonferroni). Of ratings, skill and what lasts: deals drawn anew, 95 % each.",
    "按发牌计算的 Student 区间，95%；成绩表为共同区间（最大 t），各对之间为共同区间（Bonferroni）。"
    "等级分、水平和能留下来的策略：重新抽取发牌，各为 95%。",
)
_SEQUENTIAL = Words(
    "Always valid (Waudby-Smith et al. 2024): played until it was enough, in looks that were fixed "
    "before. Those of ratings, of what lasts, of skill and luck are as for a fixed number of deals "
    "and rather too narrow; where only the width decided, the numbers themselves are not bent.",
    "任意时刻有效的区间（Waudby-Smith 等 2024）：按事先定好的查看次序打到够为止。"
    "等级分、能留下来的策略、水平与运气的区间按固定发牌次数计算，偏窄；"
    "只看宽度而停的，数值本身不受影响。",
)


def build(found: Compared, lang: str, path: Path, command: str = "") -> Path:
    """Write the page of a comparison."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(page(found, lang, command)), encoding="utf-8", newline="\n")
    return path


def page(found: Compared, lang: str, command: str = "") -> Page:
    """What the page of a comparison shows."""
    question, called = found.question, names.of_comparison(found.question, lang)
    title = say(
        _TITLE,
        lang,
        game=question.game.title.of(lang),
        count=count_word(question.players, lang),
        names=Words(", ", "、").of(lang).join(called.values())
        if len(called) <= MOST_NAMES
        else say(_STRATEGIES, lang, count=count_word(len(called), lang)),
    )
    played = names.compared(question, lang)
    return Page(
        lang=lang,
        title=f"{title} | fairdeal",
        kicker=title,
        headline=verdict(found, lang),
        keys=tuple(_keys(found, lang)),
        sections=tuple(_sections(found, lang)),
        facts=tuple(_facts(found, lang, command)),
        rules=rules_table(
            question.game,
            [Words("value", "取值").of(lang)],
            [question.variant.switches],
            lang,
        ),
        terms=COMPARISON | played,
        names={key: name for key, (name, _) in played.items()},
    )


_BENT = Words("By numbers that stopping early bends:", "以下数字因提前停止而有所偏离：")


def verdict(found: Compared, lang: str) -> str:
    """What the test says, if there was one, the headline, and why no rating is right.

    A test that has an answer may stop where the interval of the headline tells nothing yet: then
    the answer stands alone.
    """
    texts = [course.sentence(found, lang)]
    if not course.is_decided(found):
        texts.append(headline(found, lang))
    elif found.duels[0].call != Call.OPEN:
        texts += [_BENT.of(lang), headline(found, lang)]
    if found.ratings.warning and len(found.names) > 2:  # two are told apart without a rating
        texts.append(ratings.warning(found, lang))
    return ("" if lang == "zh" else " ").join(text for text in texts if text)


def standing_rows(found: Compared, lang: str) -> list[list[str]]:
    """The standings as a table for the terminal."""
    heads = (
        Words("strategy", "策略"),
        Words("above equal", "超出均分"),
        Words("95 %", "95%"),
        Words("win share", "获胜份额"),
    )
    rows = [[head.of(lang) for head in heads]]
    for one in found.standings:
        ahead, share = points(one.advantage, lang), shown(one.share, lang, is_rate=True)
        rows.append([name_of(found, one.strategy, lang), ahead.mean, ahead.interval, share.mean])
    return rows


def _keys(found: Compared, lang: str) -> list[Key]:
    """The numbers that carry the verdict; how long it takes to see only where it is sure."""
    first, second = found.pair
    mine = next(one for one in found.standings if one.strategy == first)
    ahead = points(mine.advantage, lang)
    label = say(_AHEAD, lang, name=name_of(found, first, lang))
    keys = [Key(ahead.mean, _detail(ahead.interval, lang), label)]
    duel = found.duel(first, second)
    if duel is None or duel.call not in (Call.AHEAD, Call.BEHIND):
        return keys
    one = telling(duel)
    if one:
        both = [name_of(found, i, lang) for i in (duel.first, duel.second)]
        better, other = both if duel.call == Call.AHEAD else both[::-1]
        label = say(_NOTICE, lang, first=better, second=other)
        keys.append(Key(games_noticed(one, lang), "", label))
    lead = found.lead
    if lead and lead.fewest is not None and lead.most is not None:
        label = say(_LEADS, lang, better=lead.better, other=lead.other)
        label = names_told(found, label, lang)
        low, high = (noticed(rounded(games)) for games in (lead.fewest, lead.most))
        detail = _detail(span(low, high, lang), lang) if low != high else ""
        keys.append(Key(counted_games(lead.games, lang), detail, label))
    return keys


def _detail(interval: str, lang: str) -> str:
    return f"（{interval}）" if lang == "zh" else f"({interval})"


def _sections(found: Compared, lang: str) -> list[Section]:
    topics = (
        ("test", Words("The test", "检验"), course.exhibits(found, lang)),
        ("wins", Words("Who wins against whom", "谁胜过谁"), contest.wins(found, lang)),
        ("ratings", Words("How strong each is", "各策略的强弱"), ratings.exhibits(found, lang)),
        ("lasting", Words("In the long run", "长远来看"), lasting.exhibits(found, lang)),
        ("skill", Words("Skill and luck", "水平与运气"), luck.exhibits(found, lang)),
        ("table", Words("At the table", "牌桌上"), contest.tables(found, lang)),
    )
    bends = found.course.bends if found.course else None
    lost = names_told(found, forfeited(found.forfeits, lang), lang)
    notes = [alike(found, lang), say(FORFEITS, lang, lost=lost) if lost else ""]
    leads = {
        "test": bends.of(lang) if bends else "",
        "wins": " ".join(text for text in notes if text),
        "skill": luck.sentence(found, lang),
    }
    return [
        Section(f"about-{key}", title.of(lang), leads.get(key, ""), tuple(shown))
        for key, title, shown in topics
        if shown
    ]


def _facts(found: Compared, lang: str, command: str) -> list[tuple[str, str]]:
    """How it was made, enough to make it again."""
    question = found.question
    facts = (
        (Words("game", "游戏"), question.game.title.of(lang)),
        (Words("strategies", "策略"), names.listed(names.of_comparison(question, lang), lang)),
        (Words("design", "设计"), _DESIGNS[question.design].of(lang)),
        (Words("line-ups", "阵容"), whole(len(question.lineups))),
        (Words("deals", "发牌次数"), whole(found.deals)),
        (Words("games", "局数"), whole(found.games)),
        (Words("seed", "种子"), str(question.seed)),
        (Words("command", "命令"), command),
        (Words("version", "版本"), __version__),
        (Words("results, sha256", "结果的 sha256"), found.digest),
        (Words("intervals", "区间"), (_SEQUENTIAL if question.plan else _FIXED).of(lang)),
        (Words("games saved", "省下的局数"), names_told(found, luck.reason(found, lang), lang)),
        (Words("strategies that last", "能留下来的策略"), lasting.reason(found, lang)),
        (Words("font", "字体"), FONT.of(lang)),
    )
    return [(capital(name.of(lang)), value) for name, value in facts if value]
