"""Takes the pictures of reports and of the playground that the pages show: `python docs/screenshots.py`.

It needs Chromium, the extra `browser`, and for the playground what `just playground` builds. They
are looked at before they are committed; no test compares them.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from meldref_cli.main import main as main_of_program

DOCS: Final = Path(__file__).resolve().parent
ROOT: Final = DOCS.parent
PICTURES: Final = DOCS / "pictures"
DESK: Final = {"width": 1180, "height": 760}
PHONE: Final = {"width": 390, "height": 844}
SHOTS: Final[Mapping[str, tuple[str, str, Any, Any]]] = {
    "report-game": ("evening.rgn", "#log=1&hand=3&turn=18", DESK, "light"),
    "report-findings": ("disputed.rgn", "#log=1&hand=1&turn=3", DESK, "light"),
    "report-dark": ("500-rum.rgn", "#log=1&hand=1&turn=25", DESK, "dark"),
    "report-phone": ("evening.rgn", "#log=1&hand=2&turn=14", PHONE, "light"),
}
"""For each picture the log, the place in it, the screen, and light or dark."""


PLAYGROUND: Final = ROOT / "build" / "playground" / "playground.html"
SIDEWAYS: Final = {"width": 844, "height": 390}


def take_playground(browser: Any) -> None:
    """Takes the pictures of the playground, with an example behind each door."""
    page = browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(240_000)
    page.goto(PLAYGROUND.as_uri())
    page.wait_for_selector("html[data-referee=ready]")
    for name, (show, screen, scheme) in VIEWS.items():
        page.set_viewport_size(screen)
        page.emulate_media(color_scheme=scheme)
        page.evaluate("scrollTo(0, 0)")
        show(page)
        page.wait_for_timeout(1_000)
        page.screenshot(path=PICTURES / f"{name}.png")


def _ask(page: Any, card: str, answer: str) -> None:
    page.get_by_role("link", name="Is this allowed?").click()
    page.locator(".pile").get_by_role("button", name=card, exact=True).click()
    page.locator("#allowed [role=status]", has_text=answer).wait_for()


def _show_yes(page: Any) -> None:
    _ask(page, "4 of clubs", "Yes")


def _show_no(page: Any) -> None:
    _ask(page, "6 of spades", "No")


def _show_own(page: Any) -> None:
    page.get_by_role("button", name="Lay out your own").click()
    for card in ("4 of diamonds", "4 of hearts", "9 of hearts", "king of spades"):
        page.locator(".deck").get_by_role("button", name=card, exact=True).click()


def _leave_own(page: Any) -> None:
    page.get_by_role("button", name="The example").click()
    _show_yes(page)


def _show_log(page: Any) -> None:
    page.get_by_role("link", name="Check a log").click()
    page.locator("#log", has_text="draw.deep.unused").wait_for()


def _show_rules(page: Any) -> None:
    page.get_by_role("link", name="Our rules").click()
    page.locator("#booklet", has_text="pile").wait_for()


VIEWS: Final[Mapping[str, tuple[Callable[[Any], None], Any, Any]]] = {
    "playground-table": (_show_yes, DESK, "light"),
    "playground-phone": (_show_no, PHONE, "light"),
    "playground-own": (_show_own, PHONE, "light"),
    "playground-dark": (_leave_own, SIDEWAYS, "dark"),
    "playground-log": (_show_log, DESK, "light"),
    "playground-rules": (_show_rules, DESK, "light"),
}
"""For each picture of the playground what is done first, the screen, and light or dark."""


def main() -> int:
    """Takes every picture."""
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  an extra

    chromium = os.environ.get("MELDREF_CHROMIUM") or shutil.which("chromium")
    PICTURES.mkdir(exist_ok=True)
    os.chdir(ROOT)
    with TemporaryDirectory() as folder, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for name, (log, place, screen, scheme) in SHOTS.items():
            page = Path(folder, f"{name}.html")
            main_of_program(["report", f"examples/{log}", "-o", str(page), "--quiet"])
            looked = browser.new_page(viewport=screen, color_scheme=scheme, reduced_motion="reduce")
            looked.goto(f"{page.as_uri()}{place}")
            looked.screenshot(path=PICTURES / f"{name}.png")
        if PLAYGROUND.exists():
            take_playground(browser)
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
