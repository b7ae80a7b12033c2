"""Findings, positions, hands, melds, judgements and rulesets, as printed and in notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from meldref.core.cards import UNKNOWN, Played, each, played_text
from meldref.core.diagnostics import Finding, Origin
from meldref.legal import Judgement
from meldref.position.model import Hand, Position, TableMeld, uncounted
from meldref.positions.build import Built
from meldref.report.elements import Html, join, tag
from meldref.report.judgement import judgement_text
from meldref.report.picture import cards_svg, in_order, position_svg
from meldref.report.table import table_lines
from meldref.report.text import finding_text, rule_text, shown_origin
from meldref.ruleset.model import Ruleset


def text_of(value: object) -> str:
    """A few lines, as `print` shows them."""
    match value:
        case Finding():
            return finding_text(value)
        case Built() | Position():
            return "\n".join(table_lines(value.position if isinstance(value, Built) else value))
        case Judgement():
            return "\n".join(judgement_text(value))
        case Ruleset():
            return "\n".join(
                [f"{value.id}: {value.name}", *[f"  {rule_text(rule)}" for rule in _written(value)]]
            )
        case _:
            return " ".join(map(played_text, _cards(value)))


def svg_of(value: object) -> str | None:
    """A picture of what has value: positions and cards."""
    match value:
        case Built() | Position():
            return position_svg(value.position if isinstance(value, Built) else value)
        case Judgement():
            return position_svg(value.after.position)
        case Finding() | Ruleset():
            return None
        case _:
            return cards_svg(_cards(value))


def html_of(value: object) -> str:
    """Elements for a page: a move above its table, a table of settings, a finding as text."""
    if isinstance(value, Ruleset):
        settings = [(rule.key, rule.value, shown_origin(rule)) for rule in _written(value)]
        rows = [tag("tr", [tag("td", cell) for cell in cells]) for cells in settings]
        return tag("table", tag("caption", f"{value.id}: {value.name}"), tag("tbody", rows))
    if isinstance(value, Finding):
        return tag("pre", text_of(value))
    picture = Html(svg_of(value) or "")
    return (
        join([tag("pre", text_of(value)), picture])
        if isinstance(value, Judgement)
        else tag("div", picture)
    )


def _written(ruleset: Ruleset) -> Iterable[Origin]:
    """The settings of a ruleset as its files write them; `2-4` is value for several keys."""
    return dict.fromkeys(ruleset.origins.values())


def _cards(value: object) -> list[Played]:
    """The cards of a hand or a meld."""
    match value:
        case Hand():
            unseen = 0 if uncounted(value.unknown) else value.unknown
            return [Played(card) for card in each(value.cards)] + [Played(UNKNOWN)] * unseen
        case TableMeld():
            return [Played(laid.card, laid.role) for laid in in_order(value)]
        case _:
            raise TypeError(f"nothing says how a {type(value).__name__} looks")
