"""What a kind of meld demands, in the ruleset's own words, each stated once.

A named constraint is a small function over the roles of a meld's cards and a scope that says which
of them it looks at. `Pattern` puts a kind's constraints together for one deck: it lists the domains
the solver searches (ranks and suits first, so that little is left to search), and checks complete
melds by the same functions.

Roles stand in run order where ranks are consecutive, else in ascending order.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Final, Literal, TypeAlias

from meldref.core.cards import ACE, JOKER, RANKS, Role, natural
from meldref.core.records import NamedTuple, derived, record
from meldref.ruleset.model import Kind

Roles: TypeAlias = tuple[Role, ...]
Domains: TypeAlias = tuple[Roles, ...]
"""For each place of a meld, the roles that may stand there."""

AcePlace: TypeAlias = int
"""Where an ace lies: below the two of a run, above its king, between the two, or in no run."""

UNPLACED: Final = 0
LOW: Final = 1
HIGH: Final = 2
AROUND: Final = 3

Scope: TypeAlias = Literal["first", "next", "pair", "all"]


class NamedConstraint(NamedTuple):
    """A constraint: what it means, which roles it looks at, and the test.

    The scope `first` gives the test every role beside the first, `next` every two neighbours,
    `pair` every two, `all` the whole tuple. `of_parts`: what it demands of a meld it demands of
    each part of it.
    """

    meaning: str
    scope: Scope
    test: Callable[..., bool]
    of_parts: bool = True


def is_red(role: Role) -> bool:
    """Whether a natural card is red."""
    return role // 13 in {1, 2}


NAMED: Final[Mapping[str, NamedConstraint]] = {
    "same_rank": NamedConstraint("all cards have one rank", "first", lambda a, b: a % 13 == b % 13),
    "same_suit": NamedConstraint(
        "all cards have one suit", "first", lambda a, b: a // 13 == b // 13
    ),
    "same_colour": NamedConstraint(
        "all cards are red, or all black", "first", lambda a, b: is_red(a) == is_red(b)
    ),
    "distinct_suits": NamedConstraint(
        "no two cards have the same suit", "pair", lambda a, b: a // 13 != b // 13
    ),
    "distinct_ranks": NamedConstraint(
        "no two cards have the same rank", "pair", lambda a, b: a % 13 != b % 13
    ),
    "consecutive_ranks": NamedConstraint(
        "the ranks follow each other", "next", lambda a, b: (b - a) % 13 == 1, of_parts=False
    ),
    "alternating_colours": NamedConstraint(
        "red and black take turns", "next", lambda a, b: is_red(a) != is_red(b), of_parts=False
    ),
}
"""The constraints a ruleset can name; P-GRP-01, -02 and P-SEQ-01 in their words.

