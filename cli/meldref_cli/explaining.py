"""`meldref rules explain`: what a key means, what it says here, who says so, from which statement of the rules."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable

if TYPE_CHECKING:
    from meldref.authoring.clauses import Clause
    from meldref.authoring.explaining import Explained, Part
    from meldref.diagnostics import Origin
    from meldref.ruleset.trace import Note
    from meldref.ruleset.vocabulary import Key
    from meldref.source import Value


def explain_key(
    key: Annotated[
        str | None,
        typer.Argument(
            metavar="[KEY]",
            help="Such as draw.deep.must, or a section, such as draw.",
            autocompletion=completing.keys,
        ),
    ] = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.AsFormat = options.Format.TEXT,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Only the key and what it says here; of all keys, their names.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="The statements of all texts, not of the one followed alone.")
    ] = False,
) -> int:
    """Explains a key of a ruleset: what it means, what it says here, who set it over what, and from which clause.

    Without --rules, as in 500-rummy. A section's name shows what is in it; without KEY, all keys are listed.

    Exit status: 0 done, 2 no such key, or unusable rules.
    """
    from meldref.authoring.explaining import explain_key as explain
    from meldref.authoring.explaining import find_key, nearest_key
    from meldref.ruleset.trace import trace
    from meldref_cli.findings import tell
    from meldref_cli.rulings import DEFAULT, asked, load

    if key is None:
        return _list(format_, quiet=quiet)
    wanted = key.strip().strip(".")
    found = find_key(wanted)
    if found is None:
        from meldref.rules.pages import PAGES

        if wanted in PAGES:
            raise Unusable(f"{wanted} is a code, no key; `meldref explain {wanted}` says what it means")
        near = nearest_key(wanted)
        meant = f"did you mean {near}?" if near else "`meldref rules explain` lists them all"
        raise Unusable(f"there is no key {wanted or 'without a name'}; {meant}")
    named = asked(rules, with_, set_)
    ruleset, findings = load(named)
    tell(findings, to_errors=True)
    if ruleset is None:
        return UNUSABLE
    explained = explain(found, ruleset, trace(named.rules or DEFAULT, named.options, named.settings))
    if format_ is options.Format.JSON:
        output.write(json.dumps({"rules": ruleset.id, "options": list(ruleset.options), **_data(explained)}))
    elif quiet:
        output.write_all(_short(explained))
    else:
        output.write_all(_text(explained, " + ".join((ruleset.id, *ruleset.options)), verbose=verbose))
    return CLEAN


def _list(format_: options.Format, *, quiet: bool) -> int:
    from meldref.ruleset.vocabulary import list_keys

    keys = list(list_keys())
    if format_ is options.Format.JSON:
        output.write(json.dumps({"keys": [{"key": key.path, "means": key.text} for key in keys]}))
        return CLEAN
    if quiet:
        output.write_all(key.path for key in keys)
        return CLEAN
    for place, key in enumerate(keys):
        if place and "." not in key.path:
            output.write("")
        output.write_all(_entry(key.path, key.text))
    return CLEAN


# --- text ------------------------------------------------------------------------------------------------------


def _short(one: Explained) -> Iterator[str]:
    """The key, or those of a section, each with its value, as one would write it."""
    if one.parts:
        yield from (f"{part.key}: {_flow(part.value)}" for part in one.parts)
    elif one.value is not None:
        yield f"{one.key.path}: {_flow(one.value)}"


def _text(one: Explained, rules: str, *, verbose: bool) -> Iterator[str]:
    key = one.key
    yield from output.wrapped(f"{key.path}: {key.text}")
    yield from _values(key, None if one.parts else one.value)
    if one.parts:
        yield ""
        yield f"In {rules}:"
        yield from _parts(one.parts)
    elif one.merged:
        yield ""
        said = one.setters[-1].value if one.setters and one.value is None else None
        yield f"In {rules}: {said or ('nothing says it' if one.value is None else _flow(one.value))}"
        if one.setters or one.value is not None:
            yield from _chain(one.setters)
    if one.rests is not None:
        yield from output.wrapped(
            f"It has no effect here: {one.rests.key} is {one.rests.value} ({_where(one.rests)})."
        )
    if one.note is not None:
        yield ""
        yield from output.wrapped(_said(one.note.text))
    yield from _clauses(one, verbose=verbose)
    if one.codes:
        yield ""
        yield from output.wrapped("Violations: " + ", ".join(one.codes))


def _values(key: Key, here: Value) -> Iterator[str]:
    """What can be written, the words with a mark at those that are here."""
    if key.section:
        return
    yield ""
    if key.takes:
        yield from output.wrapped(f"Takes {key.takes}." + (f" Names in it: {key.entries}" if key.entries else ""))
    column = max((len(word.value) for word in key.words), default=0) + 2
    marked = here if isinstance(here, list) else [here]
    for word in key.words:
        mark = "* " if word.value in marked else "  "
        yield from output.wrapped(word.text, f"{mark}{word.value:<{column}}", " " * (column + 2))
    if key.default is not None and not key.path.startswith("melds.kinds."):
        yield f"Default: {_flow(key.default)}"
    if key.examples:
        yield f"For example: {' or '.join(map(_flow, key.examples[:2]))}"


def _parts(parts: Sequence[Part]) -> Iterator[str]:
    """The keys of a section, or the entries of a table."""
    said = [f"{part.key}: {_flow(part.value)}" for part in parts]
    column = min(max(map(len, said)), 64)
    for part, text in zip(parts, said, strict=True):
        yield f"  {text:<{column}}   {_where(part.origin)}"
        if part.text:
            yield from output.wrapped(part.text, "      ", "      ")


def _chain(setters: Sequence[Origin]) -> Iterator[str]:
    """Who set it, and over whom, down to the default."""
    if not setters:
        yield "  by default"
        return
    places = [_where(origin) for origin in reversed(setters)]
    column = max(map(len, places))
    for step, (origin, place) in enumerate(zip(reversed(setters), places, strict=True)):
        word = "over  " if step else "set by"
        yield f"  {word} {place:<{column}}  {origin.value}"


def _clauses(one: Explained, *, verbose: bool) -> Iterator[str]:
    from meldref.authoring.clauses import read_sources

    titles = {source.number: source.title for source in read_sources()}
    told = (*one.clauses, *one.elsewhere) if verbose else one.clauses
    heading = ""
    for clause in told:
        if titles[clause.source] != heading:
            heading = titles[clause.source]
            yield ""
            yield f"From {heading}:"
        yield from _entry(clause.id, clause.statement)
    rest = () if verbose else one.elsewhere
    if rest:
        yield ""
        yield from output.wrapped(
            f"{'In other texts' if told else 'Clauses'}: {', '.join(clause.id for clause in rest)}"
        )


def _said(note: str) -> str:
    """A comment of a rules file: what its source leaves open, or a remark."""
    for word in ("open in the source: ", "open: "):
        if note.lower().startswith(word):
            return f"Left open in the source: {note[len(word) :]}"
    return f"Comment there: {note}"


def _entry(name: str, text: str) -> list[str]:
    return output.wrapped(text, f"  {name:<11} ", " " * 14)


def _where(origin: Origin | None) -> str:
    from meldref.report.text import shown_origin

    return shown_origin(origin)


def _flow(value: Value) -> str:
    from meldref.ruleset.merge import flow

    return flow(value)


# --- json ------------------------------------------------------------------------------------------------------


def _data(one: Explained) -> dict[str, object]:
    from meldref.report.text import shown_path

    key = one.key
    setters = [_origin(origin) for origin in reversed(one.setters)]
    return {
        "key": key.path,
        "means": key.text,
        "takes": None if key.section else key.takes,
        "words": [{"word": word.value, "means": word.text} for word in key.words],
        "default": key.default,
        "examples": list(key.examples),
        "value": one.value,
        "set_by": setters[0] if setters else None,
        "over": setters[1:],
        "rests": None if one.rests is None else {"key": one.rests.key, **_origin(one.rests)},
        "note": None if one.note is None else _note(one.note),
        "parts": [
            {
                "key": part.key,
                "value": part.value,
                "file": shown_path(part.origin.file) if part.origin else None,
                "line": part.origin.line if part.origin else None,
            }
            for part in one.parts
        ],
        "clauses": [_clause(clause, followed=True) for clause in one.clauses]
        + [_clause(clause, followed=False) for clause in one.elsewhere],
        "codes": list(one.codes),
    }


def _note(note: Note) -> dict[str, object]:
    from meldref.report.text import shown_path

    return {"text": note.text, "file": shown_path(note.file), "line": note.line, "clauses": list(note.clauses)}


def _origin(origin: Origin) -> dict[str, object]:
    from meldref.report.text import shown_path

    return {"value": origin.value, "file": shown_path(origin.file), "line": origin.line}


def _clause(clause: Clause, *, followed: bool) -> dict[str, object]:
    return {
        "id": clause.id,
        "source": clause.source,
        "kind": clause.kind,
        "statement": clause.statement,
        "followed": followed,
    }
