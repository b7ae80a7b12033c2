"""What differs in meaning between two rulesets, key by key, whatever their files look like.

Tables are compared for each number of players that both allow and for each card that both decks have; entries
that differ alike come together again, as `deal.cards.3-5`. Kinds of meld are compared by what they are, then by
name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

from meldref.authoring.meaning import Said, kinds_of, said_by
from meldref.core.cards import RANKS, SUITS
from meldref.core.diagnostics import Origin
from meldref.core.records import changed, record
from meldref.documents.reader import Value
from meldref.rulefiles.merge import HANDS
from meldref.rulefiles.show import written_rule
from meldref.ruleset.changes import SECTIONS, hand_rules, in_hand
from meldref.ruleset.model import Ruleset

_HELD: Final = "scoring.held"
_CARD_TABLES: Final = ("scoring.values", _HELD)
_TABLES: Final = ("deck.packs", "deck.jokers_in_all", "deal.cards", *_CARD_TABLES)
_KINDS: Final = "melds.kinds"


@record
class Side:
    """What one ruleset says about a key, None if nothing; `rests` is the key that switches it off."""

    value: Value
    origin: Origin | None
    rests: str = ""


@record
class Difference:
    """One key on which two rulesets differ."""

    key: str
    first: Side
    second: Side


@record
class Differences:
    """Everything in which two rulesets differ.

    `in_meaning` are the keys by which they play differently, `apart` those that are written differently without
    any effect: they are switched off on both sides, amount to the same, or nothing checks them.
    """

    in_meaning: tuple[Difference, ...]
    apart: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether both mean the same."""
        return not self.in_meaning


def compare_meaning(first: Ruleset, second: Ruleset) -> Differences:
    """What differs between two rulesets."""
    told = [*_told(first, second), *_in_hands(first, second)]
    told.sort(key=lambda one: _order(one[0].key))
    in_meaning = [difference for difference, weighs in told if weighs]
    apart = [difference for difference, weighs in told if not weighs]
    for key, both, weighs in _house_rules(first, second):
        (in_meaning if weighs else apart).append(Difference(key, *both))
    if first.customs != second.customs:
        lists = [Side(list(one.customs), one.origin("customs")) for one in (first, second)]
        apart.append(Difference("customs", *lists))
    return Differences(tuple(_joined(in_meaning)), tuple(_joined(apart)))


def _house_rules(first: Ruleset, second: Ruleset) -> Iterator[tuple[str, tuple[Side, Side], bool]]:
    """House rules that one side lacks or that differ, and whether in more than their wording."""
    one, other = ({rule.name: rule for rule in rules.house_rules} for rules in (first, second))
    for name in dict.fromkeys((*one, *other)):
        rules, key = (one.get(name), other.get(name)), f"house_rules.{name}"
        if rules[0] == rules[1]:
            continue
        sides = [
            Side(None if rule is None else written_rule(rule), None if rule is None else where.origin(key))
            for rule, where in zip(rules, (first, second), strict=True)
        ]
        bare = [None if rule is None else changed(rule, says="", why="", source="") for rule in rules]
        yield key, (sides[0], sides[1]), bare[0] != bare[1]


def _told(first: Ruleset, second: Ruleset) -> list[tuple[Difference, bool]]:
    return [*_by_kind(kinds_of(first), kinds_of(second)), *_by_key(said_by(first), said_by(second))]


def _in_hands(first: Ruleset, second: Ruleset) -> Iterator[tuple[Difference, bool]]:
    """What differs in single hands, and does not differ in the same way in all others."""
    everywhere = {(one.key, str(one.first.value), str(one.second.value)) for one, _ in _told(first, second)}
    numbers = {number for one in (*first.hands, *second.hands) for number in range(one.first, one.last + 1)}
    for number in sorted(numbers):
        sides = [
            ruleset if (hand := hand_rules(ruleset, number)) is None else in_hand(ruleset, hand)
            for ruleset in (first, second)
        ]
        for one, weighs in _told(*sides):
            if (one.key, str(one.first.value), str(one.second.value)) not in everywhere:
                yield changed(one, key=f"{HANDS}.{number}.{one.key}"), weighs


def _order(key: str) -> tuple[int, bool]:
    """Sections in the files' order, points of cards in hand after the other points; single hands last."""
    section = key.partition(".")[0]
    return SECTIONS.index(section) if section in SECTIONS else len(SECTIONS), key.startswith(_HELD)


def _by_key(first: Mapping[str, Said], second: Mapping[str, Said]) -> Iterator[tuple[Difference, bool]]:
    """The keys that are written differently, and whether it matters; entries of a table only if it does."""
    for key in dict.fromkeys((*first, *second)):
        one, other = _paired(key, first, second)
        if one is None or other is None or one.value == other.value:
            continue  # one value that means two things does so because of another key
        same = one.meaning == other.meaning
        if same and key.startswith(_TABLES):
            continue
        yield Difference(key, _side(one), _side(other)), not same and not (one.rests and other.rests)


