"""The page that answers a balance question: the verdict first, then a claim after the other."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from analysis.balance import Answer
from analysis.exemplars import exemplars
from analysis.question_files import FOUND
from analysis.search import Stage
from analysis.winshares import deals
from reports import envelope, names, retold, searched
from reports.build import FONT, rules_table
from reports.claims import exhibits, frame
from reports.glossary import BALANCE, HINTS, SEARCH
from reports.page import Exhibit, Key, Page, Section, render
from reports.tables import Column, Line, Table, common, csv
from reports.verdicts import (
    VERDICTS,
    amount,
    change,
    counts,
    file_name,
    headline,
    held_against,
    itself,
    margin,
    named,
    noticed,
    shown_difference,
    summary,
    tally,
    unit,
    upright,
    word,
    worst,
)
from reports.words import capital, counted, say, span, whole
from sim import __version__
from sim.core.game import Words

MOST_KEYS = 3
_BEAT = Words("of {finalists} finalists beat the rule", "个入围者胜过现行规则，共 {finalists} 个")
_KEY_SEARCH = Words("{title} {verdict}, on {n} fresh deals", "{title}{verdict}，{n} 次新的发牌")
_KEY = Words(
    "{title} {verdict}, largest difference: {named}, {n}",
    "{title}{verdict}，最大差异：{named}，{n}",
)
_KEY_VALUE = Words(
    "{title} {verdict}, furthest from {value}: {named}, {n}",
    "{title}{verdict}，离{value}最远者：{named}，{n}",
)


_FAMILY = Words(
    "The {count} verdicts under this heading are decided together (Holm).",
    "本标题下的 {count} 个结论一并判断（Holm）。",
)


_ONE = Words("One verdict.", "一个结论。")


def build(answer: Answer, lang: str, path: Path, command: str = "") -> Path:
    """Write the page of an answer."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(render(page(answer, lang, command)), encoding="utf-8", newline="\n")
    return path


def page(answer: Answer, lang: str, command: str = "") -> Page:
    """What the page of an answer shows."""
    question = answer.question
    title = question.title.of(lang)
    sections = [
        _verdicts(answer, lang),
        *_families(answer, lang),
        envelope.section(answer, lang),
        _games(answer, lang),
        _advice(answer, lang),
    ]
    played = names.players(question, lang)
    terms = BALANCE | (SEARCH if question.searches else {}) | played
    return Page(
        lang=lang,
        title=f"{title} | fairdeal",
        kicker=f"{question.game.title.of(lang)} · {title}",
        headline=headline(answer, lang),
        short=_short(answer, lang),
        keys=tuple(_keys(answer, lang)),
        sections=tuple(section for section in sections if section),
        facts=tuple(_facts(answer, lang, command)),
        rules=_rules(answer, lang),
        terms=terms,
        hints={key: words for key, words in HINTS.items() if key in terms},
        names={key: name for key, (name, _) in played.items()},
        answers=tuple(_answers(answer, lang)) if len(question.families) > 1 else (),
        change=change(answer, lang),
    )


def _keys(answer: Answer, lang: str) -> list[Key]:
    """The numbers that carry the answer: of the families that the file names, or the first."""
    return [_key(answer, name, lang) for name in _key_families(answer)]


def _key_families(answer: Answer) -> list[str]:
    families = answer.question.families
    return ([name for name, one in families.items() if one.is_key] or [*families])[:MOST_KEYS]


def _short(answer: Answer, lang: str) -> str:
    """What the author says of the verdicts on the first screen, where there are several."""
    keys = _key_families(answer) if len(answer.question.families) > 1 else []
    return _joined(filter(None, (_told(answer, name, lang) for name in keys)), lang)


def _told(answer: Answer, name: str, lang: str) -> str:
    """What the author says of the verdict of a family, with what was found where he asks for it."""
    advice, verdict = answer.question.families[name].advice, answer.verdict(name).lower()
    side = {1: "above", -1: "below"}.get(answer.side(name), verdict)
    words, claims = advice.get(side, advice.get(verdict)), answer.of_family(name)
    if words is None:
        return ""
    found = [summary(answer, claims, lang)] if claims else []
    found += [searched.in_short(one, lang) for one in answer.searches_of(name)]
    return words.of(lang).replace(FOUND, Words("; ", "；").of(lang).join(filter(None, found)))


