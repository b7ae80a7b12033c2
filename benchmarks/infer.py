"""Finds rules from simulated logs with mistakes, and counts how much of them is found, by the number of hands.

`python -m benchmarks.infer [--seed N] [--trials N] [--hands N...] [--page PAGE]`. Each trial takes a shipped game, an
option and two settings by lot, plays hands by them, spoils one turn in fifty, and finds the rules.
A part counts as decidable if the logs, before they were spoilt, have findings without it.
"""

from __future__ import annotations

import argparse
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from time import process_time
from typing import Final

from benchmarks.measure import put
from meldref.core.cards import NATURALS
from meldref.core.events import Discard, Event, Header, Line, Turn
from meldref.core.records import changed
from meldref.ruleset.model import Ruleset
from meldref_authoring.rulefiles.show import merged_values
from meldref_evidence.inferring.corpus import Corpus, PlayedLog, log_of
from meldref_evidence.inferring.draft import Draft, options, same_rules
from meldref_evidence.inferring.infer import infer_rules
from meldref_evidence.inferring.judging import Bench
from meldref_table.simulate import Seats, play_hands

GAMES: Final = ("500-rummy", "500-rum", "michigan-rum", "gilfoy-500-rummy", "persian-rummy")
SETTINGS: Final = (
    ("out.bonus", "25"),
    ("scoring.values.A", "20"),
    ("scoring.values.2-9", "5"),
    ("scoring.values.T-K", "15"),
    ("draw.deep.must", "nothing"),
    ("draw.deep.when", "this_turn"),
    ("discard.taken_top", "allowed"),
    ("deal.cards", "9"),
    ("deal.next_dealer", "same"),
    ("melds.kinds.group.size", "2-4"),
    ("scoring.hands", "ignore"),
    ("out.melding_all", "forbidden"),
)
HANDS: Final = (5, 20, 100)
ONE_IN: Final = 50
"""One turn in so many is spoilt."""
PLAYERS: Final = (2, 3, 4)
_TABLES: Final = ("scoring.values", "deal.cards", "deck.packs", "players.")
"""Keys that are compared card by card, for the tables that play, or not at all."""


