"""What a page of `explain` is made of, and how a family's pages are read.

The pages of a family are one file of Markdown. Each begins with its code and title, followed by
paragraphs:

    # draw.stock: a draw the stock does not allow

    What it means.

    Why: Why the rule exists.

    Keys: stock.empty, floating.draws

    Clauses: P-DRAW-03, G-DRAW-01

    ```illegal rules=500-rum with=floating set=game.target=700
    {hands: {A: "2c 3d"}, pile: "5s 9s", stock: 0}
    > A: draw Jh; discard 2c
    ```

and a block `legal` like it. In a block stands a position, with its moves after `> `; or a log, or a
rules file.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator

from meldref.core.records import record


@record
class Example:
    """A position and a turn for a page, in the words of a case file.

    `given` is a position in YAML; where `moves` is empty, a whole log, or a rules file on the pages
    of `rules`. `options` and `settings` go over `rules`.
    """

    given: str
    moves: tuple[str, ...] = ()
    options: tuple[str, ...] = ()
    settings: tuple[str, ...] = ()
    rules: str = "500-rummy"


@record
class Page:
    """What `explain CODE` prints: meaning, reason, governing keys and examples of a code."""

    code: str
    title: str
    means: str
    why: str
    keys: tuple[str, ...]
    clauses: tuple[str, ...]
    illegal: Example
    legal: Example


def pages_in(text: str) -> Iterator[Page]:
    """The pages that a family's file holds, in its order."""
    for part in text.removeprefix("# ").split("\n# "):
        head, _, body = part.partition("\n\n")
        code, _, title = head.partition(": ")
        prose, *blocks = body.split("```")
        parts: dict[str, list[str]] = {"": [], "Why": [], "Keys": [], "Clauses": []}
        for paragraph in filter(None, map(str.strip, prose.split("\n\n"))):
            word, colon, rest = paragraph.partition(": ")
            is_part = bool(colon) and word in parts
            parts[word if is_part else ""].append(
                " ".join((rest if is_part else paragraph).split())
            )
        illegal, legal = map(_example, blocks[::2])
        keys, clauses = (
            tuple(", ".join(parts[word]).split(", ")) if parts[word] else ()
            for word in ("Keys", "Clauses")
        )
        yield Page(
            code, title, " ".join(parts[""]), " ".join(parts["Why"]), keys, clauses, illegal, legal
        )


def codes_in(text: str) -> list[str]:
    """The codes of a family's file, without reading its pages."""
    return re.findall(r"^# (\S+): ", text, re.MULTILINE)


def _example(block: str) -> Example:
    head, _, body = block.partition("\n")
    words = [word.split("=", 1) for word in shlex.split(head)[1:]]
    lines = [line for line in body.splitlines() if not line.startswith("> ")]
    return Example(
        given="\n".join(lines),
        moves=tuple(line[2:] for line in body.splitlines() if line.startswith("> ")),
        options=tuple(value for word, value in words if word == "with"),
        settings=tuple(value for word, value in words if word == "set"),
        rules=next((value for word, value in words if word == "rules"), "500-rummy"),
    )
