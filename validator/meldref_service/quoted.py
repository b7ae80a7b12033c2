"""Answers told in a few lines that an assistant can quote: the verdict, the sentence, the line of the rules."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final, TypeAlias

from meldref.core.records import NamedTuple
from meldref.core.text import many
from meldref_service.told import Answer

MOST_TOLD: Final = 20
"""The most findings or moves that one answer tells, unless a tool asks for more."""

Lines: TypeAlias = Iterator[str]


class Tool(NamedTuple):
    """A tool: what it does, the question that it asks, and how the answer is told."""

    does: str
    question: str
    tell: Callable[[Answer], Lines]
    defaults: Mapping[str, object] = MappingProxyType({})


def _findings(found: Sequence[Answer]) -> Lines:
    """The sentence of each finding, with the rules behind it."""
    for one in found[:MOST_TOLD]:
        yield one["heading"]
        yield from (f"  {fact}" for fact in one["facts"] if fact.startswith("rule: "))
    if len(found) > MOST_TOLD:
        yield f"and {len(found) - MOST_TOLD} more"


def _verdict(told: Answer) -> Lines:
    """Whether a move is legal, in a sentence."""
    if told["verdict"] in {"legal", "open"}:
        yield told["text"]
    else:
        if told["verdict"] != "illegal":
            yield told["verdict"]
        yield from _findings(told["findings"])


def _why_not(told: Answer) -> Lines:
    """All that is known of why a move is illegal."""
    if told["verdict"] != "illegal":
        yield from _verdict(told)
        return
    for one in told["findings"]:
        yield one["heading"]
        yield from (f"  {fact}" for fact in one["facts"])
        page = one["page"] or {}
        yield from (f"{word.title()}: {page[word]}" for word in ("means", "why") if word in page)


def _moves(told: Answer) -> Lines:
    """The legal moves, with the points that they bring."""
    if told["verdict"] == "unusable":
        yield from _findings(told["findings"])
        return
    yield "the hand is over" if told["over"] else f"{told['to_move']} is to move; legal:"
    for one in told["moves"]:
        yield f"  {one['move']}" + (f"  {one['points']:+}" if one["points"] else "")
    if not told["complete"]:
        yield "there are more: ask for them with a larger `most`"


def _audit(told: Answer) -> Lines:
    """What is wrong with a log."""
    counts = ", ".join(many(told[f"{noun}s"], noun) for noun in ("hand", "turn", "error"))
    yield f"{told['verdict']}: {counts}"
    yield from _findings(told["findings"])
    yield from (f"open, line {one['line']}: {one['what']}" for one in told["open"][:MOST_TOLD])


def _setting(key: str, value: object, place: Answer | None) -> str:
    """A key with its value and the line that sets it; a group, or a key that is not set, alone."""
    if value is None:
        return key
    shown = value if isinstance(value, str) else json.dumps(value)
    where = f"   ({place['file']}:{place['line']})" if place and place["file"] else ""
    return f"{key} = {shown}{where}"


def _explained(told: Answer) -> Lines:
    """What a rule means."""
    match told["sort"]:
        case "code":
            yield f"{told['code']}: {told['title']}"
            yield told["means"]
            yield f"Why: {told['why']}"
            yield from (f"key: {key}" for key in told["keys"])
        case "key":
            yield _setting(told["key"], told["value"], told["set_by"])
            yield told["means"]
            yield from (f"  {word['word']}: {word['means']}" for word in told["words"])
            yield from (f"  {_setting(one['key'], one['value'], one)}" for one in told["parts"])
        case "codes":
            yield from (f"{one['code']}: {one['title']}" for one in told["codes"])
        case "found":
            yield from (
                f"{one['sort']} {one['name']}: {one['says']}" for one in told["found"][:MOST_TOLD]
            )
        case "house rule":
            yield from (
                f"{key}: {value if isinstance(value, str) else json.dumps(value)}"
                for key, value in told.items()
                if value and key != "sort"
            )
        case _:
            yield "nothing is known by these words"
            yield from _findings(told.get("findings", ()))


def _checked(told: Answer) -> Lines:
    """What is wrong with a rules file, and how its cases went."""
    yield told["verdict"]
    for one in told["findings"][:MOST_TOLD]:
        yield one["heading"]
        yield from (f"  {fact}" for fact in one["facts"])
    for case in told["cases"]:
        yield f"case {'passed' if case['passed'] else 'failed'}: {case['name']}"
        yield from [] if case["passed"] else case["text"].splitlines()


def _counted(told: Answer) -> Lines:
    """What a hand scores."""
    if told["verdict"] == "unusable":
        yield "this cannot be counted"
    yield from told["wrong"]
    yield from [told["text"]] if "text" in told else []


TOOLS: Final[Mapping[str, Tool]] = {
    "is_legal": Tool(
        "Says whether a move is legal in a position, and by which rule not.", "legal", _verdict
    ),
    "legal_moves": Tool(
        "Lists the legal moves of a position, those that score most first.",
        "moves",
        _moves,
        {"most": MOST_TOLD},
    ),
    "why_not": Tool(
        "Says why a move is illegal: the facts, the rule, what it is for, and what is legal instead.",
        "legal",
        _why_not,
    ),
    "audit_log": Tool(
        "Replays the log of a game, and tells every illegal move and wrong score.", "audit", _audit
    ),
    "explain_rule": Tool(
        "Explains a rule: by the code of a verdict, a key of the rules, or words.",
        "explain",
        _explained,
    ),
    "check_house_rules": Tool(
        "Checks a file of house rules (YAML), and runs its cases.", "check_rules", _checked
    ),
    "count_hand": Tool(
        "Counts what each player scores, from what was laid and is held.", "count", _counted
    ),
}
"""The tools, by name."""
