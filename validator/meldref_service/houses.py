"""Questions about rules: what there is, what is wrong with them, what they say and change."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from meldref.cases.run import read_cases
from meldref.core.diagnostics import Finding, errors_in
from meldref.documents.reader import Value
from meldref.report.verdicts import verdict_lines
from meldref.rulefiles.files import BASE, Found, list_rulesets
from meldref.rulefiles.merge import flow
from meldref_authoring.autofix import fix as fix_rules_text
from meldref_authoring.cookbook import offered, read_recipes, rule_lines
from meldref_authoring.difference import compare_meaning
from meldref_authoring.example.search import find_example
from meldref_authoring.lint import Basis, review
from meldref_authoring.report.differences import differences_data, differences_text
from meldref_authoring.wizard import (
    QUESTIONS,
    House,
    StartingGame,
    check_answer,
    start_from,
    write_house,
)
from meldref_service.given import EXPLAINER, LOG, RULES, GivenRules, Rules, found
from meldref_service.session import Session
from meldref_service.told import Answer, told_finding, unusable

EXAMPLE_WALKS: Final = 40
"""How many short games are made up for an example of two rulesets that differ."""


def shelf(session: Session) -> Answer:
    """The games and options that ship, the questions of a new rules file, and the cookbook."""
    return {
        "rulesets": [
            {"id": one.id, "name": one.name, "type": one.type, "about": one.about}
            for one in list_rulesets()
        ],
        "questions": [
            {
                "name": question.name,
                "text": question.text,
                "answers": [
                    {"word": choice.word, "text": choice.text} for choice in question.answers
                ],
            }
            for question in QUESTIONS
        ],
        "recipes": [{"id": recipe.id, "text": recipe.say} for recipe in offered()],
        "cookbook": [
            {
                "id": recipe.id,
                "section": recipe.section,
                "text": recipe.say,
                "writes": dict(recipe.writes),
                "yaml": _yaml(recipe.writes),
            }
            for recipe in read_recipes()
        ],
    }


def _yaml(writes: Mapping[str, Value]) -> str:
    """What a recipe writes, as lines of a rules file."""
    lines: list[str] = []
    sections: dict[str, Any] = {}
    for key, value in writes.items():
        if key == "house_rules" and isinstance(value, dict):
            lines += ["house_rules:", *rule_lines(value)]  # type: ignore[arg-type]
            continue
        inner = sections
        *names, last = key.split(".")
        for name in names:
            inner = inner.setdefault(name, {})
        inner[last] = value
    return "\n".join([*(f"{key}: {flow(value)}" for key, value in sections.items()), *lines])


def check_rules(session: Session, *, text: str, folder: str = "") -> Answer:
    """Everything that is wrong with a rules file, and what its own cases say."""
    file = found(text, Rules.of("", folder).folder)
    findings = _reviewed(file)
    return {
        "verdict": "errors" if errors_in(findings) else "warnings" if findings else "clean",
        "findings": [told_finding(finding, RULES) for finding in findings],
        "cases": [] if errors_in(findings) else _cases(file),
    }


def _reviewed(file: Found) -> tuple[Finding, ...]:
    data = file.read()
    return review(file, data, Basis())


def _cases(rules: Found) -> list[Answer]:
    """How the cases of a rules file come out; none where it has none."""
    file, _ = read_cases(rules, explainer=EXPLAINER)
    if file is None:
        return []
    results = [file.run(index) for index in range(len(file.cases))]
    return [
        {
            "line": result.line,
            "name": result.name,
            "passed": result.passed,
            "text": "" if result.passed else "\n".join(verdict_lines(result)),
        }
        for result in results
    ]


def fix_rules(session: Session, *, text: str, folder: str = "") -> Answer:
    """A rules file with everything fixed that is beyond doubt."""
    file = found(text, Rules.of("", folder).folder)
    better = fix_rules_text(file.read(), lambda data: review(file, data, Basis()), RULES)
    return {
        "text": text if better is None else better.text,
        "changes": [
            {
                "line": change.finding.span.line,
                "why": change.finding.message,
                "before": list(change.before),
                "after": list(change.after),
            }
            for change in (() if better is None else better.changes)
        ],
    }


def diff(
    session: Session,
    *,
    rules: GivenRules,
    other: GivenRules = BASE,
    example: bool = True,
    folder: str = "",
) -> Answer:
    """What rules change against others, with a short game that shows it."""
    ruleset, findings = Rules.of(rules, folder).load()
    game, missing = Rules.of(other, folder).load()
    if ruleset is None or game is None:
        return unusable((*findings, *missing), RULES)
    names = (game.id, ruleset.id)
    differences = compare_meaning(game, ruleset)
    shown = None
    if example and not differences.same:
        shown = find_example(game, ruleset, EXAMPLE_WALKS, 1)[0]
    return {
        "verdict": "clean",
        "findings": [],
        "text": "\n".join(differences_text(names, differences, quiet=False)),
        **differences_data(names, differences),
        "example": None
        if shown is None
        else {
            "log": shown.text,
            "legal_by": ("other", "rules")[shown.clean],
            "finding": told_finding(shown.finding, LOG),
        },
    }


def new_rules(
    session: Session,
    *,
    game: str = BASE,
    name: str = "",
    answers: Mapping[str, str] | None = None,
    recipes: Sequence[str] = (),
) -> Answer:
    """A rules file from the answers to the ten questions; or which of them cannot be."""
    table = start_from(Rules.of(game).name or BASE)
    if not isinstance(table, StartingGame):
        return {"text": None, "wrong": [finding.message for finding in table]}
    asked = {question.name: question for question in QUESTIONS}
    given: dict[str, str | int] = {}
    wrong: list[str] = []
    for word, said in (answers or {}).items():
        try:
            given[word] = check_answer(asked[word], said)
        except KeyError:
            wrong.append(f"there is no question {word}")
        except ValueError as reason:
            wrong.append(f"{asked[word].text} {reason}")
    if wrong:
        return {"text": None, "wrong": wrong}
    chosen = [recipe for recipe in offered() if recipe.id in recipes]
    written = write_house(
        House("our-house", name or "Our house", game=table.id), table, given, chosen
    )
    if isinstance(written, str):
        return {"text": written, "wrong": []}
    return {"text": None, "wrong": [clash.message for clash in written]}
