"""Where a question is asked: a position file, a line of a log, or cards named by options."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from meldref.core.diagnostics import Finding, Span
from meldref.core.events import Header
from meldref.core.records import NamedTuple
from meldref.core.text import many
from meldref.rulefiles.files import is_path
from meldref_cli.card_args import check_wild
from meldref_cli.errors import UNUSABLE, Unusable
from meldref_cli.files import STANDARD_INPUT, read_document
from meldref_cli.findings import POSITION, say_what_it_is, tell
from meldref_cli.options import PositionOptions
from meldref_cli.ruleset_args import (
    NOTHING_ASKED,
    SHOWN_INPUT,
    RulesetRequest,
    load,
    over_log,
    usable,
)

if TYPE_CHECKING:
    from meldref.documents.reader import Path as KeyPath
    from meldref.documents.reader import Value
    from meldref.notation.roster import Roster
    from meldref.positions.build import Built
    from meldref.ruleset.model import Ruleset
    from meldref_cli.foreign import NamedLog

_OPTIONS: Final = {
    "hands": "--hand",
    "to_move": "--to-move",
    "discarded_by": "--discarded-by",
    "hand": "--hand-number",
}
"""Options whose names are not those of a position's keys."""

_BY_ANY_RULES: Final = ("log.syntax", "log.name")

_MELD: Final = r"\s*m([0-9]{1,3})(?:\s*:\s*|\s+)(.*)"


class Given(NamedTuple):
    """A position that a question is asked about, or why there is none.

    `rules` are the keys by which a file in the current folder names its rules; None if no file can
    name them, since they came from standard input or a pipe.
    """

    built: Built | None
    findings: tuple[Finding, ...] = ()
    rules: dict[str, object] | None = None


def refuse(given: Given, file: str | None) -> int:
    """Says why there is no position, and of a file that is something else what that is.

    Returns the exit status.
    """
    tell(given.findings, to_errors=True)
    if file is not None:
        say_what_it_is(file, POSITION)
    return UNUSABLE


def _rules_keys(
    named: Mapping[str, object], request: RulesetRequest, beside: Path | None
) -> dict[str, object] | None:
    """The rules that a file in `beside` names, with what the command line asks for over them."""
    if not all(name is None or isinstance(name, str) for name in (request.rules, *request.options)):
        return None
    here, folder = Path(), beside or Path()
    rules, options, settings = (named.get(key) for key in ("rules", "with", "set"))
    over = dict(setting.split("=", 1) for setting in request.settings)
    keys: dict[str, object] = {}
    if request.rules:
        keys["rules"] = _from_here(str(request.rules), here)
    elif rules:
        keys["rules"] = _from_here(str(rules), folder)
    own = options if isinstance(options, list) else []
    with_ = [_from_here(str(option), folder) for option in own]
    with_ += [_from_here(str(option), here) for option in request.options]
    if with_:
        keys["with"] = with_
    if isinstance(settings, dict):
        over = {**settings, **over}
    if settings or over:
        keys["set"] = over
    return keys


def _from_here(name: str, folder: Path) -> str:
    """A path in a folder as it is written in the current one; an id as it is."""
    if not is_path(name):
        return name
    written = Path(os.path.relpath(folder / name)).as_posix()
    return written if is_path(written) else f"./{written}"


def from_options(named: PositionOptions, ask: Callable[[], RulesetRequest]) -> Given:
    """The position that options describe, or what is wrong with the rules.

    Raises:
        Unusable: with all that is wrong with the options.
    """
    try:
        request = ask()
    except Unusable as wrong:
        _, mistakes = _built(named, usable(NOTHING_ASKED))
        # What is no card or no player is so by any rules.
        raise Unusable(
            *wrong.args, *(message for code, message in mistakes if code in _BY_ANY_RULES)
        ) from None
    ruleset, findings = load(request)
    if ruleset is None:
        return Given(None, findings)
    built, mistakes = _built(named, ruleset)
    if built is None or mistakes:
        raise Unusable(*(message for _, message in mistakes))
    check_wild(ruleset, named.wild)
    _check_floating(ruleset, named.floating or (), f"--floating {','.join(named.floating or ())}")
    return Given(built, (), _rules_keys({}, request, None))


