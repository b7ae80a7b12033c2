"""The facts that conditions ask about: one table, behind the checker, the page and the messages."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Final

from meldref.conditions.types import (
    ALWAYS,
    ANY,
    END,
    EVERYWHERE,
    HAND,
    MOST,
    NOTHING,
    OPEN,
    SUITS,
    Fact,
    Number,
    Row,
    Sort,
    Truth,
)
from meldref.conditions.view import SeenCard, SeenMeld, Thrown, View
from meldref.core.cards import ANY_SUIT, JOKER, RANKS, Role, each, rank_of, suit_of
from meldref.core.effort import EFFORT
from meldref.core.text import in_words
from meldref.position.model import OnTable, uncounted
from meldref.position.turn import FROM_PILE, FROM_STOCK
from meldref.ruleset.model import GAME

IN_TURNS: Final = EVERYWHERE - {HAND}
AT_SCORING: Final = frozenset((HAND,))
AT_END: Final = frozenset((END,))
AFTER_GAME: Final = frozenset((GAME,))

_FACES: Final = tuple([RANKS[card % 13] for card in range(52)])
_SUITS: Final = tuple([SUITS[suit_of(card)] for card in range(52)])


# --- players --------------------------------------------------------------------------------------


def _held_points(view: View, seat: int) -> Number:
    row, held = view.hand(seat), view.tools.held
    seen: int = sum([held[card] for card in row.known])
    if row.more:
        return ANY
    if not row.unseen:
        return seen
    in_pool = sorted([held[card] for card in each(row.pool)])
    EFFORT.on_conditions(len(in_pool))
    unseen = min(row.unseen, len(in_pool))
    least = sum(in_pool[:unseen])
    most = sum(in_pool[len(in_pool) - unseen :])
    return seen + least, seen + most


def _buys(view: View, seat: int) -> Number:
    return view.position.buys[seat] if view.tools.buys else 0


def _is_dealer(view: View, seat: int) -> Truth:
    dealer = view.memory.dealer
    return None if dealer is None else seat == dealer


# --- cards ----------------------------------------------------------------------------------------


def card_of(it: SeenCard) -> int:
    """The card itself."""
    return it.card if isinstance(it, (OnTable, Thrown)) else it


def _rank(view: View, it: SeenCard) -> object:
    card = card_of(it)
    return NOTHING if card == JOKER else _FACES[card]


def _suit(view: View, it: SeenCard) -> object:
    card = card_of(it)
    return NOTHING if card == JOKER else _SUITS[card]


def _card_number(view: View, it: SeenCard) -> object:
    card = card_of(it)
    return NOTHING if card == JOKER else card % len(RANKS) + 1


def _card_points(view: View, it: SeenCard) -> Number:
    return it.points if isinstance(it, OnTable) else view.tools.held[card_of(it)]


def _is_wild(view: View, it: SeenCard) -> Truth:
    if isinstance(it, OnTable):
        return it.role != it.card
    return view.position.book.is_wild(card_of(it))


def _role(it: SeenCard) -> Role:
    return it.role if isinstance(it, OnTable) else card_of(it)


def _as_rank(view: View, it: SeenCard) -> object:
    role = _role(it)
    return NOTHING if role == JOKER else RANKS[rank_of(role)]


def _as_suit(view: View, it: SeenCard) -> object:
    role = _role(it)
    return NOTHING if role == JOKER or role >= ANY_SUIT else _SUITS[role]


def _is_end(view: View, it: SeenCard) -> Truth:
    return view.is_end(it) if isinstance(it, OnTable) else False


# --- melds ----------------------------------------------------------------------------------------


def _kind(view: View, meld: SeenMeld) -> object:
    if meld.shape is not None:
        return meld.shape.kind
    return OPEN if meld.unseen else NOTHING


def _size(view: View, meld: SeenMeld) -> Number:
    return (len(meld.cards), MOST) if meld.unseen else len(meld.cards)


def _meld_points(view: View, meld: SeenMeld) -> Number:
    return ANY if meld.unseen else sum(map(view.tools.laid, meld.cards))


def _wilds(view: View, meld: SeenMeld) -> Number:
    wilds = sum([laid.role != laid.card for laid in meld.cards])
    return (wilds, MOST) if meld.unseen else wilds


def _naturals(view: View, meld: SeenMeld) -> Number:
    naturals = sum([laid.role == laid.card for laid in meld.cards])
    return (naturals, MOST) if meld.unseen else naturals


def _wilds_together(view: View, meld: SeenMeld) -> Number:
    """The most wild cards side by side; in a meld that is no row, none lies beside another."""
    wild = {laid.role for laid in meld.cards if laid.role != laid.card}
    longest = 1 if wild else 0
    if meld.shape is not None and meld.shape.pattern.is_run:
        run = 0
        for role in meld.shape.roles:
            run = run + 1 if role in wild else 0
            longest = max(longest, run)
    return (longest, MOST) if meld.unseen else longest


def _run_from(meld: SeenMeld) -> int | None:
    """The place of a run's lowest card: an ace below the two is 1; None where it is no run."""
    shape = meld.shape
    if shape is None or not shape.pattern.is_run:
        return None
    return rank_of(shape.roles[0]) + 1


