"""幸灾乐祸 (Schadenfreude, by ctr, Studio Turbine 2020) as data: switches, measures, words.

Rule ids like S-R03 are those of the project's rule sheet of this game.
"""

from sim.core.game import Game, Measure, Switch, Words

SWITCHES = (
    Switch(
        "rank_set",
        "minus3_no_zero",
        Words(
            "the twelve numbers of a suit: -3 to 9 without 0, or -2 to 9",
            "每种花色的十二个数字：-3 到 9（没有 0），或 -2 到 9",
        ),
        words=("minus3_no_zero", "minus2_to_9"),
    ),
    Switch(
        "removed_3p",
        [-2, -1, 9],
        Words(
            "numbers taken out of every suit when three play",
            "三人游戏时从每种花色中移除的数字",
        ),
        low=-3,
        high=9,
        is_list=True,
    ),
    Switch(
        "wild_rank",
        "none",
        Words(
            "wild cards are never compared, or count as 0 and 10 of the led suit",
            "万能卡牌不参与比较，或作为领出花色的 0 和 10",
        ),
        words=("none", "zero_ten"),
    ),
    Switch(
        "single_follower",
        "wins",
        Words(
            "with one card of the led suit it wins the trick, or nobody collects",
            "只有一张领出花色的牌时：由它赢墩，或无人收取",
        ),
        words=("wins", "discarded"),
    ),
    Switch(
        "hand_size",
        "auto",
        Words(
            "cards a hand: 12, 12, 10 for 3, 4, 5 players; all that divide evenly; or a number",
            "每人手牌数：3、4、5 人时为 12、12、10；或平均发完；或指定张数",
        ),
        words=("auto", "most"),
        low=1,
        high=16,
    ),
    Switch(
        "floor",
        "cum_zero_at_round_end",
        Words(
            "a total below zero becomes zero when the round is scored, or stays",
            "每轮计分时累计分数低于零则归零，或保留负分",
        ),
        words=("cum_zero_at_round_end", "none"),
    ),
    Switch(
        "limit",
        40,
        Words("the total that must not be passed", "不可超过的累计分数"),
        low=1,
        high=200,
    ),
    Switch(
        "limit_mode",
        "over",
        Words(
            "a total above the limit loses, or already one equal to it",
            "累计分数超过界限者爆掉，或达到界限即爆掉",
        ),
        words=("over", "at_least"),
    ),
    Switch(
        "all_over",
        "no_winner",
        Words(
            "if all pass the limit nobody wins, or the lowest total",
            "所有人都爆掉时：无人获胜，或最低者获胜",
        ),
        words=("no_winner", "lowest_wins"),
    ),
    Switch(
        "top_tie",
        "shared",
        Words(
            "equal best totals share the win, or the lower last round wins",
            "最高分相同时共享胜利，或最后一轮得分较低者获胜",
        ),
        words=("shared", "latest_lower_round"),
    ),
    Switch(
        "lowest_tie_start",
        "random",
        Words(
            "who starts the next round when lowest totals are equal",
            "最低累计分数相同时，由谁开始下一轮",
        ),
        words=("random", "next_clockwise", "keep_last_starter"),
        needs=(("next_start", ("lowest",)),),
    ),
    Switch(
        "first_start",
        "random",
        Words("who starts the first round", "由谁开始第一轮"),
        words=("random", "seat0"),
    ),
    Switch(
        "next_start",
        "lowest",
        Words(
            "who starts the next round: the lowest total, the next seat, or who won the last trick",
            "由谁开始下一轮：累计分数最低者、下一座位，或最后一墩的赢家",
        ),
        words=("lowest", "rotate", "last_trick_winner"),
    ),
    Switch(
        "max_rounds",
        50,
        Words(
            "rounds after which a game is stopped as unfinished",
            "到此轮数仍未结束的游戏记为未完成",
        ),
        low=1,
        high=2_000,
    ),
    Switch(
        "pile_visibility",
        "open",
        Words(
            "score piles lie open, or must be remembered",
            "得分牌堆公开，或须凭记忆",
        ),
        words=("open", "memory_only"),
    ),
    Switch(
        "hand_limit_3p_4p_leftover",
        "hidden",
        Words(
            "cards left over lie face down, or are shown",
            "剩余的牌面朝下，或公开",
        ),
        words=("hidden", "shown"),
    ),
)

_PAIRS = Words("pairs", "对")
_POINTS = Words("points", "分")
_ROUNDS = Words("rounds", "轮")
_TRICKS = Words("tricks", "墩")
_SEATS = Words("seats", "人")

MEASURES = (
    Measure(
        "bust",
        Words("ended the game above the limit", "终局时超过界限（爆掉）"),
        Words("games", "局"),
        low=0,
        high=1,
        per="seat",
    ),
    Measure(
        "tricks",
        Words("tricks won in the game", "一局中赢得的墩数"),
        _TRICKS,
        low=0,
        high=250,
        per="seat",
    ),
    Measure(
        "cancellations",
        Words("pairs of equal numbers lost from the pile", "得分牌堆中抵消的数字对"),
        _PAIRS,
        low=0,
        high=200,
        per="seat",
    ),
    Measure(
        "first_round",
        Words("sum of the pile in the first round", "第一轮得分牌堆的总和"),
        _POINTS,
        low=-10,
        high=50,
        per="seat",
    ),
    Measure("rounds", Words("rounds played", "进行的轮数"), _ROUNDS, low=1, high=60),
    Measure("busts", Words("seats above the limit", "爆掉的人数"), _SEATS, low=0, high=5),
    Measure(
        "cancelled",
        Words("pairs of equal numbers lost, all seats", "所有人抵消的数字对"),
        _PAIRS,
        low=0,
        high=400,
    ),
    Measure(
        "single_follower",
        Words("tricks with one card of the led suit", "只有一张领出花色牌的墩数"),
        _TRICKS,
        low=0,
        high=200,
    ),
    Measure(
        "lead_changes",
        Words(
            "rounds after which other seats than before were best below the limit",
            "未爆掉者中领先者发生变化的轮数",
        ),
        Words("lead changes", "次"),
        low=0,
        high=60,
    ),
)

GAME = Game(
    name="schadenfreude",
    title=Words("Schadenfreude", "幸灾乐祸"),
    package="sim.games.schadenfreude",
    players=(3, 4, 5),
    switches=SWITCHES,
    measures=MEASURES,
    score=Measure(
        "score", Words("final total", "最终累计分数"), _POINTS, low=-100, high=260, per="seat"
    ),
    marks=(("limit", Words("bust line", "爆点线")),),
)
