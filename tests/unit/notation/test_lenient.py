"""What people write in other spellings: read where only one thing can be meant, and nowhere else."""

from __future__ import annotations

import pytest

from loosely import SPELLINGS
from meldref.core.resources import data_path
from meldref.notation import (
    format_log,
    read_actions,
    read_line,
    read_lines,
    write_event,
    write_line,
)
from meldref.notation.columns import action_columns
from meldref.notation.in_part import read_in_part
from meldref.notation.reader import respelled
from meldref.notation.roster import Roster
from paths import ROOT

READ = {
    "A: meld 4d,4h,4s": "A: meld 4d 4h 4s",
    "A: meld 4d, 4h, 4s m2": "A: meld 4d 4h 4s m2",
    "A: meld 4d4h10s": "A: meld 4d 4h Ts",
    "A: meld JkJk9c": "A: meld Jk Jk 9c",
    "A: meld 5c 6c, Jk=7": "A: meld 5c 6c Jk=7",
    "A: meld 4d,4h, 4s; lay 8h,9h, m1": "A: meld 4d 4h 4s; lay 8h 9h m1",
    "A: lay 8h on m1, lay 9h to m1": "A: lay 8h m1; lay 9h m1",
    "A: draw, discard Jd": "A: draw ?; discard Jd",
    "A: draws 8d, meld 3c 4c 5c, discards Jd": "A: draw 8d; meld 3c 4c 5c; discard Jd",
    "A: draw 8d and discard Jd": "A: draw 8d; discard Jd",
    "A: draw 8d; then discard Jd": "A: draw 8d; discard Jd",
    "A: draws 8d, And then throws Jd": "A: draw 8d; discard Jd",
    "A: draws 8♦. Throws J♦️.": "A: draw 8d; discard Jd",
    "1) Ann: pass": "1. Ann: pass",
    "(12) Ann: pass": "12. Ann: pass",
    "1.) Ann: pass": "1. Ann: pass",
    "A: takes 4c x2": "A: take 4c x2",
    "A: picks up 4c": "A: take 4c",
    "A: Throws Jd": "A: discard Jd",
    "A: draws one card; lays the 8h,9h on m1, throws the 4♠": "A: draw ?; lay 8h 9h m1; discard 4s",
    "A takes the 8h from the pile": "A: take 8h",
    "A: lays off 8h m1": "A: lay 8h m1",
    "A: lays down 4d 4h 4s": "A: meld 4d 4h 4s",
    "A: picked up A♦ from the stock": "A: draw Ad",
    "A: takes 4s from the deck, discards Jd": "A: draw 4s; discard Jd",
    "A: draws 8h from the discard pile": "A: take 8h",
    "Ann: goes out": "end out Ann",
    "A: Rummy! 6c": "A: rummy 6c",
    "A: calls rummy 6c": "A: rummy 6c",
    "A: discard 10♥": "A: discard Th",
    "Hand 1, dealer Cy": "hand 1 dealer Cy",
    "Hand 1: dealer Cy": "hand 1 dealer Cy",
    "Hand 1 (dealer Cy)": "hand 1 dealer Cy",
    "hand 1 — dealer Cy": "hand 1 dealer Cy",
    "deal A 5c, 10h": "deal A 5c Th",
    "stock 4s,9h ?*3": "stock 4s 9h ?*3",
    "= hand A 5c,6c": "= hand A 5c 6c",
    "= hand A: 5c, 6c": "= hand A 5c 6c",
    "= hand A = 3 cards": "= hand A 3",
    "= pile: 5c,6c": "= pile 5c 6c",
    "= Stock: 12 cards.": "= stock 12",
    "= table m1 5c6c7c": "= table m1 5c 6c 7c",
    "= table m1: 5c, 6c, Jk=7c": "= table m1 5c 6c Jk=7c",
    "= table m1 Bob: Th,Tc, Ann: Ts": "= table m1 Bob Th Tc, Ann Ts",
    "= table m1 Bob Jk=Ah, As, Ac and Ada = Ad": "= table m1 Bob Jk=Ah As Ac, Ada Ad",
    "= table m1: Adam Th,Tc; Ann Ts": "= table m1 Adam Th Tc, Ann Ts",
    "= score A: 0; B = 30": "= score A 0, B 30",
    "= Scores A 0 and B+C 30 points": "= score A 0, B+C 30",
    "[Players Ann, Bob]": '[Players "Ann, Bob"]',
    "[rules 500-rummy]": '[Rules "500-rummy"]',
    "[X-Place the kitchen]": '[X-Place "the kitchen"]',
    "[Rules “500-rummy”]": '[Rules "500-rummy"]',
    "[Players 'Ann, Bob']": '[Players "Ann, Bob"]',
    "A: draws 8d, melds 8d 8h 8s, discards 4c": "A: draw 8d; meld 8d 8h 8s; discard 4c",
    "A: Drew 8d. Melded 8d,8h,8s. Threw 4c.": "A: draw 8d; meld 8d 8h 8s; discard 4c",
    "A: took 8d from the pile -> laid off 8d on meld 2 & discarded 4c": (
        "A: take 8d; lay 8d m2; discard 4c"
    ),
    "A: draws from the stock | lay 8d on 2 / throw 4c": "A: draw ?; lay 8d m2; discard 4c",
    "score A: 48, B = -5": "score A 48, B -5",
    "4. Cy draws Qh": "4. Cy: draw Qh",
    "(4) Cy - draw Qh, discards 4s": "4. Cy: draw Qh; discard 4s",
    "“Ann Lee” melds 4c4d4h": '"Ann Lee": meld 4c 4d 4h',
    "Ann | draw 4s | discard 3s": "Ann: draw 4s; discard 3s",
    "Ann > passes": "Ann: pass",
    "Bob calls Rummy Th": "Bob: rummy Th",
    "Scores: drew 4s": "Scores: draw 4s",
    "Rules: drew 4s": "Rules: draw 4s",
    "deal Cy: 5h, 6h": "deal Cy 5h 6h",
    "Dealt to Cy: ?*7": "deal Cy ?*7",
    "show Bob: 5h": "show Bob 5h",
    "Up: 6c": "up 6c",
    "Upcard 6c": "up 6c",
    "Turned up: 6c": "up 6c",
    "Stock: 4s,9h": "stock 4s 9h",
    "Scores: Ann 45; Bob -20 and Cy: 3": "score Ann 45, Bob -20, Cy 3",
    "score Ann 45 Bob 3": "score Ann 45, Bob 3",
    "Totals: Ann+Cy 45 Bob+Di 3": "total Ann+Cy 45, Bob+Di 3",
    "Running totals: Ann 45 | Bob 3": "total Ann 45, Bob 3",
    "Ann goes out.": "end out Ann",
    "out: Ann": "end out Ann",
    "End: Ann went out": "end out Ann",
    "end Ann out": "end out Ann",
    "End out: Ann": "end out Ann",
    "End: stock": "end stock",
    "Results: Ann, Cy": "result Ann, Cy",
    "Hand 1 (Cy deals)": "hand 1 dealer Cy",
    "Hand: 1": "hand 1",
    "Reshuffled": "reshuffle",
    "Players: Ann, Bob": '[Players "Ann, Bob"]',
    "[Players Ann, Bob and Cy]": '[Players "Ann, Bob, Cy"]',
    "[Players Ann Bob Cy]": '[Players "Ann, Bob, Cy"]',
    "[Players Ann, Bob Lee]": '[Players "Ann, Bob Lee"]',
    "score Ann 34 points; Bob -3 pts": "score Ann 34, Bob -3",
    "A: melds 5h, 6h and 7h": "A: meld 5h 6h 7h",
    "- 1. Ann draws a card, throws away 4s": "1. Ann: draw ?; discard 4s",
    "> **Ann**: adds 8s to m4": "Ann: lay 8s m4",
    'rules = "500-rummy"': '[Rules "500-rummy"]',
    "“Ann Lee”: pass": '"Ann Lee": pass',
    "note “it’s – fine”": 'note "it’s – fine"',
    "score A —20, B −5": "score A -20, B -5",
    "１．Ａ：draw　４ｓ；discard　Ｋｓ": "1. A: draw 4s; discard Ks",
    "A:\u2003draw\u200b 4s,\tdiscard\u00a0Ks": "A: draw 4s; discard Ks",
}


