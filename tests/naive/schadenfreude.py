"""Naive twin of 幸灾乐祸 (Schadenfreude): lists, sets and dicts, with no regard for speed.

Written from the rule sheet alone (ids S-R01 to S-R10, switches of its section 5). It shares no code
with the simulator, so that the two can be held against each other.

Cards are text: 'A7', 'B-3'; wilds 'W1' and 'W2', or 'W0' and 'W10' under `wild_rank=zero_ten`.
Seats are 0..n-1 clockwise. A list of plays holds pairs (seat, card) in the order of play.

Readings of the sheet, where it leaves room:

- `hand_size` is cut to deck // n in every case, `auto` and a number alike.
- A tie of the top under `latest_lower_round` looks at the round just scored, before the floor, and
  applies to the lowest totals under `lowest_wins` in the same way.
- `keep_last_starter` and `next_clockwise` look at the seat that started the round just scored.
- `last_trick_winner` after a discarded trick (`single_follower=discarded`) is that trick's leader.
- A game stopped by `max_rounds` has no winner, whatever `all_over` and `top_tie` say.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterable
from fractions import Fraction
from typing import Any, TypeGuard

Rules = dict[str, Any]  # switch -> word, number or list of numbers
Plays = list[tuple[int, str]]  # (seat, card) in the order of play
Event = dict[str, Any]  # one line of a transcript

SUITS = "ABCD"
RANK_SETS = {
    "minus3_no_zero": [-3, -2, -1, 1, 2, 3, 4, 5, 6, 7, 8, 9],
    "minus2_to_9": [-2, -1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
}
WILDS = {"none": ["W1", "W2"], "zero_ten": ["W0", "W10"]}
AUTO_HAND = {3: 12, 4: 12, 5: 10}

WORDS: dict[str, tuple[str, ...]] = {  # switches with words as values, the default first
    "rank_set": ("minus3_no_zero", "minus2_to_9"),
    "wild_rank": ("none", "zero_ten"),
    "single_follower": ("wins", "discarded"),
    "hand_size": ("auto", "most"),  # or a number
    "floor": ("cum_zero_at_round_end", "none"),
    "limit_mode": ("over", "at_least"),
    "all_over": ("no_winner", "lowest_wins"),
    "top_tie": ("shared", "latest_lower_round"),
    "lowest_tie_start": ("random", "next_clockwise", "keep_last_starter"),
    "first_start": ("random", "seat0"),
    "next_start": ("lowest", "rotate", "last_trick_winner"),
    "pile_visibility": ("open", "memory_only"),
    "hand_limit_3p_4p_leftover": ("hidden", "shown"),
}
DEFAULTS: Rules = {
    **{name: words[0] for name, words in WORDS.items()},
    "removed_3p": [-2, -1, 9],
    "limit": 40,
    "max_rounds": 50,
}


def require(condition: bool, complaint: str) -> None:
    """Raise ValueError with the complaint unless the condition holds."""
    if not condition:
        raise ValueError(complaint)


def is_integer(value: object) -> TypeGuard[int]:
    """Return whether the value is a whole number (True and False are not)."""
    return isinstance(value, int) and not isinstance(value, bool)


def check_rules(players: int, rules: Rules) -> None:
    """Raise ValueError unless every switch of section 5 has one of its values."""
    require(is_integer(players) and players in AUTO_HAND, f"players: {players!r} is not 3, 4 or 5")
    missing, unknown = DEFAULTS.keys() - rules.keys(), rules.keys() - DEFAULTS.keys()
    require(not missing, f"rules: missing switches {sorted(missing)}")
    require(not unknown, f"rules: unknown switches {sorted(unknown)}")
    for name, words in WORDS.items():
        value = rules[name]
        is_number = name == "hand_size" and is_integer(value) and value >= 1
        is_word = isinstance(value, str) and value in words
        require(is_word or is_number, f"rules: {name} cannot be {value!r}")
    removed, rounds = rules["removed_3p"], rules["max_rounds"]
    is_numbers = isinstance(removed, list) and all(is_integer(number) for number in removed)
    require(is_numbers, f"rules: removed_3p cannot be {removed!r}")
    require(is_integer(rules["limit"]), f"rules: limit cannot be {rules['limit']!r}")
    require(is_integer(rounds) and rounds >= 1, f"rules: max_rounds cannot be {rounds!r}")
    require(hand_size(players, rules) >= 1, "rules: too few cards for one each")


# Cards (section 1)


def is_wild(card: str) -> bool:
    """Return whether the card is one of the two wilds."""
    return card[0] == "W"


def suit(card: str) -> str:
    """Return the suit letter of a number card."""
    return card[0]


def number(card: str) -> int:
    """Return the number on a card; of a wild it counts under `zero_ten` only."""
    return int(card[1:])


def deck(players: int, rules: Rules) -> list[str]:
    """Return all cards in play: four suits of numbers and two wilds; three players remove some."""
    numbers = RANK_SETS[rules["rank_set"]]
    if players == 3:
        numbers = [value for value in numbers if value not in rules["removed_3p"]]
    return [f"{letter}{value}" for letter in SUITS for value in numbers] + WILDS[rules["wild_rank"]]


def hand_size(players: int, rules: Rules) -> int:
    """Return the cards dealt to each seat: as `hand_size` says, never more than deck // players."""
    most = len(deck(players, rules)) // players
    if rules["hand_size"] == "most":
        return most
    wanted = AUTO_HAND[players] if rules["hand_size"] == "auto" else int(rules["hand_size"])
    return min(wanted, most)


