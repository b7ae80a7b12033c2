"""`meldref rules explain`: what a key means, what it says here, who says so, from which statement of the rules."""

from __future__ import annotations

from collections.abc import Iterator

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, Unusable


def explain_key(
    key: str | None = None,
    rules: options.RulesOptions = options.NO_RULES,
    format_: options.Format = options.Format.TEXT,
    search: str | None = None,
    quiet: bool = False,
    verbose: bool = False,
) -> int:
    """Explains a key of a ruleset: what it means, its value here, what set it, and the clause it comes from."""
    from meldref.authoring.explaining import explain_key as explain
    from meldref.authoring.explaining import find_key, nearest_key
    from meldref.report.explained import explained_data, explained_short, explained_text
    from meldref.rulefiles.trace import trace
    from meldref_cli.ruleset_args import DEFAULT, asked, usable

    if search is not None:
        return _search(search, format_, quiet=quiet)
    if key is None:
        return _list(format_, quiet=quiet)
    wanted = key.strip().strip(".")
    found = find_key(wanted)
    if found is None:
        from meldref.rules.pages import PAGES

        if wanted in PAGES:
            raise Unusable(f"{wanted} is a code, not a key; `meldref explain {wanted}` says what it means")
        near = nearest_key(wanted)
        meant = f"did you mean {near}?" if near else "`meldref rules explain` lists them all"
        raise Unusable(f"there is no key {wanted or 'without a name'}; {meant}")
    named = asked(*rules)
    ruleset = usable(named)
    explained = explain(found, ruleset, trace(named.rules or DEFAULT, named.options, named.settings))
    name = " + ".join((ruleset.id, *ruleset.options))
    width = output.width()
    output.show(
        format_,
        lambda: {"rules": ruleset.id, "options": list(ruleset.options), **explained_data(explained)},
        lambda: (
            explained_short(explained) if quiet else explained_text(explained, name, verbose=verbose, width=width)
        ),
    )
    return CLEAN


def _search(words: str, format_: options.Format, *, quiet: bool) -> int:
    """What is found by the words that players use."""
    from meldref.authoring.cookbook import read_recipes, search
    from meldref.rulefiles.merge import flow

    hits = search(words)
    if not hits:
        raise Unusable(f"nothing is found for “{words}”; `meldref rules explain` lists the keys")
    writes = {one.id: dict(one.writes) for one in read_recipes()}

    def text() -> Iterator[str]:
        for hit in hits:
            yield hit.name if quiet else f"{hit.sort:<7} {hit.name}: {hit.text}"
            if hit.sort == "recipe" and not quiet:
                yield from (f"          {key}: {flow(value)}" for key, value in writes[hit.name].items())

    found = [{"sort": hit.sort, "name": hit.name, "says": hit.text} for hit in hits]
    output.show(format_, lambda: {"found": found}, text)
    return CLEAN


def _list(format_: options.Format, *, quiet: bool) -> int:
    from meldref.report.explained import keys_text
    from meldref.rulefiles.vocabulary import list_keys

    keys = list(list_keys())
    output.show(
        format_,
        lambda: {"keys": [{"key": key.path, "means": key.text} for key in keys]},
        lambda: [key.path for key in keys] if quiet else keys_text(keys, width=output.width()),
    )
    return CLEAN
