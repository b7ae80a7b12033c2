"""What a condition looks at: a position with an action that is about to happen or has happened."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeAlias

from meldref.conditions.types import ANY, MOST, NOTHING, OPEN, Number, Row, Truth
from meldref.core.cards import EMPTY, ONE, UNKNOWN, Card, Cards, count, each
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Buy, LayOff, Meld, Take
from meldref.core.records import record
from meldref.melds import Shape
from meldref.position.memory import TURNED_UP, Deeds, Memory
from meldref.position.model import OnTable, Position, TableMeld, TurnState, is_one_taken, uncounted
from meldref.position.turn import Source


class Thrown(NamedTuple):
    """A card of the pile, or taken from it, and who threw it; None: nobody knows."""

    card: Card
    by: int | None = None


SeenCard: TypeAlias = "Card | OnTable | Thrown"
"""A card that a condition looks at, with how it lies on the table, or who threw it."""
_NO_DEEDS = Deeds(-1)
_TO_LOOK_FOR_MELDS = 20
"""What it takes to look for a meld among the cards of a hand, in parts of conditions."""


class SeenMeld(NamedTuple):
    """A meld as a condition looks at it; `unseen`: it may be longer by now."""

    cards: Sequence[OnTable]
    shape: Shape | None
    seat: int
    is_new: bool
    unseen: bool = False
    owned: bool = True


@record
class Tools:
    """What the rules know that conditions ask about, bound to a ruleset.

    `fits`: whether a player may lay a card off, in a turn of theirs; `partner` of a seat; `lies`: a
    meld as it will lie after a play; `lifts`: what an action takes from the pile, each card with
    its place there, the one that is named first; `goes_out`: whether a player who is left without
    cards goes out, by a discard or not; `can_meld`: whether a player could lay a new meld, but for
    a card thrown; `held` and `laid`: points of cards in hand, and as they lie. `twin` is how equal
    cards count that were held already (`discard.twin`), `grows` says that what is laid never costs
    points, `buys` that cards can be bought. `contract` and `first_points` are the melds and the
    points of a first laying, 0 where none are asked for, and `fills` says whether the contract is
    among some melds; `varying` are the settings that differ from hand to hand, where nobody knows
    which hand it is; `is_last`: whether a hand is the game's last, by its number or by all that
    this may be.
    """

    fits: Callable[[Position, int, Card, TurnState | None], Truth]
    partner: Callable[[int], int | None]
    lies: Callable[[Position, Any], TableMeld]
    lifts: Callable[[Position, Any], Sequence[tuple[int, Card]] | None]
    goes_out: Callable[[bool], bool]
    can_meld: Callable[[Position, int, Card | None, TurnState | None], Truth]
    is_last: Callable[[Number], Truth]
    fills: Callable[[Sequence[SeenMeld]], bool]
    held: Sequence[int]
    laid: Callable[[OnTable], int]
    twin: str
    grows: bool
    buys: bool
    contract: int
    first_points: int
    varying: frozenset[str]


class View:
    """A position and an action, as the conditions of house rules look at them.

    One is kept and pointed at one thing after another. What it goes through to answer is counted as
    the work of conditions. `seat` is whose deed it is, or whose score; `it` what a list's condition
    looks at, and `lying` the meld whose cards these are, if they are one meld's; `card` is that of
    the action; `thrown` a card that is already on the pile, though the position has it in hand;
    `over`: the hand is over; `scores` are those of the hand, by seat. `assumed_melded` is assumed
    of whether this player had melded, where nobody knows.
    """

    __slots__ = (
        "_cards", "_known_hand", "_known_pile", "_meld", "action", "assumed_melded", "card", "it",
        "lying", "over", "position", "scores", "seat", "thrown", "tools", "turn",
    )  # fmt: skip

    position: Position
    turn: TurnState
    action: Any

    def __init__(self, tools: Tools) -> None:
        self.tools = tools
        self.seat = 0
        self.action = None
        self.card: Card = UNKNOWN
        self.it: Any = None
        self.lying: SeenMeld | None = None
        self.thrown: Card | None = None
        self.over = False
        self.assumed_melded: Truth = None
        self.scores: Sequence[Number] = ()
        self._meld: SeenMeld | None = None
        self._cards: Row | None = None
        self._known_hand: tuple[Cards, Row] = EMPTY, Row(())
        self._known_pile: tuple[tuple[Any, ...], list[Thrown]] = (), []

    def look(self, position: Position, action: Action | None) -> View:
        """Points at an action that is about to happen in a position; gives itself."""
        self.card = getattr(action, "card", UNKNOWN)
        self.position, self.turn, self.action = position, position.turn, action
        self.seat = position.turn.seat
        self.thrown = self._meld = self._cards = None
        self.over = False
        return self

    def look_at_end(self, position: Position, turn: TurnState, thrown: Card | None) -> View:
        """Points at a turn or call that ends, in the position after it but for a card thrown."""
        self.position, self.turn, self.seat, self.thrown = position, turn, turn.seat, thrown
        self.action = self._meld = self._cards = None
        self.over = False
        return self

    def look_at_score(self, position: Position, seat: int, scores: Sequence[Number]) -> None:
        """Points at a player when the hand is over."""
        self.look(position, None)
        self.seat, self.over, self.scores = seat, True, scores

    @property
    def named(self) -> SeenCard:
        """The card of the action; of one that takes it from the pile, with who threw it."""
        if not isinstance(self.action, (Buy, Take)):
            return self.card
        lifted = self._lifted()
        if not lifted:
            return Thrown(self.card)
        return Thrown(self.card, lifted[0].by)

    @property
    def memory(self) -> Memory:
        """What is remembered of the hand."""
        memory = self.position.memory
        assert memory is not None
        return memory

    @property
    def deeds(self) -> Deeds:
        """What was done in this turn or call; when the hand is over, in its last one."""
        deeds = self.memory.latest if self.over else self.turn.deeds
        return deeds or _NO_DEEDS

    @property
    def source(self) -> Source:
        """Where the draw of this turn came from."""
        return self.turn.source

    @property
    def order(self) -> Sequence[int]:
        """Everybody who plays the hand."""
        return self.position.order

    @property
    def hand_number(self) -> Number:
        """The hand's number in the game."""
        number = self.memory.hand
        return (1, MOST) if number is None else number

    def setting(self, key: str, value: int) -> Number:
        """What a setting is in this hand; anything where it depends on a number nobody knows."""
        return (0, MOST) if self.memory.hand is None and key in self.tools.varying else value

    def is_last(self) -> Truth:
        """Whether the hand is the last of a game that ends after so many."""
        return self.tools.is_last(self.hand_number)

    def total(self, seat: int) -> Number:
        """A player's total before the hand."""
        total = self.memory.totals[seat]
        return ANY if total is None else total

    def won(self, seat: int) -> Truth:
        """Whether a player won the game, which is over only for a `GameView`."""
        return False

    def points(self, seat: int) -> Number:
        """Points on the table that are a player's."""
        return self.position.points[seat]

    def melding(self, seat: int) -> Number:
        """In how many turns and calls of the hand a player melded or laid off."""
        return self.memory.melding[seat]

    def lay_offs(self, seat: int, *, own: bool = False) -> Number:
        """How many cards a player laid off in the hand; with `own` on their own melds."""
        by_seat = self.memory.own_lay_offs if own else self.memory.lay_offs
        return by_seat[seat]

    def floats(self, seat: int) -> Truth:
        """Whether a player floats."""
        return seat in self.position.floating

    def fits(self, card: Card) -> Truth:
        """Whether a card fits a meld that the player may build on."""
        EFFORT.on_conditions(2 * len(self.position.melds))
        return self.tools.fits(self.position, self.seat, card, None if self.over else self.turn)

    def unseen_pool(self) -> Cards:
        """The cards that have no known place, a counted set."""
        EFFORT.on_conditions(len(ONE))
        return self.position.unseen

    def hand(self, seat: int) -> Row:
        """A player's cards."""
        position = self.position
        cards, unseen = position.hands[seat], position.unknown[seat]
        if uncounted(position.held[seat]):
            return Row(tuple(each(cards)), 0, EMPTY, more=True)
        if self.thrown is not None and seat == self.seat:
            if self.thrown != UNKNOWN and count(cards, self.thrown):
                cards -= ONE[self.thrown]
            elif unseen:
                unseen -= 1
        if not unseen:
            if cards != self._known_hand[0]:
                self._known_hand = cards, Row(tuple(each(cards)))
            return self._known_hand[1]
        return Row(tuple(each(cards)), unseen, position.among.get(seat) or self.unseen_pool())

    def held(self, seat: int) -> Number:
        """How many cards a player holds."""
        held = self.position.held[seat]
        if uncounted(held):
            return (0, MOST)
        if self.thrown is not None and seat == self.seat:
            return held - 1
        return held

    def goes_out(self, seat: int) -> Truth:
        """Whether a player goes out as this turn or call ends."""
        held = self.held(seat)
        least, most = (held, held) if isinstance(held, int) else held
        discards = self.thrown is not None
        if seat != self.seat or least > 0 or not self.tools.goes_out(discards):
            return False
        return True if most <= 0 else None

    def can_meld(self, seat: int) -> Truth:
        """Whether a player could lay some cards as a new meld as this turn or call ends."""
        EFFORT.on_conditions(_TO_LOOK_FOR_MELDS)
        if seat != self.seat:
            return self.tools.can_meld(self.position, seat, None, None)
        return self.tools.can_meld(self.position, seat, self.thrown, self.turn)

    def _of_pile(self) -> list[Thrown]:
        """The cards of the pile, from its bottom on."""
        pile = self.position.pile
        EFFORT.on_conditions(len(pile))
        state = (self.thrown, self.seat, self.memory.thrown, *pile)
        if state != self._known_pile[0]:
            cards = list(map(Thrown, pile, self.memory.throwers(len(pile))))
            if self.thrown is not None:
                cards.append(Thrown(self.thrown, self.seat))
            self._known_pile = state, cards
        return self._known_pile[1]

    def pile(self) -> Row:
        """The pile."""
        return self.row(self._of_pile(), more=not self.position.pile_known)

    def top(self) -> Thrown | None:
        """The top card of the pile, which may be one nobody saw; None where the pile is empty."""
        cards = self._of_pile()
        if not self.position.pile_known and self.thrown is None:
            return Thrown(UNKNOWN)
        return cards[-1] if cards else None

    def row(self, cards: Sequence[Thrown], *, more: bool = False) -> Row:
        """Cards of the pile, or taken from it, of which nobody may have seen some."""
        seen = [card for card in cards if card.card != UNKNOWN]
        unseen = len(cards) - len(seen)
        pool = self.unseen_pool() if unseen else EMPTY
        return Row(seen, unseen, pool, more, of_pile=True)

    def taken(self) -> Sequence[Card]:
        """The cards taken from the pile in this turn or call."""
        return self.turn.taken or self.deeds.taken

    def taken_row(self) -> Row:
        """The cards with the players who discarded them."""
        cards = self.taken()
        thrown = self.deeds.thrown
        if len(thrown) != len(cards):
            return self.row(list(map(Thrown, cards)))
        return self.row([Thrown(card, by) for card, by in thrown])

    def discarded_by(self, it: SeenCard) -> object:
        """Who threw a card of the pile, or one taken from it in this turn or call, as a word."""
        if isinstance(it, Thrown):
            return self._thrower(it.by)
        card = it.card if isinstance(it, OnTable) else it
        was_taken = self.was_taken(card)
        if was_taken is False:
            return NOTHING
        if was_taken is None:
            return OPEN
        throwers = {by for other, by in self.deeds.thrown if other in {card, UNKNOWN}}
        if len(throwers) != 1:
            return OPEN
        return self._thrower(throwers.pop())

    def _thrower(self, seat: int | None) -> object:
        """Who threw a card, as a word: nobody, where it was turned up at the deal."""
        if seat is None:
            return OPEN
        if seat == TURNED_UP:
            return "nobody"
        return self.as_seen(seat)

    def as_seen(self, seat: int) -> str:
        """A player, as the one whose deed it is would say: player, partner or opponent."""
        if seat == self.seat:
            return "player"
        return "partner" if self.tools.partner(self.seat) == seat else "opponent"

    def was_taken(self, card: Card) -> Truth:
        """Whether a card is one of them; equal cards as in `discard.twin`."""
        taken = self.taken()
        if card not in taken:
            may_be_unseen = UNKNOWN in taken and self.position.left(card) > 0
            return None if may_be_unseen else False
        return is_one_taken(self.position, self.turn, card, self.tools.twin)

    def melds(self, seat: int | None = None, *, new: bool = False) -> Row:
        """The melds on the table: all, or those of a player, or those laid in this turn or call."""
        position = self.position
        fresh = () if self.over else self.deeds.melds
        theirs: list[SeenMeld] = []
        maybe: list[SeenMeld] = []
        more = not position.table_known and not new
        EFFORT.on_conditions(len(position.melds))
        for number, meld in enumerate(position.melds):
            if not meld.cards or (new and number not in fresh):
                continue
            if seat is None or (meld.owned and meld.seat == seat):
                theirs.append(self.seen(meld, is_new=number in fresh))
            elif not meld.owned:
                maybe.append(self.seen(meld, is_new=number in fresh))
        return Row(theirs, more=more, maybe=maybe)

    @staticmethod
    def seen(meld: TableMeld, *, is_new: bool) -> SeenMeld:
        """A meld on the table as conditions look at it."""
        return SeenMeld(meld.cards, meld.shape, meld.seat, is_new, meld.unseen, meld.owned)

    def target(self) -> SeenMeld | None:
        """The meld before the action, without cards if it is new; None if nobody knows it."""
        if isinstance(self.action, Meld):
            return SeenMeld((), None, self.seat, is_new=True)
        number, melds = self.action.target, self.position.melds
        if number is None or not 0 < number <= len(melds):
            return None
        meld = melds[number - 1]
        if not meld.cards:
            return None
        return self.seen(meld, is_new=number - 1 in self.deeds.melds)

    def meld(self) -> SeenMeld | None:
        """The meld of the action, as it will lie; None where nobody knows it."""
        if self._meld is not None:
            return self._meld
        before = self.target()
        if before is not None:
            lying = self.tools.lies(self.position, self.action)
            self._meld = self.seen(lying, is_new=before.is_new)
        return self._meld

    def cards(self) -> Row:
        """All cards of the action."""
        if self._cards is None:
            self._cards = self._cards_of_action()
        return self._cards

    def _cards_of_action(self) -> Row:
        action = self.action
        if not isinstance(action, (Meld, LayOff)):
            lifted = self._lifted()
            if lifted is None:
                return Row((), more=True, of_pile=True)
            return self.row(lifted)
        meld = self.meld()
        if meld is None:
            return Row([played.card for played in action.cards])
        return Row(list(meld.cards)[-len(action.cards) :], meld=meld)

    def _lifted(self) -> list[Thrown] | None:
        """The cards that the action takes from the pile, the one named first; None if unknown."""
        lifted = self.tools.lifts(self.position, self.action)
        if lifted is None:
            return None
        throwers = self.memory.lifted(self.position.pile, [place for place, _ in lifted])
        return [Thrown(card, by) for (_, card), by in zip(lifted, throwers, strict=True)]

    def thrower(self) -> int | None:
        """Who threw the card that the action is about, the topmost of several; None if unknown."""
        named = getattr(self.action, "cards", ())
        lifted = self.tools.lifts(self.position, self.action) or ()
        places = [place for place, card in lifted if card in named]
        if lifted and not places:
            # The card that is named first may be one that nobody saw.
            places = [lifted[0][0]]
        if not places:
            return None
        return self.memory.lifted(self.position.pile, [max(places)])[0]

    def is_end(self, card: OnTable) -> Truth:
        """Whether a card lies at an end of its sequence; None if that may be longer by now."""
        meld = self.lying or self._meld_of(card)
        if meld is None:
            return False
        if meld.shape is None:
            return None if meld.unseen else False
        if not meld.shape.pattern.is_run:
            return False
        is_at_end = card.role in {meld.shape.roles[0], meld.shape.roles[-1]}
        if is_at_end and meld.unseen:
            return None
        return is_at_end

    def _meld_of(self, card: OnTable) -> SeenMeld | None:
        """The meld on the table in which a card lies."""
        EFFORT.on_conditions(len(self.position.melds))
        for meld in self.position.melds:
            if any(laid is card for laid in meld.cards):
                return self.seen(meld, is_new=False)
        return None

    def laid(self, seat: int) -> Row:
        """The cards that a player laid."""
        layers = self.memory.layers
        theirs: list[OnTable] = []
        maybe: list[OnTable] = []
        more = not self.position.table_known
        for number, meld in enumerate(self.position.melds):
            more = more or meld.unseen
            EFFORT.on_conditions(len(meld.cards))
            for place, card in enumerate(meld.cards):
                layer = layers.get((number, place), card.seat) if layers else card.seat
                if not meld.owned and layer == meld.seat:
                    maybe.append(card)
                elif layer == seat:
                    theirs.append(card)
        return Row(theirs, more=more, maybe=maybe)

    def has_melded(self, seat: int, *, before: bool = False) -> Truth:
        """Whether a player has laid a meld; before this turn or call, where that is asked."""
        position = self.position
        deeds = self.deeds
        fresh = deeds.melds if before and deeds.seat == seat else ()
        is_open = not position.table_known
        EFFORT.on_conditions(len(position.melds))
        for number, meld in enumerate(position.melds):
            if not meld.owned:
                is_open = True
            elif meld.seat == seat:
                if meld.cards and number not in fresh:
                    return True
                is_open = is_open or not meld.cards
        if not is_open:
            return False
        return self.assumed_melded if seat == self.seat else None

    def had_contract(self, seat: int) -> Truth:
        """Whether a player's melds had the whole contract of the hand before this turn or call."""
        if self.memory.hand is None and "melds.contract" in self.tools.varying:
            return None
        if not self.tools.contract:
            return False
        position, deeds = self.position, self.deeds
        fresh = deeds.melds if deeds.seat == seat else ()
        is_open = not position.table_known
        theirs: list[SeenMeld] = []
        EFFORT.on_conditions(len(position.melds))
        for number, meld in enumerate(position.melds):
            if not meld.owned:
                is_open = True
            elif meld.seat == seat and number not in fresh:
                is_open = is_open or meld.unseen or not meld.cards
                theirs.append(self.seen(meld, is_new=False))
        if self.tools.fills(theirs):
            return True
        return None if is_open else False

    def turns(self, seat: int) -> Number:
        """How many turns of a player have begun, the one about to begin included."""
        position, number = self.position, self.memory.turns[seat]
        is_about_to_begin = (
            position.begins and position.turn is self.turn and self.turn.broken is None
        )
        if not is_about_to_begin or self.over or seat != self.seat:
            return number
        if isinstance(number, int):
            return number + 1
        least, most = number
        return (least + 1, most)


class GameView(View):
    """A game that is over, as conditions of awards look at it; its sides stand for players."""

    __slots__ = ("_hands", "_totals", "_winners")

    def __init__(self, totals: Sequence[int], winners: Sequence[int], hands: int) -> None:
        self._totals, self._winners, self._hands = totals, winners, hands
        self.seat = 0
        self.it = self.lying = None

    @property
    def order(self) -> Sequence[int]:
        """Every side."""
        return range(len(self._totals))

    @property
    def hand_number(self) -> Number:
        """The number of the game's last hand."""
        return self._hands

    def total(self, seat: int) -> Number:
        """A side's total when the game is over."""
        return self._totals[seat]

    def won(self, seat: int) -> Truth:
        """Whether a side won the game."""
        return seat in self._winners
