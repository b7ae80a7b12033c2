"""The rulesets and options that ship, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.report.json import facts
from meldref.report.style import WIDE, wrapped
from meldref.rulefiles.files import Shipped

_HEADINGS: Final = {"game": "Games", "option": "Options, laid over a game with --with or [Options]"}


def shipped_text(
    shipped: Sequence[Shipped], *, quiet: bool = False, verbose: bool = False, width: int = WIDE
) -> Iterator[str]:
    """Each with what it is about; `quiet`: only the ids; `verbose`: its name, too, and its file.

    `width` is how long lines of prose are.
    """
    if quiet:
        yield from (ruleset.id for ruleset in shipped)
        return
    column = max(len(ruleset.id) for ruleset in shipped) + 2
    for place, type_ in enumerate(_HEADINGS):
        if place:
            yield ""
        yield _HEADINGS[type_]
        for ruleset in shipped:
            if ruleset.type != type_:
                continue
            about = " ".join((ruleset.about or ruleset.name).split())
            if ruleset.aliases:
                about += f" (also {', '.join(ruleset.aliases)})"
            yield from wrapped(about, f"  {ruleset.id:<{column}}", " " * (column + 2), width=width)
            if verbose:
                yield f"{' ' * (column + 2)}{ruleset.name}: {ruleset.file}"


def shipped_data(shipped: Sequence[Shipped]) -> dict[str, object]:
    """Data for programs."""
    rows = [
        {**facts(ruleset, "id", "type", "name", "about", "aliases"), "file": str(ruleset.file)}
        for ruleset in shipped
    ]
    return {"rulesets": rows}
