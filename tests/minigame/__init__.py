"""Skirmish: a game of a dozen cards in the form that a large one will take.

Five seats hold two lives and two cards each: five attacks, four parries and three counters are
shuffled, two cards are left as a pile. The seat on turn draws a card while there is one, then
attacks or passes. An attack strikes all other living seats, clockwise; who does not parry loses a
life. A parry that stands costs the attacker a life. On every parry and every counter each other
living seat, clockwise from its player, may play a counter; the first who does closes the question
and opens one on his own card. A counter that stands cancels the card beneath it.

Who has no life left dies at once, in the middle of whatever is going on; his cards are discarded.
An attack goes on after the death of its attacker. The last living seat wins. When all the living
have had a turn without an attack and the pile is empty, those with the most lives share the win.
"""

from sim.core.game import Game, Measure, Switch, Words

SWITCHES = (
    Switch("lives", 2, Words("lives of each seat", "每人的体力"), low=1, high=3),
    Switch(
        "riposte",
        "on",
        Words("whether a parry costs the attacker a life", "招架成功时攻击者是否失去体力"),
        words=("on", "off"),
    ),
    Switch("max_turns", 60, Words("turns, then unfinished", "回合数上限"), low=1, high=60),
)

_TURNS = Words("turns", "回合")
_SEATS = Words("seats", "人")

GAME = Game(
    name="skirmish",
    title=Words("Skirmish", "小冲突"),
    package="tests.minigame",
    players=(5,),
    switches=SWITCHES,
    measures=(
        Measure("struck", Words("lives lost", "失去的体力"), _TURNS, low=0, high=3, per="seat"),
        Measure("rounds", Words("turns begun", "开始的回合"), _TURNS, low=0, high=60),
        Measure("deaths", Words("seats that died", "阵亡人数"), _SEATS, low=0, high=4),
        Measure(
            "deaths_within",
            Words("deaths after which an attack went on", "攻击中途的阵亡人数"),
            _SEATS,
            low=0,
            high=4,
        ),
        Measure("deepest", Words("most effects pending at once", "最多同时待结算"), _TURNS, 0, 6),
    ),
    score=Measure("score", Words("lives left", "剩余体力"), _TURNS, low=0, high=3, per="seat"),
    max_decisions=1000,
)
