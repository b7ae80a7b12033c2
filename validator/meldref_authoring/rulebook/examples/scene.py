"""Scenes and plays in them, as `plays.yaml` describes them: in words, and for the judge."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import Any, Final, TypeAlias

from meldref.core.cards import Card, Played, played_text
from meldref.core.records import record
from meldref.documents.reader import read_data
from meldref_authoring.rulebook.model import Cards, Line

Row: TypeAlias = "str | Card | Sequence[Card | Played]"
"""Words, or cards."""
Parts: TypeAlias = Mapping[str, Row]
"""What the names in a description stand for."""

_NAME: Final = re.compile(r"\{(\w+)\}")


@record
class Scene:
    """Where the cards are before a move. `table` has for each meld who laid it.

    `calls`: B calls the card that A has just discarded. `before` is what is said before all else.
    """

    hand: tuple[Played, ...]
    table: tuple[tuple[str, tuple[Played, ...]], ...] = ()
    pile: tuple[Played, ...] = ()
    floats: bool = False
    calls: bool = False
    before: str = ""

    @property
    def mover(self) -> str:
        """Who plays."""
        return "B" if self.calls else "A"

    def in_words(self) -> Line:
        """Where the cards are, in words."""
        melds = [(meld, owner == self.mover) for owner, meld in self.table]
        parts = [self.before, *whereabouts(melds, self.pile)]
        if len(parts) > 1 and (self.hand or self.floats):
            parts.append(". ")
        if self.hand:
            parts += ["In your hand: ", Cards(self.hand)]
        elif self.floats:
            parts.append("You float, with no card in your hand")
        parts.append(".")
        if self.calls:
            parts += [" Another player has just discarded ", Cards(self.pile[-1:]), "."]
        return tuple(parts)


def whereabouts(
    melds: Iterable[tuple[Sequence[Played], bool]], pile: Row, *, numbered: bool = False
) -> Line:
    """The table and the discard pile in words; for each meld, whether it is the player's own."""
    parts: list[str | Cards] = []
    before = "On the table: "
    for number, (meld, own) in enumerate(melds, start=1):
        name = f"m{number} " if numbered else ""
        whose = "yours" if own else "another player's"
        parts += [f"{before}{name}", Cards(tuple(meld)), f" ({whose})"]
        before = "; "
    if pile:
        if parts:
            parts.append(". ")
        parts += ["In the discard pile, the oldest first: ", Cards(played(pile))]
    return tuple(parts)


@record
class Play:
    """A move in a scene, in words and as the judge is asked about it, turn by turn."""

    scene: Scene
    words: Line
    moves: tuple[str, ...]


def plays_of(name: str, parts: Parts, *, others: bool) -> tuple[Play, tuple[str, ...], Play]:
    """The legal play of a description, the codes that the illegal one may have, and that one.

    `others`: melds that nobody is named for were laid by the other player.
    """
    entry = described("plays")[name]
    good = _play(entry, parts, others=others)
    bad = _play({**entry, **entry["but"]}, parts, others=others)
    codes = [entry["code"]] if isinstance(entry["code"], str) else entry["code"]
    return good, tuple([filled(code, parts) for code in codes]), bad


def _play(entry: Mapping[str, Any], parts: Parts, *, others: bool) -> Play:
    def cards(names: str) -> tuple[Played, ...]:
        return tuple(chain(*[played(parts[name]) for name in names.split()]))

    calls = entry.get("calls", False)
    players = {"own": "B", "other": "A"} if calls else {"own": "A", "other": "B"}
    players[""] = players["other" if others else "own"]
    table: list[tuple[str, tuple[Played, ...]]] = []
    for row in entry.get("table", "").split():
        owner, _, name = row.rpartition(":")
        meld = cards(name)
        if meld:
            table.append((players[owner], meld))
    scene = Scene(
        cards(entry.get("hand", "")),
        tuple(table),
        cards(entry.get("pile", "")),
        entry.get("floats", False),
        calls,
        filled(entry.get("before", ""), parts),
    )
    words: list[Row] = [*_NAME.split(entry["say"])]  # every other one is a name
    words[1::2] = [parts[str(name)] for name in words[1::2]]
    moves = [filled(entry[key], parts) for key in ("move", "call") if key in entry]
    return Play(scene, line(*words), tuple(moves))


def described(part: str) -> Mapping[str, Any]:
    """What the file says of all `examples`, or of all `plays`, by their names."""
    entries: Mapping[str, Any] = read_data(Path(__file__).with_name("plays.yaml"))[part]
    return entries


def filled(words: str, parts: Parts) -> str:
    """Words with the cards in place of their names."""
    return _NAME.sub(lambda name: text_of(parts[name[1]]), words)


def line(*parts: Row) -> Line:
    """Words and cards of an example, one after the other."""
    return tuple(part if isinstance(part, str) else Cards(played(part)) for part in parts)


def played(cards: Row) -> tuple[Played, ...]:
    """Cards as they are laid."""
    assert not isinstance(cards, str)
    several = [cards] if isinstance(cards, int) else cards
    return tuple(card if isinstance(card, Played) else Played(card) for card in several)


def text_of(cards: Row) -> str:
    """Cards as the notation writes them; words as they are."""
    return cards if isinstance(cards, str) else " ".join(map(played_text, played(cards)))
