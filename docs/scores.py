"""Plays ten thousand hands of each game that ships by each kind of player, audits them, and writes statistics.md.

    python docs/scores.py                    play, audit and write (more than an hour on two cores)
    python docs/scores.py --check            play the first few hands alone; 1 where the page says otherwise
    python docs/scores.py --hands 500        hands of each game by each kind of player
    python docs/scores.py --but kalooki-40=1000 contract-rummy=1000      fewer of games that take long

What is counted is kept in build/scores, game by game, so that a run that was stopped goes on where
it was. The same seed plays the same hands on every machine: `meldref simulate` with the options
that stand in the page writes the logs that were counted.
"""

from __future__ import annotations

import argparse
import hashlib
import pickle
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
KEPT = Path(__file__).resolve().parent.parent / "build" / "scores"
"""Where the counts of finished games wait for the rest of a run."""
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
    def command(self) -> str:
        """What writes the log of these hands."""
        seats = ",".join([self.kind] * self.players)
        return f"meldref simulate --rules {self.rules} --seats {seats} --hands {self.hands} --seed {SEED}"

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
    jobs: int, hands: int, but: Mapping[str, int], few: Sequence[Counted]
) -> list[Counted]:
    """So many hands of every game, `but` of some, by every kind of player; in the order of `few`.

    The quickest come first, so that a run that is stopped has counted most of them.
    """
    KEPT.mkdir(parents=True, exist_ok=True)
    quickest = sorted(few, key=lambda one: one.seconds / one.hands)
    with ProcessPoolExecutor(jobs) as pool:
        counting = {
            (one.rules, one.kind): pool.submit(_count_or_recall, one, but.get(one.rules, hands))
            for one in quickest
        }
        return [counting[one.rules, one.kind].result() for one in few]


def _tables() -> list[tuple[str, int, str]]:
    return [(rules, players, kind) for kind in KINDS for rules, players in TABLES]


def _count_or_recall(few: Counted, hands: int) -> Counted:
    """The hands of one game, counted now or by a run whose first few hands were the same."""
    kept = KEPT / f"{few.rules}-{few.kind}-{hands}-{few.digest}.pickle"
    if kept.is_file():
        recalled: Counted = pickle.loads(kept.read_bytes())  # noqa: S301  a file of our own
        return recalled
    counted = count(few.rules, few.players, few.kind, hands)
    kept.write_bytes(pickle.dumps(counted))
    return counted


# --- the page -------------------------------------------------------------------------------------


def page(counted: Sequence[Counted], few: Sequence[Counted]) -> str:
    """The whole page."""
    faults = sum(one.findings for one in counted)
    unjudged = sum(one.unjudged for one in counted)
    hands = sum(one.hands for one in counted)
    audit = (
        "nothing"
        if not faults and not unjudged
        else f"{faults} violations, and left {unjudged} open"
    )
    most, least = (choose(one.hands for one in counted) for choose in (max, min))
    all_ = f"{most:,} hands of every game that ships"
    if least < most:
        all_ = f"{most:,} hands of most games that ship, and at least {least:,} of each,"
    return f"""<!-- Written by docs/scores.py: change that, not this page. -->

# What simulated games score

{all_} among greedy players, and as many among players who do anything that is
legal, all from seed {SEED}. Every one of these {hands:,} hands was written as a log and audited; the audit found
{audit}. `python docs/scores.py` plays, audits and counts them again.

Figures are means, with the standard deviation after ±. Points are those of one player in one hand, or of one
side if two play together.

## Among greedy players

{table([one for one in counted if one.kind == "greedy"])}

## Among random players

{table([one for one in counted if one.kind == "random"])}

A greedy player lays down whatever scores, takes the pile when that pays, and discards what helps the others
least; a random player is equally likely to make any legal move. A hand is annulled if no end is in sight after a
thousand turns. `meldref rules compare` shows what a house rule does to a game.

## Reproducing the figures

The logs behind each line:

```text
{chr(10).join(one.command for one in counted)}
```

{check(few)}
"""


def check(few: Sequence[Counted]) -> str:
    """The part of the page that a few hands give: `--check` compares it."""
    rows = [
        (
            one.rules,
            one.kind,
            str(one.hands),
            str(one.turns.total),
            str(one.points.total),
            f"`{one.digest}`",
            str(one.findings),
        )
        for one in few
    ]
    heads = (
        "game",
        "players",
        "hands",
        "turns",
        "points",
        "SHA-256 of the log begins",
        "violations",
    )
    return f"The first hands of each, which the tests play again:\n\n{rendered(heads, rows)}"


def table(counted: Sequence[Counted]) -> str:
    """A row a game."""
    heads = (
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
    return rendered(heads, [row(one) for one in counted])


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
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def main(arguments: Sequence[str]) -> int:
    """Writes or checks the page."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--check", action="store_true")
    parser.add_argument("--hands", type=int, default=HANDS)
    parser.add_argument("--but", nargs="*", default=[], metavar="GAME=HANDS")
    parser.add_argument("--jobs", type=int, default=2)
    asked = parser.parse_args(arguments)
    few = count_few(1 if asked.check else asked.jobs)
    if asked.check:
        same = check(few) in PAGE.read_text(encoding="utf-8")
        sys.stdout.write("" if same else "docs/statistics.md: differs\n")
        return int(not same)
    but = {game: int(hands) for game, _, hands in (one.partition("=") for one in asked.but)}
    PAGE.write_text(page(count_all(asked.jobs, asked.hands, but, few), few), encoding="utf-8")
    sys.stdout.write("docs/statistics.md: written\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
