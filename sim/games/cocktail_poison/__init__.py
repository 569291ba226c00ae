"""Cocktail Poison (칵테일 포이즌, by Shiro, White Works 2022) as data: switches, measures, words.

Rule ids like C-R03 are those of the project's rule sheet of this game. The last six switches are
ours: remedies for the balance questions, all off by default.
"""

from sim.core.game import Game, Measure, Switch, Words

_OF_ANTIDOTES = (("antidote_tile", ("yes",)),)

SWITCHES = (
    Switch(
        "edition",
        2,
        Words(
            "2: who cancels one poison with the antidote suffers from no other; 1: he does",
            "第 2 版：解毒成功者不再受其他毒药影响；第 1 版：仍受影响",
        ),
        low=1,
        high=2,
        needs=_OF_ANTIDOTES,
    ),
    Switch(
        "allow_two",
        "off",
        Words(
            "whether two may play; each then knows the other's glass",
            "是否允许两人游戏（双方都知道对方的杯型）",
        ),
        words=("off", "on"),
    ),
    Switch(
        "glass_selection",
        "martini_random",
        Words(
            "the glasses beside the Martini: drawn at random, or the first ones",
            "马天尼以外的杯型：随机选取，或固定取前几种",
        ),
        words=("martini_random", "martini_first"),
    ),
    Switch(
        "tile_choice_timing",
        "before_row",
        Words(
            "tiles are chosen before the first row is seen, or after",
            "在看到公开饮料牌之前或之后选择毒片",
        ),
        words=("before_row", "after_row"),
    ),
    Switch(
        "tiles_return",
        "every_round",
        Words(
            "tiles return every round, or only when a seat has used all five",
            "毒片每轮收回，或用完五片后才收回",
        ),
        words=("every_round", "spent_until_all_used"),
    ),
    Switch(
        "row_size",
        "auto",
        Words(
            "face-up cards: 3 for up to four players, 4 for more; or a number",
            "公开饮料牌张数：四人及以下 3 张，更多人 4 张；或指定张数",
        ),
        words=("auto",),
        low=1,
        high=24,
    ),
    Switch(
        "row_refill",
        "after_each_take",
        Words(
            "the row is refilled after each take, or when it is empty",
            "每次拿牌后补牌，或公开牌拿完后再补",
        ),
        words=("after_each_take", "when_empty"),
    ),
    Switch(
        "blind_draw",
        "off",
        Words(
            "whether the top of the pile may be taken unseen",
            "是否可以盲抽牌堆顶的牌",
        ),
        words=("off", "on"),
    ),
    Switch(
        "antidote_window",
        "on_take",
        Words(
            "the antidote covers the card just taken, or any card of the display",
            "解药只能盖在刚拿的牌上，或可盖在自己面前任一张牌上",
        ),
        words=("on_take", "any_time_in_round"),
        needs=_OF_ANTIDOTES,
    ),
    Switch(
        "antidote_visibility",
        "public",
        Words(
            "all see an antidote that is laid, or its owner only",
            "使用的解药公开，或只有自己知道",
        ),
        words=("public", "hidden"),
        needs=_OF_ANTIDOTES,
    ),
    Switch(
        "own_poison_draw",
        "no_bonus",
        Words(
            "drawing the own poison loses the bonus, does not count, or is a poisoning",
            "拿到自己的毒：失去安全奖励、不计，或视为中毒",
        ),
        words=("no_bonus", "clean", "self_poisoned"),
    ),
    Switch(
        "multi_poison_penalty",
        "per_card",
        Words(
            "each poisoned card costs a point, or all together one",
            "每张毒酒扣一分，或总共只扣一分",
        ),
        words=("per_card", "once"),
    ),
    Switch(
        "uncancelled_owner",
        "scores",
        Words(
            "owners of further poisons of a successful antidote user score, or get nothing",
            "解毒成功者的其他毒酒：下毒者照常得分，或不得分",
        ),
        words=("scores", "denied"),
        needs=_OF_ANTIDOTES,
    ),
    Switch(
        "antidote_success_clean",
        "no",
        Words(
            "whether the bonus of a clean round goes also to who cancelled his only poison",
            "解除了唯一毒酒的人是否也得安全奖励",
        ),
        words=("no", "yes"),
        needs=_OF_ANTIDOTES,
    ),
    Switch(
        "clean_for_antidote_holder",
        "yes",
        Words(
            "whether the bonus of a clean round goes also to holders of the antidote",
            "选择解药的人是否能得安全奖励",
        ),
        words=("yes", "no"),
        needs=_OF_ANTIDOTES,
    ),
    Switch(
        "round_floor",
        "net_zero",
        Words(
            "a round below zero scores zero, or lowers the total",
            "一轮得分低于零记零分，或从总分中扣除",
        ),
        words=("net_zero", "none"),
    ),
    Switch(
        "target",
        5,
        Words("the total that ends the game", "结束游戏所需的总分"),
        low=1,
        high=100,
    ),
    Switch(
        "end_tie",
        "shared",
        Words(
            "equal best totals share, play on for up to five rounds, or fewest poisons decide",
            "最高分相同：共享胜利、加赛（最多五轮），或中毒最少者胜",
        ),
        words=("shared", "extra_round", "fewest_poisoned"),
    ),
    Switch(
        "next_start",
        "martini",
        Words(
            "who starts the next round: the Martini, or the next seat",
            "由谁开始下一轮：马天尼持有者，或下一座位",
        ),
        words=("martini", "clockwise"),
    ),
    Switch(
        "first_start",
        "random",
        Words("who starts the first round", "由谁开始第一轮"),
        words=("random", "seat0"),
    ),
    Switch(
        "max_rounds",
        50,
        Words(
            "rounds after which the totals so far decide",
            "到此轮数仍未结束的游戏按当前总分决定胜负",
        ),
        low=1,
        high=2_000,
    ),
    Switch(
        "pick_order",
        "clockwise",
        Words(
            "every lap of takes goes clockwise, or every second one back",
            "每圈都按顺时针拿牌，或隔圈反向（蛇形）",
        ),
        words=("clockwise", "snake"),
    ),
    Switch(
        "cards_left",
        0,
        Words(
            "cards that are left over: so many takes fall away, the last ones",
            "最后剩余不拿的牌数（相应的最后几次拿牌取消）",
        ),
        low=0,
        high=5,
    ),
    Switch(
        "antidote_reward",
        1,
        Words("points for a poison that is cancelled", "解毒成功的得分"),
        low=0,
        high=5,
        needs=_OF_ANTIDOTES,
    ),
    Switch(
        "cancelled_owner",
        "nothing",
        Words(
            "the owner of a cancelled poison gets nothing, or loses a point",
            "毒被解除者：不得分，或扣一分",
        ),
        words=("nothing", "loses_one"),
        needs=_OF_ANTIDOTES,
    ),
    Switch(
        "poison_reward",
        2,
        Words("points for a poison that somebody else draws", "毒到他人的得分"),
        low=0,
        high=5,
    ),
    Switch(
        "antidote_tile",
        "yes",
        Words("whether a set of tiles has an antidote", "每套毒片中是否有解药"),
        words=("yes", "no"),
    ),
)

