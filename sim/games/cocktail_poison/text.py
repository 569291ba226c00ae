"""How cards, tiles, actions and events of Cocktail Poison look, to a person and in a transcript."""

from __future__ import annotations

from typing import Any

from sim.core.engine import Replayed
from sim.core.game import Piece, Pieces, Words
from sim.core.phrases import by_seat, listed, round_begins
from sim.games.cocktail_poison.cards import (
    ANTIDOTE,
    BLIND,
    FIRST_TILE,
    N_ACTIONS,
    N_COLOURS,
    N_STYLES,
    N_TILES,
    NO_LAY,
    ON_NEW,
    ON_OLD,
    lay_of,
    pick_of,
)
from sim.games.cocktail_poison.rules import COVER, DEAL, ROUND, SCORE, TAKE, TILE

STYLES, TILES = "MFOHKT", "RYBGW"
STYLE_WORDS = {
    "M": ("Martini", "马天尼杯"),
    "F": ("flute", "笛形杯"),
    "O": ("bowl", "碗形杯"),
    "H": ("H glass", "H 型杯"),
    "K": ("K glass", "K 型杯"),
    "T": ("T glass", "T 型杯"),
}
TILE_WORDS = {
    "R": ("red", "红"),
    "Y": ("yellow", "黄"),
    "B": ("blue", "蓝"),
    "G": ("green", "绿"),
    "W": ("antidote", "解药"),
}
CARD_NAMES = [f"{style}-{colour}" for style in STYLES for colour in TILES[:N_COLOURS]]


def pieces(players: int, switches: dict[str, Any]) -> list[Pieces]:
    """Glasses, drinks and tiles: of the first two those that can be in play, one of each."""
    is_drawn = switches["glass_selection"] == "martini_random" and players < N_STYLES
    styles = STYLES if is_drawn else STYLES[:players]
    some = Words("", "")
    if is_drawn:
        some = Words(
            f": in every round the Martini and {players - 1} others",
            f"：每轮用马天尼杯和另外 {players - 1} 种",
        )
    tiles = TILES if switches["antidote_tile"] == "yes" else TILES[:N_COLOURS]
    return [
        Pieces(
            Words(f"Glasses{some.en}", f"杯型{some.zh}"),
            tuple(Piece(style, Words(*STYLE_WORDS[style]), 1) for style in styles),
        ),
        Pieces(
            Words("Drinks of these glasses", "各杯型的饮料牌"),
            tuple(
                Piece(name, Words(card_words(name, "en"), card_words(name, "zh")), 1)
                for name in CARD_NAMES
                if name[0] in styles
            ),
        ),
        Pieces(
            Words("Tiles of all players", "所有玩家的毒片"),
            tuple(Piece(tile, tile_name(tile), players) for tile in tiles),
        ),
    ]


def tile_name(tile: str) -> Words:
    """What a tile is called where it stands alone."""
    en, zh = TILE_WORDS[tile]
    return Words(en, zh) if tile == TILES[ANTIDOTE] else Words(f"{en} poison", f"{zh}色毒片")


def action(number: int, switches: dict[str, Any], lang: str) -> str:
    """An answer of a strategy in words; it may be nothing that exists."""
    zh = lang == "zh"
    pick, lay = pick_of(number), lay_of(number)
    is_known = 0 <= number < N_ACTIONS and pick < FIRST_TILE + N_TILES
    if not is_known or (pick >= FIRST_TILE and lay != NO_LAY):
        return f"{number}，不是一个行动" if zh else f"{number}, which is no action"
    if pick >= FIRST_TILE:
        tile = TILE_WORDS[TILES[pick - FIRST_TILE]][zh]
        return f"选择{tile}" if zh else f"tile {tile}"
    if pick == BLIND:
        picked = "牌堆顶的牌" if zh else "the top of the pile"
    else:
        picked = card_words(CARD_NAMES[pick], lang)
    if lay == NO_LAY:
        return f"拿 {picked}" if zh else f"take {picked}"
    covered = "这张牌" if zh else "it"
    if lay != ON_NEW:
        covered = card_words(CARD_NAMES[lay - ON_OLD], lang)
    return f"拿 {picked}，解药盖在{covered}上" if zh else f"take {picked}, antidote on {covered}"


