"""The least a Typer program can be: one command, one argument, a line printed."""

import typer


def say(move: str) -> None:
    """Say a move."""
    print(move)


if __name__ == "__main__":
    typer.run(say)
