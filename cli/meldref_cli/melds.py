"""`meldref melds` and `meldref best`: every meld of some cards, and the most valuable way to lay a hand down."""

from __future__ import annotations

from enum import StrEnum
from string import ascii_uppercase
from typing import Final

from meldref.core.cards import counted
from meldref.core.effort import EFFORT
from meldref_cli import options, output
from meldref_cli.card_args import cards_named, check_wild, rank_for, table_for
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable, both
from meldref_cli.position_args import from_options
from meldref_cli.ruleset_args import asked, usable

_LOOKED_AT: Final = 50_000
"""How many melds are listed at most; with many wild cards there may be millions."""
_EFFORT: Final = 200_000
"""How much is searched to find them."""


def melds(
    cards: list[str],
    wild: str | None = None,
    rules: options.RulesOptions = options.NO_RULES,
    format_: options.Format = options.Format.TEXT,
    most: int = 1_000,
    quiet: bool = False,
) -> int:
    """Lists every meld of all or some of the cards, largest first, with what each wild card may stand for."""
    from meldref.melds import meld_index
    from meldref.report.melds import melds_data, melds_text
    from meldref.scoring.points import Worth, valued_melds

    (row, rank), wanted = both(
        lambda: both(
            lambda: cards_named(" ".join(cards), "melds are made of cards that are known"), lambda: rank_for(wild)
        ),
        lambda: asked(*rules),
    )
    ruleset = usable(wanted)
    check_wild(ruleset, wild)
    book = meld_index(ruleset, table_for(ruleset, row), rank)
    with EFFORT.at_most(_EFFORT):
        found = valued_melds(book, Worth(ruleset), counted(row), _LOOKED_AT)
        searched = len(found) < _LOOKED_AT and not EFFORT.over
    complete = searched and len(found) <= most
    output.show(
        format_, lambda: melds_data(found[:most], complete=complete), lambda: melds_text(found[:most], quiet=quiet)
    )
    if not searched and not quiet:
        output.notice("meldref: there are too many melds to look at all of them: larger ones may be missing")
    elif not complete and not quiet:
        output.notice(f"meldref: there are {len(found):,}; --most {len(found)} lists them all")
    return CLEAN


class For(StrEnum):
    """What is to be as much as it can be."""

    SCORE = "score"
    POINTS = "points"


def best(
    cards: list[str],
    table: list[str] | None = None,
    for_: For = For.SCORE,
    players: str | None = None,
    to_move: str | None = None,
    wild: str | None = None,
    rules: options.RulesOptions = options.NO_RULES,
    format_: options.Format = options.Format.TEXT,
    quiet: bool = False,
) -> int:
    """Finds the most valuable way to lay down a hand, and proves that it is the best."""
    from meldref.best import TooManyWays, best_at
    from meldref.report.melds import lay_down_data, lay_down_text

    row, wanted = both(
        lambda: cards_named(" ".join(cards), "only cards that are known are laid down"), lambda: asked(*rules)
    )
    ruleset = usable(wanted)
    names = players or ",".join(ascii_uppercase[: table_for(ruleset, row)])
    position = options.PositionOptions([" ".join(cards)], table=table, players=names, to_move=to_move, wild=wild)
    built, _ = from_options(position, lambda: wanted)
    if built is None:
        return UNUSABLE
    try:
        found = best_at(built.judge.binding, built.position, for_.value)
    except TooManyWays:
        raise Unusable("CARDS: they can be laid in more ways than can be compared") from None
    output.show(format_, lambda: lay_down_data(found, for_.value), lambda: lay_down_text(found, quiet=quiet))
    return CLEAN
