"""What `meldref rules test --coverage` shows: which settings and codes of a ruleset its cases exercise."""

from __future__ import annotations

import textwrap
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from meldref_cli import output

if TYPE_CHECKING:
    from meldref.authoring.coverage import Coverage
    from meldref.cases import CaseFile, CaseResult

_WIDTH = 80


def measure_files(ran: Sequence[tuple[CaseFile, Sequence[CaseResult]]], *, wanted: bool) -> list[Coverage]:
    """The coverage of each ruleset that the cases name; a progress bar where it takes long and is wanted."""
    from meldref.authoring.coverage import measure
    from meldref_cli.progress import Bar

    with Bar(0, wanted=wanted, doing="trying other settings") as bar:
        return measure(ran, bar.tick)


def below(covered: Sequence[Coverage], threshold: float | None) -> list[Coverage]:
    """The rulesets of which less is exercised than is asked for."""
    return [] if threshold is None else [one for one in covered if one.percent < threshold]


def coverage_lines(
    covered: Sequence[Coverage], threshold: float | None, *, quiet: bool, verbose: bool
) -> Iterator[str]:
    """Each ruleset with what is not exercised, and with `verbose` what is, by which case.

    With `quiet` only a line for each ruleset that is below the threshold.
    """
    style = output.style_for()
    if not quiet:
        for one in covered:
            yield from _ruleset_lines(one, verbose=verbose)
            yield ""
    for one in below(covered, threshold):
        yield f"{style.bold(one.file + ':')} {_percent(one)} is {style.red('below')} the {threshold:g} % asked for"


def _ruleset_lines(one: Coverage, *, verbose: bool) -> Iterator[str]:
    from meldref.ruleset.merge import flow
    from meldref.wording import many

    style = output.style_for()
    settings = sum(setting.case is not None for setting in one.settings)
    codes = sum(code.case is not None for code in one.codes)
    parts = f"{settings} of {many(len(one.settings), 'setting')}, {codes} of {many(len(one.codes), 'code')}"
    yield f"{style.bold(one.file + ':')} {_percent(one)} exercised: {parts}"
    missing = [setting for setting in one.settings if setting.case is None]
    if missing:
        yield "  no case depends on"
        for setting in missing:
            yield f"    {one.file}:{setting.line}: {setting.key}: {flow(setting.value)}"
    unexpected = [code.code for code in one.codes if code.case is None]
    if unexpected:
        yield "  no case expects"
        yield from textwrap.wrap(
            ", ".join(unexpected),
            _WIDTH,
            initial_indent="    ",
            subsequent_indent="    ",
            break_on_hyphens=False,
        )
    if verbose:
        for setting in one.settings:
            if setting.case is not None:
                yield f"  {one.file}:{setting.line}: {setting.key}: {flow(setting.value)} ({setting.case})"
        for code in one.codes:
            if code.case is not None:
                yield f"  {code.code} ({code.case})"


def _percent(one: Coverage) -> str:
    """Whole percent, rounded down: 100 is all of it."""
    return f"{int(one.percent)} %"


def coverage_data(covered: Sequence[Coverage]) -> list[dict[str, object]]:
    """The coverage as data; `case` is the one that exercises something, None where none does."""
    return [
        {
            "ruleset": one.ruleset,
            "file": one.file,
            "percent": round(one.percent, 1),
            "settings": [
                {"key": setting.key, "value": setting.value, "line": setting.line, "case": setting.case}
                for setting in one.settings
            ],
            "codes": [{"code": code.code, "case": code.case} for code in one.codes],
        }
        for one in covered
    ]
