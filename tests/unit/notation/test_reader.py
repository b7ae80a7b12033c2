"""The reader: what each line and action means, and what it forgives."""

import io
import subprocess
import sys

import pytest

from meldref.core import events
from meldref.core.cards import ANY_SUIT, JOKER, UNKNOWN, Played
from meldref.notation import (
    decode,
    open_lines,
    read_actions,
    read_card_counts,
    read_card_row,
    read_cards,
    read_line,
    read_lines,
    read_turn,
)
from meldref.notation.columns import action_columns
from meldref.notation.spelling import CARDS
from paths import TESTS

C = CARDS
FIVE, SIX, SEVEN = C["5h"], C["6h"], C["7h"]
GAMES = TESTS / "games"


def only(text):
    """The event of a line that is read without a finding."""
    line, findings = read_line(text)
    assert findings == ()
    return line.event


def action(text):
    """The action of a move of one action."""
    (read,), findings = read_actions(text)
    assert findings == ()
    return read


LINES = {
    '[Rules "500-rummy"]': events.Header("Rules", "500-rummy"),
    '[Set "game.target=1000"]': events.Header("Set", "game.target=1000"),
    '[X-Program "a: b; c # d"]': events.Header("X-Program", "a: b; c # d"),
    "hand 1 dealer Cy": events.HandStart(1, "Cy"),
    "hand": events.HandStart(),
    "hand dealer dealer": events.HandStart(None, "dealer"),
    "deal Ann 5h ?*3 6h ?": events.Deal("Ann", (FIVE, SIX), 4),
    "deal Bob ?*7": events.Deal("Bob", (), 7),
    'deal "2 Fast" 5h': events.Deal("2 Fast", (FIVE,)),
    "deal up 5h": events.Deal("up", (FIVE,)),
    "up 6c": events.UpCard(C["6c"]),
    "up ?": events.UpCard(UNKNOWN),
    "stock 4s ?*2 Jk": events.StockOrder((C["4s"], UNKNOWN, UNKNOWN, JOKER)),
    "cut Ann 5h, Bob 2c": events.Cut((("Ann", FIVE), ("Bob", C["2c"]))),
    "wild 3": events.WildRank(2),
    "wild 10": events.WildRank(9),
    "reshuffle": events.Reshuffle(),
    "show Bob 5h 6h": events.Show("Bob", (FIVE, SIX)),
    "gap": events.Gap(),
    "end out Ann": events.HandEnd("out", "Ann"),
    "end out": events.HandEnd("out"),
    "end stock": events.HandEnd("stock"),
    "end agreed": events.HandEnd("agreed"),
    "score Ann 45, Bob -20": events.Points("score", (("Ann", 45), ("Bob", -20))),
    "total N+S 120, E+W 95": events.Points("total", (("N+S", 120), ("E+W", 95))),
    'total "2 Fast"+S 120': events.Points("total", (("2 Fast+S", 120),)),
    "chips David -90, John 210": events.Points("chips", (("David", -90), ("John", 210))),
    "result Ann, Cy": events.Result(("Ann", "Cy")),
    "void": events.Void(),
    "void misdeal": events.Void("misdeal"),
    "void wrong deck": events.Void("wrong deck"),
    'void "two cards, face up"': events.Void("two cards, face up"),
    "undo": events.Undo(),
    'adjust Ann -10 "late call"': events.Adjust("Ann", -10, "late call"),
    "adjust N+S 5": events.Adjust("N+S", 5),
    'note "a: b; # c"': events.Note("a: b; # c"),
    "= hand Ann 5": events.AssertHand("Ann", 5),
    "= hand Ann 5h ?*4": events.AssertHand("Ann", None, (FIVE,), 4),
    "= hand Ann 10h": events.AssertHand("Ann", None, (C["Th"],)),
    "= hand Ann": events.AssertHand("Ann"),
    "= pile 6s 4c": events.AssertPile((C["6s"], C["4c"])),
    "= pile": events.AssertPile(()),
    "= table m1 5h 6h Jk=7h": events.AssertTable(
        1, (Played(FIVE), Played(SIX), Played(JOKER, SEVEN))
    ),
    "= stock 12": events.AssertStock(12),
    "= score Ann -45": events.AssertScore("Ann", -45),
    '= score Ann 10, "Oma Lotte" -5, N+S 0': events.AssertScores(
        (("Ann", 10), ("Oma Lotte", -5), ("N+S", 0))
    ),
}


@pytest.mark.parametrize("text", LINES)
def test_each_kind_of_line_is_read_as_its_event(text):
    assert only(text) == LINES[text]