def _key(answer: Answer, name: str, lang: str) -> Key:
    """The largest difference of a family, or how many finalists beat the rule in use."""
    title = answer.question.families[name].title.of(lang)
    claims, searches = answer.of_family(name), answer.searches_of(name)
    if not claims:
        found = searches[0].confirmation
        verdict = VERDICTS["search"][searches[0].verdict].of(lang)
        text = say(_BEAT, lang, finalists=len(found.finalists))
        n = _fresh(found.stage, lang)
        label = say(_KEY_SEARCH, lang, title=title, verdict=verdict, n=n)
        return Key(str(len(found.winners)), text, label)
    one = worst(claims)
    claim, case = one.claim, one.decisive
    measured, base = unit(answer, claim, lang), ""
    shown = shown_difference(one, upright(case)[0], lang)
    if claim.kind == "value" and claim.value:
        base = held_against(answer, claim, case, lang)
        shown, measured = itself(answer, one, case, lang)
    detail = f"{measured}（{shown.interval}）" if lang == "zh" else f"{measured} ({shown.interval})"
    words = _KEY_VALUE if base else _KEY
    where = named(answer, claim, case, lang)
    if len(claims) > 1:
        where = f"{claim.title.of(lang)}{Words('; ', '；').of(lang)}{where}"
    text = say(
        words,
        lang,
        title=title,
        verdict=word(one, lang),
        value=base,
        named=where,
        n=counted(case.finding.contrasts.deals, "deal", lang),
    )
    return Key(shown.mean, detail.strip(), text)


def _answers(answer: Answer, lang: str) -> list[tuple[str, str, str]]:
    """Every family with its verdicts and what differs most, in a few words."""
    found = []
    for name, family in answer.question.families.items():
        words, claims = [], answer.of_family(name)
        if claims:
            largest = capital(summary(answer, claims, lang))
            words = [counts(claims, lang), f"{largest}{Words('.', '。').of(lang)}"]
        words += [searched.sentence(one, lang) for one in answer.searches_of(name)]
        found.append((f"about-{name}", family.title.of(lang), _joined(words, lang)))
    who_plays = envelope.in_short(answer, lang)
    return [*found, who_plays] if who_plays else found


def _joined(sentences: Iterable[str], lang: str) -> str:
    return ("" if lang == "zh" else " ").join(sentences)


def _verdicts(answer: Answer, lang: str) -> Section:
    """All claims in one table."""
    lines = []
    for name, family in answer.question.families.items():
        lines.append(Line((family.title.of(lang),)))
        for found in answer.of_family(name):
            claim, case = found.claim, found.decisive
            text = shown_difference(found, upright(case)[0], lang)
            notice = case.notice[case.largest]
            lines.append(
                Line(
                    (
                        capital(claim.title.of(lang)),
                        tally(found, lang),
                        amount(answer, claim, text.mean, lang),
                        text.interval,
                        margin(answer, claim, lang),
                        noticed(notice),
                        whole(case.finding.contrasts.deals),
                    )
                )
            )
        for one in answer.searches_of(name):
            lines.append(
                Line(
                    (
                        capital(one.search.title.of(lang)),
                        VERDICTS["search"][one.verdict].of(lang),
                        *("" for _ in range(4)),
                        _fresh(one.confirmation.stage, lang),
                    )
                )
            )
    table = Table(
        (
            Column(Words("claim", "论点").of(lang), is_number=False),
            Column(Words("verdict", "结论").of(lang), "verdict", is_number=False),
            Column(Words("largest difference", "最大的差异").of(lang)),
            common("together", lang),
            common("margin", lang),
            common("notice", lang),
            Column(Words("deals", "发牌次数").of(lang), "deal"),
        ),
        tuple(lines),
        say(
            Words(
                "{games} in all; where verdicts differ, the number counts settings",
                "共{games}；结论不一时，数字为设置数",
            ),
            lang,
            games=counted(answer.games, "game", lang),
        ),
        file_name(answer, "verdicts"),
        csv(frame(answer.claims, is_short=True)),
    )
    heading = Words("The verdicts", "结论").of(lang)
    lead = answer.question.text.of(lang)
    exhibit = Exhibit("verdicts-all", Words("All claims", "全部论点").of(lang), "", table)
    return Section("verdicts", heading, lead, (exhibit,))


