"""Which cards a free text names: in the notation, with signs, in words, or as pictures of cards.

A comment may tell anything in any words. `cards_named` finds what people write when they mean one
card. A text that only hints at cards (`his last two kings`), or at what they follow from
(`seed 7`), names none: `is_vague` says that nobody can judge it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from functools import cache
from html import unescape
from typing import Final
from unicodedata import category, name, normalize

from meldref.core.cards import JOKER, RANKS, SUITS, Card, natural
from meldref.core.resources import data_path
from meldref.notation.actions import VERBS

_RANK_WORDS: Final = (
    "ace one",
    "two deuce",
    "three trey",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten 10",
    "jack knave",
    "queen",
    "king",
)
"""The words for each rank, from the ace to the king, besides its letter or digit."""
_SUIT_WORDS: Final = ("club", "diamond", "heart", "spade")
_SUIT_SIGNS: Final = "♣♧♦♢♥♡♠♤"
_ENGLISH: Final = frozenset(("as", "ah", "ad"))
"""Words that are cards only beside another card, or behind a word for what is done with one."""
_HAS: Final = ("drew", "took", "threw", "had", "has", "have", "holds", "held", "with", "the")
"""Words before a card that are no actions of the notation."""
_NEAR: Final = 40
"""How many characters before a word are looked at for what it stands beside."""

_BEFORE: Final = r"(?<![^\W_])"
_AFTER: Final = r"(?:'?s)?(?![^\W_])"
_VAGUE: Final = (
    "club|diamond|heart|spade|[♣♧♦♢♥♡♠♤❤]",  # a suit without a rank, in English,
    "herz|karo|kreuz|coeur|carreau|trefle|pique|corazon|diamant|trebol",  # and other languages
    "cuori|quadri|fiori|picche|harten|ruiten|klaver|schoppen",
    r"\b(?:aces?|kings?|queens?|jacks?|knaves?|jokers?|deuces?|treys?|wilds?)\b",
    r"\b(?:konig|dame|bube|ass|roi|valet|rey|reina|pik)\b",
    r"\b(?:twos|threes|fours|fives|sixes|sevens|eights|nines|tens)\b",
    r"\b(?-i:[KQJT]|10?(?=s\b)|(?=\w*[AKQJT])[AKQJT2-9]{2,})\b",  # a rank, or several
    r"(?<=[a-z,;:] )(?-i:A)\b",  # an ace, but not the word at the beginning
    r"seed|shuffl|\brng",  # what all cards follow from,
    r"(?:\d+[\s,;./-]+){4}\d",  # cards by number,
    r"\b(?=[a-z]*\d)(?=\d*[a-z])\w{16}",  # or packed in a word
)
"""What hints at cards, in a text without the cards that it names."""
_PICTURES: Final = range(0x1F0A0, 0x1F0E0)
_PICTURED_SUITS: Final = "shdc"
_PICTURED_RANKS: Final = "A23456789TJ.QK"
"""The ranks of the pictures of a suit, from the second on; the knight is in no deck of ours."""


def cards_named(text: str) -> frozenset[Card]:
    """The cards that a free text names, jokers among them.

    Those that could be words are, where in doubt.
    """
    plain = _plain(text)
    names = [*_in_words(plain), *_in_notation(plain)]
    pictured = [card for sign in text if (card := _pictured(sign)) is not None]
    return frozenset([*names, *pictured])


def is_vague(text: str, names: Iterable[str] = ()) -> bool:
    """Whether a free text hints at cards in a way that nobody can judge.

    The cards that it names do not count, nor do the `names` of players.
    """
    rest = _worded().sub(" ", _rows().sub(" ", _plain(text)))
    for player in names:
        rest = re.sub(rf"\b{re.escape(player)}\b", " ", rest)
    letters = normalize("NFKD", rest)
    if any(sign.isalpha() and not name(sign, "").startswith("LATIN") for sign in letters):
        return True
    letters = "".join([sign for sign in letters if category(sign) != "Mn"])
    return _hints().search(letters) is not None


def _plain(text: str) -> str:
    """A text in plain letters: no fullwidth ones, no HTML entities, nothing that cannot be seen."""
    text = unescape(text)
    if text.isascii():
        return text
    letters = [letter for letter in normalize("NFKC", text) if category(letter) not in {"Cf", "Mn"}]
    return "".join(letters)


def _in_notation(text: str) -> Iterator[Card]:
    """Cards such as `5h`, `10♥`, `h5`, `4d4h` and `Jk`."""
    doubtful: list[re.Match[str]] = []
    ends: set[int] = set()
    begins: set[int] = set()
    for row in _rows().finditer(text):
        if row[0] in _ENGLISH:
            doubtful.append(row)
            continue
        begins.add(row.start())
        ends.add(row.end())
        yield from (_card(match) for match in _cards().finditer(row[0]))
    for row in doubtful:
        before, behind = text[max(0, row.start() - _NEAR) : row.start()], row.end()
        beside = row.start() - _joint(before[::-1], 0) in ends or _joint(text, behind) in begins
        if beside or _behind_an_action().search(before):
            yield from (_card(match) for match in _cards().finditer(row[0]))


def _card(match: re.Match[str]) -> Card:
    if match["rank"] is None and match["last"] is None:
        return JOKER
    rank = (match["rank"] or match["last"]).upper().replace("10", "T")
    return natural(RANKS.index(rank), _suit(match["suit"] or match["first"]))


def _suit(sign: str) -> int:
    """The suit of a letter, a sign or a word."""
    if sign in _SUIT_SIGNS:
        return _SUIT_SIGNS.index(sign) // 2
    return SUITS.index(sign[0].lower())


def _joint(text: str, begin: int) -> int:
    """Where what joins two cards of a row ends: blanks, commas, `and`, read from either side."""
    joint = re.compile(r"[\s,;/&+]{0,5}(?:and\b|dna\b)?[\s,;/&+]{0,5}").match(text, begin)
    return begin if joint is None else joint.end()


@cache
def _cards() -> re.Pattern[str]:
    """One card in the notation, in any of the ways people write it."""
    suit = rf"[cdhsCDHS{_SUIT_SIGNS}]"
    return re.compile(
        rf"(?P<rank>10|[2-9tjqkaTJQKA])[ \t-]?(?P<suit>{suit})"
        rf"|(?P<first>[cdhsCDHS]-?|[{_SUIT_SIGNS}][ \t]?)(?P<last>10|[2-9TJQKA])"
        r"|(?P<joker>(?i:joker|jk))"
    )


@cache
def _rows() -> re.Pattern[str]:
    """Cards without anything between them, which are no part of a word."""
    card_pattern = re.sub(r"\?P<\w+>", "?:", _cards().pattern)
    return re.compile(rf"{_BEFORE}(?:{card_pattern})+{_AFTER}")


@cache
def _behind_an_action() -> re.Pattern[str]:
    """The end of a text whose last word is what somebody does with a card."""
    spellings = json.loads(data_path("grammar", "spellings.json").read_text(encoding="utf-8"))
    words = "|".join(map(re.escape, (*VERBS, *spellings["actions"], *_HAS)))
    return re.compile(rf"\b(?:{words})[\s:]+\Z", re.IGNORECASE)


@cache
def _hints() -> re.Pattern[str]:
    return re.compile("|".join(_VAGUE), re.IGNORECASE)


@cache
def _worded() -> re.Pattern[str]:
    """A card in English words: `the ace of spades`, `10 of hearts`, `heart king`."""
    words = "|".join(word for words in _RANK_WORDS for word in words.split())
    rank = rf"(?:(?i:{words})|[2-9]|[TJQKA])"
    suit = rf"(?:(?i:{'|'.join(_SUIT_WORDS)})|[{_SUIT_SIGNS}])"
    return re.compile(
        rf"{_BEFORE}(?P<rank>{rank})(?:'?s)?[\s-]{{0,3}}(?i:of)?[\s-]{{0,3}}(?i:the)?[\s-]{{0,3}}"
        rf"(?P<suit>{suit})"
        rf"|{_BEFORE}(?P<first>{suit})s?[\s-]{{1,3}}(?P<last>{rank}){_AFTER}"
    )


def _in_words(text: str) -> Iterator[Card]:
    for match in _worded().finditer(text):
        word = (match["rank"] or match["last"]).lower()
        ranks = [
            rank
            for rank, words in enumerate(_RANK_WORDS)
            if word in words.split() or word == RANKS[rank].lower()
        ]
        yield natural(ranks[0], _suit((match["suit"] or match["first"]).lower()))


def _pictured(sign: str) -> Card | None:
    """The card that a sign is a picture of."""
    code = ord(sign)
    if code not in _PICTURES:
        return None
    suit, at = divmod(code - _PICTURES.start, 16)
    if at == 15:
        return JOKER
    rank = _PICTURED_RANKS[at - 1 : at]
    if not at or rank == ".":
        return None
    return natural(RANKS.index(rank), SUITS.index(_PICTURED_SUITS[suit]))