def main() -> int:
    """Play, spoil, find, count, write."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--trials", type=int, default=10)
    parser.add_argument("--hands", type=int, nargs="+", default=HANDS)
    parser.add_argument("--page", type=Path, help="the page whose table is replaced")
    arguments = parser.parse_args()
    counted: dict[int, Counter[str]] = {hands: Counter() for hands in arguments.hands}
    for seed in range(arguments.seed, arguments.seed + arguments.trials):
        for hands, counts in counted.items():
            counts.update(trial(seed, hands))
    text = "\n".join(_table(counted))
    print(text)
    if arguments.page:
        put(arguments.page, "infer", text)
    return 0


def trial(seed: int, hands: int) -> Counter[str]:
    """What came of one trial: parts, decidable ones, ones that were found, wrong parts, seconds."""
    rng = Random(seed)
    true = _drawn(rng)
    logs = [_played(true, f"{number:03}.rgn", seed * 1000 + number, rng) for number in range(hands)]
    bench = Bench(logs)
    decidable = [part for part in true.parts if _shows(true, part, bench)]
    spoilt = Corpus(tuple(_spoilt(log, rng) for log in logs))
    before = process_time()
    found = infer_rules(spoilt).draft
    seconds = process_time() - before
    got = sum(_has(found, true, part) for part in decidable)
    wrong = sum(not _has(true, found, part) for part in found.parts)
    print(
        f"{seed} {hands}: {true} -> {found}: {got} of {len(decidable)}, {wrong} wrong",
        file=sys.stderr,
    )
    return Counter(
        trials=1, parts=len(true.parts), decidable=len(decidable), got=got, wrong=wrong,
        mistakes=_clean(found, bench), logs=hands, tenths=round(10 * seconds),
    )  # fmt: skip


def _drawn(rng: Random) -> Draft:
    """A game with an option and two settings, which go together and each change something."""
    while True:
        draft = Draft(rng.choice(GAMES))
        for _ in range(1):
            draft = draft.with_option(rng.choice([*options()]))
        for key, value in rng.sample(SETTINGS, 2):
            draft = draft.with_setting(key, value)
        if draft.ruleset is not None and all(
            not same_rules(less.ruleset, draft.ruleset) for less in draft.less_one_part()
        ):
            return draft


def _played(draft: Draft, name: str, seed: int, rng: Random) -> PlayedLog:
    """A hand that players of chance and greed play."""
    ruleset = draft.ruleset
    assert ruleset is not None
    tables = [number for number in PLAYERS if number in ruleset.players.numbers]
    seats = Seats.of([rng.choice(("random", "greedy")) for _ in range(rng.choice(tables))])
    events: list[Event] = [Header("Players", ", ".join(seats.names))]
    events += [event for hand in play_hands(ruleset, seats, seed, 1) for event in hand.lines]
    return log_of(name, [(Line(number, "", event), ()) for number, event in enumerate(events, 1)])


def _spoilt(log: PlayedLog, rng: Random) -> PlayedLog:
    """The log with one turn in fifty written, or played, wrongly: another discard, or nothing but the draw."""
    lines = []
    for line, findings in log.lines:
        event = line.event
        if type(event) is Turn and len(event.actions) > 1 and rng.randrange(ONE_IN) == 0:
            *rest, last = event.actions
            if type(last) is Discard and rng.randrange(2):
                rest = [*rest, changed(last, card=rng.choice(NATURALS))]
            event = event._replace(actions=tuple(rest))
        lines.append((line._replace(event=event), findings))
    return log_of(log.name, lines)


def _shows(true: Draft, part: tuple[str, str], bench: Bench) -> bool:
    """Whether the logs have findings without a part."""
    less = true.without(*part)
    return less.ruleset is not None and bool(bench.counts(less, range(len(bench.logs))))


def _has(found: Draft, true: Draft, part: tuple[str, str]) -> bool:
    """Whether rules that were found say what a part of the true ones does, however they say it."""
    ours, theirs = found.ruleset, true.ruleset
    less = true.without(*part).ruleset
    assert ours is not None
    assert theirs is not None
    values, wanted = _values(ours), _values(theirs)
    otherwise = {} if less is None else _values(less)
    return all(
        values.get(key) == value for key, value in wanted.items() if otherwise.get(key) != value
    )


def _values(ruleset: Ruleset) -> dict[str, object]:
    """Every value by key, points card by card."""
    values: dict[str, object] = {key: value for key, value, _ in merged_values(ruleset)}
    values = {key: value for key, value in values.items() if not key.startswith(_TABLES)}
    values |= {f"card {card}": points for card, points in enumerate(ruleset.scoring.values)}
    tables = [number for number in PLAYERS if number in ruleset.players.numbers]
    return values | {f"dealt {number}": ruleset.deal.cards.get(number) for number in tables}


def _clean(found: Draft, bench: Bench) -> int:
    """The number of logs, before they were spoilt, in which the rules that were found find nothing."""
    return sum(not bench.verdict(found, number).counts for number in range(len(bench.logs)))


def _table(counted: dict[int, Counter[str]]) -> Iterator[str]:
    yield (
        "| hands | trials | decidable parts | found | unspoilt logs judged clean | wrong parts | seconds |"
    )
    yield "|--:|--:|--:|--:|--:|--:|--:|"
    for hands, counts in counted.items():
        yield _row(hands, counts)


def _row(hands: int, counts: Counter[str]) -> str:
    trials = max(counts["trials"], 1)
    cells: Sequence[str] = (
        f"{hands}",
        f"{trials}",
        f"{counts['decidable']} of {counts['parts']}",
        f"{counts['got'] / max(counts['decidable'], 1):.0%}",
        f"{counts['mistakes'] / max(counts['logs'], 1):.0%}",
        f"{counts['wrong'] / trials:.1f}",
        f"{counts['tenths'] / 10 / trials:.0f}",
    )
    return f"| {' | '.join(cells)} |"


if __name__ == "__main__":
    sys.exit(main())
