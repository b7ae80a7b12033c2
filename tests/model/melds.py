"""What is a meld, what its wild cards stand for, what can be laid off: by trying every way there is."""

from dataclasses import dataclass, field

from model.cards import JOKER, SUITS, card_at
from model.settings import Illegal, Settings

# A card as a player lays it: the card, and the role stated for it (`8c`, `9` or nothing).
Laid = tuple[str, str | None]

JOKERS_APART = (3, 4)  # how many jokers are a meld where they are melded among themselves
OPEN = "*"  # in place of the suit: a wild card in a group stands for a rank alone


@dataclass
class Meld:
    """A meld on the table: who laid which card, and what each stands for."""

    kind: str  # group, sequence, jokers
    cards: list[tuple[str, str, str]] = field(default_factory=list)  # (card, role, player)
    low: int = 0  # place of the lowest card of a sequence

    def copy(self) -> "Meld":
        return Meld(self.kind, list(self.cards), self.low)

    @property
    def high(self) -> int:
        return self.low + len(self.cards) - 1

    def place(self, role: str) -> int:
        """The place a role has in this sequence."""
        suit = self.cards[0][1][1]
        return next(
            place for place in range(self.low, self.high + 1) if card_at(place, suit) == role
        )


@dataclass(frozen=True)
class Reading:
    """One way to understand the cards of a meld."""

    kind: str
    roles: tuple[str, ...]  # in the order of the cards
    low: int
    in_order: bool  # the cards are written upwards or downwards


def is_wild(laid: Laid) -> bool:
    """A joker, or any card for which a role is stated, is played as a wild card."""
    return laid[0] == JOKER or laid[1] is not None


def matches(laid: Laid, role: str) -> bool:
    """Whether a card, as it was laid, can be this card of a sequence."""
    card, stated = laid
    if not is_wild(laid):
        return card == role
    return stated is None or stated in (role, role[0])


def group_readings(cards: list[Laid], settings: Settings) -> list[Reading]:
    """The reading as a group, where there is one."""
    naturals = [card for card, _ in cards if not is_wild((card, _))]
    smallest, largest = settings.group_sizes
    ranks = {card[0] for card in naturals} or {stated[0] for _, stated in cards if stated}
    if not smallest <= len(cards) <= largest or len(ranks) != 1:
        return []
    rank = ranks.pop()
    suits_fit = not settings.suits_differ or len(set(naturals)) == len(naturals)
    if not suits_fit or any(stated and stated[0] != rank for _, stated in cards):
        return []
    roles = tuple(rank + OPEN if is_wild(laid) else laid[0] for laid in cards)
    return [Reading("group", roles, 0, in_order=False)]


def sequence_readings(cards: list[Laid], settings: Settings) -> list[Reading]:
    """Every run of consecutive places of a suit that these cards can fill."""
    naturals = [card for card, _ in cards if not is_wild((card, _))]
    smallest, largest = settings.sequence_sizes
    suits = {card[1] for card in naturals}
    if not naturals:
        suits = {stated[1] for _, stated in cards if stated and len(stated) > 1} or set(SUITS)
    if not smallest <= len(cards) <= largest or (naturals and len(suits) != 1):
        return []
    return [reading for suit in sorted(suits) for reading in runs_of(suit, cards, settings)]


def runs_of(suit: str, cards: list[Laid], settings: Settings) -> list[Reading]:
    """Every run of a suit that these cards can fill."""
    readings = []
    lowest = 1 if "low" in settings.ace_places else 2
    highest = 14 if "high" in settings.ace_places else 13
    for low in range(lowest, 14 if goes_round(settings) else highest + 2 - len(cards)):
        window = [card_at(place, suit) for place in range(low, low + len(cards))]
        roles = fill(cards, window)
        if roles is not None:
            up = all(matches(laid, role) for laid, role in zip(cards, window, strict=True))
            down = all(
                matches(laid, role) for laid, role in zip(cards, reversed(window), strict=True)
            )
            readings.append(Reading("sequence", roles, low, in_order=up or down))
    return readings


def goes_round(settings: Settings) -> bool:
    """Whether a run may go on above an ace with the two."""
    return "around" in settings.ace_places


def fill(cards: list[Laid], window: list[str]) -> tuple[str, ...] | None:
    """What each card is if together they are just this window; None where they are not."""
    left = list(window)
    roles: list[str | None] = [None] * len(cards)
    for number, laid in enumerate(cards):  # those that say what they are
        if not is_wild(laid) or laid[1] is not None:
            role = next((role for role in left if matches(laid, role)), None)
            if role is None:
                return None
            roles[number] = role
            left.remove(role)
    return tuple(left.pop(0) if role is None else role for role in roles)


def read_meld(cards: list[Laid], settings: Settings, wild_rank: str | None = None) -> Reading:
    """The one reading of a new meld; raises Illegal where there is none or no single one."""
    for laid in cards:
        may_be_wild(laid, wild_rank, settings)
    if settings.jokers_apart and JOKER in [card for card, _ in cards]:
        return read_jokers(cards)
    if settings.needs_natural and all(is_wild(laid) for laid in cards):
        raise Illegal("wild.naturals", "no natural card")
    readings = group_readings(cards, settings) + sequence_readings(cards, settings)
    if not readings:
        raise Illegal(*why_no_meld(cards, settings))
    if len(readings) == 1:
        return readings[0]
    in_order = [reading for reading in readings if reading.in_order]
    if all(reading.kind == "sequence" for reading in readings) and len(in_order) == 1:
        return in_order[0]
    if (
        len({tuple(sorted(reading.roles)) for reading in readings}) == 1
    ):  # thirteen of a suit, in no order
        return readings[0]
    raise Illegal("wild.unbound", "several readings and none chosen")


