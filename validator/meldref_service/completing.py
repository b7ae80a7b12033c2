"""What may follow where somebody is writing: in a rules file, or in a line of a log."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

from meldref.conditions.facts import LISTS, SUBJECTS
from meldref.notation.parts import write_name
from meldref.notation.scanner import lines_of
from meldref.notation.syntax import HEADER_KEYS
from meldref.position.model import GOING_ON
from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.house_rules import HOUSE_RULES
from meldref.rulefiles.vocabulary import ANY_NAME, describe_key, list_keys
from meldref_service.given import GivenRules, Rules
from meldref_service.session import Session
from meldref_service.told import Answer
from meldref_table.sitting import complete

CONDITIONS: Final = frozenset(("when", "unless", "award"))
"""The keys of a house rule that ask for facts."""
_HEADER: Final = re.compile(r"\s*\[(?P<key>[\w-]*)(?P<value>\s+\"(?P<begun>[^\"]*))?\Z")
_NAMES_RULES: Final = {"Rules": "game", "Options": "option"}


def complete_log(
    session: Session, *, before: str, rules: GivenRules = "", folder: str = ""
) -> Answer:
    """What may follow in a log after some text: whose turn it is, then what they may do."""
    *_, text = re.split(r"\r\n|\r|\n", before)
    header = _HEADER.match(text)
    if header is not None:
        return _completed_header(header)
    above = [*lines_of(before.removesuffix(text))]
    while above and above[-1].rstrip().endswith(":"):  # a turn of which nothing is said
        above.pop()
    log = "".join(f"{line}\n" for line in above)
    built = session.before(log, len(above) + 1, Rules.of(rules, folder)).built
    begin = max(text.rfind(";"), text.rfind(":")) + 1
    offered: list[str] = []
    if built is not None and begin:
        offered = [*complete(built, text)]
    elif built is not None and built.position.ending is GOING_ON and not text.strip():
        stands = built.position
        number = "" if stands.turns is None else f"{stands.turns + stands.begins}. "
        offered = [f"{number}{write_name(stands.players[stands.turn.seat])}: "]
    return {"from": text[begin:].lstrip(), "offers": [_offer(one) for one in offered]}


def _offer(text: str, about: str = "") -> Answer:
    return {"text": text, "about": about}


def _completed_header(header: re.Match[str]) -> Answer:
    """Keys of headers, and the games and options that ship."""
    if header["value"] is None:
        offers = [_offer(f'{key} "') for key in HEADER_KEYS if key.startswith(header["key"])]
        return {"from": header["key"], "offers": offers}
    begun = header["begun"].rpartition(",")[2].lstrip()
    wanted = _NAMES_RULES.get(header["key"], "")
    return {"from": begun, "offers": [*_shipped(begun, wanted)]}


def _shipped(begun: str, *types: str) -> Iterator[Answer]:
    """The games and options that ship whose ids begin like this."""
    for one in list_rulesets():
        if one.type in types and one.id.startswith(begun):
            yield _offer(one.id, one.about)


def complete_rules(session: Session, *, before: str) -> Answer:
    """What may follow in a rules file: keys of the section it stands in, words of its key, facts."""
    *lines, last = before.split("\n")
    above = _sections(lines, len(last) - len(last.lstrip()))
    inner, last = _in_flow(last)
    above += inner
    key, colon, value = last.partition(":")
    if colon:
        begun = re.split(r"[\[,]", value)[-1].strip()
        return _completed_value([*above, key.strip()], begun)
    begun = last.strip()
    found: dict[str, str] = {}
    for one in list_keys():
        word, *further = _below(one.path, above) or ("",)
        if word.startswith(begun) and word.isidentifier():
            found.setdefault(word, "" if further else one.text)
    return {
        "from": begun,
        "offers": [_offer(f"{word}: ", about) for word, about in found.items()],
    }


def _below(key: str, above: Sequence[str]) -> list[str]:
    """The parts of a key below some sections; nothing where it is not in them."""
    parts = key.split(".")
    is_in = all(part in {name, ANY_NAME} for part, name in zip(parts, above, strict=False))
    return parts[len(above) :] if is_in else []


def _completed_value(path: Sequence[str], begun: str) -> Answer:
    """The words of a key, or what else may stand there."""
    if path[0] == HOUSE_RULES and path[-1] in CONDITIONS:
        word = re.split(r"[^\w.]", begun)[-1]
        return {"from": word, "offers": [one for one in _facts() if one["text"].startswith(word)]}
    if path[-1] == "extends":
        return {"from": begun, "offers": [*_shipped(begun, "game", "option")]}
    described = describe_key(".".join(path))
    words = () if described is None else described.words
    offers = [_offer(str(word.value), word.text) for word in words]
    return {"from": begun, "offers": [one for one in offers if one["text"].startswith(begun)]}


def _facts() -> Iterator[Answer]:
    """The facts that a condition may ask for; where they are there, the check says."""
    for subject, (facts, _, _) in SUBJECTS.items():
        yield from (_offer(f"{subject}.{fact.name}", fact.about) for fact in facts.values())
    yield from (_offer(fact.name, fact.about) for fact in LISTS.values())


def _in_flow(line: str) -> tuple[list[str], str]:
    """The keys whose braces are open at the end of a line, and what stands behind the last one."""
    keys: list[str] = []
    begin = 0
    for part in re.finditer(r'"[^"]*"?|[{},]', line):
        if part[0] == "{":
            keys.append(line[begin : part.start()].partition(":")[0].strip())
        elif part[0] == "}" and keys:
            keys.pop()
        elif part[0].startswith('"') or (part[0] == "," and (not keys or _in_list(line[begin:]))):
            continue
        begin = part.end()
    return keys, line[begin:] if keys else line


def _in_list(text: str) -> bool:
    """Whether a list is open at the end of a text."""
    return text.count("[") > text.count("]")


def _sections(lines: Sequence[str], indent: int) -> list[str]:
    """The keys of the sections around a line of a YAML text, outermost first."""
    above: list[str] = []
    for line in reversed(lines):
        depth = len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith(("#", "-")) and depth < indent:
            above.insert(0, line.partition(":")[0].strip())
            indent = depth
    return above
