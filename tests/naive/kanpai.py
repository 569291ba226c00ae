"""Naive twin of 干杯 (CHEERS): lists, sets and a generator of turns, with no regard for speed.

Written from the rule sheet alone (ids K-R01 to K-R14, switches of its section 5). It shares no code
with the simulator, so that the two can be held against each other.

Cards are text: 'Y/b' has the big glass Y and the small glass B. Cards keep their small glasses in
the areas, where by the rules they never matter. Places of the ring are the seats 0..n-1 and, behind
them, the dummy. An option of a decision is a tuple: ('toast', card, to), ('send', glass, to),
('return',), ('split', to of the new card, to of the matching one), ('overflow', glass),
('claim', True or False).

Readings of the sheet, where it leaves room:

- Both values of `dummy_decider` name the lowest seat of the dummy's team, since it stands last.
- `masquerade_cheers=no_constraint` takes the place of `cheers_min_opponents` in masquerade.
- A turn that is passed ends like any other: claims, refill, cap.
- Hands drawn after a Return are drawn where all others are, after the win check (transcript.md).
- Under `win_claim=optional` the owner of each satisfied area is asked in the order of the win
  check, aloud, until a claim ends it; of a dummy its decider, in `master` the master.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Generator, Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

Rules = dict[str, Any]  # switch -> word, number or list
Option = tuple[Any, ...]
Event = dict[str, Any]  # one line of a transcript

GLASSES = "GRBYP"
WORDS: dict[str, tuple[str, ...]] = {  # switches with words as values, the default first
    "deck_profile": ("distinct_x3", "all_x2", "all_x3", "distinct_x2"),  # or 5 rows of numbers
    "team_layout": ("balanced_alternating",),  # or a list
    "use_dummy": ("yes", "no"),
    "dummy_can_win": ("yes", "no"),
    "dummy_decider": ("first_real_clockwise", "representative"),
    "return_draw": ("limit", "three"),
    "turn_structure": ("clockwise_real", "alternate_teams"),
    "cheers_target_may_keep": ("no", "yes"),
    "cheers_dummy_receiver": ("yes", "no"),
    "cheers_splitter": ("target", "active"),
    "toast_self": ("yes", "no"),
    "send_self": ("no",),
    "overflow_chooser": ("area_owner", "active"),
    "overflow_order": ("clockwise_from_active",),
    "overflow_discard_public": ("yes", "no"),
    "simultaneous_win": ("clockwise_from_active", "active_team_first", "shared"),
    "win_claim": ("automatic", "optional"),
    "reshuffle": ("none", "when_empty"),
    "return_with_empty_deck": ("legal", "illegal"),
    "stuck": ("pass_then_draw",),
    "first_start": ("random", "seat0"),
    "recipes_distinct": ("independent", "different"),
    "recipe_kinds": ("any", "three_against_four"),  # not of the sheet
    "recipes_shown": ("no", "to_team0", "to_all"),  # not of the sheet
    "mode": ("base", "master", "masquerade", "three_teams"),
    "master_area_counts": ("no", "yes"),
    "master_seat": ("first_of_team", "random"),
    "masquerade_factions": ("auto",),  # or a list
    "masquerade_cheers": ("no_constraint", "engine_enforced"),
    "three_teams_uneven": ("no", "yes"),
}
DEFAULTS: Rules = {
    **{name: words[0] for name, words in WORDS.items()},
    "short_team_hand": 4,
    "cheers_min_opponents": 1,
    "area_cap": 6,
    "max_turns": 300,
}
AUTO_FACTIONS = {3: [2, 1], 4: [2, 2], 5: [3, 2], 6: [2, 2, 2]}
PROFILES = {"distinct_x3": (3, 0), "all_x2": (2, 2), "all_x3": (3, 3), "distinct_x2": (2, 0)}


def require(condition: bool, complaint: str) -> None:
    """Raise ValueError with the complaint unless the condition holds."""
    if not condition:
        raise ValueError(complaint)


def big(card: str) -> str:
    """Return the big glass of a card."""
    return card[0]


def small(card: str) -> str:
    """Return the small glass of a card."""
    return card[2].upper()


def deck(rules: Rules) -> list[str]:
    """K-R01: every card of the deck profile."""
    profile = rules["deck_profile"]
    cards = []
    for i, one in enumerate(GLASSES):
        for j, other in enumerate(GLASSES):
            if isinstance(profile, str):
                distinct, equal = PROFILES[profile]
                n = equal if one == other else distinct
            else:
                n = profile[i][j]
            cards += [f"{one}/{other.lower()}"] * n
    return cards


def factions(players: int, rules: Rules) -> list[int]:
    """Return the sizes of the hidden factions of masquerade."""
    sizes = rules["masquerade_factions"]
    return AUTO_FACTIONS[players] if sizes == "auto" else list(sizes)


def seat_teams(players: int, rules: Rules) -> list[int]:
    """K-R02: the team of each real seat, where it is not chance that decides."""
    if rules["mode"] == "three_teams":
        return [seat % 3 for seat in range(players)]
    if rules["team_layout"] == "balanced_alternating":
        return [seat % 2 for seat in range(players)]
    return list(rules["team_layout"])


def smaller_team(players: int, rules: Rules) -> int | None:
    """Return the team with fewer real seats, in the modes with two open teams."""
    if rules["mode"] not in ("base", "master"):
        return None
    sizes = Counter(seat_teams(players, rules))
    return None if sizes[0] == sizes[1] else min((0, 1), key=lambda team: sizes[team])


def hand_limit(seat: int, players: int, rules: Rules) -> int:
    """K-R02: three cards, or `short_team_hand` in the smaller team."""
    short = smaller_team(players, rules)
    is_short = short is not None and seat_teams(players, rules)[seat] == short
    return int(rules["short_team_hand"]) if is_short else 3


def is_recipe(glasses: Iterable[str]) -> bool:
    """K-R03: five tokens out of two of each of four types."""
    amounts = Counter(glasses)
    return sum(amounts.values()) == 5 and max(amounts.values()) <= 2 and len(amounts) <= 4


def kinds_fit(recipes: Iterable[Iterable[str]], rules: Rules) -> bool:
    """Switch `recipe_kinds`: three kinds for team 0 and four for each other team, or any."""
    kinds = [len(set(recipe)) for recipe in recipes]
    return rules["recipe_kinds"] == "any" or kinds == [3] + [4] * (len(kinds) - 1)


def satisfies(area: Sequence[str], recipe: Sequence[str]) -> bool:
    """K-R10: at least the amounts of the recipe, and nothing of another type."""
    have = [big(card) for card in area]
    is_pure = set(have) <= set(recipe)
    return is_pure and all(have.count(glass) >= recipe.count(glass) for glass in recipe)


@dataclass(frozen=True)
class Decision:
    """What a seat is asked: `about` the place whose clink, area or recipe it concerns."""

    kind: str  # 'act', 'split', 'overflow' or 'claim'
    seat: int
    options: frozenset[Option]
    about: int | None = None


class Game:
    """A game in play. The caller deals, shuffles and decides; everything else follows.

    Parameters
    ----------
    players : int
        3 to 6.
    rules : dict
        Every switch of section 5 with its value; raises ValueError otherwise.
    """

    def __init__(self, players: int, rules: Rules) -> None:
        require(players in (3, 4, 5, 6), f"players: {players!r}")
        require(rules.keys() == DEFAULTS.keys(), f"switches: {rules.keys() ^ DEFAULTS.keys()}")
        for name, words in WORDS.items():
            is_list = isinstance(rules[name], list)
            require(is_list or rules[name] in words, f"{name} cannot be {rules[name]!r}")
        self.players, self.rules = players, rules
        self.events: list[Event] = []
        self.shuffle: Callable[[list[str]], list[str]] = list  # the caller's, for `reshuffle`
        self.decision: Decision | None = None
        self.over = False
        self.status: str | None = None
        self.winning_teams: list[int] = []
        self.won_at: int | None = None  # the place that was declared first

        short = smaller_team(players, rules)
        has_dummy = short is not None and rules["use_dummy"] == "yes"
        self.dummies = [players] if has_dummy else []
        self.ring = [*range(players), *self.dummies]
        self.teams: list[int] = []  # of each place
        self.masters: list[int] = []
        self.recipes: list[list[str]] = []
        self.start_seat = -1
        self.hands: list[list[str]] = []
        self.areas: list[list[str]] = [[] for _ in self.ring]
        self.deck: list[str] = []  # top first
        self.returned: list[list[str]] = [[] for _ in range(players)]  # by who has returned them
        self.discarded: list[str] = []  # from overfull areas
        self.turn = 0
        self.passed: set[int] = set()  # since the last other action
        self.excluded: list[set[tuple[str, ...]]] = [set() for _ in self.ring]

        self.decisions = 0
        self.turns = [0] * players
        self.returns = [0] * players
        self.counts = Counter[str]()
        self.last_action = ""

    # Facts about seats

    def mates(self, place: int) -> set[int]:
        """Return all places of the same team, itself too."""
        return {other for other in self.ring if self.teams[other] == self.teams[place]}

    def decider(self, place: int) -> int:
        """K-R12: who decides for a place: the seat itself, or the dummy's first real teammate."""
        return min(self.mates(place)) if place in self.dummies else place

    def limit(self, seat: int) -> int:
        """Return the hand limit of a seat."""
        return hand_limit(seat, self.players, self.rules)

    def clockwise(self, seat: int) -> list[int]:
        """Return all places from a seat on."""
        return self.ring[seat:] + self.ring[:seat]

    def can_win(self, place: int) -> bool:
        """Return whether the area of a place counts (K-R10, K-R12, section 2.1)."""
        if place in self.dummies:
            return bool(self.rules["dummy_can_win"] == "yes")
        return place not in self.masters or bool(self.rules["master_area_counts"] == "yes")

    def knows_recipe(self, seat: int) -> bool:
        """Section 3: all know the recipe of their team; in `master` only the master does."""
        return self.rules["mode"] != "master" or seat in self.masters

    def shown_to(self, seat: int) -> dict[int, list[str]]:
        """Switch `recipes_shown`: recipes of other teams that a seat knows, if it knows its own."""
        rule, own = self.rules["recipes_shown"], self.teams[seat]
        is_seer = rule == "to_all" or (rule == "to_team0" and own == 0)
        if not is_seer or not self.knows_recipe(seat):
            return {}
        return {team: recipe for team, recipe in enumerate(self.recipes) if team != own}

    # The deal

    def start(self, deal: Event) -> None:
        """Begin with the `deal` of a transcript; raises ValueError if the rules do not allow it."""
        n, rules = self.players, self.rules
        require(deal["mode"] == rules["mode"], "the mode of the deal is another one")
        require(deal["dummies"] == self.dummies, f"dummies: {deal['dummies']}")
        self.teams = list(deal["teams"])
        if rules["mode"] == "masquerade":
            sizes = factions(n, rules)
            found = [self.teams.count(team) for team in range(len(sizes))]
            require(found == sizes and len(self.teams) == n, f"factions: {self.teams}")
        else:
            expected = seat_teams(n, rules) + [smaller_team(n, rules) for _ in self.dummies]
            require(self.teams == expected, f"teams: {self.teams}")
        self.masters = list(deal["masters"])
        n_teams = max(self.teams) + 1
        if rules["mode"] == "master":
            for team in range(n_teams):
                seats = [seat for seat in range(n) if self.teams[seat] == team]
                require(len(seats) >= 2, "a master needs an apprentice")
                allowed = seats if rules["master_seat"] == "random" else seats[:1]
                require(self.masters[team] in allowed, f"masters: {self.masters}")
        require(len(self.masters) == (n_teams if rules["mode"] == "master" else 0), "masters")
        self.recipes = [sorted(recipe) for recipe in deal["recipes"]]
        require(len(self.recipes) == n_teams and all(map(is_recipe, self.recipes)), "recipes")
        require(kinds_fit(self.recipes, rules), "kinds of the recipes")
        if rules["recipes_distinct"] == "different":
            require(len({*map(tuple, self.recipes)}) == n_teams, "equal recipes")
        self.hands = [list(hand) for hand in deal["hands"]]
        self.deck = list(deal["deck"])
        sizes = [len(hand) for hand in self.hands]
        limits = [self.limit(seat) for seat in range(n)] + [0 for _ in self.dummies]
        require(sizes == limits, f"hands of {sizes} cards, not {limits}")
        dealt = sorted([card for hand in self.hands for card in hand] + self.deck)
        require(dealt == sorted(deck(rules)), "the cards dealt are not the deck")
        starts = [0] if rules["first_start"] == "seat0" else range(n)
        require(deal["start"] in starts, f"start: {deal['start']}")
        self.start_seat = deal["start"]
        self.events.append(dict(deal))
        self._run = self._play()
        self._go_on(None)

    def choose(self, option: Option) -> None:
        """Decide, for the seat that is asked; raises ValueError if the option is not allowed."""
        require(self.decision is not None, "nobody is asked")
        assert self.decision is not None
        require(option in self.decision.options, f"{option} is not among {self.decision}")
        self.decisions += 1
        self._go_on(option)

    def _go_on(self, option: Option | None) -> None:
        try:
            self.decision = self._run.send(option)
        except StopIteration:
            self.decision = None

    # The turns (section 2)

    def _play(self) -> Generator[Decision, Option, None]:
        place = self.start_seat
        while True:
            self.turn += 1
            seat = self.decider(place)
            self.turns[seat] += 1
            self._tell("turn", turn=self.turn, seat=seat)
            options = self.actions(seat)
            self._count_winning_cards(seat, options)
            if options:
                option = yield Decision("act", seat, frozenset(options))
                self.passed = set()
                yield from self._act(seat, option)
            else:
                self.last_action = "pass"
                self.counts["passes"] += 1
                self._tell("pass", seat=seat)
            yield from self._overflow(seat)
            yield from self._claims(seat)
            if self.winning_teams:
                self._tell_areas()
                self._end("finished")
                return
            drawn = self._refill(seat)
            self._tell_areas()
            if self.rules["win_claim"] == "automatic":
                self._exclude()
            if not options and not drawn:
                self.passed.add(seat)
            if len(self.passed) == self.players:
                self._end("draw")
                return
            if self.turn == self.rules["max_turns"]:
                self._end("unfinished")
                return
            place = (place + 1) % len(self.ring)
            while place in self.dummies and self.rules["turn_structure"] == "clockwise_real":
                place = (place + 1) % len(self.ring)

    def actions(self, seat: int) -> set[Option]:
        """K-R13: everything that a seat may do on its turn; nothing if it is stuck."""
        options: set[Option] = set()
        others = [place for place in self.ring if place != seat]
        targets = self.ring if self.rules["toast_self"] == "yes" else others
        options |= {("toast", card, to) for card in self.hands[seat] for to in targets}
        options |= {("send", big(card), to) for card in self.areas[seat] for to in others}
        is_dry = not self.deck and not (
            self.rules["reshuffle"] == "when_empty" and any(self.returned)
        )
        if self.hands[seat] and not (is_dry and self.rules["return_with_empty_deck"] == "illegal"):
            options.add(("return",))
        return options

    def _count_winning_cards(self, seat: int, options: set[Option]) -> None:
        """Count a turn on which a toast would complete an area, and whether all of them clink."""
        toasts = [(option[1], option[2]) for option in options if option[0] == "toast"]
        winning = [
            small(card) in {big(other) for other in self.areas[to]}
            for card, to in toasts
            if self.teams[to] == self.teams[seat]
            and self.can_win(to)
            and satisfies([*self.areas[to], card], self.recipes[self.teams[seat]])
        ]
        self.counts["winning_cards"] += bool(winning)
        self.counts["undelivered"] += bool(winning) and all(winning)

    def _act(self, seat: int, option: Option) -> Generator[Decision, Option, None]:
        if option[0] == "toast":
            yield from self._toast(seat, *option[1:])
        elif option[0] == "send":
            _, glass, to = option
            card = next(card for card in self.areas[seat] if big(card) == glass)
            self.areas[seat].remove(card)
            self.areas[to].append(card)
            self.last_action = "send"
            self.counts["sends"] += 1
            self._tell("send", seat=seat, glass=glass, to=to)
        else:
            self._tell("return", seat=seat, cards=list(self.hands[seat]))
            self.returned[seat] += self.hands[seat]
            self.hands[seat] = []
            self.returns[seat] += 1
            self.last_action = "return"

    def _toast(self, seat: int, card: str, to: int) -> Generator[Decision, Option, None]:
        """K-R05, K-R06: put a card into an area; it clinks with an equal big glass."""
        self.hands[seat].remove(card)
        matching = [other for other in self.areas[to] if big(other) == small(card)]
        self.counts["self_toasts"] += to == seat
        self.counts["dummy_toasts"] += to in self.dummies
        self._tell("toast", seat=seat, card=card, to=to, clink=bool(matching))
        if not matching:
            self.areas[to].append(card)
            self.last_action = "toast"
            return
        self.last_action = "clink"
        self.counts["clinks"] += 1
        self.areas[to].remove(matching[0])
        splitter = seat if self.rules["cheers_splitter"] == "active" else self.decider(to)
        pairs = self.receivers(to)
        _, x, y = yield Decision(
            "split", splitter, frozenset(("split", x, y) for x, y in pairs), to
        )
        self.areas[x].append(card)
        self.areas[y].append(matching[0])
        gives = [{"glass": big(card), "to": x}, {"glass": big(matching[0]), "to": y}]
        self._tell("split", seat=splitter, target=to, gives=gives)

    def receivers(self, target: int) -> list[tuple[int, int]]:
        """K-R06: the ordered pairs of places that may receive the two cards of a clink."""
        least = self.rules["cheers_min_opponents"]
        if self.rules["mode"] == "masquerade" and (
            self.rules["masquerade_cheers"] == "no_constraint"
        ):
            least = 0
        places = [place for place in self.ring if place != target]
        if self.rules["cheers_target_may_keep"] == "yes":
            places.append(target)
        if self.rules["cheers_dummy_receiver"] == "no":
            places = [place for place in places if place not in self.dummies]
        pairs = [(x, y) for x in places for y in places if x != y]
        mates = self.mates(target)
        opponents = {pair: sum(place not in mates for place in pair) for pair in pairs}
        least = min(least, max(opponents.values()))
        return [pair for pair in pairs if opponents[pair] >= least]

    def _overflow(self, seat: int) -> Generator[Decision, Option, None]:
        """K-R09: overfull areas discard their excess, clockwise from the active seat."""
        cap = self.rules["area_cap"]
        for place in self.clockwise(seat):
            while cap != "none" and len(self.areas[place]) > cap:
                active = self.rules["overflow_chooser"] == "active"
                by = seat if active else self.decider(place)
                options = frozenset(("overflow", big(card)) for card in self.areas[place])
                _, glass = yield Decision("overflow", by, options, place)
                card = next(card for card in self.areas[place] if big(card) == glass)
                self.areas[place].remove(card)
                self.discarded.append(card)
                self.counts["overflows"] += 1
                self._tell("overflow", seat=place, by=by, glass=glass)

    def _claims(self, seat: int) -> Generator[Decision, Option, None]:
        """K-R10: completed recipes win, in the order and by the claims that the switches say."""
        order = self.clockwise(seat)
        if self.rules["simultaneous_win"] == "active_team_first":
            order.sort(key=lambda place: place not in self.mates(seat))
        for place in order:
            team = self.teams[place]
            is_shared = self.rules["simultaneous_win"] == "shared"
            is_late = team in self.winning_teams or (self.winning_teams and not is_shared)
            complete = satisfies(self.areas[place], self.recipes[team])
            if is_late or not self.can_win(place) or not complete:
                continue
            if self.rules["win_claim"] == "optional":
                asked = self.masters[team] if self.masters else self.decider(place)
                options: frozenset[Option] = frozenset({("claim", True), ("claim", False)})
                _, is_declared = yield Decision("claim", asked, options, place)
                if not is_declared:
                    continue
            if not self.winning_teams:
                self.won_at = place
            self.winning_teams.append(team)

    def _refill(self, seat: int) -> int:
        """K-R08, K-R11: draw up to the limit; return how many cards were drawn."""
        goal, drawn, total = self.limit(seat), [], 0
        if self.last_action == "return" and self.rules["return_draw"] == "three":
            goal = 3
        while len(self.hands[seat]) < goal:
            if not self.deck and self.rules["reshuffle"] == "when_empty" and any(self.returned):
                self._tell_draw(seat, drawn)
                drawn = []
                self._reshuffle()
            if not self.deck:
                break
            card = self.deck.pop(0)
            self.hands[seat].append(card)
            drawn.append(card)
            total += 1
        self._tell_draw(seat, drawn)
        return total

    def _reshuffle(self) -> None:
        cards = [card for hand in self.returned for card in hand]
        new = self.shuffle(cards)
        require(sorted(new) == sorted(cards), "the new deck is not what was returned")
        self.deck = list(new)
        self.returned = [[] for _ in range(self.players)]
        self._tell("reshuffle", deck=list(new))

    def _exclude(self) -> None:
        """Section 3: a recipe that an area satisfies while the game goes on is not its team's."""
        for place in self.ring:
            glasses = sorted({big(card) for card in self.areas[place]})
            if self.can_win(place) and len(glasses) in (3, 4):
                for recipe in recipes_of(glasses):
                    if satisfies(self.areas[place], recipe):
                        self.excluded[place].add(tuple(recipe))

    def _end(self, status: str) -> None:
        self.over, self.status = True, status
        self._tell(
            "result",
            status=status,
            winners=self.winners,
            win_share=[float(share) for share in self.win_share],
            scores=None,
            rounds=self.turn,
        )

    # Results

    @property
    def winners(self) -> list[int]:
        """The real seats of the winning teams."""
        return [seat for seat in range(self.players) if self.teams[seat] in self.winning_teams]

    @property
    def win_share(self) -> list[Fraction]:
        """Equal parts for the teams, shared equally by their real members; dummies get nothing."""
        shares = [Fraction(0)] * len(self.ring)
        for seat in self.winners:
            members = self.teams[: self.players].count(self.teams[seat])
            shares[seat] = Fraction(1, len(self.winning_teams) * members)
        return shares

    # Events

    def _tell(self, kind: str, **facts: Any) -> None:
        self.events.append({"type": kind, **facts})

    def _tell_draw(self, seat: int, cards: list[str]) -> None:
        if cards:
            self._tell("draw", seat=seat, cards=cards)

    def _tell_areas(self) -> None:
        areas = [[big(card) for card in area] for area in self.areas]
        self._tell("areas", areas=[[area.count(glass) for glass in GLASSES] for area in areas])


