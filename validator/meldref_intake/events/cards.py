"""Cards as programs write them: from one field or several, by patterns and tables."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from typing import Any, Final, NamedTuple

from meldref.core.cards import ANY_SUIT, JOKER, RANKS, SUITS, UNKNOWN, Card, Role
from meldref.notation import spelling
from meldref_intake.events.patterns import Pattern
from meldref_intake.events.values import Scope, Value, items_of, number_of, reading, text_of, walk

_RANK_WORDS: Final = {
    **{rank: rank for rank in RANKS},
    **{str(number): RANKS[number - 1] for number in range(1, 14)},
    **dict(
        zip(
            ("ace", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "jack"),
            RANKS,
            strict=False,
        )
    ),
    "queen": "Q",
    "king": "K",
    "deuce": "2",
}
_SUIT_WORDS: Final = {
    **dict.fromkeys(("c", "club", "clubs", "♣", "♧"), "c"),
    **dict.fromkeys(("d", "diamond", "diamonds", "♦", "♢"), "d"),
    **dict.fromkeys(("h", "heart", "hearts", "♥", "♡"), "h"),
    **dict.fromkeys(("s", "spade", "spades", "♠", "♤"), "s"),
}
_JOKERS: Final = re.compile(
    r"(?i)[\W_]*(?:(?:red|black|big|little|small|colou?red)[\W_]*)?(?:jk|jkr|joker|🃏|🃟)[\W_\d]*"
)
_RANK: Final = (
    "(?P<rank>" + "|".join(sorted(map(re.escape, _RANK_WORDS), key=len, reverse=True)) + ")"
)
_SUIT: Final = (
    "(?P<suit>" + "|".join(sorted(map(re.escape, _SUIT_WORDS), key=len, reverse=True)) + ")"
)
_BETWEEN: Final = r"(?:[\s_:/.,-]*(?:of)?[\s_:/.,-]*)"
_ORDERS: Final = tuple(
    re.compile(rf"(?i)[\W_]*{first}{_BETWEEN}{second}[\ufe0e\ufe0f]?[\W_]*")
    for first, second in ((_RANK, _SUIT), (_SUIT, _RANK))
)
_UNSEEN: Final = {"?", "??", "back", "hidden", "unknown", "facedown", "face_down"}


class Seen(NamedTuple):
    """A card of a file: what it is, what it stands for there, and as the file has it."""

    card: Card
    role: Role | None = None
    raw: str = ""


class NoCard(ValueError):
    """A value is no card, or several are none that a deck has; the sentence that says so."""


def _no_card(value: Any) -> NoCard:
    return NoCard(f"{_short(value)} is no card")


class CardReader:
    """Reads cards as the `cards` of a map say.

    Raises:
        ValueError, `re.error`: a path or a pattern is none.
    """

    def __init__(self, said: Mapping[str, Any]) -> None:
        self._from = reading(said["from"]) if "from" in said else None
        self._patterns = [Pattern(text) for text in items_of(said.get("pattern"))]
        self._rank = reading(said.get("rank", "rank"))
        self._suit = reading(said.get("suit", "suit"))
        self._id = reading(said["id"]) if "id" in said else None
        self._role: Value | None = reading(said["stands_for"]) if "stands_for" in said else None
        self._ranks = _words(said.get("ranks", {}), _RANK_WORDS, RANKS)
        self._suits = _words(said.get("suits", {}), _SUIT_WORDS, SUITS)
        self._jokers = {text_of(word).casefold() for word in items_of(said.get("jokers"))}
        self._table = {text_of(key): str(card) for key, card in said.get("table", {}).items()}
        self._numbered: Callable[[int], Card] | None = None
        if "numbered" in said:
            self._numbered = _by_number(said["numbered"])

    def read(self, value: Any, scope: Scope) -> Seen:
        """The card of a value; NoCard if it is none."""
        raw = text_of(walk(value, ("id",)) or value) if isinstance(value, dict) else text_of(value)
        if self._id is not None:
            raw = text_of(self._id(scope.inside(value)))
        role = None
        if self._role is not None:
            said = self._role(scope.inside(value))
            if said is not None:
                role = self._card_or_rank(said, scope)
        card = self._card(self._inner(value, scope), scope)
        return Seen(card, None if role in (None, card, JOKER, UNKNOWN) else role, raw)

    def role(self, value: Any, scope: Scope) -> Role:
        """What a joker stands for: a card, or a rank where no suit is told; NoCard if it is neither."""
        return self._card_or_rank(self._inner(value, scope), scope)

    def several(self, value: Any, scope: Scope) -> list[Seen]:
        """The cards of a list, or of a text with several between commas or blanks."""
        if value == "":
            return []
        if isinstance(value, str) and not self._patterns:
            row = _row_in(value)
            value = [value] if row is None else row
        if isinstance(value, dict):
            value = [value]
        seen = [self.read(item, scope) for item in items_of(value)]
        try:
            spelling.checked([one.card for one in seen])
        except spelling.TooMany as wrong:
            raise NoCard(str(wrong)) from None
        return seen

    def _inner(self, value: Any, scope: Scope) -> Any:
        """What of a card is read; a text is read as it is where `from` leads nowhere in it."""
        inner = value if self._from is None else self._from(scope.inside(value))
        if inner is None and isinstance(value, dict):
            raise _no_card(value)
        return value if inner is None else inner

    def _card_or_rank(self, value: Any, scope: Scope) -> Role:
        try:
            return self._card(value, scope)
        except NoCard:
            rank = self._ranks.get(_word(value))
            if rank is None:
                raise
            return ANY_SUIT + RANKS.index(rank)

    def _card(self, value: Any, scope: Scope) -> Card:
        if isinstance(value, dict):
            inside = scope.inside(value)
            return self._of_parts(self._rank(inside), self._suit(inside), value)
        text = text_of(value).strip()
        if text in self._table:
            return card_of(self._table[text])
        if self._numbered is not None and (number := number_of(value)) is not None:
            return self._numbered(number)
        if text.casefold() in self._jokers:
            return JOKER
        for pattern in self._patterns:
            found = pattern.search(text)
            if found is not None:
                parts = found.groupdict()
                return self._of_parts(parts.get("rank"), parts.get("suit"), text)
        return card_of(text)

    def _of_parts(self, rank: Any, suit: Any, whole: Any) -> Card:
        for part in (rank, suit):
            if part is not None and (
                text_of(part).casefold() in self._jokers or _JOKERS.fullmatch(text_of(part))
            ):
                return JOKER
        if rank is None and suit is None:
            raise _no_card(whole)
        try:
            return spelling.face_of(self._ranks[_word(rank)] + self._suits[_word(suit)])
        except KeyError:
            if _word(rank) in _UNSEEN or _word(suit) in _UNSEEN:
                return UNKNOWN
            raise _no_card(whole) from None


def card_of(text: str) -> Card:
    """A card in any of the usual spellings: `5H`, `10♥`, `[10♥]`, `five_hearts`, `hearts-5`.

    Raises:
        NoCard: it is none.
    """
    try:
        return spelling.face_of(text)
    except KeyError:
        pass
    if text.casefold() in _UNSEEN or text == "🂠":
        return UNKNOWN
    if _JOKERS.fullmatch(text):
        return JOKER
    glyph = _glyph(text)
    if glyph is not None:
        return glyph
    for order in _ORDERS:
        found = order.fullmatch(text)
        if found is not None:
            rank = _RANK_WORDS[_cased(found["rank"])]
            return spelling.face_of(rank + _SUIT_WORDS[found["suit"].casefold()])
    raise _no_card(text)


def mistakes(said: Mapping[str, Any]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """What in the `cards` of a map can be no card, each with its place there."""
    for key, usual, letters in (("ranks", _RANK_WORDS, RANKS), ("suits", _SUIT_WORDS, SUITS)):
        known = {word.casefold() for word in usual}
        for place, letter in _pairs(said.get(key)):
            if _word(letter) and _word(letter) not in known:
                yield (key, place), f"{_short(letter)} is no {key[:-1]}; those are {letters}"
    for place, card in _pairs(said.get("table")):
        try:
            card_of(text_of(card))
        except NoCard as wrong:
            yield ("table", place), f"{wrong}; one is such as 5h, Ts or Jk"
    yield from _patterns_without_groups(said)


def _patterns_without_groups(
    said: Mapping[str, Any],
) -> Iterator[tuple[tuple[str | int, ...], str]]:
    """The patterns that find no card, since they say not what in it are the rank and the suit."""
    patterns = said.get("pattern")
    found: list[tuple[tuple[str | int, ...], list[str]]] = []
    for number, text in enumerate(patterns if isinstance(patterns, list) else [patterns]):
        with suppress(re.error, RecursionError):
            if isinstance(text, str):
                groups = re.compile(text).groupindex
                lacking = [f"(?P<{name}>…)" for name in ("rank", "suit") if name not in groups]
                place = (number,) if isinstance(patterns, list) else ()
                found.append((("pattern", *place), lacking))
    others_will_do = "jokers" in said or any(not lacking for _, lacking in found)
    for at, lacking in found:
        if len(lacking) == 2 or (lacking and not others_will_do):
            yield at, f"the pattern says not what is the card: it has no {' and no '.join(lacking)}"


def _pairs(said: Any) -> list[tuple[str | int, Any]]:
    """The entries of an object or a list, each with its key or place."""
    if isinstance(said, dict):
        return list(said.items())
    return list(enumerate(said)) if isinstance(said, list) else []


def _cased(rank: str) -> str:
    return rank.casefold() if rank.casefold() in _RANK_WORDS else rank.upper()


def _word(part: Any) -> str:
    return "" if part is None else text_of(part).strip().casefold()


def _short(whole: Any) -> str:
    return text_of(whole)[:80]


def _words(said: Any, usual: Mapping[str, str], canonical: str) -> dict[str, str]:
    """The words for ranks or suits: the map's own over the usual ones."""
    known = {word.casefold(): letter for word, letter in usual.items()}
    if isinstance(said, list):
        letters = {letter.casefold(): letter for letter in canonical}
        return {str(at): known.get(_word(word), "") for at, word in enumerate(said)} | letters
    own = {text_of(word).casefold(): str(letter) for word, letter in said.items()}
    for word, letter in own.items():
        if letter.casefold() in known:
            own[word] = known[letter.casefold()]
    return known | own


