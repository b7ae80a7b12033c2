"""Writes what `rules check` prints about each broken rules file in this gallery.

    python tests/broken/regenerate.py            write it anew
    python tests/broken/regenerate.py --check    only list what differs

Each entry has a `house.yaml` with one fault that a person would make, and the same file with that
fault fixed as the message says. If `--fix` can fix it, the message ends with that.

What changes here is what users read: look at the difference before keeping it.
"""

from __future__ import annotations

import contextlib
import io
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from meldref_cli.main import main as meldref

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent.parent / "docs"))

import gallery  # noqa: E402  its folder has to be found first

ENTRIES = gallery.entries(FOLDER)
"""An entry for each fault."""


def check(folder: Path, *options: str) -> tuple[int, str]:
    """The exit status and the output of a check, made in a folder."""
    out = io.StringIO()
    with contextlib.chdir(folder), contextlib.redirect_stdout(out):
        code = meldref(["rules", "check", "house.yaml", *options])
    return code, out.getvalue()


def message(entry: gallery.Entry) -> str:
    """What a check of an entry's broken file prints."""
    with TemporaryDirectory() as place:
        return check(entry.write_given(Path(place)))[1]


if __name__ == "__main__":
    sys.exit(gallery.regenerate(FOLDER, message, sys.argv[1:]))
