"""New melds: kinds, sizes and wild cards (P-GRP, P-SEQ, P-JOK, W-MELD, G-MELD, O-MELD)."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from functools import partial

from meldref.core.cards import (
    ANY_SUIT,
    JOKER,
    NATURALS_MASK,
    Card,
    Cards,
    Played,
    Role,
    played_text,
)
from meldref.core.events import Meld
from meldref.melds import Extension, Fault, MeldIndex, Reading, Shape
from meldref.melds.explain_failure import STANDARD
from meldref.position.model import Position
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import RULES, Stage, code, no_effect, rule
from meldref.rules.points import Worth
from meldref.ruleset.model import Ruleset, has_jokers


def _lacks_a_known_kind(rules: Ruleset) -> bool:
    """Whether a kind of meld from other games, missing here, can be formed by the cards."""
    lacking = {kind.name for kind in STANDARD} - {kind.name for kind in rules.melds.kinds}
    if not has_jokers(rules) or "joker" in rules.melds.wild.cards:
        lacking.discard("jokers")
    return bool(lacking)


def _has_wild_cards(rules: Ruleset) -> bool:
    return bool(rules.melds.wild.cards)


def _names_all_wild_cards(table: str, rules: Ruleset) -> bool:
    """Whether a table has a line for wild cards that do not exist; a joker may have its own."""
    named = {"joker"} if f"{table}.joker" in rules.origins else set()
    return f"{table}.wild" in rules.origins and {*rules.melds.wild.cards} <= named


code("meld.size")
code("meld.shape")
code("meld.kind", where=_lacks_a_known_kind)
code("meld.first-points", where=lambda rules: rules.melds.first_points > 0, evidence="conduct")
code("wild.unbound", where=_has_wild_cards, ambiguous=True)
code("wild.binding", where=_has_wild_cards)
code("wild.naturals", where=lambda rules: _has_wild_cards(rules) and rules.melds.wild.naturals > 0)
code("wild.role")
code("log.number", impossible=True)
for _table in ("scoring.values", "scoring.held"):
    no_effect(f"{_table}.wild", by="melds.wild.cards", where=partial(_names_all_wild_cards, _table))
no_effect(
    "melds.wild.named_by",
    by="melds.wild.cards",
    where=lambda rules: "named" not in rules.melds.wild.cards,
)
no_effect(
    "melds.wild.colour",
    by="melds.wild.cards",
    where=lambda rules: set(rules.melds.wild.cards) <= {"joker"},
)
no_effect(
    *(
        f"melds.wild.{key}"
        for key in ("naturals", "suit_in_group", "twins", "swap", "swapped", "grown_group")
    ),
    "scoring.wild",
    by="melds.wild.cards",
    where=lambda rules: not rules.melds.wild.cards,
)


def barred_roles(binding: Binding, position: Position) -> int:
    """The roles no wild card may take, as bits: cards on the table without twins (P-JOK-02)."""
    if binding.ruleset.melds.wild.twins == "allowed":
        return 0
    mask = 0
    for meld in position.melds:
        for laid in meld.cards:
            if laid.role < ANY_SUIT:
                mask |= 1 << laid.role
    return mask


@rule(
    "meld.size",
    "meld.shape",
    "meld.kind",
    "wild.unbound",
    "wild.binding",
    "wild.naturals",
    "wild.role",
    actions=(Meld,),
    stage=Stage.PLAY,
)
def is_meld(binding: Binding) -> Check[Meld]:
    """The cards form one meld of a kind in the ruleset; each wild card stands for one card."""
    twins = binding.ruleset.melds.wild.twins == "forbidden"

    def check(position: Position, action: Meld) -> Violation | None:
        reading = position.book.read(action.cards, barred_roles(binding, position) if twins else 0)
        if type(reading) is Reading:
            return None
        assert isinstance(reading, Fault)
        violation = from_fault(reading)
        if reading.code in _OF_CARDS and not reading.readings:
            violation = violation._replace(notes=tuple(cards_at_fault(position.book, action.cards)))
        return violation

    return check


_OF_CARDS = frozenset({"meld.shape", "meld.size"})
"""Codes that leave open which of the cards are at fault, unless the fault has other readings."""


def cards_at_fault(book: MeldIndex, cards: tuple[Played, ...]) -> Iterator[str]:
    """Which cards are at fault, as a note: the smallest set of them."""
    sets = [" ".join(map(played_text, some)) for some in book.minimal_conflict(cards)]
    if sets:
        singular = " " not in sets[0]
        yield f"the {'card' if singular else 'cards'} at fault: {' or '.join(dict.fromkeys(sets))}"


@rule("log.number", actions=(Meld,), stage=Stage.PLAY)
def meld_number(binding: Binding) -> Check[Meld]:
    """A written meld number counts the melds of the hand in the order laid."""

    def check(position: Position, action: Meld) -> Violation | None:
        number = action.number
        if number is None or number == len(position.melds) + 1 or position.unseen_meld(number):
            return None
        message = f"this is meld m{len(position.melds) + 1} of the hand, not m{number}"
        return Violation("log.number", message, written=f"m{number}")

    return check


@rule("meld.first-points", actions=(Meld,), stage=Stage.PLAY)
def first_points(binding: Binding) -> Check[Meld] | None:
    """A player's first meld of the hand is worth the points that the game asks for, if any."""
    least = _points_to_open(binding.ruleset)
    if not least:
        return None

    def check(position: Position, action: Meld) -> Violation | Undecided | None:
        seat = position.turn.seat
        melded = has_melded(position, seat)
        if melded:
            return None
        reading = position.book.read(action.cards)
        if not isinstance(reading, Reading) or opens(binding.ruleset, reading):
            return None
        if melded is None:
            return Undecided("whether this is a first meld: the one before it was found wrong")
        if position.may_have_melded(seat):
            return Undecided("whether this is a first meld: turns before it are not known")
        points = Worth(binding.ruleset).new_meld(reading.laid)
        return Violation(
            "meld.first-points",
            f"a player's first meld must be worth at least {least} points; "
            f"this one is worth {points}",
        )

    return check


