"""What `--format json` writes is what `docs/output.schema.json` says, no key more and none less."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from blocks import ROOT
from cli_logs import BAD, LOG
from simulated import log_of
from tiers import thinned

HOUSE = """\
id: lake
name: Lake
extends: [500-rummy, floating]
melds:
  wild: {cards: [joker, 2]}
game: {target: 1000}   # open: how long? (P-SCOR-01)
cases:
  - id: LAKE-1
    name: three in a row are enough
    given: {hands: {A: "5h 6h 7h 9s"}, stock: "Kc ?*20"}
    moves: ["A: draw Kc; meld 5h 6h 7h; discard 9s"]
    expect: {verdict: legal, then: plays B, points: {A: 18}}
  - name: two are not
    given: {hands: {A: "5h 6h 7h 9s"}, stock: "Kc ?*20"}
    moves: ["A: draw Kc; meld 5h 6h; discard 9s"]
    expect: {verdict: legal}
"""
KINGS = """\
id: kings
name: Kings
extends: [500-rummy]
house_rules:
  no-kings: {forbid: discard, when: card.rank is K, says: No king is discarded.}
  laid: {forbid: end, when: turn.points > 90, says: Nobody lays more than ninety points in a turn.}
  nines: {award: 5, for: discard, when: card.rank is 9, says: A discarded nine brings five points.}
  held: {award: -player.held, when: not player.went_out, says: What is held counts twice.}
cases:
  - name: a king is not discarded
    given: {hands: {A: "Kh 9s"}, stock: "Kc ?*20"}
    moves: ["A: draw Kc; discard Kh"]
    expect: {verdict: illegal, because: house}
  - name: whether a card that nobody saw is a king
    given: {hands: {A: "?*3"}}
    moves: ["A: draw ?; discard ?"]
    expect: {verdict: open}
