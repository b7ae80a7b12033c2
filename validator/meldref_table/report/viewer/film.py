"""What a page plays: the state of the table after each line of a log, as the replay has it.

A state is a row of short texts: whose turn it is, the points, the stock, the pile, the hands, the
melds. A frame holds what of it has changed since the frame before, so that a film is not much
longer than its log.

A frame is words with spaces between them. The first is `[LINE:][TURN][/TAKEN][!]`: which of the
hand's lines it is, from 0, unless it is the next one; the number of its turn; the number of cards
it took from the pile; `!` if no cards are on the table. Each other word is a change: the field, how
many characters before it stay, and how many go, each as a digit to the base of 62, or as some `~`
and one digit more than these; the rest is the new text.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from itertools import zip_longest
from string import ascii_letters, digits
from typing import Final, NamedTuple, TypeAlias

from meldref.core.cards import ANY_SUIT, JOKER, RANKS, UNKNOWN, Card, each
from meldref.core.effort import EFFORT
from meldref.core.events import Call, Header, Line, Points, Take, Turn
from meldref.core.records import fresh, record
from meldref.core.text import alike
from meldref.notation.reader import Read
from meldref.position.model import Ending, Position, TableMeld, uncounted
from meldref.positions.build import Built
from meldref.replay.game import GamePlay
from meldref.replay.hand import HandPlay
from meldref.replay.log import Replay
from meldref.replay.result import Scores
from meldref.rules.draw import find_in_pile
from meldref.ruleset.changes import in_hand
from meldref.ruleset.model import Ruleset
from meldref_table.best_plays import legal_turns
from meldref_table.report.picture import in_order

MOST_BEST: Final = 30
"""For how many lines with findings the best turn is worked out."""
MOST_TURNS: Final = 500
"""For how many turns of a hand their beginning is remembered."""
BEST_STEPS: Final = 20_000
"""The effort of the search for each best turn."""

State: TypeAlias = tuple[str, ...]

_UNKNOWN: Final = "?"
_SIGNS: Final = (
    dict(enumerate(ascii_letters))
    | dict(enumerate("0123456789:;=", ANY_SUIT))
    | {JOKER: "+", UNKNOWN: _UNKNOWN}
)
"""A letter for each natural card, clubs, diamonds, hearts, spades, from the ace up; then a sign for
each rank that a wild card stands for if its suit is open."""
_NOBODY_KNOWS: Final = "*"
_SEATS: Final = digits + ascii_letters


class BestTurn(NamedTuple):
    """What could have been done at a line with a finding: points possible, and points missed."""

    move: str
    points: int
    missed: int


@record(frozen=False)
class HandFilm:
    """A hand of a log, from the lines that lead to it to the last one before the next.

    `game` and `number` are 0 if nothing is played, `first` is its first line in the file, `shown`
    which of its lines each frame shows. `totals` are those of the sides after the hand, as they
    should be, `recorded` as the log has them; `scores` are the hand's own. `ruleset` and `headers`
    say what is played, at the first hand of a game; `target` is the total at which it is over,
    `contract` what a first laying must be in this hand. `best` is the best turn at lines with
    findings, by their numbers.
    """

    first: int = 1
    game: int = 0
    number: int = 0
    players: tuple[str, ...] = ()
    sides: tuple[str, ...] = ()
    dealer: int | None = None
    wild: str = ""
    lines: list[str] = fresh(default_factory=list)
    frames: list[str] = fresh(default_factory=list)
    shown: list[int] = fresh(default_factory=list)
    scores: Scores | None = None
    totals: tuple[int | None, ...] = ()
    recorded: dict[str, int] = fresh(default_factory=dict)
    ruleset: Ruleset | None = None
    headers: Mapping[str, str] = fresh(default_factory=dict)
    target: int | None = None
    contract: str = ""
    best: dict[int, BestTurn] = fresh(default_factory=dict)


class Recorder:
    """Looks on while a log is replayed, and records its hands."""

    def __init__(self) -> None:
        self.hands: list[HandFilm] = []
        # Lines that may turn out to belong to the next hand.
        self._waiting: list[Line] = []
        self._state: State = ()
        self._game: GamePlay | None = None
        self._headers: dict[str, str] = {}
        self._left = MOST_BEST
        self._turns: dict[int, tuple[Built, int]] = {}
        self._told = 0

    def feed(self, run: Replay, read: Read) -> None:
        """Replays one line, and records what came of it."""
        line, findings = read
        self._waiting.append(line)
        if isinstance(line.event, Header):
            if run.game is not self._game or run.game is not None:
                self._headers = {}
            self._headers[line.event.key] = line.event.value
        hands, taken = run.report.hands, _depth(run, line)
        before = self._about_to_play(run, line)
        run.feed((read,))
        if run.report.hands > hands or run.game is not self._game:
            self._close(run)
        self._game = run.game
        if run.report.hands > hands and run.game is not None:
            self._begin(run)
        says = findings if line.event is None else type(line.event) is not Header
        if says and run.game is not None:
            self._show(run, line, taken)
        if before is not None:
            self._note_turn(run, line, before)

    def _note_turn(self, run: Replay, line: Line, before: Built) -> None:
        """Remembers where a turn began, and what it brought."""
        hand = _hand_played(run)
        if hand is not None and hand.position is not None:
            seat = before.position.turn.seat
            gained = hand.position.points[seat] - before.position.points[seat]
            self._turns[line.number] = before, gained

    def _about_to_play(self, run: Replay, line: Line) -> Built | None:
        """Where a turn begins, as long as best turns are worked out."""
        hand, event = _hand_played(run), line.event
        if hand is None or hand.position is None or not isinstance(event, Turn):
            return None
        if not self._left or len(self._turns) >= MOST_TURNS:
            return None
        position = hand.position
        if position.players[position.turn.seat] != event.player or not position.begins:
            return None
        return Built(hand.judge, position.copy())

    def _note_best(self, run: Replay) -> None:
        """Notes the best turns where there are findings, and what the turns played brought less.

        What is found in a hand may be reported when the hand is over, so its turns are remembered
        until then.
        """
        findings = run.so_far.findings[self._told :]
        for number in dict.fromkeys(finding.span.line for finding in findings):
            if number not in self._turns or not self._left:
                continue
            self._left -= 1
            before, gained = self._turns[number]
            with EFFORT.at_most(BEST_STEPS):
                turns, _ = legal_turns(before, 1)
            if turns:
                best = BestTurn(turns[0].move, turns[0].points, turns[0].points - gained)
                self.hands[-1].best[number] = best
        self._told = len(run.so_far.findings)
        self._turns.clear()

    def finish(self, run: Replay) -> None:
        """The log has ended, and its last hand is scored."""
        self._close(run)
        self._keep_lines()
        for hand in self.hands:
            if not hand.frames:
                hand.frames.append("!")
                hand.shown.append(0)

    def _begin(self, run: Replay) -> None:
        game = run.game
        assert game is not None
        self._state = ()
        waiting = self._waiting
        number = game.reporter.hand or run.report.hands  # 0: annulled with its first line
        # Otherwise this hand takes the lines before it, such as the draw for deal.
        if not self.hands or self.hands[-1].game:
            self.hands.append(HandFilm(waiting[0].number))
        hand = self.hands[-1]
        hand.game, hand.number, hand.players = game.number, number, game.players
        hand.sides, hand.totals, hand.recorded = game.scores.standing.names, (), {}
        hand.dealer = game.hand.dealer if game.hand is not None else None
        rules = game.ruleset
        if len(self.hands) < 2 or self.hands[-2].game != hand.game:
            hand.ruleset, hand.headers = rules, self._headers
        hand.target = rules.game.target if rules.game.ends == "at_target" else None
        for entry in rules.hands:
            if entry.first <= number <= entry.last:
                rules = in_hand(rules, entry)
                break
        hand.contract = ", ".join(rules.melds.contract or ())

    def _close(self, run: Replay) -> None:
        """The scores of the hand that was the last one until now."""
        if self.hands:
            self._note_best(run)
        game, hand = self._game, self.hands[-1] if self.hands else HandFilm()
        if game is None or hand.game != game.number:
            return
        totals = game.scores.standing.totals
        hand.totals = tuple(
            now if now is not None else before
            for now, before in zip(totals, hand.totals or totals, strict=True)
        )
        for last in run.report.scores[-1:]:
            if (last.game, last.hand) == (hand.game, hand.number):
                hand.scores = last

    def _keep_lines(self) -> None:
        """Lines that have waited belong to the hand that is played now."""
        if not self._waiting:
            return
        if not self.hands:
            self.hands.append(HandFilm(self._waiting[0].number))
        self.hands[-1].lines += [line.text for line in self._waiting]
        self._waiting.clear()

    def _show(self, run: Replay, line: Line, taken: int) -> None:
        """A frame of the line that was fed last."""
        assert run.game is not None
        # A line may stand before the first hand of another game.
        if self.hands and self.hands[-1].game not in {0, run.game.number}:
            self.hands.append(HandFilm(self._waiting[0].number))
        self._keep_lines()
        hand = self.hands[-1]
        played = run.game.hand
        state: State = ()
        turn = None
        if played is not None and played.started:
            position = played.as_dealt()
            state = _state(position)
            hand.wild = "" if position.wild_rank is None else RANKS[position.wild_rank]
            turn = _number(line, position)
        if isinstance(line.event, Points) and line.event.kind == "total":
            hand.recorded.update(
                {side: points for side, points in line.event.amounts if points is not None}
            )
            hand.totals = tuple(run.game.scores.standing.totals)
        number, due = len(hand.lines) - 1, hand.shown[-1] + 1 if hand.shown else 0
        first = "" if number == due else f"{number}:"
        if turn is not None:
            first += f"{turn}"
        if taken:
            first += f"/{taken}"
        hand.frames.append(" ".join([first, *_edits(self._state, state)]) if state else f"{first}!")
        hand.shown.append(number)
        self._state = state or self._state


def _hand_played(run: Replay) -> HandPlay | None:
    """The hand under way."""
    return None if run.game is None else run.game.hand


def _number(line: Line, position: Position) -> int | None:
    """The number of the turn that a line is part of; None on a line that is part of none."""
    event = line.event
    if not isinstance(event, Turn) or isinstance(event.actions[0], Call):
        return None
    return position.turns if event.number is None else event.number


def _depth(run: Replay, line: Line) -> int:
    """How many cards of the pile a turn is about to take."""
    hand = _hand_played(run)
    if hand is None or hand.position is None or not isinstance(line.event, Turn):
        return 0
    position = hand.position
    takes = [action for action in line.event.actions if isinstance(action, Take)]
    calls = [action for action in line.event.actions if isinstance(action, Call)]
    if calls:
        called = calls[0].cards
        return len(called) if sorted(position.pile[-len(called) :]) == sorted(called) else 0
    index = find_in_pile(position, takes[0]) if takes and position.pile_known else None
    return 0 if index is None else len(position.pile) - index


def _state(position: Position) -> State:
    """A position as a row of texts."""
    moves = position.mover_known and position.ending is Ending.NONE
    turn = _SEATS[position.turn.seat] if moves else "-"
    out = "-" if position.out is None else _SEATS[position.out]
    floating = "".join([_SEATS[seat] for seat in sorted(position.floating)])
    seats = range(len(position.players))
    points = [str(position.points[seat]) if seat in position.order else "" for seat in seats]
    stock = [*reversed(position.stock)]
    unseen = position.stock_size - len(stock)
    return (
        f"{turn}{int(position.ending)}{out}{floating}",
        ",".join(points),
        _NOBODY_KNOWS if uncounted(position.stock_size) else _row(stock) + _UNKNOWN * unseen,
        _row(position.pile) if position.pile_known else _NOBODY_KNOWS,
        *[_hand(position, seat) for seat in seats],
        *map(_meld, position.melds),
    )


def _row(cards: Iterable[Card]) -> str:
    return "".join([_SIGNS[card] for card in cards])


def _hand(position: Position, seat: int) -> str:
    if uncounted(position.unknown[seat]):
        return _NOBODY_KNOWS
    return _row(each(position.hands[seat])) + _UNKNOWN * position.unknown[seat]


def _meld(meld: TableMeld) -> str:
    """A meld: `.`, or `!` if it is not one, and its cards in order: card, role, and player."""
    signs = "!" if meld.shape is None else "."
    for card in in_order(meld):
        signs += _SIGNS[card.card] + _SIGNS[card.role] + _SEATS[card.seat]
    return signs


def _edits(before: State, after: State) -> Iterator[str]:
    """What makes one state of another."""
    for field, (old, new) in enumerate(zip_longest(before, after, fillvalue="")):
        if old == new:
            continue
        begin = alike(old, new)
        end = alike(old[begin:][::-1], new[begin:][::-1])
        gone = len(old) - begin - end
        yield f"{_digits(field)}{_digits(begin)}{_digits(gone)}{new[begin : len(new) - end]}"


def _digits(number: int) -> str:
    higher, digit = divmod(number, len(_SEATS))
    return f"~{_digits(higher)}{_SEATS[digit]}" if higher else _SEATS[digit]
