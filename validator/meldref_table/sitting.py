"""The referee at the table: takes a game line by line, judges each at once, and keeps the score."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from meldref.answers.known import as_known, line_known
from meldref.answers.legal import judge_move, with_player
from meldref.answers.listing import legal_moves
from meldref.core import events
from meldref.core.cards import EMPTY, UNKNOWN, card_text, each
from meldref.core.diagnostics import Finding, Severity, Span, errors_in
from meldref.core.events import Draw, Event, HandEnd, Points, Reshuffle, Result, Turn, Undo
from meldref.core.records import changed
from meldref.notation.actions import BREAKS_IN, VERBS
from meldref.notation.parts import write_name
from meldref.notation.reader import Read, read_line, read_lines, respelled
from meldref.notation.roster import Roster
from meldref.notation.writer import write_event, write_line
from meldref.position.model import GOING_ON, OVER, Position
from meldref.positions.build import Built
from meldref.replay.explainer import Explainer
from meldref.replay.game import GamePlay
from meldref.replay.hand import HandPlay
from meldref.replay.log import Overrides, Replay
from meldref.replay.reporter import Reporter
from meldref.replay.scores import closing_lines
from meldref.rules.game import stands
from meldref.rules.stock import has_known_order
from meldref.ruleset.model import Ruleset
from meldref_table.simulate.dealing import NO_LINE, deal, first_dealer, reshuffle
from meldref_table.simulate.rng import Dice

_CARD: Final = r"(?<![=\w])(?:[2-9TJQKA][cdhs]|Jk)\b"
MOST_OFFERED = 200
"""The most legal moves looked at for what is offered."""


class Sitting:
    """One log being written: the `lines` that were accepted decide where the game stands.

    What takes or writes lines returns what is wrong, and adds what was written to `lines`.
    """

    def __init__(
        self,
        path: str,
        lines: Sequence[str],
        overrides: Overrides,
        seed: int,
        explainer: Explainer | None = None,
    ) -> None:
        self._path, self._overrides, self._seed = path, overrides, seed
        self._explainer = explainer
        self.lines = [*lines]
        self.refused = ""
        self.taken_back: list[Event] = []
        self._begin()

    def _begin(self) -> None:
        """Replays the log from its beginning."""
        self.run = Replay(self._path, self._overrides, explainer=self._explainer)
        self._events: list[Event] = []
        for read in read_lines(self.lines):
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
        return self.run.game

    @property
    def hand(self) -> HandPlay | None:
        """The hand under way."""
        return None if self.game is None else self.game.hand

    def built(self) -> Built | None:
        """The position of the hand under way; None if there is none, or nobody knows who begins."""
        hand = self.hand
        if hand is None or (hand.dealer is None and not hand.started):
            return None
        return hand.stands_as_dealt()

    def _dealt(self) -> Position | None:
        """The position once the cards are dealt, as far as the log says which."""
        hand = self.hand
        if hand is None or hand.position is not None:
            return None if hand is None else hand.position
        turned = hand.up is not None or hand.judge.ruleset.deal.up_card != "turned"
        if not turned or not all(seat in hand.deals for seat in hand.active):
            return None
        built = self.built()
        return None if built is None else built.position

    def mover(self) -> str | None:
        """Whose turn it is, if a hand is under way."""
        position = self._dealt()
        if position is None or position.ending is not GOING_ON:
            return None
        return position.players[position.turn.seat]

    def as_seen(self, name: str | None) -> Position | None:
        """The position with the hand of one player open, and the stock and other hands covered.

        A stock that is a pile turned over stays known: everybody saw it grow.
        """
        dealt, hand = self._dealt(), self.hand
        if dealt is None or hand is None:
            return None
        position = dealt.copy()
        for seat, player in enumerate(position.players):
            if player != name:
                position.hands[seat], position.unknown[seat] = EMPTY, position.held[seat]
        if not has_known_order(hand.judge.ruleset.stock, position):
            position.stock = []
        return position

    def _read(self, text: str) -> Read:
        """The next line of the log, whose players are known."""
        return read_line(text, len(self.lines) + 1, roster=Roster(self._players()))

    def say(self, text: str, *, insist: bool = False) -> tuple[Finding, ...]:
        """Judges a line, takes it into the log if it is right or somebody insists, keeps the score.

        A card of the referee's stock that was shown has been drawn: if only the rest of a move is
        wrong, the draw is taken into the log, and `refused` is that rest.
        """
        text = self._named(text.strip())
        read = self._read(text)
        if isinstance(read[0].event, events.Header):
            return (self._wrong("a header begins another game, which has a log of its own", text),)
        wrong = self._why_not_of_the_stock(read)
        if wrong:
            return (self._wrong(wrong, text),)
        before = len(self.lines)
        whole, draws = self._whole(read, text)
        findings = self._try(whole, insist=insist)
        self.refused = text if len(self.lines) == before else ""
        if self.refused and draws:
            findings = self._draw_alone(text)
        if len(self.lines) > before:
            return (*findings, *self._keep_up())
        return tuple([_without_the_draw(finding) for finding in findings])

    def _draw_alone(self, text: str) -> tuple[Finding, ...]:
        """Takes the draw of a wrong move, if that is right; what is wrong with it or the rest."""
        event, before_draw = self._read(text)[0].event, self._covered()
        assert isinstance(event, Turn)
        assert before_draw is not None
        draw = self._read(write_event(event._replace(actions=event.actions[:1])))
        drawn, _ = self._whole(draw, "")
        before = len(self.lines)
        self._try(drawn)
        if len(self.lines) == before:
            findings = judge_move(before_draw, text).findings
            return findings or (self._wrong("this cannot be done now", text),)
        if not event.actions[1:]:
            self.refused = ""
            return ()
        self.refused = write_event(event._replace(number=None, actions=event.actions[1:]))
        findings = self._try(self.refused)
        self.refused = self.refused if errors_in(findings) else ""
        return findings

    def _try(self, text: str, *, insist: bool = False) -> tuple[Finding, ...]:
        """Takes a line into the log unless it is wrong; what is wrong with it."""
        read = self._read(text)
        event = read[0].event
        before = len(self.run.so_far.findings)
        built = self.built() if isinstance(event, Turn) else None
        before_turn = None if built is None else Built(built.judge, built.position.copy())
        self.run.feed((read,))
        findings = tuple(self.run.so_far.findings[before:])
        if before_turn is not None and self._left_open() and not errors_in(findings):
            findings = judge_move(before_turn, text).findings  # whether the turn can be ended
        if event is None or (errors_in(findings) and not insist):
            self._begin()
        else:
            self.lines.append(text)
            self._note(event)
        return findings

    def _wrong(self, message: str, text: str) -> Finding:
        span = Span(len(self.lines) + 1, 1, len(text) + 1)
        return Finding("log.syntax", message, span, excerpt=text)

    def _left_open(self) -> bool:
        position = None if self.hand is None else self.hand.position
        return position is not None and not position.begins and position.ending is GOING_ON

    def _named(self, text: str) -> str:
        """A move with its player's name, in order."""
        built = self.built()
        if built is None:
            return self._in_order(text)
        position = built.position
        move = with_player(position, text)
        if ":" not in move and text.partition(" ")[0].lower() in VERBS:
            move = f"{write_name(position.players[position.turn.seat])}: {text}"
        return self._in_order(move)

    def _why_not_of_the_stock(self, read: Read) -> str:
        """Why a line cannot be written, if it says what is in the referee's stock."""
        event, built = read[0].event, self.built()
        if built is None or not _is_top_known(built.position):
            return ""
        if isinstance(event, events.StockOrder):
            return "the stock lies there, and nobody knows its order"
        for action in event.actions if isinstance(event, Turn) else ():
            if isinstance(action, Draw) and action.card != UNKNOWN:
                return "the card is drawn by the referee: write `draw` without it"
        return ""

    def _whole(self, read: Read, text: str) -> tuple[str, bool]:
        """A move with the turn's number and the card drawn, and whether the referee drew it."""
        line, findings = read
        built, event = self.built(), line.event
        trailers = line.comment or line.annotation or line.expected
        if built is None or findings or not isinstance(event, Turn) or trailers:
            return text, False
        position = built.position
        if event.player != position.players[position.turn.seat]:
            return write_event(event), False
        first, *rest = event.actions
        draws = isinstance(first, Draw) and first.card == UNKNOWN and bool(position.stock)
        if draws:
            event = event._replace(actions=(Draw(position.stock[-1]), *rest))
        turns = position.turns
        if position.begins and turns is not None and type(first) not in BREAKS_IN:
            event = event._replace(number=event.number or turns + 1)
        return write_event(event), draws and _is_top_known(position)

    def _in_order(self, text: str) -> str:
        """A line in its canonical form, if it is spelled in another way than the grammar's."""
        read = self._read(text)
        return write_line(read[0]) if respelled(read) else text

    def _write(self, lines: Iterable[Event]) -> tuple[Finding, ...]:
        """Takes the referee's own lines into the log: all, or none and why."""
        try:
            texts = [write_event(event) for event in lines]
        except ValueError as unwritable:
            finding = self._wrong(f"{unwritable}, so the scores are not written", "")
            return (changed(finding, severity=Severity.WARNING),)
        for text in texts:
            self._try(text, insist=True)
        return ()

    def _has(self, kind: type[Event]) -> bool:
        """Whether the hand has a line of this kind that counts."""
        return any(isinstance(event, kind) for event in self._events)

    def _keep_up(self) -> tuple[Finding, ...]:
        """Writes, once a hand is over, how it ended, scores, totals, who won and what is paid."""
        hand, game = self.hand, self.game
        position = None if hand is None else hand.position
        if game is None or hand is None or position is None or position.ending is not OVER:
            return ()
        if not self._has(HandEnd):
            self._write([_end_of(position)])
        if self._has(Points):
            return ()
        keeper = game.scores
        keeper.count(hand)
        if keeper.record is None:
            return ()
        scores, playing = keeper.state.hand_scores(), keeper.record.playing
        for side in range(len(scores)) if playing is None else playing:
            if scores[side] is None:
                return ()
        ruleset, standing = game.ruleset, keeper.standing
        return self._write(closing_lines(ruleset, standing, scores, stands(ruleset, standing)))

    def end(self) -> tuple[Finding, ...]:
        """Ends the hand here, although a call could still have been made."""
        position = None if self.hand is None else self.hand.position
        if position is None or position.ending is GOING_ON or self._has(HandEnd):
            return ()
        return self.say(write_event(_end_of(position)))

    def takes_back_a_deal(self) -> bool:
        """Whether `undo` would take back the cards that were dealt."""
        return (
            bool(self._events)
            and isinstance(self._events[-1], events.StockOrder)
            and not self._has(Reshuffle)
        )

    def undo(self) -> tuple[Finding, ...]:
        """Takes back the last line that somebody played, and what the referee wrote after it.

        Without such a line it takes back a deal. `taken_back` are the lines, in the order of the
        log.
        """
        count = 1
        by_referee: tuple[type, ...] = (HandEnd, Points, Result)
        if self._events and isinstance(self._events[-1], events.StockOrder):
            by_referee = (events.StockOrder, events.UpCard, events.Deal)
            count -= not self._has(Reshuffle)
        for event in reversed(self._events):
            if not isinstance(event, by_referee):
                break
            count += 1
        self.taken_back = self._events[-count:] if count else []
        for _ in range(count):
            findings = self._try("undo")
            if errors_in(findings):
                return findings
        return ()

    def as_told(self, event: Event, name: str | None) -> str | None:
        """A line as the player of this name may see it, or as everybody may (None).

        None for a line that only says how cards lie.
        """
        if isinstance(event, (events.StockOrder, events.Deal)):
            return None
        return line_known(write_event(event), name, self._players())

    def may_know(self, finding: Finding, name: str | None) -> Finding:
        """A finding as the player of this name may know it, or as everybody may (None)."""
        return as_known(finding, name, self._players())

    def _players(self) -> tuple[str, ...]:
        return () if self.game is None else tuple(self.game.players)

    def deal(self) -> tuple[Finding, ...]:
        """Deals a hand, and begins one if none is under way."""
        if self.hand is None or self.hand.started:
            findings = self._next_hand()
            if findings:
                return findings
        hand = self.hand
        if hand is None or hand.started:
            return ()
        if hand.dealer is None:
            message = "nobody knows who deals: begin the hand again, as `hand 1 dealer NAME`"
            return (self._wrong(message, "deal"),)
        dice = Dice(self._seed, "deal", self.run.report.hands)
        return self._write(deal(hand.fork(Reporter()), hand.judge, hand.dealer, dice))

    def _next_hand(self) -> tuple[Finding, ...]:
        """Begins the next hand; the first one with the draw for deal."""
        if self.game is None or not self.run.report.hands:
            # A game begins with its first line.
            self.run.feed((read_line('note ""', len(self.lines) + 1),))
            game = self.game
            self._begin()
            if game is None:
                return tuple(self.run.so_far.findings)
            dealer, cuts = first_dealer(game.judge, game.players, Dice(self._seed, "cut"))
            self._write([*cuts, events.HandStart(1, game.players[dealer])])
            return ()
        return tuple(errors_in(self._try("hand")))

    def shuffle(self) -> tuple[Finding, ...]:
        """Makes the pile the new stock, in an order of chance if the referee dealt."""
        built = self.built()
        if built is None or not self._has(events.StockOrder):
            return self.say("reshuffle")
        findings = self._try("reshuffle")
        if errors_in(findings):
            return findings
        players = built.position.players
        trial = HandPlay(built.judge, players, NO_LINE, Reporter())
        self.lines.pop()
        self._begin()
        again = self.built()
        assert again is not None
        trial.adopt(again.position.copy())
        self._write(reshuffle(trial, again.judge, Dice(self._seed, "shuffle", len(self.lines))))
        return ()

    def moves(self, name: str | None = None) -> list[str]:
        """The legal moves and calls; with a name, only those of this player."""
        built = self._covered()
        if built is None:
            return []
        moves = [as_said(legal.move) for legal in legal_moves(built, MOST_OFFERED)]
        if name is None:
            return moves
        return [move for move in moves if ":" not in move or move.startswith(f"{name}:")]

    def _covered(self) -> Built | None:
        """The position of the hand under way, with the referee's stock face down."""
        built = self.built()
        return None if built is None else _covered(built)

    def complete(self, text: str) -> Iterator[str]:
        """What may complete the last action of a line: legal moves, words, cards in hand."""
        built = self.built()
        return iter(()) if built is None else complete(built, text)


