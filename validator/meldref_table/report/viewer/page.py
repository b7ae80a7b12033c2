"""The page: the findings as a list for anybody, and the data that the scripts play."""

from __future__ import annotations

import base64
import hashlib
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from functools import cache
from importlib.resources import files
from itertools import groupby
from pathlib import Path
from string import Template
from typing import Final, NamedTuple

from meldref.core.diagnostics import Finding, Severity
from meldref.core.editing import LOG_LINE_END, apply
from meldref.core.records import changed, record
from meldref.core.text import many, name_of_file, one_line, visible, without_commands
from meldref.core.version import __version__
from meldref.replay.result import LogReport
from meldref.report.elements import Html, Part, join, tag, text
from meldref.report.excerpt import excerpt, plain
from meldref.report.json import Data, facts
from meldref.report.tally import Audited, LogTally
from meldref.report.text import (
    beside_of,
    explained_by,
    is_of_writing,
    repair_of,
    rule_text,
    rules_of,
    shown_path,
    summary_text,
    verdict_word,
)
from meldref.rules.game import only_out_ends
from meldref.ruleset.model import Ruleset
from meldref_table.report.looks import card_style, card_symbols, looks
from meldref_table.report.viewer.film import BestTurn, HandFilm

MOST_BOOKLETS: Final = 3
"""How many rulebooks a page has at most."""
_FIRST: Final = ("unreadable", "violations", "undecided", "clean")
"""The verdicts in the order of the index."""
_AT_FAULT: Final = ("the card at fault: ", "the cards at fault: ")
_CARD: Final = re.compile(r"\b(?:[A2-9TJQK][cdhs]|Jk)\b")
_AROUND: Final = 2
"""How many lines are shown around those that a repair changes."""
_MOST_REPAIRED: Final = 20
"""The most of these at one place."""
_POLICY: Final = (
    "default-src 'none'; img-src blob:; style-src '{}'; script-src '{}'; "
    "base-uri 'none'; form-action 'none'"
)


@record
class FilmedLog:
    """A log that was audited, and its hands as they were recorded.

    `trouble` is why it could not be read, `name` what it is called on its page. `source` is the
    audit with its places in the file that the log was made of, if it was made of one.
    """

    audited: Audited
    hands: Sequence[HandFilm] = ()
    trouble: str = ""
    name: str = ""
    source: LogReport | None = None

    @property
    def shown(self) -> LogReport:
        """The audit as readers are told it."""
        return self.audited.report if self.source is None else self.source


def page_of(
    logs: Sequence[FilmedLog],
    troubles: Sequence[str] = (),
    *,
    rulebook: Callable[[Ruleset], str] | None = None,
) -> Iterator[str]:
    """The page of some logs, in pieces.

    Args:
        logs: the logs.
        troubles: what is wrong with files that are not logs.
        rulebook: writes the rules of a ruleset as a section in HTML; without it, the page has none.
    """
    tally = LogTally()
    for log in logs:
        tally.add(log.audited)
    names = _short_names([log.audited.report.path for log in logs])
    logs = [changed(log, name=name) for log, name in zip(logs, names, strict=True)]
    style, script = looks() + card_style() + _read("viewer.css"), _read("viewer.js")
    title = logs[0].name if len(logs) == 1 else many(len(logs), "log")
    booklets = [] if rulebook is None else _booklets(logs, rulebook)
    order = sorted(range(len(logs)), key=lambda at: _FIRST.index(logs[at].audited.report.verdict))
    verdict: Part = summary_text(tally)
    if len(logs) == 1:
        played = f"{many(tally.hands, 'hand')}, {many(tally.turns, 'turn')}"
        verdict = [_verdict(logs[0]), " ", played]
    summary = [tag("p", verdict, class_="summary"), *[tag("p", trouble) for trouble in troubles]]
    pieces = {
        "policy": _POLICY.format(_digest(style), _digest(script)),
        "title": text(title),
        "summary": join(summary),
        "index": part("index", rows=[_index_row(logs[at], at + 1) for at in order]),
        "version": text(__version__),
        "style": style,
        "cards": card_symbols(),
        "script": script,
        "booklets": join(
            part("booklet", number=number, name=booklet.ruleset.name, text=booklet.text)
            for number, booklet in enumerate(booklets, 1)
        ),
        "data": _as_script({"logs": list(map(_data, logs))}),
    }
    before, _, after = _read("viewer.html").partition("${logs}")
    yield Template(before).substitute(pieces)
    yield from (_log(log, number, booklets) for number, log in enumerate(logs, 1))
    yield Template(after).substitute(pieces)


