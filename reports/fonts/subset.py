"""Cut Noto Sans SC down to the characters that our pages can show.

Usage: python -m reports.fonts.subset [PATH OF NotoSansCJK-Regular.ttc or NotoSansSC-Regular.otf]

The source font comes with Debian's package fonts-noto-cjk. Every character that stands anywhere in
the sources of analysis, reports, games and strategies is kept, so new texts need no list: run
this again when the test of the glyphs names a missing one. The same font and texts give the same
bytes.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont

from reports.fonts import FAMILY, FIGURE_FONT, PAGE_FONT

ROOT = Path(__file__).parents[2]
SOURCE = Path("/usr/share/fonts/opentype/noto/NotoSansCJK-Regular.ttc")
FACE = "Noto Sans CJK SC"
TEXTS = (
    "analysis/**/*.py",
    "reports/**/*.py",
    "reports/**/*.html",
    "sim/games/**/*.py",
    "sim/games/**/*.toml",
    "strategies/**/*.py",
)
ASCII = "".join(map(chr, range(0x20, 0x7F)))
SIGNS = "\u00a0−–—×÷±·…≤≥≠≈→←↑↓½¼¾²³°§‰“”‘’•●○■□▲▼✓"
CHINESE_SIGNS = (
    "\u3000，。、：；！？（）《》「」『』【】“”‘’％～—…＋－＝／〇零一二三四五六七八九十百千万亿"
)
COMMON = (  # the most frequent characters, for names that users give to line-ups and variants
    "的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所"
    "然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长"
    "把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身"
    "果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活"
    "尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治"
    "展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领"
    "共确传师观清今切院让识候带导争运牌墩局轮座顺胜负爆移除花旗剑盾盔随机默认限底顶弃领跟收抵消奖罚快慢新旧简繁"
)
FEATURES = ["kern", "halt", "chws", "locl", "mark", "ccmp"]
NAMES = {1: FAMILY, 2: "Regular", 4: FAMILY, 6: FAMILY.replace(" ", ""), 16: FAMILY}


def characters() -> str:
    """Every character that a page may show, in order."""
    found = set(ASCII + SIGNS + CHINESE_SIGNS + COMMON)
    for path in source_files():
        found.update(path.read_text(encoding="utf-8"))
    return "".join(sorted(char for char in found if char.isprintable() or char in SIGNS))


def source_files() -> Iterator[Path]:
    """Files whose texts can come to stand in a page."""
    for pattern in TEXTS:
        yield from sorted(ROOT.glob(pattern))


def open_face(path: Path) -> TTFont:
    """Open a font, or the simplified Chinese face of a collection."""
    if path.suffix.lower() != ".ttc":
        return TTFont(path, recalcTimestamp=False)
    number = 0
    while True:
        font = TTFont(path, fontNumber=number, recalcTimestamp=False)
        if font["name"].getDebugName(1) == FACE:
            return font
        number += 1


def cut(font: TTFont, text: str) -> TTFont:
    """Keep the glyphs of `text` and rename the font; modified in place."""
    options = subset.Options(
        hinting=False, layout_features=FEATURES, name_IDs=[0, 5, 7, 8, 11, 13, 14, *NAMES]
    )
    options.drop_tables += ["VORG", "vhea", "vmtx"]  # nothing is set vertically
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=text)
    subsetter.subset(font)
    for number, name in NAMES.items():
        font["name"].setName(name, number, 3, 1, 0x409)
    top = font["CFF "].cff
    top.fontNames[0] = NAMES[6]
    top[0].FullName = top[0].FamilyName = FAMILY
    return font


def main() -> None:
    """Write both files of the cut."""
    font = cut(open_face(Path(sys.argv[1]) if len(sys.argv) > 1 else SOURCE), characters())
    font.save(FIGURE_FONT)
    font.flavor = "woff2"
    font.save(PAGE_FONT)
    for path in (PAGE_FONT, FIGURE_FONT):
        print(f"{path.name}: {path.stat().st_size:,} bytes, {len(font.getBestCmap())} characters")


if __name__ == "__main__":
    main()
