"""The adviser on rules files: what was meant, and the edits that put it right."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final

from meldref.core.diagnostics import Edit, Finding
from meldref.documents.reader import Document, Value
from meldref.rulefiles.advice import Rewriting, RulesAdviser
from meldref.rulefiles.merge import Problem
from meldref.rulefiles.vocabulary import Schema
from meldref_authoring.rulefiles import fixes, rewriting


class _Expert(RulesAdviser):
    def rewriting(self, value: Value, node: Schema, *, is_name: bool = False) -> Rewriting | None:
        return rewriting.rewriting(value, node, is_name=is_name)

    def entry_in(self, text: str, names: Iterable[str]) -> Rewriting | None:
        return rewriting.entry_in(text, names)

    def edits(self, problem: Problem, document: Document) -> tuple[Edit, ...]:
        return fixes.edits_for(problem, document)

    def gathered(
        self, problems: Sequence[Problem], document: Document
    ) -> tuple[Sequence[Problem], list[Finding]]:
        return fixes.gathered(problems, document)


ADVISER: Final = _Expert()
