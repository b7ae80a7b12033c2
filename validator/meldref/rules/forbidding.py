"""Bans of house rules: asked only where they can apply, by the card of the action and by how the turn went."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from typing import Any, Final, NamedTuple, TypeAlias

from meldref.conditions.assume import assuming, compared, facts_of, in_turn
from meldref.conditions.bind import Ask, answer, bind
from meldref.conditions.check import Checked, check
from meldref.conditions.facts import CARD, LISTS, MELD, PLAYER
from meldref.conditions.later import Later
from meldref.conditions.types import END, HAND, Fact, Sort, Term
from meldref.conditions.view import SeenMeld, Tools, View
from meldref.core.cards import EMPTY, FULL, UNKNOWN, WIDTH, Card, each
from meldref.core.events import Action, Buy, Discard, LayOff, Meld, Pass, Swap, Take
from meldref.melds import MeldIndex
from meldref.notation.actions import BY_KIND
from meldref.position.model import Position, TableMeld, uncounted
from meldref.position.turn import TurnState
from meldref.rules.base import Check, Undecided, Violation
from meldref.ruleset.model import HouseRule

_OF_CARDS: Final = (PLAYER["hand"], PLAYER["cards"], PLAYER["held"], LISTS["pile"], *CARD.values())
_WITH_CARD: Final = (Discard, Take, Swap)
ENDING: Final[tuple[type[Action], ...]] = (Discard, Meld, LayOff, Pass)
"""The actions with which a turn or call may end."""
_COUNTED: Final = ("player.turns", "player.cards", "stock.size")
"""Numbers that are quickly looked up, and known for each action; later in the turn only the first is."""
_OF_SIZE: Final = {"meld.size", "meld.wilds", "meld.naturals", "meld.wilds_together", "count(cards)"}
"""What follows of a meld's size alone where no card is wild."""
_OF_PLACE: Final = {"owner", "is_new"}
"""Facts of a meld that do not follow from its cards."""
MOST_REMEMBERED: Final = 20_000
"""The most actions of which it is remembered which bans can apply."""
ENOUGH: Final = 6
"""Where this many cards may be thrown, no more are looked for."""
Asked: TypeAlias = "tuple[tuple[Bound, bool], ...]"
"""House rules to be asked in order, each with whether it is about the end of the turn."""


class Bound(NamedTuple):
    """A house rule, its condition, what says whether that holds, and the points of an award."""

    said: HouseRule
    term: Term
    ask: Ask
    points: Ask | None = None


def bound(said: HouseRule) -> Bound:
    """A house rule whose condition was checked when its file was read."""
    contexts = contexts_of(said)
    term = Term("constant", Sort.YES_NO, value=True)
    if said.when or said.unless:
        term = checked(said.when or said.unless, contexts)
        if said.unless:
            term = Term("not", Sort.YES_NO, (term,))
    points = None if said.award is None else bind(checked(said.award, contexts, Sort.NUMBER))
    return Bound(said, term, bind(term), points)


def checked(text: str, contexts: Sequence[str], sort: Sort = Sort.YES_NO) -> Term:
    """A condition, or another expression, of a house rule whose file was checked."""
    found = check(text, contexts, sort)
    assert isinstance(found, Checked), found
    return found.term


def contexts_of(said: HouseRule) -> tuple[str, ...]:
    """Where a house rule is asked: words of actions, `end`, or `hand`."""
    return said.forbid or said.at or (HAND,)


