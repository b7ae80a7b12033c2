"""A real browser for these tests, one for all that a process runs: Debian's Chromium, driven by Playwright.

Without `chromium` on the PATH (or in MELDREF_CHROMIUM), or without the extra `browser`, they are
skipped.
"""

from __future__ import annotations

import os
import shutil

import pytest

from visits import NOT_BUILT, SITE, served


@pytest.fixture(scope="session")
def playwright():
    sync_api = pytest.importorskip(
        "playwright.sync_api", reason="the extra `browser` is not installed"
    )
    with sync_api.sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright):
    chromium = os.environ.get("MELDREF_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        pytest.skip("no chromium, neither in MELDREF_CHROMIUM nor on the PATH")
    running = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
    yield running
    running.close()


@pytest.fixture(scope="session")
def firefox(playwright):
    path = os.environ.get("MELDREF_FIREFOX") or shutil.which("firefox-esr")
    if path is None:
        pytest.skip("no firefox-esr, neither in MELDREF_FIREFOX nor on the PATH")
    running = playwright.firefox.launch(channel="moz-firefox", executable_path=path)
    yield running
    running.close()


@pytest.fixture(scope="session")
def site():
    """The address of the playground, which `just playground` builds, or MELDREF_PLAYGROUND is the folder of."""
    if not (SITE / "index.html").exists():
        pytest.skip(NOT_BUILT)
    with served() as address:
        yield address


@pytest.fixture
def idle():
    """Skips a test that times something while the machine is busy; what it gives asks again."""

    def skip_if_busy():
        if os.getloadavg()[0] > 2 * (os.cpu_count() or 1):
            pytest.skip("the machine is busy with something else, so nothing can be timed")

    skip_if_busy()
    return skip_if_busy
