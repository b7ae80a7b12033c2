"""Read every game of a PGN file, moves checked as python-chess does, and say how many half-moves there were."""

from __future__ import annotations

import sys
from pathlib import Path

import chess.pgn


def main(path: Path) -> None:
    """Read to the end."""
    plies = faults = 0
    with path.open(encoding="utf-8") as file:
        while (game := chess.pgn.read_game(file)) is not None:
            faults += len(game.errors)
            plies += game.end().ply()
    print(f"{plies} plies, {faults} faults")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