_POISONS = Words("poisons", "次")
_POINTS = Words("points", "分")
_ROUNDS = Words("rounds", "轮")
_CARDS = Words("cards", "张")

MEASURES = (
    Measure(
        "poisoned",
        Words("uncovered poisons of others drawn", "拿到的他人毒酒（未解毒）"),
        _CARDS,
        low=0,
        high=20,
        per="seat",
    ),
    Measure(
        "own_drawn",
        Words("own poisons drawn", "拿到自己下的毒"),
        _POISONS,
        low=0,
        high=12,
        per="seat",
    ),
    Measure(
        "antidotes",
        Words("rounds with the antidote as tile", "选择解药的轮数"),
        _ROUNDS,
        low=0,
        high=12,
        per="seat",
    ),
    Measure(
        "antidote_points",
        Words("points of the rounds with the antidote", "选择解药的各轮得分"),
        _POINTS,
        low=-5,
        high=20,
        per="seat",
    ),
    Measure(
        "first_round",
        Words("score of the first round", "第一轮得分"),
        _POINTS,
        low=-5,
        high=10,
        per="seat",
    ),
    Measure("rounds", Words("rounds played", "进行的轮数"), _ROUNDS, low=1, high=60),
    Measure(
        "hits",
        Words("poisons that somebody else drew and that count", "成功毒到他人的次数"),
        _POISONS,
        low=0,
        high=40,
    ),
    Measure(
        "cured", Words("poisons that were cancelled", "被解除的毒酒"), _POISONS, low=0, high=20
    ),
    Measure(
        "multiple",
        Words("times that a seat drew two or more poisons in a round", "一轮中拿到两张以上毒酒"),
        Words("multiple poisonings", "次"),
        low=0,
        high=60,
    ),
    Measure(
        "margin",
        Words("lead of the best total over the second", "最高分领先第二名的分数"),
        _POINTS,
        low=0,
        high=20,
    ),
)

GAME = Game(
    name="cocktail_poison",
    title=Words("Cocktail Poison", "鸡尾酒毒药"),
    package="sim.games.cocktail_poison",
    players=(2, 3, 4, 5, 6),
    switches=SWITCHES,
    measures=MEASURES,
    score=Measure(
        "score", Words("final total", "最终总分"), _POINTS, low=-20, high=120, per="seat"
    ),
    marks=(("target", Words("target", "目标分")),),
)
