"""Cards as two-character strings: `5h`, `Td`, and `Jk` for a joker."""

RANKS = "A23456789TJQK"
SUITS = "cdhs"
JOKER = "Jk"
UNKNOWN = "??"  # a card that nobody saw


def one_pack(jokers: int) -> list[str]:
    """A pack of 52 with a number of jokers."""
    return [rank + suit for rank in RANKS for suit in SUITS] + [JOKER] * jokers


def is_card(text: str) -> bool:
    """Whether the text is a card in canonical spelling."""
    return text == JOKER or (len(text) == 2 and text[0] in RANKS and text[1] in SUITS)


def card_at(place: int, suit: str) -> str:
    """The card in a place of a suit: 1 is the low ace, 2 the two, 13 the king, 14 the high ace."""
    return RANKS[(place - 1) % 13] + suit


def without(cards: list[str], taken: list[str]) -> list[str] | None:
    """The cards that are left when some are taken away, or None where one of those is not there."""
    left = list(cards)
    for card in taken:
        if card not in left:
            return None
        left.remove(card)
    return left
