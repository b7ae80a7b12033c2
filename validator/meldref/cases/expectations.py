"""What a case expects: whether that can be checked, and whether it came out."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from meldref.core.cards import UNKNOWN, Card, cards_text, counted
from meldref.core.diagnostics import Finding
from meldref.core.meant import did_you_mean
from meldref.core.text import in_words
from meldref.documents.reader import Path, Value
from meldref.engine.judge import Judge
from meldref.notation.reader import read_card_counts, read_card_row, read_cards
from meldref.position.model import GOING_ON, Position, uncounted
from meldref.replay.asserted_melds import is_same_meld
from meldref.replay.play_moves import MovesResult, what_follows
from meldref.rulefiles.merge import flow
from meldref.rulefiles.vocabulary import is_valid, schema
from meldref.rules.pages import PAGES
from meldref.rules.points import hand_scores, units

_THEN: Final = re.compile(r"over|floats|plays (.+)")
_MELD: Final = re.compile(r"m[1-9][0-9]*")
_HOUSE: Final = re.compile(r"house(\.[a-z][a-z0-9-]*)?")


class Misuse(NamedTuple):
    """Something that a case cannot expect: its place in the case, and why not."""

    path: Path
    message: str


def misuses(expect: Mapping[str, Value]) -> Iterator[Misuse]:
    """What is wrong with an `expect` by itself; unknown keys are left to the caller."""
    nodes = schema()["$defs"]["case"]["properties"]["expect"]["properties"]
    for key, value in expect.items():
        if key not in nodes:
            continue
        if expect.get("verdict") in {"legal", "open"} and key in {"at", "because"}:
            yield Misuse(
                (key,), f"`{key}` belongs to verdict: illegal, since other cases have no findings"
            )
        elif not is_valid(value, nodes[key]):
            like = flow(nodes[key]["examples"][0])
            yield Misuse((key,), f"`{key}` cannot be {flow(value)}: write it as in {like}")
        elif key == "because":
            yield from _code(str(value))
        elif key == "then" and not _THEN.fullmatch(str(value)):
            yield Misuse(
                (key,), f"`then` cannot be {value}: write over, floats, or plays and a player"
            )
        else:
            yield from _cards(key, value)


def strangers(
    expect: Mapping[str, Value], players: Sequence[str], sides: Iterable[Sequence[int]]
) -> Iterator[Misuse]:
    """Names in an `expect` of people who do not play."""
    units: set[str] = set()
    for side in sides:
        names = [players[seat] for seat in side]
        units |= {"+".join(names), "+".join(reversed(names))}
    for key, value in expect.items():
        for path, name in _names_in(key, value):
            if name not in players and not (key == "score" and name in units):
                meant = did_you_mean(name, players)
                message = f"`{key}` names {name}, who is not one of the players{meant}"
                yield Misuse(path, message)


def _names_in(key: str, value: Value) -> Iterator[tuple[Path, str]]:
    """The names of players in an expected fact, each with its place."""
    if key == "then":
        follows = _THEN.fullmatch(str(value))
        if follows is not None and follows[1]:
            yield (key,), follows[1]
    elif key in {"points", "score", "hands"} and isinstance(value, dict):
        for name in value:
            yield (key, name), name
    elif key == "table" and isinstance(value, dict):
        for meld, layers in value.items():
            for name in layers if isinstance(layers, dict) else ():
                yield (key, meld, name), name


@cache
def _codes() -> list[str]:
    """The families of codes, down to every dot, and all codes."""
    families: dict[str, None] = {}
    for code in PAGES:
        parts = code.split(".")
        for end in range(1, len(parts)):
            families[".".join(parts[:end])] = None
    return [*families, *PAGES]


def _code(because: str) -> Iterator[Misuse]:
    if because not in _codes() and not _HOUSE.fullmatch(because):
        near = did_you_mean(because, _codes(), "; `meldref explain` lists them")
        yield Misuse(("because",), f"`because` is not a code: {because}{near}")


def _cards(key: str, value: Value) -> Iterator[Misuse]:
    """Cards and names of melds that cannot be read."""
    rows: list[tuple[Path, Value, Callable[[str], object]]] = []
    if key == "hands" and isinstance(value, dict):
        rows = [((key, name), text, read_card_counts) for name, text in value.items()]
    elif key == "table" and isinstance(value, dict):
        for meld, layers in value.items():
            if not _MELD.fullmatch(meld):
                yield Misuse((key, meld), f"`table` names {meld}: melds are m1, m2 and so on")
            elif isinstance(layers, dict):
                rows += [((key, meld, name), text, read_cards) for name, text in layers.items()]
    elif key == "pile" or (key == "stock" and isinstance(value, str)):
        rows = [((key,), value, read_card_row)]
    for path, text, read in rows:
        wrong = read(str(text))
        if isinstance(wrong, Finding):
            yield Misuse(path, f"`{'.'.join(map(str, path))}` cannot be read: {wrong.message}")


def compare(
    expect: Mapping[str, Value], outcome: MovesResult
) -> tuple[dict[str, Value], list[str]]:
    """What came out, in the words of `expect`, and the keys that differ."""
    findings = outcome.findings
    got: dict[str, Value] = {"verdict": "legal"}
    if outcome.undecided and expect["verdict"] != "legal":  # legal: nothing is known to be wrong
        got["verdict"] = "open"
    failed: list[str] = []
    if findings:
        first = findings[0].span.line
        codes: dict[str, list[Value]] = {}
        for finding in findings:
            codes.setdefault(str(finding.span.line), []).append(finding.code)
        got = {"verdict": "illegal", "at": first, "because": {**codes}}
        if expect["verdict"] == "illegal":
            if expect.get("at", first) != first:
                failed.append("at")
            because = expect.get("because")
            of_first = [str(code) for code in codes[str(first)]]
            if because is not None and not any(matches(code, str(because)) for code in of_first):
                failed.append("because")
    if expect["verdict"] != got["verdict"]:
        failed.append("verdict")
        return got, failed
    if outcome.position is None or outcome.judge is None:
        got |= _of_a_sheet(outcome)
        facts_asked = (key for key in expect if key not in {"verdict", "at", "because"})
        return got, [*failed, *(key for key in facts_asked if got.get(key) != expect[key])]
    facts = _Facts(outcome, outcome.judge, outcome.position)
    for key, value in expect.items():
        if key not in {"verdict", "at", "because"}:
            same, got[key] = facts.check(key, value)
            if not same:
                failed.append(key)
    return got, failed


def told(outcome: MovesResult) -> dict[str, Value]:
    """Everything that a case may expect of what came out, as it is; `stock` as a row of cards."""
    answer: dict[str, Value] = {"verdict": "open" if outcome.undecided else "legal"}
    if outcome.findings:
        first = outcome.findings[0].span.line
        codes: list[Value] = [one.code for one in outcome.findings if one.span.line == first]
        answer = {"verdict": "illegal", "at": first, "because": codes}
    if outcome.position is not None and outcome.judge is not None:
        facts = _Facts(outcome, outcome.judge, outcome.position)
        return answer | {key: facts.check(key, unsaid)[1] for key, unsaid in facts.unsaid().items()}
    return answer | _of_a_sheet(outcome)


def _of_a_sheet(outcome: MovesResult) -> dict[str, Value]:
    """What is known where there is no position."""
    return {} if outcome.scores is None else {"score": {**outcome.scores}}


def matches(code: str, because: str) -> bool:
    """Whether a code is the one named, or of the family named."""
    return code == because or code.startswith(because + ".")


class _Facts:
    """The facts that a case may expect after its moves."""

    def __init__(self, outcome: MovesResult, judge: Judge, position: Position) -> None:
        self.outcome = outcome
        self.judge = judge
        self.position = position
        self.seats = {name: seat for seat, name in enumerate(position.players)}

    def unsaid(self) -> dict[str, Value]:
        """Every fact with the names that it has, and nothing said of them."""
        position = self.position
        sides = units(self.judge.ruleset, position.players)
        return {
            "then": "",
            "points": dict.fromkeys(position.players, 0),
            "score": dict.fromkeys(
                ("+".join(position.players[seat] for seat in side) for side in sides), 0
            ),
            "hands": dict.fromkeys(position.players, ""),
            "pile": "",
            "stock": "",
            "table": {f"m{number + 1}": {} for number in range(len(position.melds))},
        }

    def check(self, key: str, value: Value) -> tuple[bool, Value]:
        """Whether a fact is as expected, and what it is, in the same words."""
        if key == "then":
            follows = what_follows(self.position)
            return follows == value, follows
        position = self.position
        if key == "stock" and uncounted(position.stock_size):
            return False, "not known"
        if key == "stock" and isinstance(value, str):
            stock = list(reversed(position.stock))
            return _row(value, [*stock, *[UNKNOWN] * (position.stock_size - len(stock))])
        if key == "stock":
            return position.stock_size == value, position.stock_size
        if key == "pile":
            return _row(str(value), position.pile)
        assert isinstance(value, dict)
        checker = {
            "points": self._points,
            "score": self._score,
            "hands": self._hands,
            "table": self._table,
        }[key]
        return checker(value)

    def _points(self, value: Mapping[str, Value]) -> tuple[bool, Value]:
        start, now = self.outcome.start, self.position.points
        before = [0] * len(now) if start is None else start.points
        seats = [(name, self.seats[name]) for name in value]
        actual: dict[str, Value] = {name: now[seat] - before[seat] for name, seat in seats}
        return actual == value, actual

    def _score(self, value: Mapping[str, Value]) -> tuple[bool, Value]:
        ruleset = self.judge.ruleset
        if self.position.ending is GOING_ON:
            return False, "the hand is not over"
        sides = units(ruleset, self.position.players)
        scores = hand_scores(ruleset, self.judge.play.worth, self.position, sides)
        by_name: dict[str, Value] = {}
        for score, side in zip(scores, sides, strict=True):
            members = [self.position.players[seat] for seat in side]
            by_name.update(
                dict.fromkeys((*members, "+".join(members), "+".join(reversed(members))), score)
            )
        actual = {name: by_name[name] for name in value}
        house = self.judge.house
        unsaid = "" if house is None else house.awards_depend_on(self.position)
        if None in actual.values() and unsaid:
            unknown = in_words([name for name, score in actual.items() if score is None])
            what = f"the score of {unknown}: awards of house rules depend on {unsaid}"
            self.outcome.undecided.append(what)
        return actual == value, actual

    def _hands(self, value: Mapping[str, Value]) -> tuple[bool, Value]:
        actual: dict[str, Value] = {}
        same = True
        for name, text in value.items():
            seat = self.seats[name]
            hand = self.position.hands[seat], self.position.unknown[seat]
            actual[name] = self.position.hand_text(seat)
            read = read_card_counts(str(text))
            same = same and not isinstance(read, Finding) and (counted(read[0]), read[1]) == hand
        return same, actual

    def _table(self, value: Mapping[str, Value]) -> tuple[bool, Value]:
        actual: dict[str, Value] = {}
        same = True
        for name, layers in value.items():
            index = int(name[1:]) - 1 if re.fullmatch("m[0-9]{1,3}", name) else -1
            if not 0 <= index < len(self.position.melds) or not isinstance(layers, dict):
                same = False
                continue
            meld = self.position.melds[index]
            by_player = self.position.layers(meld)
            actual[name] = {**by_player}
            same = same and by_player.keys() == layers.keys()
            for player, layer in layers.items():
                expected = read_cards(str(layer))
                mine = [laid for laid in meld.cards if self.position.players[laid.seat] == player]
                same = same and not isinstance(expected, Finding) and is_same_meld(mine, expected)
        return same, actual


def _row(text: str, actual: Sequence[Card]) -> tuple[bool, Value]:
    """Whether cards are those of a text, in order, and how they are written."""
    expected = read_card_row(text)
    return not isinstance(expected, Finding) and list(expected) == list(actual), cards_text(actual)
