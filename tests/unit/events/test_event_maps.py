"""Event files of programs become logs by maps; what a map cannot use is told at its line."""

from __future__ import annotations

import io
import json
import signal
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

import pytest

from imported import json_lines, summary
from meldref.core.diagnostics import errors_in
from meldref.notation.reader import read_lines
from meldref.replay.log import replay
from meldref_intake.events import NoMap, doubts, explained, intake_of, maps, open_events
from meldref_intake.events.patterns import Pattern, TooSlow
from meldref_intake.events.recognize import BEGINNING, OWN, Fit, recognize
from paths import ROOT

SAMPLES = Path(__file__).parents[2] / "events"
FILES = sorted(path for path in SAMPLES.iterdir() if path.suffix != ".rgn")
MAP_OF = {path.name: path.stem for path in FILES}


def imported(data: bytes | str, named: str | None = None, **more: Any) -> Any:
    raw = data.encode() if isinstance(data, str) else data
    return open_events(lambda: io.BytesIO(raw), named, **more)


def lines(data: bytes | str, named: str | None = None) -> list[str]:
    return [row.text for row in imported(data, named).rows()]


def by_map(said: str, data: Any, tmp_path: Path) -> list[str]:
    """The lines of events, JSON of them if they are data, by the text of a map."""
    file = tmp_path / "map.yaml"
    file.write_text(said, encoding="utf-8")
    text = data if isinstance(data, str) else json.dumps(data)
    return [line for line in lines(text, str(file)) if not line.startswith("[")]


# --- shipped maps ---------------------------------------------------------------------------------


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.name)
def test_each_shipped_map_makes_the_log_of_its_sample_which_it_recognizes(path: Path) -> None:
    data = path.read_bytes()
    assert recognize(data[:BEGINNING]) == Fit(MAP_OF[path.name])
    expected = path.with_suffix(".rgn").read_text(encoding="utf-8").splitlines()
    events = imported(data)
    assert [row.text for row in events.rows()] == expected
    assert not list(doubts(events))


def test_each_shipped_map_has_a_sample_and_is_named_as_its_file() -> None:
    assert {path.stem for path in maps.shipped()} == set(MAP_OF.values())
    for path in maps.shipped():
        loaded, findings = maps.load(path)
        assert loaded is not None, findings
        assert loaded.id == path.stem
        assert loaded.title


def test_a_hand_in_tables_tells_names_seats_dealer_jokers_and_totals() -> None:
    game = summary(lines((SAMPLES / "simonellefsen-rummy-500-tables.json").read_bytes()))
    assert game["players"] == ["Lotte", "Oma die Gute"]
    first = game["hands"][0]
    assert (first["dealer"], first["first"], first["swaps"]) == ("Lotte", "Oma die Gute", 1)
    assert first["melds"][2] == ["9s", "Jk=9h", "9d"]
    assert first["end"] == {"how": "out", "who": "Lotte"}
    assert game["hands"][1]["total"] == {"Lotte": 44, "Oma die Gute": -31}


def test_our_own_events_are_the_log_that_they_were_made_of() -> None:
    log = json_lines(
        {"event": "header", "key": "Players", "value": "Ann, Bob"},
        {"event": "deal", "player": "Ann", "cards": ["5H", "10S", "JOKER"]},
        {
            "event": "turn",
            "player": "Ann",
            "actions": [{"action": "take", "card": "?", "count": 3}],
        },
    )
    assert recognize(log.encode()) == Fit(OWN)
    assert lines(log) == ['[Players "Ann, Bob"]', "deal Ann 5h Ts Jk", "Ann: take ? x3"]


def test_a_stream_cut_at_both_ends_is_read_between_them() -> None:
    data = (SAMPLES / "timpalpant-rummy.jsonl").read_bytes()
    events = imported(data[30:-20])
    rows = [row.text for row in events.rows()]
    assert rows[12:15] == ["hand 1", "gap", '"1": draw ?; discard Kd']
    assert rows[-1] == '"0": draw ?; lay 8c; meld Qc Qd Qs; discard Td'
    assert [part.place.line for part in events.unread] == [1, 25]


def test_a_document_cut_at_its_end_is_read_up_to_there() -> None:
    data = (SAMPLES / "simonellefsen-rummy-500.json").read_bytes()
    events = imported(data[:-200])
    assert "end out" in "\n".join(row.text for row in events.rows())
    assert "cut off" in events.unread[0].why


# --- what a map can say ---------------------------------------------------------------------------

BASE = """\
map: test
records: {at: .}
players: {list: {value: [Ann, Bob]}}
player: who
lines:
  - {when: {do: draw}, line: draw, card: card}
  - {when: {do: take}, line: take, card: card, count: n, index: at}
  - {when: {do: meld}, line: meld, cards: cards, id: id}
  - {when: {do: lay}, line: lay, cards: cards, meld: id}
  - {when: {do: throw}, line: discard, card: card}
"""
TWO_TURNS = (
    {"who": "Ann", "do": "draw"},
    {"who": "Ann", "do": "throw", "card": "Ks"},
    {"who": "Bob", "do": "draw"},
    {"who": "Bob", "do": "throw", "card": "2c"},
)


def test_pile_cards_are_found_by_their_place_from_the_bottom(tmp_path: Path) -> None:
    text = json_lines(
        *TWO_TURNS,
        {"who": "Ann", "do": "take", "at": 1},
        {"who": "Ann", "do": "throw", "card": "3c"},
        {"who": "Bob", "do": "take", "at": 0},
    )
    assert by_map(BASE, text, tmp_path)[3:] == ["Ann: take Ks x2; discard 3c", "Bob: take ? x2"]


def test_melds_are_found_by_their_ids(tmp_path: Path) -> None:
    text = json_lines(
        {"who": "Ann", "do": "draw"},
        {"who": "Ann", "do": "meld", "cards": ["5h", "6h", "7h"], "id": "x9"},
        {"who": "Ann", "do": "meld", "cards": "4c 4d 4s", "id": "x4"},
        {"who": "Ann", "do": "lay", "cards": "8h", "id": "x9"},
        {"who": "Ann", "do": "lay", "cards": "9h"},
    )
    assert by_map(BASE, text, tmp_path)[1] == (
        "Ann: draw ?; meld 5h 6h 7h; meld 4c 4d 4s; lay 8h m1; lay 9h"
    )


