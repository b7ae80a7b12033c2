"""What holds for every text and every event."""

import io
import string

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from meldref.core import events
from meldref.core.cards import JOKER, UNKNOWN, Played, card_text
from meldref.core.diagnostics import Finding
from meldref.core.events import Line
from meldref.notation import (
    canonical,
    decode,
    format_log,
    read_actions,
    read_card_row,
    read_cards,
    read_line,
    read_lines,
    write_action,
    write_event,
    write_line,
)
from meldref.notation.canonical import Names, Sides
from meldref.notation.columns import action_columns
from meldref.notation.grammar import Misread, parse_action, parse_head, parse_line, parser
from meldref.notation.lenient import rewritten
from meldref.notation.lines import LINE_WORDS
from meldref.notation.memory import Memory
from meldref.notation.parts import Naming
from meldref.notation.scanner import Head, split, unreadable
from random_lines import actions, every_event, faces, lines, names, others, some, turns
from tiers import examples

parser()  # loaded here, lest it count as the time of the example that needs it first


def without_places(event):
    """The event, a turn without its columns."""
    if isinstance(event, events.Turn):
        return event._replace(name_column=0)
    return event


def fitting(text):
    """Whether what was written is short enough for a line."""
    return len(text) <= 8_192


@given(every_event)
def test_reading_what_was_written_gives_the_same_event(event):
    text = write_event(event)
    line, findings = read_line(text, 1, Memory())
    if fitting(text):
        assert findings == ()
        assert without_places(line.event) == without_places(event)


@pytest.mark.sweep
@given(lines)
def test_reading_what_was_written_gives_the_same_trailers(line):
    text = write_line(line)
    read, findings = read_line(text, 1, Memory())
    if fitting(text):
        assert findings == ()
        assert (read.expected, read.annotation) == (line.expected, line.annotation)
        assert (read.comment or "") == (line.comment or "")
        assert write_line(read) == text


@pytest.mark.sweep
@given(turns)
def test_columns_mark_the_action_as_it_is_written(event):
    text = write_event(event)
    line, _ = read_line(text, 1, Memory())
    if line.event is not None:
        places = [action_columns(text, step) for step in range(len(line.event.actions))]
        marked = [text[begin - 1 : end - 1] for begin, end in places]
        assert "; ".join(marked) == text[len(text) - len("; ".join(marked)) :]


WORDS = [
    *"AB",
    "1. ",
    "12",
    ":",
    ";",
    ",",
    " ",
    "  ",
    "\t",
    "#",
    "?!",
    "{",
    "}",
    '"',
    "?",
    "?*3",
    "=",
    "[",
    "]",
    "+",
    "-5",
]
WORDS += [
    "draw",
    "take",
    "meld",
    "lay",
    "swap",
    "discard",
    "rummy",
    "pass",
    "challenge",
    "m1",
    "x2",
    "Draw ",
]
WORDS += [
    "5h",
    "10♦",
    "Jk",
    "Jk=8c",
    "joker=9",
    "deal ",
    "score ",
    "hand ",
    "stock ",
    "end out ",
    "= ",
    "void ",
    "note ",
]
WORDS += [
    "up 5h",
    "A: ",
    "A: draw 5h",
    "; discard 5h",
    "draw.deep",
    "\x00",
    "\r",
    "\udcff",
    "\u00a0",
    "é",
]
nearly_lines = st.lists(st.sampled_from(WORDS), max_size=9).map("".join)
any_text = st.text(max_size=60) | nearly_lines | st.text(string.printable, max_size=40)


def inside(findings, line):
    for finding in findings:
        span = finding.span
        assert finding.code == "log.syntax"
        assert span.line == line.number
        assert 1 <= span.column <= span.end_column <= len(line.text) + 1
        assert finding.excerpt == line.text
        finding.message.encode()
        finding.excerpt.encode()


@given(st.lists(any_text, max_size=4).map("\n".join))
def test_reading_never_raises_and_marks_places_inside_the_line(text):
    for line, findings in read_lines(text):
        inside(findings, line)
        assert not (findings and line.event is not None)


UTF_16 = "the file is UTF-16; save it as UTF-8"


@given(st.binary(max_size=200))
@example(b"\xfe\xff")
@example(b"\xff\xfea\x00\n\x00")
def test_any_bytes_are_read(data):
    read = list(read_lines(decode(io.BytesIO(data))))
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        assert [[finding.message for finding in findings] for _, findings in read] == [[UTF_16]]
        return
    assert (
        len(read) == len(data.removeprefix(b"\xef\xbb\xbf").removesuffix(b"\n").split(b"\n"))
        or not read
    )
    for line, findings in read:
        inside(findings, line)


