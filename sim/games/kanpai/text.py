"""How cards, actions and events of 干杯 look, to a person and in a transcript."""

from __future__ import annotations

from typing import Any

from sim.core.engine import Replayed
from sim.core.game import Piece, Pieces, Words
from sim.games.kanpai import N_GLASSES
from sim.games.kanpai.cards import BYTE
from sim.games.kanpai.rules import (
    AREAS,
    DEAL,
    DRAWING,
    DROPPING,
    PASSING,
    RESHUFFLING,
    RETURNING,
    SENDING,
    SPLITTING,
    TOASTING,
    TURN,
)
from sim.games.kanpai.setup import copies
from sim.games.kanpai.setup import teams as teams_by_rules
from sim.games.kanpai.view import (
    DECLARE,
    DROP,
    GIVE,
    MAX_HAND,
    NOBODY,
    PLACES,
    RETURN,
    SEND,
    SILENT,
    TOAST,
    team_of,
)

GLASSES = "GRBYP"
GLASS_WORDS = {
    "G": ("green", "绿杯"),
    "R": ("red", "红杯"),
    "B": ("blue", "蓝杯"),
    "Y": ("yellow", "黄杯"),
    "P": ("purple", "紫杯"),
}
CARDS = [f"{big}/{small.lower()}" for big in GLASSES for small in GLASSES]


def counts(glasses: int) -> list[int]:
    """A multiset of glasses as five counts."""
    return [glasses >> (BYTE * i) & 255 for i in range(N_GLASSES)]


def listed(glasses: int) -> list[str]:
    """A multiset of glasses as a list of them."""
    return [glass for glass, n in zip(GLASSES, counts(glasses)) for _ in range(n)]


def n_dummies(players: int, switches: dict[str, Any]) -> int:
    """Places behind the real seats in the lists of a transcript."""
    of = teams_by_rules(players, switches)
    is_even = of.count(0) == of.count(1)
    has_dummy = switches["mode"] in ("base", "master") and switches["use_dummy"] == "yes"
    return int(has_dummy and not is_even)


def glass_words(glass: str, lang: str) -> str:
    """A glass as a person says it."""
    return GLASS_WORDS[glass][lang == "zh"]


def card_words(card: str, lang: str) -> str:
    """A card as a person says it: its big glass and its small one."""
    big, small = (glass_words(glass, lang) for glass in card.upper().split("/"))
    return f"{big}（小{small}）" if lang == "zh" else f"{big} (small {small})"


def pieces(players: int, switches: dict[str, Any]) -> list[Pieces]:
    """The cards of this deck, and the glasses that the recipes are drawn from."""
    deck = zip(CARDS, copies(switches), strict=True)
    n_teams = max(teams_by_rules(players, switches)) + 1
    return [
        Pieces(
            Words("Cards of the deck", "牌堆中的牌"),
            tuple(
                Piece(card, Words(card_words(card, "en"), card_words(card, "zh")), n)
                for card, n in deck
                if n
            ),
        ),
        Pieces(
            Words(
                "Recipe tokens, two of each glass for every team: a recipe is five of them",
                "酒谱标记，每队每种酒杯两个：酒谱由其中五个组成",
            ),
            tuple(
                Piece(glass, Words(f"{en} glass", zh), 2 * n_teams)
                for glass, (en, zh) in GLASS_WORDS.items()
            ),
        ),
    ]


def action(number: int, switches: dict[str, Any], lang: str) -> str:
    """An answer of a strategy in words; it may be no action at all."""
    zh = lang == "zh"
    if not TOAST <= number <= DECLARE:
        return f"{number}，不是一个动作" if zh else f"{number}, which is no action"
    if number < RETURN:
        start = TOAST if number < SEND else SEND
        what, place = divmod(number - start, PLACES)
        if number < SEND:
            name = f"{CARDS[what]}（{card_words(CARDS[what], lang)}）" if zh else CARDS[what]
            return f"向座位 {place} 敬酒 {name}" if zh else f"toast {name} to seat {place}"
        glass = glass_words(GLASSES[what], lang)
        return f"送{glass}给座位 {place}" if zh else f"send {glass} to seat {place}"
    if number == RETURN:
        return "退货" if zh else "return the hand"
    if number < DROP:
        x, y = divmod(number - GIVE, PLACES)
        if zh:
            return f"新牌给座位 {x}，配对的牌给座位 {y}"
        return f"give the new card to seat {x} and the matching one to seat {y}"
    if number < SILENT:
        glass = glass_words(GLASSES[number - DROP], lang)
        return f"弃掉{glass}" if zh else f"discard {glass}"
    if number == SILENT:
        return "不宣布" if zh else "keep silent"
    return "宣布获胜" if zh else "declare the recipe"


