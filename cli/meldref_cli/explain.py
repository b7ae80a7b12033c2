"""`meldref explain`: what a code means, why the rule exists, and examples."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Annotated

import typer

from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, Unusable
from meldref_cli.ruleset_args import DEFAULT


def explain(
    code: Annotated[
        str | None,
        typer.Argument(
            metavar="[CODE]",
            help="Such as draw.deep.unused; a family, such as draw; a clause, such as P-DRAW-05.",
            autocompletion=completing.codes,
        ),
    ] = None,
    format_: options.AsFormat = options.Format.TEXT,
    quiet: Annotated[
        bool, typer.Option("--quiet", "-q", help="Show only the code and its title, or a list of codes.")
    ] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", "-v", help="Of a list, show the whole page of each code.")
    ] = False,
) -> int:
    """Explains a violation: what it means, why the rule exists, which keys govern it, and examples.

    The name of a family, or a clause, lists its codes; without CODE, all codes are listed.
    """
    from meldref.report.page import page_data, page_text
    from meldref.rules.pages import PAGES

    wanted = (code or "").strip().strip("[].:").lower()
    if wanted in PAGES:
        page = PAGES[wanted]
        if format_ is options.Format.JSON:
            output.write(json.dumps(page_data(page)))
        elif quiet:
            output.write(f"{page.code}: {page.title}")
        else:
            output.write_all(page_text(page, DEFAULT, width=output.width()))
        return CLEAN
    codes = [one for one in PAGES if not wanted or one.startswith(wanted + ".")]
    codes = codes or [one for one, page in PAGES.items() if wanted.upper() in page.clauses]
    if not codes:
        raise Unusable(_unknown(wanted, list(PAGES)))
    if format_ is options.Format.JSON:
        output.write(json.dumps({"codes": [{"code": one, "title": PAGES[one].title} for one in codes]}))
    elif quiet:
        output.write_all(codes)
    elif verbose:
        for place, one in enumerate(codes):
            lines = page_text(PAGES[one], DEFAULT, width=output.width())
            output.write_all(("", "", *lines) if place else lines)
    else:
        column = max(map(len, codes)) + 2
        output.write_all(f"{one:<{column}}{PAGES[one].title}" for one in codes)
    return CLEAN


def _unknown(code: str, codes: Sequence[str]) -> str:
    from difflib import get_close_matches

    from meldref.rulefiles.vocabulary import describe_key

    if describe_key(code) is not None:
        return f"{code} is a key of rulesets, no code; `meldref rules explain {code}` says what it means"
    families = list(dict.fromkeys(one.partition(".")[0] for one in codes))
    close = get_close_matches(code, [*codes, *families], 1, 0.6)
    if not close:
        close = [one for one in codes if code.rpartition(".")[2] in one.split(".")][:1]
    meant = f"; did you mean {close[0]}?" if close else "; `meldref explain` lists them all"
    return f"there is no code {code}{meant}"
