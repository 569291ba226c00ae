"""Naive twin of 毒药 (Poison): lists and dicts, with no regard for speed.

Written from the rule sheet alone (ids P-R01 to P-R14, switches of its section 5). It shares no code
with the simulator, so that the two can be held against each other.

Cards are text: 'R7', 'B1', 'P5'; poison is 'X'. Seats are 0..n-1 clockwise, pots 0..2.

Readings of the sheet, where it leaves room:

- `all_tied_discard` with `majority_min_cards`: the tied number must reach the minimum too.
- `one_colour` keeps, of the colours a seat would discard, the one where that seat took most cards.
- `extra_round`: the seats tied for lowest among those still eligible stay eligible.
- `fewest_poison` counts all poisons taken, in every round.
"""

from __future__ import annotations

import random
from collections.abc import Callable
from fractions import Fraction
from typing import Any

from .schadenfreude import is_integer, require

Rules = dict[str, Any]  # switch -> word or number
Event = dict[str, Any]  # one line of a transcript

COLOURS = "RBP"
COPIES = {1: 3, 2: 3, 4: 2, 5: 3, 7: 3}  # of each value in a colour
N_POISONS, POISON_VALUE = 8, 4
POTS = range(3)
PLAYERS = (3, 4, 5, 6)
MAX_EXTRA_ROUNDS = 3

WORDS: dict[str, tuple[str, ...]] = {  # switches with words as values, the default first
    "cauldron_colour_mode": ("dynamic", "fixed"),
    "colour_lock_after_bust": ("contents", "sticky"),
    "bust_collects": ("previous_only", "all_including_played"),
    "deal_mode": ("round_robin", "start_only", "equal_aside"),
    "three_player_deal": ("ghost_hand", "all_cards", "equal_aside"),
    "first_start": ("random", "seat0"),
    "next_start": ("clockwise", "random"),
    "rounds": ("players",),  # or a number
    "majority_tie": ("nobody", "all_tied_discard"),
    "majority_limit": ("unlimited", "one_colour"),
    "final_tie": ("shared", "extra_round", "fewest_poison"),
    "taken_memory": ("perfect", "sizes_only", "none"),
    "ghost_revealed": ("no", "yes"),
}
NUMBERS = {  # switches with numbers: default and least
    "bust_threshold": (13, 7),
    "majority_min_cards": (1, -(10**9)),
    "potion_points": (1, 0),
    "poison_points": (2, 0),
}
DEFAULTS: Rules = {
    **{name: words[0] for name, words in WORDS.items()},
    **{name: default for name, (default, _) in NUMBERS.items()},
}


def check_rules(players: int, rules: Rules) -> None:
    """Raise ValueError unless every switch of section 5 has one of its values."""
    require(is_integer(players) and players in PLAYERS, f"players: {players!r} is not 3 to 6")
    missing, unknown = DEFAULTS.keys() - rules.keys(), rules.keys() - DEFAULTS.keys()
    require(not missing, f"rules: missing switches {sorted(missing)}")
    require(not unknown, f"rules: unknown switches {sorted(unknown)}")
    for name, words in WORDS.items():
        value = rules[name]
        is_number = name == "rounds" and is_integer(value) and value >= 1
        is_word = isinstance(value, str) and value in words
        require(is_word or is_number, f"rules: {name} cannot be {value!r}")
    for name, (_, least) in NUMBERS.items():
        value = rules[name]
        require(is_integer(value) and value >= least, f"rules: {name} cannot be {value!r}")


# Cards (section 1)


def deck() -> list[str]:
    """Return the 50 cards."""
    potions = [f"{c}{value}" for c in COLOURS for value, n in COPIES.items() for _ in range(n)]
    return potions + ["X"] * N_POISONS


def value(card: str) -> int:
    """Return the number on a card."""
    return POISON_VALUE if card == "X" else int(card[1:])


def total(cards: list[str]) -> int:
    """Return the sum of the numbers."""
    return sum(map(value, cards))


def potions(cards: list[str], colour: str = COLOURS) -> list[str]:
    """Return the potions, of one colour if one is given."""
    return [card for card in cards if card[0] in colour]


def deal_sizes(players: int, rules: Rules) -> tuple[list[int], int, int]:
    """Section 1.2: sizes of the hands from the start seat on, of the ghost hand, and aside."""
    mode = rules["three_player_deal"] if players == 3 else rules["deal_mode"]
    if mode == "ghost_hand":
        return [13, 13, 12], 12, 0
    equal, extra = divmod(50, players)
    if mode == "equal_aside":
        return [equal] * players, 0, extra
    if mode == "start_only" and extra:
        return [equal + 1] + [equal] * (players - 1), 0, extra - 1
    return [equal + 1] * extra + [equal] * (players - extra), 0, 0