@given(any_text)
def test_moves_and_cards_never_raise(text):
    placed, findings = read_actions(text)
    assert placed or findings
    for found in (*findings, read_cards(text), read_card_row(text)):
        if isinstance(found, Finding):
            assert 1 <= found.span.column <= found.span.end_column <= len(text) + 1


def agree(text, memory):
    """The reader, whatever it remembers, gives what the grammar alone gives."""
    line, findings = next(iter(read_lines([text], memory)))
    if unreadable(text) is not None or len(text) > 8_192:
        return
    read = parse_line(text)
    other = rewritten(text)
    if isinstance(read, Misread) and other is not None:
        read = parse_line(other.text)
    assert isinstance(read, Misread) == bool(findings)
    if not isinstance(read, Misread):
        expected = Line(1, text, read.event, *read.trailers)
        assert without_places(line.event) == without_places(expected.event)
        assert line._replace(event=None) == expected._replace(event=None)


MEMORY = Memory()


@settings(max_examples=examples(400))
@given(nearly_lines.filter(lambda text: not text.endswith("\r")))
def test_the_reader_gives_what_the_grammar_gives_for_almost_lines(text):
    agree(text, MEMORY)
    agree(text, MEMORY)


@given(st.lists(lines, max_size=5))
def test_the_reader_gives_what_the_grammar_gives_for_lines(written):
    memory = Memory()
    for line in written * 2:
        agree(write_line(line), memory)


@pytest.mark.sweep
@given(turns | others, st.data())
def test_the_reader_gives_what_the_grammar_gives_for_odd_spelling(event, data):
    text = write_event(event)
    for _ in range(3):
        at = data.draw(st.integers(0, len(text)))
        text = (
            text[:at]
            + data.draw(st.sampled_from([" ", "\t", ";", "", "x", "#", ":", '"', "?", "  "]))
            + text[at:]
        )
    agree(text.swapcase() if data.draw(st.booleans()) else text, MEMORY)


@given(actions)
def test_every_action_that_is_written_is_read_without_the_grammar_as_the_grammar_reads_it(action):
    text = write_action(action)
    assert canonical.action(text) == action
    assert parse_action(text) == action


ACTION_WORDS = [word.strip(" ") for word in WORDS]
ACTION_WORDS += [
    "3h=Kd",
    "3h=3h",
    "Jk=Jk",
    "3h=9",
    "Kd=10",
    "m0",
    "m12",
    "m1000",
    "x",
    "x01",
    "Pass",
]
ODD_WORDS = [
    "10H",
    "tH",
    "5♥",
    "5♡\ufe0f",
    "5h\ufe0e\ufe0f",
    "5\ufe0fh",
    "qS",
    "10",
    "1h",
    "10\u017f",
    "\u212ah",
    "JOKER",
]
ODD_WORDS += [
    "jk=10",
    "jK=5H",
    "jk=?",
    "5h=",
    "Jk==5h",
    "Jk=joker",
    "M3",
    "X6",
    "×6",
    "TAKE",
    "di\u017fcard",
    "d\u0131scard",
]
ACTION_WORDS += ODD_WORDS
nearly_actions = st.lists(st.sampled_from(ACTION_WORDS), max_size=5).map(" ".join)


@settings(max_examples=examples(1_000))
@given(nearly_actions)
def test_an_action_read_without_the_grammar_is_what_the_grammar_reads(text):
    action = canonical.action(text)
    if action is not None:
        assert parse_action(text) == action


@settings(max_examples=examples(500))
@given(others.map(write_event) | nearly_lines)
def test_a_line_read_without_the_grammar_is_what_the_grammar_reads(text):
    event = canonical.line(text, Naming(Names(), Sides()))
    if event is not None:
        assert parse_line(text) == (event, ((), None, None))


@settings(max_examples=examples(500))
@given(
    st.tuples(st.sampled_from(["", "1. ", "12 ", "1.", "007. ", "1234567890. "]), names).map(
        "".join
    )
)
def test_a_head_read_without_the_grammar_is_what_the_grammar_reads(text):
    head = canonical.head(text, Names())
    if head is not None:
        assert parse_head(text) == head


LINE_STARTS = [
    "deal A",
    'deal "A B"',
    "score A",
    'Total "A, B"',
    "hand",
    "hand 2",
    "hand dealer",
    'end out "A"',
    "= hand A",
]
LINE_STARTS += [
    "STOCK",
    "up",
    "cut A",
    "adjust A",
    'adjust "A"+B',
    "void",
    "note",
    "wild",
    "= score",
    "chıps A",
    "result",
]
LINE_WORDS_AND_MORE = [
    *ODD_WORDS,
    "5h",
    "+5",
    "−5",
    "--5",
    '"A"',
    '"A+B"',
    '"',
    "A",
    "A+B",
    "?*3",
    "?",
    "dealer",
    ",",
    "misdeal",
]
odd_lines = st.tuples(
    st.sampled_from(LINE_STARTS), st.lists(st.sampled_from(LINE_WORDS_AND_MORE), max_size=4)
).map(lambda parts: " ".join([parts[0], *parts[1]]).replace(" ,", ","))