def _check_floating(ruleset: Ruleset, names: Sequence[str], text: str) -> None:
    """Raises `Unusable` if somebody floats though the rules do not allow it.

    `text` is what says who floats.
    """
    out = ruleset.out
    called = (
        out.last_discard == "claimable" and out.claimed == "floats" and ruleset.calls.of != "none"
    )
    if names and out.melding_all != "floats" and not called:
        raise Unusable(
            f"{text}: nobody floats by these rules (out.melding_all = {out.melding_all}); "
            "--with floating lets players float"
        )


def _built(named: PositionOptions, ruleset: Ruleset) -> tuple[Built | None, list[tuple[str, str]]]:
    """The position, and the code and words of everything that is wrong with it."""
    from meldref.positions.build import build_position

    mistakes: list[tuple[str, str]] = []
    value = _value(named, lambda message: mistakes.append(("log.syntax", message)))
    looked_up: list[KeyPath] = []

    def place(path: KeyPath) -> Span:
        looked_up.append(path)
        return Span(len(looked_up))

    built, wrong = build_position(value, ruleset, place)
    for finding in wrong:
        path = looked_up[finding.span.line - 1] if looked_up else ()
        mistakes.append((finding.code, _named_option(path, finding.message, named)))
    return built, mistakes


def _named_option(path: KeyPath, message: str, named: PositionOptions) -> str:
    key = str(path[0]) if path else ""
    if not key:
        return message
    if "is not one of the players" in message and named.players is None:
        message += " (A and B, unless --players names others)"
    return f"{_OPTIONS.get(key, '--' + key)}: {message}"


def _value(named: PositionOptions, tell: Callable[[str], None]) -> dict[str, Value]:
    """The options as a position's mapping.

    `tell` takes messages about what cannot be put into one.
    """
    from meldref.notation.roster import Roster

    value: dict[str, Value] = {}
    players = ["A", "B"]
    if named.players is not None:
        players = [name.strip() for name in named.players.split(",") if name.strip()]
        value["players"] = list(players)
    roster = Roster(players)
    mover = players[0] if players else "A"
    if named.to_move is not None:
        name = roster[named.to_move]
        value["to_move"] = name
        if name in players:
            mover = name
    if named.hand:
        value["hands"] = _hands(named.hand, roster, mover, tell)
    if named.table:
        value["table"] = _table(named.table, roster, tell)
    for key in ("pile", "turn", "discarded_by", "wild"):
        text = getattr(named, key)
        if text is not None:
            value[key] = text
    if named.stock is not None:
        is_number = re.fullmatch(r"-?[0-9]{1,18}", named.stock.strip())
        value["stock"] = int(named.stock) if is_number else named.stock
    if named.opening:
        value["opening"] = "first_turn"
    if named.hand_number is not None:
        value["hand"] = named.hand_number
    if named.totals is not None:
        value["totals"] = _totals(named.totals, tell)
    if named.floating:
        value["floating"] = [name.strip() for text in named.floating for name in text.split(",")]
    return value


def _totals(text: str, tell: Callable[[str], None]) -> dict[str, Value]:
    """`A 90, B 40`: points by player."""
    totals: dict[str, Value] = {}
    for part in text.split(","):
        pair = re.fullmatch(r"\s*(.+?)\s*[ =:]\s*([+-]?[0-9]{1,9})\s*", part)
        if pair is None:
            advice = 'write each player with a number, as in "A 90, B 40"'
            tell(f"--totals: {advice}, not `{part.strip()}`")
        elif pair[1].strip('"') in totals:
            tell(f"--totals: {pair[1]} is named twice")
        else:
            totals[pair[1].strip('"')] = int(pair[2])
    return totals


def _hands(
    texts: Iterable[str], roster: Roster, mover: str, tell: Callable[[str], None]
) -> dict[str, Value]:
    """`5h 6h`, of the player to move, or `B: 5h 6h`: the hand of each player that has one.

    Nobody has two.
    """
    hands: dict[str, Value] = {}
    for text in texts:
        before, colon, after = text.rpartition(":")
        if colon:
            name, cards = roster[before.strip().strip('"')], after.strip()
        else:
            owner, cards = _owner(text, roster)
            name = owner or mover
        if name in hands:
            tell(f'--hand: {name} already has a hand; another player\'s is written "NAME: 5h ?*6"')
        hands[name] = cards
    return hands


def _owner(text: str, roster: Roster) -> tuple[str | None, str]:
    """The player that a text begins with, and the rest; a name in other capitals may be a card."""
    words = text.split()
    longest = max([len(name.split()) for name in roster.players], default=0)
    for number in range(min(longest, len(words) - 1), 0, -1):
        written = " ".join(words[:number]).strip('"')
        name = roster[written]
        if name in roster.players and (name == written or not _are_cards(written)):
            return name, " ".join(words[number:])
    return None, text.strip()


