"""Parse hands of poker and apply them, by PokerKit: `read_poker.py FOLDER`; reports players' actions."""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path

from pokerkit import HandHistory


def apply(text: str) -> int:
    """A hand from its text; how many of its actions players made."""
    history = HandHistory.loads(text)
    for _ in history:
        pass
    return sum(not action.startswith("d ") for action in history.actions)


def main(folder: Path) -> None:
    """Every hand of a folder."""
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.phh"))]
    apply(texts[0])
    wall, cpu = time.perf_counter(), time.process_time()
    units = sum(map(apply, texts))
    wall, cpu = time.perf_counter() - wall, time.process_time() - cpu
    print(json.dumps({"units": units, "wall": wall, "cpu": cpu}))


if __name__ == "__main__":
    gc.set_threshold(50_000, 20, 50)  # as in the program that this is held against
    main(Path(sys.argv[1]))
