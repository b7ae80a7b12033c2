"""Repairs what was written wrongly in a log, or asks about it if there is doubt.

A repair is made if no other explains the finding nearly as well (`MARGIN`), if it names every card
that it changes and no later line contradicts it, and if a new audit finds less and nothing new.
What anybody can have done at the table, though no rule allows it, stays as it is written; so do
cards laid where they do not fit, unless something else in the log follows from that. Nothing is
taken out that is written only once.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Final

from meldref.core.diagnostics import Edit, Finding, Repair, errors_in
from meldref.core.editing import LOG_LINE_END
from meldref.core.records import changed, record
from meldref.notation.reader import read_actions, read_line, read_lines
from meldref.notation.scanner import LONGEST
from meldref.replay.beyond_doubt import edits_beyond_doubt
from meldref.replay.log import NO_OVERRIDES, Overrides, Replay
from meldref.rules.declare import facts
from meldref_authoring.autofix import Change, fix
from meldref_evidence.explaining import RecordExplainer
from meldref_evidence.repair.edits import cards_in
from meldref_evidence.repair.reach import actions_of
from meldref_evidence.repair.search import MARGIN

_LEAST_LOOKS: Final = 6
_MOST_LOOKS: Final = 24
_LOOKED_AT: Final = 400_000
"""How often a log is audited again, to see what repairs leave: a long one, of so many bytes in all,
less often.
"""
_EFFORT: Final = 600_000
"""How much effort goes into that in all: of a torn log, each look takes much."""
QUESTION: Final = " # ? "
"""How a comment begins that says what may have been written wrongly."""


@record
class FixedLog:
    """A log after fixing, the changes, and how many lines have new questions, or cannot be read."""

    text: str
    changes: tuple[Change, ...]
    questions: int
    unread: int = 0


def fix_log(data: bytes, file: str, overrides: Overrides = NO_OVERRIDES) -> FixedLog | None:
    """Makes the repairs of a log that are beyond doubt; None if it is not text.

    Args:
        data: the log.
        file: its name, as findings have it.
        overrides: what goes over its headers.
    """
    looks = max(_LEAST_LOOKS, min(_MOST_LOOKS, _LOOKED_AT // (len(data) + 1)))
    look = partial(_with_edits, file=file, overrides=overrides)
    fixed = fix(data, look, file, looks, LOG_LINE_END, _EFFORT)
    if fixed is None:
        return None
    lines = fixed.text.split("\n")
    questions = 0
    for finding in fixed.rest:
        repair = finding.repair
        at = len(lines) if repair is None else repair.line - 1
        if repair and at < len(lines) and QUESTION.strip() not in lines[at]:
            text = lines[at].rstrip("\r")
            asking = text + _question(repair)
            if len(asking) <= LONGEST:
                lines[at] = asking + lines[at][len(text) :]
                questions += 1
    unread = sum(finding.code == "log.syntax" for finding in fixed.rest)
    return FixedLog("\n".join(lines), fixed.changes, questions, unread)


def _with_edits(data: bytes, *, file: str, overrides: Overrides) -> tuple[Finding, ...]:
    """The errors in a log, each with the edits that fix it if there is no doubt about them."""
    run = Replay(file, overrides, explainer=RecordExplainer(doubt=MARGIN))
    text = data.decode()
    run.feed(read_lines(text))
    lines = LOG_LINE_END.split(text.removeprefix("\ufeff"))
    errors = errors_in(run.finish().findings)
    fixable: list[Finding] = []
    for finding in errors:
        edits = edits_beyond_doubt(finding)
        if edits and edits == finding.edits and finding.code == "log.name":
            edits = tuple(_everywhere(edits[0], lines))
        elif finding.repair and edits:
            is_doubtful = _is_contradicted(finding, edits, lines, errors)
            edits = () if is_doubtful else _without_loss(finding.repair, edits, lines)
        fixable.append(changed(finding, file=file, edits=edits))
    return tuple(fixable)


def _is_contradicted(
    finding: Finding, edits: Sequence[Edit], lines: Sequence[str], errors: Sequence[Finding]
) -> bool:
    """Whether a later line of the hand is wrong, too, in a card that edits put in or take out."""
    cards: Counter[int] = Counter()
    for edit in edits:
        cards.update(_cards_on(edit.text))
        if edit.end_column > 1 or edit.end_line > edit.line:  # a line that is replaced
            cards.subtract(_cards_on(lines[edit.line - 1]))
    other_cards = {card for card, more in cards.items() if more}
    for error in errors:
        is_of_hand = (error.game, error.hand) == (finding.game, finding.hand)
        if not is_of_hand or error.span.line <= finding.span.line:
            continue
        is_evidence = facts(error.code).evidence == "contradiction"
        if is_evidence and not other_cards.isdisjoint(_cards_at_fault(error)):
            return True
    return False


def _cards_on(line: str) -> list[int]:
    """The known cards on a line of play."""
    return cards_in(actions_of(read_line(line.rstrip())[0]))


def _cards_at_fault(finding: Finding) -> list[int]:
    """The known cards of the action that a finding is about."""
    span = finding.span
    return cards_in(read_actions(finding.excerpt[span.column - 1 : span.end_column - 1])[0])


def _without_loss(repair: Repair, edits: Sequence[Edit], lines: Sequence[str]) -> tuple[Edit, ...]:
    """Edits after which all lines still stand somewhere: a turn written anew is a comment then."""
    remaining = Counter(map(_without_number, lines))
    for edit in edits:
        if edit.text:
            remaining.update(map(_without_number, edit.text.split("\n")))
        else:
            remaining[_without_number(lines[edit.line - 1])] -= 1
    careful: list[Edit] = []
    for edit in edits:
        if edit.text or remaining[_without_number(lines[edit.line - 1])]:
            careful.append(edit)
        else:
            careful.append(Edit(edit.line, 1, edit.line, 1, "# "))
    return tuple(careful) if careful == [*edits] or repair.edit == "line-twice" else ()


def _without_number(line: str) -> str:
    """What a line says besides the number of its turn."""
    return " ".join(re.sub(r"^\W*\d+[.)]*", "", line).split())


def _everywhere(edit: Edit, lines: Sequence[str]) -> Iterator[Edit]:
    """An edit of a name, in every line of its game from there on that has it."""
    name = lines[edit.line - 1][edit.column - 1 : edit.end_column - 1]
    word = re.compile(rf"(?<!\w){re.escape(name)}(?!\w)")
    for number, line in enumerate(lines[edit.line - 1 :], edit.line):
        if number > edit.line and line.startswith("["):
            return
        if name in line:
            for match in word.finditer(line.partition("#")[0]):
                yield Edit(number, match.start() + 1, number, match.end() + 1, edit.text)


def _question(repair: Repair) -> str:
    """The comment that names what may have been written wrongly."""
    return QUESTION + "; or ".join([repair.text, *repair.others[:2]])
