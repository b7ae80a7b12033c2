"""Where examples are made: melds from the solver, small scenes, and the judge.

All of it is in a fixed order, so that one ruleset has one set of examples.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from meldref.answers.legal import judge_move
from meldref.core.cards import (
    ACE,
    ANY_SUIT,
    JOKER,
    NATURALS,
    RANKS,
    Card,
    Played,
    rank_of,
    suit_of,
)
from meldref.core.diagnostics import Span
from meldref.core.records import fresh, record
from meldref.documents.reader import Value
from meldref.melds import Fault, MeldIndex, Reading, meld_index, solver
from meldref.melds.kinds import Pattern
from meldref.positions.build import Built, build_position
from meldref.replay.play_moves import play_moves
from meldref.rules.points import Worth
from meldref.ruleset.changes import with_wild_values
from meldref.ruleset.model import Kind, Ruleset, jokers_for
from meldref_authoring.rulebook.examples.scene import Play, Row, Scene, played, plays_of, text_of
from meldref_authoring.rulebook.model import CardExample
from meldref_authoring.rulebook.words import tables

_NAMES: Final = ("A", "B", "C", "D", "E", "F", "G", "H")
_MOST: Final = 400
"""Melds looked at before the best one is taken: more do not read better."""
TRIES: Final = 6
"""How many melds are tried before an example is given up."""
_SIZES: Final = 3
"""How many sizes above the least are tried."""
_FIRST: Final = (18 + 13, 8 + 39, 7, 12 + 13, 3 + 26, 10, None)
"""Cards that examples are built around, where they can be; last around none."""


class NothingFits(Exception):
    """The deck has no card that an example needs, so there is no such example."""


@record
class Bench:
    """A ruleset at a table, and the wild rank named there, where one has to be."""

    ruleset: Ruleset
    players: int
    book: MeldIndex
    wild_rank: int | None
    memory: dict[tuple[Kind, int, Card | None], list[tuple[Card, ...]]] = fresh(
        default_factory=dict
    )
    """Melds found before: most examples are built around the same few."""

    # --- melds ------------------------------------------------------------------------------------

    def pattern(self, kind: Kind) -> Pattern:
        """A kind of meld for this deck."""
        packs = self.ruleset.deck.packs[self.players]
        return Pattern(kind, packs, jokers_for(self.ruleset, self.players))

    def melds(
        self, kind: Kind, size: int | None = None, having: Card | None = None
    ) -> list[tuple[Card, ...]]:
        """Melds of natural cards that the solver finds, around a given card, the plainest first."""
        size = size or max(kind.min_size, 1)
        key = kind, size, having
        if key not in self.memory:
            pattern = self.pattern(kind)
            melds: list[tuple[Card, ...]] = []
            if size in pattern.sizes:
                about = () if having is None else (having,)
                solved = islice(solver.melds(pattern, size, about), _MOST)
                melds = [meld for meld in solved if self.reads(meld, kind)]
            self.memory[key] = sorted(melds, key=_plainness)
        return self.memory[key]

    def reads(self, meld: Sequence[Card], kind: Kind) -> bool:
        """Whether cards that are not wild are a meld, and of this kind."""
        if any(self.book.is_wild(card) for card in meld):
            return False
        reading = self.book.read(played(meld))
        return isinstance(reading, Reading) and reading.shape.kind == kind.name

    def usual(self, turn: int = 0) -> Iterator[tuple[Kind, tuple[Card, ...]]]:
        """Plain small melds of every kind, of two cards at least.

        They begin with another card for each `turn`.
        """
        kinds = self.ruleset.melds.kinds
        for more in range(_SIZES):
            for place in range(len(_FIRST)):
                having = _FIRST[(place + turn) % len(_FIRST)]
                for kind in kinds:
                    size = kind.min_size + more
                    if size > 1:
                        for meld in self.melds(kind, size, having)[:2]:
                            yield kind, meld

    def wild_card(self) -> Card | None:
        """A card that is wild here."""
        wild = [card for card in self.book.wilds.cards if self.ruleset.copies(card, self.players)]
        return JOKER if JOKER in wild else min(wild, default=None)

    def growth(self, meld: Sequence[Card]) -> list[Card]:
        """The natural cards that extend a meld, the nearest first."""
        reading = self.book.read(played(meld))
        if not isinstance(reading, Reading):
            return []
        cards: list[Card] = []
        for card in reading.shape.growth:
            if card in NATURALS and not self.book.is_wild(card):
                copies = self.ruleset.copies(card, self.players)
                if list(meld).count(card) < copies:
                    cards.append(card)
        return sorted(cards, key=lambda card: (rank_of(card) == ACE, -rank_of(card), card))

    def others(self, used: Iterable[Card], near: Card | None = None) -> Iterator[Card]:
        """Cards that are not used and not wild.

        Those like another one first, or else those unlike.
        """
        taken = set(used)
        free = [card for card in NATURALS if card not in taken and not self.book.is_wild(card)]
        if near is None:
            yield from sorted(free, key=lambda card: _oddness(card, taken))
        else:
            yield from sorted(free, key=lambda card: _likeness(card, near))

    def other(self, used: Iterable[Card], near: Card | None = None) -> Card:
        """The first of those cards; `NothingFits` if there is none."""
        for card in self.others(used, near):
            return card
        raise NothingFits

    def lone(self, used: Iterable[Card], wanted: int) -> tuple[Card, ...]:
        """Cards that have nothing to do with those used, nor with each other.

        `NothingFits` where too few do.
        """
        cards: list[Card] = []
        while len(cards) < wanted:
            cards.append(self.other((*used, *cards)))
        return tuple(cards)

    def own(self, used: Iterable[Card]) -> tuple[Card, ...]:
        """A meld for A that fits none of the cards used, if a first meld has conditions."""
        if not self.ruleset.melds.first_points and self.ruleset.melds.contract is None:
            return ()
        for _kind, meld in self.usual(3):
            if not {*meld, *self.growth(meld)} & {*used}:
                return meld
        raise NothingFits

    def growing(self, turn: int = 0) -> Iterator[tuple[tuple[Card, ...], Card]]:
        """Melds that can be laid off on, with a card that fits."""
        if self.ruleset.layoff.onto == "nothing":
            return
        for _kind, meld in islice(self.usual(turn), 4 * TRIES):
            for card in self.growth(meld)[:1]:
                yield meld, card

    # --- the judge --------------------------------------------------------------------------------

    def build(self, scene: Scene, hand: int | None = None, *, alone: bool = False) -> Built | None:
        """The scene as a position that can be played on.

        `alone`: the others hold no cards, not unknown ones.
        """
        names = _NAMES[: self.players]
        hands: dict[str, Value] = dict.fromkeys(names, "") if alone else {}
        hands[scene.mover] = text_of(scene.hand)
        table: dict[str, Value] = {}
        for number, (owner, meld) in enumerate(scene.table, 1):
            table[f"m{number}"] = {owner: text_of(meld)}
        value: dict[str, Value] = {
            "players": list(names),
            "hands": hands,
            "to_move": scene.mover,
            "pile": text_of(scene.pile),
            "table": table,
            "floating": [scene.mover] if scene.floats else [],
        }
        if self.wild_rank is not None:
            value["wild"] = RANKS[self.wild_rank]
        if hand is not None:
            value["hand"] = hand
        built, _ = build_position(value, self.ruleset, lambda _: Span(1))
        return built

    def codes(self, play: Play, hand: int | None = None) -> tuple[str, ...] | None:
        """What the judge finds in a play, in the hand of that number; None if it cannot tell."""
        built = self.build(play.scene, hand)
        outcome = None if built is None else play_moves(built, play.moves)
        if outcome is None or outcome.undecided:
            return None
        return tuple(finding.code for finding in outcome.findings)

    def show(self, name: str, **parts: Row) -> Iterator[CardExample]:
        """The named example, if one play is legal in every hand and the other only illegal."""
        layoff = self.ruleset.layoff
        others = layoff.onto == "any" and layoff.before_melding == "allowed"
        good, codes, bad = plays_of(name, {"could": "would", **parts}, others=others)
        hands = (None, *[hand.first for hand in self.ruleset.hands])
        if any(self.codes(good, hand) != () for hand in hands):
            return
        violations = self.codes(bad)
        if violations and all(code.startswith(codes) for code in violations):
            if self._leads_nowhere(bad):
                *_, bad = plays_of(name, {"could": "could", **parts}, others=others)
            yield CardExample(good.scene.in_words(), good.words, (bad.words,))

    def _leads_nowhere(self, play: Play) -> bool:
        """Whether no turn that begins with the draw of this play can be ended."""
        built = self.build(play.scene)
        if built is None:
            return False
        draw = play.moves[0].partition(";")[0]
        codes = [finding.code for finding in judge_move(built, draw).findings]
        return codes == ["out.stuck"]

    def fault(self, cards: Sequence[Card | Played]) -> str | None:
        """Why cards are no meld, as a code; None if they are one."""
        reading = self.book.read(played(cards))
        return reading.code if isinstance(reading, Fault) else None

    def is_banned(self, cards: Sequence[Card | Played]) -> bool:
        """Whether a house rule forbids to lay cards that are a meld, as a player's first one."""
        meld = played(cards)
        built = self.build(Scene(tuple([Played(one.card) for one in meld])))
        if built is None:
            return False
        findings = judge_move(built, f"draw; meld {text_of(meld)}").findings
        return any(finding.code.startswith("house.") for finding in findings)

    def worths(self) -> Worth:
        """What cards are worth here, wild ones among them."""
        return Worth(with_wild_values(self.ruleset, self.wild_rank))

    def worth(self, cards: Sequence[Card | Played]) -> int | None:
        """What a new meld counts; None if cards are none."""
        reading = self.book.read(played(cards))
        return self.worths().new_meld(reading.laid) if isinstance(reading, Reading) else None