def _lowest(view: View, meld: SeenMeld) -> object:
    lowest = _run_from(meld)
    if lowest is None:
        return ANY if meld.unseen and meld.shape is None else NOTHING
    return (1, lowest) if meld.unseen else lowest


def _highest(view: View, meld: SeenMeld) -> object:
    lowest = _run_from(meld)
    if lowest is None or meld.shape is None:
        return ANY if meld.unseen and meld.shape is None else NOTHING
    highest = lowest + len(meld.shape.roles) - 1
    return (highest, MOST) if meld.unseen else highest


def _meld_rank(view: View, meld: SeenMeld) -> object:
    if meld.unseen and meld.shape is None:
        return OPEN
    roles = {laid.role for laid in meld.cards}
    if JOKER in roles:
        return NOTHING
    ranks = {RANKS[rank_of(role)] for role in roles}
    return ranks.pop() if len(ranks) == 1 else NOTHING


def _meld_suit(view: View, meld: SeenMeld) -> object:
    if meld.unseen and meld.shape is None:
        return OPEN
    roles = [laid.role for laid in meld.cards]
    if any(role >= JOKER for role in roles):
        return NOTHING
    is_group = len({rank_of(role) for role in roles}) == 1
    if is_group:
        return NOTHING
    suits = {_SUITS[role] for role in roles}
    return suits.pop() if len(suits) == 1 else NOTHING


def _owner(view: View, meld: SeenMeld) -> object:
    return view.as_seen(meld.seat) if meld.owned else OPEN


# --- the turn, and what lies there ----------------------------------------------------------------


def _drew(view: View, _: object) -> object:
    if view.source is FROM_STOCK:
        return "stock"
    return "pile" if view.source is FROM_PILE else "nothing"


def _stock(view: View, _: object) -> Number:
    size = view.position.stock_size
    return (0, MOST) if uncounted(size) else max(size, 0)


def _contract(view: View, _: object) -> Number:
    return view.setting("melds.contract", view.tools.contract)


def _first_points(view: View, _: object) -> Number:
    return view.setting("melds.first_points", view.tools.first_points)


def _facts(*facts: Fact) -> Mapping[str, Fact]:
    return MappingProxyType({fact.name: fact for fact in facts})


_of = Fact
_YES, _NUMBER = Sort.YES_NO, Sort.NUMBER

