"""Rules that were found, as a rules file with the evidence in comments, and as data."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from textwrap import wrap

from meldref.core.text import alike, in_words, many
from meldref.documents.reader import quote_text
from meldref.rulefiles.vocabulary import key_paths
from meldref.rules.pages import PAGES
from meldref_evidence.inferring.draft import Draft
from meldref_evidence.inferring.evidence import Evidence, Place
from meldref_evidence.inferring.infer import HeldOut, Inferred, LeftOut
from meldref_evidence.inferring.leeway import Leeway
from meldref_evidence.inferring.strictness import Question

_COLUMN = 34
_WIDTH = 110


def text_of(inferred: Inferred, id_: str) -> str:
    """The rules file of what was found, which gets the id `id_`."""
    source = counted(inferred.logs, inferred.hands)
    name = quote_text(f"Rules found from {source}")
    lines = [
        f"# Found by meldref from {source}.",
        f"id: {id_}",
        f"name: {name}",
        *_extends(inferred.draft, inferred.evidence),
        *_settings(inferred.draft, inferred.evidence),
    ]
    if inferred.unexplained:
        lines += ["", "# What these rules do not explain:"]
        lines += [f"# - {remark}" for remark in remarks(inferred)]
    if inferred.left_out is not None:
        lines += ["", "# What was left out, since only so much is looked at:"]
        lines += [f"# - {sentence}" for sentence in left_out_text(inferred.left_out)]
    if inferred.questions:
        lines += ["", "# Questions for the table:", *_questions(inferred.questions)]
    if inferred.leeway is not None:
        lines += ["", "# What so few logs leave open:"]
        lines += [f"# {line}" for line in _left_open(inferred.leeway, id_)]
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
    for part in evidence:
        if part.key == "extends":
            yield _with_comment(f"  - {part.value}", part.text)


def _settings(draft: Draft, evidence: Sequence[Evidence]) -> Iterator[str]:
    """The single settings, in the order of the vocabulary, with their sections."""
    texts = {part.key: part.text for part in evidence}
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


def remarks(inferred: Inferred) -> list[str]:
    """Sentences on what rules leave unexplained, each with the place of the first such finding."""
    sentences: list[str] = []
    for rest in inferred.unexplained:
        page = PAGES.get(rest.code)
        title = "forbidden by a rule of the game's own" if page is None else page.title
        sentences.append(
            f"{rest.code}, in {many(rest.count, 'hand')} (first {rest.first}): {title}"
        )
    return sentences


def left_out_text(left_out: LeftOut) -> Iterator[str]:
    """What was not looked at, in sentences."""
    if left_out.first is not None:
        yield f"{many(left_out.lines, 'line')} of very long logs, from {left_out.first} on."
    if left_out.rules:
        yield f"{many(left_out.rules, 'other ruleset')} that might fit better: they were not tried."


def _left_open(leeway: Leeway, id_: str) -> Iterator[str]:
    """How much a few logs leave open, and how to see the shortest game that would tell."""
    rules = f"{leeway.alike} of {leeway.rules} rules that differ in one option or setting"
    yield f"{rules} judge these logs alike."
    if leeway.keys:
        yield from wrap(f"The logs say nothing of {in_words(leeway.keys)}.", _WIDTH)
    yield "The shortest game that tells two of them apart:"
    yield f"  meldref rules diff --example {id_}.yaml {id_}.yaml+OPTION"


def data_of(inferred: Inferred, text: str) -> dict[str, object]:
    """What was found, as data for programs; `text` is that of the rules file."""
    draft = inferred.draft
    unexplained = [
        {"code": rest.code, "hands": rest.count, "first": _place_data(rest.first)}
        for rest in inferred.unexplained
    ]
    questions = [
        {"text": question.text, "example": list(question.example)}
        for question in inferred.questions
    ]
    return {
        "version": 1,
        "logs": inferred.logs,
        "hands": inferred.hands,
        "turns": inferred.turns,
        "game": draft.game,
        "options": list(draft.options),
        "settings": dict(draft.settings),
        "bits": round(inferred.bits, 1),
        "bits_of_game": round(inferred.bits_of_game, 1),
        "evidence": [_evidence_data(part) for part in inferred.evidence],
        "unexplained": unexplained,
        "held_out": _held_out_data(inferred.held_out),
        "leeway": _leeway_data(inferred.leeway),
        "left_out": _left_out_data(inferred.left_out),
        "questions": questions,
        "file": text,
    }


def _held_out_data(held: HeldOut | None) -> dict[str, object] | None:
    if held is None:
        return None
    return {"logs": held.logs, "clean": held.clean, "findings": dict(held.findings)}


def _leeway_data(leeway: Leeway | None) -> dict[str, object] | None:
    if leeway is None:
        return None
    return {"rules": leeway.rules, "alike": leeway.alike, "keys": list(leeway.keys)}


def _left_out_data(left_out: LeftOut | None) -> dict[str, object] | None:
    if left_out is None:
        return None
    first = _place_data(left_out.first)
    return {"lines": left_out.lines, "first": first, "rules": left_out.rules}


def _evidence_data(part: Evidence) -> dict[str, object]:
    return {
        "key": part.key,
        "value": part.value,
        "for": part.speaks_for,
        "against": part.speaks_against,
        "expected": None if part.expected is None else round(part.expected, 1),
        "code": part.code or None,
        "first_for": _place_data(part.first_for),
        "first_against": _place_data(part.first_against),
    }


def _place_data(place: Place | None) -> dict[str, object] | None:
    return None if place is None else {"log": place.log, "line": place.line}


def held_out_text(held: HeldOut) -> str:
    """How the rules judge logs that they were not found from, in a sentence."""
    text = f"{held.clean} of {many(held.logs, 'log')} held out are clean by these rules"
    if held.findings:
        counts = sorted(held.findings.items(), key=lambda item: -item[1])
        codes = in_words([f"{code} ({count})" for code, count in counts])
        text += f"; the others have {codes}"
    return text
