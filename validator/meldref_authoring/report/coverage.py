"""Which settings and codes of a ruleset its cases exercise, as text and as JSON."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from meldref.core.text import many, name_of_file
from meldref.report.json import Data, facts
from meldref.report.style import PLAIN, Style, wrapped
from meldref.rulefiles.merge import flow
from meldref_authoring.coverage import Coverage, Shown, below

_WIDTH: Final = 80
_UNEXERCISED: Final[Mapping[Shown | None, str]] = {
    None: "no case depends on",
    "applying": "needs another case, in which the rule does not apply",
    "not applying": "needs another case, in which the rule applies",
}
"""What to say of settings that are not exercised, by what cases show of them."""


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
        for coverage in covered:
            yield from _ruleset(coverage, style, verbose=verbose)
            yield ""
    for coverage in below(covered, threshold):
        share = f"{_name(coverage, style)} {_percent(coverage)}"
        yield f"{share} is {style.red('below')} the {threshold:g} % asked for"


def _ruleset(coverage: Coverage, style: Style, *, verbose: bool) -> Iterator[str]:
    file = name_of_file(coverage.file)
    settings = sum(setting.case is not None for setting in coverage.settings)
    codes = sum(code.case is not None for code in coverage.codes)
    parts = (
        f"{settings} of {many(len(coverage.settings), 'setting')}, "
        f"{codes} of {many(len(coverage.codes), 'code')}"
    )
    yield f"{_name(coverage, style)} {_percent(coverage)} exercised: {parts}"
    for shown, heading in _UNEXERCISED.items():
        missing = [
            setting
            for setting in coverage.settings
            if setting.case is None and setting.shown == shown
        ]
        if missing:
            yield f"  {heading}"
        for setting in missing:
            yield f"    {file}:{setting.line}: {setting.key}: {flow(setting.value)}"
    unexpected = [code.code for code in coverage.codes if code.case is None]
    if unexpected:
        yield "  no case expects"
        yield from wrapped(", ".join(unexpected), "    ", "    ", width=_WIDTH)
    if verbose:
        for setting in coverage.settings:
            if setting.case is not None:
                text = f"{setting.key}: {flow(setting.value)} ({setting.case})"
                yield f"  {file}:{setting.line}: {text}"
        for code in coverage.codes:
            if code.case is not None:
                yield f"  {code.code} ({code.case})"


def _name(coverage: Coverage, style: Style) -> str:
    return style.bold(f"{name_of_file(coverage.file)}:")


def _percent(coverage: Coverage) -> str:
    """Whole percent, rounded down: 100 is all of it."""
    return f"{int(coverage.percent)} %"


def coverage_data(covered: Sequence[Coverage]) -> list[Data]:
    """The coverage as data; `case` is the one that exercises something, None if none does."""
    return [
        {
            **facts(coverage, "ruleset", "file"),
            "percent": round(coverage.percent, 1),
            "settings": [
                facts(setting, "key", "value", "line", "case") for setting in coverage.settings
            ],
            "codes": [facts(code, "code", "case") for code in coverage.codes],
        }
        for coverage in covered
    ]
