"""Corpora, made from seeds into a folder that git ignores; made once, found there afterwards."""

from __future__ import annotations

import os
import random
import re
import shutil
import subprocess
from dataclasses import dataclass
from hashlib import sha1
from pathlib import Path

from benchmarks.measure import PYTHON, ROOT, peer, script

CACHE = ROOT / ".benchmarks"
SEED = "meldref"
_TURN = re.compile(r"^\d+\. ", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Corpus:
    """A folder of logs, and how much stands in them: `units` are turns, or half-moves of chess."""

    folder: Path
    units: int
    hands: int = 0


def ordinary(hands: int) -> Corpus:
    """Random legal games of 500 Rummy for three, as the tests' second model plays them."""
    folder = CACHE / f"ordinary-{hands}"
    if not folder.exists():
        _make(
            folder,
            [
                PYTHON,
                "-m",
                "model.corpus",
                "{out}",
                "--hands",
                str(hands),
                "--players",
                "3",
                "--seed",
                SEED,
            ],
        )
    return _counted(folder, hands)


def commented(hands: int) -> Corpus:
    """The ordinary games with a comment in each hand, so that they are replayed and not confirmed."""
    return _rewritten(ordinary(hands), CACHE / f"commented-{hands}", Commented)


def spelled_oddly(hands: int) -> Corpus:
    """The ordinary games with comments, capitals, tens as 10 and space where nobody needs it."""
    plain = ordinary(hands)
    return _rewritten(plain, CACHE / f"odd-{hands}", Odd)


def corrupted(hands: int) -> Corpus:
    """The ordinary games with one line in twenty spoilt."""
    plain = ordinary(hands)
    return _rewritten(plain, CACHE / f"corrupted-{hands}", Spoilt)


HOUSES = (
    ("500-rummy", "deck: {jokers: 4}\nscoring: {values: {A: 20}}\n", "game.target=300"),
    ("500-rummy", "draw: {depth: top}\nout: {bonus: 25}\n", "players.direction=counterclockwise"),
    ("500-rummy", "calls: {of: none}\nlayoff: {onto: own}\n", "game.target=400"),
    ("persian-rummy", "game: {target: 700}\n", "deal.next_dealer=winner"),
    ("500-rum", "melds: {first_points: 15}\n", "game.target=250"),
    ("gilfoy-500-rummy", "discard: {taken_top: allowed}\n", "game.reached=above"),
)
"""House rules: the game that they are based on, what their file changes, and what each log sets besides."""


def house(hands: int) -> Corpus:
    """Games by six houses' rules, each log in a folder of its own with a copy of them, and a program's headers."""
    folder = CACHE / f"house-{hands}"
    if not folder.exists():
        new = folder.with_name(f"{folder.name}.new.{os.getpid()}")
        for number in range(hands // 10):
            base, rules, setting = HOUSES[number % len(HOUSES)]
            place = new / f"{number:04}"
            place.mkdir(parents=True)
            (place / "house.yaml").write_text(
                f"id: house\nextends: [{base}]\n{rules}", encoding="utf-8"
            )
            (place / "game.rgn").write_text(_house_game(place, number, setting), encoding="utf-8")
        new.rename(folder)
    return _counted(folder, hands // 10 * 10)


def _house_game(place: Path, number: int, setting: str) -> str:
    """Ten hands by the rules of a folder, with a headers of a program's own."""
    options = [
        "--hands",
        "10",
        "--seed",
        str(number),
        "--rules",
        str(place / "house.yaml"),
        "--set",
        setting,
    ]
    made = subprocess.run(
        [script("meldref"), "simulate", *options], check=True, capture_output=True, text=True
    )
    games = []
    for game in made.stdout.split("[Rules ")[1:]:
        _, _, rest = game.partition("\n")
        rest = "".join(
            line for line in rest.splitlines(keepends=True) if not line.startswith("[Set ")
        )
        own = f'[X-Program "a table of ours 3.2"]\n[X-Seed "{number * 7919}"]\n'
        games.append(f'[Rules "house.yaml"]\n[Set "{setting}"]\n{own}{rest}')
    return "".join(games)


def spoilt_house(hands: int) -> Corpus:
    """The corpus with one line in twenty spoilt: many violations, by rules of many kinds."""
    return _rewritten(house(hands), CACHE / f"spoilt-house-{hands}", Spoilt)


def copied(source: Path, least: int = 500) -> Corpus:
    """Logs that are there already, with the rules beside them, copied until there are enough."""
    folder = (
        CACHE
        / f"copied-{sha1(str(source.resolve()).encode(), usedforsecurity=False).hexdigest()[:8]}"
    )
    if not folder.exists():
        new = folder.with_name(f"{folder.name}.new.{os.getpid()}")
        for number in range(-(-least // max(1, len(list(source.rglob("*.rgn")))))):
            shutil.copytree(source, new / f"{number:03}")
        new.rename(folder)
    return _counted(folder, 0)


def chess(plies: int) -> Corpus:
    """Random legal games of chess, in PGN, of about as many half-moves."""
    folder = CACHE / f"chess-{plies}"
    if not folder.exists():
        _make(folder, [PYTHON, peer("make_pgn.py"), "{out}", str(plies), SEED])
    return Corpus(folder, int((folder / "plies").read_text(encoding="utf-8")))


def poker(hands: int) -> Corpus:
    """Random hands of poker, in PokerKit's notation."""
    folder = CACHE / f"poker-{hands}"
    if not folder.exists():
        _make(folder, [PYTHON, peer("make_poker.py"), "{out}", str(hands), SEED])
    return Corpus(folder, hands, hands)


def _make(folder: Path, command: list[str]) -> None:
    new = folder.with_name(f"{folder.name}.new.{os.getpid()}")
    new.mkdir(parents=True)
    subprocess.run(
        [str(new) if word == "{out}" else word for word in command],
        check=True,
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": str(ROOT / "tests")},
    )
    new.rename(folder)


def _counted(folder: Path, hands: int) -> Corpus:
    texts = [path.read_text(encoding="utf-8") for path in sorted(folder.rglob("*.rgn"))]
    return Corpus(folder, sum(len(_TURN.findall(text)) for text in texts), hands)


def _rewritten(plain: Corpus, folder: Path, change: type[Change]) -> Corpus:
    if not folder.exists():
        new = folder.with_name(f"{folder.name}.new.{os.getpid()}")
        new.mkdir(parents=True)
        hand = change(random.Random(SEED))
        for path in sorted(path for path in plain.folder.rglob("*") if path.is_file()):
            place = new / path.relative_to(plain.folder)
            place.parent.mkdir(parents=True, exist_ok=True)
            text = path.read_text(encoding="utf-8")
            if path.suffix == ".rgn":
                text = "\n".join(map(hand.line, text.splitlines())) + "\n"
            place.write_text(text, encoding="utf-8")
        new.rename(folder)
    return Corpus(folder, plain.units, plain.hands)


class Change:
    """How a line is written anew."""

    def __init__(self, rng: random.Random) -> None:
        self.rng = rng

    def line(self, text: str) -> str:
        """The line as it stands in the new corpus."""
        return text


class Commented(Change):
    """A comment on the line of each hand."""

    def line(self, text: str) -> str:
        """The line, with a comment if it begins a hand."""
        return f"{text} # at the kitchen table" if text.startswith("hand ") else text


class Odd(Change):
    """Spelling that the reader forgives."""

    def line(self, text: str) -> str:
        """Another way to write the line."""
        if not text or text.startswith("["):
            return text
        if self.rng.random() < 0.3:
            text = re.sub(r"\bT([cdhs])\b", r"10\1", text)
        if self.rng.random() < 0.3:
            text = re.sub(
                r"\b([2-9TJQKA])([cdhs])\b", lambda found: found[1] + found[2].upper(), text
            )
        if self.rng.random() < 0.2:
            text = text.replace("; ", " ;  ")
        if self.rng.random() < 0.2:
            text += f"   # {self.rng.choice(['was sure of it', 'after a while', 'Ann laughs', 'the cat'])}"
        return text


class Spoilt(Change):
    """Lines that cannot be read, or not as they were meant."""

    def line(self, text: str) -> str:
        """The line, or in one case of twenty what is left of it."""
        if not text or text.startswith("[") or self.rng.random() >= 0.05:
            return text
        kind = self.rng.randrange(3)
        if kind == 0:
            return text[: self.rng.randrange(1, len(text))]
        if kind == 1:
            at = self.rng.randrange(len(text))
            return text[:at] + self.rng.choice("xz!9;") + text[at + 1 :]
        words = text.split(" ")
        self.rng.shuffle(words)
        return " ".join(words)
