"""The game that two rulesets judge differently, or how far was looked for one, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator

from meldref.authoring.difference import Differences
from meldref.authoring.example import UNSEEN, Effort, ExampleGame
from meldref.report.differences import SIDES
from meldref.report.json import Data, finding_data
from meldref.report.text import rule_text, verdict_word


def example_text(
    found: ExampleGame | None, looked: Effort, written: str | None, differences: Differences
) -> Iterator[str]:
    """The example, or how far was looked for one; `written`: the file that the example was written to."""
    yield ""
    if found is None:
        if looked.records:
            yield f"No example found among {_looked(looked)}; --effort N looks further"
        for one in differences.in_meaning:
            if one.key in UNSEEN:
                yield f"{one.key} shows in no record: {UNSEEN[one.key]}"
        return
    clean, other = SIDES[found.clean], SIDES[1 - found.clean]
    yield f"An example, legal by {clean} and not by {other}:"
    yield ""
    yield found.text.rstrip("\n") if written is None else f"  {written}"
    yield ""
    finding = found.finding
    said = f"{verdict_word(finding)}: {finding.message} [{finding.code}]"
    yield f"{other}, line {finding.span.line}: {said}"
    if finding.rule is not None:
        yield f"   = rule: {rule_text(finding.rule)}"


def _looked(looked: Effort) -> str:
    return (
        f"{looked.records:,} small records, {looked.walks:,} short games made up "
        f"and {looked.hands:,} hands played out"
    )


def example_data(names: tuple[str, str], found: ExampleGame | None, looked: Effort) -> dict[str, Data]:
    """The same for programs."""
    example: Data = None
    if found is not None:
        example = {
            "legal_by": names[found.clean],
            "not_by": names[1 - found.clean],
            "log": found.text,
            "finding": finding_data(found.finding),
        }
    return {
        "example": example,
        "looked_at": {"records": looked.records, "made_up": looked.walks, "hands": looked.hands},
    }
