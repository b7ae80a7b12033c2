"""The JSON of apps that keep scores: players, and rounds with a score for each."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Final

from meldref.core.records import NamedTuple
from meldref_intake.sheets.cells import Cell, Row, number, round_number
from meldref_intake.sheets.labels import Role, Sum
from meldref_intake.sheets.tables import Entry, Table, tables_of
from meldref_intake.source import Place

_DEEPEST: Final = 40
_MOST_GAMES: Final = 10_000
_PLAYERS: Final = ("players", "player", "participants", "names", "scores_by_player")
_ROUNDS: Final = ("rounds", "round", "hands", "games", "history", "deals")
_SCORES: Final = (
    "scores",
    "score",
    "points",
    "roundscores",
    "playersscoredhandthisround",
    "results",
    "players",
)
_TOTALS: Final = (
    "totals",
    "total",
    "sum",
    "totalscore",
    "finalscore",
    "finalscores",
    "playerscore",
    "standings",
)
_NAMES: Final = ("name", "playername", "player", "displayname", "username", "nickname")
_IDS: Final = ("id", "playerid", "uuid", "_id", "key")
_POINTS: Final = ("score", "points", "playerscore", "value", "handscore", "total")
_TOKEN: Final = re.compile(r'"(?:[^"\\]|\\.)*"|-?\d[\d.eE+-]*|true|false|null|[\[\]{}:,]')


class Node(NamedTuple):
    """A value of a JSON text, and where it is written; lists and objects have nodes in them."""

    value: Any
    place: Place


def json_tables(text: str) -> list[Table]:
    """The games of a JSON text; none where it is no sheet of an app."""
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return []
    try:
        root = _Reader(text).read()
    except (ValueError, IndexError):
        return []
    return list(islice(_games(root), _MOST_GAMES)) or tables_of(_rows(root))


def _rows(root: Node) -> list[Row]:
    """A list of objects that have nothing but texts and numbers, as rows below their keys."""
    items = [item for item in root.value if item.value] if isinstance(root.value, list) else []
    if not items or not all(isinstance(item.value, dict) for item in items):
        return []
    keys = list(dict.fromkeys(key for item in items for key in item.value))
    if not all(_is_plain(part) for item in items for part in item.value.values()):
        return []
    head = Row(tuple([Cell(key, items[0].place) for key in keys]), items[0].place.line, "")
    rows = [head]
    for item in items:
        nothing = Node(None, item.place)
        cells = [_score(item.value.get(key, nothing)) for key in keys]
        rows.append(Row(tuple(cells), item.place.line, item.place.excerpt))
    return rows


class _Reader:
    """Reads a JSON text that is one, with places."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._tokens = _TOKEN.finditer(text)
        self._starts = [0]
        for line in self._lines:
            self._starts.append(self._starts[-1] + len(line) + 1)
        self._line = 0

    def read(self) -> Node:
        """The whole value."""
        return self._value(next(self._tokens), 0)

    def _place(self, token: re.Match[str]) -> Place:
        while self._starts[self._line + 1] <= token.start():
            self._line += 1
        begin = token.start() - self._starts[self._line]
        line = self._lines[self._line]
        return Place(self._line + 1, begin + 1, begin + 1 + len(token[0]), line)

    def _value(self, token: re.Match[str], depth: int) -> Node:
        place = self._place(token)
        if depth > _DEEPEST:
            raise ValueError("too deep")
        if token[0] == "{":
            return Node(self._object(depth), place)
        if token[0] == "[":
            return Node(self._list(depth), place)
        return Node(json.loads(token[0]), place)

    def _object(self, depth: int) -> dict[str, Node]:
        found: dict[str, Node] = {}
        for token in self._tokens:
            if token[0] == "}":
                break
            if token[0] == ",":
                continue
            key = json.loads(token[0])
            next(self._tokens)
            found[str(key)] = self._value(next(self._tokens), depth + 1)
        return found

    def _list(self, depth: int) -> list[Node]:
        found: list[Node] = []
        for token in self._tokens:
            if token[0] == "]":
                break
            if token[0] != ",":
                found.append(self._value(token, depth + 1))
        return found


def _games(node: Node) -> Iterator[Table]:
    """The tables of objects that have players, outer ones first."""
    if isinstance(node.value, dict):
        table = _table(node.value)
        if table is not None:
            yield table
            return
        for part in node.value.values():
            yield from _games(part)
    elif isinstance(node.value, list):
        games = [game for part in node.value for game in _games(part)]
        are_objects = all(isinstance(part.value, dict) for part in node.value)
        only_players = _table({"players": node}) if are_objects and not games else None
        yield from games if only_players is None else [only_players]


def _get(node: Mapping[str, Node], keys: Sequence[str]) -> Node | None:
    """The value of the first of some keys, whatever the size of their letters."""
    by_key = {key.lower().replace("_", ""): value for key, value in node.items()}
    return next((by_key[key] for key in keys if key in by_key), None)


