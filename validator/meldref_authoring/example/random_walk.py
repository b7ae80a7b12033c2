"""Short games made up line by line, between players of whom nobody knows what they hold.

So anything may be done in the first turn. A walk adds one line after another, each of which the
ruleset finds nothing against. What is tried is chosen with an eye on where rules differ: cards from
the pile, melds that empty a hand, cards that fit and are discarded anyway, calls, wild cards
without their names. Nothing is tried that a hand of the size dealt could not hold.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache, reduce
from operator import or_
from typing import Final

from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN, Card, Played, counted, natural
from meldref.core.events import Action, Event, Line, Turn
from meldref.melds import MeldIndex
from meldref.position.model import GOING_ON, Position
from meldref.rulefiles.shelf import OneRuleset
from meldref.rules.base import Binding
from meldref.rules.setup import cards_dealt, first_seat
from meldref.ruleset.changes import goes_back
from meldref.ruleset.model import Ruleset
from meldref_authoring.otherwise import Game, lines_of, players, replayed
from meldref_table.simulate.games import names_for
from meldref_table.simulate.rng import Dice

_MOST_LINES: Final = 6
_SMALL_TABLE: Final = 4
_MOST_MISSES: Final = 4
"""After more lines that the rules object to, a walk is over."""
_WILDS: Final = (0, 0, 1, 1, 2, 3)
"""How many wild cards are among those that melds are looked for in, each as likely as another."""
_MOST_MELDS: Final = 60
_CUT_CARDS: Final = (natural(0, 3), natural(1, 0), natural(8, 2), natural(12, 1))
"""Cards drawn for the deal: an ace, the lowest and the highest without it, and one between."""


class Walk:
    """One game made up line by line, which is clean by a ruleset, mostly at a small table.

    The same seed gives the same walks by number. A walk is rich in what those `sections` of a
    ruleset are about.
    """

    def __init__(self, ruleset: Ruleset, number: int, seed: int, sections: frozenset[str]) -> None:
        self.ruleset = ruleset
        self.dice = dice = Dice(seed, "walk", number)
        numbers = list(ruleset.players.numbers)
        small = [players for players in numbers if players <= _SMALL_TABLE] or numbers
        self.names = names_for(dice.pick(small if dice.below(4) else numbers))
        self.sections = sections
        # Whether wild cards are laid without what they stand for, and lay-offs without their meld.
        bare = 6 if sections & {"melds", "layoff"} else 2
        self.bare = dice.below(10) < bare
        # Times in ten that every card is played, or all but the last discard.
        self.empties = 6 if sections & {"out", "floating", "scoring", "game"} else 2
        # Times in a hundred that somebody calls.
        self.calls = 40 if sections & {"calls", "out"} else 10
        # A card that turns up again and again, where it matters that there are two of it.
        self.again = dice.below(52) if "discard" in sections and dice.below(2) else None
        self.game: Game = (players(self.names), *self._beginning())
        self._cache = OneRuleset(ruleset)
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
        if self._run.report.findings:
            return
        yield self.game
        misses = 0
        most = len(self.game) + _MOST_LINES
        while len(self.game) < most and misses <= _MOST_MISSES:
            line = self._line()
            if line is None or not self._goes_on(line):
                misses += 1
                continue
            self.game = (*self.game, line)
            yield self.game
            position = self.position
            called = isinstance(line, Turn) and isinstance(line.actions[0], events.Call)
            if called and "out" in self.sections:
                # A player with few cards may have gone out before the call.
                fewest = min(position.order, key=position.held.__getitem__)
                hand = events.AssertHand(position.players[fewest], position.held[fewest])
                yield (*self.game, hand)
            if position.ending is not GOING_ON:
                scores = replayed(lines_of(self.game), self._cache).finish().scores
                if scores and scores[-1].computed:
                    yield (*self.game, events.Points("score", tuple(scores[-1].computed.items())))
                    if self.dice.below(2):
                        return

    def _beginning(self) -> Iterator[Event]:
        """The lines before the first turn, rich in what differs."""
        dice, names, sections = self.dice, self.names, self.sections
        dealer = len(names) - 1
        if "deal" in sections and dice.below(2):
            drawn = [dice.pick(_CUT_CARDS), dice.pick(_CUT_CARDS)]
            drawn += [natural(5, seat % 4) for seat in range(len(names) - 2)]
            yield events.Cut(tuple(zip(names, drawn, strict=True)))
            dealer = dice.below(len(names))
        # The direction of play may differ from hand to hand.
        hand = dice.below(2) + 1 if "players" in sections else 1
        yield events.HandStart(hand, names[dealer])
        if "named" in self.ruleset.melds.wild.cards:
            yield events.WildRank(dice.below(13))
        if sections & {"scoring", "deal", "deck"} and dice.below(3) == 0:
            yield from self._dealt(dealer, hand)
        elif "stock" in sections and dice.below(2):
            yield from self._empty_stock()

    def _empty_stock(self) -> Iterator[Event]:
        """What follows when the stock is empty: the end, or a new one, with a card turned up."""
        yield events.Gap()
        if self.dice.below(3) == 0:
            yield events.HandEnd("stock")
            return
        yield events.Reshuffle()
        if self.dice.below(2):
            yield events.UpCard(natural(4, 3))

    def _dealt(self, dealer: int, hand: int) -> Iterator[Event]:
        """A deal in which the cards of one player are known, so that what they count in hand is."""
        ruleset, number = self.ruleset, len(self.names)
        binding = Binding(ruleset, number, back=goes_back(ruleset, hand))
        first = first_seat(binding, dealer, range(number))
        shown = self.dice.below(number)
        deck: list[Card] = []
        for card in range(JOKER + 1):
            deck += [card] * ruleset.copies(card, number)
        self.dice.shuffle(deck)
        for seat, name in enumerate(self.names):
            first_card = deck[0] if seat == shown else UNKNOWN
            sizes = cards_dealt(binding, number, first=seat == first, first_card=first_card)
            size = sizes[len(sizes) // 2]
            cards = (first_card, *sorted(deck[1:size])) if seat == shown else ()
            yield events.Deal(name, cards, size - len(cards))
        if ruleset.deal.up_card == "turned":
            yield events.UpCard(UNKNOWN)

    def _goes_on(self, line: Event) -> bool:
        """Whether the ruleset finds nothing against a line; the game stands after it then."""
        self._run.feed([(Line(len(self.game) + 1, "", line), ())])
        report = self._run.so_far
        if not report.findings and not report.open:
            return True
        self._run = replayed(lines_of(self.game), self._cache)
        return False

    # --- lines ------------------------------------------------------------------------------------

    def _line(self) -> Event | None:
        """Some line that may come next."""
        position, dice = self.position, self.dice
        chance = dice.below(100)
        if position.ending is not GOING_ON:
            if chance < 40 and position.pile:
                return self._call()
            if chance < 60:
                return turn(dice.pick(self.names), events.Challenge())
            return self._ended()
        pile_fits = bool(self._fitting(position.pile))
        if chance < self.calls and position.pile and (pile_fits or dice.below(4) == 0):
            return self._call()
        if chance > 96:
            return events.HandEnd("agreed") if chance > 98 else events.Reshuffle()
        if chance > 90 and position.floating:
            return self._ended()
        if chance > 70 and position.pile and "buys" in self.sections:
            return turn(dice.pick(self.names), events.Buy(self._as_seen(position.pile[-1])))
        actions = self._turn(position.held[position.turn.seat])
        return turn(position.players[position.turn.seat], *actions) if actions else None

    def _ended(self) -> Event:
        """The end of the hand, by the stock or by somebody who has no card left."""
        position = self.position
        if position.end_reason == "stock":
            return events.HandEnd("stock")
        empty = [seat for seat in position.order if not position.held[seat]] or position.order[:1]
        out = self.dice.pick(empty) if position.out is None else position.out
        return events.HandEnd("out", position.players[out])

    def _turn(self, held: int) -> list[Action]:
        """A whole turn, or what is left of one, of a player who holds this many cards."""
        position, dice = self.position, self.dice
        actions: list[Action] = []
        owed: Card | None = None
        taken: Sequence[Card] = ()
        undrawn = position.turn.opening and self.ruleset.deal.first_turn == "no_draw"
        if position.begins and not undrawn and dice.below(30):
            takes = 8 if self.sections & {"draw", "discard"} and len(position.pile) > 2 else 4
            if position.pile and dice.below(10) < takes:
                taken = position.pile[-self._depth() :]
                owed = self._as_seen(taken[0])
                actions.append(events.Take(owed))
                cards_taken = {"that_card": 1, "whole_pile": len(position.pile)}
                held += cards_taken.get(self.ruleset.draw.takes, len(taken))
            elif position.stock_size <= 0:
                return [events.Pass()]
            else:
                drawn = UNKNOWN if self.again is None or dice.below(2) else self.again
                actions.append(events.Draw(drawn))
                held += 1
            if "calls" in self.sections and dice.below(4) == 0:
                return actions  # so that somebody may call then
        if not dice.below(4):
            owed = None
        for play in self._plays(held, owed):
            actions.append(play)
            if isinstance(play, events.Meld | events.LayOff):
                held -= len(play.cards)
        if held > 0:
            actions.append(events.Discard(self._discarded(taken, last=held == 1)))
        return actions

    # --- cards ------------------------------------------------------------------------------------

    def _takes(self) -> list[int]:
        """For each meld on the table, a bit for each card that it takes."""
        shapes = [meld.shape for meld in self.position.melds]
        return [0 if shape is None else shape.accepts for shape in shapes]

    def _wild_roles(self) -> Iterator[tuple[int, Card]]:
        """The cards that wild cards on the table stand for, each with the number of its meld."""
        for number, meld in enumerate(self.position.melds, start=1):
            for card in meld.cards:
                if card.card != card.role < JOKER:
                    yield number, card.role

    def _fitting(self, cards: Iterable[Card]) -> list[Card]:
        """Those of some cards that fit a meld on the table."""
        accepted = reduce(or_, self._takes(), 0)
        return [card for card in cards if card != UNKNOWN and accepted >> card & 1]

    def _as_seen(self, card: Card) -> Card:
        """A card; if nobody saw it, one that it may be, which fits the table or is any other."""
        if card != UNKNOWN:
            return card
        fits = self._fitting(range(JOKER))
        fits += [role for _, role in self._wild_roles()]
        if fits and self.dice.below(2):
            return self.dice.pick(fits)
        return self.dice.below(JOKER)

    def _depth(self) -> int:
        """How far to reach into the pile: to a card that fits, its top, its bottom, or anywhere."""
        dice, pile = self.dice, self.position.pile
        fitting = {*self._fitting(pile), UNKNOWN}
        depths = range(1, len(pile) + 1)
        fits = [depth for depth in depths if pile[-depth] in fitting]
        if fits and dice.below(2):
            return dice.pick(fits)
        return dice.pick((1, len(pile), dice.pick(depths)))

    def _discarded(self, taken: Sequence[Card], *, last: bool) -> Card:
        """A card to discard: one just taken, one that fits, any other, or one that is face down."""
        dice = self.dice
        chance = dice.below(10)
        if taken and chance < (6 if "discard" in self.sections else 2):
            return dice.pick([card for card in taken if card != UNKNOWN] or [UNKNOWN])
        if self.again is not None and chance < 8:
            return self.again
        fits = self._fitting(range(JOKER + 1))
        if fits and chance < (8 if last else 5):
            return dice.pick(fits)
        if chance in (5, 8):
            return UNKNOWN
        seen = [card for card in self.position.pile if card not in (UNKNOWN, JOKER)]
        if seen and chance == 9:  # the same rank again
            return (dice.pick(seen) + 13 * (1 + dice.below(3))) % JOKER
        return dice.below(JOKER + 1)

    # --- plays ------------------------------------------------------------------------------------

    def _plays(self, held: int, owed: Card | None) -> list[Action]:
        """Melds and lay-offs: a few, or as many as leave no card or one; and an exchange."""
        dice, position = self.dice, self.position
        plays: list[Action] = []
        left, due = held, owed
        emptying = dice.below(10) < self.empties
        for _ in range(6 if emptying else dice.below(3) + (owed is not None)):
            spared = dice.below(2)
            if left <= 0 or (emptying and plays and left <= spared):
                break
            play: events.LayOff | events.Meld | None
            if position.melds and dice.below(2 if due else 3) == 0:
                play = self._lay_off(due)
            else:
                size = left - spared if emptying and left < 9 else None
                play = self._meld(due, size)
            if play is not None and len(play.cards) <= left:
                plays.append(play)
                left -= len(play.cards)
                due = None
        if len(plays) > 1 and dice.below(4) == 0:
            plays.append(plays.pop(0))
        swaps = [events.Swap(role, number) for number, role in self._wild_roles()]
        if swaps and dice.below(2):
            for swap in swaps:
                if swap.card == owed:
                    return [swap]
            plays.insert(dice.below(len(plays) + 1), dice.pick(swaps))
        return plays

    def _meld(self, must: Card | None, size: int | None) -> events.Meld | None:
        """A meld of the ruleset's own, of cards that go together."""
        dice, position = self.dice, self.position
        card = dice.below(52) if must is None or must == JOKER else must
        melds = _melds_of(
            position.book, tuple(position.copies), card, dice.below(3), dice.pick(_WILDS), must
        )
        if size is not None:
            melds = [meld for meld in melds if len(meld) in (size, *range(3, size - 2))] or melds
        elif melds and dice.below(2):
            least = min(map(len, melds))
            melds = [meld for meld in melds if len(meld) == least]
        if not melds:
            return None
        cards = dice.pick(melds)
        if self.bare and dice.below(3) == 0:
            cards = tuple(Played(card.card) for card in cards)
        return events.Meld(cards)

    def _lay_off(self, must: Card | None) -> events.LayOff | None:
        """A card on a meld that takes it, named or not."""
        dice, takes = self.dice, self._takes()
        if must is None:
            places: Sequence[int] = range(len(takes))
        else:
            taking = [place for place, accepts in enumerate(takes) if accepts >> must & 1]
            places = taking or range(len(takes))
        place = dice.pick(places)
        fits = [card for card in range(JOKER + 1) if takes[place] >> card & 1]
        if self.bare:  # better one that fits elsewhere, too
            elsewhere = reduce(or_, [*takes[:place], *takes[place + 1 :]], 0)
            fits = [card for card in fits if elsewhere >> card & 1] or fits
        if not fits:
            return None
        card = must if must is not None and must in fits else dice.pick(fits)
        unnamed = self.bare and dice.below(2)
        return events.LayOff((Played(card),), None if unnamed else place + 1)

    def _call(self) -> Event:
        """Somebody calls a card of the pile, and lays it."""
        dice, position = self.dice, self.position
        pile = position.pile
        others = [seat for seat in position.order if seat != position.discarder]
        caller = dice.pick(others if dice.below(8) else position.order)
        name = position.players[caller]
        fits = self._fitting(pile) if dice.below(8) else []
        card = pile[-1] if pile[-1] in fits or dice.below(3) else dice.pick(fits or pile)
        if card == UNKNOWN:
            card = dice.below(JOKER)
        actions: list[Action] = [events.Call((card,))]
        targets = [place for place, accepts in enumerate(self._takes(), 1) if accepts >> card & 1]
        if targets:
            actions.append(events.LayOff((Played(card),), dice.pick(targets)))
        else:
            cards = counted(card for card in pile if card != UNKNOWN)
            ways = list(position.book.melds_in(cards, must=card, limit=40)) if card in pile else []
            if not ways:
                return turn(name, *actions)
            meld = dice.pick(ways)
            if dice.below(2):
                actions = [events.Call(tuple(card.card for card in meld))]
            actions.append(events.Meld(meld))
        more = self._meld(None, None) if dice.below(4) == 0 else None
        if more is not None:
            actions.append(more)
        if dice.below(3):
            actions.append(events.Discard(dice.below(JOKER)))
        return turn(name, *actions)


def turn(player: str, *actions: Action) -> Turn:
    """A turn without a number."""
    return Turn(None, player, actions)


@lru_cache(4_000)
def _melds_of(
    book: MeldIndex, copies: tuple[int, ...], card: Card, form: int, wilds: int, must: Card | None
) -> Sequence[tuple[Played, ...]]:
    """Melds of cards that go with one, as the ruleset has them.

    `form`: 0 for cards of its rank, 1 for those beside it in its suit, 2 for those of other suits
    too. `wilds`: how many wild cards are among them; `must`: a card that has to be in the meld.
    """
    rank, suit = card % 13, card // 13
    near = [JOKER] * wilds + sorted(card for card in book.wilds.cards if card != JOKER)[:wilds]
    if form == 0:
        near += [other * 13 + rank for other in range(4)] + [card] * (copies[card] - 1)
    else:
        near += [suit * 13 + (rank + step) % 13 for step in range(-3, 4)]
    if form == 2:
        near += [(suit + step) % 4 * 13 + (rank + step) % 13 for step in (-2, -1, 1, 2)]
    there: list[Card] = []
    for other in near:
        if there.count(other) < copies[other]:
            there.append(other)
    return tuple(book.melds_in(counted(there), must=must, limit=_MOST_MELDS))
