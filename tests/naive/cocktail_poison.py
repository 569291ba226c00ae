"""Naive twin of Cocktail Poison: lists, sets and dicts, with no regard for speed.

Written from the rule sheet alone (ids C-R01 to C-R10, switches of its section 5), and six switches
that this project adds as remedies (the last in DEFAULTS). It shares no code with the simulator, so
that the two can be held against each other.

Cards are text, 'M-R'; styles M F O H K T, colours R Y B G, tiles R Y B G W. Seats are 0..n-1
clockwise.

Readings of the sheet, where it leaves room:

- `when_empty`: a new row is laid as soon as the last card of the row is taken, of row_size cards or
  what is left of the pile.
- `poisoned` for `fewest_poisoned` counts k of C-R07, so neither covered poisons nor the own one.
- A tie at the target under `extra_round` is a tie of the highest totals; once the target was
  reached the game counts as finished, also if totals fall afterwards (`round_floor=none`).
- `cards_left` takes fall away at the end of the draft; a poison that nobody drew does nothing.
- `denied` takes P from the owners of uncovered poisons in a successful user's display, in both
  editions; it does not change what the victim suffers.
- `cancelled_owner=loses_one`: the owner of a poison under an antidote loses a point.
- `antidote_tile=no`: the antidote of every seat is out for good.
- `snake`: in every second lap of n takes the order of the first is reversed.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

Rules = dict[str, Any]  # switch -> word or number
Event = dict[str, Any]  # one line of a transcript

STYLES, COLOURS, ANTIDOTE = "MFOHKT", "RYBG", "W"
MAX_EXTRA_ROUNDS = 5

WORDS: dict[str, tuple[str, ...]] = {  # switches with words as values, the default first
    "allow_two": ("off", "on"),
    "glass_selection": ("martini_random", "martini_first"),
    "tile_choice_timing": ("before_row", "after_row"),
    "tiles_return": ("every_round", "spent_until_all_used"),
    "row_refill": ("after_each_take", "when_empty"),
    "blind_draw": ("off", "on"),
    "antidote_window": ("on_take", "any_time_in_round"),
    "antidote_visibility": ("public", "hidden"),
    "own_poison_draw": ("no_bonus", "clean", "self_poisoned"),
    "multi_poison_penalty": ("per_card", "once"),
    "uncancelled_owner": ("scores", "denied"),
    "antidote_success_clean": ("no", "yes"),
    "clean_for_antidote_holder": ("yes", "no"),
    "round_floor": ("net_zero", "none"),
    "end_tie": ("shared", "extra_round", "fewest_poisoned"),
    "next_start": ("martini", "clockwise"),
    "first_start": ("random", "seat0"),
    "pick_order": ("clockwise", "snake"),
    "cancelled_owner": ("nothing", "loses_one"),
    "antidote_tile": ("yes", "no"),
}
DEFAULTS: Rules = {
    **{name: words[0] for name, words in WORDS.items()},
    "edition": 2,
    "row_size": "auto",
    "target": 5,
    "max_rounds": 50,
    "cards_left": 0,
    "antidote_reward": 1,
    "poison_reward": 2,
}


def require(condition: bool, complaint: str) -> None:
    """Raise ValueError with the complaint unless the condition holds."""
    if not condition:
        raise ValueError(complaint)


def check_rules(players: int, rules: Rules) -> None:
    """Raise ValueError unless every switch of section 5 has one of its values."""
    least = 2 if rules.get("allow_two") == "on" else 3
    require(least <= players <= 6, f"players: {players!r} is not {least} to 6")
    missing, unknown = DEFAULTS.keys() - rules.keys(), rules.keys() - DEFAULTS.keys()
    require(not missing, f"rules: missing switches {sorted(missing)}")
    require(not unknown, f"rules: unknown switches {sorted(unknown)}")
    for name, words in WORDS.items():
        require(rules[name] in words, f"rules: {name} cannot be {rules[name]!r}")
    least_of = {"edition": 1, "target": 1, "max_rounds": 1, "row_size": 1}
    for name in DEFAULTS.keys() - WORDS.keys():
        value = rules[name]
        is_number = isinstance(value, int) and value >= least_of.get(name, 0)
        is_auto = name == "row_size" and value == "auto"
        require(is_number or is_auto, f"rules: {name} cannot be {value!r}")
    require(rules["edition"] in (1, 2), f"rules: edition cannot be {rules['edition']!r}")
    require(rules["cards_left"] < players, "rules: cards_left is a whole lap or more")


# Setup (section 1)


def drinks(styles: list[str]) -> list[str]:
    """C-R03: the drink cards of these styles."""
    return [f"{style}-{colour}" for style in styles for colour in COLOURS]


def row_size(players: int, rules: Rules) -> int:
    """C-R03: cards of a full row, at most the whole deck."""
    wanted = rules["row_size"]
    if wanted == "auto":
        wanted = 3 if players <= 4 else 4
    return min(int(wanted), 4 * players)


def order_of_takes(players: int, start: int, rules: Rules) -> list[int]:
    """C-R04: the seats in the order in which they take."""
    clockwise = [(start + step) % players for step in range(players)]
    order: list[int] = []
    for lap in range(4):
        is_back = rules["pick_order"] == "snake" and lap % 2 == 1
        order += reversed(clockwise) if is_back else clockwise
    return order[: len(order) - rules["cards_left"]]


# The round score (C-R07)


def round_scores(
    styles: list[str],
    tiles: list[str],
    displays: list[list[str]],
    covers: list[str | None],
    rules: Rules,
) -> dict[str, list[int]]:
    """C-R06, C-R07: P, k, a, o, clean and the score before the floor, each a list by seat."""
    seats = range(len(styles))
    poisoner = {f"{styles[i]}-{tiles[i]}": i for i in seats if tiles[i] != ANTIDOTE}
    drawer = {card: j for j in seats for card in displays[j]}
    covered = {card for card in covers if card is not None}

    def poisons_of_others(seat: int) -> list[str]:
        return [card for card in displays[seat] if poisoner.get(card, seat) != seat]

    a = [int(covers[i] in poisons_of_others(i)) for i in seats]
    k = [sum(card not in covered for card in poisons_of_others(i)) for i in seats]
    o, p, cancelled = [0 for _ in seats], [0 for _ in seats], [0 for _ in seats]
    for card, owner in poisoner.items():
        if card not in drawer:
            continue  # left over
        victim = drawer[card]
        if victim == owner:
            o[owner] = 1
        elif card in covered:
            cancelled[owner] = 1
        elif not (rules["uncancelled_owner"] == "denied" and a[victim]):
            p[owner] = 1
    clean = [int(k[i] == 0 and a[i] == 0 and o[i] == 0) for i in seats]

    raw = []
    for i in seats:
        drawn = k[i]
        if rules["own_poison_draw"] == "self_poisoned":
            drawn += o[i]
        if rules["multi_poison_penalty"] == "once":
            drawn = min(drawn, 1)
        if rules["edition"] == 2 and a[i]:
            drawn = 0
        is_bonus = bool(clean[i])
        if rules["own_poison_draw"] == "clean" and o[i] and k[i] == 0 and a[i] == 0:
            is_bonus = True
        if rules["antidote_success_clean"] == "yes" and a[i] and k[i] == 0:
            is_bonus = True
        if rules["clean_for_antidote_holder"] == "no" and tiles[i] == ANTIDOTE:
            is_bonus = False
        score = rules["poison_reward"] * p[i] + rules["antidote_reward"] * a[i] - drawn
        score += int(is_bonus)
        if rules["cancelled_owner"] == "loses_one":
            score -= cancelled[i]
        raw.append(score)
    return {"P": p, "k": k, "a": a, "o": o, "clean": clean, "raw": raw}


# The end of the game (C-R10)


def leaders(totals: list[int]) -> list[int]:
    """C-R10: the seats with the highest total."""
    return [seat for seat, total in enumerate(totals) if total == max(totals)]


def final_winners(totals: list[int], poisoned: list[int], rules: Rules) -> list[int]:
    """C-R10 with `end_tie`: who wins a game that is over; tied winners share."""
    best = leaders(totals)
    if rules["end_tie"] == "fewest_poisoned":
        best = [seat for seat in best if poisoned[seat] == min(poisoned[i] for i in best)]
    return best


class Game:
    """A game in play. The caller deals, and chooses tiles and cards; all else follows.

    Parameters
    ----------
    players : int
        3 to 6, or 2 with `allow_two=on`.
    rules : dict
        Every switch with its value; raises ValueError otherwise.
    """

    def __init__(self, players: int, rules: Rules) -> None:
        check_rules(players, rules)
        self.players = players
        self.rules = dict(rules)
        self.events: list[Event] = []  # lines of a transcript after its first

        self.rounds = 0  # rounds begun
        self.totals = [0] * players
        self.over = False
        self.status: str | None = None  # 'finished' or 'unfinished' at the end
        self.winners: list[int] = []
        self.win_share = [Fraction(0)] * players
        self.extra_rounds = 0  # begun after the target was reached
        self.spent = [self.missing() for _ in range(players)]

        self.in_round = False
        self.start = -1  # seat that starts this round
        self.martini = -1  # seat that held it in the round before
        self.styles: list[str] = []
        self.tiles: list[str | None] = []
        self.row: list[str | None] = []  # by slots
        self.pile: list[str] = []  # top first
        self.displays: list[list[str]] = []
        self.covers: list[str | None] = []
        self.takes: list[tuple[int, str]] = []

        # measures: a seat
        self.poisoned = [0] * players
        self.own_drawn = [0] * players
        self.antidotes = [0] * players
        self.antidote_points = [0] * players
        self.first_round: list[int] = []
        # measures: the game
        self.decisions = 0
        self.hits = 0
        self.cured = 0
        self.multiple = 0

    def missing(self) -> set[str]:
        """Tiles that no seat has."""
        return set() if self.rules["antidote_tile"] == "yes" else {ANTIDOTE}

    # What a person at the table can ask

    @property
    def is_choosing(self) -> bool:
        """Whether tiles are still being chosen."""
        return None in self.tiles

    @property
    def to_move(self) -> int:
        """The seat that decides now; tiles are chosen clockwise from the start seat."""
        require(self.in_round, "no round is being played")
        if self.is_choosing:
            chosen = self.players - self.tiles.count(None)
            return (self.start + chosen) % self.players
        return order_of_takes(self.players, self.start, self.rules)[len(self.takes)]

    @property
    def open_cards(self) -> list[str]:
        """The cards of the row, empty slots left out."""
        return [card for card in self.row if card is not None]

    def tiles_to_choose(self) -> set[str]:
        """C-R02: the tiles the seat to move may choose."""
        return {*COLOURS, ANTIDOTE} - self.spent[self.to_move]

    def cards_to_take(self) -> set[str]:
        """C-R04: what the seat to move may take; '?' is the top of the pile."""
        blind = {"?"} if self.rules["blind_draw"] == "on" and self.pile else set()
        return {*self.open_cards} | blind

    def cards_to_cover(self) -> set[str]:
        """C-R05: where it may lay its antidote: 'new', cards of its display, or nowhere."""
        seat = self.to_move
        if self.tiles[seat] != ANTIDOTE or self.covers[seat] is not None:
            return set()
        old = self.displays[seat] if self.rules["antidote_window"] == "any_time_in_round" else []
        return {"new", *old}

    def first_starts(self) -> list[int]:
        """Return the seats that may start the first round; chance decides among several."""
        return [0] if self.rules["first_start"] == "seat0" else list(range(self.players))

    def next_starts(self) -> list[int]:
        """C-R09: the seats that may start the next round."""
        require(not self.in_round and not self.over, "no round is to be started")
        if self.rounds == 0:
            return self.first_starts()
        if self.rules["next_start"] == "clockwise":
            return [(self.start + 1) % self.players]
        return [self.martini]

    @property
    def margin(self) -> int:
        """The lead of the best total over the second."""
        second, best = sorted(self.totals)[-2:]
        return best - second

    # What happens at the table

    def start_round(self, styles: list[str], row: list[str], pile: list[str], start: int) -> None:
        """C-R01, C-R03: deal a round; raises ValueError if it is not one by the rules."""
        starts = self.next_starts()
        require(start in starts, f"seat {start} may not start the round, only {starts}")
        require(len(styles) == len(set(styles)) == self.players, "not a glass for each seat")
        require(set(styles) <= set(STYLES) and "M" in styles, f"the glasses cannot be {styles}")
        if self.rules["glass_selection"] == "martini_first":
            require(set(styles) == set(STYLES[: self.players]), "not the first styles")
        require(sorted(row + pile) == sorted(drinks(styles)), "the cards dealt are not the deck")
        require(len(row) == row_size(self.players, self.rules), f"the row has {len(row)} cards")

        self.rounds += 1
        self.in_round = True
        self.start = start
        self.styles, self.row, self.pile = list(styles), list(row), list(pile)
        self.tiles = [None] * self.players
        self.displays = [[] for _ in range(self.players)]
        self.covers = [None] * self.players
        self.takes = []
        self.events.append({"type": "round", "round": self.rounds, "start": start})
        self.events.append(
            {"type": "deal", "styles": list(styles), "row": list(row), "pile": list(pile)}
        )

    def choose(self, tile: str) -> None:
        """C-R02: the seat to move lays a tile under its glass."""
        seat = self.to_move
        require(self.is_choosing, "the tiles are chosen")
        require(tile in self.tiles_to_choose(), f"seat {seat} may not choose {tile}")
        self.tiles[seat] = tile
        self.decisions += 1
        self.events.append({"type": "tile", "seat": seat, "tile": tile})

    def take(self, card: str, cover: str | None = None) -> None:
        """C-R04, C-R05: the seat to move takes a card, '?' from the pile.

        `cover` is 'new', a card of its display, or None without the antidote.
        """
        require(not self.is_choosing, "the tiles are not yet chosen")
        seat = self.to_move
        require(card in self.cards_to_take(), f"seat {seat} may not take {card}")
        require(cover is None or cover in self.cards_to_cover(), f"no antidote on {cover}")
        if card == "?":
            card = self.pile.pop(0)
        else:
            self._refill(self.row.index(card))
        self.displays[seat].append(card)
        self.takes.append((seat, card))
        if cover is not None:
            self.covers[seat] = card if cover == "new" else cover
        self.decisions += 1
        self.events.append(
            {
                "type": "take",
                "seat": seat,
                "card": card,
                "antidote": cover == "new",
                "row": self.open_cards,
            }
        )
        if cover not in (None, "new"):
            self.events.append({"type": "antidote", "seat": seat, "card": cover})
        if len(self.takes) == len(order_of_takes(self.players, self.start, self.rules)):
            self._end_round()

    def _refill(self, slot: int) -> None:
        """C-R04: empty a slot and fill it again, or the whole row when it is empty."""
        self.row[slot] = None
        if self.rules["row_refill"] == "after_each_take":
            if self.pile:
                self.row[slot] = self.pile.pop(0)
        elif not self.open_cards:
            n = row_size(self.players, self.rules)
            self.row, self.pile = list(self.pile[:n]), self.pile[n:]

    def _end_round(self) -> None:
        """C-R06 to C-R10: score, let the tiles return, and see whether the game ends."""
        tiles = [str(tile) for tile in self.tiles]
        result = round_scores(self.styles, tiles, self.displays, self.covers, self.rules)
        scores = list(result["raw"])
        if self.rules["round_floor"] == "net_zero":
            scores = [max(0, score) for score in scores]
        for seat in range(self.players):
            self.totals[seat] += scores[seat]
            self.hits += result["P"][seat]
            self.poisoned[seat] += result["k"][seat]
            self.own_drawn[seat] += result["o"][seat]
            self.cured += result["a"][seat]
            self.multiple += int(result["k"][seat] >= 2)
            if tiles[seat] == ANTIDOTE:
                self.antidotes[seat] += 1
                self.antidote_points[seat] += scores[seat]
            if self.rules["tiles_return"] == "spent_until_all_used":
                self.spent[seat].add(tiles[seat])
                if len(self.spent[seat]) == 5:
                    self.spent[seat] = self.missing()
        if self.rounds == 1:
            self.first_round = scores
        self.martini = self.styles.index("M")
        self.in_round = False
        self.events.append(
            {
                "type": "score",
                "raw": result["raw"],
                "round_scores": scores,
                "totals": list(self.totals),
            }
        )
        self._see_whether_over()

    def _see_whether_over(self) -> None:
        """C-R10: the game ends at the target, after extra rounds, or at the cap."""
        is_reached = self.extra_rounds > 0 or max(self.totals) >= self.rules["target"]
        is_capped = self.rounds == self.rules["max_rounds"]
        is_tied = len(leaders(self.totals)) > 1
        may_go_on = self.rules["end_tie"] == "extra_round" and self.extra_rounds < MAX_EXTRA_ROUNDS
        if is_reached and is_tied and may_go_on and not is_capped:
            self.extra_rounds += 1
        elif is_reached or is_capped:
            winners = final_winners(self.totals, self.poisoned, self.rules)
            self._end_game("finished" if is_reached else "unfinished", winners)

    def _end_game(self, status: str, winners: list[int]) -> None:
        """C-R10: the winners share equally."""
        self.over, self.status, self.winners = True, status, winners
        for seat in winners:
            self.win_share[seat] = Fraction(1, len(winners))
        self.events.append(
            {
                "type": "result",
                "status": status,
                "winners": list(winners),
                "win_share": [float(share) for share in self.win_share],
                "scores": list(self.totals),
                "rounds": self.rounds,
            }
        )


# Whole games

Choice = tuple[str, str | None]  # a tile or card, and what the antidote covers


def deal_round(game: Game, rng: random.Random) -> None:
    """C-R01, C-R03: draw the glasses, deal them, shuffle the drinks."""
    others = list(STYLES[1:])
    if game.rules["glass_selection"] == "martini_random":
        rng.shuffle(others)
    styles = ["M", *others[: game.players - 1]]
    deck = drinks(styles)
    rng.shuffle(styles)
    rng.shuffle(deck)
    n = row_size(game.players, game.rules)
    game.start_round(styles, deck[:n], deck[n:], rng.choice(game.next_starts()))


def uniform(game: Game, rng: random.Random) -> Choice:
    """Section 8, item 0: any tile; any pair of a card and a way to lay the antidote or not."""
    if game.is_choosing:
        return rng.choice(sorted(game.tiles_to_choose())), None
    covers: list[str | None] = [None, *sorted(game.cards_to_cover())]
    pairs = [(card, cover) for card in sorted(game.cards_to_take()) for cover in covers]
    return rng.choice(pairs)


def play_game(
    game: Game,
    rng: random.Random,
    choose: Callable[[Game, random.Random], Choice] = uniform,
) -> None:
    """Play a game to its end."""
    while not game.over:
        deal_round(game, rng)
        while game.in_round:
            pick, cover = choose(game, rng)
            if game.is_choosing:
                game.choose(pick)
            else:
                game.take(pick, cover)
