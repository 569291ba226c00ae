"""Numbers and names as a reader wants them, in English and Chinese."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from math import ceil, log10
from statistics import median_high

from analysis.intervals import Estimate
from sim.catalog import Team
from sim.core.game import Words

NBSP = "\u00a0"
MOST_DIGITS = 3
UNKNOWN = "—"  # what a single deal cannot tell
_HAN = r"[\u3400-\u9fff]"
_LATIN = r"[A-Za-z0-9%<>=≤≥±−+]"

_COUNTS = Words("one two three four five six seven eight nine ten", "一 二 三 四 五 六 七 八 九 十")


def say(words: Words, lang: str, **parts: object) -> str:
    """Fill `parts` into a text; in Chinese, set apart Latin letters and numbers by a space.

    In English quotes are straight: the page's font has curved ones as wide as a Chinese character.
    """
    text = words.of(lang).format(**parts)
    if lang == "en":
        text = re.sub("[“”]", '"', text)
    if lang == "zh":
        text = re.sub(f"({_HAN})({_LATIN})", r"\1 \2", text)
        text = re.sub(f"({_LATIN})({_HAN})", r"\1 \2", text)
    return text


def count_word(number: int, lang: str) -> str:
    """A small number as a word: 'three', 三."""
    names = _COUNTS.of(lang).split()
    return names[number - 1] if 1 <= number <= len(names) else str(number)


def ordinal(number: int, lang: str) -> str:
    """1 as '1st', 第 1 位."""
    if lang == "zh":
        return f"第 {number} 位"
    ending = "th" if 10 <= number % 100 <= 20 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10)
    return f"{number}{ending or 'th'}"


def capital(text: str) -> str:
    """First letter in capitals, the rest as it is; names such as last_exact stay small."""
    return text if "_" in text.split(" ")[0] else text[:1].upper() + text[1:]


def whole(number: int) -> str:
    """A count with its thousands set apart: 200,000."""
    return f"{number:,}".replace("-", "−")


def decimal(number: float, digits: int) -> str:
    """A number with a true minus sign and no negative zero."""
    text = f"{number:,.{digits}f}"
    if float(text.replace(",", "")) == 0:
        text = text.replace("-", "")
    return text.replace("-", "−")


def percent(share: float, lang: str, digits: int = 1) -> str:
    """0.321 as '32.1 %', in Chinese 32.1%."""
    return decimal(100 * share, digits) + ("%" if lang == "zh" else f"{NBSP}%")


def with_unit(text: str, unit: str) -> str:
    """A number as text and what it counts: '2 rounds', '1 round', 2 轮."""
    return f"{text} {unit.removesuffix('s') if text == '1' else unit}".rstrip()


def digits_for(half_width: float | None) -> int:
    """Decimals that show the first figure of an interval's half width, one to three.

    One too where not even three would show it.
    """
    if half_width is None or half_width < 0.5 * 10**-MOST_DIGITS:
        return 1
    return max(1, min(3, ceil(-log10(half_width))))


def span(low: str, high: str, lang: str) -> str:
    """Two numbers as a range, readable with minus signs too."""
    if "−" in low or "−" in high:
        return f"{low} 至 {high}" if lang == "zh" else f"{low} to {high}"
    return f"{low}–{high}"


@dataclass(frozen=True)
class Shown:
    """An estimate as text: `mean` with its unit, `interval` without."""

    mean: str
    interval: str
    lang: str

    @property
    def both(self) -> str:
        """Mean and interval in one: '32.1 % (31.9–32.3)'."""
        if self.lang == "zh":
            return f"{self.mean}（{self.interval}）"
        return f"{self.mean} ({self.interval})"


def shown(estimate: Estimate, lang: str, *, is_rate: bool, digits: int | None = None) -> Shown:
    """A mean as text, a rate in percent; with so many decimals, or as the interval allows."""
    if not is_rate:
        return _shown(estimate, lang, 1, "", (), digits)
    sign = "%" if lang == "zh" else f"{NBSP}%"
    return _shown(estimate, lang, 100, sign, (0, 1), digits)


def points(estimate: Estimate, lang: str, digits: int | None = None) -> Shown:
    """A difference of two shares in percentage points; decimals as in `shown`."""
    return _shown(estimate, lang, 100, "", (), digits)


def common_digits(estimates: Iterable[Estimate], scale: int = 1, least: int = 1) -> int:
    """Decimals for all estimates of a table: what half of them need, and no fewer than `least`."""
    halves = [
        None if one.low is None or one.high is None else scale * (one.high - one.low) / 2
        for one in estimates
    ]
    return max(least, median_high(map(digits_for, halves))) if halves else least


def _shown(
    estimate: Estimate,
    lang: str,
    scale: int,
    sign: str,
    ends: tuple[int, ...],
    digits: int | None,
) -> Shown:
    """Text with so many decimals, or as the interval allows; `ends` of the range need none."""
    low, high = estimate.low, estimate.high
    digits = common_digits([estimate], scale) if digits is None else digits

    def show(value: float) -> str:
        return decimal(scale * value, 0 if value in ends else digits)

    interval = UNKNOWN
    if low is not None and high is not None:
        first, last = show(low), show(high)
        rough = decimal(scale * low, digits)
        if first != last and rough == decimal(scale * high, digits):
            first = last = rough  # not 0–0.0
        interval = span(first, last, lang)
    return Shown(show(estimate.mean) + sign, interval, lang)


def counted(number: int, thing: str, lang: str) -> str:
    """A number of deals or games: '60,000 deals', 60,000 次发牌."""
    if lang == "zh":
        return f"{whole(number)} {_COUNTED[thing]}"
    return f"{whole(number)} {thing}{'' if number == 1 else 's'}"


FORFEITS = Words(
    "Games forfeited by a fault of a strategy, in which all others share the win: {lost}.",
    "因策略出错而判负的局（其余各家平分胜利）：{lost}。",
)


def forfeited(lost: Mapping[str, int], lang: str) -> str:
    """Who forfeited how many games."""
    colon, comma = ("：", "，") if lang == "zh" else (": ", ", ")
    return comma.join(f"{name}{colon}{whole(n)}" for name, n in lost.items())


def team_name(team: Team, lang: str) -> str:
    """What a team is called: by number and size, and by its seats where it keeps them."""
    players = Words("1 player", "1 人") if team.size == 1 else Words("{n} players", "{n} 人")
    of = players.of(lang).format(n=team.size)
    if team.seats:
        seats = Words(", ", "、").of(lang).join(map(str, team.seats))
        word = Words("seat" if team.size == 1 else "seats", "座位").of(lang)
        of += f"{Words(': ', '：').of(lang)}{word} {seats}"
    return say(
        Words("team {number} ({of})", "队伍 {number}（{of}）"), lang, number=team.number, of=of
    )


_COUNTED = {"deal": "次发牌", "game": "局"}

COLUMNS = {
    "win_share": Words("win share", "获胜份额"),
    "won": Words("games won, alone or shared", "获胜的局（含并列）"),
    "nobody": Words("nobody wins", "无人获胜"),
    "shared": Words("shared win", "多家并列获胜"),
    "unfinished": Words("unfinished", "未打完"),
    "draw": Words("draw", "平局"),
    "decisions": Words("decisions of all seats", "全部座位的决策次数"),
}