def read_jokers(cards: list[Laid]) -> Reading:
    """The reading where jokers are melded among themselves alone."""
    if any(card != JOKER for card, _ in cards):
        raise Illegal("meld.shape", "jokers go with jokers alone")
    if not JOKERS_APART[0] <= len(cards) <= JOKERS_APART[1]:
        raise Illegal("meld.size", f"{len(cards)} jokers")
    return Reading("jokers", (JOKER,) * len(cards), 0, in_order=False)


def why_no_meld(cards: list[Laid], settings: Settings) -> tuple[str, str]:
    """The code for cards that have no reading."""
    unbound = [(JOKER, None) if is_wild(laid) else laid for laid in cards]
    if unbound != cards and group_readings(unbound, settings) + sequence_readings(
        unbound, settings
    ):
        return "wild.binding", "a wild card cannot stand for that"
    naturals = [card for card, _ in cards if not is_wild((card, _))]
    if len(cards) < 3 or (
        len({card[0] for card in naturals}) == 1 and len(cards) > settings.group_sizes[1]
    ):
        return "meld.size", f"{len(cards)} cards"
    sizes = settings.sequence_sizes
    any_length = Settings(sequence_sizes=(3, 14))
    if not sizes[0] <= len(cards) <= sizes[1] and sequence_readings(cards, any_length):
        return "meld.size", f"a sequence of {len(cards)}"
    return "meld.shape", "these cards form no meld"


def places(meld: Meld, laid: Laid, settings: Settings) -> list[tuple[str, int]]:
    """Where a card can be laid off on a meld: (role, place), the place 0 on a group."""
    card, stated = laid
    wild = is_wild(laid)
    if settings.jokers_apart and JOKER in (card, meld.cards[0][0]):
        fits = card == meld.cards[0][0] and len(meld.cards) < JOKERS_APART[1]
        return [(JOKER, 0)] if fits else []
    if meld.kind == "group":
        rank = meld.cards[0][1][0]
        if len(meld.cards) >= settings.group_sizes[1]:
            return []
        if wild:
            return [(rank + OPEN, 0)] if stated is None or stated[0] == rank else []
        taken = [other for other, role, _ in meld.cards if other == role]
        fits = card not in taken or not settings.suits_differ
        return [(card, 0)] if card[0] == rank and fits else []
    if len(meld.cards) >= settings.sequence_sizes[1]:
        return []
    suit = meld.cards[0][1][1]
    ends = [meld.low - 1, meld.high + 1]
    if not goes_round(settings):
        highest = 14 if "high" in settings.ace_places else 13
        ends = [place for place in ends if 1 <= place <= highest]
    return [(card_at(end, suit), end) for end in ends if matches(laid, card_at(end, suit))]


def may_be_wild(laid: Laid, wild_rank: str | None, settings: Settings) -> None:
    """Only a joker or a card of the wild rank can stand for another card."""
    card, stated = laid
    wild = (card == JOKER and not settings.jokers_apart and settings.jokers_wild) or card[
        0
    ] == wild_rank
    if stated is not None and not wild:
        raise Illegal("wild.role", f"{card} is not wild")


def put(meld: Meld, card: str, role: str, place: int, player: str) -> None:
    """Put a card in its place at an end of a meld."""
    if meld.kind == "sequence" and place < meld.low:
        meld.low = place
        meld.cards.insert(0, (card, role, player))
    else:
        meld.cards.append((card, role, player))


def new_meld(cards: list[Laid], reading: Reading, player: str) -> Meld:
    """The meld on the table, lowest card first."""
    meld = Meld(reading.kind, [], reading.low)
    meld.cards = [
        (card, role, player) for (card, _), role in zip(cards, reading.roles, strict=True)
    ]
    if reading.kind == "sequence":
        suit = reading.roles[0][1]
        order = [card_at(place, suit) for place in range(reading.low, reading.low + len(cards))]
        meld.cards.sort(key=lambda entry: order.index(entry[1]))
    return meld


def stand_in(meld: Meld, card: str, settings: Settings) -> int | None:
    """Which card of a meld is a wild one that stands for this card; None where there is none."""
    naturals = [other for other, role, _ in meld.cards if other == role and settings.suits_differ]
    for number, (wild, role, _) in enumerate(meld.cards):
        if wild != role and role in (card, card[0] + OPEN) and card not in naturals:
            return number
    return None


def exchange(meld: Meld, place: int, card: str, player: str, settings: Settings) -> str | None:
    """Put a card in place of a wild card; the wild card, or None where that stays."""
    wild, _, owner = meld.cards[place]
    last = len(meld.cards) - 1
    if settings.swap == "at_end" and (meld.kind == "group" or 0 < place < last):
        return None
    if settings.swapped == "to_hand":
        meld.cards[place] = (card, card, player)
        return wild
    if meld.kind == "group":
        return None
    far = [meld.low - 1, meld.high + 1] if place == last else [meld.high + 1, meld.low - 1]
    for end in far:
        role = card_at(end, card[1])
        if (role, end) in places(meld, (wild, None if role == wild else role), settings):
            meld.cards[place] = (card, card, player)
            put(meld, wild, role, end, owner)
            return wild
    return None
