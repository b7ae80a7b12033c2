"""What a first laying has to be where the whole turn counts: its points, or a contract."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

from meldref.core.cards import difference
from meldref.core.events import Discard, LayOff, Meld, Swap
from meldref.core.records import NamedTuple
from meldref.core.text import in_words, number
from meldref.melds import Extension, Reading
from meldref.position.model import OnTable, Position
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.calls import ends_when_laid
from meldref.rules.declare import Stage, code, no_effect, rule
from meldref.rules.points import Worth
from meldref.ruleset.model import Ruleset

code("meld.contract", where=lambda rules: rules.melds.contract is not None, evidence="conduct")
no_effect(
    "melds.first_points_of",
    by="melds.first_points",
    at=0,
)


class Slot(NamedTuple):
    """A meld of a contract: its kind, and how many cards it has at least."""

    kind: str
    size: int


class Opened(NamedTuple):
    """A meld of the turn in which a player first melds: its kind, its cards, and their points.

    Cards that were found to be no meld have no kind: they were meant to be some meld.
    """

    kind: str
    size: int
    points: int


Opening = Callable[[Sequence[Opened]], "Violation | None"]
"""Says what a first laying lacks."""


def slots(ruleset: Ruleset) -> tuple[Slot, ...]:
    """The melds of the contract; none if there is no contract."""
    least = {kind.name: kind.min_size for kind in ruleset.melds.kinds}
    slots_needed = []
    for written in ruleset.melds.contract or ():
        kind, _, size = written.partition(" ")
        slots_needed.append(Slot(kind, max(int(size or 0), least.get(kind, 1))))
    return tuple(slots_needed)


def unfilled(contract: Sequence[Slot], laid: Sequence[Opened]) -> list[Slot]:
    """The melds of a contract that are not among those laid; each meld stands for one of them."""
    left = sorted(laid, key=lambda meld: meld.size)
    missing = []
    for slot in sorted(contract, key=lambda slot: slot.size):
        fit = next(
            (meld for meld in left if meld.kind == slot.kind and meld.size >= slot.size), None
        )
        if fit is None:
            missing.append(slot)
        else:
            left.remove(fit)
    return missing


def melds_due(contract: Sequence[Slot], laid: Sequence[Opened]) -> int:
    """How many melds of a contract were not laid, nor meant by cards that were found to be none."""
    return len(unfilled(contract, laid)) - sum(not meld.kind for meld in laid)


def _missing_from(contract: Sequence[Slot], laid: Sequence[Opened]) -> str:
    """The melds of a contract that were not laid, as a sentence has them; nothing if none is due.

    Nobody knows which of them cards were meant to be that are no meld.
    """
    missing, due = Counter(unfilled(contract, laid)), melds_due(contract, laid)
    if due <= 0:
        return ""
    wanted = [_alike(slot, min(many, due)) for slot, many in missing.items()]
    return in_words(wanted, "and" if due == missing.total() else "or")


def _alike(slot: Slot, many: int) -> str:
    """Melds of a contract that are alike, as a sentence has them."""
    melds = f"a {slot.kind}" if many == 1 else f"{number(many)} {slot.kind}s"
    return f"{melds} of {slot.size} or more cards"


def opening(ruleset: Ruleset) -> Opening | None:
    """What a first laying must be as a whole; None if nothing is asked of it."""
    least = ruleset.melds.first_points if ruleset.melds.first_points_of == "turn" else 0
    contract = slots(ruleset)
    if not least and not contract:
        return None

    def lacks(laid: Sequence[Opened]) -> Violation | None:
        wanted = _missing_from(contract, laid)
        if wanted:
            return Violation(
                "meld.contract",
                f"this hand's contract also requires {wanted}",
                key="melds.contract",
            )
        points = sum(meld.points for meld in laid)
        if points < least:
            message = (
                "the melds of the turn in which a player first melds must be worth at least "
                f"{least} points; these are worth {points}"
            )
            return Violation("meld.first-points", message, key="melds.first_points")
        return None

    return lacks


def first_laid(position: Position) -> list[Opened] | None:
    """The melds of a turn in which a player first melds, as they lie.

    None if it is no such turn.
    """
    first = position.turn.first_meld
    if first is None:
        return None
    own = own_places(position)
    if not own or own[0] < first:
        return None
    laid = []
    for meld in [position.melds[place] for place in own]:
        kind = "" if meld.shape is None else meld.shape.kind
        laid.append(Opened(kind, len(meld.cards), sum(card.points for card in meld.cards)))
    return laid


def own_places(position: Position) -> list[int]:
    """Where the melds lie that the player whose turn it is has laid."""
    seat = position.turn.seat
    melds = enumerate(position.melds)
    return [place for place, meld in melds if meld.seat == seat and meld.owned and meld.cards]


def still_lacks(binding: Binding, position: Position) -> Violation | None:
    """What the first laying of this turn lacks, as the turn stands."""
    lacks, laid = opening(binding.ruleset), first_laid(position)
    return None if lacks is None or laid is None else lacks(laid)


@rule("meld.contract", "meld.first-points", actions=(Meld, LayOff, Swap, Discard), stage=Stage.LAST)
def complete_at_the_end(binding: Binding) -> Check[Meld | LayOff | Swap | Discard] | None:
    """The turn or call of a player's first meld ends with all that a first laying needs."""
    lacks, worth, call_ends = (
        opening(binding.ruleset),
        Worth(binding.ruleset),
        ends_when_laid(binding),
    )
    if lacks is None:
        return None
    moves_to_end = binding.ruleset.melds.wild.swapped == "to_end"

    def check(
        position: Position, action: Meld | LayOff | Swap | Discard
    ) -> Violation | Undecided | None:
        turn = position.turn
        if turn.first_meld is None or (
            len(position.melds) == turn.first_meld and type(action) is not Meld
        ):
            return None
        laid = first_laid(position) or []
        if not laid and any(
            meld.seat == turn.seat and meld.owned for meld in position.melds[: turn.first_meld]
        ):
            return None
        if isinstance(action, Swap):
            if not moves_to_end or position.held[turn.seat] > 1:
                return None
        elif not isinstance(action, Discard):
            call = turn.call
            ends_call = (
                call is not None and call_ends and not difference(call.wanted, action.counted)
            )
            if position.held[turn.seat] > len(action.cards) and not ends_call:
                return None
            laid = _with(position, worth, laid, action)
        lacking = lacks(laid) if laid else None
        if lacking is not None and position.may_have_melded(turn.seat):
            return Undecided("whether this is a first laying: turns before it are not known")
        return lacking

    return check


def _with(
    position: Position, worth: Worth, laid: list[Opened], action: Meld | LayOff
) -> list[Opened]:
    """The melds of the turn once an action is carried out."""
    if type(action) is Meld:
        reading = position.book.read(action.cards)
        if not isinstance(reading, Reading):
            return laid
        return [*laid, Opened(reading.shape.kind, len(action.cards), worth.new_meld(reading.laid))]
    assert type(action) is LayOff
    own, target = own_places(position), action.target
    if target is None or target - 1 not in own:
        return laid
    shape = position.melds[target - 1].shape
    cards = [*position.melds[target - 1].cards]
    for played in action.cards:
        extended = None if shape is None else position.book.extend(shape, played)
        if isinstance(extended, Extension):
            shape, more = extended
            points = worth.laid(more)
            cards.append(OnTable(more.card, more.role, position.turn.seat, points, more.ace_place))
    for index, ace in () if shape is None else worth.turned(shape, cards):
        cards[index] = ace
    place, aces = own.index(target - 1), worth.four_aces(cards)
    points = sum(card.points for card in cards) if aces is None else aces
    opened = Opened(laid[place].kind, len(cards), points)
    return [*laid[:place], opened, *laid[place + 1 :]]