def _points_to_open(ruleset: Ruleset) -> int:
    """How much a player's first meld must be worth by itself."""
    return ruleset.melds.first_points if ruleset.melds.first_points_of == "meld" else 0


def opens(ruleset: Ruleset, reading: Reading) -> bool:
    """Whether a meld is worth enough to be a player's first."""
    least = _points_to_open(ruleset)
    return not least or Worth(ruleset).new_meld(reading.laid) >= least


MOST_MELDS = 2_000
"""The most melds looked at in search of one that is allowed; if there are more, it is open."""


def may_meld(
    binding: Binding, stages: Collection[Stage] = (Stage.PLAY,)
) -> Callable[[Position, Meld], bool | None]:
    """Whether the player on turn may lay a meld, as far as rules of some stages and house rules go.

    None: open.
    """
    bound: list[Check[Meld]] = []

    def checks() -> Sequence[Check[Meld]]:
        if not bound:  # bans apart, which have no codes of their own
            about = [
                rule
                for rule in RULES
                if Meld in rule.actions and rule.stage in stages and rule.codes
            ]
            bound.extend(check for rule in about if (check := rule.bind(binding)) is not None)
        return bound

    def allowed(position: Position, meld: Meld) -> bool | None:
        findings = [check(position, meld) for check in checks()]
        if any(isinstance(finding, Violation) for finding in findings):
            return False
        bans, seat = binding.bans, position.turn.seat
        forbidden = bans is not None and bans.forbids(position, seat, meld)
        if forbidden:
            return False
        return None if forbidden is None or any(findings) else True

    return allowed


def makes_a_meld(
    allowed: Callable[[Position, Meld], bool | None],
    position: Position,
    cards: Cards,
    must: Card | None = None,
) -> bool | None:
    """Whether some cards make a meld that is allowed, with one card that `must` be in it.

    None: open.
    """
    possible: bool | None = False
    for number, played in enumerate(position.book.melds_in(cards, must)):
        answer = None if number >= MOST_MELDS else allowed(position, Meld(played))
        if answer or number >= MOST_MELDS:
            return answer
        possible = possible if answer is False else None
    return possible


def from_fault(fault: Fault) -> Violation:
    """What the solver found, as a violation."""
    notes = tuple(
        "it could be " + " ".join(map(played_text, reading)) for reading in fault.readings[:6]
    )
    return Violation(fault.code, fault.message, key=fault.key, notes=notes)


def own_meld_first(ruleset: Ruleset) -> bool:
    """Whether a player's first meld has to precede something else they may lay (P-LAY-01)."""
    opens = ruleset.melds.first_points or ruleset.melds.contract
    return ruleset.layoff.before_melding == "forbidden" or bool(opens)


def own_meld(position: Position, seat: int) -> bool:
    """Whether a player has laid a meld in this hand, or tried to."""
    return any(meld.seat == seat and meld.owned for meld in position.melds)


def has_melded(position: Position, seat: int) -> bool | None:
    """Whether a player has laid a meld in this hand.

    None, open, if all they laid was found to be none: it may be misread, or no meld was meant.
    """
    own = [meld.shape for meld in position.melds if meld.seat == seat and meld.owned]
    return any(shape is not None for shape in own) or (None if own else False)


def fits_somewhere(position: Position, card: Card) -> bool:
    """Whether a card, as itself or as the wild card it is, extends any meld on the table."""
    book = position.book
    for meld in position.melds:  # noqa: SIM110  asked often, and a generator costs more
        if meld.shape is not None and extends(book, meld.shape, card):
            return True
    return False


def extends(book: MeldIndex, shape: Shape, card: Card) -> bool:
    """Whether a card extends a shape, as itself or, where it is wild, as another."""
    accepts = shape.accepts
    if accepts >> card & 1:
        return True
    if card == JOKER or not accepts & NATURALS_MASK or not book.is_wild(card):
        return False
    return not book.wilds.same_colour or bool(ways_to_extend(book, shape, card))


def ways_to_extend(book: MeldIndex, shape: Shape, card: Card, barred: int = 0) -> list[Extension]:
    """Every way to lay a card off on a shape: as itself, and for what it may stand for."""
    ways: dict[Shape, Extension] = {}
    roles: list[Role | None] = [None]
    if book.is_wild(card):
        roles += sorted(shape.growth)
    for role in roles:
        extended = book.extend(shape, Played(card, role), barred)
        if isinstance(extended, Extension):
            ways.setdefault(extended.shape, extended)
    return list(ways.values())


def akin(position: Position, card: Card, owed: Card) -> bool:
    """Whether a card laid off could make a place for another one: wild, or of its rank or suit."""
    if position.book.is_wild(card) or owed == JOKER:
        return True
    return card % 13 == owed % 13 or card // 13 == owed // 13