# A trick (S-R01 to S-R06)


def led_suit(plays: Plays) -> str | None:
    """S-R01: the first number card of a trick sets the led suit; before it the suit is open."""
    for _, card in plays:
        if not is_wild(card):
            return suit(card)
    return None


def legal_cards(hand: Iterable[str], led: str | None) -> set[str]:
    """S-R02: follow the led suit or play a wild; any card while it is open or if void of it."""
    cards = set(hand)
    in_suit = {card for card in cards if not is_wild(card) and suit(card) == led}
    wilds = {card for card in cards if is_wild(card)}
    return in_suit | wilds if in_suit else cards


def ranked(plays: Plays, rules: Rules) -> Plays:
    """S-R03: the plays that are compared, highest number first: number cards of the led suit.

    With `wild_rank=zero_ten` the wilds are compared too, as 0 and 10; a number card 0 beats the
    wild 0.
    """
    led = led_suit(plays)
    compared = [
        (seat, card)
        for seat, card in plays
        if (rules["wild_rank"] == "zero_ten" if is_wild(card) else suit(card) == led)
    ]
    return sorted(compared, key=lambda play: (number(play[1]), not is_wild(play[1])), reverse=True)


def trick_winner(plays: Plays, rules: Rules) -> int | None:
    """S-R03: the second highest wins, or the only one; None where nobody collects."""
    order = ranked(plays, rules)
    if len(order) >= 2:
        return order[1][0]
    if rules["single_follower"] == "discarded":
        return None
    return order[0][0]


def trick_takes(plays: Plays, rules: Rules) -> list[str]:
    """S-R05: the winner takes his own card and the off-suit number cards, but never a wild."""
    winner, led = trick_winner(plays, rules), led_suit(plays)
    if winner is None:
        return []
    own = [card for seat, card in plays if seat == winner and not is_wild(card)]
    off_suit = [
        card for seat, card in plays if seat != winner and not is_wild(card) and suit(card) != led
    ]
    return own + off_suit


def collect(pile: list[str], cards: Iterable[str]) -> list[str]:
    """S-R06: lay cards on a pile one by one; two of one number cancel each other.

    The pile is modified in place. Returns the cards discarded, two for each cancelling.
    """
    discarded = []
    for card in cards:
        same = [other for other in pile if number(other) == number(card)]
        if same:
            pile.remove(same[0])
            discarded += [same[0], card]
        else:
            pile.append(card)
    return discarded


# Rounds and the game (S-R08 to S-R10)


def round_score(pile: Iterable[str]) -> int:
    """S-R08: the sum of the numbers left in a pile."""
    return sum(number(card) for card in pile)


def new_totals(totals: list[int], scores: list[int], rules: Rules) -> list[int]:
    """S-R08: add the round scores to the totals; with the floor no total falls below 0."""
    added = [total + score for total, score in zip(totals, scores, strict=True)]
    if rules["floor"] == "cum_zero_at_round_end":
        return [max(0, total) for total in added]
    return added


def is_bust(total: int, rules: Rules) -> bool:
    """S-R09: whether a seat with this total has passed the limit and loses."""
    limit: int = rules["limit"]
    return total >= limit if rules["limit_mode"] == "at_least" else total > limit


def leaders(totals: list[int], rules: Rules) -> list[int]:
    """S-R09: the seats with the highest total among those that have not passed the limit."""
    safe = [seat for seat, total in enumerate(totals) if not is_bust(total, rules)]
    return [seat for seat in safe if totals[seat] == max(totals[other] for other in safe)]


def final_winners(totals: list[int], scores: list[int], rules: Rules) -> list[int]:
    """S-R09: the winners of a game that has ended, from the totals and the last round's scores.

    If all have passed the limit nobody wins, or the lowest total does (`all_over`). Tied winners
    share, or those with the smaller last round score win (`top_tie`).
    """
    best = leaders(totals, rules)
    if not best and rules["all_over"] == "lowest_wins":
        best = lowest(totals)
    if rules["top_tie"] == "latest_lower_round":
        best = [seat for seat in best if scores[seat] == min(scores[other] for other in best)]
    return best