def _table(texts: Iterable[str], roster: Roster, tell: Callable[[str], None]) -> dict[str, Value]:
    """`m1: B 5h 6h 7h, A 8h`: a meld, and who laid what, in that order.

    Several are separated by `;`.
    """
    table: dict[str, Value] = {}
    for text in filter(str.strip, ";".join(texts).split(";")):
        name, layers = f"m{len(table) + 1}", text
        numbered = re.fullmatch(_MELD, text, re.DOTALL)
        if numbered:
            name, layers = f"m{int(numbered[1])}", numbered[2]
        laid = _layers(layers, roster, tell)
        if laid is None:
            continue
        if name in table:
            tell(f"--table: {name} is given twice")
        table[name] = laid
    return table


def _layers(text: str, roster: Roster, tell: Callable[[str], None]) -> dict[str, Value] | None:
    """`B 5h 6h 7h, A 8h`: who laid what; None if that cannot be read."""
    laid: dict[str, Value] = {}
    last: str | None = None
    for layer in text.split(","):
        owner, cards = _owner(layer, roster)
        if owner is None and last is not None and _are_cards(layer):
            owner = last  # a comma between the cards of one player
        if owner is None:
            names = ", ".join(roster.players)
            tell(
                f"--table: `{layer.strip()}` does not begin with a player ({names}); "
                "a meld is written `m1: B 5h 6h 7h, A 8h`"
            )
            return None
        laid[owner] = f"{laid[owner]} {cards}" if owner in laid else cards
        last = owner
    return laid


def _are_cards(text: str) -> bool:
    """Whether a text is a row of cards of a meld."""
    from meldref.notation.reader import read_cards

    return not isinstance(read_cards(text.strip()), Finding)


def from_position(path: str, request: RulesetRequest) -> Given:
    """The position of a file; the command line overrides what the file says."""
    from meldref.documents.reader import read_yaml
    from meldref.positions.load import read_position

    shown, beside = (SHOWN_INPUT, None) if path == STANDARD_INPUT else (path, Path(path).parent)
    content = read_document(path)
    built, findings = read_position(
        content, shown, request.rules, request.options, request.settings, beside
    )
    if built is None:
        return Given(None, findings)
    floating = [built.position.players[seat] for seat in sorted(built.position.floating)]
    _check_floating(built.judge.ruleset, floating, f"{shown}: `floating`")
    document, _ = read_yaml(content, shown, "log.syntax")
    named = document.value if document is not None else None
    rules = _rules_keys(named if isinstance(named, dict) else {}, request, beside)
    return Given(built, findings, rules)


def from_log(
    log: NamedLog,
    at: int,
    request: RulesetRequest,
    *,
    trust_paths: bool = False,
) -> Given:
    """Where a log stands before a line; `trust_paths`: its rules files may be anywhere."""
    from meldref.notation.reader import Read, read_lines
    from meldref.replay.log import stand_before
    from meldref.report.position_file import said_of_rules
    from meldref_evidence.explaining import RecordExplainer

    path, line, last = log.path, log.line_at(at), 0
    begun = log.begun(at)
    end = line + bool(begun)
    says_anything = False
    headers: list[Header] = []

    def before() -> Iterator[Read]:
        nonlocal last, says_anything
        in_headers = False
        for read in read_lines(log.lines()):
            last, event = read[0].number, read[0].event
            says_anything = says_anything or event is not None
            if isinstance(event, Header):
                headers[:] = [*headers, event] if in_headers else [event]
            in_headers = isinstance(event, Header) or (in_headers and event is None)
            if last >= line:
                break
            yield read
        yield from ((part._replace(number=line), wrong) for part, wrong in read_lines([begun]))

    over = over_log(request, path, trust_paths=trust_paths)
    built, findings = stand_before(before(), end, path, over, RecordExplainer())
    if line > last + 1 and not says_anything:
        wrong = tuple(finding for finding in findings if finding.code == "log.syntax")
        none = Finding("log.syntax", "there is no game in this file", Span(1), file=path)
        return Given(None, wrong or (none,))
    if line > last + 1:
        raise Unusable(f"--at {at}: {path} has {many(log.last_line(last), 'line')}")
    rules = _rules_keys(said_of_rules(headers), request, Path(path).parent)
    return Given(built, log.findings(findings), rules)
