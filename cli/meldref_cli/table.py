"""`meldref table`: the referee at the table, who takes a game line by line and writes its log."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.diagnostics import Finding
from meldref.core.events import Deal
from meldref.core.text import one_line
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable
from meldref_cli.files import is_file, is_there
from meldref_cli.findings import tell
from meldref_cli.foreign import refuse_foreign
from meldref_cli.prompting import Ask, asking
from meldref_cli.ruleset_args import NOTHING_ASKED, RulesetRequest, asked, over_log, usable
from meldref_cli.table_log import TableLog

if TYPE_CHECKING:
    from meldref_table.sitting import Sitting

_TOLD: Final = 10
"""The most findings shown of a log that is continued."""

_Players = Annotated[
    str | None,
    typer.Option("--players", metavar="NAMES", help="Who plays, clockwise, in a new log."),
]
_Seed = Annotated[
    int | None,
    typer.Option("--seed", metavar="S", help="The seed by which `deal` deals.  [default: random]"),
]
_Pass = Annotated[
    bool,
    typer.Option(
        "--pass", help="Hide each hand until its player says that they sit at the screen."
    ),
]
_Quiet = Annotated[
    bool, typer.Option("--quiet", "-q", help="Show the table only when `table` asks for it.")
]


def table(
    log: Annotated[str, typer.Argument(metavar="LOG", help="The log to write, or to continue.")],
    players: _Players = None,
    seed: _Seed = None,
    rules: options.Rules = None,
    with_: options.With = None,
    set_: options.Set = None,
    trust_paths: options.TrustPaths = False,
    pass_: _Pass = False,
    quiet: _Quiet = False,
) -> int:
    """Referees a game while it is played: deals, judges each line, offers moves, keeps score.

    Each correct line is written to the log, on disk, before the next one is asked for; an
    existing log is continued. A line with a mistake is reported, with what would be legal, and is
    not written unless the players insist with !. At the prompt, help lists the commands. If
    standard input is not a terminal, lines are read from it.

    Exit status: 0 done, 1 a line from standard input was refused, 2 unusable arguments or log.

    Examples:
      meldref table tonight.rgn --players Ann,Bob,Cy
      meldref table friday.rgn
    """
    from meldref_evidence.explaining import WEIGHING
    from meldref_table.sitting import Sitting

    if log == "-":
        raise Unusable("-: a table needs a file, so that nothing is lost")
    if is_there(log) and not is_file(log):
        raise Unusable(f"{log}: this is no regular file, so no log can be kept in it")
    there = is_there(log) and Path(log).stat().st_size > 0
    if there and (any((players, rules, with_, set_))):
        raise Unusable(
            f"{log} already exists, and says who plays by which rules: leave those options out"
        )
    wanted = NOTHING_ASKED if there else asked(rules, with_, set_)
    headers = [] if there else _headers(log, players, wanted)
    refuse_foreign(log)
    with TableLog.open(log) as draft:
        lines = draft.lines()
        if not there:
            draft.write(headers)
            lines = headers
        chance = int.from_bytes(os.urandom(6), "big") if seed is None else seed
        over = over_log(NOTHING_ASKED, log, trust_paths=trust_paths)
        sitting = Sitting(log, lines, over, chance, WEIGHING)
        if there and not _may_go_on(sitting):
            return UNUSABLE
        draft.mend()
        return _Table(sitting, draft, passed=pass_, quiet=quiet).run()


def _headers(log: str, players: str | None, wanted: RulesetRequest) -> list[str]:
    """The headers of a new log; `Unusable` if these players cannot play by these rules."""
    from meldref.notation.writer import write_event
    from meldref_cli.simulate import as_written
    from meldref_table.simulate import LogSource, cannot_play
    from meldref_table.simulate.playing import headers

    if players is None:
        raise Unusable(f"{log} is a new file: name the players with --players Ann,Bob,Cy")
    names = [player.strip() for player in players.split(",")]
    ruleset = usable(wanted, f"{log} cannot be begun by these rules")
    if not all(names) or len(set(names)) < len(names):
        raise Unusable(f"--players {players}: each player has a name of their own")
    reason = cannot_play(ruleset, len(names))
    if reason is not None:
        raise Unusable(f"--players {players}: {reason}")
    source = LogSource(*as_written(wanted, Path(log).absolute().parent))
    try:
        return [write_event(line) for line in headers(source, names)]
    except ValueError as error:
        raise Unusable(str(error)) from error


def _may_go_on(sitting: Sitting) -> bool:
    """Whether a log can be continued; what is wrong in it is reported."""
    path, findings = sitting.run.path, sitting.run.so_far.findings
    tell(findings[:_TOLD], path, to_errors=True)
    if sitting.lines and any(finding.code == "log.syntax" for finding in findings):
        output.error(f"{path} has lines that cannot be read: correct them first")
        return False
    output.notice(f"{path}: going on after line {len(sitting.lines)}")
    return True


class _Screen:
    """Whose turn at the screen it is: with `passed`, the player who said that they sit there."""

    def __init__(self, sitting: Sitting, ask: Ask, *, passed: bool, clears: bool) -> None:
        self._sitting = sitting
        self._ask = ask
        self._passed = passed
        self._clears = clears
        self._lines_seen: dict[str, int] = {}
        """How many lines there were when each player left the screen."""
        self.owner: str | None = None

    def hand_over(self) -> bool:
        """Hides everything until the player who is next says so.

        False where nobody says anything any more.
        """
        lines, mover = self._sitting.lines, self._sitting.mover()
        if not self._passed or mover == self.owner:
            return True
        if self.owner is not None:
            self._lines_seen[self.owner] = len(lines)
        self.owner = mover
        if mover is None:
            return True
        if self._clears:
            output.write("\x1b[2J\x1b[3J\x1b[H")
        output.write(f"the next player, please: {one_line(mover)} presses Enter")
        if self._ask(f"{one_line(mover)}> ") is None:
            return False
        self.write_lines(lines[self._lines_seen.get(mover, len(lines)) :])
        return True

    def may_see(self, name: str | None) -> bool:
        """Whether a hand may be shown here."""
        return not self._passed or name in {None, self.owner}

    def may_know(self, finding: Finding) -> Finding:
        """A finding, where the screen is passed round without what it says of other hands."""
        return self._sitting.may_know(finding, self.owner) if self._passed else finding

    def write_lines(
        self, lines: Iterable[str], before: str = "", hidden: tuple[str, ...] = ()
    ) -> None:
        """Writes lines of the log, as far as the player at the screen may know them.

        Those that begin as `hidden` says are left out; `before` stands before each of the others.
        """
        from meldref.notation.reader import read_line

        for line in lines:
            event = read_line(line)[0].event
            text: str | None = line
            if event is not None and self._passed:
                text = self._sitting.as_told(event, self.owner)
            if text is not None and not text.startswith(hidden):
                output.write(f"  {before}{text}")

    def write_taken_back(self) -> None:
        """Writes what was taken back, line by line; of a deal only that it was one."""
        from meldref.notation.writer import write_event

        events = self._sitting.taken_back
        if any(isinstance(event, Deal) for event in events):
            output.write("  taken back: the deal")
        else:
            self.write_lines(map(write_event, events), before="taken back: ")


class _Table:
    """A table under way: each line that is entered is answered, or judged and written."""

    def __init__(self, sitting: Sitting, log: TableLog, *, passed: bool, quiet: bool) -> None:
        self._sitting = sitting
        self._log = log
        self._quiet = quiet
        self._terminal = output.is_terminal(sys.stdin) and output.is_terminal(sys.stdout)
        self._ask = asking(sitting.complete, terminal=self._terminal)
        clears = self._terminal and os.environ.get("TERM", "dumb") != "dumb"
        self._screen = _Screen(sitting, self._ask, passed=passed, clears=clears)
        self._is_warned = False
        """Whether the last line was an `undo` that would take back a deal."""
        self._worst = CLEAN

    def run(self) -> int:
        """Takes line after line, until nobody has anything more to say; the exit status."""
        seated = self._seat_next()
        while seated:
            text = self._ask(f"{one_line(self._sitting.mover() or 'table')}> ")
            if text is None or text.lower() in {"quit", "exit"}:
                break
            if text and not text.startswith("#") and not self._warns(text):
                seated = self._take(text)
        return CLEAN if self._terminal else self._worst

    def _seat_next(self) -> bool:
        """Hands the screen to the player who is next, and shows the table; False at the end."""
        seated = self._screen.hand_over()
        if seated and not self._quiet:
            self._show()
        return seated

    def _warns(self, text: str) -> bool:
        """Whether the players are warned that an `undo` takes back a deal, and it waits."""
        is_first = text.lower() == "undo" and not self._is_warned
        self._is_warned = is_first and self._sitting.takes_back_a_deal()
        if self._is_warned:
            output.write("this takes back the cards that were dealt: undo once more does so")
        return self._is_warned

    def _take(self, text: str) -> bool:
        """Answers a line, or has it judged and writes what comes of it; False at the end."""
        before = len(self._sitting.lines)
        findings = self._answer(text)
        if findings is None:
            return True
        written = self._sitting.lines[before:]
        self._log.write(written)
        self._tell(written, findings)
        if not written or (findings and self._sitting.refused):
            self._worst = WRONG
        return self._seat_next() if written else True

    def _answer(self, text: str) -> Sequence[Finding] | None:
        """What is wrong with a line, once it is taken; None if it only asked for something."""
        sitting = self._sitting
        deeds = {
            "undo": sitting.undo,
            "deal": sitting.deal,
            "end": sitting.end,
            "reshuffle": sitting.shuffle,
        }
        command = text.lower()
        word, _, name = text.partition(" ")
        if command in deeds:
            sitting.taken_back = []
            return deeds[command]()
        if text.startswith("!"):
            return sitting.say(text[1:].strip() or sitting.refused, insist=True)
        if command in {"help", "h"}:
            help_ = Path(__file__).with_name("table_help.txt").read_text(encoding="utf-8")
            output.write(help_.rstrip("\n"))
        elif command in {"moves", "?"}:
            moves = sitting.moves(self._screen.owner)
            output.write_all(moves or ["there is nothing to do: deal begins the next hand"])
        elif word.lower() == "table":
            self._show(name.strip() or None)
        elif command == "score":
            self._show_score()
        else:
            return sitting.say(text)
        return None

    def _tell(self, written: Sequence[str], findings: Sequence[Finding]) -> None:
        """What was written, what was taken back, and what is wrong."""
        screen = self._screen
        partly = bool(written) and bool(findings) and bool(self._sitting.refused)
        if partly:
            screen.write_lines(written)
        tell(map(screen.may_know, findings), self._sitting.run.report.path)
        if not written or partly:
            advice = ": there is nothing to do here"
            if any(finding.code == "log.syntax" for finding in findings):
                advice = "; help lists the commands"
            elif findings:
                advice = "; ! writes it anyway"
            output.write(f"not written{advice}")
        if written and written[-1].lower() == "undo" and self._sitting.taken_back:
            screen.write_taken_back()
        elif not partly:
            # Of a deal only what lies open is shown; a hand that was dealt alone was entered.
            hidden = ("deal ", "stock ") if len(written) > 1 else ()
            screen.write_lines(written, hidden=hidden)

    def _show(self, name: str | None = None) -> None:
        """The table, with one hand open: that of the player named, else of who is to move."""
        from meldref.report.table import table_lines

        if not self._screen.may_see(name):
            output.write("a hand is shown to its own player only, when it is their turn")
            return
        position = self._sitting.as_seen(name or self._sitting.mover())
        if position is not None:
            output.write_all(table_lines(position, output.style_for()))
        elif self._sitting.hand is None:
            output.write("no hand is in progress: `deal` starts one, `help` lists the commands")

    def _show_score(self) -> None:
        """The score sheet of the game under way."""
        from meldref.notation.reader import read_lines
        from meldref.replay.log import Replay
        from meldref.report.scored import sheet_text
        from meldref.scoring.counting import score_sheets
        from meldref_evidence.explaining import RecordExplainer

        before = self._sitting.run
        run = Replay(before.report.path, before.overrides, explainer=RecordExplainer())
        sheets, _ = score_sheets(read_lines(self._sitting.lines), run)
        if sheets:
            output.write_all(sheet_text(sheets[-1]))
