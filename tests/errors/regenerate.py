"""Writes `message.txt` beside each log of this folder: what an audit of the log prints.

    python tests/errors/regenerate.py            write them anew
    python tests/errors/regenerate.py --check    only say which differ

What changes here is what users read: look at the difference before keeping it.
"""

from __future__ import annotations

import sys
from pathlib import Path

from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, Replay
from meldref.replay.result import LogReport
from meldref.report.tally import Audited
from meldref.report.text import log_text
from meldref.rulefiles.load import load_ruleset

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent))

from messages import renew  # noqa: E402  the tests' folder has to be found first


def folders() -> list[Path]:
    """The folder of each code."""
    return sorted(path.parent for path in FOLDER.glob("*/log.rgn"))


def audit(folder: Path) -> LogReport:
    """The audit of a folder's log, as if it were made in that folder.

    Warnings about a rules file are not the log's: they are what `meldref rules check house.yaml` says of it.
    """
    run = Replay("log.rgn", Overrides(beside=folder))
    run.feed(read_lines((folder / "log.rgn").read_text(encoding="utf-8")))
    report = run.finish()
    if not report.findings:
        report.findings += load_ruleset("house.yaml", beside=folder)[1]
    return report


def message(folder: Path) -> str:
    """What `meldref audit log.rgn` prints in a folder."""
    return "\n".join([*log_text(Audited(audit(folder))), ""])


if __name__ == "__main__":
    sys.exit(renew(((folder, message(folder)) for folder in folders()), sys.argv[1:]))
