"""Writes what a new rule, key or code of the game needs in each of its places, for you to fill in.

    python building/skeletons.py key discard.after_call allowed forbidden
    python building/skeletons.py code discard.after-call discard.after_call=forbidden
    python building/skeletons.py rule discard.after-call discard.after_call=forbidden discard

A key has words, the first of which is what 500 Rummy says, or one number. A code is found where the key has
that word. A rule is about actions, by their words in the notation; it finds the code, which is written
with it, and gets two cases. What is left to you is marked, and the program lists it with its lines.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any, Final

from meldref.core.records import hints_of
from meldref.notation.actions import ACTIONS
from meldref.ruleset import model

ROOT: Final = Path(__file__).resolve().parent.parent
RULES: Final = "validator/meldref/rules"
LEFT: Final = "TODO"
"""What marks a place that is left to whoever asked for the skeleton."""


class Skeleton:
    """Writes into the files of a checkout, and keeps what is left to do."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.written: dict[str, str] = {}

    def read(self, name: str) -> str:
        """The text of a file, with what was written into it."""
        if name in self.written:
            return self.written[name]
        return (self.root / name).read_text(encoding="utf-8")

    def insert(self, name: str, at: int, text: str) -> None:
        """Puts a text into a file, at a character."""
        before = self.read(name)
        self.written[name] = before[:at] + text + before[at:]

    def append(self, name: str, text: str) -> None:
        """Puts a text at the end of a file."""
        self.written[name] = self.read(name).rstrip("\n") + "\n\n" + text

    def save(self) -> list[str]:
        """Writes the files, and says where something is left to do."""
        left: list[str] = []
        for name, text in self.written.items():
            (self.root / name).write_text(text, encoding="utf-8")
        modules = [name for name in self.written if name.endswith(".py")]
        if modules and find_spec("ruff") is not None:
            for command in (["check", "--quiet", "--select", "I", "--fix"], ["format", "--quiet"]):
                subprocess.run(
                    [sys.executable, "-m", "ruff", *command, *modules], cwd=self.root, check=True
                )
        for name in self.written:
            lines = (self.root / name).read_text(encoding="utf-8").splitlines()
            left += [
                f"{name}:{number}: {line.strip()}"
                for number, line in enumerate(lines, start=1)
                if LEFT in line
            ]
        return left


def write_key(skeleton: Skeleton, key: str, words: Sequence[str]) -> None:
    """The key in the schema, the base file and the model, with a pair of judgments and a sentence."""
    section, _, name = key.rpartition(".")
    number = words[0].isdigit()
    _write_schema(skeleton, key, words)

    base = "rulesets/500-rummy.yaml"
    _insert_in_block(skeleton, base, section, f"{name}: {words[0]}\n")

    home = "validator/meldref/ruleset/model.py"
    hint = "int" if number else f"Literal[{', '.join(json.dumps(word) for word in words)}]"
    kind = _class_of_section(section)
    fields = re.search(
        rf'class {kind}\b.*?\n(?:    \w+: [^\n]+\n(?:    """[^"]+"""\n)?)+',
        skeleton.read(home),
        re.DOTALL,
    )
    if fields is None:
        raise SystemExit(f"{home} has no class {kind} with fields: is {section!r} a section?")
    skeleton.insert(home, fields.end(), f"    {name}: {hint}\n")

    other = str(int(words[0]) + 1) if number else words[1]
    skeleton.append(
        "tests/cases/keys.yaml",
        f"""  - key: {key}
    value: {other}
    given: {{hands: {{A: "4s 5d Qc", B: "3c Kd 9s"}}, pile: "2c 7h"}}  # {LEFT}: a position in which it matters
    moves: ["A: draw; discard Qc"]
    base: {{verdict: legal}}
    changed: {{verdict: illegal}}
""",
    )
    texts = "".join(
        f'              {word}: "{LEFT}: said in the rulebook where it is {word}."\n'
        for word in words
    )
    said = (
        f"            - {LEFT} said in the rulebook, {{{key}}}\n"
        if number
        else f"            {key}:\n{texts}"
    )
    _insert_after_last_sentence(
        skeleton, section, f"        - about: [{key}]\n          text:\n{said}"
    )


def _write_schema(skeleton: Skeleton, key: str, words: Sequence[str]) -> None:
    schema = "rulesets/ruleset.schema.json"
    document = json.loads(skeleton.read(schema))
    section, _, name = key.rpartition(".")
    properties: dict[str, Any] = document["properties"]
    for part in section.split("."):
        if "properties" not in properties.get(part, {}):
            raise SystemExit(f"{schema} has no section {section!r}")
        properties = properties[part]["properties"]
    if name in properties:
        raise SystemExit(f"{schema} has {key} already")
    entry: dict[str, Any] = {"title": key, "description": f"{LEFT}: what {key} says."}
    if words[0].isdigit():
        first = int(words[0])
        entry |= {"type": "integer", "minimum": 0, "default": first, "examples": [first + 1]}
    else:
        entry |= {
            "type": "string",
            "enum": [*words],
            "enumDescriptions": [f"{LEFT}: what {word} means." for word in words],
            "default": words[0],
            "examples": [words[1]],
        }
    properties[name] = entry
    skeleton.written[schema] = json.dumps(document, indent=2, ensure_ascii=False) + "\n"


