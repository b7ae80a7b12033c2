"""`meldref simulate --split`: a file a game, by parallel processes that change no byte."""

from __future__ import annotations

import re
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from functools import cache, partial
from itertools import count, islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple

from meldref.core.safe_files import why_not
from meldref.core.safe_writing import replace_whole
from meldref_archive.workers import AHEAD, Worker, WorkerGone, lead, side_by_side
from meldref_cli.errors import Unusable, naming
from meldref_cli.options import To
from meldref_cli.ruleset_args import RulesetRequest, load
from meldref_cli.seating import lines_of, seats_of
from meldref_cli.writing import folder_to_write
from meldref_table.simulate import LogSource, play_games
from meldref_table.simulate.rng import Dice

if TYPE_CHECKING:
    from meldref.ruleset.model import Ruleset

_TOGETHER: Final = 8
"""How many games a process plays before another one may."""
_SEEDS: Final = 1 << 48
_NAME: Final = r"game-\d{7,}\.(rgn|jsonl)"


class Split(NamedTuple):
    """What is played, by whom, and the folder that it is written into.

    `written` is what the logs name.
    """

    request: RulesetRequest
    written: tuple[str, tuple[str, ...], tuple[str, ...]]
    kinds: tuple[str, ...]
    seed: int
    folder: str
    form: To

    def path(self, number: int) -> Path:
        """The file of a game, from 1."""
        return Path(self.folder) / f"game-{number:07}.{'jsonl' if self.form is To.JSON else 'rgn'}"


class Played(NamedTuple):
    """How much was played: of the game of that number, or in all.

    `fault` is why it could not be.
    """

    number: int
    hands: int
    endless: int
    fault: str = ""


def empty_folder(name: str, *, force: bool) -> None:
    """Makes the folder that games are written into.

    With `force`, games that are in it are deleted.
    """
    folder = folder_to_write(name)
    with naming(name):
        for path in list(folder.iterdir()):
            if not force:
                raise Unusable(
                    f"{name}: the folder is not empty; --force writes over the games in it"
                )
            if re.fullmatch(_NAME, path.name):
                path.unlink()


def write_games(
    split: Split, games: int | None, hands: int | None, jobs: int, tick: Callable[[Played], None]
) -> Played:
    """Plays and writes that many games, or as many as fill that many hands; how much was played."""
    numbers = count(1) if games is None else iter(range(1, games + 1))
    last = total = endless = 0
    with closing(_played(split, numbers, jobs)) as played:
        for whole in played:
            game = whole
            if hands is not None and total + game.hands > hands and not game.fault:
                game = next(play(split, (game.number,), hands - total))
            if game.fault:
                raise Unusable(game.fault)
            last, total, endless = game.number, total + game.hands, endless + game.endless
            tick(game)
            if total == hands:
                break
    ahead = (jobs * AHEAD + 1) * _TOGETHER if hands is not None else 0
    for number in range(last + 1, last + 1 + ahead):
        path = split.path(number)
        path.unlink(missing_ok=True)
        _draft(path).unlink(missing_ok=True)
    return Played(last, total, endless)


def _draft(path: Path) -> Path:
    return path.with_name(f".{path.name}")


def _played(split: Split, numbers: Iterator[int], jobs: int) -> Generator[Played, None, None]:
    """Each game in order, once its file is written."""
    if jobs < 2:
        yield from play(split, numbers)
        return

    def lost(number: int, gone: WorkerGone) -> Played:
        return Played(number, 0, 0, f"{split.folder}: games are missing: {gone}")

    def led(worker: Worker, some: tuple[int, ...]) -> list[Played]:
        return lead(worker, some, partial(play, split), lost)

    together = iter(lambda: tuple(islice(numbers, _TOGETHER)), ())
    for _, played in side_by_side(together, led, jobs, in_order=True):
        yield from played


@cache
def _ruleset(request: RulesetRequest) -> Ruleset:
    """The ruleset that is played by: a process loads it once."""
    ruleset, _ = load(request)
    assert ruleset is not None, "it was loaded before, to seat the players"  # noqa: S101
    return ruleset


def play(
    split: Split, numbers: Sequence[int] | Iterator[int], most: int | None = None
) -> Iterator[Played]:
    """Plays games and writes them; `most` hands of each.

    Each is what its own seed, in the file, plays alone.
    """
    ruleset = _ruleset(split.request)
    for number in numbers:
        seats = seats_of(split.kinds, [("", ruleset)])
        seed = Dice(split.seed, "split", number).below(_SEEDS)
        source = LogSource(*split.written, seed=seed)
        path = split.path(number)
        draft = _draft(path)
        try:
            hands = list(islice(play_games(ruleset, seats, seed, 1), most))
            text = "".join(lines_of(hands, source, seats, split.form))
            replace_whole(path, draft, text.encode())
        except ValueError as wrong:
            yield Played(number, 0, 0, str(wrong))
        except OSError as error:
            yield Played(number, 0, 0, f"{path}: {why_not(error)}")
        else:
            yield Played(number, len(hands), sum(hand.reason == "void" for hand in hands))
