"""How cards, actions and events of 毒药 look, to a person and in a transcript."""

from __future__ import annotations

from typing import Any

from sim.core.engine import Replayed
from sim.core.game import Piece, Pieces, Words
from sim.core.phrases import by_seat, listed, round_begins
from sim.games.poison.cards import (
    COLOURS,
    COPIES,
    COPIES_OF_VALUE,
    N_ACTIONS,
    N_COLOURS,
    N_KINDS,
    POISON,
    VALUE,
    colour_of,
    count_of,
    kind_of,
    pot_of,
)
from sim.games.poison.rules import DEAL, PLAY, ROUND, SCORE

NAMES = [
    "X" if kind == POISON else f"{COLOURS[colour_of(kind)]}{VALUE[kind]}" for kind in range(N_KINDS)
]
COLOUR_WORDS = {"R": ("red", "红"), "B": ("blue", "蓝"), "P": ("purple", "紫")}
UNUSED = {"ghost": ("the ghost hand", "多出的一手牌"), "aside": ("set aside", "移出本轮的牌")}


def cards(heap: int) -> list[str]:
    """The cards of a heap, as transcripts spell them."""
    found: list[str] = []
    for kind, name in enumerate(NAMES):
        found += [name] * count_of(heap, kind)
    return found


def pieces(players: int, switches: dict[str, Any]) -> list[Pieces]:
    """The cards of the deck, and its potions by colour."""
    return [
        Pieces(
            Words("Cards of the deck", "牌堆中的牌"),
            tuple(
                Piece(name, Words(card_words(name, "en"), card_words(name, "zh")), n)
                for name, n in zip(NAMES, COPIES, strict=True)
            ),
        ),
        Pieces(
            Words("Potions of a colour", "同色的药剂牌"),
            tuple(
                Piece(colour, Words(f"{en} potions", f"{zh}色药剂"), sum(COPIES_OF_VALUE))
                for colour, (en, zh) in COLOUR_WORDS.items()
            ),
        ),
    ]


def action(number: int, switches: dict[str, Any], lang: str) -> str:
    """An answer of a strategy in words; it may be no action at all."""
    if not 0 <= number < N_ACTIONS:
        return f"{number}，不是一个动作" if lang == "zh" else f"{number}, which is no action"
    name, pot = NAMES[kind_of(number)], pot_of(number)
    words = card_words(name, lang)
    return f"{name}（{words}）入锅 {pot}" if lang == "zh" else f"{name} ({words}) to pot {pot}"


def events(replayed: Replayed, players: int, switches: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a game as objects of a transcript, between its first and its last line."""

    def as_object(kind: int, words: list[int]) -> dict[str, Any]:
        if kind == ROUND:
            return {"type": "round", "round": words[0], "start": words[1]}
        if kind == DEAL:
            *hands, ghost, aside = map(cards, words)
            return {"type": "deal", "hands": hands, "ghost": ghost, "aside": aside}
        if kind == PLAY:
            seat, card, pot, total, takes = words
            return {
                "type": "play",
                "seat": seat,
                "card": NAMES[card],
                "pot": pot,
                "total": total,
                "takes": cards(takes),
            }
        assert kind == SCORE
        discards = words[players]
        return {
            "type": "score",
            "taken": [cards(pile) for pile in words[:players]],
            "discarded": [
                [name for c, name in enumerate(COLOURS) if discards >> (N_COLOURS * seat + c) & 1]
                for seat in range(players)
            ],
            "round_scores": words[players + 1 : 2 * players + 1],
            "totals": words[2 * players + 1 :],
        }

    return [as_object(kind, words) for kind, words in replayed.events]


def card_words(name: str, lang: str) -> str:
    """A card as a person says it: 'red 7', '红 7', 'poison', '毒药'."""
    if name == "X":
        return "毒药" if lang == "zh" else "poison"
    return f"{COLOUR_WORDS[name[0]][lang == 'zh']} {name[1:]}"


def describe(event: dict[str, Any], lang: str) -> str:
    """One event as a line of text, English or Chinese."""
    zh = lang == "zh"

    def cards(names: list[str]) -> str:
        return listed((card_words(name, lang) for name in names), zh)

    if event["type"] == "round":
        return round_begins(event, zh)
    if event["type"] == "deal":
        lines = [
            (f"  座位 {seat} 手牌：{cards(hand)}" if zh else f"  seat {seat} holds {cards(hand)}")
            for seat, hand in enumerate(event["hands"])
        ]
        for key, words in UNUSED.items():
            if event[key]:
                lines.append(f"  {words[zh]}{'：' if zh else ': '}{cards(event[key])}")
        return "\n".join(lines)
    if event["type"] == "play":
        return _describe_play(event, lang, cards(event["takes"]))
    return _describe_score(event, zh, cards)


def _describe_play(event: dict[str, Any], lang: str, takes: str) -> str:
    seat, pot, total = event["seat"], event["pot"], event["total"]
    card = card_words(event["card"], lang)
    if lang == "zh":
        line = f"  座位 {seat} 将 {card} 放入锅 {pot}：{total}"
        return line + (f"，溢出，收取 {takes}" if event["takes"] else "")
    line = f"  seat {seat} plays {card} to pot {pot}: {total}"
    return line + (f", which overflows; takes {takes}" if event["takes"] else "")


def _describe_score(event: dict[str, Any], zh: bool, cards: Any) -> str:
    lines = []
    for seat, pile in enumerate(event["taken"]):
        colours = [COLOUR_WORDS[colour][zh] for colour in event["discarded"][seat]]
        if zh:
            line = f"  座位 {seat} 收取了 {cards(pile)}"
            line += f"；弃掉 {listed(colours, zh)}" if colours else ""
        else:
            line = f"  seat {seat} has taken {cards(pile)}"
            line += f"; discards {listed(colours, zh)}" if colours else ""
        lines.append(line)
    scores, totals = (by_seat(event[key], zh) for key in ("round_scores", "totals"))
    last = f"  本轮罚分 {scores}；累计 {totals}" if zh else f"  penalties {scores}; totals {totals}"
    return "\n".join([*lines, last])