def _paired(key: str, first: Mapping[str, Said], second: Mapping[str, Said]) -> tuple[Said | None, Said | None]:
    """What both say about a key; a card without points of its own in hand counts what it does on the table."""
    one, other = first.get(key), second.get(key)
    if key.startswith(_HELD):
        table = f"scoring.values{key.removeprefix(_HELD)}"
        one, other = one or _as_on_table(key, first.get(table)), other or _as_on_table(key, second.get(table))
    return one, other


def _as_on_table(key: str, said: Said | None) -> Said | None:
    return said and Said(key, None, said.meaning, said.origin)


def _side(said: Said) -> Side:
    return Side(said.value, said.origin, said.rests)


# --- kinds of meld ---------------------------------------------------------------------------------------------


def _by_kind(
    first: dict[str, dict[str, Said]], second: dict[str, dict[str, Said]]
) -> Iterator[tuple[Difference, bool]]:
    """Kinds that both have, under any name, are left out; then those of one name are compared key by key."""
    first, second = dict(first), dict(second)
    for name in list(first):
        for other in sorted(second, key=lambda one: one != name):
            if all(said.meaning == second[other][part].meaning for part, said in first[name].items()):
                if name == other:
                    yield from _parts(first[name], second[other])
                else:
                    yield _whole(name, first[name], None), False
                    yield _whole(other, None, second[other]), False
                del first[name], second[other]
                break
    for name in [*first, *(name for name in second if name not in first)]:
        if name in first and name in second:
            yield from _parts(first[name], second[name])
        else:
            yield _whole(name, first.get(name), second.get(name)), True


def _parts(one: Mapping[str, Said], other: Mapping[str, Said]) -> Iterator[tuple[Difference, bool]]:
    """The keys of a kind that are written differently."""
    for part, said in one.items():
        there = other[part]
        if said.value != there.value:
            yield Difference(said.key, _side(said), _side(there)), said.meaning != there.meaning


def _whole(name: str, one: Mapping[str, Said] | None, other: Mapping[str, Said] | None) -> Difference:
    """A kind that only one side has."""
    return Difference(f"{_KINDS}.{name}", *(_kind_side(parts) for parts in (one, other)))


def _kind_side(parts: Mapping[str, Said] | None) -> Side:
    if parts is None:
        return Side("none", None)
    value = {name: said.value for name, said in parts.items() if not said.rests}
    return Side(value, parts["size"].origin)


# --- tables ----------------------------------------------------------------------------------------------------


def _joined(found: Sequence[Difference]) -> Iterator[Difference]:
    """Neighbouring entries of a table with the same difference become one: cards of a rank, ranks, numbers."""
    for table, run in groupby(found, key=_table_of):
        if not table:
            yield from run
            continue
        entries = {one.key.removeprefix(f"{table}."): one for one in run}
        if table in _CARD_TABLES:
            entries = _by_rank(entries)
        yield from _by_neighbours(table, entries)


def _table_of(one: Difference) -> str:
    """The table that a difference is in; empty if it is in none."""
    return next((name for name in _TABLES if one.key.startswith(f"{name}.")), "")


def _by_rank(entries: Mapping[str, Difference]) -> dict[str, Difference]:
    """Cards of one rank with the same difference in all suits, as that rank; ranks before single cards."""
    ranks: dict[str, Difference] = {}
    cards: dict[str, Difference] = {}
    for rank in (*RANKS, "joker", "wild"):
        names = [rank] if rank in {"joker", "wild"} else [rank + suit for suit in SUITS]
        there = [entries[name] for name in names if name in entries]
        if len(there) == len(names) and len({_sides(one) for one in there}) == 1:
            ranks[rank] = there[0]
        else:
            cards |= {name: entries[name] for name in names if name in entries}
    return ranks | cards


def _by_neighbours(table: str, entries: Mapping[str, Difference]) -> Iterator[Difference]:
    order = [*RANKS, "joker"] if table in _CARD_TABLES else [str(number) for number in range(100)]
    names: list[str] = []
    for name in entries:
        if names and not _goes_on(order, entries[names[-1]], entries[name], names[-1], name):
            yield _entry(table, names, entries)
            names = []
        names.append(name)
    if names:
        yield _entry(table, names, entries)


def _goes_on(order: Sequence[str], one: Difference, other: Difference, last: str, name: str) -> bool:
    """Whether an entry continues the run before it."""
    if name in {"joker", "wild"} or last not in order or name not in order or _sides(one) != _sides(other):
        return False
    return order.index(name) == order.index(last) + 1


def _entry(table: str, names: Sequence[str], entries: Mapping[str, Difference]) -> Difference:
    said = names[0] if len(names) == 1 else f"{names[0]}-{names[-1]}"
    one = entries[names[0]]
    return Difference(f"{table}.{said}", one.first, one.second)


def _sides(one: Difference) -> tuple[object, ...]:
    """What has to be equal in two entries of a run."""
    return (one.first.value, one.first.origin, one.second.value, one.second.origin)
