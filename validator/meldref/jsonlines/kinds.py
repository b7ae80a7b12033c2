"""What values in a line of JSON may be: each kind makes what an event holds of a value, or says what is wrong.

The same patterns and bounds stand in `grammar/events.schema.json`; the tests compare the two.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final, TypeAlias, TypeVar

from meldref.core.cards import RANKS, played_text
from meldref.jsonlines.places import JsonError, Object, Odd, Path
from meldref.notation import spelling
from meldref.notation.grammar import parse_cards
from meldref.notation.reader import read_line
from meldref.notation.scanner import BLANKS
from meldref.notation.syntax import meant

Kind: TypeAlias = "Callable[[object, Path, list[JsonError]], Any]"
"""Takes a value, where it stands, and the faults so far; what it returns is of use only without faults."""

_Row = TypeVar("_Row")

MOST: Final = 999_999_999
MANY: Final = 4_096
"""The most items of a list: a line of the notation has no room for more."""

_CONTROL: Final = re.compile(r"[\x00-\x08\x0A-\x1F\x7F\ud800-\udfff]")
_CARD: Final = r"(?:[A2-9TJQK][cdhs]|Jk)"
_FORMS: Final = {
    "card": re.compile(_CARD),
    "card or ?": re.compile(rf"{_CARD}|\?"),
    "card or ?*7": re.compile(rf"{_CARD}|\?(?:\*[1-9][0-9]{{0,2}})?"),
    "card as it is laid": re.compile(rf"{_CARD}(?:=[A2-9TJQK][cdhs]?)?"),
}
_CODE: Final = re.compile(r"[a-z][a-z0-9]*(?:[.-][a-z0-9]+)*")
_KEY: Final = re.compile(r"[A-Za-z][\w-]*")


def named(value: object) -> str:
    """A value's type in words, for messages."""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, Odd):
        return f"`{value.text[:20]}{'…' if len(value.text) > 20 else ''}`"
    if isinstance(value, int):
        return f"`{value}`"
    if isinstance(value, str):
        return f'`"{value[:20]}{"…" if len(value) > 20 else ""}"`'
    return "null" if value is None else "a list" if isinstance(value, list) else "an object"


def text(value: object, path: Path, faults: list[JsonError], *, without: str = '"') -> str:
    """A text without control characters, and without some other characters."""
    if not isinstance(value, str):
        faults.append(JsonError(path, f"a text is wanted here, not {named(value)}"))
        return ""
    odd = _CONTROL.search(value)
    if odd:
        faults.append(JsonError(path, f"a text of a log has no U+{ord(odd[0]):04X}"))
    faults += [
        JsonError(path, f"the notation has no way to write `{character}` here")
        for character in without
        if character in value
    ]
    return value


comment: Final[Kind] = partial(text, without="")
annotation: Final[Kind] = partial(text, without="{}")


def verbatim(value: object, path: Path, faults: list[JsonError]) -> str:
    """A line as it stands: anything but an end of line, and not nothing."""
    if not isinstance(value, str):
        faults.append(JsonError(path, f"a text is wanted here, not {named(value)}"))
        return ""
    if not value.strip(BLANKS):
        faults.append(JsonError(path, 'a blank line is {"event": "blank"}'))
    if "\n" in value or any("\ud800" <= character <= "\udfff" for character in value):
        faults.append(JsonError(path, "one line of a log is wanted here, without its end"))
    return value


def remark(value: object, path: Path, faults: list[JsonError]) -> str:
    """A line that says nothing of the game: a comment, or what else may end a line, by itself."""
    before = len(faults)
    found = verbatim(value, path, faults)
    if len(faults) == before:
        line, findings = read_line(found)
        if findings or line.event is not None:
            faults.append(JsonError(path, "a line that is only a comment, such as `# late`, is wanted here"))
    return found


def number(value: object, path: Path, faults: list[JsonError], *, least: int, most: int = MOST) -> int:
    """A whole number within bounds."""
    if isinstance(value, bool) or not isinstance(value, int):
        wanted = f"a whole number from {least:,} to {most:,}" if isinstance(value, Odd) else "a whole number"
        faults.append(JsonError(path, f"{wanted} is wanted here, not {named(value)}"))
        return 0
    if not least <= value <= most:
        faults.append(
            JsonError(path, f"a whole number from {least:,} to {most:,} is wanted here, not {named(value)}")
        )
    return value


count: Final[Kind] = partial(number, least=0)
points: Final[Kind] = partial(number, least=-MOST)
counter: Final[Kind] = partial(number, least=1, most=999)


def word(value: object, path: Path, faults: list[JsonError], *, form: str) -> str:
    """A card, or a run of unknown ones, as the notation's canonical form has it."""
    if not isinstance(value, str) or not _FORMS[form].fullmatch(value):
        hint = _canonical(value, form) if isinstance(value, str) else ""
        faults.append(JsonError(path, f"a {form} is wanted here, not {named(value)}{hint}"))
        return "?"
    return value


def _canonical(value: str, form: str) -> str:
    """What a card in another spelling is in canonical form."""
    if not value.strip() or len(value) > 20:
        return ""
    row = parse_cards(value, "plays")
    if not isinstance(row, str):
        return ""
    plays = spelling.plays(row)
    meant_as = played_text(plays[0])
    return f"; did you mean `{meant_as}`?" if len(plays) == 1 and _FORMS[form].fullmatch(meant_as) else ""


