"""Turns as people write them: their heads, their actions, and what stands between those."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from meldref.notation.actions import BY_WORD
from meldref.notation.lenient.changes import Change
from meldref.notation.lenient.rows import LEAST, changes_of_row
from meldref.notation.lenient.words import CARD, ITEM, NAME, SIGNS, read_spellings, single_spaced

_ARTICLE: Final = rf" +the +(?={CARD})"
_NAMES_CARDS: Final = re.compile(
    r"\b(?:[^\W\d_]*\d+[^\W\d_]\w*|[^\W\d_]+\d\w*|[tjqk][cdhs]|jk|joker|(?-i:A[cdhs])"
    r"|a[cdhs](?= *$)|from)\b",
    re.IGNORECASE,
).search
"""Whether words may name cards, or say where a card is from: then they may be of an action."""
_ASIDE: Final = re.compile(
    r"[ ;,.!]*(?:\([^()]*[^\W\d_]{2}[^()]*\)[ ;,.!]*)?(?:\d+[.)] *)?"
).fullmatch
"""What may stand behind several cards and be none of them: words in brackets, a number of steps."""
_HEAD: Final = rf" *(?:\(?([0-9]{{1,9}})(?: *\.?\)|\.| ) *)?({NAME})( *[:,|>-] *| +|$)"
"""The number of a turn, its player, and what stands between the player and the first action."""
_PLURAL: Final = frozenset(("melds", "melded", "lay down", "lays down", "laid down"))
"""Words that may be said of several melds: with cards enough for two, nobody can tell."""


def changes_of_turn(body: str) -> Iterator[Change]:
    """A turn, or a bare move: its number, what follows its player's name, and its actions."""
    action = read_spellings().action
    head = re.match(_HEAD, body)
    begin = body.find(":") + 1
    if head and not action.match(body, head.start(2)):
        number, _, between = head.groups()
        if ":" in between or action.match(body, head.end()):
            begin = head.end()
            if number:
                yield Change(0, head.start(2), f"{number}. ")
            if ":" not in between:
                yield Change(*head.span(3), ": ")
    yield from _of_actions(body, begin)


def _of_actions(body: str, begin: int) -> Iterator[Change]:
    """The actions of a turn: their words, what stands between them, and their cards."""
    spellings = read_spellings()
    for start, end, following in _parted(body, begin):
        if body[end:following] not in {"", ";"}:
            yield Change(end, following, ";" if following < len(body) else "")
        action = spellings.action.match(body, start, end)
        if action is None:
            continue
        written = single_spaced(action[1])
        word = spellings.words[written]
        cards = re.findall(ITEM, body[action.end() : end], re.IGNORECASE)
        if written in _PLURAL and len(cards) >= 2 * LEAST:
            continue
        if word in spellings.sources:
            for drawn, pattern in spellings.sources.items():
                source = pattern.search(body[:end], action.end())
                if source:
                    word = drawn
                    yield Change(*source.span(), "")
        if word != action[1].lower():
            yield Change(*action.span(1), word)
        for onto in spellings.onto.finditer(body, action.end(), end):
            yield Change(*onto.span(), "m")
        row = action.end()
        article = re.compile(_ARTICLE, re.IGNORECASE).match(body, row, end)
        if article is not None:
            yield Change(*article.span(), " ")
            row = article.end()
        yield from changes_of_row(body, row, end, BY_WORD[word].takes)


def _done(body: str, action: re.Match[str], end: int) -> int:
    """Where an action ends, with its cards and its number."""
    spellings = read_spellings()
    form = BY_WORD[spellings.words[single_spaced(action[1])]]
    row = spellings.done[form.takes_row].match(body, action.end(), end)
    assert row is not None
    return row.end()


def bare_actions(text: str) -> str:
    """A move without what stands between its actions; empty where that may be of one.

    Bare words behind cards that are laid may name others. Cards named behind the discard leave open
    which was thrown.
    """
    spellings = read_spellings()
    done: list[str] = []
    at = 0
    word = ""
    while at < len(text):
        action = spellings.action.search(text, at)
        between = text[at : len(text) if action is None else action.start(1)]
        names_cards = _NAMES_CARDS(between) is not None
        if action is None and word == "discard" and names_cards:
            done[-1] = "discard ?"
            break
        may_be_laid = word != "" and BY_WORD[word].takes_row and not _ASIDE(between)
        goes_on = action is not None and word == "discard"
        if ":" in between or names_cards or may_be_laid or goes_on:
            return ""
        if action is None:
            break
        word = spellings.words[single_spaced(action[1])]
        at = _done(text, action, len(text))
        done.append(text[action.start(1) : at])
    return "; ".join(done)


def _parted(body: str, begin: int) -> Iterator[tuple[int, int, int]]:
    """Where each action begins and ends, and where the next one begins.

    Between them is `;`, or another sign, `and` or `then` with the word of an action behind it. The
    last one may end in a full stop.
    """
    spellings = read_spellings()
    for cut in spellings.between.finditer(body, begin):
        if cut[0] == ";" or spellings.action.match(body, cut.end()):
            yield begin, cut.start(), cut.end()
            begin = cut.end()
    end = len(body)
    stop = re.search(rf"(?<=[\w{SIGNS}\uFE0E\uFE0F])\. *$", body[begin:])
    if stop:
        end = begin + stop.start()
    yield begin, end, len(body)
