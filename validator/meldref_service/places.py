"""Questions about places: what stands there in a log or a rules file, and where something is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from meldref.answers.legal import judge_move
from meldref.conditions.check import facts_named_in
from meldref.conditions.facts import facts_called
from meldref.conditions.types import Sort
from meldref.core.cards import Card, card_text, count
from meldref.core.diagnostics import Span
from meldref.core.events import HandStart, Header
from meldref.documents.reader import Document, read_in_part
from meldref.notation.reader import read_line
from meldref.notation.scanner import lines_of
from meldref.notation.spelling import cards, is_card
from meldref.position.model import Position
from meldref.positions.build import Built
from meldref.report.table import table_lines
from meldref.rulefiles.files import LogName, find, is_path
from meldref.rulefiles.house_rules import HOUSE_RULES
from meldref.rulefiles.vocabulary import describe_key
from meldref.rules.pages import PAGES
from meldref_service.completing import CONDITIONS
from meldref_service.explained import explain, told_key
from meldref_service.given import RULES, GivenRules, Rules
from meldref_service.session import Session
from meldref_service.told import Answer
from meldref_table.report.page import page_data

_OPENS_A_HAND: Final = re.compile(r"[ \t\u00a0]*(?:\[|hand\b)", re.IGNORECASE)
"""How a line looks that may begin a game or a hand; the others need not be read."""
_WORD: Final = re.compile(r"[^\s;:,=#{}\[\]\"()]+")
_FACT: Final = re.compile(r"[a-z_.]+")


def outline(session: Session, *, log: str) -> Answer:
    """The games of a log and the hands of each, with their lines and the numbers that findings have."""
    lines = [*lines_of(log)]
    games: list[Answer] = []
    heads = False
    for number, text in enumerate(lines, 1):
        event = read_line(text, number)[0].event if _OPENS_A_HAND.match(text) else None
        if isinstance(event, Header):
            if not heads:
                games.append({"game": len(games) + 1, "line": number, "headers": {}, "hands": []})
            games[-1]["headers"].setdefault(event.key, event.value)
        elif isinstance(event, HandStart):
            if not games:
                games.append({"game": 1, "line": number, "headers": {}, "hands": []})
            hands = games[-1]["hands"]
            here = event.number or (hands[-1]["hand"] + 1 if hands else 1)
            hands.append({"hand": here, "line": number, "dealer": event.dealer})
        heads = isinstance(event, Header) or (heads and not text.strip())
    _end(games, len(lines))
    for game in games:
        _end(game["hands"], game["last"])
    return {"games": games}


def _end(parts: Sequence[Answer], last: int) -> None:
    """Says of each part of a log where it ends: before the next one, or at the last line."""
    for part in reversed(parts):
        part["last"] = last
        last = part["line"] - 1


def log_at(
    session: Session,
    *,
    log: str,
    line: int,
    column: int,
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """What stands at a place of a log: a card and where it lies, a code; and the table before it."""
    lines = [*lines_of(log)]
    text = lines[line - 1] if line <= len(lines) else ""
    found = _word_at(_WORD, text, column)
    word = found[0] if found else ""
    answer: Answer = {**_span(found), "word": word, "card": None, "lies": [], "page": None}
    code = word.lower().strip(".")
    if code in PAGES and "?!" in text[: column + 1]:
        answer["page"] = page_data(PAGES[code])
    built = session.before(log, line, Rules.of(rules, folder)).built
    if built is None or ":" not in text[: column + 1].partition("#")[0]:
        return {**answer, "table": None}
    built = _after(built, text[: max(text.rfind(";", 0, column), 0)])
    if is_card(word):
        (card,) = cards([word])
        answer |= {"card": card_text(card), "lies": [*_lies(built.position, card)]}
    return {**answer, "table": "\n".join(table_lines(built.position))}


def _after(built: Built, done: str) -> Built:
    """Where a hand stands after the first actions of a turn, if they can be read."""
    judgement = judge_move(built, done) if done else None
    return judgement.after if judgement is not None and judgement.readable else built


def _word_at(pattern: re.Pattern[str], text: str, column: int) -> re.Match[str] | None:
    """The word of a line that a column is in, or behind."""
    return next(
        (one for one in pattern.finditer(text) if one.start() < column <= one.end() + 1), None
    )


def _span(found: re.Match[str] | None) -> Answer:
    """The columns of a word, or nothing."""
    if found is None:
        return {"column": None, "end_column": None}
    return {"column": found.start() + 1, "end_column": found.end() + 1}


def _lies(stands: Position, card: Card) -> Iterator[str]:
    """Where the copies of a card lie, as far as anybody knows, each as the end of a sentence."""
    players = stands.players
    for seat, hand in enumerate(stands.hands):
        yield from [f"in {players[seat]}'s hand"] * count(hand, card)
    for number, meld in enumerate(stands.melds, 1):
        laid = [players[one.seat] for one in meld.cards if one.card == card]
        yield from (f"in meld m{number}, laid by {player}" for player in laid)
    for above, other in enumerate(reversed(stands.pile)):
        if other == card:
            yield "on top of the pile" if not above else f"in the pile, {above} above it"
    for above, other in enumerate(reversed(stands.stock)):
        if other == card:
            yield "on top of the stock" if not above else f"in the stock, {above} above it"
    unseen = count(stands.unseen, card)
    if unseen:
        yield f"where nobody has seen {'it' if unseen == 1 else f'{unseen} of it'}"


def rules_at(session: Session, *, text: str, line: int, column: int, folder: str = "") -> Answer:
    """What stands at a place of a rules file: a key, what it means and who set it; a fact; a game."""
    document, _ = read_in_part(text, RULES)
    found = None if document is None else _path_at(document, line, column)
    if document is None or found is None:
        return {"column": None, "end_column": None, "key": None, "says": "", "names": None}
    path, span = found
    word = _word_at(_FACT, document.excerpt(line), column)
    answer = {"column": span.column, "end_column": span.end_column, "says": "", "names": None}
    if path[0] in {"extends", "with"}:
        value = _value_at(document, path)
        answer["names"] = value if isinstance(value, str) else None
    if path[0] == HOUSE_RULES and path[-1] in CONDITIONS and word is not None:
        condition = str(_value_at(document, path))
        sort = Sort.NUMBER if path[-1] == "award" else Sort.YES_NO
        named = facts_named_in(condition, sort) or facts_called(word[0])
        facts = [one for one in named if one[0] == word[0]]
        if facts:
            answer |= {
                **_span(word),
                "says": "\n".join(f"{name}: {about}" for name, about in facts),
            }
    return {**answer, "key": _key(session, path, text, folder)}


def _path_at(
    document: Document, line: int, column: int
) -> tuple[tuple[str | int, ...], Span] | None:
    """The path of what stands at a place, a key or a value, and where it is written."""
    places = (*document.key_places.items(), *document.places.items())
    here = [
        (path, span)
        for path, span in places
        if path and span.line == line and span.column <= column <= max(span.end_column, span.column)
    ]
    return max(here, key=lambda one: len(one[0]), default=None)


def _value_at(document: Document, path: Sequence[str | int]) -> Any:
    value: Any = document.value
    for part in path:
        value = value[part]
    return value


def _key(session: Session, path: Sequence[str | int], text: str, folder: str) -> Answer | None:
    """A key explained in the rules of this text; only what it means where nothing plays by them."""
    name = ".".join(str(part) for part in path if isinstance(part, str))
    explained = explain(session, about=name, rules={"text": text}, folder=folder)
    if explained["sort"] == "key":
        return explained
    key = describe_key(name)
    return None if key is None else {**told_key(key), "value": None, "set_by": None, "over": []}


def source(session: Session, *, name: str, folder: str = "") -> Answer:
    """Where a rules file is that ships, or that is in the folder: its path, null if there is none."""
    place = Rules.of("", folder).folder
    own = find(LogName(name, place)) if folder and is_path(name) else None
    file = own or find(Path(name).stem)
    return {
        "path": None if file is None else str(file.path),
        "shipped": bool(file and file.shipped),
    }
