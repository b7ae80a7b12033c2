"""The value of each key of a merged ruleset, entry by entry, and what it amounts to in play.

Two values mean the same if no game can tell them apart: `own_side` and `own` without sides, an
ace at 15 in the lowest place and `same` where aces count 15. What a key amounts to leaves such
differences of wording out.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, TypeAlias

from meldref.core.cards import JOKER, RANKS, SUITS, card_text
from meldref.core.diagnostics import Origin
from meldref.core.records import record
from meldref.documents.reader import Value
from meldref.rulefiles.consistency import ineffective
from meldref.rulefiles.meld_kinds import longest
from meldref.rulefiles.merge import CARD_TABLES, written_range
from meldref.ruleset.changes import values_of
from meldref.ruleset.model import ByPlayers, Ruleset, decks, has_jokers, jokers_for
from meldref_authoring.rulefiles.show import written_kind, written_points, written_value

_WILD_LINES: Final = {
    "scoring.wild_cards": "scoring.values.wild",
    "scoring.wild_held": "scoring.held.wild",
}
"""The lines for wild cards, by the fields of the model that hold them."""
_ACE: Final = RANKS.index("A")

Meaning: TypeAlias = object
"""What a value amounts to: two meanings are equal if no game can tell them apart."""


@record
class Said:
    """What a ruleset says about one key, or one entry of a table.

    `value` as a rules file would write it (None: no line), `meaning` what it amounts to in play,
    `rests` the key that disables this one, or an empty text.
    """

    value: Value
    origin: Origin | None
    rests: str = ""
    meaning: Meaning = None


def said_by(ruleset: Ruleset) -> dict[str, Said]:
    """Every key of play and scoring, by its path.

    Tables entry by entry, kinds of meld apart (see `kinds_of`).
    """
    off = resting_in(ruleset)
    values: dict[str, Said] = {}
    for path, of_path in values_of(ruleset):
        for key, value, meaning in _entries(ruleset, path, of_path):
            table, _, entry = key.rpartition(".")
            origin = ruleset.origin(key)
            if table in CARD_TABLES:
                origin = card_origin(ruleset, table, entry)
            rests = off.get(key) or off.get(table, "")
            values[key] = Said(value, origin, rests, meaning)
    return values


def resting_in(ruleset: Ruleset) -> dict[str, str]:
    """Every key that no game can show, with the key that switches it off."""
    return dict(_further_resting(ruleset)) | dict(ineffective(ruleset))


def kinds_of(ruleset: Ruleset) -> dict[str, dict[str, Said]]:
    """The kinds of meld by name, each with its keys `size`, `require` and `ace`."""
    values: dict[str, dict[str, Said]] = {}
    for kind in ruleset.melds.kinds:
        most = min(kind.max_size, longest(kind, ruleset)[0])
        only = None if kind.only is None else frozenset(kind.only)
        meanings: dict[str, Meaning] = {
            "size": (kind.min_size, most),
            "require": (frozenset(kind.require), only),
            "ace": frozenset(kind.ace) if kind.is_run else None,
        }
        path = f"melds.kinds.{kind.name}"
        parts: dict[str, Said] = {}
        for part, value in written_kind(kind).items():
            rests = f"{path}.require" if part == "ace" and not kind.is_run else ""
            parts[part] = Said(value, ruleset.origin(f"{path}.{part}"), rests, meanings[part])
        values[kind.name] = parts
    return values


def card_origin(ruleset: Ruleset, table: str, card: str) -> Origin | None:
    """Who set the points of a card: its own entry in a table, that of its rank, or the table."""
    rank = card if card in {"joker", "wild"} else card[0]
    for key in (f"{table}.{card}", f"{table}.{rank}"):
        if key in ruleset.origins:
            return ruleset.origin(key)
    return ruleset.origin(table)


# --- values ---------------------------------------------------------------------------------------


def _entries(ruleset: Ruleset, key: str, value: Any) -> Iterator[tuple[str, Value, Meaning]]:
    """The entries of a table, or a plain value, with what each amounts to."""
    if key == "melds.kinds":
        return
    if key == "deck.jokers_in_all":
        for number in _numbers(ruleset, key):
            jokers = value.get(number)
            written = "none" if jokers is None else jokers
            yield f"{key}.{number}", written, jokers_for(ruleset, number)
    elif isinstance(value, ByPlayers):
        for number in _numbers(ruleset, key):
            cards = value.get(number)
            if cards is not None:
                yield f"{key}.{number}", cards, cards
    elif key in CARD_TABLES:
        yield from _by_cards(ruleset, key)
    elif key == "game.hands":
        yield key, written_range(*value), value
    elif key in _WILD_LINES:
        yield _WILD_LINES[key], "none" if value is None else value, value
    else:
        yield key, written_value(key, value), _meaning(ruleset, key, value)


def _numbers(ruleset: Ruleset, key: str) -> range:
    """The numbers of players that a table is about: below the minimum if only tied ones play on."""
    players = ruleset.players
    fewer = key == "deal.cards" and ruleset.game.tie.who == "tied"
    return range(2 if fewer else players.min, players.max + 1)


def _by_cards(ruleset: Ruleset, key: str) -> Iterator[tuple[str, Value, Meaning]]:
    """A value for each card of the deck; `held` has the cards that count differently in hand."""
    scoring = ruleset.scoring
    held = key == "scoring.held"
    for card in range(JOKER + 1):
        if card == JOKER and not has_jokers(ruleset):
            continue
        name = "joker" if card == JOKER else card_text(card)
        points = scoring.held[card] if held else scoring.values[card]
        if held and points == scoring.values[card]:
            continue
        origin = card_origin(ruleset, key, name)
        yield f"{key}.{name}", written_points(points, origin), points


def _meaning(ruleset: Ruleset, key: str, value: object) -> Meaning:
    """What a plain value amounts to."""
    sides = ruleset.partnership.sides != "none"
    match key:
        case "layoff.onto" if value == "own_side" and not sides:
            return "own"
        case "draw.takes" if value != "whole_pile" and ruleset.draw.depth == "top":
            return "all_above"
        case "calls.by" if value == "opponents" and not sides:
            return "all_but_discarder"
        case "scoring.low_ace" | "scoring.high_ace" | "scoring.around_ace" if value is None:
            aces = {ruleset.scoring.values[_ACE + 13 * suit] for suit in range(len(SUITS))}
            return aces.pop() if len(aces) == 1 else None
        case "draw.use":
            ways = set(ruleset.draw.use)
            if ruleset.layoff.onto == "nothing":
                ways.discard("lay_off")
            if ruleset.melds.wild.swap == "never":
                ways.discard("swap")
            return frozenset(ways)
        case _:
            return frozenset(value) if isinstance(value, tuple) else value


def _further_resting(ruleset: Ruleset) -> Iterator[tuple[str, str]]:
    """Keys beyond `resting` that no game can show: an author may have meant them anyway."""
    if ruleset.players.max == 2:
        yield "players.direction", "players.max"
    doubles = any(packs > 1 or jokers > 1 for packs, jokers in decks(ruleset))
    discard = ruleset.discard
    if not doubles:
        yield "discard.twin", "deck.packs"
    elif discard.taken_top == "allowed" and discard.taken_deep == "any":
        yield "discard.twin", "discard.taken_top"
    aces = {place for kind in ruleset.melds.kinds if kind.is_run for place in kind.ace}
    if aces <= {"high"}:
        yield "scoring.low_ace", "melds.kinds"
    if aces <= {"low"}:
        yield "scoring.high_ace", "melds.kinds"
    if "around" not in aces:
        yield "scoring.around_ace", "melds.kinds"
