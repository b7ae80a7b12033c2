"""Mutators: logs, rules, cases, positions and lines of JSON as nobody in good faith would write them."""

from __future__ import annotations

import json
import re
from copy import deepcopy
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import strategies as st

from written import TESTS, read_yaml_file

ODD_WORDS = (
    *(
        "",
        " ",
        "\t",
        "\x00",
        "\u202e",
        "\u2028",
        "²",
        "١",
        "10",
        "Jk=Jk",
        "?=5h",
        "?*0",
        "?*999",
        "x0",
        "m0",
        "m999",
        "-0",
    ),
    *(
        "9" * 5_000,
        "0" + "9" * 5_000,
        "5h " * 40,
        "Jk " * 32,
        "?*999 " * 9,
        "meld 2c; " * 30,
        '"',
        "{",
        "?!",
        "+",
        "#",
    ),
    *(
        "draw",
        "take 4c x999",
        "lay 5h m999",
        "rummy Jk Jk",
        "discard ?",
        "undo",
        "gap",
        "reshuffle",
        "end agreed",
    ),
    *(
        "hand 2",
        "adjust Ann 999999999",
        '[Set "melds.kinds.x={size: 5-13, require: [consecutive_ranks]}"]',
        '[Options "x,,x"]',
    ),
)
ODD_VALUES: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        0,
        -1,
        3,
        10**18,
        -(10**300),
        0.5,
        1e300,
        "",
        "x",
        "A\n",
        "9" * 5_000,
        "9" * 4_400 + "-5",
        "2-99",
    ),
    *(
        [],
        {},
        [[]],
        [{}],
        [None],
        {"x": 1},
        {"": ""},
        ["x"] * 40,
        {"A": "5h 6h"},
        ["legal"],
        "5h " * 40,
        "Jk " * 32,
    ),
    *(
        "joker",
        "none",
        "named",
        "500-rummy",
        "m1",
        "?*999",
        ["joker", "2", "3", "4"],
        {"size": "1-99", "require": []},
    ),
)


def _files(*folders: str, ending: str) -> list[Path]:
    return [
        path for folder in folders for path in sorted((TESTS.parent / folder).glob(f"*{ending}"))
    ]


LOGS = [
    path.read_text(encoding="utf-8")
    for path in _files("tests/games/planted", "tests/games", "examples", ending=".rgn")
]
COOKBOOK = (TESTS.parent / "docs" / "cookbook.md").read_text(encoding="utf-8")
RULES = [read_yaml_file(path) for path in _files("rulesets", "rulesets/options", ending=".yaml")]
CASES = [
    case
    for path in _files("tests/cases", ending=".yaml")
    for case in (read_yaml_file(path) or {}).get("cases", ())[:6]
]


@st.composite
def logs(draw: st.DrawFn) -> str:
    """A log with some lines or words left out, repeated, moved, or put in from elsewhere."""
    lines = draw(st.sampled_from(LOGS)).split("\n")[: draw(st.integers(5, 60))]
    for _ in range(draw(st.integers(1, 6))):
        at, other = (draw(st.integers(0, len(lines) - 1)) for _ in "ab")
        match draw(st.integers(0, 5)):
            case 0:
                lines.insert(at, lines[other])
            case 1:
                lines[at], lines[other] = lines[other], lines[at]
            case 2:
                del lines[at : at + 2]
                lines.append("")
            case 3:
                lines.insert(at, draw(st.sampled_from(ODD_WORDS)))
            case _:
                words = lines[at].split(" ")
                words[draw(st.integers(0, len(words) - 1))] = draw(st.sampled_from(ODD_WORDS))
                lines[at] = " ".join(words)
    return "\n".join(lines)


TORN = 40
"""How many lines of a log are left before it is torn: a hand or two, so that much fits nothing."""


