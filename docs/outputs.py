"""The page about the JSON that commands write: each key from the schema, each example from the command itself.

`python docs/generate.py json` writes it.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from blocks import CUT, ROOT, Shell

SCHEMA: Final = ROOT / "docs" / "output.schema.json"

WIDE: Final = 100
SHOWN: Final = 2
"""The most objects of a list, and keys of a table, that are shown."""
LONG: Final = 5
"""The most words of a list that are shown."""
MANY: Final = 40
"""From so many keys on an object is a table, such as one of all cards."""

Schema = Mapping[str, Any]

OUTPUTS: Final = (
    ("audit", "audit LOG…", "audit examples/disputed.rgn"),
    (
        "legal-move",
        "legal MOVE",
        'legal "take 4c; discard 2c" --hand "4d 4h 9h 2c" --pile "6s 4c Qs 7h"',
    ),
    ("legal-moves", "legal, without MOVE", "legal --position examples/position.yaml"),
    ("melds", "melds CARDS", 'melds "7h 7d 8d 9d Jk"'),
    ("best", "best CARDS", 'best "5h 6h 7h 8c 8d Jk 2s"'),
    ("score-hand", "score --laid CARDS", 'score --laid "5h 6h 7h" --held "2c"'),
    (
        "score-sheet",
        "score LOG, score --hand SCORES",
        'score --hand "Ann 45, Bob -20" --hand "Ann 460, Bob 85"',
    ),
    ("score-standings", "score LOG LOG…", "score examples/evening.rgn examples/500-rum.rgn"),
    ("replay", "replay LOG", "replay examples/disputed.rgn --at 14"),
    ("fmt", "fmt --check LOG…", "fmt --check examples/disputed.rgn"),
    ("explain", "explain CODE", "explain discard.taken-top"),
    ("explain-list", "explain, without CODE or with a family", "explain draw.top"),
    ("explain-house", "explain house.NAME", "explain house.contract-alone --rules contract-rummy"),
    ("explain-house-list", "explain house", "explain house --rules contract-rummy"),
    ("rules-list", "rules list", ""),
    ("rules-show", "rules show RULESET", "rules show examples/our-house.yaml"),
    (
        "rules-explain",
        "rules explain KEY",
        "rules explain game.target --rules examples/our-house.yaml",
    ),
    ("rules-explain-list", "rules explain, without KEY", "rules explain"),
    ("rules-check", "rules check FILE…", "rules check lake.yaml"),
    ("rules-test", "rules test FILE…", "rules test examples/our-house.yaml"),
    ("rules-diff", "rules diff A B", "rules diff 500-rummy examples/our-house.yaml"),
    ("rules-infer", "rules infer LOG…", "rules infer examples/500-rum.rgn"),
    ("rules-compare", "rules compare A B", "rules compare 500-rummy 500-rum --hands 20 --quiet"),
)
"""What commands write: its name in the schema, the command as a heading, and an example."""

INTRODUCTION: Final = """\
`--format json` writes one object to standard output; unusable input is reported on standard error, and the exit
status is the same as with text output. Keys may be added; none is removed or changes its meaning, so a program
should ignore keys that it does not know. All of it is ASCII, with other letters as `\\u…`.

The [schema](output.schema.json) says the same as this page, in JSON Schema: each of its `$defs` with the name of a
command is what that command writes. The tests check every command against it, and this page is generated from it.
`meldref convert` and `meldref simulate --to json` write logs, which have [a schema of their own](programs.md).

In the examples, `"…"` stands for what was cut, numbers are rounded, and lines are broken for readability. The
commands are run in a folder with this file and `examples`:"""

RULES: Final = """\
id: lake
name: How we play at the lake
extends: [500-rummy]
game: {taget: 1000}
"""

SHARED: Final = """\
## Shared parts

