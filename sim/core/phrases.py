"""What the replays of several games say in the same words, in English and in Chinese."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def signed(number: int | str) -> str:
    """A number with a true minus sign."""
    return str(number).replace("-", "−")


def listed(names: Iterable[str], zh: bool, none: tuple[str, str] = ("none", "无")) -> str:
    """Names one after the other: 'red 7, wild', '红 7、万能卡牌'; `none` if there are none."""
    return ("、" if zh else ", ").join(names) or none[zh]


def by_seat(numbers: Iterable[int], zh: bool) -> str:
    """A number for each seat: '3 / −1', '3／−1'."""
    return ("／" if zh else " / ").join(map(signed, numbers))


def round_begins(event: dict[str, Any], zh: bool) -> str:
    """The line of an event 'round' with its number and its start seat."""
    number, seat = event["round"], event["start"]
    return f"第 {number} 轮，座位 {seat} 开始" if zh else f"Round {number}, seat {seat} starts"
