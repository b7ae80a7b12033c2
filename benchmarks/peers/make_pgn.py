"""Write random legal games of chess: `make_pgn.py OUT PLIES SEED`."""

from __future__ import annotations

import random
import sys
from pathlib import Path

import chess
import chess.pgn


def main(out: Path, plies: int, seed: str) -> None:
    """Games of up to 120 half-moves, until there are enough of them."""
    rng = random.Random(seed)
    written = 0
    with (out / "games.pgn").open("w", encoding="utf-8") as file:
        while written < plies:
            board = chess.Board()
            while not board.is_game_over() and board.ply() < 120:
                board.push(rng.choice(list(board.legal_moves)))
            game = chess.pgn.Game.from_board(board)
            game.headers["Event"] = "Random play"
            game.headers["Date"] = "2026.01.01"
            print(game, end="\n\n", file=file)
            written += board.ply()
    (out / "plies").write_text(str(written), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
