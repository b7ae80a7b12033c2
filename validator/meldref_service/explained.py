"""Questions about what rules say and mean: codes, keys, and rules in words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from meldref.core.diagnostics import Origin
from meldref.documents.reader import Value
from meldref.report.text import place_data
from meldref.rulefiles.files import BASE
from meldref.rulefiles.merge import is_within
from meldref.rulefiles.vocabulary import Key, list_keys
from meldref.rules.pages import PAGES
from meldref.ruleset.model import Ruleset
from meldref_authoring.cookbook import search
from meldref_authoring.explaining import explain_key, find_key
from meldref_authoring.report.explained import explained_data, house_rule_data
from meldref_authoring.rulebook import as_html, block_html, make_rulebook, origins_in
from meldref_authoring.rulebook.model import (
    Block,
    Items,
    Paragraph,
    Rulebook,
    RulebookTable,
    keys_of,
)
from meldref_authoring.rulefiles.show import merged_values
from meldref_authoring.rulefiles.trace import trace
from meldref_service.given import RULES, GivenRules, Rules
from meldref_service.session import Session
from meldref_service.told import Answer, unusable
from meldref_table.report.page import page_data

_ENDS: Final = re.compile(r"(?<=[.!?:]) ")
"""Where a sentence ends and another one begins."""


def explain(session: Session, *, about: str, rules: GivenRules = "", folder: str = "") -> Answer:
    """What a code, a house rule or a key means; else what is found by these words."""
    asked = Rules.of(rules, folder)
    wanted = about.strip().strip("[].:").lower()
    if wanted in PAGES:
        return {"sort": "code", **page_data(PAGES[wanted])}
    ruleset, findings = asked.load()
    if ruleset is None:
        return {"sort": "nothing", **unusable(findings, RULES)}
    family, _, name = wanted.partition(".")
    for rule in ruleset.house_rules:
        if family == "house" and rule.name.lower() == name:
            return {"sort": "house rule", **house_rule_data(ruleset, rule)}
    key = find_key(wanted)
    if key is not None:
        sources = trace(asked.name or BASE, asked.options, asked.settings, asked.folder)
        return {"sort": "key", **explained_data(explain_key(key, ruleset, sources))}
    codes = [
        {"code": code, "title": page.title}
        for code, page in PAGES.items()
        if code.startswith(f"{wanted}.")
    ]
    if codes:
        return {"sort": "codes", "codes": codes}
    hits = [{"sort": hit.sort, "name": hit.name, "says": hit.text} for hit in search(about)]
    return {"sort": "found" if hits else "nothing", "found": hits}


def keys(session: Session, *, rules: GivenRules = "", folder: str = "") -> Answer:
    """Every key that rules can set: its group, what it takes and means, its value here, and who set it."""
    ruleset, findings = Rules.of(rules, folder).load()
    if ruleset is None:
        return unusable(findings, RULES)
    values = [*merged_values(ruleset)]
    said = _sentences(make_rulebook(ruleset, examples=False))
    groups: list[Answer] = []
    listed: list[Answer] = []
    for key in list_keys():
        if key.section:
            groups.append({"group": key.path, "text": key.text})
            continue
        sentences = said.get(key.path, [])
        listed.append({**told_key(key), **_value(key.path, values), "sentences": sentences})
    return {"verdict": "clean", "findings": [], "groups": groups, "keys": listed}


def _value(key: str, values: Sequence[tuple[str, Value, Origin | None]]) -> Answer:
    """The value of a key, a table entry by entry, and who set it, if that is one line."""
    entries: Answer = {}
    origins: list[Origin | None] = []
    for path, value, origin in values:
        if path == key:
            return {"value": value, **place_data(origin)}
        if is_within(path, key):
            inner = entries
            *names, last = path.removeprefix(f"{key}.").split(".")
            for name in names:
                inner = inner.setdefault(name, {})
            inner[last] = value
            origins.append(origin)
    together = origins[0] if len({*origins}) == 1 else None
    return {"value": entries or None, **place_data(together)}


def told_key(key: Key) -> Answer:
    """What the schema says of a key."""
    return {
        "key": key.path,
        "group": key.path.rpartition(".")[0],
        "means": key.text,
        "takes": key.takes,
        "words": [{"word": word.value, "means": word.text} for word in key.words],
        "default": key.default,
        "examples": list(key.examples),
        "least": key.least,
        "most": key.most,
    }


def _sentences(book: Rulebook) -> dict[str, list[str]]:
    """The sentences of a rulebook by the keys that they come from."""
    said: dict[str, list[str]] = {}
    for section in book.sections:
        for block in section.blocks:
            for keys, text in _texts(block):
                for key in keys:
                    said.setdefault(key, []).append(text)
    return said


def _texts(block: Block) -> Iterator[tuple[tuple[str, ...], str]]:
    """The sentences of a block, each with its keys."""
    match block:
        case Paragraph(sentences) | Items(sentences):
            for sentence in sentences:
                term = f"{sentence.term}: " if sentence.term else ""
                yield sentence.keys, f"{term}{sentence.text}"


def _pieces(block: Block) -> Iterator[str]:
    """The sentences of a block, one by one, without the terms before them; rows of a table cell by cell."""
    match block:
        case Paragraph(sentences) | Items(sentences):
            for sentence in sentences:
                yield from _ENDS.split(" ".join(sentence.text.split()))
        case RulebookTable(_, rows):
            for row in rows:
                yield " ".join(row.cells)


def rulebook(
    session: Session,
    *,
    rules: GivenRules,
    against: GivenRules = BASE,
    folder: str = "",
) -> Answer:
    """The rules in words: a page, and its blocks, those marked that others do not have."""
    asked, others = Rules.of(rules, folder), Rules.of(against, folder)
    ruleset, findings = asked.load()
    other, missing = others.load()
    if ruleset is None or other is None:
        return unusable((*findings, *missing), RULES)
    book = session.rulebook(ruleset, asked)
    return {
        "verdict": "clean",
        "findings": [],
        "title": book.title,
        "page": as_html(book, origins_in(ruleset)),
        "sections": [*_sections(book, ruleset, session.rulebook(other, others))],
    }


def _sections(book: Rulebook, ruleset: Ruleset, other: Rulebook) -> Iterator[Answer]:
    """The sections of a rulebook, each block with its keys, and whether the other book has it."""
    origins = origins_in(ruleset)
    there = {block_html(block) for section in other.sections for block in section.blocks}
    sentences = {
        text for section in other.sections for block in section.blocks for text in _pieces(block)
    }
    for section in book.sections:
        blocks: list[Answer] = []
        for block in section.blocks:
            html, keys = block_html(block), keys_of(block)
            blocks.append(
                {
                    "html": html,
                    "keys": list(keys),
                    "set_by": [{"says": says, "where": where} for says, where in origins(keys)],
                    "changed": html not in there,
                    "new": [text for text in _pieces(block) if text not in sentences],
                }
            )
        anchor = "-".join(re.findall("[a-z]+", section.title.lower()))
        yield {"title": section.title, "anchor": anchor, "blocks": blocks}
