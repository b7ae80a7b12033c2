"""What `fmt --check` finds, for other programs: JSON, JSON Lines, and the formats of servers."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

from meldref.core.text import name_of_file
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, status

if TYPE_CHECKING:
    from meldref.report.examined import Examined
    from meldref.report.form import Form


def report_form(
    names: Iterable[str],
    report_format: options.ReportFormat,
    read: Callable[[str], Form],
    *,
    quiet: bool,
    exit_zero: bool,
) -> int:
    """Reports which logs are not in canonical form, and returns the exit status."""
    from meldref.report.form import Forms, findings_data, form_data
    from meldref_cli.files import expand_all
    from meldref_cli.machine_reports import is_for_machines, machine_report

    machine = None
    if is_for_machines(report_format):
        machine = machine_report(report_format, "meldref fmt --check", noun="line", quiet=quiet)
    worst = CLEAN
    paths, troubles = expand_all(names, (".rgn",))
    for trouble in troubles:
        output.error(trouble)
        worst = UNUSABLE
        if machine is not None:
            machine.trouble(trouble)
    forms = Forms()
    between = '{"logs": ['
    for path in paths:
        one = _examined(path, read)
        forms.add(one)
        worst = max(worst, {"clean": CLEAN, "wrong": WRONG}.get(one.state, UNUSABLE))
        if machine is not None:
            machine.add(one)
        elif report_format is options.ReportFormat.JSON:
            sys.stdout.write(between + json.dumps(form_data(one)))
            between = ", "
        else:
            output.write_all(json.dumps({"path": path, **finding}) for finding in findings_data(one))
    code = status(worst, exit_zero=exit_zero)
    if machine is not None:
        machine.end(code, forms.text())
    elif report_format is options.ReportFormat.JSON:
        opening = "" if paths else between
        output.write(f'{opening}], "summary": {json.dumps(forms.data())}}}')
    else:
        output.write(json.dumps({"summary": forms.data()}))
    return code


def _examined(path: str, read: Callable[[str], Form]) -> Examined:
    from meldref.report.form import examined_form, unreadable_form

    try:
        return examined_form(read(path))
    except Unusable as reason:
        output.error(str(reason))
        return unreadable_form(path, str(reason).removeprefix(name_of_file(f"{path}: ")))
