"""The permanent addresses of codes and keys: what there ever was, and a page on the site that leads to what it is now.

`code/draw.deep.unused.html` leads to the code's place, and so does `key/draw.deep.must.html`. Where
one is retired, its page says since when, and what to use instead; `retired.yaml` knows that.
"""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from meldref.documents.reader import read_yaml
from meldref.rulefiles.vocabulary import list_keys
from meldref.rules.pages import PAGES
from places import DOCS, KEYS_HUB, code_page, page_in, section

LISTED: Final = DOCS / "addresses.txt"
RETIRED: Final = DOCS / "retired.yaml"


def current() -> dict[str, str]:
    """Each address of now, without `.html`, and where it leads on the site."""
    found = {f"code/{code}": _place(code_page(code), code) for code in PAGES}
    for key in list_keys():
        found[f"key/{key.path}"] = _place(page_in(KEYS_HUB, section(key.path)), key.path)
    return found


def _place(page: Path, heading: str) -> str:
    """A heading of a page, by the name that Docutils gives it."""
    name = re.sub("[^a-z0-9]+", "-", heading.lower()).strip("-")
    return f"{page.relative_to(DOCS).with_suffix('.html').as_posix()}#{name}"


def listed() -> str:
    """All addresses that there are and ever were: those that stand in the list stay there."""
    before = LISTED.read_text(encoding="utf-8").split() if LISTED.exists() else []
    return "\n".join(sorted({*before, *current()})) + "\n"


def retired() -> dict[str, Mapping[str, Any]]:
    """Each address that is no more, with `since` and, if there is anything, `instead` or `because`."""
    document, wrong = read_yaml(RETIRED.read_bytes(), RETIRED.name)
    if document is None:
        raise SystemExit(str(wrong))
    rows: dict[str, Mapping[str, Any]] = {}
    for kind, table in document.value.items() if isinstance(document.value, dict) else ():
        for name, row in table.items() if isinstance(table, dict) else ():
            rows[f"{kind.removesuffix('s')}/{name}"] = row if isinstance(row, dict) else {}
    return rows


def write_pages(site: Path) -> None:
    """A page for each address, in a site that is built."""
    for address, place in current().items():
        _write(site / f"{address}.html", f"../{place}", f"{address.partition('/')[2]} is here")
    for address, row in retired().items():
        kind, _, name = address.partition("/")
        instead = row.get("instead")
        place = f"{instead}.html" if instead else f"../{kind}s.html"
        why = f"use {instead}" if instead else str(row.get("because", "nothing took its place"))
        says = f"{name} is no more since {row['since']}: {why}"
        _write(site / f"{address}.html", place, says, wait=8)


def _write(page: Path, place: str, says: str, wait: int = 0) -> None:
    page.parent.mkdir(parents=True, exist_ok=True)
    text = f'<a href="{html.escape(place)}">{html.escape(says)}</a>'
    page.write_text(
        f'<!DOCTYPE html>\n<meta charset="utf-8">\n<title>{html.escape(says)}</title>\n'
        f'<meta http-equiv="refresh" content="{wait}; url={html.escape(place)}">\n<p>{text}</p>\n',
        encoding="utf-8",
    )
