"""Questions about scores: the sheets of a log, and a hand counted without one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from meldref.core.cards import UNKNOWN, Card
from meldref.core.diagnostics import Finding, errors_in
from meldref.core.events import LayOff, Meld
from meldref.notation import read_lines
from meldref.notation.reader import read_actions, read_card_row
from meldref.notation.spelling import rank_named
from meldref.report.scored import counted_data, counted_text, sheet_data, sheet_text
from meldref.rules.setup import table_size
from meldref.scoring.counting import Laid, Uncountable, count_hand, score_sheets
from meldref_service.given import LOG, RULES, GivenRules, Rules
from meldref_service.session import Session
from meldref_service.told import Answer, told_finding, unusable


def score(session: Session, *, log: str, rules: GivenRules = "", folder: str = "") -> Answer:
    """The score sheet of each game of a log."""
    sheets, report = score_sheets(read_lines(log), session.replay(Rules.of(rules, folder)))
    wrong = errors_in(report.findings)
    return {
        "verdict": report.verdict,
        "findings": [told_finding(finding, LOG) for finding in wrong],
        "games": [{**sheet_data(sheet), "text": "\n".join(sheet_text(sheet))} for sheet in sheets],
    }


def count(
    session: Session,
    *,
    players: Sequence[str],
    laid: Sequence[Mapping[str, str]] = (),
    held: Mapping[str, str] | None = None,
    out: str = "",
    wild: str = "",
    rules: GivenRules = "",
    folder: str = "",
) -> Answer:
    """Counts a hand from what was laid and held."""
    ruleset, findings = Rules.of(rules, folder).load()
    if ruleset is None:
        return {**unusable(findings, RULES), "wrong": [one.message for one in errors_in(findings)]}
    seats = {name: seat for seat, name in enumerate(players)}
    wrong: list[str] = []
    size = table_size(ruleset, len(players))
    if size is not None:
        wrong.append(size.message)
    elif len(seats) < len(players):
        wrong.append("each player has a name of their own")
    named = [*(one["player"] for one in laid), *(held or ()), *filter(None, [out])]
    strangers = [name for name in dict.fromkeys(named) if name not in seats]
    wrong += [f"{name} is not one of the players" for name in strangers]
    rank = rank_named(wild.strip()) if wild else None
    if wild and rank is None:
        wrong.append(f"{wild} is not a rank")
    elif wild and "named" not in ruleset.melds.wild.cards:
        wrong.append("these rules have no rank named wild for the hand")
    plays = _plays(laid, seats, wrong)
    cards = _held(held or {}, seats, wrong)
    if not wrong:
        try:
            counted = count_hand(ruleset, players, plays, cards, seats.get(out), rank)
        except Uncountable as faults:
            wrong += [message for _, message in faults.faults]
        else:
            text = "\n".join(counted_text(counted))
            return {
                "verdict": "counted",
                "findings": [],
                "wrong": [],
                "text": text,
                **counted_data(counted),
            }
    return {"verdict": "unusable", "findings": [], "wrong": wrong}


def _plays(
    laid: Sequence[Mapping[str, str]], seats: Mapping[str, int], wrong: list[str]
) -> list[Laid]:
    """What was laid, in its order; what cannot be read is told."""
    plays: list[Laid] = []
    for one in laid:
        actions, findings = read_actions(one["play"])
        wrong += [finding.message for finding in findings]
        for action in actions:
            if isinstance(action, Meld | LayOff):
                plays.append((seats.get(one["player"], 0), action))
            else:
                wrong.append(f"{one['play']}: write `meld CARDS`, or `lay CARDS m1`")
    return plays


def _held(
    held: Mapping[str, str], seats: Mapping[str, int], wrong: list[str]
) -> dict[int, Sequence[Card]]:
    """The cards that each player holds at the end; what cannot be read is told."""
    cards: dict[int, Sequence[Card]] = {}
    for name, text in held.items():
        row = read_card_row(text)
        if isinstance(row, Finding):
            wrong.append(row.message)
        elif UNKNOWN in row:
            wrong.append("cards that count have to be known")
        else:
            cards[seats.get(name, 0)] = row
    return cards