@cache
def _read(name: str) -> str:
    """A file of the page."""
    return (files("meldref_table.report.viewer") / name).read_text(encoding="utf-8")


@cache
def _parts() -> dict[str, str]:
    _, *parts = re.split(r"<!-- ([\w-]+) -->\n", _read("parts.html"))
    return {name: part.rstrip("\n") for name, part in zip(parts[::2], parts[1::2], strict=True)}


def part(name: str, /, **pieces: Part | int) -> Html:
    """A piece of the page from `parts.html`, with its places filled and everything escaped."""
    filled = {
        key: join([str(piece) if isinstance(piece, int) else piece])
        for key, piece in pieces.items()
    }
    return Html(_parts()[name].format_map(filled))


def _digest(part: str) -> str:
    """What the policy knows a style or a script by."""
    return "sha256-" + base64.b64encode(hashlib.sha256(part.encode()).digest()).decode()


def _as_script(data: Data) -> str:
    """Data for a script element: nothing in it can end the element, or begin another one."""
    script = json.dumps(data, separators=(",", ":"))
    return without_commands(re.sub("[<>&]", lambda match: f"\\u{ord(match[0]):04x}", script))


def _where(log: FilmedLog) -> list[tuple[int, int]]:
    """For each finding the hand and the frame to look at, from 0; the first if it has no line."""
    hands = log.hands or [HandFilm()]
    firsts = [hand.first for hand in hands]
    places: list[tuple[int, int]] = []
    for finding in log.audited.report.findings:
        line = finding.span.line if finding.is_in(log.audited.report.path) else 0
        hand = max(bisect_right(firsts, line) - 1, 0)
        shown = hands[hand].shown
        places.append((hand, min(bisect_left(shown, line - firsts[hand]), len(shown) - 1)))
    return places


def _data(log: FilmedLog) -> dict[str, Data]:
    """What the scripts play; who plays is there once for all hands of the same players."""
    findings = log.audited.report.findings
    tables = {table: at for at, table in enumerate(dict.fromkeys(map(_table, log.hands)))}
    return {
        "name": log.name,
        "tables": [[list(map(visible, names)) for names in table] for table in tables],
        "hands": [_hand_data(hand, tables[_table(hand)]) for hand in log.hands],
        "findings": list(map(list, _where(log))),
        "faults": list(map(_faults, findings)),
        "errors": [int(finding.severity is Severity.ERROR) for finding in findings],
    }


def _faults(finding: Finding) -> str:
    """The cards marked for a finding: those that its notes name, else those of its place."""
    named = [note for note in finding.notes if note.startswith(_AT_FAULT)]
    span = finding.span
    text = " ".join(named) if named else finding.excerpt[span.column - 1 : span.end_column - 1]
    return " ".join(dict.fromkeys(_CARD.findall(text)))


