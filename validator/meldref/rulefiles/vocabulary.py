"""The schema of rules files, the one home of their keys: which there are and what they mean."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final, cast

from meldref.core.json_schema import JsonSchema, Node
from meldref.core.records import record

if TYPE_CHECKING:
    from meldref.documents.reader import Path, Value

Schema = Node
SCHEMA: Final = JsonSchema("rulesets", "ruleset.schema.json")
is_valid = SCHEMA.is_valid
_RANKS = frozenset(["A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "10", "J", "Q", "K"])
_WRITE = "Write "
_BOUNDS: Final = {"minimum": "from", "maximum": "to"}

HANDS = "hands"
ANY_NAME = "…"
"""In a key path: a name that the ruleset gives itself, such as that of a kind of meld."""


@record
class Word:
    """A word that a key takes, and what it says there."""

    value: str
    text: str


@record
class Key:
    """A key of the vocabulary.

    `takes` says what can be written for it, `words` what each word means that it takes, `entries`
    what the names in a table are. `default` is its value where no file sets it; None for a section,
    and where there is none. `least` and `most` bound its number; None where it takes none.
    """

    path: str
    text: str
    takes: str
    words: tuple[Word, ...] = ()
    entries: str = ""
    default: Value = None
    examples: tuple[Value, ...] = ()
    section: bool = False
    least: int | None = None
    most: int | None = None


def schema() -> Schema:
    """The schema of a rules file, as data."""
    return SCHEMA.root


def key_paths() -> dict[str, Schema]:
    """Every key that can be set by its path, with its schema, in the order of the schema."""
    return dict(_paths("", schema()))


def _paths(prefix: str, node: Schema) -> Iterator[tuple[str, Schema]]:
    for key, part in node.get("properties", {}).items():
        path = f"{prefix}{key}"
        if "properties" in part:
            yield from _paths(f"{path}.", part)
        else:
            yield path, part


def node_of(path: Path) -> Schema | None:
    """What the schema says of a key path; None where it has no such key."""
    node = schema()
    for part in path:
        node = SCHEMA.resolved(node).get("properties", {}).get(part)
        if node is None:
            return None
    return node


def list_keys() -> Iterator[Key]:
    """Every key, each section before what is in it, in the order of the schema."""
    yield from _below("", schema())


def describe_key(path: str) -> Key | None:
    """The key of a path such as `draw.deep.must` or `melds.kinds.group.size`.

    None where there is none.
    """
    node = schema()
    shown = []
    for name in path.split("."):
        properties = _properties(node)
        if name in properties:
            node = properties[name]
            shown.append(name)
        elif (entry := _entry(node)) is not None:
            node = entry
            shown.append(name)
        else:
            return None
    return _key(".".join(shown), SCHEMA.resolved(node))


def _below(prefix: str, node: Schema) -> Iterator[Key]:
    for name, part in _properties(node).items():
        path = f"{prefix}{name}"
        yield _key(path, SCHEMA.resolved(part))
        yield from _below(f"{path}.", part)
        entry = _entry(part)
        if entry is not None and path != HANDS:  # the same keys again
            yield from _below(f"{path}.{ANY_NAME}.", entry)


def _properties(node: Schema) -> dict[str, Schema]:
    """The keys that stand in a mapping.

    Those of a kind of meld stand beside the word that takes one away.
    """
    node = SCHEMA.resolved(node)
    return cast(
        "dict[str, Schema]", node.get("properties") or node.get("else", {}).get("properties", {})
    )


def _entry(node: Schema) -> Schema | None:
    """The schema of each entry in the table of kinds, or in the list of cases.

    None for any other key.
    """
    for keyword in ("additionalProperties", "items"):
        inner = node.get(keyword)
        if isinstance(inner, dict) and _properties(inner):
            return cast("Schema", inner)
    return None


def _key(path: str, node: Schema) -> Key:
    number = node if node.get("type") == "integer" else node.get("else", {})
    names = {**node, **node.get("then", {})}.get("propertyNames", {})
    return Key(
        path=path,
        text=str(node["description"]),
        takes=takes(node),
        words=tuple(words_of(node)),
        entries=str(names.get("description", "")),
        default=node.get("default"),
        examples=tuple(node.get("examples", ())),
        section="properties" in node,
        least=number.get("minimum"),
        most=number.get("maximum"),
    )


def words_of(node: Schema) -> Iterator[Word]:
    """The words that a key takes, alone, in a list, or beside numbers; not the ranks of cards."""
    for part in (node, node.get("then", {}), node.get("else", {})):
        for value, text in zip(part.get("enum", ()), part.get("enumDescriptions", ()), strict=True):
            if value not in _RANKS:
                yield Word(value, text)
    for keyword in ("items", "additionalProperties"):
        inner = node.get(keyword)
        if isinstance(inner, dict):
            yield from words_of(SCHEMA.resolved(inner))
    if "only" in node.get("then", {}).get("properties", {}):
        yield Word("only: […]", node["then"]["properties"]["only"]["description"])


def takes(node: Schema) -> str:
    """What can be written for a key, in words."""
    form = form_of(node)
    if form:
        return form
    if "enum" in node:
        return "one of these words"
    if node.get("type") == "integer":
        bounds = [f"{word} {node[key]}" for key, word in _BOUNDS.items() if key in node]
        return " ".join(("a whole number", *bounds))
    if node.get("type") == "array":
        each = form_of(SCHEMA.resolved(node.get("items", {})))
        if each:
            return f"a list, each {each}"
        return "a list of these words" if list(words_of(node)) else "a list"
    if isinstance(node["type"], list):
        return "text or a number"
    if "propertyNames" in node:
        return f"a table, each value {form_of(SCHEMA.resolved(node['additionalProperties']))}"
    return {"object": "keys and values", "string": "text", "boolean": "true or false"}[node["type"]]


def form_of(node: Schema) -> str:
    """What a key takes that takes more than one thing, as editors say it; nothing for any other."""
    for part in (node, node.get("then", {}), node.get("else", {})):
        keyword = "patternErrorMessage" if "pattern" in part else "errorMessage"
        message = str(part.get(keyword, ""))
        if message.startswith(_WRITE):
            return message.removeprefix(_WRITE).removesuffix(".")
    return ""