def _class_of_section(section: str) -> str:
    """The class of the model that holds a section's keys, by the names of the sections."""
    kind: Any = model.Ruleset
    for part in section.split("."):
        kind = getattr(model, hints_of(kind)[part])
    return str(kind.__name__)


def _insert_in_block(skeleton: Skeleton, name: str, section: str, line: str) -> None:
    """Puts a line at the end of a block of YAML, as deep as its other lines."""
    lines = skeleton.read(name).splitlines(keepends=True)
    at, depth = 0, 0
    for part in section.split("."):
        wanted = "  " * depth + part + ":"
        at = next(
            (number for number in range(at, len(lines)) if lines[number].startswith(wanted)), -1
        )
        if at < 0:
            raise SystemExit(f"{name} has no {section!r}")
        depth += 1
    end = at + 1
    while end < len(lines) and lines[end].startswith("  " * depth):
        end += 1
    skeleton.insert(name, sum(map(len, lines[:end])), "  " * depth + line)


def _insert_after_last_sentence(skeleton: Skeleton, section: str, sentence: str) -> None:
    """Puts a sentence behind the last that is about a key of a section."""
    name = "validator/meldref_authoring/rulebook/sentences.yaml"
    text = skeleton.read(name)
    about = [
        *re.finditer(rf"^      [- ] - about: \[[^\]]*{re.escape(section)}\.", text, re.MULTILINE)
    ]
    if not about:
        raise SystemExit(f"{name} says nothing about {section}: write the first sentence yourself")
    rest = re.compile(r"^ {0,8}\S", re.MULTILINE)
    after = rest.search(text, about[-1].end())
    before = text[: after.start()] if after else text
    # Above the blank line that stands before the next chapter.
    skeleton.insert(name, len(before.rstrip("\n")) + 1, sentence)


def write_code(skeleton: Skeleton, code: str, setting: str) -> str:
    """The code in the module of its family, with its page and its message; gives that module."""
    family, _, rest = code.partition(".")
    key, _, value = setting.partition("=")
    if not rest or not value:
        raise SystemExit(f"a code is FAMILY.NAME, and its setting KEY=VALUE, not {code} {setting}")
    module = _module_of(skeleton, family)
    last = [
        *re.finditer(
            r"^code\((?:\n.*?^\)|[^\n]*\))\n", skeleton.read(module), re.DOTALL | re.MULTILINE
        )
    ][-1]
    where = f'where=is_set("{key}", "{value}")'
    declared = f'code("{code}", {where}, evidence="conduct")'
    skeleton.insert(
        module, last.end(), f"# {LEFT}: the other facts of a code, which `Code` lists\n{declared}\n"
    )
    _import(skeleton, module, "meldref.rules.declare", "code", "is_set")
    skeleton.append(
        f"{RULES}/pages/{family}.md",
        f"""# {code}: {LEFT} what was done, in a few words

{LEFT}: what it means, in a sentence or two.

Why: {LEFT} the reason behind the rule.

Keys: {key}

Clauses: {LEFT} the numbered statements of docs/clauses.yaml that say so; leave the line out if none does

```illegal set={setting}
{{hands: {{A: "2c 9d"}}, pile: "7h"}}  # {LEFT}: a position, and moves that break only this rule
> A: take 7h; discard 7h
```

```legal set={setting}
{{hands: {{A: "2c 9d"}}, pile: "7h"}}  # {LEFT}: the same with moves that do not
> A: take 7h; discard 2c
```
""",
    )
    house, *inside = reversed(key.split("."))
    house = f"{house}: {value}"
    for section in inside:
        house = f"{section}: {{{house}}}"
    _insert_entry(
        skeleton,
        f"tests/errors/{family}.yaml",
        code,
        f"""{code}:
  given:
    house.yaml: |
      id: our-house
      name: How we play at the lake
      extends: [500-rummy]
      {house}
    log.rgn: |  # {LEFT}: a log that breaks only this rule
      [Rules "house.yaml"]
      [Players "Ann, Bob"]

      hand 1 dealer Bob
      up 6c
      1. Ann: take 6c; discard 6c
""",
    )
    return module


def _module_of(skeleton: Skeleton, family: str) -> str:
    """The module of rules that declares most codes of a family."""
    declared = {
        name: len(re.findall(rf'^code\(\s*"{family}\.', skeleton.read(name), re.MULTILINE))
        for path in sorted((skeleton.root / RULES).glob("*.py"))
        if (name := f"{RULES}/{path.name}")
    }
    best = max(declared, key=lambda name: declared[name])
    if not declared[best]:
        raise SystemExit(
            f"no module declares a code of the family {family!r}: begin one, and name it in MODULES "
            f"of {RULES}/registry.py and FAMILIES of {RULES}/pages/__init__.py"
        )
    return best


