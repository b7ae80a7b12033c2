"""Cases that cannot be run, or never come out as expected, as far as that shows before any play."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from meldref.cases.expectations import matches, strangers
from meldref.cases.run import CaseFile
from meldref.core.diagnostics import Finding
from meldref.core.events import Turn
from meldref.core.meant import nearest
from meldref.documents.reader import Value
from meldref.replay.play_moves import read_moves
from meldref.replay.playing import unknown_player
from meldref.rules.points import units


def find_in_vain(file: CaseFile) -> Iterator[Finding]:
    """What is wrong with the rules, the positions and the moves of cases, and with names in them.

    What cases with logs say is known only when these are played; what is wrong with the keys of a
    case, and with what it expects by itself, is found by others.
    """
    for index, case in enumerate(file.cases):
        if isinstance(case, dict) and "log" not in case and file.shape(case) is None:
            yield from _in_case(file, index, case)


def _in_case(file: CaseFile, index: int, case: Mapping[str, Value]) -> Iterator[Finding]:
    document, path, what = file.document, ("cases", index), f"case {index + 1}"
    ruleset = file.ruleset_of(index)
    if isinstance(ruleset, str):
        yield document.finding("rules.value", f"{what}: {ruleset}", path)
        return
    built, wrong = file.position(index, ruleset)
    for finding in wrong:
        faulty = document.finding("rules.value", f"{what}: {finding.message}", path)
        yield faulty.at(finding.span, document.excerpt(finding.span.line))
    if built is None:
        return
    expect, players = case["expect"], built.position.players
    assert isinstance(expect, dict)
    for place, message in strangers(expect, players, units(ruleset, players)):
        yield document.finding("rules.value", f"{what}: {message}", (*path, "expect", *place))
    yield from _unread_moves(file, index, expect, players)


def _unread_moves(
    file: CaseFile, index: int, expect: Mapping[str, Value], players: Sequence[str]
) -> Iterator[Finding]:
    """Moves that cannot be read, or are nobody's, where the case expects something else."""
    for line, unread in read_moves(players, file.moves(index)):
        wrong = {finding.message: finding.code for finding in unread}
        event = line.event
        if isinstance(event, Turn) and event.player not in players:
            wrong[unknown_player(event.player, players)] = "log.name"
            event = event if nearest(event.player, players) else None
        if expect["verdict"] == "illegal" and (
            line.number > 1 or event is not None or _is_expected(expect, wrong.values())
        ):
            continue  # what was played before it, or is of it, may be what the case is about
        for message in wrong:
            where = ("cases", index, "moves", line.number - 1)
            yield file.document.finding("rules.value", f"case {index + 1}: {message}", where)


def _is_expected(expect: Mapping[str, Value], codes: Iterable[str]) -> bool:
    """Whether a case expects one of these codes, or any."""
    because = expect.get("because")
    return because is None or any(matches(code, str(because)) for code in codes)
