"""What a schema error becomes for people: findings at their place, with the edits that fix them."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Final

from meldref.core.diagnostics import Edit, Finding, Span
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.documents.reader import Document, Path, Value
from meldref.rulefiles.house_rules import HOUSE_RULES
from meldref.rulefiles.merge import Problem
from meldref.rulefiles.vocabulary import node_of
from meldref_authoring.rulefiles.syntax_fixes import block_of, shift_lines, unquoted

_GLUED: Final = re.compile(r"([\w-]+):(?=\w)")
"""The name of an entry, and the colon right before its value."""


def gathered(
    schema_errors: Sequence[Problem], document: Document
) -> tuple[Sequence[Problem], list[Finding]]:
    """The problems that stand for themselves, and one finding for several that are one mistake."""
    rest, findings = _unquoted(schema_errors, document)
    rest = _glued(rest, document, findings)
    rest = _torn(rest, document, findings)
    unknown = {problem.path: problem for problem in rest if problem.at_key}
    for schema_error in schema_errors:
        strays = _strays(schema_error, unknown, document)
        if strays:
            rest = [other for other in rest if other is not schema_error and other not in strays]
            findings.append(_unindented(schema_error.path, strays, document))
    return rest, findings


def _unquoted(
    schema_errors: Sequence[Problem], document: Document
) -> tuple[list[Problem], list[Finding]]:
    """One finding per rule for keys made by unquoted expressions in braces; and the others."""
    rest: list[Problem] = []
    findings: dict[Path, Finding] = {}
    for problem in schema_errors:
        path, line = problem.path, document.key_place(problem.path).line
        fault = None
        if path[:1] == (HOUSE_RULES,) and len(path) == 3 and problem.code == "rules.key":
            fault = unquoted(document.excerpt(line), line - 1)
        if fault is None or problem.instead is not None:
            rest.append(problem)
            continue
        span = Span(line, fault.column + 1, (fault.end or fault.column) + 1)
        finding = Finding("rules.yaml", fault.message, span, file=document.file, edits=fault.edits)
        findings.setdefault(path[:2], finding.at(span, document.excerpt(line)))
    return rest, list(findings.values())


def _glued(
    problems: Sequence[Problem], document: Document, findings: list[Finding]
) -> list[Problem]:
    """The problems other than names of entries with their values in them, which get one finding.

    In `{2:13}`, YAML takes `2:13` for a name without a value.
    """
    without_value = {
        problem.path
        for problem in problems
        if not problem.at_key and value_at(document.value, problem.path) is None
    }
    glued: dict[Path, Finding] = {}
    for problem in problems:
        path = problem.path
        name = str(path[-1]) if problem.at_key and path else ""
        match = _GLUED.match(name)
        if match is None or path not in without_value:
            continue
        message = f"a space is missing after the colon of {match[1]}"
        edits = edits_for(changed(problem, instead=f"{match[1]}: {name[match.end() :]}"), document)
        glued[path] = document.finding("rules.yaml", message, path, at_key=True, edits=edits)
    findings += glued.values()
    return [problem for problem in problems if problem.path not in glued]


def _torn(
    problems: Sequence[Problem], document: Document, findings: list[Finding]
) -> list[Problem]:
    """The problems other than the thousands of numbers in braces, which get a finding each.

    In `{target: 1,000}`, YAML takes `000` for the next key.
    """
    torn: dict[Path, Finding] = {}
    for problem in problems:
        path, key = problem.path, document.key_place(problem.path)
        around = value_at(document.value, path[:-1]) if path else None
        names = [*around] if isinstance(around, dict) else []
        at = names.index(str(path[-1])) if problem.at_key and path[-1] in names else 0
        before = document.place((*path[:-1], names[at - 1])) if at else key
        text = document.excerpt(key.line)[before.column - 1 : key.end_column - 1]
        if before.line != key.line or not re.fullmatch(r"[1-9][0-9]{0,2},[0-9]{3}", text):
            continue
        whole = text.replace(",", "")
        message = "between { and }, a comma ends a value and stands in no number: "
        message += f"write {names[at - 1]}: {whole}"
        edit = Edit(key.line, before.column, key.line, key.end_column, whole)
        finding = document.finding("rules.yaml", message, path, at_key=True, edits=(edit,))
        span = Span(key.line, before.column, key.end_column)
        torn[path] = finding.at(span, finding.excerpt)
    findings += torn.values()
    return [problem for problem in problems if problem.path not in torn]


def edits_for(problem: Problem, document: Document) -> tuple[Edit, ...]:
    """The edits that fix a problem; none where the value is not on one line."""
    path, instead = problem.path, problem.instead
    key, value = document.key_place(path), document.place(path)
    if problem.margin and not document.excerpt(key.line)[: key.column - 1].strip():
        return shift_lines(document.lines, block_of(document.lines, key.line - 1), 1 - key.column)
    if instead is None:
        return ()
    if problem.at_key:
        edit = Edit(key.line, key.column, key.line, key.end_column, instead)
        closing = "}" * (instead.count("{") - instead.count("}"))
        if not closing:
            return (edit,)
        end = Edit(value.line, value.end_column, value.line, value.end_column, closing)
        return (edit, end) if _on_one_line(document, path) else ()
    if not _on_one_line(document, path):
        return ()
    if instead.startswith("{") and key.line < value.line:
        instead = instead[1:-1]  # a line of its own takes no braces
    return (Edit(value.line, value.column, value.line, value.end_column, instead),)


def _on_one_line(document: Document, path: Path) -> bool:
    """Whether the value at a path ends on the line on which it begins."""
    span = document.place(path)
    text = document.excerpt(span.line)[span.column - 1 : span.end_column - 1]
    value = value_at(document.value, path)
    if isinstance(value, str):
        return text == value or text[1:-1] == value
    if isinstance(value, dict) and [f"{name}: {item}" for name, item in value.items()] == [text]:
        return True
    if isinstance(value, (list, dict)):
        return text[:1] in ("[", "{") and text[-1:] in ("]", "}")
    return bool(text)


def value_at(value: Value, path: Path) -> Value:
    """The part of a value at a path; None where there is none."""
    for part in path:
        if isinstance(value, dict):
            value = value.get(str(part))
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def _strays(problem: Problem, unknown: Mapping[Path, Problem], document: Document) -> list[Problem]:
    """The unknown keys right behind an empty section, beside it, that belong in the section."""
    if problem.at_key or not problem.path:
        return []
    *above, name = problem.path
    section = node_of(problem.path)
    around = value_at(document.value, tuple(above))
    if section is None or not isinstance(around, dict) or around.get(str(name), "") is not None:
        return []
    names = [*around]
    keys = section.get("properties", {})
    strays: list[Problem] = []
    for other in names[names.index(str(name)) + 1 :]:
        stray = unknown.get((*above, other))
        if stray is None or other not in keys:
            break
        strays.append(stray)
    return strays


def _unindented(path: Path, strays: Sequence[Problem], document: Document) -> Finding:
    """The finding about keys that should stand further in than the section above them."""
    names = [str(stray.path[-1]) for stray in strays]
    section = document.key_place(path)
    verb, they = ("belongs", "it is") if len(names) == 1 else ("belong", "they are")
    message = f"{in_words(names)} {verb} to {path[-1]}, "
    message += f"so {they} indented two spaces further than {path[-1]}"
    first = strays[0].path
    edits: tuple[Edit, ...] = ()
    if section.column == document.key_place(first).column:
        lines: list[int] = []
        for stray in strays:
            lines += block_of(document.lines, document.key_place(stray.path).line - 1)
        filled = [line for line in lines if document.lines[line].strip()]
        edits = shift_lines(document.lines, filled, 2)
    return document.finding("rules.key", message, first, at_key=True, edits=edits)
