"""The rulebook of a merged ruleset: every chapter's sentences, with the examples that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from meldref.rulefiles.merge import flow, is_within, where
from meldref.ruleset.changes import in_hand
from meldref.ruleset.model import HandRules, Ruleset
from meldref_authoring.rulebook import house
from meldref_authoring.rulebook.examples.bench import Bench, benches
from meldref_authoring.rulebook.examples.play import examples_of
from meldref_authoring.rulebook.model import (
    Block,
    Items,
    Origins,
    Paragraph,
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
    sections = [
        Section(chapter.title, (*_blocks(chapter, ruleset, tables), *ours.get(chapter.title, ())))
        for chapter in chapters
    ]
    hands = tuple([_hand(hand, ruleset) for hand in ruleset.hands])
    if hands:
        sections.append(Section("What differs from hand to hand", (Items(hands),)))
    return Rulebook(
        title=ruleset.name,
        lead=_said(lead, ruleset),
        sections=tuple([section for section in sections if section.blocks]),
        made_from=_made_from(ruleset),
        source=ruleset.source,
    )


def _said(paragraph: Sequence[Says], ruleset: Ruleset) -> tuple[Sentence, ...]:
    """The sentences of a paragraph that are said of a ruleset."""
    return tuple([sentence for entry in paragraph if (sentence := entry.of(ruleset)) is not None])


def _hand(hand: HandRules, ruleset: Ruleset) -> Sentence:
    """What is said otherwise of some hands than of the others."""
    there = in_hand(ruleset, hand)
    sentences_shown, lists = [], []
    for chapter in contents()[1]:
        blocks = [part for part in chapter.parts if callable(part)]
        lists += [_in_a_line(block) for part in blocks if (block := part(there)) != part(ruleset)]
        sentences = [
            sentence for part in chapter.parts if isinstance(part, tuple) for sentence in part
        ]
        texts = [(sentence.write(ruleset), sentence.write(there)) for sentence in sentences]
        if any(before for before, _ in texts) and not any(after for _, after in texts):
            texts = [(None, f"What stands under “{chapter.title}” does not apply.")]
        sentences_shown += [
            after or f"This does not apply: {before}" for before, after in texts if before != after
        ]
    run = f"Hand {hand.first}" if hand.first == hand.last else f"Hands {hand.first} to {hand.last}"
    return Sentence(" ".join([*sentences_shown, *lists]), ("hands",), run)


def _in_a_line(block: Block | None) -> str:
    """A list or a table as sentences."""
    if isinstance(block, RulebookTable):
        rows = [
            f"{row.cells[0]}: {' or '.join(dict.fromkeys(row.cells[1:]))}" for row in block.rows
        ]
        return f"{block.head[1]}: {'; '.join(rows)}."
    return (
        " ".join(f"{item.term}: {item.text}" for item in block.items)
        if isinstance(block, Items)
        else ""
    )


def _blocks(
    chapter: Chapter, ruleset: Ruleset, tables: tuple[Bench, Bench] | None
) -> Iterator[Block]:
    for part in chapter.parts:
        if isinstance(part, str):
            if tables is not None:
                yield from examples_of(part, tables)
        elif callable(part):
            if (block := part(ruleset)) is not None:
                yield block
        elif sentences := _said(part, ruleset):
            yield Paragraph(sentences)


def _made_from(ruleset: Ruleset) -> str:
    """The ruleset, its options and single settings, as a command line names them."""
    single = [
        origin for origin in dict.fromkeys(ruleset.origins.values()) if origin.file == "--set"
    ]
    options = [f"with {option}" for option in ruleset.options]
    return " · ".join(
        [ruleset.id, *options, *(f"{origin.key} = {origin.value}" for origin in single)]
    )


def origins_in(ruleset: Ruleset) -> Origins:
    """Who set the keys of a ruleset, for a page that shows them.

    A table is shown entry by entry.
    """
    leaves = list(merged_values(ruleset))

    def origins(keys: Sequence[str]) -> list[tuple[str, str]]:
        origins: dict[tuple[str, str], None] = {}
        for key in keys:
            within = [leaf for leaf in leaves if is_within(leaf[0], key)]
            origin = ruleset.origin(key)
            if key == "customs":
                origins[key, where(origin)] = None
            elif not within:
                origins[
                    key if origin is None else f"{origin.key} = {origin.value}", where(origin)
                ] = None
            for path, value, who in within:
                origins[f"{path} = {flow(value)}", where(who)] = None
        return list(origins)

    return origins
