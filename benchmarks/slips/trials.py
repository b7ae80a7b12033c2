"""Slips tried: a game, a view, one slip or more; what an audit tells of it, and whether that is right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import permutations
from random import Random
from typing import Final

from benchmarks.slips import in_hands, in_turns
from benchmarks.slips.kinds import Kind, put_in
from benchmarks.slips.sheets import VIEWS, Entry, Table, game, seen, write
from meldref.core.diagnostics import Finding, errors_in
from meldref_evidence.audit import audit_text

TABLES: Final = (
    Table("500-rummy", ("greedy", "greedy")),
    Table("500-rummy", ("greedy", "random", "greedy")),
    Table("500-rummy", ("greedy",) * 4, ("floating",)),
    Table("500-rummy", ("greedy", "greedy", "random", "greedy", "greedy")),
    Table("500-rummy", ("greedy", "greedy", "random"), ("reshuffle-stock", "no-calls")),
    Table("500-rum", ("greedy", "greedy", "greedy")),
    Table(
        "500-rum", ("greedy", "random", "greedy", "greedy"), ("low-cards-5", "discard-to-go-out")
    ),
    Table("gilfoy-500-rummy", ("greedy", "random")),
    Table("michigan-rum", ("greedy", "greedy", "random", "greedy")),
    Table("persian-rummy", ("greedy",) * 4),
    Table("5000-rummy", ("greedy",) * 3),
    Table("contract-rummy", ("greedy", "greedy", "random")),
    Table("contract-rummy", ("greedy",) * 4),
    Table("kalooki-40", ("greedy", "greedy", "greedy")),
    Table("kalooki-40", ("greedy",) * 5),
)
KINDS: Final = {
    kind.name: kind
    for module in (in_turns, in_hands)
    for kind in vars(module).values()
    if isinstance(kind, Kind)
}
GAMES: Final = 2
"""How many games of each table are played."""
TRIES: Final = 200
"""How often a log with room for a slip that can be seen is looked for."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One spoilt log: its slips, what was found, whether each is told once at its place, and named.

    `hidden` is how many slips were passed over before, since nothing in the cards shown contradicts
    them.
    """

    kinds: tuple[str, ...]
    table: Table
    view: str
    text: str
    findings: tuple[Finding, ...]
    once: bool
    named: bool
    hidden: int = 0


def trial(names: Sequence[str], number: int, seed: int) -> Trial | None:
    """The log of that number with slips of these kinds in a hand; None where no game has room for them."""
    dice = Random(f"{seed} {' '.join(names)} {number}")
    kinds = [KINDS[name] for name in names]
    hidden = 0
    for attempt in range(TRIES):
        table = TABLES[(number * 7 + attempt) % len(TABLES)]
        view = VIEWS[(number + attempt // len(TABLES)) % len(VIEWS)]
        log = seen(game(table, seed * GAMES + dice.randrange(GAMES)), view)
        spoilt = with_slips(log, kinds, dice)
        if spoilt is None:
            continue
        text, found = audited(spoilt)
        must_show = view == VIEWS[0] and not any(kind.may_be_legal for kind in kinds)
        if not must_show and not _each_shows(spoilt, found, kinds):
            hidden += 1
            continue
        once, named = judged(spoilt, found, kinds)
        return Trial(tuple(names), table, view, text, tuple(found), once, named, hidden)
    return None


def with_slips(log: list[Entry], kinds: Sequence[Kind], dice: Random) -> list[Entry] | None:
    """The log with a slip of each kind, all in one hand; None where there is no room."""
    spoilt = log
    hand = dice.randint(1, log[-1].hand) if len(kinds) > 1 else None
    for slip, kind in enumerate(kinds):
        places = [at for at, entry in enumerate(spoilt) if hand is None or entry.hand == hand]
        dice.shuffle(places)
        for index in places:
            change = kind.make(spoilt, index, dice)
            if change is None or any(
                entry.slips for entry in spoilt[max(0, change.start - 1) : index + 4]
            ):
                continue
            spoilt = put_in(spoilt, change, slip, rewrite=bool(dice.randrange(2)))
            break
        else:
            return None
    return spoilt


def audited(log: Iterable[Entry]) -> tuple[str, list[Finding]]:
    """A log as text, and the errors found in it."""
    text = write([entry.event for entry in log])
    return text, errors_in(audit_text(text).findings)


def judged(
    log: Sequence[Entry], found: Sequence[Finding], kinds: Sequence[Kind]
) -> tuple[bool, bool]:
    """Whether each slip has exactly one finding, at its place, and whether these findings name them."""
    places = [_place(log, slip, kind) for slip, kind in enumerate(kinds)]
    if len(found) != len(kinds):
        return False, False
    for order in permutations(range(len(kinds))):
        pairs = [(finding, slip) for finding, slip in zip(found, order, strict=True)]
        if all(finding.span.line in places[slip] for finding, slip in pairs):
            names = [_names(log, finding, slip, kinds[slip]) for finding, slip in pairs]
            return True, all(names)
    return False, False


def _touched(log: Sequence[Entry], slip: int) -> list[int]:
    """The numbers of the lines that a slip touches."""
    return [number for number, entry in enumerate(log, 1) if slip in entry.slips]


def _place(log: Sequence[Entry], slip: int, kind: Kind) -> set[int]:
    """Where a slip may be told: at its lines or, where it may show later, up to the end of its hand or game."""
    touched = _touched(log, slip)
    if not kind.late:
        return set(touched)
    hand = max(log[number - 1].hand for number in touched)
    ends = (
        number
        for number, entry in enumerate(log, 1)
        if kind.whole_game or entry.hand <= max(hand, 1)
    )
    return set(range(touched[0], max(ends) + 1))


def _names(log: Sequence[Entry], finding: Finding, slip: int, kind: Kind) -> bool:
    """Whether a finding says what was written wrongly: by its code at that line, or by a repair of that line."""
    touched = _touched(log, slip)
    repair = getattr(finding, "repair", None)
    if repair is not None and repair.line in touched:
        return True
    by_code = any(f"{finding.code}.".startswith(f"{code}.") for code in kind.codes)
    return by_code and finding.span.line in touched


def _each_shows(log: Sequence[Entry], found: Sequence[Finding], kinds: Sequence[Kind]) -> bool:
    """Whether something is found at the place of every slip, if perhaps too much."""
    return all(
        any(finding.span.line in _place(log, slip, kind) for finding in found)
        for slip, kind in enumerate(kinds)
    )
