"""Short games between players of whom nobody knows what they hold, so that anything may be done in the first turn.

A walk puts one line behind another, each of which the ruleset finds nothing against. What is tried is chosen with
an eye on where rules differ: cards from the pile, melds that empty a hand, cards that fit and are thrown all the
same, calls, wild cards without their names. Nothing is tried that a hand of the size dealt could not hold.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.authoring.example.pools import WILDS, Way, bits, melds_of
from meldref.authoring.example.probes import dealt_to, tables, turn
from meldref.authoring.example.taste import taste_for
from meldref.authoring.example.trial import Game, lines_of, players, replayed
from meldref.authoring.judged import OneRuleset
from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN, Card, Played, counted
from meldref.core.events import Action, Event, Line
from meldref.position.model import GOING_ON, Position
from meldref.ruleset.model import Ruleset
from meldref.simulate.games import names_for
from meldref.simulate.rng import Dice

_MOST_LINES: Final = 6
_SMALL_TABLE: Final = 4
_MOST_MISSES: Final = 4
"""So many lines that the rules object to, and a walk is over."""


class Walk:
    """One game being made up, line by line; what it is about are the `sections` in which rules differ."""

    def __init__(self, ruleset: Ruleset, number: int, dice: Dice, sections: frozenset[str]) -> None:
        self.ruleset = ruleset
        self.names = names_for(number)
        self.dice = dice
        self.game: Game = (players(self.names), events.HandStart(1, self.names[-1]))
        self._cache = OneRuleset(ruleset)
        self.taste = taste_for(sections, dice)
        if "named" in ruleset.melds.wild.cards:
            self.game = (*self.game, events.WildRank(dice.below(13)))
        if self.taste.deals:
            self.game = (*self.game, *self._dealt())
        self._run = replayed(lines_of(self.game), self._cache)

    @property
    def position(self) -> Position:
        """Where the game stands."""
        game = self._run.game
        assert game is not None
        assert game.hand is not None
        return game.hand.play()

    def games(self) -> Iterator[Game]:
        """The game after each of its lines, as far as it goes."""
        misses = 0
        begun = len(self.game)
        while len(self.game) < begun + _MOST_LINES and misses <= _MOST_MISSES:
            line = self._line()
            if line is None or not self._goes_on(line):
                misses += 1
                continue
            self.game = (*self.game, line)
            yield self.game
            if self.taste.counts and type(getattr(line, "actions", (None,))[0]) is events.Call:
                yield (*self.game, self._assertion())
            if self.position.ending is not GOING_ON:
                scored = self._scored()
                if scored is not None:
                    yield scored
                    if self.dice.below(2):
                        return

    def _dealt(self) -> Iterator[Event]:
        """A deal in which the cards of one player are known, so that what they count in hand is."""
        ruleset, number = self.ruleset, len(self.names)
        _, sizes = dealt_to(ruleset, number)
        known = self.dice.below(number)
        deck = [card for card in range(JOKER + 1) for _ in range(ruleset.copies(card, number))]
        self.dice.shuffle(deck)
        for seat, (name, size) in enumerate(zip(self.names, sizes, strict=True)):
            cards = tuple(sorted(deck[:size])) if seat == known else ()
            yield events.Deal(name, cards, size - len(cards))
        if ruleset.deal.up_card == "turned":
            yield events.UpCard(UNKNOWN)

    def _assertion(self) -> Event:
        position = self.position
        seat = min(position.order, key=lambda one: position.held[one])
        return events.AssertHand(position.players[seat], position.held[seat])

    # --- what the ruleset says ---------------------------------------------------------------------------------

    def _goes_on(self, line: Event) -> bool:
        """Whether the ruleset finds nothing against a line; the game stands behind it then."""
        report = self._run.report
        self._run.feed([(Line(len(self.game) + 1, "", line), ())])
        if not report.findings and not report.open:
            return True
        self._run = replayed(lines_of(self.game), self._cache)
        return False

    def _scored(self) -> Game | None:
        """A hand that is over, with the scores that are known."""
        scores = replayed(lines_of(self.game), self._cache).finish().scores
        if not scores or not scores[-1].computed:
            return None
        return (*self.game, events.Points("score", tuple(scores[-1].computed.items())))

    # --- lines -------------------------------------------------------------------------------------------------

    def _line(self) -> Event | None:
        """Some line that may come next."""
        position, dice = self.position, self.dice
        chance = dice.below(100)
        if position.ending is not GOING_ON:
            if chance < 40 and position.pile:
                return self._call()
            if chance < 60:
                return turn(self.names[dice.below(len(self.names))], events.Challenge())
            return self._ended()
        if chance < self.taste.calls and position.pile and (self._callable() or dice.below(4) == 0):
            return self._call()
        if chance > 96:
            return events.HandEnd("agreed") if chance > 98 else events.Reshuffle()
        if chance > 90 and position.floating:
            return self._ended()
        seat = position.turn.seat
        actions = self._turn(seat)
        return turn(position.players[seat], *actions) if actions else None

    def _ended(self) -> Event:
        position = self.position
        if position.end_reason == "stock":
            return events.HandEnd("stock")
        out = position.out
        if out is None:
            empty = [seat for seat in position.order if not position.held[seat]]
            out = self.dice.pick(empty) if empty else position.order[0]
        return events.HandEnd("out", position.players[out])

    def _turn(self, seat: int) -> tuple[Action, ...]:
        """A whole turn, or what is left of one."""
        position, dice = self.position, self.dice
        held = position.held[seat]
        done: list[Action] = []
        owed: Card | None = None
        draws = position.begins and not (position.turn.opening and self.ruleset.deal.first_turn == "no_draw")
        draws = draws and dice.below(30) != 0
        taken: list[Card] = []
        if draws:
            takes = self.taste.takes if len(position.pile) > 2 else min(self.taste.takes, 4)
            if position.pile and dice.below(10) < takes:
                depth = self._depth()
                owed = position.pile[-depth]
                taken = position.pile[-depth:]
                if owed == UNKNOWN:
                    owed = self._unseen_card()
                done.append(events.Take(owed))
                kept: str = self.ruleset.draw.takes
                held += {"that_card": 1, "whole_pile": len(position.pile)}.get(kept, len(taken))
            elif position.stock_size <= 0:
                done.append(events.Pass())
                return tuple(done)
            else:
                drawn = UNKNOWN if self.taste.again is None or dice.below(2) else self.taste.again
                done.append(events.Draw(drawn))
                held += 1
            if self.taste.breaks and dice.below(4) == 0:
                return tuple(done)
        plays = self._plays(held, owed if dice.below(4) else None)
        laid = sum(len(play.cards) for play in plays if isinstance(play, events.Meld | events.LayOff))
        done += plays
        if held - laid > 0:
            done.append(events.Discard(self._thrown(taken, last=held - laid == 1)))
        return tuple(done)

    def _unseen_card(self) -> Card:
        """What a card may be that nobody saw: one that fits the table, or any other."""
        fits = [card for card in bits(self._accepted()) if card != JOKER]
        fits += [one.role for meld in self.position.melds for one in meld.cards if one.card != one.role < JOKER]
        return self.dice.pick(fits) if fits and self.dice.below(2) else self.dice.below(JOKER)

    def _accepted(self) -> int:
        """A bit for each card that some meld on the table takes."""
        accepted = 0
        for meld in self.position.melds:
            accepted |= meld.shape.accepts if meld.shape is not None else 0
        return accepted

    def _depth(self) -> int:
        """How far to reach into the pile: to its top, its bottom, a card that fits the table, or anywhere."""
        dice, pile = self.dice, self.position.pile
        accepted = self._accepted()
        fits = [
            depth for depth in range(1, len(pile) + 1) if pile[-depth] == UNKNOWN or accepted >> pile[-depth] & 1
        ]
        if fits and dice.below(2):
            return dice.pick(fits)
        return (1, len(pile), 1 + dice.below(len(pile)))[dice.below(3)]

    def _thrown(self, taken: Sequence[Card], *, last: bool) -> Card:
        """A card to throw: one just taken, one that fits, any other, or one that lies face down."""
        dice = self.dice
        chance = dice.below(10)
        if chance < (6 if self.taste.throws_taken else 2) and taken:
            return dice.pick([card for card in taken if card != UNKNOWN] or [UNKNOWN])
        if self.taste.again is not None and chance < 8:
            return self.taste.again
        fits = list(bits(self._accepted()))
        if chance < (8 if last else 5) and fits:
            return dice.pick(fits)
        if chance in (5, 8):
            return UNKNOWN
        known = [card for card in self.position.pile if card not in (UNKNOWN, JOKER)]
        if chance == 9 and known:
            return (dice.pick(known) + 13 * (1 + dice.below(3))) % JOKER
        return dice.below(JOKER + 1)

    def _plays(self, held: int, owed: Card | None) -> list[Action]:
        """Melds and lay-offs: a few, or as many as leave no card or one."""
        dice, position = self.dice, self.position
        found: list[Action] = []
        left, due = held, owed
        emptying = dice.below(10) < self.taste.empties
        for _ in range(6 if emptying else dice.below(3) + (owed is not None)):
            if left <= 0:
                break
            keep = dice.below(2)
            if position.melds and dice.below(3 if not owed else 2) == 0:
                play: events.LayOff | events.Meld | None = self._lay_off(owed)
            else:
                play = self._meld(owed, left - keep if emptying and left < 9 else None)
            if play is None or len(play.cards) > left:
                continue
            found.append(play)
            left -= len(play.cards)
            owed = None
            if emptying and left <= keep:
                break
        if len(found) > 1 and dice.below(4) == 0:
            found.append(found.pop(0))
        wild = [(place, one) for place, meld in enumerate(position.melds, 1) for one in meld.cards]
        exchanged = [(place, one.role) for place, one in wild if one.role != one.card and one.role < JOKER]
        if exchanged and dice.below(2):
            place, role = next((one for one in exchanged if one[1] == due), dice.pick(exchanged))
            if role == due:
                return [events.Swap(role, place)]
            found.insert(dice.below(len(found) + 1), events.Swap(role, place))
        return found

    def _meld(self, must: Card | None, size: int | None) -> events.Meld | None:
        """A meld of the ruleset's own, of cards that go together."""
        dice = self.dice
        card = dice.below(52) if must is None or must == JOKER else must
        ways: Sequence[Way] = melds_of(self.position, card, dice.below(3), dice.pick(WILDS), must)
        if size is not None:
            just = [way for way in ways if len(way) == size] or [w for w in ways if size - len(w) >= 3]
            ways = just or ways
        elif ways and dice.below(2):
            least = min(map(len, ways))
            ways = [way for way in ways if len(way) == least]
        if not ways:
            return None
        way = dice.pick(ways)
        if self.taste.bare and dice.below(3) == 0:
            way = tuple(Played(one.card) for one in way)
        return events.Meld(way)

    def _lay_off(self, must: Card | None) -> events.LayOff | None:
        """One or two cards on a meld that takes them, named or not."""
        dice, position = self.dice, self.position
        places = [
            at
            for at, meld in enumerate(position.melds)
            if must is not None and meld.shape is not None and meld.shape.accepts >> must & 1
        ]
        place = dice.pick(places or range(len(position.melds)))
        shape = position.melds[place].shape
        if shape is None:
            return None
        fits = list(bits(shape.accepts))
        if self.taste.bare:
            others = [meld.shape.accepts for at, meld in enumerate(position.melds) if meld.shape and at != place]
            fits = [card for card in fits if any(other >> card & 1 for other in others)] or fits
        if not fits:
            return None
        card = must if must is not None and must in fits else dice.pick(fits)
        cards: tuple[Played, ...] = (Played(card),)
        target = None if self.taste.bare and dice.below(2) else place + 1
        return events.LayOff(cards, target)

    def _callable(self) -> list[Card]:
        """The cards of the pile that fit the table."""
        accepted = self._accepted()
        return [card for card in self.position.pile if card != UNKNOWN and accepted >> card & 1]

    def _call(self) -> Event:
        """Somebody calls a card of the pile, and lays it."""
        dice, position = self.dice, self.position
        others = [seat for seat in position.order if seat != position.discarder]
        seat = dice.pick(others if dice.below(8) else position.order)
        pile = position.pile
        fits = self._callable() if dice.below(8) else []
        card = pile[-1] if pile[-1] in fits or dice.below(3) else dice.pick(fits or pile)
        if card == UNKNOWN:
            card = dice.below(JOKER)
        done: list[Action] = [events.Call((card,))]
        targets = [
            place for place, meld in enumerate(position.melds, 1) if meld.shape and meld.shape.accepts >> card & 1
        ]
        if targets:
            done.append(events.LayOff((Played(card),), dice.pick(targets)))
        else:
            known = counted(one for one in pile if one != UNKNOWN)
            ways = list(position.book.melds_in(known, must=card, limit=40)) if card in pile else []
            if not ways:
                return turn(self.names[seat], *done)
            way = dice.pick(ways)
            if dice.below(2):
                done = [events.Call(tuple(one.card for one in way))]
            done.append(events.Meld(way))
        if dice.below(4) == 0:
            more = self._meld(None, None)
            done += [more] if more is not None else []
        if dice.below(3):
            done.append(events.Discard(dice.below(JOKER)))
        return turn(self.names[seat], *done)


def walk(ruleset: Ruleset, number: int, seed: int, sections: frozenset[str]) -> Iterator[Game]:
    """The games of one walk, line by line, at one of the tables of the ruleset; mostly at a small one.

    Args:
        ruleset: what they are clean by.
        number: which walk it is.
        seed: the same seed gives the same walks.
        sections: the sections of a ruleset that they should be about.
    """
    dice = Dice(seed, "walk", number)
    numbers = list(tables(ruleset))
    small = [number for number in numbers if number <= _SMALL_TABLE] or numbers
    return Walk(ruleset, dice.pick(small if dice.below(4) else numbers), dice, sections).games()
