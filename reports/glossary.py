"""What the words of a page mean, for people who know the game and not statistics."""

from __future__ import annotations

from sim.core.game import Words

GLOSSARY: dict[str, tuple[Words, Words]] = {
    "game": (
        Words("game", "局"),
        Words(
            "One play from the first card to the final result, as at a table at home.",
            "从发牌到分出胜负的完整一局，和在家里玩的一局一样。",
        ),
    ),
    "deal": (
        Words("deal", "发牌"),
        Words(
            "One numbered shuffle of everything that chance decides in a game. The same deal can "
            "be played several times with the strategies or the hands in other seats (rotations), "
            "so that good and bad cards fall to each of them alike. Games of one deal are "
            "relatives, so the deal is what we count when we say how sure we are.",
            "一次带编号的洗牌，包含一局里由运气决定的一切。同一次发牌可以换座位重打几局（轮换），"
            "使好牌坏牌均等地落到各方。同一次发牌的各局彼此相关，所以衡量把握时以发牌为单位。",
        ),
    ),
    "strategy": (
        Words("strategy", "策略"),
        Words(
            "A fixed way of deciding, played by the computer. It sees only what a player in its "
            "seat would see. Numbers after a colon are its settings.",
            "由计算机执行的一种固定打法，只能看到该座位的玩家能看到的信息。冒号后是它的参数。",
        ),
    ),
    "lineup": (
        Words("line-up", "阵容"),
        Words(
            "Which strategies sit at the table together.",
            "同桌的各个策略。",
        ),
    ),
    "seat": (
        Words("seat", "座位"),
        Words(
            "A chair at the table, numbered from 0 clockwise, as in the replays.",
            "桌边的位置，从 0 起按顺时针编号，与对局回放一致。",
        ),
    ),
    "place": (
        Words("place in the starting order", "先后顺位"),
        Words(
            "Seats counted clockwise from the one that starts the first round: the 1st place "
            "starts, the 2nd follows. If going first is worth something, it shows here; by seat "
            "it does not when the start is drawn at random.",
            "从首轮起始座位开始按顺时针数：第 1 位先出，第 2 位其次。先手若有好处，会在这里显出来；"
            "起始座位随机时，按座位看不出来。",
        ),
    ),
    "win_share": (
        Words("win share", "获胜份额"),
        Words(
            "A win counts 1, a win shared by two 1/2 each, by three 1/3 each; when nobody wins "
            "all get 0. Its mean is the part of all games that belongs to a seat or a strategy.",
            "独胜记 1，两家并列各记 1/2，三家并列各记 1/3；无人获胜时都记 0。"
            "平均值就是各座位或策略在全部对局中所占的份额。",
        ),
    ),
    "nobody": (
        Words("nobody wins", "无人获胜"),
        Words(
            "The game ended by its rules without a winner. This is why the win shares of all "
            "seats can sum to less than 100 %.",
            "按规则结束但没有赢家的局。因此各座位的获胜份额之和可能小于 100%。",
        ),
    ),
    "unfinished": (
        Words("unfinished", "未打完"),
        Words(
            "A cap on the length stopped the game.",
            "达到长度上限而被中止的局。",
        ),
    ),
    "draw": (
        Words("draw", "平局"),
        Words(
            "The rules themselves ended the game undecided.",
            "规则本身判定不分胜负的局。",
        ),
    ),
    "interval": (
        Words("95 % interval", "95% 区间"),
        Words(
            "The range in which the true value lies, as far as these games can tell: intervals "
            "made this way hold the truth in 95 of 100 studies. More deals make it narrower. It "
            "tells nothing about other strategies or other rules.",
            "就这些对局所能判断的真值范围：这样得出的区间在 100 次研究里有 95 次包含真值。"
            "发牌越多，区间越窄。它不说明换了策略或规则会怎样。",
        ),
    ),
    "joint": (
        Words("interval for all differences together", "全部差异的联合区间"),
        Words(
            "When several pairs are compared, one may look large by chance. These intervals are "
            "wider, so that in 95 of 100 studies all of them are right (Bonferroni). A difference "
            "whose interval does not hold 0 is more than chance.",
            "同时比较多对时，总有一对可能碰巧显得大。这里的区间因此放宽，"
            "使 100 次研究里有 95 次全部正确（Bonferroni）。区间不含 0 的差异不是偶然。",
        ),
    ),
    "widest": (
        Words("interval of a distribution", "分布的区间"),
        Words(
            "For single values of a distribution we give the widest interval that could be right: "
            "as if all games of a deal had come out alike.",
            "对分布中的单个数值，给出可能的最宽区间：假定同一次发牌的各局结果完全相同。",
        ),
    ),
    "points": (
        Words("percentage points", "百分点"),
        Words(
            "The difference of two percentages: from 32 % to 34 % are 2 points, that is 2 games "
            "in 100.",
            "两个百分比之差：从 32% 到 34% 是 2 个百分点，即每 100 局差 2 局。",
        ),
    ),
    "equal": (
        Words("equal share", "均分"),
        Words(
            "What each seat would have if the games that somebody won were spread evenly.",
            "把有赢家的局平均分给各座位时，每个座位的份额。",
        ),
    ),
}