@settings(max_examples=examples(1_000))
@given(odd_lines, st.sampled_from(["", " # c", "# c", " ?! draw", " {a} # c", " {", "  "]))
def test_odd_lines_are_read_as_the_grammar_reads_them(text, after):
    agree(text + after, Memory())
    agree(text.replace(" ", "  ") + after, MEMORY)


@settings(max_examples=examples(500))
@given(nearly_lines | odd_lines, st.sampled_from([": draw", ":", " : x # c", ":{"]))
def test_what_is_wrong_before_a_colon_is_wrong_in_the_whole_line(text, rest):
    text = (text + rest).lstrip(" \t\u00a0")
    colon = split(text).colon
    if colon >= 0 and text[0] not in "[=" and unreadable(text) is None:
        head = parse_head(text[:colon])
        assert isinstance(head, Head) or head == parse_line(text)


words_of_lines = st.sampled_from(
    [*sorted(LINE_WORDS), "dealer", "out", "agreed", "pile", "table", "draw", "Jk", "K", "A2"]
)


@given(
    words_of_lines,
    st.sampled_from(["{}: pass", "2. {}: pass", "deal {} 5h", "score {} 5", "end out {}"]),
)
def test_a_name_like_a_word_of_the_notation_is_read_as_the_grammar_reads_it(name, form):
    agree(form.format(name), Memory())
    memory = Memory()
    for text in (f"deal {name} 5h", f"1. {name}: pass", f"score {name} 5"):
        read_line(text, 1, memory)
    agree(form.format(name), memory)


ORDINARY = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]

hand 1 dealer Bob
deal Ann 5h 6h ?*5
up 6c
stock 4s ? 9h
1. Ann: draw; meld 5h 6h Jk=7h m1; discard Ks
2. Bob: take 6c x2; lay 8h m1; discard ?
Ann: swap 7h m1; pass
gap
reshuffle
= hand Ann 5
= hand Ann 5h ?*4
= pile 6s 4c
= table m1 5h Jk=6h 7h
= stock 12
= score Ann+Cy -45
show Bob Jc 4d
end out Ann
score Ann 45, Bob -20
total Ann+Cy 45, Bob -20
result Ann
"""


ODDLY_SPELT = """\
hand 1 dealer "Ann Lee" # a comment
Deal "Ann Lee" 5H 10♥ joker  ?*5
  cut "Ann Lee" 9C, Bob 3d
1. "Ann Lee": DRAW ;  meld 5h 6H jk=7h M1;discard 10S   # a comment
2. Bob: Take 6c ×2; lay 8♥ m1
adjust Bob -10 "slow"
void misdeal
note "coffee: black, please"
score "Ann Lee" +45,  Bob −20   # a comment
total  Ann 45,  Bob −20
"""


@pytest.mark.parametrize("log", [ORDINARY, ODDLY_SPELT])
def test_an_ordinary_log_needs_no_grammar(log, monkeypatch):
    def fail(text):
        raise AssertionError(f"the grammar is asked about {text}")

    for name in ("parse_action", "parse_head", "parse_line"):
        monkeypatch.setattr(f"meldref.notation.memory.{name}", fail)
    assert all(not findings for _, findings in read_lines(log, Memory()))


@pytest.mark.sweep
@given(st.lists(any_text | lines.map(write_line), max_size=6).map("\n".join))
def test_formatting_twice_is_formatting_once_and_keeps_every_event(text):
    read = list(read_lines(text))
    formatted = "".join(format_log(line for line, _ in read))
    again = list(read_lines(formatted))
    assert "".join(format_log(line for line, _ in again)) == formatted
    if not any(findings for _, findings in read):
        before = [without_places(line.event) for line, _ in read if line.event is not None]
        after = [without_places(line.event) for line, _ in again if line.event is not None]
        assert before == after
    assert formatted == "" or formatted.endswith("\n")
    assert "\n\n\n" not in formatted


@given(some(faces | st.just(JOKER), 12))
def test_a_row_of_cards_is_read_back(row):
    assert read_card_row(" ".join(card_text(card) for card in row)) == row
    assert UNKNOWN in row or read_cards(" ".join(card_text(card) for card in row)) == tuple(
        map(Played, row)
    )
