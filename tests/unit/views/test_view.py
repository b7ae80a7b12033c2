"""A log as its players, or everybody, could have written it."""

import io
import re

import pytest

from audits import found
from meldref.answers.masking import EVERYBODY
from meldref_table.views.view import LogView, WithEnds, view_text

HEAD = """[Rules "500-rummy"]
[Players "Ann, Bob"]
[View "public"]

"""
DEALT = (
    HEAD
    + """deal Ann 5h 6h 7h 2c 9d Ks Qd
deal Bob 8h 8c 8d 3c 5c 6s 2d
up 6c
"""
)
MASKED = (
    HEAD
    + """deal Ann ?*7
deal Bob ?*7
up 6c
"""
)
OPENED = "1. Bob: draw 4s; meld 8c 8d 8h; discard 3c\n"


def seen(lines, viewer=EVERYBODY, before=DEALT):
    """What the viewer has of lines that come after others."""
    whole = view_text(before + lines, viewer)
    return whole[len(view_text(before, viewer)) :]


SPELLED = [
    ("1. Bob: draw 4s; discard 3c", "1. Bob: draw ?; discard 3c"),
    ("  1) bob:  draws 4♠ ,  throws 3♣  ", "  1) bob:  draws ? ,  throws 3♣  "),
    ("Bob: draw 10h; discard Th;", "Bob: draw ?; discard Th;"),
    ("Bob: draw; discard 3c", "Bob: draw; discard 3c"),
    ("Bob: Draw ４ｓ; Discard 3c {clock=2}", "Bob: Draw ?; Discard 3c {?}"),
    ("Bob: take 6c; meld 6c 6s Jk=6h", "Bob: take 6c; meld 6c 6s Jk=6h"),
    ("stock 4s,9h  Jc # top first", "stock ?*3 # ?"),
    ("stock 4s ? ?*30", "stock ?*32"),
    ("stock ? ?*30", "stock ? ?*30"),
    ("= hand Bob 8h 8c ?*5", "= hand Bob ?*7"),
    ("= hand  bob 8h,8c", "= hand  bob ?*2"),
    ("= hand Bob 7", "= hand Bob 7"),
    ("= hand Bob", "= hand Bob"),
    ("= pile 6c", "= pile 6c"),
    ("= stock 37", "= stock 37"),
    ("show Bob 8h", "show Bob 8h"),
    ("gap # 6c lies there", "gap # ?"),
    ('note "Bob has the 8h"', 'note "?"'),
    ("note “Bob has the 8h”", "note “?”"),
    ('note "Bob thinks"', 'note "?"'),
    ('adjust Ann -10 "showed 8h"', 'adjust Ann -10 "?"'),
    ("void Jk was short", 'void "?"'),
    ("void misdeal", 'void "?"'),
    ("void", "void"),
    ("#", "#"),
    ("# je crois que Bob a le 8 de cœur", "# ?"),
    ("# Bob ma 8 kier", "# ?"),
    ("# ?", "# ?"),
    ("gap #", "gap #"),
    ("gap {} # ", "gap {} # ?"),
    ("gap # Bob: K&diams;, Queen (clubs)", "gap # ?"),
    ("gap {seed=12}", "gap {?}"),
    ("#Bob has 8h", "# ?"),
    ("# 6c was turned up", "# ?"),
    ("end stock {8h} ?! end.early # 8h", "end stock {?} ?! end.early # ?"),
]


@pytest.mark.parametrize(("line", "result"), SPELLED)
def test_cards_that_were_not_seen_are_masked_and_all_else_stays_as_it_is_written(line, result):
    assert seen(line + "\n") == result + "\n"


