"""How cards and events of skirmish look."""

from __future__ import annotations

from typing import Any

from sim.core.engine import Replayed
from sim.core.game import Piece, Pieces, Words
from tests.minigame.cards import ATTACKS, N_CARDS, PARRIES, PASS
from tests.minigame.rules import DEAL, DEATH, DRAW, HURT, PLAY, TURN


def card_name(card: int) -> str:
    """A card as transcripts spell it: its kind and its number."""
    kind = "attack" if ATTACKS >> card & 1 else "parry" if PARRIES >> card & 1 else "counter"
    return f"{kind} {card}"


def pieces(players: int, switches: dict[str, Any]) -> list[Pieces]:
    """The cards, one of each."""
    kinds = {"attack": "攻击", "parry": "招架", "counter": "反制"}
    names = [card_name(card) for card in range(N_CARDS)]
    items = [Piece(name, Words(name, kinds[name.split()[0]]), 1) for name in names]
    return [Pieces(Words("Cards", "牌"), tuple(items))]


def action(card: int, switches: dict[str, Any], lang: str) -> str:
    """An answer of a strategy in words; it may be no card at all."""
    if card == PASS:
        return "不出" if lang == "zh" else "pass"
    if not 0 <= card < N_CARDS:
        return f"{card}，不是一张牌" if lang == "zh" else f"{card}, which is no card"
    return card_name(card)


def events(replayed: Replayed, players: int, switches: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a game as objects of a transcript."""

    def cards(bits: int) -> list[str]:
        return [card_name(card) for card in range(N_CARDS) if bits >> card & 1]

    def as_object(kind: int, words: list[int]) -> dict[str, Any]:
        if kind == DEAL:
            return {"type": "deal", "hands": [*map(cards, words[:-1])], "pile": cards(words[-1])}
        if kind == TURN:
            return {"type": "turn", "seat": words[0]}
        if kind in (DRAW, PLAY):
            verb = "draw" if kind == DRAW else "play"
            return {"type": verb, "seat": words[0], "card": card_name(words[1])}
        if kind == HURT:
            return {"type": "hurt", "seat": words[0], "lives": words[1]}
        assert kind == DEATH
        return {"type": "death", "seat": words[0], "cards": cards(words[1])}

    return [as_object(kind, words) for kind, words in replayed.events]


def describe(event: dict[str, Any], lang: str) -> str:
    """One event as a line of text, English or Chinese."""
    kind, zh = event["type"], lang == "zh"
    if kind == "deal":
        return f"发牌：{event['hands']}" if zh else f"dealt: {event['hands']}"
    seat = f"座位 {event['seat']}" if zh else f"seat {event['seat']}"
    verbs = {
        "turn": ("回合", "is on turn"),
        "draw": (f"摸 {event.get('card')}", f"draws {event.get('card')}"),
        "play": (f"出 {event.get('card')}", f"plays {event.get('card')}"),
        "hurt": (f"体力 {event.get('lives')}", f"has {event.get('lives')} lives left"),
        "death": ("阵亡", "dies"),
    }
    return f"{seat} {verbs[kind][0 if zh else 1]}"
