"""Messages to the service as a broken or hostile program might send them."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from random import Random
from typing import Any

from meldref_service.described import questions
from paths import ROOT

TEXTS = [
    (ROOT / "examples" / name).read_text(encoding="utf-8")
    for name in ("disputed.rgn", "position.yaml", "our-house.yaml")
]
JUNK: tuple[Any, ...] = (
    *(None, True, -1, 0, 10**30, 1.5, "", "?", "\ud800", "\x00", "Ann", "Jk", "4d " * 40),
    *([], {}, [[]], {"": ""}, [None] * 3, {"hands": 3}, {"text": 3}, {"name": "/etc/passwd"}),
    *("../secret.yaml", "/dev/zero", "500-rummy", "undo", "rummy 4c", "draw; meld Jk Jk Jk"),
    {"name": "./x.yaml", "options": ["/dev/stdin"], "settings": ["=", "game.target", "a.b=[{"]},
    {"text": "id: x\nextends: [/etc/passwd, ../x.yaml, ./rules.yaml]\n"},
    {"players": ["A"] * 30, "hands": {"A": "?*99999999999", "B": "4d 4d"}, "pile": ["?"]},
    *TEXTS,
)


def messages() -> Iterator[dict[str, Any]]:
    """One message for each question, as it should be."""
    for number, (name, described) in enumerate(questions().items(), start=1):
        yield {"id": number, "question": name, "arguments": described["example"]}


def mutated(seed: int) -> str:
    """A message in which some things are not as they should be, mostly in its arguments."""
    dice = Random(seed)
    message: Any = copy.deepcopy(dice.choice([*messages()]))
    for _ in range(dice.randint(1, 3)):
        if dice.randrange(8):
            arguments = message["arguments"]
            if not dice.randrange(4):
                arguments[dice.choice(["rules", "folder", "log", "line", "position"])] = None
            for key in [*arguments]:
                if not dice.randrange(2) or arguments[key] is None:
                    arguments[key] = _with_junk(arguments[key], dice, key)
        else:
            message[dice.choice([*message])] = dice.choice(JUNK)
            break
    text = json.dumps(message)
    if not dice.randrange(12):
        at = dice.randrange(len(text))
        text = text[:at] + dice.choice(['"', "{", "}", "\\", "9", "", "[" * 3000]) + text[at + 1 :]
    return text


def _with_junk(value: Any, dice: Random, key: object = "") -> Any:
    """A value of which a part, anywhere in it, is another, often of the same kind."""
    if value is None:
        fit = {"line": int, "folder": str, "log": str}.get(str(key), (str, dict))
        return copy.deepcopy(dice.choice([one for one in JUNK if isinstance(one, fit)]))
    inner = (
        [*value]
        if isinstance(value, dict)
        else [*range(len(value))]
        if isinstance(value, list)
        else []
    )
    if inner and dice.randrange(6):
        at = dice.choice(inner)
        value[at] = _with_junk(value[at], dice, at)
        return value
    if isinstance(value, str) and value and dice.randrange(3):
        for _ in range(dice.randint(1, 3)):
            at = dice.randrange(len(value) + 1)
            part = dice.choice(
                ["?", "\n", " ", "{", "m9", "9" * 30, "é", "", "Jk", "; ", "\ud800", "Ann"]
            )
            value = value[:at] + part + value[at + dice.randrange(3) :]
        return value
    same = [one for one in JUNK if type(one) is type(value)]
    return copy.deepcopy(dice.choice(same if same and dice.randrange(3) else JUNK))