def recipes_of(glasses: list[str]) -> list[list[str]]:
    """Return the recipes with exactly these types."""
    doubled = len(glasses) == 4  # 2+1+1+1: one type twice; 2+2+1: all but one
    found = []
    for chosen in glasses:
        twice = [glass for glass in glasses if (glass == chosen) == doubled]
        found.append(sorted(glasses + twice))
    return found


# Whole games


def random_deal(players: int, rules: Rules, rng: random.Random) -> Event:
    """A `deal` by K-R01 to K-R04."""
    game = Game(players, rules)
    if rules["mode"] == "masquerade":
        teams = [team for team, n in enumerate(factions(players, rules)) for _ in range(n)]
        rng.shuffle(teams)
    else:
        short = smaller_team(players, rules)
        teams = seat_teams(players, rules)
        teams += [short for _ in game.dummies if short is not None]
    n_teams = max(teams) + 1
    masters = []
    if rules["mode"] == "master":
        for team in range(n_teams):
            seats = [seat for seat in range(players) if teams[seat] == team]
            masters.append(rng.choice(seats) if rules["master_seat"] == "random" else seats[0])
    recipes = [random_recipe(rng) for _ in range(n_teams)]
    while not kinds_fit(recipes, rules) or (
        rules["recipes_distinct"] == "different" and len({*map(tuple, recipes)}) < n_teams
    ):
        recipes = [random_recipe(rng) for _ in range(n_teams)]
    cards = deck(rules)
    rng.shuffle(cards)
    hands = [
        [cards.pop() for _ in range(hand_limit(seat, players, rules))] for seat in range(players)
    ]
    return {
        "type": "deal",
        "mode": rules["mode"],
        "teams": teams,
        "dummies": game.dummies,
        "masters": masters,
        "recipes": recipes,
        "hands": [*hands, *([] for _ in game.dummies)],
        "deck": cards,
        "start": 0 if rules["first_start"] == "seat0" else rng.randrange(players),
    }


def random_recipe(rng: random.Random) -> list[str]:
    """K-R03: remove one pair of tokens, draw five of the other eight."""
    removed = rng.choice(GLASSES)
    tokens = [glass for glass in GLASSES for _ in range(2) if glass != removed]
    return sorted(rng.sample(tokens, 5))


def play_game(
    game: Game, rng: random.Random, choose: Callable[[Decision], Option] | None = None
) -> None:
    """Play a game to its end; without `choose` each option is equally likely (section 8.1)."""
    game.shuffle = lambda cards: rng.sample(cards, len(cards))
    game.start(random_deal(game.players, game.rules, rng))
    while game.decision is not None:
        options = sorted(game.decision.options)
        if choose:
            game.choose(choose(game.decision))
        else:
            is_claim = game.decision.kind == "claim"
            game.choose(("claim", True) if is_claim else rng.choice(options))
