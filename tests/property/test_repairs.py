"""What holds of every repair of a log: it brings nothing new, and what it takes is bounded."""

from __future__ import annotations

import re
from collections import Counter
from random import Random

import pytest
from benchmarks.slips.kinds import Kind
from benchmarks.slips.moves import TABLES, with_illegal
from benchmarks.slips.sheets import VIEWS, Table, seen, write
from benchmarks.slips.trials import KINDS, trial, with_slips

from audits import audit
from meldref.core.diagnostics import Finding, Span, errors_in
from meldref.core.effort import EFFORT, MOST_SUGGESTIONS
from meldref.notation.reader import read_lines
from meldref.replay.log import Replay
from meldref.rules import registry  # noqa: F401  all codes are declared once it is loaded
from meldref.rules.declare import CODES
from meldref_evidence.explaining import RecordExplainer
from meldref_evidence.log_fixes import fix_log
from meldref_evidence.repair.course import Course, found_at
from meldref_evidence.repair.edits import Kind as MistakeKind
from meldref_evidence.repair.edits import Question, edits_for, is_among
from meldref_evidence.repair.table import TABLE
from meldref_evidence.weighing.hand import ClosedHand
from paths import ROOT
from tables import at_each_table, game

TIMES = 10
"""How many times the effort of a plain audit an audit with repairs may take,"""
BEGIN = 150 * 20
"""besides what it takes to begin with a log; a line counts 20."""


MORE_TABLES = (
    Table(
        "kalooki-40",
        ("greedy", "random", "random"),
        looser=("discard.taken_top=allowed", "draw.depth=any", "draw.top.must=nothing"),
    ),
    Table("kalooki-40", ("greedy",) * 4, looser=("layoff.before_melding=allowed",)),
    Table("500-rummy", ("greedy", "random") * 3, looser=("discard.taken_top=allowed",)),
)
"""Games by looser rules, in which cards are taken from any depth, or from two packs."""

THERE_IS_NONE = {
    *("line-twice", "buy-missing", "players-order", "players-named", "other-dealer"),
    *("other-order", "more-done", "scores-swapped", "call-unwritten", "other-wild"),
    *("line-copied", "hand-missing", "other-numbers", "other-draw", "play-missing"),
    *("not-undone", "deal-missing", "deal-extra"),
}
"""Mistakes of which a legal log of whole hands with listed stocks, without purchases, has no sign."""


def gists(text: str) -> Counter[tuple[str, str]]:
    """What is found in a log, wherever that is."""
    findings = errors_in(audit(text).findings)
    return Counter([(one.code, re.sub(r"line [0-9]+", "line", one.message)) for one in findings])


def effort(text: str, *, repairs: bool) -> int:
    """What an audit takes besides reading and refereeing each line once."""
    run = Replay("test.rgn", explainer=RecordExplainer(repairs=repairs))
    before = EFFORT.spent
    run.feed(read_lines(text))
    run.finish()
    return EFFORT.spent - before


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_repaired_log_has_nothing_wrong_that_it_had_not_before(kind: Kind):
    spoilt = trial((kind.name,), 3, 12)
    assert spoilt is not None
    fixed = fix_log(spoilt.text.encode(), "test.rgn")
    assert fixed is not None
    assert not gists(fixed.text) - gists(spoilt.text)


@pytest.mark.parametrize(
    "kind",
    [
        kind
        for kind in KINDS.values()
        # By a lay-off that is written as a meld its player has melded.
        if not (kind.whole_game or kind.name == "a lay off written as a meld")
    ],
    ids=lambda kind: kind.name,
)
def test_a_true_illegal_move_in_a_log_with_a_slip_is_told_or_open(kind: Kind):
    """With a hand broken off behind the slip, too, so that no more contradicts other readings."""
    dice = Random(kind.name)
    for table in dice.sample((*TABLES, *MORE_TABLES), 4):
        log = seen(with_illegal(table, 12), dice.choice(VIEWS))
        spoilt = with_slips(log, [kind], dice)
        if spoilt is None:
            continue
        last = max(at for at, entry in enumerate(spoilt) if entry.slips)
        for entries in (spoilt, spoilt[: last + 8]):
            report = audit(write([entry.event for entry in entries]))
            told = {line for one in report.findings for line in (one.span.line, *one.lines)}
            told |= {question.line for question in report.open}
            moves = {at for at, one in enumerate(entries, 1) if one.illegal and not one.slips}
            assert moves <= told, write([entry.event for entry in entries])


