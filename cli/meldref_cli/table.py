"""`meldref table`: the referee at the table, who takes a game line by line and writes its log."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.diagnostics import Finding
from meldref.core.events import Deal
from meldref.core.safe_files import lock, why_not
from meldref.core.text import one_line
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, naming
from meldref_cli.files import is_file, is_there
from meldref_cli.findings import tell
from meldref_cli.ruleset_args import NOTHING_ASKED, RulesetRequest, asked, over_log, usable

if TYPE_CHECKING:
    from meldref_table.sitting import Sitting

_TOLD: Final = 10
"""The most findings shown of a log that is continued."""
_CHUNK: Final = 1 << 16
"""How many bytes of a log are looked at in one go, from its end."""


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
    with _Kept.open(log) as draft:
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
        return _sit(sitting, draft, passed=pass_, quiet=quiet)


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


class _Kept:
    """The log file; each line is completely on disk before the game continues.

    Nobody else should write it meanwhile: if somebody does, that is noticed before the next line.
    """

    def __init__(self, path: str, number: int) -> None:
        self._path, self._number = path, number
        self._size = os.fstat(number).st_size
        self._whole = self._size
        self._torn = ""

    @classmethod
    @contextmanager
    def open(cls, path: str) -> Iterator[_Kept]:
        """Opens a log for only one table; `Unusable` if another one is writing it."""
        with naming(path):
            number = os.open(
                path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666
            )
        try:
            if not lock(number):
                raise Unusable(f"{path}: another table is writing this log")
            yield cls(path, number)
        finally:
            os.close(number)

    def lines(self) -> list[str]:
        """The whole lines of the log.

        A last one that was not written to its end is not among them.
        """
        from meldref.notation.reader import read_line
        from meldref.notation.scanner import LONGEST, decode

        with os.fdopen(os.dup(self._number), "rb") as stream:
            lines = list(decode(stream, LONGEST))
            if stream.tell() < self._size:
                raise Unusable(
                    f"{self._path}: this cannot be read to its end, so no table can go on with it"
                )
        end = self._end_of_lines()
        rest = os.pread(self._number, self._size - end, end) if end else b""
        last = list(decode(BytesIO(b"\n" + rest), LONGEST))[1:]
        if rest and last == lines[-1:] and read_line(lines[-1])[1]:
            self._torn = lines.pop()
            self._whole = end
        return lines

    def _end_of_lines(self) -> int:
        """Where the last line begins that has no end; the size of the log where each has one."""
        place = self._size
        while place:
            begin = max(0, place - _CHUNK)
            end = os.pread(self._number, place - begin, begin).rfind(b"\n")
            if end >= 0:
                return begin + end + 1
            place = begin
        return 0

    def mend(self) -> None:
        """Takes a torn last line off the log, and says so; ends one that only lacks its end."""
        if self._torn:
            self._look()
            os.ftruncate(self._number, self._whole)
            self._size = self._whole
            output.notice(f"the last line was incomplete and is left out: {self._torn}")
        elif self._size and os.pread(self._number, 1, self._size - 1) != b"\n":
            self._put(b"\n")

    def write(self, lines: Sequence[str]) -> None:
        """Adds lines, and returns once they are on the disk."""
        if lines:
            self._put("".join(f"{line}\n" for line in lines).encode())

    def _look(self) -> None:
        """Raises `Unusable` if the log is no longer as this table left it."""
        status = os.fstat(self._number)
        try:
            same = os.path.samestat(status, os.stat(self._path))  # noqa: PTH116  needs no path
        except OSError:
            same = False
        if not same or status.st_size != self._size:
            raise Unusable(
                f"{self._path}: somebody else has changed this log; nothing more is written to it"
            )

    def _put(self, data: bytes) -> None:
        self._look()
        left = data
        try:
            while left:
                left = left[os.write(self._number, left) :]
            os.fsync(self._number)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._number, self._size)
            raise Unusable(
                f"{self._path}: {why_not(error)}; the last line was not written"
            ) from error
        self._size += len(data)


class _Screen:
    """Whose turn at the screen it is: with `passed`, the player who said that they sit there."""

    def __init__(self, sitting: Sitting, ask: Ask, *, passed: bool, clears: bool) -> None:
        self._sitting, self._ask, self._passed, self._clears = sitting, ask, passed, clears
        self._told: dict[str, int] = {}
        self.owner: str | None = None

    def hand_over(self) -> bool:
        """Hides everything until the player who is next says so.

        False where nobody says anything any more.
        """
        mover = self._sitting.mover()
        if not self._passed or mover == self.owner:
            return True
        if self.owner is not None:
            self._told[self.owner] = len(self._sitting.lines)
        self.owner = mover
        if mover is None:
            return True
        if self._clears:
            output.write("\x1b[2J\x1b[3J\x1b[H")
        output.write(f"the next player, please: {one_line(mover)} presses Enter")
        if self._ask(f"{one_line(mover)}> ") is None:
            return False
        since = self._told.get(mover, len(self._sitting.lines))
        output.write_all(f"  {line}" for line in self.as_told(self._sitting.lines[since:]))
        return True

    def may_see(self, name: str | None) -> bool:
        """Whether a hand may be shown here."""
        return not self._passed or name in {None, self.owner}

    def may_know(self, finding: Finding) -> Finding:
        """A finding, where the screen is passed round without what it says of other hands."""
        return self._sitting.may_know(finding, self.owner) if self._passed else finding

    def taken_back(self) -> Iterator[str]:
        """What was taken back, line by line; of a deal only that it was one."""
        from meldref.notation.writer import write_event

        if any(isinstance(event, Deal) for event in self._sitting.taken_back):
            yield "the deal"
            return
        yield from self.as_told(map(write_event, self._sitting.taken_back))

    def as_told(self, lines: Iterable[str]) -> Iterator[str]:
        """Lines of the log, as far as the player at the screen may know them."""
        from meldref.notation.reader import read_line

        for line in lines:
            event = read_line(line)[0].event
            told = (
                line
                if event is None or not self._passed
                else self._sitting.as_told(event, self.owner)
            )
            if told is not None:
                yield told


def _sit(sitting: Sitting, draft: _Kept, *, passed: bool, quiet: bool) -> int:
    """Takes line after line, until nobody has anything more to say."""
    terminal = output.is_terminal(sys.stdin) and output.is_terminal(sys.stdout)
    worst, before_that = CLEAN, ""
    ask = asking(sitting.complete, terminal=terminal)
    clears = terminal and os.environ.get("TERM", "dumb") != "dumb"
    screen = _Screen(sitting, ask, passed=passed, clears=clears)
    seated = screen.hand_over()
    if seated and not quiet:
        _show(sitting)
    while seated:
        text = ask(f"{one_line(sitting.mover() or 'table')}> ")
        if text is None or text.lower() in {"quit", "exit"}:
            break
        if not text or text.startswith("#"):
            continue
        if text.lower() == "undo" != before_that and sitting.takes_back_a_deal():
            output.write("this takes back the cards that were dealt: undo once more does so")
            before_that = "undo"
            continue
        before_that = ""
        before = len(sitting.lines)
        findings = _answer(sitting, text, screen)
        if findings is None:
            continue
        written = sitting.lines[before:]
        draft.write(written)
        _tell(sitting, written, findings, screen)
        if not written or (findings and sitting.refused):
            worst = WRONG
        if written:
            seated = screen.hand_over()
            if seated and not quiet:
                _show(sitting)
    return CLEAN if terminal else worst


def _answer(sitting: Sitting, text: str, screen: _Screen) -> Sequence[Finding] | None:
    """What is wrong with a line, once it is taken; None if it only asked for something."""
    word, _, rest = text.partition(" ")
    deeds = {
        "undo": sitting.undo,
        "deal": sitting.deal,
        "end": sitting.end,
        "reshuffle": sitting.shuffle,
    }
    command = text.lower()
    if command in deeds:
        sitting.taken_back = []
        return deeds[command]()
    if command in {"help", "h"}:
        output.write(
            Path(__file__).with_name("table_help.txt").read_text(encoding="utf-8").rstrip("\n")
        )
    elif command in {"moves", "?"}:
        moves = sitting.moves(screen.owner)
        output.write_all(moves or ["there is nothing to do: deal begins the next hand"])
    elif word.lower() == "table":
        name = rest.strip() or None
        if screen.may_see(name):
            _show(sitting, name)
        else:
            output.write("a hand is shown to its own player only, when it is their turn")
    elif command == "score":
        _score(sitting)
    elif text.startswith("!"):
        return sitting.say(text[1:].strip() or sitting.refused, insist=True)
    else:
        return sitting.say(text)
    return None


def _tell(
    sitting: Sitting, written: Sequence[str], findings: Sequence[Finding], screen: _Screen
) -> None:
    """What was written, what was taken back, and what is wrong."""
    partly = bool(written) and bool(findings) and bool(sitting.refused)
    if partly:
        output.write_all(f"  {line}" for line in screen.as_told(written))
    tell([screen.may_know(finding) for finding in findings], sitting.run.report.path)
    if not written or partly:
        advice = ": there is nothing to do here"
        if any(finding.code == "log.syntax" for finding in findings):
            advice = "; help lists the commands"
        elif findings:
            advice = "; ! writes it anyway"
        output.write(f"not written{advice}")
    if written and written[-1].lower() == "undo" and sitting.taken_back:
        output.write_all(f"  taken back: {line}" for line in screen.taken_back())
    elif not partly:
        hidden = ("deal ", "stock ") if len(written) > 1 else ()
        output.write_all(
            f"  {line}" for line in screen.as_told(written) if not line.startswith(hidden)
        )


def _show(sitting: Sitting, name: str | None = None) -> None:
    """The table, with one hand open."""
    from meldref.report.table import table_lines

    position = sitting.as_seen(name or sitting.mover())
    if position is None:
        if sitting.hand is None:
            output.write("no hand is in progress: `deal` starts one, `help` lists the commands")
        return
    output.write_all(table_lines(position, output.style_for()))


def _score(sitting: Sitting) -> None:
    from meldref.notation.reader import read_lines
    from meldref.replay.log import Replay
    from meldref.report.scored import sheet_text
    from meldref.scoring.counting import score_sheets
    from meldref_evidence.explaining import RecordExplainer

    run = sitting.run
    again = Replay(run.report.path, run.overrides, explainer=RecordExplainer())
    sheets, _ = score_sheets(read_lines(sitting.lines), again)
    for sheet in sheets[-1:]:
        output.write_all(sheet_text(sheet))


Offer = Callable[[str], Iterable[str]]
Ask = Callable[[str], "str | None"]


def asking(offer: Offer, *, terminal: bool) -> Ask:
    """What asks for the next line, without blanks around it; it answers None when there is none.

    `offer` says how the last action of a line may go on. On a terminal Tab completes by it: with a
    menu where prompt_toolkit is installed (the extra `table`), else with readline where Python has
    it.
    """
    if not terminal:
        return lambda _: None if not (line := sys.stdin.readline()) else line.strip()

    def visible_ones(text: str) -> Iterator[str]:
        return (line for line in offer(text) if line.isprintable())

    try:
        read = _with_menu(visible_ones)
    except ImportError:
        _complete_by_readline(visible_ones)
        read = input

    def ask(prompt: str) -> str | None:
        try:
            return read(prompt).strip()
        except EOFError:
            return None

    return ask


def _with_menu(offer: Offer) -> Callable[[str], str]:
    from prompt_toolkit import PromptSession
    from prompt_toolkit.completion import WordCompleter

    def whole() -> list[str]:
        written = str(session.default_buffer.document.text_before_cursor)
        begun = written[max(written.rfind(";"), written.rfind(":")) + 1 :].lstrip()
        return [written.removesuffix(begun) + ending for ending in offer(written)]

    lines = WordCompleter(whole, ignore_case=True, sentence=True)
    session = PromptSession[str](completer=lines, complete_while_typing=False)
    return lambda prompt: str(session.prompt(prompt))


def _complete_by_readline(offer: Offer) -> None:
    try:
        import readline
    except ImportError:
        return
    offers: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if not state:
            offers[:] = offer(readline.get_line_buffer()[: readline.get_endidx()])
        blank = " " * (len(text) - len(text.lstrip()))
        return blank + offers[state] if state < len(offers) else None

    readline.set_completer(complete)
    readline.set_completer_delims(";:")
    readline.parse_and_bind("tab: complete")
