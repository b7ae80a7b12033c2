"""The writer and the formatter: one canonical form."""

import pytest

from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN, Played
from meldref.notation import (
    format_log,
    read_line,
    read_lines,
    write_action,
    write_event,
    write_line,
    write_name,
)


def formatted(text):
    return "".join(format_log(line for line, _ in read_lines(text)))


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("12 ann :DRAW 5♣ ;discard 10H;", "12. ann: draw 5c; discard Th"),
        ("A: draw", "A: draw ?"),
        ("A:meld jk=8♣ JOKER = 9 3h=3h M4", "A: meld Jk=8c Jk=9 3h m4"),
        ("A: take 4c x 6", "A: take 4c x6"),
        ('"Ann": pass', "Ann: pass"),
        ('"Hand": pass', '"Hand": pass'),
        ('"2 Fast": pass', '"2 Fast": pass'),
        ('deal "Hand" 5h ? 6h ?*2', "deal Hand 5h 6h ?*3"),
        ("stock ? ? 5h ?", "stock ?*2 5h ?"),
        ("score  N + S 120,E+W −95", "score N+S 120, E+W -95"),
        ('[rules  "500-rum"]', '[Rules "500-rum"]'),
        ('void "misdeal"', "void misdeal"),
        ("wild 10", "wild T"),
        ("=hand A 5", "= hand A 5"),
        ("A: pass ?! Draw.Deep ,call{t=1}# x  ", "A: pass {t=1} ?! draw.deep, call # x"),
    ],
)
def test_every_spelling_has_one_canonical_form(written, canonical):
    line, findings = read_line(written)
    assert findings == ()
    assert write_line(line) == canonical
    assert write_line(read_line(canonical)[0]) == canonical


def test_lines_that_are_not_events_stay_as_they_are_but_for_blanks_at_the_end():
    for text in ("  # a  comment", "", "foo  bar ?! log.syntax", "{a}"):
        assert write_line(read_line(text + "  ")[0]) == text


def test_a_formatted_log_has_no_runs_of_blank_lines_and_ends_with_a_line_end():
    assert formatted("\n\nhand 1\r\n\n \n\n# x\nA : pass\n\n\n") == "hand 1\n\n# x\nA: pass\n"
    assert not formatted("\n \n")
    assert formatted("gap") == "gap\n"


@pytest.mark.parametrize(
    "event",
    [
        events.Deal("A", ()),
        events.Note('a "quoted" word'),
        events.Note("two\nlines"),
        events.HandEnd("bored"),
        events.HandEnd("stock", "A"),
        events.Points("score", ()),
        events.Points("score", (("A", 10**9),)),
        events.AssertPile((UNKNOWN,)),
        events.Turn(None, "A", ()),
        events.Turn(-1, "A", (events.Pass(),)),
        events.AssertTable(0, (Played(JOKER),)),
    ],
)
def test_what_a_log_cannot_hold_is_refused(event):
    with pytest.raises(ValueError, match=r"log|unknown"):
        write_event(event)


def test_actions_and_names_are_written_by_themselves():
    assert write_action(events.Take(3, 6)) == "take 4c x6"
    assert write_action(events.LayOff((Played(JOKER, 0), Played(5)), 2)) == "lay Jk=Ac 6c m2"
    assert write_name("Zoë") == "Zoë"
    assert write_name("") == '""'