def _fresh(stage: Stage, lang: str) -> str:
    """On how many deals the rule in use was measured, by one criterion and another."""
    numbers = [measured.deals for measured in stage.measured[stage.reference]]
    ends = sorted({min(numbers), max(numbers)})
    return whole(ends[0]) if len(ends) == 1 else span(whole(ends[0]), whole(ends[1]), lang)


def _families(answer: Answer, lang: str) -> list[Section]:
    found = []
    for name, family in answer.question.families.items():
        claims, searches = answer.of_family(name), answer.searches_of(name)
        leads = [searched.sentence(one, lang) for one in searches]
        leads += [searched.ranks(one, lang) for one in searches]
        if claims:
            count = sum(len(one.cases) for one in claims)
            leads += [counts(claims, lang)] if len(claims) > 1 else []
            leads.append(say(_FAMILY if count > 1 else _ONE, lang, count=count))
        shown = [one for claim in claims for one in exhibits(answer, claim, lang)]
        shown += [one for found in searches for one in searched.exhibits(answer, found, lang)]
        lead = _joined(leads, lang)
        found.append(Section(f"about-{name}", family.title.of(lang), lead, tuple(shown)))
    return found


def _games(answer: Answer, lang: str) -> Section | None:
    """Games worth reading."""
    found = exemplars(answer)
    if not found:
        return None
    title = Words("Games worth reading", "值得一读的对局").of(lang)
    exhibits = tuple(retold.exhibit(answer, one, lang) for one in found)
    return Section("about-games", title, "", exhibits)


def _advice(answer: Answer, lang: str) -> Section | None:
    """What the question's author would tell the designer after these verdicts."""
    told = []
    for name in answer.question.families:
        told.append(_told(answer, name, lang))
        told += [text for one in answer.searches_of(name) for text in searched.price(one, lang)]
    if not any(told):
        return None
    title = Words("What we would tell the designer", "给设计师的建议").of(lang)
    return Section("advice", title, "", (), tuple(filter(None, told)))


def _facts(answer: Answer, lang: str, command: str) -> list[tuple[str, str]]:
    question = answer.question
    digest = hashlib.sha256("".join(answer.hashes).encode()).hexdigest()
    dealt = sum(deals(cell) for cell in answer.cells.values())
    facts = [
        (Words("game", "游戏"), question.game.title.of(lang)),
        (Words("question", "问题"), question.name),
        (Words("settings", "设置"), whole(len(answer.cells))),
        (Words("deals", "发牌次数"), whole(dealt)),
        (Words("games", "局数"), whole(answer.games)),
        (Words("unfinished games", "未打完的局"), _unfinished(answer, lang)),
        (Words("strategies", "策略"), names.key(names.of_question(question, lang), lang)),
        (Words("seed", "种子"), str(question.seed)),
        (Words("command", "命令"), command),
        (Words("version", "版本"), __version__),
        (Words("made with", "所用软件"), _versions(answer, lang)),
        (Words("sources", "源代码指纹"), answer.made.sources),
        (Words("results, sha256", "结果的 sha256"), digest),
        (Words("design", "设计"), _DESIGN.of(lang)),
        (Words("verdicts", "结论的依据"), _METHOD.of(lang)),
        (Words("intervals", "区间"), (_SEQUENTIAL if answer.precision else _FIXED).of(lang)),
        (Words("font", "字体"), FONT.of(lang)),
    ]
    return [(capital(name.of(lang)), value) for name, value in facts if value]


_UNFINISHED = Words(
    "{count} of {games}, without those that were played on from kept hands",
    "{count}（共{games}，不含从保留的手牌打下去的局）",
)


def _unfinished(answer: Answer, lang: str) -> str:
    """How many games were stopped by a cap on their length, none too."""
    return say(
        _UNFINISHED if answer.kept else Words("{count} of {games}", "{count}（共{games}）"),
        lang,
        count=whole(answer.made.unfinished),
        games=counted(answer.made.games, "game", lang),
    )


