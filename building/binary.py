"""What PyInstaller makes a program of, for people without Python: `just binary`."""

from __future__ import annotations

from multiprocessing import freeze_support

from meldref_cli.start import run

if __name__ == "__main__":
    freeze_support()  # a worker of an audit is this program again
    run()
