"""`meldref best`: the most valuable way to lay down a hand."""

from __future__ import annotations

from enum import StrEnum
from string import ascii_uppercase

from meldref_cli import options, output
from meldref_cli.card_args import cards_named, table_for
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable, both


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
    from meldref_cli.position_args import from_options
    from meldref_cli.ruleset_args import asked, usable

    row, wanted = both(
        lambda: cards_named(" ".join(cards), "only cards that are known are laid down"),
        lambda: asked(*rules),
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
