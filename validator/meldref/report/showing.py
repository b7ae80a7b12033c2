"""Positions, hands, melds, judgements and rulesets as they print, and as notebooks show them."""

from __future__ import annotations

from meldref.core.cards import UNKNOWN, Played, each, played_text
from meldref.legal import Judgement
from meldref.position.model import Hand, Position, TableMeld
from meldref.positions.build import Built
from meldref.report.elements import Html, join, tag
from meldref.report.judgement import judgement_text
from meldref.report.picture import cards_svg, in_order, position_svg
from meldref.report.table import table_lines
from meldref.report.text import rule_text, shown_origin
from meldref.ruleset.model import Ruleset


def text_of(one: object) -> str:
    """A few lines, as `print` shows them."""
    match one:
        case Built() | Position():
            return "\n".join(table_lines(one.position if isinstance(one, Built) else one))
        case Judgement():
            return "\n".join(judgement_text(one))
        case Ruleset():
            return "\n".join([f"{one.id}: {one.name}", *[f"  {rule_text(rule)}" for rule in one.origins.values()]])
        case _:
            return " ".join(map(played_text, _cards(one)))


def svg_of(one: object) -> str | None:
    """A picture of what has one: positions and cards."""
    match one:
        case Built() | Position():
            return position_svg(one.position if isinstance(one, Built) else one)
        case Judgement():
            return position_svg(one.after.position)
        case Ruleset():
            return None
        case _:
            return cards_svg(_cards(one))


def html_of(one: object) -> str:
    """The same within a page: what is said of a move above the table, a ruleset as a table of its settings."""
    if isinstance(one, Ruleset):
        settings = [(rule.key, rule.value, shown_origin(rule)) for rule in one.origins.values()]
        rows = [tag("tr", [tag("td", cell) for cell in cells]) for cells in settings]
        return tag("table", tag("caption", f"{one.id}: {one.name}"), tag("tbody", rows))
    picture = Html(svg_of(one) or "")
    return join([tag("pre", text_of(one)), picture]) if isinstance(one, Judgement) else tag("div", picture)


def _cards(one: object) -> list[Played]:
    """The cards of a hand or a meld."""
    match one:
        case Hand():
            return [Played(card) for card in each(one.cards)] + [Played(UNKNOWN)] * one.unknown
        case TableMeld():
            return [Played(laid.card, laid.role) for laid in in_order(one)]
        case _:
            raise TypeError(f"nothing says how a {type(one).__name__} looks")
