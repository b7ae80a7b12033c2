"""What is done in the interpreter before the snapshot of its memory: the library is imported, and has answered once."""

import gc
import json
import os
import sys

os.environ["MELDREF_CACHE"] = "off"
sys.path.insert(0, "/app")

from meldref_service.lines import Lines

lines = Lines()
_ASKED = {"position": {"hands": {"A": "4d 4h 9h Ks"}, "pile": "6s 4c Qs 2d"}, "move": "take 4c"}
for _question in ("play", "moves"):
    _given = _ASKED if _question == "play" else {"position": _ASKED["position"]}
    lines.reply(json.dumps({"id": 0, "question": _question, "arguments": _given}))
gc.collect()