@pytest.mark.parametrize("text", READ)
def test_another_spelling_is_read_and_written_canonically(text: str) -> None:
    line, findings = read_line(text)
    assert findings == ()
    assert line.text == text
    assert line.event is not None
    assert write_event(line.event) == READ[text]


REMARKS = [
    "A: draw 8d discard Jd",
    "A: draw 8d; discard Jd what a hand",
    "A: draw 8d; discard Jd (what a hand)",
    "A: draw 8d lucky; discard Jd",
    "A: draw 8d (no!) and discard Jd. Oh well.",
    "A: draw 8d; discard Jd; as usual",
    "A: draw 8d; discard Jd, nice # at ten",
]


@pytest.mark.parametrize("text", REMARKS)
def test_actions_with_nothing_or_a_remark_between_them_are_no_line_and_are_played(
    text: str,
) -> None:
    _, findings = read_line(text)
    assert [finding.code for finding in findings] == ["log.syntax"]
    assert read_in_part(text, ("A", "B")) == ("A", read_actions("draw 8d; discard Jd")[0])


UNREAD = [
    "A: draw 8d discrad Jd",  # a remark, or a word misspelled
    "A: draw 8d meld; discard Jd",
    "A: draw 8d; discard Jd, not Qd",
    "A: draw 8d; discard Jd jh",
    "A: draw 8d; discard Jd?",
    "A: draw K?; discard Jd",
    "A: draw five; discard Jd",
    "A: draw 8d; meld 3c 4c five; discard Jd",
    "A: draw 8d; lay 8d on the first one; discard Jd",
    "A: draw 8d; discard Jd; end agreed",
    "A: meld 4d 4h 4s, 5c 5d 5h",  # two melds, or one
    "A: meld 4d 4h 4s,5c 5d 5h",
    "A: melds 4d 4h 4s 5c 5d 5h",  # two melds, or one
    "A: plays 4s",
    "A: draw 4s, 5h",
    "A: discard 4d,4h",
    "A: discard 4d4h",
    "A: take 4c, 5c",
    "A: picks up",
    "A: Rummy!",
    "A: meld Jk=89c",
    "Ann Lee draw 4s",
    "draw, discard 4s",
    "Ann plays 4s",
    "Time out",
    "end stok",
    "Dealer: Cy",  # the game's first, or the next hand's
    "[Foo bar]",
    "[Players Ann, Bob",
    "hand 1, Cy",
    "A: draw 4s and 5h",
    "= table m1 Ann 5h 6h 7h,",
    "= table m1 Ann 5h 6h, Bob",
    "= table m1 5h 6h 7h, Bob 8h",
    "= score A 5, B ?",
    "= stock 12 turns",
    "A: meld 4c 4d 4h and 5s 5d 5h",
    "“Ann Lee: pass",
]