Where no order of ranks says which card is next to which, red and black can take turns if neither
colour has two cards more than the other.
"""

EXCLUSIVE: Final = (
    {"same_rank", "distinct_ranks"},
    {"same_rank", "consecutive_ranks"},
    {"same_suit", "distinct_suits"},
    {"same_suit", "alternating_colours"},
    {"same_colour", "alternating_colours"},
)
"""Constraints of which no two cards meet both."""

_UNORDERED_COLOURS: Final = NamedConstraint(
    "red and black take turns",
    "all",
    lambda roles: abs(2 * sum(map(is_red, roles)) - len(roles)) <= 1,
    of_parts=False,
)


def obeys(named: NamedConstraint, roles: Roles) -> bool:
    """Whether the roles of a meld satisfy one constraint."""
    test = named.test
    match named.scope:
        case "first":
            return all(test(roles[0], role) for role in roles)
        case "next":
            return all(test(a, b) for a, b in pairwise(roles))
        case "pair":
            return all(test(a, b) for a, b in combinations(roles, 2))
        case "all":
            return bool(test(roles))


@record
class Pattern:
    """A kind of meld for a deck: how many packs it has, and how many jokers in all."""

    kind: Kind
    packs: int = 1
    jokers: int = 0
    is_run: bool = derived(lambda pattern: pattern.kind.is_run)
    """Whether its cards have an order: that of their ranks."""
    leaves_suits_open: bool = derived(lambda pattern: "same_rank" in pattern.kind.require)
    """Whether a wild card in it need not stand for one suit (P-JOK-09)."""
    sizes: range = derived(lambda pattern: pattern.possible_sizes())
    """The sizes it can have, as far as its constraints and the suits and ranks there are allow."""
    constraints: tuple[NamedConstraint, ...] = derived(lambda pattern: tuple(pattern.stated()))
    """All that it demands of its roles together; which roles there are is a matter of domains."""

    @property
    def takes_plain_jokers(self) -> bool:
        """Whether a joker can be in it as itself: it has no rank, suit or colour (W-PER-06)."""
        return not self.kind.require and (self.kind.only is None or "joker" in self.kind.only)

    def possible_sizes(self) -> range:
        """See `sizes`."""
        most = self.kind.max_size
        if any(pair <= set(self.kind.require) for pair in EXCLUSIVE):
            most = min(most, 1)
        if "distinct_suits" in self.kind.require:
            most = min(most, 4)
        if self.is_run or "distinct_ranks" in self.kind.require:
            most = min(most, 13)
        most = min(most, 52 * self.packs + self.jokers)
        return range(max(self.kind.min_size, 1), most + 1)

    def copies(self, role: Role) -> int:
        """How many cards of the deck a role has: there is no more of it in one meld (P-JOK-12)."""
        return self.jokers if role == JOKER else self.packs

    @property
    def most_of_a_rank(self) -> int:
        """How many cards of a rank that can stand beside each other the deck has."""
        return self.packs * max(map(len, self._suits()))

    def stated(self) -> Iterator[NamedConstraint]:
        """What `constraints` keeps, one after the other."""
        require = self.kind.require
        for name in require:
            if name == "alternating_colours" and not self.is_run:
                yield _UNORDERED_COLOURS
            else:
                yield NAMED[name]
        if self.is_run:
            yield NamedConstraint(
                "an ace has its place", "all", self._aces_in_place, of_parts=False
            )
        elif "distinct_suits" not in require and "distinct_ranks" not in require:
            yield NamedConstraint("no more copies than the deck has", "all", self._copies_exist)

    def _may_be(self, role: Role) -> bool:
        if role == JOKER:
            return self.takes_plain_jokers
        return self.kind.only is None or RANKS[role % 13] in self.kind.only

    def _copies_exist(self, roles: Roles) -> bool:
        return all(roles.count(role) <= self.copies(role) for role in set(roles))

    def _aces_in_place(self, roles: Roles) -> bool:
        place = next((place for place, role in enumerate(roles) if role % 13 == ACE), None)
        return len(roles) <= 13 and self._ace_may_be(place, len(roles))

    def _ace_may_be(self, place: int | None, size: int) -> bool:
        """Whether a run of this size may have its ace there (P-SEQ-03, -06, W-MELD-05, G-MELD-05).

        In a run of all thirteen, the ace is at one end even where runs go round the corner.
        """
        ace = self.kind.ace
        if place is None:
            return True
        if (place == 0 and "low" in ace) or (place == size - 1 and "high" in ace):
            return True
        return "around" in ace and (size < 13 or place in {0, size - 1})

    def ace_place(self, roles: Roles) -> AcePlace:
        """Where the ace of a run lies; there is at most one (P-VAL-05, -07).

        A whole suit that goes round the corner has neither a lowest place nor a highest.

        >>> run = Pattern(Kind("run", 3, 13, ("same_suit", "consecutive_ranks"), ace=("high",)))
        >>> run.ace_place((natural(11, 1), natural(12, 1), natural(0, 1))) == HIGH
        True
        """
        if not self.is_run:
            return UNPLACED
        if "around" in self.kind.ace and len(roles) == 13:
            return AROUND
        if roles[0] % 13 == ACE:
            return LOW
        if roles[-1] % 13 == ACE:
            return HIGH
        if "around" in self.kind.ace and ACE in [role % 13 for role in roles]:
            return AROUND
        return UNPLACED

    def obeyed_by(self, roles: Roles) -> bool:
        """Whether these roles, in this order, are a meld of this kind and of a size it may have."""
        return (
            len(roles) in self.sizes
            and all(map(self._may_be, roles))
            and all(obeys(named, roles) for named in self.constraints)
        )

    def arranged(self, roles: Sequence[Role]) -> tuple[Roles, ...]:
        """The orders in which these roles are a meld of this kind: up to two, for a run of 13.

        >>> run = Pattern(Kind("run", 3, 13, ("same_suit", "consecutive_ranks"), ace=("high",)))
        >>> king, ace, queen = natural(12, suit=1), natural(0, suit=1), natural(11, suit=1)
        >>> run.arranged([king, ace, queen]) == ((queen, king, ace),)
        True
        """
        return tuple(order for order in self._orders(roles) if self.obeyed_by(order))

    def _orders(self, roles: Sequence[Role]) -> Iterator[Roles]:
        if not self.is_run:
            yield tuple(sorted(roles))
            return
        ranks = {role % 13 for role in roles}
        starts = [rank for rank in ranks if (rank - 1) % 13 not in ranks]
        if len(ranks) == 13:
            starts = [ACE, ACE + 1]
        for start in starts:
            yield tuple(sorted(roles, key=lambda role: (role - start) % 13))

    def frames(self, size: int, wanted: Roles = ()) -> Iterator[Domains]:
        """The domains of all melds of a size with the wanted roles; no meld is in two of them.

        In a run, domains are in its order. Else the wanted roles come first and the free places
        after them are interchangeable.
        """
        if size not in self.sizes or len(wanted) > size or not self._may_be_together(wanted):
            return
        suit_groups = self._suits()
        if wanted and len(suit_groups) > 1:
            suit_groups = tuple(suits for suits in suit_groups if wanted[0] // 13 in suits)
        fixed = tuple((role,) for role in wanted)
        for suits in suit_groups:
            if self.is_run:
                yield from self._windows(size, wanted, suits)
                continue
            for ranks in self._rank_groups(wanted):
                free = tuple(natural(rank, suit) for suit in suits for rank in ranks)
                if self.takes_plain_jokers:
                    free = (*free, JOKER)
                if free:
                    yield (*fixed, *([free] * (size - len(wanted))))

    def _suits(self) -> tuple[tuple[int, ...], ...]:
        """The suits that can stand beside each other."""
        if "same_suit" in self.kind.require:
            return (0,), (1,), (2,), (3,)
        if "same_colour" in self.kind.require:
            return (0, 3), (1, 2)
        return ((0, 1, 2, 3),)

    def _ranks(self) -> list[int]:
        only = self.kind.only
        return [rank for rank in range(13) if only is None or RANKS[rank] in only]

    def _rank_groups(self, wanted: Roles) -> list[list[int]]:
        """The ranks that can stand beside each other if there is no order."""
        if "same_rank" not in self.kind.require:
            return [self._ranks()]
        if wanted:
            return [[wanted[0] % 13]]
        return [[rank] for rank in self._ranks()]

    def _windows(self, size: int, wanted: Roles, suits: tuple[int, ...]) -> Iterator[Domains]:
        fixed = {role % 13: (role,) for role in wanted}
        free = {rank: tuple(natural(rank, suit) for suit in suits) for rank in range(13)}
        domains = {**free, **fixed}
        for window in self._runs(size):
            if fixed.keys() <= set(window):
                yield tuple(domains[rank] for rank in window)

    def _runs(self, size: int) -> Iterator[list[int]]:
        """The ranks of each run of a size; a run of all thirteen begins with its ace or its two."""
        ranks = {*self._ranks()}
        for start in range(13 if size < 13 else 2):
            window = [(start + place) % 13 for place in range(size)]
            ace = window.index(ACE) if ACE in window else None
            if self._ace_may_be(ace, size) and ranks.issuperset(window):
                yield window

    def _may_be_together(self, wanted: Roles) -> bool:
        """Whether these roles can be in one meld, by the constraints on at most two roles."""
        if not wanted:
            return True
        if self.is_run and len({role % 13 for role in wanted}) < len(wanted):
            return False
        return all(map(self._may_be, wanted)) and all(
            obeys(named, wanted) for named in self.constraints if named.of_parts
        )

    def bound(self, most: int) -> int:
        """At least as many as there are natural melds of this kind.

        Any number above `most` once it is that.
        """
        total = 0
        for size in self.sizes:
            if self.is_run:
                of_each = sum([len(suits) ** size for suits in self._suits()])
                total += of_each * len(list(self._runs(size)))
            else:
                total += sum([self._sets(domains[0], size) for domains in self.frames(size)])
            if total > most:
                return total
        return total

    def _sets(self, roles: Roles, size: int) -> int:
        """How many sets of so many cards of these roles the deck has."""
        # `sets[n]` counts the sets of n cards of the roles looked at.
        sets = [1] + [0] * size
        for role in roles:
            copies = self.copies(role)
            sets = [sum(sets[max(0, n - copies) : n + 1]) for n in range(size + 1)]
        return sets[size]
