"""Setting up 毒药: what its switches mean, and which contradict each other."""

from typing import Any

from sim.games.poison import GAME
from sim.games.poison.cards import N_CARDS


def has_ghost(players: int, switches: dict[str, Any]) -> bool:
    """Whether a fourth hand is dealt that nobody plays."""
    return players == 3 and switches["three_player_deal"] == "ghost_hand"


def problems(players: int, switches: dict[str, Any]) -> list[str]:
    """What does not fit together in these switches, a sentence each."""
    found = []
    if switches["ghost_revealed"] == "yes" and not has_ghost(players, switches):
        found.append(
            f"ghost_revealed=yes, but no ghost hand is dealt to {players} players with "
            f"three_player_deal={switches['three_player_deal']}; allowed: no; or yes with "
            "3 players and three_player_deal=ghost_hand"
        )
    if switches["potion_points"] == switches["poison_points"] == 0:
        found.append(
            "potion_points=0 and poison_points=0 leave nothing to count; "
            "allowed: at least one of them from 1 to 10"
        )
    return found


def set_rules(rules: Any, players: int, switches: dict[str, Any]) -> None:
    """Write the switches, in the form the kernels use, into a record of RULES."""
    rules.threshold = switches["bust_threshold"]
    rules.fixed_colours = switches["cauldron_colour_mode"] == "fixed"
    rules.sticky = switches["colour_lock_after_bust"] == "sticky"
    rules.takes_played = switches["bust_collects"] == "all_including_played"
    _set_deal(rules, players, switches)
    rules.random_first = switches["first_start"] == "random"
    rules.random_next = switches["next_start"] == "random"
    rules.rounds = players if switches["rounds"] == "players" else switches["rounds"]
    rules.all_tied = switches["majority_tie"] == "all_tied_discard"
    rules.one_colour = switches["majority_limit"] == "one_colour"
    rules.min_cards = max(1, switches["majority_min_cards"])
    rules.potion_points = switches["potion_points"]
    rules.poison_points = switches["poison_points"]
    rules.final_tie = GAME.switch("final_tie").words.index(switches["final_tie"])
    rules.memory = GAME.switch("taken_memory").words.index(switches["taken_memory"])
    rules.ghost_shown = switches["ghost_revealed"] == "yes"


def _set_deal(rules: Any, players: int, switches: dict[str, Any]) -> None:
    """P-R01: how many hands there are, of how many cards; with three players their own switch."""
    rules.n_hands = players + has_ghost(players, switches)
    rules.hand_size = N_CARDS // rules.n_hands
    spare = N_CARDS - rules.n_hands * rules.hand_size
    mode = switches["three_player_deal" if players == 3 else "deal_mode"]
    longer = {"equal_aside": 0, "start_only": min(1, spare)}
    rules.n_longer = longer.get(mode, spare)