def test_what_is_not_told_or_not_mapped_is_reported_with_its_record(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(BASE, encoding="utf-8")
    text = json_lines(
        {"who": "Ann", "do": "draw"},
        {"who": "Ann", "do": "throw", "card": "17z"},
        {"who": "Ann", "do": "sing"},
        {"who": "Ann", "do": "take"},
    )
    events = imported(text, str(file))
    assert list(events.rows())
    said = [(place.line, what) for place, what in doubts(events)]
    assert said == [
        (2, "not in the log: discard: 17z is no card"),
        (3, "not in the log: no entry of the map is for it"),
        (4, "not in the log: take: it tells neither which card was taken nor how many"),
    ]


@pytest.mark.parametrize(
    ("cards", "written", "card"),
    [
        ("{}", "[10♥]", "Th"),
        ("{}", "five_hearts", "5h"),
        ("{}", "Queen of Spades", "Qs"),
        ("{}", "🃏", "Jk"),
        ("{}", "🂮", "Ks"),
        ("{}", {"rank": "TEN", "suit": "CLUBS"}, "Tc"),
        ("{}", {"rank": 1, "suit": "d"}, "Ad"),
        (r"{pattern: '^\d-(?P<suit>\w+)-(?P<rank>\w+)$'}", "1-hearts-7", "7h"),
        ("{rank: v, suit: s, ranks: {from_zero: 1}, suits: [c, d, h, s]}", {"v": 9, "s": 2}, "9h"),
        ("{rank: v, suit: s, ranks: [2, 3, 4], suits: [c, d, h, s]}", {"v": 0, "s": 3}, "2s"),
        ("{numbered: {suits: cdhs}}", 14, "2d"),
        ("{numbered: {order: by_rank, from: 1, more_are_jokers: true}}", 53, "Jk"),
        ("{table: {a: Ah}}", "a", "Ah"),
        ("{from: face.name}", {"face": {"name": "7S"}}, "7s"),
        ("{jokers: wild}", "WILD", "Jk"),
    ],
)
def test_cards_are_read_by_usual_spellings_patterns_tables_and_numbers(
    cards: str, written: Any, card: str, tmp_path: Path
) -> None:
    text = json_lines({"who": "Ann", "do": "draw", "card": written})
    assert by_map(f"{BASE}cards: {cards}\n", text, tmp_path)[-1] == f"Ann: draw {card}"


def test_csv_may_hold_json_in_a_field_and_be_in_another_order(tmp_path: Path) -> None:
    said = """\
map: test
records: {at: ., sort: n}
fields: {data: {path: payload, json: true}}
players: {order: seen}
player: {path: who, table: {"0": Ann, "1": Bob}}
lines:
  - {when: {kind: D}, line: draw}
  - {when: {kind: X}, line: discard, card: data.c}
  - {when: {kind: S}, line: score, player: {path: who, table: {"0": Ann, "1": Bob}}, points: data.p}
"""
    text = (
        'n;who;kind;payload\n3;0;S;"{""p"": ""15""}"\n2;0;X;"{""c"": ""KS""}"\n1;0;D;\n'
        '4;1;S;"{""p"": -5}"\n'
    )
    assert by_map(said, text, tmp_path) == [
        "hand 1",
        "Ann: draw ?; discard Ks",
        "score Ann 15, Bob -5",
    ]


def test_a_text_is_taken_apart_and_one_record_gives_several_lines_some_of_them_last(
    tmp_path: Path,
) -> None:
    said = r"""
map: test
records: {at: "rounds[*].log[*]"}
fields: {m: {path: ., pattern: '^(?P<who>\w+) (?P<verb>\w+) ?(?P<rest>.*)$'}}
player: m.who
lines:
  - {when: {m.verb: wins}, line: end, player: m.who, late: true, more: true}
  - {when: {m.verb: wins}, line: score, points: {path: m.rest, json: true}, late: true}
  - {when: {m.verb: draws}, line: draw}
  - {when: {m.verb: lays}, each: {path: m.rest, split: "/"}, line: meld, cards: .}
  - {when: {m.verb: throws}, line: discard, card: m.rest}
"""
    log = ["Ann draws", "Ann lays 5h 6h 7h/4c 4d 4s", 'Ann wins {"Ann": 9}', "Ann throws 2c"]
    data = {"rounds": [{"log": log}]}
    assert by_map(said, data, tmp_path) == [
        "hand 1",
        "Ann: draw ?; meld 5h 6h 7h; meld 4c 4d 4s; discard 2c",
        "end out Ann",
        "score Ann 9",
    ]


def test_a_silent_refill_of_the_stock_is_written(tmp_path: Path) -> None:
    said = BASE + "hands: {dealt: 1, deck: 5, refill: but_one_turned_up}\n"
    records = []
    for turn in range(4):
        records += [
            {"who": "AB"[turn % 2], "do": "draw"},
            {"who": "AB"[turn % 2], "do": "throw", "card": f"{turn + 2}c"},
        ]
    said = said.replace("[Ann, Bob]", "[A, B]")
    assert by_map(said, json_lines(*records), tmp_path) == [
        "hand 1",
        "A: draw ?; discard 2c",
        "B: draw ?; discard 3c",
        "reshuffle",
        "A: draw ?; discard 4c",
        "B: draw ?; discard 5c",
    ]


def test_another_hand_begins_where_a_field_changes_and_after_a_score(tmp_path: Path) -> None:
    said = BASE + "hands: {by: round, number: round, dealer: dealer}\n"
    text = json_lines(
        {"who": "Ann", "do": "draw", "round": 4, "dealer": "Bob"},
        {"who": "Ann", "do": "throw", "card": "2c", "round": 4, "dealer": "Bob"},
        {"who": "Bob", "do": "draw", "round": 5, "dealer": "Ann"},
    )
    assert by_map(said, text, tmp_path) == [
        "hand 4 dealer Bob",
        "Ann: draw ?; discard 2c",
        "hand 5 dealer Ann",
        "Bob: draw ?",
    ]


@pytest.mark.parametrize(("stock", "end"), [(5, "end stock"), (6, None)])
def test_how_a_hand_ended_is_concluded_where_no_record_says_it(
    stock: int, end: str | None, tmp_path: Path
) -> None:
    said = BASE + f"  - {{when: {{do: over}}, line: end}}\nhands: {{dealt: 1, deck: {stock}}}\n"
    records = [
        {"who": who, "do": do, "card": "2c" if do == "throw" else None}
        for who in ("Ann", "Bob")
        for do in ("draw", "throw")
    ]
    found = by_map(said, json_lines(*records, {"do": "over"}), tmp_path)
    assert found[3:] == ([end] if end else [])


STATES = """\
map: test
records: {form: json, at: "states[*]"}
mode: snapshots
players: {list: $.seats}
snapshot:
  hands: {each: {path: hands, entries: true}, player: key, cards: value}
  pile: pile
  stock: stock
  melds: {each: melds, cards: .}
"""


def test_moves_are_what_differs_between_two_states(tmp_path: Path) -> None:
    def state(ann: str, bob: str, pile: str, stock: int, *melds: str) -> dict[str, Any]:
        return {
            "hands": {"Ann": ann.split(), "Bob": bob.split()},
            "pile": pile.split(),
            "stock": stock,
            "melds": list(melds),
        }

    data = {
        "seats": ["Ann", "Bob"],
        "states": [
            state("5h 6h 7h 2c", "8h 9c 9d 9s", "Ks", 9),
            state("2c", "8h 9c 9d 9s", "Ks Qd", 8, "5h 6h 7h"),
            state("2c", "Ks Qd", "", 8, "5h 6h 7h 8h", "9c 9d 9s"),
            state("2c", "Ks Qd", "", 8, "5h 6h 7h 8h", "9c 9d 9s"),
        ],
    }
    assert by_map(STATES, data, tmp_path) == [
        "hand 1",
        "deal Ann 5h 6h 7h 2c",
        "deal Bob 8h 9c 9d 9s",
        "up Ks",
        "Ann: draw Qd; meld 5h 6h 7h; discard Qd",
        "Bob: take Ks x2; meld 9c 9d 9s; lay 8h m1",
    ]


def test_hands_may_be_dealt_a_card_at_a_time_and_players_called_by_their_seat(
    tmp_path: Path,
) -> None:
    said = """\
map: test
records: {form: json, at: "log[*]"}
players: {list: $.seats, id: nick, index_from: 0}
player: p
lines:
  - {when: {e: deal}, line: deal, card: c}
  - {when: {e: draw}, line: draw}
  - {when: {e: lay}, line: lay, cards: c, meld: m, owner: of}
  - {when: {e: meld}, line: meld, cards: c}
  - {when: {e: points}, line: score, each: {path: c, entries: true}, player: key, points: value}
"""
    log = [
        {"e": "deal", "p": 0, "c": "5h"},
        {"e": "deal", "p": 1, "c": "6h"},
        {"e": "deal", "p": 0, "c": "?"},
        {"e": "deal", "p": 0, "c": "7h"},
        {"e": "draw", "p": 0},
        {"e": "meld", "p": 0, "c": ["2c", "2d", "2h"]},
        {"e": "draw", "p": 1},
        {"e": "meld", "p": 1, "c": ["3c", "3d", "3h"]},
        {"e": "lay", "p": 1, "c": ["3s"], "m": 0, "of": 1},
        {"e": "points", "c": [10, -5]},
    ]
    data = {"log": log, "seats": [{"nick": "Ann"}, {"nick": "Bob"}]}
    assert by_map(said, data, tmp_path) == [
        "hand 1",
        "deal Ann 5h 7h ?",
        "deal Bob 6h",
        "Ann: draw ?; meld 2c 2d 2h",
        "Bob: draw ?; meld 3c 3d 3h; lay 3s m2",
        "score Ann 10, Bob -5",
    ]


# --- places ---------------------------------------------------------------------------------------


def test_each_action_remembers_its_record() -> None:
    folder = ROOT / "examples" / "events"
    data = (folder / "kitchen.jsonl").read_bytes()
    rows = list(imported(data, str(folder / "kitchen.yaml")).rows())
    turn = rows[4]
    assert turn.text == "Ann: draw ?; meld 5h 6h 7h; discard Ks"
    assert [(column, place.line) for column, place in turn.places] == [(1, 3), (14, 4), (29, 5)]


def test_a_place_in_a_log_leads_to_the_record_of_what_stands_there() -> None:
    data = (SAMPLES / "rulepath-meldfall-ledger.json").read_bytes()
    intake = intake_of(imported(data))
    number = [line.text for line in intake.lines].index('"1": draw ?; discard Kc') + 1
    assert intake.place(number, column=14).path == "steps[0].effect_summaries[1]"


def test_it_is_said_of_each_record_what_it_became() -> None:
    data = (SAMPLES / "timpalpant-rummy.jsonl").read_bytes()
    events = imported(data, explains=True)
    list(events.rows())
    said = list(explained(events))
    assert said[0] == "line 1, result: ignored   [entry 1]"
    assert said[2] == 'line 3, result: "1": draw ?; discard Kd   [entry 6]'


# --- wrong maps -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("map: x\nrecords: {at: ., att: 3}\nlines: [{line: draw}]\n",
         [(2, "there is no key att in records; did you mean at?")]),
        ("map: x\nrecords: {at: .}\n", [(1, "the map has no `lines`")]),
        ("map: x\nrecords: {at: .}\nlines:\n  - line: drow\n", [(4, "did you mean draw?")]),
        ("map: x\nrecords: {at: 'a['}\nlines: [{line: draw}]\n", [(2, "a[ is no path")]),
        ("map: x\nrecords: {at: .}\nlines:\n  - line: draw\n    card: {pattern: '('}\n",
         [(5, "( is no regular expression")]),
        ("map: x\nrecords: {at: .}\nlines:\n  - line: draw\n    when: {'a[': 1}\n",
         [(5, "a[ is no path")]),
        ("map: x\nrecords: {at: .}\nlines:\n  - line: draw\n    card: [a]\n",
         [(5, "card of entry 1 must be a text or keys and values, not a list")]),
        ("map: x\nlines: [{line: draw}]\n", [(1, "the map has no records")]),
        ("map: x\nrecords: {at: .}\nlines:\n  - {line: up, card: {lookup: {table: t}}}\n",
         [(4, "there is no table t")]),
        ("map: x\nmap: y\n", [(2, "map")]),
        ("", [(1, "empty")]),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_map_is_told_at_its_line(
    said: str, found: Sequence[tuple[int, str]]
) -> None:
    loaded, findings = maps.read(said, "map.yaml")
    assert loaded is None
    assert [finding.span.line for finding in findings] == [line for line, _ in found]
    for finding, (_, words) in zip(findings, found, strict=True):
        assert words in finding.message


