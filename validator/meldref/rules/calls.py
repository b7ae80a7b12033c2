"""Calling "Rummy!": who, when, on what, and what must be laid (P-RUM, P-VRUM, W-RUM, G-RUM)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from meldref.core.cards import (
    EMPTY,
    ONE,
    UNKNOWN,
    Card,
    Cards,
    Played,
    card_text,
    counted,
    difference,
    each,
    holds,
    mask_of,
)
from meldref.core.effort import EFFORT
from meldref.core.events import Action, Call, Discard, LayOff, Meld, Swap
from meldref.core.records import NamedTuple
from meldref.core.text import in_words, with_verb
from meldref.melds import Reading, Shape
from meldref.position.model import PROVISIONAL, CallState, Position
from meldref.position.setup import known_of
from meldref.position.turn import Called
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, Suggest, code, is_set, no_effect, rule
from meldref.rules.meld import extends, fits_somewhere, may_meld, ways_to_extend
from meldref.ruleset.model import Ruleset


def _there_are_calls(rules: Ruleset) -> bool:
    return rules.calls.of != "none"


def _some_may_not_call_their_own(rules: Ruleset) -> bool:
    return _there_are_calls(rules) and not discarder_may_call(rules)


def discarder_may_call(rules: Ruleset) -> bool:
    """Whether a player may take back a discard of their own that plays, by calling it."""
    return rules.calls.by in {"anybody", "discarder"}


def _not_every_card(rules: Ruleset) -> bool:
    """Whether some cards of the pile cannot be called."""
    last_alone = rules.calls.of in {"last_discard", "last_discard_or_set"}
    taken_back_alone = _there_are_calls(rules) and rules.calls.by == "discarder"
    return (
        last_alone
        or taken_back_alone
        or (rules.calls.of == "pile" and rules.out.last_discard == "claimable")
    )


code("call.off", where=is_set("calls.of", "none"), evidence="conduct")
code("call.late", where=_there_are_calls, evidence="conduct")
code("call.own", where=_some_may_not_call_their_own, evidence="whose", suggest=Suggest.ANYBODY)
code(
    "call.others",
    where=lambda rules: _there_are_calls(rules) and rules.calls.by == "discarder",
    evidence="whose",
    suggest=Suggest.ANYBODY,
)
code("call.scope", where=_not_every_card, evidence="conduct")
code("call.nothing", where=_there_are_calls, undone=True, suggest=Suggest.CALLED)
code("call.hand", where=_there_are_calls)
no_effect(
    *(
        f"calls.{key}"
        for key in ("by", "until", "takes", "more_melds", "discard", "then", "several", "penalty")
    ),
    by="calls.of",
    at="none",
)
no_effect("calls.several", "calls.penalty", by="calls.by", at="discarder")


_ONLY_THE_CALLED: Final = Violation(
    "call.hand", "a caller may lay only the called cards", key="calls.more_melds"
)
NO_DISCARD: Final = Violation(
    "turn.over", "a caller does not discard in this game", key="calls.discard"
)


class Claim(NamedTuple):
    """What a call takes: where in the pile (indices, ascending) and the cards that have to be laid.

    `unseen` are cards that nobody saw in the pile and that are taken as the ones named: each with
    its index, -1 where it lies under all that is known of an unknown pile.
    """

    indices: tuple[int, ...]
    wanted: Cards
    unseen: tuple[tuple[int, Card], ...] = ()

    def brings_unseen(self, position: Position) -> bool:
        """Whether it takes cards besides that nobody saw."""
        named = dict(self.unseen)
        return any(position.pile[index] == UNKNOWN and index not in named for index in self.indices)

    def cards(self, position: Position) -> Cards:
        """The known cards it takes, as a counted set."""
        there = known_of([position.pile[index] for index in self.indices])
        return there + counted([card for _, card in self.unseen])


def claim(binding: Binding, position: Position, cards: Sequence[Card]) -> Claim | None:
    """What a call on these cards takes out of the pile.

    None if they do not lie there (P-RUM-05, W-RUM-07).
    """
    pile = position.pile
    if len(cards) == 1 and cards[0] in pile:
        at_once = len(pile) - 1 - pile[::-1].index(cards[0])
        alone = binding.ruleset.calls.takes == "called_cards"
        return Claim((at_once,) if alone else tuple(range(at_once, len(pile))), ONE[cards[0]])
    at: dict[int, Card] = {}
    unseen: list[tuple[int, Card]] = []
    for card in cards:
        index = _topmost(pile, card, at)
        if index is None and position.left(card) > [other for _, other in unseen].count(card):
            index = _topmost(pile, UNKNOWN, at)
            if index is None and not position.pile_known:
                index = -1 - len(unseen)
            if index is not None:
                unseen.append((index, card))
        if index is None:
            return None
        at[index] = card
    if not at:
        return None
    deepest = min(at)
    if binding.ruleset.calls.takes == "called_cards":
        indices: Sequence[int] = sorted(index for index in at if index >= 0)
        wanted = counted(cards)
    else:
        indices = range(max(deepest, 0), len(pile))
        # Of several cards below all that are known, nobody knows which is the deepest.
        wanted = ONE[at[deepest]] if deepest >= -1 else EMPTY
    return Claim(tuple(indices), wanted, tuple(unseen))


def _topmost(pile: Sequence[Card], card: Card, taken: Mapping[int, Card]) -> int | None:
    places = reversed(range(len(pile)))
    return next((index for index in places if pile[index] == card and index not in taken), None)


def by_whom(binding: Binding) -> Callable[[Position, int], Violation | None]:
    """Nobody calls on their own discard, nor, in some games, on a partner's (P-RUM-03).

    Where the discarder may call, that is how a discard is taken back.
    """
    calls = binding.ruleset.calls
    of_any = calls.of == "pile"
    of_opponents, of_discarder = calls.by == "opponents", calls.by == "discarder"
    is_taken_back = discarder_may_call(binding.ruleset)

    def check(position: Position, seat: int) -> Violation | None:
        discarder = position.last if of_any else position.discarder
        if of_discarder and discarder != seat and (discarder is not None or position.pile_known):
            message = "only the player who has just discarded may call"
            return Violation("call.others", message, key="calls.by")
        if discarder == seat and not is_taken_back:
            return Violation("call.own", "a player may not call their own discard", key="calls.by")
        if of_opponents and discarder is not None and binding.partners(seat, discarder):
            return Violation("call.own", "nobody calls on a partner's discard", key="calls.by")
        return None

    return check


@rule("call.off", "call.late", "call.own", "call.others", actions=(Call,), stage=Stage.CALL)
def allowed(binding: Binding) -> Check[Call]:
    """Calls exist, by others than the discarder, in the window (P-RUM-03, P-RUM-04, G-RUM-04)."""
    calls = binding.ruleset.calls
    may_call = by_whom(binding)

    def check(position: Position, action: Call) -> Violation | None:
        if calls.of == "none":
            return Violation("call.off", "there are no calls in this game", key="calls.of")
        call = position.turn.call
        if call is None or call.begun:
            return Violation(
                "call.late", "a call must come at the beginning of a line", key="calls.until"
            )
        permission = may_call(position, position.turn.seat)
        if permission is not None:
            return permission
        discarder = position.last if calls.of == "pile" else position.discarder
        nobody_threw = discarder is None and position.pile_known
        if calls.until == "next_discard" and nobody_threw and not call.resume_begins:
            return Violation(
                "call.late", "nobody has discarded yet, and the turn has begun", key="calls.until"
            )
        if calls.until == "next_draw" and not call.resume_begins:
            return Violation("call.late", "the next player has already drawn", key="calls.until")
        past = calls.until == "next_draw" and calls.of != "pile" and discarder is not None
        if past and position.last not in {
            None,
            discarder,
        }:  # a floater's turn has no discard, and opens no window
            return Violation("call.late", "a turn was played since that discard", key="calls.until")
        return None

    return check


@rule("call.late", actions=(Call,), stage=Stage.CALL)
def in_time(binding: Binding) -> Check[Call]:
    """Of two who call, the first gets it, or the one whose turn comes next (P-RUM-15, W-RUM-02)."""
    nearest = binding.ruleset.calls.several == "nearest"

    def check(position: Position, action: Call) -> Violation | None:
        before = position.called
        if before is None or sorted(before.cards) != sorted(action.cards):
            return None
        if claim(binding, position, action.cards) is not None:
            return None
        first, second = position.players[before.seat], position.players[position.turn.seat]
        if first == second:
            message = f"{first} has called {in_words(map(card_text, before.cards))} already"
            return Violation("call.late", message, key="calls.several")
        if nearest and plays_sooner(position, position.turn.seat, before):
            message = f"{second}, who plays sooner than {first}, called too"
            return Violation("call.late", message, key="calls.several", place=before.place)
        return Violation("call.late", f"{first} called before {second}", key="calls.several")

    return check


def turns_until(position: Position, seat: int, other: int) -> int:
    """How many turns after that of one seat another seat's comes."""
    turns = 0
    while seat != other and turns < len(position.order):
        seat, turns = position.after[seat], turns + 1
    return turns


