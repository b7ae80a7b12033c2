"""Findings, positions, hands, melds, judgements and rulesets, as printed and in notebooks."""

from __future__ import annotations

from collections.abc import Iterable

from meldref.answers.legal import Judgement
from meldref.core.cards import UNKNOWN, Played, each, played_text
from meldref.core.diagnostics import Finding, Origin
from meldref.position.model import Hand, Position, TableMeld, uncounted
from meldref.positions.build import Built
from meldref.report.elements import Html, join, tag
from meldref.report.judgement import judgement_text
from meldref.report.table import table_lines
from meldref.report.text import finding_text, rule_text, shown_origin
from meldref.ruleset.model import Ruleset
from meldref_table.report.picture import cards_svg, in_order, position_svg


def text_of(one: object) -> str:
    """A few lines, as `print` shows them."""
    match one:
        case Finding():
            return finding_text(one)
        case Built() | Position():
            return "\n".join(table_lines(one.position if isinstance(one, Built) else one))
        case Judgement():
            return "\n".join(judgement_text(one))
        case Ruleset():
            return "\n".join(
                [f"{one.id}: {one.name}", *[f"  {rule_text(rule)}" for rule in _written(one)]]
            )
        case _:
            return " ".join(map(played_text, _cards(one)))


def svg_of(one: object) -> str | None:
    """A picture of what has one: positions and cards."""
    match one:
        case Built() | Position():
            return position_svg(one.position if isinstance(one, Built) else one)
        case Judgement():
            return position_svg(one.after.position)
        case Finding() | Ruleset():
            return None
        case _:
            return cards_svg(_cards(one))


def html_of(one: object) -> str:
    """Elements for a page: a move above its table, a table of settings, a finding as text."""
    if isinstance(one, Ruleset):
        settings = [(rule.key, rule.value, shown_origin(rule)) for rule in _written(one)]
        rows = [tag("tr", [tag("td", cell) for cell in cells]) for cells in settings]
        return tag("table", tag("caption", f"{one.id}: {one.name}"), tag("tbody", rows))
    if isinstance(one, Finding):
        return tag("pre", text_of(one))
    picture = Html(svg_of(one) or "")
    return (
        join([tag("pre", text_of(one)), picture])
        if isinstance(one, Judgement)
        else tag("div", picture)
    )


def _written(ruleset: Ruleset) -> Iterable[Origin]:
    """The settings of a ruleset as its files write them; `2-4` is one for several keys."""
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
