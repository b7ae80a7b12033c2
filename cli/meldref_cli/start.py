"""The door of the program: it loads next to nothing, so that signals are handled early."""

from __future__ import annotations

from meldref_cli import leaving


def run() -> None:
    """The entry point `meldref`."""
    leaving.listen()
    from meldref_cli import main

    main.run()
