"""`meldref explain`: what a code means and why.

`meldref rules explain`: what a key means, and what set it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Annotated, Final

import typer

from meldref.core.meant import did_you_mean, nearest
from meldref.rules.pages import PAGES
from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, Unusable
from meldref_cli.ruleset_args import DEFAULT, RulesetRequest, asked, usable

_CLAUSE: Final = re.compile("[a-z]{1,2}-[a-z]+-[0-9]+")
"""The number of a clause, as somebody may write it."""

_Code = Annotated[
    list[str] | None,
    typer.Argument(
        metavar="[CODE]",
        autocompletion=completing.codes,
        help="Such as draw.deep.unused; a family, such as draw; a clause, such as P-DRAW-05; "
        "or words, such as lay off.",
    ),
]
_ExplainQuiet = Annotated[
    bool,
    typer.Option("--quiet", "-q", help="Show only the code and its title, or a list of codes."),
]
_ExplainVerbose = Annotated[
    bool, typer.Option("--verbose", "-v", help="For a list, show the whole page of each code.")
]


def explain(
    code: _Code = None,
    format_: options.FormatOption = options.Format.TEXT,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    quiet: _ExplainQuiet = False,
    verbose: _ExplainVerbose = False,
) -> int:
    """Explains a violation: what it means, why the rule exists, its keys, and examples.

    The name of a family, or a clause, lists its codes; other words list the codes whose pages
    have them, the best first; without CODE, all codes are listed. With --rules, `house.NAME` is a
    house rule of that ruleset, and `house` lists them.

    Examples:
      meldref explain draw.deep.unused
      meldref explain draw
      meldref explain call rummy
    """
    from meldref_table.report.page import page_data, page_text

    wanted = " ".join(code or ()).strip().strip("[].:").lower()
    if wanted.partition(".")[0] == "house" or rules is not None:
        ask = partial(asked, rules, with_, set_)
        return _house_rule(wanted, ask, format_, quiet=quiet)
    if wanted in PAGES:
        page = PAGES[wanted]
        output.show(
            format_,
            lambda: page_data(page),
            lambda: (
                [f"{page.code}: {page.title}"]
                if quiet
                else page_text(page, DEFAULT, width=output.width())
            ),
        )
        return CLEAN
    codes = _codes_of(wanted)
    if not codes:
        raise Unusable(_unknown(wanted, list(PAGES)))
    rows = [{"code": code, "title": PAGES[code].title} for code in codes]
    listed = _listed(codes, quiet=quiet, verbose=verbose)
    output.show(format_, lambda: {"codes": rows}, lambda: listed)
    return CLEAN


def _codes_of(wanted: str) -> list[str]:
    """The codes of a family, of a clause, or about some words; all where nothing is wanted."""
    if not wanted:
        return list(PAGES)
    if _CLAUSE.fullmatch(wanted):
        return _resting_on(wanted.upper())
    return [code for code in PAGES if code.startswith(wanted + ".")] or _about(wanted)


def _resting_on(name: str) -> list[str]:
    """The codes that rest on a clause."""
    from meldref_authoring.explaining import codes_of_clause, read_clauses

    clause = next((clause for clause in read_clauses() if clause.id == name), None)
    if clause is None:
        raise Unusable(
            f"no clause of the rules has the number {name}; docs/traceability.md lists them all"
        )
    codes = codes_of_clause(clause)
    if not codes:
        keys = " and ".join(f"`meldref rules explain {key}`" for key in clause.keys)
        more = f"see {keys}" if keys else "it holds in every ruleset"
        raise Unusable(f"no code rests on {name} (“{clause.statement}”): {more}")
    return codes


def _listed(codes: Sequence[str], *, quiet: bool, verbose: bool) -> Iterator[str]:
    """Codes, each with its title; `quiet`: only the codes; `verbose`: the whole page of each."""
    from meldref_table.report.page import page_text

    column = max(map(len, codes)) + 2
    for place, code in enumerate(codes):
        if quiet:
            yield code
        elif verbose:
            if place:
                yield from ("", "")
            yield from page_text(PAGES[code], DEFAULT, width=output.width())
        else:
            yield f"{code:<{column}}{PAGES[code].title}"


def _about(words: str) -> list[str]:
    """The codes whose pages have these words, the best first.

    None for a misspelled code or family, nor for a code without its family: that is told.
    """
    from meldref_authoring.cookbook import search_codes

    if "." in words or (" " not in words and nearest(words, _families())):
        return []
    codes = search_codes(words)
    return [] if [code.rpartition(".")[2] for code in codes] == [words] else codes


def _families() -> list[str]:
    """The families of codes."""
    return list(dict.fromkeys(code.partition(".")[0] for code in PAGES))


def _house_rule(
    wanted: str, ask: Callable[[], RulesetRequest], format_: options.Format, *, quiet: bool
) -> int:
    """The page of a house rule, which its ruleset states, or the list of them."""
    from meldref.rulefiles.compose import lay
    from meldref_authoring.report.explained import house_rule_data, house_rule_text

    family, _, name = wanted.partition(".")
    if family not in {"house", ""}:
        raise Unusable(
            f"{wanted} is not a house rule: `meldref explain {wanted}` says what it means"
        )
    request = ask()
    if not request:
        raise Unusable(f"{wanted} belongs to a ruleset: name that with --rules FILE")
    game = lay(request.rules or DEFAULT, (), (), None).game
    if request.rules is not None and game is not None and game.type == "option":
        request = request._replace(rules=None, options=(request.rules, *request.options))
    ruleset = usable(request)
    there = [rule.name for rule in ruleset.house_rules]
    if name and name not in there:
        raise Unusable(
            f"{ruleset.id} has no house rule {name}; it has {', '.join(there) or 'none'}"
        )
    chosen = [rule for rule in ruleset.house_rules if name in {"", rule.name}]
    data = [house_rule_data(ruleset, rule) for rule in chosen]
    short = [f"house.{rule.name}: {rule.says}" for rule in chosen]
    text = short if quiet or not name else house_rule_text(ruleset, chosen[0], width=output.width())
    output.show(format_, lambda: data[0] if name else {"codes": data}, lambda: text)
    return CLEAN


def _unknown(code: str, codes: Sequence[str]) -> str:
    from meldref.rulefiles.vocabulary import describe_key

    if describe_key(code) is not None:
        where = f"`meldref rules explain {code}` says what it means"
        return f"{code} is a key of rulesets, not a code; {where}"
    meant = did_you_mean(code, [*codes, *_families()], "; `meldref explain` lists them all")
    return f"there is no code {code}{meant}"


_Key = Annotated[
    str | None,
    typer.Argument(
        metavar="[KEY]",
        autocompletion=completing.keys,
        help="Such as draw.deep.must, or a section, such as draw.",
    ),
]
_Search = Annotated[
    str | None,
    typer.Option(
        "--search",
        metavar="WORDS",
        help="Find keys, facts, recipes and limits by words, such as “whole pile”.",
    ),
]
_ExplainKeyQuiet = Annotated[
    bool,
    typer.Option(
        "--quiet",
        "-q",
        help="Show only the key and its value here; for a list, only the names.",
    ),
]
_ExplainKeyVerbose = Annotated[
    bool,
    typer.Option(
        "--verbose",
        "-v",
        help="Show the statements of all sources, not only of the one that the ruleset follows.",
    ),
]


def explain_key(
    key: _Key = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.FormatOption = options.Format.TEXT,
    search: _Search = None,
    quiet: _ExplainKeyQuiet = False,
    verbose: _ExplainKeyVerbose = False,
) -> int:
    """Explains a key of a ruleset: what it means, its value, what set it, and its clause.

    Without --rules, the ruleset is 500-rummy. The name of a section lists its keys; without
    KEY, all keys are listed. --search finds keys, facts of house rules, recipes of the cookbook
    and limits by the words that players use.

    Exit status: 0 done, 2 no such key, or unusable rules.

    Examples:
      meldref rules explain draw.deep.must
      meldref rules explain game --rules house.yaml
    """
    from meldref_authoring.cookbook import named as hits_named
    from meldref_authoring.explaining import explain_key as explain
    from meldref_authoring.explaining import find_key
    from meldref_authoring.report.explained import explained_data, explained_short, explained_text
    from meldref_authoring.rulefiles.trace import trace

    if search is not None:
        return _search(search, format_, quiet=quiet)
    if key is None:
        return _list_keys(format_, quiet=quiet)
    wanted = key.strip().strip(".")
    description = find_key(wanted)
    if description is None and hits_named(wanted):
        return _search(wanted, format_, quiet=quiet, exact=True)
    if description is None:
        raise _no_key(wanted)
    request = asked(rules, with_, set_)
    ruleset = usable(request)
    sources = trace(request.rules or DEFAULT, request.options, request.settings)
    explained = explain(description, ruleset, sources)

    def data() -> dict[str, object]:
        options_ = list(ruleset.options)
        return {"rules": ruleset.id, "options": options_, **explained_data(explained)}

    def text() -> Iterable[str]:
        if quiet:
            return explained_short(explained)
        name = " + ".join((ruleset.id, *ruleset.options))
        return explained_text(explained, name, verbose=verbose, width=output.width())

    output.show(format_, data, text)
    return CLEAN


def _list_keys(format_: options.Format, *, quiet: bool) -> int:
    """Lists all keys, each with what it means."""
    from meldref.rulefiles.vocabulary import list_keys
    from meldref_authoring.report.explained import keys_text

    keys = list(list_keys())
    output.show(
        format_,
        lambda: {"keys": [{"key": key.path, "means": key.text} for key in keys]},
        lambda: [key.path for key in keys] if quiet else keys_text(keys, width=output.width()),
    )
    return CLEAN


def _no_key(wanted: str) -> Unusable:
    """Says that there is no such key, and what may have been meant."""
    from meldref_authoring.explaining import nearest_key

    if wanted in PAGES or wanted.startswith("house."):
        return Unusable(
            f"{wanted} is a code, not a key; `meldref explain {wanted}` says what it means"
        )
    near = nearest_key(wanted)
    advice = f"did you mean {near}?" if near else "`meldref rules explain` lists them all"
    return Unusable(f"there is no key {wanted or 'without a name'}; {advice}")


def _search(words: str, format_: options.Format, *, quiet: bool, exact: bool = False) -> int:
    """What is found by the words that players use; `exact`: what has that name."""
    from meldref.rulefiles.merge import flow
    from meldref_authoring.cookbook import named, read_recipes, search

    hits = named(words) if exact else search(words)
    if not hits:
        limits = "docs/limits.md says what no rule can say"
        raise Unusable(
            f"nothing is found for “{words}”; `meldref rules explain` lists the keys; {limits}"
        )
    writes = {recipe.id: dict(recipe.writes) for recipe in read_recipes()}

    def text() -> Iterator[str]:
        for hit in hits:
            yield hit.name if quiet else f"{hit.sort:<7} {hit.name}: {hit.text}"
            if hit.sort == "recipe" and not quiet:
                yield from (
                    f"          {key}: {flow(value)}" for key, value in writes[hit.name].items()
                )

    rows = [{"sort": hit.sort, "name": hit.name, "says": hit.text} for hit in hits]
    output.show(format_, lambda: {"found": rows}, text)
    return CLEAN
