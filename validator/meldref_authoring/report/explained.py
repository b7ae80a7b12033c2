"""Keys explained, as text and as JSON: meaning, value, who set it, and clauses."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from meldref.conditions.check import facts_named_in
from meldref.conditions.types import Sort
from meldref.core.diagnostics import Origin
from meldref.core.text import name_of_file
from meldref.documents.reader import Value
from meldref.report.json import facts
from meldref.report.style import WIDE, in_columns, wrapped
from meldref.report.text import place_data, shown_origin
from meldref.rulefiles.merge import HOUSE, flow
from meldref.ruleset.model import HouseRule, Ruleset
from meldref_authoring.explaining import read_sources
from meldref_authoring.rulefiles.show import merged_values, written_rule

if TYPE_CHECKING:
    from meldref.rulefiles.vocabulary import Key
    from meldref_authoring.explaining import Clause, Explained, Part
    from meldref_authoring.rulefiles.trace import Trace


def keys_text(keys: Sequence[Key], *, width: int = WIDE) -> Iterator[str]:
    """All keys, each with what it means; an empty line stands before a section."""
    for place, key in enumerate(keys):
        if place and "." not in key.path:
            yield ""
        yield from _entry(key.path, key.text, width)


def explained_short(explained: Explained) -> Iterator[str]:
    """The key, or those of a section, each with its value, as one would write it."""
    if explained.parts:
        yield from (f"{part.key}: {flow(part.value)}" for part in explained.parts)
    elif explained.value is not None:
        yield f"{explained.key.path}: {flow(explained.value)}"


def explained_text(
    explained: Explained, rules: str, *, verbose: bool, width: int = WIDE
) -> Iterator[str]:
    """A key as people read it: `rules` names the ruleset; `verbose`: all statements in full.

    `width` is how long lines of prose are.
    """
    key = explained.key
    yield from wrapped(f"{key.path}: {key.text}", width=width)
    yield from _values(key, None if explained.parts else explained.value, width)
    if explained.parts:
        yield ""
        yield f"In {name_of_file(rules)}:"
        yield from _parts(explained.parts, width)
    elif explained.merged:
        value = ""
        if explained.value is not None:
            value = flow(explained.value)
        elif explained.setters:
            value = explained.setters[-1].value
        yield ""
        yield f"In {name_of_file(rules)}: {value or 'nothing says it'}"
        if explained.setters or explained.value is not None:
            yield from _chain(explained.setters)
    rests = explained.rests
    if rests is not None:
        why = f"{rests.key} is {rests.value} ({shown_origin(rests)})"
        yield from wrapped(f"It has no effect here: {why}.", width=width)
    if explained.note is not None:
        yield ""
        yield from wrapped(_said(explained.note.text), width=width)
    yield from _clauses(explained, width, verbose=verbose)
    if explained.codes:
        yield ""
        yield from wrapped("Violations: " + ", ".join(explained.codes), width=width)


def _values(key: Key, here: Value, width: int) -> Iterator[str]:
    """What can be written, the words with a mark at those that are here."""
    if key.section:
        return
    yield ""
    if key.takes:
        entries = f" Names in it: {key.entries}" if key.entries else ""
        yield from wrapped(f"Takes {key.takes}.{entries}", width=width)
    column = max((len(word.value) for word in key.words), default=0) + 2
    marked = here if isinstance(here, list) else [here]
    for word in key.words:
        mark = "* " if word.value in marked else "  "
        first = f"{mark}{word.value:<{column}}"
        yield from wrapped(word.text, first, " " * len(first), width=width)
    if key.default is not None and not key.path.startswith("melds.kinds."):
        yield f"Default: {flow(key.default)}"
    if key.examples:
        yield f"For example: {' or '.join(map(flow, key.examples[:2]))}"


def _parts(parts: Sequence[Part], width: int) -> Iterator[str]:
    """The keys of a section, or the entries of a table."""
    values = [f"{part.key}: {flow(part.value)}" for part in parts]
    column = min(max(map(len, values)), 64)
    for part, text in zip(parts, values, strict=True):
        yield f"  {text:<{column}}   {shown_origin(part.origin)}"
        if part.text:
            yield from wrapped(part.text, "      ", "      ", width=width)


def _chain(setters: Sequence[Origin]) -> Iterator[str]:
    """Who set it, and over whom, down to the default."""
    if not setters:
        yield "  by default"
        return
    rows = []
    words = "set by"
    for origin in reversed(setters):
        rows.append((f"  {words} {shown_origin(origin)}", origin.value))
        words = "over  "
    yield from in_columns(rows)


def _clauses(explained: Explained, width: int, *, verbose: bool) -> Iterator[str]:
    titles = {source.number: source.title for source in read_sources()}
    told = (*explained.clauses, *explained.elsewhere) if verbose else explained.clauses
    heading = ""
    for clause in told:
        if titles[clause.source] != heading:
            heading = titles[clause.source]
            yield ""
            yield f"From {heading}:"
        yield from _entry(clause.id, clause.statement, width)
    if explained.elsewhere and not verbose:
        words = "In other texts" if told else "Clauses"
        clauses = ", ".join(clause.id for clause in explained.elsewhere)
        yield ""
        yield from wrapped(f"{words}: {clauses}", width=width)


def _said(note: str) -> str:
    """A comment of a rules file: what its source leaves open, or a remark."""
    for word in ("open in the source: ", "open: "):
        if note.lower().startswith(word):
            return f"Left open in the source: {note[len(word) :]}"
    return f"Comment there: {note}"


def _entry(name: str, text: str, width: int) -> list[str]:
    return wrapped(text, f"  {name:<11} ", " " * 14, width=width)


def house_rule_text(ruleset: Ruleset, rule: HouseRule, *, width: int = WIDE) -> Iterator[str]:
    """A house rule in words: what it says, why, when it applies, what it asks, who states it."""
    yield from wrapped(f"house.{rule.name}: {rule.says}", width=width)
    yield ""
    yield _what_it_does(rule)
    for key, condition in (("When:   ", rule.when), ("Unless: ", rule.unless)):
        if condition:
            yield from wrapped(f"{key} {' '.join(condition.split())}", width=width)
    named = facts_named_in(rule.award or "", Sort.NUMBER)
    named += facts_named_in(rule.when or rule.unless)
    for name, about in dict.fromkeys(named):
        yield from wrapped(about, f"  {name:<22} ", " " * 25, width=width)
    for key, words in (("Why:    ", rule.why), ("Source: ", rule.source)):
        if words:
            yield from wrapped(f"{key} {words}", width=width)
    yield ""
    origin = ruleset.origin(f"{HOUSE}{rule.name}")
    yield f"Stated by {shown_origin(origin)}" if origin else "Stated by nobody"


def _what_it_does(rule: HouseRule) -> str:
    """The actions that a house rule forbids, or what it awards for what, and to whom."""
    if rule.award is None:
        return f"Forbids: {', '.join(rule.forbid)}"
    if rule.for_game:
        what_for = "the game, when it is over"
    elif not rule.at:
        what_for = "the hand, when it is over"
    else:
        what_for = ", ".join(rule.at)
    to = {"player": "", "opponents": ", to each of the opponents"}
    whom = to.get(rule.to, f", to the {rule.to}")
    return f"Awards:  {rule.award} points, for {what_for}{whom}"


def house_rule_data(ruleset: Ruleset, rule: HouseRule) -> dict[str, object]:
    """Data for programs."""
    place = place_data(ruleset.origin(f"{HOUSE}{rule.name}"))
    return {"code": f"house.{rule.name}", "title": rule.says, "rule": written_rule(rule), **place}


def explained_data(explained: Explained) -> dict[str, object]:
    """Data for programs."""
    key, note, rests = explained.key, explained.note, explained.rests
    setters = [_origin(origin) for origin in reversed(explained.setters)]
    parts = [{**facts(part, "key", "value"), **place_data(part.origin)} for part in explained.parts]
    clauses = [_clause_data(clause, followed=True) for clause in explained.clauses]
    clauses += [_clause_data(clause, followed=False) for clause in explained.elsewhere]
    return {
        "key": key.path,
        "means": key.text,
        "takes": None if key.section else key.takes,
        "words": [{"word": word.value, "means": word.text} for word in key.words],
        "default": key.default,
        "examples": list(key.examples),
        "value": explained.value,
        "set_by": setters[0] if setters else None,
        "over": setters[1:],
        "rests": None if rests is None else {"key": rests.key, **_origin(rests)},
        "note": note and {"text": note.text, **place_data(note), "clauses": list(note.clauses)},
        "parts": parts,
        "clauses": clauses,
        "codes": list(explained.codes),
    }


def _clause_data(clause: Clause, *, followed: bool) -> dict[str, object]:
    return {**facts(clause, "id", "source", "kind", "statement"), "followed": followed}


def _origin(origin: Origin) -> dict[str, object]:
    return {"value": origin.value, **place_data(origin)}


def merged_data(ruleset: Ruleset, trace: Trace) -> dict[str, object]:
    """A merged ruleset for programs: each key with its value, who set it, and what it replaced."""
    keys = {
        key: {
            "value": value,
            "file": origin.file if origin else None,
            "line": origin.line if origin else None,
            "over": [facts(below, "value", "file", "line") for below in reversed(trace.below(key))],
        }
        for key, value, origin in merged_values(ruleset)
    }
    return {"id": ruleset.id, "name": ruleset.name, "options": list(ruleset.options), "keys": keys}
