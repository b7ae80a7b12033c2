"""Visits to the page that `just playground` built: served as a host serves it, or as one file opened from a disk.

MELDREF_PLAYGROUND is the folder it was built into, or `build/playground`.
"""

from __future__ import annotations

import os
import threading
from contextlib import contextmanager
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import ClassVar

from paths import ROOT

SITE = Path(os.environ.get("MELDREF_PLAYGROUND") or ROOT / "build" / "playground")
AXE = os.environ.get("MELDREF_AXE")
PATIENCE = int(os.environ.get("MELDREF_PATIENCE", "240_000"))
"""How many milliseconds anything may take, on however slow a machine."""


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
def served(folder=SITE):
    """A folder at an address of its own."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(folder)))
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://localhost:{server.server_port}/"
    finally:
        server.shutdown()
        server.server_close()


class Visit:
    """A visit to the page, with what it complained about and whom it asked."""

    def __init__(self, browser, address, **settings):
        self.context = browser.new_context(**settings)
        self.context.set_default_timeout(PATIENCE)
        self.page = self.context.new_page()
        self.address, self.trouble, self.requests = address, [], []
        self.page.on(
            "console",
            lambda message: self.trouble.append(message.text) if message.type == "error" else None,
        )
        self.page.on("pageerror", lambda fault: self.trouble.append(str(fault)))
        self.context.on("request", lambda request: self.requests.append(request.url))

    def open(self, fragment="", *, ready=True):
        """Opens the page at a door; with `ready`, once the referee is there."""
        self.page.goto(self.address + fragment)
        if ready:
            self.page.wait_for_selector("html[data-referee=ready]")
        return self.page

    def door(self, word):
        """Opens a door by the first control whose name has a word, as a visitor would."""
        self.page.get_by_role("link", name=word).or_(
            self.page.get_by_role("button", name=word)
        ).first.click()

    def others_asked(self):
        """The addresses asked for that belong to another origin."""
        own = (self.address.rpartition("/")[0], "data:", "blob:", "about:")
        return [url for url in self.requests if not url.startswith(own)]

    def faults_of_access(self):
        """What axe finds on the page as it stands; it needs MELDREF_AXE, the script's path."""
        self.page.evaluate(Path(AXE).read_text(encoding="utf-8"))
        found = self.page.evaluate("async () => (await axe.run()).violations")
        return [(fault["id"], [node["html"][:120] for node in fault["nodes"]]) for fault in found]

    def too_small(self, least=44):
        """The controls in sight that a thumb would miss: links, buttons and fields below this size."""
        return self.page.evaluate(
            """least => [...document.querySelectorAll('button, a[href], input, select, summary')]
                .filter(node => node.checkVisibility() && !node.matches('.skip'))
                .map(node => [node.outerHTML.slice(0, 120), node.getBoundingClientRect()])
                .filter(([, { width, height }]) => width && (width < least - 0.5 || height < least - 0.5))
                .map(([html, { width, height }]) => `${html} ${width} x ${height}`)""",
            least,
        )

    def sideways(self):
        """By how many pixels the page scrolls sideways."""
        return self.page.evaluate("document.documentElement.scrollWidth - innerWidth")