PLAYER: Final = _facts(
    _of("cards", _NUMBER, lambda view, seat: view.held(seat), "How many cards they hold.", least=0),
    _of("hand", Sort.CARDS, lambda view, seat: view.hand(seat), "The cards they hold."),
    _of("held", _NUMBER, _held_points, "Points of the cards they hold."),
    _of(
        "laid", Sort.CARDS, lambda view, seat: view.laid(seat), "The cards they laid in this hand."
    ),
    _of(
        "points",
        _NUMBER,
        lambda view, seat: view.points(seat),
        "Points on the table that are theirs.",
    ),
    _of("melds", Sort.MELDS, lambda view, seat: view.melds(seat), "The melds they laid."),
    _of(
        "has_melded",
        _YES,
        lambda view, seat: view.has_melded(seat),
        "They laid a meld of their own in the hand.",
    ),
    _of(
        "had_melded",
        _YES,
        lambda view, seat: view.has_melded(seat, before=True),
        "They had laid a meld of their own before this turn or call.",
    ),
    _of(
        "had_contract",
        _YES,
        lambda view, seat: view.had_contract(seat),
        "The whole contract of the hand (melds.contract) was among their melds before this turn or "
        "call; no where the hand has none.",
    ),
    _of(
        "melding_turns",
        _NUMBER,
        lambda view, seat: view.melding(seat),
        "Turns and calls of this hand in which they melded or laid off.",
        least=0,
    ),
    _of(
        "turns",
        _NUMBER,
        lambda view, seat: view.turns(seat),
        "Turns they began in this hand, this one included; not the numbers in a log.",
        least=0,
    ),
    _of("buys", _NUMBER, _buys, "How often they bought a card in this hand.", least=0),
    _of(
        "calls",
        _NUMBER,
        lambda view, seat: view.memory.calls[seat],
        "How often they called in this hand; calls that were wrong do not count.",
        least=0,
    ),
    _of(
        "lay_offs",
        _NUMBER,
        lambda view, seat: view.lay_offs(seat),
        "How many cards they laid off in this hand.",
        least=0,
    ),
    _of(
        "lay_offs_on_own",
        _NUMBER,
        lambda view, seat: view.lay_offs(seat, own=True),
        "How many cards they laid off in this hand on melds that they had laid.",
        least=0,
    ),
    _of(
        "total",
        _NUMBER,
        lambda view, seat: view.total(seat),
        "Their total, or their side's, before this hand; in an award for the game, "
        "when it is over.",
        ALWAYS,
    ),
    _of("won", _YES, lambda view, seat: view.won(seat), "They won the game.", AFTER_GAME),
    _of("floats", _YES, lambda view, seat: view.floats(seat), "They float: no cards, and not out."),
    _of("is_dealer", _YES, _is_dealer, "They dealt this hand."),
    _of(
        "goes_out",
        _YES,
        lambda view, seat: view.goes_out(seat),
        "They go out by this end of the turn; a player who floats does not.",
        AT_END,
    ),
    _of(
        "can_meld",
        _YES,
        lambda view, seat: view.can_meld(seat),
        "They could lay some of the cards they hold as a new meld, here and now.",
        AT_END,
    ),
    _of(
        "went_out", _YES, lambda view, seat: view.position.out == seat, "They went out.", AT_SCORING
    ),
    _of(
        "score",
        _NUMBER,
        lambda view, seat: view.scores[seat],
        "The hand's score, theirs or their side's, without awards.",
        AT_SCORING,
    ),
)
CARD: Final = _facts(
    _of("rank", Sort.RANK, _rank, "The rank printed on it; a joker has none."),
    _of("suit", Sort.SUIT, _suit, "The suit printed on it; a joker has none."),
    _of(
        "number",
        _NUMBER,
        _card_number,
        "An ace 1, 2 to 10, a jack 11, a queen 12, a king 13; a joker has none.",
        least=1,
        most=13,
    ),
    _of(
        "points",
        _NUMBER,
        _card_points,
        "Its points where it lies on the table, else those in hand.",
    ),
    _of("is_wild", _YES, _is_wild, "It is wild by the rules; on the table, by its use."),
    _of("is_joker", _YES, lambda view, it: card_of(it) == JOKER, "It is a joker."),
    _of(
        "was_taken",
        _YES,
        lambda view, it: view.was_taken(card_of(it)),
        "It was taken from the pile in this turn; equal cards as in discard.twin.",
        IN_TURNS,
    ),
    _of(
        "fits",
        _YES,
        lambda view, it: view.fits(card_of(it)),
        "It fits a meld on the table that the player may build on.",
    ),
    _of(
        "discarded_by",
        Sort.DISCARDER,
        lambda view, it: view.discarded_by(it),
        "Who threw it, where it lies in the pile or was taken in this turn: player, partner, "
        "opponent, or nobody where it was turned up.",
    ),
    _of("as_rank", Sort.RANK, _as_rank, "The rank it stands for."),
    _of("as_suit", Sort.SUIT, _as_suit, "The suit it stands for; none where that is left open."),
)
MELD: Final = _facts(
    _of("kind", Sort.KIND, _kind, "Its kind, by its name in melds.kinds."),
    _of("size", _NUMBER, _size, "How many cards it has.", least=1),
    _of(
        "points",
        _NUMBER,
        _meld_points,
        "Points of all its cards, before scoring.four_at_once and four_aces.",
    ),
    _of("wilds", _NUMBER, _wilds, "How many of its cards stand for another card.", least=0),
    _of("naturals", _NUMBER, _naturals, "How many of its cards are themselves.", least=0),
    _of(
        "wilds_together",
        _NUMBER,
        _wilds_together,
        "The most of its wild cards that lie side by side.",
        above=1,
        least=0,
    ),
    _of(
        "lowest",
        _NUMBER,
        _lowest,
        "Place of the lowest card of a sequence: an ace below the two is 1, a king 13; "
        "a group has none.",
        least=1,
        most=13,
    ),
    _of(
        "highest",
        _NUMBER,
        _highest,
        "Place of the highest card of a sequence: a king is 13, an ace above it 14; "
        "a group has none.",
        least=1,
    ),
    _of("rank", Sort.RANK, _meld_rank, "The rank of a group; a sequence has none."),
    _of("suit", Sort.SUIT, _meld_suit, "The suit of a sequence; a group has none."),
    _of(
        "cards",
        Sort.CARDS,
        lambda view, meld: Row(meld.cards, more=meld.unseen, meld=meld),
        "Its cards.",
    ),
    _of("owner", Sort.OWNER, _owner, "Who laid it: player, partner or opponent."),
    _of("is_new", _YES, lambda view, meld: meld.is_new, "It was laid in this turn.", IN_TURNS),
)
OF_PLACE: Final = (MELD["owner"], MELD["is_new"])
"""The facts of a meld that have nothing to do with its cards."""
TURN: Final = _facts(
    _of("drew", Sort.DRAWN, _drew, "Where the draw came from: stock, pile, or nothing was drawn."),
    _of(
        "taken",
        Sort.CARDS,
        lambda view, _: view.taken_row(),
        "The cards taken from the pile in it.",
    ),
    _of("melds", Sort.MELDS, lambda view, _: view.melds(new=True), "The melds laid in it."),
    _of(
        "lay_offs",
        _NUMBER,
        lambda view, _: view.deeds.lay_offs,
        "How many cards were laid off in it.",
        least=0,
    ),
    _of(
        "swaps",
        _NUMBER,
        lambda view, _: view.deeds.swaps,
        "How many wild cards were exchanged in it.",
        least=0,
    ),
    _of("points", _NUMBER, lambda view, _: view.deeds.points, "Points that were laid in it."),
    _of("is_call", _YES, lambda view, _: view.turn.call is not None, "It is a call."),
)
STOCK: Final = _facts(
    _of("size", _NUMBER, _stock, "How many cards are left in the stock.", least=0)
)
HAND_FACTS: Final = _facts(
    _of(
        "number",
        _NUMBER,
        lambda view, _: view.hand_number,
        "The hand's number in the game; in an award for the game, that of its last hand.",
        ALWAYS,
        least=1,
    ),
    _of(
        "is_last",
        _YES,
        lambda view, _: view.is_last(),
        "It is the last hand of a game that ends after so many (game.hands).",
    ),
    _of(
        "contract",
        _NUMBER,
        _contract,
        "How many melds its contract has (melds.contract); 0 where it has none.",
        least=0,
    ),
    _of(
        "first_points",
        _NUMBER,
        _first_points,
        "Points that a first laying needs in it (melds.first_points).",
        least=0,
    ),
)
LISTS: Final = _facts(
    _of(
        "cards",
        Sort.CARDS,
        lambda view, _: view.cards(),
        "All cards of the action; as they will lie.",
        frozenset(("take", "rummy", "meld", "lay")),
    ),
    _of("pile", Sort.CARDS, lambda view, _: view.pile(), "The discard pile."),
    _of("table", Sort.MELDS, lambda view, _: view.melds(), "The melds on the table."),
    _of(
        "players",
        Sort.PLAYERS,
        lambda view, _: Row(view.order),
        "Everybody who plays this hand; in an award for the game, every side.",
        ALWAYS,
    ),
)

