"""What was meant by what does not fit in a rules file: what is asked, and of whom.

The schema says what is wrong, and what was expected. What somebody probably meant instead, and the
edits that put it right, are known to an adviser, who stands where rules files are explained.
Without one, the findings say no more than the schema does.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache
from typing import Final

from meldref.core.annex import from_annex
from meldref.core.diagnostics import Edit, Finding
from meldref.core.records import record
from meldref.documents.reader import Document, Value
from meldref.rulefiles.merge import Problem
from meldref.rulefiles.vocabulary import Schema

_ADVISER: Final = ("meldref_authoring.rulefiles.advising", "ADVISER")


@record
class Rewriting:
    """What to write instead, whether there is no doubt about it, and what the mistake is called.

    `others` may have been meant as well.
    """

    text: str
    sure: bool = True
    why: str = ""
    others: tuple[str, ...] = ()


class RulesAdviser:
    """Says what was meant in a rules file; this one never knows."""

    def rewriting(self, value: Value, node: Schema, *, is_name: bool = False) -> Rewriting | None:
        """What to write instead of a value, or of the name of a key, that a schema rejects."""
        return None

    def entry_in(self, text: str, names: Iterable[str]) -> Rewriting | None:
        """A key with its value, for a text that lacks the colon, or the space after it."""
        return None

    def edits(self, problem: Problem, document: Document) -> tuple[Edit, ...]:
        """The edits that fix a problem."""
        return ()

    def gathered(
        self, problems: Sequence[Problem], document: Document
    ) -> tuple[Sequence[Problem], list[Finding]]:
        """Problems that stand for themselves, and the findings of others that are one mistake."""
        return problems, []


@cache
def adviser() -> RulesAdviser:
    """Whoever knows what was meant."""
    return from_annex(*_ADVISER, RulesAdviser())


def finding_for(problem: Problem, document: Document) -> Finding:
    """The finding of a problem, with the edits that fix it."""
    edits = adviser().edits(problem, document)
    return document.finding(
        problem.code, problem.message, problem.path, at_key=problem.at_key, edits=edits
    )


def findings_for(schema_errors: Sequence[Problem], document: Document) -> tuple[Finding, ...]:
    """The findings of the schema errors of a document, in the order of its lines."""
    rest, findings = adviser().gathered(schema_errors, document)
    findings += [finding_for(problem, document) for problem in rest]
    return tuple(sorted(findings, key=lambda finding: (finding.span.line, finding.span.column)))
