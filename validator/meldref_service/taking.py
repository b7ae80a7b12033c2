"""A file of any kind as a log: a score sheet, or the events of a program with a shipped map."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from meldref_service.session import Session
from meldref_service.told import Answer


def take_in(session: Session, *, name: str, text: str) -> Answer:
    """What a file is, and the log that it becomes; none where nobody can read it, and why."""
    from meldref_intake.source import kind_of  # noqa: PLC0415  few sessions are given files

    if kind_of(text, name) == "log":
        return {"kind": "log", "log": text, "doubts": [], "why": ""}
    from meldref_intake.events import NO_MAP, NoMap, form_at  # noqa: PLC0415
    from meldref_intake.sheets import Unreadable, read_sheet  # noqa: PLC0415

    data = text.encode("utf-8", "surrogatepass")
    try:
        made = _events(data)
        kind = "events"
        if made is None:
            made, kind = read_sheet(data), "sheet"
    except (NoMap, Unreadable) as reason:
        return {"kind": "unreadable", "log": None, "doubts": [], "why": str(reason)}
    if made is None:
        why = NO_MAP if form_at(data).startswith("json") else "this is no log and no score sheet"
        return {"kind": "unreadable", "log": None, "doubts": [], "why": why}
    doubts = [{"line": doubt.place.line, "text": doubt.text} for doubt in made.doubts]
    return {"kind": kind, "log": made.text, "doubts": doubts, "why": ""}


def _events(data: bytes) -> Any:
    """The events of a program as a log; None if no shipped map is for them."""
    from meldref_intake.events import intake_of, open_known  # noqa: PLC0415

    events = open_known(lambda: BytesIO(data))
    return None if events is None else intake_of(events)
