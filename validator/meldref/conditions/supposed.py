"""What a condition comes to where only some of its facts are known, and no position is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from types import MappingProxyType
from typing import Any, Final, TypeAlias

from meldref.conditions.bind import OF_UNKNOWN, OTHER_SEAT, bind, parts_of
from meldref.conditions.types import LISTS, NOTHING, OPEN, WORDS, Sort, Term
from meldref.conditions.view import GameView
from meldref.core.effort import EFFORT

Known: TypeAlias = Mapping[str, Any]
"""What is known of facts, named as conditions name them; one such as `.wilds` is the same of every
card or meld. A number may be known from and to, and a word as a set of those that it may be."""
_UNKNOWN: Final[Known] = MappingProxyType({})
_NO_POSITION: Final = GameView((), (), 0)
_NONE_AS_ASKED: Final = {"any": False, "count": 0}
"""What asks how many things in a list are as asked, and the answer if none can be."""
_OF_LISTS: Final = frozenset((*_NONE_AS_ASKED, "all", "sum"))
"""What asks about the things in a list: its first part is the list, the others are about each."""
_IN_LIST: Final = "it"
"""The subject of facts of a thing in a list."""
_ANY_OTHER: Final = ""
"""A word that no condition names."""


def supposed(term: Term, known: Known) -> Any:
    """The answer if facts are as given, open if it depends on others."""
    return bind(_with(term, known))(_NO_POSITION)


def _with(term: Term, known: Known) -> Term:
    """A condition with a constant in place of each fact."""
    if term.op == "fact":
        value = _known_of(term, known)
        if value is None or isinstance(value, frozenset):
            value = OF_UNKNOWN.get(term.sort, OPEN)
        return Term("constant", term.sort, value=value)
    parts = tuple([_with(part, known) for part in term.parts])
    if _counts_for_another(term) and _known_of(term.parts[0], known) is None:
        return Term("constant", term.sort, value=OPEN)
    if _looks_for(term) and bind(parts[1])(_NO_POSITION) is False:
        return _none_as_asked(term)
    return term._replace(parts=parts)


def _looks_for(term: Term) -> bool:
    """Whether it asks a list for things as asked, and is known where none can be."""
    return term.op in _NONE_AS_ASKED and len(term.parts) == 2 and not _counts_for_another(term)


def _counts_for_another(term: Term) -> bool:
    """Whether it counts what somebody has who may not be there, and then has not even nought."""
    return term.op == "count" and term.parts[0].subject in OTHER_SEAT


def _none_as_asked(term: Term) -> Term:
    return Term("constant", term.sort, value=_NONE_AS_ASKED[term.op])


def _known_of(fact: Term, known: Known) -> Any:
    """What is known of a fact, None if nothing is.

    A number that all players have alike is not there where somebody may not be there.
    """
    value = known.get(_name(fact))
    if value is None and not (fact.sort is Sort.NUMBER and fact.subject in OTHER_SEAT):
        value = known.get(f".{fact.value.name}")
    return value


def _name(fact: Term) -> str:
    """The name of a fact, as conditions name it."""
    subject = "" if fact.subject == _IN_LIST else fact.subject
    return f"{subject}.{fact.value.name}"


# --- conditions that hold nowhere -----------------------------------------------------------------


def never_holds(term: Term, known: Known = _UNKNOWN) -> bool:
    """Whether a condition holds nowhere, by what each of its facts can be by itself.

    Facts are not weighed against one another: that two of them cannot go together is not seen.
    """
    return _is_ruled_out(_without_vain_lists(term, known), known)


def facts_against(term: Term, known: Known = _UNKNOWN) -> list[str]:
    """The facts of a condition that rule it out, whatever each of them is.

    There are none where it holds nowhere whatever any of them is.
    """
    if _is_false(term, known):
        return []
    return [_name(fact) for fact in _facts_in(term) if _fails_with(fact, term, known)]


def _is_ruled_out(term: Term, known: Known) -> bool:
    if _is_false(term, known):
        return True
    if term.op == "or":
        return all(_is_ruled_out(part, known) for part in term.parts)
    if term.op == "and" and any(_is_ruled_out(part, known) for part in term.parts):
        return True
    return any(_fails_with(fact, term, known) for fact in _facts_in(term))


def _is_false(term: Term, known: Known) -> bool:
    """Whether a condition does not hold for certain; what that takes is the work of conditions."""
    EFFORT.on_conditions(parts_of(term))
    return not EFFORT.house.over and supposed(term, known) is False


def _fails_with(fact: Term, term: Term, known: Known) -> bool:
    """Whether a condition does not hold in any of the cases of a fact, of which there are some."""
    cases = list(_cases(fact, term, known))
    name = _name(fact)
    return bool(cases) and all(_is_false(term, {**known, name: case}) for case in cases)


def _without_vain_lists(term: Term, known: Known) -> Term:
    """A condition that looks in lists for nothing that no thing can be."""
    parts = tuple([_without_vain_lists(part, known) for part in term.parts])
    is_vain = _looks_for(term) and _is_ruled_out(parts[1], known)
    return _none_as_asked(term) if is_vain else term._replace(parts=parts)


def _facts_in(term: Term) -> Iterator[Term]:
    """The facts that are the same wherever a condition asks them, each once."""
    yield from {_name(fact): fact for fact in _same_facts(term, in_list=False)}.values()


def _same_facts(term: Term, *, in_list: bool) -> Iterator[Term]:
    """The facts of a part; those of a thing in a list differ from thing to thing."""
    if term.op == "fact" and not (in_list and term.subject == _IN_LIST):
        yield term
    for number, part in enumerate(term.parts):
        yield from _same_facts(part, in_list=in_list or (term.op in _OF_LISTS and number > 0))


# --- what a fact can be ---------------------------------------------------------------------------


def _cases(fact: Term, term: Term, known: Known) -> Iterator[Any]:
    """What a fact can be, as far as a condition tells it apart; nothing where that is known."""
    value = _known_of(fact, known)
    if fact.sort in LISTS or not (value is None or isinstance(value, (tuple, frozenset))):
        return
    if fact.sort is Sort.YES_NO:
        yield from (True, False)
        return
    if fact.sort is Sort.NUMBER:
        least, most = value or (fact.value.least, fact.value.most)
        yield from _spans_between(least, most, _numbers_in(term))
    else:
        yield from value or WORDS.get(fact.sort) or _words_in(term, fact.sort)
    yield NOTHING


def _spans_between(least: int, most: int, numbers: set[int]) -> Iterator[Any]:
    """The numbers from one to another: some by themselves, and those between them together."""
    for number in sorted(numbers):
        if least <= number <= most:
            if least < number:
                yield least, number - 1
            yield number
            least = number + 1
    if least <= most:
        yield least, most


def _numbers_in(term: Term) -> set[int]:
    """The numbers that a condition names."""
    named = _named_in(term, Sort.NUMBER)
    return {end for one in named for end in (one if isinstance(one, tuple) else (one,))}


def _words_in(term: Term, sort: Sort) -> list[str]:
    """The words of a sort that a condition names, and one that it does not."""
    return [*_named_in(term, sort), _ANY_OTHER]


def _named_in(term: Term, sort: Sort) -> Iterator[Any]:
    """The values of a sort that a condition names; of lists of numbers, each from and to."""
    if term.op == "constant" and term.sort is sort:
        yield term.value
    if term.op == "in" and term.parts[0].sort is sort:
        yield from term.value
    for part in term.parts:
        yield from _named_in(part, sort)