def events(replayed: Replayed, players: int, switches: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a game as objects of a transcript, between its first and its last line."""

    def cards(numbers: list[int]) -> list[str]:
        return [CARDS[card] for card in numbers if card >= 0]

    def deal(words: list[int]) -> dict[str, Any]:
        start, teams, n_ring, n_teams, *rest = words
        masters, recipes = rest[: 2 * n_teams : 2], rest[1 : 2 * n_teams : 2]
        rest = rest[2 * n_teams :]
        hands = [cards(rest[i * MAX_HAND : (i + 1) * MAX_HAND]) for i in range(players)]
        return {
            "type": "deal",
            "mode": switches["mode"],
            "teams": [team_of(teams, place) for place in range(n_ring)],
            "dummies": list(range(players, n_ring)),
            "masters": [seat for seat in masters if seat != NOBODY],
            "recipes": [listed(recipe) for recipe in recipes],
            "hands": [*hands, *([] for _ in range(players, n_ring))],
            "deck": cards(rest[players * MAX_HAND :]),
            "start": start,
        }

    def as_object(kind: int, words: list[int]) -> dict[str, Any]:
        if kind == DEAL:
            return deal(words)
        if kind == TURN:
            return {"type": "turn", "turn": words[0], "seat": words[1]}
        if kind == TOASTING:
            seat, card, to, clinks = words
            card_name, is_clink = CARDS[card], bool(clinks)
            return {"type": "toast", "seat": seat, "card": card_name, "to": to, "clink": is_clink}
        if kind == SPLITTING:
            seat, target, big, x, small, y = words
            gives = [{"glass": GLASSES[big], "to": x}, {"glass": GLASSES[small], "to": y}]
            return {"type": "split", "seat": seat, "target": target, "gives": gives}
        if kind == SENDING:
            return {"type": "send", "seat": words[0], "glass": GLASSES[words[1]], "to": words[2]}
        if kind == RETURNING:
            return {"type": "return", "seat": words[0], "cards": cards(words[1:])}
        if kind == PASSING:
            return {"type": "pass", "seat": words[0]}
        if kind == DROPPING:
            seat, by, glass = words
            return {"type": "overflow", "seat": seat, "by": by, "glass": GLASSES[glass]}
        if kind == DRAWING:
            return {"type": "draw", "seat": words[0], "cards": cards(words[1:])}
        if kind == RESHUFFLING:
            return {"type": "reshuffle", "deck": cards(words)}
        assert kind == AREAS
        return {"type": "areas", "areas": [counts(area) for area in words]}

    return [as_object(kind, words) for kind, words in replayed.events]


def describe(event: dict[str, Any], lang: str) -> str:
    """One event as a line of text, English or Chinese."""
    zh = lang == "zh"
    kind = event["type"]
    if kind == "deal":
        return _describe_deal(event, lang)
    if kind == "areas":
        areas = [
            "".join(glass * n for glass, n in zip(GLASSES, area)) or "-" for area in event["areas"]
        ]
        return ("  个人区域：" if zh else "  areas: ") + " | ".join(areas)
    if kind == "reshuffle":
        n = len(event["deck"])
        return f"  退货的 {n} 张牌洗成新牌堆" if zh else f"  the {n} returned cards are shuffled"
    seat = f"座位 {event['seat']}" if zh else f"seat {event['seat']}"
    if kind == "turn":
        return f"第 {event['turn']} 回合，{seat}" if zh else f"Turn {event['turn']}, {seat}"
    return f"  {seat} {_words_of(event, lang)}"


def _words_of(event: dict[str, Any], lang: str) -> str:
    """What a seat does in an event."""
    zh = lang == "zh"
    kind = event["type"]
    if kind == "toast":
        card, to = card_words(event["card"], lang), event["to"]
        clinks = ("，干杯！" if zh else ", which clinks") if event["clink"] else ""
        return f"以{card}向座位 {to} 敬酒{clinks}" if zh else f"toasts {card} to seat {to}{clinks}"
    if kind == "split":
        (new, x), (matching, y) = (
            (glass_words(gift["glass"], lang), gift["to"]) for gift in event["gives"]
        )
        if zh:
            return f"把新牌{new}给座位 {x}，把{matching}给座位 {y}"
        return f"gives the new {new} to seat {x} and a {matching} to seat {y}"
    if kind in ("send", "overflow"):
        glass = glass_words(event["glass"], lang)
        if kind == "send":
            return (
                f"送{glass}给座位 {event['to']}" if zh else f"sends {glass} to seat {event['to']}"
            )
        if event["by"] == event["seat"]:
            return f"超限，弃{glass}" if zh else f"has too many cards and discards {glass}"
        by = event["by"]
        if zh:
            return f"超限，座位 {by} 弃其{glass}"
        return f"has too many cards; seat {by} discards {glass} from there"
    if kind == "pass":
        return "无牌可动，跳过" if zh else "has nothing to do and passes"
    cards = ("、" if zh else ", ").join(card_words(card, lang) for card in event["cards"])
    if kind == "return":
        return f"退货：{cards}" if zh else f"returns {cards}"
    return f"摸牌：{cards}" if zh else f"draws {cards}"


def _describe_deal(event: dict[str, Any], lang: str) -> str:
    zh = lang == "zh"
    between = "、" if zh else ", "
    lines = []
    for team, recipe in enumerate(event["recipes"]):
        glasses = between.join(glass_words(glass, lang) for glass in recipe)
        members = between.join(str(place) for place, of in enumerate(event["teams"]) if of == team)
        lines.append(
            f"  队伍 {team}（座位 {members}）的酒谱：{glasses}"
            if zh
            else f"  team {team} (seats {members}) wants {glasses}"
        )
    for seat in event["masters"]:
        lines.append(f"  座位 {seat} 是师父" if zh else f"  seat {seat} is a master")
    for seat, hand in enumerate(event["hands"]):
        if seat in event["dummies"]:
            lines.append(f"  座位 {seat} 是虚拟队友" if zh else f"  seat {seat} is a dummy")
            continue
        cards = between.join(card_words(card, lang) for card in hand)
        lines.append(f"  座位 {seat} 手牌：{cards}" if zh else f"  seat {seat} holds {cards}")
    start = event["start"]
    lines.append(f"  座位 {start} 开始" if zh else f"  seat {start} starts")
    return "\n".join(lines)
