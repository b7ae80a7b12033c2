"""Takes the pictures of reports that the pages show: `python docs/screenshots.py`.

It needs Chromium and the extra `browser`. They are looked at before they are committed; no test compares them.
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
        browser.close()
    return 0


if __name__ == "__main__":
    sys.exit(main())
