"""毒药 (Poison, by Reiner Knizia, 2005) as data: switches, measures, words.

Rule ids like P-R03 are those of the project's rule sheet of this game.
"""

from sim.core.game import Game, Measure, Switch, Words

SWITCHES = (
    Switch(
        "cauldron_colour_mode",
        "dynamic",
        Words(
            "the potions in a cauldron give it its colour, or each has its own for good",
            "大锅的颜色由锅中药剂决定，或每口大锅固定一种颜色",
        ),
        words=("dynamic", "fixed"),
    ),
    Switch(
        "colour_lock_after_bust",
        "contents",
        Words(
            "a cauldron with only poison has no colour, or keeps the one it had in this round; "
            "no effect with fixed colours",
            "只剩毒药的大锅没有颜色，或在本轮中保留原有颜色；颜色固定时无作用",
        ),
        words=("contents", "sticky"),
    ),
    Switch(
        "bust_threshold",
        13,
        Words(
            "the total up to which a cauldron does not overflow",
            "大锅不溢出的最高总点数",
        ),
        low=7,
        high=191,
    ),
    Switch(
        "bust_collects",
        "previous_only",
        Words(
            "an overflow takes the cards that lay there, or the card just played too",
            "溢出时收取锅中原有的牌，或连同刚打出的牌一起收取",
        ),
        words=("previous_only", "all_including_played"),
    ),
    Switch(
        "deal_mode",
        "round_robin",
        Words(
            "four to six players: deal every card, one extra to the start seat only, or equal "
            "hands; the rest is set aside",
            "四至六人：发完所有牌、只有起始玩家多一张，或每人同样多；其余的牌不用",
        ),
        words=("round_robin", "start_only", "equal_aside"),
    ),
    Switch(
        "three_player_deal",
        "ghost_hand",
        Words(
            "three players: a fourth hand that nobody plays, every card dealt, or equal hands",
            "三人：多发一手无人使用的牌、发完所有牌，或每人同样多",
        ),
        words=("ghost_hand", "all_cards", "equal_aside"),
    ),
    Switch(
        "first_start",
        "random",
        Words("who starts the first round", "由谁开始第一轮"),
        words=("random", "seat0"),
    ),
    Switch(
        "next_start",
        "clockwise",
        Words(
            "who starts the next round: the next seat clockwise, or a random one",
            "由谁开始下一轮：顺时针下一座位，或随机",
        ),
        words=("clockwise", "random"),
    ),
    Switch(
        "rounds",
        "players",
        Words("rounds a game: as many as players, or a number", "轮数：与人数相同，或指定轮数"),
        words=("players",),
        low=1,
        high=1000,
    ),
    Switch(
        "majority_tie",
        "nobody",
        Words(
            "if several took most cards of a colour none of them discards it, or all do",
            "多人并列收取某色最多时：都不弃掉该色，或都弃掉",
        ),
        words=("nobody", "all_tied_discard"),
    ),
    Switch(
        "majority_limit",
        "unlimited",
        Words(
            "a seat may discard several colours, or only that of which it took most",
            "一人可弃掉多种颜色，或只弃掉自己收取最多的一种",
        ),
        words=("unlimited", "one_colour"),
    ),
    Switch(
        "majority_min_cards",
        1,
        Words(
            "cards of a colour that a seat must have taken to discard it, one at least",
            "弃掉某色所需收取的最少张数（至少一张）",
        ),
        low=-100,
        high=100,
    ),
    Switch(
        "potion_points",
        1,
        Words("penalty points of a potion", "每张药剂牌的罚分"),
        low=0,
        high=10,
    ),
    Switch(
        "poison_points",
        2,
        Words("penalty points of a poison", "每张毒药牌的罚分"),
        low=0,
        high=10,
    ),
    Switch(
        "final_tie",
        "shared",
        Words(
            "equal lowest totals share the win, play up to three extra rounds for it, or the "
            "fewest poisons taken in the game win",
            "最低总分相同时：共享胜利、最多加赛三轮，或全局收取毒药最少者获胜",
        ),
        words=("shared", "extra_round", "fewest_poison"),
    ),
    Switch(
        "taken_memory",
        "perfect",
        Words(
            "what a strategy may know of the cards taken: which, how many, or nothing",
            "策略可知的已收取的牌：具体牌面、仅张数，或一无所知",
        ),
        words=("perfect", "sizes_only", "none"),
    ),
    Switch(
        "ghost_revealed",
        "no",
        Words("the hand that nobody plays lies open", "无人使用的那手牌公开"),
        words=("no", "yes"),
    ),
)