@pytest.mark.parametrize("text", UNREAD)
def test_what_may_mean_several_things_or_nothing_is_a_finding(text: str) -> None:
    line, findings = read_line(text)
    assert line.event is None
    assert [finding.code for finding in findings] == ["log.syntax"]
    assert findings[0].excerpt == text


def test_only_what_cannot_be_read_is_marked_in_the_line_as_written() -> None:
    text = "1) Ann: draws,  lays 8h,9h on m1, foo 5c; throws 5hh"
    line, findings = read_line(text)
    assert line.event is None
    marked = [text[finding.span.column - 1 : finding.span.end_column - 1] for finding in findings]
    assert marked == [",", "5hh"]
    assert all(finding.excerpt == text for finding in findings)


def test_names_and_actions_have_their_places_in_the_line_as_written() -> None:
    text = " (12)  “Ann Lee”:  picks up 4c ,lays 4c4d on m1;  throws 5h # late, meld"
    line, _ = read_line(text)
    places = [action_columns(text, step) for step in range(3)]
    assert [text[first - 1 : end - 1] for first, end in places] == [
        "picks up 4c",
        "lays 4c4d on m1",
        "throws 5h",
    ]
    assert line.event.name_column == text.index("“") + 1
    assert line.comment == " late, meld"


def test_comments_annotations_and_texts_stay_as_they_are() -> None:
    line, findings = read_line("A: draws {t=“1,2”} # he said “4d,4h” — twice")
    assert findings == ()
    assert (line.annotation, line.comment) == ("t=“1,2”", " he said “4d,4h” — twice")
    line, _ = read_line('note "4d4h, 1) “x”"')
    assert line.event.text == "4d4h, 1) “x”"


def test_a_bare_move_may_be_spelled_in_another_way() -> None:
    actions, findings = read_actions("takes 4c, melds 4c4d4h 5c5d5h, throws 9h")
    assert len(findings) == 1
    actions, findings = read_actions("takes 4c, melds 4c4d4h, throws 9h")
    assert findings == ()
    assert len(actions) == 3


LOG = """\
[Rules "500-rummy"]
[Players "Ann, Cy, Anna-Lena, O'Neil"]
[View "ANN"]
[Dealer "cy"]
hand 1 dealer CY
deal ann 5h ?*6
1. Anna–lena: pass
2. o’neil: pass
3. Annn: pass
cut cy 5h, ANN 6h
show cy 5h
end out ann
score ann 5, CY -5
total ann+cy 5
result cy
adjust ann 5 "ann"
= hand cy 5
= score ann 5
note "ann"
"""
CANONICAL = """\
[Rules "500-rummy"]
[Players "Ann, Cy, Anna-Lena, O'Neil"]
[View "Ann"]
[Dealer "Cy"]
hand 1 dealer Cy
deal Ann 5h ?*6
1. Anna-Lena: pass
2. O'Neil: pass
3. Annn: pass
cut Cy 5h, Ann 6h
show Cy 5h
end out Ann
score Ann 5, Cy -5
total Ann+Cy 5
result Cy
adjust Ann 5 "ann"
= hand Cy 5
= score Ann 5
note "ann"
"""


