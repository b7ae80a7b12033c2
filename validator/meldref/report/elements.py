"""Elements of a page. Whatever is put into one is escaped, unless it is an element itself."""

from __future__ import annotations

import html
from collections.abc import Iterable
from typing import TypeAlias

from meldref.core.text import visible, without_commands

Part: TypeAlias = "str | Iterable[Part]"


class Html(str):
    """A text that is HTML already."""

    __slots__ = ()


def text(plain: str) -> Html:
    """A text as HTML.

    What cannot be seen, or would turn the direction of what follows, as an escape.
    """
    if isinstance(plain, Html):
        return plain
    return Html(without_commands(html.escape(visible(plain, keep="\n")), "&#{};"))


def tag(name: str, /, *inside: Part, **attributes: str | int | None) -> Html:
    """An element.

    An attribute that is None is left out; `_` at the end of a name is dropped, within it is `-`.
    """
    written = "".join(
        [
            f' {key.rstrip("_").replace("_", "-")}="{text(str(value))}"'
            for key, value in attributes.items()
            if value is not None
        ]
    )
    return Html(f"<{name}{written}>{join(inside)}</{name}>")


def join(parts: Iterable[Part]) -> Html:
    """Elements and texts, one behind the other."""
    return Html("".join([text(part) if isinstance(part, str) else join(part) for part in parts]))