_POINTS = Words("points", "分")
_CARDS = Words("cards", "张")
_OVERFLOWS = Words("overflows", "次")
_FORCED = Words("forced turns", "回合")
_DISCARDS = Words("discards", "次")
_ROUNDS = Words("rounds", "轮")

MEASURES = (
    Measure(
        "first_round",
        Words("penalty points of the first round", "第一轮的罚分"),
        _POINTS,
        low=0,
        high=58,
        per="seat",
    ),
    Measure(
        "overflows",
        Words("cauldrons made to overflow and taken", "弄溢并收取大锅的次数"),
        _OVERFLOWS,
        low=0,
        high=60,
        per="seat",
    ),
    Measure(
        "forced",
        Words("turns without a card that was safe", "没有安全牌可出的回合"),
        _FORCED,
        low=0,
        high=60,
        per="seat",
    ),
    Measure(
        "taken",
        Words("cards taken in the game", "一局中收取的牌"),
        _CARDS,
        low=0,
        high=200,
        per="seat",
    ),
    Measure(
        "poisons",
        Words("poisons taken in the game", "一局中收取的毒药牌"),
        _CARDS,
        low=0,
        high=50,
        per="seat",
    ),
    Measure(
        "discarded",
        Words("potions discarded for having most of a colour", "因某色最多而弃掉的药剂牌"),
        _CARDS,
        low=0,
        high=150,
        per="seat",
    ),
    Measure(
        "majorities",
        Words("times a colour was discarded", "弃掉一种颜色的次数"),
        _DISCARDS,
        low=0,
        high=20,
        per="seat",
    ),
    Measure(
        "largest_majority",
        Words("most cards of a colour discarded at once", "一次弃掉同色牌的最多张数"),
        _CARDS,
        low=0,
        high=14,
        per="seat",
    ),
    Measure("rounds", Words("rounds played", "进行的轮数"), _ROUNDS, low=1, high=1003),
    Measure(
        "all_overflows",
        Words("overflows, all seats", "所有人的溢出次数"),
        _OVERFLOWS,
        low=0,
        high=250,
    ),
    Measure(
        "all_forced",
        Words("turns without a card that was safe, all seats", "所有人没有安全牌可出的回合"),
        _FORCED,
        low=0,
        high=200,
    ),
    Measure(
        "tied_colours",
        Words(
            "times that several seats took most of a colour",
            "某色最多者并列的次数",
        ),
        Words("ties", "次"),
        low=0,
        high=60,
    ),
    Measure(
        "left_over",
        Words("cards left in the cauldrons at the ends of rounds", "各轮结束时留在大锅中的牌"),
        _CARDS,
        low=0,
        high=100,
    ),
    Measure(
        "lead_changes",
        Words(
            "rounds after which other seats than before had the lowest total",
            "总分最低者发生变化的轮数",
        ),
        Words("lead changes", "次"),
        low=0,
        high=20,
    ),
    Measure(
        "came_back",
        Words(
            "the first poison was taken by who had played it",
            "第一张毒药牌由打出者自己收取",
        ),
        Words("games", "局"),
        low=0,
        high=1,
    ),
)

GAME = Game(
    name="poison",
    title=Words("Poison", "毒药"),
    package="sim.games.poison",
    players=(3, 4, 5, 6),
    switches=SWITCHES,
    measures=MEASURES,
    score=Measure(
        "score",
        Words("final total of penalty points", "最终累计罚分"),
        _POINTS,
        low=0,
        high=160,
        per="seat",
    ),
)