class Sleepers:
    """House rules about a kind of action, and which of them can apply, by its cards and by how its turn went.

    `asked` are they in order, each with whether it is about the end of the turn; `twins`: what wild cards stand
    for may depend on the whole table; `later`: more may be laid before the action. Most rules cannot apply, most
    of the time: for another card, meld or number, or as nothing was laid or taken in the turn.
    """

    def __init__(
        self,
        asked: Sequence[tuple[Bound, bool]],
        kind: type[Action],
        view: View,
        *,
        twins: bool,
        later: bool = False,
    ) -> None:
        self.asked = tuple(asked)
        numbers = [
            {name: compared(rule.term, name) for name in _COUNTED[: 1 if later else 3]} for rule, _ in asked
        ]
        self._classes = [_classes([one.get(name) for one in numbers]) for name in _COUNTED]
        self._counts = any(self._classes)
        self._counted = [{name for name, told in one.items() if told is not None} for one in numbers]
        """Of each rule, which of the numbers it only compares with constants."""
        self._later, self._lays, self._twins = later, kind in {Meld, LayOff}, twins
        self._only_ends = all(at_end for _, at_end in asked)
        self._with_card = kind in {*_WITH_CARD, Buy}
        self._of_meld = set(MELD) - _OF_PLACE if kind is LayOff else MELD if kind is Meld else ()
        facts = {fact for rule, at_end in asked if not at_end for fact in facts_of(rule.term)}
        sizes = _OF_SIZE if kind is Meld else {*_OF_SIZE, "meld.kind"}
        self._asks_sizes = not {one for one in facts if one.startswith("meld.") or one == "top.cards"} - sizes
        """Where no card is wild, all that they ask of a meld follows from how many cards it has."""
        self._view = view
        self._part: dict[tuple[int, bool, bool], list[Ask]] = {}
        self._known: dict[object, Asked] = {}
        self._book: object = None
        self._wilds = EMPTY

    def awake(self, position: Position, action: Any) -> Asked:
        """The rules that can apply to an action."""
        book, turn = position.book, position.turn
        if book is not self._book:
            self._known, self._book = {}, book
            self._wilds = sum([FULL << WIDTH * card for card in book.wilds.cards])
        ends = True
        cards: object = 0
        if self._with_card:
            cards = action.card
            if cards == UNKNOWN:
                return self.asked
        elif self._lays:
            ends = turn.call is not None or position.held[turn.seat] <= len(action.cards)
            if self._only_ends and not ends:
                return ()
            cards = self._laid(position, action)
            if cards is None:
                return self.asked
        idle = turn.deeds is None and not self._later
        key = cards, turn.plain, idle, ends, self._numbers(position, turn) if self._counts else None
        found = self._known.get(key)
        if found is None:
            if len(self._known) > MOST_REMEMBERED:
                self._known.clear()
            self._view.look(position, action)
            can = [self._can(place, action, plain=turn.plain, idle=idle) for place in range(len(self.asked))]
            both = zip(self.asked, can, strict=True)
            found = self._known[key] = tuple([one for one, may in both if may and (ends or not one[1])])
        return found

    def _numbers(self, position: Position, turn: TurnState) -> object:
        """The classes of the numbers that rules compare; turns that nobody counted, from and to."""
        turns, held, stock = self._classes
        begun: Any = 0
        if turns and position.memory is not None:
            begun = position.memory.turns[turn.seat]
            if type(begun) is int:
                begun += position.begins and turn.broken is None
                begun = turns[begun] if begun < len(turns) else -1
        if not held and not stock:
            return begun
        return begun, held and _class(held, position.held[turn.seat]), stock and _class(stock, position.stock_size)

    def _laid(self, position: Position, action: Any) -> object:
        """What tells the cards that are laid from others; None where nobody knows how they will lie."""
        wild = action.counted & self._wilds
        if wild and self._twins:
            return None
        if type(action) is Meld:
            return len(action.cards) if self._asks_sizes and not wild else action.cards
        target = action.target
        if target is None or not 0 < target <= len(position.melds):
            return None
        meld = position.melds[target - 1]
        if meld.shape is None or meld.unseen:
            return None
        if self._asks_sizes and not wild and not [one for one in meld.cards if one.role != one.card]:
            return meld.shape.kind, len(meld.cards), len(action.cards)
        lies = tuple([one.card for one in meld.cards]) if self._wilds else None
        return meld.shape, action.cards, lies

    def _can(self, place: int, action: Any, *, plain: bool, idle: bool) -> bool:
        """Whether a rule can apply to the action that the view looks at."""
        rule, at_end = self.asked[place]
        asks = self._part.get((place, plain, idle))
        if asks is None:
            after = at_end and self._lays
            counted = () if after else self._counted[place]
            left = [
                assuming(rule.term, in_turn(plain=plain, melded=melded, of_meld=self._of_meld, counted=counted))
                for melded in ((False, True) if idle and not after else (None,))
            ]
            asks = self._part[place, plain, idle] = [bind(term) for term in left if term.value is not False]
        self._view.thrown = action.card if at_end and type(action) is Discard else None
        return any(ask(self._view) is not False for ask in asks)


