"""What stands where the pointer is, as Markdown, and where that comes from."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Final

from meldref.core.text import in_words
from meldref_service.open_document import Open
from meldref_service.told import Answer

_HEADER: Final = re.compile(r"\s*\[(?:Rules|Options)\s")
_NAME: Final = re.compile(r"[\w./-]+")


def origin_at(one: Open, line: int, column: int, found: Iterable[Answer]) -> Answer | None:
    """Where one goes from a place: to the file named there, to what set a key, to a rule."""
    if not one.is_log:
        here = one.ask("rules_at", text=one.text, line=line, column=column, folder=one.folder)
        if here["names"]:
            return {"file": here["names"], "line": 1}
        setters = [*here["key"]["over"], here["key"]["set_by"]] if here["key"] else []
        return setters[0] if setters else None
    text = one.lines[line - 1]
    if _HEADER.match(text):
        words = _NAME.finditer(text)
        name = next((word[0] for word in words if word.start() < column <= word.end() + 1), None)
        return {"file": name, "line": 1}
    return next((finding["rule"] for finding in found if finding["rule"]), None)


def said_at(one: Open, line: int, column: int) -> Iterator[str]:
    """What stands at a place of a document: a card, a code, the table; a fact, a key."""
    if not one.is_log:
        here = one.ask("rules_at", text=one.text, line=line, column=column, folder=one.folder)
        yield from filter(None, (here["says"], _key(here["key"]) if here["key"] else ""))
        return
    here = one.ask("log_at", log=one.text, line=line, column=column, folder=one.folder)
    if here["card"]:
        yield f"**{here['card']}** is {in_words(here['lies']) or 'in no place that is known'}."
    if here["page"]:
        yield page({**here["page"], "message": here["page"]["title"], "page": here["page"]})
    if here["table"]:
        yield f"```text\n{here['table']}\n```"


def page(finding: Answer) -> str:
    """A finding with what its code means and why."""
    lines = [f"**{finding['message']}** `{finding['code']}`"]
    if finding["page"]:
        lines += [finding["page"]["means"], f"*Why*: {finding['page']['why']}"]
    if finding.get("rule"):
        lines.append("*Rule*: `{key} = {value}` ({file}:{line})".format(**finding["rule"]))
    return "\n\n".join(lines)


def _key(key: Answer) -> str:
    """A key with what it means and takes, its value here and who set it."""
    takes = f" Takes {key['takes']}." if key["takes"] else ""
    lines = [f"**{key['key']}**: {key['means']}{takes}"]
    lines += ["\n".join(f"- `{word['word']}`: {word['means']}" for word in key["words"])]
    lines += [
        "Set to `{value}` by {file}:{line}".format(**setter)
        for setter in ([key["set_by"]] if key["set_by"] else []) + key["over"]
    ]
    return "\n\n".join(filter(None, lines))
