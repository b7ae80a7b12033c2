"""The questions that cases ask, and whether an answer is the right one."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Final

from meldref.cases.expectations import matches
from meldref.cases.run import CaseFile, CaseRules
from meldref.core.cards import Card, Played, counted
from meldref.core.diagnostics import Finding
from meldref.core.records import hidden, record
from meldref.documents.reader import Value
from meldref.notation.reader import read_card_counts, read_card_row, read_cards
from meldref.position.model import OnTable
from meldref.replay.asserted_melds import is_same_meld
from meldref.rulefiles.files import Name
from meldref.ruleset.model import Ruleset
from meldref_authoring.rulefiles.show import merged_values

VERSION: Final = 1
"""The version of the protocol."""
KEYS: Final = (
    "verdict", "at", "because", "then", "points", "score", "hands", "pile", "table", "stock",
)  # fmt: skip
"""What can be asked of a case, in the order in which it is told."""
_ASKED: Final = ("id", "rules", "with", "set", "given", "moves", "log")
"""The keys of a case that are the question; the others say what comes out, and why."""


@record
class Question:
    """A case as it is put to a program, and what is expected of the answer.

    `ruleset`: the merged rules, if the case names any; a log may name others in its headers.
    `is_undecided` judges the case: whether something in it is open though nothing is wrong.
    """

    file: str
    line: int
    id: str
    name: str
    rules: str
    case: Mapping[str, Value]
    ruleset: Mapping[str, object] | None
    expected: Mapping[str, Value]
    is_undecided: Callable[[], bool] = hidden(default=lambda: False)

    def takes(self, verdict: object) -> bool:
        """Whether a verdict is right: `legal` says that nothing is wrong, which may be open as well."""
        expected = self.expected["verdict"]
        return verdict == expected or (
            (expected, verdict) == ("legal", "open") and self.is_undecided()
        )


def questions(file: CaseFile, shown: str) -> Iterator[Question]:
    """The questions of a file of cases, which is shown under a name; faulty cases are left out."""
    for index, case in enumerate(file.cases):
        if not isinstance(case, dict) or not isinstance(case.get("expect"), dict):
            continue
        named = file.rules_of(index)
        if isinstance(named, str):
            continue
        ruleset = file.load(named)[0] if named.rules is not None else None
        expected = case["expect"]
        assert isinstance(expected, dict)
        yield Question(
            file=shown,
            line=file.document.place(("cases", index)).line,
            id=str(case.get("id") or f"case {index + 1}"),
            name=str(case.get("name") or ""),
            rules=ruleset.id if ruleset is not None else "",
            case={key: case[key] for key in _ASKED if key in case},
            ruleset=_ruleset_data(named, ruleset),
            expected=expected,
            is_undecided=partial(_is_undecided, file, index),
        )


def _is_undecided(file: CaseFile, index: int) -> bool:
    outcome = file.outcome(index)
    return not isinstance(outcome, str) and bool(outcome.undecided)


def _ruleset_data(named: CaseRules, ruleset: Ruleset | None) -> dict[str, object] | None:
    """The rules of a case: how they are named, and every key with its value."""
    if ruleset is None:
        return None
    return {
        "rules": _name(named.rules),
        "with": [_name(option) for option in named.options],
        "set": dict(named.settings),
        "keys": {key: value for key, value, _ in merged_values(ruleset)},
    }


def _name(name: Name | None) -> str | None:
    return name if name is None or isinstance(name, str) else name.shown


def differing(
    question: Question, answer: Mapping[str, Value], keys: Sequence[str] = KEYS
) -> list[str]:
    """The keys of what is expected in which an answer is not right, of those that are looked at.

    If the verdict is wrong, nothing else is compared.
    """
    if not question.takes(answer.get("verdict")):
        return ["verdict"]
    expected = question.expected
    return [
        key
        for key in KEYS[1:]
        if key in expected and key in keys and not _same(key, expected[key], answer.get(key))
    ]


def _same(key: str, expected: Value, given: Value) -> bool:
    same: Callable[[Value, Value], bool] | None = _COMPARED.get(key)
    return expected == given if same is None else same(expected, given)


def _same_code(expected: Value, given: Value) -> bool:
    codes = given if isinstance(given, list) else [given]
    return any(matches(str(code), str(expected)) for code in codes)


def _same_numbers(expected: Value, given: Value) -> bool:
    """Whether points are those of each player, or of each side, that is named; `A+C` is also `C+A`."""
    if not isinstance(expected, dict) or not isinstance(given, dict):
        return False
    by_name: dict[str, Value] = {}
    for name, value in given.items():
        members = name.split("+")
        by_name.update(dict.fromkeys((name, "+".join(reversed(members)), *members), value))
    return all(by_name.get(name) == value for name, value in expected.items())


def _same_hands(expected: Value, given: Value) -> bool:
    """Whether the hands that are named have the same cards, in any order."""
    if not isinstance(expected, dict) or not isinstance(given, dict):
        return False
    return all(_hand(text) == _hand(given.get(name)) for name, text in expected.items())


def _hand(text: Value) -> object:
    read = read_card_counts(text) if isinstance(text, str) else None
    return None if read is None or isinstance(read, Finding) else (counted(read[0]), read[1])


def _same_row(expected: Value, given: Value) -> bool:
    """Whether cards lie in the same order."""
    return _row(expected) == _row(given) is not None


def _same_stock(expected: Value, given: Value) -> bool:
    """Whether the stock has as many cards, or the same ones."""
    row = _row(given)
    size = len(row) if row is not None else given
    return size == expected if isinstance(expected, int) else _same_row(expected, given)


def _row(text: Value) -> tuple[Card, ...] | None:
    read = read_card_row(text) if isinstance(text, str) else None
    return None if isinstance(read, Finding) else read


def _same_table(expected: Value, given: Value) -> bool:
    """Whether the melds that are named have the same cards of the same players."""
    if not isinstance(expected, dict) or not isinstance(given, dict):
        return False
    return all(_same_meld(layers, given.get(meld)) for meld, layers in expected.items())


def _same_meld(expected: Value, given: Value) -> bool:
    if (
        not isinstance(expected, dict)
        or not isinstance(given, dict)
        or expected.keys() != given.keys()
    ):
        return False
    return all(_same_layer(str(cards), str(given[name])) for name, cards in expected.items())


def _same_layer(expected: str, given: str) -> bool:
    wanted, laid = read_cards(expected), read_cards(given)
    if isinstance(wanted, Finding) or isinstance(laid, Finding):
        return False
    return is_same_meld([_on_table(played) for played in laid], wanted)


def _on_table(played: Played) -> OnTable:
    return OnTable(played.card, played.card if played.role is None else played.role, 0, 0)


_COMPARED: Final[Mapping[str, Callable[[Value, Value], bool]]] = {
    "because": _same_code,
    "points": _same_numbers,
    "score": _same_numbers,
    "hands": _same_hands,
    "pile": _same_row,
    "stock": _same_stock,
    "table": _same_table,
}
