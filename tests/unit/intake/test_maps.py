"""A map is checked when it is read, and what a file of events does not tell convicts nobody."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from imported import json_lines
from meldref.core.diagnostics import errors_in
from meldref.notation.reader import read_lines
from meldref.replay.log import replay
from meldref_intake.events import NoMap, doubts, explained, intake_of, maps, open_events
from meldref_intake.events.records import BEGINNING

STATES = Path(__file__).with_name("states.jsonl").read_text(encoding="utf-8").splitlines(True)
OF_STATES = """\
map: states
records: {at: .}
mode: snapshots
rules: {game: 500-rummy, options: [no-jokers]}
players: {order: seen}
hands: {by: hand, number: hand}
snapshot:
  turn: turn
  hands: {each: {path: hands, entries: true}, player: key, cards: value}
  pile: pile
  pile_top: first
  stock: stock
  melds: {each: melds, id: id, cards: cards}
lines:
  - {when: {points: {exists: true}}, line: score, points: points}
"""
KITCHEN = """\
map: kitchen
records: {at: .}
rules: {game: 500-rummy, options: [no-jokers]}
player: who
lines:
  - {when: {do: deal}, line: deal, cards: cards}
  - {when: {do: up}, line: up, card: card}
  - {when: {do: draw}, line: draw}
  - {when: {do: meld}, line: meld, cards: cards, id: id}
  - {when: {do: lay}, line: lay, cards: cards, meld: id}
  - {when: {do: throw}, line: discard, card: card}
"""


def opened(said: str, data: str | bytes, tmp_path: Path, **more: Any) -> Any:
    """A file of events, by the text of a map."""
    file = tmp_path / "map.yaml"
    file.write_text(said, encoding="utf-8")
    raw = data.encode() if isinstance(data, str) else data
    return open_events(lambda: io.BytesIO(raw), str(file), **more)


def violations(said: str, data: str, tmp_path: Path) -> list[str]:
    """What an audit finds wrong in a file of events."""
    intake = intake_of(opened(said, data, tmp_path))
    report = replay(read_lines(intake.text), "events")
    intake.judge(report)
    return [f"{finding.code} at {finding.span.line}" for finding in errors_in(report.findings)]


def map_with(said: str) -> str:
    """The text of a map with something in its third line, and with lines in any case."""
    rest = "" if "lines:" in said else "lines: [{line: gap}]\n"
    return f"map: x\nrecords: {{at: .}}\n{said}\n{rest}"


# --- what is wrong with a map ---------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "found"),
    [
        (
            "lines: [{line: draw, meld: x, player: p}]",
            ["the line of entry 1 takes no meld; it takes player and card"],
        ),
        ("lines: [{line: meld, player: p}]", ["entry 1: line: meld needs cards"]),
        (
            "lines: [{line: take, player: p}]",
            ["entry 1: line: take needs card, cards, count or index"],
        ),
        ("lines: [{line: discard, cards: c, player: p}]", ["takes no cards"]),
        (
            "lines: [{line: score, when: {t: a}}, {line: players}]",
            ["needs points", "needs player or name"],
        ),
        ("lines: [{line: draw}]", ["nothing tells whose draw it is"]),
        (
            "lines: [{line: ignore}, {when: {t: x}, line: note, text: t}]",
            ["entry 2 is never reached: entry 1 takes its records"],
        ),
        (
            "lines: [{when: {t: [a, b]}, line: ignore}, {when: {t: b, n: 1}, line: gap}]",
            ["entry 2 is never reached"],
        ),
        ("lines: [{line: gap, when: {t: {count: many}}}]", ["count of t of when of entry 1"]),
        (
            "lines: [{line: note, text: {path: x, lookup: {key: id}}}]",
            ["lookup of text of entry 1 needs table, or in and key"],
        ),
        ("cards: {suits: {Kreuz: x}}", ["x is no suit; those are cdhs"]),
        ("cards: {ranks: [A, 17]}", ["17 is no rank"]),
        ("cards: {table: {a: 5x}}", ["5x is no card"]),
        ("cards: {pattern: '(.*)'}", ["no (?P<rank>…) and no (?P<suit>…)"]),
        ("rules: {game: 501-rummy}", ["no ruleset or option 501-rummy; did you mean 500-rummy?"]),
        ("rules: {options: [no-joker]}", ["did you mean no-jokers?"]),
        ("rules: {set: {deck.jokrs: 0}}", ["there is no key deck.jokrs"]),
        ("rules: {set: {deck.packs: x}}", ["deck.packs must be a number"]),
        ("rules: {set: {game.target: $.t}}", ["a value of the file is {path: $.t}"]),
        ("hands: {dealt: size}", ["dealt of hands must be a whole number or keys and values"]),
    ],
)
def test_what_a_map_says_that_can_mean_nothing_is_told_at_its_line(
    said: str, found: Sequence[str]
) -> None:
    loaded, findings = maps.read(map_with(said), "map.yaml")
    assert loaded is None
    assert [finding.span.line for finding in findings] == [3] * len(found)
    for finding, words in zip(findings, found, strict=True):
        assert words in finding.message


@pytest.mark.parametrize(
    "said",
    [
        "lines: [{line: note, text: t, more: true}, {line: gap}]",
        "lines: [{when: {t: a}, line: gap}, {line: ignore}]",
        "lines: [{when: {t: a}, fields: {t: u}, line: gap}, {when: {t: a}, line: ignore}]",
        "rules: {game: {path: g}, options: [{path: o}], set: {game.target: {path: t}}}",
        "rules: {game: house.yaml, set: {game.target: 500}}",
        "cards: {ranks: [null, A, 2, ten], suits: {Eichel: clubs}, jokers: [W]}",
        "cards: {pattern: ['^(?P<rank>JOK)', '^(?P<suit>.)(?P<rank>.+)$']}",
        'hands: {dealt: {2: 13, "*": 7}}',
        "hands: {dealt: {path: size}}",
    ],
)
def test_what_a_map_may_say_is_not_refused(said: str) -> None:
    loaded, findings = maps.read(map_with(said), "map.yaml")
    assert loaded is not None, findings


def test_a_mistake_in_each_part_of_a_map_is_told_in_one_run() -> None:
    said = """\
