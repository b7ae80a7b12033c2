"""A file of a program becomes a log, as a map says: a record at a time, a hand at a time."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from itertools import islice
from typing import Any, Final, NamedTuple

from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN, Card
from meldref.core.text import in_words
from meldref.notation.parts import MOST_NUMBER
from meldref.notation.writer import write_event
from meldref_intake.events.cards import NoCard, Seen
from meldref_intake.events.hands import (
    DRAWS,
    LAYING,
    TURN_NOT_KNOWN,
    Act,
    Hand,
    Meld,
    Row,
    Unclear,
)
from meldref_intake.events.patterns import TooSlow
from meldref_intake.events.plan import Entry, Jokers, Plan, Rules, setting_text
from meldref_intake.events.records import Place, Record, Source, Unreads
from meldref_intake.events.roster import MOST_PLAYERS, Roster
from meldref_intake.events.snapshots import Habits, State, StateReader, begins_hand, play, resume
from meldref_intake.events.values import (
    Scope,
    Value,
    items_of,
    number_of,
    scopes_of,
    text_of,
)

MOST_SEARCHED: Final = 50_000
"""In how many records players are looked for, where no list names them."""
_NO_ENTRY: Final = "no entry of the map is for it"
_MOST_FIELDS: Final = 12
_MOST_SHOWN: Final = 100
_ENDS: Final = ("out", "stock", "agreed")
_POINTS: Final = ("score", "total")
_LISTING: Final = (*_POINTS, "players")
"""Lines that say the whole of a list, and not something for each of its items."""
_DEALING: Final = ("deal", "up", "stock")
_NAMING: Final = ("players", "hand", "deal")
"""Lines that may name players who were not named before."""


class Said(NamedTuple):
    """What became of a record, for `--explain`: its lines or actions, or why there are none.

    `shown` is the beginning of one that no entry is for.
    """

    place: Place
    entry: int
    texts: tuple[str, ...] = ()
    why: str = ""
    shown: str = ""


class Importer:
    """The import of one file, by the rules of its map or by others.

    `rows` gives the lines of the log; then the rest is known.
    `unread` are the parts that are no records, `unmapped` the records of which the map says nothing
    or whose lines are unclear, `said` what became of each, where that is asked for. `ends_within`: the
    last line is a turn that was not over. `keys` are those of the first record.
    """

    def __init__(
        self, plan: Plan, source: Source, *, rules: str | None = None, explains: bool = False
    ) -> None:
        self.plan, self.source = plan, source
        self.rules = plan.rules if rules is None else Rules(lambda _: rules, (), {})
        self.unmapped: list[Said] = []
        self.left_out = 0
        self.said: list[Said] = []
        self.explains = explains
        self._rosters: list[Roster] = []
        self.ends_within = self._alternates = False
        self.keys: tuple[str, ...] = ()
        self._not_found = dict(plan.field_paths)
        self._led_nowhere: dict[tuple[int, str], tuple[str, Place] | None] = {}

    @property
    def unread(self) -> Unreads:
        """The parts of the file that are no records."""
        return self.source.unread

    def rows(self) -> Iterator[Row]:
        """The lines of the log.

        Where only the records show who plays, they are looked through for that first.
        """
        is_listed = self._is_listed()
        if not is_listed:
            for _ in self._run(given=False, most=MOST_SEARCHED):
                pass
            self.unmapped, self.said, self.left_out = [], [], 0
            self._led_nowhere, self._alternates = {}, False
        yield from self._run(given=not is_listed)
        for said in self._paths_to_nowhere():
            self.note(said)
        for (entry, key), nowhere in self._led_nowhere.items():
            if nowhere is not None:
                line, place = nowhere
                why = f"{line}: what the map says of {key} is in none of the records"
                self.note(Said(place, entry, why=why))

    def why_nothing(self) -> str:
        """Why no record became a line: there is none, or they have not what the map looks at."""
        if not self.keys and not self.unmapped and next(iter(self.source.records()), None) is None:
            return f"there is no record {self.source.looks()}"
        what = "no record of it became a line of the log"
        unclear = next((said for said in self.unmapped if said.why != _NO_ENTRY), None)
        if unclear is not None:
            return f"{what}; {unclear.place}: {unclear.why}"
        if not self.keys:
            return what
        asked = {path for entry in self.plan.entries for path in entry.looks_at}
        named = {str(path.steps[0]) for path in asked if not path.up and path.steps}
        lacking = sorted(named.difference(self.keys, self.plan.fields))
        has = in_words(self.keys[:_MOST_FIELDS], "and")
        no = f", and no {in_words(lacking, 'or')}" if lacking else ""
        return f"{what}; the first record has {has}{no}"

    def _paths_to_nowhere(self) -> Iterator[Said]:
        """What the map says of all records, and is in none of them."""
        names = [f"the field {name}" for name in self._not_found]
        if not self.source.is_ordered:
            names.append("their order (sort)")
        for what in names if self.keys else ():
            why = f"what the map says of {what} is in none of the records"
            yield Said(Place(), 0, why=why)

    def knows_most(self, number: int) -> bool:
        """Whether the map has an entry for most of the first records, of which there are some."""
        known = looked_at = 0
        for record in islice(self.source.records(), number):
            scope = self._named(record.scope)
            looked_at += 1
            known += any(entry.when(_with_fields(entry, scope)) for entry in self.plan.entries)
        return looked_at > 1 and known > 0.8 * looked_at

    def _is_listed(self) -> bool:
        """Whether a list of the file tells who plays."""
        if "list" not in self.plan.players:
            return False
        first = next(iter(self.source.records()), None)
        if first is None:
            return False
        try:
            return bool(items_of(self.plan.players["list"](self._named(first.scope))))
        except TooSlow:
            return False

    def _run(self, *, given: bool, most: int | None = None) -> Iterator[Row]:
        rosters = self._rosters if given else []
        if not given:
            self._rosters = rosters
        tables: dict[str, dict[str, Any]] = {name: {} for name in self.plan.tables}
        game: Game | None = None
        document = key = None
        seen: set[str] = set()
        number = line = 0
        for record in islice(self.source.records(), most):
            if game is not None and self.unread.between(line, record.place.line):
                game.miss(record.place, is_broken=True)
            line = record.place.line
            try:
                scope = self._named(record.scope._replace(tables=tables))
                self._gather(tables, scope)
                now = None if self.plan.game_by is None else self.plan.game_by(scope)
                begins_document = self.source.documents and scope.file is not document
                if begins_document:
                    document, key, seen = scope.file, None, set()
                is_other = now is not None and key is not None and text_of(now) != text_of(key)
                if game is None or begins_document or is_other:
                    if text_of(now) in seen:
                        self._say_games_alternate(record.place)
                    seen.add(text_of(now))
                    if game is not None:
                        yield from game.finish()
                    if len(rosters) <= number:
                        rosters.append(Roster(self.plan.order, self.plan.index_from))
                    game = Game(self, rosters[number], scope, record.place, is_first=not number)
                    number += 1
                key = now if now is not None else key
                yield from game.take(record, scope)
            except TooSlow as wrong:
                self.note(Said(record.place, 0, why=str(wrong)))
        if game is not None:
            try:
                yield from game.finish()
            except TooSlow as wrong:
                self.note(Said(Place(), 0, why=str(wrong)))

    def _say_games_alternate(self, place: Place) -> None:
        """Says once that a game comes back, of which another one begins here."""
        if not self._alternates:
            why = "a game that was left comes back: put its records together by records: {sort: …}"
            self.note(Said(place, 0, why=why))
        self._alternates = True

    def looked_for(self, entry: Entry, key: str, place: Place, *, found: bool) -> None:
        """Keeps whether what an entry says of a value led to one in any record."""
        at = (entry.number, key)
        if found:
            self._led_nowhere[at] = None
        else:
            self._led_nowhere.setdefault(at, (entry.line, place))

    def _gather(self, tables: dict[str, dict[str, Any]], scope: Scope) -> None:
        """Keeps the rows of a record that later ones look up."""
        for name, (when, each, at, give) in self.plan.tables.items():
            if when(scope):
                rows = scopes_of(each, scope)
                tables[name].update({text_of(at(row)): give(row) for row in rows})

    def _named(self, scope: Scope) -> Scope:
        """A scope with the values that the map gives names."""
        fields: dict[str, Any] = {}
        scope = scope._replace(fields=fields)
        for name, value in self.plan.fields.items():
            fields[name] = value(scope)
        for name in [name for name, path in self._not_found.items() if path.of(scope) is not None]:
            del self._not_found[name]
        if not self.keys and isinstance(scope.record, Mapping):
            self.keys = tuple(map(str, scope.record))
        return scope

    def note(self, said: Said) -> None:
        """Keeps what became of a record, as far as it is asked for."""
        if said.why:
            if len(self.unmapped) < 1_000:
                self.unmapped.append(said)
            else:
                self.left_out += 1
        if self.explains:
            self.said.append(said)


class Game:
    """One game of the file."""

    def __init__(
        self, owner: Importer, roster: Roster, scope: Scope, first: Place, *, is_first: bool
    ) -> None:
        self.plan, self.owner, self.roster = owner.plan, owner, roster
        self._scope, self._first = scope, first
        self._is_first = is_first
        self._headed = self._begun = False
        self._hand: Hand | None = None
        self._hands = 0
        self._by: Any = None
        self._late: list[tuple[Entry, Scope, Place]] = []
        self._last = self._last_of_hand = Place()
        self._missed: Place | None = None
        self._last_scope = self._hand_scope = scope
        self._state: State | None = None
        self._habits = Habits()
        self._points: dict[str, tuple[dict[str, int | None], Place]] = {}
        if "list" in self.plan.players:
            self._list(scope)

    def _list(self, scope: Scope) -> None:
        for item in items_of(self.plan.players["list"](scope)):
            inside = scope.inside(item)
            raw = self.plan.players["id"](inside) if "id" in self.plan.players else item
            name = self.plan.players["name"](inside) if "name" in self.plan.players else None
            is_room = len(self.roster.names) < MOST_PLAYERS
            if is_room and raw is not None and not isinstance(raw, (dict, list)):
                self.roster.put(text_of(raw), None if name is None else text_of(name))
                self.roster.is_listed = True

    # --- the header ----

    def _header(self) -> Iterator[Row]:
        if self._headed:
            return
        self._headed = True
        if not self._is_first:
            yield Row("")
        place, scope = Place(), self._scope
        headers = list(self._rules(self.owner.rules, scope))
        headers.append(("Players", ", ".join(self.roster.seats)))
        if self.plan.date is not None and (date := self.plan.date(scope)) is not None:
            headers.append(("Date", text_of(date)[:10]))
        for key, text in headers:
            yield Row(
                write_event(events.Header(key, _NOT_IN_HEADERS.sub(" ", text))), ((1, place),)
            )

    def _rules(self, rules: Rules, scope: Scope) -> Iterator[tuple[str, str]]:
        """The headers that name the rules; what of them the file does not tell is noted."""
        if rules.game is not None:
            game = rules.game(scope)
            if game is None:
                self._note_untold("game")
            else:
                yield "Rules", text_of(game)
        options = [text_of(one) for value in rules.options if (one := value(scope))]
        if options:
            yield "Options", ", ".join(options)
        for key, value in rules.settings.items():
            setting = value(scope)
            if setting is not None:
                yield "Set", f"{key}={setting_text(setting)}"
            elif key in self.plan.plain_settings:
                self._note_untold(key)

    def _note_untold(self, key: str) -> None:
        why = f"rules: what the map says of {key} is not in the file"
        self.owner.note(Said(self._first, 0, why=why))

    # --- records ----

    def take(self, record: Record, scope: Scope) -> Iterator[Row]:
        """A record, which may end the hand before it."""
        if "by" in self.plan.hand:
            by = self.plan.hand["by"](scope)
            if by is not None and self._by is not None and text_of(by) != text_of(self._by):
                yield from self._end_hand()
            self._by = by if by is not None else self._by
        self._last, self._last_scope = record.place, scope
        if self.plan.states is not None:
            yield from self._differences(self.plan.states, record, scope)
        yield from self._entries(self.plan.entries, record, scope)
        if record.last:
            late, self._late = self._late, []
            for entry, inside, place in late:
                yield from self._carry_out(entry, inside, place)
        if self._hand is not None:
            self._hand_scope, self._last_of_hand = scope, record.place

    def miss(self, place: Place, *, is_broken: bool) -> None:
        """A record of which the map says nothing; or before it stands one that cannot be read."""
        if self._hand is not None and not self._hand.is_over:
            self._hand.miss(place, is_broken=is_broken)
        else:
            self._missed = place

    def _differences(self, states: StateReader, record: Record, scope: Scope) -> Iterator[Row]:
        """What was done between the state before and this one."""
        try:
            now = states.read(scope)
        except (NoCard, Unclear) as wrong:
            self.owner.note(Said(record.place, 0, why=str(wrong)))
            return
        before, self._state = self._state, now if now is not None else self._state
        if now is None:
            return
        if before is not None and begins_hand(before, now):
            yield from self._end_hand()
        if self._hand is None or before is None:
            try:
                yield from self._begin_with(now, scope, record.place)
            except ValueError as wrong:
                self.owner.note(Said(record.place, 0, why=str(wrong)))
            return
        if before._replace(turn=now.turn, mover=now.mover) == now:
            return
        hand, at = self._hand, len(self._hand.rows)
        try:
            play(hand, self.roster.name, before, now, record.place, self._habits)
        except (Unclear, ValueError) as wrong:
            self.owner.note(Said(record.place, 0, why=str(wrong)))
            resume(hand, self.roster.name, now, record.place)
        else:
            self._habits.learn(hand, before, now)
            self.owner.note(Said(record.place, 0, hand.texts_since(at, acted=True)))

    def _begin_with(self, now: State, scope: Scope, place: Place) -> Iterator[Row]:
        """A hand begins with a state, which shows what was dealt."""
        for raw in now.hands:
            self.roster.name(raw)
        yield from self._begin_hand(None, scope, place)
        hand = self._hand
        assert hand is not None
        if self._is_within(now):
            hand.begin_within(place)
            resume(hand, self.roster.name, now, place)
            return
        for raw, held in now.hands.items():
            cards = held if isinstance(held, tuple) else (UNKNOWN,) * held
            hand.held |= self._deal(hand, raw, [Seen(card) for card in cards], place)
        if now.pile:
            hand.pile = list(now.pile)
            hand.add(events.UpCard(now.pile[0]), place)
        if now.stock_cards:
            hand.add(events.StockOrder(now.stock_cards), place)
        hand.stock = now.stock
        self.owner.note(Said(place, 0, hand.texts_since(0, acted=False)))

    def _is_within(self, now: State) -> bool:
        """Whether a state shows a hand in which somebody has played already."""
        sizes = {held if isinstance(held, int) else len(held) for held in now.hands.values()}
        is_unlike_a_deal = not now.pile or len(sizes) > 1
        return bool(now.melds) or len(now.pile) > 1 or (self.plan.turns_up and is_unlike_a_deal)

    def _entries(self, entries: Sequence[Entry], record: Record, scope: Scope) -> Iterator[Row]:
        done = False
        for entry in entries:
            inside = _with_fields(entry, scope)
            if not entry.when(inside):
                continue
            done = True
            if entry.is_late:
                self._late.append((entry, inside, record.place))
            else:
                yield from self._carry_out(entry, inside, record.place)
            if not entry.is_more:
                return
        if not done and entries is self.plan.entries and self.plan.states is None:
            shown = _shown(record.scope.record)
            self.owner.note(Said(record.place, 0, why=_NO_ENTRY, shown=shown))
            self.miss(record.place, is_broken=False)

    def _carry_out(self, entry: Entry, scope: Scope, place: Place) -> Iterator[Row]:
        """An entry's lines: one, or one for each item of a list."""
        if entry.line == "ignore":
            self.owner.note(Said(place, entry.number))
            return
        each = None if entry.line in _LISTING else entry.each
        for inside in scopes_of(each, scope):
            before = self._hand
            at = 0 if before is None else len(before.rows)
            try:
                yield from self._line(entry, inside, place)
            except (Unclear, ValueError) as wrong:
                self.doubt(entry, place, str(wrong))
                if entry.line in _ACTIONS and self._hand is not None:
                    self._hand.lose_turn(place)
            else:
                self._note_done(entry, place, before, at)

    def doubt(self, entry: Entry, place: Place, why: str) -> None:
        """Notes what of a record did not become a line, or not as it stands there."""
        self.owner.note(Said(place, entry.number, why=f"{entry.line}: {why}"))

    def _note_done(self, entry: Entry, place: Place, before: Hand | None, at: int) -> None:
        if not self.owner.explains:
            return
        hand = self._hand
        texts: tuple[str, ...] = ()
        if entry.line in self._points:
            texts = (write_event(self._points_event(entry.line, self._points[entry.line][0])),)
        elif hand is not None:
            since = at if hand is before else 0
            texts = hand.texts_since(since, acted=entry.line in _ACTIONS)
        self.owner.note(Said(place, entry.number, texts or (entry.line,)))

    def _line(self, entry: Entry, scope: Scope, place: Place) -> Iterator[Row]:
        kind = entry.line
        self.roster.is_complete = (
            kind not in _NAMING and self._hand is not None and self._hand.is_all_there
        )
        if kind not in _POINTS:
            self._flush_points()
        if kind == "players":
            self._listed(entry, scope)
            return
        if kind == "hand":
            self._number_cut_hand(_figure(self._of_hand(entry, "number", scope)))
            yield from self._end_hand()
            yield from self._begin_hand(entry, scope, place)
            return
        if kind in _ACTIONS:
            if self._hand is not None and self._hand.takes_back:
                self._hand.settle(_player(self, entry, scope), kind)
            if self._hand is not None and (self._hand.ended or self._hand.scored):
                yield from self._end_hand()
            if self._hand is None:
                is_first = self._is_first and not self._begun
                yield from self._begin_hand(None, scope, place)
                if is_first and kind in LAYING:
                    self._begin_within(place)
            assert self._hand is not None
            if self._hand.is_within and kind not in DRAWS:
                raise Unclear(TURN_NOT_KNOWN)
            self._hand.expect(_player(self, entry, scope), kind)
            self._hand.is_within = False
            self._act(self._hand, _ACTIONS[kind], entry, scope, place)
            return
        if kind == "undo":
            self._undo(place)
            return
        if self._hand is not None and kind != "note":
            self._hand.settle()
        if self._hand is None and kind in _DEALING:
            yield from self._begin_hand(None, scope, place)
        if self._hand is None:
            yield from self._header()
            self._hand = self._new_hand()
        line = _LINES[kind]
        if kind == "end":
            self._act(self._hand, line, entry, scope, place)
        else:
            line(self, self._hand, entry, scope, place)

    def _act(self, hand: Hand, act: _Action, entry: Entry, scope: Scope, place: Place) -> None:
        """Something is done that may be taken back, if the program knows that."""
        before = hand.state() if self.plan.takes_back else None
        act(self, hand, entry, scope, place)
        if before is not None and (hand.ended or entry.line in _ACTIONS):
            hand.keep(before)

    def _undo(self, place: Place) -> None:
        """What was done last in the hand is taken back; that its scores were told is not."""
        if self._hand is None or self._hand.scored:
            self._missed = place
            raise Unclear("what it takes back is not known")
        self._hand.undo(place)

    def _listed(self, entry: Entry, scope: Scope) -> None:
        for inside in scopes_of(entry.each, scope):
            raw, name = _get(entry, "player", inside), _get(entry, "name", inside)
            if raw is None:
                raw = name
            if raw is None:
                raise Unclear("it names no player")
            self.roster.put(text_of(raw), None if name is None else text_of(name))
            self.roster.is_listed = True

    # --- hands ----

    def _new_hand(self) -> Hand:
        return Hand(self.roster.seats)

    def _begin_hand(self, entry: Entry | None, scope: Scope, place: Place) -> Iterator[Row]:
        yield from self._header()
        hand = self._hand = self._new_hand()
        self._hand_scope = scope
        number = _figure(self._of_hand(entry, "number", scope))
        dealer = self._of_hand(entry, "dealer", scope)
        self._hands = number if number is not None and number > 0 else self._hands + 1
        name = None if dealer is None else self.roster.name(dealer)
        hand.add(events.HandStart(self._hands, name), place)
        hand.last = name or ""
        deals = entry.deals if entry is not None and entry.deals is not None else self.plan.deals
        dealt = self._deals(hand, deals, scope, place)
        up = self._of_hand(entry, "up", scope)
        first = UNKNOWN
        if up is not None:
            first = self.plan.cards.read(up, scope).card
            hand.add(events.UpCard(first), place)
        stock = self._of_hand(entry, "stock", scope)
        if stock is not None and items_of(stock):
            _put_stock(hand, self.plan.cards.several(stock, scope), place)
        self._count(hand, dealt, first)
        is_first = entry is None and self._is_first and not self._begun
        is_cut = is_first and (self.owner.unread.breaks_off or self.owner.source.is_cut)
        if is_cut or (entry is None and self._missed is not None):
            self._begin_within(place)
        self._begun, self._missed = True, None

    def _number_cut_hand(self, following: int | None) -> None:
        """A hand that began before the file has its number by the one after it."""
        if self._hand is not None and self._hand.is_cut and following is not None and following > 1:
            self._hands = following - 1
            self._hand.is_cut = self._hands > 1
            self._hand.rows[0] = Row(write_event(events.HandStart(self._hands)))

    def _begin_within(self, place: Place) -> None:
        """The file begins within a hand of which it does not tell what was dealt."""
        hand = self._hand
        if hand is not None and not hand.dealt and not hand.is_cut:
            hand.begin_within(place)

    def _of_hand(self, entry: Entry | None, key: str, scope: Scope) -> Any:
        if entry is not None and key in entry.values:
            return entry.values[key](scope)
        return self.plan.hand[key](scope) if key in self.plan.hand else None

    def _deals(
        self, hand: Hand, deals: Mapping[str, Value] | None, scope: Scope, place: Place
    ) -> dict[str, int]:
        dealt: dict[str, int] = {}
        if deals is None:
            return dealt
        for item in items_of(deals["each"](scope)):
            inside = scope.inside(item)
            raw, cards = deals["player"](inside), deals["cards"](inside)
            if raw is not None and cards is not None:
                seen = self.plan.cards.several(cards, inside)
                dealt |= self._deal(hand, raw, seen, place)
        return dealt

    def _deal(self, hand: Hand, raw: Any, seen: list[Seen], place: Place) -> dict[str, int]:
        name = self.roster.name(raw)
        return {name: hand.deal(name, [one.card for one in seen], place)}

    def _count(self, hand: Hand, dealt: dict[str, int], up: int) -> None:
        """What is known of the sizes of hands, stock and pile when a hand begins."""
        seats = self.roster.seats
        each = self.plan.dealt(self._hand_scope, len(seats))
        hand.held = {name: dealt.get(name, each) for name in seats}
        hand.pile = [up] if self.plan.turns_up or up != UNKNOWN else []
        sizes = list(hand.held.values())
        if hand.stock is None and self.plan.deck is not None and None not in sizes:
            hand.stock = self.plan.deck - sum(size or 0 for size in sizes) - len(hand.pile)

    def _at_end_of_hand(self) -> Iterator[Row]:
        if self._hand is not None:
            record = Record(self._hand_scope, self._last_of_hand)
            for entry in self.plan.hand_end:
                yield from self._entries([entry], record, self._hand_scope)

    def _end_hand(self, *, is_over: bool = True, is_last: bool = False) -> Iterator[Row]:
        if not is_last:
            yield from self._at_end_of_hand()
        self._flush_points()
        hand, self._hand = self._hand, None
        if hand is None:
            return
        hand.settle()
        hand.conclude(self._last_of_hand, is_over=is_over or hand.scored)
        if not is_last and hand.breaks_off:
            hand.lose_track(self._last_of_hand)
        self.owner.ends_within = is_last and hand.is_under_way
        if self.owner.ends_within and self.owner.unread.breaks_off:
            hand.lose_track(self._last)
        if hand.is_cut and self.plan.has_totals:
            for row in hand.leave_scores_out():
                why = "score: the totals before it are not in the file"
                self.owner.note(Said(row.places[0][1], 0, why=why))
        if self.plan.table is not None:
            self._bind(hand)
        yield from self._header()
        yield from hand.lines()

    def _bind(self, hand: Hand) -> None:
        """What jokers stand for, by the table that the file shows at the end."""
        assert self.plan.table is not None
        melds, jokers = self.plan.table
        for number, meld in enumerate(items_of(melds(self._hand_scope)), 1):
            self.bind_jokers(hand, number, jokers, self._hand_scope.inside(meld))

    def bind_jokers(self, hand: Hand, number: int, jokers: Jokers, scope: Scope) -> None:
        """What the jokers in the meld of a number stand for, as far as the file tells it."""
        for item in items_of(jokers.each(scope)):
            inside = scope.inside(item)
            card = jokers.card(inside)
            if card is None:
                continue
            try:
                role = self.plan.cards.role(card, inside)
            except NoCard:
                continue
            raw = jokers.joker(inside)
            if role not in {JOKER, UNKNOWN}:
                hand.bind(number, "" if raw is None else text_of(raw), role)

    def finish(self) -> Iterator[Row]:
        """The file is over, or another game begins."""
        late, self._late = self._late, []
        for entry, inside, place in late:
            yield from self._carry_out(entry, inside, place)
        if not self.owner.unread.breaks_off:
            yield from self._at_end_of_hand()
        if self.plan.at_end and self.owner.unread.breaks_off:
            why = "the file is not all there, so that it is not known to be its end"
            self.owner.note(Said(self._last, -1, why=why))
        elif self.plan.at_end:
            scope = self._last_scope._replace(fields={})
            record = Record(scope, self._last)
            for entry in self.plan.at_end:
                yield from self._entries([entry], record, scope)
        yield from self._end_hand(is_over=False, is_last=True)
        yield from self._header()

    # --- points ----

    def _flush_points(self) -> None:
        """Writes the points that records told since the last line: scores before totals."""
        gathered, self._points = self._points, {}
        for kind in _POINTS:
            if kind in gathered and self._hand is not None:
                self._write_points(self._hand, kind, *gathered[kind])

    def _write_points(
        self, hand: Hand, kind: str, points: Mapping[str, int | None], place: Place
    ) -> None:
        if all(amount is None for amount in points.values()):
            return
        if kind == "score":
            hand.conclude(place, is_over=True)
        elif hand.misses_its_end:
            hand.end_turn()
            hand.add(self._points_event("score", dict.fromkeys(points)), place)
        hand.end_turn()
        hand.add(self._points_event(kind, points), place)

    def _points_event(self, kind: str, points: Mapping[str, int | None]) -> events.Points:
        """Points as a line has them: in the order of seats."""
        seats = self.roster.seats
        return events.Points(
            kind, tuple(sorted(points.items(), key=lambda one: seats.index(one[0])))
        )

    def note_points(self, kind: str, points: Mapping[str, int | None], place: Place) -> None:
        """Points of some players; those of several records become one line."""
        assert self._hand is not None
        if kind == "score":
            self._hand.scored = True
        if kind in self._points and not self._points[kind][0].keys().isdisjoint(points):
            self._flush_points()
        self._points.setdefault(kind, ({}, place))[0].update(points)


