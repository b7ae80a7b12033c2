"""The rulebook as data: sections of sentences, lists, tables and examples, those that changed marked."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from meldref.core.cards import played_text
from meldref_authoring.rulebook import model
from meldref_authoring.rulebook.model import Block, Line, Rulebook, Sentence

_ENDS: Final = re.compile(r"(?<=[.!?:]) ")
"""Where a sentence ends and another one begins."""


def booklet_data(book: Rulebook, before: Rulebook) -> dict[str, Any]:
    """A rulebook, and which of its sentences another one does not have."""
    known = {section.title: {*_texts(section.blocks)} for section in before.sections}
    lead = {*_pieces(sentence.text for sentence in before.lead)}
    return {
        "title": book.title,
        "lead": [_sentence(sentence, lead) for sentence in book.lead],
        "sections": [
            {
                "title": section.title,
                "blocks": [
                    _block(block, known.get(section.title, set())) for block in section.blocks
                ],
            }
            for section in book.sections
        ],
    }


def _pieces(texts: Iterable[str]) -> Iterator[str]:
    """Texts sentence by sentence, each on one line."""
    for text in texts:
        yield from _ENDS.split(" ".join(text.split()))


def _texts(blocks: Iterable[Block]) -> Iterator[str]:
    """Everything that blocks say, sentence by sentence; rows of tables as they are."""
    for block in blocks:
        match block:
            case model.Paragraph(sentences) | model.Items(sentences):
                yield from _pieces(sentence.text for sentence in sentences)
            case model.RulebookTable(_, rows):
                yield from ("\t".join(row.cells) for row in rows)


def _sentence(sentence: Sentence, known: set[str]) -> dict[str, Any]:
    return {
        "term": sentence.term,
        "keys": [*sentence.keys],
        "text": [
            {"text": piece, "changed": piece not in known} for piece in _pieces((sentence.text,))
        ],
    }


def _block(block: Block, known: set[str]) -> dict[str, Any]:
    match block:
        case model.Paragraph(sentences):
            return {"kind": "paragraph", "sentences": [_sentence(one, known) for one in sentences]}
        case model.Items(items):
            return {"kind": "list", "sentences": [_sentence(one, known) for one in items]}
        case model.RulebookTable(head, rows):
            told = [
                {"cells": [*row.cells], "changed": "\t".join(row.cells) not in known}
                for row in rows
            ]
            return {"kind": "table", "head": [*head], "rows": told}
        case model.CardExample():
            lines = [{"words": words, "parts": [*_parts(line)]} for words, line in block.lines()]
            return {"kind": "example", "lines": lines}


def _parts(line: Line) -> Iterator[dict[str, str]]:
    """Words and cards of a line, in their order."""
    for part in line:
        if isinstance(part, str):
            yield {"text": part}
        else:
            yield {"cards": " ".join(map(played_text, part.cards))}
