"""The page: what was found as a list that anybody can read, and beside it the data that the scripts play."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Final

from meldref.core.diagnostics import Finding, Severity
from meldref.core.records import record
from meldref.core.text import many, name_of_file, one_line, visible
from meldref.core.version import __version__
from meldref.report.elements import Html, Part, join, tag, text
from meldref.report.excerpt import excerpt, plain
from meldref.report.json import Data, facts
from meldref.report.tally import Audited, LogTally
from meldref.report.text import rule_text, shown_path, summary_text, verdict_word
from meldref.report.viewer.film import HandFilm

_POLICY: Final = "default-src 'none'; style-src '{}'; script-src '{}'; base-uri 'none'; form-action 'none'"


@record
class FilmedLog:
    """A log that was audited, and its hands as they were recorded; `trouble` is why it could not be read."""

    audited: Audited
    hands: Sequence[HandFilm] = ()
    trouble: str = ""

    @property
    def name(self) -> str:
        """The log's name as it is shown."""
        path = self.audited.report.path
        return "standard input" if path == "-" else name_of_file(shown_path(path))


def page_of(logs: Sequence[FilmedLog], troubles: Sequence[str] = ()) -> Iterator[str]:
    """The page of some logs, in pieces; `troubles` are what stands for no log."""
    tally = LogTally()
    for log in logs:
        tally.add(log.audited)
    style, script = _read("viewer.css"), _read("viewer.js")
    title = logs[0].name if len(logs) == 1 else many(len(logs), "log")
    found = [_where(log) for log in logs]
    said: Part = summary_text(tally)
    if len(logs) == 1:
        said = [_verdict(logs[0]), " ", f"{many(tally.hands, 'hand')}, {many(tally.turns, 'turn')}"]
    summary = [tag("p", said, class_="summary"), *[tag("p", one) for one in troubles]]
    pieces = {
        "policy": _POLICY.format(_digest(style), _digest(script)),
        "title": text(title),
        "summary": join(summary),
        "index": part("index", rows=map(_index_row, logs, range(1, len(logs) + 1))),
        "version": text(__version__),
        "style": style,
        "script": script,
        "data": _as_script({"logs": [_data(log, where) for log, where in zip(logs, found, strict=True)]}),
    }
    before, _, after = _read("viewer.html").partition("${logs}")
    yield Template(before).substitute(pieces)
    yield from (_log(log, number) for number, log in enumerate(logs, 1))
    yield Template(after).substitute(pieces)


@cache
def _read(name: str) -> str:
    """A file of the page."""
    return (files("meldref.report.viewer") / name).read_text(encoding="utf-8")


@cache
def _parts() -> dict[str, str]:
    _, *parts = re.split(r"<!-- ([\w-]+) -->\n", _read("parts.html"))
    return {name: part.rstrip("\n") for name, part in zip(parts[::2], parts[1::2], strict=True)}


def part(name: str, /, **pieces: Part | int) -> Html:
    """A piece of the page, from `parts.html`, with its places filled: whatever is no HTML is escaped."""
    filled = {key: join([str(piece) if isinstance(piece, int) else piece]) for key, piece in pieces.items()}
    return Html(_parts()[name].format_map(filled))