def _versions(answer: Answer, lang: str) -> str:
    """What the games were played with, by the manifests of the runs."""
    names = ("python", "numba", "numpy")
    found = [f"{capital(name)} {number}" for name, number in answer.made.versions if name in names]
    return Words(", ", "，").of(lang).join(found)


_DESIGN = Words(
    "For places the same strategy sits in all seats and the hands of a deal are turned over the "
    "places; at a mixed table, and for gaps, the strategies are turned over the seats. The deal "
    "with all its rotations is the unit. Settings that are compared play the same deals, and are "
    "subtracted deal by deal.",
    "比较顺位时，所有座位用同一策略，同一次发牌的手牌在各顺位间轮换；"
    "混合策略以及比较差距时，策略在各座位间轮换。"
    "以发牌（含其全部轮换）为单位。互相比较的设置用同样的发牌，逐次相减。",
)


_METHOD = Words(
    "FAIR by two one-sided tests on every difference (Schuirmann 1987, Berger 1982); UNFAIR by "
    "the largest of the correlated t statistics, measured from the margin (Hothorn, Bretz and "
    "Westfall 2008); Holm's method over the verdicts under one heading, at 5 %. The one-sided "
    "tests need less room than the two-sided intervals shown, so that one of these may reach a "
    "little beyond the margin where the verdict is FAIR.",
    "公平：每个差异都通过两个单侧检验（Schuirmann 1987，Berger 1982）；"
    "不公平：相关 t 统计量的最大值，从界限算起（Hothorn、Bretz、Westfall 2008）；"
    "同一标题下的结论用 Holm 法，5%。单侧检验比所列的双侧区间窄，"
    "因此结论为公平时，区间也可能略微超出界限。",
)


_FIXED = Words(
    "Student's, 95 % for all differences of a setting together (largest t).",
    "Student 区间，同一设置的全部差异共同 95%（最大 t）。",
)


_SEQUENTIAL = Words(
    "Always valid (Waudby-Smith et al. 2024), 95 % for all differences of a setting together; "
    "played until they were as narrow as asked for, in looks that were fixed before.",
    "任意时刻有效的区间（Waudby-Smith 等 2024），同一设置的全部差异共同 95%；"
    "按事先定好的查看次序，打到达到所要求的宽度为止。",
)


_OWN = Words("{switch}: {value}", "{switch}：{value}")


def _rules(answer: Answer, lang: str) -> Table:
    """The switches of every variant that was played."""
    played = list(dict.fromkeys(setting.variant for setting in answer.question.settings))
    heads, meanings_of = [], {one.name: one.meaning for one in answer.question.game.switches}
    for variant in played:
        usual = next(one for one in played if one.name == variant.name)
        own = [
            say(_OWN, lang, switch=meanings_of[name].of(lang), value=value)
            for (name, value), (_, before) in zip(variant.rules, usual.rules, strict=True)
            if value != before
        ]
        heads.append(
            Words(", ", "，").of(lang).join([answer.question.variants[variant.name].of(lang), *own])
        )
    rules = [variant.switches for variant in played]
    table = rules_table(answer.question.game, heads, rules, lang)
    changed = tuple(line for line in table.lines if any(c.startswith("•") for c in line.cells))
    caption = Words(
        "Switches that differ from the usual rules in a variant, there with a dot; all others are "
        "as usual.",
        "只列出某一变体与通常规则不同的开关，不同处前有圆点；其余均同通常规则。",
    )
    if not changed:
        return replace(table, caption=caption.of(lang))
    # A row a variant: a question has many of them, and few switches that differ.
    switches, meanings, *values = zip(*(line.cells for line in changed), strict=True)
    titles = [Words("variant", "变体").of(lang), *switches]
    columns = tuple(Column(title, is_number=False) for title in titles)
    rows = [(Words("meaning", "含义").of(lang), *meanings)]
    rows += [(head, *cells) for head, cells in zip(heads, values, strict=True)]
    return replace(table, columns=columns, lines=tuple(map(Line, rows)), caption=caption.of(lang))