def _put_stock(hand: Hand, seen: Sequence[Seen], place: Place) -> None:
    """The file tells the cards of the stock."""
    hand.add(events.StockOrder(tuple([one.card for one in seen])), place)
    hand.stock = len(seen)


def _with_fields(entry: Entry, scope: Scope) -> Scope:
    """A scope with the values that an entry gives names."""
    if not entry.fields:
        return scope
    fields = dict(scope.fields)
    inside = scope._replace(fields=fields)
    for name, value in entry.fields.items():
        fields[name] = value(inside)
    return inside


_NOT_IN_HEADERS: Final = re.compile(r'["\x00-\x1f\x7f\ud800-\udfff]+')


def _shown(record: Any) -> str:
    """A record as messages show it."""
    text = json.dumps(record, ensure_ascii=False, default=str)
    return text if len(text) <= _MOST_SHOWN else f"{text[:_MOST_SHOWN]}…"


def _figure(value: Any) -> int | None:
    """A number that a log can hold."""
    number = number_of(value)
    return number if number is not None and abs(number) < MOST_NUMBER else None


def _get(entry: Entry, key: str, scope: Scope) -> Any:
    value = entry.values.get(key)
    return None if value is None else value(scope)


# --- actions --------------------------------------------------------------------------------------


def _player(game: Game, entry: Entry, scope: Scope) -> str:
    raw = _get(entry, "player", scope)
    if raw is None and "player" not in entry.values and game.plan.player is not None:
        raw = game.plan.player(scope)
    if raw is None:
        raise Unclear("it does not tell whose it is")
    return game.roster.name(raw)


