"""A merged ruleset as YAML again, each key with the file and line that set it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final

from meldref.core.cards import JOKER, RANKS, card_text, natural
from meldref.core.diagnostics import Origin
from meldref.core.text import alike
from meldref.documents.reader import Value, quote_text
from meldref.rulefiles.merge import flow, is_within, where, written_range
from meldref.rules.points import KEYS_OF_ACES
from meldref.ruleset.changes import in_hand, values_of
from meldref.ruleset.model import ByPlayers, HouseRule, Kind, Ruleset

_COLUMN: Final = 40
_SHOWN_IN_TABLES: Final = ("scoring.wild_cards", "scoring.wild_held")
"""Fields of the model that are lines of tables."""
_PLACES: Final = {
    **{rank: place for place, rank in enumerate(RANKS, start=1)},
    **{str(number): number for number in range(2, 100)},
}
"""Where entries of tables, ranks or numbers of players, come in their order."""


def show_merged(
    ruleset: Ruleset,
    below: Callable[[str], Sequence[Origin]] | None = None,
    *,
    origins: bool = True,
) -> str:
    """The whole ruleset as a rules file that stands alone, with `# file:line` behind each key.

    With `below` (`Trace.below`), the comment also says which value of which file a key was set
    over; without `origins` there are no comments.
    """
    lines = [f"id: {ruleset.id}"]
    for key in ("name", "about", "source"):
        text = getattr(ruleset, key)
        if text or key == "name":
            lines.append(f"{key}: {quote_text(text)}")
    if ruleset.customs:
        lines.append("customs:")
        lines += [f"  - {quote_text(custom)}" for custom in ruleset.customs]
    path: tuple[str, ...] = ()
    for key, value, origin in merged_values(ruleset):
        parts = tuple(key.split("."))
        same = alike(path, parts[:-1])
        if not same:
            lines.append("")
        lines += [f"{'  ' * depth}{parts[depth]}:" for depth in range(same, len(parts) - 1)]
        text = f"{'  ' * (len(parts) - 1)}{parts[-1]}: {flow(value)}"
        if origins:
            over = "" if below is None else _over(below(key))
            text = f"{text:<{_COLUMN}} # {where(origin)}{over}"
        lines.append(text)
        path = parts[:-1]
    return "\n".join(lines) + "\n"


def _over(below: Sequence[Origin]) -> str:
    """What a key was set over; nothing where nobody else set it."""
    return f", over {below[-1].value} ({where(below[-1])})" if below else ""


def merged_values(ruleset: Ruleset) -> Iterator[tuple[str, Value, Origin | None]]:
    """Every key path, its value as a rules file writes it, and who set it, in their order.

    Tables by entry.
    """
    for key, value in values_of(ruleset):
        yield from _written(ruleset, key, value)
    for hand in ruleset.hands:
        run = written_range(hand.first, hand.last)
        changed_there = tuple(change.key for change in hand.changes)
        for key, value, origin in merged_values(in_hand(ruleset, hand)):
            if any(is_within(key, name) for name in changed_there):
                yield f"hands.{run}.{key}", value, origin
    for rule in ruleset.house_rules:
        key = f"house_rules.{rule.name}"
        yield key, written_rule(rule), ruleset.origin(key)


def written_rule(rule: HouseRule) -> Value:
    """A house rule as a rules file writes it."""
    written: dict[str, Value] = {}
    for name, actions in (("forbid", rule.forbid), ("for", rule.at)):
        if actions:
            written[name] = list(actions) if len(actions) > 1 else actions[0]
    if rule.award is not None:
        written["award"] = rule.award
    if rule.to != "player":
        written["to"] = rule.to
    for name in ("when", "unless", "says", "why", "source"):
        text = getattr(rule, name)
        if text:
            written[name] = text
    return written


def _written(ruleset: Ruleset, key: str, value: Any) -> Iterator[tuple[str, Value, Origin | None]]:
    """A value of the model as lines of a rules file."""
    if key in _SHOWN_IN_TABLES:
        return
    if isinstance(value, ByPlayers) and not value.numbers:
        yield key, "none", ruleset.origin(key)
    elif isinstance(value, ByPlayers):
        numbers = {str(number): points for number, points in value.numbers.items()}
        yield from _runs(ruleset, key, numbers)
    elif key == "melds.kinds":
        for kind in value:
            for part, item in written_kind(kind).items():
                path = f"{key}.{kind.name}.{part}"
                if part != "ace" or kind.is_run:
                    yield path, item, ruleset.origin(path)
        for path, origin in ruleset.origins.items():
            if path.startswith(f"{key}.") and path.count(".") == 2 and origin.value == "none":
                yield path, "none", origin
    elif key == "scoring.values":
        yield from _by_cards(ruleset, key, ruleset.scoring.values, None, ruleset.scoring.wild_cards)
    elif key == "scoring.held":
        scoring = ruleset.scoring
        yield from _by_cards(ruleset, key, scoring.held, scoring.values, scoring.wild_held)
    elif key == "game.hands":
        yield key, written_range(*value), ruleset.origin(key)
    else:
        yield key, written_value(key, value), ruleset.origin(key)


_WORD_FOR_NO_NUMBER: Final = {
    **dict.fromkeys(KEYS_OF_ACES.values(), "same"),
    "buys.per_hand": "any",
    "buys.per_game": "any",
}
"""What is written where there is no number, and it is not `none`."""


def written_value(key: str, value: object) -> Value:
    """A plain value as a rules file writes it."""
    if value is None:
        return _WORD_FOR_NO_NUMBER.get(key, "none")
    if isinstance(value, tuple):
        return [str(item) for item in value]
    return value if isinstance(value, int) else str(value)


def written_points(points: int, origin: Origin | None) -> int | str:
    """Points as a rules file writes them: a number, or `face` where it says so."""
    return "face" if origin is not None and origin.value == "face" else points


def written_kind(kind: Kind) -> dict[str, Value]:
    """A kind of meld as a rules file writes it, its aces included if they bear on nothing."""
    only: list[Value] = [] if kind.only is None else [{"only": list(kind.only)}]
    return {
        "size": written_range(kind.min_size, kind.max_size),
        "require": [*kind.require, *only],
        "ace": list(kind.ace),
    }


def _runs(
    ruleset: Ruleset, key: str, entries: Mapping[str, int]
) -> Iterator[tuple[str, Value, Origin | None]]:
    """A table with neighbours under one key that have one value, set in one place."""

    def written(name: str) -> tuple[Value, Origin | None]:
        origin = ruleset.origin(f"{key}.{name}")
        return written_points(entries[name], origin), origin

    for run, name in joined(entries, written):
        yield f"{key}.{run}", *written(name)


def joined(entries: Iterable[str], gist: Callable[[str], object]) -> Iterator[tuple[str, str]]:
    """Entries of a table with neighbours of one `gist` as one, and the first entry of each.

    >>> list(joined(["2", "3", "4", "Qs"], lambda name: "face"))
    [('2-4', '2'), ('Qs', 'Qs')]
    """

    def of_run(numbered: tuple[int, str]) -> tuple[object, ...]:
        """What is equal in all entries of a run."""
        place, name = numbered
        return gist(name), _PLACES[name] - place if name in _PLACES else name

    for _, run in groupby(enumerate(entries), key=of_run):
        names = [name for _, name in run]
        yield names[0] if len(names) == 1 else f"{names[0]}-{names[-1]}", names[0]


def _by_cards(
    ruleset: Ruleset, key: str, values: Sequence[int], but: Sequence[int] | None, wild: int | None
) -> Iterator[tuple[str, Value, Origin | None]]:
    """A table by ranks, then single cards that differ from their rank, then wild ones.

    Less what another says.
    """
    by_rank: dict[str, int] = {}
    for rank, name in enumerate(RANKS):
        cards = range(rank, JOKER, 13)
        if but is None or all(values[card] != but[card] for card in cards):
            by_rank[name] = values[_usual(ruleset, key, rank)]
    yield from _runs(ruleset, key, by_rank)
    for card, value in enumerate(values):
        is_said = but is not None and value == but[card]
        if card < JOKER and by_rank.get(RANKS[card % 13]) == value:
            is_said = True
        if not is_said:
            name = card_text(card) if card != JOKER else "joker"
            yield f"{key}.{name}", value, ruleset.origin(f"{key}.{name}")
    if wild is not None:
        yield f"{key}.wild", wild, ruleset.origin(f"{key}.wild")


def _usual(ruleset: Ruleset, key: str, rank: int) -> int:
    """A card of a rank that counts what its rank does.

    The first one where each has a value of its own.
    """
    cards = [natural(rank, suit) for suit in range(4)]
    return next(
        (card for card in cards if f"{key}.{card_text(card)}" not in ruleset.origins), cards[0]
    )