def benches(ruleset: Ruleset) -> tuple[Bench, Bench]:
    """A table of the fewest players, and the smallest one with the most packs."""
    sizes = tables(ruleset)
    most = max(sizes, key=lambda players: (ruleset.deck.packs[players], -players))
    rank = RANKS.index("T") if "named" in ruleset.melds.wild.cards else None
    small = Bench(ruleset, sizes[0], meld_index(ruleset, sizes[0], rank), rank)
    large = Bench(ruleset, most, meld_index(ruleset, most, rank), rank)
    return small, large


def standing(bench: Bench, kind: Kind, wild: Card, card: Card) -> Played:
    """A wild card that stands for a card in a meld of a kind."""
    leaves_open = bench.ruleset.melds.wild.suit_in_group == "open"
    if leaves_open and bench.pattern(kind).leaves_suits_open:
        return Played(wild, ANY_SUIT + rank_of(card))
    return Played(wild, card)


def _plainness(meld: tuple[Card, ...]) -> tuple[object, ...]:
    """What sorts melds: few aces, ranks in the middle, few suits."""
    middle = sum(abs(2 * rank_of(card) - 11) for card in meld if card != JOKER)
    return (sum(rank_of(card) == ACE for card in meld), middle, meld)


def _likeness(card: Card, near: Card) -> tuple[int, int, int]:
    """A sort key by similarity to a card: neighbours in its suit first, then its rank."""
    apart = abs(rank_of(card) - rank_of(near))
    if suit_of(card) == suit_of(near):
        return (apart, 0, card)
    return (apart + 1, suit_of(card), card)


def _oddness(card: Card, taken: Iterable[Card]) -> tuple[int, int, int]:
    """A sort key for cards unlike all others used: no ace, and far from them."""
    near = 0
    for other in taken:
        if other != JOKER:
            apart = abs(rank_of(card) - rank_of(other))
            near += apart == 0 or (suit_of(card) == suit_of(other) and apart < 4)
    # The last part puts cards that are equally odd into an order that looks like none.
    return (rank_of(card) == ACE, near, (card * 29) % 53)
