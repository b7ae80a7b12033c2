"""What holds of every case besides what it says: what is found, and how the position stands afterwards."""

from __future__ import annotations

from functools import cache, partial
from importlib import import_module

from audits import check_position
from meldref.cases.run import CaseFile, CaseResult, read_cases
from meldref_evidence.explaining import RecordExplainer
from paths import TESTS
from written import read_yaml_file

cases_of = cache(partial(read_cases, explainer=RecordExplainer()))
"""The cases of a file, read once, and what is found in it."""

SEVERAL = read_yaml_file(TESTS / "several_findings.yaml")


def run_file(path, *, rules=None):
    """How every case of a file comes out, and what is wrong with the file itself."""
    file, findings = read_cases(path, rules=rules, explainer=RecordExplainer())
    return ([] if file is None else [file.run(index) for index in range(len(file.cases))]), findings


def run_and_check(file: CaseFile, index: int) -> tuple[CaseResult, list[str]]:
    """Runs a case; also says what does not hold of it."""
    outcomes = []
    outcome_of = file.outcome
    file.outcome = lambda *case: outcomes.append(outcome_of(*case)) or outcomes[-1]
    try:
        result = file.run(index)
    finally:
        del file.outcome
    wrong = [*_found_otherwise(result), *_found_though_impossible(result)]
    position = None if isinstance(outcomes[0], str) else outcomes[0].position
    if position is not None:
        given = file.cases[index].get("given") or {}
        try:
            check_position(position, points=position.pile_known and "points" not in given)
        except AssertionError as error:
            wrong.append(f"the position: {error}")
    return result, wrong


def _found_otherwise(result: CaseResult) -> list[str]:
    """A case has one finding where it is illegal, but for those listed."""
    found = [f"{one.span.line} {one.code}" for one in result.findings]
    due = SEVERAL.get(result.id, found[:1]) if result.expected["verdict"] == "illegal" else []
    return [] if found == due else [f"found {found}, should be {due}: see several_findings.yaml"]


def _found_though_impossible(result: CaseResult) -> list[str]:
    """Nothing is found that cannot be found under the ruleset."""
    codes = {one.code for one in result.findings if not one.code.startswith("log.")}
    if not codes or result.ruleset is None:  # a log may name a ruleset that there is not
        return []
    # Asked for here, since the mutation tester loads the rules anew.
    possible = import_module("meldref_authoring.coverage").codes_under(result.ruleset)
    return [
        f"cannot be found under its rules: {code}" for code in sorted(codes.difference(possible))
    ]
