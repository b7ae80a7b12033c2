"""Misspelled words of actions, and what they were probably meant to be."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from meldref.core.meant import Meant, nearest_meaning
from meldref.core.records import NamedTuple
from meldref.notation.lenient.words import action_words, is_card, is_vague

_WORD: Final = re.compile(r"[^\W\d_][^\s:;,#\"]*")
_MOST_WORDS: Final = 3
"""Of how many words what people write for an action may be: `draw a card`."""
_SHORT: Final = 2
"""The fewest letters of a misspelled word, of which there are few where an action must stand."""


class Misspelled(NamedTuple):
    """Where the words of an action end that are misspelled, and what was probably meant."""

    end: int
    meant: Meant


def misspelled_action(text: str, begin: int) -> Misspelled | None:
    """What was probably meant where an action must begin; None if nobody knows, or it does.

    As many words as possible are those of one action: `pik up` is `pick up`. Other words of an
    action are read as its own unless that would be a guess.
    """
    ends = list(_ends_of_words(text, begin))
    for count in range(len(ends), 0, -1):
        end = ends[count - 1]
        written = " ".join(text[begin:end].lower().split())
        words = _words_of(count)
        if is_vague(written) or words.get(written) == written:
            return None
        if written in words:
            return Misspelled(end, Meant(words[written]))
        meant = nearest_meaning(written, words, _SHORT)
        if meant is not None and (meant.sure or count == 1):
            return Misspelled(end, meant)
    return None


def _ends_of_words(text: str, begin: int) -> Iterator[int]:
    """Where each of the first words ends that are no cards."""
    for _ in range(_MOST_WORDS):
        word = _WORD.match(text, begin)
        if word is None or is_card(word[0]):
            return
        yield word.end()
        begin = len(text) - len(text[word.end() :].lstrip())


@cache
def _words_of(count: int) -> dict[str, str]:
    """What people write in so many words for actions, and the actions; as one word, `layoff`."""
    words = action_words().items()
    written = {said: action for said, action in words if said.count(" ") + 1 == count}
    return written if count > 1 else written | {said.replace(" ", ""): by for said, by in words}
