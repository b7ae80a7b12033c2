"""The rulebook of a merged ruleset: every chapter's sentences, with the examples that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.core.text import in_words
from meldref.rulefiles.merge import flow, is_within, where
from meldref.ruleset.changes import hands_played, in_hand
from meldref.ruleset.model import HandRules, Ruleset
from meldref_authoring.rulebook import house
from meldref_authoring.rulebook.examples.bench import Bench, benches
from meldref_authoring.rulebook.examples.play import examples_of
from meldref_authoring.rulebook.model import (
    Block,
    Items,
    Origins,
    Paragraph,
    Row,
    Rulebook,
    RulebookTable,
    Section,
    Sentence,
)
from meldref_authoring.rulebook.sentences import Chapter, Says, contents
from meldref_authoring.rulefiles.show import merged_values


def make_rulebook(ruleset: Ruleset, *, examples: bool = True) -> Rulebook:
    """Put a merged ruleset into words; nothing else goes into them.

    Without examples it is only prose.
    """
    lead, chapters = contents()
    tables = benches(ruleset) if examples else None
    ours = house.blocks(ruleset, examples=examples)
    sections: list[Section] = []
    for chapter in chapters:
        blocks = (*_blocks(chapter, ruleset, tables), *ours.get(chapter.title, ()))
        if blocks:
            sections.append(Section(chapter.title, blocks))
    played = hands_played(ruleset)
    if played:
        hands = Items(tuple([_hand(hand, ruleset) for hand in played]))
        sections.append(Section("What differs from hand to hand", (hands,)))
    return Rulebook(
        title=ruleset.name,
        lead=_sentences(lead, ruleset),
        sections=tuple(sections),
        made_from=_made_from(ruleset),
        source=ruleset.source,
    )


def _sentences(paragraph: Sequence[Says], ruleset: Ruleset) -> tuple[Sentence, ...]:
    """The sentences of a paragraph that apply to a ruleset."""
    sentences = (entry.of(ruleset) for entry in paragraph)
    return tuple([sentence for sentence in sentences if sentence is not None])


def _hand(hand: HandRules, ruleset: Ruleset) -> Sentence:
    """What is said otherwise of some hands than of the others."""
    there = in_hand(ruleset, hand)
    keys = [change.key for change in hand.changes]
    texts = [text for chapter in contents()[1] for text in _told(chapter, ruleset, there, keys)]
    run = f"Hand {hand.first}" if hand.first == hand.last else f"Hands {hand.first} to {hand.last}"
    return Sentence(" ".join(texts), ("hands",), run)


def _told(chapter: Chapter, ruleset: Ruleset, there: Ruleset, keys: Sequence[str]) -> Iterator[str]:
    """What a chapter says otherwise of a hand in which these keys have other values."""
    says = [entry for part in chapter.parts if isinstance(part, tuple) for entry in part]
    if any(entry.write(ruleset) for entry in says) and not any(
        entry.write(there) for entry in says
    ):
        yield f"What stands under “{chapter.title}” does not apply."
        return
    for part in chapter.parts:
        if isinstance(part, tuple):
            for entry in part:
                before, after = entry.write(ruleset), entry.write(there)
                if after is not None and after != before:
                    yield after
                elif after is None and before is not None and _is_about(entry, keys):
                    yield f"This does not apply: {before}"
        elif callable(part):
            block = part(there)
            if block != part(ruleset):
                yield _in_a_line(block)


def _is_about(entry: Says, keys: Sequence[str]) -> bool:
    """Whether a sentence is about one of these keys: else it is only without occasion."""
    return any(is_within(key, own) or is_within(own, key) for own in entry.keys for key in keys)


def _in_a_line(block: Block | None) -> str:
    """A list or a table as sentences."""
    if isinstance(block, RulebookTable):
        rows = [f"{row.cells[0]}: {_points(block.head, row)}" for row in block.rows]
        return f"Points: {'; '.join(rows)}."
    if isinstance(block, Items):
        return " ".join(f"{item.term}: {item.text}" for item in block.items)
    return ""


def _points(head: Sequence[str], row: Row) -> str:
    """What a row of a table says, and under which head where its columns differ."""
    points = row.cells[1:]
    if len(set(points)) == 1:
        return points[0]
    columns = [column.removeprefix("Points ") for column in head[1:]]
    return in_words([f"{worth} {column}" for worth, column in zip(points, columns, strict=True)])


def _blocks(
    chapter: Chapter, ruleset: Ruleset, tables: tuple[Bench, Bench] | None
) -> Iterator[Block]:
    for part in chapter.parts:
        if isinstance(part, str):
            if tables is not None:
                yield from examples_of(part, tables)
        elif callable(part):
            block = part(ruleset)
            if block is not None:
                yield block
        elif sentences := _sentences(part, ruleset):
            yield Paragraph(sentences)


def _made_from(ruleset: Ruleset) -> str:
    """The ruleset, its options and single settings, as a command line names them."""
    parts = [ruleset.id]
    parts += [f"with {option}" for option in ruleset.options]
    for origin in dict.fromkeys(ruleset.origins.values()):
        if origin.file == "--set":
            parts.append(f"{origin.key} = {origin.value}")
    return " · ".join(parts)


def origins_in(ruleset: Ruleset) -> Origins:
    """Who set the keys of a ruleset, for a page that shows them.

    A table is shown entry by entry.
    """
    leaves = list(merged_values(ruleset))

    def origins(keys: Sequence[str]) -> list[tuple[str, str]]:
        setters: list[tuple[str, str]] = []
        for key in keys:
            within = [leaf for leaf in leaves if is_within(leaf[0], key)]
            origin = ruleset.origin(key)
            if key == "customs" or (origin is None and not within):
                setters.append((key, where(origin)))
            elif origin is not None and not within:
                setters.append((f"{origin.key} = {origin.value}", where(origin)))
            for path, value, setter in within:
                setters.append((f"{path} = {flow(value)}", where(setter)))
        return list(dict.fromkeys(setters))

    return origins
