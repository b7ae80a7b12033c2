"""What is done in the interpreter before the snapshot of its memory: the library is imported, and has answered once."""

import gc
import json
import os
import sys

os.environ["MELDREF_CACHE"] = "off"
sys.path.insert(0, "/app")

from meldref_service.lines import Lines

lines = Lines()
_POSITION = {"hands": {"A": "4d 4h 9h Ks"}, "pile": "6s 4c Qs 2d"}
_QUESTIONS = (
    ("play", {"position": _POSITION, "move": "take 4c; meld 4c 4d 4h"}),
    ("legal", {"position": _POSITION, "move": "tkae 4c"}),
    ("moves", {"position": _POSITION}),
    (
        "draft",
        {
            "log": '[Rules "500-rummy"]\n[Players "A, B"]\nhand 1 dealer B\nup 6c\n1. A: take 6c; discard 6c\n'
        },
    ),
    ("draft", {"log": ""}),
)
for _question, _given in _QUESTIONS:
    lines.reply(json.dumps({"id": 0, "question": _question, "arguments": _given}))
gc.collect()