def _by_number(said: Mapping[str, Any]) -> Callable[[int], Card]:
    """Cards that are numbers: by suits or by ranks, counted from a first one."""
    suits, ranks = said.get("suits", "cdhs"), said.get("ranks", RANKS)
    first, by_rank = said.get("from", 0), said.get("order") == "by_rank"

    def card(number: int) -> Card:
        at = number - first
        if not 0 <= at < len(suits) * len(ranks):
            if at >= len(suits) * len(ranks) and said.get("more_are_jokers"):
                return JOKER
            raise _no_card(number)
        rank, suit = (
            (at // len(suits), at % len(suits)) if by_rank else (at % len(ranks), at // len(ranks))
        )
        return spelling.face_of(ranks[rank] + suits[suit])

    return card


def _glyph(text: str) -> Card | None:
    """The card of one of Unicode's pictures of cards, 🂡 to 🃞."""
    if len(text) != 1 or not 0x1F0A0 <= ord(text) <= 0x1F0DE:
        return None
    suit, rank = divmod(ord(text) - 0x1F0A0, 16)
    ranks = dict(zip((*range(1, 12), 13, 14), RANKS, strict=True))
    if rank not in ranks:
        return None
    return spelling.face_of(ranks[rank] + "shdc"[suit])


def _row_in(text: str) -> list[str] | None:
    """The words of a text that holds several cards; None if it holds one."""
    for separator in (",", ";", "|", " "):
        parts = [part.strip() for part in text.strip("[](){} ").split(separator) if part.strip()]
        if len(parts) > 1:
            try:
                for part in parts:
                    card_of(part)
            except NoCard:
                continue
            return parts
    return None
