"""The referee at the table: takes a game line by line, judges each at once, and keeps the score."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from meldref.core import events
from meldref.core.cards import EMPTY, UNKNOWN, card_text, each
from meldref.core.diagnostics import Finding, Span, errors_in
from meldref.core.events import Draw, Event, HandEnd, Points, Result, Turn, Undo
from meldref.legal import judge_move, legal_moves, with_player
from meldref.notation.actions import BREAKS_IN, VERBS
from meldref.notation.reader import read_line
from meldref.notation.writer import write_event, write_name
from meldref.position.model import GOING_ON, OVER, Position
from meldref.positions.build import Built
from meldref.replay.game import GamePlay
from meldref.replay.hand import HandPlay
from meldref.replay.log import Overrides, Replay
from meldref.replay.scores import closing_lines
from meldref.rules.game import stands
from meldref.simulate.dealing import NO_LINE, deal, first_dealer, reshuffle
from meldref.simulate.rng import Dice

MOST_OFFERED = 200
"""The most legal moves looked at for what is offered."""


class Sitting:
    """One log being written. `lines` are those that were accepted; nothing else decides where the game stands.

    What takes or writes lines returns what is wrong, and adds what was written to `lines`.
    """

    def __init__(self, path: str, lines: Sequence[str], overrides: Overrides, seed: int) -> None:
        self._path, self._overrides, self._seed = path, overrides, seed
        self.lines = [*lines]
        self._begin()

    def _begin(self) -> None:
        """Replays the log from its beginning."""
        self.run = Replay(self._path, self._overrides)
        self._events: list[Event] = []
        for number, text in enumerate(self.lines, start=1):
            read = read_line(text, number)
            self.run.feed((read,))
            self._note(read[0].event)

    def _note(self, event: Event | None) -> None:
        """Keeps the lines of the hand that count: what was taken back does not."""
        if isinstance(event, events.HandStart):
            self._events.clear()
        if isinstance(event, Undo) and self._events:
            self._events.pop()
        elif event is not None and not isinstance(event, Undo | events.Note):
            self._events.append(event)

    @property
    def game(self) -> GamePlay | None:
        """The game under way, once there is more of it than headers."""
        return self.run.game if self.run.game is not None and self.run.game.judge is not None else None

    @property
    def hand(self) -> HandPlay | None:
        """The hand under way."""
        return None if self.game is None else self.game.hand

    def built(self) -> Built | None:
        """The position of the hand under way; None where no hand is, or nobody knows who begins it."""
        hand = self.hand
        if hand is None or (hand.dealer is None and not hand.started):
            return None
        return Built(hand.judge.for_hand(hand.number, hand.wild_rank), hand.as_dealt())

    def _dealt(self) -> Position | None:
        """The position once the cards are dealt, as far as anybody says which."""
        hand = self.hand
        if hand is None or hand.position is not None:
            return None if hand is None else hand.position
        turned = hand.up is not None or hand.judge.ruleset.deal.up_card != "turned"
        built = self.built() if turned and all(seat in hand.deals for seat in hand.active) else None
        return None if built is None else built.position

    def mover(self) -> str | None:
        """Whose turn it is, where a hand is under way."""
        position = self._dealt()
        if position is None or position.ending is not GOING_ON:
            return None
        return position.players[position.turn.seat]

    def as_seen(self, name: str | None) -> Position | None:
        """The position with the hand of one player open, and the stock and other hands covered."""
        dealt = self._dealt()
        if dealt is None:
            return None
        position = dealt.copy()
        for seat, player in enumerate(position.players):
            if player != name:
                position.hands[seat], position.unknown[seat] = EMPTY, position.held[seat]
        position.stock = []
        return position

    def say(self, text: str, *, insist: bool = False) -> tuple[Finding, ...]:
        """Judges a line, and takes it into the log where it is in order, or somebody insists; keeps the score."""
        text = self._whole(text.strip())
        before = len(self.lines)
        if isinstance(read_line(text)[0].event, events.Header):
            return (self._wrong("a header begins another game, which has a log of its own", text),)
        findings = self._try(text, insist=insist)
        if len(self.lines) > before:
            self._keep_up()
        return findings

    def _try(self, text: str, *, insist: bool = False) -> tuple[Finding, ...]:
        """Takes a line into the log unless it is wrong; what is wrong with it."""
        read = read_line(text, len(self.lines) + 1)
        before = len(self.run.report.findings)
        built = self.built() if isinstance(read[0].event, Turn) else None
        stood = None if built is None else Built(built.judge, built.position.copy())
        self.run.feed((read,))
        found = tuple(self.run.report.findings[before:])
        if not errors_in(found) and stood is not None and self._left_open():
            found = judge_move(stood, text).findings  # whether the turn can be ended
        self.lines.append(text)
        if read[0].event is None or (errors_in(found) and not insist):
            self.lines.pop()
            self._begin()
        else:
            self._note(read[0].event)
        return found

    def _wrong(self, message: str, text: str) -> Finding:
        return Finding("log.syntax", message, Span(len(self.lines) + 1, 1, len(text) + 1), excerpt=text)

    def _left_open(self) -> bool:
        position = None if self.hand is None else self.hand.position
        return position is not None and not position.begins and position.ending is GOING_ON

    def _whole(self, text: str) -> str:
        """A move with the player's name and the turn's number, and the card drawn where the stock is known."""
        built = self.built()
        if built is None:
            return text
        position = built.position
        move = with_player(position, text)
        if ":" not in move and text.partition(" ")[0] in VERBS:
            move = f"{write_name(position.players[position.turn.seat])}: {text}"
        line, findings = read_line(move)
        event = line.event
        if findings or not isinstance(event, Turn) or line.comment or line.annotation or line.expected:
            return move
        first, *rest = event.actions
        mine = event.player == position.players[position.turn.seat]
        if isinstance(first, Draw) and first.card == UNKNOWN and mine and position.stock:
            event = event._replace(actions=(Draw(position.stock[-1]), *rest))
        if position.begins and mine and event.number is None and position.turns is not None:
            number = None if type(first) in BREAKS_IN else position.turns + 1
            event = event._replace(number=number)
        return write_event(event)

    def _write(self, lines: Iterable[Event]) -> None:
        """Takes lines of the referee's own into the log."""
        for event in lines:
            self._try(write_event(event), insist=True)

    def _has(self, kind: type[Event]) -> bool:
        """Whether the hand has a line of this kind that counts."""
        return any(isinstance(event, kind) for event in self._events)

    def _keep_up(self) -> None:
        """Writes what there is to say once a hand is over: how it ended, scores, totals, who won, what is paid."""
        hand, game = self.hand, self.game
        if game is None or hand is None or hand.position is None or hand.position.ending is not OVER:
            return
        position, keeper = hand.position, game.scores
        if not self._has(HandEnd):
            self._write([_end_of(position)])
        if self._has(Points):
            return
        keeper.count(hand)
        if keeper.record is None:
            return
        scores, playing = keeper.hand_scores(), keeper.record.playing
        if all(scores[side] is not None for side in (range(len(scores)) if playing is None else playing)):
            ruleset, standing = game.ruleset, keeper.standing
            self._write(closing_lines(ruleset, standing, scores, stands(ruleset, standing)))

    def end(self) -> tuple[Finding, ...]:
        """The hand ends here, where a call could still have been made."""
        position = None if self.hand is None else self.hand.position
        if position is None or position.ending is GOING_ON or self._has(HandEnd):
            return ()
        return self.say(write_event(_end_of(position)))

    def undo(self) -> tuple[Finding, ...]:
        """Takes the last line back that somebody played, with what the referee wrote after it; or a deal."""
        count = 1
        by_referee: tuple[type, ...] = (HandEnd, Points, Result)
        if self._events and isinstance(self._events[-1], events.StockOrder):
            by_referee = (events.StockOrder, events.UpCard, events.Deal)
            count -= not self._has(events.Reshuffle)
        for event in reversed(self._events):
            if not isinstance(event, by_referee):
                break
            count += 1
        for _ in range(count):
            if errors_in(found := self._try("undo")):
                return found
        return ()

    def deal(self) -> tuple[Finding, ...]:
        """Deals a hand, and begins one where none is under way."""
        if (self.hand is None or self.hand.started) and (found := self._next_hand()):
            return found
        hand = self.hand
        if hand is None or hand.started:
            return ()
        if hand.dealer is None:
            said = "nobody knows who deals: begin the hand again, as `hand 1 dealer NAME`"
            return (self._wrong(said, "deal"),)
        trial = hand.anew(lambda _: None, lambda *_: None)
        trial.wild_rank = hand.wild_rank
        self._write(deal(trial, hand.judge, hand.dealer, Dice(self._seed, "deal", self.run.report.hands)))
        return ()

    def _next_hand(self) -> tuple[Finding, ...]:
        """Begins the next hand; the first one with the draw for deal."""
        if self.game is None or not self.run.report.hands:
            self.run.feed((read_line('note ""', len(self.lines) + 1),))  # a game begins with its first line
            game = self.game
            self._begin()
            if game is None or game.judge is None:
                return tuple(self.run.report.findings)
            dealer, cuts = first_dealer(game.judge, game.players, Dice(self._seed, "cut"))
            self._write([*cuts, events.HandStart(1, game.players[dealer])])
            return ()
        return tuple(errors_in(self._try("hand")))

    def shuffle(self) -> tuple[Finding, ...]:
        """Makes the pile the new stock, in an order of chance where the referee dealt."""
        built = self.built()
        if built is None or not self._has(events.StockOrder):
            return self.say("reshuffle")
        if errors_in(tried := self._try("reshuffle")):
            return tried
        trial = HandPlay(built.judge, built.position.players, NO_LINE, lambda _: None, lambda *_: None)
        self.lines.pop()
        self._begin()
        again = self.built()
        assert again is not None
        trial.adopt(again.position.copy())
        self._write(reshuffle(trial, again.judge, Dice(self._seed, "shuffle", len(self.lines))))
        return ()

    def moves(self) -> list[str]:
        """The legal moves and calls."""
        built = self.built()
        return [] if built is None else [one.move for one in legal_moves(built, MOST_OFFERED)]

    def complete(self, text: str) -> Iterator[str]:
        """What may stand for the last action of a line: legal moves, then words and the cards that are left."""
        built = self.built()
        if built is None:
            return
        begin = max(text.rfind(";"), text.rfind(":")) + 1
        done, part = text[:begin].rstrip("; "), text[begin:].lstrip()
        state: Built | None = built
        if done and not done.endswith(":"):
            answer = judge_move(built, done)
            state = None if answer.verdict == "illegal" else answer.after
        moves = () if state is None else legal_moves(state, MOST_OFFERED)
        offered = ["draw" if one.move == "draw ?" else one.move for one in moves]
        if " " not in part:
            offered += VERBS
        elif state is not None:
            stem = part[: part.rfind(" ") + 1]
            cards = map(card_text, each(state.position.hands[state.position.turn.seat]))
            offered += [stem + card for card in cards if card not in stem.split()]
        lower = part.lower()
        yield from (one for one in dict.fromkeys(offered) if one.lower().startswith(lower) and one != part)


def _end_of(position: Position) -> HandEnd:
    out = position.out if position.end_reason == "out" else None
    return HandEnd(position.end_reason or "stock", None if out is None else position.players[out])
