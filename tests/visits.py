"""Visits to the playground: the site as a host serves it, and what a page complained about and whom it asked."""

from __future__ import annotations

import os
import re
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

from paths import ROOT

SITE = Path(os.environ.get("MELDREF_PLAYGROUND") or ROOT / "build" / "playground")
AXE = os.environ.get("MELDREF_AXE")
PATIENCE = 60_000
"""How many milliseconds anything may take, on however slow a machine."""
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
NOT_BUILT = "the playground is not built: just playground"


class Quiet(SimpleHTTPRequestHandler):
    """Serves the site, and says nothing."""

    extensions_map: ClassVar = {
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_):
        """Nothing is logged."""


@contextmanager
def served():
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(SITE)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Visit:
    """A visit to the playground by whoever sees it for the first time."""

    def __init__(self, browser, address, **settings):
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.address, self.trouble, self.requests = address, [], []
        self.taps = 0
        self.page.on("console", self._hear)
        self.page.on("pageerror", lambda fault: self.trouble.append(str(fault)))
        self.context.on("request", lambda request: self.requests.append(request.url))

    def _hear(self, message):
        if message.type == "error":
            self.trouble.append(message.text)

    def open(self, fragment="", *, ready=True, first=".hand button.card"):
        self.page.goto(self.address + fragment)
        self.page.locator(first).first.wait_for()
        if ready:
            self.page.wait_for_selector("html[data-referee=ready]")
        return self.page

    def open_without_referee(self):
        """Opens the page, to which nothing of Python comes."""
        self.context.route(re.compile(r"pyodide|snapshot|library|stdlib"), lambda route: None)
        return self.open(ready=False)

    def tap(self, locator):
        """Taps a control, and counts it."""
        self.taps += 1
        locator.first.click()

    def group(self, name):
        return self.page.get_by_role("group", name=re.compile(name, re.IGNORECASE))

    def card(self, place, name):
        """The button of a card at a place: the hand, the pile or the deck."""
        return self.group(place).get_by_role("button", name=name, exact=True)

    def says(self, beginning):
        """What the slip says, once it begins so."""
        said = self.page.locator("#allowed [role=status]").filter(
            has_text=re.compile(f"^{re.escape(beginning)}")
        )
        said.wait_for()
        return re.sub(r"\s+", " ", said.inner_text())

    def axe(self):
        """What axe finds in the page as it is shown once nothing fades or moves any more, and where."""
        self.page.evaluate(
            """() => Promise.allSettled(document.getAnimations()
                .filter((one) => Number.isFinite(one.effect.getComputedTiming().endTime))
                .map((one) => one.finished))"""
        )
        # The page's policy lets nobody add a script; axe is evaluated by the browser's own tools.
        if not self.page.evaluate("'axe' in window"):
            self.page.evaluate(Path(AXE).read_text(encoding="utf-8") + "\n;0")
        found = self.page.evaluate("axe.run(document).then(({violations}) => violations)")
        return [(one["id"], one["nodes"][0]["html"]) for one in found]

    def is_too_wide(self):
        """Whether something scrolls sideways."""
        return self.page.evaluate(
            "document.documentElement.scrollWidth > document.documentElement.clientWidth"
        )

    def small_targets(self):
        """The controls in sight that a thumb misses: less than 44 pixels high."""
        return self.page.evaluate(
            """() => [...document.querySelectorAll("button, a[href], input")]
                .filter((one) => one.checkVisibility() && !one.matches(".skip"))
                .filter((one) => one.getBoundingClientRect().height < 43.5)
                .map((one) => one.outerHTML.slice(0, 120))"""
        )

    def faults(self, *, by_thumb, by_axe=True):
        """What is wrong with how the page is shown now, for those who touch it, and for those who do not see it."""
        wide = ["scrolls sideways"] if self.is_too_wide() else []
        return [
            *wide,
            *(self.small_targets() if by_thumb else []),
            *(self.axe() if AXE and by_axe else []),
        ]

    def forget(self):
        """Leaves the page, and forgets what it keeps on the device."""
        if self.page.url.startswith(self.address):
            self.page.evaluate("localStorage.clear()")
        self.page.goto("about:blank")

    def others_asked(self):
        """The addresses asked for that belong to another origin."""
        own = (self.address.rpartition("/")[0], "data:", "blob:", "about:")
        return [url for url in self.requests if not url.startswith(own)]

    def close(self):
        """Ends the visit, about which nothing may have complained."""
        self.context.close()
        assert self.trouble == [], self.trouble
        assert self.others_asked() == []


def at_the_example(visit):
    """A shared visit, for one test: at the example again, with nothing kept, and without trouble in the end."""
    visit.forget()
    visit.open()
    visit.taps = 0
    yield visit
    assert visit.trouble == [], visit.trouble
