"""Which settings and codes of a ruleset its cases exercise, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.authoring.coverage import Coverage, below
from meldref.core.text import many, name_of_file
from meldref.report.json import Data, facts
from meldref.report.style import PLAIN, Style, wrapped
from meldref.rulefiles.merge import flow

_WIDTH: Final = 80


def coverage_text(
    covered: Sequence[Coverage],
    threshold: float | None = None,
    *,
    style: Style = PLAIN,
    quiet: bool = False,
    verbose: bool = False,
) -> Iterator[str]:
    """Each ruleset with what is not exercised, and with `verbose` what is, by which case.

    With `quiet` only a line for each ruleset that is below the threshold.
    """
    if not quiet:
        for one in covered:
            yield from _ruleset(one, style, verbose=verbose)
            yield ""
    for one in below(covered, threshold):
        yield f"{_name(one, style)} {_percent(one)} is {style.red('below')} the {threshold:g} % asked for"


def _ruleset(one: Coverage, style: Style, *, verbose: bool) -> Iterator[str]:
    file = name_of_file(one.file)
    settings = sum(setting.case is not None for setting in one.settings)
    codes = sum(code.case is not None for code in one.codes)
    parts = f"{settings} of {many(len(one.settings), 'setting')}, {codes} of {many(len(one.codes), 'code')}"
    yield f"{_name(one, style)} {_percent(one)} exercised: {parts}"
    missing = [setting for setting in one.settings if setting.case is None]
    if missing:
        yield "  no case depends on"
        for setting in missing:
            yield f"    {file}:{setting.line}: {setting.key}: {flow(setting.value)}"
    unexpected = [code.code for code in one.codes if code.case is None]
    if unexpected:
        yield "  no case expects"
        yield from wrapped(", ".join(unexpected), "    ", "    ", width=_WIDTH)
    if verbose:
        for setting in one.settings:
            if setting.case is not None:
                yield f"  {file}:{setting.line}: {setting.key}: {flow(setting.value)} ({setting.case})"
        for code in one.codes:
            if code.case is not None:
                yield f"  {code.code} ({code.case})"


def _name(one: Coverage, style: Style) -> str:
    return style.bold(f"{name_of_file(one.file)}:")


def _percent(one: Coverage) -> str:
    """Whole percent, rounded down: 100 is all of it."""
    return f"{int(one.percent)} %"


def coverage_data(covered: Sequence[Coverage]) -> list[Data]:
    """The coverage as data; `case` is the one that exercises something, None where none does."""
    return [
        {
            **facts(one, "ruleset", "file"),
            "percent": round(one.percent, 1),
            "settings": [
                facts(setting, "key", "value", "line", "case") for setting in one.settings
            ],
            "codes": [facts(code, "code", "case") for code in one.codes],
        }
        for one in covered
    ]
