"""What a value or a name of a rules file was probably meant to be.

Each finder is a way in which people write something that the schema does not take, and offers what
to write instead. The schema is the judge: the first offer that it takes is what was meant.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Final, TypeAlias

from meldref.core.meant import nearest
from meldref.documents.reader import Value, quote_text, read_yaml
from meldref.rulefiles.advice import Rewriting
from meldref.rulefiles.files import list_rulesets
from meldref.rulefiles.merge import flow
from meldref.rulefiles.vocabulary import Schema, is_valid, node_of

_NO: Final = ("none", "never", "nothing", "nobody", "forbidden")
"""Words of the vocabulary that say no."""
_SAID_NO: Final = frozenset(("no", "off", "false"))
_SAID_YES: Final = frozenset(("yes", "on", "true"))
_SAID_ANY: Final = frozenset(
    ("many", "all", "every", "unlimited", "infinite", "no limit", "no-limit")
)
_NOUGHT: Final = frozenset(("none", "nothing", "never", "zero", *_SAID_NO))
_RANKS: Final = (*"A23456789TJQK", "10", "joker", "wild")
_LONGEST: Final = 1_000
"""Longer texts were not meant for anything shorter."""
_SOME_ID: Final = "an-id"
"""What fits wherever an id does, and no table of cards or players."""
_QUOTES: Final = "“”„\"'‘’ "
_RANGE: Final = re.compile(r"(\w+)\s*(?:-|–|—|−|\.\.+|\bto\b|\bor\b)\s*(\w+)")
_COMMENT: Final = re.compile(
    r"(?P<value>(?P<number>[-+]?[0-9]+)|[A-Za-z][\w-]*)(?P<gap>\s*)(?P<sign>#|//|--|;|\()?"
    r"(?(number)(?(sign)|(?<=\s))|(?(sign)|(?!)))\s*(?P<text>.+)",
    re.DOTALL,
)
"""A number and what follows after spaces or a sign, or a word and what follows after a sign."""
_BETWEEN: Final = re.compile(r"\s*[,;+&]\s*|\s+and\s+|(?:^|\s+)-(?=\S)")
_ENTRY: Final = re.compile(r"([A-Za-z][\w-]*)(?:\s*([:=])\s*|\s+)(\S.*)")
_SIGNS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
_CARD: Final = re.compile(
    r"(\w+?)\s*(?:\bof\s+)?(clubs?|diamonds?|hearts?|spades?|[♣♦♥♠])\ufe0f?", re.IGNORECASE
)
"""A rank, and a suit in words or by its sign."""
_GLUED: Final = re.compile(r"([\w-]+):(\w+)")

_Finder: TypeAlias = Callable[[Value, Schema], Iterable[Rewriting]]


def rewriting(value: Value, node: Schema, *, is_name: bool = False) -> Rewriting | None:
    """What to write instead of a value, or of the name of a key, that a schema does not take.

    None if no finder has anything that the schema takes, or if the value is a long text.
    """
    if isinstance(value, str) and len(value) > _LONGEST:
        return None
    for find in _FINDERS:
        for offer in find(value, node):
            if is_name:
                fits = is_valid(offer.text, node)
            else:
                document, _ = read_yaml(offer.text, "")
                fits = document is not None and is_valid(document.value, node)
            if fits:
                return offer
    return None


def entry_in(text: str, names: Iterable[str]) -> Rewriting | None:
    """A key with its value, for a text that lacks the colon, or the space after it."""
    match = _ENTRY.fullmatch(text.strip())
    key = None if match is None else nearest(match[1], names)
    if match is None or key is None or not key.sure:
        return None
    why = {
        ":": f"a space is missing after the colon of {match[1]}",
        "=": "a colon goes between a key and its value",
    }.get(match[2], f"a colon is missing after {match[1]}")
    return Rewriting(f"{key.text}: {match[3]}", why=why)


def _of_one_item(value: Value, _: Schema) -> Iterator[Rewriting]:
    """A list around a single value."""
    if isinstance(value, list) and len(value) == 1 and not isinstance(value[0], bool):
        yield Rewriting(flow(value[0]))


def _word(value: Value, node: Schema) -> Iterator[Rewriting]:
    """Another word for one that the key takes."""
    parts = (node, node.get("then", {}), node.get("else", {}))
    words = [word for part in parts for word in part.get("enum", ())]
    text = value if isinstance(value, str) else json.dumps(value)
    plain = text.strip(_QUOTES).lower()
    negative = [word for word in words if word in _NO]
    if plain in _SAID_NO and len(negative) == 1:
        yield Rewriting(negative[0])
    if plain in _SAID_YES and "allowed" in words:
        yield Rewriting("allowed")
    if plain in _SAID_ANY and "any" in words:
        yield Rewriting("any")
    meant = nearest(text, words) if isinstance(value, str) else None
    if meant is not None:
        yield Rewriting(meant.text, meant.sure)
    elif plain in _NO and len(negative) == 1:
        yield Rewriting(negative[0], sure=False)


def _range(value: Value, _: Schema) -> Iterator[Rewriting]:
    """A range with other signs than a hyphen, with spaces, or from the last to the first."""
    match = _RANGE.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is None:
        return
    if match[1].isdecimal() and match[2].isdecimal():
        low, high = sorted(match.groups(), key=int)
        yield Rewriting(f"{low}-{high}")
    ends = [nearest(end, _RANKS) for end in match.groups()]
    yield Rewriting("-".join(end.text for end in ends if end is not None))


def _number(value: Value, node: Schema) -> Iterator[Rewriting]:
    """A number in quotes or in other digits, or a word for nought."""
    if not isinstance(value, str):
        return
    text = value.strip(_QUOTES)
    if text.lower() in _NOUGHT:
        yield from _nought(node)
    if re.fullmatch(r"[0-9]{1,3}([,_ '’][0-9]{3})+", text):
        yield Rewriting(re.sub(r"\D", "", text))
    if re.fullmatch(r"[-+]?[0-9]{1,18}", text):
        yield Rewriting(str(int(text)))
    if re.fullmatch(r"[0-9]{1,18}\s*%", text):
        yield Rewriting(text.rstrip("% "), sure=False)


def _nought(node: Schema) -> Iterator[Rewriting]:
    """Nothing, as the number of a key: no doubt of an amount, or of what an entry of a table is.

    Where the key has a word, that may be meant as well. What can be below nought has no least.
    """
    is_entry = "default" not in node
    words = tuple(node.get("then", {}).get("enum", ()))
    if is_entry or node.get("minimum") == 0:
        yield Rewriting("0")
    elif words:
        yield Rewriting("0", sure=False, others=words)


def _commented(value: Value, _: Schema) -> Iterator[Rewriting]:
    """A value with a comment that does not begin with #."""
    match = _COMMENT.fullmatch(value.strip()) if isinstance(value, str) else None
    if match is not None:
        gap = match["gap"] or " "
        text = f"{match['value']}{gap}# {match['text']}"
        yield Rewriting(text, why="a comment begins with #")


