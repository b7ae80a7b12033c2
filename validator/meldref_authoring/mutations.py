"""Rulesets that differ from a given one in one key only."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import Final, TypeVar

from meldref.core.cards import JOKER, RANKS, Card, card_text
from meldref.core.diagnostics import errors_in
from meldref.core.records import changed
from meldref.melds.explain_failure import STANDARD
from meldref.rulefiles.consistency import check_sense
from meldref.rulefiles.merge import CARD_TABLES, PLAYER_TABLES, card_names
from meldref.rulefiles.vocabulary import describe_key
from meldref.ruleset.changes import differences, in_hand
from meldref.ruleset.changes import with_value as _with
from meldref.ruleset.model import ByPlayers, Kind, Ruleset

_T = TypeVar("_T")
_FULL_TABLES: Final = ("deck.packs", "deal.cards")
"""Tables with an entry for each number of players."""


def variants(ruleset: Ruleset, key: str) -> Iterator[Ruleset]:
    """Consistent rulesets that differ in this key only, a path as `merged_values` gives it.

    A word is every other word that the key takes; of a list each word is left out, and each other
    one added; a number is the next one up and down, and the least and the most there can be; a
    range is wider and narrower; a kind of meld that was taken away is put back, if players know it
    from other games.
    """
    for varied in _variants(ruleset, key):
        if not errors_in(check_sense(varied)):
            yield varied


def _variants(ruleset: Ruleset, key: str) -> Iterator[Ruleset]:
    table, _, entry = key.rpartition(".")
    if table == "house_rules":
        yield from _house_rules(ruleset, entry)
    elif key.startswith("hands."):
        yield from _in_hands(ruleset, *key.split(".", 2)[1:])
    elif table in PLAYER_TABLES:
        yield from _player_tables(ruleset, table, entry)
    elif table in CARD_TABLES:
        yield from _card_tables(ruleset, table, entry)
    elif table == "melds.kinds":  # one that was taken away
        for kind in STANDARD:
            if kind.name == entry:
                yield _with(ruleset, table, (*ruleset.melds.kinds, kind))
    elif key.startswith("melds.kinds."):
        yield from _kinds(ruleset, table.removeprefix("melds.kinds."), entry)
    elif key == "game.hands":
        for hands in _ranges(*ruleset.game.hands, 999):
            yield _with(ruleset, key, hands)
    else:
        for value in _others(key, attrgetter(key)(ruleset)):
            yield _for_all_players(_with(ruleset, key, value))


def _house_rules(ruleset: Ruleset, name: str) -> Iterator[Ruleset]:
    """Without a house rule; then, if it has a condition, with the rule always applying."""
    rules = ruleset.house_rules
    yield changed(ruleset, house_rules=tuple([rule for rule in rules if rule.name != name]))
    for rule in rules:
        if rule.name == name and (rule.when or rule.unless):
            always = changed(rule, when="", unless="")
            yield changed(ruleset, house_rules=_exchanged(rules, rule, always))


def _in_hands(ruleset: Ruleset, run: str, key: str) -> Iterator[Ruleset]:
    """Rulesets that differ only in these hands."""
    first = int(run.partition("-")[0])
    hand = next(hands for hands in ruleset.hands if hands.first == first)
    base = changed(ruleset, hands=())
    for varied in _variants(in_hand(ruleset, hand), key):
        other = changed(hand, changes=tuple(differences(base, varied)))
        yield changed(ruleset, hands=_exchanged(ruleset.hands, hand, other))


def _exchanged(things: Sequence[_T], old: _T, new: _T) -> tuple[_T, ...]:
    """Things with another one in place of one of them."""
    place = things.index(old)
    return (*things[:place], new, *things[place + 1 :])


def _for_all_players(ruleset: Ruleset) -> Ruleset:
    """A ruleset with table entries for all who can play: missing ones from the nearest number."""
    for table in _FULL_TABLES:
        numbers: ByPlayers = attrgetter(table)(ruleset)
        filled: dict[int, int] = {}
        for players in ruleset.players.numbers:
            apart = {stated: abs(stated - players) for stated in numbers.numbers}
            filled[players] = numbers[min(apart, key=apart.__getitem__)]
        if not filled.keys() <= numbers.numbers.keys():
            ruleset = _with(ruleset, table, ByPlayers(filled))
    return ruleset


def _others(key: str, value: object) -> Iterator[object]:
    """The other values that a key could have."""
    about = describe_key(key)
    if about is None:
        return
    words = [word.value for word in about.words]
    if key == "melds.wild.cards":
        words += RANKS
    if isinstance(value, tuple):
        yield from _lists(value, words)
    elif isinstance(value, str):
        yield from (word for word in words if word != value)
    elif value is None:  # the word beside a number, which the model has as nothing
        yield from [number for number in (1, 100) if number <= (about.most or 0)]
    elif isinstance(value, int):
        yield from _numbers(value, about.least, about.most)
        if words:
            yield None


def _lists(value: Sequence[str], words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    for word in value:
        yield tuple(item for item in value if item != word)
    for word in words:
        if word not in value:
            yield (*value, word)


def _numbers(value: int, least: int | None, most: int | None) -> Iterator[int]:
    """The numbers next to one, then the bounds."""
    for number in dict.fromkeys((value + 1, value - 1, least, most)):
        if number is None or number == value:
            continue
        if (least is None or number >= least) and (most is None or number <= most):
            yield number


def _ranges(low: int, high: int, most: int) -> Iterator[tuple[int, int]]:
    for below, above in ((1, 0), (-1, 0), (0, -1), (0, 1), (1, 1)):
        less, more = low + below, high + above
        if 1 <= less <= more <= most:
            yield less, more


def _player_tables(ruleset: Ruleset, table: str, entry: str) -> Iterator[Ruleset]:
    numbers: ByPlayers = attrgetter(table)(ruleset)
    low, _, high = entry.partition("-")
    meant = range(int(low), int(high or low) + 1)
    about = describe_key(table)
    assert about is not None
    for other in _numbers(numbers[int(low)], about.least, about.most):
        yield _with(ruleset, table, ByPlayers({**numbers.numbers, **dict.fromkeys(meant, other)}))


def _card_tables(ruleset: Ruleset, table: str, entry: str) -> Iterator[Ruleset]:
    """Cards worth a point more or less, in hand as well unless they have other points there."""
    scoring = ruleset.scoring
    if entry == "wild":
        field = "wild_held" if table == "scoring.held" else "wild_cards"
        for step in (1, -1):
            yield changed(
                ruleset, scoring=changed(scoring, **{field: getattr(scoring, field) + step})
            )
        return
    meant = cards_of(entry)
    for step in (1, -1):
        values, held = list(scoring.values), list(scoring.held)
        for card in meant:
            if table == "scoring.held" or scoring.held[card] == scoring.values[card]:
                held[card] += step
            if table == "scoring.values":
                values[card] += step
        yield changed(ruleset, scoring=changed(scoring, values=tuple(values), held=tuple(held)))


def cards_of(entry: str) -> list[Card]:
    """The cards that an entry of a table names: a rank, ranks, one card, or jokers."""
    names = {*card_names(entry)}
    cards = [card for card in range(JOKER) if names & {card_text(card), RANKS[card % 13]}]
    return [*cards, JOKER] if "joker" in names else cards


def _kinds(ruleset: Ruleset, name: str, part: str) -> Iterator[Ruleset]:
    kind = next(kind for kind in ruleset.melds.kinds if kind.name == name)
    for other in _other_kinds(kind, part):
        yield _with(ruleset, "melds.kinds", _exchanged(ruleset.melds.kinds, kind, other))


def _other_kinds(kind: Kind, part: str) -> Iterator[Kind]:
    about = describe_key(f"melds.kinds.{kind.name}.{part}")
    assert about is not None
    words = [word.value for word in about.words if not word.value.startswith("only")]
    if part == "size":
        for low, high in _ranges(kind.min_size, kind.max_size, 99):
            yield changed(kind, min_size=low, max_size=high)
    elif part == "ace":
        yield from (changed(kind, ace=places) for places in _lists(kind.ace, words))
    else:
        yield from (changed(kind, require=required) for required in _lists(kind.require, words))
        if kind.only is not None:
            yield changed(kind, only=None)