def plays_sooner(position: Position, seat: int, before: Called) -> bool:
    """Whether a player's turn precedes that of the caller or buyer, from the discarder's left on.

    So the discarder comes last, and the dealer where the card was turned up at the deal.
    """
    if before.discarder is not None:
        start = position.after[before.discarder]
    else:
        due = position.turn.broken
        if due is None or not position.mover_known:
            return False
        start = due.seat
    return turns_until(position, start, seat) < turns_until(position, start, before.seat)


@rule("call.nothing", "call.scope", actions=(Call,), stage=Stage.CALL)
def scope(binding: Binding) -> Check[Call]:
    """The cards called are ones that can be called (P-RUM-02, P-VRUM-04, W-RUM-17, G-RUM-01)."""
    calls = binding.ruleset.calls
    has_to_fit_table = binding.ruleset.out.playable == "on_table"

    def check(position: Position, action: Call) -> Violation | Undecided | None:
        taken = claim(binding, position, action.cards)
        if taken is None:
            verb = with_verb([card_text(card) for card in action.cards], "is", "are")
            return Violation("call.nothing", f"{verb} not in the pile", key="calls.of")
        on_top = len(position.pile) - 1
        names_top = position.pile[-1:] in [[card] for card in action.cards] or on_top in dict(
            taken.unseen
        )
        if position.ending is PROVISIONAL and not names_top:
            return Violation(
                "call.scope",
                "after a last discard only that card is called",
                key="out.last_discard",
            )
        if position.ending is PROVISIONAL and has_to_fit_table:
            apart = _fits_no_meld(position)
            if apart is not None:
                return apart
        if calls.by == "discarder" and not (position.fresh and names_top):
            message = f"{_names(action)}: only the card just discarded can be taken back"
            return Violation("call.scope", message, key="calls.by")
        if calls.of == "pile":
            return None
        if (
            not (position.fresh and names_top)
            or (calls.of == "last_discard" and len(action.cards) > 1)
            or _laid_apart(position, action.cards, taken)
        ):
            message = f"{_names(action)}: only the last discard can be called"
            return Violation("call.scope", message, key="calls.of")
        return None

    return check


