"""What is said about lines that cannot be read: the place, what was expected, and that reading goes on."""

import pytest

from meldref.core import events
from meldref.notation import read_actions, read_line, read_lines

VERBS = ("draw", "take", "meld", "lay", "swap", "discard", "rummy", "challenge", "pass")

# line -> the text that is marked, words that the message has
UNREADABLE = {
    "1. Ann Lee draw 5c": ("Lee", ["`:`"]),
    "A: draw 5c 6c": ("6c", ["`;`"]),
    "A: draw 5c, 6h": (",", ["`;`"]),
    "Ann Lee: draw": ("Ann Lee", ['`"Ann Lee":`']),
    "12. Ann van der Lee : draw": ("Ann van der Lee", ['`"Ann van der Lee":`']),
    "Ann draw: 5h": (":", ["a card"]),
    "A: meld 5c 6c 7c, 8d 9d Td": (",", ["separate cards with spaces, not commas"]),
    "A: discard h5": ("h5", ["`5h`, not `h5`"]),
    "A: draw \u26655": ("\u26655", ["`5\u2665`, not `\u26655`"]),
    "A: meld 5c 6c C7": ("C7", ["`7C`, not `C7`"]),
    "A: melds 4c 4d 4h 5c 5d 5h": ("melds", ["`meld`"]),
    "A: discrad 4c": ("discrad", ["`discard`"]),
    "A: foo": ("foo", VERBS),
    "A: 5h": ("5h", VERBS),
    "A: draw ;; pass": (";", VERBS),
    "A: meld 5h 6hh": ("6hh", ["a card", "`m` and a number", "`;`"]),
    "A: meld 5h ? 6h": ("?", ["nobody saw"]),
    "A: lay ? m1": ("?", ["nobody saw"]),
    "A: take ?": ("?", ["a card"]),
    "A: swap ? m1": ("?", ["a card"]),
    "A: rummy ?": ("?", ["a card"]),
    "A: draw ?*7": ("?*7", ["a card", "`?`"]),
    "A: discard Jk=5c": ("Jk=5c", ["a card"]),
    "A: lay 8h m": ("m", ["`m` and a number"]),
    "A: take 5h x": ("x", ["`x` and a number"]),
    "A: discard 11h": ("11h", ["a card"]),
    "dela Ann 5h": ("dela", ["`deal`"]),
    'Dealer = "Cy"': ('Dealer = "Cy"', ['`[Dealer "Cy"]`']),
    "A: draw discard 5c": ("discard", ["a card, `?`, or `;`"]),
    "draw 5c; discard 6h": ("draw", ["name", "`:`"]),
    "deal: draw": ("deal", ["double quotes"]),
    "Mary Ann: draw": ("Mary Ann", ['`"Mary Ann":`']),
    "Turn 1: Ann: draw": ("Turn 1", ["write `1. Ann: …`"]),
    "Ann (1): draw": ("Ann (1)", ["write `1. Ann: …`"]),
    "Rummy! Cy: 6d": ("Rummy! Cy", ["write `Cy: rummy 6d`"]),
    "Stock : draw": ("Stock", ["double quotes"]),
    "end foo": ("foo", ["`out`", "`stock`", "`agreed`"]),
    "score Ann x": ("x", ["a number"]),
    "score Ann 45 3": ("3", ["`,`"]),
    "score Ann 12345678901": ("12345678901", ["a number"]),
    "= hnd Ann 5": ("hnd", ["`hand`", "`pile`"]),
    "= table 5h": ("5h", ["`m` and a number"]),
    "hand x": ("x", ["a number", "`dealer`"]),
    "wild Jk": ("Jk", ["a rank"]),
    "[Foo bar]": ("bar]", ["double quotes"]),
    '[Set "a=1"] foo': ("foo", ["the end of the line"]),
    'note "foo': ('"foo', ["closing double quote"]),
    '"2 fast: draw 5c': ('"2', ["closing double quote"]),
    "A: draw {x": ("{x", ["closing brace"]),
    "A: draw ?! a b": ("b", ["`,`"]),
    "5c 6h": ("5c", ["Ann: draw"]),
    "A: draw\x005c": ("\x00", ["control character"]),
    "A: draw\r5c": ("\r", ["control character"]),
    "# a comment\x7f": ("\x7f", ["control character"]),
}


@pytest.mark.parametrize("text", UNREADABLE)
def test_a_line_that_cannot_be_read_says_where_and_what_was_expected(text):
    marked, words = UNREADABLE[text]
    line, findings = read_line(text, 7)
    assert line.event is None
    (finding,) = findings
    assert finding.code == "log.syntax"
    assert finding.excerpt == text
    assert finding.span.line == 7
    assert text[finding.span.column - 1 : finding.span.end_column - 1] == marked
    assert [word for word in words if word not in finding.message] == []


@pytest.mark.parametrize(
    "text", ["deal Ann", "A: discard", "A: meld", "A:", "A: draw ?!", "up", "cut Ann"]
)
def test_half_a_line_is_marked_where_it_stops(text):
    line, (finding,) = read_line(text)
    assert line.event is None
    assert "nothing follows" in finding.message
    assert finding.span.end_column == len(text) + 1


def test_every_bad_action_of_a_turn_is_reported_and_the_turn_is_not_read():
    text = "A: mled 4c 4d; draw 5c; discrad 5h # x"
    line, findings = read_line(text)
    assert line.event is None
    assert line.comment == " x"
    assert [text[f.span.column - 1 : f.span.end_column - 1] for f in findings] == [
        "mled",
        "discrad",
    ]


def test_expected_violations_of_a_line_that_cannot_be_read_are_kept():
    for text in (
        "A: foo ?! log.syntax",
        "gibberish here ?! log.syntax",
        "deal A ?! log.syntax # x",
    ):
        line, findings = read_line(text)
        assert line.expected == ("log.syntax",)
        assert len(findings) == 1


def test_a_mistake_never_spreads_past_its_line():
    log = 'hand 1\nA: draw "5c\n[Rules "x]\nA: draw 5c # "\nfoo bar\ngap\n'
    read = list(read_lines(log))
    assert [line.number for line, findings in read if findings] == [2, 3, 5]
    assert read[3][0].event.actions[0] == events.Draw(4)
    assert read[5][0].event == events.Gap()


def test_bytes_that_are_no_text_are_marked_and_shown_as_replacement_characters():
    line, (finding,) = read_line("deal \udcff\udcfe 5h")
    assert line.text == finding.excerpt == "deal \ufffd\ufffd 5h"
    assert (finding.span.column, finding.span.end_column) == (6, 8)


def test_a_bare_move_gives_what_could_be_read_and_findings_about_the_rest():
    read, findings = read_actions("take 4c; foo; discard Th", 3)
    assert read == (events.Take(C4), events.Discard(TH))
    assert [(finding.span.line, finding.span.column) for finding in findings] == [(3, 10)]
    assert read_actions("draw\x00")[1][0].code == "log.syntax"
    assert read_actions("pass;" * 2000)[1][0].code == "log.syntax"


C4, TH = 3, 2 * 13 + 9
