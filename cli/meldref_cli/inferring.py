"""`meldref rules infer`: the rules that logs were played by, as a rules file with its evidence."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref.core.text import name_of_file
from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable
from meldref_cli.files import expand_all
from meldref_cli.writing import check_may_write, deliver, write_file

if TYPE_CHECKING:
    from meldref.archive.sources import Log

_ENDINGS: Final = ("", ".yaml", ".yml", ".txt")
"""How the name of a file may end that rules are written into."""

_Check = Annotated[
    float,
    typer.Option(
        "--check",
        metavar="SHARE",
        min=0.0,
        max=0.9,
        help="Hold out this share of the logs, and judge it by the rules found from the others.",
    ),
]


def infer(
    logs: options.Logs,
    out: options.Output = None,
    force: options.Force = False,
    check: _Check = 0.0,
    format_: options.FormatOption = options.Format.TEXT,
    quiet: options.QuietErrors = False,
) -> int:
    """Finds the rules that logs were played by, and writes them as a rules file.

    It starts from the nearest game that ships, and changes as little as explains as much.
    Each line has a comment with its evidence. What the logs' headers say of rules is ignored.

    Exit status: 0 done, 2 unusable arguments, or no log that can be read.

    Examples:
      meldref rules infer friday.rgn
      meldref rules infer logs -o found.yaml --check 0.3
    """
    from meldref.inferring.infer import infer_rules, name_from
    from meldref.inferring.reading import read_corpus
    from meldref.inferring.writing import data_of, held_out_text, text_of

    if out is not None and Path(out).suffix.lower() not in _ENDINGS:
        raise Unusable(f"{out}: a rules file ends in .yaml or .yml")
    check_may_write(out, force=force)
    named, troubles = _logs(logs)
    corpus, unread = read_corpus(named)
    for trouble in (*troubles, *unread):
        output.error(trouble)
    if not corpus.logs:
        return UNUSABLE
    if len(corpus.logs) - int(check * len(corpus.logs)) < 1:
        raise Unusable(f"--check {check}: too few logs are left to find rules from")
    found = infer_rules(corpus, check)
    text = text_of(found, name_from(out))
    if format_ is options.Format.JSON:
        if out is not None:
            write_file(out, [text])
        output.show(format_, lambda: data_of(found, text), lambda: ())
        return CLEAN
    deliver([text], out, quiet=quiet)
    if found.held_out is not None and not quiet:
        output.notice(held_out_text(found.held_out))
    return CLEAN


def _logs(names: list[str]) -> tuple[list[Log], list[str]]:
    """The logs that names stand for, and what is wrong with the names of none."""
    from meldref.archive.sources import LOGS, Log, check_packages
    from meldref.archive.tables import logs_of

    paths, troubles = expand_all(dict.fromkeys(names), LOGS)
    check_packages(paths)
    found: list[Log] = []
    for path in paths:
        if path.lower().endswith(".zip"):
            found += logs_of(path)
        elif path.lower().endswith(".parquet"):
            troubles.append(name_of_file(f"{path}: tables of logs are not read here"))
        else:
            found.append(Log.of(path))
    return found, troubles
