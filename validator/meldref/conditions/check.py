"""Checks what is written against the facts: a typed tree, or what is wrong, at its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple, NoReturn

from meldref.conditions.facts import ELEMENTS, LISTS, SUBJECTS, what_is_there
from meldref.conditions.meant import COLOURS, about, ranks
from meldref.conditions.parse import HIGHEST, Mistake, read
from meldref.conditions.tree import Node
from meldref.conditions.types import END, HAND, ORDER, TOP, WORDS, Fact, Sort, Term
from meldref.conditions.types import LISTS as ITEMS
from meldref.core.meant import did_you_mean, nearest
from meldref.core.text import in_words
from meldref.ruleset.model import GAME

_INSTEAD: Final = {
    ("player.went_out", END): "player.goes_out",
    ("player.goes_out", HAND): "player.went_out",
    ("player.score", GAME): "player.total",
    ("player.points", GAME): "player.total",
}
"""What to write for a fact that is not there, by where it is asked."""
_WHEN: Final = {
    HAND: "when the hand is over",
    END: "at the end of a turn",
    GAME: "when the game is over",
}
_BY_ITSELF: Final = "by itself: write it alone, or not before it"

FUNCTIONS: Final = ("count", "any", "all", "sum", "min", "max", "round_down", "round_up")


class Checked(NamedTuple):
    """A condition that makes sense, and the kinds of meld that it names, with their places."""

    term: Term
    kinds: tuple[tuple[str, int, int], ...]


class _Wrong(Exception):
    def __init__(self, *mistakes: Mistake) -> None:
        super().__init__(mistakes)
        self.mistakes = mistakes


def check(
    text: str, contexts: Sequence[str], sort: Sort = Sort.YES_NO
) -> Checked | tuple[Mistake, ...]:
    """The typed tree of a condition, or of points, asked at some actions; or the mistakes in it."""
    node = read(text)
    checker = _Checker(text, contexts)
    if isinstance(node, Mistake):
        message = node.message
        if sort is Sort.NUMBER:
            message = message.replace("a condition", "an expression")
            message = message.replace("condition", "expression")
        mistakes = {node._replace(message=message), *checker.misnamed(node)}
    else:
        try:
            term = checker.wanted(node, sort)
        except _Wrong as wrong:
            mistakes = set(wrong.mistakes)
        else:
            return Checked(term, tuple(checker.kinds))
    return tuple(sorted(mistakes, key=lambda mistake: mistake.begin))


def facts_named_in(text: str, sort: Sort = Sort.YES_NO) -> list[tuple[str, str]]:
    """The facts that a text asks for, each once, with what they say; none if it makes no sense."""
    checked = check(text, (), sort)
    if not isinstance(checked, Checked):
        return []
    return list(dict.fromkeys(_named_in(checked.term)))


def _named_in(term: Term) -> Iterator[tuple[str, str]]:
    """The facts in a typed tree, as they are written, with what they say."""
    if term.op == "fact":
        fact = term.value
        # A list that belongs to nobody, such as the pile, has no dot.
        before = {"it": ".", TOP: "top.", "top": ""}.get(term.subject, f"{term.subject}.")
        yield before + fact.name, fact.about
    for part in term.parts:
        yield from _named_in(part)


class _Checker:
    def __init__(
        self,
        text: str,
        contexts: Sequence[str],
        element: Sort | None = None,
        *,
        tries: bool = False,
    ) -> None:
        """Check a text; with `tries`, only whether it makes sense: nobody reads what is wrong."""
        self.text = text
        self.contexts = contexts
        self.tries = tries
        self.element = element
        self.kinds: list[tuple[str, int, int]] = []

    def refuse(self, node: Node, message: str, instead: str | None = None) -> NoReturn:
        """Refuse a part, which ends its check."""
        raise _Wrong(Mistake(node.begin, self.end(node), message, instead))

    def rewrite(self, node: Node, problem: str, instead: str) -> NoReturn:
        """Refuse a part that can be replaced by another text."""
        self.refuse(node, f"{problem}: write {instead}", instead)

    def refuse_unknown(self, node: Node, sort: Sort | None = None) -> NoReturn:
        """Refuse a word that means nothing, and say what was meant: something of a sort, if any."""

        def fits(text: str) -> bool:
            part = read(text)
            if isinstance(part, Mistake):
                return False
            checker = _Checker(text, self.contexts, self.element, tries=True)
            try:
                term = checker.term(part)
            except _Wrong:
                return False
            return sort is None or term.sort is sort

        if self.tries:
            self.refuse(node, "")
        self.refuse(node, *about(node.word, self.element, self.contexts, fits))

    def misnamed(self, unread: Mistake) -> Iterator[Mistake]:
        """What is wrong with facts in a text that cannot be read, outside of the unread part."""
        for match in re.finditer(r"(?<![\w.])([a-z_]+)\.[a-z_]+", self.text):
            is_in_unread = unread.begin <= match.start() < unread.end
            if match[1] not in SUBJECTS or is_in_unread:
                continue
            try:
                self._name(Node("name", match.start(), match.end(), match[0]))
            except _Wrong as wrong:
                yield from wrong.mistakes

    def each(self, *asks: Callable[[], Term]) -> list[Term]:
        """Looks at one part after the other, so that the mistakes in all of them are found."""
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

    def text_of(self, node: Node) -> str:
        return self.text[node.begin : self.end(node)]

    def end(self, node: Node) -> int:
        """Where a part ends, with the brackets that it opened."""
        begin, end = node.begin, node.end
        for opening, closing in ("[]", "()"):
            while self.text.count(opening, begin, end) > self.text.count(closing, begin, end):
                end = self.text.index(closing, end) + 1
        return end

    def wanted(self, node: Node, sort: Sort) -> Term:
        """A part that has to be of some sort."""
        if sort is Sort.YES_NO and self.is_bare(node):
            self.refuse_unknown(node, sort)
        term = self.term(node)
        if term.sort is sort:
            return term
        if sort is Sort.YES_NO:
            return self._as_condition(node, term)
        return self.refuse(node, f"{self.text_of(node)} is {term.sort}, where {sort} belongs")

    def _as_condition(self, node: Node, term: Term) -> Term:
        """A condition made of another part: only some facts are one by themselves."""
        if term.op == "fact" and term.value.above is not None:
            above = Term("constant", Sort.NUMBER, (), term.value.above)
            return Term("compare", Sort.YES_NO, (term, above), ">")
        phrase = self.text_of(node)
        if term.sort in ITEMS:
            asks = f"any({phrase}, …), all({phrase}, …) or count({phrase}) > 0"
            self.refuse(node, f"{phrase} is {term.sort}: ask {asks}")
        example = "> 1" if term.sort is Sort.NUMBER else "is …"
        return self.refuse(
            node,
            f"{phrase} is {term.sort}, and a condition is yes or no: "
            f"compare it, as in {phrase} {example}",
        )

    def term(self, node: Node) -> Term:
        """A part of a condition."""
        checked_term: Term = getattr(self, f"_{node.sort}")(node)
        return checked_term

    def is_bare(self, node: Node) -> bool:
        """Whether a part is a word that means something only beside a fact, such as a rank."""
        return node.sort == "name" and "." not in node.word and node.word not in LISTS

    # --- logic ------------------------------------------------------------------------------------

    def _and(self, node: Node) -> Term:
        for number, side in enumerate(node.parts[:-1], 1):
            self._check_list(node.sort, side, node.parts[number:])
        return Term(node.sort, Sort.YES_NO, self.all_wanted(node.parts, Sort.YES_NO))

    def _check_list(self, joint: str, side: Node, following: Sequence[Node]) -> None:
        """Refuse `card.rank is K or A`: bare words behind a comparison belong in a list."""
        compared = side.parts[-1] if side.sort == "and" else side
        if compared.sort == "not":
            compared = compared.parts[0]
        if compared.sort != "compare" or compared.words not in {("is",), ("is not",)}:
            return
        words: list[Node] = []
        for part in following:
            word = part.parts[0] if part.sort == "and" else part
            if self._is_literal(word):
                words.append(word)
            if part.sort == "and" or not self._is_literal(word):
                break
        if not words:
            return
        left, right = compared.parts
        listed = ", ".join([self.text_of(word) for word in (right, *words)])
        relation = "not in" if compared.word == "is not" else "in"
        whole = Node("or", compared.begin, words[-1].end)
        problem = f"`{joint}` must be followed by a complete condition"
        self.rewrite(whole, problem, f"{self.text_of(left)} {relation} [{listed}]")

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
            sides = [self.text_of(part) for part in node.parts]
            pairs = zip(sides, node.words, sides[1:], strict=False)
            comparisons = [" ".join(pair) for pair in pairs]
            self.rewrite(node, "one comparison at a time", " and ".join(comparisons))
        self._check_sign(op, left, right)
        terms = self._sides(left, right)
        sort = terms[0].sort
        what = f"{self.text_of(left)} is {sort}"
        if sort is not terms[1].sort:
            self.refuse(node, f"{what}, {self.text_of(right)} is {terms[1].sort}")
        if sort in ITEMS:
            self.refuse(node, f"{what}, and lists are not compared: count them")
        if sort is Sort.YES_NO:
            self.refuse(node, f"{what} {_BY_ITSELF}")
        if op not in {"is", "is not"} and sort is not Sort.NUMBER:
            instead = ranks(op, terms[1]) if sort is Sort.RANK else "is …"
            problem = f"{sort} has no order, so {op} cannot compare it"
            self.refuse(node, f"{problem}: write {self.text_of(left)} {instead}")
        return Term("compare", Sort.YES_NO, terms, op)

    def _check_sign(self, sign: str, left: Node, right: Node) -> None:
        """Refuse a sign for which conditions have a word."""
        word = {"==": "is", "=": "is", "!=": "is not", "<>": "is not"}.get(sign)
        if word is None:
            return
        gap = self.text[left.end : right.begin]
        at = left.end + gap.index(sign)
        # A word, unlike a sign, needs spaces around it.
        before = "" if gap[0] == " " else " "
        after = "" if gap[-1] == " " else " "
        instead = f"{before}{word}{after}"
        raise _Wrong(Mistake(at, at + len(sign), f"{sign} is written {word}", instead))

    def _sides(self, left: Node, right: Node) -> tuple[Term, Term]:
        """Both sides of a comparison; a bare word is of the sort of the other side."""
        if self._is_literal(left) and self._is_literal(right):
            for side in (left, right):
                if self.is_bare(side):
                    self.refuse_unknown(side)
        if self._is_literal(left) or self._is_word(left, right):
            term = self.term(right)
            return self._as(left, term.sort, right), term
        if self._is_literal(right) or self._is_word(right, left):
            term = self.term(left)
            return term, self._as(right, term.sort, left)
        first, second = self.each(partial(self.term, left), partial(self.term, right))
        return first, second

    def _is_literal(self, node: Node) -> bool:
        """Whether a part is a number or a word, and no fact."""
        return node.sort == "number" or self.is_bare(node)

    def _is_word(self, node: Node, beside: Node) -> bool:
        """Whether the name of a list is a word beside something: `turn.drew is pile`."""
        if node.sort != "name" or node.word not in LISTS or self._is_literal(beside):
            return False
        sort = self.term(beside).sort
        return sort is Sort.KIND or node.word in WORDS.get(sort, ())

    def _within(self, node: Node) -> Term:
        left = node.parts[0]
        if self.is_bare(left):
            self.refuse_unknown(left)
        typed = self.term(left)
        if typed.sort in ITEMS or typed.sort is Sort.YES_NO:
            self.refuse(
                left, f"{self.text_of(left)} is {typed.sort}, and in asks about a single value"
            )
        items = self.each(
            *[partial(self._items, part, typed.sort, left) for part in node.parts[1:]]
        )
        values: list[Any] = []
        for item in items:
            values += item.value
        inside = Term("in", Sort.YES_NO, (typed,), tuple(values))
        if node.word == "not in":
            return Term("not", Sort.YES_NO, (inside,))
        return inside

    def _items(self, node: Node, sort: Sort, left: Node) -> Term:
        """The values that an item of a list names; of numbers, pairs of the least and greatest."""
        ends: tuple[str, ...] = node.words
        if node.sort == "name" and sort is Sort.RANK and "-" in node.word:
            ends = tuple(node.word.split("-"))
        if len(ends) == 1:
            value = self._as(node, sort, left).value
            if sort is Sort.NUMBER:
                value = (value, value)
            return Term("constant", sort, (), [value])
        parts: list[Node] = []
        for end in ends:
            kind = "number" if end.isdigit() else "name"
            parts.append(Node(kind, node.begin, node.end, end))
        if sort not in {Sort.RANK, Sort.NUMBER} or len(parts) != 2:
            self.refuse(
                node, f"{self.text_of(node)}: only ranks and numbers have a first and a last"
            )
        low, high = [self._as(part, sort, left).value for part in parts]
        backwards = f"{self.text_of(node)} runs backwards"
        turned = f"{ends[1]}-{ends[0]}"
        if sort is Sort.NUMBER:
            if low > high:
                self.refuse(node, f"{backwards}: the lesser number comes first", turned)
            return Term("constant", sort, (), [(low, high)])
        first, last = ORDER.index(low), ORDER.index(high)
        if first > last:
            order = "ranks are in the order A 2 3 4 5 6 7 8 9 T J Q K"
            self.refuse(node, f"{backwards}: {order}", turned)
        return Term("constant", sort, (), list(ORDER[first : last + 1]))

    def _as(self, node: Node, sort: Sort, beside: Node) -> Term:
        """A bare word or a digit, read as what stands on the other side."""
        word, what = node.word, f"{self.text_of(beside)} is {sort}"
        if sort is Sort.NUMBER:
            if node.sort == "number":
                return self._number(node)
            self.refuse_unknown(node, sort)
        if sort is Sort.KIND:
            self.kinds.append((word, node.begin, node.end))
            return Term("constant", sort, (), word)
        if sort is Sort.YES_NO:
            self.refuse(node, f"{what} {_BY_ITSELF}")
        if sort in ITEMS and node.sort == "number":
            self.rewrite(beside, what, f"count({self.text_of(beside)})")
        if sort in ITEMS and word in {"empty", "none", "nothing"}:
            self.refuse(node, f"{what}: write count({self.text_of(beside)}) is 0")
        if sort not in WORDS:
            self.refuse(node, f"{what}, which cannot be compared with {word}")
        words = WORDS[sort]
        if word == "10" and sort is Sort.RANK:
            word = "T"
        if word in words:
            return Term("constant", sort, (), word)
        if sort is Sort.RANK and word.lower() in {"jk", "joker"}:
            message = "a joker has none: write card.is_joker, or .is_joker in a list"
            self.refuse(node, f"{what}, and {message}")
        for other, names in WORDS.items():
            if word in names:
                choice = in_words(words, "or")
                self.refuse(node, f"{what}, and {word} is {other}: {sort} is {choice}")
        if sort is Sort.SUIT and word in COLOURS:
            self.refuse(
                node, f"{word} is a colour: write {self.text_of(beside)} in {COLOURS[word]}"
            )
        near = nearest(word, words)
        hint = did_you_mean(word, words, f": it is {in_words(words, 'or')}")
        return self.refuse(node, f"{what}, and {word} is none{hint}", near.text if near else None)

    # --- numbers ----------------------------------------------------------------------------------

    def _number(self, node: Node) -> Term:
        if len(node.word) > len(str(HIGHEST)) or int(node.word) > HIGHEST:
            self.refuse(
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
        product, *others = self.all_wanted(node.parts, Sort.NUMBER)
        phrase = self.text_of(node)
        for sign, part, other in zip(node.words, node.parts[1:], others, strict=True):
            if sign == "/":
                what = f"{phrase}: what follows / must be"
                product = self._by_number("divide", product, part, other, what)
                continue
            factor = 1
            facts: list[Term] = []
            for term in (product, other):
                if term.op in {"constant", "times"}:
                    factor *= term.value
                    facts += term.parts
                else:
                    facts.append(term)
            if len(facts) > 1:
                self.refuse(node, f"{phrase} multiplies two facts: one side of * is a plain number")
            if abs(factor) > HIGHEST:
                most = f"more than {HIGHEST:,}, the greatest number here"
                self.refuse(node, f"{phrase} comes to {most}")
            op = "times" if facts else "constant"
            product = Term(op, Sort.NUMBER, tuple(facts), factor)
        return product

    def _by_number(self, op: str, term: Term, node: Node, step: Term, what: str) -> Term:
        """A number divided by, or rounded to, a plain number."""
        if step.op != "constant" or step.value < 1:
            self.refuse(node, f"{what} a plain number, 1 or more")
        return Term(op, Sort.NUMBER, (term,), step.value)

    # --- facts ------------------------------------------------------------------------------------

    def _name(self, node: Node) -> Term:
        subject, dot, name = node.word.partition(".")
        if not dot:
            if subject not in LISTS:
                self.refuse_unknown(node)
            fact = LISTS[subject]
            self._check_there(node, subject, fact.where)
            return Term("fact", fact.sort, (), fact, "top")
        if subject not in SUBJECTS:
            self.refuse_unknown(node)
        facts, where, _ = SUBJECTS[subject]
        self._check_there(node, subject, where)
        fact = self._fact(node, facts, name, subject)
        return Term("fact", fact.sort, (), fact, TOP if subject == "top" else subject)

    def _dot(self, node: Node) -> Term:
        name = node.word[1:]
        if self.element is None:
            self.refuse_unknown(node)
        thing = str(self.element).removeprefix("a ")
        fact = self._fact(node, ELEMENTS[self.element], name, thing)
        return Term("fact", fact.sort, (), fact, "it")

    def _fact(self, node: Node, facts: Any, name: str, subject: str) -> Fact:
        fact: Fact | None = facts.get(name)
        if fact is None:
            self.refuse_unknown(node)
        self._check_there(node, f"{subject}.{name}", fact.where)
        if fact.sort in ITEMS and self.element is not None:
            self.refuse(node, f"{node.word} is a list, and there is no list in a list's condition")
        return fact

    def _check_there(self, node: Node, what: str, where: Collection[str]) -> None:
        """Refuse a fact that is not there at all the actions that the rule is about."""
        missing_at = [context for context in self.contexts if context not in where]
        if not missing_at:
            return
        context = missing_at[0]
        when = _WHEN.get(context, f"in {context}")
        other = _INSTEAD.get((what, context))
        if other:
            self.rewrite(node, f"`{what}` is not available {when}", other)
        hint = f"; available: {what_is_there(context)}"
        if {*where} == {HAND}:
            hint = ": it is known only in an award for the end of the hand, which has no for"
        elif {*where} == {GAME}:
            hint = ": it is known only in an award with for: game"
        elif {*where} == {END}:
            hint = ": it is known only where a turn ends, with forbid: end or for: end"
        if context == HAND and END in where:
            hint = f": an award with for: end is evaluated at the end of each turn{hint}"
        self.refuse(node, f"`{what}` is not available {when}{hint}")

    # --- lists ------------------------------------------------------------------------------------

    def _call(self, node: Node) -> Term:
        name, parts = node.word, node.parts
        if name not in FUNCTIONS:
            near = nearest(name, FUNCTIONS)
            message = f"there is no function {name}: there are {in_words(FUNCTIONS)}"
            message += did_you_mean(name, FUNCTIONS)
            checks: list[Callable[[], Term]] = [partial(self.refuse, node, message)]
            if near is not None:
                checks.append(partial(self._call, node._replace(word=near.text)))
            self.each(*checks)
        if name in {"min", "max"}:
            self._check_count(node, (2,), "two numbers", "a, b")
            return Term(name, Sort.NUMBER, self.all_wanted(parts, Sort.NUMBER))
        if name in {"round_down", "round_up"}:
            self._check_count(node, (2,), "a number and what it is rounded to", "player.held, 5")
            number, step = self.all_wanted(parts, Sort.NUMBER)
            return self._by_number(name, number, parts[1], step, f"{name} rounds to")
        if self.element is not None:
            self.refuse(
                node, f"{name}(…) asks about a list, and there is no list in a list's condition"
            )
        example = "player.hand, .points" if name == "sum" else "player.hand, .rank is K"
        needed = {"count": (1, 2), "sum": (2, 3)}.get(name, (2,))
        self._check_count(node, needed, "a list and what is asked of each", example)
        if self.is_bare(parts[0]):
            self.refuse_unknown(parts[0])
        row = self.term(parts[0])
        if row.sort not in ITEMS:
            self.refuse(
                parts[0], f"{self.text_of(parts[0])} is {row.sort}, and {name} asks about a list"
            )
        inner: tuple[Term, ...] = ()
        if parts[1:]:
            self.element = ITEMS[row.sort]
            first = Sort.NUMBER if name == "sum" else Sort.YES_NO
            wanted = zip(parts[1:], (first, Sort.YES_NO), strict=False)
            inner = tuple(self.each(*[partial(self.wanted, *each) for each in wanted]))
            self.element = None
        sort = Sort.YES_NO if name in {"any", "all"} else Sort.NUMBER
        return Term(name, sort, (row, *inner))

    def _check_count(self, node: Node, needed: Sequence[int], what: str, example: str) -> None:
        """Refuse a function with too many parts or too few."""
        if len(node.parts) not in needed:
            self.refuse(node, f"{node.word} takes {what}: {node.word}({example})")
