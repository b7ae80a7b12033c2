"""Plays ten thousand hands of each game that ships by each kind of player, audits them, and writes statistics.md.

    python docs/scores.py                    play, audit and write (about two hours of one core, with a compiled wheel)
    python docs/scores.py --check            play the first few hands alone; 1 where the page says otherwise
    python docs/scores.py --hands 500        hands of each game by each kind of player
    python docs/scores.py --but kalooki-40=1000 contract-rummy=1000      fewer of games that take long
    python docs/scores.py --anew             also what the page has

The page has a line for each game that was counted, greedy players and quick games first, so that
a run that was stopped goes on where it was. A line stays where as many hands as are asked for were counted, and
the first few are the same still. The same seed plays the same hands on every machine: `meldref simulate` with the options
that stand in the page writes the logs that were counted.
"""

from __future__ import annotations

import argparse
import hashlib
import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from math import sqrt
from pathlib import Path
from time import process_time

from meldref.core.diagnostics import Severity
from meldref.rulefiles.load import load_ruleset
from meldref_evidence.audit import audit_text
from meldref_table.simulate import LogSource, Seats, SimulatedHand, log_lines, play_hands

PAGE = Path(__file__).resolve().parent / "statistics.md"
SEED = 1
HANDS = 10_000
"""How many hands of each game are played by each kind of player."""
KINDS = ("greedy", "random")
"""The kinds of players."""
FEW = 12
"""How many hands are played to check the page."""
TABLES = (
    ("500-rummy", 3),
    ("500-rum", 3),
    ("partnership-500-rum", 4),
    ("persian-rummy", 4),
    ("gilfoy-500-rummy", 4),
    ("online-rummy-500", 2),
    ("michigan-rum", 3),
    ("5000-rummy", 3),
    ("kalooki-40", 3),
    ("contract-rummy", 3),
    ("basic-rummy", 3),
    ("three-thirteen", 3),
    ("shanghai-rummy", 3),
    ("may-i", 3),
)
"""The games, and how many play."""
FEWEST = dict.fromkeys(
    ("5000-rummy", "contract-rummy", "three-thirteen", "shanghai-rummy", "may-i"), 3
)
"""Games of which fewer hands are played to check the page."""


Key = tuple[str, str]
"""A game and a kind of players."""


@dataclass(frozen=True)
class Line:
    """A line of the page: what a game's hands by a kind of players came to, cell by cell."""

    kind: str
    cells: tuple[str, ...]

    @property
    def key(self) -> Key:
        """The game and the kind of players."""
        return self.cells[0], self.kind

    @property
    def hands(self) -> int:
        """How many were counted."""
        return int(self.cells[2].replace(",", ""))

    @property
    def command(self) -> str:
        """What writes the log of these hands."""
        seats = ",".join([self.kind] * int(self.cells[1]))
        return f"meldref simulate --rules {self.cells[0]} --seats {seats} --hands {self.hands} --seed {SEED}"


@dataclass
class Spread:
    """Numbers as they come: how many, their mean, how they spread, the least and the greatest."""

    count: int = 0
    total: int = 0
    squares: int = 0
    least: int | None = None
    most: int | None = None

    def add(self, value: int) -> None:
        """One more."""
        self.count += 1
        self.total += value
        self.squares += value * value
        self.least = value if self.least is None else min(self.least, value)
        self.most = value if self.most is None else max(self.most, value)

    @property
    def mean(self) -> float:
        """Their mean; 0 of none."""
        return self.total / self.count if self.count else 0.0

    @property
    def deviation(self) -> float:
        """Their standard deviation, of a sample; 0 of fewer than two."""
        if self.count < 2:
            return 0.0
        return sqrt(
            max(0, self.count * self.squares - self.total**2) / (self.count * (self.count - 1))
        )


