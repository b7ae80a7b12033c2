"""Messages that are kept as files: written anew, or compared with what is said now."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from pathlib import Path


def renew(said: Iterable[tuple[Path, str]], arguments: list[str]) -> int:
    """Writes `message.txt` in each folder, or with `--check` only says which differ; 1 where one does."""
    only_check = "--check" in arguments
    stale = []
    for folder, text in said:
        file = folder / "message.txt"
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(folder.name)
        if not only_check:
            file.write_text(text, encoding="utf-8")
    sys.stdout.writelines(f"{name}: {'differs' if only_check else 'written'}\n" for name in stale)
    return int(bool(stale) and only_check)
