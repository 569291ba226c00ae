"""How cards, actions and events of 幸灾乐祸 look, to a person and in a transcript."""

from __future__ import annotations

from typing import Any

from sim.core.engine import Replayed
from sim.core.game import Piece, Pieces, Words
from sim.core.phrases import by_seat, listed, round_begins, signed
from sim.games.schadenfreude.cards import N_CARDS, NUMBERS
from sim.games.schadenfreude.rules import DEAL, PLAY, ROUND, SCORE, TRICK, deck_of
from sim.games.schadenfreude.view import NOBODY

SUITS = "ABCD"
SUIT_WORDS = {
    "A": ("sword", "剑"),
    "B": ("flag", "旗"),
    "C": ("shield", "盾"),
    "D": ("helmet", "盔"),
}
WILD_NAMES = {"none": ("W1", "W2"), "zero_ten": ("W0", "W10")}


def card_names(switches: dict[str, Any]) -> list[str]:
    """Names of the 50 cards in the order of their numbers, as transcripts spell them."""
    numbers = NUMBERS[switches["rank_set"]]
    names = [f"{suit}{number}" for suit in SUITS for number in numbers]
    return names + list(WILD_NAMES[switches["wild_rank"]])


def pieces(players: int, switches: dict[str, Any]) -> list[Pieces]:
    """The cards in play with their names, one of each."""
    deck = deck_of(players, switches)
    return [
        Pieces(
            Words("Cards in play", "在用的牌"),
            tuple(
                Piece(name, Words(card_words(name, "en"), card_words(name, "zh")), 1)
                for card, name in enumerate(card_names(switches))
                if deck >> card & 1
            ),
        )
    ]


def action(card: int, switches: dict[str, Any], lang: str) -> str:
    """An answer of a strategy in words; it may be no card at all."""
    if not 0 <= card < N_CARDS:
        return f"{card}，不是一张牌" if lang == "zh" else f"{card}, which is no card"
    name = card_names(switches)[card]
    return (
        f"{name}（{card_words(name, lang)}）"
        if lang == "zh"
        else f"{name} ({card_words(name, lang)})"
    )


def events(replayed: Replayed, players: int, switches: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a game as objects of a transcript, between its first and its last line."""
    names = card_names(switches)
    numbers = NUMBERS[switches["rank_set"]]

    def cards(bits: int) -> list[str]:
        return [name for card, name in enumerate(names) if bits >> card & 1]

    def pile(ranks: int) -> list[int]:
        return [number for rank, number in enumerate(numbers) if ranks >> rank & 1]

    def as_object(kind: int, words: list[int]) -> dict[str, Any]:
        if kind == ROUND:
            return {"type": "round", "round": words[0], "start": words[1]}
        if kind == DEAL:
            hands = [cards(hand) for hand in words[:players]]
            return {"type": "deal", "hands": hands, "aside": cards(words[players])}
        if kind == PLAY:
            return {"type": "play", "seat": words[0], "card": names[words[1]]}
        if kind == TRICK:
            winner = None if words[0] == NOBODY else words[0]
            piles = [pile(ranks) for ranks in words[2:]]
            return {"type": "trick", "winner": winner, "takes": cards(words[1]), "piles": piles}
        assert kind == SCORE
        return {"type": "score", "round_scores": words[:players], "totals": words[players:]}

    return [as_object(kind, words) for kind, words in replayed.events]


def card_words(name: str, lang: str) -> str:
    """A card as a person says it: 'sword −2', '剑 −2', 'wild', '万能卡牌'."""
    if name.startswith("W"):
        extra = name[1:] if name in WILD_NAMES["zero_ten"] else ""
        return ("万能卡牌" if lang == "zh" else "wild") + (f" {extra}" if extra else "")
    return f"{SUIT_WORDS[name[0]][lang == 'zh']} {signed(name[1:])}"


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
        aside = cards(event["aside"])
        return "\n".join([*lines, f"  剩余：{aside}" if zh else f"  left over: {aside}"])
    if event["type"] == "play":
        seat, card = event["seat"], card_words(event["card"], lang)
        return f"  座位 {seat} 出 {card}" if zh else f"  seat {seat} plays {card}"
    if event["type"] == "trick":
        return _describe_trick(event, zh, cards(event["takes"]))
    totals = by_seat(event["totals"], zh)
    scores = by_seat(event["round_scores"], zh)
    if zh:
        return f"  本轮得分 {scores}；累计 {totals}"
    return f"  round scores {scores}; totals {totals}"


def _describe_trick(event: dict[str, Any], zh: bool, takes: str) -> str:
    winner = event["winner"]
    if winner is None:
        return "  -> 无人收取" if zh else "  -> nobody collects"
    pile = listed(map(signed, event["piles"][winner]), zh, ("empty", "空"))
    if zh:
        return f"  -> 座位 {winner} 赢墩，收取 {takes}；其得分牌堆：{pile}"
    return f"  -> seat {winner} wins the trick and takes {takes}; its pile: {pile}"