def _card(game: Game, entry: Entry, scope: Scope) -> Seen | None:
    value = _get(entry, "card", scope)
    return None if value is None else game.plan.cards.read(value, scope)


def _card_if_read(game: Game, entry: Entry, scope: Scope, place: Place) -> Card:
    """The card; unknown where the record does not tell it, or has something that is none."""
    try:
        seen = _card(game, entry, scope)
    except NoCard as wrong:
        game.doubt(entry, place, str(wrong))
        return UNKNOWN
    return UNKNOWN if seen is None else seen.card


def _cards(game: Game, entry: Entry, scope: Scope) -> list[Seen]:
    cards = _get(entry, "cards", scope)
    seen = [] if cards is None else game.plan.cards.several(cards, scope)
    if not seen and (one := _card(game, entry, scope)) is not None:
        seen = [one]
    return seen


def _known(seen: Sequence[Seen]) -> list[Seen]:
    if not seen or any(one.card == UNKNOWN for one in seen):
        raise Unclear("it does not tell the cards")
    return list(seen)


def _meld(game: Game, hand: Hand, entry: Entry, scope: Scope) -> Meld | None:
    """The meld that a record names; None if the map says that it names none."""
    if "meld" not in entry.values or hand.is_cut:
        return None
    raw = _get(entry, "meld", scope)
    if raw is None:
        return None
    owner = _get(entry, "owner", scope)
    name = None if owner is None else game.roster.name(owner)
    return hand.meld_by(text_of(raw), game.plan.melds_from, name)