def test_most_lines_written_twice_are_repaired_and_nothing_else_is_touched():
    repaired = 0
    for number in range(5):
        spoilt = trial(("a line twice",), number, 12)
        assert spoilt is not None
        fixed = fix_log(spoilt.text.encode(), "test.rgn")
        assert fixed is not None
        lines, left = spoilt.text.splitlines(), fixed.text.splitlines()
        repaired += len(left) == len(lines) - 1 and left == [
            line for at, line in enumerate(lines) if at + 1 != spoilt.findings[0].span.line
        ]
    assert repaired >= 3


def within_bounds(text: str, begin: int = BEGIN) -> bool:
    plain = effort(text, repairs=False) + 20 * len(text.splitlines()) + begin
    return effort(text, repairs=True) <= TIMES * plain


def with_wrong_figures_or_cards(text: str, dice: Random) -> str:
    """A log in which up to three scores are others, or as many discards."""
    lines = text.splitlines()
    word = dice.choice(("score", "discard"))
    places = [at for at, line in enumerate(lines) if f"{word} " in line]
    for at in dice.sample(places, min(len(places), dice.randint(1, 3))):
        if word == "score":
            figures = re.split(r"(-?\d+)", lines[at])
            figures[1::2] = [str(int(figure) + dice.choice((-5, 5))) for figure in figures[1::2]]
            lines[at] = "".join(figures)
        else:
            card = dice.choice("A23456789TJQK") + dice.choice("cdhs")
            lines[at] = re.sub(r"discard \S+", f"discard {card}", lines[at])
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("seed", range(2))
@at_each_table
def test_a_log_of_one_hand_takes_ten_times_its_audit_and_its_beginning_at_most(
    rules: str, options: tuple[str, ...], seed: int
):
    """Wrong scores and wrong discards, in which much may explain what is found."""
    hand = game(rules, options, seed, hands=1)
    text = with_wrong_figures_or_cards(hand, Random(f"{rules} {options} {seed}"))
    assert within_bounds(text, 2 * BEGIN)


@pytest.mark.parametrize("table", TABLES, ids=lambda table: f"{table.rules} {table.looser[0]}")
def test_games_of_many_illegal_moves_take_ten_times_their_audit_at_most(table: Table):
    assert within_bounds(write([entry.event for entry in with_illegal(table, 4)]))


@pytest.mark.parametrize("kind", KINDS.values(), ids=lambda kind: kind.name)
def test_a_spoilt_log_takes_ten_times_its_audit_at_most(kind: Kind):
    spoilt = trial((kind.name,), 5, 12)
    assert spoilt is not None
    assert within_bounds(spoilt.text)


def lines_in_another_order(seed: int) -> str:
    """A log whose turns make no sense, so that all the effort is spent on them."""
    spoilt = trial(("a line twice",), seed, 12)
    assert spoilt is not None
    head, *turns = re.split(r"(?m)^(?=1\. )", spoilt.text, maxsplit=1)
    lines = turns[0].splitlines()
    mixed = "\n".join([*lines[::3], *lines[1::3], *lines[2::3]])
    return f"{head}{mixed}\n"


@pytest.mark.sweep
def test_lines_in_any_order_take_ten_times_their_audit_at_most():
    assert within_bounds(lines_in_another_order(0) * 3)


def found_with(suggestions: int, text: str) -> list[tuple[object, ...]]:
    """What is found where so many findings have suggestions."""
    run = Replay("test.rgn", suggestions=suggestions, explainer=RecordExplainer())
    run.feed(read_lines(text))
    findings = run.finish().findings
    return [(one.span, one.code, one.message, one.repair) for one in findings]


