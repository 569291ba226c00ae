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
            "由计算机执行的一种固定打法，只能看到该座位的玩家能看到的信息。冒号后是它的参数；输入命令时用的英文名见“本页的由来”。",
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
            "No seat won: the rules ended the game without a winner, among these every draw, or "
            "a cap stopped it before there was one. This is why the win shares of all seats can "
            "sum to less than 100 %.",
            "没有赢家的局：按规则结束但无人获胜（含平局），或分出胜负前达到长度上限而中止。"
            "因此各座位的获胜份额之和可能小于 100%。",
        ),
    ),
    "unfinished": (
        Words("unfinished", "未打完"),
        Words(
            "A cap on the length stopped the game; it is no draw, which the rules themselves end.",
            "达到长度上限而被中止的局；与规则本身判定的平局不同。",
        ),
    ),
    "draw": (
        Words("draw", "平局"),
        Words(
            "The rules themselves ended the game undecided, say because nobody could act any "
            "more; a game that a cap stopped is unfinished instead.",
            "规则本身判定不分胜负的局，例如所有人都无法行动；因长度上限而中止的局另记为未打完。",
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

# What the page of a balance question needs beside or in place of these.
BALANCE: dict[str, tuple[Words, Words]] = {
    **{key: GLOSSARY[key] for key in ("game", "deal", "strategy", "lineup")},
    **{key: GLOSSARY[key] for key in ("place", "win_share", "interval", "points")},
    "verdict": (
        Words("verdict", "结论"),
        Words(
            "FAIR (or SAME, where two kinds of game are compared): every difference is shown to "
            "be smaller than the margin. UNFAIR (or DIFFERENT): some difference is shown to be "
            "larger than the margin; ABOVE or BELOW, where something is held against a number. "
            "INCONCLUSIVE: these games cannot tell. A difference can be real and still too small "
            "to matter: then it is FAIR.",
            "公平（比较两种玩法时为“一致”）：已证明所有差异都小于界限。"
            "不公平（或“不同”）：已证明有差异大于界限；与某个数值相比时为“高于”或“低于”。"
            "未定：这些对局还不能判断。"
            "差异可以真实存在却小到无关紧要，那也算公平。",
        ),
    ),
    "margin": (
        Words("margin", "界限"),
        Words(
            "The largest difference that would not matter, laid down in the question before "
            "anything was played. It is the shaded band of the figures.",
            "事先在问题里定下的、仍算无关紧要的最大差异。图中以阴影带表示。",
        ),
    ),
    "setting": (
        Words("setting", "设置"),
        Words(
            "One set of rules with one number of players and one line-up of strategies. Each has a "
            "verdict of its own.",
            "一套规则、一个人数、一种策略阵容。每种设置各有一个结论。",
        ),
    ),
    "together": (
        Words("95 % intervals that hold together", "95% 联合区间"),
        Words(
            "The ranges in which the true differences lie, as far as these games can tell. In 95 "
            "of 100 studies all ranges of a setting are right at once.",
            "就这些对局所能判断的真实差异的范围。"
            "100 次研究里有 95 次，同一设置的各个范围同时正确。",
        ),
    ),
    "notice": (
        Words("games to notice", "能察觉所需局数"),
        Words(
            "So many whole games a family would have to write down at home to notice a difference "
            "of this size: with four chances in five, and with one chance in twenty of seeing one "
            "where there is none. Where two kinds of game are compared, so many of each, and what "
            "every seat has is noted for all seats. The number is rather too high than too low.",
            "一家人在家里要记录这么多完整的局，才有五分之四的机会察觉这样大的差异，"
            "而没有差异时误以为有的机会是二十分之一。比较两种玩法时，各需这么多局，"
            "每个座位的数字都记下。这个数字宁可偏大。",
        ),
    ),
    "notice_card": (
        Words("games to notice what a card does", "察觉某类牌的作用所需局数"),
        Words(
            "They would note of every game one hand, how many cards of the kind it had and what "
            "came of it. A game is here what the claim plays, such as a single round.",
            "每局记下一手牌里这类牌的张数和这手牌的结果。这里的一局指该论点所打的范围，例如只打一轮。",
        ),
    ),
    "notice_distance": (
        Words("games to notice a distance", "察觉距离所需局数"),
        Words(
            "Where candidates are compared by their largest difference, or by their distance from "
            "another game: as if one knew beforehand which places or which value to look at, and "
            "what the other game is like. Who does not know needs more.",
            "候选之间比较“最大差异”或“与另一种局的距离”时：假定事先知道该看哪些顺位或哪个数值，"
            "也知道另一种局的情形。不知道的人需要更多局。",
        ),
    ),
    "family": (
        Words("decided together", "一并判断"),
        Words(
            "Who asks many questions is sometimes wrong by chance. The verdicts under one heading "
            "are made stricter (Holm): in at most 5 of 100 studies any of them is FAIR though a "
            "difference is larger than the margin, and in at most 5 of 100 any is UNFAIR though "
            "none is. Near the margin a verdict and its interval may therefore seem to disagree: "
            "INCONCLUSIVE beside an interval beyond the margin, as all verdicts are made stricter; "
            "or FAIR beside one that just reaches it, as intervals that hold together are wider "
            "than it takes to show that no difference is too large.",
            "问得多了，总会碰巧答错。同一标题下的结论因此从严（Holm）："
            "100 次研究里至多 5 次有结论把超出界限的差异判为公平，"
            "也至多 5 次有结论把界限之内的差异判为不公平。"
            "在界限附近，结论与区间可能看似不一致：区间已在界限之外，结论却未定，因为所有结论一并从严；"
            "或区间略微触及界限，结论却是公平，因为联合区间比证明“没有差异过大”所需的更宽。",
        ),
    ),
    "saved": (
        Words("saved by common deals", "共用发牌的节省"),
        Words(
            "Settings that are compared play the same deals, so that luck of the cards falls away "
            "in part. The number says how many times more deals it would take if each had its "
            "own; near 1 nothing is saved.",
            "互相比较的设置用同样的发牌，牌运因此抵消一部分。"
            "数字表示若各自另行发牌，需要多少倍的发牌；接近 1 表示没有节省。",
        ),
    ),
    "rank": (
        Words("rank", "名次"),
        Words(
            "1 is the best. Beside it the best and the worst rank that the intervals allow: only "
            "where two intervals do not meet is one shown to be better than the other.",
            "1 为最佳。其后为区间所允许的最好与最差名次："
            "只有两个区间不重叠时，才算证明一个优于另一个。",
        ),
    ),
    "front": (
        Words("Pareto front", "帕累托前沿"),
        Words(
            "The candidates that no other one beats: whatever is better than they are in one "
            "respect is worse in another.",
            "没有被其他候选超过的那些候选：凡在某方面比它们好的，必在另一方面比它们差。",
        ),
    ),
    "explained": (
        Words("explained by the own hand", "由自己的手牌决定"),
        Words(
            "How much of the spread of results comes from the hand one was dealt: 0 % if the hand "
            "does not matter, 100 % if it decides alone. Found by keeping a hand and drawing all "
            "other cards anew, many times. At home no hand is dealt twice, so there is no number "
            "of games after which one would notice it.",
            "结果的波动有多少来自所发的手牌：0% 表示手牌无关紧要，100% 表示全由手牌决定。"
            "方法是保留一手牌，多次重新抽取其余的牌。"
            "在家里同一手牌不会再发一次，所以没有“察觉所需局数”。",
        ),
    ),
}

# What a search needs beside.
SEARCH: dict[str, tuple[Words, Words]] = {
    "screening": (
        Words("screening", "初选"),
        Words(
            "All candidates are played on few deals, to choose whom to look at closely. It shows "
            "nothing yet: who looks best among many was also lucky.",
            "所有候选先在少量发牌上比较，以选出值得细看的。它还不证明什么：许多候选中看来最好的，也沾了运气。",
        ),
    ),
    "cautious": (
        Words("interval of at least 95 %", "至少 95% 的区间"),
        Words(
            "In 95 of 100 studies or more all intervals of a stage of the search are right "
            "together. Where a value is the largest of several differences, or a distance, it is "
            "not known which of them is the largest in truth; the interval holds whichever it is, "
            "and is therefore wider than others: alone it is right nearly always.",
            "100 次研究里至少有 95 次，搜索同一阶段的全部区间同时正确。"
            "数值若是几个差异中最大的一个，或是距离，并不知道实际上哪一个最大；"
            "区间无论哪一个都成立，因此比其他区间宽：单独看几乎总是正确。",
        ),
    ),
    "finalist": (
        Words("finalist", "入围者"),
        Words(
            "A candidate that was chosen by the screening, and then held against the rule in use "
            "on fresh deals that had no part in the choice.",
            "由初选挑出、再用没有参与挑选的新发牌与现行规则比较的候选。",
        ),
    ),
    "beaten": (
        Words("BEATEN", "被超过"),
        Words(
            "A finalist is shown to be better than the rule in use on some criterion by more than "
            "the margin, and on none worse by as much. What differs by less counts on neither "
            "side.",
            "已证明某个入围者在某项标准上比现行规则好出界限，而在任何一项上都没有差到界限。"
            "不足界限的差异，好坏都不计。",
        ),
    ),
    "on_front": (
        Words("ON THE FRONT", "在前沿上"),
        Words(
            "Every finalist is shown not to beat the rule in use: to be worse on some criterion by "
            "more than the margin, or better on none by as much.",
            "已证明每个入围者都没有胜过现行规则：在某项标准上差出界限，或者没有一项好到界限。",
        ),
    ),
}

# Terms of a balance page as its answers and leads write them.
HINTS = {
    "verdict": Words("FAIR", "公平"),
    "margin": Words("margin", "界限"),
    "setting": Words("settings", "设置"),
    "lineup": Words("line-ups", "阵容"),
    "place": Words("place", "顺位"),
    "win_share": Words("win share", "获胜份额"),
    "family": Words("Holm", "Holm"),
    "front": Words("Pareto front", "帕累托前沿"),
    "screening": Words("Screening", "初选"),
    "finalist": Words("finalists", "入围者"),
    "beaten": Words("BEATEN", "被超过"),
    "on_front": Words("ON THE FRONT", "在前沿上"),
}

# What the page of a comparison needs beside or in place of these.
COMPARISON: dict[str, tuple[Words, Words]] = {
    **{
        key: GLOSSARY[key]
        for key in ("game", "deal", "strategy", "lineup", "place", "win_share", "interval")
    },
    "points": GLOSSARY["points"],
    "equal": (
        Words("equal share", "均分"),
        Words(
            "What each seat would have if the same games had been won by all seats alike: 25 % at "
            "a table of four, less the games that nobody wins.",
            "同样这些对局由各座位平均获胜时每个座位的份额：四人桌为 25%，再除去无人获胜的局。",
        ),
    ),
    "together": BALANCE["together"],
    "notice": BALANCE["notice"],
    "rating": (
        Words("rating", "等级分"),
        Words(
            "The strength of a strategy as one number, from all games at once (Plackett and Luce, "
            "with ties): 400 points more are ten times the chance to win. It is a summary: where "
            "it does not fit, the page says so.",
            "用一个数字表示策略的强弱，由全部对局一起得出（Plackett–Luce 模型，含并列）："
            "高 400 分，胜算高十倍。它只是概括，不相符时本页会说明。",
        ),
    ),
    "alone": (
        Words("wins of 100, by the ratings", "每百局胜，按等级分"),
        Words(
            "How many of 100 games the strategy would win alone against seats that all play the "
            "strategy with 0 points, if the ratings were right. What was played stands beside it.",
            "若等级分正确，独自面对全部采用 0 分策略的各家时，100 局中能赢几局。旁边是实际结果。",
        ),
    ),
    "strongest": (
        Words("strongest", "最强的概率"),
        Words(
            "How often it has the highest rating when the deals are drawn anew, many times, from "
            "those that were played.",
            "从已打的发牌中反复重新抽取时，它的等级分居首的频率。",
        ),
    ),
    "chance": (
        Words("chance", "偶然的概率"),
        Words(
            "How often chance alone would bring as large a difference somewhere in the table if "
            "the ratings were right.",
            "假如等级分正确，仅凭偶然在表中某处出现这么大差异的概率。",
        ),
    ),
    "mass": (
        Words("lasts", "占比"),
        Words(
            "If players go on changing to what does better, the part of the time (or of the seats) "
            "that belongs to a strategy in the long run. A strategy that nothing can drive out has "
            "100 %; of three that beat each other in a circle each has a third.",
            "假如玩家不断改用更好的策略，长期来看各策略所占的时间（或座位）。"
            "谁也取代不了的策略占 100%；三个循环相克的策略各占三分之一。",
        ),
    ),
    "valid": (
        Words("always-valid interval", "随时有效的区间"),
        Words(
            "An interval that may be looked at again and again while the games are played: in 95 "
            "of 100 studies it holds the truth at every look. The price is that it is wider.",
            "在对局过程中可以反复查看的区间：100 次研究里有 95 次在每次查看时都包含真值。"
            "代价是它更宽。",
        ),
    ),
    "evidence": (
        Words("evidence", "证据"),
        Words(
            "How much likelier the games are under the one assumption than under the other "
            "(logarithm of the ratio): 3 is twenty times.",
            "这些对局在一种假设下比另一种假设下可能多少（比值的对数）：3 表示约二十倍。",
        ),
    ),
    "saved": (
        Words("games saved", "省下的局数"),
        Words(
            "By playing each deal in all rotations, and by taking off what the dealt hands tell "
            "before (weights fitted on other deals), results may differ less by luck, so that "
            "fewer games do.",
            "同一次发牌轮换座位重打，并扣除由手牌可预见的部分（权重用其他发牌拟合），"
            "可减少运气造成的差别，从而少打一些局。",
        ),
    ),
    "spread": (
        Words("spread of a result", "结果的波动"),
        Words(
            "How much the result of a seat differs from game to game (its variance). The parts add "
            "up to all of it. A small part of skill shows after many games all the same.",
            "一个座位的结果在各局之间相差多少（方差）。各部分之和为全部。"
            "水平所占虽小，局数多了仍会显现。",
        ),
    ),
    "call": (
        Words("the first is: better, worse, open", "前者：更强、更弱、未定"),
        Words(
            "Who wins more a seat at all tables that hold both, where the intervals of all pairs "
            "together leave no doubt. Alone: at the tables where one sits alone among the other. "
            "Both may gain wherever they are rare, or lose: then neither is better. Open: these "
            "games cannot tell.",
            "在两者同桌的全部牌桌上谁每个座位获胜更多，以全部对阵的共同区间不留疑问为准。"
            "独自：独自面对清一色的对方的牌桌。有时双方都是人少就占便宜，或都吃亏：这时不分高下。"
            "未定：这些对局还不能判断。",
        ),
    ),
}
