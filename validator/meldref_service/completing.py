"""What may follow where somebody is writing: in a rules file, or in a line of a log."""

from __future__ import annotations

from collections.abc import Sequence

from meldref.notation.parts import write_name
from meldref.position.model import GOING_ON
from meldref.rulefiles.vocabulary import describe_key, list_keys
from meldref_service.given import LOG, GivenRules, Rules
from meldref_service.session import Session
from meldref_service.told import Answer
from meldref_table.sitting import Sitting


def complete_log(
    session: Session, *, before: str, rules: GivenRules = "", folder: str = ""
) -> Answer:
    """What may follow in a log after some text: whose turn it is, then what they may do."""
    *lines, text = before.split("\n")
    sitting = Sitting(LOG, lines, Rules.of(rules, folder).overrides, 0)
    begin = max(text.rfind(";"), text.rfind(":")) + 1
    begun = text[begin:].lstrip()
    if begin:
        offered = [*sitting.complete(text)]
    else:
        built = sitting.built()
        offered = []
        if built is not None and built.position.ending is GOING_ON and not text.strip():
            stands = built.position
            name = write_name(stands.players[stands.turn.seat])
            offered = [f"{(stands.turns or 0) + stands.begins}. {name}: "]
    return {"from": begun, "offers": [{"text": one, "about": ""} for one in offered]}


def complete_rules(session: Session, *, before: str) -> Answer:
    """What may follow in a rules file: keys of the section it stands in, or words of its key."""
    *lines, last = before.split("\n")
    key, colon, begun = last.partition(":")
    above = _sections(lines, len(last) - len(last.lstrip()))
    if colon:
        described = describe_key(".".join([*above, key.strip()]))
        begun = begun.strip()
        offers = [
            {"text": str(word.value), "about": word.text}
            for word in (() if described is None else described.words)
            if str(word.value).startswith(begun)
        ]
        return {"from": begun, "offers": offers}
    prefix = "".join(f"{section}." for section in above)
    begun = last.strip()
    found: dict[str, str] = {}
    for one in list_keys():
        rest = one.path.removeprefix(prefix) if one.path.startswith(prefix) else ""
        word, dot, _ = rest.partition(".")
        if word.startswith(begun) and word.isidentifier():
            found.setdefault(word, "" if dot else one.text)
    return {
        "from": begun,
        "offers": [{"text": f"{word}: ", "about": about} for word, about in found.items()],
    }


def _sections(lines: Sequence[str], indent: int) -> list[str]:
    """The keys of the sections around a line of a YAML text, outermost first."""
    above: list[str] = []
    for line in reversed(lines):
        depth = len(line) - len(line.lstrip())
        if line.strip() and not line.lstrip().startswith(("#", "-")) and depth < indent:
            above.insert(0, line.partition(":")[0].strip())
            indent = depth
    return above