def _text(value: Value, _: Schema) -> Iterator[Rewriting]:
    """Texts that YAML reads as numbers, or as keys and values because of a colon in them."""
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        yield Rewriting(quote_text(str(value)))
    texts: list[str] = []
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, dict) and all(isinstance(text, str) for text in part.values()):
            texts += [f"{key}: {text}" for key, text in part.items()]
        elif isinstance(part, str):
            texts.append(part)
    quoted = ", ".join(map(quote_text, texts))
    if not isinstance(value, str) and quoted:
        why = "a text with a colon needs quotes"
        yield Rewriting(quoted, why=why)
        yield Rewriting(f"[{quoted}]", why=why)


def _list(value: Value, node: Schema) -> Iterator[Rewriting]:
    """A list without its brackets, or without the spaces after its dashes."""
    if not isinstance(value, (str, int)) or isinstance(value, bool):
        return
    text = str(value).strip()
    if re.search(r":(\s|$)", text):
        yield Rewriting(f"[{', '.join(map(quote_text, text.splitlines()))}]")
    part = node.get("else", node)
    names = part.get("items", {}).get("enum", ())
    items = [item for item in _BETWEEN.split(text) if item]
    if node in (node_of(("extends",)), node_of(("excludes",))):
        items = [_shipped_id(item) for item in items]
    meant: list[str] = []
    for item in items:
        near = nearest(item, names)
        meant.append(item if near is None else near.text)
    yield Rewriting(f"[{', '.join(meant)}]", sure=meant == items)