def write_rule(skeleton: Skeleton, code: str, setting: str, actions: Sequence[str]) -> None:
    """The rule with its code, and two cases."""
    module = write_code(skeleton, code, setting)
    key, _, value = setting.partition("=")
    kinds = {form.word: form.kind.__name__ for form in ACTIONS}
    unknown = [word for word in actions if word not in kinds]
    if unknown:
        raise SystemExit(f"{unknown[0]!r} is no action: {', '.join(kinds)}")
    classes = [kinds[word] for word in actions]
    family, _, rest = code.partition(".")
    name = rest.replace("-", "_").replace(".", "_")
    kind = " | ".join(classes)
    skeleton.append(
        module,
        f"""
@rule("{code}", actions=({", ".join(classes)},), stage=Stage.PLAY)
def {name}(binding: Binding) -> Check[{kind}] | None:
    \"\"\"{LEFT}: what the rule says, and the clause it comes from.\"\"\"
    if binding.ruleset.{key} != "{value}":
        return None

    def check(position: Position, action: {kind}) -> Violation | Undecided | None:
        is_wrong = False  # {LEFT}: what makes it wrong; Undecided where unseen cards decide
        if is_wrong:
            return Violation("{code}", "{LEFT}: what is wrong, as a player says it", key="{key}")
        return None

    return check
""",
    )
    _import(skeleton, module, "meldref.core.events", *classes)
    _import(skeleton, module, "meldref.position.model", "Position")
    _import(skeleton, module, "meldref.rules.base", "Binding", "Check", "Undecided", "Violation")
    _import(skeleton, module, "meldref.rules.declare", "Stage", "rule")
    cases = f"tests/cases/{family}.yaml"
    skeleton.append(
        cases if (skeleton.root / cases).exists() else "tests/cases/added.yaml",
        "\n".join(
            f"""  - id: {family}-{rest}-{verdict}
    name: "{LEFT}: what happens"
    clauses: []
    rules: 500-rummy
    set: {{{key}: {value}}}
    given: {{hands: {{A: "4s 5d Qc", B: "3c Kd 9s"}}, pile: "2c 7h"}}
    moves: ["A: take 7h; discard Qc"]  # {LEFT}: {verdict}
    expect: {{{expected}}}
"""
            for verdict, expected in (
                ("legal", "verdict: legal"),
                ("illegal", f"verdict: illegal, at: 1, because: {code}"),
            )
        ),
    )


def _insert_entry(skeleton: Skeleton, name: str, key: str, entry: str) -> None:
    """Puts an entry into a file of entries that are in the order of the alphabet."""
    heads = [*re.finditer(r"^([a-z][\w.-]*):$", skeleton.read(name), re.MULTILINE)]
    behind = next((head.start() for head in heads if head[1] > key), None)
    if behind is None:
        skeleton.append(name, entry)
    else:
        skeleton.insert(name, behind, entry + "\n")


def _import(skeleton: Skeleton, module: str, home: str, *names: str) -> None:
    """Imports names into a module that it does not have yet; Ruff puts them in their place."""
    text = skeleton.read(module)
    missing = [
        name for name in names if not re.search(rf"import[^#]*?\b{name}\b", text.split("\n\n\n")[0])
    ]
    if missing:
        at = text.index("from meldref.")
        skeleton.insert(module, at, f"from {home} import {', '.join(missing)}\n")


def main(arguments: Sequence[str] | None = None) -> int:
    """Writes a skeleton, and lists what is left to do."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--root", type=Path, default=ROOT, help=argparse.SUPPRESS)
    kinds = parser.add_subparsers(dest="kind", required=True)
    key = kinds.add_parser("key", help="a key of rules files")
    key.add_argument("key")
    key.add_argument("words", nargs="+", help="its words, the default first, or a number")
    code = kinds.add_parser("code", help="a code of findings")
    rule = kinds.add_parser("rule", help="a rule, with its code")
    for parts in (code, rule):
        parts.add_argument("code", help="as discard.after-call")
        parts.add_argument("setting", help="the key and value under which it is found")
    rule.add_argument("actions", nargs="+", help="the actions it is about, as discard")
    options = parser.parse_args(arguments)

    skeleton = Skeleton(options.root)
    if options.kind == "key":
        if len(options.words) == 1 and not options.words[0].isdigit():
            parser.error("a key has a number, or two words or more")
        write_key(skeleton, options.key, options.words)
    elif options.kind == "code":
        write_code(skeleton, options.code, options.setting)
    else:
        write_rule(skeleton, options.code, options.setting, options.actions)
    print("Written. What is left to do:")
    for place in skeleton.save():
        print(f"  {place}")
    print(
        "Then: tests/errors/regenerate.py, if there is a code; just docs; just test tests/unit/rules; "
        "and just sweeps tests/unit/rules, of which that runs only some"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