def _table(hand: HandFilm) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Who plays a hand: players and sides."""
    return hand.players, hand.sides


def _hand_data(hand: HandFilm, table: int) -> dict[str, Data]:
    return {
        **facts(hand, "game", "number", "first", "dealer", "wild"),
        "table": table,
        "totals": list(hand.totals),
        **facts(hand, "target", "contract"),
        "frames": "|".join(hand.frames),
    }


def _short_names(paths: Sequence[str]) -> list[str]:
    """The names of logs as a page shows them, without the folders that they share."""
    names = ["standard input" if path == "-" else name_of_file(shown_path(path)) for path in paths]
    split = [Path(name).parts for name in names]
    shared = min([len(parts) - 1 for parts in split], default=0)
    while shared and len({parts[:shared] for parts in split}) > 1:
        shared -= 1
    return ["/".join(parts[shared:]) for parts in split]


class Booklet(NamedTuple):
    """A rulebook in the page."""

    ruleset: Ruleset
    text: Html


def _booklets(logs: Sequence[FilmedLog], rulebook: Callable[[Ruleset], str]) -> list[Booklet]:
    """The rulebooks of the first few rulesets that are played."""
    booklets: list[Booklet] = []
    played = [hand.ruleset for log in logs for hand in log.hands if hand.ruleset is not None]
    for ruleset in played:
        if len(booklets) < MOST_BOOKLETS and not _number(ruleset, booklets):
            booklets.append(Booklet(ruleset, Html(rulebook(ruleset))))
    return booklets


def _number(ruleset: Ruleset, booklets: Sequence[Booklet]) -> int:
    """Which of the rulebooks is that of a ruleset, from 1; 0: none."""
    numbers = (number for number, booklet in enumerate(booklets, 1) if booklet.ruleset == ruleset)
    return next(numbers, 0)


def _about(log: FilmedLog, booklets: Sequence[Booklet]) -> list[Html]:
    """What is played in each game of a log: its rules, and where and when, by its headers."""
    return [
        _about_game(hand, hand.ruleset, booklets) for hand in log.hands if hand.ruleset is not None
    ]


def _about_game(hand: HandFilm, ruleset: Ruleset, booklets: Sequence[Booklet]) -> Html:
    rows = [("Options", ", ".join(ruleset.options))]
    rows.append(("House rules", ", ".join(rule.name for rule in ruleset.house_rules)))
    rows.append(_goal(ruleset))
    rows += [(key, hand.headers.get(key, "")) for key in ("Date", "Event", "Site")]
    number = _number(ruleset, booklets)
    name: Part = ruleset.name
    if number:
        name = tag("a", name, href=f"#booklet-{number}", class_="booklet")
    return part(
        "about",
        game=hand.game,
        name=name,
        facts=[part("fact", key=key, value=value) for key, value in rows if value],
    )


def _goal(ruleset: Ruleset) -> tuple[str, str]:
    """When the game is over, in a word or two."""
    game = ruleset.game
    if game.ends == "after_hands":
        return "To", many(game.hands[1], "hand")
    if game.out_at is not None and only_out_ends(ruleset):
        return "Until", f"all but one have more than {many(game.out_at, 'point')}"
    return "To", many(game.target, "point")


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


def _log(log: FilmedLog, number: int, booklets: Sequence[Booklet] = ()) -> Html:
    report, hidden = log.audited.report, log.audited.hidden
    best = {line: turn for hand in log.hands for line, turn in hand.best.items()}
    findings = [
        _finding(log, at, f"finding-{number}-{at}", best) for at in range(len(report.findings))
    ]
    questions = [
        part("question", line=question.line, what=question.what) for question in log.shown.open
    ]
    wrong = {finding.span.line for finding in report.findings if finding.is_in(report.path)}
    return part(
        "log",
        number=number,
        name=log.name,
        verdict=_verdict(log),
        trouble=part("trouble", trouble=log.trouble) if log.trouble else "",
        about=_about(log, booklets),
        findings=part("findings", findings=findings) if findings else "",
        hidden=tag("p", f"{many(hidden, 'more finding')} not shown.") if hidden else "",
        open=part("open", questions=questions) if questions else "",
        sheets=_sheets(log.hands),
        hands=[
            _hand(hand, wrong, f"log={number}&hand={at}") for at, hand in enumerate(log.hands, 1)
        ],
    )


def _hand(hand: HandFilm, wrong: Container[int], anchor: str) -> Html:
    """A hand's lines, those marked that are wrong."""
    lines = [(at, one_line(plain(line))) for at, line in enumerate(hand.lines, hand.first)]
    marked = [tag("mark", line) if at in wrong and line else line for at, line in lines]
    title = f"Game {hand.game}, hand {hand.number}" if hand.game else "Nothing that was played"
    return part(
        "hand",
        anchor=anchor,
        title=title,
        lines=[["\n" if at else "", line] for at, line in enumerate(marked)],
    )


def _finding(log: FilmedLog, at: int, anchor: str, best: Mapping[int, BestTurn]) -> Html:
    """A finding as it is told, and what its line in the log has beside it."""
    finding, in_log = log.shown.findings[at], log.audited.report.findings[at]
    beside = Path(log.audited.report.path).parent
    return part(
        "finding",
        anchor=anchor,
        severity=finding.severity.value,
        word=verdict_word(finding),
        message=finding.message,
        code=finding.code,
        place=_place(log, finding),
        excerpt=_excerpt(finding),
        notes=[
            part("note", note=note)
            for note in (*finding.notes, *beside_of(finding), *repair_of(finding))
        ],
        repaired=_repaired(log, finding),
        rules=[part("rule", rule=rule_text(rule, beside)) for rule in rules_of(finding)],
        legal=_legal(finding),
        best=_best(best.get(in_log.span.line) if in_log.is_in(log.audited.report.path) else None),
        more=[part("more", command=command)] if (command := explained_by(finding, beside)) else [],
    )


