"""What people write in another spelling is what its canonical form says, and stays at its place."""

from __future__ import annotations

import random
from collections.abc import Sequence

from benchmarks.slips.trials import trial
from hypothesis import given, settings
from hypothesis import strategies as st

from loosely import loosely
from meldref.core import events
from meldref.core.diagnostics import Finding, errors_in
from meldref.notation import format_log, read_line, read_lines, write_event
from meldref.notation.columns import action_columns, asserted_columns
from meldref.notation.lenient import rewritten
from meldref.notation.memory import Memory
from meldref.notation.scanner import unreadable
from meldref_evidence.audit import replay
from random_lines import amounts, every_event, others, turns
from tiers import examples


def without_places(event: events.Event | None) -> object:
    """The event, a turn without its columns."""
    return event._replace(name_column=0) if isinstance(event, events.Turn) else event


@settings(max_examples=examples(600))
@given(every_event, st.randoms(use_true_random=False))
def test_another_spelling_is_read_as_the_canonical_one(
    event: events.Event, dice: random.Random
) -> None:
    text = loosely(event, dice.choice)
    line, findings = read_line(text, 1, Memory())
    if len(text) > 8_192:
        return
    assert findings == (), text
    assert line.text == text
    assert without_places(line.event) == without_places(event), text


@settings(max_examples=examples(300))
@given(turns, st.randoms(use_true_random=False))
def test_columns_mark_each_action_in_the_line_as_written(
    event: events.Turn, dice: random.Random
) -> None:
    text = loosely(event, dice.choice)
    line, _ = read_line(text, 1, Memory())
    if not isinstance(line.event, events.Turn):
        return
    end = 0
    for step, action in enumerate(line.event.actions):
        first, after = action_columns(text, step)
        assert end < first < after <= len(text) + 1
        marked, _ = read_line(f"A: {text[first - 1 : after - 1]}", 1, Memory())
        assert isinstance(marked.event, events.Turn)
        assert marked.event.actions == (action,)
        end = after - 1


@settings(max_examples=examples(300))
@given(amounts.filter(lambda amounts: len(amounts) > 1), st.randoms(use_true_random=False))
def test_columns_mark_what_is_asserted_of_each_player(
    amounts: tuple[tuple[str, int], ...], dice: random.Random
) -> None:
    text = loosely(events.AssertScores(amounts), dice.choice)
    for part, (player, points) in enumerate(amounts):
        first, after = asserted_columns(text, part)
        marked, findings = read_line(f"= score {text[first - 1 : after - 1]}", 1, Memory())
        assert findings == ()
        assert marked.event == events.AssertScore(player, points)


@settings(max_examples=examples(300))
@given(st.lists(every_event, max_size=6), st.randoms(use_true_random=False))
def test_formatting_writes_the_canonical_form_once_for_all(
    log: list[events.Event], dice: random.Random
) -> None:
    text = "".join(loosely(event, dice.choice) + "\n" for event in log)
    formatted = "".join(format_log(line for line, _ in read_lines(text, Memory())))
    again = "".join(format_log(line for line, _ in read_lines(formatted, Memory())))
    assert again == formatted


@settings(max_examples=examples(300))
@given(every_event)
def test_a_canonical_line_rewritten_says_the_same(event: events.Event) -> None:
    text = write_event(event)
    other = rewritten(text)
    if other is not None and len(text) <= 8_000:
        line, findings = read_line(other.text, 1, Memory())
        if not findings and isinstance(event, events.Turn):
            assert isinstance(line.event, events.Turn)
            assert line.event.actions == event.actions


SIGNS = st.text(
    st.sampled_from("A:;, draw“”'’4dJk=m1)([#{?—１．　\u200b\"4d4hmeldson"), max_size=40
)


@settings(max_examples=examples(600))
@given(SIGNS | st.tuples(others.map(write_event), SIGNS).map("".join))
def test_rewriting_never_raises_and_keeps_places_inside_the_line(text: str) -> None:
    other = rewritten(text)
    if other is not None:
        assert len(other.places) == len(other.text) + 1
        assert all(0 <= place <= len(text) for place in other.places)
        assert [*other.places] == sorted(other.places)
    line, findings = read_line(text, 1, Memory())
    for finding in findings:
        assert 1 <= finding.span.column <= finding.span.end_column <= len(text) + 1
        assert finding.excerpt == line.text or unreadable(text) is not None


def test_a_log_in_other_spellings_is_judged_as_the_canonical_one() -> None:
    dice = random.Random(5)
    slips = (
        "another card thrown",
        "another player's name",
        "a wrong turn number",
        "a discard left out",
    )
    for number, slip in enumerate(slips):
        spoilt = trial((slip,), number, 1)
        assert spoilt is not None
        read = [line.event for line, _ in read_lines(spoilt.text)]
        lines = [spelled(event, dice) for event in read if event is not None]
        findings = errors_in(replay(read_lines("\n".join(lines))).findings)
        assert found(findings) == found(spoilt.findings)
        for finding in findings:
            assert finding.excerpt in {"", lines[finding.span.line - 1]}
            assert finding.span.end_column <= len(lines[finding.span.line - 1]) + 1


def spelled(event: events.Event, dice: random.Random) -> str:
    """A line in other spellings, with the player's name in other capitals."""
    if isinstance(event, events.Turn):
        event = event._replace(
            player=dice.choice([event.player, event.player.upper(), event.player.lower()])
        )
    return loosely(event, dice.choice)


def found(findings: Sequence[Finding]) -> list[tuple[int, str, str | None]]:
    return [(finding.span.line, finding.code, finding.player) for finding in findings]
