"""Write a corpus of random legal games: `PYTHONPATH=tests python -m model.corpus OUT_DIR --hands 1000`."""

import argparse
from pathlib import Path

from model.randomgame import random_game
from model.settings import named


def main() -> None:
    """Write games, one a file, until there are enough hands."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", type=Path, help="directory for the logs")
    parser.add_argument("--hands", type=int, default=100, help="how many hands in all")
    parser.add_argument(
        "--players", type=int, default=0, help="players at each table; 0: from two to eight"
    )
    parser.add_argument("--seed", default="1")
    parser.add_argument("--rules", default="500-rummy")
    parser.add_argument("--options", default="", help="separated by commas")
    parser.add_argument("--one-file", action="store_true", help="all games in one file, games.rgn")
    arguments = parser.parse_args()
    options = tuple(word.strip() for word in arguments.options.split(",") if word.strip())
    settings = named(arguments.rules, options)
    arguments.out.mkdir(parents=True, exist_ok=True)
    games: list[str] = []
    left = arguments.hands
    while left > 0:
        seed = f"{arguments.seed}-{len(games)}"
        players = arguments.players or settings.min_players + len(games) % (
            settings.max_players - settings.min_players + 1
        )
        log = random_game(seed, players, settings, hands=left)
        left -= sum(line.startswith("hand ") for line in log.splitlines())
        games.append(log)
    if arguments.one_file:
        (arguments.out / "games.rgn").write_text("\n".join(games), encoding="utf-8")
    else:
        for number, log in enumerate(games, 1):
            (arguments.out / f"game-{number:05}.rgn").write_text(log, encoding="utf-8")


if __name__ == "__main__":
    main()