def _draw(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    player, card = _player(game, entry, scope), _card_if_read(game, entry, scope, place)
    if hand.stock == 0 and game.plan.refills:
        hand.renew_stock(place, turns_up=game.plan.refills == "but_one_turned_up")
    hand.draw(player, card, place)


def _take(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    player, seen = _player(game, entry, scope), _card(game, entry, scope)
    count = number_of(_get(entry, "count", scope))
    if seen is None:
        several = _cards(game, entry, scope)
        if several:
            seen, count = several[0], count or len(several)
    index = number_of(_get(entry, "index", scope))
    hand.take(player, None if seen is None else seen.card, count, index, place)


def _lay_meld(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    player, cards = _player(game, entry, scope), _known(_cards(game, entry, scope))
    raw = _get(entry, "id", scope)
    hand.lay(player, cards, None, place, None if raw is None else text_of(raw), is_new=True)
    if entry.jokers is not None:
        game.bind_jokers(hand, len(hand.melds), entry.jokers, scope)


def _lay_off(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    player, cards = _player(game, entry, scope), _known(_cards(game, entry, scope))
    meld = _meld(game, hand, entry, scope)
    hand.lay(player, cards, meld, place, is_new=False)
    if entry.jokers is not None and meld is not None:
        game.bind_jokers(hand, meld.number, entry.jokers, scope)


def _swap(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    player, cards = _player(game, entry, scope), _known(_cards(game, entry, scope))
    joker = _get(entry, "joker", scope)
    meld = _meld(game, hand, entry, scope)
    hand.swap(player, cards[0].card, meld, "" if joker is None else text_of(joker), place)


def _discard(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    player, card = _player(game, entry, scope), _card_if_read(game, entry, scope, place)
    if "card" in entry.values:
        found = _get(entry, "card", scope) is not None
        game.owner.looked_for(entry, "card", place, found=found)
    hand.discard(player, card, place)


def _calls(verb: str) -> _Action:
    def call(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
        player = _player(game, entry, scope)
        cards = [] if verb == "challenge" else _known(_cards(game, entry, scope))
        hand.call(player, verb, [seen.card for seen in cards], place)

    return call


def _pass(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    hand.act(_player(game, entry, scope), Act("pass", (), None, place))


_Action = Callable[[Game, Hand, Entry, Scope, Place], None]

_ACTIONS: Final[Mapping[str, _Action]] = {
    "draw": _draw,
    "take": _take,
    "meld": _lay_meld,
    "lay": _lay_off,
    "swap": _swap,
    "discard": _discard,
    "rummy": _calls("rummy"),
    "buy": _calls("buy"),
    "challenge": _calls("challenge"),
    "pass": _pass,
}


# --- other lines ----------------------------------------------------------------------------------


def _deal(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    cards = [one.card for one in _cards(game, entry, scope)]
    player = _player(game, entry, scope)
    hand.held[player] = hand.deal(player, cards, place)


def _up(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    card = _card_if_read(game, entry, scope, place)
    hand.add(events.UpCard(card), place)
    hand.pile = [card]


def _stock(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    _put_stock(hand, _cards(game, entry, scope), place)


def _end(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    how, who = _get(entry, "how", scope), _get(entry, "player", scope)
    player = None if who is None else game.roster.name(who)
    if how is None and entry.unknown_word is not None:
        how = entry.unknown_word(scope)
    if how is None and player is not None:
        how = "out"
    if how is None:
        hand.scored = True
        hand.conclude(place, is_over=True)
        return
    if text_of(how) not in _ENDS:
        raise Unclear(f"{how} is no end of a hand: {', '.join(_ENDS)} are")
    hand.end_turn()
    hand.end(text_of(how), player if text_of(how) == "out" else None, place)


def _points_in(game: Game, entry: Entry, place: Place, value: Any) -> int | None:
    """A number of points; what is there and is none is told."""
    number = _figure(value)
    if number is None and value is not None:
        game.doubt(entry, place, f"{text_of(value)[:40]} is no whole number")
    return number


def _points(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    points: dict[str, int | None] = {}
    figure = partial(_points_in, game, entry, place)
    for inside in scopes_of(entry.each, scope):
        amount = _get(entry, "points", inside)
        game.owner.looked_for(entry, "points", place, found=amount is not None)
        if isinstance(amount, Mapping):
            points |= {game.roster.name(raw): figure(one) for raw, one in amount.items()}
        elif isinstance(amount, list):
            seats = game.roster.seats
            if len(amount) > len(seats):
                raise Unclear(f"it has {len(amount)} numbers, and {len(seats)} play")
            points |= dict(zip(seats, map(figure, amount), strict=False))
        else:
            raw = _get(entry, "player", inside)
            if raw is None and "player" not in entry.values and game.plan.player is not None:
                raw = game.plan.player(inside)
            if raw is None:
                raise Unclear("it does not tell whose points they are")
            points[game.roster.name(raw)] = figure(amount)
    game.note_points(entry.line, points, place)


def _result(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    winners = [game.roster.name(raw) for raw in items_of(_get(entry, "player", scope))]
    if winners:
        hand.add(events.Result(tuple(winners)), place)


def _reshuffle(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    hand.renew_stock(place, turns_up=game.plan.refills == "but_one_turned_up")


def _plain(event: events.Event) -> _Action:
    def line(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
        hand.end_turn()
        hand.add(event, place)

    return line


def _gap(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    hand.lose_track(place)


def _note(game: Game, hand: Hand, entry: Entry, scope: Scope, place: Place) -> None:
    text = _get(entry, "text", scope)
    if text is not None:
        hand.add(events.Note(_NOT_IN_HEADERS.sub(" ", text_of(text))[:500]), place)


_LINES: Final[Mapping[str, _Action]] = {
    "deal": _deal,
    "up": _up,
    "stock": _stock,
    "reshuffle": _reshuffle,
    "end": _end,
    "score": _points,
    "total": _points,
    "result": _result,
    "gap": _gap,
    "void": _plain(events.Void()),
    "note": _note,
}