@dataclass
class Counted:
    """What the hands of one game by one kind of player came to.

    `points` are those of a side in a hand, `seconds` the processor's for all of it.
    """

    rules: str
    kind: str
    players: int
    hands: int = 0
    games: int = 0
    turns: Spread = field(default_factory=Spread)
    points: Spread = field(default_factory=Spread)
    ends: Counter[str] = field(default_factory=Counter)
    takes: int = 0
    draws: int = 0
    calls: int = 0
    findings: int = 0
    unjudged: int = 0
    digest: str = ""
    seconds: float = 0.0

    @property
    def key(self) -> Key:
        """Which line of the page this is."""
        return self.rules, self.kind

    @property
    def line(self) -> Line:
        """The line of the page."""
        return Line(self.kind, row(self))

    def add(self, played: SimulatedHand) -> None:
        """One more hand."""
        tally = played.tally
        self.hands += 1
        self.games = played.game
        self.turns.add(tally.turns)
        for score in played.scores:
            if score is not None:
                self.points.add(score)
        self.ends[played.reason] += 1
        self.takes += sum(tally.takes)
        self.draws += sum(tally.draws)
        self.calls += sum(tally.called)


def count(rules: str, players: int, kind: str, hands: int) -> Counted:
    """Plays a number of hands and audits the log of each game."""
    ruleset, findings = load_ruleset(rules)
    if ruleset is None:
        raise SystemExit(str(findings))
    seats = Seats.of([kind] * players)
    counted = Counted(rules, kind, players)
    digest = hashlib.sha256()
    blank = ""
    began = process_time()
    for game in _games(play_hands(ruleset, seats, SEED, hands)):
        for played in game:
            counted.add(played)
        text = "".join(log_lines(game, LogSource(rules, seed=SEED), seats))
        digest.update((blank + text).encode())
        blank = "\n"
        report = audit_text(text)
        counted.findings += sum(one.severity is Severity.ERROR for one in report.findings)
        counted.unjudged += len(report.open)
    counted.digest = digest.hexdigest()[:16]
    counted.seconds = process_time() - began
    return counted


def _games(hands: Iterator[SimulatedHand]) -> Iterator[list[SimulatedHand]]:
    """The hands of each game."""
    game: list[SimulatedHand] = []
    for played in hands:
        if game and played.game != game[0].game:
            yield game
            game = []
        game.append(played)
    if game:
        yield game


def count_few(jobs: int) -> list[Counted]:
    """The first few hands of every game, by every kind of player."""
    asked = [(rules, players, kind, FEWEST.get(rules, FEW)) for rules, players, kind in _tables()]
    with ProcessPoolExecutor(jobs) as pool:
        return list(pool.map(count, *zip(*asked, strict=True)))


def count_all(
    jobs: int, hands: int, but: Mapping[str, int], few: Sequence[Counted], known: Mapping[Key, Line]
) -> Iterator[Line]:
    """So many hands of every game, `but` of some: what is not known, greedy players and quick games first."""
    wanted = {one.key: but.get(one.rules, hands) for one in few}
    missing = [one for one in few if one.key not in known or known[one.key].hands < wanted[one.key]]
    missing.sort(key=lambda one: (KINDS.index(one.kind), one.seconds / one.hands))
    asked = [(one.rules, one.players, one.kind, wanted[one.key]) for one in missing]
    with ProcessPoolExecutor(jobs) as pool:
        for counted in pool.map(count, *zip(*asked, strict=True)) if asked else ():
            if counted.findings or counted.unjudged:
                raise SystemExit(
                    f"{counted.line.command}: {counted.findings} violations, {counted.unjudged} left open"
                )
            yield counted.line


def _tables() -> list[tuple[str, int, str]]:
    return [(rules, players, kind) for kind in KINDS for rules, players in TABLES]


# --- the page -------------------------------------------------------------------------------------


def page(known: Mapping[Key, Line], few: Sequence[Counted]) -> str:
    """The whole page."""
    lines = [known[one.key] for one in few if one.key in known]
    hands = sum(line.hands for line in lines)
    most, least = (choose(line.hands for line in lines) for choose in (max, min))
    played = (
        f"{most:,} hands" if least == most else f"Up to {most:,} hands, and at least {least:,},"
    )
    return f"""<!-- Written by docs/scores.py: change that, not this page. -->

# What simulated games score

{played} of each game that ships among greedy players, and as many among players who do anything that is
legal, all from seed {SEED}. Every one of these {hands:,} hands was written as a log and audited; the audit found
nothing. `python docs/scores.py` plays, audits and counts them again.

Figures are means, with the standard deviation after ±. Points are those of one player in one hand, or of one
side if two play together.

## Among greedy players

{rendered(HEADS, [line.cells for line in lines if line.kind == "greedy"])}

## Among random players

{rendered(HEADS, [line.cells for line in lines if line.kind == "random"])}

A greedy player lays down whatever scores, takes the pile when that pays, and discards what helps the others
least; before a contract, it keeps the cards that it needs for that. A random player is equally likely to make any
legal move. A hand is annulled if no end is in sight after a thousand turns: among random players in Shanghai Rummy
most are, since nobody there may buy more than three or four cards a hand, so that the stock never runs out.
`meldref rules compare` shows what a house rule does to a game.

## Reproducing the figures

The logs behind each line:

```text
{chr(10).join(line.command for line in lines)}
```

{check(few)}
"""


