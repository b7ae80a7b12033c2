"""Writes what an audit of each log in this gallery prints.

    python tests/errors/regenerate.py            write it anew
    python tests/errors/regenerate.py --check    only list what differs

What changes here is what users read: look at the difference before keeping it.
"""

from __future__ import annotations

import sys
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, Replay
from meldref.replay.result import LogReport
from meldref.report.tally import Audited
from meldref.report.text import log_text
from meldref.rulefiles.load import load_ruleset
from meldref_evidence.explaining import RecordExplainer

FOLDER = Path(__file__).resolve().parent
sys.path.insert(0, str(FOLDER.parent.parent / "docs"))

import gallery  # noqa: E402  its folder has to be found first

ENTRIES = gallery.entries(FOLDER)
"""An entry for each code."""


@cache
def audit(entry: gallery.Entry) -> LogReport:
    """The audit of an entry's log, as if it were made in the folder of its files.

    Warnings about a rules file are not the log's: they are what `meldref rules check house.yaml`
    prints.
    """
    with TemporaryDirectory() as place:
        folder = entry.write_given(Path(place))
        run = Replay("log.rgn", Overrides(beside=folder), explainer=RecordExplainer())
        run.feed(read_lines(entry.given["log.rgn"].decode()))
        report = run.finish()
        if not report.findings:
            report.findings += load_ruleset("house.yaml", beside=folder)[1]
        return report


def message(entry: gallery.Entry) -> str:
    """What `meldref audit log.rgn` prints beside the files of an entry."""
    return "\n".join([*log_text(Audited(audit(entry))), ""])


if __name__ == "__main__":
    sys.exit(gallery.regenerate(FOLDER, message, sys.argv[1:]))