def test_a_player_sees_the_own_cards_and_nobody_elses():
    text = DEALT + OPENED + "2. Ann: draw 4h; discard Ks\nstock 4s 5s\n= hand Ann 5h 6h\n"
    own = view_text(text, "ann")
    assert '[View "Ann"]' in own
    assert "deal Ann 5h 6h 7h 2c 9d Ks Qd\ndeal Bob ?*7\n" in own
    assert "2. Ann: draw 4h; discard Ks\nstock ?*2\n= hand Ann 5h 6h\n" in own
    assert "1. Bob: draw ?; meld 8c 8d 8h; discard 3c\n" in own


def test_cards_of_another_hand_that_lay_open_before_stay_in_what_is_asserted_of_it():
    taken = "1. Bob: take 6c; meld 6c 6s 6d; discard 8h\n2. Ann: take 8h; discard 2c\n"
    after = "= hand Ann 8h 5h 6h\n= hand Ann 5h\n"
    assert seen(taken + after).endswith("= hand Ann 8h ?*2\n= hand Ann ?\n")


def test_free_texts_are_withheld_from_those_who_wrote_them_too_unless_they_are_asked_for():
    line = "1. Bob: draw 3c; discard 3c {fast} # drew and threw 3c\n"
    assert seen(line) == "1. Bob: draw ?; discard 3c {?} # ?\n"
    assert seen(line, "Bob") == "1. Bob: draw 3c; discard 3c {?} # ?\n"
    text = DEALT + line + 'note "8h"\nadjust Ann -10 "8h"\nvoid Jk was short\n# 8h\n'
    kept = view_text('[X-Seed "7"]\n' + text, EVERYBODY, texts=True)
    assert kept.startswith('[X-Seed "7"]\n')
    assert kept.endswith(
        "1. Bob: draw ?; discard 3c {fast} # drew and threw 3c\n"
        'note "8h"\nadjust Ann -10 "8h"\nvoid Jk was short\n# 8h\n'
    )
    assert view_text(kept, EVERYBODY) == view_text('[X-Seed "7"]\n' + text, EVERYBODY)


def test_the_view_is_said_behind_the_last_header_in_each_game_where_none_says_it():
    game = '[Rules "500-rummy"]\n# a game\n[Players "{}"] # all\r\n\n# of cards\nhand 1\n'
    text = game.format("Ann, Bob") + game.format("Cy, Di")
    lines = view_text(text, "Ann").splitlines(keepends=True)
    assert [line for line in lines if "View" in line] == ['[View "Ann"]\r\n', '[View "public"]\r\n']
    assert lines[2:4] == ['[Players "Ann, Bob"] # ?\r\n', '[View "Ann"]\r\n']
    left = "".join(line for line in lines if "View" not in line)
    assert left == re.sub("# [a-z ]*", "# ?", text)


def test_a_header_of_ones_own_and_what_is_no_date_are_withheld():
    own = "".join(
        [
            *(f'[X-{key} "7 4"]\n' for key in ("Seed", "Deal", "Deck", "Site")),
            '[Event "8h"]\n[Date "8h"]\n[Date "2026-11-20"]\n',
        ]
    )
    viewed = view_text(own + DEALT, EVERYBODY)
    assert re.findall(r'\[(?:X|Event|Date).*"(.*)"', viewed) == ["?"] * 6 + ["2026-11-20"]


UNREADABLE = [
    ("Bob: got 4s; discrd 8h", "Bob: ?"),
    ("deal Bob 8h 8c 8", "?"),
    ("1. Bob : rum 8h {8h} ?! log.syntax # 8h", "Bob: ? ?! log.syntax"),
    ("Zed: got 8h", "?: ?"),
    ("8h", "?"),
    ("# 8h \x00", "?"),
    ("8h " * 4_000, "?"),
    ('"8h": 8h', "?: ?"),
]


@pytest.mark.parametrize(("line", "result"), UNREADABLE)
def test_nothing_of_a_line_that_cannot_be_read_is_kept_but_whose_turn_it_was(line, result):
    assert (
        seen(OPENED + line + "\n") == "1. Bob: draw ?; meld 8c 8d 8h; discard 3c\n" + result + "\n"
    )
    viewed = view_text(DEALT + OPENED + line + "\n", EVERYBODY)
    assert set(unread(viewed)) == set(unread(DEALT + OPENED + line + "\n"))