def _shipped_id(name: str) -> str:
    """The id of a shipped ruleset for its name with spaces or capitals; else the name itself."""
    text = _id_of(name)
    return text if any(one.id == text for one in list_rulesets()) else name


def _entry(value: Value, node: Schema) -> Iterator[Rewriting]:
    """A key with its value in a section, with something else than a colon between the two.

    Or entries of a table, without a space after their colons.
    """
    if not isinstance(value, str):
        return
    entry = entry_in(value, node.get("properties", ()))
    if entry is not None:
        yield Rewriting(f"{{{entry.text}}}", why=entry.why)
    glued = [_GLUED.fullmatch(part) for part in value.split()]
    pairs = [(match[1], match[2]) for match in glued if match is not None]
    if pairs and len(pairs) == len(glued):  # lines of a table
        why = f"a space is missing after the colon of {pairs[0][0]}"
        yield Rewriting(f"{{{', '.join([f'{name}: {item}' for name, item in pairs])}}}", why=why)


def _section(value: Value, node: Schema) -> Iterator[Rewriting]:
    """The value, or the name, of a single key where a section belongs."""
    section = node if "properties" in node else node.get("else", {})
    properties: Mapping[str, Schema] = section.get("properties", {})
    if isinstance(value, (dict, list)) or value is None:
        return
    if {"min", "max"} <= properties.keys():
        low, _, high = next(iter(_range(value, node)), Rewriting(str(value))).text.partition("-")
        yield Rewriting(f"{{min: {low}, max: {high or low}}}")
    example = properties.get(str(value), {}).get("examples")
    if example:
        yield Rewriting(f"{{{value}: {flow(example[0])}}}", sure=False)
    fitting: list[str] = []
    for name, part in properties.items():
        if is_valid("", part):  # what takes any text was not meant more than other keys
            continue
        within = Rewriting(flow(value)) if is_valid(value, part) else rewriting(value, part)
        if within is not None:
            fitting.append(f"{{{name}: {within.text}}}")
    if fitting:
        yield Rewriting(fitting[0], sure=len(fitting) == 1)


def _id(value: Value, node: Schema) -> Iterator[Rewriting]:
    """A name with capitals, spaces or other signs."""
    if isinstance(value, str) and re.search(r"[A-Za-z]", value) and is_valid(_SOME_ID, node):
        yield Rewriting(_id_of(value), sure=value.isascii())


def _id_of(name: str) -> str:
    """A name in small letters, digits and hyphens."""
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")[:60]


def _rank(value: Value, _: Schema) -> Iterator[Rewriting]:
    """A rank in words, the number 1 for an ace, or a card with the sign of its suit."""
    if value == "1":
        yield Rewriting("A", sure=False)
    card = _CARD.fullmatch(value.strip(_QUOTES)) if isinstance(value, str) else None
    if card is not None:
        rank, suit = nearest(card[1], _RANKS), _SIGNS.get(card[2], card[2][0].lower())
        yield from [] if rank is None else [Rewriting(f"{rank.text}{suit}", rank.sure)]
    meant = nearest(value, _RANKS) if isinstance(value, str) else None
    if meant is not None:
        yield Rewriting(meant.text, meant.sure)


_FINDERS: Final[tuple[_Finder, ...]] = (
    _of_one_item,
    _word,
    _range,
    _number,
    _commented,
    _text,
    _list,
    _entry,
    _section,
    _id,
    _rank,
)
"""The ways of writing something wrongly, in the order in which they are tried."""