# Pots


class Pot:
    """A cauldron: the cards in it, and the colour it keeps whatever lies in it, if any."""

    def __init__(self, keeps: str | None) -> None:
        self.cards: list[str] = []
        self.keeps = keeps

    @property
    def colour(self) -> str | None:
        """The colour it keeps, or that of the potions in it."""
        if self.keeps:
            return self.keeps
        return next((card[0] for card in self.cards if card != "X"), None)

    def looks_like(self, other: Pot) -> bool:
        """P-R07: the same contents and the same colour."""
        return self.colour == other.colour and sorted(self.cards) == sorted(other.cards)


# Scores (P-R11, P-R12)


def discards(piles: list[list[str]], rules: Rules) -> list[list[str]]:
    """P-R11: the colours that each seat discards."""
    found: list[list[str]] = [[] for _ in piles]
    for colour in COLOURS:
        counts = [len(potions(pile, colour)) for pile in piles]
        most = max(counts)
        seats = [seat for seat, count in enumerate(counts) if count == most]
        if most < max(1, rules["majority_min_cards"]):
            continue
        if len(seats) == 1 or rules["majority_tie"] == "all_tied_discard":
            for seat in seats:
                found[seat].append(colour)
    if rules["majority_limit"] == "one_colour":
        for seat, colours in enumerate(found):
            counts = [len(potions(piles[seat], colour)) for colour in colours]
            found[seat] = [colours[counts.index(max(counts))]] if colours else []
    return found


def round_score(pile: list[str], discarded: list[str], rules: Rules) -> int:
    """P-R12: points for the potions that remain, and for each poison."""
    remaining = [card for card in potions(pile) if card[0] not in discarded]
    points: int = rules["potion_points"] * len(remaining)
    points += rules["poison_points"] * pile.count("X")
    return points


def lowest(numbers: list[int], among: list[int]) -> list[int]:
    """Those of these seats that have the lowest number."""
    least = min(numbers[seat] for seat in among)
    return [seat for seat in among if numbers[seat] == least]


