"""干杯 (CHEERS, by Shi Chen, Play With Us Design 2016) as data: switches, measures, words.

Rule ids like K-R06 are those of the project's rule sheet of this game.
"""

from sim.core.game import Game, Measure, Switch, Words

N_GLASSES = 5
MAX_PLAYERS = 6

_YES_NO, _NO_YES = ("yes", "no"), ("no", "yes")
# What a switch belongs to, in the words of section 5.
_OF_TWO_TEAMS = (("mode", ("base", "master")),)
_OF_THE_DUMMY = (*_OF_TWO_TEAMS, ("use_dummy", ("yes",)))
_OF_MASTERS = (("mode", ("master",)),)
_OF_MASQUERADE = (("mode", ("masquerade",)),)
_OF_THREE_TEAMS = (("mode", ("three_teams",)),)

SWITCHES = (
    Switch(
        "deck_profile",
        "distinct_x3",
        Words(
            "copies of each card: of those with two different glasses, of all, or a 5×5 table "
            "(rows big glasses, columns small ones, order G R B Y P)",
            "每种牌的张数：仅大小杯不同的牌、全部的牌，或 5×5 表格（行为大杯，列为小杯，"
            "顺序 G R B Y P）",
        ),
        words=("distinct_x3", "all_x2", "all_x3", "distinct_x2"),
        low=0,
        high=6,
        is_list=True,
        lengths=(N_GLASSES * N_GLASSES,),
        columns=N_GLASSES,
    ),
    Switch(
        "team_layout",
        "balanced_alternating",
        Words(
            "teams by turns around the table, or the team of each player in seat order",
            "两队座位交替，或按座位顺序给出每人的队伍",
        ),
        words=("balanced_alternating",),
        low=0,
        high=1,
        is_list=True,
        lengths=(3, 4, 5, 6),
        needs=_OF_TWO_TEAMS,
    ),
    Switch(
        "use_dummy",
        "yes",
        Words("the smaller team gets a dummy teammate", "人数较少的队伍获得一名虚拟队友"),
        words=_YES_NO,
        needs=_OF_TWO_TEAMS,
    ),
    Switch(
        "dummy_can_win",
        "yes",
        Words("the dummy's area can win for its team", "虚拟队友的个人区域可以获胜"),
        words=_YES_NO,
        needs=_OF_THE_DUMMY,
    ),
    Switch(
        "dummy_decider",
        "first_real_clockwise",
        Words(
            "who decides for the dummy: its first real teammate clockwise, or the lowest seat",
            "由谁替虚拟队友决定：顺时针第一位真实队友，或座位号最小的队友",
        ),
        words=("first_real_clockwise", "representative"),
        needs=_OF_THE_DUMMY,
    ),
    Switch(
        "short_team_hand",
        4,
        Words("hand limit of the smaller team", "人数较少的队伍的手牌上限"),
        low=3,
        high=4,
        needs=_OF_TWO_TEAMS,
    ),
    Switch(
        "return_draw",
        "limit",
        Words(
            "cards drawn after a return: up to the own limit, or three",
            "退货后补牌：补到自己的上限，或三张",
        ),
        words=("limit", "three"),
    ),
    Switch(
        "turn_structure",
        "clockwise_real",
        Words(
            "the dummy's place is passed over, or its decider takes a turn there",
            "跳过虚拟队友的位置，或由其代理人在此多行动一次",
        ),
        words=("clockwise_real", "alternate_teams"),
        needs=_OF_THE_DUMMY,
    ),
    Switch(
        "cheers_target_may_keep",
        "no",
        Words(
            "after a clink the target may give a card to itself",
            "干杯后目标玩家可以把一张牌留给自己",
        ),
        words=_NO_YES,
    ),
    Switch(
        "cheers_dummy_receiver",
        "yes",
        Words(
            "after a clink the dummy may receive a card",
            "干杯后虚拟队友可以收牌",
        ),
        words=_YES_NO,
        needs=_OF_THE_DUMMY,
    ),
    Switch(
        "cheers_min_opponents",
        1,
        Words(
            "opponents of the target among the two receivers, at least; none in masquerade without "
            "masquerade_cheers=engine_enforced",
            "两位收牌者中目标玩家的对手的最少人数；"
            "假面舞会若无 masquerade_cheers=engine_enforced 则为 0",
        ),
        low=0,
        high=2,
    ),
    Switch(
        "cheers_splitter",
        "target",
        Words(
            "who gives the two cards away: the target, or the seat on turn",
            "由谁分配干杯的两张牌：目标玩家，或行动玩家",
        ),
        words=("target", "active"),
    ),
    Switch(
        "toast_self",
        "yes",
        Words("a toast may go to the own area", "可以向自己敬酒"),
        words=_YES_NO,
    ),
    Switch(
        "send_self",
        "no",
        Words("a card can never be sent to the own area", "不能送酒给自己"),
        words=("no",),
    ),
    Switch(
        "area_cap",
        6,
        Words("the most cards that an area keeps", "个人区域的牌数上限"),
        words=("none",),
        low=5,
        high=100,
    ),
    Switch(
        "overflow_chooser",
        "area_owner",
        Words(
            "who chooses what an overfull area discards: its owner, or the seat on turn",
            "超限时由谁选择弃牌：区域主人，或行动玩家",
        ),
        words=("area_owner", "active"),
    ),
    Switch(
        "overflow_order",
        "clockwise_from_active",
        Words(
            "overfull areas discard clockwise, the seat on turn first",
            "多个区域超限时从行动玩家起顺时针依次弃牌",
        ),
        words=("clockwise_from_active",),
    ),
    Switch(
        "overflow_discard_public",
        "yes",
        Words(
            "what an overfull area discards lies open, or must be remembered",
            "超限弃牌公开摆放，或须凭记忆",
        ),
        words=_YES_NO,
    ),
    Switch(
        "simultaneous_win",
        "clockwise_from_active",
        Words(
            "when several teams complete their recipes: the first seat clockwise from the one on "
            "turn wins, the team on turn goes first, or all share",
            "多队同时完成酒谱时：从行动玩家起顺时针第一位获胜、行动方优先，或共享胜利",
        ),
        words=("clockwise_from_active", "active_team_first", "shared"),
    ),
    Switch(
        "win_claim",
        "automatic",
        Words(
            "a completed recipe wins at once, or may be kept silent",
            "完成酒谱立即获胜，或可以不宣布",
        ),
        words=("automatic", "optional"),
    ),
    Switch(
        "reshuffle",
        "none",
        Words(
            "an empty deck stays empty, or the returned hands are shuffled into a new one",
            "牌堆用尽后不再补充，或将退货的牌洗成新牌堆",
        ),
        words=("none", "when_empty"),
    ),
    Switch(
        "return_with_empty_deck",
        "legal",
        Words(
            "whether a hand may be returned when nothing can be drawn",
            "无牌可补时是否允许退货",
        ),
        words=("legal", "illegal"),
    ),
    Switch(
        "max_turns",
        300,
        Words(
            "turns after which a game is stopped as unfinished",
            "到此回合数仍未结束的游戏记为未完成",
        ),
        low=1,
        high=10_000,
    ),
    Switch(
        "stuck",
        "pass_then_draw",
        Words(
            "who can do nothing passes; when all have passed in a row it is a draw",
            "无法行动者跳过；所有人连续跳过则为平局",
        ),
        words=("pass_then_draw",),
    ),
    Switch(
        "first_start",
        "random",
        Words("who takes the first turn", "由谁开始第一回合"),
        words=("random", "seat0"),
    ),
    Switch(
        "recipes_distinct",
        "independent",
        Words(
            "recipes of the teams are independent, or all different",
            "各队酒谱相互独立，或互不相同",
        ),
        words=("independent", "different"),
    ),
    Switch(
        "recipe_kinds",  # not of the sheet: what a recipe of three kinds is worth
        "any",
        Words(
            "recipes of three and four kinds by chance, or three for team 0 and four for others",
            "酒谱有三种或四种酒杯：随机，或队伍 0 三种、其他队伍四种",
        ),
        words=("any", "three_against_four"),
    ),
    Switch(
        "recipes_shown",  # not of the sheet: what knowing the other recipe is worth
        "no",
        Words(
            "whoever knows the own recipe knows the others too: nobody, team 0, or all",
            "知道己方酒谱者是否也知道其他酒谱：否、仅队伍 0、所有人",
        ),
        words=("no", "to_team0", "to_all"),
    ),
    Switch(
        "mode",
        "base",
        Words(
            "two teams; master and apprentices; hidden factions (masquerade); three teams",
            "基础模式（两队）；师徒连心；假面舞会（隐藏阵营）；三队",
        ),
        words=("base", "master", "masquerade", "three_teams"),
    ),
    Switch(
        "master_area_counts",
        "no",
        Words("the master's own area can win too", "师父自己的个人区域也可以获胜"),
        words=_NO_YES,
        needs=_OF_MASTERS,
    ),
    Switch(
        "master_seat",
        "first_of_team",
        Words(
            "who is the master: the first seat of the team, or any",
            "谁是师父：队中第一个座位，或随机",
        ),
        words=("first_of_team", "random"),
        needs=_OF_MASTERS,
    ),
    Switch(
        "masquerade_factions",
        "auto",
        Words(
            "members of each hidden faction; auto: 2+1, 2+2, 3+2, 2+2+2 for 3, 4, 5, 6 players",
            "各隐藏阵营的人数；auto：3、4、5、6 人时为 2+1、2+2、3+2、2+2+2",
        ),
        words=("auto",),
        low=1,
        high=MAX_PLAYERS - 1,
        is_list=True,
        lengths=(2, 3),
        needs=_OF_MASQUERADE,
    ),
    Switch(
        "masquerade_cheers",
        "no_constraint",
        Words(
            "in masquerade the rule of opponents among the receivers falls away, or is enforced",
            "假面舞会中不检查收牌者须有对手的规则，或强制执行",
        ),
        words=("no_constraint", "engine_enforced"),
        needs=_OF_MASQUERADE,
    ),
    Switch(
        "three_teams_uneven",
        "no",
        Words(
            "three teams also with four or five players (2+1+1, 2+2+1)",
            "四、五人也可分三队（2+1+1、2+2+1）",
        ),
        words=_NO_YES,
        needs=_OF_THREE_TEAMS,
    ),
)

