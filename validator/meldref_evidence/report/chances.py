"""The chances that a move is legal, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Literal, TypeAlias

from meldref.core.cards import UNKNOWN, cards_text
from meldref.core.records import NamedTuple
from meldref.core.text import in_words, many
from meldref.positions.build import Built
from meldref.report.json import Data, facts
from meldref.report.position_file import position_text
from meldref_evidence.chances import Chances, Weighed

Form: TypeAlias = Literal["options", "keys", "words"]
"""How cards are written: as options of `legal`, as keys of a position file, or in words."""

_ANY: Final = "any cards"


class _Cards(NamedTuple):
    """What was unknown of a player's hand, the top of the stock and the pile; empty if nothing was.

    `stock` is that with as many unknown cards as lie below it.
    """

    player: str
    hand: str
    top: str
    stock: str
    pile: str


def weighed_text(weighed: Weighed, asked: Built, form: Form, *, counted: bool) -> Iterator[str]:
    """A deal in which a move is legal, one in which it is not, and if `counted`, their numbers.

    `asked` is the position that was asked about, `form` how what was unknown in it is written.
    """
    if weighed.judgement.verdict == "open":
        for verdict, witness in (("legal", weighed.legal), ("illegal", weighed.illegal)):
            if witness is not None:
                yield f"  = {verdict} with {_witness(asked, witness, weighed, form)}"
    if not counted:
        return
    if weighed.chances is not None:
        yield f"  = chances: {chances_text(weighed.chances)}"
    elif weighed.unknown:
        yield f"  = {weighed.unknown}"


def chances_text(chances: Chances) -> str:
    """In how many deals the move is legal, with the share, and how far that is to be trusted."""
    counted = f"legal in {chances.legal:,} of {many(chances.deals, 'deal')}"
    undecided = f", undecided in {chances.open:,}" if chances.open else ""
    if chances.exact:
        return f"{counted} ({chances.share:.1%}){undecided}"
    low, high = chances.interval
    return (
        f"{counted} drawn by lot ({chances.share:.1%}; {low:.1%} to {high:.1%} with 95 % "
        f"confidence; --seed {chances.seed}){undecided}"
    )


def _witness(asked: Built, witness: Built, weighed: Weighed, form: Form) -> str:
    """The cards of a deal that were unknown: a hand, cards drawn, and the pile."""
    before, dealt = asked.position, witness.position
    if asked.begun is not None and not asked.rewound:
        if witness.begun is not None:
            before, dealt = asked.begun[0], witness.begun[0]
        else:
            form = "words"  # it can be said how this stands now, and not where it was asked from
    seat, size = weighed.seat, before.stock_size
    drawn = max(0, size - weighed.judgement.after.position.stock_size)
    known, tops = ([*reversed(at.stock)][:drawn] for at in (before, dealt))
    top = cards_text(tops) if len(known) < drawn or UNKNOWN in known else ""
    rest = f" ?*{size - len(tops)}" if size > len(tops) else ""
    cards = _Cards(
        dealt.players[seat],
        hand=dealt.hand_text(seat) if before.unknown[seat] else "",
        top=top,
        stock=top and top + rest,
        pile=cards_text(dealt.pile) if UNKNOWN in before.pile else "",
    )
    if form == "options":
        return _as_options(cards, before.players[before.turn.seat]) or _ANY
    return (_as_keys(cards) if form == "keys" else _in_words(cards)) or _ANY


def _as_options(cards: _Cards, mover: str) -> str:
    """Cards as options of `legal`, which have the hand of the player to move without a name."""
    whose = "" if cards.player == mover else f"{cards.player}: "
    texts = {"hand": cards.hand and whose + cards.hand, "stock": cards.stock, "pile": cards.pile}
    return " ".join(f'--{option} "{text}"' for option, text in texts.items() if text)


def _as_keys(cards: _Cards) -> str:
    """Cards as a position file says them."""
    hands = cards.hand and {cards.player: cards.hand}
    keys = {"hands": hands, "stock": cards.stock, "pile": cards.pile}
    return ", ".join(position_text({key: said for key, said in keys.items() if said}))


def _in_words(cards: _Cards) -> str:
    """Cards in words, behind `with`."""
    hand = f"{cards.player} holding {cards.hand}" if cards.hand else ""
    stock = f"{cards.top} on top of the stock" if cards.top else ""
    pile = f"the pile {cards.pile}" if cards.pile else ""
    return in_words([*filter(None, (hand, stock, pile))])


def chances_data(chances: Chances) -> dict[str, Data]:
    """The chances of a move for programs: numbers of deals, and the share in which it is legal."""
    return {
        **facts(chances, "deals", "legal", "illegal", "open", "exact", "share"),
        "interval": list(chances.interval),
        "seed": chances.seed,
    }
