"""What a code means and why there is such a rule, with examples, as text and as JSON."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator
from typing import Final

from meldref.report.json import facts
from meldref.report.style import WIDE, wrapped
from meldref.rules.page import Example, Page

_IN_EXAMPLES: Final = ("rules", "given", "moves", "options", "settings")


def page_text(page: Page, usual: str, *, width: int = WIDE) -> Iterator[str]:
    """The page of a code; `usual` is the ruleset that its examples need not name.

    `width` is how long lines of prose are.
    """
    yield f"{page.code}: {page.title}"
    yield ""
    yield from wrapped(page.means, width=width)
    yield ""
    yield from wrapped("Why: " + page.why, width=width)
    if page.keys or page.clauses:
        yield ""
    for word, governing in (("Keys of a ruleset", page.keys), ("Clauses", page.clauses)):
        if governing:
            yield from wrapped(f"{word}: {', '.join(governing)}", width=width)
    for word, example in (("Illegal", page.illegal), ("Legal", page.legal)):
        yield ""
        yield f"{word}:"
        yield from _example(example, usual)


def _example(example: Example, usual: str) -> Iterator[str]:
    if example.rules != usual:
        yield f"    rules: {example.rules}"
    if example.options:
        yield f"    with: {', '.join(example.options)}"
    if example.settings:
        yield f"    set: {', '.join(example.settings)}"
    for line in textwrap.dedent(example.given).strip("\n").splitlines():
        yield f"    {line}".rstrip()
    for move in example.moves:
        yield f"    > {move}"


def page_data(page: Page) -> dict[str, object]:
    """Data for programs."""
    return {
        **facts(page, "code", "title", "means", "why", "keys", "clauses"),
        "illegal": facts(page.illegal, *_IN_EXAMPLES),
        "legal": facts(page.legal, *_IN_EXAMPLES),
    }
