"""Pages about rules files: what an author of house rules is told."""

from __future__ import annotations

from typing import Final

from meldref.rules.page import Example, Page

PAGES: Final = (
    Page(
        code="rules.yaml",
        title="a rules file that is no plain YAML",
        means=(
            "The file cannot be read, or says something in a way that invites misunderstanding: a key twice, a "
            "tab, an anchor, a tag. Nothing of it is used."
        ),
        why="Two people must read the same out of one file, and so must two programs.",
        keys=(),
        clauses=(),
        illegal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
game: {target: 1000}
game: {target: 700}
"""
        ),
        legal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
game: {target: 1000}
"""
        ),
    ),
    Page(
        code="rules.key",
        title="a key that rules do not have",
        means=(
            "The file, or a single setting, names something that no ruleset can say. Where a known key is spelt "
            "almost like it, it is named."
        ),
        why="A rule that is written down and does nothing would be worse than none.",
        keys=(),
        clauses=(),
        illegal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
game: {taget: 1000}
"""
        ),
        legal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
game: {target: 1000}
"""
        ),
    ),
    Page(
        code="rules.value",
        title="a value that a key cannot have",
        means=(
            "The key is known and the value is not one of those it takes, or a number is out of range, or a "
            "table leaves somebody without a value."
        ),
        why="Every value is a word or number that the rules know what to do with.",
        keys=(),
        clauses=(),
        illegal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
calls: {of: sometimes}
"""
        ),
        legal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
calls: {of: last_discard}
"""
        ),
    ),
    Page(
        code="rules.extends",
        title="rules that build on what is not there",
        means=(
            "A ruleset or option is named that does not exist or cannot be used in that place, or files build "
            "on one another in a circle."
        ),
        why="House rules say only what differs. Without what they differ from, they say nothing.",
        keys=(),
        clauses=(),
        illegal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rumy]
"""
        ),
        legal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
"""
        ),
    ),
    Page(
        code="rules.sense",
        title="rules that cannot be played",
        means=(
            "Each value is fine by itself, but together they make no game: a deal that needs more cards than "
            "the deck has, a meld that no cards can form, an option without what it needs. A warning where one "
            "setting only makes another idle."
        ),
        why="It is better to hear of it now than in the middle of a hand.",
        keys=(),
        clauses=("W-MOD-07", "W-MOD-09"),
        illegal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
deal: {cards: 30}
"""
        ),
        legal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy]
deal: {cards: 10}
"""
        ),
    ),
    Page(
        code="rules.conflict",
        title="two files that say different things",
        means=(
            "Two options, or two rulesets that one builds on, set one key to different values. The later one "
            "wins; this is a warning that names both places."
        ),
        why="Whoever combines two options may not have meant that one of them loses.",
        keys=(),
        clauses=("W-MOD-09",),
        illegal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy, values-5-10-15, face-values]
"""
        ),
        legal=Example(
            given="""\
id: our-house
name: How we play at the lake
extends: [500-rummy, values-5-10-15]
"""
        ),
    ),
)
