"""Which edits of a log are beyond doubt, so that a program may make them by itself."""

from __future__ import annotations

from typing import Final

from meldref.core.diagnostics import Edit, Finding, is_among
from meldref.rules.declare import facts

_LAID: Final = ("meld", "layoff", "swap", "wild")
"""What may be wrong with cards that a player can have laid all the same."""
_TAKEN_OUT: Final = ("not-done", "card-extra", "deal-extra", "line-alien", "not-undone")
"""Repairs after which the log no longer has what somebody wrote."""


def edits_beyond_doubt(finding: Finding) -> tuple[Edit, ...]:
    """The edits of a misspelled word or name, or of a repair, if they are beyond doubt.

    There is no doubt about a repair from a replay that looks for others about as likely, if it
    found none.
    """
    repair = finding.repair
    if repair is None:
        return finding.edits
    if repair.others or facts(finding.code).evidence != "contradiction":
        return ()
    if repair.edit in _TAKEN_OUT:
        return ()
    if is_among(finding.code, _LAID) and not repair.follows:
        return ()
    texts = [edit.text for edit in repair.edits]
    if repair.edit != "other-draw":  # which would let go of the card that was written
        texts = [text.replace("draw ?", "") for text in texts]
    if any("?" in text for text in texts):
        return ()
    return repair.edits
