"""House rules as files state them: what is wrong with one, and the rules of a merged ruleset."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final, NamedTuple

from meldref.core.diagnostics import Edit, Finding, Span
from meldref.core.records import changed
from meldref.core.text import in_words
from meldref.documents.reader import Document, Value
from meldref.documents.reader import Path as KeyPath
from meldref.ruleset.model import HouseRule

HOUSE_RULES: Final = "house_rules"
_WITH_RECEIVER: Final = {
    "discarder": ("take", "buy", "rummy", "challenge"),
    "owner": ("meld", "lay", "swap"),
}
"""The actions that have somebody of that name to get the points of an award."""
_NAME: Final = ()
"""What is wrong with a house rule whose name is."""
_BESIDE: Final = (_NAME, ("forbid",), ("for",), ("to",), ("says",), ("why",), ("source",))
"""What does not change how a condition is read."""
MOST: Final = 100
"""The most house rules that a ruleset may have."""
_MOST_OF_A_FILE: Final = 2 * MOST
"""How many of a file are looked at: a file that builds on it may do without some of them."""


class NamedKind(NamedTuple):
    """A kind of meld that a condition names: its key, its name, the finding if there is none."""

    key: str
    name: str
    finding: Finding


class HouseRulesCheck(NamedTuple):
    """Findings about the house rules of a file, which are unusable, and the kinds they name."""

    findings: tuple[Finding, ...]
    unusable: frozenset[str]
    kinds: tuple[NamedKind, ...]


def check_house_rules(value: Mapping[str, Value], document: Document) -> HouseRulesCheck:
    """Checks the house rules of a file, each by itself."""
    findings: list[Finding] = []
    unusable: set[str] = set()
    kinds: list[NamedKind] = []
    for number, (name, rule) in enumerate(_stated(value)):
        if number >= _MOST_OF_A_FILE:
            break  # that they are too many is found where the ruleset is made
        if len(unusable) >= MOST:
            message = f"there are more than {MOST} house rules: "
            message += "this one and those behind it are not looked at"
            findings.append(
                document.finding("rules.value", message, (HOUSE_RULES, name), at_key=True)
            )
            break
        checked = _RuleCheck(name, rule, document)
        if checked.findings:
            findings += checked.findings
            unusable.add(name)
        kinds += checked.kinds
    return HouseRulesCheck(tuple(findings), frozenset(unusable), tuple(kinds))


def check_beside(
    value: Mapping[str, Value], wrong: Sequence[KeyPath], document: Document
) -> Iterator[Finding]:
    """What is wrong with house rules that have other mistakes by the schema.

    Of those with another mistake than their name, only the conditions are looked at.
    """
    for name, rule in _stated(value):
        keys = [path[2:3] for path in wrong if path[:2] == (HOUSE_RULES, name)]
        if keys and all(key in _BESIDE for key in keys):
            only_name = all(key == _NAME for key in keys)
            yield from _RuleCheck(name, rule, document, shape=only_name).findings


def _stated(value: Mapping[str, Value]) -> list[tuple[str, dict[str, Value]]]:
    """The house rules of a file that have keys, by name."""
    rules = value.get(HOUSE_RULES)
    named = rules.items() if isinstance(rules, dict) else ()
    return [(name, rule) for name, rule in named if isinstance(rule, dict)]


class _RuleCheck:
    """One house rule of a file."""

    def __init__(
        self, name: str, rule: Mapping[str, Value], document: Document, *, shape: bool = True
    ) -> None:
        self.name, self.rule, self.document = name, rule, document
        self.path: KeyPath = (HOUSE_RULES, name)
        self.findings: list[Finding] = []
        self.kinds: list[NamedKind] = []
        if shape:
            self.findings += self._check_shape()
        self._check_conditions()

    def _wrong(self, message: str, *key: str) -> Finding:
        return self.document.finding("rules.value", message, (*self.path, *key), at_key=True)

    def _check_shape(self) -> Iterator[Finding]:
        rule, key = self.rule, f"{HOUSE_RULES}.{self.name}"
        forbids, awards = "forbid" in rule, "award" in rule
        if forbids and awards:
            message = f"{key} has both forbid and award: split it into two house rules"
            yield self._wrong(message, "award")
        if not forbids and not awards:
            message = f"{key} says neither what it forbids nor what it awards: "
            yield self._wrong(f"{message}write forbid: or award:")
        if "when" in rule and "unless" in rule:
            both = f"when: {_inner(rule['when'])} and not {_inner(rule['unless'])}"
            yield self._wrong(f"{key} has both when and unless: write one, as in {both}", "unless")
        if "for" in rule and forbids:
            message = f"{key}: for belongs to award; forbid names its actions itself"
            yield self._wrong(message, "for")
        if "to" in rule and forbids:
            yield self._wrong(f"{key}: to belongs to award; nobody gets points by forbid", "to")
        with_receiver = _WITH_RECEIVER.get(str(rule.get("to")))
        if with_receiver and awards:
            actions = _words(rule.get("for"))
            if not actions or not set(actions).issubset(with_receiver):
                only = f"only {in_words(with_receiver)} have one: write for: {with_receiver[0]}"
                yield self._wrong(f"{key}.to cannot be {rule['to']} here: {only}", "to")
        if not str(rule.get("says", "")).strip():
            written = "says: and the rule as a sentence, such as says: No ace is discarded."
            last_key = ["says"] if "says" in rule else [*rule][-1:]
            yield self._wrong(f"{key} has no says: add {written}", *last_key)

    def _check_conditions(self) -> None:
        from meldref.conditions.check import Checked, check  # noqa: PLC0415  only for house rules
        from meldref.conditions.types import ALWAYS, HAND, Sort  # noqa: PLC0415  as above

        rule = self.rule
        contexts = _words(rule.get("forbid")) or _words(rule.get("for")) or (HAND,)
        is_of_one_sort = ("forbid" in rule) is not ("award" in rule)
        if not is_of_one_sort or not ALWAYS.issuperset(contexts):
            contexts = ()  # nobody knows when it would be asked: a fact only has to exist
        sorts = {"when": Sort.YES_NO, "unless": Sort.YES_NO, "award": Sort.NUMBER}
        for key, sort in sorts.items():
            if not isinstance(rule.get(key), (str, int)):
                continue
            path, text = (*self.path, key), str(rule[key])
            checked = check(text, contexts, sort)
            if isinstance(checked, Checked):
                for kind, begin, end in checked.kinds:
                    message = f"there is no kind of meld {kind} in these rules"
                    finding = self._at(path, text, begin, end, message)
                    self.kinds.append(NamedKind(f"{HOUSE_RULES}.{self.name}", kind, finding))
                continue
            for mistake in checked:
                finding = self._at(path, text, mistake.begin, mistake.end, mistake.message)
                if mistake.instead is not None:
                    written = f"{text[: mistake.begin]}{mistake.instead}{text[mistake.end :]}"
                    edits = self._edits(path, text, finding.span, mistake.instead, written)
                    finding = changed(finding, edits=edits)
                self.findings.append(finding)

    def _edits(
        self, path: KeyPath, text: str, part: Span, instead: str, written: str
    ) -> tuple[Edit, ...]:
        """The edits that replace a part of the value, in quotes if braces would split it."""
        whole = self.document.place(path)
        line = self.document.excerpt(whole.line)
        if line[whole.column - 1 : whole.end_column - 1] == text:
            before = line[: whole.column - 1]
            is_in_braces = before.count("{") > before.count("}")
            if is_in_braces and not set(instead).isdisjoint(",[]{}"):
                quoted = f'"{written}"'
                return (Edit(whole.line, whole.column, whole.line, whole.end_column, quoted),)
        elif part == whole:
            return ()
        return (Edit(part.line, part.column, part.line, part.end_column, instead),)

    def _at(self, path: KeyPath, text: str, begin: int, end: int, message: str) -> Finding:
        """A finding about a part of a text, at its column."""
        key = ".".join(map(str, path))
        finding = self.document.finding("rules.value", f"{key}: {message}", path)
        span = _place(self.document, finding.span, text, begin, max(end, begin + 1))
        return finding.at(span, self.document.excerpt(span.line))


def _inner(value: Value) -> str:
    """A condition as a part of a longer one."""
    text = " ".join(str(value).split())
    return f"({text})" if " or " in text or " and " in text else text


def _words(value: Value) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(map(str, value))
    return (str(value),) if value else ()


def _place(document: Document, at: Span, text: str, begin: int, end: int) -> Span:
    """The place of a part of a text, on one line or on several; at worst the whole text."""
    line, column = at.line, at.column - 1
    opening = document.excerpt(line)[column : column + 1]
    if opening in {"|", ">"}:
        line, column = line + 1, 0
    elif opening in {'"', "'"}:
        column += 1
    # Sign by sign, spaces left out, the text is looked for in the lines of the file.
    places: dict[int, tuple[int, int]] = {}
    written = _signs(document, line, column)
    for offset, sign in enumerate(text[: end + 1]):
        if sign.isspace():
            continue
        sign_there, place = next(written, ("", (0, 0)))
        if sign_there != sign:
            return at
        places[offset] = place

    def last_before(behind: int) -> tuple[int, int]:
        """The place of the last sign before an offset of the text."""
        before = [place for offset, place in places.items() if offset < behind]
        return before[-1] if before else (at.line, at.column - 1)

    if begin in places:
        number, first = places[begin]
    else:
        number, last = last_before(begin)
        first = last + 1
    last_line, last = last_before(end)
    stop = last + 1 if last_line == number else len(document.excerpt(number))
    return Span(number, first + 1, max(stop, first) + 1)


def _signs(document: Document, line: int, column: int) -> Iterator[tuple[str, tuple[int, int]]]:
    """Each sign of a file from a place on that is no space, with its line and column from 0."""
    for number in range(line, len(document.lines) + 1):
        start = column if number == line else 0
        for place, sign in enumerate(document.excerpt(number)[start:], start):
            if not sign.isspace():
                yield sign, (number, place)


def house_rules(leaves: Mapping[str, Value]) -> tuple[HouseRule, ...]:
    """The house rules of a merged ruleset, in the order of the files, from the values by name."""
    return tuple([_made(name, rule) for name, rule in leaves.items() if isinstance(rule, dict)])


def _made(name: str, rule: Mapping[str, Value]) -> HouseRule:
    return HouseRule(
        name,
        says=" ".join(str(rule.get("says", "")).split()),
        forbid=_words(rule.get("forbid")),
        award=str(rule["award"]) if "award" in rule else None,
        at=_words(rule.get("for")),
        to=str(rule.get("to", "player")),
        when=str(rule.get("when", "")),
        unless=str(rule.get("unless", "")),
        why=" ".join(str(rule.get("why", "")).split()),
        source=" ".join(str(rule.get("source", "")).split()),
    )
