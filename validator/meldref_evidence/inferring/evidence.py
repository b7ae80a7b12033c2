"""The evidence for each part of rules that were found: the findings without it, and with it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence

from meldref.core.diagnostics import Finding
from meldref.core.records import record
from meldref.core.text import many, name_of_file
from meldref.rules.pages import PAGES
from meldref_evidence.inferring.draft import Draft
from meldref_evidence.inferring.facts import Facts, fits
from meldref_evidence.inferring.judging import UNJUDGED, Bench


@record
class Place:
    """A line of a log."""

    log: str
    line: int

    def __str__(self) -> str:
        return f"{name_of_file(self.log)}:{self.line}"


@record
class Evidence:
    """A part of the rules, and the hands that speak for it and against it.

    `key` is that of a setting, with its `value`, or `extends`, with the name of a game or option.
    `speaks_for` counts the findings that disappear with it, each kind once a hand, and
    `speaks_against` those that appear; `first_for` and `first_against` are the first of them.
    `code` is the most frequent kind of the findings that disappear.
    """

    key: str
    value: str
    speaks_for: int
    speaks_against: int
    first_for: Place | None = None
    first_against: Place | None = None
    code: str = ""
    expected: float | None = None
    listed: bool = False
    untried: bool = False

    @property
    def text(self) -> str:
        """The evidence as a comment."""
        if self.untried:
            return "how many hands need this was not counted"
        if self.listed:
            return f"the deck of {many(self.speaks_for, 'hand')} whose cards are all listed"
        if self.expected is not None and not self.speaks_for:
            against = f"{self.speaks_against or 'nobody'} against"
            return f"{against}, where {round(self.expected)} would be expected by chance"
        if not self.speaks_for:
            return "no hand needs this by itself: it goes with what is set beside it"
        what = PAGES[self.code].title if self.code in PAGES else "nothing else fits"
        hands = "1 hand needs" if self.speaks_for == 1 else f"{self.speaks_for} hands need"
        text = f"{hands} this, otherwise: {what}"
        if self.first_for is not None:
            text += f" ({self.first_for})"
        if self.speaks_against:
            text += f"; {self.speaks_against} against ({self.first_against})"
        return text


def evidence_for(
    draft: Draft, bench: Bench, unseen: Mapping[tuple[str, str], float], facts: Facts
) -> tuple[Evidence, ...]:
    """The evidence for each part of a draft, options first.

    `unseen` are stricter parts, each with how often it would be broken by chance.
    """
    listed_decks = sum(decks.total() for decks in facts.decks.values())
    evidence: list[Evidence] = []
    for key, value in draft.parts:
        if fits(draft.without(key, value), facts):
            expected = unseen.get((key, value))
            evidence.append(_compared(key, value, draft, bench, expected))
        else:
            evidence.append(Evidence(key, value, listed_decks, 0, listed=True))
    return tuple(evidence)


def _compared(key: str, value: str, draft: Draft, bench: Bench, expected: float | None) -> Evidence:
    """What differs between rules without a part and with it."""
    less = draft.without(key, value)
    if less.ruleset is None or not bench.may_judge(less):
        return Evidence(key, value, 0, 0, untried=less.ruleset is not None)
    places: dict[str, list[Place]] = defaultdict(list)
    brought: list[Place] = []
    for number, log in enumerate(bench.logs):
        before, after = bench.verdict(less, number), bench.verdict(draft, number)
        for finding in _only_in(before.findings, after.findings):
            places[finding.code].append(Place(log.name, log.line_of(finding)))
        if before.counts.get(UNJUDGED, 0) <= after.counts.get(UNJUDGED, 0):
            new = _only_in(after.findings, before.findings)
            brought.extend(Place(log.name, log.line_of(finding)) for finding in new)
    code = max(places, key=lambda code: len(places[code]), default="")
    return Evidence(
        key,
        value,
        speaks_for=sum(map(len, places.values())),
        speaks_against=len(brought),
        first_for=next(iter(places[code]), None),
        first_against=next(iter(brought), None),
        code=code,
        expected=expected,
    )


def _only_in(findings: Sequence[Finding], others: Sequence[Finding]) -> Iterator[Finding]:
    """The findings of a kind that the others do not have in the same hand."""
    there = {(other.game, other.hand, other.code) for other in others}
    for finding in findings:
        if (finding.game, finding.hand, finding.code) not in there:
            yield finding
