"""`meldref best`: the most valuable way to lay down a hand."""

from __future__ import annotations

import json
from collections.abc import Iterator
from enum import StrEnum
from string import ascii_uppercase
from typing import TYPE_CHECKING, Annotated

import typer

from meldref_cli import options, output
from meldref_cli.card_row import cards_named, table_for
from meldref_cli.errors import CLEAN, UNUSABLE, both

if TYPE_CHECKING:
    from meldref.best import LayDown


class For(StrEnum):
    """What is to be as much as it can be."""

    SCORE = "score"
    POINTS = "points"


def best(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS", help='Such as "5h 6h 7h 8c 8d Jk".')],
    table: options.Table = None,
    for_: Annotated[
        For,
        typer.Option(
            "--for", help="The gain in the hand's score, cards no longer held included; or points alone."
        ),
    ] = For.SCORE,
    players: Annotated[
        str | None, typer.Option("--players", metavar="NAMES", help="Who plays, clockwise.  [default: A,B,…]")
    ] = None,
    to_move: Annotated[
        str | None,
        typer.Option("--to-move", metavar="NAME", help="Whose hand it is.  [default: the first player's]"),
    ] = None,
    wild: options.Wild = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.AsFormat = options.Format.TEXT,
    quiet: Annotated[bool, typer.Option("--quiet", "-q", help="Only what is laid, a play a line.")] = False,
    verbose: options.Traceback = False,
) -> int:
    """Finds the most valuable way to lay down a hand: melds and lay-offs together, and the proof that it is best.

    Counted are points on the table and, where hands count against their holders, the cards no longer held. Where
    the rules want a last discard, a card is kept for it. What else a turn asks for (a card that has to be used,
    what may be thrown) is not looked at. Without --rules, the game is 500-rummy.
    """
    from meldref.best import best_at
    from meldref_cli.findings import tell
    from meldref_cli.given import Named, from_options
    from meldref_cli.rulings import asked, load

    row, wanted = both(
        lambda: cards_named(" ".join(cards), "only cards that are known are laid down"),
        lambda: asked(rules, with_, set_),
    )
    ruleset, findings = load(wanted)
    tell(findings, to_errors=True)
    if ruleset is None:
        return UNUSABLE
    names = players or ",".join(ascii_uppercase[: table_for(ruleset, row)])
    built, _ = from_options(
        Named(names, to_move, hands=[" ".join(cards)], table=table or (), wild=wild), lambda: wanted
    )
    if built is None:
        return UNUSABLE
    found = best_at(built.judge.binding, built.position, for_.value)
    if format_ is options.Format.JSON:
        output.write(json.dumps(_data(found, for_)))
    else:
        output.write_all(_lines(found, quiet=quiet))
    return CLEAN


def _data(found: LayDown, for_: For) -> dict[str, object]:
    from meldref.cards import card_text, each
    from meldref.notation.writer import write_action

    return {
        "for": for_.value,
        "plays": [
            {"play": write_action(play), "points": points}
            for play, points in zip(found.plays, found.brings, strict=True)
        ],
        "points": found.points,
        "gain": found.gain,
        "left": [card_text(card) for card in each(found.left)],
        "bound": found.bound,
        "searched": found.searched,
    }


def _lines(found: LayDown, *, quiet: bool) -> Iterator[str]:
    from meldref.cards import cards_text, each
    from meldref.notation.writer import write_action
    from meldref.wording import many

    texts = [write_action(play) for play in found.plays]
    if quiet:
        yield from texts
        return
    column = max(map(len, texts), default=0) + 2
    for text, points in zip(texts, found.brings, strict=True):
        yield f"{text:<{column}}{many(points, 'point')}"
    if not texts:
        yield "nothing to lay"
    if found.left:
        yield f"left: {cards_text(each(found.left))}"
    total = f"{many(found.points, 'point')} on the table"
    if found.gain != found.points:
        total += f", {found.gain} with what the cards laid would have counted in hand"
    yield total
    positions = many(found.searched, "position")
    yield f"nothing better: {positions} searched, upper bound {found.bound}"
