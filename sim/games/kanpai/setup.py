"""What the switches of 干杯 say before a deal: the deck, teams, hand limits, contradictions."""

from typing import Any

from sim.core.game import as_word
from sim.games.kanpai import GAME, N_GLASSES
from sim.games.kanpai.cards import ALL_RECIPES, RECIPES_OF_THREE
from sim.games.kanpai.view import MAX_DECK, MAX_RING, MAX_TEAMS, NOBODY, split_pairs

BASE_HAND = 3
DEFAULT_FACTIONS = {3: [2, 1], 4: [2, 2], 5: [3, 2], 6: [2, 2, 2]}
PROFILES = {"distinct_x3": (3, 0), "all_x2": (2, 2), "all_x3": (3, 3), "distinct_x2": (2, 0)}


def copies(switches: dict[str, Any]) -> list[int]:
    """K-R01: copies of each of the 25 cards."""
    profile = switches["deck_profile"]
    if isinstance(profile, str):
        distinct, equal = PROFILES[profile]
        return [
            equal if big == small else distinct
            for big in range(N_GLASSES)
            for small in range(N_GLASSES)
        ]
    return [n for row in profile for n in row]


def teams(players: int, switches: dict[str, Any]) -> list[int]:
    """K-R02: the team of each real seat; in masquerade the faction tokens."""
    mode, layout = switches["mode"], switches["team_layout"]
    if mode == "three_teams":
        return [seat % 3 for seat in range(players)]
    if mode == "masquerade":
        sizes = switches["masquerade_factions"]
        sizes = DEFAULT_FACTIONS[players] if sizes == "auto" else sizes
        return [team for team, n in enumerate(sizes) for _ in range(n)]
    return [seat % 2 for seat in range(players)] if layout == "balanced_alternating" else layout


def roles(players: int, switches: dict[str, Any]) -> list[int]:
    """The team of each seat; none in masquerade, where factions are drawn anew in every game."""
    return [] if switches["mode"] == "masquerade" else teams(players, switches)


def team_sizes(players: int, switches: dict[str, Any]) -> list[int]:
    """Real members of each team, in masquerade of each faction."""
    of = teams(players, switches)
    return [of.count(team) for team in range(max(of) + 1)]


def hand_limits(players: int, switches: dict[str, Any]) -> list[int]:
    """Hand limits of the real seats: three, and `short_team_hand` in the smaller of two teams."""
    of = teams(players, switches)
    if switches["mode"] in ("masquerade", "three_teams"):
        return [BASE_HAND] * players
    return [
        switches["short_team_hand"] if of.count(team) < of.count(1 - team) else BASE_HAND
        for team in of
    ]


def problems(players: int, switches: dict[str, Any]) -> list[str]:
    """What does not fit together in these switches, a sentence each."""
    layout = _layout_problems(players, switches)
    # Who sits in which team can be asked only of a layout that fits.
    modes = [] if layout else _mode_problems(players, switches)
    n_dealt = players * BASE_HAND if layout else sum(hand_limits(players, switches))
    return [
        *layout,
        *modes,
        *_faction_problems(players, switches),
        *_uneven_problems(players, switches),
        *_deck_problems(players, switches, n_dealt),
    ]


def _layout_problems(players: int, switches: dict[str, Any]) -> list[str]:
    mode, layout = switches["mode"], switches["team_layout"]
    if layout == "balanced_alternating" or mode not in ("base", "master"):
        return []
    given = f"team_layout={as_word(layout)}"
    if len(layout) != players or set(layout) != {0, 1}:
        allowed = f"balanced_alternating, or {players} numbers 0 and 1, both present"
        return [f"{given} does not fit {players} players; allowed: {allowed}"]
    return []


def _faction_problems(players: int, switches: dict[str, Any]) -> list[str]:
    mode, factions = switches["mode"], switches["masquerade_factions"]
    if factions == "auto" or mode != "masquerade":
        return []
    given = f"masquerade_factions={as_word(factions)}"
    if sum(factions) != players or len(factions) not in (2, 3):
        allowed = f"auto, or two or three sizes that add up to {players}"
        return [f"{given} does not fit {players} players; allowed: {allowed}"]
    return []


def _mode_problems(players: int, switches: dict[str, Any]) -> list[str]:
    of = teams(players, switches)
    if switches["mode"] != "master" or min(of.count(0), of.count(1)) >= 2:
        return []
    allowed = "mode=base, masquerade or three_teams"
    if players > 3:
        allowed = "a team_layout with two of each team"
    return [f"mode=master needs two real members in each team; allowed here: {allowed}"]


