"""The page of a report: what is recorded is what the replay has, and nothing in a log can get out of its place."""

import base64
import hashlib
import json
import re
from html.parser import HTMLParser
from itertools import pairwise
from string import ascii_letters, digits

import pytest

from meldref.core.cards import ANY_SUIT, JOKER, UNKNOWN, card_text, each
from meldref.core.diagnostics import Finding
from meldref.notation.reader import read_lines
from meldref.replay.log import Overrides, Replay
from meldref.report.tally import Audited
from meldref_authoring.rulebook import as_section
from meldref_evidence.explaining import RecordExplainer
from meldref_table.report.looks import card_symbols
from meldref_table.report.viewer.film import HandFilm, Recorder, _edits
from meldref_table.report.viewer.page import FilmedLog, page_of
from paths import ROOT, TESTS

SEATS = digits + ascii_letters
EXAMPLES = ROOT / "examples"
SHIPPED = sorted(EXAMPLES.glob("*.rgn"))
LOGS = [
    *SHIPPED,
    *[
        log
        for part in ("planted", "slips")
        for log in sorted((TESTS / "games" / part).glob("*.rgn"))
    ],
]

TURNS = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann 5h 6h 7h 2c 9d Ks Qd 3s 4s Jc Jd 8c 8d
deal Bob 8h 9h 2s 3d Ad Kd 6d 4c 4d 4h Th Tc 6s
up 6c
1. Ann: draw 5s; meld 5h 6h 7h; discard Ks
"""


def filmed(text, path="friday.rgn", beside=None):
    """A log that is a text, audited and recorded."""
    run = Replay(path, Overrides(beside=beside), explainer=RecordExplainer())
    recorder = Recorder()
    for read in read_lines(text):
        recorder.feed(run, read)
    report = run.finish()
    recorder.finish(run)
    return FilmedLog(Audited(report), recorder.hands)


def page(*texts):
    return "".join(page_of([filmed(text) for text in texts], rulebook=as_section))


def states(hand):
    """What a page makes of the frames of a hand: of each its line, turn, how many cards it took, and its state."""
    line, state = -1, []
    for frame in hand.frames:
        head, *edits = frame.split(" ")
        where, turn, taken, blank = re.fullmatch(r"(?:(\d+):)?(\d*)(?:/(\d+))?(!?)", head).groups()
        line = int(where) if where else line + 1
        state = [*state]
        for edit in edits:
            numbers, rest = [], edit
            while len(numbers) < 3:
                marks = len(rest) - len(rest.lstrip("~"))
                digits_, rest = rest[marks : 2 * marks + 1], rest[2 * marks + 1 :]
                numbers.append(
                    sum(SEATS.index(one) * 62**at for at, one in enumerate(reversed(digits_)))
                )
            field, kept, gone = numbers
            state += [""] * (field + 1 - len(state))
            state[field] = state[field][:kept] + rest + state[field][kept + gone :]
        yield line, int(turn) if turn else None, int(taken or 0), None if blank else tuple(state)


def test_a_row_of_cards_may_be_as_long_as_a_log_makes_it():
    rows = [("-0", "b" * number) for number in (1, 61, 62, 3_843, 3_844, 5_000, 4_000, 2)]
    frames = [" ".join(["", *_edits(before, after)]) for before, after in pairwise([(), *rows])]
    assert [state for *_, state in states(HandFilm(frames=frames))] == rows


def test_a_stock_that_nobody_has_counted_stays_so_however_many_cards_are_drawn():
    turns = "".join(f"{name}: draw; discard ?\n" for name in ("Ann", "Bob") * 2_600)
    log = filmed(f'[Rules "500-rummy"]\n[Players "Ann, Bob"]\nhand 1 dealer Bob\ngap\n{turns}')
    (*_, last) = [state for *_, state in states(log.hands[0])]
    assert last[2:4] == ("*", "*")
    assert not log.audited.report.findings


def test_nobody_is_named_once_for_each_hand():
    players = ", ".join(name * 300 for name in ("Ann", "Bob"))
    few, more = (
        len(page(f'[Rules "500-rummy"]\n[Players "{players}"]\n' + "hand\n" * hands))
        for hands in (10, 60)
    )
    assert more - few < 50 * 400


def test_lines_are_marked_by_looking_at_each_finding_once(monkeypatch):
    asked = []
    log = filmed('[Rules "500-rummy"]\n[Players "Ann, Bob"]\n' + "hand\nAnn: pass\n" * 40)
    assert len(log.audited.report.findings) >= 40
    whole = Finding.is_in
    monkeypatch.setattr(
        Finding, "is_in", lambda self, path: asked.append(self) or whole(self, path)
    )
    "".join(page_of([log], rulebook=as_section))
    assert len(asked) <= 5 * len(log.audited.report.findings)


def card(sign):
    """A card of a state, as the notation writes it."""
    if sign in "+?":
        return {"+": "Jk", "?": "?"}[sign]
    return card_text(ascii_letters.index(sign))


def row(cards):
    return [card(sign) for sign in cards]


@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
@pytest.mark.sweep(every=6)
def test_each_state_is_the_one_of_the_replay(path):
    text = path.read_text(encoding="utf-8")
    log = filmed(text, str(path), path.parent)
    shown = {}
    for hand in log.hands:
        for line, _, _, state in states(hand):
            shown[hand.first + line] = state
    run = Replay(str(path), Overrides(beside=path.parent), explainer=RecordExplainer())
    compared = 0
    for read in read_lines(text):
        run.feed((read,))
        hand = run.game.hand if run.game is not None else None
        if read[0].event is None or hand is None or hand.position is None:
            continue
        position, state = hand.position, shown[read[0].number]
        players = len(position.players)
        assert [int(one or 0) for one in state[1].split(",")] == [
            position.points[seat] for seat in range(players)
        ]
        if position.pile_known:
            assert row(state[3]) == [card_text(one) for one in position.pile]
        for seat in range(players):
            if state[4 + seat] != "*":
                known = [one for one in row(state[4 + seat]) if one != "?"]
                assert known == [card_text(one) for one in each(position.hands[seat])]
                assert len(state[4 + seat]) == position.held[seat]
        melds = [one for one in state[4 + players :] if one]
        assert [sorted(row(one[1::3])) for one in melds] == [
            sorted(card_text(laid.card) for laid in meld.cards) for meld in position.melds
        ]
        assert [sorted(one[3::3]) for one in melds] == [
            sorted(SEATS[laid.seat] for laid in meld.cards) for meld in position.melds
        ]
        compared += 1
    assert compared or not run.report.turns


def test_a_card_taken_from_inside_the_pile_is_recorded_with_its_depth():
    text = (EXAMPLES / "disputed.rgn").read_text(encoding="utf-8")
    taken = {turn: taken for _, turn, taken, _ in states(filmed(text).hands[0]) if turn}
    assert taken == {1: 0, 2: 0, 3: 3, 4: 1, 5: 0}


def test_lines_of_the_deal_show_what_is_dealt_so_far():
    log = filmed(TURNS)
    hands = {line: state and (state[4], state[5]) for line, _, _, state in states(log.hands[0])}
    assert hands[2] is None
    assert len(hands[3][0].replace("?", "")) == 13
    assert hands[3][1] == "?" * 13
    assert "?" not in hands[4][1]


def test_a_line_taken_back_is_shown_as_before_it():
    log = filmed(TURNS + "undo\n1. Ann: draw 5s; discard Ks\n")
    by_line = {line: state for line, _, _, state in states(log.hands[0])}
    assert [one for one in by_line[7] if one] == [one for one in by_line[5] if one]


def test_an_annulled_hand_has_no_table():
    log = filmed(TURNS + "void misdeal\n")
    assert [state for *_, state in states(log.hands[0])][-1] is None


def test_each_line_stands_in_one_hand():
    for path in SHIPPED:
        text = path.read_text(encoding="utf-8")
        hands = filmed(text, str(path), path.parent).hands
        assert [line for hand in hands for line in hand.lines] == text.splitlines()
        assert [hand.first for hand in hands[1:]] == [
            hand.first + len(hand.lines) for hand in hands[:-1]
        ]


def test_lines_before_the_first_hand_of_a_game_go_with_that_hand():
    hands = filmed(TURNS + TURNS.replace("hand 1", "cut Ann 5h, Bob 2c\nhand 1")).hands
    assert [(hand.first, hand.lines[0], len(hand.lines)) for hand in hands] == [
        (1, TURNS.splitlines()[0], 7),
        (8, TURNS.splitlines()[0], 8),
    ]
    assert [hand.game for hand in hands] == [1, 2]


def test_a_hand_that_is_annulled_with_its_first_line_is_there_and_empty():
    headers, _, hand = TURNS.partition("hand 1")
    hands = filmed(f"{headers}void misdeal\nhand{hand}").hands
    assert [len(hand.lines) for hand in hands] == [3, 5]


def test_what_is_found_stands_in_the_page_as_loaded():
    text = (EXAMPLES / "disputed.rgn").read_text(encoding="utf-8")
    log = filmed(text)
    made = "".join(page_of([log], rulebook=as_section))
    readable = made.partition('<script type="application/json"')[0]
    for finding in log.audited.report.findings:
        assert finding.code in readable
        assert all(move in readable for move in finding.help)
        assert finding.rule is None or f"{finding.rule.key} = {finding.rule.value}" in readable


def test_a_hand_with_a_mistake_in_writing_is_shown_as_repaired():
    again = "2. Bob: draw 2d; discard 2d\n" * 2
    made = page(f"{TURNS}{again}3. Ann: draw Qs; discard Qs\n")
    written, repaired = re.findall(r"As (?:written|repaired)</b><pre>(.*?)</pre>", made, re.DOTALL)
    assert "<mark>2. Bob: draw 2d; discard 2d</mark>" in written
    assert (written.count("2. Bob"), repaired.count("2. Bob")) == (2, 1)


def test_the_cards_are_drawn_once_and_by_nothing_from_elsewhere():
    made = page(TURNS)
    assert made.count(card_symbols()) == 1
    used = set(re.findall(r'(?:href="|url\()#([\w-]+)', card_symbols()))
    assert used <= set(re.findall(r'id="([\w-]+)"', card_symbols()))
    assert "http" not in card_symbols()


HOSTILE = """\
[Rules "500-rummy"]
[Players "<script>alert(1)</script>, </script><b>, \u05d0\u05d1\u05d2 \u202edcba"]
hand 1 # <!-- ]]> </pre></section><img src=x onerror=alert(1)>
1. "</script><b>": draw; meld 5h <b>; discard 2c
note "&lt;b&gt; <svg/onload=alert(1)>"
"""


class Elements(HTMLParser):
    """Which elements a page has, and what stands in its scripts."""

    def __init__(self):
        super().__init__(convert_charrefs=True)
        self.names, self.attributes, self.scripts = [], [], []

    def handle_starttag(self, tag, attrs):
        self.names.append(tag)
        self.attributes += attrs
        if tag in {"script", "style"}:
            self.scripts.append([tag, dict(attrs), ""])

    def handle_data(self, data):
        if self.cdata_elem:
            self.scripts[-1][2] += data


def elements(made):
    found = Elements()
    found.feed(made)
    found.close()
    return found


def test_nothing_in_a_log_is_ever_an_element():
    quiet, hostile = elements(page(TURNS)), elements(page(HOSTILE))
    assert hostile.names.count("script") == quiet.names.count("script") == 2
    assert "img" not in hostile.names
    assert hostile.names.count("svg") == quiet.names.count("svg")
    assert not [key for key, _ in hostile.attributes if key.startswith("on")]
    for bad in ("<script>alert", "</script><b>", "<img", "<svg/", "<!-- ", "\u202e"):
        assert bad not in page(HOSTILE)


def test_what_scripts_read_holds_no_sign_of_html():
    made = page(HOSTILE)
    data = re.search(r'<script type="application/json" id="data">(.*?)</script>', made, re.DOTALL)[
        1
    ]
    assert not set("<>&") & set(data)
    players = json.loads(data)["logs"][0]["tables"][0][0]
    assert players[0] == "<script>alert(1)</script>"


def test_the_page_allows_its_own_style_and_script_alone_and_asks_nobody_for_anything():
    made = page(TURNS)
    found = elements(made)
    policy = next(
        value
        for key, value in found.attributes
        if key == "content" and value.startswith("default-src")
    )
    assert policy.startswith("default-src 'none';")
    assert "unsafe" not in policy
    for name, attributes, inside in found.scripts:
        if "type" not in attributes:
            digest = base64.b64encode(hashlib.sha256(inside.encode()).digest()).decode()
            assert f"{name}-src 'sha256-{digest}'" in policy
    links = [
        value
        for key, value in found.attributes
        if key in {"src", "href", "action", "srcset", "style"}
    ]
    assert links
    assert all(value.startswith("#") for value in links)
    style = next(inside for name, _, inside in found.scripts if name == "style")
    assert "url(" not in style
    assert "@import" not in style


def test_what_a_page_says_of_a_hand_does_not_grow_with_the_game():
    headers, _, hand = TURNS.partition("hand 1")
    sizes = [len(page(headers + f"hand{hand}" * count)) for count in (1, 11, 101)]
    assert (sizes[2] - sizes[1]) / 90 < 1.2 * (sizes[1] - sizes[0]) / 10


def test_names_of_cards_cover_the_deck():
    assert [card(sign) for sign in ascii_letters] == [card_text(one) for one in range(52)]
    assert (card("+"), card("?")) == (card_text(JOKER), card_text(UNKNOWN))
    assert ANY_SUIT > JOKER