def _digest(part: str) -> str:
    """What the policy knows a style or a script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()


def _as_script(data: Data) -> str:
    """Data that stands in a script element: nothing in it can end that, or begin another one."""
    script = json.dumps(data, separators=(",", ":"))
    return re.sub("[<>&]", lambda found: f"\\u{ord(found[0]):04x}", script)


def _where(log: FilmedLog) -> list[tuple[int, int]]:
    """For each finding the hand and the frame to look at, from 0; what is about no line is at the first."""
    hands = log.hands or [HandFilm()]
    firsts = [hand.first for hand in hands]
    places: list[tuple[int, int]] = []
    for finding in log.audited.report.findings:
        line = finding.span.line if finding.is_in(log.audited.report.path) else 0
        hand = max(bisect_right(firsts, line) - 1, 0)
        shown = hands[hand].shown
        places.append((hand, min(bisect_left(shown, line - firsts[hand]), len(shown) - 1)))
    return places


def _data(log: FilmedLog, where: Sequence[tuple[int, int]]) -> dict[str, Data]:
    return {
        "name": log.name,
        "hands": [_hand_data(hand) for hand in log.hands],
        "findings": [list(place) for place in where],
        "errors": [int(one.severity is Severity.ERROR) for one in log.audited.report.findings],
    }


def _hand_data(hand: HandFilm) -> dict[str, Data]:
    return {
        **facts(hand, "game", "number", "first"),
        "players": [visible(name) for name in hand.players],
        "sides": [visible(name) for name in hand.sides],
        **facts(hand, "dealer", "wild"),
        "totals": list(hand.totals),
        "frames": "|".join(hand.frames),
    }


def _index_row(log: FilmedLog, number: int) -> Html:
    report = log.audited.report
    players = dict.fromkeys(name for hand in log.hands for name in hand.players)
    codes = dict.fromkeys(finding.code for finding in report.findings)
    return part(
        "index-row",
        number=number,
        name=log.name,
        players=[[", " if at else "", tag("bdi", name)] for at, name in enumerate(players)],
        verdict=_verdict(log),
        hands=f"{report.hands:,}",
        turns=f"{report.turns:,}",
        codes=[[" " if at else "", tag("code", code)] for at, code in enumerate(codes)],
    )


def _verdict(log: FilmedLog) -> Html:
    verdict = log.audited.report.verdict
    words = many(log.audited.errors, "violation") if verdict == "violations" else verdict
    return part("verdict", verdict=verdict, words=words)


def _log(log: FilmedLog, number: int) -> Html:
    report, hidden = log.audited.report, log.audited.hidden
    findings = [_finding(log, one, f"finding-{number}-{at}") for at, one in enumerate(report.findings)]
    questions = [part("question", line=one.line, what=one.what) for one in report.open]
    return part(
        "log",
        number=number,
        name=log.name,
        verdict=_verdict(log),
        trouble=part("trouble", trouble=log.trouble) if log.trouble else "",
        findings=part("findings", findings=findings) if findings else "",
        hidden=tag("p", f"{many(hidden, 'more finding')} not shown.") if hidden else "",
        open=part("open", questions=questions) if questions else "",
        sheets=_sheets(log.hands),
        hands=[_hand(log, hand, f"log={number}&hand={at}") for at, hand in enumerate(log.hands, 1)],
    )


def _hand(log: FilmedLog, hand: HandFilm, anchor: str) -> Html:
    report = log.audited.report
    wrong = {one.span.line - hand.first for one in report.findings if one.is_in(report.path)}
    lines = [one_line(plain(line)) for line in hand.lines]
    marked = [tag("mark", line) if at in wrong and line else line for at, line in enumerate(lines)]
    title = f"Game {hand.game}, hand {hand.number}" if hand.game else "Nothing that was played"
    return part(
        "hand", anchor=anchor, title=title, lines=[["\n" if at else "", line] for at, line in enumerate(marked)]
    )


def _finding(log: FilmedLog, finding: Finding, anchor: str) -> Html:
    beside = Path(log.audited.report.path).parent
    rules = [rule for rule in finding.rules or (finding.rule,) if rule is not None]
    return part(
        "finding",
        anchor=anchor,
        severity=finding.severity.value,
        word=verdict_word(finding),
        message=finding.message,
        code=finding.code,
        place=_place(log, finding),
        excerpt=_excerpt(finding),
        notes=[part("note", note=note) for note in finding.notes],
        rules=[part("rule", rule=rule_text(rule, beside)) for rule in rules],
        legal=_legal(finding),
    )


def _place(log: FilmedLog, finding: Finding) -> str:
    file = log.name if finding.is_in(log.audited.report.path) else name_of_file(shown_path(finding.file))
    words = [file, f"line {finding.span.line}"]
    if finding.hand:
        words.append(f"game {finding.game}, hand {finding.hand}")
    if finding.turn:
        words.append(f"turn {finding.turn}")
    return ", ".join(words)


def _excerpt(finding: Finding) -> Html:
    """The line a finding is about, what is meant in it marked."""
    if not finding.excerpt:
        return Html()
    shown = excerpt(finding.excerpt, finding.span.column, finding.span.end_column)
    begin, end = shown.carets.find("^"), len(shown.carets)
    if any(ord(one) > 0x2FF for one in shown.text):  # carets count columns, which are no letters then
        begin = end = len(shown.text)
    marked = tag("mark", shown.text[begin:end]) if begin < end else ""
    return part("excerpt", before=shown.text[:begin], marked=marked, after=shown.text[end:])


def _legal(finding: Finding) -> Html:
    if not finding.help:
        return Html()
    written = finding.code == "log.syntax" or finding.code.startswith("rules.")
    moves = [[" " if at else "", tag("code", move)] for at, move in enumerate(finding.help)]
    return part("legal", word="Help" if written else "Legal here", moves=moves)


def _sheets(hands: Sequence[HandFilm]) -> Html:
    """A sheet for each game whose hands were scored."""
    numbered = groupby(enumerate(hands), lambda one: one[1].game)
    return join(_sheet(game, list(played)) for game, played in numbered if game)


def _sheet(game: int, hands: Sequence[tuple[int, HandFilm]]) -> Html:
    sides = hands[0][1].sides
    summed = any(hand.said for _, hand in hands)
    rows = [_row(hand, at, sides, summed=summed) for at, hand in hands if hand.scores is not None or hand.said]
    if not rows:
        return Html()
    kinds = [tag("th", kind, scope="col") for _ in sides for kind in ("score", "total")]
    return part("sheet", game=game, sides=[part("side", name=name) for name in sides], kinds=kinds, rows=rows)


def _row(hand: HandFilm, at: int, sides: Sequence[str], *, summed: bool) -> Html:
    """A hand; where the log has no totals at all, none is missing."""
    recorded = (hand.scores.recorded if hand.scores is not None else None) or {}
    computed = (hand.scores.computed if hand.scores is not None else None) or {}
    totals = dict(zip(sides, hand.totals, strict=False))
    cells = [
        cell
        for side in sides
        for cell in (
            _cell(_of(recorded, side), computed.get(side)),
            _cell(_of(hand.said, side) if summed else totals.get(side), totals.get(side)),
        )
    ]
    return part("row", at=at, number=hand.number, cells=cells)


def _of(amounts: Mapping[str, int], side: str) -> int | None:
    """What stands on the sheet for a side, under its own name or that of one who plays for it."""
    return next((amounts[name] for name in (side, *side.split("+")) if name in amounts), None)


def _cell(recorded: int | None, computed: int | None) -> Html:
    """A figure; where the sheet says another one, that is crossed out beside it, in words as well."""
    if recorded is None and computed is None:
        return part("unknown")
    if computed is None:
        return part("as-recorded", recorded=recorded or 0)
    if recorded is None:
        return part("not-recorded", computed=computed)
    return part("right" if recorded == computed else "wrong", computed=computed, recorded=recorded)
