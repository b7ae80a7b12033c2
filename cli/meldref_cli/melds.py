"""`meldref melds`: every meld of some cards."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated, NamedTuple

import typer

from meldref_cli import options, output
from meldref_cli.card_row import cards_named, fewest_players
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable

if TYPE_CHECKING:
    from meldref.cards import Card
    from meldref.ruleset.model import Ruleset


class Found(NamedTuple):
    """A meld that the cards can make."""

    kind: str
    cards: tuple[str, ...]
    points: int


def melds(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS", help='Such as "5h 6h 7h Jk".')],
    wild: options.Wild = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.AsFormat = options.Format.TEXT,
) -> int:
    """Lists every meld of all or some of the cards, largest first, with what each wild card may stand for.

    The cards are taken as given, whoever holds them. Without --rules, the game is 500-rummy.
    """
    from meldref_cli.findings import tell
    from meldref_cli.rulings import asked, load

    row = cards_named(" ".join(cards), "melds are made of cards that are known")
    ruleset, findings = load(asked(rules, with_, set_))
    tell(findings, to_errors=True)
    if ruleset is None:
        return UNUSABLE
    found = sorted(_found(ruleset, row, _rank(wild)), key=lambda one: (-len(one.cards), -one.points))
    if format_ is options.Format.JSON:
        data = [{"kind": one.kind, "cards": list(one.cards), "points": one.points} for one in found]
        output.write(json.dumps({"melds": data}))
    else:
        output.write_all(_lines(found))
    return CLEAN


def _rank(wild: str | None) -> int | None:
    """The rank named wild.

    Raises:
        Unusable: it is no rank.
    """
    from meldref.cards import RANKS
    from meldref.notation.spelling import rank_named

    if wild is None:
        return None
    named = rank_named(wild.strip())
    if named is None:
        raise Unusable(f"--wild {wild}: a rank is one of {' '.join(RANKS)}")
    return named


def _found(ruleset: Ruleset, row: tuple[Card, ...], wild: int | None) -> Iterator[Found]:
    from meldref.cards import counted, played_text
    from meldref.melds import Reading, meld_book
    from meldref.scoring import Worth

    book = meld_book(ruleset, _players(ruleset, row), wild)
    worth = Worth(ruleset)
    for meld in book.melds_in(counted(row)):
        reading = book.read(meld)
        if not isinstance(reading, Reading):
            raise TypeError(f"a listed meld that reads as none: {meld}")
        texts = tuple(played_text(played) for played in meld)
        yield Found(reading.shape.kind, texts, worth.new_meld(reading.laid))


def _players(ruleset: Ruleset, row: tuple[Card, ...]) -> int:
    """A number of players at whose table there are so many copies of each card.

    Raises:
        Unusable: there is none.
    """
    from meldref.cards import card_text

    number = fewest_players(ruleset, row)
    if number is not None:
        return number
    most = max(range(ruleset.players.min, ruleset.players.max + 1), key=ruleset.deck_size)
    for card in dict.fromkeys(row):
        named, there = row.count(card), ruleset.copies(card, most)
        if named > there:
            has = f"at most {there}" if there else "none"
            raise Unusable(
                f"CARDS: {card_text(card)} is named {named} times, and the deck of {ruleset.id} has {has}"
            )
    raise AssertionError("no table has all the cards, and each card alone is at some table")


def _lines(found: list[Found]) -> Iterator[str]:
    from meldref.report.tally import counted

    if not found:
        yield "no meld"
        return
    column = max(len(one.kind) for one in found) + 2
    wide = max(len(" ".join(one.cards)) for one in found) + 2
    for one in found:
        yield f"{one.kind:<{column}}{' '.join(one.cards):<{wide}}{counted(one.points, 'point')}"
