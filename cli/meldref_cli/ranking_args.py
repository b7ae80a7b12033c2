"""How standings are to be made, as options say."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from meldref.core.text import in_words
from meldref_cli.errors import Unusable
from meldref_cli.files import read_document

if TYPE_CHECKING:
    from meldref_table.standings import Ranking


def ranking_from(
    by: str | None, places: str | None, best: int | None, aliases: str | None
) -> Ranking:
    """The ranking that options ask for; with a club's points for places, it goes by those.

    Raises:
        Unusable: an option says what is none of it; all of them are told.
    """
    from meldref_table.standings import Order, Ranking

    wrong: list[str] = []
    points: tuple[int, ...] = ()
    if places is not None:
        if re.fullmatch(r"\s*\d{1,6}(\s*,\s*\d{1,6})*\s*", places):
            points = tuple(int(part) for part in places.split(","))
        else:
            wrong.append(f"--places {places}: give the points of each place, as in 5,3,2,1")
    order = Order.PLACES if points else Order.WINS
    if by is not None and by not in [*Order]:
        wrong.append(f"--by {by}: it is {in_words([*Order], 'or')}")
    elif by is not None:
        order = Order(by)
    if order is Order.PLACES and not points and not wrong:
        wrong.append("--by places: give the points of each place, as in --places 5,3,2,1")
    names = {} if aliases is None else _read_aliases(aliases, wrong)
    if wrong:
        raise Unusable(*wrong)
    return Ranking(order, points, best, names)


def _read_aliases(path: str, wrong: list[str]) -> dict[str, str]:
    """The other names of players that a file lists; blank lines and comments aside."""
    from meldref_table.standings import read_alias

    names: dict[str, str] = {}
    text = read_document(path).decode("utf-8-sig", "replace")
    for number, line in enumerate(text.splitlines(), start=1):
        written = line.partition("#")[0].strip()
        if not written:
            continue
        alias = read_alias(written)
        if alias is None:
            wrong.append(f'{path}:{number}: write NAME = OTHER NAME, as in "Lotte = Oma Lotte"')
        else:
            names.update(alias)
    return names
