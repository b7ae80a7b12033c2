"""`meldref melds` and `meldref best`: every meld of some cards, and the best way to lay down."""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum
from string import ascii_uppercase
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.cards import Card
from meldref.core.effort import EFFORT
from meldref_cli import options, output
from meldref_cli.card_args import cards_named, rank_for, table_for
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable, both
from meldref_cli.position_args import from_options
from meldref_cli.ruleset_args import asked, usable

if TYPE_CHECKING:
    from meldref.positions.build import Built
    from meldref.rules.points import ValuedMeld
    from meldref.ruleset.model import Ruleset

_LOOKED_AT: Final = 50_000
"""How many melds are listed at most; with many wild cards there may be millions."""
_EFFORT: Final = 200_000
"""How much is searched to find them."""


_Most = Annotated[int, typer.Option("--most", metavar="N", min=1, help="The most to list.")]
_MeldsQuiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show only the cards, one meld per line.")
]


def melds(
    cards: Annotated[list[str], typer.Argument(metavar="CARDS", help='Such as "5h 6h 7h Jk".')],
    wild: options.Wild = None,
    hand_number: options.HandNumber = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.FormatOption = options.Format.TEXT,
    most: _Most = 1000,
    quiet: _MeldsQuiet = False,
) -> int:
    """Lists every meld of the cards, largest first, with what each wild card may stand for.

    The cards are taken as given, whoever holds them. Without --rules, the game is 500-rummy.

    Examples:
      meldref melds "5h 6h 7h 8c 8d Jk"
    """
    from meldref.report.melds import melds_data, melds_text

    (row, _), wanted = both(
        lambda: both(
            lambda: cards_named(" ".join(cards), "melds are made of cards that are known"),
            lambda: rank_for(wild),
        ),
        lambda: asked(rules, with_, set_),
    )
    ruleset = usable(wanted)
    position = options.PositionOptions(
        [" ".join(cards)], players=_players(ruleset, row), wild=wild, hand_number=hand_number
    )
    built = from_options(position, lambda: wanted).built
    if built is None:
        return UNUSABLE
    valued, searched = _in(built)
    complete = searched and len(valued) <= most
    output.show(
        format_,
        lambda: melds_data(valued[:most], complete=complete),
        lambda: melds_text(valued[:most], quiet=quiet),
    )
    if not searched and not quiet:
        output.notice(
            "meldref: there are too many melds to look at all of them: larger ones may be missing"
        )
    elif not complete and not quiet:
        output.notice(f"meldref: there are {len(valued):,}; --most {len(valued)} lists them all")
    if any(_in(hand)[0] != valued for _, hand in built.in_hands[1:]):
        _tell_of_hands("so do the melds")
    return CLEAN


def _in(built: Built) -> tuple[list[ValuedMeld], bool]:
    """The melds of the hand of the player to move, and whether all were looked at."""
    from meldref.rules.points import valued_melds

    at = built.position
    with EFFORT.at_most(_EFFORT):
        valued = valued_melds(at.book, built.judge.play.worth, at.hands[at.turn.seat], _LOOKED_AT)
        return valued, len(valued) < _LOOKED_AT and not EFFORT.over


def _players(ruleset: Ruleset, row: Sequence[Card]) -> str:
    """The names of as few players as have all these cards in their deck."""
    return ",".join(ascii_uppercase[: table_for(ruleset, row)])


def _tell_of_hands(so_what: str) -> None:
    """Says that the answer depends on the hand of the game, and for which hand it is."""
    output.notice(
        f"meldref: the rules differ from hand to hand, and {so_what}: "
        "this is hand 1; say which hand with --hand-number"
    )


class For(StrEnum):
    """What is to be as much as it can be."""

    SCORE = "score"
    POINTS = "points"


_Cards = Annotated[list[str], typer.Argument(metavar="CARDS", help='Such as "5h 6h 7h 8c 8d Jk".')]
_For = Annotated[
    For,
    typer.Option(
        "--for",
        help="What to maximize: the gain in the hand's score, with cards no longer held; or points "
        "alone; both with what house rules award for laying.",
    ),
]
_Players = Annotated[
    str | None,
    typer.Option("--players", metavar="NAMES", help="Who plays, clockwise.  [default: A,B,…]"),
]
_ToMove = Annotated[
    str | None,
    typer.Option(
        "--to-move", metavar="NAME", help="Whose hand it is.  [default: the first player's]"
    ),
]
_BestQuiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show only what is laid, one play per line.")
]


def best(
    cards: _Cards,
    table: options.Table = None,
    for_: _For = For.SCORE,
    players: _Players = None,
    to_move: _ToMove = None,
    wild: options.Wild = None,
    hand_number: options.HandNumber = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    format_: options.FormatOption = options.Format.TEXT,
    quiet: _BestQuiet = False,
) -> int:
    """Finds the most valuable way to lay down a hand, and proves that it is the best.

    It counts points on the table and, if hands count against their holders, the cards no longer
    held. If the rules require a last discard, a card is kept for it. Wild cards on the table are
    exchanged where that pays. What house rules forbid is not laid, nor what they let no discard
    follow; what they award for it counts. Other duties of a turn (a card that must be used, what
    may be discarded) are ignored. Without --rules, the game is 500-rummy.

    Examples:
      meldref best "5h 6h 7h 8c 8d Jk"
      meldref best "5h 6h 7h Ac" --table "m1: B 8h 9h Th" --rules 500-rum
    """
    from meldref_table.best import Goal, TooManyWays
    from meldref_table.best.every_way import best_lay_down
    from meldref_table.report.lay_down import lay_down_data, lay_down_text

    row, wanted = both(
        lambda: cards_named(" ".join(cards), "only cards that are known are laid down"),
        lambda: asked(rules, with_, set_),
    )
    ruleset = usable(wanted)
    position = options.PositionOptions(
        [" ".join(cards)],
        table=table,
        players=players or _players(ruleset, row),
        to_move=to_move,
        wild=wild,
        hand_number=hand_number,
    )
    built = from_options(position, lambda: wanted).built
    if built is None:
        return UNUSABLE
    goal: Goal = for_.value
    try:
        way = best_lay_down(built.judge, built.position, goal)
        others = [best_lay_down(hand.judge, hand.position, goal) for _, hand in built.in_hands[1:]]
    except TooManyWays:
        raise Unusable("CARDS: they can be laid in more ways than can be compared") from None
    output.show(format_, lambda: lay_down_data(way, goal), lambda: lay_down_text(way, quiet=quiet))
    if any(other.plays != way.plays for other in others):
        _tell_of_hands("so does the best way")
    return CLEAN
