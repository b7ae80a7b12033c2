"""What speaks for each part of rules that were found, and what against it: findings without it, and findings with it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from meldref.core.diagnostics import Finding
from meldref.core.records import record
from meldref.core.text import many, name_of_file
from meldref.inferring.draft import Draft
from meldref.inferring.facts import Facts, fits
from meldref.inferring.judging import UNJUDGED, Bench
from meldref.rules.pages import PAGES


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

    `key` is that of a setting, with its `value`; or `extends`, with the name of a game or an option.
    `speaks_for` counts the findings that it takes away, each kind once a hand, and `speaks_against`
    those that it brings; `first` of each are their places. `code` is the kind that most of the
    findings are of which it takes away.
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

    @property
    def text(self) -> str:
        """The evidence as a comment."""
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
        text += f" ({self.first_for})" if self.first_for else ""
        if self.speaks_against:
            text += f"; {self.speaks_against} against ({self.first_against})"
        return text


def evidence_for(
    draft: Draft, bench: Bench, unseen: Mapping[tuple[str, str], float], facts: Facts
) -> tuple[Evidence, ...]:
    """The evidence for each part of a draft, options first.

    `unseen` are stricter parts, each with how often it would be broken by chance.
    """
    listed = sum(decks.total() for decks in facts.decks.values())
    return tuple(
        _listed(*part, listed)
        if not fits(draft.without(*part), facts)
        else _compared(*part, draft, bench, unseen.get(part))
        for part in draft.parts
    )


def _listed(key: str, value: str, listed: int) -> Evidence:
    """The evidence for a deck that logs list card by card."""
    return Evidence(key, value, listed, 0, listed=True)


def _compared(key: str, value: str, draft: Draft, bench: Bench, expected: float | None) -> Evidence:
    """What differs between rules without a part and with it."""
    less = draft.without(key, value)
    if less.ruleset is None:
        return Evidence(key, value, 0, 0)
    taken: list[tuple[Place, str]] = []
    brought: list[tuple[Place, str]] = []
    for number, log in enumerate(bench.logs):
        before, after = bench.verdict(less, number), bench.verdict(draft, number)
        taken += _only_in(before.findings, after.findings, log.name)
        if before.counts.get(UNJUDGED, 0) <= after.counts.get(UNJUDGED, 0):
            brought += _only_in(after.findings, before.findings, log.name)
    codes = Counter(code for _, code in taken)
    code = codes.most_common(1)[0][0] if codes else ""
    firsts = (
        next((place for place, of in taken if of == code), None),
        next((place for place, _ in brought), None),
    )
    return Evidence(key, value, len(taken), len(brought), *firsts, code, expected)


def _only_in(
    findings: tuple[Finding, ...], others: tuple[Finding, ...], name: str
) -> list[tuple[Place, str]]:
    there = {(other.game, other.hand, other.code) for other in others}
    return [
        (Place(name, finding.span.line), finding.code)
        for finding in findings
        if (finding.game, finding.hand, finding.code) not in there
    ]