def _classes(compared_with: Sequence[set[int] | None]) -> tuple[int, ...]:
    """For each number from 0 a class, such that no condition tells two numbers of a class apart; empty: for none.

    At the end of a turn a player holds one card less. Where 2 is asked about, 0 and 1 are in class 0, 2 in 1,
    3 in 2; all that are greater have class -1.
    """
    numbers = {number for one in compared_with for number in one or ()}
    edges = {edge for number in numbers for edge in range(number, number + 3)}
    return tuple([sum(edge <= number for edge in edges) for number in range(max(edges, default=0))])


def _class(classes: Sequence[int], number: int) -> int:
    if 0 <= number < len(classes):
        return classes[number]
    return -2 if uncounted(number) or number < 0 else -1


class Bans:
    """The bans of a ruleset. `carry_out` does an action on a copy of a position.

    `twins`: what wild cards stand for may depend on the whole table.
    """

    def __init__(
        self,
        bans: Sequence[Bound],
        tools: Tools,
        view: View,
        new_meld: Callable[[MeldIndex, int, Meld], TableMeld],
        *,
        twins: bool,
    ) -> None:
        self._new_meld, self._twins = new_meld, twins
        self.carry_out: Callable[[Position, Action], Position] | None = None
        self.of_ends = [ban for ban in bans if END in ban.said.forbid]
        self._asked_at_stops = tuple([(ban, True) for ban in self.of_ends])
        self._bans, self._view, self._later = bans, view, Later(tools)
        self._checks: dict[type[Action], Check[Any] | None] = {}
        self._throws = self._sleepers(Discard, bans, later=True)
        self._alike = {ban.said.name for ban in bans if not _asks(ban.term, _OF_CARDS)}
        """Bans that say the same of all discards, which move a card from the hand to the pile."""
        self.of_all_ends = [ban for ban in self.of_ends if ban.said.name in self._alike]
        """Those on ends: they say the same too where there is no discard."""

    def check(self, kind: type[Action]) -> Check[Any] | None:
        """What the bans on a kind of action say, and on the ends of turns that it may be."""
        if kind not in self._checks:
            self._checks[kind] = self._on(kind, self._bans)
        return self._checks[kind]

    def of_discards(self) -> tuple[Check[Any] | None, Check[Any] | None]:
        """What the bans on discards say that say the same of all cards, and the others."""
        alike, apart = (
            [ban for ban in self._bans if (ban.said.name in self._alike) is same] for same in (True, False)
        )
        return self._on(Discard, alike), self._on(Discard, apart)

    def _sleepers(self, kind: type[Action], bans: Sequence[Bound], *, later: bool = False) -> Sleepers:
        words = (BY_KIND[kind].word, END) if kind in ENDING else (BY_KIND[kind].word,)
        asked = [(ban, word is END) for ban in bans for word in words if word in ban.said.forbid]
        return Sleepers(asked, kind, self._view, twins=self._twins, later=later)

    def _on(self, kind: type[Action], bans: Sequence[Bound]) -> Check[Any] | None:
        asleep = self._sleepers(kind, bans)
        if not asleep.asked:
            return None

        def check(position: Position, action: Any) -> Violation | Undecided | None:
            asked = asleep.awake(position, action)
            return self._judged(asked, position, action) if asked else None

        return check

    def _judged(self, asked: Asked, position: Position, action: Any) -> Violation | Undecided | None:
        """What the first of some bans says that applies; those on ends only where it ends the turn."""
        view = self._view
        candidates = self.candidates(position, action) if getattr(action, "card", None) == UNKNOWN else ()
        looked: bool | None = None
        over: tuple[Position, TurnState, Card | None] | None = None
        first = True
        undecided: Undecided | None = None
        for ban, at_end in asked:
            if at_end is not looked:
                if not at_end:
                    view.look(position, action)
                else:
                    over, first = self._ends(position, action) if first else over, False
                    if over is None:
                        continue
                    view.look_at_end(*over)
                looked = at_end
            applies = answer(ban.ask, view, candidates) if candidates and not at_end else ban.ask(view)
            if applies is False:
                continue
            if applies:
                name = ban.said.name
                return Violation(f"house.{name}", ban.said.says, key=f"house_rules.{name}")
            what = f"whether the house rule {ban.said.name} forbids this: it hangs on cards or turns nobody saw"
            undecided = undecided or Undecided(what)
        return undecided

    def candidates(self, position: Position, action: Action) -> Sequence[Card]:
        """What the card of an action may be that nobody saw; nothing where it is known, or there is none."""
        if getattr(action, "card", None) != UNKNOWN or not isinstance(action, _WITH_CARD):
            return ()
        self._view.look(position, action)
        row = self._view.hand(position.turn.seat)
        return tuple(dict.fromkeys([*row.known, *(each(row.pool) if row.unseen else ())]))

    def stops(self, position: Position) -> Violation | Undecided | None:
        """Whether a call may be left as it is, without a discard."""
        return self._judged(self._asked_at_stops, position, Pass())

    def keeps_open(self, position: Position) -> bool:
        """Whether a turn or call may not end as it is, whatever is thrown."""
        self._view.look_at_end(position, position.turn, None)
        return any(ban.ask(self._view) for ban in self.of_all_ends)

    def never_forbidden(self, position: Position, cards: int, fitting: Callable[[], int], *, drawn: bool) -> int:
        """Of some cards, a bit for each, enough that no ban keeps from being thrown, whatever is laid before.

        `fitting` says which cards may come to fit a meld; `drawn`: the draw is over, else the pile is taken.
        """
        later = self._later
        later.look_later(position, fitting, drawn=drawn)
        free, never = 0, dict[str, bool]()
        left = ENOUGH
        while cards and left:
            bit = cards & -cards
            cards -= bit
            later.card = bit.bit_length() - 1
            for ban, at_end in self._throws.awake(position, Discard(later.card)):
                name = ban.said.name
                found = never.get(name)
                if found is None:
                    later.thrown = later.card if at_end else None
                    found = ban.ask(later) is False
                    if name in self._alike:
                        if not found:
                            return 0
                        never[name] = found
                if not found:
                    break
            else:
                free |= bit
                left -= 1
        return free

    def never_ends(
        self, position: Position, melds: Sequence[Meld], most: int, *, laying: bool, drawn: bool
    ) -> bool:
        """Whether it is certain that some ban forbids every end of the turn, whatever of these melds is laid.

        They and all lay-offs bring as many points at `most`; `laying`: one of them is laid; `drawn`: the draw is
        over, else the pile is taken.
        """
        seat, later = position.turn.seat, self._later
        later.look_later(position, lambda: -1, drawn=drawn)
        later.laying, later.most = laying, most
        laid = [self._new_meld(position.book, seat, meld) for meld in melds]
        later.possible = [SeenMeld(one.cards, one.shape, seat, is_new=True, unseen=True) for one in laid]
        return any(ban.ask(later) is True for ban in self.of_all_ends)

    def _ends(self, position: Position, action: Action) -> tuple[Position, TurnState, Card | None] | None:
        """The position after an action that ends its turn or call, which turn, and the card thrown; else None."""
        turn = position.turn
        if isinstance(action, Discard):
            return position, turn, action.card
        if isinstance(action, Pass):
            return position, turn, None
        assert isinstance(action, (Meld, LayOff))
        if turn.call is None and position.held[turn.seat] > len(action.cards):
            return None
        assert self.carry_out is not None
        before = position.copy()
        turn = before.turn
        after = self.carry_out(before, action)
        return None if after.turn is turn and not after.begins else (after, turn, None)


def _asks(term: Term, facts: Collection[Fact]) -> bool:
    """Whether a condition asks one of some facts."""
    return (term.op == "fact" and term.value in facts) or any(_asks(part, facts) for part in term.parts)
