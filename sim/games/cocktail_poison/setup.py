"""Setting up Cocktail Poison: what its switches mean, and which contradict each other."""

from typing import Any

from sim.games.cocktail_poison import GAME
from sim.games.cocktail_poison.cards import ANTIDOTE, N_COLOURS

AUTO_ROW = {2: 3, 3: 3, 4: 3, 5: 4, 6: 4}


def problems(players: int, switches: dict[str, Any]) -> list[str]:
    """What does not fit together in these switches, a sentence each."""
    found = []
    if players == 2 and switches["allow_two"] == "off":
        found.append("allow_two=off leaves no game for 2 players; allowed: 3 to 6, or allow_two=on")
    if switches["cards_left"] >= players:
        found.append(
            f"cards_left={switches['cards_left']} is a whole lap of {players} players or more; "
            f"allowed: 0 to {players - 1}"
        )
    return found


def set_rules(rules: Any, players: int, switches: dict[str, Any]) -> None:
    """Write the switches, in the form the kernels use, into a record of RULES."""
    row = switches["row_size"]
    rules.first_edition = switches["edition"] == 1
    rules.random_glasses = switches["glass_selection"] == "martini_random"
    rules.row_first = switches["tile_choice_timing"] == "after_row"
    rules.tiles_spent = switches["tiles_return"] == "spent_until_all_used"
    rules.row_size = AUTO_ROW[players] if row == "auto" else row
    rules.row_when_empty = switches["row_refill"] == "when_empty"
    rules.blind_draw = switches["blind_draw"] == "on"
    rules.any_time = switches["antidote_window"] == "any_time_in_round"
    rules.hidden_antidote = switches["antidote_visibility"] == "hidden"
    rules.own_is_clean = switches["own_poison_draw"] == "clean"
    rules.own_poisons = switches["own_poison_draw"] == "self_poisoned"
    rules.penalty_once = switches["multi_poison_penalty"] == "once"
    rules.owner_denied = switches["uncancelled_owner"] == "denied"
    rules.cured_is_clean = switches["antidote_success_clean"] == "yes"
    rules.holder_never_clean = switches["clean_for_antidote_holder"] == "no"
    rules.floor = switches["round_floor"] == "net_zero"
    rules.target = switches["target"]
    rules.end_tie = GAME.switch("end_tie").words.index(switches["end_tie"])
    rules.clockwise_start = switches["next_start"] == "clockwise"
    rules.random_first = switches["first_start"] == "random"
    rules.max_rounds = switches["max_rounds"]
    rules.snake = switches["pick_order"] == "snake"
    rules.n_takes = players * N_COLOURS - switches["cards_left"]
    rules.even_laps = sum(1 << lap * players for lap in range(0, N_COLOURS, 2))
    rules.odd_laps = sum(1 << lap * players for lap in range(1, N_COLOURS, 2))
    rules.antidote_reward = switches["antidote_reward"]
    rules.owner_loses = switches["cancelled_owner"] == "loses_one"
    rules.poison_reward = switches["poison_reward"]
    rules.missing = 0 if switches["antidote_tile"] == "yes" else 1 << ANTIDOTE
