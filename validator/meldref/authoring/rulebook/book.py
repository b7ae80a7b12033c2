"""The rulebook of a merged ruleset: every chapter's sentences, with the examples that show them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from meldref.authoring.rulebook import calls, game, going_out, kinds, score, setup, turn
from meldref.authoring.rulebook.examples import examples_of
from meldref.authoring.rulebook.examples.bench import Bench, benches
from meldref.authoring.rulebook.model import (
    Block,
    Chapter,
    Items,
    Lists,
    Origins,
    Paragraph,
    Rulebook,
    Section,
    Sentence,
    Shows,
    says,
)
from meldref.authoring.rulebook.words import points
from meldref.rulefiles.merge import flow
from meldref.rulefiles.show import merged_values, where
from meldref.ruleset.changes import in_hand
from meldref.ruleset.model import Ruleset

CHAPTERS: Final[tuple[Chapter, ...]] = (
    *setup.CHAPTERS,
    *kinds.CHAPTERS,
    *turn.CHAPTERS,
    *calls.CHAPTERS,
    *going_out.CHAPTERS,
    *score.CHAPTERS,
    *game.CHAPTERS,
)
"""All that a rulebook can say, in its order."""


@says("scoring.melds", "scoring.hands", "game.ends", "game.target", "game.winner", "game.out_at")
def _aim(rules: Ruleset) -> str:
    if rules.scoring.melds == "ignore" and rules.scoring.hands == "add":
        lowest = " The lowest total wins." if rules.game.winner == "lowest" else ""
        return (
            "A card game of the rummy family. You try to lay all your cards in melds before the others do; what "
            f"you still hold then counts against you, as penalty points.{lowest}"
        )
    held = "; what you still hold at the end counts against you" if rules.scoring.hands == "subtract" else ""
    if rules.game.ends == "after_hands":
        aim = f"the {'lowest' if rules.game.winner == 'lowest' else 'highest'} total wins"
    else:
        aim = f"a game goes to {points(rules.game.target)}"
    return (
        f"A card game of the rummy family. You score by laying melds on the table{held}. Points are added up hand "
        f"by hand, and {aim}."
    )


LEAD: Final = (_aim,)


def make_rulebook(ruleset: Ruleset, *, examples: bool = True) -> Rulebook:
    """Put a merged ruleset into words; nothing else goes into them. Without examples it is prose alone."""
    tables = benches(ruleset) if examples else None
    return Rulebook(
        title=ruleset.name,
        lead=tuple(sentence for one in LEAD if (sentence := one.of(ruleset)) is not None),
        sections=(
            *(
                Section(chapter.title, blocks)
                for chapter in CHAPTERS
                if (blocks := tuple(_blocks(chapter, ruleset, tables)))
            ),
            *_hands(ruleset),
        ),
        made_from=_made_from(ruleset),
        source=ruleset.source,
    )


def _hands(ruleset: Ruleset) -> Iterator[Section]:
    """What is said otherwise of some hands than of the others."""
    items = []
    for hand in ruleset.hands:
        there = in_hand(ruleset, hand)
        pairs = [
            (one.of(ruleset), one.of(there))
            for chapter in CHAPTERS
            for part in chapter.parts
            if isinstance(part, tuple)
            for one in part
        ]
        tables = [
            f"{', '.join(part.under)} differ: see the keys."
            for chapter in CHAPTERS
            for part in chapter.parts
            if isinstance(part, Lists) and part.make(ruleset) != part.make(there)
        ]
        said = [
            f"Not there: {before.text}" if after is None else after.text
            for before, after in pairs
            if (before and before.text) != (after and after.text) and (before or after) is not None
            for before in (before or after,)
            if before is not None
        ]
        run = f"Hand {hand.first}" if hand.first == hand.last else f"Hands {hand.first} to {hand.last}"
        items.append(Sentence(" ".join([*said, *tables]), ("hands",), run))
    if items:
        yield Section("What differs from hand to hand", (Items(tuple(items)),))


def _blocks(chapter: Chapter, ruleset: Ruleset, tables: tuple[Bench, Bench] | None) -> Iterator[Block]:
    for part in chapter.parts:
        if isinstance(part, Shows):
            if tables is not None:
                yield from examples_of(part.name, tables)
        elif isinstance(part, Lists):
            block = part.make(ruleset)
            if block is not None:
                yield block
        else:
            said = [one.of(ruleset) for one in part]
            sentences: tuple[Sentence, ...] = tuple(sentence for sentence in said if sentence is not None)
            if sentences:
                yield Paragraph(sentences)
    if ruleset.house_rules:
        from meldref.authoring.rulebook import house  # noqa: PLC0415  most rulesets have no house rules

        yield from house.blocks(chapter.title, ruleset, examples=tables is not None)


def _made_from(ruleset: Ruleset) -> str:
    """The ruleset, its options and single settings, as a command line names them."""
    settings = [
        f"{origin.key} = {origin.value}"
        for origin in dict.fromkeys(ruleset.origins.values())
        if origin.file == "--set"
    ]
    return " · ".join([ruleset.id, *(f"with {option}" for option in ruleset.options), *settings])


def origins_in(ruleset: Ruleset) -> Origins:
    """Who set the keys of a ruleset, for a page that shows them; a table is shown entry by entry."""
    leaves = list(merged_values(ruleset))

    def origins(keys: Sequence[str]) -> list[tuple[str, str]]:
        found: dict[tuple[str, str], None] = {}
        for key in keys:
            within = [leaf for leaf in leaves if leaf[0] == key or leaf[0].startswith(f"{key}.")]
            origin = ruleset.origin(key)
            if key == "customs":
                found[key, where(origin)] = None
            elif not within:
                found[key if origin is None else f"{origin.key} = {origin.value}", where(origin)] = None
            for path, value, who in within:
                found[f"{path} = {flow(value)}", where(who)] = None
        return list(found)

    return origins
