"""Laying off and exchanging (P-LAY, W-TURN-02, W-PAR-03, G-LAY, O-BLD, P-JOK-16, O-JOK-01)."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.core.cards import (
    ANY_SUIT,
    UNKNOWN,
    Card,
    Cards,
    Played,
    Role,
    card_text,
    each,
    played_text,
    rank_of,
)
from meldref.core.events import LayOff, Swap
from meldref.core.text import in_words, many, with_verb
from meldref.melds import Extension, Fault, Shape
from meldref.position.model import Position, TableMeld, TurnState
from meldref.rules.base import Binding, Check, Undecided, Violation
from meldref.rules.declare import Stage, code, no_effect, rule
from meldref.rules.meld import (
    barred_roles,
    extends,
    from_fault,
    has_melded,
    own_meld,
    ways_to_extend,
)
from meldref.ruleset.model import Ruleset


def _are_swapped(rules: Ruleset) -> bool:
    """Whether wild cards are exchanged for natural ones."""
    return bool(rules.melds.wild.cards) and rules.melds.wild.swap != "never"


code("layoff.fit")
code(
    "layoff.target",
    where=lambda rules: rules.layoff.onto != "any" or rules.layoff.before_melding == "forbidden",
    evidence="conduct",
)
code(
    "layoff.unnamed",
    where=lambda rules: rules.layoff.target != "never" or _are_swapped(rules),
    ambiguous=True,
)


def _some_stay(rules: Ruleset) -> bool:
    """Whether some or all wild cards stay where they were laid."""
    wild = rules.melds.wild
    some = wild.grown_group == "stays" or wild.swap == "at_end" or wild.swapped == "to_end"
    return wild.swap == "never" or (_are_swapped(rules) and some)


code("swap.forbidden", where=_some_stay, evidence="conduct")
code("swap.fit", where=lambda rules: rules.melds.wild.swap != "never")
code(
    "swap.kept",
    where=lambda rules: _are_swapped(rules) and rules.melds.wild.swapped == "laid_this_turn",
    evidence="conduct",
)
code("log.name", undone=True, impossible=True)
no_effect("melds.wild.swapped", "melds.wild.grown_group", by="melds.wild.swap", at="never")
no_effect("melds.wild.grown_group", by="melds.wild.swap", at="at_end")
no_effect("melds.wild.grown_group", by="melds.wild.swapped", at="to_end")
no_effect("layoff.before_melding", "layoff.target", by="layoff.onto", at="nothing")
no_effect(
    "layoff.counts_for",
    by="layoff.onto",
    where=lambda rules: rules.layoff.onto == "nothing" and not _are_swapped(rules),
)


def before_melding(binding: Binding, position: Position, seat: int) -> Violation | None:
    """Whether a player has to lay a meld before laying off, and has laid none."""
    if binding.ruleset.layoff.before_melding == "allowed" or own_meld(position, seat):
        return None
    return Violation(
        "layoff.target",
        "a player may not lay off before laying a meld",
        key="layoff.before_melding",
    )


def may_build_on(binding: Binding, position: Position, seat: int, number: int) -> Violation | None:
    """Whether a player may lay off on a meld at all (P-LAY-01, W-PAR-07, O-BLD-02)."""
    layoff = binding.ruleset.layoff
    early = before_melding(binding, position, seat)
    if early is not None or layoff.onto == "any":
        return early
    owner = position.melds[number - 1].seat
    if layoff.onto == "nothing":
        return Violation("layoff.target", "there is no laying off in this game", key="layoff.onto")
    if owner == seat or (layoff.onto == "own_side" and binding.partners(owner, seat)):
        return None
    return Violation(
        "layoff.target",
        f"m{number} belongs to {position.players[owner]}, so this player may not lay off on it",
        key="layoff.onto",
    )


def fits_a_meld(
    binding: Binding, position: Position, seat: int, card: Card, turn: TurnState | None = None
) -> bool | None:
    """Whether a player could lay off a card, by settings and house rules; None: open.

    `turn` is theirs where it is another one than the position's.
    """
    bans, book = binding.bans, position.book
    plain = (bans is None or not bans.bans_on(LayOff)) and not (
        book.is_wild(card) and _bars(binding)
    )
    fits: bool | None = False
    for number, meld in enumerate(position.melds, start=1):
        shape = meld.shape
        if shape is None or not extends(book, shape, card):
            continue
        if may_build_on(binding, position, seat, number) is not None:
            continue
        if plain:
            return True
        for extended in ways_to_extend(book, shape, card, barred_roles(binding, position)):
            play = LayOff((extended.laid.said,), number)
            forbidden = bans is not None and bans.forbids(position, seat, play, turn)
            if forbidden is False:
                return True
            if forbidden is None:
                fits = None
    if not exchange_lays_off(binding):
        return fits
    beside = _goes_beside_wild(binding, position, seat, card)
    return fits if beside is False else beside


def _bars(binding: Binding) -> bool:
    """Whether wild cards may not stand for what lies on the table."""
    return binding.ruleset.melds.wild.twins == "forbidden"


def targets(
    binding: Binding, position: Position, seat: int, cards: tuple[Played, ...]
) -> list[int]:
    """The numbers of the melds these cards can be laid off on together, wild cards said or not.

    Where house rules forbid all of them, the first one, of which they then say so.
    """
    return _left_by_bans(binding, position, seat, _fitting(binding, position, seat, cards))


def _fitting(
    binding: Binding, position: Position, seat: int, cards: tuple[Played, ...]
) -> list[LayOff]:
    """These cards laid off on each meld where the settings allow it."""
    barred = barred_roles(binding, position)
    plays: list[LayOff] = []
    for number, meld in enumerate(position.melds, start=1):
        if meld.shape is not None and may_build_on(binding, position, seat, number) is None:
            row = position.book.row(meld.shape, cards, barred)
            if row.fits:
                plays.append(LayOff(row.cards, number))
    return plays


def _left_by_bans(
    binding: Binding, position: Position, seat: int, plays: Sequence[LayOff | Swap]
) -> list[int]:
    """The melds of some plays that no house rule forbids for certain.

    The first one where it forbids all.
    """
    bans = binding.bans
    left = [play.target for play in plays if play.target is not None]
    if bans is None or len(plays) < 2:
        return left
    allowed = [
        play.target for play in plays if play.target and not bans.forbids(position, seat, play)
    ]
    return allowed or left[:1]


def _surely_several(binding: Binding, position: Position, plays: Sequence[LayOff | Swap]) -> bool:
    """Whether house rules leave more than one of some plays for certain."""
    bans, seat = binding.bans, position.turn.seat
    return bans is None or sum([bans.forbids(position, seat, play) is False for play in plays]) > 1


@rule("log.name", actions=(LayOff, Swap), stage=Stage.TARGET)
def named_meld(binding: Binding) -> Check[LayOff | Swap]:
    """The meld that is named lies on the table."""

    def check(position: Position, action: LayOff | Swap) -> Violation | None:
        target = action.target
        if target is None or position.lies_there(target):
            return None
        return Violation("log.name", f"there is no meld m{target} on the table")

    return check


def lay_off(binding: Binding) -> Check[LayOff]:
    """The cards extend the meld they are laid off on, in some order (P-LAY-01..11).

    They come in that order, and for the meld that is meant where only one can be: see
    `rules.resolve`.
    """
    rules = binding.ruleset.layoff
    open_to_all = rules.onto == "any" and rules.before_melding == "allowed"
    melds_first = rules.before_melding == "forbidden"
    twins = binding.ruleset.melds.wild.twins == "forbidden"

    def check(position: Position, action: LayOff) -> Violation | Undecided | None:
        target = action.target
        if target is None:
            return unnamed(position, action) if position.table_known else None
        if not position.table_known and position.unseen_meld(target):
            return None
        if not open_to_all:
            barred_player = may_build_on(binding, position, position.turn.seat, target)
            if barred_player is not None:
                return barred_player
        meld = position.melds[target - 1]
        shape = meld.shape
        if shape is None:
            return Violation(
                "layoff.fit", f"m{target} is not a meld, so nothing can be laid off on it"
            )
        barred = barred_roles(binding, position) if twins else 0
        for before, played in enumerate(action.cards):
            extended = position.book.extend(shape, played, barred)
            if type(extended) is Fault:
                return _of_several(from_fault(extended), shape, before, len(action.cards))
            shape, (_, role, _) = extended  # type: ignore[misc]
            if twins:
                barred |= 1 << role
        if melds_first and has_melded(position, position.turn.seat) is None:
            player = position.players[position.turn.seat]
            return Undecided(f"whether {player} had laid a meld before: what they laid was none")
        return None

    def unnamed(position: Position, action: LayOff) -> Violation | Undecided:
        if rules.target == "always":
            return Violation("layoff.unnamed", "the meld has to be named", key="layoff.target")
        possible = targets(binding, position, position.turn.seat, action.cards)
        cards = [played_text(played) for played in action.cards]
        if not possible:
            verb = with_verb(cards, "extends", "extend")
            return Violation("layoff.fit", f"{verb} no meld on the table", key="layoff.onto")
        if not _surely_several(
            binding, position, _fitting(binding, position, position.turn.seat, action.cards)
        ):
            return Undecided(
                f"which meld {in_words(cards)} can be laid off on depends on what nobody saw"
            )
        names = in_words([f"m{number}" for number in possible])
        verb = with_verb(cards, "fits", "fit")
        return Violation("layoff.unnamed", f"{verb} {names}: say which one", key="layoff.target")

    return check


def _of_several(wrong: Violation, shape: Shape, before: int, number: int) -> Violation:
    """What is wrong with a card of several, where those `before` it have filled the meld."""
    if not before or wrong.key != f"melds.kinds.{shape.kind}.size":
        return wrong
    room = many(before, "more card")
    return wrong._replace(message=f"this {shape.kind} has room for {room}, not for {number}")


def stand_in(position: Position, number: int, card: Card) -> int | None:
    """The index of a wild card in a meld that stands for a natural card; None if there is none.

    In a group whose suits are open, a wild card stands for any card of the rank that is not shown
    yet.
    """
    meld = position.melds[number - 1]
    if meld.shape is None:
        return None
    open_role: Role = ANY_SUIT + rank_of(card)
    for wanted in (card, open_role):
        for index, laid in enumerate(meld.cards):
            if laid.role != wanted or laid.card == card or not position.book.is_wild(laid.card):
                continue
            if position.book.replace(meld.shape, wanted, card) is not None:
                return index
    return None


def swap(binding: Binding) -> Check[Swap]:
    """A natural card replaces the wild card that stands for it, if the game has that (O-JOK-01)."""
    allowed = binding.ruleset.melds.wild.swap != "never"
    is_lay_off = exchange_lays_off(binding)

    def check(position: Position, action: Swap) -> Violation | Undecided | None:
        if not allowed:
            return Violation(
                "swap.forbidden",
                "wild cards cannot be exchanged in this game",
                key="melds.wild.swap",
            )
        if action.target is None:
            possible = swap_targets(binding, position, action.card)
            if len(possible) == 1:
                return None
            if possible:
                if not _surely_several(
                    binding, position, [Swap(action.card, number) for number in possible]
                ):
                    return Undecided(
                        f"which meld {card_text(action.card)} goes to depends on what nobody saw"
                    )
                return Violation("layoff.unnamed", "the meld has to be named", key="layoff.target")
            return Violation(
                "swap.fit", f"no wild card on the table stands for {card_text(action.card)}"
            )
        if position.unseen_meld(action.target):
            return None
        if action.card == UNKNOWN:
            return None
        if is_lay_off:
            wrong = may_build_on(binding, position, position.turn.seat, action.target)
            if wrong is not None:
                return wrong
        index = stand_in(position, action.target, action.card)
        if index is None:
            return Violation(
                "swap.fit", f"no wild card of m{action.target} stands for {card_text(action.card)}"
            )
        return _stays(binding, position, action.target, index)

    return check


def _stays(
    binding: Binding, position: Position, number: int, index: int
) -> Violation | Undecided | None:
    """Why a wild card of a meld stays where it is; None if it is exchanged."""
    wild = binding.ruleset.melds.wild

    def because(why: str, key: str) -> Violation:
        return Violation("swap.forbidden", f"the wild card of m{number} stays, since {why}", key)

    is_closed = _is_closed(binding, position, number, index)
    if is_closed:
        return because("a card was added to the group in an earlier turn", "melds.wild.grown_group")
    if is_closed is None:
        return Undecided(f"whether a card was added to m{number} in an earlier turn")
    if wild.swap == "at_end" and not _lies_at_end(position.melds[number - 1], index):
        return because("it does not lie at an end of a sequence", "melds.wild.swap")
    if wild.swapped == "to_end" and moved_to(binding, position, number, index) is None:
        return because("no end of a sequence takes it", "melds.wild.swapped")
    return None


def exchange_lays_off(binding: Binding) -> bool:
    """Whether an exchange adds the natural card to the meld, in which the wild card stays."""
    wild = binding.ruleset.melds.wild
    return wild.swap != "never" and wild.swapped == "to_end"


def _goes_beside_wild(binding: Binding, position: Position, seat: int, card: Card) -> bool | None:
    """Whether a player could add a card to a sequence whose wild card makes room; None: open."""
    bans = binding.bans
    answer: bool | None = False
    for number in range(1, len(position.melds) + 1):
        index = stand_in(position, number, card)
        if index is None or may_build_on(binding, position, seat, number) is not None:
            continue
        stays = _stays(binding, position, number, index)
        if isinstance(stays, Violation):
            continue
        banned = bans is not None and bans.forbids(position, seat, Swap(card, number))
        if stays is None and banned is False:
            return True
        if banned is not True:
            answer = None
    return answer


def _lies_at_end(meld: TableMeld, index: int) -> bool:
    """Whether a card of a meld is the lowest or the highest of a sequence."""
    shape = meld.shape
    if shape is None or not shape.pattern.kind.is_run:
        return False
    return meld.cards[index].role in {shape.roles[0], shape.roles[-1]}


def moved_to(binding: Binding, position: Position, number: int, index: int) -> Extension | None:
    """Where a wild card of a sequence goes that makes room for the natural card; None: nowhere.

    From one end it goes to the other, else to the high one, if that takes it; if not, to the one
    that does.
    """
    meld, book = position.melds[number - 1], position.book
    shape, old = meld.shape, meld.cards[index]
    if shape is None or not shape.pattern.kind.is_run:
        return None
    barred = barred_roles(binding, position)
    ways = [book.extend(shape, Played(old.card, role), barred) for role in shape.growth]
    fitting = [way for way in ways if isinstance(way, Extension)]
    goes_low = old.role == shape.roles[-1]

    def is_far(way: Extension) -> bool:
        end = way.shape.roles[0 if goes_low else -1]
        return end == way.laid.role

    return next(filter(is_far, fitting), next(iter(fitting), None))


def _is_closed(binding: Binding, position: Position, number: int, index: int) -> bool | None:
    """Whether a card was added to a group after its wild card, in an earlier turn; None: open."""
    meld = position.melds[number - 1]
    if binding.ruleset.melds.wild.grown_group == "exchanged" or meld.shape is None:
        return False
    if "same_rank" not in meld.shape.pattern.kind.require:
        return False
    before = len(meld.cards) - position.turn.grown.count(number)
    least, most = meld.at_once
    if before > max(index + 1, most):
        return True
    return None if before > max(index + 1, least, meld.shape.pattern.kind.min_size) else False


def kept_after_swap(cards: Cards) -> Violation:
    """A wild card taken in exchange that had to be laid in the same turn."""
    verb = with_verb([card_text(card) for card in each(cards)], "was", "were")
    return Violation("swap.kept", f"{verb} taken in exchange and not laid in the same turn")


def swap_targets(binding: Binding, position: Position, card: Card) -> list[int]:
    """The numbers of the melds in which a wild card stands for this card; see `targets`."""
    numbers: Sequence[int] = range(1, len(position.melds) + 1)
    seat = position.turn.seat
    if exchange_lays_off(binding):
        numbers = [n for n in numbers if may_build_on(binding, position, seat, n) is None]
    places = {number: stand_in(position, number, card) for number in numbers}
    standing = {number: index for number, index in places.items() if index is not None}
    left = [
        number
        for number, index in standing.items()
        if not isinstance(_stays(binding, position, number, index), Violation)
    ]
    plays = [Swap(card, number) for number in left or [*standing][:1]]
    return _left_by_bans(binding, position, seat, plays)
