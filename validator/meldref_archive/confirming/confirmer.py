"""Confirms a game as a whole: its settings, its hands, and what stands between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from meldref.core.cards import JOKER, NATURALS
from meldref.core.records import NamedTuple
from meldref.notation.canonical import is_plain_name
from meldref.notation.spelling import is_card
from meldref.replay.result import Scores
from meldref.rulefiles.load import load_ruleset
from meldref.ruleset.changes import differences
from meldref.ruleset.model import Ruleset, jokers_for
from meldref_archive.confirming.actions import (
    ABOVE_KING,
    ACE,
    BITS,
    GROUP,
    JOKERS,
    KING,
    REMEMBERED,
    Place,
    Shape,
    Unclear,
    action,
)
from meldref_archive.confirming.hand import NOBODY, Hand

UNDERSTOOD: Final[Mapping[str, tuple[object, ...]]] = {
    "players.min": (),
    "players.max": (),
    "deck.packs": (),
    "deck.jokers": (),
    "deck.jokers_in_all": (),
    "deal.cards": (),
    "melds.wild.cards": ((), ("joker",)),
    "layoff.onto": ("any", "nothing"),
    "draw.depth": (),
    "draw.top.must": (),
    "draw.deep.must": (),
    "draw.use": (("meld", "lay_off"), ("meld",)),
    "out.melding_all": ("ends_hand", "forbidden"),
    "calls.of": ("none", "pile"),
    "stock.reshuffle": ("never", "but_top"),
    "scoring.values": (),
    "scoring.held": (),
    "scoring.low_ace": (),
    "scoring.high_ace": (),
    "game.target": (),
    "game.tie.who": (),
    "game.stop": (),
}
"""In what a ruleset may differ from 500 Rummy, and with which values (none: any)."""
_MOST: Final = 64
"""How many confirmers are kept."""


class CleanGame(NamedTuple):
    """What a clean game comes to: the scores of its hands, and the number of its turns."""

    scores: list[Scores]
    turns: int


class Confirmer:
    """A second judge, of a ruleset that it understands, for a number of players."""

    def __init__(self, rules: Ruleset, players: int) -> None:
        scoring = rules.scoring
        self.players = players
        self.deck = (1 << JOKER + jokers_for(rules, players)) - 1
        self.dealt = rules.deal.cards[players]
        self.lays_off = rules.layoff.onto == "any"
        self.takes_deep = rules.draw.depth == "any"
        self.owes_top = rules.draw.top.must == "be_used"
        self.owes_deep = rules.draw.deep.must == "be_used"
        self.uses_by_laying_off = "lay_off" in rules.draw.use
        self.may_meld_all = rules.out.melding_all == "ends_hand"
        self.calls = rules.calls.of == "pile"
        self.ends_with_stock = rules.stock.reshuffle == "never"
        self.target = rules.game.target
        self._laid = {1 << card: scoring.values[card] for card in NATURALS}
        self._laid[JOKERS] = scoring.values[JOKER]
        self._held = {1 << card: scoring.held[card] for card in NATURALS}
        self._held |= dict.fromkeys((1 << JOKER, 2 << JOKER), scoring.held[JOKER])
        self._aces = {ACE: scoring.low_ace, ABOVE_KING: scoring.high_ace}
        self._worth: dict[Sequence[Place], int] = {}

    def confirm(self, players: str, dealer: str, lines: Iterable[str]) -> CleanGame | None:
        """A game in which all is as it should be; None if anything is not, or is unusual.

        `players` and `dealer` are what its headers say (no dealer: anybody); `lines` come after them.
        """
        names = players.split(", ")
        if len({name.lower() for name in names}) != self.players:
            return None
        if not all(is_plain_name(name) and not is_card(name) for name in names):
            return None
        try:
            game = _Game(self, names, dealer)
            game.play(lines)
        except (Unclear, LookupError, ValueError, StopIteration):
            return None
        return CleanGame(game.scores, game.turns) if game.is_whole else None

    def worth_of_meld(self, places: Sequence[Place], shape: Shape) -> int:
        """Points of a new meld."""
        worth = self._worth.get(places)
        if worth is None:
            suit, low, _ = shape
            at = [GROUP if suit == GROUP else low + index for index in range(len(places))]
            worth = sum(map(self._points, places, at))
            if len(self._worth) >= REMEMBERED:
                self._worth.clear()
            self._worth[places] = worth
        return worth

    def _points(self, place: Place, at: int) -> int:
        """Points of a card that is laid, at a place of a run or in a group."""
        bit, rank, _ = place
        points = self._aces.get(at) if rank == ACE and bit != JOKERS else None
        return self._laid[bit] if points is None else points

    def laid_off(self, shape: Shape, places: Sequence[Place]) -> tuple[Shape, int]:
        """A meld with more cards, in whatever order they fit, and what these count."""
        if len(places) == 1:
            return self._extended(shape, places[0])
        is_run = shape[0] != GROUP
        waiting, worth = sorted(places, key=_aces_last), 0
        while waiting:
            place = next(place for place in waiting if self._fits(shape, place))
            may_be_either = place[1] == ACE and shape[1:] == (ACE + 1, KING)
            if is_run and (place[1] < 0 or may_be_either):
                raise Unclear
            shape, points = self._extended(shape, place)
            worth += points
            waiting.remove(place)
        return shape, worth

    def fits(self, shape: Shape, card: int) -> bool:
        """Whether a natural card can be laid off on a meld."""
        suit, rank = divmod(card.bit_length() - 1, KING + 1)
        return self._fits(shape, (card, rank, suit))

    def _fits(self, shape: Shape, place: Place) -> bool:
        try:
            self._extended(shape, place)
        except Unclear:
            return False
        return True

    def _extended(self, shape: Shape, place: Place) -> tuple[Shape, int]:
        """A meld with a card more, and what that counts."""
        suit, low, high = shape
        bit, rank, of_suit = place
        if suit == GROUP:
            fits = rank in {low, -1} and (bit != JOKERS or of_suit < 0)
            if not fits or high == 4:
                raise Unclear
            return (GROUP, low, high + 1), self._laid[bit]
        if rank < 0 and (low == ACE) != (high == ABOVE_KING):
            # There is only one place for a joker of which nothing is said.
            rank, of_suit = high + 1 if low == ACE else low - 1, suit
        if of_suit != suit or high - low == KING:
            raise Unclear
        if rank == high + 1 or (rank == ACE and high == KING):
            return (suit, low, high + 1), self._points(place, high + 1)
        if rank != low - 1:
            raise Unclear
        return (suit, rank, high), self._points(place, rank)

    def held(self, hand: int) -> int:
        """Points of the cards in a hand."""
        points = 0
        while hand:
            card = hand & -hand
            points += self._held[card]
            hand ^= card
        return points


def _aces_last(place: Place) -> bool:
    return place[1] == ACE


class _Game:
    """A game under way; `due` opens the line that is due when a hand is over, or between hands."""

    def __init__(self, judge: Confirmer, names: Sequence[str], dealer: str) -> None:
        self.judge = judge
        self.names = names
        self.seats = {name: seat for seat, name in enumerate(names)}
        self.dealer = self.seats[dealer] - 1 if dealer else None
        self.hand: Hand | None = None
        self.due = "hand"
        self.turns = 0
        self.points: list[int] = []
        self.totals = [0] * judge.players
        self.scores: list[Scores] = []
        self._heads: dict[str, tuple[int, int]] = {}

    @property
    def is_whole(self) -> bool:
        """Whether hands were played, and the last one is over and scored."""
        return self.hand is None and bool(self.scores)

    def play(self, lines: Iterable[str]) -> None:
        """Plays lines of the game."""
        heads = self._heads
        for text in lines:
            start, colon, rest = text.partition(": ")
            if not colon:
                if text:
                    self._play_other(text)
                continue
            number, seat = heads.get(start) or self._head(start)
            if self.hand is None:
                raise Unclear
            self.hand.play(number, seat, [action(part) for part in rest.split("; ")])
            self.turns += 1

    def _head(self, text: str) -> tuple[int, int]:
        """The number of a turn (0: none is written), and whose it is."""
        number, dot, name = text.rpartition(". ")
        if dot and (number != number.lstrip("0") or not (number.isascii() and number.isdecimal())):
            raise Unclear
        head = self._heads[text] = (int(number) if dot else 0, self.seats[name])
        return head

    def _play_other(self, text: str) -> None:
        """A line that is no turn."""
        opening, *words = text.split(" ")
        hand = self.hand
        if opening == "hand":
            self._begin_hand(words)
        elif hand is None:
            raise Unclear
        elif opening == "deal":
            hand.deal(self.seats[words[0]], words[1:])
        elif opening == "up":
            hand.turn_up(words)
        elif opening == "stock":
            hand.name_stock(words)
        elif opening == "=":
            _check(hand, words, self.seats)
        elif opening != self.due:
            raise Unclear
        elif opening == "end":
            self._end(hand, text)
        elif opening == "score":
            self._expect(text, self._figures("score", self.points))
            self.totals = list(map(int.__add__, self.totals, self.points))
            self.due = "total"
        elif opening == "total":
            self._expect(text, self._figures("total", self.totals))
            self._close_hand(hand)
        else:
            self._expect(text, f"result {self.names[self.totals.index(max(self.totals))]}")
            self.hand, self.due = None, ""

    def _begin_hand(self, words: Sequence[str]) -> None:
        """`hand 2 dealer Cy`."""
        *_, name = words
        seat, due = self.seats[name], self.dealer
        if due is not None and seat != (due + 1) % self.judge.players:
            raise Unclear
        self._expect(" ".join(words), f"{len(self.scores) + 1} dealer {name}")
        self._expect(self.due, "hand")
        self.dealer, self.due = seat, "end"
        self.hand = Hand(self.judge, seat)

    def _end(self, hand: Hand, text: str) -> None:
        """`end out Ann` or `end stock`."""
        if not hand.is_over:
            raise Unclear
        why = "stock" if hand.out == NOBODY else f"out {self.names[hand.out]}"
        self._expect(text, f"end {why}")
        held = map(self.judge.held, hand.hands)
        self.points = list(map(int.__sub__, hand.points, held))
        self.due = "score"

    def _close_hand(self, hand: Hand) -> None:
        """The hand is scored: another one begins, or the game is over."""
        number = len(self.scores) + 1
        points, totals = self._by_name(self.points), self._by_name(self.totals)
        calls = self._by_name(hand.calls)
        self.scores.append(Scores(1, number, points, {**points}, totals, {**totals}, calls))
        best = max(self.totals)
        if best < self.judge.target:
            self.hand, self.due = None, "hand"
        elif self.totals.count(best) == 1:
            self.due = "result"
        else:
            raise Unclear

    def _by_name(self, numbers: Sequence[int]) -> dict[str, int]:
        return dict(zip(self.names, numbers, strict=True))

    def _figures(self, what: str, numbers: Sequence[int]) -> str:
        """A line of figures, such as `score Ann 45, Bob -20`."""
        figures = [f"{name} {number}" for name, number in zip(self.names, numbers, strict=True)]
        return f"{what} {', '.join(figures)}"

    @staticmethod
    def _expect(text: str, due: str) -> None:
        if text != due:
            raise Unclear


def _check(hand: Hand, words: Sequence[str], seats: Mapping[str, int]) -> None:
    """`= stock 24`, `= hand Ann 5` or `= pile 6c 9h`."""
    what, *rest = words
    is_right = False
    if what == "stock":
        is_right = rest == [str(len(hand.stock))]
    elif what == "hand":
        name, number = rest
        is_right = number == str(hand.hands[seats[name]].bit_count())
    elif what == "pile" and len(rest) == len(hand.pile):
        is_right = all(BITS[word] & card for word, card in zip(rest, hand.pile, strict=True))
    if not is_right or hand.unnamed:
        raise Unclear


_CONFIRMERS: Final[dict[tuple[int, int], tuple[Ruleset, Confirmer | None]]] = {}
"""Confirmers by the identity of their ruleset, which they keep alive, and by the number of players."""


def confirmer_for(rules: Ruleset, players: int) -> Confirmer | None:
    """Who confirms games under a ruleset; None if it has a setting that is not understood."""
    known = _CONFIRMERS.get((id(rules), players))
    if known is not None:
        return known[1]
    if len(_CONFIRMERS) >= _MOST:
        _CONFIRMERS.clear()
    judge = Confirmer(rules, players) if _is_understood(rules, players) else None
    _CONFIRMERS[id(rules), players] = rules, judge
    return judge


def _is_understood(rules: Ruleset, players: int) -> bool:
    """Whether a ruleset is 500 Rummy with one pack, but for what is understood."""
    if rules.house_rules or rules.customs or rules.hands:
        return False
    if players not in rules.players.numbers or rules.deck.packs.get(players) != 1:
        return False
    jokers = jokers_for(rules, players)
    if rules.deal.cards.get(players) is None or jokers > (2 if rules.melds.wild.cards else 0):
        return False
    base, _ = load_ruleset("500-rummy")
    assert base is not None
    for change in differences(base, rules):
        values = UNDERSTOOD.get(change.key)
        if values is None or (values and change.value not in values):
            return False
    return True
