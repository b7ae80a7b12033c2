"""How two rulesets differ: in meaning, over recorded games, by an example and in play.

As text and as JSON.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Final

from meldref.core.text import many, name_of_file
from meldref.report.excerpt import plain
from meldref.report.json import Data, facts, finding_data
from meldref.report.style import in_columns
from meldref.report.text import heading, place_data, rule_text, shown_origin
from meldref.rulefiles.merge import HOUSE, flow
from meldref_authoring.difference import UNSEEN, Difference, Differences

if TYPE_CHECKING:  # games are judged and made up only where somebody asks for it
    from meldref_authoring.compare import Comparison, Figure, Measure
    from meldref_authoring.example.alone import Shown
    from meldref_authoring.example.search import Effort, ExampleGame
    from meldref_authoring.judged import JudgedLog, Ruling
    from meldref_authoring.meaning import Said

_SIDES: Final = ("A", "B")
"""What the two rulesets are called."""
_COLUMN: Final = 32
_LONG_NAME: Final = 32
"""Longer names of rulesets stand above the table of a comparison, not over its columns."""


def differences_text(
    names: tuple[str, str], differences: Differences, *, quiet: bool
) -> Iterator[str]:
    """The keys that differ, each with what both say and where; `quiet`: only their names."""
    if quiet:
        yield from (difference.key for difference in differences.in_meaning)
        return
    if differences.same:
        yield f"{name_of_file(names[0])} and {name_of_file(names[1])} mean the same"
    else:
        for side, name in zip(_SIDES, names, strict=True):
            yield f"{side}: {name_of_file(name)}"
        yield ""
        yield from _keys(differences.in_meaning)
        yield ""
        number = len(differences.in_meaning)
        yield f"{many(number, 'key')} differ{'s' if number == 1 else ''} in meaning"
    if differences.apart:
        yield from ("", "Written differently, with no effect on play:", "")
        yield from _keys(differences.apart)


def _keys(differences: Sequence[Difference]) -> Iterator[str]:
    column = min(_COLUMN, max(len(difference.key) for difference in differences))
    for difference in differences:
        head = f"{difference.key:<{column}}"
        if len(difference.key) > column:
            yield difference.key
            head = " " * column
        nothing = "no such rule" if difference.key.startswith(HOUSE) else "as on the table"
        yield f"{head}  A: {_side(difference.first, nothing)}"
        yield f"{' ' * column}  B: {_side(difference.second, nothing)}"


def _side(side: Said, nothing: str) -> str:
    value = nothing if side.value is None else flow(side.value)
    remarks = []
    if side.origin is not None:
        remarks.append(shown_origin(side.origin))
    if side.rests:
        remarks.append(f"no effect: see {side.rests}")
    return f"{value}   ({'; '.join(remarks)})" if remarks else value


def differences_data(names: tuple[str, str], differences: Differences) -> dict[str, object]:
    """Data for programs; what recorded games and an example show comes after it."""
    return {
        "version": 1,
        "rulesets": list(names),
        "same": differences.same,
        "differences": [_difference_data(difference) for difference in differences.in_meaning],
        "apart": [_difference_data(difference) for difference in differences.apart],
    }


def _difference_data(difference: Difference) -> dict[str, object]:
    return {
        "key": difference.key,
        "first": _side_data(difference.first),
        "second": _side_data(difference.second),
    }


def _side_data(side: Said) -> dict[str, object]:
    return {"value": side.value, **place_data(side.origin), "no_effect": side.rests or None}


def judged_text(judged: Sequence[JudgedLog]) -> Iterator[str]:
    """The lines and scores of recorded games that the two judge differently."""
    read = [log for log in judged if not log.trouble]
    if not read:
        return
    for log in read:
        for line in log.lines:
            yield ""
            yield f"{name_of_file(log.path)}:{line.line}: {plain(line.text.strip())}".rstrip(": ")
            yield from _ruling("A", line.first)
            yield from _ruling("B", line.second)
        for score in log.scores:
            yield ""
            yield f"{name_of_file(log.path)}: game {score.game}, hand {score.hand}: scores"
            for side, scored in zip(_SIDES, (score.first, score.second), strict=True):
                points = [f"{name} {number}" for name, number in (scored or {}).items()]
                yield f"  {side}: {', '.join(points) or 'not known'}"
    yield ""
    lines = sum(len(log.lines) for log in read)
    scores = sum(len(log.scores) for log in read)
    all_logs = many(len(read), "log")
    if not lines and not scores:
        yield f"{all_logs}: every line is judged alike, and every hand scored alike"
        return
    parts = []
    if lines:
        parts.append(many(lines, "line"))
    if scores:
        parts.append(many(scores, "hand's score"))
    logs = sum(bool(log.lines or log.scores) for log in read)
    yield f"{' and '.join(parts)} judged differently, in {logs} of {all_logs}"


def _ruling(side: str, ruling: Ruling) -> Iterator[str]:
    if not ruling.findings and not ruling.open:
        yield f"  {side}: nothing wrong"
    for finding in ruling.findings:
        yield f"  {side}: {heading(finding, file='')}"
        if finding.rule is not None:
            yield f"     = rule: {rule_text(finding.rule)}"
    yield from (f"  {side}: undecided: {what}" for what in ruling.open)


def judged_data(judged: Sequence[JudgedLog]) -> list[Data]:
    """Data for programs."""
    return list(map(_log_data, judged))


def _log_data(log: JudgedLog) -> Data:
    lines = []
    for line in log.lines:
        rulings = {"first": _ruling_data(line.first), "second": _ruling_data(line.second)}
        lines.append({**facts(line, "line", "text"), **rulings})
    scores = [facts(score, "game", "hand", "first", "second") for score in log.scores]
    return {"path": log.path, "trouble": log.trouble or None, "lines": lines, "scores": scores}


def _ruling_data(ruling: Ruling) -> Data:
    return {"findings": list(map(finding_data, ruling.findings)), "open": list(ruling.open)}


def example_text(
    example: ExampleGame | None, looked: Effort, written: str | None, differences: Differences
) -> Iterator[str]:
    """The game that only one of the two allows, or how far one was looked for.

    `written`: the file it is in.
    """
    yield ""
    if example is None:
        if looked.records:
            yield (
                f"No example found among {looked.records:,} small records, "
                f"{looked.walks:,} short games made up "
                f"and {looked.hands:,} hands played out; --effort N looks further"
            )
        for difference in differences.in_meaning:
            if difference.key in UNSEEN:
                yield f"{difference.key} shows in no record: {UNSEEN[difference.key]}"
        return
    clean, other = _SIDES[example.clean], _SIDES[1 - example.clean]
    yield from (f"An example, legal by {clean} and not by {other}:", "")
    yield example.text.rstrip("\n") if written is None else f"  {written}"
    yield ""
    finding = example.finding
    differing = {difference.key for difference in differences.in_meaning}
    rule = next((origin for origin in finding.rules if origin.key in differing), finding.rule)
    yield f"{other}, line {finding.span.line}: {heading(finding, file='')}"
    if rule is not None:
        yield f"   = rule: {rule_text(rule)}"


def each_text(shown: Sequence[Shown]) -> Iterator[str]:
    """An example for each difference by itself, or that none was found."""
    yield from ("", "Each difference by itself:")
    for entry in shown:
        yield ""
        if entry.example is None:
            yield f"{entry.difference.key}: {entry.why or 'no example found'}"
            continue
        clean, other = _SIDES[entry.example.clean], _SIDES[1 - entry.example.clean]
        yield f"{entry.difference.key}: legal as {clean} plays, not as {other} does"
        yield from (f"  {line}" for line in entry.example.text.splitlines())
        finding = entry.example.finding
        yield f"  line {finding.span.line}: {heading(finding, file='')}"


def each_data(shown: Sequence[Shown], names: tuple[str, str]) -> list[Data]:
    """Data for programs: the example of each difference, null where there is none."""
    return [
        {"key": entry.difference.key, "example": _game_data(names, entry.example)}
        for entry in shown
    ]


def example_data(
    names: tuple[str, str], game: ExampleGame | None, looked: Effort
) -> dict[str, Data]:
    """Data for programs."""
    return {
        "example": _game_data(names, game),
        "looked_at": {"records": looked.records, "made_up": looked.walks, "hands": looked.hands},
    }


def _game_data(names: tuple[str, str], game: ExampleGame | None) -> Data:
    if game is None:
        return None
    return {
        "legal_by": names[game.clean],
        "not_by": names[1 - game.clean],
        "log": game.text,
        "finding": finding_data(game.finding),
    }


def comparison_text(comparison: Comparison) -> Iterator[str]:
    """A row a figure, both rulesets side by side, with how far chance may have moved each."""
    hands = f"{many(comparison.hands, 'hand')} each by {', '.join(comparison.players)}"
    yield f"{hands}; seed {comparison.seed}"
    names = heads = tuple(map(name_of_file, comparison.names))
    if max(map(len, heads)) > _LONG_NAME:
        heads = ("A", "B")
        yield from map(": ".join, zip(heads, names, strict=True))
    yield ""
    rows = [("", *heads, "difference"), *map(_row, comparison.measures)]
    rows.append(("games begun", f"{comparison.games[0]:,}", f"{comparison.games[1]:,}", ""))
    yield from in_columns(rows, rest=">")


def _row(measure: Measure) -> tuple[str, str, str, str]:
    first = _figure(measure.first, share=measure.share)
    second = _figure(measure.second, share=measure.share)
    difference = ""
    if measure.difference is not None:
        difference = _figure(measure.difference, share=False, signed=True)
    return measure.name, first, second, difference


def _figure(figure: Figure | None, *, share: bool, signed: bool = False) -> str:
    """A figure and how far its interval reaches; of a share, the interval itself."""
    if figure is None:
        return "-"
    if share:
        if figure.low is None or figure.high is None:
            return f"{100 * figure.value:.1f} %"
        return f"{100 * figure.value:.1f} % ({100 * figure.low:.1f} to {100 * figure.high:.1f})"
    number = round(figure.value, 2) or 0.0
    value = f"{number:+.2f}" if signed else f"{number:.2f}"
    return value if figure.high is None else f"{value} ± {figure.high - figure.value:.2f}"


def comparison_data(comparison: Comparison) -> dict[str, Data]:
    """Data for programs."""
    return {
        "version": 1,
        "rulesets": list(comparison.names),
        "seats": list(comparison.players),
        "seed": comparison.seed,
        "hands": comparison.hands,
        "games": list(comparison.games),
        "ends": [dict(ends) for ends in comparison.ends],
        "measures": list(map(_measure_data, comparison.measures)),
    }


def _measure_data(measure: Measure) -> Data:
    data = facts(measure, "key", "name")
    for part, figure in facts(measure, "first", "second", "difference").items():
        data[part] = figure and facts(figure, "value", "low", "high", "count")
    return data