@pytest.mark.sweep
@pytest.mark.parametrize("seed", range(6))
def test_what_is_found_is_the_same_with_and_without_suggestions(seed: int):
    text = lines_in_another_order(seed)
    assert found_with(0, text) == found_with(MOST_SUGGESTIONS, text)


@at_each_table
def test_nothing_is_looked_for_in_a_clean_log(rules: str, options: tuple[str, ...]):
    text = game(rules, options, 1)
    assert not audit(text).findings
    assert effort(text, repairs=True) == effort(text, repairs=False)


@pytest.mark.parametrize("kind", TABLE, ids=lambda kind: kind.name)
def test_a_mistake_can_be_looked_for_whatever_line_a_finding_is_about(kind: MistakeKind):
    edits = 0
    for name in ("500-rum", "kalooki-40"):
        hand = first_hand((ROOT / "examples" / f"{name}.rgn").read_text())
        course = Course(hand.begin, hand.lines)
        for at, line in enumerate(course.lines):
            whole = Span(line.number, 1, len(line.text) + 1)
            finding = Finding(kind.explains[0], "", whole)
            made = edits_for(Question(course, at, found_at(at, finding)), [kind])
            edits += sum([edit is not None for edit in made])
    assert bool(edits) != (kind.name in THERE_IS_NONE)


def first_hand(text: str) -> ClosedHand:
    """The first hand of a log."""
    hands: list[ClosedHand] = []
    run = Replay("test.rgn", explainer=RecordExplainer(closed=hands.append))
    run.feed(read_lines(text))
    run.finish()
    return hands[0]


@pytest.mark.parametrize("kind", TABLE, ids=lambda kind: kind.name)
def test_each_code_that_a_mistake_can_lead_to_is_there(kind):
    codes = [*CODES, "log.name", "log.number", "log.copies", "setup.deck", "house.a-rule-of-theirs"]
    for family in kind.explains:
        assert any(is_among(code, (family,)) for code in codes), family


HAND = """[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann 4c 4d 5h 6h 7h 9c Ks
deal Bob 8h 8d 8s 2c 3c Jd Qs
deal Cy Ah 2h 3h Tc Td Kc Jk
up 6c
1. Ann: draw 2s; meld 5h 6h 7h; discard 9c
2. Bob: draw 5s; meld 8h 8d 8s; discard 2c
3. Cy: draw 9d; meld Ah 2h 3h; discard 9d
4. Ann: draw Kd; discard 2s
"""


@pytest.mark.parametrize(
    "made",
    [
        "5. Bob: draw 7s; lay 3c m1; discard Jd",
        "5. Bob: draw 7s; meld 2c 3c 5s; discard Jd",
        "5. Bob: draw 7s; draw 6d; discard Jd",
        "5. Bob: draw 7s; discard Jd\nBob: draw 6d; discard Qs",
    ],
    ids=["a lay-off", "a meld", "a second draw", "a second turn"],
)
def test_what_somebody_did_against_the_rules_is_not_taken_out(made: str):
    after = "6. Cy: draw 6s; discard 6s\n7. Ann: draw 5c; discard Ks\n8. Bob: draw 3d; discard 5s\n"
    text = f"{HAND}{made}\n{after}"
    fixed = fix_log(text.encode(), "test.rgn")
    assert fixed is not None
    written = [line.partition(" # ?")[0] for line in fixed.text.splitlines()]
    assert written == text.splitlines()


def test_many_lines_written_twice_are_repaired_with_few_audits(monkeypatch):
    audits = 0

    def counted(self, *given):
        nonlocal audits
        audits += 1
        return feed(self, *given)

    feed = Replay.feed
    monkeypatch.setattr(Replay, "feed", counted)
    twice = "".join(
        HAND.replace("hand 1 dealer Cy", f'hand 1 dealer Cy\nnote "{game}"').replace(
            "4. Ann: draw Kd", "3. Cy: draw 9d; meld Ah 2h 3h; discard 9d\n4. Ann: draw Kd"
        )
        for game in range(12)
    )
    fixed = fix_log(twice.encode(), "test.rgn")
    assert fixed is not None
    assert len(fixed.changes) == 12
    assert audits <= 3
