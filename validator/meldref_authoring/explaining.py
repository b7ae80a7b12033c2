"""Explains a key: its meaning, its value and who set it, what is open, and its clauses."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache
from itertools import product
from operator import attrgetter
from typing import Final

from meldref.core.cards import RANKS, SUITS
from meldref.core.diagnostics import Origin
from meldref.core.meant import nearest
from meldref.core.records import changed, record
from meldref.core.resources import data_path
from meldref.core.text import in_words
from meldref.documents.reader import Value, read_data
from meldref.rulefiles.merge import CARD_TABLES, HEAD, PLAYER_TABLES, is_within, rank_word
from meldref.rulefiles.vocabulary import Key, describe_key, list_keys
from meldref.rules.pages import PAGES
from meldref.ruleset.model import Ruleset
from meldref_authoring.meaning import card_origin, resting_in
from meldref_authoring.mutations import cards_of
from meldref_authoring.rulefiles.show import merged_values, written_rule
from meldref_authoring.rulefiles.trace import KeyNote, Trace

ADVICE: Final = "strategy"
"""The kind of a statement that is not a rule."""
OPEN: Final = "ambiguity"
"""The kind of a statement about what its source leaves open."""


@record
class SourceText:
    """A text that statements were drawn from.

    `written` is how rulesets that follow it name it as their source.
    """

    number: str
    title: str
    written: str


@record
class Clause:
    """A numbered statement and the keys that implement it.

    Without keys, it holds in every ruleset.
    """

    id: str
    source: str
    kind: str
    statement: str
    keys: tuple[str, ...]


@cache
def read_clauses() -> tuple[Clause, ...]:
    """Every statement that is a rule, in the order of the texts; advice is left out."""
    keys = read_data(data_path("docs", "clause-keys.yaml"))
    by_clause, by_parameter = keys["clauses"], keys["parameters"]
    clauses: list[Clause] = []
    for row in read_data(data_path("docs", "clauses.yaml")):
        if row["kind"] == ADVICE:
            continue
        name = row["id"]
        carrying = list(by_clause.get(name, ()))
        if name not in by_clause:
            for parameter in parameters(row.get("parameter")):
                carrying += by_parameter[parameter]
        statement = " ".join(str(row["statement"]).split())
        keys_once = tuple(dict.fromkeys(carrying))
        clauses.append(Clause(name, row["seed"], row["kind"], statement, keys_once))
    return tuple(clauses)


@cache
def read_sources() -> tuple[SourceText, ...]:
    """The texts, in the order of their numbers."""
    sources = read_data(data_path("docs", "clause-keys.yaml"))["sources"]
    return tuple(
        SourceText(number, source["title"], source["written"]) for number, source in sources.items()
    )


def clauses_of(key: str) -> tuple[Clause, ...]:
    """The statements that a key, or the keys below it, implement."""
    return tuple(clause for clause in read_clauses() if _concerns(clause, key))


def codes_of_clause(clause: Clause) -> list[str]:
    """The codes that rest on a statement: those whose pages name it, else those of its keys."""
    named = [code for code, page in PAGES.items() if clause.id in page.clauses]
    return named or [code for code, page in PAGES.items() if _carries(page.keys, clause)]


def _carries(keys: Sequence[str], clause: Clause) -> bool:
    """Whether one of these keys is one of a statement's, or one is inside the other."""
    pairs = product(keys, clause.keys)
    return any(is_within(one, other) or is_within(other, one) for one, other in pairs)


def _concerns(clause: Clause, key: str) -> bool:
    """Whether a statement concerns a key: it names the key, something inside it, or its kind."""
    for carrying in clause.keys:
        is_kind = carrying.startswith("melds.kinds.") and carrying.count(".") == 2
        if is_within(carrying, key) or (is_kind and is_within(key, carrying)):
            return True
    return False


def parameters(text: Value) -> Iterator[str]:
    """The names in a statement's `parameter`: `deck.packs = 1; deck.size = 54` has two."""
    for part in str(text or "").split(";"):
        name = re.split("[ =(|]", part.strip(), maxsplit=1)[0]
        if name:
            yield name


def sources_of(written: str) -> frozenset[str]:
    """The numbers of the texts that a file with this source follows."""
    return frozenset(source.number for source in read_sources() if source.written in written)


# --- explaining a key -----------------------------------------------------------------------------


_TABLES: Final = PLAYER_TABLES | CARD_TABLES
_MOST_NAMED: Final = 3
"""How many keys of one name are offered."""


@record
class Part:
    """A key below the one that is explained: its value, who set it, what it means."""

    key: str
    value: Value
    origin: Origin | None
    text: str


@record
class Explained:
    """A key in a ruleset.

    `value` is its value there, `setters` are the lines that set it, in order: the last one counts.
    A section and a table have `parts` instead. `rests` is the key that switches it off. `clauses`
    are statements of the texts that its setter follows, `elsewhere` those of other texts.
    """

    key: Key
    value: Value = None
    setters: tuple[Origin, ...] = ()
    rests: Origin | None = None
    note: KeyNote | None = None
    parts: tuple[Part, ...] = ()
    clauses: tuple[Clause, ...] = ()
    elsewhere: tuple[Clause, ...] = ()
    codes: tuple[str, ...] = ()
    merged: bool = True
    """Whether it is merged from file to file; otherwise it is about the file itself."""


