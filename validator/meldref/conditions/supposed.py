"""What a condition comes to where only some of its facts are known, and no position is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from meldref.conditions.bind import OF_UNKNOWN, bind
from meldref.conditions.types import OPEN, Term
from meldref.conditions.view import GameView

_NO_POSITION: Final = GameView((), (), 0)
_NONE_AS_ASKED: Final = {"any": False, "count": 0}
"""What asks how many things in a list are as asked, and the answer if none can be."""


def supposed(term: Term, known: Mapping[str, Any]) -> Any:
    """The answer if facts are as given, open if it depends on others.

    A fact is named as conditions name it; one such as `.wilds` is the same of every card or meld.
    """
    return bind(_with(term, known))(_NO_POSITION)


def _with(term: Term, known: Mapping[str, Any]) -> Term:
    """A condition with a constant in place of each fact."""
    if term.op == "fact":
        name = term.value.name
        value = known.get(f".{name}", OF_UNKNOWN.get(term.sort, OPEN))
        return Term("constant", term.sort, value=known.get(f"{term.subject}.{name}", value))
    parts = tuple([_with(part, known) for part in term.parts])
    if term.op in _NONE_AS_ASKED and len(parts) == 2 and bind(parts[1])(_NO_POSITION) is False:
        return Term("constant", term.sort, value=_NONE_AS_ASKED[term.op])
    return term._replace(parts=parts)
