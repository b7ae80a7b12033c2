"""How things show themselves when they are printed and in notebooks; what draws them is loaded only then."""

from __future__ import annotations


class Shown:
    """A thing that prints as a few lines, and shows itself in a notebook, as `meldref.text_of` says."""

    __slots__ = ()

    def __str__(self) -> str:
        import meldref  # noqa: PLC0415  the package's own door, which opens what stands far above this

        return meldref.text_of(self)

    def _repr_html_(self) -> str:
        import meldref  # noqa: PLC0415  as above

        return meldref.html_of(self)

    def _repr_svg_(self) -> str | None:
        import meldref  # noqa: PLC0415  as above

        return meldref.svg_of(self)
