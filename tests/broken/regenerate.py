"""Writes `message.txt` in each folder beside this file: what `rules check` says of the broken file in it.

    python tests/broken/regenerate.py            write them anew
    python tests/broken/regenerate.py --check    only say which differ

In a folder, `before/house.yaml` has one fault that a person would make, and `after/house.yaml` is the same file
with that fault mended as the message says. Where `--fix` mends it, the message ends with that.

What changes here is what users read: look at the difference before keeping it.
"""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

from meldref_cli.main import main as meldref

FOLDER = Path(__file__).resolve().parent


def folders() -> list[Path]:
    """The folder of each fault."""
    return sorted(path.parent.parent for path in FOLDER.glob("*/before/house.yaml"))


def check(folder: Path, *options: str) -> tuple[int, str]:
    """The exit status and the output of a check, made in a folder."""
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        code = meldref(["rules", "check", "house.yaml", *options])
    return code, out.getvalue()


def main(arguments: list[str]) -> int:
    """Writes or compares the messages; 1 where one differs."""
    stale = []
    for folder in folders():
        file, (_, text) = folder / "message.txt", check(folder / "before")
        if file.is_file() and file.read_text(encoding="utf-8") == text:
            continue
        stale.append(folder.name)
        if "--check" not in arguments:
            file.write_text(text, encoding="utf-8")
    word = "differs" if "--check" in arguments else "written"
    sys.stdout.writelines(f"{name}: {word}\n" for name in stale)
    return int(bool(stale) and "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
