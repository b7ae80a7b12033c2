"""`meldref table`: the referee at the table, who takes a game line by line and writes its log."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final

from meldref.core.diagnostics import Finding
from meldref.core.safe_files import why_not
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, WRONG, Unusable, naming
from meldref_cli.files import is_file, is_there, log_lines
from meldref_cli.findings import tell
from meldref_cli.ruleset_args import NOTHING_ASKED, RulesetRequest, asked, over_log, usable

if TYPE_CHECKING:
    from meldref.sitting import Sitting

_TOLD: Final = 10
"""The most findings shown of a log that is continued."""


def table(
    log: str,
    players: str | None = None,
    seed: int | None = None,
    rules: options.RulesOptions = options.NO_RULES,
    trust_paths: bool = False,
    quiet: bool = False,
) -> int:
    """Referees a game while it is played: deals, judges each line at once, offers moves, and keeps the score."""
    from meldref.sitting import Sitting

    if log == "-":
        raise Unusable("-: a table needs a file, so that nothing is lost")
    if is_there(log) and not is_file(log):
        raise Unusable(f"{log}: this is no regular file, so no log can be kept in it")
    there = is_there(log) and Path(log).stat().st_size > 0
    if there and (players is not None or any(rules)):
        raise Unusable(f"{log} already exists, and says who plays by which rules: leave those options out")
    wanted = NOTHING_ASKED if there else asked(*rules)
    headers = [] if there else _headers(log, players, wanted)
    with _Kept.open(log) as kept:
        lines = kept.whole_lines()
        if not there:
            kept.write(headers)
            lines = headers
        chance = int.from_bytes(os.urandom(6), "big") if seed is None else seed
        sitting = Sitting(log, lines, over_log(NOTHING_ASKED, log, trust_paths=trust_paths), chance)
        if there and not _may_go_on(sitting):
            return UNUSABLE
        return _sit(sitting, kept, quiet=quiet)


def _headers(log: str, players: str | None, wanted: RulesetRequest) -> list[str]:
    """The headers of a new log; `Unusable` if these players cannot play by these rules."""
    from meldref.notation.writer import write_event
    from meldref.simulate import LogSource, cannot_play
    from meldref.simulate.playing import headers
    from meldref_cli.simulate import as_written

    if players is None:
        raise Unusable(f"{log} is new: say who plays with --players Ann,Bob,Cy")
    names = [one.strip() for one in players.split(",")]
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
    """Whether a log can be gone on with; what is wrong in it is reported."""
    report = sitting.run.report
    tell(report.findings[:_TOLD], report.path, to_errors=True)
    if sitting.lines and any(one.code == "log.syntax" for one in report.findings):
        output.error(f"{report.path} has lines that cannot be read: correct them first")
        return False
    output.notice(f"{report.path}: going on after line {len(sitting.lines)}")
    return True


class _Kept:
    """The log on the disk: each line is there, whole, before anything else happens."""

    def __init__(self, path: str, number: int) -> None:
        self._path, self._number = path, number

    @classmethod
    @contextmanager
    def open(cls, path: str) -> Iterator[_Kept]:
        """Opens a log for one table alone; `Unusable` if another one is writing it."""
        with naming(path):
            number = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | getattr(os, "O_CLOEXEC", 0), 0o666)
        try:
            with suppress(ImportError):
                import fcntl

                try:
                    fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
                except OSError:
                    raise Unusable(f"{path}: another table is writing this log") from None
            yield cls(path, number)
        finally:
            os.close(number)

    def whole_lines(self) -> list[str]:
        """The lines of the log; a last one that was not written to its end is removed, and reported."""
        from meldref.notation.reader import read_line

        lines = list(log_lines(self._path))
        size = os.fstat(self._number).st_size
        if lines and size and os.pread(self._number, 1, size - 1) != b"\n":
            if read_line(lines[-1])[1]:
                torn = lines.pop()
                os.ftruncate(self._number, size - len(torn.encode()))
                output.notice(f"the last line was incomplete and is left out: {torn}")
            else:
                self._put(b"\n")
        return lines

    def write(self, lines: Sequence[str]) -> None:
        """Adds lines, and returns once they are on the disk."""
        if lines:
            self._put("".join(f"{line}\n" for line in lines).encode())

    def _put(self, data: bytes) -> None:
        size = os.fstat(self._number).st_size
        try:
            while data:
                data = data[os.write(self._number, data) :]
            os.fsync(self._number)
        except OSError as error:
            with suppress(OSError):
                os.ftruncate(self._number, size)
            raise Unusable(f"{self._path}: {why_not(error)}; the last line was not written") from error


def _sit(sitting: Sitting, kept: _Kept, *, quiet: bool) -> int:
    """Takes line after line, until nobody has anything more to say."""
    terminal = output.is_terminal(sys.stdin) and output.is_terminal(sys.stdout)
    refused, worst = "", CLEAN
    if not quiet:
        _show(sitting)
    ask = asking(sitting.complete, terminal=terminal)
    while True:
        text = ask(f"{sitting.mover() or 'table'}> ")
        if text is None or text in {"quit", "exit"}:
            return CLEAN if terminal else worst
        if not text or text.startswith("#"):
            continue
        before = len(sitting.lines)
        findings = _answer(sitting, text, refused)
        if findings is None:
            continue
        written = sitting.lines[before:]
        kept.write(written)
        refused = "" if written else text.lstrip("! ") or refused
        _tell(sitting, written, findings)
        if written and not quiet:
            _show(sitting)
        if not written:
            worst = WRONG


def _answer(sitting: Sitting, text: str, refused: str) -> Sequence[Finding] | None:
    """What is wrong with a line, once it is taken; None where it only asked for something."""
    word, _, rest = text.partition(" ")
    deeds = {"undo": sitting.undo, "deal": sitting.deal, "end": sitting.end, "reshuffle": sitting.shuffle}
    if text in deeds:
        return deeds[text]()
    if text in {"help", "h"}:
        output.write(Path(__file__).with_name("table_help.txt").read_text(encoding="utf-8").rstrip("\n"))
    elif text in {"moves", "?"}:
        output.write_all(sitting.moves() or ["there is nothing to do: deal begins the next hand"])
    elif word == "table":
        _show(sitting, rest.strip() or None)
    elif text == "score":
        _score(sitting)
    elif text.startswith("!"):
        return sitting.say(text[1:].strip() or refused, insist=True)
    else:
        return sitting.say(text)
    return None


def _tell(sitting: Sitting, written: Sequence[str], findings: Sequence[Finding]) -> None:
    """What was written, and what is wrong."""
    tell(findings, sitting.run.report.path)
    if not written:
        unread = any(one.code == "log.syntax" for one in findings)
        why = "" if unread else "; ! writes it all the same" if findings else ": there is nothing to do here"
        output.write(f"not written{why}")
    hidden = ("deal ", "stock ") if len(written) > 1 else ()
    output.write_all(f"  {line}" for line in written if not line.startswith(hidden))


def _show(sitting: Sitting, name: str | None = None) -> None:
    """The table, with one hand open."""
    from meldref.report.table import table_lines

    position = sitting.as_seen(name or sitting.mover())
    if position is None:
        if sitting.hand is None:
            output.write("no hand is being played: deal deals one, help lists the commands")
        return
    output.write_all(table_lines(position, output.style_for()))


def _score(sitting: Sitting) -> None:
    from meldref.notation.reader import read_lines
    from meldref.replay.counting import score_sheets
    from meldref.replay.log import Replay
    from meldref.report.scored import sheet_text

    sheets, _ = score_sheets(read_lines(sitting.lines), Replay(sitting.run.report.path, sitting.run.overrides))
    for sheet in sheets[-1:]:
        output.write_all(sheet_text(sheet))


Offer = Callable[[str], Iterable[str]]
Ask = Callable[[str], "str | None"]


def asking(offer: Offer, *, terminal: bool) -> Ask:
    """What asks for the next line, without blanks around it; it answers None when there is none.

    `offer` says how the last action of a line may go on. On a terminal Tab completes by it: with a menu where
    prompt_toolkit is installed (the extra `table`), else with readline where Python has it.
    """
    if not terminal:
        return lambda _: None if not (line := sys.stdin.readline()) else line.strip()
    try:
        read = _with_menu(offer)
    except ImportError:
        _complete_by_readline(offer)
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
        return [written.removesuffix(begun) + one for one in offer(written)]

    lines = WordCompleter(whole, ignore_case=True, sentence=True)
    session = PromptSession[str](completer=lines, complete_while_typing=False)
    return lambda prompt: str(session.prompt(prompt))


def _complete_by_readline(offer: Offer) -> None:
    try:
        import readline
    except ImportError:
        return
    found: list[str] = []

    def complete(text: str, state: int) -> str | None:
        if not state:
            found[:] = offer(readline.get_line_buffer()[: readline.get_endidx()])
        blank = " " * (len(text) - len(text.lstrip()))
        return blank + found[state] if state < len(found) else None

    readline.set_completer(complete)
    readline.set_completer_delims(";:")
    readline.parse_and_bind("tab: complete")
