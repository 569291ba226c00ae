"""A headless Chromium on a pipe: opens a page, measures it, takes its picture, prints it."""

from __future__ import annotations

import base64
import json
import os
import select
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--disable-dev-shm-usage",
    "--remote-debugging-pipe",
)
START = """
import fcntl, os, sys
ends = [fcntl.fcntl(int(end), fcntl.F_DUPFD, 10) for end in sys.argv[1:3]]
os.dup2(ends[0], 3)  # the browser reads here
os.dup2(ends[1], 4)  # and writes here
os.execv(sys.argv[3], sys.argv[3:])
"""
PATIENCE = 60  # seconds for any answer
TROUBLE = ("error", "warning", "assert")


@dataclass
class Browser:
    """The commands of the DevTools protocol that our tests need."""

    to: int  # file descriptors of the pipe
    back: int
    session: str = ""
    number: int = 0
    width: int = 0  # CSS pixels that were asked for
    waiting: bytes = b""
    events: list[dict[str, Any]] = field(default_factory=list)

    def ask(self, method: str, **parameters: Any) -> dict[str, Any]:
        """Send a command and return its result; what happens meanwhile goes to `events`."""
        self.number += 1
        message = {"id": self.number, "method": method, "params": parameters}
        if self.session:
            message["sessionId"] = self.session
        os.write(self.to, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self.number:
            self.events.append(answer)
        assert "error" not in answer, f"{method}: {answer['error']['message']}"
        result = answer["result"]
        assert isinstance(result, dict)
        return result

    def open(self, path: Path, width: int, *, dark: bool = False) -> None:
        """Show a page at a width in CSS pixels, and wait until it is whole."""
        self.events.clear()
        self.width = width
        self.ask(
            "Emulation.setDeviceMetricsOverride",
            width=width,
            height=800,
            deviceScaleFactor=1,
            mobile=width < 600,
        )
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        self.ask("Emulation.setEmulatedMedia", features=[scheme])
        self.ask("Page.navigate", url=path.resolve().as_uri())
        while not any(event.get("method") == "Page.loadEventFired" for event in self.events):
            self.events.append(self._next())
        self.run("document.fonts.ready.then(() => true)")

    def run(self, script: str) -> Any:
        """Value of a JavaScript expression in the page."""
        answer = self.ask(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    @property
    def is_too_wide(self) -> bool:
        """Whether the page is wider than asked; a telephone's `innerWidth` grows with it."""
        return bool(self.run("document.documentElement.scrollWidth") > self.width)

    def screenshot(self, first: int = 0, height: int | None = None) -> bytes:
        """PNG of the page from `first` px on, by default all of it."""
        size = self.ask("Page.getLayoutMetrics")["cssContentSize"]
        clip = {
            "x": 0,
            "y": first,
            "width": size["width"],
            "height": height or size["height"] - first,
            "scale": 1,
        }
        shot = self.ask("Page.captureScreenshot", clip=clip, captureBeyondViewport=True)
        return base64.b64decode(shot["data"])

    def pdf(self) -> bytes:
        """The page as it is printed on A4."""
        paper = {"paperWidth": 8.27, "paperHeight": 11.69, "preferCSSPageSize": True}
        return base64.b64decode(self.ask("Page.printToPDF", **paper)["data"])

    @property
    def complaints(self) -> list[str]:
        """What the console said, exceptions included, since the page was opened."""
        found = []
        for event in self.events:
            match event.get("method"), event.get("params", {}):
                case "Log.entryAdded", {"entry": entry} if entry["level"] in TROUBLE:
                    found.append(entry["text"])
                case "Runtime.consoleAPICalled", said if said["type"] in TROUBLE:
                    found.append(str(said["args"]))
                case "Runtime.exceptionThrown", thrown:
                    found.append(str(thrown["exceptionDetails"]["text"]))
        return found

    @property
    def requests(self) -> list[str]:
        """Every address that the page asked for, what it carries inside left out."""
        urls = [
            event["params"]["request"]["url"]
            for event in self.events
            if event.get("method") == "Network.requestWillBeSent"
        ]
        return [url for url in urls if not url.startswith("data:")]

    def _next(self) -> dict[str, Any]:
        """The next message of the browser."""
        end = time.monotonic() + PATIENCE
        while b"\0" not in self.waiting:
            ready, _, _ = select.select([self.back], [], [], max(0.0, end - time.monotonic()))
            assert ready, "the browser does not answer"
            part = os.read(self.back, 1 << 20)
            assert part, "the browser has gone"
            self.waiting += part
        message, _, self.waiting = self.waiting.partition(b"\0")
        found = json.loads(message)
        assert isinstance(found, dict)
        return found


@contextmanager
def chromium(program: str, profile: Path) -> Iterator[Browser]:
    """Start a browser with one empty page; `profile` is a new folder for its own files."""
    to_read, to_write = os.pipe()
    back_read, back_write = os.pipe()
    starter = [sys.executable, "-c", START, str(to_read), str(back_write)]
    process = subprocess.Popen(
        [*starter, program, *FLAGS, f"--user-data-dir={profile}", "about:blank"],
        pass_fds=(to_read, back_write),
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    os.close(to_read)
    os.close(back_write)
    browser = Browser(to_write, back_read)
    try:
        target = browser.ask("Target.createTarget", url="about:blank")["targetId"]
        session = browser.ask("Target.attachToTarget", targetId=target, flatten=True)
        browser.session = session["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            browser.ask(f"{domain}.enable")
        yield browser
        browser.session = ""
        browser.ask("Browser.close")
    finally:
        os.close(to_write)
        os.close(back_read)
        try:
            process.wait(10)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
