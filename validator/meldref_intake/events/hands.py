"""A hand while its events come: turns are put together, positions counted, its end concluded.

Cards of the pile are counted and named from what was thrown and taken; nothing is guessed: a card
that no record tells is `?`. The lines of a hand are given out when it is over, since what a joker
stands for may be told only then.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN, Card, Played, Role
from meldref.notation.writer import write_action, write_event
from meldref_intake.events.cards import Seen
from meldref_intake.events.records import Place

_MOST_ACTIONS: Final = 100
"""The most actions in a line; a turn goes on in the next one."""
_MOST_TAKEN: Final = 999
DRAWS: Final = ("draw", "take", "pass")
LAYING: Final = ("meld", "lay", "swap")
BREAKS_IN: Final = ("rummy", "buy", "challenge")


class Row(NamedTuple):
    """A line of a log, and for each column at which something begins, the place of its record."""

    text: str
    places: tuple[tuple[int, Place], ...] = ()


TURN_NOT_KNOWN: Final = "what was done before in its turn is not known"


class Unclear(Exception):
    """A record cannot become a line; the sentence that says why."""


class Laid:
    """A card that was laid: what it stands for may be told later."""

    __slots__ = ("card", "raw", "role")

    def __init__(self, seen: Seen) -> None:
        self.card, self.role, self.raw = seen.card, seen.role, seen.raw

    @property
    def played(self) -> Played:
        """As an event holds it."""
        return Played(self.card, self.role)


class Act:
    """An action, as far as it is known while its hand goes on."""

    __slots__ = ("cards", "number", "place", "verb")

    def __init__(self, verb: str, cards: Sequence[Any], number: int | None, place: Place) -> None:
        self.verb, self.cards, self.number, self.place = verb, cards, number, place

    def event(self) -> events.Action:
        """The action as an event."""
        if self.verb in {"meld", "lay"}:
            cards = tuple([laid.played for laid in self.cards])
            if self.verb == "meld":
                return events.Meld(cards)
            return events.LayOff(cards, self.number)
        if self.verb == "draw":
            return events.Draw(self.cards[0])
        if self.verb == "take":
            return events.Take(self.cards[0], self.number)
        if self.verb == "swap":
            return events.Swap(self.cards[0], self.number)
        if self.verb == "discard":
            return events.Discard(self.cards[0])
        if self.verb == "rummy":
            return events.Call(tuple(self.cards))
        if self.verb == "buy":
            return events.Buy(self.cards[0])
        return events.Challenge() if self.verb == "challenge" else events.Pass()


class TurnLine:
    """The actions of one player that become one line."""

    __slots__ = ("actions", "drawn", "over", "player")

    def __init__(self, player: str) -> None:
        self.player = player
        self.actions: list[Act] = []
        self.drawn = self.over = False

    def row(self) -> Row:
        """The line, with the places of its actions."""
        actions = [act.event() for act in self.actions]
        text = write_event(events.Turn(None, self.player, tuple(actions)))
        places: list[tuple[int, Place]] = []
        at = len(text) - len("; ".join(map(write_action, actions))) + 1
        for act, action in zip(self.actions, actions, strict=True):
            places.append((at, act.place))
            at += len(write_action(action)) + 2
        places[0] = (1, places[0][1])
        return Row(text, tuple(places))


class Meld:
    """A meld on the table: its number in the log, its id in the file, and what lies in it."""

    __slots__ = ("cards", "id", "number", "owner")

    def __init__(self, number: int, owner: str, raw: str | None, cards: list[Laid]) -> None:
        self.number, self.owner, self.id, self.cards = number, owner, raw, cards


class _State(NamedTuple):
    """What is counted of a hand, as it stands before something is done, and how many lines stand."""

    lines: int
    melds: Sequence[tuple[Meld, list[Laid]]]
    held: dict[str, int | None]
    stock: int | None
    pile: list[Card] | None
    last: str | None
    acted: bool
    ended: bool
    is_round: bool
    bound: int


class _Step(NamedTuple):
    """Something that was done, and may be taken back.

    `at` is the place of its line among those that stand, `turn` the turn in it, and `done` how many
    actions of that were there before; `before` is what was counted.
    """

    at: int
    turn: TurnLine | None
    done: int
    before: _State


class Hand:
    """One hand: its lines as they come, and what is counted.

    `held` are the sizes of hands, None where unknown. `stock` is how many cards are left there, None
    where nobody knows. `pile` is from the bottom, `UNKNOWN` for a card that no record told; None if
    nobody knows how many they are. `is_cut`: it began before the file; `is_within`: so did its turn.
    `unread` is the place of a record between turns that could not be read, `strange` that of one of which
    the map says nothing. `has_gap`: turns are missing. `last` is whose turn was the last one, or
    who dealt; empty where nobody knows, None behind a call, after which it is not clear whose turn it is.
    `is_round`: somebody has a second turn, so that all have had one.
    """

    def __init__(self, players: Sequence[str]) -> None:
        self.players = players
        self.rows: list[Row | TurnLine] = []
        self.melds: list[Meld] = []
        self.held: dict[str, int | None] = {}
        self.stock: int | None = None
        self.pile: list[Card] | None = None
        self.turn: TurnLine | None = None
        self.ended = self.scored = False
        self.bound: list[tuple[int, str, Role]] = []
        self.acted = self.is_cut = self.is_within = False
        self.unread: Place | None = None
        self.strange: Place | None = None
        self.last: str | None = ""
        self._standing: list[Row | TurnLine] = []
        self._steps: list[_Step] = []
        self._undone: list[Place] = []
        self.dealt: dict[str, tuple[int, list[Card]]] = {}
        self.has_gap = self.is_round = False

    # --- lines ----

    def add(self, event: events.Event, place: Place) -> None:
        """A line that is no turn; a note is none that can be taken back."""
        row = Row(write_event(event), ((1, place),))
        self.rows.append(row)
        if not isinstance(event, events.Note):
            self._standing.append(row)

    def deal(self, player: str, cards: Sequence[Card], place: Place) -> int:
        """A hand, or more cards of one, is dealt; how many cards the player has by now."""
        at, held = self.dealt.get(player, (len(self.rows), []))
        held = [*held, *cards]
        known = tuple([card for card in held if card != UNKNOWN])
        event = events.Deal(player, known, len(held) - len(known))
        row = Row(write_event(event), ((1, place),))
        self.rows[at : at + 1] = [row]
        self.dealt[player] = at, held
        return len(held)

    def texts_since(self, at: int, *, acted: bool) -> tuple[str, ...]:
        """The lines from one on, and with `acted` the turn that goes on."""
        texts = [row.text for row in self.rows[at:] if isinstance(row, Row)]
        if acted and self.turn is not None and self.turn.actions:
            texts.append(self.turn.row().text)
        return tuple(texts)

    def end_turn(self) -> None:
        """What comes begins another line; before it may be missing what was not read."""
        self.turn = None
        if self.unread is not None:
            self.lose_track(self.unread)

    def act(self, player: str, act: Act) -> None:
        """An action: in the line of its player's turn, or in a new one."""
        turn, verb = self.turn, act.verb
        is_new = (
            turn is None
            or len(turn.actions) >= _MOST_ACTIONS
            or turn.player != player
            or turn.over
            or (verb in DRAWS and turn.drawn)
            or verb in BREAKS_IN
        )
        if is_new or turn is None:
            self.end_turn()
            if self._has_passed_round(player) and verb in DRAWS:
                self.is_round = True
            self.last = player if verb in DRAWS else None
            turn = self._begin_line(player)
        turn.actions.append(act)
        turn.drawn = turn.drawn or verb in DRAWS
        turn.over = verb in {"discard", "buy", "challenge", "pass"}
        self.acted = True

    def _begin_line(self, player: str, actions: Sequence[Act] = ()) -> TurnLine:
        """A line of a player begins, with what was done already."""
        turn = self.turn = TurnLine(player)
        turn.actions += actions
        turn.drawn = any(act.verb in DRAWS for act in actions)
        self.rows.append(turn)
        self._standing.append(turn)
        return turn

    def expect(self, player: str, verb: str) -> None:
        """What a player does may begin a turn of which something before was not read.

        Raises:
            Unclear: it goes on with a turn whose beginning was not read.
        """
        turn = self.turn
        if turn is not None and turn.player == player and not turn.over:
            return
        is_next = verb in DRAWS and self.last is not None and self._after(self.last) in {"", player}
        if self.strange is not None and not is_next:
            self.unread = self.strange
        self.strange = None
        if self.unread is not None and verb not in (*DRAWS, *BREAKS_IN):
            raise Unclear(TURN_NOT_KNOWN)

    def _after(self, player: str) -> str:
        """Whose turn comes after that of a player, as far as the seats tell it."""
        seats = self.players
        return seats[(seats.index(player) + 1) % len(seats)] if player in seats else ""

    def miss(self, place: Place, *, is_broken: bool) -> None:
        """A record cannot be read, or the map says nothing of it; within a turn, its rest is not known."""
        self.settle()
        if self.is_under_way:
            self.lose_turn(place)
        elif is_broken:
            self.unread = place
        else:
            self.strange = place

    def _has_passed_round(self, player: str) -> bool:
        """Whether a player had a turn, and others since."""
        had = [row.player for row in self.rows if isinstance(row, TurnLine) and row.drawn]
        return player in had and had[-1] != player

    @property
    def is_all_there(self) -> bool:
        """Whether everybody who plays is known: who was dealt a hand, or had a turn."""
        return self.is_round or len(self.dealt) > 1

    # --- taking back ----

    def state(self) -> _State:
        """What is counted by now."""
        return _State(
            len(self._standing),
            [(meld, list(meld.cards)) for meld in self.melds],
            dict(self.held),
            self.stock,
            None if self.pile is None else list(self.pile),
            self.last,
            self.acted,
            self.ended,
            self.is_round,
            len(self.bound),
        )

    def keep(self, before: _State) -> None:
        """Something was done that may be taken back; what was counted before it."""
        turn = None if self.ended else self.turn
        line = self._standing[-1] if turn is None else turn
        at = min(before.lines, len(self._standing) - 1 - self._standing[::-1].index(line))
        done = 0 if turn is None else len(turn.actions) - 1
        self._steps.append(_Step(at, turn, done, before))

    def undo(self, place: Place) -> None:
        """What was done last is taken back; how much of its turn that is, shows in what comes next.

        Raises:
            Unclear: nobody knows what was done last.
        """
        if len(self._undone) == len(self._steps):
            self.lose_turn(place)
            raise Unclear("what it takes back is not known")
        self._undone.append(place)

    @property
    def takes_back(self) -> bool:
        """Whether something is to be taken back."""
        return bool(self._undone)

    def settle(self, player: str = "", verb: str = "") -> None:
        """Takes back what was to be taken back, before something is done.

        A turn is taken back as a whole if its player draws again; else it goes on in another line.
        """
        undone, self._undone = self._undone, []
        if not undone:
            return
        step = self._steps[-len(undone)]
        del self._steps[-len(undone) :]
        turn, kept = step.turn, [] if step.turn is None else step.turn.actions[: step.done]
        has_drawn = any(act.verb in DRAWS for act in kept)
        if turn is not None and turn.player == player and verb in DRAWS and has_drawn:
            while self._steps and self._steps[-1].turn is turn:
                step = self._steps.pop()
            kept = []
        for _ in self._standing[step.at :]:
            self.rows.append(Row(write_event(events.Undo()), ((1, undone[-1]),)))
        del self._standing[step.at :]
        self._go_back_to(step.before)
        if turn is not None and kept:
            again = self._begin_line(turn.player, kept)
            self._steps = [s._replace(turn=again) if s.turn is turn else s for s in self._steps]

    def _go_back_to(self, state: _State) -> None:
        for meld, cards in state.melds:
            meld.cards = list(cards)
        self.melds = [meld for meld, _ in state.melds]
        self.held, self.stock = dict(state.held), state.stock
        self.pile = None if state.pile is None else list(state.pile)
        self.last, self.acted = state.last, state.acted
        self.ended, self.is_round = state.ended, state.is_round
        del self.bound[state.bound :]
        self.turn = None

    # --- counting ----

    def _more(self, player: str, number: int | None) -> None:
        held = self.held.get(player)
        self.held[player] = None if held is None or number is None else held + number

    def draw(self, player: str, card: Card, place: Place) -> None:
        """A card comes from the stock."""
        if self.stock is not None:
            self.stock -= 1
        self._more(player, 1)
        self.act(player, Act("draw", (card,), None, place))

    def take(
        self, player: str, card: Card | None, count: int | None, index: int | None, place: Place
    ) -> None:
        """Cards come from the pile: down to one, or so many, or down to the one at an index."""
        pile = self.pile
        if count is None and index is not None and pile is not None:
            if not 0 <= index < len(pile):
                raise Unclear(f"the pile has {len(pile)} cards, and none at {index}")
            count = len(pile) - index
        if count is not None and not 0 < count <= _MOST_TAKEN:
            raise Unclear(f"{count} cards cannot be taken")
        if count is None and card not in (None, UNKNOWN) and pile is not None:
            count = _depth(pile, card)
        known = UNKNOWN if card is None else card
        if known == UNKNOWN and count is not None and pile is not None and count <= len(pile):
            known = pile[-count]
        if known == UNKNOWN and count is None:
            raise Unclear("it tells neither which card was taken nor how many")
        if pile is not None:
            if count is None:
                self.pile = None
            else:
                del pile[max(0, len(pile) - count) :]
        self._more(player, count)
        self.act(player, Act("take", (known,), count, place))

    def lay(
        self,
        player: str,
        cards: list[Seen],
        meld: Meld | None,
        place: Place,
        raw: str | None = None,
        *,
        is_new: bool,
    ) -> None:
        """Cards are laid: as a new meld, or on one (None: the file does not tell which).

        Raises:
            Unclear: there is none, or one that nobody saw.
        """
        if not cards or any(seen.card == UNKNOWN for seen in cards):
            raise Unclear("it does not tell the cards")
        laid = [Laid(seen) for seen in cards]
        self._more(player, -len(laid))
        if is_new:
            meld = Meld(len(self.melds) + 1, player, raw, list(laid))
            self.melds.append(meld)
            self.act(player, Act("meld", laid, None, place))
            return
        if meld is not None:
            meld.cards += laid
        self.act(player, Act("lay", laid, None if meld is None else meld.number, place))

    def swap(self, player: str, card: Card, meld: Meld | None, raw: str, place: Place) -> None:
        """A joker comes to a hand for the card that it stood for."""
        if meld is not None:
            jokers = [laid for laid in meld.cards if laid.card == JOKER]
            alike = [laid for laid in jokers if raw and laid.raw == raw]
            taken = alike[-1] if alike else jokers[0] if len(jokers) == 1 else None
            if taken is not None:
                if taken.role is None:
                    taken.role = card
                meld.cards.remove(taken)
            meld.cards.append(Laid(Seen(card)))
        number = None if meld is None else meld.number
        self.act(player, Act("swap", (card,), number, place))

    def discard(self, player: str, card: Card, place: Place) -> None:
        """A card goes to the pile."""
        self._more(player, -1)
        if self.pile is not None:
            self.pile.append(card)
        self.act(player, Act("discard", (card,), None, place))

    def call(self, player: str, verb: str, cards: Sequence[Card], place: Place) -> None:
        """Somebody breaks in: calls rummy, buys, or contests a discard."""
        if verb == "rummy" and self.pile is not None:
            depths = [_depth(self.pile, card) for card in cards]
            if None in depths:
                self.pile = None
                self._more(player, None)
            else:
                most = max(depth or 0 for depth in depths)
                del self.pile[len(self.pile) - most :]
                self._more(player, most)
        elif verb == "buy":
            if self.pile:
                self.pile.pop()
            self._more(player, None)
            self.stock = None
        self.act(player, Act(verb, cards, None, place))

    def renew_stock(self, place: Place, *, turns_up: bool) -> None:
        """The pile becomes the stock; which cards lie where is unknown from then on."""
        self.end_turn()
        self.add(events.Reshuffle(), place)
        size = None if self.pile is None else len(self.pile)
        self.stock = None if size is None else size - turns_up
        self.pile = [UNKNOWN] if turns_up else []

    def lose_track(self, place: Place) -> None:
        """Turns are missing: nobody knows what lies where."""
        self.settle()
        self.turn = self.unread = self.strange = None
        self.add(events.Gap(), place)
        self._steps = []
        self.pile = self.stock = None
        self.held = dict.fromkeys(self.held)
        self.has_gap = True

    def lose_turn(self, place: Place) -> None:
        """An action cannot be read: what follows in its turn is not known either."""
        if not self.is_within:
            self.lose_track(place)
            self.is_within = True

    @property
    def is_under_way(self) -> bool:
        """Whether a turn has begun that is not over."""
        return self.turn is not None and not self.turn.over and not self.ended

    @property
    def is_over(self) -> bool:
        """Whether the hand is over, as records say it or as somebody has no cards left."""
        return self.ended or self.scored or (0 in self.held.values() and not self.is_under_way)

    @property
    def misses_its_end(self) -> bool:
        """Whether the last thing that is known of the hand is that something was not read."""
        return (self.is_within or self.unread is not None) and not self.is_over

    @property
    def breaks_off(self) -> bool:
        """Whether the hand is not over, as far as anybody knows."""
        is_known = bool(self.held) and None not in self.held.values()
        return self.acted and not (self.ended or self.scored) and (self.is_under_way or is_known)

    def begin_within(self, place: Place) -> None:
        """The hand began before the file."""
        self.lose_track(place)
        self.is_cut = self.is_within = True

    # --- melds ----

    def meld_by(self, raw: str, first: int | None, owner: str | None) -> Meld:
        """The meld of an id, or of an index counted from `first`, of all or of one player's.

        Raises:
            Unclear: there is none, or it was laid where turns are missing.
        """
        for meld in reversed(self.melds):
            if meld.id is not None and meld.id == raw:
                return meld
        if self.has_gap:
            raise Unclear("its meld was laid where turns are missing")
        melds = [meld for meld in self.melds if owner is None or meld.owner == owner]
        if first is not None and raw.lstrip("-").isdigit():
            at = int(raw) - first
            if 0 <= at < len(melds):
                return melds[at]
        raise Unclear(f"there is no meld {raw}")

    def bind(self, number: int, raw: str, role: Role) -> None:
        """A joker in a meld stands for a card, as is told later."""
        self.bound.append((number, raw, role))

    def _bind_jokers(self) -> None:
        for number, raw, role in self.bound:
            if not 0 < number <= len(self.melds):
                continue
            unbound = [
                laid
                for laid in self.melds[number - 1].cards
                if laid.card == JOKER and laid.role is None
            ]
            alike = [laid for laid in unbound if raw and laid.raw == raw]
            told = [other for other in self.bound if other[0] == number]
            if alike:
                alike[0].role = role
            elif len(unbound) == 1 or (len(unbound) == len(told) and unbound):
                unbound[0].role = role
        self.bound = []

    # --- the end ----

    def conclude(self, place: Place, *, is_over: bool) -> None:
        """Says how the hand ended, where no record does and what was played shows it.

        That the stock is empty shows it only of a hand that is over for certain.
        """
        if self.ended or not self.acted:
            return
        if self.unread is not None:
            self.end_turn()
        out = [player for player, held in self.held.items() if held == 0]
        if len(out) == 1:
            self.end("out", out[0], place)
        elif self.turn is not None and not self.turn.over and self.turn.drawn and self.scored:
            if self.held.get(self.turn.player) is None:
                self.end("out", self.turn.player, place)
        elif is_over and self.stock == 0 and None not in self.held.values():
            self.end("stock", None, place)

    def end(self, reason: str, player: str | None, place: Place) -> None:
        """How the hand ended; the line stands before scores that were told already."""
        self.ended = True
        row = Row(write_event(events.HandEnd(reason, player)), ((1, place),))
        at = len(self.rows)
        while (
            at
            and isinstance(before := self.rows[at - 1], Row)
            and before.text.startswith(("score ", "total ", "result "))
        ):
            at -= 1
        self.rows.insert(at, row)
        self._standing.append(row)

    def leave_scores_out(self) -> Iterable[Row]:
        """Takes out what was scored, to which totals cannot be added; those lines."""
        scored = [
            row for row in self.rows if isinstance(row, Row) and row.text.startswith("score ")
        ]
        self.rows = [row for row in self.rows if row not in scored]
        return scored

    def lines(self) -> Iterable[Row]:
        """The lines of the hand, which is over."""
        self._bind_jokers()
        for row in self.rows:
            yield row.row() if isinstance(row, TurnLine) else row
        self.rows = []


def _depth(pile: Sequence[Card], card: Card | None) -> int | None:
    """How many cards are taken down to a card; None if it may be several."""
    if card in pile:
        above = pile[::-1].index(card)
        return above + 1
    unseen = [at for at, lying in enumerate(pile) if lying == UNKNOWN]
    return len(pile) - unseen[0] if len(unseen) == 1 else None