def test_a_map_that_does_not_exist_and_events_without_one_are_refused() -> None:
    with pytest.raises(NoMap, match="no such file, and no shipped map"):
        imported("{}", "nobody-s-map")
    with pytest.raises(NoMap, match="no shipped map is for these events"):
        imported('{"a": 1}\n{"b": 2}\n')


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="a search is stopped by a signal")
def test_a_pattern_that_takes_too_long_is_stopped_and_named_with_its_records(
    tmp_path: Path,
) -> None:
    slow = """
    map: slow
    records: {at: .}
    player: who
    lines:
      - {when: {t: {matches: '^(a+)+$'}}, line: draw}
      - {when: {t: b}, line: discard, card: card}
    """
    written = tmp_path / "slow.yaml"
    written.write_text(slow, encoding="utf-8")
    hostile = "a" * 60 + "!"
    data = json_lines(
        {"t": hostile, "who": 1}, {"t": hostile, "who": 1}, {"t": "b", "who": 1, "card": "KS"}
    )
    found = imported(data, str(written))
    texts = [row.text for row in found.rows()]
    assert any("discard Ks" in text for text in texts)
    assert [(place.line, why) for place, why in doubts(found)] == [
        (1, "not in the log: the pattern ^(a+)+$ takes too long (and 1 more record)")
    ]


