"""Confirms a game as a whole: its hands, and what stands between them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from meldref.core.records import NamedTuple
from meldref.notation.canonical import is_plain_name
from meldref.notation.spelling import is_card
from meldref.replay.result import Scores
from meldref_archive.confirming.actions import BITS, Unclear, action
from meldref_archive.confirming.hand import NOBODY, Hand
from meldref_archive.confirming.settings import Settings


class CleanGame(NamedTuple):
    """What a clean game comes to: the scores of its hands, and the number of its turns."""

    scores: list[Scores]
    turns: int


def confirm(
    settings: Settings, players: str, dealer: str, lines: Iterable[str]
) -> CleanGame | None:
    """A game in which all is as it should be; None if anything is not, or is unusual.

    `players` and `dealer` are what its headers say (no dealer: anybody); `lines` come after them.
    """
    names = players.split(", ")
    if len({name.lower() for name in names}) != settings.players:
        return None
    if not all(is_plain_name(name) and not is_card(name) for name in names):
        return None
    try:
        game = Game(settings, names, dealer)
        game.play(lines)
    except (Unclear, LookupError, ValueError, StopIteration):
        return None
    return CleanGame(game.scores, game.turns) if game.is_whole else None


class Game:
    """A game under way; `due` opens the line that is due when a hand is over, or between hands."""

    def __init__(self, settings: Settings, names: Sequence[str], dealer: str) -> None:
        self.settings = settings
        self.names = names
        self.seats = {name: seat for seat, name in enumerate(names)}
        self.dealer = self.seats[dealer] - 1 if dealer else None
        self.hand: Hand | None = None
        self.due = "hand"
        self.turns = 0
        self.points: list[int] = []
        self.totals = [0] * settings.players
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
            self._begin_hand(text)
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
            self._expect(text, self.figures("score", self.points))
            self.totals = list(map(int.__add__, self.totals, self.points))
            self.due = "total"
        elif opening == "total":
            self._expect(text, self.figures("total", self.totals))
            self._close_hand(hand)
        else:
            self._expect(text, f"result {self.names[self.totals.index(max(self.totals))]}")
            self.hand, self.due = None, ""

    def _begin_hand(self, text: str) -> None:
        """`hand 2 dealer Cy`."""
        _, _, name = text.rpartition(" ")
        seat, before = self.seats[name], self.dealer
        if before is not None and seat != (before + 1) % self.settings.players:
            raise Unclear
        self._expect(text, f"hand {len(self.scores) + 1} dealer {name}")
        self._expect(self.due, "hand")
        self.dealer, self.due = seat, "end"
        self.hand = Hand(self.settings, seat)

    def _end(self, hand: Hand, text: str) -> None:
        """`end out Ann` or `end stock`."""
        if not hand.is_over:
            raise Unclear
        why = "stock" if hand.out == NOBODY else f"out {self.names[hand.out]}"
        self._expect(text, f"end {why}")
        held = map(self.settings.held, hand.hands)
        self.points = list(map(int.__sub__, hand.points, held))
        self.due = "score"

    def _close_hand(self, hand: Hand) -> None:
        """The hand is scored: another one begins, or the game is over."""
        number = len(self.scores) + 1
        points, totals = self._by_name(self.points), self._by_name(self.totals)
        calls = self._by_name(hand.calls)
        self.scores.append(Scores(1, number, points, {**points}, totals, {**totals}, calls))
        best = max(self.totals)
        if best < self.settings.target:
            self.hand, self.due = None, "hand"
        elif self.totals.count(best) == 1:
            self.due = "result"
        else:
            raise Unclear

    def _by_name(self, numbers: Sequence[int]) -> dict[str, int]:
        return dict(zip(self.names, numbers, strict=True))

    def figures(self, what: str, numbers: Sequence[int]) -> str:
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