def test_names_in_other_capitals_are_those_of_the_players() -> None:
    assert "".join(format_log(line for line, _ in read_lines(LOG))) == CANONICAL


def test_a_name_that_two_players_have_in_other_capitals_is_nobodys() -> None:
    log = '[Players "Al, AL, Bo"]\nal: pass\nbo: pass\nAL: pass\n'
    assert [line.event.player for line, _ in read_lines(log) if hasattr(line.event, "player")] == [
        "al",
        "Bo",
        "AL",
    ]


def test_each_game_has_its_own_players() -> None:
    log = '[Players "Al, Bo"]\nal: pass\n[Players "AL, bo"]\nal: pass\n'
    assert [line.event.player for line, _ in read_lines(log) if hasattr(line.event, "player")] == [
        "Al",
        "AL",
    ]
    assert read_line("al: pass")[0].event.player == "al"
    assert read_line("al: pass", roster=Roster(["Al"]))[0].event.player == "Al"


@pytest.mark.parametrize(
    ("written", "canonical"),
    [
        ("A: draw 4s; meld 4s 5s 6s; goes out", "A: draw 4s; meld 4s 5s 6s # goes out"),
        ("A: draw 4s, discard 4s and goes out.", "A: draw 4s; discard 4s # goes out."),
        (
            "A draws 4s, lays 4s m1, went out # at last",
            "A: draw 4s; lay 4s m1 # went out # at last",
        ),
    ],
)
def test_that_somebody_goes_out_in_a_turn_is_a_comment(written: str, canonical: str) -> None:
    read = read_line(written)
    assert read[1] == ()
    assert write_line(read[0]) == canonical


SEVERAL_WORDS = {
    "score Oma Lotte 85, Ann 20": 'score "Oma Lotte" 85, Ann 20',
    "score Oma 85; oma  lotte: 20": 'score Oma 85, "Oma Lotte" 20',
    "total Oma Lotte 85 Ann -20 # Oma Lotte leads": 'total "Oma Lotte" 85, Ann -20 # Oma Lotte leads',
    "chips Ann 5, Oma Lotte -5": 'chips Ann 5, "Oma Lotte" -5',
    "result Oma Lotte": 'result "Oma Lotte"',
    "show Oma Lotte 5h, 6h": 'show "Oma Lotte" 5h 6h',
    "deal Oma Lotte: ?*7": 'deal "Oma Lotte" ?*7',
    "hand 2, dealer Oma Lotte": 'hand 2 dealer "Oma Lotte"',
    "Oma Lotte: draw 4s, discard 4s": '"Oma Lotte": draw 4s; discard 4s',
    "3. Oma Lotte draws 4s": '3. "Oma Lotte": draw 4s',
    "end out Oma Lotte": 'end out "Oma Lotte"',
    "= score Oma Lotte 30": '= score "Oma Lotte" 30',
    "= score Oma Lotte: 30, Oma 5": '= score "Oma Lotte" 30, Oma 5',
    "= hand Oma Lotte: 5 cards": '= hand "Oma Lotte" 5',
    "= table m1 Oma Lotte: Th,Tc; Oma Ts": '= table m1 "Oma Lotte" Th Tc, Oma Ts',
    "score Oma Lotte+Ann 85": 'score "Oma Lotte+Ann" 85',
}


@pytest.mark.parametrize("written", SEVERAL_WORDS)
def test_a_player_of_several_words_needs_no_quotes(written: str) -> None:
    roster = Roster(("Oma", "Oma Lotte", "Ann", "Lotte"))
    read = read_line(written, roster=roster)
    assert read[1] == ()
    assert write_line(read[0]) == SEVERAL_WORDS[written]
    assert read_line(SEVERAL_WORDS[written], roster=roster)[0].event == read[0].event
    assert read_line(written)[1], "nobody has that name"


def test_a_view_for_all_is_no_name() -> None:
    lines = list(read_lines('[Players "Full, Public"]\n[View "full"]\n[View "public"]\n'))
    assert [line.event.value for line, _ in lines][1:] == ["full", "public"]


def test_what_was_respelled_is_known() -> None:
    reads = list(
        read_lines(
            '[Players "Al, Bo"]\nal: pass\nAl: PASS  ;\nAl: draws\nAl: x\n# al\n\nAl: pass\n'
        )
    )
    assert [read[0].number for read in reads if respelled(read)] == [2, 4]


def test_the_words_that_are_read_are_in_the_documentation() -> None:
    page = (ROOT / "docs" / "notation.md").read_text(encoding="utf-8")
    assert [
        word for word in (*SPELLINGS["actions"], *SPELLINGS["lines"]) if f"`{word}`" not in page
    ] == []
    assert data_path("grammar", "spellings.json").is_file()