def lowest(totals: list[int]) -> list[int]:
    """Return the seats with the lowest total."""
    return [seat for seat, total in enumerate(totals) if total == min(totals)]


def lowest_starts(totals: list[int], last_start: int, rules: Rules) -> list[int]:
    """S-R10: the seats that may start as the lowest; chance decides where there are several."""
    tied, tie_rule = lowest(totals), rules["lowest_tie_start"]
    if tie_rule == "random":
        return tied
    if tie_rule == "keep_last_starter" and last_start in tied:
        return [last_start]
    players = len(totals)
    clockwise = [(last_start + step) % players for step in range(1, players + 1)]
    return [seat for seat in clockwise if seat in tied][:1]


class Game:
    """A game in play. The caller deals and chooses cards; tricks, rounds and the end follow.

    Parameters
    ----------
    players : int
        3, 4 or 5.
    rules : dict
        Every switch of section 5 with its value; raises ValueError otherwise.
    """

    def __init__(self, players: int, rules: Rules) -> None:
        check_rules(players, rules)
        self.players = players
        self.rules = dict(rules)
        self.events: list[Event] = []  # lines of a transcript after its first

        self.rounds = 0  # rounds begun
        self.totals = [0] * players
        self.last_round_scores: list[int] = []  # a seat, before the floor; empty before any round
        self.over = False
        self.status: str | None = None  # 'finished' or 'unfinished' at the end
        self.winners: list[int] = []
        self.win_share = [Fraction(0)] * players

        self.in_round = False
        self.start = -1  # seat that started this round
        self.lead = -1  # seat that leads this trick, after a round the next one
        self.hands: list[list[str]] = [[] for _ in range(players)]
        self.aside: list[str] = []  # cards not dealt
        self.pile: list[list[str]] = [[] for _ in range(players)]  # cards collected, none cancelled
        self.discard: list[str] = []
        self.trick: Plays = []  # this trick so far
        self.history: list[Plays] = []  # finished tricks of this round
        self.voids: set[tuple[int, str]] = set()  # seats known to hold none of a suit

        # measures: a seat
        self.tricks = [0] * players  # tricks won
        self.cancellations = [0] * players  # pairs of equal numbers discarded from the pile
        self.first_round: list[int] = []  # scores of the first round, before the floor
        self.bust = [0] * players  # 1: passed the limit
        # measures: the game
        self.decisions = 0  # cards played
        self.single_follower = 0  # tricks with a single card to compare
        self.lead_changes = 0  # rounds after which other seats are in the lead than before
        self._in_the_lead: set[int] | None = None  # leaders after the round before

    # What a person at the table can ask

    def deck(self) -> list[str]:
        """Return all cards in play."""
        return deck(self.players, self.rules)

    @property
    def to_move(self) -> int:
        """The seat that plays the next card: clockwise from the leader of the trick."""
        require(self.in_round, "no round is being played")
        return (self.lead + len(self.trick)) % self.players

    @property
    def piles(self) -> list[list[int]]:
        """The sorted numbers in each pile."""
        return [sorted(number(card) for card in pile) for pile in self.pile]

    @property
    def busts(self) -> int:
        """Seats that have passed the limit."""
        return sum(self.bust)

    @property
    def cancelled(self) -> int:
        """Pairs discarded from all piles."""
        return sum(self.cancellations)

    def legal(self) -> set[str]:
        """Return the cards the seat to move may play (S-R02)."""
        return legal_cards(self.hands[self.to_move], led_suit(self.trick))

    def first_starts(self) -> list[int]:
        """Return the seats that may start the first round; chance decides among several."""
        return [0] if self.rules["first_start"] == "seat0" else list(range(self.players))

    def next_starts(self) -> list[int]:
        """S-R10: the seats that may start the next round; chance decides among several."""
        require(not self.in_round and not self.over, "no round is to be started")
        if self.rounds == 0:
            return self.first_starts()
        if self.rules["next_start"] == "rotate":
            return [(self.start + 1) % self.players]
        if self.rules["next_start"] == "last_trick_winner":
            return [self.lead]
        return lowest_starts(self.totals, self.start, self.rules)

    def seen_by(self, seat: int) -> dict[str, Any]:
        """Return what a seat may know (section 3): its own hand and everything that is public.

        The piles are left out under `pile_visibility=memory_only`, the cards not dealt unless
        `hand_limit_3p_4p_leftover=shown`.
        """
        seen = {
            "hand": sorted(self.hands[seat]),
            "hand_sizes": [len(hand) for hand in self.hands],
            "start": self.start,
            "lead": self.lead,
            "trick": list(self.trick),
            "history": list(self.history),
            "voids": set(self.voids),
            "totals": list(self.totals),
            "n_aside": len(self.aside),
        }
        if self.rules["pile_visibility"] == "open":
            seen["piles"] = self.piles
        if self.rules["hand_limit_3p_4p_leftover"] == "shown":
            seen["aside"] = sorted(self.aside)
        return seen

    # What happens at the table

    def start_round(self, hands: list[list[str]], aside: list[str], start: int) -> None:
        """Deal a round: every card of the deck to a hand or aside; `start` leads the first trick.

        Raises ValueError if the cards are not the deck, a hand has the wrong size, or the rules do
        not let this seat start.
        """
        starts = self.next_starts()
        require(start in starts, f"seat {start} may not start the round, only {starts}")
        size = hand_size(self.players, self.rules)
        sizes = [len(hand) for hand in hands]
        require(sizes == [size] * self.players, f"hands of {sizes} cards, not {size} each")
        dealt = [card for hand in hands for card in hand] + aside
        require(sorted(dealt) == sorted(self.deck()), "the cards dealt are not the deck")

        self.rounds += 1
        self.in_round = True
        self.start = self.lead = start
        self.hands = [list(hand) for hand in hands]
        self.aside = list(aside)
        self.pile = [[] for _ in range(self.players)]
        self.discard, self.trick, self.history, self.voids = [], [], [], set()
        self.events.append({"type": "round", "round": self.rounds, "start": start})
        self.events.append(
            {"type": "deal", "hands": [list(hand) for hand in hands], "aside": list(aside)}
        )

    def play(self, card: str) -> None:
        """Play a card for the seat to move; the last card of a trick ends it (S-R01, S-R02).

        Raises ValueError if the card is not legal.
        """
        seat, legal, led = self.to_move, self.legal(), led_suit(self.trick)
        require(card in legal, f"seat {seat} may not play {card}, only {sorted(legal)}")
        if led is not None and not is_wild(card) and suit(card) != led:
            self.voids.add((seat, led))
        self.hands[seat].remove(card)
        self.trick.append((seat, card))
        self.decisions += 1
        self.events.append({"type": "play", "seat": seat, "card": card})
        if len(self.trick) == self.players:
            self._end_trick()
            if not any(self.hands):
                self._end_round()

    def _end_trick(self) -> None:
        """S-R03 to S-R07: the winner collects and leads; without one the leader leads again."""
        plays, winner = self.trick, trick_winner(self.trick, self.rules)
        takes = trick_takes(plays, self.rules)
        self.discard += [card for _, card in plays if card not in takes]
        if winner is not None:
            cancelled = collect(self.pile[winner], takes)
            self.discard += cancelled
            self.cancellations[winner] += len(cancelled) // 2
            self.tricks[winner] += 1
            self.lead = winner
        if len(ranked(plays, self.rules)) == 1:
            self.single_follower += 1
        self.history.append(plays)
        self.trick = []
        self.events.append({"type": "trick", "winner": winner, "takes": takes, "piles": self.piles})

    def _end_round(self) -> None:
        """S-R08, S-R09: score the piles; the game ends if a total has passed the limit."""
        scores = [round_score(pile) for pile in self.pile]
        self.totals = new_totals(self.totals, scores, self.rules)
        self.last_round_scores = scores
        if self.rounds == 1:
            self.first_round = scores
        self.discard += [card for pile in self.pile for card in pile]
        self.pile = [[] for _ in range(self.players)]
        self.in_round = False
        self.bust = [int(is_bust(total, self.rules)) for total in self.totals]
        in_the_lead = set(leaders(self.totals, self.rules))
        if self._in_the_lead is not None and in_the_lead != self._in_the_lead:
            self.lead_changes += 1
        self._in_the_lead = in_the_lead
        self.events.append(
            {"type": "score", "round_scores": list(scores), "totals": list(self.totals)}
        )
        if any(self.bust):
            self._end_game("finished", final_winners(self.totals, scores, self.rules))
        elif self.rounds == self.rules["max_rounds"]:
            self._end_game("unfinished", [])

    def _end_game(self, status: str, winners: list[int]) -> None:
        """S-R09: the winners share equally."""
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


def deal_round(game: Game, rng: random.Random) -> None:
    """Shuffle all cards, deal a round, and let chance choose among the seats that may start."""
    cards, size = game.deck(), hand_size(game.players, game.rules)
    rng.shuffle(cards)
    hands = [cards[seat * size : (seat + 1) * size] for seat in range(game.players)]
    game.start_round(hands, cards[game.players * size :], rng.choice(game.next_starts()))


def play_game(game: Game, rng: random.Random, choose: Callable[[Game], str] | None = None) -> None:
    """Play a game to its end; without `choose` each legal card is equally likely (section 8.1)."""
    while not game.over:
        deal_round(game, rng)
        while game.in_round:
            game.play(choose(game) if choose else rng.choice(sorted(game.legal())))