def unread(text):
    """The lines of a log that cannot be read."""
    return [line for line, code in found(text) if code == "log.syntax"]


def test_bytes_line_ends_and_the_mark_before_a_log_stay_as_they_are():
    text = "\ufeff" + DEALT.replace("\n", "\r\n") + "# caf\u00e9\n\n\r\r\n1. Bob: draw 4s"
    view = LogView(EVERYBODY)
    lines = view.of(WithEnds.of_bytes(io.BytesIO(text.encode())))
    assert "".join(line.text for line in lines) == text.replace(
        DEALT.replace("\n", "\r\n"), MASKED.replace("\n", "\r\n")
    ).replace("4s", "?").replace("caf\u00e9", "?")


def test_a_log_saved_as_windows_1252_is_masked_as_it_is_read():
    data = (DEALT + OPENED + "# d\xe9j\xe0 vu\n# \xe0 8h, 4s\n").encode("cp1252")
    view = LogView(EVERYBODY, texts=True)
    lines = [line.text for line in view.of(WithEnds.of_bytes(io.BytesIO(data)))]
    assert lines[-2:] == ["# d\xe9j\xe0 vu\n", "# \xe0 8h, 4s\n"]


def test_a_line_without_an_end_is_the_last_and_is_not_kept_in_memory():
    class Endless(io.RawIOBase):
        given = 0

        def readable(self):
            return True

        def readinto(self, room):
            room[:] = b"8" * len(room)
            self.given += len(room)
            return len(room)

    endless = Endless()
    lines = list(WithEnds.of_bytes(io.BufferedReader(endless)))
    assert len(lines) == 1
    assert len(lines[0]) < 50_000
    assert endless.given < 40_000_000


def test_words_behind_a_line_that_are_no_codes_are_withheld_as_other_free_text_is():
    log = (
        '[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\nup 6c\n'
        "1. Ann: draw 4s; discard 4s ?! bob.has.kd, draw.deep\n"
        "2. Bob: draw 9h; discard 9h ?! house.bob-has-kd, hand.missing\n"
        "Annn %% ?! kd\n"
    )
    seen = view_text(log, "public")
    assert "kd" not in seen
    assert "?! draw.deep\n" in seen
    assert "?! house, hand.missing\n" in seen


TURNED_OVER = """[Rules "500-rummy"]
[Set "stock.reshuffle=turn_over"]
[Players "Ann, Bob"]
[View "public"]

deal Ann 5h 6h 7h 2c 9d Ks Qd
deal Bob 8h 8c 8d 3c 5c 6s 2d
up 6c
"""
"""A game in which the pile is turned over."""


def run_out(drawn):
    """Turns in which two players draw and throw these cards until the stock is empty."""
    turns = zip(range(1, len(drawn) + 1), drawn, strict=True)
    return "".join(
        f"{n}. {'Ann' if n % 2 == 0 else 'Bob'}: draw {c}; discard {c}\n" for n, c in turns
    )


@pytest.mark.parametrize("viewer", [EVERYBODY, "Ann"])
def test_what_is_drawn_from_a_pile_that_was_turned_over_is_known_to_all(viewer):
    dealt = {*TURNED_OVER.replace(",", " ").split()}
    pack = [rank + suit for suit in "cdhs" for rank in "A23456789TJQK"]
    drawn = [card for card in [*pack, "Jk", "Jk"] if card not in dealt]
    before = TURNED_OVER + run_out(drawn) + "reshuffle\n"
    number = len(drawn) + 1
    mover = "Ann" if number % 2 == 0 else "Bob"
    turn = f"{number}. {mover}: draw 6c; discard {'Ks' if mover == 'Ann' else '3c'}\n"
    assert seen(turn, viewer, before) == turn
    assert "draw ?" in view_text(before, viewer)
