"""Rules that were found as a rules file: what it builds on, options by name, single settings, and the evidence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from meldref.core.text import alike, in_words, many
from meldref.documents.syntax_fixes import quote_text
from meldref.inferring.draft import Draft
from meldref.inferring.evidence import Evidence, Place
from meldref.inferring.infer import HeldOut, Inferred
from meldref.inferring.leeway import Leeway
from meldref.inferring.strictness import Question
from meldref.rulefiles.vocabulary import key_paths
from meldref.rules.pages import PAGES

_COLUMN = 34
_WIDTH = 110


def write_rules(
    draft: Draft,
    evidence: Sequence[Evidence],
    id_: str,
    counted: str,
    unexplained: Sequence[str] = (),
    questions: Sequence[Question] = (),
    left_open: Sequence[str] = (),
) -> str:
    """The text of a rules file.

    `counted` says from what the rules were found; `unexplained` are sentences on what they leave as
    mistakes, `questions` what the logs leave open, and `left_open` how much of it there is.
    """
    lines = [
        f"# Found by meldref from {counted}.",
        f"id: {id_}",
        f"name: {quote_text(f'Rules found from {counted}')}",
        *_extends(draft, evidence),
        *_settings(draft, evidence),
    ]
    if unexplained:
        lines += ["", "# What these rules do not explain:", *(f"# - {one}" for one in unexplained)]
    if questions:
        lines += ["", "# Questions for the table:", *_questions(questions)]
    if left_open:
        lines += ["", "# What so few logs leave open:", *(f"# {line}" for line in left_open)]
    return "".join(f"{line.rstrip()}\n" for line in lines)


def _questions(questions: Sequence[Question]) -> Iterator[str]:
    """Questions as comments, each with the game that would tell."""
    for question in questions:
        yield f"# - {question.text}"
        if question.example:
            yield "#   The shortest game that would tell:"
            yield from (f"#     {line}" for line in question.example)


def _extends(draft: Draft, evidence: Sequence[Evidence]) -> Iterator[str]:
    yield "extends:"
    yield _with_comment(f"  - {draft.game}", "the nearest game that ships")
    for one in evidence:
        if one.key == "extends":
            yield _with_comment(f"  - {one.value}", one.text)


def _settings(draft: Draft, evidence: Sequence[Evidence]) -> Iterator[str]:
    """The single settings, in the order of the vocabulary, with their sections."""
    texts = {one.key: one.text for one in evidence}
    order = {key: place for place, key in enumerate(key_paths())}

    def place(key: str) -> tuple[int, str]:
        above = key
        while above and above not in order:
            above = above.rpartition(".")[0]
        return order.get(above, len(order)), key

    path: tuple[str, ...] = ()
    for key, value in sorted(draft.settings, key=lambda setting: place(setting[0])):
        parts = tuple(key.split("."))
        same = alike(path, parts[:-1])
        for depth in range(same, len(parts) - 1):
            yield f"{'  ' * depth}{parts[depth]}:"
        yield _with_comment(f"{'  ' * (len(parts) - 1)}{parts[-1]}: {value}", texts.get(key, ""))
        path = parts[:-1]


def _with_comment(line: str, comment: str) -> str:
    return f"{line:<{_COLUMN}}# {comment}" if len(line) < _COLUMN else f"{line}  # {comment}"


def counted(logs: int, hands: int) -> str:
    """From how much rules were found: `16 logs with 92 hands`."""
    return f"{many(logs, 'log')} with {many(hands, 'hand')}"


def remarks(found: Inferred) -> list[str]:
    """Sentences on what rules leave unexplained, each with the place of the first such finding."""
    return [
        f"{one.code}, in {many(one.count, 'hand')} (first {one.first}): "
        + (PAGES[one.code].title if one.code in PAGES else "forbidden by a rule of the game's own")
        for one in found.unexplained
    ]


def _left_open(found: Leeway | None, id_: str) -> Iterator[str]:
    """How much a few logs leave open, and how to see the shortest game that would tell."""
    if found is None:
        return
    yield f"{found.alike} of {found.rules} rules that differ in one option or setting judge these logs alike."
    if found.keys:
        yield from wrap(f"The logs say nothing of {in_words(found.keys)}.", _WIDTH)
    yield "The shortest game that tells two of them apart:"
    yield f"  meldref rules diff --example {id_}.yaml {id_}.yaml+OPTION"


def text_of(found: Inferred, id_: str) -> str:
    """The rules file of what was found."""
    return write_rules(
        found.draft,
        found.evidence,
        id_,
        counted(found.logs, found.hands),
        remarks(found),
        found.questions,
        [*_left_open(found.leeway, id_)],
    )


def data_of(found: Inferred, text: str) -> dict[str, object]:
    """What was found, as data for programs."""
    draft, held = found.draft, found.held_out
    return {
        "version": 1,
        "logs": found.logs,
        "hands": found.hands,
        "turns": found.turns,
        "game": draft.game,
        "options": list(draft.options),
        "settings": dict(draft.settings),
        "bits": round(found.bits, 1),
        "bits_of_game": round(found.bits_of_game, 1),
        "evidence": [
            {
                "key": one.key,
                "value": one.value,
                "for": one.speaks_for,
                "against": one.speaks_against,
                "expected": None if one.expected is None else round(one.expected, 1),
                "code": one.code or None,
                "first_for": _place_data(one.first_for),
                "first_against": _place_data(one.first_against),
            }
            for one in found.evidence
        ],
        "unexplained": [
            {"code": one.code, "hands": one.count, "first": _place_data(one.first)}
            for one in found.unexplained
        ],
        "held_out": held
        and {"logs": held.logs, "clean": held.clean, "findings": dict(held.findings)},
        "leeway": found.leeway
        and {
            "rules": found.leeway.rules,
            "alike": found.leeway.alike,
            "keys": list(found.leeway.keys),
        },
        "questions": [{"text": one.text, "example": list(one.example)} for one in found.questions],
        "file": text,
    }


def _place_data(place: Place | None) -> dict[str, object] | None:
    return None if place is None else {"log": place.log, "line": place.line}


def held_out_text(held: HeldOut) -> str:
    """How the rules judge logs that they were not found from, in a sentence."""
    text = f"{held.clean} of {many(held.logs, 'log')} held out are clean by these rules"
    if held.findings:
        counts = sorted(held.findings.items(), key=lambda item: -item[1])
        text += "; the others have " + in_words([f"{code} ({count})" for code, count in counts])
    return text