def _fits_no_meld(position: Position) -> Violation | Undecided | None:
    """What is wrong with calling a last discard that fits no meld (W-RUM-09, P-VUNP-09).

    Who may build on the meld that it fits is asked when the caller lays it.
    """
    if position.final is None or position.final[1] == UNKNOWN:
        return None
    card = position.final[1]
    if fits_somewhere(position, card):
        return None
    name = f"{card_text(card)}, the last discard,"
    if not position.table_known:
        return Undecided(f"whether {name} fits a meld: not all melds are known")
    return Violation("call.scope", f"{name} fits no meld on the table", key="out.playable")


def _names(call: Call) -> str:
    return in_words([card_text(card) for card in call.cards])


def _laid_apart(position: Position, cards: Sequence[Card], taken: Claim) -> bool:
    """Whether the cards called are not one meld, but could be laid in other ways (W-RUM-17)."""
    if len(cards) < 2 or type(position.book.read(tuple(map(Played, cards)))) is Reading:
        return False
    if any(len(meld) == len(cards) for meld in position.book.melds_in(counted(cards))):
        return False
    return can_be_laid(position, taken)


@rule("call.nothing", "call.hand", actions=(Call,), stage=Stage.CALL)
def founded(binding: Binding) -> Check[Call]:
    """What is called can be laid with only pile and table (P-RUM-02, P-RUM-17, W-RUM-08)."""
    calls = binding.ruleset.calls
    new_melds = calls.of != "last_discard"
    needs = "cards that lie deeper in the pile: a call names the deepest card that it lays"
    if calls.takes == "called_cards":
        needs = "cards of the pile that were not called: a call names every card that it lays"

    def check(position: Position, action: Call) -> Violation | Undecided | None:
        taken = claim(binding, position, action.cards)
        if taken is None:
            return None
        if len(action.cards) == 1 and fits_somewhere(position, action.cards[0]):
            return None
        if new_melds and type(position.book.read(tuple(map(Played, action.cards)))) is Reading:
            return None
        if can_be_laid(position, taken, new_melds=new_melds):
            return None
        names = in_words([card_text(card) for card in each(taken.wanted)])
        if not position.table_known:
            return Undecided(f"whether {names} can be laid: not all melds are known")
        if taken.brings_unseen(position):
            return Undecided(f"whether {names} can be laid: not all cards of the pile are known")
        hand = position.hands[position.turn.seat]
        if _make_a_meld(position, taken.cards(position) + hand, taken.wanted):
            return Violation(
                "call.hand", f"{names} cannot be laid without cards from a hand", key="calls.of"
            )
        if new_melds and _make_a_meld(position, known_of(position.pile), taken.wanted):
            verb = with_verb([card_text(card) for card in each(taken.wanted)], "makes", "make")
            lacking = f"{verb} a meld only with {needs}"
            return Violation("call.nothing", lacking, key="calls.takes")
        verb = with_verb([card_text(card) for card in each(taken.wanted)], "fits", "fit")
        where = "on the table or in the pile" if new_melds else "on the table"
        return Violation("call.nothing", f"{verb} nothing {where}", key="calls.of")

    return check