def _players_in(game: Mapping[str, Node]) -> Node | None:
    """The list or object of players; without one, the scores by name."""
    players = _get(game, _PLAYERS)
    if players is not None and isinstance(players.value, list | dict):
        return players
    scores = _get(game, _SCORES)
    if scores is None or not isinstance(scores.value, dict):
        return None
    is_by_name = all(isinstance(part.value, list | dict) for part in scores.value.values())
    return scores if is_by_name else None


def _table(game: Mapping[str, Node]) -> Table | None:
    """A game as a table; None where it has no scores."""
    players = _players_in(game)
    if players is None:
        return None
    people = _people(players)
    names = dict(people.values())
    if len(people) < 2 or len(names) < 2:
        return None
    table = Table(names)
    ids = {key: name for key, (name, _) in people.items()} | {name: name for name in names}
    rounds = _get(game, _ROUNDS)
    if rounds is not None and isinstance(rounds.value, list) and rounds.value:
        for at, item in enumerate(rounds.value, 1):
            _add_round(table, item, ids, at)
    else:
        _add_columns(table, players)
    if not any(number(c.text) is not None for e in table.entries for c in e.scores.values()):
        return None
    _add_totals(table, game, players, ids)
    read = [players, rounds, _get(game, _TOTALS), _get(game, _SCORES)]
    for part in game.values():
        if not any(part is other for other in read) and _is_of_players(part, ids):
            table.strange += _figures(part)
    date = _get(game, ("date", "datestarted", "startedat", "createdat", "played"))
    if date is not None and isinstance(date.value, str):
        table.says_dates = True
        table.entries[0].aside[Role.DATE] = Cell(date.value[:10], date.place)
    winner = _get(game, ("winner", "winnerid", "wonby"))
    if winner is not None and (name := ids.get(str(winner.value))):
        table.notes.append((len(table.entries), Cell(f"Winner: {name}", winner.place)))
    return table


def _add_totals(
    table: Table, game: Mapping[str, Node], players: Node, ids: Mapping[str, str]
) -> None:
    """The totals that stand beside the rounds, or with each player."""
    names, told = list(table.names), _get(game, _TOTALS)
    found: dict[str, Node] = {}
    if told is not None and isinstance(told.value, list) and all(map(_is_plain, told.value)):
        found = dict(zip(names, told.value, strict=False))
    elif told is not None:
        found = {ids[key]: node for key, node in _pairs(told) if key in ids}
    if not found:
        nodes = players.value.values() if isinstance(players.value, dict) else players.value
        for name, node in zip(names, nodes, strict=False):
            own = _get(node.value, _TOTALS) if isinstance(node.value, dict) else None
            found |= {name: own} if own is not None else {}
    cells = {name: _score(node) for name, node in found.items() if _is_plain(node)}
    if not cells:
        return
    place = next(iter(cells.values())).place
    scores = {name: cells.get(name, Cell("", place)) for name in table.names}
    table.entries.append(Entry(place, scores, label="Total", sums=Sum.TOTAL))


def _is_of_players(node: Node, ids: Mapping[str, str]) -> bool:
    """Whether a value has a number for each player."""
    if isinstance(node.value, dict):
        return bool(node.value) and node.value.keys() <= ids.keys()
    is_list = isinstance(node.value, list) and len(node.value) == len(set(ids.values()))
    return is_list and all(isinstance(part.value, int | float) for part in node.value)


def _is_plain(node: Node) -> bool:
    return not isinstance(node.value, dict | list | bool)


def _people(players: Node) -> dict[str, tuple[str, Cell]]:
    """Players by their id, or number, with their names."""
    people: dict[str, tuple[str, Cell]] = {}
    items = players.value.items() if isinstance(players.value, dict) else enumerate(players.value)
    for at, node in items:
        key, name = str(at), node
        if isinstance(node.value, dict):
            name = _get(node.value, _NAMES) or Node(None, node.place)
            own = _get(node.value, _IDS)
            key = key if own is None else str(own.value)
        elif not isinstance(node.value, str):
            name = Node(str(at), node.place)
        text = str(name.value or "").strip()
        if not text:
            continue
        taken = [other for other, _ in people.values()]
        shown = text if text not in taken else f"{text} {len(taken) + 1}"
        people[key] = (shown, Cell(text, name.place))
    return people


