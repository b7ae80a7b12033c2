"""Where the pages of reference are: a hub for each subject, a page for each family, and the links between them."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path
from typing import Final

from blocks import ROOT
from meldref.rulefiles.vocabulary import list_keys
from meldref.rules.pages import PAGES
from meldref_authoring.explaining import read_clauses, read_sources

DOCS: Final = ROOT / "docs"
MADE: Final = "<!-- Written by docs/generate.py: change what it is made from, not this page. -->"

CODES_HUB: Final = DOCS / "codes.md"
GALLERY_HUB: Final = DOCS / "errors.md"
BROKEN_HUB: Final = DOCS / "broken-rules.md"
KEYS_HUB: Final = DOCS / "keys.md"
CLAUSES_HUB: Final = DOCS / "traceability.md"

_FILE: Final = "file"
"""The page of the keys that stand at the top of a rules file and say what it is."""
_CASES: Final = "cases"


def page_in(hub: Path, name: str) -> Path:
    """The page of one family, in a folder named like the hub."""
    return hub.with_suffix("") / f"{name}.md"


def family(code: str) -> str:
    """What stands before the first dot of a code."""
    return code.partition(".")[0]


def code_page(code: str) -> Path:
    """Where a code is explained."""
    return page_in(CODES_HUB, family(code))


def gallery_page(code: str) -> Path:
    """Where a code's message is shown."""
    return page_in(GALLERY_HUB, family(code))


def broken_page(code: str) -> Path:
    """Where broken rules files with a code are shown."""
    return page_in(BROKEN_HUB, code.partition(".")[2])


def section(path: str) -> str:
    """The page of a key: its section, the one about the file, or the one about cases."""
    first = path.partition(".")[0]
    return first if first in {_CASES, *sections()} else _FILE


@cache
def sections() -> tuple[str, ...]:
    """The sections of a ruleset that have keys in them, those of the game; `cases` is not one of them."""
    dotted = dict.fromkeys(key.path.partition(".")[0] for key in list_keys() if "." in key.path)
    return tuple(name for name in dotted if name != _CASES)


def key_pages() -> tuple[str, ...]:
    """The pages of keys: what the file says of itself, the game's sections, and cases last."""
    return (_FILE, *sections(), _CASES)


def clause_family(clause: str) -> str:
    """`P-DRAW` of `P-DRAW-05`: the part of a source that a statement belongs to."""
    return clause.rpartition("-")[0]


@cache
def _source_names() -> dict[str, str]:
    """The name of each source's page, by the source's number: the letter that its statements begin with.

    Sources can share a letter; from the second on, the page has a number behind it.
    """
    letters = {clause.source: clause.id.partition("-")[0].lower() for clause in read_clauses()}
    sharing: dict[str, list[str]] = {}
    for source in read_sources():
        sharing.setdefault(letters[source.number], []).append(source.number)
    return {
        number: letter if place == 1 else f"{letter}-{place}"
        for letter, numbers in sharing.items()
        for place, number in enumerate(numbers, start=1)
    }


def source_page(number: str) -> Path:
    """Where the statements of a source are listed."""
    return page_in(CLAUSES_HUB, _source_names()[number])


def link(text: str, page: Path, heading: str, origin: Path) -> str:
    """A link from one page to a heading of another."""
    target = os.path.relpath(page, origin.parent)
    return f"[{text}]({target}#{anchor(heading)})" if heading else f"[{text}]({target})"


def to_code(code: str, origin: Path) -> str:
    """A link to what a code means; the code alone where it has no page."""
    return link(f"`{code}`", code_page(code), code, origin) if code in PAGES else f"`{code}`"


def to_key(path: str, origin: Path) -> str:
    """A link to a key; the key alone where it has no place of its own."""
    if path not in _documented():
        return f"`{path}`"
    return link(f"`{path}`", page_in(KEYS_HUB, section(path)), path, origin)


def to_clause(clause: str, origin: Path) -> str:
    """A link to the statements of a source among which one stands; its number alone where it is not listed."""
    number = _numbers().get(clause)
    return (
        clause
        if number is None
        else link(clause, source_page(number), clause_family(clause), origin)
    )


@cache
def _documented() -> frozenset[str]:
    return frozenset(key.path for key in list_keys())


@cache
def _numbers() -> dict[str, str]:
    return {clause.id: clause.source for clause in read_clauses()}


def anchor(heading: str) -> str:
    """The anchor of a heading, as Markdown sites make it."""
    return "".join(sign for sign in heading.lower() if sign.isalnum() or sign in " -_").replace(
        " ", "-"
    )


def hub(title: str, introduction: str, table: list[str], pages: list[Path], path: Path) -> str:
    """A hub: what it is about, a summary, and its pages for the site's contents."""
    tree = "\n".join(os.path.relpath(page.with_suffix(""), path.parent) for page in pages)
    contents = f"```{{toctree}}\n:hidden:\n\n{tree}\n```"
    return "\n\n".join([MADE, f"# {title}", introduction, "\n".join(table), contents]) + "\n"


def cell(text: str) -> str:
    """Text that can stand in a table."""
    return " ".join(text.split()).replace("|", "\\|")


def capital(text: str) -> str:
    """A text with its first letter as at the beginning of a sentence."""
    return text[:1].upper() + text[1:]
