"""`meldref rules test`: runs cases."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from meldref.core.diagnostics import Finding, errors_in
from meldref.report.examined import Examined
from meldref.report.json import Data
from meldref.report.verdicts import case_data, case_text, examined_case
from meldref.rulefiles.files import Found, Name
from meldref_cli import completing, options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable
from meldref_cli.files import STANDARD_INPUT, expand_all, read_document
from meldref_cli.findings import CASES, RULES, say_what_it_is
from meldref_cli.progress import Bar
from meldref_cli.reports import Subject, report_on
from meldref_cli.ruleset_args import asked, from_input, shown

if TYPE_CHECKING:
    from meldref.cases.run import CaseFile, CaseResult
    from meldref_authoring.coverage import Coverage

_ENDINGS = (".yaml", ".yml", ".json")


_Files = Annotated[
    list[str],
    typer.Argument(
        metavar="FILE...",
        help="Case files, rulesets with cases, or folders of them; - for standard input.",
    ),
]
_Rules = Annotated[
    str | None,
    typer.Option(
        "--rules",
        metavar="ID|FILE",
        autocompletion=completing.rulesets,
        help="The ruleset of cases that do not name one.",
    ),
]
_Coverage = Annotated[
    bool,
    typer.Option(
        "--coverage", help="Show which settings and codes of the rulesets the cases exercise."
    ),
]
_Threshold = Annotated[
    float | None,
    typer.Option(
        "--threshold",
        metavar="PERCENT",
        min=0,
        max=100,
        help="Exit with 1 if coverage is below this percentage; implies --coverage.",
    ),
]


def run_cases(
    files: _Files,
    rules: _Rules = None,
    coverage: _Coverage = False,
    threshold: _Threshold = None,
    format_: options.ReportFormatOption = options.ReportFormat.TEXT,
    quiet: options.Quiet = False,
    verbose: options.MoreDetail = False,
    exit_zero: options.ExitZero = False,
) -> int:
    """Runs the cases of case files; the cases in a ruleset's own file test that ruleset.

    A setting is exercised if a passing case would fail with another value, and a code if a
    passing case expects it as the reason.

    Exit status: 0 all passed, 1 failed cases or too little exercised, 2 an unusable file, or a
    case with an error in it.

    Examples:
      meldref rules test house.yaml
      meldref rules test house.yaml --coverage
    """
    wanted = asked(rules, None, None, read=[("FILE", file) for file in dict.fromkeys(files)]).rules
    cases = _Cases(threshold, quiet=quiet, verbose=verbose)
    report = report_on(cases, format_)
    paths, troubles = expand_all(files, _ENDINGS)
    for trouble in troubles:
        report.trouble(trouble)
    ran: list[tuple[CaseFile, list[CaseResult]]] = []
    for path in paths:
        try:
            file, results, wrong = _run(path, wanted)
        except Unusable as reason:
            report.trouble(str(reason))
            continue
        if wrong:
            report.worst = UNUSABLE
            _say(wrong, path, text=format_ is options.ReportFormat.TEXT, quiet=quiet)
            if not quiet:
                say_what_it_is(path, CASES, RULES)
            report.show_file(Examined(path, wrong, usable=False))
        for result in results:
            report.add((path, result))
        if file is not None:
            ran.append((file, results))
    if coverage or threshold is not None:
        from meldref_authoring.coverage import below, measure

        with Bar(0, wanted=not quiet, doing="trying other settings") as bar:
            cases.covered = measure(ran, bar.tick)
        report.worst = max(report.worst, WRONG if below(cases.covered, threshold) else CLEAN)
    return report.end(exit_zero=exit_zero)


class _Cases(Subject[tuple[str, "CaseResult"]]):
    """Cases with their files, as they are reported on.

    `covered` is what they exercise, if that is asked for.
    """

    command = "meldref rules test"
    noun = "failure"
    opening = '{"cases": ['

    def __init__(self, threshold: float | None, *, quiet: bool, verbose: bool) -> None:
        super().__init__(quiet=quiet)
        self.covered: list[Coverage] | None = None
        self._threshold = threshold
        self._verbose = verbose
        self._passed = self._failed = 0

    def add(self, result: tuple[str, CaseResult]) -> None:
        self._passed += result[1].passed
        self._failed += not result[1].passed

    def text(self, entry: tuple[str, CaseResult]) -> Iterator[str]:
        path, result = entry
        return case_text(
            shown(path), result, output.style_for(), quiet=self.quiet, verbose=self._verbose
        )

    def ending(self) -> Iterator[str]:
        if self.covered is not None:
            from meldref_authoring.report.coverage import coverage_text

            yield from coverage_text(
                self.covered,
                self._threshold,
                style=output.style_for(),
                quiet=self.quiet,
                verbose=self._verbose,
            )
        if not self.quiet:
            yield self.summary()

    def data(self, result: tuple[str, CaseResult]) -> Data:
        return case_data(*result)

    def rows(self, result: tuple[str, CaseResult]) -> Iterable[Data]:
        return (self.data(result),)

    def examined(self, result: tuple[str, CaseResult]) -> Examined:
        return examined_case(*result)

    def status(self, result: tuple[str, CaseResult]) -> int:
        if result[1].passed:
            return CLEAN
        return UNUSABLE if result[1].malformed else WRONG

    def summary(self) -> str:
        return f"{self._passed} passed, {self._failed} failed"

    def totals(self) -> dict[str, Data]:
        counts: dict[str, Data] = {"passed": self._passed, "failed": self._failed}
        if self.covered is not None:
            from meldref_authoring.report.coverage import coverage_data

            counts["coverage"] = coverage_data(self.covered)
        return counts

    def rest(self) -> dict[str, Data]:
        return self.totals()


def _document(path: str) -> Found:
    if path == STANDARD_INPUT:
        return from_input()
    return Found(Path(path), Path(path).name, text=read_document(path))


def _run(
    path: str, ruleset: Name | None
) -> tuple[CaseFile | None, list[CaseResult], tuple[Finding, ...]]:
    """A file of cases and how they came out, and what makes the file unusable."""
    from meldref.cases.run import read_cases
    from meldref_evidence.explaining import RecordExplainer

    file, findings = read_cases(_document(path), rules=ruleset, explainer=RecordExplainer())
    results = [] if file is None else [file.run(case) for case in range(len(file.cases))]
    return file, results, tuple(errors_in(findings))


def _say(findings: Sequence[Finding], path: str, *, text: bool, quiet: bool) -> None:
    """What is wrong with a file itself."""
    from meldref.report.text import finding_text, heading

    style = output.style_for()
    for finding in findings:
        file = path if finding.file == Path(path).name else None
        lines = (heading if quiet else finding_text)(finding, file=file, style=style)
        (output.write if text else output.notice_lines)(lines)
    if text and findings and not quiet:
        output.write("")