def _uneven_problems(players: int, switches: dict[str, Any]) -> list[str]:
    is_even = players % 3 == 0 or switches["three_teams_uneven"] == "yes"
    if switches["mode"] != "three_teams" or is_even:
        return []
    allowed = "3 or 6 players, or three_teams_uneven=yes"
    return [f"mode=three_teams is uneven with {players} players; allowed: {allowed}"]


def _deck_problems(players: int, switches: dict[str, Any], n_dealt: int) -> list[str]:
    profile = switches["deck_profile"]
    if isinstance(profile, str):
        return []
    rows = [len(row) if isinstance(row, list) else 0 for row in profile]
    if rows != [N_GLASSES] * N_GLASSES:
        return ["deck_profile is not a table; allowed: 5 rows of 5 numbers"]
    n = sum(copies(switches))
    if n < n_dealt:
        return [f"deck_profile has {n} cards; allowed with {players} players: {n_dealt} or more"]
    return []


def set_rules(rules: Any, players: int, switches: dict[str, Any]) -> None:
    """Write the switches, in the form the kernels use, into a record of RULES."""

    def index_of(name: str) -> int:
        return GAME.switch(name).words.index(switches[name])

    for card, n in enumerate(copies(switches)):
        rules.copies[card] = n
    rules.n_cards = sum(copies(switches))
    rules.mode = index_of("mode")
    _set_teams(rules, players, switches)
    for seat, limit in enumerate(hand_limits(players, switches)):
        rules.limit[seat] = limit
    rules.may_keep = index_of("cheers_target_may_keep")
    rules.dummy_receives = switches["cheers_dummy_receiver"] == "yes"
    is_masquerade = switches["mode"] == "masquerade"
    rules.enforced = is_masquerade and switches["masquerade_cheers"] == "engine_enforced"
    rules.min_opponents = switches["cheers_min_opponents"]
    if is_masquerade and not rules.enforced:
        rules.min_opponents = 0
    rules.active_splits = index_of("cheers_splitter")
    rules.active_drops = index_of("overflow_chooser")
    rules.dummy_wins = switches["dummy_can_win"] == "yes"
    rules.master_wins = index_of("master_area_counts")
    rules.random_master = index_of("master_seat")
    rules.three_drawn = index_of("return_draw")
    rules.dummy_turn = index_of("turn_structure")
    rules.toast_self = switches["toast_self"] == "yes"
    cap = switches["area_cap"]
    rules.cap = MAX_DECK if cap == "none" else cap
    rules.open_overflow = switches["overflow_discard_public"] == "yes"
    rules.active_first = switches["simultaneous_win"] == "active_team_first"
    rules.win_shared = switches["simultaneous_win"] == "shared"
    rules.optional_claim = index_of("win_claim")
    rules.reshuffles = index_of("reshuffle")
    rules.empty_return = switches["return_with_empty_deck"] == "legal"
    rules.max_turns = switches["max_turns"]
    rules.random_first = switches["first_start"] == "random"
    rules.recipes_differ = index_of("recipes_distinct")
    by_kinds = switches["recipe_kinds"] == "three_against_four"
    for team in range(MAX_TEAMS):
        of_team = RECIPES_OF_THREE if team == 0 else ALL_RECIPES & ~RECIPES_OF_THREE
        rules.recipes[team] = of_team if by_kinds else ALL_RECIPES
    rules.recipes_shown = index_of("recipes_shown")
    for target in range(MAX_RING):
        rules.pairs[target] = 0
    for target in range(rules.n_ring):
        if not rules.enforced:
            rules.pairs[target] = split_pairs(rules, rules.teams, target)


def _set_teams(rules: Any, players: int, switches: dict[str, Any]) -> None:
    """K-R02, K-R12: teams, their sizes, the dummy and who decides for it."""
    of = list(teams(players, switches))
    sizes = team_sizes(players, switches)
    rules.n_teams = len(sizes)
    for team in range(MAX_TEAMS):
        rules.team_size[team] = sizes[team] if team < len(sizes) else 0
    for place in range(MAX_RING):
        rules.decider[place] = place
    rules.dummy, rules.n_ring = NOBODY, players
    is_uneven = of.count(0) != of.count(1)
    has_two_teams = switches["mode"] in ("base", "master")
    if has_two_teams and is_uneven and switches["use_dummy"] == "yes":
        small = 0 if of.count(0) < of.count(1) else 1
        # Clockwise from the end of the ring comes seat 0: both values of `dummy_decider` name the
        # lowest seat of the team.
        rules.decider[players] = of.index(small)
        rules.dummy, rules.n_ring = players, players + 1
        of.append(small)
    rules.teams = sum(team << (2 * place) for place, team in enumerate(of))
