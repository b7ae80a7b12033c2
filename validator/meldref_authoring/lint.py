"""The review of one rules file: what is wrong with it, and what else its author should know.

Loading a ruleset reports what keeps it from being played. An author wants more: settings without
effect, and text that does not mean what it looks like.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from meldref.cases.expectations import misuses
from meldref.cases.in_vain import find_in_vain
from meldref.cases.run import cases_in
from meldref.core.diagnostics import Edit, Finding, Severity, Span
from meldref.core.meant import did_you_mean
from meldref.core.records import changed, record
from meldref.documents.reader import Document, Value, quote_text, read_in_part
from meldref.documents.reader import Path as KeyPath
from meldref.rulefiles.compose import compose
from meldref.rulefiles.files import BASE, Found, Name, find, list_rulesets
from meldref.rulefiles.layers import Layer, Stack
from meldref_authoring.redundant_settings import find_idle

_MARK: Final = b"\xef\xbb\xbf"
_IN_CURLY: Final = re.compile("[“„«](.*)[”“»]")


@record
class Basis:
    """What a file is checked together with: a game under an option, options, single settings."""

    game: Name = BASE
    options: tuple[Name, ...] = ()
    settings: tuple[str, ...] = ()


def review(file: Found, data: bytes, basis: Basis) -> tuple[Finding, ...]:
    """Every error and warning about a rules file with this content, in the order of its lines.

    An option is laid over the game of the basis, a game under its options.
    """
    document, unread = read_in_part(data, file.shown)
    if document is None:
        return unread
    value = document.value
    game: tuple[Name, tuple[Name, ...]] = file, basis.options
    if isinstance(value, dict) and value.get("type") == "option":
        game = basis.game, (*basis.options, file)
    composed = compose(*game, basis.settings, None, {file.path: data})
    findings = list(composed.findings)
    layer = composed.stack.layers.get(file.key)
    if not file.shipped:
        places = {
            (finding.span.line, finding.span.column)
            for finding in findings
            if finding.file == file.shown
        }
        more = (*_misleading(document, data), *_cases(document))
        findings += [
            finding for finding in more if (finding.span.line, finding.span.column) not in places
        ]
        if layer is not None:
            findings += _own_name(layer)
            findings += _excluded_in_vain(layer, composed.stack)
            if composed.merged is not None:
                findings += find_idle(layer, composed.stack, composed.merged)
            if composed.ruleset is not None:
                over = basis.game if layer.type == "option" else None
                own = changed(file, text=data)
                cases = cases_in(document, file.path.parent, own, rules=over)
                findings += find_in_vain(cases) if cases is not None else ()
            if composed.ruleset is not None and composed.ruleset.house_rules:
                # It plays hands, which takes a while to load, and few files have house rules.
                from meldref_authoring.house_lint import find_in_house_rules  # noqa: PLC0415

                findings += find_in_house_rules(layer, composed.ruleset)
    findings.sort(
        key=lambda finding: (finding.file != file.shown, finding.span.line, finding.span.column)
    )
    return tuple(findings)


def _misleading(document: Document, data: bytes) -> Iterator[Finding]:
    """Text that does not mean what it looks like."""
    if data.startswith(_MARK):
        message = (
            "the file begins with a byte order mark, which is invisible and which no rules file "
            "needs"
        )
        finding = Finding(
            "rules.yaml", message, Span(1), Severity.WARNING, document.file, document.excerpt(1)
        )
        yield changed(finding, edits=(Edit(1, 0, 1, 1, ""),))
    for path, value in _scalars((), document.value):
        if isinstance(value, float) and value.is_integer():
            yield _point(document, path, value)
        elif isinstance(value, str) and (curly := _IN_CURLY.fullmatch(value)):
            quotes = f"{value[0]} and {value[-1]}"
            message = f"{quotes} are read as part of the text: YAML needs straight quotes"
            finding = document.finding("rules.yaml", message, path, severity=Severity.WARNING)
            span = finding.span
            written = document.excerpt(span.line)[span.column - 1 : span.end_column - 1]
            if written == value:
                text = quote_text(curly[1])
                edit = Edit(span.line, span.column, span.line, span.end_column, text)
                finding = changed(finding, edits=(edit,))
            yield finding


def _cases(document: Document) -> Iterator[Finding]:
    """What cases expect and cannot be checked.

    The schema has been checked with that of the whole file.
    """
    cases = document.value.get("cases") if isinstance(document.value, dict) else None
    if not isinstance(cases, list):
        return
    for number, case in enumerate(cases):
        expect = case.get("expect") if isinstance(case, dict) else None
        if not isinstance(expect, dict):
            continue
        for path, message in misuses(expect):
            where = ("cases", number, "expect", *path)
            yield document.finding("rules.value", f"case {number + 1}: {message}", where)


def _point(document: Document, path: KeyPath, value: float) -> Finding:
    """A number with a decimal point, which some people write between thousands."""
    span = document.place(path)
    written = document.excerpt(span.line)[span.column - 1 : span.end_column - 1]
    message = f"{written} is read as {int(value)}, since a point is a decimal point"
    whole = re.sub(r"\D", "", written)
    advice = f"write {whole} or {int(value)}, whichever is meant"
    return document.finding("rules.value", message, path, severity=Severity.WARNING, help=(advice,))


def _scalars(path: KeyPath, value: Value) -> Iterator[tuple[KeyPath, Value]]:
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _scalars((*path, key), item)
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from _scalars((*path, place), item)
    else:
        yield path, value


def _excluded_in_vain(layer: Layer, stack: Stack) -> Iterator[Finding]:
    """Names that an option excludes and nothing has: neither what ships nor a file beside it."""
    known = {other.id for other in stack.layers.values()}
    for place, name in enumerate(layer.excludes):
        beside = layer.found.path.parent / f"{name}.yaml"
        if name in known or find(name) is not None or beside.is_file():
            continue
        message = f"there is no ruleset or option {name} to exclude"
        message += did_you_mean(name, [one.id for one in list_rulesets()])
        yield layer.document.finding(
            "rules.sense", message, ("excludes", place), severity=Severity.WARNING
        )


def _own_name(layer: Layer) -> Iterator[Finding]:
    """A file whose id is that of a shipped ruleset cannot be named by it."""
    shipped = find(layer.id)
    if shipped is None or not shipped.shipped or shipped.path.stem != layer.id:
        return
    if shipped.path.resolve() != layer.found.path:
        message = (
            f"{layer.id} is the id of a shipped ruleset, which is used when rules are named "
            f"{layer.id}"
        )
        advice = ("choose an id of your own",)
        yield layer.document.finding(
            "rules.sense", message, ("id",), severity=Severity.WARNING, help=advice
        )
