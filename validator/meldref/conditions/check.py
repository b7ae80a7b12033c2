"""Checks what is written against the facts there are: a typed tree, or what is wrong, at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, NoReturn

from meldref.conditions.facts import CARD, CARD_OF_LIST, ELEMENTS, LISTS, PLAYER, SUBJECTS, there
from meldref.conditions.meant import (
    COLOURS,
    COUNTED,
    NO_WAY,
    NOBODY,
    alone,
    card_test,
    counted,
    meant,
    of_others,
    owned,
    ranks,
    synonym,
    unknown,
    wins,
)
from meldref.conditions.parse import HIGHEST, Mistake, read
from meldref.conditions.tree import Node
from meldref.conditions.types import END, HAND, ORDER, TOP, WORDS, Fact, Sort, Term
from meldref.conditions.types import LISTS as ITEMS
from meldref.core.text import in_words
from meldref.ruleset.model import GAME

_INSTEAD: Final = {
    ("player.went_out", END): "player.goes_out",
    ("player.goes_out", HAND): "player.went_out",
    ("player.score", GAME): "player.total",
    ("player.points", GAME): "player.total",
}
"""What to write for a fact that is not there, by where it is asked."""

FUNCTIONS: Final = ("count", "any", "all", "sum", "min", "max", "round_down", "round_up")


class Checked(NamedTuple):
    """A condition that makes sense, and the kinds of meld that it names: each with its place in the text."""

    term: Term
    kinds: tuple[tuple[str, int, int], ...]


class _Wrong(Exception):
    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__(mistakes)
        self.mistakes = mistakes


def check(
    text: str, contexts: Sequence[str], sort: Sort = Sort.YES_NO
) -> Checked | tuple[Mistake, ...]:
    """The typed tree of a condition, or of points, that is asked at some actions, or the mistakes in it."""
    node, checker = read(text), _Checker(text, contexts)
    if isinstance(node, Mistake):
        message = node.message
        if sort is Sort.NUMBER:
            message = message.replace("a condition", "an expression").replace(
                "condition", "expression"
            )
        mistakes = {node._replace(message=message), *checker.misnamed(node)}
    else:
        try:
            return Checked(checker.wanted(node, sort), tuple(checker.kinds))
        except _Wrong as wrong:
            mistakes = set(wrong.mistakes)
    return tuple(sorted(mistakes, key=lambda mistake: mistake.begin))


class _Checker:
    def __init__(self, text: str, contexts: Sequence[str]) -> None:
        self.text = text
        self.contexts = contexts
        self.element: Sort | None = None
        self.kinds: list[tuple[str, int, int]] = []

    def wrong(self, node: Node, message: str, instead: str | None = None) -> NoReturn:
        raise _Wrong(Mistake(node.begin, self.end(node), message, instead))

    def misnamed(self, unread: Mistake) -> Iterator[Mistake]:
        """What is wrong with the facts that a text names which cannot be read, but for the part that is unread."""
        for match in re.finditer(r"(?<![\w.])([a-z_]+)\.[a-z_]+", self.text):
            if match[1] in SUBJECTS and not unread.begin <= match.start() < unread.end:
                try:
                    self._name(Node("name", match.start(), match.end(), match[0]))
                except _Wrong as wrong:
                    yield from wrong.mistakes

    def each(self, *asks: Callable[[], Term]) -> list[Term]:
        """Parts that are looked at one after the other, so that the mistakes in all of them are found."""
        terms: list[Term] = []
        mistakes: list[Mistake] = []
        element = self.element
        for ask in asks:
            try:
                terms.append(ask())
            except _Wrong as wrong:
                mistakes += wrong.mistakes
                self.element = element
        if mistakes:
            raise _Wrong(*mistakes)
        return terms

    def all_wanted(self, nodes: Iterable[Node], sort: Sort) -> tuple[Term, ...]:
        """Parts that have to be of one sort."""
        return tuple(self.each(*[partial(self.wanted, node, sort) for node in nodes]))

    def said(self, node: Node) -> str:
        return self.text[node.begin : self.end(node)]

    def end(self, node: Node) -> int:
        """Where a part ends, with the brackets that it opened."""
        end = node.end
        for opening, closing in ("[]", "()"):
            while self.text.count(opening, node.begin, end) > self.text.count(
                closing, node.begin, end
            ):
                end = self.text.index(closing, end) + 1
        return end

    def wanted(self, node: Node, sort: Sort) -> Term:
        """A part that has to be of some sort."""
        if sort is Sort.YES_NO and self.is_bare(node):
            self.wrong(node, alone(self.said(node), self.element, self.contexts))
        term = self.term(node)
        if term.sort is sort:
            return term
        if sort is Sort.YES_NO and term.op == "fact" and term.value.above is not None:
            return Term(
                "compare",
                Sort.YES_NO,
                (term, Term("constant", Sort.NUMBER, (), term.value.above)),
                ">",
            )
        phrase = self.said(node)
        if sort is Sort.YES_NO and term.sort is Sort.NUMBER:
            self.wrong(
                node,
                f"{phrase} is a number, and a condition is yes or no: compare it, as in {phrase} > 1",
            )
        if sort is Sort.YES_NO and term.sort in ITEMS:
            self.wrong(
                node,
                f"{phrase} is {term.sort}: ask any({phrase}, …), all({phrase}, …) or count({phrase}) > 0",
            )
        if sort is Sort.YES_NO:
            self.wrong(
                node,
                f"{phrase} is {term.sort}, and a condition is yes or no: compare it, as in {phrase} is …",
            )
        return self.wrong(node, f"{phrase} is {term.sort}, where {sort} belongs")

    def term(self, node: Node) -> Term:
        """A part of a condition."""
        checked_term: Term = getattr(self, f"_{node.sort}")(node)
        return checked_term

    def is_bare(self, node: Node) -> bool:
        """Whether a part is a word that only has a meaning beside something else, such as a rank."""
        return node.sort == "name" and "." not in node.word and node.word not in LISTS

    # --- logic ------------------------------------------------------------------------------------

    def _and(self, node: Node) -> Term:
        for number, side in enumerate(node.parts[:-1], 1):
            before = side.parts[-1] if side.sort == "and" else side
            before = before.parts[0] if before.sort == "not" else before
            words = []
            for part in node.parts[number:]:
                word = part.parts[0] if part.sort == "and" else part
                if self._literal(word):
                    words.append(word)
                if part.sort == "and" or word not in words:
                    break
            if before.sort == "compare" and before.words in {("is",), ("is not",)} and words:
                listed = f"in [{', '.join(map(self.said, [before.parts[1], *words]))}]"
                how = f"not {listed}" if before.word == "is not" else listed
                written = f"{self.said(before.parts[0])} {how}"
                whole = Node("or", before.begin, words[-1].end)
                self.wrong(
                    whole,
                    f"`{node.sort}` must be followed by a complete condition: write {written}",
                    written,
                )
        return Term(node.sort, Sort.YES_NO, self.all_wanted(node.parts, Sort.YES_NO))

    _or = _and

    def _not(self, node: Node) -> Term:
        return Term("not", Sort.YES_NO, (self.wanted(node.parts[0], Sort.YES_NO),))

    def _group(self, node: Node) -> Term:
        return self.term(node.parts[0])

    # --- comparing --------------------------------------------------------------------------------

    def _compare(self, node: Node) -> Term:
        op = node.words[0]
        left, right = node.parts[:2]
        if len(node.parts) > 2:
            some = [self.said(part) for part in node.parts]
            pairs = [
                f"{first_name} {word} {other}"
                for first_name, word, other in zip(some, node.words, some[1:], strict=False)
            ]
            written = " and ".join(pairs)
            self.wrong(node, f"one comparison at a time: write {written}", written)
        other = {"==": "is", "=": "is", "!=": "is not", "<>": "is not"}.get(op)
        if other is not None:
            gap = self.text[left.end : right.begin]
            at = left.end + gap.index(op)
            blank = "" if gap.startswith(" ") else " ", "" if gap.endswith(" ") else " "
            mistake = Mistake(
                at, at + len(op), f"{op} is written {other}", f"{blank[0]}{other}{blank[1]}"
            )
            raise _Wrong(mistake)
        if self._is_word(left, right) or self._is_word(right, left):
            word, other_side = (left, right) if self._is_word(left, right) else (right, left)
            typed = self.term(other_side)
            return Term("compare", Sort.YES_NO, (typed, self._as(word, typed.sort, other_side)), op)
        if (
            self._literal(left)
            and self._literal(right)
            and not (left.sort == right.sort == "number")
        ):
            bare = left if self.is_bare(left) else right
            self.wrong(bare, unknown(bare.word, self.element, self.contexts))
        if self._literal(left):
            two = self.term(right)
            left_term = self._as(left, two.sort, right)
        elif self._literal(right):
            left_term = self.term(left)
            two = self._as(right, left_term.sort, left)
        else:
            left_term, two = self.each(partial(self.term, left), partial(self.term, right))
        if left_term.sort is not two.sort:
            self.wrong(
                node, f"{self.said(left)} is {left_term.sort}, {self.said(right)} is {two.sort}"
            )
        if left_term.sort in ITEMS:
            self.wrong(
                node,
                f"{self.said(left)} is {left_term.sort}, and lists are not compared: count them",
            )
        if left_term.sort is Sort.YES_NO:
            self.wrong(
                node, f"{self.said(left)} is yes or no by itself: write it alone, or not before it"
            )
        if op not in {"is", "is not"} and left_term.sort is not Sort.NUMBER:
            such = (
                f"{self.said(left)} {ranks(op, two)}"
                if left_term.sort is Sort.RANK
                else f"{self.said(left)} is …"
            )
            self.wrong(
                node, f"{left_term.sort} has no order, so {op} cannot compare it: write {such}"
            )
        return Term("compare", Sort.YES_NO, (left_term, two), op)

    def _literal(self, node: Node) -> bool:
        return node.sort == "number" or self.is_bare(node)

    def _is_word(self, node: Node, beside: Node) -> bool:
        """Whether the name of a list is a word beside something: `turn.drew is pile`."""
        if node.sort != "name" or node.word not in LISTS or self._literal(beside):
            return False
        sort = self.term(beside).sort
        return sort is Sort.KIND or node.word in WORDS.get(sort, ())

    def _within(self, node: Node) -> Term:
        left = node.parts[0]
        if self.is_bare(left):
            self.wrong(left, unknown(left.word, self.element, self.contexts))
        typed = self.term(left)
        if typed.sort in ITEMS or typed.sort is Sort.YES_NO:
            self.wrong(left, f"{self.said(left)} is {typed.sort}, and in asks about a single value")
        items = self.each(
            *[partial(self._items, part, typed.sort, left) for part in node.parts[1:]]
        )
        inside = Term(
            "in", Sort.YES_NO, (typed,), tuple([value for item in items for value in item.value])
        )
        return Term("not", Sort.YES_NO, (inside,)) if node.word == "not in" else inside

    def _items(self, node: Node, sort: Sort, left: Node) -> Term:
        """What an item of a list names: values, or for numbers pairs of the least and the greatest."""
        ends: tuple[str, ...] = node.words
        if node.sort == "name" and sort is Sort.RANK and "-" in node.word:
            ends = tuple(node.word.split("-"))
        if len(ends) == 1:
            value = self._as(node, sort, left).value
            return Term("constant", sort, (), [(value, value) if sort is Sort.NUMBER else value])
        parts = [
            Node("number" if end.isdigit() else "name", node.begin, node.end, end) for end in ends
        ]
        if sort not in {Sort.RANK, Sort.NUMBER} or len(parts) != 2:
            self.wrong(node, f"{self.said(node)}: only ranks and numbers have a first and a last")
        low, high = (self._as(part, sort, left).value for part in parts)
        places = (low, high) if sort is Sort.NUMBER else (ORDER.index(low), ORDER.index(high))
        if places[0] > places[1]:
            order = "ranks are in the order A 2 3 4 5 6 7 8 9 T J Q K"
            why = order if sort is Sort.RANK else "the lesser number comes first"
            self.wrong(node, f"{self.said(node)} runs backwards: {why}", f"{ends[1]}-{ends[0]}")
        values = [(low, high)] if sort is Sort.NUMBER else list(ORDER[places[0] : places[1] + 1])
        return Term("constant", sort, (), values)

    def _as(self, node: Node, sort: Sort, beside: Node) -> Term:
        """A bare word or a digit, read as what stands on the other side."""
        word = node.word
        if sort is Sort.NUMBER:
            if node.sort == "number":
                return self._number(node)
            facts = f"; did you mean {in_words(owned(word), 'or')}?" if owned(word) else ""
            self.wrong(node, f"{self.said(beside)} is a number, and {word} is none{facts}")
        if sort is Sort.KIND:
            self.kinds.append((word, node.begin, node.end))
            return Term("constant", sort, (), word)
        if sort is Sort.YES_NO:
            self.wrong(
                node,
                f"{self.said(beside)} is yes or no by itself: write it alone, or not before it",
            )
        if sort in ITEMS:
            counted = f"count({self.said(beside)})"
            if node.sort == "number":
                self.wrong(beside, f"{self.said(beside)} is {sort}: write {counted}", counted)
            if word in {"empty", "none", "nothing"}:
                self.wrong(node, f"{self.said(beside)} is {sort}: write {counted} is 0")
        if sort not in WORDS:
            self.wrong(node, f"{self.said(beside)} is {sort}, which cannot be compared with {word}")
        words = WORDS[sort]
        if word == "10" and sort is Sort.RANK:
            return Term("constant", sort, (), "T")
        if word in words:
            return Term("constant", sort, (), word)
        near = meant(word, words)
        what = f"{self.said(beside)} is {sort}"
        if sort is Sort.RANK and word.lower() in {"jk", "joker"}:
            self.wrong(
                node, f"{what}, and a joker has none: write card.is_joker, or .is_joker in a list"
            )
        for other, names in WORDS.items():
            if word in names:
                self.wrong(
                    node, f"{what}, and {word} is {other}: {sort} is {in_words(words, 'or')}"
                )
        if sort is Sort.SUIT and word in COLOURS:
            self.wrong(node, f"{word} is a colour: write {self.said(beside)} in {COLOURS[word]}")
        hint = f"; did you mean {near}?" if near else f": it is {in_words(words, 'or')}"
        return self.wrong(node, f"{what}, and {word} is none{hint}", near)

    # --- numbers ----------------------------------------------------------------------------------

    def _number(self, node: Node) -> Term:
        if len(node.word) > len(str(HIGHEST)) or int(node.word) > HIGHEST:
            self.wrong(
                node, f"{node.word[:12]}… is more than {HIGHEST:,}, the greatest number here"
            )
        return Term("constant", Sort.NUMBER, (), int(node.word))

    def _sign(self, node: Node) -> Term:
        inner = self.wanted(node.parts[0], Sort.NUMBER)
        if node.word == "+":
            return inner
        if inner.op == "constant":
            return inner._replace(value=-inner.value)
        return Term("times", Sort.NUMBER, (inner,), -1)

    def _add(self, node: Node) -> Term:
        return Term(
            "add", Sort.NUMBER, self.all_wanted(node.parts, Sort.NUMBER), ("+", *node.words)
        )

    def _times(self, node: Node) -> Term:
        if "/" in node.words:
            *first, last = node.parts
            sign = node.words[-1]
            if sign == "/":
                dividend = self._product(node, first, node.words[:-1])
                return self._by_number(
                    "divide", dividend, last, f"{self.said(node)}: what follows / must be"
                )
            at = len(node.words) - node.words[::-1].index("/")
            inner = self._product(node, node.parts[: at + 1], node.words[:at])
            return self._multiplied(
                node, [inner, *self.all_wanted(node.parts[at + 1 :], Sort.NUMBER)]
            )
        return self._multiplied(node, self.all_wanted(node.parts, Sort.NUMBER))

    def _product(self, node: Node, parts: Sequence[Node], words: Sequence[str]) -> Term:
        """The first parts of a product, as far as they are multiplied and divided."""
        if len(parts) == 1:
            return self.wanted(parts[0], Sort.NUMBER)
        return self._times(
            Node("times", node.begin, parts[-1].end, words[0], tuple(parts), tuple(words))
        )

    def _by_number(self, op: str, term: Term, node: Node, what: str) -> Term:
        """A number divided by, or rounded to, a plain number."""
        step = self.wanted(node, Sort.NUMBER)
        if step.op != "constant" or step.value < 1:
            self.wrong(node, f"{what} a plain number, 1 or more")
        return Term(op, Sort.NUMBER, (term,), step.value)

    def _multiplied(self, node: Node, terms: Sequence[Term]) -> Term:
        factor, rest = 1, []
        for term in terms:
            if term.op == "constant":
                factor *= term.value
            else:
                rest.append(term)
        if len(rest) > 1:
            self.wrong(
                node, f"{self.said(node)} multiplies two facts: one side of * is a plain number"
            )
        if abs(factor) > HIGHEST:
            self.wrong(
                node, f"{self.said(node)} comes to more than {HIGHEST:,}, the greatest number here"
            )
        return Term("times" if rest else "constant", Sort.NUMBER, tuple(rest), factor)

    # --- facts ------------------------------------------------------------------------------------

    def _name(self, node: Node) -> Term:
        subject, dot, name = node.word.partition(".")
        if not dot:
            if subject not in LISTS:
                self.wrong(node, unknown(subject, self.element, self.contexts))
            fact = LISTS[subject]
            self._is_there(node, subject, fact.where)
            return Term("fact", fact.sort, (), fact, "top")
        if subject in LISTS:
            sort = LISTS[subject].sort
            if name in COUNTED:
                self.wrong(
                    node, f"{subject} is {sort}: write count({subject})", f"count({subject})"
                )
            each = f"any({subject}, .{name} …) or " if name in ELEMENTS[ITEMS[sort]] else ""
            facts, where, _ = SUBJECTS.get(
                owner := subject.removesuffix("s"), ({}, frozenset(), "")
            )
            single = (
                f"; did you mean {owner}.{name}?"
                if name in facts and where.issuperset(self.contexts)
                else ""
            )
            self.wrong(node, f"{subject} is {sort}: ask {each}count({subject}){single}")
        if subject not in SUBJECTS:
            instead = synonym(node.word, self.contexts)
            if instead is not None:
                self.wrong(node, f"there is no {node.word} here: write {instead}", instead)
            others = of_others(subject, name, self.contexts)
            if others != NO_WAY or subject in NOBODY:
                self.wrong(node, f"there is no {subject} here{others}")
            near = meant(
                subject,
                [owner for owner, (facts, *_) in SUBJECTS.items() if name in facts] or SUBJECTS,
            )
            every = meant(subject, LISTS)
            listed = every is not None and name in ELEMENTS[ITEMS[LISTS[every].sort]]
            hint = (
                f"; did you mean {near}.{name}?"
                if near
                else f": ask any({every}, .{name})"
                if listed
                else NO_WAY
            )
            self.wrong(
                node, f"there is no {subject} here{hint}", f"{near}.{name}" if near else None
            )
        facts, where, _ = SUBJECTS[subject]
        self._is_there(node, subject, where)
        fact = self._fact(node, facts, name, subject)
        return Term("fact", fact.sort, (), fact, TOP if subject == "top" else subject)

    def _dot(self, node: Node) -> Term:
        name = node.word[1:]
        if self.element is None:
            owners = owned(name)
            hint = f": write {in_words(owners, 'or')}" if owners else ""
            self.wrong(node, f"{node.word} has nothing before its dot{hint}")
        fact = self._fact(node, ELEMENTS[self.element], name, str(self.element).removeprefix("a "))
        return Term("fact", fact.sort, (), fact, "it")

    def _fact(self, node: Node, facts: Any, name: str, subject: str) -> Fact:
        fact: Fact | None = facts.get(name)
        if fact is None:
            whole, _, last = node.word.rpartition(".")
            row = facts.get(whole.partition(".")[2])
            if last in COUNTED and node.sort == "name" and row is not None and row.sort in ITEMS:
                self.wrong(node, f"{whole} is a list: write count({whole})", f"count({whole})")
            if "." in name:
                self.wrong(node, f"{node.word} has a dot too many: a fact has no facts of its own")
            if name in CARD_OF_LIST and name not in CARD:
                row = (
                    "meld.cards" if SUBJECTS["meld"][1].issuperset(self.contexts) else "player.laid"
                )
                self.wrong(
                    node, f"{node.word} is asked of the cards of a list: any({row}, .{name} …)"
                )
            cards = counted(name, subject, self.contexts) if node.sort == "name" else None
            if cards is not None and subject not in {"card", "top", "stock", "hand"}:
                self.wrong(node, f"{subject} has no fact {name}: write {cards}", cards)
            won = wins(name, self.contexts) if facts is PLAYER else None
            if won is not None:
                self.wrong(node, f"{subject} has no fact {name}: {won}")
            fact_there = synonym(f"{subject}.{name}", self.contexts)
            test = card_test(name) if "rank" in facts and "is_joker" in facts else None
            if fact_there is not None or test is not None:
                written = fact_there or f"{node.word.rpartition('.')[0]}{test}"
                self.wrong(node, f"{subject} has no fact {name}: write {written}", written)
            here = [fact for fact in facts if facts[fact].where.issuperset(self.contexts)]
            near = meant(name, here)
            dot = "." if node.sort == "dot" else f"{subject}."
            hint = f"; did you mean {dot}{near}?" if near else f"; it has {in_words(here)}{NO_WAY}"
            self.wrong(
                node, f"{subject} has no fact {name}{hint}", f"{dot}{near}" if near else None
            )
        self._is_there(node, f"{subject}.{name}", fact.where)
        if fact.sort in ITEMS and self.element is not None:
            self.wrong(node, f"{node.word} is a list, and there is no list in a list's condition")
        return fact

    def _is_there(self, node: Node, what: str, where: Collection[str]) -> None:
        """A fact that not all actions have of which the rule is."""
        context = next((context for context in self.contexts if context not in where), None)
        if context is None:
            return
        when = {
            HAND: "when the hand is over",
            END: "at the end of a turn",
            GAME: "when the game is over",
        }.get(context, f"in {context}")
        have = f"; available: {there(context)}"
        if {*where} == {HAND}:
            have = ": it is known only in an award for the end of the hand, which has no for"
        if {*where} == {GAME}:
            other_wins = wins(what.rpartition(".")[2], self.contexts)
            have = f": it is known only in an award with for: game; {other_wins}"
        if {*where} == {END}:
            have = ": it is known only where a turn ends, with forbid: end or for: end"
        other = _INSTEAD.get((what, context))
        if other:
            self.wrong(node, f"`{what}` is not available {when}: write {other}", other)
        if context == HAND and END in where:
            have = f": an award with for: end is evaluated at the end of each turn{have}"
        self.wrong(node, f"`{what}` is not available {when}{have}")

    # --- lists ------------------------------------------------------------------------------------

    def _call(self, node: Node) -> Term:
        name, parts = node.word, node.parts
        if name not in FUNCTIONS:
            near = meant(name, FUNCTIONS)
            hint = f"; did you mean {near}?" if near else ""
            message = f"there is no function {name}: there are {in_words(FUNCTIONS)}{hint}"
            rest = [partial(self._call, node._replace(word=near))] if near else []
            self.each(partial(self.wrong, node, message), *rest)
        if name in {"min", "max"}:
            if len(parts) != 2:
                self.wrong(node, f"{name} takes two numbers: {name}(a, b)")
            return Term(name, Sort.NUMBER, self.all_wanted(parts, Sort.NUMBER))
        if name in {"round_down", "round_up"}:
            if len(parts) != 2:
                self.wrong(
                    node, f"{name} takes a number and what it is rounded to: {name}(player.held, 5)"
                )
            return self._by_number(
                name, self.wanted(parts[0], Sort.NUMBER), parts[1], f"{name} rounds to"
            )
        if self.element is not None:
            self.wrong(
                node, f"{name}(…) asks about a list, and there is no list in a list's condition"
            )
        needed = {"count": (1, 2), "sum": (2, 3)}.get(name, (2,))
        if len(parts) not in needed:
            second = "points" if name == "sum" else "rank is K"
            self.wrong(
                node,
                f"{name} takes a list and what is asked of each: {name}(player.hand, .{second})",
            )
        if self.is_bare(parts[0]):
            self.wrong(parts[0], unknown(parts[0].word, self.element, self.contexts))
        row = self.term(parts[0])
        if row.sort not in ITEMS:
            self.wrong(
                parts[0], f"{self.said(parts[0])} is {row.sort}, and {name} asks about a list"
            )
        inner: tuple[Term, ...] = ()
        if parts[1:]:
            self.element = ITEMS[row.sort]
            first = Sort.NUMBER if name == "sum" else Sort.YES_NO
            asks = [
                partial(self.wanted, part, sort)
                for part, sort in zip(parts[1:], (first, Sort.YES_NO), strict=False)
            ]
            inner = tuple(self.each(*asks))
            self.element = None
        sort = Sort.YES_NO if name in {"any", "all"} else Sort.NUMBER
        return Term(name, sort, (row, *inner))
