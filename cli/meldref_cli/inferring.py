"""`meldref rules infer`: the rules that logs were played by, as a rules file with its evidence."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Final

import typer

from meldref_cli import options, output
from meldref_cli.errors import CLEAN, UNUSABLE, Unusable
from meldref_cli.files import named_logs
from meldref_cli.findings import tell_troubles
from meldref_cli.foreign import Asked, as_log
from meldref_cli.writing import check_may_write_rules, deliver, write_file

if TYPE_CHECKING:
    from meldref_archive.sources import Log

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

_NO_PLAY: Final = "this is a score sheet: it tells nothing of the play, from which rules are found"


def infer(
    logs: options.Logs,
    out: options.Output = None,
    force: options.Force = False,
    check: _Check = 0.0,
    sheet: options.Sheet = None,
    map_: options.Map = None,
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
    from meldref_evidence.inferring.infer import infer_rules, name_from
    from meldref_evidence.inferring.reading import read_corpus
    from meldref_evidence.inferring.writing import data_of, held_out_text, text_of

    check_may_write_rules(out, force=force)
    named, troubles = named_logs(logs, "tables of logs are not read here")
    foreign = Asked.of(sheet, None, map_)
    read = [as_log(log, foreign, quiet=quiet) for log in named]
    corpus, unread = read_corpus([log for log in read if not _is_sheet(log)])
    sheets = [f"{log.name}: {_NO_PLAY}" for log in filter(_is_sheet, read)]
    tell_troubles((*troubles, *sheets, *unread))
    if not corpus.logs:
        return UNUSABLE
    if len(corpus.logs) - int(check * len(corpus.logs)) < 1:
        raise Unusable(f"--check {check}: too few logs are left to find rules from")
    inferred = infer_rules(corpus, check)
    text = text_of(inferred, name_from(out))
    if format_ is options.Format.JSON:
        if out is not None:
            write_file(out, [text])
        output.show(format_, lambda: data_of(inferred, text), lambda: ())
        return CLEAN
    deliver([text], out, quiet=quiet)
    if inferred.held_out is not None and not quiet:
        output.notice(held_out_text(inferred.held_out))
    return CLEAN


def _is_sheet(log: Log) -> bool:
    return log.intake is not None and log.intake.arithmetic
