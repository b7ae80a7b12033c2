"""The violations that are possible under a ruleset: a code whose rule it does not have is never found."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.rules import registry
from meldref.rules.pages import CODES, PAGES
from meldref.ruleset.model import Ruleset


def codes_under(ruleset: Ruleset) -> Iterator[str]:
    """The codes that play under a ruleset can lead to, in the order of the pages.

    Left out are those about how a log or a rules file is written, which no ruleset changes.
    """
    codes = registry.codes()
    for code in CODES:
        if code.startswith("rules.") or (code.startswith("log.") and not PAGES[code].keys):
            continue
        where = codes[code].where
        if where is None or where(ruleset):
            yield code
    for rule in ruleset.house_rules:
        if rule.forbid:
            yield f"house.{rule.name}"
