"""Every log of the project, by its file: those of the examples, the tests and the gallery."""

from __future__ import annotations

import gallery
from meldref.notation import open_lines
from paths import ROOT, TESTS

LOGS = {
    **{
        str(path.relative_to(ROOT)): "\n".join(open_lines(path))
        for folder in (ROOT / "examples", TESTS)
        for path in sorted(folder.rglob("*.rgn"))
    },
    **{
        f"tests/errors/{entry.name}": entry.given["log.rgn"].decode()
        for entry in gallery.entries(TESTS / "errors")
    },
}
