"""What differs in meaning between two rulesets, key by key, whatever their files look like.

Tables are compared for each number of players that both allow and for each card that both decks
have; entries that differ alike come together again, as `deal.cards.3-5`. Kinds of meld are compared
by what they are, then by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import Final

from meldref.core.cards import RANKS, SUITS
from meldref.core.diagnostics import Origin
from meldref.core.records import changed, record
from meldref.rulefiles.merge import CARD_TABLES, HANDS, PLAYER_TABLES
from meldref.ruleset.changes import SECTIONS, hand_rules, in_hand
from meldref.ruleset.model import HouseRule, Ruleset
from meldref_authoring.meaning import Said, kinds_of, said_by
from meldref_authoring.rulefiles.show import joined, written_rule

_HELD: Final = "scoring.held"
_TABLES: Final = (*PLAYER_TABLES, *CARD_TABLES)
UNSEEN: Final = {
    "draw.dead_end": "a turn without a legal end is illegal in a record, however it began",
    "out.face": "a last discard that nobody saw is left open: it is not a violation",
    "calls.several": "if two players call, one of them is too late either way",
}
"""Keys that no record of a game can show, and why."""


@record
class Difference:
    """One key on which two rulesets differ."""

    key: str
    first: Said
    second: Said


@record
class Differences:
    """Everything in which two rulesets differ.

    `in_meaning` are the keys by which they play differently, `apart` those that are written
    differently without any effect: they are switched off on both sides, amount to the same, or
    nothing checks them.
    """

    in_meaning: tuple[Difference, ...]
    apart: tuple[Difference, ...]

    @property
    def same(self) -> bool:
        """Whether both mean the same."""
        return not self.in_meaning


def compare_meaning(first: Ruleset, second: Ruleset) -> Differences:
    """What differs between two rulesets."""
    differences = [*_settings(first, second), *_in_hands(first, second)]
    differences.sort(key=lambda entry: _order(entry[0].key))
    differences += _house_rules(first, second)
    if first.customs != second.customs:
        before = Said([*first.customs], first.origin("customs"))
        after = Said([*second.customs], second.origin("customs"))
        differences.append((Difference("customs", before, after), False))
    in_meaning = [difference for difference, weighs in differences if weighs]
    apart = [difference for difference, weighs in differences if not weighs]
    return Differences(tuple(_joined(in_meaning)), tuple(_joined(apart)))


def _house_rules(first: Ruleset, second: Ruleset) -> Iterator[tuple[Difference, bool]]:
    """House rules that one side lacks or that differ, and whether in more than their wording."""
    before = {rule.name: rule for rule in first.house_rules}
    after = {rule.name: rule for rule in second.house_rules}
    for name in {**before, **after}:
        rule, other = before.get(name), after.get(name)
        if rule == other:
            continue
        key = f"house_rules.{name}"
        sides = _rule_said(rule, first.origin(key)), _rule_said(other, second.origin(key))
        yield Difference(key, *sides), _without_words(rule) != _without_words(other)


def _rule_said(rule: HouseRule | None, origin: Origin | None) -> Said:
    return Said(None, None) if rule is None else Said(written_rule(rule), origin)


def _without_words(rule: HouseRule | None) -> HouseRule | None:
    """A house rule without the texts that nobody judges by."""
    return None if rule is None else changed(rule, says="", why="", source="")


def _settings(first: Ruleset, second: Ruleset) -> list[tuple[Difference, bool]]:
    """The kinds of meld and the keys that are written differently, and whether it matters."""
    return [*_by_kind(kinds_of(first), kinds_of(second)), *_by_key(said_by(first), said_by(second))]


def _in_hands(first: Ruleset, second: Ruleset) -> Iterator[tuple[Difference, bool]]:
    """What differs in single hands, and does not differ in the same way in all others."""

    def gist(difference: Difference) -> tuple[str, str, str]:
        return difference.key, str(difference.first.value), str(difference.second.value)

    def in_hand_of(ruleset: Ruleset, number: int) -> Ruleset:
        hand = hand_rules(ruleset, number)
        return ruleset if hand is None else in_hand(ruleset, hand)

    everywhere = {gist(difference) for difference, _ in _settings(first, second)}
    numbers: set[int] = set()
    for hands in (*first.hands, *second.hands):
        numbers.update(range(hands.first, hands.last + 1))
    for number in sorted(numbers):
        for difference, weighs in _settings(in_hand_of(first, number), in_hand_of(second, number)):
            if gist(difference) not in everywhere:
                yield changed(difference, key=f"{HANDS}.{number}.{difference.key}"), weighs


def _order(key: str) -> tuple[int, bool]:
    """Sections in the files' order, points of cards in hand after the other points.

    Single hands last.
    """
    section = key.partition(".")[0]
    return SECTIONS.index(section) if section in SECTIONS else len(SECTIONS), key.startswith(_HELD)


def _by_key(
    first: Mapping[str, Said], second: Mapping[str, Said]
) -> Iterator[tuple[Difference, bool]]:
    """The keys that are written differently, and whether it matters.

    Entries of a table only if it does.
    """
    for key in {**first, **second}:
        left, other = _paired(key, first, second)
        if left is None or other is None or left.value == other.value:
            continue  # one value that means two things does so because of another key
        same = left.meaning == other.meaning
        if same and key.startswith(_TABLES):
            continue
        yield Difference(key, left, other), not same and not (left.rests and other.rests)


def _paired(
    key: str, first: Mapping[str, Said], second: Mapping[str, Said]
) -> tuple[Said | None, Said | None]:
    """What both say about a key.

    A card without points of its own in hand counts what it does on the table.
    """

    def what(meanings: Mapping[str, Said]) -> Said | None:
        if key in meanings or not key.startswith(_HELD):
            return meanings.get(key)
        laid = meanings.get(f"scoring.values{key.removeprefix(_HELD)}")
        return laid and Said(None, laid.origin, "", laid.meaning)

    return what(first), what(second)


# --- kinds of meld --------------------------------------------------------------------------------


def _by_kind(
    first: dict[str, dict[str, Said]], second: dict[str, dict[str, Said]]
) -> Iterator[tuple[Difference, bool]]:
    """Kinds that both have, under any name, are taken out.

    Then those of one name are compared key by key.
    """
    for name, parts in list(first.items()):
        for other in sorted(second, key=lambda candidate: candidate != name):
            if any(value.meaning != second[other][part].meaning for part, value in parts.items()):
                continue
            if name == other:
                yield from _parts(name, parts, second[other])
            else:
                yield _whole(name, parts, None), False
                yield _whole(other, None, second[other]), False
            del first[name], second[other]
            break
    for name in {**first, **second}:
        if name in first and name in second:
            yield from _parts(name, first[name], second[name])
        else:
            yield _whole(name, first.get(name), second.get(name)), True


def _parts(
    name: str, before: Mapping[str, Said], other: Mapping[str, Said]
) -> Iterator[tuple[Difference, bool]]:
    """The keys of a kind that are written differently."""
    for part, value in before.items():
        there = other[part]
        if value.value != there.value:
            difference = Difference(f"melds.kinds.{name}.{part}", value, there)
            yield difference, value.meaning != there.meaning


def _whole(name: str, *sides: Mapping[str, Said] | None) -> Difference:
    """A kind that only one side has."""
    both = []
    for parts in sides:
        if parts is None:
            both.append(Said("none", None))
        else:
            written = {part: value.value for part, value in parts.items() if not value.rests}
            both.append(Said(written, parts["size"].origin))
    return Difference(f"melds.kinds.{name}", *both)


# --- tables ---------------------------------------------------------------------------------------


def _joined(differences: Sequence[Difference]) -> Iterator[Difference]:
    """Merges neighbouring entries of a table with one difference: cards, ranks, numbers."""
    for table, run in groupby(differences, key=_table_of):
        if not table:
            yield from run
            continue
        entries = {difference.key.removeprefix(f"{table}."): difference for difference in run}
        if table.endswith((*CARD_TABLES,)):
            entries = _by_rank(entries)
        for names, first in joined(entries, partial(_sides, entries)):
            yield changed(entries[first], key=f"{table}.{names}")


def _table_of(difference: Difference) -> str:
    """The table that a difference is in, that of a hand too; empty if it is in none."""
    table = difference.key.rpartition(".")[0]
    return table if table.endswith(_TABLES) else ""


def _by_rank(entries: Mapping[str, Difference]) -> dict[str, Difference]:
    """Cards of one rank with the same difference in all suits, as that rank.

    Ranks before single cards.
    """
    ranks: dict[str, Difference] = {}
    cards: dict[str, Difference] = {}
    for rank in (*RANKS, "joker", "wild"):
        names = [rank] if rank in {"joker", "wild"} else [rank + suit for suit in SUITS]
        there = [entries[name] for name in names if name in entries]
        if len(there) == len(names) and len({_sides(entries, name) for name in names}) == 1:
            ranks[rank] = there[0]
        else:
            cards |= {name: entries[name] for name in names if name in entries}
    return ranks | cards


def _sides(entries: Mapping[str, Difference], name: str) -> tuple[object, ...]:
    """What has to be equal in two entries of a run."""
    first, second = entries[name].first, entries[name].second
    return first.value, first.origin, second.value, second.origin
