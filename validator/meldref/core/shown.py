"""How things print and show themselves in notebooks: the package's own door opens what draws them."""

from __future__ import annotations


def text_of(value: object) -> str:
    """A few lines, as `print` shows them."""
    import meldref  # noqa: PLC0415  what draws stands far above, and is loaded only then

    return meldref.text_of(value)


def html_of(value: object) -> str:
    """A fragment of HTML."""
    import meldref  # noqa: PLC0415  as above

    return meldref.html_of(value)


def svg_of(value: object) -> str | None:
    """A picture, where there is one."""
    import meldref  # noqa: PLC0415  as above

    return meldref.svg_of(value)