class Game:
    """A game in play. The caller deals and chooses; overflows, rounds and the end follow.

    Parameters
    ----------
    players : int
        3 to 6.
    rules : dict
        Every switch of section 5 with its value; raises ValueError otherwise.
    """

    def __init__(self, players: int, rules: Rules) -> None:
        check_rules(players, rules)
        self.players = players
        self.rules = dict(rules)
        self.events: list[Event] = []  # lines of a transcript after its first

        self.n_rounds = players if rules["rounds"] == "players" else rules["rounds"]
        self.rounds = 0  # rounds begun
        self.totals = [0] * players
        self.last_round_scores = [0] * players
        self.eligible = list(range(players))
        self.over = False
        self.winners: list[int] = []
        self.win_share = [Fraction(0)] * players

        self.in_round = False
        self.start = -1
        self.to_move = -1
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.ghost: list[str] = []
        self.aside: list[str] = []
        self.pots: list[Pot] = []
        self.piles: list[list[str]] = [[] for _ in range(players)]
        self.played: list[str] = []

        # measures: a seat
        self.first_round: list[int] = []
        self.overflows = [0] * players
        self.forced = [0] * players
        self.taken = [0] * players
        self.poisons = [0] * players
        self.discarded = [0] * players
        self.majorities = [0] * players
        self.largest_majority = [0] * players
        # measures: the game
        self.decisions = 0
        self.tied_colours = 0
        self.left_over = 0
        self.lead_changes = 0
        self.came_back = 0
        self._first_poison: int | None = None  # who played it
        self._its_pot: int | None = None  # while it lies there
        self._in_the_lead: list[int] = []

    # What a person at the table can ask

    @property
    def all_overflows(self) -> int:
        """Overflows of all seats."""
        return sum(self.overflows)

    @property
    def all_forced(self) -> int:
        """Those without another choice."""
        return sum(self.forced)

    def pots_for(self, card: str) -> list[int]:
        """P-R04, P-R05: the pots to which a card may go, alike or not."""
        if card == "X":
            return list(POTS)
        colours = [pot.colour for pot in self.pots]
        wanted = card[0] if card[0] in colours else None
        return [pot for pot in POTS if colours[pot] == wanted]

    def legal(self) -> list[tuple[str, int]]:
        """P-R03, P-R07: what the seat to move may do; of pots alike only the first."""
        found = []
        for card in sorted(set(self.hands[self.to_move])):
            pots = self.pots_for(card)
            for i, pot in enumerate(pots):
                if not any(self.pots[pot].looks_like(self.pots[lower]) for lower in pots[:i]):
                    found.append((card, pot))
        return found

    def is_safe(self, card: str, pot: int) -> bool:
        """P-R08: whether the pot would not overflow."""
        is_low: bool = total(self.pots[pot].cards) + value(card) <= self.rules["bust_threshold"]
        return is_low

    def next_starts(self) -> list[int]:
        """P-R02, P-R13: the seats that may start the next round; chance decides among several."""
        require(not self.in_round and not self.over, "no round is to be started")
        every = list(range(self.players))
        if self.rounds == 0:
            return [0] if self.rules["first_start"] == "seat0" else every
        if self.rules["next_start"] == "random":
            return every
        return [(self.start + 1) % self.players]

    def seen_by(self, seat: int) -> dict[str, Any]:
        """Section 3: what a seat may know, its own hand and what is public."""
        unseen = deck()
        for card in self.hands[seat] + self.played:
            unseen.remove(card)
        if self.rules["ghost_revealed"] == "yes":
            for card in self.ghost:
                unseen.remove(card)
        seen = {
            "hand": sorted(self.hands[seat]),
            "unseen": sorted(unseen),
            "pots": [(sorted(pot.cards), total(pot.cards), pot.colour) for pot in self.pots],
            "hand_sizes": [len(hand) for hand in self.hands],
            "totals": list(self.totals),
            "start": self.start,
            "to_move": self.to_move,
            "round": self.rounds,
        }
        if self.rules["taken_memory"] == "perfect":
            seen["taken"] = [sorted(pile) for pile in self.piles]
        if self.rules["taken_memory"] != "none":
            seen["n_taken"] = [len(pile) for pile in self.piles]
        return seen

    # What happens at the table

    def start_round(
        self, hands: list[list[str]], ghost: list[str], aside: list[str], start: int
    ) -> None:
        """Deal a round: every card to a hand, the ghost hand or aside; `start` plays first.

        Raises ValueError if the cards are not the deck, the sizes are not those of the rules, or
        the rules do not let this seat start.
        """
        starts = self.next_starts()
        require(start in starts, f"seat {start} may not start the round, only {starts}")
        sizes = [len(hands[(start + place) % self.players]) for place in range(self.players)]
        right = deal_sizes(self.players, self.rules)
        require((sizes, len(ghost), len(aside)) == right, f"dealt {sizes}, by the rules {right}")
        dealt = [card for hand in hands for card in hand] + ghost + aside
        require(sorted(dealt) == sorted(deck()), "the cards dealt are not the deck")

        self.rounds += 1
        self.in_round = True
        self.start = self.to_move = start
        self.hands = [list(hand) for hand in hands]
        self.ghost, self.aside = list(ghost), list(aside)
        is_fixed = self.rules["cauldron_colour_mode"] == "fixed"
        self.pots = [Pot(COLOURS[pot] if is_fixed else None) for pot in POTS]
        self.piles = [[] for _ in range(self.players)]
        self.played = []
        self.events.append({"type": "round", "round": self.rounds, "start": start})
        self.events.append(
            {
                "type": "deal",
                "hands": [list(hand) for hand in hands],
                "ghost": list(ghost),
                "aside": list(aside),
            }
        )

    def play(self, card: str, pot: int) -> None:
        """P-R03, P-R08: play a card to a pot for the seat to move.

        Raises ValueError if that is not legal.
        """
        seat, legal, cauldron = self.to_move, self.legal(), self.pots[pot]
        require((card, pot) in legal, f"seat {seat} may not play {card} to {pot}, only {legal}")
        safe = [action for action in legal if self.is_safe(*action)]
        announced, takes = total(cauldron.cards) + value(card), []
        self.hands[seat].remove(card)
        self.played.append(card)
        if (card, pot) in safe:
            cauldron.cards.append(card)
        else:
            takes, cauldron.cards = cauldron.cards, [card]
            if self.rules["bust_collects"] == "all_including_played":
                takes, cauldron.cards = [*takes, card], []
            self.piles[seat] += takes
            self.overflows[seat] += 1
            self.forced[seat] += not safe
            if self._its_pot == pot:
                self.came_back, self._its_pot = int(self._first_poison == seat), None
        if card == "X" and self._first_poison is None:
            self._first_poison = seat
            self.came_back = int(card in takes and not cauldron.cards)
            self._its_pot = None if self.came_back else pot
        if self.rules["colour_lock_after_bust"] == "sticky" and card != "X":
            cauldron.keeps = card[0]
        self.decisions += 1
        self.events.append(
            {
                "type": "play",
                "seat": seat,
                "card": card,
                "pot": pot,
                "total": announced,
                "takes": list(takes),
            }
        )
        if not any(self.hands):
            self._end_round()
            return
        self.to_move = (seat + 1) % self.players
        while not self.hands[self.to_move]:  # P-R09
            self.to_move = (self.to_move + 1) % self.players

    def _end_round(self) -> None:
        """P-R10 to P-R14: score the piles, and end the game after its last round."""
        colours = discards(self.piles, self.rules)
        scores = [
            round_score(pile, own, self.rules)
            for pile, own in zip(self.piles, colours, strict=True)
        ]
        self.totals = [a + b for a, b in zip(self.totals, scores, strict=True)]
        self.last_round_scores = scores
        self.in_round = False
        self._measure(colours, scores)
        self.events.append(
            {
                "type": "score",
                "taken": [list(pile) for pile in self.piles],
                "discarded": colours,
                "round_scores": list(scores),
                "totals": list(self.totals),
            }
        )
        if self.rounds < self.n_rounds:
            return
        tied = lowest(self.totals, self.eligible)
        may_go_on = self.rounds < self.n_rounds + MAX_EXTRA_ROUNDS and len(tied) > 1
        if self.rules["final_tie"] == "extra_round" and may_go_on:
            self.eligible = tied
            return
        if self.rules["final_tie"] == "fewest_poison":
            tied = lowest(self.poisons, tied)
        self._end_game(tied)

    def _measure(self, colours: list[list[str]], scores: list[int]) -> None:
        """Count what is kept of a round."""
        if self.rounds == 1:
            self.first_round = list(scores)
        for seat, pile in enumerate(self.piles):
            self.taken[seat] += len(pile)
            self.poisons[seat] += pile.count("X")
            sizes = [len(potions(pile, colour)) for colour in colours[seat]]
            self.discarded[seat] += sum(sizes)
            self.majorities[seat] += len(sizes)
            self.largest_majority[seat] = max([self.largest_majority[seat], *sizes])
        for colour in COLOURS:
            counts = [len(potions(pile, colour)) for pile in self.piles]
            self.tied_colours += max(counts) > 0 and counts.count(max(counts)) > 1
        self._its_pot = None
        self.left_over += sum(len(pot.cards) for pot in self.pots)
        in_the_lead = lowest(self.totals, list(range(self.players)))
        self.lead_changes += self.rounds > 1 and in_the_lead != self._in_the_lead
        self._in_the_lead = in_the_lead

    def _end_game(self, winners: list[int]) -> None:
        """P-R14: the winners share equally."""
        self.over, self.winners = True, winners
        for seat in winners:
            self.win_share[seat] = Fraction(1, len(winners))
        self.events.append(
            {
                "type": "result",
                "status": "finished",
                "winners": list(winners),
                "win_share": [float(share) for share in self.win_share],
                "scores": list(self.totals),
                "rounds": self.rounds,
            }
        )


# Whole games


def deal_round(game: Game, rng: random.Random) -> None:
    """Shuffle all cards, deal a round, and let chance choose among the seats that may start."""
    cards = deck()
    rng.shuffle(cards)
    sizes, n_ghost, _ = deal_sizes(game.players, game.rules)
    start = rng.choice(game.next_starts())
    hands: list[list[str]] = [[] for _ in range(game.players)]
    for place, size in enumerate(sizes):
        hands[(start + place) % game.players] = [cards.pop() for _ in range(size)]
    ghost = [cards.pop() for _ in range(n_ghost)]
    game.start_round(hands, ghost, cards, start)


def play_game(
    game: Game, rng: random.Random, choose: Callable[[Game], tuple[str, int]] | None = None
) -> None:
    """Play a game to its end; without `choose` each action is equally likely (section 8.1)."""
    while not game.over:
        deal_round(game, rng)
        while game.in_round:
            game.play(*(choose(game) if choose else rng.choice(game.legal())))