def card(value: object, path: Path, faults: list[JsonError], *, form: str = "card") -> int:
    """A card."""
    return spelling.card(word(value, path, faults, form=form))


face: Final[Kind] = partial(card, form="card or ?")


def items(value: object, path: Path, faults: list[JsonError], *, least: int = 1) -> list[object]:
    """A list of so many items at least."""
    if not isinstance(value, list):
        faults.append(JsonError(path, f"a list is wanted here, not {named(value)}"))
        return []
    if not least <= len(value) <= MANY:
        faults.append(
            JsonError(path, "the list is empty" if not value else "the list is longer than a line of a log")
        )
        return []
    return value


def words(value: object, path: Path, faults: list[JsonError], *, form: str, least: int = 1) -> str:
    """Cards in a list, as a row."""
    row = items(value, path, faults, least=least)
    return " ".join([word(one, (*path, at), faults, form=form) for at, one in enumerate(row)])


def _fitting(make: Callable[[str], _Row], row: str, path: Path, faults: list[JsonError]) -> _Row | tuple[()]:
    """The cards of a row that is well written, where a deck may have them all."""
    if not row or faults:
        return ()
    try:
        return make(row)
    except spelling.TooMany as wrong:
        faults.append(JsonError(path, str(wrong)))
        return ()


def cards(value: object, path: Path, faults: list[JsonError], *, least: int = 1) -> tuple[int, ...]:
    """Known cards."""
    row = words(value, path, faults, form="card", least=least)
    return _fitting(spelling.cards, row, path, faults)


def faces(value: object, path: Path, faults: list[JsonError], *, least: int = 1) -> tuple[int, ...]:
    """Cards, known or not."""
    row = words(value, path, faults, form="card or ?*7", least=least)
    return _fitting(spelling.faces, row, path, faults)


def laid(value: object, path: Path, faults: list[JsonError]) -> Any:
    """Cards of a meld, each with what it stands for."""
    row = words(value, path, faults, form="card as it is laid")
    return _fitting(spelling.plays, row, path, faults)


def rank(value: object, path: Path, faults: list[JsonError]) -> int:
    """A rank, such as `3` or `T`."""
    if not isinstance(value, str) or len(value) != 1 or value not in RANKS:
        faults.append(JsonError(path, f"a rank (one of {RANKS}) is wanted here, not {named(value)}"))
        return 0
    return RANKS.index(value)


def texts(value: object, path: Path, faults: list[JsonError]) -> tuple[str, ...]:
    """Several texts."""
    return tuple([text(one, (*path, at), faults) for at, one in enumerate(items(value, path, faults))])


def codes(value: object, path: Path, faults: list[JsonError]) -> tuple[str, ...]:
    """Codes of violations, or their first parts."""
    found = items(value, path, faults)
    for at, one in enumerate(found):
        if not isinstance(one, str) or not _CODE.fullmatch(one):
            faults.append(JsonError((*path, at), f"the code of a violation is wanted here, not {named(one)}"))
    return tuple([str(one) for one in found])


def key(value: object, path: Path, faults: list[JsonError]) -> str:
    """A header's key."""
    if not isinstance(value, str) or not _KEY.fullmatch(value):
        faults.append(JsonError(path, f"a header's key, such as Players, is wanted here, not {named(value)}"))
        return ""
    return value


def choice(value: object, path: Path, faults: list[JsonError], *, among: tuple[str, ...]) -> str:
    """One of a few words."""
    if isinstance(value, str) and value in among:
        return value
    near = meant(value, among) if isinstance(value, str) else None
    if near:
        faults.append(JsonError(path, f"there is no {named(value)} here; did you mean `{near}`?"))
    else:
        faults.append(JsonError(path, f"one of {', '.join(among)} is wanted here, not {named(value)}"))
    return ""


def by_name(value: object, path: Path, faults: list[JsonError], *, each: Kind) -> tuple[tuple[str, Any], ...]:
    """Names with something each: an object, or a list of pairs."""
    if isinstance(value, dict):
        check_keys_once(value, path, faults)
        if not value:
            faults.append(JsonError(path, "the object is empty"))
        if len(value) > MANY:
            faults.append(JsonError(path, "these are more than a line of a log holds"))
            return ()
        pairs = []
        for name, one in value.items():
            wrong: list[JsonError] = []
            text(name, (*path, name), wrong)
            faults += [fault._replace(of_key=True) for fault in wrong]
            pairs.append((name, each(one, (*path, name), faults)))
        return tuple(pairs)
    if not isinstance(value, list):
        faults.append(JsonError(path, f"an object with a name for each key is wanted here, not {named(value)}"))
        return ()
    pairs = []
    for at, pair in enumerate(items(value, path, faults)):
        if not isinstance(pair, list) or len(pair) != 2:
            faults.append(
                JsonError((*path, at), f"a pair of a name and its value is wanted here, not {named(pair)}")
            )
            continue
        pairs.append((text(pair[0], (*path, at, 0), faults), each(pair[1], (*path, at, 1), faults)))
    return tuple(pairs)


def check_keys_once(value: object, path: Path, faults: list[JsonError]) -> None:
    """No key of an object is there twice."""
    if isinstance(value, Object):
        faults += [JsonError((*path, one), f"the key `{one}` is there twice", of_key=True) for one in value.twice]