_TURNS = Words("turns", "回合")
_RETURNS = Words("returns", "次")
_TOASTS = Words("toasts", "次")
_GAMES = Words("games", "局")
_SEATS = Words("seats", "人")
_CARDS = Words("cards", "张")


def _of_seat(name: str, en: str, zh: str, unit: Words = _GAMES, high: int = 1) -> Measure:
    return Measure(name, Words(en, zh), unit, low=0, high=high, per="seat")


def _of_game(name: str, en: str, zh: str, unit: Words, high: int) -> Measure:
    return Measure(name, Words(en, zh), unit, low=0, high=high)


MEASURES = (
    _of_seat("turns", "turns taken", "行动的回合数", _TURNS, 150),
    _of_seat("returns", "hands returned", "退货次数", _RETURNS, 150),
    _of_seat("team_size", "real members of the own team", "己方真实人数", _SEATS, 6),
    _of_seat("short_team", "in the smallest team", "属于人数最少的队伍"),
    _of_seat("won_short", "won, in the smallest team", "属于人数最少的队伍且获胜"),
    _of_seat("start_team", "in the team that started", "属于先手队"),
    _of_seat("won_start", "won, in the team that started", "属于先手队且获胜"),
    _of_seat("three_kinds", "own recipe of three kinds", "己方酒谱只有三种酒杯"),
    _of_seat("won_three", "won with a recipe of three kinds", "以三种酒杯的酒谱获胜"),
    _of_seat("own_area", "won by the own area", "以自己的个人区域获胜"),
    _of_game("rounds", "turns in all", "总回合数", _TURNS, 300),
    _of_game("clinks", "clinks", "干杯次数", Words("clinks", "次"), 300),
    _of_game("sends", "cards sent", "送酒次数", Words("sends", "次"), 300),
    _of_game("self_toasts", "toasts to the own area", "向自己敬酒的次数", _TOASTS, 150),
    _of_game("dummy_toasts", "toasts to the dummy", "向虚拟队友敬酒的次数", _TOASTS, 150),
    _of_game("hands_returned", "hands returned, all seats", "所有人退货次数", _RETURNS, 150),
    _of_game("overflows", "cards discarded from overfull areas", "超限弃牌数", _CARDS, 60),
    _of_game("passes", "turns passed for want of cards", "无牌可动而跳过的回合", _TURNS, 300),
    _of_game("deck_left", "cards left in the deck", "牌堆剩余张数", _CARDS, 75),
    _of_game(
        "won_by_toast", "won in a turn with a toast, no clink", "以未干杯的敬酒获胜", _GAMES, 1
    ),
    _of_game("won_by_clink", "won in a turn with a clink", "以干杯获胜", _GAMES, 1),
    _of_game("won_by_send", "won in a turn with a send", "以送酒获胜", _GAMES, 1),
    _of_game("dummy_won", "won by the dummy's area", "以虚拟队友的区域获胜", _GAMES, 1),
    Measure(
        "second_lead",  # zero between equal teams, however many games nobody wins
        Words(
            "wins less losses of the second team, of unequal ones the smaller",
            "第二队（人数不等时为较小的队）胜局减负局",
        ),
        Words("net wins", "净胜局"),
        low=-1,
        high=1,
    ),
    _of_game(
        "winning_cards",
        "turns with a card in hand that would complete an area",
        "手中有牌可完成酒谱的回合",
        _TURNS,
        150,
    ),
    _of_game(
        "undelivered",
        "such turns on which every such card would clink",
        "其中每张这样的牌都会干杯的回合",
        _TURNS,
        150,
    ),
    _of_game("teams_won", "teams that won", "获胜队伍数", Words("teams", "队"), 3),
    *(_of_game(f"team_{k}_won", f"won by team {k}", f"队伍 {k} 获胜", _GAMES, 1) for k in range(3)),
)

GAME = Game(
    name="kanpai",
    title=Words("CHEERS", "干杯"),
    package="sim.games.kanpai",
    players=(3, 4, 5, 6),
    switches=SWITCHES,
    measures=MEASURES,
    score=None,
    teams=tuple(f"team_{k}_won" for k in range(3)),
)
