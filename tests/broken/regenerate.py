"""Writes `message.txt` in each folder beside this file: what `rules check` says of the broken file in it.

    python tests/broken/regenerate.py            write them anew
    python tests/broken/regenerate.py --check    only say which differ

In a folder, `before/house.yaml` has one fault that a person would make, and `after/house.yaml` is the same file
with that fault fixed as the message says. Where `--fix` fixes it, the message ends with that.

What changes here is what users read: look at the difference before keeping it.
"""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path

from meldref_cli.main import main as meldref

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from messages import renew  # noqa: E402  the tests' folder has to be found first


def folders() -> list[Path]:
    """The folder of each fault."""
    return sorted(path.parent.parent for path in FOLDER.glob("*/before/house.yaml"))


def check(folder: Path, *options: str) -> tuple[int, str]:
    """The exit status and the output of a check, made in a folder."""
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        code = meldref(["rules", "check", "house.yaml", *options])
    return code, out.getvalue()


if __name__ == "__main__":
    sys.exit(renew(((folder, check(folder / "before")[1]) for folder in folders()), sys.argv[1:]))