def find_key(path: str) -> Key | None:
    """The key of a path, which may be an entry of a table: `deal.cards.3`, `scoring.values.Qs`.

    A run of entries, as in `scoring.values.2-9`, stands for the table.
    """
    key = describe_key(path)
    table, _, entry = path.rpartition(".")
    if key is not None or table not in _TABLES:
        return key
    low, hyphen, high = entry.partition("-")
    name = _entry_name(table, low)
    whole = describe_key(table)
    if not name or whole is None or (hyphen and not _entry_name(table, high)):
        return None
    if hyphen:
        return whole
    return changed(whole, path=f"{table}.{name}", entries="", default=None, examples=())


def _entry_name(table: str, entry: str) -> str:
    """The name of a table's entry as rulesets write it; empty if there is no such entry."""
    if table in PLAYER_TABLES:
        return entry if re.fullmatch("[0-9]{1,2}", entry) and 2 <= int(entry) <= 20 else ""
    if entry in {"joker", "wild"}:
        return entry
    suit = entry[-1:].lower()
    if suit not in SUITS:
        suit = ""
    rank = rank_word(entry[:-1] if suit else entry)
    return rank + suit if len(rank) == 1 and rank in RANKS else ""


def nearest_key(path: str) -> str:
    """The key that was probably meant, or the keys of that name; empty if none is similar."""
    paths = [key.path for key in list_keys()]
    section, _, last = path.rpartition(".")
    named = [key for key in paths if key.endswith(f".{last}")]
    in_section = [key for key in named if key.startswith(section)]
    meant = None if in_section else nearest(path, paths)
    if meant is not None:
        return meant.text
    return in_words((in_section or named)[:_MOST_NAMED], "or")


def explain_key(key: Key, ruleset: Ruleset, trace: Trace) -> Explained:
    """What a key means, and its value in a ruleset."""
    path, table = key.path, _table_of(key.path)
    if path.partition(".")[0] in HEAD:
        return Explained(key, merged=False)
    value: Value = None
    parts = tuple(_parts(path, ruleset))
    if len(parts) == 1 and parts[0].key == path:  # neither a section nor a table
        value, parts = parts[0].value, ()
    setters = trace.setters(_rule_of(path) or path)
    texts = _texts(setters, trace)
    clauses = clauses_of(table)
    codes: list[str] = []
    for code, page in PAGES.items():
        if any(name == path or is_within(name, table) for name in page.keys):
            codes.append(code)
    return Explained(
        key,
        value,
        setters,
        rests=ruleset.origin(resting_in(ruleset).get(path, "")),
        note=trace.note(setters[-1]) if setters else None,
        parts=parts,
        clauses=tuple(clause for clause in clauses if clause.source in texts),
        elsewhere=tuple(clause for clause in clauses if clause.source not in texts),
        codes=tuple(codes),
    )


def _table_of(path: str) -> str:
    """The table that an entry is in; any other key itself."""
    table = path.rpartition(".")[0]
    return table if table in _TABLES else path


def _rule_of(path: str) -> str:
    """The house rule that a key is part of; empty for any other key."""
    is_part = path.startswith("house_rules.") and path.count(".") == 2
    return path.rpartition(".")[0] if is_part else ""


def _texts(setters: tuple[Origin, ...], trace: Trace) -> frozenset[str]:
    """The texts that the last file with a source follows, such as those of a shipped game."""
    layers = (trace.layers.get(origin.file) for origin in reversed(setters))
    texts = (sources_of(layer.source) for layer in layers if layer is not None)
    return next(filter(None, texts), frozenset())


def _parts(path: str, ruleset: Ruleset) -> Iterator[Part]:
    """The value in a ruleset of a key, or of everything below it."""
    table, _, entry = path.rpartition(".")
    if table in PLAYER_TABLES:
        value = attrgetter(table)(ruleset).get(int(entry))
        if value is not None:
            yield Part(path, value, ruleset.origin(path), "")
    elif table in CARD_TABLES:
        yield from _points(path, table, entry, ruleset)
    elif _rule_of(path):
        for rule in ruleset.house_rules:
            written = written_rule(rule)
            here = table == f"house_rules.{rule.name}"
            if here and isinstance(written, dict) and entry in written:
                yield Part(path, written[entry], ruleset.origin(table), "")
    else:
        for name, written, origin in merged_values(ruleset):
            in_hand = name.startswith("hands.")
            if is_within(name, path) or (in_hand and f".{path}." in f"{name}."):
                key = None if in_hand else describe_key(name)
                text = "" if key is None else key.text
                yield Part(name, written, origin, text)


def _points(path: str, table: str, entry: str, ruleset: Ruleset) -> Iterator[Part]:
    """The points of a card, or of a rank whose cards all count the same."""
    scoring = ruleset.scoring
    values = scoring.values if table == "scoring.values" else scoring.held
    if entry == "wild":
        worth = scoring.wild_cards if table == "scoring.values" else scoring.wild_held
        if worth is not None:
            yield Part(path, worth, ruleset.origin(path), "")
        return
    points = {values[card] for card in cards_of(entry)}
    if len(points) == 1:
        yield Part(path, points.pop(), card_origin(ruleset, table, entry), "")
    else:
        for suit in SUITS:
            yield from _points(path + suit, table, entry + suit, ruleset)