def _add_round(table: Table, item: Node, ids: Mapping[str, str], at: int) -> None:
    inner, entry = item, Entry(item.place, {})
    if isinstance(item.value, dict):
        inner = _get(item.value, _SCORES) or item
        said = _get(item.value, ("round", "number", "hand", "roundnumber", "index"))
        is_number = said is not None and round_number(str(said.value)) is not None
        label = said if said is not None and is_number else Node(at, item.place)
        entry.label = str(label.value)
        entry.aside[Role.ROUND] = Cell(entry.label, label.place)
        for role, keys in ((Role.DEALER, ("dealer", "dealerid")), (Role.OUT, ("out", "wentout"))):
            cell = _get(item.value, keys)
            if cell is not None and isinstance(cell.value, str | int):
                who = ids.get(str(cell.value), str(cell.value))
                entry.aside[role] = Cell(who, cell.place)
    for key, node in _pairs(inner):
        name = ids.get(key)
        if name is not None and not isinstance(node.value, dict | list):
            entry.scores[name] = _score(node)
        elif inner is not item:
            whose = (cell._replace(text=f"{key}: {cell.text}") for cell in _figures(node))
            table.strange += whose
    if isinstance(item.value, dict):
        others = [part for part in item.value.values() if part is not inner]
        for part in others:
            if isinstance(part.value, dict) and part.value.keys() & ids.keys():
                table.strange += _figures(part)
    if not entry.scores:
        return
    for name in table.names:
        entry.scores.setdefault(name, Cell("", item.place))
    table.entries.append(entry)


def _pairs(node: Node) -> Iterator[tuple[str, Node]]:
    """Who has which score, by id, name or number."""
    if isinstance(node.value, dict):
        yield from node.value.items()
    elif isinstance(node.value, list):
        for at, item in enumerate(node.value):
            if not isinstance(item.value, dict):
                yield str(at), item
                continue
            who = _get(item.value, ("playerid", *_NAMES)) or _get(item.value, _IDS)
            points = _get(item.value, _POINTS)
            if who is None or points is None:
                yield "", item
            else:
                if isinstance(who.value, dict):
                    who = _get(who.value, _IDS) or _get(who.value, _NAMES) or who
                yield str(who.value), points


def _figures(node: Node) -> Iterator[Cell]:
    """The numbers in a value."""
    inside = node.value.values() if isinstance(node.value, dict) else node.value
    if isinstance(node.value, dict | list):
        for part in inside:
            yield from _figures(part)
    elif isinstance(node.value, int | float) and not isinstance(node.value, bool):
        yield _score(node)


def _score(node: Node) -> Cell:
    value = node.value
    if value is None:
        return Cell("", node.place)
    return Cell(value if isinstance(value, str) else json.dumps(value, default=str), node.place)


def _add_columns(table: Table, players: Node) -> None:
    """Hands of players who have their scores themselves, by round or in a list."""
    columns: dict[str, dict[int, Cell]] = {}
    bonuses: dict[str, dict[int, int]] = {}
    nodes = players.value.values() if isinstance(players.value, dict) else players.value
    for name, node in zip(table.names, nodes, strict=False):
        own = node.value if isinstance(node.value, dict) else {"scores": node}
        scores = _get(own, ("scores", "score", "rounds", "hands", "points", "roundscores"))
        columns[name] = dict(_numbered(scores))
        read = {cell.place for cell in columns[name].values()}
        if scores is not None:
            table.strange += [cell for cell in _figures(scores) if cell.place not in read]
        bonus = _get(own, ("bonus", "bonuses"))
        if bonus is not None:
            numbered = {cell.place for _, cell in _numbered(bonus)}
            table.strange += [cell for cell in _figures(bonus) if cell.place not in numbered]
        for part in own.values():
            if part not in (scores, bonus) and isinstance(part.value, dict | list):
                table.strange += _figures(part)
        bonuses[name] = {
            at: points for at, cell in _numbered(bonus) if (points := number(cell.text))
        }
    begin = min((at for column in columns.values() for at in column), default=0)
    for at in sorted({at for column in columns.values() for at in column}):
        cells = {
            name: column.get(at, Cell("", table.names[name].place))
            for name, column in columns.items()
        }
        place = next(column[at].place for column in columns.values() if at in column)
        given = {name: of[at] for name, of in bonuses.items() if at in of}
        entry = Entry(place, cells, label=str(at - begin + 1), bonus=given)
        table.entries.append(entry)
    left = {
        name: {a: p for a, p in of.items() if not any(a in c for c in columns.values())}
        for name, of in bonuses.items()
    }
    if table.entries:
        for name, of in left.items():
            if of:
                last = table.entries[-1].bonus
                last[name] = last.get(name, 0) + sum(of.values())


def _numbered(node: Node | None) -> Iterator[tuple[int, Cell]]:
    if node is None:
        return
    if isinstance(node.value, dict):
        for key, part in node.value.items():
            at = round_number(key)
            if at is not None and not isinstance(part.value, dict | list):
                yield at, _score(part)
    elif isinstance(node.value, list):
        for at, part in enumerate(node.value):
            if isinstance(part.value, dict):
                points = _get(part.value, _POINTS)
                if points is not None:
                    yield at, _score(points)
            else:
                yield at, _score(part)
    elif isinstance(node.value, int) and not isinstance(node.value, bool):
        yield 0, _score(node)