def complete(built: Built, text: str) -> Iterator[str]:
    """What may complete the last action of a line where a hand stands like this."""
    built = _covered(built)
    begin = max(text.rfind(";"), text.rfind(":")) + 1
    done, part = text[:begin].rstrip("; "), text[begin:].lstrip()
    if done and not done.endswith(":"):
        answer = judge_move(built, done)
        after = None if answer.findings else answer.after
    else:
        after = built
    offered: list[str] = []
    if after is not None:
        offered = [as_said(legal.move) for legal in legal_moves(after, MOST_OFFERED)]
    if " " not in part:
        offered += words_of(built.judge.ruleset)
    if after is not None:
        offered = _of_seen_cards(after.position, offered, part)
    for action in dict.fromkeys(offered):
        if action.lower().startswith(part.lower()) and action != part:
            yield action


def _covered(built: Built) -> Built:
    """A position with the referee's stock face down, unless it is a pile that all saw turned over."""
    position = built.position.copy()
    is_seen = has_known_order(built.judge.ruleset.stock, position)
    if _is_top_known(position) and not is_seen:
        position.stock = []
    return Built(built.judge, position)


def _of_seen_cards(position: Position, offered: list[str], part: str) -> list[str]:
    """What is offered with the cards in hand, without those that were drawn and not seen."""
    seat = position.turn.seat
    hand = [card_text(card) for card in each(position.hands[seat])]
    if " " in part:
        stem = part[: part.rfind(" ") + 1]
        offered = offered + [stem + card for card in hand if card not in stem.split()]
    if not position.unknown[seat]:
        return offered
    seen = {*hand, *map(card_text, position.pile)}
    return [
        text for text in offered if "?" not in text and seen.issuperset(re.findall(_CARD, text))
    ]


def _is_top_known(position: Position) -> bool:
    """Whether the referee knows the next card of the stock, which nobody else does."""
    return bool(position.stock) and position.stock[-1] != UNKNOWN


def as_said(move: str) -> str:
    """A legal move as a player says it: nobody names the card that is about to be drawn."""
    return "draw" if move == "draw ?" else move


def words_of(ruleset: Ruleset) -> list[str]:
    """The words of the actions that the rules have."""
    has = {
        "swap": ruleset.melds.wild.swap != "never",
        "rummy": ruleset.calls.of != "none",
        "buy": ruleset.buys.of != "none",
        "challenge": ruleset.out.challenge != "none",
    }
    return [word for word in VERBS if has.get(word, True)]


def _without_the_draw(finding: Finding) -> Finding:
    """A finding about a move that was not made; its help does not name the card to be drawn."""
    help_ = tuple([re.sub(rf"\bdraw {_CARD}", "draw", line) for line in finding.help])
    return changed(finding, help=help_)


def _end_of(position: Position) -> HandEnd:
    out = position.out if position.end_reason == "out" else None
    return HandEnd(position.end_reason or "stock", None if out is None else position.players[out])