def test_a_list_of_records_may_be_json_in_a_field_of_csv(tmp_path: Path) -> None:
    said = """
    map: nested
    records: {at: "log[*]"}
    player: who
    hands: {number: ^.round}
    lines:
      - {when: {t: draw}, line: draw}
      - {when: {t: drop}, line: discard, card: card}
    """
    log = [{"t": "draw", "who": "Ann"}, {"t": "drop", "who": "Ann", "card": "KS"}]
    field = json.dumps(log).replace('"', '""')
    made = by_map(said, f'round,log\n4,"{field}"\n', tmp_path)
    assert made[-2:] == ["hand 4", "Ann: draw ?; discard Ks"]


def test_lines_may_stand_in_a_list_and_the_items_of_a_list_on_lines() -> None:
    stream = (SAMPLES / "timpalpant-rummy.jsonl").read_text(encoding="utf-8")
    listed = json.dumps([json.loads(line) for line in stream.splitlines()], indent=1)
    assert lines(listed) == lines(stream)
    rows = (SAMPLES / "simonellefsen-rummy-500.json").read_text(encoding="utf-8")
    assert lines(json_lines(*json.loads(rows))) == lines(rows)


@pytest.mark.parametrize(
    "name", ["rulepath-meldfall-ledger", "simonellefsen-rummy-500-actions-tables"]
)
def test_files_of_a_program_that_keeps_one_game_in_each_may_stand_in_a_list_or_on_lines(
    name: str,
) -> None:
    one = (SAMPLES / f"{name}.json").read_text(encoding="utf-8")
    games = [*lines(one), "", *lines(one)]
    two = [json.loads(one)] * 2
    for text in (json.dumps(two), json.dumps(two, indent=1), json_lines(*two)):
        events = imported(text)
        assert [row.text for row in events.rows()] == games
        assert not list(doubts(events))


def test_a_state_with_more_cards_than_any_table_has_is_named(tmp_path: Path) -> None:
    said = tmp_path / "states.yaml"
    said.write_text(
        "map: states\nmode: snapshots\nrecords: {at: .}\n"
        "snapshot: {turn: turn, pile: pile, stock: stock, melds: {each: melds, cards: .}}\n",
        encoding="utf-8",
    )
    states = [{"turn": "Ann", "pile": ["KS"], "stock": stock, "melds": []} for stock in (10**14, 9)]
    found = imported(json_lines(*states), str(said))
    list(found.rows())
    assert [why for _, why in doubts(found)] == [
        f"not in the log: {10**14} is no number of cards (0-999)"
    ]


SAMPLE: Final = {path.name: path for path in FILES}


def _lines_of(name: str) -> list[Any]:
    return [json.loads(line) for line in SAMPLE[name].read_text(encoding="utf-8").splitlines()]


def _document(name: str) -> Any:
    return json.loads(SAMPLE[name].read_text(encoding="utf-8"))


ROWS: Final = "simonellefsen-rummy-500.json"
TABLES: Final = "simonellefsen-rummy-500-tables.json"
STREAM: Final = "timpalpant-rummy.jsonl"
REPLAY: Final = "rulepath-meldfall-ledger.json"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        (ROWS, lambda: {"data": _document(ROWS), "error": None}),
        (ROWS, lambda: _document(ROWS)[0]),
        (ROWS, lambda: {"data": _document(ROWS)[0]}),
        (TABLES, lambda: {"data": _document(TABLES), "count": 3}),
        (STREAM, lambda: [line["result"] for line in _lines_of(STREAM)]),
        (STREAM, lambda: {"events": _lines_of(STREAM)}),
        (REPLAY, lambda: {"replay": _document(REPLAY)}),
    ],
)
def test_a_file_is_recognized_with_its_records_in_another_place(
    name: str, data: Callable[[], Any]
) -> None:
    made = lines(json.dumps(data()))
    whole = lines(SAMPLE[name].read_bytes())
    assert made == whole[: len(made)]
    assert len(made) > 5