def events(replayed: Replayed, players: int, switches: dict[str, Any]) -> list[dict[str, Any]]:
    """The events of a game as objects of a transcript, between its first and its last line."""

    def cards(numbers: list[int]) -> list[str]:
        return [CARD_NAMES[card] for card in numbers]

    def as_object(kind: int, words: list[int]) -> dict[str, Any]:
        if kind == ROUND:
            return {"type": "round", "round": words[0], "start": words[1]}
        if kind == DEAL:
            size, deck = words[0], cards(words[1 + players :])
            styles = [STYLES[style] for style in words[1 : 1 + players]]
            return {"type": "deal", "styles": styles, "row": deck[:size], "pile": deck[size:]}
        if kind == TILE:
            return {"type": "tile", "seat": words[0], "tile": TILES[words[1]]}
        if kind == TAKE:
            seat, card, antidote, blind = words[:4]
            taken = {"type": "take", "seat": seat, "card": CARD_NAMES[card]}
            row = {"row": cards(words[4:]), "blind": bool(blind)}
            return {**taken, "antidote": bool(antidote), **row}
        if kind == COVER:
            return {"type": "antidote", "seat": words[0], "card": CARD_NAMES[words[1]]}
        assert kind == SCORE
        raw, scores, totals = (words[k * players : (k + 1) * players] for k in range(3))
        return {"type": "score", "raw": raw, "round_scores": scores, "totals": totals}

    return [as_object(kind, words) for kind, words in replayed.events]


def card_words(name: str, lang: str) -> str:
    """A drink as a person says it: 'red Martini', '红色马天尼杯'."""
    style, colour = name.split("-")
    if lang == "zh":
        glass = STYLE_WORDS[style][1]
        space = " " if glass[0].isascii() else ""  # beside a Latin letter
        return f"{TILE_WORDS[colour][1]}色{space}{glass}"
    return f"{TILE_WORDS[colour][0]} {STYLE_WORDS[style][0]}"


def describe(event: dict[str, Any], lang: str) -> str:
    """One event as a line of text, English or Chinese."""
    zh = lang == "zh"

    def cards(names: list[str]) -> str:
        return listed((card_words(name, lang) for name in names), zh)

    if event["type"] == "round":
        return round_begins(event, zh)
    if event["type"] == "deal":
        lines = [
            f"  座位 {seat} 的杯型：{STYLE_WORDS[style][1]}"
            if zh
            else f"  seat {seat} has the {STYLE_WORDS[style][0]}"
            for seat, style in enumerate(event["styles"])
        ]
        row, pile = cards(event["row"]), cards(event["pile"])
        lines += (
            [f"  公开：{row}", f"  牌堆：{pile}"] if zh else [f"  row: {row}", f"  pile: {pile}"]
        )
        return "\n".join(lines)
    if event["type"] == "tile":
        seat, tile = event["seat"], TILE_WORDS[event["tile"]][zh]
        return f"  座位 {seat} 暗选：{tile}" if zh else f"  seat {seat} hides the tile: {tile}"
    if event["type"] == "take":
        return _describe_take(event, lang, cards(event["row"]))
    if event["type"] == "antidote":
        seat, card = event["seat"], card_words(event["card"], lang)
        return f"  座位 {seat} 把解药盖在{card}上" if zh else f"  seat {seat} covers {card}"
    raw, scores, totals = (by_seat(event[key], zh) for key in ("raw", "round_scores", "totals"))
    if zh:
        return f"  本轮结算 {raw}；得分 {scores}；累计 {totals}"
    return f"  round {raw}, scored {scores}; totals {totals}"


def _describe_take(event: dict[str, Any], lang: str, row: str) -> str:
    seat, card = event["seat"], card_words(event["card"], lang)
    if lang == "zh":
        verb = "盲抽到" if event["blind"] else "拿"
        laid = "，并盖上解药" if event["antidote"] else ""
        return f"  座位 {seat} {verb}{card}{laid}；公开：{row}"
    verb = "draws" if event["blind"] else "takes"
    laid = " with the antidote on it" if event["antidote"] else ""
    return f"  seat {seat} {verb} {card}{laid}; row: {row}"
