"""The program `meldref`: its commands, and every way in which one can end."""

from __future__ import annotations

import gc
import os
import re
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer
import typer.main

from meldref.core.meant import did_you_mean
from meldref.core.safe_files import system_words
from meldref_cli import completing, leaving, output
from meldref_cli.errors import CLEAN, OUR_FAULT, PIPE_CLOSED, UNUSABLE, Unusable
from meldref_cli.groups import COMMANDS, RULES_COMMANDS, group, help_without_command
from meldref_cli.leaving import INTERRUPTED

app = group(COMMANDS, completion=True)
rules_app = group(RULES_COMMANDS)
rules_app.callback(
    invoke_without_command=True, help="Lists, shows, checks, tests and compares rulesets."
)(help_without_command)


@app.callback(invoke_without_command=True)
def root(
    context: typer.Context,
    version: Annotated[bool, typer.Option("--version", help="Show the version and exit.")] = False,
    verbose: Annotated[
        bool, typer.Option("--verbose", help="With --version: show which build runs, and where.")
    ] = False,
) -> int:
    """The referee for the Rummy 500 family of card games.

    Exit status: 0 clean or legal; 1 violations, an illegal move, failed cases, files to format, or
    rules that differ; 2 unusable input or arguments; 3 a fault of the program.
    """
    if version:
        from meldref import __version__

        output.write(f"meldref {__version__}")
        if verbose:
            _write_build()
        raise typer.Exit(CLEAN)
    return help_without_command(context)


def _write_build() -> None:
    import platform

    from meldref.core import version

    output.write(f"build   {'compiled' if version.is_compiled() else 'pure Python'}")
    output.write(f"python  {platform.python_version()}, {platform.python_implementation()}")
    output.write(f"system  {platform.system()}, {platform.machine()}")
    output.write(f"folder  {Path(version.__file__).parent.parent}")


def main(arguments: Sequence[str]) -> int:
    """Runs one command line; returns its exit status, whatever happens."""
    try:
        code = _invoke(arguments)
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_output()
        return PIPE_CLOSED
    except KeyboardInterrupt:
        output.notice("meldref: interrupted")
        return INTERRUPTED
    except OSError as fault:
        if _nowhere():
            output.error("the current folder no longer exists")
            return UNUSABLE
        if not output.cannot_take(fault):
            return _own_fault(fault, arguments)
        _forget_output()
        output.error(f"standard output cannot be written: {system_words(fault)}")
        return UNUSABLE
    except Exception as fault:  # noqa: BLE001  the last resort: a traceback helps no user
        from meldref.core.diagnostics import WrongPackage

        if isinstance(fault, WrongPackage):
            output.error(str(fault))
            return UNUSABLE
        return _own_fault(fault, arguments)
    return code


def _nowhere() -> bool:
    """Whether the current folder is gone, so that relative names mean nothing."""
    try:
        os.getcwd()  # noqa: PTH109  what `Path.cwd` asks
    except OSError:
        return True
    return False


def _own_fault(fault: Exception, arguments: Sequence[str]) -> int:
    output.internal_error(fault)
    if any(
        argument == "--verbose" or re.fullmatch("-[a-z]*v[a-z]*", argument)
        for argument in arguments
    ):
        import traceback

        output.notice_lines("".join(traceback.format_exception(fault)).rstrip())
    return OUR_FAULT


def _invoke(arguments: Sequence[str]) -> int:
    try:
        command = typer.main.get_command(app)
        with command.make_context("meldref", list(arguments)) as context:
            code = command.invoke(context)
    except typer.Exit as end:
        return end.exit_code
    except Unusable as wrong:
        for reason in wrong.args:
            output.error(str(reason))
        return UNUSABLE
    except typer.TyperException as wrong:
        _usage_error(wrong)
        return UNUSABLE
    return code if isinstance(code, int) else CLEAN


def _usage_error(wrong: typer.TyperException) -> None:
    """Wrong arguments: what is wrong with them, and where to read how it goes."""
    message = _plainly(wrong.format_message(), getattr(wrong, "option_name", ""))
    context = getattr(wrong, "ctx", None)
    path = context.command_path if context is not None else "meldref"
    group = path.partition(" ")[2]
    if group and message.startswith("No such command"):
        message = message.replace("did you mean ", f"did you mean {group} ")
    output.error(message[:1].lower() + message[1:])
    output.notice(f"Try '{path} -h' for help.")


def _plainly(message: str, option: str) -> str:
    """What is wrong with a number, in words; of what there is not, what was probably meant."""
    possible = re.search(r" \(Possible options: (?P<names>.*)\)$", message)
    if possible is not None:
        return message[: possible.start()] + did_you_mean(option, possible["names"].split(", "))
    message = re.sub(r"'\. Did you mean '([^']*)'.*\?$", r"'; did you mean \1?", message)
    choice = re.search(r"'(?P<given>[^']*)' is not one of (?P<words>'.*')\.$", message)
    if choice is not None:
        words = choice["words"].replace("'", "").split(", ")
        shown = f"{message[: choice.start('words')]}{', '.join(words)}"
        return f"{shown}{did_you_mean(choice['given'], words, '.')}"
    message = re.sub(r"is not a valid int( range)?\.$", "is not a whole number.", message)
    message = re.sub(r"is not a valid float( range)?\.$", "is not a number.", message)
    return re.sub(
        r"([0-9.-]+) is not in the range (at least|from)( [0-9.to ]+)\.$",
        r"it is \2\3, not \1.",
        message,
    )


def _forget_output() -> None:
    """Nobody reads on: what is still buffered must not fail at the end of the program."""
    sink = os.open(os.devnull, os.O_WRONLY)
    os.dup2(sink, sys.stdout.fileno())


def run() -> None:
    """One command line, from the arguments of the process to its exit status."""
    leaving.listen()
    output.make_safe()
    if completing.ASKED in os.environ:
        completing.answer(typer.main.get_command(app))
    with leaving.interruptible():
        code = main(sys.argv[1:])
    gc.freeze()  # looking for cycles in what is about to go costs a fifth of a one-shot command
    sys.exit(code)


if __name__ == "__main__":
    # `python -m` puts the current folder first, no matter who wrote what is in it.
    if sys.path[0] == os.getcwd():  # noqa: PTH109
        del sys.path[0]
    run()