"""
UNREAD = "id: unread\nextends: [500-rummy]\nhouse_rules: {aces: {forbid: discrd, when: card.rnk is A, says: No.}}\n"
BEGINS = """\
rules: ./kings.yaml
with: [floating]
set: {game.target: 1000}
hands: {A: "5h 6h 7h 9s"}
opening: first_turn
hand: 2
totals: {A: 40}
"""
IN_VAIN = (
    "id: vain\nname: Vain\nextends: [500-rummy]\nfloating: {draws: [stock]}\ngame: {target: 500}\n"
)
SLIP = "id: slip\nname: Slip\nextends: [500-rummy]\ngame: {taget: 1000}\n"
POSITION = """\
players: [A, B, C]
to_move: B
hands: {A: "", B: "5h 6h", C: "?*4"}
table: {m1: {A: "7c 8c 9c"}}
pile: "7h Kd"
stock: "3c ?*9"
discarded_by: A
floating: [A]
with: [floating, chosen-wild-rank]
wild: Q
"""
UNKNOWN = LOG.replace("deal Ann 4d 4h 9h 2h 7c 7d 7s Ks Qd Jc 2c 3s 5s", "deal Ann ?*13") + (
    "4. Bob: draw ?; meld 5c 6c 7c; discard ?\nend stopped\nscore Ann 5, Bob 6\n"
)
SCORED = LOG + "4. Bob: draw ?; discard 4s\nend stopped\nscore Ann 5, Bob 6\n"
WEIGHED = """\
[Rules "500-rummy"]
[Set "deal.cards=4"]
[Players "A, B"]
hand 1 dealer A
deal A ?*4
deal B ?*4
up 4h
1. B: draw ?; meld 5c 6c 7c; discard Kh
2. A: draw ?; meld 9c 9d 9h 9s; discard Kd
end out A
score A 36, B 9
"""
HERE = ("--hand", "4d 9h 2h Jk", "--pile", "6s 4c Qs 4s 7h", "--stock", "3c 3d")

ASKED: dict[str, list[list[str]]] = {
    "audit": [
        ["audit", *names]
        for names in (["bad.rgn", "good.rgn", "empty.rgn"], ["unknown.rgn", "house.rgn"])
    ]
    + [
        ["audit", "--rules", "slip.yaml", "good.rgn"],
        ["audit", "scored.rgn", "summed.rgn", "weighed.rgn"],
        ["audit", "many.rgn"],
        ["audit", "twice.rgn"],
    ],
    "audit-line": [
        ["audit", "bad.rgn", "scored.rgn", "summed.rgn", "weighed.rgn", "empty.rgn", "twice.rgn"]
    ],
    "legal-move": [
        ["legal", move, *HERE]
        for move in (
            "draw",
            "take 4c; meld 4c 4d 4s; discard 9h",
            "take 4c; discard 9h",
            "juggle",
            "Z: draw",
        )
    ]
    + [["legal", "lay 7h m1", "--hand", "7h", "--table", "m1: B 7c 7d 7s", "--turn", "draw ?"]]
    + [["legal", "meld 4c 4d 4h", "--hand", "?*5", "--turn", "draw 4c", "--chances"]]
    + [["legal", "take 4c", "--hand", "?*5", "--pile", "4c 9d 2s", "--chances"]]
    + [
        ["legal", move, "--position", "begins.yaml", "--continue"]
        for move in ("draw", "draw; discard 9s", "draw; draw")
    ],
    "legal-moves": [
        ["legal", "--position", "here.yaml"],
        ["legal", *HERE],
        ["legal", *HERE, "--turns"],
        ["legal", *HERE, "--most", "1"],
    ],
    "melds": [["melds", "5h 6h 7h Jk"], ["melds", "5h"], ["melds", "5h 6h 7h 8h", "--most", "1"]],
    "best": [["best", "5h 6h 7h Jk 2c"], ["best", "5h", "--for", "points"]],
    "score-hand": [
        ["score", "--laid", "5h 6h 7h", "--laid", "8h m1", "--held", "2c"],
        ["score", "--laid", "Ann: Ks Kd Jk", "--held", "Bob: Ad", "--out", "Ann"],
    ],
    "score-sheet": [
        ["score", "--hand", "Ann 45, Bob -20", "--hand", "Ann 460"],
        [
            "score",
            "--hand",
            "A+C 45, B+D 20",
            "--hand",
            "A+C 460, B+D 7",
            "--rules",
            "persian-rummy",
        ],
        ["score", "scored.rgn"],
    ],
    "score-standings": [["score", "scored.rgn", "good.rgn"], ["score", "scored.rgn", "kings.rgn"]],
    "replay": [
        ["replay", "bad.rgn"],
        ["replay", "good.rgn", "--at", "9"],
        ["replay", "good.rgn", "--for", "public"],
        ["replay", "floats.rgn"],
        ["replay", "empty.rgn"],
    ],
    "fmt": [
        ["fmt", "--check", "good.rgn", "loose.rgn", "long.rgn"],
        ["fmt", "--check", "nowhere.rgn"],
    ],
    "fmt-line": [["fmt", "--check", "good.rgn", "loose.rgn", "long.rgn"]],
    "explain": [
        ["explain", "draw.deep.unused"],
        ["explain", "score.total"],
        ["explain", "float.kept"],
    ],
    "explain-list": [["explain"], ["explain", "draw"], ["explain", "P-DRAW-05"]],
    "explain-house": [
        ["explain", f"house.{name}", "--rules", "kings.yaml"] for name in ("no-kings", "held")
    ],
    "explain-house-list": [["explain", "house", "--rules", "kings.yaml"]],
    "rules-list": [["rules", "list"]],
    "rules-show": [
        ["rules", "show", "house.yaml", "--set", "game.bonus=5"],
        ["rules", "show", "500-rum"],
    ],
    "rules-explain": [
        ["rules", "explain", key, "--rules", "house.yaml", "--set", "calls.of=none"]
        for key in (
            "game.target",
            "game",
            "melds.wild.cards",
            "calls.then",
            "scoring.values",
            "deck.packs",
            "id",
        )
    ],
    "rules-explain-list": [["rules", "explain"]],
    "rules-check": [
        ["rules", "check", "house.yaml", "vain.yaml", "slip.yaml", "nowhere.yaml", "500-rum"],
        ["rules", "check", "slip.yaml", "--fix"],
    ],
    "rules-check-line": [
        ["rules", "check", "house.yaml", "slip.yaml", "vain.yaml", "nowhere.yaml"]
    ],
    "rules-test": [["rules", "test", "house.yaml"], ["rules", "test", "house.yaml", "--coverage"]],
    "rules-test-line": [
        ["rules", "test", "house.yaml"],
        ["rules", "test", "house.yaml", "--coverage"],
    ],
    "rules-diff": [
        ["rules", "diff", "500-rummy", "house.yaml", "--example", "--effort", "20"],
        ["rules", "diff", "500-rummy", "500-rummy", "--with", "no-calls", "--example"],
        ["rules", "diff", "500-rummy", "vain.yaml"],
        [
            "rules",
            "diff",
            "500-rummy",
            "500-rum",
            "--logs",
            "scored.rgn",
            "unknown.rgn",
            "nowhere.rgn",
            "joker.rgn",
        ],
        ["rules", "diff", "500-rummy", "500-rummy+aces-25", "--logs", "aces.rgn"],
        ["rules", "diff", "500-rummy", "500-rummy+no-calls", "--example", "--effort", "1"],
    ],
    "rules-infer": [
        [
            *("rules", "infer", str(ROOT / "tests/games/outside/melaniesifen/001.rgn")),
            *("house.rgn", "--check", "0.5"),
        ],
        ["rules", "infer", "calls.rgn"],
        ["rules", "infer", "many-hands.rgn"],
    ],
    "rules-compare": [
        ["rules", "compare", "500-rummy", "house.yaml", "--hands", hands, "-q"]
        for hands in ("1", "3")
    ],
}
RULED = ["--rules", "kings.yaml"]
for _name, *_commands in (
    ("audit", ["audit", "kings.rgn", "hidden.rgn"]),
    ("audit-line", ["audit", "kings.rgn", "hidden.rgn"]),
    ("legal-move", *(["legal", move, *HERE, *RULED] for move in ("draw", "take 4c; discard 9h"))),
    ("legal-move", ["legal", "draw; discard Ks", "--hand", "Ks 2c", *RULED]),
    (
        "legal-moves",
        ["legal", "--hand", "Ks 9c", "--turn", "draw ?", *RULED],
        ["legal", *HERE, "--turns", *RULED],
    ),
    ("best", ["best", "5h 6h 7h Jk 2c", *RULED]),
    (
        "score-hand",
        ["score", "--laid", "Ann: Ks Kd Jk", "--held", "Bob: Ad", "--out", "Ann", *RULED],
    ),
    ("score-sheet", ["score", "kings.rgn"]),
    ("replay", ["replay", "kings.rgn"], ["replay", "hidden.rgn"]),
    ("rules-show", ["rules", "show", "kings.yaml"]),
    (
        "rules-explain",
        *(["rules", "explain", key, *RULED] for key in ("house_rules.held", "house_rules")),
    ),
    (
        "rules-check",
        ["rules", "check", "kings.yaml", "unread.yaml"],
        ["rules", "check", "unread.yaml", "--fix"],
    ),
    ("rules-check-line", ["rules", "check", "kings.yaml", "unread.yaml"]),
    ("rules-test", ["rules", "test", "kings.yaml", "--coverage"]),
    ("rules-test-line", ["rules", "test", "kings.yaml", "--coverage"]),
    ("rules-diff", ["rules", "diff", "500-rummy", "kings.yaml", "--example", "--effort", "20"]),
    ("rules-diff", ["rules", "diff", "500-rummy", "kings.yaml", "--logs", "kings.rgn"]),
    ("rules-compare", ["rules", "compare", "500-rummy", "kings.yaml", "--hands", "1", "-q"]),
):
    ASKED[_name] += _commands
"""Command lines whose output each part of the schema is about."""


@cache
def schema() -> dict:
    return json.loads((ROOT / "docs" / "output.schema.json").read_text(encoding="utf-8"))


def closed(node: object) -> object:
    """The schema without room for keys that it does not name."""
    if isinstance(node, list):
        return [closed(one) for one in node]
    if not isinstance(node, dict):
        return node
    made = {key: closed(one) for key, one in node.items()}
    if "required" in made:
        made.setdefault("additionalProperties", False)
    return made


@cache
def validator(name: str) -> Draft202012Validator:
    return Draft202012Validator({"$ref": f"#/$defs/{name}", "$defs": closed(schema()["$defs"])})


def named(node: dict, at: str) -> Iterator[str]:
    """Every key that the schema names, by where it does."""
    for key, one in node.get("properties", {}).items():
        yield f"{at}.{key}"
        yield from named(one, f"{at}.{key}")
    for key in ("items", "additionalProperties"):
        if isinstance(node.get(key), dict):
            yield from named(node[key], at)
    for one in node.get("anyOf", ()):
        yield from named(one, at)


def met(node: dict, at: str, data: object) -> Iterator[str]:
    """Of those keys, the ones that data has a value at."""
    if data is None:
        return
    if "$ref" in node:
        name = node["$ref"].rpartition("/")[2]
        yield from met(schema()["$defs"][name], name, data)
    for one in node.get("anyOf", ()):
        if Draft202012Validator({**one, "$defs": closed(schema()["$defs"])}).is_valid(data):
            yield from met(one, at, data)
    if isinstance(data, list):
        for item in data:
            yield from met(node.get("items", {}), at, item)
    elif isinstance(data, dict):
        for key, item in data.items():
            inner = node.get("properties", {}).get(key)
            if inner is not None:
                yield f"{at}.{key}"
                yield from met(inner, f"{at}.{key}", item)
            elif isinstance(node.get("additionalProperties"), dict):
                yield from met(node["additionalProperties"], at, item)


@cache
def without_calls() -> str:
    """Hands in which nobody calls, which leaves a question about their rules."""
    return log_of("500-rummy", ("no-calls", "no-jokers"), (), ("greedy", "random"), 100, hands=14)[
        0
    ]


@pytest.fixture
def folder(log, tmp_path) -> Path:
    for name, text in {
        "good.rgn": LOG,
        "bad.rgn": BAD,
        "scored.rgn": SCORED,
        "unknown.rgn": UNKNOWN,
        "empty.rgn": "",
        "loose.rgn": "[Players  'A']\nhand   1\n",
        "long.rgn": "hand  1\n",
        "house.rgn": LOG.replace("500-rummy", "house.yaml"),
        "joker.rgn": LOG.replace("4c\n\n1", "Jk\n\n1"),
        "floats.rgn": FLOATS,
        "aces.rgn": ACES,
        "summed.rgn": SUMMED,
        "weighed.rgn": WEIGHED,
        "many.rgn": LOG + "Ann: draw; discard 5h 5h\n" * 10_050,
        "twice.rgn": TWICE,
        "calls.rgn": without_calls(),
        "many-hands.rgn": LONG,
        "house.yaml": HOUSE,
        "kings.yaml": KINGS,
        "kings.rgn": SCORED.replace("500-rummy", "kings.yaml"),
        "hidden.rgn": UNKNOWN.replace("500-rummy", "kings.yaml"),
        "unread.yaml": UNREAD,
        "begins.yaml": BEGINS,
        "vain.yaml": IN_VAIN,
        "slip.yaml": SLIP,
        "here.yaml": POSITION,
    }.items():
        log(text, name)
    return tmp_path


TWICE = """\
[Rules "500-rummy"]
[Players "Ann, Bob"]
hand 1 dealer Bob
deal Ann ?*13
deal Bob ?*13
up 3c
1. Ann: draw ?; discard 4d
1. Ann: draw ?; discard 4d
2. Bob: draw ?; discard 6d
3. Ann: draw ?; discard 7d
"""
LONG = '[Rules "500-rummy"]\n[Players "Ann, Bob"]\n' + "".join(
    f"hand {number} dealer Bob\nAnn: draw ?; discard 4d\nBob: draw ?; discard 5d\nvoid\n"
    for number in range(1, 1400)
)
"""So many lines that the rules are looked for in the first of them."""
ACES = """\
[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1
1. Ann: draw ?; meld Ah Ac As; meld 5d 6d 7d 8d 9d
end out Ann
"""
SUMMED = """\
[Rules "500-rummy"]
[Players "Ann, Bob, Cy"]
hand 1 dealer Cy
deal Ann Ah Ac As 5d 6d 7d 8d
deal Bob 2c 3d 9h Jc Qd Kc 4s
deal Cy 2d 3s 9c Js Qh Kd 4h
up 5c
1. Ann: draw 9d; meld Ah Ac As; meld 5d 6d 7d 8d 9d
end out Ann
score Ann 1, Bob 2, Cy 3
"""
FLOATS = """\
[Rules "500-rummy"]
[Options "floating, chosen-wild-rank"]
[Players "Ann, Bob"]
hand 1 dealer Bob
wild Q
deal Ann 4c 4d 4h 4s 5h 6h 7h 9c 9d 9s Ks Kh Kd
deal Bob ?*13
up 3c
1. Ann: draw 8h; meld 4c 4d 4h 4s; meld 5h 6h 7h 8h; meld 9c 9d 9s; meld Ks Kh Kd
2. Bob: draw ?; discard 3d
"""


def written(meldref, name):
    """What each command asked for prints as JSON; it has to fit the schema."""
    by_line = name.endswith("-line")
    for command in ASKED[name]:
        ran = meldref(*command, "--format", "jsonl" if by_line else "json")
        assert ran.code in {0, 1, 2}, ran.err
        for data in map(json.loads, ran.lines) if by_line else [ran.data]:
            wrong = [
                f"{error.json_path}: {error.message}" for error in validator(name).iter_errors(data)
            ]
            assert not wrong, (command, wrong)
            yield data


@pytest.mark.parametrize("name", thinned(ASKED, 9))
def test_what_a_command_writes_fits_the_schema_and_nothing_is_left_out(meldref, folder, name):
    assert list(written(meldref, name))


@pytest.mark.sweep
def test_all_that_commands_write_fits_the_schema_and_has_each_of_its_keys(meldref, folder):
    seen: set[str] = set()
    for name in ASKED:
        for data in written(meldref, name):
            seen.update(met({"$ref": f"#/$defs/{name}"}, name, data))
    wanted = {key for name, node in schema()["$defs"].items() for key in named(node, name)}
    unseen = "\n".join(sorted(wanted - seen))
    assert not unseen, unseen


def test_the_schema_is_one():
    Draft202012Validator.check_schema(schema())