def _make_a_meld(position: Position, cards: Cards, wanted: Cards) -> bool:
    """Whether each card wanted makes a meld with some others of these."""
    return all(position.book.possible(cards, card) for card in each(wanted))


def can_be_laid(position: Position, taken: Claim, *, new_melds: bool = True) -> bool:
    """Whether all called cards can be laid, using only the cards taken and the melds on the table.

    One new meld with the first wanted card is tried first, then lay-offs of any card, which may
    make room for it.
    """
    book = position.book
    tried: set[tuple[Cards, Cards, tuple[Shape, ...]]] = set()

    def search(rest: Cards, due: Cards, table: tuple[Shape, ...]) -> bool:
        if not due:
            return True
        key = (rest, due, table)
        if key in tried or len(tried) > 2000:
            return False
        tried.add(key)
        if new_melds and in_a_meld(rest, due, table):
            return True
        for card in set(each(rest)):
            for index, shape in enumerate(table):
                if not extends(book, shape, card):
                    continue
                for longer in ways_to_extend(book, shape, card):
                    left = due - ONE[card] if holds(due, ONE[card]) else due
                    if search(
                        rest - ONE[card], left, (*table[:index], longer.shape, *table[index + 1 :])
                    ):
                        return True
        return False

    def in_a_meld(rest: Cards, due: Cards, table: tuple[Shape, ...]) -> bool:
        first = next(each(due))
        for meld in book.melds_in(rest, must=first):
            used = counted([played.card for played in meld])
            left = counted([card for card in each(due) if not holds(used, ONE[card])])
            if not left:
                return True
            reading = book.read(meld)
            assert isinstance(reading, Reading), meld
            if search(rest - used, left, (*table, reading.shape)):
                return True
        return False

    shapes = tuple([meld.shape for meld in position.melds if meld.shape is not None])
    return search(taken.cards(position), taken.wanted, shapes)


@rule(
    "call.scope", "call.hand", actions=(Meld, LayOff), stage=Stage.CALL, silent_in_plain_turns=True
)
def laid_in_call(binding: Binding) -> Check[Meld | LayOff] | None:
    """The called cards are laid without cards from the hand.

    More only where the game lets a caller go on.
    """
    calls = binding.ruleset.calls
    if calls.of == "none":
        return None
    a_set, may_lie = calls.of == "last_discard_or_set", may_meld(binding)

    def check(position: Position, action: Meld | LayOff) -> Violation | Undecided | None:
        call = position.turn.call
        if call is None or call.excused or call.unseen or not position.table_known:
            return None
        wanted = call.wanted
        if (
            a_set
            and isinstance(action, LayOff)
            and len(call.named) > 1
            and call.from_pile == counted(call.named)
        ):
            message = "cards below the last discard can be called only to form a new meld with it"
            return Violation("call.scope", message, key="calls.of")
        if wanted and holds(call.from_pile, action.counted):
            return None
        if isinstance(action, LayOff) or not mask_of(wanted) & mask_of(action.counted):
            if calls.more_melds == "forbidden":
                return _ONLY_THE_CALLED
            return None
        laid = [played.card for played in action.cards]
        hand_cards = sorted(each(difference(action.counted, call.from_pile)), key=laid.index)
        if calls.more_melds == "allowed":
            alone = _lies_alone(position, action, hand_cards, may_lie)
            if alone:
                return None
            if alone is None:
                called = in_words([card_text(card) for card in each(wanted)])
                return Undecided(
                    f"whether {called} can be laid without cards from the caller's hand"
                )
        verb = with_verb([card_text(card) for card in hand_cards], "comes", "come")
        return Violation(
            "call.hand",
            f"{verb} from the caller's hand, "
            "but the called cards must form a meld without cards from a hand",
            key="calls.of",
        )

    return check