def test_records_without_the_key_that_a_stream_has_them_under_are_recognized() -> None:
    bare = json_lines(*[line["result"] for line in _lines_of(STREAM)])
    assert lines(bare) == lines(SAMPLE[STREAM].read_bytes())


def test_our_own_events_may_stand_in_a_list() -> None:
    events = [{"event": "header", "key": "Players", "value": "Ann, Bob"}, {"event": "hand"}]
    assert lines(json.dumps(events, indent=1)) == lines(json_lines(*events))


@pytest.mark.parametrize("name", [ROWS, REPLAY])
def test_a_document_cut_at_its_end_keeps_what_is_whole(name: str) -> None:
    data = SAMPLE[name].read_text(encoding="utf-8").rstrip()
    cut = imported(data[: len(data) * 3 // 4])
    texts = [row.text for row in cut.rows()]
    whole = lines(data)
    assert len([text for text in texts if text in whole]) > len(whole) // 3
    assert [part.why for part in cut.unread] == ["the file is cut off, or no JSON"]


@pytest.mark.parametrize("at", [0.3, 0.45, 0.6])
def test_a_document_cut_at_its_beginning_begins_within_a_hand(at: float) -> None:
    data = SAMPLE[REPLAY].read_text(encoding="utf-8")
    texts = lines(data[int(len(data) * at) :])
    assert "gap" in texts[: texts.index("hand 2") if "hand 2" in texts else None]
    whole = lines(data)
    assert [text for text in texts if text in whole and "discard" in text]
    report = replay(read_lines("\n".join(texts)), "cut.json")
    assert not errors_in(report.findings)


def _elsewhere(call: Callable[[], Any]) -> Any:
    """What a call gives in another thread, where no signal stops it."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(call).result(timeout=30)


@pytest.mark.parametrize("text", ["(a+)+$", "(a|aa)+$", "(.*)(.*)(.*)(.*)=", "(?:x?){99}(?:a*)*b"])
def test_a_pattern_that_might_take_too_long_is_not_begun_where_nothing_can_stop_it(
    text: str,
) -> None:
    pattern = Pattern(text)
    with pytest.raises(TooSlow, match="may take too long on 400 characters"):
        _elsewhere(lambda: pattern.search("a" * 400))


def test_plain_patterns_and_shipped_maps_run_in_every_thread() -> None:
    assert _elsewhere(lambda: Pattern(r"=(\w+)").search("x" * 5_000 + "=yes"))[1] == "yes"
    for path in FILES:
        assert _elsewhere(lambda path=path: lines(path.read_bytes())) == lines(path.read_bytes())


def test_lines_at_the_end_of_each_hand_come_from_what_stands_around_its_records(
    tmp_path: Path,
) -> None:
    said = """
    map: rooms
    records: {at: "deals[*].log[*]"}
    players: {list: $.members, id: seat, name: login}
    hands:
      by: ^.no
      number: ^.no
      at_end:
        - {when: {^.out: {exists: true}}, line: end, player: ^.out}
        - {line: score, points: ^.result}
        - {when: {^^.room: {exists: true}}, line: note, text: ^^.room}
    player: s
    lines:
      - {when: {k: D}, line: draw}
      - {when: {k: X}, line: discard, card: c}
    at_end:
      - {line: result, player: $.winner}
    """
    log = [{"k": "D", "s": 1}, {"k": "X", "s": 1, "c": "KS"}]
    deals = [
        {"no": 1, "log": log, "result": {"1": 13, "2": 40}, "out": 2},
        {"no": 2, "log": log, "result": {"1": 5, "2": -10}},
    ]
    members = [{"seat": 1, "login": "Ann"}, {"seat": 2, "login": "Bob"}]
    data = {"members": members, "room": "north", "deals": deals, "winner": 2}
    assert by_map(said, data, tmp_path) == [
        "hand 1",
        "Ann: draw ?; discard Ks",
        "end out Bob",
        "score Ann 13, Bob 40",
        'note "north"',
        "hand 2",
        "Ann: draw ?; discard Ks",
        "score Ann 5, Bob -10",
        'note "north"',
        "result Bob",
    ]


def test_all_that_is_wrong_with_a_map_is_told_at_once_in_the_order_of_its_lines() -> None:
    said = """\
map: wrong
recrods: {at: "[x"}
player: "a..b["
lines:
  - {when: {t: {matches: "(a"}}, lien: draw}
  - {line: drwa}
  - {line: take, card: {path: x, lookup: {table: nowhere}}}
"""
    loaded, findings = maps.read(said, "wrong.yaml")
    assert loaded is None
    assert [finding.span.line for finding in findings] == [1, 2, 3, 5, 5, 5, 6, 7]


# --- what cannot be read --------------------------------------------------------------------------

LOOSE = BASE + "  - {when: {do: score}, line: score, points: points}\n"


def loosely(
    records: Sequence[Any], tmp_path: Path, said: str = LOOSE
) -> tuple[list[str], list[str]]:
    """The lines of records, and what is said of those that could not be read."""
    file = tmp_path / "map.yaml"
    file.write_text(said, encoding="utf-8")
    events = imported(json_lines(*records), str(file))
    texts = [row.text for row in events.rows() if not row.text.startswith("[")]
    return texts, [text for _, text in doubts(events)]


def test_what_follows_an_action_that_cannot_be_read_convicts_nobody_in_its_turn(
    tmp_path: Path,
) -> None:
    texts, told = loosely(
        [
            {"who": "Ann", "do": "draw", "card": "2c"},
            {"who": "Ann", "do": "meld", "cards": ["7c", "17S", "7d"]},
            {"who": "Ann", "do": "throw", "card": "9s"},
            {"who": "Bob", "do": "draw", "card": "3h"},
            {"who": "Bob", "do": "throw", "card": "3h"},
        ],
        tmp_path,
    )
    assert texts == ["hand 1", "Ann: draw 2c", "gap", "Bob: draw 3h; discard 3h"]
    assert ["17S is no card" in told[0], "not known" in told[1]] == [True, True]


def test_a_card_drawn_or_thrown_that_cannot_be_read_is_unknown_and_told(tmp_path: Path) -> None:
    texts, told = loosely(
        [
            {"who": "Ann", "do": "draw", "card": "0x"},
            {"who": "Ann", "do": "throw", "card": "14h"},
            {"who": "Bob", "do": "draw", "card": "3h"},
            {"who": "Bob", "do": "throw", "card": "3h"},
        ],
        tmp_path,
    )
    assert texts[1] == "Ann: draw ?; discard ?"
    assert [("0x" in text, "14h" in text) for text in told] == [(True, False), (False, True)]


@pytest.mark.parametrize("points", ["l24", 124.5, 10**20])
def test_a_score_that_is_no_number_is_told_with_its_record(points: Any, tmp_path: Path) -> None:
    texts, told = loosely(
        [
            {"who": "Ann", "do": "draw", "card": "2c"},
            {"who": "Ann", "do": "throw", "card": "2c"},
            {"who": "Ann", "do": "score", "points": points},
            {"who": "Bob", "do": "score", "points": 25},
        ],
        tmp_path,
    )
    assert "score Ann ?, Bob 25" in texts or "score Bob 25" in texts
    assert told


def test_nobody_joins_a_game_whose_players_are_listed_by_being_named_in_a_record(
    tmp_path: Path,
) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(LOOSE, encoding="utf-8")
    record = {"who": "Zed", "do": "draw", "card": "2c"}
    events = imported(json_lines(record, record), str(file))
    assert '[Players "Ann, Bob"]' in [row.text for row in events.rows()]
    assert "nobody who plays is called Zed" in next(iter(doubts(events)))[1]


def test_a_value_that_no_record_has_where_the_map_looks_for_it_is_told(tmp_path: Path) -> None:
    records = [
        {"who": "Ann", "do": "draw", "card": "2c"},
        {"who": "Ann", "do": "throw", "card": "2c"},
        {"who": "Ann", "do": "score", "points": 5},
    ]
    assert loosely(records, tmp_path)[1] == []
    told = loosely(records, tmp_path, LOOSE.replace("points: points", "points: pts"))[1]
    assert ["points is in none of the records" in text for text in told] == [True]
    told = loosely(records, tmp_path, LOOSE.replace("discard, card: card", "discard, card: crad"))[
        1
    ]
    assert ["card is in none of the records" in text for text in told] == [True]


def test_csv_with_backslashes_before_quotation_marks_is_read(tmp_path: Path) -> None:
    said = LOOSE.replace(
        "records: {at: .}", "records: {form: csv}\nfields:\n  d: {path: data, json: true}"
    )
    said = said.replace("card: card", "card: d.card")
    data = 'who,do,data\nAnn,draw,"{\\"card\\": \\"2c\\"}"\nAnn,throw,"{\\"card\\": \\"2c\\"}"\n'
    assert by_map(said, data, tmp_path) == ["hand 1", "Ann: draw 2c; discard 2c"]


def test_a_state_with_the_hand_of_somebody_who_is_not_listed_is_told(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(STATES, encoding="utf-8")
    state = {"hands": {"Ann": ["5h"], "Zed": ["8h"]}, "pile": ["Ks"], "stock": 9, "melds": []}
    events = imported(json.dumps({"seats": ["Ann", "Bob"], "states": [state]}), str(file))
    assert list(events.rows())
    assert "nobody who plays is called Zed" in next(iter(doubts(events)))[1]


# --- what a file does not tell --------------------------------------------------------------------


def audited(said: str, text: str, tmp_path: Path) -> tuple[list[str], list[str]]:
    """The codes found in events and what stays open, by the text of a map with rules."""
    file = tmp_path / "map.yaml"
    file.write_text(f"{said}rules: {{game: 500-rummy}}\n", encoding="utf-8")
    intake = intake_of(imported(text, str(file)))
    report = replay(read_lines(intake.text), "events.jsonl")
    intake.tell(report)
    return [finding.code for finding in errors_in(report.findings)], [
        question.what for question in report.open
    ]


def test_a_file_that_ends_within_a_turn_convicts_nobody(tmp_path: Path) -> None:
    text = json_lines(*TWO_TURNS, {"who": "Ann", "do": "take", "n": 2})
    assert audited(BASE, text, tmp_path) == ([], ["the last turn: the file ends within it"])


def test_a_lay_off_whose_meld_a_program_does_not_name_is_open(tmp_path: Path) -> None:
    text = json_lines(
        {"who": "Ann", "do": "draw"},
        {"who": "Ann", "do": "meld", "cards": ["5h", "6h", "7h"]},
        {"who": "Ann", "do": "meld", "cards": ["8c", "8d", "8s"]},
        {"who": "Ann", "do": "lay", "cards": "8h"},
        {"who": "Ann", "do": "throw", "card": "Ks"},
    )
    codes, left_open = audited(BASE, text, tmp_path)
    assert codes == []
    assert any("which meld cards were laid on" in what for what in left_open)


def without(text: str, *numbers: int, broken: bool) -> str:
    """JSON Lines some of which are cut off, or of a kind that no map knows."""
    lines = text.splitlines(keepends=True)
    for number in numbers:
        line = lines[number - 1]
        lines[number - 1] = f"{line[:-2]}\n" if broken else line.replace('"do": "', '"do": "un')
    return "".join(lines)


TAKEN = json_lines(
    {"who": "Ann", "do": "draw"},
    {"who": "Ann", "do": "throw", "card": "9s"},
    {"who": "Bob", "do": "take", "card": "5d", "n": 2},
    {"who": "Bob", "do": "meld", "cards": ["5d", "5h", "5s"], "id": "x"},
    {"who": "Bob", "do": "throw", "card": "3h"},
    {"who": "Ann", "do": "draw"},
    {"who": "Ann", "do": "throw", "card": "4h"},
)


@pytest.mark.parametrize("broken", [True, False])
def test_of_a_turn_with_a_record_that_cannot_be_read_the_rest_is_open(
    *, broken: bool, tmp_path: Path
) -> None:
    text = without(TAKEN, 4, broken=broken)
    lines = by_map(BASE, text, tmp_path)
    assert lines[-3:] == ["Bob: take 5d x2", "gap", "Ann: draw ?; discard 4h"]
    codes, _ = audited(BASE, text, tmp_path)
    assert codes == []


@pytest.mark.parametrize("broken", [True, False])
@pytest.mark.parametrize("numbers", [(2,), (3,), (2, 3), (3, 4, 5), (5, 6), (1,), (6,)])
def test_records_that_cannot_be_read_convict_nobody(
    *, numbers: Sequence[int], broken: bool, tmp_path: Path
) -> None:
    text = without(TAKEN, *numbers, broken=broken)
    assert audited(BASE, text, tmp_path)[0] == []


UNDOING = f"{BASE}  - {{when: {{do: oops}}, line: undo}}\n  - {{when: {{do: end}}, line: end, player: who}}\n"
OOPS = {"do": "oops"}
ANN_DRAWS = {"who": "Ann", "do": "draw"}
ANN_THROWS = {"who": "Ann", "do": "throw", "card": "9s"}
INSTEAD = {"who": "Ann", "do": "throw", "card": "3s"}
BOB_TAKES = {"who": "Bob", "do": "take", "card": "7c"}


@pytest.mark.parametrize(
    ("more", "expected"),
    [
        ([OOPS, INSTEAD], ["undo", "Ann: draw ?; discard 3s"]),
        ([OOPS, ANN_DRAWS, INSTEAD], ["undo", "Ann: draw ?; discard 3s"]),
        ([OOPS, OOPS, ANN_DRAWS, INSTEAD], ["undo", "Ann: draw ?; discard 3s"]),
        (
            [OOPS, ANN_THROWS, OOPS, INSTEAD],
            ["undo", "Ann: draw ?; discard 9s", "undo", "Ann: draw ?; discard 3s"],
        ),
    ],
)
def test_what_is_taken_back_shows_in_what_comes_next_and_is_not_in_the_pile(
    more: Sequence[dict[str, Any]], expected: Sequence[str], tmp_path: Path
) -> None:
    said = f"{UNDOING}hands: {{up: {{value: 7c}}}}\n"
    text = json_lines(ANN_DRAWS, ANN_THROWS, *more, BOB_TAKES)
    lines = by_map(said, text, tmp_path)
    assert lines[2:] == ["Ann: draw ?; discard 9s", *expected, "Bob: take 7c x2"]
    assert audited(said, text, tmp_path)[0] == []


def test_lines_that_were_taken_back_are_those_of_the_log(tmp_path: Path) -> None:
    text = json_lines(*TWO_TURNS, OOPS, OOPS, OOPS, {"who": "Ann", "do": "throw", "card": "5d"})
    assert by_map(UNDOING, text, tmp_path)[-4:] == [
        "Bob: draw ?; discard 2c",
        "undo",
        "undo",
        "Ann: draw ?; discard 5d",
    ]


def test_a_meld_that_was_taken_back_counts_no_more(tmp_path: Path) -> None:
    text = json_lines(
        ANN_DRAWS,
        {"who": "Ann", "do": "meld", "cards": "5h 6h 7h", "id": "a"},
        OOPS,
        {"who": "Ann", "do": "meld", "cards": "8c 8d 8s", "id": "b"},
        {"who": "Ann", "do": "lay", "cards": "8h", "id": "b"},
    )
    assert by_map(UNDOING, text, tmp_path)[-1] == "Ann: draw ?; meld 8c 8d 8s; lay 8h m1"


def test_an_end_that_was_taken_back_is_none(tmp_path: Path) -> None:
    text = json_lines(
        ANN_DRAWS, ANN_THROWS, {"who": "Ann", "do": "end"}, OOPS, {"who": "Bob", "do": "draw"}
    )
    assert by_map(UNDOING, text, tmp_path)[2:] == ["end out Ann", "undo", "Bob: draw ?"]


def test_what_nobody_knows_to_take_back_is_told_and_turns_may_be_missing(tmp_path: Path) -> None:
    text = json_lines(ANN_DRAWS, OOPS, OOPS, OOPS, {"who": "Bob", "do": "draw"})
    assert by_map(UNDOING, text, tmp_path)[-2:] == ["gap", "Bob: draw ?"]
    assert audited(UNDOING, text, tmp_path)[0] == []


def test_a_record_that_no_entry_knows_between_turns_is_no_turn(tmp_path: Path) -> None:
    lines = TAKEN.splitlines(keepends=True)
    text = "".join([*lines[:5], *json_lines({"do": "sing"}).splitlines(True), *lines[5:]])
    assert "gap" not in by_map(BASE, text, tmp_path)
    assert "gap" in by_map(BASE, without(text, 6, broken=True), tmp_path)


@pytest.mark.parametrize(("told", "role"), [("9", "9"), ("NINE", "9"), ("9c", "9c")])
def test_a_joker_may_stand_for_a_rank_whose_suit_nobody_tells(
    told: str, role: str, tmp_path: Path
) -> None:
    said = f"{BASE}cards: {{from: joker, stands_for: as}}\n"
    cards = ["9h", "9s", {"joker": "Jk", "as": told}]
    text = json_lines({"who": "Ann", "do": "draw"}, {"who": "Ann", "do": "meld", "cards": cards})
    assert by_map(said, text, tmp_path)[-1] == f"Ann: draw ?; meld 9h 9s Jk={role}"


def test_scores_and_totals_of_each_player_in_records_of_their_own_are_two_lines(
    tmp_path: Path,
) -> None:
    said = BASE + (
        "  - {when: {do: count}, line: score, points: n, more: true}\n"
        "  - {when: {do: count}, line: total, points: sum}\n"
    )
    text = json_lines(
        {"who": "Ann", "do": "draw"},
        {"who": "Ann", "do": "count", "n": 5, "sum": 15},
        {"who": "Bob", "do": "count", "n": 7, "sum": 7},
    )
    assert by_map(said, text, tmp_path)[-2:] == ["score Ann 5, Bob 7", "total Ann 15, Bob 7"]


def told(said: str, text: str, tmp_path: Path) -> list[str]:
    """What of a file is said not to be in the log, by the text of a map."""
    file = tmp_path / "map.yaml"
    file.write_text(said, encoding="utf-8")
    events = imported(text, str(file))
    assert list(events.rows())
    return [what for _, what in doubts(events)]


def test_points_of_more_than_play_are_nobodys_and_are_told(tmp_path: Path) -> None:
    said = f"{BASE}  - {{when: {{do: count}}, line: score, points: n}}\n"
    text = json_lines({"who": "Ann", "do": "draw"}, {"do": "count", "n": [20, -5, 7]})
    assert by_map(said, text, tmp_path)[-1] == "Ann: draw ?"
    assert told(said, text, tmp_path) == ["not in the log: score: it has 3 numbers, and 2 play"]


@pytest.mark.parametrize("player", ["", ", player: who"])
def test_a_word_for_the_end_that_its_table_lacks_is_told(player: str, tmp_path: Path) -> None:
    how = "how: {path: why, table: {empty: stock, over: null}}"
    said = f"{BASE}  - {{when: {{do: end}}, line: end, {how}{player}}}\n"
    draw = {"who": "Ann", "do": "draw"}
    text = json_lines(draw, {"do": "end", "why": "boredom", "who": "Ann"})
    assert "end" not in " ".join(by_map(said, text, tmp_path))
    assert told(said, text, tmp_path) == [
        "not in the log: end: boredom is no end of a hand: out, stock, agreed are"
    ]
    for why in ("over", "empty"):
        text = json_lines(draw, {"do": "end", "why": why, "who": "Ann"})
        assert told(said, text, tmp_path) == []


def test_a_row_with_more_fields_than_the_header_does_not_end_the_file(tmp_path: Path) -> None:
    said = BASE + "at_end:\n  - {line: total, points: sum}\n"
    text = "who,do,sum\nAnn,draw,\nAnn,throw,5,more\n"
    assert by_map(said, text, tmp_path)[-1] == "total Ann 5"


def test_what_a_map_says_of_all_records_and_none_has_is_told(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    said = BASE.replace("{at: .}", "{at: ., sort: tmie}") + "fields: {data: payloda}\n"
    file.write_text(said, encoding="utf-8")
    events = imported(json_lines({"who": "Ann", "do": "draw"}), str(file))
    assert list(events.rows())
    assert [what for _, what in doubts(events)] == [
        "not in the log: what the map says of the field data is in none of the records",
        "not in the log: what the map says of their order (sort) is in none of the records",
    ]


def test_records_are_ordered_by_numbers_with_decimals(tmp_path: Path) -> None:
    said = BASE.replace("{at: .}", "{at: ., sort: t}")
    text = json_lines(
        {"t": 10.5, "who": "Bob", "do": "draw"},
        {"t": 2.25, "who": "Ann", "do": "throw", "card": "Ks"},
        {"t": "1.5", "who": "Ann", "do": "draw"},
    )
    assert by_map(said, text, tmp_path)[-2:] == ["Ann: draw ?; discard Ks", "Bob: draw ?"]


def test_games_that_take_turns_in_a_file_are_told(tmp_path: Path) -> None:
    said = f"{BASE}game: {{by: g}}\n"
    file = tmp_path / "map.yaml"
    file.write_text(said, encoding="utf-8")
    records = [{"g": g, "who": "Ann", "do": "draw"} for g in "abab"]
    events = imported(json_lines(*records), str(file))
    assert list(events.rows())
    (said_of,) = [what for _, what in doubts(events)]
    assert "records: {sort: …}" in said_of


def test_a_file_of_which_nothing_becomes_a_line_is_refused_with_what_it_has(tmp_path: Path) -> None:
    file = tmp_path / "map.yaml"
    file.write_text(BASE, encoding="utf-8")
    events = imported(json_lines({"Akteur": "Ann", "Tat": "zieht"}), str(file))
    with pytest.raises(NoMap, match="the first record has Akteur and Tat"):
        intake_of(events)


def test_events_in_letters_of_windows_are_read(tmp_path: Path) -> None:
    said = BASE.replace("{list: {value: [Ann, Bob]}}", "{order: seen}")
    file = tmp_path / "map.yaml"
    file.write_text(said, encoding="utf-8")
    data = "who;do;card\nÜmit;draw;5h\nÜmit;throw;Ks\n".encode("cp1252")
    assert lines(data, str(file))[0] == '[Players "Ümit"]'


def test_a_setting_that_looks_like_a_path_is_told_at_its_line(tmp_path: Path) -> None:
    said = f"{BASE}rules: {{game: 500-rummy, set: {{game.target: $.limit}}}}\n"
    loaded, findings = maps.read(said, "map.yaml")
    assert loaded is None
    assert "a value of the file is {path: $.limit}" in findings[0].message


def test_between_states_of_which_some_are_missing_turns_are_missing(tmp_path: Path) -> None:
    def state(ann: str, bob: str, pile: str, stock: int, turn: str) -> dict[str, Any]:
        hands = {"Ann": ann.split(), "Bob": bob.split()}
        return {"hands": hands, "pile": pile.split(), "stock": stock, "melds": [], "turn": turn}

    states = [
        state("5h 6h 2c", "8h 9c 9d", "Ks", 9, "Ann"),
        state("5h 6h Qd", "8h 9c 4d", "Ks 2c 9d", 7, "Ann"),
        state("5h 6h Qd 3c", "8h 9c 4d", "Ks 2c 9d", 6, "Ann"),
        state("5h 6h Qd", "8h 9c 4d", "Ks 2c 9d 3c", 6, "Bob"),
    ]
    made = by_map(STATES_OF_TURNS, json_lines(*states), tmp_path)
    assert made[-2:] == ["gap", "Ann: draw 3c; discard 3c"]


STATES_OF_TURNS: Final = """\
map: test
records: {at: .}
mode: snapshots
players: {list: {value: [Ann, Bob]}}
snapshot:
  turn: turn
  hands: {each: {path: hands, entries: true}, player: key, cards: value}
  pile: pile
  stock: stock
  melds: {each: melds, cards: .}
"""