_WITH_CARD: Final = frozenset(("discard", "swap", "buy", "take"))
_WITH_MELD: Final = frozenset(("meld", "lay", "swap"))
SUBJECTS: Final[Mapping[str, tuple[Mapping[str, Fact], frozenset[str], str]]] = MappingProxyType(
    {
        "player": (
            PLAYER,
            ALWAYS,
            "Who acts, caller and buyer included; in an award, whose score it is.",
        ),
        "partner": (PLAYER, EVERYWHERE, "The player's partner."),
        "out": (PLAYER, AT_SCORING, "Who went out."),
        "turn": (TURN, IN_TURNS, "This turn or call."),
        "card": (CARD, _WITH_CARD, "The card of the action; of take, the one named."),
        "top": (
            CARD,
            EVERYWHERE,
            "The top card of the discard pile; nothing where the pile is empty.",
        ),
        "meld": (MELD, _WITH_MELD, "The meld of the action, as it will lie."),
        "owner": (PLAYER, _WITH_MELD, "Who laid the meld of the action."),
        "stock": (STOCK, EVERYWHERE, "The stock."),
        "hand": (HAND_FACTS, ALWAYS, "This hand."),
    }
)
"""The names before a dot: their facts, where they are there, and what they are."""
CARD_OF_LIST: Final = _facts(
    *CARD.values(),
    _of(
        "is_end",
        _YES,
        _is_end,
        "A card of a meld: it lies at an end of its sequence.",
    ),
)
"""The facts of a card of a list: those of any card, and where it lies in its meld."""
ELEMENTS: Final = {Sort.CARD: CARD_OF_LIST, Sort.MELD: MELD, Sort.PLAYER: PLAYER}
"""The facts behind a dot in a list's condition."""


def facts_like(subject: str) -> str | None:
    """The first subject with the same facts as another; None where it is the first itself."""
    for name, (facts, _, _) in SUBJECTS.items():
        if facts is SUBJECTS[subject][0]:
            return None if name == subject else name
    return None


def what_is_there(context: str) -> str:
    """What a condition can ask about where it stands, in words."""
    subjects = [name for name, (_, where, _) in SUBJECTS.items() if context in where]
    lists = [name for name, fact in LISTS.items() if context in fact.where]
    return in_words([*subjects, *lists])


def facts_called(name: str) -> list[tuple[str, str]]:
    """The facts that a name may stand for, with what they say.

    One behind a dot alone is of whatever is in a list, which its name does not say.
    """
    subject, dot, last = name.rpartition(".")
    tables: Iterable[Mapping[str, Fact]] = ELEMENTS.values() if dot else (LISTS,)
    if subject:
        tables = (SUBJECTS[subject][0],) if subject in SUBJECTS else ()
    return [(name, table[last].about) for table in tables if last in table]
