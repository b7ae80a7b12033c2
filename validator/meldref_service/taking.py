"""A file of any kind as a log: a score sheet, or the events of a program with a shipped map."""

from __future__ import annotations

from base64 import b64decode
from io import BytesIO
from typing import Any

from meldref_service.session import Session
from meldref_service.told import Answer


def take_in(session: Session, *, name: str, text: str, encoded: bool = False) -> Answer:
    """What a file is, and the log that it becomes; none where nobody can read it, and why.

    Where it is `encoded`, the text is the file's bytes in Base64.
    """
    # Few sessions are given files.
    from meldref_intake.events import NO_MAP, NoMap, form_at  # noqa: PLC0415
    from meldref_intake.sheets import Unreadable, decoded, is_workbook, read_sheet  # noqa: PLC0415
    from meldref_intake.source import kind_of  # noqa: PLC0415

    try:
        data = b64decode(text) if encoded else text.encode("utf-8", "surrogatepass")
    except ValueError as wrong:
        return _unreadable(f"this is no Base64: {wrong}")
    if encoded:
        text = "" if is_workbook(data) else decoded(data)
    if not is_workbook(data) and kind_of(text, name) == "log":
        return {"kind": "log", "log": text, "doubts": [], "why": ""}
    try:
        made = _events(data)
        kind = "events"
        if made is None:
            made, kind = read_sheet(data), "sheet"
    except (NoMap, Unreadable) as reason:
        return _unreadable(str(reason))
    if made is None:
        why = NO_MAP if form_at(data).startswith("json") else "this is no log and no score sheet"
        return _unreadable(why)
    doubts = [{"line": doubt.place.line, "text": doubt.text} for doubt in made.doubts]
    return {"kind": kind, "log": made.text, "doubts": doubts, "why": ""}


def _unreadable(why: str) -> Answer:
    return {"kind": "unreadable", "log": None, "doubts": [], "why": why}


def _events(data: bytes) -> Any:
    """The events of a program as a log; None if no shipped map is for them."""
    from meldref_intake.events import intake_of, open_known  # noqa: PLC0415

    events = open_known(lambda: BytesIO(data))
    return None if events is None else intake_of(events)