def _repaired(log: FilmedLog, finding: Finding) -> Html:
    """The hand as written and as it probably was, near the lines that differ, which are marked."""
    edits = () if finding.repair is None else finding.repair.edits
    if not edits or not finding.is_in(log.audited.report.path):
        return Html()
    first, last = min(edit.line for edit in edits), max(edit.end_line for edit in edits)
    for hand in log.hands:
        if hand.first <= first and last <= hand.first + len(hand.lines):
            break
    else:
        return Html()
    before = hand.first - 1
    here = [
        changed(edit, line=edit.line - before, end_line=edit.end_line - before) for edit in edits
    ]
    written = "".join([f"{line}\n" for line in hand.lines])
    repaired = apply(written, here, LOG_LINE_END)
    old, new = written.split("\n"), repaired.split("\n")
    columns: tuple[list[Part], list[Part]] = ([], [])
    for group in SequenceMatcher(None, old, new, autojunk=False).get_grouped_opcodes(_AROUND):
        for same, begin, end, new_begin, new_end in group:
            for column, lines in zip(
                columns, (old[begin:end], new[new_begin:new_end]), strict=True
            ):
                for line in lines[:_MOST_REPAIRED]:
                    shown = one_line(plain(line))
                    column.append([shown if same == "equal" else tag("mark", shown), "\n"])
    return part("repaired", written=columns[0], repaired=columns[1])


def _place(log: FilmedLog, finding: Finding) -> str:
    file = (
        log.name
        if finding.is_in(log.audited.report.path)
        else name_of_file(shown_path(finding.file))
    )
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
    # Carets count columns, which are not letters where some are wide.
    if any(ord(sign) > 0x2FF for sign in shown.text):
        begin = end = len(shown.text)
    marked = tag("mark", shown.text[begin:end]) if begin < end else ""
    return part("excerpt", before=shown.text[:begin], marked=marked, after=shown.text[end:])


def _legal(finding: Finding) -> Html:
    if not finding.help:
        return Html()
    moves = [[" " if at else "", tag("code", move)] for at, move in enumerate(finding.help)]
    return part("legal", word="Help" if is_of_writing(finding) else "Legal here", moves=moves)


def _best(turn: BestTurn | None) -> Html:
    """The best turn at the line, and what it would have brought more."""
    if turn is None:
        return Html()
    missed = f": {many(turn.missed, 'point')} missed" if turn.missed > 0 else ""
    return part("best", move=turn.move, points=f"{turn.points:+d}", missed=missed)


def _sheets(hands: Sequence[HandFilm]) -> Html:
    """A sheet for each game whose hands were scored."""
    numbered = groupby(enumerate(hands), lambda numbered: numbered[1].game)
    return join(_sheet(game, list(played)) for game, played in numbered if game)


def _sheet(game: int, hands: Sequence[tuple[int, HandFilm]]) -> Html:
    sides = hands[0][1].sides
    summed = any(hand.recorded for _, hand in hands)
    rows = [
        _row(hand, at, sides, summed=summed)
        for at, hand in hands
        if hand.scores is not None or hand.recorded
    ]
    if not rows:
        return Html()
    kinds = [tag("th", kind, scope="col") for _ in sides for kind in ("score", "total")]
    return part(
        "sheet",
        game=game,
        sides=[part("side", name=name) for name in sides],
        kinds=kinds,
        rows=rows,
    )


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
            _cell(_of(hand.recorded, side) if summed else totals.get(side), totals.get(side)),
        )
    ]
    return part("row", at=at, number=hand.number, cells=cells)


def _of(amounts: Mapping[str, int], side: str) -> int | None:
    """What stands on the sheet for a side, under its own name or that of one who plays for it."""
    return next((amounts[name] for name in (side, *side.split("+")) if name in amounts), None)


def _cell(recorded: int | None, computed: int | None) -> Html:
    """A figure.

    Where the sheet says another one, that is crossed out beside it, in words as well.
    """
    if recorded is None and computed is None:
        return part("unknown")
    if computed is None:
        return part("as-recorded", recorded=recorded or 0)
    if recorded is None:
        return part("not-recorded", computed=computed)
    return part("right" if recorded == computed else "wrong", computed=computed, recorded=recorded)