ACTIONS = {
    "draw 4s": events.Draw(C["4s"]),
    "draw ?": events.Draw(UNKNOWN),
    "draw": events.Draw(UNKNOWN),
    "take 4c": events.Take(C["4c"]),
    "take 4c x6": events.Take(C["4c"], 6),
    "take ? x6": events.Take(UNKNOWN, 6),
    "take Jk": events.Take(JOKER),
    "meld 5h 6h 7h": events.Meld((Played(FIVE), Played(SIX), Played(SEVEN))),
    "meld 5h 6h Jk=7h m4": events.Meld((Played(FIVE), Played(SIX), Played(JOKER, SEVEN)), 4),
    "meld Jk=9 3h=Kd 9c": events.Meld(
        (Played(JOKER, ANY_SUIT + 8), Played(C["3h"], C["Kd"]), Played(C["9c"]))
    ),
    "lay 8h m1": events.LayOff((Played(C["8h"]),), 1),
    "lay 8h 9h": events.LayOff((Played(C["8h"]), Played(C["9h"]))),
    "swap 8c m2": events.Swap(C["8c"], 2),
    "swap 8c": events.Swap(C["8c"]),
    "discard Ks": events.Discard(C["Ks"]),
    "discard ?": events.Discard(UNKNOWN),
    "rummy 5h 6h": events.Call((FIVE, SIX)),
    "challenge": events.Challenge(),
    "pass": events.Pass(),
}


@pytest.mark.parametrize("text", ACTIONS)
def test_each_action_is_read_as_what_it_means(text):
    assert action(text) == ACTIONS[text]


@pytest.mark.parametrize(
    "written",
    ["5H", "5♥", "5♡", "5♥️", "5♥︎"],
)
def test_a_suit_may_be_a_letter_of_either_case_or_a_sign(written):
    assert action(f"discard {written}") == events.Discard(FIVE)


@pytest.mark.parametrize("written", ["10d", "Td", "tD", "T♦", "10♦️"])
def test_a_ten_may_be_written_in_digits(written):
    assert action(f"discard {written}") == events.Discard(C["Td"])


@pytest.mark.parametrize("written", ["Jk", "JK", "jk", "Joker", "JOKER"])
def test_a_joker_may_be_written_out(written):
    assert action(f"discard {written}") == events.Discard(JOKER)


def test_a_role_may_have_blanks_around_its_sign_and_equal_cards_need_none():
    meld = action("meld jk = 8♣ 3H=3h Joker=10")
    assert meld == events.Meld(
        (Played(JOKER, C["8c"]), Played(C["3h"]), Played(JOKER, ANY_SUIT + 9))
    )


@pytest.mark.parametrize(
    "text",
    [
        "12. Ann: draw 5c; discard 9h",
        "12 Ann : DRAW 5C ;Discard 9H;",
        "\t12.Ann:draw 5c;discard 9h",
        "  12.  Ann:\u00a0draw\t5♣  ;  discard   9♥ ; ",
        '12. "Ann": draw 5c; discard 9h',
    ],
)
def test_case_blanks_and_a_last_semicolon_do_not_matter_in_a_turn(text):
    turn = only(text)
    assert (turn.number, turn.player) == (12, "Ann")
    assert list(turn.actions) == [events.Draw(C["5c"]), events.Discard(C["9h"])]


def test_letters_that_differ_from_plain_ones_in_nothing_but_case_are_read_as_them():
    assert action("d\u0131\u017fcard 5H") == events.Discard(FIVE)
    assert only("ch\u0131p\u017f Ann 5") == events.Points("chips", (("Ann", 5),))


@pytest.mark.parametrize(
    ("text", "player"),
    [
        ("Zoë: pass", "Zoë"),
        ("आशा: pass", "आशा"),
        ("Ольга-2: pass", "Ольга-2"),
        ("O'Brien_Jr.: pass", "O'Brien_Jr."),
        ("3. P2.5: pass", "P2.5"),
        ("Draw: draw", "Draw"),
        ("1. stock: pass", "stock"),
        ('"hand": pass', "hand"),
        ('7. "2 Fast; 2: #1": pass', "2 Fast; 2: #1"),
    ],
)
def test_names_may_be_of_any_script_or_quoted(text, player):
    assert only(text).player == player


def test_columns_of_names_and_actions_count_from_one_with_an_exclusive_end():
    text = '  12. "Ann":  draw 5c ;discard 9h # x'
    for _ in range(2):
        turn = only(text)
        places = [action_columns(text, step) for step in range(len(turn.actions))]
        assert turn.name_column == text.index('"') + 1
        assert [text[begin - 1 : end - 1] for begin, end in places] == ["draw 5c", "discard 9h"]


def test_trailers_are_kept_in_either_order_and_a_comment_as_it_is_written():
    for text in (
        "A: draw {clock=12.3} ?! turn.unfinished, draw.deep #  why? {not} ?! this ",
        "A: draw ?! Turn.Unfinished,draw.deep{clock=12.3}#  why? {not} ?! this ",
    ):
        line, findings = read_line(text)
        assert findings == ()
        assert line.expected == ("turn.unfinished", "draw.deep")
        assert line.annotation == "clock=12.3"
        assert line.comment == "  why? {not} ?! this "
        assert line.event.actions[0] == events.Draw(UNKNOWN)


def test_blank_lines_and_comments_have_no_event():
    log = "\n   \n# hello: draw 5c\n  # more"
    lines = [line for line, _ in read_lines(log)]
    assert [line.event for line in lines] == [None] * 4
    assert [line.comment for line in lines] == [None, None, " hello: draw 5c", " more"]
    assert [line.number for line in lines] == [1, 2, 3, 4]


