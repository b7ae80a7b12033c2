"""Takes the pictures of reports and of the playground that the pages show: `python docs/screenshots.py`.

It needs Chromium, the extra `browser`, and for the playground what `just playground` builds. They
are looked at before they are committed; no test compares them.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Mapping
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
RULES: Final = ROOT / "examples" / "our-house.yaml"
VIEWS: Final[Mapping[str, tuple[str, Any, Any]]] = {
    "playground-log": ("log", DESK, "light"),
    "playground-log-dark": ("log", DESK, "dark"),
    "playground-log-phone": ("log", PHONE, "light"),
    "playground-move": ("move", PHONE, "light"),
    "playground-move-dark": ("move", PHONE, "dark"),
    "playground-table": ("table", PHONE, "light"),
    "playground-rules": ("rules", DESK, "light"),
}
"""For each picture of the playground the view, the screen, and light or dark; rules last, since they judge the others."""


def take_playground(browser: Any) -> None:
    """Takes the pictures of the playground, with an example in each view."""
    page = browser.new_page(reduced_motion="reduce")
    page.set_default_timeout(240_000)
    page.goto(PLAYGROUND.as_uri())
    page.wait_for_selector("body[data-ready]")
    for name, (view, screen, scheme) in VIEWS.items():
        page.set_viewport_size(screen)
        page.emulate_media(color_scheme=scheme)
        page.evaluate("scrollTo(0, 0)")
        page.click(f"#tab-{view}")
        EXAMPLES[view](page)
        page.screenshot(path=PICTURES / f"{name}.png")


def _show_log(page: Any) -> None:
    page.click("#log-example")
    page.wait_for_selector("#log-page:visible")
    page.frame_locator("#log-page").locator("#said").wait_for()
    page.wait_for_function(
        "() => !document.getElementById('log-verdict').textContent.includes('closer')"
    )


def _show_rules(page: Any) -> None:
    page.get_by_role("textbox", name="Rules", exact=True).fill(RULES.read_text(encoding="utf-8"))
    page.wait_for_selector("#rules-page:visible")
    page.frame_locator("#rules-page").locator("h1").wait_for()


def _show_move(page: Any) -> None:
    page.fill("#move", "take 4c; discard 9h")
    page.click("#move-judge")
    page.wait_for_selector("#move-why .heading")
    page.evaluate("scrollTo(0, document.getElementById('move-words').offsetTop - 60)")


def _show_table(page: Any) -> None:
    page.click("#table-new button")
    page.click("#table-show:visible")
    page.fill("#table-line", "draw")
    page.click("#table-say")
    page.wait_for_selector("#table-verdict.legal")
    page.evaluate("scrollTo(0, document.getElementById('table-play').offsetTop)")


EXAMPLES: Final = {
    "log": _show_log,
    "rules": _show_rules,
    "move": _show_move,
    "table": _show_table,
}
"""How each view of the playground gets an example."""


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
