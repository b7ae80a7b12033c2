"""The pages of a ruleset's keys, from the schema: one for each section, those of the game before those of cases.

`python docs/generate.py keys` writes them.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

from meldref.rulefiles.vocabulary import Key, list_keys, schema
from meldref.rules.pages import PAGES
from meldref_authoring.explaining import clauses_of
from places import KEYS_HUB, MADE, cell, hub, key_pages, link, page_in, section, to_clause, to_code

_TITLES: Final = {"file": "What the file says of itself", "cases": "cases: the ruleset's own tests"}
_PLAIN: Final = {"one of these words", "a list of these words", "a list", "keys and values", "text"}
"""What a key takes that its words or examples show as well."""


def pages() -> dict[Path, str]:
    """The hub, and a page for each section."""
    by_page: dict[str, list[Key]] = {name: [] for name in key_pages()}
    for key in list_keys():
        by_page[section(key.path)].append(key)
    made: dict[Path, str] = {}
    table = ["| key | what it says |", "|---|---|"]
    for name, keys in by_page.items():
        page = page_in(KEYS_HUB, name)
        parts = [MADE, f"# Keys: {_TITLES.get(name, name)}"]
        parts.append(
            "\n".join(
                ["| key | what it says |", "|---|---|", *(_row(key, page, page) for key in keys)]
            )
        )
        for key in keys:
            parts += [f"## {key.path}", _key(key, page)]
        made[page] = "\n\n".join(parts) + "\n"
        table += [_row(key, page, KEYS_HUB) for key in keys]
    introduction = str(schema()["description"])
    return {KEYS_HUB: hub("Keys of a ruleset", introduction, table, list(made), KEYS_HUB), **made}


def _row(key: Key, page: Path, origin: Path) -> str:
    first, dot, _ = key.text.partition(". ")
    return f"| {link(f'`{key.path}`', page, key.path, origin)} | {cell(first + dot.strip())} |"


def _key(key: Key, page: Path) -> str:
    """What a key means, what it takes, what it is where nobody says, and what leads here."""
    facts = [f"- `{word.value}`: {word.text}" for word in key.words]
    if key.takes not in _PLAIN:
        facts.insert(0, f"- Takes {key.takes}.")
    if key.entries:
        facts.append(f"- Names in it: {key.entries}")
    if key.default is not None:
        facts.append(f"- Left out: `{_flow(key.default)}`")
    facts += [f"- For example: `{_flow(example)}`" for example in key.examples[:2]]
    facts += _related(key, page)
    return f"{key.text}\n\n" + "\n".join(facts) if facts else key.text


def _related(key: Key, page: Path) -> Iterator[str]:
    """The codes and the statements of the rules that have to do with a key; for a section, its keys say so."""
    codes = _codes().get(key.path, [])
    if codes:
        yield f"- Violations: {', '.join(to_code(code, page) for code in codes)}"
    clauses = [] if key.section else [clause.id for clause in clauses_of(key.path)]
    if clauses:
        yield f"- Statements of the rules: {', '.join(to_clause(clause, page) for clause in clauses)}"


@cache
def _codes() -> dict[str, list[str]]:
    """The codes whose pages name each key."""
    found: dict[str, list[str]] = {}
    for code in PAGES:
        for key in PAGES[code].keys:
            found.setdefault(key, []).append(code)
    return found


def _flow(value: object) -> str:
    """A value on one line, as YAML writes it."""
    if isinstance(value, dict):
        return "{" + ", ".join(f"{key}: {_flow(inner)}" for key, inner in value.items()) + "}"
    if isinstance(value, list):
        return "[" + ", ".join(map(_flow, value)) + "]"
    return str(value)
