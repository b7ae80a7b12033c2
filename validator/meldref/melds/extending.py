"""Laying off: which cards extend a shape, what it becomes, and why a card does not fit.

A card fits if there is a meld with one card more that contains the shape's roles and the card; open
roles of a group take what is left over (P-JOK-10, P-JOK-14).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from meldref.core.cards import ACE, ANY_SUIT, JOKER, Played, Role, natural, played_text, rank_of
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.melds.beyond_deck import may_repeat_suits
from meldref.melds.kinds import Pattern, Roles
from meldref.melds.lay_off_index import KindIndex, is_open, left_over, specific
from meldref.melds.shapes import Extension, Fault, Laid, Shape, WildCards, ace_place_of
from meldref.ruleset.model import Kind


def grown(fits: KindIndex, roles: Roles) -> Mapping[Role, Roles]:
    """For each card that extends a shape as itself, the roles of the shape with it."""
    wanted = specific(roles)
    melds = fits.growing(len(roles) + 1, wanted)
    if fits.pattern.is_run:
        return _lengthened(roles, melds)
    if not wanted:
        melds = [meld for meld in melds if meld[0] % 13 == rank_of(roles[0])]
    return {
        card: tuple(sorted((*roles, card))) for meld in melds for card in left_over(meld, wanted)
    }


def _lengthened(roles: Roles, melds: Sequence[Roles]) -> Mapping[Role, Roles]:
    """A run with a card at its low or high end.

    An ace on two to king goes where it is written, last; a run round the corner that becomes one of
    thirteen has its ace at an end again.
    """
    low = {meld[0]: meld for meld in melds if meld[1:] == roles}
    high = {meld[-1]: meld for meld in melds if meld[:-1] == roles}
    round_about = {left_over(meld, roles)[0]: meld for meld in melds} if len(roles) == 12 else {}
    return {**round_about, **low, **high}


def places(
    shape: Shape, wilds: WildCards, barred: int, intern: Callable[[Roles], Shape]
) -> Mapping[Role, Shape]:
    """The roles a wild card can have in extending a shape, with what becomes of it."""
    open_to = {
        role: bigger
        for role, bigger in shape.growth.items()
        if role != JOKER and not barred >> role & 1
    }
    if shape.pattern.leaves_suits_open and not wilds.suits_stated and open_to:
        role = ANY_SUIT + rank_of(shape.roles[0])
        return {role: intern(tuple(sorted((*shape.roles, role))))}
    return open_to


def extension(
    fits: KindIndex,
    shape: Shape,
    played: Played,
    wilds: WildCards,
    barred: int,
    intern: Callable[[Roles], Shape],
) -> Extension | Fault:
    """The shape with a card laid off on it, or why it does not fit (P-LAY-01, -02, -03)."""
    card, role = played
    if role is None or role == card:
        if role is not None or card != JOKER or not wilds.jokers:
            bigger = shape.growth.get(card)
            if bigger:
                return _laid(card, card, bigger)
            if role is None and card in wilds.cards and places(shape, wilds, barred, intern):
                return changed(_no_fit(shape, played), message=without_role(played))
            return _no_fit(shape, played)
    elif card not in wilds.cards:
        return Fault("wild.role", not_wild(played), "melds.wild.cards")
    open_to = places(shape, wilds, barred, intern)
    if role is None:
        meant = _nearest(fits, shape, open_to)
        if JOKER in shape.growth:
            meant.append(JOKER)
    elif shape.pattern.leaves_suits_open and not wilds.suits_stated:
        meant = [place for place in open_to if rank_of(place) == rank_of(role) and role != JOKER]
    elif is_open(role):
        meant = [place for place in open_to if rank_of(place) == rank_of(role)]
    else:
        meant = [role] if role in open_to else []
    if wilds.same_colour:
        of_colour = [place for place in meant if wilds.may_be(card, place)]
        if meant and not of_colour:
            wrong = of_other_colour(Laid(card, meant[0]).said)
            return Fault("wild.role", wrong, "melds.wild.colour")
        meant = of_colour
    if len(meant) == 1:
        place = meant[0]
        return _laid(card, place, shape.growth[JOKER] if place == JOKER else open_to[place])
    if meant:
        ways = tuple((Played(card, place),) for place in sorted(meant))
        message = f"it is not clear what {played_text(played)} stands for"
        return Fault("wild.unbound", message, "melds.wild.cards", ways)
    if barred:
        free = extension(fits, shape, played, wilds, 0, intern)
        if not isinstance(free, Fault) or free.code == "wild.unbound":
            message = (
                f"{played_text(played)} could only stand for a card that is already on the table"
            )
            return Fault("wild.binding", message, "melds.wild.twins")
        if role is not None and _is_more_of_the_rank(shape, role):
            message = f"the deck has no card left for {played_text(played)} to stand for"
            return Fault("wild.binding", message, "melds.wild.twins")
    return _no_fit(shape, played)


def _is_more_of_the_rank(shape: Shape, role: Role) -> bool:
    """Whether a wild card would be one more of a rank if it could stand for a card twice."""
    has_room = len(shape.roles) < shape.pattern.sizes[-1]
    return (
        has_room
        and may_repeat_suits(shape.pattern.kind)
        and rank_of(role) == rank_of(shape.roles[0])
    )


def _nearest(fits: KindIndex, shape: Shape, open_to: Mapping[Role, Shape]) -> list[Role]:
    """What a wild card may stand for of which nothing is said: cards of the deck, if there are."""
    if len(open_to) < 2 or shape.pattern.is_run:
        return list(open_to)
    melds = fits.containing(len(shape.roles) + 1, specific(shape.roles))
    of_deck = {role for meld in melds for role in left_over(meld, specific(shape.roles))}
    return [role for role in open_to if role in of_deck]


def not_wild(played: Played) -> str:
    """The sentence for a card that is said to stand for another and cannot."""
    return (
        f"{played_text(Played(played.card))} is not wild in this hand and can stand only for itself"
    )


def of_other_colour(played: Played) -> str:
    """The sentence for a wild card that stands for a card of the other colour."""
    return f"{played_text(played)}: a wild card stands only for cards of its own colour"


def without_role(*cards: Played) -> str:
    """The sentence for wild cards, not jokers, that do not say what they stand for."""
    named = in_words(map(played_text, cards))
    return f"a wild card counts as itself unless it says what it stands for: {named}"


def _laid(card: int, role: Role, bigger: Shape) -> Extension:
    return Extension(bigger, Laid(card, role, ace_place_of(bigger, role)))


def _no_fit(shape: Shape, played: Played) -> Fault:
    key = f"melds.kinds.{shape.kind}"
    if len(shape.roles) >= shape.pattern.sizes[-1]:
        return Fault(
            "layoff.fit",
            f"this {shape.kind} is full: it already has {len(shape.roles)} cards",
            f"{key}.size",
        )
    message = f"{played_text(played)} does not extend this {shape.kind}"
    if _turns_the_corner(shape, played):
        return Fault("layoff.fit", f"{message}: {place_of_aces(shape.pattern.kind)}", f"{key}.ace")
    key = f"{key}.require" if shape.pattern.kind.require else key
    return Fault("layoff.fit", message, key)


def _turns_the_corner(shape: Shape, played: Played) -> bool:
    """Whether a card would extend a run if its ace could be anywhere."""
    pattern, roles = shape.pattern, shape.roles
    role = played.card if played.role is None else played.role
    if not pattern.is_run or ACE not in {rank_of(end) for end in (role, roles[0], roles[-1])}:
        return False
    around = Pattern(changed(pattern.kind, ace=("around",)), pattern.packs, pattern.jokers)
    meant = [natural(rank_of(role), suit) for suit in range(4)] if is_open(role) else [role]
    return any(
        around.obeyed_by((*roles, card)) or around.obeyed_by((card, *roles)) for card in meant
    )


def place_of_aces(kind: Kind) -> str:
    """The sentence on where an ace may be in a run that does not go round the corner."""
    places = {"low": "below the two", "high": "above the king"}
    where = " or ".join(places[place] for place in kind.ace if place in places)
    if len(kind.ace) == 2:
        return f"an ace goes {where}, not between them"
    if where:
        return f"in this game, an ace goes only {where}"
    return f"in this game, a {kind.name} cannot contain an ace"