def test_known_header_keys_are_read_in_either_case_and_others_kept():
    assert only('[players "A, B"]').key == "Players"
    assert only('[X-seed "1"]').key == "X-seed"
    assert only('[ Colour  "1" ]').key == "Colour"


@pytest.mark.parametrize("minus", ["-", "−", "–"])
def test_amounts_may_have_signs(minus):
    assert only(f"score A {minus}20, B +15") == events.Points("score", (("A", -20), ("B", 15)))


def test_a_turn_by_itself_is_read_with_or_without_a_number():
    for text, number in (("A: draw; discard 5h", None), ("4. A: draw; discard 5h", 4)):
        turn, findings = read_turn(text)
        assert findings == ()
        assert turn.number == number
        assert len(turn.actions) == 2


def test_another_line_is_no_turn():
    for text in ("deal A 5h", "", "# A: draw"):
        turn, findings = read_turn(text)
        assert turn is None
        assert [finding.code for finding in findings] == ["log.syntax"]


def test_cards_are_read_with_roles_counts_or_in_order():
    assert read_cards("5h Jk=9 JK") == (Played(FIVE), Played(JOKER, ANY_SUIT + 8), Played(JOKER))
    assert read_card_counts("5h ?*7 6h") == ((FIVE, SIX), 7)
    assert read_card_row("?*2 5h ?") == (UNKNOWN, UNKNOWN, FIVE, UNKNOWN)
    assert read_card_row(" ") == ()
    assert read_card_counts("") == ((), 0)


@pytest.mark.parametrize("text", ["5h 6h", "5h,6h", "5h, 6h", "5h6h", "5h and 6h", "5♥,6♥"])
def test_a_row_of_cards_is_read_with_what_stands_between_them_in_a_move(text):
    assert read_cards(text) == (Played(FIVE), Played(SIX))
    assert read_card_row(text) == (FIVE, SIX)
    assert read_card_counts(text) == ((FIVE, SIX), 0)


@pytest.mark.parametrize("text", ["5x", "5h ?", "", "5h,,6h", "5h;6h", "5h\x00", "5h " * 4000])
def test_what_is_no_card_is_a_finding(text):
    assert read_cards(text).code == "log.syntax"


def test_bytes_are_read_with_or_without_byte_order_mark_and_with_either_line_end():
    text = '[Players "Zoë, B"]\r\nZoë: draw 5♥\r\n\r\nB: pass'
    for mark in (b"", b"\xef\xbb\xbf"):
        read = list(read_lines(decode(io.BytesIO(mark + text.encode()))))
        assert [findings for _, findings in read] == [()] * 4
        assert [type(line.event) for line, _ in read] == [
            events.Header,
            events.Turn,
            type(None),
            events.Turn,
        ]
        assert read[0][0].text == '[Players "Zoë, B"]'


def test_a_file_is_read_like_its_text(tmp_path):
    path = tmp_path / "a.rgn"
    path.write_bytes(b"\xef\xbb\xbfhand 1\r\nA: pass\r\n")
    assert list(read_lines(open_lines(path))) == list(read_lines("\ufeffhand 1\nA: pass\n"))


class Endless(io.RawIOBase):
    """Bytes of one line that never ends, for as long as it is read."""

    def __init__(self, chunks):
        self.left = chunks

    def read(self, _size=-1):
        self.left -= 1
        return b"x" * 65_536 if self.left > 0 else (b"\ngap\n" if self.left == 0 else b"")


def test_of_a_line_that_is_far_too_long_only_the_beginning_is_kept():
    lines = list(decode(Endless(200)))
    assert [len(line) for line in lines] == [8_194, 3]
    (line, findings), (after, none) = read_lines(lines)
    assert line.event is None
    assert [finding.code for finding in findings] == ["log.syntax"]
    assert after.event == events.Gap()
    assert none == ()


def test_a_line_may_have_8192_characters_and_not_one_more():
    for length, count in ((8_192, 0), (8_193, 1)):
        for text in ("#" + "x" * (length - 1), "A: " + "pass; " * 1400 + "pass"):
            padded = text[:length].ljust(length)
            stream = io.BytesIO(padded.encode() + b"\r\n")
            ((_, findings),) = read_lines(decode(stream))
            assert len(findings) == count


def test_the_games_that_ship_are_read_without_a_finding():
    """But for the lines that are there to be misread."""
    logs = list(GAMES.rglob("*.rgn"))
    assert logs
    for log in logs:
        expect = log.with_suffix(".expect.yaml")
        said = expect.read_text("utf-8").count("log.syntax") if expect.exists() else 0
        assert len([findings for _, findings in read_lines(open_lines(log)) if findings]) == said


def test_importing_the_notation_does_not_load_the_parser():
    code = (
        "import sys, meldref.notation as n; n.read_cards('5h Jk=9'); n.read_card_counts('5h ?')\n"
        "sys.exit('lark' in sys.modules)"
    )
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
