"""What a page of `explain` is made of; without imports, so that a page is read at no cost."""

from __future__ import annotations

from meldref.core.records import record


@record
class Example:
    """A position and a turn for a page, in the words of a case file.

    `given` is a position in YAML; where `moves` is empty, a whole log, or a rules file on the pages of `rules`.
    `options` and `settings` go over `rules`.
    """

    given: str
    moves: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    rules: str = "500-rummy"


@record
class Page:
    """What `explain CODE` prints: what the code means, why the rule exists, what governs it, and examples."""

    code: str
    title: str
    means: str
    why: str
    keys: tuple[str, ...]
    clauses: tuple[str, ...]
    illegal: Example
    legal: Example