map: x
records: {at: ., encoding: klingon}
rules:
  game: 501-rummy
  options: [no-joker]
  set:
    deck.packs: x
    deck.jokrs: 0
cards:
  suits: {Kreuz: x}
  table: {a: 5x}
player: p
lines:
  - {line: meld}
  - {line: draw, cards: c}
  - {line: ignore}
  - {line: gap}
"""
    _, findings = maps.read(said, "map.yaml")
    assert [finding.span.line for finding in findings] == [
        2,
        4,
        5,
        7,
        8,
        10,
        11,
        14,
        15,
        15,
        16,
        17,
    ]


def test_an_empty_map_and_tabs_are_told_as_of_a_map() -> None:
    assert "the map is empty" in maps.read("", "map.yaml")[1][0].message
    said = "map: x\nlines:\n\t- {line: draw}\n"
    assert "maps are indented with spaces" in maps.read(said, "map.yaml")[1][0].message


def test_a_path_with_brackets_between_braces_is_to_be_put_in_quotes() -> None:
    said = "map: x\nlines:\n  - {when: {t: a}, line: draw, card: cards[0]}\n"
    (finding,) = maps.read(said, "map.yaml")[1]
    assert finding.help == ('write - {when: {t: a}, line: draw, card: "cards[0]"}',)


# --- what cannot be read --------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("said", "data", "why"),
    [
        ("at: 'rows[*]'", '{"do": "sing"}\n{"do": "sing"}\n', "there is no record at `rows"),
        ("at: ., form: json", "who,do\nAnn,draw\n", "read as JSON; it looks like CSV"),
        ("at: .", "wer,was\nAnn,zieht\n", "has wer and was, and no do"),
    ],
)
def test_why_nothing_of_a_file_becomes_a_line_is_told_by_what_it_has(
    said: str, data: str, why: str, tmp_path: Path
) -> None:
    found = opened(KITCHEN.replace("at: .", said), data, tmp_path)
    with pytest.raises(NoMap) as told:
        intake_of(found)
    assert why in str(told.value)


@pytest.mark.parametrize("before", [1, BEGINNING // 10])
@pytest.mark.parametrize("form", ["csv", "json"])
def test_letters_of_windows_are_read_also_where_the_file_begins_without_any(
    before: int, form: str, tmp_path: Path
) -> None:
    said = KITCHEN + "  - {when: {do: sagt}, line: ignore}\n"
    said = said.replace("do: draw", "do: ÄRGERT")
    rows = [("Bob", "sagt", "nichts")] * before + [("Ümit", "ÄRGERT", "")]
    text = "who,do,text\n" + "".join(f"{','.join(row)}\n" for row in rows)
    if form == "json":
        keys = ("who", "do", "text")
        records = [dict(zip(keys, row, strict=True)) for row in rows]
        text = "".join(f"{json.dumps(record, ensure_ascii=False)}\n" for record in records)
    found = opened(said, text.encode("cp1252"), tmp_path)
    assert [row.text for row in found.rows()][-1] == "Ümit: draw ?"


def test_an_encoding_that_a_map_names_is_used(tmp_path: Path) -> None:
    said = KITCHEN.replace("at: .", "at: ., encoding: cp850")
    found = opened(said, "who,do\nJörg,draw\n".encode("cp850"), tmp_path)
    assert [row.text for row in found.rows()][-1] == "Jörg: draw ?"


@pytest.mark.parametrize("dealt", [0, 7])
def test_nobody_joins_a_hand_by_a_name_that_is_misspelt(dealt: int, tmp_path: Path) -> None:
    names = ["Ann", "Ümit", "Cy"]
    cards = iter([rank + suit for suit in "cdh" for rank in "3456789TJQ"])
    records: list[dict[str, Any]] = [{"do": "up", "card": "Ks"}]
    if dealt:
        hands = {name: " ".join(next(cards) for _ in range(dealt)) for name in names}
        records += [{"who": name, "do": "deal", "cards": hands[name]} for name in names]
    for turn in range(9):
        who = {4: "Umit"}.get(turn, names[turn % 3])
        records += [{"who": who, "do": "draw"}, {"who": who, "do": "throw", "card": f"{turn + 2}s"}]
    found = opened(KITCHEN, json_lines(*records), tmp_path)
    assert '[Players "Ann, Ümit, Cy"]' in [row.text for row in found.rows()]
    assert "nobody who plays is called Umit; did you mean Ümit?" in next(iter(doubts(found)))[1]
    assert not violations(KITCHEN, json_lines(*records), tmp_path)


def test_a_setting_that_the_file_does_not_tell_is_told_unless_it_need_not(tmp_path: Path) -> None:
    data = json_lines({"who": "Ann", "do": "draw"})
    for more, told in (("", 1), (", default: null", 0)):
        said = KITCHEN.replace("[no-jokers]", f"[], set: {{game.target: {{path: to{more}}}}}")
        found = opened(said, data, tmp_path)
        list(found.rows())
        words = [what for _, what in doubts(found) if "game.target is not in the file" in what]
        assert len(words) == told


# --- states ---------------------------------------------------------------------------------------


def test_states_from_which_none_is_missing_are_a_game_without_a_violation(tmp_path: Path) -> None:
    assert not violations(OF_STATES, "".join(STATES), tmp_path)


@pytest.mark.parametrize("number", [1, 2, 3, 5])
def test_states_that_are_missing_convict_nobody(number: int, tmp_path: Path) -> None:
    rng = random.Random(number)
    for at in rng.sample(range(len(STATES) - number), 12):
        kept = STATES[:at] + STATES[at + number :]
        assert not violations(OF_STATES, "".join(kept), tmp_path), f"without {at + 1}, {number}"


def test_states_that_are_missing_are_told_with_the_record_after_them(tmp_path: Path) -> None:
    kept = STATES[:20] + STATES[23:]
    found = opened(OF_STATES, "".join(kept), tmp_path)
    assert "gap" in [row.text for row in found.rows()]
    place, what = next(iter(doubts(found)))
    assert (place.line, "states are missing before this one" in what) == (21, True)


def test_it_is_said_of_each_state_what_it_became(tmp_path: Path) -> None:
    found = opened(OF_STATES, "".join(STATES[:47]), tmp_path, explains=True)
    list(found.rows())
    said = list(explained(found))
    assert said[0].startswith("line 1: hand 1 · deal Ana ")
    assert said[2] == "line 3: Ana: take 8d x1; meld 8d 9d Td   [snapshot]"
    assert said[3] == "line 4: Ana: take 8d x1; meld 8d 9d Td; discard Kh   [snapshot]"
    assert said[-1].startswith("line 47: score Ana 44, Iker 3, Sol 31 ")


def test_a_meld_whose_cards_no_state_shows_is_told(tmp_path: Path) -> None:
    said = OF_STATES.replace("cards: cards}", "cards: nowhere}")
    found = opened(said, "".join(STATES[:10]), tmp_path)
    assert list(found.rows())
    assert list(doubts(found))


def test_cards_of_others_that_are_hidden_for_a_while_are_no_moves(tmp_path: Path) -> None:
    state = json.loads(STATES[30])
    state["hands"]["Ana"] = " ".join("?" for _ in state["hands"]["Ana"].split())
    states = [*STATES[:30], f"{json.dumps(state)}\n", *STATES[31:]]
    assert not violations(OF_STATES, "".join(states), tmp_path)
