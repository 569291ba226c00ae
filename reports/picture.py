"""One figure of a run as a picture of its own, for a README or a slide.

Usage: python -m reports.picture RUN_FOLDER FILE.svg [EXHIBIT] [LANG]

EXHIBIT is the id of an exhibit on the page, by default the score of the first cell.
"""

from __future__ import annotations

import sys
from pathlib import Path

from reports.build import page
from reports.theme import outlines, standalone
from sim.results import Run


def picture(run: Run, exhibit: str = "run-score", lang: str = "en") -> str:
    """The figure of an exhibit as SVG text, letters drawn as shapes."""
    with outlines():
        shown = page(run, lang)
    figures = {
        found.id: found.figure
        for section in shown.sections
        for found in section.exhibits
        if found.figure
    }
    if exhibit not in figures:
        raise SystemExit(f"unknown exhibit {exhibit!r}; allowed: {', '.join(figures)}")
    return standalone(figures[exhibit])


def main() -> None:
    """Write the picture that the command line asks for."""
    from sim.store import open_run

    if not 3 <= len(sys.argv) <= 5:
        raise SystemExit(__doc__)
    folder, file, *choice = sys.argv[1:]
    Path(file).write_text(picture(open_run(Path(folder)), *choice), encoding="utf-8")


if __name__ == "__main__":
    main()
