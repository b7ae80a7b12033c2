"""Answers that the page has before its referee does, so that each door shows something at once.

They are asked when the page is built, and stand in it by their questions. Of each only what the
page draws is kept. The program prints them as JSON.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from meldref_service import Service

ROOT: Final = Path(__file__).resolve().parent.parent
RULES: Final = "id: our-house\nname: How we play\nextends: [500-rummy]\n"
"""What a table's rules begin with; `house.ts` has the same text."""


def first_answers() -> dict[str, Any]:
    """Each answer by its question and what was given, as JSON."""
    log = (ROOT / "examples" / "disputed.rgn").read_text(encoding="utf-8")
    service, answers = Service(), dict[str, Any]()

    def ask(question: str, **given: Any) -> dict[str, Any]:
        answer = answers[_key(question, given)] = service.ask(question, **given)
        return answer

    shelf = ask("shelf")
    shelf["cookbook"] = [_only(recipe, "id", "section", "text") for recipe in shelf["cookbook"]]
    del shelf["questions"]
    ask("settings", text=RULES)
    book = ask("rulebook", rules={"text": RULES}, against="500-rummy")
    del book["page"]
    for section in book["sections"]:
        section["blocks"] = [_only(block, "html", "keys", "new") for block in section["blocks"]]
    told = ask("draft", log=log, rules="", hasty=True)
    while not told["done"]:
        told.update(service.ask("draft"))
    for line, text in enumerate(log.splitlines(), start=1):
        if text[:1].isdigit():
            key = _key("position", {"line": line, "moves": False})
            answers[key] = _only(service.ask("position", line=line, moves=False), "layout")
    return answers


def _key(question: str, given: Mapping[str, Any]) -> str:
    """A question as the page writes it."""
    return json.dumps([question, given], ensure_ascii=False, separators=(",", ":"))


def _only(answer: Mapping[str, Any], *keys: str) -> dict[str, Any]:
    return {key: answer[key] for key in keys}


if __name__ == "__main__":
    print(json.dumps(first_answers(), ensure_ascii=False, separators=(",", ":")))