def still_so(text: str, few: Sequence[Counted]) -> dict[Key, Line]:
    """The lines of a page of games whose first few hands are those that it shows."""
    same = {one.key for one in few if rendered_row(check_row(one)) in text}
    lines = []
    for part in re.split(r"^## Among (?=\w+ players$)", text, flags=re.MULTILINE)[1:]:
        kind = part.partition(" ")[0]
        rows = (
            tuple(line.strip("| ").split(" | ")) for line in part.split("\n") if line[:1] == "|"
        )
        lines += [Line(kind, cells) for cells in rows if len(cells) == len(HEADS)]
    return {line.key: line for line in lines if line.key in same}


def check(few: Sequence[Counted]) -> str:
    """The part of the page that a few hands give: `--check` compares it."""
    heads = (
        "game",
        "players",
        "hands",
        "turns",
        "points",
        "SHA-256 of the log begins",
        "violations",
    )
    table = rendered(heads, [check_row(one) for one in few])
    return f"The first hands of each, which the tests play again:\n\n{table}"


def check_row(one: Counted) -> tuple[str, ...]:
    """A game's row among the first hands."""
    return (
        one.rules,
        one.kind,
        str(one.hands),
        str(one.turns.total),
        str(one.points.total),
        f"`{one.digest}`",
        str(one.findings),
    )


HEADS = (
    "game",
    "players",
    "hands",
    "games",
    "turns a hand",
    "points a hand",
    "least",
    "most",
    "went out",
    "stock ran out",
    "annulled",
    "pile taken",
    '"Rummy!" a hand',
)
"""What the cells of a line are."""


def row(one: Counted) -> tuple[str, ...]:
    """A game's row."""
    return (
        one.rules,
        str(one.players),
        f"{one.hands:,}",
        f"{one.games:,}",
        f"{one.turns.mean:.1f} ± {one.turns.deviation:.1f}",
        f"{one.points.mean:.1f} ± {one.points.deviation:.1f}",
        str(one.points.least),
        str(one.points.most),
        *(share(one.ends[end], one.hands) for end in ("out", "stock", "void")),
        share(one.takes, one.takes + one.draws),
        f"{one.calls / one.hands:.2f}",
    )


def share(part: int, whole: int) -> str:
    """A share in per cent."""
    return f"{100 * part / whole:.1f} %" if whole else "-"


def rendered(heads: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = [heads, ["---", "---", *["--:"] * (len(heads) - 2)], *rows]
    return "\n".join(map(rendered_row, lines))


def rendered_row(cells: Sequence[str]) -> str:
    """A row of a table in Markdown."""
    return f"| {' | '.join(cells)} |"


def main(arguments: Sequence[str]) -> int:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--but", nargs="*", default=[], metavar="GAME=HANDS")
    parser.add_argument("--anew", action="store_true")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    few = count_few(1 if asked.check else asked.jobs)
    if asked.check:
        same = check(few) in PAGE.read_text(encoding="utf-8")
        sys.stdout.write("" if same else "docs/statistics.md: differs\n")
        return int(not same)
    but = {game: int(hands) for game, _, hands in (one.partition("=") for one in asked.but)}
    known = {} if asked.anew else still_so(PAGE.read_text(encoding="utf-8"), few)
    for line in count_all(asked.jobs, asked.hands, but, few, known):
        known[line.key] = line
        PAGE.write_text(page(known, few), encoding="utf-8")
        sys.stdout.write(f"{line.command}\n")
        sys.stdout.flush()
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