What stands in more than one of them."""


def page(mark: str) -> str:
    """The page, `mark` on top."""
    schema: Schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    parts = schema["$defs"]
    shown = {name for name, _, _ in OUTPUTS}
    said = [
        mark,
        "# JSON of every command",
        INTRODUCTION,
        f"```yaml file=lake.yaml wrong\n{RULES}```",
    ]
    with TemporaryDirectory() as folder:
        shell = Shell(Path(folder))
        (Path(folder) / "lake.yaml").write_text(RULES, encoding="utf-8")
        for name, heading, command in OUTPUTS:
            said += [
                f"## {heading}",
                parts[name]["description"],
                *_example(command, shell),
                *keys_of(parts[name]),
            ]
    said.append(SHARED)
    for name, part in parts.items():
        if name not in shown and "anyOf" not in part and not name.endswith(("-end", "-line")):
            said += [f"### {_title(name)}", part["description"], *keys_of(part)]
    return "\n\n".join(said) + "\n"


def _title(name: str) -> str:
    return re.sub("[-_]", " ", name)


def _example(command: str, shell: Shell) -> Iterator[str]:
    """The command, and what it writes, in lines of bearable length."""
    if not command:
        return
    line = f"meldref {command} --format json"
    data = json.loads(shell.run(line))
    yield f"```sh\n{line}\n```"
    yield f"```json\n{written(shortened(data))}\n```"


def shortened(data: object) -> object:
    """The data with long lists, tables and texts cut, and numbers rounded."""
    if isinstance(data, dict):
        if "meldref" in data:  # the version, which another build says otherwise
            data = {**data, "meldref": CUT}
        names = list(data)
        keys = len(names) > LONG and all("." in name for name in names)
        table = keys or len(names) > MANY
        kept = {name: shortened(data[name]) for name in names[: SHOWN if table else None]}
        return {**kept, CUT: CUT} if table else kept
    if isinstance(data, list):
        most = SHOWN if any(isinstance(one, dict | list) for one in data) else LONG
        kept_items = [shortened(one) for one in data[:most]]
        return [*kept_items, CUT] if len(data) > most else kept_items
    if isinstance(data, float):
        return round(data, 2)
    if isinstance(data, str) and len(data) > WIDE:
        return data[: WIDE - 20].rpartition(" ")[0] + f" {CUT}"
    return data


def written(data: object, indent: int = 0, before: int = 0) -> str:
    """Data as JSON, on one line where it fits; `before` is what stands before it on its line."""
    flat = json.dumps(data, ensure_ascii=False)
    if indent + before + len(flat) <= WIDE or not isinstance(data, dict | list) or not data:
        return flat
    inner = " " * (indent + 2)
    if isinstance(data, dict):
        names = {key: json.dumps(key, ensure_ascii=False) + ": " for key in data}
        lines = [
            f"{inner}{name}{written(data[key], indent + 2, len(name) + 1)}"
            for key, name in names.items()
        ]
    else:
        lines = [f"{inner}{written(one, indent + 2, 1)}" for one in data]
    opening, closing = "{}" if isinstance(data, dict) else "[]"
    return f"{opening}\n" + ",\n".join(lines) + f"\n{' ' * indent}{closing}"


def keys_of(part: Schema, absent: str = "not always there") -> Iterator[str]:
    """The keys of an object as a list, those of inner objects below their own.

    `absent` is said of those that need not be there.
    """
    lines = list(_listed(part, 0, absent))
    if lines:
        yield "\n".join(lines)


def _listed(part: Schema, depth: int, absent: str) -> Iterator[str]:
    required = part.get("required", ())
    for key, one in part.get("properties", {}).items():
        sometimes = "" if key in required else f", {absent}"
        text = one.get("description", "").strip()
        said = f": {text}" if text else ""
        yield f"{'  ' * depth}- `{key}` ({_type(one)}{sometimes}){said}"
        for inner in _inner(one):
            yield from _listed(inner, depth + 1, absent)
    if not part.get("properties") and isinstance(part.get("additionalProperties"), dict):
        for inner in _inner(part):
            yield from _listed(inner, depth, absent)


def _inner(one: Schema) -> Iterator[Schema]:
    """The objects in a value that are described where it is."""
    if "properties" in one:
        yield one
    for key in ("items", "additionalProperties"):
        if isinstance(one.get(key), dict):
            yield from _inner(one[key])
    for choice in (*one.get("anyOf", ()), *one.get("oneOf", ())):
        yield from _inner(choice)


def _type(one: Schema) -> str:
    """What a value is, in words."""
    if "$ref" in one:
        file, _, path = one["$ref"].partition("#")
        name = _title(path.rpartition("/")[2])
        return f"[{name}]({'json.md' if file else ''}#{name.replace(' ', '-')})"
    if "enum" in one:
        return " or ".join(f"`{word}`" for word in one["enum"])
    for either in ("anyOf", "oneOf"):
        if either in one:
            return " or ".join(map(_type, one[either]))
    types = one.get("type", "any value")
    return " or ".join(
        _type_of(type_, one) for type_ in ([types] if isinstance(types, str) else types)
    )


def _type_of(type_: str, one: Schema) -> str:
    match type_:
        case "array":
            items = one.get("items") or {}
            return f"list of {_type(items)}" if "$ref" in items or items.get("type") else "list"
        case "object" if isinstance(one.get("additionalProperties"), dict):
            return f"object of {_type(one['additionalProperties'])}"
        case _:
            return _WORDS.get(type_, type_)


_WORDS: Final = {"integer": "whole number", "string": "text", "boolean": "true or false"}
