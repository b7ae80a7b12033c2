"""The page: what was found as a list that anybody can read, and beside it the data that the scripts play."""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Iterator, Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path
from string import Template
from typing import Final

from meldref.core.diagnostics import Finding, Severity
from meldref.core.records import record
from meldref.core.text import many, name_of_file, one_line, visible
from meldref.core.version import __version__
from meldref.report.elements import Html, Part, join, tag, text
from meldref.report.excerpt import excerpt, plain
from meldref.report.json import Data
from meldref.report.tally import Audited, LogTally
from meldref.report.text import rule_text, shown_path, summary_text, verdict_word
from meldref.report.viewer.film import HandFilm
from meldref.report.viewer.sheets import score_sheets

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
    style, script = _part("viewer.css"), _part("viewer.js")
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
        "index": _index(logs),
        "version": text(__version__),
        "style": style,
        "script": script,
        "data": _as_script({"logs": [_data(log, where) for log, where in zip(logs, found, strict=True)]}),
    }
    before, _, after = _part("viewer.html").partition("${logs}")
    yield Template(before).substitute(pieces)
    yield from (_log(log, number, where) for number, (log, where) in enumerate(zip(logs, found, strict=True), 1))
    yield Template(after).substitute(pieces)


@cache
def _part(name: str) -> str:
    return (files("meldref.report.viewer") / name).read_text(encoding="utf-8")


def _digest(part: str) -> str:
    """What the policy knows a style or a script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()


def _as_script(data: Data) -> str:
    """Data that stands in a script element: nothing in it can end that, or begin another one."""
    return (
        json.dumps(data, separators=(",", ":"))
        .replace("<", "\\u003c")
        .replace(">", "\\u003e")
        .replace("&", "\\u0026")
    )


# --- where findings are ----------------------------------------------------------------------------------------


def _where(log: FilmedLog) -> list[tuple[int, int]]:
    """For each finding the hand and the frame to look at, from 0; what is about no line is at the first."""
    places: list[tuple[int, int]] = []
    for finding in log.audited.report.findings:
        line = finding.span.line if finding.is_in(log.audited.report.path) else 0
        hand = max((at for at, one in enumerate(log.hands) if one.first <= line), default=0)
        shown = log.hands[hand].shown if log.hands else []
        wanted = line - log.hands[hand].first if log.hands else 0
        places.append((hand, next((at for at, one in enumerate(shown) if one >= wanted), len(shown) - 1)))
    return places


# --- what scripts play -----------------------------------------------------------------------------------------


def _data(log: FilmedLog, where: Sequence[tuple[int, int]]) -> dict[str, Data]:
    return {
        "name": log.name,
        "hands": [_hand_data(hand) for hand in log.hands],
        "findings": [list(place) for place in where],
        "errors": [int(one.severity is Severity.ERROR) for one in log.audited.report.findings],
    }


def _hand_data(hand: HandFilm) -> dict[str, Data]:
    return {
        "game": hand.game,
        "number": hand.number,
        "first": hand.first,
        "players": [visible(name) for name in hand.players],
        "sides": [visible(name) for name in hand.sides],
        "dealer": hand.dealer,
        "wild": hand.wild,
        "totals": list(hand.totals),
        "frames": "|".join(hand.frames),
    }


# --- what can be read without scripts --------------------------------------------------------------------------


def _index(logs: Sequence[FilmedLog]) -> Html:
    head = tag(
        "tr", [tag("th", one, scope="col") for one in ("Log", "Players", "Verdict", "Hands", "Turns", "Findings")]
    )
    return tag("table", tag("thead", head), tag("tbody", map(_index_row, logs, range(1, len(logs) + 1))))


def _index_row(log: FilmedLog, number: int) -> Html:
    report = log.audited.report
    players = dict.fromkeys(name for hand in log.hands for name in hand.players)
    codes = dict.fromkeys(finding.code for finding in report.findings)
    return tag(
        "tr",
        tag("th", tag("a", tag("bdi", log.name), href=f"#log={number}"), scope="row"),
        tag("td", [[", " if at else "", tag("bdi", name)] for at, name in enumerate(players)]),
        tag("td", _verdict(log)),
        tag("td", f"{report.hands:,}", class_="number"),
        tag("td", f"{report.turns:,}", class_="number"),
        tag("td", [[" " if at else "", tag("code", code)] for at, code in enumerate(codes)]),
    )


def _verdict(log: FilmedLog) -> Html:
    verdict = log.audited.report.verdict
    words = many(log.audited.errors, "violation") if verdict == "violations" else verdict
    return tag("span", words, class_=f"verdict {verdict}")


def _log(log: FilmedLog, number: int, where: Sequence[tuple[int, int]]) -> Html:
    report = log.audited.report
    rest = f"{many(log.audited.hidden, 'more finding')} not shown." if log.audited.hidden else ""
    return tag(
        "section",
        tag("h2", tag("bdi", log.name), " ", _verdict(log)),
        tag("p", log.trouble, class_="trouble") if log.trouble else "",
        tag(
            "ol",
            [_finding(log, one, f"finding-{number}-{at}") for at, one in enumerate(report.findings)],
            class_="findings",
        )
        if report.findings
        else "",
        tag("p", rest) if rest else "",
        tag("ul", [tag("li", f"line {one.line}: {one.what}") for one in report.open], class_="open")
        if report.open
        else "",
        score_sheets(log.hands),
        [_hand(log, hand, f"log={number}&hand={at}") for at, hand in enumerate(log.hands, 1)],
        id=f"log={number}",
        class_="log",
    )


def _hand(log: FilmedLog, hand: HandFilm, anchor: str) -> Html:
    report = log.audited.report
    wrong = {one.span.line - hand.first for one in report.findings if one.is_in(report.path)}
    lines = [one_line(plain(line)) for line in hand.lines]
    marked = [tag("mark", line) if at in wrong and line else line for at, line in enumerate(lines)]
    title = f"Game {hand.game}, hand {hand.number}" if hand.game else "Nothing that was played"
    return tag(
        "section",
        tag("h3", title),
        # The first line break within is none: a parser drops it.
        tag("pre", "\n", [["\n" if at else "", line] for at, line in enumerate(marked)]),
        id=anchor,
        class_="hand",
    )


def _finding(log: FilmedLog, finding: Finding, anchor: str) -> Html:
    beside = Path(log.audited.report.path).parent
    return tag(
        "li",
        tag(
            "p",
            tag("strong", verdict_word(finding), class_=finding.severity.value),
            ": ",
            tag("bdi", finding.message),
            " ",
            tag("code", finding.code, class_="code"),
            class_="what",
        ),
        tag("p", _place(log, finding), class_="place"),
        _excerpt(finding),
        [tag("p", tag("bdi", note), class_="note") for note in finding.notes],
        [
            tag("p", tag("b", "Rule"), " ", tag("code", rule_text(rule, beside)), class_="rule")
            for rule in finding.rules or (finding.rule,)
            if rule is not None
        ],
        _legal(finding),
        tag("p", tag("b", "More"), " ", tag("code", f"meldref explain {finding.code}"), class_="more"),
        id=anchor,
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
    parts = (shown.text[:begin], tag("mark", shown.text[begin:end]) if begin < end else "", shown.text[end:])
    return tag("pre", parts, class_="excerpt")


def _legal(finding: Finding) -> Html:
    if not finding.help:
        return Html()
    written = finding.code == "log.syntax" or finding.code.startswith("rules.")
    moves = [[" " if at else "", tag("code", move)] for at, move in enumerate(finding.help)]
    return tag("p", tag("b", "Help" if written else "Legal here"), " ", moves, class_="legal")
