"""The page in a real browser: two widths, light and dark, both languages, and on paper."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import matplotlib.image
import numpy as np
import pytest

from reports import build
from reports.page import style, together
from tests.chromium import Browser, chromium
from tests.made_runs import made_run

pytestmark = pytest.mark.browser

NAMES = ["bold:limit=35", "steady", "calm_watcher:floor=3:limit=30", "steady"]
RUNS: dict[str, tuple[list[list[str]], list[tuple[str, dict[str, Any]]]]] = {
    "same": ([["steady"] * 3], [("default", {})]),
    "mixed": ([NAMES], [("default", {})]),
    "many": (
        [["steady"] * 3, ["bold", "calm", "steady"]],
        [("default", {}), ("30", {"limit": 30})],
    ),
}
LEAST_TEXT = 10  # px of the smallest letters

# Pairs of words in a figure that lie on each other, and the size of the smallest letters.
OVERLAPS = """[...document.querySelectorAll('svg.figure')].flatMap(figure => {
  const texts = [...figure.querySelectorAll('text')]
    .map(t => [t.textContent, t.getBoundingClientRect()]);
  return texts.flatMap(([a, p], i) => texts.slice(i + 1)
    .filter(([b, q]) => Math.min(p.right, q.right) - Math.max(p.left, q.left) > 1
                     && Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top) > 4)
    .map(([b, q]) => a + ' | ' + b));
})"""
OUTSIDE = """[...document.querySelectorAll('svg.figure')].flatMap(figure => {
  const box = figure.getBoundingClientRect();
  return [...figure.querySelectorAll('text')].filter(t => {
    const p = t.getBoundingClientRect();
    return p.left < box.left - 1 || p.right > box.right + 1 || p.top < box.top - 1;
  }).map(t => t.textContent);
})"""
SMALLEST = """Math.min(...[...document.querySelectorAll('svg.figure text')].map(t =>
  parseFloat(getComputedStyle(t).fontSize) * t.ownerSVGElement.getBoundingClientRect().width
  / t.ownerSVGElement.viewBox.baseVal.width))"""
BACKGROUND = "getComputedStyle(document.documentElement).backgroundColor"
FONT = "document.fonts.size === 1 && [...document.fonts][0].status === 'loaded'"


@pytest.fixture(scope="module")
def window(browser: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    with chromium(browser, tmp_path_factory.mktemp("profile")) as opened:
        yield opened


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> dict[tuple[str, str], Path]:
    """A page of every kind of run in both languages."""
    folder = tmp_path_factory.mktemp("pages")
    return {
        (name, lang): build.build(
            made_run(lineups, variants=variants, deals=2_000, strengths={"bold:limit=35": 0.4}),
            lang,
            folder / f"{name}-{lang}.html",
        )
        for name, (lineups, variants) in RUNS.items()
        for lang in ("en", "zh")
    }


def pixels(png: bytes) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    return matplotlib.image.imread(io.BytesIO(png), format="png")


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
@pytest.mark.parametrize("width", [375, 1280])
@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", RUNS)
def test_a_page_is_readable(
    window: Browser,
    pages: dict[tuple[str, str], Path],
    tmp_path: Path,
    name: str,
    lang: str,
    width: int,
    dark: bool,
) -> None:
    path = pages[name, lang]
    window.open(path, width, dark=dark)
    assert window.complaints == []
    assert window.requests == [path.resolve().as_uri()]
    assert not window.is_too_wide
    assert window.run(FONT)
    assert window.run(OVERLAPS) == []
    assert window.run(OUTSIDE) == []
    assert window.run(SMALLEST) >= LEAST_TEXT
    png = window.screenshot()
    (tmp_path / "page.png").write_bytes(png)
    seen = pixels(png)
    assert abs(seen.shape[1] - width) <= 20  # less a scroll bar
    paper = seen[5, 5, :3].mean()
    assert (paper < 0.2) if dark else (paper > 0.9)
    assert seen[:800].std() > 0.05  # something is written there


@pytest.mark.parametrize("lang", ["en", "zh"])
@pytest.mark.parametrize("name", RUNS)
def test_a_page_can_be_printed(
    window: Browser, pages: dict[tuple[str, str], Path], tmp_path: Path, name: str, lang: str
) -> None:
    window.open(pages[name, lang], 1280, dark=True)
    dark = {"name": "prefers-color-scheme", "value": "dark"}
    window.ask("Emulation.setEmulatedMedia", media="print", features=[dark])
    assert window.run(BACKGROUND) == "rgb(255, 255, 255)"
    window.ask("Emulation.setEmulatedMedia", media="", features=[dark])
    pdf = window.pdf()
    (tmp_path / "page.pdf").write_bytes(pdf)
    assert pdf.startswith(b"%PDF-")
    assert b"NotoSansSC" in pdf or b"FontFile" in pdf
    assert window.complaints == []


def test_the_checks_notice_a_bad_page(window: Browser, tmp_path: Path) -> None:
    bad = tmp_path / "bad.html"
    bad.write_text(
        "<div style='width: 3000px'>wide</div><svg class='figure' viewBox='0 0 100 20' width='100'>"
        "<text x='90' y='10' font-size='8'>long</text><text x='91' y='10'>on it</text></svg>"
        "<script>console.error('oh'); undefined.x</script><img src='missing.png'>",
        encoding="utf-8",
    )
    window.open(bad, 375)
    assert len(window.complaints) >= 2
    assert len(window.requests) == 2
    assert window.is_too_wide
    assert window.run(OVERLAPS) == ["long | on it"]
    assert window.run(OUTSIDE)
    assert window.run(SMALLEST) < LEAST_TEXT


def test_a_chinese_list_of_quoted_numbers_breaks_on_a_telephone(
    window: Browser, tmp_path: Path
) -> None:
    text = "、".join(f"“{first}、7、8”" for first in (1, 2, 3, 4, 5, 6))
    head = "<!DOCTYPE html><meta name='viewport' content='width=device-width'>"
    page = tmp_path / "list.html"
    sheet = f"<style>{style()}</style>"
    page.write_text(f"{head}{sheet}<ul><li lang='zh'>{together(text)}</ul>", encoding="utf-8")
    window.open(page, 375)
    assert not window.is_too_wide
    page.write_text(page.read_text(encoding="utf-8").replace("<wbr>", ""), encoding="utf-8")
    window.open(page, 375)
    assert window.is_too_wide  # and the check sees it, though `innerWidth` grows
