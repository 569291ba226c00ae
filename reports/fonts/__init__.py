"""The font of the pages: a cut of Noto Sans SC (SIL Open Font License, see OFL.txt)."""

from pathlib import Path

FAMILY = "Noto Sans SC Fairdeal"
"""Own name of the cut, so that no installed font of the same name takes its place."""

FOLDER = Path(__file__).parent
PAGE_FONT = FOLDER / "NotoSansSC-cut.woff2"  # embedded in every page
FIGURE_FONT = FOLDER / "NotoSansSC-cut.otf"  # the same glyphs, for matplotlib to measure
