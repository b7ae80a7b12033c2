"""What was meant by a word of a condition that means nothing there, and what to write instead."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

from meldref.conditions.facts import ELEMENTS, LISTS, SUBJECTS
from meldref.conditions.types import ORDER, WORDS, Sort, Term
from meldref.core.text import in_words

_WRITTEN: Final = (
    "ten T, 10 T, ace A, king K, queen Q, jack J, knave J, two 2, three 3, four 4, five 5, six 6, seven 7, "
    "eight 8, nine 9, length size, count size, value points, joker wilds, colour suit, color suit, len count, "
    "every all, some any, caller player, buyer player, opponent players, other players"
)
_OTHER_WORDS: Final = dict(pair.split() for pair in _WRITTEN.split(", "))
"""What people write for ranks, facts and functions."""
COLOURS: Final = {"red": "[hearts, diamonds]", "black": "[clubs, spades]"}
USUAL: Final = {"card.suit": Sort.SUIT, "meld.owner": Sort.OWNER, "turn.drew": Sort.DRAWN}
"""The fact that a word alone is most likely meant for."""
_ALWAYS: Final = frozenset(("true", "yes", "on", "always"))
_NEVER: Final = frozenset(("false", "no", "off", "never"))
COUNTED: Final = frozenset(["size", "count", "length", "len", "number"])
"""What people write behind a list for how long it is."""
NO_WAY: Final = (
    "; what cannot be said in a condition is said in customs, or with adjust in the log (docs/limits.md)"
)


def meant(word: str, known: Iterable[str]) -> str | None:
    """The word that was probably meant."""
    words = list(known)
    plain = word.lower().replace("-", "_")
    for one in (plain, plain.removesuffix("s"), plain.removesuffix("es")):
        if _OTHER_WORDS.get(one) in words:
            return _OTHER_WORDS[one]
    same = [one for one in words if one.lower() == plain or one.lower() == f"{plain}s"]
    if same:
        return same[0]
    short = [one for one in words if len(plain) == 1 and one.startswith(plain) and len(one) > 1]
    if len(short) == 1:
        return short[0]
    return next(iter(get_close_matches(plain, words, 1, 0.6)), None)


def ranks(op: str, than: Term) -> str:
    """What is written for ranks above or below another, the ace apart."""
    order = [*ORDER[1:]]
    if than.op != "constant" or than.value not in order:
        return "in [2-9]"
    at = order.index(than.value)
    left = order[at + (op == ">") :] if op[0] == ">" else order[: at + (op == "<=")]
    return f"in [{left[0]}-{left[-1]}]" if len(left) > 1 else "in [2-9]"


def owned(name: str) -> list[str]:
    """The facts of that name, each with what it is a fact of."""
    return [f"{subject}.{name}" for subject, (facts, _, _) in SUBJECTS.items() if name in facts]


def unknown(word: str, element: Sort | None) -> str:
    """What to say of a word that is nothing by itself."""
    for name in (word, f"is_{word}"):
        if element is not None and name in ELEMENTS[element]:
            return f"{word} is a fact of the one looked at: write .{name}"
    owners = owned(word) or owned(f"is_{word}")
    if owners:
        return f"{word} is a fact of something: write {in_words(owners, 'or')}"
    if word in SUBJECTS:
        facts = list(SUBJECTS[word][0])
        return f"{word} is asked for a fact: {word}.{facts[0]}" + (f", {word}.{facts[1]} …" if facts[1:] else "")
    near = meant(word, [*LISTS, *SUBJECTS])
    return f"there is no {word} here{f'; did you mean {near}?' if near else NO_WAY}"


def alone(word: str, element: Sort | None) -> str:
    """What to say of a word where a condition belongs."""
    if word.lower() in _ALWAYS:
        return f"{word} is no condition: a rule without one always applies, so leave it out"
    if word.lower() in _NEVER:
        return f"{word} is no condition: a rule that never applies is left out"
    facts = {"card.rank": Sort.RANK, **USUAL}
    fact = next((name for name, sort in facts.items() if word in WORDS[sort]), None)
    return f"{word} stands alone: compare it, as in {fact} is {word}" if fact else unknown(word, element)
