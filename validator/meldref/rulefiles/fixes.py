"""What a schema error becomes for people: findings at their place, with the edits that fix them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldref.core.diagnostics import Edit, Finding, Span
from meldref.core.text import in_words
from meldref.documents.reader import Document, Path, Value
from meldref.documents.syntax_fixes import block_of, shift_lines, unquoted
from meldref.rulefiles.merge import Fix, Problem
from meldref.rulefiles.vocabulary import Schema, node_of


def findings_for(schema_errors: Sequence[Problem], document: Document) -> tuple[Finding, ...]:
    """A finding for each schema error of a document, in the order of its lines."""
    rest, findings = _unquoted(schema_errors, document)
    for schema_error in schema_errors:
        strays = _strays(schema_error, rest, document)
        if strays:
            rest = [other for other in rest if other is not schema_error and other not in strays]
            findings.append(_unindented(schema_error.path, strays, document))
    findings += [finding_for(problem, document) for problem in rest]
    return tuple(sorted(findings, key=lambda finding: (finding.span.line, finding.span.column)))


def _unquoted(
    schema_errors: Sequence[Problem], document: Document
) -> tuple[list[Problem], list[Finding]]:
    """One finding per rule for keys made by unquoted expressions in braces; and the others."""
    rest: list[Problem] = []
    findings: dict[Path, Finding] = {}
    for problem in schema_errors:
        line = document.key_place(problem.path).line - 1
        of_rule = (
            problem.path[:1] == ("house_rules",)
            and len(problem.path) == 3
            and problem.code == "rules.key"
        )
        missing = (
            unquoted(document.lines[line], line)
            if of_rule and "did you mean" not in problem.message
            else None
        )
        if missing is None:
            rest.append(problem)
            continue
        span = Span(missing.line + 1, missing.column + 1, (missing.end or missing.column) + 1)
        finding = document.finding("rules.yaml", missing.message, problem.path, edits=missing.edits)
        findings.setdefault(problem.path[:2], finding.at(span, document.lines[line]))
    return rest, list(findings.values())


def without(value: dict[str, Value], schema_errors: Sequence[Problem]) -> dict[str, Value]:
    """What a file says, less what does not fit.

    A list goes whole for one item, and so does a kind of meld.
    """
    for schema_error in schema_errors:
        path = schema_error.path
        ends = [place for place, part in enumerate(path) if isinstance(part, int)]
        path = path[: ends[0]] if ends else path
        path = path[:3] if path[:2] == ("melds", "kinds") else path
        path = path[:2] if path[:1] == ("house_rules",) else path
        value = _pruned(value, path)
    return value


def _pruned(value: dict[str, Value], path: Path) -> dict[str, Value]:
    """A mapping without the value at a path."""
    if not path:
        return {}
    below = value.get(str(path[0]))
    remaining = {key: item for key, item in value.items() if key != path[0]}
    return (
        {**remaining, str(path[0]): _pruned(below, path[1:])}
        if path[1:] and isinstance(below, dict)
        else remaining
    )


def finding_for(problem: Problem, document: Document) -> Finding:
    """The finding of a problem, with the edits that fix it."""
    edits = _edits(problem.fix, problem.path, document) if problem.fix else ()
    return document.finding(
        problem.code, problem.message, problem.path, at_key=problem.at_key, edits=edits
    )


def _edits(fix: Fix, path: Path, document: Document) -> tuple[Edit, ...]:
    """The edits that carry a fix out; none where the value is not on one line."""
    key, value = document.key_place(path), document.place(path)
    if fix.margin:
        if document.excerpt(key.line)[: key.column - 1].strip():
            return ()
        return shift_lines(document.lines, block_of(document.lines, key.line - 1), 1 - key.column)
    if fix.dashes:
        return _spaced_dashes(document.lines, value.line)
    edits: list[Edit] = []
    if fix.key is not None and path in document.key_places:
        edits.append(Edit(key.line, key.column, key.line, key.end_column, fix.key))
    if fix.value is not None or fix.behind:
        if not _on_one_line(document, path):
            return ()
        start = value.column if fix.value is not None else value.end_column
        written = f"{{{fix.value}}}" if fix.entry and key.line == value.line else fix.value or ""
        edits.append(
            Edit(value.line, start, value.line, value.end_column, f"{written}{fix.behind}")
        )
    return tuple(edits)


def _on_one_line(document: Document, path: Path) -> bool:
    """Whether the value at a path ends on the line on which it begins."""
    span = document.place(path)
    text = document.excerpt(span.line)[span.column - 1 : span.end_column - 1]
    value = _at(document.value, path)
    if isinstance(value, str):
        return text == value or text[1:-1] == value
    if isinstance(value, (list, dict)):
        pair = (
            [f"{name}: {item}" for name, item in value.items()] if isinstance(value, dict) else []
        )
        return (text[:1] in ("[", "{") and text[-1:] in ("]", "}")) or pair == [text]
    return bool(text)


def _at(value: Value, path: Path) -> Value:
    """The part of a value at a path; None where there is none."""
    for part in path:
        if isinstance(value, dict):
            value = value.get(str(part))
        elif isinstance(value, list) and isinstance(part, int) and part < len(value):
            value = value[part]
        else:
            return None
    return value


def _spaced_dashes(lines: Sequence[str], first: int) -> tuple[Edit, ...]:
    """A space after the dash of each line of a list."""
    edits = []
    for number in range(first, len(lines) + 1):
        text = lines[number - 1]
        dash = len(text) - len(text.lstrip())
        if text[dash : dash + 1] != "-":
            break
        if text[dash + 1 : dash + 2] != " ":
            edits.append(Edit(number, dash + 2, number, dash + 2, " "))
    return tuple(edits)


def _strays(
    schema_error: Problem, schema_errors: Sequence[Problem], document: Document
) -> list[Problem]:
    """Keys that belong to an empty section, and are written beside it."""
    path = schema_error.path
    section = node_of(path) if path and not any(isinstance(part, int) for part in path) else None
    if (
        section is None
        or "properties" not in section
        or _at(document.value, path) is not None
        or schema_error.at_key
    ):
        return []
    return [
        other
        for other in schema_errors
        if other.at_key and other.path in _followers(path, section, document)
    ]


def _followers(path: Path, section: Schema, document: Document) -> list[Path]:
    """The paths of the keys that follow a section's name and belong to that section alone."""
    around = _at(document.value, path[:-1]) if path[:-1] else document.value
    if not isinstance(around, Mapping):
        return []
    names = list(around)
    above = node_of(path[:-1])
    paths: list[Path] = []
    for name in names[names.index(str(path[-1])) + 1 :]:
        if name not in section["properties"] or (
            above is not None and name in above.get("properties", {})
        ):
            break
        paths.append((*path[:-1], name))
    return paths


def _unindented(path: Path, strays: Sequence[Problem], document: Document) -> Finding:
    """The finding about keys that should stand further in than the section above them."""
    names = [str(stray.path[-1]) for stray in strays]
    section = document.key_place(path)
    verb, they = ("belongs", "it is") if len(names) == 1 else ("belong", "they are")
    message = f"{in_words(names)} {verb} to {path[-1]}, "
    message += f"so {they} indented two spaces further than {path[-1]}"
    starts = [document.key_place(stray.path).line - 1 for stray in strays]
    lines = [number for start in starts for number in block_of(document.lines, start)]
    edits = shift_lines(document.lines, [line for line in lines if document.lines[line].strip()], 2)
    first = strays[0].path
    if section.column != document.key_place(first).column:
        edits = ()
    return document.finding("rules.key", message, first, at_key=True, edits=edits)