def _lies_alone(
    position: Position,
    action: Meld,
    own: list[Card],
    may_lie: Callable[[Position, Meld], bool | None],
) -> bool | None:
    """Whether the called cards are a meld without the caller's own cards; None: open."""
    call, reading = position.turn.call, position.book.read(action.cards)
    assert call is not None
    laid: Sequence[Played] = action.cards
    if isinstance(reading, Reading):
        laid = [card.said for card in reading.laid]
    alone: bool | None = False
    for part in _parts_alone(laid, own, call.wanted):
        EFFORT.spent += 1
        allowed = position.book.is_meld(part) and may_lie(position, Meld(part))
        if allowed:
            return True
        alone = alone if allowed is False else None
    return alone


def _parts_alone(
    laid: Sequence[Played], own: list[Card], wanted: Cards
) -> Iterator[tuple[Played, ...]]:
    """The parts of a meld with the called cards, less the caller's own that only lengthen it."""
    others = difference(counted([played.card for played in laid]), counted(own))
    due = [place for place, played in enumerate(laid) if holds(wanted, ONE[played.card])]
    if not holds(others, counted([laid[place].card for place in due])):
        return
    free = [
        place
        for place, played in enumerate(laid)
        if place not in due and holds(others, ONE[played.card])
    ]
    for number in range(len(free), -1, -1):
        for more in combinations(free, number):
            part = tuple([laid[place] for place in sorted((*due, *more))])
            if holds(others, counted([played.card for played in part])):
                yield part


@rule("call.hand", actions=(Meld, LayOff, Swap), stage=Stage.OWED, silent_in_plain_turns=True)
def called_first(binding: Binding) -> Check[Meld | LayOff | Swap] | None:
    """The called cards are laid first, other melds follow.

    Only the pile's cards may make way (P-RUM-06).
    """
    if binding.ruleset.calls.of == "none":
        return None

    def check(position: Position, action: Meld | LayOff | Swap) -> Violation | None:
        call = position.turn.call
        if (
            call is None
            or call.unseen
            or not position.table_known
            or not comes_too_soon(call, action)
        ):
            return None
        cards = [card_text(card) for card in each(call.wanted)]
        verb = with_verb(cards, "was", "were")
        message = f"{verb} called, and must be laid before anything from the caller's hand"
        return Violation("call.hand", message, key="calls.of")

    return check


def comes_too_soon(call: CallState, action: Meld | LayOff | Swap) -> bool:
    """Whether a play lays cards from the hand before all those called.

    A lay-off does so card by card.
    """
    wanted, from_pile = call.wanted, call.from_pile
    if not wanted or call.excused:
        return False
    if isinstance(action, Swap):
        return not holds(from_pile, ONE[action.card])
    if isinstance(action, Meld) or len(action.cards) == 1:
        return not holds(action.counted, wanted) and not holds(from_pile, action.counted)
    for laid in [ONE[played.card] for played in action.cards]:
        if difference(wanted, laid) != EMPTY and not holds(from_pile, laid):
            return True
        wanted, from_pile = difference(wanted, laid), difference(from_pile, laid)
    return False


def unlaid(position: Position) -> Violation | None:
    """At the end of a call, the called cards must have been laid (P-RUM-06, W-RUM-04)."""
    turn = position.turn
    call = turn.call
    if call is None or not call.wanted or call.excused:
        return None
    verb = with_verb([card_text(card) for card in each(call.wanted)], "was", "were")
    return Violation(
        "call.nothing", f"{verb} called and not melded", key="calls.of", place=call.place
    )


def ends_when_laid(binding: Binding) -> bool:
    """Whether a call is over as soon as its cards are laid (P-VRUM-02, W-RUM-13, G-RUM-05)."""
    calls = binding.ruleset.calls
    return calls.discard == "none" and calls.more_melds == "forbidden"


def does_more(binding: Binding, action: Action) -> Violation | None:
    """What is wrong with what a caller does whose call ended as soon as its cards were laid."""
    if not ends_when_laid(binding):
        return None
    if isinstance(action, Discard):
        return NO_DISCARD._replace(code="turn.order")  # the turn is somebody else's by now
    return _ONLY_THE_CALLED if isinstance(action, (Meld, LayOff)) else None


def next_player(binding: Binding) -> Callable[[Position, int], int | None]:
    """Who plays after a call: the caller's neighbour, or None: as before (P-RUM-08, W-RUM-13)."""
    if binding.ruleset.calls.then == "unchanged":
        return lambda position, caller: None
    return lambda position, caller: position.after[caller]
