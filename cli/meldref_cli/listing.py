"""`meldref rules list`: what ships."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN

if TYPE_CHECKING:
    from meldref.ruleset.files import Shipped

_HEADINGS: Final = {"game": "Games", "option": "Options, laid over a game with --with or [Options]"}


def list_rules(
    format_: options.AsFormat = options.Format.TEXT,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the ids.")] = False,
    verbose: Annotated[bool, typer.Option("--verbose", "-v", help="The name of each, too, and its file.")] = False,
) -> int:
    """Lists the rulesets and options that ship."""
    from meldref.ruleset.files import list_rulesets

    shipped = list_rulesets()
    if format_ is options.Format.JSON:
        output.write(json.dumps({"rulesets": [_data(one) for one in shipped]}))
    elif quiet:
        output.write_all(one.id for one in shipped)
    else:
        output.write_all(_lines(shipped, verbose=verbose))
    return CLEAN


def _data(shipped: Shipped) -> dict[str, object]:
    return {
        "id": shipped.id,
        "type": shipped.type,
        "name": shipped.name,
        "about": shipped.about,
        "aliases": list(shipped.aliases),
        "file": str(shipped.file),
    }


def _lines(shipped: Sequence[Shipped], *, verbose: bool) -> Iterator[str]:
    from meldref.report.wrapping import wrapped

    column = max(len(one.id) for one in shipped) + 2
    for place, type_ in enumerate(_HEADINGS):
        if place:
            yield ""
        yield _HEADINGS[type_]
        for one in shipped:
            if one.type != type_:
                continue
            about = " ".join((one.about or one.name).split())
            if one.aliases:
                about += f" (also {', '.join(one.aliases)})"
            yield from wrapped(about, f"  {one.id:<{column}}", " " * (column + 2), width=output.width())
            if verbose:
                yield f"{' ' * (column + 2)}{one.name}: {one.file}"
