"""Parameters that several strategies of this game have, as plain data: nothing here compiles.

All begin with `tile` and `antidote`, see `_tile.py`; who drafts by belief goes on with `others` and
`pull`, see `_draft.py` and `_belief.py`.
"""

from sim.core.game import Parameter, Words

TILE_POLICY = Parameter(
    "tile",
    default=0,
    low=0,
    high=5,
    meaning=Words("how it chooses the tile", "怎样选毒片"),
    choices=(
        Words("any colour", "任一颜色"),
        Words("any tile, the antidote too", "任一毒片，包括解药"),
        Words(
            "the antidote in `antidote` percent of the rounds, else any colour",
            "按 `antidote` 的百分比选解药，否则任一颜色",
        ),
        Words(
            "the colour of the last round again if it struck, else any",
            "上一轮毒到人的颜色再用一次，否则任一颜色",
        ),
        Words("any colour but that of the last round", "上一轮以外的任一颜色"),
        Words(
            "where another seat lacks one point: the antidote if it lacks no more itself, else in "
            "`antidote` percent of the rounds; otherwise any colour",
            "有人只差一分时：自己也只差一分则选解药，否则按 `antidote` 的百分比选；其余任一颜色",
        ),
    ),
)
ANTIDOTE_SHARE = Parameter(
    "antidote",
    default=20,
    low=0,
    high=100,
    meaning=Words(
        "rounds in which it chooses the antidote where `tile` is 2 or 5, percent",
        "`tile` 为 2 或 5 时选解药的轮次，百分比",
    ),
)
OTHERS_SHARE = Parameter(
    "others",
    default=10,
    low=1,
    high=99,
    meaning=Words(
        "rounds in which it expects others to choose the antidote, percent",
        "预计别人选解药的轮次，百分比",
    ),
)
OWN_PULL = Parameter(
    "pull",
    default=17,
    low=0,
    high=200,
    meaning=Words(
        "tenths by which others are taken to pick an own harmless drink likelier than a card "
        "worth nothing",
        "预计别人拿自己无毒饮料比拿毫无价值的牌更可能的程度，以十分之一计",
    ),
)