def torn(text: str, dice: Random) -> str:
    """A log from which lines are cut, doubled, exchanged or shuffled, or into which others' come."""
    lines = text.split("\n")
    at = dice.randrange(max(1, len(lines) - TORN // 2))
    lines = [*(line for line in lines[:at] if line.startswith("[")), *lines[at : at + TORN]]
    for _ in range(dice.choice((1, 1, 2, 3, 5, 9))):
        at, other = sorted((dice.randrange(len(lines)), dice.randrange(len(lines))))
        match dice.randrange(6):
            case 0:
                del lines[at + 1 : other]
            case 1:
                lines[at], lines[other] = lines[other], lines[at]
            case 2:
                lines.insert(other, lines[at])
            case 3:
                lines.append(lines.pop(at))
            case 4:
                part = lines[at : at + 8]
                lines[at : at + 8] = dice.sample(part, len(part))
            case _:
                lines.insert(at, dice.choice(dice.choice(LOGS).split("\n")))
    return "\n".join(lines) + "\n"


def _parts(value: Any) -> list[tuple[Any, Any]]:
    """Every place of a value: what it is in, and the key or number there."""
    found: list[tuple[Any, Any]] = []
    todo = [value]
    while todo:
        one = todo.pop()
        inside = (
            list(one.items())
            if isinstance(one, dict)
            else list(enumerate(one))
            if isinstance(one, list)
            else []
        )
        found += [(one, key) for key, _ in inside]
        todo += [part for _, part in inside]
    return found


@st.composite
def mutants(draw: st.DrawFn, of: Any) -> Any:
    """A value with some of its parts of another type, left out, under other keys, or there once more."""
    value = deepcopy(draw(st.sampled_from(of)))
    for _ in range(draw(st.integers(1, 3))):
        parts = _parts(value)
        if not parts:
            return value
        inside, key = parts[draw(st.integers(0, len(parts) - 1))]
        how = draw(st.integers(0, 6))
        if how == 0:
            del inside[key]
        elif how == 1 and isinstance(inside, dict):
            inside[
                draw(st.sampled_from(["x", "", "A\n", "m1", "cards", "9" * 400, "2-99", "K-A"]))
            ] = inside.pop(key)
        elif how == 2:
            other, name = parts[draw(st.integers(0, len(parts) - 1))]
            inside[key] = deepcopy(other[name])
        else:
            inside[key] = deepcopy(draw(st.sampled_from(ODD_VALUES)))
    return value


CONDITIONS = sorted(set(re.findall(r"^ *(?:when|unless): (\S.*)$", COOKBOOK, re.MULTILINE)))
"""Conditions that tables play by, of one line."""
ODD_PARTS = (
    *(
        "and",
        "or",
        "not",
        "is",
        "in",
        "(",
        ")",
        "[",
        "]",
        ",",
        ".",
        "-",
        "+ 1",
        "* 2",
        "** 2",
        "/ 0",
        "'",
        '"',
        "`",
    ),
    *(
        "player.hand",
        "count(player.hand)",
        "sum(pile, .points)",
        "any(table, .size > 3)",
        "all(players, .cards > 2)",
    ),
    *(
        "min(1, 2)",
        "max(",
        "card.rank",
        "A",
        "[2-9, A]",
        "[A-2]",
        "99999",
        "100000",
        "9" * 5_000,
        "0x1",
        "1_0",
        "1e9",
    ),
    *(
        "\u0661",
        "\u00b2",
        "\uff11",
        "\u202e",
        "\x00",
        "\ud800",
        "\U0001f0a1",
        "ｃard",
        "__class__",
        "lambda: 0",
        "{x}",
        "%s",
    ),
    *(
        "not " * 60,
        "(" * 60,
        "- " * 60,
        "1 + " * 120 + "1",
        "count(" * 30,
        "if",
        "for",
        "true",
        "None",
        ".rank",
        "..",
        "a.b.c",
    ),
)


@st.composite
def conditions(draw: st.DrawFn) -> str:
    """A condition with some of its words left out, in another's place, moved, or odd."""
    words = draw(st.sampled_from(CONDITIONS)).split()
    for _ in range(draw(st.integers(0, 4))):
        place = draw(st.integers(0, len(words)))
        other = draw(st.sampled_from([*ODD_PARTS, *draw(st.sampled_from(CONDITIONS)).split()]))
        words[place : place + draw(st.integers(0, 2))] = [other]
    return " ".join(words)


@st.composite
def _house_rules(draw: st.DrawFn) -> str:
    rules = {}
    for number in range(draw(st.integers(1, 4))):
        actions = st.lists(
            st.sampled_from(["draw", "take", "meld", "lay", "discard", "end", "rummy"]),
            min_size=1,
            max_size=3,
        )
        key = draw(st.sampled_from(["forbid", "forbid", "forbid", "award"]))
        rule = {
            "says": draw(st.sampled_from(["No.", "\n\n::error::x", "##[x]", "9" * 5_000, "\u202e"]))
        }
        rule[key] = (
            draw(actions) if key == "forbid" else draw(st.one_of(st.just("5"), conditions()))
        )
        if key == "award" and draw(st.booleans()):
            rule["for"] = draw(actions)
        rule[draw(st.sampled_from(["when", "when", "unless"]))] = draw(conditions())
        rules[f"h{number}"] = rule
    return json.dumps({"id": "r", "extends": ["500-rummy"], "house_rules": rules})


house_rules = _house_rules()
rules = mutants(RULES).map(json.dumps)
cases = st.lists(mutants(CASES), min_size=1, max_size=3).map(
    lambda some: json.dumps({"cases": some})
)
positions = mutants([case["given"] for case in CASES if isinstance(case.get("given"), dict)]).map(
    json.dumps
)


def json_lines(objects: list[Any]) -> st.SearchStrategy[str]:
    """Lines of JSON, some of them not as they should be."""
    return st.lists(mutants(objects).map(json.dumps), min_size=1, max_size=12).map("\n".join)
