"""`meldref melds`: every meld of some cards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated

import typer

from meldref_cli import options, output
from meldref_cli.card_row import cards_named, check_wild, rank_for, table_for
from meldref_cli.errors import CLEAN, UNUSABLE, both

if TYPE_CHECKING:
    from meldref.scoring import ValuedMeld


def melds(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS", help='Such as "5h 6h 7h Jk".')],
    wild: options.Wild = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.AsFormat = options.Format.TEXT,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only the cards, a meld a line.")] = False,
    verbose: options.Traceback = False,
) -> int:
    """Lists every meld of all or some of the cards, largest first, with what each wild card may stand for.

    The cards are taken as given, whoever holds them. Without --rules, the game is 500-rummy.
    """
    from meldref.cards import counted, played_text
    from meldref.melds import meld_book
    from meldref.scoring import Worth, valued_melds
    from meldref_cli.findings import tell
    from meldref_cli.rulings import asked, load

    (row, rank), wanted = both(
        lambda: both(
            lambda: cards_named(" ".join(cards), "melds are made of cards that are known"), lambda: rank_for(wild)
        ),
        lambda: asked(rules, with_, set_),
    )
    ruleset, findings = load(wanted)
    tell(findings, to_errors=True)
    if ruleset is None:
        return UNUSABLE
    check_wild(ruleset, wild)
    book = meld_book(ruleset, table_for(ruleset, row), rank)
    found = valued_melds(book, Worth(ruleset), counted(row))
    if format_ is options.Format.JSON:
        data = [
            {"kind": one.kind, "cards": list(map(played_text, one.cards)), "points": one.points} for one in found
        ]
        output.write(json.dumps({"melds": data}))
    elif quiet:
        output.write_all(" ".join(map(played_text, one.cards)) for one in found)
    else:
        output.write_all(_lines(found))
    return CLEAN


def _lines(found: list[ValuedMeld]) -> Iterator[str]:
    from meldref.cards import played_text
    from meldref.wording import many

    if not found:
        yield "no meld"
        return
    texts = [" ".join(map(played_text, one.cards)) for one in found]
    column = max(len(one.kind) for one in found) + 2
    wide = max(map(len, texts)) + 2
    for one, text in zip(found, texts, strict=True):
        yield f"{one.kind:<{column}}{text:<{wide}}{many(one.points, 'point')}"
